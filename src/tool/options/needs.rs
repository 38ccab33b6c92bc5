//! Checks options that require another option. `cmd` calls [`check`] after clap has parsed the
//! command line.
//!
//! The setting `requires` in clap is not sufficient. For example, if `a` requires `b`, and `b`
//! conflicts with the given option `c`, then clap accepts `a` without `b`. Option `a` would then
//! have no effect.

use crate::tool::report::Hint;
use clap::ArgMatches;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;

/// The requirements. Each row contains a command, an option, and the option or option group that
/// this option requires.
pub const NEEDS: [(&str, &str, &str); 30] = [
    ("keygen", "dual", "name"),
    ("keygen", "count", "name"),
    ("keygen", "seed_file", "insecure_deterministic"),
    ("keygen", "insecure_deterministic", "seed_file"),
    ("sign", "recursive", "manifest"),
    ("sign", "best_before", "manifest"),
    ("sign", "comments", "manifest"),
    ("sign", "inline", "manifest"),
    ("sign", "public_key", "elsewhere"),
    ("sign", "signature", "public_key"),
    ("sign", "attached", "cms_file"),
    ("sign", "prehashed", "prehash"),
    ("sign", "null", "files_from"),
    ("verify", "allowed_signers", "signer"),
    ("verify", "allowed_signers", "ssh"),
    ("verify", "signer", "allowed_signers"),
    ("verify", "output", "enclosed"),
    ("verify", "force", "output"),
    ("verify", "directory", "manifest"),
    ("verify", "strict", "manifest"),
    ("verify", "ignore_missing", "manifest"),
    ("verify", "prehashed", "prehash"),
    ("verify", "null", "files_from"),
    ("inspect", "manifest", "markdown"),
    ("inspect", "program_url", "markdown"),
    ("inspect", "page_url", "markdown"),
    ("passwd", "force", "output"),
    ("bench", "force", "files"),
    ("bench", "max_regression", "baseline"),
    ("man", "force", "dir"),
];

/// Checks, for each given option, that the option that it requires is also given.
///
/// # Errors
/// Fails if a required option is missing, with the error of clap for a missing option.
pub fn check(name: &str, command: &mut clap::Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let mut missing = Vec::new();
    let mut tips = Vec::new();
    for (of_command, option, required) in NEEDS {
        if of_command == name && is_given(matches, option) && !is_given(matches, required) {
            let text = shown_option(command, required);
            if let Some(tip) = Hint::from(tip(name, option, command, &text)).text() {
                tips.push(StyledStr::from(tip));
            }
            if !missing.contains(&text) {
                missing.push(text);
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let mut error = clap::Error::new(ErrorKind::MissingRequiredArgument).with_cmd(command);
    error.insert(ContextKind::InvalidArg, ContextValue::Strings(missing));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    Err(error)
}

/// Returns a tip that names the given option and the option that it requires.
fn tip(name: &str, id: &str, command: &clap::Command, required: &str) -> String {
    let mut given_option = String::new();
    if let Some(arg) = argument(command, id)
        && let Some(long) = arg.get_long()
    {
        given_option = format!("--{long}");
    }
    let tip = format!("{given_option} cannot be used without {required}");
    match (name, id) {
        ("sign", "public_key") => format!("to sign, give the private key with -k FILE; {tip}"),
        ("verify", "output") => format!("without an option for signed messages, the file itself is the message; {tip}"),
        _ => tip,
    }
}

/// Returns whether an option is on the command line.
fn is_given(matches: &ArgMatches, id: &str) -> bool {
    !matches!(matches.value_source(id), None | Some(ValueSource::DefaultValue))
}

/// Returns an argument of a command.
fn argument<'c>(command: &'c clap::Command, id: &str) -> Option<&'c clap::Arg> {
    command.get_arguments().find(|arg| arg.get_id() == id)
}

/// Returns an option as messages show it, for example `--key <FILE>`. Returns `None` if `id` is not
/// an option.
fn option(command: &clap::Command, id: &str) -> Option<String> {
    Some(argument(command, id)?.to_string())
}

/// Returns an option, or all options of a group, as messages show them.
fn shown_option(command: &clap::Command, id: &str) -> String {
    if let Some(text) = option(command, id) {
        return text;
    }
    let mut options = Vec::new();
    if let Some(group) = command.get_groups().find(|it| it.get_id() == id) {
        for id in group.get_args() {
            options.extend(option(command, id.as_str()));
        }
    }
    format!("<{}>", options.join("|"))
}
