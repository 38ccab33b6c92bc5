//! Records which of the three standard descriptors were closed when the process started, and
//! detects ignored signals.
//!
//! Before `main`, the Rust runtime opens `/dev/null` for each closed descriptor. Otherwise, a file
//! that the program opens later could get the closed descriptor's number. With `/dev/null` as
//! standard output, a result would be lost without an error. With `/dev/null` as standard input,
//! fndsa would read an empty message. A program cannot distinguish this `/dev/null` from a
//! `/dev/null` that the caller has opened, for example with `Stdio::null()` in Rust or with
//! `DEVNULL` in Python. So the descriptors must be checked earlier, in a function that the loader
//! calls before the runtime starts.
//!
//! The library does not check the descriptors by itself. A program that needs this information
//! calls `fndsa::look_at_descriptors!()` once in its crate root. The macro is in this folder
//! because it needs `unsafe` to add the function to the loader's list.

use rustix::io::{Errno, fcntl_getfd};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, RawFd};
use std::sync::atomic::{AtomicU8, Ordering};

/// Bit `n` is set if descriptor `n` was closed.
static CLOSED_DESCRIPTORS: AtomicU8 = AtomicU8::new(0);

/// Adds [`look`] to the functions that run before `main`, on ELF systems and on Apple systems.
#[doc(hidden)]
#[macro_export]
macro_rules! look_at_descriptors {
    () => {
        #[used]
        // SAFETY: this section is a list of pointers to functions with the C calling convention.
        // This function needs neither its arguments nor the Rust runtime: it makes three system
        // calls and stores a byte.
        #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
        #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
        static LOOK: extern "C" fn() = $crate::descriptors::look;
    };
}

/// Checks the three descriptors. The loader calls this function before the runtime opens
/// descriptors.
pub extern "C" fn look() {
    let is_closed = |number: RawFd| {
        // SAFETY: code that could open or close the descriptor does not run yet, and the call
        // returns an error for an invalid number.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        matches!(fcntl_getfd(descriptor), Err(Errno::BADF))
    };
    let bits = (0..3).map(|number| u8::from(is_closed(number)) << number);
    CLOSED_DESCRIPTORS.store(bits.sum(), Ordering::Relaxed);
}

/// Checks that descriptor 0, 1 or 2 was open when the process started. If [`look`] was not called,
/// all descriptors count as open.
///
/// # Errors
/// Returns the error EBADF if the descriptor was closed.
pub fn was_open(number: RawFd) -> io::Result<()> {
    let is_closed = CLOSED_DESCRIPTORS.load(Ordering::Relaxed) >> number & 1 == 1;
    if is_closed { Err(Errno::BADF.into()) } else { Ok(()) }
}

/// Returns true if this process ignores the signal, for example because it was started by `nohup`.
/// `signal` must be a signal number.
pub fn was_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: the second argument is null, so the call does not change the action. The call writes
    // the current action to `action`.
    if unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) } != 0 {
        return false;
    }
    // SAFETY: the call was successful, so it has written the action.
    unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}
