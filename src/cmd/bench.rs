//! `fndsa bench`: how fast this machine is.
//!
//! One sample is the mean of a batch of calls that is long against the clock's resolution; the
//! batch size comes from the warm-up. Every call does all of its work: each signature has fresh
//! randomness, verification goes round a set of signatures, and hashing the message is a part of both.

use super::Context;
use super::algorithm::{may_make, parse_algorithm};
use super::keygen::Pair;
use super::machine;
use super::message::{hash_message, sign_message};
use super::progress::Progress;
use super::report::{Error, Report};
use super::statistics::Summary;
use fndsa::{Algorithm, ExpandedSigningKey, ExpandedVerifyingKey, Form, KeyHash, Level, SigningKey, VerifyingKey};
use getrandom::SysRng;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Operations; all if none is named
    #[arg(value_enum, value_name = "OP")]
    ops: Vec<Op>,
    /// Algorithm that signs, repeatable [default: fn-dsa-512 and fn-dsa-1024]
    #[arg(short, long, value_name = "NAME", value_parser = parse_algorithm)]
    algorithm: Vec<Algorithm>,
    /// Seconds for each operation, after the warm-up
    #[arg(short, long, value_name = "SECS", default_value_t = 1.0, value_parser = parse_seconds)]
    time: f64,
    /// Samples of each operation
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(3..=100_000))]
    samples: u32,
    /// Bytes of the messages
    #[arg(long, value_name = "BYTES", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(..=1 << 30))]
    message_size: u32,
}

fn parse_seconds(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0.001 to 3600"),
    }
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Op {
    /// A new key pair
    Keygen,
    /// Load a private key and sign
    Sign,
    /// Sign with a key that is ready
    SignRepeat,
    /// Load a public key and verify
    Verify,
    /// Verify with a key that is ready
    VerifyRepeat,
}

impl Op {
    fn name(self) -> &'static str {
        match self {
            Self::Keygen => "keygen",
            Self::Sign => "sign",
            Self::SignRepeat => "sign-repeat",
            Self::Verify => "verify",
            Self::VerifyRepeat => "verify-repeat",
        }
    }
}

const ALL: [Op; 5] = [Op::Keygen, Op::Sign, Op::SignRepeat, Op::Verify, Op::VerifyRepeat];
/// Different signatures that verification goes round.
const SIGNATURES: usize = 16;
/// What is signed: the message as it is.
const PLAIN: Form<'static> = Form { context: b"", prehash: None };

/// One line of the result.
struct Row {
    op: Op,
    algorithm: Algorithm,
    level: Level,
    samples: usize,
    batch: u64,
    ns: Summary,
}

/// Runs the command.
///
/// # Errors
/// An operation failed, or the result could not be written.
pub fn run(args: &Args, context: &Context, report: &mut Report) -> Result<(), Error> {
    let algorithms = match &args.algorithm[..] {
        [] => vec![Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024],
        given => given.iter().map(|it| may_make(*it, context.weak)).collect::<Result<_, _>>()?,
    };
    let levels = if context.levels.is_empty() { vec![Level::detect()] } else { context.levels.clone() };
    let ops = if args.ops.is_empty() { ALL.to_vec() } else { args.ops.clone() };
    let env = machine::describe();
    let warnings = machine::warnings(&env);
    for warning in &warnings {
        report.note(&format!("warning: {warning}"));
    }
    report.line(&heading())?;
    let mut bar = Progress::new(context.voice).steps("measuring", (algorithms.len() * levels.len() * ops.len()) as u64);
    let mut done = 0;
    for &algorithm in &algorithms {
        for &level in &levels {
            let mut bench = Bench::new(algorithm, level, args)?;
            for &op in &ops {
                bar.at(done);
                let row = bench.measure(op, args)?;
                done += 1;
                report.line(&line(&row))?;
                report.push_value(value(&row, args));
            }
        }
    }
    drop(bar);
    report.set("env", env);
    report.set("warnings", json!(warnings));
    Ok(())
}

/// Keys, messages and signatures of one algorithm and level, ready.
struct Bench {
    level: Level,
    algorithm: Algorithm,
    pair: Pair,
    hash: KeyHash,
    signer: Box<ExpandedSigningKey>,
    verifier: Box<ExpandedVerifyingKey>,
    messages: Vec<Vec<u8>>,
    signatures: Vec<Vec<u8>>,
    work: Vec<u8>,
}

fn internal(e: impl std::fmt::Display) -> Error {
    Error::Internal(e.to_string())
}

impl Bench {
    fn new(algorithm: Algorithm, level: Level, args: &Args) -> Result<Self, Error> {
        let pair = Pair::generate(level, algorithm, &mut SysRng)?;
        let degree = algorithm.degree;
        let mut work = vec![0; degree.sign_work_len().max(algorithm.verify_work_len())];
        let key = SigningKey::from_bytes(level, algorithm.scheme, &pair.private, &mut work).map_err(internal)?;
        let (hash, signer) = (key.key_hash(), key.expand(level, &mut work).map_err(internal)?);
        let verifier = VerifyingKey::from_bytes(algorithm.scheme, &pair.public).map_err(internal)?.expand(level);
        let (mut messages, mut signatures) = (Vec::new(), Vec::new());
        for i in 0..SIGNATURES {
            let message = vec![i as u8; args.message_size as usize];
            let mut signature = vec![0; degree.signature_len()];
            sign_message(level, algorithm.scheme, &hash, PLAIN, &message, &mut SysRng, |message, rng| {
                signer.sign(message, rng, &mut signature, &mut work)
            })?;
            messages.push(message);
            signatures.push(signature);
        }
        Ok(Self { level, algorithm, pair, hash, signer, verifier, messages, signatures, work })
    }

    /// The operation once; `turn` chooses the message.
    fn once(&mut self, op: Op, turn: usize) -> Result<(), Error> {
        let (level, algorithm, turn) = (self.level, self.algorithm, turn % SIGNATURES);
        let scheme = algorithm.scheme;
        let (message, signature, work) = (&self.messages[turn], &self.signatures[turn], &mut self.work);
        let mut fresh = [0; 1280];
        let fresh = &mut fresh[..algorithm.degree.signature_len()];
        match op {
            Op::Keygen => {
                black_box(Pair::generate(level, algorithm, &mut SysRng)?);
            }
            Op::Sign => {
                let key = SigningKey::from_bytes(level, scheme, &self.pair.private, work).map_err(internal)?;
                sign_message(level, scheme, &key.key_hash(), PLAIN, message, &mut SysRng, |message, rng| {
                    key.sign(level, message, rng, fresh, work)
                })?;
            }
            Op::SignRepeat => {
                sign_message(level, scheme, &self.hash, PLAIN, message, &mut SysRng, |message, rng| {
                    self.signer.sign(message, rng, fresh, work)
                })?;
            }
            Op::Verify => {
                let key = VerifyingKey::from_bytes(scheme, &self.pair.public).map_err(internal)?;
                let hash = key.key_hash(level);
                let hashed = hash_message(level, algorithm, &hash, PLAIN, message, signature).map_err(internal)?;
                key.verify(level, &hashed, signature, work).map_err(internal)?;
            }
            Op::VerifyRepeat => {
                let hash = self.verifier.key_hash();
                let hashed = hash_message(level, algorithm, &hash, PLAIN, message, signature).map_err(internal)?;
                self.verifier.verify(&hashed, signature, work).map_err(internal)?;
            }
        }
        black_box(fresh);
        Ok(())
    }

    /// Warm-up of a fifth of the time, then samples of equal batches. At least three samples are
    /// taken however long one takes; no more are begun when twice the time is over.
    fn measure(&mut self, op: Op, args: &Args) -> Result<Row, Error> {
        let time = Duration::from_secs_f64(args.time);
        let (start, mut calls) = (Instant::now(), 0);
        while calls == 0 || start.elapsed() < time / 5 {
            self.once(op, calls)?;
            calls += 1;
        }
        let one = start.elapsed().as_secs_f64() / calls as f64;
        let batch = (args.time / f64::from(args.samples) / one).round().max(1.0) as u64;
        let (start, mut samples) = (Instant::now(), Vec::new());
        while samples.len() < args.samples as usize && (samples.len() < 3 || start.elapsed() < time * 2) {
            let begin = Instant::now();
            for turn in 0..batch {
                self.once(op, turn as usize)?;
            }
            samples.push(begin.elapsed().as_nanos() as f64 / batch as f64);
        }
        let (algorithm, level) = (self.algorithm, self.level);
        Ok(Row { op, algorithm, level, samples: samples.len(), batch, ns: Summary::of(&samples) })
    }
}

fn heading() -> String {
    format!(
        "{:<14} {:<16} {:<9} {:>10} {:>10} {:>10} {:>10} {:>11}",
        "op", "algorithm", "level", "median", "MAD", "min", "p95", "ops/s"
    )
}

fn line(row: &Row) -> String {
    let ns = &row.ns;
    format!(
        "{:<14} {:<16} {:<9} {:>10} {:>10} {:>10} {:>10} {:>11.1}",
        row.op.name(),
        row.algorithm.to_string(),
        row.level.name(),
        duration(ns.median),
        duration(ns.mad),
        duration(ns.min),
        duration(ns.p95),
        1e9 / ns.median
    )
}

/// Nanoseconds with a fitting unit.
fn duration(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{ns:.0} ns"),
        ..1e6 => format!("{:.2} us", ns / 1e3),
        ..1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

fn value(row: &Row, args: &Args) -> Value {
    let tenths = |ns: f64| (ns * 10.0).round() / 10.0;
    let ns = &row.ns;
    json!({
        "op": row.op.name(),
        "algorithm": row.algorithm.to_string(),
        "backend": row.level.name(),
        "message_bytes": args.message_size,
        "threads": 1,
        "samples": row.samples,
        "calls_per_sample": row.batch,
        "ns": {
            "median": tenths(ns.median),
            "mean": tenths(ns.mean),
            "mad": tenths(ns.mad),
            "min": tenths(ns.min),
            "p95": tenths(ns.p95),
        },
        "ops_per_s": tenths(1e9 / ns.median),
    })
}
