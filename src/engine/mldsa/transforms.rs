//! The transforms of a private key that signing needs: A, s1, s2 and t0. A signer can compute them
//! for each signature, or compute them once and keep them for many signatures.
//!
//! All transforms except for A are secret.

use super::codec::ExpandedKeyParts;
use super::expand::{Room, entries_into};
use super::matrix::enter;
use super::params::{MlDsaSet, N, Parameters, RHO_LEN};
use super::sample::SqueezeLimitError;
use crate::engine::hash::shake::MANY;
use crate::engine::primes::{prime::ML_DSA, transform};
#[cfg(feature = "alloc")]
use crate::simd::{SCRATCH_ALIGN, Scratch};
use crate::simd::{Simd, ct, frame};

/// The transforms of a private key, as residues in `[0, q)`.
#[derive(Clone, Copy)]
pub struct KeyTransforms<'w> {
    p: &'static Parameters,
    values: &'w [u32],
}

impl<'w> KeyTransforms<'w> {
    /// Returns how many values a parameter set needs.
    pub const fn len(p: &Parameters) -> usize {
        N * (p.k * p.l + p.l + 2 * p.k)
    }

    /// Computes the transforms of a key. Range: `values` must have the length [`Self::len`].
    ///
    /// # Errors
    /// Fails if sampling the matrix from rho needs more bytes than FIPS 204, appendix C, allows.
    #[inline(never)]
    pub fn new<S: Simd>(
        isa: S,
        set: MlDsaSet,
        key: &ExpandedKeyParts<'_>,
        values: &'w mut [u32],
        room: &mut Room<'_>,
    ) -> Result<Self, SqueezeLimitError> {
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

    /// Writes the transforms of an expanded key, so that they can be used for many signatures.
    /// Allocates [`Self::WORK_LEN`] bytes in `work`. Range: all lengths must match the set.
    ///
    /// # Errors
    /// Fails if rho does not yield a matrix within the limits of the standard.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn write<S: Simd>(
        isa: S,
        set: MlDsaSet,
        expanded: &[u8],
        values: &'w mut [u32],
        mut work: Scratch<'_>,
    ) -> Result<(), SqueezeLimitError> {
        let key = ExpandedKeyParts::new(set, expanded).ok_or(SqueezeLimitError)?;
        Self::new(isa, set, &key, values, &mut Room::take(&mut work, Room::LEN)).map(drop)
    }

    /// The work memory for [`Self::write`], in bytes.
    #[cfg(feature = "alloc")]
    pub const WORK_LEN: usize = SCRATCH_ALIGN + Room::LEN;

    /// Returns transforms that were computed before. Range: [`Self::new`] must have written
    /// `values`.
    #[cfg(feature = "alloc")]
    pub fn of(set: MlDsaSet, values: &'w [u32]) -> Self {
        Self { p: set.parameters(), values }
    }

    /// Returns the row `r` in A.
    #[inline(always)]
    pub fn row(&self, r: usize) -> &'w [u32] {
        &self.values[N * self.p.l * r..N * self.p.l * (r + 1)]
    }

    /// Returns all s1 columns.
    #[inline(always)]
    pub fn s1(&self) -> &'w [u32] {
        &self.values[N * self.p.k * self.p.l..][..N * self.p.l]
    }

    /// Returns the s2 row `r`.
    #[inline(always)]
    pub fn s2(&self, r: usize) -> &'w [u32] {
        &self.values[N * (self.p.k * self.p.l + self.p.l + r)..][..N]
    }

    /// Returns the t0 row `r`.
    #[inline(always)]
    pub fn t0(&self, r: usize) -> &'w [u32] {
        self.s2(self.p.k + r)
    }
}
