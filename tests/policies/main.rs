//! Tests the policy table, which contains 500 cases with trusted keys, signatures and options. A
//! model (`model.py`) computes the expected verdict for each case. The library and the program must
//! return this verdict. python/test and web/test also use the table.

#[path = "../common/mod.rs"]
mod common;

use common::parallel;
use fndsa::Options;
use fndsa::files::Date;
use fndsa::no_alloc::Level;
use fndsa::verdict::{DecisionOutcome, Policy, RequiredKeys, distinct, read_trusted_keys, verify_in_memory};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Reads a JSON file in this folder.
fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policies").join(name);
    serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON")
}

/// The policy table.
struct PolicyTable {
    cases: Vec<Value>,
    /// The message, and the keys and signatures that the cases name.
    parts: Value,
}

impl PolicyTable {
    /// Reads the two JSON files of the table.
    fn read() -> Self {
        let cases = read("cases.json").as_array().expect("a list").clone();
        assert_eq!(cases.len(), 500);
        Self { cases, parts: read("parts.json") }
    }

    /// Returns the message that all cases verify.
    fn message(&self) -> &str {
        text(&self.parts["message"])
    }

    /// Returns the fingerprint of the key with this name.
    fn fingerprint(&self, key: &Value) -> String {
        text(&self.parts["keys"][text(key)]["fingerprint"]).to_owned()
    }

    /// Returns a case's trusted keys, in PEM. The key lines of a key (such as `not-after:`) precede
    /// its block.
    fn keys(&self, case: &Value) -> Vec<String> {
        let key = |key: &Value| {
            let mut file = String::new();
            for line in array(&key[1]) {
                writeln!(file, "{}", text(line)).expect("a string");
            }
            file + text(&self.parts["keys"][text(&key[0])]["pem"])
        };
        array(&case["keys"]).iter().map(key).collect()
    }

    /// Returns the signature file for a case.
    fn signatures(&self, case: &Value) -> String {
        let blocks: String =
            array(&case["signatures"]).iter().map(|name| text(&self.parts["signatures"][text(name)])).collect();
        if blocks.is_empty() { "no signature\n".to_owned() } else { blocks }
    }

    /// Returns the fingerprints that a case passes to `--expect-key`.
    fn expected(&self, case: &Value) -> Vec<String> {
        array(&case["expect"]).iter().map(|key| self.fingerprint(key)).collect()
    }
}

/// Returns the text in a JSON value.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text"))
}

/// Returns the elements of a JSON array.
fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list"))
}

/// A case's outcome: YES, NO or an error, with details.
#[derive(Debug, PartialEq, Eq)]
struct CaseVerdict {
    verdict: String,
    /// The reason code, if the verdict is not YES.
    reason: Option<String>,
    /// The number of keys with a valid signature. `None` if the program does not report this
    /// number.
    counted: Option<usize>,
}

/// Returns the outcome that the model expects. `distinct` is the number of different accepted keys.
/// `fndsa` stops at the required number of valid signatures, so `counted` is at most this number
/// if the verdict is YES.
fn model_verdict(case: &Value, distinct: usize) -> CaseVerdict {
    let signers = array(&case["signers"]).len();
    let required = text(&case["require"]).parse().unwrap_or(distinct.max(1));
    let counted = match (text(&case["verdict"]), case["reason"].as_str()) {
        ("yes", _) => Some(signers.min(required)),
        ("no", Some("too_few_signatures")) => Some(signers),
        _ => None,
    };
    CaseVerdict {
        verdict: text(&case["verdict"]).to_owned(),
        reason: case["reason"].as_str().map(str::to_owned),
        counted,
    }
}

/// Returns the number of different keys that the policy of a case accepts. `carol` and `twin` are
/// the same key, in two schemes.
fn count_accepted_keys(case: &Value) -> usize {
    let expected: Vec<_> = array(&case["expect"]).iter().map(text).collect();
    let given_keys = array(&case["keys"]).iter().map(|key| text(&key[0]));
    let accepted = given_keys.filter(|key| expected.is_empty() || expected.contains(key));
    let mut identities: Vec<_> = accepted.map(|key| if key == "twin" { "carol" } else { key }).collect();
    identities.sort_unstable();
    identities.dedup();
    identities.len()
}

/// Returns the library's outcome. The library has no reason codes for errors, so an error gets the
/// reason in the table.
fn library_verdict(table: &PolicyTable, case: &Value) -> CaseVerdict {
    let level = Level::detect();
    let expected = table.expected(case);
    let keys = read_trusted_keys(table.keys(case).concat().as_bytes(), &expected, level)
        .unwrap_or_else(|defect| panic!("{case}: {defect}"));
    let rule = text(&case["require"]).parse().map_or(RequiredKeys::All, RequiredKeys::Number);
    let policy = Policy::new(&keys, &expected, rule);
    let today: Date = text(&case["at"]).parse().expect("a day");
    let form = Options::with_context(text(&case["context"]).as_bytes());
    let signatures = table.signatures(case);
    let outcome = verify_in_memory(&policy, signatures.as_bytes(), table.message().as_bytes(), form, level, &today);
    let count = |signers: &[usize]| {
        let identities: BTreeMap<_, _> = signers.iter().map(|i| (keys[*i].identity(), *i)).collect();
        identities.len()
    };
    assert_eq!(distinct(&keys), count_accepted_keys(case), "{case}");
    match outcome {
        Ok(DecisionOutcome::Accepted { keys, evidence }) => {
            assert!(evidence.holds(), "{case}");
            CaseVerdict { verdict: "yes".to_owned(), reason: None, counted: Some(count(&keys)) }
        }
        Ok(DecisionOutcome::Rejected { rejection, keys, .. }) => {
            let reason = rejection.reason();
            assert_eq!(count(&keys), array(&case["signers"]).len(), "{case}");
            let counted = (reason == "too_few_signatures").then(|| count(&keys));
            CaseVerdict { verdict: "no".to_owned(), reason: Some(reason.to_owned()), counted }
        }
        Err(_) => {
            let reason = case["reason"].as_str().map(str::to_owned);
            CaseVerdict { verdict: "error".to_owned(), reason, counted: None }
        }
    }
}

/// Runs the program, and returns its outcome. `number` is the number of the case.
fn program_verdict(table: &PolicyTable, number: usize, case: &Value) -> CaseVerdict {
    let home = tempfile::tempdir().expect("a directory");
    let write = |name: &str, content: &str| fs::write(home.path().join(name), content).expect("a file");
    write("message", table.message());
    write("signatures", &table.signatures(case));
    let mut command = Command::new(env!("CARGO_BIN_EXE_fndsa"));
    command.args([
        "--json",
        "verify",
        "-s",
        "signatures",
        "--require",
        text(&case["require"]),
        "--at",
        text(&case["at"]),
    ]);
    let keys = table.keys(case);
    // Key lines have the same effect with `--trusted-keys` and with `-p`. To test both, even case
    // numbers use `--trusted-keys`, and odd numbers use `-p`.
    if number.is_multiple_of(2) {
        write("trusted.pem", &keys.concat());
        command.args(["--trusted-keys", "trusted.pem"]);
    } else {
        for (i, key) in keys.iter().enumerate() {
            write(&format!("{i}.pub"), key);
            command.args(["-p", &format!("{i}.pub")]);
        }
    }
    for fingerprint in table.expected(case) {
        command.args(["--expect-key", &fingerprint]);
    }
    if !text(&case["context"]).is_empty() {
        command.args(["-c", text(&case["context"])]);
    }
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("FNDSA")) {
        command.env_remove(name);
    }
    let output = command.arg("message").current_dir(home.path()).stdin(Stdio::null()).output().expect("the program");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let result = document["results"].get(0).unwrap_or(&document["error"]);
    let reason = result["reason"].as_str().map(str::to_owned);
    let (verdict, counted) = match output.status.code() {
        Some(0) => ("yes", Some(result["keys"].as_array().map_or(1, Vec::len))),
        Some(1) if reason.as_deref() == Some("too_few_signatures") => {
            let message = text(&result["message"]);
            ("no", message.split(' ').next().and_then(|word| word.parse().ok()))
        }
        Some(1) => ("no", None),
        _ => ("error", None),
    };
    assert_eq!(document["ok"].as_bool(), Some(verdict == "yes"), "{case}");
    CaseVerdict { verdict: verdict.to_owned(), reason, counted }
}

/// Computes the outcomes for all cases with `verdict`, compares them with the model, and fails with
/// a list that contains all differences.
fn compare_with_model(table: &PolicyTable, verdict: impl Fn(usize, &Value) -> CaseVerdict + Sync) {
    let differences = parallel(table.cases.len(), |i| {
        let case = &table.cases[i];
        let (actual, expected) = (verdict(i, case), model_verdict(case, count_accepted_keys(case)));
        (actual != expected).then(|| format!("case {i}: {actual:?}, and the model has {expected:?}: {case}"))
    });
    let differences: Vec<_> = differences.into_iter().flatten().collect();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn the_library_has_the_verdicts_of_the_model() {
    let table = PolicyTable::read();
    compare_with_model(&table, |_, case| library_verdict(&table, case));
}

#[test]
fn the_program_has_the_verdicts_of_the_model() {
    let table = PolicyTable::read();
    compare_with_model(&table, |number, case| program_verdict(&table, number, case));
}

/// To be useful, the table must contain at least five cases for YES, and at least five cases for
/// each reason code in this list.
#[test]
fn the_table_contains_all_verdicts() {
    let table = PolicyTable::read();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &table.cases {
        *counts.entry(case["reason"].as_str().unwrap_or_else(|| text(&case["verdict"]))).or_default() += 1;
    }
    for reason in [
        "yes",
        "algorithm_mismatch",
        "foreign_file",
        "key_context",
        "key_expired",
        "key_not_yet_valid",
        "key_revoked",
        "not_recognised",
        "signature_mismatch",
        "too_few_keys",
        "too_few_signatures",
        "unexpected_key",
    ] {
        assert!(counts.get(reason).is_some_and(|count| *count >= 5), "{reason}: {counts:?}");
    }
}
