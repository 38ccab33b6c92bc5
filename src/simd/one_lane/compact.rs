//! A level with a single lane, small code and a small stack, for the algorithm in a boot loader.
//! The boot loader selects this level by its type, without detection.

use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{F64s, Frame, I64s, RealRows, Sealed, Simd, SoftF64, U16s, U32s};

/// The proof for this level. Every CPU has integer instructions, so the level needs no detection.
/// This type is not in [`Level`](crate::simd::Level), so code that selects a level at run time is
/// not compiled for it.
#[derive(Clone, Copy, Debug)]
pub struct Compact;

impl Sealed for Compact {}

impl Frame for Compact {}

impl Simd for Compact {
    const NAME: &'static str = "compact";
    const COMPACT: bool = true;
    one_lane_level!(Compact, Compact);
}

impl U16s for Compact {
    one_lane_u16!();
}

impl U32s for Compact {
    // Leave out the rows in assembly, which are faster but need more code.
    one_lane_u32!(without rows);
}

impl I64s for Compact {
    one_lane_i64!();
}

impl RealRows for Compact {
    one_lane_rows!(SoftF64);
}

impl F64s for Compact {
    one_lane_f64!();
}
