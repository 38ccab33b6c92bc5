//! Verification with a public key whose transforms are kept for many signatures. A verification
//! does not sample A, which takes most of the time of [`super::verify`].
//!
//! All values in this file are public.

use super::challenge::Challenge;
use super::codec::{PIECE, PublicKeyParts, SignatureParts, unpack};
use super::expand::Room;
use super::hint::EncodedHint;
use super::matrix::{TransformHalf, leave, multiply_add};
use super::params::{D, MAX_CHALLENGE_LEN, MU_LEN, MlDsaSet, N, Parameters, Q, T1_BITS};
use super::public_transforms::{CommitmentMemory, PublicTransforms, commitment_len};
use super::sample::SqueezeLimitError;
use super::verify::{MlDsaRejection, absorb_high, decide, largest_of_z};
use crate::engine::hash::shake::Shake256;
use crate::engine::hash::sponges::{PaddedInput, padded_len};
use crate::engine::primes::prime::ML_DSA;
use crate::engine::primes::short::{self, ML_DSA_SHORT};
use crate::engine::verdict::Verified;
use crate::simd::{SCRATCH_ALIGN, Scratch, Simd, frame};

/// The work memory for [`write_transforms`], in bytes.
pub const WORK_LEN: usize = SCRATCH_ALIGN + Room::LEN;

/// Returns the work memory in bytes with which [`KeptVerification::verify`] transforms z only once.
pub const fn fast_work_len(p: &Parameters) -> usize {
    SCRATCH_ALIGN + 4 * N * (p.l + 3) + padded_len(commitment_len(p))
}

/// Writes the transforms of an encoded public key, so that they can be used for many signatures.
/// Allocates [`WORK_LEN`] bytes in `work`. Range: all lengths must match the set.
///
/// # Errors
/// Fails if rho does not yield a matrix within the limits of the standard.
#[inline(always)]
pub fn write_transforms<S: Simd>(
    isa: S,
    set: MlDsaSet,
    public: &[u8],
    values: &mut [u32],
    mut work: Scratch<'_>,
) -> Result<(), SqueezeLimitError> {
    let p = set.parameters();
    let key = PublicKeyParts::new(set, public).ok_or(SqueezeLimitError)?;
    let (matrix, upper) = values.split_at_mut(N * p.k * p.l);
    PublicTransforms::sample_matrix(isa, p, key.rho, matrix, &mut Room::take(&mut work, Room::LEN))?;
    for (r, row) in upper.chunks_exact_mut(N).enumerate() {
        unpack(isa, T1_BITS, key.row(r), row);
        for x in &mut *row {
            *x <<= D;
        }
        short::ntt(isa, &ML_DSA_SHORT, row);
    }
    Ok(())
}

/// The input to a verification with a transformed public key.
pub struct KeptVerification<'a> {
    /// The parameter set.
    pub set: MlDsaSet,
    /// The transforms that [`write_transforms`] wrote.
    pub values: &'a [u32],
    /// The hash of the public key's hash and the message.
    pub mu: &'a [u8; MU_LEN],
    /// The encoded signature.
    pub signature: &'a [u8],
}

impl KeptVerification<'_> {
    /// Verifies the signature. `work` must have at least [`MlDsaSet::verify_work_len`] bytes. With
    /// [`fast_work_len`] bytes, the verification is faster.
    ///
    /// # Errors
    /// Returns the reason why the signature was rejected.
    #[inline(never)]
    pub fn verify<S: Simd>(&self, isa: S, mut work: Scratch<'_>) -> Result<Verified, MlDsaRejection> {
        frame!(isa, {
            let p = self.set.parameters();
            let key = PublicTransforms::of(p, self.values).ok_or(MlDsaRejection::Limit)?;
            let parts = SignatureParts::new(self.set, self.signature).ok_or(MlDsaRejection::Length)?;
            let hint = EncodedHint::new(p, parts.hint).ok_or(MlDsaRejection::Hint)?;
            let mut found = [0; MAX_CHALLENGE_LEN];
            let found = &mut found[..p.challenge_len];
            let largest = if work.len() >= fast_work_len(p) - SCRATCH_ALIGN {
                let mut memory = CommitmentMemory {
                    z: work.take(N * p.l),
                    minus_c: work.take(N),
                    row: work.take(N),
                    fields: work.take(N),
                    hashed: work.take(padded_len(commitment_len(p))),
                };
                let largest = key.commitment_into(isa, self.mu, &parts, &hint, &mut memory)?;
                PaddedInput { blocks: memory.hashed, hash: &mut *found }.hash(isa);
                largest
            } else {
                self.hash_by_halves(isa, &key, &parts, &hint, found, work)?
            };
            decide(p, largest, found, parts.challenge)
        })
    }

    /// Computes the hash of mu and w1', with memory for a polynomial and a half. Each half of the
    /// transforms of z and c is computed again for each row. Returns the largest magnitude of any
    /// coefficient in z.
    ///
    /// # Errors
    /// Fails if a coefficient in z is too large, or if c~ does not yield a challenge.
    #[inline(never)]
    fn hash_by_halves<S: Simd>(
        &self,
        isa: S,
        key: &PublicTransforms<'_>,
        parts: &SignatureParts<'_>,
        hint: &EncodedHint<'_>,
        found: &mut [u8],
        mut work: Scratch<'_>,
    ) -> Result<u32, MlDsaRejection> {
        frame!(isa, {
            let p = self.set.parameters();
            let largest = largest_of_z(isa, p, parts.z);
            if largest >= p.z_bound() {
                return Err(MlDsaRejection::Norm);
            }
            let c = Challenge::new(isa, p, parts.challenge)?;
            let sum = work.take::<u32>(N);
            let half = work.take::<u32>(N / 2);
            let mut hash = Shake256::new(isa);
            hash.absorb(self.mu);
            for r in 0..p.k {
                sum.fill(0);
                for (side, sum) in TransformHalf::BOTH.into_iter().zip(sum.chunks_exact_mut(N / 2)) {
                    let at = side as usize * (N / 2);
                    for (s, a) in key.row(r).chunks_exact(N).enumerate() {
                        half.fill(0);
                        side.add(isa, parts.packed_z(p, s), half);
                        side.transform(isa, half);
                        add_half(isa, &a[at..], half, sum);
                    }
                    half_of_minus_c_into(side, &c, half);
                    side.transform(isa, half);
                    add_half(isa, &key.upper(r)[at..], half, sum);
                }
                leave(isa, sum);
                absorb_high(isa, p, sum, hint.row(r), &mut hash);
            }
            hash.finish();
            hash.squeeze(found);
            Ok(largest)
        })
    }
}

/// Adds the products of `a` and half a transform to `sum`, divided by R.
#[inline(always)]
fn add_half<S: Simd>(isa: S, a: &[u32], half: &[u32], sum: &mut [u32]) {
    let rows = half.chunks_exact(PIECE).zip(sum.chunks_exact_mut(PIECE));
    for (a, (half, sum)) in a.as_chunks().0.iter().zip(rows) {
        multiply_add(isa, a, half, sum);
    }
}

/// Writes the residues of `-c` in one half of a transform, before the second layer.
#[inline(always)]
fn half_of_minus_c_into(side: TransformHalf, c: &Challenge, half: &mut [u32]) {
    half.fill(0);
    for (place, is_negative) in c.terms() {
        let value = if is_negative { 1 } else { Q - 1 };
        let (low, high) = if place < N / 2 { (value, 0) } else { (0, value) };
        let x = &mut half[place % (N / 2)];
        *x = ML_DSA.add(*x, side.join(low, high));
    }
}
