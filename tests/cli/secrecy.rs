//! Searches the memory of programs after they use a private key. The test stops a program just
//! before it ends, and searches all writable memory for pieces of secrets.
//!
//! | secret | pieces |
//! |---|---|
//! | the encoded key as base64 lines, DER or raw; the seed of `keygen`; the password | 16 bytes |
//! | f, g, F and G as integers (8, 16, 32 bits) and floating-point numbers | 16 coefficients |
//! | f, g, F and G after the transform, in any order | 4 numbers anywhere |
//! | the key that scrypt derives from a password, and its internal state | 16 bytes |
//!
//! The search excludes pipes and the page cache, which belong to the kernel. If the environment
//! contains a secret, the search also excludes the copy of the environment that the kernel puts on
//! the stack. A user who can read this copy can also read the caller's variables.

use crate::harness::{FNDSA, ProgramCall, TestDirectory, can_trace, have, in_parallel, skip, wait_for};
use crate::secrets::{KeySecrets, SecretPieces, falcon_h, scrypt_states};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command};
use std::sync::Mutex;

const PASSWORD: &str = "a password of more than sixteen letters, as everybody has";
/// A text in the environment of each program. The search must find this text, which shows that the
/// search works.
const PLANTED: &str = "planted in the environment, so that the search must find it";

/// The names and contents of a process's writable memory areas.
type MemoryDump = Vec<(String, Vec<u8>)>;

/// A program that is stopped just before its end.
struct StoppedProgram {
    tracer: Child,
    pid: String,
}

impl StoppedProgram {
    /// Runs a command until its process is about to exit, and stops the process there.
    fn stop_at_exit(directory: &TestDirectory, line: &str, variables: &[(&str, String)]) -> Self {
        Self::stop_at_call(directory, "exit_group:retval=0", line, variables)
    }

    /// Runs a command until it makes the system call in `what` for the first time, and stops it
    /// there. `what` can also contain a fault for this call.
    fn stop_at_call(directory: &TestDirectory, what: &str, line: &str, variables: &[(&str, String)]) -> Self {
        Self::stop_with_faults(directory, &[&format!("{what}:signal=SIGSTOP")], line, variables)
    }

    /// Runs a command with several injected faults, and waits until a fault stops it (SIGSTOP).
    /// Sets the environment variables in `variables`, and `PLANTED` with the text [`PLANTED`].
    fn stop_with_faults(
        directory: &TestDirectory,
        injected: &[&str],
        line: &str,
        variables: &[(&str, String)],
    ) -> Self {
        // strace injects faults only into calls that it traces.
        let names: Vec<_> = injected.iter().map(|what| what.split(':').next().unwrap()).collect();
        let call = ProgramCall::new("strace", directory.root())
            .args("-f -qq -o trace -e")
            .arg(format!("trace={}", names.join(",")));
        let call = injected.iter().fold(call, |call, what| call.arg("-e").arg(format!("inject={what}")));
        let call = call.arg(FNDSA).args(line);
        let call = variables.iter().fold(call.env("PLANTED", PLANTED), |call, (name, value)| call.env(name, value));
        // A trace file from an earlier run belongs to a different process.
        let _ = fs::remove_file(directory.path("trace"));
        let (tracer, mut pid) = (call.spawn(), String::new());
        wait_for(line, || {
            let trace = fs::read_to_string(directory.path("trace")).unwrap_or_default();
            let stopped = trace.lines().find(|line| line.contains("--- stopped by SIGSTOP"));
            pid = stopped.and_then(|line| line.split(' ').next()).unwrap_or_default().to_owned();
            !pid.is_empty()
        });
        Self { tracer, pid }
    }

    /// Returns all writable memory. Returns `None` if this process may not read it.
    fn dump_memory(&self) -> Option<MemoryDump> {
        let maps = fs::read_to_string(format!("/proc/{}/maps", self.pid)).ok()?;
        let memory = File::open(format!("/proc/{}/mem", self.pid)).ok()?;
        let parts = maps.lines().filter(|line| line.split(' ').nth(1).is_some_and(|mode| mode.starts_with("rw")));
        let read = |line: &str| {
            let (from, to) = line.split(' ').next()?.split_once('-')?;
            let [from, to] = [from, to].map(|text| u64::from_str_radix(text, 16).unwrap());
            let mut bytes = vec![0; (to - from) as usize];
            memory.read_exact_at(&mut bytes, from).unwrap();
            Some((line.split(' ').next_back()?.to_owned(), bytes))
        };
        Some(parts.filter_map(read).collect())
    }

    /// Returns the environment as the kernel wrote it to the stack.
    fn dump_environment(&self) -> Vec<u8> {
        fs::read(format!("/proc/{}/environ", self.pid)).unwrap()
    }
}

impl Drop for StoppedProgram {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg("-KILL").arg(&self.pid).status();
        let _ = self.tracer.wait();
    }
}

/// Returns a directory with the key k in all forms, the password of e.key in pw, and a seed.
fn directory_with_all_forms() -> TestDirectory {
    let directory = TestDirectory::ready();
    directory.put("pw", format!("{PASSWORD}\n"));
    directory.put("seed", (0..32).map(|i| 0x80 ^ (i * 37) as u8).collect::<Vec<_>>());
    for line in [
        "convert k.key --to raw -o k.raw",
        "convert k.key --to pkcs8 -o k.p8",
        "convert k.key --to pkcs8-der -o k.der",
        "convert k.key --to pkcs8-der --encrypt --new-password-file pw -o e.key",
        "convert k.key --algorithm falcon-512 --to pkcs8 -o falcon.p8",
    ] {
        directory.run(line).code(0);
    }
    let mut bad = directory.get("k.raw");
    bad[1000] ^= 1;
    directory.put("bad.raw", bad);
    let text = directory.text("k.key");
    let last = text.trim_end().rfind('\n').unwrap();
    directory.put("bad.key", format!("{}*{}", &text[..last - 1], &text[last..]));
    directory.put("wrong", "another password\n");
    directory
}

/// Returns the secrets in a key pair.
fn secrets_of_pair(directory: &TestDirectory, key: &str, public: &str) -> SecretPieces {
    let is_encrypted = key.starts_with('e') || String::from_utf8_lossy(&directory.get(key)).contains("ENCRYPTED");
    let password = if is_encrypted { "--password-file pw" } else { "" };
    directory.run(&format!("convert -f {key} {password} --to raw -o found.key")).code(0);
    directory.run(&format!("convert -f {public} --algorithm falcon-512 --to raw -o found.pub")).code(0);
    let (key, h) = (directory.get("found.key"), falcon_h(&directory.get("found.pub")));
    let mut pieces = SecretPieces::default();
    KeySecrets { key: &key, h }.add_to(&mut pieces);
    pieces.add("password", PASSWORD.as_bytes());
    pieces.add("seed", &directory.get("seed"));
    pieces
}

/// Adds two secrets of an encrypted key in DER: the key that scrypt derives from the password, and
/// scrypt's internal state. The parameters of scrypt are N = 2^14, r = 8 and `p`.
fn add_scrypt(pieces: &mut SecretPieces, file: &[u8], p: usize) {
    // The OID for scrypt. In the file, a SEQUENCE that starts with the salt follows the OID.
    let oid = [0x2b, 6, 1, 4, 1, 0xda, 0x47, 4, 11];
    let offset = file.windows(oid.len()).position(|window| window == oid).expect("scrypt") + oid.len();
    let (len, salt) = (usize::from(file[offset + 3]), &file[offset + 4..]);
    let [state, key] = scrypt_states(PASSWORD.as_bytes(), &salt[..len], 1 << 14, 8, p);
    pieces.add("scrypt state", &state);
    pieces.add("scrypt key", &key);
}

/// The private key file and the public key file.
type KeyFilePair = (&'static str, &'static str);

/// Commands, their exit codes, and the key pairs that they create. A command without a key pair
/// uses the key k.
const CASES: [(&str, i32, Option<KeyFilePair>); 33] = [
    ("keygen n", 0, Some(("n.key", "n.pub"))),
    ("keygen --seed-file seed --insecure-deterministic n", 0, Some(("n.key", "n.pub"))),
    ("keygen --seed-file seed --insecure-deterministic -j 2 n", 0, Some(("n.key", "n.pub"))),
    ("keygen -j 2 n", 0, Some(("n.key", "n.pub"))),
    ("keygen -n 2 -j 2 n", 0, Some(("n-2.key", "n-2.pub"))),
    ("keygen -f k", 0, Some(("k.key", "k.pub"))),
    ("keygen --format raw n", 0, Some(("n.key", "n.pub"))),
    ("keygen --format pkcs8 n", 0, Some(("n.key", "n.pub"))),
    ("keygen --encrypt --password-file pw n", 0, Some(("n.key", "n.pub"))),
    ("sign -k k.key -o s a", 0, None),
    ("sign -k k.raw -o s a", 0, None),
    ("sign -k k.p8 -o s a", 0, None),
    ("sign -k k.der -o s a", 0, None),
    ("sign -k falcon.p8 -o s a", 0, None),
    ("sign -k k.key -j 2 b pw seed", 0, None),
    ("sign -k e.key --password-file pw -o s a", 0, None),
    ("sign -k e.key --password-env PASSWORD -o s a", 0, None),
    ("sign --key-env KEY -o s a", 0, None),
    ("sign -k bad.raw -o s a", 3, None),
    ("sign -k bad.key -o s a", 3, None),
    ("sign -k e.key --password-file wrong -o s a", 5, None),
    ("convert k.key --to raw -o o", 0, None),
    ("convert k.key --to raw -o -", 0, None),
    ("convert k.raw --to pem -o o", 0, None),
    ("convert k.key --algorithm falcon-512 --to pkcs8 -o o", 0, None),
    ("convert k.key --to pkcs8 --encrypt --new-password-file pw -o o", 0, None),
    ("convert e.key --password-file pw --to pem -o o", 0, None),
    ("passwd k.p8 --new-password-file pw", 0, None),
    ("passwd e.key --password-file pw --remove", 0, None),
    ("pubkey -k e.key --password-file pw", 0, None),
    ("pubkey -k k.raw", 0, None),
    ("inspect e.key k.pub --password-file pw", 0, None),
    ("--json inspect k.key k.raw k.p8", 0, None),
];

/// Runs a command, checks its exit code, and searches its memory at the end. Returns a text that
/// names the secrets in the memory, or an empty text. Returns `None` if the memory cannot be read.
/// `made` is the key pair that the command creates. If `made` is `None`, the search is for the
/// secrets of the key k.
fn secrets_in_memory(line: &str, code: i32, made: Option<KeyFilePair>) -> Option<String> {
    let directory = directory_with_all_forms();
    let mut pieces = SecretPieces::default();
    if made.is_none() {
        pieces = secrets_of_pair(&directory, "k.key", "k.pub");
        // scrypt is slow, and its result is the same for all commands. So the test searches for the
        // states of scrypt after a single command.
        if line.starts_with("pubkey -k e.key") {
            add_scrypt(&mut pieces, &directory.get("e.key"), 8);
        }
    }
    let variables = [("KEY", directory.text("k.key")), ("PASSWORD", PASSWORD.to_owned())];
    let variables_of_line: Vec<_> =
        variables.into_iter().filter(|(name, _)| line.contains(&format!("-env {name}"))).collect();
    let stopped_program = StoppedProgram::stop_at_exit(&directory, line, &variables_of_line);
    let mut memory = stopped_program.dump_memory()?;
    let trace = directory.text("trace");
    assert!(trace.contains(&format!("exit_group({code})")), "{line}: {trace}");
    if let Some((key, public)) = made {
        pieces = secrets_of_pair(&directory, key, public);
    }
    let mut control = SecretPieces::default();
    control.add("planted", PLANTED.as_bytes());
    assert!(!control.found_in(&memory).is_empty(), "{line}: the search does not find a text that is in the memory");
    if !variables_of_line.is_empty() {
        let environment = stopped_program.dump_environment();
        for (_, bytes) in &mut memory {
            if let Some(offset) = bytes.windows(environment.len()).position(|window| window == environment) {
                bytes[offset..offset + environment.len()].fill(0);
            }
        }
    }
    let leaks = pieces.found_in(&memory);
    Some(if leaks.is_empty() { String::new() } else { format!("{line}: {leaks:?}\n") })
}

#[test]
fn no_secret_remains_in_memory() {
    if !can_trace() {
        return skip("secrets in memory", "there is no strace, or it may not trace");
    }
    let (leaks, unreadable_count) = (Mutex::new(String::new()), Mutex::new(0));
    in_parallel(&CASES, |_, (line, code, made)| match secrets_in_memory(line, *code, *made) {
        Some(text) => leaks.lock().unwrap().push_str(&text),
        None => *unreadable_count.lock().unwrap() += 1,
    });
    if *unreadable_count.lock().unwrap() > 0 {
        return skip("secrets in memory", "only root can read the memory of a process that is not dumpable");
    }
    let leaks = leaks.into_inner().unwrap();
    assert!(leaks.is_empty(), "{leaks}");
}

/// The scrypt states are wiped, also for files from other programs. The size of a scrypt state
/// depends on the parameters in such a file, and allocators handle small blocks differently from
/// large blocks.
#[test]
fn no_state_of_scrypt_remains_in_memory() {
    if !can_trace() || !have("openssl") {
        return skip("states of scrypt in memory", "there is no strace, or it may not trace, or there is no openssl");
    }
    let directory = TestDirectory::ready();
    directory.put("pw", format!("{PASSWORD}\n"));
    directory.sh("openssl genpkey -algorithm ed448 -out ed").code(0);
    for p in [1, 2, 8] {
        let how = format!("-scrypt -scrypt_N 16384 -scrypt_r 8 -scrypt_p {p} -passout file:pw -outform DER -out e.der");
        directory.sh(&format!("openssl pkcs8 -topk8 -in ed {how}")).code(0);
        let mut pieces = SecretPieces::default();
        add_scrypt(&mut pieces, &directory.get("e.der"), p);
        let stopped_program = StoppedProgram::stop_at_exit(&directory, "inspect e.der --password-file pw", &[]);
        let Some(memory) = stopped_program.dump_memory() else {
            return skip(
                "states of scrypt in memory",
                "only root can read the memory of a process that is not dumpable",
            );
        };
        assert!(directory.text("trace").contains("exit_group(3)"), "it is a key of Ed448");
        let leaks = pieces.found_in(&memory);
        assert!(leaks.is_empty(), "p = {p}: {leaks:?}");
    }
}

/// The search finds a key that is in use, in several forms.
#[test]
fn the_search_finds_keys_in_use() {
    if !can_trace() {
        return skip("secrets in memory", "there is no strace, or it may not trace");
    }
    for (line, forms) in [
        ("sign -k k.raw -o s a", &["encoded key", "transformed"][..]),
        ("sign -k e.key --password-file pw -o s a", &["encoded key", "transformed"]),
        ("convert k.raw --to pem -o o", &["PEM", "encoded key"]),
    ] {
        let directory = directory_with_all_forms();
        let stopped_program = StoppedProgram::stop_at_call(&directory, "fsync", line, &[]);
        let Some(memory) = stopped_program.dump_memory() else {
            return skip("secrets in memory", "only root can read the memory of a process that is not dumpable");
        };
        let leaks = secrets_of_pair(&directory, "k.key", "k.pub").found_in(&memory);
        assert!(forms.iter().all(|form| leaks.contains_key(form)), "{line}: {leaks:?}");
    }
}

/// The random bytes for a key are wiped. The bytes are known because the tracer replaces the bytes
/// from the system.
#[test]
fn the_randomness_of_a_key_is_wiped() {
    let inject = "getrandom:retval=4:poke_exit=@arg1=a1b2c3d4";
    let directory = TestDirectory::empty();
    let options = format!("-o trace -e trace=getrandom -e inject={inject}");
    if directory.traced(&options, "keygen n").is_none_or(|output| output.code != 0) {
        return skip("the randomness of a key", "there is no strace that gives other bytes");
    }
    std::fs::remove_file(directory.path("trace")).unwrap();
    let stopped_program = StoppedProgram::stop_with_faults(
        &directory,
        &["exit_group:retval=0:signal=SIGSTOP", inject],
        "keygen -f n",
        &[],
    );
    let Some(memory) = stopped_program.dump_memory() else {
        return skip("the randomness of a key", "only root can read the memory of a process that is not dumpable");
    };
    let mut pieces = SecretPieces::default();
    pieces.add("randomness", &[0xa1, 0xb2, 0xc3, 0xd4].repeat(8));
    let leaks = pieces.found_in(&memory);
    assert!(leaks.is_empty(), "{leaks:?}");
    directory.put("seed", [0xa1, 0xb2, 0xc3, 0xd4].repeat(8));
    directory.run("keygen --seed-file seed --insecure-deterministic same").code(0);
    assert!(directory.get("n.key") == directory.get("same.key"), "these were the random bytes");
}
