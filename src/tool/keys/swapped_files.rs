//! Explains errors that occur because the user swapped files, for example because the user gave a
//! signature as the file to verify. `sign` and `verify` call these functions after an error. The
//! functions never change a verdict.

use super::loader::ObjectLoader;
use crate::tool::io::InputSource;
use crate::tool::report::suffix::{SIGNATURE_SUFFIXES, SUFFIX, signed_by_name, with_suffix};
use crate::tool::report::{Error, Exit};
use fndsa::files::cms::CmsFile;
use fndsa::files::jws::JwsSignature;
use fndsa::files::ssh::SshSignature;
use fndsa::files::{ObjectKind, pem};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Converts an error from reading the signature file of `file` to an error that names a likely
/// cause, for example swapped files.
pub fn explain_signature_error(e: Error, file: &InputSource, signature: &InputSource) -> Error {
    let InputSource::File(path) = file else { return e };
    let metadata = std::fs::metadata(path);
    let Some((name, has_signature_name)) = expected_signature(path, signature) else {
        return match metadata {
            Ok(meta) if e.exit() == Exit::BadInput && meta.is_file() && is_signature(file) => {
                Error::Swapped { message: signature.path().to_owned(), signature: path.clone() }
            }
            _ => signature.explain_missing(e, &[ObjectKind::Signature]),
        };
    };
    let is_missing = matches!(&e, Error::Io { source, .. }
        if matches!(source.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory));
    match metadata {
        _ if !is_missing => signature.explain_missing(e, &[ObjectKind::Signature]),
        Err(first) => file.explain_missing(Error::io(file, first), &[]),
        Ok(meta) if meta.is_dir() => Error::io(file, ErrorKind::IsADirectory),
        Ok(meta) if meta.is_file() && (has_signature_name || is_signature(file)) => {
            Error::SignatureAsFile(path.clone())
        }
        Ok(_) => Error::NoSignature(name),
    }
}

/// Returns the default name for the signature file of `path`, and whether `path` itself has a
/// signature file's name. The suffix of `signature` determines the format. Returns `None` if
/// `signature` is not a default name for `path`. In this case, the user chose its name. For fndsa's
/// own format (`.sig`), the second value is always false, because the caller detects these files by
/// their contents.
fn expected_signature(path: &Path, signature: &InputSource) -> Option<(PathBuf, bool)> {
    for suffix in SIGNATURE_SUFFIXES {
        let name = with_suffix(path, suffix);
        if *signature == InputSource::File(name.clone()) {
            if suffix == SUFFIX {
                return Some((name, false));
            }
            let has_signature_name = matches!(signed_by_name(path), Some(of) if with_suffix(&of, suffix) == *path);
            return Some((name, has_signature_name));
        }
    }
    None
}

/// Converts an error from reading a file to sign to an error that names a likely cause.
pub fn explain_input_error(e: Error, file: &InputSource) -> Error {
    match (&e, file) {
        (Error::Io { source, .. }, InputSource::File(path)) if source.kind() == ErrorKind::IsADirectory => {
            Error::Directory(path.clone())
        }
        _ => file.explain_missing(e, &[]),
    }
}

/// Returns whether a file contains signatures for a separate file, in any format.
fn is_signature(source: &InputSource) -> bool {
    let Ok(data) = source.read_signatures() else { return false };
    let is_cms = CmsFile::read(&data).is_ok_and(|file| file.message.is_none());
    if is_cms || SshSignature::has_label(&data) || JwsSignature::read(&data).is_ok() {
        return true;
    }
    // The file may contain several signatures, so only the first block is read.
    ObjectLoader::of_signatures().part(pem::parts(&data)[0], source, ObjectKind::Signature).is_ok()
}
