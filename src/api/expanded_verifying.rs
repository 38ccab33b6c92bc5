//! Expanded public keys, which are prepared once and used for many verifications.

use super::algorithm::{Algorithm, FamilyAlgorithm, Scheme};
use super::message::UnhashedMessage;
use super::mldsa::KeptPublicKey;
use super::verifying::{confirm, start_hashing, verify_at_level};
use super::{KeyHash, MessageDigest, MessageToVerify, Options, VerifyError, VerifyingKeyRef, check_work_len};
#[cfg(feature = "ed25519")]
use super::{composite::PreparedComposite, ed25519, sha512::Sha512Message};
use crate::engine::falcon::modq::RingProduct;
use crate::engine::falcon::scheme::FalconAlgorithm;
use crate::engine::falcon::verify::{PublicFields, public_fields_into};
use crate::engine::hash::message::KEY_HASH_LEN;
use crate::engine::mldsa::params::MlDsaSet;
use crate::engine::verdict::Verified;
use crate::simd::{Level, on_level};
use alloc::boxed::Box;
use alloc::vec;

/// A public key that is prepared to verify many signatures: the key was decoded, and hashed if the
/// scheme uses the hash. For ML-DSA, the matrix A and t1 are also transformed and stored: in 20 KB
/// for ML-DSA-44, 36 KB for ML-DSA-65, and 64 KB for ML-DSA-87. A verification with ML-DSA uses
/// [`Algorithm::verify_fast_work_len`] bytes of work memory. If the caller passes less, the
/// verification allocates this memory.
///
/// ```
/// use fndsa::no_alloc::Level;
/// use fndsa::{Algorithm, Options, SigningKey};
/// use getrandom::SysRng;
///
/// let key = SigningKey::generate(Algorithm::FN_DSA_512, &mut SysRng)?;
/// let signature = key.sign(Options::default(), b"a message", &mut SysRng)?;
/// let (public, signature) = (key.verifying_key(), signature.as_bytes());
///
/// let expanded = public.to_ref().expand(Level::detect());
/// let mut work = vec![0; public.algorithm().verify_work_len()];
/// expanded.verify_message(Options::default(), b"a message", signature, &mut work)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ExpandedVerifyingKey {
    level: Level,
    algorithm: Algorithm,
    hash: HashOfKey,
    prepared: PreparedPublic,
}

/// The public key's hash, or the public key's encoding if the scheme does not hash the key.
#[derive(Clone)]
enum HashOfKey {
    /// The hash, if the scheme hashes the key with each message.
    Bound(KeyHash),
    /// The encoding, in all other schemes. If the caller requests the hash, it is computed from the
    /// encoding.
    Unbound(Box<[u8]>),
}

/// The part of an expanded public key that the verification uses.
#[derive(Clone)]
enum PreparedPublic {
    /// The polynomial h, prepared by [`RingProduct::prepare`].
    Falcon(Box<[u16]>),
    /// The transforms of A and t1.
    MlDsa(KeptPublicKey),
    /// The encoding, for Ed25519.
    #[cfg(feature = "ed25519")]
    Encoded(Box<[u8]>),
    /// Both halves of a composite key.
    #[cfg(feature = "ed25519")]
    Composite(PreparedComposite),
}

/// A prepared key, for a family in which several signatures can be verified together.
#[derive(Clone, Copy)]
pub(super) enum BatchKey<'a> {
    /// The algorithm and the polynomial h.
    Falcon(FalconAlgorithm, PublicFields<'a>),
    /// The parameter set, and the transforms of A and t1.
    MlDsa(MlDsaSet, &'a KeptPublicKey),
}

impl ExpandedVerifyingKey {
    /// Expands a key.
    pub(super) fn new(level: Level, key: &VerifyingKeyRef<'_>) -> Box<Self> {
        let algorithm = key.algorithm();
        let prepared = match algorithm.family() {
            FamilyAlgorithm::Falcon(algorithm) => {
                let mut h = vec![0; algorithm.degree().n()].into_boxed_slice();
                on_level!(level, |isa = integers| {
                    public_fields_into(isa, algorithm, &key.as_bytes()[1..], &mut h);
                    RingProduct::prepare(isa, &mut h);
                });
                PreparedPublic::Falcon(h)
            }
            FamilyAlgorithm::MlDsa(set) => PreparedPublic::MlDsa(KeptPublicKey::new(level, set, key.as_bytes())),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Ed25519 => PreparedPublic::Encoded(key.as_bytes().into()),
            #[cfg(feature = "ed25519")]
            FamilyAlgorithm::Composite(set) => {
                PreparedPublic::Composite(PreparedComposite::new(level, set, key.as_bytes()))
            }
        };
        let hash = if key.scheme().binds_key() {
            HashOfKey::Bound(key.key_hash(level))
        } else {
            HashOfKey::Unbound(key.as_bytes().into())
        };
        Box::new(Self { level, algorithm, hash, prepared })
    }

    /// Returns the algorithm.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the scheme.
    pub const fn scheme(&self) -> Scheme {
        self.algorithm.scheme()
    }

    /// Returns the level (the instruction set) for which the key was expanded.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Returns the hash of the public key. If the scheme does not [bind the
    /// key](Scheme::binds_key), this function computes the hash in each call.
    pub fn key_hash(&self) -> KeyHash {
        match &self.hash {
            HashOfKey::Bound(hash) => *hash,
            HashOfKey::Unbound(bytes) => VerifyingKeyRef::trusted(self.algorithm, bytes).key_hash(self.level),
        }
    }

    /// Returns the hash to pass to a hasher for messages, as [`VerifyingKeyRef::bound_hash`] does.
    pub const fn bound_hash(&self) -> KeyHash {
        match &self.hash {
            HashOfKey::Bound(hash) => *hash,
            HashOfKey::Unbound(_) => KeyHash([0; KEY_HASH_LEN]),
        }
    }

    /// Returns the prepared key if it is for Falcon or ML-DSA, because the engine can verify
    /// several signatures of these families together. Returns `None` for all other keys.
    pub(super) fn batch_key(&self) -> Option<BatchKey<'_>> {
        match (self.algorithm.family(), &self.prepared) {
            (FamilyAlgorithm::Falcon(algorithm), PreparedPublic::Falcon(h)) => {
                Some(BatchKey::Falcon(algorithm, PublicFields::Prepared(h)))
            }
            (FamilyAlgorithm::MlDsa(set), PreparedPublic::MlDsa(key)) => Some(BatchKey::MlDsa(set, key)),
            _ => None,
        }
    }

    /// Verifies a signature for a message in memory, as [`VerifyingKeyRef::verify_message`] does.
    /// If the options have a pre-hash, this function hashes the message.
    ///
    /// # Errors
    /// Returns an error if the signature is not valid, if the scheme does not support the options,
    /// if the library was built without the pre-hash, or if the work memory is too short.
    pub fn verify_message(
        &self,
        options: Options<'_>,
        message: &[u8],
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        match MessageDigest::required(self.level, self.algorithm, options, message).map_err(VerifyError::Message)? {
            None => self.verify(MessageToVerify::message(options, message), signature, work),
            Some(digest) => {
                let message = MessageToVerify::digest(options, &digest).map_err(VerifyError::Message)?;
                self.verify(message, signature, work)
            }
        }
    }

    /// Verifies a signature, as [`VerifyingKeyRef::verify`] does.
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKeyRef::verify`].
    pub fn verify<'m>(
        &self,
        message: impl Into<MessageToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyError> {
        self.verified(message, signature, work).and_then(confirm)
    }

    /// Implements [`Self::verified`] for a message in memory. This function has a separate stack
    /// frame, because the state of the hash function would make the caller's frame larger.
    #[inline(never)]
    fn verified_in_memory(
        &self,
        message: UnhashedMessage<'_>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        message.check(self.algorithm).map_err(VerifyError::Message)?;
        let mut hashed = start_hashing(self.level, self.algorithm, &self.bound_hash(), message.options, signature)?;
        hashed.update(message.bytes);
        self.verified(&hashed.finish(), signature, work)
    }

    /// Verifies a signature, as [`VerifyingKeyRef::verified`] does.
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKeyRef::verified`].
    pub fn verified<'m>(
        &self,
        message: impl Into<MessageToVerify<'m>>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let message = message.into();
        if let Some(message) = message.in_memory() {
            return self.verified_in_memory(message, signature, work);
        }
        check_work_len(work.len(), self.algorithm.verify_work_len()).map_err(VerifyError::Work)?;
        match (self.algorithm.family(), &self.prepared) {
            (FamilyAlgorithm::Falcon(algorithm), PreparedPublic::Falcon(h)) => {
                verify_at_level(self.level, algorithm, PublicFields::Prepared(h), message, signature, work)
            }
            (FamilyAlgorithm::MlDsa(_), PreparedPublic::MlDsa(key)) => {
                let mu = message.mu().ok_or(VerifyError::OtherMessage)?;
                key.verify(self.level, mu, signature, work)
            }
            #[cfg(feature = "ed25519")]
            (FamilyAlgorithm::Ed25519, PreparedPublic::Encoded(public)) => {
                let message = message.sha512().and_then(Sha512Message::ed25519).ok_or(VerifyError::OtherMessage)?;
                ed25519::verify(public, message, signature)
            }
            #[cfg(feature = "ed25519")]
            (FamilyAlgorithm::Composite(_), PreparedPublic::Composite(key)) => {
                let message = message.sha512().and_then(Sha512Message::composite).ok_or(VerifyError::OtherMessage)?;
                key.verify(self.level, message, signature, work)
            }
            _ => Err(VerifyError::OtherMessage),
        }
    }
}

impl core::fmt::Debug for ExpandedVerifyingKey {
    /// Writes only the algorithm and the level, because the transforms have thousands of values.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ExpandedVerifyingKey")
            .field("algorithm", &self.algorithm)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}
