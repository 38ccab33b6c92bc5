//! Samplers for a batch of at most eight signatures with the same key. The generators compute the
//! permutations together.
//!
//! A sampler in a batch works like the sampler for a single signature, and uses the same bytes. The
//! streams consume bytes at different speeds, because they reject different numbers of candidates.
//! Therefore, a ring buffer (the ring) keeps the newest [`RING`] blocks from all generators. When a
//! stream needs a block, it receives its next block from the ring. If a stream lags by more than
//! [`RING`] blocks, the ring no longer contains its next block. In this case, the stream's attempt
//! is dropped, and its signature is made separately. The order of these steps depends only on
//! candidate counts and ties, which are declassified.

use super::super::params::NONCE_LEN;
use super::stream::SamplerStream;
use super::{Leaf, SampleSource, Sampler};
use crate::engine::hash::shake::{KECCAK_STATES, KeccakStates, RATE, Shake256, keccak_f_many};
use crate::simd::{EightReals, EightRows, RowValue, Scratch, Simd, ct, frame};
use alloc::vec::Vec;

/// A block's length in words.
const WORDS: usize = RATE / 8;
/// The number of blocks that are kept for each generator. On average, a pair of samples uses 3.4
/// candidates with 11 bytes each; the standard deviation is 1.6 candidates. So after 1024 pairs,
/// the position in a stream has a standard deviation of 4 blocks. The mean distance between the
/// first and the last of eight streams is 12 blocks. The distance exceeds 16 blocks in about 1 of 7
/// batches, and 32 blocks in about 1 of 10^6 batches. A test in this file measures the distance.
const RING: usize = 32;
/// A block from each generator. Entry `i` contains word `i` from each block.
type GeneratorBlocks = [[u64; KECCAK_STATES]; WORDS];

/// The samplers in a batch.
pub struct SamplerBatch<'w, S: Simd> {
    isa: S,
    states: &'w mut KeccakStates,
    ring: &'w mut [GeneratorBlocks; RING],
    /// The number of blocks that each generator has made so far.
    blocks_made: usize,
    /// The number of blocks that were fed to each stream.
    blocks_fed: [usize; KECCAK_STATES],
    samplers: Vec<Sampler<S>>,
}

/// The work memory for the states and the ring, in words.
const WORK_WORDS: usize = (25 + WORDS * RING) * KECCAK_STATES;
/// The work memory for [`SamplerBatch`], in bytes.
pub const SAMPLERS_LEN: usize = 8 * WORK_WORDS;

impl<'w, S: Simd> SamplerBatch<'w, S> {
    /// Returns samplers for degree `2^logn`. Each sampler reads the SHAKE256 output for a seed
    /// followed by the byte 0, which is the attempt number. The samplers use [`SAMPLERS_LEN`] bytes
    /// from `work`. There must be at least one seed, and at most [`KECCAK_STATES`] seeds.
    pub fn new<const N: usize>(isa: S, logn: u32, seeds: &[[u8; N]], work: &mut Scratch<'w>) -> Self {
        let (rows, _) = work.take::<u64>(WORK_WORDS).as_chunks_mut();
        let (states, rows) = rows.split_first_chunk_mut().expect("`take` returns all words");
        let (ring, _) = rows.as_chunks_mut();
        let ring = ring.first_chunk_mut().expect("`take` returns all words");
        for lanes in &mut *states {
            *lanes = [0; KECCAK_STATES];
        }
        for (lane, seed) in seeds.iter().enumerate() {
            let mut sponge = Shake256::new(isa);
            sponge.absorb(seed);
            sponge.absorb(&[0]);
            sponge.join(states, lane);
        }
        let mut samplers = Vec::with_capacity(seeds.len());
        for _ in seeds {
            samplers.push(Sampler::from_stream(isa, logn, SamplerStream::without_generator()));
        }
        Self { isa, states, ring, blocks_made: 0, blocks_fed: [0; KECCAK_STATES], samplers }
    }

    /// Computes the next block for each generator.
    #[inline(never)]
    fn make_block(&mut self) {
        keccak_f_many(self.isa, self.states, self.samplers.len());
        self.ring[self.blocks_made % RING].copy_from_slice(&self.states[..WORDS]);
        self.blocks_made += 1;
    }

    /// Feeds the stream in `lane` until it has enough bytes for a pair.
    #[inline(always)]
    fn feed(&mut self, lane: usize) {
        while self.samplers[lane].stream.wants_block() {
            self.feed_block(lane);
        }
    }

    /// Feeds the stream in `lane` with its next block.
    #[inline(never)]
    fn feed_block(&mut self, lane: usize) {
        frame!(self.isa, {
            if self.blocks_fed[lane] == self.blocks_made {
                self.make_block();
            }
            let stream = &mut self.samplers[lane].stream;
            // If the ring has already overwritten this stream's next block, the entry contains a
            // later block. In this case, the stream lacks bytes, and its attempt is dropped.
            stream.lacks_bytes |= self.blocks_made - self.blocks_fed[lane] > RING;
            stream.feed(&self.ring[self.blocks_fed[lane] % RING], lane);
            self.blocks_fed[lane] += 1;
        });
    }

    /// Returns the nonce, which is the first output of the generator in `lane`. Call this function
    /// before the first sample.
    pub fn nonce(&mut self, lane: usize) -> [u8; NONCE_LEN] {
        self.feed(lane);
        self.samplers[lane].nonce()
    }

    /// Returns whether the sampler in `lane` drew as many samples as degree `2^logn` needs: see
    /// [`Sampler::is_complete`].
    pub fn is_complete(&self, lane: usize, logn: u32) -> bool {
        self.samplers[lane].is_complete(logn)
    }

    /// Draws two samples for each signature. All signatures use the same leaf.
    #[inline(never)]
    fn sample_pairs(
        &mut self,
        centre0: EightReals<S::Real>,
        centre1: EightReals<S::Real>,
        leaf: &Leaf<S>,
    ) -> (EightReals<S::Real>, EightReals<S::Real>) {
        frame!(self.isa, {
            let mut samples = (EightReals::ZERO, EightReals::ZERO);
            for lane in 0..self.samplers.len().min(KECCAK_STATES) {
                self.feed(lane);
                let sampler = &mut self.samplers[lane];
                (samples.0.0[lane], samples.1.0[lane]) = sampler.pair(centre0.0[lane], centre1.0[lane], leaf);
            }
            samples
        })
    }
}

impl<S: Simd> SampleSource<EightRows<S>> for SamplerBatch<'_, S> {
    type Leaf = Leaf<S>;

    #[inline(always)]
    fn leaves<const N: usize>(&self, inv_sigma: [S::Real; N]) -> [Leaf<S>; N] {
        self.samplers[0].leaves(inv_sigma)
    }
    #[inline(always)]
    fn pair(
        &mut self,
        centre0: EightReals<S::Real>,
        centre1: EightReals<S::Real>,
        leaf: &Leaf<S>,
    ) -> (EightReals<S::Real>, EightReals<S::Real>) {
        self.sample_pairs(centre0, centre1, leaf)
    }
}

impl<S: Simd> Drop for SamplerBatch<'_, S> {
    fn drop(&mut self) {
        ct::wipe(self.states.as_flattened_mut());
        ct::wipe(self.ring.as_flattened_mut().as_flattened_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::check::laws::{TestNumbers, on_every_level};
    use crate::simd::{Real, SCRATCH_ALIGN, WithSimd};

    /// The degree's binary logarithm. A signature needs `2^LOGN` pairs.
    const LOGN: u32 = 10;

    /// Returns a number in `[0, 1)`.
    fn unit(numbers: &mut TestNumbers) -> f64 {
        (numbers.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns the `1/sigma'` of a leaf with sigma' in `[1.5, 1.8)`, and a pair of centres for each
    /// lane.
    fn leaf_and_centres<S: Simd>(numbers: &mut TestNumbers) -> (S::Real, [EightReals<S::Real>; 2]) {
        let inv_sigma = S::Real::from_bits((1.0 / (1.5 + 0.3 * unit(numbers))).to_bits());
        let mut centres = [EightReals::ZERO; 2];
        for centre in centres.iter_mut().flat_map(|row| &mut row.0) {
            *centre = S::Real::from_bits((2000.0 * unit(numbers) - 1000.0).to_bits());
        }
        (inv_sigma, centres)
    }

    /// Returns a seed for each lane.
    fn seeds(numbers: &mut TestNumbers) -> [[u8; 32]; KECCAK_STATES] {
        core::array::from_fn(|_| core::array::from_fn(|_| numbers.next() as u8))
    }

    /// Returns how many blocks have been made but not yet fed to the slowest stream.
    fn lag<S: Simd>(samplers: &SamplerBatch<'_, S>) -> usize {
        samplers.blocks_made - samplers.blocks_fed.iter().min().unwrap()
    }

    /// Draws all pairs for a signature in each lane, and compares them with pairs from samplers
    /// for single signatures. Before each call, `make_early_blocks` can make blocks that no stream
    /// needs yet. Returns the largest lag.
    fn draw<S: Simd>(
        samplers: &mut SamplerBatch<'_, S>,
        seeds: &[[u8; 32]; KECCAK_STATES],
        numbers: &mut TestNumbers,
        make_early_blocks: impl Fn(&mut SamplerBatch<'_, S>),
    ) -> usize {
        let mut single_samplers: Vec<_> =
            seeds.iter().map(|seed| Sampler::new(samplers.isa, LOGN, &[seed, &[0]])).collect();
        for (lane, sampler) in single_samplers.iter_mut().enumerate() {
            assert_eq!(samplers.nonce(lane), sampler.nonce());
        }
        let mut largest = 0;
        for pair in 0..1 << LOGN {
            let (inv_sigma, [centre0, centre1]) = leaf_and_centres::<S>(numbers);
            let [leaf] = samplers.samplers[0].leaves([inv_sigma]);
            make_early_blocks(samplers);
            largest = largest.max(lag(samplers));
            let (z0, z1) = samplers.sample_pairs(centre0, centre1, &leaf);
            for (lane, sampler) in single_samplers.iter_mut().enumerate() {
                let samples = sampler.pair(centre0.0[lane], centre1.0[lane], &leaf);
                assert!(samples == (z0.0[lane], z1.0[lane]), "pair {pair}, lane {lane} on {}", S::NAME);
            }
            largest = largest.max(lag(samplers));
        }
        largest
    }

    /// A test that measures how many blocks the streams are apart.
    #[derive(Clone, Copy)]
    struct StreamLagTest;

    impl WithSimd for StreamLagTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            if isa.f32s().is_none() {
                return;
            }
            let mut numbers = TestNumbers::new(&[]);
            let mut largest = 0;
            for _ in 0..100 {
                let seeds = seeds(&mut numbers);
                let mut memory = vec![0; SAMPLERS_LEN + SCRATCH_ALIGN];
                let mut samplers = SamplerBatch::new(isa, LOGN, &seeds, &mut Scratch::new(&mut memory));
                largest = largest.max(draw(&mut samplers, &seeds, &mut numbers, |_| ()));
                assert!((0..KECCAK_STATES).all(|lane| samplers.is_complete(lane, LOGN)), "{}", S::NAME);
            }
            println!("{}: streams are up to {largest} blocks apart, and may be {RING}", S::NAME);
            assert!(largest <= RING * 3 / 4, "{largest} on {}", S::NAME);
        }
    }

    #[test]
    fn the_streams_of_a_batch_stay_within_the_ring() {
        on_every_level(StreamLagTest);
    }

    /// A test with the largest possible lag, [`RING`] blocks, and with a lag that is too large.
    #[derive(Clone, Copy)]
    struct RingLimitTest;

    impl WithSimd for RingLimitTest {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            if isa.f32s().is_none() {
                return;
            }
            let mut numbers = TestNumbers::new(&[]);
            let seeds = seeds(&mut numbers);
            let mut memory = vec![0; SAMPLERS_LEN + SCRATCH_ALIGN];
            let mut samplers = SamplerBatch::new(isa, LOGN, &seeds, &mut Scratch::new(&mut memory));
            // The next block for the slowest stream is in the oldest entry of the ring.
            let largest = draw(&mut samplers, &seeds, &mut numbers, |samplers| {
                while lag(samplers) < RING {
                    samplers.make_block();
                }
            });
            assert_eq!(largest, RING);
            assert!((0..KECCAK_STATES).all(|lane| samplers.is_complete(lane, LOGN)), "{}", S::NAME);
            drop(samplers);

            let mut samplers = SamplerBatch::new(isa, LOGN, &seeds, &mut Scratch::new(&mut memory));
            while samplers.blocks_made < RING + 1 {
                samplers.make_block();
            }
            // Lane 0 needs the first block, which is lost. The other lanes need the second block.
            samplers.blocks_fed[1..].fill(1);
            for lane in 0..KECCAK_STATES {
                samplers.feed(lane);
                assert_eq!(samplers.samplers[lane].stream.lacks_bytes, lane == 0, "{}", S::NAME);
                samplers.samplers[lane].pair_count = 1 << LOGN;
                assert_eq!(samplers.is_complete(lane, LOGN), lane != 0, "{}", S::NAME);
            }
        }
    }

    #[test]
    fn a_stream_may_lag_by_at_most_the_ring_length() {
        on_every_level(RingLimitTest);
    }
}
