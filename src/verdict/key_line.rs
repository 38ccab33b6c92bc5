//! Finds the key lines before a PEM key (`name:`, `not-before:`, `not-after:`, `revoked:` and
//! `context:`), and lines that are probably mistyped key lines (near misses). `key_terms` parses
//! the values. [`lines`] also returns the lines after the PEM block, because a key line there is an
//! error.
//!
//! In a file of trusted keys, the text outside the PEM blocks may contain key lines, `#` comments,
//! the notes that fndsa writes, and the text that OpenSSL prints. The reader reports every other
//! line, because it could be a revocation with a typing error, for example `revokd: stolen`.

use super::distance::distance;
use crate::api::Algorithm;
use crate::files::ObjectKind;
use crate::files::hex::from_hex;
use crate::files::pem::{self, PemLine};
use alloc::string::String;
use alloc::vec::Vec;

/// The words at the start of key lines, each with the form of the whole line.
pub const KEY_LINES: [(&str, &str); 5] = [
    ("name", "name: TEXT"),
    ("not-before", "not-before: YYYY-MM-DD"),
    ("not-after", "not-after: YYYY-MM-DD"),
    ("revoked", "revoked: WHY"),
    ("context", "context: TEXT"),
];

/// Fragments of words that people write by mistake in key lines, each with the correct word. The
/// reader uses the first entry whose fragment occurs in the word. Upper and lower case, and
/// characters other than letters, make no difference.
const WRONG_WORDS: [(&str, &str); 24] = [
    ("revok", "revoked"),
    ("revoc", "revoked"),
    ("compromis", "revoked"),
    ("stolen", "revoked"),
    ("disabled", "revoked"),
    ("distrust", "revoked"),
    ("notbefore", "not-before"),
    ("validfrom", "not-before"),
    ("validafter", "not-before"),
    ("starts", "not-before"),
    ("since", "not-before"),
    ("notafter", "not-after"),
    ("expir", "not-after"),
    ("until", "not-after"),
    ("validto", "not-after"),
    ("validbefore", "not-after"),
    ("bestbefore", "not-after"),
    ("context", "context"),
    ("purpose", "context"),
    ("usage", "context"),
    ("namespace", "context"),
    ("label", "name"),
    ("alias", "name"),
    ("title", "name"),
];

/// Fragments of words that identify a near miss anywhere in a line, and not only in its first word.
/// [`WRONG_WORDS`] then determines the intended key line. Lines that are not key lines rarely
/// contain these fragments.
const ANYWHERE_PARTS: [&str; 9] =
    ["revok", "revoc", "compromis", "stolen", "notbefore", "notafter", "expir", "validuntil", "validfrom"];

/// The labels that OpenSSL prints before the two dates of a certificate.
const OPENSSL_DAYS: [&str; 2] = ["Not Before: ", "Not After : "];

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
/// The blanks with which OpenSSL starts each line of a text, except the first line. A line can
/// start with more blanks.
const INDENT: &str = "    ";

/// The role of a line outside the PEM blocks. Empty lines, comments and notes have no role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineRole {
    /// A key line, or a near miss. The value shows how to write the intended key line, for example
    /// `name: TEXT`.
    KeyLine(&'static str),
    /// A line in which other text precedes a key line's text. The value is the key line's first
    /// word, for example `revoked`.
    Joined(&'static str),
    /// Any other text.
    Unknown,
}

/// A line outside the PEM blocks that has a role: a key line, a near miss, or unknown text.
#[non_exhaustive]
pub struct KeyLine {
    /// The line number, counted from 1 in the part of the file that contains the block and the text
    /// before the block.
    pub number: usize,
    /// The line's text. Bytes that are not UTF-8 are replaced by U+FFFD.
    pub text: String,
    /// Whether the line is after the block. Such a line does not apply to the key in the block.
    pub is_after_block: bool,
    /// The line's role.
    pub role: LineRole,
}

impl KeyLine {
    /// Splits a key line into its word and the text after the colon. Returns `None` if the line
    /// does not start with a key line's exact word and a colon.
    pub fn split(&self) -> Option<(&'static str, &str)> {
        for (word, _) in KEY_LINES {
            if let Some(rest) = self.text.strip_prefix(word)
                && let Some(value) = rest.strip_prefix(':')
            {
                return Some((word, value.trim()));
            }
        }
        None
    }
}

/// Returns the lines in `part` that are outside the PEM block and have a role. The result is empty
/// if `part` does not contain a block. A line ends with LF, CR LF or CR.
pub fn lines(part: &[u8]) -> Vec<KeyLine> {
    let part = part.strip_prefix(b"\xef\xbb\xbf").unwrap_or(part);
    let mut key_lines = Vec::new();
    let mut is_inside = false;
    let mut is_after_block = false;
    let mut openssl = false;
    for PemLine { number, text: line, .. } in pem::lines(part) {
        if line.starts_with(BEGIN) {
            (is_inside, openssl) = (true, false);
        } else if line.starts_with(END) {
            (is_inside, is_after_block) = (false, true);
        } else if !is_inside {
            let text = String::from_utf8_lossy(line).into_owned();
            openssl = begins_openssl_text(&text) || (openssl && text.starts_with(INDENT));
            if let Some(role) = role(&text, openssl) {
                key_lines.push(KeyLine { number, text, is_after_block, role });
            }
        }
    }
    if is_inside || is_after_block { key_lines } else { Vec::new() }
}

/// Returns the role of a line, or `None` if the line has no role. `openssl` is true if the line is
/// a part of a text that OpenSSL printed.
fn role(line: &str, openssl: bool) -> Option<LineRole> {
    let text = line.trim();
    if text.is_empty() {
        return None;
    }
    // A key line can follow other text if two files were concatenated and the last line of the
    // first file has no line end.
    if let Some(word) = contained_key_line(line) {
        return Some(LineRole::Joined(word));
    }
    if let Some((_, form)) = KEY_LINES.iter().find(|(word, _)| begins_with_word(line, word)) {
        return Some(LineRole::KeyLine(form));
    }
    if let Some(form) = form_after_hash(text) {
        return Some(LineRole::KeyLine(form));
    }
    if text.starts_with('#') || is_note(text) || is_openssl_name(line) {
        return None;
    }
    if openssl {
        // The text from OpenSSL contains key usages and dates, which look like near misses.
        // Therefore, only the word before the separator is compared with the words of key lines.
        if OPENSSL_DAYS.iter().any(|day| text.starts_with(day)) {
            return None;
        }
        return Some(LineRole::KeyLine(by_distance(&word(line))?));
    }
    match intended_form(line) {
        Some(form) => Some(LineRole::KeyLine(form)),
        None => Some(LineRole::Unknown),
    }
}

/// Finds the word of a key line directly after the `#` of a comment, as in `#revoked: stolen`, and
/// returns how to write the key line. Such a line results if a file that begins with a key line is
/// appended to a file that ends with `#`. A comment usually has a blank after the `#`.
fn form_after_hash(text: &str) -> Option<&'static str> {
    let rest = text.strip_prefix('#')?;
    if rest.starts_with(' ') {
        return None;
    }
    let first_word = letters_only(rest.split_whitespace().next()?);
    for (word, form) in KEY_LINES {
        if first_word == letters_only(word) {
            return Some(form);
        }
    }
    None
}

/// Returns whether a line starts with this word and a colon.
pub(super) fn begins_with_word(line: &str, word: &str) -> bool {
    match line.strip_prefix(word) {
        Some(rest) => rest.starts_with(':'),
        None => false,
    }
}

/// Returns the word from [`KEY_LINES`] that occurs in a text with a colon after it, but not at the
/// text's start. The function does not search for `name`, because a name does not change the
/// verdict.
fn contained_key_line(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    for (word, _) in KEY_LINES {
        if word == "name" {
            continue;
        }
        for (at, _) in lower.match_indices(word) {
            if at > 0 && lower[at + word.len()..].starts_with(':') {
                return Some(word);
            }
        }
    }
    None
}

/// The characters that people write between a key line's word and value.
const SEPARATORS: [char; 5] = [':', '=', ';', '\u{ff1a}', ','];

/// Letters from other alphabets, each with the ASCII letter that it looks like. The table covers
/// the letters in the words of key lines.
const LOOK_ALIKES: [(char, char); 18] = [
    ('\u{430}', 'a'),
    ('\u{435}', 'e'),
    ('\u{43e}', 'o'),
    ('\u{441}', 'c'),
    ('\u{445}', 'x'),
    ('\u{43a}', 'k'),
    ('\u{442}', 't'),
    ('\u{433}', 'r'),
    ('\u{43f}', 'n'),
    ('\u{475}', 'v'),
    ('\u{501}', 'd'),
    ('\u{3b1}', 'a'),
    ('\u{3b5}', 'e'),
    ('\u{3bf}', 'o'),
    ('\u{3ba}', 'k'),
    ('\u{3bd}', 'v'),
    ('\u{3c4}', 't'),
    ('\u{3c5}', 'v'),
];

/// Converts a text to lower case, replaces look-alikes and full-width letters with ASCII letters,
/// and removes all other characters.
fn letters_only(text: &str) -> String {
    let mut letters_only = String::with_capacity(text.len());
    for c in text.chars() {
        for lower_case in c.to_lowercase() {
            let letter = ascii_look_alike(lower_case);
            if letter.is_ascii_alphabetic() {
                letters_only.push(letter.to_ascii_lowercase());
            }
        }
    }
    letters_only
}

/// Returns the ASCII character that looks like `c`, or `c` if there is no such character.
fn ascii_look_alike(c: char) -> char {
    if let '\u{ff01}'..='\u{ff5e}' = c {
        return char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c);
    }
    match LOOK_ALIKES.iter().find(|(other, _)| *other == c) {
        Some((_, ascii_look_alike)) => *ascii_look_alike,
        None => c,
    }
}

/// Returns the word before the separator, or the whole line if there is no separator, as
/// [`letters_only`] converts it.
fn word(line: &str) -> String {
    letters_only(line.split(SEPARATORS).next().unwrap_or_default())
}

/// Returns the form of the key line that begins with `word` or with a similar word
/// ([`is_misspelt`]).
fn by_distance(word: &str) -> Option<&'static str> {
    for (name, form) in KEY_LINES {
        if is_misspelt(word, &letters_only(name)) {
            return Some(form);
        }
    }
    None
}

/// Returns the form of the key line that the author of `line` probably intended, or `None` if
/// `line` is not a near miss. The function first tries the text before the separator, then the
/// first word of the line, and then the parts in [`ANYWHERE_PARTS`]. The first word alone never
/// means `name`.
fn intended_form(line: &str) -> Option<&'static str> {
    if line.contains(SEPARATORS)
        && let Some(form) = by_table_or_distance(&word(line))
    {
        return Some(form);
    }
    let first = letters_only(line.split_whitespace().next().unwrap_or_default());
    if let Some(form) = by_table_or_distance(&first)
        && form != KEY_LINES[0].1
    {
        return Some(form);
    }
    let whole = letters_only(line);
    if ANYWHERE_PARTS.iter().any(|part| whole.contains(part)) { by_table(&whole) } else { None }
}

fn by_table_or_distance(word: &str) -> Option<&'static str> {
    match by_table(word) {
        Some(form) => Some(form),
        None => by_distance(word),
    }
}

/// Finds the first entry in [`WRONG_WORDS`] whose fragment occurs in `word`, and returns how to
/// write this entry's key line.
fn by_table(word: &str) -> Option<&'static str> {
    let (_, name) = WRONG_WORDS.iter().find(|(part, _)| word.contains(part))?;
    let (_, form) = KEY_LINES.iter().find(|(word, _)| word == name)?;
    Some(form)
}

/// Returns whether `word` can be a misspelling of `name`. At most 2 letters may be added, removed
/// or changed, or at most 1 letter if `name` has at most 4 letters.
fn is_misspelt(word: &str, name: &str) -> bool {
    let max_changes = if name.len() > 4 { 2 } else { 1 };
    if word.len().abs_diff(name.len()) > max_changes {
        return false;
    }
    distance(word, name) <= max_changes
}

/// Returns whether a line is exactly the note that fndsa writes before the block of a key.
fn is_note(text: &str) -> bool {
    let Some((_, fingerprint)) = text.rsplit_once(' ') else { return false };
    let Some(digits) = fingerprint.strip_prefix("sha256:") else { return false };
    match from_hex(digits.as_bytes()) {
        Ok(bytes) if bytes.len() == 32 => {}
        _ => return false,
    }
    for algorithm in Algorithm::all_with_toys() {
        for kind in [ObjectKind::VerifyingKey, ObjectKind::SigningKey] {
            if kind.note(algorithm, fingerprint) == text {
                return true;
            }
        }
    }
    false
}

/// Returns whether a line is the name in a certificate, as OpenSSL prints it. The name is not
/// compared with key lines, because the certificate's owner has chosen its words.
fn is_openssl_name(line: &str) -> bool {
    line.starts_with("subject=") || line.starts_with("issuer=")
}

/// Returns whether a line is the first line of the text that OpenSSL prints before a block. OpenSSL
/// prints such a text for certificates, keys and PKCS#12 files.
fn begins_openssl_text(line: &str) -> bool {
    let line = line.trim_end();
    // If OpenSSL prints a name on several lines, the first line contains only `subject=`, and
    // indented lines follow. If OpenSSL prints the name on a single line, no indented line follows.
    let whole_lines = ["Certificate:", "Bag Attributes", "Key Attributes", "pub:", "subject=", "issuer="];
    whole_lines.contains(&line)
        || line == "Bag Attributes: <No Attributes>"
        || line == "Key Attributes: <No Attributes>"
        || line.ends_with(" Public-Key:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_key_lines_are_reported_with_the_intended_name() {
        for (line, form) in [
            ("revoked: stolen", "revoked: WHY"),
            ("revokd: stolen", "revoked: WHY"),
            ("rev\u{43e}ked: stolen", "revoked: WHY"),
            ("REVOKED", "revoked: WHY"),
            ("key revoked: stolen", "revoked: WHY"),
            ("status: revoked", "revoked: WHY"),
            ("> revoked: stolen", "revoked: WHY"),
            ("not-after 2020-01-01", "not-after: YYYY-MM-DD"),
            ("valid-until: 2020-01-01", "not-after: YYYY-MM-DD"),
            ("contex: ci", "context: TEXT"),
            ("nane: us", "name: TEXT"),
            ("\u{433}\u{435}v\u{43e}k\u{435}d stolen", "revoked: WHY"),
            ("\u{ff32}\u{ff45}\u{ff56}\u{ff4f}\u{ff4b}\u{ff45}\u{ff44}: stolen", "revoked: WHY"),
            ("valid until 2020-01-01", "not-after: YYYY-MM-DD"),
            ("the key was stolen", "revoked: WHY"),
        ] {
            match role(line, false) {
                Some(LineRole::KeyLine(found)) => assert_eq!(found, form, "{line}"),
                Some(LineRole::Joined(word)) => assert!(form.starts_with(&format!("{word}:")), "{line}: {word}"),
                other => panic!("{line}: {other:?}"),
            }
        }
    }

    #[test]
    fn openssl_text_and_comments_are_ignored() {
        for (line, openssl) in [
            ("# revoked keys are below", false),
            ("            Not After : Nov 25 00:00:00 2036 GMT", true),
            ("            Not Before: Nov 25 00:00:00 2026 GMT", true),
            ("            X509v3 Key Usage: critical", true),
            ("subject=CN = ci", true),
            ("    friendlyName: release", true),
            ("            X509v3 No Revocation Available:", true),
            ("subject=CN = Revocation Office", false),
            ("issuer=O = Expired Keys, CN = label: x", false),
        ] {
            assert_eq!(role(line, openssl), None, "{line}");
        }
        for line in ["Hello", "            Not After : Nov 25 00:00:00 2036 GMT"] {
            assert!(role(line, false).is_some(), "{line}");
        }
        for line in ["    revoked: stolen", "    revokd: stolen", "        not_after: 2020-01-01"] {
            assert!(role(line, true).is_some(), "{line}");
        }
    }

    /// Indented lines belong to OpenSSL's text only if they directly follow its first line.
    #[test]
    fn openssl_text_ends_at_the_first_line_without_indentation() {
        let numbers = |text: &str| {
            let part = format!("{text}\n-----BEGIN X-----\n-----END X-----\n");
            lines(part.as_bytes()).iter().map(|line| line.number).collect::<Vec<_>>()
        };
        assert_eq!(numbers("Certificate:\n    Data:\n        Version: 3 (0x2)\nsubject=CN = a\nissuer=CN = b"), [0; 0]);
        assert_eq!(numbers("subject=\n    commonName                = a\nissuer=CN = b"), [0; 0]);
        assert_eq!(numbers("subject=CN = a\n    key expires: 2020-01-01"), [2]);
        assert_eq!(numbers("Certificate:\n\n    key expires: 2020-01-01"), [3]);
        assert_eq!(numbers("Certificate:\n    Data:\nkey expires: 2020-01-01"), [3]);
    }

    #[test]
    fn notes_of_the_program_are_ignored() {
        let fingerprint = format!("sha256:{}", "0".repeat(64));
        for algorithm in Algorithm::all_with_toys() {
            assert_eq!(role(&ObjectKind::VerifyingKey.note(algorithm, &fingerprint), false), None);
        }
        for line in
            [format!("fndsa public key revoked x {fingerprint}"), "fndsa public key FN-DSA-512 sha256:00".to_owned()]
        {
            assert!(role(&line, false).is_some(), "{line}");
        }
    }
}
