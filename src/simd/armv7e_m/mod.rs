//! Assembly for ARMv7E-M (Cortex-M4, Cortex-M7, and Cortex-M33 with its DSP instructions), if the
//! feature `armv7e-m` is enabled. It contains the operations that take the most time in a signature
//! or a verification. There is no separate level for this, because the results are the same as in
//! compiled code: the single-lane levels `emulated` and `compact` use these functions.
//!
//! - `real`: sums, products and conversions for binary64 numbers
//! - `keccak`: the Keccak rounds, in place
//! - `ring`: rows modulo q: transform layers, and products
//!
//! Branches only depend on row lengths and on the number of rounds. Addresses only depend on these
//! numbers and on a counter. The instruction times do not depend on values. On these processors,
//! the following instructions take one cycle for all values (Cortex-M4 Technical Reference Manual,
//! 3.3): sums, logic, shifts by registers, `clz`, `sel`, `usat`, sums for two 16-bit numbers in a
//! word (`uadd16`, `usub16`, `ssub16`, `sadd16`, `usax`), `pkhbt`, `pkhtb`, and products such as
//! `smulbb`, `smulwb`, `smlabb`, `mla`, `umull`, `umlal` and `umaal`. On a Cortex-M3, this is not
//! true for long products, and the other instructions do not exist. So the feature cannot be used
//! for a Cortex-M3.

pub mod keccak;
pub mod real;
pub mod ring;
