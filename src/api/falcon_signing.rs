//! Calls the engine to sign, and to generate, check and convert private keys, in the Falcon family.
//! This module selects the code for the level (the instruction set), wipes the memory, and converts
//! errors. The callers check the lengths of buffers.

use super::falcon::key_algorithm;
#[cfg(feature = "alloc")]
use super::wiping_falcon_batch;
use super::{KeyError, wiping_falcon_expanded, wiping_falcon_key, wiping_falcon_keygen, wiping_falcon_sign};
use crate::engine::falcon::basis::KeyWithBasis;
use crate::engine::falcon::codec::{PrivateKeyParts, private_parts};
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::falcon::import::{
    KeyPairOutput, PrivateKeyDefect, check, generate_into, public_row_into, recode_private,
};
use crate::engine::falcon::keygen::{KeySearch, NoCandidateError, SequentialSearch};
use crate::engine::falcon::params::{KEYGEN_SEED_LEN, SIGNING_KEY_HEADER};
use crate::engine::falcon::public_key::{encode_public, to_public_form};
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme};
use crate::engine::falcon::sign::{FalconSignError, LatticeKey, PreparedLatticeKey, SigningTask, sign};
#[cfg(feature = "alloc")]
use crate::engine::falcon::sign_batch::{BatchTask, sign_batch};
use crate::engine::hash::message::KEY_HASH_LEN;
use crate::simd::{Level, Scratch, Simd, ct, on_level};

/// Returns the algorithm of an encoded private key. This function only checks the first byte and
/// the length.
pub(super) fn private_algorithm(scheme: FalconScheme, bytes: &[u8]) -> Result<FalconAlgorithm, KeyError> {
    key_algorithm(scheme, bytes, SIGNING_KEY_HEADER, FalconAlgorithm::signing_key_len)
}

/// Checks an encoded private key in full, and returns the hash of its public key. The caller must
/// check the lengths of `bytes` and `work` before this call.
pub(super) fn check_private(
    level: Level,
    algorithm: FalconAlgorithm,
    bytes: &[u8],
    work: &mut [u8],
) -> Result<[u8; KEY_HASH_LEN], KeyError> {
    let parts = private_parts(algorithm, bytes);
    let checked =
        wiping_falcon_key(level, work, |work| on_level!(level, |isa| check(isa, algorithm, parts, Scratch::new(work))));
    checked.map_err(|defect| match defect {
        PrivateKeyDefect::Coefficient => KeyError::Coefficient,
        PrivateKeyDefect::NotInvertible => KeyError::NotInvertible,
        PrivateKeyDefect::Equation => KeyError::Equation,
        PrivateKeyDefect::Norm => KeyError::Norm,
        PrivateKeyDefect::OrthogonalNorm => KeyError::OrthogonalNorm,
        PrivateKeyDefect::KeyHash => KeyError::KeyHash,
    })
}

/// Writes the public key for a private key that was checked. The caller must check the lengths of
/// `out` and `work` before this call.
pub(super) fn public_into(
    level: Level,
    algorithm: FalconAlgorithm,
    parts: PrivateKeyParts<'_>,
    out: &mut [u8],
    work: &mut [u8],
) {
    let degree = algorithm.degree();
    wiping_falcon_key(level, work, |work| {
        on_level!(level, |isa = integers| {
            let mut work = Scratch::new(work);
            let h = work.take::<u16>(degree.n());
            let tmp = work.take::<u16>(degree.n());
            let _error_ruled_out_by_import = public_row_into(isa, degree.logn(), parts, h, tmp);
            to_public_form(isa, algorithm, h);
            encode_public(algorithm, h, out);
        });
    });
}

/// Encodes f, g and F from a checked private key as a private key for the algorithm `to`. After
/// this call, the caller must check the new key. The caller must check the lengths of `out` and
/// `work` before this call.
pub(super) fn recode_private_into(
    level: Level,
    parts: PrivateKeyParts<'_>,
    to: FalconAlgorithm,
    out: &mut [u8],
    work: &mut [u8],
) {
    wiping_falcon_key(level, work, |work| {
        on_level!(level, |isa = integers| recode_private(isa, parts, to, &mut *out, Scratch::new(work)));
    });
}

/// A search for a key, with a function that wipes the memory and the stack after the search.
pub(super) trait WipedSearch: KeySearch {
    /// Runs `f` with the work memory, and then wipes the memory and the stack.
    fn wiping<R>(level: Level, work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R;

    /// Calls [`generate_at_level`]. This function has no type parameters, so it is compiled only in
    /// the library. A generic function would be compiled again in each crate that uses the library.
    fn generate(self, level: Level, task: KeygenTask<'_>, work: &mut [u8]) -> Result<(), NoCandidateError>;
}

impl WipedSearch for SequentialSearch {
    fn wiping<R>(level: Level, work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R {
        wiping_falcon_keygen(level, work, f)
    }

    fn generate(self, level: Level, task: KeygenTask<'_>, work: &mut [u8]) -> Result<(), NoCandidateError> {
        generate_at_level(level, self, task, work)
    }
}

/// The input and the output of key generation.
pub(super) struct KeygenTask<'w> {
    pub(super) algorithm: FalconAlgorithm,
    pub(super) seed: &'w [u8; KEYGEN_SEED_LEN],
    pub(super) pair: KeyPairOutput<'w, 'w>,
    /// The caller's buffer for the public key's hash. If functions returned the hash by value, the
    /// stack frames during key generation would contain several copies of the hash.
    pub(super) key_hash: &'w mut [u8; KEY_HASH_LEN],
}

/// Generates a key pair at a level, and wipes the work memory and the stack. The caller must check
/// the lengths of the outputs and of `work` before this call.
pub(super) fn generate_at_level<K: WipedSearch>(
    level: Level,
    search: K,
    task: KeygenTask<'_>,
    work: &mut [u8],
) -> Result<(), NoCandidateError> {
    /// Calls the engine. The arguments are in one [`KeygenTask`] that is passed by reference,
    /// because each function between here and the engine has a copy of its arguments on the stack.
    #[inline(always)]
    fn call_engine<S: Simd>(
        isa: S,
        search: impl KeySearch,
        task: &mut KeygenTask<'_>,
        work: &mut [u8],
    ) -> Result<(), NoCandidateError> {
        let KeygenTask { algorithm, seed, pair, key_hash } = task;
        **key_hash = generate_into(isa, *algorithm, search, seed, pair, work)?;
        Ok(())
    }
    let KeygenTask { algorithm, seed, pair: KeyPairOutput { signing_key, verifying_key }, key_hash } = task;
    // The private key in this memory is wiped unless it is complete.
    let wiped_output = ct::WipedMemory(signing_key);
    let pair = KeyPairOutput { signing_key: &mut *wiped_output.0, verifying_key };
    let task = &mut KeygenTask { algorithm, seed, pair, key_hash };
    K::wiping(level, work, |work| on_level!(level, |isa = keygen| call_engine(isa, search, task, work)))?;
    wiped_output.keep();
    Ok(())
}

/// Signs a message at a level, and wipes the work memory and the stack. The caller must check the
/// lengths of `signature` and `work` before this call.
pub(super) fn sign_at_level<K: LatticeKey>(
    level: Level,
    task: &SigningTask<'_, K>,
    signature: &mut [u8],
    work: &mut [u8],
) -> Result<(), FalconSignError> {
    /// Calls the engine, with all arguments in one task, as in `generate_at_level`.
    #[inline(always)]
    fn call_engine<S: Simd, K: LatticeKey>(
        isa: S,
        task: &SigningTask<'_, K>,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), FalconSignError> {
        sign(isa, task, signature, Scratch::new(work))
    }
    // `signature` is wiped unless the new signature was verified.
    let wiped_signature = ct::WipedMemory(signature);
    let signature = &mut *wiped_signature.0;
    let run = |work: &mut [u8]| on_level!(level, |isa| call_engine(isa, task, signature, work));
    if K::IS_EXPANDED {
        wiping_falcon_expanded(level, work, run)?
    } else {
        wiping_falcon_sign(level, work, run)?
    }
    wiped_signature.keep();
    Ok(())
}

/// A private key that is prepared for many signatures. Its function `sign` has no type parameters,
/// so it is compiled once in the library, and not again in each crate that uses the library.
pub(super) trait LevelSigningKey: PreparedLatticeKey + Sized {
    /// Calls [`sign_at_level`].
    fn sign(
        level: Level,
        task: &SigningTask<'_, Self>,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), FalconSignError>;
}

macro_rules! signing_key_at_level {
    ($($key:ident),+) => { $(
        impl LevelSigningKey for $key<'_> {
            fn sign(
                level: Level,
                task: &SigningTask<'_, Self>,
                signature: &mut [u8],
                work: &mut [u8],
            ) -> Result<(), FalconSignError> {
                sign_at_level(level, task, signature, work)
            }
        }
    )+ };
}

signing_key_at_level!(ExpandedPrivateKey, KeyWithBasis);

/// Signs several messages at a level, and wipes the work memory and the stack. The caller must
/// check the lengths of `signatures` and `work` before this call.
#[cfg(feature = "alloc")]
pub(super) fn sign_batch_at_level(
    level: Level,
    task: &BatchTask<'_, ExpandedPrivateKey<'_>>,
    signatures: &mut [u8],
    work: &mut [u8],
) -> Result<(), FalconSignError> {
    // `signatures` is wiped unless all new signatures were verified.
    let wiped_signatures = ct::WipedMemory(signatures);
    let signatures = &mut *wiped_signatures.0;
    wiping_falcon_batch(level, work, |work| {
        on_level!(level, |isa| sign_batch(isa, task, signatures, Scratch::new(work)))
    })?;
    wiped_signatures.keep();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::falcon::params::{Degree, SIGN_SEED_LEN};
    use crate::engine::falcon::point::HashedPoint;
    use crate::engine::falcon::sampler::{Generator, Sampler};
    use crate::engine::falcon::sign::{AttemptSource, EncodedPrivateKey};
    use crate::engine::hash::shake::Shake256;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// A key with a sampler that panics at the end.
    struct PanickingKey<'k>(EncodedPrivateKey<'k>);

    impl LatticeKey for PanickingKey<'_> {
        fn sample_reals(&self) -> usize {
            self.0.sample_reals()
        }
        fn sample<S: Simd>(&self, isa: S, point: &HashedPoint<'_>, sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
            self.0.sample(isa, point, sampler, memory);
            panic!("in the middle of a signature");
        }
        fn rows_into<S: Simd>(&self, isa: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]) {
            self.0.rows_into(isa, f, big_f, h);
        }
        fn secret_hash_into<S: Simd>(&self, sponge: &mut Shake256<S>, hash: &mut [u8; SIGN_SEED_LEN]) {
            self.0.secret_hash_into(sponge, hash);
        }
    }

    /// A search that panics after it has found a key.
    struct PanickingSearch;

    impl KeySearch for PanickingSearch {
        fn key<S: Simd>(
            self,
            isa: S,
            logn: u32,
            seed: &[u8; KEYGEN_SEED_LEN],
            work: Scratch<'_>,
        ) -> Result<(), NoCandidateError> {
            SequentialSearch.key(isa, logn, seed, work)?;
            panic!("in the middle of a key");
        }
    }

    impl WipedSearch for PanickingSearch {
        fn wiping<R>(level: Level, work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R {
            SequentialSearch::wiping(level, work, f)
        }

        fn generate(self, level: Level, task: KeygenTask<'_>, work: &mut [u8]) -> Result<(), NoCandidateError> {
            generate_at_level(level, self, task, work)
        }
    }

    fn is_wiped(memory: &[u8]) -> bool {
        memory.iter().all(|x| *x == 0)
    }

    #[test]
    fn a_panic_wipes_the_work_memory() {
        let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, Degree::N512);
        let seed = [5; KEYGEN_SEED_LEN];
        for level in Level::available() {
            let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
            let (mut hash, mut work) = ([0; KEY_HASH_LEN], vec![0; algorithm.keygen_fast_work_len()]);

            let pair = KeyPairOutput { signing_key: &mut sk, verifying_key: &mut vk };
            let generate = KeygenTask { algorithm, seed: &seed, pair, key_hash: &mut hash };
            let made =
                catch_unwind(AssertUnwindSafe(|| generate_at_level(level, PanickingSearch, generate, &mut work)));
            assert!(made.is_err(), "{level}: no panic");
            assert!(is_wiped(&sk) && is_wiped(&work), "{level}: a key is left in memory");

            let pair = KeyPairOutput { signing_key: &mut sk, verifying_key: &mut vk };
            let generate = KeygenTask { algorithm, seed: &seed, pair, key_hash: &mut hash };
            generate_at_level(level, SequentialSearch, generate, &mut work).expect("a key");
            let key =
                PanickingKey(EncodedPrivateKey { degree: algorithm.degree(), parts: private_parts(algorithm, &sk) });
            let (mut signature, mut work) = (vec![0; algorithm.signature_len()], vec![0; algorithm.sign_work_len()]);
            let (mu, random) = ([1; 64], [2; SIGN_SEED_LEN]);
            let message = AttemptSource::Mu(&mu);
            let task = SigningTask { algorithm, key: &key, message, random: &random, generator: Generator::Shake256 };
            let made = catch_unwind(AssertUnwindSafe(|| sign_at_level(level, &task, &mut signature, &mut work)));
            assert!(made.is_err(), "{level}: no panic");
            assert!(is_wiped(&signature) && is_wiped(&work), "{level}: secrets of a signature are left in memory");
        }
    }
}
