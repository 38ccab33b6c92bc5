//! The residues of [`Residues`] on x86-64.
//!
//! `vpmuludq` multiplies the even 32-bit lanes; the odd ones are shifted down first, and the halves of both
//! results are put together again.

use super::super::residues::Residues;
use super::{Avx2, Avx512, Sse2, intrinsics, memory};
use core::arch::x86_64::*;

impl Residues for Sse2 {
    const LANES_U32: usize = 4;
    type U32 = __m128i;
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
        fn montgomery_u32(a: __m128i, b: __m128i, p: __m128i, p0i: __m128i) -> __m128i = {
            let x = _mm_mul_epu32(a, b);
            let y = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
            let x = _mm_add_epi64(x, _mm_mul_epu32(_mm_mul_epu32(x, p0i), p));
            let y = _mm_add_epi64(y, _mm_mul_epu32(_mm_mul_epu32(y, p0i), p));
            let z = _mm_or_si128(_mm_srli_epi64::<32>(x), _mm_and_si128(y, _mm_set1_epi64x(-1 << 32)));
            let d = _mm_sub_epi32(z, p);
            _mm_add_epi32(d, _mm_and_si128(p, _mm_srai_epi32::<31>(d)))
        };
        fn unzip_u32<const D: usize>(a: __m128i, b: __m128i) -> (__m128i, __m128i) = match D {
            1 => {
                let (a, b) = (_mm_castsi128_ps(a), _mm_castsi128_ps(b));
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

/// A level with vectors of 256 bits.
macro_rules! residues256 {
    ($level:ty) => {
        impl Residues for $level {
            const LANES_U32: usize = 8;
            type U32 = __m256i;
            memory!(load_u32, store_u32, u32, 8, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);
            intrinsics! {
                fn splat_u32(x: u32) -> __m256i = _mm256_set1_epi32(x.cast_signed());
                fn below_u32(a: __m256i, p: __m256i) -> __m256i = _mm256_min_epu32(a, _mm256_sub_epi32(a, p));
                fn add_mod_u32(a: __m256i, b: __m256i, p: __m256i) -> __m256i = {
                    let s = _mm256_add_epi32(a, b);
                    _mm256_min_epu32(s, _mm256_sub_epi32(s, p))
                };
                fn sub_mod_u32(a: __m256i, b: __m256i, p: __m256i) -> __m256i = {
                    let d = _mm256_sub_epi32(a, b);
                    _mm256_min_epu32(d, _mm256_add_epi32(d, p))
                };
                fn montgomery_u32(a: __m256i, b: __m256i, p: __m256i, p0i: __m256i) -> __m256i = {
                    let x = _mm256_mul_epu32(a, b);
                    let y = _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), _mm256_srli_epi64::<32>(b));
                    let x = _mm256_add_epi64(x, _mm256_mul_epu32(_mm256_mul_epu32(x, p0i), p));
                    let y = _mm256_add_epi64(y, _mm256_mul_epu32(_mm256_mul_epu32(y, p0i), p));
                    let z = _mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>(x), y);
                    _mm256_min_epu32(z, _mm256_sub_epi32(z, p))
                };
                fn unzip_u32<const D: usize>(a: __m256i, b: __m256i) -> (__m256i, __m256i) = match D {
                    1 => {
                        let (x, y) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
                        let even = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(x, y));
                        let odd = _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(x, y));
                        (_mm256_permute4x64_epi64::<0xd8>(even), _mm256_permute4x64_epi64::<0xd8>(odd))
                    }
                    2 => {
                        let (even, odd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
                        (_mm256_permute4x64_epi64::<0xd8>(even), _mm256_permute4x64_epi64::<0xd8>(odd))
                    }
                    _ => (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)),
                };
                fn zip_u32<const D: usize>(even: __m256i, odd: __m256i) -> (__m256i, __m256i) = {
                    let (low, high) = match D {
                        1 => (_mm256_unpacklo_epi32(even, odd), _mm256_unpackhi_epi32(even, odd)),
                        2 => (_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)),
                        _ => (even, odd),
                    };
                    (_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high))
                };
            }
            #[inline(always)]
            fn repeat_u32<const D: usize>(self, src: &[u32]) -> __m256i {
                // SAFETY: `self` proves AVX2.
                unsafe {
                    let v = self.load_u32(src);
                    match D {
                        1 => v,
                        2 => _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3)),
                        _ => _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)),
                    }
                }
            }
            #[inline(always)]
            fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> __m256i {
                // SAFETY: `self` proves AVX2.
                unsafe {
                    let lanes = match D {
                        1 => _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0),
                        2 => _mm256_setr_epi32(3, 3, 2, 2, 1, 1, 0, 0),
                        _ => _mm256_setr_epi32(1, 1, 1, 1, 0, 0, 0, 0),
                    };
                    _mm256_permutevar8x32_epi32(self.load_u32(src), lanes)
                }
            }
        }
    };
}
residues256!(Avx2);
// Key generation does not run on this level: see `Level::for_keygen`.
residues256!(Avx512);
