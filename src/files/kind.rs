//! Private keys, public keys and signatures: their names, and how to detect them from an encoding.

use crate::api::{Algorithm, Degree, Scheme, SignatureEncoding, SignatureRef, VerifyingKeyRef};
use alloc::format;
use alloc::string::String;

/// The kinds of objects in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A private key.
    SigningKey,
    /// A public key.
    VerifyingKey,
    /// A signature.
    Signature,
}

/// The possible schemes for a file. The first one is assumed.
pub type PossibleSchemes = &'static [Scheme];

/// Files with FN-DSA keys or signatures.
pub(super) const FN_DSA: PossibleSchemes = &[Scheme::FnDsa];
/// Files with keys or signatures of the FN-DSA preview.
const PREVIEW: PossibleSchemes = &[Scheme::FnDsa2024];
/// Files with Falcon keys or signatures. The files of falcon-rs have the same format.
pub(super) const FALCON: PossibleSchemes = &[Scheme::Falcon, Scheme::FalconRs];
/// Files with ML-DSA keys or signatures.
const ML_DSA: PossibleSchemes = &[Scheme::MlDsa];
/// Files with Ed25519 keys or signatures.
#[cfg(feature = "ed25519")]
const ED25519: PossibleSchemes = &[Scheme::Ed25519];
/// Files with keys or signatures of Falcon or of the preview. Their encodings are identical, and
/// nearly all of these files are for Falcon.
pub(super) const FALCON_OR_PREVIEW: PossibleSchemes = &[Scheme::Falcon, Scheme::FnDsa2024, Scheme::FalconRs];
/// Files with keys or signatures of the Falcon family, if the content does not determine the scheme
/// or does not fit any scheme.
pub(super) const ANY: PossibleSchemes = &[Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024, Scheme::FalconRs];

/// The prefixes of PEM labels.
const PREFIXES: &[(&str, PossibleSchemes)] = &[
    ("FNDSA", FN_DSA),
    ("FNDSA2024", PREVIEW),
    ("FALCON", FALCON),
    ("MLDSA", ML_DSA),
    #[cfg(feature = "ed25519")]
    ("ED25519", ED25519),
];

/// Returns the possible schemes for a file with the PEM label of `scheme`.
pub fn schemes_of(scheme: Scheme) -> PossibleSchemes {
    PREFIXES.iter().find(|row| row.1.contains(&scheme)).map_or(ANY, |row| row.1)
}

impl ObjectKind {
    /// All kinds.
    pub(super) const ALL: [Self; 3] = [Self::SigningKey, Self::VerifyingKey, Self::Signature];

    /// Returns the name for messages: `private key`, `public key` or `signature`.
    pub fn name(self) -> &'static str {
        match self {
            Self::SigningKey => "private key",
            Self::VerifyingKey => "public key",
            Self::Signature => "signature",
        }
    }

    /// Returns the PEM label for a scheme's files, for example `FNDSA PRIVATE KEY`. The label of
    /// ML-DSA and Ed25519 keys is the label of their container:
    /// [`ContainerStructure::label`](super::ContainerStructure::label).
    pub fn label(self, scheme: Scheme) -> String {
        let prefix = PREFIXES.iter().find(|row| row.1.contains(&scheme)).map_or("FNDSA", |row| row.0);
        format!("{prefix} {}", self.name().to_uppercase())
    }

    /// Returns the line that the command-line tool writes before a PEM block that is not a
    /// container. The line is for human readers only. `fingerprint` identifies the public key.
    pub fn note(self, algorithm: Algorithm, fingerprint: &str) -> String {
        let of = match self {
            Self::SigningKey => "of public key ",
            Self::VerifyingKey => "",
            Self::Signature => "by ",
        };
        format!("fndsa {} {algorithm} {of}{fingerprint}", self.name())
    }

    /// Returns the kind and the schemes of a PEM label, or `None` if [`ObjectKind::label`] does not
    /// return it.
    pub(super) fn of_label(label: &str) -> Option<(Self, PossibleSchemes)> {
        let (prefix, name) = label.split_once(' ')?;
        let schemes = PREFIXES.iter().find(|row| row.0 == prefix)?.1;
        let kind = Self::ALL.into_iter().find(|kind| kind.name().to_uppercase() == name)?;
        // ML-DSA and Ed25519 keys have container labels.
        let is_of_falcon = schemes.iter().all(|scheme| Scheme::FALCON_FAMILY.contains(scheme));
        if is_of_falcon || kind == Self::Signature { Some((kind, schemes)) } else { None }
    }

    /// Returns the degree for a first byte, or `None` if no encoding of this kind starts with this
    /// byte.
    pub(super) fn degree(self, first: u8) -> Option<Degree> {
        let uppers: &[u8] = match self {
            Self::SigningKey => &[0x50],
            Self::VerifyingKey => &[0x00],
            // The second byte is for the constant-time encoding.
            Self::Signature => &[0x30, 0x50],
        };
        uppers.contains(&(first & 0xf0)).then(|| Degree::from_logn(u32::from(first & 0x0f))).flatten()
    }

    /// Returns whether `bytes` indicate this algorithm: by the first byte for the Falcon family,
    /// and by the length for ML-DSA and Ed25519.
    pub(super) fn says(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        match (algorithm.degree(), bytes.first()) {
            (Some(degree), Some(first)) => self.degree(*first) == Some(degree),
            (Some(_), None) => false,
            (None, _) => self.fits(algorithm, bytes),
        }
    }

    /// Returns whether the first byte and the length of `bytes` are possible for this kind and
    /// algorithm. A compressed signature can have nearly any length, so its content is decoded.
    pub(super) fn fits(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        let ct = bytes.first().is_some_and(|first| first & 0xf0 == 0x50);
        let len = bytes.len();
        match self {
            Self::SigningKey => len == algorithm.signing_key_len() || Some(len) == algorithm.expanded_form_len(),
            Self::VerifyingKey => len == algorithm.verifying_key_len(),
            Self::Signature if algorithm.degree().is_none() => len == algorithm.signature_len(),
            Self::Signature => algorithm.scheme().encodings().iter().any(|encoding| match encoding {
                SignatureEncoding::Padded => !ct && len == algorithm.encoded_signature_len(*encoding),
                SignatureEncoding::Compressed => !ct && self.decodes(algorithm.scheme(), bytes),
                SignatureEncoding::Ct => ct && len == algorithm.encoded_signature_len(*encoding),
            }),
        }
    }

    /// Returns whether `bytes` can be an encoding of this kind and algorithm, by first byte and
    /// length.
    pub(super) fn is_encoding(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        !bytes.is_empty() && self.says(algorithm, bytes) && self.fits(algorithm, bytes)
    }

    /// Returns the default encoding's length in bytes. For signatures, this is the padded encoding.
    pub(super) fn len(self, algorithm: Algorithm) -> usize {
        match self {
            Self::SigningKey => algorithm.signing_key_len(),
            Self::VerifyingKey => algorithm.verifying_key_len(),
            Self::Signature => algorithm.signature_len(),
        }
    }

    /// Returns whether the content can be decoded in a scheme, as far as this is possible without a
    /// key. Private keys are only checked by their length, so the result is always true for private
    /// keys.
    pub(super) fn decodes(self, scheme: Scheme, bytes: &[u8]) -> bool {
        match self {
            Self::SigningKey => true,
            Self::VerifyingKey => VerifyingKeyRef::of_scheme(scheme, bytes).is_ok(),
            Self::Signature => SignatureRef::of_scheme(scheme, bytes).is_ok(),
        }
    }
}

/// Returns the kind and the degree for a first byte, or `None` if no key or signature starts with
/// it.
pub(super) fn suggested(first: u8) -> Option<(ObjectKind, Degree)> {
    ObjectKind::ALL.into_iter().find_map(|kind| Some((kind, kind.degree(first)?)))
}
