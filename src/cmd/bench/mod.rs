//! `fndsa bench`: how fast this machine is.
//!
//! | file | what |
//! |---|---|
//! | `work` | what is timed |
//! | `measure` | how it is timed |
//! | `statistics` | what the times say |
//! | `profile` | where the time of an operation goes |
//! | `machine` | the machine that it was timed on |
//! | `compare` | the rows of an earlier run |
//! | `row` | one line of the result, and its forms |

mod compare;
mod machine;
mod measure;
mod profile;
mod row;
mod statistics;
mod work;

use crate::tool::context::CommandContext;
use crate::tool::io::{Access, Destination, Force, InputSource, stdin_once};
use crate::tool::options::algorithm::{may_make, signing_algorithm};
use crate::tool::options::jobs::Jobs;
use crate::tool::options::number::{number, size};
use crate::tool::report::progress::Progress;
use crate::tool::report::{Answer, Error, Exit, Report, Tally, Tone, Yes};
use compare::{Baseline, RowKey, Trend};
use fndsa::{Algorithm, Level};
use measure::{NOISY, Schedule, measure};
use profile::Profiler;
use row::{Columns, Printer, ResultForm, ResultRow};
use serde_json::{Value, json};
use std::path::PathBuf;
use work::{BenchKeys, Op, TimedPart, What, message_size};

/// How much slower is a regression, in percent, unless another limit is given: a quiet machine varies by that from one
/// run to the next.
const MAX_REGRESSION: f64 = 5.0;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Operations; all if none is named, and no --subroutine
    #[arg(value_enum, value_name = "OP")]
    ops: Vec<Op>,
    /// Algorithm that signs, repeatable [default: fn-dsa-512 and fn-dsa-1024]
    #[arg(short, long, value_name = "NAME", value_parser = signing_algorithm())]
    algorithm: Vec<Algorithm>,
    /// A part of operations, repeatable
    #[arg(long, value_enum, value_name = "PART")]
    subroutine: Vec<TimedPart>,
    /// Also sign with the library's faster generator, which gives other signatures from the same randomness
    #[arg(long)]
    fast_rng: bool,
    /// Seconds for each operation, after the warm-up
    #[arg(short, long, value_name = "SECS", default_value_t = 1.0, value_parser = parse_seconds)]
    time: f64,
    /// Seconds of warm-up [default: a fifth of the time]
    #[arg(short, long, value_name = "SECS", value_parser = parse_warm_up)]
    warm_up: Option<f64>,
    /// Samples of each operation and thread
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number(3..=100_000))]
    samples: u32,
    /// Bytes of the messages; with K, M or G times 1024, 1024^2 or 1024^3 [default: 1024; of ML-DSA the published messages, of 26]
    #[arg(long, value_name = "BYTES", value_parser = size(0..=1 << 30))]
    message_size: Option<u32>,
    /// Do the same on N threads at once; `all`: on as many as there are cores
    #[arg(short, long, value_name = "N", default_value = "1")]
    jobs: Jobs,
    /// Say where the time of each operation goes
    #[arg(long)]
    profile: bool,
    /// Form of the result
    #[arg(long, value_enum, value_name = "FORM", default_value_t = ResultForm::Table)]
    format: ResultForm,
    /// Write the document of --json to this file as well
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
    /// Replace an existing file
    #[arg(short, long, requires = "export_json")]
    force: bool,
    /// Compare with the exported document of an earlier run on this machine, `-` for standard input
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// How much slower than the baseline a median may be, in percent [default: 5]
    #[arg(long, value_name = "PCT", requires = "baseline", value_parser = parse_percent)]
    max_regression: Option<f64>,
}

fn decimal(text: &str, range: std::ops::RangeInclusive<f64>) -> Option<f64> {
    text.parse().ok().filter(|number| range.contains(number))
}

fn parse_seconds(text: &str) -> Result<f64, &'static str> {
    decimal(text, 0.001..=3600.0).ok_or("a number of seconds from 0.001 to 3600")
}

fn parse_warm_up(text: &str) -> Result<f64, &'static str> {
    decimal(text, 0.0..=3600.0).ok_or("a number of seconds from 0 to 3600")
}

fn parse_percent(text: &str) -> Result<f64, &'static str> {
    decimal(text, 0.0..=1e6).ok_or("a number of percent from 0 to 1000000")
}

/// Returns what is measured: the operations and parts named, or all operations.
fn wanted(args: &Args) -> Vec<What> {
    let ops = args.ops.iter().map(|op| What::Op(*op));
    let named: Vec<_> = ops.chain(args.subroutine.iter().map(|part| What::Part(*part))).collect();
    let mut whats = if named.is_empty() { What::ALL.to_vec() } else { named };
    if args.fast_rng {
        // Next to what it is compared with.
        let place = whats.iter().position(|what| *what == What::Op(Op::SignRepeat));
        whats.insert(place.map_or(whats.len(), |place| place + 1), What::Op(Op::SignFastRng));
    }
    whats
}

/// Everything that is known before the first measurement.
struct Session<'a> {
    args: &'a Args,
    plan: Schedule,
    threads: usize,
    levels: Vec<Level>,
    whats: Vec<What>,
    algorithms: Vec<Algorithm>,
    baseline: Option<Baseline>,
    limit: f64,
}

/// Runs the command. Files are looked at before anything is measured.
///
/// # Errors
/// An operation failed, the baseline is of no use, or a result could not be written.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<Answer, Error> {
    if report.voice.json && !matches!(args.format, ResultForm::Table | ResultForm::Json) {
        return Err(Error::JsonFormat);
    }
    // From here on as with --json.
    report.voice.json |= args.format == ResultForm::Json;
    let algorithms = match &args.algorithm[..] {
        [] => vec![Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024],
        given => given.iter().map(|it| may_make(*it, context.weak)).collect::<Result<_, _>>()?,
    };
    refuse_parts(args, &algorithms)?;
    let levels = if context.levels.is_empty() { vec![Level::detect()] } else { context.levels.clone() };
    let env = machine::describe();
    let export = export(args)?;
    let progress = Progress::new(report.voice);
    let source = args.baseline.as_deref().map(InputSource::from_arg);
    stdin_once(&source)?;
    if let Some(path) = &args.export_json {
        Destination::refuse_inputs(path, &source)?;
    }
    let baseline = source.map(|source| Baseline::read(source, &env, &progress)).transpose()?;
    let session = Session {
        args,
        plan: Schedule { time: args.time, warm_up: args.warm_up.unwrap_or(args.time / 5.0), samples: args.samples },
        threads: args.jobs.threads(usize::MAX).get(),
        levels,
        whats: wanted(args),
        algorithms,
        baseline,
        limit: args.max_regression.unwrap_or(MAX_REGRESSION),
    };
    if args.profile && !session.whats.iter().any(|what| matches!(what, What::Op(_))) {
        return Err(Error::CommandLine {
            message: "--profile without an operation".to_owned(),
            hint: "name one, for example sign; parts have no parts".to_owned(),
        });
    }
    session.refuse_other_rows(report)?;
    let mut warnings = machine::warnings(&env);
    warnings.extend(machine::shared_cores(&env, session.threads));
    warnings.extend(session.baseline.as_ref().and_then(Baseline::warning));
    for warning in &warnings {
        report.note(&format!("warning: {warning}"));
    }
    if let Some(hz) = env["counter_hz"].as_u64() {
        let clock = machine::megahertz(hz);
        report.note(&format!("note: cycles/op are ticks of a counter of {clock}, whatever the clock of the core is"));
    }
    let (results, answer) = session.measure_all(&progress, report)?;
    if results.iter().any(|result| result["noisy"] == true) {
        let text = session.noise();
        report.note(&format!("warning: {text}"));
        warnings.push(text);
    }
    report.set("env", env);
    report.set("warnings", json!(warnings));
    results.iter().for_each(|result| report.push_value(result.clone()));
    if let Some(export) = export {
        export.write(report.document("bench", results).as_bytes())?;
    }
    Ok(answer)
}

/// Refuses what only the family of FN-DSA has where ML-DSA is measured, too.
fn refuse_parts(args: &Args, algorithms: &[Algorithm]) -> Result<(), Error> {
    let Some(other) = algorithms.iter().find(|algorithm| algorithm.degree().is_none()) else { return Ok(()) };
    let options =
        [("--subroutine", !args.subroutine.is_empty()), ("--fast-rng", args.fast_rng), ("--profile", args.profile)];
    let Some((option, _)) = options.into_iter().find(|(_, given)| *given) else { return Ok(()) };
    Err(Error::CommandLine {
        message: format!("{option} with {other}"),
        hint: "its parts are those of FN-DSA and Falcon; measure operations of ML-DSA without it".to_owned(),
    })
}

/// Returns where the document goes beside standard output.
fn export(args: &Args) -> Result<Option<Destination>, Error> {
    let Some(path) = &args.export_json else { return Ok(None) };
    if Destination::names_stdout(path) {
        return Err(Error::ExportOnStdout);
    }
    let force = Force::of(args.force);
    Destination::new(path, force, Access::Public).map(Some)
}

impl Session<'_> {
    /// Returns the warning about rows that are marked.
    fn noise(&self) -> String {
        let longer = (2.0 * self.plan.time).max(5.0);
        format!(
            "rows with ! say little, their median is not known to {NOISY} %: run again when idle, or with --time {longer}"
        )
    }

    /// Returns what a row is about, as documents name it.
    fn key(&self, what: What, algorithm: Algorithm, level: Level) -> RowKey {
        RowKey {
            op: what.name().to_owned(),
            algorithm: algorithm.to_string(),
            backend: level.name().to_owned(),
            message_bytes: self.message_bytes(what, algorithm).into(),
            threads: self.threads as u64,
        }
    }

    /// Returns the bytes of the messages; 0 for parts, which have no message.
    fn message_bytes(&self, what: What, algorithm: Algorithm) -> u32 {
        match what {
            What::Op(_) => self.args.message_size.unwrap_or_else(|| message_size(algorithm)),
            What::Part(_) => 0,
        }
    }

    /// Returns all rows: of each algorithm and operation the levels one below the other.
    fn rows(&self) -> impl Iterator<Item = (Algorithm, What, Level)> {
        let whats = &self.whats;
        let levels = &self.levels;
        self.algorithms.iter().flat_map(move |algorithm| {
            whats.iter().flat_map(move |what| levels.iter().map(move |level| (*algorithm, *what, *level)))
        })
    }

    /// Names the rows that the baseline does not have.
    ///
    /// # Errors
    /// The baseline has none of the rows.
    fn refuse_other_rows(&self, report: &Report) -> Result<(), Error> {
        let Some(baseline) = &self.baseline else { return Ok(()) };
        let keys: Vec<_> = self.rows().map(|(algorithm, what, level)| self.key(what, algorithm, level)).collect();
        let missing: Vec<_> = keys.iter().filter(|key| !baseline.has(key)).collect();
        if missing.len() == keys.len() {
            return Err(baseline.has_none());
        }
        for key in missing {
            let RowKey { op, algorithm, backend, message_bytes, threads } = key;
            let of = format!("{op} of {algorithm} on {backend}, {message_bytes} bytes, threads: {threads}");
            report.note(&format!("note: not in the baseline: {of}"));
        }
        Ok(())
    }

    /// Measures and prints row by row, and returns the results of the document. YES if no row that the baseline has is
    /// slower than it may be.
    fn measure_all(&self, progress: &Progress, report: &mut Report) -> Result<(Vec<Value>, Answer), Error> {
        let columns =
            Columns { ratio: self.levels.len() > 1, baseline: self.baseline.is_some(), profile: self.args.profile };
        let printer = Printer::new(self.args.format, &self.whats, columns);
        report.line(&printer.heading())?;
        let mut bar = progress.steps("measuring", self.rows().count() as u64);
        let mut results = Vec::new();
        let mut compared = 0;
        let mut regressed = 0;
        let mut kept = Tally::default();
        for &algorithm in &self.algorithms {
            let keys = self.levels.iter().map(|level| BenchKeys::new(algorithm, *level, self.args.message_size));
            let keys = keys.collect::<Result<Vec<_>, _>>()?;
            let mut profilers: Vec<_> = keys.iter().map(|keys| Profiler::new(keys, self.plan, self.threads)).collect();
            for &what in &self.whats {
                let mut first = None;
                for (keys, profiler) in keys.iter().zip(&mut profilers) {
                    bar.at(results.len() as u64);
                    let mut row = self.measure(what, keys, profiler)?;
                    let first = *first.get_or_insert(row.measured.ns.median);
                    row.ratio = (self.levels.len() > 1).then(|| first / row.measured.ns.median);
                    if row.baseline.is_some() {
                        compared += 1;
                        kept.add(Yes::of_equal(&[row.has_regressed().into()], &[false.into()]));
                    }
                    regressed += usize::from(row.has_regressed());
                    results.push(row.value());
                    bar.pause(|| print(&printer, &row, report))?;
                }
            }
        }
        drop(bar);
        if regressed > 0 {
            report.add_exit(Exit::Negative);
            let limit = self.limit;
            report.note(&format!("slower than the baseline by more than {limit} %: {regressed} of {compared}"));
        }
        let Some(baseline) = &self.baseline else { return Ok((results, ().into())) };
        let asked = self.rows().filter(|(algorithm, what, level)| baseline.has(&self.key(*what, *algorithm, *level)));
        Ok((results, kept.answer(asked.count())))
    }

    fn measure(&self, what: What, keys: &BenchKeys, profiler: &mut Profiler<'_>) -> Result<ResultRow, Error> {
        let measured = match what {
            What::Op(op) => measure(&mut keys.operation(op, self.threads), self.plan)?,
            What::Part(part) => measure(&mut keys.part(part.subroutine(), self.threads)?, self.plan)?,
        };
        let profile = match what {
            What::Op(op) if self.args.profile => {
                profiler.profile(op, measured.ns.median, self.message_bytes(what, keys.algorithm) as usize)?
            }
            _ => None,
        };
        let key = self.key(what, keys.algorithm, keys.level);
        let baseline = self.baseline.as_ref().and_then(|it| it.compare(&key, &measured, self.limit));
        Ok(ResultRow {
            what,
            algorithm: keys.algorithm,
            level: keys.level,
            message_bytes: self.message_bytes(what, keys.algorithm),
            threads: self.threads,
            measured,
            ratio: None,
            baseline,
            profile,
        })
    }
}

/// Prints a row; in a table its verdict has a color.
fn print(printer: &Printer, row: &ResultRow, report: &Report) -> Result<(), Error> {
    let line = printer.line(row);
    let trend = row.baseline.map(|it| it.trend);
    match (trend.filter(|_| printer.is_table()), &line) {
        (Some(trend @ (Trend::Regressed | Trend::Faster)), line) => {
            let tone = if trend == Trend::Regressed { Tone::Bad } else { Tone::Good };
            let (before, after) = line.split_once(trend.word()).unwrap_or((line, ""));
            report.answer(before, trend.word(), tone, after)
        }
        (_, line) => report.line(line),
    }
}
