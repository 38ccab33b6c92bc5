//! Keys, signatures and forms that own their bytes: checked once, then kept. Keys take the memory that an operation needs from
//! the allocator; each type lends the borrowed one, whose operations allocate nothing.

use super::SEED_LEN;
use super::algorithm::{Algorithm, Scheme};
use super::{
    Form, KeyError, KeyHash, KeygenError, MessageError, MessageSigner, MessageVerifier, SignError, Signature,
    SigningKey, VerifyError, VerifyingKey,
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
/// use fndsa::{Algorithm, Form, OwnedSigningKey, OwnedVerifyingKey};
/// # let key = OwnedSigningKey::generate(Algorithm::FN_DSA_512, &mut getrandom::SysRng)?;
/// # let form = Form::with_context(b"release v1");
/// # let signature = key.sign(form, b"message", &mut getrandom::SysRng)?;
/// # let (published, signature) = (key.verifying_key().as_bytes().to_vec(), signature.as_bytes().to_vec());
/// let public = OwnedVerifyingKey::of_algorithm(Algorithm::FN_DSA_512, &published)?;
/// public.verify(form, b"message", &signature)?;
/// assert!(public.verify(form, b"another message", &signature).is_err());
/// assert!(public.verify(Form::default(), b"message", &signature).is_err(), "another context");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct OwnedVerifyingKey {
    algorithm: Algorithm,
    level: Level,
    bytes: Box<[u8]>,
}

impl OwnedVerifyingKey {
    /// Checks an encoded public key, as [`VerifyingKey::from_bytes`] does, and copies it. It verifies on
    /// [`Level::detect`], unless [`Self::with_level`] chooses another level.
    ///
    /// # Errors
    /// Those of [`VerifyingKey::from_bytes`].
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Self, KeyError> {
        VerifyingKey::from_bytes(scheme, bytes).map(Self::from)
    }

    /// Checks an encoded public key of an algorithm, as [`VerifyingKey::of_algorithm`] does, and copies it.
    ///
    /// # Errors
    /// Those of [`VerifyingKey::of_algorithm`].
    pub fn of_algorithm(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, KeyError> {
        VerifyingKey::of_algorithm(algorithm, bytes).map(Self::from)
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
    pub fn verify(&self, form: Form<'_>, message: &[u8], signature: impl AsRef<[u8]>) -> Result<(), VerifyError> {
        let mut work = vec![0; self.algorithm.verify_fast_work_len()];
        self.borrowed().verify_message(self.level, form, message, signature.as_ref(), &mut work)
    }

    /// Begins to verify the signature of a message that comes in pieces.
    ///
    /// # Errors
    /// The signature cannot be read; the scheme does not have that form.
    pub fn verifier<'k>(&'k self, form: Form<'_>, signature: &'k [u8]) -> Result<MessageVerifier<'k>, VerifyError> {
        MessageVerifier::new(self, form, signature)
    }

    /// The key, borrowed: with operations that allocate nothing.
    pub const fn borrowed(&self) -> VerifyingKey<'_> {
        VerifyingKey::trusted(self.algorithm, &self.bytes)
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
        self.borrowed().key_hash(self.level)
    }

    /// The encoding.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for OwnedVerifyingKey {
    fn eq(&self, other: &Self) -> bool {
        self.borrowed() == other.borrowed()
    }
}

impl Eq for OwnedVerifyingKey {}

impl core::hash::Hash for OwnedVerifyingKey {
    /// Equal keys have equal hashes: the level is not hashed.
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.algorithm, &self.bytes).hash(state);
    }
}

/// The order of algorithm and bytes, for sorted collections.
impl Ord for OwnedVerifyingKey {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        (self.algorithm, &self.bytes).cmp(&(other.algorithm, &other.bytes))
    }
}

impl PartialOrd for OwnedVerifyingKey {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl AsRef<[u8]> for OwnedVerifyingKey {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<VerifyingKey<'_>> for OwnedVerifyingKey {
    fn from(key: VerifyingKey<'_>) -> Self {
        Self { algorithm: key.algorithm(), level: Level::detect(), bytes: key.as_bytes().into() }
    }
}

/// A signature, canonically encoded, with its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OwnedSignature {
    algorithm: Algorithm,
    encoding: SignatureEncoding,
    bytes: Box<[u8]>,
}

impl OwnedSignature {
    /// Reads an encoded signature, as [`Signature::from_bytes`] does, and copies it.
    ///
    /// # Errors
    /// Those of [`Signature::from_bytes`].
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Self, VerifyError> {
        Signature::from_bytes(scheme, bytes).map(Self::from)
    }

    /// Reads an encoded signature of an algorithm, as [`Signature::of_algorithm`] does, and copies it.
    ///
    /// # Errors
    /// Those of [`Signature::of_algorithm`].
    pub fn of_algorithm(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, VerifyError> {
        Signature::of_algorithm(algorithm, bytes).map(Self::from)
    }

    /// A padded signature that was just made. Range: `bytes` are one.
    pub(super) fn padded(algorithm: Algorithm, bytes: Box<[u8]>) -> Self {
        Self { algorithm, encoding: SignatureEncoding::Padded, bytes }
    }

    /// Writes this signature in another encoding of its scheme. Returns `None` where [`Signature::recode_into`] does: the scheme, or this
    /// signature, has no such encoding.
    ///
    /// ```
    /// use fndsa::{Algorithm, Form, OwnedSigningKey, SignatureEncoding};
    /// let key = OwnedSigningKey::generate(Algorithm::FALCON_512, &mut getrandom::SysRng)?;
    /// let padded = key.sign(Form::default(), b"message", &mut getrandom::SysRng)?;
    /// let compressed = padded.recode(SignatureEncoding::Compressed).expect("Falcon has this encoding");
    /// assert!(padded.as_bytes().len() == 666 && compressed.as_bytes().len() < 666);
    /// key.verifying_key().verify(Form::default(), b"message", &compressed)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recode(&self, encoding: SignatureEncoding) -> Option<Self> {
        let mut bytes = vec![0; self.algorithm.encoded_signature_len(encoding)];
        let len = self.borrowed().recode_into(encoding, &mut bytes)?;
        bytes.truncate(len);
        Some(Self { algorithm: self.algorithm, encoding, bytes: bytes.into() })
    }

    /// The signature, borrowed: with operations that allocate nothing.
    pub const fn borrowed(&self) -> Signature<'_> {
        Signature::trusted(self.algorithm, self.encoding, &self.bytes)
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

impl AsRef<[u8]> for OwnedSignature {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<Signature<'_>> for OwnedSignature {
    fn from(signature: Signature<'_>) -> Self {
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
/// use fndsa::{Algorithm, Form, OwnedSigningKey};
/// use getrandom::SysRng;
///
/// let key = OwnedSigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
/// let signature = key.sign(Form::default(), b"message", &mut SysRng)?;
/// key.verifying_key().verify(Form::default(), b"message", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OwnedSigningKey {
    algorithm: Algorithm,
    level: Level,
    key_hash: KeyHash,
    bytes: Box<[u8]>,
}

impl OwnedSigningKey {
    /// Makes a key pair from [`SEED_LEN`] bytes of `rng`, on [`Level::detect`]. The public key is
    /// that of [`Self::verifying_key`].
    ///
    /// # Errors
    /// The generator's error, a scheme for verification alone, or a machine that errs.
    pub fn generate<R: TryCryptoRng + ?Sized>(
        algorithm: Algorithm,
        rng: &mut R,
    ) -> Result<Self, KeygenError<R::Error>> {
        let level = Level::detect();
        let mut work = vec![0; algorithm.keygen_fast_work_len()];
        let mut public = vec![0; algorithm.verifying_key_len()];
        let mut private = Self {
            algorithm,
            level,
            key_hash: KeyHash([0; KEY_HASH_LEN]),
            bytes: vec![0; algorithm.signing_key_len()].into(),
        };
        let made = SigningKey::generate(level, algorithm, rng, &mut private.bytes, &mut public, &mut work)?;
        private.key_hash = made.key_hash();
        Ok(private)
    }

    /// Takes the seed of a key of ML-DSA, as [`SigningKey::from_seed`] does, and copies it; the caller wipes `seed`.
    ///
    /// # Errors
    /// Those of [`SigningKey::from_seed`].
    pub fn from_seed(algorithm: Algorithm, seed: &[u8; SEED_LEN]) -> Result<Self, KeyError> {
        let mut work = vec![0; algorithm.import_fast_work_len()];
        SigningKey::from_seed(Level::detect(), algorithm, seed, &mut work).map(|key| Self::from(&key))
    }

    /// Checks an encoded private key of an algorithm in full, in any form that the algorithm has, as [`SigningKey::of_algorithm`] does,
    /// and copies it; the caller wipes `bytes`. The key signs on [`Level::detect`], unless [`Self::with_level`] chooses another level.
    ///
    /// ```
    /// use fndsa::{Algorithm, OwnedSigningKey};
    ///
    /// let key = OwnedSigningKey::generate(Algorithm::ML_DSA_65, &mut getrandom::SysRng)?;
    /// let read = OwnedSigningKey::of_algorithm(key.algorithm(), key.as_bytes())?;
    /// assert_eq!(read.verifying_key(), key.verifying_key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`SigningKey::of_algorithm`].
    pub fn of_algorithm(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, KeyError> {
        let mut work = vec![0; algorithm.import_fast_work_len()];
        SigningKey::of_algorithm(Level::detect(), algorithm, bytes, &mut work).map(|key| Self::from(&key))
    }

    /// Returns the key with another level for its operations. All levels give the same bytes.
    #[must_use]
    pub fn with_level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Signs a message that is in memory, with a signature in the padded encoding, and verifies the signature before it returns.
    ///
    /// Who signs often with one key takes [`SigningKey::expand`] of [`Self::borrowed`]: the expanded key computes once what each
    /// signature needs anew here.
    ///
    /// # Errors
    /// Those of [`SigningKey::sign_message`].
    pub fn sign<R: TryCryptoRng + ?Sized>(
        &self,
        form: Form<'_>,
        message: &[u8],
        rng: &mut R,
    ) -> Result<OwnedSignature, SignError<R::Error>> {
        self.signed(|key, signature, work| key.sign_message(self.level, form, message, rng, signature, work))
    }

    /// Begins to sign a message that comes in pieces.
    ///
    /// # Errors
    /// The scheme does not have that form; the generator's error.
    pub fn signer<R: TryCryptoRng + ?Sized>(
        &self,
        form: Form<'_>,
        rng: &mut R,
    ) -> Result<MessageSigner<'_>, SignError<R::Error>> {
        MessageSigner::new(self, form, rng)
    }

    /// Returns the signature that `sign` writes into memory of its own.
    pub(super) fn signed<E>(
        &self,
        sign: impl FnOnce(SigningKey<'_>, &mut [u8], &mut [u8]) -> Result<(), E>,
    ) -> Result<OwnedSignature, E> {
        let mut work = vec![0; self.algorithm.sign_fast_work_len()];
        let mut signature = vec![0; self.algorithm.signature_len()];
        sign(self.borrowed(), &mut signature, &mut work)?;
        Ok(OwnedSignature::padded(self.algorithm, signature.into()))
    }

    /// Computes the public key.
    pub fn verifying_key(&self) -> OwnedVerifyingKey {
        let mut bytes = vec![0; self.algorithm.verifying_key_len()];
        let mut work = vec![0; self.algorithm.import_fast_work_len()];
        self.borrowed().write_verifying_key(self.level, &mut bytes, &mut work);
        OwnedVerifyingKey { algorithm: self.algorithm, level: self.level, bytes: bytes.into() }
    }

    /// The key, borrowed: with operations that allocate nothing.
    pub fn borrowed(&self) -> SigningKey<'_> {
        SigningKey::trusted(self.algorithm, &self.bytes, self.key_hash)
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

impl From<&SigningKey<'_>> for OwnedSigningKey {
    fn from(key: &SigningKey<'_>) -> Self {
        Self {
            algorithm: key.algorithm(),
            level: Level::detect(),
            key_hash: key.key_hash(),
            bytes: key.as_bytes().into(),
        }
    }
}

impl Drop for OwnedSigningKey {
    fn drop(&mut self) {
        ct::wipe(&mut self.bytes);
    }
}

impl zeroize::ZeroizeOnDrop for OwnedSigningKey {}

impl core::fmt::Debug for OwnedSigningKey {
    /// Algorithm only: nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OwnedSigningKey").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}

/// A context: at most 255 bytes.
///
/// ```
/// use fndsa::{Context, MessageError};
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

/// [`Form`] with its context. Whether a scheme has it, [`Form::check`] tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnedForm {
    /// The context.
    pub context: Context,
    /// The hash that the message went through already.
    pub prehash: Option<PreHash>,
    /// [`Form::allow_weak_prehash`]. `serde` neither writes nor reads it: a document cannot allow a weak pre-hash.
    pub allow_weak_prehash: bool,
}

impl OwnedForm {
    /// Lends the form, as operations take it.
    pub const fn borrowed(&self) -> Form<'_> {
        let Self { context, prehash, allow_weak_prehash } = self;
        Form { context: context.as_bytes(), prehash: *prehash, allow_weak_prehash: *allow_weak_prehash }
    }
}

impl TryFrom<Form<'_>> for OwnedForm {
    type Error = MessageError;

    fn try_from(form: Form<'_>) -> Result<Self, MessageError> {
        let Form { context, prehash, allow_weak_prehash } = form;
        Ok(Self { context: Context::new(context)?, prehash, allow_weak_prehash })
    }
}
