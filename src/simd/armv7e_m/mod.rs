//! Assembly for ARMv7E-M (Cortex-M4, Cortex-M7), and for ARMv8-M with the DSP instructions
//! (Cortex-M33). It is used if the feature `armv7e-m` is enabled, and build.rs finds that the
//! target can have these instructions. The assembly contains the operations that take the most time
//! in a signature or a verification. Signatures and verdicts are the same as with compiled code, so
//! there is no separate level. The single-lane level `emulated` uses all these functions. The level
//! `compact` uses only `real`, `keccak` and `memory`.
//!
//! - `real`: sums, products and conversions for binary64 numbers
//! - `complex`: operations on rows (whole arrays) of complex binary64 numbers
//! - `keccak`: the Keccak rounds, in place
//! - `sampler`: integer computations of the Gaussian sampler in FN-DSA
//! - `ring`: transform layers and products for rows modulo q = 12289
//! - `short`: transforms and products for rows modulo q = 8380417
//! - `fold`: residues of packed polynomials modulo q = 8380417
//! - `sampled`: rejection sampling modulo q = 8380417. The code stores the residues, or multiplies
//!   each residue by a factor and adds the product to a sum
//! - `sparse`: products with the challenge of ML-DSA
//! - `rounding`: high and low parts of numbers modulo q = 8380417
//! - `memory`: fills memory with zeros
//!
//! Branches and `it` blocks depend only on these public values:
//!
//! - row lengths, the number of rounds, and the block length of Keccak
//! - in `sampled`, the candidates
//! - in `sparse`, how many coefficients of the challenge are 1, and how many are -1
//!
//! Addresses depend only on these public values:
//!
//! - the addresses and lengths of rows, and counters
//! - in `sampled`, the candidates
//! - in `sparse`, the places of nonzero coefficients
//!
//! The instruction times do not depend on values. On the Cortex-M4, the following instructions take
//! one cycle for all values (Cortex-M4 Technical Reference Manual, 3.3):
//!
//! - moves, sums, logic, shifts by registers, `clz`, `sel` and `usat`
//! - sums for two 16-bit numbers in a word: `uadd16`, `usub16`, `ssub16`, `sadd16` and `usax`
//! - sums for four bytes in a word: `uadd8` and `usub8`
//! - sums with a part of a word: `sxtab`, `sxtah` and `uxtah`
//! - reading or replacing a part of a word: `ubfx`, `sbfx`, `uxth`, `bfi`, `bfc`, `pkhbt` and
//!   `pkhtb`
//! - products such as `smulbb`, `smulwb`, `smlabb`, `mul`, `mla`, `mls`, `umull`, `umlal`, `umaal`,
//!   `smull` and `smlal`
//!
//! Arm does not publish the times of a Cortex-M7 and a Cortex-M33. The feature cannot be used for a
//! Cortex-M3: its 64-bit products take a time that depends on the values, and it does not have the
//! DSP instructions.

/// Returns the directive that enables the DSP instructions in the assembler. These instructions are
/// optional in ARMv8-M, so the compiler does not enable them by itself. Each assembly function must
/// begin with this directive.
#[cfg(not(fndsa_armv8_m))]
macro_rules! cpu_directive {
    () => {
        ""
    };
}
#[cfg(fndsa_armv8_m)]
macro_rules! cpu_directive {
    () => {
        ".cpu cortex-m33"
    };
}

/// Joins assembly lines to a string.
macro_rules! lines {
    ($($line:expr),+ $(,)?) => { concat!($($line, "\n"),+) };
}

/// The modulus in `short`, `fold`, `sampled` and `rounding`.
pub const Q: u32 = 8_380_417;
/// `-1/q mod 2^32`.
pub const Q_INV: u32 = 4_236_238_847;
const _: () = assert!(Q.wrapping_mul(Q_INV) == u32::MAX);
/// The number of coefficients in a polynomial modulo q.
pub const DEGREE: usize = 256;

pub mod complex;
pub mod keccak;
pub mod real;
pub mod ring;
pub mod sampler;
#[macro_use]
pub mod short;
pub mod fold;
pub mod memory;
pub mod rounding;
pub mod sampled;
pub mod sparse;
