//! Injects a fault into one lane of a batch of signatures, between computation and verification.
//! The batch must fail without any signature, or return the signatures that it returns without the
//! fault.

use super::{hex, load};
use crate::engine::falcon::codec::private_parts;
use crate::engine::falcon::expanded::ExpandedPrivateKey;
use crate::engine::falcon::params::Degree;
use crate::engine::falcon::point::HashedPoint;
use crate::engine::falcon::sampler::Sampler;
use crate::engine::falcon::scheme::{FalconAlgorithm, FalconScheme};
use crate::engine::falcon::sign::{AttemptSource, EncodedPrivateKey, FalconSignError, LatticeKey, short_vectors_of};
use crate::engine::falcon::sign_batch::{BatchSigningKey, BatchTask, SigningItem, sign_batch};
use crate::engine::hash::shake::{KECCAK_STATES, Shake256, many_states_are_faster};
use crate::simd::{Level, MemoryLine, Scratch, Simd, WithSimd};
use std::cell::Cell;

/// A fault in a lane of a batch, after the batch computes the vectors and before it verifies the
/// signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LaneFault {
    /// Flips the lowest bit of a coefficient in s2.
    S2,
    /// Flips a bit of the public key h. The batch verifies all lanes with the h of the last lane.
    H,
    /// Rejects the lane's vectors, so the batch makes the lane's signature again, separately.
    Rejected,
}

/// An expanded key with a fault in a lane.
struct FaultyLane<'k> {
    key: ExpandedPrivateKey<'k>,
    lane: usize,
    fault: LaneFault,
    /// The fault's position in s2 or h.
    at: usize,
    /// The number of lanes that were processed so far.
    processed_count: Cell<usize>,
}

impl LatticeKey for FaultyLane<'_> {
    fn sample_reals(&self) -> usize {
        self.key.sample_reals()
    }
    fn sample<S: Simd>(&self, isa: S, point: &HashedPoint<'_>, sampler: &mut Sampler<S>, memory: &mut [S::Real]) {
        self.key.sample(isa, point, sampler, memory);
    }
    fn rows_into<S: Simd>(&self, isa: S, f: &mut [u16], big_f: &mut [u16], h: &mut [u16]) {
        self.key.rows_into(isa, f, big_f, h);
    }
    fn secret_hash_into<S: Simd>(&self, sponge: &mut Shake256<S>, hash: &mut [u8; 40]) {
        self.key.secret_hash_into(sponge, hash);
    }
}

impl BatchSigningKey for FaultyLane<'_> {
    fn expanded(&self) -> ExpandedPrivateKey<'_> {
        self.key
    }

    fn lane_vectors<S: Simd>(
        &self,
        isa: S,
        lane: usize,
        algorithm: FalconAlgorithm,
        c: &[u16],
        [s2, a, h]: [&mut [u16]; 3],
        work: Scratch<'_>,
    ) -> bool {
        self.processed_count.set(self.processed_count.get() + 1);
        let is_good = short_vectors_of(isa, self, algorithm, c, [&mut *s2, a, &mut *h], work);
        match self.fault {
            _ if lane != self.lane => is_good,
            LaneFault::Rejected => false,
            LaneFault::S2 => {
                s2[self.at % s2.len()] ^= 1;
                is_good
            }
            LaneFault::H => {
                h[self.at % h.len()] ^= 1 << (self.at % 13);
                is_good
            }
        }
    }
}

/// A test that signs batches with `count` items, without a fault and with a fault in each lane.
/// Returns how many batches were rejected.
struct FaultyBatch<'v>(&'v LaneSigner, usize);

/// A key with its message from the published vectors.
struct LaneSigner {
    logn: u32,
    secret: Vec<u8>,
    mu: [u8; 64],
}

impl WithSimd for FaultyBatch<'_> {
    type Output = usize;
    fn with<S: Simd>(self, isa: S) -> usize {
        let Self(LaneSigner { logn, secret, mu }, count) = self;
        let degree = Degree::from_logn(*logn).unwrap();
        let algorithm = FalconAlgorithm::new(FalconScheme::FnDsa, degree);
        let encoded = EncodedPrivateKey { degree, parts: private_parts(algorithm, secret) };
        let mut lines = MemoryLine::boxed(ExpandedPrivateKey::len(degree));
        let mut work = vec![0; algorithm.sign_work_len().max(algorithm.sign_batch_work_len())];
        ExpandedPrivateKey::write(isa, encoded, MemoryLine::bytes_mut(&mut lines), Scratch::new(&mut work)).unwrap();
        let key = ExpandedPrivateKey::new(degree, MemoryLine::bytes(&lines));
        let random: [[u8; 40]; KECCAK_STATES] = core::array::from_fn(|i| [i as u8 + 1; 40]);
        let items = random.each_ref().map(|random| SigningItem { message: AttemptSource::Mu(mu), random });
        let items = &items[..count];
        let mut correct = vec![0; count * algorithm.signature_len()];
        let task = BatchTask { algorithm, key: &key, items };
        sign_batch(isa, &task, &mut correct, Scratch::new(&mut work)).expect("a batch without faults");
        let mut rejected = 0;
        for lane in 0..count {
            for (fault, at) in [(LaneFault::S2, 0), (LaneFault::S2, 77), (LaneFault::H, 300), (LaneFault::Rejected, 0)]
            {
                let key = FaultyLane { key, lane, fault, at, processed_count: Cell::new(0) };
                let mut signatures = vec![0x55; correct.len()];
                let task = BatchTask { algorithm, key: &key, items };
                let result = sign_batch(isa, &task, &mut signatures, Scratch::new(&mut work));
                let what = format!("{fault:?} in lane {lane} of {count} on {}", S::NAME);
                let in_lanes = isa.f32s().is_some() && many_states_are_faster::<S>(count);
                assert_eq!(key.processed_count.get(), if in_lanes { count } else { 0 }, "{what}");
                if !in_lanes {
                    // On this level, the items are signed in sequence, so no lane has a fault.
                    assert!(result.is_ok() && signatures == correct, "{what}");
                    return 0;
                }
                let is_wrong = match fault {
                    LaneFault::S2 => true,
                    LaneFault::H => lane + 1 == count,
                    LaneFault::Rejected => false,
                };
                if is_wrong {
                    assert_eq!(result, Err(FalconSignError::SelfCheck), "{what}");
                    assert!(signatures.iter().all(|byte| *byte == 0), "{what}: bytes of a signature are left");
                    rejected += 1;
                } else {
                    assert!(result.is_ok() && signatures == correct, "{what}");
                }
            }
        }
        rejected
    }
}

/// Checks that each lane is verified. If a lane is wrong, the batch returns no signature at all. If
/// the vectors of a lane are rejected, its signature is made again.
#[test]
fn a_fault_in_one_lane_of_a_batch_returns_no_signature() {
    let kats = load(include_str!("../../../../tests/kat/kat-a.json"));
    for logn in [9, 10] {
        let kat = kats["vectors"].as_array().unwrap().iter().find(|kat| kat["logn"] == logn).unwrap();
        let signer = LaneSigner { logn, secret: hex(&kat["sk"]), mu: hex(&kat["mu"]).try_into().unwrap() };
        for count in [KECCAK_STATES, 5] {
            let rejected = Level::available().map(|level| (level.name(), level.run(FaultyBatch(&signer, count))));
            let rejected: Vec<_> = rejected.collect();
            println!("{count} lanes, logn {logn}: {rejected:?}");
            assert!(rejected.iter().all(|(_, rejected)| [0, 2 * count + 1].contains(rejected)), "{rejected:?}");
        }
    }
}
