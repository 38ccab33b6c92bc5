//! The C interface of fndsa. `include/fndsa.h` declares and documents every function that is here, and `include/fndsa_nist.h` puts
//! the names of NIST's call, PQClean and pqm4 over them; docs/c.md has formats, memory and errors.
//!
//! `boundary` has all functions that C calls, and all unsafe code: it checks pointers and lengths and makes slices of them.
//! Whatever is behind it is safe code over slices, and returns a [`Refusal`](code::Refusal) in place of panicking.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

mod attached;
#[allow(unsafe_code)]
mod boundary;
mod code;
mod named;
mod operation;
#[cfg(feature = "policy")]
mod policy;

/// Without the standard library a panic, which would be a mistake in the library, ends the program by the `abort` of C.
#[cfg(not(feature = "std"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    boundary::stop()
}
