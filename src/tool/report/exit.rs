//! Exit codes, which scripts depend on.

use fndsa::files::WriteError;

/// The program's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Ok = 0,
    /// The verdict is NO.
    Negative = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A file has wrong contents.
    BadInput = 3,
    /// A system call failed.
    Io = 4,
    /// The private key is encrypted, and the password is missing or wrong.
    Locked = 5,
    /// The random number generator or a self-check failed, or the tool has a bug.
    Internal = 6,
    /// The program that reads standard output has closed the pipe.
    Pipe = 141,
}

/// All exit codes, with a short name and a description. The help and the manual pages are generated
/// from this table.
pub const TABLE: [(u8, &str, &str); 10] = [
    (0, "yes", "Success. For verify: every file is OK, and there is at least one file."),
    (
        1,
        "no",
        "The answer is no: the signature is not valid, no key matches, two key files are not a key pair, the lists or vectors \
         differ, or a benchmark is slower than its baseline. This code has priority over errors in other files.",
    ),
    (2, "usage", "The command line is wrong. fndsa did not start."),
    (
        3,
        "bad input",
        "A file has the wrong content: it is not a key or a signature, it is damaged, or two files are swapped.",
    ),
    (
        4,
        "input or output",
        "A file is missing, not readable, or exists already, the disk is full, or a file changed while fndsa read it.",
    ),
    (5, "locked", "The private key needs a password, and the password is missing or wrong."),
    (6, "internal", "The system has no random numbers, a self-check failed, or fndsa has a bug."),
    (130, "interrupted", "SIGINT ended fndsa, and no partial file is left. On Windows, Ctrl-C gives 0xC000013A."),
    (141, "closed pipe", "The reader of standard output ended first; verify keeps its verdict."),
    (143, "terminated", "SIGTERM ended fndsa, and no partial file is left. Windows does not have this code."),
];

/// Returns a sentence with the exit codes, for `--help`.
pub fn summary() -> String {
    let codes: Vec<_> =
        TABLE.iter().filter(|row| row.0 < 128).map(|(code, word, _)| format!("{code} {word}")).collect();
    format!("Exit codes: {}.", codes.join(", "))
}

impl Exit {
    /// Returns the exit code if a key or signature cannot be encoded. If the key or the signature
    /// itself is wrong, there is a bug in fndsa. In all other cases, the options are wrong.
    pub fn of_writing(e: &WriteError) -> Self {
        match e {
            WriteError::Bytes { .. } | WriteError::OtherExpanded | WriteError::Unreadable { .. } => Self::Internal,
            _ => Self::Usage,
        }
    }

    /// Returns the exit code as a number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the exit code with the higher priority. For example, code 1 has priority over code
    /// 3, and code 3 over code 4.
    pub fn and(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }

    /// Returns the priority in [`Self::and`].
    const fn rank(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Io => 1,
            Self::Locked => 2,
            Self::BadInput => 3,
            Self::Negative => 4,
            Self::Usage => 5,
            Self::Pipe => 6,
            Self::Internal => 7,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exit_code_has_a_row() {
        use Exit::{BadInput, Internal, Io, Locked, Negative, Ok, Pipe, Usage};
        for exit in [Ok, Negative, Usage, BadInput, Io, Locked, Internal, Pipe] {
            assert_eq!(TABLE.iter().filter(|row| row.0 == exit.code()).count(), 1, "{exit:?}");
        }
        assert!(TABLE.is_sorted_by_key(|row| row.0));
        assert!(summary().starts_with("Exit codes: 0 yes, 1 no, 2 usage, 3 bad input, 4 input or output, 5 locked, "));
    }

    #[test]
    fn exit_code_1_precedes_3_and_3_precedes_4() {
        use Exit::{BadInput, Io, Negative, Ok};
        for (a, b, both) in
            [(Ok, Io, Io), (Io, BadInput, BadInput), (BadInput, Negative, Negative), (Io, Negative, Negative)]
        {
            assert_eq!((a.and(b), b.and(a)), (both, both));
        }
    }
}
