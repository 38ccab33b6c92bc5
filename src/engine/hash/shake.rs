//! SHAKE256 and SHAKE128 (FIPS 202) as streams: absorb bytes, then squeeze any number of bytes.
//!
//! - `bytes`: reads a few bytes of output at a time
//!
//! States are permuted in vectors with 64-bit lanes, with two exceptions for a single state. If the
//! level (the instruction set) has assembly for Keccak, [`keccak_f`] calls the assembly. If the
//! level has few registers or must have small code, [`keccak_f`] permutes the state in place
//! (`keccak`).
//!
//! All data may be secret. The time depends only on lengths.

#[cfg(all(feature = "testing", target_os = "none"))]
pub use super::keccak::ROUNDS_COMPUTED;
pub use super::keccak::{ROUND_CONSTANTS, ROUNDS, constants_in_use};
use super::keccak::{compute_rounds, count_rounds, permute};
use super::vector_round::{invert, round};
use crate::simd::{KECCAK_IN_REGISTERS, SHORT_REGISTERS, SMALL, Simd, U64s, align_stack_for, frame};
use zeroize::Zeroize;

mod bytes;

/// The number of bytes that SHAKE256 absorbs or squeezes between two permutations.
pub const RATE: usize = 136;
/// The number of bytes that SHAKE128 absorbs or squeezes between two permutations.
pub const RATE_128: usize = 168;

/// The number of parts into which [`Shake::permute_part`] divides a permutation.
pub const PARTS: usize = 4;

/// Computes a Keccak round for each constant. The number of constants must be even. Before a round,
/// this function calls `other_work` with the index of the constant.
#[inline(always)]
fn rounds<B: U64s>(bits: B, a: &mut [B::U64; 25], constants: &[u64], mut other_work: impl FnMut(usize)) {
    count_rounds(constants.len());
    invert(bits, a);
    if SMALL {
        for (i, constant) in constants.iter().enumerate() {
            other_work(i);
            *a = round(bits, a, *constant);
        }
        return invert(bits, a);
    }
    // Each iteration computes two rounds, and the second round writes to the memory from which the
    // first round reads.
    for (i, [even, odd]) in constants.as_chunks().0.iter().enumerate() {
        other_work(2 * i);
        let b = round(bits, a, *even);
        other_work(2 * i + 1);
        *a = round(bits, &b, *odd);
    }
    invert(bits, a);
}

/// Applies the permutation Keccak-f\[1600\] to a state once, for blocks of up to [`RATE`] bytes.
///
/// The caller may read and change only the block's words, which are the first words. A level's
/// assembly can store the words after the block in a form that differs from FIPS 202. Before the
/// first block, all words must be 0.
#[inline(never)]
pub fn keccak_f<S: Simd>(isa: S, state: &mut [u64; 25]) {
    frame!(isa, {
        rounds_in_best_way(isa, state, &ROUND_CONSTANTS);
    });
}

/// Works like [`keccak_f`], for blocks of up to [`RATE_128`] bytes. A state must not be permuted by
/// both functions, because they can store the words after the block in different forms.
#[inline(always)]
pub fn keccak_f_128<S: Simd>(isa: S, state: &mut [u64; 25]) {
    if KECCAK_IN_REGISTERS { long_block_rounds(isa, state) } else { keccak_f(isa, state) }
}

/// Implements [`keccak_f_128`] for levels with assembly. This assembly stores the words after the
/// block in a form that differs from FIPS 202 (see [`keccak_f`]).
#[inline(never)]
fn long_block_rounds<S: Simd>(isa: S, state: &mut [u64; 25]) {
    frame!(isa, {
        if isa.one_state().keccak_rounds(state, constants_in_use(), RATE_128 / 8) {
            count_rounds(ROUNDS);
        } else {
            keccak_f(isa, state);
        }
    });
}

/// Permutes a state as [`keccak_f`] does, and calls `other_work` with the round number before each
/// round. This work can use parts of the processor that the permutation does not use. For example,
/// the Falcon verifier finds the signature's coefficients at the same time.
#[inline(always)]
pub fn keccak_f_with<S: Simd>(isa: S, state: &mut [u64; 25], other_work: impl FnMut(usize)) {
    if KECCAK_IN_REGISTERS {
        (0..ROUNDS).for_each(other_work);
        return keccak_f(isa, state);
    }
    some_rounds_with(isa, state, &ROUND_CONSTANTS, other_work);
}

/// Computes a round for each constant: in assembly if the level has it, in place, or in vectors. If
/// [`KECCAK_IN_REGISTERS`] is true, `constants` must be [`ROUND_CONSTANTS`].
#[inline(always)]
fn rounds_in_best_way<S: Simd>(isa: S, state: &mut [u64; 25], constants: &[u64]) {
    let own_constants = if KECCAK_IN_REGISTERS { constants_in_use() } else { constants };
    if isa.one_state().keccak_rounds(state, own_constants, RATE / 8) {
        return count_rounds(constants.len());
    }
    if in_place::<S>() {
        count_rounds(constants.len());
        return compute_rounds(state, constants);
    }
    some_rounds_with(
        isa,
        state,
        constants,
        #[inline(always)]
        |_| (),
    );
}

/// Returns whether the code permutes a state in place. It does so if there are few registers, or if
/// the code must be small.
#[inline(always)]
const fn in_place<S: Simd>() -> bool {
    S::COMPACT || SHORT_REGISTERS
}

/// Computes, in vectors, a round for each constant, and calls `other_work` as [`keccak_f_with`]
/// does.
#[inline(always)]
fn some_rounds_with<S: Simd>(isa: S, state: &mut [u64; 25], constants: &[u64], other_work: impl FnMut(usize)) {
    let bits = isa.one_state();
    let mut a = [bits.splat_u64(0); 25];
    for i in 0..25 {
        a[i] = bits.load_u64(&state[i..]);
    }
    rounds(bits, &mut a, constants, other_work);
    for i in 0..25 {
        bits.store_u64(a[i], &mut state[i..]);
    }
}

/// Computes part `part` of [`keccak_f`]: six of the 24 rounds.
#[inline(never)]
fn keccak_f_part<S: Simd>(isa: S, state: &mut [u64; 25], part: usize) {
    frame!(isa, {
        // Each call of the assembly converts the block's words, so a call for each part would
        // take more time. Therefore, the last part computes the whole permutation.
        if KECCAK_IN_REGISTERS {
            if part + 1 == PARTS {
                rounds_in_best_way(isa, state, &ROUND_CONSTANTS);
            }
            return;
        }
        let (parts, _) = ROUND_CONSTANTS.as_chunks::<{ ROUNDS / PARTS }>();
        if let Some(constants) = parts.get(part) {
            rounds_in_best_way(isa, state, constants);
        }
    });
}

/// Returns whether [`keccak_f_two`] needs only as much time as one [`keccak_f`].
#[inline(always)]
pub const fn has_two_states<S: Simd>() -> bool {
    <S::TwoStates as U64s>::LANES_U64 == 2
}

/// Works like [`keccak_f`], for two states. Only levels with [`has_two_states`] use this function.
#[inline(never)]
fn keccak_f_two<S: Simd>(isa: S, first: &mut [u64; 25], second: &mut [u64; 25]) {
    frame!(isa, {
        let bits = isa.two_states();
        let mut a = [bits.splat_u64(0); 25];
        let mut lane_pair = [0; 2];
        for i in 0..25 {
            lane_pair = [first[i], second[i]];
            a[i] = bits.load_u64(&lane_pair);
        }
        rounds(
            bits,
            &mut a,
            &ROUND_CONSTANTS,
            #[inline(always)]
            |_| (),
        );
        for i in 0..25 {
            bits.store_u64(a[i], &mut lane_pair);
            [first[i], second[i]] = lane_pair;
        }
    });
}

/// The largest number of states for [`keccak_f_many`].
pub const KECCAK_STATES: usize = 8;

/// Eight states. Entry `i` contains lane `i` (a 64-bit word) from each state.
pub type KeccakStates = [[u64; KECCAK_STATES]; 25];

/// Returns whether [`keccak_f_many`] is faster for `count` states than calls to [`keccak_f`]. If
/// vectors have eight lanes, this is true for three or more states. If vectors have two or four
/// lanes, this is true for two or more states.
#[cfg(feature = "alloc")]
#[inline(always)]
pub const fn many_states_are_faster<S: Simd>(count: usize) -> bool {
    let lanes = <S::ManyStates as U64s>::LANES_U64;
    lanes > 1 && count > 1 && 3 * count > lanes
}

/// The number of lanes in [`Simd::FourStates`], on levels that have this type.
pub const FOUR: usize = 4;

/// Returns whether vectors with four lanes permute `count` states in less time than longer vectors.
/// The result can only be true on a level with both vector lengths: for up to four states, and for
/// all counts if the processor computes an operation on longer vectors in two halves.
#[inline(always)]
fn is_faster_with_four<S: Simd>(isa: S, count: usize) -> bool {
    let has_both = <S::FourStates as U64s>::LANES_U64 == FOUR && <S::ManyStates as U64s>::LANES_U64 > FOUR;
    has_both && (count <= FOUR || isa.splits_vectors())
}

/// Permutes the first `count` of eight states, as [`keccak_f`] does. The states after them can also
/// change, because a vector contains several states.
#[inline(never)]
pub fn keccak_f_many<S: Simd>(isa: S, states: &mut KeccakStates, count: usize) {
    frame!(isa, {
        if in_place::<S>() && <S::ManyStates as U64s>::LANES_U64 == 1 {
            for i in 0..count.min(KECCAK_STATES) {
                permute_lane(
                    states,
                    i,
                    #[inline(always)]
                    |state| rounds_in_best_way(isa, state, &ROUND_CONSTANTS),
                );
            }
            return;
        }
        keccak_f_many_with(
            isa,
            states,
            count,
            #[inline(always)]
            |_| (),
        );
    });
}

/// Copies the state in lane `i`, calls `permute` for the copy, and writes the copy to the lane.
#[inline(always)]
fn permute_lane(states: &mut KeccakStates, i: usize, permute: impl FnOnce(&mut [u64; 25])) {
    // This loop needs memory for a single copy of the state. `map`, or an iterator that owns the
    // state, would need memory for several copies.
    let mut state = [0; 25];
    for (x, lane) in state.iter_mut().zip(&*states) {
        *x = lane[i];
    }
    permute(&mut state);
    for (lane, x) in states.iter_mut().zip(&state) {
        lane[i] = *x;
    }
}

/// Works like [`keccak_f_many`], for blocks of up to [`RATE_128`] bytes ([`keccak_f_128`]).
#[inline(always)]
pub fn keccak_f_128_many<S: Simd>(isa: S, states: &mut KeccakStates, count: usize) {
    if !KECCAK_IN_REGISTERS {
        return keccak_f_many(isa, states, count);
    }
    for i in 0..count.min(KECCAK_STATES) {
        permute_lane(
            states,
            i,
            #[inline(always)]
            |state| keccak_f_128(isa, state),
        );
    }
}

/// Permutes states as [`keccak_f_many`] does, and calls `other_work` as [`keccak_f_with`] does. If
/// the states need several vectors, this function permutes the vectors in sequence, and calls
/// `other_work` before each round of each vector.
#[inline(always)]
pub fn keccak_f_many_with<S: Simd>(isa: S, states: &mut KeccakStates, count: usize, other_work: impl FnMut(usize)) {
    if KECCAK_IN_REGISTERS {
        (0..ROUNDS).for_each(other_work);
        return keccak_f_many(isa, states, count);
    }
    if is_faster_with_four(isa, count) {
        permute_vectors(isa.four_states(), states, count, other_work);
    } else {
        permute_vectors(isa.many_states(), states, count, other_work);
    }
}

/// Permutes the first `count` states in sequence, a vector at a time.
#[allow(clippy::redundant_closure, reason = "a reference to a closure would be a call")]
#[inline(always)]
fn permute_vectors<B: U64s>(bits: B, states: &mut KeccakStates, count: usize, mut other_work: impl FnMut(usize)) {
    for first in (0..count.min(KECCAK_STATES)).step_by(B::LANES_U64) {
        // The compiler inlines this closure, and keeps the states in registers. With a reference to
        // `other_work`, the compiler would generate a call instead.
        permute_lanes(
            bits,
            states,
            first,
            #[inline(always)]
            |round| other_work(round),
        );
    }
}

/// Permutes the states from number `first` on. The number of permuted states is the number of lanes
/// in a vector. Calls `other_work` as [`keccak_f_with`] does.
#[inline(always)]
fn permute_lanes<B: U64s>(bits: B, states: &mut KeccakStates, first: usize, other_work: impl FnMut(usize)) {
    align_stack_for::<B::U64>();
    let mut a = [bits.splat_u64(0); 25];
    for i in 0..25 {
        a[i] = bits.load_u64(&states[i][first..]);
    }
    rounds(bits, &mut a, &ROUND_CONSTANTS, other_work);
    for i in 0..25 {
        bits.store_u64(a[i], &mut states[i][first..]);
    }
}

/// A sponge's state. It does not depend on the level that computes the permutations, so a
/// second level can continue with a state from a first level ([`Shake::resume`]).
#[derive(Clone)]
pub struct Sponge {
    state: [u64; 25],
    /// The number of bytes in the current block that have been absorbed or squeezed.
    at: usize,
}

impl Sponge {
    /// The empty sponge.
    pub const EMPTY: Self = Self { state: [0; 25], at: 0 };
}

impl Drop for Sponge {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

/// A sponge that can absorb until [`Shake::finish`], and then squeeze. A block has `WORDS` words.
#[derive(Clone)]
pub struct Shake<S: Simd, const WORDS: usize> {
    isa: S,
    sponge: Sponge,
}

/// The bits that SHAKE appends to its input, with the first padding bit (FIPS 202, sections 6.2 and
/// B.2).
pub const SHAKE_ENDS: u64 = 0x1f;
/// The bits that SHA-3 appends to its input, with the first padding bit.
pub const SHA3_ENDS: u64 = 0x06;
/// A SHAKE256 sponge.
pub type Shake256<S> = Shake<S, { RATE / 8 }>;
/// A SHAKE128 sponge.
pub type Shake128<S> = Shake<S, { RATE_128 / 8 }>;

impl<S: Simd, const WORDS: usize> Shake<S, WORDS> {
    /// The block length in bytes.
    const RATE: usize = 8 * WORDS;

    /// Returns an empty sponge.
    #[inline(always)]
    pub fn new(isa: S) -> Self {
        Self { isa, sponge: Sponge::EMPTY }
    }

    /// Makes the sponge empty, so that it can absorb a new input.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.sponge.state.fill(0);
        self.sponge.at = 0;
    }

    /// Continues with a state from [`Shake::suspend`]. `isa` can differ from the level of the
    /// suspended sponge.
    #[inline(always)]
    pub fn resume(isa: S, sponge: Sponge) -> Self {
        Self { isa, sponge }
    }

    /// Replaces this sponge's state by a copy of `sponge`.
    #[inline(always)]
    pub fn continue_from(&mut self, sponge: &Sponge) {
        self.sponge.state = sponge.state;
        self.sponge.at = sponge.at;
    }

    /// Returns the state.
    #[inline(always)]
    pub const fn sponge(&self) -> &Sponge {
        &self.sponge
    }

    /// Returns the state, for [`Shake::resume`].
    #[inline(always)]
    pub fn suspend(self) -> Sponge {
        self.sponge
    }

    /// Absorbs `data`, which continues the input from earlier calls.
    pub fn absorb(&mut self, mut data: &[u8]) {
        while let Some((byte, tail)) = data.split_first() {
            self.permute_if_full();
            let at = self.sponge.at;
            let words = data.as_chunks::<8>().0;
            if at.is_multiple_of(8) && !words.is_empty() {
                let lanes = self.sponge.state.get_mut(at / 8..WORDS).unwrap_or_default();
                let bytes = 8 * words.len().min(lanes.len());
                for (lane, word) in lanes.iter_mut().zip(words) {
                    *lane ^= u64::from_le_bytes(*word);
                }
                self.sponge.at += bytes;
                data = data.get(bytes..).unwrap_or_default();
            } else {
                self.add(u64::from(*byte));
                self.sponge.at += 1;
                data = tail;
            }
        }
    }

    /// Permutes a state for blocks with [`Self::RATE`] bytes.
    #[inline(always)]
    fn permute(isa: S, state: &mut [u64; 25]) {
        if Self::RATE <= RATE { keccak_f(isa, state) } else { keccak_f_128(isa, state) }
    }

    /// Permutes the state if the block is full.
    #[inline(always)]
    fn permute_if_full(&mut self) {
        if self.sponge.at >= Self::RATE {
            Self::permute(self.isa, &mut self.sponge.state);
            self.sponge.at = 0;
        }
    }

    /// Adds a byte to the state, at the next position in the block. The block must not be full.
    #[inline(always)]
    fn add(&mut self, byte: u64) {
        let at = self.sponge.at;
        // The lane always exists, because the block is not full. An index expression would add a
        // panic to the machine code.
        if let Some(lane) = self.sponge.state.get_mut(at / 8) {
            *lane ^= byte << (8 * (at % 8));
        }
    }

    /// Ends the input. After this call, `squeeze` returns the output from its start.
    #[inline(always)]
    pub fn finish(&mut self) {
        self.finish_with_bits(SHAKE_ENDS);
    }

    /// Ends the input as [`Shake::finish`] does, but with the bits `ends`, for example
    /// [`SHA3_ENDS`].
    pub fn finish_with_bits(&mut self, ends: u64) {
        self.permute_if_full();
        self.add(ends);
        self.sponge.state[WORDS - 1] ^= 1 << 63;
        self.sponge.at = Self::RATE;
    }

    /// Ends the input, and writes the state to position `lane` in `states`, to permute several
    /// states together.
    #[cfg(feature = "alloc")]
    pub fn join(mut self, states: &mut KeccakStates, lane: usize) {
        self.finish();
        self.lend(states, lane);
    }

    /// Writes the state to position `lane` in `states`, for permutations until
    /// [`Shake::take_back`]. The sponge must have no [free bytes](Shake::free_len), or its input
    /// must have ended.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn lend(&self, states: &mut KeccakStates, lane: usize) {
        for (lanes, word) in states.iter_mut().zip(self.sponge.state) {
            lanes[lane] = word;
        }
    }

    /// Continues with a state that [`Shake::lend`] wrote and that was then permuted.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn take_back(&mut self, states: &KeccakStates, lane: usize) {
        self.sponge.state = states.map(|lanes| lanes[lane]);
        self.sponge.at = 0;
    }

    /// Returns how many bytes can be absorbed before a permutation.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn free_len(&self) -> usize {
        Self::RATE - self.sponge.at
    }

    /// Writes the next output bytes.
    pub fn squeeze(&mut self, out: &mut [u8]) {
        let mut out = out;
        while !out.is_empty() {
            self.permute_if_full();
            let at = self.sponge.at;
            let lanes = self.sponge.state.get(at / 8..WORDS).unwrap_or_default();
            let words = out.as_chunks_mut::<8>().0;
            let bytes = if at.is_multiple_of(8) && !words.is_empty() {
                for (lane, word) in lanes.iter().zip(&mut *words) {
                    *word = lane.to_le_bytes();
                }
                8 * words.len().min(lanes.len())
            } else {
                if let (Some(byte), Some(lane)) = (out.first_mut(), lanes.first()) {
                    *byte = (lane >> (8 * (at % 8))) as u8;
                }
                1
            };
            self.sponge.at += bytes;
            out = out.get_mut(bytes..).unwrap_or_default();
        }
    }

    /// Computes part `part` of the next permutation. After calls for all [`PARTS`] parts, in order,
    /// [`Shake::block`] returns the next block. The output so far must consist of complete blocks.
    #[inline(always)]
    pub fn permute_part(&mut self, part: usize) {
        debug_assert!(self.sponge.at == Self::RATE);
        keccak_f_part(self.isa, &mut self.sponge.state, part);
    }

    /// Computes the next permutation together with [`keccak_f`] for the state `other`. After this
    /// call, [`Shake::block`] returns the block. The output so far must consist of complete blocks,
    /// and [`has_two_states`] must be true for the level.
    #[inline(always)]
    pub fn permute_with(&mut self, other: &mut [u64; 25]) {
        debug_assert!(self.sponge.at == Self::RATE);
        keccak_f_two(self.isa, &mut self.sponge.state, other);
    }

    /// Returns the next block. A word contains eight output bytes in little-endian order. The
    /// output so far must consist of complete blocks.
    #[inline(always)]
    pub fn squeeze_block(&mut self) -> &[u64; WORDS] {
        let isa = self.isa;
        self.squeeze_block_by(
            #[inline(always)]
            |state| Self::permute(isa, state),
        )
    }

    /// Works like [`Shake::squeeze_block`]. `permute` must call [`keccak_f`] or [`keccak_f_with`].
    #[inline(always)]
    pub fn squeeze_block_by(&mut self, permute: impl FnOnce(&mut [u64; 25])) -> &[u64; WORDS] {
        debug_assert!(self.sponge.at == Self::RATE);
        permute(&mut self.sponge.state);
        &self.sponge.state.as_chunks().0[0]
    }
}

/// Computes SHAKE256 of the concatenated `parts`, and writes the first bytes of the output.
#[inline(never)]
pub fn shake256_into<S: Simd>(isa: S, parts: &[&[u8]], out: &mut [u8]) {
    frame!(isa, {
        let mut h = Shake256::new(isa);
        for part in parts {
            h.absorb(part);
        }
        h.finish();
        h.squeeze(out);
    });
}

/// Returns the first 64 bytes of SHAKE256 for `data`. This function can be used in constants.
pub const fn constant_shake256(data: &[u8]) -> [u8; 64] {
    let mut state = [0u64; 25];
    let mut at = 0;
    while at < data.len() {
        state[at % RATE / 8] ^= (data[at] as u64) << (8 * (at % 8));
        at += 1;
        if at % RATE == 0 {
            permute(&mut state);
        }
    }
    state[at % RATE / 8] ^= SHAKE_ENDS << (8 * (at % 8));
    state[RATE / 8 - 1] ^= 1 << 63;
    permute(&mut state);
    let mut out = [0; 64];
    let mut at = 0;
    while at < out.len() {
        out[at] = (state[at / 8] >> (8 * (at % 8))) as u8;
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests;
