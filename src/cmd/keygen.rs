//! `fndsa keygen`: a new key pair.

use crate::tool::context::{CommandContext, invocation};
use crate::tool::io::random::SystemRng;
use crate::tool::io::{Access, Destination, Force, InputSource, stdin_once};
use crate::tool::keys::key_file_options::NewFile;
use crate::tool::keys::loader::warn_if_written_open;
use crate::tool::keys::pair::{Pair, PairFiles};
use crate::tool::keys::unlock::new_password;
use crate::tool::options::algorithm::{may_make, signing_algorithm};
use crate::tool::options::form::encoding_among;
use crate::tool::options::heading;
use crate::tool::options::jobs::{Jobs, jobs_parser};
use crate::tool::options::number::number;
use crate::tool::options::password::PasswordArgs;
use crate::tool::report::escape::{pasted, shown};
use crate::tool::report::progress::Progress;
use crate::tool::report::suffix::with_suffix;
use crate::tool::report::{Entry, Error, Report};
use crate::tool::run::ordered::in_order;
use crate::tool::sign::deterministic::Deterministic;
use fndsa::files::hex::exactly;
use fndsa::files::{Encoding, Oid, Style, WriteError};
use fndsa::verdict::fingerprint;
use fndsa::{Algorithm, KEYGEN_SEED_LEN, Level};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the key pair: fndsa writes NAME.key (private) and NAME.pub (public)
    ///
    /// NAME may end in .key or .pub.
    #[arg(required_unless_present = "output")]
    name: Option<PathBuf>,
    /// Algorithm of the keys (see `fndsa help algorithms`)
    ///
    /// 512 is a short name for fn-dsa-512, and 1024 for fn-dsa-1024.
    #[arg(short, long, value_name = "NAME", default_value = "fn-dsa-512", value_parser = signing_algorithm(),
        help_heading = heading::KEYS, hide_possible_values = true)]
    algorithm: Algorithm,
    /// Write the private key to this file, `-` for standard output
    ///
    /// Without NAME and --public-key, fndsa writes no public key.
    #[arg(short, long, value_name = "FILE", help_heading = heading::OUTPUT)]
    output: Option<PathBuf>,
    /// Write the public key to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE", help_heading = heading::OUTPUT)]
    public_key: Option<PathBuf>,
    /// Format of both files; with pkcs8 the public key is written as SPKI
    #[arg(long, value_name = "FORM", default_value = "pem", help_heading = heading::OUTPUT, hide_short_help = true,
        value_parser = encoding_among(&[Encoding::Pem, Encoding::Raw, Encoding::Pkcs8]))]
    format: Encoding,
    /// Encrypt the private key with a password
    ///
    /// The file is PKCS#8, encrypted with AES-256; the encryption key is derived from the password with scrypt.
    #[arg(long, help_heading = heading::KEYS)]
    encrypt: bool,
    #[command(flatten)]
    password: PasswordArgs,
    /// Make a second pair with Ed25519: NAME-ed25519.key and NAME-ed25519.pub
    ///
    /// If you sign with both keys and verifiers require both, a signature stays safe even if one of the two algorithms is broken.
    #[arg(long, conflicts_with_all = ["output", "public_key", "count", "seed_file"],
        help_heading = heading::SEVERAL)]
    dual: bool,
    /// Make N pairs: NAME-1.key and NAME-1.pub, NAME-2.key and NAME-2.pub, ...
    #[arg(short = 'n', long, value_name = "N", conflicts_with_all = ["output", "public_key"],
        value_parser = number(1..=u32::MAX), help_heading = heading::SEVERAL)]
    count: Option<u32>,
    /// Number of threads, or `all` for one thread per core [default: 1, with --count all]
    ///
    /// The threads search for one key, or make the pairs of --count.
    #[arg(short, long, value_name = "N", value_parser = jobs_parser(), help_heading = heading::EXPERT,
        hide_short_help = true, hide_possible_values = true)]
    jobs: Option<Jobs>,
    /// Derive the key from the 32 bytes in this file, raw or in hexadecimal
    ///
    /// Anybody who knows these bytes knows the private key.
    #[arg(long, value_name = "FILE", conflicts_with = "count",
        help_heading = heading::EXPERT, hide_short_help = true)]
    seed_file: Option<PathBuf>,
    /// Allow --seed-file, for tests only: the same seed gives the same key
    #[arg(long, help_heading = heading::EXPERT, hide_short_help = true)]
    insecure_deterministic: bool,
    /// Replace existing files; a replaced private key is lost
    #[arg(short, long, help_heading = heading::OUTPUT)]
    force: bool,
}

/// Where the password of a new key may come from.
const PASSWORD_SOURCES: &str =
    "--password-file FILE or --password-env VAR, or in FNDSA_PASSWORD or FNDSA_PASSWORD_FILE";

/// What stands behind NAME in the names of the second pair of `--dual`.
const CLASSIC_ENDING: &str = "-ed25519";

/// Returns NAME, also where somebody has written NAME.key or NAME.pub.
fn stem(name: &Path) -> PathBuf {
    let ours = name.extension().is_some_and(|ending| ending == "key" || ending == "pub");
    if ours { name.with_extension("") } else { name.to_owned() }
}

/// Where one pair goes.
struct PairPlan {
    private_path: PathBuf,
    public_path: Option<PathBuf>,
    private: Destination,
    public: Option<Destination>,
}

impl PairPlan {
    /// Looks at both outputs and opens nothing. `ending` stands between NAME and the suffixes.
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

/// Returns where all pairs go.
///
/// # Errors
/// NAME cannot be the name of key files, or an output is there already.
fn plans(args: &Args) -> Result<Vec<PairPlan>, Error> {
    if let Some(name) = &args.name
        && (name.as_os_str() == "-"
            || name.file_name().is_none()
            || name.as_os_str().as_encoded_bytes().ends_with(b"/"))
    {
        return Err(Error::KeyName(name.clone()));
    }
    match args.count {
        None if args.dual => ["", CLASSIC_ENDING].into_iter().map(|ending| PairPlan::new(args, ending)).collect(),
        None => Ok(vec![PairPlan::new(args, "")?]),
        Some(count) => (1..=count).map(|i| PairPlan::new(args, &format!("-{i}"))).collect(),
    }
}

/// Checks that private keys of the algorithm have the form asked for, with a password where one is given.
fn check_form(args: &Args, algorithm: Algorithm) -> Result<(), Error> {
    if args.password.is_given() && !args.encrypt {
        return Err(Error::PasswordUnused);
    }
    if args.format == Encoding::Raw && algorithm == Algorithm::ED25519 {
        return Err(Error::Write(WriteError::NoRaw(algorithm)));
    }
    if args.encrypt && args.format == Encoding::Raw {
        return Err(Error::Write(WriteError::NotEncryptable(args.format)));
    }
    if (args.encrypt || args.format == Encoding::Pkcs8) && Oid::of(algorithm).is_none() {
        return Err(Error::Write(WriteError::NoOid(algorithm)));
    }
    Ok(())
}

/// Runs the command: all outputs are looked at before the first key is made.
///
/// # Errors
/// A key pair was not made, and nothing of it was written; those before it stand.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    let algorithm = may_make(args.algorithm, context.weak)?;
    let plans = plans(args)?;
    let outputs = || plans.iter().flat_map(PairPlan::outputs);
    if args.format.is_binary() {
        outputs().try_for_each(Destination::refuse_terminal)?;
    }
    if context.voice.json && outputs().any(Destination::is_stdout) {
        return Err(Error::JsonOnStdout);
    }
    let algorithms = [algorithm, Algorithm::ED25519];
    if args.dual && algorithm == Algorithm::ED25519 {
        return Err(Error::DualClassic);
    }
    algorithms[..if args.dual { 2 } else { 1 }].iter().try_for_each(|algorithm| check_form(args, *algorithm))?;
    let seed_source = args.seed_file.as_deref().map(|path| InputSource::of_secret("--seed-file", path));
    let password_source = if args.encrypt { args.password.source()? } else { None };
    stdin_once(seed_source.iter().chain(&password_source))?;
    let seed = seed_source.as_ref().map(seed).transpose()?;
    let password =
        if args.encrypt { Some(new_password(password_source.as_ref(), PASSWORD_SOURCES, report)?) } else { None };
    let file = NewFile { style: Style::plain(args.format), password: password.as_ref().map(|p| &p[..]) };
    if !args.encrypt {
        args.password.warn_if_unused(report);
    }
    let level = context.level()?;
    if let ([one, two], true) = (&plans[..], args.dual) {
        return make_dual(args, algorithms, [one, two], &file, level, report);
    }
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
    in_order(
        pairs_at_once,
        plans.len(),
        || (),
        make,
        |i, pair| {
            bar.at(i as u64 + 1);
            let plan = &plans[i];
            let written = pair.and_then(|pair| {
                pair.write(&file, force(args), &plan.private, plan.public.as_ref())?;
                Ok(fingerprint(&pair.public))
            });
            match written {
                Ok(fingerprint) => {
                    bar.pause(|| match args.count {
                        None => {
                            if seed.is_some() {
                                report
                                    .note("warning: the key is for tests only: everybody who has the seed has the key");
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

/// Makes the two pairs of `--dual`: all four files, or none.
///
/// # Errors
/// A key was not made, or a file could not be written.
fn make_dual(
    args: &Args,
    algorithms: [Algorithm; 2],
    plans: [&PairPlan; 2],
    file: &NewFile<'_>,
    level: Level,
    report: &mut Report,
) -> Result<(), Error> {
    let make = || {
        let mut files = Vec::new();
        let mut fingerprints = Vec::new();
        for (plan, algorithm) in plans.into_iter().zip(algorithms) {
            let pair = Pair::generate(level, algorithm, &mut SystemRng)?;
            let (private, public) = (&plan.private, plan.public.as_ref());
            files.push(PairFiles { contents: pair.files(file)?, private, public });
            fingerprints.push(fingerprint(&pair.public));
        }
        PairFiles::write_all(&files, force(args))?;
        Ok(fingerprints)
    };
    let made: Result<Vec<_>, Error> = make();
    let fingerprints = made.inspect_err(|e| {
        report.push(plans[0].entry(algorithms[0]).error(e));
    })?;
    let mut options = [String::new(), String::new()];
    for ((plan, algorithm), fingerprint) in plans.into_iter().zip(algorithms).zip(fingerprints) {
        name_files(plan, algorithm, &fingerprint, report);
        options[0] += &format!(" -k {}", pasted(&plan.private_path));
        options[1] += &plan.public_path.as_ref().map_or(String::new(), |path| format!(" -p {}", pasted(path)));
        report.push(plan.entry(algorithm).key(&fingerprint).ok());
    }
    let [private, public] = options;
    let program = invocation();
    report.note(&format!("sign with    {program} sign{private} FILE"));
    report.note(&format!("verify with  {program} verify{public} --require all FILE"));
    Ok(())
}

/// Names the files, and commands to copy.
fn advise(plan: &PairPlan, algorithm: Algorithm, fingerprint: &str, report: &Report) {
    name_files(plan, algorithm, fingerprint, report);
    if plan.outputs().any(Destination::is_stdout) {
        return;
    }
    let program = invocation();
    report.note(&format!("sign with    {program} sign -k {} FILE", pasted(&plan.private_path)));
    if let Some(path) = &plan.public_path {
        report.note(&format!("verify with  {program} verify -p {} FILE", pasted(path)));
    } else {
        report.note(&format!("public key:  {program} pubkey -k {} -o FILE", pasted(&plan.private_path)));
    }
}

/// Names the files and the fingerprint.
fn name_files(plan: &PairPlan, algorithm: Algorithm, fingerprint: &str, report: &Report) {
    let key = shown(&plan.private_path);
    report.note(&format!("private key  {key} (keep it secret)"));
    if let Some(path) = &plan.public_path {
        report.note(&format!("public key   {}", shown(path)));
    }
    report.note(&format!("fingerprint  {algorithm} {fingerprint}"));
}

/// Reads the bytes that the key is made from instead of the system's randomness, raw or in hexadecimal.
fn seed(source: &InputSource) -> Result<Zeroizing<Vec<u8>>, Error> {
    let data = source.read_small()?;
    exactly(&data, KEYGEN_SEED_LEN).ok_or_else(|| Error::Digest {
        from: source.to_string(),
        wanted: KEYGEN_SEED_LEN,
        found: data.len() as u64,
    })
}
