//! Signatures in the Cryptographic Message Syntax (CMS, RFC 5652) with ML-DSA (RFC 9882) and
//! Ed25519 (RFC 8419).
//!
//! ```text
//! with signed attributes:    each signature covers the DER of the attributes as a SET, which
//!                            contains the digest of the message
//! without signed attributes: each signature covers the message
//! ```
//!
//! The reader rejects optional elements that verification does not need, with two exceptions. It
//! counts certificates without decoding them, and ignores unknown signed attributes. It accepts
//! indefinite lengths only in the outer elements, because programs that write a stream need such
//! lengths there. All signatures in a file must cover the same bytes.

use super::ber::BerElement;
use super::der::element;
use super::foreign::is_mail;
use super::kind::ObjectKind;
use super::oid::{IdentifiedAlgorithm, Oid};
use super::pem::PemBlock;
use crate::api::{Algorithm, PreHash};
use alloc::vec::Vec;
use thiserror::Error;

/// The OID id-signedData without its tag, 1.2.840.113549.1.7.2.
pub(super) const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2];
/// The last bytes of the OIDs id-envelopedData, id-encryptedData and id-ct-authEnvelopedData. The
/// first seven bytes of these OIDs are 1.2.840.113549.1, with which all PKCS OIDs start.
const ENCRYPTED: [&[u8]; 3] = [&[7, 3], &[7, 6], &[9, 16, 1, 23]];
/// The OID id-data without its tag, 1.2.840.113549.1.7.1.
pub(super) const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
/// The OID for the attribute contentType, 1.2.840.113549.1.9.3.
pub(super) const CONTENT_TYPE: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 3];
/// The OID for the attribute messageDigest, 1.2.840.113549.1.9.4.
pub(super) const MESSAGE_DIGEST: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 4];
/// The OID for the attribute CMSAlgorithmProtection, 1.2.840.113549.1.9.52 (RFC 6211).
const ALGORITHM_PROTECTION: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 52];

/// The number of outer nesting levels at which an element can have an indefinite length:
/// ContentInfo, its content, SignedData, EncapsulatedContentInfo, its content, and the message.
const OUTER_LEVELS: usize = 6;

/// Returns whether this library reads and writes CMS signatures of an algorithm: ML-DSA and
/// Ed25519.
pub fn has_cms(algorithm: Algorithm) -> bool {
    [Algorithm::ML_DSA_44, Algorithm::ML_DSA_65, Algorithm::ML_DSA_87].contains(&algorithm) || is_ed25519(algorithm)
}

#[cfg(feature = "ed25519")]
fn is_ed25519(algorithm: Algorithm) -> bool {
    algorithm == Algorithm::ED25519
}

#[cfg(not(feature = "ed25519"))]
fn is_ed25519(_: Algorithm) -> bool {
    false
}

/// The reason why a file is not a CMS signature that this library can verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CmsDefect {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file is an e-mail in S/MIME format, which contains CMS in base64.
    #[error("the file is an e-mail (S/MIME) and not a CMS file")]
    Mail,
    /// The file is not CMS.
    #[error("the file is not CMS: it is not a SEQUENCE with an object identifier")]
    NotCms,
    /// The file is incomplete, or an element has a wrong length.
    #[error("the file is cut off, or a length in it is not DER")]
    Cut,
    /// The PEM block is damaged, or its label is not `CMS` or `PKCS7`.
    #[error("the file is not exactly one PEM block with the label CMS or PKCS7")]
    Pem,
    /// The file is encrypted.
    #[error("the file is encrypted CMS, which can contain signatures only inside")]
    Encrypted,
    /// The file contains a CMS type other than signed data, for example a digest.
    #[error("the file is CMS without signatures: the content type is not signedData")]
    NotSigned,
    /// Additional bytes follow the structure.
    #[error("there are bytes after the end of the CMS structure")]
    Trailing,
    /// The structure is not a valid SignedData.
    #[error("the structure is not SignedData of RFC 5652, or its elements are not DER")]
    Structure,
    /// A version number does not match the contents.
    #[error("a version number does not match the contents")]
    Version,
    /// The message's type is not id-data.
    #[error("the type of the message is not data, and fndsa knows no other type")]
    MessageType,
    /// The file contains the message, but the message must be in a separate file.
    #[error("the file contains the message")]
    Message,
    /// The file does not contain the message.
    #[error("the file does not contain the message")]
    NoMessage,
    /// The file contains revocation lists.
    #[error("the file contains revocation lists, and fndsa does not read them")]
    Revocation,
    /// The file contains a certificate in a format other than X.509.
    #[error("the file contains a certificate that is not an X.509 certificate")]
    Certificate,
    /// The file contains no signature.
    #[error("the file is PKCS#7 without a signature, for example with certificates only")]
    NoSignature,
    /// The list of digest algorithms in the file has a duplicate, or does not match the signatures.
    #[error("the digest algorithms in the file are not those of its signatures")]
    DigestAlgorithms,
    /// The digest algorithm is unknown.
    #[error("the digest algorithm is unknown, or has parameters")]
    DigestAlgorithm,
    /// The digest algorithm is too weak for the signature algorithm, or is not the digest algorithm
    /// that RFC 8419 requires for Ed25519.
    #[error("the digest algorithm {hash} is not allowed for {algorithm}; sha512 is allowed for every algorithm", hash = .0.name(), algorithm = .1)]
    WeakDigest(PreHash, Algorithm),
    /// The signature algorithm is unknown.
    #[error("the signature algorithm is not ML-DSA or Ed25519")]
    SignatureAlgorithm,
    /// The signature algorithm is HashML-DSA.
    #[error("the signature algorithm is HashML-DSA, which RFC 9882 does not allow")]
    HashMlDsa,
    /// The signature algorithm has parameters.
    #[error("the signature algorithm has parameters")]
    Parameters,
    /// The signature's length is wrong for the algorithm.
    #[error("the signature does not have the length of its algorithm")]
    SignatureLength,
    /// A signature has unsigned attributes.
    #[error("a signature has unsigned attributes, and fndsa does not read them")]
    UnsignedAttributes,
    /// The signed attributes are not a SET of attributes in DER.
    #[error("the signed attributes are not attributes in DER")]
    Attributes,
    /// The signed attributes are not in the order that DER requires.
    #[error("the signed attributes are not in the order that DER requires")]
    AttributeOrder,
    /// A signed attribute occurs twice.
    #[error("a signed attribute occurs twice")]
    DuplicateAttribute,
    /// A signed attribute does not have exactly one value.
    #[error("a signed attribute does not have exactly one value")]
    AttributeValues,
    /// The attribute contentType is missing, or names a type other than id-data.
    #[error("the signed attribute contentType is missing, or is not the type of the message")]
    ContentType,
    /// The attribute messageDigest is missing, or the digest has a wrong length.
    #[error("the signed attribute messageDigest is missing, or does not have the length of its algorithm")]
    MessageDigest,
    /// The attribute CMSAlgorithmProtection does not name the algorithms of its signature.
    #[error("the signed attribute CMSAlgorithmProtection names other algorithms")]
    AlgorithmProtection,
    /// The signatures cover different bytes.
    #[error("the signatures cover different attributes, and fndsa reads only signatures of the same attributes")]
    DifferentAttributes,
    /// The message begins like signed attributes (see [`begins_like_attributes`]).
    #[error("the message is a SET of attributes, so its signature may be a signature of another message")]
    AttributesAsMessage,
}

/// The signed attributes, split into the message's digest and the bytes around this digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedAttributes {
    /// The function that hashes the message.
    pub hash: PreHash,
    /// The bytes that the signatures cover before the digest.
    pub prefix: Vec<u8>,
    /// The message digest.
    pub digest: Vec<u8>,
    /// The bytes that the signatures cover after the digest.
    pub suffix: Vec<u8>,
}

/// A signature in a CMS file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CmsSignature {
    /// The signature's algorithm.
    pub algorithm: Algorithm,
    /// The serial number or the key identifier of the signer's certificate. This value is not
    /// authenticated, because the signature does not cover it.
    pub identifier: Vec<u8>,
    /// Whether `identifier` is a serial number. Otherwise, it is a key identifier.
    pub has_serial: bool,
    /// The issuer and the serial number in DER, or the key identifier. This value is not
    /// authenticated.
    pub signer: Vec<u8>,
    /// The signature in raw encoding.
    pub signature: Vec<u8>,
}

/// The contents of a CMS file. The signatures are not verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CmsFile {
    /// The message, if the file contains it.
    pub message: Option<Vec<u8>>,
    /// The signed attributes, which are the same for all signatures. `None` if the signatures cover
    /// the message.
    pub attributes: Option<SignedAttributes>,
    /// The signatures, at least one.
    pub signatures: Vec<CmsSignature>,
    /// The number of certificates in the file.
    pub certificates: usize,
}

/// The elements of a SignerInfo that the reader uses.
struct SignerFields<'d> {
    signature: CmsSignature,
    digest_algorithm: &'d [u8],
    attributes: Option<SignedAttributes>,
}

impl CmsFile {
    /// Returns whether a file begins like signed data in DER or BER, or has a PEM block of CMS.
    pub fn is_signed_data(data: &[u8]) -> bool {
        begins_like_signed_data(data)
            || matches!(PemBlock::find(data), Ok(Some(block)) if LABELS.contains(&block.label))
    }

    /// Reads a file in DER or PEM.
    ///
    /// # Errors
    /// Fails if the file is not CMS, or if this library cannot verify its signatures.
    pub fn read(data: &[u8]) -> Result<Self, CmsDefect> {
        // A DER file is not searched for PEM blocks, because its message can contain a PEM block.
        if begins_like_signed_data(data) {
            return Self::read_encoding(data);
        }
        match PemBlock::find(data) {
            Ok(None) if data.is_empty() => Err(CmsDefect::Empty),
            Ok(None) if is_mail(data) => Err(CmsDefect::Mail),
            Ok(None) => Self::read_encoding(data),
            Ok(Some(block)) if LABELS.contains(&block.label) => {
                Self::read_encoding(&block.public_payload().map_err(|_| CmsDefect::Pem)?)
            }
            _ => Err(CmsDefect::Pem),
        }
    }

    /// Reads a file in DER or BER.
    ///
    /// # Errors
    /// Fails if the file is not CMS, or if this library cannot verify its signatures.
    pub fn read_encoding(data: &[u8]) -> Result<Self, CmsDefect> {
        let damaged = if begins_like_signed_data(data) { CmsDefect::Cut } else { CmsDefect::NotCms };
        let (content_info, rest) = BerElement::split(data, OUTER_LEVELS).ok_or(damaged)?;
        let fields =
            if content_info.tag == 0x30 { BerElement::all(content_info.content, OUTER_LEVELS - 1) } else { None };
        let fields = fields.ok_or(damaged)?;
        let [BerElement { tag: 0x06, content: kind, .. }, BerElement { tag: 0xa0, content, .. }] = fields[..] else {
            return Err(CmsDefect::NotCms);
        };
        if kind.strip_prefix(&SIGNED_DATA[..7]).is_some_and(|end| ENCRYPTED.contains(&end)) {
            return Err(CmsDefect::Encrypted);
        }
        if kind != SIGNED_DATA {
            return Err(CmsDefect::NotSigned);
        }
        if !rest.is_empty() {
            return Err(CmsDefect::Trailing);
        }
        match BerElement::all(content, OUTER_LEVELS - 2).as_deref() {
            Some([BerElement { tag: 0x30, content, .. }]) => Self::read_signed_data(content),
            _ => Err(CmsDefect::Structure),
        }
    }

    /// Reads the content of a SignedData.
    fn read_signed_data(content: &[u8]) -> Result<Self, CmsDefect> {
        let fields = BerElement::all(content, OUTER_LEVELS - 3).ok_or(CmsDefect::Structure)?;
        let [version, digests, message, rest @ .., signers] = &fields[..] else { return Err(CmsDefect::Structure) };
        if (version.tag, digests.tag, message.tag, signers.tag) != (0x02, 0x31, 0x30, 0x31) {
            return Err(CmsDefect::Structure);
        }
        let certificates = match rest {
            [] => 0,
            [certificates] if certificates.tag == 0xa0 => count_certificates(certificates)?,
            [lists] if lists.tag == 0xa1 => return Err(CmsDefect::Revocation),
            [certificates, lists] if (certificates.tag, lists.tag) == (0xa0, 0xa1) => {
                return Err(CmsDefect::Revocation);
            }
            _ => return Err(CmsDefect::Structure),
        };
        let message = read_message(message)?;
        if !signers.is_der() || !digests.is_der() || !version.is_der() {
            return Err(CmsDefect::Structure);
        }
        let signer_infos = BerElement::all(signers.content, 0).ok_or(CmsDefect::Structure)?;
        let mut signatures = Vec::with_capacity(signer_infos.len());
        let mut digest_algorithms = Vec::new();
        let mut common_attributes = None;
        for info in &signer_infos {
            let SignerFields { signature, digest_algorithm, attributes } = SignerFields::read(info)?;
            if common_attributes.get_or_insert_with(|| attributes.clone()) != &attributes {
                return Err(CmsDefect::DifferentAttributes);
            }
            if !digest_algorithms.contains(&digest_algorithm) {
                digest_algorithms.push(digest_algorithm);
            }
            signatures.push(signature);
        }
        let attributes = common_attributes.ok_or(CmsDefect::NoSignature)?;
        check_digest_algorithms(digests, digest_algorithms)?;
        // According to RFC 5652, section 5.1, a key identifier requires version 3.
        let expected_version: u8 = if signatures.iter().all(|signature| signature.has_serial) { 1 } else { 3 };
        if version.content != [expected_version] {
            return Err(CmsDefect::Version);
        }
        Ok(Self { message, attributes, signatures, certificates })
    }
}

/// Returns whether a file begins with a SEQUENCE and the OID of signed data.
fn begins_like_signed_data(data: &[u8]) -> bool {
    let content = match data {
        [0x30, 0x80, rest @ ..] => rest,
        _ => content_of_element(data, 0x30).unwrap_or_default(),
    };
    match content.strip_prefix(&[6, SIGNED_DATA.len() as u8]) {
        Some(oid) => oid.starts_with(SIGNED_DATA),
        None => false,
    }
}

/// The PEM labels of CMS files.
const LABELS: [&str; 2] = ["CMS", "PKCS7"];

/// Counts the certificates without reading their contents.
fn count_certificates(field: &BerElement<'_>) -> Result<usize, CmsDefect> {
    let certificates = BerElement::all(field.content, 0).ok_or(CmsDefect::Structure)?;
    if certificates.iter().any(|certificate| certificate.tag != 0x30 || !certificate.is_der()) {
        return Err(CmsDefect::Certificate);
    }
    Ok(certificates.len())
}

/// Reads an EncapsulatedContentInfo, and returns the message if the file contains it.
fn read_message(info: &BerElement<'_>) -> Result<Option<Vec<u8>>, CmsDefect> {
    let fields = BerElement::all(info.content, OUTER_LEVELS - 4).ok_or(CmsDefect::Structure)?;
    let [kind, rest @ ..] = &fields[..] else { return Err(CmsDefect::Structure) };
    if kind.tag != 0x06 {
        return Err(CmsDefect::Structure);
    }
    if kind.content != DATA {
        return Err(CmsDefect::MessageType);
    }
    let explicit = match rest {
        [] => return Ok(None),
        [explicit] if explicit.tag == 0xa0 => BerElement::all(explicit.content, OUTER_LEVELS - 5),
        _ => None,
    };
    let Some([text]) = explicit.as_deref() else { return Err(CmsDefect::Structure) };
    match text {
        BerElement { tag: 0x04, content, .. } => Ok(Some(content.to_vec())),
        // A program that does not know the length of the message in advance writes the message in
        // several pieces.
        BerElement { tag: 0x24, content, is_indefinite: true, .. } => {
            let pieces = BerElement::all(content, 0).ok_or(CmsDefect::Structure)?;
            let mut message = Vec::with_capacity(content.len());
            for piece in pieces {
                if piece.tag != 0x04 {
                    return Err(CmsDefect::Structure);
                }
                message.extend_from_slice(piece.content);
            }
            Ok(Some(message))
        }
        _ => Err(CmsDefect::Structure),
    }
}

/// Checks that the file lists exactly the digest algorithms that its signatures use.
/// `signer_algorithms` contains the algorithm identifiers of the signatures, without duplicates.
fn check_digest_algorithms(file_algorithms: &BerElement<'_>, signer_algorithms: Vec<&[u8]>) -> Result<(), CmsDefect> {
    let file_algorithms = BerElement::all(file_algorithms.content, 0).ok_or(CmsDefect::Structure)?;
    let mut file_functions = Vec::with_capacity(file_algorithms.len());
    for identifier in file_algorithms {
        let function = digest_function(&identifier)?;
        if file_functions.contains(&function) {
            return Err(CmsDefect::DigestAlgorithms);
        }
        file_functions.push(function);
    }
    let mut signer_functions = Vec::with_capacity(signer_algorithms.len());
    for content in signer_algorithms {
        let function = digest_function(&BerElement { tag: 0x30, content, encoding: content, is_indefinite: false })?;
        if !file_functions.contains(&function) {
            return Err(CmsDefect::DigestAlgorithms);
        }
        if !signer_functions.contains(&function) {
            signer_functions.push(function);
        }
    }
    if signer_functions.len() == file_functions.len() { Ok(()) } else { Err(CmsDefect::DigestAlgorithms) }
}

/// Returns the hash function in an AlgorithmIdentifier. The parameters must be absent or NULL (RFC
/// 5754).
fn digest_function(identifier: &BerElement<'_>) -> Result<PreHash, CmsDefect> {
    let fields = BerElement::all(identifier.content, 0).ok_or(CmsDefect::DigestAlgorithm)?;
    let oid = match &fields[..] {
        [oid] => oid,
        [oid, null] if null.encoding == [0x05, 0] => oid,
        _ => return Err(CmsDefect::DigestAlgorithm),
    };
    if identifier.tag != 0x30 {
        return Err(CmsDefect::DigestAlgorithm);
    }
    PreHash::all().find(|hash| hash.oid() == oid.encoding).ok_or(CmsDefect::DigestAlgorithm)
}

/// Returns the signature algorithm in an AlgorithmIdentifier.
fn signature_algorithm(content: &[u8]) -> Result<Algorithm, CmsDefect> {
    let fields = BerElement::all(content, 0).ok_or(CmsDefect::SignatureAlgorithm)?;
    let [BerElement { tag: 0x06, content: oid, .. }, parameters @ ..] = &fields[..] else {
        return Err(CmsDefect::SignatureAlgorithm);
    };
    let oid = Oid::from_content(oid).ok_or(CmsDefect::SignatureAlgorithm)?;
    let algorithm = match oid.identified_algorithm() {
        Some(IdentifiedAlgorithm::Supported(algorithm)) if has_cms(algorithm) => algorithm,
        Some(IdentifiedAlgorithm::PreHashed(..)) => return Err(CmsDefect::HashMlDsa),
        _ => return Err(CmsDefect::SignatureAlgorithm),
    };
    if parameters.is_empty() { Ok(algorithm) } else { Err(CmsDefect::Parameters) }
}

impl<'d> SignerFields<'d> {
    /// Reads a SignerInfo.
    fn read(info: &BerElement<'d>) -> Result<Self, CmsDefect> {
        let fields = if info.tag == 0x30 { BerElement::all(info.content, 0) } else { None };
        let fields = fields.ok_or(CmsDefect::Structure)?;
        let (fields, attributes) = match &fields[..] {
            [start @ .., BerElement { tag: 0xa1, .. }] if start.len() >= 5 => {
                return Err(CmsDefect::UnsignedAttributes);
            }
            [_, _, _, attributes, _, _] if attributes.tag == 0xa0 => {
                ([&fields[0], &fields[1], &fields[2], &fields[4], &fields[5]], Some(attributes))
            }
            [version, signer, digest, algorithm, signature] => ([version, signer, digest, algorithm, signature], None),
            _ => return Err(CmsDefect::Structure),
        };
        let [version, signer, digest, algorithm, signature] = fields;
        if (version.tag, digest.tag, algorithm.tag, signature.tag) != (0x02, 0x30, 0x30, 0x04) {
            return Err(CmsDefect::Structure);
        }
        let (identifier, has_serial) = signer_identifier(signer)?;
        if version.content != [if has_serial { 1 } else { 3 }] {
            return Err(CmsDefect::Version);
        }
        let hash = digest_function(digest)?;
        let name = signature_algorithm(algorithm.content)?;
        if !ObjectKind::Signature.is_encoding(name, signature.content) {
            return Err(CmsDefect::SignatureLength);
        }
        let attributes = match attributes {
            None => None,
            Some(_) if name.is_weak_prehash(hash) || (is_ed25519(name) && hash != PreHash::Sha512) => {
                return Err(CmsDefect::WeakDigest(hash, name));
            }
            Some(attributes) => Some(SignedAttributes::read(attributes.content, hash, digest, algorithm)?),
        };
        let signature = CmsSignature {
            algorithm: name,
            identifier: identifier.to_vec(),
            has_serial,
            signer: signer.content.to_vec(),
            signature: signature.content.to_vec(),
        };
        Ok(Self { signature, digest_algorithm: digest.content, attributes })
    }
}

/// Returns the certificate's serial number and true, or its key identifier and false.
fn signer_identifier<'d>(signer: &BerElement<'d>) -> Result<(&'d [u8], bool), CmsDefect> {
    match signer {
        BerElement { tag: 0x80, content, .. } => Ok((content, false)),
        BerElement { tag: 0x30, content, .. } => match BerElement::all(content, 0).as_deref() {
            Some([BerElement { tag: 0x30, .. }, BerElement { tag: 0x02, content: serial, .. }]) => Ok((serial, true)),
            _ => Err(CmsDefect::Structure),
        },
        _ => Err(CmsDefect::Structure),
    }
}

impl SignedAttributes {
    /// Reads the signed attributes. `digest` and `algorithm` are the algorithm identifiers in the
    /// SignerInfo, which the attribute CMSAlgorithmProtection must repeat.
    fn read(
        content: &[u8],
        hash: PreHash,
        digest: &BerElement<'_>,
        algorithm: &BerElement<'_>,
    ) -> Result<Self, CmsDefect> {
        let attributes = BerElement::all(content, 0).ok_or(CmsDefect::Attributes)?;
        let mut types = Vec::with_capacity(attributes.len());
        let mut end = 0;
        let mut digest_end = None;
        let mut has_type = false;
        for attribute in &attributes {
            end += attribute.encoding.len();
            let (kind, value) = attribute_value(attribute)?;
            if types.contains(&kind) {
                return Err(CmsDefect::DuplicateAttribute);
            }
            types.push(kind);
            match kind {
                CONTENT_TYPE if (value.tag, value.content) == (0x06, DATA) => has_type = true,
                CONTENT_TYPE => return Err(CmsDefect::ContentType),
                MESSAGE_DIGEST if value.tag == 0x04 && value.content.len() == hash.digest_len() => {
                    digest_end = Some(end);
                }
                MESSAGE_DIGEST => return Err(CmsDefect::MessageDigest),
                ALGORITHM_PROTECTION => check_protection(value, digest, algorithm)?,
                // Other attributes, for example the signing time, are ignored. CMS defines no
                // critical attributes.
                _ => {}
            }
        }
        // DER requires that the attributes are sorted by their encodings.
        if !attributes.is_sorted_by(|a, b| a.encoding < b.encoding) {
            return Err(CmsDefect::AttributeOrder);
        }
        if !has_type {
            return Err(CmsDefect::ContentType);
        }
        // The attribute's content ends with the digest, so both have the same end.
        let digest_end = digest_end.ok_or(CmsDefect::MessageDigest)?;
        let (through_digest, suffix) = content.split_at_checked(digest_end).ok_or(CmsDefect::Attributes)?;
        let start = through_digest.len().checked_sub(hash.digest_len()).ok_or(CmsDefect::Attributes)?;
        Ok(Self::from_parts(hash, &through_digest[..start], &through_digest[start..], suffix))
    }

    /// Creates signed attributes from the content of the SET, in three parts: the bytes before the
    /// digest, the digest, and the bytes after the digest.
    pub(super) fn from_parts(hash: PreHash, prefix_content: &[u8], digest: &[u8], suffix: &[u8]) -> Self {
        let attributes_set = element(0x31, &[prefix_content, digest, suffix]);
        let prefix = attributes_set[..attributes_set.len() - digest.len() - suffix.len()].to_vec();
        Self { hash, prefix, digest: digest.to_vec(), suffix: suffix.to_vec() }
    }
}

/// Returns the type and the only value of an attribute.
fn attribute_value<'d>(attribute: &BerElement<'d>) -> Result<(&'d [u8], BerElement<'d>), CmsDefect> {
    let fields = if attribute.tag == 0x30 { BerElement::all(attribute.content, 0) } else { None };
    let fields = fields.ok_or(CmsDefect::Attributes)?;
    let [BerElement { tag: 0x06, content: kind, .. }, BerElement { tag: 0x31, content: values, .. }] = fields[..]
    else {
        return Err(CmsDefect::Attributes);
    };
    let mut values = BerElement::all(values, 0).ok_or(CmsDefect::Attributes)?;
    match (values.pop(), values.len()) {
        (Some(value), 0) => Ok((kind, value)),
        _ => Err(CmsDefect::AttributeValues),
    }
}

/// Checks that the attribute CMSAlgorithmProtection names the same algorithms as the SignerInfo.
fn check_protection(
    value: BerElement<'_>,
    digest: &BerElement<'_>,
    algorithm: &BerElement<'_>,
) -> Result<(), CmsDefect> {
    match &BerElement::all(value.content, 0).ok_or(CmsDefect::Attributes)?[..] {
        [protected_digest, protected_signature]
            if value.tag == 0x30
                && protected_digest.encoding == digest.encoding
                && (protected_signature.tag, protected_signature.content) == (0xa1, algorithm.content) =>
        {
            Ok(())
        }
        _ => Err(CmsDefect::AlgorithmProtection),
    }
}

/// The maximum number of bytes that [`begins_like_attributes`] reads.
pub const ATTRIBUTES_START: usize = 16;

/// Returns whether a file begins like signed attributes in DER: a SET with a SEQUENCE that begins
/// with an object identifier. Such a file can contain a second message's digest. A signature that
/// covers the file directly is then also valid for the second message, with the file as signed
/// attributes. Therefore, a signature without signed attributes must not cover such a file.
pub fn begins_like_attributes(data: &[u8]) -> bool {
    let Some(set) = content_of_element(data, 0x31) else { return false };
    let Some(attribute) = content_of_element(set, 0x30) else { return false };
    attribute.first() == Some(&0x06)
}

/// Returns the bytes after the tag and the length of an element. The element can be incomplete.
fn content_of_element(data: &[u8], tag: u8) -> Option<&[u8]> {
    match data {
        [first, len, rest @ ..] if *first == tag && *len < 0x80 => Some(rest),
        [first, len, rest @ ..] if *first == tag && (0x81..=0x84).contains(len) => rest.get(usize::from(len & 0x7f)..),
        _ => None,
    }
}
