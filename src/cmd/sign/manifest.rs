//! `sign -M`: writes the checksums of all files to a list, and signs the list. `plan` creates a
//! [`ListPlan`] before it loads the keys, and then calls [`ListPlan::sign`], or [`ListPlan::text`]
//! for `--print-mu`.

use crate::tool::io::{
    Destination, DirectoryTree, InputSource, MemoryInput, NewFileAccess, OverwriteRule, StagedOutput,
};
use crate::tool::keys::protected_files::ProtectedFiles;
use crate::tool::keys::swapped_files::explain_input_error;
use crate::tool::options::heading;
use crate::tool::options::jobs::JobCount;
use crate::tool::report::escape::{is_visible, shown};
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::suffix::with_suffix;
use crate::tool::report::{Error, Report, ResultEntry, SmallFile};
use crate::tool::run::checksum::{FileChecksum, checksum_of_pieces};
use crate::tool::run::file_batches::BatchMode;
use crate::tool::run::parallel::{OrderedResults, ParallelRun, ParallelWork};
use crate::tool::sign::signer::Signer;
use crate::tool::system::{canonical, colliding, duplicate, unportable};
use crate::tool::trust::clock::Clock;
use fndsa::files::Date;
use fndsa::files::hex::hex;
use fndsa::files::manifest::{ListDefect, is_best_before, write_best_before, write_line};
use fndsa::verdict::envelope::{DetachedSignatures, EnvelopeWriter, InlineList};
use serde_json::json;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The maximum number of names in a warning.
const SHOWN_NAMES: usize = 3;

/// The options of a list that is to be signed.
#[derive(clap::Args, Debug)]
pub struct ListToSign {
    /// Write the checksums of all FILEs to this list, and sign the list
    ///
    /// The list has the format of `sha256sum`. One signature, in LIST.sig, is valid for all files. fndsa writes both files or
    /// none. The FILEs must be regular files below the current directory.
    #[arg(short = 'M', long = "list", alias = "manifest", value_name = "FILE", conflicts_with_all = ["output", "prehashed", "mu"],
        help_heading = heading::LISTS)]
    manifest: Option<PathBuf>,
    /// List all files below this directory
    ///
    /// The names in the list are relative to DIR and sorted. A link, a device or a socket below DIR is an error. The list and
    /// its signature are not listed.
    #[arg(short, long, value_name = "DIR", conflicts_with_all = ["files", "files_from"],
        help_heading = heading::LISTS)]
    recursive: Option<PathBuf>,
    /// Last day of the list (UTC); after this day `fndsa verify` rejects the list
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = heading::LISTS, hide_short_help = true)]
    best_before: Option<Date>,
    /// Add a comment line to the list; `fndsa verify` shows the comments of a valid list
    #[arg(long = "comment", value_name = "TEXT", value_parser = parse_comment,
        help_heading = heading::LISTS, hide_short_help = true)]
    comments: Vec<String>,
    /// Write the signature to the end of the list instead of a second file
    #[arg(long, conflicts_with = "format", help_heading = heading::LISTS, hide_short_help = true)]
    inline: bool,
}

/// Parses a comment, which must be a single line and must not look like a part of a signature.
fn parse_comment(text: &str) -> Result<String, &'static str> {
    if text.starts_with("-----") {
        return Err("a comment cannot begin with -----, because lines of signatures begin with these characters");
    }
    if is_visible(text) { Ok(text.to_owned()) } else { Err("a comment is one line of visible characters") }
}

/// The files in a directory, all of which will be in the new list.
pub struct DirectoryFiles<'a> {
    list: &'a Path,
    tree: DirectoryTree,
    /// The file names relative to the directory, in order.
    names: Vec<Vec<u8>>,
}

impl ListToSign {
    /// Returns the list's path. Returns `None` without `--manifest`.
    pub fn manifest(&self) -> Option<&Path> {
        self.manifest.as_deref()
    }

    /// Returns the files in the directory tree of `--recursive`, and reports files that cannot be
    /// listed. Skips the list itself, the signature file of the list, and empty files that mark the
    /// last day of a list. Returns `None` without `--recursive`.
    ///
    /// # Errors
    /// Fails if a file in the directory cannot be listed, or if the directory contains no files.
    pub fn gather(&self, report: &mut Report) -> Result<Option<DirectoryFiles<'_>>, Error> {
        let (Some(list), Some(directory)) = (&self.manifest, &self.recursive) else { return Ok(None) };
        let tree = DirectoryTree::at(directory)?;
        let outputs = [list, &with_suffix(list, ".sig")].map(|path| tree.name_below(path));
        let (found, unread) = tree.walk();
        let mut errors = Vec::new();
        for (path, e) in unread {
            errors.push(Error::io(shown(path), e));
        }
        let mut names = Vec::new();
        for file in found {
            if outputs.iter().flatten().any(|output| *output == file.name) {
                continue;
            }
            match file.special {
                Some(what) => errors.push(Error::NotRegular { from: shown(tree.path_of(&file.name)), what }),
                None if file.marks_a_day(&tree) => {}
                None => names.push(file.name),
            }
        }
        if let Some(last) = errors.pop() {
            for e in &errors {
                report.error(e);
            }
            return Err(last);
        }
        if names.is_empty() {
            return Err(Error::NoFilesBelow(directory.clone()));
        }
        Ok(Some(DirectoryFiles { list, tree, names }))
    }
}

/// A list to sign, with checked file names. The files are opened later.
pub struct ListPlan<'a> {
    options: &'a ListToSign,
    list: &'a Path,
    signature: PathBuf,
    /// The directory to which the names are relative.
    tree: DirectoryTree,
    sources: Vec<InputSource>,
    /// The file names in the list.
    names: Vec<Vec<u8>>,
}

impl<'a> ListPlan<'a> {
    /// Creates the plan for the files on the command line, and checks their names.
    ///
    /// # Errors
    /// Fails if a name is not allowed in a list, or if the list's path does not name a file.
    pub fn of_files(options: &'a ListToSign, list: &'a Path, sources: Vec<InputSource>) -> Result<Self, Error> {
        let mut names = Vec::with_capacity(sources.len());
        for source in &sources {
            names.push(source.path().as_os_str().as_encoded_bytes().to_vec());
        }
        Self::new(options, list, DirectoryTree::current(), sources, names)
    }

    /// Creates the plan for the files in a directory, and checks their names.
    ///
    /// # Errors
    /// Fails if a name is not allowed in a list, or if the list's path does not name a file.
    pub fn of_directory(options: &'a ListToSign, gathered: DirectoryFiles<'a>) -> Result<Self, Error> {
        let DirectoryFiles { list, tree, names } = gathered;
        let mut sources = Vec::with_capacity(names.len());
        for name in &names {
            sources.push(InputSource::File(tree.path_of(name)));
        }
        Self::new(options, list, tree, sources, names)
    }

    fn new(
        options: &'a ListToSign,
        list: &'a Path,
        tree: DirectoryTree,
        sources: Vec<InputSource>,
        mut names: Vec<Vec<u8>>,
    ) -> Result<Self, Error> {
        if !Destination::names_file(list) {
            return Err(Error::ManifestPlace(list.to_owned()));
        }
        for (name, source) in names.iter_mut().zip(&sources) {
            match canonical(name) {
                Ok(canonical) if is_best_before(&canonical) => return Err(bad_name(source, ListDefect::Reserved)),
                Ok(canonical) => *name = canonical.into_owned(),
                Err(flaw) => return Err(bad_name(source, flaw)),
            }
        }
        if let Some(second) = duplicate(&names) {
            return Err(bad_name(&sources[second], ListDefect::Duplicate));
        }
        Ok(Self { options, list, signature: with_suffix(list, ".sig"), tree, sources, names })
    }

    /// Returns the files in the list.
    pub fn sources(&self) -> &[InputSource] {
        &self.sources
    }

    /// Returns the files that will be written.
    fn outputs(&self) -> Vec<&Path> {
        if self.options.inline { vec![self.list] } else { vec![self.list, &self.signature] }
    }

    /// Checks that the outputs do not replace any input. `others` are the inputs that the list does
    /// not contain, such as key files.
    ///
    /// # Errors
    /// Fails if the list or its signature file is an input.
    pub fn refuse_inputs(&self, others: &[InputSource]) -> Result<(), Error> {
        for output in self.outputs() {
            Destination::refuse_inputs(output, self.sources.iter().chain(others))?;
        }
        Ok(())
    }

    /// Writes the list and its signature. If an error occurs, undoes the changes as
    /// [`StagedOutput::commit_all`] does.
    ///
    /// # Errors
    /// Fails if an output exists, if a file cannot be read or is a private key, or if an output
    /// cannot be written.
    pub fn sign(
        &self,
        signer: &Signer<'_>,
        protected: &ProtectedFiles,
        force: bool,
        jobs: JobCount,
        progress: &ProgressDisplay,
        report: &mut Report,
    ) -> Result<(), Error> {
        let mut to = Vec::new();
        for (path, rule) in self.outputs().into_iter().zip([OverwriteRule::Lists, OverwriteRule::Signatures]) {
            to.push(Destination::new(path, rule.with(force), NewFileAccess::Public)?);
        }
        self.warn_of_the_last_day(report);
        self.warn_of_names(report);
        let (list, entries) = self.read(protected, jobs, progress, report.output.json)?;
        let bytes = list.len() as u64;
        match &to[..] {
            [list_to, signature_to] => {
                let name = shown(self.list);
                let signed = signer.sign(&mut Vec::new(), &mut MemoryInput::new(&name, &list))?;
                // Write the signature before the list, because other programs could use a list as
                // soon as it exists. If only one of the files is written, `verify` does not accept
                // this file, because the second file is missing or belongs to an older list.
                StagedOutput::commit_all([signature_to.stage(signed.file()?)?, list_to.stage(&list)?])?;
            }
            _ => {
                let covered = InlineList.cover(list);
                let signed = signer.sign_envelope(&mut Vec::new(), &InlineList, &covered, &shown(self.list))?;
                to[0].write(signed.file()?)?;
                self.warn_of_the_old_signature(report);
            }
        }
        self.report(signer, bytes, report);
        for entry in entries {
            report.push(entry);
        }
        Ok(())
    }

    /// Returns the list's path and contents without writing it.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or if it is a private key.
    pub fn text(
        &self,
        protected: &ProtectedFiles,
        jobs: JobCount,
        progress: &ProgressDisplay,
    ) -> Result<(&Path, Vec<u8>), Error> {
        let (list, _) = self.read(protected, jobs, progress, false)?;
        Ok((self.list, list))
    }

    /// Reports the files that were written.
    fn report(&self, signer: &Signer<'_>, bytes: u64, report: &mut Report) {
        let files = self.sources.len();
        let mut entry = signer.describe(ResultEntry::of(self.list).set("kind", json!("manifest")), &DetachedSignatures);
        let signature;
        if self.options.inline {
            signature = "with its signature inside".to_owned();
            entry = entry.set("inline", json!(true));
        } else {
            signature = format!("and {}", shown(&self.signature));
            entry = entry.path("signature", &self.signature);
        }
        report.note(&format!(
            "wrote {} ({files} file{}) {signature}, signed by {}",
            shown(self.list),
            if files == 1 { "" } else { "s" },
            signer.names()
        ));
        if let Some(date) = self.options.best_before {
            entry = entry.set("best_before", json!(date.to_string()));
        }
        report.push(entry.set("files", json!(files)).set("bytes", json!(bytes)).ok());
    }

    /// Prints a warning if the list is already expired.
    fn warn_of_the_last_day(&self, report: &mut Report) {
        if let (Some(last), Ok(today)) = (self.options.best_before, Clock::System.today())
            && last < today
        {
            report.warn(&format!("the last day of the list, {last}, has passed: `fndsa verify` rejects the list"));
        }
    }

    /// Prints a warning if a signature file for an older list exists, although the new list
    /// contains the signature.
    fn warn_of_the_old_signature(&self, report: &mut Report) {
        if self.signature.exists() {
            let existing = shown(&self.signature);
            report.warn(&format!(
                "{existing}: this file is the signature of an older list; remove it, because `fndsa verify --strict` rejects it"
            ));
        }
    }

    /// Prints warnings about names that other systems do not allow, because the list cannot be
    /// verified on these systems.
    fn warn_of_names(&self, report: &mut Report) {
        let mut flawed = 0_usize;
        for (name, source) in self.names.iter().zip(&self.sources) {
            let Some(flaw) = unportable(name) else { continue };
            if flawed < SHOWN_NAMES {
                let name = shown(source.path());
                report.warn(&format!("{name}: {flaw}, so the list cannot be verified on Windows"));
            }
            flawed += 1;
        }
        if let more @ 1.. = flawed.saturating_sub(SHOWN_NAMES) {
            report.warn(&format!("{more} more names cannot be verified on Windows"));
        }
        if let Some((first, second)) = colliding(&self.names) {
            report.warn(&format!(
                "{} and {} differ only in capital and small letters: macOS and Windows keep only one of the two files, so the list \
                 cannot be verified there",
                shown(self.sources[first].path()),
                shown(self.sources[second].path())
            ));
        }
    }

    /// Returns the list's contents and, with `--json`, the results for the files.
    fn read(
        &self,
        protected: &ProtectedFiles,
        jobs: JobCount,
        progress: &ProgressDisplay,
        json: bool,
    ) -> Result<(Vec<u8>, Vec<ResultEntry>), Error> {
        let mut list = Vec::new();
        for comment in &self.options.comments {
            list.extend_from_slice(format!("# {comment}\n").as_bytes());
        }
        if let Some(date) = self.options.best_before {
            write_best_before(&mut list, date);
        }
        let run = ParallelRun {
            title: "hashing",
            count: self.sources.len(),
            threads: jobs.threads(self.sources.len()),
            batches: BatchMode::OfThreads,
            progress,
        };
        let mut lines = ListLines { plan: self, json, list, entries: Vec::new(), result: Ok(()) };
        run.each(&ListHashing { plan: self, protected }, &mut lines);
        let ListLines { list, entries, result, .. } = lines;
        result?;
        Ok((list, entries))
    }
}

/// Returns the error for a name that is not allowed in a list.
fn bad_name(source: &InputSource, flaw: ListDefect) -> Error {
    Error::ManifestName { name: source.path().to_owned(), flaw }
}

/// A worker that computes checksums on several threads, and rejects private keys.
struct ListHashing<'a> {
    plan: &'a ListPlan<'a>,
    protected: &'a ProtectedFiles,
}

impl ListHashing<'_> {
    /// Returns the checksum of a file. If the file fits into `content`, copies the file to
    /// `content`, and rejects a private key.
    fn checksum(
        &self,
        name: &[u8],
        source: &InputSource,
        content: &mut Zeroizing<Vec<u8>>,
        progress: &ProgressDisplay,
    ) -> FileChecksum {
        // The buffer must not grow and move, because the old memory could contain a key and would
        // not be wiped.
        content.clear();
        let mut is_small = true;
        let read = checksum_of_pieces(&self.plan.tree, name, source, progress, |piece| {
            is_small &= content.len() + piece.len() <= content.capacity();
            if is_small {
                content.extend_from_slice(piece);
            }
        });
        let read = read.map_err(|e| explain_input_error(e, source))?;
        if is_small && self.protected.is_private_key(content) {
            return Err(Error::KeyInList { from: source.to_string(), path: source.path().to_owned() });
        }
        Ok(read)
    }
}

impl ParallelWork for ListHashing<'_> {
    type Output = FileChecksum;

    fn file_len(&self, i: usize) -> Option<u64> {
        self.plan.sources[i].file_len()
    }

    fn run(&self, files: Range<usize>, _: &mut Vec<u8>, progress: &ProgressDisplay) -> Vec<FileChecksum> {
        let mut content = Zeroizing::new(Vec::with_capacity(SmallFile::Key.limit()));
        let mut checksums = Vec::with_capacity(files.len());
        for (name, source) in self.plan.names[files.clone()].iter().zip(&self.plan.sources[files]) {
            checksums.push(self.checksum(name, source, &mut content, progress));
        }
        checksums
    }
}

/// A writer for the lines in the list. It stops at the first file that cannot be read or is a
/// private key.
struct ListLines<'a> {
    plan: &'a ListPlan<'a>,
    json: bool,
    list: Vec<u8>,
    entries: Vec<ResultEntry>,
    result: Result<(), Error>,
}

impl OrderedResults<FileChecksum> for ListLines<'_> {
    const PRINTS: bool = false;

    fn take(&mut self, i: usize, read: FileChecksum) -> ControlFlow<()> {
        let (digest, bytes) = match read {
            Ok(read) => read,
            Err(e) => {
                self.result = Err(e);
                return ControlFlow::Break(());
            }
        };
        write_line(&mut self.list, &digest, &self.plan.names[i]);
        if self.json {
            let entry = ResultEntry::of(self.plan.sources[i].path());
            self.entries.push(entry.set("sha256", json!(hex(&digest))).set("bytes", json!(bytes)).ok());
        }
        ControlFlow::Continue(())
    }
}
