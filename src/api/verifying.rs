//! Public keys and the yes-or-no answer.

use super::{KeyError, KeyHash, Mu, VerifyError};
use crate::engine::params::{Degree, Scheme};
use crate::simd::Level;

/// A public key, checked: its encoding, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyingKey<'a> {
    bytes: &'a [u8],
    scheme: Scheme,
    degree: Degree,
}

impl<'a> VerifyingKey<'a> {
    /// Checks an encoded public key: header, length, every field below q, not all zeros.
    ///
    /// # Errors
    /// What the key is refused for.
    pub fn from_bytes(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, KeyError> {
        todo!()
    }

    /// The encoding.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The scheme.
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The degree.
    pub const fn degree(&self) -> Degree {
        self.degree
    }

    /// SHAKE256 of the encoding: the first input of `mu`.
    pub fn key_hash(&self) -> KeyHash {
        todo!()
    }

    /// Verifies one signature. `work` has at least [`Degree::verify_work_len`] bytes.
    ///
    /// # Errors
    /// Why the signature is not valid. Only `Ok` means that it is.
    pub fn verify(&self, level: Level, mu: &Mu, signature: &[u8], work: &mut [u8]) -> Result<(), VerifyError> {
        todo!()
    }

    /// The form for many verifications with one key.
    #[cfg(feature = "alloc")]
    pub fn expand(&self, level: Level) -> alloc::boxed::Box<super::ExpandedVerifyingKey> {
        todo!()
    }
}
