//! Finds the public key files in a directory of trusted keys.
//!
//! fndsa reads only the files `*.pub` directly in the directory. A public key in any other file is
//! an error: the user may expect that fndsa reads it, for example because the file contains a key
//! line `revoked:`, or because `--require all` must count it.

use crate::tool::io::InputSource;
use crate::tool::keys::loader::{AllowWeak, ObjectLoader};
use crate::tool::report::Error;
use crate::tool::report::escape::shown;
use fndsa::files::{ObjectKind, ReadOptions, pem};
use std::ffi::OsStr;
use std::fs::{File, read_dir};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The number of bytes at the start of a file that are searched for a public key.
const SEARCHED: u64 = 1 << 20;

/// Returns the public key files in a directory, sorted by name. Returns `None` if the path is not a
/// directory.
///
/// # Errors
/// Fails if the directory cannot be read, if it contains no file `*.pub`, or if it contains a
/// public key that fndsa would not read.
pub fn public_keys_in(directory: &Path) -> Result<Option<Vec<PathBuf>>, Error> {
    if !directory.is_dir() {
        return Ok(None);
    }
    let mut files = Vec::new();
    let mut others = Vec::new();
    for entry in read_dir(directory).map_err(|e| Error::io(shown(directory), e))? {
        let path = entry.map_err(|e| Error::io(shown(directory), e))?.path();
        if is_named_public(&path) { files.push(path) } else { others.push(path) }
    }
    sort_by_name(&mut others);
    for path in others {
        if let Some(path) = unread_key(path) {
            return Err(Error::UnreadKey { path, directory: directory.to_owned() });
        }
    }
    sort_by_name(&mut files);
    if files.is_empty() { Err(Error::NoKeyFiles(directory.to_owned())) } else { Ok(Some(files)) }
}

/// Sorts paths in a single directory by the bytes of their names. To compare the components of
/// paths would need more code.
fn sort_by_name(paths: &mut [PathBuf]) {
    paths.sort_unstable_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
}

fn is_named_public(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("pub"))
}

/// Returns the path of a public key that fndsa would not read: the file at `path`, or a file
/// `*.pub` in the directory at `path`. Files that the user cannot read are ignored.
fn unread_key(path: PathBuf) -> Option<PathBuf> {
    let meta = path.metadata().ok()?;
    if meta.is_dir() {
        for entry in read_dir(&path).ok()? {
            if let Ok(entry) = entry
                && is_named_public(&entry.path())
            {
                return Some(entry.path());
            }
        }
        return None;
    }
    // A pipe is not opened, because opening it would wait for a writer.
    if !meta.is_file() {
        return None;
    }
    let mut data = Vec::new();
    File::open(&path).ok()?.take(SEARCHED).read_to_end(&mut data).ok()?;
    if contains_public_key(&data) { Some(path) } else { None }
}

/// Returns whether a block in a file is a public key or a certificate.
fn contains_public_key(data: &[u8]) -> bool {
    let loader = ObjectLoader::new(ReadOptions::default(), AllowWeak(true));
    pem::parts(data).into_iter().any(|part| loader.part(part, &"", ObjectKind::VerifyingKey).is_ok())
}

/// Returns whether a regular file contains a public key. Returns false for a link.
pub fn is_public_key(source: &InputSource) -> bool {
    // Only a regular file is read, because the data from a pipe can be read only once.
    source.file_len().is_some() && matches!(source.read_small(), Ok(data) if contains_public_key(&data))
}
