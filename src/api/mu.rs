//! Computes the hash of a message in FN-DSA and ML-DSA: 64 bytes that depend on the public key, the
//! context, the pre-hash and the message.

use super::algorithm::{Algorithm, Scheme};
use super::message::{absorb_at_level, output_at_level, start_at_level};
use super::{MessageDigest, MessageError, Options};
use crate::engine::falcon::params::NONCE_LEN;
use crate::engine::hash::message::{KEY_HASH_LEN, MU_LEN};
use crate::engine::hash::shake::Sponge;
use crate::simd::Level;

/// The hash of a public key: the first 64 bytes of the encoding's SHAKE256 hash. FN-DSA,
/// FN-DSA-2024 and ML-DSA hash these bytes with each message, so that a signature is only valid for
/// this key. FIPS 204 calls this hash tr. Ed25519 hashes the public key itself, so for Ed25519 the
/// value is the public key, followed by zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct KeyHash(pub(super) [u8; KEY_HASH_LEN]);

impl KeyHash {
    /// Creates a hash from its bytes, for example if the hash was stored with the key.
    pub const fn from_bytes(bytes: [u8; KEY_HASH_LEN]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes.
    pub const fn as_bytes(&self) -> &[u8; KEY_HASH_LEN] {
        &self.0
    }
}

/// The 64 bytes that FN-DSA and ML-DSA sign: a hash of the public key's hash, the options and the
/// message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mu(pub(super) [u8; MU_LEN]);

impl Mu {
    /// Creates a `mu` from its bytes, for example if another machine computed it ("external mu").
    /// The other machine must have used the right public key, context and pre-hash.
    pub const fn from_bytes(bytes: [u8; MU_LEN]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes.
    pub const fn as_bytes(&self) -> &[u8; MU_LEN] {
        &self.0
    }

    /// Computes the `mu` from a digest.
    ///
    /// ```
    /// use fndsa::algorithm::{PreHash, Scheme};
    /// use fndsa::message::{MessageDigest, Mu};
    /// use fndsa::no_alloc::{Level, VerifyingKeyRef};
    /// use fndsa::Options;
    /// use sha2::{Digest, Sha256};
    ///
    /// // An example of a public key, with degree 2^9 and one nonzero coefficient. A real program
    /// // reads these bytes from a file.
    /// let mut bytes = [0; 897];
    /// (bytes[0], bytes[896]) = (9, 1);
    /// let public = VerifyingKeyRef::from_bytes(Scheme::FnDsa, &bytes)?;
    /// let (level, hash) = (Level::detect(), public.key_hash(Level::detect()));
    /// let digest = MessageDigest::new(PreHash::Sha256, &Sha256::digest(b"a message"))?;
    /// assert!(Mu::of_digest(level, public.algorithm(), &hash, Options::default(), &digest).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the scheme has no `mu`, if the algorithm does not support the options or
    /// the digest, or if the pre-hash in the options is not the hash function that computed the
    /// digest.
    pub fn of_digest(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        options: Options<'_>,
        digest: &MessageDigest,
    ) -> Result<Self, MessageError> {
        let scheme = algorithm.scheme();
        if !scheme.has_mu() {
            return Err(MessageError::NoMu { scheme });
        }
        let options = options.of_digest(digest)?;
        options.check(algorithm)?;
        let mut builder = MuBuilder::new(level, key, options);
        builder.update(digest.as_bytes());
        Ok(builder.finish())
    }
}

/// Computes the `mu` of a message in pieces, with constant memory.
///
/// ```
/// use fndsa::algorithm::Scheme;
/// use fndsa::message::MuBuilder;
/// use fndsa::no_alloc::{Level, VerifyingKeyRef};
///
/// // An example of a public key, with degree 2^9 and one nonzero coefficient. A real program reads
/// // these bytes from a file.
/// let mut bytes = [0; 897];
/// (bytes[0], bytes[896]) = (9, 1);
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
    /// Starts to hash a message without a pre-hash.
    ///
    /// # Errors
    /// Returns an error if the context is longer than 255 bytes.
    pub fn pure(level: Level, key: &KeyHash, context: &[u8]) -> Result<Self, MessageError> {
        let options = Options::with_context(context);
        options.check_context_len()?;
        Ok(Self::new(level, key, options))
    }

    /// Starts to hash a message. All schemes with a `mu` compute it in the same way, so this
    /// function uses the rules for FN-DSA. The caller must check the options before this call.
    fn new(level: Level, key: &KeyHash, options: Options<'_>) -> Self {
        Self { level, sponge: start_at_level(level, Scheme::FnDsa, &[0; NONCE_LEN], key, options) }
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        absorb_at_level(self.level, &mut self.sponge, data);
    }

    /// Ends the message, and returns its `mu`.
    pub fn finish(self) -> Mu {
        Mu(output_at_level(self.level, self.sponge))
    }
}
