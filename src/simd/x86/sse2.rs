//! SSE2: 128-bit vectors. Every x86-64 CPU has it.

use super::super::{Scalar, Sealed, Simd};
use super::{intrinsics, keep_below, memory, total};
use core::arch::x86_64::*;

/// The proof that this CPU has SSE2.
#[derive(Clone, Copy, Debug)]
pub struct Sse2(());

impl Sse2 {
    /// Every x86-64 CPU has it.
    pub const fn detect() -> Option<Self> {
        Some(Self(()))
    }

    /// Where a wider set was proved.
    pub(super) const fn implied() -> Self {
        Self(())
    }
}

impl Sealed for Sse2 {}

impl Simd for Sse2 {
    const NAME: &'static str = "sse2";
    const LANES_U16: usize = 8;
    const LANES_F64: usize = 2;
    type U16 = __m128i;
    type Real = f64;
    type F64 = __m128d;
    type Half = Scalar;
    type Lanes32 = Self;

    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
    #[inline(always)]
    fn half(self) -> Scalar {
        Scalar::IMPLIED
    }
    #[inline(always)]
    fn lanes32(self) -> Option<Self> {
        Some(self)
    }

    memory!(load_u16, store_u16, u16, 8, __m128i, _mm_loadu_si128, _mm_storeu_si128);
    memory!(load_f64, store_f64, f64, 2, __m128d, _mm_loadu_pd, _mm_storeu_pd);
    #[inline(always)]
    fn load_bits(self, src: &[u64]) -> __m128d {
        let src = &src[..2];
        // SAFETY: the slice holds one vector, alignment is not needed.
        unsafe { _mm_loadu_pd(src.as_ptr().cast()) }
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
    intrinsics! {
        fn mulhi_i16(a: __m128i, b: __m128i) -> __m128i = _mm_mulhi_epi16(a, b);
        // floor((floor(12 a / 2^16) + 1) / 2) is 3 a / 2^15 rounded.
        fn thirds_i16(a: __m128i) -> __m128i =
            _mm_srai_epi16::<1>(_mm_add_epi16(_mm_mulhi_epi16(a, _mm_set1_epi16(12)), _mm_set1_epi16(1)));
        fn max_u16(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi16(b, _mm_subs_epu16(a, b));
        fn and_u16(a: __m128i, b: __m128i) -> __m128i = _mm_and_si128(a, b);
        fn or_u16(a: __m128i, b: __m128i) -> __m128i = _mm_or_si128(a, b);
        fn xor_u16(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
        fn shl_u16(a: __m128i, by: u32) -> __m128i = _mm_sll_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn shr_u16(a: __m128i, by: u32) -> __m128i = _mm_srl_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn no_squares() -> (__m128i, __m128i) = (_mm_setzero_si128(), _mm_setzero_si128());
        // A step is below 2^31, so no sum passes 2^31 unseen.
        fn add_squares(sum: (__m128i, __m128i), v: __m128i) -> (__m128i, __m128i) = {
            let next = _mm_add_epi32(sum.0, _mm_madd_epi16(v, v));
            (next, _mm_or_si128(sum.1, next))
        };
    }
    type Squares = (__m128i, __m128i);
    total!(4, __m128i, _mm_storeu_si128);
    #[inline(always)]
    fn keep_below_u16(self, v: __m128i, limit: u16, dst: &mut [u16]) -> usize {
        let mut lanes = [0; 8];
        self.store_u16(v, &mut lanes);
        keep_below(lanes, limit, dst)
    }
    intrinsics! {
        fn splat_u16(x: u16) -> __m128i = _mm_set1_epi16(x.cast_signed());
        fn add_u16(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi16(a, b);
        fn sub_u16(a: __m128i, b: __m128i) -> __m128i = _mm_sub_epi16(a, b);
        fn min_u16(a: __m128i, b: __m128i) -> __m128i = _mm_sub_epi16(a, _mm_subs_epu16(a, b));
        fn mullo_u16(a: __m128i, b: __m128i) -> __m128i = _mm_mullo_epi16(a, b);
        fn mulhi_u16(a: __m128i, b: __m128i) -> __m128i = _mm_mulhi_epu16(a, b);
        fn splat_f64(x: f64) -> __m128d = _mm_set1_pd(x);
        fn add_f64(a: __m128d, b: __m128d) -> __m128d = _mm_add_pd(a, b);
        fn sub_f64(a: __m128d, b: __m128d) -> __m128d = _mm_sub_pd(a, b);
        fn mul_f64(a: __m128d, b: __m128d) -> __m128d = _mm_mul_pd(a, b);
        fn div_f64(a: __m128d, b: __m128d) -> __m128d = _mm_div_pd(a, b);
        fn neg_f64(a: __m128d) -> __m128d = _mm_xor_pd(a, _mm_set1_pd(-0.0));
        fn half_f64(a: __m128d) -> __m128d = _mm_mul_pd(a, _mm_set1_pd(0.5));
        fn interleave_f64<const D: usize>(a: __m128d, b: __m128d) -> (__m128d, __m128d) =
            (_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b));
    }
}
