//! A simple and slow implementation of the scheme FN-DSA. It is an introduction for readers, and
//! tests compare the library with it (`tests/reference.rs`), or craft keys and signatures with it
//! (`tests/import.rs`, `tests/negatives`).
//!
//! Summary: the private key is a short basis `[[g, -f], [G, -F]]` of the lattice of all `(s1, s2)`
//! with `s1 + s2 h = 0 mod q`, where `h = g / f`. A signature is a short `(s1, s2)` with `s1 + s2 h
//! = c`, where `c` is the message's hash. A signer needs the basis to find `(s1, s2)`, and a
//! verifier needs only `h` to check it.
//!
//! All lists are a `Vec`, all integers that can be large are a `BigInt`, products are computed with
//! two loops, and no code is constant-time. Names and the order of operations are the same as in
//! the specification. The suggested reading order is:
//!
//! | file | content | specification |
//! |---|---|---|
//! | `hash` | SHAKE256, `mu`, hash to point | 2.2 |
//! | `ring` | polynomials modulo `X^n + 1`, over the integers and modulo q | 2.1 |
//! | `codec` | keys and signatures as bits | 2.3 |
//! | `verify` | the verdict | 2.7 |
//! | `reals`, `tables` | all tables from their formulas, with 256 fraction bits | 2.1 |
//! | `ntru` | `f G - g F = q` by field norms | 2.4.4 |
//! | `keygen` | from a seed to a key pair | 2.4 |
//! | `fourier` | complex numbers and the transform, in the order that is part of the scheme | 2.6 |
//! | `sampler` | `sampler_z`, `base_sampler`, `ber_exp` | 2.6.6 |
//! | `sign` | `ff_sampling` and the loop around it | 2.5, 2.6 |
//!
//! The NTRU solver differs from the engine's solver: it has no bounds for intermediate values, so
//! it solves the equation for more candidates. The specification's reference solver (2.4.5) and the
//! engine give up on some of these candidates. For a seed with such a candidate, the engine derives
//! a different key than this implementation. The Gram-Schmidt norm (2.4.3) is computed with
//! binary64 numbers instead of fixed-point numbers, so the decision may differ for a norm very
//! close to the bound.
#![allow(dead_code)] // each test file uses only a part

pub mod codec;
pub mod fourier;
pub mod hash;
pub mod keygen;
pub mod ntru;
pub mod reals;
pub mod ring;
pub mod sampler;
pub mod sign;
pub mod tables;
pub mod verify;

/// The modulus.
pub const Q: i64 = 12289;
/// The largest absolute value that a coefficient in s1 or s2 may have.
pub const INFINITY_BOUND: i64 = 840;
