//! Parses the `name:`, `not-before:`, `not-after:`, `revoked:` and `context:` lines before a PEM
//! key, and finds near misses of them.
//!
//! Outside blocks, a file of trusted keys contains key lines, `#` comments, the notes that are
//! written by fndsa, and the text that is printed by OpenSSL. Every other line is
//! [`LineRole::Unknown`]: a revocation with a typing error must not be ignored.

use super::distance::distance;
use crate::api::Algorithm;
use crate::files::ObjectKind;
use crate::files::hex::from_hex;
use crate::files::pem::{self, PemLine};
use alloc::string::String;
use alloc::vec::Vec;

/// The words of key lines, each with the line's form.
pub const KEY_LINES: [(&str, &str); 5] = [
    ("name", "name: TEXT"),
    ("not-before", "not-before: YYYY-MM-DD"),
    ("not-after", "not-after: YYYY-MM-DD"),
    ("revoked", "revoked: WHY"),
    ("context", "context: TEXT"),
];

/// Parts of words that people write instead of a key line, each with the key line that was
/// intended. The first row that matches is used.
const MEANT: [(&str, &str); 24] = [
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

/// The rows of [`MEANT`] that are searched in the whole line, because they are rare in other text
/// about a key.
const ANYWHERE: [&str; 9] =
    ["revok", "revoc", "compromis", "stolen", "notbefore", "notafter", "expir", "validuntil", "validfrom"];

/// The dates of a certificate as printed by OpenSSL.
const OPENSSL_DAYS: [&str; 2] = ["Not Before: ", "Not After : "];

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
/// The indentation for text that is printed by OpenSSL.
const INDENT: &str = "    ";

/// The role for a line outside blocks. Empty lines, comments and notes do not have a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRole {
    /// A key line or a near miss, with the form of the intended key line.
    KeyLine(&'static str),
    /// A different line that contains a key line, with the word of this key line.
    Joined(&'static str),
    /// Any other text.
    Unknown,
}

/// A line outside blocks, except empty lines, comments and notes.
pub struct KeyLine {
    /// The line number in its part, from 1.
    pub number: usize,
    /// The line's text. Bytes that are not UTF-8 are replaced by U+FFFD.
    pub text: String,
    /// Whether the line is after the block, so that it does not belong to a key.
    pub is_behind: bool,
    /// The line's role.
    pub role: LineRole,
}

impl KeyLine {
    /// Splits a key line into its word and the text after the colon. `None` if the line is not
    /// exactly a key line.
    pub fn split(&self) -> Option<(&'static str, &str)> {
        KEY_LINES.iter().find_map(|(word, _)| {
            let value = self.text.strip_prefix(word)?.strip_prefix(':')?;
            Some((*word, value.trim()))
        })
    }
}

/// Returns the lines outside the block in `part`, except empty lines, comments and notes. The
/// result is empty if `part` does not contain a block. Lines end as in the block: with LF, CR LF or
/// CR.
pub fn lines(part: &[u8]) -> Vec<KeyLine> {
    let part = part.strip_prefix(b"\xef\xbb\xbf").unwrap_or(part);
    let mut found = Vec::new();
    let mut is_inside = false;
    let mut is_behind = false;
    let mut openssl = false;
    for PemLine { number, text: line, .. } in pem::lines(part) {
        if line.starts_with(BEGIN) {
            (is_inside, openssl) = (true, false);
        } else if line.starts_with(END) {
            (is_inside, is_behind) = (false, true);
        } else if !is_inside {
            let text = String::from_utf8_lossy(line).into_owned();
            openssl = begins_openssl_text(&text) || (openssl && text.starts_with(INDENT));
            if let Some(role) = role(&text, openssl) {
                found.push(KeyLine { number, text, is_behind, role });
            }
        }
    }
    if is_inside || is_behind { found } else { Vec::new() }
}

/// Returns a line's role. `openssl` is true if the line is part of text that OpenSSL printed.
fn role(line: &str, openssl: bool) -> Option<LineRole> {
    let text = line.trim();
    if text.is_empty() {
        return None;
    }
    // If a file's last line does not have a line end, it is joined with the first line of the next
    // file.
    if let Some(word) = contained_key_line(line) {
        return Some(LineRole::Joined(word));
    }
    if let Some((_, form)) = KEY_LINES.iter().find(|(word, _)| begins_with_word(line, word)) {
        return Some(LineRole::KeyLine(form));
    }
    // Programs write a blank after `#`. Without this blank, the line may be the end of a file that
    // was joined with a key line.
    let joined = text.strip_prefix('#').and_then(|rest| rest.split_whitespace().next()).map(folded);
    if let Some((_, form)) = KEY_LINES.iter().find(|(word, _)| !text.starts_with("# ") && joined == Some(folded(word)))
    {
        return Some(LineRole::KeyLine(form));
    }
    if text.starts_with('#') || is_note(text) || is_openssl_name(line) {
        return None;
    }
    if openssl {
        // OpenSSL prints usages and dates, so only the word before the separator is compared.
        let is_day = OPENSSL_DAYS.iter().any(|day| text.starts_with(day));
        return if is_day { None } else { by_distance(&word(line)).map(LineRole::KeyLine) };
    }
    Some(meant(line).map_or(LineRole::Unknown, LineRole::KeyLine))
}

/// Returns whether a line starts with exactly this word and a colon.
fn begins_with_word(line: &str, word: &str) -> bool {
    line.strip_prefix(word).is_some_and(|rest| rest.starts_with(':'))
}

/// Returns the word of a key line that is in a text, but not at the start. `name:` is not searched,
/// because a name does not change the verdict.
fn contained_key_line(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let words = KEY_LINES.iter().map(|(word, _)| *word).filter(|word| *word != "name");
    words
        .into_iter()
        .find(|word| lower.match_indices(word).any(|(at, _)| at > 0 && lower[at + word.len()..].starts_with(':')))
}

/// Characters that people write after the word.
const SEPARATORS: [char; 5] = [':', '=', ';', '\u{ff1a}', ','];

/// Letters from other alphabets that look like letters in key lines, each with the ASCII letter.
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

/// Converts a text to lower case and removes all characters except letters. Look-alikes and
/// full-width letters are converted to ASCII.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        let plain = plain(c);
        if plain.is_ascii_alphabetic() {
            folded.push(plain.to_ascii_lowercase());
        }
    }
    folded
}

/// Returns the ASCII character that looks like `c`, or `c` if there is no such character.
fn plain(c: char) -> char {
    if let '\u{ff01}'..='\u{ff5e}' = c {
        return char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c);
    }
    match LOOK_ALIKES.iter().find(|(other, _)| *other == c) {
        Some((_, plain)) => *plain,
        None => c,
    }
}

/// Returns the folded word before the separator, or the folded line if there is no separator.
fn word(line: &str) -> String {
    folded(line.split_once(SEPARATORS).map_or(line, |(word, _)| word))
}

/// Returns the form of the key line whose word equals `word`, except for a few letters.
fn by_distance(word: &str) -> Option<&'static str> {
    KEY_LINES.iter().find(|(name, _)| is_misspelt(word, &folded(name))).map(|(_, form)| *form)
}

/// Returns the form of the key line that a line is a near miss of. This is decided by the word
/// before the separator, by the first token, or by a word about revocation.
fn meant(line: &str) -> Option<&'static str> {
    if line.contains(SEPARATORS)
        && let Some(form) = by_table_or_distance(&word(line))
    {
        return Some(form);
    }
    let first = folded(line.split_whitespace().next().unwrap_or_default());
    if let Some(form) = by_table_or_distance(&first)
        && form != KEY_LINES[0].1
    {
        return Some(form);
    }
    let whole = folded(line);
    if ANYWHERE.iter().any(|part| whole.contains(part)) { by_table(&whole) } else { None }
}

fn by_table_or_distance(word: &str) -> Option<&'static str> {
    by_table(word).or_else(|| by_distance(word))
}

/// Returns the form of the key line for the first row of [`MEANT`] that is a part of `word`.
fn by_table(word: &str) -> Option<&'static str> {
    let (_, name) = MEANT.iter().find(|(part, _)| word.contains(part))?;
    let (_, form) = KEY_LINES.iter().find(|(word, _)| word == name)?;
    Some(form)
}

/// Returns whether `word` can be a misspelling of `name`: at most 2 letters are added, removed or
/// changed, or at most 1 letter if `name` is short.
fn is_misspelt(word: &str, name: &str) -> bool {
    let most = if name.len() > 4 { 2 } else { 1 };
    if word.len().abs_diff(name.len()) > most {
        return false;
    }
    distance(word, name) <= most
}

/// Returns whether a line is exactly the note that fndsa writes before a block.
fn is_note(text: &str) -> bool {
    let Some((_, fingerprint)) = text.rsplit_once(' ') else { return false };
    let digits = fingerprint.strip_prefix("sha256:").and_then(|digits| from_hex(digits.as_bytes()).ok());
    if digits.is_none_or(|digits| digits.len() != 32) {
        return false;
    }
    Algorithm::all_with_toys().any(|algorithm| {
        [ObjectKind::VerifyingKey, ObjectKind::SigningKey].iter().any(|kind| kind.note(algorithm, fingerprint) == text)
    })
}

/// Returns whether the line is a name that OpenSSL prints before a block. The words in such a name
/// are chosen by other people.
fn is_openssl_name(line: &str) -> bool {
    ["subject=", "issuer="].iter().any(|start| line.starts_with(start))
}

/// Returns whether a line starts the text that OpenSSL prints before a block, for a certificate, a
/// key or a PKCS#12 file.
fn begins_openssl_text(line: &str) -> bool {
    let line = line.trim_end();
    // If a name has several lines, `subject=` is alone on its line. If a name has a single line, no
    // indented line follows it.
    let bare = ["Certificate:", "Bag Attributes", "Key Attributes", "pub:", "subject=", "issuer="];
    bare.contains(&line)
        || ["Bag", "Key"].iter().any(|of| line.strip_prefix(of) == Some(" Attributes: <No Attributes>"))
        || line.ends_with(" Public-Key:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_name_the_key_line_that_is_meant() {
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
    fn text_of_openssl_and_comments_have_no_meaning() {
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

    /// Indented lines belong to such a text only if they directly follow its first line.
    #[test]
    fn text_of_openssl_ends_where_it_is_not_indented() {
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
    fn the_notes_of_the_program_have_no_meaning() {
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
