//! The message catalogue rows about invalid files.

use crate::messages::*;

const BEGIN: &str = "-----BEGIN FNDSA PUBLIC KEY-----\n";
const END: &str = "-----END FNDSA PUBLIC KEY-----\n";

/// Returns the rows for files that are damaged or encoded in a wrong way.
pub fn defect_rows() -> Vec<MessageCase> {
    let inspect = |reason, words, hint, x: String| row(reason, "inspect x", 3, words, hint).file_x(x);
    let pem = |body: &str| format!("{BEGIN}{body}\n{END}");
    let foreign = |label: &str| format!("-----BEGIN {label}-----\nAAAA\n-----END {label}-----\n");
    vec![
        inspect("empty", "x: the file is empty", "restore it", String::new()),
        inspect("foreign_file", "x: this is an OpenPGP file", "gpg --import", foreign("PGP PUBLIC KEY BLOCK")),
        row("foreign_file", "verify -p x a", 3, "x: this is an age public key", "the program age").file_x("age1qqq\n"),
        inspect(
            "not_recognised",
            "x: this is not a key or signature of FN-DSA, Falcon, ML-DSA or Ed25519, but 6 bytes of text",
            "neither `fndsa keygen` nor `fndsa sign` made this file",
            "hello\n".to_owned(),
        ),
        inspect("not_recognised", "Ed25519, but an HTML page", "`fndsa sign`", "<!DOCTYPE html>\n".to_owned()),
        row("not_recognised", "inspect x", 3, "Ed25519, but a gzip archive", "fndsa").file_x(b"\x1f\x8b\x08\0"),
        row("not_recognised", "inspect x", 3, "Ed25519, but 3 bytes of binary data", "fndsa").file_x(b"\x80\0\xff"),
        // These files begin like raw keys and signatures.
        row("not_recognised", "verify -p x a", 3, "not a public key, but 501 bytes of binary data", "NAME.pub")
            .file_x([&[2], &[0xff; 500][..]].concat()),
        row("not_recognised", "sign -k x b", 3, "not a private key, but 3 bytes of binary data", "NAME.key")
            .file_x([0x5a, 0, 0xff]),
        row(
            "not_recognised",
            "verify -p k.pub -s x a",
            3,
            "not a signature, but 1333 bytes of binary data",
            "FILE.sig",
        )
        .file_x([&[0x39][..], &[0xff; 1332]].concat()),
        row(
            "not_recognised",
            "verify -p x a",
            3,
            "x: this is not a public key, but 2 bytes of text",
            "usually NAME.pub",
        )
        .file_x("x\n"),
        row(
            "not_recognised",
            "sign -k x b",
            3,
            "x: this is not a private key, but 2 bytes of text",
            "usually NAME.key",
        )
        .file_x("x\n"),
        row(
            "not_recognised",
            "verify -p k.pub -s x a",
            3,
            "x: this is not a signature, but a script",
            "usually FILE.sig",
        )
        .file_x("#!/bin/sh\n"),
        row("empty", "verify -p x a", 3, "x: the file is empty", "download the file again"),
        inspect(
            "begin_line",
            "x: the file contains a PEM block without line ends",
            "keep its line ends",
            pem("AAAA").replace('\n', " "),
        ),
        inspect(
            "begin_line",
            "x: line 1 has other characters before -----BEGIN",
            "remove the added characters",
            pem("AAAA").replace("-----B", "> -----B"),
        ),
        inspect(
            "not_recognised",
            "x: this is a PEM file that was encoded in base64",
            "`base64 -d FILE >NEW`",
            "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0K\n".to_owned(),
        ),
        row("utf16", "inspect x", 3, "x: this is text in UTF-16", "PowerShell").file_x(b"\xff\xfeh\0"),
        row(
            "wrong_length",
            "inspect x",
            3,
            "x: a raw public key of degree 512 has 897 bytes, but this file has 500",
            "incomplete",
        )
        .file_x([&[9][..], &[0xff; 499]].concat()),
        inspect(
            "wrong_length",
            "x: the content has 3 bytes instead of 897: bytes are missing or added",
            "copy or download it again",
            pem("CQEC"),
        ),
        row(
            "several_blocks",
            "verify -p x a",
            3,
            "x: the file has 2 PEM blocks, and only one can be used here",
            "--trusted-keys",
        )
        .file_x(pem("AAAA").repeat(2)),
        inspect("nul_byte", "x: the file has a NUL byte in its text", "copy or download it again", pem("AA\0A")),
        inspect("indented", "x: line 2 is indented", "remove the spaces", pem(" AAAA")),
        inspect("indented", "x: line 1 is indented", "remove the spaces", format!(" {}", pem("AAAA"))),
        inspect(
            "begin_line",
            "x: the BEGIN line is damaged",
            "copy or download it again",
            pem("AAAA").replace("KEY-----", "KEY"),
        ),
        inspect("no_end_line", "x: the END line is missing", "incomplete", format!("{BEGIN}AAAA\n")),
        inspect("cut_mid_line", "x: the file is cut in the middle of line 2", "incomplete", format!("{BEGIN}AAAA")),
        inspect(
            "end_line",
            "x: the END line is damaged",
            "copy or download it again",
            format!("{BEGIN}AAAA\n-----END-----\n"),
        ),
        inspect(
            "labels_differ",
            "x: the BEGIN line has the label FNDSA PUBLIC KEY, but the END line has FNDSA SIGNATURE",
            "copy or download it again",
            format!("{BEGIN}AAAA\n-----END FNDSA SIGNATURE-----\n"),
        ),
        inspect(
            "pem_header",
            "x: line 2 is a PEM header (RFC 1421), which fndsa does not read",
            "remove the header lines",
            pem("A: B\n"),
        ),
        inspect("not_base64", "x: line 2 has a character that is not base64", "copy or download it again", pem("AA*A")),
        inspect(
            "base64_not_canonical",
            "x: the base64 is damaged: characters are missing, added or changed",
            "copy or download it again",
            pem("AAA"),
        ),
        inspect("empty_block", "x: the block is empty", "incomplete", format!("{BEGIN}{END}")),
        inspect("unknown_label", "x: the PEM label FNDSA9 is unknown", "FNDSA, FNDSA2024 or FALCON", foreign("FNDSA9")),
        inspect(
            "first_byte",
            "x: the first byte is 0xff, and no public key begins with this byte",
            "copy or download it again",
            pem("/wAA"),
        ),
        row(
            "too_large",
            "inspect x",
            3,
            "x: the file is too large: a key, signature or context file has at most 64 KiB",
            "check the file name: this file may be the message, but a",
        )
        .file_x(vec![b'x'; 65_537]),
        row(
            "digest_length",
            "sign -k k.key --prehash sha256 --prehashed x",
            3,
            "32 bytes or 64 hexadecimal digits are needed, but the input has 3 bytes",
            "only these bytes or their hexadecimal digits",
        )
        .file_x("abc"),
        row(
            "digest_length",
            "sign -k k.key --mu x",
            3,
            "x: 64 bytes or 128 hexadecimal digits are needed, but the input has 0 bytes",
            "only these bytes or their hexadecimal digits",
        ),
    ]
}

/// Returns the rows for files with a wrong kind or invalid content.
pub fn content_rows() -> Vec<MessageCase> {
    let key = |reason, words, name, hint| {
        row(reason, "inspect x", 3, words, hint).file_x(negative_vector("sk_decode", name, "sk"))
    };
    let public = |reason, words, name| {
        row(reason, "verify -p x a", 3, words, "restore the file from a backup").file_x(negative_vector(
            "vk_decode",
            name,
            "vk",
        ))
    };
    let hint_for_damage = "restore the file from a backup";
    let digits = "0".repeat(64);
    // fndsa reads a list only if its signature is valid.
    let list = |reason, words, hint, x: String| {
        row(reason, "verify -p k.pub -M x", 3, words, hint).file_x(x).how(RunMethod::Shell(SIGN_X))
    };
    let kind = |line: &str, words, hint| row("wrong_kind", line, 3, words, hint);
    vec![
        kind(
            "verify -p k.key a",
            "k.key: this is a private key, not a public key",
            "keep the private key secret, and give the public key here; `fndsa",
        ),
        kind("sign -k k.pub b", "k.pub: this is a public key, not a private key", "the private key of this key pair"),
        kind("sign -k a.sig b", "a.sig: this is a signature, not a private key", "usually NAME.key"),
        kind(
            "verify -p a.sig a",
            "a.sig: this is a signature, not a public key",
            "give the public key here, usually NAME.pub; give the signature with -s FILE",
        ),
        kind("verify -p k.pub -s k.key a", "k.key: this is a private key, not a signature", "usually FILE.sig"),
        kind(
            "verify -p k.pub -s k.pub a",
            "k.pub: this is a public key, not a signature",
            "give the signature here, usually FILE.sig",
        ),
        key(
            "key_coefficient",
            "x: this is not a valid private key: a coefficient is out of range",
            "A512/g-min-0",
            hint_for_damage,
        ),
        key(
            "key_equation",
            "x: this is not a valid private key: fG - gF = q does not hold",
            "A512/F-plus-1",
            hint_for_damage,
        ),
        key("key_hash", "the stored hash is not that of the public key", "A512/hash-zero", hint_for_damage),
        key("key_not_invertible", "private key: f is not invertible modulo q", "A1024/f-zero", hint_for_damage),
        public("key_coefficient", "x: this is not a valid public key: a coefficient is out of range", "A512/h0-12289"),
        row("name_list", "sign -k k.key --files-from x", 3, "x: name 2 is empty", "-0").file_x("a\n\n"),
        row(
            "too_large",
            "verify -p k.pub -M /dev/zero",
            3,
            "/dev/zero: the file is too large (limit 256 MiB)",
            "check the file name; if the file contains trusted keys",
        ),
        list(
            "manifest_line",
            "x: line 1: the line is not 64 hexadecimal digits, two spaces and a file name",
            "sign -M",
            "hello\n".into(),
        ),
        list(
            "manifest_line",
            "x: line 1: a backslash in the name must be followed by a backslash, `n` or `r`",
            "sign -M",
            format!("\\{digits}  \\t"),
        ),
        list(
            "manifest_name",
            "longer than any file name (64 KiB)",
            "damaged",
            format!("{digits}  {}", "x".repeat(65_537)),
        ),
        row(
            "preimage",
            "sign -k k.key x",
            3,
            "x: the file begins with \"DSSEv1 \", so an attacker could use its signature in a DSSE envelope",
            "--dsse",
        )
        .file_x("DSSEv1 1 a 1 b"),
        row(
            "preimage",
            "sign -k k.key x",
            3,
            "x: the file begins with \"SSHSIG\", so an attacker could use its signature in an SSH signature",
            "the author of the file may plan this misuse: put the file into an archive and sign the archive",
        )
        .file_x("SSHSIG"),
        list("manifest_name", "x: line 1: the name is empty", "give the names of files", format!("{digits}  ")),
        list(
            "manifest_line",
            "x: line 1: the list begins with a byte-order mark",
            "as UTF-8",
            format!("\u{feff}{digits}  a\n"),
        ),
        row("utf16", "verify -p k.pub -M x", 3, "x: this is text in UTF-16", "PowerShell")
            .file_x(b"\xff\xfeh\0")
            .how(RunMethod::Shell(SIGN_X)),
        list(
            "manifest_name_outside",
            "x: line 1: the name is absolute",
            "a directory that contains all the files",
            format!("{digits}  /a"),
        ),
        list("manifest_duplicate", "x: line 2: the file is named twice", "once", format!("{digits}  a\n").repeat(2)),
        list("manifest_empty", "x: the list has no entries", "at least one", String::new()),
        public("key_zero", "x: this is not a valid public key: the public key is all zeros", "A512/h-zero"),
    ]
}
