//! Which of the three standard descriptors were closed when the process began, and which signals it ignores from then
//! on.
//!
//! Rust's runtime opens `/dev/null` on a closed one before `main`, so that no file gets its number. After that a result
//! written to standard output is lost without an error, and standard input is an empty message. Nothing tells that
//! `/dev/null` from one that the caller has given (`Stdio::null()` of Rust and `DEVNULL` of Python open it alike), so
//! the descriptors are looked at earlier: by a function that the loader calls before the runtime begins.
//!
//! The library leaves the processes of its users alone: a program that wants to know says
//! `fndsa::look_at_descriptors!()` once, in its root. The macro stands here because a place in the list of such
//! functions is `unsafe`.

use rustix::io::{Errno, fcntl_getfd};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, RawFd};
use std::sync::atomic::{AtomicU8, Ordering};

/// Bit `n` is set if descriptor `n` was closed.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Puts [`look`] into the program's list of functions that run before `main`, on ELF systems and on those of Apple.
#[doc(hidden)]
#[macro_export]
macro_rules! look_at_descriptors {
    () => {
        #[used]
        // SAFETY: the list holds pointers to functions of the C calling convention, and this one needs neither its
        // arguments nor anything of Rust's runtime: it makes three system calls and stores one byte.
        #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
        #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
        static LOOK: extern "C" fn() = $crate::descriptors::look;
    };
}

/// Looks at the three descriptors. Called by the loader; later it would find what the runtime has opened.
pub extern "C" fn look() {
    let closed = |number: RawFd| {
        // SAFETY: nothing else runs yet that could open or close it, and a number that is no descriptor gives an error.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        matches!(fcntl_getfd(descriptor), Err(Errno::BADF))
    };
    let bits = (0..3).map(|number| u8::from(closed(number)) << number);
    CLOSED.store(bits.sum(), Ordering::Relaxed);
}

/// Checks that descriptor 0, 1 or 2 was open when the process began. Where nobody has looked, all were.
///
/// # Errors
/// Bad file descriptor, if it was closed.
pub fn was_open(number: RawFd) -> io::Result<()> {
    let closed = CLOSED.load(Ordering::Relaxed) >> number & 1 == 1;
    if closed { Err(Errno::BADF.into()) } else { Ok(()) }
}

/// Returns whether a signal is ignored. What started the program may have asked for that (`nohup`). Range: the number of
/// a signal.
pub fn was_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: with no new action the call changes nothing, and writes the present one where it has room.
    if unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) } != 0 {
        return false;
    }
    // SAFETY: the call has written it, for it succeeded.
    unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}
