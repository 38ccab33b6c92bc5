//! Signatures as values: what their bytes say before a key is asked.

use super::algorithm::{Algorithm, Family, FamilyScheme, Scheme};
use super::{VerifyError, mldsa};
use crate::engine::falcon::codec::algorithm_of;
use crate::engine::falcon::params::{CT_SIGNATURE_HEADER, SIGNATURE_HEADER};
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme, SignatureEncoding};
use crate::engine::falcon::signature::{Malformed, Parts, header};

/// A signature, canonically encoded: its encoding, borrowed. Whether it is valid, a key tells.
///
/// ```
/// use fndsa::algorithm::Scheme;
/// use fndsa::error::VerifyError;
/// use fndsa::no_alloc::SignatureRef;
///
/// let mut bytes = [0; 666];
/// bytes[0] = 0x39;
/// // All coefficients zero would be another sequence of bits.
/// assert_eq!(SignatureRef::from_bytes(Scheme::FnDsa, &bytes), Err(VerifyError::Encoding));
/// let cut = SignatureRef::from_bytes(Scheme::FnDsa, &bytes[..665]);
/// assert_eq!(cut, Err(VerifyError::Length { expected: 666, found: 665 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureRef<'a> {
    bytes: &'a [u8],
    algorithm: Algorithm,
    encoding: SignatureEncoding,
}

impl<'a> SignatureRef<'a> {
    /// Reads a signature of a scheme. In the family of FN-DSA: first byte, length, every coefficient, what is behind them. In ML-DSA:
    /// length, hint, norm of z. In Ed25519: length, and S below the order of the group.
    ///
    /// The bytes choose the algorithm: [`Self::of_algorithm`] is for callers who know the algorithm.
    ///
    /// # Errors
    /// Why the signature is rejected; the signature is of a [toy](Algorithm::is_toy).
    pub fn from_bytes(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, VerifyError> {
        let signature = Self::of_scheme(scheme, bytes)?;
        let found = signature.algorithm;
        if found.is_toy() { Err(VerifyError::Toy { found }) } else { Ok(signature) }
    }

    /// Reads a signature as [`Self::from_bytes`] does, and checks that the signature is of this algorithm.
    ///
    /// # Errors
    /// Why the signature is rejected; the signature is of another algorithm.
    pub fn of_algorithm(algorithm: Algorithm, bytes: &'a [u8]) -> Result<Self, VerifyError> {
        let signature = Self::of_scheme(algorithm.scheme(), bytes)?;
        let found = signature.algorithm;
        if found == algorithm { Ok(signature) } else { Err(VerifyError::OtherAlgorithm { wanted: algorithm, found }) }
    }

    /// [`Self::from_bytes`] of a toy or another algorithm of the scheme.
    pub(crate) fn of_scheme(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, VerifyError> {
        match scheme.family() {
            FamilyScheme::Falcon(scheme) => {
                let (algorithm, encoding) = read_falcon(scheme, bytes)?;
                Ok(Self { bytes, algorithm: Algorithm::of_falcon(algorithm), encoding })
            }
            FamilyScheme::MlDsa => {
                let set = mldsa::read_signature(bytes)?;
                Ok(Self { bytes, algorithm: Algorithm::of_set(set), encoding: SignatureEncoding::Padded })
            }
            #[cfg(feature = "ed25519")]
            FamilyScheme::Ed25519 => {
                super::ed25519::read_signature(bytes)?;
                Ok(Self { bytes, algorithm: Algorithm::ED25519, encoding: SignatureEncoding::Padded })
            }
        }
    }

    /// Checks as much of a signature as its message is hashed with: in the family of FN-DSA first byte and length, in ML-DSA the length.
    pub(super) fn check_length(algorithm: Algorithm, bytes: &[u8]) -> Result<(), VerifyError> {
        match algorithm.family() {
            Family::Falcon(algorithm) => {
                Parts::new(algorithm, bytes).map(drop).map_err(|malformed| refusal(malformed, algorithm, bytes))
            }
            Family::MlDsa(set) => mldsa::check_signature_len(set, bytes),
            #[cfg(feature = "ed25519")]
            Family::Ed25519 => super::ed25519::check_signature_len(bytes).map(drop),
        }
    }

    /// Takes a signature that was read before.
    #[cfg(feature = "alloc")]
    pub(super) const fn trusted(algorithm: Algorithm, encoding: SignatureEncoding, bytes: &'a [u8]) -> Self {
        Self { bytes, algorithm, encoding }
    }

    /// The encoding, byte for byte.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Scheme and degree.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// How the coefficients stand in it.
    pub const fn encoding(&self) -> SignatureEncoding {
        self.encoding
    }

    /// Writes the same signature in another encoding of the scheme to the beginning of `out`, at least
    /// [`Algorithm::signature_len`] bytes. Gives the bytes used. `None` if it has none in that encoding (one
    /// in 800 compressed signatures at degree 1024 is too long to be padded), or `out` is too short.
    pub fn recode_into(&self, encoding: SignatureEncoding, out: &mut [u8]) -> Option<usize> {
        let offered = self.algorithm.scheme().encodings().contains(&encoding);
        if !offered {
            return None;
        }
        match self.algorithm.family() {
            Family::Falcon(algorithm) => Parts::new(algorithm, self.bytes).ok()?.recode_into(encoding, out),
            _ => {
                out.get_mut(..self.bytes.len())?.copy_from_slice(self.bytes);
                Some(self.bytes.len())
            }
        }
    }
}

/// Reads a signature of the family of FN-DSA.
fn read_falcon(scheme: FalconScheme, bytes: &[u8]) -> Result<(FalconAlgorithm, SignatureEncoding), VerifyError> {
    let headers: &[u8] =
        if scheme.rules().has_encodings { &[SIGNATURE_HEADER, CT_SIGNATURE_HEADER] } else { &[SIGNATURE_HEADER] };
    let found = bytes.first().copied();
    let algorithm = headers.iter().find_map(|upper| algorithm_of(scheme, *upper, found));
    let algorithm = algorithm.ok_or(VerifyError::UnknownHeader { found })?;
    let read = Parts::new(algorithm, bytes).and_then(|parts| parts.check());
    let encoding = read.map_err(|malformed| refusal(malformed, algorithm, bytes))?;
    Ok((algorithm, encoding))
}

/// Returns the error for a malformed signature of an algorithm.
pub(super) fn refusal(malformed: Malformed, algorithm: FalconAlgorithm, signature: &[u8]) -> VerifyError {
    let found = signature.first().copied();
    match malformed {
        Malformed::Length => {
            let ct = found == Some(header(algorithm, SignatureEncoding::Ct));
            let encoding = if ct { SignatureEncoding::Ct } else { SignatureEncoding::Padded };
            VerifyError::Length { expected: algorithm.encoded_signature_len(encoding), found: signature.len() }
        }
        Malformed::Header => VerifyError::Header {
            expected: header(algorithm, SignatureEncoding::Padded),
            found: found.unwrap_or_default(),
        },
        Malformed::Coefficients => VerifyError::Encoding,
    }
}
