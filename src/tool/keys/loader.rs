//! Loads keys and signatures for the commands. Checks that a file contains the expected object (a
//! private key, a public key or a signature), and checks private keys completely.

use super::key_note::note_warning;
use super::unlock::LazyPassword;
use crate::tool::io::{ANY_KIND, Destination, InputSource, secrecy};
use crate::tool::report::{Error, KeyPart, Report};
use fndsa::files::{
    self, CheckedPrivateKey, DecryptError, Defect, EncryptedPrivateKey, FileContent, FileEncoding, FileObject,
    ObjectKind, PrivateKeyError, ReadOptions,
};
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::verdict::fingerprint;
use std::fmt::Display;
use zeroize::Zeroizing;

pub use fndsa::verdict::text::CERTIFICATE_NOTE;

/// Whether toy algorithms (with small, insecure degrees) and weak pre-hashes are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowWeak(pub bool);

/// A reader for key files and signature files that applies the command's options, such as the
/// accepted kinds and the password for private keys.
pub struct ObjectLoader {
    accept: ReadOptions,
    unlock: Option<LazyPassword>,
}

impl ObjectLoader {
    /// Creates a loader that does not decrypt private keys. It accepts the algorithms in `accept`,
    /// and toy algorithms if `weak` allows them. It also accepts HashML-DSA keys, because
    /// [`MessageForm::bound`](crate::tool::message::form::MessageForm::bound) later restricts each
    /// of these keys to its pre-hash.
    pub fn new(accept: ReadOptions, weak: AllowWeak) -> Self {
        Self { accept: accept.with_allow_hash_ml_dsa(true).with_allow_toys(weak.0), unlock: None }
    }

    /// Creates a loader that accepts signatures of all algorithms, because the keys of the verifier
    /// determine the accepted algorithms.
    pub fn of_signatures() -> Self {
        Self::new(ReadOptions::default(), AllowWeak(true))
    }

    /// Lets the loader decrypt private keys with a password.
    pub fn with(self, unlock: LazyPassword) -> Self {
        Self { unlock: Some(unlock), ..self }
    }

    /// Checks that the user gave a password only if a key needs it (see
    /// [`LazyPassword::check_use`]). Call this function after all files have been read.
    ///
    /// # Errors
    /// Fails if a password was given with an option, but all keys can be read without it.
    pub fn check_password_use(&self, has_private_key: bool, report: &mut Report) -> Result<(), Error> {
        match &self.unlock {
            Some(unlock) => unlock.check_use(has_private_key, report),
            None => Ok(()),
        }
    }

    /// Returns whether the loader can decrypt private keys.
    pub const fn opens(&self) -> bool {
        self.unlock.is_some()
    }

    /// Reads a file that can contain a private key, a public key or a signature. Decrypts an
    /// encrypted private key.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if [`Self::look`] or [`Self::open`] fails.
    pub fn any(&self, source: &InputSource) -> Result<FileObject, Error> {
        let data = source.read_small().map_err(|e| source.explain_missing(e, &ANY_KIND))?;
        match self.look(&data, source)? {
            FileContent::Plain(object) => Ok(object),
            FileContent::Locked(locked) => self.open(&locked, source),
        }
    }

    /// Reads a file that must contain an object of type `wanted`, for example a public key.
    /// Decrypts the private key if it is encrypted.
    ///
    /// # Errors
    /// Fails if the file cannot be read, if [`Self::look`] or [`Self::open`] fails, or if the file
    /// contains an object of a different type.
    pub fn only(&self, source: &InputSource, wanted: ObjectKind) -> Result<FileObject, Error> {
        let data = source.read_small().map_err(|e| source.explain_missing(e, &[wanted]))?;
        self.part(&data, source, wanted)
    }

    /// Decodes a file or a part of a file that must contain an object of type `wanted`, for example
    /// a public key. `from` is the file's name in error messages.
    ///
    /// # Errors
    /// Fails if [`Self::look`] or [`Self::open`] fails, or if the decoded object has a different
    /// type.
    pub fn part(&self, data: &[u8], from: &dyn Display, wanted: ObjectKind) -> Result<FileObject, Error> {
        let object = match self.look_for(data, from, Some(wanted)) {
            Ok(FileContent::Plain(object)) => Ok(object),
            Ok(FileContent::Locked(_)) if wanted != ObjectKind::SigningKey => {
                return Err(Error::Role { from: from.to_string(), found: ObjectKind::SigningKey, wanted });
            }
            Ok(FileContent::Locked(locked)) => self.open(&locked, from),
            Err(e) => Err(e),
        };
        match object {
            Ok(object) if object.kind == wanted => Ok(object),
            Ok(object) => Err(Error::Role { from: from.to_string(), found: object.kind, wanted }),
            Err(Error::Format { from, defect: Defect::Unknown(what), .. }) => {
                Err(Error::Unrecognised { from, wanted, what })
            }
            Err(e) => Err(e),
        }
    }

    /// Decodes a file or a part of a file, which can contain a key or a signature. Does not decrypt
    /// an encrypted private key.
    ///
    /// # Errors
    /// Fails if the contents have a defect, are not for the requested algorithm, or are for a toy
    /// algorithm and `--allow-weak` is not given.
    pub fn look(&self, data: &[u8], from: &dyn Display) -> Result<FileContent, Error> {
        self.look_for(data, from, self.accept.expected_kind)
    }

    fn look_for(&self, data: &[u8], from: &dyn Display, wanted: Option<ObjectKind>) -> Result<FileContent, Error> {
        let accept = self.accept.clone().with_expected_kind(wanted);
        files::read(data, &accept).map_err(|defect| refused(from, defect, wanted))
    }

    /// Decrypts a private key.
    ///
    /// # Errors
    /// Fails if the password is missing or wrong, if the memory is not sufficient to derive the key
    /// from the password, or if the decrypted contents are not an accepted private key.
    pub fn open(&self, locked: &EncryptedPrivateKey, from: &dyn Display) -> Result<FileObject, Error> {
        let Some(unlock) = &self.unlock else {
            return Err(Error::PasswordNeeded { file: from.to_string() });
        };
        match locked.unlock(&unlock.password(from)?, &self.accept) {
            Ok(object) => Ok(object),
            Err(DecryptError::Memory(mebibytes)) => Err(Error::NoMemory { from: from.to_string(), mebibytes }),
            Err(DecryptError::Content(defect)) => Err(refused(from, defect, Some(ObjectKind::SigningKey))),
            Err(_) => Err(Error::WrongPassword { from: from.to_string(), origin: unlock.source_name() }),
        }
    }
}

/// Returns the error for a file with a defect. `from` is the file's name in error messages.
fn refused(from: &dyn Display, defect: Defect, wanted: Option<ObjectKind>) -> Error {
    let from = from.to_string();
    match defect {
        Defect::OtherAlgorithm { found, wanted } => Error::OtherAlgorithm { from, found, wanted },
        Defect::Toy(algorithm) => Error::Toy { from, algorithm },
        defect => Error::Format { from, defect, wanted },
    }
}

/// Checks that a format (`encoding`) can store the pre-hash to which a HashML-DSA key is bound.
/// Accepts every key that is not bound to a pre-hash.
///
/// # Errors
/// Fails if the format cannot store the pre-hash. Without the pre-hash, the key in the new file
/// could also sign with other pre-hashes, or without a pre-hash.
pub fn check_prehash_is_kept(key: &FileObject, encoding: FileEncoding, from: &dyn Display) -> Result<(), Error> {
    match key.prehash() {
        Some(_) if encoding.kind().is_none() || matches!(encoding, FileEncoding::TufKey | FileEncoding::Ssh) => {
            Err(Error::KeyPartLost { from: from.to_string(), part: KeyPart::PreHash })
        }
        _ => Ok(()),
    }
}

/// Prints a warning if the permissions give other users access to a private key file.
pub fn warn_if_open(source: &InputSource, report: &mut Report) {
    if let Some(text) = source.open_to_others() {
        report.warn(&format!("{source}: {text}"));
    }
}

/// Prints a warning if the note in a key file contains a fingerprint that is not the key's
/// fingerprint.
pub fn warn_if_noted_differently(noted: Option<&str>, fingerprint: &str, from: &dyn Display, report: &mut Report) {
    if let Some(text) = note_warning(noted, fingerprint) {
        report.warn(&format!("{from}: {text}"));
    }
}

/// Prints a warning before the caller writes a private key to standard output, if standard output
/// is a file that other users may access. The shell has created this file, so fndsa cannot choose
/// its permissions.
pub fn warn_if_written_open(destination: &Destination, report: &mut Report) {
    if let Some(text) = destination.open_to_others() {
        report.warn(&format!("standard output: {text}"));
    }
}

/// A private key that passed the full check, with its public key.
pub struct LoadedPrivateKey<'a> {
    /// The private key.
    pub key: SigningKeyRef<'a>,
    /// The encoded public key.
    pub public: Vec<u8>,
    /// The fingerprint of the public key.
    pub fingerprint: String,
    /// The name of the key file in messages.
    pub from: String,
}

impl<'a> LoadedPrivateKey<'a> {
    /// Checks a private key completely, and computes the public key.
    ///
    /// # Errors
    /// Fails if `object` is not a private key, if the key is not valid, or if the parts of the key
    /// do not belong together.
    pub fn check(level: Level, object: &'a FileObject, from: impl ToString) -> Result<Self, Error> {
        let CheckedPrivateKey { key, public, .. } = match object.private_key(level) {
            Ok(checked) => checked,
            Err(PrivateKeyError::Key(source)) => {
                return Err(Error::Key { from: from.to_string(), kind: ObjectKind::SigningKey, source });
            }
            Err(PrivateKeyError::Kind(found)) => {
                return Err(Error::Role { from: from.to_string(), found, wanted: ObjectKind::SigningKey });
            }
            Err(source @ (PrivateKeyError::SeedDiffers | PrivateKeyError::PublicDiffers)) => {
                return Err(Error::KeyParts { from: from.to_string(), source });
            }
            Err(e) => return Err(Error::Internal(e.to_string())),
        };
        let fingerprint = fingerprint(&public);
        secrecy::protect_new_memory();
        Ok(Self { key, public, fingerprint, from: from.to_string() })
    }

    /// Returns the expanded key, which FIPS 204 calls the private key, or `None` for schemes other
    /// than ML-DSA.
    ///
    /// # Errors
    /// Fails if the machine computes wrongly, or if this program has a bug.
    pub fn expanded_form(&self, level: Level) -> Result<Option<Zeroizing<Vec<u8>>>, Error> {
        let algorithm = self.key.algorithm();
        let Some(len) = algorithm.expanded_form_len() else { return Ok(None) };
        let mut expanded = Zeroizing::new(vec![0; len]);
        let mut work = vec![0; algorithm.import_fast_work_len()];
        match self.key.expanded_form_into(level, &mut expanded, &mut work) {
            Ok(()) => Ok(Some(expanded)),
            Err(e) => Err(Error::Internal(e.to_string())),
        }
    }
}
