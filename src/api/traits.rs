//! Implements the traits from crate `signature` for signatures and public keys, for code that is
//! generic over algorithms.
//!
//! These traits do not support a context. `Verifier` does not use a pre-hash, as in
//! [`Options::default`]. `DigestVerifier` uses the digest's hash function as the pre-hash.

use super::{Algorithm, Options, Signature, VerifyingKey};
#[cfg(feature = "sha2")]
use super::{MessageDigest, PreHash};
use alloc::boxed::Box;
#[cfg(feature = "sha2")]
use signature::DigestVerifier;
use signature::{Error, MultipartVerifier, SignatureEncoding, Verifier};

/// Parses a signature for FN-DSA, ML-DSA, Ed25519 or a composite. The length and the first byte
/// determine the algorithm. This conversion does not support the other schemes of the Falcon
/// family, because their signatures can look like FN-DSA signatures. To parse these signatures, use
/// [`Signature::of_algorithm`].
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
pub(super) fn digest_of<D: sha2::Digest>(
    hash: PreHash,
    message: impl Fn(&mut D) -> Result<(), Error>,
) -> Result<MessageDigest, Error> {
    let mut hasher = D::new();
    message(&mut hasher)?;
    MessageDigest::new(hash, &hasher.finalize()).map_err(Error::from_source)
}

/// Implements the trait for digests. Each argument is the name of a hash function in crate `sha2`,
/// and also the name of its pre-hash.
#[cfg(feature = "sha2")]
macro_rules! digests {
    ($($hash:ident),+) => {$(
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
