//! Tests with the signatures and keys in `tests/kat/negative-a.json`. Most are invalid: fndsa
//! accepts exactly the valid ones, and does not crash.

use crate::harness::{TestDirectory, in_parallel};
use crate::messages::negative_vectors;
use serde_json::Value;

/// Returns the cases in a list of the file: `verify`, `sk_decode` or `vk_decode`.
fn read_cases(kind: &str) -> Vec<Value> {
    negative_vectors()[kind].as_array().unwrap().clone()
}

fn text_field<'a>(case: &'a Value, name: &str) -> &'a str {
    case[name].as_str().unwrap_or_else(|| panic!("{name} in {case}"))
}

fn hex_field(case: &Value, name: &str) -> Vec<u8> {
    let digits = text_field(case, name).as_bytes();
    let digit = |b: u8| char::from(b).to_digit(16).unwrap() as u8;
    digits.chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

#[test]
fn signatures_verify_exactly_when_they_are_valid() {
    let (directory, cases) = (TestDirectory::empty(), read_cases("verify"));
    assert_eq!(cases.len(), 155);
    in_parallel(&cases, |i, case| {
        for (ending, name) in [("pub", "vk"), ("sig", "sig"), ("msg", "hv")] {
            directory.put(format!("{i}.{ending}"), hex_field(case, name));
        }
        let context = text_field(case, "ctx");
        let context = if context.is_empty() { String::new() } else { format!("--context-hex {context}") };
        let form = match text_field(case, "hash") {
            "raw" => context,
            "extmu" => "--mu".to_owned(),
            hash => format!("{context} --prehashed --prehash {}", hash.to_lowercase().replace("sha-", "sha")),
        };
        let output = directory.run(&format!("--allow-weak verify -p {i}.pub -s {i}.sig {form} {i}.msg"));
        let name = text_field(case, "name");
        if case["valid"] == true {
            assert_eq!(output.code, 0, "{name}: {output:?}");
            assert!(output.out.contains(": OK ("), "{name}: {output:?}");
        } else if text_field(case, "ctx").len() > 2 * 255 {
            // If the vector's context has more than 255 bytes, the command line is invalid.
            assert_eq!(output.code, 2, "{name}: {output:?}");
        } else {
            assert!([1, 3].contains(&output.code) && !output.out.contains(": OK"), "{name}: {output:?}");
        }
    });
}

/// Checks that `inspect` accepts a case if and only if `accepted` returns true.
fn check_inspect(cases: &[Value], field: &str, accepted: impl Fn(&Value) -> bool + Sync) {
    let directory = TestDirectory::empty();
    in_parallel(cases, |i, case| {
        directory.put(i.to_string(), hex_field(case, field));
        let output = directory.run(&format!("--allow-weak inspect {i}"));
        let name = text_field(case, "name");
        if accepted(case) {
            assert_eq!(output.code, 0, "{name}: {output:?}");
        } else {
            assert!([1, 3].contains(&output.code) && output.out.is_empty(), "{name}: {output:?}");
        }
    });
}

#[test]
fn private_keys_are_accepted_by_the_strict_rule() {
    let cases = read_cases("sk_decode");
    assert_eq!(cases.len(), 62);
    check_inspect(&cases, "sk", |case| case["strict_accepts"] == true);
}

#[test]
fn rejected_private_keys_make_no_signature() {
    let (directory, cases) = (TestDirectory::empty(), read_cases("sk_decode"));
    directory.put("a", "a");
    in_parallel(&cases, |i, case| {
        directory.put(format!("{i}.key"), hex_field(case, "sk"));
        let signed = directory.run(&format!("--allow-weak sign -k {i}.key -o {i}.sig a"));
        let public = directory.run(&format!("--allow-weak pubkey -k {i}.key -o {i}.pub"));
        if case["strict_accepts"] == true {
            assert_eq!((signed.code, public.code), (0, 0), "{signed:?} {public:?}");
            directory.run(&format!("--allow-weak verify -p {i}.pub -s {i}.sig a")).code(0);
        } else {
            assert_eq!((signed.code, public.code), (3, 3), "{}: {signed:?} {public:?}", text_field(case, "name"));
            assert!(!directory.has(format!("{i}.sig")) && !directory.has(format!("{i}.pub")));
        }
    });
}

#[test]
fn public_keys_are_accepted_as_by_the_reference_except_zero() {
    let cases = read_cases("vk_decode");
    assert_eq!(cases.len(), 46);
    check_inspect(&cases, "vk", |case| {
        case["reference_accepts"] == true && !text_field(case, "name").ends_with("/h-zero")
    });
}
