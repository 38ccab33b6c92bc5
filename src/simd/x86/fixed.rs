//! The fixed-point numbers of [`Fixed`] on x86-64.
//!
//! A product is made of four unsigned ones of 32 bits; then what a negative factor adds is taken away.

use super::super::fixed::{Fixed, one_lane_i64};
use super::{Avx2, Avx512, Sse2, intrinsics, memory};
use core::arch::x86_64::*;

/// Two lanes lose against one: a product of 64 bits is one instruction there, ten here.
impl Fixed for Sse2 {
    one_lane_i64!();
}

/// A level with vectors of 256 bits.
macro_rules! fixed256 {
    ($level:ty) => {
        impl Fixed for $level {
            const LANES_I64: usize = 4;
            type I64 = __m256i;
            memory!(load_i64, store_i64, i64, 4, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);
            intrinsics! {
                fn add_i64(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi64(a, b);
                fn sub_i64(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi64(a, b);
                fn half_i64(a: __m256i) -> __m256i = {
                    let top = _mm256_set1_epi64x(1 << 62);
                    let half = _mm256_srli_epi64::<1>(_mm256_add_epi64(a, _mm256_set1_epi64x(1)));
                    _mm256_sub_epi64(_mm256_xor_si256(half, top), top)
                };
                fn mul_fixed(a: __m256i, b: __m256i) -> __m256i = {
                    let (ah, bh) = (_mm256_srli_epi64::<32>(a), _mm256_srli_epi64::<32>(b));
                    let low = _mm256_srli_epi64::<32>(_mm256_mul_epu32(a, b));
                    let middle = _mm256_add_epi64(_mm256_mul_epu32(a, bh), _mm256_mul_epu32(ah, b));
                    let zero = _mm256_setzero_si256();
                    let a_minus = _mm256_and_si256(_mm256_cmpgt_epi64(zero, a), b);
                    let b_minus = _mm256_and_si256(_mm256_cmpgt_epi64(zero, b), a);
                    let high = _mm256_sub_epi64(_mm256_mul_epu32(ah, bh), _mm256_add_epi64(a_minus, b_minus));
                    _mm256_add_epi64(_mm256_add_epi64(low, middle), _mm256_slli_epi64::<32>(high))
                };
                fn unzip_i64<const D: usize>(a: __m256i, b: __m256i) -> (__m256i, __m256i) = match D {
                    1 => {
                        let (even, odd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
                        (_mm256_permute4x64_epi64::<0xd8>(even), _mm256_permute4x64_epi64::<0xd8>(odd))
                    }
                    _ => (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)),
                };
                fn zip_i64<const D: usize>(even: __m256i, odd: __m256i) -> (__m256i, __m256i) = {
                    let (low, high) = match D {
                        1 => (_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)),
                        _ => (even, odd),
                    };
                    (_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high))
                };
            }
        }
    };
}
fixed256!(Avx2);
// Key generation does not run on this level: see `Level::for_keygen`.
fixed256!(Avx512);
