//! 32-bit lanes: what the sampler needs to look at many candidates at once.
//!
//! The floats here only decide which results are certain; a doubtful one goes to the exact way, so
//! nothing that leaves the library depends on their rounding.

use super::Plain;

/// Vectors of 32-bit lanes of one level. [`Simd::lanes32`](super::Simd::lanes32) says whether it has them.
pub trait Lanes32: Copy {
    /// Lanes of a vector, a power of two.
    const LANES: usize;
    /// A vector of 32-bit integers.
    type I32: Copy;
    /// A vector of binary32 numbers.
    type F32: Copy;
    /// Memory that a level with vectors wants longer: `LARGE` values there, `SMALL` elsewhere.
    type Room<T: Plain, const SMALL: usize, const LARGE: usize>: AsRef<[T]> + AsMut<[T]>;

    /// The same with at most eight lanes, for work beside which other work is to go on: vectors of 512 bits close a
    /// port to that.
    type Few: Lanes32;

    /// The proof for [`Lanes32::Few`].
    fn few(self) -> Self::Few;

    /// Memory filled with `value`.
    fn room<T: Plain, const SMALL: usize, const LARGE: usize>(value: T) -> Self::Room<T, SMALL, LARGE>;

    /// Lane `i` of the three: bytes `11 i ..` as little-endian words. Range: `src` has `11 LANES + 5` bytes.
    fn words_at_11(self, src: &[u8]) -> [Self::I32; 3];
    /// The largest integer not above. Range: `|x| < 2^31`.
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
    /// [`Lanes32::lookup_i32`] is a few instructions; elsewhere it does not exist.
    const HAS_LOOKUP: bool;
    /// The entry that each lane of `index` tells, in time that does not depend on it. Range: `0 <= index < 16`.
    fn lookup_i32(self, table: &[i32; 16], index: Self::I32) -> Self::I32;
    /// To the nearest binary32. Exact below `2^24`.
    fn to_f32(self, a: Self::I32) -> Self::F32;
    /// The numbers of these bits.
    fn cast_f32(self, a: Self::I32) -> Self::F32;
    /// The bits of these numbers.
    fn cast_i32(self, a: Self::F32) -> Self::I32;

    /// The first `LANES` values of `src`.
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
    /// `1 / a` within `2^-11` of itself. Not the same on every CPU.
    fn reciprocal_f32(self, a: Self::F32) -> Self::F32;
    /// Bit `i` is set where lane `i` of `a` is at most that of `b`.
    fn le_f32(self, a: Self::F32, b: Self::F32) -> u32;
}

/// For levels without such lanes. There is no value of it.
#[derive(Clone, Copy, Debug)]
pub enum NoLanes {}

/// Methods of a type without values.
macro_rules! never {
    ($( fn $name:ident $(<const $c:ident: u32>)? ($($arg:ident: $t:ty),*) $(-> $r:ty)?; )+) => {$(
        #[inline(always)]
        fn $name $(<const $c: u32>)? (self $(, $arg: $t)*) $(-> $r)? {
            $( let _ = $arg; )*
            match self {}
        }
    )+};
}

impl Lanes32 for NoLanes {
    const LANES: usize = 1;
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
