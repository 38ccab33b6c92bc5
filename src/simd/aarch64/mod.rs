//! AArch64: NEON, which all AArch64 CPUs support, and the SHA-3 instructions, which some CPUs
//! support.
//!
//! - `neon`: 128-bit vectors
//! - `sha3`: Keccak with the SHA-3 instructions
//! - `detect`: detects the SHA-3 instructions

pub mod detect;
mod neon;
mod sha3;

pub use neon::Neon;
pub use sha3::NeonSha3;
