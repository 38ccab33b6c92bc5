//! Protects the memory of a process on Windows, before the process reads or creates a private key.
//! Crash reports are disabled, because they contain the memory of the process. The memory is not
//! locked, and a debugger of the same user can read it.

use super::calls::no_crash_reports;

/// Disables crash reports. Returns `false`, so that no warning is printed: fndsa does not know
/// whether the system uses a paging file.
pub fn protect() -> bool {
    no_crash_reports();
    false
}

/// Does nothing, because no memory is locked on this system.
pub fn protect_new_memory() {}
