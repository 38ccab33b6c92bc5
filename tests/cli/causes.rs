//! Tests for hints, notes and warnings. A hint after a NO names a cause that an additional check
//! has proved. A note after a YES warns users if the YES proves less than they expect.

use crate::harness::{ProgramCall, TestDirectory, have, skip};
use std::fs;

/// Returns a directory with an Ed25519 key pair `e`.
fn directory_with_ed25519_key() -> TestDirectory {
    let place = TestDirectory::ready();
    place.run("keygen -a ed25519 e").code(0);
    place
}

#[test]
fn changed_line_ends_are_reported_as_the_cause() {
    let place = directory_with_ed25519_key();
    for (signed, found, words) in [
        ("one\ntwo\n", "one\r\ntwo\r\n", "a program changed the line ends from LF to CR LF: get the"),
        ("one\r\ntwo\r\n", "one\ntwo\n", "a program changed the line ends from CR LF to LF: get the"),
    ] {
        place.put("t", signed);
        place.run("sign -f -k e.key t").code(0);
        place.run("sign -f -k e.key -M sums t").code(0);
        place.put("t", found);
        place.run("verify -p e.pub t").code(1).err_has(words);
        place.run("verify --explain -p e.pub t").code(1).err_has(words);
        place.run("verify -p e.pub -M sums").code(1).err_has(words);
        place.put("t", "three\n");
        let done = place.run("verify -p e.pub t").code(1);
        assert!(!done.err.contains("line ends"), "{}", done.err);
    }
}

#[test]
fn another_variant_of_ed25519_is_reported_as_the_cause() {
    let place = directory_with_ed25519_key();
    place.put("t", "one\n");
    place.put("u", "two\n");
    let ph = "add --prehash sha512: the signature is an Ed25519ph signature of this message";
    let pure = "leave --prehash out: the signature is an Ed25519 signature of this message, without a pre-hash";
    for (signed, verified, words) in [("--prehash sha512", "", ph), ("", "--prehash sha512", pure)] {
        place.run(&format!("sign -f -k e.key {signed} --format raw -o s t")).code(0);
        let words = [("", words), ("--explain", "t: the signature matches with")];
        for (options, words) in words {
            place.run(&format!("verify {options} {verified} -p e.pub -s s t")).code(1).err_has(words);
            let done = place.run(&format!("verify {options} {verified} -p e.pub -s s u")).code(1);
            assert!(!done.err.contains(words), "{}", done.err);
        }
        place.run(&format!("verify {signed} -p e.pub -s s t")).code(0);
    }
}

#[test]
fn another_name_in_the_list_is_reported_as_the_cause() {
    let place = directory_with_ed25519_key();
    fs::create_dir(place.path("dl")).unwrap();
    place.put("dl/app.gz", "app");
    place.put("dl/other", "other");
    place.run("sign -k e.key -M sums -r dl").code(0);
    place.run("verify -p e.pub -M sums dl/app.gz").code(1).err_has("add -C dl, and name the file app.gz");
    fs::rename(place.path("dl/app.gz"), place.path("dl/app-1.gz")).unwrap();
    let renamed = "rename the file to app.gz: it has the checksum of app.gz in the list";
    place.run("verify -p e.pub -M sums -C dl app-1.gz").code(1).err_has(renamed);
    place.put("dl/new", "new");
    place
        .run("verify -p e.pub -M sums -C dl new")
        .code(1)
        .err_has("names in the list are relative to the given directory");
}

#[test]
fn verifying_a_list_as_a_file_prints_a_note() {
    let place = directory_with_ed25519_key();
    place.run("sign -k e.key -M sums a b").code(0);
    let words = "its files were not checked: `fndsa verify -M sums` checks the files, too";
    place.run("verify -p e.pub sums").code(0).err_has(words);
    place.run("verify --json -p e.pub sums").code(0).out_has("its files were not checked");
    place.run("verify -q -p e.pub sums").code(0).err_empty();
    place.run("sign -f -k e.key a").code(0);
    place.run("verify -p e.pub a").code(0).err_empty();
}

#[test]
fn names_that_collide_on_other_systems_cause_a_warning() {
    for (names, words) in [
        (&["readme", "README"][..], "readme and README differ only in capital and small letters"),
        (&["a:b"], "the name contains `:`, which on Windows is a drive or a stream"),
        (&["con.txt"], "the name is reserved for a device on Windows"),
        (&["dot."], "the name ends with a space or a dot, which Windows removes"),
        (&["back\\slash"], "which Windows reads as `/`"),
    ] {
        let place = directory_with_ed25519_key();
        names.iter().for_each(|name| place.put(name, "x"));
        let call = place.call("sign -k e.key -M sums");
        names.iter().fold(call, ProgramCall::arg).run().code(0).err_has(words);
        place.run("verify -p e.pub -M sums").code(0);
    }
    let place = directory_with_ed25519_key();
    let done = place.run("sign -k e.key -M sums a b").code(0);
    assert!(!done.err.contains("warning"), "{}", done.err);
}

#[test]
fn lines_are_parsed_as_by_sha256sum() {
    if !have("sha256sum") {
        return skip("lines that sha256sum parses", "sha256sum is not installed");
    }
    let place = directory_with_ed25519_key();
    place.put("n", "x");
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
        place.put("L", format!("{line}\n"));
        let theirs = place.sh("sha256sum -c --strict L").code;
        place.run("sign -f -k e.key L").code(0);
        let ours = place.run("verify -p e.pub -M L");
        assert_eq!(ours.code == 0, theirs == 0, "{line:?}: {}{}", ours.out, ours.err);
        let strict = place.run("verify -p e.pub -M L n");
        assert_eq!(strict.code == 0, theirs == 0, "{line:?}: {}{}", strict.out, strict.err);
    }
}

#[test]
fn the_certificate_of_an_authority_causes_a_warning() {
    if !have("openssl") {
        return skip("certificates of an authority", "openssl is not installed");
    }
    let place = directory_with_ed25519_key();
    place.run("sign -f -k e.key a").code(0);
    place.sh("openssl genpkey -algorithm ed25519 -out o.key").code(0);
    for (name, extensions, is_authority) in [
        ("leaf", "basicConstraints=CA:FALSE\nkeyUsage=digitalSignature", false),
        ("ca", "basicConstraints=critical,CA:TRUE", true),
        ("usage", "basicConstraints=CA:FALSE\nkeyUsage=critical,digitalSignature,keyCertSign", false),
    ] {
        place.put("conf", format!("[req]\ndistinguished_name=d\nx509_extensions=e\n[d]\n[e]\n{extensions}\n"));
        place.sh(&format!("openssl req -x509 -new -key o.key -config conf -subj /CN=x -out {name}.crt")).code(0);
        let done = place.run(&format!("verify -p {name}.crt a")).code(1);
        assert_eq!(
            done.err.contains(": this is a CA certificate, and fndsa accepts its key as a"),
            is_authority,
            "{name}: {}",
            done.err
        );
    }
}

#[test]
fn a_fingerprint_is_accepted_with_and_without_its_prefix() {
    let place = directory_with_ed25519_key();
    place.run("sign -f -k e.key a").code(0);
    let done = place.run("inspect --json e.pub").code(0);
    let digits = done.out.split("sha256:").nth(1).unwrap()[..64].to_owned();
    for given in [format!("sha256:{digits}"), digits.clone(), format!("SHA256:{}", digits.to_uppercase())] {
        place.run(&format!("verify -p e.pub --expect-key {given} a")).code(0);
    }
    place.run(&format!("verify -p e.pub --expect-key {} a", &digits[..62])).code(2).err_has("but this has 62 digits");
    place.run(&format!("verify -p e.pub --expect-key {} a", "0".repeat(64))).code(1);
}

#[test]
fn the_signature_of_an_older_list_causes_a_warning() {
    let place = directory_with_ed25519_key();
    place.run("sign -k e.key -M sums a").code(0);
    let words = "sums.sig: this file is the signature of an older list";
    place.run("sign -f --inline -k e.key -M sums a").code(0).err_has(words);
    place.remove("sums.sig");
    let done = place.run("sign -f --inline -k e.key -M sums a").code(0);
    assert!(!done.err.contains("older list"), "{}", done.err);
}

#[test]
fn usage_errors_keep_line_ends_and_suggest_no_value() {
    let place = directory_with_ed25519_key();
    let done = place.run("verify -p e.pub -Z a").code(2);
    assert!(!done.err.contains("as a value"), "{}", done.err);
    for value in ["2020\n", "20\u{1b}20"] {
        let done = place.call("verify -p e.pub a --at").arg(value).run().code(2).err_has("For more information");
        assert!(!done.err.contains("\\u{a}\\u{a}") && done.err.lines().count() > 1, "{}", done.err);
        assert!(!done.err.contains('\u{1b}') && done.err.contains("\\u{"), "{}", done.err);
    }
    // A line end in a value does not start a new line in the output.
    let done = place.call("verify -p e.pub a --at").arg("1\na: OK").run().code(2);
    assert!(!done.err.lines().any(|line| line == "a: OK"), "{}", done.err);
}
