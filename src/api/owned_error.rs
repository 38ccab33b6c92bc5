//! The error type for keys and signatures that own their bytes.

use super::{KeyError, KeygenError, MessageError, SignError, VerifyError};
use alloc::string::{String, ToString};
use core::convert::Infallible;
use core::fmt;

/// An error from the types that own their bytes, such as `SigningKey`, `VerifyingKey` and
/// `Signature`.
///
/// This type implements `From` for the error types in [`error`](crate::error) that the functions of
/// `SigningKey`, `VerifyingKey` and `Signature` return. A function that returns this type can
/// therefore use the operator `?` on all these errors.
///
/// ```
/// use fndsa::{Algorithm, Error, Options, SigningKey, VerifyingKey};
///
/// fn sign_release(key: &SigningKey, message: &[u8]) -> Result<Vec<u8>, Error> {
///     let signature = key.sign(Options::with_context(b"release v1"), message, &mut getrandom::SysRng)?;
///     Ok(signature.as_bytes().to_vec())
/// }
///
/// let key = SigningKey::generate(Algorithm::ML_DSA_65, &mut getrandom::SysRng)?;
/// let signature = sign_release(&key, b"message")?;
/// let verified = key.verifying_key().verify(Options::default(), b"message", &signature);
/// assert!(matches!(verified, Err(Error::Signature(_))));
/// let parsed = VerifyingKey::of_algorithm(Algorithm::ML_DSA_65, b"short");
/// assert!(matches!(parsed, Err(Error::Key(_))));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not a key for the algorithm, or the key failed a check.
    Key(KeyError),
    /// The algorithm does not support the context or the pre-hash, the digest has the wrong length,
    /// or the library was built without the pre-hash.
    Message(MessageError),
    /// The signature was not accepted. [`VerifyError::is_bad_signature`] returns true if the
    /// signature is wrong, and false if the verification was not possible.
    Signature(VerifyError),
    /// The random number generator failed. The value is the generator's error text.
    Rng(String),
    /// The key could not be generated.
    Keygen(KeygenError<Infallible>),
    /// The message could not be signed.
    Sign(SignError<Infallible>),
}

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl From<MessageError> for Error {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::Signature { .. } => Self::Signature(VerifyError::Message(error)),
            _ => Self::Message(error),
        }
    }
}

impl From<VerifyError> for Error {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Message(error) => error.into(),
            VerifyError::Key(error) => error.into(),
            _ => Self::Signature(error),
        }
    }
}

impl<R: fmt::Display> From<KeygenError<R>> for Error {
    fn from(error: KeygenError<R>) -> Self {
        Self::Keygen(match error {
            KeygenError::Rng(error) => return Self::Rng(error.to_string()),
            KeygenError::Exhausted => KeygenError::Exhausted,
            KeygenError::VerifyOnly => KeygenError::VerifyOnly,
            KeygenError::Tables => KeygenError::Tables,
            KeygenError::Buffer(error) => KeygenError::Buffer(error),
        })
    }
}

impl<R: fmt::Display> From<SignError<R>> for Error {
    fn from(error: SignError<R>) -> Self {
        Self::Sign(match error {
            SignError::Rng(error) => return Self::Rng(error.to_string()),
            SignError::Message(error) => return error.into(),
            SignError::Attempts => SignError::Attempts,
            SignError::VerifyOnly => SignError::VerifyOnly,
            SignError::Deterministic => SignError::Deterministic,
            SignError::OtherScheme => SignError::OtherScheme,
            SignError::OtherKey => SignError::OtherKey,
            SignError::SelfCheck => SignError::SelfCheck,
            SignError::Tables => SignError::Tables,
            SignError::ExpandedKey => SignError::ExpandedKey,
            SignError::Buffer(error) => SignError::Buffer(error),
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(e) => e.fmt(f),
            Self::Message(e) => e.fmt(f),
            Self::Signature(e) => e.fmt(f),
            Self::Rng(e) => KeygenError::Rng(e).fmt(f),
            Self::Keygen(e) => e.fmt(f),
            Self::Sign(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for Error {}
