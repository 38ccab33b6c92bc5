//! Detection of private key files, so that a command does not replace them by accident.

use super::read::InputSource;
use fndsa::files;
use fndsa::files::{FileContent, ObjectKind, ReadOptions};
use std::path::Path;

/// The end of a private key's BEGIN line, in the files of any program.
const LABEL_END: &[u8] = b"PRIVATE KEY-----";

/// Returns whether a path names a regular file that is a private key: a key of this program in any
/// format, or a PEM key of any program. Returns false if the file cannot be read or is larger than
/// any key.
pub fn is_private_key(path: &Path) -> bool {
    if !std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        return false;
    }
    let Ok(data) = InputSource::File(path.to_owned()).read_small() else { return false };
    // The file may contain a secret. The search visits all positions, and the parser also does not
    // branch on the bytes of a key.
    if data.windows(LABEL_END.len()).fold(false, |found, place| found | (place == LABEL_END)) {
        return true;
    }
    match files::read(
        &data,
        &ReadOptions::default().with_any_oid(true).with_allow_toys(true).with_allow_hash_ml_dsa(true),
    ) {
        Ok(FileContent::Plain(object)) => object.kind == ObjectKind::SigningKey,
        Ok(FileContent::Locked(_)) => true,
        Err(_) => false,
    }
}
