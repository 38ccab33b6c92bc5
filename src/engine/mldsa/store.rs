//! Memory for the rows of w, with 24 bits for each value, which is below 2q. It has two parts: the
//! bytes for z in the signature, which are free until an attempt is accepted, and memory for the
//! remaining pieces.
//!
//! w is secret, in particular if the attempt is rejected.

use super::codec::PIECE;
use super::matrix::MatrixEntry;
use super::params::{N, Parameters};
use super::sample::{SqueezeLimitError, UniformStream};
use super::sums::{add_product_packed, load_packed, store_packed};
use crate::simd::{Simd, frame};

/// The length in bytes for a packed piece.
const PIECE_LEN: usize = 3 * PIECE;
/// The number of pieces in a row.
const PIECES: usize = N / PIECE;

/// The memory for packed rows of residues.
pub struct CommitmentRows<'a> {
    /// The bytes for z in the signature.
    pub z_bytes: &'a mut [u8],
    /// Memory for the pieces that do not fit in `z_bytes`. Its length is
    /// [`CommitmentRows::extra_len`].
    pub extra_bytes: &'a mut [u8],
}

impl CommitmentRows<'_> {
    /// Returns the length of `extra_bytes`: the bytes for the pieces that do not fit in `z_bytes`.
    pub const fn extra_len(p: &Parameters) -> usize {
        PIECE_LEN * (p.k * PIECES - p.l * p.z_len() / PIECE_LEN)
    }

    /// Returns the bytes for piece `i` in row `r`.
    #[inline(always)]
    fn piece(&mut self, r: usize, i: usize) -> &mut [u8] {
        let z_piece_count = self.z_bytes.len() / PIECE_LEN;
        let at = PIECES * r + i;
        if at < z_piece_count {
            &mut self.z_bytes[PIECE_LEN * at..PIECE_LEN * (at + 1)]
        } else {
            let at = at - z_piece_count;
            &mut self.extra_bytes[PIECE_LEN * at..PIECE_LEN * (at + 1)]
        }
    }

    /// Sets all coefficients to zero.
    pub fn clear(&mut self) {
        self.z_bytes.fill(0);
        self.extra_bytes.fill(0);
    }

    /// Loads piece `i` in row `r`.
    #[inline(always)]
    pub fn load(&mut self, r: usize, i: usize, out: &mut [u32]) {
        load_packed(self.piece(r, i), out);
    }

    /// Stores piece `i` in row `r`.
    #[inline(always)]
    pub fn store(&mut self, r: usize, i: usize, residues: &[u32]) {
        store_packed(residues, self.piece(r, i));
    }

    /// Multiplies a polynomial in A by `v` and `1/R`, and adds the product to row `r`.
    ///
    /// # Errors
    /// Fails if the stream does not have enough residues.
    #[inline(never)]
    pub fn add_product<S: Simd>(
        &mut self,
        isa: S,
        entry: MatrixEntry<'_>,
        v: &[u32],
        r: usize,
    ) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            let mut a = UniformStream::empty(isa);
            entry.start(&mut a);
            for (i, v) in v.chunks_exact(PIECE).enumerate() {
                add_product_packed(isa, &mut a, [v], [self.piece(r, i)])?;
            }
            Ok(())
        })
    }
}
