//! `verify -M`: the signature of the list first, and only then what the list says.

use crate::tool::io::{InputSource, MemoryInput, Standing, Tree};
use crate::tool::message::envelope::{EnvelopeOpening, open};
use crate::tool::options::heading;
use crate::tool::options::jobs::Jobs;
use crate::tool::report::escape::{LineEnds, cleaned, shown};
use crate::tool::report::progress::Progress;
use crate::tool::report::suffix::{SUFFIX, with_suffix};
use crate::tool::report::{Entry, Error, Evidence};
use crate::tool::run::checksum::checksum;
use crate::tool::run::file_batches::Groups;
use crate::tool::run::ordered::in_groups;
use crate::tool::system::{canonical, name_of, parse};
use crate::tool::trust::clock::Clock;
use crate::tool::verify::alternatives::other_line_ends;
use crate::tool::verify::lines::Lines;
use crate::tool::verify::verifier::{Match, Refused, Rejection, Verdict, Verifier};
use fndsa::files::manifest::{DIGEST_LEN, Listed, Manifest, comments};
use fndsa::files::{Defect, is_utf16};
use fndsa::verdict::envelope::{Covered, InlineList};
use fndsa::verdict::hasher;
use fndsa::{Level, PreHash};
use serde_json::json;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The largest manifest, in MiB: more than two million files.
const MAX_MEBIBYTES: usize = 256;
/// The largest file, in MiB, that is read again with other line ends.
const MAX_TEXT_MEBIBYTES: usize = 64;
/// The most comments that are shown.
const SHOWN_COMMENTS: usize = 20;
/// The most comments that are kept, and the most bytes of them: a list may consist of comments alone.
const KEPT_COMMENTS: usize = 1000;
const KEPT_BYTES: usize = 1 << 20;

/// The options of a list that is verified.
#[derive(clap::Args, Debug)]
pub struct ListToVerify {
    /// Verify this signed list and its files
    ///
    /// If you name FILEs, fndsa verifies only these files of the list. The signature is in the list or in LIST.sig. File names are relative to the current directory, and links must not
    /// lead out of it.
    #[arg(short = 'M', long = "list", alias = "manifest", value_name = "FILE", conflicts_with_all = ["prehashed", "mu"],
        help_heading = heading::LISTS)]
    manifest: Option<PathBuf>,
    /// Directory of the listed files
    ///
    /// File names in the list, and FILEs, are relative to DIR. Links must not lead out of DIR.
    #[arg(short = 'C', long, value_name = "DIR", help_heading = heading::LISTS)]
    directory: Option<PathBuf>,
    /// Reject every file in the directory that is not in the list
    ///
    /// The list and its signature are accepted.
    #[arg(long, conflicts_with_all = ["files", "files_from"], help_heading = heading::LISTS,
        hide_short_help = true)]
    strict: bool,
    /// Ignore missing files
    ///
    /// At least one listed file must be present.
    #[arg(long, help_heading = heading::LISTS)]
    ignore_missing: bool,
}

impl ListToVerify {
    /// Returns where the list is; `None` if there is none.
    pub fn source(&self) -> Option<InputSource> {
        self.manifest.as_deref().map(InputSource::from_arg)
    }

    /// Returns the directory that names begin in.
    ///
    /// # Errors
    /// There is no such directory.
    pub fn tree(&self) -> Result<Tree, Error> {
        self.directory.as_deref().map_or_else(|| Ok(Tree::current()), Tree::at)
    }
}

/// A question about a manifest: which of its files are to be verified, and how.
pub struct ManifestCheck<'a> {
    /// The list.
    pub list: &'a InputSource,
    /// Where the signature of the list is, if somebody says so.
    pub signature: Option<InputSource>,
    /// What the names begin in.
    pub tree: Tree,
    /// The files asked for.
    pub named: &'a [InputSource],
    /// Whether all files of the list are asked for instead.
    pub all: bool,
    /// The other options.
    pub options: &'a ListToVerify,
    /// How many files to hash at once.
    pub jobs: Jobs,
}

/// One file: its name in the list, what messages call it, and its line, if it has one.
type Target<'a> = (Cow<'a, [u8]>, InputSource, Option<&'a Listed<'a>>);

/// A list whose signature was looked at.
struct ListVerdict<'d> {
    /// The list without its signature.
    signed: Covered<'d>,
    /// The file of the signature; `None` if it is in the list.
    signature: Option<InputSource>,
    checked: Result<Verdict, Error>,
}

/// The comments of a list, in its order, up to the first that is too much.
struct Remarks<'d> {
    kept: Vec<Cow<'d, str>>,
    /// The number of comments after those.
    left_out: usize,
}

impl<'d> Remarks<'d> {
    fn of(list: &'d [u8]) -> Self {
        let mut kept = Vec::new();
        let mut bytes = 0;
        let mut left_out = 0;
        for comment in comments(list) {
            bytes += comment.len();
            if left_out == 0 && kept.len() < KEPT_COMMENTS && bytes <= KEPT_BYTES {
                kept.push(String::from_utf8_lossy(comment));
            } else {
                left_out += 1;
            }
        }
        Self { kept, left_out }
    }

    fn describe(&self, entry: Entry) -> Entry {
        let entry = if self.kept.is_empty() { entry } else { entry.set("comments", json!(self.kept)) };
        if self.left_out == 0 { entry } else { entry.set("comments_left_out", json!(self.left_out)) }
    }
}

impl ManifestCheck<'_> {
    /// Says the verdict on the list and on each file. Nothing of a list without a good signature is used, and no file
    /// is opened before the whole list is known to be well-formed. Returns how many of them must be good: the list, and
    /// its entries or the files asked for, but for those that are passed over, and the directory if nothing else may be
    /// there; 0 if the list is not good, or if nothing else is left.
    pub fn run(&self, verifier: &Verifier<'_>, progress: &Progress, lines: &mut Lines<'_>) -> usize {
        let entry = verifier.form.describe(Entry::of(self.list.path()).set("kind", json!("manifest")));
        let data = match self.list.read_list(MAX_MEBIBYTES, progress) {
            Ok(data) => data,
            Err(e) => {
                lines.error(self.list, entry, &e);
                return 0;
            }
        };
        let ListVerdict { signed, signature, checked } = match self.look(&data, verifier) {
            Ok(looked) => looked,
            Err(e) => {
                lines.error(self.list, entry, &e);
                return 0;
            }
        };
        let entry = match &signature {
            Some(signature) => entry.path("signature", signature.path()),
            None => entry.set("inline", json!(true)),
        };
        let keys = match &checked {
            Ok(Verdict::Yes(Match { keys, .. })) => keys.clone(),
            _ => {
                lines.checked(self.list, signature.as_ref(), entry, checked);
                return 0;
            }
        };
        let (signed, _) = signed.enclosed().unwrap_or_default();
        let Some((list, entry)) = self.believed(signed, entry, verifier.clock, lines) else { return 0 };
        let remarks = Remarks::of(signed);
        let entry = remarks.describe(entry);
        lines.list(self.list, signature.as_ref(), entry, checked);
        self.remark(&remarks, signature.as_ref(), lines);
        let (due, passed_over) = if self.all {
            let target = |i: usize| {
                let listed = &list.files[i];
                (Cow::Borrowed(&listed.name[..]), InputSource::File(self.tree.place(&listed.name)), Some(listed))
            };
            (list.files.len(), self.files(&list, list.files.len(), target, &keys, progress, lines))
        } else {
            let by_name: BTreeMap<&[u8], &Listed<'_>> = list.files.iter().map(|it| (&it.name[..], it)).collect();
            let target = |i: usize| {
                let source: &InputSource = &self.named[i];
                let name = canonical(source.path().as_os_str().as_encoded_bytes()).ok();
                let listed = name.as_ref().and_then(|name| by_name.get(&name[..]).copied());
                (name.unwrap_or_default(), self.tree.seen(source), listed)
            };
            (self.named.len(), self.files(&list, self.named.len(), target, &keys, progress, lines))
        };
        if passed_over > 0 && passed_over < due {
            let words =
                format!("note: {}: {passed_over} of {due} listed files are missing and were not verified", self.list);
            lines.note(&words);
        }
        let alone = if self.options.strict { self.nothing_else(&list, signature.as_ref(), lines) } else { 0 };
        // The day is compared a second time: a fault of the machine must not make an old list valid.
        let is_over = |last| verifier.clock.today().map_or(true, |today| today > last);
        // The list alone is no answer.
        match due.saturating_sub(passed_over) {
            0 => 0,
            _ if list.best_before.is_some_and(is_over) => 0,
            files => 1 + files + alone,
        }
    }

    /// Verifies the signature of the list: the one that is named, or the one in the list, or else the one beside it.
    ///
    /// # Errors
    /// Nobody says where the signature is.
    fn look<'d>(&self, data: &'d [u8], verifier: &Verifier<'_>) -> Result<ListVerdict<'d>, Error> {
        let opened = match &self.signature {
            Some(_) => Ok(EnvelopeOpening::Unsigned),
            None => open(&InlineList, data, self.list),
        };
        let (signed, checked) = match opened {
            Ok(EnvelopeOpening::Signed { signatures, contents }) => {
                let checked = verifier.check_envelope(&mut Vec::new(), &signatures, &contents, self.list);
                (contents.covered, checked)
            }
            Ok(EnvelopeOpening::Rejected(rejection)) => (Covered::message(data), Ok(Verdict::No(rejection.into()))),
            Err(e) => (Covered::message(data), Err(e)),
            Ok(EnvelopeOpening::Unsigned) => {
                let signature = match (&self.signature, self.list) {
                    (Some(signature), _) => signature.clone(),
                    (None, InputSource::File(path)) => InputSource::File(with_suffix(path, SUFFIX)),
                    (None, _) => return Err(Error::StdinSignature),
                };
                let input = &mut MemoryInput::new(self.list, data);
                let checked = verifier.check(&mut Vec::new(), &signature, self.list, input);
                return Ok(ListVerdict { signed: Covered::message(data), signature: Some(signature), checked });
            }
        };
        Ok(ListVerdict { signed, signature: None, checked })
    }

    /// Reads a list whose signature is good, and compares its last day with today. `None` if nothing of it is to be
    /// used, which is said.
    fn believed<'d>(
        &self,
        list: &'d [u8],
        entry: Entry,
        clock: Clock,
        lines: &mut Lines<'_>,
    ) -> Option<(Manifest<'d>, Entry)> {
        let read =
            self.parse(list).and_then(|listed| Ok((listed.best_before.map(|_| clock.today()).transpose()?, listed)));
        let (today, listed) = match read {
            Ok(read) => read,
            Err(e) => {
                lines.error(self.list, entry, &e);
                return None;
            }
        };
        let entry = entry.set("files", json!(listed.files.len()));
        let (Some(best_before), Some(today)) = (listed.best_before, today) else { return Some((listed, entry)) };
        let entry = entry.set("best_before", json!(best_before.to_string())).set("today", json!(today.to_string()));
        lines.detail(&format!(
            "{}: the last day of the list is {best_before}, and today is {}",
            self.list,
            clock.words(today)
        ));
        if today <= best_before {
            return Some((listed, entry));
        }
        lines.failed(self.list, entry, &Rejection::Expired { best_before, today }.into());
        None
    }

    /// Tells what else there is to know of a list that is good: a signature file that was not asked, and the comments
    /// that are signed with the list.
    fn remark(&self, comments: &Remarks<'_>, signature: Option<&InputSource>, lines: &Lines<'_>) {
        if let (None, InputSource::File(path)) = (signature, self.list) {
            let beside = InputSource::File(with_suffix(path, SUFFIX));
            if beside.file_len().is_some() {
                lines.note(&format!("{}: fndsa uses the signature inside the list, and ignores {beside}", self.list));
            }
        }
        for comment in comments.kept.iter().take(SHOWN_COMMENTS) {
            lines.note(&format!("{}: signed comment: {}", self.list, cleaned(comment, LineEnds::Foreign)));
        }
        if let more @ 1.. = comments.kept.len().saturating_sub(SHOWN_COMMENTS) {
            lines.note(&format!("{}: {more} more signed comments (--json prints them)", self.list));
        }
        if let more @ 1.. = comments.left_out {
            lines.note(&format!("{}: {more} more signed comments (see the list itself)", self.list));
        }
    }

    /// Says no to each file in the directory that the list does not name, and counts as one file itself. The list and
    /// its signature may be there, an empty file by which other programs find the entry for a day, and a link that
    /// leads to files of the list.
    fn nothing_else(&self, list: &Manifest<'_>, signature: Option<&InputSource>, lines: &mut Lines<'_>) -> usize {
        let name_below = |source: &InputSource| match source {
            InputSource::File(path) => self.tree.name_below(path),
            _ => None,
        };
        let own: Vec<_> = [Some(self.list), signature].into_iter().flatten().filter_map(name_below).collect();
        let names: BTreeSet<&[u8]> = list.files.iter().map(|listed| &listed.name[..]).collect();
        let leads = |name: &[u8]| {
            let below = [name, b"/"].concat();
            names.range(&below[..]..).next().is_some_and(|next| next.starts_with(&below))
        };
        let (found, errors) = self.tree.walk();
        let mut others = 0_u64;
        for found in found {
            let Standing { name, special } = &found;
            let is_known = names.contains(&name[..]) || own.contains(name) || (special.is_some() && leads(name));
            if is_known || found.marks_a_day(&self.tree) {
                continue;
            }
            let source = InputSource::File(self.tree.place(name));
            others += 1;
            let entry = Entry::of(source.path()).path("manifest", self.list.path());
            lines.failed(&source, entry, &Rejection::Unlisted { list: self.list_name() }.into());
        }
        for (path, e) in errors {
            others += 1;
            let source = InputSource::File(path);
            let entry = Entry::of(source.path()).path("manifest", self.list.path());
            lines.error(&source, entry, &Error::io(&source, e));
        }
        lines.count(Evidence::of_equal(&others.to_le_bytes(), &[0; 8]));
        1
    }

    fn parse<'d>(&self, data: &'d [u8]) -> Result<Manifest<'d>, Error> {
        let from = || self.list.to_string();
        if is_utf16(data) {
            return Err(Error::Format { from: from(), defect: Defect::Utf16, wanted: None });
        }
        match parse(data) {
            Ok(listed) if listed.files.is_empty() => Err(Error::ManifestEmpty(from())),
            Ok(listed) => Ok(listed),
            Err((number, flaw)) => Err(Error::ManifestLine { from: from(), number, flaw }),
        }
    }

    /// Says the verdict on each file, and returns how many were passed over.
    fn files<'l>(
        &self,
        list: &Manifest<'_>,
        count: usize,
        target: impl Fn(usize) -> Target<'l> + Sync,
        keys: &[usize],
        progress: &Progress,
        lines: &mut Lines<'_>,
    ) -> usize {
        let threads = self.jobs.threads(count);
        let of_thread = if threads.get() > 1 { Progress::none() } else { progress.clone() };
        let read = |i: usize| -> Result<([u8; DIGEST_LEN], u64), Error> {
            let (name, source, listed) = target(i);
            if listed.is_some() { checksum(&self.tree, &name, &source, &of_thread) } else { Ok(([0; DIGEST_LEN], 0)) }
        };
        let len = |i: usize| target(i).1.file_len();
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
                let (name, source, listed) = target(i);
                let missing = |e: &Error| matches!(e, Error::Io { source, .. } if source.kind() == ErrorKind::NotFound);
                let entry = || Entry::of(source.path()).path("manifest", self.list.path());
                if let (Some(_), Err(e)) = (listed, &read)
                    && self.all
                    && self.options.ignore_missing
                    && missing(e)
                {
                    passed_over += 1;
                    return ControlFlow::Continue(());
                }
                decided += 1;
                bar.pause(|| match (listed, read) {
                    (None, _) => {
                        let hint = self.listed_elsewhere(list, &name, &source);
                        let no = Rejection::NotListed { list: self.list_name() };
                        lines.failed(&source, entry(), &Refused::hinting(no, hint));
                    }
                    (Some(_), Err(e)) if missing(&e) => {
                        lines.error(&source, entry(), &Error::ListedMissing { from: source.to_string() });
                    }
                    (Some(_), Err(e)) => lines.error(&source, entry(), &e),
                    (Some(listed), Ok((digest, bytes))) => {
                        let yes = compare(listed, &digest);
                        if yes.holds() {
                            lines.ok(&source, entry().set("bytes", json!(bytes)), keys, yes);
                        } else {
                            let hint = with_other_line_ends(listed, &source);
                            let no = Rejection::Checksum { list: self.list_name() };
                            lines.failed(&source, entry(), &Refused::hinting(no, hint));
                        }
                    }
                });
                ControlFlow::Continue(())
            },
        );
        if decided == 0 {
            let entry = Entry::of(self.list.path()).set("kind", json!("manifest"));
            lines.failed(self.list, entry, &Rejection::NothingVerified.into());
        }
        passed_over
    }
}

impl ManifestCheck<'_> {
    /// Returns the name of the list for messages; `None` for standard input.
    fn list_name(&self) -> Option<String> {
        match self.list {
            InputSource::File(path) => Some(shown(path)),
            _ => None,
        }
    }

    /// Returns the likely reason that the list does not name a file: the file is named with its directory, or a
    /// browser has renamed the file.
    fn listed_elsewhere(&self, list: &Manifest<'_>, name: &[u8], source: &InputSource) -> Option<String> {
        let entry = |name: &[u8]| list.files.iter().find(|listed| listed.name[..] == *name);
        let slashes = name.iter().enumerate().filter(|(_, b)| **b == b'/').map(|(i, _)| i);
        let mut below = slashes.filter_map(|i| entry(&name[i + 1..]).map(|_| (&name[..i], &name[i + 1..])));
        if let (Some((directory, name)), None) = (below.next(), &self.options.directory) {
            let [directory, name] = [directory, name].map(|it| shown(&*name_of(it)));
            return Some(format!("add -C {directory}, and name the file {name}, because the list names it {name}"));
        }
        if name.is_empty() {
            return None;
        }
        let (digest, _) = checksum(&self.tree, name, source, &Progress::none()).ok()?;
        let same = list.files.iter().find(|listed| listed.digest() == digest)?;
        let other = shown(&*name_of(&same.name));
        Some(format!("rename the file to {other}: it has the checksum of {other} in the list"))
    }
}

/// Returns a hint if the checksum in the list is that of the file with other line ends.
fn with_other_line_ends(listed: &Listed<'_>, source: &InputSource) -> Option<String> {
    let text = source.read_list(MAX_TEXT_MEBIBYTES, &Progress::none()).ok()?;
    let (other, hint) = other_line_ends(&text)?;
    let mut sha256 = hasher(Level::detect(), PreHash::Sha256);
    sha256.absorb(&other);
    (sha256.digest() == listed.digest()).then(|| hint.to_owned())
}

/// Compares the checksum of a file with that of the list. YES if they are equal.
fn compare(listed: &Listed<'_>, digest: &[u8; DIGEST_LEN]) -> Evidence {
    Evidence::of_equal(&listed.digest(), digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fndsa::files::manifest::write_line;

    #[test]
    fn every_byte_of_a_checksum_counts() {
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
