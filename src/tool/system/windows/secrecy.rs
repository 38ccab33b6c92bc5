//! Memory protection for a process on Windows, applied before it reads or makes a private key: no
//! crash reports, because they contain the memory of the process. Memory is not locked, and a
//! debugger of the same user can read it.

use super::calls::no_crash_reports;

/// Disables crash reports. The state of the paging file is not known, so this function returns
/// `false`, and no warning is printed.
pub fn protect() -> bool {
    no_crash_reports();
    false
}

/// Does nothing, because no memory is locked on this system.
pub fn protect_new_memory() {}
