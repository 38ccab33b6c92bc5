//! Private key, public key, signature: what each is called, and how the bytes of an encoding tell which one they are.

use crate::api::{Algorithm, Degree, Scheme, SignatureEncoding, SignatureRef, VerifyingKeyRef};
use alloc::format;
use alloc::string::String;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A private key.
    SigningKey,
    /// A public key.
    VerifyingKey,
    /// A signature.
    Signature,
}

/// The schemes that a file may be of, the one that it is taken for first.
pub type Schemes = &'static [Scheme];

/// Files of FN-DSA.
pub(super) const FN_DSA: Schemes = &[Scheme::FnDsa];
/// Files of the preview of FN-DSA.
const PREVIEW: Schemes = &[Scheme::FnDsa2024];
/// Files of Falcon: falcon-rs has no files of its own.
pub(super) const FALCON: Schemes = &[Scheme::Falcon, Scheme::FalconRs];
/// Files of ML-DSA.
const ML_DSA: Schemes = &[Scheme::MlDsa];
/// Files of Ed25519.
#[cfg(feature = "ed25519")]
const ED25519: Schemes = &[Scheme::Ed25519];
/// Files of Falcon or of the preview, whose encodings are the same; nearly all such files are of Falcon.
pub(super) const FALCON_OR_PREVIEW: Schemes = &[Scheme::Falcon, Scheme::FnDsa2024, Scheme::FalconRs];
/// Files of the family of FN-DSA whose content does not say the scheme, or fits none.
pub(super) const ANY: Schemes = &[Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024, Scheme::FalconRs];

/// The beginnings of PEM labels.
const PREFIXES: &[(&str, Schemes)] = &[
    ("FNDSA", FN_DSA),
    ("FNDSA2024", PREVIEW),
    ("FALCON", FALCON),
    ("MLDSA", ML_DSA),
    #[cfg(feature = "ed25519")]
    ("ED25519", ED25519),
];

/// Returns the schemes that a file with the label of `scheme` may be of.
pub fn schemes_of(scheme: Scheme) -> Schemes {
    PREFIXES.iter().find(|row| row.1.contains(&scheme)).map_or(ANY, |row| row.1)
}

impl Kind {
    /// All kinds.
    pub(super) const ALL: [Self; 3] = [Self::SigningKey, Self::VerifyingKey, Self::Signature];

    /// Returns what people call it: `private key`, `public key` or `signature`.
    pub fn name(self) -> &'static str {
        match self {
            Self::SigningKey => "private key",
            Self::VerifyingKey => "public key",
            Self::Signature => "signature",
        }
    }

    /// Returns the PEM label that files of a scheme have, for example `FNDSA PRIVATE KEY`. Keys of ML-DSA and Ed25519 have that of a
    /// container: [`Structure::label`](super::Structure::label).
    pub fn label(self, scheme: Scheme) -> String {
        let prefix = PREFIXES.iter().find(|row| row.1.contains(&scheme)).map_or("FNDSA", |row| row.0);
        format!("{prefix} {}", self.name().to_uppercase())
    }

    /// Returns the line that the files of the command-line tool have before a PEM block of FN-DSA's own, for people only.
    /// `fingerprint` is what the public key is known by.
    pub fn note(self, algorithm: Algorithm, fingerprint: &str) -> String {
        let of = match self {
            Self::SigningKey => "of public key ",
            Self::VerifyingKey => "",
            Self::Signature => "by ",
        };
        format!("fndsa {} {algorithm} {of}{fingerprint}", self.name())
    }

    /// Returns the kind and the schemes that a PEM label of [`Kind::label`] says, or `None` for any other label.
    pub(super) fn of_label(label: &str) -> Option<(Self, Schemes)> {
        let (prefix, name) = label.split_once(' ')?;
        let schemes = PREFIXES.iter().find(|row| row.0 == prefix)?.1;
        let kind = Self::ALL.into_iter().find(|kind| kind.name().to_uppercase() == name)?;
        // Keys of ML-DSA and Ed25519 have the labels of their containers.
        let is_of_falcon = schemes.iter().all(|scheme| Scheme::FALCON_FAMILY.contains(scheme));
        if is_of_falcon || kind == Self::Signature { Some((kind, schemes)) } else { None }
    }

    /// Returns the degree that a first byte names; `None` if no encoding of this kind begins with that byte.
    pub(super) fn degree(self, first: u8) -> Option<Degree> {
        let uppers: &[u8] = match self {
            Self::SigningKey => &[0x50],
            Self::VerifyingKey => &[0x00],
            // The second is the constant-time encoding.
            Self::Signature => &[0x30, 0x50],
        };
        uppers.contains(&(first & 0xf0)).then(|| Degree::from_logn(u32::from(first & 0x0f))).flatten()
    }

    /// Returns whether `bytes` say that they are of this algorithm: in the family of FN-DSA by the first byte, in ML-DSA by the
    /// length.
    pub(super) fn says(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        match (algorithm.degree(), bytes.first()) {
            (Some(degree), Some(first)) => self.degree(*first) == Some(degree),
            (Some(_), None) => false,
            (None, _) => self.fits(algorithm, bytes),
        }
    }

    /// Returns whether an encoding of this kind and algorithm may have the first byte and the length of `bytes`. A
    /// compressed signature may have nearly any length: its content tells.
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

    /// Returns whether `bytes` may be an encoding of this kind and algorithm, by the first byte and the length.
    pub(super) fn is_encoding(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        !bytes.is_empty() && self.says(algorithm, bytes) && self.fits(algorithm, bytes)
    }

    /// Returns how many bytes the usual encoding has; of signatures that is the padded one.
    pub(super) fn len(self, algorithm: Algorithm) -> usize {
        match self {
            Self::SigningKey => algorithm.signing_key_len(),
            Self::VerifyingKey => algorithm.verifying_key_len(),
            Self::Signature => algorithm.signature_len(),
        }
    }

    /// Returns whether the content is that of a scheme, as far as bytes without a key tell. Private keys are told by
    /// their lengths alone, so each of them is.
    pub(super) fn decodes(self, scheme: Scheme, bytes: &[u8]) -> bool {
        match self {
            Self::SigningKey => true,
            Self::VerifyingKey => VerifyingKeyRef::of_scheme(scheme, bytes).is_ok(),
            Self::Signature => SignatureRef::of_scheme(scheme, bytes).is_ok(),
        }
    }
}

/// Returns the kind and the degree that a first byte suggests, or `None` if no key or signature begins so.
pub(super) fn suggested(first: u8) -> Option<(Kind, Degree)> {
    Kind::ALL.into_iter().find_map(|kind| Some((kind, kind.degree(first)?)))
}
