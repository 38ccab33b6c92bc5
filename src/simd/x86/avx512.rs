//! AVX-512 with F, BW, DQ, VL, VBMI and VBMI2 (Ice Lake, Zen 4 and later): 512-bit vectors.

use super::super::{Sealed, Simd};
use super::{Avx2, detect, intrinsics, memory};
use core::arch::x86_64::*;

/// The proof that this CPU has AVX-512 F, BW, DQ, VL, VBMI and VBMI2, and what [`Avx2`] proves.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// Asks the CPU.
    pub fn detect() -> Option<Self> {
        detect::has_avx512().then_some(Self(()))
    }
}

impl Sealed for Avx512 {}

impl Simd for Avx512 {
    const NAME: &'static str = "avx512";
    const LANES_U16: usize = 32;
    const LANES_F64: usize = 8;
    type U16 = __m512i;
    type Real = f64;
    type F64 = __m512d;
    type Half = Avx2;
    type Lanes32 = Self;

    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn frame<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: `self` proves these.
        unsafe { frame(f) }
    }
    #[inline(always)]
    fn half(self) -> Avx2 {
        Avx2::implied()
    }
    #[inline(always)]
    fn lanes32(self) -> Option<Self> {
        Some(self)
    }

    memory!(load_u16, store_u16, u16, 32, __m512i, _mm512_loadu_si512, _mm512_storeu_si512);
    memory!(load_f64, store_f64, f64, 8, __m512d, _mm512_loadu_pd, _mm512_storeu_pd);
    #[inline(always)]
    fn load_bits(self, src: &[u64]) -> __m512d {
        let src = &src[..8];
        // SAFETY: `self` proves AVX-512; the slice holds one vector, alignment is not needed.
        unsafe { _mm512_loadu_pd(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn interleave_u16<const D: usize>(self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        // SAFETY: `self` proves AVX-512.
        unsafe {
            match D {
                1 => (
                    _mm512_mask_blend_epi16(0xaaaa_aaaa, a, _mm512_slli_epi32::<16>(b)),
                    _mm512_mask_blend_epi16(0xaaaa_aaaa, _mm512_srli_epi32::<16>(a), b),
                ),
                2 => (
                    _mm512_mask_blend_epi32(0xaaaa, a, _mm512_slli_epi64::<32>(b)),
                    _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64::<32>(a), b),
                ),
                4 => (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
                8 => (
                    _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b),
                    _mm512_permutex2var_epi64(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b),
                ),
                _ => (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xee>(a, b)),
            }
        }
    }
    #[inline(always)]
    fn interleave_f64<const D: usize>(self, a: __m512d, b: __m512d) -> (__m512d, __m512d) {
        // SAFETY: `self` proves AVX-512.
        unsafe {
            match D {
                1 => (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b)),
                2 => (
                    _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b),
                    _mm512_permutex2var_pd(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b),
                ),
                _ => (_mm512_shuffle_f64x2::<0x44>(a, b), _mm512_shuffle_f64x2::<0xee>(a, b)),
            }
        }
    }
    intrinsics! {
        fn splat_u16(x: u16) -> __m512i = _mm512_set1_epi16(x.cast_signed());
        fn add_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi16(a, b);
        fn sub_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi16(a, b);
        fn min_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epu16(a, b);
        fn mullo_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi16(a, b);
        fn mulhi_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_mulhi_epu16(a, b);
        fn splat_f64(x: f64) -> __m512d = _mm512_set1_pd(x);
        fn add_f64(a: __m512d, b: __m512d) -> __m512d = _mm512_add_pd(a, b);
        fn sub_f64(a: __m512d, b: __m512d) -> __m512d = _mm512_sub_pd(a, b);
        fn mul_f64(a: __m512d, b: __m512d) -> __m512d = _mm512_mul_pd(a, b);
        fn div_f64(a: __m512d, b: __m512d) -> __m512d = _mm512_div_pd(a, b);
        fn neg_f64(a: __m512d) -> __m512d = _mm512_xor_pd(a, _mm512_set1_pd(-0.0));
        fn half_f64(a: __m512d) -> __m512d = _mm512_mul_pd(a, _mm512_set1_pd(0.5));
    }
}
