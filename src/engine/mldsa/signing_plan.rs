//! The work memory for signing. The table in `plan` lists all operations.

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

    /// Returns the work memory's length in bytes for signing, if the transform of the
    /// challenge should be kept.
    pub const fn sign_low_work_len(self) -> usize {
        self.sign_least_work_len() + POLYNOMIAL
    }

    /// Returns the work memory's length in bytes for signing, if A, w and y should be kept.
    pub const fn sign_matrix_work_len(self) -> usize {
        SCRATCH_ALIGN + 4 * (RECHECK_WORK + KeptRows::len(self.parameters()))
    }

    /// Returns the number of 32-bit values that a private key's transforms have if they are kept
    /// for many signatures.
    pub const fn transforms_len(self) -> usize {
        KeyTransforms::len(self.parameters())
    }

    /// Returns the work memory's length in bytes for signing, if the key's transforms are
    /// given.
    pub const fn sign_kept_work_len(self) -> usize {
        SCRATCH_ALIGN + fast::work_len(self.parameters())
    }

    /// Returns the work memory's length, in bytes, with which signing with a seed or with an
    /// expanded key computes no value twice.
    pub const fn sign_fast_work_len(self) -> usize {
        self.sign_kept_work_len() + 4 * self.transforms_len() + padded_len(self.public_len())
    }
}
