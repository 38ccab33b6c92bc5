//! Opens envelopes (files with signatures and often the message, such as DSSE, CMS and JWS), and
//! converts the library's errors to errors of the command line. `cmd::verify` opens files with this
//! module.

use crate::tool::io::InputSource;
use crate::tool::keys::signature_file::LoadedSignatures;
use crate::tool::keys::swapped_files;
use crate::tool::report::Error;
use crate::tool::report::file_hints::{no_module_hint, other_format_hint};
use fndsa::files::Defect;
use fndsa::files::cms::{CmsDefect, CmsFile};
use fndsa::files::jws::JwsDefect;
use fndsa::files::ssh::SshSignatureDefect;
use fndsa::verdict::Rejection;
use fndsa::verdict::envelope::{Envelope, EnvelopeContents, EnvelopeError, OpenedEnvelope};
use fndsa::verdict::text::InputDefect;
use std::fmt::Display;

/// The result of opening an envelope.
pub enum EnvelopeOpening<'d> {
    /// The file contains no signature in this format.
    Unsigned,
    /// The verdict is NO, whatever signatures the envelope contains.
    Rejected(Rejection),
    /// The envelope is well-formed, but not verified yet.
    Signed {
        /// The decoded signatures.
        signatures: Box<LoadedSignatures>,
        /// The envelope's contents, except for the signatures.
        contents: EnvelopeContents<'d>,
    },
}

/// Opens an envelope. `from` is the file's name in error messages.
///
/// # Errors
/// Fails if the file has a defect, too many signatures, or no signature with a known algorithm.
pub fn open<'d>(format: &dyn Envelope, data: &'d [u8], from: &dyn Display) -> Result<EnvelopeOpening<'d>, Error> {
    match format.open(data) {
        Ok(None) => Ok(EnvelopeOpening::Unsigned),
        Ok(Some(OpenedEnvelope { signatures, contents })) => {
            let signatures = Box::new(LoadedSignatures::of_envelope(format, signatures, from)?);
            Ok(EnvelopeOpening::Signed { signatures, contents })
        }
        Err(EnvelopeError::Rejected(rejection)) => Ok(EnvelopeOpening::Rejected(rejection)),
        Err(e) => Err(envelope_error(e, from)),
    }
}

/// Converts an error of the library's envelope reader to an error of the command line. `from` is
/// the file's name in error messages.
pub fn envelope_error(e: EnvelopeError, from: &dyn Display) -> Error {
    let from = from.to_string();
    match e {
        EnvelopeError::TooMany(count) => Error::ManySignatures { from, count },
        EnvelopeError::Cms(source) => Error::Cms { from, source },
        EnvelopeError::Jws(source) => Error::Jws { from, source },
        EnvelopeError::SshSignature(source) => Error::SshSignature { from, source },
        EnvelopeError::Damaged { what, format } => Error::Envelope { from, what, format },
        e => Error::Internal(format!("{from}: {e}")),
    }
}

/// Reads the signature file for `file`. `format` must be a format for messages in separate files.
///
/// # Errors
/// Fails if the file cannot be read, has a defect, or is not a signature file in this format.
pub fn load(format: &dyn Envelope, signature: &InputSource, file: &InputSource) -> Result<LoadedSignatures, Error> {
    let read = match signature.read_signatures() {
        Ok(data) => open_separate(format, &data, signature).map_err(|e| explain_other_format(e, &data)),
        Err(e) => Err(e),
    };
    read.map_err(|e| swapped_files::explain_signature_error(e, file, signature))
}

/// Replaces the hint in an error if the file has a known format that is not the expected format.
pub fn explain_other_format(e: Error, data: &[u8]) -> Error {
    let hint = match &e {
        Error::Cms { source: CmsDefect::NotCms | CmsDefect::Pem, .. } => other_format_hint(data, "--cms"),
        Error::Jws { source: JwsDefect::Empty | JwsDefect::Parts | JwsDefect::Json, .. } => {
            other_format_hint(data, "--jws")
        }
        Error::SshSignature { source: SshSignatureDefect::Label | SshSignatureDefect::Pem(Defect::Empty), .. } => {
            other_format_hint(data, "--ssh")
        }
        Error::Envelope { format: None, .. } => other_format_hint(data, "--dsse"),
        Error::NoModuleSignature { .. } => no_module_hint(data),
        Error::NotAttached(_) if CmsFile::is_signed_data(data) => Some("this file is a CMS file: add --cms".to_owned()),
        Error::NotAttached(_) => other_format_hint(data, "--attached"),
        Error::Unrecognised { .. } | Error::Format { defect: Defect::Foreign(_), .. } => match CmsFile::read(data) {
            Err(defect @ (CmsDefect::Encrypted | CmsDefect::Mail)) => Some(InputDefect::Cms(&defect).hint().to_owned()),
            _ => None,
        },
        _ => None,
    };
    match hint {
        Some(hint) => e.with_hint(hint),
        None => e,
    }
}

/// Opens a signature file. `format` must be a format for messages in separate files.
fn open_separate(format: &dyn Envelope, data: &[u8], from: &dyn Display) -> Result<LoadedSignatures, Error> {
    let opened = match open(format, data, from)? {
        EnvelopeOpening::Rejected(rejection) => Some(LoadedSignatures::rejected(rejection)),
        EnvelopeOpening::Signed { signatures, contents } => signatures.with_separate_message(contents),
        EnvelopeOpening::Unsigned => None,
    };
    match opened {
        Some(signatures) => Ok(signatures),
        None => Err(Error::Internal(format!("{from}: the message is not in a separate file"))),
    }
}
