//! The commands of `fndsa` that `tests/ct/trace --program` traces. They read or write private keys
//! in each key file form. `compared.rs` calls this module.

use crate::operations::{SIGN, keys};
use crate::tracer::TraceError;
use fndsa::algorithm::{Degree, Scheme};
use fndsa::no_alloc::Level;
use fndsa::Algorithm;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

/// A command that is traced.
pub struct TracedCommand {
    /// The command's words. A name from [`FORMS`] is replaced by the path of a private key in this
    /// form.
    pub line: &'static str,
    /// The branches that may depend on declassified values (secrets that the library makes public
    /// on purpose). An entry is a part of a function name, a path or a source line.
    pub declassified: &'static [&'static str],
    /// The maximum number of runs for each secret. The test repeats the run until the trace is
    /// equal to the trace of the first secret, and reports a difference if no trace is equal.
    pub max_runs: u8,
}

impl TracedCommand {
    const fn new(line: &'static str) -> Self {
        Self { line, declassified: &[], max_runs: 1 }
    }
}

/// The key file's name in [`CONTROL_COMMAND`], the command whose traces must differ.
const CONTROL_KEY_FILE: &str = "KEY.line";

/// A private key form: a name in [`TracedCommand::line`], and the arguments that convert a raw key
/// to this form.
struct KeyFileForm {
    name: &'static str,
    scheme: Scheme,
    arguments: &'static str,
}

const FORMS: [KeyFileForm; 6] = [
    KeyFileForm { name: "KEY.raw", scheme: Scheme::FnDsa, arguments: "--to raw" },
    KeyFileForm { name: "KEY.pem", scheme: Scheme::FnDsa, arguments: "--to pem" },
    KeyFileForm { name: "KEY.pkcs8", scheme: Scheme::FnDsa, arguments: "--to pkcs8" },
    KeyFileForm { name: "KEY.der", scheme: Scheme::FnDsa, arguments: "--to pkcs8-der" },
    KeyFileForm { name: "KEY.oqs", scheme: Scheme::Falcon, arguments: "--to pkcs8 --layout oqs" },
    KeyFileForm { name: "KEY.bc", scheme: Scheme::Falcon, arguments: "--to pkcs8 --layout bouncycastle" },
];

/// The control command, which shows that the test finds differences: its traces must differ. The
/// key file for the second secret has an additional empty line, which causes an additional branch.
pub static CONTROL_COMMAND: TracedCommand = TracedCommand::new("pubkey -k KEY.line -o -");

/// All commands except the control above.
pub static COMMANDS: [TracedCommand; 13] = [
    TracedCommand::new("pubkey -k KEY.raw -o -"),
    TracedCommand::new("pubkey -k KEY.pem -o -"),
    TracedCommand::new("pubkey -k KEY.pkcs8 -o -"),
    TracedCommand::new("pubkey -k KEY.der -o -"),
    TracedCommand::new("pubkey -k KEY.oqs -o -"),
    TracedCommand::new("pubkey -k KEY.bc -o -"),
    TracedCommand::new("convert KEY.raw --to pem -o -"),
    TracedCommand::new("convert KEY.pem --to raw -o -"),
    TracedCommand::new("convert KEY.pem --to pkcs8 -o -"),
    TracedCommand::new("convert KEY.pem --to pkcs8-der -o -"),
    TracedCommand::new("convert KEY.oqs --to pkcs8 --layout bouncycastle -o -"),
    TracedCommand::new("inspect KEY.pem"),
    // Signs an empty message. The branches in [`SIGN`] may differ, for example because the number
    // of signing attempts is declassified. The program also verifies the new signature on a
    // different level, and only branches in [`SIGN`] differ there.
    TracedCommand { line: "sign -k KEY.pem -o - -", declassified: SIGN, max_runs: 4 },
];

/// The directory with the files that the commands read.
pub struct CommandFiles(PathBuf);

impl Drop for CommandFiles {
    fn drop(&mut self) {
        let _ignored = std::fs::remove_dir_all(&self.0);
    }
}

impl CommandFiles {
    /// Creates a key file in each form for each secret, with the traced program.
    pub fn new(program: &Path, degree: Degree, secrets: u8) -> Result<Self, TraceError> {
        let files = Self(std::env::temp_dir().join(format!("fndsa-trace-{}", std::process::id())));
        std::fs::create_dir(&files.0).map_err(|e| format!("{}: {e}", files.0.display()))?;
        let put = |name: &str, bytes: &[u8]| std::fs::write(files.0.join(name), bytes).map_err(|e| e.to_string());
        for secret in 0..secrets {
            for form in &FORMS {
                let (private, _) = keys(Level::detect(), Algorithm::at_degree(form.scheme, degree).expect("an algorithm"), secret);
                put("raw", &private)?;
                let status = Process::new(program)
                    .args(["convert", "-qq", "raw", "-o", &Self::name(form.name, secret)])
                    .args(form.arguments.split(' '))
                    .current_dir(&files.0)
                    .stdin(Stdio::null())
                    .status();
                if !status.is_ok_and(|status| status.success()) {
                    return Err(format!("{}: no {}", program.display(), form.name).into());
                }
            }
        }
        let pem = files.0.join(Self::name("KEY.pem", 0));
        let pem = std::fs::read(&pem).map_err(|e| format!("{}: {e}", pem.display()))?;
        put(&Self::name(CONTROL_KEY_FILE, 0), &pem)?;
        put(&Self::name(CONTROL_KEY_FILE, 1), &[b"\n", &pem[..]].concat())?;
        Ok(files)
    }

    /// Returns the name of the key file in a form for a secret.
    fn name(form: &str, secret: u8) -> String {
        format!("{form}.{secret:03}")
    }

    /// Returns a command's words, with the path of the key file for a secret.
    pub fn words(&self, command: &TracedCommand, secret: u8) -> Vec<String> {
        let path = |form: &str| self.0.join(Self::name(form, secret)).to_string_lossy().into_owned();
        let is_a_key = |word: &str| word == CONTROL_KEY_FILE || FORMS.iter().any(|form| form.name == word);
        let word = |word: &str| if is_a_key(word) { path(word) } else { word.to_owned() };
        command.line.split(' ').map(word).collect()
    }
}
