//! Converts errors from the library and the command-line parser.

use super::Error;
use fndsa::error::{KeygenError, SignError};
use std::fmt;

impl Error {
    /// Converts an error from signing: [`SignError::Tables`] (a damaged table of constants) to
    /// `Tables`, and every other error to `Internal`.
    pub fn of_signing<R: fmt::Display>(e: SignError<R>) -> Self {
        let text = e.to_string();
        if matches!(e, SignError::Tables) { Self::Tables(text) } else { Self::Internal(text) }
    }

    /// Converts an error from key generation, as [`Self::of_signing`] converts an error from
    /// signing.
    pub fn of_keygen<R: fmt::Display>(e: KeygenError<R>) -> Self {
        let text = e.to_string();
        if matches!(e, KeygenError::Tables) { Self::Tables(text) } else { Self::Internal(text) }
    }

    /// Converts an error of clap. The message is the first paragraph of the text. The hint is
    /// clap's tip, if the text contains a tip.
    pub fn of_command_line(text: &str) -> Self {
        let mut paragraphs = text.split("\n\n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
        let first = paragraphs.next().unwrap_or_default();
        let tip = paragraphs.find_map(|p| p.strip_prefix("tip: ").map(str::to_owned));
        let message = first.strip_prefix("error: ").unwrap_or(&first).to_owned();
        Self::CommandLine { message, hint: tip.unwrap_or_else(|| "`--help` lists the options".to_owned()) }
    }
}
