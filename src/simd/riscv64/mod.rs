//! RISC-V of 64 bits: the vector extension. Stable Rust has no type for vectors whose length is known when the program
//! runs, so a level has one lane, and whole rows in assembly.

mod detect;
mod fourier;
mod ring;
mod rvv;

pub use rvv::Rvv;
