//! Polynomials modulo primes below `2^31`, for all families of schemes.
//!
//! A file uses only files that are earlier in this list.
//!
//! - `prime`: arithmetic modulo a prime, and the prime of ML-DSA
//! - `transform`: the number-theoretic transform (NTT) in the key generation of FN-DSA and Falcon
//! - `short`: the NTT of ML-DSA, modulo a 23-bit prime, without reductions
//!
//! The NTT modulo 12289, for signatures of FN-DSA and Falcon, is in `src/engine/falcon/modq`.
//! `docs/design/levels.md` has a table of all transforms.

pub mod prime;
pub mod short;
pub mod transform;

#[cfg(test)]
pub mod tests;
