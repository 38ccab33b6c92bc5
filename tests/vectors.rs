//! Tests the published vectors with the library's API, on all levels of this CPU.

mod common;

use common::library::{KeygenMemory, TestSigner, degree, fn_dsa, import, keygen, levels, mu, verify};
use common::{VectorCase, assert_same, cases, on_every_level, to_hex, vector_file};
use fndsa::algorithm::{Degree, Scheme};
use fndsa::error::KeyError;
use fndsa::message::KeyHash;
use fndsa::no_alloc::Level;
use sha2::Sha256;
use sha3::{Digest, Sha3_256};

/// Checks the mu, the signature and the verdict of a vector with this key pair. Returns the
/// signature.
fn check_signature(level: Level, v: &VectorCase, sk: &[u8], vk: &[u8]) -> Vec<u8> {
    let mut signer = TestSigner::on(level, Scheme::FnDsa, sk);
    assert_same(&signer.verifying_key(), vk, "the public key of the private key");
    let key_hash = signer.key_hash();
    assert_eq!(key_hash, fndsa::testing::verifying_key(Scheme::FnDsa, vk).expect("a good key").key_hash(level));
    let mu = mu(level, &key_hash, v.text("hash"), &v.bytes("ctx"), &v.bytes("hv")).expect("a valid context and mu");
    assert_eq!(to_hex(mu.as_bytes()), v.text("mu"));
    let signature = signer.sign(level, &mu, &v.array("sign_random"));
    assert_same(&signature, &v.bytes("sig"), format_args!("{level}: the signature"));
    assert_eq!(verify(level, Scheme::FnDsa, vk, &mu, &signature), Ok(()), "{level}");
    signature
}

#[test]
fn published_known_answers_are_reproduced() {
    let file = vector_file("kat-a.json");
    let vectors = cases(&file, "vectors");
    assert_eq!(vectors.len(), 90);
    on_every_level(&vectors, |level, v| {
        let (logn, j) = (v.int("logn") as usize, v.int("j"));
        let mut key = (v.bytes("sk"), v.bytes("vk"));
        // The published keys at degree 4 are valid, but the library generates different keys. The
        // solver that computed the published keys has an error (docs/scheme.md, item 6 of key
        // generation). The test only signs with these keys.
        if logn != 2 {
            key = keygen(level, fn_dsa(degree(logn)), &v.array("keygen_seed"), KeygenMemory::Least);
            let what = format!("{level}: degree 2^{logn} vector {j}");
            assert_same(&key.0, &v.bytes("sk"), format_args!("{what}: the private key"));
            assert_same(&key.1, &v.bytes("vk"), format_args!("{what}: the public key"));
        }
        let signature = check_signature(level, v, &key.0, &key.1);
        let digest = Sha3_256::digest([key.0, key.1, signature].concat());
        assert_eq!(to_hex(&digest), v.text("sha3_256_sk_vk_sig"), "{level}: degree 2^{logn} vector {j}");
    });
}

#[test]
fn signatures_with_every_pre_hash_and_context_are_correct() {
    let file = vector_file("sign-a.json");
    let (keys, vectors) = (cases(&file, "keys"), cases(&file, "vectors"));
    assert_eq!((keys.len(), vectors.len()), (9, 196));
    on_every_level(&vectors, |level, v| {
        let key = keys.iter().find(|k| k.int("id") == v.int("key")).expect("the key");
        check_signature(level, v, &key.bytes("sk"), &key.bytes("vk"));
    });
    on_every_level(&keys[1..], |level, k| {
        let (sk, vk) =
            keygen(level, fn_dsa(degree(k.int("logn") as usize)), &k.array("keygen_seed"), KeygenMemory::Most);
        assert_same(&sk, &k.bytes("sk"), format_args!("{level}: the private key"));
        assert_same(&vk, &k.bytes("vk"), format_args!("{level}: the public key"));
    });
}

#[test]
fn many_keys_have_the_published_digest() {
    let file = vector_file("keygen-a-digests.json");
    let vectors = cases(&file, "vectors");
    assert_eq!(vectors.len(), 229);
    on_every_level(&vectors, |level, v| {
        let algorithm = fn_dsa(degree(v.int("logn") as usize));
        for memory in [KeygenMemory::Least, KeygenMemory::Most] {
            let (sk, vk) = keygen(level, algorithm, &v.array("keygen_seed"), memory);
            let what = format!("{level} {memory:?}: seed {}", v.text("keygen_seed"));
            assert_eq!(to_hex(&Sha256::digest(&sk)), v.text("sha256_sk"), "{what}");
            assert_eq!(to_hex(&Sha256::digest(&vk)), v.text("sha256_vk"), "{what}");
        }
    });
}

#[test]
fn broken_signatures_have_the_published_verdicts() {
    let file = vector_file("negative-a.json");
    let vectors = cases(&file, "verify");
    assert_eq!(vectors.len(), 155);
    on_every_level(&vectors, |level, v| {
        let vk = v.bytes("vk");
        let accepted = fndsa::testing::verifying_key(Scheme::FnDsa, &vk).is_ok_and(|key| {
            mu(level, &key.key_hash(level), v.text("hash"), &v.bytes("ctx"), &v.bytes("hv"))
                .is_ok_and(|mu| verify(level, Scheme::FnDsa, &vk, &mu, &v.bytes("sig")).is_ok())
        });
        assert_eq!(accepted, v.truth("valid"), "{level}: {}", v.text("name"));
    });
}

#[test]
fn broken_keys_have_the_published_verdicts() {
    let file = vector_file("negative-a.json");
    let (signing_keys, verifying_keys) = (cases(&file, "sk_decode"), cases(&file, "vk_decode"));
    assert_eq!((signing_keys.len(), verifying_keys.len()), (62, 46));
    on_every_level(&signing_keys, |level, v| {
        let verdict = import(level, Scheme::FnDsa, &v.bytes("sk"));
        assert_eq!(verdict.is_ok(), v.truth("strict_accepts"), "{level}: {}: {verdict:?}", v.text("name"));
    });
    for v in verifying_keys {
        let vk = v.bytes("vk");
        let verdict = fndsa::testing::verifying_key(Scheme::FnDsa, &vk);
        if v.text("name").ends_with("h-zero") {
            assert_eq!(verdict, Err(KeyError::ZeroKey), "{}", v.text("name"));
        } else {
            assert_eq!(verdict.is_ok(), v.truth("reference_accepts"), "{}: {verdict:?}", v.text("name"));
        }
    }
}

#[test]
fn a_context_has_at_most_255_bytes_and_a_digest_its_length() {
    let key: KeyHash = {
        let file = vector_file("sign-a.json");
        TestSigner::new(Scheme::FnDsa, &cases(&file, "keys")[3].bytes("sk")).key_hash()
    };
    assert!(mu(Level::detect(), &key, "raw", &[7; 255], b"m").is_ok());
    assert!(mu(Level::detect(), &key, "raw", &[7; 256], b"m").is_err());
    assert!(mu(Level::detect(), &key, "SHA-256", &[7; 256], &[1; 32]).is_err());
    assert!(mu(Level::detect(), &key, "SHA-256", &[], &[1; 31]).is_err());
    assert!(mu(Level::detect(), &key, "SHAKE256", &[], &[1; 32]).is_err());
}

#[test]
fn buffers_of_the_wrong_length_are_rejected() {
    let file = vector_file("sign-a.json");
    let k = cases(&file, "keys")[4];
    let (sk, vk, seed) = (k.bytes("sk"), k.bytes("vk"), k.bytes("keygen_seed"));
    let d = Degree::from_logn(k.int("logn") as u32).expect("a degree");
    for level in levels() {
        let generate = |sk_len: usize, vk_len: usize, work_len: usize| {
            let (mut sk, mut vk, mut work) = (vec![0; sk_len], vec![0; vk_len], vec![0; work_len]);
            let mut rng = fndsa::testing::FixedBytes(&seed);
            fndsa::no_alloc::SigningKeyRef::generate(level, fn_dsa(d), &mut rng, &mut sk, &mut vk, &mut work).map(drop)
        };
        let (s, v, w) = (fn_dsa(d).signing_key_len(), fn_dsa(d).verifying_key_len(), fn_dsa(d).keygen_work_len());
        assert!(generate(s, v, w).is_ok());
        for (s, v, w) in [(s - 1, v, w), (s + 1, v, w), (s, v - 1, w), (s, v + 1, w), (s, v, w - 1)] {
            assert!(matches!(generate(s, v, w), Err(fndsa::error::KeygenError::Buffer(_))));
        }

        let mut work = common::library::work(d);
        let key = fndsa::testing::signing_key(Level::detect(), Scheme::FnDsa, &sk, &mut work).expect("a good key");
        let mu = fndsa::message::Mu::from_bytes([3; 64]);
        let sign = |len: usize, work_len: usize| {
            let (mut signature, mut work) = (vec![0; len], vec![0; work_len]);
            let mut rng = fndsa::testing::FixedBytes(&[5; 40]);
            key.sign(level, &mu, &mut rng, &mut signature, &mut work).map(|()| signature)
        };
        let (len, w) = (fn_dsa(d).signature_len(), fn_dsa(d).sign_work_len());
        let signature = sign(len, w).expect("a signature");
        for (len, w) in [(len - 1, w), (len + 1, w), (len, w - 1)] {
            assert!(matches!(sign(len, w), Err(fndsa::error::SignError::Buffer(_))));
        }

        let public = fndsa::testing::verifying_key(Scheme::FnDsa, &vk).expect("a good key");
        let verify = |work_len: usize| public.verify(level, &mu, &signature, &mut vec![0; work_len]);
        assert_eq!(verify(fn_dsa(d).verify_work_len()), Ok(()));
        assert!(matches!(verify(fn_dsa(d).verify_work_len() - 1), Err(fndsa::error::VerifyError::Work(_))));
    }
    let short =
        fndsa::testing::signing_key(Level::detect(), Scheme::FnDsa, &sk, &mut vec![0; fn_dsa(d).import_work_len() - 1]);
    assert!(matches!(short, Err(KeyError::Work(_))));
}

#[test]
fn a_failing_generator_returns_an_error_and_no_signature() {
    let file = vector_file("sign-a.json");
    let sk = cases(&file, "keys")[4].bytes("sk");
    let mut work = common::library::work(Degree::N1024);
    let key = fndsa::testing::signing_key(Level::detect(), Scheme::FnDsa, &sk, &mut work).expect("a good key");
    for level in levels() {
        let mut signature = vec![0xaa; key.algorithm().signature_len()];
        let mut rng = fndsa::testing::FixedBytes(&[1; 39]);
        let result = key.sign(level, &fndsa::message::Mu::from_bytes([0; 64]), &mut rng, &mut signature, &mut work);
        assert_eq!(result, Err(fndsa::error::SignError::Rng(fndsa::testing::OutOfBytesError)));
        assert!(signature.iter().all(|b| *b == 0), "a failed call must leave zeros in the signature");
        let (mut sk, mut vk) = (vec![0; 161], vec![0; 57]);
        let (mut rng, mut work) = (fndsa::testing::FixedBytes(&[1; 31]), vec![0; 4096]);
        let d = degree(5);
        let result = fndsa::no_alloc::SigningKeyRef::generate(level, fn_dsa(d), &mut rng, &mut sk, &mut vk, &mut work);
        assert!(matches!(result, Err(fndsa::error::KeygenError::Rng(fndsa::testing::OutOfBytesError))));
    }
}

/// Checks that the signer makes a second attempt if the first attempt has a coefficient above the
/// bound 840. About 1 of 2,450 attempts has such a coefficient. The test uses six numbers as random
/// bytes. With the first three numbers, the large coefficient is in s1, and with the last three in
/// s2 (s1 and s2 are the halves of a signature's vector). A search from 0 upwards found these
/// numbers.
#[test]
fn an_attempt_with_a_large_coefficient_is_repeated() {
    let (sk, vk) = keygen(Level::detect(), fn_dsa(Degree::N512), &[3; 32], KeygenMemory::Most);
    for level in levels() {
        let (mut work, mu) = (common::library::work(Degree::N1024), fndsa::message::Mu::from_bytes([3; 64]));
        let key = fndsa::testing::signing_key(level, Scheme::FnDsa, &sk, &mut work).expect("a good key");
        let public = fndsa::testing::verifying_key(Scheme::FnDsa, &vk).expect("a good key");
        for number in [2958u32, 5418, 17589, 1688, 6868, 8078] {
            let (mut random, mut signature) = ([0; 40], vec![0; key.algorithm().signature_len()]);
            random[..4].copy_from_slice(&number.to_le_bytes());
            let rng = &mut fndsa::testing::FixedBytes(&random);
            key.sign(level, &mu, rng, &mut signature, &mut work).expect("a second attempt");
            public.verify(level, &mu, &signature, &mut work).expect("a good signature");
        }
    }
}
