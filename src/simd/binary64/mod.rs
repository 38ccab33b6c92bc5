//! Binary64 numbers, computed by the hardware or with integers.
//!
//! - `rounding`: rounding to an integer by an addition
//! - `soft`: [`SoftF64`], binary64 with integers only
//! - `real`: [`Real`], a binary64 number, and its rounding rules

mod real;
mod rounding;
#[cfg_attr(all(fndsa_small, target_arch = "wasm32"), allow(dead_code, reason = "the level `emulated` is left out"))]
pub mod soft;

pub use real::{Real, RowValue};
pub use soft::SoftF64;
