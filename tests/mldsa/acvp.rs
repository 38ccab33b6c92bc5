//! Tests with the test vectors of NIST (ACVP): key generation, signing with each interface,
//! verdicts, and the conditions that reject a signing attempt.

use super::common::library::{prehash, to_sign, verify_message};
use super::common::{VectorCase, assert_same, cases, h, on_every_level, to_hex, vector_file};
use super::keys::{array, expanded, load, public, set, sign, verify};
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
    /// The `mu` from a vector for external mu, or the `mu` that the test computes from the vector's
    /// M' (the input of the internal interface).
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
    let hash = (group.text("preHash") == "preHash").then(|| prehash(&name(test.text("hashAlg"))));
    let message = hash.map_or_else(|| message.clone(), |hash| digest(hash.name(), &message));
    AcvpInput::External { context: test.bytes("context"), hash, message }
}

/// Converts NIST's name for a hash to a name that `prehash` accepts: `SHA2-512/224` to
/// `sha512/224`, and `SHAKE-128` to `shake128`.
fn name(hash: &str) -> String {
    hash.replace("SHA2-", "sha").replace("SHAKE-", "shake").to_lowercase()
}

/// Computes a message's digest with independent code. `name` is the library's name for the hash.
fn digest(name: &str, message: &[u8]) -> Vec<u8> {
    use sha3::digest::{ExtendableOutput, XofReader};
    /// Computes the first `len` bytes of an extendable-output function.
    fn shake_digest(mut hash: impl ExtendableOutput, message: &[u8], len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        hash.update(message);
        hash.finalize_xof().read(&mut out);
        out
    }
    match name {
        "sha224" => sha2::Sha224::digest(message).to_vec(),
        "sha256" => Sha256::digest(message).to_vec(),
        "sha384" => sha2::Sha384::digest(message).to_vec(),
        "sha512" => sha2::Sha512::digest(message).to_vec(),
        "sha512-224" => sha2::Sha512_224::digest(message).to_vec(),
        "sha512-256" => sha2::Sha512_256::digest(message).to_vec(),
        "sha3-224" => sha3::Sha3_224::digest(message).to_vec(),
        "sha3-256" => sha3::Sha3_256::digest(message).to_vec(),
        "sha3-384" => sha3::Sha3_384::digest(message).to_vec(),
        "sha3-512" => sha3::Sha3_512::digest(message).to_vec(),
        "shake128" => shake_digest(sha3::Shake128::default(), message, 32),
        "shake256" => shake_digest(sha3::Shake256::default(), message, 64),
        name => panic!("no hash {name}"),
    }
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
