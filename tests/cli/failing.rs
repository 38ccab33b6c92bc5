//! Tests for command lines that must fail with the right exit code, a single error and a hint, and
//! without changing any file.

use crate::harness::{COMMANDS, ProgramOutput, TestDirectory, in_parallel};
use crate::messages::encrypted_key;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// Rows with (command line, exit code, words from the error message or the hint).
const FAILING: &[(&str, i32, &str)] = &[
    // Usage errors.
    ("sgin a", 2, "similar"),
    ("--nosuch", 2, "--nosuch"),
    ("keygen", 2, "NAME"),
    ("keygen n m", 2, "unexpected argument 'm'"),
    ("keygen -a falcon n", 2, "fn-dsa-512"),
    ("keygen -a fn-dsa-2048 n", 2, "`fndsa help algorithms` lists the algorithms"),
    ("keygen -a fn-dsa-64 n", 2, "--allow-weak"),
    ("keygen --format der n", 2, "possible values"),
    ("keygen -o n -p n", 2, "different names"),
    ("keygen -o n -p ./n", 2, "different names"),
    ("keygen -", 2, "-o -"),
    ("keygen d/", 2, "NAME.key"),
    ("keygen ..", 2, "NAME.key"),
    ("keygen --count 0 n", 2, "--count"),
    ("keygen --count x n", 2, "--count"),
    ("keygen -n 2 -o n", 2, "--count"),
    ("keygen --seed-file b n", 2, "--insecure-deterministic"),
    ("sign", 2, "FILE"),
    ("sign b", 2, "FNDSA_KEY"),
    ("sign -k k.key", 2, "FILE"),
    ("sign -k k.key -k k.key b", 2, "is given twice"),
    ("sign -k k.key -o s b k.pub", 2, "run the command once for each FILE"),
    ("sign -k k.key -o b b", 2, "another name"),
    ("sign -f -k k.key -o k.key b", 2, "another name"),
    ("sign -f -k k.key -o ./b b", 2, "another name"),
    ("sign -f -k k.key --context-file k.pub -o k.pub b", 2, "another name"),
    ("sign -k - -", 2, "once"),
    ("sign -k k.key --context-file - -", 2, "once"),
    ("sign -k k.key --key-env NOT_SET b", 2, "the variable NOT_SET is not set"),
    ("sign --key-env NOT_SET b", 2, "export"),
    ("sign -k k.key -c a --context-hex 00 b", 2, "cannot be used with"),
    ("sign -k k.key --context-hex 0 b", 2, "two hexadecimal digits"),
    ("sign -k k.key --context-hex zz b", 2, "two hexadecimal digits"),
    ("sign -k k.key --context-file long b", 2, "255"),
    ("sign -k k.key --prehash md5 b", 2, "sha256"),
    ("sign -k k.key --prehashed b", 2, "--prehash"),
    ("sign -k k.key --prehash none --prehashed b", 2, "name of the hash"),
    ("sign -k k.key --mu -c x b", 2, "--mu"),
    ("sign -k k.key --mu --prehash sha256 b", 2, "--mu"),
    ("sign -k k.key --format p7 b", 2, "possible values"),
    ("--backend nosuch sign -k k.key b", 2, "available"),
    ("--backend scalar --backend emulated sign -k k.key b", 2, "this command takes one level, but"),
    ("--color purple sign -k k.key b", 2, "possible values"),
    ("verify a", 2, "FNDSA_PUBLIC_KEY"),
    ("verify -p k.pub", 2, "FILE"),
    ("verify -p k.pub -", 2, "-s FILE"),
    ("verify -p k.pub -s a.sig a b", 2, "run the command once for each FILE"),
    ("verify -p - -s - a", 2, "once"),
    ("verify -p k.pub --expect-key abc a", 2, "sha256:"),
    ("verify -p k.pub --context-file long a", 2, "255"),
    ("pubkey", 2, "FNDSA_KEY"),
    ("pubkey -f -k k.key -o k.key", 2, "another name"),
    ("inspect - -", 2, "once"),
    ("bench nosuch", 2, "possible values"),
    // Invalid input files.
    ("sign -k k.pub b", 3, "the private key of this key pair"),
    ("sign -k a.sig b", 3, "NAME.key"),
    ("sign -k a b", 3, "usually NAME.key"),
    ("sign -k empty b", 3, "restore it"),
    ("sign -k two b", 3, "the file has 2 PEM blocks"),
    ("sign -k cut b", 3, "cut in the middle"),
    ("sign -k long b", 3, "usually NAME.key"),
    ("sign -k ssh b", 3, "OpenSSH"),
    ("sign -k k.key --mu b", 3, "64 bytes or 128 hexadecimal digits are needed"),
    ("sign -k k.key --prehash sha256 --prehashed b", 3, "32 bytes or 64 hexadecimal digits are needed"),
    ("keygen --insecure-deterministic --seed-file b n", 3, "32 bytes or 64 hexadecimal digits are needed"),
    ("verify -p k.key a", 3, "keep the private key secret"),
    ("verify -p a.sig a", 3, "give the public key here, usually NAME.pub; give the signature with -s FILE"),
    ("verify -p two a", 3, "the file has 2 PEM blocks"),
    ("verify -p huge a", 3, "check the file name: this file may be the message, but a"),
    ("pubkey -k k.pub -o p", 3, "the private key of this key pair"),
    ("pubkey -k empty -o p", 3, "restore it"),
    ("inspect empty", 3, "restore it"),
    ("inspect ssh", 3, "OpenSSH"),
    ("inspect toy.pub", 3, "--allow-weak"),
    ("convert k.key -o o --to spki", 2, "pem, raw or pkcs8"),
    ("convert k.pub -o o --to raw --encrypt", 2, "PKCS#8"),
    ("convert k.key -o k.key -f --to raw", 2, "another name"),
    ("convert k.key -o o", 2, "--to"),
    ("passwd -", 2, "-o FILE"),
    ("passwd dangling.key", 4, "no such file"),
    ("passwd k.pub --new-password-file b", 3, "the private key"),
    ("passwd k.key --remove", 3, "no change is necessary"),
    ("passwd k.key --new-password-file nosuch", 4, "there is no file with the given name"),
    ("keygen --encrypt --password-file nosuch n", 4, "there is no file with the given name"),
    ("convert ssh -o o --to raw", 3, "OpenSSH"),
    ("sign -k k.key -M m", 2, "FILE"),
    ("sign -k k.key -M m ../b", 2, "a list can name only files below one directory: run fndsa"),
    ("sign -k k.key -M m b nosuch", 4, "no such file"),
    ("sign -k k.key -M a b", 4, "--force"),
    ("sign -k k.key --files-from empty", 2, "the input names no files"),
    ("sign -k k.key --files-from nosuch", 4, "no such file"),
    ("sign -k k.key -0 b", 2, "--files-from"),
    ("sign -k k.key -j 0 b", 2, "--jobs"),
    ("verify --trusted-keys empty a", 3, "download the file again"),
    ("verify -p k.pub --ignore-missing a", 2, "--list"),
    ("man --dir nosuch", 4, "mkdir -p"),
    ("completions csh", 2, "possible values"),
    ("testvectors --degree 3", 2, "--degree"),
    // Encrypted keys with a wrong password.
    ("sign -k locked.key --password-file b b", 5, "capital letters"),
    ("pubkey -k locked.key --password-file b -o o", 5, "capital letters"),
    ("convert locked.key --password-file b -o o --to raw", 5, "capital letters"),
    ("passwd locked.key --password-file b --remove", 5, "capital letters"),
    // Missing files, existing outputs, and errors of the operating system.
    ("keygen k", 4, "--force"),
    ("keygen half", 4, "--force"),
    ("keygen dangling", 4, "--force"),
    ("keygen nosuch/n", 4, "nosuch: no such directory"),
    ("keygen a/n", 4, "not a directory"),
    ("keygen -f -o d", 4, "directory"),
    ("keygen n -p k.pub", 4, "--force"),
    ("keygen n -p nosuch/p", 4, "nosuch: no such directory"),
    ("keygen n -p /dev/full", 4, "no space left"),
    ("keygen -n 2 m", 4, "--force"),
    ("sign -k k.key a", 4, "--force"),
    ("sign -k k.key d", 4, "directory"),
    ("sign -k k.key nosuch", 4, "no such file"),
    ("sign -k nosuch b", 4, "no such file"),
    ("sign -k d b", 4, "directory"),
    ("sign -k k.key -o d b", 4, "directory"),
    ("sign -k k.key -o nosuch/s b", 4, "nosuch: no such directory"),
    ("sign -k k.key -o dangling.key b", 4, "--force"),
    ("sign -k k.key -o /dev/full b", 4, "no space left"),
    ("sign -k k.key --context-file nosuch b", 4, "no such file"),
    ("verify -p nosuch a", 4, "no such file"),
    ("verify -p k.pub -p nosuch a", 4, "no such file"),
    ("pubkey -k k.key -o k.pub", 4, "--force"),
    ("pubkey -k k.key -o /dev/full", 4, "no space left"),
    ("inspect nosuch", 4, "no such file"),
    ("inspect d", 4, "give the name of a file"),
    ("quickstart nosuch", 4, "no such file"),
];

/// For each path in the directory: whether it is a regular file, its mode, and its content.
type DirectorySnapshot = BTreeMap<OsString, (bool, u32, Vec<u8>)>;

/// Returns the current state of all files in the directory.
fn directory_snapshot(directory: &TestDirectory) -> DirectorySnapshot {
    let state_of = |name: OsString| {
        let meta = fs::symlink_metadata(directory.path(&name)).unwrap();
        let content = fs::read(directory.path(&name)).unwrap_or_default();
        (name, (meta.is_file(), meta.permissions().mode(), content))
    };
    directory.names().into_iter().map(state_of).collect()
}

/// Creates the files that the command lines name.
fn directory_with_files() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.put("empty", "");
    directory.put("long", "x".repeat(256));
    directory.put("huge", "x".repeat(70_000));
    directory.put("two", directory.get("k.pub").repeat(2));
    directory.put("cut", &directory.get("k.key")[..500]);
    directory.put("ssh", "ssh-ed25519 AAAA me\n");
    directory.put("toy.pub", TestDirectory::toy().get("k.pub"));
    directory.put("half.pub", "half a pair");
    directory.put("m-2.key", "in the way");
    directory.put("locked.key", encrypted_key());
    symlink("nowhere", directory.path("dangling.key")).unwrap();
    fs::create_dir(directory.path("d")).unwrap();
    directory
}

/// Checks that no file has changed.
fn assert_same_files(directory: &TestDirectory, files_before: &DirectorySnapshot, what: &str) {
    let files_after = directory_snapshot(directory);
    let names = |state: &DirectorySnapshot| state.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&files_after), names(files_before), "{what}");
    assert!(files_after == *files_before, "a file is changed by {what}");
}

/// Runs a row of [`FAILING`], as text and with `--json`.
fn assert_command_fails(line: &str, code: i32, words: &str) {
    let directory = directory_with_files();
    let files_before = directory_snapshot(&directory);
    let ProgramOutput { code: exit_code, out, err, .. } = directory.call(line).input("").run();
    assert_eq!((exit_code, &out[..]), (code, ""), "{line}: {err}");
    assert_eq!(err.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{line}: {err}");
    assert!(err.contains(words), "{line}: {words:?} is not in {err}");
    assert!(!err.contains("this is a bug"), "{line}: {err}");
    assert_same_files(&directory, &files_before, line);

    let output = directory.call("--json").args(line).input("").run();
    assert_eq!((output.code, &output.err[..]), (code, ""), "--json {line}");
    let document = output.json();
    assert_eq!((&document["ok"], &document["exit_code"]), (&false.into(), &code.into()), "{line}");
    let command = line.split(' ').find(|word| COMMANDS.contains(word));
    assert_eq!(document["schema"], format!("fndsa/{}@1", command.unwrap_or("fndsa")), "{line}");
    let results = document["results"].as_array().unwrap();
    let error = document.get("error").or(results.last()).unwrap_or_else(|| panic!("{line}: {document}"));
    for name in ["reason", "message"] {
        assert!(error[name].as_str().is_some_and(|text| !text.is_empty()), "{line}: no {name} in {document}");
    }
    assert_same_files(&directory, &files_before, line);
}

#[test]
fn failing_commands_have_the_expected_errors_and_change_nothing() {
    assert!(FAILING.len() >= 60);
    in_parallel(FAILING, |_, (line, code, words)| assert_command_fails(line, *code, words));
}
