//! An expanded private key: the basis, the LDL tree and the rows modulo q, for many signatures
//! (specification 2.6.4).
//!
//! Signing with an expanded key reads what [`Encoded`] computes on the way, in the same order of operations, so the
//! signatures are the same. The key is bound to that order and never leaves the process.
//!
//! Everything here is secret.

use super::integrity::digest_of_memory;
use super::params::{Degree, SIGN_SEED_LEN};
use super::sampler::{Sampler, inv_sigma};
use super::sign::{Encoded, Lattice, targets_into};
use super::tree::{expand_into, ff_sampling_tree, gram_into, tree_reals, tree_work_reals};
use crate::simd::{Plain, Scratch, Simd, ct, frame, recast, view};

/// The parts of an expanded key, in order: tree, b01, b11, then rows and the hash of the private key; at the end of the
/// memory the hash of all that.
#[derive(Clone, Copy)]
pub struct Expanded<'a> {
    degree: Degree,
    memory: &'a [u8],
}

/// The length in bytes of the hash at the end of the memory, over all that stands before it.
const DIGEST_LEN: usize = 8;

/// Returns the bytes of an expanded key's memory for a level whose reals have `real` bytes.
const fn expanded_bytes(degree: Degree, real: usize) -> usize {
    (tree_reals(degree.logn()) + 2 * degree.n()) * real + 3 * degree.n() * 2 + SIGN_SEED_LEN + DIGEST_LEN
}

impl<'a> Expanded<'a> {
    /// Returns the bytes of memory that an expanded key takes.
    #[inline(always)]
    pub const fn len<S: Simd>(degree: Degree) -> usize {
        expanded_bytes(degree, size_of::<S::Real>())
    }

    /// Expands `key` into `memory`, [`Expanded::len`] bytes that start at a multiple of 64. `work` has the bytes of a
    /// signature's.
    #[inline(never)]
    pub fn write<S: Simd>(isa: S, key: Encoded<'_>, memory: Scratch<'_>, mut work: Scratch<'_>) {
        frame!(isa, {
            let logn = key.degree.logn();
            let n = key.degree.n();
            let mut memory = memory;
            let tree = memory.take::<S::Real>(tree_reals(logn));
            let b01 = memory.take::<S::Real>(n);
            let b11 = memory.take::<S::Real>(n);
            let f = memory.take::<u16>(n);
            let big_f = memory.take::<u16>(n);
            let h = memory.take::<u16>(n);
            let hash = memory.take::<u8>(SIGN_SEED_LEN);
            let gram = work.take::<S::Real>(3 * n);
            let b00 = work.take::<S::Real>(n);
            let b10 = work.take::<S::Real>(n);
            key.basis_into(isa, [&mut *b00, &mut *b01, &mut *b10, &mut *b11], recast(gram));
            gram_into(isa, [b00, b01, b10, b11], gram);
            expand_into(isa, logn, gram, inv_sigma::<S>(logn), tree);
            key.rows_into(isa, f, big_f, h);
            hash.copy_from_slice(&key.secret_hash(isa));
        });
    }

    /// Completes the memory that [`Expanded::write`] wrote, with its hash. Range: `memory` is all of an expanded key.
    pub fn seal(memory: &mut [u8]) {
        if let Some((values, hash)) = memory.split_last_chunk_mut::<DIGEST_LEN>() {
            *hash = digest_of_memory(values).to_ne_bytes();
        }
    }

    /// Returns whether the memory is as [`Expanded::seal`] left it. A changed bit of the tree makes signatures that
    /// verify, and whose distribution depends on the key.
    pub fn is_intact(&self) -> bool {
        self.memory.split_last_chunk::<DIGEST_LEN>().is_some_and(|(values, hash)| {
            let differs = ct::mask_nonzero(digest_of_memory(values) ^ u64::from_ne_bytes(*hash));
            ct::declassify("expanded key: damaged", differs) == 0
        })
    }

    /// Views memory that [`Expanded::write`] wrote as an expanded key.
    pub const fn new(degree: Degree, memory: &'a [u8]) -> Self {
        Self { degree, memory }
    }

    fn fields<R: Plain>(&self) -> ExpandedFields<'a, R> {
        let n = self.degree.n();
        let (tree, rest) = view(self.memory, tree_reals(self.degree.logn()));
        let (b01, rest) = view(rest, n);
        let (b11, rest) = view(rest, n);
        let (rows, rest) = view(rest, 3 * n);
        ExpandedFields { tree, b01, b11, rows, hash: &rest[..SIGN_SEED_LEN] }
    }
}

/// The fields of an expanded key's memory.
struct ExpandedFields<'a, R> {
    tree: &'a [R],
    b01: &'a [R],
    b11: &'a [R],
    /// The rows f, F and h that [`Lattice::rows_into`] gives.
    rows: &'a [u16],
    /// The hash of the private key.
    hash: &'a [u8],
}

impl Lattice for Expanded<'_> {
    fn sample_reals(&self) -> usize {
        tree_work_reals(self.degree.logn())
    }

    #[inline(always)]
    fn sample<S: Simd>(&self, isa: S, c: &[u16], sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
        let logn = self.degree.logn();
        let n = self.degree.n();
        let ExpandedFields { tree, b01, b11, .. } = self.fields::<S::Real>();
        let (front, t) = memory.split_at_mut(memory.len() - 2 * n);
        let (t0, t1) = t.split_at_mut(n);
        t0.copy_from_slice(b11);
        t1.copy_from_slice(b01);
        targets_into(isa, logn, c, t1, t0, &mut front[..n]);
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
    fn secret_hash<S: Simd>(&self, _: S) -> [u8; SIGN_SEED_LEN] {
        let ExpandedFields { hash, .. } = self.fields::<S::Real>();
        let mut out = [0; SIGN_SEED_LEN];
        out.copy_from_slice(hash);
        out
    }
}
