//! Signs and verifies with Ed25519 (RFC 8032). The options select the variant: without a pre-hash
//! and a context, Ed25519; with a context, Ed25519ctx; with the pre-hash SHA-512, Ed25519ph.
//!
//! The curve arithmetic is in the crate `curve25519-dalek`, and private keys are in the crate
//! `ed25519-dalek`. A private key is a seed, from which each operation derives all other values. The
//! only use of the level is to choose the stack depth to wipe.
//!
//! To sign, the message is hashed twice, so it must be in memory. To verify, it is hashed once,
//! after R and the public key, so it can arrive in pieces.
//!
//! Verification is strict: S must be below the order of the group, and neither the key nor R may be
//! of small order. A public key has only one encoding.

use super::{
    Algorithm, KEY_HASH_LEN, KeyError, KeyHash, MessageError, Options, SEED_LEN, Scheme, SignError, VerifyError,
    VerifyingKeyRef, wiping_classic,
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

/// The length of a public key, in bytes.
pub(super) const PUBLIC_LEN: usize = 32;
/// The length of R and the length of S, in bytes.
const HALF_LEN: usize = 32;
/// The length of a signature in bytes: R and S.
pub(super) const SIGNATURE_LEN: usize = 2 * HALF_LEN;

/// The hashing rules in the form of the other schemes. Only `binds_key` and `has_context` matter,
/// because Ed25519 does not use a sponge.
pub(super) const HASHING: HashingRules =
    HashingRules { through_mu: false, binds_key: true, has_context: true, oid_skip: 0, few_prehashes: false };

/// The text before the context, in the variants that have a context (RFC 8032, section 2).
const DOMAIN: &[u8; 32] = b"SigEd25519 no Ed25519 collisions";

/// Starts a hash with the data that separates the variants: nothing for Ed25519, and `dom2` of RFC
/// 8032 for the other variants. Range: the caller has checked `options`.
fn started(options: Options<'_>) -> Sha512 {
    let mut hash = Sha512::new();
    let is_digest = options.prehash.is_some();
    if is_digest || !options.context.is_empty() {
        hash.update(DOMAIN);
        hash.update([u8::from(is_digest), options.context.len() as u8]);
        hash.update(options.context);
    }
    hash
}

/// Returns the value that other schemes hash with the message. It contains the public key itself,
/// because Ed25519 hashes the public key.
pub(super) fn key_hash(public: &[u8]) -> KeyHash {
    let mut hash = [0; KEY_HASH_LEN];
    for (to, from) in hash.iter_mut().zip(public) {
        *to = *from;
    }
    KeyHash(hash)
}

/// A message for Ed25519 that is hashed in pieces, to verify a signature. A value only fits the key
/// and the signature with which it was created.
///
/// This type does not use the heap, so that a value can be in any memory, for example in memory
/// that another language manages. To write code for all schemes, use
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
    /// Starts a message.
    ///
    /// # Errors
    /// Returns an error if the key is for another scheme, if the options have a context of more than
    /// 255 bytes, if they have a pre-hash (the message would have to be a digest), or if `signature`
    /// does not have 64 bytes.
    pub fn new(key: &VerifyingKeyRef<'_>, options: Options<'_>, signature: &[u8]) -> Result<Self, MessageError> {
        options.check_unhashed(key.algorithm())?;
        if key.algorithm() != Algorithm::ED25519 {
            return Err(MessageError::Signature { algorithm: key.algorithm() });
        }
        Self::start(key.as_bytes(), options, signature)
    }

    /// Starts a message, or a digest if the options have a pre-hash. Only the first bytes of
    /// `public` are used, so it can be a key or its [`key_hash`]. Range: the caller has checked the
    /// options.
    fn start(public: &[u8], options: Options<'_>, signature: &[u8]) -> Result<Self, MessageError> {
        let (Some(r), Some(public)) = (signature.first_chunk(), public.first_chunk()) else {
            return Err(MessageError::Signature { algorithm: Algorithm::ED25519 });
        };
        if signature.len() != SIGNATURE_LEN {
            return Err(MessageError::Signature { algorithm: Algorithm::ED25519 });
        }
        let mut hash = started(options);
        hash.update(r);
        hash.update(public);
        Ok(Self { hash, r: *r, public: *public })
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.hash.update(data);
    }

    /// Verifies a signature strictly, and returns the verdict YES as a value. The key and the
    /// signature must be those of [`Self::new`]; for others, the verdict is NO.
    ///
    /// # Errors
    /// Returns an error if the signature is not valid for this key and this message, or if the key
    /// is for another scheme.
    pub fn verified(&self, key: &VerifyingKeyRef<'_>, signature: &[u8]) -> Result<Verified, VerifyError> {
        if key.scheme() != Scheme::Ed25519 {
            return Err(VerifyError::OtherMessage);
        }
        verify_with(key.as_bytes(), signature, |r, public| {
            (self.r == *r && self.public == *public).then(|| self.hash.clone().finalize().into())
        })
    }
}

/// A message for Ed25519 in a hasher for all schemes.
#[derive(Clone)]
pub(super) enum MessageForEd25519 {
    /// A message that is hashed for a signature.
    Hashed(Ed25519Message),
    /// A message to sign: the hash before the message, and the message.
    Kept(Sha512, Vec<u8>),
}

impl MessageForEd25519 {
    /// Starts a message to sign if the scheme is Ed25519, and returns `None` for other schemes. The
    /// value is on the heap, and this function has a separate stack frame, so that the value does
    /// not need memory in other schemes. Range: the caller has checked the options.
    #[inline(never)]
    pub(super) fn to_sign(scheme: Scheme, options: Options<'_>) -> Option<Box<Self>> {
        (scheme == Scheme::Ed25519).then(|| Box::new(Self::Kept(started(options), Vec::new())))
    }

    /// Starts a message to verify this signature, as [`Self::to_sign`] does.
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
            Self::Kept(_, bytes) => bytes.extend_from_slice(data),
        }
    }
}

/// Computes SHA-512 of several parts after the `start`.
fn hash_of(start: &Sha512, parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = start.clone();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

/// Checks the length of an encoded private or public key (both have 32 bytes), and returns the
/// bytes.
fn of_key_len(bytes: &[u8]) -> Result<&[u8; SEED_LEN], KeyError> {
    bytes.try_into().map_err(|_| KeyError::Length { expected: SEED_LEN, found: bytes.len() })
}

/// Parses a public key: the canonical encoding of a point that is not of small order.
fn public_key(bytes: &[u8]) -> Result<EdwardsPoint, KeyError> {
    let encoded = CompressedEdwardsY(*of_key_len(bytes)?);
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
    let seed = of_key_len(seed)?;
    Ok(wiping_classic(level, &mut [], |_| SigningKey::from_bytes(seed).verifying_key().to_bytes()))
}

/// Checks the length of a signature.
pub(super) fn check_signature_len(bytes: &[u8]) -> Result<&[u8; SIGNATURE_LEN], VerifyError> {
    bytes.try_into().map_err(|_| VerifyError::Length { expected: SIGNATURE_LEN, found: bytes.len() })
}

/// Parses a signature: checks the length, and that S is below the order of the group. Returns R and
/// S.
pub(super) fn read_signature(bytes: &[u8]) -> Result<([u8; HALF_LEN], Scalar), VerifyError> {
    let bytes = check_signature_len(bytes)?;
    let (Some(r), Some(s)) = (bytes.first_chunk(), bytes.last_chunk()) else { return Err(VerifyError::Encoding) };
    match Scalar::from_canonical_bytes(*s).into_option() {
        Some(s) => Ok((*r, s)),
        None => Err(VerifyError::Encoding),
    }
}

/// Signs a message, verifies the new signature, and wipes the stack. If the signature does not
/// verify, it is replaced by zeros.
#[inline(never)]
pub(super) fn sign<E>(
    level: Level,
    seed: &[u8],
    message: &MessageForEd25519,
    signature: &mut [u8],
) -> Result<(), SignError<E>> {
    let Ok(seed) = of_key_len(seed) else { return Err(SignError::ExpandedKey) };
    let MessageForEd25519::Kept(start, bytes) = message else { return Err(SignError::OtherScheme) };
    let unfinished = ct::WipedMemory(signature);
    let (made, public) = wiping_classic(level, &mut [], |_| made_of(seed, start, bytes));
    verify(&public, message, &made).map_err(|_| SignError::SelfCheck)?;
    unfinished.0.copy_from_slice(&made);
    unfinished.keep();
    Ok(())
}

/// Returns the signature of a message, and the public key (RFC 8032, section 5.1.6).
fn made_of(seed: &[u8; SEED_LEN], start: &Sha512, message: &[u8]) -> ([u8; SIGNATURE_LEN], [u8; PUBLIC_LEN]) {
    let key = ExpandedSecretKey::from(seed);
    let public = EdwardsPoint::mul_base(&key.scalar).compress().to_bytes();
    let secret = Scalar::from_bytes_mod_order_wide(&hash_of(start, &[&key.hash_prefix, message]));
    let r = EdwardsPoint::mul_base(&secret).compress().to_bytes();
    let challenge = Scalar::from_bytes_mod_order_wide(&hash_of(start, &[&r, &public, message]));
    let s = challenge * key.scalar + secret;
    let mut made = [0; SIGNATURE_LEN];
    made[..HALF_LEN].copy_from_slice(&r);
    made[HALF_LEN..].copy_from_slice(s.as_bytes());
    (made, public)
}

/// Verifies a signature for a message in memory, as [`verify`] does.
#[inline(never)]
pub(super) fn verify_message(
    public: &[u8],
    options: Options<'_>,
    bytes: &[u8],
    signature: &[u8],
) -> Result<Verified, VerifyError> {
    let start = started(options);
    verify_with(public, signature, |r, public| Some(hash_of(&start, &[r, public, bytes])))
}

/// Verifies a signature strictly.
#[inline(never)]
pub(super) fn verify(public: &[u8], message: &MessageForEd25519, signature: &[u8]) -> Result<Verified, VerifyError> {
    verify_with(public, signature, |r, public| match message {
        MessageForEd25519::Hashed(hashed) => {
            (hashed.r == *r && hashed.public == *public).then(|| hashed.hash.clone().finalize().into())
        }
        MessageForEd25519::Kept(start, bytes) => Some(hash_of(start, &[r, public, bytes])),
    })
}

/// Verifies a signature strictly. `challenge` returns the hash of R, the public key and the message.
/// It returns `None` if the message was hashed for another R or public key.
fn verify_with(
    public: &[u8],
    signature: &[u8],
    challenge: impl Fn(&[u8; HALF_LEN], &[u8; PUBLIC_LEN]) -> Option<[u8; 64]>,
) -> Result<Verified, VerifyError> {
    let (r, s) = read_signature(signature)?;
    let point = public_key(public).map_err(|_| VerifyError::Mismatch)?;
    let public = of_key_len(public).map_err(|_| VerifyError::Mismatch)?;
    // The signature is verified twice, so that a single fault in the machine cannot turn a NO into
    // a YES.
    let [first, second] = Verified::LOOKS;
    let mut looks = [!first, !second];
    for (look, yes) in looks.iter_mut().zip([first, second]) {
        let challenge = challenge(black_box(&r), black_box(public)).ok_or(VerifyError::Mismatch)?;
        if is_valid(black_box(&point), &challenge, &r, &s) {
            *look = yes;
        }
    }
    let verified = Verified::of_looks(looks[0], looks[1]);
    if verified.value() == Verified::YES { Ok(verified) } else { Err(VerifyError::Mismatch) }
}

/// Returns whether `S B - k A` is R, and R is not of small order. `challenge` is k before the
/// reduction modulo the order of the group.
#[inline(never)]
fn is_valid(public: &EdwardsPoint, challenge: &[u8; 64], r: &[u8; HALF_LEN], s: &Scalar) -> bool {
    let r = CompressedEdwardsY(*r);
    let Some(point) = r.decompress() else { return false };
    let k = Scalar::from_bytes_mod_order_wide(challenge);
    let expected = EdwardsPoint::vartime_double_scalar_mul_basepoint(&k, &-public, s);
    !point.is_small_order() && expected.compress() == r
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{
        Algorithm, Attempt, HashedMessage, Mu, SignatureRef as Encoded, SigningHasher, SigningKey, VerifyingHasher,
        VerifyingKey,
    };
    use crate::engine::hash::prehash::PreHash;
    use crate::testing::FixedBytes;
    use std::vec;

    /// The order of the group, with the least significant byte first: 2^252 +
    /// 27742317777372353535851937790883648493 (RFC 8032, section 5.1).
    const ORDER: [u8; 32] = {
        let low = 27742317777372353535851937790883648493u128.to_le_bytes();
        let mut order = [0; 32];
        let mut i = 0;
        while i < low.len() {
            order[i] = low[i];
            i += 1;
        }
        order[31] = 0x10;
        order
    };

    fn bytes(digits: &str) -> Vec<u8> {
        (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
    }

    /// A published signature.
    struct SignatureVector {
        seed: Vec<u8>,
        public: Vec<u8>,
        context: Vec<u8>,
        prehash: Option<PreHash>,
        message: Vec<u8>,
        signature: Vec<u8>,
    }

    impl SignatureVector {
        fn options(&self) -> Options<'_> {
            Options::with_context(&self.context).with_prehash(self.prehash)
        }
    }

    /// Returns the test vectors from RFC 8032 for the three variants, and further vectors from Go and
    /// PyCryptodome.
    fn vectors() -> Vec<SignatureVector> {
        let file: serde_json::Value = serde_json::from_str(include_str!("../../tests/kat/ed25519.json")).unwrap();
        let mut vectors = Vec::new();
        for test in file["tests"].as_array().unwrap() {
            let of = |name: &str| bytes(test[name].as_str().unwrap());
            vectors.push(SignatureVector {
                seed: of("seed"),
                public: of("publicKey"),
                context: of("ctx"),
                prehash: (test["prehash"] != "none").then_some(PreHash::Sha512),
                message: of("msg"),
                signature: of("sig"),
            });
        }
        assert_eq!(vectors.len(), 12);
        vectors
    }

    #[test]
    fn published_signatures_are_made_and_accepted() {
        for vector in vectors() {
            let (options, message, signature) = (vector.options(), &vector.message, &vector.signature);
            let key = SigningKey::of_algorithm(Algorithm::ED25519, &vector.seed).unwrap();
            assert_eq!(key.verifying_key().as_bytes(), vector.public);
            assert_eq!(key.sign(options, message, &mut FixedBytes(&[])).unwrap().as_bytes(), signature);
            let mut stream = key.signer(options, &mut FixedBytes(&[])).unwrap();
            message.chunks(7).for_each(|piece| stream.update(piece));
            assert_eq!(stream.finish(&mut FixedBytes(&[])).unwrap().as_bytes(), signature);
            let expanded = key.to_ref().expand(Level::detect(), &mut []).unwrap();
            let mut made = [0; SIGNATURE_LEN];
            expanded.sign_message(options, message, &mut FixedBytes(&[]), &mut made, &mut []).unwrap();
            assert_eq!(made[..], signature[..]);
            // The batch has nine messages, one more than a group in other schemes.
            let mut batch = [0; 9 * SIGNATURE_LEN];
            let rng = &mut FixedBytes(&[7; 32 * 9]);
            expanded.sign_message_batch(options, &[&message[..]; 9], rng, &mut batch, &mut []).unwrap();
            assert!(batch.chunks(SIGNATURE_LEN).all(|made| made == signature));

            let public = VerifyingKey::from_bytes(Scheme::Ed25519, &vector.public).unwrap();
            assert_eq!(public.verify(options, message, signature), Ok(()));
            let mut stream = public.verifier(options, signature).unwrap();
            message.chunks(7).for_each(|piece| stream.update(piece));
            assert_eq!(stream.finish(), Ok(()));
            let other_context = Options::with_context(b"another").with_prehash(options.prehash);
            let other_variant = options.with_prehash(match options.prehash {
                None => Some(PreHash::Sha512),
                Some(_) => None,
            });
            for other in [other_context, other_variant] {
                assert_eq!(public.verify(other, message, signature), Err(VerifyError::Mismatch.into()));
            }
            assert_eq!(public.verify(options, b"another", signature), Err(VerifyError::Mismatch.into()));
            for bit in 0..8 * SIGNATURE_LEN {
                let mut changed = signature.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert!(public.verify(options, message, &changed).is_err(), "bit {bit}");
            }
            for wrong in [&signature[..63], &[&signature[..], &[0]].concat(), &[]] {
                let length = VerifyError::Length { expected: SIGNATURE_LEN, found: wrong.len() };
                assert_eq!(public.verify(options, message, wrong), Err(length.into()));
            }
        }
    }

    /// Messages can be hashed before they are signed together, except with a pre-hash.
    #[test]
    fn hashed_messages_are_signed_together() {
        for vector in vectors().iter().filter(|vector| vector.prehash.is_none()) {
            let key = SigningKey::of_algorithm(Algorithm::ED25519, &vector.seed).unwrap();
            let expanded = key.to_ref().expand(Level::detect(), &mut []).unwrap();
            let rng = &mut FixedBytes(&[7; 64]);
            let mut attempts = [[Attempt::EMPTY], [Attempt::EMPTY]];
            let to_sign = attempts.each_mut().map(|attempt| {
                let (level, hash) = (expanded.level(), expanded.key_hash());
                let stream = SigningHasher::new(level, Algorithm::ED25519, &hash, vector.options(), attempt, rng);
                let mut stream = stream.unwrap();
                stream.update(&vector.message);
                stream.finish()
            });
            let mut batch = [0; 2 * SIGNATURE_LEN];
            expanded.sign_batch(to_sign, rng, &mut batch, &mut []).unwrap();
            assert!(batch.chunks(SIGNATURE_LEN).all(|made| made == vector.signature));
        }
    }

    /// A message that was hashed for a signature does not verify another signature or key.
    #[test]
    fn a_hashed_message_is_for_one_signature_and_one_key() {
        let vectors = vectors();
        let [first, second] = [&vectors[5], &vectors[6]];
        assert!(first.public == second.public && first.message == second.message);
        let key = VerifyingKeyRef::from_bytes(Scheme::Ed25519, &first.public).unwrap();
        let mut message = Ed25519Message::new(&key, first.options(), &first.signature).unwrap();
        message.update(&first.message);
        assert_eq!(message.verified(&key, &first.signature).unwrap().value(), Verified::YES);
        assert_eq!(message.verified(&key, &second.signature).err(), Some(VerifyError::Mismatch));
        let other = VerifyingKeyRef::from_bytes(Scheme::Ed25519, &vectors[0].public).unwrap();
        assert_eq!(message.verified(&other, &first.signature).err(), Some(VerifyError::Mismatch));
        let prehash = first.options().with_prehash(Some(PreHash::Sha512));
        let refused = Ed25519Message::new(&key, prehash, &first.signature).err();
        assert_eq!(refused, Some(MessageError::NotHashed { hash: PreHash::Sha512 }));
        let refused = Ed25519Message::new(&key, first.options(), &first.signature[..63]).err();
        assert_eq!(refused, Some(MessageError::Signature { algorithm: Algorithm::ED25519 }));
    }

    /// The signatures of messages of many lengths are those of the crate `ed25519-dalek`.
    #[test]
    fn signatures_are_those_of_another_implementation() {
        use ed25519_dalek::Signer;
        for len in 0..300 {
            let seed = [len as u8; SEED_LEN];
            let message = vec![(len / 2) as u8; len];
            let reference = ed25519_dalek::SigningKey::from_bytes(&seed);
            let key = SigningKey::of_algorithm(Algorithm::ED25519, &seed).unwrap();
            let made = key.sign(Options::default(), &message, &mut FixedBytes(&[])).unwrap();
            assert_eq!(made.as_bytes(), reference.sign(&message).to_bytes());
            let options = Options::with_context(&message[..len.min(255)]).with_prehash(Some(PreHash::Sha512));
            let made = key.sign(options, &message, &mut FixedBytes(&[])).unwrap();
            let hash = Sha512::new_with_prefix(&message);
            assert_eq!(made.as_bytes(), reference.sign_prehashed(hash, Some(options.context)).unwrap().to_bytes());
        }
    }

    #[test]
    fn verdicts_are_those_of_wycheproof() {
        let file = include_str!("../../tests/kat/wycheproof-ed25519.json");
        let file: serde_json::Value = serde_json::from_str(file).unwrap();
        let mut count = [0; 2];
        for group in file["testGroups"].as_array().unwrap() {
            let key = bytes(group["publicKey"].as_str().unwrap());
            let key = VerifyingKey::from_bytes(Scheme::Ed25519, &key).unwrap();
            for test in group["tests"].as_array().unwrap() {
                let [message, signature] = ["msg", "sig"].map(|name| bytes(test[name].as_str().unwrap()));
                let verdict = key.verify(Options::default(), &message, &signature);
                assert_eq!(verdict.is_ok(), test["result"] == "valid", "{}: {}", test["tcId"], test["comment"]);
                count[usize::from(verdict.is_ok())] += 1;
            }
        }
        assert_eq!(count, [63, 88]);
    }

    #[test]
    fn the_other_signature_of_the_same_message_is_refused() {
        let mut vector = vectors().swap_remove(10);
        // The test adds the order of the group to S. The sum is equal to S modulo the order, so a
        // lax verifier would accept it.
        let mut carry = 0;
        for (byte, add) in vector.signature[32..].iter_mut().zip(ORDER) {
            let sum = u16::from(*byte) + u16::from(add) + carry;
            *byte = sum as u8;
            carry = sum >> 8;
        }
        let key = VerifyingKey::from_bytes(Scheme::Ed25519, &vector.public).unwrap();
        let refused = key.verify(vector.options(), &vector.message, &vector.signature);
        assert_eq!(refused, Err(VerifyError::Encoding.into()));
        assert_eq!(Encoded::from_bytes(Scheme::Ed25519, &vector.signature), Err(VerifyError::Encoding));
        for (s, is_read) in [(ORDER, false), ([0; 32], true), ([0xff; 32], false)] {
            vector.signature[32..].copy_from_slice(&s);
            assert_eq!(Encoded::from_bytes(Scheme::Ed25519, &vector.signature).is_ok(), is_read);
        }
    }

    /// A point could have a second encoding in two cases: with y + p instead of y if the sum is
    /// below 2^255, and with either sign bit if x is 0.
    #[test]
    fn keys_have_one_encoding_and_no_small_order() {
        let mut refused = vec![bytes("0100000000000000000000000000000000000000000000000000000000000080")];
        for low in 0xed..=0xffu8 {
            for high in [0x7f, 0xff] {
                let mut key = [0xff; 32];
                (key[0], key[31]) = (low, high);
                refused.push(key.to_vec());
            }
        }
        // The points with an order that divides 8.
        let small = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        ];
        refused.extend(small.map(bytes));
        for key in &refused {
            assert_eq!(VerifyingKey::from_bytes(Scheme::Ed25519, key), Err(KeyError::Point.into()), "{key:02x?}");
        }
        let short = KeyError::Length { expected: 32, found: 31 };
        assert_eq!(VerifyingKey::from_bytes(Scheme::Ed25519, &refused[0][1..]), Err(short.into()));
        assert!(SigningKey::of_algorithm(Algorithm::ED25519, &[1; 33]).is_err());
    }

    #[test]
    fn messages_of_other_schemes_are_refused() {
        let SignatureVector { seed, public, message, signature, .. } = vectors().swap_remove(0);
        let key = SigningKey::of_algorithm(Algorithm::ED25519, &seed).unwrap();
        let mu = Mu::from_bytes([1; 64]);
        let mut out = [1; SIGNATURE_LEN];
        let refused = key.to_ref().sign(Level::detect(), &mu, &mut FixedBytes(&[]), &mut out, &mut []);
        assert_eq!((refused, out), (Err(SignError::OtherScheme), [0; SIGNATURE_LEN]));
        let public = VerifyingKey::from_bytes(Scheme::Ed25519, &public).unwrap();
        let refused = public.to_ref().verify(Level::detect(), &HashedMessage::from(mu), &signature, &mut []);
        assert_eq!(refused, Err(VerifyError::OtherMessage));
        // A message for Ed25519 is also rejected by a key for another scheme.
        let level = Level::detect();
        let builder =
            VerifyingHasher::new(level, Algorithm::ED25519, &public.key_hash(), Options::default(), &signature);
        let mut builder = builder.unwrap();
        builder.update(&message);
        let hashed = builder.finish();
        assert_eq!(public.to_ref().verify(level, &hashed, &signature, &mut []), Ok(()));
        for algorithm in [Algorithm::FN_DSA_512, Algorithm::ML_DSA_44, Algorithm::FALCON_512] {
            let other = SigningKey::generate(algorithm, &mut FixedBytes(&[3; 32])).unwrap().verifying_key();
            let signed = vec![0x39; algorithm.signature_len()];
            let mut work = vec![0; algorithm.verify_work_len()];
            let refused = other.to_ref().verify(level, &hashed, &signed, &mut work);
            assert_eq!(refused, Err(VerifyError::OtherMessage), "{algorithm}");
        }
        assert!(Scheme::Ed25519.has_prehash(PreHash::Sha512) && !Scheme::Ed25519.has_prehash(PreHash::Sha256));
    }
}
