//! The macro `errors!`, which makes the enum of errors from the rows of the catalogue, and the values of a row.

use super::{Error, Exit, Hint};
use std::io;

/// The values of a row of the catalogue that are not text.
pub struct ErrorRow {
    /// The exit code.
    pub exit: Exit,
    /// The code for scripts that read `--json`.
    pub reason: &'static str,
    /// The most likely next step.
    pub hint: Hint,
}

/// Defines the errors. A row is `Variant(field: Type) => EXIT, REASON; MESSAGE; HINT;` and a message is a format string with
/// its arguments. The four parts can use the fields, which are references there, and a value that `where` defines
/// after the fields.
macro_rules! errors {
    ($(
        $variant:ident $(($($item:ident: $item_type:ty),+))? $({ $($field:ident: $field_type:ty),+ })?
        $(where $defect:ident = $value:expr)?
        => $exit:expr, $reason:expr; $text:literal $(, $argument:expr)*; $hint:expr;
    )+) => {
        /// An error of a command. Paths are escaped when shown, and no content of a key is ever shown.
        #[derive(Debug)]
        pub enum Error {
            $($variant $(($($item_type),+))? $({ $($field: $field_type),+ })?,)+
        }

        impl std::fmt::Display for Error {
            #[allow(unused_variables)]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => {
                        $(let $defect = $value;)?
                        write!(f, $text $(, $argument)*)
                    })+
                }
            }
        }

        impl Error {
            /// Returns exit code, reason code and hint.
            #[allow(unused_variables)]
            pub(super) fn row(&self) -> ErrorRow {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => {
                        $(let $defect = $value;)?
                        ErrorRow { exit: $exit, reason: $reason, hint: Hint::from($hint) }
                    })+
                }
            }
        }
    };
}
pub(super) use errors;

impl Error {
    /// Makes the error of a failed system call on a file.
    pub fn io(from: impl ToString, source: impl Into<io::Error>) -> Self {
        Self::Io { from: from.to_string(), source: source.into() }
    }

    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        self.row().exit
    }

    /// Returns the code for scripts that read `--json`.
    pub fn reason(&self) -> &'static str {
        self.row().reason
    }

    /// Returns what to do, if there is something to do.
    pub fn hint(&self) -> Hint {
        self.row().hint
    }

    /// Returns the text for a line that begins with the name of `file` already.
    pub fn about(&self, file: impl ToString) -> String {
        let text = self.to_string();
        text.strip_prefix(&format!("{}: ", file.to_string())).map(str::to_owned).unwrap_or(text)
    }
}
