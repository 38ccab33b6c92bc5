//! The answer YES of a verification as a value.

use crate::simd::ct;

/// The answer YES as a value, for those who guard against faults of the machine: an answer that is no YES has another
/// value, so that a check that was skipped is seen by who compares with [`Verified::YES`] once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified(u32);

impl Verified {
    /// The only value that means YES. Far in bits from its complement, from 0, and from what is left of it when one of
    /// the two looks at a signature says NO.
    pub const YES: u32 = Self::LOOKS[0] + Self::LOOKS[1];
    /// The summand of each of the two looks; a look that says NO has another one.
    pub(crate) const LOOKS: [u32; 2] = [0x1b27_96c5, 0x2133_0efe];

    /// Returns the sum of two looks at one signature, which are computed in different ways.
    #[inline(always)]
    pub(crate) fn of_looks(first: u32, second: u32) -> Self {
        Self(first.wrapping_add(ct::barrier_u32(second)))
    }

    /// Returns the value, to be compared with [`Verified::YES`].
    pub const fn value(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_is_no_yes() {
        let [a, b] = Verified::LOOKS;
        for wrong in [0, a, b, !Verified::YES] {
            assert!((wrong ^ Verified::YES).count_ones() >= 8, "{wrong:x}");
        }
    }
}
