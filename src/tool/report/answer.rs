//! Computes exit code 0 from numbers, so that a machine fault cannot turn a NO into a YES. Each
//! check returns an [`Evidence`]: a number that is [`Verified::YES`] only if the check was
//! completed and succeeded. [`EvidenceSum`] adds these numbers for all files, and computes a
//! [`SuccessToken`] from the sum and the number of files. If a machine fault skips a check, the sum
//! is not the expected sum, and the token does not allow exit code 0. The test `tests/ct/skips`
//! skips each executed instruction in turn.

use super::Exit;
use fndsa::no_alloc::Verified;
use fndsa::verdict::Evidence;

/// The sum of the evidence for several files.
#[derive(Debug, Default)]
pub struct EvidenceSum {
    count: usize,
    sum: u32,
}

impl EvidenceSum {
    /// Adds the evidence for a file. If `evidence` does not have the value of a YES, the sum does
    /// not match the number of files, so [`Self::answer`] returns a token that does not allow exit
    /// code 0.
    pub fn add(&mut self, evidence: Evidence) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(evidence.value());
    }

    /// Returns a token. It allows exit code 0 only if the evidence for a YES was added exactly
    /// `file_count` times, and if `file_count` is not 0.
    pub fn answer(&self, file_count: usize) -> SuccessToken {
        if file_count == 0 || self.count != file_count {
            return SuccessToken::NONE;
        }
        // The value of a YES is odd, so different numbers of YES values have different sums modulo
        // 2^32.
        let due = (file_count as u32).wrapping_mul(Verified::YES);
        SuccessToken(self.sum.wrapping_sub(due).wrapping_add(SuccessToken::DONE.0))
    }
}

/// A value that allows or forbids exit code 0 at the end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct SuccessToken(u32);

impl SuccessToken {
    /// The token of a successful command.
    const DONE: Self = Self(0x96a5_5ac3);
    /// The token of a command without success.
    pub const NONE: Self = Self(0);

    /// Returns the exit code for a command that reports no rejection and no error. This is 0 only
    /// with the token of a successful command.
    pub fn exit(self) -> Exit {
        if std::hint::black_box(self) == Self::DONE { Exit::Ok } else { Exit::Internal }
    }
}

impl SuccessToken {
    /// Returns the token of a successful command if an argument requests the help or the version,
    /// and otherwise [`Self::NONE`].
    pub fn of_help() -> Self {
        for word in std::env::args_os().skip(1) {
            let asks = match word.as_encoded_bytes() {
                b"help" | b"--help" | b"--version" | b"algorithms" => true,
                [b'-', b'-', ..] => false,
                [b'-', letters @ ..] => letters.iter().any(|letter| b"hV".contains(letter)),
                _ => false,
            };
            if asks {
                return Self::DONE;
            }
        }
        Self::NONE
    }
}

/// Creates the token for a command without a verdict, for example `keygen`.
impl From<()> for SuccessToken {
    fn from((): ()) -> Self {
        Self::DONE
    }
}

/// The result of a command: the exit code, and the token that exit code 0 requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandOutcome {
    /// The exit code.
    pub exit: Exit,
    /// The token, which is checked again before the process ends with exit code 0.
    pub answer: SuccessToken,
}

impl CommandOutcome {
    /// Creates an outcome with a token that does not allow exit code 0.
    pub const fn without_answer(exit: Exit) -> Self {
        Self { exit, answer: SuccessToken::NONE }
    }

    /// Returns the process's exit code.
    pub fn code(self) -> u8 {
        if self.exit == Exit::Ok { self.answer.exit().code() } else { self.exit.code() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(evidence_values: &[Evidence]) -> EvidenceSum {
        let mut tally = EvidenceSum::default();
        evidence_values.iter().for_each(|evidence| tally.add(*evidence));
        tally
    }

    fn yes() -> Evidence {
        Evidence::of_equal(&[], &[])
    }

    #[test]
    fn a_loop_without_iterations_is_not_a_yes() {
        for file_count in [0, 1, 2, 1 << 32] {
            assert_eq!(tally(&[]).answer(file_count).exit(), Exit::Internal, "{file_count}");
        }
    }

    #[test]
    fn a_yes_requires_all_requested_checks() {
        for count in 1..5 {
            for file_count in 0..6 {
                let expected = if file_count == count { Exit::Ok } else { Exit::Internal };
                assert_eq!(tally(&vec![yes(); count]).answer(file_count).exit(), expected, "{count} of {file_count}");
            }
        }
    }

    #[test]
    fn wrong_evidence_changes_the_sum() {
        for bytes in [&[1_u8][..], &[0, 1], &[0xff]] {
            let evidence = Evidence::of_equal(bytes, &[0]);
            assert!(!evidence.holds());
            assert_eq!(tally(&[yes(), evidence]).answer(2).exit(), Exit::Internal, "{bytes:x?}");
        }
    }

    #[test]
    fn exit_code_0_requires_an_answer() {
        let code = |exit, answer| CommandOutcome { exit, answer }.code();
        assert_eq!(code(Exit::Ok, SuccessToken::DONE), 0);
        assert_eq!(code(Exit::Ok, SuccessToken::NONE), 6);
        assert_eq!(code(Exit::Ok, SuccessToken(!SuccessToken::DONE.0)), 6);
        assert_eq!(code(Exit::Negative, SuccessToken::DONE), 1);
        assert_eq!(CommandOutcome::without_answer(Exit::Ok).code(), 6);
    }
}
