//! Tests for composite keys, which consist of an ML-DSA half and an Ed25519 half. The tests use
//! keys and signatures from other programs, split and join keys, and try the options that
//! composites do not support.

use crate::harness::{TestDirectory, vectors};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Returns the rows about composites for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let composite_row = |reason, line: &str, code, words, hint| {
        row(reason, line, code, words, hint).how(RunMethod::After("$FNDSA keygen -q -a ml-dsa-44-ed25519 c"))
    };
    vec![
        row(
            "no_halves",
            "convert k.key --half ml-dsa --to pkcs8 -o n",
            3,
            "this is not a composite key, but FN-DSA-512",
            "--half is for keys of ml-dsa-44-ed25519 and ml-dsa-65-ed25519",
        ),
        row(
            "not_joinable",
            "convert k.key --join k2.key --to pkcs8 -o n",
            3,
            "k.key and k2.key cannot be joined to a composite key",
            "give two private keys or two public keys",
        ),
        composite_row(
            "no_such_prehash",
            "sign --prehash sha512 -k c.key b",
            2,
            "ML-DSA-Ed25519 does not support the pre-hash sha512",
            "these algorithms always hash the message with SHA-512",
        ),
        composite_row(
            "half_of_key",
            "verify -p c.pub -p h.pub --require all b",
            3,
            "h.pub: this key is a half of the composite key in c.pub, so they are not two keys",
            "remove one of the two keys",
        )
        .how(RunMethod::After(
            "$FNDSA keygen -q -a ml-dsa-44-ed25519 c; $FNDSA convert -q c.pub --half ed25519 --to spki -o h.pub; $FNDSA sign -q -k c.key b",
        )),
        composite_row(
            "no_such_form",
            "convert c.key --to raw -o n",
            2,
            "cannot be read again, because a private key has 64 bytes, as an Ed25519 signature has",
            "",
        ),
    ]
}

/// The composite algorithms: the name in options, and the ML-DSA half's name in file names.
const NAMES: [(&str, &str); 2] = [("ml-dsa-44-ed25519", "mldsa44"), ("ml-dsa-65-ed25519", "mldsa65")];

/// Returns a directory with a new key pair `k`, and the files `a` and `b`.
fn directory_with_key(algorithm: &str) -> TestDirectory {
    let directory = TestDirectory::empty();
    directory.put("a", "hello\n");
    directory.put("b", "other\n");
    directory.run(&format!("-q keygen -a {algorithm} k")).code(0);
    directory
}

/// fndsa verifies signatures from BouncyCastle. It reads the keys and writes them with the same
/// bytes.
#[test]
fn keys_and_signatures_of_bouncy_castle_are_read() {
    for (algorithm, name) in NAMES {
        let directory = directory_with_key(algorithm);
        let vector = |ending: &str| vectors(&format!("composite/{name}-ed25519-sha512.{ending}"));
        directory.put("p8", vector("p8.der"));
        directory.put("spki", vector("spki.der"));
        directory.put("sig", vector("sig"));
        directory.put("sig-release", vector("context-release.sig"));
        directory.put("msg.txt", vectors("composite/msg.txt"));
        directory.run("verify -p spki -s sig msg.txt").code(0).out_has("OK");
        directory.run("verify -p spki -s sig-release -c release msg.txt").code(0).out_has("OK");
        directory.run("verify -p spki -s sig -c release msg.txt").code(1).out_has("FAILED");
        directory.run("verify -p spki -s sig-release msg.txt").code(1).out_has("FAILED");
        directory.run("verify -p spki -s sig a").code(1).out_has("FAILED");
        directory.run("verify -p k.pub -s sig msg.txt").code(1).out_has("FAILED");
        directory.run("--json inspect p8 spki").code(0);
        for (from, to, form) in [("p8", "p8-again", "pkcs8-der"), ("spki", "spki-again", "spki-der")] {
            directory.run(&format!("convert {from} --to {form} -o {to}")).code(0);
            assert_eq!(directory.get(from), directory.get(to), "{algorithm}");
        }
        directory.run("-q pubkey -k p8 -o public").code(0);
        directory.run("verify -p public -s sig msg.txt").code(0);
        directory.run("sign -k p8 -o ours msg.txt").code(0);
        directory.run("verify -p spki -s ours msg.txt").code(0);
    }
}

/// fndsa reads the test vectors of the Internet-Draft for composite signatures. Each certificate
/// contains the public key of its vector.
#[test]
fn certificates_and_signatures_of_the_draft_are_read() {
    let file: serde_json::Value = serde_json::from_slice(&vectors("composite/draft-19.json")).unwrap();
    let directory = TestDirectory::empty();
    let bytes = |value: &serde_json::Value| STANDARD.decode(value.as_str().unwrap()).unwrap();
    directory.put("m", bytes(&file["m"]));
    for (test, (algorithm, _)) in file["tests"].as_array().unwrap().iter().zip(NAMES) {
        directory.put("crt", bytes(&test["x5c"]));
        directory.put("pk", bytes(&test["pk"]));
        directory.put("sk", bytes(&test["sk"]));
        directory.put("p8", bytes(&test["sk_pkcs8"]));
        directory.put("s", bytes(&test["s"]));
        directory.put("s-context", bytes(&test["sWithContext"]));
        for key in ["crt", "pk"] {
            directory.run(&format!("verify -p {key} -s s m")).code(0).out_has("OK");
        }
        let context = String::from_utf8(bytes(&file["ctx"])).unwrap();
        directory.put("context", &context);
        directory.sh("$FNDSA verify -p pk -s s-context -c \"$(cat context)\" m").code(0).out_has("OK");
        directory.run(&format!("convert -a {algorithm} sk --to pkcs8-der -o p8-{algorithm}")).code(0);
        assert_eq!(directory.get("p8"), directory.get(format!("p8-{algorithm}")));
        directory.run(&format!("convert p8 --to hex -o hex-{algorithm}")).code(0);
        directory
            .run(&format!("convert -f -a {algorithm} hex-{algorithm} --to pkcs8-der -o again-{algorithm}"))
            .code(0);
        assert_eq!(directory.get("p8"), directory.get(format!("again-{algorithm}")));
        // A raw private key has the length of an Ed25519 signature, so a reader needs the option
        // `-a`. Therefore, fndsa refuses to write a raw private key.
        let words = "cannot be read again, because a private key has 64 bytes, as an Ed25519 signature has";
        directory.run("convert p8 --to raw -o raw").code(2).err_has(words);
        directory.run(&format!("keygen -a {algorithm} --format raw raw")).code(2).err_has(words);
    }
}

/// The halves of a composite key are ordinary keys. If they are joined, the result is the original
/// file.
#[test]
fn keys_are_split_and_joined() {
    for (algorithm, _) in NAMES {
        let directory = directory_with_key(algorithm);
        for (ending, form) in [("key", "pkcs8"), ("pub", "spki")] {
            for half in ["ml-dsa", "ed25519"] {
                let line = format!("convert k.{ending} --half {half} --to {form} -o {half}.{ending}");
                directory.run(&line).code(0).err_has("do not use the same key in two schemes in production");
            }
            let line = format!("convert ml-dsa.{ending} --join ed25519.{ending} --to {form} -o again.{ending}");
            directory.run(&line).code(0).err_has("do not use the same key in two schemes in production");
            assert_eq!(directory.get(format!("k.{ending}")), directory.get(format!("again.{ending}")));
        }
        for half in ["ml-dsa", "ed25519"] {
            let line = format!("inspect {half}.key {half}.pub");
            directory.run(&line).code(0).out_has(&format!("{half}.key and {half}.pub: a key pair"));
        }
        // A composite key rejects a signature by one of its halves, and a half rejects a composite
        // signature.
        directory.run("sign -k ml-dsa.key -o half a").code(0);
        directory.run("verify -p ml-dsa.pub -s half a").code(0);
        let words =
            "a composite key does not verify a signature by one half, and a half does not verify a composite signature";
        directory.run("verify -p k.pub -s half a").code(1).err_has(words);
        directory.run("sign -k k.key -o whole a").code(0);
        directory.run("verify -p k.pub -s whole a").code(0);
        directory.run("verify -p ml-dsa.pub -s whole a").code(1).err_has(words);
        directory.run("verify -p ed25519.pub -s whole a").code(1).err_has(words);
        // If a key has only one half in common with `k`, it does not verify signatures by `k`.
        directory.run(&format!("-q keygen -a {algorithm} o")).code(0);
        directory.run("-q convert o.pub --half ed25519 --to spki -o other.pub").code(0);
        directory.run("-q convert ml-dsa.pub --join other.pub --to spki -o mixed.pub").code(0);
        directory.run("verify -p mixed.pub -s whole a").code(1).out_has("FAILED");
        directory.run("-q convert o.pub --half ml-dsa --to spki -f -o other.pub").code(0);
        directory.run("-q convert other.pub --join ed25519.pub --to spki -f -o mixed.pub").code(0);
        directory.run("verify -p mixed.pub -s whole a").code(1).out_has("FAILED");
    }
}

#[test]
fn only_suitable_keys_are_split_and_joined() {
    let directory = directory_with_key("ml-dsa-44-ed25519");
    directory.run("-q keygen -a ml-dsa-87 m").code(0);
    directory.run("-q keygen --dual -a ml-dsa-44 d").code(0);
    directory.run("sign -k k.key a").code(0);
    directory
        .run("convert m.key --half ml-dsa --to pkcs8 -o x")
        .code(3)
        .err_has("this is not a composite key, but ML-DSA-87");
    directory.run("convert a.sig --half ml-dsa --to pem -o x").code(3).err_has("this is not a composite key");
    for (first, second) in
        [("m.key", "d-ed25519.key"), ("d-ed25519.key", "d.key"), ("d.key", "d-ed25519.pub"), ("d.key", "k.key")]
    {
        let form = if first.ends_with("key") { "pkcs8" } else { "spki" };
        let line = format!("convert {first} --join {second} --to {form} -o x");
        directory.run(&line).code(3).err_has("cannot be joined to a composite key");
    }
    // A composite key stores the ML-DSA seed, which cannot be computed from an expanded key.
    directory.run("-q convert d.key --private expanded --to pkcs8 -o expanded").code(0);
    directory.run("convert expanded --join d-ed25519.key --to pkcs8 -o x").code(3).err_has("cannot be joined");
    directory.run("convert k.key --half ml-dsa -a ml-dsa-44 --to pkcs8 -o x").code(2);
    assert!(!directory.has("x"));
    directory.run("-q convert d.key --join d-ed25519.key --to pkcs8 -o x").code(0);
}

#[test]
fn composites_sign_lists_and_streams() {
    for (algorithm, _) in NAMES {
        let directory = directory_with_key(algorithm);
        directory.run("sign -k k.key -M list a b").code(0);
        directory.run("verify -p k.pub -M list").code(0).out_has("a: OK").out_has("b: OK");
        directory.put("b", "changed\n");
        directory.run("verify -p k.pub -M list").code(1);
        directory
            .sh("printf '{\"id\":1,\"message_b64\":\"aGVsbG8K\"}\\n' | $FNDSA sign --stream -k k.key >answer")
            .code(0);
        let answer: serde_json::Value = serde_json::from_slice(&directory.get("answer")).unwrap();
        assert_eq!(answer["exit_code"], 0);
        directory.put("streamed", STANDARD.decode(answer["signature_b64"].as_str().unwrap()).unwrap());
        directory.run("verify -p k.pub -s streamed a").code(0).out_has("OK");
        directory.sh("cat a | $FNDSA sign -k k.key -c context -o piped -").code(0);
        directory.run("verify -p k.pub -c context -s piped a").code(0);
        directory.run("verify -p k.pub -s piped a").code(1);
        directory.run("sign -f --deterministic -k k.key -o one a").code(0);
        directory.run("sign -f --deterministic -k k.key -o two a").code(0);
        assert_eq!(directory.get("one"), directory.get("two"));
    }
}

#[test]
fn composites_reject_a_pre_hash_and_a_mu() {
    let directory = directory_with_key("ml-dsa-44-ed25519");
    let words = "ML-DSA-Ed25519 does not support the pre-hash sha512";
    directory.run("sign -k k.key --prehash sha512 a").code(2).err_has(words);
    directory.run("sign -k k.key --print-mu a").code(2).err_has("ML-DSA-Ed25519 does not support an external mu");
    directory.run("keygen --dual -a ml-dsa-44-ed25519 n").code(2).err_has("-a cannot be ed25519 or end in -ed25519");
    directory.run("convert k.pub --to tuf-key -o o").code(2).err_has("TUF has no name for keys of ML-DSA-44-Ed25519");
    assert!(!directory.has("a.sig"));
    // A seed file for a composite key must contain two seeds, each with 32 bytes.
    directory.put("seed", [7; 32]);
    let line = "keygen -a ml-dsa-44-ed25519 --insecure-deterministic --seed-file seed n";
    directory.run(line).code(3).err_has("64 bytes or 128 hexadecimal digits are needed, but the input has 32 bytes");
    directory.put("seed", [7; 64]);
    directory.run(line).code(0);
    directory.run("convert n.key --to hex -o hex").code(0);
    assert_eq!(directory.get("hex"), format!("{}\n", "07".repeat(64)).into_bytes());
}
