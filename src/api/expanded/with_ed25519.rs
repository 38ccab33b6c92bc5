//! Signs with expanded keys of Ed25519 and of composites. The compiler does not inline
//! `sign_composite` and `ed25519::sign`, so other schemes need no stack memory for these two
//! functions.

use super::ExpandedSigningKey;
use crate::api::composite::CompositeSet;
use crate::api::composite_signing::KeptComposite;
use crate::api::ed25519;
use crate::api::{MessageToSign, SEED_LEN, SignError};
use rand_core::TryCryptoRng;

impl ExpandedSigningKey {
    /// Signs with both halves of a composite.
    #[inline(never)]
    pub(super) fn sign_composite<R: TryCryptoRng + ?Sized>(
        &self,
        set: CompositeSet,
        message: &MessageToSign<'_>,
        rng: &mut R,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<R::Error>> {
        let rnd = self.signing_lengths().draw(rng, signature, work)?;
        self.kept_composite(set)?.sign(message.composite()?, &rnd, signature, work)
    }

    /// Signs with an Ed25519 key. The caller must check the length of `signature` before this call.
    pub(in crate::api) fn sign_ed25519<E>(
        &self,
        message: &MessageToSign<'_>,
        signature: &mut [u8],
    ) -> Result<(), SignError<E>> {
        ed25519::sign(
            self.level,
            &self.key_memory()[..SEED_LEN],
            &self.key_hash,
            message.ed25519(&self.key_hash)?,
            signature,
        )
    }

    /// Returns both halves of the key.
    pub(in crate::api) fn kept_composite<E>(&self, set: CompositeSet) -> Result<KeptComposite<'_>, SignError<E>> {
        let halves = self.halves.as_ref().ok_or(SignError::ExpandedKey)?;
        Ok(KeptComposite { level: self.level, set, halves, memory: self.key_memory() })
    }
}
