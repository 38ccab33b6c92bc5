//! The values of an error in the catalogue: exit code, its reason code and its hint.

use super::{Error, Exit, Hint};
use std::io;

impl Error {
    /// Makes the error of a failed system call on a file.
    pub fn io(from: impl ToString, source: impl Into<io::Error>) -> Self {
        Self::Io { from: from.to_string(), source: source.into() }
    }

    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        self.row().0
    }

    /// Returns the code for scripts that read `--json`.
    pub fn reason(&self) -> &'static str {
        self.row().1
    }

    /// Returns what to do, where there is something to do.
    pub fn hint(&self) -> Option<Hint> {
        self.row().2
    }

    /// Returns the text for a line that begins with the name of `file` already.
    pub fn about(&self, file: impl ToString) -> String {
        let text = self.to_string();
        text.strip_prefix(&format!("{}: ", file.to_string())).map(str::to_owned).unwrap_or(text)
    }
}
