//! Parses the key lines before a trusted key. Key lines contain the name of the key, its first and
//! last day of validity, the reason for its revocation, and the only context for which the key is
//! trusted.
//!
//! ```text
//! name: release 2026
//! not-before: 2026-01-01
//! not-after: 2027-12-31
//! revoked: 2026-11-02, the laptop was stolen
//! context: ci
//! -----BEGIN FN-DSA PUBLIC KEY-----
//! ```
//!
//! In a file of trusted keys, the text outside blocks can also contain empty lines, `#` comments,
//! notes that fndsa wrote, and text that OpenSSL printed. Any other line is an error, because the
//! line could be a mistyped `revoked:` line.

use super::key_line::{self, KEY_LINES, KeyLine, LineRole, begins_with_word};
use super::message_enum::message_enum;
use super::signature_note::context_text;
use super::visible::{LineEnds, cleaned, is_visible};
use crate::api::{MAX_CONTEXT_LEN, PreHash};
use crate::files::Date;
use crate::files::hex::from_hex;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;

/// The maximum length of a name or a revocation reason, in characters.
const MAX_TEXT_LEN: usize = 200;

/// A source for the current date, which is compared with the dates in key lines.
pub trait DateSource {
    /// The reason why the date is unknown.
    type Error;

    /// Returns the current date.
    ///
    /// # Errors
    /// Fails if the date is unknown, for example because the clock is out of range.
    fn today(&self) -> Result<Date, Self::Error>;
}

/// A fixed date, which is used to verify archives and in tests.
impl DateSource for Date {
    type Error = Infallible;

    fn today(&self) -> Result<Date, Infallible> {
        Ok(*self)
    }
}

/// The values of the key lines before a key, and the pre-hash of the key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyTerms {
    /// The key's name.
    pub name: Option<String>,
    /// The first day on which the key is valid.
    pub not_before: Option<Date>,
    /// The last day on which the key is valid.
    pub not_after: Option<Date>,
    /// The reason for the revocation, if the key is revoked.
    pub revoked: Option<String>,
    /// The only context for which the key is trusted.
    pub context: Option<Vec<u8>>,
    /// The only pre-hash for which the key is valid. This value does not come from a key line, but
    /// from the object identifier of a HashML-DSA key.
    pub prehash: Option<PreHash>,
}

message_enum! {
    /// The reason why a trusted key must not accept a signed message, for example because the key
    /// has expired. In an error message, a variant's text follows the key's name.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum KeyRestriction {
        /// The key is revoked. The value is the reason for the revocation.
        Revoked(why: String) => "key_revoked";
            "which is revoked: {why}";
            "ask the signer to sign with another key: signatures of a revoked key are never accepted";
        /// The key is expired. The value is the last day on which it was valid.
        Expired(last: Date) => "key_expired";
            "which expired: it was valid until {last}";
            "ask the signer for a signature by a newer key; for an archive, verify as of an earlier day with --at DATE";
        /// The key is not valid yet. The value is the first day on which it will be valid.
        NotYet(first: Date) => "key_not_yet_valid";
            "which is valid from {first}";
            "wait for the first day on which the key is valid, or verify as of a later day with --at DATE | wait for the first day on \
             which the key is valid";
        /// The key is only valid for a context that the message does not have. The value is this
        /// context.
        Context(context: Vec<u8>) => "key_context";
            "which is only for the context {}", context_text(context);
            "ask the signer for a signature with the context from the key line `context:`";
    }
}

impl KeyRestriction {
    /// Returns the most likely next step for the user.
    pub fn hint(&self) -> &'static str {
        self.row_hint()
    }
}

impl fmt::Display for KeyRestriction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_message(f)
    }
}

/// A defect in a key line, or a line that is not allowed in a file of trusted keys.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyLineDefect {
    /// The line number in the text, from 1.
    pub line: usize,
    /// The defect's description.
    pub what: String,
    /// The most likely next step.
    pub hint: &'static str,
}

impl fmt::Display for KeyLineDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, what, .. } = self;
        write!(f, "line {line}: {what}")
    }
}

impl core::error::Error for KeyLineDefect {}

/// The hint for a text line that is not a key line.
const UNKNOWN_HINT: &str = "if the line is a comment, begin it with `# `; docs/policies.md explains the key lines, for example \
     `not-after:` and `revoked:`";
/// The hint for a key line that has a wrong value or is in a wrong place.
const VALUE_HINT: &str = "correct this key line: docs/policies.md explains the key lines";

/// Returns the description and the hint for a line that is not a key line.
fn unknown_line_defect(line: &str) -> (String, &'static str) {
    let mut forms = Vec::new();
    for (_, form) in KEY_LINES {
        forms.push(format!("`{form}`"));
    }
    (format!("{} is not a key line; key lines are {}", quote_start(line), forms.join(", ")), UNKNOWN_HINT)
}

/// Returns the description and the hint for a line that contains a key line after other text.
/// `word` is the first word of this key line, for example `revoked`.
fn joined_line_defect(line: &str, word: &str) -> (String, &'static str) {
    if let Some(blank) = leading_blank(line) {
        return blank;
    }
    let quote_start = quote_start(line);
    if line.trim_start().starts_with('#') {
        return (
            format!("the comment {quote_start} contains the key line `{word}:`"),
            "if fndsa should ignore the line, delete it, or remove the colon; if not, remove the `#`",
        );
    }
    (
        format!(
            "{quote_start} contains `{word}:`, which must begin a new line: maybe a line end is missing before `{word}:`"
        ),
        "write each key line on a separate line",
    )
}

/// Returns the description and the hint for a key line that begins with blanks. Returns `None` for
/// other lines.
fn leading_blank(line: &str) -> Option<(String, &'static str)> {
    let text = line.trim_start();
    let (word, _) = KEY_LINES.iter().find(|(word, _)| begins_with_word(text, word))?;
    if text.len() == line.len() {
        return None;
    }
    Some((format!("the key line `{word}:` begins with a blank"), "remove the blank at the start of the line"))
}

/// The kind of a key file. The kind determines which text may surround the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyFileKind {
    /// A file of trusted keys. Any text except key lines, comments, notes and the text that OpenSSL
    /// prints is an error.
    TrustedKeys,
    /// A file with a single key. The reader ignores text that is not a key line, but a probably
    /// mistyped key line is an error.
    SingleKey,
}

/// The maximum number of characters that a message quotes from a line.
const MAX_QUOTED: usize = 60;

/// Returns the beginning of a line in quotes, to use in a message.
fn quote_start(line: &str) -> String {
    let start: String = line.trim().chars().take(MAX_QUOTED).collect();
    let more = if line.trim().chars().count() > MAX_QUOTED { ".." } else { "" };
    format!("`{}{more}`", cleaned(&start, LineEnds::Foreign))
}

impl KeyTerms {
    /// Parses the key lines in `part`: a single PEM block, and the text before it (for the last
    /// block of a file, also the text after it). The result is empty if `part` contains no PEM
    /// block.
    ///
    /// # Errors
    /// Fails if a line has a defect, and describes the first such line. Also fails if the day in
    /// `not-before` is after the day in `not-after`.
    pub fn parse(part: &[u8], file_kind: KeyFileKind) -> Result<Self, KeyLineDefect> {
        let mut terms = Self::default();
        let mut last_line = 1;
        for line in key_line::lines(part) {
            last_line = line.number;
            let result = match line.role {
                LineRole::Unknown if file_kind == KeyFileKind::SingleKey => Ok(()),
                LineRole::Unknown => Err(unknown_line_defect(&line.text)),
                LineRole::Joined(word) => Err(joined_line_defect(&line.text, word)),
                LineRole::KeyLine(form) => terms.parse_line(&line, form),
            };
            if let Err((what, hint)) = result {
                return Err(KeyLineDefect { line: line.number, what, hint });
            }
        }
        match (terms.not_before, terms.not_after) {
            (Some(first), Some(last)) if first > last => {
                let what = format!("`not-before: {first}` is later than `not-after: {last}`");
                Err(KeyLineDefect { line: last_line, what, hint: VALUE_HINT })
            }
            _ => Ok(terms),
        }
    }

    /// Returns the numbers of the lines with unknown text, which a file of trusted keys must not
    /// contain. The result contains neither key lines nor near misses.
    pub fn unknown_lines(part: &[u8]) -> Vec<usize> {
        let mut numbers = Vec::new();
        for line in key_line::lines(part) {
            if line.role == LineRole::Unknown {
                numbers.push(line.number);
            }
        }
        numbers
    }

    /// Parses a key line and stores its value. `form` shows how to write the line, for example
    /// `name: TEXT`. Returns the description and the hint of the defect if the line is only a near
    /// miss, is after the block, or has a wrong value.
    fn parse_line(&mut self, line: &KeyLine, form: &str) -> Result<(), (String, &'static str)> {
        let Some((word, value)) = line.split() else {
            if let Some(blank) = leading_blank(&line.text) {
                return Err(blank);
            }
            return Err((
                format!("{} is not a key line; did you mean `{form}`?", quote_start(&line.text)),
                UNKNOWN_HINT,
            ));
        };
        if line.is_after_block {
            let what = "a key line belongs before the block of its key, and this line is after the last key";
            return Err((what.to_owned(), VALUE_HINT));
        }
        self.set_value(word, value).map_err(|what| (what, VALUE_HINT))
    }

    /// Stores the value of a key line.
    fn set_value(&mut self, word: &str, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err(format!("the text after `{word}:` is missing"));
        }
        if value.chars().count() > MAX_TEXT_LEN && word != "context" || !is_visible(value) || value.contains('\u{fffd}')
        {
            return Err(format!("the text after `{word}:` is too long, is not UTF-8, or has invisible characters"));
        }
        let is_new = match word {
            "name" => self.name.replace(value.to_owned()).is_none(),
            "revoked" => self.revoked.replace(value.to_owned()).is_none(),
            "not-before" => self.not_before.replace(date(word, value)?).is_none(),
            "not-after" => self.not_after.replace(date(word, value)?).is_none(),
            "context" => {
                let context = context_bytes(value)?;
                if context.len() > MAX_CONTEXT_LEN {
                    return Err("a context has at most 255 bytes".to_owned());
                }
                self.context.replace(context).is_none()
            }
            _ => return Err(format!("`{word}:` is not a key line")),
        };
        if is_new { Ok(()) } else { Err(format!("the key has two `{word}:` lines")) }
    }

    /// Returns the first restriction that a message with this context does not meet on the current
    /// date, or `None` if the message meets all restrictions. The current date is read only if a
    /// key line contains a date.
    ///
    /// # Errors
    /// Fails if the current date is unknown.
    pub fn restriction<C: DateSource>(&self, context: &[u8], dates: &C) -> Result<Option<KeyRestriction>, C::Error> {
        if let Some(why) = &self.revoked {
            return Ok(Some(KeyRestriction::Revoked(why.clone())));
        }
        if let Some(last) = self.not_after
            && dates.today()? > last
        {
            return Ok(Some(KeyRestriction::Expired(last)));
        }
        if let Some(first) = self.not_before
            && dates.today()? < first
        {
            return Ok(Some(KeyRestriction::NotYet(first)));
        }
        match &self.context {
            Some(allowed_context) if allowed_context[..] != *context => {
                Ok(Some(KeyRestriction::Context(allowed_context.clone())))
            }
            _ => Ok(None),
        }
    }

    /// Adds the restrictions in `other`: the key lines that the same key has in a different scheme
    /// or file. The owner of the private key can sign in every scheme, so a restriction must apply
    /// to all schemes. The name is not added. Returns false if the dates or the contexts contradict
    /// each other.
    pub fn restrict(&mut self, other: &Self) -> bool {
        fn combine_equal<T: Clone + PartialEq>(one: &mut Option<T>, other: &Option<T>) -> bool {
            match (&one, other) {
                (Some(one), Some(other)) => one == other,
                (None, Some(_)) => {
                    one.clone_from(other);
                    true
                }
                _ => true,
            }
        }
        if self.revoked.is_none() {
            self.revoked.clone_from(&other.revoked);
        }
        combine_equal(&mut self.not_before, &other.not_before)
            && combine_equal(&mut self.not_after, &other.not_after)
            && combine_equal(&mut self.context, &other.context)
    }

    /// Returns whether these key lines contain all restrictions in `other`. The reasons for a
    /// revocation are not compared.
    pub fn includes(&self, other: &Self) -> bool {
        (other.revoked.is_none() || self.revoked.is_some())
            && (other.not_before.is_none() || other.not_before == self.not_before)
            && (other.not_after.is_none() || other.not_after == self.not_after)
            && (other.context.is_none() || other.context == self.context)
    }

    /// Describes the key lines in a single line of text, to use in messages. The text is empty if
    /// there are no key lines.
    pub fn words(&self) -> String {
        let mut words = Vec::new();
        if let Some(name) = &self.name {
            words.push(format!("name {name}"));
        }
        if let Some(day) = self.not_before {
            words.push(format!("valid from {day}"));
        }
        if let Some(day) = self.not_after {
            words.push(format!("valid until {day}"));
        }
        if let Some(why) = &self.revoked {
            words.push(format!("REVOKED: {why}"));
        }
        if let Some(context) = &self.context {
            words.push(format!("only for the context {}", context_text(context)));
        }
        words.join("; ")
    }
}

/// Parses the date in a key line.
fn date(word: &str, value: &str) -> Result<Date, String> {
    if let Ok(date) = value.parse() {
        return Ok(date);
    }
    let has_form = value.len() == 10
        && value.bytes().enumerate().all(|(i, b)| if i == 4 || i == 7 { b == b'-' } else { b.is_ascii_digit() });
    Err(if has_form {
        format!("`{word}: {value}` is not a day of the calendar")
    } else {
        format!("{} is not a date: a date has the form YYYY-MM-DD, as in `{word}: 2027-12-31`", quote_start(value))
    })
}

/// Decodes a context, which a key line contains as text, or as `hex:` and hexadecimal digits.
fn context_bytes(value: &str) -> Result<Vec<u8>, String> {
    let Some(digits) = value.strip_prefix("hex:") else { return Ok(value.as_bytes().to_vec()) };
    match from_hex(digits.as_bytes()) {
        Ok(context) => Ok(context),
        Err(_) => Err("`hex:` needs hexadecimal digits after it".to_owned()),
    }
}
