//! Verifies the files in a list: compares their checksums with the list. `ListCheck::run` in
//! `manifest` calls [`ListedFiles::run`] after it has verified the signature of the list.

use super::list::ListCheck;
use crate::tool::io::InputSource;
use crate::tool::report::escape::shown;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Evidence, ResultEntry};
use crate::tool::run::checksum::{FileChecksum, checksum};
use crate::tool::run::file_batches::BatchMode;
use crate::tool::run::parallel::{OrderedResults, ParallelRun, ParallelWork};
use crate::tool::system::{canonical, name_of};
use crate::tool::verify::alternatives::other_line_ends;
use crate::tool::verify::lines::VerdictPrinter;
use crate::tool::verify::note_cause::EMPTY_FILE;
use crate::tool::verify::verifier::{DetailedRejection, Rejection};
use fndsa::algorithm::PreHash;
use fndsa::files::manifest::{ChecksumEntry, ChecksumList, DIGEST_LEN};
use fndsa::message::MessageDigest;
use serde_json::json;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::ops::{ControlFlow, Range};

/// The maximum size, in MiB, of a file for which a second checksum is computed, after converting
/// the line ends.
const MAX_TEXT_MEBIBYTES: usize = 64;

/// The hint if a listed file is now a directory, a FIFO or a device.
const NOT_AS_SIGNED: &str =
    "this is not the file that was signed: get the files of the list again, into an empty directory";

/// The files to verify: all files in the list, or the files that the user named.
pub struct ListedFiles<'a> {
    check: &'a ListCheck<'a>,
    list: &'a ChecksumList<'a>,
    /// The indices of the keys that have signed the list.
    keys: &'a [usize],
    /// The entries of the list by their names. The map is empty if the user named no files.
    by_name: BTreeMap<&'a [u8], &'a ChecksumEntry<'a>>,
}

/// A file to verify.
struct TargetFile<'a> {
    /// The canonical name, to find the file in the list. Empty if a list cannot contain the name.
    name: Cow<'a, [u8]>,
    /// The file to read.
    source: InputSource,
    /// The entry in the list. `None` if the list does not contain the file.
    listed: Option<&'a ChecksumEntry<'a>>,
}

impl<'a> ListedFiles<'a> {
    /// Collects the files. `keys` are the indices of the keys that have signed the list.
    pub fn new(check: &'a ListCheck<'a>, list: &'a ChecksumList<'a>, keys: &'a [usize]) -> Self {
        let mut by_name = BTreeMap::new();
        if !check.all {
            for listed in &list.files {
                by_name.insert(&listed.name[..], listed);
            }
        }
        Self { check, list, keys, by_name }
    }

    /// Prints the verdict for each file. For exit code 0, the verdict must be YES for as many files
    /// as this function returns. Ignored missing files do not count. If all files are missing and
    /// ignored, prints a NO for the list.
    pub fn run(&self, progress: &ProgressDisplay, lines: &mut VerdictPrinter<'_>) -> usize {
        let count = if self.check.all { self.list.files.len() } else { self.check.named.len() };
        let run = ParallelRun {
            title: "verifying",
            count,
            threads: self.check.jobs.threads(count),
            batches: BatchMode::OfThreads,
            progress,
        };
        let mut verdicts = ListedVerdicts { of: self, lines, ignored: 0 };
        run.each(self, &mut verdicts);
        let ignored = verdicts.ignored;
        if ignored == count {
            let entry = ResultEntry::of(self.check.list.path()).set("kind", json!("manifest"));
            let refused = DetailedRejection::hinting(Rejection::NothingVerified, self.check.directory_hint());
            lines.failed(self.check.list, entry, &refused);
        } else if ignored > 0 {
            let list = self.check.list;
            lines.note(&format!("note: {list}: {ignored} of {count} listed files are missing and were not verified"));
        }
        count - ignored
    }

    /// Returns the file with the index `i`.
    fn target(&self, i: usize) -> TargetFile<'_> {
        let tree = self.check.tree;
        if self.check.all {
            let listed = &self.list.files[i];
            let source = InputSource::File(tree.path_of(&listed.name));
            return TargetFile { name: Cow::Borrowed(&listed.name), source, listed: Some(listed) };
        }
        let named = &self.check.named[i];
        let source = tree.resolve(named);
        // A list cannot contain a name that is not canonical, such as `a//b`.
        match canonical(named.path().as_os_str().as_encoded_bytes()) {
            Ok(name) => {
                let listed = self.by_name.get(&name[..]).copied();
                TargetFile { name, source, listed }
            }
            Err(_) => TargetFile { name: Cow::default(), source, listed: None },
        }
    }

    /// Returns a hint for a file if its name is not in the list, but the list has the same file
    /// under a different name. Usually, the user has added a directory to the name, or a browser
    /// has changed the name, for example to `a (1).zip`.
    fn other_name_hint(&self, target: &TargetFile<'_>) -> Option<String> {
        let name = &target.name;
        if self.check.options.directory.is_none() {
            for (slash, byte) in name.iter().enumerate() {
                if *byte != b'/' {
                    continue;
                }
                let (directory, below) = (&name[..slash], &name[slash + 1..]);
                if self.list.files.iter().any(|listed| listed.name[..] == *below) {
                    let directory = shown(&*name_of(directory));
                    let name = shown(&*name_of(below));
                    return Some(format!(
                        "add -C {directory}, and name the file {name}, because the list names it {name}"
                    ));
                }
            }
        }
        if name.is_empty() {
            return None;
        }
        let (digest, _) = checksum(self.check.tree, name, &target.source, &ProgressDisplay::none()).ok()?;
        let same = self.list.files.iter().find(|listed| listed.digest() == digest)?;
        let other = shown(&*name_of(&same.name));
        Some(format!("rename the file to {other}: it has the checksum of {other} in the list"))
    }
}

impl ParallelWork for ListedFiles<'_> {
    type Output = FileChecksum;

    fn file_len(&self, i: usize) -> Option<u64> {
        self.target(i).source.file_len()
    }

    fn run(&self, files: Range<usize>, _: &mut Vec<u8>, progress: &ProgressDisplay) -> Vec<FileChecksum> {
        let mut checksums = Vec::with_capacity(files.len());
        for i in files {
            let TargetFile { name, source, listed } = self.target(i);
            checksums.push(match listed {
                Some(_) => checksum(self.check.tree, &name, &source, progress),
                // The file is not read, because there is no checksum to compare.
                None => Ok(([0; DIGEST_LEN], 0)),
            });
        }
        checksums
    }
}

/// The receiver of the checksums, which prints the verdict for each file in order.
struct ListedVerdicts<'a, 'l, 'r> {
    of: &'a ListedFiles<'a>,
    lines: &'l mut VerdictPrinter<'r>,
    /// The number of missing files that `--ignore-missing` ignores.
    ignored: usize,
}

impl OrderedResults<FileChecksum> for ListedVerdicts<'_, '_, '_> {
    fn take(&mut self, i: usize, read: FileChecksum) -> ControlFlow<()> {
        let target = self.of.target(i);
        let check = self.of.check;
        let source = &target.source;
        let entry = ResultEntry::of(source.path()).path("manifest", check.list.path());
        match (target.listed, read) {
            (None, _) => {
                let no = Rejection::NotListed { list: check.list_name() };
                let hint = self.of.other_name_hint(&target);
                self.lines.failed(source, entry, &DetailedRejection::hinting(no, hint));
            }
            (Some(_), Err(e)) if is_missing(&e) && check.all && check.options.ignore_missing => self.ignored += 1,
            (Some(_), Err(e)) if is_missing(&e) => {
                let e = Error::ListedMissing { from: source.to_string() };
                let e = match check.directory_hint() {
                    Some(hint) => e.with_hint(hint),
                    None => e,
                };
                self.lines.error(source, entry, &e);
            }
            (Some(_), Err(e)) => self.lines.error(source, entry, &with_download_hint(e)),
            (Some(listed), Ok((digest, bytes))) => {
                let yes = compare(listed, &digest);
                if yes.holds() {
                    self.lines.ok(source, entry.set("bytes", json!(bytes)), self.of.keys, yes);
                } else {
                    let no = Rejection::Checksum { list: check.list_name() };
                    let hint = if bytes == 0 { Some(EMPTY_FILE.to_owned()) } else { line_ends_hint(listed, source) };
                    self.lines.failed(source, entry, &DetailedRejection::hinting(no, hint));
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Replaces the hint for a listed file that is a directory, a device, a FIFO, or a link that leads
/// out of the directory. The original hint is advice for the signer, but the user of `verify` has
/// usually downloaded the files.
fn with_download_hint(e: Error) -> Error {
    match &e {
        Error::LinkOutside { .. } => {
            e.with_hint("replace the link with a copy of the file, or get the files of the list again")
        }
        Error::NotRegular { .. } => e.with_hint(NOT_AS_SIGNED),
        Error::Io { source, .. } if source.kind() == ErrorKind::IsADirectory => e.with_hint(NOT_AS_SIGNED),
        _ => e,
    }
}

fn is_missing(e: &Error) -> bool {
    matches!(e, Error::Io { source, .. } if source.kind() == ErrorKind::NotFound)
}

/// Returns a hint if the file has the listed checksum after its line ends are converted.
fn line_ends_hint(listed: &ChecksumEntry<'_>, source: &InputSource) -> Option<String> {
    let text = source.read_limited(MAX_TEXT_MEBIBYTES, &ProgressDisplay::none()).ok()?;
    let (other, hint) = other_line_ends(&text)?;
    let digest = MessageDigest::of(PreHash::Sha256, &other).ok()?;
    if digest.as_bytes() == listed.digest() { Some(hint.to_owned()) } else { None }
}

/// Compares the checksum of a file with its checksum in the list. The evidence holds only if the
/// two checksums are equal.
fn compare(listed: &ChecksumEntry<'_>, digest: &[u8; DIGEST_LEN]) -> Evidence {
    Evidence::of_equal(&listed.digest(), digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::system::parse;
    use fndsa::files::manifest::write_line;

    #[test]
    fn every_byte_of_a_checksum_is_compared() {
        let mut list = Vec::new();
        write_line(&mut list, &[0xab; DIGEST_LEN], b"a");
        let read = parse(&list).unwrap().files;
        assert!(compare(&read[0], &[0xab; DIGEST_LEN]).holds());
        for i in 0..DIGEST_LEN {
            let mut other = [0xab; DIGEST_LEN];
            other[i] ^= 1;
            assert!(!compare(&read[0], &other).holds(), "{i}");
        }
    }
}
