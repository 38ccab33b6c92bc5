//! The reasons why a private key in a file is rejected, and the comparison of secrets.

use super::kind::ObjectKind;
use crate::api::KeyError;
use core::hint::black_box;
use thiserror::Error;

/// The reason why a private key in a file is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrivateKeyError {
    /// The key is not valid.
    #[error("{0}")]
    Key(KeyError),
    /// The file contains a public key or a signature instead.
    #[error("this is a {}, not a private key", .0.name())]
    Kind(ObjectKind),
    /// The file contains an ML-DSA seed and an expanded form that was not derived from this seed.
    #[error("the expanded key in the file does not belong to the seed")]
    SeedDiffers,
    /// The file contains a private key and a public key that do not belong together.
    #[error("the public key in the file does not belong to the private key")]
    PublicDiffers,
}

/// Compares two secrets in constant time.
pub(super) fn secrets_are_equal(first: &[u8], second: &[u8]) -> bool {
    let difference = first.iter().zip(second).fold(0, |sum, (a, b)| black_box(sum | a ^ b));
    first.len() == second.len() && difference == 0
}
