//! Compares the documents from two runs, which can be from different machines. The result contains
//! only numbers, and no verdict such as "slower".

use super::compare::{EarlierRun, MedianInterval};
use super::machine;
use super::plan::RowKey;
use super::table::{Column, ColumnLayout, ColumnSet, FigureUnit, ResultFormat};
use super::table::{bytes, columns, heading, line, result};
use crate::tool::io::{InputSource, stdin_once};
use crate::tool::report::progress::ProgressDisplay;
use crate::tool::report::{Error, Report, SuccessToken};
use serde_json::json;
use std::path::Path;

/// A row (the measurement of an operation) that both runs contain.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffRow {
    /// The row keys in the first run and in the second run. They can differ only in their levels
    /// (instruction sets).
    keys: [RowKey; 2],
    timings: [MedianInterval; 2],
}

// The columns have the same order in tables and comma-separated values. The columns for
// comma-separated values call `to_string`, which writes 200 instead of 200.0.
columns! { row: DiffRow;
    OP: "op", "op", "", 0, PLAIN, Always, row.keys[0].op;
    LABEL: "", "", "op", -14, PLAIN, Always, row.keys[0].label();
    ALGORITHM: "algorithm", "algorithm", "algorithm", -16, PLAIN, Always, row.keys[0].algorithm;
    BACKENDS: "backends", "", "", 0, PLAIN, Always, [&row.keys[0].backend, &row.keys[1].backend];
    BACKEND: "", "backend", "", 0, PLAIN, Always, row.keys[0].backend;
    OTHER_BACKEND: "", "other_backend", "", 0, PLAIN, Always, row.keys[1].backend;
    LEVEL: "", "", "level", -17, PLAIN, Always, row.level();
    MESSAGE_BYTES: "message_bytes", "message_bytes", "", 0, PLAIN, Always, row.keys[0].message_bytes;
    MESSAGE: "", "", "message", 7, PLAIN, Always, bytes(row.keys[0].message_bytes);
    THREADS: "threads", "threads", "threads", 7, PLAIN, Always, row.keys[0].threads;
    BATCH: "batch", "batch", "", 0, PLAIN, Always, row.keys[0].batch;
    MEDIANS: "median_ns", "", "", 0, PLAIN, Always, row.timings.map(|timings| timings.0);
    MEDIANS_CI95: "median_ci95_ns", "", "", 0, PLAIN, Always, row.timings.map(|timings| timings.1);
    MEDIAN: "", "median_ns", "", 0, PLAIN, Always, row.timings[0].0.to_string();
    MEDIAN_CI95: "", "median_ci95_ns", "", 0, PLAIN, Always, row.timings[0].1.to_string();
    FIRST: "", "", "first", 10, NS, Always, row.timings[0].0;
    FIRST_SPREAD: "", "", "+-", 8, SHARE, Always, 100.0 * row.timings[0].1 / row.timings[0].0;
    OTHER_MEDIAN: "", "other_median_ns", "", 0, PLAIN, Always, row.timings[1].0.to_string();
    OTHER_MEDIAN_CI95: "", "other_median_ci95_ns", "", 0, PLAIN, Always, row.timings[1].1.to_string();
    SECOND: "", "", "second", 10, NS, Always, row.timings[1].0;
    SECOND_SPREAD: "", "", "+-", 8, SHARE, Always, 100.0 * row.timings[1].1 / row.timings[1].0;
    RATIO: "ratio", "", "ratio", 7, RATIO, Always, row.ratio().0;
    RATIO_CSV: "", "ratio", "", 0, PLAIN, Always, FigureUnit::RATIO.round(row.ratio().0).to_string();
    RATIO_CI95: "ratio_ci95", "", "95 %", 16, RATIO, Always, row.ratio().1;
    RATIO_LOW: "", "ratio_ci95_low", "", 0, PLAIN, Always, FigureUnit::RATIO.round(row.ratio().1[0]).to_string();
    RATIO_HIGH: "", "ratio_ci95_high", "", 0, PLAIN, Always, FigureUnit::RATIO.round(row.ratio().1[1]).to_string();
}

impl DiffRow {
    /// Returns the speed in the second run divided by the speed in the first run, and the ends of
    /// the confidence interval (95 %).
    fn ratio(&self) -> (f64, [f64; 2]) {
        let [(first, first_half), (second, second_half)] = self.timings;
        let ratio = first / second;
        let half_width = ratio * (first_half / first).hypot(second_half / second);
        (ratio, [(ratio - half_width).max(0.0), ratio + half_width])
    }

    /// Returns the level, or both levels if they differ.
    fn level(&self) -> String {
        let [first, second] = [&self.keys[0].backend, &self.keys[1].backend];
        if first == second { first.clone() } else { format!("{first}, {second}") }
    }
}

/// Returns whether two keys are equal, except for their levels.
fn is_equal_except_level(key: &RowKey, other_key: &RowKey) -> bool {
    RowKey { backend: other_key.backend.clone(), ..key.clone() } == *other_key
}

/// Returns whether a run contains the row on exactly one level.
fn is_on_one_level(key: &RowKey, run: &[(RowKey, MedianInterval)]) -> bool {
    run.iter().filter(|(other_key, _)| is_equal_except_level(key, other_key)).count() == 1
}

/// Pairs the rows of two runs, in the order of the first run. Rows with equal keys are a pair. If
/// an operation was measured on only one level in each run, its two rows are a pair even if the
/// levels differ. Also returns the rows of each run that are in no pair.
fn pairs(runs: [&[(RowKey, MedianInterval)]; 2]) -> (Vec<DiffRow>, [Vec<&RowKey>; 2]) {
    let [first, second] = runs;
    let mut pairs = Vec::new();
    let mut is_paired = vec![false; second.len()];
    let mut unpaired = [Vec::new(), Vec::new()];
    for (key, timing) in first {
        let any_level = is_on_one_level(key, first) && is_on_one_level(key, second);
        let mut is_found = false;
        for ((other, other_timing), is_paired) in second.iter().zip(&mut is_paired) {
            if other == key || (any_level && is_equal_except_level(key, other)) {
                *is_paired = true;
                pairs.push(DiffRow { keys: [key.clone(), other.clone()], timings: [*timing, *other_timing] });
                is_found = true;
                break;
            }
        }
        if !is_found {
            unpaired[0].push(key);
        }
    }
    for ((key, _), is_paired) in second.iter().zip(is_paired) {
        if !is_paired {
            unpaired[1].push(key);
        }
    }
    (pairs, unpaired)
}

/// Prints the rows that both documents contain.
///
/// # Errors
/// Fails if a file cannot be read or is not a document from `bench`, or if the documents have no
/// row in common.
pub fn run(paths: [&Path; 2], form: ResultFormat, report: &mut Report) -> Result<SuccessToken, Error> {
    let sources = paths.map(InputSource::from_arg);
    stdin_once(&sources)?;
    let progress = ProgressDisplay::new(report.output);
    let [first, second] = sources;
    let runs = [EarlierRun::read(first, &progress)?, EarlierRun::read(second, &progress)?];
    let (rows, unpaired) = pairs([&runs[0].rows, &runs[1].rows]);
    if rows.is_empty() {
        let [first, second] = [runs[0].source.to_string(), runs[1].source.to_string()];
        return Err(Error::DiffRows { first, second });
    }
    for (word, run) in ["first", "second"].iter().zip(&runs) {
        report.note(&format!("note: {word}: {}, on {}", run.source, machine::name(&run.env)));
    }
    for (run, keys) in runs.iter().zip(unpaired) {
        for key in keys {
            report.note(&format!("note: only in {}: {key}", run.source));
        }
    }
    let layout = ColumnLayout::new(form, COLUMNS, &[ColumnSet::Always]);
    report.line(&heading(form, &layout.names()))?;
    let mut diff = Vec::new();
    for row in &rows {
        report.line(&line(form, &layout.cells(row)))?;
        diff.push(result(COLUMNS, row));
    }
    report.set("machines", json!([machine::name(&runs[0].env), machine::name(&runs[1].env)]));
    report.set("diff", json!(diff));
    Ok(().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(op: &str, backend: &str, timing: MedianInterval) -> (RowKey, MedianInterval) {
        let [op, backend] = [op, backend].map(str::to_owned);
        (
            RowKey { op, algorithm: "FN-DSA-512".to_owned(), backend, message_bytes: 1024, threads: 1, batch: None },
            timing,
        )
    }

    #[test]
    fn the_error_of_a_ratio_includes_both_errors() {
        let [(key, _), _] = [row("sign", "avx2", (1.0, 0.0)), row("x", "x", (0.0, 0.0))];
        let row = DiffRow { keys: [key.clone(), key], timings: [(200.0, 6.0), (100.0, 4.0)] };
        let (ratio, [low, high]) = row.ratio();
        assert_eq!(ratio, 2.0);
        assert!((low - 1.9).abs() < 1e-12 && (high - 2.1).abs() < 1e-12, "{low} {high}");
        assert_eq!(result(COLUMNS, &row)["ratio_ci95"], json!([1.9, 2.1]));
        let vague = DiffRow { timings: [(200.0, 900.0), (100.0, 4.0)], ..row };
        assert_eq!(vague.ratio().1[0], 0.0);
    }

    #[test]
    fn rows_are_paired_by_level_or_by_the_only_level() {
        let t = (1.0, 0.0);
        let first =
            [row("sign", "avx2", t), row("sign", "scalar", t), row("verify", "avx2", t), row("keygen", "avx2", t)];
        let second =
            [row("sign", "scalar", t), row("sign", "neon", t), row("verify", "neon", t), row("hash", "neon", t)];
        let (rows, [first_source, second_source]) = pairs([&first, &second]);
        let found: Vec<_> = rows.iter().map(|row| (row.keys[0].op.as_str(), row.level())).collect();
        assert_eq!(found, [("sign", "scalar".to_owned()), ("verify", "avx2, neon".to_owned())]);
        assert_eq!(first_source, [&first[0].0, &first[3].0]);
        assert_eq!(second_source, [&second[1].0, &second[3].0]);
        for (form, count) in [(ResultFormat::Csv, 14), (ResultFormat::Table, 11)] {
            assert_eq!(ColumnLayout::new(form, COLUMNS, &[ColumnSet::Always]).cells(&rows[0]).len(), count);
        }
    }
}
