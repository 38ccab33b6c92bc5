//! Batches of up to eight SHAKE sponges, which are permuted together. ML-DSA uses a batch to sample
//! polynomials from seeds. ML-DSA and the Falcon family use a batch to hash inputs that consist of
//! padded blocks.
//!
//! A seed of ML-DSA starts with 32 or 64 bytes, which are equal for several sponges. The last two
//! bytes differ: they are the indices of a row and a column in the matrix, or the index of a
//! polynomial (FIPS 204, algorithms 32 to 34). On a level (an instruction set) with vectors for
//! fewer than eight states, the code permutes only the vectors up to the last sponge in use.
//!
//! All data may be secret. The time depends only on lengths.

use super::shake::{KECCAK_STATES, KeccakStates, RATE, RATE_128, keccak_f, keccak_f_128_many, keccak_f_many};
use crate::simd::Simd;
use zeroize::Zeroize;

/// Up to eight SHAKE128 sponges.
pub type Shake128Batch<'w, S> = SpongeBatch<'w, S, { RATE_128 / 8 }>;
/// Up to eight SHAKE256 sponges.
pub type Shake256Batch<'w, S> = SpongeBatch<'w, S, { RATE / 8 }>;

/// The last padding bit, in the last word of a block.
const LAST_PADDING: u64 = 1 << 63;

/// Returns the word after a seed: the two bytes of `suffix`, and then the byte 0x1f. The low 4 bits
/// in this byte are SHAKE's suffix 1111, and the fifth bit is the first padding bit.
#[inline(always)]
const fn first_padding(suffix: u16) -> u64 {
    suffix as u64 | 0x1f << 16
}

/// Up to eight sponges, in the lanes of vectors. A block has `WORDS` 64-bit words.
pub struct SpongeBatch<'w, S: Simd, const WORDS: usize> {
    isa: S,
    states: &'w mut KeccakStates,
    /// The number of sponges in use.
    count: usize,
}

impl<'w, S: Simd, const WORDS: usize> SpongeBatch<'w, S, WORDS> {
    /// Starts a sponge for each element in `suffixes`. This sponge has absorbed `seed` and then the
    /// two bytes of the element, with the lower byte first. `suffixes` has at most
    /// [`KECCAK_STATES`] elements. The seed length must be a multiple of 8, and less than the block
    /// length minus 8.
    pub fn start(isa: S, states: &'w mut KeccakStates, seed: &[u8], suffixes: &[u16]) -> Self {
        let seed = seed.as_chunks().0;
        for (lanes, word) in states.iter_mut().zip(seed) {
            *lanes = [u64::from_le_bytes(*word); KECCAK_STATES];
        }
        for lanes in &mut states[seed.len()..] {
            *lanes = [0; KECCAK_STATES];
        }
        for (lane, suffix) in states[seed.len()].iter_mut().zip(suffixes) {
            *lane = first_padding(*suffix);
        }
        for lane in &mut states[WORDS - 1] {
            *lane ^= LAST_PADDING;
        }
        Self { isa, states, count: suffixes.len() }
    }

    /// Returns a batch with the first `count` sponges in `states`.
    #[inline(always)]
    pub fn resume(isa: S, states: &'w mut KeccakStates, count: usize) -> Self {
        Self { isa, states, count }
    }

    /// Computes the permutations for the next block. A call is also necessary before the first
    /// block of output.
    pub fn permute(&mut self) {
        if 8 * WORDS <= RATE {
            keccak_f_many(self.isa, self.states, self.count);
        } else {
            keccak_f_128_many(self.isa, self.states, self.count);
        }
    }

    /// Replaces the sponge in `lane` by an empty sponge. If the lane was not in use before, this
    /// function adds it to the batch.
    #[inline(always)]
    pub fn clear(&mut self, lane: usize) {
        for lanes in &mut *self.states {
            lanes[lane] = 0;
        }
        self.count = self.count.max(lane + 1);
    }

    /// Replaces the sponge in `lane` by a sponge that has absorbed `seed` and then `suffix`, as
    /// [`Self::start`] does.
    #[inline(always)]
    pub fn start_lane(&mut self, lane: usize, seed: &[u8], suffix: u16) {
        self.clear(lane);
        let seed = seed.as_chunks().0;
        for (lanes, word) in self.states.iter_mut().zip(seed) {
            lanes[lane] = u64::from_le_bytes(*word);
        }
        self.states[seed.len()][lane] = first_padding(suffix);
        self.states[WORDS - 1][lane] ^= LAST_PADDING;
    }

    /// Absorbs an input block into the sponge in `lane`. The block must have `8 * WORDS` bytes. The
    /// last block must be padded ([`pad`]).
    #[inline(always)]
    pub fn absorb(&mut self, lane: usize, block: &[u8]) {
        for (lanes, word) in self.states[..WORDS].iter_mut().zip(block.as_chunks().0) {
            lanes[lane] ^= u64::from_le_bytes(*word);
        }
    }

    /// Writes the current block of the sponge in `lane` to `block`, which has up to `8 * WORDS`
    /// bytes.
    #[inline(always)]
    pub fn block_into(&self, lane: usize, block: &mut [u8]) {
        for (lanes, out) in self.states[..WORDS].iter().zip(block.as_chunks_mut().0) {
            *out = lanes[lane].to_le_bytes();
        }
    }
}

/// Returns a padded SHAKE256 input's length in bytes, if the input without padding has `len` bytes.
pub const fn padded_len(len: usize) -> usize {
    (len / RATE + 1) * RATE
}

/// Pads an input to SHAKE256 that has `len` bytes. `blocks` must have [`padded_len`] bytes.
pub fn pad(blocks: &mut [u8], len: usize) {
    let padding = &mut blocks[len..];
    padding.fill(0);
    // `first_padding` and `LAST_PADDING` contain the same bits, for inputs that consist of a seed
    // and two bytes.
    padding[0] = 0x1f;
    padding[padding.len() - 1] |= 0x80;
}

/// An input to SHAKE256 with its padding, and the memory for the first bytes of its hash. The hash
/// length must be a multiple of 8 bytes, and at most the block length.
pub struct PaddedInput<'a> {
    /// The input with padding: complete blocks.
    pub blocks: &'a [u8],
    /// The memory for the hash.
    pub hash: &'a mut [u8],
}

impl PaddedInput<'_> {
    /// Computes the hash.
    #[inline(always)]
    pub fn hash<S: Simd>(&mut self, isa: S) {
        let mut state = [0; 25];
        for block in self.blocks.chunks_exact(RATE) {
            for (lane, word) in state.iter_mut().zip(block.as_chunks().0) {
                *lane ^= u64::from_le_bytes(*word);
            }
            keccak_f(isa, &mut state);
        }
        for (lane, out) in state.iter().zip(self.hash.as_chunks_mut().0) {
            *out = lane.to_le_bytes();
        }
        state.zeroize();
    }
}

/// Computes the hashes of up to [`KECCAK_STATES`] inputs together. The inputs must have the same
/// length. `states` is memory for the sponges.
#[cfg(feature = "alloc")]
pub fn hash_together<S: Simd>(isa: S, states: &mut KeccakStates, inputs: &mut [PaddedInput<'_>]) {
    *states = [[0; KECCAK_STATES]; 25];
    let blocks = inputs.first().map_or(0, |input| input.blocks.len() / RATE);
    let mut sponges = Shake256Batch { isa, states, count: inputs.len() };
    for block in 0..blocks {
        for (lane, input) in inputs.iter().enumerate() {
            sponges.absorb(lane, &input.blocks[RATE * block..][..RATE]);
        }
        sponges.permute();
    }
    for (lane, input) in inputs.iter_mut().enumerate() {
        sponges.block_into(lane, input.hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, WithSimd};
    use sha3::digest::{ExtendableOutput, Update, XofReader};

    struct SpongeBatchTest<'w, const WORDS: usize> {
        seed: &'w [u8],
        suffixes: &'w [u16],
        expected: &'w [[u8; 1200]],
    }

    impl<const WORDS: usize> WithSimd for SpongeBatchTest<'_, WORDS> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            // The test fills the states with data, which must not affect the output.
            let mut states = [[0x55; KECCAK_STATES]; 25];
            let mut lanes = SpongeBatch::<_, WORDS>::start(isa, &mut states, self.seed, self.suffixes);
            for at in 0..1200 / (8 * WORDS) {
                lanes.permute();
                for (lane, expected) in self.expected.iter().enumerate() {
                    let mut block = [0; 8 * 21];
                    let block = &mut block[..8 * WORDS];
                    lanes.block_into(lane, block);
                    let expected_block = &expected[at * block.len()..][..block.len()];
                    assert_eq!(block, expected_block, "lane {lane} of {} on {}", self.suffixes.len(), S::NAME);
                }
            }
        }
    }

    /// Compares one to eight sponges with the crate `sha3`, on every level.
    fn assert_equals_sha3<D: Default + Update + ExtendableOutput, const WORDS: usize>(seed: &[u8]) {
        let suffixes = [0, 1, 255, 256, 0x0203, 65535, 5747, 6];
        let expected: Vec<[u8; 1200]> = suffixes
            .iter()
            .map(|suffix: &u16| {
                let (mut oracle, mut out) = (D::default(), [0; 1200]);
                oracle.update(seed);
                oracle.update(&suffix.to_le_bytes());
                oracle.finalize_xof().read(&mut out);
                out
            })
            .collect();
        for count in 1..=KECCAK_STATES {
            let suffixes = &suffixes[..count];
            for level in Level::available() {
                level.run(SpongeBatchTest::<WORDS> { seed, suffixes, expected: &expected[..count] });
            }
        }
    }

    #[test]
    fn any_number_of_sponges_equals_the_sha3_crate() {
        let seed: Vec<u8> = (0..160).map(|i| (7 * i) as u8).collect();
        for len in [0, 32, 64, 120] {
            assert_equals_sha3::<sha3::Shake256, { RATE / 8 }>(&seed[..len]);
        }
        for len in [32, 152] {
            assert_equals_sha3::<sha3::Shake128, { RATE_128 / 8 }>(&seed[..len]);
        }
    }

    /// A test that hashes inputs alone, and in lanes next to other sponges.
    struct NeighbourLaneTest<'w>(&'w [Vec<u8>]);

    impl WithSimd for NeighbourLaneTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for input in self.0 {
                let mut expected = [0; 64];
                let mut oracle = sha3::Shake256::default();
                oracle.update(input);
                oracle.finalize_xof().read(&mut expected);

                let mut blocks = vec![0x55; padded_len(input.len())];
                blocks[..input.len()].copy_from_slice(input);
                pad(&mut blocks, input.len());
                let mut hash = [0; 64];
                PaddedInput { blocks: &blocks, hash: &mut hash }.hash(isa);
                assert_eq!(hash, expected, "{} bytes on {}", input.len(), S::NAME);

                let mut states = [[0x55; KECCAK_STATES]; 25];
                let mut lanes = Shake256Batch::start(isa, &mut states, &[7; 64], &[1, 2, 3]);
                lanes.permute();
                for lane in [0, 2, KECCAK_STATES - 1] {
                    lanes.clear(lane);
                    for block in blocks.chunks_exact(RATE) {
                        lanes.absorb(lane, block);
                        lanes.permute();
                    }
                    lanes.block_into(lane, &mut hash);
                    assert_eq!(hash, expected, "{} bytes in lane {lane} on {}", input.len(), S::NAME);
                }
            }
        }
    }

    /// Hashes inputs together, for each number of inputs up to the number of lanes.
    #[cfg(feature = "alloc")]
    #[test]
    fn batch_hashes_equal_the_sha3_crate() {
        struct HashTogetherTest(usize);
        impl WithSimd for HashTogetherTest {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                for count in 1..=KECCAK_STATES {
                    let mut blocks: Vec<Vec<u8>> =
                        (0..count).map(|i| (0..padded_len(self.0)).map(|j| (5 * i + 3 * j) as u8).collect()).collect();
                    let mut expected = vec![[0; 40]; count];
                    for (blocks, expected) in blocks.iter_mut().zip(&mut expected) {
                        let mut oracle = sha3::Shake256::default();
                        oracle.update(&blocks[..self.0]);
                        oracle.finalize_xof().read(expected);
                        pad(blocks, self.0);
                    }
                    let mut hashes = vec![[0; 40]; count];
                    let mut inputs: Vec<_> =
                        blocks.iter().zip(&mut hashes).map(|(blocks, hash)| PaddedInput { blocks, hash }).collect();
                    hash_together(isa, &mut [[0x55; KECCAK_STATES]; 25], &mut inputs);
                    drop(inputs);
                    assert_eq!(hashes, expected, "{count} inputs of {} bytes on {}", self.0, S::NAME);
                }
            }
        }
        for len in [0, 41, 135, 136, 144, 300] {
            Level::available().for_each(|level| level.run(HashTogetherTest(len)));
        }
    }

    #[test]
    fn hashes_with_seeds_equal_the_sha3_crate() {
        let inputs: Vec<Vec<u8>> =
            [0, 1, 134, 135, 136, 137, 271, 2592].map(|len| (0..len).map(|i| (3 * i + 1) as u8).collect()).into();
        Level::available().for_each(|level| level.run(NeighbourLaneTest(&inputs)));
    }
}
