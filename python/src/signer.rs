//! The class for a key that has signed a message, and the exceptions for a NO and for errors that
//! prevent a verdict.

use crate::argument;
use crate::exceptions::{InvalidFile, VerificationError, message_error};
use fndsa::verdict::{DecisionError, FileDefect, Policy as VerdictPolicy, Rejection, TrustedKey, VerdictError};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// A key that has signed a message, and that the policy accepts.
#[pyclass(module = "fndsa", frozen, get_all)]
#[derive(Clone)]
pub struct Signer {
    /// The name in the key line `name:`, or `None`.
    name: Option<String>,
    /// The name of the algorithm, one of `ALGORITHMS`.
    algorithm: String,
    /// The fingerprint of the key.
    fingerprint: String,
}

impl Signer {
    /// Converts a trusted key to a signer.
    pub fn of(key: &TrustedKey) -> Self {
        let algorithm = argument::name(key.algorithm());
        Self { name: key.terms.name.clone(), algorithm, fingerprint: key.public.fingerprint.clone() }
    }
}

#[pymethods]
impl Signer {
    fn __repr__(&self) -> String {
        let name = self.name.as_ref().map(|name| format!(" {name:?}")).unwrap_or_default();
        format!("<fndsa.Signer{name} {} {}>", self.algorithm, self.fingerprint)
    }
}

/// Returns the exception for a defect in a file with trusted keys, or in a signature file.
pub fn bad_content(defect: FileDefect) -> PyErr {
    InvalidFile::new_err(defect.message)
}

/// Returns the exception for an error that prevents a verdict.
pub fn no_verdict(e: VerdictError<&'static str>) -> PyErr {
    let text = e.to_string();
    match e {
        VerdictError::TooFewKeys { .. }
        | VerdictError::Format(_)
        | VerdictError::FormatContext(_)
        | VerdictError::FormatPrehash(_) => PyValueError::new_err(text),
        VerdictError::Signatures(defect) => bad_content(defect),
        VerdictError::Message(e) => message_error(e),
        VerdictError::Decision(DecisionError::Clock(_)) => PyOSError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    }
}

/// Returns the exception for the verdict NO.
pub fn rejected(policy: &VerdictPolicy<'_>, rejection: &Rejection, signed: &[usize]) -> PyErr {
    VerificationError::new_err((policy.message(rejection, signed), rejection.reason()))
}
