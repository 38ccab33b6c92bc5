//! The tests that read the vectors of `tests/kat`, and those that compare the levels, for processors on which the tests' other
//! dependencies cannot be built. `FNDSA_SHORT=1` takes a few vectors of each list on each level.

#[path = "../common/mod.rs"]
mod common;

// FN-DSA.
#[path = "../levels.rs"]
mod levels;
#[path = "../vectors.rs"]
mod vectors;

// Falcon and what is like it.
#[allow(dead_code)] // each file of the tests uses its part
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
