//! The file that a signature goes into: a new one, or one that has others already.

use crate::tool::io::{Access, Destination, Force, InputSource};
use crate::tool::keys::signature_file::{SignatureBlock, blocks};
use crate::tool::report::{Error, MAX_SIGNATURES, SmallFile};
use crate::tool::sign::key_signer::Signed;
use crate::tool::sign::signer::Signer;
use crate::tool::system::FileState;
use fndsa::files::Encoding;
use fndsa::verdict::SignatureNote;
use std::io::ErrorKind;
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

/// What stays of a signature file that is added to.
struct Kept {
    /// What stands before the new signature.
    text: Vec<u8>,
    /// The file as it was when it was read: somebody else may add to it at the same time.
    before: FileState,
    /// The name of the file in messages.
    name: String,
}

/// Where a signature goes.
pub struct SignatureFile {
    destination: Destination,
    /// What is added to; `None` for a file of its own.
    kept: Option<Kept>,
}

impl SignatureFile {
    /// Looks at the place of a new signature.
    ///
    /// # Errors
    /// Nothing can be written there; there is no signature file to add to, or it has a signature by one of the keys.
    pub fn new(path: &Path, mode: IfThere, signer: &Signer<'_>) -> Result<Self, Error> {
        let kept = match mode {
            IfThere::Write(force) => {
                let destination = Destination::new(path, force, Access::Public)?;
                return Ok(Self { destination, kept: None });
            }
            IfThere::Add | IfThere::Renew => kept(path, signer, mode)?,
        };
        Ok(Self { destination: Destination::new(path, Force::Yes, Access::Public)?, kept: Some(kept) })
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
    /// The signature does not verify, the file cannot be written or would be larger than `verify`
    /// reads, or somebody else changed the file that the signature is added to.
    pub fn write(&self, signed: &Signed) -> Result<(), Error> {
        match &self.kept {
            Some(kept) => {
                let contents = [&kept.text, signed.file()?].concat();
                // Text between the blocks may take the room of a signature.
                if contents.len() > SmallFile::Signatures.limit() {
                    return Err(Error::TooLarge { from: kept.name.clone(), file: SmallFile::Signatures });
                }
                self.destination.replace(&contents, kept.before)
            }
            None => self.destination.write(signed.file()?),
        }
    }
}

/// Returns the part of a signature file that stays when signatures are added. [`IfThere::Renew`] removes the signatures
/// whose note names one of the keys that sign now.
///
/// # Errors
/// The file cannot be read, is no text, or has as many signatures as a file may have; or one of the keys has signed
/// already, and the mode is [`IfThere::Add`].
fn kept(path: &Path, signer: &Signer<'_>, mode: IfThere) -> Result<Kept, Error> {
    if Destination::names_stdout(path) {
        return Err(Error::AddToStdout);
    }
    let source = InputSource::File(path.to_owned());
    let before = InputSource::state(path).map_err(|e| match &e {
        Error::Io { source, .. } if source.kind() == ErrorKind::NotFound => Error::NothingToAddTo(path.to_owned()),
        _ => e,
    })?;
    let data = source.read_signatures()?;
    let mut kept = Vec::new();
    let mut count = signer.fingerprints().count();
    for (part, block) in blocks(&data, &source)? {
        // A block of another program stays as it is.
        if let SignatureBlock::Known(object) = block {
            if object.encoding == Encoding::Raw {
                return Err(Error::AddToRaw(path.to_owned()));
            }
            let claims = SignatureNote::of(&object);
            if claims.is_some_and(|claims| signer.fingerprints().any(|own| claims.is_by(own))) {
                if mode == IfThere::Add {
                    return Err(Error::SignedAlready(path.to_owned()));
                }
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
    Ok(Kept { text: kept, before, name: source.to_string() })
}
