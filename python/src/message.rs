//! Messages, in memory or read from a file in pieces.

use crate::argument::{self, Bytes};
use crate::refusal::message_error;
use fndsa::algorithm::PreHash;
use fndsa::{Algorithm, Options};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Bytes that a file is asked for at a time.
const PIECE: usize = 1 << 20;

/// What goes into a signature beside key and message.
pub struct WantedForm {
    /// The context.
    pub context: Vec<u8>,
    /// The hash that the message goes through first.
    pub prehash: Option<PreHash>,
    /// Whether the pre-hash may be weaker than the algorithm.
    pub allow_weak_prehash: bool,
}

impl WantedForm {
    /// Takes the arguments of a caller.
    pub fn new(context: &[u8], prehash: Option<&str>, allow_weak_prehash: bool) -> PyResult<Self> {
        let prehash = prehash.map(argument::prehash).transpose()?;
        Ok(Self { context: context.to_vec(), prehash, allow_weak_prehash })
    }

    /// Lends the form as the library has it.
    pub fn to_ref(&self) -> Options<'_> {
        Options { context: &self.context, prehash: self.prehash, allow_weak_prehash: self.allow_weak_prehash }
    }

    /// Checks that signatures of an algorithm have this form, by the rules of the library.
    pub fn check(&self, algorithm: Algorithm) -> PyResult<()> {
        self.to_ref().check(algorithm).map_err(message_error)
    }

    /// Takes a message in memory: the bytes that the library hashes into the signature, which with a pre-hash are the digest.
    pub fn taken<'py>(&self, message: &Bound<'py, PyAny>) -> PyResult<Bytes<'py>> {
        let bytes: Bytes<'py> = message.extract()?;
        let Some(hash) = self.prehash else { return Ok(bytes) };
        let hasher = PythonHasher::new(message.py(), hash)?;
        hasher.update(&bytes)?;
        hasher.digest()
    }

    /// Reads a file to its end. `take` gets the bytes that the library hashes into the signature, piece by piece.
    pub fn read(&self, file: &Bound<'_, PyAny>, mut take: impl FnMut(&[u8]) + Send) -> PyResult<()> {
        let py = file.py();
        let hasher = self.prehash.map(|hash| PythonHasher::new(py, hash)).transpose()?;
        loop {
            let piece = file.call_method1("read", (PIECE,))?;
            if piece.is_none() {
                return Err(PyValueError::new_err(
                    "read() returned None: open the file in blocking mode, so that read() waits for bytes",
                ));
            }
            if piece.is_instance_of::<PyString>() {
                return Err(PyTypeError::new_err("read() returned a str: open the file in binary mode, \"rb\""));
            }
            let piece: Bytes<'_> = piece.extract()?;
            let bytes: &[u8] = &piece;
            match &hasher {
                _ if bytes.is_empty() => break,
                Some(hasher) => hasher.update(&piece)?,
                None => py.detach(|| take(bytes)),
            }
        }
        if let Some(hasher) = hasher {
            take(&hasher.digest()?);
        }
        Ok(())
    }
}

/// Refuses a path in place of an open file.
pub fn not_a_path(file: &Bound<'_, PyAny>) -> PyResult<()> {
    if file.is_instance_of::<PyString>() || file.hasattr("__fspath__")? {
        return Err(PyTypeError::new_err(
            "this is a path, not a file: open it in binary mode, open(path, \"rb\"), and pass the open file",
        ));
    }
    Ok(())
}

/// A hash object of Python's `hashlib`.
struct PythonHasher<'py> {
    hash: PreHash,
    object: Bound<'py, PyAny>,
}

impl<'py> PythonHasher<'py> {
    fn new(py: Python<'py>, hash: PreHash) -> PyResult<Self> {
        // Python has sha512_256 for sha512-256, and shake_128 for shake128.
        let name = hash.name().replace('-', "_").replace("shake", "shake_");
        Ok(Self { hash, object: py.import("hashlib")?.call_method1("new", (name,))? })
    }

    fn update(&self, piece: &Bytes<'py>) -> PyResult<()> {
        // The hash object releases the lock, too.
        self.object.call_method1("update", (piece.to_object(self.object.py()),)).map(drop)
    }

    fn digest(&self) -> PyResult<Bytes<'py>> {
        let digest = match self.hash {
            PreHash::Shake128 | PreHash::Shake256 => self.object.call_method1("digest", (self.hash.digest_len(),)),
            _ => self.object.call_method0("digest"),
        };
        digest?.extract()
    }
}
