//! Private keys of files, checked in full together with what the file has beside them.

use super::kind::Kind;
use super::object::Object;
use crate::api::{KeyError, Level, SigningKeyRef};
use alloc::vec;
use alloc::vec::Vec;
use core::hint::black_box;
use thiserror::Error;
use zeroize::Zeroizing;

/// Why the private key of a file is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrivateKeyError {
    /// The key is not valid.
    #[error("{0}")]
    Key(KeyError),
    /// The file holds something else.
    #[error("this is a {}, not a private key", .0.name())]
    Kind(Kind),
    /// The expanded form that the file has beside the seed of a key of ML-DSA is another.
    #[error("the expanded key in the file does not belong to the seed")]
    SeedDiffers,
    /// The public key that the file has beside the private key is another.
    #[error("the public key in the file does not belong to the private key")]
    PublicDiffers,
}

/// A private key of a file, checked in full.
pub struct CheckedPrivateKey<'a> {
    /// The key.
    pub key: SigningKeyRef<'a>,
    /// The encoding of its public key.
    pub public: Vec<u8>,
}

impl Object {
    /// Checks a private key in full, and that what the file has beside it belongs to it: the public key, and in ML-DSA the expanded
    /// form beside the seed.
    ///
    /// # Errors
    /// Why the key is refused.
    pub fn private_key(&self, level: Level) -> Result<CheckedPrivateKey<'_>, PrivateKeyError> {
        if self.kind != Kind::SigningKey {
            return Err(PrivateKeyError::Kind(self.kind));
        }
        let algorithm = self.algorithm();
        let mut work = vec![0; algorithm.import_work_len()];
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

/// Compares secrets of one length in constant time.
pub(super) fn same(one: &[u8], other: &[u8]) -> bool {
    let difference = one.iter().zip(other).fold(0, |sum, (a, b)| black_box(sum | a ^ b));
    one.len() == other.len() && difference == 0
}
