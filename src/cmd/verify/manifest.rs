//! `verify -M`: the signature of the list first, and only then what the list says.

use crate::tool::io::{InputSource, MemoryInput};
use crate::tool::options::jobs::Jobs;
use crate::tool::report::progress::Progress;
use crate::tool::report::{Entry, Error, Yes};
use crate::tool::system::{canonical, name_of, parse};
use crate::tool::work::checksum::checksum;
use crate::tool::work::groups::Groups;
use crate::tool::work::lines::Lines;
use crate::tool::work::ordered::in_groups;
use crate::tool::work::verifier::{Match, No, Verdict, Verifier};
use fndsa::files::manifest::{DIGEST_LEN, Listed};
use fndsa::files::{Defect, is_utf16};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The largest manifest, in MiB: more than two million files.
const MAX_MEBIBYTES: usize = 256;

/// A question about a manifest: which of its files are to be verified, and how.
pub struct ManifestCheck<'a> {
    /// The list.
    pub list: &'a InputSource,
    /// The signature of the list.
    pub signature: InputSource,
    /// The files asked for.
    pub named: &'a [InputSource],
    /// Whether all files of the list are asked for instead.
    pub all: bool,
    /// Whether files that are missing are passed over.
    pub ignore_missing: bool,
    /// How many files to hash at once.
    pub jobs: Jobs,
}

/// One file, or a name that is not in the list.
type Target<'a> = (InputSource, Option<&'a Listed<'a>>);

impl ManifestCheck<'_> {
    /// Says the verdict on the list and on each file. Nothing of a list without a good signature is used, and no file
    /// is opened before the whole list is known to be well-formed. Returns how many of them must be good: the list, and
    /// its entries or the files asked for, but for those that are passed over; 0 if the list is not good, or if nothing
    /// else is left.
    pub fn run(&self, verifier: &Verifier<'_>, progress: &Progress, lines: &mut Lines<'_>) -> usize {
        let entry = Entry::of(self.list.path()).set("kind", json!("manifest")).path("signature", self.signature.path());
        let entry = verifier.form.describe(entry);
        let data = match self.list.read_list(MAX_MEBIBYTES, progress) {
            Ok(data) => data,
            Err(e) => {
                lines.error(self.list, entry, &e);
                return 0;
            }
        };
        let checked =
            verifier.check(&mut Vec::new(), &self.signature, self.list, &mut MemoryInput::new(self.list, &data));
        let keys = match &checked {
            Ok(Verdict::Yes(Match { keys, .. })) => keys.clone(),
            _ => {
                lines.checked(self.list, Some(&self.signature), entry, checked);
                return 0;
            }
        };
        let listed = match self.parse(&data) {
            Ok(listed) => listed,
            Err(e) => {
                lines.error(self.list, entry, &e);
                return 0;
            }
        };
        let entry = entry.set("files", json!(listed.len()));
        lines.list(self.list, &self.signature, entry, checked);
        let (due, passed_over) = if self.all {
            let target = |i: usize| (source_of(&listed[i]), Some(&listed[i]));
            (listed.len(), self.files(listed.len(), target, &keys, progress, lines))
        } else {
            let by_name: BTreeMap<&[u8], &Listed<'_>> = listed.iter().map(|it| (&it.name[..], it)).collect();
            let target = |i: usize| {
                let source: &InputSource = &self.named[i];
                let name = canonical(source.path().as_os_str().as_encoded_bytes()).ok();
                (source.clone(), name.and_then(|name| by_name.get(&name[..]).copied()))
            };
            (self.named.len(), self.files(self.named.len(), target, &keys, progress, lines))
        };
        // The list alone is no answer.
        match due.saturating_sub(passed_over) {
            0 => 0,
            files => 1 + files,
        }
    }

    fn parse<'d>(&self, data: &'d [u8]) -> Result<Vec<Listed<'d>>, Error> {
        let from = || self.list.to_string();
        if is_utf16(data) {
            return Err(Error::Format { from: from(), defect: Defect::Utf16 });
        }
        match parse(data) {
            Ok(listed) if listed.is_empty() => Err(Error::ManifestEmpty(from())),
            Ok(listed) => Ok(listed),
            Err((number, flaw)) => Err(Error::ManifestLine { from: from(), number, flaw }),
        }
    }

    /// Says the verdict on each file, and returns how many were passed over.
    fn files<'l>(
        &self,
        count: usize,
        target: impl Fn(usize) -> Target<'l> + Sync,
        keys: &[usize],
        progress: &Progress,
        lines: &mut Lines<'_>,
    ) -> usize {
        let threads = self.jobs.threads(count);
        let of_thread = if threads.get() > 1 { Progress::none() } else { progress.clone() };
        let read = |i: usize| -> Result<([u8; DIGEST_LEN], u64), Error> {
            let (source, listed) = target(i);
            if listed.is_some() { checksum(&source, &of_thread) } else { Ok(([0; DIGEST_LEN], 0)) }
        };
        let len = |i: usize| target(i).0.file_len();
        let mut bar = progress.steps("verifying", count as u64);
        let mut decided = 0;
        let mut passed_over = 0;
        in_groups(
            threads,
            Groups::of_threads(count, threads, len),
            || (),
            |(), group| group.map(read).collect(),
            |i, read| {
                bar.at(i as u64 + 1);
                let (source, listed) = target(i);
                let missing = |e: &Error| matches!(e, Error::Io { source, .. } if source.kind() == ErrorKind::NotFound);
                let entry = || Entry::of(source.path()).path("manifest", self.list.path());
                if let (Some(_), Err(e)) = (listed, &read)
                    && self.ignore_missing
                    && missing(e)
                {
                    passed_over += 1;
                    return ControlFlow::Continue(());
                }
                decided += 1;
                bar.pause(|| match (listed, read) {
                    (None, _) => lines.failed(&source, entry(), &No::NotListed.into()),
                    (Some(_), Err(e)) if missing(&e) => {
                        lines.error(&source, entry(), &Error::ListedMissing { from: source.to_string() });
                    }
                    (Some(_), Err(e)) => lines.error(&source, entry(), &e),
                    (Some(listed), Ok((digest, bytes))) => {
                        let yes = compare(listed, &digest);
                        if yes.holds() {
                            lines.ok(&source, entry().set("bytes", json!(bytes)), keys, yes);
                        } else {
                            lines.failed(&source, entry(), &No::Checksum.into());
                        }
                    }
                });
                ControlFlow::Continue(())
            },
        );
        if decided == 0 {
            let entry = Entry::of(self.list.path()).set("kind", json!("manifest"));
            lines.failed(self.list, entry, &No::NothingVerified.into());
        }
        passed_over
    }
}

fn source_of(listed: &Listed<'_>) -> InputSource {
    InputSource::File(PathBuf::from(name_of(&listed.name).into_owned()))
}

/// Compares the checksum of a file with that of the list. YES if they are equal.
fn compare(listed: &Listed<'_>, digest: &[u8; DIGEST_LEN]) -> Yes {
    Yes::of_equal(&listed.digest(), digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fndsa::files::manifest::write_line;

    #[test]
    fn every_byte_of_a_checksum_counts() {
        let mut list = Vec::new();
        write_line(&mut list, &[0xab; DIGEST_LEN], b"a");
        let read = parse(&list).unwrap();
        assert!(compare(&read[0], &[0xab; DIGEST_LEN]).holds());
        for i in 0..DIGEST_LEN {
            let mut other = [0xab; DIGEST_LEN];
            other[i] ^= 1;
            assert!(!compare(&read[0], &other).holds(), "{i}");
        }
    }
}
