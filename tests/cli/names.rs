//! Tests for file names that look like options, verdicts or control sequences.

use crate::harness::TestDirectory;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// File names, and their form in the output.
const NAMES: [(&[u8], &str); 8] = [
    (b"a\xff", r"'a'$'\377'"),
    (b"two\nlines", r"'two'$'\n''lines'"),
    (b"-x", "-x"),
    (b"b: OK (x)", "'b: OK (x)'"),
    (b"\x1b[31mred", r"$'\033''[31mred'"),
    (b"sp ace", "'sp ace'"),
    (b"it's", r"'it'\''s'"),
    (b"Gr\xc3\xbc\xc3\x9fe", "Grüße"),
];

#[test]
fn unusual_names_are_escaped_in_one_line() {
    let directory = TestDirectory::ready();
    for (name, shown) in NAMES {
        let name = OsStr::from_bytes(name);
        directory.put(name, "hello\n");
        directory.call("-v sign -k k.key --").arg(name).run().code(0).out_empty();
        let output = directory.call("verify -p k.pub --").arg(name).run().code(0);
        assert_eq!(output.out.lines().count(), 1, "{}", output.out);
        assert!(!output.stdout.iter().any(|b| *b < 0x20 && *b != b'\n'), "{}", output.out);
        assert!(std::str::from_utf8(&output.stdout).is_ok(), "{}", output.out);
        assert!(output.out.starts_with(&format!("{shown}: OK (")), "{}", output.out);

        directory.put(name, "hellO\n");
        let output = directory.call("verify -p k.pub --").arg(name).run().code(1);
        assert_eq!(output.out.lines().count(), 1, "{}", output.out);
        assert!(output.out.starts_with(&format!("{shown}: FAILED (")), "{}", output.out);
    }
}

#[test]
fn json_keeps_every_byte_of_a_name() {
    let directory = TestDirectory::ready();
    for (name, _) in NAMES {
        let os = OsStr::from_bytes(name);
        directory.put(os, "hello\n");
        directory.call("sign -k k.key --").arg(os).run().code(0);
        let json = directory.call("--json verify -p k.pub --").arg(os).run().code(0).json();
        let result = &json["results"][0];
        match std::str::from_utf8(name) {
            Ok(text) => assert_eq!((&result["path"], result.get("path_b64")), (&text.into(), None)),
            Err(_) => assert_eq!(result["path_b64"], "Yf8="),
        }
    }
}

#[test]
fn errors_escape_names_too() {
    let directory = TestDirectory::ready();
    for (name, shown) in NAMES {
        let name = OsStr::from_bytes(name);
        for line in ["sign -k k.key -o s --", "inspect --"] {
            let output = directory.call(line).arg(name).run().code(4);
            let is_control = |b: &u8| *b < 0x20 && *b != b'\n';
            assert!(!output.err.as_bytes().iter().any(is_control), "{}", output.err);
            assert_eq!(output.err.lines().filter(|line| !line.starts_with("hint: ")).count(), 1, "{}", output.err);
            assert!(output.err.contains(&format!("error: {shown}: no such file")), "{}", output.err);
        }
    }
}

#[test]
fn control_characters_of_a_label_are_not_printed() {
    let directory = TestDirectory::ready();
    directory.put("x", "-----BEGIN \u{1b}[31m-----\nAAAA\n-----END \u{1b}[31m-----\n");
    let output = directory.run("inspect x").code(3);
    assert!(!output.err.contains('\u{1b}'), "{}", output.err);
}
