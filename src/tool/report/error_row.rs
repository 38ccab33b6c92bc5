//! The macro `errors!`, which generates the enum `Error` from the table in `error.rs`.

use super::{Error, Exit, Hint};
use std::io;

/// The values in a row of the error table, except the message.
pub struct ErrorRow {
    /// The exit code that the program returns for the error.
    pub exit: Exit,
    /// The reason code for scripts that read the JSON document.
    pub reason: &'static str,
    /// The most likely next step.
    pub hint: Hint,
}

/// Defines the errors. A row is `Variant(field: Type) => EXIT, REASON; MESSAGE; HINT;`, where the
/// message is a format string with its arguments. The four parts after `=>` can use the fields (as
/// references), and a value that `where` defines before `=>`.
macro_rules! errors {
    ($(
        $variant:ident $(($($item:ident: $item_type:ty),+))? $({ $($field:ident: $field_type:ty),+ })?
        $(where $defect:ident = $value:expr)?
        => $exit:expr, $reason:expr; $text:literal $(, $argument:expr)*; $hint:expr;
    )+) => {
        /// An error that ends a command or belongs to a file. Paths are escaped, and the text never
        /// contains a key.
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
    /// Creates the error for a failed system call on a file.
    pub fn io(from: impl ToString, source: impl Into<io::Error>) -> Self {
        Self::Io { from: from.to_string(), source: source.into() }
    }

    /// Returns this error with `hint` instead of the hint in the error table.
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self::Hinted { error: Box::new(self), hint: hint.into() }
    }

    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        self.row().exit
    }

    /// Returns the reason code for scripts that read the JSON document.
    pub fn reason(&self) -> &'static str {
        self.row().reason
    }

    /// Returns the most likely next step, if there is one.
    pub fn hint(&self) -> Hint {
        self.row().hint
    }

    /// Returns the message for an output line that already starts with the name of `file`. If the
    /// message also starts with this name, the name is removed.
    pub fn about(&self, file: impl ToString) -> String {
        let text = self.to_string();
        text.strip_prefix(&format!("{}: ", file.to_string())).map(str::to_owned).unwrap_or(text)
    }
}
