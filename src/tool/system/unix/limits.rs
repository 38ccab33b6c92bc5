//! Protection that systems other than Linux give a process before a private key is in its memory: no core file.

use rustix::process::{Resource, Rlimit, setrlimit};

/// Forbids core files. Nothing is known of swap space here, so the answer is `false` and no warning is printed.
pub fn protect() -> bool {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    false
}

/// Does nothing: no memory is locked here.
pub fn protect_again() {}
