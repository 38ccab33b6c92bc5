//! Calls the engine to verify with ML-DSA: detects the parameter set from the length, and selects
//! the code for the level (the instruction set).

use super::{KeyError, VerifyError};
#[cfg(feature = "alloc")]
use crate::engine::hash::message::MU_LEN;
#[cfg(feature = "alloc")]
use crate::engine::mldsa::kept_verification::{self, KeptVerification};
use crate::engine::mldsa::params::MlDsaSet;
use crate::engine::mldsa::sample::SqueezeLimitError;
use crate::engine::mldsa::verify::{MlDsaRejection, MuVerification, check_encoding, verify};
use crate::engine::verdict::Verified;
use crate::simd::{Level, Scratch, on_level};
#[cfg(feature = "alloc")]
use crate::simd::{MemoryLine, recast, view};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;

impl From<SqueezeLimitError> for KeyError {
    fn from(SqueezeLimitError: SqueezeLimitError) -> Self {
        Self::Limit
    }
}

/// Returns the parameter set of a key or signature from its length. `len` is the function that
/// returns the length for a parameter set.
pub(super) fn set_of_len(bytes: &[u8], len: fn(MlDsaSet) -> usize) -> Result<MlDsaSet, KeyError> {
    let found = bytes.len();
    let nearest_set = MlDsaSet::ALL.into_iter().min_by_key(|set| len(*set).abs_diff(found));
    let set = MlDsaSet::ALL.into_iter().find(|set| len(*set) == found);
    set.ok_or(KeyError::Length { expected: nearest_set.map_or(0, len), found })
}

/// Returns the parameter set of an encoded public key.
pub(super) fn public_set(bytes: &[u8]) -> Result<MlDsaSet, KeyError> {
    set_of_len(bytes, MlDsaSet::public_len)
}

/// A public key that is prepared for many verifications. It contains the transforms of A and t1.
#[cfg(feature = "alloc")]
#[derive(Clone)]
pub(super) struct KeptPublicKey {
    set: MlDsaSet,
    memory: Box<[MemoryLine]>,
}

#[cfg(feature = "alloc")]
impl KeptPublicKey {
    /// Prepares an encoded public key. The caller must check the length of `public` before this
    /// call.
    pub(super) fn new(level: Level, set: MlDsaSet, public: &[u8]) -> Self {
        let mut memory = MemoryLine::boxed(4 * set.public_transforms_len());
        let mut work = MemoryLine::boxed(kept_verification::WORK_LEN);
        let work = MemoryLine::bytes_mut(&mut work);
        let values = recast(MemoryLine::bytes_mut(&mut memory));
        let written = on_level!(level, |isa = integers| kept_verification::write_transforms(
            isa,
            set,
            public,
            values,
            Scratch::new(work)
        ));
        if let Err(SqueezeLimitError) = written {
            // `write_transforms` only fails on a machine that computes wrongly. With empty memory
            // instead of the transforms, a verification always returns NO.
            memory = MemoryLine::boxed(0);
        }
        Self { set, memory }
    }

    /// Returns the input for the engine's function that verifies a signature of `mu`.
    pub(super) fn verification<'a>(&'a self, mu: &'a [u8; MU_LEN], signature: &'a [u8]) -> KeptVerification<'a> {
        let bytes = MemoryLine::bytes(&self.memory);
        let (values, _) = view(bytes, bytes.len() / 4);
        KeptVerification { set: self.set, values, mu, signature }
    }

    /// Verifies a signature at a level, as [`verify_mu`] does. If `work` is shorter than
    /// [`MlDsaSet::verify_fast_work_len`], this function allocates the memory.
    pub(super) fn verify(
        &self,
        level: Level,
        mu: &[u8; MU_LEN],
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let verification = self.verification(mu, signature);
        let len = kept_verification::work_len(self.set.parameters());
        let mut allocated = MemoryLine::boxed(if work.len() < len { len } else { 0 });
        let work = if work.len() < len { MemoryLine::bytes_mut(&mut allocated) } else { work };
        let verdict = on_level!(level, |isa = integers| verification.verify(isa, Scratch::new(work)));
        verdict.map_err(|rejection| signature_error(rejection, self.set, signature))
    }
}

/// Checks a signature's length.
pub(super) fn check_signature_len(set: MlDsaSet, signature: &[u8]) -> Result<(), VerifyError> {
    let expected = set.signature_len();
    let found = signature.len();
    if expected == found { Ok(()) } else { Err(VerifyError::Length { expected, found }) }
}

/// Makes all checks of a signature that do not need a key, and returns the signature's parameter
/// set.
pub(super) fn read_signature(signature: &[u8]) -> Result<MlDsaSet, VerifyError> {
    let found = signature.len();
    let set = set_of_len(signature, MlDsaSet::signature_len).map_err(|rejection| match rejection {
        KeyError::Length { expected, .. } => VerifyError::Length { expected, found },
        _ => VerifyError::Encoding,
    })?;
    on_level!(Level::detect(), |isa = integers| check_encoding(isa, set, signature))
        .map_err(|rejection| signature_error(rejection, set, signature))?;
    Ok(set)
}

/// Verifies a signature at a level. The caller must check the work memory's length before this
/// call.
pub(super) fn verify_mu(level: Level, task: &MuVerification<'_>, work: &mut [u8]) -> Result<Verified, VerifyError> {
    let verdict = on_level!(level, |isa = integers| verify(isa, task, Scratch::new(work)));
    verdict.map_err(|rejection| signature_error(rejection, task.set, task.signature))
}

/// Returns the error for a signature that was rejected.
pub(super) fn signature_error(rejection: MlDsaRejection, set: MlDsaSet, signature: &[u8]) -> VerifyError {
    match rejection {
        MlDsaRejection::Length => VerifyError::Length { expected: set.signature_len(), found: signature.len() },
        MlDsaRejection::Hint | MlDsaRejection::Norm => VerifyError::Encoding,
        MlDsaRejection::Challenge | MlDsaRejection::Limit => VerifyError::Mismatch,
    }
}
