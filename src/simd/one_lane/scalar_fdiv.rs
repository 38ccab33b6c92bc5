//! A level with a single lane that computes with binary64 numbers in hardware, including quotients
//! and square roots. It is for users who know that their processor takes the same time for all
//! values, or that nobody can measure the time. A program cannot detect these properties. So this
//! level is never the default (see `simd/level.rs`). On 32-bit ARM, only this level uses the
//! floating-point unit. On RISC-V, square roots are computed with integers if the feature `std` is
//! disabled.

use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{Emulated, F64s, Frame, I64s, RealRows, Sealed, Simd, U16s, U32s};

/// The proof that this CPU supports IEEE-754 binary64 in hardware.
#[allow(dead_code, reason = "`level` decides which targets have it")]
#[derive(Clone, Copy, Debug)]
pub struct ScalarFdiv(());

impl ScalarFdiv {
    /// Returns the proof. The module `level` only offers this on targets where `f64` operations are
    /// rounded to binary64 in hardware.
    #[allow(dead_code, reason = "`level` decides which targets have it")]
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

impl Sealed for ScalarFdiv {}

impl Frame for ScalarFdiv {}

impl Simd for ScalarFdiv {
    const NAME: &'static str = "scalar-fdiv";
    // The ARM processors with this level have little RAM or few registers.
    const SHALLOW: bool = cfg!(target_arch = "arm");
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

    // `core` does not have a square root. If the compiler does not know that the processor has
    // binary64 in hardware, it rejects the operand of the instruction. So a build with `--cfg
    // fndsa_fp64` fails instead of computing with library calls, whose time depends on the values.
    #[cfg(all(
        target_arch = "arm",
        target_abi = "eabihf",
        any(fndsa_fp64, not(any(target_os = "none", target_os = "nuttx"))),
    ))]
    #[inline(always)]
    fn root(self, x: f64) -> f64 {
        let mut root = x;
        // SAFETY: the proof ensures that the processor has the instruction, which changes only the
        // register of `root` and exception flags.
        unsafe {
            core::arch::asm!(
                "vsqrt.f64 {0}, {0}",
                inout(dreg_low16) root,
                options(pure, nomem, nostack),
            );
        }
        root
    }
}
