//! An empty image. To get the library's code size, subtract this image's size from another image's
//! size.
#![no_std]
#![no_main]

use fndsa_firmware::board::exit;
use fndsa_firmware::panic_ends;

panic_ends!();

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    exit(true)
}
