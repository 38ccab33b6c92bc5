//! Compares SHAKE with the crate `sha3`, and the permutations of all levels with each other.

use super::*;
use crate::simd::{Emulated, Level, WithSimd};
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// Permutes one state and eight states on every level, and compares the results with the results of
/// the level [`Emulated`], which every processor supports.
#[test]
fn the_permutation_is_the_same_on_every_level() {
    struct PermutationTest<'w>(&'w mut [KeccakStates; 3], &'w mut [u64; 25], &'w mut [[u64; 25]; 2]);
    impl WithSimd for PermutationTest<'_> {
        type Output = ();
        #[inline(always)]
        fn with<S: Simd>(self, isa: S) {
            let [chosen, four, many] = self.0;
            keccak_f_many(isa, chosen, KECCAK_STATES);
            // Outside tests, `keccak_f_many` makes one of these two calls, depending on the
            // processor.
            frame!(isa, permute_vectors(isa.four_states(), four, KECCAK_STATES, |_| ()));
            frame!(isa, permute_vectors(isa.many_states(), many, KECCAK_STATES, |_| ()));
            let mut next_round = 0;
            keccak_f_with(isa, self.1, |round| {
                assert_eq!(round, next_round);
                next_round += 1;
            });
            assert_eq!(next_round, ROUNDS);
            let mut parts = self.2[0];
            (0..PARTS).for_each(|part| keccak_f_part(isa, &mut self.2[0], part));
            keccak_f(isa, &mut parts);
            assert_eq!(self.2[0], parts, "{}: a permutation in parts", S::NAME);
            if has_two_states::<S>() {
                let [mut first, mut second] = *self.2;
                let [a, b] = self.2;
                keccak_f_two(isa, a, b);
                keccak_f(isa, &mut first);
                keccak_f(isa, &mut second);
                assert_eq!([*a, *b], [first, second], "{}: two states", S::NAME);
            }
        }
    }
    let word = |i: usize, j: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (j as u64) << 50;
    let states: KeccakStates = core::array::from_fn(|i| core::array::from_fn(|j| word(i, j)));
    let mut expected = states;
    for j in 0..KECCAK_STATES {
        let mut state = states.map(|lanes| lanes[j]);
        keccak_f(Emulated, &mut state);
        (0..25).for_each(|i| expected[i][j] = state[i]);
    }
    for level in Level::available() {
        let (mut permuted, mut state) = ([states; 3], states.map(|lanes| lanes[3]));
        let mut state_pair = [states.map(|lanes| lanes[1]), states.map(|lanes| lanes[2])];
        level.run(PermutationTest(&mut permuted, &mut state, &mut state_pair));
        assert_eq!(permuted, [expected; 3], "{level}: eight states");
        assert_eq!(state, expected.map(|lanes| lanes[3]), "{level}: one state");
    }
}

/// Compares a sponge with an oracle for inputs of many lengths. Passes the input and reads the
/// output in pieces of different lengths.
fn assert_equals<const WORDS: usize>(oracle: fn(&[u8], &mut [u8])) {
    let data: Vec<u8> = (0..700u32).map(|i| ((i * i) >> 3) as u8).collect();
    for len in (0..300).chain([407, 408, 409, 503, 504, 505, 543, 544, 545, 700]) {
        let mut expected = [0u8; 500];
        oracle(&data[..len], &mut expected);
        for piece_len in [1, 3, 7, 8, 64, 135, 136, 137, 167, 168, 169, 500] {
            let mut h = Shake::<_, WORDS>::new(Emulated);
            data[..len].chunks(piece_len).for_each(|part| h.absorb(part));
            h.finish();
            let mut output = [0u8; 500];
            output.chunks_mut(piece_len).for_each(|part| h.squeeze(part));
            assert_eq!(output, expected, "length {len}, pieces of {piece_len}");
        }
        let mut h = Shake::<_, WORDS>::new(Emulated);
        h.absorb(&data[..len]);
        h.finish();
        for block in expected.chunks_exact(8 * WORDS) {
            let lanes = block.as_chunks::<8>().0;
            assert!(
                h.squeeze_block_by(|state| keccak_f(Emulated, state))
                    .iter()
                    .zip(lanes)
                    .all(|(a, b)| a.to_le_bytes() == *b)
            );
        }
    }
}

fn oracle<D: Default + Update + ExtendableOutput>(data: &[u8], out: &mut [u8]) {
    let mut hash = D::default();
    hash.update(data);
    hash.finalize_xof().read(out);
}

#[test]
fn shake256_equals_the_sha3_crate() {
    assert_equals::<{ RATE / 8 }>(oracle::<sha3::Shake256>);
}

#[test]
fn shake128_equals_the_sha3_crate() {
    assert_equals::<{ RATE_128 / 8 }>(oracle::<sha3::Shake128>);
}
