//! Verifies files that have separate signature files. `VerifyPlan::verify` in `plan` calls
//! [`FilesToVerify::run`].

use super::Args;
use crate::tool::io::{FileInput, Input, InputReuse, InputSource};
use crate::tool::message::envelope::load;
use crate::tool::report::escape::pasteable_name;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::suffix::{CMS_SUFFIX, JWS_SUFFIX, SUFFIX, with_suffix};
use crate::tool::report::{Error, ResultEntry};
use crate::tool::run::file_batches::BatchMode;
use crate::tool::run::parallel::{OrderedResults, ParallelRun, ParallelWork};
use crate::tool::system::parse;
use crate::tool::verify::certificates::{MessageComparison, explain_cms};
use crate::tool::verify::lines::VerdictPrinter;
use crate::tool::verify::verifier::{Verdict, VerificationJob, Verifier};
use fndsa::Algorithm;
use fndsa::files::ObjectKind;
use fndsa::verdict::cms_envelope::CmsFormat;
use fndsa::verdict::envelope::{DetachedSignatures, Envelope};
use fndsa::verdict::jws_envelope::JwsFormat;
use fndsa::verdict::ssh_envelope::SshFormat;
use serde_json::json;
use std::cell::Cell;
use std::fmt::Display;
use std::ops::{ControlFlow, Range};

impl Args {
    fn suffix(&self) -> &'static str {
        match (self.trust.jws, self.cms) {
            (true, _) => JWS_SUFFIX,
            (false, true) => CMS_SUFFIX,
            (false, false) => SUFFIX,
        }
    }

    /// Returns the signature file for a file: the argument of `--signature`. Without this option,
    /// the signature file is FILE.jws with `--jws`, FILE.p7s with `--cms`, and otherwise FILE.sig.
    ///
    /// # Errors
    /// Fails if the file is standard input, and no signature file is given.
    pub fn signature_of(&self, source: &InputSource) -> Result<InputSource, Error> {
        match (&self.signature, source) {
            (Some(signature), _) => Ok(InputSource::from_arg(signature)),
            (None, InputSource::File(path) | InputSource::Descriptor(path)) => {
                Ok(InputSource::File(with_suffix(path, self.suffix())))
            }
            (None, _) => Err(Error::StdinSignature),
        }
    }

    /// Returns the format of the signature files. If the files contain their signatures, the format
    /// is used only to check the options.
    pub fn signature_format(&self) -> Box<dyn Envelope + '_> {
        match &self.trust.ssh {
            Some(namespace) => Box::new(SshFormat::new(namespace)),
            None if self.trust.jws => Box::new(JwsFormat),
            None if self.cms || self.kernel_module => Box::new(CmsFormat::SEPARATE),
            None => Box::new(DetachedSignatures),
        }
    }

    /// Returns the error for a key that the signature file format does not support.
    pub fn unsupported(&self, algorithm: Algorithm) -> Error {
        let kind = ObjectKind::VerifyingKey;
        match (&self.trust.ssh, self.trust.jws) {
            (Some(_), _) => Error::NoSshSignature { algorithm, kind },
            (None, true) => Error::NoJws { algorithm, kind },
            (None, false) => Error::NoCms { algorithm, kind },
        }
    }
}

/// The files to verify.
pub struct FilesToVerify<'a> {
    /// The options of `verify`.
    pub args: &'a Args,
    /// The keys, and the options that are common to all files.
    pub verifier: &'a Verifier<'a>,
    /// The files to verify, without their signature files.
    pub sources: &'a [InputSource],
    /// The files with the trusted keys.
    pub keys: &'a [InputSource],
}

impl FilesToVerify<'_> {
    /// Verifies all files, and prints the verdict or the error for each file, in order.
    pub fn run(&self, progress: &ProgressDisplay, lines: &mut VerdictPrinter<'_>) {
        let run = ParallelRun {
            title: "verifying",
            count: self.sources.len(),
            threads: self.args.lists.jobs.threads(self.sources.len()),
            batches: BatchMode::Always,
            progress,
        };
        run.each(self, &mut VerdictLines { of: self, lines });
    }

    /// Loads the signatures for a file. The file itself is read later. The reader then sets
    /// `is_list` if the file is a list of checksums.
    fn load_job<'s>(
        &'s self,
        source: &'s InputSource,
        is_list: &'s Cell<bool>,
        progress: &'s ProgressDisplay,
    ) -> Result<VerificationJob<'s>, Error> {
        let format = self.args.signature_format();
        let signatures = load(&*format, &self.args.signature_of(source)?, source)?;
        let input = ListDetector { input: FileInput::new(source, progress), is_started: false, is_list };
        Ok(VerificationJob { form: &self.verifier.form, signatures, input: Box::new(input) })
    }
}

/// The result for a file.
pub struct CheckedFile {
    checked: Result<Verdict, Error>,
    /// Whether the start of the file is a list of checksums.
    is_list: bool,
}

impl ParallelWork for FilesToVerify<'_> {
    type Output = CheckedFile;

    fn file_len(&self, i: usize) -> Option<u64> {
        // If the signature file can be a pipe, the file is processed alone, because other files in
        // a batch would have to wait for the pipe.
        self.args.signature_of(&self.sources[i]).ok()?.file_len()?;
        self.sources[i].file_len()
    }

    fn run(&self, files: Range<usize>, buffer: &mut Vec<u8>, progress: &ProgressDisplay) -> Vec<CheckedFile> {
        let are_lists = vec![Cell::new(false); files.len()];
        let mut jobs = Vec::with_capacity(files.len());
        for (source, is_list) in self.sources[files].iter().zip(&are_lists) {
            jobs.push(self.load_job(source, is_list, progress));
        }
        let mut results = Vec::with_capacity(are_lists.len());
        for (checked, is_list) in self.verifier.check_together(buffer, jobs).into_iter().zip(&are_lists) {
            results.push(CheckedFile { checked, is_list: is_list.get() });
        }
        results
    }
}

/// A printer for the verdict on each file.
struct VerdictLines<'a, 'l, 'r> {
    of: &'a FilesToVerify<'a>,
    lines: &'l mut VerdictPrinter<'r>,
}

impl OrderedResults<CheckedFile> for VerdictLines<'_, '_, '_> {
    fn take(&mut self, i: usize, file: CheckedFile) -> ControlFlow<()> {
        let CheckedFile { mut checked, is_list } = file;
        let source = &self.of.sources[i];
        let mut entry = ResultEntry::of(source.path());
        let signature = self.of.args.signature_of(source).ok();
        if let Some(signature) = &signature {
            entry = entry.path("signature", signature.path());
        }
        if let Some(namespace) = &self.of.args.trust.ssh {
            entry = entry.set("namespace", json!(namespace.to_string()));
        }
        if let (true, Ok(verdict @ Verdict::No(_)), Some(signature)) = (self.of.args.cms, &mut checked, &signature)
            && signature.file_len().is_some()
            && let Ok(data) = signature.read_signatures()
        {
            let message = MessageComparison::of_file(&data, source, self.of.verifier.level);
            explain_cms(verdict, &data, self.of.keys, message);
        }
        let is_yes = matches!(checked, Ok(Verdict::Yes(_)));
        let is_list = is_list && matches!(source, InputSource::File(_));
        let note = if is_yes && is_list { Some(files_not_checked(source)) } else { None };
        if let Some(note) = &note {
            entry = entry.set("note", json!(note));
        }
        self.lines.checked(source, signature.as_ref(), self.of.verifier.form.describe(entry), checked);
        if let Some(note) = note {
            self.lines.note(&format!("note: {source}: {note}"));
        }
        ControlFlow::Continue(())
    }
}

/// The maximum number of bytes at the start of a file that are examined to detect a list.
const HEAD_LEN: usize = 4096;

/// An input that also detects, from the first piece of a file, whether the file is a list of
/// checksums.
struct ListDetector<'a> {
    input: FileInput<'a>,
    /// Whether the first piece has been read.
    is_started: bool,
    is_list: &'a Cell<bool>,
}

impl Input for ListDetector<'_> {
    fn name(&self) -> &dyn Display {
        self.input.name()
    }

    fn reuse(&self) -> InputReuse {
        self.input.reuse()
    }

    fn next(&mut self) -> Result<&[u8], Error> {
        self.input.next()?;
        let Some((info, piece)) = self.input.current() else {
            self.is_started = false;
            return Ok(&[]);
        };
        if !self.is_started {
            self.is_started = true;
            self.is_list.set(info.is_file() && is_list(piece, info.len()));
        }
        Ok(piece)
    }
}

/// Returns whether the complete lines at the start of a file show that it is a list of checksums.
/// `piece` is the first piece of the file, and `len` is the length of the file.
fn is_list(piece: &[u8], len: u64) -> bool {
    let mut head = &piece[..piece.len().min(HEAD_LEN)];
    if (head.len() as u64) < len {
        match head.iter().rposition(|b| *b == b'\n') {
            Some(end) => head = &head[..end + 1],
            None => return false,
        }
    }
    match parse(head) {
        Ok(list) => !list.files.is_empty(),
        Err(_) => false,
    }
}

/// Returns the note for a list that was verified as an ordinary file, without its listed files.
fn files_not_checked(source: &InputSource) -> String {
    let path = pasteable_name(source.path());
    format!("this is a list of checksums; its files were not checked: `fndsa verify -M {path}` checks the files, too")
}
