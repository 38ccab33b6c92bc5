//! Products with the matrix A, of which eight polynomials are made at a time, row by row: what has memory for these
//! needs a quarter of the time of [`super::matrix`] on levels with vectors.
//!
//! Values may be up to 18 q, and sums of products up to 2 q (`engine/primes/short.rs`). They may be secret, those of A are
//! public.

use super::codec::flip;
use super::expand::{Room, bounded_into, entries_into};
use super::params::{N, Parameters, RHO_LEN, SECRET_SEED_LEN};
use super::sample::LimitReached;
use crate::engine::hash::shake::MANY;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{Scratch, Simd, frame};

/// The rows of A, in order.
pub struct Batches<'w> {
    p: &'static Parameters,
    rho: [u8; RHO_LEN],
    entries: &'w mut [u32],
    room: Room<'w>,
    /// The number of the next polynomial.
    next: usize,
}

impl<'w> Batches<'w> {
    /// Bytes of work memory.
    pub const LEN: usize = 4 * N * MANY + Room::LEN;

    /// Draws the polynomials of s1 from rho', all at a time; negative coefficients are `2^32 - |x|`.
    ///
    /// # Errors
    /// The seed gives no polynomials.
    #[inline(always)]
    pub fn draw_into<S: Simd>(
        &mut self,
        isa: S,
        seed: &[u8; SECRET_SEED_LEN],
        out: &mut [u32],
    ) -> Result<(), LimitReached> {
        bounded_into(isa, self.p, seed, 0, out, &mut self.room)?;
        flip(self.p.eta, out);
        Ok(())
    }

    /// Begins with the first row. Takes [`Self::LEN`] bytes of `work`.
    #[inline(always)]
    pub fn new(p: &'static Parameters, rho: &[u8; RHO_LEN], work: &mut Scratch<'w>) -> Self {
        Self { p, rho: *rho, entries: work.take(N * MANY), room: Room::take(work, Room::LEN), next: 0 }
    }

    /// Adds the product of the next row and `v`, as many polynomials as A has columns, to `sum`. It lacks a factor R.
    ///
    /// # Errors
    /// A seed gives no polynomial.
    #[inline(never)]
    pub fn add_row<S: Simd>(&mut self, isa: S, v: &[u32], sum: &mut [u32]) -> Result<(), LimitReached> {
        frame!(isa, {
            let l = self.p.l;
            let end = (self.next / l + 1) * l;
            while self.next < end {
                let at = self.next % MANY;
                if at == 0 {
                    let count = (self.p.k * l - self.next).min(MANY);
                    let entries = &mut self.entries[..N * count];
                    entries_into(isa, self.p, &self.rho, self.next, entries, &mut self.room)?;
                }
                let count = (end - self.next).min(MANY - at);
                let column = self.next % l;
                let entries = &self.entries[N * at..N * (at + count)];
                short::add_products(isa, &ML_DSA_SHORT, entries, &v[N * column..N * (column + count)], sum);
                self.next += count;
            }
            Ok(())
        })
    }
}
