//! Products of the challenge and packed polynomials in the private key. The signers in `low_memory`
//! and `matrix_signer` use these products. If there is memory for the challenge's transform, the
//! code computes a product with transforms. Otherwise, a product is a sum over the challenge's
//! coefficients that are not zero. On levels (instruction sets) that have assembly for rows (arrays
//! of values), a product is always such a sum. On these levels, the code computes a product in
//! pieces, so that it does not have to store the whole product.
//!
//! The polynomials in the private key are secret.

use super::challenge::{Challenge, ExtendedFactor};
use super::codec::{ExpandedKeyParts, PIECE, PackedRow};
use super::matrix::{forward_transform, inverse_transform_whole};
use super::params::{N, Parameters};
use super::round::centered;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{Simd, frame, recast};

/// The length of an extended s1 or s2 polynomial, in 32-bit values. Such a polynomial consists of
/// `2 N` bytes: the negated coefficients, and the coefficients ([`SmallPolynomial::extend_into`]).
pub const EXTENDED_LEN: usize = 2 * N / 4;

/// A polynomial with small coefficients: a packed polynomial, or the difference of two packed
/// polynomials.
#[derive(Clone, Copy)]
pub struct SmallPolynomial<'a> {
    /// The packed polynomial.
    pub plus: PackedRow<'a>,
    /// The polynomial that is subtracted from `plus`.
    pub minus: Option<PackedRow<'a>>,
}

impl<'a> SmallPolynomial<'a> {
    /// Returns polynomial `s` of s1.
    pub fn s1(p: &Parameters, key: &ExpandedKeyParts<'a>, s: usize) -> Self {
        Self { plus: key.small(p, s), minus: None }
    }

    /// Returns polynomial `r` of s2.
    pub fn s2(p: &Parameters, key: &ExpandedKeyParts<'a>, r: usize) -> Self {
        Self::s1(p, key, p.l + r)
    }

    /// Returns polynomial `r` of t0.
    pub fn t0(key: &ExpandedKeyParts<'a>, r: usize) -> Self {
        Self { plus: key.t0_row(r), minus: None }
    }

    /// Returns polynomial `r` of `t0 - s2`.
    pub fn t0_less_s2(p: &Parameters, key: &ExpandedKeyParts<'a>, r: usize) -> Self {
        Self { minus: Some(Self::s2(p, key, r).plus), ..Self::t0(key, r) }
    }

    /// Returns the largest magnitude of a coefficient.
    #[inline(always)]
    fn largest(&self) -> usize {
        self.plus.largest as usize + self.minus.map_or(0, |minus| minus.largest as usize)
    }

    /// Returns whether the coefficients are so small that a signed byte can contain the sum of any
    /// eight coefficients.
    #[inline(always)]
    fn fits_in_bytes(&self) -> bool {
        self.largest() < 16
    }

    /// Writes this polynomial to `memory`, in the form that [`ExtendedFactor`] describes.
    #[inline(always)]
    pub fn extend_into<S: Simd>(&self, isa: S, memory: &mut [u32]) {
        let mut piece = [0; PIECE];
        for first in (0..N).step_by(PIECE) {
            self.piece(isa, first, &mut piece);
            if self.fits_in_bytes() {
                let (negated, plain) = recast::<_, u8>(memory).split_at_mut(N);
                for ((x, negated), plain) in piece.iter().zip(&mut negated[first..]).zip(&mut plain[first..]) {
                    (*negated, *plain) = (x.wrapping_neg() as u8, *x as u8);
                }
            } else {
                let (negated, plain) = recast::<_, u16>(memory).split_at_mut(N);
                for ((x, negated), plain) in piece.iter().zip(&mut negated[first..]).zip(&mut plain[first..]) {
                    (*negated, *plain) = (x.wrapping_neg() as u16, *x as u16);
                }
            }
        }
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

/// A challenge, with its transform if there is memory for the transform.
pub struct ChallengeProducts<'a> {
    /// The challenge.
    pub challenge: Challenge,
    /// The transformed challenge, times `R = 2^32`. The slice is empty if there is no memory for
    /// the transform.
    pub transformed: &'a [u32],
}

impl ChallengeProducts<'_> {
    /// Prepares `memory`, which has `N` values, for calls of [`Self::add_piece`] with the same
    /// factor. Writes the product to `memory`. On levels that have assembly for rows, writes the
    /// extended factor instead.
    #[inline(never)]
    pub fn start<S: Simd>(&self, isa: S, factor: SmallPolynomial<'_>, memory: &mut [u32]) {
        frame!(isa, {
            if S::HAS_SHORT_ROWS {
                return factor.extend_into(isa, memory);
            }
            // Without the challenge's transform, the product is a sum.
            if self.transformed.is_empty() {
                memory.fill(0);
                add_product(isa, &self.challenge, factor, memory);
                return;
            }
            for (i, piece) in memory.as_chunks_mut::<PIECE>().0.iter_mut().enumerate() {
                factor.piece(isa, PIECE * i, piece);
            }
            forward_transform(isa, memory);
            short::mul_into(isa, &ML_DSA_SHORT, memory, self.transformed);
            inverse_transform_whole(isa, memory);
            for x in memory {
                *x = centered(*x).cast_unsigned();
            }
        });
    }

    /// Multiplies `factor` by the challenge, and adds the product's coefficients from index `first`
    /// on to `out`. [`Self::start`] must have prepared `memory`, or `memory` must contain the
    /// extended factor. A negative coefficient `x` is stored as `2^32 - |x|`.
    #[inline(always)]
    pub fn add_piece<S: Simd>(
        &self,
        isa: S,
        factor: &SmallPolynomial<'_>,
        memory: &mut [u32],
        first: usize,
        out: &mut [u32; PIECE],
    ) {
        if !S::HAS_SHORT_ROWS {
            for (out, x) in out.iter_mut().zip(&memory[first..]) {
                *out = out.wrapping_add(*x);
            }
            return;
        }
        let largest = factor.largest();
        let factor = if factor.fits_in_bytes() {
            ExtendedFactor::Bytes { src: recast::<_, u8>(memory), largest }
        } else {
            ExtendedFactor::Halfwords { src: recast::<_, u16>(memory), largest }
        };
        self.challenge.add_extended_product(isa, factor, first, out);
    }
}

/// Multiplies `factor` by `c`, and adds the product to `out`. All values are integers modulo
/// `2^32`.
#[inline(always)]
fn add_product<S: Simd>(isa: S, c: &Challenge, factor: SmallPolynomial<'_>, out: &mut [u32]) {
    let mut piece = [0; PIECE];
    for first in (0..N).step_by(PIECE) {
        factor.piece(isa, first, &mut piece);
        c.add_product(first, &piece, out);
    }
}
