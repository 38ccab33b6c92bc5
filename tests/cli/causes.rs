//! Tests for hints, notes and warnings. A hint after a NO names a cause that an additional check
//! has proved. A note after a YES warns users if the YES proves less than they expect.

use crate::harness::{ProgramCall, TestDirectory, have, skip};
use std::fs;

/// Returns a directory with an Ed25519 key pair `e`.
fn directory_with_ed25519_key() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.run("keygen -a ed25519 e").code(0);
    directory
}

#[test]
fn changed_line_ends_are_reported_as_the_cause() {
    let directory = directory_with_ed25519_key();
    for (signed, found, words) in [
        ("one\ntwo\n", "one\r\ntwo\r\n", "a program changed the line ends from LF to CR LF: get the"),
        ("one\r\ntwo\r\n", "one\ntwo\n", "a program changed the line ends from CR LF to LF: get the"),
    ] {
        directory.put("t", signed);
        directory.run("sign -f -k e.key t").code(0);
        directory.run("sign -f -k e.key -M sums t").code(0);
        directory.put("t", found);
        directory.run("verify -p e.pub t").code(1).err_has(words);
        directory.run("verify --explain -p e.pub t").code(1).err_has(words);
        directory.run("verify -p e.pub -M sums").code(1).err_has(words);
        directory.put("t", "three\n");
        let output = directory.run("verify -p e.pub t").code(1);
        assert!(!output.err.contains("line ends"), "{}", output.err);
    }
}

#[test]
fn another_variant_of_ed25519_is_reported_as_the_cause() {
    let directory = directory_with_ed25519_key();
    directory.put("t", "one\n");
    directory.put("u", "two\n");
    let ph = "add --prehash sha512: the signature is an Ed25519ph signature of this message";
    let pure = "leave --prehash out: the signature is an Ed25519 signature of this message, without a pre-hash";
    for (signed, verified, words) in [("--prehash sha512", "", ph), ("", "--prehash sha512", pure)] {
        directory.run(&format!("sign -f -k e.key {signed} --format raw -o s t")).code(0);
        let words = [("", words), ("--explain", "t: the signature matches with")];
        for (options, words) in words {
            directory.run(&format!("verify {options} {verified} -p e.pub -s s t")).code(1).err_has(words);
            let output = directory.run(&format!("verify {options} {verified} -p e.pub -s s u")).code(1);
            assert!(!output.err.contains(words), "{}", output.err);
        }
        directory.run(&format!("verify {signed} -p e.pub -s s t")).code(0);
    }
}

#[test]
fn another_name_in_the_list_is_reported_as_the_cause() {
    let directory = directory_with_ed25519_key();
    fs::create_dir(directory.path("dl")).unwrap();
    directory.put("dl/app.gz", "app");
    directory.put("dl/other", "other");
    directory.run("sign -k e.key -M sums -r dl").code(0);
    directory.run("verify -p e.pub -M sums dl/app.gz").code(1).err_has("add -C dl, and name the file app.gz");
    fs::rename(directory.path("dl/app.gz"), directory.path("dl/app-1.gz")).unwrap();
    let renamed = "rename the file to app.gz: it has the checksum of app.gz in the list";
    directory.run("verify -p e.pub -M sums -C dl app-1.gz").code(1).err_has(renamed);
    directory.put("dl/new", "new");
    directory
        .run("verify -p e.pub -M sums -C dl new")
        .code(1)
        .err_has("names in the list are relative to the given directory");
}

#[test]
fn verifying_a_list_as_a_file_prints_a_note() {
    let directory = directory_with_ed25519_key();
    directory.run("sign -k e.key -M sums a b").code(0);
    let words = "its files were not checked: `fndsa verify -M sums` checks the files, too";
    directory.run("verify -p e.pub sums").code(0).err_has(words);
    directory.run("verify --json -p e.pub sums").code(0).out_has("its files were not checked");
    directory.run("verify -q -p e.pub sums").code(0).err_empty();
    directory.run("sign -f -k e.key a").code(0);
    directory.run("verify -p e.pub a").code(0).err_empty();
}

#[test]
fn names_that_collide_on_other_systems_cause_a_warning() {
    for (names, words) in [
        (
            &["readme", "README"][..],
            "readme and README differ only in capital and small letters: macOS and Windows keep only one of the two files, so the list cannot be verified there",
        ),
        (&["a:b"], "the name contains `:`, which on Windows is a drive or a stream"),
        (&["con.txt"], "the name is reserved for a device on Windows"),
        (&["dot."], "the name ends with a space or a dot, which Windows removes"),
        (&["back\\slash"], "which Windows reads as `/`"),
    ] {
        let directory = directory_with_ed25519_key();
        names.iter().for_each(|name| directory.put(name, "x"));
        let call = directory.call("sign -k e.key -M sums");
        names.iter().fold(call, ProgramCall::arg).run().code(0).err_has(words);
        directory.run("verify -p e.pub -M sums").code(0);
    }
    let directory = directory_with_ed25519_key();
    let output = directory.run("sign -k e.key -M sums a b").code(0);
    assert!(!output.err.contains("warning"), "{}", output.err);
}

#[test]
fn lines_are_parsed_as_by_sha256sum() {
    if !have("sha256sum") {
        return skip("lines that sha256sum parses", "sha256sum is not installed");
    }
    let directory = directory_with_ed25519_key();
    directory.put("n", "x");
    let hex = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    for line in [
        format!("{hex}  n"),
        format!("{hex} *n"),
        format!("{hex} n"),
        format!("{hex}\tn"),
        format!("{hex}\t n"),
        format!("{hex}\t\tn"),
        format!(" \t{hex}  n"),
        format!("\\{hex}  n"),
        format!(" \\{hex}  n"),
        format!("\\ {hex}  n"),
        format!("{}  n", hex.to_uppercase()),
        format!("{hex}  n\r"),
        format!("{hex}  n "),
        format!("{hex}n"),
        format!("{hex}0  n"),
        format!("SHA256 (n) = {hex}"),
        format!("SHA256(n)= {hex}"),
        format!("SHA256(n)={hex}"),
        format!("SHA256 (n)\t=\t{hex}"),
        format!("  SHA256 (n) = {hex}\r"),
        format!("SHA256 (n) = {hex} "),
        format!("SHA256 (n) = {hex}0"),
        format!("SHA256  (n) = {hex}"),
        format!("SHA256 n = {hex}"),
        format!("SHA256 ( n) = {hex}"),
        format!("SHA2-256(n)= {hex}"),
        format!("\\SHA256 (n) = {hex}"),
        format!("sha256 (n) = {hex}"),
        format!("SHA512 (n) = {hex}"),
    ] {
        directory.put("L", format!("{line}\n"));
        let sha256sum_code = directory.sh("sha256sum -c --strict L").code;
        directory.run("sign -f -k e.key L").code(0);
        let fndsa_output = directory.run("verify -p e.pub -M L");
        assert_eq!(fndsa_output.code == 0, sha256sum_code == 0, "{line:?}: {}{}", fndsa_output.out, fndsa_output.err);
        let strict = directory.run("verify -p e.pub -M L n");
        assert_eq!(strict.code == 0, sha256sum_code == 0, "{line:?}: {}{}", strict.out, strict.err);
    }
}

#[test]
fn the_certificate_of_an_authority_causes_a_warning() {
    if !have("openssl") {
        return skip("certificates of an authority", "openssl is not installed");
    }
    let directory = directory_with_ed25519_key();
    directory.run("sign -f -k e.key a").code(0);
    directory.sh("openssl genpkey -algorithm ed25519 -out o.key").code(0);
    for (name, extensions, is_authority) in [
        ("leaf", "basicConstraints=CA:FALSE\nkeyUsage=digitalSignature", false),
        ("ca", "basicConstraints=critical,CA:TRUE", true),
        ("usage", "basicConstraints=CA:FALSE\nkeyUsage=critical,digitalSignature,keyCertSign", false),
    ] {
        directory.put("conf", format!("[req]\ndistinguished_name=d\nx509_extensions=e\n[d]\n[e]\n{extensions}\n"));
        directory.sh(&format!("openssl req -x509 -new -key o.key -config conf -subj /CN=x -out {name}.crt")).code(0);
        let output = directory.run(&format!("verify -p {name}.crt a")).code(1);
        assert_eq!(
            output.err.contains(": this is a CA certificate, and fndsa accepts its key as a"),
            is_authority,
            "{name}: {}",
            output.err
        );
    }
}

#[test]
fn a_fingerprint_is_accepted_with_and_without_its_prefix() {
    let directory = directory_with_ed25519_key();
    directory.run("sign -f -k e.key a").code(0);
    let output = directory.run("inspect --json e.pub").code(0);
    let digits = output.out.split("sha256:").nth(1).unwrap()[..64].to_owned();
    for given in [format!("sha256:{digits}"), digits.clone(), format!("SHA256:{}", digits.to_uppercase())] {
        directory.run(&format!("verify -p e.pub --expect-key {given} a")).code(0);
    }
    directory
        .run(&format!("verify -p e.pub --expect-key {} a", &digits[..62]))
        .code(2)
        .err_has("but this has 62 digits");
    directory.run(&format!("verify -p e.pub --expect-key {} a", "0".repeat(64))).code(1);
}

#[test]
fn the_signature_of_an_older_list_causes_a_warning() {
    let directory = directory_with_ed25519_key();
    directory.run("sign -k e.key -M sums a").code(0);
    let words = "sums.sig: this file is the signature of an older list";
    directory.run("sign -f --inline -k e.key -M sums a").code(0).err_has(words);
    directory.remove("sums.sig");
    let output = directory.run("sign -f --inline -k e.key -M sums a").code(0);
    assert!(!output.err.contains("older list"), "{}", output.err);
}

#[test]
fn usage_errors_keep_line_ends_and_suggest_no_value() {
    let directory = directory_with_ed25519_key();
    let output = directory.run("verify -p e.pub -Z a").code(2);
    assert!(!output.err.contains("as a value"), "{}", output.err);
    for value in ["2020\n", "20\u{1b}20"] {
        let output = directory.call("verify -p e.pub a --at").arg(value).run().code(2).err_has("For more information");
        assert!(!output.err.contains("\\u{a}\\u{a}") && output.err.lines().count() > 1, "{}", output.err);
        assert!(!output.err.contains('\u{1b}') && output.err.contains("\\u{"), "{}", output.err);
    }
    // A line end in a value does not start a new line in the output.
    let output = directory.call("verify -p e.pub a --at").arg("1\na: OK").run().code(2);
    assert!(!output.err.lines().any(|line| line == "a: OK"), "{}", output.err);
}
