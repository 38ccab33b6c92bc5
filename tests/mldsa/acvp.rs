//! Tests with the test vectors of NIST (ACVP): key generation, signing with each interface,
//! verdicts, and the conditions that reject a signing attempt.

#[path = "../common/digests.rs"]
mod digests;

use super::common::library::{prehash, to_sign, verify_message};
use super::common::{VectorCase, assert_same, cases, h, on_every_level, to_hex, vector_file};
use super::keys::{array, expanded, load, public, set, sign, verify};
use digests::{digest, hash_name};
use fndsa::algorithm::Scheme;
use fndsa::no_alloc::{Attempt, Level, SigningKeyRef};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options};
use sha2::{Digest, Sha256};

/// Returns the tests in these groups, as (parameter set, group, test).
fn tests<'a>(groups: &[VectorCase<'a>]) -> Vec<(Algorithm, VectorCase<'a>, VectorCase<'a>)> {
    let tests_of_group = |group: &VectorCase<'a>| {
        let (set, group) = (set(group.text("parameterSet")), *group);
        group.cases("tests").into_iter().map(move |test| (set, group, test))
    };
    groups.iter().flat_map(tests_of_group).collect()
}

/// Calls `check` for each test in a file on each level. Returns the number of tests.
fn for_each_test(file: &str, check: impl Fn(Level, Algorithm, &VectorCase, &VectorCase) + Sync) -> usize {
    let file = vector_file(&format!("ml-dsa/{file}"));
    let tests = tests(&cases(&file, "groups"));
    on_every_level(&tests, |level, (set, group, test)| check(level, *set, group, test));
    tests.len()
}

#[test]
fn keys_equal_the_acvp_vectors() {
    let count = for_each_test("acvp-keygen.json", |level, set, _, test| {
        let what = format!("{set} {}, {level}", test.int("tcId"));
        let (seed, expected) = (test.bytes("seed"), test.bytes("pk"));
        for len in [set.keygen_work_len(), set.keygen_fast_work_len()] {
            let (mut private, mut public) = ([0; 32], vec![0; set.verifying_key_len()]);
            let (mut rng, mut work) = (FixedBytes(&seed), vec![0; len]);
            SigningKeyRef::generate(level, set, &mut rng, &mut private, &mut public, &mut work).expect("a key");
            assert_same(&private, &seed, &what);
            assert_same(&public, &expected, &what);
        }
        for private in [&seed, &test.bytes("sk")] {
            assert_same(&public(level, set, private).expect("a good key"), &expected, &what);
        }
        assert_same(&expanded(level, set, &seed), &test.bytes("sk"), &what);
    });
    assert_eq!(count, 36);
}

/// The data that a signature in the NIST vectors signs.
enum AcvpInput {
    /// The input of the external interface. If there is a pre-hash, `message` is the message's
    /// digest.
    External { context: Vec<u8>, hash: Option<fndsa::algorithm::PreHash>, message: Vec<u8> },
    /// The mu, a 64-byte hash that is signed instead of a message. The vector contains it, or the
    /// test computes it from the vector's M' (the input of NIST's internal interface).
    Mu([u8; 64]),
}

/// Returns the signed data for a test. `tr` is the public key's hash.
fn signed_data(group: &VectorCase, test: &VectorCase, tr: &[u8]) -> AcvpInput {
    if let Some(mu) = test.optional("mu") {
        return AcvpInput::Mu(array(mu));
    }
    let message = test.bytes("message");
    if group.text("signatureInterface") == "internal" {
        return AcvpInput::Mu(h(&[tr, &message]));
    }
    let hash = (group.text("preHash") == "preHash").then(|| prehash(&hash_name(test.text("hashAlg"))));
    let message = hash.map_or_else(|| message.clone(), |hash| digest(hash.name(), &message).expect("a hash"));
    AcvpInput::External { context: test.bytes("context"), hash, message }
}

#[test]
fn signatures_equal_the_acvp_vectors() {
    let count = for_each_test("acvp-siggen.json", |level, set, group, test| {
        let what = format!("{set} {} {}, {level}", group.int("tgId"), test.int("tcId"));
        let private = test.bytes(test.optional("seed").map_or("sk", |_| "seed"));
        let random = test.optional("rnd").map_or([0; 32], array);
        assert_eq!(test.optional("rnd").is_none(), group.truth("deterministic"), "{what}");
        let key_hash = load(level, set, &private, |key, _| key.key_hash()).expect("a good key");
        let mu = match signed_data(group, test, key_hash.as_bytes()) {
            AcvpInput::Mu(mu) => mu,
            AcvpInput::External { context, hash: prehash, message } => {
                let form = Options::with_context(&context).with_prehash(prehash).with_weak_prehash(true);
                let (mut attempts, mut rng) = ([Attempt::EMPTY], FixedBytes(&[]));
                let signable = to_sign(level, Scheme::MlDsa, &key_hash, form, &message, &mut attempts, &mut rng);
                *signable.expect("a form of ML-DSA").mu().expect("a mu").as_bytes()
            }
        };
        let signature = sign(level, set, &private, mu, &random).expect("a good key");
        assert_same(&signature, &test.bytes("signature"), &what);
        let public = public(level, set, &private).expect("a good key");
        assert!(verify(level, &public, mu, &signature), "{what}");
    });
    assert_eq!(count, 132);
}

#[test]
fn verdicts_equal_the_acvp_vectors() {
    let count = for_each_test("acvp-sigver.json", |level, set, group, test| {
        let what = format!("{set} {} {}, {level}: {}", group.int("tgId"), test.int("tcId"), test.text("reason"));
        let (public, signature) = (test.bytes("pk"), test.bytes("signature"));
        let verdict = match signed_data(group, test, &h(&[&public])) {
            AcvpInput::Mu(mu) => verify(level, &public, mu, &signature),
            AcvpInput::External { context, hash: prehash, message } => {
                let form = Options::with_context(&context).with_prehash(prehash).with_weak_prehash(true);
                verify_message(level, Scheme::MlDsa, &public, form, &message, &signature).is_ok()
            }
        };
        assert_eq!(verdict, test.truth("testPassed"), "{what}");
    });
    assert_eq!(count, 90);
}

/// Compares keys and signatures with NIST's known answers. For each condition that rejects an
/// attempt, the file contains signatures for which this condition rejected an earlier attempt. It
/// also contains signatures that need many attempts.
#[test]
fn signatures_after_rejected_attempts_equal_the_acvp_vectors() {
    let count = for_each_test("acvp-rejections.json", |level, set, _, test| {
        let what = format!("{set} {}, {level}", test.int("tcId"));
        let seed = test.bytes("seed");
        let public = public(level, set, &seed).expect("a key");
        let expanded = expanded(level, set, &seed);
        let pair = Sha256::new().chain_update(&public).chain_update(&expanded).finalize();
        assert_eq!(to_hex(&pair), test.text("key_sha256"), "{what}");
        let mu = h(&[&h(&[&public]), &test.bytes("message")]);
        for private in [&seed, &expanded] {
            let signature = sign(level, set, private, mu, &[0; 32]).expect("a key");
            assert_eq!(to_hex(&Sha256::digest(&signature)), test.text("signature_sha256"), "{what}");
        }
    });
    assert_eq!(count, 12);
}
