//! What files hold, in which form, and what can be wrong with them.

use super::layout::Layout;
use super::oid::{Named, Oid};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fndsa::{Algorithm, Degree, Scheme, Signature, SignatureEncoding, VerifyingKey};
use std::borrow::Cow;
use thiserror::Error;
use zeroize::Zeroizing;

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

const FN_DSA: Schemes = &[Scheme::FnDsa];
const PREVIEW: Schemes = &[Scheme::FnDsa2024];
/// falcon-rs has no files of its own.
const FALCON: Schemes = &[Scheme::Falcon, Scheme::FalconRs];
/// The encodings are the same, and nearly all files of that kind are of Falcon.
const FALCON_OR_PREVIEW: Schemes = &[Scheme::Falcon, Scheme::FnDsa2024, Scheme::FalconRs];
/// A file whose content fits none.
const ANY: Schemes = &[Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024, Scheme::FalconRs];

/// The beginnings of PEM labels.
const PREFIXES: [(&str, Schemes); 3] = [("FNDSA", FN_DSA), ("FNDSA2024", PREVIEW), ("FALCON", FALCON)];

/// The schemes of an algorithm's files.
pub fn schemes_of(scheme: Scheme) -> Schemes {
    PREFIXES.iter().find(|row| row.1.contains(&scheme)).map_or(ANY, |row| row.1)
}

impl Kind {
    const ALL: [Self; 3] = [Self::SigningKey, Self::VerifyingKey, Self::Signature];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::SigningKey => "private key",
            Self::VerifyingKey => "public key",
            Self::Signature => "signature",
        }
    }

    /// The PEM label of a scheme's own.
    pub fn label(self, scheme: Scheme) -> String {
        let prefix = PREFIXES.iter().find(|row| row.1.contains(&scheme)).map_or("FNDSA", |row| row.0);
        format!("{prefix} {}", self.name().to_uppercase())
    }

    /// The kind and the schemes with a PEM label of their own.
    pub fn of_label(label: &str) -> Option<(Self, Schemes)> {
        let (prefix, name) = label.split_once(' ')?;
        let schemes = PREFIXES.iter().find(|row| row.0 == prefix)?.1;
        let kind = Self::ALL.into_iter().find(|kind| kind.name().to_uppercase() == name)?;
        Some((kind, schemes))
    }

    /// The degree that the first byte names, if it is one of this kind.
    fn degree(self, first: u8) -> Option<Degree> {
        let uppers: &[u8] = match self {
            Self::SigningKey => &[0x50],
            Self::VerifyingKey => &[0x00],
            // The second is the constant-time encoding.
            Self::Signature => &[0x30, 0x50],
        };
        uppers.contains(&(first & 0xf0)).then(|| Degree::from_logn(u32::from(first & 0x0f))).flatten()
    }

    /// Whether an algorithm has this kind of file with this first byte and length. A compressed signature
    /// may have nearly any length: its content tells.
    fn fits(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        let (ct, len) = (bytes.first().is_some_and(|first| first & 0xf0 == 0x50), bytes.len());
        match self {
            Self::SigningKey => len == algorithm.signing_key_len(),
            Self::VerifyingKey => len == algorithm.verifying_key_len(),
            Self::Signature => algorithm.scheme.encodings().iter().any(|encoding| match encoding {
                SignatureEncoding::Padded => !ct && len == algorithm.signature_len(*encoding),
                SignatureEncoding::Compressed => !ct && self.decodes(algorithm.scheme, bytes),
                SignatureEncoding::Ct => ct && len == algorithm.signature_len(*encoding),
            }),
        }
    }

    /// Bytes of the usual encoding.
    pub fn len(self, algorithm: Algorithm) -> usize {
        match self {
            Self::SigningKey => algorithm.signing_key_len(),
            Self::VerifyingKey => algorithm.verifying_key_len(),
            Self::Signature => algorithm.degree.signature_len(),
        }
    }

    /// Whether the content is one of a scheme, as far as bytes without a key tell. Private keys are told by
    /// their lengths alone.
    fn decodes(self, scheme: Scheme, bytes: &[u8]) -> bool {
        match self {
            Self::SigningKey => true,
            Self::VerifyingKey => VerifyingKey::from_bytes(scheme, bytes).is_ok(),
            Self::Signature => Signature::from_bytes(scheme, bytes).is_ok(),
        }
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
    /// Which; of an encrypted private key the one inside.
    pub structure: Structure,
    /// The algorithm.
    pub oid: Oid,
    /// How the private key is laid out.
    pub layout: Layout,
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
    /// An X.509 certificate, for the public key in it.
    Certificate,
}

/// The PEM labels, RFC 7468.
const LABELS: [(Structure, &str); 4] = [
    (Structure::Private, "PRIVATE KEY"),
    (Structure::Public, "PUBLIC KEY"),
    (Structure::Encrypted, "ENCRYPTED PRIVATE KEY"),
    (Structure::Certificate, "CERTIFICATE"),
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
            Self::Certificate => "an X.509 certificate",
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
    /// What it may be of.
    schemes: Schemes,
    /// How it was stored.
    pub encoding: Encoding,
    /// The encoding. Secret for a private key.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What PKCS#8 or SPKI said beside it.
    pub container: Option<Container>,
    /// The line before the block of a signature, as it is: see [`super::claims`].
    pub note: Option<Vec<u8>>,
}

/// Bytes of the longest line that is kept; no line of ours is longer.
const MAX_NOTE: usize = 1024;

impl Object {
    /// An object of stated schemes. The degree comes from the first byte.
    ///
    /// # Errors
    /// No such first byte, or the length is wrong.
    pub fn new(kind: Kind, schemes: Schemes, encoding: Encoding, bytes: Zeroizing<Vec<u8>>) -> Result<Self, Defect> {
        let Some(&first) = bytes.first() else { return Err(Defect::NoBody) };
        let degree = kind.degree(first).ok_or(Defect::FirstByte { kind, first })?;
        let of = |scheme: &Scheme| Algorithm::new(*scheme, degree);
        if !schemes.iter().any(|scheme| kind.fits(of(scheme), &bytes)) {
            let algorithm = of(schemes.first().unwrap_or(&Scheme::FnDsa));
            let (expected, found) = (kind.len(algorithm), bytes.len());
            let several = kind == Kind::Signature && algorithm.scheme.encodings().len() > 1;
            return Err(if several {
                Defect::SignatureLength { expected, found }
            } else {
                Defect::Length { expected, found }
            });
        }
        Ok(Self { kind, degree, schemes, encoding, bytes, container: None, note: None })
    }

    /// With the line that stands before its block, if it is a signature.
    pub fn noted(mut self, line: Option<&[u8]>) -> Self {
        let line = line.filter(|line| self.kind == Kind::Signature && line.len() <= MAX_NOTE);
        self.note = line.map(<[u8]>::to_vec);
        self
    }

    /// An object of any scheme: the content tells which, as far as it can.
    ///
    /// # Errors
    /// As [`Object::new`].
    pub fn detect(kind: Kind, encoding: Encoding, bytes: Zeroizing<Vec<u8>>) -> Result<Self, Defect> {
        let mut object = Self::new(kind, ANY, encoding, bytes)?;
        let is = |scheme: Scheme| {
            kind.fits(Algorithm::new(scheme, object.degree), &object.bytes) && kind.decodes(scheme, &object.bytes)
        };
        object.schemes = match (is(Scheme::FnDsa), is(Scheme::Falcon), is(Scheme::FnDsa2024)) {
            (true, false, _) => FN_DSA,
            (false, true, true) => FALCON_OR_PREVIEW,
            // Signatures of these lengths are of Falcon alone.
            (false, true, false) => FALCON,
            _ => ANY,
        };
        Ok(object)
    }

    /// A raw encoding: kind and degree by first byte and length.
    pub fn of_raw(data: &[u8]) -> Result<Option<Self>, Defect> {
        let Some(&first) = data.first() else { return Ok(None) };
        let fits = |kind: &Kind| {
            let degree = kind.degree(first);
            degree.is_some_and(|degree| ANY.iter().any(|s| kind.fits(Algorithm::new(*s, degree), data)))
        };
        let kind = Kind::ALL.into_iter().find(fits);
        kind.map(|kind| Self::detect(kind, Encoding::Raw, Zeroizing::new(data.to_vec()))).transpose()
    }

    /// What it is taken for.
    pub fn algorithm(&self) -> Algorithm {
        Algorithm::new(*self.schemes.first().unwrap_or(&Scheme::FnDsa), self.degree)
    }

    /// Whether it may be of a scheme.
    pub fn may_be(&self, scheme: Scheme) -> bool {
        self.schemes.contains(&scheme)
    }

    /// The schemes that it may be of.
    pub fn schemes(&self) -> Schemes {
        self.schemes
    }

    /// The algorithms that it may be of, in words. None of them if the content fits no scheme.
    pub fn names(&self) -> Option<String> {
        let names = self.schemes.iter().filter(|scheme| scheme.can_sign());
        let names: Vec<_> = names.map(|scheme| Algorithm::new(*scheme, self.degree).to_string()).collect();
        (self.schemes != ANY).then(|| names.join(" or "))
    }

    /// Takes it for this algorithm from now on; false if it cannot be.
    pub fn narrow(&mut self, algorithm: Algorithm) -> bool {
        let one = Scheme::ALL.iter().position(|scheme| *scheme == algorithm.scheme);
        let one = one.and_then(|i| Scheme::ALL.get(i..=i)).filter(|_| self.may_be(algorithm.scheme));
        match one {
            Some(one) if self.degree == algorithm.degree => {
                self.schemes = one;
                true
            }
            _ => false,
        }
    }

    /// The identifier of its container, if it is one of its algorithm: it is kept.
    pub fn oid(&self) -> Option<&Oid> {
        let own = |oid: &&Oid| oid.named() == Some(Named::Own(self.algorithm()));
        self.container.as_ref().map(|container| &container.oid).filter(own)
    }

    /// Whether it is in a container of that structure.
    pub fn is_in(&self, structure: Structure) -> bool {
        self.container.as_ref().is_some_and(|container| container.structure == structure)
    }

    /// How it was encrypted.
    pub fn encryption(&self) -> Option<&str> {
        self.container.as_ref()?.encryption.as_deref()
    }
}

/// The kind and degree that a first byte suggests.
pub fn suggested(first: u8) -> Option<(Kind, Degree)> {
    Kind::ALL.into_iter().find_map(|kind| Some((kind, kind.degree(first)?)))
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    #[error("the file is empty")]
    Empty,
    #[error("this is {0}")]
    Foreign(Cow<'static, str>),
    #[error("this is a signed message of {0}, signature and message in one file")]
    SignedMessage(Algorithm),
    #[error("not a key or signature of FN-DSA or Falcon, but {0}")]
    Unknown(Cow<'static, str>),
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
    #[error("{found} bytes are neither a padded signature ({expected}) nor a compressed one")]
    SignatureLength { expected: usize, found: usize },
    #[error("DER: {expected} bytes expected, {found} found")]
    DerLength { expected: usize, found: usize },
    #[error("not {what} of FN-DSA or Falcon: {why}")]
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
            Self::SignedMessage(_) => "signed_message",
            Self::Unknown(_) => "not_recognised",
            Self::Utf16 => "utf16",
            Self::RawLength { .. } | Self::Length { .. } | Self::SignatureLength { .. } | Self::DerLength { .. } => {
                "wrong_length"
            }
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
            Self::Foreign(_) => "make keys with `fndsa keygen NAME`",
            Self::SignedMessage(_) => "`fndsa verify --attached -p PUBLIC FILE` reads it",
            Self::Unknown(_) => "keys are made by `fndsa keygen NAME`, signatures by `fndsa sign`",
            Self::Utf16 => "save it as UTF-8 or ASCII; PowerShell's > writes UTF-16",
            Self::RawLength { .. }
            | Self::Length { .. }
            | Self::SignatureLength { .. }
            | Self::DerLength { .. }
            | Self::NoEnd
            | Self::Cut(_)
            | Self::NoBody => "the file is incomplete or has something added; copy it again",
            Self::Blocks(_) => "several public keys in one file are for `verify --trusted-keys FILE`; else one a file",
            Self::Indented(_) => "remove the blanks before the lines of the block",
            Self::Label(_) => {
                "PRIVATE KEY, PUBLIC KEY and SIGNATURE are read with FNDSA, FNDSA2024 or FALCON before them; \
                 and PRIVATE KEY, ENCRYPTED PRIVATE KEY, PUBLIC KEY and CERTIFICATE alone"
            }
            Self::UnknownOid { .. } => {
                "if it is a key of FN-DSA or Falcon, `fndsa convert FILE --algorithm NAME --to pem -o OUT` takes it out"
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
