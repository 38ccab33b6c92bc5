//! `verify -M`: verifies the signature of a list, and then the files in the list.

use super::list::ListCheck;
use super::listed::ListedFiles;
use crate::tool::io::{InputSource, MAX_LIST_MEBIBYTES, MemoryInput, TreeEntry};
use crate::tool::message::envelope::{EnvelopeOpening, open};
use crate::tool::report::escape::{LineEnds, cleaned};
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::suffix::{SUFFIX, with_suffix};
use crate::tool::report::{Error, Evidence, Exit, ResultEntry};
use crate::tool::system::parse;
use crate::tool::trust::clock::Clock;
use crate::tool::verify::lines::VerdictPrinter;
use crate::tool::verify::verifier::{AcceptedSignatures, Rejection, Verdict, Verifier};
use fndsa::files::manifest::{ChecksumList, comments};
use fndsa::files::{Defect, is_utf16};
use fndsa::verdict::envelope::{CoveredBytes, InlineList};
use fndsa::verdict::text::DOWNLOAD_AGAIN;
use serde_json::json;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The maximum number of comments that are printed.
const SHOWN_COMMENTS: usize = 20;
/// The maximum number of comments in the JSON document. Without this limit and [`KEPT_BYTES`], a
/// list that consists only of comments could make the document very large.
const KEPT_COMMENTS: usize = 1000;
/// The maximum total size of the comments in the JSON document, in bytes.
const KEPT_BYTES: usize = 1 << 20;

/// The verdict on the signature of a list.
struct ListVerdict<'d> {
    /// The list without the signature lines.
    signed: CoveredBytes<'d>,
    /// The signature file. `None` if the signature is in the list.
    signature: Option<InputSource>,
    checked: Result<Verdict, Error>,
}

/// The first comments in a list, within the limits [`KEPT_COMMENTS`] and [`KEPT_BYTES`].
struct ListComments<'d> {
    kept: Vec<Cow<'d, str>>,
    /// The number of comments that exceed the limits.
    left_out: usize,
}

impl<'d> ListComments<'d> {
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

    fn describe(&self, entry: ResultEntry) -> ResultEntry {
        let entry = if self.kept.is_empty() { entry } else { entry.set("comments", json!(self.kept)) };
        if self.left_out == 0 { entry } else { entry.set("comments_left_out", json!(self.left_out)) }
    }
}

impl ListCheck<'_> {
    /// Prints the verdict for the list and for each file. If the list's signature is not valid, the
    /// list's contents are ignored. Files are opened only after the whole list was parsed.
    ///
    /// Returns the number of verdicts that must be YES: the list, each file that is not ignored,
    /// and the directory if `--strict` is given. Returns 0 if the list is rejected or expired, or
    /// if no file was verified, because a verdict on 0 files is never a success.
    pub fn run(&self, verifier: &Verifier<'_>, progress: &ProgressDisplay, lines: &mut VerdictPrinter<'_>) -> usize {
        let entry = verifier.form.describe(ResultEntry::of(self.list.path()).set("kind", json!("manifest")));
        let read = self.list.read_limited(MAX_LIST_MEBIBYTES, progress);
        let read = read.map_err(|e| self.list.explain_missing(e, &[]));
        let looked = match &read {
            Ok(data) => self.verify_signature(data, verifier),
            Err(e) => {
                lines.error(self.list, entry, e);
                return 0;
            }
        };
        let ListVerdict { signed, signature, checked } = match looked {
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
            Ok(Verdict::Yes(AcceptedSignatures { keys, .. })) => keys.clone(),
            _ => {
                lines.checked(self.list, signature.as_ref(), entry, checked);
                return 0;
            }
        };
        let (signed, _) = signed.enclosed().unwrap_or_default();
        let Some((list, entry)) = self.parse_valid_list(signed, entry, verifier.clock, lines) else { return 0 };
        let remarks = ListComments::of(signed);
        lines.list(self.list, signature.as_ref(), remarks.describe(entry), checked);
        self.print_notes(&remarks, signature.as_ref(), lines);
        let files = ListedFiles::new(self, &list, &keys).run(progress, lines);
        let alone = if self.options.strict { self.reject_unlisted_files(&list, signature.as_ref(), lines) } else { 0 };
        // The date is compared a second time, because a fault in the first comparison must not make
        // an expired list valid.
        let is_over = match (list.best_before, verifier.clock.today()) {
            (Some(last), Ok(today)) => today > last,
            (Some(_), Err(_)) => true,
            (None, _) => false,
        };
        // A list without a verified file must not be accepted.
        if files == 0 || is_over { 0 } else { 1 + files + alone }
    }

    /// Verifies the signature of the list. The signature is in the file after `--signature`, in the
    /// list, or in the file `LIST.sig`.
    ///
    /// # Errors
    /// Fails if the list is standard input and contains no signature, and no signature file is
    /// given. Also fails if the list is empty and the signature file cannot be read. All other
    /// errors are in [`ListVerdict::checked`].
    fn verify_signature<'d>(&self, data: &'d [u8], verifier: &Verifier<'_>) -> Result<ListVerdict<'d>, Error> {
        let opened = match &self.signature {
            Some(_) => Ok(EnvelopeOpening::Unsigned),
            None => open(&InlineList, data, self.list),
        };
        let (signed, checked) = match opened {
            Ok(EnvelopeOpening::Signed { signatures, contents }) => {
                let checked = verifier.check_envelope(&mut Vec::new(), &signatures, &contents, self.list);
                (contents.covered, checked)
            }
            Ok(EnvelopeOpening::Rejected(rejection)) => {
                (CoveredBytes::message(data), Ok(Verdict::No(rejection.into())))
            }
            Err(e) => (CoveredBytes::message(data), Err(e)),
            Ok(EnvelopeOpening::Unsigned) => {
                let signature = match (&self.signature, self.list) {
                    (Some(signature), _) => signature.clone(),
                    (None, InputSource::File(path)) => InputSource::File(with_suffix(path, SUFFIX)),
                    (None, _) => return Err(Error::StdinSignature),
                };
                let input = &mut MemoryInput::new(self.list, data);
                let checked = verifier.check(&mut Vec::new(), &signature, self.list, input);
                // If the list is empty, its download has probably failed, so the error describes
                // the empty list instead of the missing signature.
                if data.is_empty() && matches!(&checked, Err(e) if e.exit() == Exit::Io) {
                    return Err(Error::Format { from: self.list.to_string(), defect: Defect::Empty, wanted: None }
                        .with_hint(DOWNLOAD_AGAIN));
                }
                return Ok(ListVerdict { signed: CoveredBytes::message(data), signature: Some(signature), checked });
            }
        };
        Ok(ListVerdict { signed, signature: None, checked })
    }

    /// Parses a list after its signature was verified, and compares the last day of the list with
    /// the current date. If the list must not be used, reports the reason and returns `None`.
    fn parse_valid_list<'d>(
        &self,
        list: &'d [u8],
        entry: ResultEntry,
        clock: Clock,
        lines: &mut VerdictPrinter<'_>,
    ) -> Option<(ChecksumList<'d>, ResultEntry)> {
        let listed = match self.parse(list) {
            Ok(listed) => listed,
            Err(e) => {
                lines.error(self.list, entry, &e);
                return None;
            }
        };
        let Some(best_before) = listed.best_before else {
            let entry = entry.set("files", json!(listed.files.len()));
            return Some((listed, entry));
        };
        let today = match clock.today() {
            Ok(today) => today,
            Err(e) => {
                lines.error(self.list, entry, &e);
                return None;
            }
        };
        let entry = entry.set("files", json!(listed.files.len()));
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

    /// Prints notes about a valid list: the signed comments, and a signature file that is ignored
    /// because the list contains its signature.
    fn print_notes(&self, comments: &ListComments<'_>, signature: Option<&InputSource>, lines: &VerdictPrinter<'_>) {
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

    /// Prints a NO for every file in the directory that is not in the list. Some files are always
    /// accepted: the list and its signature file, a link to a directory with listed files, and an
    /// empty file with a name that states the last day of a list (`sha256sum -c` needs this file).
    /// Adds the verdict on the directory, and returns 1: the number of added verdicts.
    fn reject_unlisted_files(
        &self,
        list: &ChecksumList<'_>,
        signature: Option<&InputSource>,
        lines: &mut VerdictPrinter<'_>,
    ) -> usize {
        let mut own = Vec::new();
        for source in [Some(self.list), signature].into_iter().flatten() {
            if let InputSource::File(path) = source {
                own.extend(self.tree.name_below(path));
            }
        }
        let names: BTreeSet<&[u8]> = list.files.iter().map(|listed| &listed.name[..]).collect();
        let (found, errors) = self.tree.walk();
        let mut others = 0_u64;
        for found in found {
            let TreeEntry { name, special } = &found;
            let is_link_to_files = special.is_some() && has_files_below(&names, name);
            if names.contains(&name[..]) || own.contains(name) || is_link_to_files || found.marks_a_day(self.tree) {
                continue;
            }
            let source = InputSource::File(self.tree.path_of(name));
            others += 1;
            let entry = ResultEntry::of(source.path()).path("manifest", self.list.path());
            lines.failed(&source, entry, &Rejection::Unlisted { list: self.list_name() }.into());
        }
        for (path, e) in errors {
            others += 1;
            let source = InputSource::File(path);
            let entry = ResultEntry::of(source.path()).path("manifest", self.list.path());
            lines.error(&source, entry, &Error::io(&source, e));
        }
        lines.count(Evidence::of_equal(&others.to_le_bytes(), &[0; 8]));
        1
    }

    fn parse<'d>(&self, data: &'d [u8]) -> Result<ChecksumList<'d>, Error> {
        let from = self.list.to_string();
        if is_utf16(data) {
            return Err(Error::Format { from, defect: Defect::Utf16, wanted: None });
        }
        match parse(data) {
            Ok(listed) if listed.files.is_empty() => {
                Err(Error::ManifestEmpty(from).with_hint("ask the signer for a list with at least one file"))
            }
            Ok(listed) => Ok(listed),
            Err((number, flaw)) => Err(Error::ManifestLine { from, number, flaw }),
        }
    }
}

/// Returns whether the list contains files below this directory.
fn has_files_below(names: &BTreeSet<&[u8]>, directory: &[u8]) -> bool {
    let below = [directory, b"/"].concat();
    match names.range(&below[..]..).next() {
        Some(next) => next.starts_with(&below),
        None => false,
    }
}
