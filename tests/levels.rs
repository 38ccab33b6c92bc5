//! All levels of this CPU give the same bytes: keys, signatures from encoded and from expanded keys, and verdicts.
//!
//! `FNDSA_LONG=1` makes 100,000 signatures, `FNDSA_SEED=text` other ones.

mod common;

use common::library::{Memory, degree, fn_dsa, keygen, levels};
use common::{Random, assert_same, long, parallel};
use fndsa::testing::FixedBytes;
use fndsa::{Degree, Mu, Scheme, SigningKey, VerifyingKey};

/// Keys a degree, for logn 2..=10: 50.
const KEYS: [usize; 9] = [4, 4, 4, 4, 4, 4, 4, 16, 6];
/// Signatures a degree: 2,000.
const SIGNATURES: [usize; 9] = [116, 120, 120, 120, 120, 120, 160, 800, 324];

fn seed() -> String {
    let seed = std::env::var("FNDSA_SEED").unwrap_or_else(|_| "levels".into());
    println!("FNDSA_SEED={seed}");
    seed
}

/// The key pair of that number, the same on every level.
fn key(seed: &str, logn: usize, number: usize) -> (Vec<u8>, Vec<u8>) {
    let seed = Random::new(&format!("{seed}: keys"), logn << 32 | number).bytes();
    let mut keys = Vec::new();
    for level in levels() {
        for memory in [Memory::Least, Memory::Most] {
            keys.push((format!("{level} {memory:?}"), keygen(level, fn_dsa(degree(logn)), &seed, memory)));
        }
    }
    let (first, expected) = keys.remove(0);
    for (name, found) in keys {
        let what = format!("degree 2^{logn}, key {number}, {name} against {first}");
        assert_same(&found.0, &expected.0, format_args!("{what}: private key"));
        assert_same(&found.1, &expected.1, format_args!("{what}: public key"));
    }
    expected
}

/// Signs and verifies `count` messages with one key in every way there is.
fn signatures(seed: &str, degree: Degree, number: usize, pair: &(Vec<u8>, Vec<u8>), count: usize) {
    let levels = levels();
    let mut work = common::library::work(degree);
    let key = SigningKey::from_bytes(levels[0], Scheme::FnDsa, &pair.0, &mut work).expect("a good key");
    let public = VerifyingKey::from_bytes(Scheme::FnDsa, &pair.1).expect("a good key");
    let expanded: Vec<_> = levels.iter().map(|l| key.expand(*l, &mut work).expect("enough memory")).collect();
    let expanded_public: Vec<_> = levels.iter().map(|l| public.expand(*l)).collect();
    let mut random = Random::new(&format!("{seed}: signatures"), (degree.n() << 32) + number);
    let mut expected = vec![0; degree.signature_len()];
    let mut signature = vec![0; degree.signature_len()];
    let (mut sign_work, mut verify_work) =
        (vec![0; degree.sign_expanded_work_len()], vec![0; fn_dsa(degree).verify_work_len()]);
    for i in 0..count {
        let (mu, bytes) = (Mu::from_bytes(random.bytes()), random.bytes::<40>());
        let what = format!("degree {}, key {number}, signature {i}", degree.n());
        key.sign(levels[0], &mu, &mut FixedBytes(&bytes), &mut expected, &mut work).expect("a signature");
        for (l, level) in levels.iter().enumerate() {
            if l > 0 {
                signature.fill(0);
                key.sign(*level, &mu, &mut FixedBytes(&bytes), &mut signature, &mut work).expect("a signature");
                assert_same(&signature, &expected, format_args!("{what}, {level} against {}", levels[0]));
            }
            signature.fill(0);
            expanded[l].sign(&mu, &mut FixedBytes(&bytes), &mut signature, &mut sign_work).expect("a signature");
            assert_same(&signature, &expected, format_args!("{what}, {level}, expanded key"));
        }
        // The same verdict, good or bad.
        if i % 2 == 1 {
            let bit = random.below(8 * signature.len());
            signature[bit / 8] ^= 1 << (bit % 8);
        }
        let verdict = public.verify(levels[0], &mu, &signature, &mut verify_work);
        assert_eq!(verdict.is_ok(), i % 2 == 0, "{what}");
        for (l, level) in levels.iter().enumerate() {
            assert_eq!(public.verify(*level, &mu, &signature, &mut verify_work), verdict, "{what}, {level}");
            assert_eq!(
                expanded_public[l].verify(&mu, &signature, &mut verify_work),
                verdict,
                "{what}, {level}, expanded"
            );
        }
    }
    for (l, level) in levels.iter().enumerate() {
        assert_eq!((expanded[l].level(), expanded[l].degree()), (*level, degree));
        assert_eq!((expanded[l].key_hash(), expanded_public[l].key_hash()), (key.key_hash(), public.key_hash(*level)));
    }
}

#[test]
fn same_keys_signatures_and_verdicts_on_every_level() {
    let seed = seed();
    let times = if long() { 50 } else { 1 };
    let jobs: Vec<(usize, usize)> =
        (2..=10).rev().flat_map(|logn| (0..KEYS[logn - 2]).map(move |k| (logn, k))).collect();
    let done: usize = parallel(jobs.len(), |job| {
        let (logn, number) = jobs[job];
        let pair = key(&seed, logn, number);
        let count = times * SIGNATURES[logn - 2] / KEYS[logn - 2];
        signatures(&seed, degree(logn), number, &pair, count);
        count
    })
    .iter()
    .sum();
    println!("{} keys, {done} signatures on {} levels", jobs.len(), levels().len());
    assert_eq!((jobs.len(), done), (50, 2000 * times));
}
