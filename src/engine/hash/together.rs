//! Absorbs an input into each of several sponges (SHAKE states), and computes the permutations
//! together. The inputs can have different lengths. The API hashes the messages of a batch with
//! [`absorb_together`] before it verifies or signs the batch.

use super::shake::{KECCAK_STATES, KeccakStates, Shake, keccak_f_many, many_states_are_faster};
use crate::simd::{Simd, frame};
use zeroize::Zeroize;

/// A sponge in a batch, and the input that it has not absorbed yet.
struct AbsorbingSponge<'s, 'a, S: Simd, const WORDS: usize> {
    sponge: &'s mut Shake<S, WORDS>,
    input: &'a [u8],
}

impl<S: Simd, const WORDS: usize> AbsorbingSponge<'_, '_, S, WORDS> {
    /// Absorbs up to `len` bytes of the input.
    #[inline(always)]
    fn absorb(&mut self, len: usize) {
        let (head, tail) = self.input.split_at(self.input.len().min(len));
        self.sponge.absorb(head);
        self.input = tail;
    }
}

/// Absorbs each input into the sponge at the same index, as [`Shake::absorb`] does. Computes
/// permutations together while enough sponges ([`many_states_are_faster`]) have remaining input. If
/// a sponge is `None`, then its input is not used.
#[inline(never)]
pub fn absorb_together<S: Simd, const WORDS: usize>(
    isa: S,
    sponges: &mut [Option<Shake<S, WORDS>>; KECCAK_STATES],
    inputs: [&[u8]; KECCAK_STATES],
) {
    frame!(isa, {
        let pairs = sponges.iter_mut().zip(inputs);
        let mut present = pairs.filter_map(|(sponge, input)| Some(AbsorbingSponge { sponge: sponge.as_mut()?, input }));
        let mut all: [_; KECCAK_STATES] = core::array::from_fn(|_| present.next());
        // Fill the current block of each sponge. A sponge with more input then needs a permutation.
        for absorbing in all.iter_mut().flatten() {
            absorbing.absorb(absorbing.sponge.free_len());
        }
        let mut states: KeccakStates = [[0; KECCAK_STATES]; 25];
        loop {
            let block_count = |absorbing: &AbsorbingSponge<'_, '_, S, WORDS>| absorbing.input.len().div_ceil(8 * WORDS);
            let count = all.iter().flatten().filter(|absorbing| block_count(absorbing) > 0).count();
            if !many_states_are_faster::<S>(count) {
                break;
            }
            // The sponges stay in `states` until the shortest remaining input ends. The last block
            // of this input can be incomplete. So each sponge absorbs its last block separately,
            // when its state is no longer in `states`.
            let common_blocks =
                all.iter().flatten().map(block_count).filter(|block_count| *block_count > 0).min().unwrap_or(0);
            let mut lanes = all.iter_mut().flatten().filter(|absorbing| block_count(absorbing) > 0);
            let mut lanes: [_; KECCAK_STATES] = core::array::from_fn(|_| lanes.next());
            for (lane, absorbing) in lanes.iter().flatten().enumerate() {
                absorbing.sponge.lend(&mut states, lane);
            }
            for block in 1..=common_blocks {
                keccak_f_many(isa, &mut states, count);
                if block == common_blocks {
                    break;
                }
                for (lane, absorbing) in lanes.iter_mut().flatten().enumerate() {
                    let (head, tail) = absorbing.input.split_at(8 * WORDS);
                    for (words, word) in states.iter_mut().zip(head.as_chunks().0) {
                        words[lane] ^= u64::from_le_bytes(*word);
                    }
                    absorbing.input = tail;
                }
            }
            for (lane, absorbing) in lanes.iter_mut().flatten().enumerate() {
                absorbing.sponge.take_back(&states, lane);
                absorbing.absorb(8 * WORDS);
            }
        }
        for absorbing in all.iter_mut().flatten() {
            absorbing.absorb(usize::MAX);
        }
        states.zeroize();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::hash::shake::RATE;
    use crate::simd::{Level, WithSimd};
    use sha3::digest::{ExtendableOutput, Update, XofReader};

    /// Absorbs inputs of various lengths into sponges that have already absorbed earlier inputs,
    /// whose lengths are in `fronts`. Some entries contain `None` instead of a sponge.
    #[test]
    fn batch_absorption_equals_single_absorption() {
        struct AbsorbTogetherTest<'w> {
            fronts: [usize; KECCAK_STATES],
            lens: [usize; KECCAK_STATES],
            present_mask: u8,
            data: &'w [u8],
        }
        impl WithSimd for AbsorbTogetherTest<'_> {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                let Self { fronts, lens, present_mask, data } = self;
                let front = |lane: usize| &data[lane..][..fronts[lane]];
                let input = |lane: usize| &data[100 + lane..][..lens[lane]];
                let mut sponges: [_; KECCAK_STATES] = core::array::from_fn(|lane| {
                    let mut sponge = Shake::<S, { RATE / 8 }>::new(isa);
                    sponge.absorb(front(lane));
                    (present_mask >> lane & 1 == 1).then_some(sponge)
                });
                absorb_together(isa, &mut sponges, core::array::from_fn(input));
                for (lane, sponge) in sponges.into_iter().enumerate() {
                    assert_eq!(sponge.is_some(), present_mask >> lane & 1 == 1);
                    let Some(mut sponge) = sponge else { continue };
                    let (mut output, mut expected) = ([0; 200], [0; 200]);
                    sponge.finish();
                    sponge.squeeze(&mut output);
                    let mut oracle = sha3::Shake256::default();
                    [front(lane), input(lane)].iter().for_each(|part| oracle.update(part));
                    oracle.finalize_xof().read(&mut expected);
                    assert_eq!(
                        output,
                        expected,
                        "lane {lane} of {present_mask:08b}, {fronts:?} and {lens:?} bytes on {}",
                        S::NAME
                    );
                }
            }
        }
        let data: Vec<u8> = (0..6000u32).map(|i| ((i * i) >> 5) as u8).collect();
        let lens = [
            [0; KECCAK_STATES],
            [1024; KECCAK_STATES],
            [0, 1, 135, 136, 137, 272, 273, 5000],
            [5000, 700, 680, 681, 679, 0, 1, 136],
            [408, 407, 409, 544, 543, 545, 408, 408],
        ];
        let fronts = [[0; KECCAK_STATES], [66; KECCAK_STATES], [0, 1, 66, 128, 135, 136, 137, 300]];
        for level in Level::available() {
            for (lens, fronts) in lens.iter().flat_map(|lens| fronts.iter().map(move |fronts| (*lens, *fronts))) {
                for present_mask in [0, 1, 0x80, 0x81, 0b101, 0b1110, 0x55, 0x7f, 0xff] {
                    level.run(AbsorbTogetherTest { fronts, lens, present_mask, data: &data });
                }
            }
        }
    }
}
