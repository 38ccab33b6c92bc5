//! Tests for signature notes. A note is the line before a signature block that names the key,
//! context and pre-hash. It helps to explain a NO, but fndsa never trusts it.

use crate::harness::TestDirectory;

const VERIFY: &str = "--allow-weak verify -p k.pub";

/// Returns the fingerprint of a key file, as `inspect` prints it.
fn fingerprint(directory: &TestDirectory, file: &str) -> String {
    let text = directory.run(&format!("--allow-weak inspect {file}")).code(0).out;
    let offset = text.find("sha256:").unwrap();
    text[offset..offset + 71].to_owned()
}

/// Writes the signature of `a` to `name`, with `line` as its signature note.
fn write_signature_with_note(directory: &TestDirectory, name: &str, line: &[u8]) {
    let signature = directory.get("a.sig");
    let offset = signature.windows(5).position(|window| window == b"-----").unwrap();
    directory.put(name, [line, b"\n", &signature[offset..]].concat());
}

#[test]
fn the_note_names_key_context_and_pre_hash() {
    let directory = TestDirectory::toy();
    let by = format!("fndsa signature FN-DSA-16 by {}", fingerprint(&directory, "k.pub"));
    directory.put("context", b"\x1b[31m\n");
    directory.put("mu", "00".repeat(64));
    for (options, end) in [
        ("a", ""),
        ("-c v1 a", " context \"v1\""),
        ("--context-hex 00ff a", " context hex:00ff"),
        ("--context-file context a", " context hex:1b5b33316d0a"),
        ("-c a\"b\\ a", " context hex:6122625c"),
        ("-c v1 --prehash sha512 a", " context \"v1\" prehash sha512"),
        ("--prehash sha3-256 --prehashed digest", " prehash sha3-256"),
        ("--mu mu", " mu external"),
    ] {
        directory.put("digest", "00".repeat(32));
        directory.run(&format!("--allow-weak sign -f -k k.key -o s {options}")).code(0);
        assert_eq!(directory.text("s").lines().next().unwrap(), format!("{by}{end}"), "{options}");
        directory.run(&format!("{VERIFY} -s s {options}")).code(0).err_empty();
        // `convert` keeps the signature note.
        directory.run("--allow-weak convert -f s -o s2 --to pem").code(0);
        assert_eq!(directory.text("s2").lines().next(), directory.text("s").lines().next(), "{options}");
    }
    directory.run("--allow-weak sign -k k.key -c v1 -M list a b").code(0);
    assert_eq!(directory.text("list.sig").lines().next().unwrap(), format!("{by} context \"v1\""));
}

#[test]
fn a_wrong_key_is_reported_with_both_names() {
    let directory = TestDirectory::toy();
    directory.run("--allow-weak keygen -q -a fn-dsa-16 o").code(0);
    let (k, o) = (fingerprint(&directory, "k.pub"), fingerprint(&directory, "o.pub"));
    let (signing_key, given_key) = (&k[..23], &o[..23]);
    let words = format!(
        "the signature note names the key {signing_key}..., which is not among the given keys ({given_key}...) (not proven)"
    );
    let output = directory.run("--allow-weak verify -p o.pub a").code(1).err_has(&format!("hint: {words}\n"));
    assert_eq!(output.out, "a: FAILED (signature does not match the file and the key)\n");
    directory.run("--allow-weak verify --explain -p o.pub a").code(1).err_has(&words);
    let json = directory.run("--allow-weak --json verify -p o.pub a").code(1).json();
    let result = &json["results"][0];
    assert_eq!((&result["claims"]["fingerprint"], &result["hint"]), (&k.clone().into(), &words.into()));
    assert!(
        result["claims"]["context"].is_null() && result["claims"]["prehash"].is_null() && result.get("key").is_none()
    );

    // `--expect-key` names the key `o`. So the signing key `k` is not an expected key, although it
    // is given with `-p`.
    let line = format!("--allow-weak verify -p k.pub -p o.pub --expect-key {o} a");
    directory
        .run(&line)
        .code(1)
        .err_has(&format!("the key {signing_key}..., which is not an expected key (not proven)"));
    // If there are many keys, the message does not name all keys.
    for i in 0..5 {
        directory.run(&format!("--allow-weak keygen -q -a fn-dsa-16 o{i}")).code(0);
    }
    directory
        .run("--allow-weak verify -p o0.pub -p o1.pub -p o2.pub -p o3.pub -p o4.pub a")
        .code(1)
        .err_has("... and 2 more) (not proven)");
}

#[test]
fn another_context_or_pre_hash_is_reported() {
    let directory = TestDirectory::toy();
    let assert_reason = |line: &str, words: &str| {
        directory.run(&format!("{VERIFY} {line}")).code(1).err_has(&format!("hint: the signature note names {words}"));
    };
    directory.run("--allow-weak sign -k k.key -c v1 --prehash sha512 b").code(0);
    assert_reason("-c v2 --prehash sha512 b", "the context \"v1\", but \"v2\" is given (not proven)");
    assert_reason("-c v1 b", "the pre-hash sha512, but no pre-hash is given (not proven)");
    assert_reason(
        "b",
        "the context \"v1\", but no context is given, and the pre-hash sha512, but no pre-hash is given (not proven)",
    );
    assert_reason("-c v1 --prehash sha256 b", "the pre-hash sha512, but sha256 is given (not proven)");
    assert_reason("--context-hex 00 -s a.sig a", "no context, but hex:00 is given (not proven)");
    assert_reason(
        &format!("-c {} -s a.sig a", "x".repeat(255)),
        &format!("no context, but \"{}... is given", "x".repeat(79)),
    );
    // The note agrees with the command line, so the hint says that the file was probably changed.
    assert_reason(
        "-s a.sig b",
        "a given key (not proven), so the file or its signature was probably changed: get both again",
    );
    assert_reason(
        "-c v1 --prehash sha512 -s b.sig a",
        "a given key and the given context and pre-hash (not proven), so the file or its signature was probably changed: get both again",
    );
    let json = directory.run(&format!("--json {VERIFY} b")).code(1).json();
    let claims = &json["results"][0]["claims"];
    assert_eq!((&claims["context"]["text"], &claims["context"]["hex"]), (&"v1".into(), &"7631".into()));
    assert_eq!(claims["prehash"], "sha512");
    let json = directory.run(&format!("--json {VERIFY} -c v1 --prehash sha512 b")).code(0).json();
    assert!(json["results"][0].get("claims").is_none(), "a result with the verdict YES contains only proven facts");
}

/// A signature note does not change the verdict, and messages do not repeat its text.
#[test]
fn a_hostile_note_changes_no_verdict_and_is_not_printed() {
    let directory = TestDirectory::toy();
    let (k, k2) = (fingerprint(&directory, "k.pub"), fingerprint(&directory, "k2.pub"));
    let by = format!("fndsa signature FN-DSA-16 by {k}");
    let lines: Vec<Vec<u8>> = vec![
        b"a: OK (FN-DSA-16 sha256:00)".to_vec(),
        format!("{by}\x1b[2K\ra: OK").into_bytes(),
        format!("{by} context \"\x1b[31m\"").into_bytes(),
        format!("{by} context \"\u{202e}KO\"").into_bytes(),
        format!("{by} context \"x\ny: OK\"").into_bytes(),
        format!("{by} context \"v1\" prehash sha512 a: OK").into_bytes(),
        format!("{by} context hex:{}", "1b".repeat(256)).into_bytes(),
        format!("{by}\na: OK (FN-DSA-16 {k})").into_bytes(),
        format!("fndsa signature FN-DSA-16 by {k2}").into_bytes(),
        format!("fndsa signature \x1b]0;x\x07 by {k}").into_bytes(),
        [by.as_bytes(), b" context \"\xff\xfe\""].concat(),
        vec![b'x'; 60_000],
        format!("{by}{}", " ".repeat(50_000)).into_bytes(),
        b"\0".to_vec(),
        Vec::new(),
    ];
    for (i, line) in lines.iter().enumerate() {
        write_signature_with_note(&directory, "s", line);
        let shown_line = String::from_utf8_lossy(&line[..line.len().min(100)]).into_owned();
        let nul = line.contains(&0);
        let (yes, assert_reason) = (if nul { 3 } else { 0 }, if nul { 3 } else { 1 });
        for (options, code) in [
            ("-s s a", yes),
            ("-s s b", assert_reason),
            ("-s s -c x a", assert_reason),
            ("-s s --prehash sha256 a", assert_reason),
        ] {
            for extra in ["", "-v", "--explain", "--json"] {
                let output = directory.run(&format!("{VERIFY} {extra} {options}")).code(code);
                for text in [&output.out, &output.err] {
                    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{i} {shown_line:?}: {output:?}");
                    assert!(!text.contains('\u{202e}'), "{i} {shown_line:?}: {output:?}");
                }
                if code == 1 && extra != "--json" {
                    assert!(
                        !output.out.contains("OK") && output.out.lines().count() == 1,
                        "{i} {shown_line:?}: {output:?}"
                    );
                    assert!(!output.err.contains("OK"), "{i} {shown_line:?}: {output:?}");
                }
            }
        }
        if !nul {
            let output = directory.run("--allow-weak inspect -v s").code(0);
            assert!(!format!("{}{}", output.out, output.err).contains("OK"), "{i} {shown_line:?}: {output:?}");
        }
    }
    // If the note names a key that did not sign, the verdict does not change, and fndsa still
    // reports the signing key.
    write_signature_with_note(&directory, "s", format!("fndsa signature FN-DSA-16 by {k2}").as_bytes());
    directory.run(&format!("{VERIFY} -s s a")).code(0).out_has(&k).err_empty();
    directory.run(&format!("{VERIFY} --explain -s s -c x a")).code(1).err_has("matches with no context");
}

#[test]
fn signature_files_without_a_complete_note_are_accepted() {
    let directory = TestDirectory::toy();
    let k = fingerprint(&directory, "k.pub");
    write_signature_with_note(&directory, "old", format!("fndsa signature FN-DSA-16 by {k}").as_bytes());
    write_signature_with_note(&directory, "none", b"");
    directory.run("--allow-weak convert a.sig -o raw --to raw").code(0);
    let crlf = directory.text("a.sig").replace('\n', "\r\n");
    directory.put("crlf", crlf);
    for (signature, says) in [("old", true), ("crlf", true), ("none", false), ("raw", false)] {
        directory.run(&format!("{VERIFY} -s {signature} a")).code(0);
        let json = directory.run(&format!("--json {VERIFY} -s {signature} b")).code(1).json();
        assert_eq!(json["results"][0].get("claims").is_some(), says, "{signature}");
        let words = if says {
            "names a given key (not proven)"
        } else {
            "hint: the file was changed, or another key signed it"
        };
        directory.run(&format!("{VERIFY} -s {signature} b")).code(1).err_has(words);
    }
}

#[test]
fn verbose_output_names_context_and_pre_hash() {
    let directory = TestDirectory::toy();
    directory.run("--allow-weak sign -k k.key -c v1 --prehash sha512 b").code(0);
    let level_name = |output: &crate::harness::ProgramOutput| {
        output.err.rsplit_once("level ").map(|(_, level_name)| level_name.trim().to_owned())
    };
    let output = directory.run(&format!("-v {VERIFY} a")).code(0);
    assert!(
        output.err.contains("\na: 6 bytes, signature a.sig, no context, no pre-hash, key k.pub, level "),
        "{output:?}"
    );
    let known = directory.run("--version").out;
    assert!(level_name(&output).is_some_and(|level_name| known.contains(&level_name)), "{output:?}");
    let output = directory.run(&format!("-v {VERIFY} -p k2.pub -c v1 --prehash sha512 b")).code(0);
    assert!(output.err.contains("\nb: 2 bytes, signature b.sig, context \"v1\", pre-hash sha512, key k.pub, level "));
    let output = directory.run(&format!("-v {VERIFY} -p k2.pub -s b.sig b")).code(1);
    assert!(
        output.err.contains("\nb: signature b.sig, no context, no pre-hash, key k.pub, k2.pub, level "),
        "{output:?}"
    );
    directory.run("--allow-weak inspect -v b.sig").code(0).err_has("b.sig: checked on level ").err_has(&format!(
        "b.sig: signature note (not proven): by {} context \"v1\" prehash sha512",
        fingerprint(&directory, "k.pub")
    ));
    let json = directory.run("--allow-weak --json inspect b.sig k.pub").code(0).json();
    assert_eq!(json["results"][0]["claims"]["context"]["text"], "v1");
    assert!(json["results"][1].get("claims").is_none());
    directory.run("--allow-weak inspect b.sig").code(0).err_empty();
}
