//! The answer YES as evidence that is collected, and not as the absence of a NO.
//!
//! A machine that errs, by itself or because somebody makes it, may skip an instruction: a comparison, a jump, a call.
//! Where success is what remains when nothing was refused, one skipped instruction is success. So each YES is a value
//! that only its check makes ([`Yes`]), the values are added up ([`Tally`]), and exit code 0 is computed from the sum
//! and from the number of files that were asked for ([`Answer`]). What was skipped is missing in the sum.
//! `tests/ct/skips` skips every instruction that runs, one after another.

use super::Exit;
use fndsa::Verified;

/// The YES of one check, or what is left where a check was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Yes(u32);

impl Yes {
    /// Takes over the YES of a signature.
    pub const fn of(verified: Verified) -> Self {
        Self(verified.value())
    }

    /// Compares two checksums: the value is that of a YES if they are equal, and another one if not.
    pub fn of_equal(a: &[u8], b: &[u8]) -> Self {
        let differences = a.iter().zip(b).fold(u32::from(a.len() != b.len()), |all, (a, b)| all | u32::from(a ^ b));
        Self(Verified::YES ^ differences)
    }

    /// Joins the YES of several signatures of one file: the value is that of a YES if each is one, and if they are as many as
    /// are `required`, which is at least one.
    pub fn of_all(each: &[Self], required: usize) -> Self {
        let missing = required.max(1).saturating_sub(each.len()) as u32;
        let differences = each.iter().fold(missing, |all, yes| all | (yes.0 ^ Verified::YES));
        Self(Verified::YES ^ differences)
    }

    /// Returns whether this is a YES.
    pub fn holds(self) -> bool {
        std::hint::black_box(self.0) == Verified::YES
    }
}

/// The sum of the YES of several files.
#[derive(Debug, Default)]
pub struct Tally {
    count: usize,
    sum: u32,
}

impl Tally {
    /// Adds a YES. A value that is no YES spoils the sum.
    pub fn add(&mut self, yes: Yes) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(yes.0);
    }

    /// Returns the answer: done, if there are as many YES as were `asked` for, and at least one.
    pub fn answer(&self, asked: usize) -> Answer {
        if asked == 0 || self.count != asked {
            return Answer::NONE;
        }
        // Odd numbers of YES, and no other ones, have this sum: the value of a YES is odd.
        let due = (asked as u32).wrapping_mul(Verified::YES);
        Answer(self.sum.wrapping_sub(due).wrapping_add(Answer::DONE.0))
    }
}

/// What a command has to show for exit code 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Answer(u32);

impl Answer {
    /// The answer of a command that did what it was asked for.
    const DONE: Self = Self(0x96a5_5ac3);
    /// No answer.
    pub const NONE: Self = Self(0);

    /// Returns the exit code of a run in which nothing was refused.
    pub fn exit(self) -> Exit {
        if std::hint::black_box(self) == Self::DONE { Exit::Ok } else { Exit::Internal }
    }
}

impl Answer {
    /// Returns the answer for a command line that asks for help or for the version: done, if one of its words asks.
    pub fn of_help() -> Self {
        let asks = |word: &std::ffi::OsStr| {
            let text = word.as_encoded_bytes();
            let is_letter = |letters: &[u8]| letters.iter().any(|letter| b"hV".contains(letter));
            match text {
                b"help" | b"--help" | b"--version" | b"algorithms" => true,
                [b'-', letters @ ..] if !letters.starts_with(b"-") => is_letter(letters),
                _ => false,
            }
        };
        if std::env::args_os().skip(1).any(|word| asks(&word)) { Self::DONE } else { Self::NONE }
    }
}

/// The answer of commands that ask no question.
impl From<()> for Answer {
    fn from((): ()) -> Self {
        Self::DONE
    }
}

/// How a run ended: the exit code and, again, what exit code 0 is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The exit code.
    pub exit: Exit,
    /// The answer, which is looked at once more before the process ends with 0.
    pub answer: Answer,
}

impl Ending {
    /// Makes an ending without an answer.
    pub const fn without_answer(exit: Exit) -> Self {
        Self { exit, answer: Answer::NONE }
    }

    /// Returns the exit code of the process.
    pub fn code(self) -> u8 {
        if self.exit == Exit::Ok { self.answer.exit().code() } else { self.exit.code() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YES: Yes = Yes(Verified::YES);

    fn tally(answers: &[Yes]) -> Tally {
        let mut tally = Tally::default();
        answers.iter().for_each(|yes| tally.add(*yes));
        tally
    }

    #[test]
    fn a_loop_that_runs_zero_times_is_no_yes() {
        for asked in [0, 1, 2, 1 << 32] {
            assert_eq!(tally(&[]).answer(asked).exit(), Exit::Internal, "{asked}");
        }
    }

    #[test]
    fn as_many_as_were_asked_for() {
        for count in 1..5 {
            for asked in 0..6 {
                let expected = if asked == count { Exit::Ok } else { Exit::Internal };
                assert_eq!(tally(&vec![YES; count]).answer(asked).exit(), expected, "{count} of {asked}");
            }
        }
    }

    #[test]
    fn what_is_no_yes_spoils_the_sum() {
        for wrong in [0, 1, !Verified::YES, Verified::YES ^ 1, Verified::YES ^ 1 << 31] {
            assert!(!Yes(wrong).holds());
            assert_eq!(tally(&[YES, Yes(wrong)]).answer(2).exit(), Exit::Internal, "{wrong:x}");
        }
    }

    #[test]
    fn checksums_that_differ_are_no_yes() {
        assert!(Yes::of_equal(&[1, 2], &[1, 2]).holds());
        for other in [&[1, 3][..], &[0x81, 2], &[1], &[1, 2, 0]] {
            assert!(!Yes::of_equal(&[1, 2], other).holds(), "{other:?}");
        }
    }

    #[test]
    fn exit_code_0_needs_an_answer() {
        let code = |exit, answer| Ending { exit, answer }.code();
        assert_eq!(code(Exit::Ok, Answer::DONE), 0);
        assert_eq!(code(Exit::Ok, Answer::NONE), 6);
        assert_eq!(code(Exit::Ok, Answer(!Answer::DONE.0)), 6);
        assert_eq!(code(Exit::Negative, Answer::DONE), 1);
        assert_eq!(Ending::without_answer(Exit::Ok).code(), 6);
    }
}
