//! Lanes of binary32 numbers and of integers of their width: the sampler looks at many candidates at once.
//!
//! The numbers here only decide which results are certain; a doubtful one goes to the exact way, so
//! nothing that leaves the library depends on their rounding.

use crate::simd::Plain;

/// Operations on vectors of binary32 numbers and 32-bit integers. A value is the proof of its instruction set;
/// [`Simd::f32s`](crate::simd::Simd::f32s) says whether a level has one.
pub trait F32s: Copy {
    /// Lanes of a vector, a power of two up to 32.
    const LANES_F32: usize;
    /// A vector of 32-bit integers.
    type I32: Copy;
    /// A vector of binary32 numbers.
    type F32: Copy;
    /// An array that levels with vectors want longer: `LARGE` values there, `SMALL` elsewhere.
    type Room<T: Plain, const SMALL: usize, const LARGE: usize>: AsRef<[T]> + AsMut<[T]>;

    /// These lanes in vectors of at most eight, for work beside which other work is to go on: vectors of 512 bits close
    /// one of the ports of the processor to that.
    type Few: F32s;

    /// The proof for [`F32s::Few`].
    fn few(self) -> Self::Few;

    /// A [`F32s::Room`] filled with `value`.
    fn room<T: Plain, const SMALL: usize, const LARGE: usize>(value: T) -> Self::Room<T, SMALL, LARGE>;

    /// Three vectors, of which lane `i` has the bytes of `src` from `11 i`, `11 i + 4` and `11 i + 8` on as
    /// little-endian words. Range: `src` has `11 LANES_F32 + 5` bytes.
    fn words_at_11(self, src: &[u8]) -> [Self::I32; 3];
    /// The largest integer not above `x`, one binary64 number. Range: `|x| < 2^31`.
    fn floor(self, x: f64) -> f64;
    /// `x` in every lane.
    fn splat_i32(self, x: i32) -> Self::I32;
    /// `a + b mod 2^32`.
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a - b mod 2^32`.
    fn sub_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a & b`.
    fn and_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a | b`.
    fn or_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a ^ b`.
    fn xor_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a << N`.
    fn shl_i32<const N: u32>(self, a: Self::I32) -> Self::I32;
    /// `a >> N`, zeros coming in.
    fn shr_i32<const N: u32>(self, a: Self::I32) -> Self::I32;
    /// -1 where `a < b`, signed, 0 elsewhere.
    fn less_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `n + 1` where `a < b`, signed, `n` elsewhere.
    fn count_less_i32(self, n: Self::I32, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Whether lookups are a few instructions. Where not, nobody calls them.
    const HAS_LOOKUP: bool;
    /// The entry of `table` that each lane of `index` tells, in time that does not depend on `index`.
    /// Range: `0 <= index < 16`.
    fn lookup_i32(self, table: &[i32; 16], index: Self::I32) -> Self::I32;
    /// As [`F32s::lookup_i32`], of a longer table of bytes. Range: `0 <= index < 80`.
    fn lookup_u8(self, table: &[u8; 128], index: Self::I32) -> Self::I32;
    /// The nearest binary32 number of each integer. Exact below `2^24`.
    fn to_f32(self, a: Self::I32) -> Self::F32;
    /// The numbers that have these bits.
    fn cast_f32(self, a: Self::I32) -> Self::F32;
    /// The bits of these numbers.
    fn cast_i32(self, a: Self::F32) -> Self::I32;

    /// The first `LANES_F32` values of `src`.
    fn load_f32(self, src: &[f32]) -> Self::F32;
    /// Writes the lanes to the front of `dst`.
    fn store_f32(self, v: Self::F32, dst: &mut [f32]);
    /// `x` in every lane.
    fn splat_f32(self, x: f32) -> Self::F32;
    /// `a + b`, rounded.
    fn add_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a - b`, rounded.
    fn sub_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a * b`, rounded.
    fn mul_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `1 / a` with a relative error of at most `2^-11`, which is not the same on every CPU.
    fn reciprocal_f32(self, a: Self::F32) -> Self::F32;
    /// A number of which bit `i` is set where lane `i` of `a` is at most that of `b`.
    fn le_f32(self, a: Self::F32, b: Self::F32) -> u32;
}

/// The lanes of levels that have none: a type without a value.
#[derive(Clone, Copy, Debug)]
pub enum NoLanes {}

/// Methods of a type without a value.
macro_rules! never {
    ($( fn $name:ident $(<const $c:ident: u32>)? ($($arg:ident: $t:ty),*) $(-> $r:ty)?; )+) => {$(
        #[inline(always)]
        fn $name $(<const $c: u32>)? (self $(, $arg: $t)*) $(-> $r)? {
            $( let _ = $arg; )*
            match self {}
        }
    )+};
}

impl F32s for NoLanes {
    const LANES_F32: usize = 1;
    const HAS_LOOKUP: bool = false;
    type I32 = ();
    type F32 = ();
    type Few = Self;
    type Room<T: Plain, const SMALL: usize, const LARGE: usize> = [T; SMALL];

    #[inline(always)]
    fn room<T: Plain, const SMALL: usize, const LARGE: usize>(value: T) -> [T; SMALL] {
        [value; SMALL]
    }
    #[inline(always)]
    fn few(self) -> Self {
        self
    }
    never! {
        fn words_at_11(src: &[u8]) -> [(); 3];
        fn floor(x: f64) -> f64;
        fn splat_i32(x: i32);
        fn add_i32(a: (), b: ());
        fn sub_i32(a: (), b: ());
        fn and_i32(a: (), b: ());
        fn or_i32(a: (), b: ());
        fn xor_i32(a: (), b: ());
        fn shl_i32<const N: u32>(a: ());
        fn shr_i32<const N: u32>(a: ());
        fn less_i32(a: (), b: ());
        fn count_less_i32(n: (), a: (), b: ());
        fn lookup_i32(table: &[i32; 16], index: ());
        fn lookup_u8(table: &[u8; 128], index: ());
        fn to_f32(a: ());
        fn cast_f32(a: ());
        fn cast_i32(a: ());
        fn load_f32(src: &[f32]);
        fn store_f32(v: (), dst: &mut [f32]);
        fn splat_f32(x: f32);
        fn add_f32(a: (), b: ());
        fn sub_f32(a: (), b: ());
        fn mul_f32(a: (), b: ());
        fn reciprocal_f32(a: ());
        fn le_f32(a: (), b: ()) -> u32;
    }
}
