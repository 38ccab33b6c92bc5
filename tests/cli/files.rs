//! Tests for output files: fndsa writes complete files only, loses no file, and overwrites a file
//! only with `--force`.

use crate::harness::{FNDSA, ProgramCall, TestDirectory, can_trace, have, skip, wait_for};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{FileExt, FileTypeExt, PermissionsExt, symlink};
use std::process::{Child, Command};

fn make_fifo(place: &TestDirectory, name: &str) {
    assert!(Command::new("mkfifo").arg(place.path(name)).status().unwrap().success());
}

#[test]
fn existing_files_are_not_replaced() {
    let place = TestDirectory::ready();
    let before = ["k.key", "k.pub", "a.sig"].map(|name| place.get(name));
    for line in ["keygen k", "sign -k k.key a", "pubkey -k k.key -o k.pub", "keygen -o n.key -p k.pub"] {
        place.run(line).code(4).err_has("exists already").err_has("--force");
    }
    fs::remove_file(place.path("k.pub")).unwrap();
    place.run("keygen k").code(4);
    assert!(!place.has("k.pub"), "half a pair");
    place.put("k.pub", &before[1]);
    fs::remove_file(place.path("k.key")).unwrap();
    place.run("keygen k").code(4);
    assert!(!place.has("k.key") && !place.has("n.key"), "half a pair");
    place.put("k.key", &before[0]);
    assert_eq!(["k.key", "k.pub", "a.sig"].map(|name| place.get(name)), before);
}

#[test]
fn a_rejected_output_does_not_stop_the_other_files() {
    let place = TestDirectory::ready();
    let before = place.get("a.sig");
    place.run("sign -k k.key a b").code(4);
    assert_eq!(place.get("a.sig"), before);
    place.run("verify -p k.pub a b").code(0);
}

#[test]
fn an_existing_output_is_reported_before_the_input_is_read() {
    let place = TestDirectory::ready();
    make_fifo(&place, "endless");
    place.put("endless.sig", "old");
    // There is no writer for this pipe, so a command that reads from it will never end.
    place.run("sign -k k.key endless").code(4).err_has("exists already");
    place.run("sign -k k.key endless -o no/where").code(4);
    place.run("sign -k k.pub endless -o s").code(3);
    place.run("sign -k nosuch endless -o s").code(4);
}

#[test]
fn an_output_in_a_missing_directory_is_an_error() {
    let place = TestDirectory::ready();
    fs::create_dir(place.path("d")).unwrap();
    for output in ["d", "d/", "no/where", "a/x", "nosuch/"] {
        for force in ["", "-f"] {
            place.run(&format!("sign {force} -k k.key -o {output} b")).code(4).out_empty();
        }
    }
    place.run("sign -k k.key d").code(4).err_has("directory");
    place.run("sign -k d b").code(4).err_has("directory");
    for name in ["-", ".", "..", "d/", "/"] {
        place.run(&format!("keygen {name}")).code(2);
    }
    assert!(fs::read_dir(place.path("d")).unwrap().next().is_none());
}

#[test]
fn an_output_that_is_an_input_is_rejected() {
    let place = TestDirectory::ready();
    let before = ["a", "k.key"].map(|name| place.get(name));
    symlink("a", place.path("link")).unwrap();
    fs::hard_link(place.path("a"), place.path("hard")).unwrap();
    for line in [
        "sign -f -k k.key -o a a",
        "sign -f -k k.key -o ./a a",
        "sign -f -k k.key -o hard a",
        "sign -f -k k.key -o a link",
        "sign -f -k k.key -o k.key a",
        "sign -f -k k.key --context-file b -o b a",
        "pubkey -f -k k.key -o k.key",
    ] {
        place.run(line).code(2).err_has("also an input");
    }
    place.sh("$FNDSA sign -f -k k.key -o - a >>a").code(2);
    assert_eq!(["a", "k.key"].map(|name| place.get(name)), before);
}

#[test]
fn the_same_name_for_both_keys_is_rejected() {
    let place = TestDirectory::empty();
    for (private, public) in [("x", "x"), ("x", "./x"), ("./x", "x"), ("-", "-"), ("-", "/dev/stdout")] {
        for force in ["", "-f"] {
            place.run(&format!("keygen {force} -o {private} -p {public}")).code(2).out_empty();
            assert!(place.names().is_empty(), "{private} {public}");
        }
    }
}

#[test]
fn output_to_a_device_does_not_replace_it() {
    let place = TestDirectory::ready();
    for line in [
        "keygen -o /dev/full",
        "keygen n -o /dev/full",
        "keygen n -p /dev/full",
        "sign -k k.key -o /dev/full a",
        "sign -f -k k.key -o /dev/full a",
        "pubkey -k k.key -o /dev/full",
    ] {
        place.run(line).code(4).err_has("no space left");
    }
    assert!(!place.has("n.key") && !place.has("n.pub"), "half a pair: {:?}", place.names());
    assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    place.run("sign -k k.key -o /dev/null a").code(0);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn output_to_a_pipe_does_not_replace_it() {
    let place = TestDirectory::ready();
    make_fifo(&place, "p");
    place.sh("cat p >s & $FNDSA sign -k k.key -o p a && wait && $FNDSA verify -p k.pub -s s a").code(0);
    place.sh("$FNDSA sign -k k.key -o /dev/fd/3 a 3>s3 && $FNDSA verify -p k.pub -s s3 a").code(0);
    assert!(fs::symlink_metadata(place.path("p")).unwrap().file_type().is_fifo());
}

/// Returns a call as an ordinary user if root runs the tests. `None` if that is not possible.
fn call_as_user(place: &TestDirectory, line: &str) -> Option<ProgramCall> {
    let user = Command::new("id").arg("-u").output().unwrap().stdout;
    if user != b"0\n" {
        return Some(place.call(line));
    }
    let program = place.path("fndsa");
    // `cp` makes the copy. If this process wrote the file, a child process of another thread might
    // inherit the open descriptor, and the system would refuse to run the file.
    assert!(Command::new("cp").arg(FNDSA).arg(&program).status().unwrap().success());
    fs::set_permissions(place.root(), fs::Permissions::from_mode(0o755)).unwrap();
    let nobody = |program: &std::ffi::OsStr| {
        ProgramCall::new("setpriv", place.root()).args("--reuid=65534 --regid=65534 --clear-groups").arg(program)
    };
    let possible = have("setpriv") && nobody(program.as_os_str()).arg("--version").run().code == 0;
    possible.then(|| nobody(program.as_os_str()).args(line))
}

#[test]
fn a_read_only_directory_is_reported_before_the_input_is_read() {
    let place = TestDirectory::ready();
    fs::set_permissions(place.path("k.key"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::create_dir(place.path("ro")).unwrap();
    make_fifo(&place, "ro/endless");
    for mode in [("ro/endless", 0o644), ("ro", 0o555)] {
        fs::set_permissions(place.path(mode.0), fs::Permissions::from_mode(mode.1)).unwrap();
    }
    let Some(call) = call_as_user(&place, "sign -k k.key ro/endless") else {
        return skip("read-only directory", "root passes all permission checks and setpriv does not work");
    };
    call.run().code(4).err_has("permission denied");
    call_as_user(&place, "keygen ro/n").unwrap().run().code(4);
    assert_eq!(fs::read_dir(place.path("ro")).unwrap().count(), 1);
    fs::set_permissions(place.path("ro"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_unreadable_key_stops_before_the_first_file() {
    let place = TestDirectory::ready();
    let missing = place.run("sign -k nosuch.key b k.pub").code(4).out_empty();
    assert_eq!(missing.err.lines().filter(|line| line.contains("error")).count(), 1, "{}", missing.err);
    fs::set_permissions(place.path("k.key"), fs::Permissions::from_mode(0o000)).unwrap();
    match call_as_user(&place, "sign -k k.key b k.pub") {
        Some(call) => {
            let done = call.run().code(4).err_has("permission denied");
            assert_eq!(done.err.lines().filter(|line| line.contains("error")).count(), 1, "{}", done.err);
        }
        None => skip("unreadable key", "root reads everything and setpriv does not work"),
    }
    assert!(!place.has("b.sig") && !place.has("k.pub.sig"));
}

#[test]
fn a_write_over_the_size_limit_keeps_the_old_file() {
    let place = TestDirectory::ready();
    let before = place.get("a.sig");
    for line in ["sign -f -k k.key a", "sign -k k.key b", "keygen n", "keygen -f k", "pubkey -f -k k.key -o k.pub"] {
        let done = ProgramCall::new("sh", place.root())
            .env("FNDSA", FNDSA)
            .arg("-c")
            .arg(format!("ulimit -f 0; $FNDSA {line}"));
        done.run().code(4).err_has("too large");
    }
    assert_eq!(place.get("a.sig"), before);
    place.run("verify -p k.pub a").code(0);
    assert_eq!(place.names(), TestDirectory::ready().names());
}

#[test]
fn a_full_disk_keeps_the_old_file_and_adds_no_file() {
    let place = TestDirectory::ready();
    fs::create_dir(place.path("full")).unwrap();
    let mount = "unshare -rm sh -c 'mount -t tmpfs -o size=32k none full";
    if place.sh(&format!("{mount}'")).code != 0 {
        return skip("full disk", "no file system can be mounted here");
    }
    let fill = "cp a a.sig k.key k.pub full; cd full; cat a.sig >old; dd if=/dev/zero of=fill bs=1k 2>/dev/null";
    for line in ["sign -f -k k.key a", "sign -k k.key k.pub", "keygen n", "keygen -f k"] {
        let check = "cmp a.sig old && $FNDSA verify -p k.pub a && test ! -e n.key && test ! -e k.pub.sig && ls -A";
        let done = place.sh(&format!("{mount}; {fill}; $FNDSA {line}; echo code=$?; {check}'")).code(0);
        let done = done.out_has("code=4").err_has("no space left");
        let names: Vec<_> = done.out.lines().rev().take(6).collect();
        assert_eq!(names, ["old", "k.pub", "k.key", "fill", "a.sig", "a"], "{line}");
    }
}

#[test]
fn a_missing_file_does_not_prevent_work_on_other_files() {
    let place = TestDirectory::ready();
    place.run("sign -k k.key b nosuch k.pub").code(4).err_has("nosuch: no such file");
    place.run("verify -p k.pub b k.pub").code(0);
    assert!(!place.has("nosuch.sig"));
}

/// Waits until a program opens a file.
fn wait_until_opened(child: &Child, path: &std::path::Path) {
    let descriptors = format!("/proc/{}/fd", child.id());
    wait_for("the file is open", || {
        let Ok(entries) = fs::read_dir(&descriptors) else { return false };
        entries.flatten().any(|entry| fs::read_link(entry.path()).is_ok_and(|to| to == path))
    });
}

#[test]
fn a_file_that_grows_while_it_is_read_is_not_signed() {
    let place = TestDirectory::ready();
    let (big, size) = (place.path("big"), 192 << 20);
    let file = fs::File::create(&big).unwrap();
    file.set_len(size).unwrap();
    let child = place.call("sign -k k.key big b").spawn();
    wait_until_opened(&child, &fs::canonicalize(&big).unwrap());
    file.set_len(size + 1).unwrap();
    crate::harness::finish(child).code(4).err_has("big: changed while being read");
    assert!(!place.has("big.sig"));
    place.run("verify -p k.pub b").code(0);
}

/// `sign` detects a file that changes during the read, even if the length stays the same.
#[test]
fn a_file_that_is_written_to_while_it_is_read_is_not_signed() {
    let place = TestDirectory::ready();
    let big = place.path("big");
    let file = fs::File::create(&big).unwrap();
    file.set_len(192 << 20).unwrap();
    let child = place.call("sign -k k.key big").spawn();
    wait_until_opened(&child, &fs::canonicalize(&big).unwrap());
    file.write_at(b"x", 0).unwrap();
    crate::harness::finish(child).code(4).err_has("big: changed while being read");
    assert!(!place.has("big.sig"));
}

/// If a file with the output name appears while fndsa reads the message, it is not overwritten.
/// This applies to both ways to create a file: with and without a temporary name.
#[test]
fn a_file_that_appears_during_the_work_is_not_replaced() {
    if !can_trace() {
        return skip("a file that appears during the work", "there is no strace, or it may not trace");
    }
    let line = "-f -qq -o trace -e trace=openat";
    let traced = |place: &TestDirectory, inject: &str| {
        let call = ProgramCall::new("strace", place.root()).args(line).args(inject);
        call.arg(FNDSA).args("sign -k k.key -o s -").open_input().spawn()
    };
    // Find the number of the call that opens a file without a name.
    let place = TestDirectory::ready();
    let mut child = traced(&place, "");
    drop(child.stdin.take());
    crate::harness::finish(child).code(0);
    let trace = place.text("trace");
    let nameless = trace.lines().filter(|line| line.contains("openat(")).position(|line| line.contains("O_TMPFILE"));
    let refused = nameless.map(|at| format!("-e inject=openat:error=EOPNOTSUPP:when={}", at + 1));
    for inject in [Some(String::new()), refused].into_iter().flatten() {
        let place = TestDirectory::ready();
        let mut child = traced(&place, &inject);
        // A pipe can store 64 KiB. After this write, fndsa has checked the output and has read most
        // of the input.
        child.stdin.as_mut().unwrap().write_all(&[0; 1 << 20]).unwrap();
        place.put("s", "appeared");
        let before = place.names();
        drop(child.stdin.take());
        crate::harness::finish(child).code(4).out_empty().err_has("exists");
        assert_eq!((place.get("s"), place.names()), (b"appeared".to_vec(), before), "{inject}");
    }
}

#[test]
fn no_temporary_files_remain() {
    let place = TestDirectory::ready();
    let mut names = place.names();
    place.run("sign -f -k k.key a b").code(0);
    place.run("keygen -f k").code(0);
    names.push("b.sig".into());
    names.sort();
    assert_eq!(place.names(), names);
}
