//! Tests for:
//!
//! - file names from a file (`--files-from`),
//! - outputs that are also inputs,
//! - `--print-mu`, which prints the mu that an external signer signs,
//! - long lists and their comments.
//!
//! Also defines the rows about errors in these cases for the message catalogue.

use crate::harness::{TestDirectory, have, in_parallel, skip};
use crate::messages::{MessageCase, RunMethod, row};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

/// Returns the rows about lists of names and lists of checksums for the message catalogue in
/// `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let zeros = "0".repeat(64);
    let usage = |reason, line: &str, words, hint| row(reason, &format!("sign -k k.key {line}"), 2, words, hint);
    let signed_list_row = |reason, words, hint, x: String| {
        row(reason, "verify -p k.pub -M x", 3, words, hint).file_x(x).how(RunMethod::After("$FNDSA sign -k k.key x"))
    };
    let rejected_row =
        |reason, line: &str, words, hint| row(reason, &format!("verify -p k.pub {line}"), 1, words, hint);
    let once = "name each file only once; `./a` and `a` name the same file";
    let files = "give the names of files; to list all files of a directory, add -r DIR";
    vec![
        usage("no_files", "--files-from x", "x: the input names no files", "that program may have failed"),
        usage("manifest_name", "-M m -", "this name cannot be in a list: the name `-` means standard input", "./-"),
        usage(
            "manifest_name_outside",
            "-M m ../b",
            "this name cannot be in a list: the name contains `..`",
            "a list can name only files below one directory: run fndsa",
        ),
        usage(
            "manifest_name_outside",
            "-M m /b",
            "/b: this name cannot be in a list: the name is absolute",
            "a list can name only files below one directory: run fndsa",
        ),
        usage("manifest_duplicate", "-M m b b", "b: this name cannot be in a list: the file is named twice", once),
        usage(
            "manifest_name",
            "-M m d/",
            "d/: this name cannot be in a list: the name is the name of a directory",
            files,
        ),
        usage("manifest_place", "-M - b", "-: fndsa cannot write a list with this name", "SHA256SUMS.sig"),
        row("name_list", "sign -k k.key --files-from x", 3, "x: name 2 is empty", "add -0").file_x("b\n\nb\n"),
        row("name_list", "sign -k k.key --files-from x", 3, "x: name 1 has a NUL byte", "add -0").file_x("b\0b\0"),
        signed_list_row("manifest_empty", "x: the list has no entries", "at least one file", String::new()),
        signed_list_row(
            "manifest_line",
            "line 1: the line is not 64 hexadecimal digits, two spaces and a file name",
            "fndsa sign -M",
            "x\n".into(),
        ),
        signed_list_row(
            "manifest_line",
            "x: line 1: the checksum has 128 hexadecimal digits (SHA-512 or BLAKE2b), but a SHA-256 checksum has 64",
            "fndsa reads only SHA-256 checksums",
            format!("{zeros}{zeros}  a\n"),
        ),
        signed_list_row(
            "manifest_line",
            "x: line 1: the checksum has 40 hexadecimal digits (SHA-1), but a SHA-256 checksum has 64",
            "make the list again with `sha256sum FILE` or",
            format!("{}  a\n", &zeros[..40]),
        ),
        signed_list_row(
            "manifest_line",
            "x: line 1: the checksum is not a SHA-256 checksum",
            "make the list again with `sha256sum FILE` or",
            format!("SHA512 (a) = {zeros}\n"),
        ),
        signed_list_row(
            "manifest_line",
            "x: line 1: the list is inside an OpenPGP signature",
            "gpg --verify LIST",
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n".into(),
        ),
        signed_list_row(
            "manifest_line",
            "x: line 2: the number of spaces before the name differs from the previous lines",
            "two spaces and the file name",
            format!("{zeros}  a\n{zeros} b\n"),
        ),
        signed_list_row(
            "manifest_line",
            "x: line 1: a backslash in the name must be followed by a backslash, `n` or `r`",
            "sha256sum",
            format!("\\{zeros}  a\\q\n"),
        ),
        signed_list_row("manifest_name", "x: line 1: the name is empty", files, format!("{zeros}  \n")),
        signed_list_row("manifest_name", "x: line 1: the name has a NUL byte", files, format!("{zeros}  a\0\n")),
        signed_list_row(
            "manifest_name_outside",
            "x: line 1: the name is absolute",
            "a list can name only files below one directory: run fndsa",
            format!("{zeros}  /a\n"),
        ),
        signed_list_row(
            "manifest_duplicate",
            "x: line 2: the file is named twice",
            once,
            format!("{zeros}  a\n").repeat(2),
        ),
        rejected_row("manifest_mismatch", "-M m", "does not match its checksum in the list m", "")
            .how(RunMethod::After("$FNDSA sign -k k.key -M m a b && echo c >b")),
        row("not_found", "verify -p k.pub -M m", 4, "b: no such file or directory", "--ignore-missing")
            .how(RunMethod::After("$FNDSA sign -k k.key -M m a b && rm b")),
        row("link_outside", "verify -p k.pub -M m", 4, "a link leads out of the current directory", "a copy")
            .how(RunMethod::After("$FNDSA sign -k k.key -M m b && ln -sf /etc/passwd b")),
        row(
            "not_a_regular_file",
            "sign -k k.key -M m a f",
            4,
            "f: this is a FIFO, not a regular file",
            "a list can name only regular files: leave this file out, or move it out of the directory",
        )
        .how(RunMethod::After("mkfifo f")),
        rejected_row("not_in_manifest", "-M m k.pub", "not in the list m", "names in the list are relative")
            .how(RunMethod::After("$FNDSA sign -k k.key -M m a b")),
        rejected_row(
            "nothing_verified",
            "-M m --ignore-missing",
            "no file was verified: all files of the list are missing",
            "names in the list are relative to the current directory: to use another directory, add -C DIR",
        )
        .how(RunMethod::After("$FNDSA sign -k k.key -M m a b && rm a b")),
    ]
}

const SIGN: &str = "--allow-weak sign -k k.key";
const VERIFY: &str = "--allow-weak verify -p k.pub";

#[test]
fn a_name_file_adds_to_the_arguments_in_order() {
    let directory = TestDirectory::toy();
    directory.put("c", "c");
    directory.put("names", "b\nc\n");
    directory.run(&format!("{SIGN} --files-from names")).code(0);
    let output = directory.run(&format!("{VERIFY} a --files-from names")).code(0);
    let starts: Vec<_> = output.out.lines().map(|line| &line[..3]).collect();
    assert_eq!(starts, ["a: ", "b: ", "c: "]);
    directory.sh(&format!("printf 'b\\nc' | $FNDSA {VERIFY} --files-from -")).code(0).out_has("c: OK");
    directory.sh(&format!("printf 'b\\0c' | $FNDSA {VERIFY} -0 --files-from /dev/stdin")).code(0).out_has("c: OK");
    // If `--files-from` gives a single name, options that require a single file (`-s`) are allowed.
    directory.put("names", "a\n");
    directory.run(&format!("{VERIFY} -s a.sig --files-from names")).code(0);
    directory.run(&format!("{VERIFY} -s a.sig b --files-from names")).code(2).err_has("one FILE");
    directory.run(&format!("{SIGN} -o s b --files-from names")).code(2).err_has("one FILE");
    directory.run(&format!("{VERIFY} -0 a")).code(2);
    directory.run(&format!("{VERIFY} --files-from nosuch")).code(4).out_empty();
}

#[test]
fn names_are_used_byte_for_byte() {
    let directory = TestDirectory::toy();
    let names: [&[u8]; 9] = [b"-", b"-x", b" sp ace ", b"cr\r", b"\xff", b"\\n", b"'quoted'", b"#", b"two\nlines"];
    for name in names {
        directory.put(OsStr::from_bytes(name), "hello\n");
    }
    directory.put("nul", names.map(|name| [name, b"\0"].concat()).concat());
    directory.run(&format!("{SIGN} -0 --files-from nul")).code(0).out_empty();
    assert_eq!(directory.run(&format!("{VERIFY} -0 --files-from nul")).code(0).out.lines().count(), names.len());
    directory.put("lf", names[..8].join(&b"\n"[..]));
    let output = directory.call(&format!("{VERIFY} --files-from lf")).input("from standard input").run().code(0);
    assert_eq!(output.out.lines().count(), 8);
    directory.sh(&format!("find . -name '*s' -print0 | $FNDSA {VERIFY} -0 --files-from -")).code(0).out_has("lines");
}

#[test]
fn invalid_name_files_are_rejected() {
    let directory = TestDirectory::toy();
    for (list, code, words) in [
        (&b""[..], 2, ": the input names no files"),
        (b"\n", 3, "name 1 is empty"),
        (b"a\n\nb\n", 3, "name 2 is empty"),
        (b"a\0b\0", 3, "name 1 has a NUL byte"),
        (&[b'x'; 100_000], 3, "name 1 is longer"),
    ] {
        for line in [SIGN, VERIFY] {
            let output = directory.call(&format!("{line} --files-from -")).input(list).run().code(code).out_empty();
            assert!(output.err.contains(words) && output.err.contains("hint: "), "{output:?}");
        }
    }
    assert!(!directory.has("b.sig"));
    // fndsa also rejects an endless file of names.
    directory.run(&format!("{VERIFY} --files-from /dev/zero")).code(3);
    directory.run(&format!("{VERIFY} -0 --files-from /dev/zero")).code(3);
    directory
        .sh(&format!("yes | $FNDSA {VERIFY} --files-from -"))
        .code(3)
        .out_empty()
        .err_has("name 4194305 is above the limit");
    for line in ["verify -p - --files-from - a", "verify -p k.pub -s s - --files-from -", "sign -k - --files-from -"] {
        directory.call(line).input("").run().code(2).err_has("more than one input");
    }
    directory.call(&format!("{SIGN} --files-from - --context-file -")).input("a").run().code(2);
}

#[test]
fn an_output_must_not_be_an_input() {
    let directory = TestDirectory::toy();
    let original = directory.get("a.sig");
    directory.run(&format!("{SIGN} -f a a.sig")).code(2).err_has("leave the *.sig files out");
    assert_eq!(directory.get("a.sig"), original);
    directory.put("names", "a\n");
    directory.run(&format!("{SIGN} -f -o names --files-from names")).code(2).err_has("also an input");
    directory.run(&format!("{SIGN} b b")).code(2).err_has("two signatures would go to this file");
    assert!(!directory.has("b.sig"), "nothing was signed");
}

#[test]
fn a_mu_can_be_signed_on_another_machine() {
    let directory = TestDirectory::ready();
    for (options, verify) in [("", ""), ("-c v1", "-c v1"), ("--prehash sha512", "--prehash sha512")] {
        for key in ["-k k.key", "-p k.pub"] {
            let line = format!(
                "$FNDSA sign {key} --print-mu {options} b >mu && $FNDSA sign -f -k k.key --mu -o b.sig - <mu && \
                 $FNDSA verify -p k.pub {verify} b && $FNDSA verify -p k.pub --mu -s b.sig mu"
            );
            assert_eq!(directory.sh(&line).code(0).err, "wrote b.sig\n");
            assert_eq!(directory.get("mu").len(), 129);
        }
    }
    directory.sh("$FNDSA sign -p k.pub --print-mu - <b | $FNDSA sign -f -k k.key --mu -o b.sig -").code(0);
    directory.run("verify -p k.pub b").code(0);
    let names = directory.names();
    directory.sh("$FNDSA sign -p k.pub --print-mu b >/dev/full").code(4);
    directory.run("sign --print-mu a").code(2).err_has("-k FILE");
    directory.run("sign -p k.key --print-mu a").code(3);
    directory.run("sign -k k.pub --print-mu a").code(3);
    for line in ["-p k.pub a", "-p k.pub -k k.key --print-mu a", "-k k.key --print-mu -o s a"] {
        directory.run(&format!("sign {line}")).code(2).out_empty();
    }
    for option in ["-f", "-M list --inline", "--mu", "--format raw"] {
        directory.run(&format!("sign -k k.key --print-mu {option} a")).code(2).out_empty();
    }
    assert_eq!(directory.names(), names);
}

#[test]
fn several_mus_are_printed_with_their_names() {
    let directory = TestDirectory::toy();
    directory.put("new\nline", "hello\n");
    let plain_mu = directory.run(&format!("{SIGN} --print-mu a")).code(0).err_empty().out;
    let output = directory.call(&format!("{SIGN} --print-mu a nosuch b")).arg("new\nline").run().code(4);
    let lines: Vec<_> = output.out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], format!("{}  a", plain_mu.trim_end()));
    assert!(lines[1].ends_with("  b"));
    assert_eq!(lines[2], format!("\\{}  new\\nline", plain_mu.trim_end()));
    // With `--files-from`, each line of the output contains the file name, even if there is only
    // one file.
    let named_mu = directory.call(&format!("{SIGN} --print-mu --files-from -")).input("a").run().code(0).out;
    assert_eq!(named_mu, format!("{}  a\n", plain_mu.trim_end()));
    let json = directory.run(&format!("--json {SIGN} --print-mu a")).code(0).json();
    assert_eq!(json["results"][0]["mu_hex"], plain_mu.trim_end());
}

#[test]
fn one_process_signs_ten_thousand_files() {
    let directory = TestDirectory::toy();
    fs::create_dir(directory.path("tree")).unwrap();
    let names: Vec<_> = (0..10_000).map(|i| format!("tree/file-{i}")).collect();
    in_parallel(&names, |i, name| directory.put(name, format!("content {i}\n")));
    directory.put("names", names.join("\n"));

    directory.run(&format!("{SIGN} -M list --files-from names")).code(0).err_has("wrote list (10000 files)");
    assert_eq!(directory.text("list").lines().count(), 10_000);
    let output = directory.run(&format!("{VERIFY} -M list")).code(0).err_empty();
    assert_eq!(output.out.lines().count(), 10_001);
    assert!(output.out.lines().skip(1).zip(&names).all(|(line, name)| line == format!("{name}: OK")));
    if have("sha256sum") {
        directory.sh("sha256sum --quiet -c list").code(0).out_empty();
    } else {
        skip("a long list in sha256sum", "there is no sha256sum");
    }
    directory.put("tree/file-9999", "changed\n");
    directory.run(&format!("-q {VERIFY} -M list")).code(1).out_has("tree/file-9999: FAILED");

    let output = directory.run(&format!("{SIGN} --files-from names")).code(0).out_empty();
    assert_eq!(output.err, "wrote 10000 signature files\n");
    let output = directory.run(&format!("{VERIFY} --files-from names")).code(0).err_empty();
    assert!(output.out.lines().zip(&names).all(|(line, name)| line.starts_with(&format!("{name}: OK"))));
    assert_eq!(output.out.lines().count(), 10_000);
}

/// fndsa prints the first 20 comments. The JSON document contains the first 1000 comments, up to 1
/// MiB in total. There is a limit because a list can consist of comments only. fndsa counts the
/// comments that it does not print.
#[test]
fn comments_over_the_limit_are_counted_and_not_printed() {
    let directory = TestDirectory::ready();
    let long = format!("# {}\n", "x".repeat(2 << 20));
    for (comments, kept, left_out, words) in [
        ("# c\n".repeat(20), 20, None, None),
        ("# c\n".repeat(1000), 1000, None, Some("980 more signed comments (--json prints them)")),
        ("#\n".repeat(1500), 1000, Some(500), Some("500 more signed comments (see the list itself)")),
        (format!("# c\n{long}# c\n"), 1, Some(2), Some("2 more signed comments (see the list itself)")),
    ] {
        directory.sh("sha256sum a >sum").code(0);
        directory.put("L", comments + &directory.text("sum"));
        directory.run("sign -f -k k.key L").code(0);
        let output = directory.run("verify -p k.pub -M L").code(0);
        assert_eq!(words.is_some(), output.err.contains(" more signed comments"), "{}", output.err);
        words.into_iter().for_each(|words| assert!(output.err.contains(words), "{}", output.err));
        let list = &directory.run("--json verify -p k.pub -M L").code(0).json()["results"][0];
        assert_eq!(list["comments"].as_array().map(Vec::len), Some(kept));
        assert_eq!(list["comments_left_out"].as_u64(), left_out);
    }
}
