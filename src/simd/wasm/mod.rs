//! WebAssembly. A module has the instructions or has them not, which is known when it is built: an engine without them
//! refuses the module.
//!
//! - `simd128`: 128-bit vectors

mod simd128;

pub use simd128::Simd128;
