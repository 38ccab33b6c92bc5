//! Hashes messages for signatures in any scheme, in pieces. The memory is constant, except if a
//! message is hashed to sign it with Ed25519 ([`Scheme::keeps_message`]).
//!
//! Ed25519 and composites hash with SHA-512, as `ed25519.rs` and `composite.rs` explain. FN-DSA and
//! ML-DSA first hash the message to [`Mu`]. The other schemes in the Falcon family hash a nonce
//! before the message. So to verify, the caller must pass the signature, which contains the nonce,
//! before the message. To sign, several nonces are drawn first, and the message is hashed after
//! each nonce. If an attempt fails, the next attempt uses the next nonce.

use super::algorithm::{Algorithm, FamilyAlgorithm, Scheme};
use super::{KeyHash, MessageDigest, MessageError, Mu, Options, SignError};
#[cfg(feature = "ed25519")]
use super::{composite::CompositeMessage, ed25519::MessageForEd25519, sha512::Sha512Message};
use crate::engine::falcon::params::{MAX_SIGN_ATTEMPTS, NONCE_LEN};
use crate::engine::falcon::point::PointSource;
use crate::engine::falcon::sign::{self, Attempt};
use crate::engine::falcon::signature::SplitSignature;
use crate::engine::hash::message::{MU_LEN, MessagePrefix, message_start, output};
use crate::engine::hash::shake::{Shake256, Sponge};
use crate::simd::{Level, on_level};
use rand_core::TryCryptoRng;

/// Returns a sponge that has absorbed all inputs before the message. Range: the caller has checked
/// `options`.
pub(super) fn level_start(
    level: Level,
    scheme: Scheme,
    nonce: &[u8; NONCE_LEN],
    key: &KeyHash,
    options: Options<'_>,
) -> Sponge {
    let front = MessagePrefix { nonce, key_hash: &key.0, prehash: options.prehash, context: options.context };
    on_level!(level, |isa = integers| message_start(isa, scheme.hashing(), front).suspend())
}

/// Absorbs the next piece of the message.
pub(super) fn level_absorb(level: Level, sponge: &mut Sponge, data: &[u8]) {
    on_level!(level, |isa = integers| {
        let mut h = Shake256::resume(isa, core::mem::replace(sponge, Sponge::EMPTY));
        h.absorb(data);
        *sponge = h.suspend();
    });
}

/// Returns the first 64 bytes of output.
pub(super) fn level_output(level: Level, sponge: Sponge) -> [u8; MU_LEN] {
    on_level!(level, |isa = integers| output(Shake256::resume(isa, sponge)))
}

/// A message that was hashed to verify a signature. In FN-DSA and ML-DSA, this is the `mu`. If the
/// scheme hashes a nonce before the message, this value only fits the signature with this nonce.
#[derive(Clone)]
pub struct HashedMessage {
    scheme: Scheme,
    nonce: [u8; NONCE_LEN],
    sponge: Sponge,
    mu: Option<Mu>,
    /// The message for Ed25519 or a composite. `None` in all other schemes.
    #[cfg(feature = "ed25519")]
    sha512: Option<Sha512Message>,
}

impl From<Mu> for HashedMessage {
    fn from(mu: Mu) -> Self {
        Self { mu: Some(mu), ..Self::begun(Scheme::FnDsa, [0; NONCE_LEN], Sponge::EMPTY) }
    }
}

impl HashedMessage {
    /// Returns the state before the first piece of the message.
    const fn begun(scheme: Scheme, nonce: [u8; NONCE_LEN], sponge: Sponge) -> Self {
        Self {
            scheme,
            nonce,
            sponge,
            mu: None,
            #[cfg(feature = "ed25519")]
            sha512: None,
        }
    }

    /// Hashes a digest to verify a signature. `key` is the public key's hash, as for
    /// [`VerifyingHasher::new`].
    ///
    /// # Errors
    /// Returns an error if the scheme does not support the options or the digest, if the options
    /// have another pre-hash, or if `signature` does not have the length and the first byte of this
    /// algorithm.
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

    /// Returns the hashed message from the attempt that made this signature, so that you can verify
    /// the signature without reading the message again.
    ///
    /// Returns `None` if no attempt has the nonce of the signature, or if the scheme does not hash
    /// a nonce before the message. In the second case, use [`MessageToSign::hashed`].
    pub fn of_attempt(scheme: Scheme, attempts: &[Attempt], signature: &[u8]) -> Option<Self> {
        let nonce = signature.get(1..=NONCE_LEN)?;
        let attempt = attempts.iter().find(|attempt| scheme.hashes_nonce() && attempt.nonce[..] == *nonce)?;
        Some(Self::begun(scheme, attempt.nonce, attempt.sponge.clone()))
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
/// /// Whether `signature` is one of Falcon for the pieces of a message.
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
    /// Starts a message. `key` is the public key's hash: [`VerifyingKeyRef::bound_hash`] returns
    /// it, and computes it only for schemes that use it.
    ///
    /// [`VerifyingKeyRef::bound_hash`]: super::VerifyingKeyRef::bound_hash
    ///
    /// # Errors
    /// Returns an error if the scheme does not support the options, if the options have a pre-hash
    /// (use [`HashedMessage::of_digest`]), or if `signature` does not have the length and the first
    /// byte of this algorithm.
    pub fn new(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        options: Options<'_>,
        signature: &[u8],
    ) -> Result<Self, MessageError> {
        options.check_unhashed(algorithm)?;
        Self::start(level, algorithm, key, options, signature)
    }

    /// Starts a message or a digest. Range: if the options have a pre-hash, the caller passes a
    /// digest of this pre-hash.
    pub(super) fn start(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        options: Options<'_>,
        signature: &[u8],
    ) -> Result<Self, MessageError> {
        let scheme = algorithm.scheme();
        options.check(algorithm)?;
        let refused = MessageError::Signature { algorithm };
        let nonce = match algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                *SplitSignature::new(algorithm, signature).map_err(|_| refused)?.nonce
            }
            _ if signature.len() == algorithm.signature_len() => [0; NONCE_LEN],
            _ => return Err(refused),
        };
        let hashed = HashedMessage::begun(scheme, nonce, level_start(level, scheme, &nonce, key, options));
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
        level_absorb(self.level, &mut self.hashed.sponge, data);
    }

    /// Ends the message, and returns the hashed message.
    pub fn finish(self) -> HashedMessage {
        let mut hashed = self.hashed;
        if hashed.scheme.has_mu() {
            hashed.mu = Some(Mu(level_output(self.level, core::mem::replace(&mut hashed.sponge, Sponge::EMPTY))));
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

/// A message in memory, or its digest, with the options for its signature.
///
/// ```
/// use fndsa::Options;
/// use fndsa::algorithm::PreHash;
/// use fndsa::error::MessageError;
/// use fndsa::message::MessageDigest;
/// use fndsa::no_alloc::UnhashedMessage;
///
/// let digest = MessageDigest::of(PreHash::Sha3_512, b"a message")?;
/// assert!(UnhashedMessage::digest(Options::default(), &digest).is_ok());
/// let options = Options::default().with_prehash(Some(PreHash::Shake256));
/// assert!(UnhashedMessage::digest(options, &digest).is_err());
/// # Ok::<(), MessageError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnhashedMessage<'a> {
    /// The options. If `bytes` is a digest, they have its pre-hash.
    pub(super) options: Options<'a>,
    pub(super) bytes: &'a [u8],
    is_digest: bool,
}

impl<'a> UnhashedMessage<'a> {
    /// Wraps a message. If the options have a pre-hash, all functions return
    /// [`MessageError::NotHashed`] for this value.
    pub const fn message(options: Options<'a>, bytes: &'a [u8]) -> Self {
        Self { options, bytes, is_digest: false }
    }

    /// Wraps the digest of a message.
    ///
    /// # Errors
    /// Returns an error if the options have another pre-hash.
    pub fn digest(options: Options<'a>, digest: &'a MessageDigest) -> Result<Self, MessageError> {
        Ok(Self { options: options.of_digest(digest)?, bytes: digest.as_bytes(), is_digest: true })
    }

    /// Wraps a message without a pre-hash, or a digest. Range: `bytes` is a digest if the options
    /// have a pre-hash.
    #[cfg(feature = "alloc")]
    pub(super) const fn prepared(options: Options<'a>, bytes: &'a [u8]) -> Self {
        Self { options, bytes, is_digest: options.prehash.is_some() }
    }

    /// Checks that the algorithm supports the options, and that a message has no pre-hash.
    pub(super) fn check(&self, algorithm: Algorithm) -> Result<(), MessageError> {
        if self.is_digest { self.options.check(algorithm) } else { self.options.check_unhashed(algorithm) }
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
    /// on the key. It fails if the options have a pre-hash: use [`Self::digest`].
    pub const fn message(options: Options<'a>, bytes: &'a [u8]) -> Self {
        Self(VerifyingInput::Whole(UnhashedMessage::message(options, bytes)))
    }

    /// Wraps the digest of a message.
    ///
    /// # Errors
    /// Returns an error if the options have another pre-hash.
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

    /// Returns the `mu`, if the message was hashed to it.
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

    /// Returns the input for hashing to the point. `None` if the message is not hashed yet, or was
    /// hashed for another scheme or with a nonce that is not the nonce in `signature`.
    pub(super) fn point(self, scheme: Scheme, signature: &[u8]) -> Option<PointSource<'a>> {
        match self.0 {
            VerifyingInput::Mu(mu) => scheme.has_mu().then_some(PointSource::Mu(&mu.0)),
            VerifyingInput::Hashed(hashed) => {
                let same = hashed.scheme == scheme && signature.get(1..=NONCE_LEN) == Some(&hashed.nonce[..]);
                same.then_some(PointSource::Absorbed(&hashed.sponge))
            }
            VerifyingInput::Whole(_) => None,
        }
    }
}

/// Hashes a message in pieces, to sign it. The caller keeps the attempts and passes them to each
/// method.
pub(super) struct AttemptsBuilder {
    level: Level,
    scheme: Scheme,
    key: Option<KeyHash>,
    /// The message for Ed25519 or a composite. `None` in all other schemes.
    #[cfg(feature = "ed25519")]
    sha512: Option<Sha512Message>,
}

impl AttemptsBuilder {
    /// Returns the elements of `attempts` that the scheme uses: up to 27 if it hashes a nonce,
    /// otherwise one, because it hashes the message only once.
    fn used(scheme: Scheme, attempts: &mut [Attempt]) -> &mut [Attempt] {
        let len = attempts.len().min(if scheme.hashes_nonce() { MAX_SIGN_ATTEMPTS.into() } else { 1 });
        &mut attempts[..len]
    }

    /// Draws a nonce for each attempt, if the scheme hashes a nonce before the message. Range: if
    /// the options have a pre-hash, the caller passes a digest of this pre-hash.
    ///
    /// # Errors
    /// Fails if the scheme does not support the options or cannot sign, if there are no attempts,
    /// or if the generator fails.
    pub(super) fn start<R: TryCryptoRng + ?Sized>(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        options: Options<'_>,
        attempts: &mut [Attempt],
        rng: &mut R,
    ) -> Result<Self, SignError<R::Error>> {
        let scheme = algorithm.scheme();
        options.check(algorithm).map_err(SignError::Message)?;
        if !scheme.can_sign() {
            return Err(SignError::VerifyOnly);
        }
        let attempts = Self::used(scheme, attempts);
        if attempts.is_empty() {
            return Err(SignError::Attempts);
        }
        for attempt in attempts {
            let nonce = &mut attempt.nonce;
            if scheme.hashes_nonce() {
                rng.try_fill_bytes(nonce).map_err(SignError::Rng)?;
            }
            attempt.sponge = level_start(level, scheme, nonce, key, options);
        }
        Ok(Self {
            level,
            scheme,
            key: scheme.binds_key().then_some(*key),
            #[cfg(feature = "ed25519")]
            sha512: Sha512Message::to_sign(scheme, options),
        })
    }

    /// Adds the next piece of the message, or the digest.
    pub(super) fn update(&mut self, attempts: &mut [Attempt], data: &[u8]) {
        #[cfg(feature = "ed25519")]
        if let Some(message) = &mut self.sha512 {
            return message.update(data);
        }
        for attempt in Self::used(self.scheme, attempts) {
            level_absorb(self.level, &mut attempt.sponge, data);
        }
    }

    /// Ends the message, and returns the hashed message.
    pub(super) fn finish(self, attempts: &mut [Attempt]) -> MessageToSign<'_> {
        #[cfg(feature = "ed25519")]
        if let Some(message) = self.sha512 {
            return MessageToSign { key: self.key, what: SigningInput::Sha512(message) };
        }
        let key = self.key;
        let attempts = Self::used(self.scheme, attempts);
        if self.scheme.hashes_nonce() {
            return MessageToSign { key, what: SigningInput::Attempts(self.scheme, attempts) };
        }
        let sponge = attempts.first_mut().map(|attempt| core::mem::replace(&mut attempt.sponge, Sponge::EMPTY));
        let mu = Mu(level_output(self.level, sponge.unwrap_or(Sponge::EMPTY)));
        MessageToSign { key, what: SigningInput::Mu(mu) }
    }
}

/// Hashes a message in pieces, to sign it.
pub struct SigningHasher<'w> {
    hashing: AttemptsBuilder,
    attempts: &'w mut [Attempt],
}

impl<'w> SigningHasher<'w> {
    /// Draws a nonce for each of the `attempts`, if the scheme hashes a nonce before the message.
    ///
    /// An attempt fails with a probability of 1/2450 at degree 512 and 1/820 at degree 1024, and
    /// often at toy degrees. For each element, the message is hashed once. If you can read the
    /// message again after a failure, one element is enough. If you cannot, use four. Elements
    /// after the first 27 are not used. FN-DSA uses only one element, because all its attempts
    /// start from one `mu`.
    ///
    /// # Errors
    /// Returns an error if the scheme does not support the options or cannot sign, if the options
    /// have a pre-hash (use [`MessageToSign::hash`]), if there are no attempts, or if the
    /// generator fails.
    pub fn new<R: TryCryptoRng + ?Sized>(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        options: Options<'_>,
        attempts: &'w mut [Attempt],
        rng: &mut R,
    ) -> Result<Self, SignError<R::Error>> {
        options.check_unhashed(algorithm).map_err(SignError::Message)?;
        Ok(Self { hashing: AttemptsBuilder::start(level, algorithm, key, options, attempts, rng)?, attempts })
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.hashing.update(self.attempts, data);
    }

    /// Ends the message, and returns the hashed message.
    pub fn finish(self) -> MessageToSign<'w> {
        self.hashing.finish(self.attempts)
    }
}

/// A message to sign: a `mu`, or a message that was hashed with its nonces. Make only one signature
/// from it: in Falcon and FN-DSA-2024, two signatures with the same nonce reveal the private key.
pub struct MessageToSign<'w> {
    /// The public key's hash. `None` if it was not hashed, or if the caller passed a `mu`.
    pub(super) key: Option<KeyHash>,
    pub(super) what: SigningInput<'w>,
}

/// The result of hashing a message to sign it.
pub(super) enum SigningInput<'w> {
    Mu(Mu),
    Attempts(Scheme, &'w mut [Attempt]),
    #[cfg(feature = "ed25519")]
    Sha512(Sha512Message),
}

impl From<&Mu> for MessageToSign<'_> {
    fn from(mu: &Mu) -> Self {
        Self { key: None, what: SigningInput::Mu(*mu) }
    }
}

impl<'w> MessageToSign<'w> {
    /// Hashes a message in memory or a digest to sign it, and draws a nonce for each of the
    /// `attempts` if the scheme hashes a nonce. [`SigningHasher::new`] explains the arguments.
    ///
    /// # Errors
    /// Returns an error if the scheme does not support the options or cannot sign, if a message
    /// that is not a digest has a pre-hash, if there are no attempts, or if the generator fails.
    pub fn hash<R: TryCryptoRng + ?Sized>(
        level: Level,
        algorithm: Algorithm,
        key: &KeyHash,
        message: UnhashedMessage<'_>,
        attempts: &'w mut [Attempt],
        rng: &mut R,
    ) -> Result<Self, SignError<R::Error>> {
        message.check(algorithm).map_err(SignError::Message)?;
        let mut hashing = AttemptsBuilder::start(level, algorithm, key, message.options, attempts, rng)?;
        hashing.update(attempts, message.bytes);
        Ok(hashing.finish(attempts))
    }
}

impl MessageToSign<'_> {
    /// Returns the `mu`, or `None` if the scheme has no `mu`.
    pub const fn mu(&self) -> Option<&Mu> {
        match &self.what {
            SigningInput::Mu(mu) => Some(mu),
            _ => None,
        }
    }

    /// Returns the hashed message, to verify the signature. `None` if the scheme hashes a nonce,
    /// because the signature shows which nonce was used: call [`HashedMessage::of_attempt`] with
    /// the signature.
    pub fn hashed(&self) -> Option<HashedMessage> {
        match &self.what {
            SigningInput::Mu(mu) => Some(HashedMessage::from(*mu)),
            SigningInput::Attempts(..) => None,
            #[cfg(feature = "ed25519")]
            SigningInput::Sha512(message) => Some(HashedMessage {
                sha512: Some(message.clone()),
                ..HashedMessage::begun(message.scheme(), [0; NONCE_LEN], Sponge::EMPTY)
            }),
        }
    }

    /// Returns the message for Ed25519. Fails if it is for a different scheme or for a different
    /// key.
    #[cfg(feature = "ed25519")]
    pub(super) fn ed25519<E>(&self, key: &KeyHash) -> Result<&MessageForEd25519, SignError<E>> {
        let SigningInput::Sha512(message) = &self.what else { return Err(SignError::OtherScheme) };
        self.is_for(key)?;
        message.ed25519().ok_or(SignError::OtherScheme)
    }

    /// Returns the message for a composite. Fails if it is for a different scheme.
    #[cfg(feature = "ed25519")]
    pub(super) fn composite<E>(&self) -> Result<&CompositeMessage, SignError<E>> {
        let SigningInput::Sha512(message) = &self.what else { return Err(SignError::OtherScheme) };
        message.composite().ok_or(SignError::OtherScheme)
    }

    /// Returns the `mu`. Fails if there is no `mu`, or if it is for a different key.
    pub(super) fn mu_for<E>(&self, key: &KeyHash) -> Result<&[u8; MU_LEN], SignError<E>> {
        let SigningInput::Mu(mu) = &self.what else { return Err(SignError::OtherScheme) };
        self.is_for(key)?;
        Ok(&mu.0)
    }

    /// Checks that the message was not hashed for a different key.
    fn is_for<E>(&self, key: &KeyHash) -> Result<(), SignError<E>> {
        if self.key.as_ref().is_some_and(|hashed| hashed != key) { Err(SignError::OtherKey) } else { Ok(()) }
    }

    /// Calls `f` with the input for the engine of the Falcon family. Fails unless the message is
    /// for this scheme and for this key.
    pub(super) fn with<R, E>(
        &self,
        scheme: Scheme,
        key: &KeyHash,
        f: impl FnOnce(sign::AttemptSource<'_>) -> R,
    ) -> Result<R, SignError<E>> {
        self.source(scheme, key).map(f)
    }

    /// Returns the input for the engine of the Falcon family. Fails unless the message is for this
    /// scheme and key. Range: the caller must not make two different signatures from this input,
    /// but may compute the same signature twice.
    pub(super) fn source<E>(&self, scheme: Scheme, key: &KeyHash) -> Result<sign::AttemptSource<'_>, SignError<E>> {
        let what = match &self.what {
            SigningInput::Mu(mu) if scheme.has_mu() => sign::AttemptSource::Mu(&mu.0),
            SigningInput::Attempts(of, attempts) if *of == scheme => sign::AttemptSource::Attempts(attempts),
            _ => return Err(SignError::OtherScheme),
        };
        self.is_for(key)?;
        Ok(what)
    }
}
