//! Tests for lists: a single list and a single signature for many files. `sha256sum` can also read
//! the list.

use crate::harness::{ProgramCall, ProgramOutput, TestDirectory, have, skip};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

/// Returns a directory with a signed list of a and b.
fn directory_with_signed_list() -> TestDirectory {
    let directory = TestDirectory::toy();
    directory
        .run("--allow-weak sign -k k.key -M list a b")
        .code(0)
        .out_empty()
        .err_has("wrote list (2 files) and list.sig");
    directory
}

/// Verifies the list with these additional arguments.
fn verify_list(directory: &TestDirectory, line: &str) -> ProgramOutput {
    directory.run(&format!("--allow-weak verify -p k.pub -M list {line}"))
}

/// Returns the first words of each output line.
fn first_words(output: &ProgramOutput) -> Vec<&str> {
    output.out.lines().map(|line| line.split(" (").next().unwrap()).collect()
}

#[test]
fn a_changed_file_does_not_match_its_list() {
    let directory = directory_with_signed_list();
    let output = verify_list(&directory, "").code(0).err_empty();
    assert_eq!(first_words(&output), ["list: OK", "a: OK", "b: OK"]);
    let name = output.out.lines().next().unwrap().split_once(" (").unwrap().1;
    assert!(name.starts_with("FN-DSA-16 sha256:"), "{name}");
    assert!(output.out.lines().skip(1).all(|line| line.ends_with(": OK")), "{}", output.out);

    directory.put("b", "changed\n");
    let output = verify_list(&directory, "").code(1).err_has("2 files: 1 FAILED, 0 ERROR");
    assert_eq!(first_words(&output), ["list: OK", "a: OK", "b: FAILED"]);
    assert!(output.out.contains("b: FAILED (does not match its checksum in the list "));
    assert_eq!(first_words(&verify_list(&directory, "a").code(0)), ["list: OK", "a: OK"]);

    fs::remove_file(directory.path("b")).unwrap();
    let output = verify_list(&directory, "").code(4);
    assert_eq!(first_words(&output), ["list: OK", "a: OK", "b: ERROR"]);
    let output = verify_list(&directory, "--ignore-missing").code(0);
    assert_eq!(output.err, "note: list: 1 of 2 listed files are missing and were not verified\n");
    assert_eq!(first_words(&output), ["list: OK", "a: OK"]);
    // `--ignore-missing` ignores only files that do not exist.
    fs::create_dir(directory.path("b")).unwrap();
    verify_list(&directory, "--ignore-missing").code(4).out_has("b: ERROR (is a directory)");
    fs::remove_dir(directory.path("b")).unwrap();

    fs::remove_file(directory.path("a")).unwrap();
    let output = verify_list(&directory, "--ignore-missing").code(1);
    assert_eq!(first_words(&output), ["list: OK", "list: FAILED"]);
    // If the user names a file, the file must exist, also with `--ignore-missing`.
    verify_list(&directory, "--ignore-missing a").code(4).out_has("a: ERROR (").out_has("no such file");
    directory.run("--allow-weak verify -p k.pub --ignore-missing a").code(2).out_empty();
}

#[test]
fn no_entry_of_an_edited_list_is_accepted() {
    let directory = directory_with_signed_list();
    let list = directory.text("list");
    for edited in [
        format!("{list}{}  a\n", "0".repeat(64)),
        list.replace("  b\n", "  a\n"),
        list.lines().take(1).map(|line| format!("{line}\n")).collect(),
        list.trim_end().to_owned(),
        list.replace('\n', "\r\n"),
        String::new(),
        "x".to_owned(),
    ] {
        directory.put("list", &edited);
        for line in ["", "a", "--ignore-missing", "--explain", "nosuch"] {
            let output = verify_list(&directory, line).code(1);
            assert_eq!(first_words(&output), ["list: FAILED"], "{edited:?}");
        }
    }
    directory.put("list", &list);
    verify_list(&directory, "").code(0);
    directory.run("--allow-weak verify -p k2.pub -M list").code(1);
    fs::remove_file(directory.path("list.sig")).unwrap();
    let output = verify_list(&directory, "").code(4);
    assert_eq!(first_words(&output), ["list: ERROR"]);
}

#[test]
fn files_of_a_list_are_selected_by_name() {
    let directory = directory_with_signed_list();
    directory.put("c", "c");
    let output = verify_list(&directory, "b c a ./a").code(1);
    assert_eq!(first_words(&output), ["list: OK", "b: OK", "c: FAILED", "a: OK", "./a: OK"]);
    assert!(output.out.contains("c: FAILED (not in the list "));
    let output = directory.call("--allow-weak verify -p k.pub -M list --files-from -").input("b\n").run().code(0);
    assert_eq!(first_words(&output), ["list: OK", "b: OK"]);
    // If `--files-from` gives no names, fndsa reports an error instead of verifying all files in
    // the list.
    directory.call("--allow-weak verify -p k.pub -M list --files-from -").input("").run().code(2).out_empty();
}

#[test]
fn all_spellings_of_a_name_select_the_same_file() {
    let directory = directory_with_signed_list();
    fs::create_dir(directory.path("d")).unwrap();
    directory.put("d/c", "c");
    directory.put("-", "dash");
    for line in ["a ./a", "d/c d//c", "d/./c ./d/c", "./- .//-"] {
        directory
            .run(&format!("--allow-weak sign -k k.key -M two {line}"))
            .code(2)
            .out_empty()
            .err_has("the file is named twice");
    }
    for name in ["d/", ".", "./", "d/."] {
        directory.run(&format!("--allow-weak sign -k k.key -M two {name}")).code(2).out_empty().err_has("a directory");
    }
    directory.run("--allow-weak sign -f -k k.key -M list ./a .//d/./c ./b ./-").code(0);
    let names: Vec<_> = directory.text("list").lines().map(|line| line[66..].to_owned()).collect();
    assert_eq!(names, ["a", "d/c", "b", "./-"]);
    // Shells expand `./*` to names that begin with `./`.
    let output = verify_list(&directory, "./a a d//c ./d/c ./- ./nosuch").code(1);
    let expected = ["list: OK", "./a: OK", "a: OK", "d//c: OK", "./d/c: OK", "./-: OK", "./nosuch: FAILED"];
    assert_eq!(first_words(&output), expected);
    assert_eq!(first_words(&verify_list(&directory, "").code(0)), ["list: OK", "a: OK", "d/c: OK", "b: OK", "./-: OK"]);
    // fndsa rejects a list in which two entries name the same file.
    let list = directory.text("list");
    let line = |name: &str| format!("{}  {name}\n", &list[..64]);
    for [first, second] in [["a", "./a"], ["d/c", "d//c"], ["./d/c", "d/./c"], ["./-", "././-"]] {
        for checksum in [line(second), format!("{}  {second}\n", "0".repeat(64))] {
            write_signed_list(&directory, line(first) + &checksum);
            let output = verify_list(&directory, first).code(3);
            assert!(
                first_words(&output) == ["list: ERROR"] && output.out.contains("line 2: the file is named twice"),
                "{output:?}"
            );
        }
    }
}

#[test]
fn no_file_outside_is_read_through_a_link() {
    let directory = directory_with_signed_list();
    let outside = TestDirectory::toy();
    fs::create_dir(directory.path("d")).unwrap();
    directory.put("d/c", "c");
    let absolute = directory.path("d/c");
    for (link, target) in [
        ("out", outside.root()),
        ("absolute", &absolute),
        ("d/up", "../..".as_ref()),
        ("in", "d/c".as_ref()),
        ("d/around", "../d/../a".as_ref()),
        ("loop", "loop".as_ref()),
        ("dangling", "nosuch".as_ref()),
    ] {
        symlink(target, directory.path(link)).unwrap();
    }
    let digest = |bytes: &str| {
        directory.put("of", bytes);
        directory.run("--allow-weak sign -f -k k.key -M sum of").code(0);
        directory.text("sum")[..64].to_owned()
    };
    let (a, c) = (digest("hello\n"), digest("c"));
    let up = format!("d/up/{}/a", directory.root().file_name().unwrap().to_str().unwrap());
    let leaves = "a link leads out of the current directory";
    let names = [
        (a.as_str(), "out/a", leaves),
        (&c, "absolute", leaves),
        (&a, &up, leaves),
        (&a, "loop", "too many"),
        (&a, "dangling", "no such file"),
        (&c, "in", "OK"),
        (&a, "d/around", "OK"),
        (&a, "./a", "OK"),
    ];
    let list: String = names.iter().map(|(digest, name, _)| format!("{digest}  {name}\n")).collect();
    write_signed_list(&directory, &list);
    // The result is the same if the kernel does not have `openat2` or if a filter refuses this
    // call.
    let line = "--allow-weak verify -p k.pub -M list";
    let injected =
        ["ENOSYS", "EPERM"].map(|e| directory.traced(&format!("-o /dev/null -e inject=openat2:error={e}"), line));
    for output in [Some(verify_list(&directory, ""))].into_iter().chain(injected) {
        let Some(output) = output else {
            skip("links without openat2", "strace does not work");
            continue;
        };
        let output = output.code(4);
        let lines: Vec<_> = output.out.lines().skip(1).collect();
        assert_eq!(lines.len(), names.len(), "{output:?}");
        assert!(lines.iter().zip(&names).all(|(line, (.., words))| line.contains(words)), "{output:?}");
    }
    for (name, code, words) in names.map(|(_, name, words)| (name, if words == "OK" { 0 } else { 4 }, words)) {
        let output = directory.run(&format!("--allow-weak sign -f -k k.key -M new {name}")).code(code);
        assert!(code == 0 || output.err.contains(words), "{output:?}");
    }
}

#[test]
fn only_regular_files_are_read_and_pipes_do_not_block() {
    let directory = directory_with_signed_list();
    assert_eq!(ProgramCall::new("mkfifo", directory.root()).arg("fifo").run().code, 0);
    let _listener = UnixListener::bind(directory.path("socket")).unwrap();
    fs::create_dir(directory.path("d")).unwrap();
    let mut kinds = vec![
        ("fifo", "this is a FIFO, not a regular file"),
        ("socket", "this is a socket, not a regular file"),
        ("d", "is a directory"),
    ];
    // Only some users can create a device.
    if ProgramCall::new("mknod", directory.root()).args("endless c 1 5").run().code == 0 {
        kinds.push(("endless", "this is a device, not a regular file"));
    } else {
        skip("a device in a manifest", "mknod is not allowed");
    }
    let zeros = "0".repeat(64);
    write_signed_list(&directory, kinds.iter().map(|(name, _)| format!("{zeros}  {name}\n")).collect::<String>());
    let output = verify_list(&directory, "").code(4);
    for ((name, words), line) in kinds.iter().zip(output.out.lines().skip(1)) {
        assert_eq!(line, format!("{name}: ERROR ({words})"));
        directory.run(&format!("--allow-weak sign -k k.key -M new a {name}")).code(4).out_empty().err_has(words);
        assert!(!directory.has("new") && !directory.has("new.sig"));
    }
    // Without `-M`, a file argument can be a stream.
    directory.sh("echo text >fifo & $FNDSA --allow-weak sign -k k.key -o s fifo && wait").code(0);
}

#[test]
fn a_missing_signature_or_list_has_a_hint() {
    let directory = directory_with_signed_list();
    fs::create_dir(directory.path("elsewhere")).unwrap();
    let output = directory.sh("cd elsewhere && $FNDSA --allow-weak verify -p ../k.pub -M ../list").code(4);
    assert_eq!(output.out.matches(": ERROR (no such file or directory)\n").count(), 2, "{output:?}");
    assert_eq!(
        output.err.matches("names in a list are relative to the current directory: to use").count(),
        1,
        "{output:?}"
    );
    // The summary does not count the list itself as a file.
    let output = output.err_has("verify: 2 files: 0 FAILED, 2 ERROR\n");
    assert_eq!(output.err.lines().count(), 2, "{output:?}");
    let json = directory.sh("cd elsewhere && $FNDSA --allow-weak --json verify -p ../k.pub -M ../list").code(4).json();
    assert!(
        json["results"][1]["hint"]
            .as_str()
            .unwrap()
            .contains("names in a list are relative to the current directory: to use"),
        "{json}"
    );
}

#[test]
fn the_signature_file_of_a_list_is_named_like_that_of_any_file() {
    let directory = directory_with_signed_list();
    directory.run("--allow-weak verify -p k.pub list").code(0);
    fs::rename(directory.path("list.sig"), directory.path("s")).unwrap();
    verify_list(&directory, "").code(4);
    verify_list(&directory, "-s s").code(0);
    directory.sh("$FNDSA --allow-weak verify -p k.pub -M - -s s <list").code(0).out_has("-: OK").out_has("a: OK");
    directory.run("--allow-weak verify -p k.pub -M -").code(2).err_has("-s FILE");
    // The message options apply to the list.
    directory.run("--allow-weak sign -f -k k.key -M list --format raw -c v1 --prehash sha512 a b").code(0);
    verify_list(&directory, "").code(1);
    verify_list(&directory, "-c v1 --prehash sha512").code(0);
    verify_list(&directory, "--explain -c v1")
        .code(1)
        .err_has("explain: list: the signature matches with --prehash sha512");
    for line in ["--mu", "--prehash sha256 --prehashed", "-o s"] {
        directory.run(&format!("--allow-weak sign -k k.key -M new {line} a")).code(2);
    }
}

#[test]
fn a_list_is_written_completely_or_not_at_all() {
    let directory = TestDirectory::toy();
    let names = directory.names();
    directory.run("--allow-weak sign -k k.key -M list a nosuch b").code(4).err_has("nosuch: no such file");
    fs::create_dir(directory.path("d")).unwrap();
    directory.run("--allow-weak sign -k k.key -M list a d").code(4);
    fs::remove_dir(directory.path("d")).unwrap();
    assert_eq!(directory.names(), names);
    // If an output file exists, `sign` stops before it reads any file.
    let pipe = ProgramCall::new("mkfifo", directory.root()).arg("endless").run();
    assert_eq!(pipe.code, 0);
    let old_list = format!("{}  old\n", "0".repeat(64));
    for (there, old) in [("list", old_list.as_str()), ("list.sig", "old")] {
        directory.put(there, old);
        directory.run("--allow-weak sign -k k.key -M list endless").code(4).err_has("exists already");
        assert_eq!(directory.text(there), old);
        assert!(!(directory.has("list") && directory.has("list.sig")));
        directory.run("--allow-weak sign -f -k k.key -M list a nosuch").code(4);
        assert_eq!(directory.text(there), old);
        directory.run("--allow-weak sign -f -k k.key -M list a b").code(0);
        verify_list(&directory, "").code(0);
        fs::remove_file(directory.path("list")).unwrap();
        fs::remove_file(directory.path("list.sig")).unwrap();
    }
    directory.put("list", "old");
    directory.run("--allow-weak sign -f -k k.key -M list a list").code(2).err_has("also an input");
    directory.run("--allow-weak sign -k k.key -M no/where a").code(4);
    symlink("target", directory.path("link")).unwrap();
    directory.run("--allow-weak sign -k k.key -M link a").code(4);
    directory.run("--allow-weak sign -f -k k.key -M link a").code(0);
    assert!(!directory.has("target"));
}

#[test]
fn names_that_lead_outside_are_not_written() {
    let directory = TestDirectory::toy();
    directory.put("-", "dash");
    let absolute = directory.path("a");
    for names in ["..", "../a", "d/../a", "-", "/dev/stdin", absolute.to_str().unwrap(), "a a", "a b a"] {
        directory
            .run(&format!("--allow-weak sign -k k.key -M list {names}"))
            .code(2)
            .out_empty()
            .err_has("this name cannot be in a list");
    }
    directory.call("--allow-weak sign -k k.key -M list").arg("").run().code(2);
    directory.run("--allow-weak sign -k k.key -M /dev/null a").code(2);
    assert!(!directory.has("list"));
    directory.run("--allow-weak sign -k k.key -M list ./- a..b").code(4);
    directory.run("--allow-weak sign -k k.key -M list ./-").code(0);
    verify_list(&directory, "").code(0);
}

/// Writes a list that fndsa did not create, and signs it as an ordinary file.
fn write_signed_list(directory: &TestDirectory, list: impl AsRef<[u8]>) {
    directory.put("list", list);
    directory.run("--allow-weak sign -f -k k.key list").code(0);
}

#[test]
fn hostile_lists_are_rejected_before_a_file_is_opened() {
    let directory = directory_with_signed_list();
    let (list_text, zeros) = (directory.text("list"), "0".repeat(64));
    // No program writes to this pipe, so a command that opens it waits forever.
    assert_eq!(ProgramCall::new("mkfifo", directory.root()).arg("endless").run().code, 0);
    let outside = directory.path("a");
    for bad in [
        format!("{zeros}  ../a\n"),
        format!("{zeros}  d/..\n"),
        format!("{zeros}  {}\n", outside.display()),
        format!("\\{zeros}  ..\n"),
        format!("{zeros}  a\0b\n"),
        format!("{zeros}  \n"),
        format!("{zeros}  -\n"),
        format!("{zeros}  a\n"),
        format!("SHA256 (a) = {zeros}\n"),
        " # a comment\n".to_owned(),
        format!("{zeros}  d/\n"),
        format!("{zeros} a\n"),
        format!("{}  a\n", &zeros[1..]),
        format!("\\{zeros}  a\\x\n"),
    ] {
        write_signed_list(&directory, format!("{zeros}  endless\n{list_text}{bad}"));
        let output = verify_list(&directory, "").code(3);
        assert_eq!(first_words(&output), ["list: ERROR"], "{bad:?}");
        assert!(output.out.contains("line 4: ") && output.err.contains("hint: "), "{output:?}");
    }
    // Composed and decomposed letters are different names.
    write_signed_list(&directory, format!("{zeros}  gr\u{fc}n\n{zeros}  gru\u{308}n\n"));
    verify_list(&directory, "").code(4);
}

#[test]
fn lists_of_sha256sum_are_accepted() {
    let directory = directory_with_signed_list();
    let list = directory.text("list");
    write_signed_list(&directory, list.replace("  ", " *"));
    verify_list(&directory, "").code(0);
    write_signed_list(
        &directory,
        list.lines().map(|l| format!("{}{}\n", l[..64].to_uppercase(), &l[64..])).collect::<String>(),
    );
    verify_list(&directory, "").code(0);
    write_signed_list(&directory, list.trim_end());
    verify_list(&directory, "").code(0);
    if !have("sha256sum") {
        return skip("a list of sha256sum", "there is no sha256sum");
    }
    directory.sh("sha256sum a b >list && $FNDSA --allow-weak sign -f -k k.key list").code(0);
    verify_list(&directory, "").code(0);
}

/// fndsa parses comments, empty lines and line ends as `sha256sum -c` does. Apart from that, fndsa
/// rejects any deviation from its own format, even if `sha256sum` accepts it.
#[test]
fn lists_are_parsed_as_by_sha256sum() {
    let directory = TestDirectory::toy();
    for name in ["#", "two\nlines", "cr\r"] {
        directory.put(name, "hello\n");
    }
    directory.run("--allow-weak sign -k k.key -M one a").code(0);
    let hello = &directory.text("one")[..64];
    let alike = [
        format!("# v1\n{hello}  a\n"),
        format!("{hello}  a\r\n"),
        format!("# v1\r\n{hello} *a\r\n\r\n"),
        format!("{hello}  a\r"),
        format!("{hello}  a\r\r\n"),
        format!("{hello}  a\n\n\n{hello}  #\n# end"),
        format!("#{hello}  nosuch\n{hello}  a\n"),
        format!(" # v1\n{hello}  a\n"),
        format!("\\# v1\n{hello}  a\n"),
        format!("\\{hello}  two\\nlines\r\n"),
        format!("\\{hello}  cr\\r\r\n"),
        format!("\\{hello}  a\\\r\n"),
        format!("{hello}  cr\r\n"),
        format!("{hello}  ./a\n"),
        format!("{hello}  a/\n"),
        format!("{hello}  nosuch\n"),
        format!("\u{feff}{hello}  a\n"),
        format!("{hello}g  a\n"),
        format!("{}  a\n", &hello[1..]),
        format!(" {hello}  a\n"),
        format!("{hello} a\n"),
        format!("{hello}\t a\n"),
        format!("SHA256 (a) = {hello}\n"),
        format!("{hello} a\nSHA256 (a\\) = {hello}\n"),
        format!("{hello}  a\n{hello} a\\\n"),
        "# nothing\n".to_owned(),
        "\n".to_owned(),
        String::new(),
    ];
    let stricter = [format!("{hello}  a\n{hello}  ./a\n")];
    let sha256sum_output =
        have("sha256sum").then(|| ProgramCall::new("sha256sum", directory.root()).args("--version").run().out);
    let has_coreutils_9 = sha256sum_output.is_some_and(|version| version.contains("coreutils) 9."));
    if !has_coreutils_9 {
        skip("the same lists in sha256sum", "there is no sha256sum of coreutils 9");
    }
    for (i, list) in alike.iter().chain(&stricter).enumerate() {
        write_signed_list(&directory, list);
        let fndsa_output = verify_list(&directory, "");
        assert!([0, 3, 4].contains(&fndsa_output.code), "{list:?}: {fndsa_output:?}");
        if has_coreutils_9 {
            let sha256sum_output = ProgramCall::new("sha256sum", directory.root()).args("--strict -c list").run();
            let expected = if i < alike.len() { sha256sum_output.code == 0 } else { sha256sum_output.code != 0 };
            assert_eq!(fndsa_output.code == 0, expected, "{list:?}: {fndsa_output:?} {sha256sum_output:?}");
        }
    }
}

#[test]
fn lists_changed_by_editors_and_powershell_are_reported() {
    let directory = directory_with_signed_list();
    let list = directory.text("list");
    let utf16_list =
        |order: fn(u16) -> [u8; 2]| format!("\u{feff}{list}").encode_utf16().flat_map(order).collect::<Vec<_>>();
    for bytes in [utf16_list(u16::to_le_bytes), utf16_list(u16::to_be_bytes)] {
        write_signed_list(&directory, bytes);
        verify_list(&directory, "")
            .code(3)
            .out_has("list: ERROR (this is text in UTF-16)")
            .err_has("save the file as UTF-8 or ASCII: `>` in PowerShell writes UTF-16");
    }
    write_signed_list(&directory, format!("\u{feff}{list}"));
    verify_list(&directory, "")
        .code(3)
        .out_has("list: ERROR (line 1: the list begins with a byte-order mark)")
        .err_has("save the list as UTF-8");
}

#[test]
fn sha256sum_agrees_on_every_name() {
    let directory = TestDirectory::toy();
    let names: Vec<&OsStr> = [
        &b"two\nlines"[..],
        b"cr\r",
        b"back\\slash",
        b"\\n",
        b"\\",
        b"-x",
        b" ",
        b"  two  spaces ",
        b"\xff\xfe",
        b"a: OK",
        b"\x1b[31m",
        b"*star",
        b"tab\t",
        b"Gr\xc3\xbc\xc3\x9fe",
        b"sub/\n",
    ]
    .map(OsStr::from_bytes)
    .to_vec();
    fs::create_dir(directory.path("sub")).unwrap();
    for (i, name) in names.iter().enumerate() {
        directory.put(name, format!("content {i}"));
    }
    let call = directory.call("--allow-weak sign -k k.key -M list --");
    names.iter().fold(call, |call, name| call.arg(name)).run().code(0);
    let output = verify_list(&directory, "").code(0);
    assert_eq!(output.out.lines().count(), names.len() + 1);
    let json = directory.run("--allow-weak --json verify -p k.pub -M list").code(0).json();
    assert_eq!(json["results"].as_array().unwrap().len(), names.len() + 1);
    if !have("sha256sum") {
        return skip("names in sha256sum", "there is no sha256sum");
    }
    ProgramCall::new("sha256sum", directory.root()).args("-c --strict list").run().code(0);
    let call = ProgramCall::new("sha256sum", directory.root()).arg("--");
    let sha256sum_output = names.iter().fold(call, |call, name| call.arg(name)).run().code(0);
    assert_eq!(sha256sum_output.stdout, directory.get("list"), "the same bytes");
}

#[test]
fn json_contains_the_list_first() {
    let directory = directory_with_signed_list();
    directory.put("b", "changed");
    let json = directory.run("--allow-weak --json verify -p k.pub -M list a b c").code(1).json();
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    let first = &results[0];
    assert_eq!((&first["kind"], &first["path"], &first["files"]), (&"manifest".into(), &"list".into(), &2.into()));
    let verdicts: Vec<_> = results.iter().map(|result| (&result["status"], &result["reason"])).collect();
    assert_eq!(verdicts[1].0, "ok");
    assert_eq!(verdicts[2], (&"failed".into(), &"manifest_mismatch".into()));
    assert_eq!(verdicts[3], (&"failed".into(), &"not_in_manifest".into()));
    assert!(results[1..].iter().all(|result| result["manifest"] == "list"));
    let json = directory.run("--allow-weak --json sign -f -k k.key -M list a").code(0).json();
    assert_eq!((&json["results"][0]["kind"], &json["results"][1]["path"]), (&"manifest".into(), &"a".into()));
    assert_eq!(json["results"][1]["sha256"].as_str().unwrap(), &directory.text("list")[..64]);
}

#[test]
fn a_million_files_fit_into_memory() {
    if !std::path::Path::new("/proc/self/status").exists() {
        return skip("peak memory", "there is no /proc");
    }
    let directory = TestDirectory::toy();
    let line = |i: usize| format!("{}  directory/of/some/length/file-{i}.txt\n", "0".repeat(64));
    write_signed_list(&directory, (0..1_000_000).map(line).collect::<String>());
    // If the program uses more memory than the address space limit, it fails.
    let output = directory.sh("ulimit -v 614400; $FNDSA --allow-weak verify -p k.pub -M list -j 1 --ignore-missing");
    assert!(output.code(1).out.contains("list: FAILED (no file was verified"));
}
