//! Tests signing with a basis of the private key's lattice in read-only memory, such as the flash
//! memory of a microcontroller. The signatures must be equal to signatures without a basis. A work
//! memory with `sign_with_basis_work_len` bytes must be enough. A key must reject a basis that was
//! computed for a different key.

use fndsa::algorithm::{Degree, Scheme};
use fndsa::error::BasisError;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::testing::{FixedBytes, FlashMemory};
use fndsa::{Algorithm, Options};

/// Computes the basis of a key's lattice on a level (an instruction set that the library uses).
fn basis_of(key: &SigningKeyRef<'_>, level: Level) -> FlashMemory {
    let algorithm = key.algorithm();
    let mut flash = FlashMemory::new(algorithm.basis_len().expect("keys of the family have a basis"));
    let mut work = vec![0xa5; algorithm.basis_work_len()];
    let mut written_len = 0;
    key.write_basis(level, &mut work, |part| {
        assert!(part.len() % 8 == 0 && part.len() <= 40.max(8 * algorithm.degree().expect("a degree").n()));
        written_len += part.len();
        flash.write(part);
    })
    .expect("a basis");
    assert_eq!(written_len, flash.bytes().len());
    assert!(work.iter().all(|byte| *byte == 0), "{algorithm}, {level}: the work memory is not wiped");
    flash
}

/// Returns a private key for the algorithm. Each byte of its seed is `seed`.
fn key_of(algorithm: Algorithm, seed: u8) -> Vec<u8> {
    let (mut private, mut public) = (vec![0; algorithm.signing_key_len()], vec![0; algorithm.verifying_key_len()]);
    let mut work = vec![0; algorithm.keygen_fast_work_len()];
    let rng = &mut FixedBytes(&[seed; 32]);
    SigningKeyRef::generate(Level::detect(), algorithm, rng, &mut private, &mut public, &mut work).expect("a key");
    private
}

/// The random bytes for each signature. 400 bytes are enough for several attempts, also in Falcon,
/// where each attempt needs a new nonce.
const RANDOM: [u8; 400] = [9; 400];

#[test]
fn all_levels_make_the_same_signatures_and_bases() {
    let toys = (2..9).map(|logn| Algorithm::at_degree(Scheme::FnDsa, Degree::from_logn(logn).expect("a degree")));
    let algorithms = [Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024, Algorithm::FALCON_512, Algorithm::FALCON_1024];
    for algorithm in toys.map(|it| it.expect("an algorithm")).chain(algorithms) {
        let private = key_of(algorithm, 7);
        let mut work = vec![0; algorithm.sign_work_len().max(algorithm.import_work_len())];
        let key = SigningKeyRef::of_algorithm(Level::detect(), algorithm, &private, &mut work).expect("a good key");
        let basis = basis_of(&key, Level::detect());
        for level in Level::available() {
            assert_eq!(basis_of(&key, level).bytes(), basis.bytes(), "{algorithm}, {level}");
            let with_basis = key.with_basis(level, basis.bytes()).expect("the basis of this key");
            assert_eq!((with_basis.algorithm(), with_basis.scheme()), (algorithm, algorithm.scheme()));
            for message in [&b"one"[..], b"two", b"three"] {
                let mut expected = vec![0; algorithm.signature_len()];
                key.sign_message(
                    level,
                    Options::default(),
                    message,
                    &mut FixedBytes(&RANDOM),
                    &mut expected,
                    &mut work,
                )
                .expect("a signature");
                let smallest = algorithm.sign_with_basis_work_len();
                for len in [smallest, smallest + 2 * algorithm.degree().expect("a degree").n()] {
                    let mut signature = vec![0; algorithm.signature_len()];
                    let mut small_work = vec![0xa5; len];
                    let rng = &mut FixedBytes(&RANDOM);
                    with_basis
                        .sign_message(Options::default(), message, rng, &mut signature, &mut small_work)
                        .expect("a signature");
                    assert_eq!(signature, expected, "{algorithm}, {level}");
                    let is_wiped = small_work.iter().all(|byte| *byte == 0);
                    assert!(is_wiped, "{algorithm}, {level}: signing does not wipe its work memory");
                }
            }
        }
    }
}

#[test]
fn every_part_of_a_received_basis_is_checked() {
    let (algorithm, level) = (Algorithm::FN_DSA_512, Level::detect());
    let private = key_of(algorithm, 7);
    let mut work = vec![0; algorithm.sign_work_len()];
    let key = SigningKeyRef::of_algorithm(level, algorithm, &private, &mut work).expect("a good key");
    let mut basis = basis_of(&key, level);
    assert!(key.with_basis(level, basis.bytes()).is_ok());
    let len = basis.bytes().len();
    for position in (0..len).step_by(13).chain(len - 48..len) {
        basis.bytes_mut()[position] ^= 1 << (position % 8);
        let opened = key.with_basis(level, basis.bytes());
        assert!(matches!(opened, Err(BasisError::OtherKey)), "byte {position}");
        basis.bytes_mut()[position] ^= 1 << (position % 8);
    }
    let other_private = key_of(algorithm, 8);
    let other_key = SigningKeyRef::of_algorithm(level, algorithm, &other_private, &mut work).expect("a good key");
    assert!(matches!(other_key.with_basis(level, basis.bytes()), Err(BasisError::OtherKey)));
    assert!(key.with_basis(level, basis.bytes()).is_ok());
}

#[test]
fn wrong_memory_and_keys_of_other_families_are_rejected() {
    let (algorithm, level) = (Algorithm::FN_DSA_512, Level::detect());
    let private = key_of(algorithm, 7);
    let mut work = vec![0; algorithm.sign_work_len()];
    let key = SigningKeyRef::of_algorithm(level, algorithm, &private, &mut work).expect("a good key");
    let basis = basis_of(&key, level);
    let len = basis.bytes().len();
    let short = key.with_basis(level, &basis.bytes()[8..]);
    assert!(matches!(short, Err(BasisError::Length(it)) if (it.needed, it.given) == (len, len - 8)));
    let mut moved = FlashMemory::new(len + 8);
    moved.bytes_mut()[4..len + 4].copy_from_slice(basis.bytes());
    assert!(matches!(key.with_basis(level, &moved.bytes()[4..len + 4]), Err(BasisError::Alignment)));
    let mut short_work = vec![0; algorithm.basis_work_len() - 1];
    let result = key.write_basis(level, &mut short_work, |_| panic!("the call must not write"));
    assert!(matches!(result, Err(BasisError::Work(_))));

    let algorithm = Algorithm::ML_DSA_44;
    let mut work = vec![0; algorithm.sign_work_len()];
    let key = SigningKeyRef::from_seed(level, algorithm, &[7; 32], &mut work).expect("a key");
    let result = key.write_basis(level, &mut work, |_| panic!("the call must not write"));
    assert_eq!(result, Err(BasisError::OtherFamily));
    assert!(matches!(key.with_basis(level, basis.bytes()), Err(BasisError::OtherFamily)));
    assert_eq!(algorithm.basis_len(), None);
}
