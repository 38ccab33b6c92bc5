//! Signs and verifies with Ed25519ph (RFC 8032), for the classic half of a dual signature. The
//! curve arithmetic is in crate `ed25519-dalek`.
//!
//! Ed25519ph signs the SHA-512 hash of a message. Of the three variants in the RFC, only Ed25519ph
//! both has a context and reads the message only once, in constant memory. A private key is a seed,
//! from which each operation derives all other values. The only use of the level is to choose the
//! stack depth to wipe.
//!
//! Verification is strict: S must be below the order of the group, and neither the key nor R may be
//! of small order. A public key has only one encoding.

use super::{
    Algorithm, KeyError, MessageError, Options, SEED_LEN, Scheme, SignError, VerifyError, VerifyingKeyRef,
    wiping_classic,
};
use crate::engine::hash::message::{HashingRules, MAX_CONTEXT_LEN};
use crate::engine::verdict::Verified;
use crate::simd::{Level, ct};
use alloc::boxed::Box;
use ed25519_dalek::{Digest, Sha512, Signature, SigningKey};

/// The length of a public key, in bytes.
pub(super) const PUBLIC_LEN: usize = 32;
/// The length of a signature in bytes: R and S.
pub(super) const SIGNATURE_LEN: usize = 64;

/// The hashing rules in the form of the other schemes. Only `has_context` matters, because Ed25519
/// does not use a sponge.
pub(super) const HASHING: HashingRules =
    HashingRules { through_mu: false, binds_key: false, has_context: true, oid_skip: 0, few_prehashes: false };

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

/// A message for Ed25519 that is hashed in pieces.
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
/// // RFC 8032, 7.3.
/// let public = [
///     0xec, 0x17, 0x2b, 0x93, 0xad, 0x5e, 0x56, 0x3b, 0xf4, 0x93, 0x2c, 0x70, 0xe1, 0x24, 0x50, 0x34, 0xc3, 0x54, 0x67, 0xef, 0x2e,
///     0xfd, 0x4d, 0x64, 0xeb, 0xf8, 0x19, 0x68, 0x34, 0x67, 0xe2, 0xbf,
/// ];
/// let mut message = Ed25519Message::new(Options::default()).unwrap();
/// [&b"ab"[..], b"c"].iter().for_each(|piece| message.update(piece));
/// let key = VerifyingKeyRef::from_bytes(Scheme::Ed25519, &public).unwrap();
/// assert_eq!(message.verified(&key, &[0; 64]).err(), Some(VerifyError::Mismatch));
/// ```
#[derive(Clone)]
pub struct Ed25519Message {
    hash: Sha512,
    context: [u8; MAX_CONTEXT_LEN],
    context_len: u8,
}

impl Ed25519Message {
    /// Starts a message.
    ///
    /// # Errors
    /// Returns an error if the context is longer than 255 bytes. Also returns an error if there is
    /// a pre-hash, because Ed25519ph itself always applies SHA-512.
    pub fn new(options: Options<'_>) -> Result<Self, MessageError> {
        options.check(Algorithm::ED25519)?;
        let mut context = [0; MAX_CONTEXT_LEN];
        context[..options.context.len()].copy_from_slice(options.context);
        Ok(Self { hash: Sha512::new(), context, context_len: options.context.len() as u8 })
    }

    /// Starts a message if the scheme is Ed25519, and returns `None` for other schemes. The value
    /// is on the heap, and this function has a separate stack frame, so that the value does not
    /// need memory in other schemes.
    #[inline(never)]
    pub(super) fn begin(scheme: Scheme, options: Options<'_>) -> Option<Box<Self>> {
        if scheme == Scheme::Ed25519 { Self::new(options).ok().map(Box::new) } else { None }
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.hash.update(data);
    }

    /// Verifies a signature strictly, and returns the verdict YES as a value.
    ///
    /// # Errors
    /// Returns an error if the signature is not valid for this key and this message, or if the key
    /// is for another scheme.
    pub fn verified(&self, key: &VerifyingKeyRef<'_>, signature: &[u8]) -> Result<Verified, VerifyError> {
        if key.scheme() == Scheme::Ed25519 {
            verify(key.as_bytes(), self, signature)
        } else {
            Err(VerifyError::OtherMessage)
        }
    }

    /// Returns the context.
    fn context(&self) -> &[u8] {
        &self.context[..usize::from(self.context_len)]
    }
}

/// Checks the length of an encoded private or public key (both have 32 bytes), and returns the
/// bytes.
fn of_key_len(bytes: &[u8]) -> Result<&[u8; SEED_LEN], KeyError> {
    bytes.try_into().map_err(|_| KeyError::Length { expected: SEED_LEN, found: bytes.len() })
}

/// Parses a public key: the canonical encoding of a point that is not of small order.
fn public_key(bytes: &[u8]) -> Result<ed25519_dalek::VerifyingKey, KeyError> {
    let bytes = of_key_len(bytes)?;
    let key = ed25519_dalek::VerifyingKey::from_bytes(bytes).map_err(|_| KeyError::Point)?;
    let is_canonical = key.to_edwards().compress().as_bytes() == bytes;
    if is_canonical && !key.is_weak() { Ok(key) } else { Err(KeyError::Point) }
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

/// Parses a signature: checks the length, and that S is below the order of the group.
pub(super) fn read_signature(bytes: &[u8]) -> Result<Signature, VerifyError> {
    let bytes = check_signature_len(bytes)?;
    let s = &bytes[SIGNATURE_LEN / 2..];
    if s.iter().rev().lt(ORDER.iter().rev()) { Ok(Signature::from_bytes(bytes)) } else { Err(VerifyError::Encoding) }
}

/// Signs a message, verifies the new signature, and wipes the stack. If the signature does not
/// verify, it is replaced by zeros.
#[inline(never)]
pub(super) fn sign<E>(
    level: Level,
    seed: &[u8],
    message: &Ed25519Message,
    signature: &mut [u8],
) -> Result<(), SignError<E>> {
    let Ok(seed) = of_key_len(seed) else { return Err(SignError::ExpandedKey) };
    let unfinished = ct::WipedMemory(signature);
    let made = wiping_classic(level, &mut [], |_| {
        let key = SigningKey::from_bytes(seed);
        let made = key.sign_prehashed(message.hash.clone(), Some(message.context()));
        made.map(|signature| (signature.to_bytes(), key.verifying_key().to_bytes()))
    });
    let (made, public) = made.map_err(|_| SignError::SelfCheck)?;
    verify(&public, message, &made).map_err(|_| SignError::SelfCheck)?;
    unfinished.0.copy_from_slice(&made);
    unfinished.keep();
    Ok(())
}

/// Verifies a signature for a message in memory, as [`verify`] does.
#[inline(never)]
pub(super) fn verify_message(
    public: &[u8],
    options: Options<'_>,
    bytes: &[u8],
    signature: &[u8],
) -> Result<Verified, VerifyError> {
    let mut message = Ed25519Message::new(options).map_err(VerifyError::Message)?;
    message.update(bytes);
    verify(public, &message, signature)
}

/// Verifies a signature strictly.
#[inline(never)]
pub(super) fn verify(public: &[u8], message: &Ed25519Message, signature: &[u8]) -> Result<Verified, VerifyError> {
    let signature = read_signature(signature)?;
    let key = public_key(public).map_err(|_| VerifyError::Mismatch)?;
    // The signature is verified twice, so that a single fault in the machine cannot turn a NO into
    // a YES.
    let look = |is_good: bool, yes: u32| if is_good { yes } else { !yes };
    let strict = key.verify_prehashed_strict(message.hash.clone(), Some(message.context()), &signature);
    let again = key.verify_prehashed(message.hash.clone(), Some(message.context()), &signature);
    let [first, second] = Verified::LOOKS;
    let verified = Verified::of_looks(look(strict.is_ok(), first), look(again.is_ok(), second));
    if verified.value() == Verified::YES { Ok(verified) } else { Err(VerifyError::Mismatch) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{
        Algorithm, Attempt, HashedMessage, Mu, SignatureRef as Encoded, SigningHasher, SigningKey, VerifyingHasher,
        VerifyingKey,
    };
    use crate::testing::FixedBytes;
    use std::vec;
    use std::vec::Vec;

    fn bytes(digits: &str) -> Vec<u8> {
        (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
    }

    /// The seed, the public key, the context, the message and the signature.
    type Vector = (Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>);

    /// Returns the test vector from RFC 8032, section 7.3, and three test vectors from
    /// PyCryptodome.
    fn vectors() -> Vec<Vector> {
        let file: serde_json::Value = serde_json::from_str(include_str!("../../tests/kat/ed25519ph.json")).unwrap();
        let of = |test: &serde_json::Value, name: &str| bytes(test[name].as_str().unwrap());
        let vector = |it| (of(it, "seed"), of(it, "publicKey"), of(it, "ctx"), of(it, "msg"), of(it, "sig"));
        let vectors: Vec<_> = file["tests"].as_array().unwrap().iter().map(vector).collect();
        assert_eq!(vectors.len(), 4);
        vectors
    }

    #[test]
    fn published_signatures_are_made_and_accepted() {
        for (seed, public, context, message, signature) in vectors() {
            let options = Options::with_context(&context);
            let key = SigningKey::of_algorithm(Algorithm::ED25519, &seed).unwrap();
            assert_eq!(key.verifying_key().as_bytes(), public);
            let mut stream = key.signer(options, &mut FixedBytes(&[])).unwrap();
            message.chunks(7).for_each(|piece| stream.update(piece));
            assert_eq!(stream.finish(&mut FixedBytes(&[])).unwrap().as_bytes(), signature);
            let expanded = key.to_ref().expand(Level::detect(), &mut []).unwrap();
            let mut made = [0; SIGNATURE_LEN];
            expanded.sign_message(options, &message, &mut FixedBytes(&[]), &mut made, &mut []).unwrap();
            assert_eq!(made[..], signature);
            // The batch has nine messages, one more than a group in other schemes.
            let mut batch = [0; 9 * SIGNATURE_LEN];
            let rng = &mut FixedBytes(&[7; 32 * 9]);
            expanded.sign_message_batch(options, &[&message[..]; 9], rng, &mut batch, &mut []).unwrap();
            assert!(batch.chunks(SIGNATURE_LEN).all(|made| made == signature));
            // The messages can also be hashed before they are signed together.
            let mut attempts = [[Attempt::EMPTY], [Attempt::EMPTY]];
            let to_sign = attempts.each_mut().map(|attempt| {
                let key = expanded.key_hash();
                let stream = SigningHasher::new(expanded.level(), Algorithm::ED25519, &key, options, attempt, rng);
                let mut stream = stream.unwrap();
                stream.update(&message);
                stream.finish()
            });
            let batch = &mut batch[..2 * SIGNATURE_LEN];
            batch.fill(0);
            expanded.sign_batch(to_sign, rng, batch, &mut []).unwrap();
            assert!(batch.chunks(SIGNATURE_LEN).all(|made| made == signature));

            let public = VerifyingKey::from_bytes(Scheme::Ed25519, &public).unwrap();
            assert_eq!(public.verify(options, &message, &signature), Ok(()));
            let other = Options::with_context(b"another");
            assert_eq!(public.verify(other, &message, &signature), Err(VerifyError::Mismatch.into()));
            assert_eq!(public.verify(options, b"another", &signature), Err(VerifyError::Mismatch.into()));
            for bit in 0..8 * SIGNATURE_LEN {
                let mut changed = signature.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert!(public.verify(options, &message, &changed).is_err(), "bit {bit}");
            }
            for wrong in [&signature[..63], &[&signature[..], &[0]].concat(), &[]] {
                let length = VerifyError::Length { expected: SIGNATURE_LEN, found: wrong.len() };
                assert_eq!(public.verify(options, &message, wrong), Err(length.into()));
            }
        }
    }

    #[test]
    fn the_other_signature_of_the_same_message_is_refused() {
        let (_, public, context, message, mut signature) = vectors().swap_remove(2);
        // The test adds the order of the group to S. The sum is equal to S modulo the order, so a
        // lax verifier would accept it.
        let mut carry = 0;
        for (byte, add) in signature[32..].iter_mut().zip(ORDER) {
            let sum = u16::from(*byte) + u16::from(add) + carry;
            *byte = sum as u8;
            carry = sum >> 8;
        }
        let options = Options::with_context(&context);
        let key = VerifyingKey::from_bytes(Scheme::Ed25519, &public).unwrap();
        assert_eq!(key.verify(options, &message, &signature), Err(VerifyError::Encoding.into()));
        assert_eq!(Encoded::from_bytes(Scheme::Ed25519, &signature), Err(VerifyError::Encoding));
        for (s, is_read) in [(ORDER, false), ([0; 32], true), ([0xff; 32], false)] {
            signature[32..].copy_from_slice(&s);
            assert_eq!(Encoded::from_bytes(Scheme::Ed25519, &signature).is_ok(), is_read);
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
        let (seed, public, _, message, signature) = vectors().swap_remove(0);
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
        assert!(!Scheme::Ed25519.has_prehash(crate::api::PreHash::Sha512));
    }
}
