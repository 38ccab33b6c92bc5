//! simd128: 128-bit vectors. This level does not use the Relaxed SIMD instructions, because their
//! results can differ between engines.

use crate::simd::lanes::{one_lane_i64, one_number};
use crate::simd::vectors::{intrinsics, keep_below, long_level_array, memory, total};
use crate::simd::{F32s, F64s, Frame, I64s, RealRows, Scalar, ScalarWord, Sealed, Simd, U16s, U32s, U64s};
use core::arch::wasm32::*;

/// The proof that this module was built with simd128.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(());

impl Simd128 {
    /// The proof. An engine without these instructions cannot run this module.
    pub const IMPLIED: Self = Self(());

    /// Returns the proof, [`Simd128::IMPLIED`].
    pub const fn detect() -> Option<Self> {
        Some(Self::IMPLIED)
    }
}

impl Sealed for Simd128 {}

impl Frame for Simd128 {
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

impl Simd for Simd128 {
    const NAME: &'static str = "simd128";
    type Half = Scalar;
    // A rotation is a single instruction for a word, but three instructions for a vector.
    type OneState = ScalarWord;
    type TwoStates = ScalarWord;
    type FourStates = Self;
    type ManyStates = Self;
    type F32s = Self;
    type Integers = Self;
    type Keygen = Self;

    #[inline(always)]
    fn half(self) -> Scalar {
        Scalar::IMPLIED
    }
    #[inline(always)]
    fn one_state(self) -> ScalarWord {
        ScalarWord
    }
    #[inline(always)]
    fn two_states(self) -> ScalarWord {
        ScalarWord
    }
    #[inline(always)]
    fn four_states(self) -> Self {
        self
    }
    #[inline(always)]
    fn many_states(self) -> Self {
        self
    }
    #[inline(always)]
    fn f32s(self) -> Option<Self> {
        Some(self)
    }
    #[inline(always)]
    fn integers(self) -> Self {
        self
    }
    #[inline(always)]
    fn keygen(self) -> Self {
        self
    }
}

/// Extracts the upper halves from 32-bit products in two vectors.
#[inline(always)]
fn upper_halves(low: v128, high: v128) -> v128 {
    u16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high)
}

impl U16s for Simd128 {
    const LANES_U16: usize = 8;
    type U16 = v128;
    type Squares = (v128, v128);
    memory!(load_u16, store_u16, u16, 8, v128, v128_load, v128_store);
    intrinsics! {
        fn splat_u16(x: u16) -> v128 = u16x8_splat(x);
        fn add_u16(a: v128, b: v128) -> v128 = u16x8_add(a, b);
        fn sub_u16(a: v128, b: v128) -> v128 = u16x8_sub(a, b);
        fn min_u16(a: v128, b: v128) -> v128 = u16x8_min(a, b);
        fn max_u16(a: v128, b: v128) -> v128 = u16x8_max(a, b);
        fn mullo_u16(a: v128, b: v128) -> v128 = u16x8_mul(a, b);
        fn mulhi_u16(a: v128, b: v128) -> v128 =
            upper_halves(u32x4_extmul_low_u16x8(a, b), u32x4_extmul_high_u16x8(a, b));
        fn mulhi_i16(a: v128, b: v128) -> v128 =
            upper_halves(i32x4_extmul_low_i16x8(a, b), i32x4_extmul_high_i16x8(a, b));
        // The instruction computes products divided by 2^15, rounded. Both products have the same
        // lower 16 bits, so they are rounded in the same way, and the difference of the results is
        // even. Each result is less than 2^14 in magnitude, so the difference fits in 16 bits.
        fn montgomery_i16(a: v128, z: v128, m: v128, q: v128, _zero: v128) -> v128 =
            i16x8_shr(i16x8_sub(i16x8_q15mulr_sat(a, z), i16x8_q15mulr_sat(m, q)), 1);
        fn thirds_i16(a: v128) -> v128 = i16x8_q15mulr_sat(a, i16x8_splat(3));
        fn and_u16(a: v128, b: v128) -> v128 = v128_and(a, b);
        fn or_u16(a: v128, b: v128) -> v128 = v128_or(a, b);
        fn xor_u16(a: v128, b: v128) -> v128 = v128_xor(a, b);
        fn shl_u16(a: v128, by: u32) -> v128 = u16x8_shl(a, by);
        fn shr_u16(a: v128, by: u32) -> v128 = u16x8_shr(a, by);
        fn no_squares() -> (v128, v128) = (u32x4_splat(0), u32x4_splat(0));
        // Each addend is less than 2^31. So the first sum that reaches 2^31 has bit 31 set.
        fn add_squares(sum: (v128, v128), v: v128) -> (v128, v128) = {
            let next = i32x4_add(sum.0, i32x4_dot_i16x8(v, v));
            (next, v128_or(sum.1, next))
        };
        fn interleave_u16<const D: usize>(a: v128, b: v128) -> (v128, v128) = match D {
            1 => (
                u16x8_shuffle::<0, 8, 2, 10, 4, 12, 6, 14>(a, b),
                u16x8_shuffle::<1, 9, 3, 11, 5, 13, 7, 15>(a, b),
            ),
            2 => (u32x4_shuffle::<0, 4, 2, 6>(a, b), u32x4_shuffle::<1, 5, 3, 7>(a, b)),
            _ => (u64x2_shuffle::<0, 2>(a, b), u64x2_shuffle::<1, 3>(a, b)),
        };
    }
    total!(4, v128, v128_store);
    #[inline(always)]
    fn keep_below_u16(self, v: v128, limit: u16, dst: &mut [u16]) -> usize {
        let mut lanes = [0; 8];
        self.store_u16(v, &mut lanes);
        keep_below(lanes, limit, dst)
    }
}

impl U32s for Simd128 {
    const LANES_U32: usize = 4;
    type U32 = v128;
    type Products = (v128, v128);
    memory!(load_u32, store_u32, u32, 4, v128, v128_load, v128_store);
    intrinsics! {
        fn splat_u32(x: u32) -> v128 = u32x4_splat(x);
        fn below_u32(a: v128, p: v128) -> v128 = u32x4_min(a, u32x4_sub(a, p));
        fn add_mod_u32(a: v128, b: v128, p: v128) -> v128 = {
            let sum = u32x4_add(a, b);
            u32x4_min(sum, u32x4_sub(sum, p))
        };
        fn sub_mod_u32(a: v128, b: v128, p: v128) -> v128 = {
            let difference = u32x4_sub(a, b);
            u32x4_min(difference, u32x4_add(difference, p))
        };
        fn add_u32(a: v128, b: v128) -> v128 = u32x4_add(a, b);
        fn sub_u32(a: v128, b: v128) -> v128 = u32x4_sub(a, b);
        fn product_u32(a: v128, b: v128, p: v128, p0i: v128) -> v128 = {
            let w = u32x4_mul(u32x4_mul(a, b), p0i);
            let x = u64x2_add(u64x2_extmul_low_u32x4(a, b), u64x2_extmul_low_u32x4(w, p));
            let y = u64x2_add(u64x2_extmul_high_u32x4(a, b), u64x2_extmul_high_u32x4(w, p));
            u32x4_shuffle::<1, 3, 5, 7>(x, y)
        };
        fn times_u32(a: v128, w: v128, ratio: v128, p: v128) -> v128 = {
            let x = u64x2_extmul_low_u32x4(a, ratio);
            let y = u64x2_extmul_high_u32x4(a, ratio);
            u32x4_sub(u32x4_mul(a, w), u32x4_mul(u32x4_shuffle::<1, 3, 5, 7>(x, y), p))
        };
        fn no_products() -> (v128, v128) = (u64x2_splat(0), u64x2_splat(0));
        fn add_product(sum: (v128, v128), a: v128, b: v128) -> (v128, v128) = (
            u64x2_add(sum.0, u64x2_extmul_low_u32x4(a, b)),
            u64x2_add(sum.1, u64x2_extmul_high_u32x4(a, b)),
        );
        fn sum_of_products(sum: (v128, v128), p: v128, p0i: v128) -> v128 = {
            let w = u32x4_mul(u32x4_shuffle::<0, 2, 4, 6>(sum.0, sum.1), p0i);
            let x = u64x2_add(sum.0, u64x2_extmul_low_u32x4(w, p));
            let y = u64x2_add(sum.1, u64x2_extmul_high_u32x4(w, p));
            u32x4_shuffle::<1, 3, 5, 7>(x, y)
        };
        fn unzip_u32<const D: usize>(a: v128, b: v128) -> (v128, v128) = match D {
            1 => (u32x4_shuffle::<0, 2, 4, 6>(a, b), u32x4_shuffle::<1, 3, 5, 7>(a, b)),
            _ => (u64x2_shuffle::<0, 2>(a, b), u64x2_shuffle::<1, 3>(a, b)),
        };
        fn zip_u32<const D: usize>(even: v128, odd: v128) -> (v128, v128) = match D {
            1 => (u32x4_shuffle::<0, 4, 1, 5>(even, odd), u32x4_shuffle::<2, 6, 3, 7>(even, odd)),
            _ => (u64x2_shuffle::<0, 2>(even, odd), u64x2_shuffle::<1, 3>(even, odd)),
        };
    }
    #[inline(always)]
    fn repeat_u32<const D: usize>(self, src: &[u32]) -> v128 {
        let v = self.load_u32(src);
        if D == 1 { v } else { u32x4_shuffle::<0, 0, 1, 1>(v, v) }
    }
    #[inline(always)]
    fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> v128 {
        let v = self.load_u32(src);
        if D == 1 { u32x4_shuffle::<3, 2, 1, 0>(v, v) } else { u32x4_shuffle::<1, 1, 0, 0>(v, v) }
    }
}

impl U64s for Simd128 {
    const LANES_U64: usize = 2;
    const STORES_INVERTED_WORDS: bool = false;
    type U64 = v128;
    memory!(load_u64, store_u64, u64, 2, v128, v128_load, v128_store);
    intrinsics! {
        fn splat_u64(x: u64) -> v128 = u64x2_splat(x);
        fn xor_u64(a: v128, b: v128) -> v128 = v128_xor(a, b);
        fn xor3_u64(a: v128, b: v128, c: v128) -> v128 = v128_xor(v128_xor(a, b), c);
        fn rotate_u64(a: v128, by: u32) -> v128 = v128_or(u64x2_shl(a, by), u64x2_shr(a, 64 - by));
        fn chi_u64(a: v128, b: v128, c: v128, _inverted: [bool; 4]) -> v128 = v128_xor(a, v128_andnot(c, b));
    }
}

// These operations use a single lane, because simd128 does not have a vector multiplication that
// returns the upper 64 bits.
impl I64s for Simd128 {
    one_lane_i64!();
}

impl F32s for Simd128 {
    const LANES_F32: usize = 4;
    const HAS_LOOKUP: bool = true;
    type I32 = v128;
    type F32 = v128;
    type UpToEight = Self;
    long_level_array!();

    #[inline(always)]
    fn up_to_eight(self) -> Self {
        self
    }
    memory!(load_f32, store_f32, f32, 4, v128, v128_load, v128_store);

    #[inline(always)]
    fn words_every_11_bytes(self, src: &[u8]) -> [v128; 3] {
        let src = &src[..49];
        // SAFETY: the last row ends at 3 * 11 + 16 = 49; alignment is not needed.
        let [a, b, c, d] = unsafe {
            let row = src.as_ptr();
            [
                v128_load(row.cast()),
                v128_load(row.add(11).cast()),
                v128_load(row.add(22).cast()),
                v128_load(row.add(33).cast()),
            ]
        };
        let ab = u32x4_shuffle::<0, 4, 1, 5>(a, b);
        let cd = u32x4_shuffle::<0, 4, 1, 5>(c, d);
        let third_words = u64x2_shuffle::<0, 2>(u32x4_shuffle::<2, 6, 3, 7>(a, b), u32x4_shuffle::<2, 6, 3, 7>(c, d));
        [u64x2_shuffle::<0, 2>(ab, cd), u64x2_shuffle::<1, 3>(ab, cd), third_words]
    }
    #[inline(always)]
    fn lookup_i32(self, table: &[i32; 16], index: v128) -> v128 {
        // For each lane, the positions of its four bytes in `table`. The swizzle returns zero for a
        // position outside the 16 bytes of `row`.
        let bytes = i32x4_add(i32x4_mul(index, i32x4_splat(0x0404_0404)), i32x4_splat(0x0302_0100));
        let mut values = i32x4_splat(0);
        for i in 0..4 {
            // SAFETY: `table` contains 64 bytes, which are four vectors; alignment is not needed.
            let row = unsafe { v128_load(table.as_ptr().add(4 * i).cast()) };
            values = v128_or(values, u8x16_swizzle(row, u8x16_sub(bytes, u8x16_splat(16 * i as u8))));
        }
        values
    }
    #[inline(always)]
    fn lookup_u8(self, table: &[u8; 128], index: v128) -> v128 {
        // The swizzle returns zero for a position outside the 16 bytes of `row`. The upper three
        // bytes of each lane are 0xff, which is outside all rows of the table, so they become zero.
        let byte_index = v128_or(index, i32x4_splat(!0xff));
        let mut values = i32x4_splat(0);
        for i in 0..5 {
            // SAFETY: `table` contains eight vectors; alignment is not needed.
            let row = unsafe { v128_load(table.as_ptr().add(16 * i).cast()) };
            values = v128_or(values, u8x16_swizzle(row, u8x16_sub(byte_index, u8x16_splat(16 * i as u8))));
        }
        values
    }
    intrinsics! {
        fn floor(x: f64) -> f64 = f64x2_extract_lane::<0>(f64x2_floor(f64x2_splat(x)));
        fn splat_i32(x: i32) -> v128 = i32x4_splat(x);
        fn add_i32(a: v128, b: v128) -> v128 = i32x4_add(a, b);
        fn sub_i32(a: v128, b: v128) -> v128 = i32x4_sub(a, b);
        fn and_i32(a: v128, b: v128) -> v128 = v128_and(a, b);
        fn or_i32(a: v128, b: v128) -> v128 = v128_or(a, b);
        fn xor_i32(a: v128, b: v128) -> v128 = v128_xor(a, b);
        fn shl_i32<const N: u32>(a: v128) -> v128 = i32x4_shl(a, N);
        fn shr_i32<const N: u32>(a: v128) -> v128 = u32x4_shr(a, N);
        fn less_i32(a: v128, b: v128) -> v128 = i32x4_lt(a, b);
        fn count_less_i32(n: v128, a: v128, b: v128) -> v128 = i32x4_sub(n, i32x4_lt(a, b));
        fn to_f32(a: v128) -> v128 = f32x4_convert_i32x4(a);
        fn cast_f32(a: v128) -> v128 = a;
        fn cast_i32(a: v128) -> v128 = a;
        fn splat_f32(x: f32) -> v128 = f32x4_splat(x);
        fn add_f32(a: v128, b: v128) -> v128 = f32x4_add(a, b);
        fn sub_f32(a: v128, b: v128) -> v128 = f32x4_sub(a, b);
        fn mul_f32(a: v128, b: v128) -> v128 = f32x4_mul(a, b);
        fn reciprocal_f32(a: v128) -> v128 = f32x4_div(f32x4_splat(1.0), a);
        fn le_f32(a: v128, b: v128) -> u32 = u32::from(i32x4_bitmask(f32x4_le(a, b)));
    }
}

impl RealRows for Simd128 {
    one_number!();
    const LANES_F64: usize = 2;
    type Real = f64;
    type F64 = v128;
    memory!(load_f64, store_f64, f64, 2, v128, v128_load, v128_store);
    #[inline(always)]
    fn load_bits(self, src: &[u64]) -> v128 {
        self.load_u64(src)
    }
    intrinsics! {
        fn splat_f64(x: f64) -> v128 = f64x2_splat(x);
        fn add_f64(a: v128, b: v128) -> v128 = f64x2_add(a, b);
        fn sub_f64(a: v128, b: v128) -> v128 = f64x2_sub(a, b);
        fn mul_f64(a: v128, b: v128) -> v128 = f64x2_mul(a, b);
        fn neg_f64(a: v128) -> v128 = f64x2_neg(a);
        fn half_f64(a: v128) -> v128 = f64x2_mul(a, f64x2_splat(0.5));
        fn interleave_f64<const D: usize>(a: v128, b: v128) -> (v128, v128) =
            (u64x2_shuffle::<0, 2>(a, b), u64x2_shuffle::<1, 3>(a, b));
    }
}

impl F64s for Simd128 {
    type EightF64 = [v128; 4];
    intrinsics! {
        fn div_f64(a: v128, b: v128) -> v128 = f64x2_div(a, b);
    }
}
