//! Runs the ML-DSA vectors of `tests/mldsa/negatives.rs` on the command line. All invalid vectors
//! fail with the right exit code.

use crate::harness::{TestDirectory, vectors};
use serde_json::Value;

/// Returns the test vector groups in a file.
fn read_groups(name: &str) -> Vec<Value> {
    let mut file: Value = serde_json::from_slice(&vectors(&format!("ml-dsa/{name}"))).unwrap();
    serde_json::from_value(file["testGroups"].take()).unwrap()
}

/// Decodes a member that contains hexadecimal digits.
fn decode_hex(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap();
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

#[test]
fn invalid_signatures_are_rejected() {
    let directory = TestDirectory::empty();
    for set in ["44", "65", "87"] {
        let mut rejected_count = 0;
        for group in read_groups(&format!("negative-{set}-verify.json")) {
            directory.put("p", decode_hex(&group["publicKey"]));
            for test in group["tests"].as_array().unwrap() {
                let flag = test["flags"][0].as_str().unwrap();
                // The rejection of a wrong byte in c~ does not depend on its position, so every
                // eighth position is enough.
                if flag == "ModifiedChallenge" && test["tcId"].as_u64().unwrap() % 8 != 0 {
                    continue;
                }
                directory.put("m", decode_hex(&test["msg"]));
                directory.put("s", decode_hex(&test["sig"]));
                directory.put("c", decode_hex(&test["ctx"]));
                let output = directory.run("verify -p p -s s --context-file c m");
                let expected: &[i32] = match (test["result"].as_str().unwrap(), flag) {
                    ("valid", _) => &[0],
                    (_, "ContextTooLong") => &[2],
                    // If the length is wrong, fndsa rejects the signature (1) or does not recognize
                    // the file (3).
                    (_, "WrongLength") => &[1, 3],
                    _ => &[1],
                };
                assert!(expected.contains(&output.code), "{set} {}: {}: {output:?}", test["tcId"], test["comment"]);
                assert!(!output.err.contains("panic"), "{output:?}");
                rejected_count += usize::from(output.code != 0);
            }
        }
        assert!(rejected_count > 80, "{set}: {rejected_count}");
    }
}

#[test]
fn invalid_private_keys_are_rejected() {
    let directory = TestDirectory::empty();
    directory.put("m", "a message");
    for (group, set) in read_groups("negative-private.json").iter().zip(["44", "65", "87"]) {
        for test in group["tests"].as_array().unwrap() {
            let forms = ["privateSeed", "privateKey", "privateKeyPkcs8"];
            let form = forms.into_iter().find(|form| test[form].is_string()).unwrap();
            directory.put("k", decode_hex(&test[form]));
            let algorithm = if form == "privateKeyPkcs8" { String::new() } else { format!("-a ml-dsa-{set} ") };
            let output = directory.run(&format!("sign -k k {algorithm}-o out m"));
            let case = format!("{set} {}: {}: {output:?}", test["tcId"], test["comment"]);
            if test["result"] == "valid" {
                assert!(output.code == 0 && directory.has("out"), "{case}");
                directory.remove("out");
            } else {
                assert!(output.code == 3 && output.err.starts_with("error: ") && !directory.has("out"), "{case}");
            }
        }
    }
}
