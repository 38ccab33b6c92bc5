//! The file for a signature: a new file, or an existing signature file.

use crate::tool::io::{Destination, InputSource, NewFileAccess, OverwriteRule};
use crate::tool::keys::signature_file::{SignatureBlock, blocks};
use crate::tool::report::{Error, MAX_SIGNATURES, SmallFile};
use crate::tool::sign::key_signer::SignatureContents;
use crate::tool::sign::signer::Signer;
use crate::tool::system::FileState;
use fndsa::files::FileEncoding;
use fndsa::verdict::SignatureNote;
use std::io::ErrorKind;
use std::path::Path;

/// The action if the output file exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingFileAction {
    /// The file is replaced if the rule allows it. Otherwise, the existing file is an error.
    Write(OverwriteRule),
    /// The new signature is added. A signature by the same key in the file is an error.
    Add,
    /// The new signature is added, and signatures by the same key are removed.
    Renew,
}

/// The part of an existing signature file that will be kept.
struct KeptSignatures {
    /// The text before the new signature.
    text: Vec<u8>,
    /// The file state when it was read, because another program may change it at the same time.
    before: FileState,
    /// The file name for messages.
    name: String,
}

/// The output for a signature.
pub struct SignatureFile {
    destination: Destination,
    /// The part of the existing file to keep, or `None` if a new file is written.
    kept: Option<KeptSignatures>,
}

impl SignatureFile {
    /// Checks the output for a new signature.
    ///
    /// # Errors
    /// The file cannot be written, there is no signature file to add to, or it already contains a
    /// signature by the same key.
    pub fn new(path: &Path, mode: ExistingFileAction, signer: &Signer<'_>) -> Result<Self, Error> {
        let kept = match mode {
            ExistingFileAction::Write(force) => {
                let destination = Destination::new(path, force, NewFileAccess::Public)?;
                return Ok(Self { destination, kept: None });
            }
            ExistingFileAction::Add | ExistingFileAction::Renew => kept(path, signer, mode)?,
        };
        Ok(Self { destination: Destination::new(path, OverwriteRule::Yes, NewFileAccess::Public)?, kept: Some(kept) })
    }

    /// Returns whether the output is a file, and not a stream, device or descriptor.
    pub fn is_file(&self) -> bool {
        self.destination.is_file()
    }

    /// Rejects a terminal, because raw bytes must not be written to it.
    ///
    /// # Errors
    /// The output is a terminal.
    pub fn refuse_terminal(&self) -> Result<(), Error> {
        self.destination.refuse_terminal()
    }

    /// Writes the file with a new signature at its end.
    ///
    /// # Errors
    /// The signature does not verify, the file cannot be written or would be too large for
    /// `verify`, or another program changed the existing file.
    pub fn write(&self, signed: &SignatureContents) -> Result<(), Error> {
        match &self.kept {
            Some(kept) => {
                let contents = [&kept.text, signed.file()?].concat();
                // The text between the blocks counts towards the size limit.
                if contents.len() > SmallFile::Signatures.limit() {
                    return Err(Error::TooLarge { from: kept.name.clone(), file: SmallFile::Signatures });
                }
                self.destination.replace(&contents, kept.before)
            }
            None => self.destination.write(signed.file()?),
        }
    }
}

/// Returns the part of a signature file that is kept when signatures are added.
/// [`ExistingFileAction::Renew`] removes each signature if its note names a key that will sign now.
///
/// # Errors
/// The file cannot be read, is not text, or would contain too many signatures; or a key has signed
/// already, and the mode is [`ExistingFileAction::Add`].
fn kept(path: &Path, signer: &Signer<'_>, mode: ExistingFileAction) -> Result<KeptSignatures, Error> {
    if Destination::names_stdout(path) {
        return Err(Error::AddToStdout);
    }
    let source = InputSource::File(path.to_owned());
    let before = match InputSource::state(path) {
        Ok(before) => before,
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
            return Err(Error::NothingToAddTo(path.to_owned()));
        }
        Err(e) => return Err(e),
    };
    let data = source.read_signatures()?;
    let mut kept = Vec::new();
    let mut count = signer.fingerprints().count();
    for (part, block) in blocks(&data, &source)? {
        // Blocks from other programs are not changed.
        if let SignatureBlock::Known(object) = block {
            if object.encoding == FileEncoding::Raw {
                return Err(Error::AddToRaw(path.to_owned()));
            }
            if let Some(claims) = SignatureNote::of(&object)
                && signer.fingerprints().any(|own| claims.is_by(own))
            {
                if mode == ExistingFileAction::Add {
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
    Ok(KeptSignatures { text: kept, before, name: source.to_string() })
}
