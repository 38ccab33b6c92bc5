//! Converts messages from memory, and reads messages from a file in pieces.

use crate::argument::{self, StableBytes};
use crate::refusal::message_error;
use fndsa::algorithm::PreHash;
use fndsa::{Algorithm, Options};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The number of bytes in a read request.
const PIECE: usize = 1 << 20;

/// The context and the pre-hash for a signature.
pub struct WantedForm {
    /// The context.
    pub context: Vec<u8>,
    /// The hash that is applied to the message before signing.
    pub prehash: Option<PreHash>,
    /// Whether the pre-hash may be weaker than the algorithm.
    pub allow_weak_prehash: bool,
}

impl WantedForm {
    /// Creates a form from a caller's arguments.
    pub fn new(context: &[u8], prehash: Option<&str>, allow_weak_prehash: bool) -> PyResult<Self> {
        let prehash = prehash.map(argument::prehash).transpose()?;
        Ok(Self { context: context.to_vec(), prehash, allow_weak_prehash })
    }

    /// Returns the form in the library's type.
    pub fn to_ref(&self) -> Options<'_> {
        Options::with_context(&self.context).with_prehash(self.prehash).with_weak_prehash(self.allow_weak_prehash)
    }

    /// Checks that an algorithm supports this form, with the library's rules.
    pub fn check(&self, algorithm: Algorithm) -> PyResult<()> {
        self.to_ref().check(algorithm).map_err(message_error)
    }

    /// Converts a message in memory to the bytes that the library hashes. If there is a pre-hash,
    /// these bytes are the digest.
    pub fn taken<'py>(&self, message: &Bound<'py, PyAny>) -> PyResult<StableBytes<'py>> {
        let bytes: StableBytes<'py> = message.extract()?;
        let Some(hash) = self.prehash else { return Ok(bytes) };
        let hasher = PythonHasher::new(message.py(), hash)?;
        hasher.update(&bytes)?;
        hasher.digest()
    }

    /// Reads a file to the end, and passes the bytes that the library hashes to `take`, in pieces.
    /// If there is a pre-hash, these bytes are the digest.
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
            let piece: StableBytes<'_> = piece.extract()?;
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

/// Rejects a path that is passed instead of an open file.
pub fn not_a_path(file: &Bound<'_, PyAny>) -> PyResult<()> {
    if file.is_instance_of::<PyString>() || file.hasattr("__fspath__")? {
        return Err(PyTypeError::new_err(
            "this is a path, not a file: open it in binary mode, open(path, \"rb\"), and pass the open file",
        ));
    }
    Ok(())
}

/// A hash object from Python's `hashlib`.
struct PythonHasher<'py> {
    hash: PreHash,
    object: Bound<'py, PyAny>,
}

impl<'py> PythonHasher<'py> {
    fn new(py: Python<'py>, hash: PreHash) -> PyResult<Self> {
        // Python uses the names sha512_256 for sha512-256, and shake_128 for shake128.
        let name = hash.name().replace('-', "_").replace("shake", "shake_");
        Ok(Self { hash, object: py.import("hashlib")?.call_method1("new", (name,))? })
    }

    fn update(&self, piece: &StableBytes<'py>) -> PyResult<()> {
        // While the hash object computes, other Python threads can also run.
        self.object.call_method1("update", (piece.to_object(self.object.py()),)).map(drop)
    }

    fn digest(&self) -> PyResult<StableBytes<'py>> {
        let digest = match self.hash {
            PreHash::Shake128 | PreHash::Shake256 => self.object.call_method1("digest", (self.hash.digest_len(),)),
            _ => self.object.call_method0("digest"),
        };
        digest?.extract()
    }
}
