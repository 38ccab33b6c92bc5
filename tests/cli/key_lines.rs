//! Tests for the key lines before a trusted key (`name:`, `not-after:`, `revoked:` and `context:`):
//! their effect, text that looks almost like a key line, and other text.

use crate::harness::TestDirectory;

#[test]
fn key_lines_restrict_their_key() {
    let directory = TestDirectory::ready();
    let k = directory.text("k.pub");
    let keys = |lines: &str| directory.put("keys", format!("# ours\n\n{lines}{k}"));
    keys("name: release 2026\n");
    directory
        .run("verify --trusted-keys keys a")
        .code(0)
        .out_has("a: OK (release 2026, FN-DSA-512 sha256:")
        .err_empty();
    directory.run("verify -p keys a").code(0).out_has("(release 2026, ");
    let document = directory.run("--json verify --trusted-keys keys a").code(0).json();
    assert_eq!(document["results"][0]["keys"][0]["name"], "release 2026");

    keys("revoked: 2026-11-02, the laptop was stolen\n");
    let words = "a: FAILED (signed by FN-DSA-512 sha256:";
    let output = directory.run("verify --trusted-keys keys a").code(1).out_has(words);
    output.out_has("which is revoked: 2026-11-02, the laptop was stolen)").err_has("are never accepted");
    let document = directory.run("--json verify --trusted-keys keys a").code(1).json();
    assert_eq!(document["results"][0]["reason"], "key_revoked");
    // If the user also gives this key without its key line, the line still applies. If the user
    // also gives this key with a different line, fndsa reports an error.
    directory.run("verify -p k.pub -p keys a").code(1);
    directory.run("verify -p keys -p k.pub a").code(1);
    directory.put("other", format!("name: other\n{k}"));
    directory.run("verify -p keys -p other a").code(3).err_has("this key is also in keys, with different key lines");
    // A revoked key never counts for a YES, but `--require all` still requires it.
    directory.run("keygen -a ml-dsa-44 m").code(0);
    directory.run("sign -k k.key -k m.key -f a").code(0);
    directory.run("verify -p keys -p m.pub a").code(0).out_has("a: OK (ML-DSA-44");
    directory.run("verify -p keys -p m.pub --require all a").code(1).out_has("which is revoked");

    keys("not-after: 2026-02-28\n");
    directory.run("sign -k k.key -f a").code(0);
    directory.run("verify --trusted-keys keys --at 2026-02-28 a").code(0);
    directory
        .run("verify --trusted-keys keys --at 2026-03-01 a")
        .code(1)
        .out_has("which expired: it was valid until 2026-02-28");

    keys("context: ci\n");
    directory.run("verify --trusted-keys keys a").code(1).out_has("which is only for the context \"ci\")");
    directory.run("sign -k k.key -c ci -f a").code(0);
    directory.run("verify --trusted-keys keys -c ci a").code(0);
    keys("context: hex:6369\n");
    directory.run("verify --trusted-keys keys -c ci a").code(0);
    // If the signature does not match, fndsa reports the reason "does not match", even if a key
    // line also rejects the signature.
    directory.run("verify --trusted-keys keys -c ci -s a.sig b").code(1).out_has("does not match the file and the key");
}

/// A revoked key is revoked in all schemes, because a thief can use the private key in any scheme
/// with this key format.
#[test]
fn key_lines_apply_in_every_scheme() {
    let directory = TestDirectory::ready();
    for (key, made) in [("k.key", "f.key"), ("k.pub", "f.pub")] {
        directory.run(&format!("convert {key} --algorithm falcon-512 --to pem -o {made}")).code(0);
    }
    directory.run("sign -k f.key -f a").code(0);
    directory.put("keys", format!("revoked: stolen\n{}", directory.text("k.pub")));
    for line in ["-p keys -p f.pub", "-p f.pub -p keys"] {
        let output = directory.run(&format!("verify {line} a")).code(1);
        output.out_has("a: FAILED (signed by Falcon-512 sha256:").out_has("which is revoked: stolen)");
    }
    // Key lines other than `revoked:` also apply in all schemes. The order of the two files does
    // not matter.
    for (line, words) in [
        ("context: ci", "which is only for the context \"ci\""),
        ("not-after: 2020-01-01", "which expired: it was valid until 2020-01-01"),
        ("not-before: 9999-01-01", "which is valid from 9999-01-01"),
    ] {
        directory.put("keys", format!("{line}\n{}", directory.text("k.pub")));
        directory.run("verify -p keys -p f.pub a").code(1).out_has(words);
        directory.run("verify -p f.pub -p keys a").code(1).out_has(words);
        directory.put("trust", directory.text("f.pub") + &directory.text("keys"));
        directory.run("verify --trusted-keys trust a").code(1).out_has(words);
    }
    // Two contradictory lines are an error.
    directory.put("keys", format!("not-after: 2030-01-01\n{}", directory.text("k.pub")));
    directory.put("twin", format!("not-after: 2031-01-01\n{}", directory.text("f.pub")));
    directory.run("verify -p keys -p twin a").code(3).out_empty().err_has(", with different key lines");
}

/// Key lines with mistakes that people make. Each line is an error in a file of trusted keys and in
/// a public key file, and the error names the right key line.
const NEARLY: [(&str, &[&str]); 5] = [
    (
        "revoked: WHY",
        &[
            "Revoked: yes",
            " revoked: yes",
            "revoked : yes",
            "revoked = yes",
            "\"revoked: yes\"",
            "- revoked: yes",
            "> revoked: yes",
            "revoked",
            "revoked stolen",
            "revoked 2026-11-02, stolen",
            "revoked - stolen",
            "revoked on 2026-11-02: stolen",
            "key revoked: stolen",
            "revoke: stolen",
            "revokd: stolen",
            "rvoked: stolen",
            "revocation: stolen",
            "revoked; stolen",
            "status: revoked",
            "rev\u{43e}k\u{435}d: stolen",
            "revoked\u{ff1a} stolen",
            "\u{433}\u{435}v\u{43e}k\u{435}d: stolen",
            "\u{ff32}\u{ff25}\u{ff36}\u{ff2f}\u{ff2b}\u{ff25}\u{ff24}: stolen",
            "this key was stolen",
            "REVOKED",
            "disabled: yes",
            "compromised: yes",
            "#revoked: stolen",
            "#revoked stolen",
            "# revoked: stolen",
            "xrevoked: stolen",
            "# a commentrevoked: stolen",
            "context: cirevoked: stolen",
            "name: usrevoked: stolen",
            "subject=CN = arevoked: stolen",
        ],
    ),
    (
        "not-after: YYYY-MM-DD",
        &[
            "not_after: 2027-01-01",
            "not-after=2027-01-01",
            "not-after 2020-01-01",
            "notafter: 2020-01-01",
            "not-afer: 2020-01-01",
            "Not-After: 2020-01-01",
            "not after: 2020-01-01",
            "expires: 2027-01-01",
            "expired: 2020-01-01",
            "expire: 2020-01-01",
            "expiry: 2020-01-01",
            "valid-until: 2020-01-01",
            "valid until 2020-01-01",
            "the key is valid until 2020-01-01",
            "not after 2020-01-01",
            "until: 2020-01-01",
            "valid-to: 2020-01-01",
            "#not-after: 2020-01-01",
        ],
    ),
    (
        "not-before: YYYY-MM-DD",
        &[
            "not-befor: 2020-01-01",
            "not_before: 2020-01-01",
            "not before 2020-01-01",
            "valid-from: 2020-01-01",
            "since: 2020-01-01",
            "#not-before: 2020-01-01",
        ],
    ),
    (
        "context: TEXT",
        &[
            "contex: ci",
            "contexts: ci",
            "Context: ci",
            "context ci",
            "purpose: ci",
            "usage: ci",
            "namespaces: ci",
            "#context: ci",
        ],
    ),
    ("name: TEXT", &["nane: us", "Name: us", "label: us", "names: us"]),
];

#[test]
fn a_misspelled_key_line_is_an_error() {
    let directory = TestDirectory::ready();
    let k = directory.text("k.pub");
    for (form, lines) in NEARLY {
        let word = form.split(':').next().unwrap();
        for line in lines {
            directory.put("keys", format!("{line}\n{k}"));
            for option in ["--trusted-keys", "-p"] {
                let output = directory.run(&format!("verify {option} keys a"));
                assert_eq!((output.code, &output.out[..]), (3, ""), "{option} {line}: {}", output.err);
                assert!(
                    output.err.contains(&format!("`{form}`")) || output.err.contains(&format!("`{word}:`")),
                    "{line}: {}",
                    output.err
                );
                assert!(
                    output.err.contains("keys: line 1: ") && output.err.contains("hint: "),
                    "{line}: {}",
                    output.err
                );
            }
            // `inspect` also rejects the line.
            directory.run("inspect keys").code(3).out_empty().err_has("line 1: ");
        }
    }
    for (lines, words) in [
        ("# ours\n\nrevoked : yes\n\n", "line 3: "),
        ("not-after: 2027-02-29\n", "is not a day of the calendar"),
        ("not-before: tomorrow\n", "a date has the form YYYY-MM-DD, as in `not-before:"),
        ("not-before: 2027-01-02\nnot-after: 2027-01-01\n", "is later than `not-after: 2027-01-01`"),
        ("revoked:\n", "the text after `revoked:` is missing"),
        ("name: a\nname: b\n", "line 2: the key has two `name:` lines"),
        ("name: a\u{202e}b\n", "invisible characters"),
        ("context: hex:0\n", "hexadecimal digits"),
    ] {
        directory.put("keys", format!("{lines}{k}"));
        let output = directory.run("verify --trusted-keys keys a").code(3).out_empty().err_has(words);
        assert!(output.err.contains("hint: "), "{}", output.err);
    }
}

/// In a file of trusted keys, text is an error, except comments, notes by fndsa, and indented text
/// as openssl prints it. A public key file can contain other text.
#[test]
fn a_file_of_trusted_keys_has_no_other_text() {
    let directory = TestDirectory::ready();
    let k = directory.text("k.pub");
    for line in ["Subject: CN = a", "a name", "=====", "this is the key: of the release", "-----"] {
        for file in [format!("{line}\n{k}"), format!("{k}{line}\n{}", directory.text("k2.pub")), format!("{k}{line}\n")]
        {
            directory.put("keys", &file);
            directory.run("verify --trusted-keys keys a").code(3).out_empty().err_has("is not a key line");
        }
        directory.put("keys", format!("{line}\n{k}"));
        directory.run("verify -p keys a").code(0);
        directory.run("inspect keys").code(0).out_has("keys: warning: line 1 is neither a key line nor a comment");
    }
    for lines in ["# revoked keys are in another file\n", "\n \n\t\n", "##\n#\n", "#", ""] {
        directory.put("keys", format!("{lines}\n{k}"));
        directory.run("verify --trusted-keys keys a").code(0);
    }
    // Several public key files can be joined with `cat`. The notes that fndsa writes before each
    // key are accepted.
    directory.run("pubkey -k k2.key -o again.pub").code(0);
    directory.sh("cat k.pub again.pub k2.pub >keys; $FNDSA verify --trusted-keys keys a").code(0);
}

#[test]
fn not_before_is_the_first_day() {
    let directory = TestDirectory::ready();
    directory.put("keys", format!("not-before: 2026-02-28\n{}", directory.text("k.pub")));
    directory.run("verify --trusted-keys keys --at 2026-02-28 a").code(0);
    let output = directory.run("verify --trusted-keys keys --at 2026-02-27 a").code(1);
    output.out_has("which is valid from 2026-02-28").err_has("wait for the first day on which the key is valid");
    let document = directory.run("--json verify --trusted-keys keys --at 2026-02-27 a").code(1).json();
    assert_eq!(document["results"][0]["reason"], "key_not_yet_valid");
}

/// `inspect` and `verify` show the key lines, so that a user can check them.
#[test]
fn key_lines_are_printed_by_inspect() {
    let directory = TestDirectory::ready();
    let lines = "name: A\nnot-before: 2026-01-01\nnot-after: 2026-01-31\nrevoked: stolen\ncontext: ci\n";
    directory.put("keys", format!("{lines}{}{}", directory.text("k.pub"), directory.text("k2.pub")));
    let words = "name A; valid from 2026-01-01; valid until 2026-01-31; REVOKED: stolen; only for the context \"ci\"";
    directory.run("inspect keys").code(0).out_has(&format!("keys, block 1: as a trusted key: {words}"));
    directory.run("verify -v --trusted-keys keys a").code(1).err_has(words);
    let of_inspect = directory.run("--json inspect keys").code(0).json()["results"][0]["terms"].clone();
    let of_verify =
        directory.run("--json -v verify --trusted-keys keys a").code(1).json()["trusted_keys"][0]["terms"].clone();
    for terms in [of_inspect, of_verify] {
        assert_eq!(terms["name"], "A");
        assert_eq!((&terms["not_before"], &terms["not_after"]), (&"2026-01-01".into(), &"2026-01-31".into()));
        assert_eq!((&terms["revoked"], &terms["context"]["hex"]), (&"stolen".into(), &"6369".into()));
    }
    directory.run("inspect --markdown keys").code(3).err_has("the key is revoked: stolen");
}

#[test]
fn text_around_a_key_does_not_hide_a_key_line() {
    let directory = TestDirectory::ready();
    let k = directory.text("k.pub");
    let revoked = |what: &str, file: Vec<u8>| {
        directory.put("keys", file);
        let output = directory.run("verify --trusted-keys keys a").code(1);
        assert!(output.out.contains("which is revoked: stolen"), "{what}: {}", output.out);
    };
    let key_after = |before: &[u8]| [before, b"revoked: stolen\n", k.as_bytes()].concat();
    revoked("plain", key_after(b""));
    revoked("a byte order mark", key_after(b"\xef\xbb\xbf"));
    revoked("text that is not UTF-8", key_after(b"# der Schl\xfcssel von gestern\n"));
    revoked("words of a BEGIN line in a line", key_after(b"# see -----BEGIN PUBLIC KEY-----\n"));
    revoked("line ends of Windows", format!("revoked: stolen\n{k}").replace('\n', "\r\n").into());
    revoked("line ends of old Macintoshes", format!("revoked: stolen\n{k}").replace('\n', "\r").into());
    revoked("a line end of each kind", [b"#a\r#b\r\nrevoked: stolen\r", k.as_bytes()].concat());

    for (file, words) in [
        (
            [k.as_bytes(), b"revoked: stolen\n"].concat(),
            "a key line belongs before the block of its key, and this line is after the last key",
        ),
        ([k.as_bytes(), b"\n\nRevoked: stolen"].concat(), "did you mean `revoked: WHY`?"),
        ([&b"revoked: \xfc\n"[..], k.as_bytes()].concat(), "is not UTF-8"),
    ] {
        directory.put("keys", file);
        directory.run("verify --trusted-keys keys a").code(3).out_empty().err_has(words);
    }
    // After the first of two keys, a line belongs to the second key.
    directory.put("keys", format!("{k}revoked: stolen\n{}", directory.text("k2.pub")));
    directory.run("verify --trusted-keys keys a").code(0);
    directory.run("sign -k k2.key -f a").code(0);
    directory.run("verify --trusted-keys keys a").code(1).out_has("which is revoked: stolen");
}

#[test]
fn openssl_text_above_a_certificate_is_not_a_key_line() {
    let directory = TestDirectory::ready();
    let of_openssl = "Certificate:\n        Validity\n            Not Before: Jan  1 00:00:00 2026 GMT\n            Not After : Jan  1 00:00:00 2027 GMT\n";
    directory.put("keys", format!("{of_openssl}{}", directory.text("k.pub")));
    directory.run("verify --trusted-keys keys a").code(0);
    directory.put("keys", format!("{}{}", of_openssl.replace("            ", ""), directory.text("k.pub")));
    directory
        .run("verify --trusted-keys keys a")
        .code(3)
        .err_has("line 3: `Not Before: Jan  1 00:00:00 2026 GMT` is not a key line");
    // `openssl x509 -text` prints no indented lines after the texts in `before`. So fndsa rejects
    // an indented line there.
    for before in ["subject=CN = a\nissuer=CN = b\n", "Certificate:\n\n", "Certificate:\n    Data:\nsubject=CN = a\n"] {
        directory.put("keys", format!("{before}{}", directory.text("k.pub")));
        directory.run("verify --trusted-keys keys a").code(0);
        for line in ["    expires: 2020-01-01", "    revokd: stolen", "    key compromised"] {
            directory.put("keys", format!("{before}{line}\n{}", directory.text("k.pub")));
            directory.run("verify --trusted-keys keys a").code(3).out_empty().err_has("is not a key line");
        }
    }
}

/// The hint depends on the defect in the key line. If the line is probably a restriction, the hint
/// does not advise to make it a comment, because a comment would remove the restriction.
#[test]
fn each_defect_of_a_key_line_has_its_hint() {
    let directory = TestDirectory::toy();
    let correct = "correct this key line";
    for (lines, words, hint) in [
        ("# not-after: 2020-01-01", "the comment `# not-after: 2020-01-01` contains the key line", "remove the colon"),
        (" not-after: 2020-01-01", "begins with a blank", "remove the blank"),
        ("\trevoked: stolen", "begins with a blank", "remove the blank"),
        (" name: us", "begins with a blank", "remove the blank"),
        ("x revoked: stolen", "which must begin a new line", "on a separate line"),
        ("not-after: 2020-02-30", "`not-after: 2020-02-30` is not a day of the calendar", correct),
        ("not-before: 2020-13-01", "`not-before: 2020-13-01` is not a day of the calendar", correct),
        ("not-after: 01.02.2020", "`01.02.2020` is not a date: a date has the form YYYY-MM-DD", correct),
        ("revoked:", "the text after `revoked:` is missing", correct),
        ("not-after: 2020-01-01\nnot-after: 2020-01-02", "the key has two `not-after:` lines", correct),
        ("Revoked: stolen", "did you mean `revoked: WHY`?", "begin it with `# `"),
        ("hello", "is not a key line", "begin it with `# `"),
    ] {
        directory.put("x", format!("{lines}\n{}", directory.text("k.pub")));
        let output = directory.run("--allow-weak verify --trusted-keys x a").code(3).err_has(words).err_has(hint);
        assert_eq!(output.err.contains("comment, begin it"), hint.contains("begin it"), "{lines}: {}", output.err);
    }
}
