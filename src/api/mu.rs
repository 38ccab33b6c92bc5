//! The message as FN-DSA and ML-DSA see it: 64 bytes that bind key, context, pre-hash and message.

use super::MessageError;
use super::algorithm::{Algorithm, Scheme};
use super::message::{Options, digest_len, level_absorb, level_output, level_start};
use crate::engine::falcon::params::NONCE_LEN;
use crate::engine::hash::message::{KEY_HASH_LEN, MU_LEN};
use crate::engine::hash::prehash::PreHash;
use crate::engine::hash::shake::Sponge;
use crate::simd::Level;

/// SHAKE256 of an encoded public key, 64 bytes: what ties a signature to its key. FIPS 204 names it tr.
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
    /// ```
    /// use fndsa::algorithm::{PreHash, Scheme};
    /// use fndsa::error::MessageError;
    /// use fndsa::message::Mu;
    /// use fndsa::no_alloc::{Level, VerifyingKeyRef};
    /// use sha2::{Digest, Sha256};
    /// # let mut bytes = [0; 897];
    /// # bytes[0] = 9;
    /// # bytes[896] = 1;
    /// let public = VerifyingKeyRef::from_bytes(Scheme::FnDsa, &bytes)?;
    /// let (level, hash) = (Level::detect(), public.key_hash(Level::detect()));
    /// let digest = Sha256::digest(b"a message");
    /// let algorithm = public.algorithm();
    /// assert!(Mu::prehashed(level, algorithm, &hash, b"", PreHash::Sha256, &digest).is_ok());
    /// let short = Mu::prehashed(level, algorithm, &hash, b"", PreHash::Sha512, &digest);
    /// assert_eq!(short, Err(MessageError::DigestLen { expected: 64, found: 32 }));
    /// # Ok::<(), fndsa::error::KeyError>(())
    /// ```
    ///
    /// # Errors
    /// A context of more than 255 bytes; a digest whose length is not the length of `hash`; a hash that the algorithm does not know, or
    /// that is weaker than the algorithm. [`SigningHasher`](super::SigningHasher) and [`VerifyingHasher`](super::VerifyingHasher) accept a
    /// weak hash if [`Options::allow_weak_prehash`] is true.
    pub fn prehashed(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        context: &[u8],
        hash: PreHash,
        digest: &[u8],
    ) -> Result<Self, MessageError> {
        digest_len(hash, digest.len() as u64)?;
        let options = Options { prehash: Some(hash), ..Options::with_context(context) };
        let mut b = MuBuilder::new(level, algorithm, key, options)?;
        b.update(digest);
        Ok(b.finish())
    }
}

/// Computes `mu` over a message that comes in pieces, in constant memory.
///
/// ```
/// use fndsa::algorithm::Scheme;
/// use fndsa::message::MuBuilder;
/// use fndsa::no_alloc::{Level, VerifyingKeyRef};
/// # let mut bytes = [0; 897];
/// # bytes[0] = 9;
/// # bytes[896] = 1;
/// let public = VerifyingKeyRef::from_bytes(Scheme::FnDsa, &bytes)?;
/// let hash = public.key_hash(Level::detect());
/// let [mut whole, mut pieces] = [b"v1", b"v1"].map(|context| MuBuilder::pure(Level::detect(), &hash, context).unwrap());
/// whole.update(b"a message");
/// pieces.update(b"a mess");
/// pieces.update(b"age");
/// assert_eq!(whole.finish(), pieces.finish());
/// # Ok::<(), fndsa::error::KeyError>(())
/// ```
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
        Self::new(level, Algorithm::FN_DSA_512, key, Options::with_context(context))
    }

    /// Range: all schemes with a `mu` compute the same `mu`.
    fn new(level: Level, algorithm: Algorithm, key: &KeyHash, options: Options<'_>) -> Result<Self, MessageError> {
        options.check(algorithm)?;
        Ok(Self { level, sponge: level_start(level, Scheme::FnDsa, &[0; NONCE_LEN], key, options) })
    }

    /// Takes the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        level_absorb(self.level, &mut self.sponge, data);
    }

    /// Ends the message and returns its `mu`.
    pub fn finish(self) -> Mu {
        Mu(level_output(self.level, self.sponge))
    }
}
