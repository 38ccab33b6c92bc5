//! Tests for the schemes Falcon, FN-DSA-2024, falcon-rs and FN-DSA in the same commands.

use crate::harness::TestDirectory;
use crate::messages::{MessageCase, RunMethod, row};
use fndsa::{Signature, VerifyingKey};

/// A shell line that runs before the rows below. It makes a Falcon key and an FN-DSA-2024 key.
const KEYS: RunMethod = RunMethod::After("$FNDSA -q keygen -a falcon-512 f; $FNDSA -q keygen -a fn-dsa-2024-512 p");

/// Returns the rows about schemes for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let usage = |reason, line: &str, words, hint| row(reason, line, 2, words, hint).how(KEYS);
    vec![
        usage("verify_only", "keygen -a falcon-rs-512 n", "falcon-rs-512 is for verification only", "falcon-512"),
        usage("no_context", "sign -k f.key -c v1 a", "signatures of Falcon have no context", "leave --context out"),
        usage(
            "no_mu",
            "sign -k f.key --print-mu a",
            "Falcon does not support an external mu",
            "use a key of FN-DSA or ML-DSA: only these schemes sign an external mu",
        ),
        usage(
            "no_mu",
            "sign -k p.key --mu a",
            "FN-DSA-2024 does not support an external mu",
            "use a key of FN-DSA or ML-DSA: only these schemes sign an external mu",
        ),
        usage(
            "no_such_encoding",
            "sign -k k.key --encoding ct b",
            "signatures of FN-DSA have only the padded encoding",
            "Falcon has several",
        ),
        row(
            "no_such_prehash",
            "verify -a falcon-rs-512 -p f.pub -s s --prehash sha3-256 a",
            2,
            "falcon-rs does not support the pre-hash sha3-256",
            "sha256 or sha512",
        )
        .how(RunMethod::After("$FNDSA -q keygen -a falcon-512 f; $FNDSA -q sign -k f.key -o s a")),
        row(
            "encoding_mismatch",
            "verify -p k.pub --encoding ct a",
            1,
            "the encoding of the signature is padded, not ct",
            "leave --encoding out to accept every encoding",
        ),
        row("message_on_stdout", "verify -p k.pub --attached -o - a", 2, "both go to standard output", "-qq"),
        row(
            "wrong_length",
            "verify -p f.pub -s x a",
            3,
            "618 bytes are neither a padded signature, which has 666, nor a compressed signature",
            "incomplete",
        )
        .how(RunMethod::After("$FNDSA -q keygen -a falcon-512 f; $FNDSA sign -k f.key a -f; sed 5d a.sig >x")),
        row(
            "no_signed_message",
            "verify -p k.pub --attached a",
            3,
            "a: this is not a signed message of Falcon",
            "FILE.sig",
        ),
        row(
            "signed_message",
            "inspect x",
            3,
            "a signed message of Falcon-512, signature and message in one file",
            "--attached",
        )
        .how(RunMethod::After("$FNDSA -q keygen -a falcon-512 f; $FNDSA -q sign -f -k f.key --format raw -o x a; cat a >>x")),
        row(
            "other_content",
            "verify -p x a",
            3,
            "x: the file names the algorithm FN-DSA-512, but the public key in the file is Falcon-512 or FN-DSA-2024-512",
            "from its owner",
        )
        .how(RunMethod::After("$FNDSA -q keygen -a falcon-512 f; sed s/FALCON/FNDSA/ f.pub >x")),
        row(
            "algorithm_mismatch",
            "verify -p f.pub a",
            1,
            "the signature is FN-DSA-512, but the key is Falcon-512",
            "of the signer",
        )
        .how(KEYS),
        row("signature_malformed", "inspect x", 3, "the coefficients are not encoded canonically", "copy or download it again")
            .how(RunMethod::After(
                "$FNDSA -q sign -f -k k.key --format raw -o x b; printf z | dd of=x bs=1 seek=665 conv=notrunc",
            )),
    ]
}

/// Returns a directory with the keys f (Falcon-512), p (FN-DSA-2024-512) and k (FN-DSA-512), a file
/// a, and the signatures a.f.sig and a.p.sig.
fn directory_with_three_schemes() -> TestDirectory {
    let directory = TestDirectory::ready();
    for (name, algorithm) in [("f", "falcon-512"), ("p", "fn-dsa-2024-512")] {
        directory.run(&format!("keygen -a {algorithm} {name}")).code(0);
        directory.run(&format!("sign -k {name}.key -o a.{name}.sig a")).code(0);
    }
    directory
}

/// Checks that the verdict is YES with this algorithm.
fn assert_verifies(directory: &TestDirectory, line: &str, algorithm: &str) {
    directory.run(&format!("verify {line}")).code(0).out_has(&format!(": OK ({algorithm} sha256:"));
}

#[test]
fn every_algorithm_generates_signs_and_verifies() {
    let directory = TestDirectory::ready();
    for (name, title) in [
        ("falcon-512", "Falcon-512"),
        ("falcon-1024", "Falcon-1024"),
        ("fn-dsa-2024-512", "FN-DSA-2024-512"),
        ("fn-dsa-2024-1024", "FN-DSA-2024-1024"),
    ] {
        for format in ["pem", "raw"] {
            directory.run(&format!("keygen -f -a {name} --format {format} n")).code(0).err_has(title);
            directory.run(&format!("sign -f -k n.key -a {name} --format {format} -o s a")).code(0);
            assert_verifies(&directory, &format!("-p n.pub -a {name} -s s a"), title);
            directory.run(&format!("verify -p n.pub -a {name} -s s b")).code(1).out_has("does not match");
            let inspected = directory.run(&format!("inspect -a {name} n.key n.pub s")).code(0);
            assert_eq!(inspected.out.matches(title).count(), 3, "{}", inspected.out);
            assert!(inspected.out.ends_with("n.key and n.pub: a key pair\n"), "{}", inspected.out);
        }
        directory
            .sh("cat a | $FNDSA sign -a $NAME -k n.key --format raw - | $FNDSA verify -a $NAME -p n.pub -s - a"
                .replace("$NAME", name)
                .as_str())
            .code(0);
    }
}

#[test]
fn toys_of_every_scheme_sign_from_files_and_streams() {
    let directory = TestDirectory::ready();
    for scheme in ["fn-dsa", "fn-dsa-2024", "falcon"] {
        for degree in [4, 8, 16, 32, 64, 128, 256] {
            let name = format!("{scheme}-{degree}");
            directory.run(&format!("keygen -a {name} t")).code(2).err_has("--allow-weak");
            directory.run(&format!("--allow-weak keygen -f -a {name} t")).code(0);
            directory.run("--allow-weak sign -f -k t.key -o s a").code(0);
            directory.run("--allow-weak verify -p t.pub -s s a").code(0);
            directory.call("--allow-weak sign -f -k t.key -o s -").input("hello\n").run().code(0);
            directory.run("--allow-weak verify -p t.pub -s s a").code(0);
        }
    }
}

#[test]
fn all_encodings_of_falcon_signatures_are_verified() {
    let directory = directory_with_three_schemes();
    for (encoding, len) in [("padded", 666), ("ct", 809)] {
        directory.run(&format!("sign -f -k f.key --encoding {encoding} --format raw -o s a")).code(0);
        assert_eq!(directory.get("s").len(), len);
        assert_verifies(&directory, "-p f.pub -s s a", "Falcon-512");
    }
    directory.run("sign -f -k f.key --encoding compressed --format raw -o s a").code(0);
    let compressed = directory.get("s");
    assert!((600..666).contains(&compressed.len()), "{}", compressed.len());
    assert_verifies(&directory, "-p f.pub -s s a", "Falcon-512");
    directory.run("inspect s").code(0).out_has("Falcon-512 signature, raw, compressed");
    assert_eq!(directory.run("--json inspect s").json()["results"][0]["signature_encoding"], "compressed");
    for (encoding, code) in [("compressed", 0), ("padded", 1), ("ct", 1)] {
        directory.run(&format!("verify -p f.pub -s s --encoding {encoding} a")).code(code);
    }
    // A compressed signature with zeros up to the padded length is a padded signature. With any
    // other number of zeros, it is invalid.
    for (len, good) in [(compressed.len() + 1, false), (665, false), (666, true), (667, false)] {
        let mut longer = compressed.clone();
        longer.resize(len, 0);
        directory.put("s", &longer);
        let output = directory.run("verify -p f.pub -s s a");
        assert_eq!(output.code == 0, good, "{len} bytes: {output:?}");
    }
}

#[test]
fn files_of_another_scheme_are_reported_by_name() {
    let directory = directory_with_three_schemes();
    for (line, words) in [
        ("-p k.pub -s a.f.sig a", "the signature is Falcon-512, but the key is FN-DSA-512"),
        ("-p k.pub -s a.p.sig a", "the signature is FN-DSA-2024-512, but the key is FN-DSA-512"),
        ("-p f.pub a", "the signature is FN-DSA-512, but the key is Falcon-512"),
        ("-p f.pub -s a.p.sig a", "the signature is FN-DSA-2024-512, but the key is Falcon-512"),
        ("-p p.pub -s a.f.sig a", "the signature is Falcon-512, but the key is FN-DSA-2024-512"),
        ("-p p.pub -p k2.pub -s a.f.sig a", "the key is FN-DSA-1024 or FN-DSA-2024-512"),
        ("-p f.pub -a falcon-rs-512 a", "the signature is FN-DSA-512, but the key is falcon-rs-512"),
    ] {
        directory.run(&format!("verify {line}")).code(1).out_has(words);
    }
    // For raw files and for files with a wrong label, the bit order determines the scheme.
    directory.sh("for n in f p; do $FNDSA sign -k $n.key --format raw -o $n.raw a; done").code(0);
    directory.sh(
        "$FNDSA sign -k k.key --format raw -o k.raw a; sed s/FALCON/FNDSA/ a.f.sig >x; sed s/FNDSA/FALCON/ a.sig >y",
    );
    for (line, words) in [
        ("-p k.pub -s f.raw a", "the signature is Falcon-512 or FN-DSA-2024-512, but the key is FN-DSA-512"),
        ("-p f.pub -s k.raw a", "the signature is FN-DSA-512, but the key is Falcon-512"),
        ("-p k.pub -s x a", "the signature is Falcon-512 or FN-DSA-2024-512, but the key is FN-DSA-512"),
        ("-p f.pub -s y a", "the signature is FN-DSA-512, but the key is Falcon-512"),
        ("-p p.pub -s f.raw a", "signature does not match"),
    ] {
        directory.run(&format!("verify {line}")).code(1).out_has(words);
    }
    let raw = directory.run("--json inspect f.raw k.raw").code(0).json();
    assert_eq!(raw["results"][0]["schemes"], serde_json::json!(["falcon", "fn-dsa-2024"]));
    assert_eq!(raw["results"][1]["schemes"], serde_json::json!(["fn-dsa"]));
}

/// The library can read the keys and signatures in the JSON output from `inspect`.
#[test]
fn json_of_inspect_matches_the_library() {
    let directory = directory_with_three_schemes();
    for (key, public, signature) in [("k.key", "k.pub", "a.sig"), ("f.key", "f.pub", "a.f.sig")] {
        let json = directory.run(&format!("--json inspect {key} {public} {signature}")).code(0).json();
        let results = &json["results"];
        let keys = [0, 1].map(|i| serde_json::from_value(results[i]["public_key"].clone()).unwrap());
        let [own, other]: [VerifyingKey; 2] = keys;
        assert_eq!(own, other);
        assert_eq!(own.algorithm().to_string(), results[0]["algorithm"]);
        let signature: Signature = serde_json::from_value(results[2]["signature"].clone()).unwrap();
        assert_eq!(signature.algorithm(), own.algorithm());
        assert_eq!(signature.encoding().name(), results[2]["signature_encoding"]);
        directory.run(&format!("pubkey -f -k {key} --format raw -o raw")).code(0);
        assert_eq!(own.as_bytes(), directory.get("raw"));
    }
}

#[test]
fn raw_keys_are_read_as_falcon_without_an_algorithm() {
    let directory = directory_with_three_schemes();
    directory.run("keygen -a fn-dsa-2024-512 --format raw r").code(0);
    directory.run("inspect r.key r.pub").code(0).out_has("Falcon-512 or FN-DSA-2024-512 private key");
    directory.run("sign -k r.key -o s a").code(0);
    assert_verifies(&directory, "-p r.pub -s s a", "Falcon-512");
    directory.run("verify -a fn-dsa-2024-512 -p r.pub -s s a").code(1).out_has("the signature is Falcon-512");
    directory.run("sign -f -a fn-dsa-2024-512 -k r.key -c v1 -o s a").code(0);
    assert_verifies(&directory, "-a fn-dsa-2024-512 -p r.pub -c v1 -s s a", "FN-DSA-2024-512");
    directory
        .run("sign -f -a fn-dsa-512 -k r.key -o s a")
        .code(3)
        .err_has("Falcon-512 or FN-DSA-2024-512, not FN-DSA-512");
    directory.run("sign -f -a falcon-1024 -k r.key -o s a").code(3).err_has("not Falcon-1024");
    directory.run("sign -f -a fn-dsa-512 -k f.key -o s a").code(3).err_has("this is Falcon-512, not FN-DSA-512");
}

#[test]
fn contexts_and_pre_hashes_follow_the_scheme() {
    let directory = directory_with_three_schemes();
    directory.run("sign -k p.key -c v1 --prehash sha3-256 -o s a").code(0);
    assert_verifies(&directory, "-p p.pub -c v1 --prehash sha3-256 -s s a", "FN-DSA-2024-512");
    directory.run("verify -p p.pub -s s --explain a").code(1).err_has("with --prehash sha3-256, with --context v1");
    directory.run("verify -p p.pub -c v1 -s s --explain a").code(1).err_has("with --prehash sha3-256");
    // A Falcon signature for a digest is also a signature for a message with these bytes.
    directory.run("sign -k f.key --prehash sha256 -o t a").code(0);
    assert_verifies(&directory, "-p f.pub --prehash sha256 -s t a", "Falcon-512");
    directory.sh("sha256sum a | cut -c1-64 | xxd -r -p | $FNDSA verify -p f.pub -s t -").code(0);
    directory.run("verify -p f.pub -c v1 -s t a").code(2).err_has("signatures of Falcon have no context");
    // The Falcon key does not support contexts. fndsa ignores this key, because the second key
    // supports the context.
    assert_verifies(&directory, "-p f.pub -p p.pub -c v1 --prehash sha3-256 -s s a", "FN-DSA-2024-512");
}

#[test]
fn explain_tries_schemes_that_share_an_encoding() {
    let directory = directory_with_three_schemes();
    directory.sh("$FNDSA sign -k p.key --format raw -o s a; $FNDSA pubkey -k p.key --format raw -o r.pub").code(0);
    let output = directory.run("--json verify -p r.pub -s s --explain a").code(1).json();
    assert_eq!(output["results"][0]["cause"]["algorithm"], "FN-DSA-2024-512");
    let text = directory.run("verify -p r.pub -s s --explain a").code(1);
    text.err_has("as FN-DSA-2024-512, but the key was read as Falcon-512 (-a fn-dsa-2024-512)");
}

/// Encodes a signature and a message in the NIST API's form.
fn encode_nist(signature: &[u8], message: &[u8]) -> Vec<u8> {
    let (head, coefficients) = signature.split_at(41);
    let len = coefficients.len() as u16 + 1;
    [&len.to_be_bytes()[..], &head[1..], message, &[head[0] & 0x0f | 0x20], coefficients].concat()
}

#[test]
fn any_of_several_keys_of_several_schemes_may_match() {
    let directory = directory_with_three_schemes();
    directory.run("keygen -a falcon-512 g").code(0);
    let keys = "-p k.pub -p g.pub -p f.pub -p p.pub -p k2.pub";
    assert_verifies(&directory, &format!("{keys} a"), "FN-DSA-512");
    assert_verifies(&directory, &format!("{keys} -s a.f.sig a"), "Falcon-512");
    assert_verifies(&directory, &format!("{keys} -s a.p.sig a"), "FN-DSA-2024-512");
    directory.sh("cat *.pub >all.pem").code(0);
    assert_verifies(&directory, "--trusted-keys all.pem -s a.f.sig a", "Falcon-512");
    directory.run("verify --trusted-keys all.pem -s a.f.sig b").code(1).out_has("any of the keys");
    directory.run("verify -p g.pub -s a.f.sig a").code(1).out_has("does not match the file and the key");
}

#[test]
fn signed_messages_are_verified() {
    let directory = TestDirectory::ready();
    for (algorithm, title) in [("falcon-512", "Falcon-512"), ("falcon-1024", "Falcon-1024")] {
        directory.run(&format!("keygen -f -a {algorithm} f")).code(0);
        directory.sh("$FNDSA sign -f -k f.key --encoding compressed --format raw -o c a; $FNDSA sign -f -k f.key --format raw -o p a");
        directory.put("n.sm", encode_nist(&directory.get("c"), b"hello\n"));
        directory.put("p.sm", [directory.get("p"), b"hello\n".to_vec()].concat());
        directory.run("verify -p f.pub --attached n.sm p.sm").code(0).out_has(&format!("n.sm: OK ({title} sha256:"));
        for name in ["n.sm", "p.sm"] {
            directory.run(&format!("inspect {name}")).code(3).err_has(&format!("a signed message of {title}"));
            directory.run(&format!("verify -p f.pub --attached {name} -f -o m")).code(0);
            assert_eq!(directory.get("m"), b"hello\n");
            directory.run(&format!("verify -p f.pub --attached {name} -o m")).code(4).err_has("exists");
            let piped = directory.sh(&format!("cat {name} | $FNDSA verify -qq -p f.pub --attached - -o -"));
            assert_eq!(piped.stdout, b"hello\n");
            directory
                .run(&format!("verify -p k.pub --attached {name} -o none"))
                .code(1)
                .out_has("the key is FN-DSA-512");
            // If the message was changed, fndsa writes no output.
            let whole = directory.get(name);
            let offset = whole.windows(5).position(|window| window == b"hello").unwrap();
            let mut changed = whole.clone();
            changed[offset] ^= 1;
            directory.put("x", changed);
            directory.run("verify -p f.pub --attached x -o none").code(1).out_has("does not match");
            assert!(!directory.has("none"));
            for len in (0..whole.len()).step_by(37) {
                directory.put("x", &whole[..len]);
                let output = directory.run("verify -p f.pub --attached x -o none");
                assert!([1, 3].contains(&output.code) && !directory.has("none"), "{len} of {name}: {output:?}");
            }
        }
        let json = directory.run("--json verify -p f.pub --attached n.sm").code(0).json();
        assert_eq!((&json["results"][0]["bytes"], &json["results"][0]["path"]), (&6.into(), &"n.sm".into()));
    }
    directory.run("verify -p f.pub --attached -j 2 n.sm").code(2);
    directory.run("verify -p f.pub --attached -f -o f.pub n.sm").code(2).err_has("the output is also an input");
    // Zeros after the coefficients make a padded signature, which this form does not allow.
    let mut longer = directory.get("c");
    longer.resize(directory.get("p").len().max(longer.len() + 1), 0);
    directory.put("x", encode_nist(&longer, b"hello\n"));
    directory.run("verify -p f.pub --attached x").code(3).out_has("not a signed message");
    directory.run("verify -p f.pub --attached -s a.sig a").code(2);
    directory.run("verify -p f.pub -o m a").code(2).err_has("--attached");
    directory.run("verify -p f.pub --attached -o m n.sm p.sm").code(2).err_has("takes only one FILE");
}
