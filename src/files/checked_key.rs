//! Checks private keys completely. Also checks that the other keys in the same file (the public
//! key, the expanded key) belong to the private key.

use super::kind::ObjectKind;
use super::object::FileObject;
use super::private::{PrivateKeyError, secrets_are_equal};
use super::typed::ObjectError;
use crate::api::{Algorithm, Level, SEED_LEN, SigningKey, SigningKeyRef};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// A private key from a file that passed the full check.
#[non_exhaustive]
pub struct CheckedPrivateKey<'a> {
    /// The private key.
    pub key: SigningKeyRef<'a>,
    /// The encoded public key that belongs to `key`.
    pub public: Vec<u8>,
}

impl FileObject {
    /// Checks a private key in full. Also checks that the other keys in the file belong to the
    /// private key: the public key, and the expanded form of an ML-DSA seed.
    ///
    /// # Errors
    /// Fails if the object is not a valid private key. Also fails if the public key or the expanded
    /// form in the file does not belong to the private key.
    pub fn private_key(&self, level: Level) -> Result<CheckedPrivateKey<'_>, PrivateKeyError> {
        if self.kind != ObjectKind::SigningKey {
            return Err(PrivateKeyError::Kind(self.kind));
        }
        let algorithm = self.algorithm();
        let mut work = vec![0; algorithm.import_fast_work_len()];
        let key =
            SigningKeyRef::of_algorithm(level, algorithm, &self.bytes, &mut work).map_err(PrivateKeyError::Key)?;
        if let Some(stored_expanded) = &self.expanded {
            let mut expanded = Zeroizing::new(vec![0; stored_expanded.len()]);
            key.expanded_form_into(level, &mut expanded, &mut work).map_err(PrivateKeyError::Key)?;
            if !secrets_are_equal(&expanded, stored_expanded) {
                return Err(PrivateKeyError::SeedDiffers);
            }
        }
        let mut public = vec![0; algorithm.verifying_key_len()];
        key.verifying_key_into(level, &mut public, &mut work).map_err(PrivateKeyError::Key)?;
        if let Some(container) = &self.container
            && let Some(embedded) = &container.public
            && *embedded != public
        {
            return Err(PrivateKeyError::PublicDiffers);
        }
        Ok(CheckedPrivateKey { key, public })
    }

    /// Checks the private key in full, as [`Self::private_key`] does, and returns a copy of it.
    ///
    /// # Errors
    /// Returns the errors of [`Self::private_key`].
    pub fn signing_key(&self) -> Result<SigningKey, ObjectError> {
        self.check_kind(ObjectKind::SigningKey)?;
        let checked = self.private_key(Level::detect()).map_err(ObjectError::SigningKey)?;
        Ok(SigningKey::from(&checked.key))
    }
}

/// Returns the public key for a private key that passes all checks of [`FileObject::private_key`].
/// Returns `None` if a check fails, or if the object is a public key or a signature.
pub(super) fn public_of_private(object: &FileObject) -> Option<Vec<u8>> {
    Some(object.private_key(Level::detect()).ok()?.public)
}

/// Returns whether `stored` is the expanded form of this ML-DSA seed.
pub(super) fn is_expanded_form(algorithm: Algorithm, seed: &[u8; SEED_LEN], stored: &[u8]) -> bool {
    let level = Level::detect();
    let mut work = vec![0; algorithm.import_fast_work_len()];
    let mut expanded = Zeroizing::new(vec![0; algorithm.expanded_form_len().unwrap_or_default()]);
    let Ok(key) = SigningKeyRef::from_seed(level, algorithm, seed, &mut work) else { return false };
    key.expanded_form_into(level, &mut expanded, &mut work).is_ok() && secrets_are_equal(&expanded, stored)
}
