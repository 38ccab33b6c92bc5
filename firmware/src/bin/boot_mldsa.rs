//! Measures how a boot loader verifies 32 KB of flash, page by page, in four ways. Three of them
//! verify a signature of ML-DSA-44, ML-DSA-65 or ML-DSA-87. The last one verifies two signatures,
//! of FN-DSA-512 and of ML-DSA-44. The keys are constants in the program.
//!
//! `fndsa` made the files in `data`. The following commands made the files for ML-DSA-44 from a
//! FILE with the bytes of [`APPLICATION`]: `fndsa keygen -a ml-dsa-44 --format raw boot-ml-dsa-44`
//! and `fndsa sign -a ml-dsa-44 -k boot-ml-dsa-44.key --format raw -o boot-ml-dsa-44.sig FILE`.
//! `boot.rs` contains the commands for FN-DSA-512.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::Options;
use fndsa::no_alloc::{FnDsa512Key, MlDsa44Key, MlDsa65Key, MlDsa87Key, StaticAlgorithm, StaticVerifyingKey, Verified};
use fndsa_firmware::board::{exit, fail, measure, start_counter};
use fndsa_firmware::{APPLICATION, panic_fails, say};

panic_fails!();

static FN_DSA_512: FnDsa512Key = FnDsa512Key::new(*include_bytes!("../../data/boot.pub"));
static ML_DSA_44: MlDsa44Key = MlDsa44Key::new(*include_bytes!("../../data/boot-ml-dsa-44.pub"));
static ML_DSA_65: MlDsa65Key = MlDsa65Key::new(*include_bytes!("../../data/boot-ml-dsa-65.pub"));
static ML_DSA_87: MlDsa87Key = MlDsa87Key::new(*include_bytes!("../../data/boot-ml-dsa-87.pub"));
static SIGNATURE_512: [u8; 666] = *include_bytes!("../../data/boot.sig");
static SIGNATURE_44: [u8; 2420] = *include_bytes!("../../data/boot-ml-dsa-44.sig");
static SIGNATURE_65: [u8; 3309] = *include_bytes!("../../data/boot-ml-dsa-65.sig");
static SIGNATURE_87: [u8; 4627] = *include_bytes!("../../data/boot-ml-dsa-87.sig");
const PAGE: usize = 256;

/// Returns whether the signature is valid for the flash contents.
#[inline(never)]
fn is_valid<A: StaticAlgorithm, const LEN: usize>(
    key: &StaticVerifyingKey<A, LEN>,
    flash: &[u8],
    signature: &[u8],
) -> bool {
    let Ok(mut verifier) = key.verifier(Options::default()) else { return false };
    for page in flash.chunks(PAGE) {
        verifier.update(page);
    }
    let mut work = A::WORK;
    verifier.finish(signature, &mut work).is_ok_and(|verdict| verdict.value() == Verified::YES)
}

/// Returns whether both signatures are valid for the flash contents.
#[inline(never)]
fn are_both_valid(flash: &[u8], fn_dsa: &[u8], ml_dsa: &[u8]) -> bool {
    let Ok(mut first) = FN_DSA_512.verifier(Options::default()) else { return false };
    let Ok(mut second) = ML_DSA_44.verifier(Options::default()) else { return false };
    for page in flash.chunks(PAGE) {
        first.update(page);
        second.update(page);
    }
    let first = first.finish(fn_dsa, &mut [0; 512]);
    let second = second.finish(ml_dsa, &mut [0; 384]);
    [first, second].iter().all(|verdict| verdict.is_ok_and(|verdict| verdict.value() == Verified::YES))
}

/// Measures the verification with a key. First checks that the key rejects a changed signature, and
/// the signature for a message without its first byte.
fn measure_key<A: StaticAlgorithm, const LEN: usize, const SIGNATURE_LEN: usize>(
    name: &str,
    key: &StaticVerifyingKey<A, LEN>,
    signature: &[u8; SIGNATURE_LEN],
) {
    let flash = black_box(&APPLICATION[..]);
    let mut changed = *signature;
    changed[100] ^= 1;
    if is_valid(key, flash, &changed) || is_valid(key, &flash[1..], signature) {
        fail("an invalid signature is accepted");
    }
    report(name, &mut || is_valid(key, flash, signature));
}

/// Measures a verification that must succeed, and prints a line in the format of the image
/// `measure`. There is a single run, so `fewest`, `mean` and `most` are equal. The work memory is
/// on the stack, so `work` is 0.
fn report(name: &str, verify: &mut dyn FnMut() -> bool) {
    let mut accepted = false;
    let cost = measure(&mut || accepted = verify());
    if !accepted {
        fail("a valid signature is rejected");
    }
    let count = cost.counter_steps;
    say!("{name} boot 0 {} {count} {count} {count} {}", cost.stack, cost.permutations);
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    measure_key("ML-DSA-44", &ML_DSA_44, &SIGNATURE_44);
    measure_key("ML-DSA-65", &ML_DSA_65, &SIGNATURE_65);
    measure_key("ML-DSA-87", &ML_DSA_87, &SIGNATURE_87);
    let flash = black_box(&APPLICATION[..]);
    if are_both_valid(flash, &SIGNATURE_512, &SIGNATURE_65) || are_both_valid(flash, &SIGNATURE_44, &SIGNATURE_44) {
        fail("two signatures are accepted, but only one of them is valid");
    }
    report("FN-DSA-512+ML-DSA-44", &mut || are_both_valid(flash, &SIGNATURE_512, &SIGNATURE_44));
    exit(true)
}
