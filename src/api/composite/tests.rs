//! Tests for composites with the vectors from the draft, with signatures from BouncyCastle, and
//! with exchanged halves of signatures and keys.

use super::*;
use crate::api::composite_signing::{CompositeSigningTask, halves_of_private};
use crate::api::{
    Attempt, ExpandError, MessageError, Options, PreHash, Scheme, SignError, SignatureRef, SigningHasher, SigningKey,
    SigningKeyRef, VerifyingHasher, VerifyingKey,
};
use crate::engine::mldsa::sign::MlDsaSignError;
use crate::testing::FixedBytes;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A key pair and two signatures for a message, without and with a context.
struct CompositeVector {
    algorithm: Algorithm,
    private: Vec<u8>,
    public: Vec<u8>,
    message: Vec<u8>,
    context: Vec<u8>,
    signatures: [Vec<u8>; 2],
}

impl CompositeVector {
    /// Returns the options and the signature, without and with a context.
    fn signatures(&self) -> [(Options<'_>, &[u8]); 2] {
        let [plain, with_context] = &self.signatures;
        [(Options::default(), plain), (Options::with_context(&self.context), with_context)]
    }
}

/// Returns the vectors from the draft.
fn vectors_of_draft() -> Vec<CompositeVector> {
    let file = include_str!("../../../tests/kat/composite/draft-19.json");
    let file: serde_json::Value = serde_json::from_str(file).unwrap();
    let bytes = |value: &serde_json::Value| STANDARD.decode(value.as_str().unwrap()).unwrap();
    let names = ["id-MLDSA44-Ed25519-SHA512", "id-MLDSA65-Ed25519-SHA512"];
    let mut vectors = Vec::new();
    for (i, test) in file["tests"].as_array().unwrap().iter().enumerate() {
        assert_eq!(test["tcId"], names[i]);
        vectors.push(CompositeVector {
            algorithm: [Algorithm::ML_DSA_44_ED25519, Algorithm::ML_DSA_65_ED25519][i],
            private: bytes(&test["sk"]),
            public: bytes(&test["pk"]),
            message: bytes(&file["m"]),
            context: bytes(&file["ctx"]),
            signatures: [bytes(&test["s"]), bytes(&test["sWithContext"])],
        });
    }
    assert_eq!(vectors.len(), 2);
    vectors
}

/// Returns the vectors from BouncyCastle.
fn vectors_of_bouncy_castle() -> Vec<CompositeVector> {
    macro_rules! file {
        ($name:literal) => {
            &include_bytes!(concat!("../../../tests/kat/composite/", $name))[..]
        };
    }
    let files = [
        (
            Algorithm::ML_DSA_44_ED25519,
            [file!("mldsa44-ed25519-sha512.p8.der"), file!("mldsa44-ed25519-sha512.spki.der")],
            [file!("mldsa44-ed25519-sha512.sig"), file!("mldsa44-ed25519-sha512.context-release.sig")],
        ),
        (
            Algorithm::ML_DSA_65_ED25519,
            [file!("mldsa65-ed25519-sha512.p8.der"), file!("mldsa65-ed25519-sha512.spki.der")],
            [file!("mldsa65-ed25519-sha512.sig"), file!("mldsa65-ed25519-sha512.context-release.sig")],
        ),
    ];
    let last = |bytes: &[u8], len: usize| bytes[bytes.len() - len..].to_vec();
    let mut vectors = Vec::new();
    for (algorithm, [private, public], signatures) in files {
        vectors.push(CompositeVector {
            algorithm,
            private: last(private, algorithm.signing_key_len()),
            public: last(public, algorithm.verifying_key_len()),
            message: file!("msg.txt").to_vec(),
            context: b"release".to_vec(),
            signatures: signatures.map(<[u8]>::to_vec),
        });
    }
    vectors
}

fn vectors() -> Vec<CompositeVector> {
    [vectors_of_draft(), vectors_of_bouncy_castle()].into_iter().flatten().collect()
}

#[test]
fn published_signatures_are_accepted() {
    for vector in vectors() {
        let key = SigningKey::of_algorithm(vector.algorithm, &vector.private).unwrap();
        assert_eq!(key.verifying_key().as_bytes(), vector.public);
        let public = VerifyingKey::from_bytes(Scheme::MlDsaEd25519, &vector.public).unwrap();
        assert_eq!(public.algorithm(), vector.algorithm);
        for (options, signature) in vector.signatures() {
            let read = SignatureRef::from_bytes(Scheme::MlDsaEd25519, signature).unwrap();
            assert_eq!(read.algorithm(), vector.algorithm);
            assert_eq!(public.verify(options, &vector.message, signature), Ok(()));
            let mut stream = public.verifier(options, signature).unwrap();
            vector.message.chunks(7).for_each(|piece| stream.update(piece));
            assert_eq!(stream.finish(), Ok(()));
            let mut work = vec![0; vector.algorithm.verify_work_len()];
            for level in Level::available() {
                let expanded = public.to_ref().expand(level);
                assert_eq!(expanded.verify_message(options, &vector.message, signature, &mut work), Ok(()));
                let verified = public.to_ref().verify_message(level, options, &vector.message, signature, &mut work);
                assert_eq!(verified, Ok(()));
            }
        }
        // The signatures cannot be exchanged, because they are for different contexts.
        let [(plain, first), (with_context, second)] = vector.signatures();
        for (options, signature) in [(plain, second), (with_context, first)] {
            let mismatch = Err(VerifyError::Mismatch.into());
            assert_eq!(public.verify(options, &vector.message, signature), mismatch);
        }
    }
}

/// With zeros as random bytes, all functions that sign must return identical signatures. The
/// Ed25519 half must be as in the published signature. The ML-DSA half differs from the published
/// signature, which was created from random bytes that are not zeros.
#[test]
fn all_ways_of_signing_agree() {
    for vector in vectors() {
        let key = SigningKey::of_algorithm(vector.algorithm, &vector.private).unwrap();
        for (options, published) in vector.signatures() {
            let zeros = &mut FixedBytes(&[0; 32 * 64]);
            let signature = key.sign(options, &vector.message, zeros).unwrap();
            let signature = signature.as_bytes();
            let classic_start = signature.len() - 64;
            assert!(signature[classic_start..] == published[classic_start..]);
            assert_eq!(key.verifying_key().verify(options, &vector.message, signature), Ok(()));
            let mut stream = key.signer(options, zeros).unwrap();
            vector.message.chunks(7).for_each(|piece| stream.update(piece));
            assert!(stream.finish(zeros).unwrap().as_bytes() == signature);
            for level in Level::available() {
                let mut work = vec![0; vector.algorithm.sign_fast_work_len()];
                let mut made = vec![1; signature.len()];
                let key_ref = key.to_ref();
                for len in [vector.algorithm.sign_work_len(), work.len()] {
                    made.fill(1);
                    let work = &mut work[..len];
                    key_ref.sign_message(level, options, &vector.message, zeros, &mut made, work).unwrap();
                    assert!(made == signature && work.iter().all(|byte| *byte == 0));
                }
                let expanded = key_ref.expand(level, &mut work).unwrap();
                made.fill(1);
                let mut work = vec![0; vector.algorithm.sign_expanded_work_len()];
                expanded.sign_message(options, &vector.message, zeros, &mut made, &mut work).unwrap();
                assert!(made == signature && work.iter().all(|byte| *byte == 0));
            }
        }
    }
}

/// Signs with random bytes, in a batch of messages and in a batch of hashed messages. All
/// signatures must be valid and different.
#[test]
fn all_ways_of_signing_make_valid_signatures() {
    let level = Level::detect();
    for algorithm in Algorithm::of_scheme(Scheme::MlDsaEd25519) {
        let key = SigningKey::generate(algorithm, &mut getrandom::SysRng).unwrap();
        let (public, options) = (key.verifying_key(), Options::with_context(&[7; 255]));
        let expanded = key.to_ref().expand(level, &mut vec![0; algorithm.sign_work_len()]).unwrap();
        let mut work = vec![0; algorithm.sign_batch_work_len()];
        let messages = [&b"first"[..], b"", &[5; 1000]];
        let mut signatures = vec![0; 3 * algorithm.signature_len()];
        let rng = &mut getrandom::SysRng;
        expanded.sign_message_batch(options, &messages, rng, &mut signatures, &mut work).unwrap();
        let mut seen = Vec::new();
        for (message, signature) in messages.iter().zip(signatures.chunks(algorithm.signature_len())) {
            assert_eq!(public.verify(options, message, signature), Ok(()));
            seen.push(signature.to_vec());
        }
        let mut attempts = [[Attempt::EMPTY], [Attempt::EMPTY]];
        let hashed = attempts.each_mut().map(|attempt| {
            let mut hasher = SigningHasher::new(level, algorithm, &expanded.key_hash(), options, attempt, rng).unwrap();
            hasher.update(b"first");
            hasher.finish()
        });
        signatures.truncate(2 * algorithm.signature_len());
        expanded.sign_batch(hashed, rng, &mut signatures, &mut work).unwrap();
        for signature in signatures.chunks(algorithm.signature_len()) {
            assert_eq!(public.verify(options, b"first", signature), Ok(()));
            seen.push(signature.to_vec());
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 5);
    }
}

/// Both halves are necessary: a signature must be rejected if a half of the signature or of the key
/// belongs to a different key pair.
#[test]
fn both_halves_must_match() {
    for vector in vectors() {
        let algorithm = vector.algorithm;
        let other = SigningKey::of_algorithm(algorithm, &[9; PRIVATE_LEN]).unwrap();
        let zeros = &mut FixedBytes(&[0; 32]);
        let (options, signature) = vector.signatures()[1];
        let wrong = other.sign(options, &vector.message, zeros).unwrap();
        let other = other.verifying_key();
        assert_eq!(other.verify(options, &vector.message, wrong.as_bytes()), Ok(()));
        let check = |public: &[u8], signature: &[u8]| {
            let public = VerifyingKey::of_algorithm(algorithm, public).unwrap();
            let verified = public.verify(options, &vector.message, signature);
            let mut work = vec![0; algorithm.verify_work_len()];
            let expanded = public.to_ref().expand(Level::detect());
            let prepared = expanded.verify_message(options, &vector.message, signature, &mut work);
            assert_eq!(verified, prepared.map_err(Into::into));
            verified
        };
        let halves = |a: &[u8], b: &[u8], at: usize| [&a[..at], &b[at..]].concat();
        let (at, at_public) = (signature.len() - 64, vector.public.len() - 32);
        let mismatch = Err(VerifyError::Mismatch.into());
        assert_eq!(check(&vector.public, signature), Ok(()));
        assert_eq!(check(&vector.public, &halves(signature, wrong.as_bytes(), at)), mismatch);
        assert_eq!(check(&vector.public, &halves(wrong.as_bytes(), signature, at)), mismatch);
        assert_eq!(check(&vector.public, wrong.as_bytes()), mismatch);
        assert_eq!(check(&halves(&vector.public, other.as_bytes(), at_public), signature), mismatch);
        assert_eq!(check(&halves(other.as_bytes(), &vector.public, at_public), signature), mismatch);
        let swapped = [&signature[at..], &signature[..at]].concat();
        assert!(check(&vector.public, &swapped).is_err());
        for message in [&vector.message[1..], b""] {
            let public = VerifyingKey::of_algorithm(algorithm, &vector.public).unwrap();
            assert_eq!(public.verify(options, message, signature), mismatch);
        }
    }
}

/// A half of a composite signature must not be valid for the corresponding half of the key alone,
/// and separate signatures by both halves of the key must not be valid as a composite signature.
#[test]
fn a_half_alone_is_not_accepted() {
    for vector in vectors_of_draft() {
        let (options, signature) = vector.signatures()[0];
        let (at, at_public) = (signature.len() - 64, vector.public.len() - 32);
        let ml_dsa: Algorithm = vector.algorithm.to_string().replace("-Ed25519", "").parse().unwrap();
        let public = VerifyingKey::of_algorithm(ml_dsa, &vector.public[..at_public]).unwrap();
        assert!(public.verify(options, &vector.message, &signature[..at]).is_err());
        assert!(public.verify(options, &vector.message, signature).is_err());
        let classic = VerifyingKey::of_algorithm(Algorithm::ED25519, &vector.public[at_public..]).unwrap();
        assert!(classic.verify(options, &vector.message, &signature[at..]).is_err());

        // Sign the message separately with the halves of the key.
        let rng = &mut FixedBytes(&[0; 64]);
        let first = SigningKey::of_algorithm(ml_dsa, &vector.private[..SEED_LEN]).unwrap();
        let second = SigningKey::of_algorithm(Algorithm::ED25519, &vector.private[SEED_LEN..]).unwrap();
        let [first, second] = [first, second].map(|key| key.sign(options, &vector.message, rng).unwrap());
        let joined = [first.as_bytes(), second.as_bytes()].concat();
        let public = VerifyingKey::of_algorithm(vector.algorithm, &vector.public).unwrap();
        assert_eq!(public.verify(options, &vector.message, &joined), Err(VerifyError::Mismatch.into()));
    }
}

#[test]
fn a_changed_bit_in_each_byte_is_rejected() {
    for vector in vectors_of_draft() {
        let (options, signature) = vector.signatures()[0];
        let public = VerifyingKey::of_algorithm(vector.algorithm, &vector.public).unwrap();
        let public = public.to_ref().expand(Level::detect());
        let mut work = vec![0; vector.algorithm.verify_fast_work_len()];
        for at in 0..signature.len() {
            let mut changed = signature.to_vec();
            changed[at] ^= 1 << (at % 8);
            let verified = public.verify_message(options, &vector.message, &changed, &mut work);
            assert!(verified.is_err(), "{}: byte {at}", vector.algorithm);
        }
        for wrong in [&signature[1..], &[signature, &[0]].concat(), &[]] {
            let length = VerifyError::Length { expected: signature.len(), found: wrong.len() };
            assert_eq!(public.verify_message(options, &vector.message, wrong, &mut work), Err(length));
        }
    }
}

/// Compares M' (the signed bytes) with the example in the draft: prefix, label, length of the
/// context, context, digest.
#[test]
fn signed_bytes_match_the_draft() {
    let message = CompositeMessage::of(&[8, 13, 6, 12, 5, 16, 25, 23], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let bytes = message.signed_bytes(CompositeSet::S65);
    let (front, digest) = bytes.as_slice().split_at(bytes.len - 64);
    let label = b"CompositeAlgorithmSignatures2025COMPSIG-MLDSA65-Ed25519-SHA512";
    assert_eq!(front, [&label[..], &[8, 8, 13, 6, 12, 5, 16, 25, 23]].concat());
    assert_eq!(digest, &*ed25519_dalek::Sha512::digest([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
}

#[test]
fn options_and_lengths_are_checked() {
    let vector = &vectors_of_draft()[0];
    let algorithm = vector.algorithm;
    let key = SigningKey::of_algorithm(algorithm, &vector.private).unwrap();
    let rng = &mut FixedBytes(&[0; 32]);
    let long = Options::with_context(&[0; 256]);
    assert_eq!(key.sign(long, b"", rng).err(), Some(MessageError::ContextLen { found: 256 }.into()));
    for hash in PreHash::all() {
        let options = Options::default().with_prehash(Some(hash));
        let refused = MessageError::NoPreHash { scheme: Scheme::MlDsaEd25519, hash };
        assert_eq!(options.check(algorithm), Err(refused));
        assert_eq!(key.sign(options, b"", rng).err(), Some(refused.into()));
    }
    for private in [&vector.private[1..], &[&vector.private[..], &[0]].concat(), &[]] {
        let length = KeyError::Length { expected: PRIVATE_LEN, found: private.len() };
        assert_eq!(SigningKey::of_algorithm(algorithm, private).err(), Some(length.into()));
    }
    let length = KeyError::Length { expected: 1344, found: 1343 };
    assert_eq!(VerifyingKey::from_bytes(Scheme::MlDsaEd25519, &vector.public[1..]), Err(length.into()));
    let mut public = vector.public.clone();
    public[1312..].fill(0);
    public[1312] = 1;
    assert_eq!(VerifyingKey::from_bytes(Scheme::MlDsaEd25519, &public), Err(KeyError::Point.into()));
    // Reject messages that were hashed for other schemes.
    let level = Level::detect();
    let other = VerifyingKey::from_bytes(Scheme::Ed25519, &vector.public[1312..]).unwrap();
    let hasher = VerifyingHasher::new(
        level,
        Algorithm::ED25519,
        &other.to_ref().key_hash(level),
        Options::default(),
        &vector.signatures[0][2420..],
    );
    let (hashed, mut work) = (hasher.unwrap().finish(), vec![0; algorithm.sign_work_len()]);
    let public = VerifyingKey::of_algorithm(algorithm, &vector.public).unwrap();
    let verified = public.to_ref().verify(level, &hashed, &vector.signatures[0], &mut work);
    assert_eq!(verified, Err(VerifyError::OtherMessage));
    let mut attempts = [Attempt::EMPTY];
    let hash = key.to_ref().key_hash();
    let hasher = SigningHasher::new(level, Algorithm::ED25519, &hash, Options::default(), &mut attempts, rng);
    let mut signature = vec![1; algorithm.signature_len()];
    let made = key.to_ref().sign(level, hasher.unwrap().finish(), rng, &mut signature, &mut work);
    assert_eq!(made, Err(SignError::OtherScheme));
    assert!(signature.iter().all(|byte| *byte == 0));
}

/// The seeds must be different parts of the random bytes, so that they are independent.
#[test]
fn both_seeds_are_random() {
    let mut random = [0; PRIVATE_LEN];
    for (i, byte) in random.iter_mut().enumerate() {
        *byte = i as u8;
    }
    for algorithm in Algorithm::of_scheme(Scheme::MlDsaEd25519) {
        let key = SigningKey::generate(algorithm, &mut FixedBytes(&random)).unwrap();
        assert_eq!(key.to_ref().as_bytes(), random);
        assert!(SigningKey::generate(algorithm, &mut FixedBytes(&random[1..])).is_err());
        assert_eq!(SigningKey::from_seed(algorithm, &[0; SEED_LEN]).err(), Some(KeyError::OtherFamily.into()));
    }
}

/// Changes a seed after the hash of the key has been computed. Signing and expanding must fail,
/// because the seed does not match the hash any more.
#[test]
fn a_changed_seed_makes_no_signature() {
    let vector = &vectors_of_draft()[1];
    let (level, algorithm) = (Level::detect(), vector.algorithm);
    let key = SigningKey::of_algorithm(algorithm, &vector.private).unwrap();
    for at in [0, SEED_LEN] {
        let mut private = vector.private.clone();
        private[at] ^= 1;
        let changed = SigningKeyRef::trusted(algorithm, &private, key.to_ref().key_hash());
        let mut work = vec![1; algorithm.sign_fast_work_len()];
        let mut signature = vec![1; algorithm.signature_len()];
        let rng = &mut FixedBytes(&[0; 32]);
        let made = changed.sign_message(level, Options::default(), b"", rng, &mut signature, &mut work);
        assert_eq!(made, Err(SignError::SelfCheck));
        assert!(signature.iter().all(|byte| *byte == 0));
        assert_eq!(changed.expand(level, &mut work).err(), Some(ExpandError::Fault));
    }
}

/// If signing fails in either half, the complete signature must be wiped.
#[test]
fn a_failed_half_returns_no_signature() {
    let vector = &vectors_of_draft()[0];
    let (level, set) = (Level::detect(), CompositeSet::S44);
    let mut work = vec![0; vector.algorithm.sign_work_len()];
    let halves = halves_of_private(level, set, &vector.private, &mut work).unwrap();
    let message = CompositeMessage::of(b"", b"");
    let mut signature = vec![1; set.signature_len()];
    let wrong_seed = [1; SEED_LEN];
    let task = CompositeSigningTask { level, set, halves: &halves, classic_seed: &wrong_seed, message: &message };
    let made = task.sign::<()>(&mut signature, |_, half| {
        half.fill(2);
        Ok(())
    });
    assert_eq!(made, Err(SignError::SelfCheck));
    assert!(signature.iter().all(|byte| *byte == 0));
    let classic_seed = &vector.private[SEED_LEN..];
    let task = CompositeSigningTask { classic_seed, ..task };
    signature.fill(1);
    assert_eq!(task.sign::<()>(&mut signature, |_, _| Err(MlDsaSignError::Limit)), Err(SignError::Attempts));
    assert!(signature.iter().all(|byte| *byte == 0));
    assert_eq!(task.sign::<()>(&mut signature, |_, _| Ok(())), Ok(()));
}
