//! The C interface of fndsa. `include/fndsa.h` declares and documents each function, and
//! `include/fndsa_nist.h` provides these functions under the names that NIST's call for proposals,
//! PQClean and pqm4 use. docs/c.md describes formats, memory and errors.
//!
//! `boundary` contains all functions that C programs call, and all unsafe code. It checks pointers
//! and lengths, and makes slices from them. The other modules contain safe code that works on
//! slices. They return a [`CallError`](code::CallError) instead of panicking.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

mod attached;
#[allow(unsafe_code)]
mod boundary;
mod code;
#[cfg(feature = "files")]
mod file;
mod numbered;
mod operation;
#[cfg(feature = "policy")]
mod policy;
mod prehash;
#[cfg(any(feature = "files", feature = "policy"))]
mod report;
#[cfg(feature = "policy")]
mod signature_file;

/// Ends the program with C's `abort` after a panic, if there is no standard library. A panic would
/// be a bug in the library.
#[cfg(not(feature = "std"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    boundary::abort_program()
}
