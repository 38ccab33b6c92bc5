//! Tests for files of allowed signers. `tests/peers/ssh.rs` compares the verdicts with
//! `ssh-keygen`.

use crate::harness::{ProgramOutput, TestDirectory};
use crate::messages::{MessageCase, RunMethod, row};

const SIGN: &str = "$FNDSA keygen -q -a ed25519 e && $FNDSA sign -f -k e.key --ssh file a && \
                    $FNDSA convert e.pub --to ssh -o e.ssh && echo \"me $(cat e.ssh)\" >s";

/// Returns the message catalogue rows about files of allowed signers.
pub fn rows() -> Vec<MessageCase> {
    vec![
        row(
            "allowed_signers",
            "verify --ssh file --allowed-signers x --signer me a",
            3,
            "x: line 1: the line has no key: fndsa expects principals, options and a key",
            "ALLOWED SIGNERS",
        )
        .how(RunMethod::After(SIGN))
        .file_x("me\n"),
        row(
            "no_allowed_signer",
            "verify --ssh file --allowed-signers s --signer you a",
            3,
            "s: no line allows a key of ed25519 or ml-dsa-44-ed25519 to you for the namespace file",
            "give the signer's name as it is in the file",
        )
        .how(RunMethod::After(SIGN)),
    ]
}

/// Returns a directory with a file `a`, its SSH signature and the key that signed it.
fn signed(algorithm: &str) -> (TestDirectory, String) {
    let place = TestDirectory::ready();
    for name in ["e", "o"] {
        place.run(&format!("keygen -q -a {algorithm} {name}")).code(0);
        place.run(&format!("convert {name}.pub --to ssh -o {name}.ssh")).code(0);
    }
    place.run("sign -f -k e.key --ssh file a").code(0);
    let key = place.text("e.ssh").trim().to_owned();
    (place, key)
}

/// Verifies with a file of allowed signers.
fn verify(place: &TestDirectory, file: &str, options: &str) -> ProgramOutput {
    place.put("signers", file);
    place.run(&format!("verify --ssh file --allowed-signers signers --signer me@example.com {options} a"))
}

#[test]
fn keys_of_the_signer_verify() {
    for algorithm in ["ed25519", "ml-dsa-44-ed25519"] {
        let (place, key) = signed(algorithm);
        let other = place.text("o.ssh");
        for file in [
            format!("me@example.com {key}\n"),
            format!("# comment\n\nyou,me@example.com {key} a comment\r\n"),
            format!("  *@example.com\tnamespaces=\"git,f*\" {key}"),
            format!("me@example.com NAMESPACES=\"file\",valid-after=\"20200101Z\",valid-before=\"29990101\" {key}"),
            format!("me@example.com {other}me@example.com {key}\n"),
            format!("me@example.com ssh-rsa AAAA\nme@example.com {key}\n"),
            format!("\"me@example.com\" {key}\n"),
        ] {
            verify(&place, &file, "").code(0).out_has("a: OK (me@example.com, ");
        }
    }
}

#[test]
fn other_keys_and_restrictions_are_a_no_or_an_error() {
    let (place, key) = signed("ed25519");
    let other = place.text("o.ssh");
    for (file, options, code, text) in [
        (format!("me@example.com {other}"), "", 1, "which is not a given public key"),
        (format!("you@example.com {key}"), "", 3, "no line allows a key"),
        (format!("!me@example.com,*@example.com {key}"), "", 3, "no line allows a key"),
        (format!("me@example.com namespaces=\"git\" {key}"), "", 3, "no line allows a key"),
        (format!("me@example.com namespaces=\"*,!file\" {key}"), "", 3, "no line allows a key"),
        (format!("me@example.com valid-before=\"20200101Z\" {key}"), "", 1, "which expired"),
        (format!("me@example.com valid-after=\"29990101Z\" {key}"), "", 1, "which is valid from 2999-01-01"),
        (format!("me@example.com valid-before=\"20300102Z\" {key}"), "--at 2030-01-02", 1, "which expired"),
        (format!("me@example.com valid-before=\"20300102\" {key}"), "--at 2030-01-01", 1, "which expired"),
        (format!("me@example.com cert-authority {key}"), "", 3, "cert-authority is not supported"),
        (format!("me@example.com no-such-option {key}"), "", 3, "is unknown"),
        (format!("you namespaces=git {key}"), "", 3, "needs a value in quotation marks"),
        (format!("you namespaces=\"git\",namespaces=\"file\" {key}"), "", 3, "is given twice"),
        (format!("you valid-after=\"2030\" {key}"), "", 3, "is not a time"),
        (format!("me@example.com {}", &key[..key.len() - 4]), "", 3, "the key is damaged"),
        (format!("me@example.com \"{key}"), "", 3, "a quotation mark has no end"),
        ("me@example.com ssh-rsa AAAA".to_owned(), "", 3, "no line allows a key"),
        (String::new(), "", 3, "no line allows a key"),
        (format!("me@example.com {key}"), "--require 2", 2, "only 1 key is given"),
    ] {
        let done = verify(&place, &file, options).code(code);
        assert!(format!("{}{}", done.out, done.err).contains(text), "{file}: {}{}", done.out, done.err);
    }
    verify(&place, &format!("me@example.com valid-before=\"20300102Z\" {key}"), "--at 2030-01-01").code(0);
}

#[test]
fn the_options_need_each_other() {
    let (place, key) = signed("ed25519");
    place.put("s", format!("me {key}\n"));
    place.run("verify --ssh file --allowed-signers s --signer me a").code(0);
    place.run("verify --allowed-signers s --signer me a").code(2).err_has("--ssh");
    place.run("verify --ssh file --allowed-signers s a").code(2).err_has("--signer");
    place.run("verify --ssh file -p e.pub --signer me a").code(2).err_has("--allowed-signers");
    place.run("verify --ssh file -p e.pub --allowed-signers s --signer me a").code(2).err_has("cannot be used with");
    for name in ["", "a b", "a,b", "a\"b"] {
        let call = place.call("verify --ssh file --allowed-signers s a --signer").arg(name);
        call.run().code(2).err_has("a signer's name has 1 to 200 visible ASCII characters");
    }
}
