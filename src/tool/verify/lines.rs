//! Prints a line for each file, such as `FILE: OK`, and computes the exit code from the verdicts
//! that the modules of `cmd::verify` pass.

use super::verifier::{AcceptedSignatures, DetailedRejection, Verdict, Verifier};
use crate::tool::io::InputSource;
use crate::tool::report::escape::shown;
use crate::tool::report::{Error, Evidence, EvidenceSum, Exit, Report, ResultColor, ResultEntry, SuccessToken};
use crate::tool::trust::describe::describe_keys;
use serde_json::json;

/// Prints a line for each verified file, and counts the verdicts for the exit code.
pub struct VerdictPrinter<'a> {
    report: &'a mut Report,
    verifier: &'a Verifier<'a>,
    /// The indices of the keys in the previous OK line. If the next OK line has the same keys, it
    /// does not repeat their names.
    last_keys: Vec<usize>,
    /// The first error from standard output, for example a closed pipe or a full disk. Such an
    /// error does not change the verdict.
    printing: Result<(), Error>,
    files: usize,
    /// The number of verified lists, which are not counted as files in the summary line.
    lists: usize,
    failed: usize,
    errors: usize,
    good: EvidenceSum,
}

impl<'a> VerdictPrinter<'a> {
    /// Creates a printer for the verdicts of `verifier`.
    pub fn new(report: &'a mut Report, verifier: &'a Verifier<'a>) -> Self {
        let good = EvidenceSum::default();
        Self {
            report,
            verifier,
            last_keys: Vec::new(),
            printing: Ok(()),
            files: 0,
            lists: 0,
            failed: 0,
            errors: 0,
            good,
        }
    }

    /// Reports the verdict on the signature of a list.
    pub fn list(
        &mut self,
        source: &InputSource,
        signature: Option<&InputSource>,
        entry: ResultEntry,
        checked: Result<Verdict, Error>,
    ) {
        self.lists += 1;
        self.checked(source, signature, entry, checked);
    }

    /// Adds the evidence (a number) from a check for which no line is printed, for example from the
    /// directory check for `--strict`.
    pub fn count(&mut self, evidence: Evidence) {
        self.good.add(evidence);
    }

    /// Prints a note to standard error.
    pub fn note(&self, text: &str) {
        self.report.note(text);
    }

    /// Prints a note with `-v`.
    pub fn detail(&self, text: &str) {
        self.report.detail(text);
    }

    /// Reports the verdict, or the error, for `source`. `signature` is the signature file, or
    /// `None` if `source` contains the signature.
    pub fn checked(
        &mut self,
        source: &InputSource,
        signature: Option<&InputSource>,
        entry: ResultEntry,
        checked: Result<Verdict, Error>,
    ) {
        if self.report.output.verbose
            && let Ok(verdict) = &checked
        {
            let mut read = String::new();
            let all = self.verifier.policy.keys;
            let mut keys = Vec::new();
            match verdict.accepted() {
                Some(accepted) => {
                    read = format!("{} bytes, ", accepted.bytes);
                    for (number, key) in accepted.keys.iter().enumerate() {
                        let from = &all[*key].from;
                        match accepted.forms.get(number) {
                            Some(form) => keys.push(format!("{from} (form {form})")),
                            None => keys.push(from.clone()),
                        }
                    }
                }
                None => {
                    for key in all {
                        keys.push(key.from.clone());
                    }
                }
            }
            let signature = match signature {
                Some(signature) => signature.to_string(),
                None => "in the file".to_owned(),
            };
            let level = self.verifier.level;
            let form = self.verifier.form.words();
            let name = name(source);
            let keys = keys.join(", ");
            self.report.detail(&format!("{name}: {read}signature {signature}, {form}, key {keys}, level {level}"));
        }
        let ignored = match &checked {
            Ok(verdict) => verdict.ignored(),
            Err(_) => &[],
        };
        for description in ignored {
            self.report.note(&format!("note: {}: {description} is ignored", signature.unwrap_or(source)));
        }
        let entry = if ignored.is_empty() { entry } else { entry.set("ignored", json!(ignored)) };
        match checked {
            Ok(Verdict::Yes(AcceptedSignatures { keys, forms, bytes, evidence, .. })) => {
                self.ok_in_forms(source, entry.set("bytes", bytes.into()), &keys, &forms, evidence);
            }
            Ok(Verdict::No(details)) => self.failed(source, entry, &details),
            Err(e) => self.error(source, entry, &e),
        }
    }

    /// Reports a YES for a file, or an internal error if the evidence does not hold. `keys`
    /// contains the indices of the matching keys.
    pub fn ok(&mut self, source: &InputSource, entry: ResultEntry, keys: &[usize], evidence: Evidence) {
        self.ok_in_forms(source, entry, keys, &[], evidence);
    }

    /// Reports a YES for a file, as [`Self::ok`] does. `forms` contains, for each key in `keys`,
    /// the name of the encoding that its signature covers, for example `tap21`. `forms` is empty if
    /// the file format has only one encoding.
    fn ok_in_forms(
        &mut self,
        source: &InputSource,
        entry: ResultEntry,
        keys: &[usize],
        forms: &[&'static str],
        evidence: Evidence,
    ) {
        if !evidence.holds() {
            return self.error(source, entry, &Error::Internal("a verdict without evidence".to_owned()));
        }
        self.files += 1;
        self.good.add(evidence);
        let all = self.verifier.policy.keys;
        if self.report.output.quiet == 0 {
            let same_keys = self.last_keys == keys;
            self.last_keys = keys.to_vec();
            let names: Vec<_> = keys.iter().map(|key| all[*key].description()).collect();
            let names = if same_keys { String::new() } else { format!(" ({})", names.join("; ")) };
            self.print_line(source, "OK", ResultColor::Good, &names);
        }
        self.report.push(describe_keys(entry, all, keys, forms).ok());
    }

    /// Reports a NO for a file.
    pub fn failed(&mut self, source: &InputSource, entry: ResultEntry, details: &DetailedRejection) {
        self.files += 1;
        self.failed += 1;
        self.print_line(source, "FAILED", ResultColor::Bad, &format!(" ({})", details.rejection.words()));
        self.report.add_exit(Exit::Negative);
        self.report.hint(&details.hint);
        if let Some(explanation) = &details.explanation {
            self.report.explain(&format!("{}: {}", name(source), explanation.text));
        }
        self.report.push(details.entry(entry));
    }

    /// Reports an error for a file.
    pub fn error(&mut self, source: &InputSource, entry: ResultEntry, e: &Error) {
        self.files += 1;
        self.errors += 1;
        self.print_line(source, "ERROR", ResultColor::Bad, &format!(" ({})", e.about(source)));
        self.report.add_exit(e.exit());
        self.report.hint(&e.hint());
        self.report.push(entry.error(e));
    }

    fn print_line(&mut self, source: &InputSource, word: &str, tone: ResultColor, after: &str) {
        if self.printing.is_ok() {
            self.printing = self.report.answer(&format!("{}: ", name(source)), word, tone, after);
        }
    }

    /// Prints a summary if there are several files and at least one file or list is not OK. Returns
    /// a token that allows exit code 0 only if exactly `expected_count` checks succeeded and added
    /// their evidence.
    ///
    /// # Errors
    /// Fails if the token does not allow exit code 0, although neither a NO nor an error was
    /// reported.
    pub fn finish(self, expected_count: usize) -> Result<SuccessToken, Error> {
        let answer = self.good.answer(expected_count);
        let files = self.files - self.lists;
        let failed = self.failed;
        let errors = self.errors;
        if files > 1 && failed + errors > 0 {
            self.report.note(&format!("verify: {files} files: {failed} FAILED, {errors} ERROR"));
        }
        if let Err(e) = self.printing {
            self.report.stdout_failed("verify", &e);
        }
        if self.report.exit() == Exit::Ok && answer.exit() != Exit::Ok {
            return Err(Error::Internal(format!("{} verdicts on {expected_count} files", self.files)));
        }
        Ok(answer)
    }
}

/// Returns the name of a file for the start of the line, or `-` for a source that is not a path.
fn name(source: &InputSource) -> String {
    match source {
        InputSource::File(path) => shown(path),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::keys::loader::AllowWeak;
    use crate::tool::message::form::{InputKind, MessageForm};
    use crate::tool::report::OutputOptions;
    use crate::tool::trust::clock::Clock;
    use fndsa::no_alloc::Level;
    use fndsa::verdict::{Policy, RequiredKeys};

    #[test]
    fn a_loop_without_iterations_ends_with_exit_code_6() {
        let form = MessageForm { input: InputKind::Message, context: Vec::new(), weak: AllowWeak(false) };
        let verifier = Verifier {
            policy: Policy::new(&[], &[], RequiredKeys::All),
            form,
            level: Level::detect(),
            clock: Clock::System,
            explain: false,
        };
        for expected_count in [0, 1, 2] {
            let mut report = Report::new(OutputOptions::default());
            let ended = VerdictPrinter::new(&mut report, &verifier).finish(expected_count);
            assert_eq!(ended.map_err(|e| e.exit()), Err(Exit::Internal), "{expected_count}");
            assert_eq!(report.finish("verify", SuccessToken::NONE).code(), 6);
        }
    }
}
