//! Hashes messages in memory, to sign them in any scheme. Several messages can be hashed together.

use super::algorithm::Algorithm;
#[cfg(feature = "alloc")]
use super::algorithm::Scheme;
use super::message::UnhashedMessage;
#[cfg(feature = "ed25519")]
use super::sha512::Sha512Message;
use super::signing_message::{MessageToSign, SigningInput};
use super::{KeyHash, Mu, Options, SignError};
use crate::engine::falcon::sign::Attempt;
use crate::engine::hash::message::{BoundKey, MU_LEN, PrefixedMessage};
use crate::engine::hash::shake::Shake256;
#[cfg(feature = "alloc")]
use crate::engine::hash::{
    message::{MessagePrefix, message_start, outputs_into},
    shake::{KECCAK_STATES, Sponge},
    together::absorb_together,
};
use crate::simd::{Level, on_level};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use rand_core::TryCryptoRng;

/// Hashes up to [`KECCAK_STATES`] messages together, all with the same options, and returns the
/// inputs to sign. If the options have a pre-hash, `messages` are digests. If the scheme hashes a
/// nonce, each message is hashed after the nonce in its element of `attempts`. The scheme must be
/// able to sign, must support the options, and must not be Ed25519 or a composite. `attempts` must
/// have an element for each message.
#[cfg(feature = "alloc")]
pub(super) fn hash_together<'w>(
    level: Level,
    scheme: Scheme,
    key: KeyHash,
    options: Options<'_>,
    attempts: &'w mut [Attempt],
    messages: &[&[u8]],
) -> Vec<MessageToSign<'w>> {
    let mut mus = [[0; MU_LEN]; KECCAK_STATES];
    on_level!(level, |isa = integers| {
        let mut sponges = [const { None }; KECCAK_STATES];
        let mut lanes: [&[u8]; KECCAK_STATES] = [&[]; KECCAK_STATES];
        for ((sponge, attempt), (lane, message)) in sponges.iter_mut().zip(&*attempts).zip(lanes.iter_mut().zip(messages)) {
            let Options { context, prehash, .. } = options;
            let prefix = MessagePrefix { nonce: &attempt.nonce, key_hash: &key.0, prehash, context };
            *sponge = Some(message_start(isa, scheme.hashing(), prefix));
            *lane = message;
        }
        absorb_together(isa, &mut sponges, lanes);
        if scheme.has_mu() {
            outputs_into(isa, sponges, &mut mus);
        } else {
            for (attempt, sponge) in attempts.iter_mut().zip(sponges) {
                attempt.sponge = sponge.map_or(Sponge::EMPTY, Shake256::suspend);
            }
        }
    });
    let key = scheme.binds_key().then_some(key);
    let messages_to_sign = attempts.chunks_mut(1).zip(mus).map(|(attempt, mu)| {
        let input = if scheme.has_mu() { SigningInput::Mu(Mu(mu)) } else { SigningInput::Attempts(scheme, attempt) };
        MessageToSign { key, input }
    });
    messages_to_sign.collect()
}

/// A message in memory, or a digest, to sign with a key.
pub(super) struct WholeMessage<'m> {
    pub(super) level: Level,
    pub(super) algorithm: Algorithm,
    /// The public key's hash.
    pub(super) key: &'m KeyHash,
    pub(super) message: UnhashedMessage<'m>,
}

impl WholeMessage<'_> {
    /// Hashes the message, and calls `sign`. In a scheme that hashes a nonce before the message,
    /// `sign` can fail with [`SignError::Attempts`]. After this error, this function draws a new
    /// nonce and tries again, up to [`Attempt::ENOUGH`] times in total.
    ///
    /// # Errors
    /// Fails if the scheme does not support the options, if the generator fails, if all attempts
    /// fail, or if `sign` returns any error except [`SignError::Attempts`].
    #[inline(always)]
    pub(super) fn sign_each_attempt<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        sign: impl FnMut(&MessageToSign<'_>, &mut R) -> Result<(), SignError<R::Error>>,
    ) -> Result<(), SignError<R::Error>> {
        if self.algorithm.scheme().hashes_nonce() {
            return self.sign_each_nonce(rng, sign);
        }
        #[cfg(feature = "ed25519")]
        let mut sign = sign;
        #[cfg(feature = "ed25519")]
        if let Some(message) = self.sha512()? {
            return sign(&message, rng);
        }
        self.through_mu(rng, sign)
    }

    /// Implements [`Self::sign_each_attempt`] for a scheme with a `mu`: calls `sign` once. This
    /// function has a separate stack frame, so the frames for other schemes do not contain the
    /// message with its `mu`.
    #[inline(never)]
    fn through_mu<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        sign: impl FnOnce(&MessageToSign<'_>, &mut R) -> Result<(), SignError<R::Error>>,
    ) -> Result<(), SignError<R::Error>> {
        let mut message = MessageToSign { key: None, input: SigningInput::Mu(Mu([0; MU_LEN])) };
        if let SigningInput::Mu(mu) = &mut message.input {
            self.mu_into(mu)?;
        }
        sign(&message, rng)
    }

    /// Implements [`Self::sign_each_attempt`] for a scheme that hashes a nonce. This function is
    /// not inlined, because it has the state of the hash function (the sponge) on the stack. Other
    /// schemes do not need this state, so their stack frame should not contain it.
    #[inline(never)]
    fn sign_each_nonce<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        mut sign: impl FnMut(&MessageToSign<'_>, &mut R) -> Result<(), SignError<R::Error>>,
    ) -> Result<(), SignError<R::Error>> {
        let key = self.algorithm.scheme().binds_key().then_some(*self.key);
        let mut attempt = Attempt::EMPTY;
        for _ in 0..Attempt::ENOUGH {
            self.attempt_into(&mut attempt, rng)?;
            let input = SigningInput::Attempts(self.algorithm.scheme(), core::slice::from_mut(&mut attempt));
            match sign(&MessageToSign { key, input }, rng) {
                Err(SignError::Attempts) => {}
                result => return result,
            }
        }
        Err(SignError::Attempts)
    }

    /// Returns the hashed message for Ed25519 or a composite, or `None` in other schemes.
    #[cfg(feature = "ed25519")]
    #[inline(never)]
    fn sha512<E>(&self) -> Result<Option<MessageToSign<'static>>, SignError<E>> {
        let PrefixedMessage { message, .. } = self.prefixed_message()?;
        let Some(mut hashing) = Sha512Message::to_sign(self.algorithm.scheme(), self.message.options) else {
            return Ok(None);
        };
        hashing.update(message);
        Ok(Some(MessageToSign { key: None, input: SigningInput::Sha512(hashing) }))
    }

    /// Checks the options, and returns the message with the data that is hashed before it.
    fn prefixed_message<E>(&self) -> Result<PrefixedMessage<'_>, SignError<E>> {
        let &WholeMessage { algorithm, key, message, .. } = self;
        message.check(algorithm).map_err(SignError::Message)?;
        if !algorithm.scheme().can_sign() {
            return Err(SignError::VerifyOnly);
        }
        let UnhashedMessage { options: Options { context, prehash, .. }, bytes, .. } = message;
        Ok(PrefixedMessage { key: BoundKey::Hash(&key.0), prehash, context, message: bytes })
    }

    /// Writes the `mu` of the message. This function has a separate stack frame, so the stack does
    /// not contain the sponge while the message is signed.
    #[inline(never)]
    fn mu_into<E>(&self, mu: &mut Mu) -> Result<(), SignError<E>> {
        let prefixed = self.prefixed_message()?;
        on_level!(self.level, |isa = integers| prefixed.mu_into(isa, self.algorithm.scheme().hashing(), &mut mu.0));
        Ok(())
    }

    /// Draws a nonce and hashes the message after the nonce. The stack frame is separate for the
    /// same reason as in [`Self::mu_into`].
    #[inline(never)]
    fn attempt_into<R: TryCryptoRng + ?Sized>(
        &self,
        attempt: &mut Attempt,
        rng: &mut R,
    ) -> Result<(), SignError<R::Error>> {
        let prefixed = self.prefixed_message()?;
        rng.try_fill_bytes(&mut attempt.nonce).map_err(SignError::Rng)?;
        on_level!(self.level, |isa = integers| {
            let mut h = Shake256::new(isa);
            prefixed.absorb_into(isa, &mut h, self.algorithm.scheme().hashing(), &attempt.nonce);
            attempt.sponge = h.suspend();
        });
        Ok(())
    }
}
