//! Manifests: one list of checksums and one signature over it, for many files.

mod list;
mod sign;
mod verify;

pub use list::{Flaw, write_line};
pub use sign::Plan;
pub use verify::Check;

use super::io::Source;
use super::progress::Progress;
use super::report::Error;
use sha2::{Digest, Sha256};

/// The checksum of a file, and its length.
fn checksum(source: &Source, progress: &Progress) -> Result<([u8; list::DIGEST_LEN], u64), Error> {
    let mut hash = Sha256::new();
    let bytes = source.stream(progress, |piece| hash.update(piece))?;
    Ok((hash.finalize().into(), bytes))
}
