//! Random operands for comparisons, the same in every run: often the edges of a range, or numbers with few bits.

use crate::repeatable::Repeatable;
use rand_core::TryRng;

/// The sign of a binary64.
pub const SIGN: u64 = 1 << 63;
/// The fraction of a binary64.
const FRACTION: u64 = (1 << 52) - 1;

/// The operands of an image.
#[derive(Clone, Debug)]
pub struct Operands(Repeatable);

impl Operands {
    /// The same in every image.
    pub const START: Self = Self(Repeatable::new(0x1234_5678_9abc_def1));

    /// Returns a word, any one as likely as another.
    pub fn word(&mut self) -> u64 {
        let Ok(word) = self.0.try_next_u64();
        word
    }

    /// Returns the bits of a binary64 from `2^-spread` on and below `2^(spread + 1)`, often one with few bits, so that ties and
    /// cancellations happen.
    pub fn binary64(&mut self, spread: u64) -> u64 {
        let word = self.word();
        let clear = self.word() % 53;
        let exponent = 1023 - spread + self.word() % (2 * spread + 1);
        (word & SIGN) | exponent << 52 | ((word & FRACTION) >> clear << clear)
    }

    /// Returns a number between `-bound` and `bound`: one of four is an edge, or beside one, or beside zero.
    pub fn number(&mut self, bound: i32) -> i32 {
        let word = self.word();
        let beside = (word >> 40) as i32 % 2;
        match word >> 61 {
            0 => bound - beside,
            1 if word >> 60 & 1 == 0 => beside - bound,
            1 => beside - 1,
            _ => ((word & 0xffff_ffff) % (2 * bound as u64 + 1)) as i32 - bound,
        }
    }
}
