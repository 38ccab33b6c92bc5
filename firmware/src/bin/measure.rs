//! Measures memory and instructions, and prints a line `algorithm operation work stack fewest mean
//! most permutations` for each operation, which `firmware/run` reads. `work` and `stack` are bytes.
//! `fewest`, `mean` and `most` are counts of instructions in an emulator, and of cycles on
//! hardware. `permutations` is the mean number of Keccak permutations.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::no_alloc::{Level, MessageToVerify, SigningKeyRef, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use fndsa_firmware::board::{self, exit, fail, measure, start_counter};
use fndsa_firmware::repeatable::RepeatableRng;
use fndsa_firmware::{ALGORITHMS, BasisFlash, MAX_LENGTHS, panic_fails, say};

panic_fails!();

/// The number of runs for key generation and signing. Several runs are necessary, because their
/// time is random. Other operations run twice.
const RUNS: u64 = match option_env!("FNDSA_LONG") {
    Some(_) => 100,
    None => 4,
};
/// The length of the longest expanded form of an ML-DSA key, in bytes.
const MAX_EXPANDED_LEN: usize = match Algorithm::ML_DSA_87.expanded_form_len() {
    Some(len) => len,
    None => 0,
};
const MESSAGE: &[u8] = b"32 bytes that are signed, always";

/// Measures an operation `runs` times, and prints its line.
fn print_line(algorithm: Algorithm, operation: &str, work: usize, runs: u64, run: &mut dyn FnMut()) {
    let (mut stack, mut sum, mut min_steps, mut max_steps, mut permutations) = (0, 0, u64::MAX, 0, 0);
    for _ in 0..runs {
        let cost = measure(run);
        stack = cost.stack.max(stack);
        sum += cost.counter_steps;
        permutations += u64::from(cost.permutations);
        min_steps = cost.counter_steps.min(min_steps);
        max_steps = cost.counter_steps.max(max_steps);
        // A verification uses no secrets, so it does not wipe its stack.
        if operation != "verify" {
            cost.check_wiped(operation);
        }
    }
    say!("{algorithm} {operation} {work} {stack} {min_steps} {} {max_steps} {}", sum / runs, permutations / runs);
}

/// Measures the computation of a basis (precomputed data for signing), if the key has a basis.
fn print_basis_line(level: Level, key: &SigningKeyRef<'_>, flash: &mut BasisFlash, work: &mut [u8]) {
    let algorithm = key.algorithm();
    if algorithm.basis_len().is_some() {
        print_line(algorithm, "basis", work.len(), 2, &mut || {
            if flash.program(level, key, work).is_none() {
                fail("computing a basis");
            }
        });
    }
}

/// Measures signing with the expanded form of an ML-DSA key, first with the least work memory and
/// then with the matrix A in the work memory. On a device, the expanded form can be in flash.
fn print_expanded_line(
    level: Level,
    key: &SigningKeyRef<'_>,
    rng: &mut RepeatableRng,
    signature: &mut [u8],
    memory: &mut [u8],
) {
    let algorithm = key.algorithm();
    let Some(len) = algorithm.expanded_form_len() else { return };
    let (expanded, memory) = memory.split_at_mut(len);
    if key.expanded_form_into(level, expanded, memory).is_err() {
        fail("expanding");
    }
    let Ok(key) = SigningKeyRef::of_algorithm(level, algorithm, expanded, memory) else {
        fail("loading an expanded key")
    };
    let matrix_work = algorithm.sign_matrix_work_len() - len;
    for (operation, work) in [("sign-expanded", key.sign_work_len()), ("sign-matrix", matrix_work)] {
        print_line(algorithm, operation, work, RUNS, &mut || {
            if key.sign_message(level, Options::default(), MESSAGE, rng, signature, &mut memory[..work]).is_err() {
                fail("signing with an expanded key");
            }
        });
    }
}

/// Measures all operations of an algorithm.
#[inline(never)]
fn operations(level: Level, algorithm: Algorithm, memory: &mut [u8], flash: &mut BasisFlash) {
    let (private, memory) = memory.split_at_mut(algorithm.signing_key_len());
    let (public, memory) = memory.split_at_mut(algorithm.verifying_key_len());
    let (signature, memory) = memory.split_at_mut(algorithm.signature_len());
    let mut rng = RepeatableRng::new(0x1234_5678_9abc_def1);
    let form = Options::default();

    let work = algorithm.keygen_work_len();
    print_line(algorithm, "keygen", work, RUNS, &mut || {
        if SigningKeyRef::generate(level, algorithm, &mut rng, private, public, &mut memory[..work]).is_err() {
            fail("key generation");
        }
    });
    let work = algorithm.import_work_len();
    print_line(algorithm, "load", work, 2, &mut || {
        if SigningKeyRef::of_algorithm(level, algorithm, private, &mut memory[..work]).is_err() {
            fail("loading");
        }
    });
    let Ok(key) = SigningKeyRef::of_algorithm(level, algorithm, private, memory) else { fail("loading") };
    let work = algorithm.sign_work_len();
    print_line(algorithm, "sign", work, RUNS, &mut || {
        if key.sign_message(level, form, MESSAGE, &mut rng, signature, &mut memory[..work]).is_err() {
            fail("signing");
        }
    });
    print_expanded_line(level, &key, &mut rng, signature, memory);
    let work = algorithm.basis_work_len();
    print_basis_line(level, &key, flash, &mut memory[..work]);
    if let Some(basis) = algorithm.basis_len().and_then(|len| flash.0.get(..len)) {
        print_line(algorithm, "take", 0, 2, &mut || {
            if key.with_basis(level, basis).is_err() {
                fail("loading a basis");
            }
        });
        let Ok(key) = key.with_basis(level, basis) else { fail("loading a basis") };
        let work = algorithm.sign_with_basis_work_len();
        print_line(algorithm, "sign-basis", work, RUNS, &mut || {
            if key.sign_message(form, MESSAGE, &mut rng, signature, &mut memory[..work]).is_err() {
                fail("signing with a basis");
            }
        });
    }
    let work = algorithm.verify_work_len();
    print_line(algorithm, "verify", work, 2, &mut || {
        let key = VerifyingKeyRef::of_algorithm(algorithm, public);
        let message = MessageToVerify::message(form, black_box(MESSAGE));
        if !key.is_ok_and(|key| key.verify(level, message, signature, &mut memory[..work]).is_ok()) {
            fail("verification");
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    let mut memory =
        [0; MAX_LENGTHS.work + MAX_EXPANDED_LEN + MAX_LENGTHS.private + MAX_LENGTHS.public + MAX_LENGTHS.signature];
    let mut flash = BasisFlash::ERASED;
    for algorithm in ALGORITHMS {
        operations(board::level(), algorithm, &mut memory, &mut flash);
    }
    exit(true)
}
