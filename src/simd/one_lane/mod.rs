//! The levels with a single lane, which do not need vectors.
//!
//! - `scalar`: binary64 by the hardware
//! - `emulated`: binary64 with integers, without floating-point hardware
//! - `compact`: with little code, for boot loaders

mod compact;
mod emulated;
mod scalar;

pub use compact::Compact;
pub use emulated::Emulated;
pub use scalar::Scalar;
