//! Starts programs in temporary directories, and checks their output. The other files of this
//! folder use these types and functions.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The program under test.
pub const FNDSA: &str = env!("CARGO_BIN_EXE_fndsa");

/// The commands, in the order of `--help`.
pub const COMMANDS: [&str; 14] = [
    "keygen",
    "sign",
    "verify",
    "inspect",
    "pubkey",
    "request",
    "convert",
    "passwd",
    "bench",
    "selftest",
    "testvectors",
    "completions",
    "man",
    "quickstart",
];
/// The time limit for a program. A program normally finishes in a tenth of this time. If a program
/// reaches the limit, [`finish`] kills it, and the test fails.
pub const DEADLINE: Duration = Duration::from_secs(120);

/// The result of a finished program. The methods such as [`Self::code`] panic if the result is not
/// the expected result.
#[derive(Debug)]
pub struct ProgramOutput {
    /// The exit code, or 128 plus the signal number if a signal killed the program.
    pub code: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard output as text.
    pub out: String,
    /// Standard error as text.
    pub err: String,
}

impl ProgramOutput {
    fn of(output: Output) -> Self {
        let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        Self { code, stdout: output.stdout, out, err }
    }

    /// Expects an exit code.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    /// Expects words on standard output.
    #[track_caller]
    pub fn out_has(self, words: &str) -> Self {
        assert!(self.out.contains(words), "{words:?} is not in stdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    /// Expects words on standard error.
    #[track_caller]
    pub fn err_has(self, words: &str) -> Self {
        assert!(self.err.contains(words), "{words:?} is not in stderr: {}\nstdout: {}", self.err, self.out);
        self
    }

    /// Expects an empty standard error.
    #[track_caller]
    pub fn err_empty(self) -> Self {
        assert_eq!(self.err, "");
        self
    }

    /// Expects an empty standard output.
    #[track_caller]
    pub fn out_empty(self) -> Self {
        assert_eq!(self.out, "");
        self
    }

    /// Returns the JSON document on standard output, after a check against the rules in
    /// `docs/json.md`.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        let document = serde_json::from_slice(&self.stdout);
        let document = document.unwrap_or_else(|e| panic!("{e}: {}\n{}", self.out, self.err));
        crate::schema::check(&document, self.code);
        document
    }
}

/// A program that is ready to run.
pub struct ProgramCall {
    command: Command,
    input: Vec<u8>,
}

impl ProgramCall {
    /// Creates a call to any program in a directory. Removes the variables that `fndsa` and the
    /// loader read, and sets `TERM` and `LC_ALL`. Standard input is the null device.
    pub fn new(program: impl AsRef<OsStr>, directory: &Path) -> Self {
        let mut command = Command::new(program);
        command.current_dir(directory).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for name in [
            "LD_LIBRARY_PATH",
            "FNDSA_KEY",
            "FNDSA_PUBLIC_KEY",
            "FNDSA_PASSWORD",
            "FNDSA_PASSWORD_FILE",
            "FNDSA_BACKEND",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
        ] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm").env("LC_ALL", "C");
        Self { command, input: Vec::new() }
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Adds the words in a line as arguments.
    pub fn args(mut self, line: &str) -> Self {
        self.command.args(line.split_whitespace());
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sets the bytes for standard input.
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self.command.stdin(Stdio::piped());
        self
    }

    /// Connects standard input to a pipe that stays open.
    pub fn open_input(mut self) -> Self {
        self.command.stdin(Stdio::piped());
        self
    }

    /// Redirects standard output to a file.
    pub fn to(mut self, file: fs::File) -> Self {
        self.command.stdout(file);
        self
    }

    /// Starts the program, and does not wait for its end.
    pub fn spawn(mut self) -> Child {
        self.command.spawn().unwrap()
    }

    /// Runs the program to the end.
    pub fn run(mut self) -> ProgramOutput {
        let mut child = self.command.spawn().unwrap_or_else(|e| panic!("{:?}: {e}", self.command));
        if let Some(mut stdin) = child.stdin.take() {
            let input = std::mem::take(&mut self.input);
            // An error is ignored here, because a program can stop reading early.
            std::thread::spawn(move || drop(stdin.write_all(&input)));
        }
        finish(child)
    }
}

/// Waits until a program ends. If the program reaches [`DEADLINE`], kills it and panics.
pub fn finish(child: Child) -> ProgramOutput {
    let (id, (send, receive)) = (child.id(), mpsc::channel());
    std::thread::spawn(move || send.send(child.wait_with_output()));
    match receive.recv_timeout(DEADLINE) {
        Ok(output) => ProgramOutput::of(output.unwrap()),
        Err(_) => {
            signal(id, "KILL");
            panic!("the program hangs");
        }
    }
}

/// Sends the signal `name` (for example `TERM`) to a process.
pub fn signal(id: u32, name: &str) {
    Command::new("kill").arg(format!("-{name}")).arg(id.to_string()).status().unwrap();
}

/// Waits until a condition is true. Panics after [`DEADLINE`]. `what` describes the condition in
/// the panic's message.
#[track_caller]
pub fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < DEADLINE, "this did not happen before the time limit: {what}");
        std::thread::yield_now();
    }
}

/// Returns whether the tests run in their long form (`FNDSA_LONG=1`).
pub fn long() -> bool {
    std::env::var_os("FNDSA_LONG").is_some_and(|value| value == "1")
}

/// The SplitMix64 generator. A fixed seed makes all runs the same.
pub struct SplitMixRng(pub u64);

impl SplitMixRng {
    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

/// Reads a file in `tests/kat`.
pub fn vectors(name: &str) -> Vec<u8> {
    crate::packed::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kat").join(name))
}

/// Prints that a test cannot run on this machine.
pub fn skip(what: &str, why: &str) {
    println!("skip: {what}, {why}");
}

/// Returns whether a program is installed.
pub fn have(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// Returns whether `strace` works on this machine.
pub fn can_trace() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    let tried =
        || ProgramCall::new("strace", Path::new("/")).args("-f --seccomp-bpf -qq -o /dev/null true").run().code == 0;
    *CAN.get_or_init(|| have("strace") && tried())
}

/// A temporary directory for a test.
pub struct TestDirectory {
    directory: TempDir,
}

impl TestDirectory {
    /// Creates an empty directory.
    pub fn empty() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    /// Creates a directory with the FN-DSA key pairs k (degree 512) and k2 (degree 1024), the files
    /// a and b, and the signature a.sig by k.
    pub fn ready() -> Self {
        static FILES: OnceLock<NamedFiles> = OnceLock::new();
        Self::filled(FILES.get_or_init(|| make_files(["", "-a 1024"])))
    }

    /// Removes a file if it exists.
    pub fn remove(&self, name: impl AsRef<Path>) {
        let _ = fs::remove_file(self.path(name));
    }

    /// Creates the files of [`Self::ready`] with toy keys, which need less time: k has degree 16,
    /// and k2 has degree 32.
    pub fn toy() -> Self {
        static FILES: OnceLock<NamedFiles> = OnceLock::new();
        Self::filled(FILES.get_or_init(|| make_files(["-a fn-dsa-16", "-a fn-dsa-32"])))
    }

    /// Creates a directory with these files. Private keys get the mode 600.
    fn filled(files: &NamedFiles) -> Self {
        let directory = Self::empty();
        for (name, bytes) in files {
            directory.put(name, bytes);
        }
        for key in ["k.key", "k2.key"] {
            fs::set_permissions(directory.path(key), fs::Permissions::from_mode(0o600)).unwrap();
        }
        directory
    }

    pub fn root(&self) -> &Path {
        self.directory.path()
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file.
    pub fn put(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Returns the bytes of a file.
    #[track_caller]
    pub fn get(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// Returns a file as text.
    #[track_caller]
    pub fn text(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8(self.get(name)).unwrap()
    }

    /// Returns whether a file exists.
    pub fn has(&self, name: impl AsRef<Path>) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    /// Returns a file's permission bits.
    pub fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o777
    }

    /// Returns the sorted file names in the directory.
    pub fn names(&self) -> Vec<OsString> {
        let mut names: Vec<_> = fs::read_dir(self.root()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    }

    /// Prepares a call to `fndsa` with the words in a line.
    pub fn call(&self, line: &str) -> ProgramCall {
        ProgramCall::new(FNDSA, self.root()).args(line)
    }

    /// Runs `fndsa` with the words in a line.
    pub fn run(&self, line: &str) -> ProgramOutput {
        self.call(line).run()
    }

    /// Runs `fndsa` under `strace`. `options` are the options of `strace`, including `-o` for the
    /// trace. Returns `None` if `strace` does not work here.
    pub fn traced(&self, options: &str, line: &str) -> Option<ProgramOutput> {
        let call = || ProgramCall::new("strace", self.root()).args("-f -qq").args(options).arg(FNDSA).args(line);
        can_trace().then(|| call().run())
    }

    /// Runs a shell line. The variable `$FNDSA` contains the path of the program.
    pub fn sh(&self, line: &str) -> ProgramOutput {
        ProgramCall::new("sh", self.root()).env("FNDSA", FNDSA).arg("-c").arg(line).run()
    }
}

/// File names and contents.
type NamedFiles = Vec<(String, Vec<u8>)>;

/// Makes the key pairs k and k2, the files a and b, and the signature a.sig. `k` and `k2` are the
/// options of `keygen` for the two keys.
fn make_files([k, k2]: [&str; 2]) -> NamedFiles {
    let directory = TestDirectory::empty();
    directory.run(&format!("--allow-weak keygen {k} k")).code(0);
    directory.run(&format!("--allow-weak keygen {k2} k2")).code(0);
    directory.put("a", "hello\n");
    directory.put("b", "b\n");
    directory.run("--allow-weak sign -k k.key a").code(0);
    let read = |name: OsString| (name.to_str().unwrap().to_owned(), directory.get(&name));
    directory.names().into_iter().map(read).collect()
}

/// Runs `work` for all items on four threads.
pub fn in_parallel<T: Sync>(items: &[T], work: impl Fn(usize, &T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((i, item)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, items.get(i)?)))
                {
                    work(i, item);
                }
            });
        }
    });
}

/// Returns the base64 text of the first block in a PEM file, in one line and without the BEGIN and
/// END lines.
pub fn body(pem: &str) -> String {
    pem.lines().skip_while(|l| !l.starts_with("-----BEGIN")).skip(1).take_while(|l| !l.starts_with("-----")).collect()
}
