//! Reads the containers of keys, in DER: PKCS#8, SPKI and X.509 certificates.
//!
//! A container usually contains the key in raw encoding. Private keys can also have the layouts
//! that the modules `layout` and `seed` describe. The reader accepts only strict DER without
//! additional bytes, and rejects an AlgorithmIdentifier with parameters. If a private key file
//! contains a public key, the reader also returns this public key; [`FileObject::private_key`]
//! compares the two keys. The reader also returns the attributes, because a conversion to another
//! format must keep them.

use super::accept::ReadOptions;
use super::certificate::{is_authority, is_request, subject_key};
use super::defect::Defect;
use super::der::{DerItem, is_strict, items_of, sequence, whole_bytes};
use super::encoding::{ContainerEncoding, FileEncoding};
use super::encrypted_key::EncryptedPrivateKey;
use super::foreign::{ForeignFile, ForeignFormat};
use super::kind::{ObjectKind, schemes_of};
use super::layout::{KeyLayout, PrivateKeyContent};
use super::object::{ContainerData, ContainerStructure, FileObject};
use super::oid::{IdentifiedAlgorithm, Oid};
use super::seed;
use crate::api::{Algorithm, Scheme};
use alloc::format;
use alloc::string::ToString;
use pkcs8::der::Tag;

impl ReadOptions {
    /// Applies these options to an object: restricts it to the required algorithm, and rejects a
    /// toy (an algorithm that is only for tests) if the caller does not allow toys.
    ///
    /// # Errors
    /// Fails if the object cannot have the required algorithm, or if it is a toy and the caller
    /// does not allow toys.
    pub(super) fn admit(&self, mut object: FileObject) -> Result<FileObject, Defect> {
        let algorithm = object.algorithm();
        if let Some(wanted) = self.algorithm
            && !object.narrow(wanted)
        {
            let found = match object.names() {
                Some(names) => names,
                None => algorithm.to_string(),
            };
            return Err(Defect::OtherAlgorithm { found, wanted });
        }
        if algorithm.is_toy() && !self.allow_toys {
            return Err(Defect::Toy(object.algorithm()));
        }
        Ok(object)
    }
}

/// The contents of a file: a key or signature, or an encrypted private key.
pub enum FileContent {
    /// A key or signature that is not encrypted.
    Plain(FileObject),
    /// A private key that must be decrypted with a password.
    Locked(EncryptedPrivateKey),
}

/// The parts of a container with a key.
struct KeyParts<'a> {
    /// The content of the AlgorithmIdentifier.
    algorithm: &'a [u8],
    /// The content of the element with the key.
    key: &'a [u8],
    /// The public key, if a private key file contains it.
    public: Option<&'a [u8]>,
    /// The content of the attributes, if a private key file contains them.
    attributes: Option<&'a [u8]>,
}

impl<'a> KeyParts<'a> {
    /// Splits a container into its parts.
    fn read(structure: ContainerStructure, der: &'a [u8]) -> Result<Self, &'static str> {
        match structure {
            ContainerStructure::Private => Self::private(&sequence(der).ok_or(DAMAGED)?),
            ContainerStructure::Certificate => {
                let key = subject_key(der).ok_or(DAMAGED)?;
                Self::public(&items_of(key).ok_or(DAMAGED)?)
            }
            ContainerStructure::Public | ContainerStructure::Encrypted => Self::public(&sequence(der).ok_or(DAMAGED)?),
        }
    }

    /// Splits a PrivateKeyInfo or OneAsymmetricKey into its parts.
    fn private(items: &[DerItem<'a>]) -> Result<Self, &'static str> {
        let [(Tag::Integer, version), (Tag::Sequence, algorithm), (Tag::OctetString, key), rest @ ..] = items else {
            return Err(DAMAGED);
        };
        let (attributes, rest) = match rest {
            [(Tag::ContextSpecific { number, constructed: true }, attributes), rest @ ..] if number.value() == 0 => {
                if !are_attributes(attributes) {
                    return Err(DAMAGED);
                }
                (Some(*attributes), rest)
            }
            _ => (None, rest),
        };
        let public = match rest {
            [] => None,
            [(Tag::ContextSpecific { number, constructed: false }, bits)] if number.value() == 1 => {
                Some(whole_bytes(bits).ok_or(DAMAGED)?)
            }
            _ => return Err(DAMAGED),
        };
        // Version v1, encoded as 0, has no public key. Version v2, encoded as 1, has a public key
        // (RFC 5958, section 2).
        if *version != [u8::from(public.is_some())] {
            return Err("the version is wrong");
        }
        Ok(Self { algorithm, key, public, attributes })
    }

    /// Splits a SubjectPublicKeyInfo into its parts.
    fn public(items: &[DerItem<'a>]) -> Result<Self, &'static str> {
        let [(Tag::Sequence, algorithm), (Tag::BitString, bits)] = items else { return Err(DAMAGED) };
        Ok(Self { algorithm, key: whole_bytes(bits).ok_or(DAMAGED)?, public: None, attributes: None })
    }
}

/// The maximum nesting depth of elements in a key's attributes. Common attributes have a depth of
/// two.
const ATTRIBUTE_DEPTH: usize = 16;

/// Returns whether `content` is the content of a SET OF Attribute (RFC 5958, section 2) in strict
/// DER.
fn are_attributes(content: &[u8]) -> bool {
    let Some(items) = items_of(content) else { return false };
    for (tag, attribute) in items {
        let fields = items_of(attribute);
        if tag != Tag::Sequence || !matches!(fields.as_deref(), Some([(Tag::ObjectIdentifier, _), (Tag::Set, _)])) {
            return false;
        }
    }
    is_strict(content, ATTRIBUTE_DEPTH)
}

/// An AlgorithmIdentifier. The parameters are not decoded.
struct AlgorithmIdentifier {
    oid: Oid,
    has_parameters: bool,
}

impl AlgorithmIdentifier {
    /// Reads the content of an AlgorithmIdentifier. Returns `None` if it is damaged.
    fn read(content: &[u8]) -> Option<Self> {
        match &items_of(content)?[..] {
            [(Tag::ObjectIdentifier, oid), parameters @ ..] if parameters.len() < 2 => {
                Some(Self { oid: Oid::from_content(oid)?, has_parameters: !parameters.is_empty() })
            }
            _ => None,
        }
    }
}

const DAMAGED: &str = "the DER is damaged";

/// Reads the container of a key: PKCS#8, SPKI or an X.509 certificate. `wrapping` is the file's
/// form: PEM or DER.
///
/// # Errors
/// Fails if the container is damaged, if `accept` does not accept its algorithm, or if the key has
/// a wrong length.
pub(super) fn read_container(
    structure: ContainerStructure,
    der: &[u8],
    wrapping: ContainerEncoding,
    accept: &ReadOptions,
) -> Result<FileContent, Defect> {
    if let OuterLength::Wrong(defect) = OuterLength::of(der) {
        return Err(defect);
    }
    let Some((kind, encoding)) = kind_and_encoding(structure, wrapping) else {
        return Ok(FileContent::Locked(EncryptedPrivateKey::read(der, wrapping)?));
    };
    let KeyParts { algorithm, key, public, attributes } =
        KeyParts::read(structure, der).map_err(|why| structure.damaged(why))?;
    let Some(AlgorithmIdentifier { oid, has_parameters }) = AlgorithmIdentifier::read(algorithm) else {
        return Err(structure.damaged(DAMAGED));
    };
    let algorithm_named = accepted_algorithm(structure, &oid, accept)?;
    if has_parameters {
        return Err(structure.damaged("the algorithm has parameters"));
    }
    let content = match (kind, algorithm_named) {
        (ObjectKind::SigningKey, Some(algorithm)) => open(algorithm, key),
        (ObjectKind::SigningKey, None) => KeyLayout::open(key),
        _ => Some(PrivateKeyContent::new(KeyLayout::Raw, key)),
    };
    let Some(PrivateKeyContent { layout, bytes, public: embedded_public, expanded }) = content else {
        return Err(structure.damaged("the layout of its private key is unknown"));
    };
    let mut object = match algorithm_named {
        Some(algorithm) if algorithm.degree().is_none() => FileObject::of_algorithm(kind, algorithm, encoding, bytes)?,
        Some(algorithm) => FileObject::new(kind, schemes_of(algorithm.scheme()), encoding, bytes)?,
        None => FileObject::detect(kind, encoding, bytes)?,
    };
    if let Some(algorithm) = algorithm_named
        && !object.fits(algorithm)
    {
        return Err(structure.damaged("the key does not have the degree of its OID"));
    }
    let has_optional_layouts = object.may_be(Scheme::Falcon) || object.may_be(Scheme::MlDsa);
    if matches!(layout, KeyLayout::Oqs | KeyLayout::BouncyCastle) && !has_optional_layouts {
        return Err(structure.damaged("a key of FN-DSA has the layout of a key of Falcon"));
    }
    let public = public.map(<[u8]>::to_vec);
    if public.is_some() && embedded_public.is_some() && public != embedded_public {
        return Err(structure.damaged("it has two public keys, which differ"));
    }
    object.expanded = expanded;
    let attributes = attributes.map(<[u8]>::to_vec);
    let public = public.or(embedded_public);
    let is_authority = structure == ContainerStructure::Certificate && is_authority(der);
    object.container =
        Some(ContainerData { structure, oid, layout, public, attributes, encryption: None, is_authority });
    Ok(FileContent::Plain(object))
}

/// Returns the kind of object in a container, and the file format. A certificate counts as a public
/// key in the format SPKI. Returns `None` if the container is encrypted.
fn kind_and_encoding(structure: ContainerStructure, wrapping: ContainerEncoding) -> Option<(ObjectKind, FileEncoding)> {
    match (structure, wrapping) {
        (ContainerStructure::Private, ContainerEncoding::Pem) => Some((ObjectKind::SigningKey, FileEncoding::Pkcs8)),
        (ContainerStructure::Private, ContainerEncoding::Der) => Some((ObjectKind::SigningKey, FileEncoding::Pkcs8Der)),
        (ContainerStructure::Public | ContainerStructure::Certificate, ContainerEncoding::Pem) => {
            Some((ObjectKind::VerifyingKey, FileEncoding::Spki))
        }
        (ContainerStructure::Public | ContainerStructure::Certificate, ContainerEncoding::Der) => {
            Some((ObjectKind::VerifyingKey, FileEncoding::SpkiDer))
        }
        (ContainerStructure::Encrypted, _) => None,
    }
}

/// Decodes the element `privateKey` for a known algorithm. Returns `None` if the layout is unknown.
fn open(algorithm: Algorithm, key: &[u8]) -> Option<PrivateKeyContent> {
    match algorithm.expanded_form_len() {
        Some(expanded_len) => seed::open(key, expanded_len, algorithm.verifying_key_len()),
        None if algorithm.scheme() == Scheme::Falcon => KeyLayout::open(key),
        None if KeyLayout::of(algorithm.scheme()) == KeyLayout::Octets => KeyLayout::open_octets(key),
        None => Some(PrivateKeyContent::new(KeyLayout::Raw, key)),
    }
}

/// Returns the algorithm that an OID identifies. Returns `None` if the OID is unknown and `accept`
/// allows it.
///
/// # Errors
/// Fails if this library does not implement the algorithm. Also fails for an unknown OID that
/// `accept` does not allow, and for the OID of a HashML-DSA key if `accept` does not allow such
/// keys.
fn accepted_algorithm(
    structure: ContainerStructure,
    oid: &Oid,
    accept: &ReadOptions,
) -> Result<Option<Algorithm>, Defect> {
    match oid.identified_algorithm() {
        Some(IdentifiedAlgorithm::Supported(algorithm)) => Ok(Some(algorithm)),
        Some(IdentifiedAlgorithm::PreHashed(algorithm, _)) if accept.allow_hash_ml_dsa => Ok(Some(algorithm)),
        Some(IdentifiedAlgorithm::PreHashed(algorithm, hash)) => {
            let name = format!("{} of Hash{algorithm} with {}", structure.name(), hash.name());
            Err(Defect::Foreign(ForeignFile::new(name, ForeignFormat::OtherAlgorithm)))
        }
        Some(IdentifiedAlgorithm::Unsupported(name)) => {
            let name = format!("{} of {name}", structure.name());
            Err(Defect::Foreign(ForeignFile::new(name, ForeignFormat::OtherAlgorithm)))
        }
        None if accept.oid.as_ref() == Some(oid) || accept.any_oid => Ok(None),
        None => Err(Defect::UnknownOid { what: structure.name(), oid: oid.to_string() }),
    }
}

/// Returns the error for a DER file in a format that [`read_container`] cannot read.
fn foreign<T>(what: &'static str, format: ForeignFormat) -> Result<T, Defect> {
    Err(Defect::Foreign(ForeignFile::new(what, format)))
}

/// Reads a DER file. The types of the outer elements determine the structure.
///
/// # Errors
/// Fails if the file is damaged, or does not have the structure of a key or certificate.
pub(super) fn read_der(data: &[u8], accept: &ReadOptions) -> Result<FileContent, Defect> {
    let Some(items) = sequence(data) else { return foreign("a damaged DER file", ForeignFormat::DamagedDer) };
    let structure = match items[..] {
        [(Tag::Integer, _), (Tag::Sequence, _), (Tag::OctetString, _), ..] => ContainerStructure::Private,
        [(Tag::Sequence, _), (Tag::BitString, _)] => ContainerStructure::Public,
        [(Tag::Sequence, _), (Tag::OctetString, _)] => ContainerStructure::Encrypted,
        [(Tag::Sequence, _), (Tag::Sequence, _), (Tag::BitString, _)] if subject_key(data).is_some() => {
            ContainerStructure::Certificate
        }
        [(Tag::Sequence, signed), (Tag::Sequence, _), (Tag::BitString, _)] if is_request(signed) => {
            return foreign("a request for an X.509 certificate in DER", ForeignFormat::CertificateRequest);
        }
        [(Tag::Sequence, _), (Tag::Sequence, _), (Tag::BitString, _)] => {
            let what = "an X.509 certificate that cannot be read, or a revocation list, in DER";
            return foreign(what, ForeignFormat::X509);
        }
        [(Tag::Integer, _), (Tag::Integer, _), (Tag::Integer, _), ..] => {
            return foreign("an RSA or DSA key in DER", ForeignFormat::OtherAlgorithm);
        }
        [(Tag::Integer, [1]), (Tag::OctetString, _), ..] => {
            return foreign("an elliptic-curve key in DER", ForeignFormat::OtherAlgorithm);
        }
        [(Tag::Integer, [3]), (Tag::Sequence, _), ..] => return foreign("a PKCS#12 file", ForeignFormat::Pkcs12),
        [(Tag::ObjectIdentifier, _), (Tag::ContextSpecific { .. }, _)] => {
            return foreign("a PKCS#7 or CMS file in DER", ForeignFormat::Cms);
        }
        _ => return foreign("a DER file of another program", ForeignFormat::Other),
    };
    read_container(structure, data, ContainerEncoding::Der, accept)
}

/// The result of comparing the length in the first bytes of a SEQUENCE with the length of the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OuterLength {
    /// The file does not start like a SEQUENCE.
    NotDer,
    /// The SEQUENCE is as long as the file.
    Fits,
    /// The SEQUENCE is shorter or longer than the file.
    Wrong(Defect),
}

impl OuterLength {
    /// Compares the length that the first bytes of `data` encode with the actual length. A file
    /// with the tag of a SEQUENCE, the byte 0x30, can also be a text that starts with the digit 0.
    /// Therefore, if the second byte is below 128, but is not the correct length, the result is
    /// [`Self::NotDer`].
    pub(super) fn of(data: &[u8]) -> Self {
        let (inner, stated) = match *data {
            [0x30, len @ ..=0x7f, ref inner @ ..] if inner.len() == usize::from(len) => (inner, inner.len()),
            [0x30, 0x81, len, ref inner @ ..] => (inner, usize::from(len)),
            [0x30, 0x82, a, b, ref inner @ ..] => (inner, usize::from(a) << 8 | usize::from(b)),
            _ => return Self::NotDer,
        };
        let found = data.len();
        let expected = found - inner.len() + stated;
        if expected == found { Self::Fits } else { Self::Wrong(Defect::DerLength { expected, found }) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::der::element;
    use super::super::hex::from_hex;
    use super::super::pem::PemBlock;
    use super::super::read;
    use super::*;
    use crate::api::{Level, SigningKeyRef, VerifyingKeyRef};
    use std::vec;

    /// Decodes the PEM block in a file.
    fn payload(pem: &str) -> Vec<u8> {
        PemBlock::find(pem.as_bytes()).unwrap().unwrap().payload().unwrap().to_vec()
    }

    /// Encodes a Falcon-512 key in PKCS#8, with `content` in the element `privateKey`.
    fn pkcs8(content: &[u8]) -> Vec<u8> {
        let oid = Oid::of(Algorithm::FALCON_512).unwrap();
        let algorithm = element(0x30, &[&element(0x06, &[oid.content()])]);
        element(0x30, &[&[0x02, 1, 0], &algorithm, &element(0x04, &[content])]).to_vec()
    }

    /// Returns the key in a file, if the key is valid.
    fn key(file: &[u8]) -> Option<Vec<u8>> {
        let Ok(FileContent::Plain(object)) = read(file, &ReadOptions::default()) else { return None };
        let algorithm = object.algorithm();
        let is_valid = match object.kind {
            ObjectKind::SigningKey => {
                let public = public_key(algorithm, &object.bytes)?;
                let embedded = object.container.as_ref().and_then(|container| container.public.as_ref());
                embedded.is_none_or(|embedded| *embedded == public)
            }
            _ => VerifyingKeyRef::from_bytes(algorithm.scheme(), &object.bytes).is_ok(),
        };
        is_valid.then(|| object.bytes.to_vec())
    }

    /// Returns the public key for a private key, if the private key is valid.
    fn public_key(algorithm: Algorithm, private: &[u8]) -> Option<Vec<u8>> {
        let mut work = vec![0; algorithm.import_fast_work_len()];
        let key = SigningKeyRef::of_algorithm(Level::detect(), algorithm, private, &mut work).ok()?;
        let mut public = vec![0; algorithm.verifying_key_len()];
        key.verifying_key_into(Level::detect(), &mut public, &mut work).ok()?;
        Some(public)
    }

    /// Flips each bit of a file, truncates the file at each byte, and appends data. The reader must
    /// either reject the changed file or return the original key.
    #[test]
    fn a_damaged_file_does_not_decode_to_another_key() {
        let vector: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/kat/bouncycastle/bcprov-1.86-falcon512.json")).unwrap();
        let bouncy_castle = from_hex(vector[0]["pkcs8"].as_str().unwrap().as_bytes()).unwrap();
        let oqs = payload(include_str!("../../tests/kat/oqs-provider/falcon512.key.pem"));
        let private = key(&oqs).unwrap();
        let public = payload(include_str!("../../tests/kat/oqs-provider/falcon512.pub.pem"));
        let certificate = payload(include_str!("../../tests/kat/oqs-provider/falcon512.crt.pem"));
        let files = [
            ("oqs-provider", oqs),
            ("BouncyCastle", bouncy_castle.to_vec()),
            ("bare", pkcs8(&element(0x04, &[&private]))),
            ("raw", pkcs8(&private)),
            ("SPKI", public),
            ("certificate", certificate),
        ];
        std::thread::scope(|scope| {
            files.iter().for_each(|(what, file)| {
                scope.spawn(move || sweep(what, file));
            });
        });
    }

    fn sweep(what: &str, file: &[u8]) {
        let original = key(file).unwrap();
        // A changed public key can be another valid public key. If the changed byte is inside a
        // public key, and the reader accepts the file, the reader must therefore return exactly the
        // changed key.
        let is_public = original[0] & 0xf0 == 0;
        let key_position = file.windows(original.len()).position(|window| window == original).filter(|_| is_public);
        let inside = key_position.map_or(0..0, |key_position| key_position..key_position + original.len());
        let mut unchanged_keys = 0;
        for position in 0..file.len() {
            for bit in 0..8 {
                let mut mutant = file.to_vec();
                mutant[position] ^= 1 << bit;
                let Some(found) = key(&mutant) else { continue };
                if inside.contains(&position) {
                    assert_eq!(found, mutant[inside.clone()], "{what}: bit {bit} of byte {position}");
                } else {
                    assert!(found == original, "{what}: bit {bit} of byte {position}");
                    unchanged_keys += 1;
                }
            }
            assert!(key(&file[..position]).is_none(), "{what}: {position} bytes");
        }
        // Some bytes in a certificate do not affect the key: the names, the dates and the
        // signature.
        assert_eq!(unchanged_keys > 0, what == "certificate", "{what}: {unchanged_keys}");
        for tail in [&[0][..], &[0x30, 0], b"\n", file] {
            assert!(key(&[file, tail].concat()).is_none(), "{what}: {tail:?}");
        }
    }
}
