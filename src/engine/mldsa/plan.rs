//! How much work memory the operations take, and what becomes of more.
//!
//! Work memory has polynomials alone, of 1024 bytes each; lengths include [`SCRATCH_ALIGN`] for a caller's slice that is
//! not aligned. One sponge alone, of 208 bytes, and the challenge, of 80, are on the stack.
//!
//! | operation | least | in words |
//! |---|---|---|
//! | verify | 1,600 | a row, and half of a transform |
//! | verify, fast | 17,344 / 18,368 / 20,416 | z, a row, the challenge, eight polynomials of A and their sponges |
//! | key generation, import | 2,112 | a row, and a column of s1 |
//! | the same, fast | 17,344 / 18,368 / 20,416 | s1, a row, a column, eight polynomials of A and their sponges |
//! | sign | 1,856 / 2,528 / 2,816 | a polynomial, and what of w does not fit where z goes |
//! | sign, low | 1,024 more | the transform of the challenge, too |
//! | sign, fast | 52,424 / 76,656 / 116,520 | A, s1, s2 and t0 transformed, y, z, w, the challenge, a product, eight sponges, what is hashed |

use super::batches::Batches;
use super::params::{N, Set};
use super::quick;
use super::store::Store;
use super::transforms::Transforms;
use crate::simd::SCRATCH_ALIGN;

/// Bytes of a polynomial.
const POLYNOMIAL: usize = 4 * N;

impl Set {
    /// Returns the bytes of work memory that key generation and import take.
    pub const fn keygen_work_len(self) -> usize {
        SCRATCH_ALIGN + 2 * POLYNOMIAL
    }

    /// Returns the bytes of work memory with which key generation and import draw or unpack each column of s1 once.
    pub const fn keygen_columns_work_len(self) -> usize {
        self.keygen_work_len() + self.parameters().l * POLYNOMIAL
    }

    /// Returns the bytes of work memory that signing takes at the least.
    pub const fn sign_least_work_len(self) -> usize {
        SCRATCH_ALIGN + POLYNOMIAL + Store::back_len(self.parameters())
    }

    /// Returns the bytes of work memory with which signing keeps the challenge's transform.
    pub const fn sign_low_work_len(self) -> usize {
        self.sign_least_work_len() + POLYNOMIAL
    }

    /// Returns the number of values of 32 bits that a key kept for many signatures has beside its expanded form.
    pub const fn transforms_len(self) -> usize {
        Transforms::len(self.parameters())
    }

    /// Returns the bytes of work memory of signing with the transforms of the key.
    pub const fn sign_kept_work_len(self) -> usize {
        SCRATCH_ALIGN + quick::work_len(self.parameters())
    }

    /// Returns the bytes of work memory with which signing computes nothing twice.
    pub const fn sign_fast_work_len(self) -> usize {
        self.sign_kept_work_len() + 4 * self.transforms_len()
    }

    /// Returns the bytes of work memory with which a verification transforms z once, and makes eight polynomials of A at
    /// a time.
    pub const fn verify_fast_work_len(self) -> usize {
        SCRATCH_ALIGN + (self.parameters().l + 2) * POLYNOMIAL + Batches::LEN
    }

    /// Returns the bytes of work memory with which key generation and import transform s1 once, and make eight
    /// polynomials of A at a time.
    pub const fn keygen_fast_work_len(self) -> usize {
        self.keygen_columns_work_len() + Batches::LEN
    }

    /// Returns the bytes of work memory that a verification takes.
    pub const fn verify_work_len(self) -> usize {
        SCRATCH_ALIGN + POLYNOMIAL + POLYNOMIAL / 2
    }
}
