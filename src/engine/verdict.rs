//! The verdict YES of a verification, as a value.

use crate::simd::ct;

/// The verdict YES as a value, for callers that guard against faults. If the verdict is not YES,
/// then this value is different. A caller can therefore detect a skipped check if it compares the
/// value with [`Verified::YES`] again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified(u32);

impl Verified {
    /// The only value that means YES. It differs in many bits from its complement, from 0, and from
    /// the sums in which a check has failed.
    pub const YES: u32 = Self::LOOKS[0] + Self::LOOKS[1];
    /// The numbers that the two checks add if they pass. If a check fails, it adds a different
    /// number.
    pub(crate) const LOOKS: [u32; 2] = [0x1b27_96c5, 0x2133_0efe];

    /// Adds the results of two checks for the same signature. In the lattice schemes, the two
    /// checks use different computations.
    #[inline(always)]
    pub(crate) fn of_looks(first: u32, second: u32) -> Self {
        Self(first.wrapping_add(ct::barrier_u32(second)))
    }

    /// Returns the value, for a comparison with [`Verified::YES`].
    pub const fn value(self) -> u32 {
        self.0
    }

    /// Returns whether the value is [`Verified::YES`]. The comparison is computed in each call.
    pub fn is_yes(self) -> bool {
        ct::barrier_u32(self.0) == Self::YES
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
