//! Creates certificate requests and self-signed certificates. The caller signs
//! [`UnsignedX509::signed_part`] with an empty context.
//!
//! A new certificate has the following extensions (RFC 5280, section 4.2.1):
//!
//! - basicConstraints is critical and does not contain CA:TRUE, so the key must not sign
//!   certificates.
//! - keyUsage is critical and contains only digitalSignature. RFC 9881 allows this use for ML-DSA
//!   keys, and CMS signatures and Linux kernel modules require this use.
//! - subjectKeyIdentifier contains an identifier of the key. A CMS signature can name its key by
//!   this identifier.

use super::WriteOptions;
use super::certificate::{BASIC_CONSTRAINTS, KEY_USAGE, SUBJECT_KEY_ID};
use super::der::element;
use super::distinguished_name::DistinguishedName;
use super::encoding::FileEncoding;
use super::kind::ObjectKind;
use super::oid::Oid;
use super::x509_time::X509Time;
use crate::api::Algorithm;
use alloc::vec::Vec;

/// The length of new serial numbers, in bytes.
const SERIAL_LEN: usize = 16;

/// The fields of a new self-signed certificate, except for the public key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CertificateFields<'a> {
    /// The name of both the subject and the issuer.
    pub subject: &'a DistinguishedName,
    /// Random bytes for the serial number. The two highest bits are replaced by `01`, so that the
    /// number is positive and always has 16 bytes.
    pub serial: [u8; SERIAL_LEN],
    /// The first second at which the certificate is valid.
    pub not_before: X509Time,
    /// The last second at which the certificate is valid.
    pub not_after: X509Time,
    /// The key identifier. RFC 7093 allows the first 20 bytes of the public key's SHA-256 digest.
    pub key_id: [u8; 20],
}

impl<'a> CertificateFields<'a> {
    /// Creates a value from all of its fields.
    pub const fn new(
        subject: &'a DistinguishedName,
        serial: [u8; SERIAL_LEN],
        not_before: X509Time,
        not_after: X509Time,
        key_id: [u8; 20],
    ) -> Self {
        Self { subject, serial, not_before, not_after, key_id }
    }
}

/// A certificate or a certificate request without its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsignedX509 {
    /// The part that will be signed, in DER.
    part_to_sign: Vec<u8>,
    /// The AlgorithmIdentifier of the signature, in DER.
    algorithm: Vec<u8>,
}

impl UnsignedX509 {
    /// Creates a certificate request without attributes for a public key in raw encoding. Returns
    /// `None` if X.509 does not define signatures for the algorithm, or if `public` has the wrong
    /// length.
    pub fn request(algorithm: Algorithm, public: &[u8], subject: &DistinguishedName) -> Option<Self> {
        let identifier = identifier(algorithm)?;
        let key = public_key_info(algorithm, public)?;
        let part_to_sign = element(0x30, &[&[0x02, 1, 0], &subject.to_der(), &key, &[0xa0, 0]]).to_vec();
        Some(Self { part_to_sign, algorithm: identifier })
    }

    /// Creates a certificate for a public key in raw encoding, with the subject as its issuer.
    /// Returns `None` under the same conditions as [`Self::request`].
    pub fn certificate(algorithm: Algorithm, public: &[u8], fields: &CertificateFields<'_>) -> Option<Self> {
        let identifier = identifier(algorithm)?;
        let key = public_key_info(algorithm, public)?;
        let mut serial = fields.serial;
        serial[0] = serial[0] & 0x3f | 0x40;
        let name = fields.subject.to_der();
        let extensions = [
            extension(BASIC_CONSTRAINTS, true, &element(0x30, &[])),
            // digitalSignature is the first bit of the list, which is the highest bit of the byte.
            extension(KEY_USAGE, true, &element(0x03, &[&[7, 0x80]])),
            extension(SUBJECT_KEY_ID, false, &element(0x04, &[&fields.key_id])),
        ]
        .concat();
        let part_to_sign = element(
            0x30,
            &[
                // Version 3 is encoded as 2.
                &element(0xa0, &[&[0x02, 1, 2]]),
                &element(0x02, &[&serial]),
                &identifier,
                &name,
                &element(0x30, &[&fields.not_before.to_der(), &fields.not_after.to_der()]),
                &name,
                &key,
                &element(0xa3, &[&element(0x30, &[&extensions])]),
            ],
        );
        Some(Self { part_to_sign: part_to_sign.to_vec(), algorithm: identifier })
    }

    /// Returns the bytes that the caller must sign.
    pub fn signed_part(&self) -> &[u8] {
        &self.part_to_sign
    }

    /// Returns the complete document with its signature, in DER.
    pub fn with_signature(&self, signature: &[u8]) -> Vec<u8> {
        element(0x30, &[&self.part_to_sign, &self.algorithm, &element(0x03, &[&[0], signature])]).to_vec()
    }
}

/// Returns the AlgorithmIdentifier, in DER, for signatures with this algorithm. Returns `None` for
/// FN-DSA and Falcon, because X.509 has no assigned OIDs for them.
fn identifier(algorithm: Algorithm) -> Option<Vec<u8>> {
    if algorithm.degree().is_some() {
        return None;
    }
    let oid = Oid::of(algorithm)?;
    Some(element(0x30, &[&element(0x06, &[oid.content()])]).to_vec())
}

/// Encodes the SubjectPublicKeyInfo for a key.
fn public_key_info(algorithm: Algorithm, public: &[u8]) -> Option<Vec<u8>> {
    let options = WriteOptions::plain(FileEncoding::SpkiDer);
    let der = options.write(ObjectKind::VerifyingKey, algorithm, "", public).ok()?;
    Some(der.to_vec())
}

/// Encodes an extension in DER.
fn extension(oid: &[u8], is_critical: bool, value: &[u8]) -> Vec<u8> {
    let critical: &[u8] = if is_critical { &[0x01, 1, 0xff] } else { &[] };
    element(0x30, &[&element(0x06, &[oid]), critical, &element(0x04, &[value])]).to_vec()
}
