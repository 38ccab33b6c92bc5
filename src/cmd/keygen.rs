//! `fndsa keygen`: a new key pair.

use super::algorithm::{may_make, signing_algorithm};
use super::deterministic::Deterministic;
use super::escape::shown;
use super::hex::exactly;
use super::io::{Access, Destination, Force, Source, Staged, stdin_once};
use super::keys::{fingerprint, note, warn_if_written_open};
use super::object::{Encoding, Kind};
use super::oid::Oid;
use super::parallel::{self, Jobs};
use super::password::{PasswordArgs, new_password};
use super::progress::Progress;
use super::random::SystemRng;
use super::report::{Entry, Error, Report};
use super::stored::Style;
use super::{Context, invocation, secrecy};
use fndsa::{Algorithm, KEYGEN_SEED_LEN, Level, SigningKey};
use rand_core::TryCryptoRng;
use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Makes NAME.key (private, mode 600) and NAME.pub; NAME may end in .key or .pub itself
    #[arg(required_unless_present = "output")]
    name: Option<PathBuf>,
    /// fn-dsa-512 or 512, fn-dsa-1024 or 1024, falcon-512, falcon-1024, fn-dsa-2024-512,
    /// fn-dsa-2024-1024; with --allow-weak also the degrees 4 to 256
    #[arg(short, long, value_name = "NAME", default_value = "fn-dsa-512", value_parser = signing_algorithm())]
    algorithm: Algorithm,
    /// The private key goes here, `-` for standard output; without NAME no public key is written
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The public key goes here, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    public_key: Option<PathBuf>,
    /// Form of both files; the public key beside pkcs8 is SPKI
    #[arg(long, value_name = "FORM", default_value = "pem",
        value_parser = Encoding::among(&[Encoding::Pem, Encoding::Raw, Encoding::Pkcs8]))]
    format: Encoding,
    /// Encrypt the private key with a password: PKCS#8, scrypt, AES-256
    #[arg(long)]
    encrypt: bool,
    #[command(flatten)]
    password: PasswordArgs,
    /// Make N pairs: NAME-1.key, NAME-1.pub, NAME-2.key, ...
    #[arg(short = 'n', long, value_name = "N", requires = "name", conflicts_with_all = ["output", "public_key"])]
    count: Option<NonZeroU32>,
    /// Look for the key on N threads at once, or make N pairs of --count; `all`: as many as there are cores.
    /// Default: 1, and all with --count
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,
    /// Make the key from these 32 bytes, raw or in hexadecimal: whoever has them has the key
    #[arg(long, value_name = "FILE", requires = "insecure_deterministic", conflicts_with = "count")]
    seed_file: Option<PathBuf>,
    /// For tests only: the same seed gives the same key
    #[arg(long, requires = "seed_file")]
    insecure_deterministic: bool,
    /// Replace existing files
    #[arg(short, long)]
    force: bool,
}

/// A key pair in memory.
pub struct Pair {
    /// The algorithm of both.
    pub algorithm: Algorithm,
    /// The encoding of the private key.
    pub private: Zeroizing<Vec<u8>>,
    /// The encoding of the public key.
    pub public: Vec<u8>,
}

impl Pair {
    /// A new one.
    ///
    /// # Errors
    /// The generator fails.
    pub fn generate<R: TryCryptoRng>(level: Level, algorithm: Algorithm, rng: &mut R) -> Result<Self, Error> {
        Self::generate_parallel(level, algorithm, rng, NonZeroUsize::MIN)
    }

    /// The same, on several threads.
    fn generate_parallel<R: TryCryptoRng>(
        level: Level,
        algorithm: Algorithm,
        rng: &mut R,
        threads: NonZeroUsize,
    ) -> Result<Self, Error> {
        let mut private = Zeroizing::new(vec![0; algorithm.signing_key_len()]);
        let mut public = vec![0; algorithm.verifying_key_len()];
        SigningKey::generate_parallel(level, algorithm, rng, threads, &mut private, &mut public)
            .map_err(Error::of_keygen)?;
        secrecy::again();
        Ok(Self { algorithm, private, public })
    }

    /// The contents of the two files. A private key with a password is PKCS#8.
    ///
    /// # Errors
    /// They do not have that form.
    pub fn files(&self, style: &Style<'_>) -> Result<[Zeroizing<Vec<u8>>; 2], Error> {
        let fingerprint = fingerprint(&self.public);
        let file = |kind, style: Style<'_>, bytes: &[u8]| {
            style.write(kind, self.algorithm, &note(kind, self.algorithm, &fingerprint), bytes)
        };
        let private = match style.password {
            Some(_) => Style { encoding: Encoding::Pkcs8, ..*style },
            None => *style,
        };
        let private = Style { public: Some(&self.public), ..private };
        let public = Style { encoding: style.encoding.of_public(), password: None, ..*style };
        Ok([file(Kind::SigningKey, private, &self.private)?, file(Kind::VerifyingKey, public, &self.public)?])
    }

    /// Writes both files or none. Without `--force` the private key comes first, so that of several
    /// writers only one wins; with it the public key does, because it can be made again.
    ///
    /// # Errors
    /// One could not be written.
    pub fn write(
        &self,
        style: &Style<'_>,
        force: Force,
        private: &Destination,
        public: Option<&Destination>,
    ) -> Result<(), Error> {
        let [private_file, public_file] = self.files(style)?;
        let mut staged = vec![private.stage(&private_file)?];
        if let Some(public) = public {
            staged.push(public.stage(&public_file)?);
        }
        if force != Force::No {
            staged.reverse();
        }
        Staged::commit_all(staged)
    }
}

/// The name with an ending, never in place of one.
pub fn with_suffix(name: &Path, suffix: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// NAME where somebody has written NAME.key or NAME.pub.
fn stem(name: &Path) -> PathBuf {
    let ours = name.extension().is_some_and(|ending| ending == "key" || ending == "pub");
    if ours { name.with_extension("") } else { name.to_owned() }
}

/// Where one pair goes.
struct Plan {
    private_path: PathBuf,
    public_path: Option<PathBuf>,
    private: Destination,
    public: Option<Destination>,
}

impl Plan {
    /// Looks at both outputs, opens nothing. `ending` stands between NAME and the suffixes.
    fn new(args: &Args, ending: &str) -> Result<Self, Error> {
        let named =
            |suffix: &str| args.name.as_deref().map(|name| with_suffix(&stem(name), &format!("{ending}{suffix}")));
        let private_path = args.output.clone().or_else(|| named(".key")).unwrap_or_default();
        let public_path = args.public_key.clone().or_else(|| named(".pub"));
        let force = force(args);
        if public_path.as_ref().is_some_and(|public| Destination::same(&private_path, public)) {
            return Err(Error::SameOutput(private_path));
        }
        let private = Destination::new(&private_path, force, Access::Private)?;
        let public = public_path
            .as_deref()
            .map(|path| Destination::new(path, Force::of(args.force), Access::Public))
            .transpose()?;
        Ok(Self { private_path, public_path, private, public })
    }

    fn outputs(&self) -> impl Iterator<Item = &Destination> {
        std::iter::once(&self.private).chain(&self.public)
    }

    fn entry(&self, algorithm: Algorithm) -> Entry {
        let entry = Entry::of(&self.private_path).algorithm(algorithm);
        if let Some(path) = &self.public_path { entry.path("public_key", path) } else { entry }
    }
}

fn force(args: &Args) -> Force {
    if args.force { Force::Keys } else { Force::No }
}

/// Runs the command: all outputs are looked at before the first key is made.
///
/// # Errors
/// A key pair was not made, and nothing of it was written; those before it stand.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    let algorithm = may_make(args.algorithm, context.weak)?;
    if let Some(name) = &args.name
        && (name.as_os_str() == "-"
            || name.file_name().is_none()
            || name.as_os_str().as_encoded_bytes().ends_with(b"/"))
    {
        return Err(Error::KeyName(name.clone()));
    }
    let plans: Vec<_> = match args.count {
        None => vec![Plan::new(args, "")?],
        Some(count) => (1..=count.get()).map(|i| Plan::new(args, &format!("-{i}"))).collect::<Result<_, _>>()?,
    };
    let outputs = || plans.iter().flat_map(Plan::outputs);
    if args.format.is_binary() {
        outputs().try_for_each(Destination::refuse_terminal)?;
    }
    if context.voice.json && outputs().any(Destination::is_stdout) {
        return Err(Error::JsonOnStdout);
    }
    if args.password.is_given() && !args.encrypt {
        return Err(Error::PasswordUnused);
    }
    if args.encrypt && args.format == Encoding::Raw {
        return Err(Error::NotEncryptable(args.format));
    }
    if (args.encrypt || args.format == Encoding::Pkcs8) && Oid::of(algorithm).is_none() {
        return Err(Error::NoOid(algorithm));
    }
    let seed_source = args.seed_file.as_deref().map(|path| Source::of_secret("--seed-file", path));
    let password_source = if args.encrypt { args.password.source()? } else { None };
    stdin_once(seed_source.iter().chain(&password_source))?;
    let seed = seed_source.as_ref().map(seed).transpose()?;
    let password = if args.encrypt {
        Some(new_password(password_source.as_ref(), "--password-file FILE or --password-env VAR", report)?)
    } else {
        None
    };
    let style = Style { password: password.as_ref().map(|p| &p[..]), ..Style::plain(args.format) };
    let level = context.level()?;
    let (pairs_at_once, threads) = match (args.count, args.jobs) {
        (None, Some(jobs)) => (NonZeroUsize::MIN, jobs.threads(usize::MAX)),
        (_, jobs) => (jobs.unwrap_or(Jobs::ALL).threads(plans.len()), NonZeroUsize::MIN),
    };
    let make = |_: &mut (), _| match &seed {
        None => Pair::generate_parallel(level, algorithm, &mut SystemRng, threads),
        Some(seed) => Pair::generate_parallel(level, algorithm, &mut Deterministic(&seed[..]), threads),
    };

    let mut bar = Progress::new(context.voice).steps("making keys", plans.len() as u64);
    bar.at(0);
    let mut result = Ok(());
    parallel::in_order(
        pairs_at_once,
        plans.len(),
        || (),
        make,
        |i, pair| {
            bar.at(i as u64 + 1);
            let plan = &plans[i];
            let written = pair.and_then(|pair| {
                pair.write(&style, force(args), &plan.private, plan.public.as_ref())?;
                Ok(fingerprint(&pair.public))
            });
            match written {
                Ok(fingerprint) => {
                    bar.pause(|| match args.count {
                        None => {
                            if seed.is_some() {
                                report.note("warning: deterministic, for tests only; whoever has the seed has the key");
                            }
                            advise(plan, algorithm, &fingerprint, report);
                        }
                        Some(_) => report.note(&format!("{}  {fingerprint}", shown(&plan.private_path))),
                    });
                    if !args.encrypt {
                        warn_if_written_open(&plan.private, report);
                    }
                    report.push(plan.entry(algorithm).key(&fingerprint).ok());
                    ControlFlow::Continue(())
                }
                Err(e) => {
                    report.push(plan.entry(algorithm).error(&e));
                    result = Err(e);
                    ControlFlow::Break(())
                }
            }
        },
    );
    result
}

/// Names the files, and commands to copy.
fn advise(plan: &Plan, algorithm: Algorithm, fingerprint: &str, report: &Report) {
    let key = shown(&plan.private_path);
    report.note(&format!("private key  {key} (keep it secret)"));
    if let Some(path) = &plan.public_path {
        report.note(&format!("public key   {}", shown(path)));
    }
    report.note(&format!("fingerprint  {algorithm} {fingerprint}"));
    if plan.outputs().any(Destination::is_stdout) {
        return;
    }
    let program = invocation();
    report.note(&format!("sign with    {program} sign -k {key} FILE"));
    if let Some(path) = &plan.public_path {
        report.note(&format!("verify with  {program} verify -p {} FILE", shown(path)));
    } else {
        report.note(&format!("public key:  {program} pubkey -k {key} -o FILE"));
    }
}

/// The bytes that the key is made from, instead of the system's randomness: raw or in hexadecimal.
fn seed(source: &Source) -> Result<Zeroizing<Vec<u8>>, Error> {
    let data = source.read_small()?;
    exactly(&data, KEYGEN_SEED_LEN).ok_or_else(|| Error::Digest {
        from: source.to_string(),
        wanted: KEYGEN_SEED_LEN,
        found: data.len() as u64,
    })
}
