//! Prints digests of keys and signatures for all algorithms. `firmware/run` compares these digests
//! with the host's digests.
#![no_std]
#![no_main]

use fndsa_firmware::board::{self, exit, fail};
use fndsa_firmware::{digests, panic_fails, say};

panic_fails!();

/// The number of key pairs, and the number of signatures for each key.
const COUNTS: (usize, usize) = match option_env!("FNDSA_LONG") {
    Some(_) => (3, 40),
    None => (1, 2),
};

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    let (keys, signatures) = COUNTS;
    match digests::all(board::level(), keys, signatures, |algorithm, digest| say!("{algorithm} {digest}")) {
        Ok(()) => exit(true),
        Err(failed) => fail(failed.0),
    }
}
