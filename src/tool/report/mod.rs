//! The output of the program: exit codes, the table of errors with their hints, and [`Report`],
//! which prints results, notes and errors.
//!
//! - `error`: the table of errors; a row has an exit code, a reason code, a message and a hint
//! - `error_row`: the macro that generates the enum `Error` from this table
//! - `library`: converts errors from the library and the argument parser
//! - `file_hints`: hints for files of other formats, and for missing signature files
//! - `key_words`: messages and hints for too few keys and existing keys
//! - `failures`: reason codes, messages and hints for failed system calls
//! - `hint`: hints, which never suggest an option that is already given
//! - `answer`: exit code 0, which requires the evidence for all files
//! - `exit`: exit codes
//! - `entry`: a result in JSON
//! - `results`: the results in a JSON document, as text
//! - `json`: writes JSON values as text
//! - `progress`: the progress bar
//! - `escape`: escapes file names, so that they cannot confuse a terminal
//! - `keytext`: detects key text that was passed instead of a file name
//! - `suffix`: file name suffixes for signatures and envelopes

pub mod answer;
mod entry;
mod error;
mod error_row;
pub mod escape;
pub mod exit;
mod failures;
pub mod file_hints;
pub mod hint;
pub mod json;
mod key_words;
pub mod keytext;
mod library;
pub mod progress;
mod results;
pub mod suffix;

pub use answer::{CommandOutcome, EvidenceSum, SuccessToken};
pub use entry::ResultEntry;
pub use error::Error;
pub use exit::Exit;
pub use fndsa::verdict::Evidence;
pub use fndsa::verdict::text::{KeyPart, MAX_SIGNATURES, SmallFile};
pub use hint::Hint;

use crate::tool::system::{was_open, write_past_the_buffer};
use anstream::{AutoStream, ColorChoice};
use results::ResultsWriter;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::sync::OnceLock;

/// The color of a result line on a terminal.
#[derive(Clone, Copy)]
pub enum ResultColor {
    /// The verdict is YES.
    Good,
    /// The verdict is NO.
    Bad,
}

/// The global options that control the output.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputOptions {
    /// The quiet level: 0 prints all text, 1 omits notes and OK lines, and 2 omits all text.
    pub quiet: u8,
    /// Whether to print additional notes.
    pub verbose: bool,
    /// Whether to print a JSON document instead of text to standard output.
    pub json: bool,
    /// Whether to show progress bars.
    pub progress: bool,
}

/// The printer for result lines, notes, warnings and errors. It also collects the exit code and,
/// with `--json`, the results. (`progress` draws the progress bars, and `system` shows prompts.)
pub struct Report {
    /// The global options for output.
    pub output: OutputOptions,
    exit: Exit,
    results: ResultsWriter,
    extra: Map<String, Value>,
    hints: Vec<String>,
}

impl Report {
    /// Creates an empty report.
    pub fn new(output: OutputOptions) -> Self {
        Self { output, exit: Exit::Ok, results: ResultsWriter::default(), extra: Map::new(), hints: Vec::new() }
    }

    /// Returns the current exit code.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Combines the current exit code with a new exit code (see [`Exit::and`]).
    pub fn add_exit(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    /// Sets a member of the JSON document, next to its list of results.
    pub fn set(&mut self, name: &str, value: Value) {
        self.extra.insert(name.to_owned(), value);
    }

    /// Adds the result for a file to the JSON document. Without `--json`, the result is dropped.
    pub fn push(&mut self, entry: ResultEntry) {
        self.push_value(entry.into_value());
    }

    /// Adds a result that does not belong to a file to the JSON document, as [`Self::push`] does.
    pub fn push_value(&mut self, result: Value) {
        if self.output.json {
            self.results.push(&result);
        }
    }

    /// Prints a result line with a colored word to standard output. Nothing is printed with
    /// `--json` or `-qq`.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn answer(&self, before: &str, word: &str, tone: ResultColor, after: &str) -> Result<(), Error> {
        let color = match tone {
            ResultColor::Good => anstyle::AnsiColor::Green,
            ResultColor::Bad => anstyle::AnsiColor::Red,
        };
        let style = color.on_default().bold();
        self.line(&format!("{before}{style}{word}{style:#}{after}"))
    }

    /// Prints a result line to standard output. Nothing is printed with `--json` or `-qq`.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn line(&self, text: &str) -> Result<(), Error> {
        if self.output.json || self.output.quiet > 1 {
            return Ok(());
        }
        was_open(1).map_err(Error::Stdout)?;
        let stdout = io::stdout().lock();
        // The environment and the terminal are queried only for the first line.
        static COLORS: OnceLock<ColorChoice> = OnceLock::new();
        let colors = COLORS.get_or_init(|| AutoStream::choice(&stdout));
        let mut out = AutoStream::new(stdout, *colors);
        writeln!(out, "{text}").and_then(|()| out.flush()).map_err(Error::Stdout)
    }

    /// Prints a note to standard error, except with `-q` or `--json`.
    pub fn note(&self, text: &str) {
        if self.output.quiet == 0 && !self.output.json {
            complain(text);
        }
    }

    /// Prints a warning as a note, and adds it to the member `warnings` in the JSON document.
    pub fn warn(&mut self, text: &str) {
        self.note(&format!("warning: {text}"));
        self.add_warning(text);
    }

    /// Adds a text to the member `warnings` in the JSON document.
    pub fn add_warning(&mut self, text: &str) {
        let all = self.extra.entry("warnings").or_insert_with(|| json!([]));
        all.as_array_mut().into_iter().for_each(|all| all.push(json!(text)));
    }

    /// Prints a note, but only with `-v`.
    pub fn detail(&self, text: &str) {
        if self.output.verbose {
            self.note(text);
        }
    }

    /// Prints a hint to standard error, except with `-qq` or `--json`. A hint is printed only once.
    pub fn hint(&mut self, hint: &Hint) {
        let Some(text) = hint.text().filter(|_| self.talks()) else { return };
        if !self.hints.contains(&text) {
            let style = anstyle::AnsiColor::Green.on_default();
            complain(&format!("{style}hint:{style:#} {text}"));
            self.hints.push(text);
        }
    }

    /// Prints the result of `--explain` to standard error, except with `-qq` or `--json`.
    pub fn explain(&self, text: &str) {
        if self.talks() {
            complain(&format!("explain: {text}"));
        }
    }

    /// Returns whether errors are printed as text. With `-qq`, only the exit code reports errors.
    /// With `--json`, errors are in the JSON document instead.
    fn talks(&self) -> bool {
        self.output.quiet < 2 && !self.output.json
    }

    /// Prints an error and its hint to standard error, and adds its exit code. A closed pipe is not
    /// reported as text.
    pub fn error(&mut self, error: &Error) {
        self.add_exit(error.exit());
        if self.talks() && error.exit() != Exit::Pipe {
            let style = anstyle::AnsiColor::Red.on_default().bold();
            complain(&format!("{style}error:{style:#} {error}"));
            self.hint(&error.hint());
        }
    }

    /// Reports an error for a file: as text, as an exit code, and as a result in the JSON document.
    pub fn file_error(&mut self, entry: ResultEntry, error: &Error) {
        self.error(error);
        self.push(entry.error(error));
    }

    /// Reports an error that ends the command.
    pub fn fatal(&mut self, error: &Error) {
        self.error(error);
        let hint = error.hint().text();
        self.set("error", json!({ "reason": error.reason(), "message": error.to_string(), "hint": hint }));
    }

    /// Returns a JSON document in a single line, with these results and the current exit code.
    pub fn document(&self, command: &str, results: &[Value]) -> String {
        ResultsWriter::of(results).end(&self.members(command))
    }

    /// Returns all members of the JSON document except for the results.
    fn members(&self, command: &str) -> Map<String, Value> {
        let mut members = self.extra.clone();
        members.insert("schema".into(), json!(format!("fndsa/{command}@1")));
        members.insert("ok".into(), json!(self.exit == Exit::Ok));
        members.insert("exit_code".into(), json!(self.exit.code()));
        members
    }

    /// Prints the JSON document if `--json` is given, and returns the exit code. If there was
    /// neither a rejection nor an error, the exit code comes from `answer`, because exit code 0
    /// requires evidence (see the module `answer`).
    pub fn finish(mut self, command: &str, answer: SuccessToken) -> CommandOutcome {
        if self.exit == Exit::Ok {
            self.exit = answer.exit();
        }
        if self.output.json && self.exit != Exit::Pipe {
            let results = std::mem::take(&mut self.results);
            if let Err(e) = results.finish(&self.members(command)) {
                self.output.json = false;
                self.stdout_failed(command, &e);
            }
        }
        CommandOutcome { exit: self.exit, answer }
    }

    /// Reports an error in writing to standard output. A closed pipe is not an error for `verify`,
    /// because it does not change the verdict.
    pub fn stdout_failed(&mut self, command: &str, error: &Error) {
        if !(command == "verify" && error.exit() == Exit::Pipe) {
            self.error(error);
        }
    }
}

/// Writes bytes to standard output without its buffer, because the bytes may be a private key, and
/// the buffer is never wiped.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn write_stdout(bytes: &[u8]) -> Result<(), Error> {
    was_open(1).map_err(Error::Stdout)?;
    let mut out = io::stdout().lock();
    out.flush().and_then(|()| write_past_the_buffer(&out, bytes)).map_err(Error::Stdout)
}

/// Writes a line to standard error. An error is ignored, because there is no other place to report
/// it.
pub fn complain(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{text}");
}

/// Installs a panic hook that ends the process without unwinding, so that no code runs after a
/// panic in any thread. The printed message contains the source location, but not the panic's text,
/// because that text could contain a secret.
pub fn end_at_a_panic(end: fn() -> !) {
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
        complain(&format!("error: this is a bug in fndsa {}{place}", env!("CARGO_PKG_VERSION")));
        complain("hint: please report this bug and the command that you ran");
        end()
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// The variable that makes the following test panic. The test runs its own executable as a new
    /// process.
    const PANICS: &str = "FNDSA_TEST_PANICS";

    #[test]
    fn a_panic_in_any_thread_ends_the_process_with_a_message() {
        if std::env::var_os(PANICS).is_some() {
            end_at_a_panic(|| std::process::exit(Exit::Internal.code().into()));
            let _ended = std::thread::spawn(|| panic!("the key")).join();
            return;
        }
        let test = "tool::report::tests::a_panic_in_any_thread_ends_the_process_with_a_message";
        let program = std::env::current_exe().unwrap();
        let ran = Command::new(program).args(["--exact", test]).env(PANICS, "1").output().unwrap();
        assert_eq!(ran.status.code(), Some(6));
        let said = String::from_utf8(ran.stderr).unwrap();
        assert!(said.contains("error: this is a bug in fndsa") && said.contains("mod.rs:"), "{said}");
        assert!(!said.contains("the key"), "{said}");
    }
}
