//! Verifies several signatures together, with public keys whose transforms are kept. The challenges
//! are sampled in vector lanes, and the commitments are hashed in vector lanes. The steps between
//! are the same as for a single signature ([`super::kept_verification`]).
//!
//! Each signature has a separate verdict, which is NO at the start, and does not depend on the other
//! signatures. If the level permutes a single Keccak state at a time, or if there are too few
//! signatures, the signatures are verified in sequence.
//!
//! All values in this file are public.

use super::challenge::Challenge;
use super::kept_verification::{KeptVerification, work_len};
use super::params::{MAX_CHALLENGE_LEN, MlDsaSet, N, Parameters};
use super::public_transforms::{CommitmentMemory, ParsedSignature, commitment_len};
use super::verify::{MlDsaRejection, decide};
use crate::engine::hash::shake::{KECCAK_STATES, many_states_are_faster};
use crate::engine::hash::sponges::{PaddedInput, hash_together, padded_len};
use crate::engine::verdict::Verified;
use crate::simd::{Scratch, Simd, frame};

/// Returns the work memory for [`verify_together`], in bytes.
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

/// Verifies at most [`KECCAK_STATES`] signatures for the same parameter set. For each signature,
/// writes the verdict that [`KeptVerification::verify`] would return. For each `None`, writes an
/// error.
/// Allocates [`batch_work_len`] bytes in `work`.
#[inline(never)]
pub fn verify_together<S: Simd>(
    isa: S,
    claims: &[Option<KeptVerification<'_>>; KECCAK_STATES],
    verdicts: &mut [Result<Verified, MlDsaRejection>; KECCAK_STATES],
    mut work: Scratch<'_>,
) {
    *verdicts = [Err(MlDsaRejection::Challenge); KECCAK_STATES];
    let present = claims.iter().zip(&mut *verdicts).filter_map(|(claim, verdict)| Some((claim.as_ref()?, verdict)));
    let Some(KeptVerification { set, .. }) = claims.iter().flatten().next() else { return };
    if !many_states_are_faster::<S>(claims.iter().flatten().count()) {
        for (claim, verdict) in present {
            *verdict = claim.verify(isa, work.fork());
        }
        return;
    }
    frame!(isa, {
        let p = set.parameters();
        // Pack the well-formed signatures into the first lanes.
        let mut well_formed = present.filter_map(|(claim, verdict)| match claim.parse() {
            Ok(parsed) => Some((claim, parsed, verdict)),
            Err(rejection) => {
                *verdict = Err(rejection);
                None
            }
        });
        let lanes: [_; KECCAK_STATES] = core::array::from_fn(|_| well_formed.next());
        let mut seeds: [&[u8]; KECCAK_STATES] = [&[]; KECCAK_STATES];
        for (seed, (_, (_, parts, _), _)) in seeds.iter_mut().zip(lanes.iter().flatten()) {
            *seed = parts.challenge;
        }
        let count = lanes.iter().flatten().count();
        let challenges = Challenge::new_together(isa, p, &seeds[..count]);

        let (z, minus_c) = (work.take(N * p.l), work.take(N));
        let (row, fields) = (work.take(N), work.take(N));
        let block_len = padded_len(commitment_len(p));
        let hashed = work.take::<u8>(block_len * KECCAK_STATES);
        let mut largest = [Err(MlDsaRejection::Challenge); KECCAK_STATES];
        let memory_of_lanes = largest.iter_mut().zip(hashed.chunks_exact_mut(block_len));
        for ((lane, c), (largest, hashed)) in lanes.iter().flatten().zip(challenges).zip(memory_of_lanes) {
            let (claim, (key, parts, hint), _) = lane;
            *largest = match c {
                Ok(c) => {
                    let parsed = ParsedSignature { parts: *parts, hint: *hint, c };
                    let (z, minus_c, row, fields) = (&mut *z, &mut *minus_c, &mut *row, &mut *fields);
                    let mut memory = CommitmentMemory { z, minus_c, row, fields, hashed };
                    key.commitment_into(isa, claim.mu, &parsed, &mut memory)
                }
                Err(limit) => Err(limit.into()),
            };
        }

        let mut computed = [[0; MAX_CHALLENGE_LEN]; KECCAK_STATES];
        let mut blocks = hashed.chunks_exact(block_len).zip(&mut computed);
        let mut inputs: [_; KECCAK_STATES] = core::array::from_fn(|_| {
            let (blocks, hash): (&[u8], &mut [u8]) = match blocks.next() {
                Some((blocks, hash)) => (blocks, &mut hash[..p.challenge_len]),
                None => (&[], &mut []),
            };
            PaddedInput { blocks, hash }
        });
        hash_together(isa, &mut [[0; KECCAK_STATES]; 25], &mut inputs[..count]);

        for (((_, (_, parts, _), verdict), largest), computed) in lanes.into_iter().flatten().zip(largest).zip(computed)
        {
            *verdict = largest.and_then(|largest| decide(p, largest, &computed[..p.challenge_len], parts.challenge));
        }
    });
}
