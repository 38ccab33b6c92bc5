//! AArch64: NEON, which every such CPU has, and its instructions for SHA-3, which some have.
//!
//! - `neon`: 128-bit vectors
//! - `sha3`: Keccak with the SHA-3 instructions
//! - `detect`: detects the SHA-3 instructions

pub mod detect;
mod neon;
mod sha3;

pub use neon::Neon;
pub use sha3::NeonSha3;
