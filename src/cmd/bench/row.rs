//! A result row, which is the measurement of an operation, a part or a hash, and the table that
//! defines the columns.

use super::measure::Measurement;
use super::memory::MemoryUse;
use super::plan::RowKey;
use super::profile::{PARTS, Profile};
use super::statistics::{RowComparison, Trend};
use super::table::{Column, ColumnLayout, ColumnSet, FigureUnit, ResultFormat, TableCell};
use super::table::{bytes, columns, heading, line, result, unquoted_text};
use super::work::BenchTarget;
use fndsa::Algorithm;
use serde_json::Value;

/// A row of the result.
pub struct ResultRow {
    /// The row key: the operation, and for example its algorithm, level and message length.
    pub key: RowKey,
    /// Key and signature lengths, if the operation uses keys.
    pub lengths: Option<EncodedLengths>,
    /// The measurement.
    pub measured: Measurement,
    /// The speed divided by the speed on the first level (instruction set). `None` if there is only
    /// one level.
    pub ratio: Option<f64>,
    /// The comparison with an earlier run.
    pub baseline: Option<RowComparison>,
    /// The time for each part of the operation.
    pub profile: Option<Profile>,
    /// The memory that a call uses.
    pub memory: Option<MemoryUse>,
}

/// Encoded key and signature lengths in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodedLengths {
    /// The public key's length.
    pub public_key: usize,
    /// The private key's length.
    pub private_key: usize,
    /// The signature's length.
    pub signature: usize,
}

impl EncodedLengths {
    /// Returns the lengths for an algorithm.
    pub fn of(algorithm: Algorithm) -> Self {
        Self {
            public_key: algorithm.verifying_key_len(),
            private_key: algorithm.signing_key_len(),
            signature: algorithm.signature_len(),
        }
    }
}

/// A result column.
pub type ResultColumn = Column<ResultRow>;

// The columns are in the order in which tables print them. Comma-separated values print the columns
// in the order of their [`ColumnSet`].
columns! { row: ResultRow;
    OP: "op", "op", "", 0, PLAIN, Always, row.key.op;
    LABEL: "", "", "op", -13, PLAIN, Always, row.key.label();
    ALGORITHM: "algorithm", "algorithm", "algorithm", -16, PLAIN, Always, row.key.algorithm;
    BACKEND: "backend", "backend", "level", -9, PLAIN, Always, row.key.backend;
    MESSAGE_BYTES: "message_bytes", "message_bytes", "", 0, PLAIN, Always, row.key.message_bytes;
    MESSAGE: "", "", "message", 7, PLAIN, Message, bytes(row.key.message_bytes);
    THREADS: "threads", "threads", "", 0, PLAIN, Always, row.key.threads;
    SAMPLES: "samples", "samples", "", 0, PLAIN, Always, row.measured.samples;
    CALLS_PER_SAMPLE: "calls_per_sample", "calls_per_sample", "", 0, PLAIN, Always, row.measured.batch;
    MEDIAN: "ns.median", "median_ns", "median", 10, NS, Always, row.measured.ns.median;
    MEDIAN_CI95: "ns.median_ci95", "median_ci95_ns", "", 0, NS, Always, row.measured.ns.median_ci95;
    SPREAD: "", "", "+-", 10, PLAIN, Always, row.measured.spread();
    MEAN: "ns.mean", "mean_ns", "", 0, NS, Always, row.measured.ns.mean;
    MAD: "ns.mad", "mad_ns", "MAD", 10, NS, Always, row.measured.ns.mad;
    MIN: "ns.min", "min_ns", "min", 10, NS, Always, row.measured.ns.min;
    P95: "ns.p95", "p95_ns", "p95", 10, NS, Always, row.measured.ns.p95;
    OPS_PER_S: "ops_per_s", "ops_per_s", "ops/s", 11, RATE, Always, row.measured.total.per_second();
    CYCLES: "cycles_median", "cycles_median", "cycles/op", 12, CYCLES, Always, row.measured.cycles;
    NOISY: "noisy", "noisy", "", 0, PLAIN, Always, row.measured.is_noisy();
    CALLS: "calls", "calls", "", 0, PLAIN, Always, row.measured.total.calls;
    SECONDS: "seconds", "seconds", "", 0, PLAIN, Always, row.measured.total.seconds;
    CORE_CYCLES: "core_cycles_median", "core_cycles_median", "core cycles", 12, CYCLES, CoreCycles, row.measured.core_cycles;
    BYTES_PER_S: "bytes_per_s", "bytes_per_s", "MB/s", 8, SPEED, Hashing, row.bytes_per_second();
    BATCH: "batch", "batch", "", 0, PLAIN, Batch, row.key.batch;
    PUBLIC_KEY: "public_key_bytes", "public_key_bytes", "pk", 4, PLAIN, KeyLengths, row.lengths.map(|lengths| lengths.public_key);
    PRIVATE_KEY: "private_key_bytes", "private_key_bytes", "sk", 4, PLAIN, KeyLengths, row.lengths.map(|lengths| lengths.private_key);
    SIGNATURE: "signature_bytes", "signature_bytes", "sig", 4, PLAIN, KeyLengths, row.lengths.map(|lengths| lengths.signature);
    STACK: "stack_bytes", "stack_bytes", "stack", 10, PLAIN, Memory, row.memory.map(|memory| memory.stack);
    WORK: "work_bytes", "work_bytes", "work", 10, PLAIN, Memory, row.memory.map(|memory| memory.work);
    LEAST_WORK: "least_work_bytes", "least_work_bytes", "least work", 10, PLAIN, Memory, row.memory.map(|memory| memory.least_work);
    RATIO: "ratio", "ratio", "ratio", 7, FACTOR, Levels, row.ratio;
    CHANGE: "baseline.change_pct", "change_pct", "change", 9, CHANGE, Baseline, row.baseline.map(|comparison| comparison.change.pct);
    CHANGE_CI95: "baseline.ci95_pct", "", "95 %", 17, CHANGES, Baseline, row.baseline.map(|comparison| comparison.change.ci95);
    CHANGE_LOW: "", "ci95_low_pct", "", 0, CHANGE, Baseline, row.baseline.map(|comparison| comparison.change.ci95[0]);
    CHANGE_HIGH: "", "ci95_high_pct", "", 0, CHANGE, Baseline, row.baseline.map(|comparison| comparison.change.ci95[1]);
    VERDICT: "baseline.verdict", "verdict", "", 0, PLAIN, Baseline, row.baseline.map(|comparison| comparison.trend.name());
    VERDICT_WORD: "", "", "verdict", -9, PLAIN, Baseline, row.baseline.map(|comparison| comparison.trend.word());
    PROFILE: "profile", "", "", 0, PLAIN, Parts, row.profile.as_ref().map(Profile::value);
    HASHING: "", "hashing_pct", "hashing", 7, SHARE, Parts, row.share("hashing");
    SAMPLER: "", "sampler_pct", "sampler", 7, SHARE, Parts, row.share("sampler");
    FFT: "", "fft_pct", "fft", 7, SHARE, Parts, row.share("fft");
    TREE: "", "tree_pct", "tree", 7, SHARE, Parts, row.share("tree");
    NTT: "", "ntt_pct", "ntt", 7, SHARE, Parts, row.share("ntt");
    SOLVER: "", "solver_pct", "solver", 7, SHARE, Parts, row.share("solver");
    CODEC: "", "codec_pct", "codec", 7, SHARE, Parts, row.share("codec");
    REST: "", "rest_pct", "rest", 7, SHARE, Parts, row.share("rest");
}

impl ResultRow {
    /// Returns whether the row is slower than the baseline by more than the limit.
    pub fn has_regressed(&self) -> bool {
        matches!(self.baseline, Some(RowComparison { trend: Trend::Regressed, .. }))
    }

    /// Returns the number of message bytes that all threads together hash per second. Returns
    /// `None` for operations other than hashes.
    fn bytes_per_second(&self) -> Option<f64> {
        if self.key.op != BenchTarget::Hash.name() {
            return None;
        }
        Some(self.measured.total.per_second() * self.key.message_bytes as f64)
    }

    /// Returns the share of a part in percent. Returns `None` if the row has no profile.
    fn share(&self, part: &str) -> Option<f64> {
        for (name, share) in PARTS.into_iter().zip(self.profile.as_ref()?.shares()) {
            if name == part {
                return Some(share);
            }
        }
        None
    }

    /// Returns the row as a JSON object, for the member `results` in the document.
    pub fn value(&self) -> Value {
        result(COLUMNS, self)
    }
}

/// Returns the processor time for all rows, in percent of the time that was available to the
/// threads. Returns `None` if the processor time was not measured.
pub fn core_share_pct(rows: &[ResultRow]) -> Option<f64> {
    let mut processor_seconds = 0.0;
    let mut seconds = 0.0;
    for row in rows {
        processor_seconds += row.measured.core_share? * row.measured.total.seconds;
        seconds += row.measured.total.seconds;
    }
    if seconds > 0.0 { Some((1000.0 * processor_seconds / seconds).round() / 10.0) } else { None }
}

/// The members in the machine description that are columns in comma-separated values.
const MACHINE: [&str; 3] = ["cpu", "cpu_id", "counter_hz"];

/// A printer for the rows in an output format.
pub struct ResultPrinter {
    form: ResultFormat,
    /// The maximum length of a label.
    width: usize,
    layout: ColumnLayout<ResultRow>,
    /// The cells that describe the machine, at the end of every line. Only the CSV format has these
    /// cells. With them, a file can contain lines from several machines.
    machine: Vec<TableCell>,
}

impl ResultPrinter {
    /// Creates a printer for the columns in `sets`. The labels have at most `width` characters, and
    /// the rows were measured on the machine `env`.
    pub fn new(form: ResultFormat, width: usize, env: &Value, sets: &[ColumnSet]) -> Self {
        let mut sets = sets.to_vec();
        if !matches!(form, ResultFormat::Csv | ResultFormat::Md) {
            // Only these two formats have columns for the parts. A table for the terminal has the
            // parts in a line below the row.
            sets.retain(|set| *set != ColumnSet::Parts);
        }
        let mut machine = Vec::new();
        if form == ResultFormat::Csv {
            for name in MACHINE {
                machine.push((unquoted_text(&env[name]), 0));
            }
        }
        Self { form, width: width.max(13), layout: ColumnLayout::new(form, COLUMNS, &sets), machine }
    }

    /// Returns whether the output format is a table for the terminal.
    pub fn is_table(&self) -> bool {
        self.form == ResultFormat::Table
    }

    /// Returns whether a row can be printed immediately after its measurement. The tables for a
    /// paper can only be printed after all measurements.
    pub fn prints_rows(&self) -> bool {
        self.form != ResultFormat::Paper
    }

    /// Returns the lines before the first row.
    pub fn heading(&self) -> String {
        let mut cells = self.names();
        if self.form == ResultFormat::Csv {
            for name in MACHINE {
                cells.push((name.to_owned(), 0));
            }
        }
        heading(self.form, &cells)
    }

    /// Returns the column names.
    pub fn names(&self) -> Vec<TableCell> {
        self.with_label(self.layout.names())
    }

    /// Returns the cells of a row.
    pub fn cells(&self, row: &ResultRow) -> Vec<TableCell> {
        self.with_label(self.layout.cells(row))
    }

    /// Sets the width of the first column to the length of the longest label.
    fn with_label(&self, mut cells: Vec<TableCell>) -> Vec<TableCell> {
        if let Some(label) = cells.first_mut() {
            label.1 = -(self.width as i32);
        }
        cells
    }

    /// Returns the lines for a row.
    pub fn line(&self, row: &ResultRow) -> String {
        let mut cells = self.cells(row);
        cells.extend_from_slice(&self.machine);
        let cells = line(self.form, &cells);
        match &row.profile {
            Some(profile) if !matches!(self.form, ResultFormat::Csv | ResultFormat::Md) => {
                format!("{cells}\n  {}", profile.words(|part, share| share > 0.0 || part == "rest"))
            }
            _ => cells,
        }
    }
}
