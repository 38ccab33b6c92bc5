//! The program that `tests/ct/trace` runs. It runs an operation with several secrets, records the
//! directions of all branches in each run (the trace), and compares the traces. `tests/ct/skips`
//! also runs this program, with the first argument `skips` (see `skips.rs`).
//!
//! `tests/ct/trace` uses three forms of arguments:
//!
//! - A level (an instruction set), a degree, a number of secrets, and optionally a text. With a
//!   text, the program traces only operations with this text in the name.
//! - `program`, a degree, a number of secrets, the `fndsa` program file, and optionally a text.
//!   With this form, each operation is a complete `fndsa` command. With a text, the program traces
//!   only commands that contain this text.
//! - `emulated PROGRAM PLUGIN EMULATOR`, and then the arguments of the form that begins with a
//!   level. PROGRAM is this program, built for a CPU that the command EMULATOR emulates. PLUGIN is
//!   a plugin of the emulator, which records the trace. With this form, the traces also contain
//!   data addresses.
//!
//! A control is an operation that depends on a secret, so its traces must differ. For the other
//! operations, all traces must be equal, except for branches on declassified values (values that
//! the library makes public on purpose). The exit codes are:
//!
//! - 0: both conditions are met;
//! - 1: a condition is not met, or an error occurs;
//! - 2: the arguments are wrong;
//! - 3: the test cannot run on this machine.
//!
//! Each trace comes from a new process. The process runs either this program with the argument
//! `one`, or `fndsa`. The process has no address randomization. Its environment is empty (an
//! emulator gets PATH), and its arguments have a fixed length. So code, stack and heap have the
//! same addresses in each process. On systems other than Linux on x86-64, this program supports
//! only `one`.

/// Compiles the items in `linux_x86_64_only! { .. }` only for Linux on x86-64, where this program
/// compares traces.
macro_rules! linux_x86_64_only {
    ($($item:item)*) => { $( #[cfg(all(target_os = "linux", target_arch = "x86_64"))] $item )* };
}

linux_x86_64_only! {
    mod branches;
    mod commands;
    mod compared;
    mod emulated;
    mod skips;
    mod source_lines;
    mod tracer;
}
mod marks;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
#[path = "../../../machines/src/measured.rs"]
mod measured;
mod operations;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(|it| &**it).collect();
    if let ["one", level, degree, name, secret] = arguments[..] {
        operations::run_traced(level, degree, name, secret);
        std::process::exit(2);
    }
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    std::process::exit(compared::main(&arguments));
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    {
        println!("skip: traces, this is not Linux on x86-64");
        std::process::exit(3);
    }
}
