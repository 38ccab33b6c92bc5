//! For its size: key generation, loading, signing and verification of FN-DSA.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::{Algorithm, Form, Level, SigningKey, ToVerify, VerifyingKey};
use fndsa_firmware::board::exit;
use fndsa_firmware::panic_ends;
use fndsa_firmware::repeatable::Repeatable;

panic_ends!();

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    const ALGORITHM: Algorithm = Algorithm::FN_DSA_512;
    let mut work = [0; ALGORITHM.sign_work_len()];
    let (mut private, mut public) = ([0; ALGORITHM.signing_key_len()], [0; ALGORITHM.verifying_key_len()]);
    let mut signature = [0; ALGORITHM.signature_len()];
    let rng = &mut Repeatable::new(black_box(1));
    let level = Level::detect();
    let message = black_box(&[7; 32][..]);
    let made = SigningKey::generate(level, ALGORITHM, rng, &mut private, &mut public, &mut work).is_ok();
    let loaded = SigningKey::of_algorithm(level, ALGORITHM, &private, &mut work);
    let signed = loaded
        .is_ok_and(|key| key.sign_message(level, Form::default(), message, rng, &mut signature, &mut work).is_ok());
    let good = VerifyingKey::of_algorithm(ALGORITHM, &public)
        .is_ok_and(|key| key.verify(level, ToVerify::message(Form::default(), message), &signature, &mut work).is_ok());
    exit(made && signed && good)
}
