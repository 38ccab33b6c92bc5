//! Tests that no input makes a decoder of keys or signatures of the Falcon family panic. If a
//! decoder accepts an input, the decoded value must be encoded to the bytes of the input. Also
//! tests options and names of algorithms. Most inputs are almost valid: a valid encoding with up to
//! three changes, or random bytes with the correct length and the correct first byte.
//! `fuzz/src/targets/corpus.rs` tests the decoders for other formats, such as X.509 certificates.
//!
//! `FNDSA_LONG=1` tries 100 times as many inputs.

mod common;

use common::library::{KeygenMemory, TestSigner, convert_public, keygen, largest_of, recode, to_sign, to_verify, work};
use common::{RandomStream, long};
use fndsa::algorithm::{Degree, MAX_CONTEXT_LEN, PreHash, Scheme, SignatureEncoding};
use fndsa::error::{KeyError, MessageError, VerifyError};
use fndsa::message::KeyHash;
use fndsa::no_alloc::{Attempt, Level, SigningHasher, VerifyingHasher};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestRunner};
use std::sync::OnceLock;

/// Checks a property for `cases` inputs, and for 100 times as many if `FNDSA_LONG=1` is set. The
/// inputs are the same in each run.
fn check_property<S: Strategy>(cases: u32, strategy: S, property: impl Fn(S::Value) -> TestCaseResult) {
    let cases = if long() { 100 * cases } else { cases };
    let config = Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(206), ..Config::default() };
    TestRunner::new(config).run(&strategy, property).unwrap_or_else(|e| panic!("{e}"));
}

/// The kind of encoding that the input imitates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EncodingKind {
    Private,
    Public,
    Signature,
}

/// Returns valid encodings of this kind. For each scheme that can sign, there are key pairs with
/// three degrees, and for each key pair a signature in each encoding that the scheme allows.
fn good_encodings(kind: EncodingKind) -> &'static [Vec<u8>] {
    static ALL: OnceLock<[Vec<Vec<u8>>; 3]> = OnceLock::new();
    &ALL.get_or_init(|| {
        let mut encodings = [vec![], vec![], vec![]];
        for (scheme, logn) in Scheme::FALCON_FAMILY.into_iter().flat_map(|s| [2, 4, 9].map(|logn| (s, logn))) {
            if scheme.can_sign() {
                let algorithm =
                    Algorithm::at_degree(scheme, Degree::from_logn(logn).expect("a degree")).expect("an algorithm");
                let random = RandomStream::new(&algorithm.to_string(), 0).bytes::<{ 28 * 40 }>();
                let (sk, vk) = keygen(Level::detect(), algorithm, &[logn as u8; 32], KeygenMemory::Most);
                let result =
                    TestSigner::new(scheme, &sk).sign_message(Level::detect(), Options::default(), b"m", 27, &random);
                let result = result.expect("a signature");
                encodings[2]
                    .extend(scheme.encodings().iter().filter_map(|encoding| recode(scheme, &result, *encoding)));
                encodings[0].push(sk);
                encodings[1].push(vk);
            }
        }
        encodings
    })[kind as usize]
}

/// A change to bytes.
#[derive(Clone, Debug)]
enum ByteChange {
    Flip(Index, u8),
    Set(Index, u8),
    Header(u8),
    Cut(Index),
    Extend(Vec<u8>),
    Fill(Index, Index, u8),
}

impl ByteChange {
    /// Applies the change to bytes.
    fn apply_to(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let len = bytes.len();
        match self {
            Self::Flip(at, bit) => bytes[at.index(len)] ^= 1 << bit,
            Self::Set(at, byte) => bytes[at.index(len)] = *byte,
            Self::Header(byte) => bytes[0] = *byte,
            Self::Cut(at) => bytes.truncate(at.index(len + 1)),
            Self::Extend(more) => bytes.extend(more),
            Self::Fill(start, end, byte) => {
                let (start, end) = (start.index(len), end.index(len));
                bytes[start.min(end)..start.max(end)].fill(*byte);
            }
        }
    }
}

/// Returns a strategy for bytes. It often chooses a possible first byte of an encoding, or an edge
/// case: 0x00, 0x01, 0x7f, 0x80 or 0xff.
fn boundary_byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        (0..6u8, 0..16u8).prop_map(|(upper, logn)| upper << 4 | logn),
        select(&[0x00, 0xff, 0x80, 0x7f, 0x01][..]),
        any::<u8>(),
    ]
}

/// Returns a strategy for changes. It flips a bit more often than it makes other changes.
fn any_change() -> impl Strategy<Value = ByteChange> {
    let index = any::<Index>;
    prop_oneof![
        8 => (index(), 0..8u8).prop_map(|(at, bit)| ByteChange::Flip(at, bit)),
        4 => (index(), boundary_byte()).prop_map(|(at, byte)| ByteChange::Set(at, byte)),
        2 => boundary_byte().prop_map(ByteChange::Header),
        1 => index().prop_map(ByteChange::Cut),
        1 => vec(boundary_byte(), 0..700).prop_map(ByteChange::Extend),
        2 => (index(), index(), boundary_byte()).prop_map(|(start, end, byte)| ByteChange::Fill(start, end, byte)),
    ]
}

/// Returns a correct length for this kind of encoding. A compressed signature has at least 41 bytes
/// (the first byte and the nonce) and at most a maximum. `at` selects its length.
fn required_length(kind: EncodingKind, algorithm: Algorithm, encoding: SignatureEncoding, at: Index) -> usize {
    match kind {
        EncodingKind::Private => algorithm.signing_key_len(),
        EncodingKind::Public => algorithm.verifying_key_len(),
        EncodingKind::Signature if encoding == SignatureEncoding::Compressed => {
            41 + at.index(algorithm.encoded_signature_len(encoding) - 40)
        }
        EncodingKind::Signature => algorithm.encoded_signature_len(encoding),
    }
}

/// Returns a strategy for the input to a decoder of this kind.
fn any_bytes(kind: EncodingKind) -> impl Strategy<Value = Vec<u8>> {
    let changed = (select(good_encodings(kind)), vec(any_change(), 0..4)).prop_map(|(mut bytes, changes)| {
        changes.iter().for_each(|change| change.apply_to(&mut bytes));
        bytes
    });
    // Half the bodies contain bytes from `boundary_byte`, because random bytes rarely decode to
    // enough coefficients for a polynomial.
    let body = prop_oneof![vec(any::<u8>(), 3200), vec(boundary_byte(), 3200)];
    let with_good_header = (select(Scheme::FALCON_FAMILY.to_vec()), 2..11u32, any::<Index>(), 0..3usize, body)
        .prop_map(move |(scheme, logn, at, encoding, mut bytes)| {
            let algorithm =
                Algorithm::at_degree(scheme, Degree::from_logn(logn).expect("a degree")).expect("an algorithm");
            let encoding = scheme.encodings()[encoding % scheme.encodings().len()];
            let upper = match kind {
                EncodingKind::Private => 0x50,
                EncodingKind::Public => 0x00,
                EncodingKind::Signature if encoding == SignatureEncoding::Ct => 0x50,
                EncodingKind::Signature => 0x30,
            };
            bytes.truncate(required_length(kind, algorithm, encoding, at));
            bytes[0] = upper | logn as u8;
            bytes
        });
    prop_oneof![6 => changed, 3 => with_good_header, 1 => vec(any::<u8>(), 0..3000)]
}

/// Returns a strategy that chooses a scheme.
fn any_scheme() -> impl Strategy<Value = Scheme> {
    select(Scheme::FALCON_FAMILY.to_vec())
}

#[test]
fn any_bytes_as_a_private_key_are_handled() {
    check_property(1500, (any_scheme(), any_bytes(EncodingKind::Private), 0..64usize), |(scheme, bytes, offset)| {
        let level = Level::detect();
        // The work memory has exactly the required size. `offset` changes its alignment.
        let degree = Degree::from_logn(u32::from(bytes.first().unwrap_or(&0) & 15)).unwrap_or(Degree::N512);
        let mut work =
            vec![0xa5; offset + Algorithm::at_degree(Scheme::FnDsa, degree).expect("an algorithm").import_work_len()];
        let key = match fndsa::testing::signing_key(level, scheme, &bytes, &mut work[offset..]) {
            Ok(key) => key,
            Err(KeyError::Work(e)) => return Err(TestCaseError::fail(format!("{e}"))),
            Err(_) => return Ok(()),
        };
        prop_assert_eq!(key.as_bytes(), &bytes[..]);
        prop_assert_eq!((key.scheme(), key.algorithm().signing_key_len()), (scheme, bytes.len()));
        let mut signer = TestSigner::new(scheme, &bytes);
        let public = signer.verifying_key();
        let public = fndsa::testing::verifying_key(scheme, &public).map_err(|e| TestCaseError::fail(format!("{e}")))?;
        prop_assert_eq!(public.key_hash(level), key.key_hash());
        for other_scheme in Scheme::FALCON_FAMILY {
            match signer.convert(level, other_scheme) {
                Ok(other) => {
                    prop_assert_eq!(&TestSigner::new(other_scheme, &other).convert(level, scheme), &Ok(bytes.clone()))
                }
                Err(KeyError::VerifyOnly) => prop_assert!(!other_scheme.can_sign()),
                Err(e) => prop_assert_eq!((e, other_scheme), (KeyError::OrthogonalNorm, Scheme::FnDsa)),
            }
        }
        Ok(())
    });
}

#[test]
fn any_bytes_as_a_public_key_are_handled() {
    check_property(4000, (any_scheme(), any_bytes(EncodingKind::Public)), |(scheme, bytes)| {
        let Ok(key) = fndsa::testing::verifying_key(scheme, &bytes) else { return Ok(()) };
        prop_assert_eq!(key.as_bytes(), &bytes[..]);
        for other_scheme in Scheme::FALCON_FAMILY {
            let other = convert_public(Level::detect(), scheme, &bytes, other_scheme);
            prop_assert!(fndsa::testing::verifying_key(other_scheme, &other).is_ok(), "as {}", other_scheme.title());
            prop_assert_eq!(
                &convert_public(Level::detect(), other_scheme, &other, scheme),
                &bytes,
                "through {}",
                other_scheme.title()
            );
        }
        Ok(())
    });
}

/// Returns a good public key for the algorithm.
fn some_public_key(algorithm: Algorithm) -> Vec<u8> {
    let mut vk = vec![0; algorithm.verifying_key_len()];
    vk[0] = algorithm.degree().expect("a degree").logn() as u8;
    vk[2] = 1;
    vk
}

#[test]
fn any_bytes_as_a_signature_are_handled() {
    let algorithm = |(scheme, logn)| {
        Algorithm::at_degree(scheme, Degree::from_logn(logn).expect("a degree")).expect("an algorithm")
    };
    let requested = (any_scheme(), prop_oneof![Just(2), Just(4), Just(9), 2..11u32]).prop_map(algorithm);
    check_property(6000, (requested, any_bytes(EncodingKind::Signature)), |(requested, bytes)| {
        let level = Level::detect();
        let scheme = requested.scheme();
        let read = fndsa::testing::signature(scheme, &bytes);
        if let Ok(signature) = read {
            prop_assert_eq!(signature.as_bytes(), &bytes[..]);
            prop_assert!(scheme.encodings().contains(&signature.encoding()));
            for encoding in [SignatureEncoding::Padded, SignatureEncoding::Compressed, SignatureEncoding::Ct] {
                if let Some(other) = recode(scheme, &bytes, encoding) {
                    prop_assert!(scheme.encodings().contains(&encoding));
                    prop_assert_eq!(recode(scheme, &other, signature.encoding()), Some(bytes.clone()));
                }
            }
        }
        // Verify the bytes with a public key of `requested`. The signature's algorithm can differ
        // from `requested`.
        let vk = some_public_key(requested);
        let key = fndsa::testing::verifying_key(scheme, &vk).map_err(|e| TestCaseError::fail(format!("{e}")))?;
        let hash = key.key_hash(level);
        let hasher = VerifyingHasher::new(level, requested, &hash, Options::default(), &bytes);
        let Ok(hasher) = hasher else {
            prop_assert!(read.is_err() || read.is_ok_and(|signature| signature.algorithm() != requested));
            return Ok(());
        };
        let hashed = hasher.finish();
        let mut work = vec![0; requested.verify_work_len()];
        let verdict = key.verify(level, &hashed, &bytes, &mut work);
        prop_assert_eq!(key.expand(level).verify(&hashed, &bytes, &mut work), verdict);
        // The hasher uses the key's algorithm, and reads the nonce from the bytes that the key
        // verifies. So the verifier must not report `OtherMessage`.
        prop_assert_ne!(verdict, Err(VerifyError::OtherMessage));
        if let Err(e) = read {
            prop_assert_eq!(verdict, Err(e));
        }
        Ok(())
    });
}

#[test]
fn any_context_and_pre_hash_is_handled() {
    let form = (vec(any::<u8>(), 0..300), proptest::option::of(select(PreHash::all().collect::<Vec<_>>())));
    check_property(1000, (any_scheme(), form, vec(any::<u8>(), 0..100)), |(scheme, (context, prehash), message)| {
        let level = Level::detect();
        let form = Options::with_context(&context).with_prehash(prehash);
        let algorithm = Algorithm::at_degree(scheme, Degree::from_logn(3).expect("a degree")).expect("an algorithm");
        let signature = [&[0x33][..], &[0; 51]].concat();
        let hash: KeyHash =
            fndsa::testing::verifying_key(scheme, &some_public_key(algorithm)).expect("a key").key_hash(level);
        let verdict = form.check(algorithm);
        let too_long = context.len() > MAX_CONTEXT_LEN;
        prop_assert_eq!(matches!(verdict, Err(MessageError::ContextLen { .. })), too_long);
        let is_supported = prehash.is_none_or(|hash| scheme.has_prehash(hash));
        let falcon = matches!(scheme, Scheme::Falcon | Scheme::FalconRs);
        prop_assert!(verdict.is_ok() || too_long || !is_supported || falcon);

        let has_digest_len = prehash.is_none_or(|hash| hash.digest_len() == message.len());
        let hashed = to_verify(level, algorithm, &hash, form, &message, &signature);
        prop_assert_eq!(hashed.is_ok(), verdict.is_ok() && has_digest_len);
        let hasher = VerifyingHasher::new(level, algorithm, &hash, form, &signature);
        prop_assert_eq!(hasher.is_ok(), verdict.is_ok() && prehash.is_none());
        let (mut attempts, mut rng) = ([Attempt::EMPTY, Attempt::EMPTY], FixedBytes(&[0; 80]));
        let hasher = SigningHasher::new(level, algorithm, &hash, form, &mut attempts, &mut rng);
        prop_assert_eq!(hasher.is_ok(), verdict.is_ok() && scheme.can_sign() && prehash.is_none());
        let (mut attempts, mut rng) = ([Attempt::EMPTY, Attempt::EMPTY], FixedBytes(&[0; 80]));
        if scheme.can_sign() {
            let hashed = to_sign(level, scheme, &hash, form, &message, &mut attempts, &mut rng);
            prop_assert_eq!(hashed.is_ok(), form.check(largest_of(scheme)).is_ok() && has_digest_len);
        }
        Ok(())
    });
}

#[test]
fn any_text_as_an_algorithm_is_handled() {
    let similar_name =
        vec(select(b"fnFNdsaDSAfalconrs-0124506".to_vec()), 0..20).prop_map(|b| String::from_utf8(b).expect("ASCII"));
    let good = select(Algorithm::all_with_toys().map(|a| a.to_string()).collect::<Vec<_>>());
    check_property(2000, prop_oneof![any::<String>(), similar_name, good], |name| {
        if let Ok(algorithm) = name.parse::<Algorithm>() {
            prop_assert!(algorithm.to_string().eq_ignore_ascii_case(&name));
        }
        Ok(())
    });
}

#[test]
fn good_encodings_are_accepted() {
    // If the decoders rejected the good encodings, the tests above would not reach the checks of
    // accepted values.
    for (kind, count) in [(EncodingKind::Private, 9), (EncodingKind::Public, 9), (EncodingKind::Signature, 15)] {
        assert_eq!(good_encodings(kind).len(), count, "{kind:?}");
    }
    let mut work = work(Degree::N1024);
    let keys = good_encodings(EncodingKind::Private)
        .iter()
        .flat_map(|bytes| Scheme::FALCON_FAMILY.map(|scheme| (scheme, bytes)));
    let accepted = keys.filter(|(s, bytes)| fndsa::testing::signing_key(Level::detect(), *s, bytes, &mut work).is_ok());
    // Only FN-DSA accepts its three keys. FN-DSA-2024 and Falcon accept each other's keys (six
    // keys), because the two schemes encode private keys in the same way.
    assert_eq!(accepted.count(), 3 + 6 * 2, "the pairs of a scheme and an accepted key");
}
