//! `fndsa bench`: how fast this machine is.
//!
//! - `plan`: selects the rows of the result
//! - `work`: defines the timed operations of a key, and their parts
//! - `hashes`: defines the timed hashes
//! - `measure`: measures the time and the cycles of a call
//! - `statistics`: computes medians and spreads, and compares two lists of times
//! - `memory`: measures the stack and the work memory of an operation
//! - `profile`: measures where an operation spends its time
//! - `machine`: describes the machine
//! - `compare`: compares the result with the rows of an earlier result
//! - `diff`: compares two earlier results
//! - `row`: a line of the result
//! - `table`: the formats of a line
//! - `paper`: LaTeX tables for a paper
//! - `page`: the result as an HTML page
//! - `html`: HTML with escaped text
//! - `page.css`: the style sheet of the page
//! - `cctv`: messages for the ML-DSA signatures, from the CCTV project

mod compare;
mod diff;
mod hashes;
mod html;
mod machine;
mod measure;
mod memory;
mod page;
mod paper;
mod plan;
mod profile;
mod row;
mod statistics;
mod table;
mod work;

use crate::tool::context::CommandContext;
use crate::tool::io::{Access, Destination, Force, InputSource, Staged, stdin_once};
use crate::tool::options::algorithm::{may_make, signing_algorithm};
use crate::tool::options::heading;
use crate::tool::options::jobs::{Jobs, jobs_parser};
use crate::tool::options::number::{number, size};
use crate::tool::report::progress::Progress;
use crate::tool::report::{Answer, Error, Evidence, Exit, Report, Tally, Tone};
use compare::{Baseline, Trend};
use fndsa::{Algorithm, CoreCycles, Level};
use hashes::TimedHash;
use measure::{Measured, NOISY, Schedule, measure};
use memory::MemoryUse;
use page::HtmlPage;
use plan::{RowGroup, RowKey, Subject, Wanted, groups};
use profile::Profiler;
use row::{Columns, Lengths, Printer, ResultRow};
use serde_json::json;
use std::path::{Path, PathBuf};
use table::ResultForm;
use work::{BenchKeys, Op, TimedPart, What};

/// How much slower is a regression, in percent, unless another limit is given: a quiet machine varies by that from one
/// run to the next.
const MAX_REGRESSION: f64 = 5.0;

#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("files").args(["export_json", "report"]).multiple(true)))]
pub struct Args {
    /// Operations to measure [default: keygen sign sign-repeat verify verify-repeat]
    #[arg(value_enum, value_name = "OP")]
    ops: Vec<What>,
    /// Algorithm to measure, repeatable [default: fn-dsa-512 and fn-dsa-1024] (see `fndsa help algorithms`)
    #[arg(short, long, value_name = "NAME", value_parser = signing_algorithm(), hide_possible_values = true)]
    algorithm: Vec<Algorithm>,
    /// Measure this part of an operation; repeatable
    #[arg(long, value_enum, value_name = "PART", help_heading = heading::EXPERT, hide_short_help = true)]
    subroutine: Vec<TimedPart>,
    /// Also measure sign-repeat with the library's faster random generator
    ///
    /// From the same randomness, this generator makes other signatures than the standard generator.
    #[arg(long, help_heading = heading::EXPERT, hide_short_help = true)]
    fast_rng: bool,
    /// Seconds for each operation, after the warm-up
    #[arg(short, long, value_name = "SECS", default_value_t = 1.0, value_parser = parse_seconds)]
    time: f64,
    /// Seconds of warm-up [default: a fifth of the time]
    #[arg(short, long, value_name = "SECS", value_parser = parse_warm_up, help_heading = heading::EXPERT, hide_short_help = true)]
    warm_up: Option<f64>,
    /// Number of samples for each operation and thread
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number(3..=100_000), help_heading = heading::EXPERT,
        hide_short_help = true)]
    samples: u32,
    /// Length of the messages in bytes, or several lengths separated by commas [default: 1024]
    ///
    /// K, M and G stand for 1024, 1024^2 and 1024^3 bytes. Without this option, ML-DSA signs the published messages of 26 bytes, and
    /// hash measures 64,1K,16K,1M.
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = size(0..=1 << 30))]
    message_size: Vec<u32>,
    /// Number of threads that run the operation at the same time, or `all` for one thread per core
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = jobs_parser(), hide_possible_values = true)]
    jobs: Jobs,
    /// Number of messages in each batch of sign-batch and verify-batch [default: 64; for published messages all]
    #[arg(long, value_name = "N", value_parser = number(1..=65_536), help_heading = heading::EXPERT, hide_short_help = true)]
    batch: Option<u32>,
    /// Print how much stack and work memory each operation uses
    #[arg(long, help_heading = heading::EXPERT, hide_short_help = true)]
    stack: bool,
    /// Print how the time of each operation is divided among its parts
    #[arg(long, help_heading = heading::EXPERT, hide_short_help = true)]
    profile: bool,
    /// Format of the result
    #[arg(long, value_enum, value_name = "FORM", default_value_t = ResultForm::Table, help_heading = heading::OUTPUT)]
    format: ResultForm,
    /// Also write the JSON document of --json to this file
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    export_json: Option<PathBuf>,
    /// Also write the result to this file as an HTML page with bars
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    report: Option<PathBuf>,
    /// Replace an existing file
    #[arg(short, long, requires = "files", help_heading = heading::OUTPUT)]
    force: bool,
    /// Compare with the document of --export-json from an earlier run on this machine, `-` for standard input
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Accept medians that are slower than the baseline by at most this percentage [default: 5]
    #[arg(long, value_name = "PCT", requires = "baseline", value_parser = parse_percent, help_heading = heading::EXPERT,
        hide_short_help = true)]
    max_regression: Option<f64>,
    /// Compare the exported documents of two runs, from any machines, and measure nothing
    #[arg(long, num_args = 2, value_names = ["FILE", "FILE"], conflicts_with_all = [
        "ops", "algorithm", "subroutine", "fast_rng", "time", "warm_up", "samples", "message_size", "jobs", "batch", "stack", "profile",
        "export_json", "report", "baseline",
    ])]
    diff: Vec<PathBuf>,
}

fn decimal(text: &str, range: std::ops::RangeInclusive<f64>) -> Option<f64> {
    text.parse().ok().filter(|number| range.contains(number))
}

fn parse_seconds(text: &str) -> Result<f64, &'static str> {
    decimal(text, 0.001..=3600.0).ok_or("expected a number of seconds from 0.001 to 3600")
}

fn parse_warm_up(text: &str) -> Result<f64, &'static str> {
    decimal(text, 0.0..=3600.0).ok_or("expected a number of seconds from 0 to 3600")
}

fn parse_percent(text: &str) -> Result<f64, &'static str> {
    decimal(text, 0.0..=1e6).ok_or("expected a number of percent from 0 to 1000000")
}

/// Returns what is measured: the operations and parts named, or all operations; for a paper the parts of signing, too.
fn wanted(args: &Args, algorithms: &[Algorithm]) -> Vec<What> {
    let parts = args.subroutine.iter().map(|part| What::Part(*part));
    let named: Vec<_> = args.ops.iter().copied().chain(parts).collect();
    let mut whats = if named.is_empty() { What::ALL.to_vec() } else { named.clone() };
    if named.is_empty() && args.format == ResultForm::Paper && algorithms.iter().all(|it| it.degree().is_some()) {
        whats.extend(paper::SIGNING.map(What::Part));
    }
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
    groups: Vec<RowGroup>,
    /// Whether operations are taken apart.
    profile: bool,
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
    let is_paper = args.format == ResultForm::Paper;
    if let [one, other] = &args.diff[..] {
        if is_paper {
            return Err(Error::CommandLine {
                message: "--diff cannot be printed as tables of a paper".to_owned(),
                hint: "choose the format table, md, csv or json".to_owned(),
            });
        }
        return diff::run([one, other], args.format, report);
    }
    let algorithms = match &args.algorithm[..] {
        [] => vec![Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024],
        given => given.iter().map(|it| may_make(*it, context.weak)).collect::<Result<_, _>>()?,
    };
    refuse_parts(args, &algorithms)?;
    let levels = match &context.levels[..] {
        [] if is_paper => Level::available().collect(),
        [] => vec![Level::detect()],
        given => given.to_vec(),
    };
    let env = machine::describe();
    let outputs = outputs(args)?;
    let progress = Progress::new(report.voice);
    let source = args.baseline.as_deref().map(InputSource::from_arg);
    stdin_once(&source)?;
    for (path, _) in &outputs {
        Destination::refuse_inputs(path, &source)?;
    }
    let baseline = source.map(|source| Baseline::read(source, &env, &progress)).transpose()?;
    let whats = wanted(args, &algorithms);
    let rows = Wanted {
        whats: &whats,
        algorithms: &algorithms,
        levels: &levels,
        sizes: &args.message_size,
        batch: args.batch,
    };
    let session = Session {
        args,
        plan: Schedule { time: args.time, warm_up: args.warm_up.unwrap_or(args.time / 5.0), samples: args.samples },
        threads: args.jobs.threads(usize::MAX).get(),
        groups: groups(&rows),
        profile: args.profile || is_paper,
        baseline,
        limit: args.max_regression.unwrap_or(MAX_REGRESSION),
    };
    if args.profile && !whats.iter().any(|what| matches!(what, What::Op(_))) {
        return Err(Error::CommandLine {
            message: "--profile needs an operation".to_owned(),
            hint: "name an operation, for example sign".to_owned(),
        });
    }
    session.refuse_other_rows(report)?;
    let mut warnings = machine::warnings(&env);
    warnings.extend(machine::shared_cores(&env, session.threads));
    warnings.extend(session.baseline.as_ref().and_then(Baseline::warning));
    for warning in &warnings {
        report.note(&format!("warning: {warning}"));
    }
    report.note(&format!("note: measured on {}", machine::name(&env)));
    if !env["counter_hz"].is_null() {
        report.note("note: cycles/op are ticks of this counter, not of the clock of the core");
    }
    let core_cycles = CoreCycles::of_this_thread();
    if let Err(e) = &core_cycles {
        report.note(&format!("note: {}", machine::no_core_cycles(e)));
    }
    let columns = Columns {
        core_cycles: core_cycles.is_ok(),
        ratio: levels.len() > 1,
        baseline: session.baseline.is_some(),
        profile: args.profile,
        message: args.message_size.len() > 1 || whats.contains(&What::Hash),
        speed: whats.contains(&What::Hash),
        memory: args.stack,
        batch: session.keys().any(|key| key.batch.is_some()),
    };
    let width = session.keys().map(|key| key.label().len()).max();
    let printer = Printer::new(args.format, width.unwrap_or_default(), &env, columns);
    let (rows, answer) = session.measure_all(&printer, &progress, report)?;
    if is_paper {
        paper::lines(&rows, &env).iter().try_for_each(|line| report.line(line))?;
    }
    if rows.iter().any(|row| row.measured.is_noisy()) {
        let text = session.noise();
        report.note(&format!("warning: {text}"));
        warnings.push(text);
    }
    let printer = Printer::new(ResultForm::Md, 0, &env, columns);
    let page = HtmlPage { env: &env, warnings: &warnings, rows: &rows, printer: &printer };
    let page = args.report.as_ref().map(|_| page.html(&page::command()));
    report.set("env", env);
    report.set("warnings", json!(warnings));
    let results: Vec<_> = rows.iter().map(ResultRow::value).collect();
    results.iter().for_each(|result| report.push_value(result.clone()));
    let document = args.export_json.as_ref().map(|_| report.document("bench", &results));
    write_all(&outputs, [document, page].into_iter().flatten())?;
    Ok(answer)
}

/// Refuses what only the family of FN-DSA has where ML-DSA is measured, too.
fn refuse_parts(args: &Args, algorithms: &[Algorithm]) -> Result<(), Error> {
    let Some(other) = algorithms.iter().find(|algorithm| algorithm.degree().is_none()) else { return Ok(()) };
    let options =
        [("--subroutine", !args.subroutine.is_empty()), ("--fast-rng", args.fast_rng), ("--profile", args.profile)];
    let Some((option, _)) = options.into_iter().find(|(_, given)| *given) else { return Ok(()) };
    Err(Error::CommandLine {
        message: format!("{option} does not apply to {other}"),
        hint: "leave the option out: it measures only parts of FN-DSA and Falcon".to_owned(),
    })
}

/// Returns the files that are written beside standard output: that of the document, then that of the page.
fn outputs(args: &Args) -> Result<Vec<(&Path, Destination)>, Error> {
    let paths = [&args.export_json, &args.report].into_iter().flatten().map(PathBuf::as_path);
    Destination::refuse_twice(paths.clone())?;
    let force = Force::of(args.force);
    let output = |path| match Destination::names_stdout(path) {
        true => Err(Error::ExportOnStdout),
        false => Destination::new(path, force, Access::Public).map(|to| (path, to)),
    };
    paths.map(output).collect()
}

/// Writes all files or none.
fn write_all(outputs: &[(&Path, Destination)], texts: impl Iterator<Item = String>) -> Result<(), Error> {
    let texts: Vec<_> = texts.collect();
    let staged = outputs.iter().zip(&texts).map(|((_, to), text)| to.stage(text.as_bytes()));
    Staged::commit_all(staged.collect::<Result<Vec<_>, _>>()?)
}

impl Session<'_> {
    /// Returns the warning about rows that are marked.
    fn noise(&self) -> String {
        let longer = (2.0 * self.plan.time).max(5.0);
        format!(
            "rows with ! say little, their median is not known to {NOISY} %: run again when idle, or with --time {longer}"
        )
    }

    /// Returns what all rows are about.
    fn keys(&self) -> impl Iterator<Item = RowKey> {
        self.groups.iter().flat_map(|group| group.rows().map(|(what, level)| group.key(what, level, self.threads)))
    }

    /// Names the rows that the baseline does not have.
    ///
    /// # Errors
    /// The baseline has none of the rows.
    fn refuse_other_rows(&self, report: &Report) -> Result<(), Error> {
        let Some(baseline) = &self.baseline else { return Ok(()) };
        let keys: Vec<_> = self.keys().collect();
        let missing: Vec<_> = keys.iter().filter(|key| !baseline.has(key)).collect();
        if missing.len() == keys.len() {
            return Err(baseline.has_none());
        }
        for key in missing {
            report.note(&format!("note: not in the baseline: {key}"));
        }
        Ok(())
    }

    /// Measures and prints row by row, and returns the rows. YES if no row that the baseline has is
    /// slower than it may be.
    fn measure_all(
        &self,
        printer: &Printer,
        progress: &Progress,
        report: &mut Report,
    ) -> Result<(Vec<ResultRow>, Answer), Error> {
        if printer.prints_rows() {
            report.line(&printer.heading())?;
        }
        let mut bar = progress.steps("measuring", self.keys().count() as u64);
        let mut results = Vec::new();
        let mut compared = 0;
        let mut regressed = 0;
        let mut kept = Tally::default();
        for group in &self.groups {
            let levels = group.levels.len();
            let keys = group.levels.iter().filter_map(|level| match group.subject {
                Subject::Algorithm(algorithm) => Some(BenchKeys::new(algorithm, *level, group.size, group.batch)),
                Subject::Hash(_) => None,
            });
            let keys = keys.collect::<Result<Vec<_>, _>>()?;
            let mut profilers: Vec<_> = keys.iter().map(|keys| Profiler::new(keys, self.plan, self.threads)).collect();
            let mut first = None;
            for (i, (what, level)) in group.rows().enumerate() {
                bar.at(results.len() as u64);
                let mut row = match (group.subject, profilers.get_mut(i % levels)) {
                    (Subject::Hash(hash), _) => self.measure_hash(hash, level, group.key(what, level, self.threads))?,
                    (_, Some(profiler)) => self.measure(what, profiler, group.key(what, level, self.threads))?,
                    (_, None) => return Err(Error::Internal("a level without keys".to_owned())),
                };
                if i % levels == 0 {
                    first = Some(row.measured.ns.median);
                }
                row.ratio = first.filter(|_| levels > 1).map(|first| first / row.measured.ns.median);
                if row.baseline.is_some() {
                    compared += 1;
                    kept.add(Evidence::of_equal(&[row.has_regressed().into()], &[false.into()]));
                }
                regressed += usize::from(row.has_regressed());
                bar.pause(|| print(printer, &row, report))?;
                results.push(row);
            }
        }
        drop(bar);
        if regressed > 0 {
            report.add_exit(Exit::Negative);
            let limit = self.limit;
            report.note(&format!("slower than the baseline by more than {limit} %: {regressed} of {compared}"));
        }
        let Some(baseline) = &self.baseline else { return Ok((results, ().into())) };
        let asked = self.keys().filter(|key| baseline.has(key));
        Ok((results, kept.answer(asked.count())))
    }

    fn measure(&self, what: What, profiler: &mut Profiler<'_>, key: RowKey) -> Result<ResultRow, Error> {
        let keys = profiler.keys();
        let (measured, lengths) = match what {
            What::Part(part) => (measure(&mut keys.part(part.subroutine(), self.threads)?, self.plan)?, None),
            What::Op(op) => {
                (measure(&mut keys.operation(op, self.threads), self.plan)?, Some(Lengths::of(keys.algorithm)))
            }
            What::Hash => return Err(Error::Internal("a hash with a key".to_owned())),
        };
        let profile = match what {
            What::Op(op) if self.profile => profiler.profile(op, measured.ns.median, key.message_bytes as usize)?,
            _ => None,
        };
        let memory = match what {
            What::Op(op) if self.args.stack => Some(MemoryUse::of(keys, op)?),
            _ => None,
        };
        Ok(ResultRow { lengths, profile, memory, ..self.row(key, measured) })
    }

    fn measure_hash(&self, hash: TimedHash, level: Level, key: RowKey) -> Result<ResultRow, Error> {
        let measured = measure(&mut hash.work(level, key.message_bytes as u32, self.threads), self.plan)?;
        Ok(self.row(key, measured))
    }

    /// Returns a row that has what every row has.
    fn row(&self, key: RowKey, measured: Measured) -> ResultRow {
        let baseline = self.baseline.as_ref().and_then(|it| it.compare(&key, &measured, self.limit));
        ResultRow { key, lengths: None, measured, ratio: None, baseline, profile: None, memory: None }
    }
}

/// Prints a row; in a table its verdict has a color.
fn print(printer: &Printer, row: &ResultRow, report: &Report) -> Result<(), Error> {
    if !printer.prints_rows() {
        return Ok(());
    }
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
