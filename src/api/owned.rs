//! Keys, signatures and forms that own their bytes: checked once, then kept. Keys take the memory that an operation needs from
//! the allocator; each type lends the borrowed one, whose operations allocate nothing.

use super::SEED_LEN;
use super::algorithm::{Algorithm, Scheme};
use super::{
    Error, KeyHash, MessageError, MessageSigner, MessageVerifier, Options, SignatureRef, SigningKeyRef, VerifyingKeyRef,
};
use crate::engine::falcon::scheme::SignatureEncoding;
use crate::engine::hash::message::{KEY_HASH_LEN, MAX_CONTEXT_LEN};
use crate::engine::hash::prehash::PreHash;
use crate::simd::{Level, ct};
use alloc::boxed::Box;
use alloc::vec;
use rand_core::TryCryptoRng;

/// A public key, checked, with its bytes.
///
/// Two keys are equal if algorithm and bytes are, on whatever level they verify.
///
/// ```
/// use fndsa::{Algorithm, Options, SigningKey, VerifyingKey};
/// # let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut getrandom::SysRng)?;
/// # let options = Options::with_context(b"release v1");
/// # let signature = key.sign(options, b"message", &mut getrandom::SysRng)?;
/// # let (published, signature) = (key.verifying_key().as_bytes().to_vec(), signature.as_bytes().to_vec());
/// let public = VerifyingKey::of_algorithm(Algorithm::FN_DSA_512, &published)?;
/// public.verify(options, b"message", &signature)?;
/// assert!(public.verify(options, b"another message", &signature).is_err());
/// assert!(public.verify(Options::default(), b"message", &signature).is_err(), "another context");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VerifyingKey {
    algorithm: Algorithm,
    level: Level,
    bytes: Box<[u8]>,
}

impl VerifyingKey {
    /// Checks an encoded public key, as [`VerifyingKeyRef::from_bytes`] does, and copies it. It verifies on
    /// [`Level::detect`], unless [`Self::with_level`] chooses another level.
    ///
    /// # Errors
    /// Those of [`VerifyingKeyRef::from_bytes`].
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Self, Error> {
        Ok(VerifyingKeyRef::from_bytes(scheme, bytes)?.into())
    }

    /// Checks an encoded public key of an algorithm, as [`VerifyingKeyRef::of_algorithm`] does, and copies it.
    ///
    /// # Errors
    /// Those of [`VerifyingKeyRef::of_algorithm`].
    pub fn of_algorithm(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        Ok(VerifyingKeyRef::of_algorithm(algorithm, bytes)?.into())
    }

    /// Returns the key with another level for its operations. All levels give the same answers.
    #[must_use]
    pub fn with_level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Verifies the signature of a message that is in memory.
    ///
    /// # Errors
    /// Why the signature is not valid; the scheme does not have that form. Only `Ok` means that the signature is valid.
    pub fn verify(&self, options: Options<'_>, message: &[u8], signature: impl AsRef<[u8]>) -> Result<(), Error> {
        let mut work = vec![0; self.algorithm.verify_fast_work_len()];
        Ok(self.to_ref().verify_message(self.level, options, message, signature.as_ref(), &mut work)?)
    }

    /// Begins to verify the signature of a message that comes in pieces.
    ///
    /// # Errors
    /// The signature cannot be read; the scheme does not have that form.
    pub fn verifier<'k>(&'k self, options: Options<'_>, signature: &'k [u8]) -> Result<MessageVerifier<'k>, Error> {
        MessageVerifier::new(self, options, signature)
    }

    /// The key, borrowed: with operations that allocate nothing.
    pub const fn to_ref(&self) -> VerifyingKeyRef<'_> {
        VerifyingKeyRef::trusted(self.algorithm, &self.bytes)
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The level of its operations.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// SHAKE256 of the encoding: what FN-DSA and ML-DSA hash before the message.
    pub fn key_hash(&self) -> KeyHash {
        self.to_ref().key_hash(self.level)
    }

    /// The encoding.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for VerifyingKey {
    fn eq(&self, other: &Self) -> bool {
        self.to_ref() == other.to_ref()
    }
}

impl Eq for VerifyingKey {}

impl core::hash::Hash for VerifyingKey {
    /// Equal keys have equal hashes: the level is not hashed.
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.algorithm, &self.bytes).hash(state);
    }
}

/// The order of algorithm and bytes, for sorted collections.
impl Ord for VerifyingKey {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        (self.algorithm, &self.bytes).cmp(&(other.algorithm, &other.bytes))
    }
}

impl PartialOrd for VerifyingKey {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<VerifyingKeyRef<'_>> for VerifyingKey {
    fn from(key: VerifyingKeyRef<'_>) -> Self {
        Self { algorithm: key.algorithm(), level: Level::detect(), bytes: key.as_bytes().into() }
    }
}

/// A signature, canonically encoded, with its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    algorithm: Algorithm,
    encoding: SignatureEncoding,
    bytes: Box<[u8]>,
}

impl Signature {
    /// Reads an encoded signature, as [`SignatureRef::from_bytes`] does, and copies it.
    ///
    /// # Errors
    /// Those of [`SignatureRef::from_bytes`].
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Self, Error> {
        Ok(SignatureRef::from_bytes(scheme, bytes)?.into())
    }

    /// Reads an encoded signature of an algorithm, as [`SignatureRef::of_algorithm`] does, and copies it.
    ///
    /// # Errors
    /// Those of [`SignatureRef::of_algorithm`].
    pub fn of_algorithm(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        Ok(SignatureRef::of_algorithm(algorithm, bytes)?.into())
    }

    /// A padded signature that was just made. Range: `bytes` are one.
    pub(super) fn padded(algorithm: Algorithm, bytes: Box<[u8]>) -> Self {
        Self { algorithm, encoding: SignatureEncoding::Padded, bytes }
    }

    /// Writes this signature in another encoding of its scheme. Returns `None` where [`SignatureRef::recode_into`] does: the scheme, or this
    /// signature, has no such encoding.
    ///
    /// ```
    /// use fndsa::algorithm::SignatureEncoding;
    /// use fndsa::{Algorithm, Options, SigningKey};
    /// let key = SigningKey::generate(Algorithm::FALCON_512, &mut getrandom::SysRng)?;
    /// let padded = key.sign(Options::default(), b"message", &mut getrandom::SysRng)?;
    /// let compressed = padded.recode(SignatureEncoding::Compressed).expect("Falcon has this encoding");
    /// assert!(padded.as_bytes().len() == 666 && compressed.as_bytes().len() < 666);
    /// key.verifying_key().verify(Options::default(), b"message", &compressed)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recode(&self, encoding: SignatureEncoding) -> Option<Self> {
        let mut bytes = vec![0; self.algorithm.encoded_signature_len(encoding)];
        let len = self.to_ref().recode_into(encoding, &mut bytes)?;
        bytes.truncate(len);
        Some(Self { algorithm: self.algorithm, encoding, bytes: bytes.into() })
    }

    /// The signature, borrowed: with operations that allocate nothing.
    pub const fn to_ref(&self) -> SignatureRef<'_> {
        SignatureRef::trusted(self.algorithm, self.encoding, &self.bytes)
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How the coefficients stand in it.
    pub const fn encoding(&self) -> SignatureEncoding {
        self.encoding
    }

    /// The encoding, byte for byte.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<SignatureRef<'_>> for Signature {
    fn from(signature: SignatureRef<'_>) -> Self {
        let (algorithm, encoding) = (signature.algorithm(), signature.encoding());
        Self { algorithm, encoding, bytes: signature.as_bytes().into() }
    }
}

/// A private key, checked, with its bytes. They are wiped when it is dropped, and never printed.
///
/// With the feature `serde` this type, and no other, writes a private key: whoever serialises it has the
/// secret in the output, and wipes that.
///
/// ```
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
/// let signature = key.sign(Options::default(), b"message", &mut SysRng)?;
/// key.verifying_key().verify(Options::default(), b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKey {
    algorithm: Algorithm,
    level: Level,
    key_hash: KeyHash,
    bytes: Box<[u8]>,
}

impl SigningKey {
    /// Makes a key pair from [`SEED_LEN`] bytes of `rng`, on [`Level::detect`]. The public key is
    /// that of [`Self::verifying_key`].
    ///
    /// # Errors
    /// The generator's error, a scheme for verification alone, or a machine that errs.
    pub fn generate<R: TryCryptoRng + ?Sized>(algorithm: Algorithm, rng: &mut R) -> Result<Self, Error> {
        let level = Level::detect();
        let mut work = vec![0; algorithm.keygen_fast_work_len()];
        let mut public = vec![0; algorithm.verifying_key_len()];
        let mut private = Self {
            algorithm,
            level,
            key_hash: KeyHash([0; KEY_HASH_LEN]),
            bytes: vec![0; algorithm.signing_key_len()].into(),
        };
        let made = SigningKeyRef::generate(level, algorithm, rng, &mut private.bytes, &mut public, &mut work)?;
        private.key_hash = made.key_hash();
        Ok(private)
    }

    /// Takes the seed of a key of ML-DSA, as [`SigningKeyRef::from_seed`] does, and copies it; the caller wipes `seed`.
    ///
    /// # Errors
    /// Those of [`SigningKeyRef::from_seed`].
    pub fn from_seed(algorithm: Algorithm, seed: &[u8; SEED_LEN]) -> Result<Self, Error> {
        let mut work = vec![0; algorithm.import_fast_work_len()];
        let key = SigningKeyRef::from_seed(Level::detect(), algorithm, seed, &mut work)?;
        Ok(Self::from(&key))
    }

    /// Checks an encoded private key of an algorithm in full, in any form that the algorithm has, as [`SigningKeyRef::of_algorithm`] does,
    /// and copies it; the caller wipes `bytes`. The key signs on [`Level::detect`], unless [`Self::with_level`] chooses another level.
    ///
    /// ```
    /// use fndsa::{Algorithm, SigningKey};
    ///
    /// let key = SigningKey::generate(Algorithm::ML_DSA_65, &mut getrandom::SysRng)?;
    /// let read = SigningKey::of_algorithm(key.algorithm(), key.as_bytes())?;
    /// assert_eq!(read.verifying_key(), key.verifying_key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`SigningKeyRef::of_algorithm`].
    pub fn of_algorithm(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        let mut work = vec![0; algorithm.import_fast_work_len()];
        let key = SigningKeyRef::of_algorithm(Level::detect(), algorithm, bytes, &mut work)?;
        Ok(Self::from(&key))
    }

    /// Returns the key with another level for its operations. All levels give the same bytes.
    #[must_use]
    pub fn with_level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Signs a message that is in memory, with a signature in the padded encoding, and verifies the signature before it returns.
    ///
    /// Who signs often with one key takes [`SigningKeyRef::expand`] of [`Self::to_ref`]: the expanded key computes once what each
    /// signature needs anew here.
    ///
    /// # Errors
    /// Those of [`SigningKeyRef::sign_message`].
    pub fn sign<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        message: &[u8],
        rng: &mut R,
    ) -> Result<Signature, Error> {
        let signature =
            self.signed(|key, signature, work| key.sign_message(self.level, options, message, rng, signature, work))?;
        Ok(signature)
    }

    /// Begins to sign a message that comes in pieces.
    ///
    /// # Errors
    /// The scheme does not have that form; the generator's error.
    pub fn signer<R: TryCryptoRng + ?Sized>(
        &self,
        options: Options<'_>,
        rng: &mut R,
    ) -> Result<MessageSigner<'_>, Error> {
        MessageSigner::new(self, options, rng)
    }

    /// Returns the signature that `sign` writes into memory of its own.
    pub(super) fn signed<E>(
        &self,
        sign: impl FnOnce(SigningKeyRef<'_>, &mut [u8], &mut [u8]) -> Result<(), E>,
    ) -> Result<Signature, E> {
        let mut work = vec![0; self.algorithm.sign_fast_work_len()];
        let mut signature = vec![0; self.algorithm.signature_len()];
        sign(self.to_ref(), &mut signature, &mut work)?;
        Ok(Signature::padded(self.algorithm, signature.into()))
    }

    /// Computes the public key.
    pub fn verifying_key(&self) -> VerifyingKey {
        let mut bytes = vec![0; self.algorithm.verifying_key_len()];
        let mut work = vec![0; self.algorithm.import_fast_work_len()];
        self.to_ref().write_verifying_key(self.level, &mut bytes, &mut work);
        VerifyingKey { algorithm: self.algorithm, level: self.level, bytes: bytes.into() }
    }

    /// The key, borrowed: with operations that allocate nothing.
    pub fn to_ref(&self) -> SigningKeyRef<'_> {
        SigningKeyRef::trusted(self.algorithm, &self.bytes, self.key_hash)
    }

    /// The level of its operations.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        self.key_hash
    }

    /// The encoding. It is secret.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<&SigningKeyRef<'_>> for SigningKey {
    fn from(key: &SigningKeyRef<'_>) -> Self {
        Self {
            algorithm: key.algorithm(),
            level: Level::detect(),
            key_hash: key.key_hash(),
            bytes: key.as_bytes().into(),
        }
    }
}

impl Drop for SigningKey {
    fn drop(&mut self) {
        ct::wipe(&mut self.bytes);
    }
}

impl zeroize::ZeroizeOnDrop for SigningKey {}

impl core::fmt::Debug for SigningKey {
    /// Algorithm only: nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKey").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}

/// A context: at most 255 bytes.
///
/// ```
/// use fndsa::error::MessageError;
/// use fndsa::message::Context;
/// assert_eq!(Context::new(b"release v1")?.as_bytes(), b"release v1");
/// assert_eq!(Context::new(&[0; 256]), Err(MessageError::ContextLen { found: 256 }));
/// # Ok::<(), MessageError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Context(Box<[u8]>);

impl Context {
    /// A context of these bytes.
    ///
    /// # Errors
    /// More than 255 bytes.
    pub fn new(bytes: &[u8]) -> Result<Self, MessageError> {
        if bytes.len() > MAX_CONTEXT_LEN {
            return Err(MessageError::ContextLen { found: bytes.len() });
        }
        Ok(Self(bytes.into()))
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// [`Options`] with its context. Whether a scheme has it, [`Options::check`] tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnedOptions {
    /// The context.
    pub context: Context,
    /// The hash that the message went through already.
    pub prehash: Option<PreHash>,
    /// [`Options::allow_weak_prehash`]. `serde` neither writes nor reads it: a document cannot allow a weak pre-hash.
    pub allow_weak_prehash: bool,
}

impl OwnedOptions {
    /// Lends the form, as operations take it.
    pub const fn to_ref(&self) -> Options<'_> {
        let Self { context, prehash, allow_weak_prehash } = self;
        Options { context: context.as_bytes(), prehash: *prehash, allow_weak_prehash: *allow_weak_prehash }
    }
}

impl TryFrom<Options<'_>> for OwnedOptions {
    type Error = MessageError;

    fn try_from(options: Options<'_>) -> Result<Self, MessageError> {
        let Options { context, prehash, allow_weak_prehash } = options;
        Ok(Self { context: Context::new(context)?, prehash, allow_weak_prehash })
    }
}
