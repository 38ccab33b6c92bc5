//! Tests for failing system calls. If the system refuses a call, or if the program is killed during
//! a call, each output is the old file or a complete new file. No other files remain, with one
//! exception: if the command replaces files, temporary files may remain after SIGKILL, or if the
//! system refuses to remove them.
//!
//! The test traces a command once. Then the test runs the command many times under `strace`. In
//! each run, `strace` injects a fault into a different system call from the trace: the call fails,
//! or the program gets a signal during the call. The rules are:
//!
//! - The test skips the calls before the first relative path. These calls belong to the loader,
//!   libc and the runtime, which use only absolute paths. If the system refuses such a call, any
//!   program ends.
//! - The test does not refuse calls that allocate memory, handle signals, control threads or end
//!   the process. These calls belong to the runtime, which ends any program if such a call fails.
//!   The test still sends signals in these calls.
//! - A fault counts as injected if the trace contains `INJECTED` or SIGTERM, or if the program was
//!   killed. Otherwise, the test does not check this run.
//!
//! `FNDSA_LONG=1` tries all of these faults (for `passwd`, every tenth fault). Otherwise, the test
//! tries about one in twelve, chosen by a generator with a fixed seed.

use crate::harness::{
    FNDSA, ProgramCall, ProgramOutput, SplitMixRng, TestDirectory, can_trace, in_parallel, long, skip,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::sync::{Mutex, OnceLock};

/// The result of a successful command, in its files or on standard output.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CommandResult {
    /// Signatures by k. In each pair (file, target), `target` is the signature file for `file`.
    Signatures(&'static [(&'static str, &'static str)]),
    /// Private and public keys that belong together.
    Pairs(&'static [(&'static str, &'static str)]),
    /// A list and its signature by k.
    Manifest(&'static str, &'static str),
    /// All manual pages.
    Pages,
    /// The private key of k, either unencrypted or encrypted with the password in the file a.
    PrivateKey(&'static str),
    /// The public key of k.
    PublicKey(&'static str),
    /// These words on standard output, and no file.
    Words(&'static [&'static str]),
}

use CommandResult::{Manifest, Pages, Pairs, PrivateKey, PublicKey, Signatures, Words};

/// A command that the test repeats with faults.
struct FaultCase {
    line: &'static str,
    work: CommandResult,
}

impl FaultCase {
    /// Returns the directory for the command. Toy keys have no OID, so commands that write an
    /// existing private key (`passwd` and `convert`) need real keys.
    fn directory(&self) -> TestDirectory {
        let directory = if let PrivateKey(_) = self.work { TestDirectory::ready() } else { TestDirectory::toy() };
        if self.work == Manifest("a", "a.sig") {
            // `sign -f -M` replaces only a list.
            directory.put("a", format!("{}  old\n", "0".repeat(64)));
        }
        directory
    }

    /// Returns n: the test tries every nth fault of this command. For `passwd`, n is 10, because
    /// the key derivation is slow by design.
    fn tested_fraction(&self) -> usize {
        if self.line.starts_with("passwd") { 10 } else { 1 }
    }
}

const CASES: [FaultCase; 23] = [
    FaultCase { line: "keygen -a fn-dsa-16 n", work: Pairs(&[("n.key", "n.pub")]) },
    FaultCase { line: "keygen -a falcon-16 n", work: Pairs(&[("n.key", "n.pub")]) },
    FaultCase { line: "keygen -f -a fn-dsa-16 n", work: Pairs(&[("n.key", "n.pub")]) },
    FaultCase { line: "keygen -f -a fn-dsa-16 k", work: Pairs(&[("k.key", "k.pub")]) },
    FaultCase { line: "--json keygen --format raw -a fn-dsa-16 -o x -p y", work: Pairs(&[("x", "y")]) },
    FaultCase { line: "keygen -n 2 -a fn-dsa-16 n", work: Pairs(&[("n-1.key", "n-1.pub"), ("n-2.key", "n-2.pub")]) },
    FaultCase { line: "sign -k k.key b", work: Signatures(&[("b", "b.sig")]) },
    FaultCase { line: "sign -f -k k.key a", work: Signatures(&[("a", "a.sig")]) },
    FaultCase { line: "sign -k k.key b k2.pub", work: Signatures(&[("b", "b.sig"), ("k2.pub", "k2.pub.sig")]) },
    FaultCase { line: "sign -f -k k.key --format raw -o a.sig b", work: Signatures(&[("b", "a.sig")]) },
    FaultCase { line: "sign -k k.key -j 1 b k2.pub", work: Signatures(&[("b", "b.sig"), ("k2.pub", "k2.pub.sig")]) },
    FaultCase { line: "sign -k k.key -M m a b", work: Manifest("m", "m.sig") },
    FaultCase { line: "sign -k k.key -j 1 -M m a b", work: Manifest("m", "m.sig") },
    FaultCase { line: "sign -f -k k.key -M a b k.pub", work: Manifest("a", "a.sig") },
    FaultCase { line: "man --dir .", work: Pages },
    FaultCase { line: "pubkey -k k.key -o p", work: PublicKey("p") },
    FaultCase { line: "pubkey -f -k k.key -o k2.pub", work: PublicKey("k2.pub") },
    FaultCase { line: "convert k.key -o o --to pkcs8", work: PrivateKey("o") },
    FaultCase { line: "convert -f k.key -o k2.pub --to raw", work: PrivateKey("k2.pub") },
    FaultCase { line: "passwd k.key --new-password-file a", work: PrivateKey("k.key") },
    FaultCase { line: "sign -k k.key -o - a", work: Words(&["END FNDSA SIGNATURE"]) },
    FaultCase { line: "verify -p k2.pub -p k.pub a", work: Words(&["a: OK"]) },
    FaultCase { line: "--json inspect k.key k.pub", work: Words(&["\"match\":true"]) },
];

/// The injected faults. The name of an error means that the call fails with this error. The name of
/// a signal means that the program gets this signal during the call.
const FAULTS: [&str; 7] = ["ENOSPC", "EIO", "EACCES", "EDQUOT", "EINTR", KILL, TERM];
const KILL: &str = "KILL";
const TERM: &str = "TERM";

/// System calls that the test does not refuse (see the rules above).
const MEMORY_AND_SIGNALS: [&str; 17] = [
    "brk",
    "mmap",
    "munmap",
    "mprotect",
    "mremap",
    "madvise",
    "rt_sigaction",
    "rt_sigprocmask",
    "sigaltstack",
    "exit_group",
    "exit",
    "futex",
    "gettid",
    "getpid",
    "sched_getaffinity",
    "sched_yield",
    "restart_syscall",
];

/// System calls that the program repeats if they fail with `EINTR`. If `strace` injects `EINTR`
/// into such a call, the command must succeed.
const REPEATED: [&str; 9] =
    ["read", "write", "openat", "fsync", "linkat", "renameat", "renameat2", "fchmod", "getrandom"];

/// A fault in the command `CASES[case]`: `strace` injects `how` (an entry of [`FAULTS`]) when a
/// thread makes the system call `call` for the `at`th time. The count starts at 1 in each thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SyscallFault {
    case: usize,
    call: String,
    at: usize,
    how: &'static str,
}

/// Runs a command under `strace`. An option is a value for `-e`. `strace` writes the file `trace`
/// in the directory. [`take_trace`] reads and removes this file.
fn run_traced(directory: &TestDirectory, options: &[String], line: &str) -> ProgramOutput {
    let call = ProgramCall::new("strace", directory.root()).args("-f -qq -o trace");
    let call = options.iter().fold(call, |call, option| call.arg("-e").arg(option));
    call.arg(FNDSA).arg("--allow-weak").args(line).run()
}

/// Returns the trace of the last command, and removes the trace file.
fn take_trace(directory: &TestDirectory) -> String {
    let text = String::from_utf8_lossy(&directory.get("trace")).into_owned();
    std::fs::remove_file(directory.path("trace")).unwrap();
    text
}

/// Returns the calls that the main thread makes after startup, in order: the name, and the call's
/// number. The number counts all calls of the main thread with this name, including calls during
/// startup. `strace` counts the calls of each thread separately. So a fault with this number also
/// affects the threads that read, sign and write files.
fn system_calls(trace: &str) -> Vec<(String, usize)> {
    let (mut counts, mut found, mut own) = (BTreeMap::<&str, usize>::new(), vec![], false);
    let main = trace.split(' ').next().unwrap_or_default();
    for line in trace.lines().filter(|line| line.starts_with(main)) {
        let text = line.split_once(' ').map_or("", |(_, text)| text.trim_start());
        let Some((name, arguments)) = text.split_once('(') else { continue };
        if name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            continue;
        }
        own |= name != "execve" && arguments.starts_with("AT_FDCWD, \"") && !arguments.starts_with("AT_FDCWD, \"/");
        let count = counts.entry(name).or_default();
        *count += 1;
        if own {
            found.push((name.to_owned(), *count));
        }
    }
    found
}

/// Returns the faults to try in a case: all combinations of a call in the trace and an element of
/// [`FAULTS`], except errors for [`MEMORY_AND_SIGNALS`].
fn faults_of(case: usize) -> Vec<SyscallFault> {
    let directory = CASES[case].directory();
    let output = run_traced(&directory, &[], CASES[case].line).code(0);
    let calls = system_calls(&take_trace(&directory));
    assert!(calls.len() > 10 && is_complete(&directory, &output, CASES[case].work), "{}: {calls:?}", CASES[case].line);
    let is_tested = |call: &str, how| [KILL, TERM].contains(&how) || !MEMORY_AND_SIGNALS.contains(&call);
    let fault = |call: &str, at, how| SyscallFault { case, call: call.to_owned(), at, how };
    let all = calls.iter().flat_map(|(call, at)| FAULTS.map(|how| is_tested(call, how).then(|| fault(call, *at, how))));
    all.flatten().step_by(CASES[case].tested_fraction()).collect()
}

/// Returns the names and contents of all files.
fn file_contents(directory: &TestDirectory) -> BTreeMap<OsString, Vec<u8>> {
    directory.names().into_iter().map(|name| (name.clone(), directory.get(name))).collect()
}

/// Returns the names of the files that a command can write.
fn output_files(work: CommandResult) -> Vec<&'static str> {
    match work {
        Signatures(list) => list.iter().map(|(_, target)| *target).collect(),
        Pairs(list) => list.iter().flat_map(|(key, public)| [*key, *public]).collect(),
        Manifest(list, signature) => vec![list, signature],
        Pages => manual_pages().iter().map(|(name, _)| &name[..]).collect(),
        PrivateKey(target) | PublicKey(target) => vec![target],
        Words(_) => vec![],
    }
}

/// Returns the names and contents of the manual pages.
fn manual_pages() -> &'static [(String, Vec<u8>)] {
    static PAGES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    PAGES.get_or_init(|| {
        let directory = TestDirectory::empty();
        directory.run("man --dir .").code(0);
        directory.names().into_iter().map(|name| (name.to_str().unwrap().to_owned(), directory.get(&name))).collect()
    })
}

/// Returns whether a target (an output file) is complete and valid. Does not read the other files
/// of the result.
fn is_valid_output(directory: &TestDirectory, target: &str, work: CommandResult) -> bool {
    match work {
        Signatures(list) => {
            let (file, _) = list.iter().find(|(_, t)| *t == target).unwrap();
            directory.run(&format!("--allow-weak verify -p k.pub -s {target} {file}")).code == 0
        }
        PrivateKey(_) => {
            // fndsa reports an error if a password is given but not needed, so the test tries the
            // command without and with the password.
            let open = |password: &str| directory.run(&format!("pubkey -k {target} {password}"));
            [open(""), open("--password-file a")]
                .iter()
                .any(|output| output.code == 0 && output.stdout == directory.get("k.pub"))
        }
        PublicKey(_) => directory.get(target) == directory.get("k.pub"),
        Pages => manual_pages().iter().any(|(name, page)| name == target && *page == directory.get(target)),
        // A list without its signature cannot be checked here. The caller checks both files
        // together.
        Manifest(..) => true,
        Pairs(_) | Words(_) => directory.run(&format!("--allow-weak inspect {target}")).code == 0,
    }
}

/// Returns whether a command has produced its complete result, in its files or on standard output.
fn is_complete(directory: &TestDirectory, output: &ProgramOutput, work: CommandResult) -> bool {
    match work {
        Words(words) => words.iter().all(|words| output.out.contains(words)),
        Pairs(list) => list.iter().all(|(key, public)| {
            directory.has(key)
                && directory.run(&format!("--allow-weak inspect {key} {public}")).out.contains("a key pair")
        }),
        Manifest(list, _) => directory.run(&format!("--allow-weak verify -p k.pub -M {list}")).code == 0,
        _ => output_files(work).iter().all(|target| directory.has(target) && is_valid_output(directory, target, work)),
    }
}

/// The counts and problems that the test collects from all faults.
#[derive(Default)]
struct FaultTally {
    injected: usize,
    codes: BTreeMap<i32, usize>,
    /// The number of temporary files that remained, after KILL or because they could not be
    /// removed.
    remaining_files: usize,
    /// Commands and system calls for which KILL left a key pair with only one replaced file.
    half_replaced: BTreeSet<(&'static str, String)>,
    calls: BTreeSet<String>,
    problems: Vec<String>,
}

/// Runs a command with a fault, checks the files afterwards, and adds the result to `tally`.
fn run_with_fault(fault: &SyscallFault, tally: &Mutex<FaultTally>) {
    let (directory, FaultCase { line, work }) = (CASES[fault.case].directory(), &CASES[fault.case]);
    let files_before = file_contents(&directory);
    let kind = if [KILL, TERM].contains(&fault.how) { "signal" } else { "error" };
    let inject = format!("inject={}:{kind}={}:when={}", fault.call, fault.how, fault.at);
    let output = run_traced(&directory, &[format!("trace={}", fault.call), inject], line);
    let trace = take_trace(&directory);
    let killed = fault.how == KILL && trace.contains("killed by SIGKILL");
    if !(killed || trace.contains("INJECTED") || trace.contains("--- SIGTERM")) {
        return;
    }
    let files_after = file_contents(&directory);
    let say = format!("`{line}` with {fault:?}: {output:?}\n{:?}", files_after.keys());

    let mut problems = Vec::new();
    let mut check = |holds: bool, problem: &str| {
        if !holds {
            problems.push(format!("{problem}: {say}"));
        }
    };
    let temporary = |name: &OsString| name.to_string_lossy().starts_with(".fndsa-");
    let new: Vec<_> = files_after.keys().filter(|name| !files_before.contains_key(*name)).collect();
    let left = new.iter().filter(|name| temporary(name)).count();
    // If a command replaces files, it writes a new file under a temporary name. The new or the old
    // file may remain under a temporary name in two cases: the program is killed, or the system
    // refuses to remove the file. Other commands write files without a name (`O_TMPFILE`).
    let may_stay = (line.contains(" -f ") || line.starts_with("passwd")) && (killed || fault.call == "unlinkat");
    check(left == 0 || may_stay, "a temporary file is left");
    let targets = output_files(*work);
    check(new.iter().all(|n| temporary(n) || targets.iter().any(|t| *n == t)), "another file");
    for (name, old) in &files_before {
        let target = targets.iter().any(|target| name == target);
        check(files_after.get(name).is_some_and(|now| now == old || target), &format!("{name:?} is lost"));
    }
    let changed = |target: &&str| {
        files_after.get(OsString::from(target).as_os_str()) != files_before.get(OsString::from(target).as_os_str())
    };
    for target in targets.iter().filter(|t| changed(t)) {
        check(is_valid_output(&directory, target, *work), &format!("{target} is damaged"));
    }
    if output.code == 0 {
        check(is_complete(&directory, &output, *work), "exit code 0 without the result");
    }
    let mut mixed = false;
    if let Pairs(list) = work {
        mixed = list.iter().any(|(key, public)| changed(key) != changed(public));
        check(!mixed || killed, "half a pair");
    }
    if let Manifest(..) | Pages = work {
        let changes = targets.iter().filter(|target| changed(target)).count();
        check(killed || changes == 0 || is_complete(&directory, &output, *work), "half of what belongs together");
    }
    let codes: &[i32] = match fault.how {
        KILL => &[137],
        TERM => &[0, 143],
        "EINTR" if REPEATED.contains(&fault.call.as_str()) => &[0],
        _ if fault.call == "getrandom" => &[0, 4, 6],
        _ => &[0, 4],
    };
    check(codes.contains(&output.code) && !output.err.contains("this is a bug"), &format!("{codes:?} expected"));
    // strace counts the calls of each thread separately. So with two threads, strace may refuse two
    // calls, and the second refused call may be the call that writes the error message.
    let message_is_refused = trace.matches("INJECTED").count() >= 2 && trace.contains("write(2, ");
    check(
        output.code == 0
            || kind == "signal"
            || message_is_refused
            || output.err.contains("error:")
            || output.out.contains("\"reason\"")
            || output.out.contains("ERROR"),
        "no word",
    );

    let mut tally = tally.lock().unwrap();
    tally.problems.append(&mut problems);
    tally.injected += 1;
    tally.remaining_files += left;
    *tally.codes.entry(output.code).or_default() += 1;
    tally.calls.insert(fault.call.clone());
    if mixed {
        tally.half_replaced.insert((line, fault.call.clone()));
    }
}

#[test]
fn after_any_failure_each_file_is_the_old_or_the_new_file() {
    if !can_trace() {
        return skip("injected faults", "there is no strace, or it may not trace");
    }
    let mut faults: Vec<_> = (0..CASES.len()).flat_map(faults_of).collect();
    let all = faults.len();
    if !long() {
        let mut random = SplitMixRng(1);
        faults.retain(|_| random.below(12) == 0);
    }
    let tally = Mutex::new(FaultTally::default());
    in_parallel(&faults, |_, fault| run_with_fault(fault, &tally));
    let tally = tally.into_inner().unwrap();
    println!(
        "{} of {all} faults tried, {} injected in {} kinds of calls; exit codes {:?}; {} temporary files after KILL; \
         half a pair of keys after KILL in {:?}",
        faults.len(),
        tally.injected,
        tally.calls.len(),
        tally.codes,
        tally.remaining_files,
        tally.half_replaced
    );
    assert!(tally.problems.is_empty(), "{} problems:\n{}", tally.problems.len(), tally.problems.join("\n\n"));
    assert!(tally.injected * 10 > faults.len() * 9, "too few: {}", tally.injected);
    assert!(!long() || tally.injected >= 1000, "too few: {}", tally.injected);
}

/// Finds the first trace line that contains `words` among the calls with this name. Returns the
/// number of this call, which counts from 1.
fn call_number(trace: &str, call: &str, words: &str) -> Option<usize> {
    let mut calls = trace.lines().filter(|line| line.contains(&format!(" {call}(")));
    calls.position(|line| line.contains(words)).map(|i| i + 1)
}

#[test]
fn without_randomness_nothing_is_written() {
    if !can_trace() {
        return skip("no randomness", "there is no strace, or it may not trace");
    }
    let inject_option = |text: &str| format!("inject={text}");
    for line in ["keygen n", "keygen -f k", "sign -k k.key b", "sign -f -k k.key a", "sign -k k.key -o - a"] {
        let line = format!("{line} {}", if line.starts_with("keygen") { "-a fn-dsa-16" } else { "" });
        for error in ["EIO", "ENOSYS", "EAGAIN"] {
            let directory = TestDirectory::toy();
            let files_before = file_contents(&directory);
            // `ENOSYS` simulates an old kernel without `getrandom`. On such a kernel, the program
            // opens a random device. So the test also makes this `openat` call fail.
            let mut options = vec![inject_option(&format!("getrandom:error={error}"))];
            if error == "ENOSYS" {
                run_traced(&directory, &options, &line).code(0);
                let Some(at) = call_number(&take_trace(&directory), "openat", "\"/dev/") else {
                    panic!("the program used another source of random bytes: {line}")
                };
                options.push(inject_option(&format!("openat:error=EACCES:when={at}+")));
            }
            let directory = if error == "ENOSYS" { TestDirectory::toy() } else { directory };
            run_traced(&directory, &options, &line).code(6).out_empty().err_has("error: ");
            assert!(take_trace(&directory).contains("INJECTED"));
            assert_eq!(
                file_contents(&directory).keys().collect::<Vec<_>>(),
                files_before.keys().collect::<Vec<_>>(),
                "{line} {error}"
            );
        }
    }
}

/// If the new name of a private key might not survive a crash, fndsa reports an error and removes
/// the file. If the new file replaced another file, the new file stays, because the old file no
/// longer exists.
#[test]
fn a_failed_sync_of_the_directory_is_an_error() {
    if !can_trace() {
        return skip("a directory that cannot be synchronised", "there is no strace, or it may not trace");
    }
    // `EINVAL` means that the file system cannot synchronise. fndsa ignores this error, both for
    // the file and for its directory.
    let directory = TestDirectory::ready();
    run_traced(&directory, &["inject=fsync:error=EINVAL".to_owned()], "convert k.key -o o --to pkcs8").code(0);
    assert!(take_trace(&directory).contains("INJECTED") && directory.has("o"));
    for (line, target, stays) in
        [("convert k.key -o o --to pkcs8", "o", false), ("convert -f k.key -o k2.pub --to pkcs8", "k2.pub", true)]
    {
        let directory = TestDirectory::ready();
        // The first call of `fsync` is for the file, and the second call is for its directory.
        let options = ["inject=fsync:error=EIO:when=2".to_owned()];
        run_traced(&directory, &options, line).code(4).out_empty().err_has("error: ");
        assert!(take_trace(&directory).contains("INJECTED"));
        assert_eq!(directory.has(target), stays, "{line}");
        if stays {
            directory.run(&format!("inspect {target}")).code(0).out_has("PKCS#8");
        }
    }
}

/// fndsa replaces both files of a key pair, or neither file. If the second file cannot be replaced,
/// fndsa restores the first file.
#[test]
fn a_failure_restores_the_first_file_of_a_pair() {
    if !can_trace() {
        return skip("a second file that cannot get its name", "there is no strace, or it may not trace");
    }
    let directory = TestDirectory::toy();
    let files_before = file_contents(&directory);
    let options = ["inject=/^rename:error=EIO:when=2".to_owned()];
    run_traced(&directory, &options, "keygen -f -a fn-dsa-16 k").code(4).out_empty().err_has("error: ");
    assert!(take_trace(&directory).contains("INJECTED"));
    assert_eq!(file_contents(&directory), files_before);
}
