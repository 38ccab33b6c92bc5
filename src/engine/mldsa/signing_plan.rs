//! The length of the work memory for a single signature. The table in `plan` lists the contents.
//! [`super::sign`] compares the length of the caller's slice with these lengths.

use super::fast;
use super::params::MlDsaSet;
use super::plan::POLYNOMIAL;
use super::recheck::RECHECK_WORK;
use super::store::{CommitmentRows, KeptRows};
use super::transforms::KeyTransforms;
use crate::engine::hash::sponges::padded_len;
use crate::simd::SCRATCH_ALIGN;

impl MlDsaSet {
    /// Returns the smallest length of the work memory for signing, in bytes.
    pub const fn sign_least_work_len(self) -> usize {
        SCRATCH_ALIGN + POLYNOMIAL + CommitmentRows::extra_len(self.parameters())
    }

    /// Returns a larger length of the work memory for signing, in bytes. With this length, signing
    /// also keeps the transform of the challenge.
    pub const fn sign_low_work_len(self) -> usize {
        self.sign_least_work_len() + POLYNOMIAL
    }

    /// Returns a length of the work memory for signing, in bytes. With this length, signing keeps
    /// A, w, y and z.
    pub const fn sign_matrix_work_len(self) -> usize {
        SCRATCH_ALIGN + 4 * (RECHECK_WORK + KeptRows::len(self.parameters()))
    }

    /// Returns the length of a private key's transforms, in 32-bit values.
    pub const fn transforms_len(self) -> usize {
        KeyTransforms::len(self.parameters())
    }

    /// Returns the length of the work memory, in bytes, to sign with a key whose transforms the
    /// caller keeps.
    pub const fn sign_kept_work_len(self) -> usize {
        SCRATCH_ALIGN + fast::work_len(self.parameters())
    }

    /// Returns the largest length of the work memory for signing, in bytes. With this length,
    /// signing keeps all values. [`super::sign::sign_seed`] needs this length.
    /// [`super::sign::sign`] can use less memory.
    pub const fn sign_fast_work_len(self) -> usize {
        self.sign_kept_work_len() + 4 * self.transforms_len() + padded_len(self.public_len())
    }
}
