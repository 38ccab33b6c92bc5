//! `fndsa completions`: what a shell needs to complete the command line. The scripts are made from
//! the definition by the test below and are part of the program.

use super::Context;
use super::io::{Access, Destination, Force};
use super::report::{Error, Report};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
}

/// Shell, file in `completions/`, its content.
type Script = (Shell, &'static str, &'static str);

macro_rules! scripts {
    ($($shell:ident: $file:literal,)*) => {
        const SCRIPTS: &[Script] =
            &[$((Shell::$shell, $file, include_str!(concat!("../../completions/", $file)))),*];
    };
}

scripts! {
    Bash: "fndsa.bash",
    Zsh: "_fndsa",
    Fish: "fndsa.fish",
    Powershell: "_fndsa.ps1",
    Elvish: "fndsa.elv",
}

/// Runs the command.
///
/// # Errors
/// Standard output cannot be written, or is wanted for JSON.
pub fn run(args: &Args, context: &Context, _: &mut Report) -> Result<(), Error> {
    if context.voice.json {
        return Err(Error::JsonOnStdout);
    }
    let text = SCRIPTS.iter().find(|(shell, ..)| *shell == args.shell).map_or("", |(.., text)| text);
    Destination::new(Path::new("-"), Force::No, Access::Public)?.write(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::definition;
    use crate::cmd::man::tests::committed;

    #[test]
    fn scripts_are_those_of_the_definition() {
        let made = SCRIPTS.iter().map(|(shell, file, _)| {
            let shell = match shell {
                Shell::Bash => clap_complete::Shell::Bash,
                Shell::Zsh => clap_complete::Shell::Zsh,
                Shell::Fish => clap_complete::Shell::Fish,
                Shell::Powershell => clap_complete::Shell::PowerShell,
                Shell::Elvish => clap_complete::Shell::Elvish,
            };
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut definition(), "fndsa", &mut text);
            ((*file).to_owned(), String::from_utf8(text).unwrap())
        });
        committed("completions", made.collect());
    }
}
