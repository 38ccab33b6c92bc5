//! Messages for signatures: a message that is hashed in pieces, to verify a signature
//! ([`VerifyingHasher`]), and a message in memory, to sign or to verify ([`UnhashedMessage`]). The
//! `..._at_level` functions also hash messages for signing.
//!
//! Ed25519 and composites hash with SHA-512, as `ed25519.rs` and `composite.rs` explain. FN-DSA and
//! ML-DSA first hash the message to [`Mu`]. The other schemes in the Falcon family hash a nonce
//! before the message. The nonce is in the signature, so a verifier must pass the signature before
//! the message.

use super::algorithm::{Algorithm, FamilyAlgorithm, Scheme};
#[cfg(feature = "ed25519")]
use super::sha512::Sha512Message;
use super::{KeyHash, MessageDigest, MessageError, Mu, Options};
use crate::engine::falcon::params::NONCE_LEN;
use crate::engine::falcon::point::PointSource;
use crate::engine::falcon::signature::SplitSignature;
use crate::engine::hash::message::{MU_LEN, MessagePrefix, message_start, output};
use crate::engine::hash::shake::{Shake256, Sponge};
use crate::simd::{Level, on_level};

/// Returns a sponge that has absorbed the inputs that precede the message, such as the nonce and
/// the context. The caller must check `options` before this call.
pub(super) fn start_at_level(
    level: Level,
    scheme: Scheme,
    nonce: &[u8; NONCE_LEN],
    key: &KeyHash,
    options: Options<'_>,
) -> Sponge {
    let prefix = MessagePrefix { nonce, key_hash: &key.0, prehash: options.prehash, context: options.context };
    on_level!(level, |isa = integers| message_start(isa, scheme.hashing(), prefix).suspend())
}

/// Absorbs the next piece of the message.
pub(super) fn absorb_at_level(level: Level, sponge: &mut Sponge, data: &[u8]) {
    on_level!(level, |isa = integers| {
        let mut h = Shake256::resume(isa, core::mem::replace(sponge, Sponge::EMPTY));
        h.absorb(data);
        *sponge = h.suspend();
    });
}

/// Ends the input, and returns the first 64 bytes of the sponge's output.
pub(super) fn output_at_level(level: Level, sponge: Sponge) -> [u8; MU_LEN] {
    on_level!(level, |isa = integers| output(Shake256::resume(isa, sponge)))
}

/// A message that was hashed to verify a signature. In FN-DSA and ML-DSA, the hash is the `mu`. If
/// the scheme hashes a nonce before the message, you can use the `HashedMessage` only with the
/// signature that contains this nonce.
#[derive(Clone)]
pub struct HashedMessage {
    scheme: Scheme,
    nonce: [u8; NONCE_LEN],
    sponge: Sponge,
    mu: Option<Mu>,
    /// The state of SHA-512, for Ed25519 and composites. `None` in all other schemes.
    #[cfg(feature = "ed25519")]
    sha512: Option<Sha512Message>,
}

impl From<Mu> for HashedMessage {
    fn from(mu: Mu) -> Self {
        // If there is a `mu`, the scheme, the nonce and the sponge are not used.
        Self { mu: Some(mu), ..Self::new_state(Scheme::FnDsa, [0; NONCE_LEN], Sponge::EMPTY) }
    }
}

#[cfg(feature = "ed25519")]
impl From<Sha512Message> for HashedMessage {
    fn from(message: Sha512Message) -> Self {
        let scheme = message.scheme();
        Self { sha512: Some(message), ..Self::new_state(scheme, [0; NONCE_LEN], Sponge::EMPTY) }
    }
}

impl HashedMessage {
    /// Returns the state before the first piece of the message.
    pub(super) const fn new_state(scheme: Scheme, nonce: [u8; NONCE_LEN], sponge: Sponge) -> Self {
        Self {
            scheme,
            nonce,
            sponge,
            mu: None,
            #[cfg(feature = "ed25519")]
            sha512: None,
        }
    }

    /// Hashes a digest to verify a signature. [`VerifyingHasher::new`] explains `key`.
    ///
    /// # Errors
    /// Returns an error if the scheme does not support the options or the digest, if the pre-hash
    /// in the options is not the hash function that computed the digest, or if the length or the
    /// first byte of `signature` is wrong for this algorithm.
    pub fn of_digest(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        options: Options<'_>,
        digest: &MessageDigest,
        signature: &[u8],
    ) -> Result<Self, MessageError> {
        let mut hasher = VerifyingHasher::start(level, algorithm, key, options.of_digest(digest)?, signature)?;
        hasher.update(digest.as_bytes());
        Ok(hasher.finish())
    }
}

/// Hashes a message in pieces, to verify a signature. You pass the signature first, because it can
/// contain a nonce that is hashed before the message.
///
/// ```
/// use fndsa::error::VerifyError;
/// use fndsa::no_alloc::{Level, VerifyingHasher, VerifyingKeyRef};
/// use fndsa::{Algorithm, Options};
///
/// /// Verifies a Falcon signature for the pieces of a message.
/// fn verify(public: &[u8], pieces: &[&[u8]], signature: &[u8], work: &mut [u8]) -> Result<(), VerifyError> {
///     let level = Level::detect();
///     let key = VerifyingKeyRef::of_algorithm(Algorithm::FALCON_512, public)?;
///     let hash = key.bound_hash(level);
///     let mut message = VerifyingHasher::new(level, key.algorithm(), &hash, Options::default(), signature)?;
///     pieces.iter().for_each(|piece| message.update(piece));
///     key.verify(level, &message.finish(), signature, work)
/// }
/// let mut work = [0; Algorithm::FALCON_512.verify_work_len()];
/// assert!(verify(&[9; 897], &[b"a message"], &[0x39; 666], &mut work).is_err());
/// ```
#[derive(Clone)]
pub struct VerifyingHasher {
    level: Level,
    hashed: HashedMessage,
}

impl VerifyingHasher {
    /// Starts to hash a message. `key` is the result of [`VerifyingKeyRef::bound_hash`]: the hash
    /// of the public key, or zeros if the scheme does not hash the key together with the message.
    ///
    /// [`VerifyingKeyRef::bound_hash`]: super::VerifyingKeyRef::bound_hash
    ///
    /// # Errors
    /// Returns an error if the scheme does not support the options, if the options have a pre-hash
    /// (use [`HashedMessage::of_digest`]), or if the length or the first byte of `signature` is
    /// wrong for this algorithm.
    pub fn new(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        options: Options<'_>,
        signature: &[u8],
    ) -> Result<Self, MessageError> {
        options.check_no_prehash(algorithm)?;
        Self::start(level, algorithm, key, options, signature)
    }

    /// Starts to hash a message, as [`Self::new`] does, but also accepts options with a pre-hash.
    /// The caller must then pass the digest of the message to [`Self::update`], instead of the
    /// message.
    pub(super) fn start(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        options: Options<'_>,
        signature: &[u8],
    ) -> Result<Self, MessageError> {
        let scheme = algorithm.scheme();
        options.check(algorithm)?;
        let wrong_signature = MessageError::Signature { algorithm };
        let nonce = match algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                *SplitSignature::new(algorithm, signature).map_err(|_| wrong_signature)?.nonce
            }
            _ if signature.len() == algorithm.signature_len() => [0; NONCE_LEN],
            _ => return Err(wrong_signature),
        };
        let hashed = HashedMessage::new_state(scheme, nonce, start_at_level(level, scheme, &nonce, key, options));
        #[cfg(feature = "ed25519")]
        let hashed = HashedMessage { sha512: Sha512Message::to_verify(scheme, key, options, signature)?, ..hashed };
        Ok(Self { level, hashed })
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        #[cfg(feature = "ed25519")]
        if let Some(message) = &mut self.hashed.sha512 {
            return message.update(data);
        }
        absorb_at_level(self.level, &mut self.hashed.sponge, data);
    }

    /// Ends the message, and returns the hashed message.
    pub fn finish(self) -> HashedMessage {
        let mut hashed = self.hashed;
        if hashed.scheme.has_mu() {
            hashed.mu = Some(Mu(output_at_level(self.level, core::mem::replace(&mut hashed.sponge, Sponge::EMPTY))));
        }
        hashed
    }
}

/// A message to verify: a `mu`, a message that was already hashed for the signature, or a message
/// in memory.
#[derive(Clone, Copy)]
pub struct MessageToVerify<'a>(VerifyingInput<'a>);

#[derive(Clone, Copy)]
enum VerifyingInput<'a> {
    Mu(&'a Mu),
    Hashed(&'a HashedMessage),
    Whole(UnhashedMessage<'a>),
}

/// A message in memory, or its digest, with the options for its signature. Signing and verifying
/// hash these bytes.
///
/// ```
/// use fndsa::Options;
/// use fndsa::algorithm::PreHash;
/// use fndsa::message::MessageDigest;
/// use fndsa::no_alloc::UnhashedMessage;
///
/// let digest = MessageDigest::of(PreHash::Sha3_512, b"a message")?;
/// assert!(UnhashedMessage::digest(Options::default(), &digest).is_ok());
/// let options = Options::default().with_prehash(Some(PreHash::Shake256));
/// assert!(UnhashedMessage::digest(options, &digest).is_err());
/// # Ok::<(), fndsa::error::MessageError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnhashedMessage<'a> {
    /// The options. If `bytes` is a digest, the options contain the digest's hash function as the
    /// pre-hash.
    pub(super) options: Options<'a>,
    pub(super) bytes: &'a [u8],
    is_digest: bool,
}

impl<'a> UnhashedMessage<'a> {
    /// Wraps a message. If the options have a pre-hash, all functions return an error for this
    /// value, for example [`MessageError::NotHashed`].
    pub const fn message(options: Options<'a>, bytes: &'a [u8]) -> Self {
        Self { options, bytes, is_digest: false }
    }

    /// Wraps the digest of a message.
    ///
    /// # Errors
    /// Returns an error if the pre-hash in the options is not the digest's hash function.
    pub fn digest(options: Options<'a>, digest: &'a MessageDigest) -> Result<Self, MessageError> {
        Ok(Self { options: options.of_digest(digest)?, bytes: digest.as_bytes(), is_digest: true })
    }

    /// Wraps a message or a digest. If the options have a pre-hash, `bytes` must be a digest.
    #[cfg(feature = "alloc")]
    pub(super) const fn prepared(options: Options<'a>, bytes: &'a [u8]) -> Self {
        Self { options, bytes, is_digest: options.prehash.is_some() }
    }

    /// Checks that the algorithm supports the options. If `bytes` is a message and not a digest,
    /// also checks that the options have no pre-hash.
    pub(super) fn check(&self, algorithm: Algorithm) -> Result<(), MessageError> {
        if self.is_digest { self.options.check(algorithm) } else { self.options.check_no_prehash(algorithm) }
    }
}

impl<'a> From<UnhashedMessage<'a>> for MessageToVerify<'a> {
    fn from(message: UnhashedMessage<'a>) -> Self {
        Self(VerifyingInput::Whole(message))
    }
}

impl<'a> From<&'a Mu> for MessageToVerify<'a> {
    fn from(mu: &'a Mu) -> Self {
        Self(VerifyingInput::Mu(mu))
    }
}

impl<'a> From<&'a HashedMessage> for MessageToVerify<'a> {
    #[inline(always)]
    fn from(hashed: &'a HashedMessage) -> Self {
        Self(hashed.mu.as_ref().map_or(VerifyingInput::Hashed(hashed), VerifyingInput::Mu))
    }
}

impl<'a> MessageToVerify<'a> {
    /// Wraps a message in memory. The verification hashes the message, because the hash can depend
    /// on the key. If the options have a pre-hash, the verification fails: use [`Self::digest`].
    pub const fn message(options: Options<'a>, bytes: &'a [u8]) -> Self {
        Self(VerifyingInput::Whole(UnhashedMessage::message(options, bytes)))
    }

    /// Wraps the digest of a message.
    ///
    /// # Errors
    /// Returns an error if the pre-hash in the options is not the digest's hash function.
    pub fn digest(options: Options<'a>, digest: &'a MessageDigest) -> Result<Self, MessageError> {
        Ok(Self(VerifyingInput::Whole(UnhashedMessage::digest(options, digest)?)))
    }

    /// Returns the message if it is not hashed yet.
    #[inline(always)]
    pub(super) const fn in_memory(self) -> Option<UnhashedMessage<'a>> {
        match self.0 {
            VerifyingInput::Whole(message) => Some(message),
            VerifyingInput::Mu(_) | VerifyingInput::Hashed(_) => None,
        }
    }

    /// Returns the `mu`, if the message was hashed to a `mu`.
    pub(super) fn mu(self) -> Option<&'a [u8; MU_LEN]> {
        match self.0 {
            VerifyingInput::Mu(mu) => Some(&mu.0),
            VerifyingInput::Hashed(_) | VerifyingInput::Whole(_) => None,
        }
    }

    /// Returns the message for Ed25519 or a composite.
    #[cfg(feature = "ed25519")]
    pub(super) fn sha512(self) -> Option<&'a Sha512Message> {
        match self.0 {
            VerifyingInput::Hashed(hashed) => hashed.sha512.as_ref(),
            VerifyingInput::Mu(_) | VerifyingInput::Whole(_) => None,
        }
    }

    /// Returns the input from which the engine computes the point (the polynomial c in Falcon).
    /// Returns `None` in three cases:
    ///
    /// - The message is not hashed yet.
    /// - The message is a mu, and the scheme has no mu.
    /// - The message was hashed for a scheme that is not `scheme`, or with a nonce that is not the
    ///   nonce in `signature`.
    ///
    /// A mu does not contain its scheme, so this function cannot compare the scheme of a mu.
    pub(super) fn point(self, scheme: Scheme, signature: &[u8]) -> Option<PointSource<'a>> {
        match self.0 {
            VerifyingInput::Mu(mu) => scheme.has_mu().then_some(PointSource::Mu(&mu.0)),
            VerifyingInput::Hashed(hashed) => {
                let is_same = hashed.scheme == scheme && signature.get(1..=NONCE_LEN) == Some(&hashed.nonce[..]);
                is_same.then_some(PointSource::Absorbed(&hashed.sponge))
            }
            VerifyingInput::Whole(_) => None,
        }
    }
}
