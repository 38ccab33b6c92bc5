//! Checks that the sums in ML-DSA stay in their ranges. The kernels (inner loops) compute with
//! ranges instead of numbers (`simd/check/ranges`). The test calls the kernels in the order of the
//! scheme, and each kernel must accept all results that the previous kernel can return. Between the
//! kernels, the scheme calls functions in `round` and `prime`, which do not use vectors. The test
//! replaces the results of these functions by rows with the ranges that the functions document.

use super::super::codec::PIECE;
use super::super::matrix::{QUARTER, TransformHalf, inverse_transform, inverse_transform_whole, multiply_add};
use super::super::params::{MlDsaSet, N};
use crate::engine::primes::prime::ML_DSA;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::engine::primes::tests::{assert_below, below};
use crate::simd::check::ranges::{on_all_lanes, row_u32, start_u32};
use crate::simd::{Simd, WithSimd};

/// Returns a row of `count` polynomials with values below `multiple q`.
fn row(count: usize, multiple: u32) -> Vec<u32> {
    row_u32(count * N, below(multiple, ML_DSA.p))
}

/// Returns the transforms of `count` polynomials, whose coefficients are residues.
fn transformed<S: Simd>(isa: S, count: usize) -> Vec<u32> {
    let mut a = row(count, 1);
    short::ntt(isa, &ML_DSA_SHORT, &mut a);
    a
}

#[track_caller]
fn assert_residues<S: Simd>(what: &str, a: &[u32]) {
    assert_below::<S>(what, a, 1, ML_DSA.p);
}

#[derive(Clone, Copy)]
struct SumRanges(MlDsaSet);

impl WithSimd for SumRanges {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let [roots, ratios, back_roots, back_ratios] = ML_DSA_SHORT.tables();
        start_u32(&[roots, ratios, back_roots, back_ratios, ML_DSA.twiddles, &[1]]);
        let prime = &ML_DSA_SHORT;
        let l = self.0.parameters().l;
        let z = transformed(isa, l);
        let c = transformed(isa, 1);

        // A row of `A z - c t` in verification. The verifier computes the row of A in batches, and
        // a batch can end at any column.
        for first in 0..l {
            let mut sum = transformed(isa, 1);
            short::mul_into(isa, prime, &mut sum, &c);
            for columns in [first, l - first] {
                short::add_products(isa, prime, &row(columns, 1), &z[..N * columns], &mut sum);
            }
            inverse_transform(isa, &mut sum);
            assert_residues::<S>("a row of w' in verification", &sum);
        }

        // The transforms that a private key keeps, and a row of `A y` in signing.
        let s1 = transformed(isa, l);
        let mut w = row(1, 1);
        short::products_into(isa, prime, &row(l, 1), &z, &mut w);
        inverse_transform(isa, &mut w);
        assert_residues::<S>("a row of w in signing", &w);

        // The product of the transformed challenge and another transform. In the first iteration,
        // the other transform consists of residues. In the second iteration, its values are in the
        // larger range of `short::ntt`.
        for mut product in [row(1, 1), transformed(isa, 1)] {
            short::mul_into(isa, prime, &mut product, &c);
            inverse_transform_whole(isa, &mut product);
            assert_residues::<S>("a product with the challenge", &product);
        }

        // A row of `t = A s1 + s2` from the transforms that a key keeps.
        let mut t = row(1, 1);
        short::products_into(isa, prime, &row(l, 1), &s1, &mut t);
        short::add_products(isa, prime, &transformed(isa, 1), &[1; N], &mut t);
        inverse_transform(isa, &mut t);
        assert_residues::<S>("t", &t);

        // A row of w' that is computed from the kept transforms of A and t1.
        let t1 = transformed(isa, 1);
        short::products_into(isa, prime, &row(l, 1), &z, &mut w);
        short::add_products(isa, prime, &c, &t1, &mut w);
        inverse_transform(isa, &mut w);
        assert_residues::<S>("a row of w' in verification with the kept transforms", &w);

        // Products that are computed piece by piece, with little memory.
        let mut sum = row(1, 1);
        multiply_add(isa, &row(1, 1)[..PIECE], &z[..PIECE], &mut sum[..PIECE]);
        assert_residues::<S>("a sum that is computed in pieces", &sum);

        // The product of the challenge and t1, in quarters of a transform.
        let mut sum = row(1, 1);
        multiply_add(isa, &row(1, 1)[..QUARTER], &row(1, 1)[..QUARTER], &mut sum[..QUARTER]);
        assert_residues::<S>("a sum with a product of transforms", &sum);
        if S::LANES_U32 == 1 {
            // This check is possible only with one lane. With more lanes, blocks that are shorter
            // than a vector have code that does not use the level, so this code cannot compute with
            // ranges.
            for side in TransformHalf::BOTH {
                let half = &mut row(1, 1)[..N / 2];
                side.transform(isa, half);
                assert_residues::<S>("half a transform", half);
            }
        }
    }
}

#[test]
fn sums_of_the_scheme_do_not_overflow() {
    for set in MlDsaSet::ALL {
        on_all_lanes(SumRanges(set));
    }
}
