//! Names as Windows has them: what a list may name, and what a new file may be called.
//!
//! Both `/` and `\` separate components, capital and small letters are one, and a name is text. Some names are none of
//! files: `NUL` and `con.txt` are devices wherever they stand, `a:b` is a stream of `a` or a file of drive `A`, and a
//! blank or a dot at the end is left out. Nothing here asks Windows, so that every system can test it.
//!
//! A short name, `PROGRA~1`, is another name of a file that this cannot tell. A list that has both says the same of the
//! file twice, or contradicts itself and fails.

use super::manifest::{self, Flaw, Manifest};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Names of devices, which no file can have.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Names of devices that have a digit after them.
const PORTS: [&str; 2] = ["COM", "LPT"];

/// Checks that a component of a path may be the name of a file.
///
/// # Errors
/// Windows would take it for something else.
pub fn check_component(name: &str) -> Result<(), Flaw> {
    if name.contains(':') {
        return Err(Flaw::Colon);
    }
    if is_device(name) {
        return Err(Flaw::Device);
    }
    if name.ends_with([' ', '.']) { Err(Flaw::Ending) } else { Ok(()) }
}

/// Returns whether Windows keeps a name for a device. An ending changes nothing, nor do blanks before it.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ');
    DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)) || PORTS.iter().any(|port| is_port(stem, port))
}

/// Returns whether a name is the name of a kind of ports and a digit.
fn is_port(name: &str, port: &str) -> bool {
    let Some((kind, digit)) = name.split_at_checked(port.len()) else { return false };
    // Three superscripts count as digits.
    let is_digit = matches!(digit.as_bytes(), [b'0'..=b'9']) || matches!(digit, "\u{b9}" | "\u{b2}" | "\u{b3}");
    kind.eq_ignore_ascii_case(port) && is_digit
}

/// Returns the one spelling of a name in a list: that of [`manifest::canonical`], with `/` for `\`.
///
/// # Errors
/// The name does not lead to a file below the current directory.
pub fn canonical(name: &[u8]) -> Result<Cow<'_, [u8]>, Flaw> {
    let text = core::str::from_utf8(name).map_err(|_| Flaw::NotUtf8)?;
    let one = if text.contains('\\') {
        Cow::Owned(manifest::canonical(text.replace('\\', "/").as_bytes())?.into_owned())
    } else {
        manifest::canonical(name)?
    };
    let spelled = core::str::from_utf8(&one).map_err(|_| Flaw::NotUtf8)?;
    // The file of the name `-` is `./-`.
    spelled.split('/').filter(|part| *part != ".").try_for_each(check_component)?;
    Ok(one)
}

/// Returns the place, from 0, of the first name that stands before it already, in capital or small letters; `None` if
/// all are different.
pub fn duplicate<N: AsRef<[u8]>>(names: &[N]) -> Option<usize> {
    let folded: Vec<_> = names.iter().map(|name| folded(name.as_ref())).collect();
    manifest::duplicate(&folded)
}

/// Returns a name in capital letters, character by character, as Windows compares names. What is several letters as a
/// capital stays.
fn folded(name: &[u8]) -> String {
    let mut folded = String::with_capacity(name.len());
    for c in String::from_utf8_lossy(name).chars() {
        let mut capital = c.to_uppercase();
        folded.push(if capital.len() == 1 { capital.next().unwrap_or(c) } else { c });
    }
    folded
}

/// Reads a list as [`manifest::parse`] does, by the rules of this module.
///
/// # Errors
/// The first line that is not one, by its number from 1, and what is wrong with it.
pub fn parse(list: &[u8]) -> Result<Manifest<'_>, (usize, Flaw)> {
    manifest::parse_by(list, canonical, duplicate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_name() {
        for (name, one) in [
            ("a", "a"),
            ("d\\a", "d/a"),
            (".\\d\\\\.\\a", "d/a"),
            ("d/e\\a", "d/e/a"),
            (".\\-", "./-"),
            ("Grüße.txt", "Grüße.txt"),
            ("console", "console"),
            ("com", "com"),
            ("com10", "com10"),
            ("a.con", "a.con"),
            ("lpt.1", "lpt.1"),
        ] {
            assert_eq!(canonical(name.as_bytes()).unwrap(), one.as_bytes(), "{name}");
            assert_eq!(canonical(one.as_bytes()).unwrap(), one.as_bytes(), "{one} stays");
        }
    }

    #[test]
    fn names_that_are_none_are_refused() {
        for (name, flaw) in [
            ("", Flaw::NoName),
            ("-", Flaw::Stdin),
            ("\\a", Flaw::Absolute),
            ("/a", Flaw::Absolute),
            ("\\\\server\\share\\a", Flaw::Absolute),
            ("\\\\?\\C:\\a", Flaw::Absolute),
            ("..\\a", Flaw::Parent),
            ("d\\..\\..\\a", Flaw::Parent),
            ("d/..\\a", Flaw::Parent),
            ("C:\\a", Flaw::Colon),
            ("c:a", Flaw::Colon),
            ("a:stream", Flaw::Colon),
            ("d\\a::$DATA", Flaw::Colon),
            ("d\\", Flaw::Directory),
            ("con", Flaw::Device),
            ("d\\Aux", Flaw::Device),
            ("aux\\a", Flaw::Device),
            ("nul.txt", Flaw::Device),
            ("nul .tar.gz", Flaw::Device),
            ("COM1", Flaw::Device),
            ("lpt\u{b2}.x", Flaw::Device),
            ("conout$", Flaw::Device),
            ("a.", Flaw::Ending),
            ("a ", Flaw::Ending),
            ("d .\\a", Flaw::Ending),
            ("...", Flaw::Ending),
        ] {
            assert_eq!(canonical(name.as_bytes()), Err(flaw), "{name}");
        }
        assert_eq!(canonical(b"\xff"), Err(Flaw::NotUtf8));
    }

    #[test]
    fn lists_are_read_with_both_separators_and_without_doubles() {
        let digits = "0".repeat(64);
        let list = format!("{digits} *d/a\r\n\\{digits}  d\\\\b\r\n{digits}  d\\c\r\n");
        let names: Vec<_> =
            parse(list.as_bytes()).unwrap().files.into_iter().map(|listed| listed.name.into_owned()).collect();
        assert_eq!(names, [b"d/a", b"d/b", b"d/c"]);
        for (one, other) in [("a", "A"), ("d/a", "D\\a"), ("é", "É"), ("ÿ", "Ÿ"), ("a", ".\\a")] {
            let list = format!("{digits}  {one}\n{digits}  {other}\n");
            assert_eq!(parse(list.as_bytes()).unwrap_err(), (2, Flaw::Duplicate), "{one} {other}");
        }
        // Not one letter as a capital.
        assert_eq!(duplicate(&["ß", "SS"]), None);
    }
}
