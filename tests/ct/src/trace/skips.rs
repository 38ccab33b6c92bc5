//! The mode `skips` of the program `trace`, which `tests/ct/skips` runs. It runs a command of a
//! static `fndsa` once for each executed instruction, and skips this instruction in this run.
//!
//! Arguments after `skips`: the command (`verify` or `sign`), a number EVERY, and the file `fndsa`.
//! The program tries every EVERYth executed instruction, and all executed instructions in the
//! functions for which [`decides`] is true. Exit code 0: all checks pass, and the program detects
//! that its control, [`fails_open`], accepts after some skips. 1: a check or a step fails. 2: wrong
//! arguments. 3: the program cannot run on this machine.
//!
//! To skip an instruction, this program replaces it with NOPs before `fndsa` starts, so `fndsa`
//! skips it each time. On a real machine, a fault usually skips an instruction only once, which has
//! less effect. This program kills a process after [`CPU_TIME_LIMIT`] of CPU time or after
//! [`TIME_LIMIT_SECONDS`] seconds.

use crate::marks::NOT_PERMITTED;
use crate::source_lines::SourceLines;
use crate::tracer::TraceError;
use fndsa::no_alloc::Level;
use nix::sys::personality::{self, Persona};
use nix::sys::ptrace::{self, Options};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::{Pid, alarm};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, read_to_string};
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The argument that makes this program call [`run_limited`].
pub const LIMITED: &str = "limited";
/// The maximum CPU time for a process, in hundredths of a second. A process without skipped
/// instructions uses 1 or 2 hundredths.
const CPU_TIME_LIMIT: u64 = 10;
/// The maximum run time for a process, in seconds. A process that waits uses no CPU time, so it
/// needs this limit too.
const TIME_LIMIT_SECONDS: u32 = 10;
const BREAKPOINT: u8 = 0xcc;
const NOP: u8 = 0x90;

/// Limits the memory and the run time of this process, requests tracing by its parent, and executes
/// `program` with these arguments. Returns only if a step fails.
pub fn run_limited(program: &str, arguments: &[&str]) -> i32 {
    let bound = |what, limit: u64| setrlimit(what, limit, limit);
    let bounds = [(Resource::RLIMIT_CORE, 0), (Resource::RLIMIT_AS, 1 << 30)];
    if bounds.into_iter().any(|(what, limit)| bound(what, limit).is_err()) || ptrace::traceme().is_err() {
        return NOT_PERMITTED;
    }
    alarm::set(TIME_LIMIT_SECONDS);
    eprintln!("{program}: {}", Command::new(program).args(arguments).exec());
    1
}

/// An instruction in a program.
#[derive(Clone, Copy)]
struct Instruction {
    /// The address in the program file.
    address: u64,
    len: usize,
}

/// A program's machine code, as `objdump` prints it.
struct MachineCode {
    /// The instructions, sorted by address.
    instructions: Vec<Instruction>,
    /// The start address and the name of every function.
    functions: BTreeMap<u64, String>,
}

impl MachineCode {
    /// Disassembles a program with `objdump`.
    fn new(program: &Path) -> Result<Self, String> {
        let out = Command::new("objdump").args(["-d", "-w", "-C", "--insn-width=16"]).arg(program).output();
        let out = out.map_err(|e| format!("objdump: {e}"))?;
        let text = String::from_utf8_lossy(&out.stdout);
        let (mut instructions, mut functions) = (vec![], BTreeMap::new());
        for line in text.lines() {
            let hex = |text: &str| u64::from_str_radix(text.trim(), 16).ok();
            if let Some((address, rest)) = line.split_once(":\t") {
                let bytes = rest.split('\t').next().unwrap_or("");
                if let Some(address) = hex(address) {
                    instructions.push(Instruction { address, len: bytes.split_whitespace().count() });
                }
            } else if let Some((address, name)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
                functions.extend(hex(address).map(|address| (address, name.to_owned())));
            }
        }
        if instructions.len() < 1000 {
            return Err(format!("objdump printed only {} instructions", instructions.len()));
        }
        Ok(Self { instructions, functions })
    }

    /// Returns the name of the function that contains an instruction.
    fn function(&self, instruction: Instruction) -> &str {
        self.functions.range(..=instruction.address).next_back().map_or("?", |(_, name)| name)
    }
}

/// The way in which a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ProcessOutcome {
    Exit(i32),
    Crash,
    /// The process reached a limit.
    Limit,
}

impl ProcessOutcome {
    /// Converts an exit status. The limits end a process with one of two signals.
    fn of(status: ExitStatus) -> Self {
        let limits = [Signal::SIGKILL, Signal::SIGALRM].map(|signal| signal as i32);
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exit(code),
            (None, Some(signal)) if limits.contains(&signal) => Self::Limit,
            (None, _) => Self::Crash,
        }
    }
}

/// The result of a process that ended.
struct ProcessResult {
    outcome: ProcessOutcome,
    /// The text on standard output and standard error.
    output: String,
    /// For `sign`: whether the new signature verifies, or `None` if the command wrote no signature.
    /// For `verify`: `None`.
    released: Option<bool>,
}

/// The program in which instructions are skipped, with its arguments.
struct SkipSubject<'a> {
    program: &'a Path,
    code: &'a MachineCode,
    watchdog: &'a ProcessWatchdog,
    arguments: Vec<String>,
}

/// The set of running processes. A thread kills each process that reaches [`CPU_TIME_LIMIT`].
#[derive(Default)]
struct ProcessWatchdog(Mutex<BTreeSet<i32>>);

impl ProcessWatchdog {
    fn running(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a child ends, without collecting its status.
    fn wait_until_end(&self, pid: Pid) -> nix::Result<()> {
        self.running().insert(pid.as_raw());
        let ended = waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT);
        // After the caller collects the status, a new process may get the process ID.
        self.running().remove(&pid.as_raw());
        ended.map(drop)
    }

    /// Runs `work`. Meanwhile, kills each process in the set that reaches [`CPU_TIME_LIMIT`].
    fn watch_during<R>(&self, work: impl FnOnce() -> R) -> R {
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(20));
                    let running = self.running();
                    for pid in running.iter().filter(|pid| ticks(**pid) >= CPU_TIME_LIMIT) {
                        let _ended = kill(Pid::from_raw(*pid), Signal::SIGKILL);
                    }
                }
            });
            let result = work();
            done.store(true, Ordering::Relaxed);
            result
        })
    }
}

/// Returns the CPU time of a process, in hundredths of a second.
fn ticks(pid: i32) -> u64 {
    let stat = read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The program name in `stat` may contain blanks. User time and system time are the 12th and the
    // 13th field after the name.
    let times = stat.rsplit(") ").next().unwrap_or("").split(' ').skip(11).take(2);
    times.filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
}

/// A child process that is stopped before its first instruction.
struct StoppedChild {
    child: Child,
    pid: Pid,
    memory: File,
    /// The address in memory minus the address in the program file.
    base: u64,
}

impl StoppedChild {
    /// Writes bytes to the memory that contains this address of the file.
    fn write(&self, bytes: &[u8], address: u64) -> Result<(), TraceError> {
        self.memory.write_all_at(bytes, self.base + address).map_err(|e| format!("memory of a child: {e}").into())
    }
}

impl SkipSubject<'_> {
    /// Starts the program in a child process, which stops before its first instruction.
    fn start(&self, directory: &Path) -> Result<StoppedChild, TraceError> {
        let this_program = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(this_program);
        command.arg(LIMITED).arg(self.program).args(&self.arguments).current_dir(directory).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|e| format!("{}: {e}", self.program.display()))?;
        let pid = Pid::from_raw(child.id().cast_signed());
        match waitpid(pid, None)? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
            WaitStatus::Exited(_, NOT_PERMITTED) => return Err(TraceError::NotPermitted),
            other => return Err(format!("{command:?} did not start: {other:?}").into()),
        }
        ptrace::setoptions(pid, Options::PTRACE_O_EXITKILL)?;
        let memory_error = |e| TraceError::Broken(format!("memory of a child: {e}"));
        let maps = read_to_string(format!("/proc/{pid}/maps")).map_err(memory_error)?;
        let mapping = maps.lines().find(|line| self.program.to_str().is_some_and(|path| line.ends_with(path)));
        let base = mapping.and_then(|line| u64::from_str_radix(line.split('-').next()?, 16).ok());
        let base = base.ok_or_else(|| format!("process {pid} runs another program"))?;
        let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/mem")).map_err(memory_error)?;
        Ok(StoppedChild { child, pid, memory, base })
    }

    /// Runs the program to its end, and skips these instructions.
    fn run(&self, directory: &Path, skipped: &[Instruction]) -> Result<ProcessResult, TraceError> {
        let started = self.start(directory)?;
        skipped.iter().try_for_each(|instruction| started.write(&[NOP; 16][..instruction.len.min(16)], instruction.address))?;
        ptrace::detach(started.pid, None)?;
        self.watchdog.wait_until_end(started.pid)?;
        let out = started.child.wait_with_output().map_err(|e| e.to_string())?;
        let output = [out.stdout, out.stderr].concat();
        Ok(ProcessResult { outcome: ProcessOutcome::of(out.status), output: String::from_utf8_lossy(&output).into_owned(), released: None })
    }

    /// Runs the program with breakpoints at all instructions, and removes a breakpoint at its first
    /// hit. Returns the executed instructions in the order of their first execution.
    fn executed_instructions(&self, directory: &Path) -> Result<Vec<Instruction>, TraceError> {
        let started = self.start(directory)?;
        let pid = started.pid;
        let all = &self.code.instructions;
        let (Some(first), Some(last)) = (all.first(), all.last()) else { return Err("the program has no instructions".to_owned().into()) };
        let mut bytes = vec![0; (last.address - first.address) as usize + 1];
        let byte_index = |instruction: &Instruction| (instruction.address - first.address) as usize;
        let read = started.memory.read_exact_at(&mut bytes, started.base + first.address);
        read.map_err(|e| format!("memory of a child: {e}"))?;
        let original = bytes.clone();
        all.iter().for_each(|instruction| bytes[byte_index(instruction)] = BREAKPOINT);
        started.write(&bytes, first.address)?;
        let (mut reached, mut signal) = (vec![], None);
        loop {
            ptrace::cont(pid, signal.take())?;
            match waitpid(pid, None)? {
                WaitStatus::Stopped(_, Signal::SIGTRAP) => {
                    let mut registers = ptrace::getregs(pid)?;
                    registers.rip -= 1;
                    let at = registers.rip.wrapping_sub(started.base);
                    let Ok(index) = all.binary_search_by_key(&at, |instruction| instruction.address) else {
                        return Err(format!("the process stopped at {at:x}, which is not the address of an instruction").into());
                    };
                    started.write(&[original[byte_index(&all[index])]], at)?;
                    ptrace::setregs(pid, registers)?;
                    reached.push(all[index]);
                }
                WaitStatus::Stopped(_, other) => signal = Some(other),
                WaitStatus::Exited(..) => return Ok(reached),
                other => return Err(format!("the process stopped for another reason: {other:?}").into()),
            }
        }
    }
}

/// Calls `work` for all items on all cores, in every thread with a separate copy of the directory.
/// Returns the results in the order of the items.
fn on_all_cores<T: Sync, R: Send>(
    directory: &Path,
    items: &[T],
    work: impl Fn(&Path, &T) -> Result<R, TraceError> + Sync,
) -> Result<Vec<R>, TraceError> {
    let (next_index, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    // A thread mostly waits for a child, so there are more threads than cores.
    let threads = 16 * std::thread::available_parallelism().map_or(1, usize::from);
    let run_thread = |thread: usize| -> Result<(), TraceError> {
        let thread_directory = directory.join(format!("thread-{thread}"));
        copy(directory, &thread_directory).map_err(|e| format!("{}: {e}", thread_directory.display()))?;
        loop {
            let i = next_index.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else { return Ok(()) };
            if i > 0 && i % 5000 == 0 {
                eprintln!("{i} of {}", items.len());
            }
            let result = work(&thread_directory, item)?;
            results.lock().map_err(|_| "another thread panicked".to_owned())?.insert(i, result);
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(move || run_thread(thread))).collect();
        let ended = threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread panicked".to_owned())?);
        ended.collect::<Result<(), TraceError>>()
    })?;
    Ok(results.into_inner().map_err(|_| "a thread panicked".to_owned())?.into_values().collect())
}

/// Copies a directory's files, without subdirectories, to a new directory.
fn copy(source: &Path, target: &Path) -> std::io::Result<()> {
    let _left = std::fs::remove_dir_all(target);
    std::fs::create_dir(target)?;
    for entry in std::fs::read_dir(source)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            std::fs::copy(&path, target.join(name))?;
        }
    }
    Ok(())
}

/// A directory that is removed on drop.
struct ScratchDirectory(PathBuf);

impl Drop for ScratchDirectory {
    fn drop(&mut self) {
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

const PRIVATE: &str = "skips.key";
const PUBLIC: &str = "skips.pub";
const GOOD: &str = "good";
const BAD: &str = "bad";
const GOOD_SIGNATURE: &str = "good.sig";
const BAD_SIGNATURE: &str = "bad.sig";
/// The signature file that `sign` writes.
const NEW_SIGNATURE: &str = "made.sig";

impl ScratchDirectory {
    /// Creates a directory with a key pair, a message with its signature, and an unsigned message
    /// with the same signature.
    fn new(program: &Path) -> Result<Self, TraceError> {
        let directory = Self(std::env::temp_dir().join(format!("fndsa-skips-{}", std::process::id())));
        let put = |name: &str, text: &str| std::fs::write(directory.0.join(name), text).map_err(|e| e.to_string());
        std::fs::create_dir(&directory.0).map_err(|e| format!("{}: {e}", directory.0.display()))?;
        put(GOOD, "what was signed\n")?;
        put(BAD, "what was not signed\n")?;
        for arguments in [&["keygen", "-q", "skips"][..], &["sign", "-q", "-k", PRIVATE, GOOD]] {
            let status = Command::new(program).args(arguments).current_dir(&directory.0).stdin(Stdio::null()).status();
            if !status.is_ok_and(|status| status.success()) {
                return Err(format!("{} {arguments:?} failed", program.display()).into());
            }
        }
        let signature = std::fs::read_to_string(directory.0.join(GOOD_SIGNATURE)).map_err(|e| e.to_string())?;
        put(BAD_SIGNATURE, &signature)?;
        Ok(directory)
    }
}

/// Returns whether a function belongs to code that verifies, reports or controls the process.
fn decides(function: &str) -> bool {
    let parts =
        ["fndsa::main", "cmd::main", "tool::report", "cmd::verify", "verify::lines", "verify::verifier", "verdict::decision", "falcon::verify"];
    let more_parts = ["verify_at_level", "modq::difference", "libc_start_main", "lang_start", "std::process", "rt::cleanup", "Signer", "vectors"];
    // These modules escape file names and draw progress bars. They do not affect the verdict.
    let excluded = ["report::escape", "report::keytext", "report::progress"];
    let is_listed = parts.iter().chain(&more_parts).any(|part| function.contains(part));
    is_listed && !excluded.iter().any(|part| function.contains(part)) || ["main", "exit", "_Exit"].contains(&function)
}

/// The results from several runs. Each run skipped a different instruction.
struct SkipResults<'a> {
    code: &'a MachineCode,
    /// The instruction that each run skipped.
    instructions: Vec<Instruction>,
    /// The number of executed instructions, from which `instructions` were chosen.
    executed: usize,
    /// The result of each run.
    results: Vec<ProcessResult>,
}

impl<'a> SkipResults<'a> {
    /// Runs the subject once for each chosen instruction, and skips it and the instructions in
    /// `base`. Chooses every `interval`th executed instruction, and all executed instructions in
    /// functions for which [`decides`] is true. `judge` sets `released` in the results of `sign`.
    fn new(
        subject: &SkipSubject<'a>,
        directory: &Path,
        interval: usize,
        base: &[Instruction],
        judge: impl Fn(&Path, ProcessResult) -> Result<ProcessResult, TraceError> + Sync,
    ) -> Result<Self, TraceError> {
        let reached = subject.executed_instructions(directory)?;
        let executed = reached.len();
        let chosen = |(i, instruction): &(usize, Instruction)| i % interval == 0 || decides(subject.code.function(*instruction));
        let instructions: Vec<_> = reached.into_iter().enumerate().filter(chosen).map(|(_, instruction)| instruction).collect();
        let results = on_all_cores(directory, &instructions, |thread_directory, instruction| {
            let skipped: Vec<_> = base.iter().copied().chain([*instruction]).collect();
            judge(thread_directory, subject.run(thread_directory, &skipped)?)
        })?;
        Ok(Self { code: subject.code, instructions, executed, results })
    }

    /// Prints the skipped instructions for which the result satisfies `condition`, with their
    /// source lines. Returns the number of these instructions.
    fn print_matching(&self, source_lines: &mut SourceLines, what: &str, condition: impl Fn(&ProcessResult) -> bool) -> Result<usize, String> {
        let found: Vec<_> = self.instructions.iter().zip(&self.results).filter(|(_, result)| condition(result)).collect();
        source_lines.load(found.iter().map(|(instruction, _)| instruction.address))?;
        for (instruction, result) in &found {
            let first = result.output.lines().next().unwrap_or("no output");
            println!("{what}: {:x} in {}: {first}", instruction.address, self.code.function(**instruction));
            source_lines.lines_for(instruction.address).iter().for_each(|line| println!("    {line}"));
        }
        Ok(found.len())
    }

    /// Describes how many runs had each outcome.
    fn summary(&self) -> String {
        let mut counts: BTreeMap<ProcessOutcome, usize> = BTreeMap::new();
        self.results.iter().for_each(|result| *counts.entry(result.outcome).or_default() += 1);
        let counts: Vec<_> = counts.iter().map(|(outcome, count)| format!("{outcome}: {count}")).collect();
        format!("{} of {} instructions skipped; {}", self.results.len(), self.executed, counts.join(", "))
    }
}

impl std::fmt::Display for ProcessOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "exit {code}"),
            Self::Crash => f.write_str("crash"),
            Self::Limit => f.write_str("limit"),
        }
    }
}

/// The argument that makes this program run [`fails_open`], the control of the test.
pub const RUN_CONTROL: &str = "open";
/// The functions that lead from the start of the process to `main` of `fndsa`. If a run skips such
/// a call, no code of `fndsa` runs, and the exit code can be 0.
const CALLERS_OF_MAIN: [&str; 3] = ["libc_start_main_stage2", "main", "std::rt::lang_start_internal"];

/// Returns 1, which means NO. The code is written so that some skipped instructions change the
/// result to 0, which means YES.
#[inline(never)]
pub fn fails_open() -> i32 {
    let mut code = 0;
    if std::hint::black_box(1) != std::hint::black_box(2) {
        println!("FAILED");
        code = std::hint::black_box(1);
    }
    code
}

/// Returns whether skips make [`fails_open`] exit with 0, at least once after it printed FAILED.
fn control(directory: &Path, watchdog: &ProcessWatchdog) -> Result<bool, TraceError> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let code = MachineCode::new(&program)?;
    let subject = SkipSubject { program: &program, code: &code, watchdog, arguments: vec![RUN_CONTROL.to_owned()] };
    let reached = subject.executed_instructions(directory)?;
    let control_code: Vec<_> = reached.into_iter().filter(|instruction| code.function(*instruction).contains("fails_open")).collect();
    let ran = on_all_cores(directory, &control_code, |thread_directory, instruction| subject.run(thread_directory, &[*instruction]))?;
    let exit_0_count = ran.iter().filter(|ran| ran.outcome == ProcessOutcome::Exit(0)).count();
    let after_failed_count = ran.iter().filter(|ran| ran.outcome == ProcessOutcome::Exit(0) && ran.output.contains("FAILED")).count();
    println!("control: {exit_0_count} of {} skipped instructions lead to exit code 0, {after_failed_count} of them after FAILED", control_code.len());
    if exit_0_count == 0 || after_failed_count == 0 {
        println!("FAILED: the test did not detect that the control can exit with 0");
    }
    Ok(exit_0_count > 0 && after_failed_count > 0)
}

/// Checks that no skip makes `verify` exit with 0 for an unsigned message. Ignores skips in
/// [`CALLERS_OF_MAIN`] without output. Prints runs that only report OK, but does not fail.
fn verify(program: &Path, interval: usize, watchdog: &ProcessWatchdog) -> Result<bool, TraceError> {
    let directory = &ScratchDirectory::new(program)?.0;
    let code = MachineCode::new(program)?;
    let arguments = ["verify", "-p", PUBLIC, BAD].map(str::to_owned).to_vec();
    let subject = SkipSubject { program, code: &code, watchdog, arguments };
    let without_skips = subject.run(directory, &[])?;
    if without_skips.outcome != ProcessOutcome::Exit(1) || !without_skips.output.contains("FAILED") {
        return Err(format!("`verify` does not reject the message: {}, {}", without_skips.outcome, without_skips.output).into());
    }
    let skip_results = SkipResults::new(&subject, directory, interval, &[], |_, ran| Ok(ran))?;
    let mut source_lines = SourceLines::new(program.to_owned());
    let is_exit_0 = |ran: &ProcessResult| ran.outcome == ProcessOutcome::Exit(0);
    let exit_0_count = skip_results.print_matching(&mut source_lines, "exit 0", is_exit_0)?;
    let before_main =
        |instruction: &Instruction, ran: &ProcessResult| ran.output.is_empty() && CALLERS_OF_MAIN.contains(&code.function(*instruction));
    let pairs = skip_results.instructions.iter().zip(&skip_results.results);
    let in_program_count = pairs.filter(|(instruction, ran)| is_exit_0(ran) && !before_main(instruction, ran)).count();
    let after_failed_count = skip_results.results.iter().filter(|ran| is_exit_0(ran) && ran.output.contains("FAILED")).count();
    let ok_count = skip_results.print_matching(&mut source_lines, "OK", |ran| !is_exit_0(ran) && ran.output.contains(": OK"))?;
    println!("verify: {}", skip_results.summary());
    println!(
        "verify: exit code 0: {exit_0_count}, {in_program_count} of them after the start of `main` (must be 0), \
         {after_failed_count} of them after FAILED (must be 0); OK without exit code 0: {ok_count}"
    );
    Ok(in_program_count == 0 && after_failed_count == 0)
}

/// Checks that `sign` does not release an invalid signature. In each run, two instructions are
/// skipped: the first skip causes a wrong intermediate value, and the second skip may disable the
/// check of this value.
fn sign(program: &Path, interval: usize, watchdog: &ProcessWatchdog) -> Result<bool, TraceError> {
    let directory = &ScratchDirectory::new(program)?.0;
    let code = MachineCode::new(program)?;
    let arguments = ["sign", "-k", PRIVATE, "-o", NEW_SIGNATURE, GOOD].map(str::to_owned).to_vec();
    let subject = SkipSubject { program, code: &code, watchdog, arguments };
    // Returns `None` if there is no signature file, and otherwise whether the signature verifies.
    // Removes the file.
    let released = |directory: &Path| -> Result<Option<bool>, TraceError> {
        let file = directory.join(NEW_SIGNATURE);
        if !file.exists() {
            return Ok(None);
        }
        let check = Command::new(program)
            .args(["verify", "-qq", "-p", PUBLIC, "-s", NEW_SIGNATURE, GOOD])
            .current_dir(directory)
            .stdin(Stdio::null())
            .status();
        let _gone = std::fs::remove_file(file);
        Ok(Some(check.is_ok_and(|status| status.success())))
    };
    std::fs::copy(directory.join(BAD), directory.join(NEW_SIGNATURE)).map_err(|e| e.to_string())?;
    if released(directory)? != Some(false) {
        println!("FAILED: the test accepts a file that is not a signature");
        return Ok(false);
    }
    let reached = subject.executed_instructions(directory)?;
    if released(directory)? != Some(true) {
        return Err("a run without skipped instructions makes no signature".to_owned().into());
    }
    let mut is_good = true;
    let mut source_lines = SourceLines::new(program.to_owned());
    // For this CPU's level, the function that encodes coefficients can be part of `Frame::enter`.
    let level = Level::detect().name();
    let frame = format!("{}{} as fndsa::simd::frame::Frame>::enter", level[..1].to_uppercase(), &level[1..]);
    for parts in [&["codec::compress", &frame][..], &["sign::point_into"]] {
        // Finds the last instruction in these functions for which `sign` withholds the signature
        // in three of three runs if the instruction is skipped.
        let mut base = None;
        let is_in_part = |instruction: &&Instruction| parts.iter().any(|part| code.function(**instruction).contains(part));
        for instruction in reached.iter().rev().filter(is_in_part) {
            let withholds = || -> Result<bool, TraceError> {
                let ran = subject.run(directory, &[*instruction])?;
                let nothing = released(directory)?.is_none();
                Ok(nothing && ran.outcome == ProcessOutcome::Exit(6) && ran.output.contains("does not verify and is withheld"))
            };
            if withholds()? && withholds()? && withholds()? {
                base = Some(*instruction);
                break;
            }
        }
        let Some(base) = base else { return Err(format!("no skipped instruction of {parts:?} makes `sign` withhold the signature").into()) };
        let skip_results =
            SkipResults::new(&subject, directory, interval, &[base], |thread_directory, ran| Ok(ProcessResult { released: released(thread_directory)?, ..ran }))?;
        let invalid_count = skip_results.print_matching(&mut source_lines, "released", |ran| ran.released == Some(false))?;
        let valid_count = skip_results.results.iter().filter(|ran| ran.released == Some(true)).count();
        println!("sign without {:x} in {}: {}", base.address, code.function(base), skip_results.summary());
        println!("sign: released signatures that do not verify: {invalid_count} (must be 0); released signatures that verify: {valid_count}");
        is_good &= invalid_count == 0;
    }
    Ok(is_good)
}

/// Runs the checks and returns the exit code.
pub fn main(arguments: &[&str]) -> i32 {
    let [work @ ("verify" | "sign"), interval, file] = arguments[..] else {
        eprintln!("usage: trace skips verify|sign EVERY FILE");
        return 2;
    };
    let Ok(interval @ 1..) = interval.parse() else {
        eprintln!("EVERY must be a number from 1: the program skips every EVERYth instruction");
        return 2;
    };
    if let Err(e) = personality::set(Persona::ADDR_NO_RANDOMIZE) {
        println!("skip: skipped instructions, this system does not switch off address randomization: {e}");
        return 3;
    }
    let watchdog = &ProcessWatchdog::default();
    let check = |program: PathBuf| {
        let detects_control = control(&ScratchDirectory::new(&program)?.0, watchdog)?;
        Ok(detects_control && if work == "verify" { verify(&program, interval, watchdog)? } else { sign(&program, interval, watchdog)? })
    };
    let program = std::fs::canonicalize(file).map_err(|e| TraceError::Broken(format!("`{file}`: {e}")));
    let checked = watchdog.watch_during(|| program.and_then(check));
    match checked {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(TraceError::NotPermitted) => {
            println!("skip: skipped instructions, this system does not permit ptrace");
            3
        }
        Err(TraceError::Broken(what)) => {
            eprintln!("{what}");
            1
        }
    }
}
