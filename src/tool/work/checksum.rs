//! The checksum that stands in a manifest.

use crate::tool::io::{FileInput, InputSource, beneath, drain};
use crate::tool::report::Error;
use crate::tool::report::progress::Progress;
use fndsa::files::manifest::DIGEST_LEN;
use sha2::{Digest, Sha256};

/// Reads a regular file below the current directory, and returns its checksum and its length in bytes.
///
/// # Errors
/// The file cannot be read, or is none of these.
pub fn checksum(source: &InputSource, progress: &Progress) -> Result<([u8; DIGEST_LEN], u64), Error> {
    let mut hash = Sha256::new();
    let mut input = FileInput::opened(source, beneath::open(source.path())?, progress);
    let bytes = drain(&mut input, |piece| hash.update(piece))?;
    Ok((hash.finalize().into(), bytes))
}
