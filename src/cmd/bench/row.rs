//! One line of the result, and the forms that it is printed in.

use super::compare::{Comparison, Trend};
use super::measure::Measured;
use super::profile::{PARTS, Profile};
use super::work::What;
use fndsa::{Algorithm, Level};
use serde_json::{Value, json};

/// One line of the result.
pub struct ResultRow {
    /// What was measured.
    pub what: What,
    /// The algorithm that it was measured with.
    pub algorithm: Algorithm,
    /// The level that it was measured on.
    pub level: Level,
    /// Bytes of the messages; 0 where there are no messages.
    pub message_bytes: u32,
    /// How many threads worked at once.
    pub threads: usize,
    /// The measurement.
    pub measured: Measured,
    /// How many times as fast as the first level, where there are several.
    pub ratio: Option<f64>,
    /// How it compares with the earlier run.
    pub baseline: Option<Comparison>,
    /// Where the time goes.
    pub profile: Option<Profile>,
}

impl ResultRow {
    /// Returns whether the row is slower than the baseline by more than is allowed.
    pub fn has_regressed(&self) -> bool {
        self.baseline.is_some_and(|it| it.trend == Trend::Regressed)
    }

    /// Returns the result for the document.
    pub fn value(&self) -> Value {
        let ns = &self.measured.ns;
        let mut value = json!({
            "op": self.what.name(),
            "algorithm": self.algorithm.to_string(),
            "backend": self.level.name(),
            "message_bytes": self.message_bytes,
            "threads": self.threads,
            "samples": self.measured.samples,
            "calls_per_sample": self.measured.batch,
            "ns": {
                "median": tenths(ns.median),
                "median_ci95": tenths(ns.median_ci95),
                "mean": tenths(ns.mean),
                "mad": tenths(ns.mad),
                "min": tenths(ns.min),
                "p95": tenths(ns.p95),
            },
            "noisy": self.measured.is_noisy(),
            "calls": self.measured.total.calls,
            "seconds": self.measured.total.seconds,
            "ops_per_s": tenths(self.measured.total.per_second()),
            "cycles_median": self.measured.cycles.map(tenths),
        });
        if let Some(ratio) = self.ratio {
            value["ratio"] = json!(hundredths(ratio));
        }
        if let Some(Comparison { change, trend }) = self.baseline {
            value["baseline"] = json!({
                "change_pct": hundredths(change.pct),
                "ci95_pct": change.ci95.map(hundredths),
                "verdict": trend.name(),
            });
        }
        if let Some(profile) = &self.profile {
            let parts = PARTS.iter().zip(profile.ns).zip(profile.shares());
            let parts =
                parts.map(|((part, ns), share)| json!({ "part": part, "ns": tenths(ns), "pct": tenths(share) }));
            value["profile"] = json!({ "parts": parts.collect::<Vec<_>>(), "overlap": profile.overlap });
        }
        value
    }
}

fn tenths(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

fn hundredths(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

/// Returns nanoseconds with a fitting unit.
fn duration(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{ns:.0} ns"),
        ..1e6 => format!("{:.2} us", ns / 1e3),
        ..1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

/// The forms of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ResultForm {
    /// Columns with blanks between
    Table,
    /// A table of Markdown
    Md,
    /// Comma-separated values with a heading; times in nanoseconds
    Csv,
    /// The document of --json
    Json,
}

/// Makes the lines of one form.
pub struct Printer {
    format: ResultForm,
    /// The longest name of what is measured.
    width: usize,
    columns: Columns,
}

/// The columns that a table has only where they say something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// How the speed compares with that of the first level.
    pub ratio: bool,
    /// How the time compares with that of an earlier run.
    pub baseline: bool,
    /// Where the time goes.
    pub profile: bool,
}

/// The text of a cell, and how many characters it fills: aligned to the left if the number is below 0.
type Cell = (String, i32);

impl Printer {
    /// Prepares for rows about `all`, with the columns that are wanted.
    pub fn new(format: ResultForm, all: &[What], columns: Columns) -> Self {
        let width = all.iter().map(|what| what.name().len()).max().unwrap_or_default();
        Self { format, width: width.max(13), columns }
    }

    /// Returns whether the lines are for people alone.
    pub fn is_table(&self) -> bool {
        self.format == ResultForm::Table
    }

    /// Returns the lines before the first row.
    pub fn heading(&self) -> String {
        if self.format == ResultForm::Csv {
            return self.csv_columns().join(",");
        }
        let mut cells: Vec<Cell> = vec![("op".into(), -(self.width as i32)), ("algorithm".into(), -16)];
        cells.push(("level".into(), -9));
        cells.extend(["median", "+-", "MAD", "min", "p95"].map(|name| (name.to_owned(), 10)));
        cells.extend([("ops/s".into(), 11), ("cycles/op".into(), 12)]);
        if self.columns.ratio {
            cells.push(("ratio".into(), 7));
        }
        if self.columns.baseline {
            cells.extend([("change".into(), 9), ("95 %".into(), 17), ("verdict".into(), -9)]);
        }
        if self.columns.profile && self.format == ResultForm::Md {
            cells.extend(PARTS.map(|part| (part.to_owned(), 7)));
        }
        let line = self.join(&cells);
        if self.format == ResultForm::Table {
            return line;
        }
        let rules: Vec<_> = cells.iter().map(|(_, width)| if *width < 0 { ":--" } else { "--:" }).collect();
        format!("{line}\n| {} |", rules.join(" | "))
    }

    /// Returns the lines of one row.
    pub fn line(&self, row: &ResultRow) -> String {
        if self.format == ResultForm::Csv {
            return self.csv(row);
        }
        let ns = &row.measured.ns;
        let mut cells: Vec<Cell> = vec![(row.what.name().into(), -(self.width as i32))];
        cells.extend([(row.algorithm.to_string(), -16), (row.level.name().into(), -9)]);
        let mark = if row.measured.is_noisy() { "!" } else { "" };
        cells.extend([(duration(ns.median), 10), (format!("{mark}{:.1} %", row.measured.uncertainty()), 10)]);
        cells.extend([ns.mad, ns.min, ns.p95].map(|ns| (duration(ns), 10)));
        let cycles = row.measured.cycles.map_or("-".to_owned(), |cycles| format!("{cycles:.0}"));
        cells.extend([(format!("{:.1}", row.measured.total.per_second()), 11), (cycles, 12)]);
        if self.columns.ratio {
            cells.push((row.ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")), 7));
        }
        if self.columns.baseline {
            let texts = row.baseline.map_or(["-"; 3].map(str::to_owned), |Comparison { change, trend }| {
                let [low, high] = change.ci95;
                [format!("{:+.1} %", change.pct), format!("{low:+.1} to {high:+.1}"), trend.word().to_owned()]
            });
            cells.extend(texts.into_iter().zip([9, 17, -9]));
        }
        match &row.profile {
            Some(profile) if self.format == ResultForm::Md => {
                cells.extend(profile.shares().map(|share| (format!("{share:.1} %"), 7)));
            }
            None if self.columns.profile && self.format == ResultForm::Md => {
                cells.extend(PARTS.map(|_| ("-".to_owned(), 7)))
            }
            Some(profile) => return format!("{}\n{}", self.join(&cells), shares(profile)),
            None => {}
        }
        self.join(&cells)
    }

    fn join(&self, cells: &[Cell]) -> String {
        if self.format == ResultForm::Md {
            let texts: Vec<_> = cells.iter().map(|(text, _)| text.as_str()).collect();
            return format!("| {} |", texts.join(" | "));
        }
        let padded = cells.iter().map(|(text, width)| {
            let columns = width.unsigned_abs() as usize;
            if *width < 0 { format!("{text:<columns$}") } else { format!("{text:>columns$}") }
        });
        padded.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    }

    fn csv_columns(&self) -> Vec<String> {
        let fixed = "op,algorithm,backend,message_bytes,threads,samples,calls_per_sample,median_ns,median_ci95_ns,\
                     mean_ns,mad_ns,min_ns,p95_ns,ops_per_s,cycles_median,noisy,calls,seconds";
        let mut columns: Vec<_> = fixed.split(',').map(str::to_owned).collect();
        if self.columns.ratio {
            columns.push("ratio".into());
        }
        if self.columns.baseline {
            columns.extend(["change_pct", "ci95_low_pct", "ci95_high_pct", "verdict"].map(str::to_owned));
        }
        if self.columns.profile {
            columns.extend(PARTS.map(|part| format!("{part}_pct")));
        }
        columns
    }

    /// Returns one row as comma-separated values. No value has a comma or a quote in it; what is not known is empty.
    fn csv(&self, row: &ResultRow) -> String {
        let value = row.value();
        let known = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let mut cells: Vec<_> =
            ["op", "algorithm", "backend", "message_bytes", "threads", "samples", "calls_per_sample"]
                .map(|name| known(&value[name]))
                .into();
        let ns = ["median", "median_ci95", "mean", "mad", "min", "p95"];
        cells.extend(ns.map(|name| known(&value["ns"][name])));
        cells.extend(["ops_per_s", "cycles_median", "noisy", "calls", "seconds"].map(|name| known(&value[name])));
        if self.columns.ratio {
            cells.push(known(&value["ratio"]));
        }
        if self.columns.baseline {
            let baseline = &value["baseline"];
            let [low, high] = [0, 1].map(|i| known(&baseline["ci95_pct"][i]));
            cells.extend([known(&baseline["change_pct"]), low, high, known(&baseline["verdict"])]);
        }
        if self.columns.profile {
            cells.extend((0..PARTS.len()).map(|i| known(&value["profile"]["parts"][i]["pct"])));
        }
        cells.join(",")
    }
}

/// Returns the shares in a line of their own.
fn shares(profile: &Profile) -> String {
    let named = PARTS.iter().zip(profile.shares());
    let shown = named.filter(|(part, share)| *share > 0.0 || **part == "rest");
    let shown: Vec<_> = shown.map(|(part, share)| format!("{part} {share:.1} %")).collect();
    let overlap = if profile.overlap { " (parts overlap)" } else { "" };
    format!("  {}{overlap}", shown.join(", "))
}
