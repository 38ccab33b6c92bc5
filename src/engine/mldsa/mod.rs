//! ML-DSA (FIPS 204), as pure functions over slices.
//!
//! A file imports only from files that are earlier in this list. (The lengths in `plan` and
//! `signing_plan` are methods of `params::MlDsaSet`, so earlier files can use them.) The
//! polynomials in y, z and s1 are also called columns, because each of them is multiplied by a
//! column of A. The polynomials in w, t and s2 are also called rows. The numbers in parentheses are
//! the algorithms in FIPS 204. The number-theoretic transform (41, 42) is in
//! `src/engine/primes/short.rs`.
//!
//! - `params`: the numbers in the parameter sets, and all lengths (section 4)
//! - `codec`: packs bit fields, and splits keys and signatures (16 to 19, 22 to 27)
//! - `round`: rounding (35 to 40)
//! - `hint`: the encoding of the hint (20, 21)
//! - `sample`: samples polynomials from seeds (30 to 34)
//! - `expand`: samples eight polynomials at a time (30 to 33)
//! - `masks`: samples y, and computes hashes in the same calls of the permutation (34)
//! - `challenge`: the challenge, and products with the challenge (29)
//! - `matrix`: products with the matrix A, and transforms in parts (41, 42, 44 to 48)
//! - `sums`: sums of products with A, in little memory
//! - `batches`: products with A, which is sampled eight polynomials at a time (41, 42, 44 to 48)
//! - `products`: products of the challenge and polynomials in the private key
//! - `store`: the memory for the rows of w while a signature is computed
//! - `rows`: the rows of t
//! - `keygen`: key generation (6)
//! - `import`: checks an expanded private key (25)
//! - `verify`: verification (8)
//! - `public_transforms`: the transformed public key, and w' (the verifier's w) from its products
//! - `kept_verification`: verification with a public key's transforms, which the caller keeps
//! - `verify_batch`: verifies several signatures together
//! - `trace`: detects faults with checksums of y, and contains hooks for fault tests
//! - `recheck`: verifies a new signature and checks the private key
//! - `transforms`: the transformed private key, for a signature or for many signatures
//! - `low_memory`: attempts at a signature with little memory (7)
//! - `matrix_signer`: attempts at a signature with A, y, z and w in memory (7)
//! - `fast`: attempts at a signature with all values in memory (7)
//! - `plan`: the bytes of work memory that each operation needs, and their contents
//! - `signing_plan`: the lengths of the work memory for a single signature
//! - `sign`: signing (7)
//! - `sign_batch`: signs several messages in lockstep

pub mod batches;
pub mod challenge;
pub mod codec;
pub mod expand;
#[cfg(feature = "sign")]
pub mod fast;
pub mod hint;
#[cfg(feature = "sign")]
pub mod import;
#[cfg(feature = "alloc")]
pub mod kept_verification;
#[cfg(feature = "sign")]
pub mod keygen;
#[cfg(feature = "sign")]
pub mod low_memory;
#[cfg(feature = "sign")]
pub mod masks;
pub mod matrix;
#[cfg(feature = "sign")]
pub mod matrix_signer;
pub mod params;
pub mod plan;
#[cfg(feature = "sign")]
pub mod products;
pub mod public_transforms;
#[cfg(feature = "sign")]
pub mod recheck;
pub mod round;
#[cfg(feature = "sign")]
pub mod rows;
pub mod sample;
#[cfg(feature = "sign")]
pub mod sign;
#[cfg(all(feature = "sign", feature = "alloc"))]
pub mod sign_batch;
#[cfg(feature = "sign")]
mod signing_plan;
#[cfg(feature = "sign")]
pub mod store;
pub mod sums;
#[cfg(feature = "sign")]
pub mod trace;
#[cfg(feature = "sign")]
pub mod transforms;
pub mod verify;
#[cfg(feature = "alloc")]
pub mod verify_batch;

#[cfg(test)]
mod tests;
