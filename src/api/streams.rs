//! Verifies messages in pieces, with keys that own their bytes.

use super::verifying::start_hashing;
use super::{Error, MessageError, Options, PreHasher, VerifyingHasher, VerifyingKey};
use crate::simd::Level;
use alloc::vec;

/// Verifies a signature for a message that is passed in pieces.
///
/// With the feature `std`, this type implements `std::io::Write`, so that you can verify a file
/// with `std::io::copy`. This example adds two pieces without `std`:
///
/// ```
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let key = SigningKey::generate(Algorithm::FALCON_1024, &mut SysRng)?;
/// let signature = key.sign(Options::default(), b"a message, in pieces", &mut SysRng)?;
///
/// let public = key.verifying_key();
/// let mut verifier = public.verifier(Options::default(), signature.as_bytes())?;
/// verifier.update(b"a message, ");
/// verifier.update(b"in pieces");
/// verifier.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MessageVerifier<'k> {
    key: &'k VerifyingKey,
    /// The state of the pre-hash, if the options have a pre-hash.
    prehash: Option<PreHasher>,
    hashing: VerifyingHasher,
    signature: &'k [u8],
}

impl<'k> MessageVerifier<'k> {
    pub(super) fn new(key: &'k VerifyingKey, options: Options<'_>, signature: &'k [u8]) -> Result<Self, Error> {
        let hashing =
            start_hashing(key.level(), key.algorithm(), &key.to_ref().bound_hash(key.level()), options, signature)?;
        let prehash = prehasher(key.level(), options)?;
        Ok(Self { key, prehash, hashing, signature })
    }

    /// Adds the next piece of the message. If the options have a pre-hash, the verifier computes
    /// the digest of the message, and verifies the signature of this digest.
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

/// Returns a hasher for the pre-hash, or `None` if the options have no pre-hash.
pub(super) fn prehasher(level: Level, options: Options<'_>) -> Result<Option<PreHasher>, MessageError> {
    options.prehash.map(|hash| PreHasher::new(level, hash)).transpose()
}

/// Implements `std::io::Write`. Writing never fails.
#[cfg(feature = "std")]
macro_rules! write {
    ($name:ident) => {
        impl std::io::Write for $name<'_> {
            fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
    };
}
#[cfg(all(feature = "std", feature = "sign"))]
pub(super) use write;
#[cfg(feature = "std")]
write!(MessageVerifier);
