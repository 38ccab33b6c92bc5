//! Products of the challenge and polynomials in the private key, which are packed. If the
//! transformed challenge is kept, products are computed with transforms. Otherwise, they are
//! sums over all challenge coefficients that are not zero.
//!
//! The polynomials in the private key are secret.

use super::challenge::Challenge;
use super::codec::{ExpandedKeyParts, PIECE, PackedRow};
use super::matrix::{enter, leave_whole};
use super::params::{N, Parameters};
use super::round::centered;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{Simd, frame};

/// A polynomial with small coefficients: a packed polynomial, or the difference of two of them.
#[derive(Clone, Copy)]
pub struct SmallPolynomial<'a> {
    /// The polynomial.
    pub plus: PackedRow<'a>,
    /// The polynomial that is subtracted from `plus`.
    pub minus: Option<PackedRow<'a>>,
}

impl<'a> SmallPolynomial<'a> {
    /// Returns the s1 column `s`.
    pub fn s1(p: &Parameters, key: &ExpandedKeyParts<'a>, s: usize) -> Self {
        Self { plus: key.small(p, s), minus: None }
    }

    /// Returns the s2 row `r`.
    pub fn s2(p: &Parameters, key: &ExpandedKeyParts<'a>, r: usize) -> Self {
        Self::s1(p, key, p.l + r)
    }

    /// Returns the t0 row `r`.
    pub fn t0(key: &ExpandedKeyParts<'a>, r: usize) -> Self {
        Self { plus: key.t0_row(r), minus: None }
    }

    /// Returns row `r` of `t0 - s2`.
    pub fn t0_less_s2(p: &Parameters, key: &ExpandedKeyParts<'a>, r: usize) -> Self {
        Self { minus: Some(Self::s2(p, key, r).plus), ..Self::t0(key, r) }
    }

    /// Unpacks the coefficients from index `first` on. A negative coefficient `x` is stored as
    /// `2^32 - |x|`.
    #[inline(always)]
    fn piece<S: Simd>(&self, isa: S, first: usize, out: &mut [u32; PIECE]) {
        self.plus.piece(isa, first, out);
        if let Some(minus) = &self.minus {
            let mut subtrahend = [0; PIECE];
            minus.piece(isa, first, &mut subtrahend);
            for (x, y) in out.iter_mut().zip(subtrahend) {
                *x = x.wrapping_sub(y);
            }
        }
    }
}

/// A challenge and, if it is kept, its transform.
pub struct ChallengeProducts<'a> {
    /// The challenge.
    pub challenge: Challenge,
    /// The transformed challenge, times R. This is empty if the transform is not kept.
    pub transformed: &'a [u32],
}

impl ChallengeProducts<'_> {
    /// Writes the coefficients of the product with `factor`. A negative coefficient `x` is stored
    /// as `2^32 - |x|`.
    #[inline(never)]
    pub fn product_into<S: Simd>(&self, isa: S, factor: SmallPolynomial<'_>, out: &mut [u32]) {
        frame!(isa, {
            if self.transformed.is_empty() {
                out.fill(0);
                add_product(isa, &self.challenge, factor, out);
                return;
            }
            for (i, piece) in out.as_chunks_mut::<PIECE>().0.iter_mut().enumerate() {
                factor.piece(isa, PIECE * i, piece);
            }
            enter(isa, out);
            short::mul_into(isa, &ML_DSA_SHORT, out, self.transformed);
            leave_whole(isa, out);
            for x in out {
                *x = centered(*x).cast_unsigned();
            }
        });
    }
}

/// Multiplies `factor` by `c`, and adds the product to `out`. All values are integers modulo
/// `2^32`.
#[inline(always)]
pub fn add_product<S: Simd>(isa: S, c: &Challenge, factor: SmallPolynomial<'_>, out: &mut [u32]) {
    let mut piece = [0; PIECE];
    for first in (0..N).step_by(PIECE) {
        factor.piece(isa, first, &mut piece);
        c.add_product(first, &piece, out);
    }
}
