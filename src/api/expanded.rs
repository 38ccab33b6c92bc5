//! Expanded keys, which are prepared once and used for many signatures.
//!
//! - `with_ed25519`: signs with keys of Ed25519 and of composites

#[cfg(feature = "ed25519")]
mod with_ed25519;

#[cfg(feature = "ed25519")]
use super::SEED_LEN;
use super::algorithm::{Algorithm, FamilyAlgorithm, Scheme};
use super::expanded_in::{ExpandedParts, PERIOD};
use super::message::UnhashedMessage;
use super::mldsa::{KeptKey, KeptPublicKey};
use super::signing_random::{SigningLengths, ZeroRng};
use super::verifying::{confirm, hash_message, level_verify};
use super::whole::WholeMessage;
use super::{
    ExpandError, KeyHash, MessageDigest, MessageError, MessageToSign, MessageToVerify, Options, SignError,
    SigningKeyRef, VerifyError, VerifyingKeyRef, enough_work, wiping_expanded,
};
#[cfg(feature = "ed25519")]
use super::{
    composite::{HalvesOfKey, KeptComposite, PreparedComposite},
    ed25519,
    sha512::Sha512Message,
};
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::falcon::integrity::{CheckInterval, MemoryFault};
use crate::engine::falcon::modq::RingProduct;
use crate::engine::falcon::sampler::Generator;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::sign::EncodedPrivateKey;
use crate::engine::falcon::verify::{PublicFields, public_fields_into};
use crate::engine::hash::message::KEY_HASH_LEN;
use crate::engine::verdict::Verified;
use crate::simd::{Level, MemoryLine, Scratch, Simd, ct, on_level};
use alloc::boxed::Box;
use alloc::vec;
use core::convert::Infallible;
use rand_core::TryCryptoRng;

/// A private key that was expanded to sign many messages. In the Falcon family, it contains the
/// basis and the LDL tree. It is wiped when you drop it.
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
    /// Decides before which signatures the memory is checked.
    pub(super) check_interval: CheckInterval,
    /// The hashes of the two halves of the public key, for a composite. They are in a box, because
    /// an unused value in this struct would copy old bytes of the stack to the heap.
    #[cfg(feature = "ed25519")]
    halves: Option<Box<HalvesOfKey>>,
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
    /// Expands a key. Range: the caller has checked the length of `work`.
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
                wiping_expanded(level, work, |work| on_level!(level, |isa| expand(isa, encoded, work)))?
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

    /// Returns the level for which the key was expanded.
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
    /// of the key has changed.
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
    /// function hashes the message. If an attempt fails, this function hashes the message again
    /// with a new nonce.
    ///
    /// # Errors
    /// Returns the errors of [`Self::sign`], or [`SignError::Message`] if the options are wrong.
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

    /// Signs a message in memory, as [`Self::sign_fast_rng`] does. If an attempt fails, this
    /// function hashes the message again with a new nonce.
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

    /// Signs a message in memory or a digest.
    pub(super) fn sign_unhashed<R: TryCryptoRng + ?Sized>(
        &self,
        generator: Generator,
        message: UnhashedMessage<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let whole = WholeMessage { level: self.level, algorithm: self.algorithm(), key: &self.key_hash, message };
        whole.each_attempt(rng, |message, rng| self.sign_by(generator, message, rng, signature, work))
    }

    /// Signs faster than [`Self::sign`]: the random bytes for the signature come from eight
    /// SHAKE256 streams at once.
    ///
    /// The signature is just as secure, and you can verify it as usual. But it is **not** equal to
    /// the signature that [`Self::sign`] makes from the same randomness, so this function cannot
    /// reproduce published test vectors. All levels make the same signature. In ML-DSA and Ed25519,
    /// this function is the same as [`Self::sign`].
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

    /// Returns the lengths of a signature and of the work memory for it.
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
                let kept =
                    ExpandedParts { level, algorithm, key_hash, check_interval, lattice: self.lattice(algorithm) };
                kept.sign_by(generator, message, rng, signature, work)
            }
            FamilyAlgorithm::MlDsa(set) => {
                let rnd = self.signing_lengths().draw(rng, signature, work)?;
                let mu = message.mu_for(&self.key_hash)?;
                Ok(KeptKey { level: self.level, set, memory: self.kept() }.sign(mu, &rnd, signature, work)?)
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => {
                SigningLengths { signature: ed25519::SIGNATURE_LEN, work: 0 }.check(signature, work)?;
                self.sign_classic(message, signature)
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
    pub(super) fn kept(&self) -> &[u8] {
        MemoryLine::bytes(&self.memory.0)
    }

    /// Returns the key in the format for the engine of the Falcon family.
    pub(super) fn lattice(&self, algorithm: FalconAlgorithm) -> ExpandedPrivateKey<'_> {
        ExpandedPrivateKey::new(algorithm.degree(), self.kept())
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

/// A public key that was unpacked, and hashed if the scheme uses the hash, to verify many
/// signatures. For ML-DSA, the matrix A and t1 are also transformed and stored, in 20 KB
/// (ML-DSA-44), 36 KB or 64 KB. A verification with ML-DSA uses work memory of
/// [`Algorithm::verify_fast_work_len`] bytes, and allocates it if the caller passes less.
///
/// ```
/// use fndsa::no_alloc::Level;
/// use fndsa::{Algorithm, Options, SigningKey};
/// # let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut getrandom::SysRng)?;
/// # let signature = key.sign(Options::default(), b"a message", &mut getrandom::SysRng)?;
/// # let (public, signature) = (key.verifying_key(), signature.as_bytes());
/// let expanded = public.to_ref().expand(Level::detect());
/// let mut work = vec![0; public.algorithm().verify_work_len()];
/// expanded.verify_message(Options::default(), b"a message", signature, &mut work)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ExpandedVerifyingKey {
    level: Level,
    algorithm: Algorithm,
    hash: HashOfKey,
    prepared: PreparedPublic,
}

/// The public key's hash, or the encoding if the scheme does not use the hash.
#[derive(Clone)]
enum HashOfKey {
    /// The hash, if the scheme binds the key.
    Bound(KeyHash),
    /// The encoding, if the scheme does not bind the key. The hash is computed from it if the
    /// caller requests the hash.
    Unbound(Box<[u8]>),
}

/// The part of an expanded public key that the verification uses.
#[derive(Clone)]
enum PreparedPublic {
    /// The polynomial h, prepared by [`RingProduct::prepare`].
    Falcon(Box<[u16]>),
    /// The transforms of A and t1.
    MlDsa(KeptPublicKey),
    /// The encoding, for Ed25519.
    #[cfg(feature = "ed25519")]
    Encoded(Box<[u8]>),
    /// Both halves of a composite key.
    #[cfg(feature = "ed25519")]
    Composite(PreparedComposite),
}

impl ExpandedVerifyingKey {
    /// Expands a key.
    pub(super) fn new(level: Level, key: &VerifyingKeyRef<'_>) -> Box<Self> {
        let algorithm = key.algorithm();
        let prepared = match algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                let mut h = vec![0; algorithm.degree().n()].into_boxed_slice();
                on_level!(level, |isa = integers| {
                    public_fields_into(isa, algorithm, &key.as_bytes()[1..], &mut h);
                    RingProduct::prepare(isa, &mut h);
                });
                PreparedPublic::Falcon(h)
            }
            FamilyAlgorithm::MlDsa(set) => PreparedPublic::MlDsa(KeptPublicKey::new(level, set, key.as_bytes())),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => PreparedPublic::Encoded(key.as_bytes().into()),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => {
                PreparedPublic::Composite(PreparedComposite::new(level, set, key.as_bytes()))
            }
        };
        let hash = if key.scheme().binds_key() {
            HashOfKey::Bound(key.key_hash(level))
        } else {
            HashOfKey::Unbound(key.as_bytes().into())
        };
        Box::new(Self { level, algorithm, hash, prepared })
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm.scheme()
    }

    /// Returns the level for which the key was expanded.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Returns the hash of the public key. If the scheme does not [bind the
    /// key](Scheme::binds_key), this function computes the hash in each call.
    pub fn key_hash(&self) -> KeyHash {
        match &self.hash {
            HashOfKey::Bound(hash) => *hash,
            HashOfKey::Unbound(bytes) => VerifyingKeyRef::trusted(self.algorithm, bytes).key_hash(self.level),
        }
    }

    /// Returns the hash to pass to a hasher for messages, as [`VerifyingKeyRef::bound_hash`] does.
    pub const fn bound_hash(&self) -> KeyHash {
        match &self.hash {
            HashOfKey::Bound(hash) => *hash,
            HashOfKey::Unbound(_) => KeyHash([0; KEY_HASH_LEN]),
        }
    }

    /// Returns the algorithm and h, to verify several signatures together. `None` if the key is not
    /// in the Falcon family.
    pub(super) fn prepared(&self) -> Option<(FalconAlgorithm, PublicFields<'_>)> {
        match (self.algorithm.family(), &self.prepared) {
            (FamilyAlgorithm::Falcon(algorithm), PreparedPublic::Falcon(h)) => {
                Some((algorithm, PublicFields::Prepared(h)))
            }
            _ => None,
        }
    }

    /// Verifies a signature for a message in memory, as [`VerifyingKeyRef::verify_message`] does.
    /// If the options have a pre-hash, this function hashes the message.
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKeyRef::verify_message`].
    pub fn verify_message(
        &self,
        options: Options<'_>,
        message: &[u8],
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        match MessageDigest::required(self.level, self.algorithm, options, message).map_err(VerifyError::Message)? {
            None => self.verify(MessageToVerify::message(options, message), signature, work),
            Some(digest) => {
                let message = MessageToVerify::digest(options, &digest).map_err(VerifyError::Message)?;
                self.verify(message, signature, work)
            }
        }
    }

    /// Verifies a signature, as [`VerifyingKeyRef::verify`] does.
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKeyRef::verify`].
    pub fn verify<'m>(
        &self,
        message: impl Into<MessageToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        self.verified(message, signature, work).and_then(confirm)
    }

    /// Does the work of [`Self::verified`] for a message in memory. This function has a separate
    /// stack frame, because the sponge would make the caller's frame larger.
    #[inline(never)]
    fn verified_in_memory(
        &self,
        message: UnhashedMessage<'_>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        message.check(self.algorithm).map_err(VerifyError::Message)?;
        let mut hashed = hash_message(self.level, self.algorithm, &self.bound_hash(), message.options, signature)?;
        hashed.update(message.bytes);
        self.verified(&hashed.finish(), signature, work)
    }

    /// Verifies a signature, as [`VerifyingKeyRef::verified`] does.
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKeyRef::verified`].
    pub fn verified<'m>(
        &self,
        message: impl Into<MessageToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let message = message.into();
        if let Some(message) = message.in_memory() {
            return self.verified_in_memory(message, signature, work);
        }
        enough_work(work.len(), self.algorithm.verify_work_len()).map_err(VerifyError::Work)?;
        match (self.algorithm.family(), &self.prepared) {
            (FamilyAlgorithm::Falcon(algorithm), PreparedPublic::Falcon(h)) => {
                level_verify(self.level, algorithm, PublicFields::Prepared(h), message, signature, work)
            }
            (FamilyAlgorithm::MlDsa(_), PreparedPublic::MlDsa(key)) => {
                let mu = message.mu().ok_or(VerifyError::OtherMessage)?;
                key.verify(self.level, mu, signature, work)
            }
            #[cfg(feature = "ed25519")]
            (FamilyAlgorithm::Ed25519, PreparedPublic::Encoded(public)) => {
                let message = message.sha512().and_then(Sha512Message::ed25519).ok_or(VerifyError::OtherMessage)?;
                ed25519::verify(public, message, signature)
            }
            #[cfg(feature = "ed25519")]
            (FamilyAlgorithm::Composite(_), PreparedPublic::Composite(key)) => {
                let message = message.sha512().and_then(Sha512Message::composite).ok_or(VerifyError::OtherMessage)?;
                key.verify(self.level, message, signature, work)
            }
            _ => Err(VerifyError::OtherMessage),
        }
    }
}

impl core::fmt::Debug for ExpandedVerifyingKey {
    /// Writes only the algorithm and the level, because the transforms have thousands of values.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ExpandedVerifyingKey")
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
            // This flips the lowest bit in the first byte of the tree. Signatures still verify, so
            // only the check of the memory detects it.
            MemoryLine::bytes_mut(&mut key.memory.0)[0] ^= 1;
            let ok = (0..PERIOD).take_while(|i| sign(&key, *i).is_ok()).count() as u32;
            assert_eq!(ok, (PERIOD - signed) % PERIOD);
            assert_eq!(sign(&key, 0), Err(SignError::ExpandedKey));
            MemoryLine::bytes_mut(&mut key.memory.0)[0] ^= 1;
            assert_eq!(sign(&key, 0), Ok(()));
        }
        // For the interval between two checks, each message in a batch counts as a signature.
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
