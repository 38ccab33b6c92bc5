//! What people bring from other tools: options that are called otherwise here, and what can be told of a command line
//! that cannot be read.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use std::ffi::OsString;

/// Command, options that it does not have, the tip. Long names that cannot be mistaken are hidden aliases instead:
/// `--pubkey`, `--secret-key`, `--sig`.
const HABITS: &[(&str, &[&str], &str)] = &[
    ("verify", &["-k", "--key", "--keyring", "--cert"], "did you mean -p, --public-key FILE?"),
    ("verify", &["-m", "--message", "--in"], "name the file without an option"),
    ("verify", &["-x"], "did you mean -s, --signature FILE?"),
    ("verify", &["-P"], "did you mean --expect-key sha256:HEX, the fingerprint of the key in -p FILE?"),
    ("sign", &["-s"], "did you mean -k, --key FILE?"),
    ("sign", &["-m", "--message", "--in"], "name the file without an option"),
    ("sign", &["-x", "--out", "--sig", "--signature"], "did you mean -o, --output FILE?"),
    ("sign", &["-t", "-n"], "did you mean -c, --context TEXT, which the verifier must give, too?"),
    ("keygen", &["-s", "-k", "--key"], "did you mean -o, --output FILE, or NAME for both files?"),
    ("pubkey", &["-s", "--private-key"], "did you mean -k, --key FILE?"),
];

/// Adds a tip to the error about an option that a command does not have: the option of the command that was meant.
pub fn tip(mut e: clap::Error, command: &str) -> clap::Error {
    let Some(ContextValue::String(given)) = e.get(ContextKind::InvalidArg) else { return e };
    let habit = HABITS.iter().find(|(of, names, _)| *of == command && names.contains(&given.as_str()));
    if let Some((_, _, own)) = habit.filter(|_| e.kind() == clap::error::ErrorKind::UnknownArgument) {
        let text = StyledStr::from(*own);
        e.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![text]));
        e.remove(ContextKind::SuggestedArg);
    }
    e
}

/// Counts how often `--quiet` stands in arguments that could not be read.
pub fn times_quiet(arguments: &[OsString]) -> usize {
    let flags = |cluster: &str| cluster.chars().take_while(|c| "qvf0".contains(*c)).filter(|c| *c == 'q').count();
    let times = |argument: &OsString| match argument.to_str() {
        Some("--quiet") => 1,
        Some(text) if !text.starts_with("--") => text.strip_prefix('-').map_or(0, flags),
        _ => 0,
    };
    arguments.iter().map(times).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_is_counted_as_far_as_flags_go() {
        for (line, times) in [
            ("-qq sign", 2),
            ("-q sign -q", 2),
            ("--quiet -vqf", 2),
            ("sign -kqq", 0),
            ("--quietly -xq q qq", 0),
            ("-", 0),
        ] {
            let arguments: Vec<_> = line.split(' ').map(OsString::from).collect();
            assert_eq!(times_quiet(&arguments), times, "{line}");
        }
    }
}
