//! The private key class, and signing.

use crate::argument::{self, Password, SecretBytes, StableBytes};
use crate::exceptions::{OperationFailed, expand_error, in_file, library_error, private_key_error, sign_error};
use crate::external_mu;
use crate::key_file::{self, FileAccess, KeyToWrite, fingerprint};
use crate::message::{WantedForm, not_a_path, read_file};
use crate::policy::signature_format;
use crate::public::PublicKey;
use fndsa::batch::ExpandedSigningKey;
use fndsa::files::{CheckedPrivateKey, ObjectKind};
use fndsa::no_alloc::Level;
use fndsa::verdict::text::SmallFile;
use fndsa::verdict::{FormatSigningError, SignatureFormat, sign_in_memory};
use fndsa::{SigningKey, VerifyingKey};
use getrandom::SysRng;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::thread;

/// A private key, checked in full, which signs messages. Its memory is wiped when the last
/// reference to the object is deleted. Threads may share it.
#[pyclass(module = "fndsa", frozen)]
pub struct PrivateKey {
    key: SigningKey,
    public: VerifyingKey,
    /// The expanded key. The first signature for a message in memory or for a mu computes it.
    expanded: OnceLock<Box<ExpandedSigningKey>>,
}

impl PrivateKey {
    fn expanded(&self) -> PyResult<&ExpandedSigningKey> {
        if let Some(expanded) = self.expanded.get() {
            return Ok(expanded);
        }
        let mut work = vec![0; self.key.algorithm().sign_work_len()];
        let expanded = self.key.to_ref().expand(Level::detect(), &mut work).map_err(expand_error)?;
        // If two threads expand the key at the same time, the slower thread's key is dropped.
        Ok(self.expanded.get_or_init(|| expanded))
    }

    /// Signs a message with the context and the pre-hash in `form`.
    fn signature(&self, form: &WantedForm, message: &[u8]) -> PyResult<Vec<u8>> {
        let (key, algorithm) = (self.expanded()?, self.key.algorithm());
        let mut signature = vec![0; algorithm.signature_len()];
        let mut work = vec![0; algorithm.sign_expanded_work_len()];
        key.sign_message(form.to_ref(), message, &mut SysRng, &mut signature, &mut work).map_err(sign_error)?;
        Ok(signature)
    }

    /// Signs several messages in one library call. The library hashes up to eight messages at the
    /// same time, except for Ed25519 and composites. In the Falcon family, the library also signs
    /// these messages at the same time. Returns the signatures in the order of the messages.
    fn sign_in_lanes(&self, form: &WantedForm, messages: &[&[u8]]) -> PyResult<Vec<Vec<u8>>> {
        let (key, algorithm) = (self.expanded()?, self.key.algorithm());
        let mut signatures = vec![0; messages.len() * algorithm.signature_len()];
        let mut work = vec![0; algorithm.sign_batch_work_len()];
        let result = key.sign_message_batch(form.to_ref(), messages, &mut SysRng, &mut signatures, &mut work);
        result.map_err(sign_error)?;
        Ok(signatures.chunks(algorithm.signature_len()).map(<[u8]>::to_vec).collect())
    }

    /// Signs several messages in several threads. Each thread signs its share with
    /// [`Self::sign_in_lanes`]. The signatures have the same order as the messages.
    fn sign_in_threads(&self, form: &WantedForm, messages: &[&[u8]], threads: NonZeroUsize) -> PyResult<Vec<Vec<u8>>> {
        // Expand the key before the threads start, because otherwise each thread would expand it.
        self.expanded()?;
        let share_len = messages.len().div_ceil(threads.get()).max(1);
        let sign = |share: &[&[u8]]| self.sign_in_lanes(form, share);
        thread::scope(|scope| {
            let mut shares = messages.chunks(share_len);
            // The calling thread signs the first share.
            let first_share = shares.next().unwrap_or_default();
            let start_thread =
                |share| thread::Builder::new().spawn_scoped(scope, move || sign(share)).map_err(|_| share);
            let threads: Vec<_> = shares.map(start_thread).collect();
            let mut signatures: Vec<Vec<u8>> = sign(first_share)?;
            for thread in threads {
                let result = match thread {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                    // The system could not start a thread for this share, so the calling thread
                    // signs it.
                    Err(share) => sign(share),
                };
                signatures.extend::<Vec<_>>(result?);
            }
            Ok(signatures)
        })
    }

    /// Returns the contents of a private key file, encrypted if there is a password.
    fn contents(
        &self,
        py: Python<'_>,
        format: &str,
        password: Option<Password>,
    ) -> PyResult<zeroize::Zeroizing<Vec<u8>>> {
        let file = KeyToWrite {
            kind: ObjectKind::SigningKey,
            algorithm: self.key.algorithm(),
            bytes: self.key.as_bytes(),
            public: self.public.as_bytes(),
        };
        file.contents(py, format, password)
    }
}

#[pymethods]
impl PrivateKey {
    /// Reads a private key from a file of the tool `fndsa` or of another program: PEM, DER or raw.
    /// Pass the password if the key is encrypted. The key is checked in full. Pass `algorithm` if
    /// the file can belong to several algorithms.
    #[classmethod]
    #[pyo3(signature = (path, *, password=None, algorithm=None))]
    fn load(
        cls: &Bound<'_, PyType>,
        path: PathBuf,
        password: Option<Password>,
        algorithm: Option<&str>,
    ) -> PyResult<Self> {
        let data = SecretBytes(key_file::read(cls.py(), &path, SmallFile::Key)?);
        Self::from_bytes(cls, data, password, algorithm).map_err(|e| in_file(cls.py(), &path, e))
    }

    /// Reads a private key from the contents of a file, in any format that `load` reads.
    #[classmethod]
    #[pyo3(signature = (data, *, password=None, algorithm=None))]
    fn from_bytes(
        cls: &Bound<'_, PyType>,
        data: SecretBytes,
        password: Option<Password>,
        algorithm: Option<&str>,
    ) -> PyResult<Self> {
        let key_object = key_file::read_object(cls.py(), &data.0, ObjectKind::SigningKey, algorithm, password)?;
        let checked = cls.py().detach(|| {
            let CheckedPrivateKey { key, public, .. } = key_object.private_key(Level::detect())?;
            Ok((SigningKey::from(&key), public))
        });
        let (key, public) = checked.map_err(private_key_error)?;
        let public = VerifyingKey::of_algorithm(key.algorithm(), &public).map_err(library_error)?;
        Ok(Self { key, public, expanded: OnceLock::new() })
    }

    /// Signs a message in memory. The signature is verified before it is returned.
    #[pyo3(
        signature = (message, *, context=StableBytes::Copied(vec![]), prehash=None, allow_weak_prehash=false),
        text_signature = "($self, message, *, context=b'', prehash=None, allow_weak_prehash=False)"
    )]
    fn sign<'py>(
        &self,
        message: &Bound<'py, PyAny>,
        context: StableBytes<'py>,
        prehash: Option<&str>,
        allow_weak_prehash: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = message.py();
        let form = WantedForm::new(&context, prehash, allow_weak_prehash)?;
        form.check(self.key.algorithm())?;
        let message: StableBytes<'_> = message.extract()?;
        let message: &[u8] = &message;
        Ok(PyBytes::new(py, &py.detach(|| self.signature(&form, message))?))
    }

    /// Signs a file: all bytes that `file.read(size)` returns, from the current position to the
    /// end. The signature is verified before it is returned.
    #[pyo3(
        signature = (file, *, context=StableBytes::Copied(vec![]), prehash=None, allow_weak_prehash=false),
        text_signature = "($self, file, *, context=b'', prehash=None, allow_weak_prehash=False)"
    )]
    fn sign_file<'py>(
        &self,
        file: &Bound<'py, PyAny>,
        context: StableBytes<'py>,
        prehash: Option<&str>,
        allow_weak_prehash: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = file.py();
        not_a_path(file)?;
        let form = WantedForm::new(&context, prehash, allow_weak_prehash)?;
        form.check(self.key.algorithm())?;
        let mut signer = self.key.signer(form.to_ref(), &mut SysRng).map_err(library_error)?;
        read_file(file, |piece| signer.update(piece))?;
        let signature = py.detach(|| signer.finish(&mut SysRng)).map_err(library_error)?;
        Ok(PyBytes::new(py, signature.as_bytes()))
    }

    /// Signs a message in memory, and returns a signature file for programs other than fndsa. With
    /// `ssh`, the file is an SSH signature for this namespace. With `jws=True`, it is a JSON Web
    /// Signature. With `cms=True`, it is a CMS signature. The file does not contain the message.
    /// `certificate` is the key's certificate, for CMS. The file is verified before it is returned.
    #[pyo3(
        signature = (message, *, ssh=None, jws=false, cms=false, certificate=None),
        text_signature = "($self, message, *, ssh=None, jws=False, cms=False, certificate=None)"
    )]
    fn sign_format<'py>(
        &self,
        message: &Bound<'py, PyAny>,
        ssh: Option<&str>,
        jws: bool,
        cms: bool,
        certificate: Option<StableBytes<'py>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = message.py();
        let format = signature_format(ssh, jws, cms)?;
        if format == SignatureFormat::Fndsa {
            return Err(PyValueError::new_err(
                "pass ssh=NAMESPACE, jws=True or cms=True; sign() makes other signatures",
            ));
        }
        let message: StableBytes<'_> = message.extract()?;
        let message: &[u8] = &message;
        let certificate: Option<&[u8]> = certificate.as_deref();
        let file = py.detach(|| sign_in_memory(&self.key, &format, certificate, message, &mut SysRng));
        let file = file.map_err(|e| match e {
            FormatSigningError::Input(defect) => PyValueError::new_err(defect.message),
            FormatSigningError::Sign(e) => library_error(e),
            e => OperationFailed::new_err(e.to_string()),
        })?;
        Ok(PyBytes::new(py, &file))
    }

    /// Signs a mu, which `PublicKey.mu` or another program has computed. The context and the
    /// pre-hash are already in the mu. The signature is verified before it is returned.
    fn sign_mu<'py>(&self, py: Python<'py>, mu: StableBytes<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let algorithm = self.key.algorithm();
        let mu = external_mu::parse_mu(algorithm, &mu)?;
        let signature = py.detach(|| {
            let mut signature = vec![0; algorithm.signature_len()];
            let mut work = vec![0; algorithm.sign_expanded_work_len()];
            self.expanded()?.sign(&mu, &mut SysRng, &mut signature, &mut work).map_err(sign_error)?;
            PyResult::Ok(signature)
        })?;
        Ok(PyBytes::new(py, &signature))
    }

    /// Signs many messages, faster than with a call of `sign` for each message. Returns the
    /// signatures in the order of the messages. All messages have the same context and pre-hash.
    /// All signatures are verified before the list is returned.
    #[pyo3(
        signature = (messages, *, context=StableBytes::Copied(vec![]), prehash=None, allow_weak_prehash=false, threads=None),
        text_signature = "($self, messages, *, context=b'', prehash=None, allow_weak_prehash=False, threads=None)"
    )]
    fn sign_many<'py>(
        &self,
        messages: &Bound<'py, PyAny>,
        context: StableBytes<'py>,
        prehash: Option<&str>,
        allow_weak_prehash: bool,
        threads: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let py = messages.py();
        let (form, threads) = (WantedForm::new(&context, prehash, allow_weak_prehash)?, argument::threads(threads)?);
        form.check(self.key.algorithm())?;
        let owned_messages =
            messages.try_iter()?.map(|message| message?.extract()).collect::<PyResult<Vec<StableBytes<'_>>>>()?;
        let messages: Vec<&[u8]> = owned_messages.iter().map(|message| &**message).collect();
        let signatures = py.detach(|| self.sign_in_threads(&form, &messages, threads))?;
        Ok(signatures.iter().map(|signature| PyBytes::new(py, signature)).collect())
    }

    /// Returns the public key.
    fn public_key(&self) -> PublicKey {
        self.public.clone().into()
    }

    /// The name of the algorithm, one of `ALGORITHMS`.
    #[getter]
    fn algorithm(&self) -> String {
        argument::name(self.key.algorithm())
    }

    /// The fingerprint of the public key: `sha256:` and the SHA-256 digest of the raw public key in
    /// hexadecimal.
    #[getter]
    fn fingerprint(&self) -> String {
        fingerprint(self.public.as_bytes())
    }

    /// Returns the raw private key. The bytes are secret, and Python does not wipe them. To write a
    /// file, use `save`, which creates no Python object with the key.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.key.as_bytes())
    }

    /// Returns the key in PEM, as the tool `fndsa` writes it, encrypted if you pass a password.
    /// Without a password, the PEM is secret, and Python does not wipe it. To write a file, use
    /// `save`, which creates no Python object with the key.
    #[pyo3(signature = (password=None))]
    fn to_pem<'py>(&self, py: Python<'py>, password: Option<Password>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.contents(py, "pem", password)?))
    }

    /// Writes the key to a new file that only its owner can read, in the format `pem` or `raw`,
    /// encrypted if you pass a password. Raises `FileExistsError` if the file exists, and does not
    /// change that file.
    #[pyo3(signature = (path, *, password=None, format="pem"))]
    fn save(&self, py: Python<'_>, path: PathBuf, password: Option<Password>, format: &str) -> PyResult<()> {
        key_file::write_new(py, &path, FileAccess::Owner, &self.contents(py, format, password)?)
    }

    fn __repr__(&self) -> String {
        format!("<fndsa.PrivateKey {} of public key {}>", self.algorithm(), self.fingerprint())
    }

    /// Raises `TypeError`, because a private key cannot be pickled or copied.
    fn __reduce_ex__(&self, _protocol: usize) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a private key cannot be pickled or copied: share the object, or use save() and load()",
        ))
    }
}

/// Makes a new private key from random bytes of the operating system.
#[pyfunction]
#[pyo3(signature = (algorithm="fn-dsa-512"))]
pub fn generate(py: Python<'_>, algorithm: &str) -> PyResult<PrivateKey> {
    let algorithm = argument::algorithm(algorithm)?;
    let generated = py.detach(|| {
        let key = SigningKey::generate(algorithm, &mut SysRng)?;
        let public = key.verifying_key();
        Ok((key, public))
    });
    let (key, public) = generated.map_err(library_error)?;
    Ok(PrivateKey { key, public, expanded: OnceLock::new() })
}
