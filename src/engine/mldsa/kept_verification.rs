//! Verification with a public key whose transforms are kept for many signatures. Such a
//! verification does not sample the matrix A. In [`super::verify`], this sampling takes most of the
//! time.
//!
//! All values in this file are public.

use super::challenge::Challenge;
use super::codec::{PublicKeyParts, SignatureParts, unpack};
use super::expand::SpongeMemory;
use super::hint::EncodedHint;
use super::params::{D, MAX_CHALLENGE_LEN, MU_LEN, MlDsaSet, N, Parameters, Q, T1_BITS};
use super::public_transforms::{CommitmentMemory, ParsedSignature, PublicTransforms, commitment_len};
use super::sample::SqueezeLimitError;
use super::verify::{MlDsaRejection, decide};
use crate::engine::hash::sponges::{PaddedInput, padded_len};
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::engine::verdict::Verified;
use crate::simd::{SCRATCH_ALIGN, Scratch, Simd, frame};

/// The work memory that [`write_transforms`] needs, in bytes.
pub const WORK_LEN: usize = SCRATCH_ALIGN + SpongeMemory::LEN;

/// Returns how much work memory [`KeptVerification::verify`] needs, in bytes.
pub const fn work_len(p: &Parameters) -> usize {
    SCRATCH_ALIGN + 4 * N * (p.l + 3) + padded_len(commitment_len(p))
}

/// Writes an encoded public key's transforms to `values`. The caller keeps them to verify many
/// signatures. Allocates [`WORK_LEN`] bytes in `work`. `values` must have [`PublicTransforms::len`]
/// values.
///
/// # Errors
/// Fails if sampling A needs more bytes than FIPS 204 allows, or if `public` has the wrong length
/// for the parameter set.
#[inline(always)]
pub fn write_transforms<S: Simd>(
    isa: S,
    set: MlDsaSet,
    public: &[u8],
    values: &mut [u32],
    mut work: Scratch<'_>,
) -> Result<(), SqueezeLimitError> {
    let p = set.parameters();
    let key = PublicKeyParts::new(set, public).ok_or(SqueezeLimitError)?;
    let (matrix, t1_rows) = values.split_at_mut(N * p.k * p.l);
    PublicTransforms::sample_matrix(isa, p, key.rho, matrix, &mut SpongeMemory::take(&mut work, SpongeMemory::LEN))?;
    for (r, row) in t1_rows.chunks_exact_mut(N).enumerate() {
        unpack(isa, T1_BITS, key.row(r), row);
        for x in &mut *row {
            *x <<= D;
        }
        short::ntt(isa, &ML_DSA_SHORT, row);
    }
    Ok(())
}

/// The input to a verification with a transformed public key.
#[derive(Clone, Copy)]
pub struct KeptVerification<'a> {
    /// The parameter set.
    pub set: MlDsaSet,
    /// The public key's transforms, which [`write_transforms`] wrote.
    pub values: &'a [u32],
    /// mu, the hash of tr (the public key's hash) and the message.
    pub mu: &'a [u8; MU_LEN],
    /// The encoded signature.
    pub signature: &'a [u8],
}

impl<'a> KeptVerification<'a> {
    /// Parses the input. Returns the transformed public key, the signature's parts, and the hint.
    ///
    /// # Errors
    /// Returns `Length` or `Hint` if the signature's encoding is not valid. Returns `Limit` if
    /// `values` has the wrong length: the API passes an empty slice if sampling in
    /// [`write_transforms`] exceeded the limit.
    #[inline(always)]
    pub fn parse(&self) -> Result<(PublicTransforms<'a>, SignatureParts<'a>, EncodedHint<'a>), MlDsaRejection> {
        let p = self.set.parameters();
        let key = PublicTransforms::of(p, self.values).ok_or(MlDsaRejection::Limit)?;
        let parts = SignatureParts::new(self.set, self.signature).ok_or(MlDsaRejection::Length)?;
        let hint = EncodedHint::new(p, parts.hint).ok_or(MlDsaRejection::Hint)?;
        Ok((key, parts, hint))
    }

    /// Verifies the signature. `work` must have at least [`work_len`] bytes.
    ///
    /// # Errors
    /// Returns the reason why the signature was rejected.
    #[inline(never)]
    pub fn verify<S: Simd>(&self, isa: S, mut work: Scratch<'_>) -> Result<Verified, MlDsaRejection> {
        frame!(isa, {
            let p = self.set.parameters();
            let (key, parts, hint) = self.parse()?;
            let parsed = ParsedSignature { parts, hint };
            let mut memory = CommitmentMemory {
                z: work.take(N * p.l),
                minus_c: work.take(N),
                row: work.take(N),
                fields: work.take(N),
                hashed: work.take(padded_len(commitment_len(p))),
            };
            Challenge::sample_transform_into(isa, p, parts.challenge, Q - 1, memory.minus_c)?;
            let largest = key.commitment_into(isa, self.mu, &parsed, &mut memory)?;
            let mut computed = [0; MAX_CHALLENGE_LEN];
            let computed = &mut computed[..p.challenge_len];
            PaddedInput { blocks: memory.hashed, hash: &mut *computed }.hash(isa);
            decide(p, largest, computed, parts.challenge)
        })
    }
}
