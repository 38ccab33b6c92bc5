//! An image for code size measurement: FN-DSA key generation.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::Algorithm;
use fndsa::no_alloc::{Level, SigningKeyRef};
use fndsa_firmware::board::exit;
use fndsa_firmware::panic_ends;
use fndsa_firmware::repeatable::RepeatableRng;

panic_ends!();

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    const ALGORITHM: Algorithm = Algorithm::FN_DSA_512;
    let mut work = [0; ALGORITHM.keygen_work_len()];
    let (mut private, mut public) = ([0; ALGORITHM.signing_key_len()], [0; ALGORITHM.verifying_key_len()]);
    let rng = &mut RepeatableRng::new(black_box(1));
    let is_generated =
        SigningKeyRef::generate(Level::detect(), ALGORITHM, rng, &mut private, &mut public, &mut work).is_ok();
    black_box((&private, &public));
    exit(is_generated)
}
