//! Lanes of 64-bit words: the states of Keccak, each in a lane of its own.

use crate::simd::Sealed;
#[cfg(all(feature = "armv7e-m", target_arch = "arm", target_os = "none"))]
use crate::simd::armv7e_m::keccak;
#[cfg(all(target_arch = "riscv64", not(target_feature = "zbb")))]
use crate::simd::riscv64::keccak;

/// Bitwise operations on vectors of words of 64 bits. A value is the proof of its instruction set.
pub trait U64s: Sealed + Copy {
    /// Lanes of a `U64` vector, that is states at once: a power of two, at most eight.
    const LANES_U64: usize;
    /// Whether [`U64s::xor3_u64`] is one operation.
    const HAS_XOR3: bool;
    /// Whether `!b & c` is two operations, so that it pays to keep some words of a state inverted.
    const INVERTS: bool;
    /// A vector of 64-bit words.
    type U64: Copy;

    /// The first `LANES_U64` values of `src`.
    fn load_u64(self, src: &[u64]) -> Self::U64;
    /// Writes the lanes to the front of `dst`.
    fn store_u64(self, v: Self::U64, dst: &mut [u64]);
    /// `x` in every lane.
    fn splat_u64(self, x: u64) -> Self::U64;
    /// `a ^ b`.
    fn xor_u64(self, a: Self::U64, b: Self::U64) -> Self::U64;
    /// `a ^ b ^ c`.
    fn xor3_u64(self, a: Self::U64, b: Self::U64, c: Self::U64) -> Self::U64;
    /// Each word turned to the left by `by` bits. Range: `by < 64`, known when it is compiled.
    fn rotate_u64(self, a: Self::U64, by: u32) -> Self::U64;
    /// Whether [`U64s::rax1_u64`] and [`U64s::xar_u64`] are one operation each.
    const HAS_XAR: bool = false;
    /// `a ^ b`, with `b` turned to the left by one bit.
    #[inline(always)]
    fn rax1_u64(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        self.xor_u64(a, self.rotate_u64(b, 1))
    }
    /// `a ^ b`, each word turned to the left by `by` bits. Range: `by < 64`, known when it is compiled.
    #[inline(always)]
    fn xar_u64(self, a: Self::U64, b: Self::U64, by: u32) -> Self::U64 {
        self.rotate_u64(self.xor_u64(a, b), by)
    }
    /// Does the rounds of Keccak with these constants, on one state, where a level of one lane has them as a whole; if not,
    /// nothing is done, and the result tells.
    #[inline(always)]
    fn keccak_rounds(self, _state: &mut [u64; 25], _constants: &[u64]) -> bool {
        false
    }
    /// `a ^ (!b & c)`. Where [`U64s::INVERTS`], `inverted` tells which of `a`, `b`, `c` and the result stand inverted.
    fn chi_u64(self, a: Self::U64, b: Self::U64, c: Self::U64, inverted: [bool; 4]) -> Self::U64;
}

/// The operations of [`U64s`] on one lane but for [`U64s::chi_u64`].
macro_rules! one_lane_u64 {
    () => {
        const LANES_U64: usize = 1;
        const HAS_XOR3: bool = false;
        type U64 = u64;
        #[inline(always)]
        fn load_u64(self, src: &[u64]) -> u64 {
            src[0]
        }
        #[inline(always)]
        fn store_u64(self, v: u64, dst: &mut [u64]) {
            dst[0] = v;
        }
        #[inline(always)]
        fn splat_u64(self, x: u64) -> u64 {
            x
        }
        #[inline(always)]
        fn xor_u64(self, a: u64, b: u64) -> u64 {
            a ^ b
        }
        #[inline(always)]
        fn xor3_u64(self, a: u64, b: u64, c: u64) -> u64 {
            a ^ b ^ c
        }
        #[inline(always)]
        fn rotate_u64(self, a: u64, by: u32) -> u64 {
            a.rotate_left(by)
        }
    };
}
pub(in crate::simd) use one_lane_u64;

/// One word in a register of 64 bits, for any CPU.
#[derive(Clone, Copy, Debug)]
pub struct Word;

impl Sealed for Word {}

impl U64s for Word {
    const INVERTS: bool = true;
    one_lane_u64!();
    #[cfg(any(
        all(target_arch = "riscv64", not(target_feature = "zbb")),
        all(feature = "armv7e-m", target_arch = "arm", target_os = "none")
    ))]
    #[inline(always)]
    fn keccak_rounds(self, state: &mut [u64; 25], constants: &[u64]) -> bool {
        let constants = constants.as_ptr_range();
        // Miri interprets no assembly.
        if constants.is_empty() || cfg!(miri) {
            return false;
        }
        // SAFETY: the instructions are those of every processor of the target, or of the feature; there is a constant, and its range
        // is that of a slice.
        unsafe { keccak::rounds(state.as_mut_ptr(), constants.start, constants.end) };
        true
    }
    #[inline(always)]
    fn chi_u64(self, a: u64, b: u64, c: u64, [ia, ib, ic, io]: [bool; 4]) -> u64 {
        match (ib, ic, ia != io) {
            (false, false, false) => a ^ (!b & c),
            (false, false, true) => a ^ (b | !c),
            (true, true, false) => a ^ (b & !c),
            (true, true, true) => a ^ (!b | c),
            (true, false, false) => a ^ (b & c),
            (true, false, true) => !a ^ (b & c),
            (false, true, false) => !a ^ (b | c),
            (false, true, true) => a ^ (b | c),
        }
    }
}
