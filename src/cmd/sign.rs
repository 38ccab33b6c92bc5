//! `fndsa sign`: one signature for each file.

use super::Context;
use super::armor::{self, Format, Kind};
use super::escape::shown;
use super::io::{Access, Destination, Force, Source, stdin_once};
use super::json::Entry;
use super::keygen::with_suffix;
use super::keys::{KeyArgs, Private, note};
use super::message::{MessageArgs, MessageForm};
use super::progress::Progress;
use super::report::{Error, Report, algorithm};
use fndsa::{Level, Mu, SignError};
use getrandom::SysRng;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    key: KeyArgs,
    /// Files to sign, `-` for standard input; each signature goes to FILE.sig
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The signature goes here instead, `-` for standard output (one FILE)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Form of the signature
    #[arg(long, value_enum, default_value_t = Format::Pem)]
    format: Format,
    #[command(flatten)]
    message: MessageArgs,
    /// Replace existing signatures
    #[arg(short, long)]
    force: bool,
}

/// One file to sign.
struct Job {
    source: Source,
    output: PathBuf,
    destination: Result<Destination, Error>,
}

/// What all files share.
struct Signer<'a> {
    private: Private<'a>,
    form: MessageForm,
    format: Format,
    level: Level,
    progress: Progress,
    work: Vec<u8>,
}

impl Signer<'_> {
    /// The contents of a signature file and the bytes read.
    fn sign(&mut self, source: &Source) -> Result<(Vec<u8>, u64), Error> {
        let (mus, bytes) = self.form.read(self.level, source, &[self.private.key.key_hash()], &self.progress)?;
        let signature = sign_mu(&self.private, self.level, &mus[0], &mut self.work)?;
        let note = note(Kind::Signature, self.private.key.degree(), &self.private.fingerprint);
        Ok((armor::write(Kind::Signature, self.format, &note, &signature).to_vec(), bytes))
    }
}

/// One signature with the system's randomness. The library has verified it.
///
/// # Errors
/// The system has no randomness, or the machine errs.
pub fn sign_mu(private: &Private<'_>, level: Level, mu: &Mu, work: &mut Vec<u8>) -> Result<Vec<u8>, Error> {
    let degree = private.key.degree();
    let mut signature = vec![0; degree.signature_len()];
    work.resize(degree.sign_work_len(), 0);
    private
        .key
        .sign(level, mu, &mut SysRng, &mut signature, work)
        .map_err(|e: SignError<_>| Error::Internal(e.to_string()))?;
    Ok(signature)
}

/// Runs the command: everything is parsed and the key is loaded before the first file is read;
/// then one file's error does not stop the others.
///
/// # Errors
/// What stops all of them.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    if args.output.is_some() && args.files.len() > 1 {
        return Err(Error::OneInput { option: "--output", given: args.files.len() });
    }
    let sources: Vec<_> = args.files.iter().map(|file| Source::from_arg(file)).collect();
    let key_source = args.key.source()?;
    let others = [Some(key_source.clone()), args.key.password_source()?, args.message.context_source()];
    stdin_once(sources.iter().chain(others.iter().flatten()))?;
    let force = if args.force { Force::Yes } else { Force::No };
    let outputs = sources.iter().map(|source| output(args.output.as_deref(), source));
    let jobs: Vec<_> = sources.iter().cloned().zip(outputs).collect();
    for (source, output) in &jobs {
        Destination::refuse_inputs(output, others.iter().flatten().chain([source]))?;
        if context.voice.json && Destination::names_stdout(output) {
            return Err(Error::JsonOnStdout);
        }
    }
    let level = context.level()?;
    let form = args.message.form()?;
    let object = args.key.load(&key_source, context.weak)?;
    let private = Private::check(level, &object, &key_source)?;

    let jobs: Vec<_> = jobs
        .into_iter()
        .map(|(source, output)| {
            let destination = Destination::new(&output, force, Access::Public);
            Job { source, output, destination }
        })
        .collect();
    if args.format == Format::Raw {
        jobs.iter().filter_map(|job| job.destination.as_ref().ok()).try_for_each(Destination::refuse_terminal)?;
    }

    let progress = Progress::new(context.voice);
    let mut signer = Signer { private, form, format: args.format, level, progress, work: Vec::new() };
    for job in jobs {
        let entry = Entry::of(job.source.path()).path("output", &job.output);
        let entry = signer.form.describe(entry.algorithm(object.degree).key(&signer.private.fingerprint));
        let result = job.destination.and_then(|destination| {
            let (file, bytes) = signer.sign(&job.source)?;
            destination.write(&file)?;
            Ok(bytes)
        });
        match result {
            Ok(bytes) => {
                report.detail(&format!(
                    "{}: signed by {} {} ({level}), {bytes} bytes -> {}",
                    job.source,
                    algorithm(object.degree),
                    signer.private.fingerprint,
                    shown(&job.output)
                ));
                report.push(entry.set("bytes", bytes.into()).ok());
            }
            Err(e @ Error::Stdout(_)) => return Err(e),
            Err(e) => report.file_error(entry, &e),
        }
    }
    Ok(())
}

/// Where the signature of an input goes.
fn output(option: Option<&Path>, source: &Source) -> PathBuf {
    match (option, source) {
        (Some(path), _) => path.to_owned(),
        (None, Source::File(path)) => with_suffix(path, ".sig"),
        (None, _) => PathBuf::from("-"),
    }
}
