//! Tests verification with published test vectors. Prints how many tests passed for each algorithm,
//! or the first test that fails.
#![no_std]
#![no_main]

use fndsa_firmware::board::exit;
use fndsa_firmware::{panic_fails, vectors};

panic_fails!();

#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    vectors::test_verdicts();
    exit(true)
}
