//! `fndsa testvectors`: keys, messages and signatures from a stated generator, so that any two
//! implementations can be compared line by line. `docs/testvectors.md` has the definition.

use crate::tool::context::CommandContext;
use crate::tool::io::InputSource;
use crate::tool::options::algorithm::may_make;
use crate::tool::options::number::number;
use crate::tool::options::offering::offering;
use crate::tool::report::progress::Progress;
use crate::tool::report::{Answer, Entry, Error, Exit, Report, Tally, Tone, Yes};
use crate::tool::work::deterministic::{Deterministic, SeededStream};
use crate::tool::work::pair::Pair;
use fndsa::files::hex::hex;
use fndsa::{Algorithm, Form, KEYGEN_SEED_LEN, Level, SIGN_SEED_LEN, Scheme, SigningKey};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Degree: 512 or 1024; with --allow-weak also 4 to 256
    #[arg(long, value_name = "N", default_value = "512", value_parser = offering(|| vec!["512", "1024"], parse_degree))]
    degree: Algorithm,
    /// Number of vectors
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number(1..=1_000_000))]
    count: u32,
    /// One line for each vector: SHA-256 of public key, private key and signature
    #[arg(long)]
    hash: bool,
    /// Compare with the lines of this file instead of printing, `-` for standard input
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// Finds FN-DSA at a degree.
fn parse_degree(text: &str) -> Result<Algorithm, &'static str> {
    let is_asked = |algorithm: &Algorithm| algorithm.degree().is_some_and(|degree| degree.n().to_string() == text);
    Algorithm::of_scheme(Scheme::FnDsa).find(is_asked).ok_or("the degrees are 512 and 1024")
}

/// The first input of the generator. Another definition gets another name.
const GENERATOR: &str = "fndsa-testvectors-v1";
/// The comment before the vectors.
const WARNING: &str = "# TEST VECTORS: these keys are known to everybody";
/// Messages have fewer bytes than this.
const MESSAGE_BOUND: u16 = 1024;
/// Values of a vector, each on a line behind the line of its number.
const VALUES: usize = 7;
/// Bytes of a line of a list; none is as long as this.
const LINE_BOUND: usize = 8192;

/// One vector.
struct Vector {
    index: u32,
    seed: [u8; KEYGEN_SEED_LEN],
    message: Vec<u8>,
    context: Vec<u8>,
    random: [u8; SIGN_SEED_LEN],
    pair: Pair,
    signature: Vec<u8>,
}

impl Vector {
    fn make(level: Level, algorithm: Algorithm, index: u32) -> Result<Self, Error> {
        let n = algorithm.degree().map_or(0, |degree| degree.n() as u16);
        let mut stream = SeededStream::of(&[GENERATOR.as_bytes(), &n.to_le_bytes(), &index.to_le_bytes()]);
        let seed = stream.bytes();
        let message_len = u16::from_le_bytes(stream.bytes()) % MESSAGE_BOUND;
        let message = stream.vec(usize::from(message_len));
        let [context_len] = stream.bytes();
        let context = stream.vec(usize::from(context_len));
        let random = stream.bytes();

        let internal = |e: &dyn std::fmt::Display| Error::Internal(e.to_string());
        let pair = Pair::generate(level, algorithm, &mut Deterministic(&seed[..]))?;
        let mut work = vec![0; algorithm.sign_work_len()];
        let key = SigningKey::from_bytes(level, Scheme::FnDsa, &pair.private, &mut work).map_err(|e| internal(&e))?;
        let mut signature = vec![0; algorithm.signature_len()];
        let form = Form { context: &context, prehash: None };
        let rng = &mut Deterministic(&random[..]);
        key.sign_message(level, form, &message, rng, &mut signature, &mut work).map_err(Error::of_signing)?;
        Ok(Self { index, seed, message, context, random, pair, signature })
    }

    /// Returns the values, in the order of the list.
    fn values(&self) -> [(&'static str, &[u8]); VALUES] {
        [
            ("seed", &self.seed),
            ("msg", &self.message),
            ("ctx", &self.context),
            ("rnd", &self.random),
            ("pk", &self.pair.public),
            ("sk", &self.pair.private),
            ("sig", &self.signature),
        ]
    }

    fn digest(&self) -> String {
        let hash = Sha256::new().chain_update(&self.pair.public).chain_update(&self.pair.private);
        hex(&hash.chain_update(&self.signature).finalize())
    }

    /// Returns the lines, and what each of them is. With `hash` there is one, with the digest.
    fn lines(&self, hash: bool) -> Vec<(&'static str, String)> {
        if hash {
            let line = format!("{} {} {}", self.pair.algorithm, self.index, self.digest());
            return vec![("the digest", line)];
        }
        let values = self.values().into_iter().map(|(name, value)| (name, format!("{name} = {}", hex(value))));
        std::iter::once(("count", format!("count = {}", self.index))).chain(values).collect()
    }

    fn entry(&self, hash: bool) -> Entry {
        let entry = Entry::default().algorithm(self.pair.algorithm).set("count", self.index.into());
        if hash {
            return entry.set("sha256", self.digest().into()).ok();
        }
        self.values().into_iter().fold(entry, |entry, (name, value)| entry.set(name, hex(value).into())).ok()
    }
}

/// Runs the command.
///
/// # Errors
/// A toy without leave, a file that cannot be read, or a machine that errs.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<Answer, Error> {
    may_make(args.degree, context.weak)?;
    let level = context.level()?;
    if let Some(path) = &args.check {
        return check(args, level, &InputSource::from_arg(path), &Progress::new(context.voice), report);
    }
    report.line(WARNING)?;
    report.line(&format!("# {}, generator {GENERATOR}", args.degree))?;
    for index in 0..args.count {
        let vector = Vector::make(level, args.degree, index)?;
        if !args.hash {
            report.line("")?;
        }
        for (_, line) in vector.lines(args.hash) {
            report.line(&line)?;
        }
        if context.voice.json {
            report.push(vector.entry(args.hash));
        }
    }
    Ok(().into())
}

/// The lines that a file should have, made as they are needed.
struct Expected<'a> {
    args: &'a Args,
    level: Level,
    made: u32,
    lines: VecDeque<(u32, &'static str, String)>,
    /// The lines that were equal.
    equal: Tally,
}

impl Expected<'_> {
    /// Returns the next line: number of the vector, what the line is, the line. `None` after the last one.
    fn next(&mut self) -> Result<Option<(u32, &'static str, String)>, Error> {
        if self.lines.is_empty() && self.made < self.args.count {
            let vector = Vector::make(self.level, self.args.degree, self.made)?;
            self.lines.extend(vector.lines(self.args.hash).into_iter().map(|(what, line)| (self.made, what, line)));
            self.made += 1;
        }
        Ok(self.lines.pop_front())
    }

    /// Compares a line of the file, without its end, with the next one here, and returns in words where they differ.
    /// Comments and blank lines do not count.
    fn compare(&mut self, number: u64, line: &[u8]) -> Result<Option<String>, Error> {
        let line = line.trim_ascii().to_ascii_lowercase();
        if line.is_empty() || line.starts_with(b"#") {
            return Ok(None);
        }
        let Some((vector, what, expected)) = self.next()? else {
            return Ok(Some(format!("line {number}: more than {} vectors", self.args.count)));
        };
        let yes = Yes::of_equal(expected.to_ascii_lowercase().as_bytes(), &line);
        self.equal.add(yes);
        Ok((!yes.holds()).then(|| format!("line {number} differs: {what} of vector {vector}")))
    }
}

/// Compares a file, line by line, up to the first difference. YES if every line of every vector is equal.
fn check(
    args: &Args,
    level: Level,
    source: &InputSource,
    progress: &Progress,
    report: &mut Report,
) -> Result<Answer, Error> {
    let mut expected = Expected { args, level, made: 0, lines: VecDeque::new(), equal: Tally::default() };
    let mut number = 1;
    let mut line = Vec::new();
    let mut difference = Ok(None);
    source.stream(progress, |piece| {
        for byte in piece {
            if !matches!(difference, Ok(None)) {
                return;
            }
            if *byte == b'\n' {
                difference = expected.compare(number, &line);
                line.clear();
                number += 1;
            } else if line.len() < LINE_BOUND {
                line.push(*byte);
            }
        }
    })?;
    let mut difference = difference?;
    if difference.is_none() {
        difference = expected.compare(number, &line)?;
    }
    if difference.is_none() {
        let missing = |(vector, what, _)| format!("the list ends before {what} of vector {vector}");
        difference = expected.next()?.map(missing);
    }
    let entry = Entry::of(source.path()).algorithm(args.degree).set("vectors", args.count.into());
    let lines_each = if args.hash { 1 } else { 1 + VALUES };
    let answer = expected.equal.answer(args.count as usize * lines_each);
    match difference {
        None if answer.exit() != Exit::Ok => {
            return Err(Error::Internal("not every line was compared, and no difference was found".to_owned()));
        }
        None => {
            if report.voice.quiet == 0 {
                let what = format!(" ({} vectors of {})", args.count, args.degree);
                report.answer(&format!("{source}: "), "OK", Tone::Good, &what)?;
            }
            report.push(entry.ok());
        }
        Some(words) => {
            report.add_exit(Exit::Negative);
            report.push(entry.failed("vectors_differ", &words, None));
            report.answer(&format!("{source}: "), "FAILED", Tone::Bad, &format!(" ({words})"))?;
        }
    }
    Ok(answer)
}
