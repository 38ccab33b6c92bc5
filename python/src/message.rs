//! The context and pre-hash that a Python caller chooses for a message, and the reader for messages
//! in files.

use crate::argument::{self, StableBytes};
use crate::exceptions::message_error;
use fndsa::algorithm::PreHash;
use fndsa::error::MessageError;
use fndsa::message::MessageDigest;
use fndsa::no_alloc::MessageToVerify;
use fndsa::{Algorithm, Options};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The number of bytes to request in each call to `read` of the Python file.
const PIECE_LEN: usize = 1 << 20;

/// The form that the Python caller wants for a signature: context and pre-hash.
pub struct WantedForm {
    /// The context.
    pub context: Vec<u8>,
    /// The hash that is applied to the message before signing.
    pub prehash: Option<PreHash>,
    /// If true, the pre-hash may be weaker than the signature algorithm.
    pub allow_weak_prehash: bool,
}

impl WantedForm {
    /// Creates a form from the Python caller's arguments.
    pub fn new(context: &[u8], prehash: Option<&str>, allow_weak_prehash: bool) -> PyResult<Self> {
        let prehash = prehash.map(argument::prehash).transpose()?;
        Ok(Self { context: context.to_vec(), prehash, allow_weak_prehash })
    }

    /// Converts the form to [`Options`], the library's type for a context and a pre-hash.
    pub fn to_ref(&self) -> Options<'_> {
        Options::with_context(&self.context).with_prehash(self.prehash).with_weak_prehash(self.allow_weak_prehash)
    }

    /// Checks that an algorithm supports this form, according to the library's rules.
    pub fn check(&self, algorithm: Algorithm) -> PyResult<()> {
        self.to_ref().check(algorithm).map_err(message_error)
    }

    /// Returns a message's digest, or `None` if there is no pre-hash.
    pub fn digest(&self, message: &[u8]) -> Result<Option<MessageDigest>, MessageError> {
        self.prehash.map(|hash| MessageDigest::of(hash, message)).transpose()
    }

    /// Returns the input for the library's verifier: `digest`, or `message` if `digest` is `None`.
    pub fn to_verify<'m>(
        &'m self,
        message: &'m [u8],
        digest: Option<&'m MessageDigest>,
    ) -> Result<MessageToVerify<'m>, MessageError> {
        match digest {
            None => Ok(MessageToVerify::message(self.to_ref(), message)),
            Some(digest) => MessageToVerify::digest(self.to_ref(), digest),
        }
    }
}

/// Reads a Python file object to its end, and passes its bytes to `take` in pieces.
pub fn read_file(file: &Bound<'_, PyAny>, mut take: impl FnMut(&[u8]) + Send) -> PyResult<()> {
    let py = file.py();
    loop {
        let piece = file.call_method1("read", (PIECE_LEN,))?;
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
        if bytes.is_empty() {
            return Ok(());
        }
        py.detach(|| take(bytes));
    }
}

/// Checks that the argument is not a path, because callers may confuse a path with an open file.
pub fn not_a_path(file: &Bound<'_, PyAny>) -> PyResult<()> {
    if file.is_instance_of::<PyString>() || file.hasattr("__fspath__")? {
        return Err(PyTypeError::new_err(
            "this is a path, not a file: open it in binary mode, open(path, \"rb\"), and pass the open file",
        ));
    }
    Ok(())
}
