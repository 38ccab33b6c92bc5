//! Tables for a paper (`--format paper`):
//!
//! - the medians for operations, parts and hashes on each level (instruction set)
//! - the profiles of operations
//! - the gains of techniques
//! - the lengths of keys and signatures
//!
//! The medians are cycles, or times if cycles cannot be read. The cells in a row are separated by
//! `&`, as in LaTeX, and the descriptions are LaTeX comments.

use super::machine;
use super::measure::{Measurement, NOISY};
use super::plan::distinct;
use super::profile::PARTS;
use super::row::{CORE_CYCLES, CYCLES, MEDIAN, ResultColumn, ResultRow};
use super::table::bytes;
use super::work::{BenchOperation, BenchTarget, TimedPart, about};
use serde_json::Value;

/// The parts of signing, which papers usually compare.
pub const SIGNING: [TimedPart; 11] = [
    TimedPart::BaseSampler,
    TimedPart::Sampler,
    TimedPart::FftForward,
    TimedPart::FftInverse,
    TimedPart::SignCore,
    TimedPart::SignCoreEncoded,
    TimedPart::HashToPoint,
    TimedPart::Keccak,
    TimedPart::KeccakLanes,
    TimedPart::KeccakSerial,
    TimedPart::Ntt,
];

/// A technique that makes operations faster. To measure the gain, the same work is timed with and
/// without the technique.
struct Ablation {
    /// The name of the technique.
    name: &'static str,
    without_target: BenchTarget,
    with_target: BenchTarget,
}

/// The techniques that are measured. For a batch, the time is the time for one message.
const ABLATIONS: [Ablation; 4] = [
    Ablation {
        name: "lanes of Keccak",
        without_target: BenchTarget::Part(TimedPart::KeccakSerial),
        with_target: BenchTarget::Part(TimedPart::KeccakLanes),
    },
    Ablation {
        name: "expanded key",
        without_target: BenchTarget::Part(TimedPart::SignCoreEncoded),
        with_target: BenchTarget::Part(TimedPart::SignCore),
    },
    Ablation {
        name: "batch of signatures",
        without_target: BenchTarget::Op(BenchOperation::SignRepeat),
        with_target: BenchTarget::Op(BenchOperation::SignBatch),
    },
    Ablation {
        name: "batch of verifications",
        without_target: BenchTarget::Op(BenchOperation::VerifyRepeat),
        with_target: BenchTarget::Op(BenchOperation::VerifyBatch),
    },
];

/// Returns the column with the medians, and the description of its unit. The unit is core cycles if
/// all rows have core cycles. Otherwise, it is counter ticks if all rows have counter ticks, and
/// nanoseconds in all other cases.
fn unit(rows: &[ResultRow], env: &Value) -> (ResultColumn, String) {
    let hz = match env["counter_hz"].as_u64() {
        Some(hz) => machine::megahertz(hz),
        None => String::new(),
    };
    let ticks = format!("ticks of the time-stamp counter ({hz}), which are not cycles of the core");
    for (column, words) in [(CORE_CYCLES, "cycles of the core"), (CYCLES, &ticks)] {
        if rows.iter().all(|row| column.number(row).is_some()) {
            return (column, words.to_owned());
        }
    }
    (MEDIAN, "nanoseconds, because cycles cannot be read here".to_owned())
}

/// A table with a row for each algorithm and, for most tables, each level.
struct PaperTable {
    caption: String,
    /// The number of columns that contain names. These columns are before the columns that contain
    /// figures.
    names: usize,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The comments below the table.
    notes: Vec<String>,
}

impl PaperTable {
    /// Creates a table. The first columns are the algorithm and `names`, and the other columns are
    /// `figures`.
    fn new(caption: &str, names: &[&str], figures: &[&str]) -> Self {
        let mut columns = vec!["algorithm".to_owned()];
        for column in names.iter().chain(figures) {
            columns.push((*column).to_owned());
        }
        Self { caption: caption.to_owned(), names: 1 + names.len(), columns, rows: Vec::new(), notes: Vec::new() }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![String::new(), format!("% {}", self.caption)];
        let mut widths = vec![0; self.columns.len()];
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let mut cells = Vec::new();
            for (i, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                cells.push(if i < self.names { format!("{cell:<width$}") } else { format!("{cell:>width$}") });
            }
            lines.push(format!("{} \\\\", cells.join(" & ")));
        }
        for note in &self.notes {
            lines.push(format!("% {note}"));
        }
        lines
    }
}

/// Returns the lines of all tables for the measured rows.
pub fn lines(rows: &[ResultRow], env: &Value) -> Vec<String> {
    let (column, words) = unit(rows, env);
    let mut lines = vec![
        format!("% {}", machine::name(env)),
        format!("% measured with {}", machine::program(env)),
        format!("% fndsa {}; medians, in {words}", env!("CARGO_PKG_VERSION")),
        format!("% A figure with ! may be off by more than {NOISY} percent."),
    ];
    let mut sorted: [Vec<&ResultRow>; 3] = Default::default();
    for row in rows {
        let table = if row.lengths.is_some() { 0 } else { 1 + usize::from(row.key.op == BenchTarget::Hash.name()) };
        sorted[table].push(row);
    }
    let [operations, parts, hashes] = &sorted;
    let mut tables = vec![
        figures("Operations, in thousands", operations, &column),
        figures("Parts of operations", parts, &column),
        figures("Hashes", hashes, &column),
    ];
    let mut profiled = Vec::new();
    for row in rows {
        if row.profile.is_some() && !profiled.contains(&row.key.op.as_str()) {
            profiled.push(row.key.op.as_str());
        }
    }
    for op in profiled {
        tables.push(profile(op, rows));
    }
    tables.extend([ablations(parts), ablations(operations), lengths(operations)]);
    for table in tables {
        if !table.rows.is_empty() {
            lines.extend(table.lines());
        }
    }
    lines
}

/// Returns the name of a part without the prefix `subroutine`, which all parts have.
fn short_part_name(op: &str) -> &str {
    op.strip_prefix("subroutine ").unwrap_or(op)
}

/// Creates a table with medians. It has a column for each operation, and a row for each algorithm,
/// message length and level. Medians for complete operations are in thousands.
fn figures(caption: &str, rows: &[&ResultRow], column: &ResultColumn) -> PaperTable {
    let has_messages = rows.iter().any(|row| row.key.message_bytes > 0);
    let names: &[&str] = if has_messages { &["level", "message"] } else { &["level"] };
    let labels = distinct(rows.iter().map(|row| row.key.label()));
    let ops: Vec<_> = labels.iter().map(|label| short_part_name(label)).collect();
    let mut table = PaperTable::new(caption, names, &ops);
    for (algorithm, size, level) in distinct(rows.iter().map(|row| subject(row))) {
        let mut line = vec![algorithm.to_owned(), level.to_owned()];
        if has_messages {
            line.push(bytes(size));
        }
        for label in &labels {
            let row = rows.iter().find(|row| subject(row) == (algorithm, size, level) && row.key.label() == *label);
            line.push(match row {
                Some(row) => figure(row, column),
                None => "--".to_owned(),
            });
        }
        table.rows.push(line);
    }
    for (label, op) in labels.iter().zip(ops) {
        if label != op
            && let Some(about) = about(label)
        {
            table.notes.push(format!("{op}: {about}"));
        }
    }
    table
}

/// Returns a row's algorithm, message length and level.
fn subject(row: &ResultRow) -> (&str, u64, &str) {
    (&row.key.algorithm, row.key.message_bytes, &row.key.backend)
}

/// Returns the row's median, in thousands for a complete operation.
fn figure(row: &ResultRow, column: &ResultColumn) -> String {
    let noise_mark = if row.measured.is_noisy() { "!" } else { "" };
    let figure = column.number(row).unwrap_or_default();
    if row.lengths.is_some() { format!("{noise_mark}{:.1}", figure / 1e3) } else { format!("{noise_mark}{figure:.0}") }
}

/// The explanation below a profile in which the parts overlap.
const OVERLAP: [&str; 2] = [
    "sum: each part is timed alone. In the operation, hashing runs at the same time as the sampler or the",
    "decoder. Then the parts overlap, and their sum is above 100, or a part is too small to be measured.",
];

/// Creates the table with the percentages for an operation's parts.
fn profile(op: &str, rows: &[ResultRow]) -> PaperTable {
    let mut table = PaperTable::new(&format!("Profile of {op}, in percent"), &["level"], &PARTS);
    table.columns.push("sum".to_owned());
    let mut overlap = false;
    for row in rows {
        if let Some(profile) = &row.profile
            && row.key.op == op
        {
            let mut line = vec![row.key.algorithm.clone(), row.key.backend.clone()];
            let shares = profile.shares();
            for share in shares {
                line.push(format!("{share:.1}"));
            }
            line.push(format!("{:.1}", shares.iter().sum::<f64>()));
            table.rows.push(line);
            overlap |= profile.overlap;
        }
    }
    if overlap {
        for line in OVERLAP {
            table.notes.push(line.to_owned());
        }
    }
    table
}

/// Creates a table with a column for each measured technique. A figure is the time without the
/// technique, divided by the time with it.
fn ablations(rows: &[&ResultRow]) -> PaperTable {
    let mut measured = Vec::new();
    let mut names = Vec::new();
    for ablation in &ABLATIONS {
        if has_target(rows, ablation.without_target) && has_target(rows, ablation.with_target) {
            measured.push(ablation);
            names.push(ablation.name);
        }
    }
    let caption = "Ablations: the time without a technique, divided by the time with it";
    let mut table = PaperTable::new(caption, &["level"], &names);
    if measured.is_empty() {
        return table;
    }
    for about in distinct(rows.iter().map(|row| subject(row))) {
        let (algorithm, _, level) = about;
        let mut line = vec![algorithm.to_owned(), level.to_owned()];
        for ablation in &measured {
            let without_target = measurement_of(rows, about, ablation.without_target);
            let with_target = measurement_of(rows, about, ablation.with_target);
            line.push(gain(without_target, with_target));
        }
        table.rows.push(line);
    }
    for ablation in measured {
        let without_target = short_part_name(ablation.without_target.name());
        let with_target = short_part_name(ablation.with_target.name());
        table.notes.push(format!("{}: {without_target} / {with_target}", ablation.name));
    }
    table
}

/// Returns whether there is a row for this operation or part.
fn has_target(rows: &[&ResultRow], target: BenchTarget) -> bool {
    rows.iter().any(|row| row.key.op == target.name())
}

/// Returns the first measurement of this operation or part for a [`subject`].
fn measurement_of<'a>(
    rows: &[&'a ResultRow],
    about: (&str, u64, &str),
    target: BenchTarget,
) -> Option<&'a Measurement> {
    for row in rows {
        if row.key.op == target.name() && subject(row) == about {
            return Some(&row.measured);
        }
    }
    None
}

/// Returns the median without a technique, divided by the median with it, as text.
fn gain(without_target: Option<&Measurement>, with_target: Option<&Measurement>) -> String {
    let Some(without_target) = without_target else { return "--".to_owned() };
    let Some(with_target) = with_target else { return "--".to_owned() };
    let noise_mark = if without_target.is_noisy() || with_target.is_noisy() { "!" } else { "" };
    format!("{noise_mark}{:.2}", without_target.ns.median / with_target.ns.median)
}

/// Creates the table with key and signature lengths.
fn lengths(rows: &[&ResultRow]) -> PaperTable {
    let columns = ["public key", "private key", "signature"];
    let mut table = PaperTable::new("Bytes of keys and signatures", &[], &columns);
    for row in rows {
        if let Some(lengths) = row.lengths {
            let mut line = vec![row.key.algorithm.clone()];
            for figure in [lengths.public_key, lengths.private_key, lengths.signature] {
                line.push(figure.to_string());
            }
            table.rows.push(line);
        }
    }
    table.rows = distinct(table.rows.into_iter());
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::bench::measure::CallTotal;
    use crate::cmd::bench::statistics::SampleSummary;

    fn measured(median: f64, median_ci95: f64) -> Measurement {
        let ns = SampleSummary { median, median_ci95, mean: median, mad: 0.0, min: median, p95: median };
        let total = CallTotal { calls: 1, seconds: 1.0 };
        Measurement { samples: 3, batch: 1, ns, cycles: None, core_cycles: None, total, core_share: None }
    }

    #[test]
    fn a_gain_is_the_slower_time_divided_by_the_faster_time() {
        let [slow, fast, noisy] = [measured(30.0, 0.1), measured(8.0, 0.1), measured(10.0, 1.0)];
        assert_eq!(gain(Some(&slow), Some(&fast)), "3.75");
        assert_eq!(gain(Some(&noisy), Some(&fast)), "!1.25");
        assert_eq!(gain(Some(&slow), Some(&noisy)), "!3.00");
        assert_eq!([gain(None, Some(&fast)), gain(Some(&slow), None)], ["--", "--"]);
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = PaperTable::new("A caption", &[], &["sign"]);
        table.rows = vec![["X", "12345.6"].map(str::to_owned).into(), ["Y", "--"].map(str::to_owned).into()];
        table.notes.push("sign: a signature".to_owned());
        let lines = [
            "",
            "% A caption",
            "algorithm &    sign \\\\",
            "X         & 12345.6 \\\\",
            "Y         &      -- \\\\",
            "% sign: a signature",
        ];
        assert_eq!(table.lines(), lines);
    }
}
