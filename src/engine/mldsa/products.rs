//! Products of the challenge and the polynomials of the private key, which stay packed: by sums for each coefficient of
//! the challenge that is not zero, or by transforms if that of the challenge is kept.
//!
//! What the challenge is multiplied with is secret.

use super::challenge::Challenge;
use super::codec::{PIECE, Packed, SecretParts};
use super::matrix::{Half, enter, leave_whole};
use super::params::{N, Parameters};
use super::round::centered;
use crate::engine::primes::prime::ML_DSA;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{Simd, frame};

/// A polynomial of small coefficients: one that is packed, or the difference of two.
#[derive(Clone, Copy)]
pub struct Factor<'a> {
    /// The polynomial.
    pub plus: Packed<'a>,
    /// What is subtracted from it.
    pub minus: Option<Packed<'a>>,
}

impl<'a> Factor<'a> {
    /// Returns column `s` of s1.
    pub fn s1(p: &Parameters, key: &SecretParts<'a>, s: usize) -> Self {
        Self { plus: key.small(p, s), minus: None }
    }

    /// Returns row `r` of s2.
    pub fn s2(p: &Parameters, key: &SecretParts<'a>, r: usize) -> Self {
        Self::s1(p, key, p.l + r)
    }

    /// Returns row `r` of t0.
    pub fn t0(key: &SecretParts<'a>, r: usize) -> Self {
        Self { plus: key.lower(r), minus: None }
    }

    /// Returns row `r` of `t0 - s2`.
    pub fn t0_less_s2(p: &Parameters, key: &SecretParts<'a>, r: usize) -> Self {
        Self { minus: Some(Self::s2(p, key, r).plus), ..Self::t0(key, r) }
    }

    /// Unpacks the coefficients from `first` on, negative ones as `2^32 - |x|`.
    #[inline(always)]
    fn piece<S: Simd>(&self, isa: S, first: usize, out: &mut [u32; PIECE]) {
        self.plus.piece(isa, first, out);
        if let Some(minus) = &self.minus {
            let mut other = [0; PIECE];
            minus.piece(isa, first, &mut other);
            for (x, y) in out.iter_mut().zip(other) {
                *x = x.wrapping_sub(y);
            }
        }
    }
}

/// A challenge with what is kept of it.
pub struct Products<'a> {
    /// The challenge.
    pub challenge: Challenge,
    /// Its transform, times R, if that is kept; else empty.
    pub transformed: &'a [u32],
}

impl Products<'_> {
    /// Writes the coefficients of the product with `factor`, negative ones as `2^32 - |x|`.
    #[inline(never)]
    pub fn product_into<S: Simd>(&self, isa: S, factor: Factor<'_>, out: &mut [u32]) {
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

/// Adds the product of `c` and `factor` to `out`. All are integers modulo `2^32`.
#[inline(always)]
pub fn add_product<S: Simd>(isa: S, c: &Challenge, factor: Factor<'_>, out: &mut [u32]) {
    let mut piece = [0; PIECE];
    for first in (0..N).step_by(PIECE) {
        factor.piece(isa, first, &mut piece);
        c.add_product(first, &piece, out);
    }
}

/// Writes the residues of minus the product of `c` and a polynomial of s1 or s2 in one half of a transform, before its
/// second layer.
#[inline(never)]
pub fn minus_half_product_into<S: Simd>(isa: S, c: &Challenge, small: Packed<'_>, side: Half, out: &mut [u32]) {
    frame!(isa, {
        let mut turned = [0; 2 * N];
        let mut piece = [0; PIECE];
        for first in (0..N).step_by(PIECE) {
            small.piece(isa, first, &mut piece);
            for (j, x) in piece.into_iter().enumerate() {
                turned[first + j] = x.wrapping_neg() as i8;
                turned[N + first + j] = x as i8;
            }
        }
        for (i, out) in out.chunks_exact_mut(PIECE).enumerate() {
            let low = c.small_product(&turned, PIECE * i);
            let high = c.small_product(&turned, PIECE * i + N / 2);
            for j in 0..PIECE {
                let low = ML_DSA.residue_of_hidden(-i32::from(low[j]));
                let high = ML_DSA.residue_of_hidden(-i32::from(high[j]));
                out[j] = side.join(low, high);
            }
        }
    });
}
