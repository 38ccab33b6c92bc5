//! The command line: one file for each subcommand, and what they share.
//!
//! Only the public face of the library is used here; nothing computes.

pub mod armor;
pub mod bench;
pub mod escape;
pub mod foreign;
pub mod inspect;
pub mod io;
pub mod json;
pub mod keygen;
pub mod keys;
pub mod machine;
pub mod message;
pub mod progress;
pub mod pubkey;
pub mod quickstart;
pub mod report;
pub mod sign;
pub mod statistics;
pub mod verify;

use clap::{ArgAction, ColorChoice, Parser, Subcommand};
use fndsa::Level;
use keys::AllowWeak;
use report::{Error, Exit, Report, Voice};

/// FN-DSA (Falcon) signatures, by the putative draft of FIPS 206
#[derive(Parser, Debug)]
#[command(name = "fndsa", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 yes, 1 no, 2 usage, 3 bad input, 4 input or output, 6 internal.\n\
    No text of FIPS 206 is published: keys and signatures may not be those of the final standard.")]
pub struct Cli {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Global options")]
struct Globals {
    /// No notes and no OK lines; twice: nothing at all
    #[arg(short, long, global = true, action = ArgAction::Count)]
    quiet: u8,
    /// Say more
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Colors
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// One JSON document on standard output
    #[arg(long, global = true)]
    json: bool,
    /// No progress bars
    #[arg(long, global = true)]
    no_progress: bool,
    /// Use this level of the CPU instead of the fastest
    #[arg(long, global = true, value_name = "LEVEL", env = "FNDSA_BACKEND", value_parser = parse_level)]
    backend: Vec<Level>,
    /// Let in the toy degrees 4 to 256, which give no security
    #[arg(long, global = true)]
    allow_weak: bool,
}

#[derive(Subcommand, Debug)]
enum Command {
    Keygen(keygen::Args),
    Sign(sign::Args),
    Verify(verify::Args),
    Inspect(inspect::Args),
    Pubkey(pubkey::Args),
    Bench(bench::Args),
    Quickstart(quickstart::Args),
}

impl Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Keygen(_) => "keygen",
            Self::Sign(_) => "sign",
            Self::Verify(_) => "verify",
            Self::Inspect(_) => "inspect",
            Self::Pubkey(_) => "pubkey",
            Self::Bench(_) => "bench",
            Self::Quickstart(_) => "quickstart",
        }
    }

    fn run(&self, context: &Context, report: &mut Report) -> Result<(), Error> {
        match self {
            Self::Keygen(args) => keygen::run(args, context, report),
            Self::Sign(args) => sign::run(args, context, report),
            Self::Verify(args) => verify::run(args, context, report),
            Self::Inspect(args) => inspect::run(args, context, report),
            Self::Pubkey(args) => pubkey::run(args, context, report),
            Self::Bench(args) => bench::run(args, context, report),
            Self::Quickstart(args) => quickstart::run(args, context, report),
        }
    }
}

/// What the global options ask of a command.
pub struct Context {
    /// How to talk.
    pub voice: Voice,
    /// Whether toy degrees are let in.
    pub weak: AllowWeak,
    /// The levels asked for.
    pub levels: Vec<Level>,
}

impl Context {
    /// The one level to run.
    ///
    /// # Errors
    /// Several are asked for.
    pub fn level(&self) -> Result<Level, Error> {
        match self.levels[..] {
            [] => Ok(Level::detect()),
            [level] => Ok(level),
            _ => Err(Error::Backends(self.levels.len())),
        }
    }
}

/// A level of this CPU by its name.
fn parse_level(name: &str) -> Result<Level, String> {
    Level::from_name(name).ok_or_else(|| {
        let available: Vec<_> = Level::available().map(Level::name).collect();
        let known = if Level::names().any(|n| n == name) { "this CPU does not have it" } else { "no such level" };
        format!("{known}; available: {}", available.join(", "))
    })
}

/// How this program was called, for commands that the user may paste.
pub fn invocation() -> String {
    let name = std::env::args_os().next().unwrap_or_default();
    if name.as_encoded_bytes().contains(&b'/') { escape::shown(name) } else { "fndsa".to_owned() }
}

/// Whether the terminal says that it knows no colors, and nobody insists. (`anstream` does not ask
/// where `CI` is set.)
fn dumb_terminal() -> bool {
    let insists = std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0");
    !insists && std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Runs the command line.
pub fn main() -> Exit {
    io::survive_size_limit();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => return explain(&e),
    };
    match cli.globals.color {
        ColorChoice::Auto if dumb_terminal() => anstream::ColorChoice::Never,
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let voice = Voice {
        quiet: cli.globals.quiet,
        verbose: cli.globals.verbose,
        json: cli.globals.json,
        progress: !cli.globals.no_progress,
    };
    let context = Context { voice, weak: AllowWeak(cli.globals.allow_weak), levels: cli.globals.backend };
    let mut report = Report::new(voice);
    if let Err(e) = cli.command.run(&context, &mut report) {
        report.fatal(&e);
    }
    report.finish(cli.command.name())
}

/// Help and version on standard output, usage errors on standard error.
fn explain(e: &clap::Error) -> Exit {
    let printed = e.print().and_then(|()| std::io::Write::flush(&mut std::io::stdout()));
    if e.use_stderr() {
        return Exit::Usage;
    }
    match printed.map_err(Error::Stdout) {
        Ok(()) => Exit::Ok,
        Err(e) => {
            let mut report = Report::new(Voice::default());
            report.error(&e);
            report.exit()
        }
    }
}
