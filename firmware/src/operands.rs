//! Random operands for comparisons. Each run generates the same operands. Many operands are at the
//! edges of a range, or have few significant bits.

use crate::repeatable::RepeatableRng;
use rand_core::TryRng;

/// The sign bit of a binary64.
pub const SIGN: u64 = 1 << 63;
/// The fraction bits of a binary64.
const FRACTION: u64 = (1 << 52) - 1;

/// A generator for the operands in an image.
#[derive(Clone, Debug)]
pub struct OperandGenerator(RepeatableRng);

impl OperandGenerator {
    /// The generator's start, which is the same for all images.
    pub const START: Self = Self(RepeatableRng::new(0x1234_5678_9abc_def1));

    /// Returns a random word with a uniform distribution.
    pub fn word(&mut self) -> u64 {
        let Ok(word) = self.0.try_next_u64();
        word
    }

    /// Returns the bits of a binary64 with a magnitude in `[2^-spread, 2^(spread + 1))`. Many
    /// fractions have few significant bits, because ties and cancellations are rare otherwise.
    pub fn binary64(&mut self, spread: u64) -> u64 {
        let word = self.word();
        let zero_bits = self.word() % 53;
        let exponent = 1023 - spread + self.word() % (2 * spread + 1);
        (word & SIGN) | exponent << 52 | ((word & FRACTION) >> zero_bits << zero_bits)
    }

    /// Returns a number between `-bound` and `bound`. A quarter of the numbers are special values:
    /// `-bound`, `-bound + 1`, -1, 0, `bound - 1` or `bound`.
    pub fn number(&mut self, bound: i32) -> i32 {
        let word = self.word();
        let distance = (word >> 40) as i32 % 2;
        match word >> 61 {
            0 => bound - distance,
            1 if word >> 60 & 1 == 0 => distance - bound,
            1 => distance - 1,
            _ => ((word & 0xffff_ffff) % (2 * bound as u64 + 1)) as i32 - bound,
        }
    }
}
