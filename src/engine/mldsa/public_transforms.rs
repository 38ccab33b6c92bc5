//! The transforms of a public key (A and `t1 2^13`), and the computation of w' (the verifier's w)
//! from these transforms (FIPS 204, algorithm 8). A verifier can keep these transforms for many
//! signatures ([`super::kept_verification`]). A signer uses the same code to verify a new
//! signature.
//!
//! All values in this file are public.

use super::codec::SignatureParts;
use super::expand::{SpongeMemory, entries_into};
use super::hint::EncodedHint;
use super::matrix::{forward_transform, inverse_transform};
use super::params::{MU_LEN, N, Parameters, RHO_LEN};
use super::round::larger_vartime;
use super::sample::SqueezeLimitError;
use super::verify::{MlDsaRejection, largest_magnitude, write_high};
use crate::engine::hash::shake::KECCAK_STATES;
use crate::engine::hash::sponges::{pad, padded_len};
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::simd::{Simd, align_stack_for, frame};

/// The transforms of a public key. The polynomials in A are residues in `[0, q)`. The transformed
/// rows of `t1 2^13` have values below 18 q, because the transform does not reduce its results (see
/// `engine/primes/short.rs`).
#[derive(Clone, Copy)]
pub struct PublicTransforms<'w> {
    p: &'static Parameters,
    values: &'w [u32],
}

/// A signature with a valid encoding of the hint. The bound for z was not checked yet.
pub struct ParsedSignature<'a> {
    /// The signature's parts.
    pub parts: SignatureParts<'a>,
    /// The hint.
    pub hint: EncodedHint<'a>,
}

/// The memory to compute the rows of w' for a signature.
pub struct CommitmentMemory<'w> {
    /// The transformed z, with `N l` values.
    pub z: &'w mut [u32],
    /// The transform of `-c`, with `N` values. The caller must write it.
    pub minus_c: &'w mut [u32],
    /// A row of w', with `N` values.
    pub row: &'w mut [u32],
    /// A row of w1' before it is packed, with `N` values. w1' consists of the high parts of w'.
    pub fields: &'w mut [u32],
    /// mu and the packed w1', which are hashed to c~, with padding ([`commitment_len`]).
    pub hashed: &'w mut [u8],
}

/// Returns the length in bytes for mu and the packed w1.
pub const fn commitment_len(p: &Parameters) -> usize {
    MU_LEN + p.k * high_len(p)
}

/// Returns the length in bytes for a packed w1 row.
pub const fn high_len(p: &Parameters) -> usize {
    N / 8 * p.w1_bits()
}

impl<'w> PublicTransforms<'w> {
    /// Returns the number of 32-bit values in the transforms for a parameter set.
    pub const fn len(p: &Parameters) -> usize {
        N * (p.k * p.l + p.k)
    }

    /// Returns the transforms that are stored in `values`. Returns `None` if the number of values
    /// is wrong.
    pub fn of(p: &'static Parameters, values: &'w [u32]) -> Option<Self> {
        (values.len() == Self::len(p)).then_some(Self { p, values })
    }

    /// Samples A, and writes it to `matrix`, which must have `N k l` values.
    ///
    /// # Errors
    /// Fails if sampling the matrix from rho needs more bytes than FIPS 204, appendix C, allows.
    #[inline(always)]
    pub fn sample_matrix<S: Simd>(
        isa: S,
        p: &Parameters,
        rho: &[u8; RHO_LEN],
        matrix: &mut [u32],
        sponge_memory: &mut SpongeMemory<'_>,
    ) -> Result<(), SqueezeLimitError> {
        for (i, entries) in matrix.chunks_mut(N * KECCAK_STATES).enumerate() {
            entries_into(isa, p, rho, KECCAK_STATES * i, entries, sponge_memory)?;
        }
        Ok(())
    }

    /// Returns the row `r` in A.
    #[inline(always)]
    pub fn row(&self, r: usize) -> &'w [u32] {
        &self.values[N * self.p.l * r..N * self.p.l * (r + 1)]
    }

    /// Returns the transform of row `r` of `t1 2^13`.
    #[inline(always)]
    pub fn t1_rows(&self, r: usize) -> &'w [u32] {
        &self.values[N * (self.p.k * self.p.l + r)..][..N]
    }

    /// Computes `w' = A z - c t1 2^13` for a signature. `memory.minus_c` must contain the transform
    /// of `-c`. Writes mu and the encoding of w1' to `memory.hashed`, with padding. For a valid
    /// signature, the hash of these bytes is c~. Returns the largest magnitude of a coefficient in
    /// z.
    ///
    /// # Errors
    /// Fails if a coefficient in z is too large.
    #[inline(never)]
    pub fn commitment_into<S: Simd>(
        &self,
        isa: S,
        mu: &[u8; MU_LEN],
        signature: &ParsedSignature<'_>,
        memory: &mut CommitmentMemory<'_>,
    ) -> Result<u32, MlDsaRejection> {
        frame!(isa, {
            align_stack_for::<S::U32>();
            let p = self.p;
            let ParsedSignature { parts, hint } = signature;
            let mut largest = 0;
            for (s, z) in memory.z.chunks_exact_mut(N).enumerate() {
                parts.packed_z(p, s).piece(isa, 0, z);
                largest = larger_vartime(largest, largest_magnitude(z));
                forward_transform(isa, z);
            }
            if largest >= p.z_bound() {
                return Err(MlDsaRejection::Norm);
            }
            let (head, rows) = memory.hashed[..padded_len(commitment_len(p))].split_at_mut(MU_LEN);
            head.copy_from_slice(mu);
            for r in 0..p.k {
                let row = &mut *memory.row;
                short::products_into(isa, &ML_DSA_SHORT, self.row(r), memory.z, row);
                short::add_products(isa, &ML_DSA_SHORT, memory.minus_c, self.t1_rows(r), row);
                inverse_transform(isa, row);
                let high = &mut rows[high_len(p) * r..][..high_len(p)];
                write_high(isa, p, row, hint.row(r), memory.fields, high);
            }
            pad(memory.hashed, commitment_len(p));
            Ok(largest)
        })
    }
}
