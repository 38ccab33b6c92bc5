//! A parser for arguments with suggested values, which appear in help and shell completions.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// A parser and the values to suggest. The parser may accept other values, such as aliases and the
/// algorithms that need `--allow-weak`.
#[derive(Clone)]
pub struct SuggestingParser<P> {
    parser: P,
    values: fn() -> Vec<&'static str>,
}

/// Adds suggested values to a parser. The values are computed only if they are displayed.
pub fn offering<P: TypedValueParser>(values: fn() -> Vec<&'static str>, parser: P) -> SuggestingParser<P> {
    SuggestingParser { parser, values }
}

impl<P: TypedValueParser> TypedValueParser for SuggestingParser<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.values)().into_iter().map(PossibleValue::new)))
    }
}
