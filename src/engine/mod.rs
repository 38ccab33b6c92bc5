//! The signature schemes, as pure functions over slices. The functions read no file, no clock and
//! no environment: the caller passes the randomness and the work memory.
//!
//! A folder uses only folders that are earlier in this list.
//!
//! - `verdict`: a verification's verdict as a number, which shows whether a fault skipped a check
//! - `hash`: Keccak, SHAKE, pre-hashes and message hashing, for all families
//! - `primes`: polynomials modulo primes below `2^31`, for all families
//! - `falcon`: the Falcon family: FN-DSA, its preview of 2024, Falcon, and falcon-rs
//! - `mldsa`: ML-DSA

pub mod falcon;
pub mod hash;
pub mod mldsa;
pub mod primes;
pub mod verdict;
