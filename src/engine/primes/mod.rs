//! Polynomials modulo primes below `2^31`, for all scheme families.
//!
//! A file uses only files that are earlier in this list.
//!
//! - `prime`: arithmetic modulo a prime, and the prime for ML-DSA
//! - `transform`: operations on rows of residues, and the number-theoretic transform (NTT) for key
//!   generation in FN-DSA and Falcon
//! - `short_lanes`: a 23-bit prime, and the layers of the NTT for ML-DSA
//! - `short`: the NTT for ML-DSA, modulo a 23-bit prime, without reductions
//!
//! The NTT modulo 12289, for FN-DSA and Falcon signatures, is in `src/engine/falcon/modq`. A table
//! in `docs/design/levels.md` contains all transforms.

pub mod prime;
pub mod short;
mod short_lanes;
pub mod transform;

#[cfg(test)]
pub mod tests;
