//! Polynomials modulo primes below `2^31`, for every family of schemes.

pub mod prime;
pub mod short;
pub mod transform;

#[cfg(test)]
pub mod tests;
