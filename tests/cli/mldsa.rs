//! Tests for ML-DSA: keys and messages in several forms, files from six programs, the keys in RFC
//! 9881, and test vectors that must fail.

use crate::harness::{ProgramOutput, TestDirectory};
use crate::messages::{MessageCase, row};
use serde_json::Value;
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use std::fs;
use std::path::{Path, PathBuf};

/// The numbers in the parameter sets' names: ML-DSA-44, ML-DSA-65 and ML-DSA-87.
const SETS: [&str; 3] = ["44", "65", "87"];
/// The programs that made the files in `tests/kat/ml-dsa/interop`. The files of each program
/// include a private key with the seed.
const PROGRAMS: [&str; 6] =
    ["openssl-3.5.7", "go-1.27.0", "node-24.21.0", "noble-0.7.1", "bouncycastle-1.86", "cryptography-50.0.2"];

/// Returns the path to a test vector file.
fn vector_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kat/ml-dsa").join(name)
}

/// Returns a directory with the test vectors from the folder `source`, and the message m that their
/// signatures cover.
fn directory_with_vectors(source: &str) -> TestDirectory {
    let directory = TestDirectory::empty();
    for entry in fs::read_dir(vector_path(source)).unwrap() {
        let entry = entry.unwrap();
        directory.put(entry.file_name(), fs::read(entry.path()).unwrap());
    }
    directory.put("m", fs::read(vector_path("interop/msg.bin")).unwrap());
    directory
}

/// Returns a directory with a new key for each parameter set (k44.key, k65.key, k87.key), and the
/// messages m and other.
fn directory_with_keys() -> TestDirectory {
    let directory = TestDirectory::empty();
    directory.put("m", "a message\n");
    directory.put("other", "another message\n");
    SETS.iter().for_each(|set| drop(directory.run(&format!("keygen -q -a ml-dsa-{set} k{set}")).code(0).err_empty()));
    directory
}

fn decode_hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

/// Returns the rows about ML-DSA for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let rfc = |name: &str| fs::read(vector_path("rfc9881").join(name)).unwrap();
    vec![
        row("key_seed", "inspect x", 3, "the expanded key in the file does not belong to the seed", "damaged")
            .file_x(rfc("bad-ML-DSA-44-1.priv")),
        row("key_hash", "inspect x", 3, "the stored hash is not that of the public key", "damaged")
            .file_x(rfc("bad-ML-DSA-44-2.priv")),
        row("key_public_part", "inspect x", 3, "t0 does not follow from rho, s1 and s2", "damaged")
            .file_x(rfc("bad-ML-DSA-44-3.priv")),
        row(
            "no_seed",
            "convert x -o o --to pkcs8 --private both",
            2,
            "contains the seed, which cannot be computed from an expanded key",
            "the form expanded",
        )
        .file_x(rfc("ML-DSA-44-expanded.priv")),
        row(
            "not_deterministic",
            "sign -k k.key --deterministic -o o a",
            2,
            "FN-DSA has no deterministic signatures",
            "leave",
        ),
        row(
            "private_form_unused",
            "convert k.key -o o --to pkcs8 --private seed",
            2,
            "--private applies only to private keys of ML-DSA in PKCS#8",
            "leave --private out",
        ),
        row(
            "oid_algorithm",
            "convert x -o o --to pkcs8 --oid 2.999.1",
            2,
            "must have the OID that is assigned to ML-DSA-44",
            "leave --oid",
        )
        .file_x(rfc("ML-DSA-44-seed.priv")),
        row(
            "no_such_prehash",
            "sign -k k.key --prehash sha224 -o o a",
            2,
            "FN-DSA does not support the pre-hash sha224",
            "256 bits",
        ),
        row(
            "usage",
            "bench -a ml-dsa-44 --profile",
            2,
            "--profile does not apply to ML-DSA-44",
            "leave the option out",
        ),
    ]
}

/// Returns a row with an error that does not occur with `--allow-weak`.
pub fn row_without_allow_weak() -> MessageCase {
    let key = fs::read(vector_path("rfc9881/ML-DSA-87-seed.priv")).unwrap();
    row(
        "weak_prehash",
        "sign -k x --prehash sha384 -o o a",
        2,
        "the pre-hash sha384 is too weak for ML-DSA-87",
        "sha512",
    )
    .file_x(key)
}

/// All commands with a pre-hash apply the library's rule for weak pre-hashes.
#[test]
fn a_weak_pre_hash_requires_an_option() {
    let directory = directory_with_keys();
    directory.run("--allow-weak sign -k k87.key --prehash sha384 -o weak.sig m").code(0);
    let commands = [
        "sign -f -k k87.key --prehash sha384 -o o m",
        "sign -k k87.key --prehash sha384 --print-mu m",
        "verify -p k87.pub -s weak.sig --prehash sha384 m",
    ];
    for command in commands {
        directory.run(command).code(2).out_empty().err_has("the pre-hash sha384 is too weak for ML-DSA-87");
        directory.run(&format!("--allow-weak {command}")).code(0);
    }
}

#[test]
fn new_keys_sign_and_verify() {
    let directory = directory_with_keys();
    for set in SETS {
        let name = format!("ML-DSA-{set}");
        assert_eq!(directory.mode(&format!("k{set}.key")), 0o600);
        assert!(directory.text(format!("k{set}.key")).starts_with("-----BEGIN PRIVATE KEY-----\n"));
        assert!(directory.text(format!("k{set}.pub")).starts_with("-----BEGIN PUBLIC KEY-----\n"));
        let output = directory.run(&format!("inspect k{set}.key k{set}.pub")).code(0);
        output
            .out_has(&format!("{name} private key, PKCS#8"))
            .out_has("layout seed, 32 bytes, valid")
            .out_has(": a key pair");
        directory.run(&format!("pubkey -k k{set}.key -o again")).code(0);
        assert_eq!(directory.get("again"), directory.get(format!("k{set}.pub")));
        directory.remove("again");

        directory.run(&format!("-q sign -f -k k{set}.key m")).code(0).err_empty();
        assert!(directory.text("m.sig").contains("-----BEGIN MLDSA SIGNATURE-----"));
        directory.run(&format!("verify -p k{set}.pub m")).code(0).out_has(&format!("m: OK ({name} sha256:"));
        directory
            .run(&format!("verify -p k{set}.pub -s m.sig other"))
            .code(1)
            .out_has("FAILED (signature does not match");
        let first = directory.get("m.sig");
        directory.run(&format!("sign -f -k k{set}.key m")).code(0);
        assert_ne!(directory.get("m.sig"), first, "hedged");
        directory.run(&format!("sign -f --deterministic -k k{set}.key m")).code(0);
        let first = directory.get("m.sig");
        directory.run(&format!("sign -f --deterministic -k k{set}.key m")).code(0);
        assert_eq!(directory.get("m.sig"), first, "deterministic");

        directory.run(&format!("sign -f -k k{set}.key --context-hex 7631 m")).code(0);
        directory.run(&format!("verify -p k{set}.pub -c v1 m")).code(0);
        directory.run(&format!("verify -p k{set}.pub m")).code(1).err_has("context \"v1\"");
        directory.run(&format!("verify --explain -p k{set}.pub -c v2 m")).code(1);

        directory.run(&format!("sign --print-mu -p k{set}.pub m")).code(0);
        directory.sh(&format!("$FNDSA sign --print-mu -p k{set}.pub m > m.mu")).code(0);
        directory.run(&format!("sign -f -k k{set}.key --mu -o m.sig m.mu")).code(0);
        directory.run(&format!("verify -p k{set}.pub m")).code(0);
        directory.run(&format!("verify -p k{set}.pub --mu -s m.sig m.mu")).code(0);

        directory.run(&format!("sign -f -k k{set}.key -M list m other")).code(0);
        directory.run(&format!("verify -p k{set}.pub -M list")).code(0).out_has("m: OK").out_has("other: OK");
        directory.remove("m.mu");
    }
    // The signature has a different parameter set than the key. If the trusted keys contain the
    // right key, the verdict is YES.
    directory.run("sign -f -k k65.key m").code(0);
    directory.run("verify -p k44.pub m").code(1).out_has("the signature is ML-DSA-65, but the key is ML-DSA-44");
    directory.run("keygen -q f").code(0);
    directory.sh("cat k44.pub f.pub k65.pub k87.pub > trusted").code(0);
    directory.run("verify --trusted-keys trusted m").code(0).out_has("m: OK (ML-DSA-65 ");
    directory.run("sign -f -k f.key m").code(0);
    directory.run("verify --trusted-keys trusted m").code(0).out_has("m: OK (FN-DSA-512 ");
    directory.run("verify -p k44.pub m").code(1).out_has("the signature is FN-DSA-512, but the key is ML-DSA-44");
}

#[test]
fn every_pre_hash_signs_and_verifies() {
    let directory = directory_with_keys();
    let hashes = [
        ("sha224", 224),
        ("sha512-224", 224),
        ("sha3-224", 224),
        ("sha256", 256),
        ("sha512-256", 256),
        ("sha3-256", 256),
        ("shake128", 256),
        ("sha384", 384),
        ("sha3-384", 384),
        ("sha512", 512),
        ("sha3-512", 512),
        ("shake256", 512),
    ];
    for (set, bits) in SETS.into_iter().zip([256, 384, 512]) {
        for (hash, len) in hashes {
            let line = format!("sign -f -k k{set}.key --prehash {hash} m");
            if len < bits {
                directory.run(&line).code(2).err_has(&format!("the pre-hash {hash} is too weak for ML-DSA-{set}"));
                directory.run(&format!("--allow-weak {line}")).code(0);
            } else {
                directory.run(&line).code(0);
            }
            let verify = format!("verify -p k{set}.pub --prehash {hash} m");
            if len < bits {
                directory.run(&verify).code(2).err_has(&format!("the pre-hash {hash} is too weak for ML-DSA-{set}"));
            }
            directory.run(&format!("--allow-weak {verify}")).code(0);
        }
        // `m.sig`, the last signature, uses the pre-hash shake256. So `verify` rejects it without
        // this pre-hash.
        directory.run(&format!("verify -p k{set}.pub m")).code(1);
        directory.run(&format!("verify --explain -p k{set}.pub m")).code(1).err_has("with --prehash shake256");
    }
    directory.run("keygen -q f").code(0);
    directory
        .run("sign -k f.key --prehash sha224 -o s m")
        .code(2)
        .err_has("FN-DSA does not support the pre-hash sha224");
    directory.run("sign -k f.key --deterministic -o s m").code(2).err_has("FN-DSA has no deterministic signatures");
    assert!(!directory.has("s"));
}

#[test]
fn a_signature_over_a_digest_is_not_a_hash_ml_dsa_signature() {
    let directory = directory_with_keys();
    directory.sh("sha512sum m | cut -c 1-128 | tr -d '\\n' > digits").code(0);
    directory.put("digest", decode_hex(&directory.text("digits")));
    directory.run("sign -k k44.key -o s digest").code(0);
    for how in ["", "--prehash sha512"] {
        let output = directory.run(&format!("verify --explain -p k44.pub -s s {how} m")).code(1);
        output.err_has("the signature matches the sha512 digest of the file as the message, which is not HashML-DSA");
    }
    let json = directory.run("--json verify --explain -p k44.pub -s s m").code(1).json();
    assert_eq!(json["results"][0]["cause"]["input"], "digest_as_message");
    directory.run("verify -p k44.pub -s s digest").code(0);
}

#[test]
fn every_form_of_a_private_key_is_accepted() {
    let directory = directory_with_keys();
    directory.put("password", "sesame\n");
    for (set, expanded) in SETS.into_iter().zip([2560, 4032, 4896]) {
        let public = directory.get(format!("k{set}.pub"));
        for (form, len) in [("seed", 32), ("expanded", expanded), ("both", 32)] {
            directory.run(&format!("convert -f k{set}.key --to pkcs8 --private {form} -o {form}")).code(0);
            directory.run(&format!("inspect {form}")).code(0).out_has(&format!("layout {form}, {len} bytes, valid"));
            for to in ["pem", "pkcs8", "pkcs8-der"] {
                directory.run(&format!("convert {form} --to {to} -o there")).code(0);
                directory.run("pubkey -k there -o pub").code(0);
                assert_eq!(directory.get("pub"), public, "{form}, {to}");
                ["there", "pub"].iter().for_each(|name| directory.remove(name));
            }
            directory.run(&format!("passwd {form} --new-password-file password")).code(0);
            directory
                .run(&format!("inspect {form} --password-file password"))
                .code(0)
                .out_has(&format!("layout {form}"));
            directory.run(&format!("passwd {form} --remove --password-file password")).code(0);
            directory.run(&format!("inspect {form}")).code(0).out_has(&format!("layout {form}, {len} bytes, valid"));
        }
        assert_eq!(directory.get("seed"), directory.get(format!("k{set}.key")));
        for form in ["seed", "both"] {
            let output = directory.run(&format!("convert expanded --to pkcs8 --private {form} -o no")).code(2);
            output.err_has("contains the seed, which cannot be computed from an expanded key").err_has("hint: ");
        }
        // A raw expanded key can be recognized by its length, but a raw seed cannot.
        directory.run("convert expanded --to raw -o raw").code(0);
        assert_eq!(directory.get("raw").len(), expanded);
        directory.run("pubkey -k raw -o pub").code(0);
        assert_eq!(directory.get("pub"), public);
        directory.run("convert -f seed --to raw -o raw-seed").code(0);
        assert_eq!(directory.get("raw-seed").len(), 32);
        directory.run("sign -k raw-seed -o no m").code(3);
        directory.run(&format!("sign -k raw-seed -a ml-dsa-{set} -o s m")).code(0);
        directory.run(&format!("verify -p k{set}.pub -s s m")).code(0);
        // `keygen` computes the original key from the seed.
        let line = format!("keygen -a ml-dsa-{set} --seed-file raw-seed --insecure-deterministic again");
        directory.run(&line).code(0);
        assert_eq!(directory.get("again.key"), directory.get(format!("k{set}.key")));
        for name in ["seed", "expanded", "both", "raw", "raw-seed", "pub", "s", "again.key", "again.pub"] {
            directory.remove(name);
        }
    }
    directory.run("keygen -q f").code(0);
    directory
        .run("convert f.key --to pkcs8 --private both -o no")
        .code(2)
        .err_has("--private applies only to private keys of ML-DSA in PKCS#8");
    directory
        .run("convert k44.key --to pkcs8 --layout oqs -o no")
        .code(2)
        .err_has("--layout applies only to private keys of Falcon in PKCS#8");
    directory.run("convert k44.key --to pem -a falcon-512 -o no").code(3).err_has("this is ML-DSA-44, not Falcon-512");
    directory.run("convert k44.key --to pkcs8 --oid 2.999.1 -o no").code(2).err_has("the OID that is assigned");
    assert!(!directory.has("no"));
}

#[test]
fn files_of_other_programs_are_accepted() {
    for program in PROGRAMS {
        let directory = directory_with_vectors(&format!("interop/{program}"));
        for set in ["44", "87"] {
            let has = |name: &str| directory.has(format!("mldsa{set}.{name}"));
            let public = ["pub.pem", "pub.der", "pub.raw"].into_iter().find(|name| has(name)).unwrap();
            let public = format!("mldsa{set}.{public}");
            let mut count = 0;
            for (signature, how) in
                [("det", ""), ("hedged", ""), ("context", "-c release"), ("prehash-sha512", "--prehash sha512")]
            {
                // This BouncyCastle signature was made with a different key. The test verifies it
                // below, with that key.
                if !has(&format!("{signature}.sig")) || (program, signature) == ("bouncycastle-1.86", "prehash-sha512")
                {
                    continue;
                }
                let line = format!("verify -p {public} -s mldsa{set}.{signature}.sig {how}");
                directory.run(&format!("{line} m")).code(0).out_has(&format!("m: OK (ML-DSA-{set} "));
                directory.run(&format!("{line} {public}")).code(1).out_has("FAILED (signature does not match");
                count += 1;
            }
            assert!(count >= 2, "{program}, {set}");
            for form in [
                "key.pem",
                "key.der",
                "key.raw",
                "both.pem",
                "seed.pem",
                "expanded.pem",
                "bareseed.pem",
                "barepriv.pem",
                "encrypted.pem",
                "seed.raw",
            ] {
                if !has(form) {
                    continue;
                }
                let key = format!("mldsa{set}.{form}");
                let call =
                    |line: &str| directory.call(&format!("{line} -a ml-dsa-{set}")).env("FNDSA_PASSWORD", "sesame");
                directory.put("password", "sesame\n");
                call(&format!("pubkey -k {key} --format raw -o raw")).run().code(0);
                directory.run(&format!("convert -f {public} --to raw -o raw2")).code(0);
                assert_eq!(directory.get("raw"), directory.get("raw2"), "{program}, {key}");
                directory.remove("raw");
                if has("det.sig") {
                    call(&format!("sign -f -k {key} --deterministic --format raw -o s m")).run().code(0);
                    assert_eq!(directory.get("s"), directory.get(format!("mldsa{set}.det.sig")), "{program}, {key}");
                }
            }
        }
    }
    let directory = directory_with_vectors("interop/openssl-3.5.7");
    directory
        .run("verify -p mldsa44.crt.pem -s mldsa44.det.sig m")
        .code(0)
        .err_has("only the public key of a certificate is used");
    // A HashML-DSA key is bound to SHA-512. RFC 9881 does not define such keys. The raw form of the
    // key does not store the hash.
    let directory = directory_with_vectors("interop/bouncycastle-1.86");
    for (set, len) in [("44", 1312), ("87", 2592)] {
        for kind in ["key", "pub"] {
            let output = directory.run(&format!("inspect mldsa{set}.prehash-sha512.{kind}.der")).code(0);
            output.out_has(&format!("ML-DSA-{set} ")).out_has("only for the pre-hash sha512");
        }
        directory
            .run(&format!("verify -p mldsa{set}.prehash-sha512.pub.der -s mldsa{set}.prehash-sha512.sig m"))
            .code(0);
        let der = directory.get(format!("mldsa{set}.prehash-sha512.pub.der"));
        directory.put("raw", &der[der.len() - len..]);
        directory.run(&format!("verify -p raw -s mldsa{set}.prehash-sha512.sig --prehash sha512 m")).code(0);
        directory.run(&format!("verify -p raw -s mldsa{set}.prehash-sha512.sig m")).code(1);
    }
}

#[test]
fn keys_of_rfc_9881_are_accepted() {
    let directory = directory_with_vectors("rfc9881");
    for set in ["44", "87"] {
        for form in ["seed", "expanded", "both"] {
            directory.run(&format!("pubkey -k ML-DSA-{set}-{form}.priv -o pub")).code(0);
            assert_eq!(directory.get("pub"), directory.get(format!("ML-DSA-{set}.pub")), "{set}, {form}");
            directory.remove("pub");
            // From the file with the seed and the expanded key, fndsa makes the same files as in
            // the RFC.
            directory.run(&format!("convert ML-DSA-{set}-both.priv --to pkcs8 --private {form} -o out")).code(0);
            assert_eq!(directory.get("out"), directory.get(format!("ML-DSA-{set}-{form}.priv")));
            directory.remove("out");
        }
        let files = ["seed.priv", "pub", "crt"].map(|end| {
            let separator = if end == "seed.priv" { "-" } else { "." };
            format!("ML-DSA-{set}{separator}{end}")
        });
        let output = directory.run(&format!("inspect {}", files.join(" "))).code(0);
        assert_eq!(output.out.matches(": a key pair\n").count(), 2);
    }
    for (number, words, reason) in [
        (1, "the expanded key in the file does not belong to the seed", "key_seed"),
        (2, "the stored hash is not that of the public key", "key_hash"),
        (3, "t0 does not follow from rho, s1 and s2", "key_public_part"),
    ] {
        let key = format!("bad-ML-DSA-44-{number}.priv");
        for line in [
            format!("inspect {key}"),
            format!("pubkey -k {key} -o out"),
            format!("sign -k {key} -o out m"),
            format!("convert {key} --to raw -o out"),
            format!("passwd {key} -o out"),
        ] {
            directory.call(&line).env("FNDSA_PASSWORD", "x").run().code(3).err_has(words);
        }
        let json = directory.run(&format!("--json inspect {key}")).code(3).json();
        assert_eq!(json["results"][0]["reason"], reason);
        assert!(!directory.has("out"));
    }
}

/// Reads a file with test vectors.
fn read_vectors(name: &str) -> Value {
    serde_json::from_slice(&fs::read(vector_path(name)).unwrap()).unwrap()
}

fn decode_field(object: &Value, name: &str) -> Vec<u8> {
    decode_hex(object[name].as_str().unwrap_or_default())
}

/// Checks that a command prints a NO with a reason, or an error with a reason and a hint. Returns
/// 1, so that callers can count the rejections.
fn assert_rejected(output: &ProgramOutput, case: &str) -> usize {
    let has_reason_after = |text: &str, word: &str| text.split_once(word).is_some_and(|(_, reason)| reason.len() > 10);
    let has_reason = match output.code {
        1 => has_reason_after(&output.out, "FAILED ("),
        2 | 3 => {
            (has_reason_after(&output.out, "ERROR (") || has_reason_after(&output.err, "error: "))
                && has_reason_after(&output.err, "hint: ")
        }
        _ => false,
    };
    assert!(has_reason && !output.err.contains("panic"), "{case}: {output:?}");
    1
}

/// The Wycheproof test vectors for `verify` have the expected exit code, and the invalid vectors
/// for `sign` are errors.
#[test]
fn invalid_vectors_are_rejected() {
    let directory = TestDirectory::empty();
    let mut failed = 0;
    for set in SETS {
        for group in read_vectors(&format!("wycheproof-{set}-verify.json"))["groups"].as_array().unwrap() {
            for (key, der) in [("p", "publicKey"), ("p.der", "publicKeyDer")] {
                directory.put(key, decode_field(group, der));
            }
            for test in group["tests"].as_array().unwrap() {
                let case = format!("{set} {}: {}", test["tcId"], test["comment"]);
                for name in ["msg", "sig", "ctx"] {
                    directory.put(name, decode_field(test, name));
                }
                for key in ["p", "p.der"] {
                    let output = directory.run(&format!("verify -p {key} -s sig --context-file ctx msg"));
                    let expected: &[i32] = match test["result"].as_str().unwrap() {
                        "valid" => &[0],
                        _ if decode_field(test, "ctx").len() > 255 => &[2],
                        // If the length is wrong, fndsa cannot recognize the key or the signature.
                        _ if test["flags"].to_string().contains("Length") => &[1, 3],
                        _ => &[1],
                    };
                    assert!(expected.contains(&output.code), "{case}: {output:?}");
                    if output.code != 0 {
                        failed += assert_rejected(&output, &case);
                    }
                }
            }
        }
        let files = [("noseed", vec!["privateKey"]), ("seed", vec!["privateSeed", "privateKeyPkcs8"])];
        for (file, keys) in files {
            for group in read_vectors(&format!("wycheproof-{set}-sign-{file}.json"))["groups"].as_array().unwrap() {
                let tests = group["tests"].as_array().unwrap().iter();
                for (test, key) in
                    tests.filter(|test| test["result"] != "valid").flat_map(|t| keys.iter().map(move |k| (t, k)))
                {
                    let case = format!("{set} {file} {}, {key}: {}", test["tcId"], test["comment"]);
                    directory.put("k", decode_field(group, key));
                    directory.put("m", decode_field(test, "msg"));
                    directory.put("c", decode_field(test, "ctx"));
                    let output = directory.run(&format!("sign -k k -a ml-dsa-{set} --context-file c -o out m"));
                    let expected = if decode_field(test, "ctx").len() > 255 { 2 } else { 3 };
                    assert!(output.code == expected && !directory.has("out"), "{case}: {output:?}");
                    failed += assert_rejected(&output, &case);
                }
            }
        }
    }
    assert_eq!(failed, 2 * 79 + 9 + 2 * 9);
}

/// The verdicts agree with the NIST vectors: messages, digests, external mu, and the formatted
/// message M' of the internal interface.
#[test]
fn nist_vectors_have_their_verdicts() {
    let directory = TestDirectory::empty();
    let mut counts = [0; 2];
    for group in read_vectors("acvp-sigver.json")["groups"].as_array().unwrap() {
        for test in group["tests"].as_array().unwrap() {
            let case = format!("{} {}: {}", group["parameterSet"], test["tcId"], test["reason"]);
            directory.put("p", decode_field(test, "pk"));
            directory.put("s", decode_field(test, "signature"));
            directory.put("c", decode_field(test, "context"));
            let (message, how) = match (&group["preHash"], &group["externalMu"]) {
                (Value::String(pre), _) if pre == "pure" => {
                    (decode_field(test, "message"), "--context-file c".to_owned())
                }
                (Value::String(pre), _) if pre == "preHash" => {
                    let hash = test["hashAlg"].as_str().unwrap().replace("SHA2-", "sha").replace("SHAKE-", "shake");
                    let hash = hash.to_lowercase().replace('/', "-");
                    (decode_field(test, "message"), format!("--context-file c --prehash {hash}"))
                }
                (_, Value::Bool(true)) => (decode_field(test, "mu"), "--mu".to_owned()),
                _ => (compute_mu(&decode_field(test, "pk"), &decode_field(test, "message")), "--mu".to_owned()),
            };
            directory.put("m", message);
            // NIST also has test vectors with weak pre-hashes.
            let output = directory.run(&format!("--allow-weak verify -p p -s s {how} m"));
            let passes = test["testPassed"].as_bool().unwrap();
            assert_eq!(output.code, i32::from(!passes), "{case}: {output:?}");
            counts[usize::from(passes)] += if passes { 1 } else { assert_rejected(&output, &case) };
        }
    }
    assert_eq!(counts, [72, 18]);
}

/// Returns mu, the message representative of FIPS 204 (algorithm 7, line 6). `message` is M'.
fn compute_mu(public: &[u8], message: &[u8]) -> Vec<u8> {
    let shake256 = |pieces: &[&[u8]]| {
        let mut hash = Shake256::default();
        pieces.iter().for_each(|piece| hash.update(piece));
        let mut out = vec![0; 64];
        hash.finalize_xof().read(&mut out);
        out
    };
    shake256(&[&shake256(&[public]), message])
}

#[test]
fn raw_keys_may_start_like_other_formats_but_text_and_cut_files_are_rejected() {
    let directory = TestDirectory::empty();
    directory.put("m", "m");
    // Any bytes of the right length are a valid ML-DSA public key, even if they start like UTF-16
    // or DER.
    for start in [&b"\xff\xfe"[..], b"\xfe\xff", b"\x30\x82\x05\x32", b"0\x82", b"\x3a", b"\x09"] {
        let mut key = vec![0xa7; 1312];
        key[..start.len()].copy_from_slice(start);
        directory.put("p", key);
        directory.run("inspect p").code(0).out_has("ML-DSA-44 public key, raw, 1312 bytes, valid");
    }
    // fndsa does not read a text file or a truncated container as a raw key, even if the file has
    // the right length.
    directory.put("text", "x".repeat(1312));
    directory.run("inspect text").code(3).err_has("1312 bytes of text");
    let utf16_text: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(b"x".repeat(655).into_iter().flat_map(|x| [x, 0])).collect();
    directory.put("wide", utf16_text);
    directory.run("inspect wide").code(3).err_has("UTF-16");
    let der = decode_hex(&format!("30820532300b0609608648016503040311038205210{}", "0".repeat(2625)));
    directory.put("der", &der);
    directory.run("inspect der").code(0).out_has("ML-DSA-44 public key, SPKI in DER");
    directory.put("cut", &der[..1312]);
    directory
        .run("inspect cut")
        .code(3)
        .err_has("the DER content has 1312 bytes instead of 1334: bytes are missing or added");
    // Algorithm parameters are rejected, even if they are NULL.
    let null = decode_hex(&format!("30820534300d06096086480165030403110500038205210{}", "0".repeat(2625)));
    directory.put("null", null);
    directory.run("inspect null").code(3).err_has("the algorithm has parameters");
}
