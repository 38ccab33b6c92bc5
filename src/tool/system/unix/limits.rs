//! Protects the memory of a process on Unix systems other than Linux, before the process reads or
//! creates a private key: disables core files.

use rustix::process::{Resource, Rlimit, setrlimit};

/// Disables core files. Returns `false`, so that no warning is printed: fndsa does not know whether
/// there is swap space.
pub fn protect() -> bool {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    false
}

/// Does nothing, because no memory is locked on this system.
pub fn protect_new_memory() {}
