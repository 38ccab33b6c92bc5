//! `fndsa keygen`: creates one or several key pairs. [`PairPlan`] checks the output files before
//! the first key is created, [`PairMaker`] creates pairs on several threads, and [`PairWriter`]
//! writes them in order.

use crate::tool::context::{CommandContext, invocation};
use crate::tool::io::random::SystemRng;
use crate::tool::io::{
    Destination, InputSource, NewFileAccess, OverwriteRule, is_encrypted_key, is_public_key, stdin_once,
};
use crate::tool::keys::key_file_options::KeyFileOptions;
use crate::tool::keys::loader::warn_if_written_open;
use crate::tool::keys::pair::{KeyPair, PairFiles, are_pair_files};
use crate::tool::keys::unlock::new_password;
use crate::tool::options::algorithm::{creatable_algorithm, signing_algorithm};
use crate::tool::options::form::encoding_among;
use crate::tool::options::heading;
use crate::tool::options::jobs::{JobCount, jobs_parser};
use crate::tool::options::number::number;
use crate::tool::options::password::PasswordArgs;
use crate::tool::report::escape::{pasteable_name, shown};
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::suffix::with_suffix;
use crate::tool::report::{Error, Report, ResultEntry};
use crate::tool::run::file_batches::BatchMode;
use crate::tool::run::parallel::{OrderedResults, ParallelRun, ParallelWork};
use crate::tool::sign::deterministic::DeterministicRng;
use fndsa::Algorithm;
use fndsa::algorithm::{KEYGEN_SEED_LEN, Scheme};
use fndsa::files::hex::exactly;
use fndsa::files::{FileEncoding, Oid, WriteError, WriteOptions};
use fndsa::no_alloc::Level;
use fndsa::verdict::fingerprint;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
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
        value_parser = encoding_among(&[FileEncoding::Pem, FileEncoding::Raw, FileEncoding::Pkcs8]))]
    format: FileEncoding,
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
    jobs: Option<JobCount>,
    /// Derive the key from the 32 bytes in this file, raw or in hexadecimal
    ///
    /// An algorithm that ends in -ed25519 and has two parts needs 64 bytes.
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

/// The options and the environment variables that can give a new key's password.
const PASSWORD_SOURCES: &str =
    "--password-file FILE or --password-env VAR, or in FNDSA_PASSWORD or FNDSA_PASSWORD_FILE";

/// The text after NAME in the file names of the second pair with `--dual`.
const ED25519_ENDING: &str = "-ed25519";

/// Returns NAME without `.key` or `.pub` at its end.
fn stem(name: &Path) -> PathBuf {
    match name.extension() {
        Some(ending) if ending == "key" || ending == "pub" => name.with_extension(""),
        _ => name.to_owned(),
    }
}

impl Args {
    /// Returns the rule for replacing existing files.
    fn overwrite_rule(&self) -> OverwriteRule {
        if self.force { OverwriteRule::Keys } else { OverwriteRule::No }
    }

    /// Returns a file name: NAME without `.key` or `.pub`, followed by `ending` and `suffix`.
    /// Returns `None` if NAME is not given.
    fn file_name(&self, ending: &str, suffix: &str) -> Option<PathBuf> {
        let name = self.name.as_deref()?;
        Some(with_suffix(&stem(name), &format!("{ending}{suffix}")))
    }

    /// Returns the chosen algorithm and, with `--dual`, Ed25519 for the second pair.
    fn algorithms(&self, context: &CommandContext) -> Result<Vec<Algorithm>, Error> {
        let algorithm = creatable_algorithm(self.algorithm, context.weak)?;
        Ok(if self.dual { vec![algorithm, Algorithm::ED25519] } else { vec![algorithm] })
    }

    /// Checks that private keys for this algorithm support the chosen format and encryption, and
    /// that a password is only given together with `--encrypt`.
    fn check_format(&self, algorithm: Algorithm) -> Result<(), Error> {
        // Without `--encrypt`, the password would be ignored.
        if self.password.is_given() && !self.encrypt {
            return Err(Error::PasswordUnused);
        }
        if self.format == FileEncoding::Raw && (algorithm == Algorithm::ED25519 || algorithm.halves().is_some()) {
            return Err(Error::Write(WriteError::NoRaw(algorithm)));
        }
        if self.encrypt && self.format == FileEncoding::Raw {
            return Err(Error::Write(WriteError::NotEncryptable(self.format)));
        }
        if (self.encrypt || self.format == FileEncoding::Pkcs8) && Oid::of(algorithm).is_none() {
            return Err(Error::Write(WriteError::NoOid(algorithm)));
        }
        Ok(())
    }
}

/// The output files of a key pair.
struct PairPlan {
    private_path: PathBuf,
    public_path: Option<PathBuf>,
    private: Destination,
    public: Option<Destination>,
    /// True if the new private key replaces an encrypted private key.
    replaces_encrypted: bool,
}

impl PairPlan {
    /// Checks both output files without creating them. `ending` is the text between NAME and `.key`
    /// or `.pub`, for example `-ed25519`.
    ///
    /// # Errors
    /// Fails if both files have the same name, or if a file exists and must not be replaced. Also
    /// fails if `--public-key` names an existing public key that does not belong to a private key
    /// in the other output file.
    fn new(args: &Args, ending: &str) -> Result<Self, Error> {
        let private_path = match &args.output {
            Some(path) => path.clone(),
            None => args.file_name(ending, ".key").unwrap_or_default(),
        };
        let public_path = match &args.public_key {
            Some(path) => Some(path.clone()),
            None => args.file_name(ending, ".pub"),
        };
        if let Some(path) = &public_path
            && Destination::same(&private_path, path)
        {
            return Err(Error::SameOutput(private_path));
        }
        let private = Destination::new(&private_path, args.overwrite_rule(), NewFileAccess::Private)?;
        let mut public = None;
        if let Some(path) = &public_path {
            public = Some(Destination::new(path, OverwriteRule::PublicKeys.with(args.force), NewFileAccess::Public)?);
            let is_named = args.public_key.is_some() && private.is_file();
            if is_named && is_public_key(path) && !are_pair_files(&private_path, path) {
                return Err(Error::IsPublicKey(path.clone()));
            }
        }
        let replaces_encrypted = private.is_file() && is_encrypted_key(&private_path);
        Ok(Self { private_path, public_path, private, public, replaces_encrypted })
    }

    /// Checks the output files of all pairs.
    ///
    /// # Errors
    /// Fails if NAME cannot be a key file's name, if both files for a pair have the same name,
    /// or if a file exists and must not be replaced.
    fn all(args: &Args) -> Result<Vec<Self>, Error> {
        if let Some(name) = &args.name {
            let is_directory = name.file_name().is_none() || name.as_os_str().as_encoded_bytes().ends_with(b"/");
            if name.as_os_str() == "-" || is_directory {
                return Err(Error::KeyName(name.clone()));
            }
        }
        let mut pairs = vec![];
        match args.count {
            None => pairs.push(Self::new(args, "")?),
            Some(count) => {
                for i in 1..=count {
                    pairs.push(Self::new(args, &format!("-{i}"))?);
                }
            }
        }
        if args.dual {
            pairs.push(Self::new(args, ED25519_ENDING)?);
        }
        Ok(pairs)
    }

    fn outputs(&self) -> impl Iterator<Item = &Destination> {
        std::iter::once(&self.private).chain(&self.public)
    }

    /// Returns whether a key is written to standard output.
    fn has_stdout(&self) -> bool {
        self.outputs().any(Destination::is_stdout)
    }

    fn entry(&self, algorithm: Algorithm) -> ResultEntry {
        let entry = ResultEntry::of(&self.private_path).algorithm(algorithm);
        if let Some(path) = &self.public_path { entry.path("public_key", path) } else { entry }
    }
}

/// Runs `fndsa keygen`.
///
/// # Errors
/// Fails if the command line is rejected, or if a pair cannot be created or written. Earlier pairs
/// are kept.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    KeygenPlan::new(args, context, report)?.run(context, report)
}

/// A key generation that has passed all checks of the command line.
struct KeygenPlan<'a> {
    args: &'a Args,
    /// With `--dual`, the algorithms of the two key pairs. Otherwise, a single algorithm for all
    /// key pairs.
    algorithms: Vec<Algorithm>,
    pairs: Vec<PairPlan>,
    seed: Option<Zeroizing<Vec<u8>>>,
    password: Option<Zeroizing<Vec<u8>>>,
    level: Level,
}

impl<'a> KeygenPlan<'a> {
    /// Checks the command line and all files, before the first key is created. The user is asked
    /// for a password only after the options and the output files were checked.
    ///
    /// # Errors
    /// Fails if the options contradict each other, if an output exists, or if the seed or the
    /// password cannot be read.
    fn new(args: &'a Args, context: &CommandContext, report: &mut Report) -> Result<Self, Error> {
        let algorithms = args.algorithms(context)?;
        let level = context.level()?;
        let pairs = PairPlan::all(args)?;
        for pair in &pairs {
            for output in pair.outputs() {
                // Binary output is not written to a terminal, because it could contain control
                // sequences.
                if args.format.is_binary() {
                    output.refuse_terminal()?;
                }
            }
        }
        // With `--json`, the JSON document is written to standard output, so no key can be written
        // there.
        if context.output.json && pairs.iter().any(PairPlan::has_stdout) {
            return Err(Error::JsonOnStdout);
        }
        // With `--dual`, the second key is an Ed25519 key. If the first key also contained Ed25519,
        // an attacker who can forge signatures by the first key could also forge signatures by the
        // second key.
        if args.dual && matches!(algorithms[0].scheme(), Scheme::Ed25519 | Scheme::MlDsaEd25519) {
            return Err(Error::DualClassic);
        }
        for algorithm in &algorithms {
            args.check_format(*algorithm)?;
        }
        let seed_source = args.seed_file.as_deref().map(|path| InputSource::of_secret("--seed-file", path));
        let password_source = if args.encrypt { args.password.source()? } else { None };
        // At most one input can be standard input.
        stdin_once(seed_source.iter().chain(&password_source))?;
        let mut seed = None;
        if let Some(source) = &seed_source {
            // A composite private key consists of two seeds, which must be independent.
            let is_composite = algorithms[0].scheme() == Scheme::MlDsaEd25519;
            seed = Some(read_seed(source, if is_composite { 2 } else { 1 } * KEYGEN_SEED_LEN)?);
        }
        let mut password = None;
        if args.encrypt {
            password = Some(new_password(password_source.as_ref(), PASSWORD_SOURCES, report)?);
        } else {
            args.password.warn_if_unused(report);
            for pair in &pairs {
                if pair.replaces_encrypted {
                    report.warn(&format!(
                        "{}: the old private key had a password, and the new private key has no password",
                        shown(&pair.private_path)
                    ));
                }
            }
        }
        Ok(Self { args, algorithms, pairs, seed, password, level })
    }

    /// Creates and writes all pairs.
    ///
    /// # Errors
    /// Fails if a pair cannot be created or written. Earlier pairs are kept.
    fn run(&self, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
        if let ([first, second], true) = (&self.pairs[..], self.args.dual) {
            return self.make_dual([first, second], report);
        }
        // With `--count`, each thread creates different pairs. Without `--count`, all threads
        // search for the same key.
        let (pairs_at_once, threads_of_pair) = match (self.args.count, self.args.jobs) {
            (None, Some(jobs)) => (NonZeroUsize::MIN, jobs.threads(usize::MAX)),
            (_, jobs) => (jobs.unwrap_or(JobCount::ALL).threads(self.pairs.len()), NonZeroUsize::MIN),
        };
        let run = ParallelRun {
            title: "making keys",
            count: self.pairs.len(),
            threads: pairs_at_once,
            batches: BatchMode::Never,
            progress: &ProgressDisplay::new(context.output),
        };
        let mut written = PairWriter { plan: self, report, result: Ok(()) };
        run.each(&PairMaker { plan: self, threads: threads_of_pair }, &mut written);
        written.result
    }

    /// Returns the options for writing private key files.
    fn new_file(&self) -> KeyFileOptions<'_> {
        KeyFileOptions {
            style: WriteOptions::plain(self.args.format),
            password: self.password.as_ref().map(|bytes| &bytes[..]),
        }
    }

    /// Creates the two pairs for `--dual`, and prints the commands to sign and to verify with both
    /// keys. If there is an error, no file is written.
    ///
    /// # Errors
    /// Fails if a key cannot be created, or if a file cannot be written.
    fn make_dual(&self, pairs: [&PairPlan; 2], report: &mut Report) -> Result<(), Error> {
        let fingerprints = match self.write_dual(pairs) {
            Ok(fingerprints) => fingerprints,
            Err(e) => {
                report.push(pairs[0].entry(self.algorithms[0]).error(&e));
                return Err(e);
            }
        };
        let [mut private, mut public] = [String::new(), String::new()];
        for ((pair, algorithm), fingerprint) in pairs.into_iter().zip(&self.algorithms).zip(fingerprints) {
            print_file_names(pair, *algorithm, &fingerprint, report);
            private += &format!(" -k {}", pasteable_name(&pair.private_path));
            if let Some(path) = &pair.public_path {
                public += &format!(" -p {}", pasteable_name(path));
            }
            report.push(pair.entry(*algorithm).key(&fingerprint).ok());
        }
        let program = invocation();
        report.note(&format!("sign with    {program} sign{private} FILE"));
        report.note(&format!("verify with  {program} verify{public} --require all FILE"));
        Ok(())
    }

    /// Writes the four files, and returns both fingerprints.
    fn write_dual(&self, pairs: [&PairPlan; 2]) -> Result<Vec<String>, Error> {
        let mut files = Vec::new();
        let mut fingerprints = Vec::new();
        for (plan, algorithm) in pairs.into_iter().zip(&self.algorithms) {
            let pair = KeyPair::generate(self.level, *algorithm, &mut SystemRng)?;
            let (private, public) = (&plan.private, plan.public.as_ref());
            files.push(PairFiles { contents: pair.files(&self.new_file())?, private, public });
            fingerprints.push(fingerprint(&pair.public));
        }
        PairFiles::write_all(&files, self.args.overwrite_rule())?;
        Ok(fingerprints)
    }
}

/// A worker that creates pairs on several threads.
struct PairMaker<'a> {
    plan: &'a KeygenPlan<'a>,
    /// The number of threads that search for the same key.
    threads: NonZeroUsize,
}

impl ParallelWork for PairMaker<'_> {
    type Output = Result<KeyPair, Error>;

    fn file_len(&self, _: usize) -> Option<u64> {
        None
    }

    fn run(&self, pairs: Range<usize>, _: &mut Vec<u8>, _: &ProgressDisplay) -> Vec<Result<KeyPair, Error>> {
        let level = self.plan.level;
        let algorithm = self.plan.algorithms[0];
        let mut made = Vec::with_capacity(pairs.len());
        for _ in pairs {
            made.push(match &self.plan.seed {
                None => KeyPair::generate_parallel(level, algorithm, &mut SystemRng, self.threads),
                Some(seed) => {
                    KeyPair::generate_parallel(level, algorithm, &mut DeterministicRng(&seed[..]), self.threads)
                }
            });
        }
        made
    }
}

/// A writer for the pairs, which stops at the first pair that cannot be created or written.
struct PairWriter<'a, 'r> {
    plan: &'a KeygenPlan<'a>,
    report: &'r mut Report,
    result: Result<(), Error>,
}

impl PairWriter<'_, '_> {
    /// Writes a pair, and returns its fingerprint.
    fn write(&self, to: &PairPlan, pair: Result<KeyPair, Error>) -> Result<String, Error> {
        let pair = pair?;
        pair.write(&self.plan.new_file(), self.plan.args.overwrite_rule(), &to.private, to.public.as_ref())?;
        Ok(fingerprint(&pair.public))
    }
}

impl OrderedResults<Result<KeyPair, Error>> for PairWriter<'_, '_> {
    fn take(&mut self, i: usize, pair: Result<KeyPair, Error>) -> ControlFlow<()> {
        let to = &self.plan.pairs[i];
        let algorithm = self.plan.algorithms[0];
        let fingerprint = match self.write(to, pair) {
            Ok(fingerprint) => fingerprint,
            Err(e) => {
                self.report.push(to.entry(algorithm).error(&e));
                self.result = Err(e);
                return ControlFlow::Break(());
            }
        };
        if self.plan.args.count.is_some() {
            self.report.note(&format!("{}  {fingerprint}", shown(&to.private_path)));
        } else {
            if self.plan.seed.is_some() {
                self.report.note("warning: the key is for tests only: everybody who has the seed has the key");
            }
            print_files_and_commands(to, algorithm, &fingerprint, self.report);
        }
        if !self.plan.args.encrypt {
            warn_if_written_open(&to.private, self.report);
        }
        warn_if_stale(to, self.report);
        self.report.push(to.entry(algorithm).key(&fingerprint).ok());
        ControlFlow::Continue(())
    }
}

/// Prints a warning if only a private key was written, and the file with the usual name for its
/// public key contains a different key.
fn warn_if_stale(plan: &PairPlan, report: &mut Report) {
    if plan.public_path.is_some() || !plan.private.is_file() {
        return;
    }
    let public = plan.private_path.with_extension("pub");
    if is_public_key(&public) && !are_pair_files(&plan.private_path, &public) {
        report.warn(&format!(
            "{}: this file is the public key of a different private key; `fndsa pubkey -f -k {} -o {}` replaces it",
            shown(&public),
            pasteable_name(&plan.private_path),
            pasteable_name(&public)
        ));
    }
}

/// Prints the file names, and commands that the user can copy.
fn print_files_and_commands(plan: &PairPlan, algorithm: Algorithm, fingerprint: &str, report: &Report) {
    print_file_names(plan, algorithm, fingerprint, report);
    if plan.has_stdout() {
        return;
    }
    let program = invocation();
    report.note(&format!("sign with    {program} sign -k {} FILE", pasteable_name(&plan.private_path)));
    if let Some(path) = &plan.public_path {
        report.note(&format!("verify with  {program} verify -p {} FILE", pasteable_name(path)));
    } else {
        report.note(&format!("public key:  {program} pubkey -k {} -o FILE", pasteable_name(&plan.private_path)));
    }
}

/// Prints the file names and the fingerprint.
fn print_file_names(plan: &PairPlan, algorithm: Algorithm, fingerprint: &str, report: &Report) {
    let key = shown(&plan.private_path);
    report.note(&format!("private key  {key} (keep it secret)"));
    if let Some(path) = &plan.public_path {
        report.note(&format!("public key   {}", shown(path)));
    }
    report.note(&format!("fingerprint  {algorithm} {fingerprint}"));
}

/// Reads the seed, or both seeds of a composite key, raw or in hexadecimal digits. The key is
/// derived from these `len` bytes instead of random bytes.
fn read_seed(source: &InputSource, len: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let data = source.read_small()?;
    match exactly(&data, len) {
        Some(seed) => Ok(seed),
        None => Err(Error::Digest { from: source.to_string(), wanted: len, found: data.len() as u64 }),
    }
}
