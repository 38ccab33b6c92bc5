//! The options `--context`, `--prehash` and `--mu`, which are the same for `sign` and `verify`.

use super::heading;
use crate::tool::io::InputSource;
use crate::tool::keys::loader::AllowWeak;
use crate::tool::message::form::{InputKind, MessageForm, NO_PREHASH};
use crate::tool::report::Error;
use clap::builder::PossibleValuesParser;
use fndsa::algorithm::{MAX_CONTEXT_LEN, PreHash};
use fndsa::files::hex::from_hex;
use std::ffi::OsString;
use std::path::PathBuf;

/// The context, the pre-hash and the kind of input. Signer and verifier must use the same values.
#[derive(clap::Args, Debug)]
pub struct MessageArgs {
    /// Purpose of the signature, at most 255 bytes
    ///
    /// Signer and verifier must give the same text.
    #[arg(short, long, value_name = "TEXT", group = "any_context", help_heading = heading::MESSAGE)]
    context: Option<OsString>,
    /// Read the context from hexadecimal digits
    #[arg(long, value_name = "HEX", group = "any_context", help_heading = heading::MESSAGE, hide_short_help = true)]
    context_hex: Option<String>,
    /// Read the context from this file, byte for byte
    #[arg(long, value_name = "FILE", group = "any_context", help_heading = heading::MESSAGE, hide_short_help = true)]
    context_file: Option<PathBuf>,
    /// Hash the message with this function first; signer and verifier must use the same function
    #[arg(long, value_name = "NAME", value_parser = prehash_parser(), help_heading = heading::MESSAGE,
        hide_short_help = true)]
    prehash: Option<String>,
    /// FILE contains a digest (see --prehash) instead of the message, raw or in hexadecimal
    #[arg(long, help_heading = heading::EXPERT, hide_short_help = true)]
    prehashed: bool,
    /// Read the external mu of ML-DSA or FN-DSA from FILE instead of the message: 64 bytes, raw or in hexadecimal
    #[arg(long, conflicts_with_all = ["any_context", "prehash", "prehashed"], help_heading = heading::EXPERT,
        hide_short_help = true)]
    mu: bool,
}

fn prehash_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once(NO_PREHASH).chain(PreHash::all().map(PreHash::name)))
}

impl MessageArgs {
    /// Returns the file with the context. Returns `None` if the context is not in a file.
    pub fn context_source(&self) -> Option<InputSource> {
        let path = self.context_file.as_deref()?;
        Some(InputSource::from_arg(path))
    }

    /// Converts the options to a [`MessageForm`].
    ///
    /// # Errors
    /// Fails if the context is too long, unreadable or not hexadecimal, or if `--prehashed` is
    /// given without `--prehash`.
    pub fn form(&self, weak: AllowWeak) -> Result<MessageForm, Error> {
        let prehash = match self.prehash.as_deref() {
            Some(name) => PreHash::all().find(|hash| hash.name() == name),
            None => None,
        };
        let input = match (prehash, self.prehashed) {
            _ if self.mu => InputKind::Mu,
            (None, true) => return Err(Error::NoPrehash),
            (None, false) => InputKind::Message,
            (Some(hash), true) => InputKind::Digest(hash),
            (Some(hash), false) => InputKind::ToHash(hash),
        };
        let context = if let Some(text) = &self.context {
            text.as_encoded_bytes().to_vec()
        } else if let Some(digits) = &self.context_hex {
            from_hex(digits.as_bytes()).map_err(Error::ContextHex)?
        } else if let Some(source) = self.context_source() {
            source.read_small()?.to_vec()
        } else {
            Vec::new()
        };
        if context.len() > MAX_CONTEXT_LEN {
            return Err(Error::ContextLen(context.len()));
        }
        Ok(MessageForm { input, context, weak })
    }

    /// Returns whether `--prehash` is given.
    pub fn names_prehash(&self) -> bool {
        self.prehash.is_some()
    }
}
