//! AArch64: NEON, which every such CPU has, and its instructions for SHA-3, which some have.

pub mod detect;
mod neon;
mod sha3;

pub use neon::Neon;
pub use sha3::NeonSha3;
