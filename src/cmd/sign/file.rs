//! The file that a signature goes into: a new one, or one that has others already.

use crate::tool::io::{Access, Destination, Force, InputSource};
use crate::tool::report::{Error, MAX_SIGNATURES};
use crate::tool::work::claims::Claims;
use crate::tool::work::key_signer::Signed;
use crate::tool::work::signatures::Signatures;
use crate::tool::work::signer::Signer;
use fndsa::files::{Encoding, pem};
use std::path::Path;

/// What becomes of a file that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfThere {
    /// The file is replaced, or nothing is written.
    Write(Force),
    /// The file keeps its signatures, and none of them may be by the same key.
    Add,
    /// The file keeps its signatures, but for those by the same key.
    Renew,
}

/// Where a signature goes.
pub struct SignatureFile {
    destination: Destination,
    /// What stands before the new signature.
    before: Vec<u8>,
}

impl SignatureFile {
    /// Looks at the place of a new signature.
    ///
    /// # Errors
    /// Nothing can be written there; there is no signature file to add to, or it has a signature by one of the keys.
    pub fn new(path: &Path, mode: IfThere, signer: &Signer<'_>) -> Result<Self, Error> {
        let before = match mode {
            IfThere::Write(force) => {
                let destination = Destination::new(path, force, Access::Public)?;
                return Ok(Self { destination, before: Vec::new() });
            }
            IfThere::Add => kept(path, signer, |_| Err(Error::SignedAlready(path.to_owned())))?,
            IfThere::Renew => kept(path, signer, |_| Ok(()))?,
        };
        Ok(Self { destination: Destination::new(path, Force::Yes, Access::Public)?, before })
    }

    /// Refuses a terminal, which is no place for raw bytes.
    ///
    /// # Errors
    /// It is one.
    pub fn refuse_terminal(&self) -> Result<(), Error> {
        self.destination.refuse_terminal()
    }

    /// Writes the file with a new signature at its end.
    ///
    /// # Errors
    /// The signature does not verify, or the file cannot be written.
    pub fn write(&self, signed: &Signed) -> Result<(), Error> {
        self.destination.write(&[&self.before, signed.file()?].concat())
    }
}

/// Returns what stays of a signature file when signatures are added. Those that say they are by one of the keys that sign
/// go, if `replace` lets them.
///
/// # Errors
/// The file cannot be read, is no text, or has as many signatures as a file may have.
fn kept(path: &Path, signer: &Signer<'_>, replace: impl Fn(&Path) -> Result<(), Error>) -> Result<Vec<u8>, Error> {
    if Destination::names_stdout(path) {
        return Err(Error::AddToStdout);
    }
    let source = InputSource::File(path.to_owned());
    let data = source.read_small()?;
    let parts = pem::parts(&data);
    let mut kept = Vec::new();
    let mut count = signer.fingerprints().count();
    for (i, part) in parts.iter().enumerate() {
        let from = if parts.len() > 1 { format!("{source}, signature {}", i + 1) } else { source.to_string() };
        // A block of another program stays as it is.
        let read = match Signatures::read(part, &from) {
            Err(Error::Foreign { .. }) if parts.len() > 1 => None,
            read => read?.known.into_iter().next(),
        };
        if let Some(object) = read {
            if object.encoding == Encoding::Raw {
                return Err(Error::AddToRaw(path.to_owned()));
            }
            let claims = Claims::of(&object);
            if claims.is_some_and(|claims| signer.fingerprints().any(|own| claims.is_by(own))) {
                replace(path)?;
                continue;
            }
        }
        count += 1;
        kept.extend_from_slice(part);
        if !kept.ends_with(b"\n") {
            kept.push(b'\n');
        }
    }
    if count > MAX_SIGNATURES {
        return Err(Error::ManySignatures { from: source.to_string(), count });
    }
    Ok(kept)
}
