//! `fndsa completions`: prints the script that a shell needs to complete the command line. The
//! program contains the files in the folder `completions`, which `manual::generated` generates.

use crate::tool::context::CommandContext;
use crate::tool::io::{Destination, NewFileAccess, OverwriteRule};
use crate::tool::packed::{PackedText, packed};
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

/// The completion script for a shell: the shell, the file name in `completions/`, and the contents.
pub type CompletionScript = (Shell, &'static str, PackedText);

macro_rules! scripts {
    ($($shell:ident: $file:literal,)*) => {
        /// The completion scripts for all shells.
        pub const SCRIPTS: &[CompletionScript] =
            &[$((Shell::$shell, $file, packed!($file))),*];
    };
}

scripts! {
    Bash: "fndsa.bash",
    Zsh: "_fndsa",
    Fish: "fndsa.fish",
    Powershell: "_fndsa.ps1",
    Elvish: "fndsa.elv",
}

/// Runs `fndsa completions`.
///
/// # Errors
/// Fails if standard output cannot be written, or --json was also given.
pub fn run(args: &Args, context: &CommandContext, _: &mut Report) -> Result<(), Error> {
    if context.output.json {
        return Err(Error::NoJson);
    }
    for (shell, _, text) in SCRIPTS {
        if *shell == args.shell {
            return Destination::new(Path::new("-"), OverwriteRule::No, NewFileAccess::Public)?.write(&text.bytes()?);
        }
    }
    Err(Error::Internal("a shell without a script".to_owned()))
}
