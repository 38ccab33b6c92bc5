//! `sign --print-mu`: prints the mu, a 64-byte message hash that an external signer such as a card
//! or a server can sign. `SignPlan::print_mu` in `plan` calls [`MuMaker`].

use crate::tool::io::{FileInput, InputSource, MemoryInput};
use crate::tool::options::form::{MuForm, mu_form_names};
use crate::tool::options::jobs::JobCount;
use crate::tool::report::escape::shown;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Report, ResultEntry, write_stdout};
use crate::tool::run::file_batches::BatchMode;
use crate::tool::run::parallel::{OrderedResults, ParallelRun, ParallelWork};
use crate::tool::sign::output_format::{MuKey, OutputFormat};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::files::hex::hex;
use fndsa::files::manifest::write_line;
use fndsa::message::Mu;
use fndsa::no_alloc::Level;
use serde_json::json;
use std::io::ErrorKind;
use std::ops::{ControlFlow, Range};
use std::path::Path;

/// The line that is printed for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MuLine {
    /// Only the mu, encoded as `sign --mu -` reads it, or in base64 for other programs.
    Alone(MuForm),
    /// The mu, and then the file name.
    Named,
}

/// A worker that computes the mu of messages for a key, a context and a pre-hash.
pub struct MuMaker<'a> {
    level: Level,
    key: MuKey<'a>,
    format: OutputFormat<'a>,
}

impl<'a> MuMaker<'a> {
    /// Prepares to compute the mu for a key. The mu is a hash of the bytes that signatures in
    /// `format` cover.
    ///
    /// # Errors
    /// Fails if the scheme does not use a mu, or if it does not support the context or the
    /// pre-hash.
    pub fn new(level: Level, key: MuKey<'a>, format: OutputFormat<'a>) -> Result<Self, Error> {
        let scheme = key.algorithm.scheme();
        if !scheme.has_mu() {
            return Err(Error::NoMu(scheme));
        }
        key.form.check(key.algorithm)?;
        Ok(Self { level, key, format })
    }

    /// Prints a line for each file, in order. After an error in a file, continues with the
    /// remaining files.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn print(
        &self,
        sources: &[InputSource],
        line: MuLine,
        jobs: JobCount,
        progress: &ProgressDisplay,
        report: &mut Report,
    ) -> Result<(), Error> {
        let run = ParallelRun {
            title: "hashing",
            count: sources.len(),
            threads: jobs.threads(sources.len()),
            batches: BatchMode::Never,
            progress,
        };
        let mut lines = MuLines { maker: self, sources, line, report, result: Ok(()) };
        run.each(&MuWork { maker: self, sources }, &mut lines);
        lines.result
    }

    /// Prints the mu for a list.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn print_list(&self, path: &Path, list: &[u8], line: MuLine, report: &mut Report) -> Result<(), Error> {
        let MuKey { algorithm, hash, form } = &self.key;
        let name = shown(path);
        let (mu, bytes) = form.mu(self.level, *algorithm, hash, &mut MemoryInput::new(&name, list))?;
        self.print_one(path, (&mu, bytes), line, report)
    }

    /// Prints a mu, or with `--json` adds it to the JSON results. `bytes` is the length of the
    /// message.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    fn print_one(&self, path: &Path, (mu, bytes): (&Mu, u64), line: MuLine, report: &mut Report) -> Result<(), Error> {
        let entry = self.format.describe_covered(self.key.algorithm.scheme(), ResultEntry::of(path));
        let entry = self.key.form.describe(entry).set("mu_hex", json!(hex(mu.as_bytes())));
        report.push(entry.set("bytes", bytes.into()).ok());
        if report.output.json {
            return Ok(());
        }
        let mut text = Vec::new();
        match line {
            MuLine::Alone(MuForm::Hex) => text.extend_from_slice(format!("{}\n", hex(mu.as_bytes())).as_bytes()),
            MuLine::Alone(MuForm::Base64) => {
                text.extend_from_slice(format!("{}\n", STANDARD.encode(mu.as_bytes())).as_bytes());
            }
            MuLine::Alone(MuForm::Raw) => text.extend_from_slice(mu.as_bytes()),
            MuLine::Named => write_line(&mut text, mu.as_bytes(), path.as_os_str().as_encoded_bytes()),
        }
        write_stdout(&text)
    }
}

/// The mu for a file, and the file length in bytes.
type MuResult = Result<(Mu, u64), Error>;

/// A worker that hashes files on several threads.
struct MuWork<'a> {
    maker: &'a MuMaker<'a>,
    sources: &'a [InputSource],
}

impl ParallelWork for MuWork<'_> {
    type Output = MuResult;

    fn file_len(&self, i: usize) -> Option<u64> {
        self.sources[i].file_len()
    }

    fn run(&self, files: Range<usize>, _: &mut Vec<u8>, progress: &ProgressDisplay) -> Vec<MuResult> {
        let MuMaker { level, key, format } = self.maker;
        let mut all = Vec::with_capacity(files.len());
        for source in &self.sources[files] {
            all.push(format.mu(*level, key, &mut FileInput::new(source, progress)));
        }
        all
    }
}

/// A printer for the lines, in file order.
struct MuLines<'a, 'r> {
    maker: &'a MuMaker<'a>,
    sources: &'a [InputSource],
    line: MuLine,
    report: &'r mut Report,
    result: Result<(), Error>,
}

impl OrderedResults<MuResult> for MuLines<'_, '_> {
    fn take(&mut self, i: usize, read: MuResult) -> ControlFlow<()> {
        let path = self.sources[i].path();
        let (mu, bytes) = match read {
            Ok(read) => read,
            Err(e) => {
                self.report.file_error(ResultEntry::of(path), &explain_form(e, &self.sources[i]));
                return ControlFlow::Continue(());
            }
        };
        self.result = self.maker.print_one(path, (&mu, bytes), self.line, self.report);
        if self.result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Adds a hint to the error if a missing file has the name of an encoding, for example `raw`. The
/// user has probably written a blank instead of `=` between `--print-mu` and its value.
fn explain_form(e: Error, source: &InputSource) -> Error {
    match (&e, source) {
        (Error::Io { source, .. }, InputSource::File(path)) if source.kind() == ErrorKind::NotFound => {
            match path.to_str() {
                Some(name) if mu_form_names().any(|form| form == name) => {
                    e.with_hint(format!("write the form after an equals sign: `--print-mu={name}`"))
                }
                _ => e,
            }
        }
        _ => e,
    }
}
