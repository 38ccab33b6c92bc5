//! Memory for the rows of w, in two forms:
//!
//! - [`CommitmentRows`], for `low_memory`, needs the least memory. A value of w has 24 bits,
//!   because it is below 2q. The rows are divided into pieces with [`PIECE`] values. As many pieces
//!   as possible are in the signature, in the bytes for z, because these bytes are free until an
//!   attempt is accepted. The other pieces are in additional memory.
//! - [`KeptRows`], for `matrix_signer`, contains whole rows, and also A, y and z.
//!
//! w and y are secret, in particular if the attempt is rejected.

use super::codec::PIECE;
use super::matrix::MatrixEntry;
use super::params::{N, Parameters, RHO_LEN};
use super::products::EXTENDED_LEN;
use super::sample::{SqueezeLimitError, UniformStream};
use super::sums::{add_product_packed, load_packed, store_packed};
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{Scratch, Simd, frame};

/// The length in bytes for a packed piece.
const PIECE_LEN: usize = 3 * PIECE;
/// The number of pieces in a row.
const PIECES: usize = N / PIECE;

/// The values that a signer keeps if it has memory for them. Each polynomial has [`N`] values.
pub struct KeptRows<'w> {
    /// The polynomials in A, row by row.
    pub matrix: &'w mut [u32],
    /// The rows of w. The verification of the new signature overwrites the first two rows: the
    /// first with a row of w' (the verifier's w), and the second with a transformed row of t1.
    pub w: &'w mut [u32],
    /// y. The verification of the new signature overwrites y with the transforms of s1.
    pub y: &'w mut [u32],
    /// The polynomials with an index for a column of A:
    ///
    /// - until w is computed: the transforms of y
    /// - until the signature is finished: z
    /// - while the new signature is verified: the transforms of z
    pub columns: &'w mut [u32],
    /// The memory for products with the challenge c. A level is an instruction set. Some levels
    /// have assembly for rows (arrays of values).
    ///
    /// - On levels with this assembly: the extended polynomials in s1 and s2, with [`EXTENDED_LEN`]
    ///   values for each polynomial.
    /// - On other levels: c's transform, in the first [`N`] values.
    /// - While the new signature is verified, on all levels: the transform of `-c`, in the first
    ///   [`N`] values.
    pub factors: &'w mut [u32],
}

impl<'w> KeptRows<'w> {
    /// Returns the memory length, in 32-bit values.
    pub const fn len(p: &Parameters) -> usize {
        N * (p.k * p.l + p.k + 2 * p.l) + EXTENDED_LEN * (p.k + p.l)
    }

    /// Allocates [`Self::len`] values in `work`.
    pub fn take(p: &Parameters, work: &mut Scratch<'w>) -> Self {
        Self {
            matrix: work.take(N * p.k * p.l),
            w: work.take(N * p.k),
            y: work.take(N * p.l),
            columns: work.take(N * p.l),
            factors: work.take(EXTENDED_LEN * (p.k + p.l)),
        }
    }

    /// Borrows the memory again, for a shorter time.
    pub fn reborrow(&mut self) -> KeptRows<'_> {
        KeptRows { matrix: self.matrix, w: self.w, y: self.y, columns: self.columns, factors: self.factors }
    }

    /// Samples A.
    ///
    /// # Errors
    /// Fails if sampling A exceeds the limit in FIPS 204, appendix C.
    #[inline(never)]
    pub fn sample_matrix<S: Simd>(
        &mut self,
        isa: S,
        p: &Parameters,
        rho: &[u8; RHO_LEN],
    ) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            let mut polynomials = self.matrix.chunks_exact_mut(N);
            for r in 0..p.k {
                for (s, polynomial) in (0..p.l).zip(&mut polynomials) {
                    let mut a = UniformStream::empty(isa);
                    MatrixEntry { rho, r, s }.start(&mut a);
                    a.keep_into(isa, polynomial)?;
                }
            }
            Ok(())
        })
    }

    /// Computes the transforms of all rows of w, from A and the transforms of y in `self.columns`.
    #[inline(always)]
    pub fn multiply<S: Simd>(&mut self, isa: S) {
        let len = self.columns.len();
        for (r, w) in self.w.chunks_exact_mut(N).enumerate() {
            short::products_into(isa, &ML_DSA_SHORT, &self.matrix[len * r..len * (r + 1)], self.columns, w);
        }
    }

    /// Multiplies row `r` in A by the transforms of z (in `columns`) and s1 (in `y`). Writes the
    /// first product to the first row of `w`, and the second product to `s1_row`.
    #[inline(never)]
    pub fn row_products_into<S: Simd>(&mut self, isa: S, r: usize, s1_row: &mut [u32]) {
        frame!(isa, {
            let len = self.columns.len();
            let row = &self.matrix[len * r..len * (r + 1)];
            short::products_into(isa, &ML_DSA_SHORT, row, self.columns, &mut self.w[..N]);
            short::products_into(isa, &ML_DSA_SHORT, row, self.y, s1_row);
        });
    }
}

/// The memory for the packed rows of w.
pub struct CommitmentRows<'a> {
    /// The bytes for z in the signature. They contain pieces of w until an attempt is accepted.
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

    /// Sets the packed rows to zero.
    pub fn clear(&mut self) {
        self.z_bytes.fill(0);
        self.extra_bytes.fill(0);
    }

    /// Unpacks piece `i` in row `r` to `out`.
    #[inline(always)]
    pub fn load(&mut self, r: usize, i: usize, out: &mut [u32]) {
        load_packed(self.piece(r, i), out);
    }

    /// Unpacks row `r` to `memory`.
    #[inline(always)]
    pub fn load_row(&mut self, r: usize, memory: &mut [u32]) {
        for (i, piece) in memory.chunks_exact_mut(PIECE).enumerate() {
            load_packed(self.piece(r, i), piece);
        }
    }

    /// Packs `memory`, and stores it as row `r`.
    #[inline(always)]
    pub fn store_row(&mut self, r: usize, memory: &[u32]) {
        for (i, piece) in memory.chunks_exact(PIECE).enumerate() {
            store_packed(piece, self.piece(r, i));
        }
    }

    /// Multiplies a polynomial in A by the transform `v`, divides the product by R (`2^32`), and
    /// adds the result to row `r`.
    ///
    /// # Errors
    /// Fails if sampling A exceeds the limit in FIPS 204, appendix C.
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
