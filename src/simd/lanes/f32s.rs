//! Lanes for binary32 numbers and 32-bit integers. The sampler uses them to check many candidates
//! (possible samples) at the same time.
//!
//! The sampler uses binary32 numbers only to decide which results are certain. If a result is not
//! certain, the sampler computes it again without binary32 numbers, so that their rounding cannot
//! change any output of the library.

use crate::simd::PlainData;

/// Operations on vectors with binary32 numbers and 32-bit integers. A value of a type with this
/// trait proves that the CPU supports the instruction set. If a level has such lanes,
/// [`Simd::f32s`](crate::simd::Simd::f32s) returns this proof.
pub trait F32s: Copy {
    /// The lane count for a vector, a power of two up to 16.
    const LANES_F32: usize;
    /// A vector with 32-bit integers.
    type I32: Copy;
    /// A vector with binary32 numbers.
    type F32: Copy;
    /// An array with `LARGE` values on levels with vectors, and `SMALL` values on other levels.
    type LevelArray<T: PlainData, const SMALL: usize, const LARGE: usize>: AsRef<[T]> + AsMut<[T]>;

    /// Vectors with at most eight lanes. The sampler uses them if the processor executes other work
    /// at the same time: 512-bit vectors would block an execution port that the other work needs.
    type UpToEight: F32s;

    /// Returns the proof that the CPU supports [`F32s::UpToEight`].
    fn up_to_eight(self) -> Self::UpToEight;

    /// Returns a [`F32s::LevelArray`] filled with `value`.
    fn level_array<T: PlainData, const SMALL: usize, const LARGE: usize>(value: T)
    -> Self::LevelArray<T, SMALL, LARGE>;

    /// Returns three vectors with little-endian 32-bit words from `src`. For lane `i`, the words
    /// begin at these bytes:
    ///
    /// - first vector: byte `11 i`
    /// - second vector: byte `11 i + 4`
    /// - third vector: byte `11 i + 8`
    ///
    /// The last word ends at byte `11 LANES_F32 + 1`. But `src` must contain `11 LANES_F32 + 5`
    /// bytes, so that a level can load 16 bytes for each lane.
    fn words_every_11_bytes(self, src: &[u8]) -> [Self::I32; 3];
    /// Returns the largest integer that is not above `x`, as a binary64 number. Range:
    /// `|x| < 2^31`.
    fn floor(self, x: f64) -> f64;
    /// Returns `x` in all lanes.
    fn splat_i32(self, x: i32) -> Self::I32;
    /// Returns `a + b mod 2^32`.
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Returns `a - b mod 2^32`.
    fn sub_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Returns `a & b`.
    fn and_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Returns `a | b`.
    fn or_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Returns `a ^ b`.
    fn xor_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Returns `a << N`.
    fn shl_i32<const N: u32>(self, a: Self::I32) -> Self::I32;
    /// Returns `a >> N`, filled with zeros.
    fn shr_i32<const N: u32>(self, a: Self::I32) -> Self::I32;
    /// Returns -1 if `a < b` as signed integers, otherwise 0.
    fn less_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Returns `n + 1` if `a < b` as signed integers, otherwise `n`.
    fn count_less_i32(self, n: Self::I32, a: Self::I32, b: Self::I32) -> Self::I32;
    /// True if a lookup only takes a few instructions. If false, the engine does not call
    /// [`F32s::lookup_i32`] and [`F32s::lookup_u8`].
    const HAS_LOOKUP: bool;
    /// Looks up the lanes of `index` in `table`, in constant time. Range: `0 <= index < 16`.
    fn lookup_i32(self, table: &[i32; 16], index: Self::I32) -> Self::I32;
    /// Looks up the lanes of `index` in a byte table, in constant time. Range: `0 <= index < 80`.
    /// The table has 128 bytes, because AVX-512 looks up an index in 128 bytes with a single
    /// instruction. The last 48 bytes are not used.
    fn lookup_u8(self, table: &[u8; 128], index: Self::I32) -> Self::I32;
    /// Converts integers to the nearest binary32 numbers. Integers with a magnitude up to `2^24`
    /// are converted exactly.
    fn to_f32(self, a: Self::I32) -> Self::F32;
    /// Interprets each lane's bits as a binary32 number.
    fn cast_f32(self, a: Self::I32) -> Self::F32;
    /// Interprets each lane's bits as an integer.
    fn cast_i32(self, a: Self::F32) -> Self::I32;

    /// Loads the first `LANES_F32` values from `src`.
    fn load_f32(self, src: &[f32]) -> Self::F32;
    /// Stores the lanes at the start of `dst`.
    fn store_f32(self, v: Self::F32, dst: &mut [f32]);
    /// Returns `x` in all lanes.
    fn splat_f32(self, x: f32) -> Self::F32;
    /// Returns `a + b`, rounded.
    fn add_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// Returns `a - b`, rounded.
    fn sub_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// Returns `a * b`, rounded.
    fn mul_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// Returns `1 / a` with a relative error up to `2^-11`, which can differ between CPUs.
    fn reciprocal_f32(self, a: Self::F32) -> Self::F32;
    /// Returns a bit mask: bit `i` is set if `a <= b` in lane `i`.
    fn le_f32(self, a: Self::F32, b: Self::F32) -> u32;
}

/// A type without a value, for levels that do not have lanes for binary32 numbers.
#[derive(Clone, Copy, Debug)]
pub enum NoLanes {}

/// Defines methods that no code can call, because `self` has a type without a value.
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
    type UpToEight = Self;
    type LevelArray<T: PlainData, const SMALL: usize, const LARGE: usize> = [T; SMALL];

    #[inline(always)]
    fn level_array<T: PlainData, const SMALL: usize, const LARGE: usize>(value: T) -> [T; SMALL] {
        [value; SMALL]
    }
    #[inline(always)]
    fn up_to_eight(self) -> Self {
        self
    }
    never! {
        fn words_every_11_bytes(src: &[u8]) -> [(); 3];
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
