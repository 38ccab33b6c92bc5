//! Samples the masks, which are the polynomials in y (FIPS 204, algorithm 34), for the signer in
//! [`super::fast`]. A batch of sponges permutes several states at once, and each state is a lane.
//! The masks are identical to the masks from [`super::sample`], which needs less memory and samples
//! one mask at a time.
//!
//! On levels (instruction sets) that permute four states at once, some lanes compute hashes while
//! other lanes sample masks. A lane that has no other work samples a mask for a later attempt,
//! which the signer needs if it rejects the current attempt. On other levels, the code computes the
//! hashes before the masks, and samples no masks for later attempts.
//!
//! The masks are secret. The order of the steps depends on no secret, except for the number of
//! attempts, which is declassified.

use super::codec::{flip, unpack};
use super::expand::{MASK_BLOCKS, MASK_BYTES, SpongeMemory};
use super::params::{N, Parameters, SECRET_SEED_LEN};
use crate::engine::hash::shake::{FOUR, KECCAK_STATES, RATE};
use crate::engine::hash::sponges::{PaddedInput, Shake256Batch};
use crate::simd::{Simd, U64s, frame};
use core::ops::Range;

/// How many masks fit in [`SpongeMemory`]. Mask `i` is at position `i % SLOTS`.
const SLOTS: u16 = KECCAK_STATES as u16;

/// A lane's task.
#[derive(Clone, Copy)]
enum LaneTask {
    /// The lane has no task.
    Idle,
    /// Samples the mask with the given number. `blocks` is the number of blocks that were written.
    Mask { number: u16, blocks: usize },
    /// Hashes the input with the given number. `blocks` is the number of blocks that were absorbed.
    Hash { number: usize, blocks: usize },
}

impl LaneTask {
    /// Stores the permutation's output for the lane if the task needs this output. Returns whether
    /// the task was a hash that is now complete.
    #[inline(always)]
    fn advance<S: Simd>(
        &mut self,
        sponges: &Shake256Batch<'_, S>,
        lane: usize,
        masks: &mut [u8],
        hash_inputs: &mut [PaddedInput<'_>],
    ) -> bool {
        match self {
            Self::Idle => (),
            Self::Mask { number, blocks } => {
                let block = MASK_BYTES * usize::from(*number % SLOTS) + RATE * *blocks;
                sponges.block_into(lane, &mut masks[block..][..RATE]);
                *blocks += 1;
                if *blocks == MASK_BLOCKS {
                    *self = Self::Idle;
                }
            }
            Self::Hash { number, blocks } => {
                *blocks += 1;
                let input = &mut hash_inputs[*number];
                if RATE * *blocks == input.blocks.len() {
                    sponges.block_into(lane, input.hash);
                    *self = Self::Idle;
                    return true;
                }
            }
        }
        false
    }
}

/// A queue that samples masks in lanes. It starts the masks in the order of their numbers.
pub struct MaskQueue {
    tasks: [LaneTask; KECCAK_STATES],
    /// The number of the mask that a lane will start next.
    next: u16,
}

/// Returns whether the level permutes four states at once. On such a level, lanes are free while
/// another lane computes a hash.
#[inline(always)]
const fn has_free_lanes<S: Simd>() -> bool {
    <S::FourStates as U64s>::LANES_U64 == FOUR
}

impl MaskQueue {
    /// Returns a queue in which no mask was started. The first mask will have the number `first`.
    pub const fn new(first: u16) -> Self {
        Self { tasks: [LaneTask::Idle; KECCAK_STATES], next: first }
    }

    /// Samples masks until all masks with numbers below `numbers.end` are in `sponge_memory`, and
    /// hashes `hash_inputs`. This function can overwrite masks with numbers below `numbers.start`.
    /// If `numbers` is empty, the function ends when the hashes are complete. In this case, it
    /// samples masks only in lanes that compute no hash.
    ///
    /// `numbers` must have at most [`KECCAK_STATES`] elements. All calls for a queue must have the
    /// same `seed` and the same `sponge_memory`, which has [`SpongeMemory::LEN_WITH_MASKS`] bytes.
    #[inline(never)]
    pub fn sample<S: Simd>(
        &mut self,
        isa: S,
        seed: &[u8; SECRET_SEED_LEN],
        numbers: Range<u16>,
        sponge_memory: &mut SpongeMemory<'_>,
        hash_inputs: &mut [PaddedInput<'_>],
    ) {
        frame!(isa, {
            // A lane starts a mask only if the mask's number is below `limit`. Without free lanes,
            // the hashes are computed here, before the masks.
            let (hash_inputs, limit) = if has_free_lanes::<S>() {
                (hash_inputs, numbers.start.saturating_add(SLOTS))
            } else {
                for input in &mut *hash_inputs {
                    input.hash(isa);
                }
                (&mut [][..], numbers.end)
            };
            let lanes = self.lane_count::<S>(&numbers, hash_inputs.len());
            let mut sponges = Shake256Batch::resume(isa, sponge_memory.states, 0);
            let mut started = 0;
            let mut finished = 0;
            while finished < hash_inputs.len() || !self.has_all_below(numbers.end) {
                for (lane, task) in self.tasks[..lanes].iter_mut().enumerate() {
                    if matches!(task, LaneTask::Idle) {
                        if started < hash_inputs.len() {
                            sponges.clear(lane);
                            *task = LaneTask::Hash { number: started, blocks: 0 };
                            started += 1;
                        } else if self.next < limit {
                            sponges.start_lane(lane, seed, self.next);
                            *task = LaneTask::Mask { number: self.next, blocks: 0 };
                            self.next += 1;
                        }
                    }
                    if let LaneTask::Hash { number, blocks } = *task {
                        sponges.absorb(lane, &hash_inputs[number].blocks[RATE * blocks..][..RATE]);
                    }
                }
                sponges.permute();
                for (lane, task) in self.tasks[..lanes].iter_mut().enumerate() {
                    finished += usize::from(task.advance(&sponges, lane, sponge_memory.bytes, hash_inputs));
                }
            }
        });
    }

    /// Returns how many lanes [`Self::sample`] uses in a call. If the level permutes four states at
    /// once, a permutation of eight lanes needs more time than a permutation of four lanes. On such
    /// a level, the call uses eight lanes only if all lanes are idle, more than four masks are
    /// missing, and no hash is computed.
    #[inline(always)]
    fn lane_count<S: Simd>(&self, numbers: &Range<u16>, hashes: usize) -> usize {
        let is_idle = self.tasks.iter().all(|task| matches!(task, LaneTask::Idle));
        let starts_many = is_idle && hashes == 0 && usize::from(numbers.end.saturating_sub(self.next)) > FOUR;
        if starts_many || !has_free_lanes::<S>() { KECCAK_STATES } else { FOUR }
    }

    /// Returns whether all masks with numbers below `end` were sampled.
    #[inline(always)]
    fn has_all_below(&self, end: u16) -> bool {
        let is_open = |task: &LaneTask| matches!(task, LaneTask::Mask { number, .. } if *number < end);
        self.next >= end && !self.tasks.iter().any(is_open)
    }
}

/// Writes the masks from number `first` on to `out`, which has space for at most [`KECCAK_STATES`]
/// masks. A [`MaskQueue`] must have sampled these masks to `sponge_memory`. A negative coefficient
/// `y` is stored as `2^32 - |y|`.
#[inline(never)]
pub fn masks_into<S: Simd>(isa: S, p: &Parameters, first: u16, sponge_memory: &SpongeMemory<'_>, out: &mut [u32]) {
    frame!(isa, {
        for (i, out) in out.chunks_exact_mut(N).enumerate() {
            let slot = (usize::from(first) + i) % usize::from(SLOTS);
            let bytes = &sponge_memory.bytes[MASK_BYTES * slot..];
            unpack(isa, p.z_bits(), &bytes[..p.z_len()], out);
            flip(p.gamma1, out);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::codec::PIECE;
    use super::super::params::MlDsaSet;
    use super::super::sample::MaskStream;
    use super::*;
    use crate::engine::hash::sponges::{pad, padded_len};
    use crate::simd::check::laws::on_every_level;
    use crate::simd::{Scratch, WithSimd};
    use sha3::digest::{ExtendableOutput, Update, XofReader};

    #[derive(Clone, Copy)]
    struct MaskQueueTest;

    impl MaskQueueTest {
        const SEED: [u8; 64] = [0x35; 64];

        /// Checks the masks with the given numbers.
        fn check<S: Simd>(isa: S, p: &'static Parameters, numbers: Range<u16>, sponge_memory: &SpongeMemory<'_>) {
            let mut polynomials = vec![7; N * numbers.len()];
            masks_into(isa, p, numbers.start, sponge_memory, &mut polynomials);
            for (number, polynomial) in numbers.zip(polynomials.chunks(N)) {
                let mut mask = MaskStream::new(isa, p, &Self::SEED, number);
                for piece in polynomial.as_chunks::<PIECE>().0 {
                    let mut expected = [0; PIECE];
                    mask.next_into(&mut expected);
                    assert_eq!(*piece, expected, "mask {number} on {}", S::NAME);
                }
            }
        }

        /// Returns a padded input with `len` bytes, and the hash that the crate `sha3` computes for
        /// it.
        fn input(len: usize) -> (Vec<u8>, [u8; 64]) {
            let mut blocks: Vec<u8> = (0..padded_len(len)).map(|i| (3 * i + len) as u8).collect();
            let mut oracle = sha3::Shake256::default();
            oracle.update(&blocks[..len]);
            let mut expected = [0; 64];
            oracle.finalize_xof().read(&mut expected);
            pad(&mut blocks, len);
            (blocks, expected)
        }
    }

    impl WithSimd for MaskQueueTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let mut memory = vec![0xff; SpongeMemory::LEN_WITH_MASKS + 64];
            for set in MlDsaSet::ALL {
                let p = set.parameters();
                let l = p.l as u16;
                let mut sponge_memory =
                    SpongeMemory::take(&mut Scratch::new(&mut memory), SpongeMemory::LEN_WITH_MASKS);
                for (first, attempts, hash_lens) in
                    [(0, 6, &[832][..]), (700, 3, &[100, 2592, 1100]), (253, 4, &[]), (u16::MAX - l, 1, &[40])]
                {
                    let mut queue = MaskQueue::new(first);
                    for attempt in 0..attempts {
                        let numbers = first + attempt * l..first + (attempt + 1) * l;
                        queue.sample(isa, &Self::SEED, numbers.clone(), &mut sponge_memory, &mut []);
                        Self::check(isa, p, numbers.clone(), &sponge_memory);
                        let inputs: Vec<_> = hash_lens.iter().map(|len| Self::input(*len)).collect();
                        let mut hashes = vec![[0; 64]; inputs.len()];
                        let mut padded: Vec<_> = (inputs.iter().zip(&mut hashes))
                            .map(|((blocks, _), hash)| PaddedInput { blocks, hash })
                            .collect();
                        queue.sample(isa, &Self::SEED, numbers.end..numbers.end, &mut sponge_memory, &mut padded);
                        drop(padded);
                        for ((_, expected), hash) in inputs.iter().zip(hashes) {
                            assert_eq!(hash, *expected, "{set:?} on {}", S::NAME);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn masks_and_hashes_in_lanes_equal_single_ones() {
        on_every_level(MaskQueueTest);
    }
}
