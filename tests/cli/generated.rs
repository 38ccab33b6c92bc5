//! Tests for manual pages and completions: the examples run, the usual readers accept the files,
//! and the program prints the files that are committed. A test next to the generator compares the
//! committed files with the generator's output.

use crate::harness::{FNDSA, ProgramCall, ProgramOutput, TestDirectory, have, skip};
use std::fs;
use std::path::{Path, PathBuf};

fn package_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the manual pages as (name without `.1`, path).
fn manual_pages() -> Vec<(String, PathBuf)> {
    let paths = fs::read_dir(package_root().join("man")).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: PathBuf| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path);
    let mut pages: Vec<_> = paths.map(name).collect();
    pages.sort();
    assert!(pages.len() > 10, "{pages:?}");
    pages
}

/// Returns the command lines in the section EXAMPLES.
fn example_lines(roff: &str) -> Vec<String> {
    let section = roff.split("\n.SH ").find_map(|s| s.strip_prefix("\"EXAMPLES\"\n")).expect("a section EXAMPLES");
    let text = |line: &str| {
        line.trim_start_matches("\\&")
            .replace("\\-", "-")
            .replace("\\(aq", "'")
            .replace("\\(ga", "`")
            .replace("\\e", "\\")
    };
    section.split(".nf\n").skip(1).flat_map(|s| s.split("\n.fi").next().unwrap().lines()).map(text).collect()
}

/// Runs shell lines in order, with `fndsa` on the path.
fn run_lines(directory: &TestDirectory, lines: &[String]) -> ProgramOutput {
    let program = Path::new(FNDSA).parent().unwrap().display();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap_or_default());
    let script = lines.iter().map(|line| format!("echo '+ '; {line}\n")).collect::<String>();
    ProgramCall::new("sh", directory.root())
        .env("PATH", path)
        .env("HOME", directory.root())
        .arg("-ec")
        .arg(script)
        .run()
}

#[test]
fn every_example_in_the_manual_works() {
    for (name, path) in manual_pages() {
        let directory = TestDirectory::empty();
        for (file, text) in [("app.tar.gz", "an application"), ("notes.txt", "notes"), ("checksums.txt", "sums")] {
            directory.put(file, text);
        }
        directory.run("keygen release").code(0);
        directory.run("sign -k release.key app.tar.gz").code(0);
        let lines = example_lines(&fs::read_to_string(path).unwrap());
        assert!(!lines.is_empty(), "{name} has no examples");
        let output = run_lines(&directory, &lines);
        assert_eq!(output.code, 0, "{name}: {lines:#?}\n{}\n{}", output.out, output.err);
        assert_eq!(output.out.matches("+ \n").count(), lines.len(), "{name}: {}", output.out);
        assert!(!output.out.contains("exit code"), "{name}: {}", output.out);
        let command = name.strip_prefix("fndsa-").unwrap_or("--help");
        let names_command = |line: &&String| command == "--help" || line.contains(&format!("fndsa {command}"));
        assert_eq!(lines.iter().filter(names_command).count(), lines.len(), "{name}: {lines:?}");
        // The help of the command contains the same lines as the manual page, with different line
        // breaks.
        let in_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let help =
            if command == "--help" { directory.run("--help") } else { directory.run(&format!("{command} --help")) };
        // A long command continues after a backslash.
        let help = in_one_line(&help.code(0).out.replace(" \\\n", " "));
        assert!(lines.iter().all(|line| help.contains(&in_one_line(line))), "{name}: {help}");
    }
}

/// Programs that format manual pages and print warnings.
const READERS: [(&str, &str); 2] = [("groff", "-man -ww -z"), ("mandoc", "-T lint -W warning")];

#[test]
fn pages_have_their_sections_and_no_warnings() {
    let directory = TestDirectory::empty();
    for (name, path) in manual_pages() {
        let text = fs::read_to_string(&path).unwrap();
        for section in
            ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"]
        {
            let (bare, quoted) = (format!("\n.SH {section}\n"), format!("\n.SH \"{section}\"\n"));
            assert!(text.contains(&bare) || text.contains(&quoted), "{name} has no section {section}");
        }
        assert!(text.starts_with(&format!(".TH {} 1 20", name.to_uppercase().replace('-', "\\-"))), "{name}");
        for code in ["0", "1", "2", "3", "4", "5", "6", "130", "141", "143"] {
            assert!(text.contains(&format!("\n\\fB{code}\\fR\n")), "{name} does not explain exit code {code}");
        }
        for (reader, options) in READERS {
            if have(reader) {
                ProgramCall::new(reader, directory.root())
                    .args(options)
                    .arg(&path)
                    .run()
                    .code(0)
                    .err_empty()
                    .out_empty();
            }
        }
    }
    for (reader, _) in READERS.iter().filter(|(reader, _)| !have(reader)) {
        skip("warnings in the manual pages", &format!("there is no `{reader}`"));
    }
    let main = fs::read_to_string(package_root().join("man/fndsa.1")).unwrap();
    for variable in ["FNDSA_KEY", "FNDSA_PUBLIC_KEY", "FNDSA_PASSWORD", "FNDSA_PASSWORD_FILE", "FNDSA_BACKEND"]
        .iter()
        .chain(&["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"])
    {
        assert!(main.contains(&format!("\\fB{variable}\\fR")), "{variable}");
    }
}

#[test]
fn man_prints_the_pages() {
    let directory = TestDirectory::empty();
    for (name, path) in manual_pages() {
        let command = name.strip_prefix("fndsa").unwrap().trim_start_matches('-').to_owned();
        assert_eq!(
            directory.run(&format!("man {command}")).code(0).err_empty().stdout,
            fs::read(path).unwrap(),
            "{name}"
        );
    }
    directory.run("man nosuch").code(2).out_empty();
    directory.run("man -f").code(2).out_empty();
    directory.run("--json man").code(2).err_has("").json();
}

#[test]
fn man_writes_all_pages_or_no_pages() {
    let directory = TestDirectory::empty();
    directory.run("man --dir nosuch").code(4).out_empty().err_has("nosuch: no such directory").err_has("mkdir -p");
    directory.put("file", "x");
    directory.run("man --dir file").code(4).out_empty();
    fs::create_dir(directory.path("one")).unwrap();
    directory.run("man --dir one sign").code(0).out_empty();
    assert_eq!(fs::read_dir(directory.path("one")).unwrap().count(), 1);
    directory.put("one/fndsa-verify.1", "mine");
    directory.run("man --dir one").code(4).out_empty().err_has("exists already").err_has("--force");
    assert_eq!(fs::read_dir(directory.path("one")).unwrap().count(), 2);
    assert_eq!(directory.get("one/fndsa-verify.1"), b"mine");
    let json = directory.run("--json man -f --dir one").code(0).err_empty().json();
    assert_eq!(json["results"].as_array().unwrap().len(), manual_pages().len());
    for (name, path) in manual_pages() {
        assert_eq!(directory.get(format!("one/{name}.1")), fs::read(path).unwrap());
    }
}

#[test]
fn a_full_or_closed_standard_output_is_reported() {
    let directory = TestDirectory::empty();
    for line in [
        "man",
        "man sign",
        "completions zsh",
        "selftest --rounds 0",
        "testvectors --count 1",
        "--json selftest --rounds 0",
        "--json testvectors --count 1",
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        directory.call(line).to(full).run().code(4).err_has("no space left");
        directory.sh(&format!("mkfifo p; exec 3<>p 4>p 3<&-; $FNDSA {line} >&4; echo $? >code; rm p")).err_empty();
        assert_eq!(directory.text("code").trim(), "141", "{line}");
    }
}

/// The shells, and their files in the folder `completions`.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "fndsa.bash"),
    ("zsh", "_fndsa"),
    ("fish", "fndsa.fish"),
    ("powershell", "_fndsa.ps1"),
    ("elvish", "fndsa.elv"),
];

#[test]
fn completions_equal_the_committed_files() {
    let directory = TestDirectory::empty();
    for (shell, file) in SHELLS {
        let output = directory.run(&format!("completions {shell}")).code(0).err_empty();
        assert_eq!(output.stdout, fs::read(package_root().join("completions").join(file)).unwrap(), "{shell}");
    }
    directory.run("completions").code(2).out_empty();
    directory.run("completions tcsh").code(2).out_empty();
    assert_eq!(directory.run("--json completions bash").code(2).json()["error"]["reason"], "json_on_stdout");
}

#[test]
fn shells_can_read_their_completions() {
    let directory = TestDirectory::empty();
    for (shell, file) in &SHELLS[..3] {
        if !have(shell) {
            skip("its completions", &format!("there is no `{shell}`"));
            continue;
        }
        ProgramCall::new(shell, directory.root())
            .arg("-n")
            .arg(package_root().join("completions").join(file))
            .run()
            .code(0)
            .err_empty();
    }
}

/// Returns the sorted completions that bash offers for the last word.
fn bash_completions(directory: &TestDirectory, words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let [.., before, last] = &quoted[..] else { panic!("{words:?}") };
    let line = format!(
        "compopt() {{ :; }}; source '{}'; COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         _fndsa fndsa {last} {before}; echo \"${{COMPREPLY[*]}}\"",
        package_root().join("completions/fndsa.bash").display(),
        quoted.join(" "),
    );
    let output = ProgramCall::new("bash", directory.root()).arg("--norc").arg("-c").arg(line).run().code(0).err_empty();
    sort_words(&output.out)
}

/// Sorts words, because the file order depends on the file system.
fn sort_words(words: &str) -> String {
    let mut words: Vec<_> = words.split_whitespace().collect();
    words.sort_unstable();
    words.join(" ")
}

#[test]
fn bash_completes_commands_and_options() {
    let directory = TestDirectory::toy();
    if !have("bash") {
        return skip("completion in bash", "there is no `bash`");
    }
    fs::create_dir(directory.path("keys")).unwrap();
    let signing = "fn-dsa-512 fn-dsa-1024 fn-dsa-2024-512 fn-dsa-2024-1024 falcon-512 falcon-1024 ml-dsa-44 ml-dsa-65 ml-dsa-87 ed25519 \
                   ml-dsa-44-ed25519 ml-dsa-65-ed25519";
    let all = format!("{signing} falcon-rs-512 falcon-rs-1024");
    for (words, expected) in [
        (&["ver"][..], "verify"),
        (&["test"], "testvectors"),
        (&["verify", "--expect"], "--expect-key"),
        (&["sign", "--context-h"], "--context-hex"),
        (&["completions", "po"], "powershell"),
        (&["man", "selft"], "selftest"),
        (&["keygen", "--format", "r"], "raw"),
        (&["keygen", "-a", ""], signing),
        (&["bench", "--algorithm", ""], signing),
        (&["verify", "-a", ""], &all),
        (&["verify", "-a", "falcon-r"], "falcon-rs-512 falcon-rs-1024"),
        (&["testvectors", "--degree", ""], "512 1024"),
        (&["testvectors", "-a", ""], "fn-dsa-512 fn-dsa-1024 ml-dsa-44 ml-dsa-65 ml-dsa-87"),
        (&["testvectors", "--acvp", ""], "keyGen sigGen sigVer"),
        (&["verify", "--require", ""], "all"),
        (&["sign", "-j", ""], "all"),
        (&["bench", "sign-r"], "sign-repeat"),
        (&["man", "v"], "verify"),
        (&["help", "alg"], "algorithms"),
        (&["sign", "-k", ""], "keys k.key k2.key"),
        (&["pubkey", "--key", "k2"], "k2.key"),
        (&["verify", "-p", "k"], "keys k.pub k2.pub"),
        (&["verify", "--public-key", "k."], "k.pub"),
        // fndsa offers no completions here, so bash completes file names.
        (&["sign", ""], ""),
        (&["sign", "-k", "k.key", ""], ""),
        (&["verify", "a"], ""),
        (&["inspect", ""], ""),
        // There are no completions for variable names.
        (&["sign", "--key-env", ""], ""),
    ] {
        assert_eq!(bash_completions(&directory, &[&["fndsa"], words].concat()), sort_words(expected), "{words:?}");
    }
    assert!(bash_completions(&directory, &["fndsa", "bench", "--level", ""]).contains("emulated"));
    // An empty word completes to a command or an operation, not to an option.
    for (command, expected) in [("", "keygen"), ("bench", "sign-batch"), ("man", "verify"), ("completions", "fish")] {
        let words =
            [&["fndsa"][..], if command.is_empty() { &[] } else { std::slice::from_ref(&command) }, &[""]].concat();
        let offered = bash_completions(&directory, &words);
        assert!(offered.split(' ').any(|word| word == expected), "{command}: {offered}");
        assert!(!offered.split(' ').any(|word| word.starts_with('-')), "{command}: {offered}");
    }
    assert!(bash_completions(&directory, &["fndsa", "sign", "-"]).contains("--key"));
    // A name with spaces is a single word.
    directory.put("my own.key", "");
    assert_eq!(bash_completions(&directory, &["fndsa", "sign", "-k", "my"]), "my own.key");
}

/// Returns the sorted completions that fish offers at the end of a command line, without
/// descriptions.
fn fish_completions(directory: &TestDirectory, line: &str) -> String {
    let script = format!("source '{}'; complete -C '{line}'", package_root().join("completions/fndsa.fish").display());
    let output = ProgramCall::new("fish", directory.root()).arg("--no-config").arg("-c").arg(script).run().code(0);
    sort_words(&output.out.lines().map(|line| line.split('\t').next().unwrap().to_owned() + "\n").collect::<String>())
}

#[test]
fn fish_completes_commands_and_options() {
    let directory = TestDirectory::toy();
    if !have("fish") {
        return skip("completion in fish", "there is no `fish`");
    }
    fs::create_dir(directory.path("keys")).unwrap();
    for (line, expected) in [
        ("fndsa ver", "verify"),
        ("fndsa sign -k ", "k.key k2.key keys/"),
        ("fndsa pubkey --key k2", "k2.key"),
        ("fndsa verify -p k", "k.pub k2.pub keys/"),
        ("fndsa verify --require ", "all"),
        ("fndsa testvectors --acvp ", "keyGen sigGen sigVer"),
        ("fndsa keygen --format ", "pem pkcs8 raw"),
        ("fndsa bench ", "hash keygen sign sign-batch sign-repeat verify verify-batch verify-repeat"),
        ("fndsa bench sign ver", "verify verify-batch verify-repeat"),
        ("fndsa completions ", "bash elvish fish powershell zsh"),
        ("fndsa man sel", "selftest"),
        ("fndsa help alg", "algorithms"),
        ("fndsa selftest ", ""),
    ] {
        assert_eq!(fish_completions(&directory, line), sort_words(expected), "{line}");
    }
    assert!(fish_completions(&directory, "fndsa inspect ").contains("k.key"), "files");
}

#[test]
fn algorithms_are_listed_once_and_found_without_hyphens() {
    let directory = TestDirectory::empty();
    for line in [
        "keygen -a falcon9 k",
        "bench -a 300",
        "selftest -a x",
        "verify -p k -a x a",
        "inspect -a x a",
        "sign -k k -a x a",
    ] {
        let output = directory.run(line).code(2).out_empty().err_has("`fndsa help algorithms` lists the algorithms");
        assert!(!output.err.contains("falcon-1024"), "{output:?}");
    }
    for (written, name) in
        [("falcon512", "Falcon-512"), ("fndsa512", "FN-DSA-512"), ("FNDSA_2024_512", "FN-DSA-2024-512")]
    {
        let json = directory.run(&format!("--json keygen -f -a {written} k")).code(0).json();
        assert_eq!(json["results"][0]["algorithm"], name);
    }
    directory.run("keygen -a falconrs512 n").code(2).out_empty().err_has("for verification only");
}

/// The package, the workspace members, the header and the manual pages have the same version, and
/// the changelog starts with this version.
#[test]
fn all_files_have_the_same_version() {
    let version = env!("CARGO_PKG_VERSION");
    let text = |path: &Path| fs::read_to_string(package_root().join(path)).unwrap();
    let changelog = text(Path::new("CHANGELOG.md"));
    let first = changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    assert_eq!(first.split(' ').next(), Some(version));
    for member in ["capi", "firmware", "fuzz", "packages/npm", "python", "web"] {
        let manifest = text(&Path::new(member).join("Cargo.toml"));
        assert!(manifest.contains(&format!("\nversion = \"{version}\"\n")), "{member}");
    }
    let package = text(Path::new("packages/npm/package/package.json"));
    assert!(package.contains(&format!("\"version\": \"{version}\"")), "package.json");
    let header = text(Path::new("capi/include/fndsa.h"));
    let mut numbers = version.split(['.', '-']);
    for part in ["MAJOR", "MINOR", "PATCH"] {
        let line = format!("\n#define FNDSA_VERSION_{part} {}\n", numbers.next().unwrap());
        assert!(header.contains(&line), "fndsa.h: {line}");
    }
    assert!(header.contains(&format!("\n#define FNDSA_VERSION \"{version}\"\n")), "fndsa.h");
    for (page, path) in manual_pages() {
        assert!(fs::read_to_string(path).unwrap().contains(&format!("\"fndsa {version}\"")), "{page}");
    }
}
