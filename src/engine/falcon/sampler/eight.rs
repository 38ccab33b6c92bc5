//! A generator that makes random bytes from eight SHAKE256 streams. It computes the eight
//! permutations together, which is faster than a single stream.
//!
//! Stream `i` is the SHAKE256 output for the seed, the byte `i` and [`LABEL`]. Because of the
//! label, no stream is equal to the [`Shake256`] output for a seed and a counter. The generator
//! returns the first 8 bytes from each stream, then the second 8 bytes from each stream, and so on,
//! on every level (instruction set).
//!
//! All values in this file are secret.

use crate::engine::hash::shake::{KECCAK_STATES, KeccakStates, RATE, Shake256, keccak_f_many};
use crate::simd::{Simd, ct};
use alloc::boxed::Box;

/// A label that separates the streams from other uses of the seed.
const LABEL: &[u8] = b"fndsa eight streams";

/// The eight sponges, after the input was absorbed.
pub struct EightStreams<S: Simd> {
    isa: S,
    /// Entry `i` contains word `i` from each state.
    states: Box<KeccakStates>,
    /// The index of the next block, or [`KECCAK_STATES`] if all [`KECCAK_STATES`] blocks were
    /// squeezed.
    block: usize,
}

impl<S: Simd> EightStreams<S> {
    /// Starts the streams from a sponge that has absorbed the seed.
    pub fn new(isa: S, seed: &Shake256<S>) -> Self {
        let mut states = Box::new([[0; KECCAK_STATES]; 25]);
        for lane in 0..KECCAK_STATES {
            let mut sponge = seed.clone();
            sponge.absorb(&[lane as u8]);
            sponge.absorb(LABEL);
            sponge.join(&mut states, lane);
        }
        Self { isa, states, block: KECCAK_STATES }
    }

    /// Returns the generator's next [`RATE`] bytes as little-endian words.
    pub fn squeeze(&mut self) -> &[u64; RATE / 8] {
        if self.block == KECCAK_STATES {
            keccak_f_many(self.isa, &mut self.states, KECCAK_STATES);
            self.block = 0;
        }
        self.block += 1;
        &self.states.as_flattened().as_chunks().0[self.block - 1]
    }
}

impl<S: Simd> Drop for EightStreams<S> {
    fn drop(&mut self) {
        ct::wipe(self.states.as_flattened_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, WithSimd};
    use sha3::{
        Shake256 as Oracle,
        digest::{ExtendableOutput, Update, XofReader},
    };

    #[test]
    fn the_bytes_equal_those_of_eight_streams_on_every_level() {
        struct EightStreamsTest<'w>(&'w [u8]);
        impl WithSimd for EightStreamsTest<'_> {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                let mut seed = Shake256::new(isa);
                seed.absorb(b"seed");
                let mut eight = EightStreams::new(isa, &seed);
                for expected in self.0.chunks_exact(RATE) {
                    let block = eight.squeeze().map(u64::to_le_bytes);
                    assert_eq!(block.as_flattened(), expected, "{}", S::NAME);
                }
            }
        }
        let mut readers: Vec<_> = (0..8)
            .map(|lane| {
                let mut oracle = Oracle::default();
                [b"seed".as_slice(), &[lane], LABEL].iter().for_each(|part| oracle.update(part));
                oracle.finalize_xof()
            })
            .collect();
        // Compare thousands of blocks: if a defect depends on a single byte value, it occurs at
        // least ten times.
        let mut expected = vec![0; 4096 * RATE];
        for (i, word) in expected.chunks_exact_mut(8).enumerate() {
            readers[i % 8].read(word);
        }
        Level::available().for_each(|level| level.run(EightStreamsTest(&expected)));
    }
}
