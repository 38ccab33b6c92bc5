//! Exchanges DSSE envelopes and public keys between the command line and other programs, in both
//! directions. securesystemslib, the library of in-toto and TUF for Python, signs in the form of
//! TAP 21. sigstore, a library for Go, signs the pre-authentication encoding. The scripts use these
//! libraries without changes: the libraries choose the signed bytes and the key identifiers.

use crate::common::hex;
use crate::mldsa::PeerDirectory;
use crate::programs::{folder, source};
use serde_json::Value;
use std::fs::{self, File};
use std::process::{Command, Stdio};

const TYPE: &str = "application/vnd.in-toto+json";
const STATEMENT: &[u8] = b"{\"_type\":\"https://in-toto.io/Statement/v1\"}";
const SETS: [&str; 4] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "ed25519"];

/// Runs the script for securesystemslib on files in the directory. Returns the output, or `None` if
/// verification fails.
fn python(desk: &PeerDirectory, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new(folder().join("python/bin/python"));
    let done = command.arg(source("python/dsse.py")).args(arguments).current_dir(desk.directory.path()).output();
    let done = done.expect("python");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() || said.contains("VerificationError"), "{said}");
    done.status.success().then_some(done.stdout)
}

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
fn ready() -> PeerDirectory {
    let desk = PeerDirectory { directory: tempfile::tempdir().expect("a directory") };
    for set in SETS {
        assert_eq!(desk.run(&format!("keygen -q -a {set} {set}")).0, Some(0), "{set}");
    }
    assert_eq!(desk.run("keygen -q f").0, Some(0));
    desk.put("s", STATEMENT);
    desk
}

/// Writes each public key as JSON, and returns the arguments for the script: each key
/// identifier that fndsa computes, and the file.
fn keys_as_json(desk: &PeerDirectory) -> Vec<String> {
    let mut arguments = Vec::new();
    for set in SETS {
        let file = format!("{set}.json");
        desk.put(&file, &desk.made(&format!("convert {set}.pub --to tuf-key")));
        let result = &desk.json(&format!("--json inspect {file}"))["results"][0];
        arguments.push(result["tuf_key_id"].as_str().expect("an identifier").to_owned());
        arguments.push(file);
    }
    arguments
}

/// Runs the script to verify an envelope. Returns the signed bytes, or `None` if verification
/// fails.
fn python_verifies(desk: &PeerDirectory, envelope: &Value, keys: &[String]) -> Option<Vec<u8>> {
    desk.put("e", envelope.to_string().as_bytes());
    let arguments: Vec<_> = ["verify", "e"].into_iter().chain(keys.iter().map(String::as_str)).collect();
    python(desk, &arguments).map(|pae| hex(String::from_utf8_lossy(&pae).trim()))
}

fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let header = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [header.as_bytes(), payload].concat()
}

#[test]
fn keys_and_identifiers_match_securesystemslib() {
    if securesystemslib_is_missing() {
        return;
    }
    let desk = ready();
    for key in SETS {
        let public = format!("{key}.pub");
        let theirs = python(&desk, &["key", &public]).expect("a key");
        let mut expected: Value = serde_json::from_slice(&theirs).expect("JSON");
        let keyid = expected.as_object_mut().expect("an object").remove("keyid").expect("an identifier");
        let ours = desk.made(&format!("convert {public} --to tuf-key"));
        assert_eq!(serde_json::from_slice::<Value>(&ours).expect("JSON"), expected, "{key}");
        desk.put("theirs", &theirs);
        desk.put("ours", &ours);
        let pair = desk.json(&format!("--json inspect {public} theirs ours {key}.key"));
        for result in pair["results"].as_array().expect("results") {
            assert_eq!(result["tuf_key_id"], keyid, "{key}: {result}");
            assert_eq!(result["key"], pair["results"][0]["key"], "{key}: {result}");
        }
        assert_eq!(desk.made("convert theirs --to spki"), desk.made(&format!("convert {public} --to spki")), "{key}");
    }
}

#[test]
fn securesystemslib_verifies_envelopes_of_fndsa() {
    if securesystemslib_is_missing() {
        return;
    }
    let desk = ready();
    let keys = keys_as_json(&desk);
    // The FN-DSA signature is in the envelope too, and the library ignores it.
    let private: Vec<_> = SETS.into_iter().chain(["f"]).map(|key| format!("-k {key}.key")).collect();
    let sign = |options: &str| -> Value {
        let line = format!("sign {} --dsse {options} s", private.join(" "));
        serde_json::from_slice(&desk.made(&line)).expect("JSON")
    };
    let envelope = sign(TYPE);
    assert_eq!(python_verifies(&desk, &envelope, &keys), Some(pae(TYPE, STATEMENT)));
    // Each signature alone is accepted for its own key only.
    for (number, own) in keys.chunks(2).enumerate() {
        let mut alone = envelope.clone();
        alone["signatures"] = Value::Array(vec![envelope["signatures"][number].clone()]);
        for (other, key) in keys.chunks(2).enumerate() {
            assert_eq!(python_verifies(&desk, &alone, key).is_some(), number == other, "{own:?}, {key:?}");
        }
    }
    let changed = |change: fn(&mut Value)| {
        let mut changed = envelope.clone();
        change(&mut changed);
        python_verifies(&desk, &changed, &keys)
    };
    assert_eq!(changed(|it| it["payloadType"] = "text/plain".into()), None);
    assert_eq!(changed(|it| it["payload"] = "e30=".into()), None);
    // The library does not know the other form.
    assert_eq!(python_verifies(&desk, &sign(&format!("{TYPE} --dsse-form pae")), &keys), None);
    assert_eq!(python_verifies(&desk, &sign("text/plain"), &keys), None);
    desk.put("text", b"a text");
    let private = &private[..3].join(" ");
    let text = desk.made(&format!("sign {private} --dsse text/plain --dsse-form tap21 text"));
    let text = serde_json::from_slice(&text).expect("JSON");
    assert_eq!(python_verifies(&desk, &text, &keys[..6]), Some(pae("text/plain", b"a text")));
}

#[test]
fn fndsa_verifies_envelopes_of_securesystemslib() {
    if securesystemslib_is_missing() {
        return;
    }
    let desk = ready();
    let private: Vec<_> = SETS.iter().map(|set| format!("{set}.key")).collect();
    let arguments: Vec<_> = ["sign", "s", TYPE].into_iter().chain(private.iter().map(String::as_str)).collect();
    let theirs = python(&desk, &arguments).expect("an envelope");
    desk.put("theirs", &theirs);
    let public: Vec<_> = SETS.iter().map(|set| format!("-p {set}.pub")).collect();
    let all = public.join(" ");
    let result = &desk.json(&format!("--json verify {all} --require all --dsse {TYPE} theirs"))["results"][0];
    for key in result["keys"].as_array().expect("the keys") {
        let form = if key["algorithm"] == "Ed25519" { "pae" } else { "tap21" };
        assert_eq!(key["form"], form, "{result}");
    }
    assert_eq!(desk.made(&format!("verify {all} --require all --dsse {TYPE} theirs")), STATEMENT);
    keys_as_json(&desk);
    for set in SETS {
        assert_eq!(desk.made(&format!("verify -p {set}.json --dsse {TYPE} theirs")), STATEMENT);
    }
    assert_eq!(desk.run(&format!("verify -p f.pub --dsse {TYPE} theirs")).0, Some(1));
    assert_eq!(desk.run(&format!("verify {all} --dsse text/plain theirs")).0, Some(1));
    let mut changed: Value = serde_json::from_slice(&theirs).expect("JSON");
    changed["payload"] = "e30=".into();
    desk.put("theirs", changed.to_string().as_bytes());
    assert_eq!(desk.run(&format!("verify {all} --dsse {TYPE} theirs")).0, Some(1));
}

/// Runs the program for sigstore with a file from the directory as its input. Returns the output,
/// or `None` if verification fails.
fn sigstore(desk: &PeerDirectory, arguments: &[&str], input: &str) -> Option<Vec<u8>> {
    let mut command = Command::new(folder().join("sigstore/peer"));
    let input = File::open(desk.directory.path().join(input)).expect("a file");
    command.args(arguments).current_dir(desk.directory.path()).stdin(Stdio::from(input));
    let done = command.output().expect("the program");
    assert!(matches!(done.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&done.stderr));
    done.status.success().then_some(done.stdout)
}

#[test]
fn sigstore_and_fndsa_verify_the_other_form() {
    if !folder().join("sigstore/peer").exists() {
        println!("skip: sigstore, it is not installed (tests/peers/install)");
        return;
    }
    let desk = ready();
    for set in SETS {
        let [private, public] = ["key", "pub"].map(|ending| format!("{set}.{ending}"));
        let verified = |envelope: &[u8], payload_type: &str| {
            desk.put("e", envelope);
            sigstore(&desk, &["verify", payload_type, &public], "e")
        };
        let pae = desk.made(&format!("sign -k {private} --dsse {TYPE} --dsse-form pae s"));
        assert_eq!(verified(&pae, TYPE).as_deref(), Some(STATEMENT), "{set}");
        assert_eq!(verified(&pae, "text/plain"), None, "{set}");
        let text = desk.made(&format!("sign -k f.key -k {private} --dsse text/plain s"));
        assert_eq!(verified(&text, "text/plain").as_deref(), Some(STATEMENT), "{set}");
        let tap21 = desk.made(&format!("sign -k {private} --dsse {TYPE} s"));
        // For Ed25519, only the key identifier differs.
        assert_eq!(verified(&tap21, TYPE), None, "{set}");

        let theirs = sigstore(&desk, &["sign", TYPE, &private], "s").expect("an envelope");
        desk.put("theirs", &theirs);
        let result = &desk.json(&format!("--json verify -p {public} --dsse {TYPE} theirs"))["results"][0];
        assert_eq!((&result["status"], &result["form"]), (&"ok".into(), &"pae".into()), "{set}");
        assert_eq!(desk.made(&format!("verify -p {public} --dsse {TYPE} theirs")), STATEMENT);
        assert_eq!(desk.run(&format!("verify -p f.pub --dsse {TYPE} theirs")).0, Some(1), "{set}");
    }
}
