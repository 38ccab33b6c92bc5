//! Checks, before clap parses the command line, that no argument contains the text of a key instead
//! of a file name. `report::keytext` defines the patterns.

use crate::tool::context::LEVEL_VARIABLE;
use crate::tool::report::keytext::{LeakedKeyText, looks, pem};
use crate::tool::system::name_of;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

/// Long and short options with free text as values.
const FREE: [&str; 3] = ["--context", "--context-hex", "--expect-key"];
const FREE_SHORT: u8 = b'c';

/// Finds the first argument that contains the text of a key. Also checks the variable for the
/// level, because the command-line parser reads this variable. `command` returns the definition of
/// the command that the arguments name.
pub fn in_arguments(command: impl Fn(&[OsString]) -> Option<clap::Command>) -> Option<LeakedKeyText> {
    let level = std::env::var_os(LEVEL_VARIABLE).and_then(|value| looks(&value));
    if let Some(looks) = level {
        let hint = "set the variable to the name of a level; `fndsa --version` lists the levels";
        return Some(LeakedKeyText { place: LEVEL_VARIABLE.to_owned(), looks, takes: "a level", hint });
    }
    let all: Vec<OsString> = std::env::args_os().skip(1).collect();
    let options = all.iter().position(|argument| argument == "--").unwrap_or(all.len());
    all.iter().enumerate().find_map(|(i, argument)| {
        let (option, value) = if i < options { split(argument) } else { (None, Cow::Borrowed(argument.as_os_str())) };
        let before = i.checked_sub(1).filter(|_| i < options && option.is_none());
        let before = before.and_then(|before| split(&all[before]).0);
        let option = option.or(before);
        let looks = match option.as_deref() {
            Some(name) if is_free(name) => pem(argument.as_encoded_bytes()),
            // If key text is not quoted in the shell, its first word, `-----BEGIN`, looks like an
            // option.
            _ => pem(argument.as_encoded_bytes()).or_else(|| looks(&value)),
        }?;
        let of = option.and_then(|name| taken_by(&name, command(&all)?).map(|takes| (name, takes)));
        Some(match of {
            Some((name, takes)) => {
                LeakedKeyText { place: name.to_string_lossy().into_owned(), looks, takes, hint: looks.hint() }
            }
            None => LeakedKeyText { place: "an argument".to_owned(), looks, takes: "a file name", hint: looks.hint() },
        })
    })
}

/// Splits an argument into its option, if it starts with an option, and the part that may be a
/// value.
fn split(argument: &OsStr) -> (Option<Cow<'_, OsStr>>, Cow<'_, OsStr>) {
    let bytes = argument.as_encoded_bytes();
    let len = match bytes {
        [b'-', b'-', rest @ ..] => 2 + rest.iter().take_while(|b| b.is_ascii_lowercase() || **b == b'-').count(),
        [b'-', letter, ..] if letter.is_ascii_alphanumeric() => 2,
        _ => return (None, Cow::Borrowed(argument)),
    };
    let value = &bytes[len..];
    (Some(name_of(&bytes[..len])), name_of(value.strip_prefix(b"=").unwrap_or(value)))
}

/// Returns whether an option accepts any text.
fn is_free(option: &OsStr) -> bool {
    FREE.iter().any(|name| option == *name) || option.as_encoded_bytes() == [b'-', FREE_SHORT]
}

/// Describes the value that an option accepts; `None` if the option accepts no value.
fn taken_by(option: &OsStr, command: clap::Command) -> Option<&'static str> {
    let bytes = option.as_encoded_bytes();
    let argument = command.get_arguments().find(|argument| match bytes.strip_prefix(b"--") {
        Some(name) => argument.get_long().is_some_and(|long| long.as_bytes() == name),
        None => argument.get_short().is_some_and(|short| bytes.last() == u8::try_from(short).ok().as_ref()),
    })?;
    if !argument.get_action().takes_values() {
        return None;
    }
    Some(match argument.get_value_names().and_then(|names| names.first()).map(|name| name.as_str()) {
        Some("FILE" | "OUT") => "a file name",
        Some("VAR") => "the name of a variable",
        _ => "the value of this option",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_separated_from_their_values() {
        for (argument, option, value) in [
            ("--key=x", Some("--key"), "x"),
            ("--key", Some("--key"), ""),
            ("-kx", Some("-k"), "x"),
            ("-k=x", Some("-k"), "x"),
            ("-", None, "-"),
            ("x=y", None, "x=y"),
            ("--KEY", Some("--"), "KEY"),
        ] {
            let (found, rest) = split(OsStr::new(argument));
            assert_eq!((found.as_deref(), &*rest), (option.map(OsStr::new), OsStr::new(value)), "{argument}");
        }
    }
}
