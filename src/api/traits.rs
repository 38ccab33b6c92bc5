//! Implements the traits from crate `signature`, for code that is generic over algorithms.
//!
//! These traits do not support a context. `Signer` and `Verifier` do not use a pre-hash, as in
//! [`Options::default`]. `DigestSigner` and `DigestVerifier` use the pre-hash of their digest.

use super::{
    Algorithm, Attempt, MessageToSign, Options, SignError, Signature, SigningHasher, SigningKey, VerifyingKey,
};
#[cfg(feature = "sha2")]
use super::{MessageDigest, PreHash, UnhashedMessage};
use alloc::boxed::Box;
use alloc::string::ToString;
use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
#[cfg(feature = "sha2")]
use signature::{DigestSigner, DigestVerifier, RandomizedDigestSigner};
use signature::{
    Error, Keypair, MultipartSigner, MultipartVerifier, RandomizedMultipartSigner, RandomizedSigner, SignatureEncoding,
    Signer, Verifier,
};

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        Self::verifying_key(self)
    }
}

/// Signs without randomness: with the deterministic variant of ML-DSA, or with Ed25519. Keys of
/// the Falcon family need randomness: `try_sign` returns an error and `sign` panics, so use
/// `RandomizedSigner` for these keys. Call `Signer::sign(&key, message)`, because `key.sign` is the
/// method [`SigningKey::sign`].
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

/// Converts the error of a message that was hashed with [`FailingGenerator`].
fn not_deterministic(error: SignError<Error>) -> Error {
    match error {
        SignError::Message(error) => Error::from_source(error),
        _ => Error::from_source("the algorithm has no deterministic signatures"),
    }
}

/// A generator that always fails. If a scheme reads from this generator, it cannot sign without
/// randomness, and the signing function returns an error.
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

/// Parses a signature for FN-DSA, ML-DSA or Ed25519. The length and the first byte determine the
/// algorithm. This conversion does not support Falcon and FN-DSA-2024, because their signatures can
/// look like FN-DSA signatures. Parse them with [`Signature::of_algorithm`].
impl TryFrom<&[u8]> for Signature {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        for algorithm in Algorithm::all().filter(|algorithm| !algorithm.scheme().hashes_nonce()) {
            if let Ok(signature) = Self::of_algorithm(algorithm, bytes) {
                return Ok(signature);
            }
        }
        Err(Error::from_source("the bytes are no signature"))
    }
}

impl From<Signature> for Box<[u8]> {
    fn from(signature: Signature) -> Self {
        signature.as_bytes().into()
    }
}

impl SignatureEncoding for Signature {
    type Repr = Box<[u8]>;
}

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

impl Verifier<Signature> for VerifyingKey {
    fn verify(&self, msg: &[u8], signature: &Signature) -> Result<(), Error> {
        self.multipart_verify(&[msg], signature)
    }
}

impl MultipartVerifier<Signature> for VerifyingKey {
    fn multipart_verify(&self, msg: &[&[u8]], signature: &Signature) -> Result<(), Error> {
        let mut verifier = self.verifier(Options::default(), signature.as_bytes()).map_err(Error::from_source)?;
        msg.iter().for_each(|piece| verifier.update(piece));
        verifier.finish().map_err(Error::from_source)
    }
}

/// Passes a message to a hash function, and returns its digest.
#[cfg(feature = "sha2")]
fn digest_of<D: sha2::Digest>(
    hash: PreHash,
    message: impl Fn(&mut D) -> Result<(), Error>,
) -> Result<MessageDigest, Error> {
    let mut hasher = D::new();
    message(&mut hasher)?;
    MessageDigest::new(hash, &hasher.finalize()).map_err(Error::from_source)
}

/// Implements the traits for digests. The pre-hash has the name of the hash function in crate
/// `sha2`.
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

        impl DigestVerifier<sha2::$hash, Signature> for VerifyingKey {
            fn verify_digest<F: Fn(&mut sha2::$hash) -> Result<(), Error>>(
                &self,
                f: F,
                signature: &Signature,
            ) -> Result<(), Error> {
                let digest = digest_of(PreHash::$hash, f)?;
                Self::verify_digest(self, Options::default(), &digest, signature).map_err(Error::from_source)
            }
        }
    )+};
}
#[cfg(feature = "sha2")]
digests!(Sha256, Sha384, Sha512, Sha512_256);
