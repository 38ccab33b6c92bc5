//! Verifies several signatures together, with public keys whose transforms are kept. For each
//! signature, the code computes two hashes in vector lanes: of the challenge's seed, and of the
//! commitment (mu and w1'). It computes all other steps for one signature after another, as in
//! [`super::kept_verification`].
//!
//! Each signature has a separate verdict, which does not depend on the other signatures. All
//! verdicts are NO at the start. If the level (the instruction set) permutes a single Keccak state
//! at a time, or if there are too few signatures, the signatures are verified in sequence.
//!
//! All values in this file are public.

use super::challenge::Challenge;
use super::codec::SignatureParts;
use super::hint::EncodedHint;
use super::kept_verification::{KeptVerification, work_len};
use super::params::{MAX_CHALLENGE_LEN, MlDsaSet, N, Parameters, Q};
use super::public_transforms::{CommitmentMemory, ParsedSignature, PublicTransforms, commitment_len};
use super::verify::{MlDsaRejection, decide};
use crate::engine::hash::shake::{KECCAK_STATES, KeccakStates, RATE, many_states_are_faster};
use crate::engine::hash::sponges::{PaddedInput, hash_together, padded_len};
use crate::engine::verdict::Verified;
use crate::simd::{Scratch, Simd, frame};

/// Returns how much work memory [`verify_together`] needs, in bytes.
pub const fn batch_work_len(p: &Parameters) -> usize {
    work_len(p) + (KECCAK_STATES - 1) * padded_len(commitment_len(p))
}

// A caller with enough memory for the fastest single verification also has enough for a batch.
const _: () = {
    let mut i = 0;
    while i < MlDsaSet::ALL.len() {
        let set = MlDsaSet::ALL[i];
        assert!(batch_work_len(set.parameters()) <= set.verify_fast_work_len());
        i += 1;
    }
};

/// A well-formed signature in a lane.
struct VerificationLane<'l, 'a> {
    verification: &'l KeptVerification<'a>,
    key: PublicTransforms<'a>,
    parts: SignatureParts<'a>,
    hint: EncodedHint<'a>,
    verdict: &'l mut Result<Verified, MlDsaRejection>,
}

/// Verifies at most [`KECCAK_STATES`] signatures for the same parameter set. For a signature,
/// writes the verdict that [`KeptVerification::verify`] would return. If an entry is `None` instead
/// of a signature, writes [`MlDsaRejection::Challenge`]. Allocates [`batch_work_len`] bytes in
/// `work`.
#[inline(always)]
pub fn verify_together<S: Simd>(
    isa: S,
    verifications: &[Option<KeptVerification<'_>>; KECCAK_STATES],
    verdicts: &mut [Result<Verified, MlDsaRejection>; KECCAK_STATES],
    mut work: Scratch<'_>,
) {
    *verdicts = [Err(MlDsaRejection::Challenge); KECCAK_STATES];
    if many_states_are_faster::<S>(verifications.iter().flatten().count()) {
        return verify_in_lanes(isa, verifications, verdicts, work);
    }
    for (verification, verdict) in verifications.iter().zip(verdicts) {
        if let Some(verification) = verification {
            *verdict = verification.verify(isa, work.fork());
        }
    }
}

/// Verifies the signatures in vector lanes. The caller must have set all verdicts to NO.
#[inline(never)]
fn verify_in_lanes<S: Simd>(
    isa: S,
    verifications: &[Option<KeptVerification<'_>>; KECCAK_STATES],
    verdicts: &mut [Result<Verified, MlDsaRejection>; KECCAK_STATES],
    mut work: Scratch<'_>,
) {
    frame!(isa, {
        // Pack the well-formed signatures into the first lanes.
        let mut lanes = [const { None }; KECCAK_STATES];
        let mut seeds: [&[u8]; KECCAK_STATES] = [&[]; KECCAK_STATES];
        let mut count = 0;
        for (verification, verdict) in verifications.iter().zip(verdicts) {
            let Some(verification) = verification else { continue };
            match verification.parse() {
                Ok((key, parts, hint)) => {
                    seeds[count] = parts.challenge;
                    lanes[count] = Some(VerificationLane { verification, key, parts, hint, verdict });
                    count += 1;
                }
                Err(rejection) => *verdict = Err(rejection),
            }
        }
        let Some(VerificationLane { verification, .. }) = &lanes[0] else { return };
        let p = verification.set.parameters();
        let mut states = [[0; KECCAK_STATES]; 25];
        let challenges = Challenge::first_blocks(isa, &seeds[..count], &mut states);

        let hashed = work.take::<u8>(padded_len(commitment_len(p)) * KECCAK_STATES);
        let largest = commitments_into(isa, p, &lanes, &challenges, hashed, &mut work);
        let mut computed = [[0; MAX_CHALLENGE_LEN]; KECCAK_STATES];
        hash_commitments(isa, p, &hashed[..padded_len(commitment_len(p)) * count], &mut computed, &mut states);
        for ((lane, largest), computed) in lanes.into_iter().flatten().zip(largest).zip(computed) {
            let computed = &computed[..p.challenge_len];
            *lane.verdict = match largest {
                Ok(largest) => decide(p, largest, computed, lane.parts.challenge),
                Err(rejection) => Err(rejection),
            };
        }
    });
}

/// Writes mu and w1' for all lanes to `hashed`. For a lane, `challenges` contains the first block
/// of the bytes from which the challenge is sampled. Returns, for each lane, the largest magnitude
/// in z, or the reason why the signature was rejected.
#[inline(always)]
fn commitments_into<S: Simd>(
    isa: S,
    p: &'static Parameters,
    lanes: &[Option<VerificationLane<'_, '_>>; KECCAK_STATES],
    challenges: &[[u8; RATE]; KECCAK_STATES],
    hashed: &mut [u8],
    work: &mut Scratch<'_>,
) -> [Result<u32, MlDsaRejection>; KECCAK_STATES] {
    let mut all_largest = [Err(MlDsaRejection::Challenge); KECCAK_STATES];
    let blocks = hashed.chunks_exact_mut(padded_len(commitment_len(p)));
    for (((lane, block), hashed), largest) in lanes.iter().flatten().zip(challenges).zip(blocks).zip(&mut all_largest) {
        let mut work = work.fork();
        let mut memory = CommitmentMemory {
            z: work.take(N * p.l),
            minus_c: work.take(N),
            row: work.take(N),
            fields: work.take(N),
            hashed,
        };
        let seed = [block, lane.parts.challenge];
        *largest = match Challenge::transform_of_block_into(isa, p, seed, Q - 1, memory.minus_c) {
            Ok(()) => {
                let parsed = ParsedSignature { parts: lane.parts, hint: lane.hint };
                lane.key.commitment_into(isa, lane.verification.mu, &parsed, &mut memory)
            }
            Err(limit) => Err(limit.into()),
        };
    }
    all_largest
}

/// Hashes the commitment (mu and w1') in each lane. `hashed` contains only the lanes that have a
/// signature.
#[inline(always)]
fn hash_commitments<S: Simd>(
    isa: S,
    p: &Parameters,
    hashed: &[u8],
    computed: &mut [[u8; MAX_CHALLENGE_LEN]; KECCAK_STATES],
    states: &mut KeccakStates,
) {
    let mut lanes = hashed.chunks_exact(padded_len(commitment_len(p))).zip(computed);
    let mut inputs: [_; KECCAK_STATES] = core::array::from_fn(|_| match lanes.next() {
        Some((blocks, hash)) => PaddedInput { blocks, hash: &mut hash[..p.challenge_len] },
        None => PaddedInput { blocks: &[], hash: &mut [] },
    });
    let count = hashed.len() / padded_len(commitment_len(p));
    hash_together(isa, states, &mut inputs[..count]);
}
