//! Detects the files that `sign` must never sign: the files with the private keys, and the password
//! file. A list must not contain private keys either.

use super::loader::LoadedPrivateKey;
use crate::tool::io::{FileIdentity, InputSource, contains_private_key, restored_key};
use crate::tool::report::Error;
use fndsa::Algorithm;
use fndsa::files::{self, FileContent, FileEncoding, ObjectKind, ReadOptions};
use fndsa::no_alloc::Level;
use fndsa::verdict::fingerprint;
use std::collections::BTreeSet;

/// The files with the private keys and the password. For example, `sign *` in the directory of a
/// key must not sign these files.
pub struct ProtectedFiles {
    identities: BTreeSet<FileIdentity>,
    /// The algorithms and the fingerprints of the private keys.
    keys: Vec<(Algorithm, String)>,
}

impl ProtectedFiles {
    /// Stores the identities of the files, and the fingerprints of the keys.
    pub fn of<'s>(secrets: impl Iterator<Item = &'s InputSource>, keys: &[LoadedPrivateKey<'_>]) -> Self {
        let mut protected = Self { identities: BTreeSet::new(), keys: Vec::new() };
        for key in keys {
            protected.keys.push((key.key.algorithm(), key.fingerprint.clone()));
        }
        for secret in secrets {
            protected.identities.extend(secret.identity());
        }
        protected
    }

    /// Checks that a message is not a protected file. The function compares file identities, so it
    /// also detects a protected file under a different name, for example through a link.
    ///
    /// # Errors
    /// Fails if the message is a protected file.
    pub fn refuse(&self, source: &InputSource) -> Result<(), Error> {
        if self.identities.is_empty() {
            return Ok(());
        }
        match source.identity() {
            Some(identity) if self.identities.contains(&identity) => Err(Error::KeyAsMessage(source.to_string())),
            _ => Ok(()),
        }
    }

    /// Returns whether a file contains a private key in a form that `-k` or `--key-env` accepts,
    /// for example base64. A raw seed looks like random bytes. Therefore, only the raw seeds of
    /// this run's signing keys are detected.
    pub fn is_private_key(&self, content: &[u8]) -> bool {
        self.is_key_file(content) || matches!(restored_key(content), Some(key) if self.is_key_file(&key))
    }

    fn is_key_file(&self, content: &[u8]) -> bool {
        contains_private_key(content) || self.keys.iter().any(|(algorithm, key)| is_seed(content, *algorithm, key))
    }
}

fn is_seed(content: &[u8], algorithm: Algorithm, key: &str) -> bool {
    let accept =
        ReadOptions::default().with_algorithm(Some(algorithm)).with_expected_kind(Some(ObjectKind::SigningKey));
    match files::read(content, &accept) {
        Ok(FileContent::Plain(object)) if matches!(object.encoding, FileEncoding::Raw | FileEncoding::Hex) => {
            matches!(object.private_key(Level::detect()), Ok(private) if fingerprint(&private.public) == key)
        }
        _ => false,
    }
}
