//! Describes SSH signatures without verifying them, for `inspect`.

use crate::tool::report::{Error, ResultEntry};
use fndsa::files::ssh::SshSignature;
use fndsa::files::{self, FileContent, FileObject, ObjectKind, ReadOptions};
use fndsa::verdict::fingerprint;
use fndsa::verdict::signature_note::context_text;
use serde_json::json;
use std::fmt::Display;

/// Returns whether a file contains a PEM block with the label of SSH signatures.
pub fn has_label(data: &[u8]) -> bool {
    SshSignature::has_label(data)
}

/// An SSH signature.
pub struct SshSignatureFile {
    /// The raw signature, without the SSH structure around it.
    pub signature: FileObject,
    namespace: Vec<u8>,
    hash: &'static str,
    /// The fingerprint of the public key in the file. The key is not authenticated.
    fingerprint: String,
}

impl SshSignatureFile {
    /// Reads a signature file. `from` is the file's name in error messages.
    ///
    /// # Errors
    /// Fails if the file is not an SSH signature with a known algorithm.
    pub fn read(data: &[u8], from: &dyn Display) -> Result<Self, Error> {
        let read = SshSignature::read(data).map_err(|source| Error::SshSignature { from: from.to_string(), source })?;
        let accept =
            ReadOptions::default().with_algorithm(Some(read.algorithm)).with_expected_kind(Some(ObjectKind::Signature));
        let Ok(FileContent::Plain(signature)) = files::read(&read.signature, &accept) else {
            return Err(Error::Internal(format!("{from}: a signature of another length")));
        };
        Ok(Self {
            signature,
            namespace: read.namespace,
            hash: read.hash.name(),
            fingerprint: fingerprint(&read.public),
        })
    }

    /// Returns a line of text that describes the signature.
    pub fn description(&self) -> String {
        format!(
            "{} signature, OpenSSH signature, namespace {}, hash {}, {} bytes, by public key {} (not proven)",
            self.signature.algorithm(),
            context_text(&self.namespace),
            self.hash,
            self.signature.bytes.len(),
            self.fingerprint
        )
    }

    /// Adds JSON members about the SSH format to `entry`, the signature's result.
    pub fn describe(&self, entry: ResultEntry) -> ResultEntry {
        entry
            .set("encoding", json!("openssh"))
            .set("label", json!("SSH SIGNATURE"))
            .set("namespace", json!(String::from_utf8_lossy(&self.namespace)))
            .set("hash", json!(self.hash))
            .set("claims", json!({ "fingerprint": self.fingerprint, "context": null, "prehash": null }))
    }
}
