//! Expanded private keys of the Falcon family in memory that the caller provides. This file also
//! contains the code that signs with expanded keys in any memory.

use super::falcon_signing::LevelSigningKey;
use super::message::UnhashedMessage;
use super::signing_random::SigningLengths;
use super::whole::WholeMessage;
use super::{
    Algorithm, ExpandError, KeyHash, MessageToSign, Options, Scheme, SignError, SigningKeyRef,
    algorithm::FamilyAlgorithm, check_work_len, wiping_falcon_expanded,
};
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::falcon::integrity::{CheckInterval, MemoryFault};
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::sign::SigningTask;
use crate::simd::{Level, Scratch, ct, on_level};
use rand_core::TryCryptoRng;

/// The number of signatures after which an expanded key is checked again for changed bits. After a
/// bit has changed, the signatures still verify, but an attacker can compute the private key from a
/// large number of signatures. The attacker needs as many signatures as after a change in a
/// constant table (`engine/falcon/integrity.rs`). A check takes less than a tenth of the time of a
/// signature.
pub(super) const PERIOD: u32 = 1 << 10;

/// The parts of a private key that signing needs. The key is an expanded key or a key with its
/// basis, on the heap or in the caller's memory.
pub(super) struct KeptParts<'a, K> {
    pub(super) level: Level,
    pub(super) algorithm: FalconAlgorithm,
    pub(super) key_hash: &'a KeyHash,
    /// Counts signatures, to check the memory at regular intervals.
    pub(super) check_interval: &'a CheckInterval,
    pub(super) lattice: K,
}

/// An expanded private key, in any memory.
pub(super) type ExpandedParts<'a> = KeptParts<'a, ExpandedPrivateKey<'a>>;

impl<K: LevelSigningKey> KeptParts<'_, K> {
    /// Signs a message. `generator` generates the random bytes for the sampler.
    pub(super) fn sign_by<R: TryCryptoRng + ?Sized>(
        &self,
        generator: Generator,
        message: &MessageToSign<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let algorithm = Algorithm::of_falcon(self.algorithm);
        let needed = SigningLengths { signature: algorithm.signature_len(), work: K::work_len(self.algorithm) };
        let random = needed.draw(rng, signature, work)?;
        let key = &self.lattice;
        self.check_interval.check(|| key.is_intact()).map_err(|MemoryFault| SignError::ExpandedKey)?;
        let made = message.with(algorithm.scheme(), self.key_hash, |message| {
            let task = SigningTask { algorithm: self.algorithm, key, message, random: &random, generator };
            K::sign(self.level, &task, signature, work)
        });
        // The outer error: the message is for a different scheme or key. The inner error: signing
        // failed.
        Ok(made??)
    }

    /// Signs a message in memory or a digest. In schemes that hash a nonce, an attempt can fail.
    /// After a failed attempt, this function hashes the message again, with a new nonce.
    #[inline(always)]
    pub(super) fn sign_unhashed<R: TryCryptoRng + ?Sized>(
        &self,
        message: UnhashedMessage<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let algorithm = Algorithm::of_falcon(self.algorithm);
        signature.fill(0);
        let whole = WholeMessage { level: self.level, algorithm, key: self.key_hash, message };
        whole.sign_each_attempt(rng, |message, rng| self.sign_by(Generator::Shake256, message, rng, signature, work))
    }
}

/// A private key of the Falcon family that was expanded into the caller's memory, to sign many
/// messages. It contains the basis and the LDL tree, as in `ExpandedSigningKey`.
///
/// The memory is wiped when you drop this key. If the key is never dropped, for example after
/// `mem::forget`, you must wipe the memory.
///
/// ```
/// use fndsa::no_alloc::{Level, SigningKeyRef, VerifyingKeyRef};
/// use fndsa::{Algorithm, Options};
/// use getrandom::SysRng;
///
/// const ALGORITHM: Algorithm = Algorithm::FN_DSA_512;
/// let level = Level::detect();
/// let mut private = [0; ALGORITHM.signing_key_len()];
/// let mut public = [0; ALGORITHM.verifying_key_len()];
/// let mut work = [0; ALGORITHM.sign_work_len()];
/// let key = SigningKeyRef::generate(level, ALGORITHM, &mut SysRng, &mut private, &mut public, &mut work)?;
///
/// let mut memory = [0; ALGORITHM.expanded_key_len().unwrap()];
/// let expanded = key.expand_into(level, &mut memory, &mut work)?;
/// // From here on less work memory is enough.
/// let work = &mut work[..ALGORITHM.sign_expanded_work_len()];
/// let mut signature = [0; ALGORITHM.signature_len()];
/// for message in [b"one", b"two"] {
///     expanded.sign_message(Options::default(), message, &mut SysRng, &mut signature, work)?;
///     let public = VerifyingKeyRef::from_bytes(ALGORITHM.scheme(), &public)?;
///     public.verify_message(level, Options::default(), message, &signature, work)?;
/// }
/// drop(expanded);
/// assert!(memory.iter().all(|byte| *byte == 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExpandedSigningKeyIn<'m> {
    level: Level,
    algorithm: FalconAlgorithm,
    key_hash: KeyHash,
    check_interval: CheckInterval,
    memory: ct::WipedMemory<'m>,
}

impl SigningKeyRef<'_> {
    /// Checks that `work` is long enough to expand the key.
    pub(super) fn check_expand_work(&self, work: &[u8]) -> Result<(), ExpandError> {
        check_work_len(work.len(), self.algorithm().sign_work_len()).map_err(ExpandError::Work)
    }

    /// Expands the key into `memory`, to sign many messages. `memory` needs at least
    /// [`Algorithm::expanded_key_len`] bytes, which do not have to be aligned. The memory is wiped
    /// when you drop the expanded key. `work` needs at least [`Algorithm::sign_work_len`] bytes.
    ///
    /// With the same randomness, the expanded key makes the same signatures as [`Self::sign`]. Do
    /// not store the bytes in `memory`, for example on a disk or in flash memory, because they
    /// depend on the order of floating-point operations. The key is expanded twice and checked,
    /// because signatures with a wrong expanded key would reveal the private key.
    ///
    /// # Errors
    /// Returns an error if `memory` or `work` is too short, if the machine computes wrongly, or if
    /// the key is not in the Falcon family. After a wrong computation, `memory` is wiped. To expand
    /// an ML-DSA key, use [`Self::expanded_form_into`].
    pub fn expand_into<'m>(
        &self,
        level: Level,
        memory: &'m mut [u8],
        work: &mut [u8],
    ) -> Result<ExpandedSigningKeyIn<'m>, ExpandError> {
        let (FamilyAlgorithm::Falcon(algorithm), Some(needed)) =
            (self.algorithm().family(), self.algorithm().expanded_key_len())
        else {
            return Err(ExpandError::OtherFamily);
        };
        check_work_len(memory.len(), needed).map_err(ExpandError::Memory)?;
        self.check_expand_work(work)?;
        let memory = ct::WipedMemory(Scratch::new(memory).take(ExpandedPrivateKey::len(algorithm.degree())));
        let key = self.encoded(algorithm);
        wiping_falcon_expanded(level, work, |work| {
            on_level!(level, |isa| ExpandedPrivateKey::write(isa, key, &mut *memory.0, Scratch::new(work)))
        })
        .map_err(|MemoryFault| ExpandError::Fault)?;
        let check_interval = CheckInterval::every(PERIOD);
        Ok(ExpandedSigningKeyIn { level, algorithm, key_hash: self.key_hash(), check_interval, memory })
    }
}

impl ExpandedSigningKeyIn<'_> {
    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        Algorithm::of_falcon(self.algorithm)
    }

    /// Returns the scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm().scheme()
    }

    /// Returns the level (the instruction set) for which the key was expanded.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Returns the hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    fn parts(&self) -> ExpandedParts<'_> {
        let lattice = ExpandedPrivateKey::new(self.algorithm.degree(), &*self.memory.0);
        let &Self { level, algorithm, ref key_hash, ref check_interval, .. } = self;
        ExpandedParts { level, algorithm, key_hash, check_interval, lattice }
    }

    /// Signs a message, as [`SigningKeyRef::sign`] does. With the same randomness, both functions
    /// make the same signature. `work` needs at least [`Algorithm::sign_expanded_work_len`] bytes.
    ///
    /// # Errors
    /// Returns the errors of [`SigningKeyRef::sign`], or [`SignError::ExpandedKey`] if the memory
    /// of the key has changed. The memory is checked before the first signature, and then once in
    /// 1,024 signatures. With several threads, there can be more signatures between two checks.
    pub fn sign<'w, R: TryCryptoRng + ?Sized>(
        &self,
        message: impl Into<MessageToSign<'w>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.parts().sign_by(Generator::Shake256, &message.into(), rng, signature, work)
    }

    /// Signs a message in memory, as [`Self::sign`] does. In schemes that hash a nonce, an attempt
    /// can fail. After a failed attempt, this function hashes the message again, with a new nonce.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign`], or [`SignError::Message`] if the algorithm does not
    /// support the options, or if the options have a pre-hash. To sign a digest, use
    /// [`Self::sign_unhashed`].
    pub fn sign_message<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.sign_unhashed(UnhashedMessage::message(options, message), rng, signature, work)
    }

    /// Signs bytes that the scheme has not hashed yet: a message or a digest, with its options.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign_message`].
    pub fn sign_unhashed<R: TryCryptoRng + ?Sized>(
        &self,
        message: UnhashedMessage<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.parts().sign_unhashed(message, rng, signature, work)
    }
}

impl core::fmt::Debug for ExpandedSigningKeyIn<'_> {
    /// Writes only the algorithm and the level, because the key is secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ExpandedSigningKeyIn")
            .field("algorithm", &self.algorithm())
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Mu;
    use crate::testing::FixedBytes;

    #[test]
    fn a_key_that_was_changed_in_work_memory_makes_no_signature() {
        let algorithm = Algorithm::FN_DSA_512;
        let (mut private, mut public) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
        let mut work = vec![0; algorithm.sign_work_len()];
        let (level, mu) = (Level::detect(), Mu::from_bytes([3; 64]));
        let rng = &mut FixedBytes(&[7; 32]);
        let key = SigningKeyRef::generate(level, algorithm, rng, &mut private, &mut public, &mut work).expect("a key");
        let mut memory = vec![0; algorithm.expanded_key_len().expect("a length")];
        let mut signature = vec![0; algorithm.signature_len()];
        let expanded = key.expand_into(level, &mut memory, &mut work).expect("enough memory");
        // Flip a bit in the expanded key. Signatures may still verify, so only the check of the
        // memory detects the change.
        expanded.memory.0[0] ^= 1;
        let made = expanded.sign(&mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work);
        assert_eq!(made, Err(SignError::ExpandedKey));
        assert!(signature.iter().all(|byte| *byte == 0));
        expanded.memory.0[0] ^= 1;
        assert_eq!(expanded.sign(&mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work), Ok(()));
    }
}
