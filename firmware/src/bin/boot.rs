//! A boot loader: 32 KB of flash are verified page by page, with a key that is a constant of the program.
//!
//! `data/boot.pub` and `data/boot.sig` were made by the program: `fndsa keygen --format raw boot`, `fndsa sign -k boot.key --format raw -o boot.sig FILE`, of what
//! [`APPLICATION`] is.
#![no_std]
#![no_main]

use core::hint::black_box;
use fndsa::{Algorithm, Level, MuBuilder, Scheme, VerifyingKey};
use fndsa_firmware::board::{exit, fail, measure, start_counter};
use fndsa_firmware::{panic_fails, say};

panic_fails!();

static KEY: [u8; Algorithm::FN_DSA_512.verifying_key_len()] = *include_bytes!("../../data/boot.pub");
static SIGNATURE: [u8; Algorithm::FN_DSA_512.signature_len()] = *include_bytes!("../../data/boot.sig");
/// Byte i is the lower byte of i + i / 256.
static APPLICATION: [u8; 32 << 10] = {
    let mut bytes = [0; 32 << 10];
    let mut i = 0;
    while i < bytes.len() {
        bytes[i] = (i + i / 256) as u8;
        i += 1;
    }
    bytes
};
const PAGE: usize = 256;

/// Returns whether what is in flash was signed with the key.
#[inline(never)]
fn is_good(key: &[u8], flash: &[u8], signature: &[u8]) -> bool {
    let level = Level::detect();
    let Ok(key) = VerifyingKey::from_bytes(Scheme::FnDsa, key) else { return false };
    let Ok(mut message) = MuBuilder::pure(level, &key.key_hash(level), b"") else { return false };
    for page in flash.chunks(PAGE) {
        message.update(page);
    }
    let mut work = [0; Algorithm::FN_DSA_512.verify_work_len()];
    key.verify(level, &message.finish(), signature, &mut work).is_ok()
}

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    start_counter();
    let (key, flash, signature) = black_box((&KEY[..], &APPLICATION[..], &SIGNATURE[..]));
    let mut good = false;
    let taken = measure(&mut || good = is_good(key, flash, signature));
    if !good {
        fail("a good signature is refused");
    }
    let mut changed = SIGNATURE;
    changed[100] ^= 1;
    if is_good(key, flash, &changed) || is_good(key, &flash[1..], signature) {
        fail("a bad signature is believed");
    }
    say!("FN-DSA-512 boot 0 {} {} {} {}", taken.stack, taken.instructions, taken.instructions, taken.instructions);
    exit(true)
}
