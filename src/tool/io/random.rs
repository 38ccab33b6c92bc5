//! The randomness of the system.
//!
//! On Linux the bytes come from the system call itself, with a bound on how often it may be interrupted or give less
//! than was asked for: crate `getrandom` tries again for ever. Where the kernel lacks or forbids the call, and on other
//! systems, they come from that crate.

use rand_core::{TryCryptoRng, TryRng};
use std::io;
use thiserror::Error;

/// Calls in a row that may give nothing. The kernel serves up to 256 bytes whole, and is interrupted only while it
/// waits for its first randomness after the start.
#[cfg(target_os = "linux")]
const FRUITLESS: usize = 100;

/// Why there are no random bytes.
#[derive(Debug, Error)]
#[error("the system gives no random bytes: {0}")]
pub struct NoRandomness(io::Error);

/// The generator of the system. It has no state: what was drawn before a `fork` is no other process's.
pub struct SystemRng;

impl TryRng for SystemRng {
    type Error = NoRandomness;

    fn try_next_u32(&mut self) -> Result<u32, NoRandomness> {
        let mut bytes = [0; 4];
        fill(&mut bytes)?;
        Ok(u32::from_ne_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, NoRandomness> {
        let mut bytes = [0; 8];
        fill(&mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), NoRandomness> {
        fill(out)
    }
}

impl TryCryptoRng for SystemRng {}

/// Fills all of `out`.
///
/// # Errors
/// The system fails; `out` may hold anything.
#[cfg(target_os = "linux")]
pub fn fill(mut out: &mut [u8]) -> Result<(), NoRandomness> {
    use rustix::io::Errno;
    use rustix::rand::{GetRandomFlags, getrandom};

    let mut fruitless = 0;
    while !out.is_empty() {
        let len = match getrandom(&mut *out, GetRandomFlags::empty()) {
            Ok(len) => len.min(out.len()),
            Err(Errno::NOSYS | Errno::PERM) => return of_crate(out),
            Err(Errno::INTR) => 0,
            Err(e) => return Err(NoRandomness(e.into())),
        };
        fruitless = if len == 0 { fruitless + 1 } else { 0 };
        if fruitless == FRUITLESS {
            return Err(NoRandomness(Errno::INTR.into()));
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
pub fn fill(out: &mut [u8]) -> Result<(), NoRandomness> {
    of_crate(out)
}

fn of_crate(out: &mut [u8]) -> Result<(), NoRandomness> {
    let error =
        |e: getrandom::Error| e.raw_os_error().map_or_else(|| io::Error::other(e), io::Error::from_raw_os_error);
    getrandom::fill(out).map_err(|e| NoRandomness(error(e)))
}
