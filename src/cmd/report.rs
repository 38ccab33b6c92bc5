//! Everything the tool says: exit codes, the catalogue of errors with their hints, and the one
//! object that writes to the terminal.
//!
//! Messages, reason codes and exit codes are a contract with scripts. Each error is one row here:
//! its text, its exit code, its reason code for `--json`, and a hint that says what to do.

use super::armor::{Defect, Kind};
use super::escape::shown;
use super::json::Entry;
use fndsa::{Degree, KeyError};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::PathBuf;
use thiserror::Error;

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything asked for succeeded.
    Ok = 0,
    /// The answer is NO.
    Negative = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A file is not what it should be.
    BadInput = 3,
    /// The system refused.
    Io = 4,
    /// The random number generator or a self-check failed, or the tool has a bug.
    Internal = 6,
    /// The reader of standard output went away.
    Pipe = 141,
}

impl Exit {
    /// The number.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code of two results together: 1 beats 3 beats 4.
    pub fn and(self, other: Self) -> Self {
        let rank = |e| match e {
            Self::Ok => 0,
            Self::Io => 1,
            Self::BadInput => 2,
            Self::Negative => 3,
            Self::Usage => 4,
            Self::Pipe => 5,
            Self::Internal => 6,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

/// Why something was not done. Paths are escaped when shown; no content of a key ever is.
#[derive(Debug, Error)]
pub enum Error {
    // The command line (2).
    #[error("standard input is named more than once")]
    StdinTwice,
    #[error("{option} takes one FILE, {given} are given")]
    OneInput { option: &'static str, given: usize },
    #[error("{}: the output is also an input", shown(.0))]
    OutputIsInput(PathBuf),
    #[error("raw bytes are not written to a terminal")]
    RawToTerminal,
    #[error("--json and the result would both go to standard output")]
    JsonOnStdout,
    #[error("a context has at most 255 bytes, this one has {0}")]
    ContextLen(usize),
    #[error("--context-hex is not hexadecimal: {0}")]
    ContextHex(&'static str),
    #[error("the variable {} is not set", shown(.0))]
    Unset(String),
    #[error("no {} is given", .0.name())]
    NoKey(Kind),
    #[error("standard input has no signature file of its own")]
    StdinSignature,
    #[error("--prehashed needs the name of the hash")]
    NoPrehash,
    #[error("{}: not a name for key files", shown(.0))]
    KeyName(PathBuf),
    #[error("{} is a toy without any security", algorithm(*.0))]
    ToyAlgorithm(Degree),
    #[error("one --backend at a time, {0} are given")]
    Backends(usize),
    #[error("{}: both keys would go there", shown(.0))]
    SameOutput(PathBuf),

    // Files that are not what they should be (3).
    #[error("{from}: {defect}")]
    Format { from: String, defect: Defect },
    #[error("{from}: this is a {}, not a {}", .found.name(), .wanted.name())]
    Role { from: String, found: Kind, wanted: Kind },
    #[error("{from}: this is {what}")]
    Foreign { from: String, what: &'static str },
    #[error("{from}: not a valid {}: {source}", .kind.name())]
    Key { from: String, kind: Kind, source: KeyError },
    #[error("{from}: {} is a toy without any security", algorithm(*.degree))]
    Toy { from: String, degree: Degree },
    #[error("{from}: larger than any key, signature or context (64 KiB)")]
    TooLarge { from: String },
    #[error("{from}: {wanted} bytes expected (or {} hexadecimal digits), {found} found", .wanted * 2)]
    Digest { from: String, wanted: usize, found: u64 },

    // The system (4).
    #[error("{from}: {}", io_text(.source))]
    Io { from: String, source: io::Error },
    #[error("{}: exists already", shown(.0))]
    Exists(PathBuf),
    #[error("{from}: changed while being read")]
    Changed { from: String },
    #[error("standard output: {}", io_text(.0))]
    Stdout(io::Error),

    // The tool (6).
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// A failed system call on a file.
    pub fn io(from: impl ToString, source: impl Into<io::Error>) -> Self {
        Self::Io { from: from.to_string(), source: source.into() }
    }

    /// Exit code, reason code and hint.
    fn row(&self) -> (Exit, &'static str, Option<Cow<'static, str>>) {
        use Exit::{BadInput, Internal, Io, Pipe, Usage};
        let row = |exit, reason, hint: &'static str| {
            (exit, reason, if hint.is_empty() { None } else { Some(Cow::Borrowed(hint)) })
        };
        match self {
            Self::StdinTwice => row(Usage, "stdin_twice", "it can be read once; give a file for the others"),
            Self::OneInput { .. } => row(Usage, "one_input_only", "give each FILE a command of its own"),
            Self::OutputIsInput(_) => row(Usage, "output_is_input", "give the output another name"),
            Self::RawToTerminal => row(Usage, "raw_to_terminal", "write to a file with -o FILE, or use --format pem"),
            Self::JsonOnStdout => row(Usage, "json_on_stdout", "write the result to a file with -o FILE"),
            Self::ContextLen(_) => row(Usage, "context_too_long", "put the hash of a long text into the context"),
            Self::ContextHex(_) => row(Usage, "context_not_hex", "two digits a byte, for example --context-hex 00ff"),
            Self::Unset(_) => row(Usage, "variable_not_set", "put the text of the key file into it and export it"),
            Self::NoKey(Kind::SigningKey) => row(Usage, "no_key", "name it with -k FILE, or in FNDSA_KEY"),
            Self::NoKey(_) => row(Usage, "no_key", "name it with -p FILE, or in FNDSA_PUBLIC_KEY"),
            Self::StdinSignature => row(Usage, "no_signature_named", "name it with -s FILE"),
            Self::NoPrehash => row(Usage, "no_prehash_named", "name it, for example with --prehash sha512"),
            Self::KeyName(_) => {
                row(Usage, "bad_key_name", "`keygen NAME` makes NAME.key and NAME.pub; -o - writes to standard output")
            }
            Self::ToyAlgorithm(_) => row(Usage, "toy_degree", "for tests only: add --allow-weak"),
            Self::SameOutput(_) => row(Usage, "same_output", "give -o and -p different names"),
            Self::Backends(_) => row(Usage, "one_backend_only", "`fndsa bench` compares several"),

            Self::Format { defect, .. } => (BadInput, defect.reason(), defect.hint().map(Cow::Borrowed)),
            Self::Role { found, wanted, .. } => (BadInput, "wrong_kind", role_hint(*found, *wanted).map(Cow::Borrowed)),
            Self::Foreign { .. } => row(BadInput, "foreign_file", "make FN-DSA keys with `fndsa keygen NAME`"),
            Self::Key { source, .. } => (BadInput, key_reason(source), key_hint(source).map(Cow::Borrowed)),
            Self::Toy { .. } => row(BadInput, "toy_degree", "for tests only: add --allow-weak"),
            Self::TooLarge { .. } => row(BadInput, "too_large", "is this the message instead of the key or signature?"),
            Self::Digest { .. } => {
                row(BadInput, "digest_length", "give the output of the named hash, and nothing else")
            }

            Self::Io { source, .. } => row(Io, io_reason(source), io_hint(source)),
            Self::Exists(_) => row(Io, "exists", "--force replaces it"),
            Self::Changed { .. } => row(Io, "changed_while_read", "try again when nothing writes to it"),
            Self::Stdout(e) if e.kind() == io::ErrorKind::BrokenPipe => row(Pipe, "closed_pipe", ""),
            Self::Stdout(e) => row(Io, io_reason(e), "what was to be printed is lost; files that were written stay"),

            Self::Internal(_) => row(Internal, "internal", ""),
        }
    }

    /// The exit code.
    pub fn exit(&self) -> Exit {
        self.row().0
    }

    /// The code for scripts that read `--json`.
    pub fn reason(&self) -> &'static str {
        self.row().1
    }

    /// What to do.
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        self.row().2
    }

    /// The text for a line that begins with the name of `file` already.
    pub fn about(&self, file: impl ToString) -> String {
        let text = self.to_string();
        text.strip_prefix(&format!("{}: ", file.to_string())).map(str::to_owned).unwrap_or(text)
    }
}

/// What to do when one kind of file stands where another belongs.
fn role_hint(found: Kind, wanted: Kind) -> Option<&'static str> {
    Some(match (found, wanted) {
        (Kind::SigningKey, Kind::VerifyingKey) => {
            "keep it secret; `fndsa pubkey -k FILE` gives the public key that belongs here"
        }
        (Kind::VerifyingKey, Kind::SigningKey) => "the private key of the pair belongs here, usually NAME.key",
        (Kind::Signature, Kind::SigningKey) => "the private key belongs here, usually NAME.key",
        (Kind::Signature, Kind::VerifyingKey) => {
            "the public key belongs here, usually NAME.pub; a signature goes to -s"
        }
        (Kind::SigningKey | Kind::VerifyingKey, Kind::Signature) => {
            "the signature belongs here, usually FILE.sig; a public key goes to -p"
        }
        _ => return None,
    })
}

/// The reason code of a refused key.
fn key_reason(e: &KeyError) -> &'static str {
    match e {
        KeyError::Header { .. } => "key_header",
        KeyError::Length { .. } => "key_length",
        KeyError::Coefficient => "key_coefficient",
        KeyError::ZeroKey => "key_zero",
        KeyError::NotInvertible => "key_not_invertible",
        KeyError::Equation => "key_equation",
        KeyError::Norm | KeyError::OrthogonalNorm => "key_norm",
        KeyError::KeyHash => "key_hash",
        _ => "key_refused",
    }
}

/// What to do about a refused key.
fn key_hint(e: &KeyError) -> Option<&'static str> {
    match e {
        KeyError::Header { .. } | KeyError::Length { .. } => None,
        _ => Some("the file is damaged or was made by a faulty program; restore it from a copy"),
    }
}

/// The reason code of a failed system call.
fn io_reason(e: &io::Error) -> &'static str {
    match e.kind() {
        io::ErrorKind::NotFound => "not_found",
        io::ErrorKind::PermissionDenied => "permission_denied",
        io::ErrorKind::IsADirectory => "is_a_directory",
        io::ErrorKind::NotADirectory => "not_a_directory",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "no_space",
        io::ErrorKind::FileTooLarge => "file_too_large",
        io::ErrorKind::ReadOnlyFilesystem => "read_only",
        _ => "io_error",
    }
}

/// What to do about a failed system call; empty where the text says it all.
fn io_hint(e: &io::Error) -> &'static str {
    match e.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "nothing was replaced; free some space and repeat",
        io::ErrorKind::IsADirectory => "name a file",
        _ => "",
    }
}

/// The system's words, in lower case and without the number.
pub fn io_text(e: &io::Error) -> String {
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

/// The name of an algorithm, as it is printed.
pub fn algorithm(degree: Degree) -> String {
    format!("FN-DSA-{}", degree.n())
}

/// How a result line looks on a terminal that shows colors.
#[derive(Clone, Copy)]
pub enum Tone {
    /// Yes.
    Good,
    /// No.
    Bad,
}

/// What the global options say about talking.
#[derive(Clone, Copy, Debug, Default)]
pub struct Voice {
    /// 0 to 2: everything, no notes and no OK lines, nothing.
    pub quiet: u8,
    /// More notes.
    pub verbose: bool,
    /// One document on standard output instead of text.
    pub json: bool,
    /// Progress bars may appear.
    pub progress: bool,
}

/// The only writer to standard output and standard error. Collects the exit code and, with
/// `--json`, the results.
pub struct Report {
    /// How to talk.
    pub voice: Voice,
    exit: Exit,
    results: Vec<Value>,
    extra: Map<String, Value>,
    hints: Vec<String>,
}

impl Report {
    /// Nothing said yet.
    pub fn new(voice: Voice) -> Self {
        Self { voice, exit: Exit::Ok, results: Vec::new(), extra: Map::new(), hints: Vec::new() }
    }

    /// The exit code so far.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Adds to the exit code.
    pub fn add_exit(&mut self, exit: Exit) {
        self.exit = self.exit.and(exit);
    }

    /// A member of the JSON document beside `results`.
    pub fn set(&mut self, name: &str, value: Value) {
        self.extra.insert(name.to_owned(), value);
    }

    /// A result of the JSON document.
    pub fn push(&mut self, entry: Entry) {
        self.push_value(entry.into_value());
    }

    /// A result that is not about a file.
    pub fn push_value(&mut self, result: Value) {
        self.results.push(result);
    }

    /// A line of the answer on standard output, with a word in color. Nothing with `--json`.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn answer(&self, before: &str, word: &str, tone: Tone, after: &str) -> Result<(), Error> {
        let color = match tone {
            Tone::Good => anstyle::AnsiColor::Green,
            Tone::Bad => anstyle::AnsiColor::Red,
        };
        let style = color.on_default().bold();
        self.line(&format!("{before}{style}{word}{style:#}{after}"))
    }

    /// A line of the answer on standard output. Nothing with `--json` or `-qq`.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn line(&self, text: &str) -> Result<(), Error> {
        if self.voice.json || self.voice.quiet > 1 {
            return Ok(());
        }
        let mut out = anstream::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush()).map_err(Error::Stdout)
    }

    /// Something good to know, on standard error; not with `-q` or `--json`.
    pub fn note(&self, text: &str) {
        if self.voice.quiet == 0 && !self.voice.json {
            complain(text);
        }
    }

    /// Something to know with `-v` only.
    pub fn detail(&self, text: &str) {
        if self.voice.verbose {
            self.note(text);
        }
    }

    /// A hint on standard error, each text once.
    pub fn hint(&mut self, text: &str) {
        if self.talks() && !self.hints.iter().any(|h| h == text) {
            self.hints.push(text.to_owned());
            let style = anstyle::AnsiColor::Green.on_default();
            complain(&format!("{style}hint:{style:#} {text}"));
        }
    }

    /// Whether errors are said in text. With `--json` they are in the document.
    fn talks(&self) -> bool {
        self.voice.quiet < 2 && !self.voice.json
    }

    /// An error on standard error and in the exit code.
    pub fn error(&mut self, error: &Error) {
        self.add_exit(error.exit());
        if self.talks() && error.exit() != Exit::Pipe {
            let style = anstyle::AnsiColor::Red.on_default().bold();
            complain(&format!("{style}error:{style:#} {error}"));
            if let Some(hint) = error.hint() {
                self.hint(&hint);
            }
        }
    }

    /// An error of one file: said, counted, and a result of the JSON document.
    pub fn file_error(&mut self, entry: Entry, error: &Error) {
        self.error(error);
        self.push(entry.error(error));
    }

    /// An error that ends the command.
    pub fn fatal(&mut self, error: &Error) {
        self.error(error);
        let hint = error.hint();
        self.set("error", json!({ "reason": error.reason(), "message": error.to_string(), "hint": hint }));
    }

    /// Writes the JSON document if one is wanted, and gives the exit code.
    pub fn finish(mut self, command: &str) -> Exit {
        if self.voice.json && self.exit != Exit::Pipe {
            let mut document = std::mem::take(&mut self.extra);
            document.insert("schema".into(), json!(format!("fndsa/{command}@1")));
            document.insert("ok".into(), json!(self.exit == Exit::Ok));
            document.insert("exit_code".into(), json!(self.exit.code()));
            document.insert("results".into(), Value::Array(std::mem::take(&mut self.results)));
            let mut text = Value::Object(document).to_string();
            text.push('\n');
            if let Err(e) = write_stdout(text.as_bytes()) {
                self.voice.json = false;
                self.stdout_failed(command, &e);
            }
        }
        self.exit
    }

    /// Standard output failed at the end: an error, but a verdict stays what it is, and is not
    /// taken back because nobody reads it.
    pub fn stdout_failed(&mut self, command: &str, error: &Error) {
        if !(command == "verify" && error.exit() == Exit::Pipe) {
            self.error(error);
        }
    }
}

/// Bytes to standard output, all of them, now.
///
/// # Errors
/// Standard output cannot be written.
pub fn write_stdout(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(Error::Stdout)
}

/// A line to standard error. There is nobody to tell if that fails.
fn complain(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{text}");
}

/// A bug ends with exit code 6 and its place in the source; never with what the program held.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
        complain(&format!("error: this is a bug in fndsa {}{place}", env!("CARGO_PKG_VERSION")));
        complain("hint: please report it with the command that was run");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_beats_three_beats_four() {
        use Exit::{BadInput, Io, Negative, Ok};
        for (a, b, both) in
            [(Ok, Io, Io), (Io, BadInput, BadInput), (BadInput, Negative, Negative), (Io, Negative, Negative)]
        {
            assert_eq!((a.and(b), b.and(a)), (both, both));
        }
    }

    #[test]
    fn system_errors_read_like_messages() {
        assert_eq!(io_text(&io::Error::from_raw_os_error(2)), "no such file or directory");
        assert_eq!(io_text(&io::Error::from_raw_os_error(28)), "no space left on device");
    }
}
