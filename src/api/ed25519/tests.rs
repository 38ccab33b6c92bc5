//! Tests for Ed25519 with published vectors and with the crate `ed25519-dalek`.

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

/// Returns the test vectors for the three variants from RFC 8032, and further vectors from Go and
/// PyCryptodome.
fn vectors() -> Vec<SignatureVector> {
    let file: serde_json::Value = serde_json::from_str(include_str!("../../../tests/kat/ed25519.json")).unwrap();
    let mut vectors = Vec::new();
    for test in file["tests"].as_array().unwrap() {
        let field = |name: &str| bytes(test[name].as_str().unwrap());
        vectors.push(SignatureVector {
            seed: field("seed"),
            public: field("publicKey"),
            context: field("ctx"),
            prehash: (test["prehash"] != "none").then_some(PreHash::Sha512),
            message: field("msg"),
            signature: field("sig"),
        });
    }
    assert_eq!(vectors.len(), 12);
    vectors
}

#[test]
fn published_signatures_are_reproduced_and_accepted() {
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
        // Sign nine messages, because other schemes process batches in groups of eight.
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

/// Without a pre-hash, messages can be passed to a hasher before they are signed together. For
/// Ed25519, the hasher keeps the message.
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
        let other = SigningKey::of_algorithm(Algorithm::ED25519, &[9; SEED_LEN]).unwrap();
        let level = expanded.level();
        let mut attempt = [Attempt::EMPTY];
        let hasher =
            SigningHasher::new(level, Algorithm::ED25519, &other.key_hash(), vector.options(), &mut attempt, rng);
        let refused = key.to_ref().sign(level, hasher.unwrap().finish(), rng, &mut [0; SIGNATURE_LEN], &mut []);
        assert_eq!(refused, Err(SignError::OtherKey));
        let mut batch = [0; 2 * SIGNATURE_LEN];
        expanded.sign_batch(to_sign, rng, &mut batch, &mut []).unwrap();
        assert!(batch.chunks(SIGNATURE_LEN).all(|made| made == vector.signature));
    }
}

/// A message that was hashed for a signature must verify only with this signature and this key.
#[test]
fn a_hashed_message_is_bound_to_a_signature_and_a_key() {
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

/// Compares signatures for messages of different lengths with the signatures from the crate
/// `ed25519-dalek`.
#[test]
fn signatures_equal_those_of_another_implementation() {
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
fn verdicts_equal_those_of_wycheproof() {
    let file = include_str!("../../../tests/kat/wycheproof-ed25519.json");
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
fn a_signature_with_s_plus_the_order_is_rejected() {
    let mut vector = vectors().swap_remove(10);
    // Add the order of the group to S. A verifier that does not check the range would accept the
    // sum, because it is equal to S modulo the order.
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

/// Rejects second encodings of points, which are possible in two cases: the encoding of (x, y)
/// contains y + p instead of y if y + p < 2^255, or the sign bit is 1 although x is 0.
#[test]
fn keys_have_one_encoding_and_no_small_order() {
    let mut rejected_keys = vec![bytes("0100000000000000000000000000000000000000000000000000000000000080")];
    for low in 0xed..=0xffu8 {
        for high in [0x7f, 0xff] {
            let mut key = [0xff; 32];
            (key[0], key[31]) = (low, high);
            rejected_keys.push(key.to_vec());
        }
    }
    // The points whose order divides 8.
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
    rejected_keys.extend(small.map(bytes));
    for key in &rejected_keys {
        assert_eq!(VerifyingKey::from_bytes(Scheme::Ed25519, key), Err(KeyError::Point.into()), "{key:02x?}");
    }
    let short = KeyError::Length { expected: 32, found: 31 };
    assert_eq!(VerifyingKey::from_bytes(Scheme::Ed25519, &rejected_keys[0][1..]), Err(short.into()));
    assert!(SigningKey::of_algorithm(Algorithm::ED25519, &[1; 33]).is_err());
}

#[test]
fn messages_hashed_for_other_schemes_are_rejected() {
    let SignatureVector { seed, public, message, signature, .. } = vectors().swap_remove(0);
    let key = SigningKey::of_algorithm(Algorithm::ED25519, &seed).unwrap();
    let mu = Mu::from_bytes([1; 64]);
    let mut out = [1; SIGNATURE_LEN];
    let refused = key.to_ref().sign(Level::detect(), &mu, &mut FixedBytes(&[]), &mut out, &mut []);
    assert_eq!((refused, out), (Err(SignError::OtherScheme), [0; SIGNATURE_LEN]));
    let public = VerifyingKey::from_bytes(Scheme::Ed25519, &public).unwrap();
    let refused = public.to_ref().verify(Level::detect(), &HashedMessage::from(mu), &signature, &mut []);
    assert_eq!(refused, Err(VerifyError::OtherMessage));
    // Keys of other schemes must also reject a message that was hashed for Ed25519.
    let level = Level::detect();
    let builder = VerifyingHasher::new(level, Algorithm::ED25519, &public.key_hash(), Options::default(), &signature);
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

/// The signer must detect two faults: a changed seed, and a changed nonce, with which the signature
/// still verifies.
#[test]
fn a_fault_while_signing_is_detected() {
    for vector in vectors().iter().filter(|vector| vector.prehash.is_none()) {
        let mut message = MessageForEd25519::to_sign(Scheme::Ed25519, vector.options()).unwrap();
        message.update(&vector.message);
        let mut seed = vector.seed.clone();
        let hash = key_as_hash(&vector.public);
        let sign = |seed: &[u8], fault: fn(&mut Scalar)| {
            let mut made = [7; SIGNATURE_LEN];
            let done = sign_with_fault::<()>(Level::detect(), seed, &hash, &message, &mut made, fault);
            (done, made)
        };
        let (done, made) = sign(&seed, |_| ());
        assert!(done.is_ok() && made[..] == vector.signature[..]);
        assert_eq!(sign(&seed, |nonce| *nonce += Scalar::ONE), (Err(SignError::SelfCheck), [0; SIGNATURE_LEN]));
        seed[3] ^= 4;
        assert_eq!(sign(&seed, |_| ()), (Err(SignError::SelfCheck), [0; SIGNATURE_LEN]));
    }
}

/// The verdict must be NO if a message was hashed for a different R. As the hash k is then known,
/// an attacker could otherwise choose any S and compute R = S B - k A to forge a signature.
#[test]
fn a_signature_for_a_known_hash_is_rejected() {
    let vector = &vectors()[2];
    let key = VerifyingKeyRef::from_bytes(Scheme::Ed25519, &vector.public).unwrap();
    let level = Level::detect();
    let mut hasher =
        VerifyingHasher::new(level, Algorithm::ED25519, &key.key_hash(level), vector.options(), &vector.signature)
            .unwrap();
    hasher.update(b"a message that nobody signed");
    let hashed = hasher.finish();
    let parts: [&[u8]; 3] = [&vector.signature[..32], &vector.public, b"a message that nobody signed"];
    let k = Scalar::from_bytes_mod_order_wide(&Sha512::digest(parts.concat()).into());
    let s = Scalar::from(5_u64);
    let point = public_key(&vector.public).unwrap();
    let r = EdwardsPoint::vartime_double_scalar_mul_basepoint(&k, &-point, &s).compress();
    let forged = [&r.as_bytes()[..], s.as_bytes()].concat();
    assert!(is_valid(&point, &Sha512::digest(parts.concat()).into(), r.as_bytes(), &s));
    assert_eq!(key.verify(level, &hashed, &forged, &mut []), Err(VerifyError::Mismatch));
}

/// The owner of the private key can compute a signature with R of small order that satisfies the
/// verification equation. Such a signature must be rejected.
#[test]
fn r_of_small_order_is_rejected() {
    let vector = &vectors()[2];
    let seed: [u8; SEED_LEN] = vector.seed[..].try_into().unwrap();
    let public = VerifyingKey::from_bytes(Scheme::Ed25519, &vector.public).unwrap();
    // R is the neutral point, so `S B = R + k A` requires `S = k a`, where a is the private scalar.
    let mut r = [0; HALF_LEN];
    r[0] = 1;
    let parts: [&[u8]; 3] = [&r, &vector.public, &vector.message];
    let k = Scalar::from_bytes_mod_order_wide(&Sha512::digest(parts.concat()).into());
    let s = k * ExpandedSecretKey::from(&seed).scalar;
    let point = public_key(&vector.public).unwrap();
    assert_eq!(EdwardsPoint::vartime_double_scalar_mul_basepoint(&k, &-point, &s).compress().as_bytes(), &r);
    let refused = public.verify(vector.options(), &vector.message, [&r[..], s.as_bytes()].concat());
    assert_eq!(refused, Err(VerifyError::Mismatch.into()));
}
