//! `fndsa verify`: one verdict for each file.

use super::Context;
use super::armor::Kind;
use super::io::{Source, stdin_once};
use super::json::Entry;
use super::keygen::with_suffix;
use super::keys::{self, Public, variable};
use super::message::{MessageArgs, MessageForm};
use super::progress::Progress;
use super::report::{Error, Exit, Report, Tone, algorithm};
use fndsa::{Degree, KeyHash, Level, VerifyError};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Public key; any of several may match [env: FNDSA_PUBLIC_KEY]
    #[arg(short, long = "public-key", value_name = "FILE")]
    public_keys: Vec<PathBuf>,
    /// Files to verify, `-` for standard input; each signature is expected in FILE.sig
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The signature is here instead (one FILE)
    #[arg(short, long, value_name = "FILE")]
    signature: Option<PathBuf>,
    /// Accept only the key with this fingerprint
    #[arg(long, value_name = "sha256:HEX", value_parser = parse_fingerprint)]
    expect_key: Option<String>,
    #[command(flatten)]
    message: MessageArgs,
}

/// A fingerprint as it is printed, in lower case.
fn parse_fingerprint(text: &str) -> Result<String, &'static str> {
    let digits = text.strip_prefix("sha256:").ok_or("a fingerprint is sha256: and 64 hexadecimal digits")?;
    match super::json::from_hex(digits.as_bytes()) {
        Ok(bytes) if bytes.len() == 32 => Ok(text.to_ascii_lowercase()),
        _ => Err("a fingerprint is sha256: and 64 hexadecimal digits"),
    }
}

/// The answer NO. One row each: words, reason code, hint.
enum No {
    /// No given key has the expected fingerprint.
    Unexpected,
    /// No given key has the degree of the signature.
    Degree { signature: Degree, keys: Vec<Degree> },
    /// The coefficients are not encoded canonically.
    Encoding,
    /// It does not match.
    Mismatch { several: bool, plain: bool },
}

impl No {
    fn words(&self) -> String {
        match self {
            Self::Unexpected => "no given key has the expected fingerprint".to_owned(),
            Self::Degree { signature, keys } => {
                let keys: Vec<_> = keys.iter().map(|degree| algorithm(*degree)).collect();
                format!("the signature is {}, the key {}", algorithm(*signature), keys.join(" or "))
            }
            Self::Encoding => "the signature is malformed".to_owned(),
            Self::Mismatch { several: false, .. } => "signature does not match the file and the key".to_owned(),
            Self::Mismatch { several: true, .. } => "signature does not match the file and any of the keys".to_owned(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Unexpected => "unexpected_key",
            Self::Degree { .. } => "algorithm_mismatch",
            Self::Encoding => "signature_malformed",
            Self::Mismatch { .. } => "signature_mismatch",
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unexpected => Some("compare it with the fingerprint that `fndsa inspect` prints for the key"),
            Self::Degree { .. } => Some("give the public key of the signer"),
            Self::Encoding => None,
            Self::Mismatch { plain: true, .. } => {
                Some("if it was signed with a context or a pre-hash, give the same --context and --prehash")
            }
            Self::Mismatch { plain: false, .. } => {
                Some("is it the context, and the pre-hash, that it was signed with?")
            }
        }
    }
}

/// What all files share.
struct Verifier<'a> {
    keys: &'a [Public<'a>],
    expected: Vec<usize>,
    form: MessageForm,
    level: Level,
    progress: Progress,
}

/// The verdict on one file: the number of the key that matches, the bytes read.
type Verdict = Result<(usize, u64), No>;

impl Verifier<'_> {
    /// The algorithm comes from the keys; the signature can only agree.
    fn verify(&self, source: &Source, signature: &Source) -> Result<Verdict, Error> {
        let signature = keys::load(signature, Kind::Signature, keys::AllowWeak(true))?;
        let of_degree: Vec<usize> =
            self.expected.iter().copied().filter(|i| self.keys[*i].key.degree() == signature.degree).collect();
        if self.expected.is_empty() {
            return Ok(Err(No::Unexpected));
        }
        if of_degree.is_empty() {
            let mut keys: Vec<_> = self.expected.iter().map(|i| self.keys[*i].key.degree()).collect();
            keys.dedup();
            return Ok(Err(No::Degree { signature: signature.degree, keys }));
        }
        let hashes: Vec<KeyHash> = of_degree.iter().map(|i| self.keys[*i].key.key_hash(self.level)).collect();
        let (mus, bytes) = self.form.read(self.level, source, &hashes, &self.progress)?;
        let mut work = vec![0; signature.degree.verify_work_len()];
        let mut no = No::Mismatch { several: of_degree.len() > 1, plain: self.form.is_plain() };
        for (i, mu) in of_degree.iter().zip(&mus) {
            match self.keys[*i].key.verify(self.level, mu, &signature.bytes, &mut work) {
                Ok(()) => return Ok(Ok((*i, bytes))),
                Err(VerifyError::Work(e)) => return Err(Error::Internal(e.to_string())),
                Err(VerifyError::Mismatch) => {}
                Err(_) => no = No::Encoding,
            }
        }
        Ok(Err(no))
    }
}

/// Runs the command. Every file gets its line, in order, when it is decided.
///
/// # Errors
/// What stops all of them.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    if args.signature.is_some() && args.files.len() > 1 {
        return Err(Error::OneInput { option: "--signature", given: args.files.len() });
    }
    let mut key_paths = args.public_keys.clone();
    if key_paths.is_empty() {
        key_paths.extend(variable("FNDSA_PUBLIC_KEY").map(PathBuf::from));
    }
    if key_paths.is_empty() {
        return Err(Error::NoKey(Kind::VerifyingKey));
    }
    let key_sources: Vec<_> = key_paths.iter().map(|path| Source::from_arg(path)).collect();
    let files: Vec<_> = args.files.iter().map(|file| Source::from_arg(file)).collect();
    let mut jobs = Vec::new();
    for source in &files {
        jobs.push((source, signature(args, source)?));
    }
    let context_source = args.message.context_source();
    let signatures = jobs.iter().map(|(_, signature)| signature);
    stdin_once(key_sources.iter().chain(&files).chain(signatures).chain(&context_source))?;
    let level = context.level()?;
    let form = args.message.form()?;

    let mut objects = Vec::new();
    for source in &key_sources {
        objects.push(keys::load(source, Kind::VerifyingKey, context.weak)?);
    }
    let mut public = Vec::new();
    for (object, source) in objects.iter().zip(&key_sources) {
        public.push(Public::check(object, source)?);
    }
    let wanted = |key: &Public<'_>| args.expect_key.as_ref().is_none_or(|expected| *expected == key.fingerprint);
    let expected = (0..public.len()).filter(|i| wanted(&public[*i])).collect();
    let verifier = Verifier { keys: &public, expected, form, level, progress: Progress::new(context.voice) };

    // A reader that goes away, or a full disk, does not stop the verdict.
    let mut printing = Ok(());
    for (source, signature) in &jobs {
        let name = match source {
            Source::File(path) => super::escape::shown(path),
            _ => "-".to_owned(),
        };
        let entry = verifier.form.describe(Entry::of(source.path()).path("signature", signature.path()));
        let mut say = |report: &Report, word, tone, reason: &str| {
            if printing.is_ok() {
                printing = report.answer(&format!("{name}: "), word, tone, &format!(" ({reason})"));
            }
        };
        match verifier.verify(source, signature) {
            Ok(Ok((i, bytes))) => {
                let key = &public[i];
                if context.voice.quiet == 0 {
                    say(report, "OK", Tone::Good, &key.name());
                }
                let entry = entry.algorithm(key.key.degree()).key(&key.fingerprint);
                report.push(entry.set("bytes", bytes.into()).ok());
            }
            Ok(Err(no)) => {
                say(report, "FAILED", Tone::Bad, &no.words());
                report.add_exit(Exit::Negative);
                if let Some(hint) = no.hint() {
                    report.hint(hint);
                }
                report.push(entry.failed(no.reason(), &no.words(), no.hint()));
            }
            Err(e) => {
                say(report, "ERROR", Tone::Bad, &e.about(source));
                report.add_exit(e.exit());
                if let Some(hint) = e.hint() {
                    report.hint(&hint);
                }
                report.push(entry.error(&e));
            }
        }
    }
    if let Err(e) = printing {
        report.stdout_failed("verify", &e);
    }
    Ok(())
}

/// Where the signature of an input is.
fn signature(args: &Args, source: &Source) -> Result<Source, Error> {
    match (&args.signature, source) {
        (Some(path), _) => Ok(Source::from_arg(path)),
        (None, Source::File(path)) => Ok(Source::File(with_suffix(path, ".sig"))),
        (None, _) => Err(Error::StdinSignature),
    }
}
