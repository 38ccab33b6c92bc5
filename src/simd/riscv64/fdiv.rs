//! A level with a single lane that computes binary64 quotients and square roots in hardware. It is
//! for users who know that their processor takes the same time for all values. A program cannot
//! detect this property, so fndsa uses this level only on request.

use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{Emulated, F64s, Frame, I64s, RealRows, Sealed, Simd, U16s, U32s};

/// The proof that this CPU supports IEEE-754 binary64 in hardware.
#[derive(Clone, Copy, Debug)]
pub struct ScalarFdiv(());

impl ScalarFdiv {
    /// Returns the proof, without a test of the CPU. The table in `simd/level.rs` contains this
    /// level on the RISC-V targets of the level `Scalar`.
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
