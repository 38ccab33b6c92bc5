//! A boot loader, which verifies 32 KB of flash page by page. The key is a constant in the program.
//!
//! The following commands made `data/boot.pub` and `data/boot.sig` from a FILE with the bytes of
//! [`APPLICATION`]: `fndsa keygen --format raw boot` and
//! `fndsa sign -k boot.key --format raw -o boot.sig FILE`.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::Options;
use fndsa::no_alloc::{FnDsa512Key, Verified};
use fndsa_firmware::board::{exit, fail, measure, start_counter};
use fndsa_firmware::{APPLICATION, panic_fails, say};

panic_fails!();

static KEY: FnDsa512Key = FnDsa512Key::new(*include_bytes!("../../data/boot.pub"));
static SIGNATURE: [u8; 666] = *include_bytes!("../../data/boot.sig");
const PAGE: usize = 256;

/// Returns whether the signature is valid for the flash contents.
#[inline(never)]
fn is_valid(flash: &[u8], signature: &[u8]) -> bool {
    let Ok(mut verifier) = KEY.verifier(Options::default()) else { return false };
    for page in flash.chunks(PAGE) {
        verifier.update(page);
    }
    let mut work = [0; 512];
    verifier.finish(signature, &mut work).is_ok_and(|verdict| verdict.value() == Verified::YES)
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    let (flash, signature) = black_box((&APPLICATION[..], &SIGNATURE[..]));
    let mut accepted = false;
    let cost = measure(&mut || accepted = is_valid(flash, signature));
    if !accepted {
        fail("a valid signature is rejected");
    }
    let mut changed = SIGNATURE;
    changed[100] ^= 1;
    if is_valid(flash, &changed) || is_valid(&flash[1..], signature) {
        fail("an invalid signature is accepted");
    }
    let count = cost.counter_steps;
    say!("FN-DSA-512 boot 0 {} {count} {count} {count} {}", cost.stack, cost.permutations);
    exit(true)
}
