//! Describes the signatures in DSSE envelopes without verifying them, for `inspect`.

use super::dsse::EnvelopeParts;
use super::envelope::envelope_error;
use crate::tool::keys::signature_file::LoadedSignatures;
use crate::tool::report::{Error, ResultEntry};
use fndsa::files::{FileObject, ForeignFile, ForeignFormat};
use fndsa::verdict::envelope::{DetachedSignatures, EnvelopeSignatures};
use fndsa::verdict::signature_note::context_text;
use serde_json::json;
use std::fmt::Display;

/// Returns whether a file has the members of an envelope.
pub fn is_envelope(data: &[u8]) -> bool {
    ForeignFile::from_content(data).is_some_and(|foreign| foreign.format == ForeignFormat::Envelope)
}

/// A signature in an envelope.
pub struct DsseFileEntry {
    /// The signature, decoded from base64.
    pub signature: FileObject,
    payload_type: String,
    payload_len: usize,
    /// The key identifier, which is not authenticated.
    key_id: Option<String>,
}

/// The signatures in a DSSE envelope.
pub struct DsseFile {
    /// The signatures with a known algorithm, at least one.
    pub signatures: Vec<DsseFileEntry>,
    /// Descriptions of the signatures with an unknown algorithm.
    pub ignored: Vec<String>,
}

impl DsseFile {
    /// Reads an envelope. `from` is the file's name in error messages.
    ///
    /// # Errors
    /// Fails if the file is not an envelope, or has no signature with a known algorithm.
    pub fn read(data: &[u8], from: &dyn Display) -> Result<Self, Error> {
        let EnvelopeParts { payload_type, payload, signatures } =
            EnvelopeParts::read(data).map_err(|e| envelope_error(e, from))?;
        let signatures = EnvelopeSignatures::Raw(signatures);
        let LoadedSignatures { known, key_ids, ignored_blocks, .. } =
            LoadedSignatures::of_envelope(&DetachedSignatures, signatures, from)?;
        let mut entries = Vec::with_capacity(known.len());
        for (signature, key_id) in known.into_iter().zip(key_ids) {
            // Many programs write an empty text if there is no key identifier.
            let key_id = key_id.filter(|key_id| !key_id.is_empty());
            let payload_type = payload_type.clone();
            entries.push(DsseFileEntry { signature, payload_type, payload_len: payload.len(), key_id });
        }
        Ok(Self { signatures: entries, ignored: ignored_blocks })
    }
}

impl DsseFileEntry {
    /// Returns a line of text that describes the signature.
    pub fn description(&self) -> String {
        let key_id = match &self.key_id {
            Some(key_id) => format!(", key identifier {} (not proven)", context_text(key_id.as_bytes())),
            None => String::new(),
        };
        format!(
            "{} signature, DSSE envelope, payload of the type {} with {} bytes, {} bytes{key_id}",
            self.signature.algorithm(),
            context_text(self.payload_type.as_bytes()),
            self.payload_len,
            self.signature.bytes.len(),
        )
    }

    /// Adds JSON members about the DSSE envelope to `entry`, the signature's result.
    pub fn describe(&self, entry: ResultEntry) -> ResultEntry {
        entry
            .set("encoding", json!("dsse"))
            .set("payload_type", json!(self.payload_type))
            .set("payload_bytes", json!(self.payload_len))
            .set("claims", json!({ "keyid": self.key_id, "context": null, "prehash": null }))
    }
}
