//! The length of the work memory that each operation needs, and the values in this memory. The
//! lengths for signing are in `signing_plan` and `sign_batch`. The API returns these lengths to the
//! caller. If the caller's slice is longer than the smallest length, an operation can keep more
//! values and take less time.
//!
//! The work memory mainly consists of polynomials. A polynomial has 1024 bytes. All lengths include
//! [`SCRATCH_ALIGN`], so the caller's slice does not have to be aligned. [`SCRATCH_ALIGN`] is 64 on
//! processors that may have vectors, and the table is for these processors. On other processors, it
//! is 8, so a length is 56 bytes smaller. A single sponge (a SHAKE state) needs 208 bytes and the
//! challenge needs 80 bytes. Both are on the stack.
//!
//! | operation | bytes | contents |
//! |---|---|---|
//! | verify | 1,344 | a row with 24 bits for each value, and half a transform |
//! | verify, fast | 17,344 / 18,368 / 20,416 | z, a row, the challenge, and a batch |
//! | key generation, import | 1,728 / 1,984 / 2,016 | the memory for `verify`, and the packed s1 |
//! | key generation, import, fast | 18,368 / 19,904 / 22,464 | s1, s2, a row, and a batch |
//! | sign | 1,856 / 2,528 / 2,816 | a polynomial, and the part of w that does not fit in z |
//! | sign, low | 1,024 more | also the transformed challenge |
//! | sign, matrix | 34,624 / 54,592 / 89,408 | A, w, y, its transform, and more |
//! | sign, fast | 56,648 / 82,928 / 124,840 | all transforms, y, z, w, and more |
//! | sign, kept | 22,392 / 26,488 / 32,904 | as `sign, fast`, without the transforms of the key |
//! | sign, several messages | 51,872 / 65,184 / 84,704 | y and w for four signatures, and more |
//!
//! If a row has three lengths, they are for ML-DSA-44, ML-DSA-65 and ML-DSA-87. In the contents, a
//! batch means eight polynomials in A and their sponges. With the length for "sign, fast", the code
//! keeps the transforms of A, t1, s1, s2, t0 and the challenge. It also keeps y, z, w, a product,
//! eight sponges, and the bytes that will be hashed.
//!
//! These functions return the lengths for signing:
//!
//! - "sign": `sign_least_work_len`
//! - "sign, low": `sign_low_work_len`
//! - "sign, matrix": `sign_matrix_work_len`
//! - "sign, fast": `sign_fast_work_len`
//! - "sign, kept": `sign_kept_work_len`
//! - "sign, several messages": `sign_batch_work_len`

use super::batches::MatrixRows;
use super::params::{MlDsaSet, N};
#[cfg(feature = "alloc")]
use super::public_transforms::PublicTransforms;
use super::sums::RowSum;
use crate::simd::SCRATCH_ALIGN;

/// The length in bytes for a polynomial with 32-bit coefficients.
pub(super) const POLYNOMIAL: usize = 4 * N;

impl MlDsaSet {
    /// Returns the smallest length of the work memory for key generation and import, in bytes.
    pub const fn keygen_work_len(self) -> usize {
        let p = self.parameters();
        SCRATCH_ALIGN + 4 * RowSum::LEN + p.l * p.s_len()
    }

    /// Returns the length of an expanded public key, in 32-bit values. A caller keeps such a key
    /// for many verifications.
    #[cfg(feature = "alloc")]
    pub const fn public_transforms_len(self) -> usize {
        PublicTransforms::len(self.parameters())
    }

    /// Returns the length of the work memory for a fast verification, in bytes. With this length, a
    /// verification transforms z only once, and samples eight polynomials in A at a time.
    pub const fn verify_fast_work_len(self) -> usize {
        SCRATCH_ALIGN + (self.parameters().l + 2) * POLYNOMIAL + MatrixRows::LEN
    }

    /// Returns the length of the work memory for fast key generation and import, in bytes. With
    /// this length, both transform s1 only once, and sample eight polynomials at a time.
    pub const fn keygen_fast_work_len(self) -> usize {
        let p = self.parameters();
        SCRATCH_ALIGN + (p.l + 2) * POLYNOMIAL + N * p.k + MatrixRows::LEN
    }

    /// Returns the smallest length of the work memory for a verification, in bytes.
    pub const fn verify_work_len(self) -> usize {
        SCRATCH_ALIGN + 4 * RowSum::LEN
    }
}
