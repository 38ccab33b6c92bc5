//! Checks the command line for `fndsa verify`, and then runs the command.
//!
//! [`VerifyPlan::new`] runs all checks that do not need a key. [`VerifyPlan::run`] loads the keys,
//! and then reads the messages.

use super::Args;
use super::each::FilesToVerify;
use super::enclosed::{EnclosedCheck, EnclosingFormat, output};
use super::list::ListCheck;
use super::stream::verify_stream;
use crate::tool::context::CommandContext;
use crate::tool::io::{Destination, DirectoryTree, InputSource, stdin_once};
use crate::tool::message::form::MessageForm;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Report, SuccessToken};
use crate::tool::trust::clock::Clock;
use crate::tool::trust::describe::key_terms_value;
use crate::tool::verify::lines::VerdictPrinter;
use crate::tool::verify::verifier::Verifier;
use fndsa::files::ReadOptions;
use fndsa::no_alloc::Level;
use fndsa::verdict::TrustedKey;
use serde_json::json;

/// A verification command that has passed all checks that do not need a key.
pub struct VerifyPlan<'a> {
    args: &'a Args,
    context: &'a CommandContext,
    progress: ProgressDisplay,
    keys: Vec<InputSource>,
    sources: Vec<InputSource>,
    task: VerifyTask<'a>,
    level: Level,
    form: MessageForm,
}

/// The place of the signatures.
enum VerifyTask<'a> {
    /// Each file has a separate signature file.
    Each,
    /// The files contain their signatures. If an output is given, there is only one file, and the
    /// message in this file is written to the output.
    Enclosed(EnclosingFormat<'a>, Option<Destination>),
    /// The signatures belong to a list, which names files in a directory.
    List(InputSource, DirectoryTree),
    /// Requests on standard input name the files and the signatures.
    Stream,
}

impl<'a> VerifyPlan<'a> {
    /// Checks the command line.
    ///
    /// # Errors
    /// Fails if the options contradict each other, if no key or file is given, or if the file of
    /// `--output` cannot be written.
    pub fn new(args: &'a Args, context: &'a CommandContext) -> Result<Self, Error> {
        // With `--stream`, the answers are already JSON documents, one for each request.
        if args.stream && context.output.json {
            return Err(Error::JsonStream);
        }
        let progress = ProgressDisplay::new(context.output);
        let keys = args.trust.sources()?;
        let named: Vec<_> = args.files.iter().map(|file| InputSource::from_arg(file)).collect();
        let list = args.list.source();
        let signature = args.signature.as_deref().map(InputSource::from_arg);
        let requests = args.stream.then_some(InputSource::Stdin);
        // At most one input can be standard input.
        let others = [&signature, &list, &args.lists.list_file(), &args.message.context_source(), &requests];
        stdin_once(keys.iter().chain(&named).chain(others.into_iter().flatten()))?;
        let sources = args.lists.sources(named, &progress)?;
        // A signature file belongs to a single file or to the list.
        if signature.is_some() && list.is_none() && sources.len() > 1 {
            return Err(Error::OneInput { option: "--signature", count: sources.len() });
        }
        // The user must give the signature file for standard input, because standard input has no
        // name.
        if list.is_none() && !args.encloses() && sources.contains(&InputSource::Stdin) {
            args.signature_of(&InputSource::Stdin)?;
        }
        // The output can contain only one message.
        if args.output.is_some() && sources.len() > 1 {
            return Err(Error::OneInput { option: "--output", count: sources.len() });
        }
        let task = VerifyTask::new(args, context, list, &keys, &sources)?;
        let level = context.level()?;
        let form = args.message.form(context.weak)?;
        Ok(Self { args, context, progress, keys, sources, task, level, form })
    }

    /// Loads the keys, and verifies. The returned [`SuccessToken`] allows exit code 0 only if there
    /// are as many YES verdicts as the arguments require. The required number is computed from the
    /// arguments, and not by counting printed lines, so that a skipped file is detected.
    ///
    /// # Errors
    /// Fails if a key or the policy is rejected, if no key supports the context or the pre-hash, or
    /// if an output fails.
    pub fn run(&self, report: &mut Report) -> Result<SuccessToken, Error> {
        let args = self.args;
        let accept = ReadOptions::default().with_algorithm(args.algorithm);
        let keys = args.trust.load(&self.keys, accept, args.lists.jobs, self.context, report)?;
        args.trust.check_files(&keys, &args.files, self.sources.len())?;
        let form = self.form.clone().bound(args.message.names_prehash(), keys.iter().map(|key| key.terms.prehash))?;
        check_form(&form, args, &keys)?;
        describe_trusted(&keys, report);
        let mut policy = args.trust.policy(&keys)?;
        policy.encoding = args.encoding;
        let verifier = Verifier { policy, form, level: self.level, clock: Clock::of(args.at), explain: args.explain };
        if let VerifyTask::Stream = self.task {
            return verify_stream(&verifier, args.lists.jobs.threads(usize::MAX), report);
        }
        let mut lines = VerdictPrinter::new(report, &verifier);
        let (expected_count, written) = self.verify(&verifier, &mut lines);
        let answer = lines.finish(expected_count);
        written.and(answer)
    }

    /// Verifies all files. Returns the number of verdicts that must be YES, and the result of
    /// writing the message to the output.
    fn verify(&self, verifier: &Verifier<'_>, lines: &mut VerdictPrinter<'_>) -> (usize, Result<(), Error>) {
        let args = self.args;
        let sources = &self.sources[..];
        let is_list_of_names = args.lists.list_file().is_some();
        let expected_count = if is_list_of_names { sources.len() } else { args.files.len() };
        match &self.task {
            VerifyTask::Enclosed(enclosing, output) => {
                let progress = &self.progress;
                let check = EnclosedCheck { verifier, enclosing, output: output.as_ref(), progress, keys: &self.keys };
                (expected_count, check.run(sources, lines))
            }
            VerifyTask::List(list, tree) => {
                let check = ListCheck {
                    list,
                    signature: args.signature.as_deref().map(InputSource::from_arg),
                    tree,
                    named: sources,
                    all: args.files.is_empty() && !is_list_of_names,
                    options: &args.list,
                    jobs: args.lists.jobs,
                };
                (check.run(verifier, &self.progress, lines), Ok(()))
            }
            VerifyTask::Each | VerifyTask::Stream => {
                FilesToVerify { args, verifier, sources, keys: &self.keys }.run(&self.progress, lines);
                (expected_count, Ok(()))
            }
        }
    }
}

impl<'a> VerifyTask<'a> {
    /// Determines where the signatures are. Checks the file of `--output`, which must not be an
    /// input.
    fn new(
        args: &'a Args,
        context: &CommandContext,
        list: Option<InputSource>,
        keys: &[InputSource],
        sources: &[InputSource],
    ) -> Result<Self, Error> {
        if let Some(list) = list {
            return Ok(Self::List(list, args.list.tree()?));
        }
        if args.stream {
            return Ok(Self::Stream);
        }
        if !args.encloses() {
            return Ok(Self::Each);
        }
        let mut destination = None;
        if let Some(path) = &args.output {
            let inputs = sources.iter().chain(keys);
            Destination::refuse_inputs(path, inputs.chain(&args.message.context_source()))?;
            destination = Some(output(args, path, context)?);
        }
        Ok(Self::Enclosed(EnclosingFormat::new(args), destination))
    }
}

/// Checks that at least one key supports the given context and pre-hash, and the format of the
/// signature files. Otherwise, the command line is wrong, and the error does not belong to a file.
fn check_form(form: &MessageForm, args: &Args, keys: &[TrustedKey]) -> Result<(), Error> {
    let format = args.signature_format();
    if args.trust.jws && !form.is_plain() {
        return Err(Error::BoundPrehash { format: "a JSON Web Signature", reason: "no_jws" });
    }
    if (args.cms || args.kernel_module) && !form.is_plain() {
        return Err(Error::BoundPrehash { format: "a CMS signature", reason: "no_cms" });
    }
    let mut result = Ok(());
    for key in keys.iter().rev() {
        let algorithm = key.algorithm();
        result = if format.supports(algorithm) { form.check(algorithm) } else { Err(args.unsupported(algorithm)) };
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Prints the trusted keys and their key lines, but only with `-v`.
fn describe_trusted(keys: &[TrustedKey], report: &mut Report) {
    if !report.output.verbose {
        return;
    }
    let mut values = Vec::with_capacity(keys.len());
    for key in keys {
        let terms = key.terms.words();
        let comma = if terms.is_empty() { "" } else { ", " };
        report.detail(&format!("{}: {}{comma}{terms}", key.from, key.public.description()));
        values.push(json!({
            "from": key.from,
            "algorithm": key.algorithm().to_string(),
            "fingerprint": key.public.fingerprint,
            "expected": key.is_accepted_by_policy,
            "terms": key_terms_value(&key.terms),
        }));
    }
    report.set("trusted_keys", values.into());
}
