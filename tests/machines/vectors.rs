//! The tests with the vectors in `tests/kat`, and the tests that compare the levels, for processors
//! on which the other test dependencies do not build. `FNDSA_SHORT=1` uses only a few vectors from
//! every list on each level.

#[path = "../common/mod.rs"]
mod common;

// FN-DSA.
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
