//! Replaces the module `checked_key` in a build without the feature `sign`. Such a build cannot
//! check private keys. It therefore rejects each file for which `checked_key` would check the
//! private key.

use super::object::FileObject;
use crate::api::{Algorithm, SEED_LEN};
use alloc::vec::Vec;

/// Returns `None`, because a build without the feature `sign` cannot check a private key.
pub(super) fn public_of_private(_: &FileObject) -> Option<Vec<u8>> {
    None
}

/// Returns false, because a build without the feature `sign` cannot expand a seed.
pub(super) fn is_expanded_form(_: Algorithm, _: &[u8; SEED_LEN], _: &[u8]) -> bool {
    false
}
