//! The scheme `fn-dsa` (variant A), slow and obvious: to read first, and to test the engine against.
//!
//! One sentence: the private key is a short basis `[[g, -f], [G, -F]]` of the lattice of all `(s1, s2)` with
//! `s1 + s2 h = 0 mod q`, where `h = g / f`; a signature is a short `(s1, s2)` with `s1 + s2 h = c`, where `c` is the
//! hash of the message; the basis finds it, and `h` alone is enough to check it.
//!
//! Everything is a `Vec`, every integer that can be large is a `BigInt`, products are sums over two loops, and
//! nothing is constant-time. Names and order are those of the specification. Read in this order:
//!
//! | file | what | specification |
//! |---|---|---|
//! | `hash` | SHAKE256, `mu`, hash to point | 2.2 |
//! | `ring` | polynomials modulo `X^n + 1`, over the integers and modulo q | 2.1 |
//! | `codec` | keys and signatures as bits | 2.3 |
//! | `verify` | the yes-or-no answer | 2.7 |
//! | `reals`, `tables` | every table from its formula, with 256 fraction bits | 2.1 |
//! | `ntru` | `f G - g F = q` by field norms | 2.4.4 |
//! | `keygen` | from a seed to a key pair | 2.4 |
//! | `fourier` | complex numbers and the transform, in the order that is part of the scheme | 2.6 |
//! | `sampler` | `sampler_z`, `base_sampler`, `ber_exp` | 2.6.6 |
//! | `sign` | `ff_sampling` and the loop around it | 2.5, 2.6 |
//!
//! It differs from the engine in one place only: its NTRU solver is complete, where the reference solver (2.4.5), and
//! so the engine, gives up on some candidates. Where that happens the engine has another key for the seed.
#![allow(dead_code)] // each test file uses its part

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
/// Largest absolute value of a coefficient of s1 and of s2.
pub const INFINITY_BOUND: i64 = 840;
