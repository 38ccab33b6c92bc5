//! Implements the key traits from the crates `pkcs8` and `spki`, so that crates such as `x509-cert`
//! can use the keys of this library.
//!
//! The traits support ML-DSA (RFC 9881), Ed25519 (RFC 8410), composites (ML-DSA with Ed25519) and
//! Falcon. FN-DSA is not supported: its OID will be assigned with FIPS 206, and the provisional OID
//! in this library's files is too long for the crates `pkcs8` and `spki`.

use super::oid::Oid;
use super::{FileContent, FileEncoding, ObjectKind, ReadOptions, WriteOptions, read};
use crate::api::{Algorithm, Scheme, Signature, SigningKey, VerifyingKey};
use ::pkcs8::der::asn1::BitString;
use ::pkcs8::der::{self, Decode, Encode};
use ::pkcs8::spki::{
    self, AlgorithmIdentifierOwned, DynSignatureAlgorithmIdentifier, EncodePublicKey, ObjectIdentifier,
    SignatureBitStringEncoding, SubjectPublicKeyInfoRef,
};
use ::pkcs8::{Document, EncodePrivateKey, PrivateKeyInfoRef, SecretDocument};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// Returns an algorithm's OID.
fn identifier(algorithm: Algorithm) -> Result<ObjectIdentifier, spki::Error> {
    let oid = Oid::of(algorithm).ok_or(spki::Error::KeyMalformed)?;
    ObjectIdentifier::from_bytes(oid.content()).map_err(|_| spki::Error::KeyMalformed)
}

/// Encodes a key in DER.
fn write_der(
    encoding: FileEncoding,
    kind: ObjectKind,
    algorithm: Algorithm,
    bytes: &[u8],
) -> Result<Zeroizing<Vec<u8>>, spki::Error> {
    identifier(algorithm)?;
    WriteOptions::plain(encoding).write(kind, algorithm, "", bytes).map_err(|_| spki::Error::KeyMalformed)
}

/// Reads a key in DER.
fn read_der(der: &[u8], kind: ObjectKind) -> Result<super::FileObject, spki::Error> {
    match read(der, &ReadOptions { expected_kind: Some(kind), ..ReadOptions::default() }) {
        Ok(FileContent::Plain(object)) if object.kind == kind => Ok(object),
        _ => Err(spki::Error::KeyMalformed),
    }
}

impl EncodePublicKey for VerifyingKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let der = write_der(FileEncoding::SpkiDer, ObjectKind::VerifyingKey, self.algorithm(), self.as_bytes())?;
        Ok(Document::from_der(&der)?)
    }
}

/// Converts a SubjectPublicKeyInfo to a checked public key. With this conversion, `VerifyingKey`
/// also implements `DecodePublicKey`.
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = spki::Error;

    fn try_from(key: SubjectPublicKeyInfoRef<'_>) -> Result<Self, spki::Error> {
        let object = read_der(&key.to_der()?, ObjectKind::VerifyingKey)?;
        Self::of_algorithm(object.algorithm(), &object.bytes).map_err(|_| spki::Error::KeyMalformed)
    }
}

impl EncodePrivateKey for SigningKey {
    /// Encodes a key in PKCS#8. An ML-DSA key is stored as its seed, or in expanded form if the
    /// seed is unknown.
    fn to_pkcs8_der(&self) -> ::pkcs8::Result<SecretDocument> {
        let der = write_der(FileEncoding::Pkcs8Der, ObjectKind::SigningKey, self.algorithm(), self.as_bytes())?;
        Ok(SecretDocument::try_from(&der[..])?)
    }
}

/// Converts PKCS#8 to a private key, after a full check. With this conversion, `SigningKey` also
/// implements `DecodePrivateKey`.
impl TryFrom<PrivateKeyInfoRef<'_>> for SigningKey {
    type Error = pkcs8::Error;

    fn try_from(key: PrivateKeyInfoRef<'_>) -> Result<Self, ::pkcs8::Error> {
        let der = SecretDocument::encode_msg(&key)?;
        let object = read_der(der.as_bytes(), ObjectKind::SigningKey)?;
        let checked = object
            .private_key(crate::api::Level::detect())
            .map_err(|_| ::pkcs8::Error::KeyMalformed(::pkcs8::KeyError::Invalid))?;
        Ok(Self::from(&checked.key))
    }
}

/// Returns the AlgorithmIdentifier for signatures with an empty context. This library creates such
/// signatures through the traits in the crate `signature`.
fn signature_identifier(algorithm: Algorithm) -> spki::Result<AlgorithmIdentifierOwned> {
    // FN-DSA and Falcon have no standard OID yet.
    if Scheme::FALCON_FAMILY.contains(&algorithm.scheme()) {
        return Err(spki::Error::KeyMalformed);
    }
    Ok(AlgorithmIdentifierOwned { oid: identifier(algorithm)?, parameters: None })
}

impl DynSignatureAlgorithmIdentifier for SigningKey {
    /// Returns the OID for signatures with the empty context, for ML-DSA, Ed25519 and composites.
    fn signature_algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
        signature_identifier(self.algorithm())
    }
}

impl DynSignatureAlgorithmIdentifier for VerifyingKey {
    /// Returns the OID for signatures with the empty context, for ML-DSA, Ed25519 and composites.
    fn signature_algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
        signature_identifier(self.algorithm())
    }
}

impl SignatureBitStringEncoding for Signature {
    fn to_bitstring(&self) -> der::Result<BitString> {
        BitString::from_bytes(self.as_bytes())
    }
}
