//! The output formats of `bench` (`--format`), and the types for columns. `row` and `diff` define a
//! table of columns with the macro [`columns`]. A column has a name, a unit and a value, and all
//! formats use these columns.

use serde_json::{Map, Value};

/// The output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ResultFormat {
    /// Aligned columns
    Table,
    /// A Markdown table
    Md,
    /// Comma-separated values with a heading; times are in nanoseconds
    Csv,
    /// The JSON document of --json
    Json,
    /// LaTeX tables for a paper: cycles, parts, profile and sizes
    Paper,
}

/// The text of a cell, and its width in characters. If the width is negative, the text is aligned
/// to the left.
pub type TableCell = (String, i32);

/// Returns the lines before the first row.
pub fn heading(form: ResultFormat, cells: &[TableCell]) -> String {
    let names = line(form, cells);
    if form != ResultFormat::Md {
        return names;
    }
    let rules: Vec<_> = cells.iter().map(|(_, width)| if *width < 0 { ":--" } else { "--:" }).collect();
    format!("{names}\n| {} |", rules.join(" | "))
}

/// Returns the line for a row.
pub fn line(form: ResultFormat, cells: &[TableCell]) -> String {
    let mut texts = Vec::new();
    for (text, width) in cells {
        let columns = width.unsigned_abs() as usize;
        texts.push(match form {
            ResultFormat::Md => text.clone(),
            ResultFormat::Csv => quote(text),
            ResultFormat::Table | ResultFormat::Json | ResultFormat::Paper if *width < 0 => format!("{text:<columns$}"),
            ResultFormat::Table | ResultFormat::Json | ResultFormat::Paper => format!("{text:>columns$}"),
        });
    }
    match form {
        ResultFormat::Md => format!("| {} |", texts.join(" | ")),
        ResultFormat::Csv => texts.join(","),
        ResultFormat::Table | ResultFormat::Json | ResultFormat::Paper => texts.join(" ").trim_end().to_owned(),
    }
}

/// Puts a text in quotes, if comma-separated values require this.
fn quote(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Returns a value from a document as text without quotes. The text is empty for null.
pub fn unquoted_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Formats a time in nanoseconds with a suitable unit.
pub fn duration(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{ns:.0} ns"),
        ..1e6 => format!("{:.2} us", ns / 1e3),
        ..1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

/// Formats a number of bytes with the largest unit (K, M or G) that divides the number.
pub fn bytes(count: u64) -> String {
    for (log, unit) in [(30, "G"), (20, "M"), (10, "K")] {
        if count > 0 && count.trailing_zeros() >= log {
            return format!("{}{unit}", count >> log);
        }
    }
    count.to_string()
}

/// The unit of a number, which defines how the number is rounded for documents and printed in
/// tables.
#[derive(Clone, Copy)]
pub struct FigureUnit {
    /// Numbers are rounded to multiples of 1/`steps`, or not at all if `steps` is 0.
    steps: f64,
    cell: fn(f64) -> String,
}

impl FigureUnit {
    /// A text, a count or a number that is not rounded.
    pub const PLAIN: Self = Self { steps: 0.0, cell: |number| number.to_string() };
    /// A time in nanoseconds.
    pub const NS: Self = Self { steps: 10.0, cell: duration };
    /// Calls per second.
    pub const RATE: Self = Self { steps: 10.0, cell: |number| format!("{number:.1}") };
    /// Cycles or ticks.
    pub const CYCLES: Self = Self { steps: 10.0, cell: |number| format!("{number:.0}") };
    /// Bytes per second, and MB/s in tables.
    pub const SPEED: Self = Self { steps: 1.0, cell: |number| format!("{:.1}", number / 1e6) };
    /// A speed, divided by the speed on the first level (instruction set).
    pub const FACTOR: Self = Self { steps: 100.0, cell: |number| format!("{number:.2}") };
    /// A speed in the second run, divided by the speed in the first run.
    pub const RATIO: Self = Self { steps: 1000.0, cell: |number| format!("{number:.2}") };
    /// A change in percent.
    pub const CHANGE: Self = Self { steps: 100.0, cell: |number| format!("{number:+.1} %") };
    /// The two ends of the confidence interval for a change, in percent.
    pub const CHANGES: Self = Self { steps: 100.0, cell: |number| format!("{number:+.1}") };
    /// A percentage of the total.
    pub const SHARE: Self = Self { steps: 10.0, cell: |number| format!("{number:.1} %") };

    /// Rounds a number for a JSON document.
    pub fn round(self, number: f64) -> f64 {
        if self.steps > 0.0 { (number * self.steps).round() / self.steps } else { number }
    }

    /// Rounds the floating-point numbers in a value for a JSON document. Integers are not changed.
    fn member(self, value: Value) -> Value {
        match value {
            Value::Array(items) => items.into_iter().map(|item| self.member(item)).collect(),
            Value::Number(number) if number.is_f64() => number.as_f64().map(|number| self.round(number)).into(),
            other => other,
        }
    }

    /// Formats a value for tables. Returns a dash if the value is null, because the row does not
    /// have this figure.
    fn text(self, value: &Value) -> String {
        match value {
            Value::Null => "-".to_owned(),
            Value::Array(ends) => ends.iter().map(|end| self.text(end)).collect::<Vec<_>>().join(" to "),
            Value::Number(number) if number.is_f64() => (self.cell)(number.as_f64().unwrap_or_default()),
            other => unquoted_text(other),
        }
    }
}

/// A set of columns that are printed together. In comma-separated values, the sets are in the order
/// of these variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColumnSet {
    /// The columns that all results have.
    Always,
    /// The message's length, for tables.
    Message,
    /// Core cycles.
    CoreCycles,
    /// The speed compared with the first level.
    Levels,
    /// The comparison with an earlier run.
    Baseline,
    /// The time for each part of an operation.
    Parts,
    /// The number of bytes that are hashed per second.
    Hashing,
    /// The number of messages in a batch.
    Batch,
    /// Stack and work memory.
    Memory,
    /// Key and signature lengths.
    KeyLengths,
}

/// A column for rows of type `R`: its names, its unit, and the function that returns its value. If
/// the name for an output format is empty, this format does not have the column.
pub struct Column<R> {
    /// The path of the member in a JSON result, with dots between the names.
    pub member: &'static str,
    /// The name in comma-separated values.
    pub csv: &'static str,
    /// The heading in tables.
    pub heading: &'static str,
    /// The width in tables, in characters. If it is negative, the text is aligned to the left.
    pub width: i32,
    /// The unit of the number.
    pub unit: FigureUnit,
    /// The set that the column belongs to.
    pub set: ColumnSet,
    /// Returns the value before rounding. Returns null if the row does not have this figure.
    pub value: fn(&R) -> Value,
}

/// Defines columns, and the slice `COLUMNS` with all of them. A line contains, in this order:
///
/// - the name of the constant
/// - the member in documents
/// - the name in comma-separated values
/// - the heading and the width in tables
/// - the unit, the set and the value
macro_rules! columns {
    ($row:ident: $type:ty; $($name:ident: $member:literal, $csv:literal, $heading:literal, $width:literal,
        $unit:ident, $set:ident, $value:expr;)*) => {
        $(pub const $name: Column<$type> = Column {
            member: $member,
            csv: $csv,
            heading: $heading,
            width: $width,
            unit: FigureUnit::$unit,
            set: ColumnSet::$set,
            value: |$row| serde_json::json!($value),
        };)*
        const COLUMNS: &[Column<$type>] = &[$($name),*];
    };
}
pub(super) use columns;

impl<R> Column<R> {
    /// Returns the number in a row before rounding. Returns `None` if the row does not have this
    /// figure.
    pub fn number(&self, row: &R) -> Option<f64> {
        (self.value)(row).as_f64()
    }

    /// Finds the member for this column in a result, which is an object in JSON. Returns null if
    /// the member is missing.
    pub fn find<'v>(&self, result: &'v Value) -> &'v Value {
        let mut member = result;
        for name in self.member.split('.') {
            member = &member[name];
        }
        member
    }

    /// Returns the column name in comma-separated values or tables.
    fn name(&self, form: ResultFormat) -> &'static str {
        if form == ResultFormat::Csv { self.csv } else { self.heading }
    }
}

/// Returns a row as an object in JSON. If the row does not have a figure, the member is omitted. In
/// the sets `Always` and `CoreCycles`, the member is null instead.
pub fn result<R>(columns: &[Column<R>], row: &R) -> Value {
    let mut result = Value::Object(Map::new());
    for column in columns {
        let value = column.unit.member((column.value)(row));
        let is_member = !value.is_null() || matches!(column.set, ColumnSet::Always | ColumnSet::CoreCycles);
        if is_member && !column.member.is_empty() {
            let mut member = &mut result;
            for name in column.member.split('.') {
                member = &mut member[name];
            }
            *member = value;
        }
    }
    result
}

/// The columns of an output format, in their order.
pub struct ColumnLayout<R: 'static> {
    form: ResultFormat,
    columns: Vec<&'static Column<R>>,
}

impl<R> ColumnLayout<R> {
    /// Chooses the columns of an output format, from all columns that are in one of the sets.
    pub fn new(form: ResultFormat, all: &'static [Column<R>], sets: &[ColumnSet]) -> Self {
        let mut columns: Vec<&Column<R>> = Vec::new();
        for column in all {
            if !sets.contains(&column.set) || column.name(form).is_empty() {
                continue;
            }
            let position = match form {
                // The column is inserted after the last column of its set or an earlier set.
                ResultFormat::Csv => match columns.iter().rposition(|earlier| earlier.set <= column.set) {
                    Some(at) => at + 1,
                    None => 0,
                },
                _ => columns.len(),
            };
            columns.insert(position, column);
        }
        Self { form, columns }
    }

    /// Returns the heading cells.
    pub fn names(&self) -> Vec<TableCell> {
        let mut cells = Vec::new();
        for column in &self.columns {
            cells.push((column.name(self.form).to_owned(), column.width));
        }
        cells
    }

    /// Returns the row's cells.
    pub fn cells(&self, row: &R) -> Vec<TableCell> {
        let mut cells = Vec::new();
        for column in &self.columns {
            let value = (column.value)(row);
            let is_csv = self.form == ResultFormat::Csv;
            cells.push((
                if is_csv { unquoted_text(&column.unit.member(value)) } else { column.unit.text(&value) },
                column.width,
            ));
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_multiples_of_a_unit_are_printed_with_the_unit() {
        let texts = [0, 64, 1000, 1024, 1536, 16384, 1 << 20, 5 << 20, 1 << 30, 2047 << 20].map(bytes);
        assert_eq!(texts, ["0", "64", "1000", "1K", "1536", "16K", "1M", "5M", "1G", "2047M"]);
    }

    #[test]
    fn values_with_commas_are_quoted() {
        let values = [json!("Core(TM) i7, \"8\" cores"), json!(null), json!("a b"), json!(1.5), json!(true)];
        let cells = values.map(|value| (unquoted_text(&value), 0));
        assert_eq!(line(ResultFormat::Csv, &cells), "\"Core(TM) i7, \"\"8\"\" cores\",,a b,1.5,true");
    }

    #[test]
    fn all_result_forms_have_the_same_cells() {
        let cells = [("op".to_owned(), -4), ("a,b".to_owned(), 5)];
        assert_eq!(line(ResultFormat::Table, &cells), "op     a,b");
        assert_eq!(line(ResultFormat::Csv, &cells), "op,\"a,b\"");
        assert_eq!(heading(ResultFormat::Md, &cells), "| op | a,b |\n| :-- | --: |");
    }

    columns! { row: f64;
        B: "a.b", "b", "", 0, RATIO, KeyLengths, row;
        C: "a.c", "c", "C", 7, CHANGES, Always, [*row, 2.0];
        D: "d", "d", "D", -7, CYCLES, Always, row.is_nan().then_some(1.0);
        E: "e", "e", "E", -7, CYCLES, Memory, row.is_nan().then_some(1.0);
    }

    #[test]
    fn each_result_form_has_its_columns() {
        let document = result(COLUMNS, &1.23456);
        assert_eq!(document, json!({ "a": { "b": 1.235, "c": [1.23, 2.0] }, "d": null }));
        assert_eq!(B.find(&document), 1.235);
        assert_eq!(B.find(&json!({ "a": 3 })), &Value::Null);
        let sets = [ColumnSet::Always, ColumnSet::KeyLengths];
        let names: Vec<_> = ColumnLayout::new(ResultFormat::Csv, COLUMNS, &sets).names();
        assert_eq!(names.iter().map(|(name, _)| &name[..]).collect::<Vec<_>>(), ["c", "d", "b"]);
        let table = ColumnLayout::new(ResultFormat::Table, COLUMNS, &sets);
        assert_eq!(table.cells(&1.23456), [("+1.2 to +2.0".to_owned(), 7), ("-".to_owned(), -7)]);
        assert!(ColumnLayout::new(ResultFormat::Table, COLUMNS, &[ColumnSet::KeyLengths]).names().is_empty());
    }
}
