//! Tests for a process with a private key: the process writes no core file, other processes cannot
//! read its memory, and its memory is locked. An ordinary user cannot read `/proc/self` of such a
//! process, but all commands must still work for this user.

use crate::harness::{FNDSA, ProgramCall, ProgramOutput, TestDirectory, body, can_trace, have, signal, skip};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;

/// The start of a shell line that runs a program as an ordinary user: without privileges, with the
/// user ID 1000.
const USER: &str = "setpriv --reuid 1000 --regid 1000 --clear-groups --bounding-set=-all --inh-caps=-all";

/// Returns a directory that belongs to the ordinary user, with the files of
/// [`TestDirectory::ready`]. Returns `None` if the tests cannot switch to this user or run the
/// program as this user.
fn directory_of_user() -> Option<TestDirectory> {
    let directory = TestDirectory::ready();
    let output = directory.sh(&format!("chown -R 1000:1000 . && {USER} $FNDSA -V"));
    (have("setpriv") && output.code == 0).then_some(directory)
}

/// Prints that a test needs an ordinary user.
fn skip_without_user() {
    skip("an ordinary user", "the tests cannot change to a user that may run the program");
}

/// Starts a shell line that ends with `exec`, so the program replaces the shell. Writes a megabyte
/// to the program, and returns when the program has read most of these bytes and waits for more
/// input.
fn start_and_wait(directory: &TestDirectory, line: &str) -> Child {
    let mut child =
        ProgramCall::new("sh", directory.root()).env("FNDSA", FNDSA).arg("-c").arg(line).open_input().spawn();
    // A pipe can store only 64 KiB of the 1 MiB that this call writes. So after this call, the
    // program has read most of the input. The pipe stays open until the caller drops the child.
    child.stdin.as_mut().unwrap().write_all(&vec![0; 1 << 20]).unwrap();
    child
}

/// Returns a field of `/proc/PID/status` or `/proc/PID/limits`.
fn process_field(child: &Child, file: &str, name: &str) -> String {
    let text = std::fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned()
}

/// Returns whether an aborted program leaves a core file.
fn leaves_core_file(directory: &TestDirectory, line: &str) -> bool {
    let mut child = start_and_wait(directory, &format!("ulimit -c unlimited; exec $FNDSA {line}"));
    signal(child.id(), "ABRT");
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(6), "{status:?}");
    let files = directory.names().iter().any(|name| name.to_string_lossy().starts_with("core"));
    status.core_dumped() || files
}

#[test]
fn core_dumps_contain_no_key() {
    let directory = TestDirectory::ready();
    if !leaves_core_file(&TestDirectory::ready(), "verify -p k.pub -s a.sig -") {
        return skip("core files", "this system writes no core files");
    }
    assert!(!leaves_core_file(&directory, "sign -k k.key -o s -"));
}

#[test]
fn other_processes_cannot_read_the_memory() {
    let Some(directory) = directory_of_user() else { return skip_without_user() };
    let sign = "sign -k k.key -o s -";
    for (line, owner) in [(sign, 0), ("verify -p k.pub -s a.sig -", 1000)] {
        let mut child = start_and_wait(&directory, &format!("exec {USER} $FNDSA {line}"));
        let file_owner = std::fs::metadata(format!("/proc/{}/environ", child.id())).unwrap().uid();
        assert_eq!(file_owner, owner, "{line}");
        if line == sign {
            let limit = process_field(&child, "limits", "Max core file size");
            assert_eq!(limit.split_whitespace().collect::<Vec<_>>(), ["0", "0", "bytes"]);
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Returns whether this process can lock any amount of memory (CAP_IPC_LOCK).
fn can_lock_all_memory() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("CapEff:")).map(str::trim);
    set.and_then(|set| u64::from_str_radix(set, 16).ok()).unwrap_or(0) >> 14 & 1 == 1
}

#[test]
fn memory_is_locked_unless_a_limit_prevents_it() {
    let mut child = start_and_wait(&TestDirectory::ready(), "ulimit -l unlimited; exec $FNDSA sign -k k.key -o s -");
    let unlimited = process_field(&child, "limits", "Max locked memory").contains("unlimited");
    let locked = process_field(&child, "status", "VmLck:");
    child.kill().unwrap();
    child.wait().unwrap();
    if !unlimited && !can_lock_all_memory() {
        return skip("locked memory", "the limit cannot be raised here");
    }
    assert!(!locked.is_empty() && !locked.starts_with("0 "), "{locked}");
}

/// An ordinary user can run commands with any limit for locked memory. The three commands below use
/// memory for threads, for a password and for a large input.
#[test]
fn a_limit_of_locked_memory_is_not_an_error() {
    let Some(directory) = directory_of_user() else { return skip_without_user() };
    directory.put("pw", "password\n");
    directory.put("large", vec![0; 20 << 20]);
    for limit in ["0", "64", "4096", "8192", "16384", "unlimited"] {
        for line in ["keygen -j 2 n", "keygen --encrypt --password-file pw e", "sign -k k.key -j 2 large b"] {
            let line = format!("ulimit -l {limit}; exec {USER} $FNDSA {line} -f");
            directory.sh(&line).code(0);
        }
    }
}

/// fndsa warns about swap space if it cannot lock its memory, and if keys could be written to the
/// swap space. Commands that only use a key warn only with `-v`.
#[test]
fn swap_space_causes_a_warning() {
    let directory = TestDirectory::ready();
    let header = "Filename Type Size Used Priority\n";
    directory.put("disk", format!("{header}/dev/sda2 partition 1 0 -2\n"));
    directory.put("zram", format!("{header}/dev/zram0 partition 1 0 100\n"));
    directory.put("none", header);
    let run = |swaps: &str, limit: &str, caps: &str, line: &str| {
        directory.sh(&format!(
            "ulimit -l {limit} && exec unshare -m sh -c 'mount --bind {swaps} /proc/swaps && \
             exec setpriv {caps} $FNDSA {line}'"
        ))
    };
    let without_lock_right = "--bounding-set=-ipc_lock --inh-caps=-ipc_lock";
    if !have("unshare") || run("none", "0", without_lock_right, "-V").code != 0 {
        return skip("swap space", "the tests cannot replace the list of swap space");
    }
    let warns = |output: ProgramOutput| output.code(0).err.contains("swap space");
    assert!(warns(run("disk", "64", without_lock_right, "keygen -f n")));
    assert!(warns(run("disk", "64", without_lock_right, "passwd -o p -f k.key --new-password-file a")));
    assert!(warns(run("disk", "64", without_lock_right, "-v sign -f -k k.key a")));
    for quiet in ["sign -f -k k.key a", "pubkey -k k.key", "-q keygen -f n", "--json keygen -f n", "verify -p k.pub a"]
    {
        assert!(!warns(run("disk", "64", without_lock_right, quiet)), "{quiet}");
    }
    for swaps in ["none", "zram"] {
        assert!(!warns(run(swaps, "64", without_lock_right, "keygen -f n")), "{swaps}");
    }
    // Not every user can raise the limit or has the privilege to lock memory. If the call is not
    // possible, the test does not check the warning.
    for (limit, caps) in [("unlimited", without_lock_right), ("65536", without_lock_right), ("64", "--no-new-privs")] {
        let possible =
            run("disk", limit, caps, "-V").code == 0 && (caps == without_lock_right || can_lock_all_memory());
        assert!(!(possible && warns(run("disk", limit, caps, "keygen -f n"))), "{limit} {caps}");
    }
}

/// If the user has a limit for locked memory, fndsa cannot lock all future memory. Instead, fndsa
/// locks the existing memory again after it reads the key.
#[test]
fn memory_is_locked_again_after_the_key_is_loaded() {
    let directory = TestDirectory::ready();
    directory.put("disk", "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n");
    let run = |program: &str| {
        directory.sh(&format!(
            "ulimit -l 65536 && exec unshare -m sh -c 'mount --bind disk /proc/swaps && exec {program} \
             setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock $FNDSA sign -f -k k.key a'"
        ))
    };
    if !can_trace() || !have("unshare") || run("").code != 0 {
        return skip(
            "locked memory below a limit",
            "the tests cannot trace, or cannot put another list of swap space in place",
        );
    }
    run("strace -f -qq -o trace -e trace=mlockall").code(0);
    let trace = directory.text("trace");
    let locked = trace.lines().filter(|line| line.contains("mlockall(MCL_CURRENT|MCL_ONFAULT) = 0")).count();
    assert!(locked >= 2, "{trace}");
}

/// All ways to read and write files through `/proc` work for an ordinary user.
#[test]
fn files_in_proc_remain_accessible() {
    let Some(directory) = directory_of_user() else { return skip_without_user() };
    directory.put("pw", "password\n");
    let lines = [
        "$RUN keygen n && test -s n.key -a -s n.pub",
        "$RUN keygen -f n && test -s n.key",
        "$RUN keygen --encrypt --password-file pw locked",
        "$RUN sign -k locked.key --password-file /dev/fd/3 -o s1 a 3<pw",
        "$RUN sign -k locked.key --password-file - -o s2 a <pw",
        "$RUN sign -k /dev/stdin -o s3 a <k.key",
        "cat k.key | $RUN sign -k /dev/stdin -o s4 a",
        "$RUN sign -k /proc/self/fd/3 -o s5 a 3<k.key",
        "$RUN sign -k k.key -o s6 /dev/stdin <a",
        "cat a | $RUN sign -k k.key -o s7 -",
        "$RUN sign -k k.key -o s8 /dev/fd/3 3<a",
        "$RUN sign -k k.key -o /dev/stdout a >s9",
        "$RUN sign -k k.key -o - a | cat >s10",
        "$RUN sign -k k.key -o /dev/fd/4 a 4>s11",
        "$RUN sign -k k.key -o /proc/self/fd/4 a 4>s12",
        "$RUN sign -k k.key -o /dev/stderr a 2>s13",
        "mkfifo f && (cat f >s14 & $RUN sign -k k.key -o f a; wait)",
        "$RUN sign -f -k k.key -M list a b && $RUN verify -p k.pub -M list",
        "$RUN passwd k.key --new-password-file pw && $RUN passwd k.key --password-file pw --remove",
        "$RUN convert k.key --to pkcs8 -o p8 && $RUN pubkey -k p8 -o p",
        "$RUN inspect k.key k.pub /dev/fd/3 3<p8",
        "for i in 3 5 6 7 8 9 10 11 12 13 14; do $RUN verify -p k.pub -s s$i a || exit 1; done",
        "for i in 1 2; do $RUN verify -p locked.pub -s s$i a || exit 1; done",
    ];
    for line in lines {
        let line = line.replace("$RUN", "$FNDSA");
        // The shell also runs as the ordinary user, so this user opens the files of its
        // redirections.
        let call = ProgramCall::new("sh", directory.root()).env("FNDSA", FNDSA).env("LINE", &line);
        call.arg("-c").arg(format!("exec {USER} sh -c \"$LINE\"")).run().code(0);
    }
}

/// A password or key occurs only in the system calls that read it. So other processes cannot find
/// the password or key in files or output. fndsa also starts no process.
#[test]
fn passwords_and_keys_are_not_visible_in_proc() {
    const PASSWORD: &str = "nowhere shown password";
    let directory = TestDirectory::ready();
    if !can_trace() {
        return skip("files of other processes in /proc", "there is no strace, or it may not trace");
    }
    directory.put("pw", format!("{PASSWORD}\n"));
    directory.run("convert k.key --to pkcs8 --encrypt --new-password-file pw -o e.key").code(0);
    let lines = body(&directory.text("k.key"));
    let secrets = [PASSWORD.to_owned(), lines[..40].to_owned(), lines[960..1000].to_owned()];
    let (key, encrypted) = (directory.text("k.key"), directory.text("e.key"));
    let cases = [
        ("--verbose sign -f -k e.key --password-file pw a", vec![], 0),
        ("--json sign -f -k e.key --password-env SECRET a", vec![("SECRET", PASSWORD)], 0),
        ("-v sign -f -k e.key a", vec![("FNDSA_PASSWORD", PASSWORD)], 0),
        ("sign -f -k e.key a", vec![("FNDSA_PASSWORD_FILE", "pw")], 0),
        ("-v sign -f --key-env KEY a", vec![("KEY", &key[..])], 0),
        ("sign -f --key-env KEY --password-env SECRET a", vec![("KEY", &encrypted[..]), ("SECRET", PASSWORD)], 0),
        ("sign -f -k e.key --password-file k.key a", vec![], 5),
        ("sign -f -k pw a", vec![], 3),
        ("sign -f --key-env SECRET a", vec![("SECRET", PASSWORD)], 3),
        ("sign -f -k k.key -o nosuch/a a", vec![], 4),
        ("verify -p k.key a", vec![], 3),
        ("verify -p k.pub -s k.key a", vec![], 3),
        ("--json inspect k.key e.key pw --password-file pw", vec![], 3),
        ("-v pubkey -k e.key --password-file pw", vec![], 0),
    ];
    for (line, variables, code) in cases {
        let call = ProgramCall::new("strace", directory.root()).args("-f -qq -s 100000 -o trace").arg(FNDSA).args(line);
        let output = variables.iter().fold(call, |call, (name, value)| call.env(name, value)).run().code(code);
        let trace = directory.text("trace");
        assert_eq!(trace.matches("execve(").count(), 1, "{line}: fndsa started another program");
        assert!(!trace.contains("fork(") && !trace.contains("exit_status"), "{line}: fndsa started another process");
        // If another thread interrupts a call, strace writes the call as two lines. The first line
        // contains the arguments.
        let is_start = |call: &&str| !call.contains(" resumed>");
        let starts_process = |call: &str| call.contains("clone") && !call.contains("CLONE_THREAD");
        assert_eq!(
            trace.lines().filter(is_start).find(|call| starts_process(call)),
            None,
            "{line}: fndsa started another process"
        );
        let creates_file = |call: &&str| call.contains("O_CREAT") && !call.contains(".fndsa-");
        assert_eq!(trace.lines().find(creates_file), None, "{line}: fndsa created another file");
        for secret in &secrets {
            let is_read = |call: &str| call.contains(" read(") || call.contains("<... read resumed>");
            let shows_secret = |call: &&str| call.contains(&secret[..]) && !is_read(call);
            assert_eq!(trace.lines().find(shows_secret), None, "{line}");
            assert!(
                !output.out.contains(secret) && !output.err.contains(secret),
                "{line}: {} {}",
                output.out,
                output.err
            );
        }
        if line == "verify -p k.key a" {
            assert!(secrets[1..].iter().all(|secret| trace.contains(&secret[..])), "the trace shows what is read");
        }
    }
}
