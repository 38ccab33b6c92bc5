//! Lanes for 64-bit words: Keccak states, with a lane for each state.

use crate::simd::Sealed;
#[cfg(fndsa_armv7e_m)]
use crate::simd::armv7e_m::keccak;
#[cfg(all(target_arch = "riscv64", not(target_feature = "zbb")))]
use crate::simd::riscv64::keccak;

/// Bitwise operations on vectors with 64-bit words. A value of a type with this trait proves that
/// the CPU supports the instruction set.
pub trait U64s: Sealed + Copy {
    /// The lane count for a `U64` vector, a power of two up to 8. This is also the number of Keccak
    /// states to be computed together.
    const LANES_U64: usize;
    /// True if `!b & c` needs two operations. The engine then stores some words of a Keccak state
    /// inverted, because this avoids most of the inversions.
    const STORES_INVERTED_WORDS: bool;
    /// A vector with 64-bit words.
    type U64: Copy;

    /// Loads the first `LANES_U64` values from `src`.
    fn load_u64(self, src: &[u64]) -> Self::U64;
    /// Stores the lanes at the start of `dst`.
    fn store_u64(self, v: Self::U64, dst: &mut [u64]);
    /// Returns the value `x` in all lanes.
    fn splat_u64(self, x: u64) -> Self::U64;
    /// Returns `a ^ b`.
    fn xor_u64(self, a: Self::U64, b: Self::U64) -> Self::U64;
    /// Returns `a ^ b ^ c`.
    fn xor3_u64(self, a: Self::U64, b: Self::U64, c: Self::U64) -> Self::U64;
    /// Rotates the words to the left by `by` bits. Range: `by < 64`, known at compile time.
    fn rotate_u64(self, a: Self::U64, by: u32) -> Self::U64;
    /// True if [`U64s::rax1_u64`] and [`U64s::xar_u64`] are single operations.
    const HAS_XAR: bool = false;
    /// Returns the XOR of `a` with `b` rotated to the left by one bit.
    #[inline(always)]
    fn rax1_u64(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        self.xor_u64(a, self.rotate_u64(b, 1))
    }
    /// Returns `a ^ b`, rotated to the left by `by` bits. Range: `by < 64`, known at compile time.
    #[inline(always)]
    fn xar_u64(self, a: Self::U64, b: Self::U64, by: u32) -> Self::U64 {
        self.rotate_u64(self.xor_u64(a, b), by)
    }
    /// Computes a Keccak round for each constant, with code that is faster than this trait's
    /// operations, and returns true. If the level does not have such code, returns false and does
    /// not change the state. Only single-lane levels have such code. Range: `block_words` is at
    /// most 21.
    ///
    /// The caller reads and changes only the first `block_words` words. Between two calls with the
    /// same `block_words`, the words from index `block_words` on can be in a form that only this
    /// function reads. Before the first call, they must be 0. The constants are in the form of
    /// [`keccak_constant`].
    #[inline(always)]
    fn keccak_rounds(self, _state: &mut [u64; 25], _constants: &[u64], _block_words: usize) -> bool {
        false
    }
    /// Computes `a ^ (!b & c)`. If [`U64s::STORES_INVERTED_WORDS`] is true, words can be stored
    /// inverted: `inverted` contains a flag for each of `a`, `b`, `c` and the result, in this
    /// order. A flag is true if its word is stored inverted. The function computes with the words
    /// that `a`, `b` and `c` represent, and inverts the result if the last flag is true.
    fn chi_u64(self, a: Self::U64, b: Self::U64, c: Self::U64, inverted: [bool; 4]) -> Self::U64;
}

/// Returns a constant of a Keccak round in the form for [`U64s::keccak_rounds`].
pub const fn keccak_constant(constant: u64) -> u64 {
    #[cfg(fndsa_armv7e_m)]
    let constant = keccak::stored_constant(constant);
    constant
}

/// Implements [`U64s`] for a single lane, except [`U64s::chi_u64`].
macro_rules! one_lane_u64 {
    () => {
        const LANES_U64: usize = 1;
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

/// A single 64-bit word, for any CPU.
#[derive(Clone, Copy, Debug)]
pub struct ScalarWord;

impl Sealed for ScalarWord {}

impl U64s for ScalarWord {
    const STORES_INVERTED_WORDS: bool = true;
    one_lane_u64!();
    #[cfg(any(all(target_arch = "riscv64", not(target_feature = "zbb")), fndsa_armv7e_m))]
    #[cfg_attr(not(fndsa_armv7e_m), expect(unused_variables, reason = "all words have the usual form"))]
    #[inline(always)]
    fn keccak_rounds(self, state: &mut [u64; 25], constants: &[u64], block_words: usize) -> bool {
        let constants = constants.as_ptr_range();
        // Miri does not support assembly.
        if constants.is_empty() || cfg!(miri) {
            return false;
        }
        let end = constants.end;
        #[cfg(fndsa_armv7e_m)]
        let end = keccak::last_constant(end, block_words);
        // SAFETY: all processors of the target, or all processors for which the feature may be
        // enabled, support the instructions. There is at least one constant. `end` is the end of
        // the slice with the constants, or was computed from this end as `keccak::rounds` requires.
        unsafe { keccak::rounds(state.as_mut_ptr(), constants.start, end) };
        true
    }
    #[inline(always)]
    fn chi_u64(self, a: u64, b: u64, c: u64, [ia, ib, ic, io]: [bool; 4]) -> u64 {
        // The flags `ia`, `ib`, `ic` and `io` belong to `a`, `b`, `c` and the result. If `ia` and
        // `io` differ, the expression is inverted.
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
