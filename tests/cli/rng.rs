//! Tests for a system without random bytes: the program writes no key, no signature and no file,
//! and ends with an error message.

use crate::harness::{DEADLINE, TestDirectory, can_trace, skip};
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Commands that need random bytes.
const LINES: [&str; 5] = [
    "keygen -a fn-dsa-16 n",
    "keygen -f -a fn-dsa-16 k",
    "sign -k k.key b",
    "sign -f -k k.key a",
    "sign -k k.key -o - a",
];

/// Returns the names and contents of all files.
fn file_contents(directory: &TestDirectory) -> BTreeMap<OsString, Vec<u8>> {
    let names = directory.names().into_iter().filter(|name| name != "trace");
    names.map(|name| (name.clone(), directory.get(name))).collect()
}

/// Runs a command with injected faults. Checks that the command fails and that no file changes.
fn assert_fails_with_faults(options: &str, line: &str) {
    let directory = TestDirectory::toy();
    let files_before = file_contents(&directory);
    let output = directory.traced(&format!("-o trace {options}"), &format!("--allow-weak {line}")).unwrap();
    assert!(directory.text("trace").contains("INJECTED"), "{options} {line}");
    let output = output.code(6).out_empty().err_has("error: ");
    assert!(output.err.contains("no random bytes"), "{options} {line}: {}", output.err);
    assert_eq!(file_contents(&directory), files_before, "{options} {line}");
}

/// Returns the numbers of two calls, for faults that `strace` injects on a system without the call
/// `getrandom`: the `openat` that opens the random device, and the first `read` after it. A number
/// counts the calls with the same name, from 1.
fn random_device_calls(line: &str) -> [usize; 2] {
    let directory = TestDirectory::toy();
    let options = "-o trace -e trace=openat,read,getrandom -e inject=getrandom:error=ENOSYS";
    directory.traced(options, &format!("--allow-weak {line}")).unwrap().code(0);
    let trace = directory.text("trace");
    let lines: Vec<_> = trace.lines().collect();
    let opened = lines.iter().position(|line| line.contains("\"/dev/urandom\"")).expect("fndsa reads /dev/urandom");
    let calls_before = |name: &str| lines[..opened].iter().filter(|line| line.contains(name)).count();
    [calls_before(" openat("), calls_before(" read(")].map(|count| count + 1)
}

#[test]
fn a_failing_random_generator_is_an_error() {
    if !can_trace() {
        return skip("no randomness", "there is no strace, or it may not trace");
    }
    // The harness has a time limit. So a program that repeats an interrupted call forever fails the
    // test.
    assert!(DEADLINE.as_secs() > 1);
    for line in LINES {
        for fault in ["error=EIO", "error=EINTR", "error=EAGAIN", "error=EFAULT", "retval=0"] {
            assert_fails_with_faults(&format!("-e trace=getrandom -e inject=getrandom:{fault}"), line);
        }
        let [opened, read] = random_device_calls(line);
        for fault in [
            format!("openat:error=ENOENT:when={opened}+"),
            format!("openat:error=EACCES:when={opened}+"),
            format!("read:error=EIO:when={read}+"),
            format!("read:retval=0:when={read}+"),
        ] {
            assert_fails_with_faults(&format!("-e inject=getrandom:error=ENOSYS -e inject={fault}"), line);
        }
    }
}

#[test]
fn random_bytes_in_pieces_are_joined() {
    if !can_trace() {
        return skip("random bytes in pieces", "there is no strace, or it may not trace");
    }
    let directory = TestDirectory::empty();
    directory.put("seed", [0xa1, 0xb2, 0xc3, 0xd4].repeat(8));
    directory.run("keygen --seed-file seed --insecure-deterministic expected").code(0);
    let poke = "-o trace -e trace=getrandom -e inject=getrandom:retval=4:poke_exit=@arg1=a1b2c3d4";
    let output = directory.traced(poke, "keygen n").unwrap();
    if output.err.contains("invalid") {
        return skip("random bytes in pieces", "this strace cannot give other bytes");
    }
    output.code(0);
    assert_eq!(directory.get("n.key"), directory.get("expected.key"));
    // Interrupt every second call, as it can happen while a user resizes a terminal window.
    let often = "-o trace -e trace=getrandom -e inject=getrandom:error=EINTR:when=1+2";
    directory.traced(often, "keygen m").unwrap().code(0);
    assert!(directory.text("trace").contains("INJECTED"));
}
