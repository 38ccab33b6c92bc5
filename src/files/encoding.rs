//! The file formats of keys and signatures, for example PEM.

use super::kind::ObjectKind;
use crate::api::Algorithm;

/// The two usual file formats: PEM and raw bytes. Every key and signature can be in PEM. Ed25519
/// keys and private keys of composites (ML-DSA with Ed25519) cannot be written as raw bytes
/// ([`WriteError::NoRaw`](super::WriteError::NoRaw)). In PEM, keys outside the Falcon family are
/// always in a container: PKCS#8 for a private key, and SPKI for a public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Base64 between BEGIN and END lines.
    Pem,
    /// The raw encoding, as bytes.
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

/// The file format of a container (PKCS#8, SPKI or a certificate): PEM or DER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContainerEncoding {
    /// Base64 between BEGIN and END lines.
    Pem,
    /// The DER encoding, as bytes.
    Der,
}

/// The file format of a key or signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileEncoding {
    /// Base64 of the raw encoding between BEGIN and END lines. Keys outside the Falcon family are
    /// never in this format: in PEM, they are in PKCS#8 or SPKI (see [`FileEncoding::of`]).
    Pem,
    /// The raw encoding, as bytes.
    Raw,
    /// The raw encoding as hexadecimal digits, for an ML-DSA seed, an Ed25519 key, or the two seeds
    /// of a composite key. This library writes only private keys in this format.
    Hex,
    /// A private key as PKCS#8 in PEM.
    Pkcs8,
    /// A private key as PKCS#8 in DER.
    Pkcs8Der,
    /// A public key as X.509 SubjectPublicKeyInfo in PEM.
    Spki,
    /// A public key as X.509 SubjectPublicKeyInfo in DER.
    SpkiDer,
    /// An ML-DSA or Ed25519 key as a JSON Web Key, private or public.
    Jwk,
    /// An ML-DSA or Ed25519 public key in the JSON format of TUF and in-toto.
    TufKey,
    /// A private or public key in the format of OpenSSH. The algorithm must be Ed25519, or
    /// ML-DSA-44 with Ed25519.
    Ssh,
}

impl FileEncoding {
    /// Returns the name for messages: `PEM`, `raw`, `hex`, `PKCS#8`, `SPKI`, `JWK`,
    /// `TUF-key` or `OpenSSH`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pem => "PEM",
            Self::Raw => "raw",
            Self::Hex => "hex",
            Self::Pkcs8 | Self::Pkcs8Der => "PKCS#8",
            Self::Spki | Self::SpkiDer => "SPKI",
            Self::Jwk => "JWK",
            Self::TufKey => "TUF-key",
            Self::Ssh => "OpenSSH",
        }
    }

    /// Returns whether every file in this format is a PEM block. The result for OpenSSH is false,
    /// because only its private keys are PEM blocks.
    pub fn is_pem(self) -> bool {
        matches!(self, Self::Pem | Self::Pkcs8 | Self::Spki)
    }

    /// Returns whether a file in this format is binary: raw bytes or DER. All other formats are
    /// text.
    pub fn is_binary(self) -> bool {
        self == Self::Raw || self.is_der()
    }

    /// Returns whether a file in this format is DER.
    pub fn is_der(self) -> bool {
        matches!(self, Self::Pkcs8Der | Self::SpkiDer)
    }

    /// Returns the only kind of object that a file in this format can contain: a private key for
    /// PKCS#8, and a public key for SPKI and TUF. Returns `None` for `Pem`, `Raw`, `Hex`, `Jwk` and
    /// `Ssh`, which can contain several kinds.
    pub fn kind(self) -> Option<ObjectKind> {
        match self {
            Self::Pem | Self::Raw | Self::Hex | Self::Jwk | Self::Ssh => None,
            Self::Pkcs8 | Self::Pkcs8Der => Some(ObjectKind::SigningKey),
            Self::Spki | Self::SpkiDer | Self::TufKey => Some(ObjectKind::VerifyingKey),
        }
    }

    /// Returns the format that is written if the caller requests `self` for an object of this kind
    /// and algorithm. For keys outside the Falcon family, `Pem` is converted to `Pkcs8` or `Spki`.
    /// In all other cases, the result is `self`.
    pub fn of(self, kind: ObjectKind, algorithm: Algorithm) -> Self {
        match (self, kind) {
            (Self::Pem, ObjectKind::SigningKey) if algorithm.degree().is_none() => Self::Pkcs8,
            (Self::Pem, ObjectKind::VerifyingKey) if algorithm.degree().is_none() => Self::Spki,
            _ => self,
        }
    }

    /// Returns the format of the public key file for a private key file in the format `self`: SPKI
    /// for PKCS#8, and `self` for all other formats.
    pub fn of_public(self) -> Self {
        match self {
            Self::Pkcs8 => Self::Spki,
            Self::Pkcs8Der => Self::SpkiDer,
            other => other,
        }
    }
}
