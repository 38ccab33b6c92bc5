//! `fndsa selftest`: for every algorithm and every level (instruction set) that this CPU supports,
//! checks the known answers and then runs rounds with wrong input.
//!
//! - `answers`: known answers, with their keys and signatures in the folder `answers`
//! - `checks`: checks of keys and signatures, including wrong input
//!
//! A round is similar to the functional test in pqm4: it generates a key and signs a message.
//! Verification must reject a changed message, a changed signature, a wrong key and a wrong scheme.
//! An operation must not change the bytes next to the output. All random bytes are fixed, so that a
//! failure can be repeated and levels can be compared.

mod answers;
mod checks;

use crate::tool::context::CommandContext;
use crate::tool::io::random::SystemRng;
use crate::tool::options::algorithm;
use crate::tool::options::number::number;
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Hint, Report, ResultColor, ResultEntry};
use crate::tool::sign::deterministic::{DeterministicRng, SeededStream};
use answers::{ANSWERS, KnownAnswerTest};
use checks::{CheckResult, ContextMessage, GuardedKeys, check_signature};
use fndsa::Algorithm;
use fndsa::no_alloc::Level;
use rand_core::TryRng;
use sha2::{Digest, Sha256};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Algorithm to test, repeatable [default: all that can sign] (see `fndsa help algorithms`)
    #[arg(short, long, value_name = "NAME", value_parser = algorithm::one_of(is_known), hide_possible_values = true)]
    algorithm: Vec<Algorithm>,
    /// Number of rounds for each level and algorithm
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = number(0..=1_000_000))]
    rounds: u32,
}

/// Returns whether there are known answers for an algorithm.
fn is_known(algorithm: Algorithm) -> bool {
    ANSWERS.iter().any(|answer| answer.algorithm == algorithm)
}

/// Runs a round with a new key, a message, a signature and wrong input. `before` has the keys of
/// the previous round, with which the signature must not be valid. After the round, `before` has
/// the new keys. Returns a digest of all outputs.
fn run_round(
    level: Level,
    algorithm: Algorithm,
    number: u32,
    before: &mut Option<GuardedKeys>,
) -> Result<[u8; 32], String> {
    let name = algorithm.to_string();
    let mut stream = SeededStream::of(&[b"fndsa-selftest", name.as_bytes(), &number.to_le_bytes()]);
    let [context_len] = stream.bytes();
    let [message_len] = stream.bytes();
    let context_len = if algorithm.scheme().has_context() { context_len } else { 0 };
    let context = stream.vec(context_len.into());
    let message = stream.vec(message_len.into());
    let message = ContextMessage { context: &context, bytes: &message };
    let bit = u32::from_le_bytes(stream.bytes()) as usize;
    let mut rng = DeterministicRng(stream);
    let keys = GuardedKeys::generate(level, algorithm, &mut rng)?;
    let other = match before.take() {
        Some(other) => other,
        None => GuardedKeys::generate(level, algorithm, &mut rng)?,
    };
    let signature = keys.sign(level, message, &mut rng)?;
    check_signature(level, &keys, &other, message, signature.bytes(), bit)?;
    let outputs = [keys.private.bytes(), keys.public.bytes(), signature.bytes()].concat();
    *before = Some(keys);
    Ok(Sha256::digest(outputs).into())
}

/// Runs all rounds for an algorithm on a level. On the first level, `first` is empty, and this
/// function adds the digests of the rounds. On all other levels, a digest that differs from the
/// digest in `first` is an error.
fn run_rounds(
    level: Level,
    algorithm: Algorithm,
    first: &mut Vec<[u8; 32]>,
    count: u32,
    mut step: impl FnMut(),
) -> CheckResult {
    let mut before = None;
    for number in 0..count {
        let digest =
            run_round(level, algorithm, number, &mut before).map_err(|reason| format!("round {number}: {reason}"))?;
        match first.get(number as usize) {
            Some(expected) if *expected != digest => {
                return Err(format!("round {number}: the bytes differ from the other levels"));
            }
            Some(_) => {}
            None => first.push(digest),
        }
        step();
    }
    Ok(())
}

/// Checks that two outputs of the system's random generator differ.
fn check_system_randomness() -> CheckResult {
    let mut bytes = [[0; 32]; 2];
    for bytes in &mut bytes {
        SystemRng.try_fill_bytes(bytes).map_err(|e| e.to_string())?;
    }
    if bytes[0] == bytes[1] || bytes.contains(&[0; 32]) { Err("it repeats".to_owned()) } else { Ok(()) }
}

/// The number of passed checks, and the number of all checks so far.
#[derive(Default)]
struct CheckScore {
    passed: usize,
    total: usize,
}

impl CheckScore {
    /// Reports a check's outcome.
    fn add(
        &mut self,
        report: &mut Report,
        names: &[&str],
        entry: ResultEntry,
        outcome: &CheckResult,
    ) -> Result<(), Error> {
        self.total += 1;
        let before = format!("{}: ", names.join(" "));
        match outcome {
            Ok(()) => {
                self.passed += 1;
                report.push(entry.ok());
                if report.output.quiet == 0 { report.answer(&before, "ok", ResultColor::Good, "") } else { Ok(()) }
            }
            Err(reason) => {
                report.push(entry.failed("self_test_failed", reason, &Hint::NONE));
                report.answer(&before, "FAILED", ResultColor::Bad, &format!(" ({reason})"))
            }
        }
    }
}

/// Runs `fndsa selftest`.
///
/// # Errors
/// Fails if a check fails.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<(), Error> {
    let levels = if context.levels.is_empty() { Level::available().collect() } else { context.levels.clone() };
    let mut score = CheckScore::default();
    score.add(
        report,
        &["system randomness"],
        ResultEntry::default().set("check", "randomness".into()),
        &check_system_randomness(),
    )?;
    let mut answers = Vec::new();
    for answer in ANSWERS {
        if args.algorithm.is_empty() || args.algorithm.contains(&answer.algorithm) {
            answers.push(answer);
        }
    }
    let of_each = KnownAnswerTest::CHECKS.len() + usize::from(args.rounds > 0);
    let planned = 1 + levels.len() * answers.len() * of_each;
    let steps = (levels.len() * answers.len()) as u64 * u64::from(args.rounds);
    let mut bar = ProgressDisplay::new(context.output).steps("self test", steps);
    let mut position = 0;
    for answer in answers {
        let algorithm = answer.algorithm;
        let name = algorithm.to_string();
        let mut first = Vec::new();
        let mut first_signature = None;
        for level in &levels {
            let entry = |check: &str| {
                ResultEntry::default()
                    .algorithm(algorithm)
                    .set("backend", level.name().into())
                    .set("check", check.into())
            };
            let mut known = KnownAnswerTest::new(*level, answer, &mut first_signature);
            for (check, run) in KnownAnswerTest::CHECKS {
                let outcome = run(&mut known);
                bar.pause(|| score.add(report, &[level.name(), &name, check], entry(check), &outcome))?;
            }
            if args.rounds > 0 {
                let outcome = run_rounds(*level, algorithm, &mut first, args.rounds, || {
                    position += 1;
                    bar.at(position);
                });
                let entry = entry("rounds").set("rounds", args.rounds.into());
                let check = format!("{} round{}", args.rounds, if args.rounds == 1 { "" } else { "s" });
                bar.pause(|| score.add(report, &[level.name(), &name, &check], entry, &outcome))?;
            }
        }
    }
    // A check that was skipped must not count as passed.
    if score.passed != planned || score.total != planned {
        return Err(Error::SelfTest { failed: planned.max(score.total) - score.passed, total: planned });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fndsa::algorithm::Degree;

    #[test]
    fn levels_that_differ_fail() {
        for algorithm in algorithm::all().filter(|algorithm| algorithm.degree() != Some(Degree::N1024)) {
            let level = Level::detect();
            let mut first = Vec::new();
            assert_eq!(run_rounds(level, algorithm, &mut first, 2, || ()), Ok(()));
            assert_eq!(run_rounds(Level::EMULATED, algorithm, &mut first, 2, || ()), Ok(()));
            first[1][31] ^= 1;
            assert_eq!(
                run_rounds(level, algorithm, &mut first, 2, || ()),
                Err("round 1: the bytes differ from the other levels".to_owned())
            );
        }
    }
}
