//! Describes JSON Web Signatures without verifying them, for `inspect`.

use crate::tool::report::{Error, ResultEntry};
use fndsa::files::jws::{JwsDefect, JwsSignature};
use fndsa::files::{self, FileContent, FileObject, ForeignFile, ForeignFormat, ObjectKind, ReadOptions};
use fndsa::verdict::signature_note::context_text;
use serde_json::json;
use std::fmt::Display;

/// Returns whether a file is a JSON Web Signature, in the compact form or as JSON.
pub fn is_jws(data: &[u8]) -> bool {
    let is_jws = matches!(ForeignFile::from_content(data), Some(foreign) if foreign.format == ForeignFormat::Jws);
    is_jws && JwsSignature::read(data) != Err(JwsDefect::Parts)
}

/// A JSON Web Signature for a message in a separate file.
pub struct JwsFile {
    /// The signature, without its header.
    pub signature: FileObject,
    is_base64url: bool,
    /// The key identifier, which is not authenticated.
    key_id: Option<String>,
}

impl JwsFile {
    /// Reads a signature file. `from` is the file's name in error messages.
    ///
    /// # Errors
    /// Fails if the file is not a JSON Web Signature that fndsa can verify.
    pub fn read(data: &[u8], from: &dyn Display) -> Result<Self, Error> {
        let read = JwsSignature::read(data).map_err(|source| Error::Jws { from: from.to_string(), source })?;
        let accept =
            ReadOptions::default().with_algorithm(Some(read.algorithm)).with_expected_kind(Some(ObjectKind::Signature));
        let Ok(FileContent::Plain(signature)) = files::read(&read.signature, &accept) else {
            return Err(Error::Internal(format!("{from}: a signature of another length")));
        };
        Ok(Self { signature, is_base64url: read.is_base64url, key_id: read.key_id })
    }

    /// Returns a line of text that describes the signature.
    pub fn description(&self) -> String {
        let key_id = match &self.key_id {
            Some(key_id) => format!(", key identifier {} (not proven)", context_text(key_id.as_bytes())),
            None => String::new(),
        };
        format!(
            "{} signature, JSON Web Signature of a separate file{}, {} bytes{key_id}",
            self.signature.algorithm(),
            if self.is_base64url { " in base64url" } else { "" },
            self.signature.bytes.len(),
        )
    }

    /// Adds JSON members about the JWS format to `entry`, the signature's result.
    pub fn describe(&self, entry: ResultEntry) -> ResultEntry {
        entry
            .set("encoding", json!("jws"))
            .set("b64", json!(self.is_base64url))
            .set("claims", json!({ "kid": self.key_id, "context": null, "prehash": null }))
    }
}
