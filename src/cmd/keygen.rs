//! `fndsa keygen`: a new key pair.

use super::armor::{self, Format, Kind};
use super::escape::shown;
use super::io::{Access, Destination, Force};
use super::json::Entry;
use super::keys::{AllowWeak, fingerprint, note};
use super::progress::Progress;
use super::report::{Error, Report, algorithm};
use super::{Context, invocation};
use fndsa::{Degree, KeygenError, Level, Scheme, SigningKey};
use getrandom::SysRng;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Makes NAME.key (private, mode 600) and NAME.pub
    #[arg(required_unless_present = "output")]
    name: Option<PathBuf>,
    /// fn-dsa-512 or 512, fn-dsa-1024 or 1024; with --allow-weak also fn-dsa-4 to fn-dsa-256
    #[arg(short, long, value_name = "NAME", default_value = "fn-dsa-512", value_parser = parse_algorithm)]
    algorithm: Degree,
    /// The private key goes here, `-` for standard output; without NAME no public key is written
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The public key goes here, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    public_key: Option<PathBuf>,
    /// Form of both files
    #[arg(long, value_enum, default_value_t = Format::Pem)]
    format: Format,
    /// Replace existing files
    #[arg(short, long)]
    force: bool,
}

/// The degree of an algorithm's name.
///
/// # Errors
/// No algorithm has that name.
pub fn parse_algorithm(name: &str) -> Result<Degree, String> {
    let names = |degree: &Degree| {
        let n = degree.n().to_string();
        name.strip_prefix("fn-dsa-").is_some_and(|s| s == n) || (!degree.is_toy() && name == n)
    };
    Degree::all().find(names).ok_or_else(|| "the algorithms are fn-dsa-512 and fn-dsa-1024".to_owned())
}

/// A key pair in memory.
pub struct Pair {
    /// The degree of both.
    pub degree: Degree,
    /// The encoding of the private key.
    pub private: Zeroizing<Vec<u8>>,
    /// The encoding of the public key.
    pub public: Vec<u8>,
}

impl Pair {
    /// A new one, from the system's randomness.
    ///
    /// # Errors
    /// The system has no randomness.
    pub fn generate(level: Level, degree: Degree) -> Result<Self, Error> {
        let mut private = Zeroizing::new(vec![0; degree.signing_key_len()]);
        let mut public = vec![0; degree.verifying_key_len()];
        let mut work = vec![0; degree.keygen_fast_work_len()];
        SigningKey::generate(level, Scheme::FnDsa, degree, &mut SysRng, &mut private, &mut public, &mut work)
            .map_err(|e: KeygenError<_>| Error::Internal(e.to_string()))?;
        Ok(Self { degree, private, public })
    }

    /// The contents of the two files.
    pub fn files(&self, format: Format) -> (Zeroizing<Vec<u8>>, Zeroizing<Vec<u8>>) {
        let fingerprint = fingerprint(&self.public);
        let file = |kind, bytes: &[u8]| armor::write(kind, format, &note(kind, self.degree, &fingerprint), bytes);
        (file(Kind::SigningKey, &self.private), file(Kind::VerifyingKey, &self.public))
    }

    /// Writes both files or none. Without `--force` the private key comes first, so that of several
    /// writers only one wins; with it the public key does, because it can be made again.
    ///
    /// # Errors
    /// One could not be written.
    pub fn write(
        &self,
        format: Format,
        force: Force,
        private: &Destination,
        public: Option<&Destination>,
    ) -> Result<(), Error> {
        let (private_file, public_file) = self.files(format);
        let private = private.stage(&private_file)?;
        let Some(public) = public.map(|to| to.stage(&public_file)).transpose()? else {
            return private.commit();
        };
        let (first, second) = if force == Force::Yes { (public, private) } else { (private, public) };
        let first = first.commit_first()?;
        second.commit_second(first)
    }
}

/// The name with an ending, never in place of one.
pub fn with_suffix(name: &Path, suffix: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Runs the command.
///
/// # Errors
/// No key pair was made, and nothing was written.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    let degree = args.algorithm;
    if degree.is_toy() && context.weak == AllowWeak(false) {
        return Err(Error::ToyAlgorithm(degree));
    }
    if let Some(name) = &args.name
        && (name.as_os_str() == "-"
            || name.file_name().is_none()
            || name.as_os_str().as_encoded_bytes().ends_with(b"/"))
    {
        return Err(Error::KeyName(name.clone()));
    }
    let named = |suffix| args.name.as_deref().map(|name| with_suffix(name, suffix));
    let private_path = args.output.clone().or_else(|| named(".key")).unwrap_or_default();
    let public_path = args.public_key.clone().or_else(|| named(".pub"));
    let force = if args.force { Force::Yes } else { Force::No };

    if public_path.as_ref().is_some_and(|public| Destination::same(&private_path, public)) {
        return Err(Error::SameOutput(private_path));
    }
    let private = Destination::new(&private_path, force, Access::Private)?;
    let public = public_path.as_deref().map(|path| Destination::new(path, force, Access::Public)).transpose()?;
    let outputs = || std::iter::once(&private).chain(public.as_ref());
    if args.format == Format::Raw {
        outputs().try_for_each(Destination::refuse_terminal)?;
    }
    if context.voice.json && outputs().any(Destination::is_stdout) {
        return Err(Error::JsonOnStdout);
    }

    let mut bar = Progress::new(context.voice).steps("making a key", 1);
    bar.at(0);
    let pair = Pair::generate(context.level()?, degree)?;
    drop(bar);
    pair.write(args.format, force, &private, public.as_ref())?;

    let fingerprint = fingerprint(&pair.public);
    report.note(&format!("private key  {} (keep it secret)", shown(&private_path)));
    let mut entry = Entry::of(&private_path).algorithm(degree).key(&fingerprint);
    if let Some(path) = &public_path {
        report.note(&format!("public key   {}", shown(path)));
        entry = entry.path("public_key", path);
    }
    report.note(&format!("fingerprint  {} {fingerprint}", algorithm(degree)));
    if !outputs().any(Destination::is_stdout) {
        let program = invocation();
        report.note(&format!("sign with    {program} sign -k {} FILE", shown(&private_path)));
        if let Some(path) = &public_path {
            report.note(&format!("verify with  {program} verify -p {} FILE", shown(path)));
        } else {
            report.note(&format!("public key:  {program} pubkey -k {} -o FILE", shown(&private_path)));
        }
    }
    report.push(entry.ok());
    Ok(())
}
