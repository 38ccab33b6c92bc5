//! Writes signatures in the Cryptographic Message Syntax. A signature identifies its signer by the
//! issuer and the serial number of the signer's certificate.

use super::certificate::{issuer_and_serial, subject_key_id};
use super::cms::{CONTENT_TYPE, CmsSignature, DATA, MESSAGE_DIGEST, SIGNED_DATA, SignedAttributes};
use super::der::element;
use super::oid::Oid;
use super::pem::PemBlock;
use super::{ContainerStructure, FileContent, ObjectKind, ReadOptions, read};
use crate::api::{Algorithm, PreHash};
use alloc::vec;
use alloc::vec::Vec;

/// The hash function for message digests in new signatures.
pub const CMS_HASH: PreHash = PreHash::Sha512;

/// The signer's certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerCertificate {
    /// The key's algorithm.
    pub algorithm: Algorithm,
    /// The public key in raw encoding.
    pub public: Vec<u8>,
    /// The certificate in DER.
    der: Vec<u8>,
    /// The content of IssuerAndSerialNumber in DER: the issuer and the serial number.
    issuer_and_serial: Vec<u8>,
}

impl SignerCertificate {
    /// Reads a certificate in PEM or DER, without verifying its signature. Returns `None` if the
    /// file is not a certificate for a key that this library supports.
    pub fn read(data: &[u8]) -> Option<Self> {
        let accept = ReadOptions::default().with_expected_kind(Some(ObjectKind::VerifyingKey));
        let Ok(FileContent::Plain(object)) = read(data, &accept) else { return None };
        if !object.is_in(ContainerStructure::Certificate) {
            return None;
        }
        let der = match PemBlock::find(data).ok()? {
            Some(block) => block.public_payload().ok()?.to_vec(),
            None => data.to_vec(),
        };
        let issuer_and_serial = issuer_and_serial(&der)?;
        Some(Self { algorithm: object.algorithm(), public: object.bytes.to_vec(), der, issuer_and_serial })
    }

    /// Returns whether a CMS signature names this certificate. Returns `None` if the signature
    /// names a key identifier, but the certificate has no key identifier.
    pub fn is_named_by(&self, signature: &CmsSignature) -> Option<bool> {
        if signature.has_serial {
            return Some(self.issuer_and_serial == signature.signer);
        }
        Some(subject_key_id(&self.der)? == signature.signer)
    }

    /// Returns whether the certificate contains this key.
    pub fn is_for(&self, algorithm: Algorithm, public: &[u8]) -> bool {
        self.algorithm == algorithm && self.public == public
    }
}

/// A signature for a new CMS file.
#[non_exhaustive]
pub struct NewCmsSignature<'a> {
    /// The signer's certificate.
    pub certificate: &'a SignerCertificate,
    /// The signature in raw encoding.
    pub signature: &'a [u8],
}

/// The parts of a new CMS file.
#[non_exhaustive]
pub struct NewCmsFile<'a> {
    /// The message, or `None` if the message is in a separate file.
    pub message: Option<&'a [u8]>,
    /// The message digest, or `None` if the signatures cover the message directly and not
    /// signed attributes.
    pub digest: Option<&'a [u8]>,
    /// Whether the file contains the signers' certificates.
    pub includes_certificates: bool,
    /// The signatures, with the signers' certificates.
    pub signatures: Vec<NewCmsSignature<'a>>,
}

fn digest_algorithm() -> Vec<u8> {
    element(0x30, &[&CMS_HASH.oid()]).to_vec()
}

/// Creates the signed attributes contentType and messageDigest for a message with this digest. The
/// digest must have 64 bytes.
pub fn new_attributes(digest: &[u8]) -> SignedAttributes {
    let content_type = element(0x30, &[&element(0x06, &[CONTENT_TYPE]), &element(0x31, &[&element(0x06, &[DATA])])]);
    let value = element(0x31, &[&element(0x04, &[digest])]);
    let message_digest = element(0x30, &[&element(0x06, &[MESSAGE_DIGEST]), &value]);
    // DER sorts the attributes by their encodings. contentType is first, because its encoding is
    // shorter.
    let prefix = [&content_type[..], &message_digest[..message_digest.len() - digest.len()]].concat();
    SignedAttributes::from_parts(CMS_HASH, &prefix, digest, &[])
}

impl NewCmsSignature<'_> {
    /// Encodes the SignerInfo for this signature. `digest` is the message digest, if the signature
    /// covers signed attributes. Returns `None` if the algorithm has no OID.
    pub fn to_der(&self, digest: Option<&[u8]>) -> Option<Vec<u8>> {
        let oid = Oid::of(self.certificate.algorithm)?;
        let attributes = match digest {
            None => Vec::new(),
            Some(digest) => {
                let SignedAttributes { prefix, digest, suffix, .. } = new_attributes(digest);
                // The signature covers the attributes with the tag of a SET (0x31), but the
                // SignerInfo contains them with the tag `[0]`.
                let mut attributes_der = [prefix, digest, suffix].concat();
                *attributes_der.first_mut()? = 0xa0;
                attributes_der
            }
        };
        let info = element(
            0x30,
            &[
                &[0x02, 1, 1],
                &element(0x30, &[&self.certificate.issuer_and_serial]),
                &digest_algorithm(),
                &attributes,
                &element(0x30, &[&element(0x06, &[oid.content()])]),
                &element(0x04, &[self.signature]),
            ],
        );
        Some(info.to_vec())
    }
}

impl NewCmsFile<'_> {
    /// Encodes the file in DER. Returns `None` if an algorithm has no OID.
    pub fn to_file(&self) -> Option<Vec<u8>> {
        let mut infos = Vec::with_capacity(self.signatures.len());
        let mut certificates = Vec::new();
        for signature in &self.signatures {
            infos.push(signature.to_der(self.digest)?);
            if self.includes_certificates && !certificates.contains(&signature.certificate.der) {
                certificates.push(signature.certificate.der.clone());
            }
        }
        // DER requires that the elements of a SET are sorted.
        infos.sort_unstable();
        certificates.sort_unstable();
        let content = match self.message {
            None => Vec::new(),
            Some(message) => element(0xa0, &[&element(0x04, &[message])]).to_vec(),
        };
        let mut fields = vec![
            vec![0x02, 1, 1],
            element(0x31, &[&digest_algorithm()]).to_vec(),
            element(0x30, &[&element(0x06, &[DATA]), &content]).to_vec(),
        ];
        if self.includes_certificates {
            fields.push(element(0xa0, &[&certificates.concat()]).to_vec());
        }
        fields.push(element(0x31, &[&infos.concat()]).to_vec());
        let signed_data = element(0xa0, &[&element(0x30, &[&fields.concat()])]);
        Some(element(0x30, &[&element(0x06, &[SIGNED_DATA]), &signed_data]).to_vec())
    }
}
