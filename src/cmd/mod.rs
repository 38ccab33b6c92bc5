//! The command line: one file for each subcommand, and what they share.
//!
//! Only the public face of the library is used here; nothing computes.

pub mod armor;
pub mod bench;
pub mod container;
pub mod convert;
pub mod deterministic;
pub mod encryption;
pub mod escape;
pub mod foreign;
pub mod inspect;
pub mod io;
pub mod json;
pub mod keygen;
pub mod keys;
pub mod machine;
pub mod message;
pub mod oid;
pub mod parallel;
pub mod passwd;
pub mod password;
pub mod progress;
pub mod pubkey;
pub mod quickstart;
pub mod report;
pub mod sign;
pub mod statistics;
pub mod verify;

use clap::{ArgAction, ArgMatches, Args, ColorChoice, FromArgMatches};
use fndsa::Level;
use keys::AllowWeak;
use report::{Error, Exit, Report, Voice};

/// One subcommand.
struct Row {
    name: &'static str,
    about: &'static str,
    arguments: fn(clap::Command) -> clap::Command,
    run: fn(&ArgMatches, &Context, &mut Report) -> Result<(), Error>,
}

/// The table of subcommands: module, what it does. `Args` and `run` are the module's.
macro_rules! commands {
    ($($module:ident: $about:literal,)*) => {
        const COMMANDS: &[Row] = &[$(Row {
            name: stringify!($module),
            about: $about,
            // A flattened struct's own text would replace it.
            arguments: |command| <$module::Args as Args>::augment_args(command).about($about),
            run: |matches, context, report| match <$module::Args as FromArgMatches>::from_arg_matches(matches) {
                Ok(args) => $module::run(&args, context, report),
                Err(e) => Err(Error::Internal(e.to_string())),
            },
        }),*];
    };
}

commands! {
    keygen: "Make a key pair",
    sign: "Sign files",
    verify: "Verify signatures",
    inspect: "Say what key and signature files are, and check them",
    pubkey: "Give the public key of a private key",
    convert: "Write a key or signature in another form",
    passwd: "Give a private key a password, change it or remove it",
    bench: "Measure the speed of this machine",
    quickstart: "Try everything on one file: make keys in a new directory, sign, verify, detect a change",
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

/// The definition of the command line. The arguments of a subcommand are only built when it is
/// called: that is a tenth of the start-up.
pub fn definition() -> clap::Command {
    let command = Globals::augment_args(clap::Command::new("fndsa"))
        .version(env!("CARGO_PKG_VERSION"))
        .about("FN-DSA (Falcon) signatures, by the putative draft of FIPS 206")
        .after_help(
            "Exit codes: 0 yes, 1 no, 2 usage, 3 bad input, 4 input or output, 5 locked, 6 internal.\n\
             No text of FIPS 206 is published: keys and signatures may not be those of the final standard.",
        )
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true);
    COMMANDS.iter().fold(command, |command, row| {
        command.subcommand(clap::Command::new(row.name).about(row.about).defer(row.arguments))
    })
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
    let parsed = definition().try_get_matches().and_then(|matches| Ok((Globals::from_arg_matches(&matches)?, matches)));
    let (globals, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(e) => return explain(&e),
    };
    match globals.color {
        ColorChoice::Auto if dumb_terminal() => anstream::ColorChoice::Never,
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let voice =
        Voice { quiet: globals.quiet, verbose: globals.verbose, json: globals.json, progress: !globals.no_progress };
    let context = Context { voice, weak: AllowWeak(globals.allow_weak), levels: globals.backend };
    let mut report = Report::new(voice);
    let called =
        matches.subcommand().and_then(|(name, args)| Some((COMMANDS.iter().find(|row| row.name == name)?, args)));
    let Some((row, args)) = called else { return Exit::Usage };
    if let Err(e) = (row.run)(args, &context, &mut report) {
        report.fatal(&e);
    }
    report.finish(row.name)
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
