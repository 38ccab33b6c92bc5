//! The message as the scheme sees it: 64 bytes that bind key, context, pre-hash and message.

use super::MessageError;
use crate::engine::message::{Domain, PreHash, mu_finish, mu_start};
use crate::engine::params::{KEY_HASH_LEN, MAX_CONTEXT_LEN, MU_LEN};
use crate::engine::shake::Shake256;
use crate::simd::Emulated;

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
    pub fn prehashed(key: &KeyHash, context: &[u8], hash: PreHash, digest: &[u8]) -> Result<Self, MessageError> {
        if digest.len() != hash.digest_len() {
            return Err(MessageError::DigestLen { expected: hash.digest_len(), found: digest.len() });
        }
        let mut b = MuBuilder::new(key, Domain::PreHashed, context)?;
        b.update(&hash.oid());
        b.update(digest);
        Ok(b.finish())
    }
}

/// Computes `mu` over a message that comes in pieces, in constant memory.
pub struct MuBuilder {
    // The permutation has one form so far, so any level will do; a level with its own takes this
    // place by `Level::run`.
    sponge: Shake256<Emulated>,
}

impl MuBuilder {
    /// For a message that is signed as it is, without a pre-hash.
    ///
    /// # Errors
    /// A context of more than 255 bytes.
    pub fn pure(key: &KeyHash, context: &[u8]) -> Result<Self, MessageError> {
        Self::new(key, Domain::Pure, context)
    }

    fn new(key: &KeyHash, domain: Domain, context: &[u8]) -> Result<Self, MessageError> {
        if context.len() > MAX_CONTEXT_LEN {
            return Err(MessageError::ContextLen { found: context.len() });
        }
        Ok(Self { sponge: mu_start(Emulated, &key.0, domain, context) })
    }

    /// The next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.sponge.absorb(data);
    }

    /// The end of the message.
    pub fn finish(self) -> Mu {
        Mu(mu_finish(self.sponge))
    }
}
