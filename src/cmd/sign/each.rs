//! Signs files, and writes a signature file or an envelope for each file. `plan` uses
//! [`FilesToSign`] and [`refuse_key`].

use super::Args;
use super::file::{ExistingFileAction, SignatureFile};
use crate::tool::io::{FileInput, InputFiles, InputSource, end_if_signaled, has_content, is_private_key};
use crate::tool::keys::protected_files::ProtectedFiles;
use crate::tool::keys::swapped_files;
use crate::tool::report::escape::shown;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Report, ResultEntry};
use crate::tool::run::file_batches::BatchMode;
use crate::tool::run::parallel::{OrderedResults, ParallelRun, ParallelWork};
use crate::tool::sign::key_signer::SignatureContents;
use crate::tool::sign::output_format::OutputFormat;
use crate::tool::sign::signer::Signer;
use fndsa::files::Format;
use std::io::ErrorKind;
use std::ops::{ControlFlow, Range};
use std::path::Path;

/// The file name extensions of private keys, in lower case.
const KEY_ENDINGS: [&str; 11] = ["key", "pem", "p8", "pk8", "der", "jwk", "base64", "b64", "hex", "seed", "raw"];

/// The files to sign, and the outputs for their signatures.
pub struct FilesToSign<'a> {
    args: &'a Args,
    signer: &'a Signer<'a>,
    files: &'a InputFiles,
    /// The format of the signature files or envelopes.
    format: OutputFormat<'a>,
    /// For each file, the signature file, or the reason why the signature file cannot be written.
    destinations: Vec<Result<SignatureFile, Error>>,
}

impl<'a> FilesToSign<'a> {
    /// Checks whether each signature file can be written. Call this function after loading the
    /// keys, and before signing the first file.
    ///
    /// # Errors
    /// Fails if a raw signature would be written to a terminal.
    pub fn new(
        args: &'a Args,
        signer: &'a Signer<'a>,
        files: &'a InputFiles,
        format: OutputFormat<'a>,
    ) -> Result<Self, Error> {
        let mode = match (args.add, args.force) {
            (true, false) => ExistingFileAction::Add,
            (true, true) => ExistingFileAction::Renew,
            (false, _) => ExistingFileAction::Write(args.force()),
        };
        let mut destinations = Vec::with_capacity(files.sources().len());
        for source in files.sources() {
            destinations.push(match SignatureFile::new(&args.output(source), mode, signer) {
                Ok(destination) if args.format == Format::Raw => {
                    destination.refuse_terminal()?;
                    Ok(destination)
                }
                Ok(destination) => Ok(destination),
                Err(e) => Err(missing_file(source).unwrap_or(e)),
            });
        }
        Ok(Self { args, signer, files, format, destinations })
    }

    fn sources(&self) -> &'a [InputSource] {
        self.files.sources()
    }

    /// Signs all files. An error in a file is reported, and does not affect the other files.
    ///
    /// # Errors
    /// Fails if standard output fails. Returns an internal error if a file has no result.
    pub fn run(&self, progress: &ProgressDisplay, report: &mut Report) -> Result<(), Error> {
        let run = ParallelRun {
            title: "signing",
            count: self.sources().len(),
            threads: self.args.lists.jobs.threads(self.sources().len()),
            batches: BatchMode::Always,
            progress,
        };
        let mut results =
            SignResults { files_to_sign: self, report, due: self.sources().len(), written: 0, result: Ok(()) };
        run.each(self, &mut results);
        let SignResults { due, written, result, .. } = results;
        self.note_written(written, report);
        result?;
        if due > 0 {
            return Err(Error::Internal(format!("{due} files have neither a signature nor an error")));
        }
        Ok(())
    }

    /// Writes the signature for file `i`, and returns the number of signed bytes.
    fn write(&self, i: usize, to: &SignatureFile, signed: Result<SignatureContents, Error>) -> Result<u64, Error> {
        let signed = signed.map_err(|e| swapped_files::explain_input_error(e, &self.sources()[i]))?;
        end_if_signaled();
        to.write(&signed)?;
        Ok(signed.bytes)
    }

    /// Prints the signature file's name. For several files to sign, prints only the number of
    /// written signature files.
    fn note_written(&self, written: usize, report: &Report) {
        match (self.sources(), written) {
            (_, 0) => {}
            ([source], _) => report.note(&format!("wrote {}", shown(self.args.output(source)))),
            (_, count) => {
                let what = self.format.name;
                report.note(&format!("wrote {count} {what}{}", if count == 1 { "" } else { "s" }));
            }
        }
    }
}

impl ParallelWork for FilesToSign<'_> {
    type Output = Result<u64, Error>;

    fn file_len(&self, i: usize) -> Option<u64> {
        self.files.file_len(i)
    }

    fn run(&self, files: Range<usize>, buffer: &mut Vec<u8>, progress: &ProgressDisplay) -> Vec<Result<u64, Error>> {
        let mut inputs = Vec::with_capacity(files.len());
        for i in files.clone() {
            // Do not read a file if its signature cannot be written.
            if self.destinations[i].is_ok() {
                inputs.push(FileInput::new(&self.sources()[i], progress));
            }
        }
        let mut signed = self.format.sign(self.signer, buffer, &mut inputs).into_iter();
        let mut results = Vec::with_capacity(files.len());
        for i in files {
            let Ok(destination) = &self.destinations[i] else {
                results.push(Ok(0));
                continue;
            };
            // If the signer returns too few results, the remaining files have no result. The other
            // method `run`, in the first `impl` block, counts these files and returns an internal
            // error.
            let Some(signed) = signed.next() else { break };
            results.push(self.write(i, destination, signed));
        }
        results
    }
}

/// A receiver that reports the results for the files.
struct SignResults<'a, 'r> {
    files_to_sign: &'a FilesToSign<'a>,
    report: &'r mut Report,
    /// The number of files without a result so far.
    due: usize,
    /// The number of signature files that have been written.
    written: usize,
    result: Result<(), Error>,
}

impl SignResults<'_, '_> {
    /// Reports file `i` after its signature was written. `bytes` is the number of signed bytes.
    fn signed(&mut self, i: usize, to: &SignatureFile, entry: ResultEntry, bytes: u64) {
        let source = &self.files_to_sign.sources()[i];
        let output = self.files_to_sign.args.output(source);
        if bytes == 0 && source.identity().is_none() {
            self.report.warn(&format!("{source} was empty: the program that provides this input may have failed"));
        }
        if looks_like_private_key(source) {
            self.report.warn(&format!("{source}: the signed file is a private key; keep it secret"));
        }
        let signer = self.files_to_sign.signer;
        self.report.detail(&format!(
            "{source}: signed by {} ({}), {bytes} bytes -> {}",
            signer.names(),
            signer.level(),
            shown(&output)
        ));
        self.written += usize::from(to.is_file());
        self.report.push(entry.set("bytes", bytes.into()).ok());
    }
}

impl OrderedResults<Result<u64, Error>> for SignResults<'_, '_> {
    fn take(&mut self, i: usize, signed: Result<u64, Error>) -> ControlFlow<()> {
        self.due -= 1;
        let args = self.files_to_sign.args;
        let source = &self.files_to_sign.sources()[i];
        let entry = ResultEntry::of(source.path()).path("output", &args.output(source));
        let entry = self.files_to_sign.format.describe(self.files_to_sign.signer, entry);
        match (&self.files_to_sign.destinations[i], signed) {
            (Err(e), _) => self.report.file_error(entry, e),
            (Ok(to), Ok(bytes)) => self.signed(i, to, entry, bytes),
            (Ok(_), Err(e @ Error::Stdout(_))) => {
                self.result = Err(e);
                return ControlFlow::Break(());
            }
            (Ok(_), Err(e)) => self.report.file_error(entry, &e),
        }
        ControlFlow::Continue(())
    }
}

/// Returns an error if the file to sign does not exist. If the user has mistyped a directory, the
/// signature file cannot be opened either, but the error for the file to sign is the better
/// message.
fn missing_file(source: &InputSource) -> Option<Error> {
    let InputSource::File(path) = source else { return None };
    match std::fs::metadata(path) {
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Some(swapped_files::explain_input_error(Error::io(source, e), source))
        }
        _ => None,
    }
}

/// Returns whether a file is probably a private key, to print a warning. Checks only files with the
/// usual names of keys.
fn looks_like_private_key(source: &InputSource) -> bool {
    matches!(source, InputSource::File(path) if has_key_ending(path) && is_private_key(path))
}

/// Returns whether a file has a usual name for a key. Such a name contains an extension from
/// [`KEY_ENDINGS`] at any position, as in `release.key.base64`, or starts with `id_`, like the key
/// files of OpenSSH.
fn has_key_ending(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    name.starts_with("id_") || name.split('.').skip(1).any(|ending| KEY_ENDINGS.contains(&ending))
}

/// Rejects a private key if there are several files to sign. In `sign -k a.key b.key`, the user has
/// probably forgotten the second `-k`. Call this function only for several files, because a user
/// may sign a single private key on purpose. Checks only files with the usual names of keys.
///
/// # Errors
/// Fails if the file is certainly a private key.
pub fn refuse_key(source: &InputSource, protected: &ProtectedFiles) -> Result<(), Error> {
    match source {
        InputSource::File(path)
            if has_key_ending(path) && has_content(path, |content| protected.is_private_key(content)) =>
        {
            Err(Error::KeyAmongFiles { from: source.to_string(), path: path.clone() })
        }
        _ => Ok(()),
    }
}
