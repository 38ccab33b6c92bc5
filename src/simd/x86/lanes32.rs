//! 32-bit lanes of `sse2`, `avx2` and `avx512`.

use super::super::{Lanes32, Plain, Simd};
use super::{Avx2, Avx512, Sse2, intrinsics, memory};
use core::arch::x86_64::*;

/// What is the same on every level.
macro_rules! common {
    () => {
        type Room<T: Plain, const SMALL: usize, const LARGE: usize> = [T; LARGE];

        #[inline(always)]
        fn room<T: Plain, const SMALL: usize, const LARGE: usize>(value: T) -> [T; LARGE] {
            [value; LARGE]
        }
    };
}

/// The 16 bytes from `at` on, for `at` from 0 to a vector's last.
///
/// # Safety
/// `src` has 16 bytes there.
#[inline(always)]
unsafe fn bytes16(src: &[u8], at: usize) -> __m128i {
    debug_assert!(at + 16 <= src.len());
    // SAFETY: as the caller says.
    unsafe { _mm_loadu_si128(src.as_ptr().add(at).cast()) }
}

/// Four rows of three words (and one more), by 128-bit lane, as three columns.
macro_rules! columns {
    ($rows:expr, $low32:ident, $high32:ident, $low64:ident, $high64:ident) => {{
        let [a, b, c, d] = $rows;
        let (ab, cd) = ($low32(a, b), $low32(c, d));
        [$low64(ab, cd), $high64(ab, cd), $low64($high32(a, b), $high32(c, d))]
    }};
}

impl Lanes32 for Sse2 {
    const LANES: usize = 4;
    const HAS_LOOKUP: bool = false;
    type I32 = __m128i;
    type F32 = __m128;
    type Few = Self;
    common!();

    #[inline(always)]
    fn few(self) -> Self {
        self
    }
    memory!(load_f32, store_f32, f32, 4, __m128, _mm_loadu_ps, _mm_storeu_ps);

    #[inline(always)]
    fn words_at_11(self, src: &[u8]) -> [__m128i; 3] {
        let src = &src[..49];
        // SAFETY: the last row ends at 3 * 11 + 16 = 49.
        unsafe {
            let rows = [bytes16(src, 0), bytes16(src, 11), bytes16(src, 22), bytes16(src, 33)];
            columns!(rows, _mm_unpacklo_epi32, _mm_unpackhi_epi32, _mm_unpacklo_epi64, _mm_unpackhi_epi64)
        }
    }
    #[inline(always)]
    fn floor(self, x: f64) -> f64 {
        f64::from(crate::simd::Real::floor_i32(x))
    }
    #[inline(always)]
    fn lookup_i32(self, _: &[i32; 16], index: __m128i) -> __m128i {
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

impl Lanes32 for Avx2 {
    const LANES: usize = 8;
    const HAS_LOOKUP: bool = true;
    type I32 = __m256i;
    type F32 = __m256;
    type Few = Self;
    common!();

    #[inline(always)]
    fn few(self) -> Self {
        self
    }
    memory!(load_f32, store_f32, f32, 8, __m256, _mm256_loadu_ps, _mm256_storeu_ps);

    #[inline(always)]
    fn words_at_11(self, src: &[u8]) -> [__m256i; 3] {
        let src = &src[..93];
        // SAFETY: the last row ends at 7 * 11 + 16 = 93; `self` proves AVX2.
        unsafe {
            macro_rules! row {
                ($at:expr) => {
                    _mm256_set_m128i(bytes16(src, $at + 44), bytes16(src, $at))
                };
            }
            let rows = [row!(0), row!(11), row!(22), row!(33)];
            columns!(rows, _mm256_unpacklo_epi32, _mm256_unpackhi_epi32, _mm256_unpacklo_epi64, _mm256_unpackhi_epi64)
        }
    }
    #[inline(always)]
    fn floor(self, x: f64) -> f64 {
        // SAFETY: `self` proves SSE4.1, which has the instruction.
        unsafe { _mm_cvtsd_f64(_mm_floor_sd(_mm_setzero_pd(), _mm_set_sd(x))) }
    }
    #[inline(always)]
    fn lookup_i32(self, table: &[i32; 16], index: __m256i) -> __m256i {
        // SAFETY: both halves of `table` have 8 values; `self` proves AVX2.
        unsafe {
            let low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(table.as_ptr().cast()), index);
            let high = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(table.as_ptr().add(8).cast()), index);
            // Bit 3 of the index where the sign is.
            let choice = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(index));
            _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), choice))
        }
    }
    intrinsics! {
        fn splat_i32(x: i32) -> __m256i = _mm256_set1_epi32(x);
        fn add_i32(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        fn sub_i32(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi32(a, b);
        fn and_i32(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        fn or_i32(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        fn xor_i32(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        fn shl_i32<const N: u32>(a: __m256i) -> __m256i = _mm256_sll_epi32(a, _mm_cvtsi32_si128(N as i32));
        fn shr_i32<const N: u32>(a: __m256i) -> __m256i = _mm256_srl_epi32(a, _mm_cvtsi32_si128(N as i32));
        fn less_i32(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpgt_epi32(b, a);
        fn count_less_i32(n: __m256i, a: __m256i, b: __m256i) -> __m256i =
            _mm256_sub_epi32(n, _mm256_cmpgt_epi32(b, a));
        fn to_f32(a: __m256i) -> __m256 = _mm256_cvtepi32_ps(a);
        fn cast_f32(a: __m256i) -> __m256 = _mm256_castsi256_ps(a);
        fn cast_i32(a: __m256) -> __m256i = _mm256_castps_si256(a);
        fn splat_f32(x: f32) -> __m256 = _mm256_set1_ps(x);
        fn add_f32(a: __m256, b: __m256) -> __m256 = _mm256_add_ps(a, b);
        fn sub_f32(a: __m256, b: __m256) -> __m256 = _mm256_sub_ps(a, b);
        fn mul_f32(a: __m256, b: __m256) -> __m256 = _mm256_mul_ps(a, b);
        fn reciprocal_f32(a: __m256) -> __m256 = _mm256_rcp_ps(a);
        fn le_f32(a: __m256, b: __m256) -> u32 =
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(a, b)).cast_unsigned();
    }
}

impl Lanes32 for Avx512 {
    const LANES: usize = 16;
    const HAS_LOOKUP: bool = true;
    type I32 = __m512i;
    type F32 = __m512;
    type Few = Avx2;
    common!();

    #[inline(always)]
    fn few(self) -> Avx2 {
        self.half()
    }
    memory!(load_f32, store_f32, f32, 16, __m512, _mm512_loadu_ps, _mm512_storeu_ps);

    #[inline(always)]
    fn words_at_11(self, src: &[u8]) -> [__m512i; 3] {
        let src = &src[..181];
        // SAFETY: the last row ends at 15 * 11 + 16 = 181; `self` proves AVX-512.
        unsafe {
            macro_rules! row {
                ($at:expr) => {{
                    let low = _mm512_castsi128_si512(bytes16(src, $at));
                    let low = _mm512_inserti32x4::<1>(low, bytes16(src, $at + 44));
                    let low = _mm512_inserti32x4::<2>(low, bytes16(src, $at + 88));
                    _mm512_inserti32x4::<3>(low, bytes16(src, $at + 132))
                }};
            }
            let rows = [row!(0), row!(11), row!(22), row!(33)];
            columns!(rows, _mm512_unpacklo_epi32, _mm512_unpackhi_epi32, _mm512_unpacklo_epi64, _mm512_unpackhi_epi64)
        }
    }
    #[inline(always)]
    fn floor(self, x: f64) -> f64 {
        // SAFETY: `self` proves SSE4.1, which has the instruction.
        unsafe { _mm_cvtsd_f64(_mm_floor_sd(_mm_setzero_pd(), _mm_set_sd(x))) }
    }
    #[inline(always)]
    fn lookup_i32(self, table: &[i32; 16], index: __m512i) -> __m512i {
        // SAFETY: `table` has 16 values; `self` proves AVX-512.
        unsafe { _mm512_permutexvar_epi32(index, _mm512_loadu_si512(table.as_ptr().cast())) }
    }
    intrinsics! {
        fn splat_i32(x: i32) -> __m512i = _mm512_set1_epi32(x);
        fn add_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        fn sub_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        fn and_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        fn or_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        fn xor_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        fn shl_i32<const N: u32>(a: __m512i) -> __m512i = _mm512_slli_epi32::<N>(a);
        fn shr_i32<const N: u32>(a: __m512i) -> __m512i = _mm512_srli_epi32::<N>(a);
        fn less_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_movm_epi32(_mm512_cmplt_epi32_mask(a, b));
        fn count_less_i32(n: __m512i, a: __m512i, b: __m512i) -> __m512i =
            _mm512_mask_add_epi32(n, _mm512_cmplt_epi32_mask(a, b), n, _mm512_set1_epi32(1));
        fn to_f32(a: __m512i) -> __m512 = _mm512_cvtepi32_ps(a);
        fn cast_f32(a: __m512i) -> __m512 = _mm512_castsi512_ps(a);
        fn cast_i32(a: __m512) -> __m512i = _mm512_castps_si512(a);
        fn splat_f32(x: f32) -> __m512 = _mm512_set1_ps(x);
        fn add_f32(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
        fn sub_f32(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
        fn mul_f32(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
        fn reciprocal_f32(a: __m512) -> __m512 = _mm512_rcp14_ps(a);
        fn le_f32(a: __m512, b: __m512) -> u32 = u32::from(_mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b));
    }
}
