//! Arguments with a parser of their own, whose values the help and shells offer all the same.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// A parser, and the values that are offered. The parser may accept others: aliases, and what `--allow-weak` lets in.
#[derive(Clone)]
pub struct Offering<P> {
    parser: P,
    values: fn() -> Vec<&'static str>,
}

/// Offers values beside what `parser` reads. The values are made only where somebody is shown them.
pub fn offering<P: TypedValueParser>(values: fn() -> Vec<&'static str>, parser: P) -> Offering<P> {
    Offering { parser, values }
}

impl<P: TypedValueParser> TypedValueParser for Offering<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.values)().into_iter().map(PossibleValue::new)))
    }
}
