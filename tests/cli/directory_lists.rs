//! Tests for lists that contain whole directories: `sign -M LIST -r DIR`, `verify -C DIR`,
//! `verify --strict`.

use crate::harness::{ProgramCall, ProgramOutput, TestDirectory, have, long, skip};
use crate::messages::{MessageCase, RunMethod, row};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

/// Returns a directory with a release in `dist`. In many locales, the order of these names is not
/// the byte order.
fn directory_with_release() -> TestDirectory {
    let directory = TestDirectory::toy();
    fs::create_dir_all(directory.path("dist/b/empty")).unwrap();
    fs::create_dir_all(directory.path("dist/B")).unwrap();
    for name in ["a", "B/z", "b/a", "b.txt", "b-1", "ä", "-", "Z", "b/.hidden"] {
        directory.put(format!("dist/{name}"), name);
    }
    directory
}

/// The file names in `dist`, sorted by bytes as in a list.
const SORTED: [&str; 9] = ["./-", "B/z", "Z", "a", "b-1", "b.txt", "b/.hidden", "b/a", "ä"];

/// Signs a list of a directory with these additional arguments.
fn sign_directory(directory: &TestDirectory, line: &str) -> ProgramOutput {
    directory.run(&format!("--allow-weak sign -k k.key {line}"))
}

/// Verifies a list of a directory with these additional arguments.
fn verify_directory(directory: &TestDirectory, line: &str) -> ProgramOutput {
    directory.run(&format!("--allow-weak verify -p k.pub {line}"))
}

/// Returns the names in a list.
fn names_in_list(directory: &TestDirectory, list: &str) -> Vec<String> {
    directory.text(list).lines().map(|line| line[66..].to_owned()).collect()
}

/// Returns the rows about lists of directories for the message catalogue in `messages.rs`.
pub fn rows() -> Vec<MessageCase> {
    let make = "mkdir d e; echo a >d/a; $FNDSA -q sign -k k.key -M l -r d";
    let after = RunMethod::After(make);
    vec![
        row(
            "unlisted",
            "verify -p k.pub -M l -C d --strict",
            1,
            "in the directory, but not in the list l",
            "remove it",
        )
        .how(RunMethod::After("mkdir d; echo a >d/a; $FNDSA -q sign -k k.key -M l -r d; echo b >d/b")),
        row("no_files", "sign -k k.key -M m -r e", 2, "e: this directory has no files to list", "the directory")
            .how(after),
        row("not_found", "sign -k k.key -M m -r nosuch", 4, "nosuch: no such file or directory", "check the name"),
        row(
            "not_found",
            "verify -p k.pub -M l -C e",
            4,
            "e/a: no such file or directory",
            "names in the list are relative to the given directory; to skip missing files, add --ignore-missing",
        )
        .how(after),
        row(
            "not_a_regular_file",
            "sign -k k.key -M m -r e",
            4,
            "e/l: this is a link, not a regular file",
            "regular files",
        )
        .how(RunMethod::After("mkdir e; ln -s ../a e/l")),
        row("link_outside", "verify -p k.pub -M l -C e", 4, "e/a: a link leads out of e", "with a copy of the file")
            .how(RunMethod::After("mkdir d e; echo a >d/a; $FNDSA -q sign -k k.key -M l -r d; ln -s ../d/a e/a")),
    ]
}

#[test]
fn a_directory_is_listed_sorted_by_bytes() {
    let directory = directory_with_release();
    sign_directory(&directory, "-M SHA256SUMS -r dist")
        .code(0)
        .out_empty()
        .err_has("wrote SHA256SUMS (9 files) and SHA256SUMS.sig");
    assert_eq!(names_in_list(&directory, "SHA256SUMS"), SORTED);
    let output = verify_directory(&directory, "-M SHA256SUMS -C dist").code(0).err_empty();
    let lines: Vec<_> = output.out.lines().skip(1).collect();
    let expected: Vec<_> = SORTED.iter().map(|name| format!("dist/{name}: OK")).collect();
    assert_eq!(lines, expected);
    // Common tools produce a list with the same bytes.
    let list_command =
        "cd dist && find . -type f -printf '%P\\0' | LC_ALL=C sort -z | sed -z 's,^-$,./-,' | xargs -0 sha256sum";
    assert_eq!(directory.sh(list_command).code(0).stdout, directory.get("SHA256SUMS"));
    directory.sh("cd dist && sha256sum -c --strict --quiet ../SHA256SUMS").code(0);
    // The list is the same for different paths to the directory, and for a command that runs inside
    // the directory.
    for line in ["-M l -r dist/", "-M l -r ./dist", "-M l -r dist/../dist"] {
        sign_directory(&directory, &format!("-f {line}")).code(0);
        assert_eq!(directory.get("l"), directory.get("SHA256SUMS"), "{line}");
    }
    directory.sh("cd dist && $FNDSA --allow-weak sign -k ../k.key -M ../l2 -r .").code(0);
    assert_eq!(directory.get("l2"), directory.get("SHA256SUMS"));
    directory.sh("cd dist && $FNDSA --allow-weak verify -p ../k.pub -M ../l2").code(0).out_has("\n./-: OK\nB/z: OK\n");
    // This command runs outside `dist` and without `-C dist`, so it does not find the listed file.
    verify_directory(&directory, "-M SHA256SUMS b.txt")
        .code(4)
        .err_has("names in a list are relative to the current directory: to use");
}

#[test]
fn a_list_does_not_list_itself() {
    let directory = directory_with_release();
    sign_directory(&directory, "-M dist/SHA256SUMS -r dist").code(0);
    assert_eq!(names_in_list(&directory, "dist/SHA256SUMS"), SORTED);
    let first = directory.get("dist/SHA256SUMS");
    sign_directory(&directory, "-M dist/SHA256SUMS -r dist").code(4).err_has("exists already");
    sign_directory(&directory, "-f -M dist/b/../SHA256SUMS -r ./dist/.").code(0);
    assert_eq!(directory.get("dist/SHA256SUMS"), first);
    verify_directory(&directory, "-M dist/SHA256SUMS -C dist --strict").code(0);
    // For the second list `other`, the first list and its signature are ordinary files in the
    // directory.
    sign_directory(&directory, "-M dist/other -r dist").code(0);
    assert!(names_in_list(&directory, "dist/other").iter().any(|name| name == "SHA256SUMS.sig"));
}

#[test]
fn links_and_special_files_are_rejected_by_name() {
    let directory = directory_with_release();
    symlink("a", directory.path("dist/link")).unwrap();
    symlink("/", directory.path("dist/b/up")).unwrap();
    symlink("nosuch", directory.path("dist/b/dangling")).unwrap();
    let _listener = UnixListener::bind(directory.path("dist/socket")).unwrap();
    assert_eq!(ProgramCall::new("mkfifo", directory.root()).arg("dist/B/fifo").run().code, 0);
    let output = sign_directory(&directory, "-M l -r dist").code(4).out_empty();
    for words in [
        "dist/link: this is a link,",
        "dist/b/up: this is a link,",
        "dist/b/dangling: this is a link,",
        "dist/socket: this is a socket,",
        "dist/B/fifo: this is a FIFO,",
    ] {
        assert!(output.err.contains(&format!("error: {words} not a regular file\n")), "{words}: {}", output.err);
    }
    assert_eq!(output.err.matches("error: ").count(), 5, "{}", output.err);
    assert!(!directory.has("l") && !directory.has("l.sig"));
    let json = directory.run("--allow-weak --json sign -k k.key -M l -r dist").code(4).json();
    assert_eq!(json["error"]["reason"], "not_a_regular_file");
    // If the user names a link to a directory, fndsa follows the link.
    let directory = directory_with_release();
    symlink("dist", directory.path("current")).unwrap();
    sign_directory(&directory, "-M l -r current").code(0);
    verify_directory(&directory, "-M l -C current --strict").code(0);
}

#[test]
fn every_signed_name_is_verified() {
    let directory = directory_with_release();
    for name in [&b"two\nlines"[..], b"back\\slash", b"\xff", b"cr\r", b" ", b"#", b"# -----BEGIN X-----"] {
        directory.put(directory.path("dist").join(OsStr::from_bytes(name)), name);
    }
    sign_directory(&directory, "-M l -r dist").code(0);
    let output = verify_directory(&directory, "-M l -C dist --strict").code(0);
    assert_eq!(output.out.matches(": OK").count(), SORTED.len() + 8, "{}", output.out);
    directory.sh("cd dist && sha256sum -c --strict --quiet ../l").code(0);
    // `shasum`, the Perl program, cannot read a name with a carriage return in the form that
    // coreutils writes.
    directory.sh("cd dist && grep -v '  cr' ../l | shasum -c").code(0);
}

#[test]
fn arguments_and_a_directory_are_not_mixed() {
    let directory = directory_with_release();
    for line in ["-M l -r dist a", "-r dist", "-M l -r dist --files-from a", "-M l -r dist/a"] {
        let code = if line.ends_with("/a") { 4 } else { 2 };
        sign_directory(&directory, line).code(code).out_empty();
    }
    for line in ["-C dist a", "--strict a", "-M l --strict a", "-M l -C nosuch", "-M l -C a"] {
        sign_directory(&directory, "-f -M l -r dist").code(0);
        let code = if line.starts_with("-M l -C") { 4 } else { 2 };
        verify_directory(&directory, line).code(code).out_empty();
    }
    assert!(!directory.has("dist.sig"));
}

#[test]
fn names_are_relative_to_the_directory() {
    let directory = directory_with_release();
    sign_directory(&directory, "-M l -r dist").code(0);
    directory.put("a", "not that of the list");
    let output = verify_directory(&directory, "-M l -C dist a b/a ./-").code(0);
    assert!(output.out.ends_with("dist/a: OK\ndist/b/a: OK\ndist/./-: OK\n"), "{}", output.out);
    verify_directory(&directory, "-M l -C dist dist/a").code(1).out_has("dist/dist/a: FAILED (not in the list l)");
    let outside = directory.path("a");
    verify_directory(&directory, &format!("-M l -C dist ../a {}", outside.display())).code(1);
    directory.put("dist/b/a", "changed");
    verify_directory(&directory, "-M l -C dist")
        .code(1)
        .out_has("dist/b/a: FAILED (does not match its checksum in the list l)");
    fs::remove_file(directory.path("dist/b/a")).unwrap();
    verify_directory(&directory, "-M l -C dist").code(4).out_has("dist/b/a: ERROR (no such file or directory)");
    verify_directory(&directory, "-M l -C dist --ignore-missing").code(0);
    // `verify` follows a link inside the directory, but not a link to a path outside.
    symlink("../b.txt", directory.path("dist/b/a")).unwrap();
    verify_directory(&directory, "-M l -C dist b/a").code(1).out_has("dist/b/a: FAILED");
    fs::remove_file(directory.path("dist/b/a")).unwrap();
    symlink("../../a", directory.path("dist/b/a")).unwrap();
    verify_directory(&directory, "-M l -C dist b/a").code(4).out_has("dist/b/a: ERROR (a link leads out of dist)");
    let json = directory.run("--allow-weak --json verify -p k.pub -M l -C dist b/a").code(4).json();
    assert_eq!(
        (&json["results"][1]["reason"], &json["results"][1]["path"]),
        (&"link_outside".into(), &"dist/b/a".into())
    );
}

#[test]
fn strict_rejects_every_file_that_is_not_in_the_list() {
    let directory = directory_with_release();
    sign_directory(&directory, "-M dist/l -r dist").code(0);
    let line = "-M dist/l -C dist --strict";
    verify_directory(&directory, line).code(0).err_empty();
    fs::create_dir(directory.path("dist/empty")).unwrap();
    verify_directory(&directory, line).code(0);
    directory.put("dist/empty/file", "");
    directory.put("dist/b/.hidden2", "");
    symlink("a", directory.path("dist/link")).unwrap();
    symlink("b", directory.path("dist/to-directory")).unwrap();
    assert_eq!(ProgramCall::new("mkfifo", directory.root()).arg("dist/fifo").run().code, 0);
    let output = verify_directory(&directory, line).code(1).err_has("verify: 14 files: 5 FAILED, 0 ERROR");
    let last: Vec<_> = output.out.lines().skip(1 + SORTED.len()).collect();
    let why = "FAILED (in the directory, but not in the list dist/l)";
    let expected =
        ["b/.hidden2", "empty/file", "fifo", "link", "to-directory"].map(|name| format!("dist/{name}: {why}"));
    assert_eq!(last, expected);
    verify_directory(&directory, "-M dist/l -C dist").code(0);
    let json = directory.run(&format!("--allow-weak --json verify -p k.pub {line}")).code(1).json();
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.iter().filter(|result| result["reason"] == "unlisted").count(), 5);
    // `--ignore-missing` can be combined with `--strict`.
    fs::remove_file(directory.path("dist/a")).unwrap();
    verify_directory(&directory, &format!("{line} --ignore-missing")).code(1);
}

#[test]
fn strict_accepts_the_list_its_signature_and_links_in_listed_paths() {
    let directory = TestDirectory::toy();
    fs::create_dir_all(directory.path("d/v2")).unwrap();
    directory.put("d/v2/a", "a");
    symlink("v2", directory.path("d/latest")).unwrap();
    directory.sh("cd d && sha256sum v2/a latest/a >../l").code(0);
    sign_directory(&directory, "l").code(0);
    verify_directory(&directory, "-M l -C d --strict").code(0);
    // If the user names the signature file, it can be anywhere.
    fs::rename(directory.path("l"), directory.path("d/l")).unwrap();
    fs::rename(directory.path("l.sig"), directory.path("d/v2/s")).unwrap();
    verify_directory(&directory, "-M d/l -s d/v2/s -C d --strict").code(0);
    directory.put("d/l.sig", "");
    verify_directory(&directory, "-M d/l -s d/v2/s -C d --strict")
        .code(1)
        .out_has("d/l.sig: FAILED (in the directory, but not in the list d/l)");
    // Without -C, `--strict` compares the list with all files in the current directory.
    let output = directory.sh("cd d/v2 && sha256sum a >l && $FNDSA --allow-weak sign -k ../../k.key l && $FNDSA --allow-weak verify -p ../../k.pub -M l --strict");
    output.code(1).out_has("\ns: FAILED (in the directory, but not in the list l)\n");
}

#[test]
fn a_directory_that_cannot_be_read_is_an_error() {
    let directory = directory_with_release();
    sign_directory(&directory, "-M l -r dist").code(0);
    let inject = "-o /dev/null -e inject=getdents64:error=EIO:when=2";
    let line = "--allow-weak verify -p k.pub -M l -C dist --strict";
    let Some(output) = directory.traced(inject, line) else {
        return skip("a directory that cannot be read", "strace does not work");
    };
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.out.contains(": ERROR (input/output error)"), "{output:?}");
    let output = directory.traced(inject, "--allow-weak sign -k k.key -M m -r dist").unwrap().code(4);
    assert!(output.err.contains("input/output error") && !directory.has("m"), "{output:?}");
}

#[test]
fn long_files_are_listed_by_all_their_bytes() {
    let directory = directory_with_release();
    // A sparse file needs no space on the disk. In the long form of the tests (`FNDSA_LONG=1`), the
    // file has 5 GiB, and this length does not fit into 32 bits.
    let len = if long() { 5 << 30 } else { (4 << 20) + 1 };
    fs::File::create(directory.path("dist/long")).unwrap().set_len(len).unwrap();
    let json = directory.run("--allow-weak --json sign -k k.key -M l -r dist").code(0).json();
    let results = json["results"].as_array().unwrap();
    let entry = results.iter().find(|result| result["path"] == "dist/long").unwrap();
    assert_eq!(entry["bytes"], len);
    verify_directory(&directory, "-M l -C dist").code(0).out_has("dist/long: OK");
    if have("sha256sum") {
        directory.sh("cd dist && sha256sum -c --strict --quiet ../l").code(0);
    }
    // Change a bit in the last byte. In the long form, this byte is after the first 4 GiB.
    let file = fs::File::options().write(true).open(directory.path("dist/long")).unwrap();
    std::os::unix::fs::FileExt::write_at(&file, &[1], len - 1).unwrap();
    verify_directory(&directory, "-M l -C dist").code(1).out_has("dist/long: FAILED");
}
