//! Tests that `sign_batch` makes the same signatures as a loop that calls `sign` for each message
//! with the same random bytes. The tests use the schemes of the Falcon family that can sign, all
//! levels, all degrees, and lists of different lengths. Also tests ML-DSA, but with fewer lists.
//!
//! `FNDSA_LONG=1` computes 100,000 FN-DSA signatures on each level.

mod common;

use common::library::{degree, fn_dsa, levels, to_sign, verify_message};
use common::{RandomStream, assert_same, long, parallel};
use fndsa::algorithm::Scheme;
use fndsa::batch::ExpandedSigningKey;
use fndsa::error::{BufferLen, MessageError, SignError};
use fndsa::message::Mu;
use fndsa::no_alloc::{Attempt, Level, MessageToSign, SigningKeyRef};
use fndsa::testing::{FixedBytes, OutOfBytesError};
use fndsa::{Algorithm, Options};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The numbers of messages in the lists. `sign_batch` computes up to eight signatures at the same
/// time, so some numbers are below, equal to and above eight. At toy degrees, the first attempt
/// fails for a message in almost every list.
const LISTS: [usize; 8] = [1, 2, 3, 5, 7, 8, 9, 37];
/// How often the test signs each list on each level, for logn 2..=10. In total, there are about
/// 5,000 signatures on each level.
const ROUNDS: [usize; 9] = [8, 8, 7, 7, 7, 7, 8, 11, 7];

/// Returns the random bytes for a list of `count` signatures.
fn random_bytes(random: &mut RandomStream, algorithm: Algorithm, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count * if algorithm.scheme().can_sign_deterministically() { 32 } else { 40 }];
    random.fill(&mut bytes);
    bytes
}

/// Generates an expanded private key from a seed.
fn expanded_key(level: Level, algorithm: Algorithm, seed: &[u8; 32]) -> Box<ExpandedSigningKey> {
    let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut work = vec![0; algorithm.keygen_work_len().max(algorithm.sign_work_len())];
    let key = SigningKeyRef::generate(level, algorithm, &mut FixedBytes(seed), &mut sk, &mut vk, &mut work);
    key.expect("a key").expand(level, &mut work).expect("enough memory")
}

/// Signs a list in a batch and in a loop, and checks that the results are equal. Returns the
/// signatures. `for_batch` and `for_loop` contain the same messages.
fn compare_with_loop<'m, M: Into<MessageToSign<'m>>>(
    key: &ExpandedSigningKey,
    for_batch: Vec<M>,
    for_loop: Vec<M>,
    random: &[u8],
) -> Vec<u8> {
    let algorithm = key.algorithm();
    let len = algorithm.signature_len();
    let what = format!("{algorithm}, {} messages, {}", for_loop.len(), key.level());
    let mut work = vec![0x55; algorithm.sign_batch_work_len()];
    let mut batch_signatures = vec![0x55; len * for_loop.len()];
    key.sign_batch(for_batch, &mut FixedBytes(random), &mut batch_signatures, &mut work)
        .unwrap_or_else(|e| panic!("{what}: {e}"));
    assert!(work.iter().all(|byte| *byte == 0), "{what}: the work memory is not wiped");
    let mut rng = FixedBytes(random);
    let mut signature = vec![0; len];
    for (i, (message, batch_signature)) in for_loop.into_iter().zip(batch_signatures.chunks(len)).enumerate() {
        key.sign(message, &mut rng, &mut signature, &mut work).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_same(batch_signature, &signature, format_args!("{what}, number {i}"));
    }
    batch_signatures
}

/// Signs a list of `mu` values in a batch and in a loop.
fn compare_mus(key: &ExpandedSigningKey, messages: &[Mu], random: &[u8]) {
    compare_with_loop(key, messages.iter().collect(), messages.iter().collect(), random);
}

/// The number of nonces for each message. At toy degrees, most attempts may fail.
const NONCES: usize = 27;

/// Signs a list of messages in a batch and in a loop, in a scheme that hashes a nonce before each
/// message. Returns how many signatures do not use the first nonce.
fn compare_with_nonces(key: &ExpandedSigningKey, random: &mut RandomStream, count: usize) -> usize {
    let (level, scheme, hash) = (key.level(), key.scheme(), key.key_hash());
    let seeds: Vec<[u8; 32]> = (0..count).map(|_| random.bytes()).collect();
    let mut attempts: Vec<_> = (0..2 * count).map(|_| [const { Attempt::EMPTY }; NONCES]).collect();
    let (batch_attempts, loop_attempts) = attempts.split_at_mut(count);
    let mut first_nonces = vec![];
    let [for_batch, for_loop] = [batch_attempts, loop_attempts].map(|attempts| {
        first_nonces.clear();
        let hashed = seeds.iter().zip(attempts).map(|(seed, attempts)| {
            let mut nonces = RandomStream::new("nonces", usize::from_le_bytes(seed[..8].try_into().unwrap()));
            let mut bytes = vec![0; 40 * NONCES];
            nonces.fill(&mut bytes);
            first_nonces.push(bytes[..40].to_vec());
            // Some messages are longer than a block of SHAKE256.
            let message = seed.repeat(1 + usize::from(seed[0] % 8));
            to_sign(level, scheme, &hash, Options::default(), &message, attempts, &mut FixedBytes(&bytes))
                .expect("nonces")
        });
        hashed.collect::<Vec<_>>()
    });
    let signatures = compare_with_loop(key, for_batch, for_loop, &random_bytes(random, key.algorithm(), count));
    let with_first_nonces = signatures.chunks(key.algorithm().signature_len()).zip(&first_nonces);
    with_first_nonces.filter(|(signature, nonce)| signature[1..41] != nonce[..]).count()
}

#[test]
fn a_batch_after_nonces_has_the_signatures_of_a_loop() {
    let levels = levels();
    let factor = if long() { 20 } else { 1 };
    let jobs: Vec<_> = [Scheme::Falcon, Scheme::FnDsa2024]
        .into_iter()
        .flat_map(|scheme| (2..=10).rev().flat_map(move |logn| (0..factor).map(move |round| (scheme, logn, round))))
        .collect();
    let other_nonce_count = AtomicUsize::new(0);
    parallel(jobs.len(), |job| {
        let (scheme, logn, round) = jobs[job];
        let algorithm = Algorithm::at_degree(scheme, degree(logn)).expect("an algorithm");
        let mut random =
            RandomStream::new("batches behind nonces", logn << 32 | round << 1 | usize::from(scheme == Scheme::Falcon));
        let seed = random.bytes();
        for level in &levels {
            let key = expanded_key(*level, algorithm, &seed);
            for count in LISTS {
                other_nonce_count.fetch_add(compare_with_nonces(&key, &mut random, count), Ordering::Relaxed);
            }
        }
    });
    let other_nonce_count = other_nonce_count.into_inner();
    println!("{other_nonce_count} signatures do not use the first nonce");
    assert!(other_nonce_count > 100, "only {other_nonce_count} signatures do not use the first nonce");
}

/// Tests `sign_message_batch`, which signs messages in memory with the same form (context and
/// pre-hash). For schemes with a mu, the batch must return the same signatures as a loop. For
/// schemes without a mu, it must return the same signatures if no attempt fails, and valid
/// signatures otherwise.
#[test]
fn messages_in_memory_are_signed_together() {
    let falcon = |logn| Algorithm::at_degree(Scheme::Falcon, degree(logn)).expect("an algorithm");
    let early = Algorithm::at_degree(Scheme::FnDsa2024, degree(9)).expect("an algorithm");
    let algorithms =
        [fn_dsa(degree(9)), falcon(9), falcon(10), early, Algorithm::ML_DSA_44, fn_dsa(degree(3)), falcon(3)];
    for algorithm in algorithms {
        let (scheme, len) = (algorithm.scheme(), algorithm.signature_len());
        for (i, level) in levels().into_iter().enumerate() {
            let mut random = RandomStream::new("messages in memory", i);
            let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
            let mut work = vec![0; algorithm.keygen_work_len().max(algorithm.sign_work_len())];
            let seed = random.bytes::<32>();
            let result = SigningKeyRef::generate(level, algorithm, &mut FixedBytes(&seed), &mut sk, &mut vk, &mut work);
            let key = result.expect("a key").expand(level, &mut work).expect("enough memory");
            let context: &[u8] = if scheme == Scheme::Falcon { b"" } else { b"a context" };
            let form = Options::with_context(context);
            let count = 21;
            let bodies: Vec<Vec<u8>> = (0..count).map(|i| vec![i as u8; 50 * i]).collect();
            let messages: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
            let mut bytes = vec![0; 100_000];
            random.fill(&mut bytes);
            let mut work = vec![0x55; algorithm.sign_batch_work_len()];
            let mut signatures = vec![0x55; count * len];
            let result = key.sign_message_batch(form, &messages, &mut FixedBytes(&bytes), &mut signatures, &mut work);
            assert_eq!(result, Ok(()), "{algorithm}, {level}");
            assert!(work.iter().all(|byte| *byte == 0), "{algorithm}, {level}: the work memory is not wiped");
            let mut rng = FixedBytes(&bytes);
            for (message, batch_signature) in messages.iter().zip(signatures.chunks(len)) {
                let mut signature = vec![0; len];
                key.sign_message(form, message, &mut rng, &mut signature, &mut work).expect("a signature");
                // With these random bytes, attempts fail only at the toy degree.
                if !algorithm.is_toy() || scheme.has_mu() {
                    let what = format_args!("{algorithm}, {level}, {} bytes", message.len());
                    assert_same(batch_signature, &signature, what);
                }
                let verdict = verify_message(level, scheme, &vk, form, message, batch_signature);
                assert_eq!(verdict, Ok(()), "{algorithm}, {level}, {} bytes", message.len());
            }
            // The generator has bytes for 12 signatures, so the second group of eight fails.
            let bytes_per_signature = match (scheme.can_sign_deterministically(), scheme.has_mu()) {
                (true, _) => 32,
                (false, true) => 40,
                (false, false) => 80,
            };
            let short_rng = &mut FixedBytes(&bytes[..12 * bytes_per_signature]);
            let result = key.sign_message_batch(form, &messages, short_rng, &mut signatures, &mut work);
            assert_eq!(result, Err(SignError::Rng(OutOfBytesError)), "{algorithm}");
            assert!(signatures.iter().all(|byte| *byte == 0), "{algorithm}: signatures remain after an error");
            let long_context = Options::with_context(&[0; 256]);
            let result = key.sign_message_batch(
                long_context,
                &[&[0; 32], &[0; 31]],
                &mut FixedBytes(&bytes),
                &mut signatures[..2 * len],
                &mut work,
            );
            let context_error = MessageError::ContextLen { found: 256 };
            assert_eq!(result, Err(SignError::Message(context_error)), "{algorithm}");
            assert!(signatures[..2 * len].iter().all(|byte| *byte == 0));
            assert!(
                key.sign_message_batch(form, &messages, &mut FixedBytes(&bytes), &mut signatures, &mut work[1..])
                    .is_err()
            );
            assert!(
                key.sign_message_batch(form, &messages, &mut FixedBytes(&bytes), &mut signatures[1..], &mut work)
                    .is_err()
            );
        }
    }
}

#[test]
fn a_batch_has_the_signatures_of_a_loop() {
    let levels = levels();
    let factor = if long() { 20 } else { 1 };
    let jobs: Vec<_> = (2..=10).rev().flat_map(|logn| (0..ROUNDS[logn - 2] * factor).map(move |i| (logn, i))).collect();
    let counts = parallel(jobs.len(), |job| {
        let (logn, round) = jobs[job];
        let algorithm = fn_dsa(degree(logn));
        let mut random = RandomStream::new("batches", logn << 32 | round);
        let seed = random.bytes();
        for level in &levels {
            let key = expanded_key(*level, algorithm, &seed);
            for count in LISTS {
                let messages: Vec<_> = (0..count).map(|_| Mu::from_bytes(random.bytes())).collect();
                let bytes = random_bytes(&mut random, algorithm, count);
                compare_mus(&key, &messages, &bytes);
            }
        }
        LISTS.iter().sum::<usize>()
    });
    let signed: usize = counts.iter().sum();
    println!("{signed} signatures on each of {} levels", levels.len());
    assert!(signed >= 5000 * factor, "only {signed} signatures on each level");
}

#[test]
fn long_lists_and_ml_dsa_have_the_signatures_of_a_loop() {
    let mut lists = vec![(Level::detect(), Algorithm::FN_DSA_512, 1000)];
    // In ML-DSA, a group has up to 32 messages. The lists below have less than, exactly and more
    // than 32 messages.
    for (level, algorithm) in levels().into_iter().flat_map(|level| {
        [Algorithm::ML_DSA_44, Algorithm::ML_DSA_65, Algorithm::ML_DSA_87].map(|algorithm| (level, algorithm))
    }) {
        lists.extend([1, 2, 3, 4, 5, 9, 32, 70].map(|count| (level, algorithm, count)));
    }
    parallel(lists.len(), |list| {
        let (level, algorithm, count) = lists[list];
        let mut random = RandomStream::new("long lists", count);
        let key = expanded_key(level, algorithm, &random.bytes());
        let messages: Vec<_> = (0..count).map(|_| Mu::from_bytes(random.bytes())).collect();
        compare_mus(&key, &messages, &random_bytes(&mut random, algorithm, count));
    });
}

/// An iterator that reports one message more than it returns.
struct ShortIterator<'m>(std::slice::Iter<'m, Mu>);

impl<'m> Iterator for ShortIterator<'m> {
    type Item = &'m Mu;
    fn next(&mut self) -> Option<&'m Mu> {
        self.0.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() + 1, Some(self.0.len() + 1))
    }
}

impl ExactSizeIterator for ShortIterator<'_> {}

#[test]
fn a_failed_batch_leaves_zeros() {
    let (level, algorithm) = (Level::detect(), Algorithm::FN_DSA_512);
    let key = expanded_key(level, algorithm, &[3; 32]);
    let len = algorithm.signature_len();
    let messages = [Mu::from_bytes([7; 64]); 12];
    let mut work = vec![0; algorithm.sign_batch_work_len()];
    let mut signatures = vec![0x55; 12 * len];
    // The generator has bytes for 10 signatures, so the second group of eight fails.
    let failed = key.sign_batch(&messages, &mut FixedBytes(&[9; 40 * 10]), &mut signatures, &mut work);
    assert_eq!(failed, Err(SignError::Rng(OutOfBytesError)));
    assert!(signatures.iter().all(|byte| *byte == 0));
    let sign = |signatures: &mut [u8], work: &mut [u8]| {
        signatures.fill(0x55);
        let result = key.sign_batch(&messages, &mut FixedBytes(&[9; 480]), signatures, work);
        assert_eq!(result.is_err(), signatures.iter().all(|byte| *byte == 0));
        result
    };
    let needed = BufferLen { needed: 12 * len, given: 12 * len - 1 };
    assert_eq!(sign(&mut signatures[1..], &mut work), Err(SignError::Buffer(needed)));
    let needed = BufferLen { needed: work.len(), given: work.len() - 1 };
    assert_eq!(sign(&mut signatures, &mut work[1..]), Err(SignError::Buffer(needed)));
    assert_eq!(sign(&mut signatures, &mut work), Ok(()));
    assert_eq!(key.sign_batch(&[] as &[Mu], &mut FixedBytes(&[]), &mut [], &mut work), Ok(()));
    let result =
        key.sign_batch(ShortIterator(messages[1..].iter()), &mut FixedBytes(&[9; 480]), &mut signatures, &mut work);
    assert_eq!(result, Err(SignError::Buffer(BufferLen { needed: 3 * len, given: 4 * len })));
    assert!(signatures.iter().all(|byte| *byte == 0));

    // In each list below, a message is hashed for a scheme or key that differs from the signing
    // key's.
    let falcon = expanded_key(level, Algorithm::FALCON_512, &[3; 32]);
    let mut rejection_of = |key: &ExpandedSigningKey, messages: Vec<MessageToSign<'_>>| {
        signatures.fill(0x55);
        let result = key.sign_batch(messages, &mut FixedBytes(&[9; 480]), &mut signatures, &mut work);
        assert!(signatures.iter().all(|byte| *byte == 0));
        result.expect_err("an error")
    };
    let mus = || messages.iter().map(MessageToSign::from).collect::<Vec<_>>();
    assert_eq!(rejection_of(&falcon, mus()), SignError::OtherScheme);
    let mut attempts: Vec<_> = (0..24).map(|_| [const { Attempt::EMPTY }; 1]).collect();
    let mut hashed: Vec<_> = attempts
        .iter_mut()
        .enumerate()
        .map(|(i, attempts)| {
            let (scheme, form) = (Scheme::Falcon, Options::default());
            to_sign(level, scheme, &falcon.key_hash(), form, b"m", attempts, &mut FixedBytes(&[i as u8; 40]))
                .expect("a nonce")
        })
        .collect();
    let mut mixed = mus();
    mixed[9] = hashed.pop().expect("a message for Falcon");
    assert_eq!(rejection_of(&key, mixed), SignError::OtherScheme);
    hashed.truncate(11);
    hashed.insert(10, (&messages[0]).into());
    assert_eq!(rejection_of(&falcon, hashed), SignError::OtherScheme);
    let early = Algorithm::FN_DSA_2024_512;
    let early_keys = [[3; 32], [4; 32]].map(|seed| expanded_key(level, early, &seed));
    let hashed: Vec<_> = attempts[..12]
        .iter_mut()
        .enumerate()
        .map(|(i, attempts)| {
            let (scheme, form, key) = (Scheme::FnDsa2024, Options::default(), &early_keys[usize::from(i == 5)]);
            to_sign(level, scheme, &key.key_hash(), form, b"m", attempts, &mut FixedBytes(&[i as u8; 40]))
                .expect("a nonce")
        })
        .collect();
    assert_eq!(rejection_of(&early_keys[0], hashed), SignError::OtherKey);
}
