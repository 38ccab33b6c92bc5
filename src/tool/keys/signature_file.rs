//! The signatures in one file: usually one, or several PEM blocks after one another, of several keys.
//!
//! Their order and the text between them mean nothing. How many of them must be good is decided by whoever verifies, never
//! by the file.

use super::loader::Loader;
use super::swapped_files;
use crate::tool::io::InputSource;
use crate::tool::report::Error;
use fndsa::files::{Defect, Encoding, Kind, Object};
use fndsa::verdict::envelope::EnvelopeSignatures;
pub use fndsa::verdict::signature_file::SignatureBlock;
use fndsa::verdict::signature_file::{self, BlockReader, SignatureFileError};
use std::borrow::Cow;
use std::fmt::Display;

/// What a file of signatures holds.
pub struct Signatures {
    /// The signatures, in the order of the file: at least one.
    pub known: Vec<Object>,
    /// What the other blocks are, which count for nothing: those of other programs, and of algorithms that are not known.
    pub unknown: Vec<String>,
}

impl Signatures {
    /// Reads the signature file of `file`.
    ///
    /// # Errors
    /// It cannot be read, or holds no signature, a damaged one, or too many.
    pub fn load(signature: &InputSource, file: &InputSource) -> Result<Self, Error> {
        let read = signature.read_signatures().and_then(|data| Self::read(&data, signature));
        read.map_err(|e| swapped_files::of_signature(e, file, signature))
    }

    /// Decodes the signatures in an envelope. `from` is the name of the file in messages.
    ///
    /// # Errors
    /// There is no signature, a damaged one, or too many.
    pub fn of_envelope(signatures: EnvelopeSignatures<'_>, from: &dyn Display) -> Result<Self, Error> {
        match signatures {
            EnvelopeSignatures::File(data) => Self::read(&data, from),
            EnvelopeSignatures::Raw(each) => Self::of_raw(&each, from),
            EnvelopeSignatures::Decoded(object) => Ok(Self { known: vec![*object], unknown: Vec::new() }),
        }
    }

    /// Reads the contents of a signature file. `from` is what messages call it.
    ///
    /// # Errors
    /// There is no signature, a damaged one, or too many.
    pub fn read(data: &[u8], from: &dyn Display) -> Result<Self, Error> {
        let mut known = Vec::new();
        let mut unknown = Vec::new();
        for (_, block) in blocks(data, from)? {
            match block {
                SignatureBlock::Known(object) => known.push(*object),
                SignatureBlock::Unknown(what) => unknown.push(what),
            }
        }
        Ok(Self { known, unknown })
    }

    /// Reads signatures in raw encoding, which other programs may have written. At least one signature is of a known algorithm.
    /// `from` is the name of the file in messages.
    ///
    /// # Errors
    /// No signature is of a known algorithm.
    fn of_raw(each: &[Vec<u8>], from: &dyn Display) -> Result<Self, Error> {
        let loader = Loader::of_signatures();
        let mut known = Vec::new();
        let mut unknown = Vec::new();
        let mut first = None;
        for (i, bytes) in each.iter().enumerate() {
            let object = loader.part(bytes, &format!("{from}, signature {}", i + 1), Kind::Signature);
            match object {
                Ok(object) if object.encoding == Encoding::Raw => {
                    known.push(object);
                    continue;
                }
                Ok(_) => {}
                Err(e) => drop(first.get_or_insert(e)),
            }
            unknown.push(format!("signature {} ({} bytes, of an unknown algorithm)", i + 1, bytes.len()));
        }
        if known.is_empty() {
            let what = Cow::Borrowed("a text instead of a raw signature");
            let other = Error::Unrecognised { from: from.to_string(), wanted: Kind::Signature, what };
            return Err(first.unwrap_or(other));
        }
        Ok(Self { known, unknown })
    }
}

/// Reads the parts of a signature file as [`signature_file::blocks`] does. `from` is the name of the file.
///
/// # Errors
/// There is no signature, a damaged one, or too many.
pub fn blocks<'d>(data: &'d [u8], from: &dyn Display) -> Result<Vec<(&'d [u8], SignatureBlock)>, Error> {
    signature_file::blocks(data, &BlockLoader { loader: Loader::of_signatures(), from }).map_err(|e| match e {
        SignatureFileError::TooMany(count) => Error::ManySignatures { from: from.to_string(), count },
        SignatureFileError::Block(e) => e,
    })
}

/// Reads blocks with the errors of the command line.
struct BlockLoader<'f> {
    loader: Loader,
    from: &'f dyn Display,
}

impl BlockReader for BlockLoader<'_> {
    type Error = Error;

    fn read(&self, part: &[u8], number: usize, count: usize) -> Result<Object, Error> {
        let name = if count > 1 { format!("{}, signature {number}", self.from) } else { self.from.to_string() };
        self.loader.part(part, &name, Kind::Signature)
    }

    fn unknown(&self, error: &Error) -> Option<String> {
        match error {
            Error::Format { defect: Defect::Foreign(foreign), .. } => Some(foreign.to_string()),
            Error::Format { defect: Defect::Label(label), .. } => Some(format!("a PEM block {label:?}")),
            _ => None,
        }
    }
}
