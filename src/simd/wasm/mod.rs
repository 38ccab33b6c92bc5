//! WebAssembly. It is known at build time if a module uses the vector instructions. An engine that
//! does not support them rejects the module.
//!
//! - `simd128`: 128-bit vectors

mod simd128;

pub use simd128::Simd128;
