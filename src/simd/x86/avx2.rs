//! AVX2: 256-bit vectors, and BMI for what stays scalar.

use super::super::{Sealed, Simd};
use super::{Sse2, detect, intrinsics, memory};
use core::arch::x86_64::*;

/// The proof that this CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Asks the CPU.
    pub fn detect() -> Option<Self> {
        detect::has_avx2().then_some(Self(()))
    }

    /// Where a wider set was proved.
    pub(super) const fn implied() -> Self {
        Self(())
    }
}

impl Sealed for Avx2 {}

impl Simd for Avx2 {
    const NAME: &'static str = "avx2";
    const LANES_U16: usize = 16;
    const LANES_F64: usize = 4;
    type U16 = __m256i;
    type Real = f64;
    type F64 = __m256d;
    type Half = Sse2;
    type Lanes32 = Self;

    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn frame<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: `self` proves these.
        unsafe { frame(f) }
    }
    #[inline(always)]
    fn half(self) -> Sse2 {
        Sse2::implied()
    }
    #[inline(always)]
    fn lanes32(self) -> Option<Self> {
        Some(self)
    }

    memory!(load_u16, store_u16, u16, 16, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);
    memory!(load_f64, store_f64, f64, 4, __m256d, _mm256_loadu_pd, _mm256_storeu_pd);
    #[inline(always)]
    fn load_bits(self, src: &[u64]) -> __m256d {
        let src = &src[..4];
        // SAFETY: the slice holds one vector, alignment is not needed.
        unsafe { _mm256_loadu_pd(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn interleave_u16<const D: usize>(self, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        // SAFETY: `self` proves AVX2.
        unsafe {
            match D {
                1 => (
                    _mm256_blend_epi16::<0xaa>(a, _mm256_slli_epi32::<16>(b)),
                    _mm256_blend_epi16::<0xaa>(_mm256_srli_epi32::<16>(a), b),
                ),
                2 => (
                    _mm256_blend_epi32::<0xaa>(a, _mm256_slli_epi64::<32>(b)),
                    _mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>(a), b),
                ),
                4 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
                _ => (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)),
            }
        }
    }
    #[inline(always)]
    fn interleave_f64<const D: usize>(self, a: __m256d, b: __m256d) -> (__m256d, __m256d) {
        // SAFETY: `self` proves AVX2.
        unsafe {
            match D {
                1 => (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b)),
                _ => (_mm256_permute2f128_pd::<0x20>(a, b), _mm256_permute2f128_pd::<0x31>(a, b)),
            }
        }
    }
    intrinsics! {
        fn splat_u16(x: u16) -> __m256i = _mm256_set1_epi16(x.cast_signed());
        fn add_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi16(a, b);
        fn sub_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi16(a, b);
        fn min_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epu16(a, b);
        fn mullo_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_mullo_epi16(a, b);
        fn mulhi_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_mulhi_epu16(a, b);
        fn splat_f64(x: f64) -> __m256d = _mm256_set1_pd(x);
        fn add_f64(a: __m256d, b: __m256d) -> __m256d = _mm256_add_pd(a, b);
        fn sub_f64(a: __m256d, b: __m256d) -> __m256d = _mm256_sub_pd(a, b);
        fn mul_f64(a: __m256d, b: __m256d) -> __m256d = _mm256_mul_pd(a, b);
        fn div_f64(a: __m256d, b: __m256d) -> __m256d = _mm256_div_pd(a, b);
        fn neg_f64(a: __m256d) -> __m256d = _mm256_xor_pd(a, _mm256_set1_pd(-0.0));
        fn half_f64(a: __m256d) -> __m256d = _mm256_mul_pd(a, _mm256_set1_pd(0.5));
    }
}
