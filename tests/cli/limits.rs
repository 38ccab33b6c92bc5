//! Tests for file size limits: `verify` and `--add` can read all files that `sign` writes.

use crate::harness::{TestDirectory, in_parallel, long};
use std::fmt::Write;

/// The maximum number of signatures in a file.
const MOST: usize = 64;

/// Algorithms and numbers of keys for the short test. With some numbers, a signature file is
/// slightly smaller or slightly larger than 64 KiB, which was once the limit for reading.
const SHORT: [(&str, &[usize]); 4] = [
    ("ml-dsa-87", &[1, 2, 10, 11, 63, MOST]),
    ("ml-dsa-44", &[19, 20]),
    ("fn-dsa-512", &[1, 61, 62]),
    ("ed25519", &[2, MOST]),
];
/// The algorithms for the long test, which tries all key counts from 1 to [`MOST`].
const LONG: [&str; 7] = ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "fn-dsa-512", "fn-dsa-1024", "falcon-512", "ed25519"];

/// Returns the options for the private keys with the numbers `from..to`.
fn key_options(from: usize, to: usize) -> String {
    (from..to).fold(String::new(), |mut line, i| {
        write!(line, " -k {i}.key").unwrap();
        line
    })
}

/// Signs with `count` keys, and verifies each result: a signature file, a file that grew by
/// `--add`, lists with and without an inline signature, and a DSSE envelope.
fn check_all_forms(directory: &TestDirectory, algorithm: &str, count: usize) {
    let all = key_options(0, count);
    let verify = format!("verify --trusted-keys all.pub --require {count}");
    directory.run(&format!("sign -f {all} a")).code(0);
    directory.run(&format!("{verify} a")).code(0).out_has("a: OK");
    let whole = directory.get("a.sig");
    assert_eq!(
        directory.call(&format!("{verify} -s - a")).input(whole.clone()).run().code(0).out.matches("OK").count(),
        1
    );
    for output in [directory.run("inspect a.sig"), directory.call("inspect -").input(whole).run()] {
        assert_eq!(output.code(0).out.lines().count(), count, "{algorithm}, {count} keys");
    }
    if count > 1 {
        directory.run(&format!("sign -f {} a", key_options(0, 1))).code(0);
        directory.run(&format!("sign --add {} a", key_options(1, count))).code(0);
        directory.run(&format!("{verify} a")).code(0).out_has("a: OK");
        // To replace the last signature, fndsa must read the file with all `count` signatures.
        directory.run(&format!("sign --add -f {} a", key_options(count - 1, count))).code(0);
        directory.run(&format!("{verify} a")).code(0).out_has("a: OK");
    }
    for inline in ["", "--inline"] {
        directory.run(&format!("sign -f {all} -M list {inline} a")).code(0);
        directory.run(&format!("{verify} -M list")).code(0).out_has("list: OK");
    }
    directory.run(&format!("sign -f {all} --dsse text/plain a")).code(0);
    directory.run(&format!("{verify} --dsse text/plain a.dsse")).code(0).out_has("OK");
}

#[test]
fn verify_reads_every_file_that_sign_writes() {
    let every: Vec<usize> = (1..=MOST).collect();
    let long_form = LONG.map(|algorithm| (algorithm, &every[..]));
    let rows: &[(&str, &[usize])] = if long() { &long_form } else { &SHORT };
    in_parallel(rows, |_, (algorithm, counts)| {
        let directory = TestDirectory::empty();
        directory.put("a", "a");
        let most = counts.iter().copied().max().unwrap();
        (0..most).for_each(|i| drop(directory.run(&format!("keygen -q -a {algorithm} {i}")).code(0)));
        for count in *counts {
            let public = (0..*count).map(|i| directory.text(format!("{i}.pub"))).collect::<String>();
            directory.put("all.pub", public);
            check_all_forms(&directory, algorithm, *count);
        }
    });
}

#[test]
fn sign_writes_no_file_that_verify_does_not_read() {
    let directory = TestDirectory::empty();
    directory.put("a", "a");
    (0..=MOST).for_each(|i| drop(directory.run(&format!("keygen -q -a ed25519 {i}")).code(0)));
    let words = "65 private keys are given, but a file has at most 64 signatures";
    for form in ["", "-M list", "--inline -M list"] {
        directory.run(&format!("sign {} {form} a", key_options(0, MOST + 1))).code(2).err_has(words);
    }
    assert!(!directory.has("a.sig") && !directory.has("list") && !directory.has("list.sig"));
}

#[test]
fn sign_adds_no_signature_that_makes_a_file_too_large() {
    let directory = TestDirectory::empty();
    directory.put("a", "a");
    ["0", "1"].iter().for_each(|i| drop(directory.run(&format!("keygen -q -a ml-dsa-44 {i}")).code(0)));
    directory.run("sign -k 0.key a").code(0);
    let signature = directory.text("a.sig");
    directory.put("a.sig", "x\n".repeat(1 << 20));
    let reported = directory.run("verify -p 0.pub a").code(3).out;
    let words = "the file is too large: a signature file has at most ";
    let limit: usize = reported.split_once(words).and_then(|it| it.1.split_once(' ')).unwrap().0.parse().unwrap();
    let with_text = |len: usize| format!("{}\n\n{signature}", "x".repeat(len - signature.len() - 2));
    // Both files have an allowed size. With a second signature, the first file is still allowed,
    // and the second file would be too large.
    for (len, code) in [((limit << 10) - 10_000, 0), (limit << 10, 3)] {
        directory.put("a.sig", with_text(len));
        directory.run("verify -p 0.pub a").code(0);
        let output = directory.run("sign --add -k 1.key a").code(code);
        if code == 0 {
            directory.run("verify -p 0.pub -p 1.pub --require all a").code(0);
        } else {
            output.err_has(words);
            assert_eq!(directory.text("a.sig"), with_text(len));
        }
    }
}
