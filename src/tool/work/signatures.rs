//! The signatures in one file: usually one, or several PEM blocks after one another, of several keys.
//!
//! Their order and the text between them mean nothing. How many of them must be good is decided by whoever verifies, never
//! by the file.

use super::loader::Loader;
use super::mixups;
use crate::tool::io::InputSource;
use crate::tool::report::{Error, MAX_SIGNATURES};
use fndsa::files::{Defect, Encoding, Kind, Object, pem};
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
        read.map_err(|e| mixups::of_signature(e, file, signature))
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

    /// Takes signatures that stand alone, each in raw encoding, as other programs may have written them. One of them at least is of
    /// an algorithm that is known. `from` is what messages call their file.
    ///
    /// # Errors
    /// There is none such.
    pub fn of_raw(each: &[Vec<u8>], from: &dyn Display) -> Result<Self, Error> {
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
            let other = || Error::Unrecognised { from: from.to_string(), wanted: Kind::Signature, what };
            return Err(first.unwrap_or_else(other));
        }
        Ok(Self { known, unknown })
    }
}

/// One block of a signature file.
pub enum SignatureBlock {
    /// A signature.
    Known(Box<Object>),
    /// What else it is: of another program, or of an algorithm that is not known.
    Unknown(String),
}

/// Returns the parts of a signature file, each with the text before its block and what the block is. One of them at least is a
/// signature. `from` is what messages call the file.
///
/// # Errors
/// There is no signature, a damaged one, or too many.
pub fn blocks<'d>(data: &'d [u8], from: &dyn Display) -> Result<Vec<(&'d [u8], SignatureBlock)>, Error> {
    let loader = Loader::of_signatures();
    let parts = pem::parts(data);
    if parts.len() > MAX_SIGNATURES {
        return Err(Error::ManySignatures { from: from.to_string(), count: parts.len() });
    }
    let several = parts.len() > 1;
    let mut found = Vec::with_capacity(parts.len());
    let mut first = None;
    let mut is_signed = false;
    for (i, part) in parts.into_iter().enumerate() {
        let name = if several { format!("{from}, signature {}", i + 1) } else { from.to_string() };
        let block = match loader.part(part, &name, Kind::Signature) {
            Ok(object) => SignatureBlock::Known(Box::new(object)),
            Err(e) => {
                let what = match &e {
                    Error::Format { defect: Defect::Foreign(foreign), .. } => foreign.to_string(),
                    Error::Format { defect: Defect::Label(label), .. } => format!("a PEM block {label:?}"),
                    _ => return Err(e),
                };
                first.get_or_insert(e);
                SignatureBlock::Unknown(what)
            }
        };
        is_signed |= matches!(block, SignatureBlock::Known(_));
        found.push((part, block));
    }
    match first {
        Some(e) if !is_signed => Err(e),
        _ => Ok(found),
    }
}

impl From<Object> for Signatures {
    fn from(one: Object) -> Self {
        Self { known: vec![one], unknown: Vec::new() }
    }
}
