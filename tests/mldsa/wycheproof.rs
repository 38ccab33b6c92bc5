//! The vectors of Wycheproof: verdicts and signatures, most of them at some edge.

use super::common::library::levels;
use super::common::{Case, assert_same, cases, parallel, vector_file};
use super::keys::{SETS, h, load, public, pure, sign, verify};
use fndsa::{Algorithm, Form, Level, MessageError, MuBuilder, Scheme};

/// Calls `check` with each group of a file of each set on each level, and says how many tests that are.
fn on_every_level(file: &str, check: impl Fn(Level, Algorithm, &Case) + Sync) -> usize {
    let count = |set: &Algorithm| {
        let number = &set.to_string()[7..];
        let file = vector_file(&format!("ml-dsa/wycheproof-{number}-{file}.json"));
        let (groups, levels) = (cases(&file, "groups"), levels());
        parallel(groups.len() * levels.len(), |i| check(levels[i % levels.len()], *set, &groups[i / levels.len()]));
        groups.iter().map(|group| group.cases("tests").len()).sum::<usize>()
    };
    SETS.iter().map(count).sum()
}

fn context(test: &Case) -> Vec<u8> {
    test.optional("ctx").map_or_else(Vec::new, super::common::hex)
}

#[test]
fn verdicts() {
    let count = on_every_level("verify", |level, set, group| {
        let public = group.bytes("publicKey");
        for test in group.cases("tests") {
            let what = format!("{set} {}, {level}: {}", test.int("tcId"), test.text("comment"));
            let (message, signature, context) = (test.bytes("msg"), test.bytes("sig"), context(&test));
            let form = Form { context: &context, prehash: None };
            let verdict =
                super::common::library::verify_message(level, Scheme::MlDsa, &public, form, &message, &signature);
            assert_eq!(verdict.is_ok(), test.text("result") == "valid", "{what}: {verdict:?}");
        }
    });
    assert_eq!(count, 137);
}

/// From a seed or an expanded key.
fn signatures(level: Level, set: Algorithm, group: &Case, private: &[u8]) {
    for test in group.cases("tests") {
        let what = format!("{set} {}, {level}: {}", test.int("tcId"), test.text("comment"));
        let (valid, context) = (test.text("result") == "valid", context(&test));
        let loaded = public(level, set, private);
        let flags = test.texts("flags");
        let bad_key = flags.contains(&"InvalidPrivateKey") || flags.contains(&"IncorrectPrivateKeyLength");
        assert_eq!(loaded.is_err(), bad_key, "{what}: {loaded:?}");
        let Ok(public) = loaded else {
            assert!(!valid, "{what}");
            continue;
        };
        assert_same(&public, &group.bytes("publicKey"), &what);
        let key_hash = load(level, set, private, |key, _| key.key_hash()).expect("a good key");
        let given = test.optional("mu").map(super::keys::array);
        let mu = match test.optional("msg").map(super::common::hex) {
            None => given.expect("a mu where there is no message"),
            Some(message) => match MuBuilder::pure(level, &key_hash, &context) {
                Ok(mut builder) => {
                    builder.update(&message);
                    let mu = *builder.finish().as_bytes();
                    assert_eq!(mu, h(&[&h(&[&public]), &pure(&context, &message)]), "{what}");
                    assert!(given.is_none_or(|given| given == mu), "{what}");
                    mu
                }
                Err(e) => {
                    assert_eq!((e, valid), (MessageError::ContextLen { found: context.len() }, false), "{what}");
                    continue;
                }
            },
        };
        let random = test.optional("rnd").map_or([0; 32], super::keys::array);
        let signature = sign(level, set, private, mu, &random).expect("a good key");
        assert!(valid, "{what}");
        assert_same(&signature, &test.bytes("sig"), &what);
        assert!(verify(level, &public, mu, &signature), "{what}");
    }
}

#[test]
fn signatures_from_seeds() {
    let count = on_every_level("sign-seed", |level, set, group| {
        signatures(level, set, group, &group.bytes("privateSeed"));
    });
    assert_eq!(count, 92);
}

#[test]
fn signatures_from_expanded_keys() {
    let count = on_every_level("sign-noseed", |level, set, group| {
        signatures(level, set, group, &group.bytes("privateKey"));
    });
    assert_eq!(count, 56);
}
