//! A level with a single lane that computes binary64 with integers. It is for CPUs without a
//! floating-point unit that rounds as in IEEE-754, and for users who do not trust this unit.
//! `scalar` also uses this level for code without binary64 ([`Simd::Integers`]).

use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{F64s, Frame, I64s, RealRows, Sealed, Simd, SoftF64, U16s, U32s};
#[cfg(fndsa_armv7e_m)]
use crate::simd::{
    RingRoots, RingRow,
    armv7e_m::complex::{self, LayerDirection},
    armv7e_m::ring,
};

/// The proof that the CPU supports this level. Every CPU has integer instructions, so the level
/// needs no detection.
#[derive(Clone, Copy, Debug)]
pub struct Emulated;

impl Emulated {
    /// Returns the proof. Every CPU supports this level.
    #[allow(dead_code, reason = "`level` decides which targets have it")]
    pub const fn detect() -> Option<Self> {
        Some(Self)
    }
}

impl Sealed for Emulated {}

impl Frame for Emulated {}

impl Simd for Emulated {
    const NAME: &'static str = "emulated";
    const SMALL_STACK: bool = true;
    one_lane_level!(Emulated, Emulated);
}

impl U16s for Emulated {
    one_lane_u16!();

    #[cfg(fndsa_armv7e_m)]
    const HAS_RING_ROWS: bool = true;
    #[cfg(fndsa_armv7e_m)]
    #[inline(always)]
    fn ring_layers<const DISTANCES: usize>(self, a: &mut [u16], distance: usize, roots: &RingRoots<'_>) {
        ring::layers::<DISTANCES>(a, distance, roots);
    }
    #[cfg(fndsa_armv7e_m)]
    #[inline(always)]
    fn ring_row(self, a: &mut [u16], row: RingRow<'_>, q: [u16; 2]) -> bool {
        ring::row(a, row, q)
    }
}

impl U32s for Emulated {
    one_lane_u32!();
}

impl I64s for Emulated {
    one_lane_i64!();
}

impl RealRows for Emulated {
    one_lane_rows!(SoftF64);

    #[cfg(fndsa_armv7e_m)]
    #[inline(always)]
    fn add_sub_f64(self, a: SoftF64, b: SoftF64) -> (SoftF64, SoftF64) {
        a.sum_and_difference(b)
    }
    #[cfg(fndsa_armv7e_m)]
    #[inline(always)]
    fn merge_two_rows(self, quarter: usize, values: [&mut [SoftF64]; 2], roots: [&[u64]; 2]) -> bool {
        complex::two_layers(LayerDirection::Forward, quarter, values, roots);
        true
    }
    #[cfg(fndsa_armv7e_m)]
    #[inline(always)]
    fn split_two_rows(self, quarter: usize, values: [&mut [SoftF64]; 2], roots: [&[u64]; 2]) -> bool {
        complex::two_layers(LayerDirection::Inverse, quarter, values, roots);
        true
    }
    #[cfg(fndsa_armv7e_m)]
    #[inline(always)]
    fn split_row(self, t: &[SoftF64], f: &mut [SoftF64], roots: [&[u64]; 2]) -> bool {
        complex::split_row(t, f, roots);
        true
    }
    #[cfg(fndsa_armv7e_m)]
    #[inline(always)]
    fn merge_row(self, f: &[SoftF64], t: &mut [SoftF64], roots: [&[u64]; 2]) -> bool {
        complex::merge_row(f, t, roots);
        true
    }
    #[cfg(fndsa_armv7e_m)]
    #[inline(always)]
    fn left_targets_row(
        self,
        w: &mut [SoftF64],
        l10: &[SoftF64],
        t0: &[SoftF64],
        t1: &mut [SoftF64],
        roots: [&[u64]; 2],
    ) -> bool {
        complex::left_targets(w, l10, t0, t1, roots);
        true
    }
}

impl F64s for Emulated {
    one_lane_f64!();
}
