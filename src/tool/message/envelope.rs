//! Opens envelopes of all formats with command-line errors.

use crate::tool::io::InputSource;
use crate::tool::keys::signature_file::LoadedSignatures;
use crate::tool::keys::swapped_files;
use crate::tool::report::Error;
use fndsa::verdict::Rejection;
use fndsa::verdict::envelope::{Envelope, EnvelopeContents, EnvelopeError, OpenedEnvelope};
use std::fmt::Display;

/// The result of opening an envelope.
pub enum EnvelopeOpening<'d> {
    /// The file contains no signature in this format.
    Unsigned,
    /// The verdict is NO, regardless of the signatures.
    Rejected(Rejection),
    /// The envelope is well-formed. Its contents are not verified yet.
    Signed {
        /// The signatures, decoded.
        signatures: Box<LoadedSignatures>,
        /// The contents, without the signatures.
        contents: EnvelopeContents<'d>,
    },
}

/// Opens an envelope. `from` is the file's name in messages.
///
/// # Errors
/// The file has a defect, has too many signatures, or has no signature of a known algorithm.
pub fn open<'d>(format: &dyn Envelope, data: &'d [u8], from: &dyn Display) -> Result<EnvelopeOpening<'d>, Error> {
    match format.open(data) {
        Ok(None) => Ok(EnvelopeOpening::Unsigned),
        Ok(Some(OpenedEnvelope { signatures, contents })) => {
            let signatures = Box::new(LoadedSignatures::of_envelope(format, signatures, from)?);
            Ok(EnvelopeOpening::Signed { signatures, contents })
        }
        Err(EnvelopeError::Rejected(rejection)) => Ok(EnvelopeOpening::Rejected(rejection)),
        Err(EnvelopeError::TooMany(count)) => Err(Error::ManySignatures { from: from.to_string(), count }),
        Err(EnvelopeError::Cms(source)) => Err(Error::Cms { from: from.to_string(), source }),
        Err(EnvelopeError::Jws(source)) => Err(Error::Jws { from: from.to_string(), source }),
        Err(EnvelopeError::SshSignature(source)) => Err(Error::SshSignature { from: from.to_string(), source }),
        Err(EnvelopeError::Damaged { what, format }) => Err(Error::Envelope { from: from.to_string(), what, format }),
    }
}

/// Reads the signature file of `file` in a format whose message is in a separate file.
///
/// # Errors
/// The file cannot be read, has a defect, or is not a signature file of this format.
pub fn load(format: &dyn Envelope, signature: &InputSource, file: &InputSource) -> Result<LoadedSignatures, Error> {
    let read = match signature.read_signatures() {
        Ok(data) => open_separate(format, &data, signature),
        Err(e) => Err(e),
    };
    read.map_err(|e| swapped_files::explain_signature_error(e, file, signature))
}

/// Opens a signature file in a format whose message is in a separate file.
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
