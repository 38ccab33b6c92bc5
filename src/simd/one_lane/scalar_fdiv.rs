//! A level with a single lane that computes binary64 numbers in hardware, including quotients and
//! square roots. You can select this level if you know that these instructions take the same time
//! for all values, or that an attacker cannot measure the time. As a program cannot detect these
//! properties, this level is never the default (see `simd/level.rs`). On 32-bit ARM, this is the
//! only level that uses the floating-point unit. On RISC-V, the level computes square roots with
//! integers if the feature `std` is disabled.

use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{Emulated, F64s, Frame, I64s, RealRows, Sealed, Simd, U16s, U32s};

/// The proof that this CPU supports IEEE-754 binary64 in hardware.
#[allow(dead_code, reason = "`level` decides which targets have it")]
#[derive(Clone, Copy, Debug)]
pub struct ScalarFdiv(());

impl ScalarFdiv {
    /// Returns the proof. A test of the CPU is not necessary, because the table in `simd/level.rs`
    /// contains this level only for targets on which the hardware rounds `f64` operations to
    /// binary64.
    #[allow(dead_code, reason = "`level` decides which targets have it")]
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

impl Sealed for ScalarFdiv {}

impl Frame for ScalarFdiv {}

impl Simd for ScalarFdiv {
    const NAME: &'static str = "scalar-fdiv";
    // On ARM, a small stack is more important than few function calls: the processors that support
    // this level have a small RAM or a small number of registers.
    const SMALL_STACK: bool = cfg!(target_arch = "arm");
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

    // `core` cannot compute square roots, so this function uses an instruction. The compiler
    // rejects the operand if the target is not known to have binary64 in hardware. Therefore, a
    // build for such a target with `--cfg fndsa_fp64` fails. Otherwise, this build would use
    // library calls, which take different times for different values.
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
