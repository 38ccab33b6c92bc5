//! Signatures of many messages at once are, byte for byte, those of one message after the other with the same random bytes: on
//! every level, at every degree, in any number.
//!
//! `FNDSA_LONG=1` makes 100,000 signatures on each level.

mod common;

use common::library::{degree, fn_dsa, levels};
use common::{Random, assert_same, long, parallel};
use fndsa::testing::{Exhausted, FixedBytes};
use fndsa::{Algorithm, BufferLen, ExpandedSigningKey, Level, Mu, SignError, SigningKey};

/// The lengths of lists: less than the lanes, as many, one more, and so on. At toy degrees nearly every list has a lane whose
/// first attempt fails.
const LISTS: [usize; 8] = [1, 2, 3, 5, 7, 8, 9, 37];
/// Lists of each length on each level, for logn 2..=10: 5,000 signatures.
const ROUNDS: [usize; 9] = [8, 8, 7, 7, 7, 7, 8, 11, 7];

/// The random bytes that a list of `count` signatures takes.
fn random_bytes(random: &mut Random, algorithm: Algorithm, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count * if algorithm.scheme().can_sign_deterministically() { 32 } else { 40 }];
    random.fill(&mut bytes);
    bytes
}

fn expanded(level: Level, algorithm: Algorithm, seed: &[u8; 32]) -> Box<ExpandedSigningKey> {
    let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut work = vec![0; algorithm.keygen_work_len().max(algorithm.sign_work_len())];
    let key = SigningKey::generate(level, algorithm, &mut FixedBytes(seed), &mut sk, &mut vk, &mut work);
    key.expect("a key").expand(level, &mut work).expect("enough memory")
}

/// Signs a list at once, and one by one.
fn compare(key: &ExpandedSigningKey, messages: &[Mu], random: &[u8]) {
    let algorithm = key.algorithm();
    let len = algorithm.signature_len();
    let what = format!("{algorithm}, {} messages, {}", messages.len(), key.level());
    let mut work = vec![0x55; algorithm.sign_batch_work_len()];
    let mut together = vec![0x55; len * messages.len()];
    key.sign_batch(messages, &mut FixedBytes(random), &mut together, &mut work)
        .unwrap_or_else(|e| panic!("{what}: {e}"));
    assert!(work.iter().all(|byte| *byte == 0), "{what}: the work memory is not wiped");
    let mut rng = FixedBytes(random);
    let mut alone = vec![0; len];
    for (i, (mu, found)) in messages.iter().zip(together.chunks(len)).enumerate() {
        key.sign(mu, &mut rng, &mut alone, &mut work).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_same(found, &alone, format_args!("{what}, number {i}"));
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
        let mut random = Random::new("batches", logn << 32 | round);
        let seed = random.bytes();
        for level in &levels {
            let key = expanded(*level, algorithm, &seed);
            for count in LISTS {
                let messages: Vec<_> = (0..count).map(|_| Mu::from_bytes(random.bytes())).collect();
                let bytes = random_bytes(&mut random, algorithm, count);
                compare(&key, &messages, &bytes);
            }
        }
        LISTS.iter().sum::<usize>()
    });
    let signed: usize = counts.iter().sum();
    println!("{signed} signatures on each of {} levels", levels.len());
    assert!(signed >= 5000 * factor, "{signed}");
}

#[test]
fn a_long_list_and_the_other_family() {
    for (algorithm, count) in [(Algorithm::FN_DSA_512, 1000), (Algorithm::ML_DSA_44, 11), (Algorithm::ML_DSA_87, 9)] {
        let mut random = Random::new("long lists", count);
        let key = expanded(Level::detect(), algorithm, &random.bytes());
        let messages: Vec<_> = (0..count).map(|_| Mu::from_bytes(random.bytes())).collect();
        compare(&key, &messages, &random_bytes(&mut random, algorithm, count));
    }
}

#[test]
fn what_cannot_be_signed_leaves_zeros() {
    let (level, algorithm) = (Level::detect(), Algorithm::FN_DSA_512);
    let key = expanded(level, algorithm, &[3; 32]);
    let len = algorithm.signature_len();
    let messages = [Mu::from_bytes([7; 64]); 12];
    let mut work = vec![0; algorithm.sign_batch_work_len()];
    let mut signatures = vec![0x55; 12 * len];
    // The generator fails in the second group of eight.
    let failed = key.sign_batch(&messages, &mut FixedBytes(&[9; 40 * 10]), &mut signatures, &mut work);
    assert_eq!(failed, Err(SignError::Rng(Exhausted)));
    assert!(signatures.iter().all(|byte| *byte == 0));
    let sign = |signatures: &mut [u8], work: &mut [u8]| {
        signatures.fill(0x55);
        let made = key.sign_batch(&messages, &mut FixedBytes(&[9; 480]), signatures, work);
        assert_eq!(made.is_err(), signatures.iter().all(|byte| *byte == 0));
        made
    };
    let needed = BufferLen { needed: 12 * len, given: 12 * len - 1 };
    assert_eq!(sign(&mut signatures[1..], &mut work), Err(SignError::Buffer(needed)));
    let needed = BufferLen { needed: work.len(), given: work.len() - 1 };
    assert_eq!(sign(&mut signatures, &mut work[1..]), Err(SignError::Buffer(needed)));
    assert_eq!(sign(&mut signatures, &mut work), Ok(()));
    assert_eq!(key.sign_batch(&[], &mut FixedBytes(&[]), &mut [], &mut work), Ok(()));

    let other = expanded(level, Algorithm::FALCON_512, &[3; 32]);
    let made = other.sign_batch(&messages, &mut FixedBytes(&[9; 480]), &mut signatures, &mut work);
    assert_eq!(made, Err(SignError::OtherScheme));
    assert!(signatures.iter().all(|byte| *byte == 0));
}
