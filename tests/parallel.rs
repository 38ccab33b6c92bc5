//! Key generation on several threads gives the key of one: the seeds of the vectors, among them those whose first solved
//! candidate is the second or a later one that the solver saw.

mod common;

use common::library::{Memory, degree, fn_dsa, keygen, levels};
use common::{assert_same, vector_file};
use fndsa::testing::{Exhausted, FixedBytes};
use fndsa::{Algorithm, BufferLen, KeygenError, Level, Scheme, SigningKey};
use std::num::NonZeroUsize;

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("not zero")
}

fn assert_same_key(level: Level, algorithm: Algorithm, seed: &[u8; 32], counts: &[usize]) {
    let (sk, vk) = keygen(level, algorithm, seed, Memory::Most);
    for &count in counts {
        let (mut sk2, mut vk2) = (vec![0; sk.len()], vec![0; vk.len()]);
        let rng = &mut FixedBytes(seed);
        let key = SigningKey::generate_parallel(level, algorithm, rng, threads(count), &mut sk2, &mut vk2);
        key.unwrap_or_else(|e| panic!("{algorithm}: {e}"));
        assert_same(&sk2, &sk, format_args!("{algorithm}, {count} threads: private key"));
        assert_same(&vk2, &vk, format_args!("{algorithm}, {count} threads: public key"));
    }
}

#[test]
fn any_number_of_threads_gives_the_same_key() {
    let file = vector_file("keygen-a-stats.json");
    let mut solver_failed = 0;
    for case in common::cases(&file, "vectors") {
        let (logn, number, failed) = (case.int("logn") as usize, case.int("j"), case.int("ntru_failed"));
        // Every fourth, and at the large degrees those at which the solver fails as well.
        if number % 4 != 0 && !(logn >= 9 && failed > 0) {
            continue;
        }
        solver_failed += usize::from(logn >= 9 && failed > 0);
        assert_same_key(Level::detect(), fn_dsa(degree(logn)), &case.array("keygen_seed"), &[1, 2, 3, 4]);
    }
    assert!(solver_failed >= 40, "{solver_failed}");
}

#[test]
fn on_every_level_and_in_every_scheme_that_signs() {
    let seeds = [[1; 32], [2; 32]];
    for level in levels() {
        for scheme in [Scheme::FnDsa, Scheme::Falcon, Scheme::FnDsa2024] {
            for seed in &seeds {
                assert_same_key(level, Algorithm::at_degree(scheme, degree(9)).expect("an algorithm"), seed, &[2]);
            }
        }
    }
}

#[test]
fn what_the_caller_gets_wrong() {
    let algorithm = Algorithm::FN_DSA_512;
    let make = |algorithm: Algorithm, random: &[u8], less: usize| {
        let (mut sk, mut vk) = (vec![0; algorithm.signing_key_len() - less], vec![0; algorithm.verifying_key_len()]);
        SigningKey::generate_parallel(Level::detect(), algorithm, &mut FixedBytes(random), threads(2), &mut sk, &mut vk)
            .map(drop)
    };
    assert_eq!(make(algorithm, &[0; 32], 0), Ok(()));
    assert_eq!(make(algorithm, &[0; 31], 0), Err(KeygenError::Rng(Exhausted)));
    let buffer = BufferLen { needed: algorithm.signing_key_len(), given: algorithm.signing_key_len() - 1 };
    assert_eq!(make(algorithm, &[0; 32], 1), Err(KeygenError::Buffer(buffer)));
    let verify_only =
        Algorithm::at_degree(Scheme::FalconRs, algorithm.degree().expect("a degree")).expect("an algorithm");
    assert_eq!(make(verify_only, &[0; 32], 0), Err(KeygenError::VerifyOnly));
}
