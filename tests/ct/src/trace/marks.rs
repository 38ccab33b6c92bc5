//! How a process that is traced tells where the traced part begins and ends.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use here::{MARK, NOT_PERMITTED, mark, permit};
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use there::{mark, permit};

/// By signals, at which its parent looks.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod here {
    use nix::sys::ptrace;
    use nix::sys::signal::{Signal, raise};
    use std::process::exit;

    /// What a process stops itself with, before and after what is traced.
    pub const MARK: Signal = Signal::SIGUSR1;
    /// The exit code of a child that may not be traced.
    pub const NOT_PERMITTED: i32 = 3;

    /// Lets the parent trace this process.
    pub fn permit() {
        if ptrace::traceme().is_err() {
            exit(NOT_PERMITTED);
        }
    }

    /// Runs `f` between two marks.
    pub fn mark(f: impl FnOnce()) {
        raise(MARK).expect("a signal");
        f();
        raise(MARK).expect("a signal");
    }
}

/// By calls of two functions, at which the emulator looks.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod there {
    pub use crate::measured::measured as mark;

    /// Nothing: an emulator asks nobody.
    pub fn permit() {}
}
