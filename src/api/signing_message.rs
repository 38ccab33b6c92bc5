//! Hashes messages in pieces, to sign them in any scheme. The memory is constant, except for
//! Ed25519 ([`Scheme::keeps_message`]).
//!
//! If the scheme hashes a nonce before the message, the hasher first draws several nonces, and
//! computes a separate hash for each: first the nonce, and then the message. If an attempt fails,
//! the next attempt uses the next nonce.

use super::algorithm::{Algorithm, Scheme};
use super::message::{HashedMessage, UnhashedMessage, absorb_at_level, output_at_level, start_at_level};
use super::{KeyHash, Mu, Options, SignError};
#[cfg(feature = "ed25519")]
use super::{composite::CompositeMessage, ed25519::MessageForEd25519, sha512::Sha512Message};
use crate::engine::falcon::params::{MAX_SIGN_ATTEMPTS, NONCE_LEN};
use crate::engine::falcon::sign::{self, Attempt};
use crate::engine::hash::message::MU_LEN;
use crate::engine::hash::shake::Sponge;
use crate::simd::Level;
use rand_core::TryCryptoRng;

impl HashedMessage {
    /// Returns the hashed message from the attempt that made this signature, so that you can verify
    /// the signature without reading the message again.
    ///
    /// Returns `None` if no attempt has the signature's nonce. Also returns `None` if the scheme
    /// does not hash a nonce before the message: in this case, use [`MessageToSign::hashed`].
    pub fn of_attempt(scheme: Scheme, attempts: &[Attempt], signature: &[u8]) -> Option<Self> {
        let nonce = signature.get(1..=NONCE_LEN)?;
        let attempt = attempts.iter().find(|attempt| scheme.hashes_nonce() && attempt.nonce[..] == *nonce)?;
        Some(Self::new_state(scheme, attempt.nonce, attempt.sponge.clone()))
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
    /// Returns the elements of `attempts` that the scheme uses. If the scheme hashes a nonce, it
    /// uses up to 27 elements. Otherwise, the message is hashed only once, so the scheme uses one
    /// element.
    fn used_attempts(scheme: Scheme, attempts: &mut [Attempt]) -> &mut [Attempt] {
        let len = attempts.len().min(if scheme.hashes_nonce() { MAX_SIGN_ATTEMPTS.into() } else { 1 });
        &mut attempts[..len]
    }

    /// Starts to hash a message. If the scheme hashes a nonce before the message, also draws a
    /// nonce for each attempt. If the options have a pre-hash, the caller must hash the message
    /// with this pre-hash, and pass the digest to [`Self::update`].
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
        let attempts = Self::used_attempts(scheme, attempts);
        if attempts.is_empty() {
            return Err(SignError::Attempts);
        }
        for attempt in attempts {
            let nonce = &mut attempt.nonce;
            if scheme.hashes_nonce() {
                rng.try_fill_bytes(nonce).map_err(SignError::Rng)?;
            }
            attempt.sponge = start_at_level(level, scheme, nonce, key, options);
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
        for attempt in Self::used_attempts(self.scheme, attempts) {
            absorb_at_level(self.level, &mut attempt.sponge, data);
        }
    }

    /// Ends the message, and returns the hashed message.
    pub(super) fn finish(self, attempts: &mut [Attempt]) -> MessageToSign<'_> {
        #[cfg(feature = "ed25519")]
        if let Some(message) = self.sha512 {
            return MessageToSign { key: self.key, input: SigningInput::Sha512(message) };
        }
        let key = self.key;
        let attempts = Self::used_attempts(self.scheme, attempts);
        if self.scheme.hashes_nonce() {
            return MessageToSign { key, input: SigningInput::Attempts(self.scheme, attempts) };
        }
        let sponge = attempts.first_mut().map(|attempt| core::mem::replace(&mut attempt.sponge, Sponge::EMPTY));
        let mu = Mu(output_at_level(self.level, sponge.unwrap_or(Sponge::EMPTY)));
        MessageToSign { key, input: SigningInput::Mu(mu) }
    }
}

/// Hashes a message in pieces, to sign it.
pub struct SigningHasher<'w> {
    hashing: AttemptsBuilder,
    attempts: &'w mut [Attempt],
}

impl<'w> SigningHasher<'w> {
    /// Starts to hash a message. If the scheme hashes a nonce before the message, also draws a
    /// nonce for each element in `attempts`.
    ///
    /// An attempt fails with a probability of 1/2450 at degree 512 and 1/820 at degree 1024. At toy
    /// degrees, which are only for tests, attempts often fail. The message is hashed once for each
    /// element in `attempts`. If you can read the message again after a failure, use one element.
    /// Otherwise, use four elements. Elements after the first 27 are not used. All schemes without
    /// a nonce, such as FN-DSA, use only one element, because the hash is the same for all
    /// attempts.
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
        options.check_no_prehash(algorithm).map_err(SignError::Message)?;
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
/// from each value: in Falcon and FN-DSA-2024, two different signatures of the same message with
/// the same nonce reveal the private key.
pub struct MessageToSign<'w> {
    /// The public key's hash, which was hashed together with the message. `check_key` compares it
    /// with the signing key's hash. `None` if the scheme does not hash the key, if the caller
    /// passed a `mu`, or if the library has hashed the message for the signing key itself.
    pub(super) key: Option<KeyHash>,
    pub(super) input: SigningInput<'w>,
}

/// The hashed input to a signing function.
pub(super) enum SigningInput<'w> {
    Mu(Mu),
    Attempts(Scheme, &'w mut [Attempt]),
    #[cfg(feature = "ed25519")]
    Sha512(Sha512Message),
}

impl From<&Mu> for MessageToSign<'_> {
    fn from(mu: &Mu) -> Self {
        Self { key: None, input: SigningInput::Mu(*mu) }
    }
}

impl<'w> MessageToSign<'w> {
    /// Hashes a message in memory, or a digest, to sign it. If the scheme hashes a nonce, also
    /// draws a nonce for each element in `attempts`. [`SigningHasher::new`] explains the arguments.
    ///
    /// # Errors
    /// Returns an error if the scheme does not support the options or cannot sign, if `message` is
    /// not a digest but its options have a pre-hash, if there are no attempts, or if the generator
    /// fails.
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
        match &self.input {
            SigningInput::Mu(mu) => Some(mu),
            _ => None,
        }
    }

    /// Returns the hashed message, to verify the signature. Returns `None` if the scheme hashes a
    /// nonce, because only the signature shows which nonce was used. In this case, call
    /// [`HashedMessage::of_attempt`] with the signature.
    pub fn hashed(&self) -> Option<HashedMessage> {
        match &self.input {
            SigningInput::Mu(mu) => Some(HashedMessage::from(*mu)),
            SigningInput::Attempts(..) => None,
            #[cfg(feature = "ed25519")]
            SigningInput::Sha512(message) => Some(HashedMessage::from(message.clone())),
        }
    }

    /// Returns the message for Ed25519. Fails if the message is for a different scheme or for a
    /// different key.
    #[cfg(feature = "ed25519")]
    pub(super) fn ed25519<E>(&self, key: &KeyHash) -> Result<&MessageForEd25519, SignError<E>> {
        let SigningInput::Sha512(message) = &self.input else { return Err(SignError::OtherScheme) };
        self.check_key(key)?;
        message.ed25519().ok_or(SignError::OtherScheme)
    }

    /// Returns the message for a composite. Fails if the message is for a different scheme.
    #[cfg(feature = "ed25519")]
    pub(super) fn composite<E>(&self) -> Result<&CompositeMessage, SignError<E>> {
        let SigningInput::Sha512(message) = &self.input else { return Err(SignError::OtherScheme) };
        message.composite().ok_or(SignError::OtherScheme)
    }

    /// Returns the `mu`. Fails if there is no `mu`, or if the `mu` is for a different key.
    pub(super) fn mu_for<E>(&self, key: &KeyHash) -> Result<&[u8; MU_LEN], SignError<E>> {
        let SigningInput::Mu(mu) = &self.input else { return Err(SignError::OtherScheme) };
        self.check_key(key)?;
        Ok(&mu.0)
    }

    /// Checks that the message was not hashed for a different key.
    fn check_key<E>(&self, key: &KeyHash) -> Result<(), SignError<E>> {
        if self.key.as_ref().is_some_and(|hashed_key| hashed_key != key) { Err(SignError::OtherKey) } else { Ok(()) }
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
    /// scheme and key. The caller must not make two different signatures from this input, but may
    /// compute the same signature twice.
    pub(super) fn source<E>(&self, scheme: Scheme, key: &KeyHash) -> Result<sign::AttemptSource<'_>, SignError<E>> {
        let input = match &self.input {
            SigningInput::Mu(mu) if scheme.has_mu() => sign::AttemptSource::Mu(&mu.0),
            SigningInput::Attempts(attempt_scheme, attempts) if *attempt_scheme == scheme => {
                sign::AttemptSource::Attempts(attempts)
            }
            _ => return Err(SignError::OtherScheme),
        };
        self.check_key(key)?;
        Ok(input)
    }
}
