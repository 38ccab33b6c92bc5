//! The tables for a paper: cycles for operations and parts on each level, and the profile of
//! signing. Cells are separated as in LaTeX, and descriptions are LaTeX comments.

use super::machine;
use super::measure::NOISY;
use super::plan::distinct;
use super::profile::PARTS;
use super::row::{CORE_CYCLES, CYCLES, MEDIAN, ResultColumn, ResultRow};
use super::table::bytes;
use super::work::{BenchTarget, TimedPart, about};
use serde_json::Value;

/// The parts that are usually published in tables: the parts of a signature.
pub const SIGNING: [TimedPart; 6] = [
    TimedPart::Sampler,
    TimedPart::Fft,
    TimedPart::SignCore,
    TimedPart::HashToPoint,
    TimedPart::Keccak,
    TimedPart::Ntt,
];

/// Returns the first of these columns that all rows include, with the description of its unit: core
/// cycles, counter ticks, nanoseconds.
fn unit(rows: &[ResultRow], env: &Value) -> (ResultColumn, String) {
    let hz = env["counter_hz"].as_u64().map(machine::megahertz).unwrap_or_default();
    let ticks = format!("ticks of the time-stamp counter ({hz}), which are not cycles of the core");
    for (column, words) in [(CORE_CYCLES, "cycles of the core"), (CYCLES, &ticks)] {
        if rows.iter().all(|row| column.number(row).is_some()) {
            return (column, words.to_owned());
        }
    }
    (MEDIAN, "nanoseconds, for cycles cannot be read here".to_owned())
}

/// A table with a row for each algorithm, usually on each level.
struct PaperTable {
    caption: String,
    /// The number of columns with names, before the columns with figures.
    names: usize,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Comments below the table.
    notes: Vec<String>,
}

impl PaperTable {
    /// Creates a table. The first columns are the algorithm and `names`.
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

/// Returns the lines of all tables for the rows of a run.
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
    for op in distinct(rows.iter().filter(|row| row.profile.is_some()).map(|row| row.key.op.as_str())) {
        tables.push(profile(op, rows));
    }
    tables.push(lengths(operations));
    for table in tables {
        if !table.rows.is_empty() {
            lines.extend(table.lines());
        }
    }
    lines
}

/// Returns a part's name without the prefix that is common to all parts.
fn without_kind(op: &str) -> &str {
    op.strip_prefix("subroutine ").unwrap_or(op)
}

/// Creates a table of medians, with a column for each operation and a row for each algorithm,
/// message length and level. Medians of complete operations are in thousands.
fn figures(caption: &str, rows: &[&ResultRow], column: &ResultColumn) -> PaperTable {
    let has_messages = rows.iter().any(|row| row.key.message_bytes > 0);
    let names: &[&str] = if has_messages { &["level", "message"] } else { &["level"] };
    let labels = distinct(rows.iter().map(|row| row.key.label()));
    let ops: Vec<_> = labels.iter().map(|label| without_kind(label)).collect();
    let mut table = PaperTable::new(caption, names, &ops);
    for (algorithm, size, level) in distinct(rows.iter().map(|row| subject(row))) {
        let mut line = vec![algorithm.to_owned(), level.to_owned()];
        if has_messages {
            line.push(bytes(size));
        }
        for label in &labels {
            let row = rows.iter().find(|row| subject(row) == (algorithm, size, level) && row.key.label() == *label);
            line.push(row.map_or_else(|| "--".to_owned(), |row| figure(row, column)));
        }
        table.rows.push(line);
    }
    for (label, op) in labels.iter().zip(ops) {
        if let Some(about) = about(label).filter(|_| label != op) {
            table.notes.push(format!("{op}: {about}"));
        }
    }
    table
}

/// Returns a row's algorithm, message length and level.
fn subject(row: &ResultRow) -> (&str, u64, &str) {
    (&row.key.algorithm, row.key.message_bytes, &row.key.backend)
}

/// Returns a row's median, in thousands if it is a complete operation.
fn figure(row: &ResultRow, column: &ResultColumn) -> String {
    let mark = if row.measured.is_noisy() { "!" } else { "" };
    let figure = column.number(row).unwrap_or_default();
    if row.lengths.is_some() { format!("{mark}{:.1}", figure / 1e3) } else { format!("{mark}{figure:.0}") }
}

/// Creates the table with the percentage for each part of an operation.
fn profile(op: &str, rows: &[ResultRow]) -> PaperTable {
    let caption = format!("Profile of {op}, in percent; parts are timed alone, and above 100 in sum they overlap");
    let mut table = PaperTable::new(&caption, &["level"], &PARTS);
    for row in rows {
        if let Some(profile) = row.profile.as_ref().filter(|_| row.key.op == op) {
            let mut line = vec![row.key.algorithm.clone(), row.key.backend.clone()];
            line.extend(profile.shares().map(|share| format!("{share:.1}")));
            table.rows.push(line);
        }
    }
    table
}

/// Creates the table with key and signature lengths.
fn lengths(rows: &[&ResultRow]) -> PaperTable {
    let columns = ["public key", "private key", "signature"];
    let mut table = PaperTable::new("Bytes of keys and signatures", &[], &columns);
    for row in rows {
        if let Some(lengths) = row.lengths {
            let figures = [lengths.public_key, lengths.private_key, lengths.signature];
            let mut line = vec![row.key.algorithm.clone()];
            line.extend(figures.map(|figure| figure.to_string()));
            table.rows.push(line);
        }
    }
    table.rows = distinct(table.rows.into_iter());
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
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
