//! A 64-bit word for a Keccak state. The BMI instruction `andn` computes `!b & c`.

use crate::simd::lanes::one_lane_u64;
use crate::simd::{Sealed, U64s};

/// A word in a 64-bit register, with the BMI instruction `andn`.
#[derive(Clone, Copy, Debug)]
pub struct Bmi(());

impl Bmi {
    /// Returns the proof for BMI. The caller must have the proof for an instruction set that
    /// includes BMI.
    pub(super) const fn implied() -> Self {
        Self(())
    }
}

impl Sealed for Bmi {}

impl U64s for Bmi {
    const STORES_INVERTED_WORDS: bool = false;
    one_lane_u64!();
    #[inline(always)]
    fn chi_u64(self, a: u64, b: u64, c: u64, _: [bool; 4]) -> u64 {
        a ^ (!b & c)
    }
}
