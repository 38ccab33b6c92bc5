//! Public keys, and the verification of signatures.

#[cfg(feature = "alloc")]
use super::VerifyingHasher;
use super::algorithm::{Algorithm, FamilyAlgorithm, FamilyScheme, Scheme};
use super::message::UnhashedMessage;
use super::signature::signature_error;
use super::{
    KeyError, KeyHash, MessageDigest, MessageToVerify, Options, SignatureRef, VerifyError, check_exact_len,
    check_work_len,
};
#[cfg(feature = "ed25519")]
use super::{composite, sha512::Sha512Message};
use super::{falcon, mldsa};
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::verify::{
    FalconRejection, MessageVerification, PublicFields, Verification, verify, verify_whole,
};
use crate::engine::hash::message::{BoundKey, KEY_HASH_LEN, MU_LEN, PrefixedMessage};
use crate::engine::hash::shake::shake256_into;
use crate::engine::mldsa::verify::MuVerification;
use crate::engine::verdict::Verified;
use crate::simd::{Level, Scratch, ct, on_level};

/// A public key that was checked. The key borrows its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyingKeyRef<'a> {
    bytes: &'a [u8],
    algorithm: Algorithm,
}

impl<'a> VerifyingKeyRef<'a> {
    /// Checks an encoded public key.
    ///
    /// - Falcon family: checks the header and the length, that all fields are below q, and that the
    ///   fields are not all zero.
    /// - ML-DSA: checks the length, which determines the algorithm. Any bytes of this length are a
    ///   valid key.
    /// - Ed25519: checks that the bytes are the canonical encoding of a point, and that the point
    ///   is not of small order.
    /// - Composites: checks the length, which determines the algorithm, and the half for Ed25519.
    ///
    /// This function detects the algorithm from the bytes. If you know the algorithm, use
    /// [`Self::of_algorithm`].
    ///
    /// # Errors
    /// Returns an error if a check fails, or if the key is for a [toy](Algorithm::is_toy).
    pub fn from_bytes(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, KeyError> {
        let key = Self::of_scheme(scheme, bytes)?;
        let found = key.algorithm;
        if found.is_toy() { Err(KeyError::Toy { found }) } else { Ok(key) }
    }

    /// Checks an encoded public key, and checks that the key is for this algorithm. Unlike
    /// [`Self::from_bytes`], this function accepts a toy.
    ///
    /// # Errors
    /// Returns an error if a check fails, or if the key is for a different algorithm.
    pub fn of_algorithm(algorithm: Algorithm, bytes: &'a [u8]) -> Result<Self, KeyError> {
        let key = Self::of_scheme(algorithm.scheme(), bytes)?;
        let found = key.algorithm;
        if found == algorithm { Ok(key) } else { Err(KeyError::OtherAlgorithm { wanted: algorithm, found }) }
    }

    /// Checks a public key for any algorithm of the scheme. Unlike [`Self::from_bytes`], this
    /// function accepts a toy.
    pub(crate) fn of_scheme(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, KeyError> {
        let algorithm = match scheme.family() {
            FamilyScheme::Falcon(scheme) => Algorithm::of_falcon(falcon::check_public(scheme, bytes)?),
            FamilyScheme::MlDsa => Algorithm::of_mldsa_set(mldsa::public_set(bytes)?),
            #[cfg(feature = "ed25519")]
            FamilyScheme::Ed25519 => {
                super::ed25519::check_public(bytes)?;
                Algorithm::ED25519
            }
            #[cfg(feature = "ed25519")]
            FamilyScheme::Composite => Algorithm::of_composite(composite::check_public(bytes)?),
        };
        Ok(Self { bytes, algorithm })
    }

    /// Wraps a public key that this crate has checked or computed.
    pub(super) const fn trusted(algorithm: Algorithm, bytes: &'a [u8]) -> Self {
        Self { bytes, algorithm }
    }

    /// Returns the encoding.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm.scheme()
    }

    /// Returns the first 64 bytes of the encoding's SHAKE256 hash. FN-DSA, FN-DSA-2024 and ML-DSA
    /// hash these 64 bytes before the message. Ed25519 hashes the public key, so for Ed25519 the
    /// result is the public key, followed by zeros.
    pub fn key_hash(&self, level: Level) -> KeyHash {
        #[cfg(feature = "ed25519")]
        if self.scheme() == Scheme::Ed25519 {
            return super::ed25519::key_as_hash(self.bytes);
        }
        let mut hash = [0; KEY_HASH_LEN];
        on_level!(level, |isa = integers| shake256_into(isa, &[self.bytes], &mut hash));
        KeyHash(hash)
    }

    /// Returns the key's hash, to pass it to [`VerifyingHasher`](super::VerifyingHasher). If the
    /// scheme [binds the key](Scheme::binds_key), this is [`Self::key_hash`]. Otherwise, the
    /// returned bytes are zeros: this function does not compute the hash, because `VerifyingHasher`
    /// ignores it.
    ///
    /// ```
    /// use fndsa::algorithm::Scheme;
    /// use fndsa::no_alloc::{Level, VerifyingKeyRef};
    ///
    /// // An example of a public key, with degree 2^9 and one nonzero coefficient. A real program
    /// // reads these bytes from a file.
    /// let mut bytes = [0; 897];
    /// (bytes[0], bytes[896]) = (9, 1);
    /// let level = Level::detect();
    /// let key = VerifyingKeyRef::from_bytes(Scheme::FnDsa, &bytes)?;
    /// assert_eq!(key.bound_hash(level), key.key_hash(level));
    /// let key = VerifyingKeyRef::from_bytes(Scheme::Falcon, &bytes)?;
    /// assert_eq!(key.bound_hash(level).as_bytes(), &[0; 64]);
    /// # Ok::<(), fndsa::error::KeyError>(())
    /// ```
    pub fn bound_hash(&self, level: Level) -> KeyHash {
        if self.scheme().binds_key() { self.key_hash(level) } else { KeyHash([0; KEY_HASH_LEN]) }
    }

    /// Verifies a signature. The message can be a `mu`, a message in memory, or a
    /// [`HashedMessage`](super::HashedMessage). If the scheme hashes a nonce before the message, a
    /// `HashedMessage` must have been hashed with the nonce in this signature. `work` needs at
    /// least [`Algorithm::verify_work_len`] bytes. ML-DSA is faster with more work memory, up to
    /// [`Algorithm::verify_fast_work_len`] bytes.
    ///
    /// # Errors
    /// Returns an error if the signature is not valid, or if the work memory is too short. The
    /// signature is valid only if this function returns `Ok`.
    pub fn verify<'m>(
        &self,
        level: Level,
        message: impl Into<MessageToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        self.verified(level, message, signature, work).and_then(confirm)
    }

    /// Verifies a signature, as [`Self::verify`] does, and returns the verdict YES as a value. Use
    /// this function to guard against faults in the machine: compare the `value()` of the returned
    /// [`Verified`] with [`Verified::YES`] more than once, at the place where you use the verdict.
    ///
    /// # Errors
    /// Returns the errors of [`Self::verify`].
    // This function is inlined. So a program that hashes all messages in pieces does not contain
    // the code for messages in memory.
    #[inline(always)]
    pub fn verified<'m>(
        &self,
        level: Level,
        message: impl Into<MessageToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let message = message.into();
        match message.in_memory() {
            Some(message) => self.verified_in_memory(level, message, signature, work),
            None => self.verified_hashed(level, message, signature, work),
        }
    }

    /// Implements [`Self::verified`] for a message that was already hashed.
    #[inline(never)]
    fn verified_hashed(
        &self,
        level: Level,
        message: MessageToVerify<'_>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        check_work_len(work.len(), self.algorithm.verify_work_len()).map_err(VerifyError::Work)?;
        match self.algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                let h = PublicFields::Packed(&self.bytes[1..]);
                verify_at_level(level, algorithm, h, message, signature, work)
            }
            FamilyAlgorithm::MlDsa(set) => {
                let mu = message.mu().ok_or(VerifyError::OtherMessage)?;
                mldsa::verify_mu(level, &MuVerification { set, public: self.bytes, mu, signature }, work)
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => {
                let message = message.sha512().and_then(Sha512Message::ed25519).ok_or(VerifyError::OtherMessage)?;
                super::ed25519::verify(self.bytes, message, signature)
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(_) => self.verified_composite(level, message, signature, work),
        }
    }

    /// Implements [`Self::verified_hashed`] for a composite. The code is in a separate function, so
    /// the other schemes need no stack memory for this code.
    #[cfg(feature = "ed25519")]
    #[inline(never)]
    fn verified_composite(
        &self,
        level: Level,
        message: MessageToVerify<'_>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let message = message.sha512().and_then(Sha512Message::composite).ok_or(VerifyError::OtherMessage)?;
        message.verified(level, self, signature, work)
    }

    /// Implements [`Self::verified`] for a message in memory.
    #[inline(never)]
    fn verified_in_memory(
        &self,
        level: Level,
        message: UnhashedMessage<'_>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let scheme = self.scheme();
        SignatureRef::check_len_and_header(self.algorithm, signature)?;
        message.check(self.algorithm).map_err(VerifyError::Message)?;
        check_work_len(work.len(), self.algorithm.verify_work_len()).map_err(VerifyError::Work)?;
        let UnhashedMessage { options: Options { context, prehash, .. }, bytes, .. } = message;
        let prefixed_message = PrefixedMessage { key: BoundKey::Key(self.bytes), prehash, context, message: bytes };
        match self.algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                let task = &MessageVerification { algorithm, public: self.bytes, message: prefixed_message, signature };
                let verdict = on_level!(level, |isa = integers| verify_whole(isa, task, Scratch::new(work)));
                verdict.map_err(|refused| falcon_error(refused, algorithm, signature))
            }
            FamilyAlgorithm::MlDsa(set) => {
                let mut mu = [0; MU_LEN];
                on_level!(level, |isa = integers| prefixed_message.mu_into(isa, scheme.hashing(), &mut mu));
                mldsa::verify_mu(level, &MuVerification { set, public: self.bytes, mu: &mu, signature }, work)
            }
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => super::ed25519::verify_message(self.bytes, message.options, bytes, signature),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => {
                composite::verify_message(level, set, self.bytes, (context, bytes), signature, work)
            }
        }
    }

    /// Verifies a signature for a message in memory. `work` needs at least
    /// [`Algorithm::verify_work_len`] bytes. ML-DSA is faster with up to
    /// [`Algorithm::verify_fast_work_len`] bytes.
    ///
    /// ```
    /// # #[cfg(feature = "alloc")] {
    /// use fndsa::no_alloc::{Level, VerifyingKeyRef};
    /// use fndsa::{Algorithm, Options, SigningKey};
    /// use getrandom::SysRng;
    ///
    /// let key = SigningKey::generate(Algorithm::FN_DSA_1024, &mut SysRng)?;
    /// let signature = key.sign(Options::default(), b"a message", &mut SysRng)?;
    /// let (public, signature) = (key.verifying_key(), signature.as_bytes());
    ///
    /// let key = VerifyingKeyRef::of_algorithm(Algorithm::FN_DSA_1024, public.as_bytes())?;
    /// let mut work = [0; Algorithm::FN_DSA_1024.verify_work_len()];
    /// key.verify_message(Level::detect(), Options::default(), b"a message", signature, &mut work)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the signature is not valid, if the scheme does not support the options,
    /// if the options have a pre-hash (use [`Self::verify_digest`]), or if the work memory is too
    /// short. The signature is valid only if this function returns `Ok`.
    pub fn verify_message(
        &self,
        level: Level,
        options: Options<'_>,
        message: &[u8],
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        self.verify(level, MessageToVerify::message(options, message), signature, work)
    }

    /// Verifies a signature for the digest of a message, as [`Self::verify_message`] does.
    ///
    /// # Errors
    /// Returns the errors of [`Self::verify`]. Also returns an error if the scheme does not support
    /// the options, or if the pre-hash in the options is not the hash function that computed the
    /// digest.
    pub fn verify_digest(
        &self,
        level: Level,
        options: Options<'_>,
        digest: &MessageDigest,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        let message = MessageToVerify::digest(options, digest).map_err(VerifyError::Message)?;
        self.verify(level, message, signature, work)
    }

    /// Converts the key to a different scheme in the Falcon family, with the same polynomial h.
    /// `out` needs exactly [`Algorithm::verifying_key_len`] bytes, and `work` needs at least
    /// [`Algorithm::import_work_len`] bytes. You cannot convert signatures to a different scheme.
    ///
    /// # Errors
    /// Returns an error if a buffer has the wrong length, or if the key's scheme or the new scheme
    /// is not in the Falcon family.
    pub fn convert_into<'b>(
        &self,
        level: Level,
        scheme: Scheme,
        out: &'b mut [u8],
        work: &mut [u8],
    ) -> Result<VerifyingKeyRef<'b>, KeyError> {
        let target_algorithm = self.algorithm().with_scheme(scheme).ok_or(KeyError::OtherFamily)?;
        let (Some(source_algorithm), Some(falcon)) = (self.algorithm().falcon(), target_algorithm.falcon()) else {
            return Err(KeyError::OtherFamily);
        };
        check_exact_len(out.len(), target_algorithm.verifying_key_len()).map_err(KeyError::Work)?;
        check_work_len(work.len(), self.algorithm().import_work_len()).map_err(KeyError::Work)?;
        falcon::recode_public_into(level, source_algorithm, self.bytes, falcon, out, work);
        Ok(VerifyingKeyRef::trusted(target_algorithm, out))
    }

    /// Expands the key, to verify many signatures.
    #[cfg(feature = "alloc")]
    pub fn expand(&self, level: Level) -> alloc::boxed::Box<super::ExpandedVerifyingKey> {
        super::ExpandedVerifyingKey::new(level, self)
    }
}

/// Checks the length and the first byte of a signature, and returns a hasher for the message. If
/// the scheme hashes a nonce before the message, the hasher starts with the nonce in the signature.
/// `key` is the public key's hash. If the options have a pre-hash, the caller must pass the
/// message's digest with this pre-hash to [`VerifyingHasher::update`].
///
/// # Errors
/// Fails if the length or the first byte of the signature is wrong, or if the scheme does not
/// support the options.
#[cfg(feature = "alloc")]
pub(super) fn start_hashing(
    level: Level,
    algorithm: Algorithm,
    key: &KeyHash,
    options: Options<'_>,
    signature: &[u8],
) -> Result<VerifyingHasher, VerifyError> {
    SignatureRef::check_len_and_header(algorithm, signature)?;
    VerifyingHasher::start(level, algorithm, key, options, signature).map_err(VerifyError::Message)
}

/// Converts the verdict to a `Result`. This function compares the value with [`Verified::YES`]
/// again, to detect a fault in the machine.
pub(super) fn confirm(verified: Verified) -> Result<(), VerifyError> {
    if ct::barrier_u32(verified.value()) == Verified::YES { Ok(()) } else { Err(VerifyError::Mismatch) }
}

/// Verifies a signature in the Falcon family with the code for a level. The caller must check the
/// length of the work memory before this call.
pub(super) fn verify_at_level(
    level: Level,
    algorithm: FalconAlgorithm,
    h: PublicFields<'_>,
    message: MessageToVerify<'_>,
    signature: &[u8],
    work: &mut [u8],
) -> Result<Verified, VerifyError> {
    let scheme = Algorithm::of_falcon(algorithm).scheme();
    let point = message.point(scheme, signature).ok_or(VerifyError::OtherMessage)?;
    let task = Verification { algorithm, h, point, signature };
    let verdict = on_level!(level, |isa = integers| verify(isa, &task, Scratch::new(work)));
    verdict.map_err(|refused| falcon_error(refused, algorithm, signature))
}

/// Returns the error for a signature that the engine rejected.
pub(super) fn falcon_error(refused: FalconRejection, algorithm: FalconAlgorithm, signature: &[u8]) -> VerifyError {
    match refused {
        FalconRejection::Malformed(malformed) => signature_error(malformed, algorithm, signature),
        FalconRejection::Mismatch => VerifyError::Mismatch,
    }
}
