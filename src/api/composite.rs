//! Verifies with ML-DSA and Ed25519 together, as one algorithm (a composite). The draft
//! draft-ietf-lamps-pq-composite-sigs-19 specifies composites.
//!
//! Both halves sign the same bytes, which the draft calls M'. These bytes are a prefix, the
//! algorithm's label, the context with its length, and the message's SHA-512 digest. ML-DSA signs
//! these bytes with the label as its context, and Ed25519 signs them without a context. A key or
//! signature consists of the half for ML-DSA, followed by the half for Ed25519. A private key
//! consists of two independent seeds.
//!
//! A message is hashed once, and the hash does not depend on the key. So a message in pieces needs
//! constant memory, for verification and also for signing.
//!
//! A signature is valid only if both halves are valid. If one half is not valid, the other half is
//! also verified.

use super::ed25519;
use super::mldsa::{self, KeptPublicKey};
use super::{
    Algorithm, KEY_HASH_LEN, KeyError, Level, MessageError, Options, SEED_LEN, Scheme, VerifyError, VerifyingKeyRef,
    check_work_len,
};
use crate::engine::hash::message::{BoundKey, HashingRules, MAX_CONTEXT_LEN, MU_LEN, PrefixedMessage};
use crate::engine::hash::shake::shake256_into;
use crate::engine::mldsa::params::MlDsaSet;
use crate::engine::mldsa::verify::MuVerification;
use crate::engine::verdict::Verified;
use crate::simd::on_level;
use ed25519_dalek::{Digest, Sha512};

/// A private key's length in bytes: the seed for ML-DSA and the seed for Ed25519.
pub(super) const PRIVATE_LEN: usize = 2 * SEED_LEN;

/// The hashing rules, in the type that all schemes share. Only `binds_key` and `has_context` are
/// used, because the other fields describe hashing with SHAKE256, and composites use SHA-512.
pub(super) const HASHING: HashingRules = HashingRules {
    through_mu: false,
    binds_key: false,
    has_context: true,
    oid_skip: 0,
    has_only_sha2_prehashes: false,
};

/// The first bytes of M'.
const PREFIX: &[u8; 32] = b"CompositeAlgorithmSignatures2025";

/// A label's length in bytes.
const LABEL_LEN: usize = 30;

/// The length of a SHA-512 digest in bytes.
const DIGEST_LEN: usize = 64;

/// A composite algorithm, named after its ML-DSA parameter set. Like [`MlDsaSet`], this type has no
/// variants without the feature `ml-dsa`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum CompositeSet {
    /// ML-DSA-44 with Ed25519.
    #[cfg(feature = "ml-dsa")]
    S44,
    /// ML-DSA-65 with Ed25519.
    #[cfg(feature = "ml-dsa")]
    S65,
}

impl CompositeSet {
    /// All composite algorithms. The smallest is first.
    #[cfg(feature = "ml-dsa")]
    pub(super) const ALL: [Self; 2] = [Self::S44, Self::S65];
    /// An empty list, because this build has no composite algorithms.
    #[cfg(not(feature = "ml-dsa"))]
    pub(super) const ALL: [Self; 0] = [];

    /// Returns the ML-DSA parameter set.
    pub(super) const fn lattice(self) -> MlDsaSet {
        match self {
            #[cfg(feature = "ml-dsa")]
            Self::S44 => MlDsaSet::S44,
            #[cfg(feature = "ml-dsa")]
            Self::S65 => MlDsaSet::S65,
        }
    }

    /// Returns the algorithm for the ML-DSA half.
    pub(super) const fn ml_dsa(self) -> Algorithm {
        Algorithm::of_mldsa_set(self.lattice())
    }

    /// Returns the algorithm's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "ml-dsa")]
            Self::S44 => "ML-DSA-44-Ed25519",
            #[cfg(feature = "ml-dsa")]
            Self::S65 => "ML-DSA-65-Ed25519",
        }
    }

    /// Returns the label: the algorithm's name in the signed bytes. Because of the label, a
    /// signature is not valid for a different algorithm.
    const fn label(self) -> &'static [u8; LABEL_LEN] {
        match self {
            #[cfg(feature = "ml-dsa")]
            Self::S44 => b"COMPSIG-MLDSA44-Ed25519-SHA512",
            #[cfg(feature = "ml-dsa")]
            Self::S65 => b"COMPSIG-MLDSA65-Ed25519-SHA512",
        }
    }

    /// Returns a public key's length in bytes.
    pub(super) const fn public_len(self) -> usize {
        self.lattice().public_len() + ed25519::PUBLIC_LEN
    }

    /// Returns a signature's length in bytes.
    pub(super) const fn signature_len(self) -> usize {
        self.lattice().signature_len() + ed25519::SIGNATURE_LEN
    }
}

/// A message for a composite that is hashed in pieces, with its context. You can use a value with
/// every composite key and signature.
///
/// This type does not use the heap, so a value can be in any memory, for example in memory that
/// another language manages. To write code for all schemes, use
/// [`VerifyingHasher`](crate::api::VerifyingHasher).
///
/// ```
/// use fndsa::error::VerifyError;
/// use fndsa::no_alloc::{CompositeMessage, Level, VerifyingKeyRef};
/// use fndsa::{Algorithm, Options};
///
/// /// Verifies a signature for the pieces of a message.
/// fn verify(public: &[u8], pieces: &[&[u8]], signature: &[u8], work: &mut [u8]) -> Result<(), VerifyError> {
///     let key = VerifyingKeyRef::of_algorithm(Algorithm::ML_DSA_44_ED25519, public)?;
///     let mut message = CompositeMessage::new(&key, Options::default())?;
///     pieces.iter().for_each(|piece| message.update(piece));
///     message.verified(Level::detect(), &key, signature, work).map(drop)
/// }
/// let mut work = [0; Algorithm::ML_DSA_44_ED25519.verify_work_len()];
/// let mut public = [0x58; 1344];
/// public[1312..].copy_from_slice(&[0x66; 32]);
/// assert_eq!(verify(&public, &[b"a message"], &[0; 2484], &mut work).err(), Some(VerifyError::Encoding));
/// ```
#[derive(Clone)]
pub struct CompositeMessage {
    hash: Sha512,
    /// The context. Only the first `context_len` bytes are used.
    context: [u8; MAX_CONTEXT_LEN],
    context_len: u8,
}

/// The bytes that both halves sign: M' in the draft.
pub(super) struct SignedBytes {
    bytes: [u8; SignedBytes::MAX_LEN],
    len: usize,
}

impl SignedBytes {
    /// The maximum length in bytes.
    const MAX_LEN: usize = PREFIX.len() + LABEL_LEN + 1 + MAX_CONTEXT_LEN + DIGEST_LEN;

    /// Returns the concatenation of the parts. The context must have at most [`MAX_CONTEXT_LEN`]
    /// bytes.
    fn of(parts: &[&[u8]]) -> Self {
        let mut bytes = [0; Self::MAX_LEN];
        let mut len = 0;
        for part in parts {
            bytes[len..len + part.len()].copy_from_slice(part);
            len += part.len();
        }
        Self { bytes, len }
    }

    /// Returns the bytes.
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl CompositeMessage {
    /// Starts to hash a message, to verify signatures with `key`.
    ///
    /// # Errors
    /// Returns an error if the key is for a different scheme, if the options have a context of more
    /// than 255 bytes, or if the options have a pre-hash.
    pub fn new(key: &VerifyingKeyRef<'_>, options: Options<'_>) -> Result<Self, MessageError> {
        options.check_no_prehash(key.algorithm())?;
        if key.scheme() != Scheme::MlDsaEd25519 {
            return Err(MessageError::Signature { algorithm: key.algorithm() });
        }
        Ok(Self::with_context(options.context))
    }

    /// Starts to hash a message. The caller must check the context's length before this call.
    pub(super) fn with_context(context: &[u8]) -> Self {
        debug_assert!(context.len() <= MAX_CONTEXT_LEN);
        let mut message = Self { hash: Sha512::new(), context: [0; MAX_CONTEXT_LEN], context_len: context.len() as u8 };
        message.context[..context.len()].copy_from_slice(context);
        message
    }

    /// Hashes a message in memory. The caller must check the context's length before this call.
    pub(super) fn of(context: &[u8], message: &[u8]) -> Self {
        let mut hashed = Self::with_context(context);
        hashed.update(message);
        hashed
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.hash.update(data);
    }

    /// Verifies a signature, and returns the verdict YES as a value. `work` needs at least
    /// [`Algorithm::verify_work_len`] bytes.
    ///
    /// # Errors
    /// Returns an error if the signature is not valid for this key and this message, if the key is
    /// for a different scheme, or if the work memory is too short.
    #[inline(never)]
    pub fn verified(
        &self,
        level: Level,
        key: &VerifyingKeyRef<'_>,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let key_set = CompositeSet::ALL.into_iter().find(|set| Algorithm::of_composite(*set) == key.algorithm());
        let Some(set) = key_set else { return Err(VerifyError::OtherMessage) };
        check_work_len(work.len(), key.algorithm().verify_work_len()).map_err(VerifyError::Work)?;
        verify(level, set, key.as_bytes(), self, signature, work)
    }

    /// Returns the bytes that both halves sign.
    pub(super) fn signed_bytes(&self, set: CompositeSet) -> SignedBytes {
        let digest: [u8; DIGEST_LEN] = self.hash.clone().finalize().into();
        let context = &self.context[..usize::from(self.context_len)];
        SignedBytes::of(&[PREFIX, set.label(), &[self.context_len], context, &digest])
    }
}

/// Computes the `mu` that the ML-DSA half signs. `tr` is the hash of the ML-DSA public key.
pub(super) fn mu(level: Level, set: CompositeSet, tr: &[u8; KEY_HASH_LEN], signed_bytes: &[u8]) -> [u8; MU_LEN] {
    let mut mu = [0; MU_LEN];
    let prefixed_message =
        PrefixedMessage { key: BoundKey::Hash(tr), prehash: None, context: set.label(), message: signed_bytes };
    on_level!(level, |isa = integers| prefixed_message.mu_into(isa, &HashingRules::OF_FIPS_204, &mut mu));
    mu
}

/// Returns the first 64 bytes of the SHAKE256 hash of `parts`.
pub(super) fn hash_of(level: Level, parts: &[&[u8]]) -> [u8; KEY_HASH_LEN] {
    let mut hash = [0; KEY_HASH_LEN];
    on_level!(level, |isa = integers| shake256_into(isa, parts, &mut hash));
    hash
}

/// Checks a public key, and returns its algorithm.
#[inline(never)]
pub(super) fn check_public(bytes: &[u8]) -> Result<CompositeSet, KeyError> {
    let found = bytes.len();
    let Some(set) = CompositeSet::ALL.into_iter().find(|set| set.public_len() == found) else {
        let nearest_set = CompositeSet::ALL.into_iter().min_by_key(|set| set.public_len().abs_diff(found));
        return Err(KeyError::Length { expected: nearest_set.map_or(0, CompositeSet::public_len), found });
    };
    ed25519::check_public(&bytes[set.lattice().public_len()..])?;
    Ok(set)
}

/// Checks a signature's length.
pub(super) fn check_signature_len(set: CompositeSet, bytes: &[u8]) -> Result<(), VerifyError> {
    let expected = set.signature_len();
    let found = bytes.len();
    if expected == found { Ok(()) } else { Err(VerifyError::Length { expected, found }) }
}

/// Makes all checks of a signature that do not need a key, and returns the signature's algorithm.
#[inline(never)]
pub(super) fn read_signature(bytes: &[u8]) -> Result<CompositeSet, VerifyError> {
    let found = bytes.len();
    let Some(set) = CompositeSet::ALL.into_iter().find(|set| set.signature_len() == found) else {
        let nearest_set = CompositeSet::ALL.into_iter().min_by_key(|set| set.signature_len().abs_diff(found));
        return Err(VerifyError::Length { expected: nearest_set.map_or(0, CompositeSet::signature_len), found });
    };
    let (lattice, classic) = bytes.split_at(set.lattice().signature_len());
    mldsa::read_signature(lattice)?;
    ed25519::read_signature(classic)?;
    Ok(set)
}

/// The values of a public key that a verification needs, except the ML-DSA half itself.
struct PublicHalves<'a> {
    set: CompositeSet,
    /// The hash of the ML-DSA half.
    tr: [u8; KEY_HASH_LEN],
    /// The Ed25519 half.
    classic: &'a [u8],
}

impl PublicHalves<'_> {
    /// Verifies both halves of a signature. `verify_lattice` verifies the ML-DSA half for a `mu`.
    fn verify(
        &self,
        level: Level,
        message: &CompositeMessage,
        signature: &[u8],
        verify_lattice: impl FnOnce(&[u8; MU_LEN], &[u8]) -> Result<Verified, VerifyError>,
    ) -> Result<Verified, VerifyError> {
        let &Self { set, ref tr, classic } = self;
        check_signature_len(set, signature)?;
        let (lattice_signature, classic_signature) = signature.split_at(set.lattice().signature_len());
        let bytes = message.signed_bytes(set);
        let lattice_verdict = verify_lattice(&mu(level, set, tr, bytes.as_slice()), lattice_signature);
        let classic_verdict = ed25519::verify_message(classic, Options::default(), bytes.as_slice(), classic_signature);
        let verified = Verified::of_both(lattice_verdict?, classic_verdict?);
        if verified.is_yes() { Ok(verified) } else { Err(VerifyError::Mismatch) }
    }
}

/// Verifies both halves of a signature. The caller must check the work memory's length before
/// this call.
#[inline(never)]
pub(super) fn verify(
    level: Level,
    set: CompositeSet,
    public: &[u8],
    message: &CompositeMessage,
    signature: &[u8],
    work: &mut [u8],
) -> Result<Verified, VerifyError> {
    let (public, classic) = public.split_at(set.lattice().public_len());
    let halves = PublicHalves { set, tr: hash_of(level, &[public]), classic };
    halves.verify(level, message, signature, |mu, signature| {
        mldsa::verify_mu(level, &MuVerification { set: set.lattice(), public, mu, signature }, work)
    })
}

/// Verifies both halves of a signature for a message in memory, as [`verify`] does.
#[inline(never)]
pub(super) fn verify_message(
    level: Level,
    set: CompositeSet,
    public: &[u8],
    (context, message): (&[u8], &[u8]),
    signature: &[u8],
    work: &mut [u8],
) -> Result<Verified, VerifyError> {
    verify(level, set, public, &CompositeMessage::of(context, message), signature, work)
}

/// A public key that is prepared for many verifications.
#[derive(Clone)]
pub(super) struct PreparedComposite {
    set: CompositeSet,
    lattice: KeptPublicKey,
    tr: [u8; KEY_HASH_LEN],
    classic: [u8; ed25519::PUBLIC_LEN],
}

impl PreparedComposite {
    /// Prepares an encoded public key. The caller must check the length before this call.
    #[inline(never)]
    pub(super) fn new(level: Level, set: CompositeSet, public: &[u8]) -> Self {
        let (public, classic_half) = public.split_at(set.lattice().public_len());
        let mut classic = [0; ed25519::PUBLIC_LEN];
        classic.copy_from_slice(classic_half);
        let lattice = KeptPublicKey::new(level, set.lattice(), public);
        Self { set, lattice, tr: hash_of(level, &[public]), classic }
    }

    /// Verifies both halves of a signature, as [`verify`] does.
    #[inline(never)]
    pub(super) fn verify(
        &self,
        level: Level,
        message: &CompositeMessage,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<Verified, VerifyError> {
        let halves = PublicHalves { set: self.set, tr: self.tr, classic: &self.classic };
        halves.verify(level, message, signature, |mu, signature| self.lattice.verify(level, mu, signature, work))
    }
}

#[cfg(test)]
mod tests;
