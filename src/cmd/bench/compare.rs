//! The rows of an earlier run, and what has become of them.

use super::machine;
use super::machine::Likeness;
use super::measure::Measured;
use super::plan::RowKey;
use super::statistics::Change;
use crate::tool::io::InputSource;
use crate::tool::report::Error;
use crate::tool::report::progress::Progress;
use serde_json::Value;

/// The largest file of results, in MiB.
const MEBIBYTES: usize = 16;

/// The answer for one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// Slower than is allowed, and surely slower.
    Regressed,
    /// Neither slower nor faster by more than is allowed, or not surely so.
    Same,
    /// Faster by as much, and surely faster.
    Faster,
}

impl Trend {
    /// Returns its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Regressed => "regressed",
            Self::Same => "same",
            Self::Faster => "faster",
        }
    }

    /// Returns its name in tables, where a slower row has to catch the eye.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Regressed => "REGRESSED",
            _ => self.name(),
        }
    }
}

/// A row beside its baseline.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// From the baseline's median to this one.
    pub change: Change,
    /// What the change means.
    pub trend: Trend,
}

/// A median and the half-width of its interval, in nanoseconds.
pub type Timing = (f64, f64);

/// The document of an earlier run, on whatever machine.
pub struct Earlier {
    /// Where it was read.
    pub from: InputSource,
    /// The description of its machine.
    pub env: Value,
    /// What was measured, in its order.
    pub rows: Vec<(RowKey, Timing)>,
}

impl Earlier {
    /// Reads a document.
    ///
    /// # Errors
    /// The file cannot be read, or is another document.
    pub fn read(from: InputSource, progress: &Progress) -> Result<Self, Error> {
        let data = from.read_list(MEBIBYTES, progress)?;
        let not = |what: String| Error::Baseline { from: from.to_string(), what };
        let document: Value = serde_json::from_slice(&data).map_err(|_| not("it is not JSON".to_owned()))?;
        if document["schema"] != "fndsa/bench@1" {
            return Err(not("its schema is not fndsa/bench@1".to_owned()));
        }
        let rows = document["results"].as_array().ok_or_else(|| not("it has no results".to_owned()))?;
        let rows = rows.iter().enumerate().map(|(i, value)| {
            entry(value).ok_or_else(|| not(format!("result {} has no operation with its median and interval", i + 1)))
        });
        let rows = rows.collect::<Result<_, _>>()?;
        Ok(Self { from, env: document["env"].clone(), rows })
    }
}

/// An earlier run on this machine.
pub struct Baseline {
    earlier: Earlier,
    likeness: Likeness,
}

impl Baseline {
    /// Reads the document of an earlier run, which must be of the machine `env`.
    ///
    /// # Errors
    /// The file cannot be read, is another document, or is of another machine.
    pub fn read(from: InputSource, env: &Value, progress: &Progress) -> Result<Self, Error> {
        let earlier = Earlier::read(from, progress)?;
        let likeness = machine::compare(&earlier.env, env);
        if likeness == Likeness::Other {
            let there = machine::name(&earlier.env);
            let here = machine::name(env);
            return Err(Error::BaselineMachine { from: earlier.from.to_string(), there, here });
        }
        Ok(Self { earlier, likeness })
    }

    /// Returns a warning if the earlier run tells little of its machine.
    pub fn warning(&self) -> Option<String> {
        let text = "the baseline and this machine are compared by the name of the CPU alone, which unlike CPUs may share: one of \
                    them does not say family, model and stepping, or the frequency of the counter; an earlier version wrote no such";
        (self.likeness == Likeness::SameName).then(|| text.to_owned())
    }

    /// Returns whether the earlier run has a row.
    pub fn has(&self, key: &RowKey) -> bool {
        self.earlier.rows.iter().any(|(known, _)| known == key)
    }

    /// Returns the error of an earlier run that has none of the rows to come.
    pub fn has_none(&self) -> Error {
        Error::BaselineRows { from: self.earlier.from.to_string() }
    }

    /// Compares a row with that of the earlier run; `None` if that has no such row. `limit` is in percent.
    pub fn compare(&self, key: &RowKey, measured: &Measured, limit: f64) -> Option<Comparison> {
        let (_, before) = self.earlier.rows.iter().find(|(known, _)| known == key)?;
        let change = Change::between(*before, (measured.ns.median, measured.ns.median_ci95));
        let trend = if change.is_above(limit) {
            Trend::Regressed
        } else if change.is_below(limit) {
            Trend::Faster
        } else {
            Trend::Same
        };
        Some(Comparison { change, trend })
    }
}

/// Reads one result: what it is about, its median and the half-width of the interval, both in nanoseconds.
fn entry(value: &Value) -> Option<(RowKey, Timing)> {
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    let key = RowKey {
        op: text("op")?,
        algorithm: text("algorithm")?,
        backend: text("backend")?,
        message_bytes: value["message_bytes"].as_u64()?,
        threads: value["threads"].as_u64()?,
        batch: value["batch"].as_u64(),
    };
    let median = value["ns"]["median"].as_f64()?;
    let half = value["ns"]["median_ci95"].as_f64()?;
    (median > 0.0 && half >= 0.0).then_some((key, (median, half)))
}
