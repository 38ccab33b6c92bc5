//! The level `scalar`: a single lane, and binary64 in hardware. On RISC-V, this level computes
//! quotients and square roots with integers.

#[cfg(target_arch = "riscv64")]
use crate::simd::binary64::soft;
use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{Emulated, F64s, Frame, I64s, RealRows, Sealed, Simd, U16s, U32s};

/// The proof that this CPU has IEEE-754 binary64 in hardware.
#[allow(dead_code, reason = "`level` decides which targets have it")]
#[derive(Clone, Copy, Debug)]
pub struct Scalar(());

impl Scalar {
    /// The proof as a constant. It is for levels with vectors, because a CPU with vectors also
    /// supports this level, and for a small WebAssembly module that is built without vectors.
    #[allow(dead_code, reason = "only levels with vectors need it")]
    pub(in crate::simd) const IMPLIED: Self = Self(());

    /// Returns the proof. A test of the CPU is not necessary, because the table in `simd/level.rs`
    /// contains this level only for targets on which the hardware rounds `f64` operations to
    /// binary64.
    #[allow(dead_code, reason = "`level` decides which targets have it")]
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

impl Sealed for Scalar {}

impl Frame for Scalar {}

impl Simd for Scalar {
    const NAME: &'static str = "scalar";
    // Code that does not use binary64 runs on `Emulated` (`Simd::Integers`), so that it is compiled
    // once for both levels.
    one_lane_level!(Emulated, Emulated);
}

impl U16s for Scalar {
    one_lane_u16!();
}

impl U32s for Scalar {
    one_lane_u32!();
}

impl I64s for Scalar {
    one_lane_i64!();
}

impl RealRows for Scalar {
    one_lane_rows!(f64);
}

impl F64s for Scalar {
    one_lane_f64!();

    // On some RISC-V processors, the time for a division depends on the values; see `ScalarFdiv`.
    #[cfg(target_arch = "riscv64")]
    #[inline(always)]
    fn quotient(self, a: f64, b: f64) -> f64 {
        soft::quotient(a, b)
    }
    #[cfg(target_arch = "riscv64")]
    #[inline(always)]
    fn root(self, x: f64) -> f64 {
        soft::root(x)
    }
}
