//! The program of `tests/ct/trace`: what an operation does at each branch, once for each of several secrets.
//!
//! Arguments: a level, a degree, a number of secrets, perhaps a part of the names of operations. Or `program`, a
//! degree, a number of secrets, an `fndsa`, perhaps a part of the commands: then the operations are commands, from their start to their end. Or `emulated`, this
//! program built for another CPU, its emulator with a plugin, and the first: then addresses of data are traced, too. Exit code 0: of
//! each operation the traces are one, but for branches on what is told, and the controls that branch on their secret were
//! found; 3: it cannot be done here.
//!
//! Each trace is one of a process of its own, this program again with the argument `one`, or the `fndsa`: without address
//! randomization, with an empty environment and arguments of one length, so that code, stack and heap are at the same
//! places. On another CPU `one` is all that this program does.

/// Where traces are compared: on Linux on x86-64.
macro_rules! here {
    ($($item:item)*) => { $( #[cfg(all(target_os = "linux", target_arch = "x86_64"))] $item )* };
}

here! {
    mod branches;
    mod commands;
    mod compared;
    mod emulated;
    mod places;
    mod skips;
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
        operations::one(level, degree, name, secret);
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
