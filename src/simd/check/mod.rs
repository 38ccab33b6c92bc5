//! Checks for the levels (instruction sets): tests, and the entry points for the proofs and for
//! memcheck.
//!
//! - `laws`: tests that compare all levels with the scalar operations
//! - `ranges`: a level that computes with ranges instead of numbers
//! - `faults`: a level that computes wrongly on demand
//! - `operations`: each operation as a separate function, for tests/proofs
//! - `memcheck`: requests to valgrind, for tests/ct

#[cfg(test)]
pub mod faults;
#[cfg(any(test, all(feature = "testing", feature = "std")))]
pub mod laws;
#[cfg(fndsa_memcheck)]
pub mod memcheck;
#[cfg(fndsa_proofs)]
mod operations;
#[cfg(test)]
pub mod ranges;
