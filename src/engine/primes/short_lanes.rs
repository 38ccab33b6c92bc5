//! A short prime with tables, and the layers of the transforms in [`super::short`], for vectors of
//! residues. `short` calls the public functions, and also describes the ranges of all values.

use super::prime::{self, Prime, mul_mod, pow_mod};
use crate::simd::{SMALL, Simd};

/// The number of coefficients in a polynomial.
pub const DEGREE: usize = 256;

/// The smallest number of lanes with which the code processes four pairs of vectors at a time, in
/// layers whose blocks are shorter than two vectors. These layers permute lanes, and a permutation
/// has a long latency. With four pairs, the processor does not have to wait for each permutation.
const FOUR_PAIR_LANES: usize = 8;

/// A short prime with twiddle factors, in the order of [`Prime::twiddles`]. R is `2^32`.
pub struct ShortPrime {
    /// The prime.
    pub p: u32,
    /// `-1/p mod 2^32`.
    p0i: u32,
    /// The twiddle factors with the factor R, for levels that have assembly for rows (arrays of
    /// values, see `HAS_SHORT_ROWS`).
    pub twiddles: &'static [u32],
    /// The twiddle factors without the factor R.
    pub roots: [u32; DEGREE],
    /// Entry `k` is `2^32 roots[k] / p`, rounded down.
    pub ratios: [u32; DEGREE],
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

    /// Returns `root`, a twiddle factor without the factor R, and its ratio: `2^32 root / p`,
    /// rounded down.
    const fn with_ratio(&self, root: u32) -> (u32, u32) {
        (root, (((root as u64) << 32) / self.p as u64) as u32)
    }

    /// Returns the tables from which the kernels (inner loops) can load vectors. The tests of
    /// ranges must know these tables.
    #[cfg(test)]
    pub fn tables(&self) -> [&[u32]; 4] {
        [&self.roots, &self.ratios, &ML_DSA_BACK.roots, &ML_DSA_BACK.ratios]
    }
}

/// The modulus in ML-DSA, which is the only short prime.
pub static ML_DSA_SHORT: ShortPrime = ShortPrime::new(&prime::ML_DSA);

/// The twiddle factors of [`ML_DSA_SHORT`] in reverse order, for
/// [`ShortLanes::inverse_within_all`]. They are in a separate table, so that small programs and
/// programs without vectors do not contain them.
static ML_DSA_BACK: BackRoots = BackRoots::new(&ShortPrime::new(&prime::ML_DSA));

/// Twiddle factors in reverse order.
struct BackRoots {
    /// The entries of [`ShortPrime::roots`], in reverse order.
    roots: [u32; DEGREE],
    /// The entries of [`ShortPrime::ratios`], in reverse order.
    ratios: [u32; DEGREE],
}

impl BackRoots {
    const fn new(prime: &ShortPrime) -> Self {
        let mut back = Self { roots: [0; DEGREE], ratios: [0; DEGREE] };
        let mut k = 0;
        while k < DEGREE {
            (back.roots[k], back.ratios[k]) = (prime.roots[DEGREE - 1 - k], prime.ratios[DEGREE - 1 - k]);
            k += 1;
        }
        back
    }
}

/// The low halves of the ratios with 64 bits, for [`ML_DSA_SHORT`]. Entry `k` contains the low 32
/// bits of `2^64 roots[k] / p`, rounded up. The high 32 bits are in [`ShortPrime::ratios`]. The
/// table is separate, because only levels with one lane need it.
static ML_DSA_RESTS: [u32; DEGREE] = {
    let prime = ShortPrime::new(&prime::ML_DSA);
    let mut rests = [0; DEGREE];
    let mut k = 0;
    while k < DEGREE {
        rests[k] = ((prime.roots[k] as u128) << 64).div_ceil(prime.p as u128) as u32;
        k += 1;
    }
    rests
};

/// The constant by which `intt` multiplies the results: 1/256, times a factor that the caller
/// chooses. In the last layer, `intt` multiplies the sums by the constant, and the differences by
/// the constant times the twiddle factor. So a separate multiplication by the constant is not
/// necessary.
pub struct InverseFactor {
    /// The constant times R, for levels that have assembly for rows.
    pub scale: u32,
    /// The factor for the sums in the last layer: the constant, with its ratio to `p`.
    pub sums: (u32, u32),
    /// The factor for the differences in the last layer: the constant times the twiddle factor,
    /// with its ratio to `p`.
    pub differences: (u32, u32),
}

impl InverseFactor {
    /// Computes the three fields. `scale` is the constant times R, and must be below `p`.
    pub const fn new(prime: &ShortPrime, scale: u32) -> Self {
        let inverse = pow_mod(((1u64 << 32) % prime.p as u64) as u32, prime.p - 2, prime.p);
        let constant = mul_mod(scale, inverse, prime.p);
        let product = mul_mod(constant, prime.roots[1], prime.p);
        Self { scale, sums: prime.with_ratio(constant), differences: prime.with_ratio(product) }
    }
}

/// A vector of twiddle factors, and a vector of their ratios (see [`ShortPrime::ratios`]).
#[derive(Clone, Copy)]
pub struct ShortRoots<S: Simd, const LONG_RATIOS: bool = false> {
    /// The twiddle factors, without the factor R. If `LONG_RATIOS` is true, this field contains the
    /// low halves of the ratios instead of twiddle factors (see [`ML_DSA_RESTS`]).
    pub roots: S::U32,
    /// The ratios of the twiddle factors to the prime.
    pub ratios: S::U32,
}

/// A short prime, twice this prime, and the constant `p0i` for this prime, in all lanes.
#[derive(Clone, Copy)]
pub struct ShortLanes<S: Simd> {
    /// The level.
    pub isa: S,
    prime: &'static ShortPrime,
    /// The prime in all lanes.
    pub p: S::U32,
    /// `-1/p mod 2^32` in all lanes.
    pub p0i: S::U32,
    /// `2p` in all lanes.
    pub double: S::U32,
}

impl<S: Simd> ShortLanes<S> {
    /// Returns the constants for `prime` in all lanes.
    #[inline(always)]
    pub fn new(isa: S, prime: &'static ShortPrime) -> Self {
        let double = isa.splat_u32(2 * prime.p);
        Self { isa, prime, p: isa.splat_u32(prime.p), p0i: isa.splat_u32(prime.p0i), double }
    }

    /// Returns the twiddle factor with index `k` in all lanes. `LONG_RATIOS` can only be true on
    /// levels with one lane.
    #[inline(always)]
    pub fn root<const LONG_RATIOS: bool>(&self, k: usize) -> ShortRoots<S, LONG_RATIOS> {
        debug_assert!(core::ptr::eq(self.prime, &ML_DSA_SHORT));
        let roots = if LONG_RATIOS { &ML_DSA_RESTS } else { &self.prime.roots };
        ShortRoots { roots: self.isa.splat_u32(roots[k]), ratios: self.isa.splat_u32(self.prime.ratios[k]) }
    }

    /// Multiplies each vector in `y` by the factor at the same index in `w`. The results are below
    /// `2p`, and congruent to the products modulo `p`.
    #[inline(always)]
    fn times<const G: usize, const LONG_RATIOS: bool>(
        &self,
        y: [S::U32; G],
        w: [ShortRoots<S, LONG_RATIOS>; G],
    ) -> [S::U32; G] {
        if LONG_RATIOS {
            let mut products = y;
            for i in 0..G {
                products[i] = self.isa.times_long_u32(y[i], w[i].roots, w[i].ratios, self.p);
            }
            return products;
        }
        if SMALL {
            // The compiler needs less code without the arrays of factors.
            return core::array::from_fn(
                #[inline(always)]
                |i| self.isa.times_u32(y[i], w[i].roots, w[i].ratios, self.p),
            );
        }
        let mut roots = [self.p; G];
        let mut ratios = [self.p; G];
        for i in 0..G {
            (roots[i], ratios[i]) = (w[i].roots, w[i].ratios);
        }
        self.isa.times_each_u32(y, roots, ratios, self.p)
    }

    /// Computes `x + w y` and `x - w y` modulo `p`, for each index. The results are not reduced:
    /// each result exceeds the old `x` by at most `2p`.
    #[inline(always)]
    fn forward<const G: usize, const LONG_RATIOS: bool>(
        &self,
        mut x: [S::U32; G],
        mut y: [S::U32; G],
        w: [ShortRoots<S, LONG_RATIOS>; G],
    ) -> [[S::U32; G]; 2] {
        let z = self.times(y, w);
        for i in 0..G {
            y[i] = self.isa.add_u32(x[i], self.isa.sub_u32(self.double, z[i]));
            x[i] = self.isa.add_u32(x[i], z[i]);
        }
        [x, y]
    }

    /// Computes `x + y` and `y - x + multiple_of_p`, for each index. `multiple_of_p` is a multiple
    /// of `p`, and `x` must be at most this multiple, so that the difference is not negative.
    #[inline(always)]
    fn split<const G: usize>(&self, mut x: [S::U32; G], mut y: [S::U32; G], multiple_of_p: S::U32) -> [[S::U32; G]; 2] {
        for i in 0..G {
            let difference = self.isa.add_u32(y[i], self.isa.sub_u32(multiple_of_p, x[i]));
            (x[i], y[i]) = (self.isa.add_u32(x[i], y[i]), difference);
        }
        [x, y]
    }

    /// Returns `x + y`, and a number below `2p` that is congruent to `(y - x) w` modulo `p`, for
    /// each index. `multiple_of_p` is a multiple of `p`, and `x` must be at most this multiple.
    #[inline(always)]
    fn inverse_butterfly<const G: usize, const LONG_RATIOS: bool>(
        &self,
        x: [S::U32; G],
        y: [S::U32; G],
        w: [ShortRoots<S, LONG_RATIOS>; G],
        multiple_of_p: S::U32,
    ) -> [[S::U32; G]; 2] {
        let [sums, differences] = self.split(x, y, multiple_of_p);
        [sums, self.times(differences, w)]
    }

    /// Returns a vector with `root` in all lanes, and a vector with its `ratio` to the prime in all
    /// lanes ([`ShortPrime::ratios`]).
    #[inline(always)]
    pub fn splat_root(&self, (root, ratio): (u32, u32)) -> ShortRoots<S> {
        ShortRoots { roots: self.isa.splat_u32(root), ratios: self.isa.splat_u32(ratio) }
    }

    /// Computes `(x + y) * sums` and `(y - x) * differences` modulo `p`, for each index. `sums` and
    /// `differences` are factors. The results are in `[0, p)`. `multiple_of_p` is a multiple of
    /// `p`, and `x` must be at most this multiple.
    #[inline(always)]
    pub fn last_butterfly(
        &self,
        x: [S::U32; 2],
        y: [S::U32; 2],
        [sums, differences]: [ShortRoots<S>; 2],
        multiple_of_p: S::U32,
    ) -> [[S::U32; 2]; 2] {
        let [[a, b], [c, d]] = self.split(x, y, multiple_of_p);
        let mut products = self.times([a, b, c, d], [sums, sums, differences, differences]);
        for product in &mut products {
            // The product is below `2p`. This operation subtracts `p` if the product is at least
            // `p`.
            *product = self.isa.below_u32(*product, self.p);
        }
        let [a, b, c, d] = products;
        [[a, b], [c, d]]
    }

    /// Computes [`Self::forward`] for the two halves of a block, with the twiddle factor `w`. While
    /// a block has at least two vectors, `ntt` computes two layers at a time. If a single layer
    /// with such blocks remains, `ntt` calls this function.
    #[inline(always)]
    pub fn forward_block(&self, block: &mut [u32], w: ShortRoots<S>) {
        let isa = self.isa;
        let (x, y) = block.split_at_mut(block.len() / 2);
        for i in (0..x.len()).step_by(S::LANES_U32) {
            let [[u], [v]] = self.forward([isa.load_u32(&x[i..])], [isa.load_u32(&y[i..])], [w]);
            isa.store_u32(u, &mut x[i..]);
            isa.store_u32(v, &mut y[i..]);
        }
    }

    /// Computes two layers in a block: [`Self::forward`] for the block with the twiddle factor `w`,
    /// and then for each half with its twiddle factor in `next`. Each value is loaded and stored
    /// only once for the two layers.
    #[inline(always)]
    fn forward_twice<const LONG_RATIOS: bool>(
        &self,
        block: &mut [u32],
        w: ShortRoots<S, LONG_RATIOS>,
        next: [ShortRoots<S, LONG_RATIOS>; 2],
    ) {
        let isa = self.isa;
        let [a, b, c, d] = quarters(block);
        let low = a.chunks_exact_mut(S::LANES_U32).zip(b.chunks_exact_mut(S::LANES_U32));
        let rows = low.zip(c.chunks_exact_mut(S::LANES_U32)).zip(d.chunks_exact_mut(S::LANES_U32));
        for (((a, b), c), d) in rows {
            let low = [isa.load_u32(a), isa.load_u32(b)];
            let high = [isa.load_u32(c), isa.load_u32(d)];
            let [[x, y], [z, t]] = self.forward(low, high, [w, w]);
            let [[x, z], [y, t]] = self.forward([x, z], [y, t], next);
            isa.store_u32(x, a);
            isa.store_u32(y, b);
            isa.store_u32(z, c);
            isa.store_u32(t, d);
        }
    }

    /// Returns `p len` in all lanes. [`Self::inverse_butterfly`] needs this multiple of `p` for a
    /// block with `len` values: if it is added to a difference between two values, the result is
    /// not negative.
    #[inline(always)]
    pub fn multiple_of_p(&self, len: usize) -> S::U32 {
        self.isa.splat_u32(self.prime.p * len as u32)
    }

    /// Computes two layers of the inverse in a block: [`Self::inverse_butterfly`] in each half with
    /// its twiddle factor in `first`, and then the closure `split`, with both halves as arguments.
    #[inline(always)]
    pub fn back_twice<const LONG_RATIOS: bool>(
        &self,
        block: &mut [u32],
        first: [ShortRoots<S, LONG_RATIOS>; 2],
        split: impl Fn([S::U32; 2], [S::U32; 2]) -> [[S::U32; 2]; 2],
    ) {
        let isa = self.isa;
        let half_multiple = self.multiple_of_p(block.len() / 2);
        let [a, b, c, d] = quarters(block);
        let len = a.len();
        // With these slices, the compiler needs no bound checks on levels with one lane.
        let b = &mut b[..len];
        let c = &mut c[..len];
        let d = &mut d[..len];
        for i in (0..len).step_by(S::LANES_U32) {
            let even = [isa.load_u32(&a[i..]), isa.load_u32(&c[i..])];
            let odd = [isa.load_u32(&b[i..]), isa.load_u32(&d[i..])];
            let [[x, z], [y, t]] = self.inverse_butterfly(even, odd, first, half_multiple);
            let [[x, y], [z, t]] = split([x, y], [z, t]);
            isa.store_u32(x, &mut a[i..]);
            isa.store_u32(y, &mut b[i..]);
            isa.store_u32(z, &mut c[i..]);
            isa.store_u32(t, &mut d[i..]);
        }
    }

    /// Computes two layers of `ntt`: the layer with the number `layer`, which has `2^layer` blocks,
    /// and the next layer. Does not change `a` if a block in the next layer is shorter than two
    /// vectors. If `layer` is a constant, the compiler knows all lengths.
    #[inline(always)]
    pub fn forward_layers<const LONG_RATIOS: bool>(&self, a: &mut [u32; DEGREE], layer: usize) {
        let blocks = 1 << layer;
        if !SMALL && 4 * blocks * S::LANES_U32 > DEGREE {
            return;
        }
        for (k, block) in a.chunks_exact_mut(DEGREE >> layer).enumerate() {
            let k = blocks + k;
            self.forward_twice::<LONG_RATIOS>(block, self.root(k), [self.root(2 * k), self.root(2 * k + 1)]);
        }
    }

    /// Computes two layers of `intt`. The first layer has `2^layer` blocks, and the second layer
    /// has half as many. The first pair starts at the layer in which a block has two vectors. Each
    /// pair has a quarter of the previous pair's blocks. If no pair starts at `layer`, this
    /// function does not change `a`.
    #[inline(always)]
    pub fn back_layers<const LONG_RATIOS: bool>(&self, a: &mut [u32; DEGREE], layer: usize) {
        let first = (DEGREE / 2 / S::LANES_U32).ilog2() as usize;
        if !SMALL && (layer > first || (first - layer) % 2 == 1) {
            return;
        }
        let blocks = 1 << layer;
        let len = (2 * DEGREE) >> layer;
        for (b, block) in a.chunks_exact_mut(len).enumerate() {
            let k = 2 * blocks - 1 - 2 * b;
            let w = self.root::<LONG_RATIOS>(blocks - 1 - b);
            let multiple = self.multiple_of_p(len);
            self.back_twice::<LONG_RATIOS>(
                block,
                [self.root(k), self.root(k - 1)],
                #[inline(always)]
                |x, y| self.inverse_butterfly(x, y, [w, w], multiple),
            );
        }
    }

    /// Computes the last layer of `intt`, if the number of layers with at least two vectors in a
    /// block is odd. Otherwise, `intt` computes this layer together with the previous layer.
    #[inline(always)]
    pub fn back_whole(&self, a: &mut [u32; DEGREE], factors: [ShortRoots<S>; 2], multiple_of_p: S::U32) {
        let isa = self.isa;
        let (x, y) = a.split_at_mut(DEGREE / 2);
        for i in (0..DEGREE / 2).step_by(2 * S::LANES_U32) {
            let j = i + S::LANES_U32;
            let low = [isa.load_u32(&x[i..]), isa.load_u32(&x[j..])];
            let high = [isa.load_u32(&y[i..]), isa.load_u32(&y[j..])];
            let [sums, differences] = self.last_butterfly(low, high, factors, multiple_of_p);
            isa.store_u32(sums[0], &mut x[i..]);
            isa.store_u32(sums[1], &mut x[j..]);
            isa.store_u32(differences[0], &mut y[i..]);
            isa.store_u32(differences[1], &mut y[j..]);
        }
    }

    /// Splits `a` into pairs of adjacent vectors, and applies `f` to `G` pairs at a time. The first
    /// argument of `f` is the index of the first of these pairs. The second argument contains the
    /// first vectors of the pairs, and then the second vectors.
    #[inline(always)]
    fn for_each_group<const G: usize>(&self, a: &mut [u32], f: impl Fn(usize, [[S::U32; G]; 2]) -> [[S::U32; G]; 2]) {
        let isa = self.isa;
        for (i, group) in a.chunks_exact_mut(2 * G * S::LANES_U32).enumerate() {
            let mut pairs = [[self.p; G]; 2];
            for (pair, values) in group.chunks_exact(2 * S::LANES_U32).enumerate() {
                pairs[0][pair] = isa.load_u32(values);
                pairs[1][pair] = isa.load_u32(&values[S::LANES_U32..]);
            }
            let pairs = f(G * i, pairs);
            for (pair, values) in group.chunks_exact_mut(2 * S::LANES_U32).enumerate() {
                isa.store_u32(pairs[0][pair], values);
                isa.store_u32(pairs[1][pair], &mut values[S::LANES_U32..]);
            }
        }
    }

    /// Applies the last layers in `ntt` to all vectors. In these layers, half a block is shorter
    /// than a vector.
    #[inline(always)]
    pub fn forward_within_all(&self, a: &mut [u32]) {
        if S::LANES_U32 >= FOUR_PAIR_LANES {
            self.forward_within_groups::<4>(a);
        } else {
            self.forward_within_groups::<1>(a);
        }
    }

    /// Computes [`Self::forward_within_all`] for `G` pairs of vectors at a time.
    #[inline(always)]
    fn forward_within_groups<const G: usize>(&self, a: &mut [u32]) {
        self.for_each_group::<G>(
            a,
            #[inline(always)]
            |first, pairs| {
                let pairs = self.forward_within::<8, G>(first, pairs);
                let pairs = self.forward_within::<4, G>(first, pairs);
                let pairs = self.forward_within::<2, G>(first, pairs);
                self.forward_within::<1, G>(first, pairs)
            },
        );
    }

    /// Applies a layer of `ntt` to the pairs of vectors from number `first` on. In this layer, half
    /// a block has `D` residues. Between two such layers, the first vector in a pair contains the
    /// first half of each block, and the second vector contains the second halves. If `D` is not
    /// less than the number of lanes, the pairs do not change.
    #[inline(always)]
    fn forward_within<const D: usize, const G: usize>(
        &self,
        first: usize,
        [mut u, mut v]: [[S::U32; G]; 2],
    ) -> [[S::U32; G]; 2] {
        if D >= S::LANES_U32 {
            return [u, v];
        }
        let isa = self.isa;
        let mut w = [ShortRoots::<S> { roots: self.p, ratios: self.p }; G];
        for i in 0..G {
            let k = DEGREE / (2 * D) + (first + i) * (S::LANES_U32 / D);
            w[i].roots = isa.repeat_u32::<D>(&self.prime.roots[k..]);
            w[i].ratios = isa.repeat_u32::<D>(&self.prime.ratios[k..]);
            if 2 * D == S::LANES_U32 {
                (u[i], v[i]) = isa.unzip_u32::<D>(u[i], v[i]);
            }
        }
        let [x, y] = self.forward(u, v, w);
        for i in 0..G {
            (u[i], v[i]) = if D == 1 { isa.zip_u32::<D>(x[i], y[i]) } else { isa.halve_blocks_u32::<D>(x[i], y[i]) };
        }
        [u, v]
    }

    /// Applies the first layers in `intt` to all vectors. In these layers, half a block is shorter
    /// than a vector. On levels with one lane, there are no such layers.
    #[inline(always)]
    pub fn inverse_within_all(&self, a: &mut [u32]) {
        if S::LANES_U32 >= FOUR_PAIR_LANES {
            self.inverse_within_groups::<4>(a);
        } else if S::LANES_U32 > 1 {
            self.inverse_within_groups::<1>(a);
        }
    }

    /// Computes [`Self::inverse_within_all`] for `G` pairs of vectors at a time.
    #[inline(always)]
    fn inverse_within_groups<const G: usize>(&self, a: &mut [u32]) {
        self.for_each_group::<G>(
            a,
            #[inline(always)]
            |first, pairs| {
                let pairs = self.inverse_within::<1, G>(first, pairs);
                let pairs = self.inverse_within::<2, G>(first, pairs);
                let pairs = self.inverse_within::<4, G>(first, pairs);
                self.inverse_within::<8, G>(first, pairs)
            },
        );
    }

    /// Computes the inverse of [`Self::forward_within`], times 2. The last layer of `intt` divides
    /// by the factors 2 from all layers.
    #[inline(always)]
    fn inverse_within<const D: usize, const G: usize>(
        &self,
        first: usize,
        [mut u, mut v]: [[S::U32; G]; 2],
    ) -> [[S::U32; G]; 2] {
        if D >= S::LANES_U32 {
            return [u, v];
        }
        let isa = self.isa;
        debug_assert!(core::ptr::eq(self.prime, &ML_DSA_SHORT));
        let mut w = [ShortRoots::<S> { roots: self.p, ratios: self.p }; G];
        for i in 0..G {
            // This layer reads the twiddle factors in reverse order: see `short::intt`.
            let step = S::LANES_U32 / D;
            if SMALL {
                let k = DEGREE / D - (first + i + 1) * step;
                w[i].roots = isa.repeat_back_u32::<D>(&self.prime.roots[k..]);
                w[i].ratios = isa.repeat_back_u32::<D>(&self.prime.ratios[k..]);
            } else {
                let k = DEGREE - DEGREE / D + (first + i) * step;
                w[i].roots = isa.repeat_u32::<D>(&ML_DSA_BACK.roots[k..]);
                w[i].ratios = isa.repeat_u32::<D>(&ML_DSA_BACK.ratios[k..]);
            }
            if D == 1 {
                (u[i], v[i]) = isa.unzip_u32::<D>(u[i], v[i]);
            }
        }
        let [x, y] = self.inverse_butterfly(u, v, w, self.multiple_of_p(2 * D));
        for i in 0..G {
            (u[i], v[i]) = isa.double_blocks_u32::<D>(x[i], y[i]);
        }
        [u, v]
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
