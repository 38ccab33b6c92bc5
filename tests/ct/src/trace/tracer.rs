//! A tracer that follows a process from branch to branch, with a breakpoint at each branch.
//! `compared.rs` calls it for operations of the library and for commands of `fndsa`.

use crate::branches::Branch;
use crate::marks::{MARK, NOT_PERMITTED};
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use std::fs::{File, OpenOptions, read_to_string};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The instruction that stops a process for its tracer.
const BREAKPOINT: u8 = 0xcc;

/// A branch that a process reached, and the target where the process continued, as addresses in the
/// program file. In emulated processes, a step can also be an instruction and the address of the
/// data that it accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceStep {
    pub from: u64,
    pub to: u64,
}

/// The reason for a missing trace.
pub enum TraceError {
    /// The system does not permit a process to trace another process.
    NotPermitted,
    /// Any error except a missing permission.
    Broken(String),
}

impl From<String> for TraceError {
    fn from(what: String) -> Self {
        Self::Broken(what)
    }
}

impl From<nix::Error> for TraceError {
    fn from(e: nix::Error) -> Self {
        Self::Broken(format!("ptrace: {e}"))
    }
}

/// A tracer for program runs.
pub struct Tracer {
    program: PathBuf,
    branches: Vec<(u64, Branch)>,
}

/// A child process that is killed on drop.
struct OwnedChild(Child);

impl Drop for OwnedChild {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}

impl Tracer {
    pub fn new(program: PathBuf) -> Result<Self, String> {
        let branches = crate::branches::read_branches(&program)?;
        Ok(Self { program, branches })
    }

    /// Runs the program with these arguments, and returns its branches between the first and the
    /// second signal [`MARK`].
    pub fn trace_between_marks(&self, arguments: &[&str]) -> Result<Vec<TraceStep>, TraceError> {
        self.trace(Command::new(&self.program).args(arguments), MARK, |it| matches!(it, WaitStatus::Stopped(_, MARK)))
    }

    /// Runs the program with these arguments, and returns all its branches. The program must end
    /// with exit code 0.
    pub fn trace_complete_run(&self, arguments: &[&str]) -> Result<Vec<TraceStep>, TraceError> {
        let this_program = std::env::current_exe().map_err(|e| e.to_string())?;
        // The child requests tracing, so the system stops it before the first instruction of the
        // program.
        let command = &mut Command::new(this_program);
        command.arg(START).arg(&self.program).args(arguments);
        self.trace(command, Signal::SIGTRAP, |it| matches!(it, WaitStatus::Exited(_, 0)))
    }

    /// Starts `command`, which must stop with `start_signal`. Then traces the process until
    /// `is_end` is true for its wait status, and returns the branches.
    fn trace(&self, command: &mut Command, start_signal: Signal, is_end: fn(&WaitStatus) -> bool) -> Result<Vec<TraceStep>, TraceError> {
        let child = command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        let child = OwnedChild(child.map_err(|e| format!("{}: {e}", self.program.display()))?);
        let pid = Pid::from_raw(child.0.id().cast_signed());
        match waitpid(pid, None)? {
            WaitStatus::Stopped(_, signal) if signal == start_signal => {}
            WaitStatus::Exited(_, NOT_PERMITTED) => return Err(TraceError::NotPermitted),
            other => return Err(format!("{command:?} did not start: {other:?}").into()),
        }
        ptrace::setoptions(pid, Options::PTRACE_O_EXITKILL)?;
        let run = TracedProcess::prepare(pid, &self.program, &self.branches).map_err(|e| format!("memory of a child: {e}"))?;
        run.follow(is_end)
    }
}

/// The argument that makes this program request tracing by its parent and execute a different
/// program.
pub const START: &str = "start";

/// Requests tracing by the parent and executes `program` with these arguments. Returns only if a
/// step fails.
pub fn start(program: &str, arguments: &[&str]) -> i32 {
    if ptrace::traceme().is_err() {
        return NOT_PERMITTED;
    }
    eprintln!("{program}: {}", Command::new(program).args(arguments).exec());
    1
}

/// A stopped process with a breakpoint at each branch.
struct TracedProcess<'b> {
    pid: Pid,
    memory: File,
    /// The address in memory minus the address in the program file.
    base: u64,
    branches: &'b [(u64, Branch)],
    /// The original first byte of every branch instruction.
    bytes: Vec<u8>,
}

impl<'b> TracedProcess<'b> {
    /// Replaces the first byte of each branch instruction with a breakpoint.
    fn prepare(pid: Pid, program: &Path, branches: &'b [(u64, Branch)]) -> std::io::Result<Self> {
        let maps = read_to_string(format!("/proc/{pid}/maps"))?;
        let mapping = maps.lines().find(|line| program.to_str().is_some_and(|path| line.ends_with(path)));
        let base = mapping.and_then(|line| u64::from_str_radix(line.split('-').next()?, 16).ok());
        let base = base.ok_or(std::io::ErrorKind::InvalidData)?;
        let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/mem"))?;
        let first_and_last = (branches.first(), branches.last());
        let (Some((first, _)), Some((last, _))) = first_and_last else { return Err(std::io::ErrorKind::InvalidData.into()) };
        let mut code = vec![0; (last - first) as usize + 1];
        memory.read_exact_at(&mut code, base + first)?;
        let byte = |at: &u64| (at - first) as usize;
        let bytes = branches.iter().map(|(at, _)| std::mem::replace(&mut code[byte(at)], BREAKPOINT)).collect();
        memory.write_all_at(&code, base + first)?;
        Ok(Self { pid, memory, base, branches, bytes })
    }

    /// Runs the process until `is_end` is true for its status, and returns its branches.
    fn follow(&self, is_end: fn(&WaitStatus) -> bool) -> Result<Vec<TraceStep>, TraceError> {
        let mut steps = vec![];
        loop {
            ptrace::cont(self.pid, None)?;
            match waitpid(self.pid, None)? {
                WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
                status if is_end(&status) => return Ok(steps),
                other => return Err(format!("the process stopped for another reason: {other:?}").into()),
            }
            let mut registers = ptrace::getregs(self.pid)?;
            let from = registers.rip.wrapping_sub(self.base + 1);
            let Ok(index) = self.branches.binary_search_by_key(&from, |(at, _)| *at) else {
                return Err(format!("the process stopped at {from:x}, which is not the address of a branch").into());
            };
            match self.branches[index].1 {
                Branch::Conditional { condition, target, next } => {
                    let to = if condition.is_true(registers.eflags) { target } else { next };
                    registers.rip = self.base + to;
                    ptrace::setregs(self.pid, registers)?;
                    steps.push(TraceStep { from, to });
                }
                Branch::Computed => {
                    let address = self.base + from;
                    registers.rip = address;
                    ptrace::setregs(self.pid, registers)?;
                    let put = |byte| self.memory.write_all_at(&[byte], address).map_err(|_| nix::Error::EIO);
                    put(self.bytes[index])?;
                    ptrace::step(self.pid, None)?;
                    let status = waitpid(self.pid, None)?;
                    if !matches!(status, WaitStatus::Stopped(_, Signal::SIGTRAP)) {
                        return Err(format!("the process stopped for another reason: {status:?}").into());
                    }
                    put(BREAKPOINT)?;
                    let to = ptrace::getregs(self.pid)?.rip.wrapping_sub(self.base);
                    steps.push(TraceStep { from, to });
                }
            }
        }
    }
}
