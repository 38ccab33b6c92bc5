//! Signs and verifies with Ed25519 (RFC 8032). The options select the variant: Ed25519ph with the
//! pre-hash SHA-512, Ed25519ctx with a context but without a pre-hash, and Ed25519 without both.
//!
//! The curve arithmetic is in the crate `curve25519-dalek`, and private keys are in the crate
//! `ed25519-dalek`. A private key is a seed, from which each operation derives all other values.
//! The level (instruction set) has no effect: the functions only pass it to `wiping_ed25519`, which
//! wipes the same number of stack bytes for all levels.
//!
//! A signature consists of a point R and a number S. Signing hashes the message twice, so the
//! message must be in memory. Verification hashes the message once, after R and the public key, so
//! the caller can pass the message in pieces.
//!
//! Verification is strict: S must be below the group's order, and neither the public key nor R
//! may be a point of small order. A public key has only one encoding.

use super::{
    Algorithm, KEY_HASH_LEN, KeyError, KeyHash, MessageError, Options, SEED_LEN, Scheme, SignError, VerifyError,
    VerifyingKeyRef, wiping_ed25519,
};
use crate::engine::hash::message::HashingRules;
use crate::engine::verdict::Verified;
use crate::simd::{Level, ct};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hint::black_box;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::scalar::Scalar;
use ed25519_dalek::hazmat::ExpandedSecretKey;
use ed25519_dalek::{Digest, Sha512, SigningKey};

/// A public key's length, in bytes.
pub(super) const PUBLIC_LEN: usize = 32;
/// The length of R and the length of S, in bytes.
const HALF_LEN: usize = 32;
/// A signature's length in bytes: R and S.
pub(super) const SIGNATURE_LEN: usize = 2 * HALF_LEN;

/// The hashing rules, in the type that all schemes share. Only `binds_key` and `has_context` are
/// used, because the other fields describe hashing with SHAKE256, and Ed25519 uses SHA-512.
pub(super) const HASHING: HashingRules =
    HashingRules { through_mu: false, binds_key: true, has_context: true, oid_skip: 0, has_only_sha2_prehashes: false };

/// The text before the context, in the variants that have a context (RFC 8032, section 2).
const DOMAIN: &[u8; 32] = b"SigEd25519 no Ed25519 collisions";

/// Starts a hash with the data that separates the variants: no data for Ed25519, and `dom2` (RFC
/// 8032) for the other variants. The caller must check `options` before this call.
fn start_hash(options: Options<'_>) -> Sha512 {
    let mut hash = Sha512::new();
    let is_digest = options.prehash.is_some();
    if is_digest || !options.context.is_empty() {
        hash.update(DOMAIN);
        hash.update([u8::from(is_digest), options.context.len() as u8]);
        hash.update(options.context);
    }
    hash
}

/// Returns the [`KeyHash`] for an Ed25519 key. It contains the public key itself instead of a hash,
/// because Ed25519 hashes the public key together with the message.
pub(super) fn key_as_hash(public: &[u8]) -> KeyHash {
    let mut hash = [0; KEY_HASH_LEN];
    for (to, from) in hash.iter_mut().zip(public) {
        *to = *from;
    }
    KeyHash(hash)
}

/// A message for Ed25519 that is hashed in pieces, to verify a signature. Each value can be used
/// only with the key and the R (the first 32 bytes of the signature) with which it was created.
///
/// This type does not use the heap, so a value can be in any memory, for example in memory that
/// another language manages. To write code for all schemes, use
/// [`VerifyingHasher`](crate::api::VerifyingHasher).
///
/// ```
/// use fndsa::algorithm::Scheme;
/// use fndsa::error::VerifyError;
/// use fndsa::no_alloc::{Ed25519Message, VerifyingKeyRef};
/// use fndsa::Options;
///
/// // RFC 8032, 7.1, the third test.
/// let public = [
///     0xfc, 0x51, 0xcd, 0x8e, 0x62, 0x18, 0xa1, 0xa3, 0x8d, 0xa4, 0x7e, 0xd0, 0x02, 0x30, 0xf0, 0x58, 0x08, 0x16, 0xed, 0x13, 0xba,
///     0x33, 0x03, 0xac, 0x5d, 0xeb, 0x91, 0x15, 0x48, 0x90, 0x80, 0x25,
/// ];
/// let key = VerifyingKeyRef::from_bytes(Scheme::Ed25519, &public).unwrap();
/// let mut message = Ed25519Message::new(&key, Options::default(), &[0; 64]).unwrap();
/// [&[0xaf], &[0x82]].iter().for_each(|piece| message.update(*piece));
/// assert_eq!(message.verified(&key, &[0; 64]).err(), Some(VerifyError::Mismatch));
/// ```
#[derive(Clone)]
pub struct Ed25519Message {
    hash: Sha512,
    r: [u8; HALF_LEN],
    public: [u8; PUBLIC_LEN],
}

impl Ed25519Message {
    /// Starts to hash a message, to verify `signature` with `key`.
    ///
    /// # Errors
    /// Returns an error if the key is for a different scheme, if the options have a context of more
    /// than 255 bytes, if the options have a pre-hash (the message would have to be a digest), or
    /// if `signature` does not have 64 bytes.
    pub fn new(key: &VerifyingKeyRef<'_>, options: Options<'_>, signature: &[u8]) -> Result<Self, MessageError> {
        options.check_no_prehash(key.algorithm())?;
        if key.algorithm() != Algorithm::ED25519 {
            return Err(MessageError::Signature { algorithm: key.algorithm() });
        }
        Self::start(key.as_bytes(), options, signature)
    }

    /// Starts to hash a message, or a digest if the options have a pre-hash. Only the first 32
    /// bytes in `public` are used, so `public` can be a key or its [`key_as_hash`]. The caller must
    /// check the options before this call.
    fn start(public: &[u8], options: Options<'_>, signature: &[u8]) -> Result<Self, MessageError> {
        let rejection = MessageError::Signature { algorithm: Algorithm::ED25519 };
        let signature = signature.try_into().map_err(|_| rejection)?;
        Ok(Self::after_prefix(&start_hash(options), public.first_chunk().ok_or(rejection)?, signature))
    }

    /// Continues the hash `prefix_hash` with R and the public key. The message follows.
    fn after_prefix(prefix_hash: &Sha512, public: &[u8; PUBLIC_LEN], signature: &[u8; SIGNATURE_LEN]) -> Self {
        let mut r = [0; HALF_LEN];
        r.copy_from_slice(&signature[..HALF_LEN]);
        let mut hash = prefix_hash.clone();
        hash.update(r);
        hash.update(public);
        Self { hash, r, public: *public }
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.hash.update(data);
    }

    /// Verifies a signature strictly, and returns the verdict YES as a value. If the key or the
    /// first 32 bytes of the signature differ from the arguments of [`Self::new`], the verdict is
    /// NO.
    ///
    /// # Errors
    /// Returns an error if the signature is not valid for this key and this message, or if the key
    /// is for a different scheme.
    pub fn verified(&self, key: &VerifyingKeyRef<'_>, signature: &[u8]) -> Result<Verified, VerifyError> {
        if key.scheme() != Scheme::Ed25519 {
            return Err(VerifyError::OtherMessage);
        }
        verify_hashed(key.as_bytes(), self, signature)
    }
}

/// A message for Ed25519, as a part of a hasher for all schemes.
#[derive(Clone)]
pub(super) enum MessageForEd25519 {
    /// A message that is hashed in pieces, to verify a signature.
    Hashed(Ed25519Message),
    /// A message to sign: the hash state before the message, and the message itself.
    Collected(Sha512, Vec<u8>),
}

impl MessageForEd25519 {
    /// Starts to hash a message, to sign it. Returns `None` if the scheme is not Ed25519. The value
    /// is on the heap, and this function has a separate stack frame, so that other schemes need no
    /// memory for the value. The caller must check the options before this call.
    #[inline(never)]
    pub(super) fn to_sign(scheme: Scheme, options: Options<'_>) -> Option<Box<Self>> {
        (scheme == Scheme::Ed25519).then(|| Box::new(Self::Collected(start_hash(options), Vec::new())))
    }

    /// Starts to hash a message, to verify `signature`. Returns `None` if the scheme is not
    /// Ed25519. As in [`Self::to_sign`], the value is on the heap, and the caller must check the
    /// options before this call.
    #[inline(never)]
    pub(super) fn to_verify(
        scheme: Scheme,
        key: &KeyHash,
        options: Options<'_>,
        signature: &[u8],
    ) -> Result<Option<Box<Self>>, MessageError> {
        if scheme != Scheme::Ed25519 {
            return Ok(None);
        }
        Ok(Some(Box::new(Self::Hashed(Ed25519Message::start(&key.0, options, signature)?))))
    }

    /// Adds the next piece of the message.
    pub(super) fn update(&mut self, data: &[u8]) {
        match self {
            Self::Hashed(message) => message.update(data),
            Self::Collected(_, bytes) => bytes.extend_from_slice(data),
        }
    }
}

/// Continues the hash `prefix_hash` with several parts, and returns the SHA-512 digest.
fn hash_of(prefix_hash: &Sha512, parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = prefix_hash.clone();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

/// Checks the length of an encoded private or public key (both have 32 bytes), and returns the
/// bytes.
fn check_key_len(bytes: &[u8]) -> Result<&[u8; SEED_LEN], KeyError> {
    bytes.try_into().map_err(|_| KeyError::Length { expected: SEED_LEN, found: bytes.len() })
}

/// Parses a public key: the canonical encoding of a point that is not of small order.
fn public_key(bytes: &[u8]) -> Result<EdwardsPoint, KeyError> {
    let encoded = CompressedEdwardsY(*check_key_len(bytes)?);
    let point = encoded.decompress().ok_or(KeyError::Point)?;
    if point.compress() == encoded && !point.is_small_order() { Ok(point) } else { Err(KeyError::Point) }
}

/// Checks an encoded public key.
pub(super) fn check_public(bytes: &[u8]) -> Result<(), KeyError> {
    public_key(bytes).map(drop)
}

/// Returns the public key for a seed, and wipes the stack.
#[inline(never)]
pub(super) fn public_of_seed(level: Level, seed: &[u8]) -> Result<[u8; PUBLIC_LEN], KeyError> {
    let seed = check_key_len(seed)?;
    Ok(wiping_ed25519(level, &mut [], |_| SigningKey::from_bytes(seed).verifying_key().to_bytes()))
}

/// Checks a signature's length.
pub(super) fn check_signature_len(bytes: &[u8]) -> Result<&[u8; SIGNATURE_LEN], VerifyError> {
    bytes.try_into().map_err(|_| VerifyError::Length { expected: SIGNATURE_LEN, found: bytes.len() })
}

/// Parses a signature: checks the length, and that S is below the group's order. Returns R and
/// S.
pub(super) fn read_signature(bytes: &[u8]) -> Result<([u8; HALF_LEN], Scalar), VerifyError> {
    let bytes = check_signature_len(bytes)?;
    let r = bytes.first_chunk().ok_or(VerifyError::Encoding)?;
    let s = bytes.last_chunk().ok_or(VerifyError::Encoding)?;
    match Scalar::from_canonical_bytes(*s).into_option() {
        Some(s) => Ok((*r, s)),
        None => Err(VerifyError::Encoding),
    }
}

/// Signs a message, verifies the new signature, and wipes the stack. If the signature does not
/// verify, or if a fault has changed its nonce, zeros replace the signature. `key` is the
/// [`key_as_hash`] of the public key.
#[inline(never)]
pub(super) fn sign<E>(
    level: Level,
    seed: &[u8],
    key: &KeyHash,
    message: &MessageForEd25519,
    signature: &mut [u8],
) -> Result<(), SignError<E>> {
    sign_with_fault(level, seed, key, message, signature, |_| ())
}

/// Implements [`sign`]. Only a test passes a `fault` that changes the nonce.
#[inline(always)]
fn sign_with_fault<E>(
    level: Level,
    seed: &[u8],
    key: &KeyHash,
    message: &MessageForEd25519,
    signature: &mut [u8],
    fault: impl FnOnce(&mut Scalar),
) -> Result<(), SignError<E>> {
    let Ok(seed) = check_key_len(seed) else { return Err(SignError::ExpandedKey) };
    let MessageForEd25519::Collected(prefix_hash, bytes) = message else { return Err(SignError::OtherScheme) };
    let wiped_signature = ct::WipedMemory(signature);
    let is_nonce_right =
        wiping_ed25519(level, &mut [], |_| sign_into(seed, prefix_hash, bytes, wiped_signature.0, fault));
    // The stored public key detects a fault in the seed or in the scalar. A public key that is
    // computed from the scalar would not detect such a fault.
    verify(&key.0[..PUBLIC_LEN], message, wiped_signature.0).map_err(|_| SignError::SelfCheck)?;
    if !black_box(is_nonce_right) {
        return Err(SignError::SelfCheck);
    }
    wiped_signature.keep();
    Ok(())
}

/// Writes the signature of a message (RFC 8032, section 5.1.6), and then computes the nonce again.
/// Returns whether both nonces lead to the same R. If a fault changes the nonce or the message
/// between the two hashes of the message, the wrong signature can verify. Such a signature,
/// together with the right signature, would reveal the private key.
fn sign_into(
    seed: &[u8; SEED_LEN],
    prefix_hash: &Sha512,
    message: &[u8],
    signature: &mut [u8],
    fault: impl FnOnce(&mut Scalar),
) -> bool {
    let key = ExpandedSecretKey::from(seed);
    let public = EdwardsPoint::mul_base(&key.scalar).compress().to_bytes();
    let nonce = || Scalar::from_bytes_mod_order_wide(&hash_of(prefix_hash, &[&key.hash_prefix, black_box(message)]));
    let mut secret = nonce();
    fault(&mut secret);
    let r = EdwardsPoint::mul_base(&secret).compress().to_bytes();
    let challenge = Scalar::from_bytes_mod_order_wide(&hash_of(prefix_hash, &[&r, &public, message]));
    let s = challenge * key.scalar + secret;
    let (r_out, s_out) = signature.split_at_mut(HALF_LEN);
    r_out.copy_from_slice(&r);
    s_out.copy_from_slice(s.as_bytes());
    EdwardsPoint::mul_base(&nonce()).compress().to_bytes() == r
}

/// Verifies a signature for a message in memory, as [`verify`] does.
#[inline(never)]
pub(super) fn verify_message(
    public: &[u8],
    options: Options<'_>,
    bytes: &[u8],
    signature: &[u8],
) -> Result<Verified, VerifyError> {
    verify_bytes(public, &start_hash(options), bytes, signature)
}

/// Verifies a signature strictly.
#[inline(never)]
pub(super) fn verify(public: &[u8], message: &MessageForEd25519, signature: &[u8]) -> Result<Verified, VerifyError> {
    match message {
        MessageForEd25519::Hashed(hashed) => verify_hashed(public, hashed, signature),
        MessageForEd25519::Collected(prefix_hash, bytes) => verify_bytes(public, prefix_hash, bytes, signature),
    }
}

/// Verifies a signature for a message in memory. `prefix_hash` is the state of the hash before R.
fn verify_bytes(public: &[u8], prefix_hash: &Sha512, bytes: &[u8], signature: &[u8]) -> Result<Verified, VerifyError> {
    let key = check_key_len(public).map_err(|_| VerifyError::Mismatch)?;
    let mut hashed = Ed25519Message::after_prefix(prefix_hash, key, check_signature_len(signature)?);
    hashed.update(bytes);
    verify_hashed(public, &hashed, signature)
}

/// Verifies a signature strictly. If the message was hashed for a different R or public key, the
/// verdict is NO. Without this check, anybody could choose an R that fits a known hash.
fn verify_hashed(public: &[u8], hashed: &Ed25519Message, signature: &[u8]) -> Result<Verified, VerifyError> {
    let (r, s) = read_signature(signature)?;
    let point = public_key(public).map_err(|_| VerifyError::Mismatch)?;
    if hashed.r != r || hashed.public != *public {
        return Err(VerifyError::Mismatch);
    }
    // Verify the signature twice, so that a single fault in the machine cannot change a NO to a
    // YES.
    let values_if_valid = Verified::CHECK_RESULTS;
    let mut check_results = values_if_valid.map(|value| !value);
    for (check_result, value_if_valid) in check_results.iter_mut().zip(values_if_valid) {
        let challenge = black_box(hashed).hash.clone().finalize().into();
        if is_valid(black_box(&point), &challenge, &r, &s) {
            *check_result = value_if_valid;
        }
    }
    let verified = Verified::from_checks(check_results[0], check_results[1]);
    if verified.value() == Verified::YES { Ok(verified) } else { Err(VerifyError::Mismatch) }
}

/// Returns whether `S B - k A` is R, and R is not of small order. B is the base point, and A is the
/// public key. `challenge` is k before the reduction modulo the group's order.
#[inline(never)]
fn is_valid(public: &EdwardsPoint, challenge: &[u8; 64], r: &[u8; HALF_LEN], s: &Scalar) -> bool {
    let r = CompressedEdwardsY(*r);
    let Some(point) = r.decompress() else { return false };
    let k = Scalar::from_bytes_mod_order_wide(challenge);
    let expected = EdwardsPoint::vartime_double_scalar_mul_basepoint(&k, &-public, s);
    !point.is_small_order() && expected.compress() == r
}

#[cfg(test)]
mod tests;
