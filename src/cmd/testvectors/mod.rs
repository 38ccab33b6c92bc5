//! `fndsa testvectors`: prints keys, messages and signatures that are derived from a specified
//! generator, so that two implementations can be compared line by line. ML-DSA vectors can also be
//! printed as ACVP documents. `docs/testvectors.md` defines the generator.
//!
//! - `acvp`: ML-DSA test vectors as ACVP documents

mod acvp;

use crate::tool::context::CommandContext;
use crate::tool::io::InputSource;
use crate::tool::keys::pair::KeyPair;
use crate::tool::options::algorithm::{creatable_algorithm, with_vectors};
use crate::tool::options::number::number;
use crate::tool::options::suggestions::suggesting;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Evidence, EvidenceSum, Exit, Hint, Report, ResultColor, ResultEntry, SuccessToken};
use crate::tool::sign::deterministic::{DeterministicRng, SeededStream};
use acvp::AcvpMode;
use fndsa::algorithm::{KEYGEN_SEED_LEN, SIGN_SEED_LEN, Scheme};
use fndsa::files::hex::hex;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::{Algorithm, Options};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::path::PathBuf;
use zeroize::Zeroizing;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// FN-DSA or ML-DSA algorithm [default: fn-dsa-512] (see `fndsa help algorithms`)
    #[arg(short, long, value_name = "NAME", value_parser = with_vectors(), conflicts_with = "degree",
        hide_possible_values = true)]
    algorithm: Option<Algorithm>,
    /// Degree of FN-DSA; with --allow-weak also 4 to 256
    #[arg(long, value_name = "N", default_value = "512", value_parser = suggesting(|| vec!["512", "1024"], parse_degree))]
    degree: Algorithm,
    /// Number of vectors
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number(1..=1_000_000))]
    count: u32,
    /// Print one SHA-256 digest per vector, of public key, private key and signature
    #[arg(long)]
    hash: bool,
    /// Print a JSON document in the format of NIST's ACVP (ML-DSA only)
    #[arg(long, value_enum, value_name = "MODE", conflicts_with = "hash")]
    acvp: Option<AcvpMode>,
    /// Compare the vectors with this file instead of printing them, `-` for standard input
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// Finds the FN-DSA algorithm with this degree.
fn parse_degree(text: &str) -> Result<Algorithm, &'static str> {
    for algorithm in Algorithm::of_scheme_with_toys(Scheme::FnDsa) {
        if let Some(degree) = algorithm.degree()
            && degree.n().to_string() == text
        {
            return Ok(algorithm);
        }
    }
    Err("the degrees are 512 and 1024")
}

/// The name of the generator that produces all random values. The generator hashes this name first.
/// The name must change whenever the definition of the generator changes.
const GENERATOR: &str = "fndsa-testvectors-v1";
/// The comment that is printed before the vectors.
const WARNING: &str = "# TEST VECTORS: these keys are known to everybody";
/// The bound for message lengths: each message has fewer bytes than this number.
const MESSAGE_BOUND: u16 = 1024;
/// The number of random bytes for an ML-DSA signature (rnd in FIPS 204).
const HEDGE_LEN: usize = 32;
/// The number of values in a vector. A vector is printed as a line with its number, and then a line
/// for each value.
const VALUES: usize = 7;
/// The maximum number of bytes of a line that `--check` keeps in memory. All expected lines are
/// shorter, so a longer line always differs.
const LINE_BOUND: usize = 16384;

/// A test vector.
struct TestVector {
    index: u32,
    seed: [u8; KEYGEN_SEED_LEN],
    message: Vec<u8>,
    context: Vec<u8>,
    random: Vec<u8>,
    algorithm: Algorithm,
    public: Vec<u8>,
    /// The private key. For ML-DSA, this is the expanded key, because all implementations support
    /// this form.
    private: Zeroizing<Vec<u8>>,
    signature: Vec<u8>,
}

/// Returns the number that the generator uses for an algorithm: 512 for FN-DSA-512, and 44 for
/// ML-DSA-44.
fn number_of(algorithm: Algorithm) -> u16 {
    match algorithm {
        Algorithm::ML_DSA_44 => 44,
        Algorithm::ML_DSA_65 => 65,
        Algorithm::ML_DSA_87 => 87,
        _ => match algorithm.degree() {
            Some(degree) => degree.n() as u16,
            None => 0,
        },
    }
}

/// Returns the random bytes for a signature. Every second ML-DSA signature is deterministic (with
/// 32 zeros), because some implementations accept no random bytes from the caller.
fn random_bytes(algorithm: Algorithm, index: u32, stream: &mut SeededStream) -> Vec<u8> {
    match algorithm.degree() {
        Some(_) => stream.vec(SIGN_SEED_LEN),
        None if is_deterministic(index) => vec![0; HEDGE_LEN],
        None => stream.vec(HEDGE_LEN),
    }
}

/// Returns whether the ML-DSA vector with this number contains a deterministic signature.
fn is_deterministic(index: u32) -> bool {
    index % 2 == 1
}

fn internal(e: impl std::fmt::Display) -> Error {
    Error::Internal(e.to_string())
}

impl TestVector {
    fn make(level: Level, algorithm: Algorithm, index: u32) -> Result<Self, Error> {
        let number = number_of(algorithm).to_le_bytes();
        let mut stream = SeededStream::of(&[GENERATOR.as_bytes(), &number, &index.to_le_bytes()]);
        let seed = stream.bytes();
        let message_len = u16::from_le_bytes(stream.bytes()) % MESSAGE_BOUND;
        let message = stream.vec(usize::from(message_len));
        let [context_len] = stream.bytes();
        let context = stream.vec(usize::from(context_len));
        let random = random_bytes(algorithm, index, &mut stream);

        let KeyPair { private, public, .. } = KeyPair::generate(level, algorithm, &mut DeterministicRng(&seed[..]))?;
        let mut work = vec![0; algorithm.sign_work_len().max(algorithm.import_work_len())];
        let key = SigningKeyRef::of_algorithm(level, algorithm, &private, &mut work).map_err(internal)?;
        let mut expanded = None;
        if let Some(len) = algorithm.expanded_form_len() {
            let mut form = Zeroizing::new(vec![0; len]);
            key.expanded_form_into(level, &mut form, &mut work).map_err(internal)?;
            expanded = Some(form);
        }
        let mut signature = vec![0; algorithm.signature_len()];
        let form = Options::with_context(&context);
        let rng = &mut DeterministicRng(&random[..]);
        key.sign_message(level, form, &message, rng, &mut signature, &mut work).map_err(Error::of_signing)?;
        let private = expanded.unwrap_or(private);
        Ok(Self { index, seed, message, context, random, algorithm, public, private, signature })
    }

    /// Returns the vector's values in the order of their lines.
    fn values(&self) -> [(&'static str, &[u8]); VALUES] {
        [
            ("seed", &self.seed),
            ("msg", &self.message),
            ("ctx", &self.context),
            ("rnd", &self.random),
            ("pk", &self.public),
            ("sk", &self.private),
            ("sig", &self.signature),
        ]
    }

    fn digest(&self) -> String {
        let hash = Sha256::new().chain_update(&self.public).chain_update(&self.private);
        hex(&hash.chain_update(&self.signature).finalize())
    }

    /// Returns the lines of the vector. Each line has a description of its value, for messages. If
    /// `hash` is set, there is only one line, with the digest.
    fn lines(&self, hash: bool) -> Vec<(&'static str, String)> {
        if hash {
            let line = format!("{} {} {}", self.algorithm, self.index, self.digest());
            return vec![("the digest", line)];
        }
        let mut lines = vec![("count", format!("count = {}", self.index))];
        for (name, value) in self.values() {
            lines.push((name, format!("{name} = {}", hex(value))));
        }
        lines
    }

    fn entry(&self, hash: bool) -> ResultEntry {
        let mut entry = ResultEntry::default().algorithm(self.algorithm).set("count", self.index.into());
        if hash {
            return entry.set("sha256", self.digest().into()).ok();
        }
        for (name, value) in self.values() {
            entry = entry.set(name, hex(value).into());
        }
        entry.ok()
    }
}

/// Runs `fndsa testvectors`.
///
/// # Errors
/// Fails if the algorithm is a toy (insecure, with a small degree) and `--allow-weak` is not given,
/// if the file cannot be read, or if a fault in the machine is detected.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<SuccessToken, Error> {
    let algorithm = creatable_algorithm(args.algorithm.unwrap_or(args.degree), context.weak)?;
    let level = context.level()?;
    let list = VectorList { algorithm, level, count: args.count, hash: args.hash };
    let source = args.check.as_deref().map(InputSource::from_arg);
    let progress = ProgressDisplay::new(context.output);
    match (args.acvp, source) {
        (None, None) => list.print(report),
        (None, Some(source)) => list.check(&source, &progress, report),
        (Some(mode), source) => acvp::run(mode, &list, source, &progress, report),
    }
}

/// The vectors that are printed or compared.
#[derive(Clone, Copy)]
struct VectorList {
    algorithm: Algorithm,
    level: Level,
    count: u32,
    /// True if each vector is printed as one line that contains a digest.
    hash: bool,
}

impl VectorList {
    fn vector(&self, index: u32) -> Result<TestVector, Error> {
        TestVector::make(self.level, self.algorithm, index)
    }

    fn print(&self, report: &mut Report) -> Result<SuccessToken, Error> {
        report.line(WARNING)?;
        report.line(&format!("# {}, generator {GENERATOR}", self.algorithm))?;
        for index in 0..self.count {
            let vector = self.vector(index)?;
            if !self.hash {
                report.line("")?;
            }
            for (_, line) in vector.lines(self.hash) {
                report.line(&line)?;
            }
            if report.output.json {
                report.push(vector.entry(self.hash));
            }
        }
        Ok(().into())
    }

    /// Compares a file with the vectors, up to the first difference. The returned [`SuccessToken`]
    /// allows exit code 0 only if the lines for all vectors are equal.
    fn check(
        &self,
        source: &InputSource,
        progress: &ProgressDisplay,
        report: &mut Report,
    ) -> Result<SuccessToken, Error> {
        let mut expected =
            ExpectedLines { list: *self, next_index: 0, lines: VecDeque::new(), equal: EvidenceSum::default() };
        let difference = expected.first_difference(source, progress)?;
        let lines_each = if self.hash { 1 } else { 1 + VALUES };
        self.verdict(source, difference, expected.equal.answer(self.count as usize * lines_each), report)
    }

    /// Reports the result of `--check`.
    fn verdict(
        &self,
        source: &InputSource,
        difference: Option<String>,
        answer: SuccessToken,
        report: &mut Report,
    ) -> Result<SuccessToken, Error> {
        let Self { algorithm, count, .. } = self;
        let entry = ResultEntry::of(source.path()).algorithm(*algorithm).set("vectors", (*count).into());
        match difference {
            None if answer.exit() != Exit::Ok => {
                return Err(Error::Internal("not every value was compared, and no difference was found".to_owned()));
            }
            None => {
                if report.output.quiet == 0 {
                    let what = format!(" ({count} vectors of {algorithm})");
                    report.answer(&format!("{source}: "), "OK", ResultColor::Good, &what)?;
                }
                report.push(entry.ok());
            }
            Some(words) => {
                report.add_exit(Exit::Negative);
                report.push(entry.failed("vectors_differ", &words, &Hint::NONE));
                report.answer(&format!("{source}: "), "FAILED", ResultColor::Bad, &format!(" ({words})"))?;
            }
        }
        Ok(answer)
    }
}

/// The lines that a file should contain, which are generated when they are needed.
struct ExpectedLines {
    list: VectorList,
    next_index: u32,
    lines: VecDeque<(u32, &'static str, String)>,
    /// The sum of the evidence from all comparisons of lines.
    equal: EvidenceSum,
}

impl ExpectedLines {
    /// Returns the next line, with its vector number and its description. Returns `None` after the
    /// last line.
    fn next(&mut self) -> Result<Option<(u32, &'static str, String)>, Error> {
        if self.lines.is_empty() && self.next_index < self.list.count {
            let vector = self.list.vector(self.next_index)?;
            for (what, line) in vector.lines(self.list.hash) {
                self.lines.push_back((self.next_index, what, line));
            }
            self.next_index += 1;
        }
        Ok(self.lines.pop_front())
    }

    /// Compares a line in the file, without the line end, with the next expected line. Returns the
    /// difference as text, or `None` if there is no difference. Comments and blank lines are
    /// skipped. Upper and lower case are equal.
    fn compare(&mut self, number: u64, line: &[u8]) -> Result<Option<String>, Error> {
        let line = line.trim_ascii().to_ascii_lowercase();
        if line.is_empty() || line.starts_with(b"#") {
            return Ok(None);
        }
        let Some((vector, what, expected)) = self.next()? else {
            return Ok(Some(format!("line {number}: more than {} vectors", self.list.count)));
        };
        let evidence = Evidence::of_equal(expected.to_ascii_lowercase().as_bytes(), &line);
        self.equal.add(evidence);
        if !evidence.holds() {
            return Ok(Some(format!("line {number} differs: {what} of vector {vector}")));
        }
        Ok(None)
    }

    /// Compares a file line by line, and returns the first difference as text.
    fn first_difference(&mut self, source: &InputSource, progress: &ProgressDisplay) -> Result<Option<String>, Error> {
        let mut number = 1;
        let mut line = Vec::new();
        let mut difference = Ok(None);
        source.stream(progress, |piece| {
            for byte in piece {
                if !matches!(difference, Ok(None)) {
                    return;
                }
                if *byte == b'\n' {
                    difference = self.compare(number, &line);
                    line.clear();
                    number += 1;
                } else if line.len() < LINE_BOUND {
                    line.push(*byte);
                }
            }
        })?;
        let mut difference = difference?;
        if difference.is_none() {
            difference = self.compare(number, &line)?;
        }
        if difference.is_none()
            && let Some((vector, what, _)) = self.next()?
        {
            difference = Some(format!("the list ends before {what} of vector {vector}"));
        }
        Ok(difference)
    }
}
