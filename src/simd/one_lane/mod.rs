//! The levels with a single lane, which do not use vectors.
//!
//! - `scalar`: binary64 by the hardware
//! - `scalar_fdiv`: binary64 by the hardware, including divisions and square roots
//! - `emulated`: binary64 with integers, without floating-point hardware
//! - `compact`: with little code, for boot loaders

mod compact;
mod emulated;
mod scalar;
mod scalar_fdiv;

pub use compact::Compact;
pub use emulated::Emulated;
pub use scalar::Scalar;
pub use scalar_fdiv::ScalarFdiv;
