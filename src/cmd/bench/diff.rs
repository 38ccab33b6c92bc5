//! Two earlier runs side by side, on whatever machines they were: figures, and no verdict.

use super::compare::{Earlier, Timing};
use super::machine;
use super::plan::RowKey;
use super::table::{Cell, ResultForm, bytes, duration, heading, line};
use crate::tool::io::{InputSource, stdin_once};
use crate::tool::report::progress::Progress;
use crate::tool::report::{Answer, Error, Report};
use serde_json::{Value, json};
use std::path::Path;

/// A row of both runs.
#[derive(Clone, Debug, PartialEq)]
struct DiffRow {
    /// What it is about in each run: only the levels may differ.
    keys: [RowKey; 2],
    timings: [Timing; 2],
}

impl DiffRow {
    /// Returns how many times as fast the second run is, and both ends of the interval with a confidence of 95 %.
    fn ratio(&self) -> (f64, [f64; 2]) {
        let [(first, first_half), (second, second_half)] = self.timings;
        let ratio = first / second;
        let half = ratio * (first_half / first).hypot(second_half / second);
        (ratio, [(ratio - half).max(0.0), ratio + half])
    }

    /// Returns the level, or both where they differ.
    fn level(&self) -> String {
        let [one, other] = self.keys.each_ref().map(|key| key.backend.as_str());
        if one == other { one.to_owned() } else { format!("{one}, {other}") }
    }

    fn value(&self) -> Value {
        let key = &self.keys[0];
        let (ratio, ci95) = self.ratio();
        json!({
            "op": key.op,
            "algorithm": key.algorithm,
            "backends": self.keys.each_ref().map(|key| &key.backend),
            "message_bytes": key.message_bytes,
            "threads": key.threads,
            "batch": key.batch,
            "median_ns": self.timings.map(|timing| timing.0),
            "median_ci95_ns": self.timings.map(|timing| timing.1),
            "ratio": thousandths(ratio),
            "ratio_ci95": ci95.map(thousandths),
        })
    }

    fn cells(&self, form: ResultForm) -> Vec<Cell> {
        let key = &self.keys[0];
        let (ratio, [low, high]) = self.ratio();
        let mut cells = vec![
            (if form == ResultForm::Csv { key.op.clone() } else { key.label() }, -14),
            (key.algorithm.clone(), -16),
        ];
        if form == ResultForm::Csv {
            cells.extend(self.keys.each_ref().map(|key| (key.backend.clone(), 0)));
            let numbers = [Some(key.message_bytes), Some(key.threads), key.batch];
            cells.extend(numbers.map(|number| (number.map(|it| it.to_string()).unwrap_or_default(), 0)));
            let [(first, first_half), (second, second_half)] = self.timings;
            let numbers = [first, first_half, second, second_half].into_iter();
            let ratios = [ratio, low, high].into_iter().map(thousandths);
            cells.extend(numbers.chain(ratios).map(|number| (number.to_string(), 0)));
            return cells;
        }
        cells.extend([(self.level(), -17), (bytes(key.message_bytes), 7), (key.threads.to_string(), 7)]);
        for (median, half) in self.timings {
            cells.extend([(duration(median), 10), (format!("{:.1} %", 100.0 * half / median), 8)]);
        }
        cells.extend([(format!("{ratio:.2}"), 7), (format!("{low:.2} to {high:.2}"), 16)]);
        cells
    }
}

/// Returns the names of the columns.
fn names(form: ResultForm) -> Vec<Cell> {
    let names: &[(&str, i32)] = if form == ResultForm::Csv {
        &[
            ("op", 0),
            ("algorithm", 0),
            ("backend", 0),
            ("other_backend", 0),
            ("message_bytes", 0),
            ("threads", 0),
            ("batch", 0),
            ("median_ns", 0),
            ("median_ci95_ns", 0),
            ("other_median_ns", 0),
            ("other_median_ci95_ns", 0),
            ("ratio", 0),
            ("ratio_ci95_low", 0),
            ("ratio_ci95_high", 0),
        ]
    } else {
        &[
            ("op", -14),
            ("algorithm", -16),
            ("level", -17),
            ("message", 7),
            ("threads", 7),
            ("first", 10),
            ("+-", 8),
            ("second", 10),
            ("+-", 8),
            ("ratio", 7),
            ("95 %", 16),
        ]
    };
    names.iter().map(|(name, width)| ((*name).to_owned(), *width)).collect()
}

fn thousandths(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

/// Puts the rows of two runs together, in the order of the first. Levels are compared with themselves; where each run has a row
/// on one level alone, these are compared, whatever levels they are. Returns what has no partner in the other run, too.
fn pairs(runs: [&[(RowKey, Timing)]; 2]) -> (Vec<DiffRow>, [Vec<&RowKey>; 2]) {
    let [first, second] = runs;
    let alike = |key: &RowKey, other: &RowKey| RowKey { backend: other.backend.clone(), ..key.clone() } == *other;
    let only = |key: &RowKey, run: &[(RowKey, Timing)]| run.iter().filter(|(other, _)| alike(key, other)).count() == 1;
    let partner = |key: &RowKey| {
        let on_one_level = only(key, first) && only(key, second);
        second.iter().position(|(other, _)| other == key || (on_one_level && alike(key, other)))
    };
    let mut found = Vec::new();
    let mut taken = vec![false; second.len()];
    let mut alone = Vec::new();
    for (key, timing) in first {
        let Some(at) = partner(key) else {
            alone.push(key);
            continue;
        };
        taken[at] = true;
        let (other, other_timing) = &second[at];
        found.push(DiffRow { keys: [key.clone(), other.clone()], timings: [*timing, *other_timing] });
    }
    let rest = second.iter().zip(taken).filter(|(_, taken)| !taken).map(|((key, _), _)| key);
    (found, [alone, rest.collect()])
}

/// Prints the rows that two documents have in common. The answer is no verdict, whatever they say.
///
/// # Errors
/// A file cannot be read or is another document, or the two have nothing in common.
pub fn run(paths: [&Path; 2], form: ResultForm, report: &mut Report) -> Result<Answer, Error> {
    let sources = paths.map(InputSource::from_arg);
    stdin_once(&sources)?;
    let progress = Progress::new(report.voice);
    let [one, other] = sources;
    let runs = [Earlier::read(one, &progress)?, Earlier::read(other, &progress)?];
    let (rows, alone) = pairs([&runs[0].rows, &runs[1].rows]);
    if rows.is_empty() {
        let [one, other] = runs.map(|run| run.from.to_string());
        return Err(Error::DiffRows { one, other });
    }
    for (word, run) in ["first", "second"].iter().zip(&runs) {
        report.note(&format!("note: {word}: {}, on {}", run.from, machine::name(&run.env)));
    }
    for (run, keys) in runs.iter().zip(alone) {
        for key in keys {
            report.note(&format!("note: only in {}: {key}", run.from));
        }
    }
    report.line(&heading(form, &names(form)))?;
    for row in &rows {
        report.line(&line(form, &row.cells(form)))?;
    }
    report.set("machines", json!(runs.map(|run| machine::name(&run.env))));
    report.set("diff", rows.iter().map(DiffRow::value).collect());
    Ok(().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(op: &str, backend: &str, timing: Timing) -> (RowKey, Timing) {
        let [op, backend] = [op, backend].map(str::to_owned);
        (
            RowKey { op, algorithm: "FN-DSA-512".to_owned(), backend, message_bytes: 1024, threads: 1, batch: None },
            timing,
        )
    }

    #[test]
    fn a_ratio_has_the_errors_of_both() {
        let [(key, _), _] = [row("sign", "avx2", (1.0, 0.0)), row("x", "x", (0.0, 0.0))];
        let row = DiffRow { keys: [key.clone(), key], timings: [(200.0, 6.0), (100.0, 4.0)] };
        let (ratio, [low, high]) = row.ratio();
        assert_eq!(ratio, 2.0);
        assert!((low - 1.9).abs() < 1e-12 && (high - 2.1).abs() < 1e-12, "{low} {high}");
        assert_eq!(row.value()["ratio_ci95"], json!([1.9, 2.1]));
        let vague = DiffRow { timings: [(200.0, 900.0), (100.0, 4.0)], ..row };
        assert_eq!(vague.ratio().1[0], 0.0);
    }

    #[test]
    fn levels_are_compared_with_themselves_or_alone() {
        let t = (1.0, 0.0);
        let first =
            [row("sign", "avx2", t), row("sign", "scalar", t), row("verify", "avx2", t), row("keygen", "avx2", t)];
        let second =
            [row("sign", "scalar", t), row("sign", "neon", t), row("verify", "neon", t), row("hash", "neon", t)];
        let (rows, [one, other]) = pairs([&first, &second]);
        let found: Vec<_> = rows.iter().map(|row| (row.keys[0].op.as_str(), row.level())).collect();
        assert_eq!(found, [("sign", "scalar".to_owned()), ("verify", "avx2, neon".to_owned())]);
        assert_eq!(one, [&first[0].0, &first[3].0]);
        assert_eq!(other, [&second[1].0, &second[3].0]);
        assert!(names(ResultForm::Csv).len() == rows[0].cells(ResultForm::Csv).len());
        assert!(names(ResultForm::Table).len() == rows[0].cells(ResultForm::Table).len());
    }
}
