//! The sampler bit for bit, and its distance from the ideal one.
//!
//! | file | what |
//! |---|---|
//! | `exact` | binary64 and `sampler_z` by integers of any length, from the formulas of the specification |
//! | `inner` | x, ccs, dss, the scale, the threshold, the bytes read: the engine against `exact` |
//! | `budget` | what the tables, the polynomial and all rounding cost in security, by exact arithmetic |
//!
//! `../ahead/tests.rs` has the margin of the candidates computed ahead, `../eight.rs` the faster generator.

mod budget;
pub mod exact;
mod inner;
#[path = "../../../../../tests/reference/mod.rs"]
pub mod reference;
