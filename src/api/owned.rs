//! Public keys, signatures and options that own their bytes. The constructors check the bytes.
//!
//! The keys allocate the memory for each operation. Keys, signatures and options have a method
//! `to_ref`, which returns a borrowed type. The operations of a borrowed key use work memory from
//! the caller.

use super::algorithm::{Algorithm, Scheme};
use super::{Error, KeyHash, MessageDigest, MessageError, MessageVerifier, Options, SignatureRef, VerifyingKeyRef};
use crate::engine::falcon::scheme::SignatureEncoding;
use crate::engine::hash::message::MAX_CONTEXT_LEN;
use crate::engine::hash::prehash::PreHash;
use crate::simd::Level;
use alloc::boxed::Box;
use alloc::vec;

/// A public key that was checked. The key owns its bytes.
///
/// Two keys are equal if the algorithm and the bytes are equal, even if the levels (instruction
/// sets) are different. If a private key is used in several schemes of the Falcon family, its
/// public keys in these schemes are not equal. To count signers, use `verdict::TrustedKey`, which
/// has the same identity for all these public keys.
///
/// ```
/// use fndsa::{Algorithm, Options, SigningKey, VerifyingKey};
/// use getrandom::SysRng;
///
/// let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
/// let options = Options::with_context(b"release v1");
/// let signature = key.sign(options, b"message", &mut SysRng)?;
/// let published = key.verifying_key().as_bytes().to_vec();
///
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
    /// Checks an encoded public key, as [`VerifyingKeyRef::from_bytes`] does, and copies it. The
    /// key uses [`Level::detect`], unless you choose a different level with [`Self::with_level`].
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKeyRef::from_bytes`].
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Self, Error> {
        Ok(VerifyingKeyRef::from_bytes(scheme, bytes)?.into())
    }

    /// Checks an encoded public key for an algorithm, as [`VerifyingKeyRef::of_algorithm`] does,
    /// and copies it.
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKeyRef::of_algorithm`].
    pub fn of_algorithm(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        Ok(VerifyingKeyRef::of_algorithm(algorithm, bytes)?.into())
    }

    /// Returns the key with this level. The level does not change the result of a verification.
    #[must_use]
    pub fn with_level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Verifies a signature for a message in memory. If the options have a pre-hash, this function
    /// hashes the message first.
    ///
    /// # Errors
    /// Returns an error if the signature is not valid, if the scheme does not support the options,
    /// or if the library was built without the pre-hash. The signature is valid only if this
    /// function returns `Ok`.
    pub fn verify(&self, options: Options<'_>, message: &[u8], signature: impl AsRef<[u8]>) -> Result<(), Error> {
        if let Some(digest) = MessageDigest::required(self.level, self.algorithm, options, message)? {
            return self.verify_digest(options, &digest, signature);
        }
        let mut work = vec![0; self.algorithm.verify_fast_work_len()];
        Ok(self.to_ref().verify_message(self.level, options, message, signature.as_ref(), &mut work)?)
    }

    /// Verifies a signature for the digest of a message. The pre-hash in the options must be `None`
    /// or the digest's hash function.
    ///
    /// # Errors
    /// Returns the errors of [`Self::verify`], or an error if the pre-hash in the options is not
    /// the digest's hash function.
    pub fn verify_digest(
        &self,
        options: Options<'_>,
        digest: &MessageDigest,
        signature: impl AsRef<[u8]>,
    ) -> Result<(), Error> {
        let mut work = vec![0; self.algorithm.verify_fast_work_len()];
        Ok(self.to_ref().verify_digest(self.level, options, digest, signature.as_ref(), &mut work)?)
    }

    /// Starts to verify a signature for a message in pieces.
    ///
    /// # Errors
    /// Returns an error if the length or the first byte of the signature is wrong, or if the scheme
    /// does not support the options.
    pub fn verifier<'k>(
        &'k self,
        options: Options<'_>,
        signature: &'k (impl AsRef<[u8]> + ?Sized),
    ) -> Result<MessageVerifier<'k>, Error> {
        MessageVerifier::new(self, options, signature.as_ref())
    }

    /// Borrows the key. The operations of the borrowed key use work memory from the caller.
    pub const fn to_ref(&self) -> VerifyingKeyRef<'_> {
        VerifyingKeyRef::trusted(self.algorithm, &self.bytes)
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the level for the operations of this key.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Returns the hash of the public key, as [`VerifyingKeyRef::key_hash`] does.
    pub fn key_hash(&self) -> KeyHash {
        self.to_ref().key_hash(self.level)
    }

    /// Returns the encoding.
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
    /// Hashes the algorithm and the bytes, but not the level: equal keys have equal hashes.
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.algorithm, &self.bytes).hash(state);
    }
}

/// Keys are sorted by the algorithm and then by the bytes. You can therefore use them in sorted
/// collections.
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

/// A signature with a canonical encoding. The signature owns its bytes, and is not verified yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    algorithm: Algorithm,
    encoding: SignatureEncoding,
    bytes: Box<[u8]>,
}

impl Signature {
    /// Parses an encoded signature, as [`SignatureRef::from_bytes`] does, and copies it.
    ///
    /// # Errors
    /// Returns the errors of [`SignatureRef::from_bytes`].
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Self, Error> {
        Ok(SignatureRef::from_bytes(scheme, bytes)?.into())
    }

    /// Parses an encoded signature for an algorithm, as [`SignatureRef::of_algorithm`] does, and
    /// copies it.
    ///
    /// # Errors
    /// Returns the errors of [`SignatureRef::of_algorithm`].
    pub fn of_algorithm(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        Ok(SignatureRef::of_algorithm(algorithm, bytes)?.into())
    }

    /// Wraps a new signature's bytes. `bytes` must be a signature in the padded encoding.
    pub(super) fn padded(algorithm: Algorithm, bytes: Box<[u8]>) -> Self {
        Self { algorithm, encoding: SignatureEncoding::Padded, bytes }
    }

    /// Converts the signature to a different encoding. Returns `None` if the scheme does not have
    /// this encoding, or if the signature is too long for this encoding, as in
    /// [`SignatureRef::recode_into`].
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

    /// Borrows the signature. The operations of the borrowed signature do not allocate memory.
    pub const fn to_ref(&self) -> SignatureRef<'_> {
        SignatureRef::trusted(self.algorithm, self.encoding, &self.bytes)
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the coefficients' encoding.
    pub const fn encoding(&self) -> SignatureEncoding {
        self.encoding
    }

    /// Returns the encoded bytes.
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

/// A context with at most 255 bytes.
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
    /// Copies a context's bytes.
    ///
    /// # Errors
    /// Returns an error if there are more than 255 bytes.
    pub fn new(bytes: &[u8]) -> Result<Self, MessageError> {
        if bytes.len() > MAX_CONTEXT_LEN {
            return Err(MessageError::ContextLen { found: bytes.len() });
        }
        Ok(Self(bytes.into()))
    }

    /// Returns the bytes.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Options like [`Options`], but with a context that owns its bytes. To check whether an algorithm
/// supports these options, call [`Options::check`] on [`Self::to_ref`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedOptions {
    /// The context.
    pub context: Context,
    /// The pre-hash, as in [`Options::prehash`].
    pub prehash: Option<PreHash>,
    /// The value of [`Options::allow_weak_prehash`]. This field is not serialised with `serde`,
    /// because a document must not be able to allow a weak pre-hash.
    pub allow_weak_prehash: bool,
}

impl OwnedOptions {
    /// Borrows the options, to pass them to an operation.
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
