//! WebAssembly. Whether a module uses the vector instructions is known when it is built. A
//! WebAssembly engine that does not support them rejects the module.
//!
//! - `simd128`: 128-bit vectors

mod simd128;

pub use simd128::Simd128;
