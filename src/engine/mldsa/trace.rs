//! Protects signing against faults:
//!
//! - Checksums of y. The signer in `low_memory` samples y several times, and compares the
//!   checksums. The other signers sample y twice, and compare all coefficients.
//! - A check that y was sampled. All signers make this check.
//! - Hooks between the steps, where tests insert faults. A signer calls only some of the hooks.

use super::codec::PIECE;
use super::params::{Parameters, SECRET_SEED_LEN};
use super::round::BoundCheck;
use super::sample::SqueezeLimitError;
use super::verify::MlDsaRejection;
use crate::simd::ct;

/// The reason why signing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MlDsaSignError {
    /// The expanded key, or the slice of its transforms, has the wrong length for the parameter
    /// set.
    Length,
    /// No attempt was accepted, or sampling exceeded a limit: the key or the machine must be bad.
    Limit,
    /// A check has detected a fault.
    Fault,
}

impl From<SqueezeLimitError> for MlDsaSignError {
    fn from(SqueezeLimitError: SqueezeLimitError) -> Self {
        Self::Limit
    }
}

impl From<MlDsaRejection> for MlDsaSignError {
    fn from(_: MlDsaRejection) -> Self {
        Self::Fault
    }
}

/// Declassifies `flags`, and returns whether any bit is set. The bits are the results of checks
/// that can reject an attempt or detect a fault.
#[inline(always)]
pub fn declassified(flags: u32) -> bool {
    ct::declassify("signature: rejected", ct::barrier_u32(flags)) != 0
}

/// The purposes for which a signer uses y in an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskUse {
    /// The signer uses y to compute w.
    Commitment,
    /// The signer uses y to check the norm of z. The signers in `fast` and `sign_batch` do not call
    /// [`FaultHooks::mask`] for this use.
    Norm,
    /// The signer with little memory uses y to compute the z in the signature. The signers with
    /// more memory sample y again after the attempt, and compare both samples.
    Response,
}

/// Hooks between the steps in signing. By default, they do not do anything. Tests use them to
/// insert faults.
pub trait FaultHooks {
    /// Runs after the seed for y was computed.
    #[inline(always)]
    fn seed(&self, _seed: &mut [u8; SECRET_SEED_LEN]) {}
    /// Runs after A was sampled. Only the signer in `matrix_signer` calls this hook.
    #[inline(always)]
    fn matrix(&self, _matrix: &mut [u32]) {}
    /// Runs on a piece of y after the piece was sampled, or before the signer uses it again.
    #[inline(always)]
    fn mask(&self, _use: MaskUse, _column: usize, _piece: &mut [u32; PIECE]) {}
    /// Runs after a row of w was computed from its transform.
    #[inline(always)]
    fn row(&self, _r: usize, _row: &mut [u32]) {}
    /// Runs after c~ was computed.
    #[inline(always)]
    fn challenge(&self, _challenge: &mut [u8]) {}
    /// Runs after a product with the challenge was computed. On levels (instruction sets) that have
    /// assembly for rows (arrays of values), the signers in `low_memory` and `matrix_signer` call
    /// this hook before they compute the product. In this case, they pass the [extended
    /// factor](super::challenge::ExtendedFactor) instead of the product.
    #[inline(always)]
    fn product(&self, _product: &mut [u32]) {}
    /// Runs after a polynomial of z was packed.
    #[inline(always)]
    fn response(&self, _piece: &mut [u8]) {}
    /// Runs after the hint was encoded.
    #[inline(always)]
    fn hint(&self, _hint: &mut [u8]) {}
}

/// The hooks for normal use, which do not do anything.
pub struct NoFaults;

impl FaultHooks for NoFaults {}

/// A check that all polynomials in y were sampled. A polynomial must have a large coefficient, with
/// a magnitude of at least `gamma1 / 2`. A polynomial that was sampled has a large coefficient,
/// except with probability `2^-256`. A polynomial of zeros has no large coefficient.
#[derive(Clone, Copy)]
pub struct MaskSampledCheck {
    /// A check that detects a large coefficient in the current polynomial.
    has_large: BoundCheck,
    /// 1 if any finished polynomial had no large coefficient, which means that it was not sampled.
    /// Otherwise 0.
    not_sampled: u32,
}

impl MaskSampledCheck {
    /// Returns a check that does not include a polynomial yet.
    pub const fn new(p: &Parameters) -> Self {
        Self { has_large: BoundCheck::of(p.gamma1 / 2), not_sampled: 0 }
    }

    /// Includes values of the current polynomial. A call with many values is faster than several
    /// calls with few values.
    #[inline(always)]
    pub fn include(&mut self, values: &[u32]) {
        for y in values {
            self.has_large.include(y.cast_signed());
        }
    }

    /// Finishes the check of the current polynomial. The next call of [`Self::include`] starts the
    /// next polynomial.
    #[inline(always)]
    pub fn end(&mut self, p: &Parameters) {
        self.not_sampled |= self.has_large.bit() ^ 1;
        self.has_large = BoundCheck::of(p.gamma1 / 2);
    }

    /// Returns 1 if any polynomial was not sampled, or else 0.
    #[inline(always)]
    pub const fn not_sampled(&self) -> u32 {
        self.not_sampled
    }
}

/// The checksums over all polynomials in y, while the signer uses y for a single purpose. The
/// signer compares the checksums for all purposes ([`MaskUse`]).
#[derive(Clone, Copy)]
pub struct MaskChecksum {
    /// The purpose for which the signer uses y while it computes these checksums.
    pub mask_use: MaskUse,
    /// The sum of all coefficients, and the sum of all partial sums, which depends on the
    /// coefficients' order.
    sums: [u32; 2],
    sampled: MaskSampledCheck,
}

impl MaskChecksum {
    /// Returns checksums that do not include a polynomial yet.
    pub const fn new(mask_use: MaskUse, p: &Parameters) -> Self {
        Self { mask_use, sums: [0; 2], sampled: MaskSampledCheck::new(p) }
    }

    /// Includes a piece of a polynomial.
    #[inline(always)]
    pub fn include(&mut self, piece: &[u32; PIECE]) {
        let [mut sum, mut sums] = self.sums;
        for y in piece {
            sum = sum.wrapping_add(*y);
            sums = sums.wrapping_add(sum);
        }
        self.sums = [sum, sums];
        self.sampled.include(piece);
    }

    /// Finishes the current polynomial.
    #[inline(always)]
    pub fn end(&mut self, p: &Parameters) {
        self.sampled.end(p);
    }

    /// Returns a value that is not 0 if a polynomial in `self` was not sampled, or if the sums in
    /// `self` and `other` differ.
    #[inline(always)]
    pub fn differs(&self, other: &Self) -> u32 {
        (self.sums[0] ^ other.sums[0]) | (self.sums[1] ^ other.sums[1]) | self.sampled.not_sampled()
    }
}
