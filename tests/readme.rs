//! The README is run: its shell blocks in order, in one shell, with the built `fndsa`; its tables are compared with
//! what the library says. The two commands for a fresh machine are run by `.ci/run`.

use fndsa::{Algorithm, Degree, Scheme, SignatureEncoding};
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");

/// The fingerprint that a reader gets by another way than the files; the keys of the test have another one.
const FINGERPRINT: &str = "sha256:3a41c0d6be1b2f5f9c1f0b7a64f0e9d18c52b7f6a90d3e41875c2ab6d7e8f019";
/// That of the keys made by then. Here nobody can be asked, so it comes from where the README says that it must not.
const INSPECT: &str = r#""$(fndsa inspect release.pub | sed 's/.*, //')""#;

/// The blocks fenced as `sh`, one after the other. Before a downloader looks, one file was not downloaded, and with another
/// fingerprint the answer is no.
fn shell_blocks() -> String {
    let mut script = String::new();
    for block in README.split("```sh\n").skip(1) {
        let block = block.split("```").next().unwrap();
        if block.contains(FINGERPRINT) {
            script.push_str("rm checksums.txt\n");
            let check = block.split("sha256sum").next().unwrap();
            script.push_str(&format!("code=0; {} || code=$?; test $code = 1\n", check.trim_end()));
        }
        script.push_str(&block.replace(FINGERPRINT, INSPECT));
    }
    script
}

/// The cells of the table row that starts with `first`, without thousands separators.
fn row(section: &str, first: &str) -> Vec<String> {
    let part = README.split("\n## ").find(|s| s.starts_with(section)).expect("section");
    let line = part.lines().find(|l| l.starts_with(&format!("| {first} |"))).expect("row");
    line.trim_matches('|').split('|').map(|c| c.trim().replace(',', "")).collect()
}

#[test]
fn shell_blocks_do_what_they_say() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("app.tar.gz", "an application"), ("notes.txt", "notes"), ("checksums.txt", "sums")] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let bin = Path::new(env!("CARGO_BIN_EXE_fndsa")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let script = shell_blocks();
    assert_eq!(script.matches(INSPECT).count(), 1, "the fingerprint was not found");
    assert!(script.matches("fndsa ").count() >= 10, "the blocks were not found");
    let run = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(dir.path())
        .env("PATH", path)
        .output()
        .expect("bash");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{script}\n--- stdout\n{out}\n--- stderr\n{err}");
    assert_eq!(out.matches(": OK (FN-DSA-512 sha256:").count(), 9, "{out}");
    assert_eq!(out.matches(": OK\n").count(), 6, "{out}");
    assert_eq!(out.matches("no given key has the expected fingerprint").count(), 1, "{out}");
    assert_eq!(out.matches(": OK (Falcon-512 sha256:").count(), 1, "{out}");
    assert_eq!(out.matches(": FAILED (").count(), 3, "{out}");
    assert!(out.contains("FAILED (the signature is Falcon-512, the key FN-DSA-512)"), "{out}");
    assert!(out.contains("\ngood\n"), "{out}");
}

#[test]
fn size_tables_are_the_library_s() {
    for degree in [Degree::N512, Degree::N1024] {
        for schemes in [&[Scheme::FnDsa][..], &[Scheme::Falcon, Scheme::FnDsa2024]] {
            let algorithms: Vec<_> = schemes.iter().map(|scheme| Algorithm::new(*scheme, degree)).collect();
            let names: Vec<_> = algorithms.iter().map(Algorithm::to_string).collect();
            for algorithm in algorithms {
                let sizes = [algorithm.verifying_key_len(), algorithm.signing_key_len(), algorithm.signature_len()];
                assert_eq!(row("Sizes", &names.join(", "))[1..], sizes.map(|s| s.to_string()));
            }
        }
    }
    let ct =
        Degree::all().skip(7).map(|d| Algorithm::new(Scheme::Falcon, d).encoded_signature_len(SignatureEncoding::Ct));
    let ct: Vec<_> = ct.map(|len| len.to_string()).collect();
    assert!(README.contains(&format!("constant-time signatures have {} bytes", ct.join(" and "))), "{ct:?}");
    let both =
        |f: fn(Algorithm) -> usize| [f(Algorithm::FN_DSA_512), f(Algorithm::FN_DSA_1024)].map(|len| len.to_string());
    assert_eq!(row("Sizes", "verify")[1..3], both(Algorithm::verify_work_len));
    assert_eq!(row("Sizes", "sign")[1..3], both(Algorithm::sign_work_len));
    assert_eq!(row("Sizes", "sign, key expanded")[1..3], both(Algorithm::sign_expanded_work_len));
    assert_eq!(row("Sizes", "keygen")[1..3], both(Algorithm::keygen_work_len));
    assert_eq!(row("Sizes", "check a private key")[1..3], both(Algorithm::import_work_len));
}

#[test]
fn exit_codes_are_in_the_help() {
    let help = Command::new(env!("CARGO_BIN_EXE_fndsa")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for code in ["0", "1", "2", "3", "4", "5", "6"] {
        assert!(README.contains(&format!("\n| {code} | ")), "{code}");
        assert!(help.contains(&format!("{code} ")), "{code}");
    }
}
