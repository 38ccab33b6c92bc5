//! Prints the digests of the image `digests`, computed on this machine at its fastest level. To run
//! this example, use:
//! `cargo run -p fndsa-firmware --example host -- KEYS SIGNATURES`

use fndsa::no_alloc::Level;
use fndsa_firmware::digests::all;
use std::process::ExitCode;

fn main() -> ExitCode {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|it| it.parse().ok()).collect();
    let [keys, signatures] = numbers[..] else {
        eprintln!("usage: host KEYS SIGNATURES (the numbers of keys, and of signatures with each key)");
        return ExitCode::from(2);
    };
    match all(Level::detect(), keys, signatures, |algorithm, digest| println!("{algorithm} {digest}")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("{} failed", failed.0);
            ExitCode::FAILURE
        }
    }
}
