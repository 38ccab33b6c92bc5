//! `fndsa verify`: one verdict for each file.

use super::Context;
use super::algorithm::{any_algorithm, parse_encoding};
use super::attached::{Attached, split};
use super::container::Accept;
use super::escape::shown;
use super::explain::Explanation;
use super::io::{Access, Destination, Force, Source, stdin_once};
use super::keygen::with_suffix;
use super::lists::ListArgs;
use super::manifest;
use super::message::MessageArgs;
use super::parallel::in_order;
use super::progress::Progress;
use super::report::{Answer, Entry, Error, Exit, Report, Tally, Tone, Yes};
use super::trust::{TrustArgs, Trusted};
use super::verdict::{Checked, No, Verifier};
use fndsa::{Algorithm, SignatureEncoding};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A signed message is not larger.
const MAX_ATTACHED_MEBIBYTES: usize = 1024;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    trust: TrustArgs,
    /// Files to verify, `-` for standard input; each signature is expected in FILE.sig
    #[arg(required_unless_present_any = ["files_from", "manifest"], value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    lists: ListArgs,
    /// The algorithm of the public keys, where a key does not say it
    ///
    /// A raw key of Falcon looks like one of fn-dsa-2024, and is taken for Falcon; falcon-rs-512 and falcon-rs-1024 use keys of
    /// Falcon
    #[arg(short, long, value_name = "NAME", value_parser = any_algorithm())]
    algorithm: Option<Algorithm>,
    /// The signature is here instead (one FILE, or the manifest)
    #[arg(short, long, value_name = "FILE")]
    signature: Option<PathBuf>,
    /// Accept Falcon signatures in this encoding only: anybody can write one in another [default: all]
    #[arg(long, value_name = "NAME", value_parser = parse_encoding())]
    encoding: Option<SignatureEncoding>,
    /// Each FILE is a signed message: signature and message in one, as the programs of NIST's process
    /// write them (Falcon only)
    #[arg(long, conflicts_with_all = ["signature", "manifest", "prehashed", "mu", "jobs"])]
    attached: bool,
    /// The message of the one FILE goes here, when it is verified, `-` for standard output
    #[arg(short, long, value_name = "FILE", requires = "attached")]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(short, long, requires = "output")]
    force: bool,
    #[command(flatten)]
    message: MessageArgs,
    /// Verify the signature of this list of checksums, expected in MANIFEST.sig, then the files that
    /// it names, or only FILEs; names are relative to the current directory, and links may not leave it
    #[arg(short = 'M', long, conflicts_with_all = ["prehashed", "mu"])]
    manifest: Option<PathBuf>,
    /// Pass over files of the manifest that are not there; at least one must be
    #[arg(long, requires = "manifest")]
    ignore_missing: bool,
    /// Say why a signature does not match, where other options or keys would: slower, and the
    /// verdict stays
    #[arg(long)]
    explain: bool,
}

/// Runs the command. Every file gets its line, in order, when it is decided. The answer is YES if as many were found good
/// as the arguments ask for, which is counted apart from what is said about them.
///
/// # Errors
/// What stops all of them.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<Answer, Error> {
    let progress = Progress::new(context.voice);
    let key_sources = args.trust.sources()?;
    let named: Vec<_> = args.files.iter().map(|file| Source::from_arg(file)).collect();
    let list = args.manifest.as_deref().map(Source::from_arg);
    let signature = args.signature.as_deref().map(Source::from_arg);
    let others = [&signature, &list, &args.lists.source(), &args.message.context_source()];
    stdin_once(key_sources.iter().chain(&named).chain(others.into_iter().flatten()))?;
    let sources = args.lists.sources(named, &progress)?;
    if signature.is_some() && list.is_none() && sources.len() > 1 {
        return Err(Error::OneInput { option: "--signature", given: sources.len() });
    }
    let signature_of = |source: &Source| match (&signature, source) {
        (Some(signature), _) => Ok(signature.clone()),
        _ if args.attached => Ok(source.clone()),
        (None, Source::File(path)) => Ok(Source::File(with_suffix(path, ".sig"))),
        (None, _) => Err(Error::StdinSignature),
    };
    match &list {
        Some(list) => drop(signature_of(list)?),
        None => {
            sources.iter().filter(|source| **source == Source::Stdin).try_for_each(|it| signature_of(it).map(drop))?
        }
    }
    if args.output.is_some() && sources.len() > 1 {
        return Err(Error::OneInput { option: "--output", given: sources.len() });
    }
    let output = args.output.as_deref().map(|path| {
        Destination::refuse_inputs(path, sources.iter().chain(&key_sources).chain(&args.message.context_source()))?;
        output(args, path, context)
    });
    let output = output.transpose()?;
    let level = context.level()?;
    let form = args.message.form()?;
    let accept = Accept { algorithm: args.algorithm, ..Accept::default() };
    let keys = args.trust.load(&key_sources, &accept, context, report)?;
    // A form that no key can have is no question about any file.
    if keys.iter().all(|key| form.check(key.key.scheme()).is_err()) {
        keys.iter().try_for_each(|key| form.check(key.key.scheme()))?;
    }
    let verifier = Verifier { keys: &keys, form, level, encoding: args.encoding, explain: args.explain };

    let mut lines = Lines::new(report, &keys);
    let mut result = Ok(());
    let mut asked = if args.lists.source().is_some() { sources.len() } else { args.files.len() };
    if args.attached {
        result = attached(&verifier, &sources, output.as_ref(), &progress, &mut lines);
    } else if let Some(list) = &list {
        let plan = manifest::Check {
            list,
            signature: signature_of(list)?,
            named: &sources,
            all: args.files.is_empty() && args.lists.source().is_none(),
            ignore_missing: args.ignore_missing,
            jobs: args.lists.jobs,
        };
        asked = plan.run(&verifier, &progress, &mut lines);
    } else {
        each(args, &verifier, &sources, signature_of, &progress, &mut lines);
    }
    let answer = lines.finish(asked);
    result.and(answer)
}

/// Where the message of a signed message goes.
fn output(args: &Args, path: &Path, context: &Context) -> Result<Destination, Error> {
    // The verdict is there already; a NO would be taken for the message.
    if Destination::names_stdout(path) && (context.voice.json || context.voice.quiet < 2) {
        return Err(Error::MessageOnStdout);
    }
    Destination::new(path, Force::of(args.force), Access::Public)
}

/// Signed messages, which are read whole.
fn attached(
    verifier: &Verifier<'_>,
    sources: &[Source],
    output: Option<&Destination>,
    progress: &Progress,
    lines: &mut Lines<'_>,
) -> Result<(), Error> {
    let mut work = Vec::new();
    for source in sources {
        let entry = verifier.form.describe(Entry::of(source.path()));
        let data = match source.read_list(MAX_ATTACHED_MEBIBYTES, progress) {
            Ok(data) => data,
            Err(e) => {
                lines.error(source, entry, &e);
                continue;
            }
        };
        let Some(Attached { signature, message }) = split(&data) else {
            lines.error(source, entry, &Error::NotAttached(source.to_string()));
            continue;
        };
        let checked = verifier.check_object(&mut work, &signature, source, &mut |piece| {
            piece(message);
            Ok(message.len() as u64)
        });
        let good = matches!(checked, Ok(Checked { verdict: Ok(_), .. }));
        lines.checked(source, entry, checked);
        if let Some(output) = output.filter(|_| good) {
            output.write(message)?;
        }
    }
    Ok(())
}

/// Files that have a signature each.
fn each(
    args: &Args,
    verifier: &Verifier<'_>,
    sources: &[Source],
    signature_of: impl Fn(&Source) -> Result<Source, Error> + Sync,
    progress: &Progress,
    lines: &mut Lines<'_>,
) {
    let threads = args.lists.jobs.threads(sources.len());
    let of_thread = if threads.get() > 1 { Progress::none() } else { progress.clone() };
    let work = |work: &mut Vec<u8>, i: usize| {
        let source: &Source = &sources[i];
        let signature = signature_of(source)?;
        verifier.check(work, &signature, source, &mut |piece| source.stream(&of_thread, piece))
    };
    let mut bar = progress.steps("verifying", sources.len() as u64);
    in_order(threads, sources.len(), Vec::new, work, |i, checked| {
        bar.at(i as u64 + 1);
        let source = &sources[i];
        let entry = Entry::of(source.path());
        let entry =
            if let Ok(signature) = signature_of(source) { entry.path("signature", signature.path()) } else { entry };
        bar.pause(|| lines.checked(source, verifier.form.describe(entry), checked));
        ControlFlow::Continue(())
    });
}

/// What is said about each file, and what it adds up to.
pub struct Lines<'a> {
    report: &'a mut Report,
    keys: &'a [Trusted],
    /// A reader that goes away, or a full disk, does not stop the verdict.
    printing: Result<(), Error>,
    files: usize,
    /// Of these, lists that are good: they are verified on the way to their files.
    lists: usize,
    failed: usize,
    errors: usize,
    good: Tally,
}

impl<'a> Lines<'a> {
    fn new(report: &'a mut Report, keys: &'a [Trusted]) -> Self {
        Self { report, keys, printing: Ok(()), files: 0, lists: 0, failed: 0, errors: 0, good: Tally::default() }
    }

    /// The verdict on a list whose signature is good.
    pub fn list(&mut self, source: &Source, entry: Entry, checked: Result<Checked, Error>) {
        self.lists += 1;
        self.checked(source, entry, checked);
    }

    /// The verdict on one signature.
    pub fn checked(&mut self, source: &Source, entry: Entry, checked: Result<Checked, Error>) {
        match checked {
            Ok(Checked { verdict: Ok(found), .. }) => {
                self.ok(source, entry.set("bytes", found.bytes.into()), found.key, found.yes);
            }
            Ok(Checked { verdict: Err(no), explanation }) => self.failed(source, entry, &no, explanation),
            Err(e) => self.error(source, entry, &e),
        }
    }

    /// Yes, by the key of that number.
    pub fn ok(&mut self, source: &Source, entry: Entry, key: usize, yes: Yes) {
        if !yes.holds() {
            return self.error(source, entry, &Error::Internal("an answer that is none".to_owned()));
        }
        self.files += 1;
        self.good.add(yes);
        let key = &self.keys[key];
        if self.report.voice.quiet == 0 {
            self.say(source, "OK", Tone::Good, &key.name());
        }
        self.report.push(entry.algorithm(key.key.algorithm()).key(&key.fingerprint).ok());
    }

    /// No.
    pub fn failed(&mut self, source: &Source, entry: Entry, no: &No, explanation: Option<Explanation>) {
        self.files += 1;
        self.failed += 1;
        self.say(source, "FAILED", Tone::Bad, &no.words());
        self.report.add_exit(Exit::Negative);
        if let Some(hint) = no.hint() {
            self.report.hint(hint);
        }
        let mut entry = entry.failed(no.reason(), &no.words(), no.hint());
        if let Some(Explanation { text, cause }) = explanation {
            self.report.explain(&format!("{}: {text}", name(source)));
            entry = entry.set("explain", json!([text])).set("cause", cause);
        }
        self.report.push(entry);
    }

    /// No answer.
    pub fn error(&mut self, source: &Source, entry: Entry, e: &Error) {
        self.files += 1;
        self.errors += 1;
        self.say(source, "ERROR", Tone::Bad, &e.about(source));
        self.report.add_exit(e.exit());
        if let Some(hint) = e.hint() {
            self.report.hint(&hint);
        }
        self.report.push(entry.error(e));
    }

    fn say(&mut self, source: &Source, word: &str, tone: Tone, reason: &str) {
        if self.printing.is_ok() {
            self.printing = self.report.answer(&format!("{}: ", name(source)), word, tone, &format!(" ({reason})"));
        }
    }

    /// The sum, where there are several files and not all are good, and the answer to so many questions.
    ///
    /// # Errors
    /// A file has no verdict.
    fn finish(self, asked: usize) -> Result<Answer, Error> {
        let answer = self.good.answer(asked);
        let (files, failed, errors) = (self.files - self.lists, self.failed, self.errors);
        if files > 1 && failed + errors > 0 {
            self.report.note(&format!("verify: of {files} files {failed} FAILED, {errors} ERROR"));
        }
        if let Err(e) = self.printing {
            self.report.stdout_failed("verify", &e);
        }
        if self.report.exit() == Exit::Ok && answer.exit() != Exit::Ok {
            return Err(Error::Internal(format!("{} verdicts on {asked} files", self.files)));
        }
        Ok(answer)
    }
}

/// The name at the beginning of a line.
fn name(source: &Source) -> String {
    match source {
        Source::File(path) => shown(path),
        _ => "-".to_owned(),
    }
}
