//! Tests for `convert`: forms, schemes, encodings and layouts, and the errors for options that the
//! input file does not allow.

use crate::harness::{FNDSA, ProgramCall, TestDirectory, body, have, skip};
use crate::messages::{MessageCase, RunMethod, row};

/// A Falcon key whose norm is too large for FN-DSA, and a signature that is too long for the padded
/// encoding.
const LONG: [&str; 2] = [include_str!("fixtures/falcon-long.key"), include_str!("fixtures/falcon-long.sig")];

/// Returns the rows about schemes, layouts and encodings for the message catalogue in
/// `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let usage = |reason, line: &str, words, hint| row(reason, line, 2, words, hint);
    vec![
        usage(
            "layout_unused",
            "convert k.key --to pkcs8 --layout oqs -o o",
            "of Falcon in PKCS#8",
            "leave --layout out",
        ),
        usage(
            "encoding_unused",
            "convert k.key --to raw --encoding ct -o o",
            "--encoding applies only to signatures",
            "leave --encoding out",
        ),
        usage("verify_only", "convert k.pub --to raw -a falcon-rs-512 -o o", "for verification only", "falcon-512"),
        usage(
            "signature_scheme",
            "convert a.sig --to pem -a falcon-512 -o o",
            "a.sig: this is a signature of FN-DSA-512, which cannot be converted to a signature of Falcon-512",
            "sign the file again",
        ),
        row(
            "key_not_convertible",
            "convert x --to pem -a 512 -o o",
            3,
            "x: the key cannot be converted to FN-DSA-512: the Gram-Schmidt norm is too large",
            "make a new key with `fndsa keygen`: this is one of the few Falcon keys",
        )
        .file_x(LONG[0]),
        row(
            "encoding_too_short",
            "convert x --to pem --encoding padded -o o",
            3,
            "x: the signature does not fit into the padded encoding",
            "compressed or ct",
        )
        .file_x(LONG[1]),
        usage("no_oid", "convert x --to pkcs8 -o o", "FN-DSA-2024-512 has no OID", "--oid")
            .how(RunMethod::After("$FNDSA -q convert -f k.key --to pem -a fn-dsa-2024-512 -o x")),
    ]
}

#[test]
fn the_wrong_form_for_a_kind_is_a_usage_error_with_a_hint() {
    let directory = TestDirectory::ready();
    for (line, words, hint) in [
        ("k.key -o x --to spki", "a private key has no SPKI form", "fndsa pubkey"),
        ("k.key -o x --to spki-der", "a private key has no SPKI form", "fndsa pubkey"),
        ("k.pub -o x --to pkcs8", "a public key has no PKCS#8 form", "spki"),
        ("a.sig -o x --to pkcs8", "a signature has no PKCS#8 form", "pem or raw"),
        ("a.sig -o x --to spki-der", "a signature has no SPKI form", "pem or raw"),
        ("k.key -o x --to pem --encrypt", "fndsa cannot encrypt PEM files", "PKCS#8"),
        ("k.key -o x --to raw --encrypt", "fndsa cannot encrypt raw files", "PKCS#8"),
        ("k.pub -o x --to spki --encrypt", "fndsa cannot encrypt SPKI files", "PKCS#8"),
        ("k.pub -o x --to pkcs8 --encrypt --new-password-file a", "a public key has no PKCS#8 form", "spki"),
        ("k.key -o x --to pkcs8 --new-password-file a", "a password is given, but --encrypt is not", "--encrypt"),
        (
            "k.key -o x --to pkcs8 --encrypt --new-password-env NOSUCH",
            "--new-password-env: no variable with the given name is set",
            "export",
        ),
        (
            "k.key -o x --to pkcs8 --password-env NOSUCH",
            "--password-env: no variable with the given name is set",
            "export",
        ),
        ("k.key -o k.key --to raw", "the output is also an input", "another name"),
        ("- -o x --to pem --password-file -", "more than one input", "once"),
        ("k.key -o x --to pkcs8 --encrypt --new-password-file - --password-file -", "more than one input", "once"),
        ("--json k.key -o - --to pem", "", ""),
    ] {
        let output = directory.run(&format!("convert {line}")).code(2).err_has(words);
        assert!(output.err.contains(hint), "{line}: {}", output.err);
        assert!(!directory.has("x"));
    }
    for line in ["", "k.key", "k.key -o x", "k.key --to pem", "k.key -o x --to der", "k.key a.sig -o x --to pem"] {
        directory.run(&format!("convert {line}")).code(2);
    }
    directory.run("convert k.key -o x --to pem --algorithm falcon").code(2).err_has("fn-dsa-512");
    let two_sources = "convert k.key -o x --to pem --password-file a --password-env A";
    directory.run(two_sources).code(2).err_has("cannot be used with");
}

#[test]
fn convert_writes_files_like_other_commands() {
    let directory = TestDirectory::ready();
    directory
        .sh("umask 0; $FNDSA convert k.key -o x --to pkcs8; $FNDSA convert k.pub -o y --to spki")
        .code(0)
        .err_empty();
    assert_eq!((directory.mode("x"), directory.mode("y")), (0o600, 0o666));
    directory
        .run("convert k.key -o x --to raw")
        .code(4)
        .err_has("a private key exists already")
        .err_has("choose another name: this command never replaces a private key");
    assert!(directory.text("x").starts_with("-----BEGIN PRIVATE KEY"));
    directory
        .run("convert -f k.key -o x --to raw")
        .code(4)
        .err_has("x: this file is a private key, and it was not replaced");
    directory.sh("rm x; cp k.pub x; $FNDSA convert -f k.key -o x --to raw").code(0);
    assert_eq!((directory.get("x").len(), directory.mode("x")), (1345, 0o600));
    directory.run("convert nosuch -o z --to pem").code(4);
    directory.run("convert k.key -o nosuch/z --to pem").code(4);
    directory.run("convert a -o z --to pem").code(3).err_has("not a key or signature");
    directory.sh("$FNDSA convert k.key -o - --to pkcs8 >/dev/full").code(4).err_has("no space left");
    assert_eq!(directory.run("convert k.key -o - --to raw").code(0).stdout, directory.get("x"));
    let piped = directory.call("convert - -o - --to pem").input(directory.get("x")).run().code(0);
    assert_eq!(piped.stdout, directory.get("k.key"));
    assert!(!directory.has("z"));
}

#[test]
fn an_invalid_key_is_not_converted() {
    let directory = TestDirectory::ready();
    directory.run("convert k.key -o raw --to raw").code(0);
    let mut raw = directory.get("raw");
    raw[700] ^= 1;
    directory.put("raw", raw);
    for form in ["pem", "raw", "pkcs8"] {
        directory.run(&format!("convert raw -o x --to {form}")).code(3).err_has("not a valid private key");
    }
    assert!(!directory.has("x"));
    directory.run("keygen --allow-weak -a fn-dsa-64 t").code(0);
    directory.run("convert t.key -o x --to raw").code(3).err_has("toy");
    directory.run("convert --allow-weak t.key -o x --to raw").code(0);
    directory.run("convert --allow-weak t.key -o y --to pkcs8").code(2).err_has("FN-DSA-64 has no OID");
    directory.run("convert --allow-weak t.key -o y --to pkcs8 --oid 1.2.3").code(0);
    directory.run("convert --allow-weak y -o z --to pem --oid 1.2.3").code(0);
    assert_eq!(directory.get("z"), directory.get("t.key"));
}

#[test]
fn the_conversion_is_reported() {
    let directory = TestDirectory::ready();
    directory.put("pw", "pw\n");
    directory.run("convert k.key -o e --to pkcs8 --encrypt --new-password-file pw").code(0).out_empty().err_empty();
    let output = directory.run("-v convert e -o k --to pem --password-file pw").code(0).out_empty();
    output.err_has("note: k has no password").err_has("e -> k: FN-DSA-512 private key, PEM");
    assert_eq!(directory.get("k"), directory.get("k.key"));
    let json = directory.run("--json convert k.pub -o y --to spki").code(0).err_empty().json();
    let result = &json["results"][0];
    assert_eq!((&json["schema"], &result["status"]), (&"fndsa/convert@1".into(), &"ok".into()));
    assert_eq!((&result["path"], &result["output"]), (&"k.pub".into(), &"y".into()));
    assert!(result["key"]["fingerprint"].as_str().unwrap().starts_with("sha256:"));
    let json = directory.run("--json convert k.key -o y --to spki").code(2).err_empty().json();
    assert_eq!(json["error"]["reason"], "no_such_form");
    // `convert` does not check the strength of the new password, because the user may keep the old
    // password.
    directory
        .run("convert -f e -o e2 --to pkcs8-der --encrypt --password-file pw --new-password-file pw")
        .code(0)
        .err_empty();
    directory.run("inspect e2 --password-file pw").code(0).out_has("PKCS#8 in DER").out_has("valid");
    directory
        .run("convert e -o e3 --to pkcs8 --encrypt --new-password-file pw")
        .code(5)
        .err_has("no password is given");
    assert!(!directory.has("e3"));
}

#[test]
fn der_is_not_printed_to_a_terminal() {
    if !have("script") {
        return skip("DER to a terminal", "there is no `script`");
    }
    let directory = TestDirectory::ready();
    for (line, code) in [("k.key -o - --to pkcs8-der", 2), ("k.pub -o - --to spki-der", 2), ("k.pub -o - --to spki", 0)]
    {
        let call = ProgramCall::new("script", directory.root()).args("-q -e -c");
        call.arg(format!("{FNDSA} convert {line}")).arg("/dev/null").run().code(code);
    }
}

#[test]
fn a_key_converted_to_another_scheme_and_back_is_unchanged() {
    let directory = TestDirectory::ready();
    let schemes = ["fn-dsa", "falcon", "fn-dsa-2024"];
    for (degree, name) in [(512, "k"), (1024, "k2")] {
        for kind in ["key", "pub"] {
            for scheme in schemes {
                let line = format!("convert {name}.{kind} --to pem -a {scheme}-{degree} -o {scheme}.{kind}");
                let output = directory.run(&line).code(0);
                if scheme == "fn-dsa" {
                    output.err_empty();
                } else {
                    output.err_has("warning: signatures are not converted").err_has("warning: do not use the same key");
                }
            }
            for (from, to) in schemes.iter().flat_map(|from| schemes.map(|to| (from, to))) {
                directory
                    .sh(&format!("rm -f out; $FNDSA convert {from}.{kind} --to pem --algorithm {to}-{degree} -o out"))
                    .code(0);
                assert!(directory.get("out") == directory.get(format!("{to}.{kind}")), "{from} to {to}");
            }
        }
        for scheme in schemes {
            directory.run(&format!("inspect {scheme}.key {scheme}.pub")).code(0).out_has("a key pair").out_has("valid");
            directory.run(&format!("sign -f -k {scheme}.key a")).code(0);
            directory.run(&format!("verify -p {scheme}.pub a")).code(0);
            for kind in ["key", "pub"] {
                std::fs::remove_file(directory.path(format!("{scheme}.{kind}"))).unwrap();
            }
        }
    }
    let output = directory.run("-v convert k.pub --to pem -a falcon-512 -o x").code(0);
    output.err_has("k.pub -> x: Falcon-512 public key, PEM, from FN-DSA-512");
    let json = directory.run("--json convert -f x --to pem -a 512 -o y").code(0).err_empty().json();
    assert_eq!(json["warnings"].as_array().unwrap().len(), 2);
    assert_eq!(json["results"][0]["algorithm"], "FN-DSA-512");
    let json = directory.run("--json convert -f x --to raw -o z").code(0).err_empty().json();
    assert!(json.get("warnings").is_none());
    // In Falcon and FN-DSA-2024, raw public keys have the same encoding, so `convert` does not
    // change the bytes.
    for scheme in ["falcon", "fn-dsa-2024"] {
        directory.run(&format!("convert -f z --to raw -a {scheme}-512 -o z2")).code(0).err_empty();
        assert_eq!(directory.get("z2"), directory.get("z"));
    }
    directory.run("convert -f z --to pem -a 512 -o z2").code(0).err_has("warning: ");
    assert_eq!(directory.get("z2"), directory.get("k.pub"));
    directory.run("convert k.key --to pem -a falcon-1024 -o no").code(3).err_has("this is FN-DSA-512, not Falcon-1024");
    // The norm of the private key `long` is too large for FN-DSA, but not for Falcon and
    // FN-DSA-2024.
    directory.put("long", LONG[0]);
    directory.run("convert long --to pem -a 512 -o no").code(3).err_has("norm is too large").err_has("hint: ");
    assert!(!directory.has("no"));
    directory.run("convert long --to pem -a fn-dsa-2024-512 -o long2").code(0);
    directory.run("convert long2 --to pem -a falcon-512 -o long3").code(0);
    assert_eq!(body(&directory.text("long3")), body(LONG[0]));
}

#[test]
fn a_key_of_the_preview_requires_an_oid_and_its_algorithm() {
    let directory = TestDirectory::ready();
    directory.run("convert k.key --to pem -a fn-dsa-2024-512 -o p.key").code(0);
    directory.run("convert k.pub --to pem -a fn-dsa-2024-512 -o p.pub").code(0);
    for (kind, form) in [("key", "pkcs8"), ("pub", "spki")] {
        directory.run(&format!("convert p.{kind} --to {form} -o no")).code(2).err_has("FN-DSA-2024-512 has no OID");
        directory.run(&format!("convert p.{kind} --to {form} --oid 2.999.1 -o {form}")).code(0);
        directory.run(&format!("convert {form} --to pem -a fn-dsa-2024-512 -o no")).code(0).err_empty();
        assert_eq!(directory.get("no"), directory.get(format!("p.{kind}")));
        std::fs::remove_file(directory.path("no")).unwrap();
        // Without an algorithm name, fndsa assumes Falcon.
        directory.run(&format!("convert {form} --to pem --oid 2.999.1 -o no")).code(0);
        assert!(directory.text("no").contains("-----BEGIN FALCON "));
        std::fs::remove_file(directory.path("no")).unwrap();
        let line = format!("convert {form} --to {form} -a fn-dsa-2024-512 --oid 2.999.1 -o same");
        directory.run(&line).code(0);
        assert_eq!(directory.get("same"), directory.get(form));
        std::fs::remove_file(directory.path("same")).unwrap();
    }
    directory.put("pw", "pw\n");
    directory.run("passwd pkcs8 -o locked --oid 2.999.1 --new-password-file pw").code(0);
    let open = "passwd locked -o open --password-file pw --remove --oid 2.999.1";
    directory.run(&format!("{open} -a fn-dsa-2024-512")).code(0);
    assert_eq!(directory.get("open"), directory.get("p.key"));
    directory.run(&format!("{open} -f -a 512")).code(3).err_has("this is Falcon-512 or FN-DSA-2024-512");
    // If the OID belongs to Falcon, the scheme is Falcon.
    directory
        .run("convert p.key --to pkcs8 --oid 1.3.9999.3.11 -o no")
        .code(2)
        .err_has("the OID belongs to Falcon-512");
    directory.run("convert pkcs8 --to pkcs8 -a falcon-512 -o f").code(0).err_empty();
    directory.run("inspect f").code(0).out_has("OID 1.3.9999.3.11");
    directory
        .run("convert p.key --to pkcs8 --oid 2.999.1 --layout oqs -o no")
        .code(2)
        .err_has("--layout applies only to private keys of Falcon in PKCS#8");
}

#[test]
fn options_without_effect_are_rejected() {
    let directory = TestDirectory::ready();
    directory.run("keygen -a falcon-512 f").code(0);
    for (line, words) in [
        ("f.key --to pem --layout oqs", "--layout applies only to private keys of Falcon in PKCS#8"),
        ("f.pub --to spki --layout bouncycastle", "--layout applies only to private keys of Falcon in PKCS#8"),
        ("f.key --to pkcs8 -a 512 --layout bouncycastle", "--layout applies only to private keys of Falcon in PKCS#8"),
        ("a.sig --to raw --layout oqs", "--layout applies only to private keys of Falcon in PKCS#8"),
        ("f.key --to pkcs8 --layout raw", "invalid value"),
        ("f.pub --to raw --encoding ct", "--encoding applies only to signatures"),
        ("a.sig --to raw --encoding ct", "signatures of FN-DSA have only the padded encoding"),
        ("a.sig --to raw --encoding padded", "signatures of FN-DSA have only the padded encoding"),
        ("f.key --to raw -a falcon-rs-512", "verification only"),
        ("a.sig --to raw -a fn-dsa-2024-512", "which cannot be converted to a signature of FN-DSA-2024-512"),
        ("f.key --to raw -a 513", "fndsa has no algorithm of this name"),
    ] {
        directory.run(&format!("convert {line} -o no")).code(2).err_has(words).err_has(if words == "invalid value" {
            "oqs, bouncycastle"
        } else {
            ""
        });
        assert!(!directory.has("no"), "{line}");
    }
}

#[test]
fn a_signature_of_falcon_has_three_encodings() {
    let directory = TestDirectory::ready();
    for (degree, sizes) in [(512, [666, 0, 809]), (1024, [1280, 0, 1577])] {
        directory.run(&format!("keygen -f -a falcon-{degree} f")).code(0);
        directory.run("sign -f -k f.key --format raw -o padded a").code(0);
        for (encoding, size) in ["padded", "compressed", "ct"].iter().zip(sizes) {
            directory.run(&format!("convert -f padded --to raw --encoding {encoding} -o {encoding}.sig")).code(0);
            let len = directory.get(format!("{encoding}.sig")).len();
            assert!(len == size || size == 0 && len <= sizes[0], "{encoding}: {len}");
            directory.run(&format!("verify -p f.pub -s {encoding}.sig a")).code(0);
        }
        for (from, to) in
            [("padded", "ct"), ("ct", "compressed"), ("compressed", "padded"), ("ct", "padded"), ("ct", "ct")]
        {
            directory.run(&format!("convert -f {from}.sig --to raw --encoding {to} -o out")).code(0);
            assert_eq!(directory.get("out"), directory.get(format!("{to}.sig")), "{from} to {to}");
        }
    }
    // The scheme comes from the PEM label or from the option -a. The default is Falcon.
    directory.run("convert -f padded.sig --to pem -o x").code(0);
    assert!(directory.text("x").starts_with("fndsa signature Falcon-1024\n-----BEGIN FALCON SIGNATURE"));
    directory.run("convert -f padded.sig --to pem -a fn-dsa-2024-1024 -o x").code(0).err_empty();
    assert!(directory.text("x").starts_with("fndsa signature FN-DSA-2024-1024\n-----BEGIN FNDSA2024 SIGNATURE"));
    directory
        .run("convert x --to raw --encoding ct -o no")
        .code(2)
        .err_has("signatures of FN-DSA-2024 have only the padded encoding");
    directory
        .run("convert padded.sig --to raw --encoding ct -a fn-dsa-2024-1024 -o no")
        .code(2)
        .err_has("have only the padded encoding");
    directory
        .run("convert padded.sig --to pem -a falcon-512 -o no")
        .code(3)
        .err_has("this is Falcon-1024 or FN-DSA-2024");
    directory.run("convert -f padded.sig --to raw --encoding ct -a falcon-rs-1024 -o out").code(0);
    assert_eq!(directory.get("out"), directory.get("ct.sig"));
    directory.put("long", LONG[1]);
    directory.run("convert long --to raw --encoding padded -o no").code(3).err_has("does not fit into the padded");
    directory.run("convert long --to raw --encoding ct -o longct").code(0);
    directory.run("convert longct --to pem --encoding compressed -o long2").code(0);
    assert_eq!(body(&directory.text("long2")), body(LONG[1]));
    // `convert` rejects bytes that are not a valid signature.
    let mut damaged = directory.get("padded.sig");
    damaged[41..].fill(0);
    directory.put("damaged", damaged);
    for line in ["--encoding ct", "--encoding padded", ""] {
        let output = directory.run(&format!("convert damaged --to raw {line} -a falcon-1024 -o no")).code(3);
        output.err_has("not a valid signature").err_has("hint: ");
    }
    assert!(!directory.has("no"));
}
