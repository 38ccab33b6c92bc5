//! Vectors of 64-bit lanes: what Keccak works on, one state or many at a time.

use super::Sealed;

/// Bitwise operations on vectors of [`Bits64::LANES`] lanes of 64 bits. A value is the proof of its instruction set.
pub trait Bits64: Sealed + Copy {
    /// Lanes of a vector.
    const LANES: usize;
    /// [`Bits64::xor3`] is one operation.
    const HAS_XOR3: bool;
    /// `!b & c` is two operations, so that it pays to keep some lanes inverted.
    const INVERTS: bool;
    /// A vector.
    type V: Copy;

    /// The first lanes of `src`.
    fn load(self, src: &[u64]) -> Self::V;
    /// Writes the lanes to the front of `dst`.
    fn store(self, v: Self::V, dst: &mut [u64]);
    /// `x` in every lane.
    fn splat(self, x: u64) -> Self::V;
    /// `a ^ b`.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a ^ b ^ c`.
    fn xor3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Each lane turned to the left. Range: `by < 64`, known when it is compiled.
    fn rotate(self, a: Self::V, by: u32) -> Self::V;
    /// `a ^ (!b & c)`. Where [`Bits64::INVERTS`], `inverted` tells which of a, b, c and the result stand inverted.
    fn chi(self, a: Self::V, b: Self::V, c: Self::V, inverted: [bool; 4]) -> Self::V;
}

/// A level's vectors of 64-bit lanes.
pub trait Lanes64: Sealed + Copy {
    /// The best for one state: one lane, or what else is in the vector is of no use.
    type One: Bits64;
    /// Two lanes where a second state costs nothing beside the first, else one.
    type Two: Bits64;
    /// The best for many states. Its lanes divide eight.
    type Many: Bits64;
    /// The proof for [`Lanes64::One`].
    fn one(self) -> Self::One;
    /// The proof for [`Lanes64::Two`].
    fn two(self) -> Self::Two;
    /// The proof for [`Lanes64::Many`].
    fn many(self) -> Self::Many;
}

/// The operations of one 64-bit word but for [`Bits64::chi`].
macro_rules! one_word {
    () => {
        const LANES: usize = 1;
        const HAS_XOR3: bool = false;
        type V = u64;
        #[inline(always)]
        fn load(self, src: &[u64]) -> u64 {
            src[0]
        }
        #[inline(always)]
        fn store(self, v: u64, dst: &mut [u64]) {
            dst[0] = v;
        }
        #[inline(always)]
        fn splat(self, x: u64) -> u64 {
            x
        }
        #[inline(always)]
        fn xor(self, a: u64, b: u64) -> u64 {
            a ^ b
        }
        #[inline(always)]
        fn xor3(self, a: u64, b: u64, c: u64) -> u64 {
            a ^ b ^ c
        }
        #[inline(always)]
        fn rotate(self, a: u64, by: u32) -> u64 {
            a.rotate_left(by)
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use one_word;

/// One word, for any CPU.
#[derive(Clone, Copy, Debug)]
pub struct Word;

impl Sealed for Word {}

impl Bits64 for Word {
    const INVERTS: bool = true;
    one_word!();
    #[inline(always)]
    fn chi(self, a: u64, b: u64, c: u64, [ia, ib, ic, io]: [bool; 4]) -> u64 {
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
