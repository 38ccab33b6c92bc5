//! Products with the matrix A, row by row. The code samples eight polynomials in A at a time. On
//! levels (instruction sets) with vectors, this code takes a quarter of the time that
//! [`super::matrix`] takes for a product, but it needs more memory.
//!
//! The transforms that are multiplied by A have values up to 18 q, and the sums of products are up
//! to 2 q (`engine/primes/short.rs`). Both may be secret, but the polynomials in A are public.

use super::codec::flip;
use super::expand::{SpongeMemory, bounded_into, entries_into};
use super::params::{N, Parameters, RHO_LEN, SECRET_SEED_LEN};
use super::sample::SqueezeLimitError;
use crate::engine::hash::shake::KECCAK_STATES;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{Scratch, Simd, frame};

/// The rows of A, in order. The code in `rows` uses them for t, and the code in `verify` for w'.
pub struct MatrixRows<'w> {
    p: &'static Parameters,
    rho: [u8; RHO_LEN],
    entries: &'w mut [u32],
    sponge_memory: SpongeMemory<'w>,
    /// The index of the next polynomial in A, where the polynomials are counted row by row.
    next: usize,
}

impl<'w> MatrixRows<'w> {
    /// The work memory that [`Self::new`] needs, in bytes.
    pub const LEN: usize = 4 * N * KECCAK_STATES + SpongeMemory::LEN;

    /// Samples s1 and s2, eight polynomials at a time. `seed` is rho', the seed for s1 and s2. In
    /// `s1`, a negative coefficient `x` is stored as `2^32 - |x|`. In `s2`, each coefficient `x` is
    /// stored as the field `eta - x`.
    ///
    /// # Errors
    /// Fails if sampling needs more bytes than FIPS 204 allows.
    #[inline(always)]
    pub fn draw_into<S: Simd>(
        &mut self,
        isa: S,
        seed: &[u8; SECRET_SEED_LEN],
        s1: &mut [u32],
        s2: &mut [u8],
    ) -> Result<(), SqueezeLimitError> {
        let Self { p, entries, sponge_memory, .. } = self;
        let mut columns = s1.chunks_exact_mut(N);
        let mut rows = s2.chunks_exact_mut(N);
        for first in (0..p.l + p.k).step_by(KECCAK_STATES) {
            let count = (p.l + p.k - first).min(KECCAK_STATES);
            bounded_into(isa, p, seed, first, &mut entries[..N * count], sponge_memory)?;
            for fields in entries[..N * count].chunks_exact(N) {
                if let Some(column) = columns.next() {
                    column.copy_from_slice(fields);
                    flip(p.eta, column);
                } else if let Some(row) = rows.next() {
                    for (row, field) in row.iter_mut().zip(fields) {
                        *row = *field as u8;
                    }
                }
            }
        }
        Ok(())
    }

    /// Prepares the products with the rows of A, starting with the first row. Allocates
    /// [`Self::LEN`] bytes in `work`.
    #[inline(always)]
    pub fn new(p: &'static Parameters, rho: &[u8; RHO_LEN], work: &mut Scratch<'w>) -> Self {
        Self {
            p,
            rho: *rho,
            entries: work.take(N * KECCAK_STATES),
            sponge_memory: SpongeMemory::take(work, SpongeMemory::LEN),
            next: 0,
        }
    }

    /// Multiplies each polynomial in the next row of A by the polynomial with the same index in
    /// `v`, and adds all products to `sum`. The products are Montgomery products, so they are
    /// divided by R, which is `2^32`.
    ///
    /// # Errors
    /// Fails if sampling needs more bytes than FIPS 204 allows.
    #[inline(never)]
    pub fn add_row<S: Simd>(&mut self, isa: S, v: &[u32], sum: &mut [u32]) -> Result<(), SqueezeLimitError> {
        frame!(isa, {
            let l = self.p.l;
            let end = (self.next / l + 1) * l;
            while self.next < end {
                let at = self.next % KECCAK_STATES;
                if at == 0 {
                    let count = (self.p.k * l - self.next).min(KECCAK_STATES);
                    let entries = &mut self.entries[..N * count];
                    entries_into(isa, self.p, &self.rho, self.next, entries, &mut self.sponge_memory)?;
                }
                let count = (end - self.next).min(KECCAK_STATES - at);
                let column = self.next % l;
                let entries = &self.entries[N * at..N * (at + count)];
                short::add_products(isa, &ML_DSA_SHORT, entries, &v[N * column..N * (column + count)], sum);
                self.next += count;
            }
            Ok(())
        })
    }
}
