//! Tests the kernels (inner loops) modulo primes. Most tests run the kernels once for each lane
//! count, on the range level (`simd/check/ranges`), which computes with ranges instead of numbers.
//! For any input, these tests prove that sums fit in 32 bits, that operations get operands in their
//! ranges, and that outputs are in the documented ranges. In these tests, each element of a row (an
//! array) is a handle: a number that identifies a range. `start_u32` begins a test and invalidates
//! all earlier handles.

use super::prime::{ML_DSA, Prime, mul_mod, pow_mod};
use super::short::{self, InverseFactor, ML_DSA_SHORT};
use super::transform::{fold_into, intt, mul_into, ntt, scale_into, unfold_into};
use crate::simd::check::laws::on_every_level;
use crate::simd::check::ranges::{IntegerSpan, OneLane, on_all_lanes, row_u32, span_u32, start_u32};
use crate::simd::{Simd, WithSimd};

/// Returns the range `[0, multiple * p)`.
pub fn below(multiple: u32, p: u32) -> IntegerSpan {
    IntegerSpan::new(0, u64::from(multiple) * u64::from(p) - 1)
}

/// Asserts that all values in a row are in `[0, multiple * p)`.
#[track_caller]
pub fn assert_below<S: Simd>(what: &str, row: &[u32], multiple: u32, p: u32) {
    let span = span_u32(row);
    let bound = below(multiple, p);
    assert!(bound.low <= span.low && span.high <= bound.high, "{what} on {}: {span}", S::NAME);
}

/// Tests the transforms modulo a prime, and the operations on transforms, for all degrees. If all
/// inputs are residues, in `[0, p)`, all outputs must be residues.
#[derive(Clone, Copy)]
pub struct ResidueRanges(pub &'static Prime);

impl WithSimd for ResidueRanges {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let prime = self.0;
        let p = prime.p;
        start_u32(&[prime.twiddles]);
        for logn in 1..=prime.twiddles.len().ilog2() {
            let n = 1 << logn;
            let residues = |n: usize| row_u32(n, below(1, p));
            let check = |what: &str, kernel: &dyn Fn(&mut [u32])| {
                let mut row = residues(n);
                kernel(&mut row);
                assert_below::<S>(what, &row, 1, p);
            };
            check("transform", &|a| ntt(isa, prime, a));
            check("inverse transform", &|a| intt(isa, prime, a));
            check("product", &|a| mul_into(isa, prime, a, &residues(n)));
            check("f(X) f(-X)", &|a| fold_into(isa, prime, &residues(2 * n), a));
            check("f(X^2) g(-X)", &|a| unfold_into(isa, prime, &residues(n / 2), &residues(n), prime.r2, a));
        }
    }
}

/// Checks the prime for ML-DSA. The tests of `moduli` check the primes for key generation.
#[test]
fn transforms_keep_the_ranges_of_residues() {
    on_all_lanes(ResidueRanges(&ML_DSA));
}

/// Checks the transform of each power of X modulo a prime, on all levels that the processor
/// supports. These levels compute with numbers, not with ranges. The tests of ranges prove that no
/// operation overflows, so the transform is linear modulo p. Therefore, if the transform is correct
/// for all powers of X, it is correct for all polynomials.
#[derive(Clone, Copy)]
pub struct PowerTransforms(pub &'static Prime);

impl PowerTransforms {
    /// Checks the transforms of `X^0` to `X^(n - 1)`, for degree n. `transform` must replace a
    /// power's coefficients by its values at the roots. `inverse` must compute the coefficients
    /// from the values.
    fn each(self, n: usize, transform: impl Fn(&mut [u32]), inverse: impl Fn(&mut [u32]), what: &str) {
        let Self(prime) = self;
        let longest = prime.twiddles.len();
        let root = pow_mod(prime.mul(prime.twiddles[longest / 2], 1), (longest / n) as u32, prime.p);
        let reversed = |k: usize| (k as u32).reverse_bits() >> (u32::BITS - n.ilog2());
        let points: Vec<u32> = (0..n).map(|k| pow_mod(root, 2 * reversed(k) + 1, prime.p)).collect();
        let mut values = vec![1; n];
        for i in 0..n {
            let power: Vec<u32> = (0..n).map(|j| u32::from(i == j)).collect();
            let mut a = power.clone();
            transform(&mut a);
            assert!(a.iter().zip(&values).all(|(x, y)| x % prime.p == *y), "X^{i} of {n}, {what}");
            a.copy_from_slice(&values);
            inverse(&mut a);
            assert!(a == power, "X^{i} of {n}, {what}, inverse");
            values.iter_mut().zip(&points).for_each(|(x, point)| *x = mul_mod(*x, *point, prime.p));
        }
    }
}

impl WithSimd for PowerTransforms {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let prime = self.0;
        for logn in 1..=prime.twiddles.len().ilog2() {
            self.each(1 << logn, |a| ntt(isa, prime, a), |a| intt(isa, prime, a), S::NAME);
        }
    }
}

/// A version of [`PowerTransforms`] for the transforms in [`short`], which do not reduce their
/// sums.
#[derive(Clone, Copy)]
struct ShortPowers;

impl WithSimd for ShortPowers {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let prime = &ML_DSA_SHORT;
        // The factor `R / 256` of the inverse transform.
        let scale = mul_mod(pow_mod(256, ML_DSA.p - 2, ML_DSA.p), ML_DSA.one, ML_DSA.p);
        let scale = InverseFactor::new(prime, scale);
        let inverse = |a: &mut [u32]| short::intt(isa, prime, a, &scale);
        PowerTransforms(&ML_DSA).each(256, |a| short::ntt(isa, prime, a), inverse, S::NAME);
    }
}

#[test]
fn the_transform_of_each_power_is_correct() {
    on_every_level(PowerTransforms(&ML_DSA));
    on_every_level(ShortPowers);
}

/// Checks the ranges of the transforms and products in [`short`].
#[derive(Clone, Copy)]
struct ShortRows;

impl WithSimd for ShortRows {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let prime = &ML_DSA_SHORT;
        let p = ML_DSA.p;
        start_u32(&prime.tables());
        let n = 256;
        let row = |multiple| row_u32(n, below(multiple, p));
        let transform = || {
            let mut a = row(2);
            short::ntt(isa, prime, &mut a);
            assert_below::<S>("a transform", &a, 18, p);
            a
        };
        // The factor for the results can be any residue, so the test uses several residues.
        for factor in [0, 1, ML_DSA.one, ML_DSA.r2, p - 1] {
            let mut a = row(2);
            short::intt(isa, prime, &mut a, &InverseFactor::new(prime, factor));
            assert_below::<S>("an inverse transform", &a, 1, p);
        }
        let mut product = transform();
        short::mul_into(isa, prime, &mut product, &transform());
        assert_below::<S>("a product of transforms", &product, 2, p);
        // The test computes three sums:
        // - a single product of two transforms
        // - 7 products of a residue and a transform, as in the longest row of the ML-DSA matrix A
        // - 28 products of a residue and a transform, the largest number for which the sum fits
        for (columns, multiple) in [(1, 18), (7, 1), (28, 1)] {
            let left = row_u32(columns * n, below(multiple, p));
            let right: Vec<u32> = (0..columns).flat_map(|_| transform()).collect();
            let mut sum = row(2);
            short::add_products(isa, prime, &left, &right, &mut sum);
            assert_below::<S>("a sum and products", &sum, 2, p);
            short::products_into(isa, prime, &left, &right, &mut sum);
            assert_below::<S>("products", &sum, 2, p);
        }
        // Expanded keys store transforms that are multiplied by a residue, and verification
        // multiplies the transform of t by a residue.
        let mut scaled = transform();
        scale_into(isa, &ML_DSA, &mut scaled, p - 1);
        assert_below::<S>("a scaled transform", &scaled, 1, p);
        let span = span_u32(&transform());
        let in_p = |x: i128| x as f64 / f64::from(p);
        println!("a transform on {}: {:.3} p to {:.3} p", S::NAME, in_p(span.low), in_p(span.high));
    }
}

#[test]
fn short_transforms_and_products_keep_their_ranges() {
    on_all_lanes(ShortRows);
}

/// Tests that the range level panics if an input or a sum exceeds its range. If the range level had
/// a bug and never panicked, the tests above would pass for wrong code.
mod rejected_ranges {
    use super::*;

    const ISA: OneLane = OneLane::NEW;
    const P: u32 = 8_380_417;

    /// Returns a row for a polynomial, with values up to `largest`.
    fn row(largest: u64) -> Vec<u32> {
        start_u32(&ML_DSA_SHORT.tables());
        row_u32(256, IntegerSpan::new(0, largest))
    }

    #[test]
    #[should_panic(expected = "[-1, 16760834] does not fit in 32 bits")]
    fn an_inverse_transform_of_more_than_twice_the_prime_is_detected() {
        short::intt(ISA, &ML_DSA_SHORT, &mut row(2 * u64::from(P) + 1), &InverseFactor::new(&ML_DSA_SHORT, 1));
    }

    #[test]
    #[should_panic(expected = "does not fit in 32 bits")]
    fn a_sum_of_more_than_32_bits_is_detected() {
        short::ntt(ISA, &ML_DSA_SHORT, &mut row((1 << 32) - 15 * u64::from(P)));
    }

    #[test]
    #[should_panic(expected = "is not below 2^32 times 8380417")]
    fn a_sum_of_two_products_of_transforms_is_detected() {
        let transforms = row(18 * u64::from(P) - 1).repeat(2);
        short::products_into(ISA, &ML_DSA_SHORT, &transforms, &transforms, &mut [0; 256]);
    }

    #[test]
    #[should_panic(expected = "is not below 2^32 times 8380417")]
    fn a_29th_product_in_a_sum_is_detected() {
        let residues = row(u64::from(P) - 1).repeat(29);
        let transforms = row_u32(256, below(18, P)).repeat(29);
        short::products_into(ISA, &ML_DSA_SHORT, &residues, &transforms, &mut [0; 256]);
    }

    #[test]
    #[should_panic(expected = "is not below 2 times 16760834")]
    fn a_sum_without_its_reduction_is_detected() {
        let residues = row(u64::from(P) - 1);
        let mut sum = row(4 * u64::from(P) - 1);
        short::add_products(ISA, &ML_DSA_SHORT, &residues, &residues, &mut sum);
    }

    #[test]
    #[should_panic(expected = "[0, 8380417] is not below 8380417")]
    fn a_transform_of_a_number_that_is_not_a_residue_is_detected() {
        start_u32(&[ML_DSA.twiddles]);
        ntt(ISA, &ML_DSA, &mut row_u32(256, IntegerSpan::new(0, P)));
    }
}
