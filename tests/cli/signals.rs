//! Tests for signals that arrive while a command runs, and for private keys in environment
//! variables, which other processes must not see.

use crate::harness::{ProgramCall, TestDirectory, body, finish, signal, skip, wait_for};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin};

/// Starts `fndsa` and writes a megabyte to it. Returns when `fndsa` has read most of these bytes
/// and waits for more input.
fn start_and_wait(directory: &TestDirectory, line: &str) -> (Child, ChildStdin) {
    let mut child = directory.call(line).open_input().spawn();
    let mut stdin = child.stdin.take().unwrap();
    // A pipe can store 64 KiB, so `fndsa` has read the rest after this write.
    stdin.write_all(&vec![0; 1 << 20]).unwrap();
    (child, stdin)
}

/// Returns whether this process ignores the signal with this number. A program inherits the list of
/// ignored signals from its parent, so fndsa would also ignore this signal.
fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map(str::trim);
    mask.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or(0) >> (number - 1) & 1 == 1
}

#[test]
fn a_signal_during_a_stream_leaves_no_file() {
    for (name, number, code) in [("INT", 2, 130), ("TERM", 15, 143), ("HUP", 1, 129), ("KILL", 9, 137)] {
        if is_ignored(number) {
            skip(name, "whoever started the tests ignores it");
            continue;
        }
        let directory = TestDirectory::ready();
        let (names, old) = (directory.names(), directory.get("a.sig"));
        for line in ["sign -k k.key -o new -", "sign -f -k k.key -o a.sig -"] {
            let (child, stdin) = start_and_wait(&directory, line);
            signal(child.id(), name);
            finish(child).code(code).out_empty();
            drop(stdin);
            assert_eq!((directory.names(), directory.get("a.sig")), (names.clone(), old.clone()), "{name}: {line}");
        }
        let (child, _stdin) = start_and_wait(&directory, "verify -p k.pub -s a.sig -");
        signal(child.id(), name);
        finish(child).code(code).out_empty();
    }
}

#[test]
fn after_a_signal_each_file_is_the_old_or_the_new_file() {
    if is_ignored(15) {
        return skip("the signal TERM", "the process that started the tests ignores this signal");
    }
    let directory = TestDirectory::ready();
    let names = directory.names();
    for _ in 0..30 {
        let child = directory.call("sign -f -k k.key a").spawn();
        signal(child.id(), "TERM");
        let code = finish(child).code;
        assert!([0, 143].contains(&code), "{code}");
        directory.run("verify -p k.pub a").code(0);
        assert_eq!(directory.names(), names);
    }
}

/// Returns the options of `unshare` that start a program as the first process of a namespace.
/// Returns `None` if this machine does not allow namespaces.
fn first_process_options() -> Option<&'static str> {
    let allowed =
        |options: &&str| ProgramCall::new("unshare", Path::new("/")).args(options).arg("true").run().code == 0;
    if crate::harness::have("unshare") { ["-pf", "-rpf"].into_iter().find(|option| allowed(option)) } else { None }
}

/// Waits until the program under `unshare` has a handler for a signal. Returns this program's
/// process ID.
fn wait_for_handler(unshare: u32, number: u32) -> u32 {
    let mut process = None;
    wait_for("the first process of the namespace has handlers", || {
        let children = fs::read_to_string(format!("/proc/{unshare}/task/{unshare}/children")).unwrap_or_default();
        let Ok(child) = children.trim().parse() else { return false };
        let status = fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim);
        let caught = mask.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or(0) >> (number - 1) & 1 == 1;
        process = caught.then_some(child);
        status.starts_with("Name:\tfndsa") && caught
    });
    process.unwrap()
}

/// A signal ends fndsa, even if it is the first process of a container. The kernel discards a
/// signal for the first process if this process has no handler for the signal.
#[test]
fn a_signal_ends_the_first_process_of_a_container() {
    let Some(options) = first_process_options() else {
        return skip("the first process of a namespace", "`unshare` is not installed or not allowed");
    };
    for (name, number, code) in [("INT", 2, 130), ("TERM", 15, 143), ("HUP", 1, 129)] {
        if is_ignored(number) {
            skip(name, "the parent of the tests ignores that signal");
            continue;
        }
        let directory = TestDirectory::ready();
        let (names, old) = (directory.names(), directory.get("a.sig"));
        for line in [
            "sign -k k.key -o new -",
            "sign -f -k k.key -o a.sig -",
            "sign -k k.key --stream",
            "keygen --encrypt --password-file - new",
            "bench -t 600",
        ] {
            let program = env!("CARGO_BIN_EXE_fndsa");
            let call = ProgramCall::new("unshare", directory.root()).args(options).arg(program).args(line).open_input();
            let mut child = call.spawn();
            let stdin = child.stdin.take();
            signal(wait_for_handler(child.id(), number), name);
            finish(child).code(code);
            drop(stdin);
            assert_eq!((directory.names(), directory.get("a.sig")), (names.clone(), old.clone()), "{name}: {line}");
        }
    }
}

#[test]
fn a_key_in_a_variable_is_removed_from_the_environment() {
    let directory = TestDirectory::ready();
    let (key, names) = (directory.text("k.key"), directory.names());
    let call = directory.call("sign --key-env MY_KEY -o s -").env("MY_KEY", &key).open_input();
    let mut child = call.spawn();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&vec![0; 1 << 20]).unwrap();
    let secret = body(&key);
    let contains_secret = |bytes: &[u8]| bytes.windows(32).any(|window| window == &secret.as_bytes()[64..96]);
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        assert!(!contains_secret(&arguments), "{}", entry.path().display());
    }
    assert_eq!(directory.names(), names);
    drop(stdin);
    let output = finish(child).code(0).out_empty();
    assert!(!contains_secret(output.err.as_bytes()));
    directory.call("verify -p k.pub -s s -").input(vec![0; 1 << 20]).run().code(0);
}

#[test]
fn a_variable_without_a_key_is_rejected() {
    let directory = TestDirectory::ready();
    directory.run("sign --key-env NOT_SET -o s a").code(2).err_has("NOT_SET");
    directory.call("sign --key-env EMPTY -o s a").env("EMPTY", "").run().code(2);
    directory.call("sign --key-env MY_KEY -o s a").env("MY_KEY", "hello").run().code(3);
    // A second key on the command line does not replace the missing key.
    directory.run("sign --key-env MY_KEY -k k.key -o s a").code(2).err_has("MY_KEY");
    directory
        .call("sign -k k.key --key-env MY_KEY -o s a")
        .env("MY_KEY", "hello")
        .run()
        .code(3)
        .err_has("variable MY_KEY");
    directory
        .call("pubkey --key-env MY_KEY")
        .env("MY_KEY", directory.text("k.key"))
        .run()
        .code(0)
        .out_has("PUBLIC KEY");
    assert!(!directory.has("s"));
}
