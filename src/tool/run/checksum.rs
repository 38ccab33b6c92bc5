//! Computes checksums for lists, for `sign --list` and `verify --list`.

use crate::tool::io::{DirectoryTree, FileInput, InputSource, drain};
use crate::tool::report::Error;
use crate::tool::report::progress::ProgressDisplay;
use fndsa::files::manifest::DIGEST_LEN;
use sha2::{Digest, Sha256};

/// The checksum of a file, and its length in bytes.
pub type FileChecksum = Result<([u8; DIGEST_LEN], u64), Error>;

/// Reads a regular file from a directory tree, and returns its checksum and length. `name` is
/// relative to the root of the tree. Error messages use the name in `source` instead.
///
/// # Errors
/// Fails if the file cannot be read, or is not a regular file in the directory tree.
pub fn checksum(tree: &DirectoryTree, name: &[u8], source: &InputSource, progress: &ProgressDisplay) -> FileChecksum {
    checksum_of_pieces(tree, name, source, progress, |_| {})
}

/// Returns the same result as [`checksum`], and passes each piece of the file to `look`.
///
/// # Errors
/// Returns the errors of [`checksum`].
pub fn checksum_of_pieces(
    tree: &DirectoryTree,
    name: &[u8],
    source: &InputSource,
    progress: &ProgressDisplay,
    mut look: impl FnMut(&[u8]),
) -> FileChecksum {
    let mut hash = Sha256::new();
    let mut input = FileInput::opened(source, tree.open(name, source)?, progress);
    let bytes = drain(&mut input, |piece| {
        hash.update(piece);
        look(piece);
    })?;
    Ok((hash.finalize().into(), bytes))
}
