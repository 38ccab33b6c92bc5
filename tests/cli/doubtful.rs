//! Tests for keys that may not be the keys that the user expects:
//!
//! - a key note (the line before a key's PEM block) that names a different key,
//! - a key in the wrong environment variable,
//! - bytes that can be a private key or a public key.

use crate::harness::TestDirectory;
use crate::messages::{MessageCase, RunMethod, row};
use std::fs;

/// Returns the rows about doubtful keys for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    vec![
        row(
            "variable_quoted",
            "sign --key-env SK a",
            2,
            "the variable SK: the text of the key is in quotation marks",
            "remove the quotation marks from the value of the variable",
        )
        .how(RunMethod::Shell("export SK=\"'$(cat k.key)'\"; $FNDSA")),
        row(
            "name_as_key",
            "sign --key-env SK a",
            2,
            "the variable SK contains the name of a file, not the text of a key",
            "give the file name with -k",
        )
        .how(RunMethod::Shell("export SK=./k.key; $FNDSA")),
        row(
            "not_recognised",
            "inspect x",
            3,
            "x: this is 32 bytes, which may be a seed of ML-DSA or a key of Ed25519",
            "for a seed, add -a ml-dsa-44, -a ml-dsa-65 or -a ml-dsa-87",
        )
        .file_x(format!("{}\n", "3a".repeat(32))),
        row("password_empty", "keygen --encrypt n", 5, "the new password is empty", "type a password")
            .file_x("\n\n")
            .how(RunMethod::Typed),
    ]
}

/// Returns a directory with the ML-DSA-65 key pair `s`, and the key pair `e`, whose private key is
/// encrypted. `e.der` is the encrypted key in DER, which has no note. The file `pw` contains the
/// password.
fn keys() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.put("pw", "secret\n");
    for line in [
        "keygen -a ml-dsa-65 s",
        "keygen --encrypt --password-file pw e",
        "convert e.key --password-file pw -o e.der --to pkcs8-der --encrypt --new-password-file pw",
    ] {
        directory.run(line).code(0);
    }
    directory
}

#[test]
fn the_note_of_an_encrypted_key_is_compared() {
    let directory = keys();
    let note = "according to the note in e.key, not verified";
    let wrong = directory.run("inspect e.key k.pub").code(1);
    wrong.out_has(&format!("e.key and k.pub: NOT a key pair {note}"));
    let right = directory.run("inspect e.key e.pub").code(0);
    right.out_has(&format!("e.key and e.pub: a key pair {note}: --password-file FILE checks it"));
    directory.run("inspect e.der e.pub").code(0).out_has("e.der and e.pub: not checked whether the keys are a pair");
    for (line, code, expected) in [
        ("inspect --json e.key k.pub", 1, Some(false)),
        ("inspect --json e.key e.pub", 0, None),
        ("inspect --json e.der e.pub", 0, None),
        ("inspect --json --password-file pw e.key e.pub", 0, Some(true)),
        ("inspect --json --password-file pw e.key k.pub", 1, Some(false)),
    ] {
        let document = directory.run(line).code(code).json();
        let pairs = document["pairs"].as_array().unwrap();
        assert_eq!((pairs.len(), pairs[0]["match"].as_bool()), (1, expected), "{line}");
        assert!(pairs[0]["match"].is_null() == expected.is_none(), "{line}");
    }
    // `inspect` compares an encrypted private key with each public key. If an unencrypted private
    // key is also given, `inspect` compares only the unencrypted key.
    let compared = directory.run("inspect e.key e.pub k.pub").code(1);
    compared.out_has("e.key and e.pub: a key pair").out_has("e.key and k.pub: NOT a key pair");
    directory.run("inspect k.key e.key k.pub").code(0).out_has("k.key and k.pub: a key pair");
    assert!(!directory.run("inspect e.key").code(0).out.contains("pair"));
}

/// Changes the fingerprint's first digit in a file's key note.
fn edit_note(directory: &TestDirectory, name: &str) {
    let text = directory.text(name);
    let offset = text.find("sha256:").unwrap() + 7;
    let new = if text.as_bytes()[offset] == b'0' { "1" } else { "0" };
    directory.put(name, [&text[..offset], new, &text[offset + 1..]].concat());
}

#[test]
fn a_note_that_names_another_key_is_reported() {
    let directory = keys();
    let warning = "the file is damaged or was edited";
    for line in ["inspect k.key k.pub s.key e.key", "verify -p k.pub a", "sign -f -k k.key b", "pubkey -k k.key"] {
        let output = directory.run(line);
        assert!(!output.out.contains(warning) && !output.err.contains(warning), "{line}");
    }
    // Search for a base64 character whose change gives a different valid public key.
    let text = directory.text("k.pub");
    let end = text.find("\n-----END").unwrap();
    let changed = (text.len() / 3..end).rev().find(|offset| {
        let new = if text.as_bytes()[*offset] == b'A' { "B" } else { "A" };
        directory.put("changed.pub", [&text[..*offset], new, &text[offset + 1..]].concat());
        directory.run("inspect changed.pub").code == 0
    });
    assert!(changed.is_some());
    for name in ["k.key", "k.pub"] {
        fs::copy(directory.path(name), directory.path(format!("edited-{name}"))).unwrap();
        edit_note(&directory, &format!("edited-{name}"));
    }
    directory.put("two.pem", [directory.get("k2.pub"), directory.get("edited-k.pub")].concat());
    for (line, code, name) in [
        ("sign -f -k edited-k.key b", 0, "edited-k.key"),
        ("pubkey -f -k edited-k.key -o c.pub", 0, "edited-k.key"),
        ("verify -p edited-k.pub a", 0, "edited-k.pub"),
        ("verify --trusted-keys two.pem a", 0, "two.pem, key 2"),
        ("verify -p changed.pub a", 1, "changed.pub"),
    ] {
        directory.run(line).code(code).err_has(&format!("warning: {name}: the note names sha256:")).err_has(warning);
        let document = directory.run(&format!("--json {line}")).code(code).json();
        assert!(document["warnings"].to_string().contains(warning), "{line}");
    }
    directory.call("verify a").env("FNDSA_PUBLIC_KEY", "edited-k.pub").run().code(0).err_has(warning);
    for name in ["edited-k.key", "edited-k.pub", "changed.pub"] {
        directory.run(&format!("inspect {name}")).code(0).out_has(&format!("{name}: warning: the note names sha256:"));
        let document = directory.run(&format!("--json inspect {name}")).code(0).json();
        assert!(document["warnings"].to_string().contains(warning), "{name}");
    }
}

#[test]
fn bytes_that_can_be_a_public_key_are_reported() {
    let directory = keys();
    directory.put("raw", [7; 32]);
    directory.put("hex", format!("{}\n", "07".repeat(32)));
    let warning = "this is 32 bytes, which may be a private key or a public key of Ed25519";
    for key in ["raw", "hex"] {
        directory.run(&format!("sign -f -a ed25519 -k {key} a")).code(0).err_has(&format!("warning: {key}: {warning}"));
        directory.run(&format!("pubkey -a ed25519 -k {key}")).code(0).err_has(warning);
        let seed = directory.run(&format!("sign -f -a ml-dsa-65 -k {key} a")).code(0);
        assert!(!seed.err.contains(warning), "{}", seed.err);
    }
    // With this length, the file can only be a private key: the seed followed by the public key.
    directory.run("convert raw -a ed25519 --to pkcs8 -o p8").code(0);
    directory.run("pubkey -k p8 -o public.pem --format spki").code(0);
    directory.run("convert public.pem -o public --to spki-der").code(0);
    let public = directory.get("public");
    directory.put("both", [&[7; 32][..], &public[public.len() - 32..]].concat());
    for key in ["both", "p8"] {
        let signed = directory.run(&format!("sign -f -a ed25519 -k {key} a")).code(0);
        assert!(!signed.err.contains(warning), "{}", signed.err);
    }
}

#[test]
fn a_key_in_a_variable_is_used_or_reported() {
    let directory = keys();
    let warning = "warning: FNDSA_KEY is ignored, because --key-env is given";
    let call = |line: &str, variable: &str| {
        directory.call(line).env("FNDSA_KEY", variable).env("SK", directory.text("s.key")).run().code(0)
    };
    call("sign -f --key-env SK a", "k.key").err_has(warning);
    call("sign -f --key-env SK -M l a", "k.key").err_has(warning);
    assert!(call("sign -f --json --key-env SK a", "k.key").json()["warnings"].to_string().contains("FNDSA_KEY"));
    for (line, variable) in [
        ("sign -f --key-env SK a", ""),
        ("sign -f --key-env SK -k k2.key a", "k.key"),
        ("sign -f -k k2.key a", "k.key"),
        ("sign -f a", "k.key"),
    ] {
        assert!(!call(line, variable).err.contains("FNDSA_KEY"), "{line}");
    }
    // `--key-env` accepts the hexadecimal digits of a seed, although they are also valid base64.
    let digits = "0a".repeat(32);
    directory.put("hex", &digits);
    let name = |text: &str| text[text.find("sha256:").unwrap()..][..71].to_owned();
    let signed = directory.call("-v sign -f --key-env HEX -a ml-dsa-65 a").env("HEX", &digits).run().code(0);
    assert_eq!(name(&signed.err), name(&directory.run("-v sign -f -k hex -a ml-dsa-65 a").code(0).err));
    directory.call("sign -f --key-env HEX a").env("HEX", &digits).run().code(3).err_has("may be a seed of ML-DSA");
}

#[test]
fn hexadecimal_digits_are_not_a_toy_signature() {
    let directory = TestDirectory::empty();
    // The ASCII codes of these digits, 0x31 to 0x39, are also first bytes of Falcon signatures.
    for first in "123456789".chars() {
        directory.put("x", format!("{first}{}\n", "a".repeat(63)));
        directory.run("inspect x").code(3).err_has("may be a seed of ML-DSA").err_has("add -a ml-dsa-44");
        directory.put("x", format!("{first}{}", "z".repeat(63)));
        let output = directory.run("inspect x").code(3);
        assert!(!output.err.contains("Falcon-"), "{}", output.err);
    }
}

#[test]
fn keygen_reports_an_old_public_key_and_a_lost_password() {
    let directory = keys();
    let stale = "k2.pub: this file is the public key of a different private key";
    directory.run("keygen -f -o k2.key").code(0).err_has(&format!("warning: {stale}")).err_has("-o k2.pub");
    directory.run("pubkey -f -k k2.key -o k2.pub").code(0);
    directory.run("inspect k2.key k2.pub").code(0).out_has("a key pair");
    let json = directory.run("--json keygen -f -o k2.key").code(0).json();
    assert!(json["warnings"].to_string().contains(stale), "{json}");
    for line in ["keygen -o new.key", "keygen -f k2", "keygen -f -o k2.key -p k2.pub"] {
        let output = directory.run(line).code(0);
        assert!(!output.err.contains("different private key"), "{line}: {}", output.err);
    }
    let lost = "e.key: the old private key had a password, and the new private key has no password";
    let encrypted = directory.run("keygen -f --encrypt --password-file pw e").code(0);
    assert!(!encrypted.err.contains("the old private key"), "{}", encrypted.err);
    directory.run("keygen -f e").code(0).err_has(&format!("warning: {lost}"));
    let unencrypted = directory.run("keygen -f e").code(0);
    assert!(!unencrypted.err.contains("the old private key"), "{}", unencrypted.err);
}

#[test]
fn the_length_alone_does_not_identify_a_file() {
    let directory = TestDirectory::ready();
    directory.run("keygen -a ed25519 ed").code(0);
    directory.run("sign -k ed.key --format raw -o x a").code(0);
    directory.run("inspect x").code(0).out_has("x: Ed25519 signature, raw, 64 bytes, recognized only by its length");
    directory.run("sign -k ed.key -o s a").code(0);
    assert!(!directory.run("inspect s").code(0).out.contains("recognized"));
    directory.run("pubkey -k ed.key --format raw").code(2).err_has("hint: choose another form: pem, spki");
}
