//! Expanded private keys, which are prepared once and used for many signatures.
//!
//! - `with_ed25519`: signs with keys of Ed25519 and of composites

#[cfg(feature = "ed25519")]
mod with_ed25519;

#[cfg(feature = "ed25519")]
use super::SEED_LEN;
use super::algorithm::{Algorithm, FamilyAlgorithm, Scheme};
use super::expanded_in::{ExpandedParts, PERIOD};
use super::message::UnhashedMessage;
use super::mldsa_signing::KeptKey;
use super::signing_random::{SigningLengths, ZeroRng};
use super::whole::WholeMessage;
use super::{
    ExpandError, KeyHash, MessageDigest, MessageError, MessageToSign, Options, SignError, SigningKeyRef,
    wiping_falcon_expanded,
};
#[cfg(feature = "ed25519")]
use super::{
    composite_signing::{ComponentHashes, KeptComposite},
    ed25519,
};
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::falcon::integrity::{CheckInterval, MemoryFault};
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::sign::EncodedPrivateKey;
use crate::simd::{Level, MemoryLine, Scratch, Simd, ct, on_level};
use alloc::boxed::Box;
use core::convert::Infallible;
use rand_core::TryCryptoRng;

/// A private key that was expanded to sign many messages. In the Falcon family, it contains the
/// basis and the LDL tree. The memory is wiped when you drop the key.
///
/// ```
/// use fndsa::no_alloc::Level;
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let algorithm = Algorithm::FN_DSA_512;
/// let key = SigningKey::generate(algorithm, &mut SysRng)?;
/// let expanded = key.to_ref().expand(Level::detect(), &mut vec![0; algorithm.sign_work_len()])?;
/// let mut work = vec![0; algorithm.sign_expanded_work_len()];
/// let mut signature = vec![0; algorithm.signature_len()];
/// for message in [b"one", b"two"] {
///     expanded.sign_message(Options::default(), message, &mut SysRng, &mut signature, &mut work)?;
///     key.verifying_key().verify(Options::default(), message, &signature)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExpandedSigningKey {
    level: Level,
    algorithm: Algorithm,
    key_hash: KeyHash,
    /// Counts signatures in the Falcon family, to check the memory at regular intervals.
    pub(super) check_interval: CheckInterval,
    /// For a composite, the hashes of the public key's two halves, and of the complete public key.
    /// The hashes are in a box, because in keys for all other schemes this field would be large and
    /// unused. If such a key is moved to the heap, the unused field would contain old stack bytes,
    /// which may be secret.
    #[cfg(feature = "ed25519")]
    halves: Option<Box<ComponentHashes>>,
    memory: WipedLines,
}

/// Memory that is wiped when it is dropped.
pub(super) struct WipedLines(pub(super) Box<[MemoryLine]>);

impl Drop for WipedLines {
    fn drop(&mut self) {
        ct::wipe(MemoryLine::bytes_mut(&mut self.0));
    }
}

impl ExpandedSigningKey {
    /// Expands a key. The caller must check the length of `work` before this call.
    pub(super) fn new(level: Level, key: &SigningKeyRef<'_>, work: &mut [u8]) -> Result<Box<Self>, ExpandError> {
        #[inline(always)]
        fn expand<S: Simd>(isa: S, key: EncodedPrivateKey<'_>, work: &mut [u8]) -> Result<WipedLines, ExpandError> {
            let mut memory = WipedLines(MemoryLine::boxed(ExpandedPrivateKey::len(key.degree)));
            ExpandedPrivateKey::write(isa, key, MemoryLine::bytes_mut(&mut memory.0), Scratch::new(work))
                .map_err(|MemoryFault| ExpandError::Fault)?;
            Ok(memory)
        }
        #[cfg(feature = "ed25519")]
        let mut halves = None;
        let memory = match key.algorithm().family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                let encoded = key.encoded(algorithm);
                wiping_falcon_expanded(level, work, |work| on_level!(level, |isa| expand(isa, encoded, work)))?
            }
            FamilyAlgorithm::MlDsa(set) => {
                let mut memory = WipedLines(MemoryLine::boxed(KeptKey::len(set)));
                KeptKey::write(level, set, key.as_bytes(), &key.key_hash(), MemoryLine::bytes_mut(&mut memory.0))?;
                memory
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => {
                let mut memory = WipedLines(MemoryLine::boxed(SEED_LEN));
                MemoryLine::bytes_mut(&mut memory.0)[..SEED_LEN].copy_from_slice(key.as_bytes());
                memory
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => {
                let mut memory = WipedLines(MemoryLine::boxed(KeptComposite::len(set)));
                let bytes = MemoryLine::bytes_mut(&mut memory.0);
                halves = Some(Box::new(KeptComposite::write(level, set, key, bytes, work)?));
                memory
            }
        };
        Ok(Box::new(Self {
            level,
            algorithm: key.algorithm(),
            key_hash: key.key_hash(),
            check_interval: CheckInterval::every(PERIOD),
            #[cfg(feature = "ed25519")]
            halves,
            memory,
        }))
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm.scheme()
    }

    /// Returns the level (the instruction set) for which the key was expanded.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Returns the hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    /// Signs a message, as [`SigningKeyRef::sign`] does. With the same randomness, both functions
    /// make the same signature. `work` needs at least [`Algorithm::sign_expanded_work_len`] bytes.
    ///
    /// # Errors
    /// Returns the errors of [`SigningKeyRef::sign`], or [`SignError::ExpandedKey`] if the memory
    /// of the key has changed. In the Falcon family, the memory is checked before the first
    /// signature, and then once in 1,024 signatures. With several threads, there can be more
    /// signatures between two checks.
    pub fn sign<'m, R: TryCryptoRng + ?Sized>(
        &self,
        message: impl Into<MessageToSign<'m>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.sign_by(Generator::Shake256, &message.into(), rng, signature, work)
    }

    /// Signs a message in memory, as [`Self::sign`] does. If the options have a pre-hash, this
    /// function computes the message's digest once. In schemes that hash a nonce, an attempt can
    /// fail. After a failed attempt, this function hashes the message or digest again, with a new
    /// nonce.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign`], or [`SignError::Message`] if the algorithm does not
    /// support the options, or if the library was built without the pre-hash.
    pub fn sign_message<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        signature.fill(0);
        let digest = self.digest(options, message).map_err(SignError::Message)?;
        let message = UnhashedMessage::prepared(options, digest.as_ref().map_or(message, MessageDigest::as_bytes));
        self.sign_unhashed(Generator::Shake256, message, rng, signature, work)
    }

    /// Signs a message in memory, as [`Self::sign_fast_rng`] does. In schemes that hash a nonce, an
    /// attempt can fail. After a failed attempt, this function hashes the message again, with a new
    /// nonce.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign_message`].
    pub fn sign_message_fast_rng<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        message: &[u8],
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        signature.fill(0);
        let digest = self.digest(options, message).map_err(SignError::Message)?;
        let message = UnhashedMessage::prepared(options, digest.as_ref().map_or(message, MessageDigest::as_bytes));
        self.sign_unhashed(Generator::Eight, message, rng, signature, work)
    }

    /// Hashes the message if the options have a pre-hash.
    pub(super) fn digest(&self, options: Options<'_>, message: &[u8]) -> Result<Option<MessageDigest>, MessageError> {
        MessageDigest::required(self.level, self.algorithm(), options, message)
    }

    /// Signs a message in memory, or the digest of a message.
    pub(super) fn sign_unhashed<R: TryCryptoRng + ?Sized>(
        &self,
        generator: Generator,
        message: UnhashedMessage<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let whole = WholeMessage { level: self.level, algorithm: self.algorithm(), key: &self.key_hash, message };
        whole.sign_each_attempt(rng, |message, rng| self.sign_by(generator, message, rng, signature, work))
    }

    /// Signs faster than [`Self::sign`]: the random bytes for the signature come from eight
    /// SHAKE256 streams at once.
    ///
    /// The signature is just as secure, and you can verify it as usual. But the signature is
    /// **not** equal to the signature that [`Self::sign`] makes from the same randomness, so this
    /// function cannot reproduce published test vectors. The signature does not depend on the
    /// level. Outside the Falcon family, this function does the same as [`Self::sign`].
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign`].
    pub fn sign_fast_rng<'m, R: TryCryptoRng + ?Sized>(
        &self,
        message: impl Into<MessageToSign<'m>>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        self.sign_by(Generator::Eight, &message.into(), rng, signature, work)
    }

    /// Returns the lengths of a signature and of the work memory to sign.
    #[inline(always)]
    fn signing_lengths(&self) -> SigningLengths {
        let algorithm = self.algorithm();
        SigningLengths { signature: algorithm.signature_len(), work: algorithm.sign_expanded_work_len() }
    }

    fn sign_by<R: TryCryptoRng + ?Sized>(
        &self,
        generator: Generator,
        message: &MessageToSign<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let algorithm = self.algorithm();
        match algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                let &Self { level, ref key_hash, ref check_interval, .. } = self;
                let parts =
                    ExpandedParts { level, algorithm, key_hash, check_interval, lattice: self.lattice(algorithm) };
                parts.sign_by(generator, message, rng, signature, work)
            }
            FamilyAlgorithm::MlDsa(set) => {
                let rnd = self.signing_lengths().draw(rng, signature, work)?;
                let mu = message.mu_for(&self.key_hash)?;
                Ok(KeptKey { level: self.level, set, memory: self.key_memory() }.sign(mu, &rnd, signature, work)?)
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => {
                SigningLengths { signature: ed25519::SIGNATURE_LEN, work: 0 }.check(signature, work)?;
                self.sign_ed25519(message, signature)
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => self.sign_composite(set, message, rng, signature, work),
        }
    }

    /// Signs without randomness, as [`SigningKeyRef::sign_deterministic`] does.
    ///
    /// # Errors
    /// Returns the errors of [`SigningKeyRef::sign_deterministic`].
    pub fn sign_deterministic<'m>(
        &self,
        message: impl Into<MessageToSign<'m>>,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<Infallible>> {
        self.sign(message, &mut ZeroRng::of(self.scheme(), signature)?, signature, work)
    }

    /// Returns the memory of the key.
    pub(super) fn key_memory(&self) -> &[u8] {
        MemoryLine::bytes(&self.memory.0)
    }

    /// Returns the key in the format for the engine of the Falcon family.
    pub(super) fn lattice(&self, algorithm: FalconAlgorithm) -> ExpandedPrivateKey<'_> {
        ExpandedPrivateKey::new(algorithm.degree(), self.key_memory())
    }
}

impl core::fmt::Debug for ExpandedSigningKey {
    /// Writes only the algorithm and the level, because the key is secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ExpandedSigningKey")
            .field("algorithm", &self.algorithm)
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
    fn a_key_that_was_changed_in_memory_soon_makes_no_signatures() {
        let algorithm = Algorithm::at_degree(Scheme::FnDsa, crate::api::Degree::from_logn(4).unwrap()).unwrap();
        let (mut private, mut public) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
        let mut work = vec![0; 1 << 16];
        let (level, mu) = (Level::detect(), Mu::from_bytes([3; 64]));
        let rng = &mut FixedBytes(&[7; 32]);
        let key = SigningKeyRef::generate(level, algorithm, rng, &mut private, &mut public, &mut work).unwrap();
        let mut signature = vec![0; algorithm.signature_len()];
        for signed in [0, 1, PERIOD] {
            let mut key = key.expand(level, &mut work).unwrap();
            let mut sign = |key: &ExpandedSigningKey, i: u32| {
                signature.fill(1);
                let made = key.sign(&mu, &mut FixedBytes(&[i as u8; 40]), &mut signature, &mut work);
                assert_eq!(made.is_err(), signature.iter().all(|byte| *byte == 0));
                made
            };
            for i in 0..signed {
                sign(&key, i).unwrap();
            }
            // Flip the lowest bit in the first byte of the tree. Signatures still verify, so only
            // the check of the memory detects the change.
            MemoryLine::bytes_mut(&mut key.memory.0)[0] ^= 1;
            let ok = (0..PERIOD).take_while(|i| sign(&key, *i).is_ok()).count() as u32;
            assert_eq!(ok, (PERIOD - signed) % PERIOD);
            assert_eq!(sign(&key, 0), Err(SignError::ExpandedKey));
            MemoryLine::bytes_mut(&mut key.memory.0)[0] ^= 1;
            assert_eq!(sign(&key, 0), Ok(()));
        }
        // In the interval between two checks of the memory, each message in a batch counts as a
        // signature.
        let mut key = key.expand(level, &mut work).unwrap();
        key.sign(&mu, &mut FixedBytes(&[1; 40]), &mut signature, &mut work).unwrap();
        MemoryLine::bytes_mut(&mut key.memory.0)[0] ^= 1;
        let messages = vec![mu; PERIOD as usize];
        let mut signatures = vec![1; messages.len() * signature.len()];
        let rng = &mut FixedBytes(&vec![2; 40 * messages.len()]);
        assert_eq!(key.sign_batch(&messages, rng, &mut signatures, &mut work), Err(SignError::ExpandedKey));
        assert!(signatures.iter().all(|byte| *byte == 0));
    }
}
