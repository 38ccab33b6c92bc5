//! Keys prepared for repeated use.

use super::{KeyHash, Mu, SignError, VerifyError};
use crate::engine::params::Degree;
use crate::simd::Level;
use rand_core::TryCryptoRng;

/// A private key with its basis and LDL tree, for many signatures. Wiped when dropped.
pub struct ExpandedSigningKey {
    level: Level,
    degree: Degree,
}

impl ExpandedSigningKey {
    /// The degree.
    pub const fn degree(&self) -> Degree {
        self.degree
    }

    /// The level it was made for.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The hash of the public key.
    pub fn key_hash(&self) -> KeyHash {
        todo!()
    }

    /// As [`crate::SigningKey::sign`], the same bytes for the same randomness; `work` has at least
    /// [`Degree::sign_expanded_work_len`] bytes.
    ///
    /// # Errors
    /// As there.
    pub fn sign<R: TryCryptoRng>(
        &self,
        mu: &Mu,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        todo!()
    }
}

/// A public key unpacked, with its hash, for many verifications.
pub struct ExpandedVerifyingKey {
    level: Level,
    degree: Degree,
}

impl ExpandedVerifyingKey {
    /// The degree.
    pub const fn degree(&self) -> Degree {
        self.degree
    }

    /// The hash of the public key.
    pub const fn key_hash(&self) -> KeyHash {
        todo!()
    }

    /// As [`crate::VerifyingKey::verify`].
    ///
    /// # Errors
    /// As there.
    pub fn verify(&self, mu: &Mu, signature: &[u8], work: &mut [u8]) -> Result<(), VerifyError> {
        todo!()
    }
}
