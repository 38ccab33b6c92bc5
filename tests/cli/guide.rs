//! Runs the guides in docs/: the code blocks of a guide in order, in a single shell. Also tests the
//! script that fills the download page.

#[path = "../recipes/console.rs"]
mod console;

use crate::harness::{FNDSA, ProgramCall, TestDirectory};
use std::path::Path;

/// Runs the blocks in a guide that are fenced as `sh` or `console`, in a directory with an
/// `app.tar.gz`. The guide must have at least `least` blocks. Compares the output with the guide,
/// and returns the output.
fn run_guide(text: &str, least: usize) -> String {
    run_guide_with(text, least, "")
}

/// Runs the lines in `before` and then the guide, like [`run_guide`].
fn run_guide_with(text: &str, least: usize, before: &str) -> String {
    let script = console::to_shell_blocks(text);
    let blocks: Vec<_> = script.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= least, "the blocks were not found");
    let directory = TestDirectory::empty();
    directory.put("app.tar.gz", "an application");
    let mut path = Path::new(FNDSA).parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let bash = ProgramCall::new("bash", directory.root()).env("PATH", path);
    let lines = format!("{before}\n{}", blocks.concat());
    let output = bash.arg("-euo").arg("pipefail").arg("-c").arg(lines).run().code(0).out;
    console::check_output(text, &output);
    output
}

/// Checks how often each text appears in a guide's output.
fn assert_counts(output: &str, counts: &[(&str, usize)]) {
    for (case, times) in counts {
        assert_eq!(output.matches(case).count(), *times, "{case}\n{output}");
    }
}

#[test]
fn the_first_hour_works_as_in_the_guide() {
    let page = include_str!("../../docs/first-hour.md");
    let output = run_guide(&console::to_shell_blocks(page), 10);
    assert_eq!(console::check_output(page, &output), 13);
    assert_counts(
        &output,
        &[
            ("dist/notes.txt: OK\n", 1),
            ("dist/notes.txt: FAILED (", 1),
            ("exit code 1\n", 1),
            // At its end, the guide copies the release without notes.txt to a second directory, and
            // runs the command that `inspect --markdown` printed. This command verifies only the
            // listed files that exist, so it prints this line and no line for notes.txt.
            ("\napp.tar.gz: OK\n", 1),
            (": a key pair\n", 1),
        ],
    );
}

/// The guide to key ceremonies works. The test reads the password from a file instead of a
/// terminal.
#[test]
fn a_key_ceremony_works_as_in_the_guide() {
    let password = "echo 'the first half, the second half' >password; export FNDSA_PASSWORD_FILE=$PWD/password";
    let text = include_str!("../../docs/key-ceremony.md");
    let output = run_guide_with(text, 10, password);
    assert_counts(
        &output,
        &[("app.tar.gz: OK\n", 1), ("drill.txt: OK (", 1), ("typed.key and standard.pub: a key pair\n", 1)],
    );
    // The key, all copies and the published file have the same fingerprint.
    let fingerprints = |name: &str| {
        let lines = output.lines().filter(|line| line.starts_with(name) && line.contains(" public key, "));
        lines.map(|line| line.rsplit(", ").next().unwrap()).collect::<Vec<_>>()
    };
    let computed = fingerprints("standard input: ");
    assert_eq!(computed.len(), 3, "{output}");
    assert_eq!(
        computed,
        [fingerprints("release.pub: "), fingerprints("copy-1/release.pub: "), fingerprints("copy-2/release.pub: ")]
            .concat(),
        "{output}"
    );
    // Half the password does not decrypt the key file.
    for half in ["the first half, ", "the second half"] {
        let lines = format!("{password}; fndsa keygen -q --encrypt release; printf '{half}' >password");
        let alone = "```sh\nfndsa pubkey release.key || echo \"exit code $?\"\n";
        assert_counts(&run_guide_with(alone, 1, &lines), &[("exit code 5\n", 1)]);
    }
}

#[test]
fn passwords_work_as_in_the_guide() {
    let output = run_guide(include_str!("../../docs/encrypted-keys.md"), 5);
    assert_counts(
        &output,
        &[("app.tar.gz: OK (", 1), ("exit code 5\n", 1), ("vault.key and vault.pub: a key pair\n", 1)],
    );
}

#[test]
fn rotation_works_as_in_the_guide() {
    let output = run_guide(include_str!("../../docs/rotation.md"), 6);
    assert_counts(
        &output,
        &[
            ("app.tar.gz: OK (", 5),
            ("release-2027.pub: OK (", 1),
            ("which expired: it was valid until 2096-06-30)", 1),
            ("which is revoked: 2026-11-02, stolen)", 1),
            ("exit code 1\n", 2),
        ],
    );
}

#[test]
fn policies_work_as_in_the_guide() {
    run_guide(include_str!("../../docs/policies.md"), 5);
}

#[test]
fn envelopes_work_as_in_the_guide() {
    run_guide(include_str!("../../docs/dsse.md"), 1);
}

#[test]
fn ssh_signatures_work_as_in_the_guide() {
    let output = run_guide(include_str!("../../docs/ssh.md"), 2);
    assert_counts(&output, &[("app.tar.gz: OK (ML-DSA-44-Ed25519 ", 1)]);
}

#[test]
fn json_web_signatures_work_as_in_the_guide() {
    let output = run_guide(include_str!("../../docs/jose.md"), 3);
    assert_counts(&output, &[("app.tar.gz: OK (ML-DSA-65 ", 1), ("JWK thumbprint: ", 1)]);
}

#[test]
fn cms_signatures_work_as_in_the_guide() {
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kat/cms");
    let before = format!("install -m 600 {files}/mldsa65.p8.der release.key; cp {files}/mldsa65.crt.der release.crt");
    let output = run_guide_with(include_str!("../../docs/cms.md"), 2, &before);
    assert_counts(&output, &[("app.tar.gz: OK (ML-DSA-65 ", 1), ("1 certificate in the file", 1)]);
}

#[test]
fn certificates_work_as_in_the_guide() {
    let output = run_guide(include_str!("../../docs/x509.md"), 3);
    assert_counts(&output, &[("signature: valid for the key in the file", 1), ("release.csr: a key pair", 1)]);
}

#[test]
fn versions_work_as_in_the_guide() {
    run_guide(include_str!("../../docs/versions.md"), 1);
}

/// A release's page "Get fndsa" contains the version, and a row with a checksum for each file.
#[test]
fn the_download_page_is_filled_from_the_files_of_a_release() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/packages/get");
    let page = include_str!("../../docs/get.md").replace("VERSION", env!("CARGO_PKG_VERSION"));
    let directory = TestDirectory::empty();
    let rows: Vec<_> = page.lines().filter(|line| line.contains("| `fndsa")).collect();
    assert!(rows.len() >= 10, "{page}");
    let files: Vec<_> = rows.iter().map(|row| row.split('`').nth(1).unwrap()).collect();
    for file in &files {
        directory.put(file, format!("the content of {file}"));
    }
    let get = || ProgramCall::new(script, directory.root()).arg(".").run();
    let output = get().code(0).out;
    for (row, file) in rows.iter().zip(&files) {
        let sum = directory.sh(&format!("sha256sum {file}")).code(0).out;
        let sum = sum.split(' ').next().unwrap();
        let row = row.replace("([the page that verifies](page.md))", "(the page that verifies)");
        assert!(output.lines().any(|line| line == format!("{row} `{sum}` |")), "{row}\n{output}");
    }
    assert!(!output.contains("fndsa-VERSION") && !output.contains("fndsa_VERSION"), "{output}");
    assert_eq!(output.lines().count(), page.lines().count());
    directory.sh(&format!("rm {}", files[3])).code(0);
    get().code(2).err_has(files[3]);
}
