//! Polynomials modulo primes below `2^31`, for all families of schemes.
//!
//! A file uses only files that are earlier in this list.
//!
//! - `prime`: arithmetic modulo a prime, and the prime of ML-DSA
//! - `transform`: the number-theoretic transform
//! - `short`: the transform for a 23-bit prime, without reductions

pub mod prime;
pub mod short;
pub mod transform;

#[cfg(test)]
pub mod tests;
