//! An image for code size measurement: FN-DSA-512 verification.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::no_alloc::{Level, MessageToVerify, VerifyingKeyRef};
use fndsa::{Algorithm, Options};
use fndsa_firmware::board::exit;
use fndsa_firmware::panic_ends;

panic_ends!();

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    let mut work = [0; Algorithm::FN_DSA_512.verify_work_len()];
    let [public, message, signature]: [&[u8]; 3] = black_box([&[]; 3]);
    let message = MessageToVerify::message(Options::default(), message);
    let good = VerifyingKeyRef::of_algorithm(Algorithm::FN_DSA_512, public)
        .is_ok_and(|key| key.verify(Level::detect(), message, signature, &mut work).is_ok());
    exit(good)
}
