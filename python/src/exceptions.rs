//! Converts errors to Python exceptions. The classes of this package are defined in
//! `fndsa/_errors.py`, and the messages are from the library.

use fndsa::error::{ExpandError, KeyError, KeygenError, MessageError, SignError, VerifyError};
use fndsa::files::{DecryptError, Defect, EncryptError, PrivateKeyError, WriteError};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::io;
use std::path::Path;

pyo3::import_exception!(fndsa._errors, InvalidFile);
pyo3::import_exception!(fndsa._errors, InvalidKey);
pyo3::import_exception!(fndsa._errors, InvalidPassword);
pyo3::import_exception!(fndsa._errors, InvalidSignature);
pyo3::import_exception!(fndsa._errors, InvalidSignatures);
pyo3::import_exception!(fndsa._errors, OperationFailed);
pyo3::import_exception!(fndsa._errors, VerificationError);

/// Converts an error about a message, a context or a pre-hash.
pub fn message_error(e: MessageError) -> PyErr {
    match e {
        MessageError::Signature { .. } => InvalidSignature::new_err(e.to_string()),
        e => PyValueError::new_err(e.to_string()),
    }
}

/// Converts the verdict NO for a single signature, or an error that prevents a verdict.
pub fn verify_error(e: VerifyError) -> PyErr {
    match e {
        VerifyError::Message(e) => message_error(e),
        VerifyError::Work(e) => PyRuntimeError::new_err(e.to_string()),
        e => InvalidSignature::new_err(e.to_string()),
    }
}

/// Converts an error from `SigningKey`, `VerifyingKey` and the other types that own their bytes.
pub fn library_error(e: fndsa::Error) -> PyErr {
    use fndsa::Error;
    match e {
        Error::Message(e) => message_error(e),
        Error::Signature(e) => verify_error(e),
        Error::Key(e) => key_error(e),
        Error::Sign(e) => sign_error(e),
        Error::Keygen(e) => keygen_error(e),
        e => OperationFailed::new_err(e.to_string()),
    }
}

/// Converts an error from signing.
pub fn sign_error<R: Display>(e: SignError<R>) -> PyErr {
    match e {
        SignError::Message(e) => message_error(e),
        SignError::VerifyOnly => PyValueError::new_err(e.to_string()),
        e => OperationFailed::new_err(e.to_string()),
    }
}

/// Converts an error from key expansion.
pub fn expand_error(e: ExpandError) -> PyErr {
    OperationFailed::new_err(e.to_string())
}

/// Converts an error from key generation.
pub fn keygen_error<R: Display>(e: KeygenError<R>) -> PyErr {
    match e {
        KeygenError::VerifyOnly => PyValueError::new_err(e.to_string()),
        e => OperationFailed::new_err(e.to_string()),
    }
}

/// Converts an error about an encoded key.
pub fn key_error(e: KeyError) -> PyErr {
    InvalidKey::new_err(e.to_string())
}

/// Converts an error about a private key in a file.
pub fn private_key_error(e: PrivateKeyError) -> PyErr {
    match e {
        PrivateKeyError::Kind(_) => InvalidFile::new_err(e.to_string()),
        e => InvalidKey::new_err(e.to_string()),
    }
}

/// Converts a defect in the bytes of a file.
pub fn file_error(e: Defect) -> PyErr {
    InvalidFile::new_err(e.to_string())
}

/// Converts an error from private key decryption.
pub fn decrypt_error(e: DecryptError) -> PyErr {
    match e {
        DecryptError::Memory(_) => PyMemoryError::new_err(e.to_string()),
        DecryptError::Content(defect) => file_error(defect),
        e => InvalidPassword::new_err(e.to_string()),
    }
}

/// Converts the error for a key that cannot be written in a file format.
pub fn write_error(e: WriteError) -> PyErr {
    PyValueError::new_err(e.to_string())
}

/// Converts an error from private key encryption.
pub fn encrypt_error<R: Display>(e: EncryptError<R>) -> PyErr {
    match e {
        EncryptError::Form(e) => write_error(e),
        EncryptError::Memory(_) => PyMemoryError::new_err(e.to_string()),
        e => OperationFailed::new_err(e.to_string()),
    }
}

/// Converts an error from the operating system. Python selects the class from the error number, for
/// example `FileNotFoundError`.
pub fn system_error(path: &Path, e: io::Error) -> PyErr {
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().to_owned();
    match e.raw_os_error() {
        // On Windows, `OSError` takes the system's error number as its fourth argument, and ignores
        // its first argument.
        Some(number) if cfg!(windows) => PyOSError::new_err((0, text, path.as_os_str().to_owned(), number)),
        Some(number) => PyOSError::new_err((number, text, path.as_os_str().to_owned())),
        None => e.into(),
    }
}

/// Adds a note with the file name to an exception. A traceback includes this note.
pub fn in_file(py: Python<'_>, path: &Path, e: PyErr) -> PyErr {
    match e.value(py).call_method1("add_note", (format!("in the file {}", path.display()),)) {
        Ok(_) => e,
        Err(other) => other,
    }
}
