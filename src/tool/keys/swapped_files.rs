//! Better errors for swapped files, such as a signature that was passed as the file.
//!
//! These functions never change a verdict. They are called after an error has occurred.

use super::loader::ObjectLoader;
use crate::tool::io::InputSource;
use crate::tool::report::suffix::{SUFFIX, with_suffix};
use crate::tool::report::{Error, Exit};
use fndsa::files::{ObjectKind, pem};
use std::io::ErrorKind;

/// Returns a better error if the signature of `file` could not be read.
pub fn of_signature(e: Error, file: &InputSource, signature: &InputSource) -> Error {
    let InputSource::File(path) = file else { return e };
    let beside = *signature == InputSource::File(with_suffix(path, SUFFIX));
    let missing = matches!(&e, Error::Io { source, .. }
        if matches!(source.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory));
    let there = std::fs::metadata(path);
    match there {
        Err(first) if beside && missing => file.explain_missing(Error::io(file, first), &[]),
        Ok(meta) if beside && missing && meta.is_dir() => Error::io(file, ErrorKind::IsADirectory),
        Ok(meta) if beside && missing && meta.is_file() && is_signature(file) => Error::SignatureAsFile(path.clone()),
        Ok(_) if beside && missing => Error::NoSignature(with_suffix(path, SUFFIX)),
        Ok(meta) if !beside && e.exit() == Exit::BadInput && meta.is_file() && is_signature(file) => {
            Error::Swapped { named: signature.path().to_owned(), signature: path.clone() }
        }
        _ => signature.explain_missing(e, &[ObjectKind::Signature]),
    }
}

/// Returns a better error if a file to sign could not be read.
pub fn of_input(e: Error, file: &InputSource) -> Error {
    match (&e, file) {
        (Error::Io { source, .. }, InputSource::File(path)) if source.kind() == ErrorKind::IsADirectory => {
            Error::Directory(path.clone())
        }
        _ => file.explain_missing(e, &[]),
    }
}

fn is_signature(source: &InputSource) -> bool {
    let Ok(data) = source.read_signatures() else { return false };
    // The file may contain several signatures.
    ObjectLoader::of_signatures().part(pem::parts(&data)[0], source, ObjectKind::Signature).is_ok()
}
