//! Which file was meant, where another one was named: better errors than the first thing that failed.
//!
//! Nothing here changes an answer: it is asked when there is an error already.

use super::container::Accept;
use super::io::Source;
use super::keygen::with_suffix;
use super::keys::{self, AllowWeak};
use super::object::Kind;
use super::report::{Error, Exit};
use rustix::io::Errno;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What is added to the name of a file for that of its signature.
pub const SUFFIX: &str = ".sig";

/// The file that a signature is for, by its name.
pub fn signed_by_name(signature: &Path) -> Option<PathBuf> {
    let name = signature.file_name()?.to_str()?.strip_suffix(SUFFIX).filter(|name| !name.is_empty())?;
    Some(signature.with_file_name(name))
}

/// The error about the signature of `file`, which could not be read.
pub fn of_signature(e: Error, file: &Source, signature: &Source) -> Error {
    let Source::File(path) = file else { return e };
    let beside = *signature == Source::File(with_suffix(path, SUFFIX));
    let missing = matches!(&e, Error::Io { source, .. } if source.kind() == ErrorKind::NotFound);
    let there = std::fs::metadata(path);
    match there {
        Err(first) if beside && missing => Error::io(file, first),
        Ok(meta) if beside && missing && meta.is_dir() => Error::io(file, Errno::ISDIR),
        Ok(meta) if beside && missing && meta.is_file() && is_signature(file) => Error::SignatureAsFile(path.clone()),
        Ok(_) if beside && missing => Error::NoSignature(with_suffix(path, SUFFIX)),
        Ok(meta) if !beside && e.exit() == Exit::BadInput && meta.is_file() && is_signature(file) => {
            Error::Swapped { named: signature.path().to_owned(), signature: path.clone() }
        }
        _ => e,
    }
}

/// The error about a file to sign, which could not be read.
pub fn of_input(e: Error, file: &Source) -> Error {
    match (&e, file) {
        (Error::Io { source, .. }, Source::File(path)) if source.kind() == ErrorKind::IsADirectory => {
            Error::Directory(path.clone())
        }
        _ => e,
    }
}

fn is_signature(source: &Source) -> bool {
    keys::load(source, Kind::Signature, &Accept::default(), AllowWeak(true)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_for_the_file_of_its_name() {
        let signed = |name: &str| signed_by_name(Path::new(name)).map(|path| path.to_str().unwrap().to_owned());
        assert_eq!(signed("a.sig"), Some("a".to_owned()));
        assert_eq!(signed("d/a.tgz.sig"), Some("d/a.tgz".to_owned()));
        assert_eq!(signed("a"), None);
        assert_eq!(signed("d/.sig"), None);
    }
}
