//! Transforms modulo a prime with 23 bits, in lanes with 32 bits. The prime is so short that sums
//! do not have to be reduced. The degree is 256.
//!
//! To multiply `y` by a twiddle factor, the code subtracts a multiple of `p` from the product. It
//! computes this multiple from the ratio of the twiddle factor and `p`. For any `y`, the result is
//! below `2p` (Harvey, "Faster arithmetic for number-theoretic transforms", 2014). This is why a
//! layer of the transform adds at most `2p` to the range, and a layer of the inverse doubles the
//! range.
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

use super::prime::{self, Prime, mul_mod, pow_mod};
use crate::simd::{ShortRow, Simd, frame};

/// The degree.
const DEGREE: usize = 256;

/// How many lanes the level has that has so many registers that the layers inside a vector are
/// computed for four pairs of vectors at a time. The permutations in these layers have a long
/// latency.
const FOUR_PAIR_LANES: usize = 16;

/// A short prime with its twiddle factors. They are in the order of [`Prime::twiddles`], but
/// without the factor R.
pub struct ShortPrime {
    p: u32,
    p0i: u32,
    /// The twiddle factors with the factor R, for levels that have assembly for rows
    /// ([`Simd::HAS_SHORT_ROWS`]).
    twiddles: &'static [u32],
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
            short.roots[k] = root;
            short.ratios[k] = (((root as u64) << 32) / prime.p as u64) as u32;
            k += 1;
        }
        short
    }

    /// Returns the tables that the kernels can load.
    #[cfg(test)]
    pub fn tables(&self) -> [&[u32]; 2] {
        [&self.roots, &self.ratios]
    }
}

/// The modulus in ML-DSA.
pub static ML_DSA_SHORT: ShortPrime = ShortPrime::new(&prime::ML_DSA);

/// Twiddle factors in vector lanes, with their ratios.
#[derive(Clone, Copy)]
struct ShortRoots<S: Simd> {
    roots: S::U32,
    ratios: S::U32,
}

/// A short prime, its double, and its constant `p0i`, in every lane.
#[derive(Clone, Copy)]
struct ShortLanes<S: Simd> {
    isa: S,
    prime: &'static ShortPrime,
    p: S::U32,
    p0i: S::U32,
    double: S::U32,
}

impl<S: Simd> ShortLanes<S> {
    /// Writes `prime` to every lane.
    #[inline(always)]
    fn new(isa: S, prime: &'static ShortPrime) -> Self {
        let double = isa.splat_u32(2 * prime.p);
        Self { isa, prime, p: isa.splat_u32(prime.p), p0i: isa.splat_u32(prime.p0i), double }
    }

    /// Returns the twiddle factor with index `k` in every lane.
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

    /// Computes `x + y`, and `(y - x) w` below `2p`. `x` must be at most `multiple_of_p`, which is
    /// a multiple of `p`.
    #[inline(always)]
    fn inverse_butterfly(&self, x: S::U32, y: S::U32, w: ShortRoots<S>, multiple_of_p: S::U32) -> (S::U32, S::U32) {
        let difference = self.isa.add_u32(y, self.isa.sub_u32(multiple_of_p, x));
        (self.isa.add_u32(x, y), self.isa.times_u32(difference, w.roots, w.ratios, self.p))
    }

    /// Computes [`Self::forward`] for a block's halves, with a single root.
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

    /// Computes [`Self::forward`] for a block with the root `w`, and then for its halves with the
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

    /// Returns `p len` in every lane, for `multiple_of_p` in [`Self::inverse_butterfly`] with a
    /// block of length `len`. Added to a difference of two values, it makes the difference
    /// positive.
    #[inline(always)]
    fn multiple_of_p(&self, len: usize) -> S::U32 {
        self.isa.splat_u32(self.prime.p * len as u32)
    }

    /// Computes [`Self::inverse_butterfly`] for a block's halves with the roots in `first`, and
    /// then for the block with the root `w`.
    #[inline(always)]
    fn back_twice(&self, block: &mut [u32], first: [ShortRoots<S>; 2], w: ShortRoots<S>) {
        let isa = self.isa;
        let half_multiple = self.multiple_of_p(block.len() / 2);
        let whole_multiple = self.multiple_of_p(block.len());
        let [a, b, c, d] = quarters(block).map(|quarter| quarter.chunks_exact_mut(S::LANES_U32));
        for ((a, b), (c, d)) in a.zip(b).zip(c.zip(d)) {
            let (x, y) = self.inverse_butterfly(isa.load_u32(a), isa.load_u32(b), first[0], half_multiple);
            let (z, t) = self.inverse_butterfly(isa.load_u32(c), isa.load_u32(d), first[1], half_multiple);
            let (x, z) = self.inverse_butterfly(x, z, w, whole_multiple);
            let (y, t) = self.inverse_butterfly(y, t, w, whole_multiple);
            isa.store_u32(x, a);
            isa.store_u32(y, b);
            isa.store_u32(z, c);
            isa.store_u32(t, d);
        }
    }

    /// Computes [`Self::inverse_butterfly`] for a block's halves, with a single root.
    #[inline(always)]
    fn back_block(&self, block: &mut [u32], w: ShortRoots<S>) {
        let isa = self.isa;
        let multiple_of_p = self.multiple_of_p(block.len());
        let (x, y) = block.split_at_mut(block.len() / 2);
        for (x, y) in x.chunks_exact_mut(S::LANES_U32).zip(y.chunks_exact_mut(S::LANES_U32)) {
            let (u, v) = self.inverse_butterfly(isa.load_u32(x), isa.load_u32(y), w, multiple_of_p);
            isa.store_u32(u, x);
            isa.store_u32(v, y);
        }
    }

    /// Applies `f` to all neighbouring vectors in pairs, `G` pairs at a time. Also passes the first
    /// pair's number.
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

    /// Applies the last layers in [`ntt`], which join blocks that are shorter than a vector.
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

    /// Applies the layer of [`ntt`] that joins blocks of `D` residues to the pairs of vectors from
    /// number `first` on. Between these layers, a pair's first vector contains each block's first
    /// half, and the second vector contains the second half. If `D` is not less than the number of
    /// lanes, the pairs do not change.
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
            // This layer reads its twiddle factors in reverse order.
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
            if S::LANES_U32 == FOUR_PAIR_LANES {
                p.forward_within_all::<4>(a);
            } else if S::LANES_U32 > 1 {
                p.forward_within_all::<1>(a);
            }
        }
    });
}

/// Computes the inverse of [`ntt`] in place, times a constant c. The argument `k` must be
/// `c R / 256` modulo p.
#[inline(never)]
pub fn intt<S: Simd>(isa: S, prime: &'static ShortPrime, polynomials: &mut [u32], k: u32) {
    frame!(isa, {
        if S::HAS_SHORT_ROWS {
            for a in polynomials.as_chunks_mut::<DEGREE>().0 {
                isa.short_row(a, ShortRow::Backward { roots: prime.twiddles, scale: k });
            }
            return;
        }
        let p = ShortLanes::new(isa, prime);
        let scale = isa.splat_u32(k);
        for a in polynomials.as_chunks_mut::<DEGREE>().0 {
            if S::LANES_U32 == FOUR_PAIR_LANES {
                p.inverse_within_all::<4>(a);
            } else if S::LANES_U32 > 1 {
                p.inverse_within_all::<1>(a);
            }
            // The inverse of twiddle factor m + i is minus twiddle factor 2m - 1 - i.
            let mut blocks = DEGREE / 2 / S::LANES_U32;
            while blocks > 1 {
                for (b, block) in a.chunks_exact_mut(2 * DEGREE / blocks).enumerate() {
                    let k = 2 * blocks - 1 - 2 * b;
                    p.back_twice(block, [p.root(k), p.root(k - 1)], p.root(blocks - 1 - b));
                }
                blocks /= 4;
            }
            if blocks == 1 {
                p.back_block(a, p.root(1));
            }
            for a in a.chunks_exact_mut(S::LANES_U32) {
                isa.store_u32(isa.montgomery_u32(isa.load_u32(a), scale, p.p, p.p0i), a);
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
/// are in `[0, 2p)` before and after. There is a product for each row of n values in `a` and `v`,
/// and these products together must be below `2^32 p`.
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

/// Works like [`add_products`], with a sum of zero. It does not read `sum`.
#[inline(never)]
pub fn products_into<S: Simd>(isa: S, prime: &'static ShortPrime, a: &[u32], v: &[u32], sum: &mut [u32]) {
    frame!(isa, {
        if S::HAS_SHORT_ROWS {
            sum.fill(0);
            return add_products(isa, prime, a, v, sum);
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

/// Passes each vector of the sums of products to `store_sum`, with the place in `sum` for this
/// vector.
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
mod tests {
    use super::super::prime::ML_DSA;
    use super::super::transform;
    use super::*;
    use crate::simd::WithSimd;
    use crate::simd::check::laws::{TestNumbers, on_every_level, runs_long_tests};

    #[derive(Clone, Copy)]
    struct ShortTransforms;

    impl WithSimd for ShortTransforms {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let q = ML_DSA.p;
            let mut numbers = TestNumbers::new(&[0, 1]);
            for round in 0..20 {
                // The first rounds use the range's ends, and the other rounds use any values.
                let mut value_below = |limit: u32| match round {
                    0 => limit - 1,
                    1 => 0,
                    _ => (numbers.next() % u64::from(limit)) as u32,
                };
                let a: Vec<u32> = (0..256).map(|_| value_below(2 * q)).collect();
                let reduced: Vec<u32> = a.iter().map(|x| x % q).collect();
                let mut expected = reduced.clone();
                transform::ntt(isa, &ML_DSA, &mut expected);
                let mut transformed = a.clone();
                ntt(isa, &ML_DSA_SHORT, &mut transformed);
                for (x, expected) in transformed.iter().zip(&expected) {
                    assert!(*x < 18 * q && x % q == *expected, "{}", S::NAME);
                }
                // The transform, or values at the other end of the range that are congruent to it.
                let mut inverse: Vec<u32> = expected.iter().map(|x| x + if round % 2 == 0 { q } else { 0 }).collect();
                // 1/256 modulo q.
                let inverse_degree = (q - (q - 1) / 256) % q;
                let factor = ML_DSA.mul(inverse_degree, ML_DSA.r2);
                intt(isa, &ML_DSA_SHORT, &mut inverse, factor);
                assert_eq!(inverse, reduced, "{}", S::NAME);
                let mut inverse = a.clone();
                intt(isa, &ML_DSA_SHORT, &mut inverse, factor);
                let mut expected = reduced;
                transform::intt(isa, &ML_DSA, &mut expected);
                assert_eq!(inverse, expected, "{}", S::NAME);

                let left: Vec<u32> = (0..7 * 256).map(|_| value_below(q)).collect();
                let right: Vec<u32> = (0..7 * 256).map(|_| value_below(18 * q)).collect();
                let mut products = right[..256].to_vec();
                mul_into(isa, &ML_DSA_SHORT, &mut products, &right[256..512]);
                for (i, x) in products.iter().enumerate() {
                    let expected = u64::from(right[i]) * u64::from(right[i + 256]) % u64::from(q);
                    assert!(*x < 2 * q && (u64::from(*x) << 32) % u64::from(q) == expected, "{}", S::NAME);
                }
                let mut sum = a.clone();
                add_products(isa, &ML_DSA_SHORT, &left, &right, &mut sum);
                for (i, x) in sum.iter().enumerate() {
                    let product = |j: usize| u128::from(left[i + 256 * j]) * u128::from(right[i + 256 * j]);
                    let expected = (u128::from(a[i]) << 32) + (0..7).map(product).sum::<u128>();
                    let actual = u128::from(*x) << 32;
                    assert!(*x < 2 * q && actual % u128::from(q) == expected % u128::from(q), "{}", S::NAME);
                }
            }
        }
    }

    #[test]
    fn short_transforms_equal_the_long_transforms() {
        on_every_level(ShortTransforms);
    }

    #[derive(Clone, Copy)]
    struct TwiddleBounds;

    impl WithSimd for TwiddleBounds {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let prime = &ML_DSA_SHORT;
            let p = u64::from(prime.p);
            let rest = |k: usize| (u64::from(prime.roots[k]) << 32) - u64::from(prime.ratios[k]) * p;
            let by_rest = || 0..DEGREE;
            let extremes = [by_rest().min_by_key(|k| rest(*k)), by_rest().max_by_key(|k| rest(*k))].map(Option::unwrap);
            let mut products = [0; 16];
            for k in 0..DEGREE {
                let (root, bound) = (u64::from(prime.roots[k]), p + rest(k));
                // Let `t` be `y ratio / 2^32`, rounded down, and let `y root = t p + r`. Then r is
                // the sum of two terms: `y rest / 2^32`, which is below `rest(k)`, and p times the
                // fraction that was rounded off in t, which is below p.
                assert!(root < p && rest(k) < p, "root {k}");
                let step = if runs_long_tests() && extremes.contains(&k) { 1 } else { 99_991 };
                let w = ShortLanes::new(isa, prime).root(k);
                let mut numbers = (0..=u32::MAX).step_by(step).chain([u32::MAX - 1, u32::MAX]).peekable();
                while numbers.peek().is_some() {
                    let y: [u32; 16] = core::array::from_fn(|_| numbers.next().unwrap_or(u32::MAX));
                    for y in y.chunks(S::LANES_U32) {
                        isa.store_u32(
                            isa.times_u32(isa.load_u32(y), w.roots, w.ratios, isa.splat_u32(prime.p)),
                            &mut products,
                        );
                        for (y, r) in y.iter().zip(products) {
                            let expected = u64::from(*y) * root % p;
                            let r = u64::from(r);
                            let is_congruent = r == expected || r == expected + p;
                            assert!(r < bound && is_congruent, "{y} times root {k} on {}", S::NAME);
                        }
                    }
                }
            }
        }
    }

    /// Checks the bound of a product for all numbers: by the condition for each twiddle factor, and
    /// by many products. With `FNDSA_LONG=1`, it tries all 32-bit numbers with the two factors that
    /// are closest to the ends.
    #[test]
    fn products_with_twiddle_factors_stay_below_twice_the_prime() {
        on_every_level(TwiddleBounds);
    }

    /// Checks the bounds for the table at the start of this file.
    #[test]
    fn sums_of_a_transform_and_of_products_do_not_overflow() {
        let p = u64::from(ML_DSA_SHORT.p);
        let layers = u64::from(DEGREE.ilog2());
        let transformed = 2 * p + layers * 2 * p;
        assert_eq!(transformed, 18 * p);
        assert!(transformed < 1 << 32);
        // In the inverse, each layer doubles the bound. In a difference, the code first adds a
        // multiple of p to make it positive. The result has the same bound as a sum.
        assert!((2 * p) << layers <= 1 << 32);
        // These products must be below `2^32 p`: the last product of the inverse, whose factor is a
        // residue; the product of two transforms; and the sum of 7 products in the longest row of
        // A, each of a transform and a residue.
        assert!(
            ((2 * p) << layers) * p <= p << 32 && transformed * transformed < p << 32 && 7 * p * transformed < p << 32
        );
    }
}
