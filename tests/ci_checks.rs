//! Tests the table in .ci/checks, which selects the checks that CI runs for each changed path. A
//! path without a row in the table selects all checks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// The checks for every change.
const ALWAYS_SELECTED: &str = "format planted lints tests release main static guards";
const API: &str = "doc package api features msrv";
const USERS: &str = "c python npm page firmware";
const MACHINE_CODE: &str = "memcheck sanitizer traces program_trace machine_code skips";
const ENGINE: &str = "fuzz targets machines cpus miri peers dependencies";

/// Changed paths, each with the checks that it requires in addition to [`ALWAYS_SELECTED`]. There
/// is a path in each part of the repository.
const CHANGES: [(&str, &[&str]); 88] = [
    (".cargo/mutants.toml", &[]),
    (".ci/checks", &[]),
    (".ci/full-passed", &[]),
    (".ci/lib", &["all"]),
    (".ci/select", &["contrib peers"]),
    (".github/workflows/ci.yml", &["contrib peers"]),
    (".gitignore", &["package"]),
    ("ARCHITECTURE.md", &["book package"]),
    ("CHANGELOG.md", &["book package"]),
    ("CONTRIBUTING.md", &["book package"]),
    ("Cargo.lock", &["all"]),
    ("Cargo.toml", &["all"]),
    ("LICENSE", &["package packages contrib peers"]),
    ("README.md", &["book package"]),
    ("SECURITY.md", &["book package"]),
    ("action.yml", &["contrib peers"]),
    ("benches/peer.rs", &[]),
    ("build.rs", &["all"]),
    ("capi/src/lib.rs", &["c msrv"]),
    ("completions/fndsa.fish", &["package"]),
    ("contrib/git-fndsa", &["contrib peers"]),
    ("contrib/mcuboot/README.md", &["book contrib"]),
    ("contrib/platformio/fndsa.py", &["c book contrib"]),
    ("contrib/zephyr/Kconfig", &["c book contrib"]),
    ("deny.toml", &["deny"]),
    ("docs/ci.md", &["book package contrib peers"]),
    ("docs/c.md", &["book package c"]),
    ("docs/python.md", &["book package python"]),
    ("docs/usage.md", &["book package"]),
    ("examples/read_pem.rs", &["package"]),
    ("firmware/src/lib.rs", &["firmware"]),
    ("fuzz/src/lib.rs", &["fuzz"]),
    ("man/fndsa.1", &["package"]),
    ("packages/build", &["packages contrib peers"]),
    ("packages/npm/package/index.js", &["npm"]),
    ("python/src/lib.rs", &["python msrv"]),
    ("rustfmt.toml", &[]),
    ("src/api/signing.rs", &[API, USERS, MACHINE_CODE, ENGINE]),
    ("src/cmd/keygen.rs", &["package systems fuzz c python msrv"]),
    ("src/cmd/sign/mod.rs", &["package systems fuzz program_trace skips c python page npm msrv"]),
    ("src/cmd/verify/mod.rs", &["package systems fuzz skips c python page npm msrv"]),
    ("src/engine/falcon/sign.rs", &[API, USERS, MACHINE_CODE, ENGINE]),
    ("src/files/pem.rs", &[API, "c python npm page fuzz program_trace skips systems peers"]),
    ("src/lib.rs", &[API, USERS, MACHINE_CODE, ENGINE, "systems"]),
    ("src/main.rs", &["package systems program_trace skips msrv"]),
    ("src/simd/ct.rs", &[API, USERS, MACHINE_CODE, ENGINE, "proofs systems"]),
    ("src/tool/context.rs", &["package systems fuzz program_trace skips msrv"]),
    ("src/tool/io/staged.rs", &["package systems fuzz program_trace skips msrv"]),
    ("src/tool/options/key.rs", &["package systems fuzz program_trace skips msrv"]),
    ("src/tool/keys/loader.rs", &["package systems page fuzz program_trace skips c python msrv"]),
    ("src/tool/message/form.rs", &["package systems page fuzz program_trace skips c python msrv"]),
    ("src/tool/report/error.rs", &["package systems page fuzz msrv"]),
    ("src/tool/run/ordered.rs", &["package systems page fuzz program_trace skips c python msrv"]),
    ("src/tool/sign/signer.rs", &["package systems page fuzz program_trace skips c python msrv"]),
    ("src/tool/stream/request.rs", &["package systems page fuzz program_trace skips c python msrv"]),
    ("src/tool/system/windows/calls.rs", &["package systems fuzz program_trace skips msrv"]),
    ("src/tool/trust/clock.rs", &["package systems page fuzz program_trace skips c python msrv"]),
    ("src/tool/verify/verifier.rs", &["package systems page fuzz program_trace skips c python msrv"]),
    ("src/verdict/policy.rs", &[API, "c python page fuzz program_trace skips systems"]),
    ("tests/binary/cpus", &["cpus"]),
    ("tests/ci.rs", &["peers contrib"]),
    ("tests/ci_checks.rs", &[]),
    ("tests/cli/main.rs", &[]),
    ("tests/common/mod.rs", &["npm page peers fuzz machines"]),
    ("tests/ct/run", &[MACHINE_CODE]),
    ("tests/habits/mod.rs", &[]),
    ("tests/kat/kat-a.json", &["c python npm page machines package"]),
    ("tests/kernels/mod.rs", &[]),
    ("tests/levels.rs", &["machines"]),
    ("tests/links/mod.rs", &[]),
    ("tests/machines/run", &["machines memcheck traces machine_code miri"]),
    ("tests/miri/run", &["miri"]),
    ("tests/mldsa/main.rs", &["machines peers"]),
    ("tests/negatives/main.rs", &[]),
    ("tests/peers/install", &["peers"]),
    ("tests/peers/debian", &["peers"]),
    ("tests/planted/engine.txt", &[]),
    ("tests/policies/main.rs", &["c python page"]),
    ("tests/formats/main.rs", &["c python"]),
    ("tests/proofs/run", &["proofs"]),
    ("tests/public-api/listing.txt", &["api"]),
    ("tests/recipes/mod.rs", &[]),
    ("tests/reference/mod.rs", &[]),
    ("tests/schemes/main.rs", &["machines"]),
    ("tests/systems/mod.rs", &[]),
    ("tests/windows/run", &["systems packages peers"]),
    ("web/page.js", &["page"]),
    ("tests/house.rs", &[]),
];

/// Runs bash in `directory`, and returns standard output. `input` must be a text without single
/// quotes.
fn run_bash(directory: &Path, script: &str, input: &str) -> String {
    let output = Command::new("bash")
        .args(["-ec", &format!("printf '%s' '{input}' | {{ {script}\n}}")])
        .current_dir(directory)
        .env_remove("FULL")
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the checks that `.ci/select ARGUMENTS` prints in `directory`.
fn selected_checks(directory: &Path, arguments: &str, input: &str) -> BTreeSet<String> {
    run_bash(directory, &format!(".ci/select {arguments}"), input).lines().map(str::to_owned).collect()
}

/// Returns all checks.
fn all_checks() -> BTreeSet<String> {
    let all = selected_checks(Path::new(ROOT), "--all", "");
    assert!(all.len() > 25, "{all:?}");
    all
}

/// Returns the checks in `names` and in [`ALWAYS_SELECTED`]. Each text contains names that are
/// separated by blanks.
fn with_always(names: &[&str]) -> BTreeSet<String> {
    let names: BTreeSet<_> =
        [ALWAYS_SELECTED].iter().chain(names).flat_map(|text| text.split(' ')).map(str::to_owned).collect();
    if names.contains("all") { all_checks() } else { names }
}

#[test]
fn a_change_in_each_folder_selects_its_checks() {
    for (path, checks) in CHANGES {
        assert!(
            path.starts_with('.') || Path::new(ROOT).join(path).exists() || path.ends_with("full-passed"),
            "{path}"
        );
        assert_eq!(selected_checks(Path::new(ROOT), "", path), with_always(checks), "{path}");
    }
    let folders = ["", "src/", "src/tool/", "tests/"];
    for folder in folders {
        for entry in fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a name");
            let needs_path = folder.is_empty() || entry.path().is_dir();
            if needs_path && ![".git", "target"].contains(&name.as_str()) {
                let path = format!("{folder}{name}");
                let is_covered = CHANGES.iter().any(|(change, _)| Path::new(change).starts_with(&path));
                assert!(is_covered, "{path}: `CHANGES` has no path in this folder");
            }
        }
    }
}

#[test]
fn changes_in_several_paths_select_the_checks_of_all() {
    let found = selected_checks(Path::new(ROOT), "", "web/page.js\ncapi/src/lib.rs\nweb/page.css");
    assert_eq!(found, with_always(&["page", "c msrv"]));
    assert_eq!(selected_checks(Path::new(ROOT), "", ""), with_always(&[]));
    assert_eq!(selected_checks(Path::new(ROOT), "", "web/page.js\nunknown"), all_checks());
}

#[test]
fn a_path_without_a_row_requires_all_checks() {
    for path in [
        "unknown",
        "unknown/file",
        ".ci/unknown",
        "src/unknown.rs",
        "src/unknown/mod.rs",
        "docs/unknown.bin",
        "tests/unknown/mod.rs",
        "tests/unknown/run",
        "tests/run",
        ".cargo/config.toml",
        "build.rs",
        "two words",
    ] {
        assert_eq!(selected_checks(Path::new(ROOT), "", path), all_checks(), "{path}");
    }
}

/// Creates a Git repository with this repository's `.ci/select` and `.ci/checks`, and with a commit
/// that has the tag `passed`.
fn make_repository() -> tempfile::TempDir {
    let repository = tempfile::tempdir().expect("a directory");
    fs::create_dir(repository.path().join(".ci")).unwrap();
    for file in [".ci/select", ".ci/checks"] {
        fs::copy(Path::new(ROOT).join(file), repository.path().join(file)).unwrap();
    }
    let git = "git -c user.name=a -c user.email=a@b.invalid -c commit.gpgsign=false";
    run_bash(
        repository.path(),
        &format!("git init -q; git add .; {git} commit -qm one; git tag passed; mkdir web capi docs"),
        "",
    );
    repository
}

#[test]
fn changes_are_compared_with_the_commit_that_passed() {
    let repository = make_repository();
    let root = repository.path();
    let git = "git -c user.name=a -c user.email=a@b.invalid -c commit.gpgsign=false";
    let since = |commit: &str| selected_checks(root, &format!("--since '{commit}'"), "");
    assert_eq!(since("passed"), with_always(&[]));
    run_bash(root, &format!("echo >web/page.js; git add .; {git} commit -qm two"), "");
    assert_eq!(since("passed"), with_always(&["page"]));
    // All commits after the tag select checks, and so do changes that are not committed.
    run_bash(
        root,
        &format!("echo >capi/Cargo.toml; git add .; {git} commit -qm three; echo >'docs/ä b.md'; git add ."),
        "",
    );
    assert_eq!(since("passed"), with_always(&["page", "c msrv", "book package"]));
    // A moved file is a change in its old directory and in its new directory.
    run_bash(root, &format!("git tag later; git mv web/page.js docs/page.md; {git} commit -qm four"), "");
    assert_eq!(since("later"), with_always(&["page", "book package"]));
    for unknown in ["", "0123456789012345678901234567890123456789", "nothing", "HEAD:web", "--all"] {
        assert_eq!(since(unknown), all_checks(), "{unknown}");
    }
    run_bash(root, "rm -rf .git", "");
    assert_eq!(since("passed"), all_checks(), "no repository");
}

#[test]
fn every_check_has_a_function_and_a_row_and_runs_once() {
    let text = fs::read_to_string(Path::new(ROOT).join(".ci/lib")).unwrap();
    let name = |line: &str| Some(line.strip_prefix("check_")?.split_once("()")?.0.to_owned());
    let functions: BTreeSet<_> = text.lines().filter_map(name).collect();
    assert_eq!(functions, all_checks());

    let ran = |command: &str| {
        let text = run_bash(Path::new(ROOT), command, "");
        let steps = text.lines().filter_map(|line| Some(line.strip_prefix("== ")?.split_once(": ")?.0.to_owned()));
        let (steps, count): (BTreeSet<_>, usize) = steps.fold(Default::default(), |(mut set, count), step| {
            set.insert(step);
            (set, count + 1)
        });
        assert_eq!(steps.len(), count, "{command}: a check runs twice");
        (steps, text)
    };
    for command in ["DRY=1 .ci/full", "FULL=1 DRY=1 .ci/run"] {
        let (steps, text) = ran(command);
        assert_eq!(steps, all_checks(), "{command}");
        assert!(!text.contains("skip: "), "{text}");
    }
    // The selected checks depend on the changes in this repository. So the test requires only that
    // the run reports each check as a step or as skipped.
    let (steps, text) = ran("DRY=1 .ci/run");
    let name = |line: &str| Some(line.strip_prefix("skip: ")?.split_once(',')?.0.to_owned());
    let skipped_checks: BTreeSet<_> = text.lines().filter_map(name).collect();
    assert!(steps.is_disjoint(&skipped_checks) && steps.is_superset(&with_always(&[])), "{text}");
    assert_eq!(&steps | &skipped_checks, all_checks());
}

/// Adds the scripts in a directory to `found`: the text files without an extension.
fn add_scripts(directory: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(directory).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add_scripts(&path, found);
        } else if path.extension().is_none()
            && let Ok(text) = fs::read_to_string(&path)
        {
            found.push((path, text));
        }
    }
}

/// Checks that scripts do not read a pipe with `grep -q`, `grep -m` or `head`. These programs end
/// before their input ends. Depending on the timing, the program that writes to the pipe then
/// fails. In a script with `pipefail`, the whole command then fails.
#[test]
fn scripts_read_pipes_to_the_end() {
    let mut found = Vec::new();
    for directory in [".ci", "benches", "capi", "contrib", "firmware", "fuzz", "packages", "python", "tests", "web"] {
        add_scripts(&Path::new(ROOT).join(directory), &mut found);
    }
    assert!(found.len() > 40, "{} scripts", found.len());
    for (path, text) in found {
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            for command in line.replace("||", ";").split('|').skip(1).map(str::trim_start) {
                let ends_early = command.strip_prefix("grep ").is_some_and(|rest| {
                    let options = rest.split(' ').take_while(|word| word.starts_with('-'));
                    options.flat_map(str::chars).any(|option| "qm".contains(option))
                });
                assert!(!ends_early && !command.starts_with("head"), "{}: {line}", path.display());
            }
        }
    }
}
