//! One lane, binary64 in integers: for a CPU without a strict floating-point unit, and for whoever
//! does not trust the one there is.

use super::{Lanes64, NoLanes, Sealed, Simd, SoftF64, Word};

/// Any CPU will do.
#[derive(Clone, Copy, Debug)]
pub struct Emulated;

impl Sealed for Emulated {}

impl Simd for Emulated {
    const NAME: &'static str = "emulated";
    const LANES_U16: usize = 1;
    const LANES_F64: usize = 1;
    type U16 = u16;
    type Real = SoftF64;
    type F64 = SoftF64;
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

impl Lanes64 for Emulated {
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

impl super::Residues for Emulated {
    super::residues::one_lane_u32!();
}

impl super::Fixed for Emulated {
    super::fixed::one_lane_i64!();
}
