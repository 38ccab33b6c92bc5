//! Tests for output files: fndsa writes complete files only, loses no file, and overwrites a file
//! only with `--force`.

use crate::harness::{FNDSA, ProgramCall, TestDirectory, can_trace, have, skip, wait_for};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{FileExt, FileTypeExt, PermissionsExt, symlink};
use std::process::{Child, Command};

fn make_fifo(directory: &TestDirectory, name: &str) {
    assert!(Command::new("mkfifo").arg(directory.path(name)).status().unwrap().success());
}

#[test]
fn existing_files_are_not_replaced() {
    let directory = TestDirectory::ready();
    let original = ["k.key", "k.pub", "a.sig"].map(|name| directory.get(name));
    for line in ["keygen k", "sign -k k.key a", "pubkey -k k.key -o k.pub", "keygen -o n.key -p k.pub"] {
        directory.run(line).code(4).err_has("exists already").err_has("--force");
    }
    fs::remove_file(directory.path("k.pub")).unwrap();
    directory.run("keygen k").code(4);
    assert!(!directory.has("k.pub"), "half a pair");
    directory.put("k.pub", &original[1]);
    fs::remove_file(directory.path("k.key")).unwrap();
    directory.run("keygen k").code(4);
    assert!(!directory.has("k.key") && !directory.has("n.key"), "half a pair");
    directory.put("k.key", &original[0]);
    assert_eq!(["k.key", "k.pub", "a.sig"].map(|name| directory.get(name)), original);
}

#[test]
fn a_rejected_output_does_not_stop_the_other_files() {
    let directory = TestDirectory::ready();
    let original = directory.get("a.sig");
    directory.run("sign -k k.key a b").code(4);
    assert_eq!(directory.get("a.sig"), original);
    directory.run("verify -p k.pub a b").code(0);
}

#[test]
fn an_existing_output_is_reported_before_the_input_is_read() {
    let directory = TestDirectory::ready();
    make_fifo(&directory, "endless");
    directory.put("endless.sig", "old");
    // No program writes to this pipe, so a command that reads from it waits forever.
    directory.run("sign -k k.key endless").code(4).err_has("exists already");
    directory.run("sign -k k.key endless -o no/where").code(4);
    directory.run("sign -k k.pub endless -o s").code(3);
    directory.run("sign -k nosuch endless -o s").code(4);
}

#[test]
fn an_output_in_a_missing_directory_is_an_error() {
    let directory = TestDirectory::ready();
    fs::create_dir(directory.path("d")).unwrap();
    for output_name in ["d", "d/", "no/where", "a/x", "nosuch/"] {
        for force in ["", "-f"] {
            directory.run(&format!("sign {force} -k k.key -o {output_name} b")).code(4).out_empty();
        }
    }
    directory.run("sign -k k.key d").code(4).err_has("directory");
    directory.run("sign -k d b").code(4).err_has("directory");
    for name in ["-", ".", "..", "d/", "/"] {
        directory.run(&format!("keygen {name}")).code(2);
    }
    assert!(fs::read_dir(directory.path("d")).unwrap().next().is_none());
}

#[test]
fn an_output_that_is_an_input_is_rejected() {
    let directory = TestDirectory::ready();
    let original = ["a", "k.key"].map(|name| directory.get(name));
    symlink("a", directory.path("link")).unwrap();
    fs::hard_link(directory.path("a"), directory.path("hard")).unwrap();
    for line in [
        "sign -f -k k.key -o a a",
        "sign -f -k k.key -o ./a a",
        "sign -f -k k.key -o hard a",
        "sign -f -k k.key -o a link",
        "sign -f -k k.key -o k.key a",
        "sign -f -k k.key --context-file b -o b a",
        "pubkey -f -k k.key -o k.key",
    ] {
        directory.run(line).code(2).err_has("also an input");
    }
    directory.sh("$FNDSA sign -f -k k.key -o - a >>a").code(2);
    assert_eq!(["a", "k.key"].map(|name| directory.get(name)), original);
}

#[test]
fn the_same_name_for_both_keys_is_rejected() {
    let directory = TestDirectory::empty();
    for (private, public) in [("x", "x"), ("x", "./x"), ("./x", "x"), ("-", "-"), ("-", "/dev/stdout")] {
        for force in ["", "-f"] {
            directory.run(&format!("keygen {force} -o {private} -p {public}")).code(2).out_empty();
            assert!(directory.names().is_empty(), "{private} {public}");
        }
    }
}

#[test]
fn output_to_a_device_does_not_replace_it() {
    let directory = TestDirectory::ready();
    for line in [
        "keygen -o /dev/full",
        "keygen n -o /dev/full",
        "keygen n -p /dev/full",
        "sign -k k.key -o /dev/full a",
        "sign -f -k k.key -o /dev/full a",
        "pubkey -k k.key -o /dev/full",
    ] {
        directory.run(line).code(4).err_has("no space left");
    }
    assert!(!directory.has("n.key") && !directory.has("n.pub"), "half a pair: {:?}", directory.names());
    assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    directory.run("sign -k k.key -o /dev/null a").code(0);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn output_to_a_pipe_does_not_replace_it() {
    let directory = TestDirectory::ready();
    make_fifo(&directory, "p");
    directory.sh("cat p >s & $FNDSA sign -k k.key -o p a && wait && $FNDSA verify -p k.pub -s s a").code(0);
    directory.sh("$FNDSA sign -k k.key -o /dev/fd/3 a 3>s3 && $FNDSA verify -p k.pub -s s3 a").code(0);
    assert!(fs::symlink_metadata(directory.path("p")).unwrap().file_type().is_fifo());
}

/// Returns a call that runs the command as an ordinary user: if root runs the tests, as the user
/// with the number 65534. Returns `None` if root cannot change to this user.
fn call_as_user(directory: &TestDirectory, line: &str) -> Option<ProgramCall> {
    let user = Command::new("id").arg("-u").output().unwrap().stdout;
    if user != b"0\n" {
        return Some(directory.call(line));
    }
    let program = directory.path("fndsa");
    // `cp` makes the copy in a separate process. If the test's process wrote the file, a child
    // process of another thread might inherit the open descriptor, and the system would refuse to
    // run the file.
    assert!(Command::new("cp").arg(FNDSA).arg(&program).status().unwrap().success());
    fs::set_permissions(directory.root(), fs::Permissions::from_mode(0o755)).unwrap();
    let as_nobody = |program: &std::ffi::OsStr| {
        ProgramCall::new("setpriv", directory.root()).args("--reuid=65534 --regid=65534 --clear-groups").arg(program)
    };
    let can_run_as_nobody = have("setpriv") && as_nobody(program.as_os_str()).arg("--version").run().code == 0;
    can_run_as_nobody.then(|| as_nobody(program.as_os_str()).args(line))
}

#[test]
fn a_read_only_directory_is_reported_before_the_input_is_read() {
    let directory = TestDirectory::ready();
    fs::set_permissions(directory.path("k.key"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::create_dir(directory.path("ro")).unwrap();
    make_fifo(&directory, "ro/endless");
    for mode in [("ro/endless", 0o644), ("ro", 0o555)] {
        fs::set_permissions(directory.path(mode.0), fs::Permissions::from_mode(mode.1)).unwrap();
    }
    let Some(call) = call_as_user(&directory, "sign -k k.key ro/endless") else {
        return skip("read-only directory", "root passes all permission checks and setpriv does not work");
    };
    call.run().code(4).err_has("permission denied");
    call_as_user(&directory, "keygen ro/n").unwrap().run().code(4);
    assert_eq!(fs::read_dir(directory.path("ro")).unwrap().count(), 1);
    fs::set_permissions(directory.path("ro"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_unreadable_key_stops_before_the_first_file() {
    let directory = TestDirectory::ready();
    let missing = directory.run("sign -k nosuch.key b k.pub").code(4).out_empty();
    assert_eq!(missing.err.lines().filter(|line| line.contains("error")).count(), 1, "{}", missing.err);
    fs::set_permissions(directory.path("k.key"), fs::Permissions::from_mode(0o000)).unwrap();
    match call_as_user(&directory, "sign -k k.key b k.pub") {
        Some(call) => {
            let output = call.run().code(4).err_has("permission denied");
            assert_eq!(output.err.lines().filter(|line| line.contains("error")).count(), 1, "{}", output.err);
        }
        None => skip("unreadable key", "root reads everything and setpriv does not work"),
    }
    assert!(!directory.has("b.sig") && !directory.has("k.pub.sig"));
}

#[test]
fn a_write_over_the_size_limit_keeps_the_old_file() {
    let directory = TestDirectory::ready();
    let original = directory.get("a.sig");
    for line in ["sign -f -k k.key a", "sign -k k.key b", "keygen n", "keygen -f k", "pubkey -f -k k.key -o k.pub"] {
        let output = ProgramCall::new("sh", directory.root())
            .env("FNDSA", FNDSA)
            .arg("-c")
            .arg(format!("ulimit -f 0; $FNDSA {line}"));
        output.run().code(4).err_has("too large");
    }
    assert_eq!(directory.get("a.sig"), original);
    directory.run("verify -p k.pub a").code(0);
    assert_eq!(directory.names(), TestDirectory::ready().names());
}

#[test]
fn a_full_disk_keeps_the_old_file_and_adds_no_file() {
    let directory = TestDirectory::ready();
    fs::create_dir(directory.path("full")).unwrap();
    let mount = "unshare -rm sh -c 'mount -t tmpfs -o size=32k none full";
    if directory.sh(&format!("{mount}'")).code != 0 {
        return skip("full disk", "no file system can be mounted here");
    }
    let fill = "cp a a.sig k.key k.pub full; cd full; cat a.sig >old; dd if=/dev/zero of=fill bs=1k 2>/dev/null";
    for line in ["sign -f -k k.key a", "sign -k k.key k.pub", "keygen n", "keygen -f k"] {
        let check = "cmp a.sig old && $FNDSA verify -p k.pub a && test ! -e n.key && test ! -e k.pub.sig && ls -A";
        let output = directory.sh(&format!("{mount}; {fill}; $FNDSA {line}; echo code=$?; {check}'")).code(0);
        let output = output.out_has("code=4").err_has("no space left");
        let names: Vec<_> = output.out.lines().rev().take(6).collect();
        assert_eq!(names, ["old", "k.pub", "k.key", "fill", "a.sig", "a"], "{line}");
    }
}

#[test]
fn a_missing_file_does_not_prevent_work_on_other_files() {
    let directory = TestDirectory::ready();
    directory.run("sign -k k.key b nosuch k.pub").code(4).err_has("nosuch: no such file");
    directory.run("verify -p k.pub b k.pub").code(0);
    assert!(!directory.has("nosuch.sig"));
}

/// Waits until a program has opened a file.
fn wait_until_opened(child: &Child, path: &std::path::Path) {
    let descriptors = format!("/proc/{}/fd", child.id());
    wait_for("the file is open", || {
        let Ok(entries) = fs::read_dir(&descriptors) else { return false };
        entries.flatten().any(|entry| fs::read_link(entry.path()).is_ok_and(|to| to == path))
    });
}

#[test]
fn a_file_that_grows_while_it_is_read_is_not_signed() {
    let directory = TestDirectory::ready();
    let (big, size) = (directory.path("big"), 192 << 20);
    let file = fs::File::create(&big).unwrap();
    file.set_len(size).unwrap();
    let child = directory.call("sign -k k.key big b").spawn();
    wait_until_opened(&child, &fs::canonicalize(&big).unwrap());
    file.set_len(size + 1).unwrap();
    crate::harness::finish(child).code(4).err_has("big: changed while being read");
    assert!(!directory.has("big.sig"));
    directory.run("verify -p k.pub b").code(0);
}

/// `sign` detects a file that changes during the read, even if the length stays the same.
#[test]
fn a_file_that_is_written_to_while_it_is_read_is_not_signed() {
    let directory = TestDirectory::ready();
    let big = directory.path("big");
    let file = fs::File::create(&big).unwrap();
    file.set_len(192 << 20).unwrap();
    let child = directory.call("sign -k k.key big").spawn();
    wait_until_opened(&child, &fs::canonicalize(&big).unwrap());
    file.write_at(b"x", 0).unwrap();
    crate::harness::finish(child).code(4).err_has("big: changed while being read");
    assert!(!directory.has("big.sig"));
}

/// If a file with the output name appears while fndsa reads the message, fndsa does not overwrite
/// this file. The test tries both ways to create an output file: with and without a temporary name.
#[test]
fn a_file_that_appears_during_the_work_is_not_replaced() {
    if !can_trace() {
        return skip("a file that appears during the work", "there is no strace, or it may not trace");
    }
    let line = "-f -qq -o trace -e trace=openat";
    let traced = |directory: &TestDirectory, inject: &str| {
        let call = ProgramCall::new("strace", directory.root()).args(line).args(inject);
        call.arg(FNDSA).args("sign -k k.key -o s -").open_input().spawn()
    };
    // Find the number of the call that opens a file without a name.
    let directory = TestDirectory::ready();
    let mut child = traced(&directory, "");
    drop(child.stdin.take());
    crate::harness::finish(child).code(0);
    let trace = directory.text("trace");
    let nameless = trace.lines().filter(|line| line.contains("openat(")).position(|line| line.contains("O_TMPFILE"));
    let without_nameless_files = nameless.map(|index| format!("-e inject=openat:error=EOPNOTSUPP:when={}", index + 1));
    for inject in [Some(String::new()), without_nameless_files].into_iter().flatten() {
        let directory = TestDirectory::ready();
        let mut child = traced(&directory, &inject);
        // A pipe can store only 64 KiB of the 1 MiB that this call writes. So after this call,
        // fndsa has checked the output name and has read most of the input.
        child.stdin.as_mut().unwrap().write_all(&[0; 1 << 20]).unwrap();
        directory.put("s", "appeared");
        let names_before = directory.names();
        drop(child.stdin.take());
        crate::harness::finish(child).code(4).out_empty().err_has("exists");
        assert_eq!((directory.get("s"), directory.names()), (b"appeared".to_vec(), names_before), "{inject}");
    }
}

#[test]
fn no_temporary_files_remain() {
    let directory = TestDirectory::ready();
    let mut names = directory.names();
    directory.run("sign -f -k k.key a b").code(0);
    directory.run("keygen -f k").code(0);
    names.push("b.sig".into());
    names.sort();
    assert_eq!(directory.names(), names);
}
