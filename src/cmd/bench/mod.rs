//! `fndsa bench`: measures the speed of the operations on this machine.
//!
//! - `plan`: selects the rows of the result, and groups them
//! - `work`: defines the timed operations with a key, and their parts
//! - `hashes`: defines the timed hashes
//! - `measure`: measures the time and the cycles of a call
//! - `statistics`: computes medians and spreads, and compares two medians
//! - `memory`: measures the stack and the work memory for an operation
//! - `profile`: measures how the time for an operation is divided among its parts
//! - `machine`: describes the machine and the program
//! - `compare`: compares the result with the rows of an earlier result
//! - `diff`: compares two earlier results
//! - `row`: a row of the result, and the columns that a row can have
//! - `table`: the output formats, and the types for columns and units
//! - `paper`: LaTeX tables for a paper
//! - `page`: the result as an HTML page
//! - `html`: HTML with escaped text
//! - `page.css`: the style sheet for the page
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
use crate::tool::io::{Destination, InputSource, NewFileAccess, OutputPath, OverwriteRule, StagedOutput, stdin_once};
use crate::tool::options::algorithm::{creatable_algorithm, signing_algorithm};
use crate::tool::options::heading;
use crate::tool::options::jobs::{JobCount, jobs_parser};
use crate::tool::options::number::{number, size};
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Evidence, EvidenceSum, Exit, Report, ResultColor, SuccessToken};
use compare::Baseline;
use fndsa::no_alloc::Level;
use fndsa::{Algorithm, CoreCycles};
use measure::{Measurement, NOISY, SamplingPlan, measure};
use memory::MemoryUse;
use page::HtmlPage;
use plan::{BenchSelection, BenchSubject, RowGroup, RowKey, groups};
use profile::Profiler;
use row::{EncodedLengths, ResultPrinter, ResultRow};
use serde_json::{Value, json};
use statistics::{RowComparison, Trend};
use std::io;
use std::path::{Path, PathBuf};
use table::{ColumnSet, ResultFormat};
use work::{BenchKeys, BenchOperation, BenchTarget, TimedPart};

/// The default limit for a regression in percent. Even on an idle machine, the times of two runs
/// can differ by this percentage.
const MAX_REGRESSION: f64 = 5.0;

#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("files").args(["export_json", "report"]).multiple(true)))]
pub struct Args {
    /// Operations to measure [default: keygen sign sign-repeat verify verify-repeat]
    #[arg(value_enum, value_name = "OP")]
    ops: Vec<BenchTarget>,
    /// Algorithm to measure, repeatable [default: fn-dsa-512 and fn-dsa-1024] (see `fndsa help
    /// algorithms`)
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
    /// K, M and G stand for 1024, 1024^2 and 1024^3 bytes. Without this option, ML-DSA signs the
    /// published messages of 26 bytes, and hash measures 64,1K,16K,1M.
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = size(0..=1 << 30))]
    message_size: Vec<u32>,
    /// Number of threads that run the operation at the same time, or `all` for one thread per core
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = jobs_parser(), hide_possible_values = true)]
    jobs: JobCount,
    /// Number of messages in each batch of sign-batch and verify-batch [default: 64; for published
    /// messages all]
    #[arg(long, value_name = "N", value_parser = number(1..=65_536), help_heading = heading::EXPERT, hide_short_help = true)]
    batch: Option<u32>,
    /// Print how much stack and work memory each operation uses
    #[arg(long, help_heading = heading::EXPERT, hide_short_help = true)]
    stack: bool,
    /// Print how the time of each operation is divided among its parts
    #[arg(long, help_heading = heading::EXPERT, hide_short_help = true)]
    profile: bool,
    /// Format of the result
    #[arg(long, value_enum, value_name = "FORM", default_value_t = ResultFormat::Table, help_heading = heading::OUTPUT)]
    format: ResultFormat,
    /// Also write the JSON document of --json to this file
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    export_json: Option<PathBuf>,
    /// Also write the result to this file as an HTML page with bars
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    report: Option<PathBuf>,
    /// Replace an existing file
    #[arg(short, long, help_heading = heading::OUTPUT)]
    force: bool,
    /// Compare with the document of --export-json from an earlier run on this machine, `-` for
    /// standard input
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Accept medians that are slower than the baseline by at most this percentage [default: 5]
    #[arg(long, value_name = "PCT", value_parser = parse_percent, help_heading = heading::EXPERT,
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
    let number = text.parse().ok()?;
    if range.contains(&number) { Some(number) } else { None }
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

/// Returns the operations and parts that the user named, or the default operations. With `--format
/// paper`, the default also includes the parts of signing, if all algorithms are FN-DSA or Falcon.
/// `--fast-rng` adds [`BenchOperation::SignFastRng`].
fn selected_targets(args: &Args, algorithms: &[Algorithm]) -> Vec<BenchTarget> {
    let mut targets = args.ops.clone();
    for part in &args.subroutine {
        targets.push(BenchTarget::Part(*part));
    }
    if targets.is_empty() {
        targets.extend(BenchTarget::ALL);
        if args.format == ResultFormat::Paper && algorithms.iter().all(|algorithm| algorithm.degree().is_some()) {
            targets.extend(paper::SIGNING.map(BenchTarget::Part));
        }
    }
    if args.fast_rng {
        // The row is inserted after sign-repeat, so that the reader can compare the two rows.
        let index = match targets.iter().position(|target| *target == BenchTarget::Op(BenchOperation::SignRepeat)) {
            Some(index) => index + 1,
            None => targets.len(),
        };
        targets.insert(index, BenchTarget::Op(BenchOperation::SignFastRng));
    }
    targets
}

/// Runs the command.
///
/// # Errors
/// Fails if the arguments contradict each other, if an operation fails, if the baseline cannot be
/// used, or if a result cannot be written.
pub fn run(args: &Args, context: &CommandContext, report: &mut Report) -> Result<SuccessToken, Error> {
    check_format(args, report.output.json)?;
    // `--format json` prints the same document as `--json`.
    report.output.json |= args.format == ResultFormat::Json;
    if let [first, second] = &args.diff[..] {
        return diff::run([first, second], args.format, report);
    }
    BenchPlan::new(args, context, report)?.run(report)
}

/// Returns an error if `--format` contradicts `--json` or `--diff`.
fn check_format(args: &Args, is_json: bool) -> Result<(), Error> {
    if is_json && !matches!(args.format, ResultFormat::Table | ResultFormat::Json) {
        return Err(Error::JsonFormat);
    }
    if args.format == ResultFormat::Paper && !args.diff.is_empty() {
        return Err(Error::CommandLine {
            message: "--diff cannot be printed as tables of a paper".to_owned(),
            hint: "choose the format table, md, csv or json".to_owned(),
        });
    }
    Ok(())
}

/// Returns the algorithms to measure.
///
/// # Errors
/// Fails if an algorithm can only verify, or if it is a toy and `--allow-weak` is not given.
fn algorithms(args: &Args, context: &CommandContext) -> Result<Vec<Algorithm>, Error> {
    if args.algorithm.is_empty() {
        return Ok(vec![Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024]);
    }
    args.algorithm.iter().map(|algorithm| creatable_algorithm(*algorithm, context.weak)).collect()
}

/// Returns an error if an option supports only FN-DSA and Falcon, but other algorithms are
/// measured.
fn check_falcon_options(args: &Args, algorithms: &[Algorithm]) -> Result<(), Error> {
    let Some(other) = algorithms.iter().find(|algorithm| algorithm.degree().is_none()) else { return Ok(()) };
    let option = if !args.subroutine.is_empty() {
        "--subroutine"
    } else if args.fast_rng {
        "--fast-rng"
    } else if args.profile {
        "--profile"
    } else {
        return Ok(());
    };
    Err(Error::CommandLine {
        message: format!("{option} does not apply to {other}"),
        hint: "leave the option out: it measures only parts of FN-DSA and Falcon".to_owned(),
    })
}

/// Returns an error if `--profile` is given, but no operation is measured.
fn check_profile(args: &Args, targets: &[BenchTarget]) -> Result<(), Error> {
    if !args.profile || targets.iter().any(|target| matches!(target, BenchTarget::Op(_))) {
        return Ok(());
    }
    Err(Error::CommandLine {
        message: "--profile needs an operation".to_owned(),
        hint: "name an operation, for example sign".to_owned(),
    })
}

/// Returns the files that are written in addition to standard output: first the JSON file of
/// `--export-json`, and then the HTML file of `--report`.
fn outputs(args: &Args) -> Result<Vec<(&Path, Destination)>, Error> {
    let mut named = Vec::new();
    for path in [&args.export_json, &args.report].into_iter().flatten() {
        named.push(OutputPath::new(path));
    }
    Destination::refuse_twice(&named)?;
    let mut outputs = Vec::new();
    for output in named {
        let path = output.path();
        if output.is_stdout() {
            return Err(Error::ExportOnStdout);
        }
        outputs.push((path, Destination::new(path, OverwriteRule::of(args.force), NewFileAccess::Public)?));
    }
    Ok(outputs)
}

/// A benchmark with checked arguments, before the first measurement.
struct BenchPlan<'a> {
    args: &'a Args,
    /// The result of `machine::describe`.
    env: Value,
    selection: BenchSelection,
    groups: Vec<RowGroup>,
    sampling: SamplingPlan,
    threads: usize,
    outputs: Vec<(&'a Path, Destination)>,
    baseline: Option<Baseline>,
    /// The maximum accepted slowdown from the baseline, in percent.
    limit: f64,
    progress: ProgressDisplay,
}

impl<'a> BenchPlan<'a> {
    /// Checks the arguments and the files before the first measurement, because measurements take a
    /// long time.
    ///
    /// # Errors
    /// Fails if the arguments cannot be used.
    fn new(args: &'a Args, context: &CommandContext, report: &Report) -> Result<Self, Error> {
        let is_paper = args.format == ResultFormat::Paper;
        let env = machine::describe();
        let progress = ProgressDisplay::new(report.output);
        // An algorithm that can only verify cannot be measured, because keys cannot be created for
        // it.
        let algorithms = algorithms(args, context)?;
        // The library can only time the parts of FN-DSA and Falcon.
        check_falcon_options(args, &algorithms)?;
        // The output files are checked before the measurements, so that a mistake is reported at
        // once.
        let outputs = outputs(args)?;
        let source = args.baseline.as_deref().map(InputSource::from_arg);
        stdin_once(&source)?;
        for (path, _) in &outputs {
            // The baseline must not be an output file, because it would be replaced.
            Destination::refuse_inputs(path, &source)?;
        }
        // A baseline from a different machine is an error, because the times cannot be compared.
        let baseline = match source {
            Some(source) => Some(Baseline::read(source, &env, &progress)?),
            None => None,
        };
        let targets = selected_targets(args, &algorithms);
        // A profile divides the operation time, so at least one operation must be measured.
        check_profile(args, &targets)?;
        let levels = match &context.levels[..] {
            [] if is_paper => Level::available().collect(),
            [] => vec![Level::detect()],
            given => given.to_vec(),
        };
        let selection =
            BenchSelection { targets, algorithms, levels, sizes: args.message_size.clone(), batch: args.batch };
        let warm_up = args.warm_up.unwrap_or(args.time / 5.0);
        let plan = Self {
            args,
            groups: groups(&selection),
            selection,
            sampling: SamplingPlan { time: args.time, warm_up, samples: args.samples },
            threads: args.jobs.threads(usize::MAX).get(),
            limit: args.max_regression.unwrap_or(MAX_REGRESSION),
            env,
            outputs,
            baseline,
            progress,
        };
        // Without a common row, the comparison would find no slower row and would look like a
        // success.
        plan.check_common_rows(report)?;
        Ok(plan)
    }

    /// Returns the row keys of all rows, in order.
    fn keys(&self) -> Vec<RowKey> {
        let mut keys = Vec::new();
        for group in &self.groups {
            for (target, level) in group.rows() {
                keys.push(group.key(target, level, self.threads));
            }
        }
        keys
    }

    /// Prints the names of rows that are missing in the baseline.
    ///
    /// # Errors
    /// Fails if all rows of this run are missing in the baseline.
    fn check_common_rows(&self, report: &Report) -> Result<(), Error> {
        let Some(baseline) = &self.baseline else { return Ok(()) };
        let keys = self.keys();
        let missing: Vec<_> = keys.iter().filter(|key| !baseline.includes(key)).collect();
        if missing.len() == keys.len() {
            return Err(baseline.no_common_row_error());
        }
        for key in missing {
            report.note(&format!("note: not in the baseline: {key}"));
        }
        Ok(())
    }

    /// Measures and prints the rows, and then writes the files.
    fn run(mut self, report: &mut Report) -> Result<SuccessToken, Error> {
        let no_core_cycles = CoreCycles::of_this_thread().err();
        let mut warnings = self.announce(no_core_cycles.as_ref(), report);
        let sets = self.column_sets(no_core_cycles.is_none());
        let mut width = 0;
        for key in self.keys() {
            width = width.max(key.label().len());
        }
        let printer = ResultPrinter::new(self.args.format, width, &self.env, &sets);
        let rows = self.measure_all(&printer, report)?;
        let answer = self.report_regressions(&rows, report);
        self.env["core_share_pct"] = json!(row::core_share_pct(&rows));
        if self.args.format == ResultFormat::Paper {
            for line in paper::lines(&rows, &self.env) {
                report.line(&line)?;
            }
        }
        if let Some(share) = machine::core_share(&self.env) {
            report.note(&format!("note: share of the core: {share}"));
        }
        if rows.iter().any(|row| row.measured.is_noisy()) {
            let text = self.noise_warning();
            report.note(&format!("warning: {text}"));
            warnings.push(text);
        }
        self.write(&rows, &warnings, &sets, report)?;
        Ok(answer)
    }

    /// Prints the notes before the result. Returns the reasons why the figures may be inaccurate.
    fn announce(&self, no_core_cycles: Option<&io::Error>, report: &Report) -> Vec<String> {
        let mut warnings = machine::warnings(&self.env);
        warnings.extend(machine::shared_cores(&self.env, self.threads));
        warnings.extend(self.baseline.as_ref().and_then(Baseline::warning));
        for warning in &warnings {
            report.note(&format!("warning: {warning}"));
        }
        report.note(&format!("note: measured on {}", machine::name(&self.env)));
        report.note(&format!("note: measured with {}", machine::program(&self.env)));
        if !self.env["counter_hz"].is_null() {
            report.note("note: cycles/op are ticks of this counter, not of the clock of the core");
        }
        if let Some(e) = no_core_cycles {
            report.note(&format!("note: {}", machine::no_core_cycles(e)));
        }
        warnings
    }

    /// Returns the sets of columns to print.
    fn column_sets(&self, has_core_cycles: bool) -> Vec<ColumnSet> {
        let args = self.args;
        let has_hash = self.selection.targets.contains(&BenchTarget::Hash);
        let mut sets = vec![ColumnSet::Always, ColumnSet::KeyLengths];
        for (set, is_needed) in [
            (ColumnSet::Message, args.message_size.len() > 1 || has_hash),
            (ColumnSet::CoreCycles, has_core_cycles),
            (ColumnSet::Hashing, has_hash),
            (ColumnSet::Batch, self.keys().iter().any(|key| key.batch.is_some())),
            (ColumnSet::Memory, args.stack),
            (ColumnSet::Levels, self.selection.levels.len() > 1),
            (ColumnSet::Baseline, self.baseline.is_some()),
            (ColumnSet::Parts, args.profile),
        ] {
            if is_needed {
                sets.push(set);
            }
        }
        sets
    }

    /// Returns the warning for rows that are marked as noisy.
    fn noise_warning(&self) -> String {
        let longer = (2.0 * self.sampling.time).max(5.0);
        format!(
            "rows with ! are inaccurate: the error of their median can exceed {NOISY} %: run again when idle, or with --time {longer}"
        )
    }

    /// Measures all rows, and prints each row after its measurement.
    fn measure_all(&self, printer: &ResultPrinter, report: &Report) -> Result<Vec<ResultRow>, Error> {
        if printer.prints_rows() {
            report.line(&printer.heading())?;
        }
        let mut bar = self.progress.steps("measuring", self.keys().len() as u64);
        let mut rows: Vec<ResultRow> = Vec::new();
        for group in &self.groups {
            let levels = group.levels.len();
            let keys = self.bench_keys(group)?;
            let mut profilers = Vec::new();
            for keys in &keys {
                profilers.push(Profiler::new(keys, self.sampling, self.threads));
            }
            let mut first = 0.0;
            for (i, (target, level)) in group.rows().into_iter().enumerate() {
                bar.at(rows.len() as u64);
                let key = group.key(target, level, self.threads);
                let mut row = match (group.subject, profilers.get_mut(i % levels)) {
                    (BenchSubject::Hash(hash), _) => {
                        let mut work = hash.work(level, key.message_bytes as u32, self.threads);
                        self.row(key, measure(&mut work, self.sampling)?)
                    }
                    (_, Some(profiler)) => self.measure(target, profiler, key)?,
                    (_, None) => return Err(Error::Internal("a level without keys".to_owned())),
                };
                let median = row.measured.ns.median;
                if i % levels == 0 {
                    first = median;
                }
                row.ratio = (levels > 1).then_some(first / median);
                bar.pause(|| print_row(printer, &row, report))?;
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// Creates the cryptographic keys for a group of rows, for each level. Hashes need no keys.
    fn bench_keys(&self, group: &RowGroup) -> Result<Vec<BenchKeys>, Error> {
        let BenchSubject::Algorithm(algorithm) = group.subject else { return Ok(Vec::new()) };
        let mut keys = Vec::new();
        for level in &group.levels {
            keys.push(BenchKeys::new(algorithm, *level, group.size, group.batch)?);
        }
        Ok(keys)
    }

    /// Measures an operation or a part.
    fn measure(&self, target: BenchTarget, profiler: &mut Profiler<'_>, key: RowKey) -> Result<ResultRow, Error> {
        let keys = profiler.keys();
        let op = match target {
            BenchTarget::Op(op) => op,
            BenchTarget::Part(part) => {
                return Ok(self.row(key, measure(&mut keys.part(part.subroutine(), self.threads)?, self.sampling)?));
            }
            BenchTarget::Hash => return Err(Error::Internal("a hash with a key".to_owned())),
        };
        let size = key.message_bytes as usize;
        let mut row = self.row(key, measure(&mut keys.operation(op, self.threads), self.sampling)?);
        row.lengths = Some(EncodedLengths::of(keys.algorithm));
        if self.args.profile || self.args.format == ResultFormat::Paper {
            row.profile = profiler.profile(op, row.measured.ns.median, size)?;
        }
        if self.args.stack {
            row.memory = Some(MemoryUse::of(keys, op)?);
        }
        Ok(row)
    }

    /// Creates a row from a measurement, and compares it with the baseline.
    fn row(&self, key: RowKey, measured: Measurement) -> ResultRow {
        let baseline = self.baseline.as_ref().and_then(|baseline| baseline.compare(&key, &measured, self.limit));
        ResultRow { key, lengths: None, measured, ratio: None, baseline, profile: None, memory: None }
    }

    /// Counts the rows that are slower than the baseline by more than the limit. If there are such
    /// rows, prints their number and sets exit code 1. Otherwise, the returned [`SuccessToken`]
    /// allows exit code 0.
    fn report_regressions(&self, rows: &[ResultRow], report: &mut Report) -> SuccessToken {
        let Some(baseline) = &self.baseline else { return ().into() };
        let mut accepted = EvidenceSum::default();
        let mut compared = 0;
        let mut regressed = 0;
        for row in rows {
            if row.baseline.is_some() {
                compared += 1;
                regressed += usize::from(row.has_regressed());
                accepted.add(Evidence::of_equal(&[row.has_regressed().into()], &[false.into()]));
            }
        }
        if regressed > 0 {
            report.add_exit(Exit::Negative);
            let limit = self.limit;
            report.note(&format!("slower than the baseline by more than {limit} %: {regressed} of {compared}"));
        }
        accepted.answer(self.keys().iter().filter(|key| baseline.includes(key)).count())
    }

    /// Adds the results to the JSON document, and writes all files or none.
    fn write(
        self,
        rows: &[ResultRow],
        warnings: &[String],
        sets: &[ColumnSet],
        report: &mut Report,
    ) -> Result<(), Error> {
        let mut page = None;
        if self.args.report.is_some() {
            let printer = ResultPrinter::new(ResultFormat::Md, 0, &self.env, sets);
            page = Some(HtmlPage { env: &self.env, warnings, rows, printer: &printer }.html(&page::command()));
        }
        report.set("env", self.env);
        report.set("warnings", json!(warnings));
        let results: Vec<_> = rows.iter().map(ResultRow::value).collect();
        for result in &results {
            report.push_value(result.clone());
        }
        let mut texts = Vec::new();
        if self.args.export_json.is_some() {
            texts.push(report.document("bench", &results));
        }
        texts.extend(page);
        let mut staged = Vec::new();
        for ((_, to), text) in self.outputs.iter().zip(&texts) {
            staged.push(to.stage(text.as_bytes())?);
        }
        StagedOutput::commit_all(staged)
    }
}

/// Prints a row. In a table, the word for a faster or slower row is colored.
fn print_row(printer: &ResultPrinter, row: &ResultRow, report: &Report) -> Result<(), Error> {
    if !printer.prints_rows() {
        return Ok(());
    }
    let line = printer.line(row);
    let Some(RowComparison { trend, .. }) = row.baseline else { return report.line(&line) };
    let tone = match trend {
        Trend::Regressed => ResultColor::Bad,
        Trend::Faster => ResultColor::Good,
        _ => return report.line(&line),
    };
    let word = trend.word();
    match line.split_once(word) {
        Some((before, after)) if printer.is_table() => report.answer(before, word, tone, after),
        _ => report.line(&line),
    }
}
