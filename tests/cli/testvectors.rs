//! Tests for `testvectors`: the documented generator and independent implementations produce the
//! same vectors. The independent implementations are crate `fn-dsa` 0.4.0 for FN-DSA, and two
//! crates for ML-DSA.

#[path = "../mldsa/oracles.rs"]
mod oracles;
#[path = "../common/peer.rs"]
mod peer;

use crate::harness::TestDirectory;
use fn_dsa::HASH_ID_RAW;
use oracles::{ORACLES, Oracle};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use std::collections::BTreeSet;

const DEFINITION: &str = include_str!("../../docs/testvectors.md");

fn decode_hex(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap();
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Returns the random generator of docs/testvectors.md for degree `n` and vector `i`: a function
/// that returns the next bytes. Its argument is the number of bytes.
fn byte_generator(n: u16, i: usize) -> impl FnMut(usize) -> Vec<u8> {
    let mut hash = Shake256::default();
    hash.update(b"fndsa-testvectors-v1");
    hash.update(&n.to_le_bytes());
    hash.update(&(i as u32).to_le_bytes());
    let mut stream = hash.finalize_xof();
    move |len| {
        let mut out = vec![0; len];
        stream.read(&mut out);
        out
    }
}

/// Reads a message and a context from the generator. Their lengths come first: two bytes for the
/// message, and a byte for the context.
fn read_message_and_context(read: &mut impl FnMut(usize) -> Vec<u8>) -> (Vec<u8>, Vec<u8>) {
    let len = read(2);
    let message = read((usize::from(len[0]) + 256 * usize::from(len[1])) % 1024);
    let len = read(1)[0];
    (message, read(len.into()))
}

#[test]
fn another_implementation_makes_the_same_test_vectors() {
    let directory = TestDirectory::empty();
    for (n, count) in [(512u16, 3), (1024, 2), (256, 3), (8, 3)] {
        let line = format!("--json --allow-weak testvectors --degree {n} --count {count}");
        let json = directory.run(&line).code(0).err_empty().json();
        let results = json["results"].as_array().unwrap();
        assert_eq!(results.len(), count);
        for (i, vector) in results.iter().enumerate() {
            assert_eq!(vector["count"], i);
            let mut read = byte_generator(n, i);
            let seed = read(32);
            let (message, context) = read_message_and_context(&mut read);
            let random = read(40);
            for (name, value) in [("seed", &seed), ("msg", &message), ("ctx", &context), ("rnd", &random)] {
                assert_eq!(decode_hex(&vector[name]), *value, "degree {n}, vector {i}: {name}");
            }
            // The independent implementation makes the same key pair and signature.
            let (sk, pk) = peer::keygen(n.ilog2(), &seed.try_into().unwrap());
            let signed = peer::PeerMessage { context: &context, id: &HASH_ID_RAW, hv: &message };
            let sig = peer::sign(&sk, &signed, &random.try_into().unwrap());
            for (name, value) in [("pk", &pk), ("sk", &sk), ("sig", &sig)] {
                assert_eq!(decode_hex(&vector[name]), *value, "degree {n}, vector {i}: {name}");
            }
            assert!(peer::verify(&pk, &signed, &sig));
        }
    }
}

/// The ML-DSA parameter sets, and the independent implementations for each set.
const SETS: [(u16, &[Oracle]); 3] = [(44, &ORACLES[0]), (65, &ORACLES[1]), (87, &ORACLES[2])];
/// The ACVP document modes: (name, members in a test, members that are results).
const MODES: [(&str, &[&str], &[&str]); 3] = [
    ("keyGen", &["pk", "seed", "sk"], &["pk", "sk"]),
    ("sigGen", &["context", "hashAlg", "message", "pk", "signature", "sk"], &["signature"]),
    ("sigVer", &["context", "hashAlg", "message", "pk", "reason", "signature", "testPassed"], &["testPassed"]),
];

#[test]
fn other_implementations_of_ml_dsa_make_the_same_test_vectors() {
    let directory = TestDirectory::empty();
    for (n, oracles) in SETS {
        let json = directory.run(&format!("--json testvectors -a ml-dsa-{n} --count 6")).code(0).err_empty().json();
        for (i, vector) in json["results"].as_array().unwrap().iter().enumerate() {
            let mut read = byte_generator(n, i);
            let seed = read(32);
            let (message, context) = read_message_and_context(&mut read);
            let random = if i % 2 == 1 { vec![0; 32] } else { read(32) };
            for (name, value) in [("seed", &seed), ("msg", &message), ("ctx", &context), ("rnd", &random)] {
                assert_eq!(decode_hex(&vector[name]), *value, "ML-DSA-{n}, vector {i}: {name}");
            }
            let (seed, random) = (seed.try_into().unwrap(), random.try_into().unwrap());
            for Oracle { name, keygen, sign, verify } in oracles {
                let (sk, pk) = keygen(&seed);
                let sig = sign(&seed, &message, &context, &random).unwrap();
                assert!(verify(&pk, &message, &context, &sig));
                for (what, value) in [("pk", &pk), ("sk", &sk), ("sig", &sig)] {
                    assert_eq!(decode_hex(&vector[what]), *value, "ML-DSA-{n}, vector {i}: {what} of {name}");
                }
            }
        }
        let line = format!("testvectors -a ml-dsa-{n} --count 3");
        let full = directory.run(&line).code(0).err_empty().out;
        directory.call(&format!("{line} --check -")).input(full.clone()).run().code(0).out_has("(3 vectors of ML-DSA-");
        let cut = full.trim_end().strip_suffix(|_: char| true).unwrap();
        directory.call(&format!("{line} --check -")).input(cut.as_bytes()).run().code(1).out_has("sig of vector 2");
        let hashes = directory.run(&format!("{line} --hash")).code(0).out;
        directory.call(&format!("{line} --hash --check -")).input(hashes).run().code(0);
    }
}

/// Returns the tests in a document, sorted by their numbers.
fn sorted_tests(document: &Value) -> Vec<Value> {
    let groups = document["testGroups"].as_array().unwrap().iter();
    let mut tests: Vec<_> = groups.flat_map(|group| group["tests"].as_array().unwrap().clone()).collect();
    tests.sort_by_key(|test| test["tcId"].as_u64());
    tests
}

#[test]
fn acvp_documents_contain_the_members_that_others_read() {
    let directory = TestDirectory::empty();
    for (n, oracles) in SETS {
        for (mode, members, _) in MODES {
            let line = format!("testvectors -a ml-dsa-{n} --acvp {mode} --count 10");
            let document: Value = serde_json::from_str(&directory.run(&line).code(0).err_empty().out).unwrap();
            let head = ["algorithm", "mode", "revision"].map(|name| document[name].as_str().unwrap());
            assert_eq!(head, ["ML-DSA", mode, "FIPS204"]);
            for group in document["testGroups"].as_array().unwrap() {
                assert_eq!(group["parameterSet"], format!("ML-DSA-{n}"));
                let hedged = group["deterministic"] == false;
                for test in group["tests"].as_array().unwrap() {
                    let names = test.as_object().unwrap().keys().map(String::as_str);
                    let names: Vec<_> = names.filter(|name| !["tcId", "deferred", "rnd"].contains(name)).collect();
                    assert_eq!(names, members);
                    assert_eq!(test.get("rnd").is_some(), hedged, "{test}");
                }
            }
            let tests = sorted_tests(&document);
            let numbers: Vec<_> = tests.iter().map(|test| test["tcId"].as_u64().unwrap()).collect();
            assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
            let json = directory.run(&format!("--json testvectors -a ml-dsa-{n} --count 10")).code(0).json();
            for (vector, test) in json["results"].as_array().unwrap().iter().zip(&tests) {
                let [seed, random] = ["seed", "rnd"].map(|name| decode_hex(&vector[name]).try_into().unwrap());
                for Oracle { name, keygen, sign, verify } in oracles {
                    let value = |name: &str| decode_hex(&test[name]);
                    let what = format!("{mode} {} of ML-DSA-{n}, {name}", test["tcId"]);
                    match mode {
                        "keyGen" => assert_eq!(
                            keygen(&decode_hex(&test["seed"]).try_into().unwrap()),
                            (value("sk"), value("pk")),
                            "{what}"
                        ),
                        "sigGen" => {
                            let signature = sign(&seed, &value("message"), &value("context"), &random).unwrap();
                            assert_eq!((signature, keygen(&seed).0), (value("signature"), value("sk")), "{what}");
                        }
                        _ => {
                            let is_accepted =
                                verify(&value("pk"), &value("message"), &value("context"), &value("signature"));
                            assert_eq!(test["testPassed"], is_accepted, "{what}");
                            let first = test["tcId"].as_u64().unwrap() % 5 == 1;
                            assert_eq!(
                                (is_accepted, test["reason"].as_str().unwrap().starts_with("valid")),
                                (first, first),
                                "{what}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// The documents for `sigVer` have all members of the document from NIST, and use the same words to
/// describe a change in a test.
#[test]
fn acvp_documents_have_the_form_of_nist() {
    let directory = TestDirectory::empty();
    let nist: Value = serde_json::from_str(include_str!("../kat/ml-dsa/acvp-sigver.json")).unwrap();
    for (n, _) in SETS {
        let line = format!("testvectors -a ml-dsa-{n} --acvp sigVer --count 5");
        let acvp_document: Value = serde_json::from_str(&directory.run(&line).code(0).out).unwrap();
        let name = format!("ML-DSA-{n}");
        let is_like = |group: &&Value| group["parameterSet"] == name && group["preHash"] == "pure";
        let nist_group = nist["groups"].as_array().unwrap().iter().find(is_like).unwrap();
        let group = &acvp_document["testGroups"][0];
        for (member, value) in nist_group.as_object().unwrap() {
            assert!(["tests", "tgId"].contains(&member.as_str()) || group[member] == *value, "{member} in {name}");
        }
        let [nist_group, acvp_document] = [nist_group, group].map(|group| group["tests"].as_array().unwrap());
        for member in nist_group[0].as_object().unwrap().keys() {
            assert!(acvp_document.iter().all(|test| test.get(member).is_some()), "{member} in a test of {name}");
        }
        let [nist_group, acvp_document] = [nist_group, acvp_document].map(|tests| -> BTreeSet<_> {
            tests.iter().map(|test| (test["reason"].as_str().unwrap(), test["testPassed"].as_bool().unwrap())).collect()
        });
        assert_eq!(acvp_document, nist_group);
    }
}

#[test]
fn acvp_answers_are_compared_test_by_test() {
    let directory = TestDirectory::empty();
    for (mode, members, results) in MODES {
        let line = format!("testvectors -a ml-dsa-44 --acvp {mode} --count 7");
        let document: Value = serde_json::from_str(&directory.run(&line).code(0).out).unwrap();
        let check = |document: &Value| {
            directory.put("x", document.to_string());
            directory.run(&format!("{line} --check x"))
        };
        check(&document).code(0).out_has("x: OK (7 vectors of ML-DSA-44)");
        // `--check` also accepts NIST's form, with an additional version object, and digits in
        // capital letters.
        check(&serde_json::json!([{ "acvVersion": "1.0" }, document])).code(0);
        directory.put("x", document.to_string().replace("abc", "ABC"));
        directory.run(&format!("{line} --check x")).code(0);
        let changed = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let mut document = document.clone();
            for group in document["testGroups"].as_array_mut().unwrap() {
                for test in group["tests"].as_array_mut().unwrap() {
                    change(test.as_object_mut().unwrap());
                }
            }
            document
        };
        // `--check` accepts tests that contain only the results, but a missing result is an error.
        check(&changed(&|test| test.retain(|name, _| name == "tcId" || results.contains(&name.as_str())))).code(0);
        for name in members.iter().filter(|name| !["reason", "hashAlg"].contains(name)) {
            let output = check(&changed(&|test| {
                if test["tcId"] == 6 {
                    test[*name] = match &test[*name] {
                        Value::Bool(is_accepted) => (!is_accepted).into(),
                        text => format!("{}00", text.as_str().unwrap()).into(),
                    };
                }
            }));
            output.code(1).out_has(&format!("x: FAILED (test 6 differs: {name})"));
            let without = check(&changed(&|test| {
                if test["tcId"] == 7 {
                    test.remove(*name);
                }
            }));
            without.code(i32::from(results.contains(name)));
        }
        check(&changed(&|test| {
            if test["tcId"] == 3 {
                test["tcId"] = 30.into();
            }
        }))
        .code(1)
        .out_has("test 3 is missing");
        check(&changed(&|test| test["tcId"] = 1.into())).code(1).out_has("test 1 appears twice");
        let fewer = line.replace("--count 7", "--count 6");
        directory.put("x", document.to_string());
        directory.run(&format!("{fewer} --check x")).code(1).out_has("more than 6 tests");
        directory
            .run(&format!("{line} --check x").replace("44", "65"))
            .code(1)
            .out_has("it contains a group of \"ML-DSA-44\"");
        let json = directory.run(&format!("--json {line} --check x")).code(0).err_empty().json();
        assert_eq!(json["results"][0]["vectors"], 7);
    }
    for (text, words) in
        [("", "it is not JSON"), ("[{}]", "no testGroups"), ("{\"testGroups\": [{}]}", "test 1 is missing")]
    {
        directory.put("x", text);
        directory.run("testvectors -a ml-dsa-44 --acvp keyGen --check x").code(1).out_has(words);
    }
    directory.run("testvectors --acvp keyGen").code(2).out_empty().err_has("--acvp does not apply to FN-DSA-512");
    directory
        .run("--json testvectors -a ml-dsa-44 --acvp keyGen")
        .code(2)
        .out_has("--json cannot be used with --acvp, which prints a document of NIST");
    directory.run("testvectors -a ml-dsa-44 --acvp keyGen --hash").code(2).out_empty();
    directory.run("testvectors -a ml-dsa-44 --degree 512").code(2).out_empty();
    directory
        .run("testvectors -a falcon-512")
        .code(2)
        .out_empty()
        .err_has("there are test vectors only for FN-DSA and ML-DSA");
}

#[test]
fn test_vector_lines_match_the_definition() {
    let directory = TestDirectory::empty();
    let full = directory.run("testvectors --count 2").code(0).err_empty().out;
    let start: Vec<_> = full.lines().take(3).collect();
    assert!(DEFINITION.contains(&start.join("\n")), "{start:?}");
    let names: Vec<_> = full.lines().filter_map(|line| line.split(" = ").next()).collect();
    let names = names.into_iter().filter(|name| !name.starts_with('#') && !name.is_empty()).collect::<Vec<_>>();
    assert_eq!(names[..8], ["count", "seed", "msg", "ctx", "rnd", "pk", "sk", "sig"]);
    assert_eq!(names[..8], names[8..]);
    // For each value, the digits in docs/testvectors.md are the first digits in vector 0.
    for line in full.lines().skip(4).take(7) {
        let (name, value) = line.split_once(" = ").unwrap();
        assert!(DEFINITION.contains(&format!("\n{name} = {}...\n", &value[..8])), "{line}");
    }
    let json = directory.run("--json testvectors --count 2").code(0).json();
    let hashed = directory.run("testvectors --hash --count 2").code(0).out;
    let hashes = directory.run("--json testvectors --hash --count 2").code(0).json();
    let lines: Vec<_> = hashed.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 2, "{hashed}");
    for (i, line) in lines.iter().enumerate() {
        let vector = &json["results"][i];
        let digest = hex(&Sha256::digest([&vector["pk"], &vector["sk"], &vector["sig"]].map(decode_hex).concat()));
        assert_eq!(*line, format!("FN-DSA-512 {i} {digest}"));
        assert_eq!(hashes["results"][i]["sha256"], digest);
    }
    assert!(DEFINITION.contains(&format!("\n{}\n", lines[0])));
}

#[test]
fn every_level_prints_the_same_test_vectors() {
    let directory = TestDirectory::empty();
    for line in [
        "testvectors --count 4",
        "testvectors --degree 1024 --count 2 --hash",
        "testvectors -a ml-dsa-65 --count 3 --acvp sigVer",
    ] {
        let lines_at_level = |name: &str| directory.run(&format!("{line} --backend {name}")).code(0).out;
        assert_eq!(lines_at_level("scalar"), lines_at_level("emulated"));
    }
}

#[test]
fn the_first_difference_is_reported() {
    let directory = TestDirectory::empty();
    let line = "--allow-weak testvectors --degree 8 --count 3";
    let full = directory.run(line).code(0).out;
    let check = |text: &str| {
        directory.put("list", text);
        directory.run(&format!("{line} --check list"))
    };
    let ok = check(&full).code(0).err_empty();
    assert_eq!(ok.out, "list: OK (3 vectors of FN-DSA-8)\n");
    check(&full.replace('\n', "\r\n").to_uppercase()).code(0);
    check(&full.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join("\n\n# more\n")).code(0);
    let mut lines: Vec<_> = full.lines().map(str::to_owned).collect();
    assert_eq!(lines[16].split(' ').next(), Some("rnd"));
    let last = lines[16].pop().unwrap();
    lines[16].push(if last == '0' { '1' } else { '0' });
    check(&lines.join("\n")).code(1).out_has("list: FAILED (line 17 differs: rnd of vector 1)");
    let lines: Vec<_> = full.lines().collect();
    check(&lines[..18].join("\n")).code(1).out_has("the list ends before sk of vector 1");
    check("").code(1).out_has("the list ends before count of vector 0");
    check("\u{0}garbage").code(1).out_has("line 1 differs: count of vector 0");
    check(&"x".repeat(1 << 20)).code(1).out_has("line 1 differs: count of vector 0");
    check(&format!("{full}\ncount = 3\n")).code(1).out_has("more than 3 vectors");
    let hashes = directory.run(&format!("{line} --hash")).code(0).out;
    check(&hashes).code(1).out_has("line 3 differs: count of vector 0");
    directory.call(&format!("{line} --hash --check -")).input(hashes).run().code(0).out_has("standard input: OK");
    directory.run(&format!("{line} --check nosuch")).code(4).out_empty();

    let json = directory.run(&format!("--json {line} --check list")).code(1).err_empty().json();
    let result = &json["results"][0];
    assert_eq!((&result["status"], &result["reason"]), (&"failed".into(), &"vectors_differ".into()));
    directory.put("list", full);
    let json = directory.run(&format!("--json {line} --check list")).code(0).json();
    assert_eq!(json["results"][0]["vectors"], 3);
    directory.run(&format!("-q {line} --check list")).code(0).out_empty();
}

#[test]
fn toys_and_invalid_numbers_are_rejected() {
    let directory = TestDirectory::empty();
    directory.run("testvectors --degree 64").code(2).out_empty().err_has("--allow-weak");
    for line in ["--degree 500", "--degree 2", "--degree 2048", "--degree x", "--count 0", "--count -1"] {
        directory.run(&format!("testvectors {line}")).code(2).out_empty();
    }
    for n in [4, 8, 16, 32, 64, 128, 256] {
        let line = format!("testvectors --allow-weak --degree {n} --count 1");
        directory.run(&line).code(0).out_has(&format!("# FN-DSA-{n},"));
    }
}
