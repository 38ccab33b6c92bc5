//! Converts objects from files into checked public keys and signatures.

use super::defect::Defect;
use super::encoding::FileEncoding;
use super::kind::ObjectKind;
use super::object::FileObject;
use super::pkcs8::FileContent;
use super::private::PrivateKeyError;
use crate::api::{KeyError, Signature, SignatureRef, VerifyError, VerifyingKey, VerifyingKeyRef};
use thiserror::Error;

/// The reason why an object cannot be converted to the requested key or signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// The object's kind is not the requested kind.
    #[error("this is a {}, not a {}", .found.name(), .wanted.name())]
    Kind {
        /// The requested kind.
        wanted: ObjectKind,
        /// The actual kind.
        found: ObjectKind,
    },
    /// The private key is not valid.
    #[error("{0}")]
    SigningKey(PrivateKeyError),
    /// The public key is not valid.
    #[error("{0}")]
    VerifyingKey(KeyError),
    /// The bytes are not a well-formed signature, so they are not valid for any message.
    #[error("{0}")]
    Signature(VerifyError),
}

impl FileContent {
    /// Returns the file format.
    pub fn encoding(&self) -> FileEncoding {
        match self {
            Self::Plain(object) => object.encoding,
            Self::Locked(locked) => locked.encoding(),
        }
    }

    /// Returns the key or signature from a file that is not encrypted.
    ///
    /// # Errors
    /// Fails if the file contains an encrypted private key.
    pub fn plain(self) -> Result<FileObject, Defect> {
        match self {
            Self::Plain(object) => Ok(object),
            Self::Locked(_) => Err(Defect::Locked),
        }
    }
}

impl FileObject {
    /// Checks that the object has this kind.
    pub(super) fn check_kind(&self, wanted: ObjectKind) -> Result<(), ObjectError> {
        let found = self.kind;
        if found == wanted { Ok(()) } else { Err(ObjectError::Kind { wanted, found }) }
    }

    /// Checks the public key, and returns a copy of it.
    ///
    /// # Errors
    /// Fails if the object is not a public key, or if the public key is not valid.
    pub fn verifying_key(&self) -> Result<VerifyingKey, ObjectError> {
        self.check_kind(ObjectKind::VerifyingKey)?;
        let key = VerifyingKeyRef::of_algorithm(self.algorithm(), &self.bytes).map_err(ObjectError::VerifyingKey)?;
        Ok(key.into())
    }

    /// Checks the signature's encoding, and returns a copy of it. The signature is not verified.
    ///
    /// # Errors
    /// Fails if the object is not a signature, or if the encoding is not valid.
    pub fn signature(&self) -> Result<Signature, ObjectError> {
        self.check_kind(ObjectKind::Signature)?;
        let signature = SignatureRef::of_algorithm(self.algorithm(), &self.bytes).map_err(ObjectError::Signature)?;
        Ok(signature.into())
    }
}
