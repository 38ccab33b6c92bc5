//! Memory protection for a process on Unix systems other than Linux, applied before it reads or
//! makes a private key: no core files.

use rustix::process::{Resource, Rlimit, setrlimit};

/// Disables core files. The state of the swap space is not known, so this function returns `false`,
/// and no warning is printed.
pub fn protect() -> bool {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    false
}

/// Does nothing, because no memory is locked on this system.
pub fn protect_new_memory() {}
