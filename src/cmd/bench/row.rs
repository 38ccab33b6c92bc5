//! One line of the result, and the forms that it is printed in.

use super::compare::{Comparison, Trend};
use super::measure::Measured;
use super::memory::MemoryUse;
use super::plan::RowKey;
use super::profile::{PARTS, Profile};
use super::table::{Cell, ResultForm, bytes, duration, heading, known, line};
use super::work::What;
use fndsa::Algorithm;
use serde_json::{Value, json};

/// One line of the result.
pub struct ResultRow {
    /// What it is about.
    pub key: RowKey,
    /// How long keys and signatures are, where it is about both.
    pub lengths: Option<Lengths>,
    /// The measurement.
    pub measured: Measured,
    /// How many times as fast as the first level, where there are several.
    pub ratio: Option<f64>,
    /// How it compares with the earlier run.
    pub baseline: Option<Comparison>,
    /// Where the time goes.
    pub profile: Option<Profile>,
    /// The memory that one call takes.
    pub memory: Option<MemoryUse>,
}

impl ResultRow {
    /// Returns whether the row is slower than the baseline by more than is allowed.
    pub fn has_regressed(&self) -> bool {
        self.baseline.is_some_and(|it| it.trend == Trend::Regressed)
    }

    /// Returns how many bytes of messages are hashed in a second, by all threads together; `None` for other operations.
    fn bytes_per_second(&self) -> Option<f64> {
        let is_hash = self.key.op == What::Hash.name();
        is_hash.then(|| self.measured.total.per_second() * self.key.message_bytes as f64)
    }

    /// Returns the result for the document.
    pub fn value(&self) -> Value {
        let ns = &self.measured.ns;
        let mut value = json!({
            "op": self.key.op,
            "algorithm": self.key.algorithm,
            "backend": self.key.backend,
            "message_bytes": self.key.message_bytes,
            "threads": self.key.threads,
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
            "core_cycles_median": self.measured.core_cycles.map(tenths),
        });
        if let Some(batch) = self.key.batch {
            value["batch"] = json!(batch);
        }
        if let Some(memory) = self.memory {
            for (name, bytes) in MemoryUse::MEMBERS.iter().zip(memory.figures()) {
                value[name] = json!(bytes);
            }
        }
        if let Some(lengths) = self.lengths {
            for (name, bytes) in Lengths::MEMBERS.iter().zip(lengths.0) {
                value[name] = json!(bytes);
            }
        }
        if let Some(speed) = self.bytes_per_second() {
            value["bytes_per_s"] = json!(speed.round());
        }
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

/// Bytes of a public key, a private key and a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths([usize; 3]);

impl Lengths {
    /// Their names in documents.
    const MEMBERS: [&'static str; 3] = ["public_key_bytes", "private_key_bytes", "signature_bytes"];
    /// Their names in tables, which are those of published work.
    const WORDS: [&'static str; 3] = ["pk", "sk", "sig"];

    /// Returns the figures, in the order of their names.
    pub const fn figures(self) -> [usize; 3] {
        self.0
    }

    /// Returns the lengths of an algorithm's encodings.
    pub fn of(algorithm: Algorithm) -> Self {
        Self([algorithm.verifying_key_len(), algorithm.signing_key_len(), algorithm.signature_len()])
    }
}

fn tenths(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

fn hundredths(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

/// Makes the lines of one form.
pub struct Printer {
    format: ResultForm,
    /// The longest label of a row.
    width: usize,
    columns: Columns,
    /// The machine, for forms in which each line stands alone: CPU, its numbers, ticks of the counter in a second.
    machine: [String; 3],
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
    /// Bytes of the messages.
    pub message: bool,
    /// Cycles of the core.
    pub core_cycles: bool,
    /// Bytes that are hashed in a second.
    pub speed: bool,
    /// Stack and work memory.
    pub memory: bool,
    /// Messages of a batch, where each has a column of its own.
    pub batch: bool,
}

impl Printer {
    /// Prepares for rows with labels of up to `width` characters on the machine `env`, with the columns that are wanted.
    pub fn new(format: ResultForm, width: usize, env: &Value, columns: Columns) -> Self {
        Self { format, width: width.max(13), columns, machine: MACHINE.map(|name| known(&env[name])) }
    }

    /// Returns whether the lines are for people alone.
    pub fn is_table(&self) -> bool {
        self.format == ResultForm::Table
    }

    /// Returns whether rows are printed as they come: the tables of a paper are made of all of them.
    pub fn prints_rows(&self) -> bool {
        self.format != ResultForm::Paper
    }

    /// Returns the lines before the first row.
    pub fn heading(&self) -> String {
        if self.format == ResultForm::Csv { self.csv_columns().join(",") } else { heading(self.format, &self.names()) }
    }

    /// Returns the names of the columns, of forms for people.
    pub fn names(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = vec![("op".into(), -(self.width as i32)), ("algorithm".into(), -16)];
        cells.push(("level".into(), -9));
        if self.columns.message {
            cells.push(("message".into(), 7));
        }
        cells.extend(["median", "+-", "MAD", "min", "p95"].map(|name| (name.to_owned(), 10)));
        cells.extend([("ops/s".into(), 11), ("cycles/op".into(), 12)]);
        if self.columns.core_cycles {
            cells.push(("core cycles".into(), 12));
        }
        if self.columns.speed {
            cells.push(("MB/s".into(), 8));
        }
        cells.extend(Lengths::WORDS.map(|name| (name.to_owned(), 4)));
        if self.columns.memory {
            cells.extend(MemoryUse::WORDS.map(|name| (name.to_owned(), 10)));
        }
        if self.columns.ratio {
            cells.push(("ratio".into(), 7));
        }
        if self.columns.baseline {
            cells.extend([("change".into(), 9), ("95 %".into(), 17), ("verdict".into(), -9)]);
        }
        if self.columns.profile && self.format == ResultForm::Md {
            cells.extend(PARTS.map(|part| (part.to_owned(), 7)));
        }
        cells
    }

    /// Returns the lines of one row.
    pub fn line(&self, row: &ResultRow) -> String {
        if self.format == ResultForm::Csv {
            return self.csv(row);
        }
        let cells = line(self.format, &self.cells(row));
        match &row.profile {
            Some(profile) if self.format != ResultForm::Md => format!("{cells}\n{}", shares(profile)),
            _ => cells,
        }
    }

    /// Returns the cells of one row, of forms for people.
    pub fn cells(&self, row: &ResultRow) -> Vec<Cell> {
        let ns = &row.measured.ns;
        let key = &row.key;
        let mut cells: Vec<Cell> = vec![(key.label(), -(self.width as i32))];
        cells.extend([(key.algorithm.clone(), -16), (key.backend.clone(), -9)]);
        if self.columns.message {
            cells.push((bytes(key.message_bytes), 7));
        }
        let mark = if row.measured.is_noisy() { "!" } else { "" };
        cells.extend([(duration(ns.median), 10), (format!("{mark}{:.1} %", row.measured.uncertainty()), 10)]);
        cells.extend([ns.mad, ns.min, ns.p95].map(|ns| (duration(ns), 10)));
        let none = || "-".to_owned();
        let counted = |count: Option<f64>| count.map_or_else(none, |count| format!("{count:.0}"));
        cells.push((format!("{:.1}", row.measured.total.per_second()), 11));
        cells.push((counted(row.measured.cycles), 12));
        if self.columns.core_cycles {
            cells.push((counted(row.measured.core_cycles), 12));
        }
        if self.columns.speed {
            cells.push((row.bytes_per_second().map_or_else(none, |speed| format!("{:.1}", speed / 1e6)), 8));
        }
        cells.extend((0..3).map(|i| (row.lengths.map_or_else(none, |lengths| lengths.0[i].to_string()), 4)));
        if self.columns.memory {
            let figure = |i: usize| row.memory.map_or_else(none, |memory| memory.figures()[i].to_string());
            cells.extend((0..3).map(|i| (figure(i), 10)));
        }
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
        if self.columns.profile && self.format == ResultForm::Md {
            let shares = row.profile.as_ref().map(|profile| profile.shares().map(|share| format!("{share:.1} %")));
            cells.extend(shares.unwrap_or_else(|| PARTS.map(|_| none())).map(|share| (share, 7)));
        }
        cells
    }

    fn csv_columns(&self) -> Vec<String> {
        let fixed = "op,algorithm,backend,message_bytes,threads,samples,calls_per_sample,median_ns,median_ci95_ns,\
                     mean_ns,mad_ns,min_ns,p95_ns,ops_per_s,cycles_median,noisy,calls,seconds";
        let mut columns: Vec<_> = fixed.split(',').map(str::to_owned).collect();
        if self.columns.core_cycles {
            columns.push("core_cycles_median".into());
        }
        if self.columns.ratio {
            columns.push("ratio".into());
        }
        if self.columns.baseline {
            columns.extend(["change_pct", "ci95_low_pct", "ci95_high_pct", "verdict"].map(str::to_owned));
        }
        if self.columns.profile {
            columns.extend(PARTS.map(|part| format!("{part}_pct")));
        }
        if self.columns.speed {
            columns.push("bytes_per_s".into());
        }
        if self.columns.batch {
            columns.push("batch".into());
        }
        if self.columns.memory {
            columns.extend(MemoryUse::MEMBERS.map(str::to_owned));
        }
        columns.extend(Lengths::MEMBERS.iter().chain(&MACHINE).map(|name| (*name).to_owned()));
        columns
    }

    /// Returns one row as comma-separated values.
    fn csv(&self, row: &ResultRow) -> String {
        let value = row.value();
        let mut cells: Vec<_> =
            ["op", "algorithm", "backend", "message_bytes", "threads", "samples", "calls_per_sample"]
                .map(|name| known(&value[name]))
                .into();
        let ns = ["median", "median_ci95", "mean", "mad", "min", "p95"];
        cells.extend(ns.map(|name| known(&value["ns"][name])));
        cells.extend(["ops_per_s", "cycles_median", "noisy", "calls", "seconds"].map(|name| known(&value[name])));
        if self.columns.core_cycles {
            cells.push(known(&value["core_cycles_median"]));
        }
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
        if self.columns.speed {
            cells.push(known(&value["bytes_per_s"]));
        }
        if self.columns.batch {
            cells.push(known(&value["batch"]));
        }
        if self.columns.memory {
            cells.extend(MemoryUse::MEMBERS.map(|name| known(&value[name])));
        }
        cells.extend(Lengths::MEMBERS.iter().map(|name| known(&value[name])));
        cells.extend(self.machine.iter().cloned());
        cells.join(",")
    }
}

/// The members of the machine's description that are columns of comma-separated values.
const MACHINE: [&str; 3] = ["cpu", "cpu_id", "counter_hz"];

/// Returns the shares in a line of their own.
fn shares(profile: &Profile) -> String {
    let named = PARTS.iter().zip(profile.shares());
    let shown = named.filter(|(part, share)| *share > 0.0 || **part == "rest");
    let shown: Vec<_> = shown.map(|(part, share)| format!("{part} {share:.1} %")).collect();
    let overlap = if profile.overlap { " (parts overlap)" } else { "" };
    format!("  {}{overlap}", shown.join(", "))
}
