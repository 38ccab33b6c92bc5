//! `fndsa verify`: one verdict for each file.
//!
//! - `enclosed`: verifies files that contain their signatures (`--attached`, `--dsse`)
//! - `manifest`: verifies a signed list and the files in it (`-M`)
//! - `stream`: answers requests from other programs (`--stream`)

mod enclosed;
mod manifest;
mod stream;

use crate::tool::context::CommandContext;
use crate::tool::io::{Destination, FileInput, InputSource, stdin_once};
use crate::tool::keys::signature_file::Signatures;
use crate::tool::message::dsse::PayloadType;
use crate::tool::options::algorithm::{any_algorithm, parse_encoding};
use crate::tool::options::heading;
use crate::tool::options::lists::ListArgs;
use crate::tool::options::message::MessageArgs;
use crate::tool::options::trust::TrustArgs;
use crate::tool::report::escape::pasted;
use crate::tool::report::progress::Progress;
use crate::tool::report::suffix::with_suffix;
use crate::tool::report::{Answer, Entry, Error, Report};
use crate::tool::run::file_batches::Groups;
use crate::tool::run::ordered::in_groups;
use crate::tool::system::parse;
use crate::tool::trust::clock::Clock;
use crate::tool::trust::describe::key_terms_value;
use crate::tool::verify::lines::Lines;
use crate::tool::verify::verifier::{Asked, Verifier};
use enclosed::{EnclosedCheck, Enclosing, output};
use fndsa::files::{Accept, Date};
use fndsa::verdict::{Policy, TrustedKey};
use fndsa::{Algorithm, SignatureEncoding};
use manifest::{ListToVerify, ManifestCheck};
use serde_json::json;
use std::io::Read;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use stream::verify_stream;

/// Options that make no sense with `--stream`, also those that need one of the others: a conflict ends what an option needs.
const NOT_OF_STREAMS: [&str; 12] = [
    "files",
    "files_from",
    "null",
    "signature",
    "attached",
    "output",
    "force",
    "manifest",
    "directory",
    "strict",
    "ignore_missing",
    "dsse",
];

/// Options that make no sense where the signatures are in FILE.
const NOT_OF_ENCLOSED: [&str; 5] = ["signature", "manifest", "prehashed", "mu", "jobs"];

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    trust: TrustArgs,
    /// Files to verify; the signature of each file is in FILE.sig
    ///
    /// `-` reads the message from standard input.
    #[arg(required_unless_present_any = ["files_from", "manifest", "stream"], value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    lists: ListArgs,
    /// Algorithm of the public keys, if a file does not name it (see `fndsa help algorithms`)
    ///
    /// A raw Falcon key looks like a raw fn-dsa-2024 key. Without this option, fndsa uses it as a Falcon key. falcon-rs-512 and
    /// falcon-rs-1024 use Falcon keys and are never chosen without this option.
    #[arg(short, long, value_name = "NAME", value_parser = any_algorithm(), help_heading = heading::KEYS,
        hide_short_help = true, hide_possible_values = true)]
    algorithm: Option<Algorithm>,
    /// Signature file of the only FILE or of the list
    #[arg(short, long, alias = "sig", value_name = "FILE", help_heading = heading::MESSAGE)]
    signature: Option<PathBuf>,
    /// Accept only Falcon signatures in this encoding [default: all]
    ///
    /// Anybody can convert a valid signature to another encoding.
    #[arg(long, value_name = "NAME", value_parser = parse_encoding(), help_heading = heading::EXPERT,
        hide_short_help = true)]
    encoding: Option<SignatureEncoding>,
    /// Verify signed messages: each FILE contains a signature and its message (Falcon only)
    ///
    /// This is the format of the programs in NIST's process.
    #[arg(long, group = "enclosed", conflicts_with_all = NOT_OF_ENCLOSED, help_heading = heading::EXPERT,
        hide_short_help = true)]
    attached: bool,
    /// Verify DSSE envelopes with a payload of this type
    ///
    /// Programs of the in-toto project write envelopes; the type of their statements is application/vnd.in-toto+json. An envelope
    /// has at most 64 MiB and 64 signatures.
    #[arg(long, value_name = "TYPE", group = "enclosed", conflicts_with_all = NOT_OF_ENCLOSED,
        help_heading = heading::MESSAGE, hide_short_help = true)]
    dsse: Option<PayloadType>,
    /// Write the verified message or payload to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE", help_heading = heading::OUTPUT, hide_short_help = true)]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(short, long, help_heading = heading::OUTPUT, hide_short_help = true)]
    force: bool,
    #[command(flatten)]
    message: MessageArgs,
    #[command(flatten)]
    list: ListToVerify,
    /// Use this day as today for the days in key lines and lists
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = heading::POLICY, hide_short_help = true)]
    at: Option<Date>,
    /// Find out why a signature does not match
    ///
    /// fndsa tries other options and keys. This is slower and does not change the verdict.
    #[arg(long, help_heading = heading::OUTPUT)]
    explain: bool,
    /// Read requests from standard input and verify what they name: one JSON object per line
    ///
    /// fndsa answers each request with one line on standard output, in the same order. See `fndsa/stream@1` in docs/json.md.
    #[arg(long, conflicts_with_all = NOT_OF_STREAMS, help_heading = heading::EXPERT, hide_short_help = true)]
    stream: bool,
}

impl Args {
    /// Returns whether the signatures are in the files.
    fn encloses(&self) -> bool {
        self.attached || self.dsse.is_some()
    }
}

/// Runs the command. Every file gets its line, in order, when it is decided. The answer is YES if as many were found
/// good as the arguments ask for, which is counted apart from what is said about them.
///
/// # Errors
/// Whatever stops the work on all files.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<Answer, Error> {
    if args.stream && context.voice.json {
        return Err(Error::JsonStream);
    }
    let progress = Progress::new(context.voice);
    let key_sources = args.trust.sources()?;
    let named: Vec<_> = args.files.iter().map(|file| InputSource::from_arg(file)).collect();
    let list = args.list.source();
    let signature = args.signature.as_deref().map(InputSource::from_arg);
    let requests = args.stream.then_some(InputSource::Stdin);
    let others = [&signature, &list, &args.lists.source(), &args.message.context_source(), &requests];
    stdin_once(key_sources.iter().chain(&named).chain(others.into_iter().flatten()))?;
    let sources = args.lists.sources(named, &progress)?;
    if signature.is_some() && list.is_none() && sources.len() > 1 {
        return Err(Error::OneInput { option: "--signature", given: sources.len() });
    }
    let signature_of = |source: &InputSource| match (&signature, source) {
        (Some(signature), _) => Ok(signature.clone()),
        _ if args.encloses() => Ok(source.clone()),
        (None, InputSource::File(path) | InputSource::Descriptor(path)) => {
            Ok(InputSource::File(with_suffix(path, ".sig")))
        }
        (None, _) => Err(Error::StdinSignature),
    };
    if list.is_none() {
        sources.iter().filter(|source| **source == InputSource::Stdin).try_for_each(|it| signature_of(it).map(drop))?;
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
    let form = args.message.form(context.weak)?;
    let accept = Accept { algorithm: args.algorithm, ..Accept::default() };
    let keys = args.trust.load(&key_sources, accept, args.lists.jobs, context, report)?;
    let form = form.bound(args.message.names_prehash(), keys.iter().map(|key| key.terms.prehash))?;
    // A form that no key can have is an error of the command line, and no question about any file.
    if keys.iter().all(|key| form.check(key.algorithm()).is_err()) {
        keys.iter().try_for_each(|key| form.check(key.algorithm()))?;
    }
    describe_trusted(&keys, report);
    let clock = Clock::of(args.at);
    let verifier = Verifier {
        policy: Policy { encoding: args.encoding, ..args.trust.policy(&keys)? },
        form,
        level,
        clock,
        explain: args.explain,
    };
    if args.stream {
        return verify_stream(&verifier, args.lists.jobs.threads(usize::MAX), report);
    }

    let mut lines = Lines::new(report, &verifier);
    let mut result = Ok(());
    let mut asked = if args.lists.source().is_some() { sources.len() } else { args.files.len() };
    if args.encloses() {
        let enclosing = args.dsse.as_ref().map_or(Enclosing::Attached, Enclosing::Dsse);
        let check = EnclosedCheck { verifier: &verifier, enclosing, output: output.as_ref(), progress: &progress };
        result = check.run(&sources, &mut lines);
    } else if let Some(list) = &list {
        let check = ManifestCheck {
            list,
            signature: signature.clone(),
            tree: args.list.tree()?,
            named: &sources,
            all: args.files.is_empty() && args.lists.source().is_none(),
            options: &args.list,
            jobs: args.lists.jobs,
        };
        asked = check.run(&verifier, &progress, &mut lines);
    } else {
        each(args, &verifier, &sources, signature_of, &progress, &mut lines);
    }
    let answer = lines.finish(asked);
    result.and(answer)
}

/// Lists the trusted keys with their key lines, if `-v` is given.
fn describe_trusted(keys: &[TrustedKey], report: &mut Report) {
    if !report.voice.verbose {
        return;
    }
    for key in keys {
        let terms = key.terms.words();
        let comma = if terms.is_empty() { "" } else { ", " };
        report.detail(&format!("{}: {}{comma}{terms}", key.from, key.public.name()));
    }
    let value = |key: &TrustedKey| {
        json!({
            "from": key.from,
            "algorithm": key.algorithm().to_string(),
            "fingerprint": key.public.fingerprint,
            "expected": key.expected,
            "terms": key_terms_value(&key.terms),
        })
    };
    report.set("trusted_keys", keys.iter().map(value).collect());
}

/// Verifies files that have a signature each.
fn each(
    args: &Args,
    verifier: &Verifier<'_>,
    sources: &[InputSource],
    signature_of: impl Fn(&InputSource) -> Result<InputSource, Error> + Sync,
    progress: &Progress,
    lines: &mut Lines<'_>,
) {
    let threads = args.lists.jobs.threads(sources.len());
    let of_thread = if threads.get() > 1 { Progress::none() } else { progress.clone() };
    let work = |work: &mut Vec<u8>, group: Range<usize>| {
        let asked = sources[group].iter().map(|source: &InputSource| {
            let signatures = Signatures::load(&signature_of(source)?, source)?;
            Ok(Asked { form: &verifier.form, signatures, input: Box::new(FileInput::new(source, &of_thread)) })
        });
        verifier.check_together(work, asked.collect())
    };
    let len = |i: usize| signature_of(&sources[i]).ok()?.file_len().and(sources[i].file_len());
    let mut bar = progress.steps("verifying", sources.len() as u64);
    in_groups(threads, Groups::of_threads(sources.len(), threads, len), Vec::new, work, |i, checked| {
        bar.at(i as u64 + 1);
        let source = &sources[i];
        let entry = Entry::of(source.path());
        let signature = signature_of(source).ok();
        let entry = match &signature {
            Some(signature) => entry.path("signature", signature.path()),
            None => entry,
        };
        let is_yes = matches!(&checked, Ok(verdict) if verdict.found().is_some());
        let list = if is_yes && is_list(source) { Some(not_checked(source)) } else { None };
        let entry = match &list {
            Some(note) => entry.set("note", json!(note)),
            None => entry,
        };
        bar.pause(|| lines.checked(source, signature.as_ref(), verifier.form.describe(entry), checked));
        if let Some(note) = &list {
            bar.pause(|| lines.note(&format!("note: {source}: {note}")));
        }
        ControlFlow::Continue(())
    });
}

/// Bytes at the beginning of a file that show whether the file is a list of checksums.
const HEAD_LEN: usize = 4096;

/// Returns whether a file is a list of checksums, judged by the whole lines at its beginning.
fn is_list(source: &InputSource) -> bool {
    // Only a regular file can be read again.
    let (InputSource::File(path), Some(_)) = (source, source.file_len()) else { return false };
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(HEAD_LEN as u64).read_to_end(&mut head));
    if read.is_err() {
        return false;
    }
    if head.len() == HEAD_LEN {
        head.truncate(head.iter().rposition(|b| *b == b'\n').map_or(0, |end| end + 1));
    }
    parse(&head).is_ok_and(|list| !list.files.is_empty())
}

/// Returns the note on a list that was verified as a file.
fn not_checked(source: &InputSource) -> String {
    let path = pasted(source.path());
    format!("this is a list of checksums; its files were not checked: `fndsa verify -M {path}` checks the files, too")
}
