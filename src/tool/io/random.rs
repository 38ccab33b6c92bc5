//! The system's randomness as a random generator for the library.

use crate::tool::system::fill_random;
use rand_core::{TryCryptoRng, TryRng};
use std::io;
use thiserror::Error;

/// An error of the system's random generator.
#[derive(Debug, Error)]
#[error("the system gives no random bytes: {0}")]
pub struct RandomnessError(io::Error);

/// The system's random generator. It has no state, so two processes never share random bytes after
/// a `fork`.
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
/// The system cannot provide random bytes. The contents of `out` are then unspecified.
pub fn fill(out: &mut [u8]) -> Result<(), RandomnessError> {
    fill_random(out).map_err(RandomnessError)
}
