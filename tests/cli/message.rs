//! What goes into a signature beside the file: context, pre-hash, external mu.

use crate::harness::{Call, Done, Place, have, skip};

#[test]
fn a_context_binds_the_signature() {
    let place = Place::ready();
    place.run("sign -k k.key -c v1 b").code(0);
    place.run("verify -p k.pub -c v1 b").code(0);
    place.run("verify -p k.pub --context-hex 7631 b").code(0);
    place.run("verify -p k.pub -c v2 b").code(1).says("FAILED").complains("context");
    place.run("verify -p k.pub b").code(1).complains("--context");
    // An empty context is no context.
    place.run("verify -p k.pub -c= a").code(0);
    let json = place.run("--json verify -p k.pub -c v1 b").code(0).json();
    assert_eq!(json["results"][0]["context"], serde_json::json!({"text": "v1", "hex": "7631"}));
}

#[test]
fn contexts_of_0_and_255_bytes_work_and_256_do_not() {
    let place = Place::ready();
    for len in [0, 1, 255, 256] {
        let (text, hex) = ("x".repeat(len), "78".repeat(len));
        place.put("context", &text);
        let forms = [format!("-c={text}"), format!("--context-hex={hex}"), "--context-file=context".to_owned()];
        for by in &forms {
            let signed = place.run(&format!("sign -f -k k.key {by} b"));
            if len == 256 {
                signed.code(2).complains("255");
                place.run(&format!("verify -p k.pub {by} b")).code(2).complains("255").mutely();
                continue;
            }
            signed.code(0);
            for with in &forms {
                place.run(&format!("verify -p k.pub {with} b")).code(0);
            }
        }
    }
}

#[test]
fn a_context_that_cannot_be_had_is_an_error() {
    let place = Place::ready();
    place.run("verify -p k.pub --context-file nosuch a").code(4);
    place.run("verify -p k.pub --context-hex 0 a").code(2).complains("odd");
    place.run("verify -p k.pub --context-hex 0g a").code(2);
    place.run("verify -p k.pub -c a --context-hex 00 a").code(2);
    place.call("verify -p k.pub --context-file - a").input("").run().code(0);
    place.call("verify -p k.pub --context-file - -s - a").input("").run().code(2);
}

const HASHES: [(&str, &str); 9] = [
    ("sha256", "-sha256"),
    ("sha384", "-sha384"),
    ("sha512", "-sha512"),
    ("sha512-256", "-sha512-256"),
    ("sha3-256", "-sha3-256"),
    ("sha3-384", "-sha3-384"),
    ("sha3-512", "-sha3-512"),
    ("shake128", "-shake128 -xoflen 32"),
    ("shake256", "-shake256 -xoflen 64"),
];

#[test]
fn a_pre_hash_binds_the_signature() {
    let place = Place::ready();
    for (i, (name, _)) in HASHES.iter().enumerate() {
        place.run(&format!("sign -f -k k.key --prehash {name} b")).code(0);
        place.run(&format!("verify -p k.pub --prehash {name} b")).code(0);
        place.run("verify -p k.pub b").code(1).complains("--prehash");
        place.run(&format!("verify -p k.pub --prehash {} b", HASHES[(i + 1) % 9].0)).code(1).complains("pre-hash");
        let json = place.run(&format!("--json verify -p k.pub --prehash {name} b")).code(0).json();
        assert_eq!(json["results"][0]["prehash"], *name);
    }
    place.run("verify -p k.pub --prehash none a").code(0);
    place.run("verify -p k.pub --prehash md5 a").code(2).complains("sha256");
}

/// The digest by another program.
fn digest(place: &Place, options: &str) -> Option<Vec<u8>> {
    let done = Call::new("openssl", place.root()).args("dgst -binary").args(options).arg("b").run();
    (done.code == 0).then_some(done.stdout)
}

#[test]
fn the_digest_may_come_from_another_program() {
    if !have("openssl") {
        return skip("digests of another program", "there is no openssl");
    }
    let place = Place::ready();
    for (name, options) in HASHES {
        let Some(digest) = digest(&place, options) else {
            skip(name, "this openssl does not have it");
            continue;
        };
        let hex: String = digest.iter().map(|b| format!("{b:02x}")).collect();
        place.put("raw", &digest);
        place.put("hex", format!("{hex}\n"));
        place.run(&format!("sign -f -k k.key -c x --prehash {name} b")).code(0);
        for file in ["raw", "hex"] {
            place.run(&format!("verify -p k.pub -c x --prehash {name} --prehashed -s b.sig {file}")).code(0);
            place.run(&format!("sign -k k.key -f --prehash {name} --prehashed {file}")).code(0);
            place.run(&format!("verify -p k.pub --prehash {name} -s {file}.sig b")).code(0);
        }
        place.put("raw", &digest[1..]);
        place.run(&format!("verify -p k.pub --prehash {name} --prehashed -s b.sig raw")).code(3);
    }
}

#[test]
fn sha256sum_and_a_pipe_sign_a_digest() {
    if !have("sha256sum") || !have("xxd") {
        return skip("sha256sum | xxd", "one of them is not there");
    }
    let place = Place::ready();
    let digest = "sha256sum <b | cut -c1-64 | xxd -r -p";
    let sign = "$FNDSA sign -k k.key --prehash sha256 --prehashed -o b.sig -";
    place.sh(&format!("{digest} | {sign} && $FNDSA verify -p k.pub --prehash sha256 b")).code(0);
}

#[test]
fn digests_and_mus_of_a_wrong_length_are_bad_input() {
    let place = Place::ready();
    let run = |line: &str, input: &[u8]| -> Done { place.call(line).input(input).run() };
    for len in [0, 1, 31, 33, 63, 65, 66, 1000] {
        run("sign -k k.key --prehash sha256 --prehashed -o s -", &vec![b'a'; len]).code(3).complains("32 bytes");
    }
    run("sign -k k.key --prehash sha256 --prehashed -o s -", &[b'a'; 64]).code(0);
    run("sign -k k.key --prehash sha256 --prehashed -f -o s -", b"zz".repeat(32).as_slice()).code(3);
    for len in [0, 63, 65, 127, 129] {
        run("verify -p k.pub --mu -s a.sig -", &vec![0; len]).code(3);
    }
    place.run("verify -p k.pub --prehashed a").code(2);
    place.run("verify -p k.pub --prehash none --prehashed a").code(2).complains("name");
}

#[test]
fn an_external_mu_stands_for_key_context_and_message() {
    use sha3::digest::{ExtendableOutput, Update, XofReader};
    let place = Place::ready();
    place.put("mu", [7; 64]);
    place.run("sign -k k.key --mu mu").code(0);
    place.run("verify -p k.pub --mu mu").code(0).says("mu: OK");
    place.put("mu", [8; 64]);
    place.run("verify -p k.pub --mu mu").code(1);
    place.run("verify -p k.pub mu").code(1);
    for with in ["-c x", "--context-hex 00", "--context-file a", "--prehash sha256", "--prehash none"] {
        place.run(&format!("verify -p k.pub --mu {with} mu")).code(2).mutely();
    }

    // mu = SHAKE256(SHAKE256(public key, 64) || 0 || length of the context || context || message, 64).
    let shake = |parts: &[&[u8]]| {
        let mut hash = sha3::Shake256::default();
        parts.iter().for_each(|part| hash.update(part));
        let mut out = [0; 64];
        hash.finalize_xof().read(&mut out);
        out
    };
    let raw = place.run("pubkey -k k.key --format raw").code(0).stdout;
    let mu = shake(&[&shake(&[&raw]), &[0, 2], b"v1", b"b\n"]);
    place.put("mu", mu);
    place.run("sign -f -k k.key --mu -o b.sig mu").code(0);
    place.run("verify -p k.pub -c v1 b").code(0);
}
