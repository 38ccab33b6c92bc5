//! Reads a sponge's output a few bytes at a time.

use super::Shake;
use crate::simd::{Simd, recast};

impl<S: Simd, const WORDS: usize> Shake<S, WORDS> {
    /// Returns the next `N` output bytes.
    #[inline(always)]
    pub fn next_bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let at = self.sponge.at;
        // In most cases, the bytes are in the state, together and in order.
        let in_state = recast(&mut self.sponge.state).get(at..).and_then(|rest: &[u8]| rest.first_chunk());
        match in_state {
            Some(in_state) if cfg!(target_endian = "little") && at + N <= Self::RATE => {
                bytes = *in_state;
                self.sponge.at += N;
            }
            _ => self.squeeze(&mut bytes),
        }
        bytes
    }

    /// Returns the state as bytes. The bytes begin with the current block.
    #[inline(always)]
    pub fn state_bytes(&mut self) -> &[u8] {
        recast(&mut self.sponge.state)
    }

    /// Returns the block that was computed by [`Shake::permute_part`] or [`Shake::permute_with`]. A
    /// word contains eight output bytes in little-endian order.
    #[inline(always)]
    pub fn block(&self) -> &[u64; WORDS] {
        &self.sponge.state.as_chunks().0[0]
    }
}
