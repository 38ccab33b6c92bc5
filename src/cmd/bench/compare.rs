//! Reads the rows of an earlier run, and compares them with the rows of this run. A row is the
//! measurement of an operation.

use super::machine;
use super::machine::MachineMatch;
use super::measure::Measurement;
use super::plan::RowKey;
use super::row::{ALGORITHM, BACKEND, BATCH, MEDIAN, MEDIAN_CI95, MESSAGE_BYTES, OP, ResultColumn, THREADS};
use super::statistics::{MedianChange, RowComparison};
use crate::tool::io::InputSource;
use crate::tool::report::Error;
use crate::tool::report::progress::ProgressDisplay;
use serde_json::Value;

/// The maximum size in MiB of a document from an earlier run.
const MAX_REPORT_MEBIBYTES: usize = 16;

/// A median, and half the width of its confidence interval, in nanoseconds.
pub type MedianInterval = (f64, f64);

/// An earlier run on any machine, read from the JSON document that `bench` has written.
pub struct EarlierRun {
    /// The file with the document.
    pub source: InputSource,
    /// The description of the machine (`machine::describe`).
    pub env: Value,
    /// The row key and the median of each result, in document order.
    pub rows: Vec<(RowKey, MedianInterval)>,
}

impl EarlierRun {
    /// Reads the JSON document of an earlier run.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if it is not a document from `bench`.
    pub fn read(source: InputSource, progress: &ProgressDisplay) -> Result<Self, Error> {
        let data = source.read_limited(MAX_REPORT_MEBIBYTES, progress)?;
        match parse(&data) {
            Ok((env, rows)) => Ok(Self { source, env, rows }),
            Err(what) => Err(Error::Baseline { from: source.to_string(), what }),
        }
    }
}

/// Parses a document into the machine description and the rows.
///
/// # Errors
/// Returns the reason why the file is not a document from `bench`.
fn parse(data: &[u8]) -> Result<(Value, Vec<(RowKey, MedianInterval)>), String> {
    let Ok(mut document) = serde_json::from_slice::<Value>(data) else { return Err("it is not JSON".to_owned()) };
    if document["schema"] != "fndsa/bench@1" {
        return Err("its schema is not fndsa/bench@1".to_owned());
    }
    let mut rows = Vec::new();
    for (i, result) in document["results"].as_array().ok_or("it has no results")?.iter().enumerate() {
        let Some(row) = parse_result(result) else {
            return Err(format!("result {} has no operation with its median and interval", i + 1));
        };
        rows.push(row);
    }
    Ok((document["env"].take(), rows))
}

/// An earlier run on this machine, with which this run is compared.
pub struct Baseline {
    earlier: EarlierRun,
    machine_match: MachineMatch,
}

impl Baseline {
    /// Reads the document of an earlier run, which must be from the machine that `env` describes.
    ///
    /// # Errors
    /// Fails if the file cannot be read, if it is not a document from `bench`, or if it is from a
    /// different machine.
    pub fn read(source: InputSource, env: &Value, progress: &ProgressDisplay) -> Result<Self, Error> {
        let earlier = EarlierRun::read(source, progress)?;
        let machine_match = machine::compare(&earlier.env, env);
        if machine_match == MachineMatch::Other {
            let earlier_machine = machine::name(&earlier.env);
            let this_machine = machine::name(env);
            return Err(Error::BaselineMachine {
                from: earlier.source.to_string(),
                baseline_machine: earlier_machine,
                this_machine,
            });
        }
        Ok(Self { earlier, machine_match })
    }

    /// Returns a warning if only the CPU names could be compared. The document can then be from a
    /// different machine that has a CPU with this name.
    pub fn warning(&self) -> Option<String> {
        let text = "the baseline and this machine are compared only by the name of the CPU, which different CPUs can have: one of \
                    the documents has no CPU numbers or no counter frequency, for example because an earlier version wrote it";
        if self.machine_match == MachineMatch::SameName { Some(text.to_owned()) } else { None }
    }

    /// Returns whether the earlier run contains this row.
    pub fn includes(&self, key: &RowKey) -> bool {
        self.earlier.rows.iter().any(|(row_key, _)| row_key == key)
    }

    /// Returns the error for a document that contains none of the rows of this run.
    pub fn no_common_row_error(&self) -> Error {
        Error::BaselineRows { from: self.earlier.source.to_string() }
    }

    /// Compares a row with the same row in the earlier run. Returns `None` if the earlier run does
    /// not contain this row. `limit` is the accepted slowdown in percent.
    pub fn compare(&self, key: &RowKey, measured: &Measurement, limit: f64) -> Option<RowComparison> {
        let (_, earlier_median) = self.earlier.rows.iter().find(|(row_key, _)| row_key == key)?;
        let change = MedianChange::between(*earlier_median, (measured.ns.median, measured.ns.median_ci95));
        Some(RowComparison::of(change, limit))
    }
}

/// Returns the text that a result has in a column.
fn text(column: &ResultColumn, result: &Value) -> Option<String> {
    Some(column.find(result).as_str()?.to_owned())
}

/// Reads the row key and the median from a result in a document.
fn parse_result(result: &Value) -> Option<(RowKey, MedianInterval)> {
    let key = RowKey {
        op: text(&OP, result)?,
        algorithm: text(&ALGORITHM, result)?,
        backend: text(&BACKEND, result)?,
        message_bytes: MESSAGE_BYTES.find(result).as_u64()?,
        threads: THREADS.find(result).as_u64()?,
        batch: BATCH.find(result).as_u64(),
    };
    let median = MEDIAN.find(result).as_f64()?;
    let half_width = MEDIAN_CI95.find(result).as_f64()?;
    (median > 0.0 && half_width >= 0.0).then_some((key, (median, half_width)))
}
