//! Sums of products with the matrix A, in little memory. Verification, key generation, import and
//! the signer with little memory use this file. A sum is a row of w, w' or t. Until the sum is
//! complete, a value has three bytes. A value in the complete row has four bytes. The complete row
//! does not fit in the memory for the sum. So a [`RowSum`] also uses the memory after the sum,
//! which contained half a transform before.
//!
//! The values may be secret, except for the residues in A, which are public.

use super::codec::{PIECE, PackedRow};
use super::matrix::{MatrixEntry, SHORT_PIECE, TransformHalf, inverse_transform, multiply_add};
use super::params::N;
use super::sample::{SqueezeLimitError, UniformStream};
use crate::simd::{Scratch, Simd, frame, recast};

/// The length of a packed value in bytes. The values are below 2q.
pub const VALUE_LEN: usize = 3;
/// The length of a packed row, in 32-bit values.
pub const PACKED: usize = VALUE_LEN * N / 4;

/// Loads packed values. Their number must be a multiple of four.
#[inline(always)]
pub fn load_packed(bytes: &[u8], out: &mut [u32]) {
    for (out, bytes) in out.as_chunks_mut::<4>().0.iter_mut().zip(bytes.as_chunks::<{ 4 * VALUE_LEN }>().0) {
        // Three words contain four values.
        let [a, b, c] =
            [0, 4, 8].map(|at| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
        *out = [a & 0xff_ffff, a >> 24 | (b & 0xffff) << 8, b >> 16 | (c & 0xff) << 16, c >> 8];
    }
}

/// Packs values, which must be below `2^24`. Their number must be a multiple of four.
#[inline(always)]
pub fn store_packed(values: &[u32], bytes: &mut [u8]) {
    for (&[a, b, c, d], bytes) in values.as_chunks::<4>().0.iter().zip(bytes.as_chunks_mut::<{ 4 * VALUE_LEN }>().0) {
        let words = [a | b << 24, b >> 8 | c << 16, c >> 16 | d << 8];
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
    }
}

/// Works like [`multiply_add`], for packed sums: adds `a v / R` to the sums, where R is `2^32`.
#[inline(always)]
pub fn multiply_add_packed<S: Simd>(isa: S, a: &[u32], v: &[u32], sums: &mut [u8]) {
    let mut piece = [0; SHORT_PIECE];
    let rows = a.chunks_exact(SHORT_PIECE).zip(v.chunks_exact(SHORT_PIECE));
    for ((a, v), sums) in rows.zip(sums.chunks_exact_mut(VALUE_LEN * SHORT_PIECE)) {
        load_packed(sums, &mut piece);
        multiply_add(isa, a, v, &mut piece);
        store_packed(&piece, sums);
    }
}

/// Adds `a v[i] / R` to the packed row `sums[i]`, value by value, for each index i. Here, `a` means
/// the next residues in the stream, and R is `2^32`. [`multiply_add`] describes the ranges. All
/// rows have equal lengths, which must be a multiple of [`PIECE`] (32 values).
///
/// # Errors
/// Fails if sampling A exceeds the limit in FIPS 204, appendix C.
#[inline(always)]
pub fn add_product_packed<S: Simd, const ROWS: usize>(
    isa: S,
    a: &mut UniformStream<S>,
    v: [&[u32]; ROWS],
    mut sums: [&mut [u8]; ROWS],
) -> Result<(), SqueezeLimitError> {
    if S::HAS_SHORT_ROWS {
        return a.add_products(isa, v, sums);
    }
    let mut piece = [0; PIECE];
    for first in (0..v.first().map_or(0, |v| v.len())).step_by(PIECE) {
        a.next_into(&mut piece)?;
        for (v, sums) in v.iter().zip(&mut sums) {
            let sums = &mut sums[VALUE_LEN * first..][..VALUE_LEN * PIECE];
            multiply_add_packed(isa, &piece, &v[first..][..PIECE], sums);
        }
    }
    Ok(())
}

/// Unpacks `N` values in place. The packed values are at the start of `memory`, which has space for
/// `N` values. The last values are unpacked first, because the packed and the unpacked values
/// overlap.
#[inline(always)]
fn unpack_in_place(memory: &mut [u32]) {
    for i in (0..N / 4).rev() {
        let bytes: &[u8] = recast(&mut *memory);
        let mut values = [0; 4];
        load_packed(&bytes[4 * VALUE_LEN * i..][..4 * VALUE_LEN], &mut values);
        memory[4 * i..4 * (i + 1)].copy_from_slice(&values);
    }
}

/// Computes a row from its transform, which is packed at the start of `row`.
#[inline(never)]
pub fn finish_row<S: Simd>(isa: S, row: &mut [u32]) {
    frame!(isa, {
        unpack_in_place(row);
        inverse_transform(isa, row);
    });
}

/// Memory for a row that is computed as a sum of products, followed by memory for half a transform.
pub struct RowSum<'a> {
    memory: &'a mut [u32],
}

impl<'a> RowSum<'a> {
    /// The memory's length, in 32-bit values.
    pub const LEN: usize = PACKED + N / 2;

    /// Allocates [`Self::LEN`] values in `work`. The caller must call [`Self::clear`] before each
    /// row.
    #[inline(always)]
    pub fn take(work: &mut Scratch<'a>) -> Self {
        Self { memory: work.take(Self::LEN) }
    }

    /// Returns the memory.
    #[inline(always)]
    pub fn into_memory(self) -> &'a mut [u32] {
        self.memory
    }

    /// Starts a new row.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.memory[..PACKED].fill(0);
    }

    /// Returns the packed sums, and unused memory for 128 values, which is enough for half a
    /// transform.
    #[inline(always)]
    pub fn parts(&mut self) -> (&mut [u8], &mut [u32]) {
        let (sums, half) = self.memory.split_at_mut(PACKED);
        (recast(sums), half)
    }

    /// Unpacks and transforms `column`, multiplies the transform by the polynomial `entry` in A,
    /// and adds the product to the sums. The coefficients in `column` must be below q in magnitude.
    ///
    /// # Errors
    /// Fails if sampling A exceeds the limit in FIPS 204, appendix C.
    #[inline(never)]
    pub fn add_column<S: Simd>(
        &mut self,
        isa: S,
        entry: MatrixEntry<'_>,
        column: PackedRow<'_>,
    ) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            let mut a = UniformStream::empty(isa);
            entry.start(&mut a);
            let (sums, half) = self.parts();
            for (side, sums) in TransformHalf::BOTH.into_iter().zip(sums.chunks_exact_mut(VALUE_LEN * N / 2)) {
                side.write(isa, column, half);
                side.transform(isa, half);
                add_product_packed(isa, &mut a, [half], [sums])?;
            }
            Ok(())
        })
    }

    /// Computes the row from the sums, which are its transform. Returns the row's residues, and
    /// unused memory for 64 values.
    #[inline(always)]
    pub fn finish<S: Simd>(&mut self, isa: S) -> (&mut [u32], &mut [u32]) {
        let (row, free) = self.memory.split_at_mut(N);
        finish_row(isa, row);
        (row, free)
    }
}
