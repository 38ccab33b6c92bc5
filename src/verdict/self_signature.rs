//! Verifies a certificate or a certificate request with the public key in the same document.

use super::evidence::Evidence;
use crate::api::{Level, MessageToVerify, Options, VerifyingKeyRef};
use crate::files::x509::X509Document;
use crate::files::{self, FileContent, FileObject, ObjectKind, ReadOptions};
use alloc::vec;

/// The result of verifying a certificate or a certificate request with the key in the same
/// document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelfSignature {
    /// The signature was checked with the key in the document. The evidence holds only if the
    /// signature is valid.
    Checked(Evidence),
    /// The signature cannot be verified with this key, because the issuer and the subject have
    /// different names.
    OtherIssuer,
    /// The key may only be used with a pre-hash, but X.509 has no signatures with a pre-hash.
    PreHash,
}

impl SelfSignature {
    /// Verifies the document's signature, with an empty context. `key` is the public key in the
    /// document, from [`document_key`]. [`Evidence::holds`] returns true only if the key created
    /// the signature, and if the document names the algorithm of this key.
    pub fn check(document: &X509Document, key: &FileObject, level: Level) -> Self {
        if !document.is_self_issued() {
            return Self::OtherIssuer;
        }
        if key.prehash().is_some() {
            return Self::PreHash;
        }
        // If `evidence` returns `None`, no value is combined, so the result does not hold.
        Self::Checked(evidence(document, key, level).unwrap_or_else(|| Evidence::of_all(&[], 1)))
    }
}

/// Verifies the signature, and returns the evidence. Returns `None` if the signature is not valid,
/// or if the document does not name the algorithm of the key.
fn evidence(document: &X509Document, key: &FileObject, level: Level) -> Option<Evidence> {
    let key_oid = key.container.as_ref().map(|container| &container.oid);
    if document.algorithm.is_none() || document.algorithm.as_ref() != key_oid {
        return None;
    }
    let algorithm = key.algorithm();
    let public = VerifyingKeyRef::of_algorithm(algorithm, &key.bytes).ok()?;
    let message = MessageToVerify::message(Options::default(), &document.signed);
    let mut work = vec![0; algorithm.verify_fast_work_len()];
    let verified = public.verified(level, message, &document.signature, &mut work).ok()?;
    Some(Evidence::of(verified))
}

/// Reads the public key in a certificate or a certificate request. The errors are the same as for a
/// public key file with this key.
///
/// # Errors
/// Fails if the key has a defect, or `accept` does not accept its algorithm.
pub fn document_key(document: &X509Document, accept: &ReadOptions) -> Result<FileObject, files::Defect> {
    let accept = accept.clone().with_expected_kind(Some(ObjectKind::VerifyingKey));
    match files::read(&document.public_key, &accept)? {
        FileContent::Plain(object) => Ok(object),
        FileContent::Locked(_) => Err(files::Defect::Locked),
    }
}
