//! FN-DSA, Falcon and related schemes.
//!
//! A file can use only files that are earlier in this list. The numbers are sections in
//! `docs/scheme.md`.
//!
//! - `params`: all numbers that a standard defines (2.1)
//! - `scheme`: the schemes: encodings, bounds, hashing (2 to 6)
//! - `modq`: arithmetic and NTT modulo q = 12289 (2.1)
//! - `roots`: roots of unity for the transforms over real numbers (2.1)
//! - `complex`: vectors of complex values (2.6)
//! - `fft`: the transform for binary64 polynomials, split and merge (2.6)
//! - `codec`: keys, signature coefficients, bit fields (2.3, 4.2)
//! - `coefficient_scanner`: reads compressed coefficients with vector instructions (2.3.3, 4.3)
//! - `signature`: encodes and decodes signatures (2.3.3, 4.3)
//! - `point`: hashes a message to a point, the polynomial c that is signed (2.2, 4.4, 5)
//! - `public_key`: encodes and hashes public keys (2.3)
//! - `sampler`: draws integers with a discrete Gaussian distribution, `sampler_z` (2.6.6)
//! - `tree`: Gram matrix, LDL decomposition, `ff_sampling` (2.6.2 to 2.6.5)
//! - `ntru`: solves the NTRU equation, `ntru_solve` (2.4.4, 2.4.5)
//! - `ortho`: checks the orthogonalized vector's norm (2.4.3)
//! - `keygen`: key generation (2.4)
//! - `import`: encoded key pairs: encodes the pairs that `keygen` finds, checks external private
//!   keys in full, and converts private keys between schemes (2.3.4, 4.2)
//! - `verify`: verification (2.7, 4.6)
//! - `verify_batch`: verifies several signatures together (2.7, 4.6)
//! - `sign`: signing (2.5, 4.5)
//! - `tree_check`: compares a tree with the Gram matrix from which it was computed (2.6.4)
//! - `integrity`: detects damaged tables and expanded keys in memory
//! - `expanded`: private keys that are prepared for many signatures (2.6.4)
//! - `basis`: private keys with stored transforms for f, g, F and G, for example in flash memory
//!   (2.6.2 to 2.6.5)
//! - `sign_batch`: signs up to eight messages at a time, in vector lanes (2.5)

#[cfg(feature = "sign")]
pub mod basis;
pub mod codec;
pub mod coefficient_scanner;
#[cfg(feature = "sign")]
mod complex;
#[cfg(feature = "sign")]
pub mod expanded;
#[cfg(feature = "sign")]
pub mod fft;
#[cfg(feature = "sign")]
pub mod import;
#[cfg(feature = "sign")]
pub mod integrity;
#[cfg(feature = "sign")]
pub mod keygen;
pub mod modq;
#[cfg(feature = "sign")]
pub mod ntru;
#[cfg(feature = "sign")]
pub mod ortho;
pub mod params;
pub mod point;
pub mod public_key;
#[cfg(feature = "sign")]
pub mod roots;
#[cfg(feature = "sign")]
pub mod sampler;
pub mod scheme;
#[cfg(feature = "sign")]
pub mod sign;
#[cfg(all(feature = "alloc", feature = "sign"))]
pub mod sign_batch;
pub mod signature;
#[cfg(feature = "sign")]
pub mod tree;
#[cfg(feature = "sign")]
mod tree_check;
pub mod verify;
#[cfg(feature = "alloc")]
pub mod verify_batch;

#[cfg(test)]
mod tests;
