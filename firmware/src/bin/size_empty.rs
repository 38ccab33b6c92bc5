//! An image that does nothing: what the others are larger by is the library.
#![no_std]
#![no_main]

use fndsa_firmware::board::exit;
use fndsa_firmware::panic_ends;

panic_ends!();

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    exit(true)
}
