//! A random generator that returns the same bytes in each run.

use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};

/// The generator xorshift64* (Vigna, 2016). Do not use this generator for real keys.
#[derive(Clone, Debug)]
pub struct RepeatableRng(u64);

impl RepeatableRng {
    /// Creates a generator from a start value, which must not be 0.
    pub const fn new(start: u64) -> Self {
        Self(start)
    }

    /// Fills `out` with random bytes.
    pub fn fill(&mut self, out: &mut [u8]) {
        let Ok(()) = self.try_fill_bytes(out);
    }
}

impl TryRng for RepeatableRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.try_next_u64()? >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        Ok(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for byte in out {
            *byte = (self.try_next_u64()? >> 56) as u8;
        }
        Ok(())
    }
}

impl TryCryptoRng for RepeatableRng {}
