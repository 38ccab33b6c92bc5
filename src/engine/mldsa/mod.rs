//! ML-DSA (FIPS 204), as pure functions over slices.
//!
//! Imports go down this list and never up:
//!
//! | module | what | algorithms of FIPS 204 |
//! |---|---|---|
//! | `params` | the numbers of the sets, and all lengths | section 4 |
//! | `codec` | fields of bits, and the parts of keys and signatures | 16 to 19, 22 to 27 |
//! | `round` | rounding | 35 to 40 |
//! | `hint` | the hint's encoding | 20, 21 |
//! | `sample` | polynomials out of seeds | 30 to 34 |
//! | `expand` | the same, eight at a time | 30 to 34 |
//! | `challenge` | the challenge, and products with it | 29 |
//! | `matrix` | products with the matrix A | 41, 42, 44 to 48 |
//! | `batches` | the same, with eight polynomials of A at a time | 41, 42, 44 to 48 |
//! | `products` | products of the challenge and the private key | none |
//! | `store` | the rows of w while a signature is made | none |
//! | `plan` | work memory | none |
//! | `rows` | the rows of t | none |
//! | `keygen`, `import`, `verify` | the operations | 6, 25, 8 |
//! | `recheck` | the verification of a signature before it leaves | none |
//! | `trace` | what is noted of y, against faults | none |
//! | `lean`, `quick` | attempts at a signature in little memory, and with everything kept | 7 |
//! | `sign` | signing | 7 |

pub mod batches;
pub mod challenge;
pub mod codec;
pub mod expand;
pub mod hint;
pub mod import;
pub mod keygen;
pub mod lean;
pub mod matrix;
pub mod params;
pub mod plan;
pub mod products;
pub mod quick;
pub mod recheck;
pub mod round;
pub mod rows;
pub mod sample;
pub mod sign;
pub mod store;
pub mod trace;
pub mod transforms;
pub mod verify;

#[cfg(test)]
mod tests;
