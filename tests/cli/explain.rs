//! Tests for `verify --explain`: it names the cause of a NO, and does not change the verdict.

use crate::harness::{ProgramOutput, TestDirectory};

const SIGN: &str = "--allow-weak sign -f -k k.key";

fn explain(directory: &TestDirectory, line: &str) -> ProgramOutput {
    directory.run(&format!("--allow-weak verify --explain {line}"))
}

#[test]
fn the_cause_of_a_no_is_reported() {
    let directory = TestDirectory::toy();
    let trimmed_output = |output: ProgramOutput| output.out.trim_end().to_owned();
    let assert_cause = |line: &str, words: &str| {
        let output = explain(&directory, line).code(1);
        assert!(output.out.contains(": FAILED ("), "{line}: {output:?}");
        assert!(output.err.contains("explain: ") && output.err.contains(words), "{line}: {output:?}");
    };
    assert_cause("-p k.pub -c v1 a", "a: the signature matches with no context");
    assert_cause("-p k.pub --prehash sha512 a", "a: the signature matches with no pre-hash");
    assert_cause("-p k.pub -c v1 --prehash sha512 a", "matches with no pre-hash, with no context");
    for hash in ["sha256", "sha384", "sha512", "sha512-256", "sha3-256", "sha3-384", "sha3-512", "shake128", "shake256"]
    {
        directory.run(&format!("{SIGN} --prehash {hash} -c v1 b")).code(0);
        assert_cause("-p k.pub -c v1 b", &format!("matches with --prehash {hash}\n"));
    }
    directory.run(&format!("{SIGN} -c v1 b")).code(0);
    assert_cause("-p k.pub b", "b: the signature matches with --context v1\n");
    assert_cause("-p k.pub -c v2 b", "b: the signature matches with --context v1\n");
    directory.run(&format!("{SIGN} --context-hex 00ff --prehash sha512 b")).code(0);
    assert_cause("-p k.pub b", "b: the signature matches with --prehash sha512, with --context-hex 00ff\n");
    directory.run(&format!("{SIGN} -c v1 b")).code(0);
    // Without a note, the context is not known.
    directory.sh("sed -i 1d b.sig").code(0);
    assert_cause("-p k.pub b", "no match in 10 attempts (every given key, every pre-hash, no context)");
    // A note that names a wrong context.
    directory.put(
        "b.sig",
        format!("fndsa signature FN-DSA-16 by sha256:{} context \"v3\"\n{}", "0".repeat(64), directory.text("b.sig")),
    );
    assert_cause(
        "-p k.pub b",
        "no match in 20 attempts (every given key, every pre-hash, no context or the context in the signature note)",
    );
    assert_cause(
        "-p k.pub -c v2 b",
        "(every given key, every pre-hash, the given context, the context in the signature note, or none)",
    );
    directory.run(&format!("{SIGN} -c v1 b")).code(0);
    assert_cause("-p k.pub -c v1 --prehash shake256 b", "with no pre-hash\n");

    // The file contains a digest or a mu, but the command line has no option for this. Or the file
    // contains an ordinary message, but the command line has the option for a digest or a mu.
    directory.run(&format!("{SIGN} --prehash sha512 -o s b")).code(0);
    directory.put("digest", trimmed_output(directory.sh("sha512sum <b | cut -c1-128")));
    assert_cause("-p k.pub -s s digest", "with --prehash sha512 --prehashed");
    assert_cause("-p k.pub --prehash sha512 -s s digest", "with --prehash sha512 --prehashed");
    directory.put("mu", trimmed_output(directory.run("--allow-weak sign -k k.key --prehash sha512 --print-mu b")));
    assert_cause("-p k.pub -s s mu", "with --mu");
    assert_cause("-p k.pub --prehash sha512 --prehashed -s s mu", "with --mu");
    directory.put("x", "y".repeat(64));
    directory.run(&format!("{SIGN} x")).code(0);
    assert_cause("-p k.pub --mu x", "without --mu");
    directory.run(&format!("{SIGN} --prehash sha512 x")).code(0);
    assert_cause("-p k.pub --prehash sha512 --prehashed x", "with --prehash sha512, without --prehashed");
    assert_cause("-p k.pub --mu x", "with --prehash sha512, without --mu");
}

#[test]
fn the_key_that_verifies_is_reported() {
    let directory = TestDirectory::toy();
    let key_fingerprint = |key: &str| {
        let text = directory.run(&format!("--allow-weak inspect {key}")).out;
        let offset = text.find("sha256:").unwrap();
        text[offset..offset + 71].to_owned()
    };
    let (k, k2) = (key_fingerprint("k.pub"), key_fingerprint("k2.pub"));
    explain(&directory, "-p k2.pub a")
        .code(1)
        .err_has(&format!("the signature is FN-DSA-16, but the given keys are FN-DSA-32 {k2}"));
    let output = explain(&directory, &format!("-p k.pub -p k2.pub --expect-key {k2} -c v1 a")).code(1);
    output.err_has(&format!("matches with no context, by FN-DSA-16 {k}, which --expect-key does not accept"));
    explain(&directory, &format!("-p k.pub --expect-key {k2} a")).code(1).err_has(&format!("matches by FN-DSA-16 {k}"));
    explain(&directory, &format!("-p k.pub --expect-key {k2} -s a.sig nosuch")).code(1);
}

#[test]
fn standard_input_is_read_once_for_all_attempts() {
    let directory = TestDirectory::toy();
    directory.run(&format!("{SIGN} --prehash sha3-384 -o s a")).code(0);
    let output = directory.sh("cat a | $FNDSA --allow-weak verify --explain -p k.pub -c v1 -s s -").code(1);
    output.err_has("explain: -: the signature matches with --prehash sha3-384, with no context");
}

#[test]
fn json_contains_the_cause() {
    let directory = TestDirectory::toy();
    directory.run(&format!("{SIGN} --prehash sha256 b")).code(0);
    let json = explain(&directory, "--json -p k.pub a b").code(1).json();
    let (valid, invalid) = (&json["results"][0], &json["results"][1]);
    assert!(valid.get("explain").is_none() && valid.get("cause").is_none());
    assert_eq!(invalid["cause"]["prehash"], "sha256");
    assert_eq!(invalid["explain"][0], "the signature matches with --prehash sha256");
    let json = explain(&directory, "--json -p k.pub -s a.sig b").code(1).json();
    assert!(json["results"][0]["cause"].is_null());
}

#[test]
fn the_verdict_never_changes() {
    let directory = TestDirectory::toy();
    directory.put("list", format!("{}  a\n", "0".repeat(64)));
    directory.put("empty", "");
    directory.put("sixty-four", "x".repeat(64));
    for name in ["list", "b", "empty", "sixty-four"] {
        directory.run(&format!("{SIGN} -c v1 --prehash sha256 -o {name}.v1 {name}")).code(0);
        directory.run(&format!("{SIGN} {name}")).code(0);
        directory.run(&format!("--allow-weak sign -k k2.key -o {name}.k2 {name}")).code(0);
    }
    directory.put("junk.sig", "junk");
    directory.put("junk", "junk");
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
                let (plain, explained) = (directory.run(&line), directory.run(&format!("{line} --explain")));
                assert_eq!((plain.code, &plain.out), (explained.code, &explained.out), "{line}");
                verdicts[plain.code as usize] += 1;
            }
        }
    }
    assert!(verdicts[0] > 5 && verdicts[1] > 100 && verdicts[4] > 5, "{verdicts:?}");
}

#[test]
fn a_second_signature_by_a_counted_key_is_explained() {
    let directory = TestDirectory::toy();
    directory.run("--allow-weak keygen -a fn-dsa-16 other").code(0);
    for (key, context, words) in [
        ("k.key", "", "is valid, but a signature by FN-DSA-16 sha256:"),
        ("other.key", "-c v1", "matches with --context v1\n"),
    ] {
        directory.run(&format!("{SIGN} -o first b")).code(0);
        directory.run(&format!("--allow-weak sign -f -k {key} {context} -o second b")).code(0);
        directory.sh("cat first second >b.sig").code(0);
        let output = explain(&directory, "-p k.pub -p other.pub --require all b").code(1);
        assert!(output.err.contains(&format!("explain: b: the signature {words}")), "{output:?}");
    }
}
