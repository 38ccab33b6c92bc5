//! Tests signing on all levels, in the schemes that hash each message with a nonce. Also tests the
//! errors for messages, and for their forms (the context and the pre-hash).

use super::SIGNING;
use super::common::library::{
    KeygenMemory, TestSigner, fn_dsa, keygen, largest_of, levels, to_sign, to_verify, verify_message, work,
};
use super::common::{RandomStream, assert_same, parallel};
use fndsa::algorithm::{Degree, PreHash, Scheme, SignatureEncoding};
use fndsa::error::{MessageError, SignError, VerifyError};
use fndsa::message::Mu;
use fndsa::no_alloc::{Attempt, Level, SigningHasher, VerifyingHasher};
use fndsa::testing::{FixedBytes, OutOfBytesError};
use fndsa::{Algorithm, Options};

/// The number of signing attempts for which the tests prepare a nonce. At toy degrees (below 512),
/// most attempts may fail.
const ATTEMPTS: usize = 27;

/// The number of signatures for each degree and scheme, for logn 2..=10.
const SIGNATURES: [usize; 9] = [24, 24, 16, 8, 8, 6, 4, 3, 2];

#[test]
fn every_degree_signs_and_verifies_on_every_level() {
    let mut jobs: Vec<Algorithm> = [Scheme::FnDsa2024, Scheme::Falcon]
        .into_iter()
        .flat_map(|scheme| Degree::all().map(move |degree| Algorithm::at_degree(scheme, degree).expect("an algorithm")))
        .collect();
    jobs.reverse();
    let failed_attempts = parallel(jobs.len(), |i| {
        check_signatures(jobs[i], SIGNATURES[jobs[i].degree().expect("a degree").logn() as usize - 2])
    });
    let jobs_with_failures = failed_attempts.iter().filter(|count| **count > 0).count();
    let failures = failed_attempts.iter().sum::<usize>();
    println!("{failures} failed attempts, in {jobs_with_failures} of {} jobs", jobs.len());
    assert!(jobs_with_failures > 1, "attempts failed in only {jobs_with_failures} jobs");
}

/// Makes and checks `count` signatures on all levels. Returns the number of failed attempts.
fn check_signatures(algorithm: Algorithm, count: usize) -> usize {
    let mut random = RandomStream::new(&algorithm.to_string(), 0);
    let (sk, vk) = keygen(Level::detect(), algorithm, &random.bytes(), KeygenMemory::Most);
    let mut signer = TestSigner::new(algorithm.scheme(), &sk);
    let mut failed_attempts = 0;
    for i in 0..count {
        let what = format!("{algorithm}, number {i}");
        let mut message = vec![0; random.below(300)];
        random.fill(&mut message);
        let context = if algorithm.scheme().has_context() { vec![9; random.below(256)] } else { vec![] };
        let form = Options::with_context(&context);
        let bytes = random.bytes::<{ (ATTEMPTS + 1) * 40 }>();

        let mut expected: Option<Vec<u8>> = None;
        for level in levels() {
            let signature = signer.sign_message(level, form, &message, ATTEMPTS, &bytes).expect("a signature");
            let verdict = verify_message(level, algorithm.scheme(), &vk, form, &message, &signature);
            assert_eq!(verdict, Ok(()), "{what}, {level}");
            let other_message = [&message[..], b"."].concat();
            assert!(verify_message(level, algorithm.scheme(), &vk, form, &other_message, &signature).is_err());
            let expected = expected.get_or_insert_with(|| signature.clone());
            assert_same(&signature, expected, format_args!("{what}, {level}"));
            let expanded = signed_by_expanded(&mut signer, level, &vk, form, &message, &bytes);
            assert_same(&expanded, expected, format_args!("{what}, {level}, expanded key"));
        }
        let signature = expected.expect("a level");

        // The nonce in the signature shows which attempt succeeded. With fewer attempts, signing
        // must fail.
        let used_nonce = bytes[..ATTEMPTS * 40].chunks(40).position(|nonce| *nonce == signature[1..41]);
        let used_nonce = used_nonce.expect("a nonce from `bytes`");
        let sign_with = |signer: &mut TestSigner, attempts: usize| {
            let bytes = [&bytes[..attempts * 40], &bytes[ATTEMPTS * 40..]].concat();
            signer.sign_message(Level::detect(), form, &message, attempts, &bytes)
        };
        assert_eq!(sign_with(&mut signer, used_nonce + 1), Ok(signature), "{what}");
        if used_nonce > 0 {
            assert_eq!(sign_with(&mut signer, used_nonce), Err(SignError::Attempts), "{what}");
        }
        failed_attempts += used_nonce;
    }
    failed_attempts
}

/// Signs with an expanded private key, and verifies with an expanded public key.
fn signed_by_expanded(
    signer: &mut TestSigner,
    level: Level,
    vk: &[u8],
    form: Options<'_>,
    message: &[u8],
    bytes: &[u8],
) -> Vec<u8> {
    let algorithm = signer.algorithm;
    let key = signer.with(|key, work| key.expand(level, work)).expect("work memory");
    let mut attempts: [Attempt; ATTEMPTS] = [Attempt::EMPTY; ATTEMPTS];
    let mut rng = FixedBytes(bytes);
    let hashed = to_sign(level, algorithm.scheme(), &key.key_hash(), form, message, &mut attempts, &mut rng);
    let mut signature = vec![0; algorithm.signature_len()];
    let mut work = work(algorithm.degree().expect("a degree"));
    key.sign(hashed.expect("a message"), &mut rng, &mut signature, &mut work).expect("a signature");

    let public = fndsa::testing::verifying_key(algorithm.scheme(), vk).expect("a good key").expand(level);
    let hashed = to_verify(level, algorithm, &public.key_hash(), form, message, &signature)
        .expect("the scheme supports the form");
    assert_eq!(public.verify(&hashed, &signature, &mut work), Ok(()));
    signature
}

#[test]
fn pre_hashed_messages_are_signed_and_verified() {
    for algorithm in SIGNING.map(|scheme| Algorithm::at_degree(scheme, Degree::N512).expect("an algorithm")) {
        let (sk, vk) = keygen(Level::detect(), algorithm, &[1; 32], KeygenMemory::Most);
        let mut signer = TestSigner::new(algorithm.scheme(), &sk);
        let supported_hashes = PreHash::all().filter(|hash| algorithm.scheme().has_prehash(*hash));
        for (i, hash) in supported_hashes.enumerate() {
            let (form, digest) = (Options::default().with_prehash(Some(hash)), vec![i as u8; hash.digest_len()]);
            let bytes = RandomStream::new(hash.name(), 0).bytes::<{ 5 * 40 }>();
            let signature = signer.sign_message(Level::detect(), form, &digest, 4, &bytes).expect("a signature");
            let verdict = |form, message: &[u8]| {
                verify_message(Level::detect(), algorithm.scheme(), &vk, form, message, &signature).is_ok()
            };
            assert!(verdict(form, &digest), "{algorithm}, {}", hash.name());
            // Falcon hashes a digest like a message. So a Falcon signature is also valid for the
            // digest as a message, and with each pre-hash whose digests have the same length.
            let is_falcon = algorithm.scheme() == Scheme::Falcon;
            assert_eq!(verdict(Options::default(), &digest), is_falcon, "{algorithm}, {}", hash.name());
            for other_hash in PreHash::all().filter(|other| *other != hash) {
                let accepted = verdict(form.with_prehash(Some(other_hash)), &digest);
                assert_eq!(accepted, is_falcon && other_hash.digest_len() == hash.digest_len());
            }
            let with_short_digest = signer.sign_message(Level::detect(), form, &digest[1..], 4, &bytes);
            let (expected, found) = (hash.digest_len(), hash.digest_len() - 1);
            assert_eq!(with_short_digest, Err(SignError::Message(MessageError::DigestLen { expected, found })));
            assert!(!verdict(form, &digest[1..]));
        }
    }
}

#[test]
fn contexts_and_pre_hashes_that_a_scheme_lacks_are_rejected() {
    let key_hash = TestSigner::new(
        Scheme::Falcon,
        &keygen(Level::detect(), Algorithm::FALCON_512, &[1; 32], KeygenMemory::Most).0,
    )
    .key_hash();
    let start = |scheme, form, attempts: &mut [Attempt]| {
        SigningHasher::new(Level::detect(), largest_of(scheme), &key_hash, form, attempts, &mut FixedBytes(&[3; 80]))
            .map(drop)
    };
    let (one_attempt, two_attempts, three_attempts) =
        (&mut [Attempt::EMPTY][..], &mut [(); 2].map(|()| Attempt::EMPTY), &mut [(); 3].map(|()| Attempt::EMPTY));
    let (context, long_context) = (Options::with_context(b"c"), Options::with_context(&[0; 256]));
    let no_context = MessageError::NoContext { scheme: Scheme::Falcon };
    assert_eq!(start(Scheme::Falcon, context, one_attempt), Err(SignError::Message(no_context)));
    for scheme in SIGNING {
        let too_long = SignError::Message(MessageError::ContextLen { found: 256 });
        assert_eq!(start(scheme, long_context, one_attempt), Err(too_long), "{}", scheme.title());
        assert_eq!(start(scheme, Options::default(), &mut []), Err(SignError::Attempts), "{}", scheme.title());
        assert_eq!(start(scheme, Options::default(), one_attempt), Ok(()), "{}", scheme.title());
    }
    assert_eq!(start(Scheme::FalconRs, Options::default(), one_attempt), Err(SignError::VerifyOnly));
    // The generator has enough bytes for two nonces of 40 bytes. FN-DSA does not need nonces.
    assert_eq!(start(Scheme::Falcon, Options::default(), two_attempts), Ok(()));
    assert_eq!(start(Scheme::Falcon, Options::default(), three_attempts), Err(SignError::Rng(OutOfBytesError)));
    assert_eq!(start(Scheme::FnDsa, Options::default(), three_attempts), Ok(()));

    for hash in PreHash::all() {
        let is_supported = matches!(hash, PreHash::Sha256 | PreHash::Sha512);
        let form = Options::with_context(b"c").with_prehash(Some(hash));
        let verdict =
            |scheme, is_supported| if is_supported { Ok(()) } else { Err(MessageError::NoPreHash { scheme, hash }) };
        assert_eq!(
            form.check(largest_of(Scheme::FalconRs)),
            verdict(Scheme::FalconRs, is_supported),
            "{}",
            hash.name()
        );
        // These schemes support all pre-hashes except those with 224 bits.
        let is_long_enough = !hash.name().ends_with("224");
        for scheme in [Scheme::FnDsa, Scheme::FnDsa2024] {
            assert_eq!(form.check(largest_of(scheme)), verdict(scheme, is_long_enough), "{}", hash.name());
        }
    }
    let algorithm = Algorithm::FALCON_512;
    let hasher =
        |form, signature: &[u8]| VerifyingHasher::new(Level::detect(), algorithm, &key_hash, form, signature).map(drop);
    let padded = [&[0x39][..], &[0; 665]].concat();
    assert_eq!(hasher(Options::default(), &padded), Ok(()));
    assert_eq!(hasher(context, &padded), Err(no_context));
    for bad_signature in
        [&padded[..0], &padded[..40], &[&[0x3a][..], &[0; 665]].concat(), &[&[0x59][..], &[0; 809]].concat()]
    {
        assert_eq!(
            hasher(Options::default(), bad_signature),
            Err(MessageError::Signature { algorithm }),
            "{} bytes",
            bad_signature.len()
        );
    }
}

#[test]
fn messages_hashed_for_another_key_or_scheme_are_rejected() {
    let level = Level::detect();
    let degree = Degree::from_logn(6).expect("a degree");
    let pairs = SIGNING.map(|scheme| {
        keygen(level, Algorithm::at_degree(scheme, degree).expect("an algorithm"), &[5; 32], KeygenMemory::Most)
    });
    let bytes = RandomStream::new("something else", 0).bytes::<{ (ATTEMPTS + 1) * 40 }>();
    for (i, scheme) in SIGNING.into_iter().enumerate() {
        let mut signer = TestSigner::new(scheme, &pairs[i].0);
        let key_hash = signer.key_hash();
        let mut work = work(degree);
        for other_scheme in SIGNING.into_iter().filter(|other| *other != scheme) {
            let mut attempts = [(); ATTEMPTS].map(|()| Attempt::EMPTY);
            let mut rng = FixedBytes(&bytes);
            let hashed = to_sign(level, other_scheme, &key_hash, Options::default(), b"m", &mut attempts, &mut rng);
            let mut signature = vec![0xaa; fn_dsa(degree).signature_len()];
            let key = fndsa::testing::signing_key(level, scheme, &pairs[i].0, &mut work).expect("a good key");
            let result = key.sign(
                level,
                hashed.expect("the scheme supports the form"),
                &mut FixedBytes(&bytes),
                &mut signature,
                &mut work,
            );
            assert_eq!(result, Err(SignError::OtherScheme), "{} for {}", other_scheme.title(), scheme.title());
            assert!(signature.iter().all(|b| *b == 0));
        }
        // Hash the message with a different key's hash. Falcon does not hash the key, so a Falcon
        // signature stays valid.
        let other_key =
            keygen(level, Algorithm::at_degree(scheme, degree).expect("an algorithm"), &[6; 32], KeygenMemory::Most).1;
        let other_key_hash = fndsa::testing::verifying_key(scheme, &other_key).expect("a good key").key_hash(level);
        let mut attempts = [(); ATTEMPTS].map(|()| Attempt::EMPTY);
        let hashed = to_sign(
            level,
            scheme,
            &other_key_hash,
            Options::default(),
            b"m",
            &mut attempts,
            &mut FixedBytes(&bytes[40..]),
        );
        let result = signer.with(|key, work| {
            let mut signature = vec![0; fn_dsa(degree).signature_len()];
            key.sign(
                level,
                hashed.expect("the scheme supports the form"),
                &mut FixedBytes(&bytes),
                &mut signature,
                work,
            )
        });
        assert_eq!(result, if scheme == Scheme::Falcon { Ok(()) } else { Err(SignError::OtherKey) });

        let mu = Mu::from_bytes([3; 64]);
        let signature_1 = signer.sign_message(level, Options::default(), b"m", ATTEMPTS, &bytes).expect("a signature");
        let signature_2 = signer
            .sign_message(
                level,
                Options::default(),
                b"m",
                ATTEMPTS,
                &bytes[..].iter().rev().copied().collect::<Vec<_>>(),
            )
            .expect("a signature");
        let public = fndsa::testing::verifying_key(scheme, &pairs[i].1).expect("a good key");
        let hash_for = |algorithm, signature: &[u8]| {
            let mut hasher = VerifyingHasher::new(level, algorithm, &key_hash, Options::default(), signature)
                .expect("the scheme supports the form");
            hasher.update(b"m");
            hasher.finish()
        };
        let mut verdict = |hashed: &fndsa::no_alloc::HashedMessage, signature: &[u8]| {
            public.verify(level, hashed, signature, &mut work)
        };
        let hashed_1 = hash_for(public.algorithm(), &signature_1);
        assert_eq!(
            (verdict(&hashed_1, &signature_1), verdict(&hashed_1, &[])),
            (
                Ok(()),
                Err(if scheme.has_mu() {
                    VerifyError::Length { expected: fn_dsa(degree).signature_len(), found: 0 }
                } else {
                    VerifyError::OtherMessage
                })
            )
        );
        if scheme.has_mu() {
            // In schemes with a mu, the message's hash does not depend on the signature, so the
            // verifier also accepts `signature_2`.
            assert_eq!(verdict(&hashed_1, &signature_2), Ok(()));
        } else {
            assert_eq!(verdict(&hashed_1, &signature_2), Err(VerifyError::OtherMessage));
            assert_eq!(public.verify(level, &mu, &signature_1, &mut vec![0; 4096]), Err(VerifyError::OtherMessage));
            assert_eq!(
                signer.with(|key, work| key.sign(
                    level,
                    &mu,
                    &mut FixedBytes(&bytes),
                    &mut vec![0; fn_dsa(degree).signature_len()],
                    work
                )),
                Err(SignError::OtherScheme)
            );
            let other_schemes = [Scheme::FnDsa2024, Scheme::Falcon, Scheme::FalconRs].into_iter();
            for other_scheme in other_schemes.filter(|other| *other != scheme) {
                let algorithm = Algorithm::at_degree(other_scheme, degree).expect("an algorithm");
                let hashed = hash_for(algorithm, &signature_1);
                assert_eq!(
                    public.verify(level, &hashed, &signature_1, &mut vec![0; 4096]),
                    Err(VerifyError::OtherMessage)
                );
            }
        }
    }
}

#[test]
fn buffers_of_the_wrong_length_are_errors() {
    let level = Level::detect();
    for scheme in [Scheme::FnDsa2024, Scheme::Falcon] {
        let algorithm = Algorithm::at_degree(scheme, Degree::from_logn(6).expect("a degree")).expect("an algorithm");
        let (sk, vk) = keygen(level, algorithm, &[5; 32], KeygenMemory::Most);
        let bytes = [7; (ATTEMPTS + 1) * 40];
        let mut signer = TestSigner::new(scheme, &sk);
        let key_hash = signer.key_hash();
        for (len, work_len) in [
            (algorithm.signature_len() - 1, algorithm.sign_work_len()),
            (algorithm.signature_len() + 1, algorithm.sign_work_len()),
            (algorithm.signature_len(), algorithm.sign_work_len() - 1),
        ] {
            let mut attempts = [(); ATTEMPTS].map(|()| Attempt::EMPTY);
            let mut rng = FixedBytes(&bytes);
            let hashed = to_sign(level, scheme, &key_hash, Options::default(), b"m", &mut attempts, &mut rng);
            let hashed = hashed.expect("the scheme supports the form");
            let result =
                signer.with(|key, _| key.sign(level, hashed, &mut rng, &mut vec![0; len], &mut vec![0; work_len]));
            assert!(matches!(result, Err(SignError::Buffer(_))));
        }
        let distinct = RandomStream::new("buffers", 0).bytes::<{ (ATTEMPTS + 1) * 40 }>();
        let signature = signer.sign_message(level, Options::default(), b"m", ATTEMPTS, &distinct).expect("a signature");
        let public = fndsa::testing::verifying_key(scheme, &vk).expect("a good key");
        let mut hasher = VerifyingHasher::new(level, algorithm, &key_hash, Options::default(), &signature)
            .expect("the scheme supports the form");
        hasher.update(b"m");
        let hashed = hasher.finish();
        let least = algorithm.verify_work_len();
        assert_eq!(public.verify(level, &hashed, &signature, &mut vec![0; least]), Ok(()));
        assert!(matches!(
            public.verify(level, &hashed, &signature, &mut vec![0; least - 1]),
            Err(VerifyError::Work(_))
        ));
        let signature = fndsa::testing::signature(scheme, &signature).expect("a signature");
        for encoding in [SignatureEncoding::Padded, SignatureEncoding::Compressed, SignatureEncoding::Ct] {
            let least = algorithm.encoded_signature_len(encoding);
            let offered = scheme.encodings().contains(&encoding);
            assert_eq!(signature.recode_into(encoding, &mut vec![0; least]).is_some(), offered);
            assert_eq!(signature.recode_into(encoding, &mut vec![0; least - 1]), None);
        }
    }
}
