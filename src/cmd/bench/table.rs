//! The forms of results, and how each form writes a line.

use serde_json::Value;

/// The forms of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ResultForm {
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

/// The text of a cell and its width in characters: aligned to the left if the width is below 0.
pub type Cell = (String, i32);

/// Returns the lines before the first row.
pub fn heading(form: ResultForm, cells: &[Cell]) -> String {
    let names = line(form, cells);
    if form != ResultForm::Md {
        return names;
    }
    let rules: Vec<_> = cells.iter().map(|(_, width)| if *width < 0 { ":--" } else { "--:" }).collect();
    format!("{names}\n| {} |", rules.join(" | "))
}

/// Returns the line of one row.
pub fn line(form: ResultForm, cells: &[Cell]) -> String {
    let texts = cells.iter().map(|(text, _)| text.as_str());
    match form {
        ResultForm::Md => format!("| {} |", texts.collect::<Vec<_>>().join(" | ")),
        ResultForm::Csv => texts.map(quoted).collect::<Vec<_>>().join(","),
        ResultForm::Table | ResultForm::Json | ResultForm::Paper => {
            let padded = cells.iter().map(|(text, width)| {
                let columns = width.unsigned_abs() as usize;
                if *width < 0 { format!("{text:<columns$}") } else { format!("{text:>columns$}") }
            });
            padded.collect::<Vec<_>>().join(" ").trim_end().to_owned()
        }
    }
}

/// Returns a text in quotes, if comma-separated values need them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Returns a value of a document as a text without quotes; empty if it is null.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns nanoseconds with a fitting unit.
pub fn duration(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{ns:.0} ns"),
        ..1e6 => format!("{:.2} us", ns / 1e3),
        ..1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

/// Returns a number of bytes, with K, M or G if it is a whole number of these units.
pub fn bytes(count: u64) -> String {
    let unit =
        [(30, "G"), (20, "M"), (10, "K")].into_iter().find(|(log, _)| count > 0 && count.trailing_zeros() >= *log);
    unit.map_or_else(|| count.to_string(), |(log, unit)| format!("{}{unit}", count >> log))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn bytes_have_units_where_they_are_whole() {
        let shown = [0, 64, 1000, 1024, 1536, 16384, 1 << 20, 5 << 20, 1 << 30, 2047 << 20].map(bytes);
        assert_eq!(shown, ["0", "64", "1000", "1K", "1536", "16K", "1M", "5M", "1G", "2047M"]);
    }

    #[test]
    fn values_with_commas_are_quoted() {
        let values = [json!("Core(TM) i7, \"8\" cores"), json!(null), json!("a b"), json!(1.5), json!(true)];
        let cells = values.map(|value| (plain(&value), 0));
        assert_eq!(line(ResultForm::Csv, &cells), "\"Core(TM) i7, \"\"8\"\" cores\",,a b,1.5,true");
    }

    #[test]
    fn forms_have_the_same_cells() {
        let cells = [("op".to_owned(), -4), ("a,b".to_owned(), 5)];
        assert_eq!(line(ResultForm::Table, &cells), "op     a,b");
        assert_eq!(line(ResultForm::Csv, &cells), "op,\"a,b\"");
        assert_eq!(heading(ResultForm::Md, &cells), "| op | a,b |\n| :-- | --: |");
    }
}
