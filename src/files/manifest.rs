//! Parses and writes lists of checksums, in the format of `sha256sum`.
//!
//! A line consists of 64 hexadecimal digits, a space, a space or `*`, and the name up to LF or CR
//! LF. If a name contains a backslash, LF or CR, the line starts with a backslash, and these
//! characters are written as `\\`, `\n` and `\r`. Empty lines and lines that start with `#` are
//! ignored. `sha256sum -c` in coreutils reads lines in the same way.
//!
//! The parser also accepts the following forms, as `sha256sum -c` does:
//!
//! - blanks and tabs before the digits
//! - a tab after the digits
//! - a single blank between digits and name, instead of two characters
//! - the BSD format `SHA256 (NAME) = DIGITS`, which `openssl dgst` also writes
//!
//! All lines of a list, except lines in BSD format, must have the same number of characters between
//! digits and name. Otherwise, the name in the line `DIGITS *a` could be either `*a` or `a`.
//! coreutils also rejects such lists.
//!
//! An entry can contain a date instead of a file. For example, the name can be
//! `BEST-BEFORE-2026-12-31`, with the checksum of an empty file. This entry means that verifiers
//! accept the list until 2026-12-31. systemd also reads such entries in its lists of downloads.
//!
//! Names are compared in canonical spelling, which [`canonical`] defines. A name that leads out of
//! the current directory is an error, both when a list is written and when it is read. A list with
//! two entries for the same file is also an error, because the entries could contradict each other.

use super::date::Date;
use super::hex::{from_hex, hex};
use super::list_defect::hash_name;
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

pub use super::list_defect::ListDefect;

/// The length of a SHA-256 checksum in bytes.
pub const DIGEST_LEN: usize = 32;
const HEX_LEN: usize = 2 * DIGEST_LEN;

/// The maximum length of a name in bytes. No supported system can open a file with a longer name.
const MAX_NAME: usize = 64 << 10;

/// The start of the name in a date entry.
const BEST_BEFORE: &[u8] = b"BEST-BEFORE-";
/// The SHA-256 digest of the empty message (FIPS 180-4), which is the checksum in a date entry.
const EMPTY_DIGEST: [u8; DIGEST_LEN] = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41,
    0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
];

/// Returns whether a name in canonical spelling starts with `BEST-BEFORE-`. Such names are reserved
/// for date entries, and cannot belong to a file.
pub fn is_best_before(name: &[u8]) -> bool {
    name.starts_with(BEST_BEFORE)
}

/// Returns whether a name is the name of a date entry with a valid date.
pub fn names_a_day(name: &[u8]) -> bool {
    match name.strip_prefix(BEST_BEFORE) {
        Some(day) => Date::from_bytes(day).is_ok(),
        None => false,
    }
}

/// Returns the name of the date entry for a date.
pub fn best_before_name(date: Date) -> Vec<u8> {
    [BEST_BEFORE, format!("{date}").as_bytes()].concat()
}

/// Adds a date entry to a list. `date` is the last day on which to accept the list.
pub fn write_best_before(list: &mut Vec<u8>, date: Date) {
    write_line(list, &EMPTY_DIGEST, &best_before_name(date));
}

/// Returns the canonical spelling of a name: the components, separated by one `/`, without the
/// component `.`. The only exception is the file `-`: its canonical spelling is `./-`, because `-`
/// means standard input.
///
/// # Errors
/// Fails if the name does not belong to a file below the current directory, is `-`, contains a NUL
/// byte, or is too long. The function does not read the file system, so a symbolic link in the path
/// can still lead out of the directory.
pub fn canonical(name: &[u8]) -> Result<Cow<'_, [u8]>, ListDefect> {
    match name {
        [] => return Err(ListDefect::NoName),
        b"-" => return Err(ListDefect::Stdin),
        _ if name.len() > MAX_NAME => return Err(ListDefect::NameLen),
        [b'/', ..] => return Err(ListDefect::Absolute),
        _ if name.contains(&0) => return Err(ListDefect::Nul),
        _ => {}
    }
    let mut parts = Vec::new();
    let mut is_canonical = true;
    let mut is_directory = false;
    for part in name.split(|b| *b == b'/') {
        if part == b".." {
            return Err(ListDefect::Parent);
        }
        is_directory = part.is_empty() || part == b".";
        if is_directory {
            is_canonical = false;
        } else {
            parts.push(part);
        }
    }
    if is_directory {
        return Err(ListDefect::Directory);
    }
    if is_canonical {
        return Ok(Cow::Borrowed(name));
    }
    Ok(if parts == [b"-"] { Cow::Borrowed(b"./-") } else { Cow::Owned(parts.join(&b'/')) })
}

/// Returns the index of the first name that is equal to an earlier name. Returns `None` if all
/// names are different.
pub fn duplicate<N: AsRef<[u8]>>(names: &[N]) -> Option<usize> {
    let mut indexed_names: Vec<(&[u8], usize)> = names.iter().map(AsRef::as_ref).zip(0..).collect();
    indexed_names.sort_unstable();
    let mut duplicates = Vec::new();
    for pair in indexed_names.windows(2) {
        if pair[0].0 == pair[1].0 {
            duplicates.push(pair[1].1);
        }
    }
    duplicates.into_iter().min()
}

/// Adds an entry to a list. `digest` is written as hexadecimal digits. `name` can contain any
/// bytes, and is escaped if necessary.
pub fn write_line(list: &mut Vec<u8>, digest: &[u8], name: &[u8]) {
    if name.iter().any(|b| matches!(b, b'\\' | b'\n' | b'\r')) {
        list.push(b'\\');
    }
    list.extend_from_slice(hex(digest).as_bytes());
    list.extend_from_slice(b"  ");
    for b in name {
        match b {
            b'\\' => list.extend_from_slice(b"\\\\"),
            b'\n' => list.extend_from_slice(b"\\n"),
            b'\r' => list.extend_from_slice(b"\\r"),
            b => list.push(*b),
        }
    }
    list.push(b'\n');
}

/// A function that converts a name to its canonical spelling.
pub(super) type NameCanonicalizer = fn(&[u8]) -> Result<Cow<'_, [u8]>, ListDefect>;

/// The list's contents.
#[derive(Debug)]
#[non_exhaustive]
pub struct ChecksumList<'a> {
    /// The listed files, in the order of the list.
    pub files: Vec<ChecksumEntry<'a>>,
    /// The last day on which to accept the list, if it has a date entry. The parser does not
    /// compare this day with the current date.
    pub best_before: Option<Date>,
}

/// An entry in a list: a file, or a date.
#[derive(Debug)]
#[non_exhaustive]
pub struct ChecksumEntry<'a> {
    /// The checksum in hexadecimal digits.
    hex_digest: &'a [u8],
    /// The file's name, in canonical spelling.
    pub name: Cow<'a, [u8]>,
}

impl AsRef<[u8]> for ChecksumEntry<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.name
    }
}

impl<'a> ChecksumEntry<'a> {
    /// Returns the expected checksum of the file.
    pub fn digest(&self) -> Vec<u8> {
        from_hex(self.hex_digest).unwrap_or_default()
    }

    /// Returns the date of a date entry, or `None` if the entry is for a file. Returns an error if
    /// the entry is a date entry with a defect.
    fn best_before(&self) -> Result<Option<Date>, ListDefect> {
        let Some(day) = self.name.strip_prefix(BEST_BEFORE) else { return Ok(None) };
        let Ok(date) = Date::from_bytes(day) else { return Err(ListDefect::BestBefore) };
        if self.digest() == EMPTY_DIGEST { Ok(Some(date)) } else { Err(ListDefect::BestBeforeDigest) }
    }

    /// Parses a line. The result also contains the date if the entry is a date entry.
    /// `list_separator` is the separator in the list's earlier lines. The first line that is not in
    /// BSD format sets the separator.
    fn parse(
        line: &'a [u8],
        list_separator: &mut Option<NameSeparator>,
        canonical: NameCanonicalizer,
    ) -> Result<(Self, Option<Date>), ListDefect> {
        let line = trim_leading_blanks(line);
        let is_escaped = line.starts_with(b"\\");
        let text = if is_escaped { &line[1..] } else { line };
        let (hex_digest, name) = match text.strip_prefix(b"SHA256") {
            Some(rest) => split_bsd_line(rest)?,
            None => {
                let (hex_digest, name, separator) = split_plain_line(text)?;
                if *list_separator.get_or_insert(separator) != separator {
                    return Err(ListDefect::MixedSeparators);
                }
                (hex_digest, name)
            }
        };
        let name = if is_escaped { Cow::Owned(canonical(&unescape(name)?)?.into_owned()) } else { canonical(name)? };
        let entry = Self { hex_digest, name };
        let date = entry.best_before()?;
        Ok((entry, date))
    }
}

/// The separator between the digits and the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameSeparator {
    /// A blank or a tab.
    Single,
    /// A blank or a tab, and then a blank or `*`.
    Double,
}

fn trim_leading_blanks(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    text
}

fn is_hex_digest(text: &[u8]) -> bool {
    text.len() == HEX_LEN && text.iter().all(u8::is_ascii_hexdigit)
}

/// Splits a line that is not in BSD format into the digits, the name and the separator.
fn split_plain_line(text: &[u8]) -> Result<(&[u8], &[u8], NameSeparator), ListDefect> {
    let (hex_digest, rest) = match text.split_at_checked(HEX_LEN) {
        Some((hex_digest, rest)) if is_hex_digest(hex_digest) => (hex_digest, rest),
        _ => return Err(line_defect(text)),
    };
    match rest {
        [b' ' | b'\t', b' ' | b'*', name @ ..] => Ok((hex_digest, name, NameSeparator::Double)),
        [b' ' | b'\t', name @ ..] => Ok((hex_digest, name, NameSeparator::Single)),
        _ => Err(line_defect(text)),
    }
}

/// Splits a line in BSD format into the digits and the name. `rest` is the line after `SHA256`. The
/// last closing bracket ends the name, because a name can contain brackets.
fn split_bsd_line(rest: &[u8]) -> Result<(&[u8], &[u8]), ListDefect> {
    let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(").ok_or(ListDefect::Line)?;
    let end = rest.iter().rposition(|b| *b == b')').ok_or(ListDefect::Line)?;
    let hex_digest = trim_leading_blanks(&rest[end + 1..]).strip_prefix(b"=").ok_or(ListDefect::Line)?;
    let hex_digest = trim_leading_blanks(hex_digest);
    if is_hex_digest(hex_digest) { Ok((hex_digest, &rest[..end])) } else { Err(ListDefect::Line) }
}

/// Returns the defect for a line that does not start with a SHA-256 checksum and a blank.
fn line_defect(text: &[u8]) -> ListDefect {
    let digit_count = text.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    if !hash_name(digit_count).is_empty() && matches!(text.get(digit_count), Some(b' ' | b'\t')) {
        return ListDefect::OtherHash(digit_count);
    }
    let hash = text.iter().take_while(|b| b.is_ascii_alphanumeric() || b"-/_".contains(b)).count();
    let rest = text[hash..].strip_prefix(b" ").unwrap_or(&text[hash..]);
    // `sha256sum --tag` writes `SHA256 (name) = digits`. OpenSSL writes `SHA2-256(name)= digits`.
    let has_equals = rest.windows(3).any(|part| part == b") =" || part == b")= ");
    match text {
        _ if text.starts_with(b"-----BEGIN PGP SIGNED MESSAGE-----") => ListDefect::OpenPgp,
        _ if hash > 0 && rest.starts_with(b"(") && has_equals => ListDefect::Tag,
        _ => ListDefect::Line,
    }
}

fn unescape(name: &[u8]) -> Result<Vec<u8>, ListDefect> {
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name.iter();
    while let Some(b) = rest.next() {
        out.push(match b {
            b'\\' => match rest.next() {
                Some(b'\\') => b'\\',
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                _ => return Err(ListDefect::Escape),
            },
            b => *b,
        });
    }
    Ok(out)
}

/// Returns a list's lines without line ends, each with its line number, counted from 1.
fn lines(list: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    (1..).zip(list.split(|b| *b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)))
}

/// Returns a list's lines without empty lines and comments, with the numbers from [`lines`].
fn entries(list: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    lines(list).filter(|(_, line)| !line.is_empty() && !line.starts_with(b"#"))
}

/// Returns the comments in a list, without the `#` and without a blank after it.
pub fn comments(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    lines(list).filter_map(|(_, line)| line.strip_prefix(b"#")).map(|text| text.strip_prefix(b" ").unwrap_or(text))
}

/// Parses a list. Verify the signature of the list before you call this function. If the list has
/// no files, the result is empty.
///
/// # Errors
/// Fails if a line is malformed, or if two lines name the same file. The error contains the line
/// number, counted from 1, and the defect. The first malformed line is reported. Two lines for the
/// same file are reported only if no line is malformed.
pub fn parse(list: &[u8]) -> Result<ChecksumList<'_>, (usize, ListDefect)> {
    parse_by(list, canonical, duplicate)
}

/// Parses a list. `canonical` and `duplicate` implement the rules for file names in an operating
/// system.
pub(super) fn parse_by<'a>(
    list: &'a [u8],
    canonical: NameCanonicalizer,
    duplicate: impl Fn(&[ChecksumEntry<'a>]) -> Option<usize>,
) -> Result<ChecksumList<'a>, (usize, ListDefect)> {
    if list.starts_with(b"\xef\xbb\xbf") {
        return Err((1, ListDefect::ByteOrderMark));
    }
    let mut files = Vec::new();
    let mut list_separator = None;
    let mut best_before = None;
    let mut files_before_date = 0;
    for (number, line) in entries(list) {
        let (entry, date) =
            ChecksumEntry::parse(line, &mut list_separator, canonical).map_err(|defect| (number, defect))?;
        match date {
            None => files.push(entry),
            Some(_) if best_before.is_some() => return Err((number, ListDefect::SecondBestBefore)),
            Some(_) => {
                best_before = date;
                files_before_date = files.len();
            }
        }
    }
    if let Some(index) = duplicate(&files) {
        let follows_date = best_before.is_some() && files_before_date <= index;
        let (number, _) = entries(list).nth(index + usize::from(follows_date)).unwrap_or_default();
        return Err((number, ListDefect::Duplicate));
    }
    Ok(ChecksumList { files, best_before })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_lines_are_read_back() {
        let names: [&[u8]; 7] = [b"a", b" ", b"-x", b"two\nlines", b"back\\slash\r", b"\xff", b"d/\\n"];
        let mut list = Vec::new();
        for (i, name) in names.iter().enumerate() {
            write_line(&mut list, &[i as u8; DIGEST_LEN], name);
        }
        let read = parse(&list).unwrap().files;
        assert_eq!(read.iter().map(|listed| &listed.name[..]).collect::<Vec<_>>(), names);
        assert!(read.iter().enumerate().all(|(i, listed)| listed.digest() == [i as u8; DIGEST_LEN]));
    }

    #[test]
    fn text_and_binary_marks_and_both_letter_cases_are_accepted() {
        for line in [format!("{}  n", "ab".repeat(32)), format!("{} *n\n", "AB".repeat(32))] {
            let read = parse(line.as_bytes()).unwrap().files;
            assert!(read.len() == 1 && &read[0].name[..] == b"n" && read[0].digest() == [0xab; DIGEST_LEN]);
        }
    }

    #[test]
    fn lines_of_other_programs_are_read() {
        let digest = "ab".repeat(32);
        for (line, name) in [
            (format!("{digest} n"), "n"),
            (format!("{digest}\tn"), "n"),
            (format!("{digest}\t n"), "n"),
            (format!("{digest}\t*n"), "n"),
            (format!(" \t {digest}  n"), "n"),
            (format!("  \\{digest}  a\\\\n"), "a\\n"),
            (format!("SHA256 (n) = {digest}"), "n"),
            (format!("SHA256(n)= {digest}"), "n"),
            (format!(" SHA256 (n)\t=\t{}\r", digest.to_uppercase()), "n"),
            (format!("SHA256 (n) (1)) = {digest}"), "n) (1)"),
            (format!("SHA256 ( n ) = {digest}"), " n "),
            (format!("\\SHA256 (a\\nb) = {digest}"), "a\nb"),
        ] {
            let list = format!("{line}\n");
            let read = parse(list.as_bytes()).unwrap_or_else(|e| panic!("{line:?}: {e:?}")).files;
            assert!(read.len() == 1 && &read[0].name[..] == name.as_bytes(), "{line:?}");
            assert_eq!(read[0].digest(), [0xab; DIGEST_LEN], "{line:?}");
        }
        // If a list could contain different separators, a name that starts with a blank or `*`
        // would be ambiguous.
        let mixed = format!("{digest} a\n{digest}  b\n");
        assert_eq!(parse(mixed.as_bytes()).unwrap_err(), (2, ListDefect::MixedSeparators));
        let bsd_line = format!("{digest} a\nSHA256 (b) = {digest}\n");
        assert_eq!(parse(bsd_line.as_bytes()).unwrap().files.len(), 2);
    }

    #[test]
    fn a_bad_line_is_reported_with_its_number() {
        let digest = "0".repeat(64);
        for (line, defect) in [
            (" ".to_owned(), ListDefect::Line),
            (" # not at the beginning".to_owned(), ListDefect::Line),
            (format!("\\# {digest}  n"), ListDefect::Line),
            (format!("{digest} n"), ListDefect::MixedSeparators),
            (format!("{}g  n", "0".repeat(63)), ListDefect::Line),
            (format!("0{digest}  n"), ListDefect::Line),
            (format!("{digest}  "), ListDefect::NoName),
            (format!("{digest}  -"), ListDefect::Stdin),
            (format!("{digest}  /n"), ListDefect::Absolute),
            (format!("{digest}  .."), ListDefect::Parent),
            (format!("{digest}  a/../n"), ListDefect::Parent),
            (format!("{digest}  n\0"), ListDefect::Nul),
            (format!("{digest}  d/"), ListDefect::Directory),
            (format!("{digest}  d/."), ListDefect::Directory),
            (format!("{digest}  ."), ListDefect::Directory),
            (format!("{digest}  first"), ListDefect::Duplicate),
            (format!("{digest}  ./first"), ListDefect::Duplicate),
            (format!("{digest}  .//./first"), ListDefect::Duplicate),
            (format!("{digest}  d/n\n\n#\n{digest}  d/.//n"), ListDefect::Duplicate),
            (format!("SHA512 (n) = {digest}"), ListDefect::Tag),
            (format!("{digest}{digest}  n"), ListDefect::OtherHash(128)),
            (format!("{}  n", &digest[..32]), ListDefect::OtherHash(32)),
            (format!("{}n", &digest[..32]), ListDefect::Line),
            (format!("{}  n", &digest[..63]), ListDefect::Line),
            (format!("SHA2-256(n)= {digest}"), ListDefect::Tag),
            (format!("SHA256 (n = {digest}"), ListDefect::Line),
            (format!("SHA256 (n) = {digest}0"), ListDefect::Line),
            (format!("SHA256 (n) = {digest} "), ListDefect::Line),
            (format!("SHA256  (n) = {digest}"), ListDefect::Line),
            (format!("SHA256 (n) {digest}"), ListDefect::Line),
            (format!("SHA256 (../n) = {digest}"), ListDefect::Parent),
            (format!("SHA256 (first) = {digest}"), ListDefect::Duplicate),
            ("-----BEGIN PGP SIGNED MESSAGE-----".to_owned(), ListDefect::OpenPgp),
            (format!("\\{digest}  a\\tb"), ListDefect::Escape),
            (format!("\\{digest}  a\\"), ListDefect::Escape),
            // Escapes are decoded before names are compared.
            (format!("\\{digest}  fi\\nrst\n\\{digest}  fi\\nrst"), ListDefect::Duplicate),
        ] {
            let list = format!("{digest}  first\n{line}\n");
            let (number, found) = parse(list.as_bytes()).unwrap_err();
            assert_eq!(found, defect, "{line:?}");
            assert_eq!(number, list.lines().count(), "{line:?}");
        }
        assert!(parse(format!("{digest}  a..b/...\n").as_bytes()).is_ok());
        assert_eq!(parse(format!("\u{feff}{digest}  n\n").as_bytes()).unwrap_err(), (1, ListDefect::ByteOrderMark));
    }

    #[test]
    fn only_one_spelling_of_a_file_name_is_accepted() {
        for (name, expected) in [
            ("a", "a"),
            ("./a", "a"),
            ("././/a", "a"),
            ("d//a", "d/a"),
            ("d/./a", "d/a"),
            (".a/a.", ".a/a."),
            ("./-", "./-"),
            (".//-", "./-"),
            ("d/-", "d/-"),
            ("./-x", "-x"),
            ("...", "..."),
        ] {
            assert_eq!(canonical(name.as_bytes()).unwrap(), expected.as_bytes(), "{name}");
            assert_eq!(canonical(expected.as_bytes()).unwrap(), expected.as_bytes(), "{expected} stays");
        }
    }

    #[test]
    fn comments_and_line_ends_are_ignored() {
        let digest = "0".repeat(64);
        let list = format!("# a list\r\n\r\n{digest}  a\r\n\n#\n{digest}  b\\\r\n\\{digest}  c\\r\r\n{digest}  d\r");
        let read = parse(list.as_bytes()).unwrap().files;
        let names: Vec<_> = read.iter().map(|listed| &listed.name[..]).collect();
        assert_eq!(names, [&b"a"[..], b"b\\", b"c\r", b"d"]);
        for empty_list in ["", "\n", "# only this", "\r\n\n"] {
            assert!(parse(empty_list.as_bytes()).unwrap().files.is_empty(), "{empty_list:?}");
        }
    }

    #[test]
    fn one_entry_may_be_the_last_day() {
        let digest = "0".repeat(64);
        let date: Date = "2026-12-31".parse().unwrap();
        let mut day = Vec::new();
        write_best_before(&mut day, date);
        let day = alloc::string::String::from_utf8(day).unwrap();
        assert_eq!(day, format!("{}  BEST-BEFORE-2026-12-31\n", hex(&EMPTY_DIGEST)));
        let file = |name: &str| format!("{digest}  {name}\n");
        let dotted = day.replace("  BEST", " *./BEST").replace('\n', "\r\n");
        for list in [day.clone() + &file("a"), file("a") + &day, file("a") + &dotted + &file("b")] {
            let read = parse(list.as_bytes()).unwrap();
            assert_eq!(read.best_before, Some(date), "{list}");
            assert!(read.files.iter().all(|listed| &listed.name[..] == b"a" || &listed.name[..] == b"b"), "{list}");
        }
        // The following names are not date entries, because they are in a directory, in lower case,
        // or without the last hyphen.
        for name in ["d/BEST-BEFORE-2026-12-31", "best-before-2026-12-31", "BEST-BEFORE"] {
            let list = file(name);
            let read = parse(list.as_bytes()).unwrap();
            assert!(read.best_before.is_none() && read.files.len() == 1, "{name}");
        }
        let other_date = day.replace("2026", "2027");
        let in_words = day.replace("2026-12-31", "tomorrow");
        for (list, line, defect) in [
            (file("a") + &day + &day, 3, ListDefect::SecondBestBefore),
            (other_date + &day, 2, ListDefect::SecondBestBefore),
            (file("a") + &file("BEST-BEFORE-2026-12-31"), 2, ListDefect::BestBeforeDigest),
            (day.replace("12-31", "02-29"), 1, ListDefect::BestBefore),
            (day.replace("-31", "-31 "), 1, ListDefect::BestBefore),
            (in_words, 1, ListDefect::BestBefore),
            // A date entry does not change the line number in the error for a duplicate.
            (day.clone() + &file("a") + &file("a"), 3, ListDefect::Duplicate),
            (file("a") + &day + &file("a"), 3, ListDefect::Duplicate),
            (file("a") + &file("a") + &day, 2, ListDefect::Duplicate),
        ] {
            assert_eq!(parse(list.as_bytes()).unwrap_err(), (line, defect), "{list}");
        }
        assert!(is_best_before(&best_before_name(date)) && !is_best_before(b"a"));
    }

    #[test]
    fn the_text_after_the_mark_is_a_comment() {
        let list = format!("# one\r\n{}  a\n#two\n#\n#  three\n \n", "0".repeat(64));
        assert_eq!(comments(list.as_bytes()).collect::<Vec<_>>(), [&b"one"[..], b"two", b"", b" three"]);
        assert_eq!(comments(b"").count(), 0);
    }
}
