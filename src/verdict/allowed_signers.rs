//! Reads the allowed signers file of OpenSSH (`man ssh-keygen`, ALLOWED SIGNERS), and converts
//! it to a file of trusted keys.
//!
//! ```text
//! ann@example.com,*@example.org namespaces="file,git",valid-before="20270101Z" ssh-ed25519 AAAA...
//! ```
//!
//! The caller requests the keys for a signer's name. The reader ignores well-formed lines for all
//! other names, and keys with types that fndsa does not support. It fails at a line that it cannot
//! parse, even if the line is for a different name, because the line could restrict a key for the
//! requested name.
//!
//! `--allowed-signers` and the libraries (`read_allowed_signers`) call [`trusted_keys`].

use super::distance::distance;
use super::ssh_envelope::SshNamespace;
use super::visible::{LineEnds, cleaned};
use crate::files::ssh::{SshKeyLine, read_key_line};
use crate::files::{Date, FileEncoding, ObjectKind, WriteOptions};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// A signer's name in a file of allowed signers, for example `alice@example.com`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerName(String);

/// The maximum length of a signer's name in bytes.
const MAX_NAME_LEN: usize = 200;

impl FromStr for SignerName {
    type Err = &'static str;

    /// Parses a name of visible ASCII characters without blanks, commas and quotes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_valid = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',' && byte != b'"');
        if is_valid && (1..=MAX_NAME_LEN).contains(&text.len()) {
            Ok(Self(text.to_owned()))
        } else {
            Err("a signer's name has 1 to 200 visible ASCII characters without blanks, commas and quotes")
        }
    }
}

impl fmt::Display for SignerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The reason why a file of allowed signers cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllowedSignersError {
    /// A line has a defect.
    Line {
        /// The number of the line, counted from 1.
        line: usize,
        /// The defect's description.
        what: String,
    },
    /// The file has no key of a supported type for the signer and the namespace.
    NoKey(SignerMismatch),
}

/// The reason why a file of allowed signers has no key for a signer and a namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignerMismatch {
    /// No line names the signer.
    Name {
        /// The most similar name in the file, if there is a similar name.
        nearest: Option<String>,
    },
    /// Lines name the signer, but these lines are for other namespaces.
    Namespace,
    /// A line is for the signer and the namespace, but this library does not support the type of
    /// its key. The value is the name of this type.
    KeyType(String),
}

impl SignerMismatch {
    /// Returns the error message for this signer and this namespace. `shown` escapes a text before
    /// it is printed.
    pub fn message(&self, signer: &str, namespace: &str, shown: impl Fn(&str) -> String) -> String {
        self.with_names(&format!(" {}", shown(signer)), &format!(" {namespace}"), shown)
    }

    /// Returns the error message. `signer` and `namespace` are either empty or a blank followed by
    /// a name.
    fn with_names(&self, signer: &str, namespace: &str, shown: impl Fn(&str) -> String) -> String {
        match self {
            Self::Name { .. } => format!("no line names the signer{signer}"),
            Self::Namespace => format!("the lines of the signer{signer} do not allow the namespace{namespace}"),
            Self::KeyType(name) => format!(
                "the key of the signer{signer} for the namespace{namespace} has the type {}, and fndsa supports only \
                 ssh-ed25519 and ssh-mldsa44-ed25519",
                shown(name)
            ),
        }
    }
}

impl AllowedSignersError {
    /// Returns the message without the file name.
    pub fn message(&self, signer: &SignerName, namespace: &SshNamespace) -> String {
        match self {
            Self::Line { .. } => self.to_string(),
            Self::NoKey(cause) => cause.message(&signer.0, &namespace.to_string(), shown_name),
        }
    }
}

/// Escapes a name from the file for a message, and removes the quotation marks around the name.
fn shown_name(text: &str) -> String {
    cleaned(&without_quotes(text), LineEnds::Foreign)
}

impl fmt::Display for AllowedSignersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line, what } => write!(f, "line {line}: {what}"),
            Self::NoKey(cause) => f.write_str(&cause.with_names("", "", shown_name)),
        }
    }
}

impl core::error::Error for AllowedSignersError {}

/// A line in the file.
enum SignerLine {
    /// A comment, or a line without text.
    Empty,
    /// A line for other signers.
    OtherSigner,
    /// A line for the signer, but not for the namespace.
    OtherNamespace,
    /// A line for the signer and the namespace, with a key of a type that is not supported. The
    /// value is the name of this type.
    OtherType(String),
    /// A line with a usable key. The value is the key as it is written in a file of trusted keys:
    /// key lines (such as `not-after:`), and the key in PEM.
    Key(Vec<u8>),
}

/// Returns the keys of a signer as the contents of a file of trusted keys: key lines, and public
/// keys in PEM.
///
/// # Errors
/// Fails if a line has a defect, or the file has no key for the signer and the namespace.
pub fn trusted_keys(
    data: &[u8],
    signer: &SignerName,
    namespace: &SshNamespace,
) -> Result<Vec<u8>, AllowedSignersError> {
    let SignerName(signer) = signer;
    let mut keys = Vec::new();
    let mut other_type = None;
    let mut other_namespace = false;
    for (i, line) in data.split(|byte| *byte == b'\n').enumerate() {
        let signer_line = trusted_key(line, signer, &namespace.to_string());
        match signer_line.map_err(|what| AllowedSignersError::Line { line: i + 1, what })? {
            SignerLine::Key(key) => keys.extend(key),
            SignerLine::OtherType(name) => drop(other_type.get_or_insert(name)),
            SignerLine::OtherNamespace => other_namespace = true,
            SignerLine::Empty | SignerLine::OtherSigner => {}
        }
    }
    let mismatch = match other_type {
        _ if !keys.is_empty() => return Ok(keys),
        Some(name) => SignerMismatch::KeyType(name),
        None if other_namespace => SignerMismatch::Namespace,
        None => SignerMismatch::Name { nearest: nearest_name(data, signer) },
    };
    Err(AllowedSignersError::NoKey(mismatch))
}

/// Returns whether a file looks like a file of allowed signers: at least one line has signers'
/// names, possibly options, and a key.
pub fn has_signers(data: &[u8]) -> bool {
    data.split(|byte| *byte == b'\n').any(|line| {
        let Ok(line) = core::str::from_utf8(line) else { return false };
        let Ok((_, rest)) = first_word(line.trim()) else { return false };
        let rest_after_options = first_word(rest).map_or("", |(_, rest)| rest);
        !line.starts_with('#') && (read_key_line(rest).is_some() || read_key_line(rest_after_options).is_some())
    })
}

/// Returns whether a file is certainly OpenSSH's file known_hosts, for a hint: a line begins with a
/// hashed host name (`|1|`), a host name with a port (`[`), or a marker. A line that begins with a
/// plain host name is not recognized, because it looks like a line with a signer.
pub fn is_known_hosts(data: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 4] = [b"|1|", b"[", b"@cert-authority ", b"@revoked "];
    for line in data.split(|byte| *byte == b'\n') {
        if BEGINNINGS.iter().any(|beginning| line.starts_with(beginning)) {
            return true;
        }
    }
    false
}

/// Returns the name in the file that is most similar to `signer`. Returns `None` if no name is
/// similar.
fn nearest_name(data: &[u8], signer: &str) -> Option<String> {
    // The limit bounds the time for large files.
    const MAX_LINES: usize = 10_000;
    let mut nearest: Option<(usize, String)> = None;
    for line in data.split(|byte| *byte == b'\n').take(MAX_LINES) {
        let Ok(line) = core::str::from_utf8(line) else { continue };
        let Ok((principals, _)) = first_word(line.trim()) else { continue };
        for name in without_quotes(principals).split(',') {
            if name.starts_with(['#', '!']) || name.contains(['*', '?']) {
                continue;
            }
            let Some(changes) = name_distance(name, signer) else { continue };
            if nearest.as_ref().is_none_or(|(nearest_changes, _)| changes < *nearest_changes) {
                nearest = Some((changes, name.to_owned()));
            }
        }
    }
    nearest.map(|(_, name)| name)
}

/// Returns the edit distance between two names. Returns `None` if the names are not similar. The
/// parts before and after the `@` must both be similar, because different people have addresses in
/// the same domain.
fn name_distance(first: &str, second: &str) -> Option<usize> {
    let (first_user, first_domain) = first.split_once('@').unwrap_or((first, ""));
    let (second_user, second_domain) = second.split_once('@').unwrap_or((second, ""));
    let users = part_distance(first_user, second_user)?;
    // The user may have omitted the domain.
    if first_user == second_user && (first_domain.is_empty() || second_domain.is_empty()) {
        return Some(first_domain.len().abs_diff(second_domain.len()));
    }
    Some(users + part_distance(first_domain, second_domain)?)
}

/// Returns the edit distance between two parts of names, without regard to upper and lower case.
/// Returns `None` if the distance is more than a third of the length of the longer part.
fn part_distance(first: &str, second: &str) -> Option<usize> {
    let max_changes = first.len().max(second.len()) / 3;
    if first.len().abs_diff(second.len()) > max_changes {
        return None;
    }
    let changes = distance(&first.to_lowercase(), &second.to_lowercase());
    (changes <= max_changes).then_some(changes)
}

/// Parses a line. If the line is for this signer and this namespace, converts the key in the line
/// to the format of a file of trusted keys.
///
/// # Errors
/// Returns the defect's description if the line has a defect.
fn trusted_key(line: &[u8], signer: &str, namespace: &str) -> Result<SignerLine, String> {
    let line = core::str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned())?.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(SignerLine::Empty);
    }
    let (principals, rest) = first_word(line)?;
    let (options, rest) = match read_key_line(rest) {
        Some(_) => ("", rest),
        None => first_word(rest)?,
    };
    if read_key_line(line).is_some() && read_key_line(rest).is_none() {
        return Err("the line begins with a key, but fndsa expects principals, options and a key".to_owned());
    }
    let options = SignerOptions::parse(options)?;
    let key = read_key_line(rest).ok_or("the line has no key: fndsa expects principals, options and a key")?;
    let of_namespace = options.namespaces.as_deref().is_none_or(|list| is_in_list(list, namespace));
    if !is_in_list(&without_quotes(principals), signer) {
        return Ok(SignerLine::OtherSigner);
    }
    if !of_namespace {
        return Ok(SignerLine::OtherNamespace);
    }
    if options.is_authority {
        return Err("the option cert-authority is not supported: fndsa does not verify SSH certificates".to_owned());
    }
    let (algorithm, public) = match key {
        SshKeyLine::Known(algorithm, public) => (algorithm, public),
        SshKeyLine::OtherType => {
            return Ok(SignerLine::OtherType(rest.split([' ', '\t']).next().unwrap_or_default().to_owned()));
        }
        SshKeyLine::Damaged => return Err("the key is damaged".to_owned()),
    };
    let mut text = format!("name: {signer}\n");
    for (word, date) in [("not-before", options.not_before), ("not-after", options.not_after)] {
        if let Some(date) = date {
            text += &format!("{word}: {date}\n");
        }
    }
    let file = WriteOptions::plain(FileEncoding::Spki).write(ObjectKind::VerifyingKey, algorithm, "", &public);
    let mut part = text.into_bytes();
    part.extend_from_slice(&file.map_err(|e| e.to_string())?);
    Ok(SignerLine::Key(part))
}

/// Splits a line after its first word. A blank inside quotation marks does not end the word.
///
/// # Errors
/// Fails if the word has a quotation mark without an end.
fn first_word(line: &str) -> Result<(&str, &str), String> {
    let mut is_quoted = false;
    let mut before = ' ';
    for (i, character) in line.char_indices() {
        match character {
            '"' if before != '\\' => is_quoted = !is_quoted,
            ' ' | '\t' if !is_quoted => return Ok((&line[..i], line[i..].trim_start())),
            _ => {}
        }
        before = character;
    }
    if is_quoted { Err("a quotation mark has no end".to_owned()) } else { Ok((line, "")) }
}

/// Removes the quotation marks around a text.
fn without_quotes(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(text).replace("\\\"", "\"")
}

/// The options in a line of the file.
#[derive(Default)]
struct SignerOptions {
    /// Whether the line has the option `cert-authority`.
    is_authority: bool,
    /// The namespaces for which the key is valid, separated by commas. `None` if the key is valid
    /// for all namespaces.
    namespaces: Option<String>,
    /// The first full day, in UTC, on which the key is valid.
    not_before: Option<Date>,
    /// The last full day, in UTC, on which the key is valid.
    not_after: Option<Date>,
}

impl SignerOptions {
    /// Parses the options, which are separated by commas.
    ///
    /// # Errors
    /// Fails if an option is unknown, given twice, or has a wrong value, or if there is no full day
    /// in UTC between the times of `valid-after` and `valid-before`.
    fn parse(text: &str) -> Result<Self, String> {
        let mut options = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for option in split_options(text) {
            if option.is_empty() {
                return Err("there is no option before or after a comma, and blanks end the options".to_owned());
            }
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let name = name.to_ascii_lowercase();
            if seen.contains(&name) {
                return Err(format!("the option {name} is given twice"));
            }
            let is_text = value.len() >= 2 && value.starts_with('"') && value.ends_with('"');
            let text = without_quotes(value);
            match &name[..] {
                "cert-authority" if value.is_empty() => options.is_authority = true,
                "namespaces" if is_text && !text.is_empty() => options.namespaces = Some(text),
                "valid-after" if is_text => options.not_before = Some(first_full_day(&text)?),
                "valid-before" if is_text => options.not_after = Some(last_full_day(&text)?),
                "namespaces" | "valid-after" | "valid-before" => {
                    return Err(format!("the option {name} needs a value in quotation marks"));
                }
                _ => return Err(format!("the option {:?} is unknown", first_characters(option))),
            }
            seen.push(name);
        }
        if let (Some(first), Some(last)) = (options.not_before, options.not_after)
            && first > last
        {
            return Err("no day in UTC is completely between the times of valid-after and valid-before".to_owned());
        }
        Ok(options)
    }
}

/// Returns the first characters of a text, to quote the text in a message. The text can have any
/// length, so only its beginning is quoted.
fn first_characters(text: &str) -> String {
    const MAX_CHARACTERS: usize = 40;
    let start: String = text.chars().take(MAX_CHARACTERS).collect();
    if start.len() < text.len() { start + "..." } else { start }
}

/// Splits options at the commas that are not in quotation marks. An option is empty if a comma is
/// at the beginning or at the end, or directly before the next comma.
fn split_options(text: &str) -> Vec<&str> {
    let mut options = Vec::new();
    let mut is_quoted = false;
    let mut begin = 0;
    let mut before = ' ';
    for (i, character) in text.char_indices() {
        match character {
            '"' if before != '\\' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                options.push(&text[begin..i]);
                begin = i + 1;
            }
            _ => {}
        }
        before = character;
    }
    if !text.is_empty() {
        options.push(&text[begin..]);
    }
    options
}

/// A time in a file of allowed signers, for example the value of `valid-before`.
struct SignerTime {
    day: Date,
    /// Whether the time of day is midnight or is omitted.
    is_midnight: bool,
    /// Whether the time is in UTC. Otherwise, its time zone is unknown.
    is_utc: bool,
}

impl SignerTime {
    /// Parses a time in the form `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`. A `Z` at the end
    /// means UTC. Without the `Z`, the time is in the time zone of the computer that reads the
    /// file, which fndsa does not know.
    ///
    /// # Errors
    /// Fails if the text does not have one of these forms.
    fn parse(text: &str) -> Result<Self, String> {
        let digits = text.strip_suffix(['Z', 'z']);
        let is_utc = digits.is_some();
        let digits = digits.unwrap_or(text);
        if !matches!(digits.len(), 8 | 12 | 14) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(time_error(text));
        }
        let (day, time) = digits.split_at(8);
        let day = format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..]).parse().map_err(|_| time_error(text))?;
        let limits = ["24", "60", "61"];
        for (part, limit) in time.as_bytes().chunks(2).zip(limits) {
            if part >= limit.as_bytes() {
                return Err(time_error(text));
            }
        }
        Ok(Self { day, is_midnight: time.bytes().all(|digit| digit == b'0'), is_utc })
    }
}

/// Returns the error for a text that is not a time.
fn time_error(text: &str) -> String {
    format!("{:?} is not a time in the form YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS", first_characters(text))
}

/// Returns the first day, in UTC, that begins at the given time or later. If the time has no time
/// zone, the day is late enough for every time zone, so that the key is not valid too early.
fn first_full_day(text: &str) -> Result<Date, String> {
    let time = SignerTime::parse(text)?;
    let mut day = time.day;
    if !time.is_midnight {
        day = day.next().unwrap_or(Date::MAX);
    }
    if !time.is_utc {
        day = day.next().unwrap_or(Date::MAX);
    }
    Ok(day)
}

/// Returns the last day, in UTC, that ends at the given time or earlier. If the time has no time
/// zone, the day is early enough for every time zone, so that the key is not valid too long.
fn last_full_day(text: &str) -> Result<Date, String> {
    let time = SignerTime::parse(text)?;
    let day = time.day.previous().ok_or("the time is too early")?;
    if time.is_utc { Ok(day) } else { day.previous().ok_or_else(|| "the time is too early".to_owned()) }
}

/// Returns whether a text matches a list of patterns, which are separated by commas. The character
/// `*` matches any text, and `?` matches any character. If the text matches a pattern after `!`,
/// the result is false, even if the text also matches a pattern without `!`.
fn is_in_list(list: &str, text: &str) -> bool {
    let mut is_match = false;
    for pattern in list.split(',') {
        match pattern.strip_prefix('!') {
            Some(excluded) if matches_pattern(excluded.as_bytes(), text.as_bytes()) => return false,
            Some(_) => {}
            None => is_match |= matches_pattern(pattern.as_bytes(), text.as_bytes()),
        }
    }
    is_match
}

/// Returns whether a text matches a pattern. The running time is at most proportional to the
/// product of both lengths.
fn matches_pattern(pattern: &[u8], text: &[u8]) -> bool {
    let mut pattern_index = 0;
    let mut text_index = 0;
    // The position after the last `*` that was reached in the pattern, and the end of the text that
    // this `*` currently matches.
    let mut last_star = None;
    while text_index < text.len() {
        match pattern.get(pattern_index) {
            Some(b'*') => {
                pattern_index += 1;
                last_star = Some((pattern_index, text_index));
            }
            Some(wanted) if *wanted == b'?' || *wanted == text[text_index] => {
                pattern_index += 1;
                text_index += 1;
            }
            _ => {
                let Some((after_star, star_end)) = last_star else { return false };
                last_star = Some((after_star, star_end + 1));
                pattern_index = after_star;
                text_index = star_end + 1;
            }
        }
    }
    pattern[pattern_index..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_openssh() {
        for (list, text, expected) in [
            ("alice@example.com", "alice@example.com", true),
            ("alice@example.com", "alice@example.org", false),
            ("*@example.com", "alice@example.com", true),
            ("*@example.com", "alice@example.com.evil", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("?", "", false),
            ("?", "x", true),
            ("*", "", true),
            ("*,!bob", "alice", true),
            ("*,!bob", "bob", false),
            ("!bob", "alice", false),
            ("", "alice", false),
        ] {
            assert_eq!(is_in_list(list, text), expected, "{list} {text}");
        }
    }

    #[test]
    fn similar_names_have_similar_parts() {
        for (file, signer, expected) in [
            ("alice@example.com", "alicia@example.com", Some("alice@example.com")),
            ("alice@example.com", "Alice@example.org", Some("alice@example.com")),
            ("bob@example.com", "alice@example.com", None),
            ("alice@example.com", "alice", Some("alice@example.com")),
            ("alice", "alice@example.com", Some("alice")),
            ("alice@example.com", "alice@other.net", None),
            ("*@example.com", "alice@example.com", None),
        ] {
            let line = format!("{file} ssh-ed25519 AAAA");
            assert_eq!(nearest_name(line.as_bytes(), signer).as_deref(), expected, "{file} {signer}");
        }
    }

    #[test]
    fn times_become_full_days() {
        for (text, first, last) in [
            ("20270101Z", "2027-01-01", "2026-12-31"),
            ("202701010000Z", "2027-01-01", "2026-12-31"),
            ("20270101000001Z", "2027-01-02", "2026-12-31"),
            ("20270101", "2027-01-02", "2026-12-30"),
            ("202612311200", "2027-01-02", "2026-12-29"),
            ("20240229235960z", "2024-03-01", "2024-02-28"),
        ] {
            assert_eq!(first_full_day(text).unwrap().to_string(), first, "{text}");
            assert_eq!(last_full_day(text).unwrap().to_string(), last, "{text}");
        }
        for text in ["", "2027", "20270229Z", "20270101ZZ", "202701012400Z", "2027010123600Z", "0x1234", "+1d"] {
            assert!(first_full_day(text).is_err(), "{text}");
        }
    }
}
