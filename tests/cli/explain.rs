//! Tests for `verify --explain`: it names the cause of a NO, and does not change the verdict.

use crate::harness::{ProgramOutput, TestDirectory};

const SIGN: &str = "--allow-weak sign -f -k k.key";

fn explain(place: &TestDirectory, line: &str) -> ProgramOutput {
    place.run(&format!("--allow-weak verify --explain {line}"))
}

#[test]
fn the_cause_of_a_no_is_reported() {
    let place = TestDirectory::toy();
    let hex = |done: ProgramOutput| done.out.trim_end().to_owned();
    let no = |line: &str, words: &str| {
        let done = explain(&place, line).code(1);
        assert!(done.out.contains(": FAILED ("), "{line}: {done:?}");
        assert!(done.err.contains("explain: ") && done.err.contains(words), "{line}: {done:?}");
    };
    no("-p k.pub -c v1 a", "a: the signature matches with no context");
    no("-p k.pub --prehash sha512 a", "a: the signature matches with no pre-hash");
    no("-p k.pub -c v1 --prehash sha512 a", "matches with no pre-hash, with no context");
    for hash in ["sha256", "sha384", "sha512", "sha512-256", "sha3-256", "sha3-384", "sha3-512", "shake128", "shake256"]
    {
        place.run(&format!("{SIGN} --prehash {hash} -c v1 b")).code(0);
        no("-p k.pub -c v1 b", &format!("matches with --prehash {hash}\n"));
    }
    place.run(&format!("{SIGN} -c v1 b")).code(0);
    no("-p k.pub b", "b: the signature matches with --context v1\n");
    no("-p k.pub -c v2 b", "b: the signature matches with --context v1\n");
    place.run(&format!("{SIGN} --context-hex 00ff --prehash sha512 b")).code(0);
    no("-p k.pub b", "b: the signature matches with --prehash sha512, with --context-hex 00ff\n");
    place.run(&format!("{SIGN} -c v1 b")).code(0);
    // Without a note, the context is not known.
    place.sh("sed -i 1d b.sig").code(0);
    no("-p k.pub b", "no match in 10 attempts (every given key, every pre-hash, no context)");
    // A note that names a wrong context.
    place.put(
        "b.sig",
        format!("fndsa signature FN-DSA-16 by sha256:{} context \"v3\"\n{}", "0".repeat(64), place.text("b.sig")),
    );
    no(
        "-p k.pub b",
        "no match in 20 attempts (every given key, every pre-hash, no context or the context in the signature note)",
    );
    no(
        "-p k.pub -c v2 b",
        "(every given key, every pre-hash, the given context, the context in the signature note, or none)",
    );
    place.run(&format!("{SIGN} -c v1 b")).code(0);
    no("-p k.pub -c v1 --prehash shake256 b", "with no pre-hash\n");

    // The file contains the message's digest or mu.
    place.run(&format!("{SIGN} --prehash sha512 -o s b")).code(0);
    place.put("digest", hex(place.sh("sha512sum <b | cut -c1-128")));
    no("-p k.pub -s s digest", "with --prehash sha512 --prehashed");
    no("-p k.pub --prehash sha512 -s s digest", "with --prehash sha512 --prehashed");
    place.put("mu", hex(place.run("--allow-weak sign -k k.key --prehash sha512 --print-mu b")));
    no("-p k.pub -s s mu", "with --mu");
    no("-p k.pub --prehash sha512 --prehashed -s s mu", "with --mu");
    place.put("x", "y".repeat(64));
    place.run(&format!("{SIGN} x")).code(0);
    no("-p k.pub --mu x", "without --mu");
    place.run(&format!("{SIGN} --prehash sha512 x")).code(0);
    no("-p k.pub --prehash sha512 --prehashed x", "with --prehash sha512, without --prehashed");
    no("-p k.pub --mu x", "with --prehash sha512, without --mu");
}

#[test]
fn the_key_that_verifies_is_reported() {
    let place = TestDirectory::toy();
    let name = |key: &str| {
        let text = place.run(&format!("--allow-weak inspect {key}")).out;
        let at = text.find("sha256:").unwrap();
        text[at..at + 71].to_owned()
    };
    let (k, k2) = (name("k.pub"), name("k2.pub"));
    explain(&place, "-p k2.pub a")
        .code(1)
        .err_has(&format!("the signature is FN-DSA-16, but the given keys are FN-DSA-32 {k2}"));
    let done = explain(&place, &format!("-p k.pub -p k2.pub --expect-key {k2} -c v1 a")).code(1);
    done.err_has(&format!("matches with no context, by FN-DSA-16 {k}, which --expect-key does not accept"));
    explain(&place, &format!("-p k.pub --expect-key {k2} a")).code(1).err_has(&format!("matches by FN-DSA-16 {k}"));
    explain(&place, &format!("-p k.pub --expect-key {k2} -s a.sig nosuch")).code(1);
}

#[test]
fn standard_input_is_read_once_for_all_attempts() {
    let place = TestDirectory::toy();
    place.run(&format!("{SIGN} --prehash sha3-384 -o s a")).code(0);
    let done = place.sh("cat a | $FNDSA --allow-weak verify --explain -p k.pub -c v1 -s s -").code(1);
    done.err_has("explain: -: the signature matches with --prehash sha3-384, with no context");
}

#[test]
fn json_contains_the_cause() {
    let place = TestDirectory::toy();
    place.run(&format!("{SIGN} --prehash sha256 b")).code(0);
    let json = explain(&place, "--json -p k.pub a b").code(1).json();
    let (good, bad) = (&json["results"][0], &json["results"][1]);
    assert!(good.get("explain").is_none() && good.get("cause").is_none());
    assert_eq!(bad["cause"]["prehash"], "sha256");
    assert_eq!(bad["explain"][0], "the signature matches with --prehash sha256");
    let json = explain(&place, "--json -p k.pub -s a.sig b").code(1).json();
    assert!(json["results"][0]["cause"].is_null());
}

#[test]
fn the_verdict_never_changes() {
    let place = TestDirectory::toy();
    place.put("list", format!("{}  a\n", "0".repeat(64)));
    place.put("empty", "");
    place.put("sixty-four", "x".repeat(64));
    for name in ["list", "b", "empty", "sixty-four"] {
        place.run(&format!("{SIGN} -c v1 --prehash sha256 -o {name}.v1 {name}")).code(0);
        place.run(&format!("{SIGN} {name}")).code(0);
        place.run(&format!("--allow-weak sign -k k2.key -o {name}.k2 {name}")).code(0);
    }
    place.put("junk.sig", "junk");
    place.put("junk", "junk");
    let unexpected = format!("--expect-key sha256:{}", "0".repeat(64));
    let mut verdicts = [0; 5];
    for keys in ["-p k.pub", "-p k2.pub", "-p k.pub -p k2.pub", &format!("-p k.pub {unexpected}")] {
        for form in ["", "-c v1", "--prehash sha256", "-c v1 --prehash sha256", "--mu", "--prehash sha512 --prehashed"]
        {
            for files in [
                "a b list empty sixty-four junk nosuch .",
                "-s b.v1 b",
                "-s b.k2 b",
                "-s empty.k2 empty",
                "-s sixty-four.v1 sixty-four",
                "-s a.sig nosuch",
                "-M list",
                "-M list -s list.v1",
            ] {
                let line = format!("--allow-weak verify {keys} {form} {files}");
                let (plain, explained) = (place.run(&line), place.run(&format!("{line} --explain")));
                assert_eq!((plain.code, &plain.out), (explained.code, &explained.out), "{line}");
                verdicts[plain.code as usize] += 1;
            }
        }
    }
    assert!(verdicts[0] > 5 && verdicts[1] > 100 && verdicts[4] > 5, "{verdicts:?}");
}
