//! The schemes, as pure functions over slices. No file, no clock, no environment: randomness is an
//! argument, and so is work memory.
//!
//! | module | what |
//! |---|---|
//! | `verdict` | the answer YES as a value |
//! | `hash` | SHAKE256, SHAKE128 and the names of pre-hashes, for every family of schemes |
//! | `primes` | polynomials modulo primes below `2^31`, for every family |
//! | `falcon` | FN-DSA, Falcon and what is like them |
//! | `mldsa` | ML-DSA |

pub mod falcon;
pub mod hash;
pub mod mldsa;
pub mod primes;
pub mod verdict;
