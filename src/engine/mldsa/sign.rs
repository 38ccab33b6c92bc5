//! Signs mu, which is the hash of tr (the public key's hash) and the message (FIPS 204, algorithm
//! 7). The private key is an expanded key in the encoding of FIPS 204 ([`sign`]), a seed
//! ([`sign_seed`]), or transforms that the caller keeps for many signatures (`sign_kept`). A signer
//! makes attempts until it accepts an attempt.
//!
//! With little memory, the code does not keep a value if it can compute the value again
//! ([`super::low_memory`]). With more memory, it keeps the challenge's transform, so that products
//! take less time. With still more memory, it keeps A, w, y and z ([`super::matrix_signer`]). With
//! the most memory, it keeps all values ([`super::fast`]). During signing, the caller's buffer for
//! the signature contains secrets. If signing fails, then the code fills the buffer with zeros.
//!
//! # Faults
//!
//! If two signatures have different challenges for the same y, or if y is known, then an attacker
//! can compute the private key. Such signatures can still be valid, so verifying a new signature
//! ([`super::recheck`]) is not enough. The code makes these additional checks:
//!
//! - t0 and tr in the private key must match rho, s1 and s2.
//!   - With all values in memory, the code checks t0 when it computes the key's transforms, and tr
//!     after the accepted attempt. A checksum and the verification then detect whether the
//!     transforms have changed ([`super::transforms`]).
//!   - With less memory, the code checks t0 and tr together with the new signature
//!     ([`super::recheck`]).
//!   - A seed contains no t0 and no tr. The code checks the tr that was computed when the seed was
//!     loaded.
//!   - If the caller keeps the transforms, then the checks were made when the transforms were
//!     computed.
//! - After signing, the seed for y is computed again from the key, the randomness and mu, and the
//!   code compares both seeds.
//! - y is sampled again, and compared with the earlier y. With little memory, the code uses y three
//!   times: to compute w, to check the norm of z, and to write z. It computes a checksum for each
//!   use, and compares the checksums. With y in memory, y is sampled again after the accepted
//!   attempt, and all coefficients are compared. These checks detect whether the code has skipped,
//!   repeated or truncated y.
//! - If all coefficients in a polynomial of y are below half of gamma1 in magnitude, the code
//!   assumes that the polynomial was not sampled. If the polynomial was sampled, the probability of
//!   such small coefficients is `2^-256`. This check detects, for example, a polynomial of zeros.
//!
//! # Secrets
//!
//! All values are secret, except for these values, which the code declassifies:
//!
//! - whether an attempt is rejected, and which check of which polynomial causes the rejection
//! - whether a check for faults has failed
//! - c~ for each attempt: c~ is a hash of w1, and w1 is never published if the attempt is rejected
//! - z and the hint for the accepted attempt
//!
//! If a coefficient is too large, the code still checks all other coefficients in the polynomial
//! before it declassifies the rejection.

use super::codec::ExpandedKeyParts;
use super::fast::{AttemptMemory, FastSigner, UncheckedPublicKey};
use super::keygen::KeySeeds;
use super::low_memory::LowMemorySigner;
#[cfg(feature = "alloc")]
use super::params::K_LEN;
use super::params::{MU_LEN, MlDsaSet, N, RND_LEN, SECRET_SEED_LEN, TR_LEN, XI_LEN};
use super::recheck::RECHECK_WORK;
use super::store::{CommitmentRows, KeptRows};
pub use super::trace::MlDsaSignError;
use super::trace::{FaultHooks, NoFaults, declassified};
use super::transforms::{KeyTransforms, SignerKeyParts};
use crate::engine::hash::shake::shake256_into;
use crate::engine::hash::sponges::{pad, padded_len};
use crate::simd::{SCRATCH_ALIGN, Scratch, Simd};
use zeroize::Zeroize;

/// A request to sign mu.
#[derive(Clone, Copy)]
pub struct MuTask<'a> {
    /// The parameter set.
    pub set: MlDsaSet,
    /// The expanded private key, which must have been checked on import.
    pub expanded: &'a [u8],
    /// mu, the hash of tr and the message.
    pub mu: &'a [u8; MU_LEN],
    /// Random bytes, or zeros for a deterministic signature.
    pub rnd: &'a [u8; RND_LEN],
}

/// A request to sign mu with a seed.
#[derive(Clone, Copy)]
pub struct SeedTask<'a> {
    /// The parameter set.
    pub set: MlDsaSet,
    /// xi, the seed for the key pair.
    pub xi: &'a [u8; XI_LEN],
    /// tr, the hash of the public key. It was computed when the seed was loaded.
    pub tr: &'a [u8; TR_LEN],
    /// mu, the hash of tr and the message.
    pub mu: &'a [u8; MU_LEN],
    /// Random bytes, or zeros for a deterministic signature.
    pub rnd: &'a [u8; RND_LEN],
}

/// A request to sign mu with transforms of a key that the caller keeps for many signatures.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
pub struct KeptTask<'a> {
    /// The parameter set.
    pub set: MlDsaSet,
    /// The key's transforms, which [`KeyTransforms::write`] wrote. They have
    /// [`MlDsaSet::transforms_len`] values.
    pub transforms: &'a [u32],
    /// K, the secret input to the seed for y.
    pub key: &'a [u8; K_LEN],
    /// mu, the hash of tr and the message.
    pub mu: &'a [u8; MU_LEN],
    /// Random bytes, or zeros for a deterministic signature.
    pub rnd: &'a [u8; RND_LEN],
}

/// Signs mu, and verifies the signature. `signature` must have the length for the parameter set,
/// and `work` must have at least [`MlDsaSet::sign_least_work_len`] bytes. With more bytes, signing
/// takes less time.
///
/// # Errors
/// Fails if the expanded key has the wrong length, if a limit is exceeded, or if a check detects a
/// fault. In these cases, `signature` will be all zeros.
#[inline(always)]
pub fn sign<S: Simd>(isa: S, task: &MuTask<'_>, signature: &mut [u8], work: Scratch<'_>) -> Result<(), MlDsaSignError> {
    sign_with(isa, task, &NoFaults, signature, work)
}

/// Works like [`sign`], with a seed. The code expands the seed directly to the transforms, so it
/// samples A only once. `work` must have [`MlDsaSet::sign_fast_work_len`] bytes.
///
/// # Errors
/// Fails if a limit is exceeded, or if a check detects a fault. In these cases, `signature` will be
/// all zeros.
#[inline(always)]
pub fn sign_seed<S: Simd>(
    isa: S,
    task: &SeedTask<'_>,
    signature: &mut [u8],
    work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    sign_seed_with(isa, task, &NoFaults, signature, work)
}

/// Works like [`sign_seed`], with hooks for fault tests between the steps.
#[inline(always)]
pub fn sign_seed_with<S: Simd, B: FaultHooks>(
    isa: S,
    task: &SeedTask<'_>,
    hooks: &B,
    signature: &mut [u8],
    work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    let &SeedTask { set, xi, tr, mu, rnd } = task;
    let seeds = KeySeeds::new(isa, set, xi);
    let key = SignerKeyParts::of_seeds(&seeds);
    sign_with_seed_check(
        isa,
        [key.key, rnd, mu],
        hooks,
        signature,
        #[inline(always)]
        |seed, signature| FastTask { set, key: &key, tr, mu, seed, hooks }.run(isa, signature, work),
    )
}

/// Works like [`sign`], with the transforms of the key, which [`KeyTransforms::write`] has checked.
/// `work` must have [`MlDsaSet::sign_kept_work_len`] bytes.
///
/// # Errors
/// Fails if the slice of the transforms has the wrong length, if a limit is exceeded, or if a check
/// detects a fault. In these cases, `signature` will be all zeros.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn sign_kept<S: Simd>(
    isa: S,
    task: &KeptTask<'_>,
    signature: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    let &KeptTask { set, transforms, key, mu, rnd } = task;
    let p = set.parameters();
    sign_with_seed_check(
        isa,
        [key, rnd, mu],
        &NoFaults,
        signature,
        #[inline(always)]
        |seed, signature| {
            let transforms = KeyTransforms::of(p, transforms).ok_or(MlDsaSignError::Length)?;
            let signer = FastSigner { p, transforms, unchecked: None, mu, seed, hooks: &NoFaults };
            signer.run(isa, signature, &mut AttemptMemory::take(p, &mut work))
        },
    )
}

/// Works like [`sign`], with hooks for fault tests between the steps.
#[inline(always)]
pub fn sign_with<S: Simd, B: FaultHooks>(
    isa: S,
    task: &MuTask<'_>,
    hooks: &B,
    signature: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    let &MuTask { set, expanded, mu, rnd } = task;
    let p = set.parameters();
    let Some(parts) = ExpandedKeyParts::new(set, expanded) else {
        signature.fill(0);
        return Err(MlDsaSignError::Length);
    };
    let key = SignerKeyParts::of_expanded(parts);
    let tr = parts.tr;
    let packed = ExpandedKeyParts { rho: &key.rho, ..parts };
    sign_with_seed_check(
        isa,
        [key.key, rnd, mu],
        hooks,
        signature,
        #[inline(always)]
        |seed, signature| {
            if work.len() >= set.sign_fast_work_len() - SCRATCH_ALIGN {
                return FastTask { set, key: &key, tr, mu, seed, hooks }.run(isa, signature, work);
            }
            let signer = LowMemorySigner { p, key: packed, mu, seed, hooks };
            // A machine with vectors has enough memory for `FastTask`. Without the condition for
            // `LANES_U32`, the compiler would also compile the code for the matrix for each level
            // that has vectors.
            if S::LANES_U32 == 1 && work.len() >= set.sign_matrix_work_len() - SCRATCH_ALIGN {
                let memory = work.take(RECHECK_WORK);
                let kept = KeptRows::take(p, &mut work);
                return signer.run_with_matrix(isa, signature, memory, kept);
            }
            let memory = work.take::<u32>(N + CommitmentRows::extra_len(p) / 4);
            let transformed = work.take(if work.len() >= 4 * N { N } else { 0 });
            signer.run(isa, signature, memory, transformed)
        },
    )
}

/// The input to sign with all values in memory. [`Self::run`] computes the transforms of the key.
struct FastTask<'a, B> {
    set: MlDsaSet,
    key: &'a SignerKeyParts<'a>,
    /// tr, the expected hash of the public key.
    tr: &'a [u8; TR_LEN],
    mu: &'a [u8; MU_LEN],
    /// The seed for y.
    seed: &'a [u8; SECRET_SEED_LEN],
    hooks: &'a B,
}

impl<B: FaultHooks> FastTask<'_, B> {
    /// Computes the transforms of the key, and signs. `work` must have
    /// [`MlDsaSet::sign_fast_work_len`] bytes.
    #[inline(always)]
    fn run<S: Simd>(&self, isa: S, signature: &mut [u8], mut work: Scratch<'_>) -> Result<(), MlDsaSignError> {
        let &Self { set, key, tr, mu, seed, hooks } = self;
        let p = set.parameters();
        let values = work.take(KeyTransforms::len(p));
        let mut memory = AttemptMemory::take(p, &mut work);
        // This memory is allocated last, because its length is not a multiple of the vector length.
        let padded = work.take(padded_len(p.public_len()));
        let transforms = KeyTransforms::new(isa, p, key, values, padded, &mut memory.sponge_memory)?;
        pad(padded, p.public_len());
        let unchecked = Some(UncheckedPublicKey { padded, tr });
        FastSigner { p, transforms, unchecked, mu, seed, hooks }.run(isa, signature, &mut memory)
    }
}

/// Computes the seed for y from `inputs` (K, the random bytes, and mu), and calls `sign` with this
/// seed and `signature`. Then computes the seed again and compares the two seeds. If `sign` fails
/// or the seeds differ, writes zeros to `signature` and returns an error.
#[inline(always)]
fn sign_with_seed_check<S: Simd, B: FaultHooks>(
    isa: S,
    inputs: [&[u8]; 3],
    hooks: &B,
    signature: &mut [u8],
    sign: impl FnOnce(&[u8; SECRET_SEED_LEN], &mut [u8]) -> Result<(), MlDsaSignError>,
) -> Result<(), MlDsaSignError> {
    let mut seed = [0; SECRET_SEED_LEN];
    let mut seed_again = [0; SECRET_SEED_LEN];
    shake256_into(isa, &inputs, &mut seed);
    hooks.seed(&mut seed);
    let mut result = sign(&seed, &mut *signature);
    shake256_into(isa, &inputs, &mut seed_again);
    let mut differs = 0;
    for (a, b) in seed.iter().zip(seed_again) {
        differs |= u32::from(a ^ b);
    }
    if declassified(differs) {
        result = Err(MlDsaSignError::Fault);
    }
    seed.zeroize();
    seed_again.zeroize();
    if result.is_err() {
        signature.fill(0);
    }
    result
}
