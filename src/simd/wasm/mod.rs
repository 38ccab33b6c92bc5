//! WebAssembly. The build decides whether a module uses vector instructions. A WebAssembly engine
//! without these instructions rejects the module.
//!
//! - `simd128`: 128-bit vectors

mod simd128;

pub use simd128::Simd128;
