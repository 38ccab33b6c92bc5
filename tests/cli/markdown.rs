//! Tests for `inspect --markdown`: it prints lines for the README of a project, and the commands in
//! these lines work.

use crate::harness::TestDirectory;

/// Returns the indented lines of a text, which are commands and values.
fn indented_lines(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("    ")).collect()
}

#[test]
fn the_printed_lines_verify_a_file() {
    let directory = TestDirectory::empty();
    for algorithm in ["fn-dsa-512", "falcon-1024", "ml-dsa-65"] {
        directory.run(&format!("keygen --force -a {algorithm} release")).code(0);
        directory.put("FILE", "a release");
        directory.run("sign --force -k release.key FILE").code(0);
        let text = directory.run("inspect --markdown release.pub").code(0).out;
        let json = directory.run("--json inspect --markdown release.pub").code(0).json();
        assert_eq!(format!("{}\n", json["results"][0]["markdown"].as_str().unwrap()), text);
        let [fingerprint, command] = indented_lines(&text)[..] else { panic!("{text}") };
        assert_eq!(json["results"][0]["key"]["fingerprint"], fingerprint);
        assert!(text.to_lowercase().contains(&format!("the {algorithm} key")), "{text}");
        let arguments = command.strip_prefix("fndsa ").unwrap();
        directory.run(arguments).code(0).out_has("FILE: OK");
        directory.put("FILE", "another");
        directory.run(arguments).code(1);
        directory.run("keygen --force other").code(0);
        directory.put("FILE", "a release");
        directory.run(&arguments.replace("release.pub", "other.pub")).code(1);
    }
}

/// The lines for two keys require both signatures.
#[test]
fn the_printed_lines_for_two_keys_require_both() {
    let directory = TestDirectory::empty();
    directory.run("keygen --dual release").code(0);
    directory.put("FILE", "a release");
    directory.run("sign -k release.key -k release-ed25519.key FILE").code(0);
    let text = directory.run("inspect --markdown release.pub release-ed25519.pub").code(0).out;
    let [lattice, classic, command] = indented_lines(&text)[..] else { panic!("{text}") };
    assert!(lattice.starts_with("FN-DSA-512 sha256:") && classic.starts_with("Ed25519 sha256:"), "{text}");
    let arguments = command.strip_prefix("fndsa ").unwrap();
    directory.run(arguments).code(0).out_has("FILE: OK").out_has(lattice).out_has(classic);
    directory.run("sign -f -k release.key FILE").code(0);
    directory.run(arguments).code(1).out_has("1 of 2 required keys has signed the file");
    // Both keys can be in a single file. The JSON output has a line for each key.
    directory.sh("cat release.pub release-ed25519.pub >both.pub").code(0);
    let output = directory.run("inspect --markdown both.pub").code(0);
    let [one, other, command] = indented_lines(&output.out)[..] else { panic!("{}", output.out) };
    assert_eq!([one, other], [lattice, classic]);
    directory.run(command.strip_prefix("fndsa ").unwrap()).code(1).out_has("1 of 2 required keys has signed the file");
    directory.run("sign -f -k release.key -k release-ed25519.key FILE").code(0);
    directory.run(command.strip_prefix("fndsa ").unwrap()).code(0).out_has(lattice);
    let json = directory.run("--json inspect --markdown release.pub release-ed25519.pub").code(0).json();
    assert_eq!(
        indented_lines(json["results"][1]["markdown"].as_str().unwrap())[0],
        classic.strip_prefix("Ed25519 ").unwrap()
    );
    // If a key cannot be read, there is no output, because lines for the remaining keys would
    // require too few signatures.
    let output = directory.run("inspect --markdown release.pub release.key").code(3);
    assert_eq!(output.out, "");
}

/// The printed lines work for a user who downloads a release with a list. The test tries all files,
/// some files, and a changed file.
#[test]
fn the_printed_lines_for_a_list_verify_it() {
    for keys in ["release", "release release-ed25519"] {
        for form in ["", "--inline"] {
            let directory = TestDirectory::empty();
            directory.run("keygen --dual release").code(0);
            directory.sh("mkdir dist && echo a >dist/a && echo b >dist/b").code(0);
            let key_options =
                |option: &str, end: &str| keys.split(' ').map(|key| format!(" {option} {key}{end}")).collect();
            let (signers, public): (String, String) = (key_options("-k", ".key"), key_options("", ".pub"));
            directory.run(&format!("sign{signers} -M dist/SUMS -r dist {form}")).code(0);
            let text = directory.run(&format!("inspect --markdown{public} -M dist/SUMS")).code(0).out;
            assert_eq!(text.contains("`SUMS.sig`"), form.is_empty(), "{text}");
            assert!(!text.contains("dist") && !text.contains("FILE"), "{text}");
            let command = *indented_lines(&text).last().unwrap();
            let arguments = command.strip_prefix("fndsa ").unwrap();
            assert!(arguments.ends_with("-M SUMS --ignore-missing"), "{text}");
            let follow = |key_options: &str| {
                directory
                    .sh(&format!("rm -rf d; mkdir d; cp dist/SUMS* *.pub d; {key_options}; cd d; $FNDSA {arguments}"))
            };
            follow("cp dist/a dist/b d").code(0).out_has("a: OK").out_has("b: OK");
            follow("cp dist/b d").code(0).out_has("b: OK");
            follow("true").code(1);
            follow("cp dist/b d; echo c >d/b").code(1).out_has("b: FAILED");
            follow("cp dist/a d/b").code(1);
        }
    }
}

#[test]
fn an_invalid_list_for_the_printed_lines_is_an_error() {
    let directory = TestDirectory::empty();
    directory.run("keygen release").code(0);
    directory.put("app", "an application");
    directory.put("empty", "# no file\n");
    for (file, code, words) in [
        ("app", 3, "app: line 1: the line is not 64 hexadecimal digits, two spaces and a file name"),
        ("empty", 3, "empty: the list has no entries"),
        ("absent", 4, "absent"),
    ] {
        let output = directory.run(&format!("inspect --markdown release.pub -M {file}")).code(code).err_has(words);
        assert_eq!(output.out, "");
    }
    for option in ["-M app", "--program-url https://x.example", "--page-url https://x.example"] {
        directory.run(&format!("inspect release.pub {option}")).code(2).err_has("--markdown");
    }
}

/// The output names the placeholders that the key owner has to replace. Options can replace the
/// placeholders.
#[test]
fn the_printed_lines_contain_the_given_addresses() {
    let directory = TestDirectory::empty();
    directory.run("keygen release").code(0);
    let (program, page) = ("--program-url https://a.example/fndsa", "--page-url https://b.example/verify.html");
    for (options, open, given) in [
        (String::new(), &["URL-OF-FNDSA", "URL-OF-THE-PAGE"][..], &["--program-url", "--page-url"][..]),
        (program.to_owned(), &["URL-OF-THE-PAGE"], &["--page-url"]),
        (page.to_owned(), &["URL-OF-FNDSA"], &["--program-url"]),
        (format!("{program} {page}"), &[], &[]),
    ] {
        let output = directory.run(&format!("inspect --markdown release.pub {options}")).code(0);
        assert_eq!(output.err.lines().count(), usize::from(!open.is_empty()), "{}", output.err);
        for text in ["URL-OF-FNDSA", "URL-OF-THE-PAGE"] {
            assert_eq!(output.out.contains(text), open.contains(&text), "{}", output.out);
            assert_eq!(output.err.contains(text), open.contains(&text), "{}", output.err);
        }
        assert!(given.iter().all(|option| output.err.contains(option)), "{}", output.err);
        for option in options.split(' ').filter(|word| word.starts_with("https:")) {
            assert!(output.out.contains(&format!("]({option})")), "{}", output.out);
        }
    }
    for url in ["example.org", "'javascript:alert(1)'", "'https://a b'", "'https://a)'", "'https://a>'"] {
        directory.sh(&format!("$FNDSA inspect --markdown release.pub --page-url {url}")).code(2).err_has("--page-url");
    }
}

#[test]
fn an_unusual_name_is_quoted() {
    let directory = TestDirectory::empty();
    directory.run("keygen release").code(0);
    directory.sh("mkdir d && cp release.pub 'd/my key.pub'").code(0);
    let text = directory.sh("$FNDSA inspect --markdown 'd/my key.pub'").code(0).out;
    assert!(text.contains("verify -p 'my key.pub' --expect-key sha256:"), "{text}");
    let text = directory.sh("$FNDSA inspect --markdown - <release.pub").code(0).out;
    assert!(text.contains("verify -p KEY.pub --expect-key sha256:"), "{text}");
}

#[test]
fn lines_are_printed_only_for_a_public_key() {
    let directory = TestDirectory::empty();
    directory.run("keygen release").code(0);
    directory.put("a", "a");
    directory.run("sign -k release.key a").code(0);
    for (file, kind) in [("release.key", "private key"), ("a.sig", "signature")] {
        let output = directory.run(&format!("inspect --markdown {file}")).code(3);
        let output = output.err_has(&format!("{file}: this is a {kind}, not a public key"));
        assert_eq!(output.out, "");
        let json = directory.run(&format!("--json inspect --markdown {file}")).code(3).json();
        assert_eq!(json["results"][0]["reason"], "wrong_kind");
    }
}
