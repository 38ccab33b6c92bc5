//! The random generator of the system.
//!
//! On Linux, this module calls the system directly. If a call is interrupted or returns too few
//! bytes, the crate `getrandom` would retry without a limit. This module stops after [`FRUITLESS`]
//! consecutive calls that return no bytes. If the kernel does not support or allow the call, and on
//! systems other than Linux, this module uses the crate.

use super::super::random_of_crate;
use std::io;

/// The maximum number of consecutive calls that return no bytes. A call for at most 256 bytes can
/// be interrupted only while the kernel waits for its first randomness after the machine has
/// started.
#[cfg(target_os = "linux")]
const FRUITLESS: usize = 100;

/// Fills `out` with random bytes.
///
/// # Errors
/// Fails if the system cannot provide random bytes. The contents of `out` are then unspecified.
#[cfg(target_os = "linux")]
pub fn fill_random(mut out: &mut [u8]) -> io::Result<()> {
    use rustix::io::Errno;
    use rustix::rand::{GetRandomFlags, getrandom};

    let mut fruitless = 0;
    while !out.is_empty() {
        let len = match getrandom(&mut *out, GetRandomFlags::empty()) {
            Ok(len) => len.min(out.len()),
            Err(Errno::NOSYS | Errno::PERM) => return random_of_crate(out),
            Err(Errno::INTR) => 0,
            Err(e) => return Err(e.into()),
        };
        fruitless = if len == 0 { fruitless + 1 } else { 0 };
        if fruitless == FRUITLESS {
            return Err(Errno::INTR.into());
        }
        out = out.split_at_mut(len).1;
    }
    Ok(())
}

/// Fills `out` with random bytes.
///
/// # Errors
/// Fails if the system cannot provide random bytes. The contents of `out` are then unspecified.
#[cfg(not(target_os = "linux"))]
pub fn fill_random(out: &mut [u8]) -> io::Result<()> {
    random_of_crate(out)
}
