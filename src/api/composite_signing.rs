//! Signs with ML-DSA and Ed25519 together, as the module `composite` describes.

use super::composite::{CompositeMessage, CompositeSet, PRIVATE_LEN, hash_of, mu};
use super::ed25519::{self, MessageForEd25519};
use super::mldsa_signing::{self, KeptKey, MlDsaSigningTask};
use super::{ExpandError, KeyError, KeyHash, Level, SEED_LEN, SignError, SigningKeyRef};
use crate::engine::hash::message::MU_LEN;
use crate::engine::mldsa::params::RND_LEN;
use crate::engine::mldsa::sign::MlDsaSignError;
use crate::simd::ct;
use alloc::vec;
use ed25519_dalek::{Digest, Sha512};

/// Returns the two seeds of a private key: for ML-DSA and for Ed25519.
///
/// # Errors
/// Fails if the length is wrong.
pub(super) fn seeds(bytes: &[u8]) -> Result<(&[u8; SEED_LEN], &[u8; SEED_LEN]), KeyError> {
    match bytes.as_chunks().0 {
        [first, second] if bytes.len() == PRIVATE_LEN => Ok((first, second)),
        _ => Err(KeyError::Length { expected: PRIVATE_LEN, found: bytes.len() }),
    }
}

/// The values from the public key that both halves need to sign.
#[derive(Clone, Copy)]
pub(super) struct ComponentHashes {
    /// The hash of the ML-DSA public key.
    pub(super) tr: KeyHash,
    /// The Ed25519 public key, as [`ed25519::key_as_hash`] returns it.
    pub(super) classic: KeyHash,
    /// The hash of the complete public key.
    pub(super) composite_key_hash: KeyHash,
}

/// Writes the public key for a private key, and returns its [`ComponentHashes`]. The caller must
/// check the lengths of `public` and `work` before this call.
///
/// # Errors
/// Fails if the private key has the wrong length, or if the machine computes wrongly.
#[inline(never)]
pub(super) fn public_of_private(
    level: Level,
    set: CompositeSet,
    private: &[u8],
    public: &mut [u8],
    work: &mut [u8],
) -> Result<ComponentHashes, KeyError> {
    let (lattice_seed, classic_seed) = seeds(private)?;
    let (lattice, classic) = public.split_at_mut(set.lattice().public_len());
    let tr = KeyHash(mldsa_signing::public_of_seed(level, set.lattice(), lattice_seed, lattice, work)?);
    classic.copy_from_slice(&ed25519::public_of_seed(level, classic_seed)?);
    let classic_hash = ed25519::key_as_hash(classic);
    Ok(ComponentHashes { tr, classic: classic_hash, composite_key_hash: KeyHash(hash_of(level, &[lattice, classic])) })
}

/// Returns the [`ComponentHashes`] of a private key. `work` must have at least
/// `Algorithm::import_work_len` bytes.
///
/// # Errors
/// Fails as [`public_of_private`] does.
#[inline(never)]
pub(super) fn halves_of_private(
    level: Level,
    set: CompositeSet,
    private: &[u8],
    work: &mut [u8],
) -> Result<ComponentHashes, KeyError> {
    let mut public = vec![0; set.public_len()];
    public_of_private(level, set, private, &mut public, work)
}

/// Writes the public key for a private key, and its hash. This function has a separate stack frame,
/// so [`ComponentHashes`] needs no memory in the caller's frame. The caller must check the lengths
/// of `public` and `work` before this call.
///
/// # Errors
/// Fails as [`public_of_private`] does.
#[inline(never)]
pub(super) fn public_with_hash(
    level: Level,
    set: CompositeSet,
    private: &[u8],
    public: &mut [u8],
    hash: &mut KeyHash,
    work: &mut [u8],
) -> Result<(), KeyError> {
    *hash = public_of_private(level, set, private, public, work)?.composite_key_hash;
    Ok(())
}

/// Returns the hash of the public key for a private key. `work` must have at least
/// `Algorithm::import_work_len` bytes.
///
/// # Errors
/// Fails as [`public_of_private`] does.
#[inline(never)]
pub(super) fn hash_of_private(
    level: Level,
    set: CompositeSet,
    private: &[u8],
    work: &mut [u8],
) -> Result<KeyHash, KeyError> {
    Ok(halves_of_private(level, set, private, work)?.composite_key_hash)
}

/// A message to sign, together with the key.
pub(super) struct CompositeSigningTask<'a> {
    pub(super) level: Level,
    pub(super) set: CompositeSet,
    pub(super) halves: &'a ComponentHashes,
    pub(super) classic_seed: &'a [u8],
    pub(super) message: &'a CompositeMessage,
}

impl CompositeSigningTask<'_> {
    /// Signs with both halves. `sign_lattice` signs a `mu` with the ML-DSA half. If signing fails
    /// in either half, the complete signature is wiped. The caller must check the length of
    /// `signature` before this call.
    #[inline(never)]
    pub(super) fn sign<E>(
        &self,
        signature: &mut [u8],
        sign_lattice: impl FnOnce(&[u8; MU_LEN], &mut [u8]) -> Result<(), MlDsaSignError>,
    ) -> Result<(), SignError<E>> {
        let &Self { level, set, halves, classic_seed, message } = self;
        let wiped_signature = ct::WipedMemory(signature);
        let (lattice, classic) = wiped_signature.0.split_at_mut(set.lattice().signature_len());
        let bytes = message.signed_bytes(set);
        sign_lattice(&mu(level, set, &halves.tr.0, bytes.as_slice()), lattice)?;
        let message = MessageForEd25519::Collected(Sha512::new(), bytes.as_slice().to_vec());
        ed25519::sign(level, classic_seed, &halves.classic, &message, classic)?;
        wiped_signature.keep();
        Ok(())
    }
}

/// An encoded private key, with the random bytes for a signature.
pub(super) struct EncodedSigningTask<'a> {
    pub(super) set: CompositeSet,
    /// The two seeds. If their total length is wrong, signing fails with [`SignError::SelfCheck`].
    pub(super) private: &'a [u8],
    /// The hash of the complete public key. If the seeds in memory do not match this hash, signing
    /// fails.
    pub(super) composite_key_hash: &'a KeyHash,
    pub(super) rnd: &'a [u8; RND_LEN],
}

impl EncodedSigningTask<'_> {
    /// Signs a message. The caller must check the lengths of `signature` and `work` before this
    /// call.
    #[inline(never)]
    pub(super) fn sign<E>(
        &self,
        level: Level,
        message: &CompositeMessage,
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<E>> {
        let &Self { set, private, composite_key_hash, rnd } = self;
        let (lattice_seed, classic_seed) = seeds(private).map_err(|_| SignError::SelfCheck)?;
        let halves = halves_of_private(level, set, private, work).map_err(|_| SignError::SelfCheck)?;
        if halves.composite_key_hash != *composite_key_hash {
            return Err(SignError::SelfCheck);
        }
        let task = CompositeSigningTask { level, set, halves: &halves, classic_seed, message };
        task.sign(signature, |mu, signature| {
            let task = MlDsaSigningTask { set: set.lattice(), key: lattice_seed, key_hash: &halves.tr, mu, rnd };
            mldsa_signing::sign_mu(level, &task, signature, work)
        })
    }
}

/// A private key that is prepared for many signatures: the expanded ML-DSA key, followed by the
/// seed for Ed25519.
pub(super) struct KeptComposite<'a> {
    pub(super) level: Level,
    pub(super) set: CompositeSet,
    pub(super) halves: &'a ComponentHashes,
    /// The memory that [`Self::write`] wrote.
    pub(super) memory: &'a [u8],
}

impl KeptComposite<'_> {
    /// Returns the memory size for a key, in bytes.
    pub(super) const fn len(set: CompositeSet) -> usize {
        KeptKey::len(set.lattice()) + SEED_LEN
    }

    /// Writes the prepared key to `memory`, which must be aligned to 4 bytes. The caller must check
    /// the lengths of `memory` and `work` before this call.
    #[inline(never)]
    pub(super) fn write(
        level: Level,
        set: CompositeSet,
        key: &SigningKeyRef<'_>,
        memory: &mut [u8],
        work: &mut [u8],
    ) -> Result<ComponentHashes, ExpandError> {
        let (lattice_seed, classic_seed) = seeds(key.as_bytes()).map_err(|_| ExpandError::Fault)?;
        let halves = halves_of_private(level, set, key.as_bytes(), work).map_err(|_| ExpandError::Fault)?;
        if halves.composite_key_hash != key.key_hash() {
            return Err(ExpandError::Fault);
        }
        let (lattice, classic) = memory.split_at_mut(KeptKey::len(set.lattice()));
        KeptKey::write(level, set.lattice(), lattice_seed, &halves.tr, lattice)?;
        classic[..SEED_LEN].copy_from_slice(classic_seed);
        Ok(halves)
    }

    /// Signs with both halves. The caller must check the lengths of `signature` and `work` before
    /// this call.
    #[inline(never)]
    pub(super) fn sign<E>(
        &self,
        message: &CompositeMessage,
        rnd: &[u8; RND_LEN],
        signature: &mut [u8],
        work: &mut [u8],
    ) -> Result<(), SignError<E>> {
        let &Self { level, set, halves, memory } = self;
        let (lattice, classic) = memory.split_at(KeptKey::len(set.lattice()));
        let task = CompositeSigningTask { level, set, halves, classic_seed: &classic[..SEED_LEN], message };
        let kept = KeptKey { level, set: set.lattice(), memory: lattice };
        task.sign(signature, |mu, signature| kept.sign(mu, rnd, signature, work))
    }
}
