//! The command line: the argument parser, the table of subcommands, and a file or folder for each
//! subcommand.
//!
//! - `keygen`: creates key pairs
//! - `sign`: signs files, lists and streams of requests
//! - `verify`: verifies files, lists and streams of requests
//! - `inspect`: describes keys, signatures, lists and envelopes
//! - `pubkey`: writes the public key of a private key
//! - `request`: writes a request for a certificate, or a self-signed certificate
//! - `convert`: changes the format, the scheme or the encoding of a key or signature, and splits
//!   and joins composite keys
//! - `passwd`: sets, changes or removes the password of a private key
//! - `bench`: measures the speed of this machine
//! - `selftest`: compares known answers, and checks that wrong input is rejected, on every level
//!   (instruction set)
//! - `testvectors`: prints or compares test vectors
//! - `completions`: prints the completion script for a shell
//! - `man`: prints or writes the manual pages
//! - `quickstart`: shows key generation, signing and verification with a file of the user
//! - `manual`: the texts and examples for the help and the manual pages; not a command
//!
//! The commands use the modules in `tool` and the public interface of the library. They do not
//! contain any cryptography.

pub mod bench;
pub mod completions;
pub mod convert;
pub mod inspect;
pub mod keygen;
pub mod man;
pub mod manual;
pub mod passwd;
pub mod pubkey;
pub mod quickstart;
pub mod request;
pub mod selftest;
pub mod sign;
pub mod testvectors;
pub mod verify;

use crate::tool::context::{CommandContext, LEVEL_VARIABLE, levels, parse_level};
use crate::tool::keys::loader::AllowWeak;
use crate::tool::options::algorithm::table;
use crate::tool::options::given::options_in;
use crate::tool::options::key::KeyArgs;
use crate::tool::options::needs;
use crate::tool::options::suggestions::suggesting;
use crate::tool::options::{habits, heading, key_text_arguments, single_dash};
use crate::tool::report::escape::LineEnds;
use crate::tool::report::hint::{GivenOptions, set_given};
use crate::tool::report::{self, CommandOutcome, Error, Exit, OutputOptions, Report, SuccessToken, escape};
use crate::tool::system::was_open;
use crate::tool::{io, io::secrecy};
use clap::{ArgAction, ArgMatches, Args, ColorChoice, FromArgMatches};
use fndsa::no_alloc::Level;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::mem::ManuallyDrop;
use std::sync::LazyLock;

/// A subcommand, which is a row in the table `COMMANDS`.
pub struct CommandRow {
    /// The name on the command line.
    pub name: &'static str,
    about: &'static str,
    /// Adds the arguments of the command, without the texts of the help.
    arguments: fn(clap::Command) -> clap::Command,
    /// Adds the arguments of the command, and the texts of the help.
    described: fn(clap::Command) -> clap::Command,
    /// Runs the command with the parsed arguments.
    run: fn(ArgMatches, &CommandContext, &mut Report) -> Result<SuccessToken, Error>,
}

impl CommandRow {
    /// Returns the definition of this command for clap, without the option `--help` and without the
    /// other commands.
    pub fn short_definition(&self) -> clap::Command {
        let command = clap::Command::new(self.name).no_binary_name(true).disable_help_flag(true);
        (self.arguments)(GlobalOptions::augment_args(command))
    }
}

/// Defines the subcommand table from pairs of a module and a description. Each module must define
/// `Args` and `run`.
macro_rules! commands {
    ($($module:ident: $about:literal,)*) => {
        /// The rows for all commands.
        pub static COMMANDS: &[CommandRow] = &[$(CommandRow {
            name: stringify!($module),
            about: $about,
            arguments: <$module::Args as Args>::augment_args,
            described: |command| with_help(stringify!($module), command),
            run: |mut matches, context, report| {
                match <$module::Args as FromArgMatches>::from_arg_matches_mut(&mut matches) {
                    Ok(args) => Ok($module::run(&args, context, report)?.into()),
                    Err(e) => Err(Error::Internal(e.to_string())),
                }
            },
        }),*];
    };
}

commands! {
    keygen: "Make a key pair",
    sign: "Sign files",
    verify: "Verify signatures",
    inspect: "Describe and check key and signature files",
    pubkey: "Print the public key of a private key",
    request: "Write a request for a certificate, or a self-signed certificate",
    convert: "Convert a key or signature to another format",
    passwd: "Set, change or remove the password of a private key",
    bench: "Measure the speed of this machine",
    selftest: "Test fndsa on this machine",
    testvectors: "Print or compare test vectors",
    completions: "Print a completion script for a shell",
    man: "Print or install the manual pages",
    quickstart: "Try fndsa on one file, in a new directory",
}

/// Finds a subcommand by its name.
fn row_named(name: &str) -> Option<&'static CommandRow> {
    COMMANDS.iter().find(|row| row.name == name)
}

/// Adds the help texts and the arguments of a subcommand. The arguments are sorted by their
/// headings.
fn with_help(name: &str, command: clap::Command) -> clap::Command {
    let Some(row) = row_named(name) else { return command };
    let command = (row.arguments)(command);
    let mut order = Vec::new();
    for heading in heading::ALL {
        for arg in command.get_arguments() {
            if arg.get_help_heading() == Some(heading) {
                order.push(arg.get_id().clone());
            }
        }
    }
    // The function `mut_arg` moves an argument to the end, so the calls below sort the arguments.
    let change = if name == "sign" { KeyArgs::describe_several } else { |arg| arg };
    let mut command = command;
    for id in order {
        command = command.mut_arg(id, change);
    }
    command
        .about(row.about)
        .help_template(TEMPLATE)
        .before_long_help(manual::introduction(name))
        .after_help(format!("More options: fndsa {name} --help"))
        .after_long_help("")
}

/// The position of the global options in the help: after the options of the command.
const LAST: usize = 1000;

/// Options of every command.
#[derive(clap::Args, Debug)]
pub struct GlobalOptions {
    /// Print no notes and no OK lines; repeat for no output
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = heading::OUTPUT, display_order = LAST)]
    quiet: u8,
    /// Print more details
    #[arg(short, long, global = true, help_heading = heading::OUTPUT, display_order = LAST, hide_short_help = true)]
    verbose: bool,
    /// Use colors
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto,
        help_heading = heading::OUTPUT, display_order = LAST, hide_short_help = true)]
    color: ColorChoice,
    /// Print a JSON document on standard output
    #[arg(long, global = true, help_heading = heading::OUTPUT, display_order = LAST)]
    json: bool,
    /// Show no progress bars
    #[arg(long, global = true, help_heading = heading::OUTPUT, display_order = LAST, hide_short_help = true)]
    no_progress: bool,
    /// Use this level of the CPU instead of the fastest level [env: FNDSA_BACKEND]
    ///
    /// `fndsa --version` lists the levels of this CPU.
    #[cfg_attr(
        target_arch = "riscv64",
        doc = "",
        doc = "fndsa never chooses the levels scalar-fdiv and rvv-fdiv without this option. These levels use the division instruction: \
               choose them only if your processor divides in constant time"
    )]
    #[cfg_attr(
        all(target_arch = "arm", target_abi = "eabihf"),
        doc = "",
        doc = "fndsa never chooses the level scalar-fdiv without this option. This level uses the floating-point unit: choose it only if \
               nobody can measure the time of your signatures"
    )]
    #[arg(long = "level", alias = "backend", global = true, value_name = "LEVEL", help_heading = heading::EXPERT,
        display_order = LAST, hide_short_help = true, value_parser = suggesting(|| Level::names().collect(), parse_level))]
    backend: Vec<Level>,
    /// Accept toy algorithms with a degree of 4 to 256, which are not secure
    #[arg(long, global = true, help_heading = heading::EXPERT, display_order = LAST, hide_short_help = true)]
    allow_weak: bool,
}

/// The last line of the help, which states where users find more help.
const MORE: &str = "Options of a command: fndsa COMMAND -h. Algorithms: fndsa help algorithms. Manual: fndsa man.";
/// The parts of the help: a sentence, the usage, the examples (only with `--help`), and the
/// options.
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";
const ABOUT: &str = "Sign and verify files with ML-DSA, FN-DSA (Falcon) and Ed25519";
/// The name of the help page with the algorithm table.
const ALGORITHMS: &str = "algorithms";
/// A notice in the help that is necessary until the standard FIPS 206 is published.
const UNSETTLED: &str =
    "FIPS 206 (FN-DSA) is not published yet: FN-DSA keys and signatures may differ from those of the final standard.";

/// The output for `--version`, but not for `-V`. It contains the levels (instruction sets) that
/// this CPU supports, from slow to fast, and the level in use.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let levels: Vec<_> = Level::available().map(Level::name).collect();
    let mut level = Level::detect();
    if let Ok(name) = std::env::var(LEVEL_VARIABLE)
        && let Some(named_level) = Level::from_name(&name)
    {
        level = named_level;
    }
    format!("{}\nlevels: {}\nlevel: {level}", env!("CARGO_PKG_VERSION"), levels.join(" "))
});

/// Creates an option without a value, which prints a text and ends the program.
fn flag(name: &'static str, short: char, action: ArgAction, text: &'static str) -> clap::Arg {
    clap::Arg::new(name)
        .short(short)
        .long(name)
        .action(action)
        .help(text)
        .help_heading(heading::OUTPUT)
        .display_order(LAST + 1)
}

/// Returns the command line's definition.
pub fn definition() -> clap::Command {
    let notes = format!("{}\n{UNSETTLED}", report::exit::summary());
    let mut command = GlobalOptions::augment_args(clap::Command::new("fndsa"))
        .version(env!("CARGO_PKG_VERSION"))
        .long_version(&**LONG_VERSION)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(flag("help", 'h', ArgAction::Help, "Print help; --help prints all options").global(true))
        .arg(flag("version", 'V', ArgAction::Version, "Print the version; --version also prints the levels"))
        .about(ABOUT)
        .help_template(TEMPLATE)
        .before_long_help(format!("{}\n{notes}\n\n{MORE}", manual::introduction("")))
        .after_help(format!("{MORE}\n\n{notes}"))
        .after_long_help("")
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true);
    let topic = clap::Command::new(ALGORITHMS).about("List the algorithms").hide(true).override_help(table());
    for row in COMMANDS {
        command = command.subcommand(clap::Command::new(row.name).about(row.about).defer(row.described));
    }
    command.subcommand(topic)
}

/// A parsed command line.
struct CommandLine {
    row: &'static CommandRow,
    globals: GlobalOptions,
    matches: ArgMatches,
}

/// Parses the command line. For a correct command line, [`parse_with_short_definition`] is
/// sufficient. For the help and for errors, this function builds the complete definition.
fn parse() -> Result<CommandLine, clap::Error> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if single_dash::is_possible(&arguments) {
        let mut root_command = definition();
        root_command.build();
        let command = match command_in(&arguments) {
            Some(row) => root_command.find_subcommand_mut(row.name),
            None => Some(&mut root_command),
        };
        if let Some(command) = command {
            single_dash::check(&arguments, command)?;
        }
    }
    if let Some(call) = parse_with_short_definition() {
        return Ok(call);
    }
    let mut root_command = definition();
    let mut matches = root_command.try_get_matches_from_mut(std::env::args_os())?;
    let globals = GlobalOptions::from_arg_matches_mut(&mut matches)?;
    let Some((name, matches)) = matches.remove_subcommand() else {
        return Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand));
    };
    if name == ALGORITHMS {
        root_command.try_get_matches_from_mut(["fndsa", "help", ALGORITHMS])?;
    }
    if let Some(command) = root_command.find_subcommand_mut(&name) {
        needs::check(&name, command, &matches)?;
    }
    match row_named(&name) {
        Some(row) => Ok(CommandLine { row, globals, matches }),
        None => Err(clap::Error::new(clap::error::ErrorKind::MissingSubcommand)),
    }
}

/// Parses a command line that starts with the command's name. Does not build the definitions for
/// the other commands and the help, to save a tenth of the start-up time. Returns `None` if the
/// first argument is not a command, or if there is an error.
fn parse_with_short_definition() -> Option<CommandLine> {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next()?;
    let row = COMMANDS.iter().find(|row| first == row.name)?;
    // The definition is never dropped, because dropping it would take as long as building it.
    let mut command = ManuallyDrop::new(row.short_definition());
    let mut matches = command.try_get_matches_from_mut(arguments).ok()?;
    needs::check(row.name, &mut command, &matches).ok()?;
    Some(CommandLine { row, globals: GlobalOptions::from_arg_matches_mut(&mut matches).ok()?, matches })
}

/// Returns whether the terminal is `dumb`, so that colors must be disabled. Returns false if
/// `CLICOLOR_FORCE` forces colors. `anstream` does not check for a `dumb` terminal if `CI` is set.
fn dumb_terminal() -> bool {
    if let Some(force) = std::env::var_os("CLICOLOR_FORCE")
        && force != "0"
    {
        return false;
    }
    match std::env::var_os("TERM") {
        Some(term) => term == "dumb",
        None => false,
    }
}

/// Returns the options that the user has given, so that no hint suggests them.
fn given_options() -> GivenOptions {
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match command_in(&arguments) {
        Some(row) => {
            let command = row.short_definition();
            arguments.retain(|argument| !single_dash::is_long_option(argument, &command));
            options_in(&arguments, &command)
        }
        None => GivenOptions::default(),
    }
}

/// Runs the program. Returns the outcome, from which `src/main.rs` computes the exit code.
pub fn main() -> CommandOutcome {
    io::prepare_signals();
    set_given(given_options);
    if let Some(leaked) = key_text_arguments::find(|all| Some(command_in(all)?.short_definition())) {
        return CommandOutcome::without_answer(report_error(&Error::KeyText(leaked)));
    }
    let CommandLine { row, globals, matches } = match parse() {
        Ok(call) => call,
        Err(e) => return print_help_or_error(e),
    };
    match globals.color {
        ColorChoice::Auto if dumb_terminal() => anstream::ColorChoice::Never,
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let output = OutputOptions {
        quiet: globals.quiet,
        verbose: globals.verbose,
        json: globals.json,
        progress: !globals.no_progress,
    };
    let mut report = Report::new(output);
    secrecy::protect(row.name, &report);
    let result = match levels(globals.backend) {
        Ok(levels) => {
            let context = CommandContext { output, weak: AllowWeak(globals.allow_weak), levels };
            (row.run)(matches, &context, &mut report)
        }
        Err(e) => Err(e),
    };
    let answer = match result {
        Ok(answer) => answer,
        Err(e) => {
            report.fatal(&e);
            SuccessToken::NONE
        }
    };
    report.finish(row.name, answer)
}

/// Finds the first command name in the arguments, and returns its row in `COMMANDS`.
fn command_in(arguments: &[OsString]) -> Option<&'static CommandRow> {
    for argument in arguments {
        for row in COMMANDS {
            if argument == row.name {
                return Some(row);
            }
        }
    }
    None
}

/// Returns the arguments before the first `--`.
fn arguments_before_dashes() -> Vec<OsString> {
    let mut arguments = Vec::new();
    for argument in std::env::args_os().skip(1) {
        if argument == "--" {
            break;
        }
        arguments.push(argument);
    }
    arguments
}

/// Prints the help or the version to standard output. All other results of the parser are errors,
/// which are printed to standard error, or to the JSON document with `--json`.
fn print_help_or_error(e: clap::Error) -> CommandOutcome {
    if e.use_stderr() {
        return CommandOutcome::without_answer(report_parser_error(e));
    }
    match print_help(&e) {
        Ok(()) => CommandOutcome { exit: Exit::Ok, answer: SuccessToken::of_help() },
        Err(e) => {
            let mut report = Report::new(OutputOptions::default());
            report.error(&Error::Stdout(e));
            CommandOutcome::without_answer(report.exit())
        }
    }
}

/// Prints the help or the version to standard output.
fn print_help(help: &clap::Error) -> std::io::Result<()> {
    was_open(1)?;
    help.print()?;
    std::io::stdout().flush()
}

/// Reports an error in the command line. The parsed options do not exist yet, so this function
/// searches the arguments for `--json`, `-q` and the name of the command, which change the output.
fn report_error(error: &Error) -> Exit {
    let arguments = arguments_before_dashes();
    let json = arguments.iter().any(|argument| argument == "--json");
    let command = match command_in(&arguments) {
        Some(row) => row.name,
        None => "fndsa",
    };
    let quiet = u8::try_from(habits::times_quiet(&arguments)).unwrap_or(u8::MAX);
    let mut report = Report::new(OutputOptions { json, quiet, ..OutputOptions::default() });
    report.fatal(error);
    report.finish(command, SuccessToken::NONE).exit
}

/// Reports an error of clap. The text of the error can contain an untrusted file name, so this
/// function escapes characters that could confuse a terminal or imitate a line of fndsa.
fn report_parser_error(e: clap::Error) -> Exit {
    let arguments = arguments_before_dashes();
    let command = match command_in(&arguments) {
        Some(row) => row.name,
        None => "",
    };
    let e = habits::escaped(habits::tip(e, command));
    let text = e.render().to_string();
    // `escaped` has escaped the user's words in the error. But the parser for an option's value may
    // have repeated a user's word in its message. A line end in the message could then come from
    // the user.
    let has_line_end = std::env::args_os().any(|argument| repeats_a_line_end(&text, &argument));
    let arguments_are_visible = std::env::args_os().all(is_visible);
    if arguments.iter().any(|argument| argument == "--json") {
        return report_error(&Error::of_command_line(&text));
    }
    if habits::times_quiet(&arguments) > 1 {
        return Exit::Usage;
    }
    if arguments_are_visible {
        let _ = e.print();
    } else {
        let ends = if has_line_end { LineEnds::Foreign } else { LineEnds::Own };
        report::complain(&escape::cleaned(&text, ends));
    }
    Exit::Usage
}

/// Returns whether an argument is UTF-8 text without characters that must be escaped.
fn is_visible(argument: OsString) -> bool {
    match argument.to_str() {
        Some(text) => escape::is_visible(text),
        None => false,
    }
}

/// Returns whether an argument with a line end, or the value in such an argument (`--key=VALUE` or
/// `-kVALUE`), occurs in a text.
fn repeats_a_line_end(text: &str, argument: &OsStr) -> bool {
    let argument = argument.to_string_lossy();
    let mut parts = vec![&*argument];
    if let Some((_, value)) = argument.split_once('=') {
        parts.push(value);
    }
    if let Some((at, _)) = argument.char_indices().nth(2) {
        parts.push(&argument[at..]);
    }
    parts.into_iter().any(|part| part.contains('\n') && text.contains(part))
}

#[cfg(test)]
mod tests;
