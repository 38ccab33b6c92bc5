//! The random bytes for a signature, and the checks before they are drawn.

use super::{Scheme, SignError, check_exact_len, check_work_len};
use crate::engine::falcon::integrity::check_tables;
use crate::simd::ct;
use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use zeroize::Zeroizing;

/// A generator that returns zeros, for deterministic signatures.
pub(super) struct ZeroRng(());

impl ZeroRng {
    /// Returns the generator if the scheme can sign without randomness.
    ///
    /// # Errors
    /// Fails if the scheme needs randomness. After this error, `signature` is all zeros.
    pub(super) fn of(scheme: Scheme, signature: &mut [u8]) -> Result<Self, SignError<Infallible>> {
        if scheme.can_sign_deterministically() {
            return Ok(Self(()));
        }
        ct::wipe(signature);
        Err(SignError::Deterministic)
    }
}

impl TryRng for ZeroRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(0);
        Ok(())
    }
}

/// The bytes are not random. Only deterministic signatures use these zeros instead of random bytes.
impl TryCryptoRng for ZeroRng {}

/// The required lengths for a signature and for the work memory, in bytes.
pub(super) struct SigningLengths {
    pub(super) signature: usize,
    pub(super) work: usize,
}

impl SigningLengths {
    /// Fills `signature` with zeros, and checks the lengths. Also calls [`check_tables`], which
    /// checks the constant tables in its first call, and then in every 2^20th call.
    pub(super) fn check<R>(&self, signature: &mut [u8], work: &[u8]) -> Result<(), SignError<R>> {
        signature.fill(0);
        check_exact_len(signature.len(), self.signature).map_err(SignError::Buffer)?;
        check_work_len(work.len(), self.work).map_err(SignError::Buffer)?;
        check_tables().map_err(|_| SignError::Tables)
    }

    /// Checks the lengths as [`Self::check`] does, and draws the random bytes for a signature.
    pub(super) fn draw<R: TryCryptoRng + ?Sized, const N: usize>(
        &self,
        rng: &mut R,
        signature: &mut [u8],
        work: &[u8],
    ) -> Result<Zeroizing<[u8; N]>, SignError<R::Error>> {
        self.check(signature, work)?;
        let mut random = Zeroizing::new([0; N]);
        rng.try_fill_bytes(&mut *random).map_err(SignError::Rng)?;
        Ok(random)
    }
}
