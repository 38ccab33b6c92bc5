//! The policy class: trusted keys, the number of keys that must have signed, and the signature
//! files' format.

use crate::argument::StableBytes;
use crate::exceptions::in_file;
use crate::key_file;
use crate::message::WantedForm;
use crate::signed_list::SignedList;
use crate::signer::{Signer, bad_content, no_verdict, rejected};
use fndsa::files::Date;
use fndsa::no_alloc::Level;
use fndsa::verdict::allowed_signers::SignerName;
use fndsa::verdict::{
    DecisionOutcome, Policy as VerdictPolicy, RequiredKeys, SignatureFileData, SignatureFormat, TrustedKey,
    VerificationDay, parse_fingerprint, read_allowed_signers, read_trusted_keys, verify_in_memory,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::path::PathBuf;

/// Trusted keys, and how many of them must have signed a message. `trusted_keys` is a trusted key
/// file's content: public keys in PEM, with key lines before them. `require` is the number of
/// different keys that must have signed, or "all". With `expected`, only keys with these
/// fingerprints are accepted. `at` is the day of the verification; the default is today (UTC).
///
/// By default, signature files are files of fndsa. With `ssh`, they are SSH signatures for this
/// namespace. With `jws=True`, they are JSON Web Signatures. With `cms=True`, they are CMS
/// signatures. No signature file may contain the message. With `signer`, `trusted_keys` is
/// OpenSSH's file with allowed signers, and only this signer's keys are accepted.
#[pyclass(module = "fndsa", frozen)]
pub struct Policy {
    keys: Vec<TrustedKey>,
    required_keys: RequiredKeys,
    expected: Vec<String>,
    day: VerificationDay,
    format: SignatureFormat,
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (trusted_keys, *, require=None, expected=None, at=None, ssh=None, jws=false, cms=false, signer=None),
        text_signature = "(trusted_keys, *, require=1, expected=None, at=None, ssh=None, jws=False, cms=False, signer=None)")]
    fn new(
        py: Python<'_>,
        trusted_keys: StableBytes<'_>,
        require: Option<&Bound<'_, PyAny>>,
        expected: Option<Vec<String>>,
        at: Option<&Bound<'_, PyAny>>,
        ssh: Option<&str>,
        jws: bool,
        cms: bool,
        signer: Option<&str>,
    ) -> PyResult<Self> {
        let format = signature_format(ssh, jws, cms)?;
        let signer = signer.map(|name| name.parse::<SignerName>().map_err(PyValueError::new_err)).transpose()?;
        let required_keys = require.map_or(Ok(RequiredKeys::Number(1)), required)?;
        if expected.as_ref().is_some_and(Vec::is_empty) {
            return Err(PyValueError::new_err(
                "expected has no fingerprint: leave expected out to accept each trusted key",
            ));
        }
        let expected = expected.unwrap_or_default();
        let expected = expected
            .iter()
            .map(|text| parse_fingerprint(text))
            .collect::<Result<Vec<_>, _>>()
            .map_err(PyValueError::new_err)?;
        let day = VerificationDay(at.map(date).transpose()?);
        let data: &[u8] = &trusted_keys;
        let level = Level::detect();
        let keys = match (&signer, &format) {
            (None, _) => py.detach(|| read_trusted_keys(data, &expected, level)),
            (Some(signer), SignatureFormat::Ssh(namespace)) => {
                py.detach(|| read_allowed_signers(data, signer, namespace, &expected, level))
            }
            (Some(_), _) => return Err(PyValueError::new_err("signer is only for SSH signatures: add ssh=NAMESPACE")),
        };
        Ok(Self { keys: keys.map_err(bad_content)?, required_keys, expected, day, format })
    }

    /// Reads the trusted keys from a file. The keyword arguments have the same meaning as for
    /// `Policy`.
    #[classmethod]
    #[pyo3(signature = (path, *, require=None, expected=None, at=None, ssh=None, jws=false, cms=false, signer=None),
        text_signature = "($type, path, *, require=1, expected=None, at=None, ssh=None, jws=False, cms=False, signer=None)")]
    fn load(
        cls: &Bound<'_, PyType>,
        path: PathBuf,
        require: Option<&Bound<'_, PyAny>>,
        expected: Option<Vec<String>>,
        at: Option<&Bound<'_, PyAny>>,
        ssh: Option<&str>,
        jws: bool,
        cms: bool,
        signer: Option<&str>,
    ) -> PyResult<Self> {
        let py = cls.py();
        let data = StableBytes::Copied(key_file::read_keys(py, &path)?);
        Self::new(py, data, require, expected, at, ssh, jws, cms, signer).map_err(|e| in_file(py, &path, e))
    }

    /// Verifies a message in memory. `signatures` is the content of a signature file. Returns the
    /// trusted keys that have signed, up to the number that the policy requires. Raises
    /// `VerificationError` if the verdict is NO.
    #[pyo3(
        signature = (signatures, message, *, context=StableBytes::Copied(vec![]), prehash=None, allow_weak_prehash=false),
        text_signature = "($self, signatures, message, *, context=b'', prehash=None, allow_weak_prehash=False)"
    )]
    fn verify<'py>(
        &self,
        signatures: StableBytes<'py>,
        message: &Bound<'py, PyAny>,
        context: StableBytes<'py>,
        prehash: Option<&str>,
        allow_weak_prehash: bool,
    ) -> PyResult<Vec<Signer>> {
        let form = WantedForm::new(&context, prehash, allow_weak_prehash)?;
        let bytes: StableBytes<'_> = message.extract()?;
        let (signatures, bytes): (&[u8], &[u8]) = (&signatures, &bytes);
        message.py().detach(|| {
            let policy = VerdictPolicy::new(&self.keys, &self.expected, self.required_keys);
            let signatures = SignatureFileData::new(&self.format, signatures);
            let verdict = verify_in_memory(&policy, signatures, bytes, form.to_ref(), Level::detect(), &self.day);
            match verdict.map_err(no_verdict)? {
                DecisionOutcome::Accepted { keys, evidence } if evidence.holds() => {
                    Ok(keys.iter().map(|index| Signer::of(&self.keys[*index])).collect())
                }
                DecisionOutcome::Accepted { .. } => Err(PyRuntimeError::new_err("a check of a signature was skipped")),
                DecisionOutcome::Rejected { rejection, keys, .. } => Err(rejected(&policy, &rejection, &keys)),
            }
        })
    }

    /// Verifies a signed list of checksums, for example `SHA256SUMS`. `list` is the content of the
    /// list, and `signatures` is the content of its signature file. Without `signatures`, the list
    /// must contain its signatures. Returns a `SignedList`, which can verify the listed files.
    /// Raises `VerificationError` if the verdict is NO, or if the last day of the list is over.
    #[pyo3(
        signature = (list, signatures=None, *, context=StableBytes::Copied(vec![])),
        text_signature = "($self, list, signatures=None, *, context=b'')"
    )]
    fn verify_list<'py>(
        &self,
        py: Python<'py>,
        list: StableBytes<'py>,
        signatures: Option<StableBytes<'py>>,
        context: StableBytes<'py>,
    ) -> PyResult<SignedList> {
        if self.format != SignatureFormat::Fndsa {
            return Err(PyValueError::new_err(format!(
                "a list has no {}: make the policy without ssh, jws and cms",
                self.format.title()
            )));
        }
        let (list, signatures): (&[u8], Option<&[u8]>) = (&list, signatures.as_deref());
        let context: &[u8] = &context;
        py.detach(|| {
            let policy = VerdictPolicy::new(&self.keys, &self.expected, self.required_keys);
            SignedList::verified(&policy, list, signatures, context, &self.day)
        })
    }
}

/// Converts the arguments `ssh`, `jws` and `cms` to the format of signature files.
pub fn signature_format(ssh: Option<&str>, jws: bool, cms: bool) -> PyResult<SignatureFormat> {
    match (ssh, jws, cms) {
        (None, false, false) => Ok(SignatureFormat::Fndsa),
        (Some(namespace), false, false) => Ok(SignatureFormat::Ssh(namespace.parse().map_err(PyValueError::new_err)?)),
        (None, true, false) => Ok(SignatureFormat::Jws),
        (None, false, true) => Ok(SignatureFormat::Cms),
        _ => Err(PyValueError::new_err("ssh, jws and cms are different formats: pass only one of them")),
    }
}

/// Converts the argument `require`: the number of keys that must have signed, or "all".
fn required(given: &Bound<'_, PyAny>) -> PyResult<RequiredKeys> {
    let wrong = || PyValueError::new_err("require is the number of keys that must have signed, at least 1, or \"all\"");
    if let Ok(text) = given.cast::<PyString>() {
        return if text.to_cow()? == "all" { Ok(RequiredKeys::All) } else { Err(wrong()) };
    }
    match given.extract::<usize>() {
        Ok(number) if number > 0 => Ok(RequiredKeys::Number(number)),
        Err(e) if e.is_instance_of::<PyTypeError>(given.py()) => Err(e),
        _ => Err(wrong()),
    }
}

/// Converts the argument `at`, which must be a `datetime.date`.
fn date(given: &Bound<'_, PyAny>) -> PyResult<Date> {
    let class = given.py().import("datetime")?.getattr("date")?;
    if !given.get_type().is(&class) {
        return Err(PyTypeError::new_err("at is a day: pass a datetime.date"));
    }
    let text: String = given.call_method0("isoformat")?.extract()?;
    text.parse().map_err(|_| PyValueError::new_err(format!("{text} is before the first day that fndsa knows")))
}
