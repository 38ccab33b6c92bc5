//! A level with a single lane that needs little code and stack, for the verification in boot
//! loaders. A boot loader selects this level by type, without detection.

use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{F64s, Frame, I64s, RealRows, Sealed, Simd, SoftF64, U16s, U32s};

/// The proof for this level. Any CPU supports the level, because it uses only integer instructions.
/// [`Level`](crate::simd::Level) does not contain this type, so that a program that selects a level
/// at run time does not contain code for this level.
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
    // The assembly for rows (whole arrays) is faster, but needs more code.
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
