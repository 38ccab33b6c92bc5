//! Tests for the output of `selftest`. The unit tests in `src/cmd/selftest` check that `selftest`
//! finds errors.

use crate::harness::{TestDirectory, can_trace, skip};

const ALGORITHMS: [&str; 12] = [
    "FN-DSA-512",
    "FN-DSA-1024",
    "FN-DSA-2024-512",
    "FN-DSA-2024-1024",
    "Falcon-512",
    "Falcon-1024",
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
    "Ed25519",
    "ML-DSA-44-Ed25519",
    "ML-DSA-65-Ed25519",
];

#[test]
fn every_level_and_algorithm_has_its_lines() {
    let directory = TestDirectory::empty();
    let output = directory.run("selftest --rounds 2").code(0).err_empty();
    let lines: Vec<_> = output.out.lines().collect();
    assert_eq!(lines[0], "system randomness: ok");
    for level in ["scalar", "emulated"] {
        for algorithm in ALGORITHMS {
            for check in ["keygen", "sign", "verify", "2 rounds"] {
                let line = format!("{level} {algorithm} {check}: ok");
                assert_eq!(lines.iter().filter(|found| **found == line).count(), 1, "{line} in {}", output.out);
            }
        }
    }
    assert_eq!((lines.len() - 1) % (4 * ALGORITHMS.len()), 0, "{}", output.out);
    assert!(directory.names().is_empty());
}

#[test]
fn levels_can_be_chosen() {
    let directory = TestDirectory::empty();
    let output = directory.run("selftest --rounds 1 --backend emulated").code(0);
    assert!(output.out.contains("emulated FN-DSA-512 1 round: ok") && !output.out.contains("scalar"), "{}", output.out);
    let output = directory.call("selftest --rounds 0").env("FNDSA_BACKEND", "scalar").run().code(0);
    assert!(output.out.contains("scalar FN-DSA-1024 verify: ok") && !output.out.contains("emulated"), "{}", output.out);
    assert!(!output.out.contains("round"), "{}", output.out);
    directory.run("selftest --rounds x").code(2).out_empty();
    directory.run("selftest --backend nosuch").code(2).out_empty();
}

#[test]
fn algorithms_can_be_chosen() {
    let directory = TestDirectory::empty();
    for (chosen, names) in [
        ("-a falcon-512", &["Falcon-512"][..]),
        ("-a fn-dsa-2024-1024 -a 512", &["FN-DSA-512", "FN-DSA-2024-1024"]),
        ("-a FALCON-1024 -a falcon-1024", &["Falcon-1024"]),
    ] {
        let output = directory.run(&format!("selftest --backend scalar --rounds 1 {chosen}")).code(0).err_empty();
        let lines = names.iter().flat_map(|name| {
            ["keygen", "sign", "verify", "1 round"].map(|check| format!("scalar {name} {check}: ok\n"))
        });
        let expected: String = std::iter::once("system randomness: ok\n".to_owned()).chain(lines).collect();
        assert_eq!(output.out, expected);
    }
    let (no_answers, unknown) =
        ("there are no known answers for this algorithm", "fndsa has no algorithm of this name");
    let all = "`fndsa help algorithms` lists the algorithms";
    for (other, words, tip) in [
        ("falcon-rs-512", no_answers, all),
        ("fn-dsa-16", no_answers, all),
        ("falcon-16", no_answers, all),
        ("falcon", unknown, "did you mean "),
        ("", unknown, all),
    ] {
        for line in ["selftest", "--allow-weak selftest"] {
            let call = directory.call(line).arg(format!("--algorithm={other}"));
            call.run().code(2).out_empty().err_has(words).err_has(tip);
        }
    }
}

#[test]
fn quiet_prints_nothing_and_json_contains_all_results() {
    let directory = TestDirectory::empty();
    directory.run("-q selftest --rounds 1").code(0).out_empty().err_empty();
    let json =
        directory.run("--json selftest --rounds 1 --backend scalar --backend emulated").code(0).err_empty().json();
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 1 + 2 * 4 * ALGORITHMS.len());
    for backend in ["scalar", "emulated"] {
        for algorithm in ALGORITHMS {
            let is_row = |r: &&serde_json::Value| r["backend"] == backend && r["algorithm"] == algorithm;
            assert_eq!(results.iter().filter(is_row).filter(|r| r["status"] == "ok").count(), 4);
        }
    }
    assert_eq!(results.iter().filter(|r| r["check"] == "rounds" && r["rounds"] == 1).count(), 2 * ALGORITHMS.len());
}

/// `selftest` reports and counts a failure. Here the random bytes of the system fail, which a test
/// can cause from outside.
#[test]
fn a_failure_is_reported_and_counted() {
    let directory = TestDirectory::empty();
    if !can_trace() {
        return skip("a self test that fails", "`strace` does not work here");
    }
    let run = |line: &str| directory.traced("-o trace -e inject=getrandom:error=EIO", line).unwrap().code(6);
    let output = run("selftest --rounds 0 --backend scalar")
        .out_has("system randomness: FAILED (")
        .out_has("scalar FN-DSA-512 sign: ok")
        .out_has("scalar Falcon-512 sign: ok");
    assert!(output.err.starts_with("error: the self test failed: 1 of 37 checks\nhint: "), "{}", output.err);
    let output = run("-q selftest --rounds 0 --backend scalar");
    assert!(output.out.starts_with("system randomness: FAILED (") && output.out.lines().count() == 1, "{}", output.out);
    let json = run("--json selftest --rounds 0 --backend scalar").err_empty().json();
    assert_eq!(json["error"]["reason"], "self_test_failed");
    let failed: Vec<_> = json["results"].as_array().unwrap().iter().filter(|r| r["status"] == "failed").collect();
    assert!(failed.len() == 1 && failed[0]["check"] == "randomness", "{json}");
}
