//! Files of keys, signatures and lists: from the bytes of a file to what it holds, and back.
//!
//! [`read`] takes PEM, the raw encoding, PKCS#8, SPKI or an X.509 certificate: the content decides, and no name is
//! looked at. [`write`](write()) and [`Style::write`] make such files. Nothing here opens a file: the contents are an
//! argument.
//!
//! What is read has the right kind and length, and is not checked further. [`Object::signing_key`], [`Object::verifying_key`] and
//! [`Object::signature`] check it in full:
//!
//! ```
//! use fndsa::Algorithm;
//! use fndsa::files::{Accept, Kind, read};
//!
//! let file = include_bytes!("../../tests/kat/oqs-provider/falcon512.pub.pem");
//! let accept = Accept { algorithm: Some(Algorithm::FALCON_512), ..Accept::default() };
//! let object = read(file, &accept)?.plain()?;
//! assert_eq!((object.kind, object.algorithm()), (Kind::VerifyingKey, Algorithm::FALCON_512));
//! let key = object.verifying_key()?;
//! # assert_eq!(key.algorithm(), Algorithm::FALCON_512);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - `kind`: private key, public key or signature
//! - `encoding`: the formats of a file, for example PEM
//! - `accept`: the additional files that a reader accepts
//! - `object`: a key or signature as stored in a file
//! - `typed`: the checked key or signature of an object
//! - `defect`: the reasons why a file does not decode
//! - `pem`: PEM
//! - `pkcs8`: PKCS#8 and SPKI
//! - `layout`: Falcon private keys in PKCS#8
//! - `seed`: ML-DSA private keys in PKCS#8
//! - `certificate`: the public key of an X.509 certificate
//! - `private`: private keys, checked together with the public key in the same file
//! - `locked`: reads private keys that are encrypted with a password
//! - `encryption`: encrypts and decrypts private keys (feature `encryption`)
//! - `attached`: signed messages
//! - `manifest`: lists of checksums
//! - `windows`: file names of a list on Windows
//! - `inline`: lists that contain their signature
//! - `date`: days
//! - `foreign`: detects files of other programs
//! - `der`: DER
//! - `oid`: object identifiers
//! - `hex`: hexadecimal digits
//! - `rustcrypto`: the traits of the crates `pkcs8` and `spki` (feature `pkcs8`)

mod accept;
pub mod attached;
mod certificate;
mod date;
mod defect;
mod der;
mod encoding;
#[cfg(feature = "encryption")]
mod encryption;
mod foreign;
pub mod hex;
pub mod inline;
mod kind;
mod layout;
mod locked;
pub mod manifest;
mod object;
mod oid;
pub mod pem;
mod pkcs8;
mod private;
#[cfg(feature = "pkcs8")]
mod rustcrypto;
mod seed;
mod typed;
pub mod windows;

pub use accept::Accept;
pub use date::{Date, NotADate};
pub use defect::Defect;
pub use encoding::{Encoding, Format};
#[cfg(feature = "encryption")]
pub use encryption::{LockError, OpenError};
pub use foreign::{Foreign, ForeignFormat};
pub use kind::{Kind, Schemes, schemes_of};
pub use layout::Layout;
pub use locked::Locked;
use object::is_text;
pub use object::{Container, MAX_NOTE, Object, Structure};
pub use oid::{Named, Oid, OidError};
pub use pkcs8::Stored;
pub use private::{CheckedPrivateKey, PrivateKeyError};
pub use typed::ObjectError;

use crate::api::{Algorithm, Level, SEED_LEN, Scheme, SigningKeyRef};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use der::element;
use encoding::Wrapping;
use kind::suggested;
use pem::Block;
use pkcs8::{OuterLength, read_container, read_der};
use thiserror::Error;
use zeroize::Zeroizing;

/// Reads the contents of a file of any kind; a private key may still need its password.
///
/// # Errors
/// The file is no key or signature, or a damaged one; it is of another algorithm than `accept` requires; it is a toy that `accept` does
/// not allow.
pub fn read(data: &[u8], accept: &Accept) -> Result<Stored, Defect> {
    match read_any(data, accept)? {
        Stored::Plain(object) => accept.admit(object).map(Stored::Plain),
        locked @ Stored::Locked(_) => Ok(locked),
    }
}

/// Reads the contents of a file of any kind and any algorithm.
fn read_any(data: &[u8], accept: &Accept) -> Result<Stored, Defect> {
    if data.is_empty() {
        return Err(Defect::Empty);
    }
    if is_utf16(data) && matches!(Object::of_length(data, accept), Ok(None)) {
        return Err(Defect::Utf16);
    }
    if let Some(block) = Block::find(data)? {
        return decode(&block, accept);
    }
    match Object::of_length(data, accept)? {
        Some(object) => Ok(Stored::Plain(object)),
        None => match OuterLength::of(data) {
            OuterLength::NotDer => read_raw(data, accept).map(Stored::Plain),
            OuterLength::Fits => read_der(data, accept),
            OuterLength::Wrong(defect) => Err(defect),
        },
    }
}

/// Returns whether a file is text in UTF-16, by its byte order mark.
pub fn is_utf16(data: &[u8]) -> bool {
    data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff")
}

/// Reads what a PEM block holds, by its label.
fn decode(block: &Block<'_>, accept: &Accept) -> Result<Stored, Defect> {
    if let Some(structure) = Structure::of_label(block.label) {
        let payload = if structure.is_public() { block.public_payload() } else { block.payload() };
        return read_container(structure, &payload?, Wrapping::Pem, accept);
    }
    let Some((kind, schemes)) = Kind::of_label(block.label) else {
        let foreign = Foreign::of_label(block.label).map(Defect::Foreign);
        return Err(foreign.unwrap_or_else(|| Defect::Label(block.label.to_owned())));
    };
    let payload = if kind == Kind::SigningKey { block.payload() } else { block.public_payload() };
    let object = Object::new(kind, schemes, Encoding::Pem, payload?)?;
    Ok(Stored::Plain(object.noted(block.note)))
}

/// Reads a file without a container: the first byte and the length tell what it is.
fn read_raw(data: &[u8], accept: &Accept) -> Result<Object, Defect> {
    if let Some(object) = Object::of_raw(data)? {
        return Ok(object);
    }
    if let Some(attached) = attached::split(data) {
        return Err(Defect::SignedMessage(attached.signature.algorithm()));
    }
    if let Some(foreign) = Foreign::of_content(data) {
        return Err(Defect::Foreign(foreign));
    }
    let is_text = is_text(data);
    if data.len() == SEED_LEN && !is_text && accept.algorithm.is_none() {
        return Err(Defect::Seed);
    }
    match data.first().and_then(|first| suggested(*first)) {
        Some((kind, degree)) if !is_text => {
            let expected = Algorithm::at_degree(Scheme::FnDsa, degree).map_or(0, |algorithm| kind.len(algorithm));
            Err(Defect::RawLength { kind, degree_n: degree.n(), expected, found: data.len() })
        }
        _ => Err(Defect::Unknown(foreign::content(data, is_text))),
    }
}

/// Returns the contents of a file for the raw encoding `bytes`: [`Style::write`] in the usual style. `note` is the line before a PEM
/// block without a container, for people only.
///
/// # Errors
/// Those of [`Style::write`].
pub fn write(
    kind: Kind,
    algorithm: Algorithm,
    format: Format,
    note: &str,
    bytes: &[u8],
) -> Result<Zeroizing<Vec<u8>>, WriteError> {
    Style::plain(format.into()).write(kind, algorithm, note, bytes)
}

/// Why a key or signature cannot be written in some form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The form is a container of another kind.
    #[error("a {} has no {} form", .kind.name(), .encoding.name())]
    Form {
        /// What was to be written.
        kind: Kind,
        /// The form asked for.
        encoding: Encoding,
    },
    /// The bytes are no encoding of this kind and algorithm.
    #[error("the bytes are not a {} of {algorithm}", .kind.name())]
    Bytes {
        /// The kind that the caller names.
        kind: Kind,
        /// The algorithm that the caller names.
        algorithm: Algorithm,
    },
    /// Private keys of the algorithm have no such layout.
    #[error("private keys of {algorithm} have no layout {}", .layout.name())]
    Layout {
        /// The layout that the caller names.
        layout: Layout,
        /// The algorithm of the key.
        algorithm: Algorithm,
    },
    /// The expanded key in the style is not the expanded form of the seed.
    #[error("the expanded key does not belong to the seed")]
    OtherExpanded,
    /// [`read`] does not return the same bytes from the file, which is wiped: no key may be lost in a file that nothing reads.
    #[error("the file of a {} of {algorithm} could not be read again: nothing is written", .kind.name())]
    Unreadable {
        /// The kind of the object.
        kind: Kind,
        /// The algorithm of the object.
        algorithm: Algorithm,
    },
    /// Files in this form have no password.
    #[error("{} files cannot be encrypted", .0.name())]
    NotEncryptable(Encoding),
    /// In raw encoding a private key of the algorithm looks like a public one, and could not be read again.
    #[error("raw keys of {0} cannot be read again, because private and public keys both have 32 bytes")]
    NoRaw(Algorithm),
    /// Containers need an identifier, and the algorithm has none.
    #[error("{0} has no OID")]
    NoOid(Algorithm),
    /// Hexadecimal digits are for seeds.
    #[error("only seeds of ML-DSA and Ed25519 can be written as hexadecimal digits")]
    NoDigits,
    /// The identifier of the algorithm is assigned, and another one is given.
    #[error("keys of {0} must have the OID that is assigned to {0}")]
    FixedOid(Algorithm),
    /// The form of the private key holds the seed, and only the expanded key is known.
    #[error("the form {} contains the seed, which cannot be computed from an expanded key", .0.name())]
    NoSeed(Layout),
    /// The form of the private key is not given what it holds: the expanded key.
    #[error("the form {} contains the expanded key, which is not given", .0.name())]
    NoExpanded(Layout),
    /// The identifier given is that of another algorithm.
    #[error("the OID belongs to {oid}, but the key is {key}")]
    OidAlgorithm {
        /// The algorithm of the identifier.
        oid: Algorithm,
        /// The algorithm of the key.
        key: Algorithm,
    },
}

/// How a file is written.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    /// The form.
    pub encoding: Encoding,
    /// The identifier in a container; `None` for the usual one of the algorithm.
    pub oid: Option<&'a Oid>,
    /// The layout of a private key in a container; `None` for the usual one of the scheme.
    pub layout: Option<Layout>,
    /// The encoding of the public key, which some layouts have beside the private key.
    pub public: Option<&'a [u8]>,
    /// The expanded form of a private key of ML-DSA, which some layouts have beside the seed or in place of it.
    pub expanded: Option<&'a [u8]>,
    /// The content of the attributes of a private key in a container; `None` for no attributes.
    pub attributes: Option<&'a [u8]>,
}

impl Style<'_> {
    /// Returns the usual style of a form.
    pub const fn plain(encoding: Encoding) -> Self {
        Self { encoding, oid: None, layout: None, public: None, expanded: None, attributes: None }
    }

    /// Returns the contents of a file with the raw encoding `bytes`. They are wiped when they are dropped. `note` is
    /// the line before a PEM block without a container, for people only; containers have none, because not every
    /// program skips it. Keys of ML-DSA and Ed25519 have no PEM but that of PKCS#8 and SPKI, which [`Encoding::Pem`] stands for.
    ///
    /// [`read`] returns the same bytes from the contents, if [`Accept`] names the algorithm. Without the algorithm `read` rejects the raw
    /// seed of a key of ML-DSA, and takes a raw encoding that several schemes share for one of the first of [`Object::algorithms`].
    ///
    /// # Errors
    /// The bytes are no encoding of the kind and the algorithm; the form or the layout does not fit them; there is no identifier of the
    /// algorithm; `read` would not return the same bytes.
    pub fn write(
        &self,
        kind: Kind,
        algorithm: Algorithm,
        note: &str,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        if !kind.is_encoding(algorithm, bytes) {
            return Err(WriteError::Bytes { kind, algorithm });
        }
        let style = Self { encoding: self.encoding.of(kind, algorithm), ..*self };
        style.read_again(style.contents(kind, algorithm, note, bytes)?, kind, algorithm, bytes)
    }

    /// Returns the contents of a file in exactly the form of this style.
    fn contents(
        &self,
        kind: Kind,
        algorithm: Algorithm,
        note: &str,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        match self.encoding {
            Encoding::Pem => return Ok(pem::pem(&kind.label(algorithm.scheme()), &format!("{note}\n"), bytes)),
            Encoding::Raw
                if kind != Kind::Signature && algorithm.signing_key_len() == algorithm.verifying_key_len() =>
            {
                return Err(WriteError::NoRaw(algorithm));
            }
            Encoding::Raw => return Ok(Zeroizing::new(bytes.to_vec())),
            Encoding::Hex if kind == Kind::SigningKey && algorithm.degree().is_none() && bytes.len() == SEED_LEN => {
                let mut digits = Zeroizing::new(Vec::with_capacity(2 * SEED_LEN + 1));
                digits.extend_from_slice(Zeroizing::new(hex::hex(bytes)).as_bytes());
                digits.push(b'\n');
                return Ok(digits);
            }
            Encoding::Hex => return Err(WriteError::NoDigits),
            encoding if encoding.kind() != Some(kind) => return Err(WriteError::Form { kind, encoding }),
            _ => {}
        }
        let (structure, der) = match kind {
            Kind::SigningKey => (Structure::Private, self.private_key(algorithm, bytes)?),
            _ => {
                let identifier = self.identifier(algorithm)?;
                (Structure::Public, element(0x30, &[&identifier, &element(0x03, &[&[0], bytes])]))
            }
        };
        Ok(self.finished(structure, der))
    }

    /// Returns the file, if [`read`] returns the same object from it.
    fn read_again(
        &self,
        file: Zeroizing<Vec<u8>>,
        kind: Kind,
        algorithm: Algorithm,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        let accept = Accept {
            oid: self.oid.cloned(),
            any_oid: false,
            algorithm: Some(algorithm),
            allow_toys: true,
            kind: Some(kind),
            prehashed: true,
        };
        if let Ok(Stored::Plain(object)) = read(&file, &accept) {
            let same_bytes = object.kind == kind && private::same(&object.bytes, self.stored(algorithm, bytes));
            // Only a full check compares the keys that some layouts have next to the private key.
            let is_alone = object.expanded.is_none() && object.container.as_ref().is_none_or(|it| it.public.is_none());
            if same_bytes && (is_alone || object.private_key(Level::detect()).is_ok()) {
                return Ok(file);
            }
        }
        Err(WriteError::Unreadable { kind, algorithm })
    }

    /// Returns the bytes that a file in this style has for the key or signature `bytes`: of a seed of ML-DSA it may have the expanded
    /// form in place of the seed.
    fn stored<'b>(&'b self, algorithm: Algorithm, bytes: &'b [u8]) -> &'b [u8] {
        let replaces = self.encoding.kind() == Some(Kind::SigningKey)
            && algorithm.expanded_form_len().is_some_and(|len| len != bytes.len())
            && matches!(self.layout, Some(Layout::Expanded | Layout::BarePriv | Layout::Oqs));
        self.expanded.filter(|_| replaces).unwrap_or(bytes)
    }

    /// Returns the contents of a file with the private key `bytes`, in raw encoding, behind a password.
    ///
    /// # Errors
    /// The form is none of PKCS#8, there is no identifier of the algorithm, or there is no randomness or memory.
    #[cfg(feature = "encryption")]
    pub fn write_locked<R: rand_core::TryCryptoRng>(
        &self,
        algorithm: Algorithm,
        bytes: &[u8],
        password: &[u8],
        rng: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, LockError<R::Error>> {
        match self.encoding.kind() {
            Some(Kind::SigningKey) => {}
            None => return Err(LockError::Form(WriteError::NotEncryptable(self.encoding))),
            Some(_) => {
                return Err(LockError::Form(WriteError::Form { kind: Kind::SigningKey, encoding: self.encoding }));
            }
        }
        let kind = Kind::SigningKey;
        let der = self.private_key(algorithm, bytes);
        let der = der.and_then(|der| self.read_again(der, kind, algorithm, bytes)).map_err(LockError::Form)?;
        Ok(self.finished(Structure::Encrypted, encryption::lock(&der, password, rng)?))
    }

    /// Returns the DER of PKCS#8 with a private key.
    fn private_key(&self, algorithm: Algorithm, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        let identifier = self.identifier(algorithm)?;
        let layout = self.layout.unwrap_or(Layout::of(algorithm.scheme()));
        if !layout.is_of(algorithm.scheme()) {
            return Err(WriteError::Layout { layout, algorithm });
        }
        let content = match algorithm.expanded_form_len() {
            Some(expanded_len) => {
                self.check_expanded(algorithm, bytes)?;
                self.form_of_seed(layout, bytes, expanded_len)?
            }
            None => layout.wrap(algorithm, bytes, self.public),
        };
        let attributes = self.attributes.map(|attributes| element(0xa0, &[attributes]));
        let attributes = attributes.as_ref().map_or(&[][..], |attributes| attributes);
        Ok(element(0x30, &[&[0x02, 1, 0], &identifier, &element(0x04, &[&content]), attributes]))
    }

    /// Checks that the expanded key in the style is the expanded form of a seed of ML-DSA, before a file has it in place of the seed.
    fn check_expanded(&self, algorithm: Algorithm, bytes: &[u8]) -> Result<(), WriteError> {
        let (Some(given), Ok(seed)) = (self.expanded, <&[u8; SEED_LEN]>::try_from(bytes)) else { return Ok(()) };
        let level = Level::detect();
        let mut work = vec![0; algorithm.import_work_len()];
        let mut expanded = Zeroizing::new(vec![0; algorithm.expanded_form_len().unwrap_or_default()]);
        let made = SigningKeyRef::from_seed(level, algorithm, seed, &mut work)
            .and_then(|key| key.expanded_form_into(level, &mut expanded, &mut work));
        if made.is_ok() && private::same(&expanded, given) { Ok(()) } else { Err(WriteError::OtherExpanded) }
    }

    /// Returns the content of `privateKey` for a private key of ML-DSA, of which `bytes` is the seed or the expanded form. Where no
    /// form is asked for, a key without a seed is written in the expanded one.
    fn form_of_seed(
        &self,
        layout: Layout,
        bytes: &[u8],
        expanded_len: usize,
    ) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        let is_expanded = bytes.len() == expanded_len;
        let expanded = if is_expanded { Some(bytes) } else { self.expanded };
        let layout = if is_expanded && self.layout.is_none() { Layout::Expanded } else { layout };
        match (layout, expanded) {
            (Layout::Expanded | Layout::BarePriv, Some(expanded)) => Ok(seed::wrap(layout, expanded, &[])),
            (Layout::Oqs, Some(expanded)) => Ok(seed::wrap(layout, expanded, self.public.unwrap_or_default())),
            (Layout::Expanded | Layout::BarePriv | Layout::Oqs | Layout::Both, None) => {
                Err(WriteError::NoExpanded(layout))
            }
            _ if is_expanded => Err(WriteError::NoSeed(layout)),
            (Layout::Both, Some(expanded)) => Ok(seed::wrap(layout, bytes, expanded)),
            _ => Ok(seed::wrap(layout, bytes, &[])),
        }
    }

    /// Returns the DER of the AlgorithmIdentifier in a container.
    fn identifier(&self, algorithm: Algorithm) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        let oid = self.oid.cloned().or_else(|| Oid::of(algorithm)).ok_or(WriteError::NoOid(algorithm))?;
        if let Some(other) = oid.algorithm()
            && other != algorithm
        {
            return Err(WriteError::OidAlgorithm { oid: other, key: algorithm });
        }
        if algorithm.degree().is_none() && oid.algorithm() != Some(algorithm) {
            return Err(WriteError::FixedOid(algorithm));
        }
        Ok(element(0x30, &[&element(0x06, &[oid.content()])]))
    }

    /// Returns a container in the form of this style: as DER, or as PEM around it.
    fn finished(&self, structure: Structure, der: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        if self.encoding.is_der() { der } else { pem::pem(structure.label(), "", &der) }
    }
}
