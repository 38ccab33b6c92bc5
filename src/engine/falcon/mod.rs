//! FN-DSA, Falcon, and what is like them.
//!
//! Imports go down this list and never up:
//!
//! | module | what | specification |
//! |---|---|---|
//! | `params` | every number a standard fixes | 2.1 |
//! | `scheme` | the schemes: encodings, bounds, hashing | 2 to 6 |
//! | `modq` | arithmetic and NTT modulo q = 12289 | 2.1 |
//! | `roots` | roots of unity for both transforms over the reals | 2.1 |
//! | `fft` | the transform of binary64 polynomials, split and merge | 2.6 |
//! | `codec` | keys, coefficients of signatures, fields of bits | 2.3, 4.2 |
//! | `windows` | compressed coefficients in vectors | 2.3.3, 4.3 |
//! | `signature` | signatures in their encodings | 2.3.3, 4.3 |
//! | `point` | hash to point | 2.2, 4.4, 5 |
//! | `sampler` | `sampler_z` and what it needs | 2.6.6 |
//! | `tree` | Gram, LDL, `ff_sampling` | 2.6.2 to 2.6.5 |
//! | `ntru` | `ntru_solve` | 2.4.4, 2.4.5 |
//! | `ortho` | the norm of the orthogonalized vector | 2.4.3 |
//! | `keygen`, `import`, `verify`, `sign` | the operations | 2.4, 2.3.4, 2.7, 2.5; 4.5, 4.2, 4.6 |
//! | `sign_batch` | up to eight signatures at once, in lanes | 2.5 |
//! | `tree_check` | whether a tree is the one of its Gram matrix | 2.6.4 |
//! | `integrity` | whether tables and expanded keys in memory are damaged | none |
//! | `expanded` | the private key prepared for many signatures | 2.6.4 |
//! | `basis` | signing with a basis that stays in read-only memory | 2.6.2 to 2.6.5 |
//!
//! Section numbers are those of `docs/scheme.md`.

pub mod basis;
pub mod codec;
pub mod expanded;
pub mod fft;
pub mod import;
pub mod integrity;
pub mod keygen;
pub mod modq;
pub mod ntru;
pub mod ortho;
pub mod params;
pub mod point;
pub mod roots;
pub mod sampler;
pub mod scheme;
pub mod sign;
#[cfg(feature = "alloc")]
pub mod sign_batch;
pub mod signature;
pub mod tree;
mod tree_check;
pub mod verify;
#[cfg(feature = "alloc")]
pub mod verify_batch;
pub mod windows;

#[cfg(test)]
mod tests;
