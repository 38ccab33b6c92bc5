//! Tests that private keys can be expanded into memory of the caller, at any address. The
//! signatures must be equal to the encoded key's signatures, and the memory must be wiped when the
//! expanded key is dropped.

use fndsa::algorithm::{Degree, Scheme};
use fndsa::error::ExpandError;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::testing::FixedBytes;
use fndsa::{Algorithm, Options};

/// Returns a private key for the algorithm, from a fixed seed.
fn key_of(algorithm: Algorithm) -> Vec<u8> {
    let (mut private, mut public) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut work = vec![0; algorithm.keygen_fast_work_len()];
    let rng = &mut FixedBytes(&[7; 32]);
    SigningKeyRef::generate(Level::detect(), algorithm, rng, &mut private, &mut public, &mut work).expect("a key");
    private
}

/// The random bytes for a signature with an expanded key: enough for a nonce and a signature.
const RANDOM: [u8; 80] = [9; 80];
const MESSAGE: &[u8] = b"a message";

#[test]
fn signatures_equal_those_of_the_encoded_key_at_any_address() {
    let at = |scheme, degree| Algorithm::at_degree(scheme, degree).expect("an algorithm");
    for algorithm in [
        Algorithm::FN_DSA_512,
        Algorithm::FN_DSA_1024,
        Algorithm::FALCON_512,
        Algorithm::FALCON_1024,
        at(Scheme::FnDsa2024, Degree::N512),
        at(Scheme::FnDsa, Degree::from_logn(6).expect("a toy degree")),
    ] {
        let private = key_of(algorithm);
        let mut work = vec![0; algorithm.sign_work_len().max(algorithm.import_work_len())];
        let len = algorithm.expanded_key_len().expect("keys of the family are expanded");
        for (i, level) in Level::available().enumerate() {
            let key = SigningKeyRef::of_algorithm(level, algorithm, &private, &mut work).expect("a good key");
            let mut expected = vec![0; algorithm.signature_len()];
            key.sign_message(level, Options::default(), MESSAGE, &mut FixedBytes(&RANDOM), &mut expected, &mut work)
                .expect("a signature");
            for offset in [0, 1 + i, 63] {
                let mut memory = vec![0xa5; offset + len];
                let unaligned_memory = &mut memory[offset..];
                let expanded = key.expand_into(level, unaligned_memory, &mut work).expect("enough memory");
                assert_eq!((expanded.algorithm(), expanded.level()), (algorithm, level));
                assert_eq!(expanded.key_hash(), key.key_hash());
                let is_wiped = work.iter().all(|byte| *byte == 0);
                assert!(is_wiped, "{algorithm}, {level}: expanding does not wipe its work memory");
                let mut signature = vec![0; algorithm.signature_len()];
                let mut small_work = vec![0xa5; algorithm.sign_expanded_work_len()];
                let rng = &mut FixedBytes(&RANDOM);
                expanded
                    .sign_message(Options::default(), MESSAGE, rng, &mut signature, &mut small_work)
                    .expect("a signature");
                assert_eq!(signature, expected, "{algorithm}, {level}, at {offset}");
                let is_wiped = small_work.iter().all(|byte| *byte == 0);
                assert!(is_wiped, "{algorithm}, {level}: signing does not wipe its work memory");
                drop(expanded);
                // The expanded key starts at the first aligned byte. The bytes before and after the
                // key still are 0xa5, and all bytes in the key are wiped.
                assert!(memory.iter().all(|byte| [0, 0xa5].contains(byte)), "{algorithm}, {level}, at {offset}");
                assert!(memory.iter().filter(|byte| **byte == 0).count() >= len - 64, "{algorithm}, {level}");
            }
        }
    }
}

#[test]
fn too_little_memory_and_keys_of_other_families_are_rejected() {
    let (algorithm, level) = (Algorithm::FN_DSA_512, Level::detect());
    let private = key_of(algorithm);
    let mut work = vec![0; algorithm.sign_work_len()];
    let key = SigningKeyRef::of_algorithm(level, algorithm, &private, &mut work).expect("a good key");
    let mut memory = vec![0; algorithm.expanded_key_len().expect("a length")];
    let short = memory.len() - 1;
    assert!(
        matches!(key.expand_into(level, &mut memory[1..], &mut work), Err(ExpandError::Memory(it)) if it.given == short)
    );
    assert!(matches!(key.expand_into(level, &mut memory, &mut work[1..]), Err(ExpandError::Work(_))));

    let seed = [7; 32];
    let algorithm = Algorithm::ML_DSA_44;
    let mut work = vec![0; algorithm.sign_work_len()];
    let key = SigningKeyRef::from_seed(level, algorithm, &seed, &mut work).expect("a key");
    assert!(matches!(key.expand_into(level, &mut memory, &mut work), Err(ExpandError::OtherFamily)));
    assert_eq!(algorithm.expanded_key_len(), None);
}
