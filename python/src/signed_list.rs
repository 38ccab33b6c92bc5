//! The class for signed lists: the checksums in a list that a policy has accepted.

use crate::exceptions::{InvalidFile, VerificationError};
use crate::message::{not_a_path, read_file};
use crate::signer::{Signer, no_verdict, rejected};
use fndsa::files::Date;
use fndsa::files::hex::hex;
use fndsa::files::manifest::ChecksumList;
#[cfg(not(windows))]
use fndsa::files::manifest::{canonical, parse};
#[cfg(windows)]
use fndsa::files::windows::{canonical, parse};
use fndsa::verdict::{
    Evidence, ListError, ListOutcome, Policy as VerdictPolicy, Rejection, VerificationDay, verify_list_in_memory,
};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// A signed list that a policy has accepted, with a checksum for each file.
#[pyclass(module = "fndsa", frozen)]
pub struct SignedList {
    /// The keys that have signed the list.
    signers: Vec<Signer>,
    /// The last day on which to accept the list.
    best_before: Option<Date>,
    /// Each listed file's checksum. The key in this map is the canonical spelling of the file's
    /// name.
    files: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl SignedList {
    fn new(signers: Vec<Signer>, list: &ChecksumList<'_>) -> Self {
        let files = list.files.iter().map(|listed| (listed.name.to_vec(), listed.digest())).collect();
        Self { signers, best_before: list.best_before, files }
    }

    /// Verifies a list under a policy. If `signatures` is `None`, the list itself must contain the
    /// signatures.
    pub fn verified(
        policy: &VerdictPolicy<'_>,
        list: &[u8],
        signatures: Option<&[u8]>,
        context: &[u8],
        day: &VerificationDay,
    ) -> PyResult<Self> {
        let outcome = verify_list_in_memory(policy, list, signatures, context, parse, day);
        match outcome.map_err(no_list_verdict)? {
            ListOutcome::Accepted { keys, evidence, list } if evidence.holds() => {
                Ok(Self::new(keys.iter().map(|index| Signer::of(&policy.keys[*index])).collect(), &list))
            }
            ListOutcome::Accepted { .. } => Err(PyRuntimeError::new_err("a check of a signature was skipped")),
            ListOutcome::Rejected { rejection, keys } => Err(rejected(policy, &rejection, &keys)),
        }
    }
}

#[pymethods]
impl SignedList {
    /// The trusted keys that have signed the list.
    #[getter]
    fn signers(&self) -> Vec<Signer> {
        self.signers.clone()
    }

    /// The last day on which to accept the list, or `None`.
    #[getter]
    fn best_before<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(day) = self.best_before else { return Ok(None) };
        let class = py.import("datetime")?.getattr("date")?;
        class.call_method1("fromisoformat", (day.to_string(),)).map(Some)
    }

    /// A new dictionary that maps each listed file name to its SHA-256 checksum in hexadecimal.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let files = PyDict::new(py);
        for (name, digest) in &self.files {
            files.set_item(file_name(name)?, hex(digest))?;
        }
        Ok(files)
    }

    /// Verifies a file: compares its name and its SHA-256 checksum with the list. The contents are
    /// all bytes that `file.read(size)` returns, from the current position to the end. Raises
    /// `VerificationError` if the list does not contain the name, or contains a checksum that is
    /// not the checksum of the contents. Returns `None` otherwise.
    fn verify_file(&self, name: OsString, file: &Bound<'_, PyAny>) -> PyResult<()> {
        not_a_path(file)?;
        let canonical = canonical(name.as_encoded_bytes()).ok();
        let listed = canonical.and_then(|name| self.files.get(&*name));
        let listed = listed.ok_or_else(|| bad_listed_file(&Rejection::NotListed { list: None }))?;
        let mut hash = Sha256::new();
        read_file(file, |piece| hash.update(piece))?;
        if Evidence::of_equal(listed, &hash.finalize()).holds() {
            Ok(())
        } else {
            Err(bad_listed_file(&Rejection::Checksum { list: None }))
        }
    }

    fn __repr__(&self) -> String {
        format!("<fndsa.SignedList of {} files>", self.files.len())
    }
}

/// Converts a name in a list to a file name.
#[cfg(unix)]
fn file_name(name: &[u8]) -> PyResult<&OsStr> {
    use std::os::unix::ffi::OsStrExt;
    Ok(OsStr::from_bytes(name))
}

/// Converts a name in a list to a file name. On systems other than Unix, the parser accepts only
/// names in UTF-8.
#[cfg(not(unix))]
fn file_name(name: &[u8]) -> PyResult<&OsStr> {
    let text = std::str::from_utf8(name);
    text.map(OsStr::new).map_err(|e| PyRuntimeError::new_err(e.to_string()))
}

/// Converts the verdict NO for a file in a list to an exception.
fn bad_listed_file(rejection: &Rejection) -> PyErr {
    VerificationError::new_err((rejection.words(), rejection.reason()))
}

/// Converts an error that prevents a verdict on a list to an exception.
fn no_list_verdict(e: ListError<&'static str>) -> PyErr {
    let text = e.to_string();
    match e {
        ListError::Unsigned => InvalidFile::new_err(format!("{text}: pass signatures")),
        ListError::Content(_) => InvalidFile::new_err(text),
        ListError::Verdict(e) => no_verdict(e),
        ListError::Clock(_) => PyOSError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    }
}
