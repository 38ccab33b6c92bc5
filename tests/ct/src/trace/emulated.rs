//! Traces programs for another CPU in the emulator QEMU, for `compared.rs`. The plugin in
//! `tests/machines` records their branches and data addresses.

use crate::tracer::{TraceError, TraceStep};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program that runs in an emulator.
pub struct EmulatedProgram {
    /// The emulator and its arguments.
    emulator: Vec<String>,
    program: String,
    /// The file that the plugin writes.
    trace: PathBuf,
}

impl Drop for EmulatedProgram {
    fn drop(&mut self) {
        let _gone = std::fs::remove_file(&self.trace);
    }
}

impl EmulatedProgram {
    /// Prepares traces of `program`. The emulator loads the file `plugin`. `emulator` is a command
    /// with blanks between its words.
    pub fn new(program: &str, plugin: &str, emulator: &str) -> Result<Self, TraceError> {
        let trace = std::env::temp_dir().join(format!("fndsa-trace-{}", std::process::id()));
        let mut words: Vec<String> = emulator.split(' ').map(str::to_owned).collect();
        let written = trace.to_str().ok_or_else(|| format!("{} is not UTF-8", trace.display()))?;
        words.extend(["-plugin".to_owned(), format!("{plugin},trace=on,to={written}")]);
        Ok(Self { emulator: words, program: program.to_owned(), trace })
    }

    /// Runs the program with these arguments, and returns its branches and data addresses between
    /// the first and the second mark.
    pub fn trace_between_marks(&self, arguments: &[&str]) -> Result<Vec<TraceStep>, TraceError> {
        let (name, words) = self.emulator.split_first().ok_or_else(|| "the command of the emulator is empty".to_owned())?;
        let mut command = Command::new(name);
        command.args(words).arg(&self.program).args(arguments);
        // The system finds the emulator through PATH. So PATH is also the only variable in the
        // environment of the emulated process.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let status = command.env_clear().env("PATH", path).stdin(Stdio::null()).stdout(Stdio::null()).status();
        let status = status.map_err(|e| format!("{name}: {e}"))?;
        if !status.success() {
            return Err(format!("{command:?}: {status}").into());
        }
        let bytes = std::fs::read(&self.trace).map_err(|e| format!("{}: {e}", self.trace.display()))?;
        let (pairs, []) = bytes.as_chunks::<16>() else { return Err("the trace file ends within a step".to_owned().into()) };
        let number = |half: &[u8]| half.try_into().map_or(0, u64::from_ne_bytes);
        Ok(pairs.iter().map(|pair| TraceStep { from: number(&pair[..8]), to: number(&pair[8..]) }).collect())
    }
}
