//! Signs messages in pieces, with keys that own their bytes.

use super::signing_message::AttemptsBuilder;
use super::streams::prehasher;
use super::{Error, Options, PreHasher, Signature, SigningKey};
use crate::engine::falcon::sign::Attempt;
use rand_core::TryCryptoRng;

/// Signs a message that is passed in pieces.
///
/// With the feature `std`, this type implements `std::io::Write`, so that you can sign a file with
/// `std::io::copy`. This example adds two pieces without `std`:
///
/// ```
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
/// let mut signer = key.signer(Options::default(), &mut SysRng)?;
/// signer.update(b"a message, ");
/// signer.update(b"in pieces");
/// let signature = signer.finish(&mut SysRng)?;
/// key.verifying_key().verify(Options::default(), b"a message, in pieces", &signature)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MessageSigner<'k> {
    key: &'k SigningKey,
    /// The pre-hash state, if the options have a pre-hash.
    prehash: Option<PreHasher>,
    hashing: AttemptsBuilder,
    attempts: [Attempt; Attempt::OF_STREAM],
}

impl<'k> MessageSigner<'k> {
    pub(super) fn new<R: TryCryptoRng + ?Sized>(
        key: &'k SigningKey,
        options: Options<'_>,
        rng: &mut R,
    ) -> Result<Self, Error> {
        let mut attempts = [Attempt::EMPTY; Attempt::OF_STREAM];
        let hashing =
            AttemptsBuilder::start(key.level(), key.algorithm(), &key.key_hash(), options, &mut attempts, rng)?;
        let prehash = prehasher(key.level(), options)?;
        Ok(Self { key, prehash, hashing, attempts })
    }

    /// Adds the next piece of the message. If the options have a pre-hash, the signer computes the
    /// digest of the message, and signs this digest.
    pub fn update(&mut self, data: &[u8]) {
        match &mut self.prehash {
            Some(prehash) => prehash.update(data),
            None => self.hashing.update(&mut self.attempts, data),
        }
    }

    /// Signs the message, and verifies the new signature.
    ///
    /// # Errors
    /// Returns an error if the generator fails, if all attempts fail, or if the machine computes
    /// wrongly.
    pub fn finish<R: TryCryptoRng + ?Sized>(mut self, rng: &mut R) -> Result<Signature, Error> {
        if let Some(prehash) = self.prehash {
            self.hashing.update(&mut self.attempts, prehash.finish().as_bytes());
        }
        let message = self.hashing.finish(&mut self.attempts);
        let level = self.key.level();
        Ok(self.key.signed(|key, signature, work| key.sign(level, message, rng, signature, work))?)
    }
}

#[cfg(feature = "std")]
super::streams::write!(MessageSigner);
