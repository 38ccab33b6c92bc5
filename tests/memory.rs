//! Measures the memory for each operation: the caller's work memory plus the stack. To measure the
//! stack, the test fills it with a known byte before the operation (it paints the stack), and then
//! looks for other bytes. The bounds depend on the degree `n`:
//!
//! - verify: `2n + 1600 bytes`, or `2n + 2 KB` if the message is also hashed; for FN-DSA-2024,
//!   `6n + 1.5 KB`
//! - sign: `60n + 4 KB`, or `60n + 4.5 KB` if the message is also hashed, or `34n + 4 KB` if the
//!   basis is in read-only memory
//! - import, expand and convert a private key: from `60n + 3 KB` to `60n + 4.5 KB`
//! - key generation: `21n + 3.25 KB`
//! - eight signatures together: `272n + 51 KB`; eight verifications together: `32n + 14 KB`
//!
//! These bounds are for levels with one lane, which small machines have. Levels with vectors may
//! use [`EXTRA_FOR_VECTORS`] more. For ML-DSA, the bounds are the smallest work memory for each
//! parameter set, and the stack sizes in [`ML_DSA_STACK_LIMITS`].
//!
//! The bounds are for a build with a single codegen unit, as for a small machine. This command
//! prints the measured numbers: `cargo test --release --all-features --test memory -- --nocapture`.
//! A build with several units inlines less, so the public functions have separate frames with at
//! most [`EXTRA_FOR_UNITS`] bytes. Below these frames, both builds use the same memory.

mod common;

use fndsa::algorithm::{Degree, Scheme};
use fndsa::error::VerifyError;
use fndsa::message::Mu;
use fndsa::no_alloc::{Attempt, Level, MessageToVerify, SigningHasher, SigningKeyRef, VerifyingHasher};
use fndsa::testing::{FixedBytes, FlashMemory};
use fndsa::{Algorithm, Options};
use std::hint::black_box;

/// The byte that fills the stack before an operation.
const PAINT: u8 = 0xa5;
/// The number of painted stack bytes.
const PAINTED_LEN: usize = 256 * 1024;

/// Returns an address in the caller's frame or just below it.
#[inline(never)]
fn stack_address() -> usize {
    let x = 0u8;
    black_box(&raw const x) as usize
}

/// Returns [`EXTRA_FOR_UNITS`], or 0 for profiles with a single codegen unit.
fn extra_for_units() -> usize {
    if common::has_a_single_unit() { 0 } else { EXTRA_FOR_UNITS }
}

/// Returns 0 for the levels `emulated` and `scalar`, and [`EXTRA_FOR_VECTORS`] for other levels.
fn extra_for_vectors(level: Level) -> usize {
    if ["emulated", "scalar", "scalar-fdiv"].contains(&level.name()) { 0 } else { EXTRA_FOR_VECTORS }
}

/// How an operation uses the stack.
struct StackUse {
    /// The number of bytes from the operation's first stack byte to the deepest changed byte.
    peak: usize,
    /// The number of stack bytes that are neither [`PAINT`] nor zero after the operation. The first
    /// [`UNWIPED_BYTES`] at the top of the stack do not count.
    remains: usize,
}

/// The additional memory that levels with vectors may use, in bytes.
const EXTRA_FOR_VECTORS: usize = 10 * 1024;
/// The additional memory for the public functions' frames in a build with several codegen units.
const EXTRA_FOR_UNITS: usize = 2048;
/// The number of bytes at the top of the stack that the test does not search for remains, because
/// they are not wiped. They are the frames of the test and of the public function, in a build with
/// a single codegen unit.
const UNWIPED_BYTES: usize = 640;
/// The number of bytes that the wiping function cannot wipe: its return addresses and saved
/// registers.
const WIPER_FRAME_BYTES: usize = 96;

/// Runs `f` in a new thread with a painted stack, and returns how `f` used the stack.
fn painted_stack(f: impl FnOnce() + Send) -> StackUse {
    /// Fills the stack below `top` with [`PAINT`].
    #[inline(never)]
    fn paint_stack(top: usize) {
        for a in top - PAINTED_LEN..top {
            // SAFETY: `a` is in the thread's stack, which has 4 MiB, and below all frames that are
            // in use.
            unsafe { (a as *mut u8).write_volatile(PAINT) };
        }
    }
    /// Finds the changed bytes in the stack below `top`.
    #[inline(never)]
    fn scan_stack(top: usize) -> StackUse {
        // SAFETY: `a` is an address in the thread's stack, and `paint_stack` or `f` has written the
        // byte there.
        let byte = |a: usize| unsafe { (a as *const u8).read_volatile() };
        let lowest = (top - PAINTED_LEN..top).find(|&a| byte(a) != PAINT).unwrap_or(top);
        let remains = (lowest..top.saturating_sub(UNWIPED_BYTES + extra_for_units()))
            .filter(|&a| ![0, PAINT].contains(&byte(a)))
            .count();
        StackUse { peak: top - lowest, remains }
    }
    std::thread::scope(|s| {
        let measure = move || {
            let base = stack_address();
            // The frames of `paint_stack` and `scan_stack` use these 256 bytes.
            paint_stack(base - 256);
            f();
            let stack = scan_stack(base - 256);
            StackUse { peak: stack.peak + 256, ..stack }
        };
        std::thread::Builder::new().stack_size(4 << 20).spawn_scoped(s, measure).unwrap().join().unwrap()
    })
}

/// Returns FN-DSA at a degree.
fn fn_dsa(degree: Degree) -> Algorithm {
    Algorithm::at_degree(Scheme::FnDsa, degree).expect("an algorithm")
}

/// Returns an FN-DSA key pair with this degree, from a fixed seed.
fn key_pair(degree: Degree) -> (Vec<u8>, Vec<u8>) {
    let (mut sk, mut vk) = (vec![0; fn_dsa(degree).signing_key_len()], vec![0; fn_dsa(degree).verifying_key_len()]);
    let mut work = vec![0; fn_dsa(degree).keygen_fast_work_len()];
    let rng = &mut FixedBytes(&[7; 32]);
    SigningKeyRef::generate(Level::detect(), fn_dsa(degree), rng, &mut sk, &mut vk, &mut work).unwrap();
    (sk, vk)
}

#[test]
fn operations_stay_within_their_memory() {
    let mut too_much = vec![];
    let mut report = |what: &str, level: Level, degree: Degree, work: usize, stack: StackUse, bound: usize| {
        let n = degree.n();
        let StackUse { peak, remains } = stack;
        let bound = bound + extra_for_vectors(level) + extra_for_units();
        println!("{level:8} {n:4} {what:7}: work {work:5} + stack {peak:4} = {:5}, bound {bound:5}", work + peak);
        if work + peak > bound {
            too_much.push(format!("{what} {level} {n}: {} of {bound}", work + peak));
        }
        if remains > WIPER_FRAME_BYTES && !what.starts_with("verify") {
            too_much.push(format!("{what} {level} {n}: {remains} bytes are left on the stack"));
        }
    };
    for degree in [Degree::N512, Degree::N1024] {
        let (n, scheme) = (degree.n(), Scheme::FnDsa);
        let (sk, vk) = key_pair(degree);
        let mu = Mu::from_bytes([3; 64]);
        for level in Level::available() {
            let mut work = vec![0; fn_dsa(degree).keygen_work_len()];
            let (mut sk2, mut vk2) = (vec![0; sk.len()], vec![0; vk.len()]);
            let stack = painted_stack(|| {
                let rng = &mut FixedBytes(&[7; 32]);
                SigningKeyRef::generate(level, fn_dsa(degree), rng, &mut sk2, &mut vk2, &mut work).unwrap();
            });
            assert!(sk2 == sk && vk2 == vk, "{level}: key generation with the least memory gives different keys");
            report("keygen", level, degree, work.len(), stack, 21 * n + 3328);

            let mut work = vec![0; fn_dsa(degree).import_work_len()];
            let stack = painted_stack(|| {
                fndsa::testing::signing_key(level, scheme, &sk, &mut work).unwrap();
            });
            report("import", level, degree, work.len(), stack, 60 * n + 3072);

            let key = fndsa::testing::signing_key(level, scheme, &sk, &mut work).unwrap();
            let mut signature = vec![0; fn_dsa(degree).signature_len()];
            let mut work = vec![0; fn_dsa(degree).sign_work_len()];
            let stack = painted_stack(|| {
                key.sign(level, &mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work).unwrap();
            });
            report("sign", level, degree, work.len(), stack, 60 * n + 4096);

            let mut message_signature = signature.clone();
            let stack = painted_stack(|| {
                let rng = &mut FixedBytes(&[9; 40]);
                key.sign_message(level, Options::default(), b"message", rng, &mut message_signature, &mut work)
                    .unwrap();
            });
            report("sign, message", level, degree, work.len(), stack, 60 * n + 4608);

            let mut flash = FlashMemory::new(fn_dsa(degree).basis_len().unwrap());
            let mut small_work = vec![0; fn_dsa(degree).basis_work_len()];
            let stack = painted_stack(|| key.write_basis(level, &mut small_work, |part| flash.write(part)).unwrap());
            report("basis", level, degree, small_work.len(), stack, 16 * n + 3072);
            let basis = flash.bytes();
            let stack = painted_stack(|| _ = key.with_basis(level, basis).unwrap());
            report("take", level, degree, 0, stack, 3072);
            let with_basis = key.with_basis(level, basis).unwrap();
            let mut small_work = vec![0; fn_dsa(degree).sign_with_basis_work_len()];
            let stack = painted_stack(|| {
                with_basis.sign(&mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut small_work).unwrap();
            });
            report("sign, basis", level, degree, small_work.len(), stack, 34 * n + 4096);

            let mut memory = vec![0; fn_dsa(degree).expanded_key_len().unwrap()];
            let stack = painted_stack(|| drop(key.expand_into(level, &mut memory, &mut work).unwrap()));
            report("expand", level, degree, work.len(), stack, 60 * n + 4608);

            let expanded = key.expand(level, &mut work).unwrap();
            let mut work = vec![0; fn_dsa(degree).sign_expanded_work_len()];
            let stack = painted_stack(|| {
                expanded.sign(&mu, &mut FixedBytes(&[9; 40]), &mut signature, &mut work).unwrap();
            });
            report("repeat", level, degree, work.len(), stack, 60 * n + 3072);

            let mut work = vec![0; fn_dsa(degree).sign_batch_work_len()];
            let (mus, mut signatures) = ([mu; 8], vec![0; 8 * signature.len()]);
            let stack = painted_stack(|| {
                expanded.sign_batch(&mus, &mut FixedBytes(&[9; 320]), &mut signatures, &mut work).unwrap();
            });
            report("batch", level, degree, work.len(), stack, 272 * n + 51 * 1024);

            let public = fndsa::testing::verifying_key(scheme, &vk).unwrap();
            let mut work = vec![0; fn_dsa(degree).verify_work_len()];
            let stack = painted_stack(|| public.verify(level, &mu, &signature, &mut work).unwrap());
            report("verify", level, degree, work.len(), stack, 2 * n + 1600);

            let stack = painted_stack(|| {
                public.verify_message(level, Options::default(), b"message", &message_signature, &mut work).unwrap();
            });
            report("verify, message", level, degree, work.len(), stack, 2 * n + 2048);

            let public = public.expand(level);
            let mut work = vec![0; fn_dsa(degree).verify_batch_work_len()];
            let (items, mut verdicts) =
                ([(MessageToVerify::from(&mu), &signature[..]); 8], [Err(VerifyError::Mismatch); 8]);
            let stack = painted_stack(|| public.verify_batch(&items, &mut verdicts, &mut work).unwrap());
            report("verify, batch", level, degree, work.len(), stack, 32 * n + 14 * 1024);

            // FN-DSA-2024 needs more memory than FN-DSA: signing hashes the message after the
            // nonce, and the other operations below transform the public key, because its encoding
            // contains coefficients.
            let scheme = Scheme::FnDsa2024;
            let preview = Algorithm::at_degree(scheme, degree).expect("an algorithm");
            let mut work = vec![0; fn_dsa(degree).import_work_len()];
            let mut converted = vec![0; preview.signing_key_len()];
            let stack = painted_stack(|| {
                key.convert_into(level, scheme, &mut converted, &mut work).unwrap();
            });
            report("convert", level, degree, work.len(), stack, 60 * n + 3072);

            let key = fndsa::testing::signing_key(level, scheme, &converted, &mut work).unwrap();
            let mut vk = vec![0; preview.verifying_key_len()];
            let stack = painted_stack(|| {
                key.verifying_key_into(level, &mut vk, &mut work).unwrap();
            });
            report("public", level, degree, work.len(), stack, 60 * n + 3072);

            let mut attempts = [Attempt::EMPTY, Attempt::EMPTY];
            let rng = &mut FixedBytes(&[7; 120]);
            let form = Options::with_context(b"context");
            let mut builder = SigningHasher::new(level, preview, &key.key_hash(), form, &mut attempts, rng).unwrap();
            builder.update(b"message");
            let message = builder.finish();
            let mut work = vec![0; fn_dsa(degree).sign_work_len()];
            let stack = painted_stack(|| {
                key.sign(level, message, rng, &mut signature, &mut work).unwrap();
            });
            report("sign", level, degree, work.len(), stack, 60 * n + 4096);

            let mut builder = VerifyingHasher::new(level, preview, &key.key_hash(), form, &signature).unwrap();
            builder.update(b"message");
            let hashed = builder.finish();
            let public = fndsa::testing::verifying_key(scheme, &vk).unwrap();
            let mut work = vec![0; preview.verify_work_len()];
            let stack = painted_stack(|| public.verify(level, &hashed, &signature, &mut work).unwrap());
            report("verify", level, degree, work.len(), stack, 6 * n + 1536);
        }
    }
    assert!(too_much.is_empty(), "{too_much:#?}");
}

/// The stack limits in bytes for ML-DSA on levels with one lane, the same for all parameter sets.
/// The first limit is for key generation and import, the second for signing, and the third for
/// verification. Key generation and signing use as much stack as they wipe.
const ML_DSA_STACK_LIMITS: [usize; 3] = [4352, 4992, 2816];

#[test]
fn operations_of_ml_dsa_stay_within_their_memory() {
    let mut too_much = vec![];
    for algorithm in Algorithm::of_scheme(Scheme::MlDsa) {
        let seed = [7; 32];
        let mu = Mu::from_bytes([3; 64]);
        let mut work_memory = vec![0; algorithm.sign_fast_work_len().max(algorithm.import_fast_work_len())];
        let key = SigningKeyRef::from_seed(Level::detect(), algorithm, &seed, &mut work_memory).unwrap();
        let mut form = vec![0; algorithm.expanded_form_len().unwrap()];
        let mut vk = vec![0; algorithm.verifying_key_len()];
        key.expanded_form_into(Level::detect(), &mut form, &mut work_memory).unwrap();
        key.verifying_key_into(Level::detect(), &mut vk, &mut work_memory).unwrap();
        let public = fndsa::testing::verifying_key(Scheme::MlDsa, &vk).unwrap();
        let imported = fndsa::testing::signing_key(Level::detect(), Scheme::MlDsa, &form, &mut work_memory).unwrap();
        let mut expected = vec![0; algorithm.signature_len()];
        key.sign_deterministic(Level::detect(), &mu, &mut expected, &mut work_memory).unwrap();
        for level in Level::available() {
            let mut report = |what: &str, bound: usize, len: usize, f: &mut (dyn FnMut(&mut [u8]) + Send)| {
                let mut work = vec![1; len];
                let StackUse { peak, remains } = painted_stack(|| f(&mut work));
                let bound = bound + extra_for_vectors(level) + extra_for_units();
                println!("{level:8} {algorithm} {what:14}: work {len:5} + stack {peak:4}, bound {bound:5}");
                if peak > bound {
                    too_much.push(format!("{what} {level} {algorithm}: {peak} of {bound}"));
                }
                if !what.starts_with("verify") && (remains > WIPER_FRAME_BYTES || work.iter().any(|byte| *byte != 0)) {
                    let place = format!("{remains} bytes of the stack, or a byte of the work memory");
                    too_much.push(format!("{what} {level} {algorithm}: {place}, are not wiped"));
                }
            };
            let [key_limit, signing_limit, verifying_limit] = ML_DSA_STACK_LIMITS;
            for len in [algorithm.keygen_work_len(), algorithm.keygen_fast_work_len()] {
                let mut private = [0; 32];
                let mut public = vec![0; vk.len()];
                report("keygen", key_limit, len, &mut |work| {
                    let rng = &mut FixedBytes(&seed);
                    SigningKeyRef::generate(level, algorithm, rng, &mut private, &mut public, work).unwrap();
                });
                assert!(private == seed && public == vk, "{len} bytes of work memory give different keys");
                report("import", key_limit, len, &mut |work| {
                    fndsa::testing::signing_key(level, Scheme::MlDsa, &form, work).unwrap();
                });
            }
            for len in [algorithm.import_work_len(), algorithm.import_fast_work_len()] {
                report("seed", key_limit, len, &mut |work| {
                    SigningKeyRef::from_seed(level, algorithm, &seed, work).unwrap();
                });
            }
            for (what, key) in [("sign, seed", &key), ("sign, expanded", &imported)] {
                for len in [key.sign_work_len(), algorithm.sign_matrix_work_len(), algorithm.sign_fast_work_len()] {
                    let mut signature = vec![0; expected.len()];
                    report(what, signing_limit, len, &mut |work| {
                        key.sign_deterministic(level, &mu, &mut signature, work).unwrap();
                    });
                    assert_eq!(signature, expected, "{what}: {len} bytes of work memory give a different signature");
                }
            }
            for len in [algorithm.verify_work_len(), algorithm.verify_fast_work_len()] {
                report("verify", verifying_limit, len, &mut |work| public.verify(level, &mu, &expected, work).unwrap());
            }
            // The expanded key and the memory to compute it are on the heap. This test measures
            // only the stack.
            for (what, key) in [("expand, seed", &key), ("expand", &imported)] {
                report(what, key_limit, 0, &mut |_| drop(key.expand(level, &mut work_memory).unwrap()));
            }
            let expanded = key.expand(level, &mut work_memory).unwrap();
            let mut signature = vec![0; expected.len()];
            report("sign, key kept", signing_limit, algorithm.sign_expanded_work_len(), &mut |work| {
                expanded.sign_deterministic(&mu, &mut signature, work).unwrap();
            });
            assert_eq!(signature, expected, "the expanded key gives a different signature");
            report("verify, expand", verifying_limit, 0, &mut |_| drop(public.expand(level)));
        }
    }
    assert!(too_much.is_empty(), "{too_much:#?}");
}
