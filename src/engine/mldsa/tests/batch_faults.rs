//! Inserts faults while several signatures are computed in lockstep. No signature may be returned.

use super::super::codec::PIECE;
use super::super::params::{MlDsaSet, N, SECRET_SEED_LEN};
use super::super::sign::{KeptTask, MlDsaSignError, sign_kept};
use super::super::sign_batch::{KeptBatchTask, MuItem, is_faster_in_lockstep, sign_kept_batch_with};
use super::super::trace::{FaultHooks, MaskUse, NoFaults};
use super::super::transforms::KeyTransforms;
use super::{pair_of, shake256};
use crate::simd::{Level, Scratch, Simd, WithSimd};
use std::cell::Cell;

/// The number of messages. There are more messages than slots, so a slot signs several messages.
const COUNT: usize = 6;

/// The step in which a fault is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LockstepFault {
    Seed,
    Commitment,
    Response,
    SkippedMask,
    Challenge,
    PackedResponse,
    Hint,
}

/// A fault in a step. It happens in all calls except for the first `earlier_calls` calls. Only a
/// fault in an accepted attempt changes a signature. The fault also affects this attempt, because
/// it is repeated in all later calls.
struct LateFault {
    fault: LockstepFault,
    earlier_calls: Cell<u32>,
}

impl LateFault {
    fn is_here(&self, fault: LockstepFault) -> bool {
        if self.fault != fault {
            return false;
        }
        let earlier_calls = self.earlier_calls.get();
        self.earlier_calls.set(earlier_calls.saturating_sub(1));
        earlier_calls == 0
    }
}

impl FaultHooks for LateFault {
    fn seed(&self, seed: &mut [u8; SECRET_SEED_LEN]) {
        if self.is_here(LockstepFault::Seed) {
            seed[63] ^= 1;
        }
    }

    fn mask(&self, mask_use: MaskUse, column: usize, piece: &mut [u32; PIECE]) {
        let fault = if mask_use == MaskUse::Commitment { LockstepFault::Commitment } else { LockstepFault::Response };
        if self.is_here(fault) {
            piece[PIECE - 1] ^= 1;
        }
        if column == 1 && self.is_here(LockstepFault::SkippedMask) {
            piece.fill(0);
        }
    }

    fn challenge(&self, challenge: &mut [u8]) {
        if self.is_here(LockstepFault::Challenge) {
            challenge[0] ^= 1;
        }
    }

    fn response(&self, piece: &mut [u8]) {
        if self.is_here(LockstepFault::PackedResponse) {
            piece[7] ^= 1;
        }
    }

    fn hint(&self, hint: &mut [u8]) {
        if self.is_here(LockstepFault::Hint) {
            hint[0] ^= 1;
        }
    }
}

/// A key that is kept for many signatures, with messages.
struct LockstepInput {
    set: MlDsaSet,
    transforms: Vec<u32>,
    key: [u8; 32],
    mus: Vec<[u8; 64]>,
    rnds: Vec<[u8; 32]>,
    work: Vec<u8>,
}

impl LockstepInput {
    fn new<S: Simd>(isa: S, set: MlDsaSet) -> Self {
        let (_, expanded) = pair_of(isa, set, &[9; 32]);
        let tr: &[u8; 64] = expanded[64..128].try_into().unwrap();
        let (mut transforms, mut key) = (vec![0; set.transforms_len()], [0; 32]);
        let mut work = vec![0; set.sign_batch_work_len().max(KeyTransforms::work_len(set))];
        KeyTransforms::write(isa, set, &expanded, tr, &mut transforms, &mut key, Scratch::new(&mut work)).unwrap();
        let mus = (0..COUNT as u8).map(|i| shake256(&[tr, &[0, 0, i]])).collect();
        Self { set, transforms, key, mus, rnds: (0..COUNT as u8).map(|i| [i; 32]).collect(), work }
    }

    /// Signs all messages together. If signing fails, all signatures must be zeros.
    fn sign<S: Simd, B: FaultHooks>(&mut self, isa: S, hooks: &B) -> Result<Vec<u8>, MlDsaSignError> {
        let Self { set, transforms, key, mus, rnds, work } = self;
        let items: Vec<_> = mus.iter().zip(rnds).map(|(mu, rnd)| MuItem { mu, rnd }).collect();
        let task = KeptBatchTask { set: *set, transforms, key, items: &items };
        let mut signatures = vec![1; COUNT * set.signature_len()];
        let signed = sign_kept_batch_with(isa, &task, hooks, &mut signatures, Scratch::new(work));
        assert_eq!(signed.is_err(), signatures.iter().all(|byte| *byte == 0), "{set:?} {}", S::NAME);
        signed.map(|()| signatures)
    }

    /// Signs all messages one after another.
    fn sign_alone<S: Simd>(&mut self, isa: S) -> Vec<u8> {
        let Self { set, transforms, key, mus, rnds, work } = self;
        let mut signatures = vec![1; COUNT * set.signature_len()];
        for ((mu, rnd), signature) in mus.iter().zip(rnds).zip(signatures.chunks_mut(set.signature_len())) {
            let task = KeptTask { set: *set, transforms, key, mu, rnd };
            sign_kept(isa, &task, signature, Scratch::new(work)).unwrap();
        }
        signatures
    }
}

#[test]
fn no_signature_of_a_batch_with_a_fault_is_returned() {
    struct LockstepFaultTest;
    impl WithSimd for LockstepFaultTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            if !is_faster_in_lockstep::<S>(COUNT) {
                return;
            }
            for set in MlDsaSet::ALL {
                let mut input = LockstepInput::new(isa, set);
                assert_eq!(input.sign(isa, &NoFaults), Ok(input.sign_alone(isa)), "{set:?} {}", S::NAME);
                for fault in [
                    LockstepFault::Seed,
                    LockstepFault::Commitment,
                    LockstepFault::Response,
                    LockstepFault::SkippedMask,
                    LockstepFault::Challenge,
                    LockstepFault::PackedResponse,
                    LockstepFault::Hint,
                ] {
                    for earlier_calls in 0..3 {
                        let hooks = LateFault { fault, earlier_calls: Cell::new(earlier_calls) };
                        let signed = input.sign(isa, &hooks).map(|_| ());
                        assert_eq!(signed, Err(MlDsaSignError::Fault), "{set:?} {fault:?} {}", S::NAME);
                    }
                }
            }
        }
    }
    Level::available().for_each(|level| level.run(LockstepFaultTest));
}

/// Replaces polynomials of A, t1, s1, s2 and t0 in a kept key by zeros. If s2 or t0 changes, then
/// most signatures are valid, so only the checksum of the key detects the change.
#[test]
fn a_batch_detects_a_changed_key() {
    struct ChangedKeyTest;
    impl WithSimd for ChangedKeyTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            if !is_faster_in_lockstep::<S>(COUNT) {
                return;
            }
            for set in MlDsaSet::ALL {
                let (k, l) = (set.parameters().k, set.parameters().l);
                let mut input = LockstepInput::new(isa, set);
                let s1 = k * l + k;
                for polynomial in [0, k * l, s1, s1 + l, s1 + l + k - 1, s1 + l + k, s1 + l + 2 * k - 1] {
                    let range = N * polynomial..N * (polynomial + 1);
                    let good = input.transforms[range.clone()].to_vec();
                    input.transforms[range.clone()].fill(0);
                    let signed = input.sign(isa, &NoFaults).map(|_| ());
                    assert_eq!(signed, Err(MlDsaSignError::Fault), "{set:?}, polynomial {polynomial}");
                    input.transforms[range].copy_from_slice(&good);
                }
                input.sign(isa, &NoFaults).unwrap();
            }
        }
    }
    Level::detect().run(ChangedKeyTest);
}

/// Rejects all attempts at all messages. The batch must fail, and must not run forever.
#[test]
fn a_batch_stops_after_the_maximum_of_attempts() {
    struct RejectedMessage;
    impl FaultHooks for RejectedMessage {
        fn product(&self, product: &mut [u32]) {
            product.fill(1 << 20);
        }
    }
    struct AttemptLimitTest;
    impl WithSimd for AttemptLimitTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            if is_faster_in_lockstep::<S>(COUNT) {
                let mut input = LockstepInput::new(isa, MlDsaSet::ALL[0]);
                assert_eq!(input.sign(isa, &RejectedMessage).map(|_| ()), Err(MlDsaSignError::Limit));
            }
        }
    }
    Level::detect().run(AttemptLimitTest);
}
