//! Generates vectors that ML-DSA verifiers must reject, and vectors for programs that load private
//! keys: `tests/kat/ml-dsa/negative-{44,65,87}-verify.json` and `negative-private.json`, in the
//! layout of Wycheproof. The vectors test conditions that other vectors do not test. The program
//! always generates the same bytes. This command writes the files:
//!
//! ```text
//! FNDSA_BLESS=1 cargo test --release --locked --all-features --test mldsa negatives
//! ```
//!
//! Without `FNDSA_BLESS`, the test checks that the files are up to date, and compares all verdicts
//! with `reference` and two crates. For signatures, `wycheproof` compares the verdicts with the
//! library on all levels.
//!
//! All signatures are made with private keys that are published. If t1 in a public key is zero, no
//! private key is needed: anyone can sign with any z and any hint. So the test can try the limits
//! for z and for the hint separately.

use super::common::library::levels;
use super::common::{RandomStream, VectorCase, cases, h, kat, packed, parallel, to_hex, vector_file};
use super::crafted::{CraftedGroup, CraftedVector, groups};
use super::crafted_keys::private_keys;
use super::keys::{SETS, expanded, public};
use super::oracles::ORACLES;
use super::reference::{self, ReferenceKey, SETS as PARAMETERS, defect, rejection};
use fndsa::error::KeyError;
use serde_json::{Value, json};

/// Notes on the flags: (name, bug type in Wycheproof, vector description, effect if a verifier has
/// the bug).
const NOTES: [[&str; 4]; 14] = [
    [
        "ContextTooLong",
        "CAN_OF_WORMS",
        "The context has more than 255 bytes. The signer used only the low byte of the length.",
        "The verifier does not distinguish different contexts.",
    ],
    [
        "DomainConfusion",
        "AUTH_BYPASS",
        "The signed bytes have another domain byte or another length of the context, or lack one of them.",
        "A signature of a message is also valid for another message.",
    ],
    [
        "ExtremeCoefficients",
        "ARITHMETIC_ERROR",
        "Many coefficients of z have the largest or the smallest allowed value, or are zero. The t1 of the public \
         key is zero.",
        "Sums overflow, and valid signatures are rejected.",
    ],
    [
        "HintBoundary",
        "EDGE_CASE",
        "The hint has omega ones or no ones, or has ones in the first and last position of a row. The t1 of the \
         public key is zero.",
        "Valid signatures are rejected, or memory outside the hint is read.",
    ],
    [
        "HintEncoding",
        "SIGNATURE_MALLEABILITY",
        "The encoding of the hint is not the only valid encoding: positions do not ascend, are repeated, or follow \
         the last used position; or counts descend or are larger than omega. A decoder that is not strict accepts \
         this hint.",
        "An attacker without the key can make more signatures of the same message.",
    ],
    [
        "MissingKeyBinding",
        "MISSING_STEP",
        "The signer computed mu without the hash of the public key, or with another hash.",
        "The signature does not bind the public key.",
    ],
    [
        "ModifiedChallenge",
        "MODIFIED_PARAMETER",
        "One byte of c~ is wrong, and the rest of the signature was made for the wrong c~; or the challenge was \
         computed from the first 32 bytes of c~, as in drafts of the standard.",
        "The verifier does not compare or hash all of c~, and signatures are less secure.",
    ],
    [
        "ModifiedMessage",
        "AUTH_BYPASS",
        "The message or the context differs from the signed message or context.",
        "An attacker can change messages, or a signature for one purpose is accepted for another purpose.",
    ],
    [
        "ModifiedPublicKey",
        "AUTH_BYPASS",
        "A bit of the public key differs from the key of the signer. mu was computed with the public key of the \
         vector, so only the arithmetic can detect the difference.",
        "The verifier does not use a part of the public key.",
    ],
    [
        "ModifiedSignature",
        "AUTH_BYPASS",
        "A coefficient of z or a position of the hint is changed, and the encoding is valid.",
        "An attacker can change signatures.",
    ],
    [
        "NormBoundary",
        "EDGE_CASE",
        "A coefficient of z is just below its bound (allowed), or at the bound or above it (not allowed). All other \
         parts are those of a valid signature.",
        "Signatures that the scheme does not allow are accepted, or allowed signatures are rejected.",
    ],
    [
        "PrivateKeyConsistency",
        "MODIFIED_PARAMETER",
        "A part of a private key does not match the other parts, or a coefficient is out of range.",
        "The signer makes signatures that no public key verifies, or that reveal information about the key.",
    ],
    ["Valid", "BASIC", "The signature or the key is valid.", "Valid signatures or keys are rejected."],
    [
        "WrongLength",
        "MODIFIED_PARAMETER",
        "The signature, the public key or the private key is too short or too long, or has the length of another \
         parameter set.",
        "Memory after the input is read, or an input has several encodings.",
    ],
];

/// Returns the file name for a parameter set.
fn name_of(i: usize) -> String {
    format!("negative-{}-verify.json", ["44", "65", "87"][i])
}

const PRIVATE: &str = "negative-private.json";

/// Returns a file with its algorithm and test groups. Numbers the tests.
fn vectors_document(algorithm: &str, mut groups: Vec<Value>) -> Value {
    let mut number = 0;
    let mut flags = vec![];
    for group in &mut groups {
        for test in group["tests"].as_array_mut().expect("tests") {
            number += 1;
            test["tcId"] = json!(number);
            flags.push(test["flags"][0].as_str().expect("a flag").to_owned());
        }
    }
    let used = NOTES.iter().filter(|note| flags.iter().any(|flag| flag == note[0]));
    let notes: serde_json::Map<String, Value> = used
        .map(|[flag, bug, description, effect]| {
            ((*flag).to_owned(), json!({ "bugType": bug, "description": description, "effect": effect }))
        })
        .collect();
    assert!(flags.iter().all(|flag| notes.contains_key(flag)));
    json!({
        "algorithm": algorithm,
        "header": ["Generated by tests/mldsa of fndsa, which describes the vectors. Licence: MIT."],
        "notes": notes,
        "numberOfTests": number,
        "testGroups": groups,
    })
}

fn result_name(rejection: Option<&str>) -> &'static str {
    if rejection.is_none() { "valid" } else { "invalid" }
}

/// Returns the file for a parameter set.
fn verify_file(i: usize, groups: &[CraftedGroup]) -> Value {
    let test = |v: &CraftedVector| {
        json!({
            "comment": v.comment,
            "ctx": to_hex(&v.context),
            "flags": [v.flag],
            "msg": to_hex(&v.message),
            "result": result_name(v.rejection),
            "sig": to_hex(&v.signature),
        })
    };
    let group = |group: &CraftedGroup| {
        let tests: Vec<Value> = group.vectors.iter().map(test).collect();
        json!({ "type": "MlDsaVerify", "publicKey": to_hex(&group.public), "tests": tests })
    };
    vectors_document(["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"][i], groups.iter().map(group).collect())
}

/// Returns the file with private keys, which has a group for each parameter set.
fn private_file() -> Value {
    let group = |i: usize| {
        let tests: Vec<Value> = private_keys(i)
            .into_iter()
            .map(|key| {
                let mut test =
                    json!({ "comment": key.comment, "flags": [key.flag], "result": result_name(key.rejection) });
                test[key.form.0] = json!(to_hex(&key.form.1));
                test
            })
            .collect();
        json!({ "type": "MlDsaPrivateKey", "parameterSet": SETS[i].to_string(), "tests": tests })
    };
    vectors_document("ML-DSA", (0..3).map(group).collect())
}

/// Checks that the committed file is the same as `made`. Writes the file if `FNDSA_BLESS=1`.
fn assert_committed(name: &str, made: &Value) {
    let path = kat("ml-dsa").join(name);
    let text = serde_json::to_string_pretty(made).expect("text") + "\n";
    if std::env::var_os("FNDSA_BLESS").is_some_and(|value| value == "1") {
        packed::write(&path, text.as_bytes());
    }
    let what = "`FNDSA_BLESS=1 cargo test --all-features --test mldsa negatives` writes this file";
    let committed = packed::read(&path);
    super::assert_same(&committed, text.as_bytes(), format_args!("{}: {what}", path.display()));
}

/// The reference produces the same keys and signatures as two independent implementations. This
/// agreement makes the reference's results for unusual input credible.
#[test]
fn the_reference_agrees_with_two_other_implementations() {
    parallel(3 * SETS.len(), |i| {
        let (number, set) = (i % 3, &PARAMETERS[i % 3]);
        let mut random = RandomStream::new("the reference of ML-DSA", i);
        let (seed, message, context): ([u8; 32], [u8; 50], [u8; 7]) = (random.bytes(), random.bytes(), random.bytes());
        let key = ReferenceKey::new(set, &seed);
        let tr = h(&[&key.public]);
        let mu = h(&[&tr, &super::keys::pure(&context, &message)]);
        // The seed for y in the deterministic signature: algorithm 7, line 7.
        let y = h(&[&key.private[32..64], &[0; 32], &mu]);
        let signature = key.sign(set, &mu, &y, &reference::CraftOptions::NONE);
        for oracle in &ORACLES[number] {
            assert!((oracle.keygen)(&seed) == (key.private.clone(), key.public.clone()), "{}", oracle.name);
            let theirs = (oracle.sign)(&seed, &message, &context, &[0; 32]).expect("a signature");
            assert!(theirs == signature, "{number} {}", oracle.name);
        }
        assert_eq!(rejection(set, &key.public, &message, &context, &signature), None);
        assert_eq!(defect(set, &key.private), None);
    });
}

#[test]
fn the_files_equal_the_output_of_this_program() {
    let made = parallel(SETS.len(), |i| {
        let groups = groups(i);
        for group in &groups {
            for v in &group.vectors {
                let found = rejection(&PARAMETERS[i], &group.public, &v.message, &v.context, &v.signature);
                assert_eq!(found, v.rejection, "{}: {}", SETS[i], v.comment);
            }
        }
        verify_file(i, &groups)
    });
    made.iter().enumerate().for_each(|(i, made)| assert_committed(&name_of(i), made));
    assert_committed(PRIVATE, &private_file());
}

#[test]
fn verdicts_of_the_reference_and_two_other_programs_agree() {
    for (i, set) in SETS.into_iter().enumerate() {
        let file = vector_file(&format!("ml-dsa/{}", name_of(i)));
        let groups = cases(&file, "testGroups");
        let tests: Vec<(Vec<u8>, VectorCase)> = groups
            .iter()
            .flat_map(|group| group.cases("tests").into_iter().map(|test| (group.bytes("publicKey"), test)))
            .collect();
        let parameters = &PARAMETERS[i];
        parallel(tests.len(), |n| {
            let (public, test) = &tests[n];
            let what = format!("{set} {}: {}", test.int("tcId"), test.text("comment"));
            let (message, context, signature) = (test.bytes("msg"), test.bytes("ctx"), test.bytes("sig"));
            let accepted = test.text("result") == "valid";
            for oracle in &ORACLES[i] {
                let theirs = (oracle.verify)(public, &message, &context, &signature);
                assert_eq!(theirs, accepted, "{what}, {}", oracle.name);
            }
            assert_eq!(rejection(parameters, public, &message, &context, &signature).is_none(), accepted, "{what}");
        });
        let valid = tests.iter().filter(|(_, test)| test.text("result") == "valid").count();
        assert_eq!(VectorCase::whole(&file).int("numberOfTests"), tests.len() as i64);
        assert!(valid >= 20 && tests.len() - valid >= 90, "{set}: {} tests, {valid} of them valid", tests.len());
    }
}

/// The library accepts or rejects all private keys as expected. The oracles do not check private
/// keys, so the test uses the oracles only to compute the expected key from a seed.
#[test]
fn private_keys_are_loaded_or_rejected_as_expected() {
    let file = vector_file(&format!("ml-dsa/{PRIVATE}"));
    for (i, group) in cases(&file, "testGroups").iter().enumerate() {
        let (set, levels) = (SETS[i], levels());
        let tests = group.cases("tests");
        let seed = tests.iter().find_map(|test| test.optional("privateSeed")).expect("the good seed comes first");
        let good: Vec<Vec<u8>> = ORACLES[i].iter().map(|it| (it.keygen)(&super::keys::array(seed)).0).collect();
        parallel(tests.len(), |n| {
            let test = &tests[n];
            let what = format!("{set} {}: {}", test.int("tcId"), test.text("comment"));
            let accepted = test.text("result") == "valid";
            // The vectors without these fields are PKCS#8 files. tests/cli/mldsa.rs tests them.
            let Some(private) = test.optional("privateKey").or(test.optional("privateSeed")) else { return };
            let private = super::common::hex(private);
            for level in &levels {
                let loaded = public(*level, set, &private);
                assert_eq!(loaded.is_ok(), accepted, "{what}, {level}: {loaded:?}");
                // If the length of the key belongs to a different parameter set, the library
                // rejects the content of the key and not its length.
                let of_another_set = SETS.iter().any(|it| it.expanded_form_len() == Some(private.len()) && *it != set);
                let is_length = test.texts("flags") == ["WrongLength"] && !of_another_set;
                let by_length = matches!(loaded, Err(KeyError::Length { .. }));
                assert!(by_length == is_length, "{what}, {level}: {loaded:?}");
            }
            if test.optional("privateKey").is_some() {
                let without_secret = |key: &[u8]| [&key[..32.min(key.len())], &key[64.min(key.len())..]].concat();
                for good in &good {
                    assert_eq!(without_secret(&private) == without_secret(good), accepted, "{what}");
                }
            } else if accepted {
                assert!(good.iter().all(|good| *good == expanded(levels[0], set, &private)), "{what}");
            }
        });
    }
}
