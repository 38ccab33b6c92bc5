//! The tests with the vectors in `tests/kat`, and the tests that compare the levels, including
//! tests with unusual settings of the floating-point unit. This package needs fewer dependencies
//! than the package with all tests, so that it can be built for more processors. Set
//! `FNDSA_SHORT=1` to test a level with only part of the vectors.

#[path = "../common/mod.rs"]
mod common;

// FN-DSA.
#[path = "../environment.rs"]
mod environment;
#[path = "../levels.rs"]
mod levels;
#[path = "../vectors.rs"]
mod vectors;

// Falcon and similar schemes.
#[allow(dead_code)] // each test file uses only a part
#[path = "../schemes/bits.rs"]
mod bits;
#[path = "../schemes/known.rs"]
mod known;
#[path = "../schemes/published.rs"]
mod published;

// ML-DSA.
#[path = "../mldsa/accumulated.rs"]
mod accumulated;
#[path = "../mldsa/acvp.rs"]
mod acvp;
#[allow(dead_code)]
#[path = "../mldsa/keys.rs"]
mod keys;
#[path = "../mldsa/wycheproof.rs"]
mod wycheproof;
