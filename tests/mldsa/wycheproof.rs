//! Tests with the Wycheproof vectors: verdicts and signatures, mostly for edge cases.

use super::common::library::verify_message;
use super::common::{VectorCase, assert_same, cases, h, on_every_level, vector_file};
use super::keys::{SETS, load, public, pure, sign, verify};
use fndsa::algorithm::Scheme;
use fndsa::error::MessageError;
use fndsa::message::MuBuilder;
use fndsa::no_alloc::Level;
use fndsa::{Algorithm, Options};

/// Calls `check(level, set, group, test)` for each test in three files, on each level. The name
/// `file` contains `SET`, which is replaced by 44, 65 or 87. `list` is the JSON member that
/// contains the groups of tests. Returns the number of tests.
fn for_each_test(file: &str, list: &str, check: impl Fn(Level, Algorithm, &VectorCase, &VectorCase) + Sync) -> usize {
    let count = |set: &Algorithm| {
        let file = vector_file(&format!("ml-dsa/{}.json", file.replace("SET", &set.to_string()[7..])));
        let groups = cases(&file, list);
        let tests = groups.iter().flat_map(|group| group.cases("tests").into_iter().map(move |test| (*group, test)));
        let tests: Vec<_> = tests.collect();
        on_every_level(&tests, |level, (group, test)| check(level, *set, group, test));
        tests.len()
    };
    SETS.iter().map(count).sum()
}

/// Returns the context of a test, which is empty if the vector has none.
fn context(test: &VectorCase) -> Vec<u8> {
    test.optional("ctx").map_or_else(Vec::new, super::common::hex)
}

/// Checks that the library gives the verdict of the test.
fn check_verdict(level: Level, set: Algorithm, group: &VectorCase, test: &VectorCase) {
    let what = format!("{set} {}, {level}: {}", test.int("tcId"), test.text("comment"));
    let (public, message, signature) = (group.bytes("publicKey"), test.bytes("msg"), test.bytes("sig"));
    let context = context(test);
    let form = Options::with_context(&context);
    let verdict = verify_message(level, Scheme::MlDsa, &public, form, &message, &signature);
    assert_eq!(verdict.is_ok(), test.text("result") == "valid", "{what}: {verdict:?}");
}

#[test]
fn verdicts_equal_the_wycheproof_vectors() {
    assert_eq!(for_each_test("wycheproof-SET-verify", "groups", check_verdict), 137);
}

/// Checks that the library gives the verdicts in this project's vectors. The module `negatives`
/// compares these verdicts with independent implementations.
#[test]
fn verdicts_equal_the_vectors_of_this_project() {
    assert_eq!(for_each_test("negative-SET-verify", "testGroups", check_verdict), 553);
}

/// Checks a private key (a seed or an expanded key) with a test. If the test is valid, the key must
/// make the test's signature. Otherwise, the library must reject the key or the context.
fn check_signature(level: Level, set: Algorithm, group: &VectorCase, test: &VectorCase, private: &[u8]) {
    let what = format!("{set} {}, {level}: {}", test.int("tcId"), test.text("comment"));
    let (valid, context) = (test.text("result") == "valid", context(test));
    let loaded = public(level, set, private);
    let flags = test.texts("flags");
    let bad_key = flags.contains(&"InvalidPrivateKey") || flags.contains(&"IncorrectPrivateKeyLength");
    assert_eq!(loaded.is_err(), bad_key, "{what}: {loaded:?}");
    let Ok(public) = loaded else {
        assert!(!valid, "{what}");
        return;
    };
    assert_same(&public, &group.bytes("publicKey"), &what);
    let key_hash = load(level, set, private, |key, _| key.key_hash()).expect("a good key");
    let given_mu = test.optional("mu").map(super::keys::array);
    let mu = match test.optional("msg").map(super::common::hex) {
        None => given_mu.expect("a vector without a message has a mu"),
        Some(message) => match MuBuilder::pure(level, &key_hash, &context) {
            Ok(mut builder) => {
                builder.update(&message);
                let mu = *builder.finish().as_bytes();
                assert_eq!(mu, h(&[&h(&[&public]), &pure(&context, &message)]), "{what}");
                assert!(given_mu.is_none_or(|given_mu| given_mu == mu), "{what}");
                mu
            }
            Err(e) => {
                assert_eq!((e, valid), (MessageError::ContextLen { found: context.len() }, false), "{what}");
                return;
            }
        },
    };
    let random = test.optional("rnd").map_or([0; 32], super::keys::array);
    let signature = sign(level, set, private, mu, &random).expect("a good key");
    assert!(valid, "{what}");
    assert_same(&signature, &test.bytes("sig"), &what);
    assert!(verify(level, &public, mu, &signature), "{what}");
}

#[test]
fn signatures_of_seeds_equal_the_wycheproof_vectors() {
    let count = for_each_test("wycheproof-SET-sign-seed", "groups", |level, set, group, test| {
        check_signature(level, set, group, test, &group.bytes("privateSeed"));
    });
    assert_eq!(count, 92);
}

#[test]
fn signatures_of_expanded_keys_equal_the_wycheproof_vectors() {
    let count = for_each_test("wycheproof-SET-sign-noseed", "groups", |level, set, group, test| {
        check_signature(level, set, group, test, &group.bytes("privateKey"));
    });
    assert_eq!(count, 56);
}
