//! `sign -M`: all files into one list, and one signature over the list.

use crate::tool::io::{Access, Destination, Force, InputSource, MemoryInput, Staged};
use crate::tool::options::jobs::Jobs;
use crate::tool::report::escape::shown;
use crate::tool::report::progress::Progress;
use crate::tool::report::suffix::with_suffix;
use crate::tool::report::{Entry, Error, Report};
use crate::tool::system::{canonical, duplicate};
use crate::tool::work::checksum::checksum;
use crate::tool::work::groups::Groups;
use crate::tool::work::mixups::of_input;
use crate::tool::work::ordered::in_groups;
use crate::tool::work::signer::Signer;
use fndsa::files::hex::hex;
use fndsa::files::manifest::{Flaw, write_line};
use serde_json::json;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A manifest that is to be made, as far as it is known before the key is loaded.
pub struct ManifestPlan<'a> {
    list: &'a Path,
    signature: PathBuf,
    sources: &'a [InputSource],
    /// How the list names them.
    names: Vec<Cow<'a, [u8]>>,
}

impl<'a> ManifestPlan<'a> {
    /// Checks all names and looks at no file.
    ///
    /// # Errors
    /// A name cannot stand in a manifest, or the manifest cannot stand there.
    pub fn new(list: &'a Path, sources: &'a [InputSource]) -> Result<Self, Error> {
        if !Destination::names_file(list) {
            return Err(Error::ManifestPlace(list.to_owned()));
        }
        let refuse = |i: usize, flaw| Error::ManifestName { name: sources[i].path().to_owned(), flaw };
        let name = |(i, source): (usize, &'a InputSource)| {
            canonical(source.path().as_os_str().as_encoded_bytes()).map_err(|flaw| refuse(i, flaw))
        };
        let names = sources.iter().enumerate().map(name).collect::<Result<Vec<_>, _>>()?;
        match duplicate(&names) {
            Some(i) => Err(refuse(i, Flaw::Duplicate)),
            None => Ok(Self { list, signature: with_suffix(list, ".sig"), sources, names }),
        }
    }

    /// Refuses outputs that are inputs too.
    ///
    /// # Errors
    /// An output is an input, too.
    pub fn refuse_inputs(&self, others: &[InputSource]) -> Result<(), Error> {
        [self.list, &self.signature]
            .iter()
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
        let list_to = Destination::new(self.list, force, Access::Public)?;
        let signature_to = Destination::new(&self.signature, force, Access::Public)?;
        let (list, entries) = self.read(jobs, progress, report)?;
        let len = list.len() as u64;
        let signed = signer.sign(&mut Vec::new(), &mut MemoryInput::new(&shown(self.list), &list))?;
        // The list comes last, because other tools use it without its signature. Half of the pair
        // never verifies: either a file is missing, or the signature is of another list.
        Staged::commit_all([signature_to.stage(signed.file()?)?, list_to.stage(&list)?])?;

        let files = self.sources.len();
        report.note(&format!(
            "wrote {} ({files} file{}) and {}, signed by {}",
            shown(self.list),
            if files == 1 { "" } else { "s" },
            shown(&self.signature),
            signer.names()
        ));
        let entry = Entry::of(self.list).set("kind", json!("manifest")).path("signature", &self.signature);
        report.push(signer.describe(entry).set("files", json!(self.sources.len())).set("bytes", json!(len)).ok());
        entries.into_iter().for_each(|entry| report.push(entry));
        Ok(())
    }

    /// Returns the list, and with `--json` a result for each file.
    fn read(&self, jobs: Jobs, progress: &Progress, report: &Report) -> Result<(Vec<u8>, Vec<Entry>), Error> {
        let count = self.sources.len();
        let threads = jobs.threads(count);
        let of_thread = if threads.get() > 1 { Progress::none() } else { progress.clone() };
        let mut list = Vec::new();
        let mut entries = Vec::new();
        let mut result = Ok(());
        let mut bar = progress.steps("hashing", count as u64);
        let read = |source: &InputSource| checksum(source, &of_thread).map_err(|e| of_input(e, source));
        in_groups(
            threads,
            Groups::of_threads(count, threads, |i| self.sources[i].file_len()),
            || (),
            |(), group| self.sources[group].iter().map(read).collect(),
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
