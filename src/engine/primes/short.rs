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

    /// Computes [`Self::forward`] of a block with the root `w`, then of its halves with those of `next`.
    #[inline(always)]
    fn forward_twice(&self, block: &mut [u32], w: u32, next: [u32; 2]) {
        let isa = self.isa;
        let (w, next) = (isa.splat_u32(w), next.map(|w| isa.splat_u32(w)));
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

    /// Computes [`Self::back`] of the halves of a block with the roots `first`, then of the block with `w`.
    #[inline(always)]
    fn back_twice(&self, block: &mut [u32], first: [u32; 2], w: u32, p: u32) {
        let isa = self.isa;
        let above = isa.splat_u32(p * block.len() as u32 / 2);
        let double = isa.splat_u32(p * block.len() as u32);
        let (w, first) = (isa.splat_u32(w), first.map(|w| isa.splat_u32(w)));
        let [a, b, c, d] = quarters(block).map(|quarter| quarter.chunks_exact_mut(S::LANES_U32));
        for ((a, b), (c, d)) in a.zip(b).zip(c.zip(d)) {
            let (x, y) = self.back(isa.load_u32(a), isa.load_u32(b), first[0], above);
            let (z, t) = self.back(isa.load_u32(c), isa.load_u32(d), first[1], above);
            let (x, z) = self.back(x, z, w, double);
            let (y, t) = self.back(y, t, w, double);
            isa.store_u32(x, a);
            isa.store_u32(y, b);
            isa.store_u32(z, c);
            isa.store_u32(t, d);
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

/// Returns the quarters of a block.
#[inline(always)]
fn quarters(block: &mut [u32]) -> [&mut [u32]; 4] {
    let (low, high) = block.split_at_mut(block.len() / 2);
    let (a, b) = low.split_at_mut(low.len() / 2);
    let (c, d) = high.split_at_mut(high.len() / 2);
    [a, b, c, d]
}

/// Transforms in place. Range: `a.len()` is at least two vectors, and at most 256.
#[inline(never)]
pub fn ntt<S: Simd>(isa: S, prime: &Prime, a: &mut [u32]) {
    frame!(isa, {
        debug_assert!(a.len() <= MAX_DEGREE);
        let p = ShortLanes::new(isa, prime);
        let mut blocks = 1;
        while 4 * blocks * S::LANES_U32 <= a.len() {
            let twiddles = prime.twiddles[blocks..].iter().zip(prime.twiddles[2 * blocks..].as_chunks().0);
            for (block, (w, next)) in a.chunks_exact_mut(a.len() / blocks).zip(twiddles) {
                p.forward_twice(block, *w, *next);
            }
            blocks *= 4;
        }
        if 2 * blocks * S::LANES_U32 <= a.len() {
            for (block, w) in a.chunks_exact_mut(a.len() / blocks).zip(&prime.twiddles[blocks..]) {
                p.forward_block(block, *w);
            }
        }
        if S::LANES_U32 > 1 {
            ntt_within(&p, prime, a);
        }
    });
}

/// Applies the last layers of [`ntt`], which join blocks shorter than a vector: two vectors at a time.
#[inline(always)]
fn ntt_within<S: Simd>(p: &ShortLanes<S>, prime: &Prime, a: &mut [u32]) {
    let isa = p.isa;
    let n = a.len();
    for (i, pair) in a.chunks_exact_mut(2 * S::LANES_U32).enumerate() {
        let (x, y) = pair.split_at_mut(S::LANES_U32);
        let both = (isa.load_u32(x), isa.load_u32(y));
        let both = forward_within::<S, 8>(p, prime, n, i, both);
        let both = forward_within::<S, 4>(p, prime, n, i, both);
        let both = forward_within::<S, 2>(p, prime, n, i, both);
        let both = forward_within::<S, 1>(p, prime, n, i, both);
        isa.store_u32(both.0, x);
        isa.store_u32(both.1, y);
    }
}

/// Applies the layer that joins blocks of `D` residues, if that is less than a vector, to the pair of vectors with number `i`
/// of `n` values.
#[inline(always)]
fn forward_within<S: Simd, const D: usize>(
    p: &ShortLanes<S>,
    prime: &Prime,
    n: usize,
    i: usize,
    (x, y): (S::U32, S::U32),
) -> (S::U32, S::U32) {
    if D >= S::LANES_U32 {
        return (x, y);
    }
    let twiddles = &prime.twiddles[n / (2 * D) + i * (S::LANES_U32 / D)..];
    let (u, v) = p.isa.unzip_u32::<D>(x, y);
    let (u, v) = p.forward(u, v, p.isa.repeat_u32::<D>(twiddles));
    p.isa.zip_u32::<D>(u, v)
}

/// Undoes [`ntt`] in place, times `k`; the argument is `k` times `R / a.len()`.
#[inline(never)]
pub fn intt<S: Simd>(isa: S, prime: &Prime, a: &mut [u32], k: u32) {
    frame!(isa, {
        debug_assert!(a.len() <= MAX_DEGREE);
        let p = ShortLanes::new(isa, prime);
        if S::LANES_U32 > 1 {
            intt_within(&p, prime, a);
        }
        // The inverse of entry m + i is minus entry 2m - 1 - i.
        let mut blocks = a.len() / 2 / S::LANES_U32;
        while blocks > 1 {
            let first = prime.twiddles[..2 * blocks].as_chunks().0.iter().rev();
            let twiddles = first.zip(prime.twiddles[..blocks].iter().rev());
            for (block, ([w1, w0], w)) in a.chunks_exact_mut(2 * a.len() / blocks).zip(twiddles) {
                p.back_twice(block, [*w0, *w1], *w, prime.p);
            }
            blocks /= 4;
        }
        if blocks == 1 {
            p.back_block(a, prime.twiddles[1], isa.splat_u32(prime.p * a.len() as u32));
        }
        let k = isa.splat_u32(k);
        for a in a.chunks_exact_mut(S::LANES_U32) {
            isa.store_u32(isa.montgomery_u32(isa.load_u32(a), k, p.p, p.p0i), a);
        }
    });
}

/// Undoes [`ntt_within`], times 2 for each layer.
#[inline(always)]
fn intt_within<S: Simd>(p: &ShortLanes<S>, prime: &Prime, a: &mut [u32]) {
    let isa = p.isa;
    let n = a.len();
    for (i, pair) in a.chunks_exact_mut(2 * S::LANES_U32).enumerate() {
        let (x, y) = pair.split_at_mut(S::LANES_U32);
        let both = (isa.load_u32(x), isa.load_u32(y));
        let both = back_within::<S, 1>(p, prime, n, i, both);
        let both = back_within::<S, 2>(p, prime, n, i, both);
        let both = back_within::<S, 4>(p, prime, n, i, both);
        let both = back_within::<S, 8>(p, prime, n, i, both);
        isa.store_u32(both.0, x);
        isa.store_u32(both.1, y);
    }
}

/// Undoes [`forward_within`], times 2.
#[inline(always)]
fn back_within<S: Simd, const D: usize>(
    p: &ShortLanes<S>,
    prime: &Prime,
    n: usize,
    i: usize,
    (x, y): (S::U32, S::U32),
) -> (S::U32, S::U32) {
    if D >= S::LANES_U32 {
        return (x, y);
    }
    let isa = p.isa;
    let above = isa.splat_u32(prime.p * 2 * D as u32);
    let (u, v) = isa.unzip_u32::<D>(x, y);
    // The twiddles of a layer, read backwards.
    let w = isa.repeat_back_u32::<D>(&prime.twiddles[n / D - (i + 1) * (S::LANES_U32 / D)..]);
    let (u, v) = p.back(u, v, w, above);
    isa.zip_u32::<D>(u, v)
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
        each_sum_of_products(
            &p,
            a,
            v,
            sum,
            #[inline(always)]
            |more, sum| isa.store_u32(isa.below_u32(isa.add_u32(isa.load_u32(sum), more), p.double), sum),
        );
    });
}

/// [`add_products`] to sums that are zero, whatever stands in `sum`.
#[inline(never)]
pub fn products_into<S: Simd>(isa: S, prime: &Prime, a: &[u32], v: &[u32], sum: &mut [u32]) {
    frame!(isa, {
        let p = ShortLanes::new(isa, prime);
        each_sum_of_products(
            &p,
            a,
            v,
            sum,
            #[inline(always)]
            |found, sum| isa.store_u32(found, sum),
        );
    });
}

/// Gives the sums of products, a vector at a time, to `keep`, with the place of the vector.
#[inline(always)]
fn each_sum_of_products<S: Simd>(
    p: &ShortLanes<S>,
    a: &[u32],
    v: &[u32],
    sum: &mut [u32],
    mut keep: impl FnMut(S::U32, &mut [u32]),
) {
    let isa = p.isa;
    let n = sum.len();
    for (i, sum) in sum.chunks_exact_mut(S::LANES_U32).enumerate() {
        let at = i * S::LANES_U32;
        let mut products = isa.no_products();
        for (a, v) in a.chunks_exact(n).zip(v.chunks_exact(n)) {
            products = isa.add_product(products, isa.load_u32(&a[at..]), isa.load_u32(&v[at..]));
        }
        keep(isa.sum_of_products(products, p.p, p.p0i), sum);
    }
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
