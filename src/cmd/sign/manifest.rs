//! `sign -M`: all files into one list, and one signature over the list.

use crate::tool::io::{Access, Destination, Force, InputSource, MemoryInput, Staged, Tree};
use crate::tool::keys::swapped_files::of_input;
use crate::tool::options::heading;
use crate::tool::options::jobs::Jobs;
use crate::tool::report::escape::{is_visible, shown};
use crate::tool::report::progress::Progress;
use crate::tool::report::suffix::with_suffix;
use crate::tool::report::{Entry, Error, Report};
use crate::tool::run::checksum::checksum;
use crate::tool::run::file_batches::Groups;
use crate::tool::run::ordered::in_groups;
use crate::tool::sign::signer::Signer;
use crate::tool::system::{canonical, colliding, duplicate, unportable};
use crate::tool::trust::clock::Clock;
use fndsa::files::Date;
use fndsa::files::hex::hex;
use fndsa::files::manifest::{Flaw, is_best_before, write_best_before, write_line};
use fndsa::verdict::envelope::{EnvelopeWriter, InlineList};
use serde_json::json;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Names in warnings.
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

/// Parses a comment, which is one line and no part of a signature.
fn parse_comment(text: &str) -> Result<String, &'static str> {
    if text.starts_with("-----") {
        return Err("a comment cannot begin with -----, because lines of signatures begin with these characters");
    }
    if is_visible(text) { Ok(text.to_owned()) } else { Err("a comment is one line of visible characters") }
}

/// The files of a directory that is to be listed.
pub struct Gathered {
    tree: Tree,
    /// Their names below it, sorted.
    names: Vec<Vec<u8>>,
}

impl Gathered {
    /// Returns the files, as seen from here.
    pub fn sources(&self) -> Vec<InputSource> {
        self.names.iter().map(|name| InputSource::File(self.tree.place(name))).collect()
    }
}

impl ListToSign {
    /// Returns the files of the directory, if one is named. What cannot be listed is reported, all of it.
    ///
    /// # Errors
    /// Something there cannot be listed, or nothing is there.
    pub fn gather(&self, report: &mut Report) -> Result<Option<Gathered>, Error> {
        let (Some(list), Some(directory)) = (&self.manifest, &self.recursive) else { return Ok(None) };
        let tree = Tree::at(directory)?;
        let outputs = [list, &with_suffix(list, ".sig")].map(|path| tree.name_below(path));
        let (found, unread) = tree.walk();
        let mut errors: Vec<_> = unread.into_iter().map(|(path, e)| Error::io(shown(path), e)).collect();
        let mut names = Vec::new();
        for file in found.into_iter().filter(|file| !outputs.iter().flatten().any(|output| *output == file.name)) {
            match file.special {
                Some(what) => errors.push(Error::NotRegular { from: shown(tree.place(&file.name)), what }),
                None if file.marks_a_day(&tree) => {}
                None => names.push(file.name),
            }
        }
        if let Some(last) = errors.pop() {
            errors.iter().for_each(|e| report.error(e));
            return Err(last);
        }
        if names.is_empty() { Err(Error::NoFilesBelow(directory.clone())) } else { Ok(Some(Gathered { tree, names })) }
    }
}

/// A manifest that is to be made, as far as it is known before the key is loaded.
pub struct ManifestPlan<'a> {
    options: &'a ListToSign,
    list: &'a Path,
    signature: PathBuf,
    /// What the names begin in.
    tree: Tree,
    sources: &'a [InputSource],
    /// How the list names them.
    names: Vec<Cow<'a, [u8]>>,
}

impl<'a> ManifestPlan<'a> {
    /// Checks all names and looks at no file; `None` if no list is to be made.
    ///
    /// # Errors
    /// A name cannot stand in a manifest, or the manifest cannot stand there.
    pub fn new(
        options: &'a ListToSign,
        sources: &'a [InputSource],
        gathered: Option<Gathered>,
    ) -> Result<Option<Self>, Error> {
        let Some(list) = options.manifest.as_deref() else { return Ok(None) };
        if !Destination::names_file(list) {
            return Err(Error::ManifestPlace(list.to_owned()));
        }
        let refuse = |i: usize, flaw| Error::ManifestName { name: sources[i].path().to_owned(), flaw };
        let name = |(i, source): (usize, &'a InputSource)| {
            let name = match &gathered {
                Some(gathered) => canonical(&gathered.names[i]).map(|name| Cow::Owned(name.into_owned())),
                None => canonical(source.path().as_os_str().as_encoded_bytes()),
            };
            match name {
                Ok(name) if is_best_before(&name) => Err(refuse(i, Flaw::Reserved)),
                name => name.map_err(|flaw| refuse(i, flaw)),
            }
        };
        let names = sources.iter().enumerate().map(name).collect::<Result<Vec<_>, _>>()?;
        if let Some(i) = duplicate(&names) {
            return Err(refuse(i, Flaw::Duplicate));
        }
        let tree = gathered.map_or_else(Tree::current, |gathered| gathered.tree);
        Ok(Some(Self { options, list, signature: with_suffix(list, ".sig"), tree, sources, names }))
    }

    /// Returns the files that are written.
    fn outputs(&self) -> Vec<&Path> {
        let all = [self.list, &self.signature];
        all[..if self.options.inline { 1 } else { 2 }].to_vec()
    }

    /// Refuses outputs that are inputs too.
    ///
    /// # Errors
    /// An output is an input, too.
    pub fn refuse_inputs(&self, others: &[InputSource]) -> Result<(), Error> {
        self.outputs()
            .into_iter()
            .try_for_each(|output| Destination::refuse_inputs(output, self.sources.iter().chain(others)))
    }

    /// Writes list and signature, or nothing.
    ///
    /// # Errors
    /// An output is there already, a file cannot be read, or something cannot be written.
    pub fn sign(
        &self,
        signer: &Signer<'_>,
        force: Force,
        jobs: Jobs,
        progress: &Progress,
        report: &mut Report,
    ) -> Result<(), Error> {
        let destination = |path| Destination::new(path, force, Access::Public);
        let to = self.outputs().into_iter().map(destination).collect::<Result<Vec<_>, _>>()?;
        if let Some(last) = self.options.best_before.filter(|last| Clock::System.today().is_ok_and(|now| *last < now)) {
            report.warn(&format!("the last day of the list, {last}, has passed: `fndsa verify` rejects the list"));
        }
        self.warn_of_names(report);
        let (list, entries) = self.read(jobs, progress, report)?;
        let len = list.len() as u64;
        let name = shown(self.list);
        match &to[..] {
            [list_to, signature_to] => {
                let signed = signer.sign(&mut Vec::new(), &mut MemoryInput::new(&name, &list))?;
                // The list comes last, because other tools use it without its signature. Half of the pair
                // never verifies: either a file is missing, or the signature is of another list.
                Staged::commit_all([signature_to.stage(signed.file()?)?, list_to.stage(&list)?])?;
            }
            _ => {
                let covered = InlineList.cover(list);
                let signed = signer.sign_envelope(&mut Vec::new(), &InlineList, &covered, &name)?;
                to[0].write(signed.file()?)?;
                if self.signature.exists() {
                    let old = shown(&self.signature);
                    report.warn(&format!(
                        "{old}: this file is the signature of an older list; remove it, because `fndsa verify --strict` rejects it"
                    ));
                }
            }
        }

        let files = self.sources.len();
        let and = if self.options.inline {
            "with its signature inside".to_owned()
        } else {
            format!("and {}", shown(&self.signature))
        };
        report.note(&format!(
            "wrote {} ({files} file{}) {and}, signed by {}",
            shown(self.list),
            if files == 1 { "" } else { "s" },
            signer.names()
        ));
        let entry = signer.describe(Entry::of(self.list).set("kind", json!("manifest")));
        let entry = if self.options.inline {
            entry.set("inline", json!(true))
        } else {
            entry.path("signature", &self.signature)
        };
        let entry = match self.options.best_before {
            Some(date) => entry.set("best_before", json!(date.to_string())),
            None => entry,
        };
        report.push(entry.set("files", json!(files)).set("bytes", json!(len)).ok());
        entries.into_iter().for_each(|entry| report.push(entry));
        Ok(())
    }

    /// Warns about names that another system cannot have: the list would be an error there, although the signature is
    /// good.
    fn warn_of_names(&self, report: &mut Report) {
        let named = |i: usize| shown(self.sources[i].path());
        let flawed: Vec<_> =
            (0..self.names.len()).filter_map(|i| unportable(&self.names[i]).map(|flaw| (i, flaw))).collect();
        for (i, flaw) in flawed.iter().take(SHOWN_NAMES) {
            report.warn(&format!("{}: {flaw}, so the list cannot be verified on Windows", named(*i)));
        }
        if let more @ 1.. = flawed.len().saturating_sub(SHOWN_NAMES) {
            report.warn(&format!("{more} more names cannot be verified on Windows"));
        }
        if let Some((first, second)) = colliding(&self.names) {
            report.warn(&format!(
                "{} and {} differ only in capital and small letters: macOS and Windows keep only one of the two files, so the list \
                 cannot be verified there",
                named(first),
                named(second)
            ));
        }
    }

    /// Returns the list, and with `--json` a result for each file.
    fn read(&self, jobs: Jobs, progress: &Progress, report: &Report) -> Result<(Vec<u8>, Vec<Entry>), Error> {
        let count = self.sources.len();
        let threads = jobs.threads(count);
        let of_thread = if threads.get() > 1 { Progress::none() } else { progress.clone() };
        let mut list = Vec::new();
        self.options.comments.iter().for_each(|comment| list.extend_from_slice(format!("# {comment}\n").as_bytes()));
        self.options.best_before.into_iter().for_each(|date| write_best_before(&mut list, date));
        let mut entries = Vec::new();
        let mut result = Ok(());
        let mut bar = progress.steps("hashing", count as u64);
        let read = |i: usize| {
            let source = &self.sources[i];
            checksum(&self.tree, &self.names[i], source, &of_thread).map_err(|e| of_input(e, source))
        };
        in_groups(
            threads,
            Groups::of_threads(count, threads, |i| self.sources[i].file_len()),
            || (),
            |(), group| group.map(read).collect(),
            |i, read| {
                bar.at(i as u64 + 1);
                match read {
                    Ok((digest, bytes)) => {
                        let path = self.sources[i].path();
                        write_line(&mut list, &digest, &self.names[i]);
                        if report.voice.json {
                            let entry = Entry::of(path).set("sha256", json!(hex(&digest))).set("bytes", json!(bytes));
                            entries.push(entry.ok());
                        }
                        ControlFlow::Continue(())
                    }
                    Err(e) => {
                        result = Err(e);
                        ControlFlow::Break(())
                    }
                }
            },
        );
        result.map(|()| (list, entries))
    }
}
