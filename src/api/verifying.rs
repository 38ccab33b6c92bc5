//! Public keys and the yes-or-no answer.

use super::{KeyError, KeyHash, Mu, VerifyError, enough_work};
use crate::engine::codec::{Fields, scan_public};
use crate::engine::params::{Degree, KEY_HASH_LEN, Scheme, VERIFYING_KEY_HEADER};
use crate::engine::shake::shake256_into;
use crate::engine::verify::{PublicFields, Refusal, signature_header, verify};
use crate::simd::{Level, Scratch, Simd, WithSimd};

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
        let degree = degree_of(bytes, VERIFYING_KEY_HEADER, Degree::verifying_key_len)?;
        match scan_public(&bytes[1..]) {
            Fields::Good => Ok(Self { bytes, scheme, degree }),
            Fields::OutOfRange => Err(KeyError::Coefficient),
            Fields::Zero => Err(KeyError::ZeroKey),
        }
    }

    /// A key this crate has just written.
    pub(super) const fn trusted(scheme: Scheme, degree: Degree, bytes: &'a [u8]) -> Self {
        Self { bytes, scheme, degree }
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
    pub fn key_hash(&self, level: Level) -> KeyHash {
        struct Hash<'w>(&'w [u8]);
        impl WithSimd for Hash<'_> {
            type Output = [u8; KEY_HASH_LEN];
            #[inline(always)]
            fn with<S: Simd>(self, isa: S) -> Self::Output {
                let mut hash = [0; KEY_HASH_LEN];
                shake256_into(isa, &[self.0], &mut hash);
                hash
            }
        }
        KeyHash(level.run(Hash(self.bytes)))
    }

    /// Verifies one signature. `work` has at least [`Degree::verify_work_len`] bytes.
    ///
    /// # Errors
    /// Why the signature is not valid. Only `Ok` means that it is.
    pub fn verify(&self, level: Level, mu: &Mu, signature: &[u8], work: &mut [u8]) -> Result<(), VerifyError> {
        level_verify(level, self.degree, PublicFields::Packed(&self.bytes[1..]), mu, signature, work)
    }

    /// The form for many verifications with one key.
    #[cfg(feature = "alloc")]
    pub fn expand(&self, level: Level) -> alloc::boxed::Box<super::ExpandedVerifyingKey> {
        super::ExpandedVerifyingKey::new(level, self)
    }
}

/// The degree that `bytes` name in their first byte, if it is of this kind and the length fits.
pub(super) fn degree_of(bytes: &[u8], header: u8, len: fn(Degree) -> usize) -> Result<Degree, KeyError> {
    let found = bytes.first().copied();
    let degree = found
        .filter(|b| b & 0xf0 == header)
        .and_then(|b| Degree::from_logn(u32::from(b & 0x0f)))
        .ok_or(KeyError::Header { found })?;
    if bytes.len() != len(degree) {
        return Err(KeyError::Length { expected: len(degree), found: bytes.len() });
    }
    Ok(degree)
}

/// One verification on one level.
pub(super) fn level_verify(
    level: Level,
    degree: Degree,
    h: PublicFields<'_>,
    mu: &Mu,
    signature: &[u8],
    work: &mut [u8],
) -> Result<(), VerifyError> {
    struct Verify<'w> {
        degree: Degree,
        h: PublicFields<'w>,
        mu: &'w Mu,
        signature: &'w [u8],
        work: &'w mut [u8],
    }
    impl WithSimd for Verify<'_> {
        type Output = Result<(), Refusal>;
        #[inline(always)]
        fn with<S: Simd>(self, isa: S) -> Self::Output {
            verify(isa, self.degree, self.h, &self.mu.0, self.signature, Scratch::new(self.work))
        }
    }
    enough_work(work.len(), degree.verify_work_len()).map_err(VerifyError::Work)?;
    level.run(Verify { degree, h, mu, signature, work }).map_err(|refusal| match refusal {
        Refusal::Length => VerifyError::Length { expected: degree.signature_len(), found: signature.len() },
        Refusal::Header => {
            VerifyError::Header { expected: signature_header(degree), found: signature.first().copied().unwrap_or(0) }
        }
        Refusal::Encoding => VerifyError::Encoding,
        Refusal::Norm => VerifyError::Mismatch,
    })
}
