//! Exit codes: a contract with scripts.

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything asked for succeeded.
    Ok = 0,
    /// The answer is NO.
    Negative = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A file is not what it should be.
    BadInput = 3,
    /// The system refused.
    Io = 4,
    /// A password is needed and there is none, or it is wrong.
    Locked = 5,
    /// The random number generator or a self-check failed, or the tool has a bug.
    Internal = 6,
    /// The reader of standard output went away.
    Pipe = 141,
}

impl Exit {
    /// The number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code of two results together: 1 beats 3 beats 4.
    pub fn and(self, other: Self) -> Self {
        let rank = |e| match e {
            Self::Ok => 0,
            Self::Io => 1,
            Self::Locked => 2,
            Self::BadInput => 3,
            Self::Negative => 4,
            Self::Usage => 5,
            Self::Pipe => 6,
            Self::Internal => 7,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_beats_three_beats_four() {
        use Exit::{BadInput, Io, Negative, Ok};
        for (a, b, both) in
            [(Ok, Io, Io), (Io, BadInput, BadInput), (BadInput, Negative, Negative), (Io, Negative, Negative)]
        {
            assert_eq!((a.and(b), b.and(a)), (both, both));
        }
    }
}
