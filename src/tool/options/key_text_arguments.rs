//! Checks that no argument contains key text instead of a file name, before clap parses the command
//! line. `report::keytext` defines the patterns of key text, and also hides key text in messages.

use crate::tool::context::LEVEL_VARIABLE;
use crate::tool::report::keytext::{KeyTextKind, LeakedKeyText, kind_of, pem};
use crate::tool::system::name_of;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

/// The long options for values that can be any text. Only PEM is key text in these values.
const FREE_TEXT_OPTIONS: [&str; 3] = ["--context", "--context-hex", "--expect-key"];
/// The short option for `--context`.
const FREE_TEXT_LETTER: u8 = b'c';

/// Finds the first argument that contains key text. Also checks the environment variable that can
/// replace `--level`.
///
/// `command` returns the definition of the command in the arguments. The message uses this
/// definition to state which value the option needs.
pub fn find(command: impl Fn(&[OsString]) -> Option<clap::Command>) -> Option<LeakedKeyText> {
    if let Some(value) = std::env::var_os(LEVEL_VARIABLE)
        && let Some(kind) = kind_of(&value)
    {
        let hint = "set the variable to the name of a level; `fndsa --version` lists the levels";
        return Some(LeakedKeyText { location: LEVEL_VARIABLE.to_owned(), kind, expected: "a level", hint });
    }
    let all: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (option, kind) = find_in(&all)?;
    if let Some(name) = option
        && let Some(command) = command(&all)
        && let Some(expected) = value_description(&name, command)
    {
        return Some(LeakedKeyText {
            location: name.to_string_lossy().into_owned(),
            kind,
            expected,
            hint: kind.hint(),
        });
    }
    Some(LeakedKeyText { location: "an argument".to_owned(), kind, expected: "a file name", hint: kind.hint() })
}

/// Finds the first key text in the arguments. Returns the kind of key text, and the option with the
/// key text as its value, if there is one.
fn find_in(all: &[OsString]) -> Option<(Option<Cow<'_, OsStr>>, KeyTextKind)> {
    let end_of_options = all.iter().position(|argument| argument == "--").unwrap_or(all.len());
    // The option that precedes the argument, if this option still needs a value.
    let mut waiting = None;
    for (i, argument) in all.iter().enumerate() {
        let (option, value) =
            if i < end_of_options { split(argument) } else { (None, Cow::Borrowed(argument.as_os_str())) };
        let next = if value.is_empty() { option.clone() } else { None };
        let owner = option.or(waiting.take());
        waiting = next;
        let kind = match (pem(argument.as_encoded_bytes()), owner.as_deref()) {
            // If the user did not quote the key text, its first word is `-----BEGIN`, which looks
            // like an option.
            (Some(kind), _) => Some(kind),
            (None, Some(name)) if is_free_text(name) => None,
            (None, _) => kind_of(&value),
        };
        if let Some(kind) = kind {
            return Some((owner, kind));
        }
    }
    None
}

/// Splits an argument into the option at its start, if there is one, and the text that may be a
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

/// Returns whether an option accepts any text as its value.
fn is_free_text(option: &OsStr) -> bool {
    FREE_TEXT_OPTIONS.iter().any(|name| option == *name) || option.as_encoded_bytes() == [b'-', FREE_TEXT_LETTER]
}

/// Describes the value that an option requires. Returns `None` if the command does not have the
/// option, or if the option has no value.
fn value_description(option: &OsStr, command: clap::Command) -> Option<&'static str> {
    let bytes = option.as_encoded_bytes();
    let argument = command.get_arguments().find(|argument| is_name_of(bytes, argument))?;
    if !argument.get_action().takes_values() {
        return None;
    }
    let value_name = match argument.get_value_names() {
        Some([first, ..]) => first.as_str(),
        _ => "",
    };
    Some(match value_name {
        "FILE" | "OUT" => "a file name",
        "VAR" => "the name of a variable",
        _ => "the value of this option",
    })
}

/// Returns whether `option`, for example `--key` or `-k`, is a name of this argument of clap.
fn is_name_of(option: &[u8], argument: &clap::Arg) -> bool {
    match option.strip_prefix(b"--") {
        Some(name) => matches!(argument.get_long(), Some(long) if long.as_bytes() == name),
        None => match argument.get_short() {
            Some(short) => option.last() == u8::try_from(short).ok().as_ref(),
            None => false,
        },
    }
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

    /// Returns the option with the first key text in the arguments as its value.
    fn owner_of_key_text(arguments: &[&str]) -> Option<Option<String>> {
        let all: Vec<_> = arguments.iter().map(OsString::from).collect();
        find_in(&all).map(|(option, _)| option.map(|name| name.to_string_lossy().into_owned()))
    }

    #[test]
    fn only_the_value_of_an_option_is_free_text() {
        let digits = "4f".repeat(32);
        let digits = digits.as_str();
        for free in [&["-c", digits][..], &["--context", digits], &["--expect-key", digits], &["-c", "-c", digits]] {
            assert_eq!(owner_of_key_text(free), None, "{free:?}");
        }
        let attached = format!("--context={digits}");
        assert_eq!(owner_of_key_text(&[&attached]), None);
        for found in [
            &[digits][..],
            &["--context=v1", digits],
            &["-cv1", digits],
            &["-c=v1", digits],
            &["--context", "v1", digits],
            &["-c", "--", digits],
        ] {
            let owner = owner_of_key_text(found);
            assert!(owner.is_some(), "{found:?}");
            assert!(owner != Some(Some("--context".to_owned())) && owner != Some(Some("-c".to_owned())), "{found:?}");
        }
        assert_eq!(owner_of_key_text(&["-k", digits]), Some(Some("-k".to_owned())));
        assert_eq!(owner_of_key_text(&["--key", digits]), Some(Some("--key".to_owned())));
    }
}
