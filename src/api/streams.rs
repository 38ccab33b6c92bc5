//! Signs and verifies messages in pieces, with keys that own their bytes.

use super::message::AttemptsBuilder;
use super::verifying::hash_message;
use super::{Error, MessageError, Options, PreHasher, Signature, SigningKey, VerifyingHasher, VerifyingKey};
use crate::engine::falcon::sign::Attempt;
use crate::simd::Level;
use alloc::vec;
use rand_core::TryCryptoRng;

/// Signs a message that is passed in pieces.
///
/// With the feature `std`, this type implements `std::io::Write`, so that you can sign a file with
/// `std::io::copy`:
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
    /// The hash of the message, if the options have a pre-hash.
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

    /// Adds the next piece of the message. If the options have a pre-hash, it is applied to the
    /// message.
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

/// Verifies a signature for a message that is passed in pieces.
///
/// With the feature `std`, this type implements `std::io::Write`, so that you can verify a file
/// with `std::io::copy`:
///
/// ```
/// use fndsa::{Algorithm, Options, SigningKey};
/// # let key = SigningKey::generate(Algorithm::FALCON_1024, &mut getrandom::SysRng)?;
/// # let signature = key.sign(Options::default(), b"a message, in pieces", &mut getrandom::SysRng)?;
/// let public = key.verifying_key();
/// let mut verifier = public.verifier(Options::default(), signature.as_bytes())?;
/// verifier.update(b"a message, ");
/// verifier.update(b"in pieces");
/// verifier.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MessageVerifier<'k> {
    key: &'k VerifyingKey,
    /// The hash of the message, if the options have a pre-hash.
    prehash: Option<PreHasher>,
    hashing: VerifyingHasher,
    signature: &'k [u8],
}

impl<'k> MessageVerifier<'k> {
    pub(super) fn new(key: &'k VerifyingKey, options: Options<'_>, signature: &'k [u8]) -> Result<Self, Error> {
        let hashing =
            hash_message(key.level(), key.algorithm(), &key.to_ref().bound_hash(key.level()), options, signature)?;
        let prehash = prehasher(key.level(), options)?;
        Ok(Self { key, prehash, hashing, signature })
    }

    /// Adds the next piece of the message. If the options have a pre-hash, it is applied to the
    /// message.
    pub fn update(&mut self, data: &[u8]) {
        match &mut self.prehash {
            Some(prehash) => prehash.update(data),
            None => self.hashing.update(data),
        }
    }

    /// Ends the message, and verifies the signature.
    ///
    /// # Errors
    /// Returns an error if the signature is not valid. The signature is valid only if this function
    /// returns `Ok`.
    pub fn finish(mut self) -> Result<(), Error> {
        if let Some(prehash) = self.prehash {
            self.hashing.update(prehash.finish().as_bytes());
        }
        let hashed = self.hashing.finish();
        let mut work = vec![0; self.key.algorithm().verify_fast_work_len()];
        Ok(self.key.to_ref().verify(self.key.level(), &hashed, self.signature, &mut work)?)
    }
}

/// Starts the pre-hash if the options have one.
fn prehasher(level: Level, options: Options<'_>) -> Result<Option<PreHasher>, MessageError> {
    options.prehash.map(|hash| PreHasher::new(level, hash)).transpose()
}

/// Implements `std::io::Write`. Writing never fails.
#[cfg(feature = "std")]
macro_rules! write {
    ($($name:ident),+) => {$(
        impl std::io::Write for $name<'_> {
            fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
    )+};
}
#[cfg(feature = "std")]
write!(MessageSigner, MessageVerifier);
