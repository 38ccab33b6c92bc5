//! A verification's verdict as a number, so that callers detect checks that a fault skipped.

use crate::simd::ct;

/// A verification's verdict as a number, for callers that guard against faults (wrong computations
/// by the machine). The verdict is YES only if the number is [`Verified::YES`]. If a fault skips a
/// check, the number differs from [`Verified::YES`]. So a caller detects this fault if it compares
/// the number with [`Verified::YES`] before it uses the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified(u32);

impl Verified {
    /// The only number that means YES. It differs in at least 8 bits from 0, from its complement,
    /// and from both numbers in `CHECK_RESULTS`. If only a single check passes, the sum is the
    /// number for this check.
    pub const YES: u32 = Self::CHECK_RESULTS[0] + Self::CHECK_RESULTS[1];
    /// The results of the two checks if they pass. Their sum is [`Self::YES`]. If a check fails,
    /// its result is 0.
    pub(crate) const CHECK_RESULTS: [u32; 2] = [0x1b27_96c5, 0x2133_0efe];

    /// Adds the results of two checks for the same signature. In the lattice schemes, the first
    /// check is a comparison, and the second check is a computation without branches.
    #[inline(always)]
    pub(crate) fn from_checks(first: u32, second: u32) -> Self {
        Self(first.wrapping_add(ct::barrier_u32(second)))
    }

    /// Combines the verdicts for both halves of a composite signature. The combined verdict is YES
    /// only if both verdicts are YES. As in the lattice schemes, there are two checks: a
    /// comparison, and a computation without branches. So a single fault cannot change a NO to a
    /// YES.
    #[cfg(feature = "ed25519")]
    pub(crate) fn of_both(first: Self, second: Self) -> Self {
        let comparison = if first.is_yes() && second.is_yes() { Self::CHECK_RESULTS[0] } else { 0 };
        let differences = (ct::barrier_u32(first.0) ^ Self::YES) | (ct::barrier_u32(second.0) ^ Self::YES);
        Self::from_checks(comparison, Self::CHECK_RESULTS[1] & !ct::mask_nonzero(u64::from(differences)) as u32)
    }

    /// Returns the value, for a comparison with [`Verified::YES`].
    pub const fn value(self) -> u32 {
        self.0
    }

    /// Returns whether the value is [`Verified::YES`]. The compiler cannot reuse the result of an
    /// earlier call, so each call compares the value.
    pub fn is_yes(self) -> bool {
        ct::barrier_u32(self.0) == Self::YES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "ed25519")]
    #[test]
    fn a_yes_requires_both_halves() {
        let [a, b] = Verified::CHECK_RESULTS;
        let verdicts = [Verified::YES, 0, a, b, !Verified::YES, Verified::YES ^ 1, Verified::YES.wrapping_neg()];
        for (i, first) in verdicts.into_iter().enumerate() {
            for (j, second) in verdicts.into_iter().enumerate() {
                let combined = Verified::of_both(Verified(first), Verified(second));
                assert_eq!(combined.is_yes(), i == 0 && j == 0, "{first:x} {second:x}");
            }
        }
    }

    #[test]
    fn one_check_is_not_enough_for_a_yes() {
        let [a, b] = Verified::CHECK_RESULTS;
        for differences in [0, a, b, !Verified::YES] {
            assert!((differences ^ Verified::YES).count_ones() >= 8, "{differences:x}");
        }
    }
}
