//! Exchanges DSSE envelopes and public keys between the command line and other programs, in both
//! directions. The Python library securesystemslib, which in-toto and TUF use, makes ML-DSA
//! signatures in the form that TAP 21 requires, and Ed25519 signatures of the pre-authentication
//! encoding (PAE). The Go library sigstore always signs the PAE. The unmodified libraries, and not
//! the test scripts, choose the signed bytes and the key identifiers.

use crate::common::hex;
use crate::mldsa::FndsaDirectory;
use crate::programs::{folder, source};
use serde_json::Value;
use std::fs::{self, File};
use std::process::{Command, Stdio};

const TYPE: &str = "application/vnd.in-toto+json";
const STATEMENT: &[u8] = b"{\"_type\":\"https://in-toto.io/Statement/v1\"}";
const SETS: [&str; 4] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "ed25519"];

/// Runs the script for securesystemslib on files in the directory. Returns the output, or `None` if
/// verification fails.
fn python(work_dir: &FndsaDirectory, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new(folder().join("python/bin/python"));
    let output = command.arg(source("python/dsse.py")).args(arguments).current_dir(work_dir.directory.path()).output();
    let output = output.expect("python");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || errors.contains("VerificationError"), "{errors}");
    output.status.success().then_some(output.stdout)
}

/// Returns whether securesystemslib is missing. If so, prints that the test is skipped.
fn securesystemslib_is_missing() -> bool {
    let list = fs::read(source("python/requirements.txt")).expect("a list");
    let is_missing = fs::read(folder().join("python/installed.txt")).ok() != Some(list);
    if is_missing {
        println!("skip: securesystemslib, it is not installed: tests/peers/install");
    }
    is_missing
}

/// Returns a directory with a key pair for each ML-DSA set and Ed25519, an FN-DSA key pair `f` and
/// a statement `s`.
fn new_work_dir() -> FndsaDirectory {
    let work_dir = FndsaDirectory { directory: tempfile::tempdir().expect("a directory") };
    for set in SETS {
        assert_eq!(work_dir.run(&format!("keygen -q -a {set} {set}")).0, Some(0), "{set}");
    }
    assert_eq!(work_dir.run("keygen -q f").0, Some(0));
    work_dir.put("s", STATEMENT);
    work_dir
}

/// Writes each public key as JSON. Returns the arguments for the script: for each key, the
/// identifier that fndsa computes, and the file.
fn keys_as_json(work_dir: &FndsaDirectory) -> Vec<String> {
    let mut arguments = Vec::new();
    for set in SETS {
        let file = format!("{set}.json");
        work_dir.put(&file, &work_dir.output_file(&format!("convert {set}.pub --to tuf-key")));
        let result = &work_dir.json(&format!("--json inspect {file}"))["results"][0];
        arguments.push(result["tuf_key_id"].as_str().expect("an identifier").to_owned());
        arguments.push(file);
    }
    arguments
}

/// Verifies an envelope with securesystemslib. Returns the signed bytes, or `None` if verification
/// fails.
fn python_verifies(work_dir: &FndsaDirectory, envelope: &Value, keys: &[String]) -> Option<Vec<u8>> {
    work_dir.put("e", envelope.to_string().as_bytes());
    let arguments: Vec<_> = ["verify", "e"].into_iter().chain(keys.iter().map(String::as_str)).collect();
    python(work_dir, &arguments).map(|pae| hex(String::from_utf8_lossy(&pae).trim()))
}

/// Returns a payload's pre-authentication encoding (PAE).
fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let header = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [header.as_bytes(), payload].concat()
}

#[test]
fn keys_and_identifiers_match_securesystemslib() {
    if securesystemslib_is_missing() {
        return;
    }
    let work_dir = new_work_dir();
    for key in SETS {
        let public = format!("{key}.pub");
        let peer_key = python(&work_dir, &["key", &public]).expect("a key");
        let mut expected: Value = serde_json::from_slice(&peer_key).expect("JSON");
        let keyid = expected.as_object_mut().expect("an object").remove("keyid").expect("an identifier");
        let our_key = work_dir.output_file(&format!("convert {public} --to tuf-key"));
        assert_eq!(serde_json::from_slice::<Value>(&our_key).expect("JSON"), expected, "{key}");
        work_dir.put("theirs", &peer_key);
        work_dir.put("ours", &our_key);
        let pair = work_dir.json(&format!("--json inspect {public} theirs ours {key}.key"));
        for result in pair["results"].as_array().expect("results") {
            assert_eq!(result["tuf_key_id"], keyid, "{key}: {result}");
            assert_eq!(result["key"], pair["results"][0]["key"], "{key}: {result}");
        }
        assert_eq!(
            work_dir.output_file("convert theirs --to spki"),
            work_dir.output_file(&format!("convert {public} --to spki")),
            "{key}"
        );
    }
}

#[test]
fn securesystemslib_verifies_envelopes_of_fndsa() {
    if securesystemslib_is_missing() {
        return;
    }
    let work_dir = new_work_dir();
    let keys = keys_as_json(&work_dir);
    // The envelope also contains an FN-DSA signature, which the library ignores.
    let private: Vec<_> = SETS.into_iter().chain(["f"]).map(|key| format!("-k {key}.key")).collect();
    let sign = |options: &str| -> Value {
        let line = format!("sign {} --dsse {options} s", private.join(" "));
        serde_json::from_slice(&work_dir.output_file(&line)).expect("JSON")
    };
    let envelope = sign(TYPE);
    assert_eq!(python_verifies(&work_dir, &envelope, &keys), Some(pae(TYPE, STATEMENT)));
    // An envelope with a single signature is accepted only with the key that made this signature.
    for (signer_index, signer_key) in keys.chunks(2).enumerate() {
        let mut single = envelope.clone();
        single["signatures"] = Value::Array(vec![envelope["signatures"][signer_index].clone()]);
        for (index, key) in keys.chunks(2).enumerate() {
            let is_accepted = python_verifies(&work_dir, &single, key).is_some();
            assert_eq!(is_accepted, index == signer_index, "signed by {signer_key:?}, verified with {key:?}");
        }
    }
    let changed = |change: fn(&mut Value)| {
        let mut changed = envelope.clone();
        change(&mut changed);
        python_verifies(&work_dir, &changed, &keys)
    };
    assert_eq!(changed(|it| it["payloadType"] = "text/plain".into()), None);
    assert_eq!(changed(|it| it["payload"] = "e30=".into()), None);
    // The library does not support ML-DSA signatures of the PAE.
    assert_eq!(python_verifies(&work_dir, &sign(&format!("{TYPE} --dsse-form pae")), &keys), None);
    assert_eq!(python_verifies(&work_dir, &sign("text/plain"), &keys), None);
    work_dir.put("text", b"a text");
    let private = &private[..3].join(" ");
    let text = work_dir.output_file(&format!("sign {private} --dsse text/plain --dsse-form tap21 text"));
    let text = serde_json::from_slice(&text).expect("JSON");
    assert_eq!(python_verifies(&work_dir, &text, &keys[..6]), Some(pae("text/plain", b"a text")));
}

#[test]
fn fndsa_verifies_envelopes_of_securesystemslib() {
    if securesystemslib_is_missing() {
        return;
    }
    let work_dir = new_work_dir();
    let private: Vec<_> = SETS.iter().map(|set| format!("{set}.key")).collect();
    let arguments: Vec<_> = ["sign", "s", TYPE].into_iter().chain(private.iter().map(String::as_str)).collect();
    let envelope = python(&work_dir, &arguments).expect("an envelope");
    work_dir.put("theirs", &envelope);
    let public: Vec<_> = SETS.iter().map(|set| format!("-p {set}.pub")).collect();
    let key_options = public.join(" ");
    let result =
        &work_dir.json(&format!("--json verify {key_options} --require all --dsse {TYPE} theirs"))["results"][0];
    for key in result["keys"].as_array().expect("the keys") {
        let form = if key["algorithm"] == "Ed25519" { "pae" } else { "tap21" };
        assert_eq!(key["form"], form, "{result}");
    }
    assert_eq!(work_dir.output_file(&format!("verify {key_options} --require all --dsse {TYPE} theirs")), STATEMENT);
    keys_as_json(&work_dir);
    for set in SETS {
        assert_eq!(work_dir.output_file(&format!("verify -p {set}.json --dsse {TYPE} theirs")), STATEMENT);
    }
    assert_eq!(work_dir.run(&format!("verify -p f.pub --dsse {TYPE} theirs")).0, Some(1));
    assert_eq!(work_dir.run(&format!("verify {key_options} --dsse text/plain theirs")).0, Some(1));
    let mut changed: Value = serde_json::from_slice(&envelope).expect("JSON");
    changed["payload"] = "e30=".into();
    work_dir.put("theirs", changed.to_string().as_bytes());
    assert_eq!(work_dir.run(&format!("verify {key_options} --dsse {TYPE} theirs")).0, Some(1));
}

/// Runs the program for sigstore with a file from the directory as its input. Returns the output,
/// or `None` if verification fails.
fn sigstore(work_dir: &FndsaDirectory, arguments: &[&str], input: &str) -> Option<Vec<u8>> {
    let mut command = Command::new(folder().join("sigstore/peer"));
    let input = File::open(work_dir.directory.path().join(input)).expect("a file");
    command.args(arguments).current_dir(work_dir.directory.path()).stdin(Stdio::from(input));
    let output = command.output().expect("the program");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    output.status.success().then_some(output.stdout)
}

#[test]
fn sigstore_and_fndsa_verify_envelopes_of_each_other() {
    if !folder().join("sigstore/peer").exists() {
        println!("skip: sigstore, it is not installed (tests/peers/install)");
        return;
    }
    let work_dir = new_work_dir();
    for set in SETS {
        let [private, public] = ["key", "pub"].map(|ending| format!("{set}.{ending}"));
        let verified = |envelope: &[u8], payload_type: &str| {
            work_dir.put("e", envelope);
            sigstore(&work_dir, &["verify", payload_type, &public], "e")
        };
        let pae = work_dir.output_file(&format!("sign -k {private} --dsse {TYPE} --dsse-form pae s"));
        assert_eq!(verified(&pae, TYPE).as_deref(), Some(STATEMENT), "{set}");
        assert_eq!(verified(&pae, "text/plain"), None, "{set}");
        let text = work_dir.output_file(&format!("sign -k f.key -k {private} --dsse text/plain s"));
        assert_eq!(verified(&text, "text/plain").as_deref(), Some(STATEMENT), "{set}");
        let tap21 = work_dir.output_file(&format!("sign -k {private} --dsse {TYPE} s"));
        // sigstore rejects the form of TAP 21. For Ed25519, fndsa signs the PAE in both forms, and
        // only the key identifier differs.
        assert_eq!(verified(&tap21, TYPE), None, "{set}");

        let envelope = sigstore(&work_dir, &["sign", TYPE, &private], "s").expect("an envelope");
        work_dir.put("theirs", &envelope);
        let result = &work_dir.json(&format!("--json verify -p {public} --dsse {TYPE} theirs"))["results"][0];
        assert_eq!((&result["status"], &result["form"]), (&"ok".into(), &"pae".into()), "{set}");
        assert_eq!(work_dir.output_file(&format!("verify -p {public} --dsse {TYPE} theirs")), STATEMENT);
        assert_eq!(work_dir.run(&format!("verify -p f.pub --dsse {TYPE} theirs")).0, Some(1), "{set}");
    }
}
