//! Protects the memory of a process on Linux, before the process reads or creates a private key: no
//! core files, no debuggers of the same user, and no swapping. (For other systems, see `limits`.)
//!
//! | protection | method |
//! |---|---|
//! | no core file | limit 0 |
//! | no core dump to a program that the kernel starts | not dumpable (`PR_SET_DUMPABLE`) |
//! | no debugger, `/proc/PID` only for root | not dumpable |
//! | no swap space | locked memory |
//!
//! If the process has no limit for locked memory, or has the privilege to exceed this limit, the
//! system locks future memory automatically. Otherwise, automatic locking could make a later
//! allocation fail or stop the stack from growing. In this case, the pages in use are locked at the
//! start and after each key, but only if there is swap space. At the start, most pages in use
//! contain the program. Without swap space, these pages are never locked, because locking them
//! takes a tenth of the start-up time. If the system does not allow the protection, the command
//! continues without it.

use rustix::mm::{MlockAllFlags, mlockall};
use rustix::process::{DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit};
use std::sync::Mutex;

/// The original limit for locked memory, which [`protect_new_memory`] uses. `None` if that function
/// has nothing to do. Because of the mutex, only one thread at a time changes the limit of the
/// process.
static LIMIT: Mutex<Option<Rlimit>> = Mutex::new(None);

/// The number of bytes below the limit that are reserved for the stack, because the process ends if
/// the stack cannot grow.
const STACK: u64 = 1 << 20;

/// Protects this process. Returns whether the system may still write memory of the process to swap
/// space.
pub fn protect() -> bool {
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    // A sandbox that forbids changing limits may also forbid reading them, and `lock` reads a
    // limit. Therefore, `lock` is called only if the core file limit could be changed.
    let limits = setrlimit(Resource::Core, none).is_ok();
    let swaps = swaps();
    !(limits && lock(swaps)) && swaps
}

fn lock(swaps: bool) -> bool {
    // With `ONFAULT`, the system locks a page when it is first used, and does not load pages in
    // order to lock them.
    let future = MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT;
    let flags = if swaps { future | MlockAllFlags::CURRENT } else { future };
    let limit = getrlimit(Resource::Memlock);
    if limit.current.is_none() {
        return mlockall(flags).is_ok();
    }
    // With a limit of 0, `mlockall` succeeds only for a process with the privilege to exceed the
    // limit. In such a process, the limit cannot make later allocations fail.
    if setrlimit(Resource::Memlock, Rlimit { current: Some(0), ..limit }).is_err() {
        return false;
    }
    if mlockall(flags).is_ok() {
        return true;
    }
    if !swaps {
        let _ = setrlimit(Resource::Memlock, limit);
        return false;
    }
    let locked = lock_up_to(&limit);
    if locked && let Ok(mut known) = LIMIT.lock() {
        *known = Some(limit);
    }
    locked
}

/// Locks the pages in use, if the rest of the limit is large enough for the stack to grow. Returns
/// whether the pages are locked. The limit must be finite.
fn lock_up_to(limit: &Rlimit) -> bool {
    let mut is_locked = false;
    if let Some(current) = limit.current
        && let Some(lowered) = current.checked_sub(STACK)
    {
        is_locked = setrlimit(Resource::Memlock, Rlimit { current: Some(lowered), ..*limit }).is_ok()
            && mlockall(MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT).is_ok();
    }
    let _ = setrlimit(Resource::Memlock, *limit);
    is_locked
}

/// Locks the memory that was allocated after [`protect`], if new memory is not locked
/// automatically.
pub fn protect_new_memory() {
    if let Ok(known) = LIMIT.lock()
        && let Some(limit) = &*known
    {
        lock_up_to(limit);
    }
}

/// Returns whether there is swap space on a disk. A compressed device in memory (zram) does not
/// count as swap space.
fn swaps() -> bool {
    let areas = std::fs::read_to_string("/proc/swaps").unwrap_or_default();
    areas.lines().skip(1).any(|line| !line.starts_with("/dev/zram"))
}
