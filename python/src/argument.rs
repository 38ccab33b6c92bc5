//! Converts a Python caller's arguments: bytes (including messages), algorithm and pre-hash names,
//! passwords and thread counts.

use crate::exceptions::InvalidPassword;
use fndsa::Algorithm;
use fndsa::algorithm::PreHash;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::thread::available_parallelism;
use zeroize::Zeroizing;

/// Bytes that no Python thread can change.
pub enum StableBytes<'py> {
    /// An immutable object.
    Immutable(Bound<'py, PyBytes>),
    /// Bytes that were copied from the buffer of an object that may change.
    Copied(Vec<u8>),
}

impl Deref for StableBytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Immutable(bytes) => bytes.as_bytes(),
            Self::Copied(bytes) => bytes,
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for StableBytes<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.cast_exact::<PyBytes>() {
            Ok(bytes) => Ok(Self::Immutable(bytes.to_owned())),
            Err(_) => copied(&given).map(Self::Copied),
        }
    }
}

/// Copies the bytes from a buffer. PyO3 copies most buffers with unsigned bytes, but rejects two
/// kinds of buffers:
///
/// - `strides` is NULL, for example in a `ctypes` array.
/// - The items are not unsigned bytes.
///
/// If the items in a rejected buffer have the format `B` (unsigned byte) or `c` (character), Python
/// copies them to a new `bytes` object, which is not wiped. All other formats are an error.
fn copied(given: &Borrowed<'_, '_, PyAny>) -> PyResult<Vec<u8>> {
    let py = given.py();
    match PyBuffer::<u8>::get(given) {
        Ok(buffer) => return buffer.to_vec(py),
        Err(error) if error.is_instance_of::<PyBufferError>(py) => {}
        Err(error) => return Err(error),
    }
    let view = PyMemoryView::from(given)?;
    let format: String = view.getattr("format")?.extract()?;
    if !matches!(format.trim_start_matches(['@', '=', '<', '>', '!']), "B" | "c") {
        return Err(PyBufferError::new_err(format!(
            "the items of the buffer have the format {format:?} and are not unsigned bytes: convert it, for example with bytes(...)"
        )));
    }
    view.call_method0("tobytes")?.extract::<Vec<u8>>()
}

/// A copy of bytes that may be secret. The copy is wiped when it is dropped.
pub struct SecretBytes(pub Zeroizing<Vec<u8>>);

impl FromPyObject<'_, '_> for SecretBytes {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        copied(&given).map(|bytes| Self(Zeroizing::new(bytes)))
    }
}

/// A password: bytes, or a text that is encoded in UTF-8. An empty password is an error, because
/// usually the variable or the file that should contain the password is empty.
pub struct Password(pub Zeroizing<Vec<u8>>);

impl FromPyObject<'_, '_> for Password {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let bytes = match given.cast::<PyString>() {
            Ok(text) => Zeroizing::new(text.to_cow()?.as_bytes().to_vec()),
            Err(_) => given.extract::<SecretBytes>()?.0,
        };
        if bytes.is_empty() {
            return Err(InvalidPassword::new_err(
                "the password is empty: pass the password of the key, or None for a key that is not encrypted",
            ));
        }
        Ok(Self(bytes))
    }
}

/// Returns the algorithms that Python supports. `Algorithm::all` omits the toys (FN-DSA at small
/// degrees), because they have no security.
pub fn algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::all()
}

/// Returns the algorithms that can generate keys. The other algorithms can only verify.
pub fn signing_algorithms() -> impl Iterator<Item = Algorithm> {
    algorithms().filter(|algorithm| algorithm.scheme().can_sign())
}

/// Returns an algorithm's name, in the form that [`algorithm`] accepts.
pub fn name(algorithm: Algorithm) -> String {
    algorithm.to_string().to_lowercase()
}

/// Finds an algorithm by name.
pub fn algorithm(named: &str) -> PyResult<Algorithm> {
    named.parse().map_err(|_| {
        let names: Vec<_> = algorithms().map(name).collect();
        PyValueError::new_err(format!("no algorithm is named {named:?}; the names are {}", names.join(", ")))
    })
}

/// Finds a pre-hash by name.
pub fn prehash(named: &str) -> PyResult<PreHash> {
    PreHash::all().find(|hash| hash.name() == named).ok_or_else(|| {
        let names: Vec<_> = PreHash::all().map(PreHash::name).collect();
        PyValueError::new_err(format!("no pre-hash is named {named:?}; the names are {}", names.join(", ")))
    })
}

/// Converts the argument `threads` to a number of threads. `None` selects a thread for each
/// processor that the program may use.
pub fn threads(given: Option<usize>) -> PyResult<NonZeroUsize> {
    match given {
        None => Ok(available_parallelism().unwrap_or(NonZeroUsize::MIN)),
        Some(number) => NonZeroUsize::new(number)
            .ok_or_else(|| PyValueError::new_err("threads is 0: pass 1 or more, or None for all processors")),
    }
}
