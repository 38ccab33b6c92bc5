//! NEON with the SHA-3 instructions: four instructions for the Keccak steps theta, rho and chi.

#![allow(
    inline_always_mismatching_target_features,
    reason = "operations are inlined into frames, where the instructions are enabled; tests/machines checks the machine code"
)]

use super::detect;
use super::neon::{KeccakSet, WithNeon};
use crate::simd::vectors::{intrinsics, memory, with_const};
use crate::simd::{Sealed, U64s};
use core::arch::aarch64::*;

/// The level that uses NEON, and computes Keccak with the SHA-3 instructions.
pub type NeonSha3 = WithNeon<Sha3Instructions>;

impl NeonSha3 {
    /// Returns the proof if this CPU supports the SHA-3 instructions.
    pub fn detect() -> Option<Self> {
        Sha3Instructions::detect().map(Self)
    }
}

/// The proof that this CPU supports EOR3, RAX1, XAR and BCAX.
#[derive(Clone, Copy, Debug)]
pub struct Sha3Instructions(());

impl Sha3Instructions {
    /// Returns the proof if this CPU supports the instructions.
    pub fn detect() -> Option<Self> {
        detect::has_sha3().then_some(Self(()))
    }
}

impl KeccakSet for Sha3Instructions {
    const LEVEL: &'static str = "neon-sha3";
    type One = LowLane;
    type Two = BothLanes;
    type Many = BothLanes;
    #[inline(always)]
    fn one(self) -> LowLane {
        LowLane(())
    }
    #[inline(always)]
    fn two(self) -> BothLanes {
        BothLanes(())
    }
    #[inline(always)]
    fn many(self) -> BothLanes {
        BothLanes(())
    }
    #[inline(always)]
    fn with_instructions<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "sha3")]
        fn frame<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: `self` proves that the CPU supports the instructions.
        unsafe { frame(f) }
    }
}

/// Defines the operations of [`U64s`] for a vector with two words.
macro_rules! sha3 {
    () => {
        const HAS_XAR: bool = true;
        const STORES_INVERTED_WORDS: bool = false;
        type U64 = uint64x2_t;
        intrinsics! {
            fn splat_u64(x: u64) -> uint64x2_t = vdupq_n_u64(x);
            fn xor_u64(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t = veorq_u64(a, b);
            fn xor3_u64(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t = veor3q_u64(a, b, c);
            fn rotate_u64(a: uint64x2_t, by: u32) -> uint64x2_t =
                with_const!(by, N => vxarq_u64::<{ 64 - N }>(a, vdupq_n_u64(0)), a);
            fn rax1_u64(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t = vrax1q_u64(a, b);
            fn xar_u64(a: uint64x2_t, b: uint64x2_t, by: u32) -> uint64x2_t =
                with_const!(by, N => vxarq_u64::<{ 64 - N }>(a, b), veorq_u64(a, b));
            fn chi_u64(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t, _inverted: [bool; 4]) -> uint64x2_t =
                vbcaxq_u64(a, c, b);
        }
    };
}

/// A single word, in a vector's low half. The high half is not used.
#[derive(Clone, Copy, Debug)]
pub struct LowLane(());

impl Sealed for LowLane {}

impl U64s for LowLane {
    const LANES_U64: usize = 1;
    sha3!();
    #[inline(always)]
    fn load_u64(self, src: &[u64]) -> uint64x2_t {
        let src = &src[..1];
        // SAFETY: `self` proves NEON; the slice contains the word.
        unsafe { vcombine_u64(vld1_u64(src.as_ptr()), vcreate_u64(0)) }
    }
    #[inline(always)]
    fn store_u64(self, v: uint64x2_t, dst: &mut [u64]) {
        let dst = &mut dst[..1];
        // SAFETY: `self` proves NEON; the word fits in the slice.
        unsafe { vst1_u64(dst.as_mut_ptr(), vget_low_u64(v)) }
    }
}

/// Two words in a vector.
#[derive(Clone, Copy, Debug)]
pub struct BothLanes(());

impl Sealed for BothLanes {}

impl U64s for BothLanes {
    const LANES_U64: usize = 2;
    sha3!();
    memory!(load_u64, store_u64, u64, 2, uint64x2_t, vld1q_u64, vst1q_u64);
}
