//! Number-theoretic transforms (NTT) modulo a prime from [`super::prime`]. The NTRU solver in key
//! generation calls them. ML-DSA uses only the operations on residues.
//!
//! The values are in the same order as in ML-DSA, and as in FN-DSA modulo 12289. If the degree is
//! n, then entry `k` is the value at `root^(2 rev(k) + 1)`. The root is a primitive root of order
//! `2n`, and `rev` reverses the bits of `k`. Therefore, entries `2k` and `2k + 1` belong to a root
//! and its negative, and entries `k` and `n - 1 - k` belong to a root and its inverse.
//!
//! A layer is a pass over all values, which joins pairs of blocks. If the blocks are shorter than a
//! vector, the layer sorts the lanes in two vectors before the computation, and restores their
//! order afterwards. Residues are secret. The time depends only on lengths.

use super::prime::Prime;
use crate::simd::{Simd, frame};

/// A prime and the constant `p0i` for this prime, in all lanes.
#[derive(Clone, Copy)]
pub struct PrimeLanes<S: Simd> {
    isa: S,
    p: S::U32,
    p0i: S::U32,
}

impl<S: Simd> PrimeLanes<S> {
    /// Returns the constants for `prime` in all lanes.
    #[inline(always)]
    pub fn new(isa: S, prime: &Prime) -> Self {
        Self { isa, p: isa.splat_u32(prime.p), p0i: isa.splat_u32(prime.p0i) }
    }

    /// Computes [`Prime::mul`] in each lane.
    #[inline(always)]
    pub fn mul(&self, a: S::U32, b: S::U32) -> S::U32 {
        self.isa.montgomery_u32(a, b, self.p, self.p0i)
    }

    /// Computes [`Prime::below`] in each lane.
    #[inline(always)]
    pub fn below(&self, a: S::U32) -> S::U32 {
        self.isa.below_u32(a, self.p)
    }

    /// Computes [`Prime::add`] in each lane.
    #[inline(always)]
    pub fn add(&self, a: S::U32, b: S::U32) -> S::U32 {
        self.isa.add_mod_u32(a, b, self.p)
    }

    /// Computes [`Prime::sub`] in each lane.
    #[inline(always)]
    pub fn sub(&self, a: S::U32, b: S::U32) -> S::U32 {
        self.isa.sub_mod_u32(a, b, self.p)
    }
}

/// Returns whether a row (an array) with `len` residues is shorter than two vectors. The functions
/// for such short rows must use vectors with half the length.
#[inline(always)]
pub fn is_short<S: Simd>(len: usize) -> bool {
    S::LANES_U32 > 1 && len < 2 * S::LANES_U32
}

/// Calls `f` for each vector in a row with `len` residues. The argument is the index of the first
/// residue in the vector.
#[inline(always)]
pub fn for_each_vector<S: Simd>(len: usize, mut f: impl FnMut(usize)) {
    debug_assert!(len.is_multiple_of(S::LANES_U32));
    let mut at = 0;
    while at < len {
        f(at);
        at += S::LANES_U32;
    }
}

/// Joins the rows x and y with the twiddle factor w, in place: the results are `x + w y` and
/// `x - w y`. The length of the rows must be a multiple of the vector length.
#[inline(always)]
pub fn join_rows<S: Simd>(isa: S, p: &PrimeLanes<S>, twiddle: u32, x: &mut [u32], y: &mut [u32]) {
    let w = isa.splat_u32(twiddle);
    let len = x.len();
    for_each_vector::<S>(
        len,
        #[inline(always)]
        |i| {
            let u = isa.load_u32(&x[i..]);
            let z = p.mul(isa.load_u32(&y[i..]), w);
            isa.store_u32(p.add(u, z), &mut x[i..]);
            isa.store_u32(p.sub(u, z), &mut y[i..]);
        },
    );
}

/// Transforms a polynomial in place, from natural order to the order that is described at the start
/// of this file. The degree must be at least 2, and at most the length of [`Prime::twiddles`].
#[inline(never)]
pub fn ntt<S: Simd>(isa: S, prime: &Prime, a: &mut [u32]) {
    if is_short::<S>(a.len()) {
        return ntt(isa.half(), prime, a);
    }
    frame!(isa, {
        let p = PrimeLanes::new(isa, prime);
        let mut blocks = 1;
        // In these layers, half a block has at least one vector. `ntt_within` computes the layers
        // with shorter blocks.
        while 2 * blocks * S::LANES_U32 <= a.len() {
            let half = a.len() / blocks / 2;
            for (b, block) in a.chunks_exact_mut(2 * half).enumerate() {
                let (x, y) = block.split_at_mut(half);
                join_rows(isa, &p, prime.twiddles[blocks + b], x, y);
            }
            blocks *= 2;
        }
        ntt_within::<S, 8>(isa, prime, a);
        ntt_within::<S, 4>(isa, prime, a);
        ntt_within::<S, 2>(isa, prime, a);
        ntt_within::<S, 1>(isa, prime, a);
    });
}

/// Applies the layer in [`ntt`] that joins blocks with `D` residues, if `D` is less than the number
/// of lanes. Otherwise, returns without a change.
#[inline(always)]
fn ntt_within<S: Simd, const D: usize>(isa: S, prime: &Prime, a: &mut [u32]) {
    if D >= S::LANES_U32 {
        return;
    }
    let p = PrimeLanes::new(isa, prime);
    let mut twiddles = &prime.twiddles[a.len() / (2 * D)..];
    for pair in a.chunks_exact_mut(2 * S::LANES_U32) {
        let (x, y) = pair.split_at_mut(S::LANES_U32);
        let (u, z) = isa.unzip_u32::<D>(isa.load_u32(x), isa.load_u32(y));
        let z = p.mul(z, isa.repeat_u32::<D>(twiddles));
        let (u, z) = isa.zip_u32::<D>(p.add(u, z), p.sub(u, z));
        isa.store_u32(u, x);
        isa.store_u32(z, y);
        twiddles = &twiddles[S::LANES_U32 / D..];
    }
}

/// Computes the inverse of [`ntt`], in place.
#[inline(never)]
pub fn intt<S: Simd>(isa: S, prime: &Prime, a: &mut [u32]) {
    if is_short::<S>(a.len()) {
        return intt(isa.half(), prime, a);
    }
    frame!(isa, {
        intt_within::<S, 1>(isa, prime, a);
        intt_within::<S, 2>(isa, prime, a);
        intt_within::<S, 4>(isa, prime, a);
        intt_within::<S, 8>(isa, prime, a);
        let p = PrimeLanes::new(isa, prime);
        let mut blocks = a.len() / 2 / S::LANES_U32;
        while blocks > 0 {
            let half = a.len() / blocks / 2;
            for (b, block) in a.chunks_exact_mut(2 * half).enumerate() {
                // If a layer's twiddle factors start at index m, then the inverse of factor `m + i`
                // is the negated factor `2m - 1 - i`.
                let w = isa.splat_u32(prime.twiddles[2 * blocks - 1 - b]);
                let (x, y) = block.split_at_mut(half);
                for_each_vector::<S>(
                    half,
                    #[inline(always)]
                    |i| {
                        let u = isa.load_u32(&x[i..]);
                        let v = isa.load_u32(&y[i..]);
                        isa.store_u32(p.add(u, v), &mut x[i..]);
                        isa.store_u32(p.mul(p.sub(v, u), w), &mut y[i..]);
                    },
                );
            }
            blocks /= 2;
        }
        // The layers have multiplied the results by n, so the factor is `R / n`. Because n divides
        // `p - 1`, the inverse of n is `-(p - 1)/n`.
        let n_inv = prime.p - (prime.p - 1) / a.len() as u32;
        scale_into(isa, prime, a, prime.mul(n_inv, prime.r2));
    });
}

/// Computes `a[i] = a[i] k / R` modulo p for each i. To multiply by a factor, `k` must be this
/// factor times `R`.
#[inline(always)]
pub fn scale_into<S: Simd>(isa: S, prime: &Prime, a: &mut [u32], k: u32) {
    let p = PrimeLanes::new(isa, prime);
    let k = isa.splat_u32(k);
    let len = a.len();
    for_each_vector::<S>(
        len,
        #[inline(always)]
        |i| isa.store_u32(p.mul(isa.load_u32(&a[i..]), k), &mut a[i..]),
    );
}

/// Computes the inverse of [`ntt_within`], times 2. After the last layer, [`intt`] divides by the
/// factors 2 from all layers.
#[inline(always)]
fn intt_within<S: Simd, const D: usize>(isa: S, prime: &Prime, a: &mut [u32]) {
    if D >= S::LANES_U32 {
        return;
    }
    let p = PrimeLanes::new(isa, prime);
    // If a layer's twiddle factors start at index m, then the inverse of factor `m + i` is the
    // negated factor `2m - 1 - i`, so this layer reads the twiddle factors in reverse order.
    let m = a.len() / (2 * D);
    for (i, pair) in a.chunks_exact_mut(2 * S::LANES_U32).enumerate() {
        let (x, y) = pair.split_at_mut(S::LANES_U32);
        let (u, v) = isa.unzip_u32::<D>(isa.load_u32(x), isa.load_u32(y));
        let w = isa.repeat_back_u32::<D>(&prime.twiddles[2 * m - (i + 1) * (S::LANES_U32 / D)..]);
        let (u, v) = isa.zip_u32::<D>(p.add(u, v), p.mul(p.sub(v, u), w));
        isa.store_u32(u, x);
        isa.store_u32(v, y);
    }
}

/// Computes `a[i] = a[i] b[i] / R` modulo p for each i. To multiply by factors, `b` must contain
/// these factors times `R`.
#[inline(never)]
pub fn mul_into<S: Simd>(isa: S, prime: &Prime, a: &mut [u32], b: &[u32]) {
    if is_short::<S>(a.len()) {
        return mul_into(isa.half(), prime, a, b);
    }
    frame!(isa, {
        let p = PrimeLanes::new(isa, prime);
        let len = a.len();
        for_each_vector::<S>(
            len,
            #[inline(always)]
            |i| isa.store_u32(p.mul(isa.load_u32(&a[i..]), isa.load_u32(&b[i..])), &mut a[i..]),
        );
    });
}

/// Computes the transform of `f(X) f(-X)` from `values`, the transform of a polynomial f. For each
/// root `w`, the value at `w^2` is `f(w) f(-w)`. The product is a polynomial in `X^2`, so `out`
/// must have half as many values as `values`.
#[inline(never)]
pub fn fold_into<S: Simd>(isa: S, prime: &Prime, values: &[u32], out: &mut [u32]) {
    if is_short::<S>(out.len()) {
        return fold_into(isa.half(), prime, values, out);
    }
    frame!(isa, {
        let p = PrimeLanes::new(isa, prime);
        // `r2` is `R^2` modulo p. The two multiplications below divide by `R^2`.
        let r2 = isa.splat_u32(prime.r2);
        let len = out.len();
        for_each_vector::<S>(
            len,
            #[inline(always)]
            |i| {
                let (x, y) = pairs(isa, &values[2 * i..]);
                isa.store_u32(p.mul(p.mul(x, y), r2), &mut out[i..]);
            },
        );
    });
}

/// Loads the values at `LANES_U32` roots, and the values at the negated roots. In `values`, the
/// value at a negated root follows the value at the root.
#[inline(always)]
fn pairs<S: Simd>(isa: S, values: &[u32]) -> (S::U32, S::U32) {
    let a = isa.load_u32(values);
    let b = isa.load_u32(&values[S::LANES_U32..]);
    if S::LANES_U32 == 1 { (a, b) } else { isa.unzip_u32::<1>(a, b) }
}

/// Computes the transform of `u(X^2) g(-X) c` from `upper`, the transform of u, and `g`, the
/// transform of g. c is a constant, and `k` must be `c R`, where R is `2^32`. `upper` must have
/// half as many values as `g` and `out`.
#[inline(never)]
pub fn unfold_into<S: Simd>(isa: S, prime: &Prime, upper: &[u32], g: &[u32], k: u32, out: &mut [u32]) {
    if is_short::<S>(upper.len()) {
        return unfold_into(isa.half(), prime, upper, g, k, out);
    }
    frame!(isa, {
        let p = PrimeLanes::new(isa, prime);
        let k = isa.splat_u32(k);
        let len = upper.len();
        for_each_vector::<S>(
            len,
            #[inline(always)]
            |i| {
                let u = p.mul(isa.load_u32(&upper[i..]), k);
                let (x, y) = pairs(isa, &g[2 * i..]);
                let (x, y) = (p.mul(u, y), p.mul(u, x));
                let (x, y) = if S::LANES_U32 == 1 { (x, y) } else { isa.zip_u32::<1>(x, y) };
                isa.store_u32(x, &mut out[2 * i..]);
                isa.store_u32(y, &mut out[2 * i + S::LANES_U32..]);
            },
        );
    });
}

#[cfg(test)]
pub mod tests {
    use super::super::prime::ML_DSA;
    use super::*;
    use crate::simd::WithSimd;
    use crate::simd::check::laws::on_every_level;

    /// A test that multiplies polynomials with the transforms, and compares the products with the
    /// definition, for all degrees modulo a prime.
    #[derive(Clone, Copy)]
    pub struct NegacyclicProducts<'p>(pub &'p Prime);

    impl WithSimd for NegacyclicProducts<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let mut seed = 1u32;
            let mut next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                seed
            };
            let prime = self.0;
            let p = i128::from(prime.p);
            for logn in 1..=prime.twiddles.len().ilog2() {
                let n = 1usize << logn;
                let mut a: Vec<u32> = (0..n).map(|_| next() % prime.p).collect();
                let mut b: Vec<u32> = (0..n).map(|_| next() % prime.p).collect();
                // The values 0 and `p - 1` are the smallest and the largest residues.
                (a[0], a[n - 1], b[0], b[n / 2]) = (prime.p - 1, 0, prime.p - 1, prime.p - 1);
                let (mut x, mut y) = (a.clone(), b.clone());
                ntt(isa, prime, &mut x);
                let mut inverse = x.clone();
                intt(isa, prime, &mut inverse);
                assert_eq!(inverse, a);
                ntt(isa, prime, &mut y);

                // The products `f(X^2) = a(X) a(-X)`, and `f(X^2) b(-X)`.
                let mut folded = vec![0; n / 2];
                fold_into(isa, prime, &x, &mut folded);
                let mut lifted = vec![0; n];
                unfold_into(isa, prime, &folded, &y, prime.r2, &mut lifted);
                for k in 0..n / 2 {
                    let mul = |a, b| prime.mul(prime.mul(a, b), prime.r2);
                    assert_eq!(folded[k], mul(x[2 * k], x[2 * k + 1]), "{}", S::NAME);
                    assert_eq!(lifted[2 * k], mul(folded[k], y[2 * k + 1]), "{}", S::NAME);
                    assert_eq!(lifted[2 * k + 1], mul(folded[k], y[2 * k]), "{}", S::NAME);
                }

                for y in &mut y {
                    *y = prime.mul(*y, prime.r2);
                }
                mul_into(isa, prime, &mut x, &y);
                intt(isa, prime, &mut x);
                for k in [0, 1, n / 2, n - 1] {
                    let mut expected = 0i128;
                    for i in 0..n {
                        let j = (n + k - i) % n;
                        let sign = if i + j < n { 1 } else { -1 };
                        expected += sign * i128::from(a[i]) * i128::from(b[j]);
                    }
                    assert_eq!(i128::from(x[k]), expected.rem_euclid(p), "{}, degree {n}", S::NAME);
                }
            }
        }
    }

    #[test]
    fn product_of_transforms_is_the_negacyclic_product() {
        on_every_level(NegacyclicProducts(&ML_DSA));
    }
}
