//! An image for code size measurement: verification with a constant key for ML-DSA. This image must
//! not panic.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::Options;
use fndsa::no_alloc::{MlDsa44Key, Verified};
use fndsa_firmware::board::exit;
use fndsa_firmware::panic_does_not_link;

panic_does_not_link!();

static KEY: MlDsa44Key = MlDsa44Key::new(*include_bytes!("../../data/boot-ml-dsa-44.pub"));

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    let mut work = [0; 384];
    let [context, page, signature]: [&[u8]; 3] = black_box([&[]; 3]);
    let Ok(mut verifier) = KEY.verifier(Options::with_context(context).with_prehash(black_box(None))) else {
        exit(false)
    };
    verifier.update(page);
    verifier.update(page);
    let verdict = verifier.finish(signature, &mut work);
    exit(verdict.is_ok_and(|it| it.value() == Verified::YES))
}
