//! Tests the keys that own their bytes, such as `SigningKey`. Generates keys, signs and verifies,
//! with whole messages and with messages in pieces, through the functions of `fndsa` and through
//! the traits of crate `signature`.

mod common;

use common::library::{KeygenMemory, keygen_from_random};
use fndsa::algorithm::{KEYGEN_SEED_LEN, PreHash, Scheme, SignatureEncoding};
use fndsa::batch::{BatchItem, verify_batch};
use fndsa::error::{KeygenError, MessageError, SignError, VerifyError};
use fndsa::message::{MessageDigest, Mu};
use fndsa::no_alloc::{Attempt, HashedMessage, Level, MessageToSign, MessageToVerify, SigningKeyRef, UnhashedMessage};
use fndsa::testing::{FixedBytes, OutOfBytesError};
use fndsa::{Algorithm, Error, Options, Signature, SigningKey, VerifyingKey};
use getrandom::SysRng;
use signature::{Keypair, MultipartVerifier, RandomizedMultipartSigner, RandomizedSigner, Verifier};
use std::io::Write;

/// The seed for a key. A composite algorithm needs two seeds.
const SEED: [u8; 2 * KEYGEN_SEED_LEN] = [7; 2 * KEYGEN_SEED_LEN];
/// The nonces and the seed for a signature.
const RANDOM: [u8; 1000] = [9; 1000];

/// Returns the algorithms that can sign, except the toys.
fn algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|algorithm| algorithm.scheme().can_sign() && !algorithm.is_toy())
}

fn key(algorithm: Algorithm) -> SigningKey {
    SigningKey::generate(algorithm, &mut FixedBytes(&SEED)).expect("a key")
}

/// Returns a form (a context and a pre-hash) that the scheme supports.
fn form(scheme: Scheme) -> Options<'static> {
    Options::with_context(if scheme.has_context() { b"context" } else { b"" })
}

#[test]
fn owned_types_have_the_bytes_of_the_borrowed_types() {
    for algorithm in algorithms() {
        let owned = key(algorithm);
        let (private, public) = keygen_from_random(Level::detect(), algorithm, &SEED, KeygenMemory::Least);
        assert_eq!((owned.as_bytes(), owned.verifying_key().as_bytes()), (&private[..], &public[..]), "{algorithm}");
        assert_eq!(owned.key_hash(), owned.verifying_key().key_hash(), "{algorithm}");

        let form = form(algorithm.scheme());
        let mut work = vec![0; algorithm.sign_work_len()];
        let mut signature = vec![0; algorithm.signature_len()];
        let borrowed = SigningKeyRef::of_algorithm(Level::EMULATED, algorithm, &private, &mut work).expect("a key");
        let rng = &mut FixedBytes(&RANDOM);
        borrowed.sign_message(Level::EMULATED, form, b"message", rng, &mut signature, &mut work).expect("a signature");
        for level in Level::available() {
            let owned = SigningKey::of_algorithm(algorithm, &private).expect("a key").with_level(level);
            assert_eq!((owned.level(), owned.verifying_key().level()), (level, level));
            let owned_signature = owned.sign(form, b"message", &mut FixedBytes(&RANDOM)).expect("a signature");
            assert_eq!(owned_signature.as_bytes(), signature, "{algorithm}, {level}");
            assert_eq!(
                (owned_signature.algorithm(), owned_signature.encoding()),
                (algorithm, SignatureEncoding::Padded)
            );
            let read = VerifyingKey::of_algorithm(algorithm, &public).expect("a key").with_level(level);
            assert_eq!(read.verify(form, b"message", &owned_signature), Ok(()), "{algorithm}, {level}");
            assert_eq!(
                read.verify(form, b"massage", &owned_signature),
                Err(Error::Signature(VerifyError::Mismatch)),
                "{algorithm}, {level}"
            );
            assert_eq!(read, owned.verifying_key().with_level(Level::EMULATED), "keys on different levels are equal");
        }
    }
}

#[test]
fn the_peer_verifies_signatures_of_owned_keys() {
    use fn_dsa::{DOMAIN_NONE, DomainContext, HASH_ID_RAW, VerifyingKey, VerifyingKeyStandard};
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024] {
        let owned = SigningKey::generate(algorithm, &mut SysRng).expect("a key");
        let public = VerifyingKeyStandard::decode(owned.verifying_key().as_bytes()).expect("a public key");
        let signature = owned.sign(Options::default(), b"message", &mut SysRng).expect("a signature");
        assert!(public.verify(signature.as_bytes(), &DOMAIN_NONE, &HASH_ID_RAW, b"message"), "{algorithm}");
        let form = Options::with_context(b"context");
        let mut signer = owned.signer(form, &mut SysRng).expect("the scheme supports the form");
        [&b"mess"[..], b"", b"age"].iter().for_each(|piece| signer.update(piece));
        let signature = signer.finish(&mut SysRng).expect("a signature");
        assert!(
            public.verify(signature.as_bytes(), &DomainContext(b"context"), &HASH_ID_RAW, b"message"),
            "{algorithm}"
        );
        assert!(!public.verify(signature.as_bytes(), &DOMAIN_NONE, &HASH_ID_RAW, b"message"), "{algorithm}");
    }
}

#[test]
fn messages_can_be_given_in_pieces() {
    for algorithm in algorithms() {
        let (owned, form) = (key(algorithm), form(algorithm.scheme()));
        let public = owned.verifying_key();
        let mut signer = owned.signer(form, &mut SysRng).expect("the scheme supports the form");
        signer
            .write_all(b"a message, ")
            .and_then(|()| signer.write_all(b"in pieces"))
            .expect("the writer does not fail");
        let signature = signer.finish(&mut SysRng).expect("a signature");
        assert_eq!(public.verify(form, b"a message, in pieces", &signature), Ok(()), "{algorithm}");

        let verdict = |pieces: &[&[u8]]| {
            let mut verifier = public.verifier(form, signature.as_bytes()).expect("a signature");
            pieces.iter().for_each(|piece| verifier.update(piece));
            verifier.finish()
        };
        assert_eq!(verdict(&[b"a mes", b"sage, in piece", b"", b"s"]), Ok(()), "{algorithm}");
        assert_eq!(verdict(&[b"a message, in piece"]), Err(Error::Signature(VerifyError::Mismatch)), "{algorithm}");
        assert_eq!(verdict(&[]), Err(Error::Signature(VerifyError::Mismatch)), "{algorithm}");
    }
}

#[test]
fn invalid_arguments_are_errors() {
    let algorithm = Algorithm::FALCON_512;
    let (owned, long_context) = (key(algorithm), [0; 256]);
    let public = owned.verifying_key();
    let none = MessageError::NoContext { scheme: Scheme::Falcon };
    let with_context = Options::with_context(b"context");
    let signature = owned.sign(Options::default(), b"message", &mut SysRng).expect("a signature");
    let signed = |form, rng: &mut FixedBytes<'_>| owned.sign(form, b"message", rng).map(drop);
    assert_eq!(signed(with_context, &mut FixedBytes(&RANDOM)), Err(Error::Message(none)));
    assert_eq!(signed(Options::default(), &mut FixedBytes(&[])), Err(Error::Rng(OutOfBytesError.to_string())));
    assert_eq!(owned.signer(with_context, &mut SysRng).map(drop).unwrap_err().to_string(), none.to_string());
    assert_eq!(public.verify(with_context, b"message", &signature), Err(Error::Message(none)));
    assert_eq!(public.verifier(with_context, signature.as_bytes()).map(drop), Err(Error::Message(none)));
    let empty = VerifyError::Length { expected: 666, found: 0 };
    assert_eq!(public.verify(Options::default(), b"message", []), Err(Error::Signature(empty)));

    let fn_dsa = key(Algorithm::FN_DSA_512);
    let too_long = MessageError::ContextLen { found: 256 };
    let form = Options::with_context(&long_context);
    assert_eq!(fn_dsa.sign(form, b"", &mut FixedBytes(&RANDOM)), Err(Error::Message(too_long)));
    let digest = MessageDigest::of(PreHash::Sha512, b"message").expect("SHA-512");
    let form = Options::default().with_prehash(Some(PreHash::Sha256));
    let mixed = MessageError::OtherPreHash { wanted: PreHash::Sha256, found: PreHash::Sha512 };
    assert_eq!(fn_dsa.sign_digest(form, &digest, &mut FixedBytes(&RANDOM)), Err(Error::Message(mixed)));
    let signature = fn_dsa.sign_digest(Options::default(), &digest, &mut SysRng).expect("a signature");
    assert_eq!(fn_dsa.verifying_key().verify_digest(form, &digest, &signature), Err(Error::Message(mixed)));
    assert_eq!(fn_dsa.verifying_key().verify_digest(Options::default(), &digest, &signature), Ok(()));

    let exhausted = SigningKey::generate(algorithm, &mut FixedBytes(&[1; 31])).map(drop);
    assert_eq!(exhausted, Err(Error::Rng(OutOfBytesError.to_string())));
    let verify_only =
        Algorithm::at_degree(Scheme::FalconRs, algorithm.degree().expect("a degree")).expect("an algorithm");
    let result = SigningKey::generate(verify_only, &mut FixedBytes(&SEED)).map(drop);
    assert_eq!(result, Err(Error::Keygen(KeygenError::VerifyOnly)));
}

#[test]
fn the_encodings_of_falcon_convert_to_each_other() {
    let owned = key(Algorithm::FALCON_512);
    let padded = owned.sign(Options::default(), b"message", &mut SysRng).expect("a signature");
    for encoding in Scheme::Falcon.encodings() {
        let Some(recoded) = padded.recode(*encoding) else { continue };
        assert_eq!(recoded.encoding(), *encoding);
        assert_eq!(owned.verifying_key().verify(Options::default(), b"message", &recoded), Ok(()), "{encoding:?}");
        assert_eq!(recoded.recode(SignatureEncoding::Padded), Some(padded.clone()), "{encoding:?}");
        assert_eq!(Signature::from_bytes(Scheme::Falcon, recoded.as_bytes()), Ok(recoded), "{encoding:?}");
    }
    let fn_dsa = key(Algorithm::FN_DSA_512).sign(Options::default(), b"message", &mut SysRng).expect("a signature");
    assert_eq!(fn_dsa.recode(SignatureEncoding::Compressed), None);
}

/// Signs and verifies with code that uses only the traits of crate `signature`. Returns a signature
/// of the whole message, and a signature of the message in pieces.
fn sign_with_traits<S, K>(key: &K) -> (S, S)
where
    K: Keypair + RandomizedSigner<S> + RandomizedMultipartSigner<S>,
    K::VerifyingKey: Verifier<S> + MultipartVerifier<S>,
{
    let public = key.verifying_key();
    let whole_signature = key.try_sign_with_rng(&mut SysRng, b"message").expect("a signature");
    let multipart_signature = key.try_multipart_sign_with_rng(&mut SysRng, &[b"mess", b"age"]).expect("a signature");
    for signature in [&whole_signature, &multipart_signature] {
        assert!(public.verify(b"message", signature).is_ok());
        assert!(public.multipart_verify(&[b"m", b"essage"], signature).is_ok());
        assert!(public.verify(b"massage", signature).is_err());
        assert!(public.multipart_verify(&[b"message", b"s"], signature).is_err());
    }
    (whole_signature, multipart_signature)
}

#[test]
fn the_signature_traits_sign_messages_without_a_pre_hash() {
    for algorithm in algorithms() {
        let owned = key(algorithm);
        let (whole_signature, multipart_signature) = sign_with_traits::<Signature, _>(&owned);
        for signature in [whole_signature, multipart_signature] {
            assert_eq!(
                VerifyingKey::verify(&owned.verifying_key(), Options::default(), b"message", &signature),
                Ok(())
            );
        }
        if algorithm == Algorithm::ED25519 {
            continue; // Ed25519 signing uses no random bytes.
        }
        let error = owned.try_sign_with_rng(&mut FixedBytes(&[0; 3]), b"message").unwrap_err();
        assert!(std::error::Error::source(&error).is_some_and(|e| e.to_string().contains("random number generator")));
    }
}

/// Checks that `VerifyError::is_bad_signature` is true for a bad signature, and false for a mistake
/// in the call.
#[test]
fn bad_signatures_are_verdicts_and_not_errors() {
    let key = key(Algorithm::ML_DSA_44);
    let (public, level) = (key.verifying_key(), key.level());
    let good = key.sign(Options::default(), b"message", &mut SysRng).expect("a signature");
    let mut changed = good.as_bytes().to_vec();
    changed[100] ^= 1;
    let mut work = vec![0; public.algorithm().verify_work_len()];
    let mut is_bad_signature = |options, message: &[u8], signature: &[u8], work_len: usize| {
        let verdict = public.to_ref().verify_message(level, options, message, signature, &mut work[..work_len]);
        verdict.expect_err("an invalid call or signature").is_bad_signature()
    };
    let len = public.algorithm().verify_work_len();
    let options = Options::default();
    assert!(is_bad_signature(options, b"another message", good.as_bytes(), len));
    assert!(is_bad_signature(Options::with_context(b"c"), b"message", good.as_bytes(), len));
    assert!(is_bad_signature(options, b"message", &changed, len));
    assert!(is_bad_signature(options, b"message", &changed[1..], len));
    assert!(!is_bad_signature(Options::with_context(&[0; 256]), b"message", good.as_bytes(), len));
    assert!(!is_bad_signature(options.with_prehash(Some(PreHash::Sha512)), b"message", good.as_bytes(), len));
    assert!(!is_bad_signature(options, b"message", good.as_bytes(), len - 1));
}

#[test]
fn messages_with_a_pre_hash_are_hashed_or_rejected() {
    let message = &b"a message that is longer than any digest, so that it is never mistaken for one"[..];
    for algorithm in algorithms().filter(|algorithm| algorithm.scheme().has_prehash(PreHash::Shake256)) {
        let owned = key(algorithm);
        let (public, level, rng) = (owned.verifying_key(), owned.level(), &mut SysRng);
        let mut work = vec![0; algorithm.sign_fast_work_len().max(algorithm.sign_batch_work_len())];
        let expanded = owned.to_ref().expand(level, &mut work).expect("enough memory");
        let hash = PreHash::Shake256;
        let digest = MessageDigest::of(hash, message).expect("SHAKE256");
        let options = Options::default().with_prehash(Some(hash));
        let len = algorithm.signature_len();
        let mut signatures = vec![
            owned.sign(options, message, rng).expect("a signature").as_bytes().to_vec(),
            owned.sign_digest(options, &digest, rng).expect("a signature").as_bytes().to_vec(),
        ];
        let mut signer = owned.signer(options, rng).expect("a signer");
        message.chunks(5).for_each(|piece| signer.update(piece));
        signatures.push(signer.finish(rng).expect("a signature").as_bytes().to_vec());
        let mut out = vec![0; 9 * len];
        expanded.sign_message(options, message, rng, &mut out[..len], &mut work).expect("a signature");
        signatures.push(out[..len].to_vec());
        expanded.sign_message_batch(options, &[message; 9], rng, &mut out, &mut work).expect("signatures");
        signatures.extend(out.chunks(len).map(<[u8]>::to_vec));
        for signature in &signatures {
            assert_eq!(public.verify(options, message, signature), Ok(()), "{algorithm}");
            assert_eq!(public.verify_digest(Options::default(), &digest, signature), Ok(()), "{algorithm}");
            let mut verifier = public.verifier(options, signature).expect("a signature");
            message.chunks(7).for_each(|piece| verifier.update(piece));
            assert_eq!(verifier.finish(), Ok(()), "{algorithm}");
            let prepared = public.to_ref().expand(level);
            assert_eq!(prepared.verify_message(options, message, signature, &mut work), Ok(()), "{algorithm}");
            // The signature is not valid for an ordinary message that consists of the digest's
            // bytes. Falcon is an exception, because it does not hash the pre-hash's name.
            let is_falcon = algorithm.scheme() == Scheme::Falcon;
            let as_message = public.verify(Options::default(), digest.as_bytes(), signature);
            assert_eq!(as_message.is_ok(), is_falcon, "{algorithm}");
            assert!(public.verify(options, digest.as_bytes(), signature).is_err(), "{algorithm}: hashed twice");
        }
        // The functions of `no_alloc` do not compute pre-hashes, so they must reject a message if
        // the options have a pre-hash.
        let not_hashed = MessageError::NotHashed { hash };
        let signing = owned.to_ref().sign_message(level, options, message, rng, &mut out[..len], &mut work);
        assert_eq!(signing.map_err(|e| e.to_string()), Err(not_hashed.to_string()), "{algorithm}");
        assert_eq!(out[..len], vec![0; len], "{algorithm}");
        let verifying = public.to_ref().verify_message(level, options, message, &signatures[0], &mut work);
        assert_eq!(verifying, Err(VerifyError::Message(not_hashed)), "{algorithm}");
        let verifying_digest =
            public.to_ref().verify_message(level, options, digest.as_bytes(), &signatures[0], &mut work);
        assert_eq!(verifying_digest, Err(VerifyError::Message(not_hashed)), "{algorithm}");
    }
}

/// Checks that functions that sign or verify return a specific error for a weak pre-hash, unless
/// the options allow weak pre-hashes.
#[test]
fn weak_pre_hashes_require_a_separate_call() {
    let mut rejected_pairs = 0;
    for algorithm in algorithms().filter(|algorithm| *algorithm != Algorithm::ED25519) {
        let owned = key(algorithm);
        let (public, level) = (owned.verifying_key(), owned.level());
        let mut work = vec![0; algorithm.sign_fast_work_len().max(algorithm.sign_batch_work_len())];
        let expanded = owned.to_ref().expand(level, &mut work).expect("enough memory");
        let verifier = public.to_ref().expand(level);
        for hash in PreHash::all().filter(|hash| algorithm.scheme().has_prehash(*hash)) {
            let message = b"a message of any length";
            let digest = MessageDigest::of(hash, message).expect("a hash of this build");
            let is_weak = hash.digest_len() < algorithm.least_digest_len();
            let form = Options::default().with_prehash(Some(hash));
            let allowed = form.with_weak_prehash(true);
            let weak_signature = owned.sign(allowed, message, &mut SysRng).expect("a signature");
            let mut errors = |form: Options<'_>| {
                let mut signature = vec![0; algorithm.signature_len()];
                let signing = |e: SignError<getrandom::Error>| e.to_string();
                let verifying = |e: VerifyError| e.to_string();
                let owning = |e: Error| e.to_string();
                let mut attempts = [Attempt::EMPTY];
                let (key_hash, bytes) = (owned.key_hash(), weak_signature.as_bytes());
                let unhashed = UnhashedMessage::digest(form, &digest).expect("the same pre-hash");
                let sign_message =
                    owned.to_ref().sign_unhashed(level, unhashed, &mut SysRng, &mut signature, &mut work);
                let by_expanded = expanded.sign_message(form, message, &mut SysRng, &mut signature, &mut work);
                let batch = expanded.sign_message_batch(form, &[message], &mut SysRng, &mut signature, &mut work);
                let to_sign = MessageToSign::hash(level, algorithm, &key_hash, unhashed, &mut attempts, &mut SysRng);
                let builder = to_sign.map(drop);
                let given_digest = MessageToVerify::digest(form, &digest).expect("the same pre-hash");
                let item = BatchItem { key: &verifier, message: given_digest, signature: bytes };
                let mut verdicts = [Ok(())];
                let mut batch_work = vec![0; algorithm.verify_batch_work_len()];
                let _ = verify_batch(&[item], &mut verdicts, &mut batch_work);
                [
                    owned.sign(form, message, &mut SysRng).map(drop).map_err(owning),
                    owned.sign_digest(form, &digest, &mut SysRng).map(drop).map_err(owning),
                    owned.signer(form, &mut SysRng).map(drop).map_err(owning),
                    sign_message.map_err(signing),
                    by_expanded.map_err(signing),
                    batch.map_err(signing),
                    builder.map_err(signing),
                    public.verify(form, message, &weak_signature).map_err(owning),
                    public.verify_digest(form, &digest, &weak_signature).map_err(owning),
                    public.verifier(form, bytes).map(drop).map_err(owning),
                    public.to_ref().verify_digest(level, form, &digest, bytes, &mut work).map_err(verifying),
                    verifier.verify_message(form, message, bytes, &mut work).map_err(verifying),
                    verdicts[0].map_err(verifying),
                    HashedMessage::of_digest(level, algorithm, &key_hash, form, &digest, bytes)
                        .map(drop)
                        .map_err(|e| e.to_string()),
                ]
            };
            let error = MessageError::WeakPreHash { algorithm, hash }.to_string();
            let expected = if is_weak { Err(error.clone()) } else { Ok(()) };
            assert!(
                errors(form).iter().all(|found| *found == expected),
                "{algorithm}, {}: {:?}",
                hash.name(),
                errors(form)
            );
            assert!(errors(allowed).iter().all(Result::is_ok), "{algorithm}, {}: {:?}", hash.name(), errors(allowed));
            if algorithm.scheme().has_mu() {
                let mu = Mu::of_digest(level, algorithm, &owned.key_hash(), Options::default(), &digest);
                assert_eq!(mu.map(drop).map_err(|e| e.to_string()), expected, "{algorithm}, {}", hash.name());
            }
            rejected_pairs += usize::from(is_weak);
        }
    }
    // Among the weak pre-hashes, three have 224 bits, four have 256 bits, and two have 384 bits.
    // ML-DSA-44 rejects the first three, ML-DSA-65 the first seven, and ML-DSA-87 all nine.
    assert_eq!(rejected_pairs, 3 + (3 + 4) + (3 + 4 + 2));
}
