//! The rows of w, of 24 bits a coefficient, in two pieces of memory: the place of z in the signature, which is free until
//! the attempt is accepted, and what is left over of them.
//!
//! w is secret, that of a rejected attempt most of all.

use super::codec::PIECE;
use super::matrix::multiply_add;
use super::params::{N, Parameters};
use super::sample::{LimitReached, Uniform};
use crate::simd::{Simd, frame};

/// Bytes of a piece of a row.
const PIECE_LEN: usize = 3 * PIECE;
/// Pieces of a row.
const PIECES: usize = N / PIECE;

/// Residues in memory.
pub struct Store<'a> {
    /// The place of z.
    pub front: &'a mut [u8],
    /// Memory for the pieces that do not fit there: [`Store::back_len`] bytes.
    pub back: &'a mut [u8],
}

impl Store<'_> {
    /// Returns the bytes of all rows that do not fit where z goes.
    pub const fn back_len(p: &Parameters) -> usize {
        PIECE_LEN * (p.k * PIECES - p.l * p.z_len() / PIECE_LEN)
    }

    /// Returns piece `i` of row `r`.
    #[inline(always)]
    fn piece(&mut self, r: usize, i: usize) -> &mut [u8] {
        let in_front = self.front.len() / PIECE_LEN;
        let at = PIECES * r + i;
        if at < in_front {
            &mut self.front[PIECE_LEN * at..PIECE_LEN * (at + 1)]
        } else {
            let at = at - in_front;
            &mut self.back[PIECE_LEN * at..PIECE_LEN * (at + 1)]
        }
    }

    /// Makes all coefficients zero.
    pub fn clear(&mut self) {
        self.front.fill(0);
        self.back.fill(0);
    }

    /// Loads piece `i` of row `r`.
    #[inline(always)]
    pub fn load(&mut self, r: usize, i: usize, out: &mut [u32]) {
        for (out, bytes) in out.iter_mut().zip(self.piece(r, i).as_chunks::<3>().0) {
            let [a, b, c] = bytes.map(u32::from);
            *out = a | b << 8 | c << 16;
        }
    }

    /// Stores piece `i` of row `r`.
    #[inline(always)]
    pub fn store(&mut self, r: usize, i: usize, residues: &[u32]) {
        for (x, bytes) in residues.iter().zip(self.piece(r, i).as_chunks_mut::<3>().0) {
            let [a, b, c, _] = x.to_le_bytes();
            *bytes = [a, b, c];
        }
    }

    /// Adds the product of a polynomial of A and `v`, times `1/R`, to row `r`.
    ///
    /// # Errors
    /// The stream of A ends.
    #[inline(never)]
    pub fn add_product<S: Simd>(&mut self, isa: S, mut a: Uniform<S>, v: &[u32], r: usize) -> Result<(), LimitReached> {
        frame!(isa, {
            let mut piece = [0; PIECE];
            let mut sum = [0; PIECE];
            for (i, v) in v.chunks_exact(PIECE).enumerate() {
                a.next_into(&mut piece)?;
                self.load(r, i, &mut sum);
                multiply_add(isa, &piece, v, &mut sum);
                self.store(r, i, &sum);
            }
            Ok(())
        })
    }
}
