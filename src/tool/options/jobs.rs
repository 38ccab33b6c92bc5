//! The value of `--jobs`.

use super::number::number;
use super::suggestions::suggesting;
use clap::builder::TypedValueParser;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// The maximum number for `--jobs`. A larger number is probably a mistake.
const MAX_JOBS: u32 = 1024;

/// Returns the number of cores that this process may use, or 1 if the number is unknown.
fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The value of `--jobs`: a number, or `all` cores.
#[derive(Clone, Copy, Debug)]
pub struct JobCount(Option<NonZeroUsize>);

impl FromStr for JobCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "all" {
            return Ok(Self(None));
        }
        match number(1..=MAX_JOBS)(text) {
            Ok(jobs) => Ok(Self(NonZeroUsize::new(jobs as usize))),
            Err(description) => Err(format!("{description}, or all")),
        }
    }
}

/// Returns the parser for `--jobs`, with `all` as the suggested value.
pub fn jobs_parser() -> impl TypedValueParser<Value = JobCount> {
    suggesting(|| vec!["all"], |text: &str| text.parse::<JobCount>())
}

impl JobCount {
    /// A thread for each core.
    pub const ALL: Self = Self(None);

    /// Returns the number of threads for `count` items: at most one thread for each item.
    pub fn threads(self, count: usize) -> NonZeroUsize {
        match NonZeroUsize::new(count) {
            // The number of cores is not needed for a single item, and the standard library may
            // read files to determine this number.
            None | Some(NonZeroUsize::MIN) => NonZeroUsize::MIN,
            Some(count) => self.0.unwrap_or_else(cores).min(count),
        }
    }
}
