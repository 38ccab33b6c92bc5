//! Tests the sampler bit for bit, and measures how far its distribution is from the ideal
//! distribution.
//!
//! | file | content |
//! |---|---|
//! | `exact` | binary64 and `sampler_z` with long integers, from the specification's formulas |
//! | `inner` | compares x, ccs, dss, scale, threshold and byte count with `exact` |
//! | `budget` | the security cost of tables, polynomial and rounding, in exact arithmetic |
//!
//! `../ahead/tests.rs` tests the margin for candidates that are computed ahead, and `../eight.rs`
//! tests the generator with eight streams.

mod budget;
pub mod exact;
mod inner;
#[path = "../../../../../tests/reference/mod.rs"]
pub mod reference;
