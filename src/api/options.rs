//! The options for a signature: the context and the pre-hash.

use super::{Algorithm, MessageDigest, MessageError};
use crate::engine::hash::message::MAX_CONTEXT_LEN;
use crate::engine::hash::prehash::PreHash;

/// The options for a signature: the context and the pre-hash. The signer and the verifier must use
/// the same context and pre-hash.
///
/// ```
/// use fndsa::algorithm::{PreHash, Scheme};
/// use fndsa::error::MessageError;
/// use fndsa::{Algorithm, Options};
///
/// let options = Options::with_context(b"release v1").with_prehash(Some(PreHash::Sha256));
/// assert_eq!(options.check(Algorithm::FN_DSA_512), Ok(()));
/// assert_eq!(options.check(Algorithm::FALCON_512), Err(MessageError::NoContext { scheme: Scheme::Falcon }));
/// // FIPS 204 requires a stronger hash for ML-DSA-65.
/// let (algorithm, hash) = (Algorithm::ML_DSA_65, PreHash::Sha256);
/// assert_eq!(options.check(algorithm), Err(MessageError::WeakPreHash { algorithm, hash }));
/// assert_eq!(options.with_weak_prehash(true).check(algorithm), Ok(()));
/// assert_eq!(Options::default(), Options::with_context(b""));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options<'a> {
    /// The context, with at most 255 bytes. In Falcon, the context must be empty.
    pub context: &'a [u8],
    /// The hash function for the message. If there is a pre-hash, the digest is signed instead of
    /// the message. FIPS 204 calls this variant HashML-DSA. In Falcon, a verifier cannot
    /// distinguish a digest from a message with the same bytes.
    ///
    /// The types at the root of the crate hash the message. The types in
    /// [`no_alloc`](crate::no_alloc) do not hash the message: compute a [`MessageDigest`] and pass
    /// it to functions such as `verify_digest`. If you pass a message that was not hashed, these
    /// types return an error.
    pub prehash: Option<PreHash>,
    /// If true, a pre-hash that is weaker than the algorithm is accepted
    /// ([`Algorithm::is_weak_prehash`]). A signature with a weaker pre-hash is only as strong as
    /// the pre-hash. Some test vectors from NIST use a weaker pre-hash.
    pub allow_weak_prehash: bool,
}

impl<'a> Options<'a> {
    /// Returns options with a context, and without a pre-hash.
    pub const fn with_context(context: &'a [u8]) -> Self {
        Self { context, prehash: None, allow_weak_prehash: false }
    }

    /// Returns the options with this pre-hash, or without a pre-hash if `prehash` is `None`.
    #[must_use]
    pub const fn with_prehash(self, prehash: Option<PreHash>) -> Self {
        Self { prehash, ..self }
    }

    /// Returns the options with this value of [`Self::allow_weak_prehash`].
    #[must_use]
    pub const fn with_weak_prehash(self, allow_weak_prehash: bool) -> Self {
        Self { allow_weak_prehash, ..self }
    }

    /// Returns the options with the digest's hash function as the pre-hash.
    ///
    /// # Errors
    /// Fails if the options have a pre-hash that is not the digest's hash function.
    pub(crate) fn of_digest(self, digest: &MessageDigest) -> Result<Self, MessageError> {
        let digest_hash = digest.hash();
        match self.prehash {
            Some(wanted) if wanted != digest_hash => Err(MessageError::OtherPreHash { wanted, found: digest_hash }),
            _ => Ok(self.with_prehash(Some(digest_hash))),
        }
    }

    /// Checks the length of the context.
    ///
    /// # Errors
    /// Fails if the context is longer than 255 bytes.
    pub(super) fn check_context_len(&self) -> Result<(), MessageError> {
        let found = self.context.len();
        if found > MAX_CONTEXT_LEN { Err(MessageError::ContextLen { found }) } else { Ok(()) }
    }

    /// Checks the options for a message that is not a digest.
    ///
    /// # Errors
    /// Fails if the algorithm does not support the options, or if they have a pre-hash.
    pub(super) fn check_no_prehash(&self, algorithm: Algorithm) -> Result<(), MessageError> {
        self.check(algorithm)?;
        self.prehash.map_or(Ok(()), |hash| Err(MessageError::NotHashed { hash }))
    }

    /// Checks that the algorithm supports the context and the pre-hash. All functions that sign or
    /// verify a message with options call this function.
    ///
    /// # Errors
    /// Returns an error if the context is longer than 255 bytes, if the scheme does not support a
    /// context or this pre-hash, or if the pre-hash is weaker than the algorithm and
    /// [`Self::allow_weak_prehash`] is false.
    pub fn check(&self, algorithm: Algorithm) -> Result<(), MessageError> {
        let scheme = algorithm.scheme();
        self.check_context_len()?;
        if !self.context.is_empty() && !scheme.has_context() {
            return Err(MessageError::NoContext { scheme });
        }
        match self.prehash {
            Some(hash) if !scheme.has_prehash(hash) => Err(MessageError::NoPreHash { scheme, hash }),
            Some(hash) if algorithm.is_weak_prehash(hash) && !self.allow_weak_prehash => {
                Err(MessageError::WeakPreHash { algorithm, hash })
            }
            _ => Ok(()),
        }
    }
}
