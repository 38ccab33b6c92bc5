//! SSE2: 128-bit vectors. All x86-64 CPUs support SSE2. The 32-bit targets with names that begin
//! with `i686` also require SSE2.

use super::intrinsics::*;
use super::{bytes16, columns};
use crate::simd::lanes::{one_lane_i64, one_number};
use crate::simd::vectors::{intrinsics, keep_below, load, long_level_array, memory, total};
use crate::simd::{F32s, F64s, Frame, I64s, RealRows, Scalar, ScalarWord, Sealed, Simd, U16s, U32s, U64s};

/// The proof that this CPU supports SSE2.
#[derive(Clone, Copy, Debug)]
pub struct Sse2(());

impl Sse2 {
    /// Returns the proof. This code is only compiled for targets whose CPUs all support SSE2.
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
    }

    /// Returns the proof. The caller must have the proof for an instruction set that includes SSE2.
    pub(super) const fn implied() -> Self {
        Self(())
    }
}

impl Sealed for Sse2 {}

impl Frame for Sse2 {
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

impl Simd for Sse2 {
    const NAME: &'static str = "sse2";
    type Half = Scalar;
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

impl U16s for Sse2 {
    const LANES_U16: usize = 8;
    type U16 = __m128i;
    type Squares = (__m128i, __m128i);
    memory!(load_u16, store_u16, u16, 8, __m128i, _mm_loadu_si128, _mm_storeu_si128);
    intrinsics! {
        fn splat_u16(x: u16) -> __m128i = _mm_set1_epi16(x.cast_signed());
        fn add_u16(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi16(a, b);
        fn sub_u16(a: __m128i, b: __m128i) -> __m128i = _mm_sub_epi16(a, b);
        fn min_u16(a: __m128i, b: __m128i) -> __m128i = _mm_sub_epi16(a, _mm_subs_epu16(a, b));
        fn max_u16(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi16(b, _mm_subs_epu16(a, b));
        fn mullo_u16(a: __m128i, b: __m128i) -> __m128i = _mm_mullo_epi16(a, b);
        fn mulhi_u16(a: __m128i, b: __m128i) -> __m128i = _mm_mulhi_epu16(a, b);
        fn mulhi_i16(a: __m128i, b: __m128i) -> __m128i = _mm_mulhi_epi16(a, b);
        // This is floor((floor(12 a / 2^16) + 1) / 2), which equals 3 a / 2^15, rounded.
        fn thirds_i16(a: __m128i) -> __m128i =
            _mm_srai_epi16::<1>(_mm_add_epi16(_mm_mulhi_epi16(a, _mm_set1_epi16(12)), _mm_set1_epi16(1)));
        fn and_u16(a: __m128i, b: __m128i) -> __m128i = _mm_and_si128(a, b);
        fn or_u16(a: __m128i, b: __m128i) -> __m128i = _mm_or_si128(a, b);
        fn xor_u16(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
        fn shl_u16(a: __m128i, by: u32) -> __m128i = _mm_sll_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn shr_u16(a: __m128i, by: u32) -> __m128i = _mm_srl_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn no_squares() -> (__m128i, __m128i) = (_mm_setzero_si128(), _mm_setzero_si128());
        // Each addend is less than 2^31. So the first sum that reaches 2^31 has bit 31 set.
        fn add_squares(sum: (__m128i, __m128i), v: __m128i) -> (__m128i, __m128i) = {
            let next = _mm_add_epi32(sum.0, _mm_madd_epi16(v, v));
            (next, _mm_or_si128(sum.1, next))
        };
    }
    #[inline(always)]
    fn interleave_u16<const D: usize>(self, a: __m128i, b: __m128i) -> (__m128i, __m128i) {
        // SAFETY: `self` proves SSE2.
        unsafe {
            match D {
                1 => {
                    let low = _mm_set1_epi32(0xffff);
                    let u = _mm_or_si128(_mm_and_si128(low, a), _mm_slli_epi32::<16>(b));
                    (u, _mm_or_si128(_mm_srli_epi32::<16>(a), _mm_andnot_si128(low, b)))
                }
                2 => {
                    let low = _mm_set1_epi64x(0xffff_ffff);
                    let u = _mm_or_si128(_mm_and_si128(low, a), _mm_slli_epi64::<32>(b));
                    (u, _mm_or_si128(_mm_srli_epi64::<32>(a), _mm_andnot_si128(low, b)))
                }
                _ => (_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)),
            }
        }
    }
    total!(4, __m128i, _mm_storeu_si128);
    #[inline(always)]
    fn keep_below_u16(self, v: __m128i, limit: u16, dst: &mut [u16]) -> usize {
        let mut lanes = [0; 8];
        self.store_u16(v, &mut lanes);
        keep_below(lanes, limit, dst)
    }
}

impl U32s for Sse2 {
    const LANES_U32: usize = 4;
    type U32 = __m128i;
    type Products = (__m128i, __m128i);
    memory!(load_u32, store_u32, u32, 4, __m128i, _mm_loadu_si128, _mm_storeu_si128);
    intrinsics! {
        fn splat_u32(x: u32) -> __m128i = _mm_set1_epi32(x.cast_signed());
        fn below_u32(a: __m128i, p: __m128i) -> __m128i = {
            let d = _mm_sub_epi32(a, p);
            _mm_add_epi32(d, _mm_and_si128(p, _mm_srai_epi32::<31>(d)))
        };
        fn add_mod_u32(a: __m128i, b: __m128i, p: __m128i) -> __m128i = {
            let d = _mm_sub_epi32(_mm_add_epi32(a, b), p);
            _mm_add_epi32(d, _mm_and_si128(p, _mm_srai_epi32::<31>(d)))
        };
        fn sub_mod_u32(a: __m128i, b: __m128i, p: __m128i) -> __m128i = {
            let d = _mm_sub_epi32(a, b);
            _mm_add_epi32(d, _mm_and_si128(p, _mm_srai_epi32::<31>(d)))
        };
        fn add_u32(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi32(a, b);
        fn sub_u32(a: __m128i, b: __m128i) -> __m128i = _mm_sub_epi32(a, b);
        fn product_u32(a: __m128i, b: __m128i, p: __m128i, p0i: __m128i) -> __m128i = {
            let x = _mm_mul_epu32(a, b);
            let y = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
            let x = _mm_add_epi64(x, _mm_mul_epu32(_mm_mul_epu32(x, p0i), p));
            let y = _mm_add_epi64(y, _mm_mul_epu32(_mm_mul_epu32(y, p0i), p));
            _mm_or_si128(_mm_srli_epi64::<32>(x), _mm_and_si128(y, _mm_set1_epi64x(-1 << 32)))
        };
        fn times_u32(a: __m128i, w: __m128i, ratio: __m128i, p: __m128i) -> __m128i = {
            let b = _mm_srli_epi64::<32>(a);
            let x = _mm_srli_epi64::<32>(_mm_mul_epu32(a, ratio));
            let y = _mm_srli_epi64::<32>(_mm_mul_epu32(b, _mm_srli_epi64::<32>(ratio)));
            // The differences are less than 2^32, so their upper halves are 0.
            let x = _mm_sub_epi64(_mm_mul_epu32(a, w), _mm_mul_epu32(x, p));
            let y = _mm_sub_epi64(_mm_mul_epu32(b, _mm_srli_epi64::<32>(w)), _mm_mul_epu32(y, p));
            _mm_or_si128(x, _mm_slli_epi64::<32>(y))
        };
        fn no_products() -> (__m128i, __m128i) = (_mm_setzero_si128(), _mm_setzero_si128());
        fn add_product(sum: (__m128i, __m128i), a: __m128i, b: __m128i) -> (__m128i, __m128i) = {
            let x = _mm_mul_epu32(a, b);
            let y = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
            (_mm_add_epi64(sum.0, x), _mm_add_epi64(sum.1, y))
        };
        fn sum_of_products(sum: (__m128i, __m128i), p: __m128i, p0i: __m128i) -> __m128i = {
            let x = _mm_add_epi64(sum.0, _mm_mul_epu32(_mm_mul_epu32(sum.0, p0i), p));
            let y = _mm_add_epi64(sum.1, _mm_mul_epu32(_mm_mul_epu32(sum.1, p0i), p));
            _mm_or_si128(_mm_srli_epi64::<32>(x), _mm_and_si128(y, _mm_set1_epi64x(-1 << 32)))
        };
        fn unzip_u32<const D: usize>(a: __m128i, b: __m128i) -> (__m128i, __m128i) = match D {
            1 => {
                let a = _mm_castsi128_ps(a);
                let b = _mm_castsi128_ps(b);
                (_mm_castps_si128(_mm_shuffle_ps::<0x88>(a, b)), _mm_castps_si128(_mm_shuffle_ps::<0xdd>(a, b)))
            }
            _ => (_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)),
        };
        fn zip_u32<const D: usize>(even: __m128i, odd: __m128i) -> (__m128i, __m128i) = match D {
            1 => (_mm_unpacklo_epi32(even, odd), _mm_unpackhi_epi32(even, odd)),
            _ => (_mm_unpacklo_epi64(even, odd), _mm_unpackhi_epi64(even, odd)),
        };
    }
    #[inline(always)]
    fn repeat_u32<const D: usize>(self, src: &[u32]) -> __m128i {
        // SAFETY: `self` proves SSE2.
        unsafe {
            let v = self.load_u32(src);
            if D == 1 { v } else { _mm_unpacklo_epi32(v, v) }
        }
    }
    #[inline(always)]
    fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> __m128i {
        // SAFETY: `self` proves SSE2.
        unsafe {
            let v = self.load_u32(src);
            if D == 1 { _mm_shuffle_epi32::<0x1b>(v) } else { _mm_shuffle_epi32::<0x05>(v) }
        }
    }
}

impl U64s for Sse2 {
    const LANES_U64: usize = 2;
    const STORES_INVERTED_WORDS: bool = false;
    type U64 = __m128i;
    memory!(load_u64, store_u64, u64, 2, __m128i, _mm_loadu_si128, _mm_storeu_si128);
    intrinsics! {
        fn splat_u64(x: u64) -> __m128i = _mm_set1_epi64x(x.cast_signed());
        fn xor_u64(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
        fn xor3_u64(a: __m128i, b: __m128i, c: __m128i) -> __m128i = _mm_xor_si128(_mm_xor_si128(a, b), c);
        fn rotate_u64(a: __m128i, by: u32) -> __m128i = _mm_or_si128(
            _mm_sll_epi64(a, _mm_cvtsi32_si128(by.cast_signed())),
            _mm_srl_epi64(a, _mm_cvtsi32_si128(64 - by.cast_signed())),
        );
        fn chi_u64(a: __m128i, b: __m128i, c: __m128i, _inverted: [bool; 4]) -> __m128i =
            _mm_xor_si128(a, _mm_andnot_si128(b, c));
    }
}

// Two lanes would be slower than a single lane: on x86-64, a 64-bit product needs one instruction
// for a single lane, but more than ten instructions for two lanes.
impl I64s for Sse2 {
    one_lane_i64!();
}

impl F32s for Sse2 {
    const LANES_F32: usize = 4;
    const HAS_LOOKUP: bool = false;
    type I32 = __m128i;
    type F32 = __m128;
    type UpToEight = Self;
    long_level_array!();

    #[inline(always)]
    fn up_to_eight(self) -> Self {
        self
    }
    memory!(load_f32, store_f32, f32, 4, __m128, _mm_loadu_ps, _mm_storeu_ps);

    #[inline(always)]
    fn words_every_11_bytes(self, src: &[u8]) -> [__m128i; 3] {
        let src = &src[..49];
        // SAFETY: the last row ends at byte 3 * 11 + 16 = 49, which is the length of `src`.
        unsafe {
            // A row contains the 16 bytes for a lane. The first three columns are the words.
            let rows = [bytes16(src, 0), bytes16(src, 11), bytes16(src, 22), bytes16(src, 33)];
            columns!(rows, _mm_unpacklo_epi32, _mm_unpackhi_epi32, _mm_unpacklo_epi64, _mm_unpackhi_epi64)
        }
    }
    #[inline(always)]
    fn floor(self, x: f64) -> f64 {
        f64::from(crate::simd::Real::floor_i32(x))
    }
    // The engine does not call the two lookups, because `HAS_LOOKUP` is false.
    #[inline(always)]
    fn lookup_i32(self, _: &[i32; 16], index: __m128i) -> __m128i {
        index
    }
    #[inline(always)]
    fn lookup_u8(self, _: &[u8; 128], index: __m128i) -> __m128i {
        index
    }
    intrinsics! {
        fn splat_i32(x: i32) -> __m128i = _mm_set1_epi32(x);
        fn add_i32(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi32(a, b);
        fn sub_i32(a: __m128i, b: __m128i) -> __m128i = _mm_sub_epi32(a, b);
        fn and_i32(a: __m128i, b: __m128i) -> __m128i = _mm_and_si128(a, b);
        fn or_i32(a: __m128i, b: __m128i) -> __m128i = _mm_or_si128(a, b);
        fn xor_i32(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
        fn shl_i32<const N: u32>(a: __m128i) -> __m128i = _mm_sll_epi32(a, _mm_cvtsi32_si128(N as i32));
        fn shr_i32<const N: u32>(a: __m128i) -> __m128i = _mm_srl_epi32(a, _mm_cvtsi32_si128(N as i32));
        fn less_i32(a: __m128i, b: __m128i) -> __m128i = _mm_cmplt_epi32(a, b);
        fn count_less_i32(n: __m128i, a: __m128i, b: __m128i) -> __m128i = _mm_sub_epi32(n, _mm_cmplt_epi32(a, b));
        fn to_f32(a: __m128i) -> __m128 = _mm_cvtepi32_ps(a);
        fn cast_f32(a: __m128i) -> __m128 = _mm_castsi128_ps(a);
        fn cast_i32(a: __m128) -> __m128i = _mm_castps_si128(a);
        fn splat_f32(x: f32) -> __m128 = _mm_set1_ps(x);
        fn add_f32(a: __m128, b: __m128) -> __m128 = _mm_add_ps(a, b);
        fn sub_f32(a: __m128, b: __m128) -> __m128 = _mm_sub_ps(a, b);
        fn mul_f32(a: __m128, b: __m128) -> __m128 = _mm_mul_ps(a, b);
        fn reciprocal_f32(a: __m128) -> __m128 = _mm_rcp_ps(a);
        fn le_f32(a: __m128, b: __m128) -> u32 = _mm_movemask_ps(_mm_cmple_ps(a, b)).cast_unsigned();
    }
}

impl RealRows for Sse2 {
    one_number!();
    const LANES_F64: usize = 2;
    type Real = f64;
    type F64 = __m128d;
    memory!(load_f64, store_f64, f64, 2, __m128d, _mm_loadu_pd, _mm_storeu_pd);
    load!(load_bits, u64, 2, __m128d, _mm_loadu_pd);
    intrinsics! {
        fn splat_f64(x: f64) -> __m128d = _mm_set1_pd(x);
        fn add_f64(a: __m128d, b: __m128d) -> __m128d = _mm_add_pd(a, b);
        fn sub_f64(a: __m128d, b: __m128d) -> __m128d = _mm_sub_pd(a, b);
        fn mul_f64(a: __m128d, b: __m128d) -> __m128d = _mm_mul_pd(a, b);
        fn neg_f64(a: __m128d) -> __m128d = _mm_xor_pd(a, _mm_set1_pd(-0.0));
        fn half_f64(a: __m128d) -> __m128d = _mm_mul_pd(a, _mm_set1_pd(0.5));
        fn interleave_f64<const D: usize>(a: __m128d, b: __m128d) -> (__m128d, __m128d) =
            (_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b));
    }
}

impl F64s for Sse2 {
    type EightF64 = [__m128d; 4];
    intrinsics! {
        fn div_f64(a: __m128d, b: __m128d) -> __m128d = _mm_div_pd(a, b);
    }
}
