//! The signatures in one file: usually one, or several PEM blocks after one another, of several keys.
//!
//! Their order and the text between them mean nothing. How many of them must be good is decided by whoever verifies, never
//! by the file.

use super::loader::Loader;
use super::mixups;
use crate::tool::io::InputSource;
use crate::tool::report::{Error, MAX_SIGNATURES};
use fndsa::files::{Defect, Kind, Object, pem};
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
        let read = signature.read_small().and_then(|data| Self::read(&data, signature));
        read.map_err(|e| mixups::of_signature(e, file, signature))
    }

    /// Reads the contents of a signature file. `from` is what messages call it.
    ///
    /// # Errors
    /// There is no signature, a damaged one, or too many.
    pub fn read(data: &[u8], from: &dyn Display) -> Result<Self, Error> {
        let loader = Loader::of_signatures();
        let parts = pem::parts(data);
        if let [one] = parts[..] {
            return loader.part(one, from, Kind::Signature).map(Self::from);
        }
        if parts.len() > MAX_SIGNATURES {
            return Err(Error::ManySignatures { from: from.to_string(), count: parts.len() });
        }
        let mut known = Vec::new();
        let mut unknown = Vec::new();
        let mut first = None;
        for (i, part) in parts.iter().enumerate() {
            let e = match loader.part(part, &format!("{from}, signature {}", i + 1), Kind::Signature) {
                Ok(object) => {
                    known.push(object);
                    continue;
                }
                Err(e) => e,
            };
            unknown.push(match &e {
                Error::Foreign { what, .. } => what.to_string(),
                Error::Format { defect: Defect::Label(label), .. } => format!("a PEM block {label:?}"),
                _ => return Err(e),
            });
            first.get_or_insert(e);
        }
        match first {
            Some(e) if known.is_empty() => Err(e),
            _ => Ok(Self { known, unknown }),
        }
    }
}

impl From<Object> for Signatures {
    fn from(one: Object) -> Self {
        Self { known: vec![one], unknown: Vec::new() }
    }
}
