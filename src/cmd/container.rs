//! PKCS#8 and X.509 (SPKI) around keys, in PEM or DER.
//!
//! The content is the raw encoding and nothing else; the algorithm has no parameters. What is read is
//! strict DER without a byte more. A public key inside a private key file (version 2) must be that of
//! the private key; attributes are refused, since a later conversion would lose them silently.

use super::armor::{self, Defect, Kind, Object};
use super::encryption::{self, Locked};
use super::oid::{Named, Oid};
use super::report::Error;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fndsa::Degree;
use pkcs8::der::asn1::AnyRef;
use pkcs8::der::{Decode, Reader, SliceReader, Tag, Tagged};
use zeroize::Zeroizing;

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

/// What the user says that a container holds, whatever its identifier.
#[derive(Clone, Debug, Default)]
pub struct Accept {
    /// This identifier stands for FN-DSA.
    pub oid: Option<Oid>,
    /// Any unknown identifier stands for FN-DSA; the caller compares the degree.
    pub degree: Option<Degree>,
}

/// A file that was read: a key or signature, or a private key behind a password.
pub enum Stored {
    /// Ready.
    Plain(Object),
    /// Encrypted.
    Locked(Locked),
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

    fn damaged(self, why: &'static str) -> Defect {
        Defect::Container { what: self.name(), why }
    }

    /// Reads a container of this structure.
    ///
    /// # Errors
    /// The defect.
    pub fn read(self, der: &[u8], is_der: bool, accept: &Accept) -> Result<Stored, Defect> {
        if let Some(Some(defect)) = wrong_length(der) {
            return Err(defect);
        }
        let (kind, pem_form, der_form) = match self {
            Self::Private => (Kind::SigningKey, Encoding::Pkcs8, Encoding::Pkcs8Der),
            Self::Public => (Kind::VerifyingKey, Encoding::Spki, Encoding::SpkiDer),
            Self::Encrypted => return Locked::read(der, is_der).map(Stored::Locked),
        };
        let encoding = if is_der { der_form } else { pem_form };
        let damaged = || self.damaged("the DER is damaged");
        let items = sequence(der).ok_or_else(damaged)?;
        let (algorithm, key, public) = match (self, &items[..]) {
            (
                Self::Private,
                [(Tag::Integer, version), (Tag::Sequence, algorithm), (Tag::OctetString, key), rest @ ..],
            ) => {
                let public = match rest {
                    [] => None,
                    [(Tag::ContextSpecific { number, .. }, _), ..] if number.value() == 0 => {
                        return Err(self.damaged("it has attributes, which would be lost"));
                    }
                    [(Tag::ContextSpecific { number, constructed: false }, bits)] if number.value() == 1 => {
                        Some(whole_bytes(bits).ok_or_else(damaged)?.to_vec())
                    }
                    _ => return Err(damaged()),
                };
                // Version 2 is what has a public key.
                if *version != [u8::from(public.is_some())] {
                    return Err(self.damaged("the version is wrong"));
                }
                (algorithm, *key, public)
            }
            (Self::Public, [(Tag::Sequence, algorithm), (Tag::BitString, bits)]) => {
                (algorithm, whole_bytes(bits).ok_or_else(damaged)?, None)
            }
            _ => return Err(damaged()),
        };
        let (oid, parameters) = match &items_of(algorithm).ok_or_else(damaged)?[..] {
            [(Tag::ObjectIdentifier, content), parameters @ ..] if parameters.len() < 2 => {
                (Oid::from_content(content).ok_or_else(damaged)?, !parameters.is_empty())
            }
            _ => return Err(damaged()),
        };
        let degree = self.degree(&oid, accept)?;
        if parameters {
            return Err(self.damaged("the algorithm has parameters"));
        }
        let bytes = Zeroizing::new(key.to_vec());
        let mut object = Object::new(kind, encoding, bytes)?;
        if degree.is_some_and(|degree| degree != object.degree) {
            return Err(self.damaged("the key is of another degree than the OID says"));
        }
        object.container = Some(Container { oid, public, encryption: None });
        Ok(Stored::Plain(object))
    }

    /// The degree that an identifier stands for, if it says one.
    fn degree(self, oid: &Oid, accept: &Accept) -> Result<Option<Degree>, Defect> {
        match oid.named() {
            Some(Named::FnDsa(degree)) => Ok(Some(degree)),
            Some(Named::Falcon) => {
                Err(Defect::Foreign("a Falcon (round 3) key, which this version does not read".into()))
            }
            Some(Named::Other(name)) => Err(Defect::Foreign(format!("{} of {name}", self.name()).into())),
            None if accept.oid.as_ref() == Some(oid) || accept.degree.is_some() => Ok(None),
            None => Err(Defect::UnknownOid { what: self.name(), oid: oid.to_string() }),
        }
    }
}

/// Reads a file that begins like DER.
///
/// # Errors
/// The defect; none of it if the file is not DER at all.
pub fn read_der(data: &[u8], accept: &Accept) -> Option<Result<Stored, Defect>> {
    if let Some(defect) = wrong_length(data)? {
        return Some(Err(defect));
    }
    let foreign = |what: &'static str| Some(Err(Defect::Foreign(what.into())));
    let Some(items) = sequence(data) else { return foreign("a damaged DER file") };
    let structure = match items[..] {
        [(Tag::Integer, _), (Tag::Sequence, _), (Tag::OctetString, _), ..] => Structure::Private,
        [(Tag::Sequence, _), (Tag::BitString, _)] => Structure::Public,
        [(Tag::Sequence, _), (Tag::OctetString, _)] => Structure::Encrypted,
        [(Tag::Sequence, _), (Tag::Sequence, _), (Tag::BitString, _)] => {
            return foreign("an X.509 certificate, a request for one or a revocation list in DER");
        }
        [(Tag::Integer, _), (Tag::Integer, _), (Tag::Integer, _), ..] => return foreign("an RSA or DSA key in DER"),
        [(Tag::Integer, [1]), (Tag::OctetString, _), ..] => return foreign("an elliptic-curve key in DER"),
        [(Tag::Integer, [3]), (Tag::Sequence, _), ..] => return foreign("a PKCS#12 file"),
        [(Tag::ObjectIdentifier, _), (Tag::ContextSpecific { .. }, _)] => {
            return foreign("a PKCS#7 or CMS file in DER");
        }
        _ => return foreign("a DER file of another program"),
    };
    Some(structure.read(data, true, accept))
}

/// Whether a file that begins like a SEQUENCE has the length that it says; nothing if it does not
/// begin so. A text may begin so by chance: it does not have a short length that fits.
fn wrong_length(data: &[u8]) -> Option<Option<Defect>> {
    let (inner, expected) = match *data {
        [0x30, len @ ..=0x7f, ref inner @ ..] if inner.len() == usize::from(len) => (inner, inner.len()),
        [0x30, 0x81, len, ref inner @ ..] => (inner, usize::from(len)),
        [0x30, 0x82, a, b, ref inner @ ..] => (inner, usize::from(a) << 8 | usize::from(b)),
        _ => return None,
    };
    let (expected, found) = (data.len() - inner.len() + expected, data.len());
    Some((expected != found).then_some(Defect::DerLength { expected, found }))
}

/// Tag and content.
type Item<'a> = (Tag, &'a [u8]);

/// The elements that fill `content`, by the rules of DER.
pub fn items_of(content: &[u8]) -> Option<Vec<Item<'_>>> {
    let mut reader = SliceReader::new(content).ok()?;
    let mut items = Vec::new();
    while !reader.is_finished() {
        let item = AnyRef::decode(&mut reader).ok()?;
        items.push((item.tag(), item.value()));
    }
    Some(items)
}

/// The elements of the one SEQUENCE that fills `der`.
pub fn sequence(der: &[u8]) -> Option<Vec<Item<'_>>> {
    match items_of(der)?[..] {
        [(Tag::Sequence, content)] => items_of(content),
        _ => None,
    }
}

/// The content of a BIT STRING that ends with a byte.
fn whole_bytes(bits: &[u8]) -> Option<&[u8]> {
    bits.strip_prefix(&[0])
}

/// One element. Secret where `content` is: the buffer has its final size from the start.
pub fn element(tag: u8, content: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let len: usize = content.iter().map(|part| part.len()).sum();
    let mut out = Zeroizing::new(Vec::with_capacity(len + 6));
    out.push(tag);
    let bytes = (len as u32).to_be_bytes();
    let skip = bytes.iter().take_while(|byte| **byte == 0).count();
    if len < 0x80 {
        out.push(len as u8);
    } else {
        out.push(0x80 | (4 - skip) as u8);
        out.extend_from_slice(&bytes[skip..]);
    }
    content.iter().for_each(|part| out.extend_from_slice(part));
    out
}

/// How a file is written.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// The form.
    pub encoding: Encoding,
    /// The identifier in a container, if not the one of FN-DSA.
    pub oid: Option<&'a Oid>,
    /// Encrypts a private key.
    pub password: Option<&'a [u8]>,
}

impl Style<'_> {
    /// A form, not encrypted.
    pub fn plain(encoding: Encoding) -> Self {
        Self { encoding, oid: None, password: None }
    }

    /// The contents of a file with the encoding `bytes`. `note` is the line before a PEM block of
    /// FN-DSA's own; containers have none, because not every program skips it.
    ///
    /// # Errors
    /// The form does not fit the kind, a toy has no identifier, or encryption fails.
    pub fn write(&self, kind: Kind, degree: Degree, note: &str, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let own = match self.encoding {
            Encoding::Pem => Some(armor::Format::Pem),
            Encoding::Raw => Some(armor::Format::Raw),
            _ => None,
        };
        match (own, self.password) {
            (Some(format), None) => return Ok(armor::write(kind, format, note, bytes)),
            (Some(_), Some(_)) => return Err(Error::NotEncryptable(self.encoding)),
            _ => {}
        }
        if self.encoding.kind() != Some(kind) {
            return Err(Error::Form { kind, encoding: self.encoding });
        }
        let oid = self.oid.cloned().or_else(|| Oid::of(degree)).ok_or(Error::NoOid(degree))?;
        if let Some(Named::FnDsa(other)) = oid.named()
            && other != degree
        {
            return Err(Error::OidDegree { oid: other, key: degree });
        }
        let algorithm = element(0x30, &[&element(0x06, &[oid.content()])]);
        let (structure, der) = match (kind, self.password) {
            (Kind::SigningKey, password) => {
                let der = element(0x30, &[&[0x02, 1, 0], &algorithm, &element(0x04, &[bytes])]);
                match password {
                    None => (Structure::Private, der),
                    Some(password) => (Structure::Encrypted, encryption::lock(&der, password)?),
                }
            }
            _ => (Structure::Public, element(0x30, &[&algorithm, &element(0x03, &[&[0], bytes])])),
        };
        Ok(if self.encoding.is_der() { der } else { armor::pem(structure.label(), "", &der) })
    }
}
