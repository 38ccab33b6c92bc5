//! Finds the public key files in a directory of trusted keys.
//!
//! fndsa reads only the files `*.pub` directly in the directory. A public key in any file except
//! these is an error, because the user may expect that fndsa reads the key. For example, the file
//! may contain a key line `revoked:`, or the user may expect that `--require all` counts the key.

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
/// public key in a file that fndsa does not read.
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

/// Sorts paths in a single directory by the bytes of their names. `PathBuf::cmp` is not used,
/// because it compares the components of paths, for which the program would need more code.
fn sort_by_name(paths: &mut [PathBuf]) {
    paths.sort_unstable_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
}

fn is_named_public(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("pub"))
}

/// Returns the path of a public key that fndsa does not use as a trusted key: the path of the file
/// at `path`, if the file contains a public key, or of a file `*.pub` in the directory at `path`. A
/// file that cannot be opened or read is ignored.
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
