//! Tests that a thread with a small stack can generate keys, sign and verify, even in a build
//! without optimization.

#![cfg(feature = "std")]

use fndsa::{Algorithm, Options, SigningKey};
use getrandom::SysRng;
use std::thread::Builder;

/// The stack size for debug builds in docs/library.md, in bytes.
const STACK: usize = 512 << 10;

#[test]
fn every_operation_runs_with_a_stack_of_512_kib() {
    for algorithm in [Algorithm::FN_DSA_512, Algorithm::FN_DSA_1024, Algorithm::FALCON_1024, Algorithm::ML_DSA_87] {
        let work = move || {
            let key = SigningKey::generate(algorithm, &mut SysRng).expect("a key");
            let key = SigningKey::of_algorithm(algorithm, key.as_bytes()).expect("the key");
            let signature = key.sign(Options::default(), b"message", &mut SysRng).expect("a signature");
            key.verifying_key().verify(Options::default(), b"message", &signature).expect("a valid signature");
        };
        let thread = Builder::new().stack_size(STACK).spawn(work).expect("a thread");
        assert!(thread.join().is_ok(), "{algorithm}");
    }
}
