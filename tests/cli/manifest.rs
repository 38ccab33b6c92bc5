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
    let place = TestDirectory::toy();
    place
        .run("--allow-weak sign -k k.key -M list a b")
        .code(0)
        .out_empty()
        .err_has("wrote list (2 files) and list.sig");
    place
}

fn verify_list(place: &TestDirectory, line: &str) -> ProgramOutput {
    place.run(&format!("--allow-weak verify -p k.pub -M list {line}"))
}

/// Returns the first words of each output line.
fn first_words(done: &ProgramOutput) -> Vec<&str> {
    done.out.lines().map(|line| line.split(" (").next().unwrap()).collect()
}

#[test]
fn a_changed_file_does_not_match_its_list() {
    let place = directory_with_signed_list();
    let done = verify_list(&place, "").code(0).err_empty();
    assert_eq!(first_words(&done), ["list: OK", "a: OK", "b: OK"]);
    let name = done.out.lines().next().unwrap().split_once(" (").unwrap().1;
    assert!(name.starts_with("FN-DSA-16 sha256:"), "{name}");
    assert!(done.out.lines().skip(1).all(|line| line.ends_with(": OK")), "{}", done.out);

    place.put("b", "changed\n");
    let done = verify_list(&place, "").code(1).err_has("2 files: 1 FAILED, 0 ERROR");
    assert_eq!(first_words(&done), ["list: OK", "a: OK", "b: FAILED"]);
    assert!(done.out.contains("b: FAILED (does not match its checksum in the list "));
    assert_eq!(first_words(&verify_list(&place, "a").code(0)), ["list: OK", "a: OK"]);

    fs::remove_file(place.path("b")).unwrap();
    let done = verify_list(&place, "").code(4);
    assert_eq!(first_words(&done), ["list: OK", "a: OK", "b: ERROR"]);
    let done = verify_list(&place, "--ignore-missing").code(0);
    assert_eq!(done.err, "note: list: 1 of 2 listed files are missing and were not verified\n");
    assert_eq!(first_words(&done), ["list: OK", "a: OK"]);
    // `--ignore-missing` ignores only files that do not exist.
    fs::create_dir(place.path("b")).unwrap();
    verify_list(&place, "--ignore-missing").code(4).out_has("b: ERROR (is a directory)");
    fs::remove_dir(place.path("b")).unwrap();

    fs::remove_file(place.path("a")).unwrap();
    let done = verify_list(&place, "--ignore-missing").code(1);
    assert_eq!(first_words(&done), ["list: OK", "list: FAILED"]);
    // If the user names a file, the file must exist, also with `--ignore-missing`.
    verify_list(&place, "--ignore-missing a").code(4).out_has("a: ERROR (").out_has("no such file");
    place.run("--allow-weak verify -p k.pub --ignore-missing a").code(2).out_empty();
}

#[test]
fn no_entry_of_an_edited_list_is_accepted() {
    let place = directory_with_signed_list();
    let list = place.text("list");
    for edited in [
        format!("{list}{}  a\n", "0".repeat(64)),
        list.replace("  b\n", "  a\n"),
        list.lines().take(1).map(|line| format!("{line}\n")).collect(),
        list.trim_end().to_owned(),
        list.replace('\n', "\r\n"),
        String::new(),
        "x".to_owned(),
    ] {
        place.put("list", &edited);
        for line in ["", "a", "--ignore-missing", "--explain", "nosuch"] {
            let done = verify_list(&place, line).code(1);
            assert_eq!(first_words(&done), ["list: FAILED"], "{edited:?}");
        }
    }
    place.put("list", &list);
    verify_list(&place, "").code(0);
    place.run("--allow-weak verify -p k2.pub -M list").code(1);
    fs::remove_file(place.path("list.sig")).unwrap();
    let done = verify_list(&place, "").code(4);
    assert_eq!(first_words(&done), ["list: ERROR"]);
}

#[test]
fn files_of_a_list_are_selected_by_name() {
    let place = directory_with_signed_list();
    place.put("c", "c");
    let done = verify_list(&place, "b c a ./a").code(1);
    assert_eq!(first_words(&done), ["list: OK", "b: OK", "c: FAILED", "a: OK", "./a: OK"]);
    assert!(done.out.contains("c: FAILED (not in the list "));
    let done = place.call("--allow-weak verify -p k.pub -M list --files-from -").input("b\n").run().code(0);
    assert_eq!(first_words(&done), ["list: OK", "b: OK"]);
    // An empty list of names does not select all files.
    place.call("--allow-weak verify -p k.pub -M list --files-from -").input("").run().code(2).out_empty();
}

#[test]
fn all_spellings_of_a_name_select_the_same_file() {
    let place = directory_with_signed_list();
    fs::create_dir(place.path("d")).unwrap();
    place.put("d/c", "c");
    place.put("-", "dash");
    for line in ["a ./a", "d/c d//c", "d/./c ./d/c", "./- .//-"] {
        place
            .run(&format!("--allow-weak sign -k k.key -M two {line}"))
            .code(2)
            .out_empty()
            .err_has("the file is named twice");
    }
    for directory in ["d/", ".", "./", "d/."] {
        place.run(&format!("--allow-weak sign -k k.key -M two {directory}")).code(2).out_empty().err_has("a directory");
    }
    place.run("--allow-weak sign -f -k k.key -M list ./a .//d/./c ./b ./-").code(0);
    let names: Vec<_> = place.text("list").lines().map(|line| line[66..].to_owned()).collect();
    assert_eq!(names, ["a", "d/c", "b", "./-"]);
    // Shells complete names as `./*`.
    let done = verify_list(&place, "./a a d//c ./d/c ./- ./nosuch").code(1);
    let expected = ["list: OK", "./a: OK", "a: OK", "d//c: OK", "./d/c: OK", "./-: OK", "./nosuch: FAILED"];
    assert_eq!(first_words(&done), expected);
    assert_eq!(first_words(&verify_list(&place, "").code(0)), ["list: OK", "a: OK", "d/c: OK", "b: OK", "./-: OK"]);
    // A list with two entries for the same file is rejected.
    let list = place.text("list");
    let line = |name: &str| format!("{}  {name}\n", &list[..64]);
    for [first, second] in [["a", "./a"], ["d/c", "d//c"], ["./d/c", "d/./c"], ["./-", "././-"]] {
        for checksum in [line(second), format!("{}  {second}\n", "0".repeat(64))] {
            write_signed_list(&place, line(first) + &checksum);
            let done = verify_list(&place, first).code(3);
            assert!(
                first_words(&done) == ["list: ERROR"] && done.out.contains("line 2: the file is named twice"),
                "{done:?}"
            );
        }
    }
}

#[test]
fn no_file_outside_is_read_through_a_link() {
    let place = directory_with_signed_list();
    let outside = TestDirectory::toy();
    fs::create_dir(place.path("d")).unwrap();
    place.put("d/c", "c");
    let absolute = place.path("d/c");
    for (link, target) in [
        ("out", outside.root()),
        ("absolute", &absolute),
        ("d/up", "../..".as_ref()),
        ("in", "d/c".as_ref()),
        ("d/around", "../d/../a".as_ref()),
        ("loop", "loop".as_ref()),
        ("dangling", "nosuch".as_ref()),
    ] {
        symlink(target, place.path(link)).unwrap();
    }
    let digest = |bytes: &str| {
        place.put("of", bytes);
        place.run("--allow-weak sign -f -k k.key -M sum of").code(0);
        place.text("sum")[..64].to_owned()
    };
    let (a, c) = (digest("hello\n"), digest("c"));
    let up = format!("d/up/{}/a", place.root().file_name().unwrap().to_str().unwrap());
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
    write_signed_list(&place, &list);
    // The result is the same if the kernel does not have `openat2` or if a filter refuses this
    // call.
    let line = "--allow-weak verify -p k.pub -M list";
    let injected =
        ["ENOSYS", "EPERM"].map(|e| place.traced(&format!("-o /dev/null -e inject=openat2:error={e}"), line));
    for done in [Some(verify_list(&place, ""))].into_iter().chain(injected) {
        let Some(done) = done else {
            skip("links without openat2", "strace does not work");
            continue;
        };
        let done = done.code(4);
        let lines: Vec<_> = done.out.lines().skip(1).collect();
        assert_eq!(lines.len(), names.len(), "{done:?}");
        assert!(lines.iter().zip(&names).all(|(line, (.., words))| line.contains(words)), "{done:?}");
    }
    for (name, code, words) in names.map(|(_, name, words)| (name, if words == "OK" { 0 } else { 4 }, words)) {
        let done = place.run(&format!("--allow-weak sign -f -k k.key -M new {name}")).code(code);
        assert!(code == 0 || done.err.contains(words), "{done:?}");
    }
}

#[test]
fn only_regular_files_are_read_and_pipes_do_not_block() {
    let place = directory_with_signed_list();
    assert_eq!(ProgramCall::new("mkfifo", place.root()).arg("fifo").run().code, 0);
    let _listener = UnixListener::bind(place.path("socket")).unwrap();
    fs::create_dir(place.path("d")).unwrap();
    let mut kinds = vec![
        ("fifo", "this is a FIFO, not a regular file"),
        ("socket", "this is a socket, not a regular file"),
        ("d", "is a directory"),
    ];
    // Only some users can create a device.
    if ProgramCall::new("mknod", place.root()).args("endless c 1 5").run().code == 0 {
        kinds.push(("endless", "this is a device, not a regular file"));
    } else {
        skip("a device in a manifest", "mknod is not allowed");
    }
    let zeros = "0".repeat(64);
    write_signed_list(&place, kinds.iter().map(|(name, _)| format!("{zeros}  {name}\n")).collect::<String>());
    let done = verify_list(&place, "").code(4);
    for ((name, words), line) in kinds.iter().zip(done.out.lines().skip(1)) {
        assert_eq!(line, format!("{name}: ERROR ({words})"));
        place.run(&format!("--allow-weak sign -k k.key -M new a {name}")).code(4).out_empty().err_has(words);
        assert!(!place.has("new") && !place.has("new.sig"));
    }
    // Without `-M`, a file argument can be a stream.
    place.sh("echo text >fifo & $FNDSA --allow-weak sign -k k.key -o s fifo && wait").code(0);
}

#[test]
fn a_missing_signature_or_list_has_a_hint() {
    let place = directory_with_signed_list();
    fs::create_dir(place.path("elsewhere")).unwrap();
    let done = place.sh("cd elsewhere && $FNDSA --allow-weak verify -p ../k.pub -M ../list").code(4);
    assert_eq!(done.out.matches(": ERROR (no such file or directory)\n").count(), 2, "{done:?}");
    assert_eq!(
        done.err.matches("names in a list are relative to the current directory: to use").count(),
        1,
        "{done:?}"
    );
    // The summary does not count the list itself as a file.
    let done = done.err_has("verify: 2 files: 0 FAILED, 2 ERROR\n");
    assert_eq!(done.err.lines().count(), 2, "{done:?}");
    let json = place.sh("cd elsewhere && $FNDSA --allow-weak --json verify -p ../k.pub -M ../list").code(4).json();
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
    let place = directory_with_signed_list();
    place.run("--allow-weak verify -p k.pub list").code(0);
    fs::rename(place.path("list.sig"), place.path("s")).unwrap();
    verify_list(&place, "").code(4);
    verify_list(&place, "-s s").code(0);
    place.sh("$FNDSA --allow-weak verify -p k.pub -M - -s s <list").code(0).out_has("-: OK").out_has("a: OK");
    place.run("--allow-weak verify -p k.pub -M -").code(2).err_has("-s FILE");
    // The message options apply to the list.
    place.run("--allow-weak sign -f -k k.key -M list --format raw -c v1 --prehash sha512 a b").code(0);
    verify_list(&place, "").code(1);
    verify_list(&place, "-c v1 --prehash sha512").code(0);
    verify_list(&place, "--explain -c v1")
        .code(1)
        .err_has("explain: list: the signature matches with --prehash sha512");
    for line in ["--mu", "--prehash sha256 --prehashed", "-o s"] {
        place.run(&format!("--allow-weak sign -k k.key -M new {line} a")).code(2);
    }
}

#[test]
fn a_list_is_written_completely_or_not_at_all() {
    let place = TestDirectory::toy();
    let names = place.names();
    place.run("--allow-weak sign -k k.key -M list a nosuch b").code(4).err_has("nosuch: no such file");
    fs::create_dir(place.path("d")).unwrap();
    place.run("--allow-weak sign -k k.key -M list a d").code(4);
    fs::remove_dir(place.path("d")).unwrap();
    assert_eq!(place.names(), names);
    // If an output file exists, `sign` stops before it reads any file.
    let pipe = ProgramCall::new("mkfifo", place.root()).arg("endless").run();
    assert_eq!(pipe.code, 0);
    let old_list = format!("{}  old\n", "0".repeat(64));
    for (there, old) in [("list", old_list.as_str()), ("list.sig", "old")] {
        place.put(there, old);
        place.run("--allow-weak sign -k k.key -M list endless").code(4).err_has("exists already");
        assert_eq!(place.text(there), old);
        assert!(!(place.has("list") && place.has("list.sig")));
        place.run("--allow-weak sign -f -k k.key -M list a nosuch").code(4);
        assert_eq!(place.text(there), old);
        place.run("--allow-weak sign -f -k k.key -M list a b").code(0);
        verify_list(&place, "").code(0);
        fs::remove_file(place.path("list")).unwrap();
        fs::remove_file(place.path("list.sig")).unwrap();
    }
    place.put("list", "old");
    place.run("--allow-weak sign -f -k k.key -M list a list").code(2).err_has("also an input");
    place.run("--allow-weak sign -k k.key -M no/where a").code(4);
    symlink("target", place.path("link")).unwrap();
    place.run("--allow-weak sign -k k.key -M link a").code(4);
    place.run("--allow-weak sign -f -k k.key -M link a").code(0);
    assert!(!place.has("target"));
}

#[test]
fn names_that_lead_outside_are_not_written() {
    let place = TestDirectory::toy();
    place.put("-", "dash");
    let absolute = place.path("a");
    for names in ["..", "../a", "d/../a", "-", "/dev/stdin", absolute.to_str().unwrap(), "a a", "a b a"] {
        place
            .run(&format!("--allow-weak sign -k k.key -M list {names}"))
            .code(2)
            .out_empty()
            .err_has("this name cannot be in a list");
    }
    place.call("--allow-weak sign -k k.key -M list").arg("").run().code(2);
    place.run("--allow-weak sign -k k.key -M /dev/null a").code(2);
    assert!(!place.has("list"));
    place.run("--allow-weak sign -k k.key -M list ./- a..b").code(4);
    place.run("--allow-weak sign -k k.key -M list ./-").code(0);
    verify_list(&place, "").code(0);
}

/// Writes and signs a list that was not created by fndsa.
fn write_signed_list(place: &TestDirectory, list: impl AsRef<[u8]>) {
    place.put("list", list);
    place.run("--allow-weak sign -f -k k.key list").code(0);
}

#[test]
fn hostile_lists_are_rejected_before_a_file_is_opened() {
    let place = directory_with_signed_list();
    let (good, zeros) = (place.text("list"), "0".repeat(64));
    // There is no writer for this pipe, so a command that opens it will wait forever.
    assert_eq!(ProgramCall::new("mkfifo", place.root()).arg("endless").run().code, 0);
    let outside = place.path("a");
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
        write_signed_list(&place, format!("{zeros}  endless\n{good}{bad}"));
        let done = verify_list(&place, "").code(3);
        assert_eq!(first_words(&done), ["list: ERROR"], "{bad:?}");
        assert!(done.out.contains("line 4: ") && done.err.contains("hint: "), "{done:?}");
    }
    // Composed and decomposed letters are different names.
    write_signed_list(&place, format!("{zeros}  gr\u{fc}n\n{zeros}  gru\u{308}n\n"));
    verify_list(&place, "").code(4);
}

#[test]
fn lists_of_sha256sum_are_accepted() {
    let place = directory_with_signed_list();
    let list = place.text("list");
    write_signed_list(&place, list.replace("  ", " *"));
    verify_list(&place, "").code(0);
    write_signed_list(
        &place,
        list.lines().map(|l| format!("{}{}\n", l[..64].to_uppercase(), &l[64..])).collect::<String>(),
    );
    verify_list(&place, "").code(0);
    write_signed_list(&place, list.trim_end());
    verify_list(&place, "").code(0);
    if !have("sha256sum") {
        return skip("a list of sha256sum", "there is no sha256sum");
    }
    place.sh("sha256sum a b >list && $FNDSA --allow-weak sign -f -k k.key list").code(0);
    verify_list(&place, "").code(0);
}

/// Comments, empty lines and line ends are parsed as `sha256sum -c` parses them. Other deviations
/// from the lines that fndsa writes are rejected, even if `sha256sum` accepts them.
#[test]
fn lists_are_parsed_as_by_sha256sum() {
    let place = TestDirectory::toy();
    for name in ["#", "two\nlines", "cr\r"] {
        place.put(name, "hello\n");
    }
    place.run("--allow-weak sign -k k.key -M one a").code(0);
    let hello = &place.text("one")[..64];
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
    let theirs = have("sha256sum").then(|| ProgramCall::new("sha256sum", place.root()).args("--version").run().out);
    let has_coreutils_9 = theirs.is_some_and(|version| version.contains("coreutils) 9."));
    if !has_coreutils_9 {
        skip("the same lists in sha256sum", "there is no sha256sum of coreutils 9");
    }
    for (i, list) in alike.iter().chain(&stricter).enumerate() {
        write_signed_list(&place, list);
        let ours = verify_list(&place, "");
        assert!([0, 3, 4].contains(&ours.code), "{list:?}: {ours:?}");
        if has_coreutils_9 {
            let theirs = ProgramCall::new("sha256sum", place.root()).args("--strict -c list").run();
            let expected = if i < alike.len() { theirs.code == 0 } else { theirs.code != 0 };
            assert_eq!(ours.code == 0, expected, "{list:?}: {ours:?} {theirs:?}");
        }
    }
}

#[test]
fn lists_changed_by_editors_and_powershell_are_reported() {
    let place = directory_with_signed_list();
    let list = place.text("list");
    let wide = |order: fn(u16) -> [u8; 2]| format!("\u{feff}{list}").encode_utf16().flat_map(order).collect::<Vec<_>>();
    for bytes in [wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        write_signed_list(&place, bytes);
        verify_list(&place, "")
            .code(3)
            .out_has("list: ERROR (this is text in UTF-16)")
            .err_has("save the file as UTF-8 or ASCII: `>` in PowerShell writes UTF-16");
    }
    write_signed_list(&place, format!("\u{feff}{list}"));
    verify_list(&place, "")
        .code(3)
        .out_has("list: ERROR (line 1: the list begins with a byte-order mark)")
        .err_has("save the list as UTF-8");
}

#[test]
fn sha256sum_agrees_on_every_name() {
    let place = TestDirectory::toy();
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
    fs::create_dir(place.path("sub")).unwrap();
    for (i, name) in names.iter().enumerate() {
        place.put(name, format!("content {i}"));
    }
    let call = place.call("--allow-weak sign -k k.key -M list --");
    names.iter().fold(call, |call, name| call.arg(name)).run().code(0);
    let done = verify_list(&place, "").code(0);
    assert_eq!(done.out.lines().count(), names.len() + 1);
    let json = place.run("--allow-weak --json verify -p k.pub -M list").code(0).json();
    assert_eq!(json["results"].as_array().unwrap().len(), names.len() + 1);
    if !have("sha256sum") {
        return skip("names in sha256sum", "there is no sha256sum");
    }
    ProgramCall::new("sha256sum", place.root()).args("-c --strict list").run().code(0);
    let call = ProgramCall::new("sha256sum", place.root()).arg("--");
    let theirs = names.iter().fold(call, |call, name| call.arg(name)).run().code(0);
    assert_eq!(theirs.stdout, place.get("list"), "the same bytes");
}

#[test]
fn json_contains_the_list_first() {
    let place = directory_with_signed_list();
    place.put("b", "changed");
    let json = place.run("--allow-weak --json verify -p k.pub -M list a b c").code(1).json();
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    let first = &results[0];
    assert_eq!((&first["kind"], &first["path"], &first["files"]), (&"manifest".into(), &"list".into(), &2.into()));
    let told: Vec<_> = results.iter().map(|result| (&result["status"], &result["reason"])).collect();
    assert_eq!(told[1].0, "ok");
    assert_eq!(told[2], (&"failed".into(), &"manifest_mismatch".into()));
    assert_eq!(told[3], (&"failed".into(), &"not_in_manifest".into()));
    assert!(results[1..].iter().all(|result| result["manifest"] == "list"));
    let json = place.run("--allow-weak --json sign -f -k k.key -M list a").code(0).json();
    assert_eq!((&json["results"][0]["kind"], &json["results"][1]["path"]), (&"manifest".into(), &"a".into()));
    assert_eq!(json["results"][1]["sha256"].as_str().unwrap(), &place.text("list")[..64]);
}

#[test]
fn a_million_files_fit_into_memory() {
    if !std::path::Path::new("/proc/self/status").exists() {
        return skip("peak memory", "there is no /proc");
    }
    let place = TestDirectory::toy();
    let line = |i: usize| format!("{}  directory/of/some/length/file-{i}.txt\n", "0".repeat(64));
    write_signed_list(&place, (0..1_000_000).map(line).collect::<String>());
    // If the program uses more memory than the address space limit, it fails.
    let done = place.sh("ulimit -v 614400; $FNDSA --allow-weak verify -p k.pub -M list -j 1 --ignore-missing");
    assert!(done.code(1).out.contains("list: FAILED (no file was verified"));
}
