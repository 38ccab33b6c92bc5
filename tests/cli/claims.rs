//! Tests for signature notes: a note helps to explain a NO, but fndsa never trusts it.

use crate::harness::TestDirectory;

const VERIFY: &str = "--allow-weak verify -p k.pub";

fn fingerprint(place: &TestDirectory, file: &str) -> String {
    let text = place.run(&format!("--allow-weak inspect {file}")).code(0).out;
    let at = text.find("sha256:").unwrap();
    text[at..at + 71].to_owned()
}

/// Writes the signature of `a` to `name`, with `line` as its signature note.
fn write_signature_with_note(place: &TestDirectory, name: &str, line: &[u8]) {
    let signature = place.get("a.sig");
    let at = signature.windows(5).position(|window| window == b"-----").unwrap();
    place.put(name, [line, b"\n", &signature[at..]].concat());
}

#[test]
fn the_note_names_key_context_and_pre_hash() {
    let place = TestDirectory::toy();
    let by = format!("fndsa signature FN-DSA-16 by {}", fingerprint(&place, "k.pub"));
    place.put("context", b"\x1b[31m\n");
    place.put("mu", "00".repeat(64));
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
        place.put("digest", "00".repeat(32));
        place.run(&format!("--allow-weak sign -f -k k.key -o s {options}")).code(0);
        assert_eq!(place.text("s").lines().next().unwrap(), format!("{by}{end}"), "{options}");
        place.run(&format!("{VERIFY} -s s {options}")).code(0).err_empty();
        // `convert` keeps the signature note.
        place.run("--allow-weak convert -f s -o s2 --to pem").code(0);
        assert_eq!(place.text("s2").lines().next(), place.text("s").lines().next(), "{options}");
    }
    place.run("--allow-weak sign -k k.key -c v1 -M list a b").code(0);
    assert_eq!(place.text("list.sig").lines().next().unwrap(), format!("{by} context \"v1\""));
}

#[test]
fn a_wrong_key_is_reported_with_both_names() {
    let place = TestDirectory::toy();
    place.run("--allow-weak keygen -q -a fn-dsa-16 o").code(0);
    let (k, o) = (fingerprint(&place, "k.pub"), fingerprint(&place, "o.pub"));
    let (claimed, given) = (&k[..23], &o[..23]);
    let words = format!(
        "the signature note names the key {claimed}..., which is not among the given keys ({given}...) (not proven)"
    );
    let done = place.run("--allow-weak verify -p o.pub a").code(1).err_has(&format!("hint: {words}\n"));
    assert_eq!(done.out, "a: FAILED (signature does not match the file and the key)\n");
    place.run("--allow-weak verify --explain -p o.pub a").code(1).err_has(&words);
    let json = place.run("--allow-weak --json verify -p o.pub a").code(1).json();
    let result = &json["results"][0];
    assert_eq!((&result["claims"]["fingerprint"], &result["hint"]), (&k.clone().into(), &words.into()));
    assert!(
        result["claims"]["context"].is_null() && result["claims"]["prehash"].is_null() && result.get("key").is_none()
    );

    // The key is on the command line, but it is not an expected key.
    let line = format!("--allow-weak verify -p k.pub -p o.pub --expect-key {o} a");
    place.run(&line).code(1).err_has(&format!("the key {claimed}..., which is not an expected key (not proven)"));
    // If there are many keys, the message does not name all keys.
    for i in 0..5 {
        place.run(&format!("--allow-weak keygen -q -a fn-dsa-16 o{i}")).code(0);
    }
    place
        .run("--allow-weak verify -p o0.pub -p o1.pub -p o2.pub -p o3.pub -p o4.pub a")
        .code(1)
        .err_has("... and 2 more) (not proven)");
}

#[test]
fn another_context_or_pre_hash_is_reported() {
    let place = TestDirectory::toy();
    let no = |line: &str, words: &str| {
        place.run(&format!("{VERIFY} {line}")).code(1).err_has(&format!("hint: the signature note names {words}"));
    };
    place.run("--allow-weak sign -k k.key -c v1 --prehash sha512 b").code(0);
    no("-c v2 --prehash sha512 b", "the context \"v1\", but \"v2\" is given (not proven)");
    no("-c v1 b", "the pre-hash sha512, but no pre-hash is given (not proven)");
    no(
        "b",
        "the context \"v1\", but no context is given, and the pre-hash sha512, but no pre-hash is given (not proven)",
    );
    no("-c v1 --prehash sha256 b", "the pre-hash sha512, but sha256 is given (not proven)");
    no("--context-hex 00 -s a.sig a", "no context, but hex:00 is given (not proven)");
    no(&format!("-c {} -s a.sig a", "x".repeat(255)), &format!("no context, but \"{}... is given", "x".repeat(79)));
    // The note agrees with the command line, so the hint says that the file was probably changed.
    no("-s a.sig b", "a given key (not proven), so the file or its signature was probably changed: get both again");
    no(
        "-c v1 --prehash sha512 -s b.sig a",
        "a given key and the given context and pre-hash (not proven), so the file or its signature was probably changed: get both again",
    );
    let json = place.run(&format!("--json {VERIFY} b")).code(1).json();
    let claims = &json["results"][0]["claims"];
    assert_eq!((&claims["context"]["text"], &claims["context"]["hex"]), (&"v1".into(), &"7631".into()));
    assert_eq!(claims["prehash"], "sha512");
    let json = place.run(&format!("--json {VERIFY} -c v1 --prehash sha512 b")).code(0).json();
    assert!(json["results"][0].get("claims").is_none(), "an answer that is yes says nothing that is not proven");
}

/// A signature note does not change the verdict, and messages do not repeat its text.
#[test]
fn a_hostile_note_changes_no_verdict_and_is_not_printed() {
    let place = TestDirectory::toy();
    let (k, k2) = (fingerprint(&place, "k.pub"), fingerprint(&place, "k2.pub"));
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
        write_signature_with_note(&place, "s", line);
        let what = String::from_utf8_lossy(&line[..line.len().min(100)]).into_owned();
        let nul = line.contains(&0);
        let (yes, no) = (if nul { 3 } else { 0 }, if nul { 3 } else { 1 });
        for (options, code) in [("-s s a", yes), ("-s s b", no), ("-s s -c x a", no), ("-s s --prehash sha256 a", no)] {
            for extra in ["", "-v", "--explain", "--json"] {
                let done = place.run(&format!("{VERIFY} {extra} {options}")).code(code);
                for text in [&done.out, &done.err] {
                    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{i} {what:?}: {done:?}");
                    assert!(!text.contains('\u{202e}'), "{i} {what:?}: {done:?}");
                }
                if code == 1 && extra != "--json" {
                    assert!(!done.out.contains("OK") && done.out.lines().count() == 1, "{i} {what:?}: {done:?}");
                    assert!(!done.err.contains("OK"), "{i} {what:?}: {done:?}");
                }
            }
        }
        if !nul {
            let done = place.run("--allow-weak inspect -v s").code(0);
            assert!(!format!("{}{}", done.out, done.err).contains("OK"), "{i} {what:?}: {done:?}");
        }
    }
    // If the note names another key, the verdict does not change, and fndsa still reports the right
    // key.
    write_signature_with_note(&place, "s", format!("fndsa signature FN-DSA-16 by {k2}").as_bytes());
    place.run(&format!("{VERIFY} -s s a")).code(0).out_has(&k).err_empty();
    place.run(&format!("{VERIFY} --explain -s s -c x a")).code(1).err_has("matches with no context");
}

#[test]
fn signature_files_without_a_complete_note_are_accepted() {
    let place = TestDirectory::toy();
    let k = fingerprint(&place, "k.pub");
    write_signature_with_note(&place, "old", format!("fndsa signature FN-DSA-16 by {k}").as_bytes());
    write_signature_with_note(&place, "none", b"");
    place.run("--allow-weak convert a.sig -o raw --to raw").code(0);
    let crlf = place.text("a.sig").replace('\n', "\r\n");
    place.put("crlf", crlf);
    for (signature, says) in [("old", true), ("crlf", true), ("none", false), ("raw", false)] {
        place.run(&format!("{VERIFY} -s {signature} a")).code(0);
        let json = place.run(&format!("--json {VERIFY} -s {signature} b")).code(1).json();
        assert_eq!(json["results"][0].get("claims").is_some(), says, "{signature}");
        let words = if says {
            "names a given key (not proven)"
        } else {
            "hint: the file was changed, or another key signed it"
        };
        place.run(&format!("{VERIFY} -s {signature} b")).code(1).err_has(words);
    }
}

#[test]
fn verbose_output_names_context_and_pre_hash() {
    let place = TestDirectory::toy();
    place.run("--allow-weak sign -k k.key -c v1 --prehash sha512 b").code(0);
    let level =
        |done: &crate::harness::ProgramOutput| done.err.rsplit_once("level ").map(|(_, level)| level.trim().to_owned());
    let done = place.run(&format!("-v {VERIFY} a")).code(0);
    assert!(done.err.contains("\na: 6 bytes, signature a.sig, no context, no pre-hash, key k.pub, level "), "{done:?}");
    let known = place.run("--version").out;
    assert!(level(&done).is_some_and(|level| known.contains(&level)), "{done:?}");
    let done = place.run(&format!("-v {VERIFY} -p k2.pub -c v1 --prehash sha512 b")).code(0);
    assert!(done.err.contains("\nb: 2 bytes, signature b.sig, context \"v1\", pre-hash sha512, key k.pub, level "));
    let done = place.run(&format!("-v {VERIFY} -p k2.pub -s b.sig b")).code(1);
    assert!(done.err.contains("\nb: signature b.sig, no context, no pre-hash, key k.pub, k2.pub, level "), "{done:?}");
    place.run("--allow-weak inspect -v b.sig").code(0).err_has("b.sig: checked on level ").err_has(&format!(
        "b.sig: signature note (not proven): by {} context \"v1\" prehash sha512",
        fingerprint(&place, "k.pub")
    ));
    let json = place.run("--allow-weak --json inspect b.sig k.pub").code(0).json();
    assert_eq!(json["results"][0]["claims"]["context"]["text"], "v1");
    assert!(json["results"][1].get("claims").is_none());
    place.run("--allow-weak inspect b.sig").code(0).err_empty();
}
