//! 64-bit RISC-V: Keccak in assembly, and the vector extension. As the length of these vectors is
//! only known at run time, there are no types for them in stable Rust. The level `rvv` uses
//! assembly to process rows (whole arrays of numbers), and a single lane (one number per operation)
//! for all other operations.
//!
//! - `keccak`: Keccak in assembly, with the base instructions
//! - `rvv`: a level with a single lane, and with rows in assembly
//! - `ring`: operations on rows modulo q
//! - `fourier`: operations on rows of binary64 numbers
//! - `detect`: detects the vector extension

#[cfg(not(any(target_os = "none", target_os = "nuttx")))]
mod detect;
#[cfg(not(any(target_os = "none", target_os = "nuttx")))]
mod fourier;
#[cfg(not(target_feature = "zbb"))]
pub mod keccak;
#[cfg(not(any(target_os = "none", target_os = "nuttx")))]
mod ring;
#[cfg(not(any(target_os = "none", target_os = "nuttx")))]
mod rvv;

#[cfg(not(any(target_os = "none", target_os = "nuttx")))]
pub use rvv::{Rvv, RvvFdiv};
