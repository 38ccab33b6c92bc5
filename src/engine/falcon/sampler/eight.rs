//! The faster generator: eight streams of SHAKE256 whose permutations are computed together.
//!
//! Stream `i` is SHAKE256 of the seed, the byte `i` and [`LABEL`], so no stream is one that [`Shake256`] gives for a
//! seed and a counter alone. The output is the first 8 bytes of each stream, then the second 8 bytes of each, and so
//! on, on every level.
//!
//! Everything here is secret.

use crate::engine::hash::shake::{MANY, RATE, Shake256, States, keccak_f_many};
use crate::simd::{Simd, ct};
use alloc::boxed::Box;

/// The label that sets the streams apart from other uses of the seed.
const LABEL: &[u8] = b"fndsa eight streams";

/// The eight sponges, squeezing.
pub struct Eight<S: Simd> {
    isa: S,
    /// Entry `i` has lane `i` of each state.
    states: Box<States>,
    /// The number of the next of [`MANY`] blocks; [`MANY`] when all were squeezed.
    block: usize,
}

impl<S: Simd> Eight<S> {
    /// Starts the streams from a sponge that absorbed the seed.
    pub fn new(isa: S, seed: &Shake256<S>) -> Self {
        let mut states = Box::new([[0; MANY]; 25]);
        for lane in 0..MANY {
            let mut sponge = seed.clone();
            sponge.absorb(&[lane as u8]);
            sponge.absorb(LABEL);
            sponge.join(&mut states, lane);
        }
        Self { isa, states, block: MANY }
    }

    /// Returns the next [`RATE`] bytes of the output as little-endian words.
    pub fn squeeze(&mut self) -> &[u64; RATE / 8] {
        if self.block == MANY {
            keccak_f_many(self.isa, &mut self.states, MANY);
            self.block = 0;
        }
        self.block += 1;
        &self.states.as_flattened().as_chunks().0[self.block - 1]
    }
}

impl<S: Simd> Drop for Eight<S> {
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
    fn the_bytes_are_those_of_eight_streams_on_every_level() {
        struct Run<'w>(&'w [u8]);
        impl WithSimd for Run<'_> {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                let mut seed = Shake256::new(isa);
                seed.absorb(b"seed");
                let mut eight = Eight::new(isa, &seed);
                for want in self.0.chunks_exact(RATE) {
                    let got = eight.squeeze().map(u64::to_le_bytes);
                    assert_eq!(got.as_flattened(), want, "{}", S::NAME);
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
        // Thousands of blocks: a defect that waits for one value of a byte is met ten times and more.
        let mut want = vec![0; 4096 * RATE];
        for (i, word) in want.chunks_exact_mut(8).enumerate() {
            readers[i % 8].read(word);
        }
        Level::available().for_each(|level| level.run(Run(&want)));
    }
}
