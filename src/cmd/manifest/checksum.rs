//! The checksum that stands in a manifest.

use super::list::DIGEST_LEN;
use crate::cmd::io::Source;
use crate::cmd::progress::Progress;
use crate::cmd::report::Error;
use sha2::{Digest, Sha256};

/// The checksum of a file, and its length.
///
/// # Errors
/// It cannot be read.
pub fn checksum(source: &Source, progress: &Progress) -> Result<([u8; DIGEST_LEN], u64), Error> {
    let mut hash = Sha256::new();
    let bytes = source.stream(progress, |piece| hash.update(piece))?;
    Ok((hash.finalize().into(), bytes))
}
