//! Transforms modulo a prime so short that sums are not reduced: 23 bits in lanes of 32, for degrees up to 256.
//!
//! A product of Montgomery's is below `2p` without its last subtraction, whatever one factor is, as long as the other one
//! is below `p`. So a layer of the transform adds at most `2p`, and one of the way back doubles.
//!
//! | value | range |
//! |---|---|
//! | what is transformed | `[0, 2p)` |
//! | its transform | `[0, 18p)` |
//! | what is transformed back | `[0, 2p)`; below `2^8 2p` on the way |
//! | what comes back | `[0, p)` |
//!
//! The order of values is that of [`super::transform`]. Residues are secret; time depends on lengths alone.

use super::prime::Prime;
use crate::simd::{Simd, frame};

/// The largest degree.
const MAX_DEGREE: usize = 256;

/// A short prime, its double and its inverse in every lane.
#[derive(Clone, Copy)]
struct ShortLanes<S: Simd> {
    isa: S,
    p: S::U32,
    p0i: S::U32,
    double: S::U32,
}

impl<S: Simd> ShortLanes<S> {
    /// Puts `prime` into every lane.
    #[inline(always)]
    fn new(isa: S, prime: &Prime) -> Self {
        debug_assert!(u64::from(prime.p) * 2 * MAX_DEGREE as u64 <= 1 << 32);
        let double = isa.splat_u32(2 * prime.p);
        Self { isa, p: isa.splat_u32(prime.p), p0i: isa.splat_u32(prime.p0i), double }
    }

    /// `x + w y` and `x - w y`, larger by less than `2p`.
    #[inline(always)]
    fn forward(&self, x: S::U32, y: S::U32, w: S::U32) -> (S::U32, S::U32) {
        let z = self.isa.product_u32(y, w, self.p, self.p0i);
        (self.isa.add_u32(x, z), self.isa.add_u32(x, self.isa.sub_u32(self.double, z)))
    }

    /// `x + y`, and `(y - x) w` below `2p`. Range: `x` is at most `above`, a multiple of `p`.
    #[inline(always)]
    fn back(&self, x: S::U32, y: S::U32, w: S::U32, above: S::U32) -> (S::U32, S::U32) {
        let difference = self.isa.add_u32(y, self.isa.sub_u32(above, x));
        (self.isa.add_u32(x, y), self.isa.product_u32(difference, w, self.p, self.p0i))
    }

    /// Computes [`Self::forward`] of a block with one root.
    #[inline(always)]
    fn forward_block(&self, block: &mut [u32], w: u32) {
        let isa = self.isa;
        let w = isa.splat_u32(w);
        let (x, y) = block.split_at_mut(block.len() / 2);
        for (x, y) in x.chunks_exact_mut(S::LANES_U32).zip(y.chunks_exact_mut(S::LANES_U32)) {
            let (u, v) = self.forward(isa.load_u32(x), isa.load_u32(y), w);
            isa.store_u32(u, x);
            isa.store_u32(v, y);
        }
    }

    /// Computes [`Self::back`] of a block with one root.
    #[inline(always)]
    fn back_block(&self, block: &mut [u32], w: u32, above: S::U32) {
        let isa = self.isa;
        let w = isa.splat_u32(w);
        let (x, y) = block.split_at_mut(block.len() / 2);
        for (x, y) in x.chunks_exact_mut(S::LANES_U32).zip(y.chunks_exact_mut(S::LANES_U32)) {
            let (u, v) = self.back(isa.load_u32(x), isa.load_u32(y), w, above);
            isa.store_u32(u, x);
            isa.store_u32(v, y);
        }
    }
}

/// Transforms in place. Range: `a.len()` is at least two vectors, and at most 256.
#[inline(never)]
pub fn ntt<S: Simd>(isa: S, prime: &Prime, a: &mut [u32]) {
    frame!(isa, {
        debug_assert!(a.len() <= MAX_DEGREE);
        let p = ShortLanes::new(isa, prime);
        let mut blocks = 1;
        while 2 * blocks * S::LANES_U32 <= a.len() {
            let half = a.len() / blocks / 2;
            for (block, w) in a.chunks_exact_mut(2 * half).zip(&prime.twiddles[blocks..]) {
                p.forward_block(block, *w);
            }
            blocks *= 2;
        }
        ntt_within::<S, 8>(&p, prime, a);
        ntt_within::<S, 4>(&p, prime, a);
        ntt_within::<S, 2>(&p, prime, a);
        ntt_within::<S, 1>(&p, prime, a);
    });
}

/// Applies the layer of [`ntt`] that joins blocks of `D` residues, if that is less than a vector.
#[inline(always)]
fn ntt_within<S: Simd, const D: usize>(p: &ShortLanes<S>, prime: &Prime, a: &mut [u32]) {
    if D >= S::LANES_U32 {
        return;
    }
    let isa = p.isa;
    let mut twiddles = &prime.twiddles[a.len() / (2 * D)..];
    for pair in a.chunks_exact_mut(2 * S::LANES_U32) {
        let (x, y) = pair.split_at_mut(S::LANES_U32);
        let (u, z) = isa.unzip_u32::<D>(isa.load_u32(x), isa.load_u32(y));
        let (u, z) = p.forward(u, z, isa.repeat_u32::<D>(twiddles));
        let (u, z) = isa.zip_u32::<D>(u, z);
        isa.store_u32(u, x);
        isa.store_u32(z, y);
        twiddles = &twiddles[S::LANES_U32 / D..];
    }
}

/// Undoes [`ntt`] in place, times `k`; the argument is `k` times `R / a.len()`.
#[inline(never)]
pub fn intt<S: Simd>(isa: S, prime: &Prime, a: &mut [u32], k: u32) {
    frame!(isa, {
        debug_assert!(a.len() <= MAX_DEGREE);
        let p = ShortLanes::new(isa, prime);
        intt_within::<S, 1>(&p, prime, a);
        intt_within::<S, 2>(&p, prime, a);
        intt_within::<S, 4>(&p, prime, a);
        intt_within::<S, 8>(&p, prime, a);
        let mut blocks = a.len() / 2 / S::LANES_U32;
        while blocks > 0 {
            let half = a.len() / blocks / 2;
            let above = isa.splat_u32(prime.p * 2 * half as u32);
            // The inverse of entry m + i is minus entry 2m - 1 - i.
            for (block, w) in a.chunks_exact_mut(2 * half).zip(prime.twiddles[..2 * blocks].iter().rev()) {
                p.back_block(block, *w, above);
            }
            blocks /= 2;
        }
        let k = isa.splat_u32(k);
        for a in a.chunks_exact_mut(S::LANES_U32) {
            isa.store_u32(isa.montgomery_u32(isa.load_u32(a), k, p.p, p.p0i), a);
        }
    });
}

/// Undoes [`ntt_within`], times 2.
#[inline(always)]
fn intt_within<S: Simd, const D: usize>(p: &ShortLanes<S>, prime: &Prime, a: &mut [u32]) {
    if D >= S::LANES_U32 {
        return;
    }
    let isa = p.isa;
    // The inverse of entry m + i is minus entry 2m - 1 - i: the twiddles of a layer, read backwards.
    let m = a.len() / (2 * D);
    let above = isa.splat_u32(prime.p * 2 * D as u32);
    for (i, pair) in a.chunks_exact_mut(2 * S::LANES_U32).enumerate() {
        let (x, y) = pair.split_at_mut(S::LANES_U32);
        let (u, v) = isa.unzip_u32::<D>(isa.load_u32(x), isa.load_u32(y));
        let w = isa.repeat_back_u32::<D>(&prime.twiddles[2 * m - (i + 1) * (S::LANES_U32 / D)..]);
        let (u, v) = p.back(u, v, w, above);
        let (u, v) = isa.zip_u32::<D>(u, v);
        isa.store_u32(u, x);
        isa.store_u32(v, y);
    }
}

/// Computes `a[i] = a[i] b[i] / R`, below `2p`. Range: `a[i] b[i] < 2^32 p`.
#[inline(never)]
pub fn mul_into<S: Simd>(isa: S, prime: &Prime, a: &mut [u32], b: &[u32]) {
    frame!(isa, {
        let p = ShortLanes::new(isa, prime);
        for (a, b) in a.chunks_exact_mut(S::LANES_U32).zip(b.chunks_exact(S::LANES_U32)) {
            isa.store_u32(isa.product_u32(isa.load_u32(a), isa.load_u32(b), p.p, p.p0i), a);
        }
    });
}

/// Computes `sum[i] = sum[i] + (a[i] v[i] + a[n + i] v[n + i] + ..) / R` with n values in `sum`, all in `[0, 2p)`. Range:
/// as many products as there are rows of n in `a` and `v`, below `2^32 p` together.
#[inline(never)]
pub fn add_products<S: Simd>(isa: S, prime: &Prime, a: &[u32], v: &[u32], sum: &mut [u32]) {
    frame!(isa, {
        let p = ShortLanes::new(isa, prime);
        let n = sum.len();
        for (i, sum) in sum.chunks_exact_mut(S::LANES_U32).enumerate() {
            let at = i * S::LANES_U32;
            let mut products = isa.no_products();
            for (a, v) in a.chunks_exact(n).zip(v.chunks_exact(n)) {
                products = isa.add_product(products, isa.load_u32(&a[at..]), isa.load_u32(&v[at..]));
            }
            let more = isa.sum_of_products(products, p.p, p.p0i);
            isa.store_u32(isa.below_u32(isa.add_u32(isa.load_u32(sum), more), p.double), sum);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::prime::ML_DSA;
    use super::super::transform;
    use super::*;
    use crate::simd::WithSimd;
    use crate::simd::laws::{Numbers, on_every_level};

    #[derive(Clone, Copy)]
    struct Short;

    impl WithSimd for Short {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let q = ML_DSA.p;
            let mut numbers = Numbers::new(&[0, 1]);
            for round in 0..20 {
                // The ends of the range, then anything.
                let mut any = |limit: u32| match round {
                    0 => limit - 1,
                    1 => 0,
                    _ => (numbers.next() % u64::from(limit)) as u32,
                };
                let a: Vec<u32> = (0..256).map(|_| any(2 * q)).collect();
                let reduced: Vec<u32> = a.iter().map(|x| x % q).collect();
                let mut want = reduced.clone();
                transform::ntt(isa, &ML_DSA, &mut want);
                let mut found = a.clone();
                ntt(isa, &ML_DSA, &mut found);
                for (x, want) in found.iter().zip(&want) {
                    assert!(*x < 18 * q && x % q == *want, "{}", S::NAME);
                }
                // The transform, and what is congruent to it at the other end of the range.
                let mut back: Vec<u32> = want.iter().map(|x| x + if round % 2 == 0 { q } else { 0 }).collect();
                let over = (q - (q - 1) / 256) % q;
                intt(isa, &ML_DSA, &mut back, ML_DSA.mul(over, ML_DSA.r2));
                assert_eq!(back, reduced, "{}", S::NAME);
                let mut most = a.clone();
                intt(isa, &ML_DSA, &mut most, ML_DSA.mul(over, ML_DSA.r2));
                let mut want = reduced;
                transform::intt(isa, &ML_DSA, &mut want);
                assert_eq!(most, want, "{}", S::NAME);

                let left: Vec<u32> = (0..7 * 256).map(|_| any(q)).collect();
                let right: Vec<u32> = (0..7 * 256).map(|_| any(18 * q)).collect();
                let mut products = right[..256].to_vec();
                mul_into(isa, &ML_DSA, &mut products, &right[256..512]);
                for (i, x) in products.iter().enumerate() {
                    let want = u64::from(right[i]) * u64::from(right[i + 256]) % u64::from(q);
                    assert!(*x < 2 * q && (u64::from(*x) << 32) % u64::from(q) == want, "{}", S::NAME);
                }
                let mut sum = a.clone();
                add_products(isa, &ML_DSA, &left, &right, &mut sum);
                for (i, x) in sum.iter().enumerate() {
                    let product = |j: usize| u128::from(left[i + 256 * j]) * u128::from(right[i + 256 * j]);
                    let want = (u128::from(a[i]) << 32) + (0..7).map(product).sum::<u128>();
                    let found = u128::from(*x) << 32;
                    assert!(*x < 2 * q && found % u128::from(q) == want % u128::from(q), "{}", S::NAME);
                }
            }
        }
    }

    #[test]
    fn short_transforms_are_the_others() {
        on_every_level(Short);
    }
}
