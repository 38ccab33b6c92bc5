//! Evidence for the verdict YES: a number that only a complete and successful check computes.
//!
//! A faulty machine can skip an instruction, for example a comparison or a call, and an attacker
//! can cause such a fault. If a program reported success whenever no check had failed, a skipped
//! check would lead to success. Therefore, each check returns its [`Evidence`], and the program
//! computes exit code 0 from the sum of the numbers in all evidence. If a check is skipped, its
//! number is missing, and the sum is wrong.

use crate::api::Verified;
use core::hint::black_box;

/// The evidence from a check. If the check was completed and succeeded, the number is
/// [`Verified::YES`], and the evidence holds. Otherwise, the evidence contains a different number,
/// and does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Evidence(u32);

impl Evidence {
    /// Converts the library's result for a valid signature to evidence.
    pub const fn of(verified: Verified) -> Self {
        Self(verified.value())
    }

    /// Compares two byte strings, for example checksums. The result holds only if they are equal.
    pub fn of_equal(a: &[u8], b: &[u8]) -> Self {
        let differences =
            a.iter().zip(b).fold(u32::from(a.len() != b.len()), |combined, (a, b)| combined | u32::from(a ^ b));
        Self(Verified::YES ^ differences)
    }

    /// Combines the evidence from several checks. The result holds only if each value in `each`
    /// holds, and if there are at least `required` values. At least one value is always required.
    pub fn of_all(each: &[Self], required: usize) -> Self {
        let missing = required.max(1).saturating_sub(each.len()) as u32;
        let differences = each.iter().fold(missing, |combined, evidence| combined | (evidence.0 ^ Verified::YES));
        Self(Verified::YES ^ differences)
    }

    /// Returns whether the check was completed and succeeded.
    pub fn holds(self) -> bool {
        black_box(self.0) == Verified::YES
    }

    /// Returns the number in this evidence, which is [`Verified::YES`] if the evidence holds. The
    /// program adds these numbers for all files, and returns exit code 0 only if the sum is the
    /// number of files multiplied by [`Verified::YES`].
    pub const fn value(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_checksums_give_no_evidence() {
        assert!(Evidence::of_equal(&[1, 2], &[1, 2]).holds());
        for other in [&[1, 3][..], &[0x81, 2], &[1], &[1, 2, 0]] {
            assert!(!Evidence::of_equal(&[1, 2], other).holds(), "{other:?}");
        }
    }

    #[test]
    fn all_checks_must_pass() {
        let yes = Evidence(Verified::YES);
        assert!(Evidence::of_all(&[yes], 0).holds() && Evidence::of_all(&[yes, yes], 2).holds());
        assert!(!Evidence::of_all(&[], 0).holds() && !Evidence::of_all(&[yes], 2).holds());
        for wrong in [0, 1, !Verified::YES, Verified::YES ^ 1, Verified::YES ^ 1 << 31] {
            assert!(!Evidence(wrong).holds() && !Evidence::of_all(&[yes, Evidence(wrong)], 1).holds(), "{wrong:x}");
        }
    }
}
