//! Signs several messages with a private key whose transforms are kept. The API for expanded
//! private keys calls [`sign_kept_batch`]. The code computes up to four signatures in lockstep. A
//! slot contains the state of a signature. When the signature is finished, the slot takes the next
//! message.
//!
//! In each round, a slot makes an attempt, or it verifies a signature that an earlier round has
//! finished. An attempt and a verification both need the masks (the polynomials in y) and a hash.
//! So the code computes the permutations for all slots together, and uses nearly all lanes of the
//! vectors. It computes all other steps for one slot after another, with the code in
//! [`super::fast`]. The signatures are identical to the signatures from [`super::sign::sign_kept`].
//!
//! The code makes the checks that [`super::sign`] describes before it returns any signature. It
//! verifies a signature and samples the masks again in the round after the accepted attempt. After
//! the last round, it computes the seeds for y a second time, compares them with the seeds that it
//! has used, and checks that the transforms of s1, s2 and t0 have not changed.
//!
//! [`super::sign`] describes which values are secret. As in that file, the number of attempts for a
//! signature is public.

use super::challenge::Challenge;
use super::codec::{PIECE, flip, unpack};
use super::expand::{MASK_BLOCKS, MASK_BYTES, SpongeMemory};
use super::fast::{AttemptMemory, FastSigner};
use super::params::{
    K_LEN, MAX_ATTEMPTS, MAX_CHALLENGE_LEN, MAX_K, MU_LEN, MlDsaSet, N, Parameters, RND_LEN, SECRET_SEED_LEN,
};
use super::public_transforms::commitment_len;
use super::sign::{KeptTask, sign_kept};
use super::trace::{FaultHooks, MaskSampledCheck, MaskUse, MlDsaSignError, NoFaults, declassified};
use super::transforms::KeyTransforms;
use super::verify::decide;
use crate::engine::hash::shake::{FOUR, KECCAK_STATES, KeccakStates, RATE};
use crate::engine::hash::sponges::{PaddedInput, Shake256Batch, hash_together, pad, padded_len};
use crate::engine::primes::prime::ML_DSA;
use crate::engine::verdict::Verified;
use crate::simd::{SCRATCH_ALIGN, Scratch, Simd, U64s, align_stack_for, ct, frame};
use zeroize::{Zeroize, Zeroizing};

/// The largest number of messages in a batch. In the last rounds of a batch, some slots are free,
/// so a long batch needs less time for a message than a short batch.
pub const BATCH_LEN: usize = 4 * KECCAK_STATES;

/// The number of slots. With four slots, the values of all slots stay in the cache, and four hashes
/// use all lanes of a vector with four 64-bit lanes.
const SLOTS: usize = FOUR;

/// A message to sign in a batch.
#[derive(Clone, Copy)]
pub struct MuItem<'a> {
    /// mu, the hash of tr (the public key's hash) and the message.
    pub mu: &'a [u8; MU_LEN],
    /// Random bytes, or zeros for a deterministic signature.
    pub rnd: &'a [u8; RND_LEN],
}

/// A request to sign several messages with transforms of a key that the caller keeps.
#[derive(Clone, Copy)]
pub struct KeptBatchTask<'a> {
    /// The parameter set.
    pub set: MlDsaSet,
    /// The key's transforms, as in [`KeptTask`].
    pub transforms: &'a [u32],
    /// K, the secret input to the seed for y.
    pub key: &'a [u8; K_LEN],
    /// The messages, at most [`BATCH_LEN`].
    pub items: &'a [MuItem<'a>],
}

impl MlDsaSet {
    /// Returns the length of the work memory to sign several messages, in bytes. It does not depend
    /// on the number of messages.
    pub const fn sign_batch_work_len(self) -> usize {
        let p = self.parameters();
        let slots = SLOTS * (4 * N * (p.l + p.k) + padded_len(commitment_len(p)));
        SCRATCH_ALIGN + SECRET_SEED_LEN * BATCH_LEN + slots + 4 * N * (p.l + 2) + SpongeMemory::LEN_WITH_MASKS
    }
}

// If the messages are signed one after another, then `sign_kept` uses the memory of the batch, so
// this memory must be large enough.
const _: () = {
    let mut i = 0;
    while i < MlDsaSet::ALL.len() {
        let set = MlDsaSet::ALL[i];
        assert!(set.sign_kept_work_len() <= set.sign_batch_work_len());
        i += 1;
    }
};

/// Returns whether signing `count` messages in lockstep takes less time than signing them one after
/// another. This is true for two or more messages, on levels (instruction sets) that permute four
/// Keccak states at once. On other levels, lockstep saves so little time that it does not justify
/// the additional code.
#[inline(always)]
pub const fn is_faster_in_lockstep<S: Simd>(count: usize) -> bool {
    <S::FourStates as U64s>::LANES_U64 == FOUR && count > 1
}

/// Signs all messages, and writes the signatures to `signatures`, in the order of the messages.
/// `signatures` must have the length for all signatures, and `work` must have
/// [`MlDsaSet::sign_batch_work_len`] bytes.
///
/// # Errors
/// Fails if the code cannot sign a message, or if a check detects a fault. In this case,
/// `signatures` will be all zeros, so no message has a signature.
#[inline(always)]
pub fn sign_kept_batch<S: Simd>(
    isa: S,
    task: &KeptBatchTask<'_>,
    signatures: &mut [u8],
    work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    sign_kept_batch_with(isa, task, &NoFaults, signatures, work)
}

/// Works like [`sign_kept_batch`], with hooks for fault tests between the steps. The code does not
/// call the hooks if it signs the messages one after another ([`is_faster_in_lockstep`]).
#[inline(always)]
pub fn sign_kept_batch_with<S: Simd, B: FaultHooks>(
    isa: S,
    task: &KeptBatchTask<'_>,
    hooks: &B,
    signatures: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    let &KeptBatchTask { set, transforms, key, items } = task;
    let result = if is_faster_in_lockstep::<S>(items.len()) {
        sign_in_lockstep(isa, task, hooks, signatures, work)
    } else {
        let mut rest = &mut *signatures;
        items.iter().try_for_each(|&MuItem { mu, rnd }| {
            let signature;
            (signature, rest) = core::mem::take(&mut rest).split_at_mut(set.signature_len());
            sign_kept(isa, &KeptTask { set, transforms, key, mu, rnd }, signature, work.fork())
        })
    };
    if result.is_err() {
        signatures.fill(0);
    }
    result
}

/// The step that a slot performs in the next round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SlotStep {
    /// The slot has no message.
    Free,
    /// The slot makes an attempt.
    Attempt,
    /// An attempt was accepted, and the slot verifies the signature.
    Verify,
}

/// A signature that is computed in lockstep with other signatures.
struct LockstepSlot<'w> {
    step: SlotStep,
    /// The index of the message.
    item: usize,
    /// The number of attempts for this message that were rejected.
    attempt: u16,
    /// The largest magnitude of a coefficient in z, if the slot verifies a signature.
    largest: u32,
    /// A value that is not 0 if a mask was not sampled, or if the second sample of y differs from
    /// y. [`LockstepSigner::commit`] returns an error for such a value.
    differs: u32,
    /// y, the secret mask.
    y: &'w mut [u32],
    /// w, or two numbers for each coefficient ([`AttemptMemory::w`]).
    w: &'w mut [u32],
    /// mu and w1, or mu and the verifier's w1', with padding.
    commitment: &'w mut [u8],
}

/// The memory that all slots use, one after another. [`AttemptMemory`] describes the fields.
struct LockstepMemory<'w> {
    z: &'w mut [u32],
    c: &'w mut [u32],
    product: &'w mut [u32],
    sponge_memory: SpongeMemory<'w>,
}

impl LockstepSlot<'_> {
    /// Starts the signature for a message.
    fn start(&mut self, item: usize) {
        self.step = SlotStep::Attempt;
        self.item = item;
        self.attempt = 0;
        self.differs = 0;
    }

    /// Returns the memory for a step of this slot, in the form that [`FastSigner`] needs.
    #[inline(always)]
    fn memory<'m>(&'m mut self, shared: &'m mut LockstepMemory<'_>) -> AttemptMemory<'m> {
        AttemptMemory {
            y: self.y,
            z: shared.z,
            w: self.w,
            c: shared.c,
            product: shared.product,
            commitment: self.commitment,
            sponge_memory: SpongeMemory { states: shared.sponge_memory.states, bytes: shared.sponge_memory.bytes },
        }
    }
}

/// The slots in a batch.
type LockstepSlots<'w> = [LockstepSlot<'w>; SLOTS];

/// Allocates the memory for all slots in `work`.
#[inline(always)]
fn take_memory<'w>(p: &Parameters, work: &mut Scratch<'w>) -> (LockstepSlots<'w>, LockstepMemory<'w>) {
    let mut slots = core::array::from_fn(|_| LockstepSlot {
        step: SlotStep::Free,
        item: 0,
        attempt: 0,
        largest: 0,
        differs: 0,
        y: work.take(N * p.l),
        w: work.take(N * p.k),
        commitment: &mut [],
    });
    let shared = LockstepMemory {
        z: work.take(N * p.l),
        c: work.take(N),
        product: work.take(N),
        sponge_memory: SpongeMemory::take(work, SpongeMemory::LEN_WITH_MASKS),
    };
    // This memory is allocated last, because its length is not a multiple of the vector length.
    for slot in &mut slots {
        slot.commitment = work.take(padded_len(commitment_len(p)));
    }
    (slots, shared)
}

/// The seeds for y.
type MaskSeeds = [[u8; SECRET_SEED_LEN]; KECCAK_STATES];

/// Computes the seeds for y from K, the random bytes and mu, for the messages from index
/// `KECCAK_STATES * group` on. If fewer than [`KECCAK_STATES`] messages are left, then the seeds
/// after the last message are not used.
#[inline(never)]
fn seeds_of<S: Simd>(
    isa: S,
    task: &KeptBatchTask<'_>,
    group: usize,
    states: &mut KeccakStates,
) -> Zeroizing<MaskSeeds> {
    frame!(isa, {
        let mut seeds = Zeroizing::new([[0; SECRET_SEED_LEN]; KECCAK_STATES]);
        let mut inputs = [[0; padded_len(K_LEN + RND_LEN + MU_LEN)]; KECCAK_STATES];
        let items = task.items.iter().skip(KECCAK_STATES * group);
        for (input, MuItem { mu, rnd }) in inputs.iter_mut().zip(items) {
            let (secret, rest) = input.split_at_mut(K_LEN);
            secret.copy_from_slice(task.key);
            rest[..RND_LEN].copy_from_slice(*rnd);
            rest[RND_LEN..][..MU_LEN].copy_from_slice(*mu);
            pad(input, K_LEN + RND_LEN + MU_LEN);
        }
        let mut hashed = seeds.iter_mut().zip(&inputs).map(|(hash, blocks)| PaddedInput { blocks, hash });
        let mut hashed: [PaddedInput<'_>; KECCAK_STATES] =
            core::array::from_fn(|_| hashed.next().expect("one seed for each Keccak state"));
        hash_together(isa, states, &mut hashed);
        inputs.zeroize();
        seeds
    })
}

/// Signs the messages in lockstep. If this function fails, `signatures` can contain secrets.
#[inline(never)]
fn sign_in_lockstep<S: Simd, B: FaultHooks>(
    isa: S,
    task: &KeptBatchTask<'_>,
    hooks: &B,
    signatures: &mut [u8],
    mut work: Scratch<'_>,
) -> Result<(), MlDsaSignError> {
    frame!(isa, {
        align_stack_for::<S::U32>();
        let &KeptBatchTask { set, transforms, items, .. } = task;
        let p = set.parameters();
        let transforms = KeyTransforms::of(p, transforms).ok_or(MlDsaSignError::Length)?;
        let seeds = &mut work.take::<u8>(SECRET_SEED_LEN * BATCH_LEN).as_chunks_mut().0[..items.len()];
        let (mut slots, mut shared) = take_memory(p, &mut work);
        for (i, seeds) in seeds.chunks_mut(KECCAK_STATES).enumerate() {
            let computed = seeds_of(isa, task, i, shared.sponge_memory.states);
            seeds.copy_from_slice(&computed[..seeds.len()]);
        }
        seeds.iter_mut().for_each(|seed| hooks.seed(seed));
        let signer = LockstepSigner { p, signature_len: set.signature_len(), transforms, items, seeds, hooks };
        // The messages that no slot has taken.
        let mut waiting = 0..items.len();
        let mut finished = 0;
        while finished < items.len() {
            let free = slots.iter_mut().filter(|slot| slot.step == SlotStep::Free);
            free.zip(&mut waiting).for_each(|(slot, item)| slot.start(item));
            finished += signer.round(isa, &mut slots, signatures, &mut shared)?;
        }
        // Compare the transforms with their checksum, and compute the seeds again, to detect
        // faults.
        let mut differs = transforms.changes(isa);
        for (i, seeds) in seeds.chunks(KECCAK_STATES).enumerate() {
            let computed = seeds_of(isa, task, i, shared.sponge_memory.states);
            for (a, b) in seeds.as_flattened().iter().zip(computed.as_flattened()) {
                differs |= u32::from(a ^ b);
            }
        }
        if declassified(differs) { Err(MlDsaSignError::Fault) } else { Ok(()) }
    })
}

/// Writes the current block of the sponge in `lane`. If this function were inlined, the compiler
/// would unroll the caller's loop over the lanes, which takes 7 KB of code for each level.
#[inline(never)]
fn write_block<S: Simd>(isa: S, sponges: &Shake256Batch<'_, S>, lane: usize, block: &mut [u8]) {
    frame!(isa, sponges.block_into(lane, block));
}

/// The input to the rounds.
struct LockstepSigner<'a, B> {
    p: &'static Parameters,
    signature_len: usize,
    transforms: KeyTransforms<'a>,
    items: &'a [MuItem<'a>],
    seeds: &'a [[u8; SECRET_SEED_LEN]],
    hooks: &'a B,
}

impl<B: FaultHooks> LockstepSigner<'_, B> {
    /// Returns the input to the attempts for a message.
    #[inline(always)]
    fn signer(&self, item: usize) -> FastSigner<'_, B> {
        FastSigner {
            p: self.p,
            transforms: self.transforms,
            unchecked: None,
            mu: self.items[item].mu,
            seed: &self.seeds[item],
            hooks: self.hooks,
        }
    }

    /// Computes a round for the slots that have a message. Returns the number of signatures that
    /// were verified in this round. The slots of these signatures are then free.
    ///
    /// # Errors
    /// Fails if a check detects a fault, or if [`Self::finish_attempt`] fails.
    #[inline(always)]
    fn round<S: Simd>(
        &self,
        isa: S,
        slots: &mut LockstepSlots<'_>,
        signatures: &mut [u8],
        shared: &mut LockstepMemory<'_>,
    ) -> Result<usize, MlDsaSignError> {
        let range = |slot: &LockstepSlot<'_>| self.signature_len * slot.item..self.signature_len * (slot.item + 1);
        self.sample_masks(isa, slots, shared);
        for slot in slots.iter_mut() {
            self.commit(isa, slot, &signatures[range(slot)], shared)?;
        }
        let hashes = self.hash_commitments(isa, slots, shared);
        let mut finished = 0;
        for (slot, hash) in slots.iter_mut().zip(&hashes) {
            let challenge = &mut signatures[range(slot)][..self.p.challenge_len];
            finished += self.use_hash(slot, &hash[..challenge.len()], challenge)?;
        }
        let seeds = slots.each_ref().map(|slot| &signatures[range(slot)][..self.p.challenge_len]);
        let blocks = Challenge::first_blocks(isa, &seeds, shared.sponge_memory.states);
        for (slot, block) in slots.iter_mut().zip(&blocks) {
            if slot.step == SlotStep::Attempt {
                self.finish_attempt(isa, slot, &mut signatures[range(slot)], block, shared)?;
            }
        }
        Ok(finished)
    }

    /// Computes the bytes that the slot hashes in this round: mu and w1, or mu and the verifier's
    /// w1'.
    ///
    /// # Errors
    /// Fails if [`Self::use_mask`] has detected a fault, or if the verifier rejects the signature.
    #[inline(always)]
    fn commit<S: Simd>(
        &self,
        isa: S,
        slot: &mut LockstepSlot<'_>,
        signature: &[u8],
        shared: &mut LockstepMemory<'_>,
    ) -> Result<(), MlDsaSignError> {
        if declassified(slot.differs) {
            return Err(MlDsaSignError::Fault);
        }
        let signer = self.signer(slot.item);
        match slot.step {
            SlotStep::Free => (),
            SlotStep::Attempt => signer.commit(isa, &mut slot.memory(shared)),
            SlotStep::Verify => slot.largest = signer.commit_as_verifier(isa, signature, &mut slot.memory(shared))?,
        }
        Ok(())
    }

    /// Uses the hash `computed`. If the slot makes an attempt, writes this hash as c~. If the slot
    /// verifies a signature, compares the hash with c~, and frees the slot. Returns the number of
    /// verified signatures, which is 0 or 1.
    ///
    /// # Errors
    /// Fails if the signature is not valid, which only a fault can cause.
    #[inline(always)]
    fn use_hash(
        &self,
        slot: &mut LockstepSlot<'_>,
        computed: &[u8],
        challenge: &mut [u8],
    ) -> Result<usize, MlDsaSignError> {
        if slot.step == SlotStep::Attempt {
            challenge.copy_from_slice(computed);
            ct::declassify_row("challenge", challenge);
            self.hooks.challenge(challenge);
        }
        if slot.step != SlotStep::Verify {
            return Ok(0);
        }
        if decide(self.p, slot.largest, computed, challenge)?.value() != Verified::YES {
            return Err(MlDsaSignError::Fault);
        }
        slot.step = SlotStep::Free;
        Ok(1)
    }

    /// Samples the masks for all slots that have a message. A slot that verifies a signature
    /// compares the masks with its y.
    #[inline(never)]
    fn sample_masks<S: Simd>(&self, isa: S, slots: &mut LockstepSlots<'_>, shared: &mut LockstepMemory<'_>) {
        frame!(isa, {
            // For each mask, the index of the slot and the column of y.
            let mut masks = [(0, 0); SLOTS * MAX_K];
            let mut count = 0;
            for (i, _) in slots.iter().enumerate().filter(|(_, slot)| slot.step != SlotStep::Free) {
                for column in 0..self.p.l {
                    masks[count] = (i, column);
                    count += 1;
                }
            }
            for masks in masks[..count].chunks(KECCAK_STATES) {
                self.sample_together(isa, masks, slots, shared);
            }
        });
    }

    /// Samples masks for the given slots and columns, at most [`KECCAK_STATES`], and calls
    /// [`Self::use_mask`] for each mask.
    #[inline(always)]
    fn sample_together<S: Simd>(
        &self,
        isa: S,
        masks: &[(usize, usize)],
        slots: &mut LockstepSlots<'_>,
        shared: &mut LockstepMemory<'_>,
    ) {
        let LockstepMemory { product, sponge_memory: SpongeMemory { states, bytes }, .. } = shared;
        let mut sponges = Shake256Batch::resume(isa, states, 0);
        for (lane, &(i, column)) in masks.iter().enumerate() {
            let number = slots[i].attempt * self.p.l as u16 + column as u16;
            sponges.start_lane(lane, &self.seeds[slots[i].item], number);
        }
        for block in 0..MASK_BLOCKS {
            sponges.permute();
            for (lane, bytes) in bytes.chunks_exact_mut(MASK_BYTES).take(masks.len()).enumerate() {
                write_block(isa, &sponges, lane, &mut bytes[RATE * block..][..RATE]);
            }
        }
        for (&(i, column), bytes) in masks.iter().zip(bytes.chunks_exact(MASK_BYTES)) {
            self.use_mask(isa, &mut slots[i], column, bytes, product);
        }
    }

    /// Unpacks a mask, and checks that it was sampled. If the slot makes an attempt, writes the
    /// mask to the column of y. If the slot verifies a signature, compares the mask with the
    /// column. `product` is memory for a mask.
    #[inline(always)]
    fn use_mask<S: Simd>(&self, isa: S, slot: &mut LockstepSlot<'_>, column: usize, bytes: &[u8], product: &mut [u32]) {
        let p = self.p;
        let y = &mut slot.y[N * column..N * (column + 1)];
        let is_first = slot.step == SlotStep::Attempt;
        let mask_use = if is_first { MaskUse::Commitment } else { MaskUse::Response };
        let mask = if is_first { &mut *y } else { &mut *product };
        unpack(isa, p.z_bits(), &bytes[..p.z_len()], mask);
        flip(p.gamma1, mask);
        let mut sampled = MaskSampledCheck::new(p);
        for piece in mask.as_chunks_mut::<PIECE>().0 {
            self.hooks.mask(mask_use, column, piece);
        }
        sampled.include(mask);
        sampled.end(p);
        slot.differs |= sampled.not_sampled();
        if !is_first {
            for (y, again) in y.iter().zip(&*product) {
                slot.differs |= y ^ again;
            }
        }
    }

    /// Hashes the commitment (mu and w1, or mu and w1') in each slot that has a message. For a free
    /// slot, returns zeros.
    #[inline(always)]
    fn hash_commitments<S: Simd>(
        &self,
        isa: S,
        slots: &LockstepSlots<'_>,
        shared: &mut LockstepMemory<'_>,
    ) -> [[u8; MAX_CHALLENGE_LEN]; SLOTS] {
        let mut hashes = [[0; MAX_CHALLENGE_LEN]; SLOTS];
        let busy = slots.iter().zip(&mut hashes).filter(|(slot, _)| slot.step != SlotStep::Free);
        let mut count = 0;
        let mut busy = busy.inspect(|_| count += 1);
        let mut inputs: [_; SLOTS] = core::array::from_fn(|_| match busy.next() {
            Some((slot, hash)) => PaddedInput { blocks: slot.commitment, hash: &mut hash[..self.p.challenge_len] },
            None => PaddedInput { blocks: &[], hash: &mut [] },
        });
        hash_together(isa, shared.sponge_memory.states, &mut inputs[..count]);
        hashes
    }

    /// Finishes an attempt with the challenge that is sampled from `block`, the first output block
    /// of the sponge for c~. If the attempt is accepted, writes z and the hint, and the slot
    /// verifies the signature in the next round.
    ///
    /// # Errors
    /// Returns `Limit` if [`MAX_ATTEMPTS`] attempts were rejected, or if sampling the challenge
    /// exceeds a limit. Returns `Fault` if the hint cannot be encoded.
    #[inline(always)]
    fn finish_attempt<S: Simd>(
        &self,
        isa: S,
        slot: &mut LockstepSlot<'_>,
        signature: &mut [u8],
        block: &[u8; RATE],
        shared: &mut LockstepMemory<'_>,
    ) -> Result<(), MlDsaSignError> {
        let p = self.p;
        let (challenge, rest) = signature.split_at_mut(p.challenge_len);
        let (z_bytes, hint) = rest.split_at_mut(p.l * p.z_len());
        Challenge::transform_of_block_into(isa, p, [block, challenge], ML_DSA.one, shared.c)?;
        let signer = self.signer(slot.item);
        if signer.answer(isa, [z_bytes, hint], &mut slot.memory(shared))? {
            slot.step = SlotStep::Verify;
            return Ok(());
        }
        slot.attempt += 1;
        if slot.attempt == MAX_ATTEMPTS { Err(MlDsaSignError::Limit) } else { Ok(()) }
    }
}
