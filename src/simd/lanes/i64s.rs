//! Lanes for fixed-point numbers with 32 integer bits and 32 fraction bits: the quotients in key
//! generation.

use crate::simd::Sealed;

/// Operations on vectors with `i64` lanes. A lane contains `2^32` times the fixed-point number.
/// Results are modulo `2^64`.
pub trait I64s: Sealed + Copy {
    /// The lane count for an `I64` vector, a power of two up to 8.
    const LANES_I64: usize;
    /// A vector with signed 64-bit integers.
    type I64: Copy;

    /// Loads the first `LANES_I64` values from `src`.
    fn load_i64(self, src: &[i64]) -> Self::I64;
    /// Stores the lanes at the start of `dst`.
    fn store_i64(self, v: Self::I64, dst: &mut [i64]);
    /// Returns `a + b`.
    fn add_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// Returns `a - b`.
    fn sub_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// Returns `a / 2`, rounded to the nearest multiple of `2^-32`. A tie is rounded up.
    fn half_i64(self, a: Self::I64) -> Self::I64;
    /// Returns `floor(a b / 2^32)`.
    fn mul_fixed(self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// Separates even and odd blocks of `D` lanes, as [`U32s::unzip_u32`](super::U32s::unzip_u32)
    /// does. Range: `D < LANES_I64`.
    fn unzip_i64<const D: usize>(self, a: Self::I64, b: Self::I64) -> (Self::I64, Self::I64);
    /// Computes the inverse of [`I64s::unzip_i64`].
    fn zip_i64<const D: usize>(self, even: Self::I64, odd: Self::I64) -> (Self::I64, Self::I64);
}

/// Returns `floor(x y / 2^32)`, wrapped to 64 bits.
#[inline(always)]
pub fn mul_fixed(x: i64, y: i64) -> i64 {
    #[cfg(target_pointer_width = "64")]
    return ((i128::from(x) * i128::from(y)) >> 32) as i64;
    // On processors with smaller registers, a 128-bit product would be a function call.
    #[cfg(not(target_pointer_width = "64"))]
    mul_fixed_in_halves(x, y)
}

/// Computes [`mul_fixed`] from the four products of 32-bit halves.
#[cfg(any(test, not(target_pointer_width = "64")))]
#[inline(always)]
fn mul_fixed_in_halves(x: i64, y: i64) -> i64 {
    /// A mask for the low half.
    const LOW: i64 = 0xffff_ffff;
    let low = (x & LOW).cast_unsigned() * (y & LOW).cast_unsigned();
    let middle = ((x >> 32).wrapping_mul(y & LOW)).wrapping_add((x & LOW).wrapping_mul(y >> 32));
    let high = (x >> 32).wrapping_mul(y >> 32) << 32;
    high.wrapping_add(middle).wrapping_add((low >> 32).cast_signed())
}

/// Implements [`I64s`] for a single lane.
macro_rules! one_lane_i64 {
    () => {
        const LANES_I64: usize = 1;
        type I64 = i64;
        #[inline(always)]
        fn load_i64(self, src: &[i64]) -> i64 {
            src[0]
        }
        #[inline(always)]
        fn store_i64(self, v: i64, dst: &mut [i64]) {
            dst[0] = v;
        }
        #[inline(always)]
        fn add_i64(self, a: i64, b: i64) -> i64 {
            a.wrapping_add(b)
        }
        #[inline(always)]
        fn sub_i64(self, a: i64, b: i64) -> i64 {
            a.wrapping_sub(b)
        }
        #[inline(always)]
        fn half_i64(self, a: i64) -> i64 {
            a.wrapping_add(1) >> 1
        }
        #[inline(always)]
        fn mul_fixed(self, a: i64, b: i64) -> i64 {
            crate::simd::mul_fixed(a, b)
        }
        #[inline(always)]
        fn unzip_i64<const D: usize>(self, a: i64, b: i64) -> (i64, i64) {
            (a, b)
        }
        #[inline(always)]
        fn zip_i64<const D: usize>(self, even: i64, odd: i64) -> (i64, i64) {
            (even, odd)
        }
    };
}
pub(in crate::simd) use one_lane_i64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_word_products_are_exact() {
        let number_of_any_length = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 64)).cast_signed();
        let edges = [0, 1, -1, 1 << 31, 1 << 32, -(1 << 32), 0xffff_ffff, i64::MAX, i64::MIN, i64::MIN + 1];
        let numbers: Vec<i64> =
            (1..200).flat_map(|i| [number_of_any_length(i), -number_of_any_length(i)]).chain(edges).collect();
        for &x in &numbers {
            for &y in &numbers {
                let product = ((i128::from(x) * i128::from(y)) >> 32) as i64;
                assert_eq!((mul_fixed(x, y), mul_fixed_in_halves(x, y)), (product, product), "{x} {y}");
            }
        }
    }
}
