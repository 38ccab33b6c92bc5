//! Creates key pairs, and writes the private and public key files.

use super::key_file_options::KeyFileOptions;
use super::key_note::KeyNote;
use crate::tool::io::{Destination, InputSource, OverwriteRule, StagedOutput, secrecy};
use crate::tool::report::Error;
use fndsa::Algorithm;
use fndsa::files::{self, FileContent, FileEncoding, ObjectKind, ReadOptions};
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::verdict::fingerprint;
use rand_core::TryCryptoRng;
use std::num::NonZeroUsize;
use std::path::Path;
use zeroize::Zeroizing;

/// A key pair in memory.
pub struct KeyPair {
    /// The algorithm of both keys.
    pub algorithm: Algorithm,
    /// The encoded private key.
    pub private: Zeroizing<Vec<u8>>,
    /// The encoded public key.
    pub public: Vec<u8>,
}

impl KeyPair {
    /// Generates a new key pair.
    ///
    /// # Errors
    /// Fails if the random generator fails.
    pub fn generate<R: TryCryptoRng>(level: Level, algorithm: Algorithm, rng: &mut R) -> Result<Self, Error> {
        Self::generate_parallel(level, algorithm, rng, NonZeroUsize::MIN)
    }

    /// Generates a new key pair on several threads.
    ///
    /// # Errors
    /// Fails if the random generator fails.
    pub fn generate_parallel<R: TryCryptoRng>(
        level: Level,
        algorithm: Algorithm,
        rng: &mut R,
        threads: NonZeroUsize,
    ) -> Result<Self, Error> {
        let mut private = Zeroizing::new(vec![0; algorithm.signing_key_len()]);
        let mut public = vec![0; algorithm.verifying_key_len()];
        SigningKeyRef::generate_parallel(level, algorithm, rng, threads, &mut private, &mut public)
            .map_err(Error::of_keygen)?;
        secrecy::protect_new_memory();
        Ok(Self { algorithm, private, public })
    }

    /// Encodes the private key file and the public key file, in this order. If a password is given,
    /// the private key is always encoded as PKCS#8.
    ///
    /// # Errors
    /// Fails if the keys cannot be written in the requested format.
    pub fn files(&self, file: &KeyFileOptions<'_>) -> Result<[Zeroizing<Vec<u8>>; 2], Error> {
        let encoding = if file.password.is_some() { FileEncoding::Pkcs8 } else { file.style.encoding };
        let private = file.style.with_encoding(encoding).with_public(Some(&self.public));
        let public = file.style.with_encoding(file.style.encoding.of_public());
        let private = KeyFileOptions { style: private, password: file.password };
        let public = KeyFileOptions { style: public, password: None };
        Ok([
            self.contents(ObjectKind::SigningKey, &private, &self.private)?,
            self.contents(ObjectKind::VerifyingKey, &public, &self.public)?,
        ])
    }

    fn contents(&self, kind: ObjectKind, file: &KeyFileOptions<'_>, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let note = kind.note(self.algorithm, &fingerprint(&self.public));
        file.contents(kind, self.algorithm, &note, bytes)
    }

    /// Writes both files. If an error occurs, undoes the changes as [`StagedOutput::commit_all`]
    /// does.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write(
        &self,
        file: &KeyFileOptions<'_>,
        overwrite: OverwriteRule,
        private: &Destination,
        public: Option<&Destination>,
    ) -> Result<(), Error> {
        PairFiles::write_all(&[PairFiles { contents: self.files(file)?, private, public }], overwrite)
    }
}

/// Returns whether two existing files contain a key pair. If the private key is encrypted, uses the
/// unencrypted public key in the private key file. If there is no such public key, uses the
/// fingerprint in the note before the encrypted block. The note is not authenticated.
pub fn are_pair_files(private: &Path, public: &Path) -> bool {
    let accept = ReadOptions::default().with_any_oid(true).with_allow_hash_ml_dsa(true).with_allow_toys(true);
    let Ok(private) = InputSource::File(private.to_owned()).read_small() else { return false };
    let Ok(public) = InputSource::File(public.to_owned()).read_small() else { return false };
    let fingerprint_of_private = fingerprint_of_private_key(&private, &accept);
    match files::read(&public, &accept) {
        Ok(FileContent::Plain(object)) => fingerprint_of_private == Some(fingerprint(&object.bytes)),
        _ => false,
    }
}

/// Returns the fingerprint of the public key that belongs to a private key file. If the private key
/// is encrypted, uses the public key or the note in the file.
fn fingerprint_of_private_key(private: &[u8], accept: &ReadOptions) -> Option<String> {
    match files::read(private, accept).ok()? {
        FileContent::Plain(object) => {
            let key = object.private_key(Level::detect()).ok()?;
            Some(fingerprint(&key.public))
        }
        FileContent::Locked(locked) => match locked.public_key() {
            Some((_, public)) => Some(fingerprint(public)),
            None => Some(KeyNote::of(private)?.fingerprint),
        },
    }
}

/// The contents and the destinations of a key pair's two files.
pub struct PairFiles<'a> {
    /// The contents that [`KeyPair::files`] returned.
    pub contents: [Zeroizing<Vec<u8>>; 2],
    /// The destination of the private key.
    pub private: &'a Destination,
    /// The destination of the public key, unless only the private key is written.
    pub public: Option<&'a Destination>,
}

impl PairFiles<'_> {
    /// Writes the files of several key pairs. If an error occurs, undoes the changes as
    /// [`StagedOutput::commit_all`] does. Without `--force`, the private keys get their final names
    /// before the public keys, so that only one of several concurrent processes succeeds. With
    /// `--force`, the public keys get their names first. If an error then occurs and an overwritten
    /// public key is lost, the user can compute it from the private key, which still exists.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write_all(pairs: &[Self], overwrite: OverwriteRule) -> Result<(), Error> {
        let mut staged = Vec::with_capacity(2 * pairs.len());
        for Self { contents: [private, _], private: output, .. } in pairs {
            staged.push(output.stage(private)?);
        }
        for Self { contents: [_, public], public: output, .. } in pairs {
            if let Some(output) = output {
                staged.push(output.stage(public)?);
            }
        }
        if overwrite != OverwriteRule::No {
            staged.reverse();
        }
        StagedOutput::commit_all(staged)
    }
}
