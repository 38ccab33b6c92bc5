//! Exceptions. Those of the package are defined in Python, in `fndsa/_errors.py`; the words are the library's.

use fndsa::error::{ExpandError, KeyError, KeygenError, MessageError, SignError, VerifyError};
use fndsa::files::{Defect, LockError, OpenError, PrivateKeyError, WriteError};
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

/// Takes the error of a message or of its form.
pub fn message_error(e: MessageError) -> PyErr {
    match e {
        MessageError::Signature { .. } => InvalidSignature::new_err(e.to_string()),
        e => PyValueError::new_err(e.to_string()),
    }
}

/// Takes a NO, and whatever else kept a verdict from being YES.
pub fn not_verified(e: VerifyError) -> PyErr {
    match e {
        VerifyError::Message(e) => message_error(e),
        VerifyError::Work(e) => PyRuntimeError::new_err(e.to_string()),
        e => InvalidSignature::new_err(e.to_string()),
    }
}

/// Converts an error of the types that own their bytes.
pub fn library_error(e: fndsa::Error) -> PyErr {
    use fndsa::Error;
    match e {
        Error::Message(e) => message_error(e),
        Error::Signature(e) => not_verified(e),
        Error::Key(e) => bad_key(e),
        Error::Sign(e) => not_signed(e),
        Error::Keygen(e) => not_made(e),
        e => OperationFailed::new_err(e.to_string()),
    }
}

/// Takes the error of a signature that was not made.
pub fn not_signed<R: Display>(e: SignError<R>) -> PyErr {
    match e {
        SignError::Message(e) => message_error(e),
        SignError::VerifyOnly => PyValueError::new_err(e.to_string()),
        e => OperationFailed::new_err(e.to_string()),
    }
}

/// Takes the error of a key that was not prepared for many signatures.
pub fn not_expanded(e: ExpandError) -> PyErr {
    OperationFailed::new_err(e.to_string())
}

/// Takes the error of a key that was not made.
pub fn not_made<R: Display>(e: KeygenError<R>) -> PyErr {
    match e {
        KeygenError::VerifyOnly => PyValueError::new_err(e.to_string()),
        e => OperationFailed::new_err(e.to_string()),
    }
}

/// Takes the error of an encoded key.
pub fn bad_key(e: KeyError) -> PyErr {
    InvalidKey::new_err(e.to_string())
}

/// Takes the error of a private key in a file.
pub fn bad_private_key(e: PrivateKeyError) -> PyErr {
    match e {
        PrivateKeyError::Kind(_) => InvalidFile::new_err(e.to_string()),
        e => InvalidKey::new_err(e.to_string()),
    }
}

/// Takes the error of a file that is no key and no signature.
pub fn bad_file(e: Defect) -> PyErr {
    InvalidFile::new_err(e.to_string())
}

/// Takes the error of a private key behind a password.
pub fn not_opened(e: OpenError) -> PyErr {
    match e {
        OpenError::Memory(_) => PyMemoryError::new_err(e.to_string()),
        OpenError::Content(defect) => bad_file(defect),
        e => InvalidPassword::new_err(e.to_string()),
    }
}

/// Takes the error of a form of file that a key does not have.
pub fn not_written(e: WriteError) -> PyErr {
    PyValueError::new_err(e.to_string())
}

/// Takes the error of a private key that was not put behind a password.
pub fn not_locked<R: Display>(e: LockError<R>) -> PyErr {
    match e {
        LockError::Form(e) => not_written(e),
        LockError::Memory(_) => PyMemoryError::new_err(e.to_string()),
        e => OperationFailed::new_err(e.to_string()),
    }
}

/// Takes an error of the system. Python makes a `FileNotFoundError` of it, or whichever it is.
pub fn of_system(path: &Path, e: io::Error) -> PyErr {
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().to_owned();
    match e.raw_os_error() {
        // On Windows the number is the fourth argument, and the first is not looked at.
        Some(number) if cfg!(windows) => PyOSError::new_err((0, text, path.as_os_str().to_owned(), number)),
        Some(number) => PyOSError::new_err((number, text, path.as_os_str().to_owned())),
        None => e.into(),
    }
}

/// Notes on an exception which file it is about. A traceback shows that.
pub fn in_file(py: Python<'_>, path: &Path, e: PyErr) -> PyErr {
    match e.value(py).call_method1("add_note", (format!("in the file {}", path.display()),)) {
        Ok(_) => e,
        Err(other) => other,
    }
}
