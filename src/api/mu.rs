//! The message as the scheme sees it: 64 bytes that bind key, context, pre-hash and message.

use super::MessageError;
use crate::engine::message::{Domain, PreHash, mu_finish, mu_start};
use crate::engine::params::{KEY_HASH_LEN, MAX_CONTEXT_LEN, MU_LEN};
use crate::engine::shake::{Shake256, Sponge};
use crate::simd::{Level, Simd, WithSimd};

/// SHAKE256 of an encoded public key, 64 bytes: what ties a signature to its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyHash(pub(super) [u8; KEY_HASH_LEN]);

impl KeyHash {
    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; KEY_HASH_LEN] {
        &self.0
    }
}

/// What is signed: a hash of the public key's hash, the context and the message, 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mu(pub(super) [u8; MU_LEN]);

impl Mu {
    /// A `mu` that was computed elsewhere ("external mu"). Whoever computed it chose key, context
    /// and pre-hash.
    pub const fn from_bytes(bytes: [u8; MU_LEN]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; MU_LEN] {
        &self.0
    }

    /// The `mu` of a message that was hashed by the caller.
    ///
    /// # Errors
    /// A context of more than 255 bytes; a digest whose length is not that of `hash`.
    pub fn prehashed(
        level: Level,
        key: &KeyHash,
        context: &[u8],
        hash: PreHash,
        digest: &[u8],
    ) -> Result<Self, MessageError> {
        if digest.len() != hash.digest_len() {
            return Err(MessageError::DigestLen { expected: hash.digest_len(), found: digest.len() });
        }
        let mut b = MuBuilder::new(level, key, Domain::PreHashed, context)?;
        b.update(&hash.oid());
        b.update(digest);
        Ok(b.finish())
    }
}

/// Computes `mu` over a message that comes in pieces, in constant memory.
pub struct MuBuilder {
    level: Level,
    sponge: Sponge,
}

impl MuBuilder {
    /// For a message that is signed as it is, without a pre-hash.
    ///
    /// # Errors
    /// A context of more than 255 bytes.
    pub fn pure(level: Level, key: &KeyHash, context: &[u8]) -> Result<Self, MessageError> {
        Self::new(level, key, Domain::Pure, context)
    }

    fn new(level: Level, key: &KeyHash, domain: Domain, context: &[u8]) -> Result<Self, MessageError> {
        struct Start<'w>(&'w KeyHash, Domain, &'w [u8]);
        impl WithSimd for Start<'_> {
            type Output = Sponge;
            #[inline(always)]
            fn with<S: Simd>(self, isa: S) -> Sponge {
                mu_start(isa, &self.0.0, self.1, self.2).suspend()
            }
        }
        if context.len() > MAX_CONTEXT_LEN {
            return Err(MessageError::ContextLen { found: context.len() });
        }
        Ok(Self { level, sponge: level.run(Start(key, domain, context)) })
    }

    /// The next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        struct Absorb<'w>(&'w mut Sponge, &'w [u8]);
        impl WithSimd for Absorb<'_> {
            type Output = ();
            #[inline(always)]
            fn with<S: Simd>(self, isa: S) {
                let mut h = Shake256::resume(isa, core::mem::replace(self.0, Sponge::EMPTY));
                h.absorb(self.1);
                *self.0 = h.suspend();
            }
        }
        self.level.run(Absorb(&mut self.sponge, data));
    }

    /// The end of the message.
    pub fn finish(self) -> Mu {
        struct Finish(Sponge);
        impl WithSimd for Finish {
            type Output = [u8; MU_LEN];
            #[inline(always)]
            fn with<S: Simd>(self, isa: S) -> [u8; MU_LEN] {
                mu_finish(Shake256::resume(isa, self.0))
            }
        }
        Mu(self.level.run(Finish(self.sponge)))
    }
}
