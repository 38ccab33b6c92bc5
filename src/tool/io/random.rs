//! Makes the system's random generator available as a generator for the library.

use crate::tool::system::fill_random;
use rand_core::{TryCryptoRng, TryRng};
use std::io;
use thiserror::Error;

/// An error from the random generator of the system.
#[derive(Debug, Error)]
#[error("the system gives no random bytes: {0}")]
pub struct RandomnessError(io::Error);

/// The random generator of the system. It has no state in this process, so two processes never get
/// equal random bytes after a `fork`.
pub struct SystemRng;

impl TryRng for SystemRng {
    type Error = RandomnessError;

    fn try_next_u32(&mut self) -> Result<u32, RandomnessError> {
        let mut bytes = [0; 4];
        fill(&mut bytes)?;
        Ok(u32::from_ne_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, RandomnessError> {
        let mut bytes = [0; 8];
        fill(&mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RandomnessError> {
        fill(out)
    }
}

impl TryCryptoRng for SystemRng {}

/// Fills `out` with random bytes.
///
/// # Errors
/// Fails if the system cannot provide random bytes. The contents of `out` are then unspecified.
pub fn fill(out: &mut [u8]) -> Result<(), RandomnessError> {
    fill_random(out).map_err(RandomnessError)
}
