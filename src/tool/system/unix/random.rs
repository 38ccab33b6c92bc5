//! The randomness of the system.
//!
//! On Linux the bytes come from the system call itself, with a bound on how often it may be interrupted or give less
//! than was asked for: crate `getrandom` tries again for ever. Where the kernel lacks or forbids the call, and on other
//! systems, they come from that crate.

use super::super::random_of_crate;
use std::io;

/// Calls in a row that may give nothing. The kernel serves up to 256 bytes whole, and is interrupted only while it
/// waits for its first randomness after the start.
#[cfg(target_os = "linux")]
const FRUITLESS: usize = 100;

/// Fills all of `out`.
///
/// # Errors
/// The system fails; `out` may hold anything.
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

/// Fills all of `out`.
///
/// # Errors
/// The system fails; `out` may hold anything.
#[cfg(not(target_os = "linux"))]
pub fn fill_random(out: &mut [u8]) -> io::Result<()> {
    random_of_crate(out)
}
