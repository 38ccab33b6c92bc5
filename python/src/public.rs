//! The public key class, which verifies signatures.

use crate::argument::{self, StableBytes};
use crate::exceptions::{InvalidSignatures, in_file, library_error, message_error, verify_error};
use crate::external_mu;
use crate::key_file::{self, FileAccess, KeyToWrite, fingerprint};
use crate::message::{WantedForm, not_a_path, read_file};
use fndsa::VerifyingKey;
use fndsa::batch::{BatchItem, ExpandedVerifyingKey, verify_batch_parallel};
use fndsa::error::{BatchError, VerifyError};
use fndsa::files::ObjectKind;
use fndsa::message::PreHasher;
use fndsa::no_alloc::{HashedMessage, Level, MessageToVerify, Verified, VerifyingHasher};
use fndsa::verdict::text::SmallFile;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A checked public key, which verifies signatures. Threads may share it.
#[pyclass(module = "fndsa", frozen)]
pub struct PublicKey {
    key: VerifyingKey,
    /// The expanded key for all verifications. The first verification computes it.
    expanded: OnceLock<Box<ExpandedVerifyingKey>>,
}

impl From<VerifyingKey> for PublicKey {
    fn from(key: VerifyingKey) -> Self {
        Self { key, expanded: OnceLock::new() }
    }
}

impl PublicKey {
    fn expanded(&self) -> &ExpandedVerifyingKey {
        self.expanded.get_or_init(|| self.key.to_ref().expand(Level::detect()))
    }

    /// Verifies a signature. A signature is valid only if the library returns the value
    /// `Verified::YES`.
    fn verdict<'m>(&self, message: impl Into<MessageToVerify<'m>>, signature: &[u8]) -> Result<(), VerifyError> {
        let mut work = vec![0; self.key.algorithm().verify_fast_work_len()];
        let verified = self.expanded().verified(message, signature, &mut work)?;
        if black_box(verified.value()) == Verified::YES { Ok(()) } else { Err(VerifyError::Mismatch) }
    }

    fn file(&self) -> KeyToWrite<'_> {
        let bytes = self.key.as_bytes();
        KeyToWrite { kind: ObjectKind::VerifyingKey, algorithm: self.key.algorithm(), bytes, public: bytes }
    }
}

#[pymethods]
impl PublicKey {
    /// Reads a public key from a file of the tool `fndsa` or of another program: PEM, DER, raw, or
    /// an X.509 certificate. Only the key of a certificate is used; its signature and dates are not
    /// checked. Pass `algorithm` if the file can belong to several algorithms.
    #[classmethod]
    #[pyo3(signature = (path, *, algorithm=None))]
    fn load(cls: &Bound<'_, PyType>, path: PathBuf, algorithm: Option<&str>) -> PyResult<Self> {
        let data = StableBytes::Copied(key_file::read(cls.py(), &path, SmallFile::Key)?.to_vec());
        Self::from_bytes(cls, data, algorithm).map_err(|e| in_file(cls.py(), &path, e))
    }

    /// Reads a public key from the contents of a file, in any format that `load` reads.
    #[classmethod]
    #[pyo3(signature = (data, *, algorithm=None))]
    fn from_bytes(cls: &Bound<'_, PyType>, data: StableBytes<'_>, algorithm: Option<&str>) -> PyResult<Self> {
        let object = key_file::read_object(cls.py(), &data, ObjectKind::VerifyingKey, algorithm, None)?;
        let key = VerifyingKey::of_algorithm(object.algorithm(), &object.bytes).map_err(library_error)?;
        Ok(key.into())
    }

    /// Verifies the signature of a message in memory. Raises `InvalidSignature` if the signature is
    /// not valid, and returns `None` otherwise.
    #[pyo3(
        signature = (signature, message, *, context=StableBytes::Copied(vec![]), prehash=None, allow_weak_prehash=false),
        text_signature = "($self, signature, message, *, context=b'', prehash=None, allow_weak_prehash=False)"
    )]
    fn verify<'py>(
        &self,
        signature: StableBytes<'py>,
        message: &Bound<'py, PyAny>,
        context: StableBytes<'py>,
        prehash: Option<&str>,
        allow_weak_prehash: bool,
    ) -> PyResult<()> {
        let form = WantedForm::new(&context, prehash, allow_weak_prehash)?;
        form.check(self.key.algorithm())?;
        let bytes: StableBytes<'_> = message.extract()?;
        let (signature, bytes): (&[u8], &[u8]) = (&signature, &bytes);
        let verdict = || {
            let digest = form.digest(bytes).map_err(VerifyError::Message)?;
            let message = form.to_verify(bytes, digest.as_ref()).map_err(VerifyError::Message)?;
            self.verdict(message, signature)
        };
        message.py().detach(verdict).map_err(verify_error)
    }

    /// Verifies the signature of a file: of all bytes that `file.read(size)` returns, from the
    /// current position to the end. Raises `InvalidSignature` if the signature is not valid, and
    /// returns `None` otherwise.
    #[pyo3(
        signature = (signature, file, *, context=StableBytes::Copied(vec![]), prehash=None, allow_weak_prehash=false),
        text_signature = "($self, signature, file, *, context=b'', prehash=None, allow_weak_prehash=False)"
    )]
    fn verify_file<'py>(
        &self,
        signature: StableBytes<'py>,
        file: &Bound<'py, PyAny>,
        context: StableBytes<'py>,
        prehash: Option<&str>,
        allow_weak_prehash: bool,
    ) -> PyResult<()> {
        not_a_path(file)?;
        let form = WantedForm::new(&context, prehash, allow_weak_prehash)?;
        let (level, hash) = (Level::detect(), self.expanded().bound_hash());
        let (algorithm, options) = (self.key.algorithm(), form.to_ref());
        form.check(algorithm)?;
        let message = match form.prehash {
            None => {
                let hasher = VerifyingHasher::new(level, algorithm, &hash, options, &signature);
                let mut hasher = hasher.map_err(message_error)?;
                read_file(file, |piece| hasher.update(piece))?;
                hasher.finish()
            }
            Some(prehash) => {
                let mut hasher = PreHasher::new(level, prehash).map_err(message_error)?;
                read_file(file, |piece| hasher.update(piece))?;
                let digest = hasher.finish();
                HashedMessage::of_digest(level, algorithm, &hash, options, &digest, &signature)
                    .map_err(message_error)?
            }
        };
        let signature: &[u8] = &signature;
        file.py().detach(|| self.verdict(&message, signature)).map_err(verify_error)
    }

    /// Computes the mu of a message in memory (FIPS 204, "external mu"): 64 bytes for
    /// `PrivateKey.sign_mu`. Only FN-DSA and ML-DSA have a mu.
    #[pyo3(
        signature = (message, *, context=StableBytes::Copied(vec![]), prehash=None, allow_weak_prehash=false),
        text_signature = "($self, message, *, context=b'', prehash=None, allow_weak_prehash=False)"
    )]
    fn mu<'py>(
        &self,
        message: &Bound<'py, PyAny>,
        context: StableBytes<'py>,
        prehash: Option<&str>,
        allow_weak_prehash: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = message.py();
        let form = WantedForm::new(&context, prehash, allow_weak_prehash)?;
        let mu = external_mu::compute_mu(self.key.algorithm(), &self.key.key_hash(), &form, |take| {
            let bytes: StableBytes<'_> = message.extract()?;
            let bytes: &[u8] = &bytes;
            py.detach(|| take(bytes));
            Ok(())
        })?;
        Ok(PyBytes::new(py, mu.as_bytes()))
    }

    /// Computes the mu of a file: of all bytes that `file.read(size)` returns, from the current
    /// position to the end.
    #[pyo3(
        signature = (file, *, context=StableBytes::Copied(vec![]), prehash=None, allow_weak_prehash=false),
        text_signature = "($self, file, *, context=b'', prehash=None, allow_weak_prehash=False)"
    )]
    fn mu_file<'py>(
        &self,
        file: &Bound<'py, PyAny>,
        context: StableBytes<'py>,
        prehash: Option<&str>,
        allow_weak_prehash: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        not_a_path(file)?;
        let form = WantedForm::new(&context, prehash, allow_weak_prehash)?;
        let feed = |take: &mut (dyn FnMut(&[u8]) + Send)| read_file(file, take);
        let mu = external_mu::compute_mu(self.key.algorithm(), &self.key.key_hash(), &form, feed)?;
        Ok(PyBytes::new(file.py(), mu.as_bytes()))
    }

    /// Verifies the signature of a mu, which contains the context and the pre-hash. Raises
    /// `InvalidSignature` if the signature is not valid, and returns `None` otherwise.
    fn verify_mu(&self, py: Python<'_>, signature: StableBytes<'_>, mu: StableBytes<'_>) -> PyResult<()> {
        let mu = external_mu::parse_mu(self.key.algorithm(), &mu)?;
        let signature: &[u8] = &signature;
        py.detach(|| self.verdict(&mu, signature)).map_err(verify_error)
    }

    /// The name of the algorithm, one of `ALGORITHMS`.
    #[getter]
    fn algorithm(&self) -> String {
        argument::name(self.key.algorithm())
    }

    /// The fingerprint of the key: `sha256:` and the SHA-256 digest of the raw key in hexadecimal.
    #[getter]
    fn fingerprint(&self) -> String {
        fingerprint(self.key.as_bytes())
    }

    /// Returns the raw key.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.key.as_bytes())
    }

    /// Returns the key in PEM, as the tool `fndsa` writes it.
    fn to_pem<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.file().contents(py, "pem", None)?))
    }

    /// Writes the key to a new file, in the format `pem` or `raw`. Raises `FileExistsError` if the
    /// file exists, and does not change that file.
    #[pyo3(signature = (path, *, format="pem"))]
    fn save(&self, py: Python<'_>, path: PathBuf, format: &str) -> PyResult<()> {
        key_file::write_new(py, &path, FileAccess::Default, &self.file().contents(py, format, None)?)
    }

    fn __repr__(&self) -> String {
        format!("<fndsa.PublicKey {} {}>", self.algorithm(), self.fingerprint())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast_exact::<Self>().is_ok_and(|other| other.get().key == self.key)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.key.algorithm(), self.key.as_bytes()).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns a function and its argument that create the key again, for pickle and copy.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let from_bytes = py.get_type::<Self>().getattr("from_bytes")?;
        let named = PyDict::new(py);
        named.set_item("algorithm", self.algorithm())?;
        let from_bytes = py.import("functools")?.call_method("partial", (from_bytes,), Some(&named))?;
        (from_bytes, (self.to_bytes(py),)).into_pyobject(py)
    }
}

/// An item to verify: a public key, a signature and a message.
struct VerificationItem<'py> {
    key: Bound<'py, PublicKey>,
    signature: StableBytes<'py>,
    message: StableBytes<'py>,
}

impl<'py> VerificationItem<'py> {
    fn extract(form: &WantedForm, item: &Bound<'py, PyAny>) -> PyResult<Self> {
        let (key, signature, message): (Bound<'py, PublicKey>, StableBytes<'py>, Bound<'py, PyAny>) = item.extract()?;
        form.check(key.get().key.algorithm())?;
        Ok(Self { key, signature, message: message.extract()? })
    }
}

/// Verifies many signatures, faster than with a call of `verify` for each signature. Each of
/// `items` is a tuple of public key, signature and message; all items have the same context and
/// pre-hash. Returns `None` if all signatures are valid. Otherwise raises `InvalidSignatures`,
/// which contains each invalid signature's number and the reason. Raises `ValueError` if there are
/// no items, because such a call would verify nothing.
#[pyfunction]
#[pyo3(
    signature = (items, *, context=StableBytes::Copied(vec![]), prehash=None, allow_weak_prehash=false, threads=None),
    text_signature = "(items, *, context=b'', prehash=None, allow_weak_prehash=False, threads=None)"
)]
pub fn verify_many<'py>(
    items: &Bound<'py, PyAny>,
    context: StableBytes<'py>,
    prehash: Option<&str>,
    allow_weak_prehash: bool,
    threads: Option<usize>,
) -> PyResult<()> {
    let py = items.py();
    let (form, threads) = (WantedForm::new(&context, prehash, allow_weak_prehash)?, argument::threads(threads)?);
    let owned_items =
        items.try_iter()?.map(|item| VerificationItem::extract(&form, &item?)).collect::<PyResult<Vec<_>>>()?;
    if owned_items.is_empty() {
        return Err(PyValueError::new_err(
            "there are no items: pass at least one item, because without an item nothing is verified",
        ));
    }
    let parts: Vec<(&PublicKey, &[u8], &[u8])> =
        owned_items.iter().map(|item| (item.key.get(), &*item.signature, &*item.message)).collect();
    let mut verdicts = vec![Err(VerifyError::Mismatch); parts.len()];
    let result = py.detach(|| {
        let mut digests = Vec::with_capacity(parts.len());
        for (_, _, message) in &parts {
            digests.push(form.digest(message)?);
        }
        let mut items = Vec::with_capacity(parts.len());
        for (&(key, signature, message), digest) in parts.iter().zip(&digests) {
            let message = form.to_verify(message, digest.as_ref())?;
            items.push(BatchItem { key: key.expanded(), message, signature });
        }
        Ok(verify_batch_parallel(&items, &mut verdicts, threads))
    });
    match result.map_err(message_error)? {
        Ok(()) if verdicts.iter().all(Result::is_ok) => Ok(()),
        Ok(()) | Err(BatchError::Refused { .. }) => {
            let rejected = PyDict::new(py);
            for (number, verdict) in verdicts.iter().enumerate() {
                if let Err(e) = verdict {
                    rejected.set_item(number, e.to_string())?;
                }
            }
            Err(InvalidSignatures::new_err((rejected.unbind(), verdicts.len())))
        }
        Err(e) => Err(PyRuntimeError::new_err(e.to_string())),
    }
}
