//! Protection that the system gives a process before a private key is in its memory: no core file, no debugger of the
//! same user, nothing in swap space.
//!
//! | what | how | where |
//! |---|---|---|
//! | no core file | limit 0 | everywhere |
//! | no core for a program that the kernel starts, no debugger, `/proc/PID` for root alone | not dumpable | Linux |
//! | no swap space | locked memory | Linux |
//!
//! All memory to come is locked only where no limit would make a later allocation fail: without a limit, or with the
//! privilege to exceed it. Where there is a limit, the pages in use are locked now, and again after each key that is
//! read or made; pages that are taken later stay unlocked, so that the stack can grow. Pages that are in use at the
//! start, the program itself most of all, are locked only where there is swap space: locking them takes a tenth of the
//! start-up. Nothing of all this is an error: where it fails the work is done all the same.

use rustix::mm::{MlockAllFlags, mlockall};
use rustix::process::{DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit};
use std::sync::Mutex;

/// The limit up to which [`protect_again`] locks. One thread at a time lowers it.
static LIMIT: Mutex<Option<Rlimit>> = Mutex::new(None);

/// Bytes of the limit that are left for the stack, which ends the process where it cannot grow.
const STACK: u64 = 1 << 20;

/// Protects this process. Returns whether memory may get into swap space all the same.
pub fn protect() -> bool {
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    // Where limits may not be changed, they may not be asked for either.
    let limits = setrlimit(Resource::Core, none).is_ok();
    let swaps = swaps();
    !(limits && lock(swaps)) && swaps
}

fn lock(swaps: bool) -> bool {
    // Pages are locked when they are first used: none is used because of it.
    let future = MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT;
    let flags = if swaps { future | MlockAllFlags::CURRENT } else { future };
    let limit = getrlimit(Resource::Memlock);
    if limit.current.is_none() {
        return mlockall(flags).is_ok();
    }
    // With no limit left only the privilege counts, as it will for every allocation.
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

/// Locks the pages in use, if they stay so far below the limit that the stack may grow. Returns whether they are
/// locked. Range: the limit is finite.
fn lock_up_to(limit: &Rlimit) -> bool {
    let lowered = limit.current.and_then(|current| current.checked_sub(STACK));
    let locked = lowered.is_some_and(|lowered| {
        setrlimit(Resource::Memlock, Rlimit { current: Some(lowered), ..*limit }).is_ok()
            && mlockall(MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT).is_ok()
    });
    let _ = setrlimit(Resource::Memlock, *limit);
    locked
}

/// Locks the memory that was taken since [`protect`], where not all memory is locked by itself.
pub fn protect_again() {
    if let Ok(known) = LIMIT.lock()
        && let Some(limit) = &*known
    {
        lock_up_to(limit);
    }
}

/// Returns whether there is swap space on a disk; compressed memory does not count.
fn swaps() -> bool {
    let areas = std::fs::read_to_string("/proc/swaps").unwrap_or_default();
    areas.lines().skip(1).any(|line| !line.starts_with("/dev/zram"))
}
