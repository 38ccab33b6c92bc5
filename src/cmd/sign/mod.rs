//! `fndsa sign`: one signature for each file, or one for all in a manifest.
//!
//! - `manifest`: signs a list of many files (`-M`)
//! - `file`: writes a signature file, or adds a signature to an existing file
//! - `print_mu`: prints the value that a different signer can sign (`--print-mu`)
//! - `stream`: answers requests from other programs (`--stream`)

mod file;
mod manifest;
mod print_mu;
mod stream;

use crate::tool::context::CommandContext;
use crate::tool::io::{
    Destination, FileInput, Force, Identity, Input, InputSource, is_private_key, obey, read_whole, stdin_once,
};
use crate::tool::keys::loader::{Loader, Private};
use crate::tool::keys::{loader, swapped_files};
use crate::tool::message::dsse::{Dsse, MAX_PAYLOAD_MEBIBYTES, PayloadType, check_schemes};
use crate::tool::options::algorithm::{any_algorithm, parse_encoding};
use crate::tool::options::form::any_format;
use crate::tool::options::heading;
use crate::tool::options::key::KeyArgs;
use crate::tool::options::lists::ListArgs;
use crate::tool::options::message::MessageArgs;
use crate::tool::report::escape::shown;
use crate::tool::report::progress::Progress;
use crate::tool::report::suffix::{ENVELOPE_SUFFIX, SUFFIX, signed_by_name, with_suffix};
use crate::tool::report::{Answer, Entry, Error, Report};
use crate::tool::run::file_batches::Groups;
use crate::tool::run::ordered::{among, in_groups};
use crate::tool::sign::signer::Signer;
use crate::tool::trust::describe::checked_public_key;
use file::{IfThere, SignatureFile};
use fndsa::files::{Accept, Format, Kind, Object, Structure};
use fndsa::verdict::envelope::EnvelopeWriter;
use fndsa::{Algorithm, SignatureEncoding};
use manifest::{ListToSign, ManifestPlan};
use print_mu::{MuLine, MuMaker};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use stream::sign_stream;

/// Options that make no sense with `--stream`, also those that need one of the others: a conflict ends what an option needs.
const NOT_OF_STREAMS: [&str; 15] = [
    "files",
    "files_from",
    "null",
    "output",
    "manifest",
    "recursive",
    "best_before",
    "comments",
    "inline",
    "print_mu",
    "public_key",
    "format",
    "force",
    "add",
    "dsse",
];

/// Options that make no sense with `--dsse`.
const NOT_OF_ENVELOPES: [&str; 6] = ["manifest", "print_mu", "format", "add", "prehashed", "mu"];

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    key: KeyArgs,
    /// Files to sign; fndsa writes each signature to FILE.sig
    ///
    /// `-` reads the message from standard input and writes the signature to standard output.
    #[arg(required_unless_present_any = ["files_from", "recursive", "stream"], value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    lists: ListArgs,
    /// Write the signature to this file, if there is one FILE
    ///
    /// `-` writes the signature to standard output.
    #[arg(short, long, value_name = "FILE", help_heading = heading::OUTPUT)]
    output: Option<PathBuf>,
    /// Algorithm of the private key, if the file does not name it (see `fndsa help algorithms`)
    ///
    /// A raw Falcon key looks like a raw fn-dsa-2024 key. Without this option, fndsa uses it as a Falcon key.
    #[arg(short, long, value_name = "NAME", value_parser = any_algorithm(), help_heading = heading::KEYS,
        hide_short_help = true, hide_possible_values = true)]
    algorithm: Option<Algorithm>,
    /// Format of the signature file
    #[arg(long, value_name = "FORMAT", default_value = "pem", value_parser = any_format(), help_heading = heading::OUTPUT,
        hide_short_help = true)]
    format: Format,
    /// Encoding of a Falcon signature [default: padded]
    #[arg(long, value_name = "NAME", value_parser = parse_encoding(), help_heading = heading::EXPERT,
        hide_short_help = true)]
    encoding: Option<SignatureEncoding>,
    #[command(flatten)]
    message: MessageArgs,
    /// Sign without randomness, so that the signature is always the same (ML-DSA only)
    ///
    /// Randomized signatures, the default, are safer if the machine computes wrongly.
    #[arg(long, conflicts_with = "print_mu", help_heading = heading::EXPERT, hide_short_help = true)]
    deterministic: bool,
    #[command(flatten)]
    list: ListToSign,
    /// Write a DSSE envelope with a payload of this type to FILE.dsse
    ///
    /// The envelope contains the file, its type and the signatures. Programs of the in-toto project read envelopes; the type of
    /// their statements is application/vnd.in-toto+json. FILE has at most 32 MiB.
    #[arg(long, value_name = "TYPE", conflicts_with_all = NOT_OF_ENVELOPES, help_heading = heading::MESSAGE,
        hide_short_help = true)]
    dsse: Option<PayloadType>,
    /// Print the external mu of each FILE instead of signing it
    ///
    /// Another signer, such as a key management service, can sign the mu. A public key is enough for this option. With several FILEs
    /// each line ends with the file name.
    #[arg(long, conflicts_with_all = ["output", "manifest", "mu", "format", "encoding", "force"],
        help_heading = heading::EXPERT, hide_short_help = true)]
    print_mu: bool,
    /// Public key for --print-mu
    #[arg(short, long, alias = "pubkey", value_name = "FILE",
        conflicts_with_all = ["key", "key_env"], help_heading = heading::EXPERT, hide_short_help = true)]
    public_key: Option<PathBuf>,
    /// Read requests from standard input and sign what they name: one JSON object per line
    ///
    /// fndsa answers each request with one line on standard output, in the same order. See `fndsa/stream@1` in docs/json.md.
    #[arg(long, conflicts_with_all = NOT_OF_STREAMS, help_heading = heading::EXPERT, hide_short_help = true)]
    stream: bool,
    /// Add a signature to an existing signature file
    #[arg(long, conflicts_with_all = ["manifest", "print_mu", "stream"], help_heading = heading::SEVERAL)]
    add: bool,
    /// Replace existing files
    ///
    /// With --add, replace only the signatures that name the same key.
    #[arg(short, long, help_heading = heading::OUTPUT)]
    force: bool,
}

/// Runs the command: everything is parsed and the key is loaded before the first file is read;
/// then one file's error does not stop the others.
///
/// # Errors
/// Whatever stops the work on all files.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<Answer, Error> {
    if args.stream && context.voice.json {
        return Err(Error::JsonStream);
    }
    if args.add && args.format == Format::Raw {
        return Err(Error::AddRaw);
    }
    if args.add && args.output.as_deref().is_some_and(Destination::names_stdout) {
        return Err(Error::AddToStdout);
    }
    let progress = Progress::new(context.voice);
    let key_sources = match &args.public_key {
        Some(path) => vec![InputSource::from_arg(path)],
        None if args.stream => vec![args.key.source("--stream")?],
        None if args.print_mu => vec![args.key.source("--print-mu")?],
        None => args.key.sources()?,
    };
    if key_sources.len() > 1 && args.format == Format::Raw {
        return Err(Error::OneKey("--format raw"));
    }
    let password = args.key.password_source()?;
    let secrets: Vec<_> = key_sources.iter().chain(&password).cloned().collect();
    let others = [password, args.message.context_source(), args.lists.source()];
    let others: Vec<_> = key_sources.iter().cloned().chain(others.into_iter().flatten()).collect();
    let named: Vec<_> = args.files.iter().map(|file| InputSource::from_arg(file)).collect();
    let requests = args.stream.then_some(InputSource::Stdin);
    stdin_once(named.iter().chain(&others).chain(&requests))?;
    let gathered = args.list.gather(report)?;
    let sources = match &gathered {
        Some(gathered) => gathered.sources(),
        None => args.lists.sources(named, &progress)?,
    };
    if args.output.is_some() && sources.len() > 1 {
        return Err(Error::OneInput { option: "--output", given: sources.len() });
    }
    let plan = ManifestPlan::new(&args.list, &sources, gathered)?;
    match &plan {
        Some(plan) => plan.refuse_inputs(&others)?,
        None if args.print_mu => {}
        None => check_outputs(args, context, &sources, &others)?,
    }
    let level = context.level()?;
    let form = args.message.form(context.weak)?;
    let named = args.message.names_prehash();
    let accept = Accept { algorithm: args.algorithm, ..Accept::default() };

    let print_mu = |maker: MuMaker, report: &mut Report| {
        maker.print(&sources, args.mu_line(&sources), args.lists.jobs, &progress, report).map(Answer::from)
    };
    if let (Some(_), [key_source]) = (&args.public_key, &key_sources[..]) {
        args.key.refuse_password(report)?;
        let object = Loader::new(accept, context.weak).only(key_source, Kind::VerifyingKey)?;
        if object.is_in(Structure::Certificate) {
            report.note(&format!("note: {}", loader::CERTIFICATE_NOTE));
            report.add_warning(loader::CERTIFICATE_NOTE);
        }
        let form = form.bound(named, [object.prehash()])?;
        let key = checked_public_key(&object, key_source)?.key;
        let key = key.borrowed();
        return print_mu(MuMaker::new(level, key.algorithm(), key.key_hash(level), form)?, report);
    }
    let objects = args.key.load(&key_sources, &accept, context.weak, report)?;
    let form = form.bound(named, objects.iter().map(Object::prehash))?;
    let check = |(object, source)| Private::check(level, object, source);
    let private = objects.iter().zip(&key_sources).map(check).collect::<Result<Vec<_>, _>>()?;
    let protected = Protected::of(&secrets);
    sources.iter().try_for_each(|source| protected.refuse(source))?;
    if let (true, [private]) = (args.print_mu, &private[..]) {
        return print_mu(MuMaker::new(level, private.key.algorithm(), private.key.key_hash(), form)?, report);
    }
    key_sources.iter().for_each(|source| loader::warn_if_open(source, report));
    let format = if args.stream || args.dsse.is_some() { Format::Raw } else { args.format };
    let signer = Signer::new(&private, level, form, format, args.encoding)?;
    let signer = if args.deterministic { signer.deterministic()? } else { signer };
    if args.dsse.is_some() {
        check_schemes(signer.schemes())?;
    }
    if args.stream {
        return sign_stream(&signer, &protected, args.lists.jobs.threads(usize::MAX), report);
    }
    let done = match plan {
        Some(plan) => plan.sign(&signer, args.force(), args.lists.jobs, &progress, report),
        None => sign_each(args, &signer, &sources, &progress, report),
    };
    done.map(Answer::from)
}

impl Args {
    fn force(&self) -> Force {
        Force::of(self.force)
    }

    /// Returns what becomes of a signature file that is there.
    fn mode(&self) -> IfThere {
        match (self.add, self.force) {
            (true, false) => IfThere::Add,
            (true, true) => IfThere::Renew,
            (false, _) => IfThere::Write(self.force()),
        }
    }

    /// Returns what stands on a line of `--print-mu`: no name if exactly one file is given, and as an argument.
    fn mu_line(&self, sources: &[InputSource]) -> MuLine {
        if sources.len() == 1 && self.lists.source().is_none() { MuLine::Alone } else { MuLine::Named }
    }

    /// Returns where the signature of an input goes.
    fn output(&self, source: &InputSource) -> PathBuf {
        match (&self.output, source) {
            (Some(path), _) => path.clone(),
            (None, InputSource::File(path) | InputSource::Descriptor(path)) => {
                with_suffix(path, if self.dsse.is_some() { ENVELOPE_SUFFIX } else { SUFFIX })
            }
            (None, _) => PathBuf::from("-"),
        }
    }
}

/// The files of the private keys and of their password, which are no messages: `sign *` in the directory of the key.
struct Protected(BTreeSet<Identity>);

impl Protected {
    fn of(secrets: &[InputSource]) -> Self {
        Self(secrets.iter().filter_map(InputSource::identity).collect())
    }

    /// Fails if a message is one of the files, under any name.
    fn refuse(&self, source: &InputSource) -> Result<(), Error> {
        let is_secret = !self.0.is_empty() && source.identity().is_some_and(|it| self.0.contains(&it));
        if is_secret { Err(Error::KeyAsMessage(source.to_string())) } else { Ok(()) }
    }
}

/// Returns the error of a file whose signature has no place. If the file itself is missing, that is the cause.
fn cause(e: Error, source: &InputSource) -> Error {
    let InputSource::File(path) = source else { return e };
    match std::fs::metadata(path) {
        Err(missing) if missing.kind() == ErrorKind::NotFound => Error::io(source, missing),
        _ => e,
    }
}

/// Refuses outputs that are inputs, of any of the files, or of two of them, and two results on one standard output.
fn check_outputs(
    args: &Args,
    context: &CommandContext,
    sources: &[InputSource],
    others: &[InputSource],
) -> Result<(), Error> {
    let inputs: BTreeSet<Identity> = sources.iter().chain(others).filter_map(InputSource::identity).collect();
    let outputs: Vec<_> = sources.iter().map(|source| args.output(source)).collect();
    Destination::refuse_twice(outputs.iter().map(PathBuf::as_path))?;
    for output in outputs {
        if Destination::identity(&output).is_some_and(|it| inputs.contains(&it)) {
            return Err(match signed_by_name(&output).filter(|_| args.output.is_none()) {
                Some(file) => Error::SignatureAsInput { signature: output, file },
                None => Error::OutputIsInput(output),
            });
        }
        if context.voice.json && Destination::names_stdout(&output) {
            return Err(Error::JsonOnStdout);
        }
    }
    Ok(())
}

/// Signs each file.
fn sign_each(
    args: &Args,
    signer: &Signer<'_>,
    sources: &[InputSource],
    progress: &Progress,
    report: &mut Report,
) -> Result<(), Error> {
    let destination = |source: &InputSource| {
        SignatureFile::new(&args.output(source), args.mode(), signer).map_err(|e| cause(e, source))
    };
    let destinations: Vec<_> = sources.iter().map(destination).collect();
    if args.format == Format::Raw {
        destinations.iter().flatten().try_for_each(SignatureFile::refuse_terminal)?;
    }
    let threads = args.lists.jobs.threads(sources.len());
    let of_thread = if threads.get() > 1 { Progress::none() } else { progress.clone() };
    let work = |work: &mut Vec<u8>, group: Range<usize>| -> Vec<Result<u64, Error>> {
        // A file whose signature cannot be written is not read.
        let input = |i: usize| match &destinations[i] {
            Ok(_) => Ok(FileInput::new(&sources[i], &of_thread)),
            Err(_) => Err(()),
        };
        let signed = among(group.clone().map(input).collect(), |mut inputs| {
            if let Some(payload_type) = &args.dsse {
                let format = Dsse { payload_type };
                let sign = |input: &mut FileInput<'_>| {
                    let covered = format.cover(read_whole(input, MAX_PAYLOAD_MEBIBYTES)?);
                    signer.sign_envelope(work, &format, &covered, input.name())
                };
                return inputs.iter_mut().map(sign).collect();
            }
            let mut messages = Vec::with_capacity(inputs.len());
            messages.extend(inputs.iter_mut().map(|input| (signer.form(), input as &mut dyn Input)));
            signer.sign_together(work, &mut messages)
        });
        let files = group.zip(signed).map(|(i, signed)| {
            let (Ok(destination), Ok(signed)) = (&destinations[i], signed) else { return Ok(0) };
            let signed = signed.map_err(|e| swapped_files::of_input(e, &sources[i]))?;
            obey();
            destination.write(&signed)?;
            Ok(signed.bytes)
        });
        files.collect()
    };
    let len = |i: usize| sources[i].file_len();
    let mut bar = progress.steps("signing", sources.len() as u64);
    let mut result = Ok(());
    let mut due = sources.len();
    let mut written = 0;
    in_groups(threads, Groups::new(sources.len(), threads, len), Vec::new, work, |i, signed| {
        due -= 1;
        bar.at(i as u64 + 1);
        let source = &sources[i];
        let output = args.output(&sources[i]);
        let entry = signer.describe(Entry::of(source.path()).path("output", &output));
        let entry = match &args.dsse {
            Some(payload_type) => entry.set("payload_type", json!(payload_type.to_string())),
            None => entry,
        };
        let refused = destinations[i].as_ref().err();
        bar.pause(|| match (refused, signed) {
            (Some(e), _) => report.file_error(entry, e),
            (None, Ok(bytes)) => {
                // A program before this one in the pipe has failed, likely.
                if bytes == 0 && source.identity().is_none() {
                    report.warn(&format!("{source} was empty: the program that provides this input may have failed"));
                }
                if is_other_key(source) {
                    report.warn(&format!("{source}: the signed file is a private key; keep it secret"));
                }
                report.detail(&signed_line(signer, source, &output, bytes));
                written += usize::from(Destination::names_file(&output));
                report.push(entry.set("bytes", bytes.into()).ok());
            }
            (None, Err(e @ Error::Stdout(_))) => result = Err(e),
            (None, Err(e)) => report.file_error(entry, &e),
        });
        if result.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    note_written(args, sources, written, report);
    result?;
    if due > 0 {
        return Err(Error::Internal(format!("{due} files have neither a signature nor an error")));
    }
    Ok(())
}

/// Names the signature file that was written, or the number of signature files.
fn note_written(args: &Args, sources: &[InputSource], written: usize, report: &Report) {
    match (sources, written) {
        (_, 0) => {}
        ([source], _) => report.note(&format!("wrote {}", shown(args.output(source)))),
        (_, count) => {
            let what = if args.dsse.is_some() { "envelope" } else { "signature file" };
            report.note(&format!("wrote {count} {what}{}", if count == 1 { "" } else { "s" }));
        }
    }
}

/// Returns whether a file that was signed is a private key, for a file with a name that keys have.
fn is_other_key(source: &InputSource) -> bool {
    let InputSource::File(path) = source else { return false };
    let endings = ["key", "pem", "p8", "der"];
    let may_be_key = path.extension().is_some_and(|ending| endings.iter().any(|it| ending == *it));
    may_be_key && is_private_key(path)
}

fn signed_line(signer: &Signer<'_>, source: &InputSource, output: &Path, bytes: u64) -> String {
    format!("{source}: signed by {} ({}), {bytes} bytes -> {}", signer.names(), signer.level(), shown(output))
}
