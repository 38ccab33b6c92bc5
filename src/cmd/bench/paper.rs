//! The tables that published work prints: cycles of operations and parts on each level, and the profile of signing. Cells are
//! separated as LaTeX wants them, and what is said of a table stands in comments of LaTeX.

use super::machine;
use super::measure::NOISY;
use super::plan::distinct;
use super::profile::PARTS;
use super::row::ResultRow;
use super::table::bytes;
use super::work::{TimedPart, What, about};
use serde_json::Value;

/// The parts that are tables of published work: what a signature is made of.
pub const SIGNING: [TimedPart; 6] = [
    TimedPart::Sampler,
    TimedPart::Fft,
    TimedPart::SignCore,
    TimedPart::HashToPoint,
    TimedPart::Keccak,
    TimedPart::Ntt,
];

/// What figures are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    CoreCycles,
    Ticks,
    Nanoseconds,
}

impl Unit {
    /// Returns the unit that all rows have.
    fn of(rows: &[ResultRow]) -> Self {
        if rows.iter().all(|row| row.measured.core_cycles.is_some()) {
            Self::CoreCycles
        } else if rows.iter().all(|row| row.measured.cycles.is_some()) {
            Self::Ticks
        } else {
            Self::Nanoseconds
        }
    }

    fn figure(self, row: &ResultRow) -> f64 {
        let figure = match self {
            Self::CoreCycles => row.measured.core_cycles,
            Self::Ticks => row.measured.cycles,
            Self::Nanoseconds => None,
        };
        figure.unwrap_or(row.measured.ns.median)
    }

    fn words(self, env: &Value) -> String {
        match self {
            Self::CoreCycles => "cycles of the core".to_owned(),
            Self::Ticks => {
                let hz = env["counter_hz"].as_u64().map(machine::megahertz).unwrap_or_default();
                format!("ticks of the time-stamp counter ({hz}), which are not cycles of the core")
            }
            Self::Nanoseconds => "nanoseconds, for cycles cannot be read here".to_owned(),
        }
    }
}

/// A table whose rows are algorithms, mostly on each level.
struct PaperTable {
    caption: String,
    /// Columns of names, before those of figures.
    names: usize,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// What is said below.
    notes: Vec<String>,
}

impl PaperTable {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![String::new(), format!("% {}", self.caption)];
        let all = || std::iter::once(&self.columns).chain(&self.rows);
        let width = |i: usize| all().map(|row| row.get(i).map_or(0, |cell| cell.chars().count())).max().unwrap_or(0);
        let widths: Vec<_> = (0..self.columns.len()).map(width).collect();
        for row in all() {
            let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| {
                if i < self.names { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            lines.push(format!("{} \\\\", cells.collect::<Vec<_>>().join(" & ")));
        }
        lines.extend(self.notes.iter().map(|note| format!("% {note}")));
        lines
    }
}

/// Returns the lines of all tables that the rows of a run make.
pub fn lines(rows: &[ResultRow], env: &Value) -> Vec<String> {
    let unit = Unit::of(rows);
    let mut lines = vec![
        format!("% {}", machine::name(env)),
        format!("% fndsa {}; medians, in {}", env!("CARGO_PKG_VERSION"), unit.words(env)),
        format!("% A figure with ! may be off by more than {NOISY} percent."),
    ];
    let of = |wanted: fn(&ResultRow) -> bool| rows.iter().filter(|row| wanted(row)).collect::<Vec<_>>();
    let operations = of(|row| row.lengths.is_some());
    let mut tables = vec![
        figures("Operations, in thousands", &operations, unit),
        figures("Parts of operations", &of(|row| row.lengths.is_none() && row.key.op != What::Hash.name()), unit),
        figures("Hashes", &of(|row| row.key.op == What::Hash.name()), unit),
    ];
    let profiled = distinct(rows.iter().filter(|row| row.profile.is_some()).map(|row| row.key.op.as_str()));
    tables.extend(profiled.iter().map(|op| profile(op, rows)));
    tables.push(lengths(&operations));
    lines.extend(tables.iter().filter(|table| !table.rows.is_empty()).flat_map(PaperTable::lines));
    lines
}

/// Returns the name of a part without the word that says that it is one.
fn without_kind(op: &str) -> &str {
    op.strip_prefix("subroutine ").unwrap_or(op)
}

/// Makes a table of medians with a column for each operation and a row for each algorithm, length of messages and level. Those of
/// whole operations are in thousands.
fn figures(caption: &str, rows: &[&ResultRow], unit: Unit) -> PaperTable {
    let labels = distinct(rows.iter().map(|row| row.key.label()));
    let subject = |row: &ResultRow| (row.key.algorithm.clone(), row.key.message_bytes, row.key.backend.clone());
    let has_messages = rows.iter().any(|row| row.key.message_bytes > 0);
    let mut columns = vec!["algorithm".to_owned(), "level".to_owned()];
    columns.extend(has_messages.then(|| "message".to_owned()));
    let names = columns.len();
    columns.extend(labels.iter().map(|label| without_kind(label).to_owned()));
    let lines = distinct(rows.iter().map(|row| subject(row))).into_iter().map(|of| {
        let mut line = vec![of.0.clone(), of.2.clone()];
        line.extend(has_messages.then(|| bytes(of.1)));
        line.extend(labels.iter().map(|label| {
            let row = rows.iter().find(|row| subject(row) == of && row.key.label() == *label);
            row.map_or_else(|| "--".to_owned(), |row| figure(row, unit))
        }));
        line
    });
    let parts = labels.iter().filter(|label| without_kind(label) != label.as_str());
    let notes = parts.filter_map(|part| Some(format!("{}: {}", without_kind(part), about(part)?)));
    PaperTable { caption: caption.to_owned(), names, rows: lines.collect(), columns, notes: notes.collect() }
}

/// Returns the median of a row, in thousands if it is a whole operation.
fn figure(row: &ResultRow, unit: Unit) -> String {
    let mark = if row.measured.is_noisy() { "!" } else { "" };
    let figure = unit.figure(row);
    if row.lengths.is_some() { format!("{mark}{:.1}", figure / 1e3) } else { format!("{mark}{figure:.0}") }
}

/// Makes the table of the shares of an operation's parts.
fn profile(op: &str, rows: &[ResultRow]) -> PaperTable {
    let mut columns = vec!["algorithm".to_owned(), "level".to_owned()];
    columns.extend(PARTS.map(str::to_owned));
    let of_op = rows.iter().filter(|row| row.key.op == op);
    let lines = of_op.filter_map(|row| {
        let mut line = vec![row.key.algorithm.clone(), row.key.backend.clone()];
        line.extend(row.profile.as_ref()?.shares().map(|share| format!("{share:.1}")));
        Some(line)
    });
    let caption = format!("Profile of {op}, in percent; parts are timed alone, and above 100 in sum they overlap");
    PaperTable { caption, names: 2, columns, rows: lines.collect(), notes: Vec::new() }
}

/// Makes the table of the bytes of keys and signatures.
fn lengths(rows: &[&ResultRow]) -> PaperTable {
    let lines = distinct(rows.iter().filter_map(|row| {
        let mut line = vec![row.key.algorithm.clone()];
        line.extend(row.lengths?.figures().map(|length| length.to_string()));
        Some(line)
    }));
    let columns = ["algorithm", "public key", "private key", "signature"].map(str::to_owned).to_vec();
    PaperTable { caption: "Bytes of keys and signatures".to_owned(), names: 1, columns, rows: lines, notes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let table = PaperTable {
            caption: "A caption".to_owned(),
            names: 1,
            columns: cells(&["algorithm", "sign"]),
            rows: vec![cells(&["X", "12345.6"]), cells(&["Y", "--"])],
            notes: cells(&["sign: a signature"]),
        };
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
