//! Reads and writes files with keys and signatures, in the formats of the command-line tool
//! `fndsa`.

use crate::argument::{self, Password};
use crate::exceptions::{
    InvalidFile, InvalidPassword, decrypt_error, encrypt_error, file_error, in_file, system_error, write_error,
};
use fndsa::Algorithm;
use fndsa::files::{self, Defect, FileContent, FileEncoding, FileObject, ObjectKind, ReadOptions, WriteOptions, pem};
use fndsa::verdict::text::SmallFile;
use getrandom::SysRng;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Returns a public key's fingerprint: `sha256:` and the encoded key's SHA-256 digest in
/// hexadecimal.
pub fn fingerprint(public: &[u8]) -> String {
    format!("sha256:{}", files::hex::hex(&Sha256::digest(public)))
}

/// The maximum file size for trusted keys, in bytes.
const MAX_TRUSTED_KEYS_BYTES: usize = 256 << 20;

/// Reads a file with trusted keys.
pub fn read_keys(py: Python<'_>, path: &Path) -> PyResult<Vec<u8>> {
    let read = || -> io::Result<_> {
        let mut data = Vec::new();
        File::open(path)?.take(MAX_TRUSTED_KEYS_BYTES as u64 + 1).read_to_end(&mut data)?;
        Ok(data)
    };
    let data = py.detach(read).map_err(|e| system_error(path, e))?;
    if data.len() > MAX_TRUSTED_KEYS_BYTES {
        return Err(InvalidFile::new_err(format!("the file has more than {MAX_TRUSTED_KEYS_BYTES} bytes")));
    }
    Ok(data)
}

/// Reads a file with a key or signatures. The buffer has its full capacity from the start, so its
/// bytes never move to a larger buffer, which would leave a copy that is not wiped.
pub fn read(py: Python<'_>, path: &Path, kind: SmallFile) -> PyResult<Zeroizing<Vec<u8>>> {
    let limit = kind.limit();
    let read = || -> io::Result<_> {
        let mut data = Zeroizing::new(Vec::with_capacity(limit + 1));
        File::open(path)?.take(limit as u64 + 1).read_to_end(&mut data)?;
        Ok(data)
    };
    let data = py.detach(read).map_err(|e| system_error(path, e))?;
    if data.len() > limit {
        return Err(InvalidFile::new_err(format!(
            "the file is larger than any key or signature: it has more than {limit} bytes"
        )));
    }
    Ok(data)
}

/// Creates a file with the given data. If the file already exists, this function fails and does not
/// change the file. If the data cannot be written, this function removes the new file.
pub fn write_new(py: Python<'_>, path: &Path, access: FileAccess, data: &[u8]) -> PyResult<()> {
    let write = || -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        access.limit(&mut options);
        let mut file = options.open(path)?;
        let written = file.write_all(data).and_then(|()| file.sync_all());
        if written.is_err() {
            drop(file);
            // If writing and removing both fail, report the error from writing.
            let _ = fs::remove_file(path);
        }
        written
    };
    py.detach(write).map_err(|e| system_error(path, e))
}

/// The users that can read a new file.
#[derive(Clone, Copy)]
pub enum FileAccess {
    /// Only the owner, on Unix systems.
    Owner,
    /// The system's default.
    Default,
}

impl FileAccess {
    /// Sets the permissions of a new file.
    fn limit(self, options: &mut OpenOptions) {
        #[cfg(unix)]
        if let Self::Owner = self {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        #[cfg(not(unix))]
        let _ = (self, options);
    }
}

/// Parses a file's contents, which must be an object with the kind `wanted`. Decrypts the object if
/// there is a password. If the object is not encrypted, a password is an error.
pub fn read_object(
    py: Python<'_>,
    data: &[u8],
    wanted: ObjectKind,
    algorithm_name: Option<&str>,
    password: Option<Password>,
) -> PyResult<FileObject> {
    let algorithm = algorithm_name.map(argument::algorithm).transpose()?;
    let accept = ReadOptions::default().with_algorithm(algorithm).with_expected_kind(Some(wanted));
    let object = match (files::read(data, &accept).map_err(file_error)?, password) {
        (FileContent::Plain(_), Some(_)) => {
            return Err(InvalidPassword::new_err("the private key is not encrypted: do not pass a password"));
        }
        (FileContent::Plain(object), None) => object,
        (FileContent::Locked(_), _) if wanted != ObjectKind::SigningKey => {
            return Err(wrong_kind(ObjectKind::SigningKey, wanted));
        }
        (FileContent::Locked(_), None) => {
            return Err(InvalidPassword::new_err("the private key is encrypted: pass its password"));
        }
        (FileContent::Locked(locked), Some(Password(password))) => {
            py.detach(|| locked.unlock(&password, &accept)).map_err(decrypt_error)?
        }
    };
    if object.kind != wanted {
        return Err(wrong_kind(object.kind, wanted));
    }
    Ok(object)
}

/// Returns the error for a file that has the kind `found` instead of the kind `wanted`.
fn wrong_kind(found: ObjectKind, wanted: ObjectKind) -> PyErr {
    InvalidFile::new_err(format!("this is a {}, not a {}", found.name(), wanted.name()))
}

/// A key to write to a file.
pub struct KeyToWrite<'a> {
    /// The key's kind: private or public.
    pub kind: ObjectKind,
    /// The key's algorithm.
    pub algorithm: Algorithm,
    /// The key's encoding.
    pub bytes: &'a [u8],
    /// The public key's encoding.
    pub public: &'a [u8],
}

impl KeyToWrite<'_> {
    /// Returns a file's contents, in the format `pem` or `raw`. With a password, the `pem` format
    /// contains encrypted PKCS#8.
    pub fn contents(&self, py: Python<'_>, format: &str, password: Option<Password>) -> PyResult<Zeroizing<Vec<u8>>> {
        let encoding = match (format, &password) {
            ("pem", None) => FileEncoding::Pem,
            ("pem", Some(_)) => FileEncoding::Pkcs8,
            ("raw", _) => FileEncoding::Raw,
            _ => return Err(PyValueError::new_err(format!("no format is named {format:?}; the names are pem, raw"))),
        };
        let options = WriteOptions::plain(encoding).with_public(Some(self.public));
        match password {
            None => {
                let note = self.kind.note(self.algorithm, &fingerprint(self.public));
                options.write(self.kind, self.algorithm, &note, self.bytes).map_err(write_error)
            }
            Some(Password(password)) => py
                .detach(|| options.write_locked(self.algorithm, self.bytes, &password, &mut SysRng))
                .map_err(encrypt_error),
        }
    }
}

/// Reads the signature in a signature file of the tool `fndsa`, in PEM or raw, and returns its
/// bytes for `verify`. This function does not verify the signature. If the file has several
/// signatures, use `load_signatures`.
#[pyfunction]
#[pyo3(signature = (path, *, algorithm=None))]
pub fn load_signature<'py>(py: Python<'py>, path: PathBuf, algorithm: Option<&str>) -> PyResult<Bound<'py, PyBytes>> {
    let data = read(py, &path, SmallFile::Key)?;
    let object = read_object(py, &data, ObjectKind::Signature, algorithm, None).map_err(|e| in_file(py, &path, e))?;
    Ok(PyBytes::new(py, &object.bytes))
}

/// Reads all signatures in a signature file of the tool `fndsa`, and returns the bytes of each
/// signature in file order. The signatures may be by several keys. PEM blocks from other programs
/// in the file are ignored. This function does not verify the signatures: pass them to
/// `verify_each`.
#[pyfunction]
pub fn load_signatures<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let data = read(py, &path, SmallFile::Signatures)?;
    let parts = pem::parts(&data);
    let mut signatures = Vec::new();
    let mut first_error = None;
    for part in &parts {
        match files::read(part, &ReadOptions::default()) {
            Err(e @ (Defect::Foreign(_) | Defect::Label(_))) if parts.len() > 1 => {
                first_error.get_or_insert(file_error(e));
            }
            _ => {
                let object =
                    read_object(py, part, ObjectKind::Signature, None, None).map_err(|e| in_file(py, &path, e))?;
                signatures.push(PyBytes::new(py, &object.bytes));
            }
        }
    }
    match first_error {
        Some(e) if signatures.is_empty() => Err(in_file(py, &path, e)),
        _ => Ok(signatures),
    }
}
