//! Exchanges DSSE envelopes between the command line and securesystemslib, the library of in-toto
//! for Python. The library encodes the signed bytes and counts signatures. The Python package
//! cryptography creates and verifies the ML-DSA signatures.

use crate::common::hex;
use crate::mldsa::PeerDirectory;
use crate::programs::{folder, source};
use serde_json::Value;
use std::process::Command;

const TYPE: &str = "application/vnd.in-toto+json";

/// Runs the script on files in the directory. Returns the output, or `None` if verification fails.
fn python(desk: &PeerDirectory, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new(folder().join("python/bin/python"));
    let done = command.arg(source("python/dsse.py")).args(arguments).current_dir(desk.directory.path()).output();
    let done = done.expect("python");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() || said.contains("VerificationError"), "{said}");
    done.status.success().then_some(done.stdout)
}

#[test]
fn envelopes_are_those_of_in_toto() {
    let list = std::fs::read(source("python/requirements.txt")).expect("a list");
    if std::fs::read(folder().join("python/installed.txt")).ok() != Some(list) {
        println!("skip: securesystemslib, it is not installed: tests/peers/install");
        return;
    }
    let desk = PeerDirectory { directory: tempfile::tempdir().expect("a directory") };
    for line in ["keygen -q -a ml-dsa-65 m", "keygen -q f"] {
        assert_eq!(desk.run(line).0, Some(0), "{line}");
    }
    desk.put("der", &desk.made("convert m.pub --to spki-der"));
    desk.put("private", &desk.made("convert m.key --to pkcs8-der"));
    let statement = b"{\"_type\":\"https://in-toto.io/Statement/v1\"}";
    desk.put("s", statement);

    let envelope = desk.made(&format!("sign -k f.key -k m.key --dsse {TYPE} s"));
    desk.put("e", &envelope);
    let mut read: Value = serde_json::from_slice(&envelope).expect("JSON");
    let keyid = read["signatures"][1]["keyid"].as_str().expect("a name").to_owned();
    let pae = python(&desk, &["verify", "e", "der", &keyid]).expect("a verdict");
    let pae = hex(String::from_utf8_lossy(&pae).trim());
    assert_eq!(pae, [&b"DSSEv1 28 application/vnd.in-toto+json 43 "[..], statement].concat());
    read["payloadType"] = "text/plain".into();
    desk.put("e", read.to_string().as_bytes());
    assert_eq!(python(&desk, &["verify", "e", "der", &keyid]), None);
    assert_eq!(desk.run("verify -p m.pub --dsse text/plain e").0, Some(1));

    desk.put("theirs", &python(&desk, &["sign", "s", TYPE, "private", "a name"]).expect("an envelope"));
    assert_eq!(desk.made(&format!("verify -p m.pub --dsse {TYPE} theirs")), statement);
    assert_eq!(desk.run("verify -p m.pub --dsse text/plain theirs").0, Some(1));
    assert_eq!(desk.run(&format!("verify -p f.pub --dsse {TYPE} theirs")).0, Some(1));
}
