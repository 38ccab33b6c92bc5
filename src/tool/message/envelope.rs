//! Opens envelopes of all formats with command-line errors.

use crate::tool::keys::signature_file::LoadedSignatures;
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
        signatures: LoadedSignatures,
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
            let signatures = LoadedSignatures::of_envelope(signatures, from)?;
            Ok(EnvelopeOpening::Signed { signatures, contents })
        }
        Err(EnvelopeError::Rejected(rejection)) => Ok(EnvelopeOpening::Rejected(rejection)),
        Err(EnvelopeError::TooMany(count)) => Err(Error::ManySignatures { from: from.to_string(), count }),
        Err(EnvelopeError::Damaged { what, format }) => Err(Error::Envelope { from: from.to_string(), what, format }),
    }
}
