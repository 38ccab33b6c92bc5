//! A YES as a value that only a completed check produces.
//!
//! A faulty machine, or an attacker who makes it faulty, can skip an instruction: a comparison, a jump or a call. If success were the
//! absence of a rejection, one skipped instruction would be a success. Therefore each check returns its [`Evidence`], and the program
//! computes exit code 0 from the sum of these values. A skipped check is missing in the sum.

use crate::api::Verified;
use core::hint::black_box;

/// The evidence of one check: the number of a YES, or another number if a part of the check was skipped or failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Evidence(u32);

impl Evidence {
    /// Converts the YES of a signature.
    pub const fn of(verified: Verified) -> Self {
        Self(verified.value())
    }

    /// Compares two checksums. The evidence holds if they are equal.
    pub fn of_equal(a: &[u8], b: &[u8]) -> Self {
        let differences = a.iter().zip(b).fold(u32::from(a.len() != b.len()), |all, (a, b)| all | u32::from(a ^ b));
        Self(Verified::YES ^ differences)
    }

    /// Joins the evidence of several checks. The result holds if each of them holds and if there are at least `required`, or one if
    /// `required` is 0.
    pub fn of_all(each: &[Self], required: usize) -> Self {
        let missing = required.max(1).saturating_sub(each.len()) as u32;
        let differences = each.iter().fold(missing, |all, evidence| all | (evidence.0 ^ Verified::YES));
        Self(Verified::YES ^ differences)
    }

    /// Returns whether this is a YES.
    pub fn holds(self) -> bool {
        black_box(self.0) == Verified::YES
    }

    /// Returns the number, for a sum. The number of a YES is [`Verified::YES`].
    pub const fn value(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_checksums_are_no_evidence() {
        assert!(Evidence::of_equal(&[1, 2], &[1, 2]).holds());
        for other in [&[1, 3][..], &[0x81, 2], &[1], &[1, 2, 0]] {
            assert!(!Evidence::of_equal(&[1, 2], other).holds(), "{other:?}");
        }
    }

    #[test]
    fn all_checks_have_to_hold() {
        let yes = Evidence(Verified::YES);
        assert!(Evidence::of_all(&[yes], 0).holds() && Evidence::of_all(&[yes, yes], 2).holds());
        assert!(!Evidence::of_all(&[], 0).holds() && !Evidence::of_all(&[yes], 2).holds());
        for wrong in [0, 1, !Verified::YES, Verified::YES ^ 1, Verified::YES ^ 1 << 31] {
            assert!(!Evidence(wrong).holds() && !Evidence::of_all(&[yes, Evidence(wrong)], 1).holds(), "{wrong:x}");
        }
    }
}
