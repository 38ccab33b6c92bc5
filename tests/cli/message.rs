//! Tests for the options that change the signed data: context, pre-hash and external mu.

use crate::harness::{ProgramCall, ProgramOutput, TestDirectory, have, skip};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

#[test]
fn a_signature_is_valid_only_with_its_context() {
    let directory = TestDirectory::ready();
    directory.run("sign -k k.key -c v1 b").code(0);
    directory.run("verify -p k.pub -c v1 b").code(0);
    directory.run("verify -p k.pub --context-hex 7631 b").code(0);
    directory.run("verify -p k.pub -c v2 b").code(1).out_has("FAILED").err_has("context");
    directory.run("verify -p k.pub b").code(1).err_has("--context");
    // An empty context is the same as no context.
    directory.run("verify -p k.pub -c= a").code(0);
    let json = directory.run("--json verify -p k.pub -c v1 b").code(0).json();
    assert_eq!(json["results"][0]["context"], serde_json::json!({"text": "v1", "hex": "7631"}));
}

#[test]
fn contexts_of_0_and_255_bytes_are_accepted_and_256_are_rejected() {
    let directory = TestDirectory::ready();
    for len in [0, 1, 255, 256] {
        let (text, hex) = ("x".repeat(len), "78".repeat(len));
        directory.put("context", &text);
        let forms = [format!("-c={text}"), format!("--context-hex={hex}"), "--context-file=context".to_owned()];
        for by in &forms {
            let signed = directory.run(&format!("sign -f -k k.key {by} b"));
            if len == 256 {
                signed.code(2).err_has("255");
                directory.run(&format!("verify -p k.pub {by} b")).code(2).err_has("255").out_empty();
                continue;
            }
            signed.code(0);
            for with in &forms {
                directory.run(&format!("verify -p k.pub {with} b")).code(0);
            }
        }
    }
}

#[test]
fn an_unreadable_context_is_an_error() {
    let directory = TestDirectory::ready();
    directory.run("verify -p k.pub --context-file nosuch a").code(4);
    directory.run("verify -p k.pub --context-hex 0 a").code(2).err_has("odd");
    directory.run("verify -p k.pub --context-hex 0g a").code(2);
    directory.run("verify -p k.pub -c a --context-hex 00 a").code(2);
    directory.call("verify -p k.pub --context-file - a").input("").run().code(0);
    directory.call("verify -p k.pub --context-file - -s - a").input("").run().code(2);
}

/// The pre-hashes: the name in fndsa, and the options of `openssl dgst` for this hash.
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
fn a_signature_is_valid_only_with_its_pre_hash() {
    let directory = TestDirectory::ready();
    for (i, (name, _)) in HASHES.iter().enumerate() {
        directory.run(&format!("sign -f -k k.key --prehash {name} b")).code(0);
        directory.run(&format!("verify -p k.pub --prehash {name} b")).code(0);
        directory.run("verify -p k.pub b").code(1).err_has("--prehash");
        directory.run(&format!("verify -p k.pub --prehash {} b", HASHES[(i + 1) % 9].0)).code(1).err_has("pre-hash");
        let json = directory.run(&format!("--json verify -p k.pub --prehash {name} b")).code(0).json();
        assert_eq!(json["results"][0]["prehash"], *name);
    }
    directory.run("verify -p k.pub --prehash none a").code(0);
    directory.run("verify -p k.pub --prehash md5 a").code(2).err_has("sha256");
}

/// Computes the digest of `b` with openssl. Returns `None` if openssl does not support the hash.
fn openssl_digest(directory: &TestDirectory, options: &str) -> Option<Vec<u8>> {
    let output = ProgramCall::new("openssl", directory.root()).args("dgst -binary").args(options).arg("b").run();
    (output.code == 0).then_some(output.stdout)
}

#[test]
fn a_digest_of_another_program_is_accepted() {
    if !have("openssl") {
        return skip("digests of another program", "there is no openssl");
    }
    let directory = TestDirectory::ready();
    for (name, options) in HASHES {
        let Some(digest) = openssl_digest(&directory, options) else {
            skip(name, "this openssl does not have it");
            continue;
        };
        let hex: String = digest.iter().map(|b| format!("{b:02x}")).collect();
        directory.put("raw", &digest);
        directory.put("hex", format!("{hex}\n"));
        directory.run(&format!("sign -f -k k.key -c x --prehash {name} b")).code(0);
        for file in ["raw", "hex"] {
            directory.run(&format!("verify -p k.pub -c x --prehash {name} --prehashed -s b.sig {file}")).code(0);
            directory.run(&format!("sign -k k.key -f --prehash {name} --prehashed {file}")).code(0);
            directory.run(&format!("verify -p k.pub --prehash {name} -s {file}.sig b")).code(0);
        }
        directory.put("raw", &digest[1..]);
        directory.run(&format!("verify -p k.pub --prehash {name} --prehashed -s b.sig raw")).code(3);
    }
}

#[test]
fn sha256sum_and_a_pipe_sign_a_digest() {
    if !have("sha256sum") || !have("xxd") {
        return skip("sha256sum | xxd", "a program is missing");
    }
    let directory = TestDirectory::ready();
    let digest = "sha256sum <b | cut -c1-64 | xxd -r -p";
    let sign = "$FNDSA sign -k k.key --prehash sha256 --prehashed -o b.sig -";
    directory.sh(&format!("{digest} | {sign} && $FNDSA verify -p k.pub --prehash sha256 b")).code(0);
}

#[test]
fn digests_and_mus_of_a_wrong_length_are_bad_input() {
    let directory = TestDirectory::ready();
    let run = |line: &str, input: &[u8]| -> ProgramOutput { directory.call(line).input(input).run() };
    for len in [0, 1, 31, 33, 63, 65, 66, 1000] {
        run("sign -k k.key --prehash sha256 --prehashed -o s -", &vec![b'a'; len]).code(3).err_has("32 bytes");
    }
    run("sign -k k.key --prehash sha256 --prehashed -o s -", &[b'a'; 64]).code(0);
    run("sign -k k.key --prehash sha256 --prehashed -f -o s -", b"zz".repeat(32).as_slice()).code(3);
    for len in [0, 63, 65, 127, 129] {
        run("verify -p k.pub --mu -s a.sig -", &vec![0; len]).code(3);
    }
    directory.run("verify -p k.pub --prehashed a").code(2);
    directory.run("verify -p k.pub --prehash none --prehashed a").code(2).err_has("name");
}

#[test]
fn an_external_mu_replaces_key_context_and_message() {
    use sha3::digest::{ExtendableOutput, Update, XofReader};
    let directory = TestDirectory::ready();
    directory.put("mu", [7; 64]);
    directory.run("sign -k k.key --mu mu").code(0);
    directory.run("verify -p k.pub --mu mu").code(0).out_has("mu: OK");
    directory.put("mu", [8; 64]);
    directory.run("verify -p k.pub --mu mu").code(1);
    directory.run("verify -p k.pub mu").code(1);
    for with in ["-c x", "--context-hex 00", "--context-file a", "--prehash sha256", "--prehash none"] {
        directory.run(&format!("verify -p k.pub --mu {with} mu")).code(2).out_empty();
    }

    // mu = SHAKE256(SHAKE256(public key, 64) || 0 || context length || context || message, 64).
    let shake = |parts: &[&[u8]]| {
        let mut hash = sha3::Shake256::default();
        parts.iter().for_each(|part| hash.update(part));
        let mut out = [0; 64];
        hash.finalize_xof().read(&mut out);
        out
    };
    let raw = directory.run("pubkey -k k.key --format raw").code(0).stdout;
    let mu = shake(&[&shake(&[&raw]), &[0, 2], b"v1", b"b\n"]);
    directory.put("mu", mu);
    directory.run("sign -f -k k.key --mu -o b.sig mu").code(0);
    directory.run("verify -p k.pub -c v1 b").code(0);
}

/// `sign` rejects files that start like the signed bytes of an envelope. Otherwise, the author of
/// the file would get a signature for an envelope of their choice.
#[test]
fn bytes_hashed_by_other_formats_are_not_messages() {
    let directory = TestDirectory::ready();
    directory.run("keygen -a ml-dsa-44 m").code(0);
    directory.run("keygen -a ed25519 e").code(0);
    for (begin, is_rejected) in [
        ("DSSEv1 1 a 1 b", true),
        ("DSSEv1 ", true),
        ("tuf\u{1}", true),
        ("tuf\u{1}x", true),
        ("tuf", false),
        ("tuf1", false),
        ("SSHSIG", true),
        ("SSHSIG\0\0\0\u{3}git", true),
        ("CompositeAlgorithmSignatures2025COMPSIG-MLDSA44-Ed25519-SHA512", true),
        ("CompositeAlgorithmSignatures202", false),
        ("DSSEv1", false),
        ("DSSEv2 1 a 1 b", false),
        ("dssev1 1 a 1 b", false),
        (" DSSEv1 1 a 1 b", false),
        ("SSHSI", false),
        ("", false),
    ] {
        directory.put("x", begin);
        directory.put("n", "x\n");
        let code = if is_rejected { 3 } else { 0 };
        let words = ", so an attacker could use its signature in";
        for key in ["k", "m", "e"] {
            for line in
                ["x", "-j 2 x b", "--files-from n", "--prehash sha512 x", "--format raw x", "-k k2.key x", "--add x"]
            {
                directory.put("x.sig", directory.get("a.sig"));
                let output = directory.run(&format!("sign -f -k {key}.key {line}")).code(code);
                assert_eq!(output.err.contains(words), is_rejected, "{key} {line} {begin:?}: {}", output.err);
                assert_eq!(directory.get("x.sig") == directory.get("a.sig"), is_rejected, "{key} {line} {begin:?}");
            }
            directory.call(&format!("sign -k {key}.key -")).input(begin).run().code(code);
            // The input arrives in pieces that are shorter than the prefix.
            let bytes: String = begin.bytes().map(|byte| format!("printf '\\{byte:03o}'; ")).collect();
            directory.sh(&format!("{{ :; {bytes} }} | $FNDSA sign -k {key}.key -")).code(code);
            let message = STANDARD.encode(begin);
            for request in ["{\"path\":\"x\"}".to_owned(), format!("{{\"message_b64\":\"{message}\"}}")] {
                let requests = format!("{request}\n{{\"path\":\"b\"}}\n{request}\n");
                let output = directory.call(&format!("sign -k {key}.key --stream")).input(requests).run().code(code);
                let answers: Vec<_> = output.out.lines().map(|answer| answer.contains("\"preimage\"")).collect();
                assert_eq!(answers, [is_rejected, false, is_rejected], "{key} {request} {begin:?}");
            }
        }
        directory.run("sign --print-mu -k m.key x").code(code);
        // The payload of an envelope can contain any bytes, because the encoding adds a prefix.
        directory.run("sign --force -k k.key --dsse text/plain x").code(0);
        directory.run("verify -p k.pub --dsse text/plain x.dsse").code(0);
    }
}

#[test]
fn the_signing_key_is_rejected_as_a_message() {
    let directory = TestDirectory::ready();
    directory.run("keygen --encrypt --password-file a e").code(0);
    directory.sh("ln k.key hard; ln -s k.key link; mkdir d; ln k.key d/k; ln e.key d/e; echo k.key >n").code(0);
    for line in [
        "sign -k k.key a k.key",
        "sign -k k.key hard",
        "sign -k k.key -o s link",
        "sign -k link k.key",
        "sign -k k2.key -k k.key a k.key b",
        "sign -k k.key --files-from n",
        "sign -k k.key -M S a k.key",
        "sign -k k.key -M S -r d",
        "sign -k k.key --inline -M S k.key",
        "sign -k k.key --dsse t k.key",
        "sign -k e.key --password-file a b e.key",
        "sign -k e.key --password-file a b a",
    ] {
        let names = directory.names();
        directory
            .run(line)
            .code(2)
            .out_empty()
            .err_has("this file is the private key or its password, and it is among the files to sign");
        assert_eq!(directory.names(), names, "{line}");
    }
    directory.call("sign a k.key").env("FNDSA_KEY", "k.key").run().code(2);
    directory.sh("$FNDSA sign -k k.key - <k.key").code(2);
    // A copy of the signing key can be a backup. So fndsa signs the copy alone, with a warning, and
    // rejects it among other files.
    directory.sh("cp k.key copy.key; cp k.pub p.key; $FNDSA sign -k k.key a b copy.key p.key -f").code(2);
    directory.sh("$FNDSA --json sign -k k.key a b p.key -f").code(0).err_empty();
    let output = directory.sh("$FNDSA --json sign -k k.key copy.key -f").code(0);
    let warnings = &output.json()["warnings"];
    assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{warnings}");
    assert!(warnings[0].as_str().unwrap().starts_with("copy.key: the signed file is a private key"), "{warnings}");
}

/// If the file to sign and the directory of its signature are both missing, the error names the
/// file.
#[test]
fn a_missing_file_is_reported_as_the_cause() {
    let directory = TestDirectory::ready();
    directory.put("gone.sig", "");
    for line in ["nodir/f", "-j 2 nodir/f", "gone", "--add gone", "--dsse t nodir/f", "-o nodir/s nodir/f"] {
        let file = line.split(' ').next_back().unwrap();
        let output = directory.run(&format!("sign -k k.key {line}")).code(4);
        output.err_has(&format!("{file}: no such file or directory"));
    }
    directory.run("sign -k k.key -o nodir/s a").code(4).err_has("nodir: no such directory");
}
