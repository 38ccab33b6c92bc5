//! Private keys: making, checking, signing.

use super::{KeyError, KeyHash, KeygenError, Mu, SignError, VerifyingKey};
use crate::engine::params::{Degree, Scheme};
use crate::simd::Level;
use rand_core::TryCryptoRng;

/// A private key, checked: its encoding, borrowed from the caller, who wipes it.
pub struct SigningKey<'a> {
    bytes: &'a [u8],
    scheme: Scheme,
    degree: Degree,
}

impl<'a> SigningKey<'a> {
    /// Makes a key pair from 32 bytes of `rng`.
    ///
    /// `signing_key` and `verifying_key` are exactly [`Degree::signing_key_len`] and
    /// [`Degree::verifying_key_len`] bytes. `work` has at least [`Degree::keygen_work_len`] bytes;
    /// [`Degree::keygen_fast_work_len`] makes it faster.
    ///
    /// # Errors
    /// The generator's error, or a buffer of the wrong size.
    pub fn generate<R: TryCryptoRng>(
        level: Level,
        scheme: Scheme,
        degree: Degree,
        rng: &mut R,
        signing_key: &'a mut [u8],
        verifying_key: &mut [u8],
        work: &mut [u8],
    ) -> Result<Self, KeygenError<R::Error>> {
        todo!()
    }

    /// Checks an encoded private key in full: header, length, ranges, `f` invertible, `fG - gF = q`
    /// over the integers, both norms, and the stored hash of the public key. `work` has at least
    /// [`Degree::import_work_len`] bytes.
    ///
    /// # Errors
    /// What the key is refused for.
    pub fn from_bytes(scheme: Scheme, bytes: &'a [u8], work: &mut [u8]) -> Result<Self, KeyError> {
        todo!()
    }

    /// The encoding. It is secret.
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

    /// The hash of the public key, as it stands (checked) in the private key.
    pub fn key_hash(&self) -> KeyHash {
        todo!()
    }

    /// Computes the public key into `out`, exactly [`Degree::verifying_key_len`] bytes. `work` has
    /// at least [`Degree::import_work_len`] bytes.
    ///
    /// # Errors
    /// A buffer of the wrong size ([`KeyError::Length`] for `out`).
    pub fn verifying_key_into<'b>(&self, out: &'b mut [u8], work: &mut [u8]) -> Result<VerifyingKey<'b>, KeyError> {
        todo!()
    }

    /// Signs `mu` with 40 bytes of `rng`, and verifies the signature before returning.
    ///
    /// `signature` is exactly [`Degree::signature_len`] bytes, `work` has at least
    /// [`Degree::sign_work_len`].
    ///
    /// # Errors
    /// The generator's error, a buffer of the wrong size, or a machine that errs; `signature` is
    /// then all zeros.
    pub fn sign<R: TryCryptoRng>(
        &self,
        level: Level,
        mu: &Mu,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        todo!()
    }

    /// The form for many signatures with one key. `work` has at least [`Degree::sign_work_len`]
    /// bytes. It is never written to disk: it is bound to one order of floating-point operations.
    ///
    /// # Errors
    /// Work memory too short.
    #[cfg(feature = "alloc")]
    pub fn expand(
        &self,
        level: Level,
        work: &mut [u8],
    ) -> Result<alloc::boxed::Box<super::ExpandedSigningKey>, super::ExpandError> {
        todo!()
    }
}

impl core::fmt::Debug for SigningKey<'_> {
    /// Degree only: nothing secret is printed.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKey").field("scheme", &self.scheme).field("degree", &self.degree).finish_non_exhaustive()
    }
}
