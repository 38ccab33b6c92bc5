//! Protection that Windows gives a process before a private key is in its memory: no crash report, which would hold
//! the memory of the process. Memory is not locked, and a debugger of the same user is let in.

use super::calls::no_crash_reports;

/// Forbids crash reports. Nothing is known of the paging file, so the answer is `false` and no warning is printed.
pub fn protect() -> bool {
    no_crash_reports();
    false
}

/// Does nothing: no memory is locked here.
pub fn protect_again() {}
