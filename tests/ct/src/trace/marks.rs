//! Marks the start and the end of the traced part of a process. `operations.rs` sets the marks.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use emulator::{mark, permit};
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use signals::{MARK, NOT_PERMITTED, mark, permit};

/// Marks for the parent process: signals.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod signals {
    use nix::sys::ptrace;
    use nix::sys::signal::{Signal, raise};
    use std::process::exit;

    /// The signal with which a process stops itself, before and after the traced part.
    pub const MARK: Signal = Signal::SIGUSR1;
    /// The exit code for a child if the system does not permit tracing.
    pub const NOT_PERMITTED: i32 = 3;

    /// Permits the parent to trace this process.
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

/// Marks for the emulator: calls to two functions.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod emulator {
    pub use crate::measured::measured as mark;

    /// Does not do anything, because an emulator needs no permission.
    pub fn permit() {}
}
