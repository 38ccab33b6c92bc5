//! What files hold, in which form, and what can be wrong with them.

use super::oid::Oid;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fndsa::Degree;
use std::borrow::Cow;
use thiserror::Error;
use zeroize::Zeroizing;

/// What a file holds. One row each in [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A private key.
    SigningKey,
    /// A public key.
    VerifyingKey,
    /// A signature.
    Signature,
}

/// Name, PEM label, upper half of the first byte, length at a degree.
struct Row {
    kind: Kind,
    name: &'static str,
    label: &'static str,
    header: u8,
    len: fn(Degree) -> usize,
}

const KINDS: [Row; 3] = [
    Row {
        kind: Kind::SigningKey,
        name: "private key",
        label: "FNDSA PRIVATE KEY",
        header: 0x50,
        len: Degree::signing_key_len,
    },
    Row {
        kind: Kind::VerifyingKey,
        name: "public key",
        label: "FNDSA PUBLIC KEY",
        header: 0x00,
        len: Degree::verifying_key_len,
    },
    Row {
        kind: Kind::Signature,
        name: "signature",
        label: "FNDSA SIGNATURE",
        header: 0x30,
        len: Degree::signature_len,
    },
];

impl Kind {
    fn row(self) -> &'static Row {
        &KINDS[self as usize]
    }

    /// In words.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The PEM label.
    pub fn label(self) -> &'static str {
        self.row().label
    }

    /// The kind with a PEM label of FN-DSA's own.
    pub fn of_label(label: &str) -> Option<Self> {
        KINDS.iter().find(|row| row.label == label).map(|row| row.kind)
    }

    /// Every kind with such a first byte, and the degree that it names.
    pub fn of_first_byte(first: u8) -> impl Iterator<Item = (Self, Degree)> {
        KINDS.iter().filter_map(move |row| Some((row.kind, row.kind.degree(first)?)))
    }

    /// The degree that the first byte names, if it is one of this kind.
    fn degree(self, first: u8) -> Option<Degree> {
        (first & 0xf0 == self.row().header).then(|| Degree::from_logn(u32::from(first & 0x0f))).flatten()
    }

    /// Bytes of the encoding.
    pub fn len(self, degree: Degree) -> usize {
        (self.row().len)(degree)
    }
}

/// The forms without a container, which every kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Base64 between BEGIN and END lines
    Pem,
    /// The bytes of the encoding
    Raw,
}

/// How a file holds a key or signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Encoding {
    /// Base64 between BEGIN and END lines of FN-DSA's own
    Pem,
    /// The bytes of the encoding
    Raw,
    /// A private key as PKCS#8 in PEM
    Pkcs8,
    /// A private key as PKCS#8 in DER
    Pkcs8Der,
    /// A public key as X.509 SubjectPublicKeyInfo in PEM
    Spki,
    /// A public key as X.509 SubjectPublicKeyInfo in DER
    SpkiDer,
}

impl Encoding {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pem => "PEM",
            Self::Raw => "raw",
            Self::Pkcs8 | Self::Pkcs8Der => "PKCS#8",
            Self::Spki | Self::SpkiDer => "SPKI",
        }
    }

    /// Whether it is bytes rather than text.
    pub fn is_binary(self) -> bool {
        self == Self::Raw || self.is_der()
    }

    /// Whether it is DER.
    pub fn is_der(self) -> bool {
        matches!(self, Self::Pkcs8Der | Self::SpkiDer)
    }

    /// The one kind that a container holds.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::Pem | Self::Raw => None,
            Self::Pkcs8 | Self::Pkcs8Der => Some(Kind::SigningKey),
            Self::Spki | Self::SpkiDer => Some(Kind::VerifyingKey),
        }
    }

    /// The form of the public key beside a private key of this form.
    pub fn of_public(self) -> Self {
        match self {
            Self::Pkcs8 => Self::Spki,
            Self::Pkcs8Der => Self::SpkiDer,
            other => other,
        }
    }

    /// For options that take some of them.
    pub fn among(encodings: &'static [Self]) -> impl TypedValueParser<Value = Self> {
        let values = encodings.iter().filter_map(Self::to_possible_value);
        PossibleValuesParser::new(values).try_map(|name| Self::from_str(&name, false))
    }
}

/// What a container says beside the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// The algorithm.
    pub oid: Oid,
    /// The public key in a private key file.
    pub public: Option<Vec<u8>>,
    /// How it was encrypted.
    pub encryption: Option<String>,
}

/// The structure of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// PKCS#8 PrivateKeyInfo or OneAsymmetricKey.
    Private,
    /// SubjectPublicKeyInfo.
    Public,
    /// PKCS#8 EncryptedPrivateKeyInfo.
    Encrypted,
}

/// The PEM labels, RFC 7468.
const LABELS: [(Structure, &str); 3] = [
    (Structure::Private, "PRIVATE KEY"),
    (Structure::Public, "PUBLIC KEY"),
    (Structure::Encrypted, "ENCRYPTED PRIVATE KEY"),
];

impl Structure {
    /// By the PEM label.
    pub fn of_label(label: &str) -> Option<Self> {
        LABELS.iter().find(|row| row.1 == label).map(|row| row.0)
    }

    /// The PEM label.
    pub fn label(self) -> &'static str {
        LABELS[self as usize].1
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Private => "a PKCS#8 private key",
            Self::Public => "an X.509 (SPKI) public key",
            Self::Encrypted => "an encrypted PKCS#8 private key",
        }
    }

    /// The defect of one that cannot be read.
    pub fn damaged(self, why: &'static str) -> Defect {
        Defect::Container { what: self.name(), why }
    }
}

/// A key or signature whose kind and length are right; its content is not checked yet.
pub struct Object {
    /// What it is.
    pub kind: Kind,
    /// Its degree, from the first byte.
    pub degree: Degree,
    /// How it was stored.
    pub encoding: Encoding,
    /// The encoding. Secret for a private key.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What PKCS#8 or SPKI said beside it.
    pub container: Option<Container>,
}

impl Object {
    /// The degree comes from the first byte.
    ///
    /// # Errors
    /// No such first byte, or the length is wrong.
    pub fn new(kind: Kind, encoding: Encoding, bytes: Zeroizing<Vec<u8>>) -> Result<Self, Defect> {
        let Some(first) = bytes.first() else { return Err(Defect::NoBody) };
        let degree = kind.degree(*first).ok_or(Defect::FirstByte { kind, first: *first })?;
        let (expected, found) = (kind.len(degree), bytes.len());
        if expected != found {
            return Err(Defect::Length { expected, found });
        }
        Ok(Self { kind, degree, encoding, bytes, container: None })
    }

    /// How it was encrypted.
    pub fn encryption(&self) -> Option<&str> {
        self.container.as_ref()?.encryption.as_deref()
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    #[error("the file is empty")]
    Empty,
    #[error("this is {0}")]
    Foreign(Cow<'static, str>),
    #[error("not a key or signature of FN-DSA")]
    Unknown,
    #[error("UTF-16 text")]
    Utf16,
    #[error("raw {} of {degree_n}: {expected} bytes expected, {found} found", .kind.name())]
    RawLength { kind: Kind, degree_n: usize, expected: usize, found: usize },
    #[error("contains {0} PEM blocks")]
    Blocks(usize),
    #[error("contains a NUL byte")]
    Nul,
    #[error("line {0} is indented")]
    Indented(usize),
    #[error("the BEGIN line is damaged")]
    Begin,
    #[error("no END line")]
    NoEnd,
    #[error("cut in the middle of line {0}")]
    Cut(usize),
    #[error("the END line is damaged")]
    End,
    #[error("BEGIN says {begin}, END says {end}")]
    Labels { begin: String, end: String },
    #[error("line {0} is a header (RFC 1421), which no file of this tool has")]
    Header(usize),
    #[error("line {0} has a character that is not base64")]
    Character(usize),
    #[error("non-canonical base64")]
    Base64,
    #[error("the block is empty")]
    NoBody,
    #[error("the PEM label {0} is not known")]
    Label(String),
    #[error("the first byte is 0x{first:02x}, which no {} has", .kind.name())]
    FirstByte { kind: Kind, first: u8 },
    #[error("{expected} bytes expected, {found} found")]
    Length { expected: usize, found: usize },
    #[error("DER: {expected} bytes expected, {found} found")]
    DerLength { expected: usize, found: usize },
    #[error("not {what} of FN-DSA: {why}")]
    Container { what: &'static str, why: &'static str },
    #[error("this is {what} with the OID {oid}, which is not known")]
    UnknownOid { what: &'static str, oid: String },
    #[error("encrypted in a way that is not read: {0}")]
    Encryption(String),
    #[error("the password check costs more than a file may ask for: {0}")]
    Cost(String),
}

impl Defect {
    /// The code for scripts.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Foreign(_) => "foreign_file",
            Self::Unknown => "not_recognised",
            Self::Utf16 => "utf16",
            Self::RawLength { .. } | Self::Length { .. } | Self::DerLength { .. } => "wrong_length",
            Self::Blocks(_) => "several_blocks",
            Self::Nul => "nul_byte",
            Self::Indented(_) => "indented",
            Self::Begin => "begin_line",
            Self::NoEnd => "no_end_line",
            Self::Cut(_) => "cut_mid_line",
            Self::End => "end_line",
            Self::Labels { .. } => "labels_differ",
            Self::Header(_) => "pem_header",
            Self::Character(_) => "not_base64",
            Self::Base64 => "base64_not_canonical",
            Self::NoBody => "empty_block",
            Self::Label(_) => "unknown_label",
            Self::FirstByte { .. } => "first_byte",
            Self::Container { .. } => "container",
            Self::UnknownOid { .. } => "unknown_oid",
            Self::Encryption(_) => "unknown_encryption",
            Self::Cost(_) => "encryption_cost",
        }
    }

    /// What to do.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Empty => "was the program that wrote it stopped? restore it from a copy",
            Self::Foreign(_) => "make FN-DSA keys with `fndsa keygen NAME`",
            Self::Unknown => "`fndsa inspect FILE` names what it finds",
            Self::Utf16 => "save it as UTF-8 or ASCII; PowerShell's > writes UTF-16",
            Self::RawLength { .. }
            | Self::Length { .. }
            | Self::DerLength { .. }
            | Self::NoEnd
            | Self::Cut(_)
            | Self::NoBody => "the file is incomplete or has something added; copy it again",
            Self::Blocks(_) => "several public keys in one file are for `verify --trusted-keys FILE`; else one a file",
            Self::Indented(_) => "remove the blanks before the lines of the block",
            Self::Label(_) => {
                "this version reads FNDSA PRIVATE KEY, FNDSA PUBLIC KEY, FNDSA SIGNATURE, PRIVATE KEY, \
                 ENCRYPTED PRIVATE KEY and PUBLIC KEY"
            }
            Self::UnknownOid { .. } => {
                "if it is a key of FN-DSA, `fndsa convert FILE --algorithm fn-dsa-512 --to pem -o OUT` takes it out"
            }
            Self::Container { .. } => {
                "it is damaged, or laid out by another program in another way; docs/scheme.md, section 7, says which is read"
            }
            Self::Encryption(_) => "this version reads PBES2 with scrypt or PBKDF2 (HMAC-SHA-2) and AES",
            Self::Cost(_) => "encrypt the key again with the program that made it, at a lower cost",
            _ => "the file is damaged; copy it again",
        })
    }
}
