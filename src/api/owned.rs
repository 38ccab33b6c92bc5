//! Keys, signatures and forms that own their bytes: checked once, then kept. Each lends the borrowed type, which
//! has the operations.

use super::{Form, KeyError, KeyHash, MessageError, Signature, SigningKey, VerifyError, VerifyingKey};
use crate::engine::message::PreHash;
use crate::engine::params::{Degree, KEY_HASH_LEN, MAX_CONTEXT_LEN};
use crate::engine::scheme::{Algorithm, Scheme, SignatureEncoding};
use crate::simd::{Level, ct};
use alloc::boxed::Box;
use alloc::vec;

/// A public key, checked, with its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedVerifyingKey {
    algorithm: Algorithm,
    bytes: Box<[u8]>,
}

impl OwnedVerifyingKey {
    /// As [`VerifyingKey::from_bytes`].
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Self, KeyError> {
        VerifyingKey::from_bytes(scheme, bytes).map(Self::from)
    }

    /// The key, with its operations.
    pub const fn borrowed(&self) -> VerifyingKey<'_> {
        VerifyingKey::trusted(self.algorithm, &self.bytes)
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The encoding.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<VerifyingKey<'_>> for OwnedVerifyingKey {
    fn from(key: VerifyingKey<'_>) -> Self {
        Self { algorithm: key.algorithm(), bytes: key.as_bytes().into() }
    }
}

/// A signature, canonically encoded, with its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedSignature {
    algorithm: Algorithm,
    encoding: SignatureEncoding,
    bytes: Box<[u8]>,
}

impl OwnedSignature {
    /// As [`Signature::from_bytes`].
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Self, VerifyError> {
        Signature::from_bytes(scheme, bytes).map(Self::from)
    }

    /// The signature, with its operations.
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
pub struct OwnedSigningKey {
    algorithm: Algorithm,
    key_hash: [u8; KEY_HASH_LEN],
    bytes: Box<[u8]>,
}

impl OwnedSigningKey {
    /// As [`SigningKey::from_bytes`], with work memory of its own. `bytes` is copied; the caller wipes it.
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(level: Level, scheme: Scheme, bytes: &[u8]) -> Result<Self, KeyError> {
        let mut work = vec![0; Degree::N1024.import_work_len()];
        SigningKey::from_bytes(level, scheme, bytes, &mut work).map(|key| Self::from(&key))
    }

    /// The key, with its operations.
    pub fn borrowed(&self) -> SigningKey<'_> {
        SigningKey::trusted(self.algorithm, &self.bytes, self.key_hash)
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        KeyHash(self.key_hash)
    }

    /// The encoding. It is secret.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<&SigningKey<'_>> for OwnedSigningKey {
    fn from(key: &SigningKey<'_>) -> Self {
        Self { algorithm: key.algorithm(), key_hash: key.key_hash().0, bytes: key.as_bytes().into() }
    }
}

impl Drop for OwnedSigningKey {
    fn drop(&mut self) {
        ct::wipe(&mut self.bytes);
    }
}

impl core::fmt::Debug for OwnedSigningKey {
    /// Algorithm only: nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OwnedSigningKey").field("algorithm", &self.algorithm).finish_non_exhaustive()
    }
}

/// A context: at most 255 bytes.
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
}

impl OwnedForm {
    /// The form, as operations take it.
    pub const fn borrowed(&self) -> Form<'_> {
        Form { context: self.context.as_bytes(), prehash: self.prehash }
    }
}

impl TryFrom<Form<'_>> for OwnedForm {
    type Error = MessageError;

    fn try_from(form: Form<'_>) -> Result<Self, MessageError> {
        Ok(Self { context: Context::new(form.context)?, prehash: form.prehash })
    }
}
