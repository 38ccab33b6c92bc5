//! Transforms modulo a prime `p` with 23 bits, in lanes with 32 bits. The prime is so short that
//! sums do not have to be reduced. The degree is 256.
//!
//! To multiply `y` by a twiddle factor, the code subtracts a multiple of `p` from the product. It
//! computes this multiple from the ratio of the twiddle factor and `p`. For any `y`, the result is
//! below `2p` (Harvey, "Faster arithmetic for number-theoretic transforms", 2014). So in a layer of
//! the transform, the bound for the values grows by `2p`. In a layer of the inverse, the bound
//! doubles.
//!
//! | value | range |
//! |---|---|
//! | input of the transform | `[0, 2p)` |
//! | output of the transform | `[0, 18p)` |
//! | input of the inverse | `[0, 2p)`; below `2^8 2p` between the layers |
//! | output of the inverse | `[0, p)` |
//!
//! The values are in the same order as in [`super::transform`]. Residues are secret. The time
//! depends only on lengths.
//!
//! - `tests`: tests the transforms, and the bounds for their values

use super::prime::{self, Prime, mul_mod, pow_mod};
use crate::simd::{ShortRow, Simd, align_stack_for, frame};

/// The degree.
const DEGREE: usize = 256;

/// If a level (an instruction set) has at least this number of lanes, the code computes the layers
/// inside vectors for four pairs of vectors at a time. The permutations in these layers have a long
/// latency.
const FOUR_PAIR_LANES: usize = 8;

/// A short prime with twiddle factors, in the order of [`Prime::twiddles`].
pub struct ShortPrime {
    p: u32,
    p0i: u32,
    /// The twiddle factors with the factor R, for levels that have assembly for rows
    /// ([`Simd::HAS_SHORT_ROWS`]).
    twiddles: &'static [u32],
    /// The twiddle factors without the factor R, which is `2^32`.
    roots: [u32; DEGREE],
    /// Entry `k` is `2^32 roots[k] / p`, rounded down.
    ratios: [u32; DEGREE],
}

impl ShortPrime {
    const fn new(prime: &Prime) -> Self {
        assert!(prime.p as u64 * 2 * DEGREE as u64 <= 1 << 32);
        let inverse = pow_mod(prime.one, prime.p - 2, prime.p);
        let mut short =
            Self { p: prime.p, p0i: prime.p0i, twiddles: prime.twiddles, roots: [0; DEGREE], ratios: [0; DEGREE] };
        let mut k = 0;
        while k < DEGREE {
            let root = mul_mod(prime.twiddles[k], inverse, prime.p);
            (short.roots[k], short.ratios[k]) = short.with_ratio(root);
            k += 1;
        }
        short
    }

    /// Returns the twiddle factor `root`, which is without the factor R, and its ratio to `p`.
    const fn with_ratio(&self, root: u32) -> (u32, u32) {
        (root, (((root as u64) << 32) / self.p as u64) as u32)
    }

    /// Returns the tables that the kernels (inner loops) can load.
    #[cfg(test)]
    pub fn tables(&self) -> [&[u32]; 2] {
        [&self.roots, &self.ratios]
    }
}

/// The modulus in ML-DSA.
pub static ML_DSA_SHORT: ShortPrime = ShortPrime::new(&prime::ML_DSA);

/// The constant by which [`intt`] multiplies the results: 1/256, times a factor that the caller
/// chooses. In the last layer, [`intt`] multiplies the sums by the constant, and the differences by
/// the product of the constant and the twiddle factor. So a separate multiplication by the constant
/// is not necessary.
pub struct InverseFactor {
    /// The constant times R, for levels that have assembly for rows.
    scale: u32,
    /// The factor for the sums in the last layer: the constant, with its ratio to `p`.
    sums: (u32, u32),
    /// The factor for the differences in the last layer: the product of the constant and the
    /// twiddle factor, with its ratio to `p`.
    differences: (u32, u32),
}

impl InverseFactor {
    /// Computes the constants for `scale`, which is the constant times R. Range: `scale < p`.
    pub const fn new(prime: &ShortPrime, scale: u32) -> Self {
        let inverse = pow_mod(((1u64 << 32) % prime.p as u64) as u32, prime.p - 2, prime.p);
        let constant = mul_mod(scale, inverse, prime.p);
        let product = mul_mod(constant, prime.roots[1], prime.p);
        Self { scale, sums: prime.with_ratio(constant), differences: prime.with_ratio(product) }
    }
}

/// Twiddle factors in vector lanes, with their ratios.
#[derive(Clone, Copy)]
struct ShortRoots<S: Simd> {
    roots: S::U32,
    ratios: S::U32,
}

/// A short prime, twice this prime, and the constant `p0i` for this prime, in all lanes.
#[derive(Clone, Copy)]
struct ShortLanes<S: Simd> {
    isa: S,
    prime: &'static ShortPrime,
    p: S::U32,
    p0i: S::U32,
    double: S::U32,
}

impl<S: Simd> ShortLanes<S> {
    /// Returns the constants for `prime` in all lanes.
    #[inline(always)]
    fn new(isa: S, prime: &'static ShortPrime) -> Self {
        let double = isa.splat_u32(2 * prime.p);
        Self { isa, prime, p: isa.splat_u32(prime.p), p0i: isa.splat_u32(prime.p0i), double }
    }

    /// Returns the twiddle factor with index `k` in all lanes.
    #[inline(always)]
    fn root(&self, k: usize) -> ShortRoots<S> {
        ShortRoots { roots: self.isa.splat_u32(self.prime.roots[k]), ratios: self.isa.splat_u32(self.prime.ratios[k]) }
    }

    /// Computes `x + w y` and `x - w y` modulo `p`. The results exceed `x` by at most `2p`.
    #[inline(always)]
    fn forward(&self, x: S::U32, y: S::U32, w: ShortRoots<S>) -> (S::U32, S::U32) {
        let z = self.isa.times_u32(y, w.roots, w.ratios, self.p);
        (self.isa.add_u32(x, z), self.isa.add_u32(x, self.isa.sub_u32(self.double, z)))
    }

    /// Returns `x + y`, and a number below `2p` that equals `(y - x) w` modulo `p`. `x` must be at
    /// most `multiple_of_p`, which is a multiple of `p`.
    #[inline(always)]
    fn inverse_butterfly(&self, x: S::U32, y: S::U32, w: ShortRoots<S>, multiple_of_p: S::U32) -> (S::U32, S::U32) {
        let difference = self.isa.add_u32(y, self.isa.sub_u32(multiple_of_p, x));
        (self.isa.add_u32(x, y), self.isa.times_u32(difference, w.roots, w.ratios, self.p))
    }

    /// Returns the factor `root` and its ratio in all lanes.
    #[inline(always)]
    fn splat_root(&self, (root, ratio): (u32, u32)) -> ShortRoots<S> {
        ShortRoots { roots: self.isa.splat_u32(root), ratios: self.isa.splat_u32(ratio) }
    }

    /// Computes `x + y` times the first factor, and `y - x` times the second factor, in `[0, p)`.
    /// `x` must be at most `multiple_of_p`.
    #[inline(always)]
    fn last_butterfly(
        &self,
        x: S::U32,
        y: S::U32,
        factors: [ShortRoots<S>; 2],
        multiple_of_p: S::U32,
    ) -> (S::U32, S::U32) {
        let difference = self.isa.add_u32(y, self.isa.sub_u32(multiple_of_p, x));
        let [sums, differences] = factors;
        let x = self.isa.times_u32(self.isa.add_u32(x, y), sums.roots, sums.ratios, self.p);
        let y = self.isa.times_u32(difference, differences.roots, differences.ratios, self.p);
        (self.isa.below_u32(x, self.p), self.isa.below_u32(y, self.p))
    }

    /// Computes [`Self::forward`] for the two halves of a block, with a single root.
    #[inline(always)]
    fn forward_block(&self, block: &mut [u32], w: ShortRoots<S>) {
        let isa = self.isa;
        let (x, y) = block.split_at_mut(block.len() / 2);
        for (x, y) in x.chunks_exact_mut(S::LANES_U32).zip(y.chunks_exact_mut(S::LANES_U32)) {
            let (u, v) = self.forward(isa.load_u32(x), isa.load_u32(y), w);
            isa.store_u32(u, x);
            isa.store_u32(v, y);
        }
    }

    /// Computes [`Self::forward`] for a block with the root `w`, and then for both halves with the
    /// roots in `next`.
    #[inline(always)]
    fn forward_twice(&self, block: &mut [u32], w: ShortRoots<S>, next: [ShortRoots<S>; 2]) {
        let isa = self.isa;
        let [a, b, c, d] = quarters(block).map(|quarter| quarter.chunks_exact_mut(S::LANES_U32));
        for ((a, b), (c, d)) in a.zip(b).zip(c.zip(d)) {
            let (x, z) = self.forward(isa.load_u32(a), isa.load_u32(c), w);
            let (y, t) = self.forward(isa.load_u32(b), isa.load_u32(d), w);
            let (x, y) = self.forward(x, y, next[0]);
            let (z, t) = self.forward(z, t, next[1]);
            isa.store_u32(x, a);
            isa.store_u32(y, b);
            isa.store_u32(z, c);
            isa.store_u32(t, d);
        }
    }

    /// Returns `p len` in all lanes, for `multiple_of_p` in [`Self::inverse_butterfly`] with a
    /// block of length `len`. After this multiple is added, a difference of two values is positive.
    #[inline(always)]
    fn multiple_of_p(&self, len: usize) -> S::U32 {
        self.isa.splat_u32(self.prime.p * len as u32)
    }

    /// Computes [`Self::inverse_butterfly`] in both halves of a block with the roots in `first`,
    /// and then `split` for the whole block.
    #[inline(always)]
    fn back_twice(
        &self,
        block: &mut [u32],
        first: [ShortRoots<S>; 2],
        split: impl Fn(S::U32, S::U32) -> (S::U32, S::U32),
    ) {
        let isa = self.isa;
        let half_multiple = self.multiple_of_p(block.len() / 2);
        let [a, b, c, d] = quarters(block).map(|quarter| quarter.chunks_exact_mut(S::LANES_U32));
        for ((a, b), (c, d)) in a.zip(b).zip(c.zip(d)) {
            let (x, y) = self.inverse_butterfly(isa.load_u32(a), isa.load_u32(b), first[0], half_multiple);
            let (z, t) = self.inverse_butterfly(isa.load_u32(c), isa.load_u32(d), first[1], half_multiple);
            let (x, z) = split(x, z);
            let (y, t) = split(y, t);
            isa.store_u32(x, a);
            isa.store_u32(y, b);
            isa.store_u32(z, c);
            isa.store_u32(t, d);
        }
    }

    /// Computes the last layer of the inverse, if it is not computed together with another layer.
    #[inline(always)]
    fn last_inverse_layer(&self, a: &mut [u32], factors: [ShortRoots<S>; 2], multiple_of_p: S::U32) {
        let isa = self.isa;
        let (x, y) = a.split_at_mut(a.len() / 2);
        for (x, y) in x.chunks_exact_mut(S::LANES_U32).zip(y.chunks_exact_mut(S::LANES_U32)) {
            let (u, v) = self.last_butterfly(isa.load_u32(x), isa.load_u32(y), factors, multiple_of_p);
            isa.store_u32(u, x);
            isa.store_u32(v, y);
        }
    }

    /// Splits `a` into pairs of adjacent vectors, and applies `f` to `G` pairs at a time. The first
    /// argument of `f` is the number of the first pair.
    #[inline(always)]
    fn for_each_group<const G: usize>(&self, a: &mut [u32], f: impl Fn(usize, &mut [(S::U32, S::U32); G])) {
        let isa = self.isa;
        for (i, group) in a.chunks_exact_mut(2 * G * S::LANES_U32).enumerate() {
            let zero = isa.splat_u32(0);
            let mut pairs = [(zero, zero); G];
            for (pair, values) in pairs.iter_mut().zip(group.chunks_exact(2 * S::LANES_U32)) {
                *pair = (isa.load_u32(values), isa.load_u32(&values[S::LANES_U32..]));
            }
            f(G * i, &mut pairs);
            for (pair, values) in pairs.iter().zip(group.chunks_exact_mut(2 * S::LANES_U32)) {
                isa.store_u32(pair.0, values);
                isa.store_u32(pair.1, &mut values[S::LANES_U32..]);
            }
        }
    }

    /// Applies the last layers in [`ntt`], which join blocks that are shorter than a vector, to all
    /// vectors.
    #[inline(always)]
    fn forward_within_all<const G: usize>(&self, a: &mut [u32]) {
        self.for_each_group::<G>(
            a,
            #[inline(always)]
            |first, pairs| {
                self.forward_within::<8, G>(first, pairs);
                self.forward_within::<4, G>(first, pairs);
                self.forward_within::<2, G>(first, pairs);
                self.forward_within::<1, G>(first, pairs);
            },
        );
    }

    /// Applies a layer of [`ntt`] to the pairs of vectors from number `first` on. The layer joins
    /// blocks with `D` residues. Between two such layers, the first vector in a pair contains the
    /// first half of each block, and the second vector contains the second halves. If `D` is not
    /// less than the number of lanes, the pairs do not change.
    #[inline(always)]
    fn forward_within<const D: usize, const G: usize>(&self, first: usize, pairs: &mut [(S::U32, S::U32); G]) {
        if D >= S::LANES_U32 {
            return;
        }
        let isa = self.isa;
        for (i, (u, v)) in pairs.iter_mut().enumerate() {
            let k = DEGREE / (2 * D) + (first + i) * (S::LANES_U32 / D);
            let roots = isa.repeat_u32::<D>(&self.prime.roots[k..]);
            let ratios = isa.repeat_u32::<D>(&self.prime.ratios[k..]);
            if 2 * D == S::LANES_U32 {
                (*u, *v) = isa.unzip_u32::<D>(*u, *v);
            }
            let (x, y) = self.forward(*u, *v, ShortRoots { roots, ratios });
            (*u, *v) = if D == 1 { isa.zip_u32::<D>(x, y) } else { isa.halve_blocks_u32::<D>(x, y) };
        }
    }

    /// Applies the first layers in [`intt`], which split blocks that are shorter than a vector.
    #[inline(always)]
    fn inverse_within_all<const G: usize>(&self, a: &mut [u32]) {
        self.for_each_group::<G>(
            a,
            #[inline(always)]
            |first, pairs| {
                self.inverse_within::<1, G>(first, pairs);
                self.inverse_within::<2, G>(first, pairs);
                self.inverse_within::<4, G>(first, pairs);
                self.inverse_within::<8, G>(first, pairs);
            },
        );
    }

    /// Computes the inverse of [`Self::forward_within`], times 2.
    #[inline(always)]
    fn inverse_within<const D: usize, const G: usize>(&self, first: usize, pairs: &mut [(S::U32, S::U32); G]) {
        if D >= S::LANES_U32 {
            return;
        }
        let isa = self.isa;
        for (i, (u, v)) in pairs.iter_mut().enumerate() {
            // This layer reads the twiddle factors in reverse order: see `transform::intt_within`.
            let k = DEGREE / D - (first + i + 1) * (S::LANES_U32 / D);
            let roots = isa.repeat_back_u32::<D>(&self.prime.roots[k..]);
            let ratios = isa.repeat_back_u32::<D>(&self.prime.ratios[k..]);
            if D == 1 {
                (*u, *v) = isa.unzip_u32::<D>(*u, *v);
            }
            let (x, y) = self.inverse_butterfly(*u, *v, ShortRoots { roots, ratios }, self.multiple_of_p(2 * D));
            (*u, *v) = isa.double_blocks_u32::<D>(x, y);
        }
    }
}

/// Returns the quarters of a block.
#[inline(always)]
fn quarters(block: &mut [u32]) -> [&mut [u32]; 4] {
    let (low, high) = block.split_at_mut(block.len() / 2);
    let (a, b) = low.split_at_mut(low.len() / 2);
    let (c, d) = high.split_at_mut(high.len() / 2);
    [a, b, c, d]
}

/// Transforms polynomials with 256 coefficients, in place.
#[inline(never)]
pub fn ntt<S: Simd>(isa: S, prime: &'static ShortPrime, polynomials: &mut [u32]) {
    frame!(isa, {
        align_stack_for::<S::U32>();
        if S::HAS_SHORT_ROWS {
            for a in polynomials.as_chunks_mut::<DEGREE>().0 {
                isa.short_row(a, ShortRow::Forward { roots: prime.twiddles, first: 1 });
            }
            return;
        }
        let p = ShortLanes::new(isa, prime);
        for a in polynomials.as_chunks_mut::<DEGREE>().0 {
            let mut blocks = 1;
            while 4 * blocks * S::LANES_U32 <= DEGREE {
                for (k, block) in a.chunks_exact_mut(DEGREE / blocks).enumerate() {
                    let k = blocks + k;
                    p.forward_twice(block, p.root(k), [p.root(2 * k), p.root(2 * k + 1)]);
                }
                blocks *= 4;
            }
            if 2 * blocks * S::LANES_U32 <= DEGREE {
                for (k, block) in a.chunks_exact_mut(DEGREE / blocks).enumerate() {
                    p.forward_block(block, p.root(blocks + k));
                }
            }
            if S::LANES_U32 >= FOUR_PAIR_LANES {
                p.forward_within_all::<4>(a);
            } else if S::LANES_U32 > 1 {
                p.forward_within_all::<1>(a);
            }
        }
    });
}

/// Computes the inverse of [`ntt`] in place. To multiply the results by a constant c, `scale` must
/// be the [`InverseFactor`] for `c R / 256` modulo p.
#[inline(never)]
pub fn intt<S: Simd>(isa: S, prime: &'static ShortPrime, polynomials: &mut [u32], scale: &InverseFactor) {
    frame!(isa, {
        align_stack_for::<S::U32>();
        if S::HAS_SHORT_ROWS {
            for a in polynomials.as_chunks_mut::<DEGREE>().0 {
                isa.short_row(a, ShortRow::Backward { roots: prime.twiddles, scale: scale.scale });
            }
            return;
        }
        let p = ShortLanes::new(isa, prime);
        let factors = [p.splat_root(scale.sums), p.splat_root(scale.differences)];
        let whole_multiple = p.multiple_of_p(DEGREE);
        for a in polynomials.as_chunks_mut::<DEGREE>().0 {
            if S::LANES_U32 >= FOUR_PAIR_LANES {
                p.inverse_within_all::<4>(a);
            } else if S::LANES_U32 > 1 {
                p.inverse_within_all::<1>(a);
            }
            // If a layer's twiddle factors start at index m, then the inverse of factor `m + i` is
            // the negated factor `2m - 1 - i`.
            let mut blocks = DEGREE / 2 / S::LANES_U32;
            while blocks > 2 {
                for (b, block) in a.chunks_exact_mut(2 * DEGREE / blocks).enumerate() {
                    let k = 2 * blocks - 1 - 2 * b;
                    let w = p.root(blocks - 1 - b);
                    let multiple = p.multiple_of_p(block.len());
                    p.back_twice(
                        block,
                        [p.root(k), p.root(k - 1)],
                        #[inline(always)]
                        |x, y| p.inverse_butterfly(x, y, w, multiple),
                    );
                }
                blocks /= 4;
            }
            if blocks == 1 {
                p.last_inverse_layer(a, factors, whole_multiple);
            } else {
                p.back_twice(
                    a,
                    [p.root(3), p.root(2)],
                    #[inline(always)]
                    |x, y| p.last_butterfly(x, y, factors, whole_multiple),
                );
            }
        }
    });
}

/// Computes `a[i] = a[i] b[i] / R`, below `2p`. Range: `a[i] b[i] < 2^32 p`.
#[inline(never)]
pub fn mul_into<S: Simd>(isa: S, prime: &'static ShortPrime, a: &mut [u32], b: &[u32]) {
    frame!(isa, {
        if S::HAS_SHORT_ROWS {
            return isa.short_row(a, ShortRow::Times(b));
        }
        let p = ShortLanes::new(isa, prime);
        for (a, b) in a.chunks_exact_mut(S::LANES_U32).zip(b.chunks_exact(S::LANES_U32)) {
            isa.store_u32(isa.product_u32(isa.load_u32(a), isa.load_u32(b), p.p, p.p0i), a);
        }
    });
}

/// Computes `sum[i] = sum[i] + (a[i] v[i] + a[n + i] v[n + i] + ..) / R`. `sum` has n values, which
/// are in `[0, 2p)` before and after the call. `a` and `v` consist of rows with n values. The sum
/// of the products, before the division, must be below `2^32 p` for each i.
#[inline(never)]
pub fn add_products<S: Simd>(isa: S, prime: &'static ShortPrime, a: &[u32], v: &[u32], sum: &mut [u32]) {
    frame!(isa, {
        if S::HAS_SHORT_ROWS {
            for (a, v) in a.chunks_exact(sum.len()).zip(v.chunks_exact(sum.len())) {
                isa.short_row(sum, ShortRow::AddTimes(a, v));
            }
            return;
        }
        let p = ShortLanes::new(isa, prime);
        for_each_sum_of_products(
            &p,
            a,
            v,
            sum,
            #[inline(always)]
            |product_sum, sum| isa.store_u32(isa.below_u32(isa.add_u32(isa.load_u32(sum), product_sum), p.double), sum),
        );
    });
}

/// Works like [`add_products`], but replaces the values in `sum`.
#[inline(never)]
pub fn products_into<S: Simd>(isa: S, prime: &'static ShortPrime, a: &[u32], v: &[u32], sum: &mut [u32]) {
    frame!(isa, {
        if S::HAS_SHORT_ROWS {
            return match a.len() / DEGREE {
                // The numbers of columns of the matrix in ML-DSA.
                4 | 5 | 7 => isa.short_row(sum, ShortRow::SumTimes(a, v)),
                _ => {
                    sum.fill(0);
                    add_products(isa, prime, a, v, sum);
                }
            };
        }
        let p = ShortLanes::new(isa, prime);
        for_each_sum_of_products(
            &p,
            a,
            v,
            sum,
            #[inline(always)]
            |product_sum, sum| isa.store_u32(product_sum, sum),
        );
    });
}

/// Computes the sums of products in vectors, and passes the vectors to `store_sum`, together with
/// the part of `sum` to which the vector belongs.
#[inline(always)]
fn for_each_sum_of_products<S: Simd>(
    p: &ShortLanes<S>,
    a: &[u32],
    v: &[u32],
    sum: &mut [u32],
    mut store_sum: impl FnMut(S::U32, &mut [u32]),
) {
    let isa = p.isa;
    let n = sum.len();
    for (i, sum) in sum.chunks_exact_mut(S::LANES_U32).enumerate() {
        let at = i * S::LANES_U32;
        let mut products = isa.no_products();
        for (a, v) in a.chunks_exact(n).zip(v.chunks_exact(n)) {
            products = isa.add_product(products, isa.load_u32(&a[at..]), isa.load_u32(&v[at..]));
        }
        store_sum(isa.sum_of_products(products, p.p, p.p0i), sum);
    }
}

#[cfg(test)]
mod tests;
