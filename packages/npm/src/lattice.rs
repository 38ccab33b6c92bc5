//! Verifies FN-DSA and Falcon signatures, and ML-DSA signatures if the feature `ml-dsa` is enabled.
//! The functions in `lib.rs` call this module.

use crate::{INVALID_CONTEXT, INVALID_KEY, MALFORMED_SIGNATURE};
use fndsa::algorithm::{Scheme, SignatureEncoding};
use fndsa::no_alloc::{Level, Verified, VerifyingHasher, VerifyingKeyRef};
use fndsa::{Algorithm, Options};

/// Returns the larger length.
#[cfg(feature = "ml-dsa")]
const fn longer_len(first: usize, second: usize) -> usize {
    if first > second { first } else { second }
}

/// The maximum public key length in this module, in bytes.
#[cfg(not(feature = "ml-dsa"))]
pub const MAX_KEY_LEN: usize = Algorithm::FALCON_1024.verifying_key_len();
#[cfg(feature = "ml-dsa")]
pub const MAX_KEY_LEN: usize =
    longer_len(Algorithm::FALCON_1024.verifying_key_len(), Algorithm::ML_DSA_87.verifying_key_len());

/// The maximum signature length for FN-DSA and Falcon, in bytes.
const MAX_FALCON_SIGNATURE_LEN: usize = Algorithm::FALCON_1024.encoded_signature_len(SignatureEncoding::Compressed);
/// The maximum signature length in this module, in bytes.
#[cfg(not(feature = "ml-dsa"))]
pub const MAX_SIGNATURE_LEN: usize = MAX_FALCON_SIGNATURE_LEN;
#[cfg(feature = "ml-dsa")]
pub const MAX_SIGNATURE_LEN: usize = longer_len(MAX_FALCON_SIGNATURE_LEN, Algorithm::ML_DSA_87.signature_len());

/// The maximum work memory for a verification, in bytes.
#[cfg(not(feature = "ml-dsa"))]
const MAX_WORK_LEN: usize = Algorithm::FALCON_1024.verify_work_len();
#[cfg(feature = "ml-dsa")]
const MAX_WORK_LEN: usize =
    longer_len(Algorithm::FALCON_1024.verify_work_len(), Algorithm::ML_DSA_87.verify_work_len());

/// A message that is passed in pieces.
pub struct PendingMessage {
    scheme: Scheme,
    message: VerifyingHasher,
}

/// Returns the scheme with this number, or `None` if this module does not support it. Without the
/// feature `ml-dsa`, the module only supports the Falcon family, which has the numbers 1 to 4.
pub fn scheme_of(number: u32) -> Option<Scheme> {
    let schemes = if cfg!(feature = "ml-dsa") { &Scheme::ALL[..] } else { &Scheme::FALCON_FAMILY[..] };
    schemes.get((number as usize).checked_sub(1)?).copied()
}

/// Parses a public key for a scheme. Returns `None` if the key is malformed, or if its degree is a
/// toy degree, which is not secure.
fn key_of(scheme: Scheme, bytes: &[u8]) -> Option<VerifyingKeyRef<'_>> {
    VerifyingKeyRef::from_bytes(scheme, bytes).ok().filter(|key| !key.algorithm().is_toy())
}

impl PendingMessage {
    /// Begins a message. If the arguments are not valid, returns the error number that
    /// [`crate::begin`] should return.
    pub fn begin(scheme: Scheme, key: &[u8], signature: &[u8], context: &[u8]) -> Result<Self, u32> {
        let key = key_of(scheme, key).ok_or(INVALID_KEY)?;
        let options = Options::with_context(context);
        if options.check(key.algorithm()).is_err() {
            return Err(INVALID_CONTEXT);
        }
        let level = Level::detect();
        match VerifyingHasher::new(level, key.algorithm(), &key.bound_hash(level), options, signature) {
            Ok(message) => Ok(Self { scheme, message }),
            Err(_) => Err(MALFORMED_SIGNATURE),
        }
    }

    /// Adds a piece to the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.message.update(piece);
    }

    /// Returns the verdict after the last piece of the message, or `None` if the signature is not
    /// valid.
    pub fn verdict(self, key: &[u8], signature: &[u8]) -> Option<Verified> {
        let key = key_of(self.scheme, key)?;
        let mut work = [0; MAX_WORK_LEN];
        key.verified(Level::detect(), &self.message.finish(), signature, &mut work).ok()
    }
}
