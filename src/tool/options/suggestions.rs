//! A parser for arguments with suggested values, which the help and the shell completions show.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// A parser with the values that it suggests. The parser may also accept values that it does not
/// suggest, for example aliases and the algorithms that need `--allow-weak`.
#[derive(Clone)]
pub struct SuggestingParser<P> {
    parser: P,
    suggested: fn() -> Vec<&'static str>,
}

/// Adds suggested values to a parser. The values are computed only for the help, for completions
/// and for error messages.
pub fn suggesting<P: TypedValueParser>(suggested: fn() -> Vec<&'static str>, parser: P) -> SuggestingParser<P> {
    SuggestingParser { parser, suggested }
}

impl<P: TypedValueParser> TypedValueParser for SuggestingParser<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.suggested)().into_iter().map(PossibleValue::new)))
    }
}
