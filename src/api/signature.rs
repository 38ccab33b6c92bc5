//! Signatures that were parsed, but not verified yet.

use super::algorithm::{Algorithm, FamilyAlgorithm, FamilyScheme, Scheme};
use super::{VerifyError, mldsa};
use crate::engine::falcon::codec::algorithm_of;
use crate::engine::falcon::params::{CT_SIGNATURE_HEADER, SIGNATURE_HEADER};
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme, SignatureEncoding};
use crate::engine::falcon::signature::{SignatureDefect, SplitSignature, header};
use crate::simd::{Level, on_level};

/// A signature with a canonical encoding. The signature borrows its bytes. Only a verification with
/// a key shows whether the signature is valid.
///
/// ```
/// use fndsa::algorithm::Scheme;
/// use fndsa::error::VerifyError;
/// use fndsa::no_alloc::SignatureRef;
///
/// let mut bytes = [0; 666];
/// bytes[0] = 0x39;
/// // These zeros are not an encoding, because coefficients of zero have other bits.
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
    /// Parses a signature in a scheme.
    ///
    /// - Falcon family: checks the first byte, the length, all coefficients, and the bytes after
    ///   the coefficients.
    /// - ML-DSA: checks the length, the hint, and the norm of z.
    /// - Ed25519: checks the length, and that S is below the order of the group.
    /// - Composites: checks the length, and both halves.
    ///
    /// This function detects the algorithm from the bytes. If you know the algorithm, use
    /// [`Self::of_algorithm`].
    ///
    /// # Errors
    /// Returns an error if a check fails, or if the signature is for a [toy](Algorithm::is_toy).
    pub fn from_bytes(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, VerifyError> {
        let signature = Self::of_scheme(scheme, bytes)?;
        let found = signature.algorithm;
        if found.is_toy() { Err(VerifyError::Toy { found }) } else { Ok(signature) }
    }

    /// Parses a signature, and checks that the signature is for this algorithm. Unlike
    /// [`Self::from_bytes`], this function accepts a signature for a toy.
    ///
    /// # Errors
    /// Returns an error if a check fails, or if the signature is for a different algorithm.
    pub fn of_algorithm(algorithm: Algorithm, bytes: &'a [u8]) -> Result<Self, VerifyError> {
        let signature = Self::of_scheme(algorithm.scheme(), bytes)?;
        let found = signature.algorithm;
        if found == algorithm { Ok(signature) } else { Err(VerifyError::OtherAlgorithm { wanted: algorithm, found }) }
    }

    /// Parses a signature for any algorithm of the scheme. Unlike [`Self::from_bytes`], this
    /// function accepts a signature for a toy.
    pub(crate) fn of_scheme(scheme: Scheme, bytes: &'a [u8]) -> Result<Self, VerifyError> {
        match scheme.family() {
            FamilyScheme::Falcon(scheme) => {
                let (algorithm, encoding) = read_falcon(scheme, bytes)?;
                Ok(Self { bytes, algorithm: Algorithm::of_falcon(algorithm), encoding })
            }
            FamilyScheme::MlDsa => {
                let set = mldsa::read_signature(bytes)?;
                Ok(Self { bytes, algorithm: Algorithm::of_mldsa_set(set), encoding: SignatureEncoding::Padded })
            }
            #[cfg(feature = "ed25519")]
            FamilyScheme::Ed25519 => {
                super::ed25519::read_signature(bytes)?;
                Ok(Self { bytes, algorithm: Algorithm::ED25519, encoding: SignatureEncoding::Padded })
            }
            #[cfg(feature = "ed25519")]
            FamilyScheme::Composite => {
                let algorithm = Algorithm::of_composite(super::composite::read_signature(bytes)?);
                Ok(Self { bytes, algorithm, encoding: SignatureEncoding::Padded })
            }
        }
    }

    /// Checks the length of a signature, and in the Falcon family also the first byte. After these
    /// checks, the message can be hashed for the signature.
    pub(super) fn check_len_and_header(algorithm: Algorithm, bytes: &[u8]) -> Result<(), VerifyError> {
        match algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => SplitSignature::new(algorithm, bytes)
                .map(drop)
                .map_err(|malformed| signature_error(malformed, algorithm, bytes)),
            FamilyAlgorithm::MlDsa(set) => mldsa::check_signature_len(set, bytes),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => super::ed25519::check_signature_len(bytes).map(drop),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => super::composite::check_signature_len(set, bytes),
        }
    }

    /// Wraps a signature that was already parsed. This function makes no checks.
    #[cfg(feature = "alloc")]
    pub(super) const fn trusted(algorithm: Algorithm, encoding: SignatureEncoding, bytes: &'a [u8]) -> Self {
        Self { bytes, algorithm, encoding }
    }

    /// Returns the encoded bytes.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the encoding of the coefficients.
    pub const fn encoding(&self) -> SignatureEncoding {
        self.encoding
    }

    /// Converts the signature to a different encoding, writes it to the beginning of `out`, and
    /// returns its length. `out` needs at least [`Algorithm::encoded_signature_len`] bytes for the
    /// new encoding.
    ///
    /// Returns `None` if the scheme does not have this encoding, if the signature is too long for
    /// this encoding, or if `out` is too short. At degree 1024, one in 800 compressed signatures is
    /// too long for the padded encoding.
    pub fn recode_into(&self, encoding: SignatureEncoding, out: &mut [u8]) -> Option<usize> {
        let is_supported = self.algorithm.scheme().encodings().contains(&encoding);
        if !is_supported {
            return None;
        }
        match self.algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                SplitSignature::new(algorithm, self.bytes).ok()?.recode_into(encoding, out)
            }
            _ => {
                out.get_mut(..self.bytes.len())?.copy_from_slice(self.bytes);
                Some(self.bytes.len())
            }
        }
    }
}

/// Parses a signature of the Falcon family.
fn read_falcon(scheme: FalconScheme, bytes: &[u8]) -> Result<(FalconAlgorithm, SignatureEncoding), VerifyError> {
    let headers: &[u8] =
        if scheme.rules().has_encodings { &[SIGNATURE_HEADER, CT_SIGNATURE_HEADER] } else { &[SIGNATURE_HEADER] };
    let found = bytes.first().copied();
    // The upper half of the first byte identifies the kind of encoding, and the lower half is the
    // degree's binary logarithm.
    let algorithm = headers.iter().find_map(|upper_bits| algorithm_of(scheme, *upper_bits, found));
    let algorithm = algorithm.ok_or(VerifyError::UnknownHeader { found })?;
    let parts =
        SplitSignature::new(algorithm, bytes).map_err(|malformed| signature_error(malformed, algorithm, bytes))?;
    // `on_level!` runs code that was compiled for the level, here only for its integer operations.
    let checked = on_level!(Level::detect(), |isa = integers| parts.check(isa));
    let encoding = checked.map_err(|malformed| signature_error(malformed, algorithm, bytes))?;
    Ok((algorithm, encoding))
}

/// Returns the error for a signature that is not well-formed.
pub(super) fn signature_error(malformed: SignatureDefect, algorithm: FalconAlgorithm, signature: &[u8]) -> VerifyError {
    let found = signature.first().copied();
    match malformed {
        SignatureDefect::Length => {
            let is_ct = found == Some(header(algorithm, SignatureEncoding::Ct));
            let encoding = if is_ct { SignatureEncoding::Ct } else { SignatureEncoding::Padded };
            VerifyError::Length { expected: algorithm.encoded_signature_len(encoding), found: signature.len() }
        }
        SignatureDefect::Header => VerifyError::Header {
            expected: header(algorithm, SignatureEncoding::Padded),
            found: found.unwrap_or_default(),
        },
        SignatureDefect::Coefficients => VerifyError::Encoding,
    }
}
