//! The tool's output: exit codes, the catalogue of errors with their hints, and the only type that
//! writes to the terminal.
//!
//! - `error`: the catalogue of errors; a row has an exit code, a reason code, a message and a hint
//! - `error_row`: the macro that generates the error enum from the catalogue
//! - `library`: converts errors from the library and the argument parser
//! - `file_hints`: hints for files of other formats, and for missing signature files
//! - `key_words`: messages and hints for too few keys and existing keys
//! - `failures`: reason codes, messages and hints for failed system calls
//! - `hint`: hints, which never suggest an option that is already given
//! - `answer`: exit code 0, which requires the evidence for all files
//! - `exit`: exit codes
//! - `entry`: a result in JSON
//! - `results`: the results in a JSON document, as text
//! - `progress`: the progress bar
//! - `escape`: escapes file names, so that they cannot confuse a terminal
//! - `keytext`: detects key text that was passed instead of a file name
//! - `suffix`: names for files that belong together

pub mod answer;
mod entry;
mod error;
mod error_row;
pub mod escape;
pub mod exit;
mod failures;
pub mod file_hints;
pub mod hint;
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
use results::ResultsWriter;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// The color for a result line on a terminal.
#[derive(Clone, Copy)]
pub enum ResultColor {
    /// The verdict is YES.
    Good,
    /// The verdict is NO.
    Bad,
}

/// The global options for output.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputOptions {
    /// The quiet level: 0 prints everything, 1 omits notes and OK lines, 2 omits all text.
    pub quiet: u8,
    /// Whether to print more notes.
    pub verbose: bool,
    /// Whether to print a JSON document on standard output instead of text.
    pub json: bool,
    /// Whether to show progress bars.
    pub progress: bool,
}

/// The only writer to standard output and standard error. It collects the exit code and, with
/// `--json`, the results.
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

    /// Adds an exit code: see [`Exit::and`].
    pub fn add_exit(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    /// Sets a member in the JSON document, next to `results`.
    pub fn set(&mut self, name: &str, value: Value) {
        self.extra.insert(name.to_owned(), value);
    }

    /// Adds a result to the JSON document.
    pub fn push(&mut self, entry: ResultEntry) {
        self.push_value(entry.into_value());
    }

    /// Adds a result that does not belong to a file.
    pub fn push_value(&mut self, result: Value) {
        if self.output.json {
            self.results.push(&result);
        }
    }

    /// Prints a result line on standard output, with a colored word. With `--json` or `-qq`, the
    /// line is omitted.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn answer(&self, before: &str, word: &str, tone: ResultColor, after: &str) -> Result<(), Error> {
        let color = match tone {
            ResultColor::Good => anstyle::AnsiColor::Green,
            ResultColor::Bad => anstyle::AnsiColor::Red,
        };
        let style = color.on_default().bold();
        self.line(&format!("{before}{style}{word}{style:#}{after}"))
    }

    /// Prints a result line on standard output. With `--json` or `-qq`, the line is omitted.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn line(&self, text: &str) -> Result<(), Error> {
        if self.output.json || self.output.quiet > 1 {
            return Ok(());
        }
        was_open(1).map_err(Error::Stdout)?;
        let mut out = anstream::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush()).map_err(Error::Stdout)
    }

    /// Prints a note on standard error, except with `-q` or `--json`.
    pub fn note(&self, text: &str) {
        if self.output.quiet == 0 && !self.output.json {
            complain(text);
        }
    }

    /// Prints a warning as a note, and adds it to `warnings` in the document.
    pub fn warn(&mut self, text: &str) {
        self.note(&format!("warning: {text}"));
        self.add_warning(text);
    }

    /// Adds a text to `warnings` in the document.
    pub fn add_warning(&mut self, text: &str) {
        let all = self.extra.entry("warnings").or_insert_with(|| json!([]));
        all.as_array_mut().into_iter().for_each(|all| all.push(json!(text)));
    }

    /// Prints a note with `-v`.
    pub fn detail(&self, text: &str) {
        if self.output.verbose {
            self.note(text);
        }
    }

    /// Prints a hint on standard error. Each text is printed only once.
    pub fn hint(&mut self, hint: &Hint) {
        let Some(text) = hint.text().filter(|_| self.talks()) else { return };
        if !self.hints.contains(&text) {
            let style = anstyle::AnsiColor::Green.on_default();
            complain(&format!("{style}hint:{style:#} {text}"));
            self.hints.push(text);
        }
    }

    /// Prints the result from `--explain` on standard error.
    pub fn explain(&self, text: &str) {
        if self.talks() {
            complain(&format!("explain: {text}"));
        }
    }

    /// Returns whether to print errors as text. With `--json`, the document contains the errors.
    fn talks(&self) -> bool {
        self.output.quiet < 2 && !self.output.json
    }

    /// Prints an error with its hint on standard error, and adds its exit code.
    pub fn error(&mut self, error: &Error) {
        self.add_exit(error.exit());
        if self.talks() && error.exit() != Exit::Pipe {
            let style = anstyle::AnsiColor::Red.on_default().bold();
            complain(&format!("{style}error:{style:#} {error}"));
            self.hint(&error.hint());
        }
    }

    /// Reports a file's error: as text, in the exit code, and as a result in the JSON document.
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

    /// Returns a JSON document for the current report with these results, as a line.
    pub fn document(&self, command: &str, results: &[Value]) -> String {
        ResultsWriter::of(results).end(&self.members(command))
    }

    /// Returns the members in the JSON document except the results.
    fn members(&self, command: &str) -> Map<String, Value> {
        let mut members = self.extra.clone();
        members.insert("schema".into(), json!(format!("fndsa/{command}@1")));
        members.insert("ok".into(), json!(self.exit == Exit::Ok));
        members.insert("exit_code".into(), json!(self.exit.code()));
        members
    }

    /// Writes the JSON document with `--json`, and returns the exit code. If there was no rejection
    /// and no error, `answer` determines the exit code, because exit code 0 requires evidence.
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

    /// Reports a failure of standard output at the end of a command. Exception: if the reader of a
    /// pipe stops reading, the verdict of `verify` does not change, and this is not an error.
    pub fn stdout_failed(&mut self, command: &str, error: &Error) {
        if !(command == "verify" && error.exit() == Exit::Pipe) {
            self.error(error);
        }
    }
}

/// Writes all bytes to standard output without buffering.
///
/// # Errors
/// Standard output cannot be written.
pub fn write_stdout(bytes: &[u8]) -> Result<(), Error> {
    was_open(1).map_err(Error::Stdout)?;
    let mut out = io::stdout().lock();
    out.flush().and_then(|()| write_past_the_buffer(&out, bytes)).map_err(Error::Stdout)
}

/// Writes a line to standard error. A failure is ignored, because it cannot be reported.
pub fn complain(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{text}");
}

/// Makes a panic in any thread end the process, without unwinding: no code runs in an unexpected
/// state, and the system frees the memory. The message contains the source location, and no data.
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

    /// The variable that makes the test below panic. The test runs itself again in a new process.
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
