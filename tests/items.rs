//! Counts the instructions that the program needs for an item: a small file, or a request of
//! `--stream`. The library signs or verifies the same messages, and the test compares the two
//! counts. So the test detects changes that make the program slower for many items.
//!
//! QEMU counts the instructions of a process with the plugin in `tests/machines/plugin.c`. The test
//! does not measure time. It needs a release build, because the limits do not fit a build without
//! optimization.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod common;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::batch::{BatchItem, ExpandedSigningKey, verify_batch};
use fndsa::error::VerifyError;
use fndsa::files::{ReadOptions, read};
use fndsa::message::{Mu, MuBuilder};
use fndsa::no_alloc::Level;
use fndsa::{Algorithm, VerifyingKey};
use getrandom::SysRng;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const FNDSA: &str = env!("CARGO_BIN_EXE_fndsa");
/// The item counts for two runs, `few` and `many`. The test computes the instructions for an item
/// as `(count(many) - count(few)) / (many - few)`. So the result does not include the instructions
/// that start the process and load the key.
const ITEM_COUNTS: [usize; 2] = [100, 400];
/// The environment variable that makes this test program run [`library_work`] instead of the test.
/// It contains the operation, the file with the private key, and the number of items.
const WORK: &str = "FNDSA_TEST_LIBRARY_WORK";
/// The name of the test function in this file.
const TEST: &str = "many_items_need_few_instructions";

/// The way in which the program gets the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemsForm {
    /// Small files, each with a signature file.
    Files,
    /// Requests on standard input.
    Stream,
}

/// A comparison of the program with the library.
struct CountedRow {
    algorithm: Algorithm,
    operation: &'static str,
    form: ItemsForm,
    /// The program may need at most `factor * library_count + allowance` instructions, where
    /// `library_count` is the number that the library needs for the same operation.
    factor: f64,
    /// The instructions that the program may need to open files, parse requests and encode results.
    allowance: f64,
}

/// The limits for the program, for each algorithm, operation and input form. To sign, the program
/// needs 1.1 to 1.3 times as many instructions as the library. To verify with an expanded key, the
/// program also needs many instructions to read its input. Measured instructions, in thousands:
///
/// | | FN-DSA-512 | ML-DSA-65 |
/// |---|---|---|
/// | open two files, and decode PEM | 65 | 80 |
/// | parse a request with a signature in base64 | 70 to 85 | 70 to 85 |
/// | verify a signature in a batch of the library | 43 to 47 | 127 to 137 |
/// | verify a file in the program, in total | 112 | 213 |
/// | verify a request in the program, in total | 130 | 201 |
///
/// Without the expanded key, an ML-DSA-65 verification takes 3.8 times as long.
const ROWS: [CountedRow; 8] = [
    counted_row(Algorithm::FN_DSA_512, "sign", ItemsForm::Files, 1.5, 0.0),
    counted_row(Algorithm::FN_DSA_512, "sign", ItemsForm::Stream, 1.5, 0.0),
    counted_row(Algorithm::FN_DSA_512, "verify", ItemsForm::Files, 1.5, 55e3),
    counted_row(Algorithm::FN_DSA_512, "verify", ItemsForm::Stream, 1.5, 75e3),
    counted_row(Algorithm::ML_DSA_65, "sign", ItemsForm::Files, 1.5, 0.0),
    counted_row(Algorithm::ML_DSA_65, "sign", ItemsForm::Stream, 1.5, 0.0),
    counted_row(Algorithm::ML_DSA_65, "verify", ItemsForm::Files, 1.5, 45e3),
    counted_row(Algorithm::ML_DSA_65, "verify", ItemsForm::Stream, 1.5, 45e3),
];

const fn counted_row(
    algorithm: Algorithm,
    operation: &'static str,
    form: ItemsForm,
    factor: f64,
    allowance: f64,
) -> CountedRow {
    CountedRow { algorithm, operation, form, factor, allowance }
}

/// Returns the message of an item.
fn message(item: usize) -> Vec<u8> {
    format!("message {item}\n").into_bytes()
}

/// Counts the instructions of a program with QEMU and the compiled plugin.
struct InstructionCounter {
    directory: TempDir,
    plugin: PathBuf,
}

impl InstructionCounter {
    /// Builds the plugin. Returns the reason if this machine cannot count instructions.
    fn new() -> Result<Self, String> {
        let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
        let plugin = directory.path().join("plugin.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines/plugin.c");
        let built = Command::new("cc").args(["-O2", "-shared", "-fPIC", "-o"]).arg(&plugin).arg(source).status();
        if !built.is_ok_and(|status| status.success()) {
            return Err("there is no C compiler".to_owned());
        }
        let counter = Self { directory, plugin };
        match counter.qemu(Path::new("/bin/true")).status() {
            Err(e) => Err(format!("there is no qemu-x86_64 (Debian: qemu-user): {e}")),
            Ok(status) if !status.success() => Err("qemu-x86_64 has no plugins of version 1".to_owned()),
            Ok(_) => Ok(counter),
        }
    }

    /// Returns a command that runs a program in QEMU with the plugin.
    fn qemu(&self, program: &Path) -> Command {
        let mut command = Command::new("qemu-x86_64");
        let plugin = format!("{},whole=on,to={}", self.plugin.display(), self.directory.path().join("count").display());
        command.args(["-cpu", "max", "-plugin", &plugin]).arg(program);
        // Drops QEMU's warnings about CPU features that QEMU does not emulate.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Runs a program and returns the number of its instructions.
    fn count(&self, program: &Path, prepare: impl FnOnce(&mut Command)) -> f64 {
        let mut command = self.qemu(program);
        prepare(&mut command);
        let status = command.status().expect("qemu");
        assert!(status.success(), "{command:?}: {status}");
        let count = fs::read_to_string(self.directory.path().join("count")).expect("a count");
        count.trim().parse().expect("a number")
    }

    /// Calls `count` with both numbers in [`ITEM_COUNTS`], and computes the number of instructions
    /// for an item from the difference. So the instructions at the program's start do not count.
    fn count_per_item(&self, mut count: impl FnMut(&Self, usize) -> f64) -> f64 {
        let [few, many] = ITEM_COUNTS.map(|items| count(self, items));
        (many - few) / (ITEM_COUNTS[1] - ITEM_COUNTS[0]) as f64
    }
}

/// Runs `fndsa` without counting, and returns its output.
fn fndsa(directory: &Path, words: &[&str], input: Option<&Path>) -> Vec<u8> {
    let mut command = Command::new(FNDSA);
    command.arg("-q").args(words).current_dir(directory);
    command.stdin(input.map_or_else(Stdio::null, |path| fs::File::open(path).expect("requests").into()));
    let output = command.output().expect("fndsa");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A directory with the keys for an algorithm, and with signed and unsigned files and requests.
struct ItemFiles(TempDir);

impl ItemFiles {
    /// Creates the key pair `k`. For each number N in [`ITEM_COUNTS`], creates the folders
    /// `unsigned-N` and `signed-N` with N files, and the requests `sign-N` and `verify-N`.
    fn new(algorithm: Algorithm) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        fndsa(directory.path(), &["keygen", "-a", &algorithm.to_string().to_lowercase(), "k"], None);
        for items in ITEM_COUNTS {
            for form in ["signed", "unsigned"] {
                let folder = directory.path().join(format!("{form}-{items}"));
                fs::create_dir(&folder).expect("a folder");
                for item in 0..items {
                    fs::write(folder.join(item.to_string()), message(item)).expect("a file");
                }
            }
            let names: Vec<_> = (0..items).map(|item| item.to_string()).collect();
            let mut words = vec!["sign", "-k", "../k.key"];
            words.extend(names.iter().map(String::as_str));
            fndsa(&directory.path().join(format!("signed-{items}")), &words, None);
            let requests = (0..items).map(|item| json!({ "message_b64": STANDARD.encode(message(item)) }));
            let requests: Vec<_> = requests.collect();
            let sign = directory.path().join(format!("sign-{items}"));
            fs::write(&sign, request_lines(&requests)).expect("requests");
            let answers = fndsa(directory.path(), &["sign", "--stream", "-k", "k.key"], Some(&sign));
            let mut verify = Vec::new();
            for (answer, request) in answers.split(|byte| *byte == b'\n').zip(requests) {
                let answer: Value = serde_json::from_slice(answer).expect("an answer");
                let mut request = request;
                request["signature_b64"] = answer["signature_b64"].clone();
                verify.push(request);
            }
            assert_eq!(verify.len(), items);
            fs::write(directory.path().join(format!("verify-{items}")), request_lines(&verify)).expect("requests");
        }
        Self(directory)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// Returns the requests as lines.
fn request_lines(requests: &[Value]) -> String {
    requests.iter().map(|request| format!("{request}\n")).collect()
}

/// Returns the number of instructions that the program needs for an item.
fn count_program(counter: &InstructionCounter, files: &ItemFiles, row: &CountedRow) -> f64 {
    let key = if row.operation == "sign" { ["-k", "../k.key"] } else { ["-p", "../k.pub"] };
    counter.count_per_item(|counter, items| {
        counter.count(Path::new(FNDSA), |command| {
            let state = if row.operation == "sign" { "unsigned" } else { "signed" };
            command.current_dir(files.path(&format!("{state}-{items}")));
            command.args(["-q", row.operation, "-j", "1"]).args(key);
            match row.form {
                ItemsForm::Files => drop(command.args((0..items).map(|item| item.to_string()))),
                ItemsForm::Stream => {
                    let requests = fs::File::open(files.path(&format!("{}-{items}", row.operation)));
                    command.arg("--stream").stdin(requests.expect("requests"));
                }
            }
        })
    })
}

/// Returns the number of instructions that the library needs for an item. The test program starts
/// itself in QEMU, and runs [`library_work`].
fn count_library(counter: &InstructionCounter, files: &ItemFiles, operation: &str) -> f64 {
    let this_program = std::env::current_exe().expect("this program");
    counter.count_per_item(|counter, items| {
        let work = format!("{operation} {} {items}", files.path("k.key").display());
        counter.count(&this_program, |command| {
            command.args(["--exact", TEST, "--test-threads=1"]).env(WORK, work);
        })
    })
}

/// Signs or verifies the messages of the items with the library, eight at a time, in a separate
/// process. For `sign`, also verifies the signatures on a different level, as the program does. For
/// `verify`, signs the message of item 0 once, and verifies this signature for all items.
fn library_work(work: &str) {
    let [operation, file, items] = work.split(' ').collect::<Vec<_>>()[..] else { panic!("{work}") };
    let items: usize = items.parse().expect("a number");
    let file = fs::read(file).expect("a key file");
    let key = read(&file, &ReadOptions::default()).expect("a key").plain().expect("a key").signing_key();
    let key = key.expect("a key");
    let level = Level::detect();
    let mut work = vec![0; key.algorithm().sign_work_len()];
    let expanded = key.to_ref().expand(level, &mut work).expect("enough memory");
    let hash = |item| {
        let mut mu = MuBuilder::pure(level, &expanded.key_hash(), b"").expect("the scheme supports the form");
        mu.update(&message(item));
        mu.finish()
    };
    let public = key.verifying_key();
    if operation == "sign" {
        for first in (0..items).step_by(8) {
            let mus: Vec<_> = (first..items.min(first + 8)).map(hash).collect();
            let signatures = sign_all(&expanded, &mus);
            verify_together(&public, level.neighbour(), &mus, &signatures);
        }
    } else {
        let mus = [hash(0)];
        let signature = sign_all(&expanded, &mus);
        for first in (0..items).step_by(8) {
            let mus: Vec<_> = (first..items.min(first + 8)).map(|_| hash(0)).collect();
            verify_together(&public, level, &mus, &signature.repeat(mus.len()));
        }
    }
}

/// Signs all messages in a batch.
fn sign_all(key: &ExpandedSigningKey, mus: &[Mu]) -> Vec<u8> {
    let mut signatures = vec![0; mus.len() * key.algorithm().signature_len()];
    let mut work = vec![0; key.algorithm().sign_batch_work_len()];
    key.sign_batch(mus, &mut SysRng, &mut signatures, &mut work).expect("signatures");
    signatures
}

/// Verifies the signatures of all messages in a batch. Panics if a signature is not valid.
fn verify_together(public: &VerifyingKey, level: Level, mus: &[Mu], signatures: &[u8]) {
    let key = public.to_ref().expand(level);
    let signature_chunks = signatures.chunks(public.algorithm().signature_len());
    let items: Vec<_> = mus
        .iter()
        .zip(signature_chunks)
        .map(|(mu, signature)| BatchItem { key: &key, message: mu.into(), signature })
        .collect();
    let mut verdicts = vec![Err(VerifyError::Mismatch); items.len()];
    let mut work = vec![0; public.algorithm().verify_batch_work_len()];
    verify_batch(&items, &mut verdicts, &mut work).expect("good signatures");
}

#[test]
fn many_items_need_few_instructions() {
    if let Ok(work) = std::env::var(WORK) {
        return library_work(&work);
    }
    if !common::has_a_single_unit() {
        println!("skip: instructions of many items: this is not the profile `release`");
        return;
    }
    let counter = match InstructionCounter::new() {
        Ok(counter) => counter,
        Err(reason) => {
            println!("skip: instructions of many items: {reason}");
            return;
        }
    };
    let mut failures = Vec::new();
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::ML_DSA_65] {
        let files = ItemFiles::new(algorithm);
        for operation in ["sign", "verify"] {
            let library = count_library(&counter, &files, operation);
            for row in ROWS.iter().filter(|row| row.algorithm == algorithm && row.operation == operation) {
                let program = count_program(&counter, &files, row);
                let limit = row.factor * library + row.allowance;
                let line = format!(
                    "{algorithm} {operation} {:?}: {program:.0} instructions per item, limit {limit:.0}, library {library:.0}",
                    row.form
                );
                println!("{line}");
                if program > limit {
                    failures.push(line);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
