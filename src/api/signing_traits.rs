//! Implements the traits from crate `signature` for private keys, as `traits` does for public keys.
//! `Signer` does not use a pre-hash. `DigestSigner` uses the digest's hash function as the
//! pre-hash.

use super::{Attempt, MessageToSign, Options, SignError, Signature, SigningHasher, SigningKey, VerifyingKey};
#[cfg(feature = "sha2")]
use super::{PreHash, UnhashedMessage, traits::digest_of};
use alloc::string::ToString;
use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
#[cfg(feature = "sha2")]
use signature::{DigestSigner, RandomizedDigestSigner};
use signature::{Error, Keypair, MultipartSigner, RandomizedMultipartSigner, RandomizedSigner, Signer};

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        Self::verifying_key(self)
    }
}

/// Signs without randomness: with the deterministic variant of ML-DSA, with Ed25519, or with a
/// composite of both. Keys of the Falcon family need randomness: `try_sign` returns an error and
/// `sign` panics, so use `RandomizedSigner` for these keys. Call `Signer::sign(&key, message)`,
/// because `key.sign` is the method [`SigningKey::sign`].
impl Signer<Signature> for SigningKey {
    fn try_sign(&self, msg: &[u8]) -> Result<Signature, Error> {
        self.try_multipart_sign(&[msg])
    }
}

impl MultipartSigner<Signature> for SigningKey {
    fn try_multipart_sign(&self, msg: &[&[u8]]) -> Result<Signature, Error> {
        let mut attempt = [Attempt::EMPTY];
        let options = Options::default();
        let rng = &mut FailingGenerator;
        let mut builder =
            SigningHasher::new(self.level(), self.algorithm(), &self.key_hash(), options, &mut attempt, rng)
                .map_err(not_deterministic)?;
        for piece in msg {
            builder.update(piece);
        }
        self.sign_without_randomness(builder.finish())
    }
}

impl SigningKey {
    fn sign_without_randomness(&self, message: MessageToSign<'_>) -> Result<Signature, Error> {
        self.signed(|key, signature, work| key.sign_deterministic(self.level(), message, signature, work))
            .map_err(|e: SignError<Infallible>| Error::from_source(e.to_string()))
    }
}

/// Converts an error from a hasher that uses [`FailingGenerator`]. Any error except
/// [`SignError::Message`] means that the scheme needs randomness.
fn not_deterministic(error: SignError<Error>) -> Error {
    match error {
        SignError::Message(error) => Error::from_source(error),
        _ => Error::from_source("the algorithm has no deterministic signatures"),
    }
}

/// A generator that always fails. If a scheme reads from this generator, the scheme cannot sign
/// without randomness, and the signing function returns an error.
struct FailingGenerator;

impl TryRng for FailingGenerator {
    type Error = Error;

    fn try_next_u32(&mut self) -> Result<u32, Error> {
        Err(Error::new())
    }

    fn try_next_u64(&mut self) -> Result<u64, Error> {
        Err(Error::new())
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Error> {
        Err(Error::new())
    }
}

impl TryCryptoRng for FailingGenerator {}

impl RandomizedSigner<Signature> for SigningKey {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(&self, rng: &mut R, msg: &[u8]) -> Result<Signature, Error> {
        self.try_multipart_sign_with_rng(rng, &[msg])
    }
}

impl RandomizedMultipartSigner<Signature> for SigningKey {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        mut rng: &mut R,
        msg: &[&[u8]],
    ) -> Result<Signature, Error> {
        let mut signer = self.signer(Options::default(), &mut rng).map_err(Error::from_source)?;
        msg.iter().for_each(|piece| signer.update(piece));
        signer.finish(&mut rng).map_err(Error::from_source)
    }
}

/// Implements the traits for digests. Each argument is the name of a hash function in crate `sha2`,
/// and also the name of its pre-hash.
#[cfg(feature = "sha2")]
macro_rules! digests {
    ($($hash:ident),+) => {$(
        /// Signs a digest without randomness, as [`Signer`] signs a message.
        impl DigestSigner<sha2::$hash, Signature> for SigningKey {
            fn try_sign_digest<F: Fn(&mut sha2::$hash) -> Result<(), Error>>(&self, f: F) -> Result<Signature, Error> {
                let digest = digest_of(PreHash::$hash, f)?;
                let mut attempt = [Attempt::EMPTY];
                let (options, rng) = (Options::default(), &mut FailingGenerator);
                let (level, algorithm) = (self.level(), self.algorithm());
                let message = UnhashedMessage::digest(options, &digest).map_err(Error::from_source)?;
                let message =
                    MessageToSign::hash(level, algorithm, &self.key_hash(), message, &mut attempt, rng);
                self.sign_without_randomness(message.map_err(not_deterministic)?)
            }
        }

        impl RandomizedDigestSigner<sha2::$hash, Signature> for SigningKey {
            fn try_sign_digest_with_rng<
                R: TryCryptoRng + ?Sized,
                F: Fn(&mut sha2::$hash) -> Result<(), Error>,
            >(
                &self,
                rng: &mut R,
                f: F,
            ) -> Result<Signature, Error> {
                let digest = digest_of(PreHash::$hash, f)?;
                self.sign_digest(Options::default(), &digest, rng).map_err(Error::from_source)
            }
        }
    )+};
}
#[cfg(feature = "sha2")]
digests!(Sha256, Sha384, Sha512, Sha512_256);
