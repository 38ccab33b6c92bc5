//! The output to which `sign` writes a signature: a new file, an existing signature file, or a
//! stream. `each` creates a [`SignatureFile`] for every file before it signs the first file.

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

/// The action of `sign` if the output file exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingFileAction {
    /// Replace the file if the rule allows this, or report an error otherwise.
    Write(OverwriteRule),
    /// Add the new signature. It is an error if the note of a signature in the file (the line
    /// before the signature block) already names the signing key.
    Add,
    /// Add the new signature, and remove each signature with a note that names the signing key.
    Renew,
}

/// The part of an existing signature file that `sign` keeps.
struct KeptSignatures {
    /// The text before the new signature.
    text: Vec<u8>,
    /// The state of the file when it was read, to detect changes by other programs.
    before: FileState,
    /// The file's name in messages.
    name: String,
}

/// The output to which a signature is written.
pub struct SignatureFile {
    destination: Destination,
    /// The part of the existing file to keep, or `None` to write a new file.
    kept_signatures: Option<KeptSignatures>,
}

impl SignatureFile {
    /// Creates the output for a new signature, after checking that the signature can be written.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or if it is missing and a signature is to be added.
    /// With [`ExistingFileAction::Add`], also fails if the file already contains a signature whose
    /// note (the line before its block) names a key in `signer`.
    pub fn new(path: &Path, mode: ExistingFileAction, signer: &Signer<'_>) -> Result<Self, Error> {
        let kept = match mode {
            ExistingFileAction::Write(force) => {
                let destination = Destination::new(path, force, NewFileAccess::Public)?;
                return Ok(Self { destination, kept_signatures: None });
            }
            ExistingFileAction::Add | ExistingFileAction::Renew => read_kept_signatures(path, signer, mode)?,
        };
        Ok(Self {
            destination: Destination::new(path, OverwriteRule::Yes, NewFileAccess::Public)?,
            kept_signatures: Some(kept),
        })
    }

    /// Returns whether the output is a file and not a stream, device or descriptor.
    pub fn is_file(&self) -> bool {
        self.destination.is_file()
    }

    /// Checks that the output is not a terminal, to prevent writing raw bytes to a terminal.
    ///
    /// # Errors
    /// Fails if the output is a terminal.
    pub fn refuse_terminal(&self) -> Result<(), Error> {
        self.destination.refuse_terminal()
    }

    /// Writes the file, with the new signature at the end.
    ///
    /// # Errors
    /// Fails if the signature was not verified, if the file cannot be written or would be too large
    /// for `verify`, or if another program has changed the existing file.
    pub fn write(&self, signed: &SignatureContents) -> Result<(), Error> {
        match &self.kept_signatures {
            Some(kept) => {
                let contents = [&kept.text, signed.file()?].concat();
                // The text between the blocks also counts towards the maximum size.
                if contents.len() > SmallFile::Signatures.limit() {
                    return Err(Error::TooLarge { from: kept.name.clone(), file: SmallFile::Signatures });
                }
                self.destination.replace(&contents, kept.before)
            }
            None => self.destination.write(signed.file()?),
        }
    }
}

/// Reads a signature file, and returns the blocks to keep when signatures are added. With
/// [`ExistingFileAction::Renew`], removes a signature if the note (the line before the block) names
/// a key in `signer`, although notes are not authenticated.
///
/// # Errors
/// Fails if the path names standard output, or if the file is missing, unreadable or too large.
/// Also fails if a signature in the file is raw or has a defect, if the file contains no signature,
/// or if it would contain more than [`MAX_SIGNATURES`] blocks. With [`ExistingFileAction::Add`],
/// also fails if a note names a key in `signer`.
fn read_kept_signatures(path: &Path, signer: &Signer<'_>, mode: ExistingFileAction) -> Result<KeptSignatures, Error> {
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
    let mut kept_text = Vec::new();
    let mut count = signer.fingerprints().count();
    for (part, block) in blocks(&data, &source)? {
        // The blocks of other programs are kept.
        if let SignatureBlock::Known(object) = block {
            if object.encoding == FileEncoding::Raw {
                return Err(Error::AddToRaw(path.to_owned()));
            }
            if let Some(note) = SignatureNote::of(&object)
                && signer.fingerprints().any(|fingerprint| note.is_by(fingerprint))
            {
                if mode == ExistingFileAction::Add {
                    return Err(Error::SignedAlready(path.to_owned()));
                }
                continue;
            }
        }
        count += 1;
        kept_text.extend_from_slice(part);
        if !kept_text.ends_with(b"\n") {
            kept_text.push(b'\n');
        }
    }
    if count > MAX_SIGNATURES {
        return Err(Error::ManySignatures { from: source.to_string(), count });
    }
    Ok(KeptSignatures { text: kept_text, before, name: source.to_string() })
}
