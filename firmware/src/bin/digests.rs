//! Keys and signatures of every algorithm, as digests: firmware/run compares them with those of the host.
#![no_std]
#![no_main]

use fndsa::no_alloc::Level;
use fndsa_firmware::board::{exit, fail};
use fndsa_firmware::{digests, panic_fails, say};

panic_fails!();

/// Key pairs, and signatures with each.
const COUNTS: (usize, usize) = match option_env!("FNDSA_LONG") {
    Some(_) => (3, 40),
    None => (1, 2),
};

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    let (keys, signatures) = COUNTS;
    match digests::all(Level::detect(), keys, signatures, |algorithm, digest| say!("{algorithm} {digest}")) {
        Ok(()) => exit(true),
        Err(failed) => fail(failed.0),
    }
}
