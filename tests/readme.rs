//! Runs the shell blocks in the README, and then in the pages that continue its example, in a
//! single shell, with the built `fndsa`. Compares the output in the blocks with the output of the
//! program, and the tables with the library. (`.ci/lib` runs the README's commands that build the
//! program.)

#[path = "recipes/console.rs"]
mod console;

use fndsa::Algorithm;
use fndsa::algorithm::{Degree, Scheme, SignatureEncoding};
use fndsa::no_alloc::{Level, SigningKeyRef};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The README and the pages that continue the README's example.
const README: &str = concat!(
    include_str!("../README.md"),
    include_str!("../docs/downloader.md"),
    include_str!("../docs/usage.md"),
    include_str!("../docs/algorithms.md"),
    include_str!("../docs/speed.md")
);

/// The page for downloaders.
const DOWNLOADER: &str = include_str!("../docs/downloader.md");

/// The fingerprint on the page for downloaders. Readers must replace it with the fingerprint from a
/// separate source. The test's keys have different fingerprints.
const FINGERPRINT: &str = "sha256:3a41c0d6be1b2f5f9c1f0b7a64f0e9d18c52b7f6a90d3e41875c2ab6d7e8f019";
/// A bash expression for the fingerprint of the test's key. The test has no separate source, so it
/// computes the fingerprint from the downloaded key. Users must not do this, as the page for
/// downloaders says.
const FINGERPRINT_EXPRESSION: &str = r#""$(fndsa inspect release.pub | sed 's/.*, //')""#;

/// Returns all blocks with commands as a single script. The script runs the block for downloaders
/// twice. The first run uses the fingerprint on the page, so the verdict must be NO (exit code 1).
/// The second run uses the right fingerprint. Before the first run, the script removes the file
/// `manual.pdf`, which the downloader does not have.
fn shell_blocks() -> String {
    let mut script = String::new();
    for block in console::to_shell_blocks(README).split("```sh\n").skip(1) {
        let block = block.split("```").next().unwrap();
        if block.contains(FINGERPRINT) {
            script.push_str("rm manual.pdf\n");
            script.push_str(&format!("code=0; {} || code=$?; test $code = 1\n", block.trim_end()));
        }
        script.push_str(&block.replace(FINGERPRINT, FINGERPRINT_EXPRESSION));
    }
    script
}

/// Returns a page's only block that is fenced as `text`.
fn text_block(page: &str) -> &str {
    let (_, rest) = page.split_once("\n```text\n").expect("a block of text");
    rest.split("```").next().unwrap()
}

/// Checks that the tables in docs/speed.md mark each ratio below 1 with ▼, and no other ratio.
#[test]
fn speed_ratios_below_one_are_marked() {
    let page = include_str!("../docs/speed.md");
    // The counts for ratios that are at least 1, and for ratios below 1.
    let mut counts = [0; 2];
    for heading in ["FN-DSA", "Falcon", "ML-DSA"] {
        let (_, section) = page.split_once(&format!("\n## {heading}\n")).expect("section");
        let section = section.split("\n## ").next().unwrap();
        for cell in section.lines().filter(|line| line.starts_with("| ")).flat_map(|line| line.split('|')) {
            let number = cell.trim().trim_end_matches(" ▼");
            // Ratios have two decimal places, and times have one, so only ratios have this form.
            let Some((_, [_, _])) = number.split_once('.').map(|(whole, rest)| (whole, rest.as_bytes())) else {
                continue;
            };
            let ratio: f64 = number.parse().expect("a number");
            assert_eq!(cell.contains('▼'), ratio < 1.0, "{heading}: {cell}");
            counts[usize::from(ratio < 1.0)] += 1;
        }
    }
    assert!(counts[0] > 80 && counts[1] > 10, "too few ratios were found: {counts:?}");
}

/// Returns the cells in the table row that starts with `first`, without thousands separators.
fn table_row(section: &str, first: &str) -> Vec<String> {
    let part = README.split("\n## ").find(|s| s.starts_with(section)).expect("section");
    let line = part.lines().find(|l| l.starts_with(&format!("| {first} |"))).expect("row");
    line.trim_matches('|').split('|').map(|c| c.trim().replace(',', "")).collect()
}

#[test]
fn shell_blocks_in_the_readme_work() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["app.tar.gz", "notes.txt", "manual.pdf", "source.tar.gz"] {
        std::fs::write(dir.path().join(name), format!("the bytes of {name}")).unwrap();
    }
    let bin = Path::new(env!("CARGO_BIN_EXE_fndsa")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let script = shell_blocks();
    assert_eq!(script.matches(FINGERPRINT_EXPRESSION).count(), 1, "the fingerprint was not found");
    assert!(script.matches("fndsa ").count() >= 10, "the blocks were not found");
    let run = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(dir.path())
        .env("PATH", path)
        .output()
        .expect("bash");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{script}\n--- stdout\n{out}\n--- stderr\n{err}");
    assert_eq!(console::check_output(README, &out), 5);
    assert!(console::mask_digests(&out).contains(&console::mask_digests(text_block(DOWNLOADER))), "{out}");
    assert_eq!(out.matches(": OK (FN-DSA-512 sha256:").count(), 9, "{out}");
    assert_eq!(out.matches(": OK\n").count(), 6, "{out}");
    assert_eq!(out.matches("no given public key has the expected fingerprint").count(), 1, "{out}");
    assert_eq!(out.matches(": OK (Falcon-512 sha256:").count(), 1, "{out}");
    assert_eq!(out.matches(": OK (ML-DSA-65 sha256:").count(), 4, "{out}");
    assert_eq!(out.matches(": FAILED (").count(), 3, "{out}");
    assert!(out.contains("FAILED (the signature is Falcon-512, but the key is FN-DSA-512)"), "{out}");
    assert!(out.contains("\ngood\n"), "{out}");
    assert_eq!(out.matches("\"schema\":\"fndsa/stream@1\",").count(), 4, "{out}");
    assert_eq!(out.matches("\"signature_b64\":").count(), 2, "{out}");
}

/// Returns the directory in which `tests/peers/install` installs programs.
fn peers() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    std::env::var_os("FNDSA_PEERS").map_or_else(|| target.join("peers"), PathBuf::from)
}

/// Returns the only block in [`README`] that is fenced as `language`.
fn single_block(language: &str) -> &'static str {
    let fence = format!("```{language}\n");
    let mut blocks = README.split(&fence).skip(1);
    let block = blocks.next().and_then(|rest| rest.split("```").next()).expect("the block");
    assert_eq!(blocks.count(), 0, "{language}");
    block
}

/// Runs lines in a new directory, with an ML-DSA key and the programs in `folder`. Returns the
/// output.
fn run_with_ml_dsa(folder: &Path, lines: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("app.tar.gz"), "an application").unwrap();
    std::fs::write(dir.path().join("program.py"), single_block("python")).unwrap();
    std::fs::write(dir.path().join("program.js"), single_block("js")).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_fndsa")).parent().unwrap();
    let path = format!("{}:{}:{}", bin.display(), folder.display(), std::env::var("PATH").unwrap_or_default());
    let script = format!("fndsa keygen -a ml-dsa-65 standard\n{lines}");
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", &script]).current_dir(dir.path()).env("PATH", path);
    let run = bash.output().expect("bash");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{script}\n--- stdout\n{out}\n--- stderr\n{err}");
    out.into_owned()
}

/// Runs the lines of the block that is fenced as `shell`, if OpenSSL with ML-DSA is installed.
#[test]
fn commands_with_openssl_work() {
    let openssl = peers().join("openssl");
    if !openssl.join("openssl").exists() {
        return println!(
            "skip: commands with OpenSSL, tests/peers/install was not run, or found no version with ML-DSA"
        );
    }
    let out = run_with_ml_dsa(&openssl, single_block("shell"));
    assert!(out.contains("Signature Verified Successfully"), "{out}");
    assert!(out.contains("app.tar.gz: OK (ML-DSA-65 sha256:"), "{out}");
}

/// The README's programs in other languages sign a file, and verify the signature that the first
/// line of the `shell` block makes.
#[test]
fn programs_with_ml_dsa_work() {
    for (folder, program, installed_file) in [
        ("python/bin", "python program.py", "python/installed.txt"),
        ("node", "node program.js", "node/installed.json"),
    ] {
        if !peers().join(installed_file).exists() {
            println!("skip: {program}, tests/peers/install was not run or found no version with ML-DSA");
            continue;
        }
        let sign_line = single_block("shell").lines().next().unwrap();
        let line = "fndsa verify -p standard.pub --context release -s app.python.sig app.tar.gz";
        assert!(sign_line.contains("--context release --format raw -o app.raw.sig") && README.contains(line));
        let line = line.replace("app.python.sig", if folder == "node" { "app.node.sig" } else { "app.python.sig" });
        let out = run_with_ml_dsa(&peers().join(folder), &format!("{sign_line}\n{program}\n{line}"));
        assert!(out.contains("app.tar.gz: OK (ML-DSA-65 sha256:"), "{out}");
        // If the message was changed, both programs fail and report the invalid signature.
        let script = format!(
            "{sign_line}\necho >>app.tar.gz\n! {program} 2>problem\ngrep -q -i 'InvalidSignature\\|not signed' problem"
        );
        run_with_ml_dsa(&peers().join(folder), &script);
    }
}

#[test]
fn size_tables_match_the_library() {
    for degree in [Degree::N512, Degree::N1024] {
        for schemes in [&[Scheme::FnDsa][..], &[Scheme::Falcon, Scheme::FnDsa2024]] {
            let algorithms: Vec<_> =
                schemes.iter().map(|scheme| Algorithm::at_degree(*scheme, degree).expect("an algorithm")).collect();
            let names: Vec<_> = algorithms.iter().map(Algorithm::to_string).collect();
            for algorithm in algorithms {
                let sizes = [algorithm.verifying_key_len(), algorithm.signing_key_len(), algorithm.signature_len()];
                assert_eq!(table_row("Sizes", &names.join(", "))[1..], sizes.map(|s| s.to_string()));
            }
        }
    }
    for algorithm in Algorithm::all().filter(|it| [Scheme::FnDsa, Scheme::MlDsa].contains(&it.scheme()) && !it.is_toy())
    {
        let sizes = [algorithm.verifying_key_len(), algorithm.signature_len(), algorithm.signing_key_len()];
        let first = format!("`{}`", algorithm.to_string().to_lowercase());
        assert_eq!(table_row("Which algorithm", &first)[3..], sizes.map(|s| s.to_string()));
    }
    let ml_dsa_cells = |smallest: fn(Algorithm) -> usize, largest: fn(Algorithm) -> usize| -> Vec<_> {
        Algorithm::of_scheme(Scheme::MlDsa).map(|set| format!("{} to {}", smallest(set), largest(set))).collect()
    };
    assert_eq!(
        table_row("Sizes", "verify, ML-DSA")[1..],
        ml_dsa_cells(Algorithm::verify_work_len, Algorithm::verify_fast_work_len)
    );
    assert_eq!(
        table_row("Sizes", "keygen, ML-DSA")[1..],
        ml_dsa_cells(Algorithm::keygen_work_len, Algorithm::keygen_fast_work_len)
    );
    assert_eq!(
        table_row("Sizes", "sign, ML-DSA, seed")[1..],
        ml_dsa_cells(Algorithm::sign_work_len, Algorithm::sign_fast_work_len)
    );
    let work_len_with_expanded_form = |algorithm: Algorithm| {
        let mut form = vec![0; algorithm.expanded_form_len().expect("ML-DSA has one")];
        let mut work = vec![0; algorithm.import_work_len()];
        let key = SigningKeyRef::from_seed(Level::detect(), algorithm, &[1; 32], &mut work).expect("a key");
        key.expanded_form_into(Level::detect(), &mut form, &mut work).expect("buffers of the correct length");
        let key = fndsa::testing::signing_key(Level::detect(), Scheme::MlDsa, &form, &mut work).expect("a key");
        key.sign_work_len().to_string()
    };
    let work_lens: Vec<_> = Algorithm::of_scheme(Scheme::MlDsa).map(work_len_with_expanded_form).collect();
    assert_eq!(table_row("Sizes", "sign, ML-DSA, expanded form")[1..], work_lens);
    let forms: Vec<_> = Algorithm::all().filter_map(Algorithm::expanded_form_len).map(|len| len.to_string()).collect();
    assert!(README.contains(&format!("its expanded form has {} or {}", forms[..2].join(", "), forms[2])), "{forms:?}");
    let ct = Degree::all().skip(7).map(|d| {
        Algorithm::at_degree(Scheme::Falcon, d).expect("an algorithm").encoded_signature_len(SignatureEncoding::Ct)
    });
    let ct: Vec<_> = ct.map(|len| len.to_string()).collect();
    assert!(README.contains(&format!("constant-time signatures have {} bytes", ct.join(" and "))), "{ct:?}");
    let fn_dsa_cells =
        |f: fn(Algorithm) -> usize| [f(Algorithm::FN_DSA_512), f(Algorithm::FN_DSA_1024)].map(|len| len.to_string());
    assert_eq!(table_row("Sizes", "verify")[1..3], fn_dsa_cells(Algorithm::verify_work_len));
    let sign_cells = [Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024]
        .map(|algorithm| format!("{} to {}", algorithm.sign_work_len(), algorithm.sign_fast_work_len()));
    assert_eq!(table_row("Sizes", "sign")[1..3], sign_cells);
    assert_eq!(table_row("Sizes", "sign, key expanded")[1..3], fn_dsa_cells(Algorithm::sign_expanded_work_len));
    assert_eq!(table_row("Sizes", "keygen")[1..3], fn_dsa_cells(Algorithm::keygen_work_len));
    assert_eq!(table_row("Sizes", "check a private key")[1..3], fn_dsa_cells(Algorithm::import_work_len));
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
