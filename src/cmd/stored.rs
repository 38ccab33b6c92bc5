//! Files of keys and signatures: read by what they hold, written in a style.
//!
//! PEM, the raw encoding or DER: content decides, never the name.

use super::armor::{self, Block};
use super::container::{Accept, Stored, read_der};
use super::der::element;
use super::layout::Layout;
use super::object::{Defect, Encoding, Format, Kind, Object, Structure, suggested};
use super::oid::{Named, Oid};
use super::report::Error;
use super::{attached, encryption, foreign};
use fndsa::{Algorithm, Scheme};
use zeroize::Zeroizing;

/// Reads a file of any kind; a private key may still need its password.
///
/// # Errors
/// The defect.
pub fn read(data: &[u8], accept: &Accept) -> Result<Stored, Defect> {
    if data.is_empty() {
        return Err(Defect::Empty);
    }
    if is_utf16(data) {
        return Err(Defect::Utf16);
    }
    match Block::find(data)? {
        Some(block) => decode(&block, accept),
        None => read_der(data, accept).unwrap_or_else(|| read_raw(data).map(Stored::Plain)),
    }
}

/// Whether a file is text in UTF-16, by its byte order mark.
pub fn is_utf16(data: &[u8]) -> bool {
    data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff")
}

/// What a PEM block holds, by its label.
fn decode(block: &Block<'_>, accept: &Accept) -> Result<Stored, Defect> {
    if let Some(structure) = Structure::of_label(block.label) {
        return structure.read(&block.payload()?, false, accept);
    }
    let Some((kind, schemes)) = Kind::of_label(block.label) else {
        let foreign = foreign::label(block.label).map(|what| Defect::Foreign(what.into()));
        return Err(foreign.unwrap_or_else(|| Defect::Label(block.label.to_owned())));
    };
    let object = Object::new(kind, schemes, Encoding::Pem, block.payload()?)?;
    Ok(Stored::Plain(object.noted(block.note)))
}

/// The raw encoding: first byte and length.
fn read_raw(data: &[u8]) -> Result<Object, Defect> {
    if let Some(object) = Object::of_raw(data)? {
        return Ok(object);
    }
    if let Some(attached) = attached::split(data) {
        return Err(Defect::SignedMessage(attached.signature.algorithm()));
    }
    if let Some(what) = foreign::name(data) {
        return Err(Defect::Foreign(what.into()));
    }
    let text = std::str::from_utf8(data).is_ok_and(|s| !s.chars().any(|c| c.is_control() && !c.is_whitespace()));
    match data.first().and_then(|first| suggested(*first)) {
        Some((kind, degree)) if !text => {
            let expected = kind.len(Algorithm::new(Scheme::FnDsa, degree));
            Err(Defect::RawLength { kind, degree_n: degree.n(), expected, found: data.len() })
        }
        _ => Err(Defect::Unknown(foreign::content(data, text))),
    }
}

/// Writes the encoding `bytes`; `note` is the line before a PEM block, for people only.
pub fn write(kind: Kind, scheme: Scheme, format: Format, note: &str, bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    match format {
        Format::Raw => Zeroizing::new(bytes.to_vec()),
        Format::Pem => armor::pem(&kind.label(scheme), &format!("{note}\n"), bytes),
    }
}

/// How a file is written.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// The form.
    pub encoding: Encoding,
    /// The identifier in a container, if not the usual one of the algorithm.
    pub oid: Option<&'a Oid>,
    /// The layout of a private key in a container, if not the usual one of the algorithm.
    pub layout: Option<Layout>,
    /// The public key, which some layouts have beside the private key.
    pub public: Option<&'a [u8]>,
    /// Encrypts a private key.
    pub password: Option<&'a [u8]>,
}

impl Style<'_> {
    /// A form, not encrypted.
    pub fn plain(encoding: Encoding) -> Self {
        Self { encoding, oid: None, layout: None, public: None, password: None }
    }

    /// The contents of a file with the encoding `bytes`. `note` is the line before a PEM block of
    /// FN-DSA's own; containers have none, because not every program skips it.
    ///
    /// # Errors
    /// The form does not fit the kind, the algorithm has no identifier, or encryption fails.
    pub fn write(
        &self,
        kind: Kind,
        algorithm: Algorithm,
        note: &str,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let own = match self.encoding {
            Encoding::Pem => Some(Format::Pem),
            Encoding::Raw => Some(Format::Raw),
            _ => None,
        };
        match (own, self.password) {
            (Some(format), None) => return Ok(write(kind, algorithm.scheme, format, note, bytes)),
            (Some(_), Some(_)) => return Err(Error::NotEncryptable(self.encoding)),
            _ => {}
        }
        if self.encoding.kind() != Some(kind) {
            return Err(Error::Form { kind, encoding: self.encoding });
        }
        let oid = self.oid.cloned().or_else(|| Oid::of(algorithm)).ok_or(Error::NoOid(algorithm))?;
        if let Some(Named::Own(other)) = oid.named()
            && other != algorithm
        {
            return Err(Error::OidAlgorithm { oid: other, key: algorithm });
        }
        let identifier = element(0x30, &[&element(0x06, &[oid.content()])]);
        let (structure, der) = match (kind, self.password) {
            (Kind::SigningKey, password) => {
                let layout = self.layout.unwrap_or(Layout::of(algorithm.scheme));
                let content = layout.wrap(algorithm.degree, bytes, self.public);
                let der = element(0x30, &[&[0x02, 1, 0], &identifier, &element(0x04, &[&content])]);
                match password {
                    None => (Structure::Private, der),
                    Some(password) => (Structure::Encrypted, encryption::lock(&der, password)?),
                }
            }
            _ => (Structure::Public, element(0x30, &[&identifier, &element(0x03, &[&[0], bytes])])),
        };
        Ok(if self.encoding.is_der() { der } else { armor::pem(structure.label(), "", &der) })
    }
}
