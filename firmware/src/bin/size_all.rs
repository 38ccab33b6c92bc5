//! An image for code size measurement: FN-DSA key generation, loading, signing and verification.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::no_alloc::{Level, MessageToVerify, SigningKeyRef, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use fndsa_firmware::board::exit;
use fndsa_firmware::panic_ends;
use fndsa_firmware::repeatable::RepeatableRng;

panic_ends!();

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    const ALGORITHM: Algorithm = Algorithm::FN_DSA_512;
    let mut work = [0; ALGORITHM.sign_work_len()];
    let (mut private, mut public) = ([0; ALGORITHM.signing_key_len()], [0; ALGORITHM.verifying_key_len()]);
    let mut signature = [0; ALGORITHM.signature_len()];
    let rng = &mut RepeatableRng::new(black_box(1));
    let level = Level::detect();
    let message = black_box(&[7; 32][..]);
    let is_generated = SigningKeyRef::generate(level, ALGORITHM, rng, &mut private, &mut public, &mut work).is_ok();
    let loaded = SigningKeyRef::of_algorithm(level, ALGORITHM, &private, &mut work);
    let signed = loaded
        .is_ok_and(|key| key.sign_message(level, Options::default(), message, rng, &mut signature, &mut work).is_ok());
    let good = VerifyingKeyRef::of_algorithm(ALGORITHM, &public).is_ok_and(|key| {
        key.verify(level, MessageToVerify::message(Options::default(), message), &signature, &mut work).is_ok()
    });
    exit(is_generated && signed && good)
}
