//! Exit code 0 as the sum of the evidence of all files: [`Tally`] adds up each [`Evidence`], and [`Answer`] compares the sum with the
//! number of files. A skipped check is missing in the sum. `tests/ct/skips` skips every executed instruction, one after another.

use super::Exit;
use fndsa::no_alloc::Verified;
use fndsa::verdict::Evidence;

/// The sum of the evidence of several files.
#[derive(Debug, Default)]
pub struct Tally {
    count: usize,
    sum: u32,
}

impl Tally {
    /// Adds the evidence of a file. Evidence that does not hold changes the sum.
    pub fn add(&mut self, evidence: Evidence) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(evidence.value());
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

    fn tally(answers: &[Evidence]) -> Tally {
        let mut tally = Tally::default();
        answers.iter().for_each(|evidence| tally.add(*evidence));
        tally
    }

    fn yes() -> Evidence {
        Evidence::of_equal(&[], &[])
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
                assert_eq!(tally(&vec![yes(); count]).answer(asked).exit(), expected, "{count} of {asked}");
            }
        }
    }

    #[test]
    fn evidence_that_does_not_hold_changes_the_sum() {
        for wrong in [&[1_u8][..], &[0, 1], &[0xff]] {
            let evidence = Evidence::of_equal(wrong, &[0]);
            assert!(!evidence.holds());
            assert_eq!(tally(&[yes(), evidence]).answer(2).exit(), Exit::Internal, "{wrong:x?}");
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
