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
    let place = TestDirectory::ready();
    for (name, shown) in NAMES {
        let name = OsStr::from_bytes(name);
        place.put(name, "hello\n");
        place.call("-v sign -k k.key --").arg(name).run().code(0).out_empty();
        let done = place.call("verify -p k.pub --").arg(name).run().code(0);
        assert_eq!(done.out.lines().count(), 1, "{}", done.out);
        assert!(!done.stdout.iter().any(|b| *b < 0x20 && *b != b'\n'), "{}", done.out);
        assert!(std::str::from_utf8(&done.stdout).is_ok(), "{}", done.out);
        assert!(done.out.starts_with(&format!("{shown}: OK (")), "{}", done.out);

        place.put(name, "hellO\n");
        let done = place.call("verify -p k.pub --").arg(name).run().code(1);
        assert_eq!(done.out.lines().count(), 1, "{}", done.out);
        assert!(done.out.starts_with(&format!("{shown}: FAILED (")), "{}", done.out);
    }
}

#[test]
fn json_keeps_every_byte_of_a_name() {
    let place = TestDirectory::ready();
    for (name, _) in NAMES {
        let os = OsStr::from_bytes(name);
        place.put(os, "hello\n");
        place.call("sign -k k.key --").arg(os).run().code(0);
        let json = place.call("--json verify -p k.pub --").arg(os).run().code(0).json();
        let result = &json["results"][0];
        match std::str::from_utf8(name) {
            Ok(text) => assert_eq!((&result["path"], result.get("path_b64")), (&text.into(), None)),
            Err(_) => assert_eq!(result["path_b64"], "Yf8="),
        }
    }
}

#[test]
fn errors_escape_names_too() {
    let place = TestDirectory::ready();
    for (name, shown) in NAMES {
        let name = OsStr::from_bytes(name);
        for line in ["sign -k k.key -o s --", "inspect --"] {
            let done = place.call(line).arg(name).run().code(4);
            let control = |b: &u8| *b < 0x20 && *b != b'\n';
            assert!(!done.err.as_bytes().iter().any(control), "{}", done.err);
            assert_eq!(done.err.lines().filter(|line| !line.starts_with("hint: ")).count(), 1, "{}", done.err);
            assert!(done.err.contains(&format!("error: {shown}: no such file")), "{}", done.err);
        }
    }
}

#[test]
fn control_characters_of_a_label_are_not_printed() {
    let place = TestDirectory::ready();
    place.put("x", "-----BEGIN \u{1b}[31m-----\nAAAA\n-----END \u{1b}[31m-----\n");
    let done = place.run("inspect x").code(3);
    assert!(!done.err.contains('\u{1b}'), "{}", done.err);
}
