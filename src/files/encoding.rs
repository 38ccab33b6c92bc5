//! File formats for keys and signatures.

use super::kind::ObjectKind;
use crate::api::Algorithm;

/// The usual formats of a file: PEM, or raw bytes. For ML-DSA and Ed25519 keys, PEM is PKCS#8 or
/// SPKI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Base64 between BEGIN and END lines.
    Pem,
    /// The encoding as raw bytes.
    Raw,
}

impl From<Format> for FileEncoding {
    fn from(format: Format) -> Self {
        match format {
            Format::Pem => Self::Pem,
            Format::Raw => Self::Raw,
        }
    }
}

/// The form in which a file contains a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContainerEncoding {
    /// Base64 between BEGIN and END lines.
    Pem,
    /// The DER encoding as raw bytes.
    Der,
}

/// The form in which a file contains a key or signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileEncoding {
    /// Base64 between BEGIN and END lines: the raw encoding, or PKCS#8 and SPKI for ML-DSA and
    /// Ed25519 keys.
    Pem,
    /// The encoding as raw bytes.
    Raw,
    /// A private key's seed as 64 hexadecimal digits.
    Hex,
    /// A private key as PKCS#8 in PEM.
    Pkcs8,
    /// A private key as PKCS#8 in DER.
    Pkcs8Der,
    /// A public key as X.509 SubjectPublicKeyInfo in PEM.
    Spki,
    /// A public key as X.509 SubjectPublicKeyInfo in DER.
    SpkiDer,
}

impl FileEncoding {
    /// Returns the name for messages: `PEM`, `raw`, `hex`, `PKCS#8` or `SPKI`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pem => "PEM",
            Self::Raw => "raw",
            Self::Hex => "hex",
            Self::Pkcs8 | Self::Pkcs8Der => "PKCS#8",
            Self::Spki | Self::SpkiDer => "SPKI",
        }
    }

    /// Returns whether a file in this form is binary instead of text.
    pub fn is_binary(self) -> bool {
        self == Self::Raw || self.is_der()
    }

    /// Returns whether a file in this form is DER.
    pub fn is_der(self) -> bool {
        matches!(self, Self::Pkcs8Der | Self::SpkiDer)
    }

    /// Returns the kind for this container, or `None` if the form is not a container and allows all
    /// kinds.
    pub fn kind(self) -> Option<ObjectKind> {
        match self {
            Self::Pem | Self::Raw | Self::Hex => None,
            Self::Pkcs8 | Self::Pkcs8Der => Some(ObjectKind::SigningKey),
            Self::Spki | Self::SpkiDer => Some(ObjectKind::VerifyingKey),
        }
    }

    /// Returns the form that is used for a key: ML-DSA and Ed25519 keys in PEM are PKCS#8 and SPKI.
    pub fn of(self, kind: ObjectKind, algorithm: Algorithm) -> Self {
        match (self, kind) {
            (Self::Pem, ObjectKind::SigningKey) if algorithm.degree().is_none() => Self::Pkcs8,
            (Self::Pem, ObjectKind::VerifyingKey) if algorithm.degree().is_none() => Self::Spki,
            _ => self,
        }
    }

    /// Returns the form for the public key file if the private key file has this form.
    pub fn of_public(self) -> Self {
        match self {
            Self::Pkcs8 => Self::Spki,
            Self::Pkcs8Der => Self::SpkiDer,
            other => other,
        }
    }
}
