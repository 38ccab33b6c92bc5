//! Implements the traits from crate `signature`, for code that is generic over algorithms.
//!
//! These traits do not support a context or a pre-hash. Messages are signed with an empty context
//! and without a pre-hash, as in [`Options::default`].

use super::{Algorithm, Attempt, Options, SignError, Signature, SigningHasher, SigningKey, VerifyingKey};
use alloc::boxed::Box;
use alloc::string::ToString;
use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
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

/// Signs without randomness: with the deterministic variant of ML-DSA, or with Ed25519ph. Keys of
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
        let algorithm = self.algorithm();
        let mut attempt = [Attempt::EMPTY];
        let options = Options::default();
        let builder =
            SigningHasher::new(self.level(), algorithm, &self.key_hash(), options, &mut attempt, &mut FailingGenerator);
        let mut builder = builder.map_err(|_| Error::from_source("the algorithm has no deterministic signatures"))?;
        for piece in msg {
            builder.update(piece);
        }
        let message = builder.finish();
        self.signed(|key, signature, work| key.sign_deterministic(self.level(), message, signature, work))
            .map_err(|e: SignError<Infallible>| Error::from_source(e.to_string()))
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
