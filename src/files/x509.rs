//! Reads X.509 certificates (RFC 5280) and certificate requests (PKCS#10, RFC 2986). Also exports
//! the types that write requests and self-signed certificates.
//!
//! [`X509Document::read`] rejects documents that are not strict DER. It does not verify a
//! document's signature, and does not decide whether a certificate is trusted.

use super::certificate::{BASIC_CONSTRAINTS, DEPTH, KEY_USAGE, SUBJECT_KEY_ID, is_request, is_tagged, subject_key};
use super::der::{DerItem, element, is_strict, items_of, sequence, whole_bytes};
use super::distinguished_name::is_sorted;
pub use super::distinguished_name::{DistinguishedName, NameDefect};
use super::oid::Oid;
use super::pem::PemBlock;
pub use super::signed_part::SignedPartDetector;
pub use super::x509_time::X509Time;
pub use super::x509_writer::{CertificateFields, UnsignedX509};
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use pkcs8::der::Tag;
use thiserror::Error;
use zeroize::Zeroizing;

/// The OID 1.2.840.113549.1.9.14 of the attribute extensionRequest, in DER.
const EXTENSION_REQUEST: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 14];

/// The maximum length of a serial number, in bytes (RFC 5280, section 4.1.2.2).
const MAX_SERIAL_LEN: usize = 20;

/// The PEM labels of certificate requests. Old programs write the second label.
const REQUEST_LABELS: [&str; 2] = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"];
const CERTIFICATE_LABEL: &str = "CERTIFICATE";

/// A certificate, or a request for a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum X509Kind {
    /// A certificate.
    Certificate,
    /// A request for a certificate.
    Request,
}

impl X509Kind {
    /// Returns the PEM label.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Certificate => CERTIFICATE_LABEL,
            Self::Request => REQUEST_LABELS[0],
        }
    }

    /// Returns the name without an article, to use in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "X.509 certificate",
            Self::Request => "certificate request",
        }
    }
}

/// The reason why a certificate or a request cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum X509Defect {
    /// The bytes are not a single DER element.
    #[error("the DER is damaged, or bytes are missing or added")]
    Der,
    /// The fields are not the fields of a certificate or a request.
    #[error("it does not have the fields of an X.509 certificate or of a certificate request")]
    Fields,
    /// The version is wrong, or the version does not allow one of the fields.
    #[error("the version is wrong, or does not allow a field of this document")]
    Version,
    /// The serial number is negative, too long, or not in the shortest encoding.
    #[error("the serial number is negative, too long, or not in DER")]
    Serial,
    /// A name is damaged.
    #[error("the subject or the issuer is damaged")]
    Name,
    /// A time is malformed, or the last second of validity is before the first second.
    #[error("the dates have the wrong form, or the end is before the beginning")]
    Validity,
    /// The signature algorithm is damaged.
    #[error("the algorithm of the signature is damaged")]
    Algorithm,
    /// The signed part names a different signature algorithm than the rest of the document.
    #[error("it names two different algorithms for its signature")]
    Algorithms,
    /// The signature is not a whole number of bytes.
    #[error("the signature is damaged")]
    Signature,
    /// An extension or an attribute is damaged.
    #[error("an extension or an attribute is damaged")]
    Extension,
    /// An extension or an attribute occurs twice.
    #[error("an extension or an attribute occurs twice")]
    ExtensionTwice,
}

/// The permitted uses of the key in a certificate (RFC 5280, section 4.2.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUsage(u16);

impl KeyUsage {
    /// The names of the uses, ordered by their bits.
    const NAMES: [&'static str; 9] = [
        "digitalSignature",
        "nonRepudiation",
        "keyEncipherment",
        "dataEncipherment",
        "keyAgreement",
        "keyCertSign",
        "cRLSign",
        "encipherOnly",
        "decipherOnly",
    ];

    /// Decodes the value of the extension keyUsage. Returns `None` if the value is not a list of
    /// named bits in DER. In DER, the last bit of such a list is set.
    fn read(value: &[u8]) -> Option<Self> {
        let [(Tag::BitString, content)] = items_of(value)?[..] else { return None };
        let (unused, bits) = content.split_first()?;
        let (first_byte, second_byte) = match *bits {
            [first_byte] => (first_byte, 0),
            [first_byte, second_byte @ 0x80] => (first_byte, second_byte),
            _ => return None,
        };
        let last_byte = if bits.len() == 2 { second_byte } else { first_byte };
        if last_byte == 0 || u32::from(*unused) != last_byte.trailing_zeros() {
            return None;
        }
        Some(Self(u16::from(first_byte) << 8 | u16::from(second_byte)))
    }

    /// Returns the names of the permitted uses.
    pub fn names(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for (bit, name) in Self::NAMES.into_iter().enumerate() {
            if self.0 & 0x8000 >> bit != 0 {
                names.push(name);
            }
        }
        names
    }
}

/// The extensions that this library decodes. All other extensions are only checked for duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct X509Extensions {
    /// The permitted uses of the key. `None` if the certificate does not restrict the uses.
    pub key_usage: Option<KeyUsage>,
    /// True if basicConstraints contains CA:TRUE, which allows the key to sign certificates.
    pub is_authority: bool,
    /// The key identifier in the extension subjectKeyIdentifier.
    pub subject_key_id: Option<Vec<u8>>,
    /// The purposes of the key (RFC 5280, section 4.2.1.12), each as a name or as a dotted OID.
    /// `None` if the certificate does not restrict the purposes.
    pub extended_key_usage: Option<Vec<String>>,
}

/// The OID 2.5.29.37 for the extension extKeyUsage, in DER.
const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 37];

/// The OIDs of known purposes, with their names.
const PURPOSES: [(&str, &str); 8] = [
    ("2.5.29.37.0", "anyExtendedKeyUsage"),
    ("1.3.6.1.5.5.7.3.1", "serverAuth"),
    ("1.3.6.1.5.5.7.3.2", "clientAuth"),
    ("1.3.6.1.5.5.7.3.3", "codeSigning"),
    ("1.3.6.1.5.5.7.3.4", "emailProtection"),
    ("1.3.6.1.5.5.7.3.8", "timeStamping"),
    ("1.3.6.1.5.5.7.3.9", "OCSPSigning"),
    ("1.3.6.1.5.5.7.3.36", "documentSigning"),
];

/// Decodes the value of the extension extKeyUsage. Returns `None` if the value is not a list of
/// OIDs.
fn read_purposes(value: &[u8]) -> Option<Vec<String>> {
    let mut purposes = Vec::new();
    for (tag, content) in sequence(value)? {
        let oid = Oid::from_content(content).filter(|_| tag == Tag::ObjectIdentifier)?.to_string();
        let known = PURPOSES.iter().find(|row| row.0 == oid);
        purposes.push(known.map_or(oid, |row| row.1.to_owned()));
    }
    if purposes.is_empty() { None } else { Some(purposes) }
}

/// The fields that occur only in a certificate, and not in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IssuedFields {
    /// The issuer's name.
    pub issuer: DistinguishedName,
    /// The serial number as big-endian bytes.
    pub serial: Vec<u8>,
    /// The first second at which the certificate is valid.
    pub not_before: X509Time,
    /// The last second at which the certificate is valid.
    pub not_after: X509Time,
}

/// A certificate or a certificate request. The signature is not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct X509Document {
    /// The type: a certificate or a request.
    pub kind: X509Kind,
    /// Whether the file is in DER and not in PEM.
    pub is_der: bool,
    /// The name of the key's owner.
    pub subject: DistinguishedName,
    /// The fields that only a certificate has. `None` for a request.
    pub issued: Option<IssuedFields>,
    /// The extensions. For a request, these are the requested extensions.
    pub extensions: X509Extensions,
    /// The public key, as SubjectPublicKeyInfo in DER.
    pub public_key: Vec<u8>,
    /// The OID of the signature algorithm. `None` if the algorithm has parameters, because this
    /// library does not implement any algorithm with parameters.
    pub algorithm: Option<Oid>,
    /// The bytes that the signature covers.
    pub signed: Vec<u8>,
    /// The bytes of the signature, which is not verified.
    pub signature: Vec<u8>,
}

impl X509Document {
    /// Reads a certificate or a certificate request in PEM or DER. Returns `Ok(None)` if the file
    /// is not a certificate or a request, or if the PEM block is damaged.
    ///
    /// # Errors
    /// Fails if the file is a certificate or a request, but has a defect.
    pub fn read(data: &[u8]) -> Result<Option<Self>, X509Defect> {
        match PemBlock::find(data) {
            Ok(Some(block)) => {
                let kind = match block.label {
                    CERTIFICATE_LABEL => X509Kind::Certificate,
                    label if REQUEST_LABELS.contains(&label) => X509Kind::Request,
                    _ => return Ok(None),
                };
                // If the PEM block has a defect, the result is `None`, so that the caller reads the
                // file as a key. The error of the key reader names the line with the defect.
                let Ok(der) = block.public_payload() else { return Ok(None) };
                Ok(Some(Self::read_der(kind, &der, false)?))
            }
            Ok(None) => match kind_of_der(data) {
                Some(kind) => Ok(Some(Self::read_der(kind, data, true)?)),
                None => Ok(None),
            },
            Err(_) => Ok(None),
        }
    }

    /// Reads a document in DER.
    fn read_der(kind: X509Kind, der: &[u8], is_der: bool) -> Result<Self, X509Defect> {
        let items = sequence(der).ok_or(X509Defect::Der)?;
        if !is_strict(der, DEPTH) {
            return Err(X509Defect::Der);
        }
        let [(Tag::Sequence, signed), (Tag::Sequence, algorithm), (Tag::BitString, bits)] = items[..] else {
            return Err(X509Defect::Fields);
        };
        let fields = items_of(signed).ok_or(X509Defect::Der)?;
        let signature = match whole_bytes(bits) {
            Some(signature) if !signature.is_empty() => signature,
            _ => return Err(X509Defect::Signature),
        };
        let SignedFields { subject, issued, extensions, key } = match kind {
            X509Kind::Certificate => SignedFields::of_certificate(&fields, algorithm)?,
            X509Kind::Request => SignedFields::of_request(&fields)?,
        };
        Ok(Self {
            kind,
            is_der,
            subject,
            issued,
            extensions,
            public_key: element(0x30, &[key]).to_vec(),
            algorithm: algorithm_oid(algorithm)?,
            signed: element(0x30, &[signed]).to_vec(),
            signature: signature.to_owned(),
        })
    }

    /// Returns whether the issuer and the subject have the same name. The result is true for a
    /// request, because the subject signs its own request.
    pub fn is_self_issued(&self) -> bool {
        self.issued.as_ref().is_none_or(|issued| issued.issuer == self.subject)
    }
}

/// Returns the kind of a document in DER. Returns `None` if the file is not a certificate or a
/// request.
fn kind_of_der(data: &[u8]) -> Option<X509Kind> {
    let [(Tag::Sequence, signed), (Tag::Sequence, _), (Tag::BitString, _)] = sequence(data)?[..] else { return None };
    if is_request(signed) {
        return Some(X509Kind::Request);
    }
    subject_key(data)?;
    Some(X509Kind::Certificate)
}

/// Reads the OID in an AlgorithmIdentifier. Returns `Ok(None)` if the algorithm has parameters.
fn algorithm_oid(content: &[u8]) -> Result<Option<Oid>, X509Defect> {
    match items_of(content).as_deref() {
        Some([(Tag::ObjectIdentifier, oid), parameters @ ..]) if parameters.len() < 2 => {
            let oid = Oid::from_content(oid).ok_or(X509Defect::Algorithm)?;
            Ok(if parameters.is_empty() { Some(oid) } else { None })
        }
        _ => Err(X509Defect::Algorithm),
    }
}

/// The fields in the signed part of a document.
struct SignedFields<'a> {
    subject: DistinguishedName,
    issued: Option<IssuedFields>,
    extensions: X509Extensions,
    /// The public key, as the content of SubjectPublicKeyInfo.
    key: &'a [u8],
}

impl<'a> SignedFields<'a> {
    /// Reads the fields of a TBSCertificate. `algorithm` is the signature algorithm that the
    /// document names outside the signed part.
    fn of_certificate(fields: &[DerItem<'a>], algorithm: &[u8]) -> Result<Self, X509Defect> {
        let (version, fields) = match fields {
            [(tag, version), rest @ ..] if is_tagged(*tag, 0) => match version {
                [2, 1, version @ (1 | 2)] => (*version, rest),
                _ => return Err(X509Defect::Version),
            },
            all => (0, all),
        };
        let [
            (Tag::Integer, serial),
            (Tag::Sequence, same),
            (Tag::Sequence, issuer),
            (Tag::Sequence, validity),
            (Tag::Sequence, subject),
            (Tag::Sequence, key),
            rest @ ..,
        ] = fields
        else {
            return Err(X509Defect::Fields);
        };
        if *same != algorithm {
            return Err(X509Defect::Algorithms);
        }
        // Unique identifiers, which have the tags 1 and 2, are rejected, because they are not used
        // in practice.
        let extensions = match rest {
            [] => X509Extensions::default(),
            [(tag, _)] if is_tagged(*tag, 3) && version != 2 => return Err(X509Defect::Version),
            [(tag, content)] if is_tagged(*tag, 3) => X509Extensions::read(content)?,
            _ => return Err(X509Defect::Fields),
        };
        let [not_before, not_after] = validity_times(validity).ok_or(X509Defect::Validity)?;
        let issued = IssuedFields {
            issuer: DistinguishedName::read(issuer).ok_or(X509Defect::Name)?,
            serial: serial_number(serial).ok_or(X509Defect::Serial)?,
            not_before,
            not_after,
        };
        let subject = DistinguishedName::read(subject).ok_or(X509Defect::Name)?;
        Ok(Self { subject, issued: Some(issued), extensions, key })
    }

    /// Reads the fields of a CertificationRequestInfo.
    fn of_request(fields: &[DerItem<'a>]) -> Result<Self, X509Defect> {
        let [(Tag::Integer, version), (Tag::Sequence, subject), (Tag::Sequence, key), (tag, attributes)] = fields
        else {
            return Err(X509Defect::Fields);
        };
        if !is_tagged(*tag, 0) {
            return Err(X509Defect::Fields);
        }
        if *version != [0] {
            return Err(X509Defect::Version);
        }
        let extensions = requested_extensions(attributes)?;
        let subject = DistinguishedName::read(subject).ok_or(X509Defect::Name)?;
        Ok(Self { subject, issued: None, extensions, key })
    }
}

/// Returns the bytes of a serial number. Returns `None` if the number is negative, too long, or not
/// in the shortest encoding.
fn serial_number(content: &[u8]) -> Option<Vec<u8>> {
    let is_minimal = !matches!(content, [] | [0, 0..0x80, ..] | [0x80..=0xff, ..]);
    if is_minimal && content.len() <= MAX_SERIAL_LEN { Some(content.to_owned()) } else { None }
}

/// Reads the two times in a Validity element.
fn validity_times(content: &[u8]) -> Option<[X509Time; 2]> {
    let [not_before, not_after] = items_of(content)?[..] else { return None };
    let times = [X509Time::read(not_before)?, X509Time::read(not_after)?];
    (times[0] <= times[1]).then_some(times)
}

/// Reads the requested extensions in the request's attributes.
fn requested_extensions(content: &[u8]) -> Result<X509Extensions, X509Defect> {
    let mut extensions = X509Extensions::default();
    let mut seen_attributes = Vec::new();
    let attributes = items_of(content).ok_or(X509Defect::Extension)?;
    if !is_sorted(content) {
        return Err(X509Defect::Extension);
    }
    for (tag, attribute) in attributes {
        let fields = items_of(attribute).ok_or(X509Defect::Extension)?;
        let [(Tag::ObjectIdentifier, oid), (Tag::Set, values)] = fields[..] else {
            return Err(X509Defect::Extension);
        };
        if tag != Tag::Sequence {
            return Err(X509Defect::Extension);
        }
        if seen_attributes.contains(&oid) {
            return Err(X509Defect::ExtensionTwice);
        }
        seen_attributes.push(oid);
        if oid == EXTENSION_REQUEST {
            extensions = X509Extensions::read(values)?;
        }
    }
    Ok(extensions)
}

impl X509Extensions {
    /// Reads extensions. `der` is a single SEQUENCE OF Extension.
    fn read(der: &[u8]) -> Result<Self, X509Defect> {
        let mut extensions = Self::default();
        let mut seen_oids = Vec::new();
        let extension_items = sequence(der).ok_or(X509Defect::Extension)?;
        if extension_items.is_empty() {
            return Err(X509Defect::Extension);
        }
        for (tag, extension) in extension_items {
            let fields = items_of(extension).ok_or(X509Defect::Extension)?;
            let (oid, value) = match fields[..] {
                [(Tag::ObjectIdentifier, oid), (Tag::OctetString, value)]
                | [(Tag::ObjectIdentifier, oid), (Tag::Boolean, [0xff]), (Tag::OctetString, value)]
                    if tag == Tag::Sequence =>
                {
                    (oid, value)
                }
                _ => return Err(X509Defect::Extension),
            };
            if seen_oids.contains(&oid) {
                return Err(X509Defect::ExtensionTwice);
            }
            seen_oids.push(oid);
            extensions.add(oid, value).ok_or(X509Defect::Extension)?;
        }
        Ok(extensions)
    }

    /// Decodes an extension and stores its value. Returns `None` if the value is damaged.
    fn add(&mut self, oid: &[u8], value: &[u8]) -> Option<()> {
        match oid {
            KEY_USAGE => self.key_usage = Some(KeyUsage::read(value)?),
            BASIC_CONSTRAINTS => {
                self.is_authority = match sequence(value)?[..] {
                    [] => false,
                    [(Tag::Boolean, [0xff])] | [(Tag::Boolean, [0xff]), (Tag::Integer, [_, ..])] => true,
                    _ => return None,
                }
            }
            SUBJECT_KEY_ID => match items_of(value)?[..] {
                [(Tag::OctetString, id)] if !id.is_empty() => self.subject_key_id = Some(id.to_owned()),
                _ => return None,
            },
            EXTENDED_KEY_USAGE => self.extended_key_usage = Some(read_purposes(value)?),
            _ => {}
        }
        Some(())
    }
}

/// Encodes a document as a PEM file.
pub fn to_pem(kind: X509Kind, der: &[u8]) -> Zeroizing<Vec<u8>> {
    super::pem::pem(kind.label(), "", der)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Returns an element in DER.
    fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
        element(tag, parts).to_vec()
    }

    /// Returns the certificate's fields, in their order in DER.
    fn fields() -> Vec<Vec<u8>> {
        let name = tlv(0x30, &[&tlv(0x31, &[&tlv(0x30, &[&[6, 3, 0x55, 4, 3], &tlv(12, &[b"a"])])])]);
        let time = tlv(0x17, &[b"261129000000Z"]);
        vec![
            tlv(0xa0, &[&[2, 1, 2]]),
            vec![2, 1, 1],
            ALGORITHM.to_vec(),
            name.clone(),
            tlv(0x30, &[&time, &time]),
            name,
            tlv(0x30, &[ALGORITHM, &tlv(3, &[&[0; 33]])]),
            extensions(&[&extension(&KEY_USAGE[2..], &[3, 2, 7, 0x80])]),
        ]
    }

    const ALGORITHM: &[u8] = &[0x30, 5, 6, 3, 0x2b, 0x65, 0x70];

    fn extension(arc: &[u8], value: &[u8]) -> Vec<u8> {
        tlv(0x30, &[&tlv(6, &[&[0x55, 0x1d], arc]), &[1, 1, 0xff], &tlv(4, &[value])])
    }

    fn extensions(all: &[&[u8]]) -> Vec<u8> {
        tlv(0xa3, &[&tlv(0x30, all)])
    }

    fn read(fields: &[Vec<u8>]) -> Result<X509Document, X509Defect> {
        let signed = tlv(0x30, &[&fields.concat()]);
        let der = tlv(0x30, &[&signed, ALGORITHM, &tlv(3, &[&[0; 65]])]);
        X509Document::read_der(X509Kind::Certificate, &der, true)
    }

    #[test]
    fn a_certificate_is_read() {
        let document = read(&fields()).unwrap();
        assert_eq!(document.extensions.key_usage.unwrap().names(), ["digitalSignature"]);
        assert!(document.is_self_issued() && !document.extensions.is_authority);
        assert_eq!(document.issued.unwrap().serial, [1]);
        // Version 1 has no extensions.
        assert!(read(&fields()[1..7]).is_ok());
    }

    #[test]
    fn purposes_have_names() {
        let mut fields = fields();
        let code_signing = [6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 3];
        fields[7] = extensions(&[&extension(&[37], &tlv(0x30, &[&code_signing, &[6, 1, 0x2a]]))]);
        assert_eq!(read(&fields).unwrap().extensions.extended_key_usage.unwrap(), ["codeSigning", "1.2"]);
    }

    #[test]
    fn wrong_documents_are_rejected() {
        let usage = extension(&[15], &[3, 2, 7, 0x80]);
        let early = tlv(0x30, &[&tlv(0x17, &[b"261129000000Z"]), &tlv(0x17, &[b"261128235959Z"])]);
        for (field, value, defect) in [
            (0, tlv(0xa0, &[&[2, 1, 0]]), X509Defect::Version),
            (0, tlv(0xa0, &[&[2, 1, 1]]), X509Defect::Version),
            (0, tlv(0xa0, &[&[2, 1, 3]]), X509Defect::Version),
            (0, vec![], X509Defect::Version),
            (1, vec![2, 1, 0x80], X509Defect::Serial),
            (1, vec![2, 2, 0, 1], X509Defect::Serial),
            (1, vec![2, 0], X509Defect::Serial),
            (1, tlv(2, &[&[1; 21]]), X509Defect::Serial),
            (2, vec![0x30, 5, 6, 3, 0x2b, 0x65, 0x71], X509Defect::Algorithms),
            (3, tlv(0x30, &[&[0x31, 0]]), X509Defect::Name),
            (4, early, X509Defect::Validity),
            (5, tlv(0x30, &[&[0x30, 0]]), X509Defect::Name),
            (6, vec![], X509Defect::Fields),
            (7, extensions(&[&usage, &usage]), X509Defect::ExtensionTwice),
            (7, extensions(&[]), X509Defect::Extension),
            (7, extensions(&[&extension(&[15], &[3, 2, 6, 0x80])]), X509Defect::Extension),
            (7, extensions(&[&extension(&[15], &[3, 2, 0, 0])]), X509Defect::Extension),
            (7, extensions(&[&extension(&[15], &[3, 1, 0])]), X509Defect::Extension),
            (7, extensions(&[&extension(&[15], &[3, 2, 7, 0x80, 5, 0])]), X509Defect::Extension),
            (7, extensions(&[&extension(&[19], &[0x30, 3, 1, 1, 0])]), X509Defect::Extension),
            (7, extensions(&[&extension(&[14], &[4, 0])]), X509Defect::Extension),
            (7, extensions(&[&extension(&[37], &[0x30, 0])]), X509Defect::Extension),
            (7, extensions(&[&extension(&[37], &[0x30, 3, 4, 1, 0x2a])]), X509Defect::Extension),
            (7, [extensions(&[&usage]), vec![5, 0]].concat(), X509Defect::Fields),
        ] {
            let mut fields = fields();
            fields[field] = value;
            assert_eq!(read(&fields), Err(defect), "{field} {:x?}", fields[field]);
        }
    }
}
