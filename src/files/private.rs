//! Checks private keys in full, and checks that the other keys in the same file belong to them.

use super::kind::ObjectKind;
use super::object::FileObject;
use crate::api::{KeyError, Level, SigningKeyRef};
use alloc::vec;
use alloc::vec::Vec;
use core::hint::black_box;
use thiserror::Error;
use zeroize::Zeroizing;

/// The reason why a private key is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrivateKeyError {
    /// The key is not valid.
    #[error("{0}")]
    Key(KeyError),
    /// The file contains an object with a different kind.
    #[error("this is a {}, not a private key", .0.name())]
    Kind(ObjectKind),
    /// The file contains an ML-DSA seed and an expanded form, but the expanded form was not derived
    /// from this seed.
    #[error("the expanded key in the file does not belong to the seed")]
    SeedDiffers,
    /// The file contains a private key and a public key, but they do not belong together.
    #[error("the public key in the file does not belong to the private key")]
    PublicDiffers,
}

/// A private key that was read from a file and checked in full.
#[non_exhaustive]
pub struct CheckedPrivateKey<'a> {
    /// The key.
    pub key: SigningKeyRef<'a>,
    /// The encoded public key.
    pub public: Vec<u8>,
}

impl FileObject {
    /// Checks a private key in full, and checks that the other keys in the file belong to it: the
    /// public key and, for an ML-DSA seed, the expanded form.
    ///
    /// # Errors
    /// The object is not a private key, a check of the key fails, or another key in the file does
    /// not belong to it.
    pub fn private_key(&self, level: Level) -> Result<CheckedPrivateKey<'_>, PrivateKeyError> {
        if self.kind != ObjectKind::SigningKey {
            return Err(PrivateKeyError::Kind(self.kind));
        }
        let algorithm = self.algorithm();
        let mut work = vec![0; algorithm.import_fast_work_len()];
        let checked = SigningKeyRef::of_algorithm(level, algorithm, &self.bytes, &mut work);
        let key = checked.map_err(PrivateKeyError::Key)?;
        if let Some(beside) = &self.expanded {
            let mut expanded = Zeroizing::new(vec![0; beside.len()]);
            key.expanded_form_into(level, &mut expanded, &mut work).map_err(PrivateKeyError::Key)?;
            if !same(&expanded, beside) {
                return Err(PrivateKeyError::SeedDiffers);
            }
        }
        let mut public = vec![0; algorithm.verifying_key_len()];
        key.verifying_key_into(level, &mut public, &mut work).map_err(PrivateKeyError::Key)?;
        let embedded = self.container.as_ref().and_then(|container| container.public.as_ref());
        if embedded.is_some_and(|embedded| *embedded != public) {
            return Err(PrivateKeyError::PublicDiffers);
        }
        Ok(CheckedPrivateKey { key, public })
    }
}

/// Compares two secrets in constant time.
pub(super) fn same(one: &[u8], other: &[u8]) -> bool {
    let difference = one.iter().zip(other).fold(0, |sum, (a, b)| black_box(sum | a ^ b));
    one.len() == other.len() && difference == 0
}
