//! `fndsa completions`: what a shell needs to complete the command line. `generated` makes the
//! scripts; they are part of the program.

use crate::tool::context::CommandContext;
use crate::tool::io::{Access, Destination, Force};
use crate::tool::report::{Error, Report};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Shell for which to print the script
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
}

/// Shell, file in `completions/`, its content.
pub type Script = (Shell, &'static str, &'static str);

macro_rules! scripts {
    ($($shell:ident: $file:literal,)*) => {
        /// All scripts.
        pub const SCRIPTS: &[Script] =
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
pub fn run(args: &Args, context: &CommandContext, _: &mut Report) -> Result<(), Error> {
    if context.voice.json {
        return Err(Error::NoJson);
    }
    let text = SCRIPTS.iter().find(|(shell, ..)| *shell == args.shell).map_or("", |(.., text)| text);
    Destination::new(Path::new("-"), Force::No, Access::Public)?.write(text.as_bytes())
}
