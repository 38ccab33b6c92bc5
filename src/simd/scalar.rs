//! One lane, binary64 in hardware. The definition of what every other level must compute.

use super::{Lanes64, NoLanes, Sealed, Simd, Word};

/// The proof that this CPU has IEEE-754 binary64 in hardware.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "`level` decides which targets have it"))]
#[derive(Clone, Copy, Debug)]
pub struct Scalar(());

impl Scalar {
    /// Where a vector instruction set was proved.
    #[cfg(target_arch = "x86_64")]
    pub(super) const IMPLIED: Self = Self(());

    /// `level` offers this level only on targets whose `f64` rounds each operation to binary64 in
    /// hardware.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
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
    type Half = Self;
    type Lanes32 = NoLanes;

    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
    #[inline(always)]
    fn half(self) -> Self {
        self
    }
    #[inline(always)]
    fn lanes32(self) -> Option<NoLanes> {
        None
    }
    super::one_lane_u16!();
    super::one_lane_f64!();
}

impl Lanes64 for Scalar {
    type One = Word;
    type Two = Word;
    type Many = Word;
    #[inline(always)]
    fn two(self) -> Word {
        Word
    }
    #[inline(always)]
    fn one(self) -> Word {
        Word
    }
    #[inline(always)]
    fn many(self) -> Word {
        Word
    }
}

impl super::Residues for Scalar {
    super::residues::one_lane_u32!();
}

impl super::Fixed for Scalar {
    super::fixed::one_lane_i64!();
}
