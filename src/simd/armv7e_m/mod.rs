//! Assembly for ARMv7E-M (Cortex-M4, Cortex-M7), and for ARMv8-M with the DSP instructions
//! (Cortex-M33), if the feature `armv7e-m` is enabled and the target can have these instructions
//! (build.rs). It contains the operations that take the most time in a signature or a verification.
//! There is no separate level for this, because the results are the same as in compiled code: the
//! single-lane levels `emulated` and `compact` use these functions.
//!
//! - `real`: sums, products and conversions for binary64 numbers
//! - `keccak`: the Keccak rounds, in place
//! - `ring`: rows modulo q = 12289: transform layers, and products
//! - `short`: rows modulo q = 8380417: transforms, and products
//!
//! Branches only depend on row lengths and on the number of rounds. Addresses only depend on these
//! numbers and on a counter. The instruction times do not depend on values. On these processors,
//! the following instructions take one cycle for all values (Cortex-M4 Technical Reference Manual,
//! 3.3): sums, logic, shifts by registers, `clz`, `sel`, `usat`, sums for two 16-bit numbers in a
//! word (`uadd16`, `usub16`, `ssub16`, `sadd16`, `usax`), `pkhbt`, `pkhtb`, and products such as
//! `smulbb`, `smulwb`, `smlabb`, `mul`, `mla`, `umull`, `umlal`, `umaal`, `smull` and `smlal`. On a
//! Cortex-M3, this is not true for long products, and the other instructions do not exist. So the
//! feature cannot be used for a Cortex-M3.

/// Returns the directive that enables the DSP instructions in the assembler. For ARMv8-M, the
/// compiler does not enable them by itself, because they are optional. Each function begins with
/// this line.
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

/// Joins assembly lines.
macro_rules! lines {
    ($($line:expr),+ $(,)?) => { concat!($($line, "\n"),+) };
}

pub mod keccak;
pub mod real;
pub mod ring;
pub mod short;
