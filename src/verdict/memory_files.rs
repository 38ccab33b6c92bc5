//! Reads trusted keys and signatures from files in memory.

use super::allowed_signers::{SignerName, trusted_keys};
use super::key_terms::{KeyFileKind, KeyTerms};
use super::messages::InputDefect;
use super::signature_file::{self, BlockReader, SignatureFileError};
use super::ssh_envelope::SshNamespace;
use super::trusted_key::{PublicKey, TrustedKey, spread_restrictions};
use crate::api::Level;
use crate::files::{self, Defect, FileContent, FileEncoding, FileObject, ObjectKind, ReadOptions, pem};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A defect in a file of trusted keys or in a signature file, with its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDefect {
    /// The defect's description.
    pub message: String,
    /// True if the defect is in a block that is not for this library: a different program wrote the
    /// block, the algorithm is not supported, or the label is unknown. A signature file may contain
    /// such blocks next to a signature.
    is_foreign: bool,
}

impl FileDefect {
    pub(super) fn new(message: impl ToString) -> Self {
        Self { message: message.to_string(), is_foreign: false }
    }

    /// Adds the block's number to the message, if the file contains several blocks.
    fn of_part(self, what: &str, number: usize, count: usize) -> Self {
        if count > 1 { Self { message: format!("{what} {number}: {}", self.message), ..self } } else { self }
    }
}

impl core::error::Error for FileDefect {}

impl fmt::Display for FileDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Reads a public key or a signature, depending on `wanted`.
fn object(part: &[u8], wanted: ObjectKind) -> Result<FileObject, FileDefect> {
    match files::read(part, &ReadOptions { expected_kind: Some(wanted), ..ReadOptions::default() }) {
        Ok(FileContent::Plain(object)) if object.kind == wanted => Ok(object),
        Ok(FileContent::Plain(object)) => Err(FileDefect::new(InputDefect::Role { found: object.kind, wanted })),
        Ok(FileContent::Locked(_)) => Err(FileDefect::new(InputDefect::Role { found: ObjectKind::SigningKey, wanted })),
        Err(Defect::Unknown(what)) => Err(FileDefect::new(InputDefect::Unrecognised(wanted, &what))),
        Err(defect) => {
            let is_foreign = matches!(defect, Defect::Foreign(_) | Defect::Label(_));
            Err(FileDefect { is_foreign, ..FileDefect::new(defect) })
        }
    }
}

/// Reads a public key and the key lines before it, for example `not-after:`.
fn trusted_key(part: &[u8], expected: &[String], level: Level) -> Result<TrustedKey, FileDefect> {
    let public = PublicKey::check(&object(part, ObjectKind::VerifyingKey)?).map_err(FileDefect::new)?;
    let terms = KeyTerms::parse(part, KeyFileKind::TrustedKeys).map_err(FileDefect::new)?;
    let is_expected = expected.is_empty() || expected.contains(&public.fingerprint);
    TrustedKey::new(public, level, String::new(), terms, is_expected).map_err(FileDefect::new)
}

/// Reads a file of trusted keys: public keys with key lines before them. If a key occurs several
/// times, for example in several schemes, each restriction applies to all occurrences. If
/// `expected` contains fingerprints, a policy accepts only keys with these fingerprints.
///
/// # Errors
/// Fails if a key or a key line has a defect, or if the key lines for the same key contradict each
/// other. Also fails if the file contains a composite key (ML-DSA with Ed25519), and one of the two
/// parts of this key as a separate key.
pub fn read_trusted_keys(data: &[u8], expected: &[String], level: Level) -> Result<Vec<TrustedKey>, FileDefect> {
    let parts = pem::parts(data);
    let mut keys = Vec::with_capacity(parts.len());
    for (i, part) in parts.iter().enumerate() {
        let key = trusted_key(part, expected, level);
        let mut key = key.map_err(|defect| defect.of_part("key", i + 1, parts.len()))?;
        key.from = format!("key {}", i + 1);
        keys.push(key);
    }
    spread_restrictions(&mut keys).map_err(FileDefect::new)?;
    Ok(keys)
}

/// Reads OpenSSH's file of allowed signers. The result contains the keys of `signer` for
/// `namespace`, with the dates on which they are valid. If `expected` contains fingerprints, a
/// policy accepts only keys with these fingerprints.
///
/// # Errors
/// Fails if a line has a defect, or the file has no key for the signer and the namespace.
pub fn read_allowed_signers(
    data: &[u8],
    signer: &SignerName,
    namespace: &SshNamespace,
    expected: &[String],
    level: Level,
) -> Result<Vec<TrustedKey>, FileDefect> {
    let keys = trusted_keys(data, signer, namespace);
    let keys = keys.map_err(|e| FileDefect::new(e.message(signer, namespace)))?;
    read_trusted_keys(&keys, expected, level)
}

/// A reader for signature blocks in memory.
struct SignatureReader;

impl BlockReader for SignatureReader {
    type Error = FileDefect;

    fn read(&self, part: &[u8], number: usize, count: usize) -> Result<FileObject, FileDefect> {
        object(part, ObjectKind::Signature).map_err(|defect| defect.of_part("signature", number, count))
    }

    fn unknown(&self, defect: &FileDefect) -> Option<String> {
        if defect.is_foreign { Some(defect.message.clone()) } else { None }
    }
}

/// Reads a signature in raw encoding.
pub(super) fn read_raw_signature(data: &[u8]) -> Result<FileObject, FileDefect> {
    match object(data, ObjectKind::Signature)? {
        object if object.encoding == FileEncoding::Raw => Ok(object),
        _ => {
            Err(FileDefect::new(InputDefect::Unrecognised(ObjectKind::Signature, "a text instead of a raw signature")))
        }
    }
}

/// Reads the signatures in a signature file. Blocks of other programs are ignored.
pub(super) fn read_signatures(data: &[u8]) -> Result<Vec<FileObject>, FileDefect> {
    match signature_file::blocks(data, &SignatureReader) {
        Ok(blocks) => Ok(signature_file::known_signatures(blocks)),
        Err(SignatureFileError::Block(defect)) => Err(defect),
        Err(e @ SignatureFileError::TooMany(_)) => Err(FileDefect::new(e)),
    }
}
