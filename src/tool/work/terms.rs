//! What a verifier has written beside a trusted key: its name, how long it counts, whether it is revoked, what it is for.
//!
//! ```text
//! name: release 2026
//! not-after: 2027-12-31
//! revoked: 2026-11-02, the laptop was stolen
//! context: ci
//! -----BEGIN FN-DSA PUBLIC KEY-----
//! ```
//!
//! The lines stand in the text before the block. Other text says nothing, but a line that is nearly one of these is an error:
//! a `Revoked :` that is passed over would let the key count. A line that begins with `#` is a comment.

use super::clock::Clock;
use super::message::MessageForm;
use super::noted::context_text;
use super::term::{self, TermLine};
use crate::tool::report::Error;
use crate::tool::report::escape::is_visible;
use fndsa::files::Date;
use fndsa::files::hex::from_hex;
use fndsa::{MAX_CONTEXT_LEN, PreHash};
use std::fmt;

/// Characters of a name, and of the reason of a revocation.
const MAX_TEXT: usize = 200;

/// What stands beside one key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyTerms {
    /// What people call the key.
    pub name: Option<String>,
    /// The last day on which signatures of the key count.
    pub not_after: Option<Date>,
    /// Why the key counts no more.
    pub revoked: Option<String>,
    /// The context of the only messages that the key counts for.
    pub context: Option<Vec<u8>>,
    /// The pre-hash that the key is bound to, which its file names and no line before it.
    pub prehash: Option<PreHash>,
}

/// Why a key that has signed does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The key is revoked, and why.
    Revoked(String),
    /// The last day of the key, which is past.
    Expired(Date),
    /// The context that the key is for.
    Context(Vec<u8>),
}

impl Fault {
    /// Returns the code for scripts.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Revoked(_) => "key_revoked",
            Self::Expired(_) => "key_expired",
            Self::Context(_) => "key_context",
        }
    }

    /// Returns what to do.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Revoked(_) => "a signature by a revoked key counts never: ask the signer for one by another key",
            Self::Expired(_) => "ask the signer for a signature by a newer key; --at DATE verifies as of another day",
            Self::Context(_) => "the trusted key has `context:` beside it, which --context must be",
        }
    }
}

/// What follows the name of a key.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Revoked(why) => write!(f, "which is revoked: {why}"),
            Self::Expired(last) => write!(f, "which counted until {last}"),
            Self::Context(context) => write!(f, "which is for the context {} alone", context_text(context)),
        }
    }
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadTerm {
    /// The number of the line in the text, from 1.
    pub line: usize,
    /// What is wrong, in words.
    pub what: &'static str,
}

/// What a line may be.
const FORMS: &str =
    "the lines beside a key are `name: TEXT`, `not-after: YYYY-MM-DD`, `revoked: WHY` and `context: TEXT`";

impl KeyTerms {
    /// Reads the lines beside the one block of a part of a file; there are none in what is no text.
    ///
    /// # Errors
    /// The first line that is not as it should be.
    pub fn parse(part: &[u8]) -> Result<Self, BadTerm> {
        let mut terms = Self::default();
        for line in term::lines(part) {
            terms.take(&line).map_err(|what| BadTerm { line: line.number, what })?;
        }
        Ok(terms)
    }

    /// Takes one line.
    fn take(&mut self, line: &TermLine) -> Result<(), &'static str> {
        let (word, value) = line.split();
        if line.is_behind {
            return Err("it stands behind the last key; what is said of a key stands before its block");
        }
        if !line.text[word.len()..].starts_with(':') {
            return Err(FORMS);
        }
        let value = value.trim();
        if value.is_empty() {
            return Err("there is nothing behind the colon");
        }
        if value.chars().count() > MAX_TEXT && word != "context" || !is_visible(value) || value.contains('\u{fffd}') {
            return Err("the text is too long, is not UTF-8, or has characters that do not show");
        }
        let is_new = match word {
            "name" => self.name.replace(value.to_owned()).is_none(),
            "revoked" => self.revoked.replace(value.to_owned()).is_none(),
            "not-after" => {
                let date = value.parse().map_err(|_| "a date is YYYY-MM-DD, as in `not-after: 2027-12-31`")?;
                self.not_after.replace(date).is_none()
            }
            "context" => {
                let context = match value.strip_prefix("hex:") {
                    Some(digits) => {
                        from_hex(digits.as_bytes()).map_err(|_| "hex: is followed by hexadecimal digits")?
                    }
                    None => value.as_bytes().to_vec(),
                };
                if context.len() > MAX_CONTEXT_LEN {
                    return Err("a context has at most 255 bytes");
                }
                self.context.replace(context).is_none()
            }
            _ => return Err(FORMS),
        };
        if is_new { Ok(()) } else { Err("the line is there twice") }
    }

    /// Returns why a signature by the key over messages of a form does not count; `None` if it does. The clock is asked only
    /// where a last day is named.
    ///
    /// # Errors
    /// The clock says no day.
    pub fn fault(&self, form: &MessageForm, clock: Clock) -> Result<Option<Fault>, Error> {
        if let Some(why) = &self.revoked {
            return Ok(Some(Fault::Revoked(why.clone())));
        }
        if let Some(last) = self.not_after
            && clock.today()? > last
        {
            return Ok(Some(Fault::Expired(last)));
        }
        let other = self.context.as_ref().filter(|context| **context != form.context);
        Ok(other.map(|context| Fault::Context(context.clone())))
    }
}
