//! Finds the options on the command line, because a hint must not suggest an option that the user
//! has already given.

use crate::tool::report::hint::GivenOptions;
use clap::{Arg, Command};
use std::ffi::OsString;

/// Finds the options in `arguments`, even if clap rejects these arguments. `command` is the
/// definition of the command, for example of `sign`.
pub fn options_in(arguments: &[OsString], command: &Command) -> GivenOptions {
    let mut options_given = GivenOptions { command: command.get_name().to_owned(), ..GivenOptions::default() };
    for argument in arguments {
        if argument == "--" {
            break;
        }
        let Some(argument) = argument.to_str() else { continue };
        if let Some(long) = argument.strip_prefix("--") {
            let name = long.split('=').next().unwrap_or_default();
            add(&mut options_given, find(command, |arg| is_long(arg, name)));
            if name == "help" {
                add_help(&mut options_given);
            }
        } else if let Some(letters) = argument.strip_prefix('-') {
            for letter in letters.chars() {
                if letter == 'h' {
                    add_help(&mut options_given);
                    continue;
                }
                let option = find(command, |arg| arg.get_short() == Some(letter));
                add(&mut options_given, option);
                match option {
                    Some(arg) if !arg.get_action().takes_values() => {}
                    // The remaining text in the argument is the value of this option, or the option
                    // is unknown.
                    _ => break,
                }
            }
        }
    }
    options_given
}

/// Adds the option `--help`, because clap accepts it for each command, although no definition
/// contains it.
fn add_help(given: &mut GivenOptions) {
    given.options.extend(["--help".to_owned(), "-h".to_owned()]);
}

fn find(command: &Command, matches_arg: impl Fn(&Arg) -> bool) -> Option<&Arg> {
    command.get_arguments().find(|arg| matches_arg(arg))
}

fn is_long(arg: &Arg, name: &str) -> bool {
    arg.get_long() == Some(name) || arg.get_all_aliases().unwrap_or_default().contains(&name)
}

/// Adds an option under its long names and its short name.
fn add(given: &mut GivenOptions, arg: Option<&Arg>) {
    let Some(arg) = arg else { return };
    if let Some(long) = arg.get_long() {
        given.options.insert(format!("--{long}"));
    }
    for alias in arg.get_all_aliases().unwrap_or_default() {
        given.options.insert(format!("--{alias}"));
    }
    if let Some(letter) = arg.get_short() {
        given.options.insert(format!("-{letter}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ArgAction;

    #[test]
    fn options_are_found_by_both_names() {
        let command = Command::new("verify")
            .arg(Arg::new("manifest").short('M').long("manifest").alias("list").value_name("LIST"))
            .arg(Arg::new("quiet").short('q').long("quiet").action(ArgAction::Count))
            .arg(Arg::new("key").short('p').long("public-key"));
        for (line, options) in [
            ("-M list a", "--list --manifest -M"),
            ("--list=x", "--list --manifest -M"),
            ("-qqpq", "--public-key --quiet -p -q"),
            ("a -- -p", ""),
            ("-n 0 --help", "--help -h"),
            ("-qh", "--help --quiet -h -q"),
            ("--nosuch -x", ""),
        ] {
            let arguments: Vec<_> = line.split(' ').map(OsString::from).collect();
            let given: Vec<_> = options_in(&arguments, &command).options.into_iter().collect();
            assert_eq!(given.join(" "), options, "{line}");
        }
    }
}
