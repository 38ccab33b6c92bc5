//! The kinds of objects in files: private key, public key and signature. For each kind, this module
//! defines the name, the PEM labels, and checks for the encodings.

use crate::api::{Algorithm, Degree, Scheme, SignatureEncoding, SignatureRef, VerifyingKeyRef};
use alloc::format;
use alloc::string::String;

/// The kind of an object in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A private key.
    SigningKey,
    /// A public key.
    VerifyingKey,
    /// A signature.
    Signature,
}

/// The schemes to which a file can belong. If the caller does not choose a scheme, the reader uses
/// the first scheme in the list.
pub type PossibleSchemes = &'static [Scheme];

/// The scheme of files with FN-DSA keys or signatures.
pub(super) const FN_DSA: PossibleSchemes = &[Scheme::FnDsa];
/// The scheme of files with keys or signatures of the FN-DSA preview.
const PREVIEW: PossibleSchemes = &[Scheme::FnDsa2024];
/// The schemes of files with Falcon keys or signatures. Files from falcon-rs have the same format
/// as files for Falcon.
pub(super) const FALCON: PossibleSchemes = &[Scheme::Falcon, Scheme::FalconRs];
/// The scheme of files with ML-DSA keys or signatures.
const ML_DSA: PossibleSchemes = &[Scheme::MlDsa];
/// The scheme of files with Ed25519 keys or signatures.
#[cfg(feature = "ed25519")]
const ED25519: PossibleSchemes = &[Scheme::Ed25519];
/// The scheme of files with composite keys or signatures.
#[cfg(feature = "ed25519")]
const ML_DSA_ED25519: PossibleSchemes = &[Scheme::MlDsaEd25519];
/// The schemes of files with keys or signatures in Falcon or the FN-DSA preview, which have
/// identical encodings. Falcon is first because nearly all such files are for Falcon.
pub(super) const FALCON_OR_PREVIEW: PossibleSchemes = &[Scheme::Falcon, Scheme::FnDsa2024, Scheme::FalconRs];
/// The possible schemes for a file in the Falcon family, if decoding does not determine the scheme:
/// several schemes can decode the content, or no scheme can decode it.
pub(super) const ANY: PossibleSchemes = &[Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024, Scheme::FalconRs];

/// The first word of each PEM label, and the schemes that use the label.
const PREFIXES: &[(&str, PossibleSchemes)] = &[
    ("FNDSA", FN_DSA),
    ("FNDSA2024", PREVIEW),
    ("FALCON", FALCON),
    ("MLDSA", ML_DSA),
    #[cfg(feature = "ed25519")]
    ("ED25519", ED25519),
    #[cfg(feature = "ed25519")]
    ("MLDSAED25519", ML_DSA_ED25519),
];

/// Returns the schemes that use the same PEM labels as `scheme`.
pub fn schemes_of(scheme: Scheme) -> PossibleSchemes {
    match PREFIXES.iter().find(|row| row.1.contains(&scheme)) {
        Some((_, schemes)) => schemes,
        None => ANY,
    }
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

    /// Returns the PEM label for files in a scheme, for example `FNDSA PRIVATE KEY`. No PEM file
    /// has this label for a key outside the Falcon family: such keys are in a container (PKCS#8 or
    /// SPKI), with the label from [`ContainerStructure::label`](super::ContainerStructure::label).
    pub fn label(self, scheme: Scheme) -> String {
        let prefix = match PREFIXES.iter().find(|row| row.1.contains(&scheme)) {
            Some((prefix, _)) => prefix,
            None => "FNDSA",
        };
        format!("{prefix} {}", self.name().to_uppercase())
    }

    /// Returns the note that the command-line tool writes before a PEM block without a container. A
    /// note has no influence on a verdict. `fingerprint` identifies the public key.
    pub fn note(self, algorithm: Algorithm, fingerprint: &str) -> String {
        let relation = match self {
            Self::SigningKey => "of public key ",
            Self::VerifyingKey => "",
            Self::Signature => "by ",
        };
        format!("fndsa {} {algorithm} {relation}{fingerprint}", self.name())
    }

    /// Returns the kind and the possible schemes for a PEM label. Returns `None` for unknown labels
    /// and for container labels.
    pub(super) fn from_label(label: &str) -> Option<(Self, PossibleSchemes)> {
        let (prefix, name) = label.split_once(' ')?;
        let schemes = PREFIXES.iter().find(|row| row.0 == prefix)?.1;
        let kind = Self::ALL.into_iter().find(|kind| kind.name().to_uppercase() == name)?;
        // Outside the Falcon family, only signatures have labels with these prefixes, because the
        // keys are in containers.
        let is_in_falcon_family = schemes.iter().all(|scheme| Scheme::FALCON_FAMILY.contains(scheme));
        if is_in_falcon_family || kind == Self::Signature { Some((kind, schemes)) } else { None }
    }

    /// Returns the degree that the first byte of an encoding states. Returns `None` if no Falcon
    /// encoding of this kind starts with this byte.
    pub(super) fn degree(self, first: u8) -> Option<Degree> {
        let high_nibbles: &[u8] = match self {
            Self::SigningKey => &[0x50],
            Self::VerifyingKey => &[0x00],
            // Padded and compressed signatures start with 0x30, and constant-time signatures with
            // 0x50.
            Self::Signature => &[0x30, 0x50],
        };
        if !high_nibbles.contains(&(first & 0xf0)) {
            return None;
        }
        Degree::from_logn(u32::from(first & 0x0f))
    }

    /// Returns whether `bytes` looks like an encoding for this algorithm: in the Falcon family, the
    /// first byte must match, and in all other schemes, the length must match.
    pub(super) fn is_suggested_by(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        match (algorithm.degree(), bytes.first()) {
            (Some(degree), Some(first)) => self.degree(*first) == Some(degree),
            (Some(_), None) => false,
            (None, _) => self.fits(algorithm, bytes),
        }
    }

    /// Returns whether the length of `bytes` is possible for this kind and algorithm. The first
    /// byte of a Falcon signature determines the possible encodings. The content of a compressed
    /// signature is decoded, because compressed signatures can have nearly any length.
    pub(super) fn fits(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        let has_ct_header = matches!(bytes.first(), Some(0x50..=0x5f));
        let len = bytes.len();
        match self {
            Self::SigningKey => len == algorithm.signing_key_len() || Some(len) == algorithm.expanded_form_len(),
            Self::VerifyingKey => len == algorithm.verifying_key_len(),
            Self::Signature if algorithm.degree().is_none() => len == algorithm.signature_len(),
            Self::Signature => {
                for encoding in algorithm.scheme().encodings() {
                    let fits = match encoding {
                        SignatureEncoding::Padded => {
                            !has_ct_header && len == algorithm.encoded_signature_len(*encoding)
                        }
                        SignatureEncoding::Compressed => !has_ct_header && self.decodes(algorithm.scheme(), bytes),
                        SignatureEncoding::Ct => has_ct_header && len == algorithm.encoded_signature_len(*encoding),
                    };
                    if fits {
                        return true;
                    }
                }
                false
            }
        }
    }

    /// Returns whether both the first byte and the length of `bytes` are possible for this kind and
    /// algorithm.
    pub(super) fn is_encoding(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        !bytes.is_empty() && self.is_suggested_by(algorithm, bytes) && self.fits(algorithm, bytes)
    }

    /// Returns whether `bytes` can be decoded as an object of this kind and algorithm.
    pub(super) fn is_encoded(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        self.is_encoding(algorithm, bytes) && self.decodes(algorithm.scheme(), bytes)
    }

    /// Returns the length of the default encoding in bytes. For a signature, this is the padded
    /// encoding.
    pub(super) fn len(self, algorithm: Algorithm) -> usize {
        match self {
            Self::SigningKey => algorithm.signing_key_len(),
            Self::VerifyingKey => algorithm.verifying_key_len(),
            Self::Signature => algorithm.signature_len(),
        }
    }

    /// Returns whether a public key or a signature can be decoded in a scheme. Returns true for all
    /// private keys, because the caller checks their lengths.
    pub(super) fn decodes(self, scheme: Scheme, bytes: &[u8]) -> bool {
        match self {
            Self::SigningKey => true,
            Self::VerifyingKey => VerifyingKeyRef::of_scheme(scheme, bytes).is_ok(),
            Self::Signature => SignatureRef::of_scheme(scheme, bytes).is_ok(),
        }
    }
}

/// Returns the kind and the degree that the first byte of a file indicates. Returns `None` if no
/// Falcon key or signature starts with this byte. A byte can belong to a private key and to a
/// constant-time signature: then the result is a private key.
pub(super) fn suggested_kind(first: u8) -> Option<(ObjectKind, Degree)> {
    for kind in ObjectKind::ALL {
        if let Some(degree) = kind.degree(first) {
            return Some((kind, degree));
        }
    }
    None
}
