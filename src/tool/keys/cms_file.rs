//! Describes CMS signatures without verifying them, for `inspect`.

use crate::tool::report::{Error, ResultEntry};
use fndsa::files::cms::{CmsFile, CmsSignature};
use fndsa::files::{self, FileContent, FileObject, ObjectKind, ReadOptions};
use serde_json::json;
use std::fmt::Display;

/// Returns whether a file looks like a CMS signature: it begins like CMS signed data in DER or BER,
/// or has a PEM block for CMS.
pub fn is_signed_data(data: &[u8]) -> bool {
    CmsFile::is_signed_data(data)
}

/// A signature in a CMS file.
pub struct CmsFileEntry {
    /// The signature, without the CMS structure around it.
    pub signature: FileObject,
    has_message: bool,
    /// The hash function in the signed attributes. All signatures in the file have this hash
    /// function. `None` if there are no attributes.
    hash: Option<&'static str>,
    /// The identifier of the signer's certificate: its serial number or its key identifier. The
    /// identifier is not authenticated.
    identifier: String,
    has_serial: bool,
    certificates: usize,
}

impl CmsFileEntry {
    /// Reads the signatures in a CMS file. `from` is the file's name in error messages.
    ///
    /// # Errors
    /// Fails if the file is not a valid CMS file, or if fndsa cannot verify signatures of this
    /// kind.
    pub fn read_all(data: &[u8], from: &dyn Display) -> Result<Vec<Self>, Error> {
        let file = CmsFile::read(data).map_err(|source| Error::Cms { from: from.to_string(), source })?;
        let mut all = Vec::with_capacity(file.signatures.len());
        for CmsSignature { algorithm, identifier, has_serial, signature, .. } in &file.signatures {
            let accept =
                ReadOptions::default().with_algorithm(Some(*algorithm)).with_expected_kind(Some(ObjectKind::Signature));
            let Ok(FileContent::Plain(signature)) = files::read(signature, &accept) else {
                return Err(Error::Internal(format!("{from}: a signature of another length")));
            };
            all.push(Self {
                signature,
                has_message: file.message.is_some(),
                hash: file.attributes.as_ref().map(|attributes| attributes.hash.name()),
                identifier: files::hex::hex(identifier),
                has_serial: *has_serial,
                certificates: file.certificates,
            });
        }
        Ok(all)
    }

    /// Returns a line of text that describes the signature.
    pub fn description(&self) -> String {
        format!(
            "{} signature, CMS signature of {}, {}, {} bytes, {} {} (not proven), {} in the file",
            self.signature.algorithm(),
            if self.has_message { "the message in the file" } else { "a separate file" },
            match self.hash {
                Some(hash) => format!("signed attributes with {hash}"),
                None => "no signed attributes".to_owned(),
            },
            self.signature.bytes.len(),
            if self.has_serial { "by the serial number" } else { "by the key identifier" },
            self.identifier,
            match self.certificates {
                1 => "1 certificate".to_owned(),
                count => format!("{count} certificates"),
            },
        )
    }

    /// Adds JSON members about the CMS format to `entry`, the signature's result.
    pub fn describe(&self, entry: ResultEntry) -> ResultEntry {
        let claims = if self.has_serial {
            json!({ "serial": self.identifier, "context": null, "prehash": null })
        } else {
            json!({ "subject_key_identifier": self.identifier, "context": null, "prehash": null })
        };
        let entry = entry.set("encoding", json!("cms")).set("has_message", json!(self.has_message));
        let entry = entry.set("certificates", json!(self.certificates)).set("claims", claims);
        match self.hash {
            Some(hash) => entry.set("hash", json!(hash)),
            None => entry,
        }
    }
}
