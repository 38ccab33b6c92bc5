//! ARMv7E-M (Cortex-M4, Cortex-M7, and Cortex-M33 with its DSP instructions), for the feature of that name: what takes most of a
//! signature or a verification, in assembly. There is no level of that name: the results are those of compiled code, so the levels of one
//! lane, `emulated` and `compact`, take these functions where they are.
//!
//! - `real`: sums, products and conversions of binary64 numbers
//! - `keccak`: the rounds of Keccak, in place
//! - `ring`: rows modulo q: layers of the transform, and products
//!
//! No branch depends on anything but the length of a row and the number of rounds, no address on anything but these and a counter, and
//! no instruction takes a time that depends on a value: on these processors sums, logic, shifts by registers, `clz`, `sel`, `usat`, the
//! sums of two numbers of 16 bits in a word (`uadd16`, `usub16`, `ssub16`, `sadd16`, `usax`), `pkhbt`, `pkhtb` and the products
//! `smulbb`, `smulwb`, `smlabb`, `mla`, `umull`, `umlal`, `umaal` and their like take one cycle for all values (Cortex-M4 Technical
//! Reference Manual, 3.3). On a Cortex-M3 long products do not, and it has not the others, so the feature is not for it.

pub mod keccak;
pub mod real;
pub mod ring;
