//! An expanded private key, with which each signature takes less time (specification 2.6.4). It
//! contains the values that [`EncodedPrivateKey`] computes again for each signature:
//!
//! - the second column of the basis, b01 and b11
//! - the LDL tree
//! - the transforms of f, F and h modulo q, which are rows with n residues each
//!
//! An expanded key and its encoded key make the same signatures, because both use the same
//! operations in the same order. The stored values depend on this order, so an expanded key must
//! not leave the process.
//!
//! All values in this file are secret.

use super::fft::fft;
use super::integrity::{MemoryFault, digest_of_memory};
use super::modq;
use super::params::{Degree, SIGN_SEED_LEN};
use super::point::HashedPoint;
use super::sampler::{Sampler, inv_sigma};
use super::scheme::FalconAlgorithm;
use super::sign::{EncodedPrivateKey, LatticeKey, PreparedLatticeKey, targets_into};
use super::tree::{expand_into, ff_sampling_tree, gram_into, tree_reals, tree_work_reals};
use super::tree_check::tree_fits;
use crate::engine::hash::shake::Shake256;
use crate::simd::{PlainData, Scratch, Simd, ct, frame, recast, view};

/// An expanded key. The memory contains the tree, b01, b11, the rows f, F and h, the private key's
/// hash, and a hash of all these bytes.
#[derive(Clone, Copy)]
pub struct ExpandedPrivateKey<'a> {
    degree: Degree,
    memory: &'a [u8],
}

/// The length in bytes of the hash that ends the memory. The hash covers all bytes before it.
const DIGEST_LEN: usize = 8;

/// A real number's length in bytes, on every level (instruction set).
const REAL_LEN: usize = 8;

impl<'a> ExpandedPrivateKey<'a> {
    /// Returns an expanded key's length in bytes.
    pub const fn len(degree: Degree) -> usize {
        (tree_reals(degree.logn()) + 2 * degree.n()) * REAL_LEN + 3 * degree.n() * 2 + SIGN_SEED_LEN + DIGEST_LEN
    }

    /// Expands `key` into `memory`, which has [`ExpandedPrivateKey::len`] bytes with the alignment
    /// from [`Scratch::new`]. `work` must have as many bytes as signing with the encoded key needs.
    ///
    /// The function expands the key twice, and stores the values from the second pass with the hash
    /// from the first pass. If a fault occurs in only one pass, the values do not match the hash.
    /// If the same fault occurs in both passes, [`tree_fits`] detects it, because this check does
    /// not repeat the computation, but computes in the opposite direction, from the tree to the
    /// Gram matrix.
    ///
    /// # Errors
    /// Returns an error if there was a fault. In this case, the caller must not use the memory.
    #[inline(never)]
    pub fn write<S: Simd>(
        isa: S,
        key: EncodedPrivateKey<'_>,
        memory: &mut [u8],
        mut work: Scratch<'_>,
    ) -> Result<(), MemoryFault> {
        frame!(isa, {
            const { assert!(size_of::<S::Real>() == REAL_LEN) };
            let _checked_in_second_pass = Self::fill(isa, key, Scratch::new(memory), work.fork());
            Self::seal(memory);
            let fits_basis = Self::fill(isa, key, Scratch::new(memory), work);
            let is_intact = ExpandedPrivateKey::new(key.degree, memory).is_intact();
            if fits_basis && is_intact { Ok(()) } else { Err(MemoryFault) }
        })
    }

    /// Writes all parts except the hash at the end, and returns whether the tree fits the basis.
    #[inline(never)]
    fn fill<S: Simd>(isa: S, key: EncodedPrivateKey<'_>, mut memory: Scratch<'_>, mut work: Scratch<'_>) -> bool {
        frame!(isa, {
            let logn = key.degree.logn();
            let n = key.degree.n();
            let tree = memory.take::<S::Real>(tree_reals(logn));
            let b01 = memory.take::<S::Real>(n);
            let b11 = memory.take::<S::Real>(n);
            let rows = [(); 3].map(|()| memory.take::<u16>(n));
            let hash = memory.take::<u8>(SIGN_SEED_LEN);
            let gram = work.take::<S::Real>(3 * n);
            let saved_reals = work.take::<S::Real>(2 * n);
            let (b00, b10) = saved_reals.split_at_mut(n);
            let mod_q_rows = key.basis_into(isa, [&mut *b00, &mut *b01, &mut *b10, &mut *b11], recast(gram));
            modq::to_montgomery(isa, mod_q_rows[2]);
            for (row, source) in rows.into_iter().zip(mod_q_rows) {
                row.copy_from_slice(source);
            }
            gram_into(isa, [b00, b01, b10, b11], gram);
            saved_reals.copy_from_slice(&gram[..2 * n]);
            expand_into(isa, logn, gram, inv_sigma::<S>(logn), tree);
            if let Some(hash) = hash.first_chunk_mut() {
                key.secret_hash_into(&mut Shake256::new(isa), hash);
            }
            tree_fits(isa, logn, tree, saved_reals, &mut gram[..2 * n])
        })
    }

    /// Adds the hash to the memory that [`ExpandedPrivateKey::fill`] has written. `memory` must be
    /// an expanded key's complete memory.
    fn seal(memory: &mut [u8]) {
        if let Some((values, hash)) = memory.split_last_chunk_mut::<DIGEST_LEN>() {
            *hash = digest_of_memory(values).to_ne_bytes();
        }
    }

    /// Returns the degree.
    #[cfg(feature = "alloc")]
    pub(super) const fn degree(&self) -> Degree {
        self.degree
    }

    /// Returns an expanded key that uses `memory`, which [`ExpandedPrivateKey::write`] must have
    /// written.
    pub const fn new(degree: Degree, memory: &'a [u8]) -> Self {
        Self { degree, memory }
    }

    /// Splits the memory into its fields. `R` is the type for real numbers on the level that
    /// expanded the key.
    pub(super) fn fields<R: PlainData>(&self) -> ExpandedFields<'a, R> {
        let n = self.degree.n();
        let (tree, rest) = view(self.memory, tree_reals(self.degree.logn()));
        let (b01, rest) = view(rest, n);
        let (b11, rest) = view(rest, n);
        let (rows, rest) = view(rest, 3 * n);
        ExpandedFields { tree, b01, b11, rows, hash: &rest[..SIGN_SEED_LEN] }
    }
}

/// The fields in an expanded key's memory.
pub(super) struct ExpandedFields<'a, R> {
    /// The LDL tree.
    pub tree: &'a [R],
    /// The transform of -f, in the second column of the basis.
    pub b01: &'a [R],
    /// The transform of -F, in the second column of the basis.
    pub b11: &'a [R],
    /// The rows f, F and h that [`LatticeKey::rows_into`] returns.
    rows: &'a [u16],
    /// The private key's hash.
    hash: &'a [u8],
}

impl PreparedLatticeKey for ExpandedPrivateKey<'_> {
    fn is_intact(&self) -> bool {
        self.memory.split_last_chunk::<DIGEST_LEN>().is_some_and(|(values, hash)| {
            let differs = ct::mask_nonzero(digest_of_memory(values) ^ u64::from_ne_bytes(*hash));
            ct::declassify("expanded key: damaged", differs) == 0
        })
    }

    fn work_len(algorithm: FalconAlgorithm) -> usize {
        algorithm.sign_expanded_work_len()
    }
}

impl LatticeKey for ExpandedPrivateKey<'_> {
    const IS_EXPANDED: bool = true;

    fn sample_reals(&self) -> usize {
        tree_work_reals(self.degree.logn())
    }

    #[inline(always)]
    fn sample<S: Simd>(&self, isa: S, point: &HashedPoint<'_>, sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
        let logn = self.degree.logn();
        let n = self.degree.n();
        let ExpandedFields { tree, b01, b11, .. } = self.fields::<S::Real>();
        let (lower_memory, t) = memory.split_at_mut(memory.len() - 2 * n);
        let (t0, t1) = t.split_at_mut(n);
        t0.copy_from_slice(b11);
        t1.copy_from_slice(b01);
        let (c, row) = lower_memory.split_at_mut(n);
        fft(isa, logn, point.coefficients(isa, &mut recast(row)[..n]), c, i32::from);
        targets_into(isa, c, t1, t0);
        ff_sampling_tree(isa, sampler, logn, tree, memory);
    }

    #[inline(always)]
    fn rows_into<S: Simd>(&self, _: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]) {
        let ExpandedFields { rows, .. } = self.fields::<S::Real>();
        for (out, row) in [f, big_f, h].into_iter().zip(rows.chunks_exact(self.degree.n())) {
            out.copy_from_slice(row);
        }
    }

    #[inline(always)]
    fn secret_hash_into<S: Simd>(&self, _: &mut Shake256<S>, out: &mut [u8; SIGN_SEED_LEN]) {
        let ExpandedFields { hash, .. } = self.fields::<S::Real>();
        out.copy_from_slice(hash);
    }
}
