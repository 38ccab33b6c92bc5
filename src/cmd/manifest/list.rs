//! The list of a manifest: what `sha256sum` writes and `sha256sum -c` reads.
//!
//! A line is 64 hexadecimal digits, a space, a space or `*`, and the name up to LF. A line whose
//! name has a backslash, LF or CR begins with a backslash, and they are written `\\`, `\n`, `\r`.
//! Names that lead out of the current directory are neither written nor read.

use crate::cmd::hex::{from_hex, hex};
use std::borrow::Cow;
use thiserror::Error;

/// More than two million files.
pub const MAX_MEBIBYTES: usize = 256;
/// Bytes of a checksum.
pub const DIGEST_LEN: usize = 32;
const DIGITS: usize = 2 * DIGEST_LEN;

/// What is wrong with a name or a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    #[error("the name is empty")]
    NoName,
    #[error("the name has a NUL byte")]
    Nul,
    #[error("`-` is standard input")]
    Stdin,
    #[error("an absolute name")]
    Absolute,
    #[error("a name with `..`")]
    Parent,
    #[error("the same name as before")]
    Duplicate,
    #[error("not 64 hexadecimal digits, two spaces and a name")]
    Line,
    #[error("a line of `sha256sum --tag`")]
    Tag,
    #[error("a backslash that stands for nothing")]
    Escape,
}

impl Flaw {
    /// The code for scripts.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NoName | Self::Nul | Self::Stdin => "manifest_name",
            Self::Absolute | Self::Parent => "manifest_name_outside",
            Self::Duplicate => "manifest_duplicate",
            Self::Line | Self::Tag | Self::Escape => "manifest_line",
        }
    }

    /// What to do.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Absolute | Self::Parent => {
                "names are below the current directory: change to one that is above all files"
            }
            Self::Stdin => "a file of that name is ./-",
            Self::NoName | Self::Nul | Self::Duplicate => "name every file once",
            Self::Tag => "make the list without --tag",
            Self::Line | Self::Escape => "a manifest is made by `fndsa sign -M`, or by `sha256sum` and `fndsa sign`",
        }
    }
}

/// Checks that a name leads to a file below the current directory.
///
/// # Errors
/// It does not.
pub fn check_name(name: &[u8]) -> Result<(), Flaw> {
    match name {
        [] => Err(Flaw::NoName),
        b"-" => Err(Flaw::Stdin),
        [b'/', ..] => Err(Flaw::Absolute),
        _ if name.contains(&0) => Err(Flaw::Nul),
        _ if name.split(|b| *b == b'/').any(|part| part == b"..") => Err(Flaw::Parent),
        _ => Ok(()),
    }
}

/// The number of the first name that stands before it already.
pub fn duplicate<N: AsRef<[u8]>>(names: &[N]) -> Option<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|i| (names[*i].as_ref(), *i));
    order.windows(2).filter(|pair| names[pair[0]].as_ref() == names[pair[1]].as_ref()).map(|pair| pair[1]).min()
}

/// Adds one line to a list. The name may be any.
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

/// One file of a list.
#[derive(Debug)]
pub struct Listed<'a> {
    digits: &'a [u8],
    /// Its name.
    pub name: Cow<'a, [u8]>,
}

impl AsRef<[u8]> for Listed<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.name
    }
}

impl<'a> Listed<'a> {
    /// Whether the file has this checksum.
    pub fn matches(&self, digest: &[u8]) -> bool {
        from_hex(self.digits).is_ok_and(|listed| listed == digest)
    }

    fn parse(line: &'a [u8]) -> Result<Self, Flaw> {
        let (escaped, text) = line.strip_prefix(b"\\").map_or((false, line), |text| (true, text));
        if text.starts_with(b"SHA256 (") {
            return Err(Flaw::Tag);
        }
        let (digits, rest) = text.split_at_checked(DIGITS).ok_or(Flaw::Line)?;
        let name = rest.strip_prefix(b"  ").or_else(|| rest.strip_prefix(b" *")).ok_or(Flaw::Line)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(Flaw::Line);
        }
        let name = if escaped { Cow::Owned(unescape(name)?) } else { Cow::Borrowed(name) };
        check_name(&name)?;
        Ok(Self { digits, name })
    }
}

fn unescape(name: &[u8]) -> Result<Vec<u8>, Flaw> {
    let (mut out, mut rest) = (Vec::with_capacity(name.len()), name.iter());
    while let Some(b) = rest.next() {
        out.push(match b {
            b'\\' => match rest.next() {
                Some(b'\\') => b'\\',
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                _ => return Err(Flaw::Escape),
            },
            b => *b,
        });
    }
    Ok(out)
}

/// Reads a list whose signature is good.
///
/// # Errors
/// The first line that is not one, by its number from 1. An empty list has none.
pub fn parse(list: &[u8]) -> Result<Vec<Listed<'_>>, (usize, Flaw)> {
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let lines = list.strip_suffix(b"\n").unwrap_or(list).split(|b| *b == b'\n');
    let listed: Vec<_> = lines
        .enumerate()
        .map(|(i, line)| Listed::parse(line).map_err(|flaw| (i + 1, flaw)))
        .collect::<Result<_, _>>()?;
    match duplicate(&listed) {
        Some(i) => Err((i + 1, Flaw::Duplicate)),
        None => Ok(listed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let names: [&[u8]; 7] = [b"a", b" ", b"-x", b"two\nlines", b"back\\slash\r", b"\xff", b"d/\\n"];
        let mut list = Vec::new();
        for (i, name) in names.iter().enumerate() {
            write_line(&mut list, &[i as u8; DIGEST_LEN], name);
        }
        let read = parse(&list).unwrap();
        assert_eq!(read.iter().map(|listed| &listed.name[..]).collect::<Vec<_>>(), names);
        assert!(read.iter().enumerate().all(|(i, listed)| listed.matches(&[i as u8; DIGEST_LEN])));
        assert!(!read[0].matches(&[1; DIGEST_LEN]));
    }

    #[test]
    fn both_marks_and_both_cases_are_read() {
        for line in [format!("{}  n", "ab".repeat(32)), format!("{} *n\n", "AB".repeat(32))] {
            let read = parse(line.as_bytes()).unwrap();
            assert!(read.len() == 1 && &read[0].name[..] == b"n" && read[0].matches(&[0xab; DIGEST_LEN]));
        }
    }

    #[test]
    fn bad_lines_are_refused_by_number() {
        let digits = "0".repeat(64);
        for (line, flaw) in [
            (String::new(), Flaw::Line),
            ("# comment".to_owned(), Flaw::Line),
            (format!("{digits} n"), Flaw::Line),
            (format!("{}g  n", "0".repeat(63)), Flaw::Line),
            (format!("0{digits}  n"), Flaw::Line),
            (format!("{digits}\t n"), Flaw::Line),
            (format!("{digits}  "), Flaw::NoName),
            (format!("{digits}  -"), Flaw::Stdin),
            (format!("{digits}  /n"), Flaw::Absolute),
            (format!("{digits}  .."), Flaw::Parent),
            (format!("{digits}  a/../n"), Flaw::Parent),
            (format!("{digits}  n\0"), Flaw::Nul),
            (format!("{digits}  first"), Flaw::Duplicate),
            (format!("SHA256 (n) = {digits}"), Flaw::Tag),
            (format!("\\{digits}  a\\tb"), Flaw::Escape),
            (format!("\\{digits}  a\\"), Flaw::Escape),
            // Escapes are undone before the name is judged.
            (format!("\\{digits}  fi\\nrst\n\\{digits}  fi\\nrst"), Flaw::Duplicate),
        ] {
            let list = format!("{digits}  first\n{line}\n");
            let (number, found) = parse(list.as_bytes()).unwrap_err();
            assert_eq!(found, flaw, "{line:?}");
            assert_eq!(number, list.lines().count(), "{line:?}");
        }
        assert!(parse(format!("{digits}  a..b/...\n").as_bytes()).is_ok());
    }
}
