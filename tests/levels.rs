//! Tests that all levels (instruction sets) of this CPU compute the same keys, signatures and
//! verdicts. Signs with encoded and with expanded keys. Covers all schemes of the Falcon family
//! that can sign. Above degree 4, also compares FN-DSA keys and some of the signatures with crate
//! `fn-dsa` 0.4.0.
//!
//! With `FNDSA_LONG=1`, the test computes 1,000,000 signatures with 10,000 keys, and with
//! `FNDSA_SHORT=1` 108 signatures with 27 keys. The variable `FNDSA_SEED` contains any text, and
//! selects the keys and messages.

mod common;
#[path = "common/peer.rs"]
mod peer;

use common::library::{
    KeygenMemory, VerifyRejection, degree, keygen, levels, to_sign, to_verify, verify_message, work,
};
use common::{RandomStream, assert_same, long, parallel, short};
use fn_dsa::HASH_ID_RAW;
use fndsa::algorithm::Scheme;
use fndsa::batch::ExpandedVerifyingKey;
use fndsa::message::{KeyHash, Mu};
use fndsa::no_alloc::{Attempt, Level, MessageToSign};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options};
use sha2::{Digest, Sha256};
use std::time::Instant;

/// The number of keys for each degree, for logn 2..=10. In total, there are 200 keys.
const KEYS: [usize; 9] = [10, 10, 10, 10, 10, 10, 20, 80, 40];
/// The number of signatures for each degree. In total, there are 10,000 signatures.
const SIGNATURES: [usize; 9] = [600, 600, 600, 600, 600, 600, 800, 4000, 1600];
/// The short run: the number of keys for each degree (one for each scheme), and the number of
/// signatures for each key.
const SHORT_COUNTS: (usize, usize) = (SCHEMES.len(), 4);
/// The schemes of the Falcon family that can sign. Successive keys use the schemes in turn.
/// Together, the schemes use both bit orders of encodings, and all three ways to hash a message.
const SCHEMES: [Scheme; 3] = [Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024];
/// Crate `fn-dsa` also computes every `ORACLE_INTERVAL`th FN-DSA signature above degree 4.
const ORACLE_INTERVAL: usize = 8;
/// `sign_fast_rng`, with its faster random generator, also signs every `FAST_INTERVAL`th message.
const FAST_INTERVAL: usize = 4;
/// The maximum number of nonces for a signature. It is small, because the first nonce is almost
/// always sufficient except with toy degrees.
const ATTEMPTS: usize = 6;

/// Returns the text that selects the keys and messages, and prints it so that a run can be
/// repeated.
fn seed() -> String {
    let seed = std::env::var("FNDSA_SEED").unwrap_or_else(|_| "levels".into());
    println!("FNDSA_SEED={seed}");
    seed
}

/// A key pair with its number. Its seed is derived from the number.
struct NumberedKeyPair {
    algorithm: Algorithm,
    /// The pair's number, among the pairs with this degree.
    number: usize,
    sk: Vec<u8>,
    vk: Vec<u8>,
}

impl NumberedKeyPair {
    /// Generates the key pair with this number on each level, and checks that all levels give the
    /// same key pair.
    fn new(seed: &str, logn: usize, number: usize) -> Self {
        let seed = RandomStream::new(&format!("{seed}: keys of 2^{logn}"), number).bytes();
        let algorithm = Algorithm::at_degree(SCHEMES[number % SCHEMES.len()], degree(logn)).expect("an algorithm");
        let mut keys = Vec::new();
        for level in levels() {
            for memory in [KeygenMemory::Least, KeygenMemory::Most] {
                keys.push((format!("{level} {memory:?}"), keygen(level, algorithm, &seed, memory)));
            }
        }
        // At degree 4, crate `fn-dsa` generates different keys, because its NTRU solver rejects
        // nearly all solutions by mistake (docs/scheme.md, item 6 of key generation).
        if algorithm.scheme() == Scheme::FnDsa && logn > 2 {
            keys.push(("crate fn-dsa".into(), peer::keygen(logn as u32, &seed)));
        }
        let (first_name, (sk, vk)) = keys.remove(0);
        for (name, (other_sk, other_vk)) in keys {
            let what = format!("{algorithm}, key {number}, {name} against {first_name}");
            assert_same(&other_sk, &sk, format_args!("{what}: private key"));
            assert_same(&other_vk, &vk, format_args!("{what}: public key"));
        }
        Self { algorithm, number, sk, vk }
    }
}

/// A message, and the random bytes for its signature.
struct SigningCase {
    context: Vec<u8>,
    message: Vec<u8>,
    random: Vec<u8>,
}

impl SigningCase {
    /// Creates a random message, context and random bytes for a signature in this scheme.
    fn new(scheme: Scheme, random: &mut RandomStream) -> Self {
        let context_len = if scheme == Scheme::Falcon { 0 } else { random.below(20) };
        let mut case = Self {
            context: vec![0; context_len],
            message: vec![0; random.below(200)],
            // The generator first provides the nonces (except for FN-DSA), and then 40 bytes, from
            // which all attempts derive their seeds. The remaining bytes are not used.
            random: vec![0; if scheme == Scheme::FnDsa { 40 } else { 80 * ATTEMPTS }],
        };
        for bytes in [&mut case.context, &mut case.message, &mut case.random] {
            random.fill(bytes);
        }
        case
    }

    /// Returns the form for the signature: the context, without a pre-hash.
    fn form(&self) -> Options<'_> {
        Options::with_context(&self.context)
    }

    /// Hashes the message, and returns the signature that `sign` computes. Returns `None` if all
    /// attempts fail.
    fn sign<E>(
        &self,
        level: Level,
        algorithm: Algorithm,
        hash: &KeyHash,
        sign: impl FnOnce(MessageToSign<'_>, &mut FixedBytes<'_>, &mut [u8]) -> Result<(), E>,
    ) -> Option<Vec<u8>> {
        let mut rng = FixedBytes(&self.random);
        let mut attempts = [const { Attempt::EMPTY }; ATTEMPTS];
        let mut signature = vec![0; algorithm.signature_len()];
        let message = to_sign(level, algorithm.scheme(), hash, self.form(), &self.message, &mut attempts, &mut rng);
        let Ok(message) = message else { panic!("the scheme does not support the context") };
        sign(message, &mut rng, &mut signature).ok()?;
        Some(signature)
    }

    /// Verifies a signature with an expanded key.
    fn verify(
        &self,
        level: Level,
        algorithm: Algorithm,
        key: &ExpandedVerifyingKey,
        signature: &[u8],
        work: &mut [u8],
    ) -> Result<(), VerifyRejection> {
        let hashed = to_verify(level, algorithm, &key.key_hash(), self.form(), &self.message, signature)
            .map_err(VerifyRejection::Message)?;
        key.verify(&hashed, signature, work).map_err(VerifyRejection::Signature)
    }
}

/// Checks that two signers computed the same signature, or that neither computed a signature.
#[track_caller]
fn assert_same_signature(found: &Option<Vec<u8>>, expected: &Option<Vec<u8>>, what: std::fmt::Arguments<'_>) {
    assert_eq!(found.is_some(), expected.is_some(), "{what}: only one of them made a signature");
    if let (Some(found), Some(expected)) = (found, expected) {
        assert_same(found, expected, what);
    }
}

/// Signs and verifies `count` messages with a key pair on all levels: with the encoded key, with
/// the expanded key, and for some messages with the faster generator. Returns the number of
/// messages for which the encoded key made a signature.
fn check_signatures(seed: &str, pair: &NumberedKeyPair, count: usize) -> usize {
    let (levels, algorithm, scheme) = (levels(), pair.algorithm, pair.algorithm.scheme());
    let degree = algorithm.degree().expect("a degree");
    let mut work = work(degree);
    let key = fndsa::testing::signing_key(levels[0], scheme, &pair.sk, &mut work).expect("a good key");
    let public = fndsa::testing::verifying_key(scheme, &pair.vk).expect("a good key");
    let expanded: Vec<_> = levels.iter().map(|l| key.expand(*l, &mut work).expect("enough memory")).collect();
    let expanded_public: Vec<_> = levels.iter().map(|l| public.expand(*l)).collect();
    for (l, level) in levels.iter().enumerate() {
        assert_eq!((expanded[l].level(), expanded[l].algorithm().degree().expect("a degree")), (*level, degree));
        assert_eq!((expanded[l].key_hash(), expanded_public[l].key_hash()), (key.key_hash(), public.key_hash(*level)));
    }
    let (mut expanded_work, mut verify_work) =
        (vec![0; algorithm.sign_expanded_work_len()], vec![0; algorithm.verify_work_len()]);
    let hash = key.key_hash();
    let mut random = RandomStream::new(&format!("{seed}: signatures of {}", degree.n()), pair.number);
    let mut signed = 0;
    for i in 0..count {
        let case = SigningCase::new(scheme, &mut random);
        let what = format!("{algorithm}, key {}, signature {i}", pair.number);
        let mut sign_with_encoded_key = |level: Level| {
            case.sign(level, algorithm, &hash, |message, rng, out| key.sign(level, message, rng, out, &mut work))
        };
        let expected = sign_with_encoded_key(levels[0]);
        for (l, level) in levels.iter().enumerate() {
            if l > 0 {
                assert_same_signature(
                    &sign_with_encoded_key(*level),
                    &expected,
                    format_args!("{what}, {level} against {}", levels[0]),
                );
            }
            let found = case.sign(*level, algorithm, &hash, |message, rng, out| {
                expanded[l].sign(message, rng, out, &mut expanded_work)
            });
            assert_same_signature(&found, &expected, format_args!("{what}, {level}, expanded key"));
        }
        if i % FAST_INTERVAL == 0 {
            let mut sign_with_fast_rng = |l: usize| {
                case.sign(levels[l], algorithm, &hash, |message, rng, out| {
                    expanded[l].sign_fast_rng(message, rng, out, &mut expanded_work)
                })
            };
            let fast_signature = sign_with_fast_rng(0);
            for (l, level) in levels.iter().enumerate().skip(1) {
                assert_same_signature(
                    &sign_with_fast_rng(l),
                    &fast_signature,
                    format_args!("{what}, {level}, faster generator"),
                );
            }
            if let Some(signature) = &fast_signature {
                verify_message(levels[0], scheme, &pair.vk, case.form(), &case.message, signature)
                    .expect("a signature");
                assert_ne!(fast_signature, expected, "{what}: both generators give the same signature");
            }
        }
        let Some(mut signature) = expected else { continue };
        signed += 1;
        if scheme == Scheme::FnDsa && degree.logn() > 2 && i % ORACLE_INTERVAL == 0 {
            let message = peer::PeerMessage { context: &case.context, id: &HASH_ID_RAW, hv: &case.message };
            let random = case.random[..].try_into().expect("40 bytes");
            assert_same(&peer::sign(&pair.sk, &message, random), &signature, format_args!("{what}, crate fn-dsa"));
        }
        // Verifies the signature, after a change for every second message. All levels must give the
        // same verdict.
        if i % 2 == 1 {
            let bit = random.below(8 * signature.len());
            signature[bit / 8] ^= 1 << (bit % 8);
        }
        let verdict = verify_message(levels[0], scheme, &pair.vk, case.form(), &case.message, &signature);
        // At degrees 4 and 8, a changed signature may be valid by chance.
        assert!(verdict.is_ok() == (i % 2 == 0) || degree.logn() < 4, "{what}: {verdict:?}");
        for (l, level) in levels.iter().enumerate() {
            let found = verify_message(*level, scheme, &pair.vk, case.form(), &case.message, &signature);
            assert_eq!(found, verdict, "{what}, {level}");
            let found = case.verify(*level, algorithm, &expanded_public[l], &signature, &mut verify_work);
            assert_eq!(found, verdict, "{what}, {level}, expanded");
        }
    }
    signed
}

#[test]
fn keys_signatures_and_verdicts_are_the_same_on_every_level() {
    let (seed, start) = (seed(), Instant::now());
    let (key_factor, signature_factor) = if long() { (50, 100) } else { (1, 1) };
    // The key count for a degree, and the signature count for each key.
    let counts_for = |logn: usize| {
        let keys = key_factor * KEYS[logn - 2];
        if short() { SHORT_COUNTS } else { (keys, signature_factor * SIGNATURES[logn - 2] / keys) }
    };
    let jobs: Vec<(usize, usize)> =
        (2..=10).rev().flat_map(|logn| (0..counts_for(logn).0).map(move |k| (logn, k))).collect();
    let counts = parallel(jobs.len(), |job| {
        let (logn, number) = jobs[job];
        let pair = NumberedKeyPair::new(&seed, logn, number);
        let count = counts_for(logn).1;
        (count, check_signatures(&seed, &pair, count))
    });
    let (requested, signed) = counts.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let names: Vec<_> = levels().iter().map(|level| level.name()).collect();
    println!("{} keys, {signed} signatures on {}, in {:.0?}", jobs.len(), names.join(", "), start.elapsed());
    assert_eq!(
        (jobs.len(), requested),
        if short() { (27, 108) } else { (200 * key_factor, 10_000 * signature_factor) }
    );
    // At toy degrees, all attempts for a signature may fail.
    assert!(signed > requested - requested / 20, "only {signed} of {requested} messages were signed");
}

/// Checks the digest of a signature from `sign_fast_rng`. For given random bytes, such signatures
/// must not change between versions, because users may compare them with stored signatures.
#[test]
fn signatures_of_the_faster_generator_do_not_change() {
    let algorithm = Algorithm::FN_DSA_512;
    let (sk, _) = keygen(Level::detect(), algorithm, &[7; 32], KeygenMemory::Least);
    let mut work = work(algorithm.degree().expect("a degree"));
    let key = fndsa::testing::signing_key(Level::detect(), algorithm.scheme(), &sk, &mut work).expect("a good key");
    let mut signature = vec![0; algorithm.signature_len()];
    for level in levels() {
        let key = key.expand(level, &mut work).expect("enough memory");
        let mu = Mu::from_bytes([3; 64]);
        key.sign_fast_rng(&mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work).expect("a signature");
        let digest: String = Sha256::digest(&signature).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(digest, "69ae4968bdf69f5942dc5337657c62371d059aebbafce412e55655267e8096cb", "{level}");
    }
}
