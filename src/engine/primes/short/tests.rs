//! Tests the transforms, and the bounds for their values.

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
            // The first two rounds use the ends of the range, and all later rounds use random
            // values.
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
            // The values of the transform, in `[0, q)` in odd rounds and in `[q, 2q)` in even
            // rounds.
            let mut inverse: Vec<u32> = expected.iter().map(|x| x + if round % 2 == 0 { q } else { 0 }).collect();
            // `inverse_degree` is 1/256 modulo q.
            let inverse_degree = (q - (q - 1) / 256) % q;
            let factor = ML_DSA.mul(inverse_degree, ML_DSA.r2);
            intt(isa, &ML_DSA_SHORT, &mut inverse, &InverseFactor::new(&ML_DSA_SHORT, factor));
            assert_eq!(inverse, reduced, "{}", S::NAME);
            let mut inverse = a.clone();
            intt(isa, &ML_DSA_SHORT, &mut inverse, &InverseFactor::new(&ML_DSA_SHORT, factor));
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
        let mut long_products = [0; 16];
        for k in 0..DEGREE {
            let (root, bound) = (u64::from(prime.roots[k]), p + rest(k));
            // Let `t` be `y * ratio / 2^32`, rounded down, and let `y * root = t * p + r`. Then r
            // has two terms. The term `y * rest / 2^32` is below `rest(k)`. The term p times the
            // fraction that was rounded off in t is below p.
            assert!(root < p && rest(k) < p, "root {k}");
            let step = if runs_long_tests() && extremes.contains(&k) { 1 } else { 99_991 };
            let w = ShortLanes::new(isa, prime).root::<false>(k);
            let long = ShortLanes::new(isa, prime).root::<true>(k);
            let mut numbers = (0..=u32::MAX).step_by(step).chain([u32::MAX - 1, u32::MAX]).peekable();
            while numbers.peek().is_some() {
                let y: [u32; 16] = core::array::from_fn(|_| numbers.next().unwrap_or(u32::MAX));
                for y in y.chunks(S::LANES_U32) {
                    isa.store_u32(
                        isa.times_u32(isa.load_u32(y), w.roots, w.ratios, isa.splat_u32(prime.p)),
                        &mut products,
                    );
                    isa.store_u32(
                        isa.times_long_u32(isa.load_u32(y), long.roots, long.ratios, isa.splat_u32(prime.p)),
                        &mut long_products,
                    );
                    for ((y, r), long) in y.iter().zip(products).zip(long_products) {
                        let expected = u64::from(*y) * root % p;
                        assert_eq!(u64::from(long), expected, "{y} times root {k} with a long ratio on {}", S::NAME);
                        let r = u64::from(r);
                        let is_congruent = r == expected || r == expected + p;
                        assert!(r < bound && is_congruent, "{y} times root {k} on {}", S::NAME);
                    }
                }
            }
        }
    }
}

/// Checks that the product of a twiddle factor and any 32-bit number is below `2p`. For each
/// twiddle factor, the test checks a condition that proves this bound. It also computes many
/// products. With `FNDSA_LONG=1`, the test tries all 32-bit numbers with two factors: the factor
/// with the smallest `rest`, and the factor with the largest `rest`.
#[test]
fn products_with_twiddle_factors_stay_below_twice_the_prime() {
    on_every_level(TwiddleBounds);
}

/// Checks the bounds in the table at the start of `short.rs`.
#[test]
fn sums_of_a_transform_and_of_products_do_not_overflow() {
    let p = u64::from(ML_DSA_SHORT.p);
    let layers = u64::from(DEGREE.ilog2());
    let transformed = 2 * p + layers * 2 * p;
    assert_eq!(transformed, 18 * p);
    assert!(transformed < 1 << 32);
    // In the inverse, each layer doubles the bound. The code adds a multiple of p to each
    // difference, so that the result is not negative. This result has the same bound as a sum.
    assert!((2 * p) << layers <= 1 << 32);
    // Three values must be below `2^32 p`, in this order:
    // - the product of a sum in the last layer of the inverse and a residue, in assembly
    // - the product of two transformed values
    // - the sum for the longest row of A: 7 products, each of a transformed value and a residue
    assert!(((2 * p) << layers) * p <= p << 32 && transformed * transformed < p << 32 && 7 * p * transformed < p << 32);
}
