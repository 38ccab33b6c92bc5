//! An image for code size measurement: FN-DSA key loading and signing.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa::{Algorithm, Options};
use fndsa_firmware::board::exit;
use fndsa_firmware::panic_ends;
use fndsa_firmware::repeatable::RepeatableRng;

panic_ends!();

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    let mut work = [0; Algorithm::FN_DSA_1024.sign_work_len()];
    let mut signature = [0; Algorithm::FN_DSA_1024.signature_len()];
    let [private, message]: [&[u8]; 2] = black_box([&[]; 2]);
    let level = Level::detect();
    let is_signed = SigningKeyRef::of_algorithm(level, Algorithm::FN_DSA_1024, private, &mut work).is_ok_and(|key| {
        let rng = &mut RepeatableRng::new(1);
        key.sign_message(level, Options::default(), message, rng, &mut signature, &mut work).is_ok()
    });
    black_box(&signature);
    exit(is_signed)
}
