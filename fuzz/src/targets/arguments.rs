//! Fuzz target for the command line: parses arguments without running a command.

use crate::cmd::{self, COMMANDS, GlobalOptions};
use crate::tool::report::{Error, escape};
use clap::{ArgMatches, Command, FromArgMatches};
use std::cell::RefCell;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Returns a command's arguments as text (the `Debug` form), which can be compared.
fn parsed_text(name: &str, mut matches: ArgMatches) -> Result<String, clap::Error> {
    macro_rules! parsed_text {
        ($($module:ident)*) => {
            match name {
                $(stringify!($module) => {
                    let args = <cmd::$module::Args as FromArgMatches>::from_arg_matches_mut(&mut matches)?;
                    format!("{args:?}")
                })*
                _ => panic!("{name} is not in this list"),
            }
        };
    }
    Ok(parsed_text! {
        keygen sign verify inspect pubkey request convert passwd bench selftest testvectors completions man quickstart
    })
}

thread_local! {
    /// The definition of the complete command line, and a list of short definitions. A short
    /// definition contains only a single command. A thread creates the definitions only once,
    /// because creating them takes longer than parsing the arguments.
    static DEFINITIONS: RefCell<(Command, Vec<Command>)> =
        RefCell::new((cmd::definition(), COMMANDS.iter().map(|row| row.short_definition()).collect()));
}

/// Parses arguments, each of which ends with NUL. If the short definition of a command accepts the
/// arguments, checks that the complete definition returns equal values. Also checks that error
/// messages do not contain invisible characters.
pub fn arguments(data: &[u8]) {
    let arguments: Vec<_> =
        data.strip_suffix(b"\0").unwrap_or(data).split(|b| *b == 0).map(OsStr::from_bytes).collect();
    DEFINITIONS
        .with_borrow_mut(|(definition, short_definitions)| parse_arguments(definition, short_definitions, &arguments));
}

/// Parses the arguments with both definitions, and compares the results.
fn parse_arguments(definition: &mut Command, short_definitions: &mut [Command], arguments: &[&OsStr]) {
    let all = [OsStr::new("fndsa")].into_iter().chain(arguments.iter().copied());
    let complete_result = definition.try_get_matches_from_mut(all).and_then(|mut matches| {
        let globals = GlobalOptions::from_arg_matches_mut(&mut matches)?;
        let (name, matches) = matches.remove_subcommand().expect("a command");
        Ok((format!("{globals:?}"), parsed_text(&name, matches)?))
    });
    if let Some((first, rest)) = arguments.split_first()
        && let Some(at) = COMMANDS.iter().position(|row| *first == row.name)
        && let Ok(mut matches) = short_definitions[at].try_get_matches_from_mut(rest)
        && let Ok(globals) = GlobalOptions::from_arg_matches_mut(&mut matches)
    {
        let parsed_text = parsed_text(COMMANDS[at].name, matches).expect("the definition matches the struct");
        assert_eq!(complete_result.as_ref().ok(), Some(&(format!("{globals:?}"), parsed_text)));
    }
    if let Err(e) = complete_result {
        let text = e.render().to_string();
        assert!(escape::cleaned(&text, escape::LineEnds::Own).lines().all(escape::is_visible));
        assert!(escape::is_visible(&escape::cleaned(&text, escape::LineEnds::Foreign)));
        assert!(!Error::of_command_line(&text).to_string().contains('\n'));
    }
}
