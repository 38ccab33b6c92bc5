//! Tests for files with allowed signers (`--allowed-signers`): OpenSSH's format for trusted keys
//! with their owners' names. `tests/peers/ssh.rs` compares the verdicts with `ssh-keygen`.

use crate::harness::{ProgramOutput, TestDirectory};
use crate::messages::{MessageCase, RunMethod, row};

/// A shell line that makes the key `e.key`, an SSH signature of `a`, and a file of allowed signers,
/// `s`.
const SIGN: &str = "$FNDSA keygen -q -a ed25519 e && $FNDSA sign -f -k e.key --ssh file a && \
                    $FNDSA convert e.pub --to ssh -o e.ssh && echo \"me $(cat e.ssh)\" >s";

/// Returns the rows about files of allowed signers for the message catalogue in `messages.rs`.
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
            "s: no line names the signer you",
            "give the signer's name as it is in the file",
        )
        .how(RunMethod::After(SIGN)),
        row(
            "allowed_signers",
            "verify --ssh file --allowed-signers e.pub --signer me a",
            3,
            "e.pub: this is a public key, not a file of allowed signers",
            "give the public key with -p FILE, and leave --allowed-signers and --signer out",
        )
        .how(RunMethod::After(SIGN)),
        row(
            "several_blocks",
            "verify -p two a",
            3,
            "two: this is an OpenSSH public key with more lines after it, and only one key can be used here",
            "write each key to a separate file NAME.pub, and give their directory with --trusted-keys DIR",
        )
        .how(RunMethod::After(
            "$FNDSA keygen -q -a ed25519 e && $FNDSA convert e.pub --to ssh -o e.ssh && cat e.ssh e.ssh >two",
        )),
        row(
            "not_recognised",
            "verify -p s a",
            3,
            "bytes of text",
            "give it with --allowed-signers FILE, and the name of the signer with --signer NAME",
        )
        .how(RunMethod::After(SIGN)),
    ]
}

/// Returns a directory with the key pairs `e` and `o`, the file `a`, and an SSH signature for `a`
/// by `e`. Also returns the public key of `e` as OpenSSH writes it.
fn directory_with_signature(algorithm: &str) -> (TestDirectory, String) {
    let directory = TestDirectory::ready();
    for name in ["e", "o"] {
        directory.run(&format!("keygen -q -a {algorithm} {name}")).code(0);
        directory.run(&format!("convert {name}.pub --to ssh -o {name}.ssh")).code(0);
    }
    directory.run("sign -f -k e.key --ssh file a").code(0);
    let key = directory.text("e.ssh").trim().to_owned();
    (directory, key)
}

/// Verifies `a` for the signer `me@example.com`. `file` is the content of the file of allowed
/// signers.
fn verify(directory: &TestDirectory, file: &str, options: &str) -> ProgramOutput {
    directory.put("signers", file);
    directory.run(&format!("verify --ssh file --allowed-signers signers --signer me@example.com {options} a"))
}

#[test]
fn keys_of_the_signer_verify() {
    for algorithm in ["ed25519", "ml-dsa-44-ed25519"] {
        let (directory, key) = directory_with_signature(algorithm);
        let other_key = directory.text("o.ssh");
        for file in [
            format!("me@example.com {key}\n"),
            format!("# comment\n\nyou,me@example.com {key} a comment\r\n"),
            format!("  *@example.com\tnamespaces=\"git,f*\" {key}"),
            format!("me@example.com NAMESPACES=\"file\",valid-after=\"20200101Z\",valid-before=\"29990101\" {key}"),
            format!("me@example.com {other_key}me@example.com {key}\n"),
            format!("me@example.com ssh-rsa AAAA\nme@example.com {key}\n"),
            format!("\"me@example.com\" {key}\n"),
        ] {
            verify(&directory, &file, "").code(0).out_has("a: OK (me@example.com, ");
        }
    }
}

#[test]
fn other_keys_and_restrictions_are_a_no_or_an_error() {
    let (directory, key) = directory_with_signature("ed25519");
    let other_key = directory.text("o.ssh");
    for (file, options, code, text) in [
        (format!("me@example.com {other_key}"), "", 1, "which is not a trusted key"),
        (format!("you@example.com {key}"), "", 3, "no line names the signer"),
        (format!("!me@example.com,*@example.com {key}"), "", 3, "no line names the signer"),
        (format!("me@example.com namespaces=\"git\" {key}"), "", 3, "do not allow the namespace"),
        (format!("me@example.com namespaces=\"*,!file\" {key}"), "", 3, "do not allow the namespace"),
        (format!("me@example.com valid-before=\"20200101Z\" {key}"), "", 1, "which expired"),
        (format!("me@example.com valid-after=\"29990101Z\" {key}"), "", 1, "which is valid from 2999-01-01"),
        (format!("me@example.com valid-before=\"20300102Z\" {key}"), "--at 2030-01-02", 1, "which expired"),
        (format!("me@example.com valid-before=\"20300102\" {key}"), "--at 2030-01-01", 1, "which expired"),
        (format!("me@example.com cert-authority {key}"), "", 3, "cert-authority is not supported"),
        (format!("me@example.com no-such-option {key}"), "", 3, "is unknown"),
        (format!("you namespaces=git {key}"), "", 3, "needs a value in quotation marks"),
        (format!("you namespaces=\"git\",namespaces=\"file\" {key}"), "", 3, "is given twice"),
        (format!("me@example.com namespaces=\"file\", {key}"), "", 3, "no option before or after a comma"),
        (format!("me@example.com ,namespaces=\"file\" {key}"), "", 3, "no option before or after a comma"),
        (
            format!("you valid-after=\"20300101Z\",valid-before=\"20300101Z\" {key}"),
            "",
            3,
            "line 1: no day in UTC is completely between the times",
        ),
        (format!("you valid-after=\"2030\" {key}"), "", 3, "is not a time"),
        (format!("me@example.com {}", &key[..key.len() - 4]), "", 3, "the key is damaged"),
        (format!("me@example.com \"{key}"), "", 3, "a quotation mark has no end"),
        ("me@example.com ssh-rsa AAAA".to_owned(), "", 3, "has the type ssh-rsa"),
        (String::new(), "", 3, "this is an empty file"),
        (format!("me@example.com {key}"), "--require 2", 2, "only 1 key is given"),
    ] {
        let output = verify(&directory, &file, options).code(code);
        assert!(format!("{}{}", output.out, output.err).contains(text), "{file}: {}{}", output.out, output.err);
    }
    verify(&directory, &format!("me@example.com valid-before=\"20300102Z\" {key}"), "--at 2030-01-01").code(0);
}

/// If the file contains no usable key for the signer, the message and the hint name the cause: the
/// keys are for a different signer or namespace, or have an unsupported type.
#[test]
fn the_causes_of_a_missing_key_are_separate() {
    let (directory, key) = directory_with_signature("ed25519");
    for (file, message, hint) in [
        (
            format!("Me@Example.org,you {key}"),
            "no line names the signer me@example.com",
            "the most similar name in the file is Me@Example.org",
        ),
        (
            format!("me@example.com namespaces=\"git\" {key}"),
            "the lines of the signer me@example.com do not allow the namespace file",
            "give the namespace for which the signature was made",
        ),
        (
            format!("me@example.com namespaces=\"git\" {key}\nme@example.com ssh-rsa AAAA"),
            "the key of the signer me@example.com for the namespace file has the type ssh-rsa, and fndsa supports only",
            "ssh-keygen -Y verify",
        ),
        (
            "ssh-rsa AAAA me".to_owned(),
            "signers: this is an OpenSSH public key of the type ssh-rsa, not a file of allowed signers",
            "lines of the form NAME KEYTYPE KEY",
        ),
        (key.clone(), "signers: this is a public key, not a file of allowed signers", "with -p FILE"),
        (format!("{key}\n{key}"), "this is a file with several public keys, not a file", "NAME KEYTYPE KEY"),
        (directory.text("e.key"), "this is a private key, not a file of allowed signers", "NAME KEYTYPE KEY"),
        (directory.text("a.sig"), "this is an OpenSSH signature, not a file of allowed signers", "NAME KEYTYPE KEY"),
        (format!("|1|aGFzaA==|aGFzaA== {key}"), "this is a known_hosts file, not a file of allowed", "keys of servers"),
        (String::new(), "this is an empty file, not a file of allowed signers", "NAME KEYTYPE KEY"),
        ("MIME-Version: 1.0\n\n".to_owned(), "this is an e-mail, not a file of allowed signers", "NAME KEYTYPE KEY"),
        ("# me\n".to_owned(), "this is a file without keys of OpenSSH, not a file", "NAME KEYTYPE KEY"),
        (
            format!("bob@example.com {key}"),
            "no line names the signer me@example.com",
            "give the signer's name as it is in the file",
        ),
    ] {
        verify(&directory, &file, "").code(3).err_has(message).err_has(hint);
    }
    directory.put("signers", b"\xff\0\x80");
    let output = directory.run("verify --ssh file --allowed-signers signers --signer me@example.com a").code(3);
    output.err_has("signers: this is 3 bytes of binary data, not a file of allowed signers");
    // An unknown option in the file can be very long, so the message does not quote it.
    let output =
        verify(&directory, &format!("me@example.com {} {key}", "x".repeat(2000)), "").code(3).err_has("is unknown");
    assert!(output.err.len() < 300, "{}", output.err);
    // If the user passes the file of allowed signers to an option for public keys, the hint names
    // the right option.
    for option in ["-p", "--trusted-keys"] {
        directory.put("signers", format!("# comment\nme@example.com namespaces=\"git\" {key}\n"));
        directory
            .run(&format!("verify --ssh file {option} signers a"))
            .code(3)
            .err_has("give it with --allowed-signers FILE");
    }
}

#[test]
fn allowed_signers_and_a_signer_require_each_other() {
    let (directory, key) = directory_with_signature("ed25519");
    directory.put("s", format!("me {key}\n"));
    directory.run("verify --ssh file --allowed-signers s --signer me a").code(0);
    directory.run("verify --allowed-signers s --signer me a").code(2).err_has("--ssh");
    directory.run("verify --ssh file --allowed-signers s a").code(2).err_has("--signer");
    directory.run("verify --ssh file -p e.pub --signer me a").code(2).err_has("--allowed-signers");
    directory
        .run("verify --ssh file -p e.pub --allowed-signers s --signer me a")
        .code(2)
        .err_has("cannot be used with");
    for name in ["", "a b", "a,b", "a\"b"] {
        let call = directory.call("verify --ssh file --allowed-signers s a --signer").arg(name);
        call.run().code(2).err_has("a signer's name has 1 to 200 visible ASCII characters");
    }
}
