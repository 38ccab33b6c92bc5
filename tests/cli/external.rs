//! Tests for signatures that another program makes: `sign --signature` verifies and writes them,
//! and `sign --print-mu` prints the value that the other program signs. In most tests, fndsa itself
//! has the role of the other program, and gets the private key.

use crate::harness::{TestDirectory, have, skip, vectors};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::Value;

/// Returns the rows about signatures from other programs for the message catalogue in
/// `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    vec![
        row(
            "other_signature",
            "sign -f -p k.pub --signature x.sig a",
            3,
            "has not made this signature for a",
            "give the file and the public key of the signature, and the same --context and --prehash as the other program",
        )
        .how(RunMethod::After("echo other >b && $FNDSA sign -k k.key --format raw -o x.sig b")),
        row(
            "no_signature_from_elsewhere",
            "sign -f -p f.pub --signature x.sig a",
            2,
            "--signature does not support Falcon signatures",
            "convert the signature to PEM with `fndsa convert SIGNATURE --to pem`, and verify it with `fndsa verify`",
        )
        .how(RunMethod::After(
            "$FNDSA keygen -q -a falcon-512 f && $FNDSA sign -k f.key --format raw -o x.sig a",
        )),
        row(
            "other_signature",
            "sign -f -p e.pub --signature x.sig --ssh file a",
            3,
            "has not made this signature for a",
            "for an SSH signature, the other program must sign the bytes that the format defines, not the file",
        )
        .how(RunMethod::After(
            "$FNDSA keygen -q -a ed25519 e && $FNDSA sign -k e.key --format raw -o x.sig a",
        )),
        row(
            "no_key",
            "sign --print-mu a",
            2,
            "no public key and no private key is given",
            "name the public key file with -p FILE, or the private key file with -k FILE",
        ),
        row(
            "not_found",
            "sign -p k.pub --print-mu base64",
            4,
            "base64: no such file or directory",
            "write the form after an equals sign: `--print-mu=base64`",
        ),
        row(
            "digest_length",
            "sign -f -k k.key --mu x",
            3,
            "x: 64 bytes or 128 hexadecimal digits are needed, but the input has 89 bytes",
            "the input is base64: decode it, for example with `base64 -d FILE >NEW`",
        )
        .file_x(format!("{}\n", STANDARD.encode([0x5a; 64]))),
        row(
            "other_algorithm",
            "sign -f -p m.pub --signature x a",
            3,
            "x: this is Ed25519, not ML-DSA-44",
            "the file contains 64 bytes, which is the length of a mu and not of a signature by this key: sign the mu",
        )
        .file_x([0xfe; 64])
        .how(RunMethod::After("$FNDSA keygen -q -a ml-dsa-44 m")),
        row(
            "not_recognised",
            "sign -f -p m.pub --signature x a",
            3,
            "x: this is not a signature, but 89 bytes of text",
            "the file contains 64 bytes in base64, which is the length of a mu",
        )
        .file_x(format!("{}\n", STANDARD.encode([0x5a; 64])))
        .how(RunMethod::After("$FNDSA keygen -q -a ml-dsa-44 m")),
        row(
            "wrong_length",
            "sign -f -p m.pub --signature x a",
            3,
            "x: the file has 128 hexadecimal digits, but a private key has 64, and a composite private key has 128",
            "the file contains 64 bytes in hexadecimal digits, which is the length of a mu",
        )
        .file_x("5a".repeat(64))
        .how(RunMethod::After("$FNDSA keygen -q -a ml-dsa-44 m")),
        row(
            "other_signature",
            "sign -f -p e.pub --signature x.sig --cms-direct --cert e.crt a",
            3,
            "has not made this signature for a",
            "for a CMS signature without attributes, the other program must sign the file without a context and a pre-hash",
        )
        .how(RunMethod::After(
            "$FNDSA keygen -q -a ed25519 e && $FNDSA request -k e.key --subject CN=a --self-signed 9 -o e.crt && \
             $FNDSA sign -k e.key --format raw -o x.sig b",
        )),
        row(
            "mu_in_json",
            "sign -p k.pub --print-mu=raw a",
            2,
            "--print-mu=base64 and --print-mu=raw have no effect with --json",
            "leave the form out: the document contains the mu as hexadecimal digits in `mu_hex`",
        )
        .how(RunMethod::Json),
    ]
}

/// Returns a directory with a new key pair `k` for the algorithm, and a file `a`.
fn directory(algorithm: &str) -> TestDirectory {
    let directory = TestDirectory::empty();
    directory.run(&format!("keygen -q -a {algorithm} k")).code(0);
    directory.put("a", b"a release");
    directory
}

#[test]
fn a_signature_of_another_program_is_written_as_a_signature_of_fndsa() {
    for algorithm in ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "fn-dsa-512", "ed25519", "ml-dsa-44-ed25519"] {
        let directory = directory(algorithm);
        for options in ["", "--context v1", "--prehash sha512 --context v1"] {
            if algorithm.ends_with("-ed25519") && options.contains("prehash") {
                continue;
            }
            directory.run(&format!("sign -f -k k.key --format raw -o raw {options} a")).code(0);
            directory.run(&format!("sign -f -p k.pub --signature raw {options} a")).code(0);
            directory.run(&format!("verify -p k.pub {options} a")).code(0);
            // `a.sig` contains the given signature. Its signature note is equal to the note that
            // `sign -k` writes for this key.
            directory.run("convert -f a.sig --to raw -o again").code(0);
            assert_eq!(directory.get("again"), directory.get("raw"), "{algorithm} {options}");
            directory.run(&format!("sign -f -k k.key {options} a -o own")).code(0);
            let note = |name: &str| String::from_utf8(directory.get(name)).unwrap().lines().next().unwrap().to_owned();
            assert_eq!(note("a.sig"), note("own"), "{algorithm} {options}");
        }
    }
}

#[test]
fn openssl_signs_for_fndsa() {
    if !have("openssl") {
        return skip("signatures of OpenSSL", "there is no openssl");
    }
    let directory = directory("ed25519");
    directory.run("convert k.key --to pkcs8 -o p8").code(0);
    directory.sh("openssl pkeyutl -sign -rawin -inkey p8 -in a -out raw").code(0);
    directory.run("sign -p k.pub --signature raw a").code(0);
    directory.run("verify -p k.pub a").code(0);
    directory.sh("echo x >>a && openssl pkeyutl -sign -rawin -inkey p8 -in a -out raw && echo x >>a").code(0);
    directory.run("sign -f -p k.pub --signature raw a").code(3).err_has("has not made this signature for a");
}

#[test]
fn another_program_signs_the_mu() {
    let directory = directory("ml-dsa-65");
    for (form, decoded) in [("=raw", ""), ("=base64", " | base64 -d"), ("", "")] {
        directory.sh(&format!(
            "$FNDSA sign -p k.pub --print-mu{form} --context v1 a{decoded} | $FNDSA sign -f -k k.key --mu --format raw -o raw -"
        ))
        .code(0);
        directory.run("sign -f -p k.pub --signature raw --context v1 a").code(0);
        directory.run("verify -p k.pub --context v1 a").code(0);
    }
    let hex = directory.run("sign -p k.pub --print-mu a").code(0).out;
    let base64 = directory.run("sign -p k.pub --print-mu=base64 a").code(0).out;
    assert_eq!(directory.run("sign -p k.pub --print-mu=hex a").code(0).out, hex);
    let bytes: Vec<u8> = (0..64).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect();
    assert_eq!(STANDARD.decode(base64.trim_end()).unwrap(), bytes);
}

#[test]
fn a_signature_of_another_file_key_or_context_is_rejected() {
    for algorithm in ["ml-dsa-44", "fn-dsa-512", "ed25519", "ml-dsa-65-ed25519"] {
        let directory = directory(algorithm);
        directory.run(&format!("keygen -q -a {algorithm} o")).code(0);
        directory.put("b", b"another release");
        directory.run("sign -k k.key --format raw -o raw a").code(0);
        for rejected in ["-p k.pub b", "-p o.pub a", "-p k.pub --context v1 a"] {
            directory
                .run(&format!("sign --signature raw {rejected} -o new"))
                .code(3)
                .err_has("has not made this signature for");
            assert!(!directory.has("new"), "{algorithm} {rejected}");
        }
        let signature = directory.get("raw");
        for (changed, bit) in [(0, 1), (signature.len() / 2, 4), (signature.len() - 1, 0x40)] {
            let mut bytes = signature.clone();
            bytes[changed] ^= bit;
            directory.put("changed", &bytes);
            directory.run("sign -p k.pub --signature changed a -o new").code(3);
            assert!(!directory.has("new"), "{algorithm} {changed}");
        }
    }
}

#[test]
fn a_signature_of_another_program_is_written_in_other_formats() {
    // Ed25519 signatures are deterministic. So `new.jws`, which `sign --signature` makes from a raw
    // signature, must equal `a.jws`, which fndsa makes with the private key.
    let directory = directory("ed25519");
    let part = |name: &str, at: usize| {
        let text = String::from_utf8(directory.get(name)).unwrap();
        URL_SAFE_NO_PAD.decode(text.trim_end().split('.').nth(at).unwrap()).unwrap()
    };
    directory.run("sign -k k.key --jws a").code(0);
    directory.put("raw", part("a.jws", 2));
    directory.run("sign -p k.pub --signature raw --jws -o new.jws a").code(0);
    assert_eq!(directory.get("new.jws"), directory.get("a.jws"));

    directory.run("sign -k k.key --dsse text/plain a").code(0);
    let envelope: Value = serde_json::from_slice(&directory.get("a.dsse")).unwrap();
    directory.put("raw", STANDARD.decode(envelope["signatures"][0]["sig"].as_str().unwrap()).unwrap());
    directory.run("sign -p k.pub --signature raw --dsse text/plain -o new.dsse a").code(0);
    assert_eq!(directory.get("new.dsse"), directory.get("a.dsse"));
    directory
        .run("sign -p k.pub --signature raw --dsse text/html -o x a")
        .code(3)
        .err_has("has not made this signature for");

    directory.put("msg.txt", vectors("ssh/msg.txt"));
    directory.run("sign -k k.key --ssh file a").code(0);
    let file = String::from_utf8(directory.get("a.sig")).unwrap();
    let content: String = file.lines().filter(|line| !line.starts_with("-----")).collect();
    let content = STANDARD.decode(content).unwrap();
    directory.put("raw", &content[content.len() - 64..]);
    directory.run("sign -p k.pub --signature raw --ssh file -o new.sig a").code(0);
    assert_eq!(directory.get("new.sig"), directory.get("a.sig"));
    directory.run("sign -p k.pub --signature raw --ssh git -o x a").code(3).err_has("has not made this signature for");
}

/// The command of the other program in the test below: it signs the mu on standard input, without
/// the file.
const SIGN_MU: &str = "$FNDSA sign -f -k k.key --mu --format raw -o raw -";

#[test]
fn another_program_signs_the_mu_of_each_format() {
    let directory = directory("ml-dsa-44");
    directory.run("request -k k.key --subject CN=a --self-signed 9 -o c").code(0);
    directory.put("m.ko", b"\x7fELF a module");
    directory.put("b", b"another release");
    for (format, more, file, verify) in [
        ("--dsse text/plain", "", "a", "--dsse text/plain a.dsse"),
        ("--dsse application/vnd.in-toto+json", "", "a", "--dsse application/vnd.in-toto+json a.dsse"),
        ("--dsse application/vnd.in-toto+json --dsse-form pae", "", "a", "--dsse application/vnd.in-toto+json a.dsse"),
        ("--dsse text/plain --context v1", "", "a", "--dsse text/plain --context v1 a.dsse"),
        ("--jws", "", "a", "--jws a"),
        ("--cms", "--cert c", "a", "--cms a"),
        ("--cms", "--cert c --attached", "a", "--cms --attached a.p7m"),
        ("--cms-direct", "--cert c", "a", "--cms a"),
        ("--kernel-module", "--cert c", "m.ko", "--kernel-module m.ko.signed"),
        ("-M list --comment text --best-before 2099-01-01", "", "b a", "-M list"),
        ("-M list --context v1", "", "b a", "-M list --context v1"),
    ] {
        let print = format!("sign -p k.pub --print-mu {format} {file}");
        directory.sh(&format!("$FNDSA {print} | {SIGN_MU}")).code(0);
        directory.run(&format!("sign -f -p k.pub --signature raw {format} {more} {file}")).code(0);
        directory.run(&format!("verify -p k.pub {verify}")).code(0);
        // For a message, fndsa prints the same mu with the public key, the private key and the
        // certificate. For a second message, it prints a different mu.
        let hex = directory.run(&print).code(0).out;
        assert_eq!(directory.run(&print.replace("-p k.pub", "-k k.key")).code(0).out, hex, "{format}");
        assert_eq!(directory.run(&print.replace("-p k.pub", "-p c")).code(0).out, hex, "{format}");
        assert_ne!(directory.run("sign -p k.pub --print-mu b").code(0).out, hex, "{format}");
        let plain = directory.run(&format!("sign -p k.pub --print-mu {file}")).code(0).out;
        assert_eq!(plain == hex, format == "--cms-direct" || format == "--kernel-module", "{format}");
    }
    let json = directory.run("--json sign -p k.pub --print-mu --dsse application/vnd.in-toto+json a").code(0).json();
    let entry = &json["results"][0];
    assert_eq!((&entry["form"], &entry["payload_type"]), (&"tap21".into(), &"application/vnd.in-toto+json".into()));
    assert_eq!(entry["bytes"], 9);
    // For several files, fndsa prints a line for each file.
    let both_lines = directory.run("sign -p k.pub --print-mu --jws a b").code(0).out;
    let second_line = directory.run("sign -p k.pub --print-mu --jws b").code(0).out;
    assert!(
        both_lines.lines().count() == 2 && both_lines.ends_with(&format!("{}  b\n", second_line.trim_end())),
        "{both_lines}"
    );
}

#[test]
fn a_mu_is_printed_only_for_formats_and_keys_that_can_use_it() {
    let directory = directory("ml-dsa-44");
    directory.run("request -k k.key --subject CN=a --self-signed 9 -o c").code(0);
    for (algorithm, name) in [("fn-dsa-512", "f"), ("ed25519", "e"), ("ml-dsa-44-ed25519", "b")] {
        directory.run(&format!("keygen -q -a {algorithm} {name}")).code(0);
    }
    for (line, words) in [
        ("-p k.pub --ssh file", "SSH has no signatures of ML-DSA-44"),
        ("-p e.pub --ssh file", "Ed25519 does not support an external mu"),
        ("-p b.pub --ssh file", "ML-DSA-Ed25519 does not support an external mu"),
        ("-p e.pub --jws", "Ed25519 does not support an external mu"),
        ("-p f.pub --jws", "JOSE has no signatures of FN-DSA-512"),
        ("-p f.pub --cms", "CMS has no signatures of FN-DSA-512"),
        ("-p k.pub --cms --cert c", "cannot be used with"),
        ("-p k.pub --cms --attached", "cannot be used with"),
        ("-p k.pub --jws --context v1", "cannot be used with"),
        ("-p k.pub --dsse text/plain -M list", "cannot be used with"),
        ("-p k.pub -M list --inline", "cannot be used with"),
        ("-k k.key -k f.key --dsse text/plain", "takes one private key"),
    ] {
        directory.run(&format!("sign --print-mu {line} a")).code(2).err_has(words).out_empty();
    }
    // An FN-DSA key can sign the mu of a DSSE envelope.
    directory
        .sh("$FNDSA sign -p f.pub --print-mu --dsse a/b a | $FNDSA sign -k f.key --mu --format raw -o raw -")
        .code(0);
    directory.run("sign -p f.pub --signature raw --dsse a/b a").code(0);
    directory.run("verify -p f.pub --dsse a/b a.dsse").code(0);
    // `--print-mu` rejects a file that `sign` would reject in the same format.
    directory.run("sign -p k.pub --print-mu --kernel-module a").code(3).err_has("this is not a kernel module");
    // This file begins like the signed attributes of CMS (a DER SET). If a signature covered this
    // file directly, an attacker could use it as a signature of a different file, for which these
    // attributes are correct.
    directory.put("set", "1\x0f0\x0d\x06\x09");
    directory.run("sign -p k.pub --print-mu --cms-direct set").code(3).err_has("begins with attributes of CMS");
    directory.run("sign -p k.pub --print-mu --cms set").code(0);
}

#[test]
fn a_list_is_signed_by_another_program() {
    let directory = directory("ml-dsa-44");
    directory.sh("mkdir d && echo 1 >d/1 && echo 2 >d/2").code(0);
    for (inline, options) in [(" --inline", "-r d"), ("", "-r d"), ("", "d/1 d/2")] {
        directory.sh("rm -f list list.sig").code(0);
        directory.sh(&format!("$FNDSA sign -p k.pub --print-mu -M list {options} | {SIGN_MU}")).code(0);
        assert!(!directory.has("list") && !directory.has("list.sig"), "--print-mu writes no list");
        directory
            .run(&format!("sign -p k.pub --signature raw -M list{inline} {options}"))
            .code(0)
            .err_has("wrote list");
        assert_eq!(directory.has("list.sig"), inline.is_empty());
        directory.run(&format!("verify -p k.pub -M list -C {}", if options == "-r d" { "d" } else { "." })).code(0);
    }
    // The signature does not match if a file, the files' order, or an option for the list has
    // changed.
    let hint = "hint: give the same files in the same order and the same options of the list";
    for (change, options) in [("", "d/2 d/1"), ("", "--comment x d/1 d/2"), ("echo 3 >d/1", "d/1 d/2")] {
        directory.sh(change).code(0);
        let output = directory.run(&format!("sign -p k.pub --signature raw -M new {options}")).code(3);
        output.err_has("has not made this signature for new").err_has(hint);
        assert!(!directory.has("new") && !directory.has("new.sig"));
    }
}

#[test]
fn a_signature_of_another_program_is_added_to_a_file() {
    let directory = directory("ml-dsa-44");
    directory.run("keygen -q -a ed25519 o").code(0);
    directory.run("sign -k k.key a").code(0);
    directory.run("sign -k o.key --format raw -o raw a").code(0);
    directory.run("sign -p o.pub --signature raw --add a").code(0);
    directory.run("verify -p k.pub -p o.pub --require 2 a").code(0);
    directory
        .run("sign -p o.pub --signature raw --add a")
        .code(4)
        .err_has("the file has a signature by this key already");
}

#[test]
fn hints_name_the_key_and_the_encoding() {
    let directory = directory("ed25519");
    directory.run("keygen -q -a ml-dsa-44 o").code(0);
    directory.run("sign -k o.key --format raw -o other a").code(0);
    directory.run("sign -k k.key --format raw -o raw a").code(0);
    directory.sh("base64 <raw >base64 && od -An -v -tx1 raw | tr -d ' \\n' >hex").code(0);
    for file in ["other", "base64", "hex"] {
        let hint = "hint: give the raw bytes of a signature by the given public key";
        directory.run(&format!("sign -p k.pub --signature {file} a")).code(3).err_has(hint);
    }
    directory.run("sign -p k.pub --signature missing a").code(4).err_has("no such file or directory");
    directory.run("sign --print-mu a").code(2).err_has("hint: name the public key file with -p FILE");
    // `raw` is a signature of the file itself. In the formats below, a signature must cover more
    // than the file's bytes, so `raw` is not valid.
    for (option, name) in [
        ("--jws", "a JSON Web Signature"),
        ("--ssh file", "an SSH signature"),
        ("--dsse text/plain", "a DSSE envelope"),
    ] {
        let hint = format!("hint: for {name}, the other program must sign the bytes that the format defines");
        let output = directory.run(&format!("sign -p k.pub --signature raw {option} -o out a")).code(3).err_has(&hint);
        assert!(!output.err.contains("--context"), "{}", output.err);
    }
    // `base64` is a form of `--print-mu`, but as a separate argument it is a file name.
    directory.put("base64", b"message");
    directory.run("sign -p o.pub --print-mu base64").code(0);
}

#[test]
fn options_without_effect_are_errors() {
    let directory = directory("ml-dsa-44");
    directory.put("b", b"b");
    directory.run("sign -k k.key --format raw -o raw a").code(0);
    for options in [
        "-p k.pub --signature raw a b",
        "-p k.pub --signature raw --print-mu a",
        "-p k.pub --signature raw --deterministic a",
        "-k k.key --signature raw a",
        "--signature raw a",
        "-p k.pub --signature raw --stream",
        "-p k.pub a",
        "-p k.pub --print-mu=raw a b",
        "-p k.pub --print-mu=base64 a b",
        "-p k.pub --print-mu=text a",
    ] {
        directory.run(&format!("sign {options}")).code(2);
    }
    // fndsa does not replace the signature file that it reads.
    directory.run("sign -k k.key --format raw a").code(0);
    directory.run("sign -p k.pub --signature a.sig a").code(2).err_has("the output is also an input");
}
