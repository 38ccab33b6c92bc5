//! Public keys and the yes-or-no answer.

#[cfg(feature = "alloc")]
use super::VerifyingHasher;
use super::algorithm::{Algorithm, Family, FamilyScheme, Scheme};
use super::message::InMemory;
use super::signature::refusal;
use super::{KeyError, KeyHash, MessageToVerify, Options, SignatureRef, VerifyError, enough_work, exact_len};
use super::{falcon, mldsa};
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::verify::{Claim, PublicFields, Refusal, WholeClaim, verify, verify_whole};
use crate::engine::hash::message::{HashedFor, KEY_HASH_LEN, MU_LEN, Whole};
use crate::engine::hash::shake::shake256_into;
use crate::engine::mldsa::verify::MuClaim;
use crate::engine::verdict::Verified;
use crate::simd::{Level, Scratch, ct, on_level};

/// A public key, checked: its encoding, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyingKeyRef<'a> {
    bytes: &'a [u8],
    algorithm: Algorithm,
}

impl<'a> VerifyingKeyRef<'a> {
    /// Checks an encoded public key. In the family of FN-DSA: header, length, every field below q, not all zeros. In ML-DSA the length,
    /// which tells the algorithm: any bytes of that length are a key. In Ed25519 a point in its one encoding, none of small order.
    ///
    /// The bytes choose the algorithm: [`Self::of_algorithm`] is for callers who know the algorithm.
    ///
    /// # Errors
    /// Why the key is rejected; the key is of a [toy](Algorithm::is_toy).
    pub fn from_bytes(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, KeyError> {
        let key = Self::of_scheme(scheme, bytes)?;
        let found = key.algorithm;
        if found.is_toy() { Err(KeyError::Toy { found }) } else { Ok(key) }
    }

    /// Checks an encoded public key as [`Self::from_bytes`] does, and that the key is of this algorithm.
    ///
    /// # Errors
    /// Why the key is rejected; the key is of another algorithm.
    pub fn of_algorithm(algorithm: Algorithm, bytes: &'a [u8]) -> Result<Self, KeyError> {
        let key = Self::of_scheme(algorithm.scheme(), bytes)?;
        let found = key.algorithm;
        if found == algorithm { Ok(key) } else { Err(KeyError::OtherAlgorithm { wanted: algorithm, found }) }
    }

    /// [`Self::from_bytes`] of a toy or another algorithm of the scheme.
    pub(crate) fn of_scheme(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, KeyError> {
        let algorithm = match scheme.family() {
            FamilyScheme::Falcon(scheme) => Algorithm::of_falcon(falcon::check_public(scheme, bytes)?),
            FamilyScheme::MlDsa => Algorithm::of_set(mldsa::public_set(bytes)?),
            #[cfg(feature = "ed25519")]
            FamilyScheme::Ed25519 => {
                super::ed25519::check_public(bytes)?;
                Algorithm::ED25519
            }
        };
        Ok(Self { bytes, algorithm })
    }

    /// Takes a key that this crate has just written.
    pub(super) const fn trusted(algorithm: Algorithm, bytes: &'a [u8]) -> Self {
        Self { bytes, algorithm }
    }

    /// The encoding.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm.scheme()
    }

    /// SHAKE256 of the encoding: what FN-DSA and ML-DSA hash before the message.
    pub fn key_hash(&self, level: Level) -> KeyHash {
        let mut hash = [0; KEY_HASH_LEN];
        on_level!(level, |isa = integers| shake256_into(isa, &[self.bytes], &mut hash));
        KeyHash(hash)
    }

    /// The hash that messages are hashed with: [`Self::key_hash`] where the scheme [binds the key](Scheme::binds_key). Of
    /// other schemes nothing is hashed, and it is zeros, which [`VerifyingHasher`] does not look at.
    ///
    /// ```
    /// use fndsa::algorithm::Scheme;
    /// use fndsa::no_alloc::{Level, VerifyingKeyRef};
    /// # let mut bytes = [0; 897];
    /// # bytes[0] = 9;
    /// # bytes[896] = 1;
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

    /// Verifies one signature: of a `mu`, of a message that was hashed for it, or of a message in memory. `work` has at least
    /// [`Algorithm::verify_work_len`] bytes.
    ///
    /// # Errors
    /// Why the signature is not valid. Only `Ok` means that it is.
    pub fn verify<'m>(
        &self,
        level: Level,
        message: impl Into<MessageToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        self.verified(level, message, signature, work).and_then(confirm)
    }

    /// Verifies as [`Self::verify`] does, for callers who guard against faults of the machine: the answer is a value to compare with
    /// [`Verified::YES`] where it is acted on, more than once.
    ///
    /// # Errors
    /// Those of [`Self::verify`].
    // Inlined, so that a program that hashes its messages in pieces has no code for those in memory.
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

    /// [`Self::verified`] of a message that is hashed.
    #[inline(never)]
    fn verified_hashed(
        &self,
        level: Level,
        message: MessageToVerify<'_>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        enough_work(work.len(), self.algorithm.verify_work_len()).map_err(VerifyError::Work)?;
        match self.algorithm.family() {
            Family::Falcon(algorithm) => {
                let h = PublicFields::Packed(&self.bytes[1..]);
                level_verify(level, algorithm, h, message, signature, work)
            }
            Family::MlDsa(set) => {
                let mu = message.mu().ok_or(VerifyError::OtherMessage)?;
                mldsa::verify_mu(level, &MuClaim { set, public: self.bytes, mu, signature }, work)
            }
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => {
                let message = message.prehashed().ok_or(VerifyError::OtherMessage)?;
                super::ed25519::verify(self.bytes, message, signature)
            }
        }
    }

    /// [`Self::verified`] of a message that is to be hashed.
    #[inline(never)]
    fn verified_in_memory(
        &self,
        level: Level,
        message: InMemory<'_>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let scheme = self.scheme();
        SignatureRef::check_length(self.algorithm, signature)?;
        message.check(self.algorithm).map_err(VerifyError::Message)?;
        enough_work(work.len(), self.algorithm.verify_work_len()).map_err(VerifyError::Work)?;
        let InMemory { options: Options { context, prehash, .. }, bytes } = message;
        let whole = Whole { key: HashedFor::Key(self.bytes), prehash, context, message: bytes };
        match self.algorithm.family() {
            Family::Falcon(algorithm) => {
                let claim = &WholeClaim { algorithm, public: self.bytes, whole, signature };
                let verdict = on_level!(level, |isa = integers| verify_whole(isa, claim, Scratch::new(work)));
                verdict.map_err(|refused| refused_by(refused, algorithm, signature))
            }
            Family::MlDsa(set) => {
                let mut mu = [0; MU_LEN];
                on_level!(level, |isa = integers| whole.mu_into(isa, scheme.hashing(), &mut mu));
                mldsa::verify_mu(level, &MuClaim { set, public: self.bytes, mu: &mu, signature }, work)
            }
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => super::ed25519::verify_message(self.bytes, message.options, bytes, signature),
        }
    }

    /// Verifies one signature of a message that is in memory. `work` has at least [`Algorithm::verify_work_len`] bytes.
    ///
    /// ```
    /// use fndsa::no_alloc::{Level, VerifyingKeyRef};
    /// use fndsa::{Algorithm, Options};
    /// # #[cfg(feature = "alloc")] {
    /// # let rng = &mut getrandom::SysRng;
    /// # let key = fndsa::SigningKey::generate(Algorithm::FN_DSA_1024, rng)?;
    /// # let signature = key.sign(Options::default(), b"a message", rng)?;
    /// # let (public, signature) = (key.verifying_key(), signature.as_bytes());
    /// # let public = public.as_bytes();
    /// let key = VerifyingKeyRef::of_algorithm(Algorithm::FN_DSA_1024, public)?;
    /// let mut work = [0; Algorithm::FN_DSA_1024.verify_work_len()];
    /// key.verify_message(Level::detect(), Options::default(), b"a message", signature, &mut work)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why the signature is not valid; the scheme does not have that form. Only `Ok` means that the signature is valid.
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

    /// Writes the same key as a public key of another scheme into `out`, exactly
    /// [`Algorithm::verifying_key_len`] bytes. `work` has at least [`Algorithm::import_work_len`] bytes.
    /// Signatures do not follow.
    ///
    /// # Errors
    /// A buffer of the wrong size; one of the schemes is ML-DSA, whose keys are of another kind.
    pub fn convert_into<'b>(
        &self,
        level: Level,
        scheme: Scheme,
        out: &'b mut [u8],
        work: &mut [u8],
    ) -> Result<VerifyingKeyRef<'b>, KeyError> {
        let to = self.algorithm().with_scheme(scheme).ok_or(KeyError::OtherFamily)?;
        let (Some(from), Some(falcon)) = (self.algorithm().falcon(), to.falcon()) else {
            return Err(KeyError::OtherFamily);
        };
        exact_len(out.len(), to.verifying_key_len()).map_err(KeyError::Work)?;
        enough_work(work.len(), self.algorithm().import_work_len()).map_err(KeyError::Work)?;
        falcon::recode_public_into(level, from, self.bytes, falcon, out, work);
        Ok(VerifyingKeyRef::trusted(to, out))
    }

    /// Expands the key for many verifications.
    #[cfg(feature = "alloc")]
    pub fn expand(&self, level: Level) -> alloc::boxed::Box<super::ExpandedVerifyingKey> {
        super::ExpandedVerifyingKey::new(level, self)
    }
}

/// Begins to hash the message of a signature, for the key of this hash.
///
/// # Errors
/// The signature cannot be read; the scheme does not have that form.
#[cfg(feature = "alloc")]
pub(super) fn hash_message(
    level: Level,
    algorithm: Algorithm,
    key: &KeyHash,
    options: Options<'_>,
    signature: &[u8],
) -> Result<VerifyingHasher, VerifyError> {
    SignatureRef::check_length(algorithm, signature)?;
    VerifyingHasher::new(level, algorithm, key, options, signature).map_err(VerifyError::Message)
}

/// Checks the answer a second time, against faults.
pub(super) fn confirm(verified: Verified) -> Result<(), VerifyError> {
    if ct::barrier_u32(verified.value()) == Verified::YES { Ok(()) } else { Err(VerifyError::Mismatch) }
}

/// Verifies on one level, in the family of FN-DSA. Range: the length of the work memory was checked.
pub(super) fn level_verify(
    level: Level,
    algorithm: FalconAlgorithm,
    h: PublicFields<'_>,
    message: MessageToVerify<'_>,
    signature: &[u8],
    work: &mut [u8],
) -> Result<Verified, VerifyError> {
    let scheme = Algorithm::of_falcon(algorithm).scheme();
    let point = message.point(scheme, signature).ok_or(VerifyError::OtherMessage)?;
    let claim = Claim { algorithm, h, point, signature };
    let verdict = on_level!(level, |isa = integers| verify(isa, &claim, Scratch::new(work)));
    verdict.map_err(|refused| refused_by(refused, algorithm, signature))
}

/// Returns the error for a signature that the engine refuses.
pub(super) fn refused_by(refused: Refusal, algorithm: FalconAlgorithm, signature: &[u8]) -> VerifyError {
    match refused {
        Refusal::Malformed(malformed) => refusal(malformed, algorithm, signature),
        Refusal::Norm => VerifyError::Mismatch,
    }
}
