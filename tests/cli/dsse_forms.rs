//! Tests for the two signature forms in DSSE envelopes. A signature covers the payload's
//! pre-authentication encoding (form `pae`), or a hash of this encoding after a prefix (form
//! `tap21`, only for ML-DSA).

use crate::dsse::{STATEMENT, TYPE, encode_pae, encode_tap21, read_envelope, verifies_ml_dsa_65};
use crate::harness::{TestDirectory, vectors};
use crate::messages::{MessageCase, RunMethod, row};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fndsa::{Algorithm, Options, SigningKey};
use getrandom::SysRng;
use serde_json::{Value, json};

/// Returns the rows about signature forms for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let rejection = |line, words, hint| {
        row("no_dsse_form", line, 2, words, hint).how(RunMethod::After("$FNDSA keygen -a ml-dsa-44 m"))
    };
    vec![
        rejection(
            "sign -k m.key -k k.key --dsse t --dsse-form tap21 a",
            "the DSSE form tap21 is not defined for FN-DSA keys",
            "leave --dsse-form out",
        ),
        rejection(
            "sign -k m.key --dsse t --dsse-form tap21 -c v1 a",
            "the DSSE form tap21 has no context and no pre-hash",
            "leave --context and --prehash out: only the form pae supports them",
        ),
    ]
}

/// Returns a directory with the ML-DSA key `m` and its raw public key `m.raw`, the FN-DSA keys `k`
/// and `k2`, and a statement `s`.
fn directory_with_keys() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.run("keygen -a ml-dsa-65 m").code(0);
    directory.run("convert m.pub --to raw -o m.raw").code(0);
    directory.put("s", STATEMENT);
    directory
}

/// Returns a signature in an envelope. `number` counts from 0.
fn signature_in_envelope(envelope: &Value, number: usize) -> Vec<u8> {
    STANDARD.decode(envelope["signatures"][number]["sig"].as_str().unwrap()).unwrap()
}

#[test]
fn the_type_and_the_options_choose_the_form() {
    let directory = directory_with_keys();
    for (payload_type, options, form) in [
        (TYPE, "", "tap21"),
        ("application/vnd.in-toto.provenance+json", "", "tap21"),
        ("application/vnd.tuf+json", "", "tap21"),
        (TYPE, "--dsse-form pae", "pae"),
        (TYPE, "--context v1", "pae"),
        (TYPE, "--prehash sha512", "pae"),
        ("text/plain", "", "pae"),
        ("application/vnd.in-toto", "", "pae"),
        ("application/vnd.in-totoo+json", "", "pae"),
        ("application/vnd.in-toto+JSON", "", "pae"),
        ("application/vnd.tuf+cbor", "", "pae"),
        ("text/plain", "--dsse-form tap21", "tap21"),
    ] {
        let case = format!("{payload_type} {options}");
        let line = format!("--json sign -f -k m.key --dsse {payload_type} {options} s");
        let result = &directory.run(&line).code(0).json()["results"][0];
        assert_eq!(result["form"], form, "{case}");
        let written = read_envelope(&directory, "s.dsse");
        if !options.contains("--context") && !options.contains("--prehash") {
            let (raw, signature) = (directory.get("m.raw"), signature_in_envelope(&written, 0));
            let payload = STATEMENT.as_bytes();
            for (message, wanted) in
                [(encode_pae(payload_type, payload), "pae"), (encode_tap21(payload_type, payload), "tap21")]
            {
                assert_eq!(verifies_ml_dsa_65(&raw, &message, &signature), wanted == form, "{case}: {wanted}");
            }
        }
        // The verifier finds the form without an option.
        let options = options.split("--dsse-form").next().unwrap();
        let verify = format!("verify -p k.pub -p m.pub --dsse {payload_type} {options} s.dsse");
        let result = &directory.run(&format!("--json {verify}")).code(0).json()["results"][0];
        assert_eq!(result["form"], form, "{case}");
        directory.run(&format!("{verify} -v")).code(0).err_has(&format!("key m.pub (form {form}), level"));
        let changed = read_envelope(&directory, "s.dsse").to_string().replace(&STANDARD.encode(STATEMENT), "e30=");
        directory.put("x", changed);
        directory.run(&verify.replace("s.dsse", "x")).code(1);
    }
}

#[test]
fn each_key_signs_its_form() {
    let directory = directory_with_keys();
    let signed = directory.run(&format!("--json sign -k k.key -k m.key -k k2.key --dsse {TYPE} s")).code(0).json();
    let forms = |document: &Value| -> Vec<Value> {
        let keys = document["results"][0]["keys"].as_array().unwrap();
        keys.iter().map(|key| key["form"].clone()).collect()
    };
    assert_eq!(forms(&signed), ["pae", "tap21", "pae"]);
    assert_eq!(signed["results"][0]["form"], "pae");
    let verify = format!("verify -p k.pub -p m.pub -p k2.pub --require all --dsse {TYPE} s.dsse");
    let verified = directory.run(&format!("--json {verify}")).code(0).json();
    let mut verified_forms = forms(&verified);
    verified_forms.sort_by_key(Value::to_string);
    assert_eq!(verified_forms, ["pae", "pae", "tap21"]);
    directory.run(&format!("{verify} -v")).code(0).err_has("k.pub (form pae)").err_has("m.pub (form tap21)");
    // Results for ordinary files have no member `form`.
    directory.run("sign -f -k m.key a").code(0);
    assert!(directory.run("--json verify -p m.pub a").code(0).json()["results"][0].get("form").is_none());
    assert!(directory.run("--json sign -f -k m.key a").code(0).json()["results"][0].get("form").is_none());
}

/// A key with a signature in both forms counts as a single key for `--require`.
#[test]
fn a_key_with_both_forms_is_one_key() {
    let directory = directory_with_keys();
    directory.run(&format!("sign -k m.key --dsse {TYPE} s")).code(0);
    directory.run(&format!("sign -k m.key --dsse {TYPE} --dsse-form pae -o pae s")).code(0);
    let mut x_envelope = read_envelope(&directory, "s.dsse");
    let pae_signature = read_envelope(&directory, "pae")["signatures"][0].clone();
    x_envelope["signatures"].as_array_mut().unwrap().push(pae_signature);
    directory.put("x", x_envelope.to_string());
    let verify = |rest: &str| directory.run(&format!("verify --dsse {TYPE} {rest} x"));
    verify("-p m.pub").code(0);
    for options in ["-p m.pub -p k.pub --require 2", "-p m.pub -p k.pub --require all"] {
        verify(options).code(1).err_has("no signature by FN-DSA-512");
    }
    directory.run("convert m.pub --to tuf-key -o m.json").code(0);
    verify("-p m.pub -p m.json --require 2").code(2).err_has("a key that is in several files counts only once");
}

/// `verify` accepts the form of TAP 21 only for ML-DSA, and only without a context.
#[test]
fn other_signatures_of_the_form_are_not_accepted() {
    let directory = directory_with_keys();
    directory.run("convert k.key --to raw -o raw").code(0);
    let key = SigningKey::of_algorithm(Algorithm::FN_DSA_512, &directory.get("raw")).unwrap();
    let bytes = encode_tap21(TYPE, STATEMENT.as_bytes());
    let by_fn_dsa = key.sign(Options::default(), &bytes, &mut SysRng).unwrap();
    let in_envelope = |signature: &[u8]| {
        let envelope = json!({
            "payload": STANDARD.encode(STATEMENT),
            "payloadType": TYPE,
            "signatures": [{ "sig": STANDARD.encode(signature) }],
        });
        directory.put("x", envelope.to_string());
    };
    in_envelope(by_fn_dsa.as_bytes());
    directory.run(&format!("verify -p k.pub -p m.pub --dsse {TYPE} x")).code(1);
    // `verify` accepts an ML-DSA signature that the test makes in the same way, unless the
    // signature has a context. So the rejections above are not caused by a mistake in the test.
    directory.run("convert m.key --to hex -o hex").code(0);
    let seed = fndsa::files::hex::from_hex(directory.text("hex").trim().as_bytes()).unwrap();
    let key = SigningKey::from_seed(Algorithm::ML_DSA_65, seed[..].try_into().unwrap()).unwrap();
    for (context, code) in [(&b""[..], 0), (b"v1", 1)] {
        let signature = key.sign(Options::with_context(context), &bytes, &mut SysRng).unwrap();
        in_envelope(signature.as_bytes());
        directory.run(&format!("verify -p k.pub -p m.pub --dsse {TYPE} x")).code(code);
        directory.run(&format!("verify -p k.pub -p m.pub --dsse {TYPE} -c v1 x")).code(1);
    }
}

/// With a context or a pre-hash, `verify` rejects signatures of the form `tap21`, because only the
/// form `pae` supports these options. The hint reports that the signatures match without these
/// options.
#[test]
fn the_hint_after_a_no_tries_both_forms_without_options() {
    let directory = directory_with_keys();
    directory.run(&format!("sign -k m.key --dsse {TYPE} s")).code(0);
    directory.run(&format!("sign -k m.key --dsse {TYPE} --dsse-form pae -o pae.dsse s")).code(0);
    directory.run(&format!("sign -k m.key --dsse {TYPE} -c v2 -o other.dsse s")).code(0);
    let words = "leave --context and --prehash out: the signatures cover the form";
    for options in ["-c v1", "--prehash sha512", "-c v1 --prehash sha512"] {
        let verify = |envelope: &str, explain: &str| {
            let output =
                directory.run(&format!("verify -p m.pub --dsse {TYPE} {options} {explain} {envelope}")).code(1);
            format!("{}{}", output.out, output.err)
        };
        for explain in ["", "--explain"] {
            let text = verify("s.dsse", explain);
            assert!(text.contains(&format!("{words} tap21 without a context and a pre-hash")), "{options}: {text}");
            let text = verify("other.dsse", explain);
            assert!(!text.contains(words), "{options}: {text}");
        }
        let text = verify("pae.dsse", "");
        assert!(text.contains(&format!("{words} pae")), "{options}: {text}");
    }
    directory.run(&format!("verify -p m.pub --dsse {TYPE} --explain s.dsse")).code(0);
}

#[test]
fn the_option_is_an_error_where_it_has_no_effect() {
    let directory = directory_with_keys();
    for line in [
        "sign -k m.key --dsse-form tap21 a",
        "sign -k m.key --dsse-form pae a",
        "sign -k m.key --dsse-form tap21 --stream",
        "sign -k m.key --dsse-form tap21 -M l a",
        "sign -k m.key --dsse-form tap21 --inline -M l a",
        "sign -k m.key --dsse-form tap21 --print-mu a",
        "sign -k m.key --dsse-form tap21 --add a",
        "sign -k k.key --dsse t --dsse-form tap21 a",
        "sign -k m.key -k k.key --dsse t --dsse-form tap21 a",
        "sign -k m.key --dsse t --dsse-form tap21 --prehash sha512 a",
        "sign -k m.key --dsse t --dsse-form tap22 a",
        "verify -p m.pub --dsse t --dsse-form pae a",
    ] {
        directory.run(line).code(2).out_empty();
    }
    assert!(!directory.has("a.dsse") && !directory.has("l"));
}

/// The key identifier never changes the verdict.
#[test]
fn the_key_identifier_is_not_trusted() {
    let directory = directory_with_keys();
    directory.run("keygen -a ml-dsa-65 other").code(0);
    let id = |key: &str| -> Value {
        let result = directory.run(&format!("--json inspect {key}.pub")).code(0).json()["results"][0].take();
        result["tuf_key_id"].clone()
    };
    let fingerprint = directory.run("--json inspect m.pub").code(0).json()["results"][0]["key"]["fingerprint"].clone();
    directory.run("inspect -v m.pub").code(0).err_has(id("m").as_str().unwrap());
    assert!(directory.run("--json inspect k.pub").code(0).json()["results"][0].get("tuf_key_id").is_none());
    directory.run(&format!("sign -k m.key --dsse {TYPE} s")).code(0);
    directory.run(&format!("sign -k m.key --dsse {TYPE} --dsse-form pae -o pae s")).code(0);
    assert_eq!(read_envelope(&directory, "s.dsse")["signatures"][0]["keyid"], id("m"));
    assert_eq!(read_envelope(&directory, "pae")["signatures"][0]["keyid"], fingerprint);
    // With many keys, the key identifier selects the first key to try.
    let mut keys = String::new();
    for i in 0..10 {
        directory.run(&format!("keygen -a ml-dsa-65 many{i}")).code(0);
        keys += &format!("-p many{i}.pub ");
    }
    for file in ["s.dsse", "pae"] {
        let strings = [id("m"), id("other"), fingerprint.clone(), json!(""), json!("x")];
        let other_identifiers =
            [json!(null), json!(true), json!(7), json!(-7), json!(7.5), json!([["x"], {}]), json!({ "x": 1 })];
        for keyid in strings.into_iter().chain(other_identifiers) {
            let mut changed = read_envelope(&directory, file);
            changed["signatures"][0]["keyid"] = keyid;
            directory.put("x", changed.to_string());
            let line = format!("verify --dsse {TYPE} {keys} -p other.pub x");
            directory.run(&line).code(1);
            directory.run(&format!("{line} -p m.pub")).code(0);
        }
    }
}

/// fndsa verifies envelopes and reads keys from securesystemslib 1.6.0, which signs the form of TAP
/// 21.
#[test]
fn envelopes_of_securesystemslib_verify() {
    let directory = TestDirectory::empty();
    let statement = vectors("securesystemslib/statement.json");
    for set in ["mldsa44", "mldsa65", "mldsa87", "ed25519"] {
        for end in ["json", "pub.pem", "tuf-key.json", "key.pem"] {
            directory.put(format!("{set}.{end}"), vectors(&format!("securesystemslib/dsse-{set}.{end}")));
        }
    }
    directory.put("all.json", vectors("securesystemslib/dsse-all.json"));
    directory.put("statement", &statement);
    directory.sh("chmod 600 *.key.pem").code(0);
    let sets = ["mldsa44", "mldsa65", "mldsa87"];
    for set in sets {
        for key in [format!("{set}.pub.pem"), format!("{set}.tuf-key.json")] {
            for file in [&format!("{set}.json"), "all.json"] {
                let verify = format!("--json verify -p {key} --dsse {TYPE} {file}");
                let result = &directory.run(&verify).code(0).json()["results"][0];
                assert_eq!(result["form"], "tap21", "{verify}");
                directory.run(&format!("verify -f -p {key} --dsse {TYPE} {file} -o out")).code(0);
                assert_eq!(directory.get("out"), statement, "{verify}");
            }
            for other in sets.into_iter().chain(["ed25519"]).filter(|other| *other != set) {
                directory.run(&format!("verify -p {key} --dsse {TYPE} {other}.json")).code(1);
            }
        }
        // fndsa also signs with the private key from securesystemslib. The envelopes of both
        // programs have the same payload and the same key identifier.
        directory.run(&format!("sign -k {set}.key.pem --dsse {TYPE} -o ours-{set} statement")).code(0);
        let (by_fndsa, by_securesystemslib) =
            (read_envelope(&directory, &format!("ours-{set}")), read_envelope(&directory, &format!("{set}.json")));
        assert_eq!(by_fndsa["payload"], by_securesystemslib["payload"], "{set}");
        assert_eq!(by_fndsa["signatures"][0]["keyid"], by_securesystemslib["signatures"][0]["keyid"], "{set}");
        directory.run(&format!("verify -p {set}.pub.pem --dsse {TYPE} ours-{set}")).code(0);
    }
    let all = "-p mldsa44.pub.pem -p mldsa65.pub.pem -p mldsa87.pub.pem --require all";
    directory.run(&format!("verify {all} --dsse {TYPE} all.json")).code(0);
    directory.run(&format!("verify {all} --dsse {TYPE} mldsa44.json")).code(1);
    for key in ["ed25519.pub.pem", "ed25519.tuf-key.json"] {
        for file in ["ed25519.json", "all.json"] {
            directory.run(&format!("verify -p {key} --dsse {TYPE} {file}")).code(0);
        }
    }
    directory.run(&format!("verify -p ed25519.pub.pem --dsse {TYPE} mldsa44.json")).code(1);
    // Ed25519 signatures are deterministic.
    directory.run(&format!("sign -k ed25519.key.pem --dsse {TYPE} -o ours-ed25519 statement")).code(0);
    let (by_fndsa, by_securesystemslib) =
        (read_envelope(&directory, "ours-ed25519"), read_envelope(&directory, "ed25519.json"));
    assert_eq!(by_fndsa["signatures"][0], by_securesystemslib["signatures"][0]);
    // sigstore requires an empty key identifier.
    for options in [format!("--dsse {TYPE} --dsse-form pae"), "--dsse text/plain".to_owned()] {
        directory.run(&format!("sign -f -k ed25519.key.pem {options} -o ours-ed25519 statement")).code(0);
        assert_eq!(read_envelope(&directory, "ours-ed25519")["signatures"][0]["keyid"], "", "{options}");
    }
}
