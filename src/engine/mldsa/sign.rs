//! Signing of mu (FIPS 204, algorithm 7) with an expanded private key. A signer makes attempts
//! until one is accepted.
//!
//! With little memory, the code does not keep a value if it can compute the value again
//! ([`super::low_memory`]). With more memory, it keeps the transform of the challenge, so that
//! products are faster, or it keeps all values ([`super::fast`]). While it works, the caller's
//! buffer for the signature contains secrets. If signing fails, then the buffer will be all zeros.
//!
//! # Faults
//!
//! If two signatures have different challenges for the same y, or if y is known, then an attacker
//! can compute the private key. Such signatures can still be valid. This is why it is not enough to
//! verify a signature ([`super::recheck`]), and there are more checks:
//!
//! - After signing, t0 and tr in the private key must still match rho, s1 and s2.
//! - After signing, the seed for y is computed again from the key, the randomness and mu, and
//!   compared.
//! - y is sampled again and compared. With little memory, y is sampled for w, for the norm of z and
//!   for z, and the checksums of these uses are compared. The fast way samples y again after the
//!   attempt, and compares all coefficients. This detects if y was skipped, repeated or truncated.
//! - If all coefficients in a polynomial of y are below half of gamma1 in magnitude, the code
//!   assumes that the polynomial was not sampled. In a sampled polynomial, all coefficients are
//!   this small with probability `2^-256`. In a polynomial that was not written, they always are.
//!
//! # Secrets
//!
//! All values are secret, except for the values that the code declassifies:
//!
//! - whether an attempt is rejected, and by which polynomial
//! - c~ for each attempt, which is the hash of a w1 that is not published
//! - z and the hint for the accepted attempt
//!
//! If a polynomial is too large, then the code still checks all of its coefficients before it
//! declassifies this.

use super::codec::ExpandedKeyParts;
use super::expand::Room;
use super::fast::FastSigner;
use super::import;
use super::low_memory::LowMemorySigner;
use super::params::{MU_LEN, MlDsaSet, N, RND_LEN, SECRET_SEED_LEN};
use super::store::CommitmentRows;
pub use super::trace::MlDsaSignError;
use super::trace::{FaultHooks, NoFaults, declassified};
use super::transforms::KeyTransforms;
use crate::engine::hash::shake::shake256_into;
use crate::simd::{SCRATCH_ALIGN, Scratch, Simd, ct};
use zeroize::Zeroize;

/// A request to sign mu.
#[derive(Clone, Copy)]
pub struct MuTask<'a> {
    /// The parameter set.
    pub set: MlDsaSet,
    /// The expanded private key, which must have been checked on import.
    pub expanded: &'a [u8],
    /// The hash of tr and the message.
    pub mu: &'a [u8; MU_LEN],
    /// Random bytes, or zeros for a deterministic signature.
    pub rnd: &'a [u8; RND_LEN],
}

/// Signs mu, and verifies the signature. Range: `signature` must have the length for the set, and
/// `work` must have at least [`MlDsaSet::sign_least_work_len`] bytes.
///
/// # Errors
/// Fails if there is no signature. In this case, `signature` will be all zeros.
#[inline(always)]
pub fn sign<S: Simd>(isa: S, task: &MuTask<'_>, signature: &mut [u8], work: Scratch<'_>) -> Result<(), MlDsaSignError> {
    sign_with(isa, task, &NoFaults, signature, work)
}

/// Works like [`sign`], with the transforms of the key: the [`MlDsaSet::transforms_len`] values
/// that [`KeyTransforms::new`] wrote. `work` must have [`MlDsaSet::sign_kept_work_len`] bytes.
///
/// # Errors
/// Fails if there is no signature. In this case, `signature` will be all zeros.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn sign_kept<S: Simd>(
    isa: S,
    task: &MuTask<'_>,
    transforms: &[u32],
    signature: &mut [u8],
    work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    let transforms = KeyTransforms::of(task.set, transforms);
    let p = task.set.parameters();
    guarded(
        isa,
        task,
        &NoFaults,
        signature,
        #[inline(always)]
        |key, seed, signature| {
            FastSigner { p, key, transforms, mu: task.mu, seed, between: &NoFaults }.run(isa, signature, work)
        },
    )
}

/// Works like [`sign`], with hooks between the steps.
#[inline(always)]
pub fn sign_with<S: Simd, B: FaultHooks>(
    isa: S,
    task: &MuTask<'_>,
    between: &B,
    signature: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    let set = task.set;
    let p = set.parameters();
    guarded(
        isa,
        task,
        between,
        signature,
        #[inline(always)]
        |key, seed, signature| {
            if work.len() >= set.sign_fast_work_len() - SCRATCH_ALIGN {
                let values = work.take(KeyTransforms::len(p));
                let transforms =
                    KeyTransforms::new(isa, set, &key, values, &mut Room::take(&mut work.fork(), Room::LEN))?;
                return FastSigner { p, key, transforms, mu: task.mu, seed, between }.run(isa, signature, work);
            }
            let memory = work.take::<u32>(N + CommitmentRows::back_len(p) / 4);
            let transformed = work.take(if work.len() >= 4 * N { N } else { 0 });
            LowMemorySigner { p, key, mu: task.mu, seed, between }.run(isa, signature, memory, transformed)?;
            import::check(isa, set, task.expanded, Scratch::within(memory)).map_err(|_| MlDsaSignError::Fault)?;
            Ok(())
        },
    )
}

/// Calls `sign` with the key and the seed for y to make a signature. Then computes the seed again
/// and compares the two seeds. If there is no signature, writes zeros to `signature`.
#[inline(always)]
fn guarded<S: Simd, B: FaultHooks>(
    isa: S,
    task: &MuTask<'_>,
    between: &B,
    signature: &mut [u8],
    sign: impl FnOnce(ExpandedKeyParts<'_>, &[u8; SECRET_SEED_LEN], &mut [u8]) -> Result<(), MlDsaSignError>,
) -> Result<(), MlDsaSignError> {
    let mut result = Err(MlDsaSignError::Length);
    if let Some(key) = ExpandedKeyParts::new(task.set, task.expanded) {
        let mut rho = *key.rho;
        ct::declassify_row("public key", &mut rho);
        let key = ExpandedKeyParts { rho: &rho, ..key };
        let mut seed = [0; SECRET_SEED_LEN];
        let mut again = [0; SECRET_SEED_LEN];
        shake256_into(isa, &[key.key, task.rnd, task.mu], &mut seed);
        between.seed(&mut seed);
        result = sign(key, &seed, &mut *signature);
        shake256_into(isa, &[key.key, task.rnd, task.mu], &mut again);
        let mut differs = 0;
        for (a, b) in seed.iter().zip(again) {
            differs |= u32::from(a ^ b);
        }
        if declassified(differs) {
            result = Err(MlDsaSignError::Fault);
        }
        seed.zeroize();
        again.zeroize();
    }
    if result.is_err() {
        signature.fill(0);
    }
    result
}
