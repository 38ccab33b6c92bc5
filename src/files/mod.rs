//! Converts the contents of files to keys, signatures and lists, and back.
//!
//! [`read`] accepts PEM, the raw encoding, hexadecimal digits, PKCS#8, SPKI, X.509 certificates,
//! JSON Web Keys, public keys of TUF, and keys of OpenSSH, and detects the format from the
//! contents. [`write`](write()) and [`WriteOptions::write`] return the contents of such files,
//! except certificates. This module does not open files: the caller reads and writes files, and
//! passes their contents.
//!
//! [`read`] checks only the length of the key or signature. [`FileObject::signing_key`],
//! [`FileObject::verifying_key`] and [`FileObject::signature`] check the whole content:
//!
//! ```
//! use fndsa::files::{Format, ObjectKind, ReadOptions, read, write};
//! use fndsa::{Algorithm, SigningKey};
//! use getrandom::SysRng;
//!
//! let algorithm = Algorithm::ML_DSA_65;
//! let key = SigningKey::generate(algorithm, &mut SysRng)?.verifying_key();
//! let file = write(ObjectKind::VerifyingKey, algorithm, Format::Pem, "", key.as_bytes())?;
//!
//! let accept = ReadOptions::default().with_algorithm(Some(algorithm));
//! let object = read(&file, &accept)?.plain()?;
//! assert_eq!((object.kind, object.algorithm()), (ObjectKind::VerifyingKey, algorithm));
//! assert_eq!(object.verifying_key()?, key);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - `kind`: private key, public key or signature
//! - `encoding`: file formats, for example PEM
//! - `accept`: the algorithms and OIDs that a reader accepts
//! - `object`: a key or signature as stored in a file
//! - `typed`: the checked key or signature in an object
//! - `defect`: the reasons why a file cannot be decoded
//! - `write_error`: the reasons why a file cannot be written
//! - `pem`: PEM
//! - `pkcs8`: PKCS#8 and SPKI
//! - `json`: JSON objects
//! - `jwk`: JSON Web Keys
//! - `jws`: JSON Web Signatures of a separate message
//! - `tuf_key`: public keys in the JSON format of TUF and in-toto
//! - `ssh`: signatures and public keys of OpenSSH
//! - `ssh_private`: OpenSSH private keys
//! - `layout`: private keys in PKCS#8, except ML-DSA keys
//! - `seed`: ML-DSA private keys in PKCS#8
//! - `certificate`: the public key, the issuer and the serial number in an X.509 certificate
//! - `ber`: BER elements, which can have indefinite lengths
//! - `cms`: signatures in the Cryptographic Message Syntax
//! - `cms_writer`: writes signatures in the Cryptographic Message Syntax
//! - `kernel_module`: the signature at the end of a Linux kernel module
//! - `x509`: X.509 certificates and certificate requests
//! - `x509_writer`: new certificate requests and self-signed certificates
//! - `signed_part`: detects the signed parts of X.509 documents
//! - `x509_time`: the times in X.509 certificates
//! - `distinguished_name`: distinguished names
//! - `private`: the reasons why a private key in a file is rejected, and the comparison of secrets
//! - `checked_key`: private keys, checked together with the public key in the same file (feature
//!   `sign`)
//! - `unchecked_key`: replaces `checked_key` in a build without the feature `sign`
//! - `encrypted_key`: reads private keys that are encrypted with a password
//! - `encryption`: encrypts and decrypts private keys (feature `encryption`)
//! - `ssh_encryption`: decrypts OpenSSH private keys (feature `encryption`)
//! - `attached`: Falcon signatures together with their messages
//! - `manifest`: lists of checksums
//! - `list_defect`: the defects in lists of checksums
//! - `windows`: file names from a list of checksums, on Windows
//! - `inline`: lists that contain their signature
//! - `date`: dates
//! - `foreign`: detects files from other programs
//! - `der`: DER
//! - `oid`: object identifiers
//! - `hex`: hexadecimal digits
//! - `rustcrypto`: the traits from the crates `pkcs8` and `spki` (feature `pkcs8`)

mod accept;
pub mod attached;
mod ber;
mod certificate;
#[cfg(feature = "sign")]
mod checked_key;
pub mod cms;
pub mod cms_writer;
mod date;
mod defect;
mod der;
mod distinguished_name;
mod encoding;
mod encrypted_key;
#[cfg(feature = "encryption")]
mod encryption;
mod foreign;
pub mod hex;
pub mod inline;
mod json;
pub(crate) mod jwk;
pub mod jws;
pub mod kernel_module;
mod kind;
mod layout;
mod list_defect;
pub mod manifest;
mod object;
mod oid;
pub mod pem;
mod pkcs8;
mod private;
#[cfg(feature = "pkcs8")]
mod rustcrypto;
mod seed;
mod signed_part;
pub mod ssh;
#[cfg(feature = "encryption")]
mod ssh_encryption;
mod ssh_private;
pub(crate) mod tuf_key;
mod typed;
#[cfg(not(feature = "sign"))]
mod unchecked_key;
pub mod windows;
mod write_error;
pub mod x509;
mod x509_time;
mod x509_writer;

pub use accept::ReadOptions;
#[cfg(feature = "sign")]
pub use checked_key::CheckedPrivateKey;
#[cfg(feature = "sign")]
use checked_key::{is_expanded_form, public_of_private};
pub use date::{Date, DateError};
pub use defect::Defect;
pub use encoding::{FileEncoding, Format};
pub use encrypted_key::EncryptedPrivateKey;
#[cfg(feature = "encryption")]
pub use encryption::{DecryptError, EncryptError};
pub use foreign::{ForeignFile, ForeignFormat, is_mail};
#[cfg(feature = "verdict")]
pub(crate) use jwk::required_members;
pub use kind::{ObjectKind, PossibleSchemes, schemes_of};
pub use layout::KeyLayout;
pub use object::{ContainerData, ContainerStructure, FileObject, MAX_NOTE};
use object::{is_seed_in_digits, is_text};
pub use oid::{IdentifiedAlgorithm, Oid, OidError};
pub use pkcs8::FileContent;
pub use private::PrivateKeyError;
pub use ssh_private::PRIVATE_KEY_LABEL;
pub(crate) use tuf_key::TufPublicKey;
pub use typed::ObjectError;
#[cfg(not(feature = "sign"))]
use unchecked_key::{is_expanded_form, public_of_private};
pub use write_error::WriteError;

use crate::api::{Algorithm, SEED_LEN, Scheme};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;
use der::element;
use encoding::ContainerEncoding;
use kind::suggested_kind;
use pem::PemBlock;
use pkcs8::{OuterLength, read_container, read_der};
use zeroize::Zeroizing;

/// Reads a key or signature from the contents of a file in any supported format. An encrypted
/// private key is returned without decrypting it.
///
/// # Errors
/// Fails if the file is damaged or is not a key or signature. Also fails if `accept` requires an
/// algorithm that the object cannot have, or if the algorithm is a toy (only for tests) and
/// `accept` does not allow toys.
pub fn read(data: &[u8], accept: &ReadOptions) -> Result<FileContent, Defect> {
    match read_any(data, accept)? {
        FileContent::Plain(object) => Ok(FileContent::Plain(accept.admit(object)?)),
        locked @ FileContent::Locked(_) => Ok(locked),
    }
}

/// Reads a file as [`read`] does, but also returns objects that `accept` does not allow: toys, and
/// objects for algorithms other than the required algorithm. The caller must reject these objects.
fn read_any(data: &[u8], accept: &ReadOptions) -> Result<FileContent, Defect> {
    if data.is_empty() {
        return Err(Defect::Empty);
    }
    if is_utf16(data) && matches!(FileObject::of_length(data, accept), Ok(None)) {
        return Err(Defect::Utf16);
    }
    if let Some(block) = PemBlock::find(data)? {
        let content = decode(&block, accept)?;
        if matches!(&content, FileContent::Plain(object) if object.kind == ObjectKind::VerifyingKey) {
            tuf_key::check_absence(data)?;
            jwk::check_absence(data)?;
        }
        return Ok(content);
    }
    match FileObject::of_length(data, accept)? {
        Some(object) => Ok(FileContent::Plain(object)),
        None => match OuterLength::of(data) {
            OuterLength::NotDer => Ok(FileContent::Plain(read_raw(data, accept)?)),
            OuterLength::Fits => read_der(data, accept),
            OuterLength::Wrong(defect) => Err(defect),
        },
    }
}

/// Returns whether a file starts with a UTF-16 byte order mark.
pub fn is_utf16(data: &[u8]) -> bool {
    data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff")
}

/// Decodes the contents of a PEM block. The label of the block determines the format.
fn decode(block: &PemBlock<'_>, accept: &ReadOptions) -> Result<FileContent, Defect> {
    if let Some(structure) = ContainerStructure::from_label(block.label) {
        let payload = if structure.is_public() { block.public_payload() } else { block.payload() };
        return read_container(structure, &payload?, ContainerEncoding::Pem, accept);
    }
    if block.label == PRIVATE_KEY_LABEL {
        return ssh_private::read(&block.payload()?);
    }
    let Some((kind, schemes)) = ObjectKind::from_label(block.label) else {
        return Err(match ForeignFile::from_label(block.label) {
            Some(foreign) => Defect::Foreign(foreign),
            None => Defect::Label(block.label.to_owned()),
        });
    };
    let payload = if kind == ObjectKind::SigningKey { block.payload() } else { block.public_payload() };
    let object = FileObject::new(kind, schemes, FileEncoding::Pem, payload?)?;
    Ok(FileContent::Plain(object.with_note(block.note)))
}

/// Reads a file that is neither PEM nor DER, and that [`FileObject::of_length`] did not recognize.
/// The file can be a raw encoding of a Falcon scheme, a public key of TUF, a JSON Web Key, or an
/// OpenSSH public key.
///
/// # Errors
/// Fails if the file has none of these formats. The defect names the format that the file seems to
/// have.
fn read_raw(data: &[u8], accept: &ReadOptions) -> Result<FileObject, Defect> {
    // This check is skipped if the caller expects a signature, because a toy signature can start
    // with a byte that is also an ASCII digit.
    if accept.algorithm.is_none() && accept.expected_kind != Some(ObjectKind::Signature) && is_seed_in_digits(data) {
        return Err(Defect::Seed);
    }
    if let Some(object) = FileObject::of_raw(data, accept.algorithm)? {
        return Ok(object);
    }
    if let Some(object) = tuf_key::read(data, accept)? {
        return Ok(object);
    }
    if let Some(object) = jwk::read(data, accept)? {
        return Ok(object);
    }
    if let Some(object) = ssh::read_key(data, accept)? {
        return Ok(object);
    }
    if let Some(attached) = attached::split(data)
        && (accept.allow_toys || !attached.signature.algorithm().is_toy())
    {
        return Err(Defect::SignedMessage(attached.signature.algorithm()));
    }
    if let Some(foreign) = ForeignFile::from_content(data) {
        return Err(Defect::Foreign(foreign));
    }
    let is_text = is_text(data);
    if is_text && let Some(defect) = pem::unusable_block(data) {
        return Err(defect);
    }
    if data.len() == SEED_LEN && !is_text && accept.algorithm.is_none() {
        return Err(Defect::Seed);
    }
    match wrong_raw_length(data, is_text) {
        Some(defect) => Err(defect),
        None => Err(Defect::Unknown(foreign::content(data, is_text))),
    }
}

/// Returns the defect for a file that is probably a raw encoding of a Falcon scheme, but has a
/// wrong length. The first byte alone is not sufficient, because one in ten binary files begins
/// with such a byte. Therefore, the file must not be text, the degree must not be a toy degree, and
/// the file must be at least half and at most twice as long as the encoding.
fn wrong_raw_length(data: &[u8], is_text: bool) -> Option<Defect> {
    let (kind, degree) = suggested_kind(*data.first()?)?;
    let algorithm = Algorithm::at_degree(Scheme::FnDsa, degree)?;
    let expected = kind.len(algorithm);
    let found = data.len();
    let is_similar = (expected / 2..=2 * expected).contains(&found);
    let is_probable = is_similar && !is_text && !algorithm.is_toy();
    if is_probable { Some(Defect::RawLength { kind, degree_n: degree.n(), expected, found }) } else { None }
}

/// Returns the contents of a file with a key or signature, in `format` and with default options.
/// `bytes` is the object's raw encoding. `note` is a line for human readers. It is only written
/// before a PEM block that contains the raw encoding, and not before PKCS#8 or SPKI.
///
/// # Errors
/// Returns the errors of [`WriteOptions::write`].
pub fn write(
    kind: ObjectKind,
    algorithm: Algorithm,
    format: Format,
    note: &str,
    bytes: &[u8],
) -> Result<Zeroizing<Vec<u8>>, WriteError> {
    WriteOptions::plain(format.into()).write(kind, algorithm, note, bytes)
}

/// Options for writing a file: the file format, and the optional parts of a container (PKCS#8,
/// SPKI).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WriteOptions<'a> {
    /// The file format.
    pub encoding: FileEncoding,
    /// The OID in a container, or `None` for the default OID of the algorithm.
    pub oid: Option<&'a Oid>,
    /// The layout of a private key in a container, or `None` for the default layout of the scheme.
    /// For an ML-DSA key in the expanded form, the default is [`KeyLayout::Expanded`].
    pub layout: Option<KeyLayout>,
    /// The encoded public key, which some layouts contain next to the private key.
    pub public: Option<&'a [u8]>,
    /// An ML-DSA private key in expanded form (the encoding in FIPS 204), which some layouts
    /// contain next to the seed or instead of the seed.
    pub expanded: Option<&'a [u8]>,
    /// The content of the attributes in a private key's container, or `None` to write no
    /// attributes.
    pub attributes: Option<&'a [u8]>,
}

impl<'a> WriteOptions<'a> {
    accept::setters! {
        with_encoding: encoding: FileEncoding,
        with_oid: oid: Option<&'a Oid>,
        with_layout: layout: Option<KeyLayout>,
        with_public: public: Option<&'a [u8]>,
        with_expanded: expanded: Option<&'a [u8]>,
        with_attributes: attributes: Option<&'a [u8]>,
    }

    /// Returns the default options for a file format.
    pub const fn plain(encoding: FileEncoding) -> Self {
        Self { encoding, oid: None, layout: None, public: None, expanded: None, attributes: None }
    }

    /// Returns the contents of a file with a key or signature. The contents are wiped on drop.
    /// `bytes` is the object's raw encoding. `note` is a line for human readers. It is only written
    /// before a PEM block that contains the raw encoding, because some programs cannot skip a note
    /// before PKCS#8 or SPKI. For keys outside the Falcon family, [`FileEncoding::Pem`] means
    /// PKCS#8 or SPKI in PEM, because these keys have no other PEM form.
    ///
    /// [`read`] returns the same key or signature from these contents under these conditions on its
    /// [`ReadOptions`]:
    ///
    /// - They contain the algorithm. Without an algorithm, `read` rejects raw seeds, and if several
    ///   schemes share an encoding, it uses the first algorithm in [`FileObject::algorithms`].
    /// - They contain the kind, and accept the OID.
    /// - They allow toys (algorithms for tests), if the algorithm is a toy.
    ///
    /// # Errors
    /// Fails if the bytes are not an encoding of this kind and algorithm, or if the format or the
    /// layout does not support the object. Also fails if the format is a container and the
    /// algorithm has no OID, or if `read` would not return the same bytes.
    pub fn write(
        &self,
        kind: ObjectKind,
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

    /// Returns the contents of a file as these options define them, without checking that the file
    /// can be read again.
    fn contents(
        &self,
        kind: ObjectKind,
        algorithm: Algorithm,
        note: &str,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        match self.encoding {
            FileEncoding::Pem => return Ok(pem::pem(&kind.label(algorithm.scheme()), &format!("{note}\n"), bytes)),
            FileEncoding::Raw
                if kind != ObjectKind::Signature && algorithm.signing_key_len() == algorithm.verifying_key_len() =>
            {
                return Err(WriteError::NoRaw(algorithm));
            }
            FileEncoding::Raw if kind == ObjectKind::SigningKey && algorithm.halves().is_some() => {
                return Err(WriteError::NoRaw(algorithm));
            }
            FileEncoding::Raw => return Ok(Zeroizing::new(bytes.to_vec())),
            FileEncoding::Hex
                if kind == ObjectKind::SigningKey
                    && algorithm.degree().is_none()
                    && bytes.len() == algorithm.signing_key_len() =>
            {
                let mut digits = Zeroizing::new(Vec::with_capacity(2 * bytes.len() + 1));
                digits.extend_from_slice(Zeroizing::new(hex::hex(bytes)).as_bytes());
                digits.push(b'\n');
                return Ok(digits);
            }
            FileEncoding::Hex => return Err(WriteError::NoDigits),
            FileEncoding::Jwk => return jwk::write(kind, algorithm, bytes),
            FileEncoding::Ssh if kind == ObjectKind::SigningKey => {
                self.identifier(algorithm)?;
                return ssh_private::private_key_file(algorithm, bytes);
            }
            FileEncoding::Ssh if kind == ObjectKind::VerifyingKey => {
                self.identifier(algorithm)?;
                return Ok(ssh::key_line(algorithm, bytes)?.into_bytes().into());
            }
            encoding @ FileEncoding::Ssh => return Err(WriteError::Form { kind, encoding }),
            encoding if encoding.kind() != Some(kind) => return Err(WriteError::Form { kind, encoding }),
            FileEncoding::TufKey => {
                self.identifier(algorithm)?;
                return Ok(TufPublicKey::new(algorithm, bytes)?.to_json().into_bytes().into());
            }
            _ => {}
        }
        let (structure, der) = match kind {
            ObjectKind::SigningKey => (ContainerStructure::Private, self.private_key(algorithm, bytes)?),
            _ => {
                let identifier = self.identifier(algorithm)?;
                (ContainerStructure::Public, element(0x30, &[&identifier, &element(0x03, &[&[0], bytes])]))
            }
        };
        Ok(self.encode_container(structure, der))
    }

    /// Reads the new `file` to check it. Returns `file` if [`read`] returns the object that was
    /// written, and an error otherwise.
    fn read_again(
        &self,
        file: Zeroizing<Vec<u8>>,
        kind: ObjectKind,
        algorithm: Algorithm,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        let accept = ReadOptions {
            oid: self.oid.cloned(),
            any_oid: false,
            algorithm: Some(algorithm),
            allow_toys: true,
            expected_kind: Some(kind),
            allow_hash_ml_dsa: true,
        };
        if let Ok(FileContent::Plain(object)) = read(&file, &accept) {
            let same_bytes =
                object.kind == kind && private::secrets_are_equal(&object.bytes, self.expected_bytes(algorithm, bytes));
            // The file can also contain a public key or an expanded key. `read` does not compare
            // these keys with the private key, but the full check in `public_of_private` does.
            let has_public = matches!(&object.container, Some(container) if container.public.is_some());
            let is_alone = object.expanded.is_none() && !has_public;
            if same_bytes && (is_alone || public_of_private(&object).is_some()) {
                return Ok(file);
            }
        }
        Err(WriteError::Unreadable { kind, algorithm })
    }

    /// Returns the private key that [`read`] should find in a file that [`Self::write`] created
    /// from `bytes`. The result is usually `bytes`. If `bytes` is an ML-DSA seed, but the layout
    /// contains only the expanded form, the result is the expanded form.
    fn expected_bytes<'b>(&'b self, algorithm: Algorithm, bytes: &'b [u8]) -> &'b [u8] {
        let replaces = self.encoding.kind() == Some(ObjectKind::SigningKey)
            && matches!(algorithm.expanded_form_len(), Some(len) if len != bytes.len())
            && matches!(self.layout, Some(KeyLayout::Expanded | KeyLayout::BarePriv | KeyLayout::Oqs));
        match self.expanded {
            Some(expanded) if replaces => expanded,
            _ => bytes,
        }
    }

    /// Encrypts a private key with a password, and returns the contents of a file with the
    /// encrypted key. `bytes` is the private key's raw encoding.
    ///
    /// # Errors
    /// Fails if the encoding is not [`FileEncoding::Pkcs8`] or [`FileEncoding::Pkcs8Der`], or if
    /// the private key cannot be written in this encoding. Also fails if the random number
    /// generator fails, or if there is not enough memory.
    #[cfg(feature = "encryption")]
    pub fn write_locked<R: rand_core::TryCryptoRng + ?Sized>(
        &self,
        algorithm: Algorithm,
        bytes: &[u8],
        password: &[u8],
        rng: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, EncryptError<R::Error>> {
        match self.encoding.kind() {
            Some(ObjectKind::SigningKey) => {}
            None => return Err(EncryptError::Form(WriteError::NotEncryptable(self.encoding))),
            Some(_) => {
                return Err(EncryptError::Form(WriteError::Form {
                    kind: ObjectKind::SigningKey,
                    encoding: self.encoding,
                }));
            }
        }
        let kind = ObjectKind::SigningKey;
        let der = self.private_key(algorithm, bytes).map_err(EncryptError::Form)?;
        let der = self.read_again(der, kind, algorithm, bytes).map_err(EncryptError::Form)?;
        Ok(self.encode_container(ContainerStructure::Encrypted, encryption::lock(&der, password, rng)?))
    }

    /// Encodes a private key as PKCS#8 in DER.
    fn private_key(&self, algorithm: Algorithm, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        let identifier = self.identifier(algorithm)?;
        let layout = self.layout.unwrap_or(KeyLayout::of(algorithm.scheme()));
        if !layout.is_of(algorithm.scheme()) {
            return Err(WriteError::Layout { layout, algorithm });
        }
        let content = match algorithm.expanded_form_len() {
            Some(expanded_len) => {
                self.check_expanded(algorithm, bytes)?;
                self.private_key_content(layout, bytes, expanded_len)?
            }
            None => layout.wrap(algorithm, bytes, self.public),
        };
        let attributes = match self.attributes {
            Some(attributes) => element(0xa0, &[attributes]),
            None => Zeroizing::default(),
        };
        Ok(element(0x30, &[&[0x02, 1, 0], &identifier, &element(0x04, &[&content]), &attributes]))
    }

    /// Checks that the expanded key in these options was derived from `bytes`, if `bytes` is an
    /// ML-DSA seed. This check is necessary because a file may contain the expanded key instead of
    /// the seed. Without the feature `sign`, the check always fails, because the library cannot
    /// derive the expanded key.
    fn check_expanded(&self, algorithm: Algorithm, bytes: &[u8]) -> Result<(), WriteError> {
        let (Some(expanded), Ok(seed)) = (self.expanded, <&[u8; SEED_LEN]>::try_from(bytes)) else { return Ok(()) };
        if is_expanded_form(algorithm, seed, expanded) { Ok(()) } else { Err(WriteError::OtherExpanded) }
    }

    /// Returns the content of the element `privateKey` for an ML-DSA private key. `bytes` is the
    /// seed or the expanded form. If `bytes` is the expanded form and these options have no layout,
    /// the expanded form is written.
    fn private_key_content(
        &self,
        layout: KeyLayout,
        bytes: &[u8],
        expanded_len: usize,
    ) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        let is_expanded = bytes.len() == expanded_len;
        let expanded = if is_expanded { Some(bytes) } else { self.expanded };
        let layout = if is_expanded && self.layout.is_none() { KeyLayout::Expanded } else { layout };
        match (layout, expanded) {
            (KeyLayout::Expanded | KeyLayout::BarePriv, Some(expanded)) => Ok(seed::wrap(layout, expanded, &[])),
            (KeyLayout::Oqs, Some(expanded)) => Ok(seed::wrap(layout, expanded, self.public.unwrap_or_default())),
            (KeyLayout::Expanded | KeyLayout::BarePriv | KeyLayout::Oqs | KeyLayout::Both, None) => {
                Err(WriteError::NoExpanded(layout))
            }
            _ if is_expanded => Err(WriteError::NoSeed(layout)),
            (KeyLayout::Both, Some(expanded)) => Ok(seed::wrap(layout, bytes, expanded)),
            _ => Ok(seed::wrap(layout, bytes, &[])),
        }
    }

    /// Returns a container's AlgorithmIdentifier in DER. It contains the OID from these options, or
    /// the algorithm's default OID if these options have no OID.
    ///
    /// # Errors
    /// Fails if these options contain no OID and the algorithm has no default OID, or if the OID
    /// identifies an algorithm other than `algorithm`. Outside the Falcon family, an unknown OID is
    /// also an error.
    fn identifier(&self, algorithm: Algorithm) -> Result<Zeroizing<Vec<u8>>, WriteError> {
        let oid = match self.oid {
            Some(oid) => oid.clone(),
            None => Oid::of(algorithm).ok_or(WriteError::NoOid(algorithm))?,
        };
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

    /// Encodes a container as DER or PEM, depending on these options.
    fn encode_container(&self, structure: ContainerStructure, der: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        if self.encoding.is_der() { der } else { pem::pem(structure.label(), "", &der) }
    }
}
