//! One lane, binary64 in hardware. The definition of what every other level must compute.

use super::{Sealed, Simd};

/// The proof that this CPU has IEEE-754 binary64 in hardware.
#[derive(Clone, Copy, Debug)]
pub struct Scalar(());

impl Scalar {
    /// Present where the target's `f64` rounds each operation to binary64. Not on x86 without
    /// SSE2 (x87 keeps more bits) and not where `f64` is a library call (its time depends on the
    /// values).
    pub const fn detect() -> Option<Self> {
        let hard = cfg!(any(
            target_arch = "x86_64",
            all(target_arch = "x86", target_feature = "sse2"),
            target_arch = "aarch64",
            all(target_arch = "riscv64", target_feature = "d"),
            target_arch = "wasm32",
            target_arch = "powerpc64",
            target_arch = "s390x",
            target_arch = "loongarch64",
        ));
        if hard { Some(Self(())) } else { None }
    }
}

impl Sealed for Scalar {}

impl Simd for Scalar {
    const NAME: &'static str = "scalar";
    const LANES_U16: usize = 1;
    const LANES_F64: usize = 1;
    type U16 = u16;
    type Real = f64;
    type F64 = f64;

    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
    super::one_lane_u16!();
    super::one_lane_f64!();
}
