//! Explains a NO for a CMS file: the message was changed, or the CMS file does not name any of the
//! given certificates. `cmd::verify` calls this module after a NO. The module reads the files a
//! second time, and does not change the verdict.

use super::note_cause::CHANGED_OR_OTHER_KEY;
use super::verifier::Verdict;
use crate::tool::io::{FileInput, InputSource, drain};
use crate::tool::report::Hint;
use crate::tool::report::progress::ProgressDisplay;
use fndsa::files::cms::CmsFile;
use fndsa::files::cms_writer::SignerCertificate;
use fndsa::files::hex::hex;
use fndsa::files::kernel_module::SignedModule;
use fndsa::message::PreHasher;
use fndsa::no_alloc::Level;
use fndsa::verdict::Rejection;

/// The maximum number of key files that are compared with the CMS file.
const MAX_COMPARED: usize = 64;

/// The hint if the digest of the message is different from the digest in the CMS file.
pub const MESSAGE_CHANGED: &str = "the message was changed, because its digest is not the digest in the signed attributes: get the file and its \
     signature again";

/// The hint if the digest of the message is equal to the digest in the CMS file.
const OTHER_KEY: &str = "another key made the signature, or the signature was changed: the message has the digest in the signed attributes, so \
     ask the signer for the public key";

/// The result of comparing the digest of a message with the digest in a CMS file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageComparison {
    /// The digests differ.
    Different,
    /// The digests are equal.
    Equal,
    /// There are no signed attributes in the CMS file, or the message cannot be read twice.
    Unknown,
}

impl MessageComparison {
    /// Compares a separate message with the digest in a CMS file.
    pub fn of_file(data: &[u8], message: &InputSource, level: Level) -> Self {
        match compare(data, message, level) {
            Some(true) => Self::Equal,
            Some(false) => Self::Different,
            None => Self::Unknown,
        }
    }

    /// Returns the result for a CMS file or a kernel module that contains the message. In such a
    /// file, the digests are equal, because a file with a wrong digest is rejected when it is
    /// opened, before this call.
    pub fn of_enclosed(data: &[u8]) -> Self {
        match read(data) {
            Some(CmsFile { attributes: Some(_), .. }) => Self::Equal,
            _ => Self::Unknown,
        }
    }
}

/// Returns whether the digest of a message is equal to the digest in a CMS file, or `None` if the
/// file contains no digest or the message cannot be read twice.
fn compare(data: &[u8], message: &InputSource, level: Level) -> Option<bool> {
    let attributes = read(data)?.attributes?;
    // A pipe cannot be read again.
    message.file_len()?;
    let progress = ProgressDisplay::none();
    let mut hasher = PreHasher::new(level, attributes.hash).ok()?;
    drain(&mut FileInput::new(message, &progress), |piece| hasher.update(piece)).ok()?;
    Some(hasher.finish().as_bytes() == attributes.digest)
}

/// Reads a CMS file, or the CMS structure in a kernel module.
fn read(data: &[u8]) -> Option<CmsFile> {
    match SignedModule::split(data) {
        Some(SignedModule { signature, .. }) => CmsFile::read_encoding(signature).ok(),
        None => CmsFile::read(data).ok(),
    }
}

/// Replaces the hint of a NO if the signatures do not match any of the keys. `data` is the CMS file
/// or the kernel module. The new hint states that the message was changed, that the CMS file does
/// not name any of the given certificates, or that a different key signed the message. If a second
/// verification has already proven a cause, this function keeps the hint with this cause.
pub fn explain_cms(verdict: &mut Verdict, data: &[u8], keys: &[InputSource], message: MessageComparison) {
    let Verdict::No(rejection) = verdict else { return };
    if !matches!(rejection.rejection, Rejection::Mismatch { .. }) {
        return;
    }
    if rejection.hint != Hint::from(CHANGED_OR_OTHER_KEY) {
        return;
    }
    match message {
        MessageComparison::Different => rejection.hint = Hint::from(MESSAGE_CHANGED),
        MessageComparison::Equal | MessageComparison::Unknown => {
            if let Some(hint) = other_certificate(data, keys) {
                rejection.hint = Hint::from(hint);
            } else if message == MessageComparison::Equal {
                rejection.hint = Hint::from(OTHER_KEY);
            }
        }
    }
}

/// Returns the hint for a CMS file or a kernel module that does not name any of the given
/// certificates, or `None` if the file names one of these certificates. Also returns `None` if one
/// of the key files is not a certificate or cannot be read twice.
fn other_certificate(data: &[u8], keys: &[InputSource]) -> Option<String> {
    let file = read(data)?;
    if keys.is_empty() || keys.len() > MAX_COMPARED {
        return None;
    }
    for source in keys {
        // A pipe cannot be read again.
        source.file_len()?;
        let certificate = SignerCertificate::read(&source.read_small().ok()?)?;
        for signature in &file.signatures {
            if certificate.is_named_by(signature)? {
                return None;
            }
        }
    }
    let first = file.signatures.first()?;
    let what = if first.has_serial { "serial number" } else { "key identifier" };
    let given = match keys {
        [one] => format!("{one} is another certificate"),
        _ => "no given certificate is this certificate".to_owned(),
    };
    Some(format!(
        "give the certificate of the signer: the CMS file names the {what} {} (not proven), and {given}",
        hex(&first.identifier)
    ))
}
