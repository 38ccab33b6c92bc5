//! Signing of mu (FIPS 204, algorithm 7), in attempts, from an expanded private key.
//!
//! In little memory nothing is kept that can be made again ([`super::lean`]); more memory keeps the challenge's transform,
//! which makes products faster, or everything ([`super::quick`]). The caller's signature has secrets in it while the
//! operation works, and is all zeros when it fails.
//!
//! # Faults
//!
//! A signature with two challenges for one y gives the key away, and so does one whose y is known. A signature that
//! verifies can be both, so beside its verification ([`super::recheck`]):
//!
//! - t0 and tr of the private key have to follow from its rho, s1 and s2 still, when all is done;
//! - the seed of y is computed again from key, randomness and mu when all is done, and compared;
//! - y is drawn two or three times (for w, for the norm of z, for z), and checksums of its uses are compared: a y that was
//!   skipped, repeated or cut in one of them is seen;
//! - a y in which all coefficients of a polynomial are below half of gamma1 is none that was drawn: that happens with
//!   probability `2^-256`, and with a stream that was not written always.
//!
//! # Secrets
//!
//! All is secret but what is told: whether an attempt is rejected, and by which polynomial; c~ of an attempt, a hash of
//! a w1 that is not sent; z and the hint of the attempt that is accepted. The rest of a polynomial is looked at before it
//! is told that it is too large.

use super::codec::SecretParts;
use super::expand::Room;
use super::import;
use super::lean::Lean;
use super::params::{MU_LEN, N, RND_LEN, SECRET_SEED_LEN, Set};
use super::quick::Quick;
use super::store::Store;
pub use super::trace::Unsigned;
use super::trace::{Between, Nothing, is_told};
use super::transforms::Transforms;
use crate::engine::hash::shake::shake256_into;
use crate::simd::{SCRATCH_ALIGN, Scratch, Simd, ct};
use zeroize::Zeroize;

/// A signature of mu to be made.
#[derive(Clone, Copy)]
pub struct MuTask<'a> {
    /// The parameter set.
    pub set: Set,
    /// The expanded private key, checked on import.
    pub expanded: &'a [u8],
    /// The hash of tr and the message.
    pub mu: &'a [u8; MU_LEN],
    /// Random bytes, or zeros for a deterministic signature.
    pub rnd: &'a [u8; RND_LEN],
}

/// Signs, and verifies the signature. Range: `signature` has the length of the set. Takes [`Set::sign_work_len`] bytes of
/// `work`, or more.
///
/// # Errors
/// There is no signature; it is all zeros then.
#[inline(always)]
pub fn sign<S: Simd>(isa: S, task: &MuTask<'_>, signature: &mut [u8], work: Scratch<'_>) -> Result<(), Unsigned> {
    sign_with(isa, task, &Nothing, signature, work)
}

/// [`sign`] with the transforms of the key: [`Set::transforms_len`] values that [`Transforms::new`] wrote. Takes
/// [`Set::sign_kept_work_len`] bytes of `work`.
///
/// # Errors
/// There is no signature; it is all zeros then.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn sign_kept<S: Simd>(
    isa: S,
    task: &MuTask<'_>,
    transforms: &[u32],
    signature: &mut [u8],
    work: Scratch<'_>,
) -> Result<(), Unsigned> {
    let transforms = Transforms::of(task.set, transforms);
    let p = task.set.parameters();
    guarded(
        isa,
        task,
        &Nothing,
        signature,
        #[inline(always)]
        |key, seed, signature| {
            Quick { p, key, transforms, mu: task.mu, seed, between: &Nothing }.run(isa, signature, work)
        },
    )
}

/// [`sign`], with something that happens between the steps.
#[inline(always)]
pub fn sign_with<S: Simd, B: Between>(
    isa: S,
    task: &MuTask<'_>,
    between: &B,
    signature: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), Unsigned> {
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
                let values = work.take(Transforms::len(p));
                let transforms = Transforms::new(isa, set, &key, values, &mut Room::take(&mut work.fork(), Room::LEN))?;
                return Quick { p, key, transforms, mu: task.mu, seed, between }.run(isa, signature, work);
            }
            let memory = work.take::<u32>(N + Store::back_len(p) / 4);
            let transformed = work.take(if work.len() >= 4 * N { N } else { 0 });
            Lean { p, key, mu: task.mu, seed, between }.run(isa, signature, memory, transformed)?;
            import::check(isa, set, task.expanded, Scratch::within(memory)).map_err(|_| Unsigned::Fault)?;
            Ok(())
        },
    )
}

/// Makes a signature by `sign` from the key and the seed of y. The seed is computed again when all is done, and compared;
/// where there is no signature, there are zeros.
#[inline(always)]
fn guarded<S: Simd, B: Between>(
    isa: S,
    task: &MuTask<'_>,
    between: &B,
    signature: &mut [u8],
    sign: impl FnOnce(SecretParts<'_>, &[u8; SECRET_SEED_LEN], &mut [u8]) -> Result<(), Unsigned>,
) -> Result<(), Unsigned> {
    let mut result = Err(Unsigned::Length);
    if let Some(key) = SecretParts::new(task.set, task.expanded) {
        let mut rho = *key.rho;
        ct::declassify_row("public key", &mut rho);
        let key = SecretParts { rho: &rho, ..key };
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
        if is_told(differs) {
            result = Err(Unsigned::Fault);
        }
        seed.zeroize();
        again.zeroize();
    }
    if result.is_err() {
        signature.fill(0);
    }
    result
}
