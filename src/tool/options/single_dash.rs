//! Detects long options with a single dash, such as `-signer` or OpenSSL's `-out`, before clap
//! parses the command line. clap would read `-signer` as `-s igner`, so the command would run with
//! a different file than the user expects.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use std::ffi::{OsStr, OsString};

/// The minimum number of letters of an abbreviated long option. Two letters after a dash can be two
/// short options, for example `-fq`. Therefore, two letters are a long option only if they are its
/// whole name.
const MIN_LETTERS: usize = 3;

/// A wildcard in the tables of this module and of `habits`. It matches every command, and a command
/// line without a command.
pub const ANY: &str = "*";

pub const AUTHORITY: &str =
    "fndsa trusts no certificate authorities: give the certificate of the signer as the public key";
pub const DAYS: &str = "did you mean --self-signed DAYS?";
pub const SUBJECT: &str = "did you mean --subject NAME, for example --subject CN=Release,O=Example?";

/// Long options of OpenSSL that fndsa does not have, or that have a different meaning in fndsa.
/// Each row contains a command of fndsa, the options, and the tip.
const OF_OPENSSL: &[(&str, &[&str], &str)] = &[
    ("sign", &["-signer"], "did you mean --cert FILE? The file contains the certificate of the private key"),
    ("sign", &["-inkey"], "did you mean -k, --key FILE?"),
    ("sign", &["-nodetach"], "did you mean --attached?"),
    ("verify", &["-CAfile", "-certfile"], AUTHORITY),
    ("verify", &["-inkey", "-pubkey", "-pubin", "-certificate"], "did you mean -p, --public-key FILE?"),
    ("verify", &["-sigfile"], "did you mean -s, --signature FILE?"),
    ("request", &["-days"], DAYS),
    ("request", &["-subj"], SUBJECT),
    ("request", &["-key", "-signkey"], "did you mean -k, --key FILE?"),
    (ANY, &["-in", "-content", "-data"], "name the file without an option"),
    (ANY, &["-out"], "did you mean -o, --output FILE?"),
    (ANY, &["-inform", "-keyform", "-pkeyopt", "-pubin", "-outform"], NONE),
    (ANY, &["-passin", "-passout"], "did you mean --password-file FILE?"),
];

const NONE: &str = "leave this option of OpenSSL out";

/// Returns the tip for a long option of OpenSSL. Returns `None` if [`OF_OPENSSL`] does not contain
/// the option.
pub fn openssl_tip(command: &str, word: &str) -> Option<&'static str> {
    for (of, options, tip) in OF_OPENSSL {
        if (*of == command || *of == ANY) && options.contains(&word) {
            return Some(tip);
        }
    }
    None
}

/// Checks that no argument before `--` is a long option with a single dash. `command` is clap's
/// definition of the command, with all its options.
///
/// # Errors
/// Fails with the error of clap for an unknown argument. If the command has the long option, the
/// error suggests this option.
pub fn check(arguments: &[OsString], command: &mut Command) -> Result<(), clap::Error> {
    for argument in arguments {
        if argument == "--" {
            break;
        }
        let Some(word) = single_dash_word(argument) else { continue };
        let option = long_option(word, command);
        if option.is_none() && openssl_tip(command.get_name(), word).is_none() {
            continue;
        }
        let mut error = clap::Error::new(ErrorKind::UnknownArgument).with_cmd(command);
        error.insert(ContextKind::InvalidArg, ContextValue::String(word.to_owned()));
        if let Some(option) = option {
            error.insert(ContextKind::SuggestedArg, ContextValue::String(option.to_string()));
        }
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
        return Err(error);
    }
    Ok(())
}

/// Returns whether any argument before `--` could be a long option with a single dash. This is
/// faster than [`check`], because it needs no definition of the command.
pub fn is_possible(arguments: &[OsString]) -> bool {
    for argument in arguments {
        if argument == "--" {
            return false;
        }
        if single_dash_word(argument).is_some() {
            return true;
        }
    }
    false
}

/// Returns whether an argument is a long option with a single dash.
pub fn is_long_option(argument: &OsStr, command: &Command) -> bool {
    match single_dash_word(argument) {
        Some(word) => long_option(word, command).is_some() || openssl_tip(command.get_name(), word).is_some(),
        None => false,
    }
}

/// Returns the part of an argument before the equals sign, if this part looks like a long option: a
/// single dash, a letter, and at least one further letter or dash.
fn single_dash_word(argument: &OsStr) -> Option<&str> {
    let word = argument.to_str()?.split('=').next()?;
    let letters = word.strip_prefix('-')?;
    let is_word = letters.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-') && !letters.starts_with('-');
    if is_word && letters.len() > 1 { Some(word) } else { None }
}

/// Returns the option with the long name `word` (without its dash), or the first option with a long
/// name that begins with `word`. The word `-help` is not an error, because clap reads it as `-h`.
fn long_option<'c>(word: &str, command: &'c Command) -> Option<&'c Arg> {
    let name = word.strip_prefix('-')?;
    if name == "help" {
        return None;
    }
    let mut beginning = None;
    for argument in command.get_arguments() {
        let mut names = argument.get_all_aliases().unwrap_or_default();
        names.extend(argument.get_long());
        if names.contains(&name) {
            return Some(argument);
        }
        if beginning.is_none() && name.len() >= MIN_LETTERS && names.iter().any(|it| it.starts_with(name)) {
            beginning = Some(argument);
        }
    }
    beginning
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::COMMANDS;

    /// Returns the word in the error for a single argument.
    fn rejected(argument: &str, command: &str) -> Option<String> {
        let row = COMMANDS.iter().find(|row| row.name == command).expect("a command");
        let mut definition = row.short_definition();
        definition.build();
        let error = check(&[OsString::from(argument)], &mut definition).err()?;
        let ContextValue::String(word) = error.get(ContextKind::InvalidArg)? else { return None };
        assert!(is_possible(&[OsString::from(argument)]) && is_long_option(OsStr::new(argument), &definition));
        Some(word.clone())
    }

    #[test]
    fn each_long_option_needs_two_dashes() {
        for row in COMMANDS {
            for argument in row.short_definition().get_arguments() {
                for long in argument.get_long_and_visible_aliases().unwrap_or_default() {
                    let word = format!("-{long}");
                    assert_eq!(rejected(&word, row.name), Some(word.clone()), "{}", row.name);
                    assert_eq!(rejected(&format!("{word}=x"), row.name), Some(word), "{}", row.name);
                }
            }
        }
    }

    #[test]
    fn short_options_and_their_values_are_accepted() {
        for (command, argument) in [
            ("sign", "-krelease.key"),
            ("sign", "-k=key"),
            ("sign", "-okey"),
            ("sign", "-cv1"),
            ("sign", "-qvf"),
            ("verify", "-sm.sig"),
            ("verify", "-prelease"),
            ("verify", "-"),
            ("verify", "--"),
            ("verify", "--signer"),
            ("keygen", "-aml-dsa-65"),
            ("verify", "-signer-of-x"),
        ] {
            assert_eq!(rejected(argument, command), None, "{command} {argument}");
        }
        let after_dashes = ["--", "-signer"].map(OsString::from);
        assert!(!is_possible(&after_dashes));
    }

    /// Several short options in one argument must not have the name of a long option.
    #[test]
    fn flags_in_one_argument_are_accepted() {
        for row in COMMANDS {
            let command = row.short_definition();
            let mut letters = Vec::new();
            for argument in command.get_arguments() {
                letters.extend(argument.get_short().filter(|_| !argument.get_action().takes_values()));
            }
            for first in &letters {
                for second in &letters {
                    assert_eq!(rejected(&format!("-{first}{second}"), row.name), None, "{}", row.name);
                    for third in &letters {
                        let argument = format!("-{first}{second}{third}");
                        assert_eq!(rejected(&argument, row.name), None, "{}", row.name);
                    }
                }
            }
        }
    }
}
