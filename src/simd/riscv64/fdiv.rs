//! One lane, with division and square root of binary64 by hardware: for who knows that this processor takes the same time
//! for all values. Nothing tells a program, so this level is never chosen, only asked for.

use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{Emulated, F64s, Frame, I64s, RealRows, Sealed, Simd, U16s, U32s};

/// The proof that this CPU has IEEE-754 binary64 in hardware.
#[derive(Clone, Copy, Debug)]
pub struct ScalarFdiv(());

impl ScalarFdiv {
    /// The proof. `level` offers it where it offers `Scalar`.
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

impl Sealed for ScalarFdiv {}

impl Frame for ScalarFdiv {}

impl Simd for ScalarFdiv {
    const NAME: &'static str = "scalar-fdiv";
    one_lane_level!(Emulated, Emulated);
}

impl U16s for ScalarFdiv {
    one_lane_u16!();
}

impl U32s for ScalarFdiv {
    one_lane_u32!();
}

impl I64s for ScalarFdiv {
    one_lane_i64!();
}

impl RealRows for ScalarFdiv {
    one_lane_rows!(f64);
}

impl F64s for ScalarFdiv {
    one_lane_f64!();
}
