//! What signing needs of a private key, transformed once: A, s1, s2 and t0. It is made for each signature, or kept for
//! many.
//!
//! All but A is secret.

use super::codec::SecretParts;
use super::expand::{Room, entries_into};
use super::matrix::enter;
use super::params::{N, Parameters, RHO_LEN, Set};
use super::sample::LimitReached;
use crate::engine::hash::shake::MANY;
use crate::engine::primes::{prime::ML_DSA, transform};
#[cfg(feature = "alloc")]
use crate::simd::{SCRATCH_ALIGN, Scratch};
use crate::simd::{Simd, ct, frame};

/// The transforms of a private key, residues in `[0, q)`.
#[derive(Clone, Copy)]
pub struct Transforms<'w> {
    p: &'static Parameters,
    values: &'w [u32],
}

impl<'w> Transforms<'w> {
    /// Returns the number of values of a set.
    pub const fn len(p: &Parameters) -> usize {
        N * (p.k * p.l + p.l + 2 * p.k)
    }

    /// Computes the transforms of a key. Range: `values` are [`Self::len`].
    ///
    /// # Errors
    /// rho gives no matrix.
    #[inline(never)]
    pub fn new<S: Simd>(
        isa: S,
        set: Set,
        key: &SecretParts<'_>,
        values: &'w mut [u32],
        room: &mut Room<'_>,
    ) -> Result<Self, LimitReached> {
        frame!(isa, {
            let p = set.parameters();
            let (a, small) = values.split_at_mut(N * p.k * p.l);
            let mut rho: [u8; RHO_LEN] = *key.rho;
            ct::declassify_row("public key", &mut rho);
            for (i, a) in a.chunks_mut(N * MANY).enumerate() {
                entries_into(isa, p, &rho, MANY * i, a, room)?;
            }
            for (i, polynomial) in small.chunks_exact_mut(N).enumerate() {
                let small = p.l + p.k;
                let packed = if i < small { key.small(p, i) } else { key.lower(i - small) };
                packed.piece(isa, 0, polynomial);
                enter(isa, polynomial);
                transform::scale_into(isa, &ML_DSA, polynomial, ML_DSA.one);
            }
            Ok(Self { p, values })
        })
    }

    /// Writes the transforms of an expanded key, for many signatures. Takes [`Self::WORK_LEN`] bytes of `work`. Range: lengths are
    /// those of the set.
    ///
    /// # Errors
    /// rho gives no matrix.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn write<S: Simd>(
        isa: S,
        set: Set,
        expanded: &[u8],
        values: &'w mut [u32],
        mut work: Scratch<'_>,
    ) -> Result<(), LimitReached> {
        let key = SecretParts::new(set, expanded).ok_or(LimitReached)?;
        Self::new(isa, set, &key, values, &mut Room::take(&mut work, Room::LEN)).map(drop)
    }

    /// Bytes of work memory of [`Self::write`].
    #[cfg(feature = "alloc")]
    pub const WORK_LEN: usize = SCRATCH_ALIGN + Room::LEN;

    /// Returns the transforms that were computed before. Range: `values` are those that [`Self::new`] wrote.
    #[cfg(feature = "alloc")]
    pub fn of(set: Set, values: &'w [u32]) -> Self {
        Self { p: set.parameters(), values }
    }

    /// Returns the row `r` of A.
    #[inline(always)]
    pub fn row(&self, r: usize) -> &'w [u32] {
        &self.values[N * self.p.l * r..N * self.p.l * (r + 1)]
    }

    /// Returns all columns of s1.
    #[inline(always)]
    pub fn s1(&self) -> &'w [u32] {
        &self.values[N * self.p.k * self.p.l..][..N * self.p.l]
    }

    /// Returns the row `r` of s2.
    #[inline(always)]
    pub fn s2(&self, r: usize) -> &'w [u32] {
        &self.values[N * (self.p.k * self.p.l + self.p.l + r)..][..N]
    }

    /// Returns the row `r` of t0.
    #[inline(always)]
    pub fn t0(&self, r: usize) -> &'w [u32] {
        self.s2(self.p.k + r)
    }
}
