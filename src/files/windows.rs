//! Checks names in lists and names for new files against the rules of Windows.
//!
//! On Windows, both `/` and `\` separate components, upper and lower case letters are equal, and a
//! name must be text. Some names do not belong to files: `NUL` and `con.txt` are devices in every
//! directory, and `a:b` is a stream in the file `a` or a file on the drive `A`. Windows also
//! removes a blank or dot at the end of a name. This module does not call Windows functions, so the
//! tests run on every system.
//!
//! This module cannot detect short names such as `PROGRA~1`. If a list contains both the short name
//! and the long name of a file, the list is accepted. Such a list is not dangerous: if the two
//! checksums differ, the file does not match one of them and is rejected.

use super::manifest::{self, ChecksumList, ListDefect};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Device names, which cannot be file names.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// The beginnings of device names that end with a digit, for example `COM1`.
const PORTS: [&str; 2] = ["COM", "LPT"];

/// Checks that a file can have this name, which must be a single path component.
///
/// # Errors
/// Fails if Windows would not use this name for a file in the directory, or would change the name.
pub fn check_component(name: &str) -> Result<(), ListDefect> {
    if name.contains(':') {
        return Err(ListDefect::Colon);
    }
    if is_device(name) {
        return Err(ListDefect::Device);
    }
    if name.ends_with([' ', '.']) { Err(ListDefect::Ending) } else { Ok(()) }
}

/// Returns whether Windows reserves a name for a device. Windows ignores the extension and any
/// blanks before the extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ');
    DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)) || PORTS.iter().any(|port| is_port(stem, port))
}

/// Returns whether a name consists of `port` and a digit.
fn is_port(name: &str, port: &str) -> bool {
    let Some((prefix, digit)) = name.split_at_checked(port.len()) else { return false };
    // Windows also accepts the superscript digits 1, 2 and 3.
    let is_digit = matches!(digit.as_bytes(), [b'0'..=b'9']) || matches!(digit, "\u{b9}" | "\u{b2}" | "\u{b3}");
    prefix.eq_ignore_ascii_case(port) && is_digit
}

/// Returns the canonical spelling of a name in a list, as [`manifest::canonical`] does, but also
/// converts each `\` to `/`.
///
/// # Errors
/// Fails if the name does not belong to a file below the current directory, is not UTF-8, or has a
/// component that is not a file name on Windows.
pub fn canonical(name: &[u8]) -> Result<Cow<'_, [u8]>, ListDefect> {
    let Ok(text) = core::str::from_utf8(name) else { return Err(ListDefect::NotUtf8) };
    let canonical_name = if text.contains('\\') {
        Cow::Owned(manifest::canonical(text.replace('\\', "/").as_bytes())?.into_owned())
    } else {
        manifest::canonical(name)?
    };
    let Ok(canonical_text) = core::str::from_utf8(&canonical_name) else { return Err(ListDefect::NotUtf8) };
    for part in canonical_text.split('/') {
        // The component `.` occurs only in the name `./-`, which is the canonical spelling for `-`.
        if part != "." {
            check_component(part)?;
        }
    }
    Ok(canonical_name)
}

/// Returns the index of the first name that is equal to an earlier name, without regard to upper
/// and lower case. Returns `None` if all names are different.
pub fn duplicate<N: AsRef<[u8]>>(names: &[N]) -> Option<usize> {
    let upper_case_name: Vec<_> = names.iter().map(|name| upper_case_name(name.as_ref())).collect();
    manifest::duplicate(&upper_case_name)
}

/// Converts each character of a name to upper case, as Windows does to compare names. A character
/// stays unchanged if its upper case form has several characters.
fn upper_case_name(name: &[u8]) -> String {
    let mut upper_case_name = String::with_capacity(name.len());
    for c in String::from_utf8_lossy(name).chars() {
        let mut capital = c.to_uppercase();
        upper_case_name.push(if capital.len() == 1 { capital.next().unwrap_or(c) } else { c });
    }
    upper_case_name
}

/// Parses a list as [`manifest::parse`] does, but with the rules for Windows names.
///
/// # Errors
/// Returns the errors of [`manifest::parse`], and also fails if Windows does not allow a name.
pub fn parse(list: &[u8]) -> Result<ChecksumList<'_>, (usize, ListDefect)> {
    manifest::parse_by(list, canonical, duplicate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_spelling_of_a_file_name_is_accepted() {
        for (name, spelling) in [
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
            assert_eq!(canonical(name.as_bytes()).unwrap(), spelling.as_bytes(), "{name}");
            assert_eq!(canonical(spelling.as_bytes()).unwrap(), spelling.as_bytes(), "{spelling} stays");
        }
    }

    #[test]
    fn invalid_names_are_rejected() {
        for (name, flaw) in [
            ("", ListDefect::NoName),
            ("-", ListDefect::Stdin),
            ("\\a", ListDefect::Absolute),
            ("/a", ListDefect::Absolute),
            ("\\\\server\\share\\a", ListDefect::Absolute),
            ("\\\\?\\C:\\a", ListDefect::Absolute),
            ("..\\a", ListDefect::Parent),
            ("d\\..\\..\\a", ListDefect::Parent),
            ("d/..\\a", ListDefect::Parent),
            ("C:\\a", ListDefect::Colon),
            ("c:a", ListDefect::Colon),
            ("a:stream", ListDefect::Colon),
            ("d\\a::$DATA", ListDefect::Colon),
            ("d\\", ListDefect::Directory),
            ("con", ListDefect::Device),
            ("d\\Aux", ListDefect::Device),
            ("aux\\a", ListDefect::Device),
            ("nul.txt", ListDefect::Device),
            ("nul .tar.gz", ListDefect::Device),
            ("COM1", ListDefect::Device),
            ("lpt\u{b2}.x", ListDefect::Device),
            ("conout$", ListDefect::Device),
            ("a.", ListDefect::Ending),
            ("a ", ListDefect::Ending),
            ("d .\\a", ListDefect::Ending),
            ("...", ListDefect::Ending),
        ] {
            assert_eq!(canonical(name.as_bytes()), Err(flaw), "{name}");
        }
        assert_eq!(canonical(b"\xff"), Err(ListDefect::NotUtf8));
    }

    #[test]
    fn both_separators_are_accepted_and_duplicate_names_are_rejected() {
        let digits = "0".repeat(64);
        let list = format!("{digits} *d/a\r\n\\{digits}  d\\\\b\r\n{digits}  d\\c\r\n");
        let names: Vec<_> =
            parse(list.as_bytes()).unwrap().files.into_iter().map(|listed| listed.name.into_owned()).collect();
        assert_eq!(names, [b"d/a", b"d/b", b"d/c"]);
        for (first, second) in [("a", "A"), ("d/a", "D\\a"), ("é", "É"), ("ÿ", "Ÿ"), ("a", ".\\a")] {
            let list = format!("{digits}  {first}\n{digits}  {second}\n");
            assert_eq!(parse(list.as_bytes()).unwrap_err(), (2, ListDefect::Duplicate), "{first} {second}");
        }
        // The upper case form of `ß` has two characters, so `ß` stays unchanged.
        assert_eq!(duplicate(&["ß", "SS"]), None);
    }
}
