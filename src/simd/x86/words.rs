//! One, two or four 64-bit words in a vector, with the instructions for logic and rotations in
//! AVX-512, for Keccak states. `avx512` uses these types.

#[cfg(fndsa_msan)]
use super::sanitized::{_mm_ternarylogic_epi64, _mm256_ternarylogic_epi64};
use crate::simd::vectors::{intrinsics, memory};
use crate::simd::{Sealed, U64s};
use core::arch::x86_64::*;

/// Defines a vector type for a number of words. A value of this type proves that this CPU supports
/// AVX-512.
macro_rules! words {
    ($(#[$doc:meta])+ $name:ident) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl $name {
            /// Returns this proof. Only code that has the proof for AVX-512 may call this function.
            pub(super) const fn implied() -> Self {
                Self(())
            }
        }

        impl Sealed for $name {}
    };
}

/// Defines the operations for logic and rotations on a vector type. An instruction computes any
/// function of three bits, which is given as a truth table: 0x96 for `a ^ b ^ c`, and 0xd2 for `a ^
/// (!b & c)`.
macro_rules! logic {
    ($vector:ty, $xor:ident, $logic:ident, $rotate:ident, $splat:ident) => {
        const STORES_INVERTED_WORDS: bool = false;
        type U64 = $vector;
        intrinsics! {
            fn xor_u64(a: $vector, b: $vector) -> $vector = $xor(a, b);
            fn xor3_u64(a: $vector, b: $vector, c: $vector) -> $vector = $logic::<0x96>(a, b, c);
            fn rotate_u64(a: $vector, by: u32) -> $vector = $rotate(a, $splat(i64::from(by)));
            fn chi_u64(a: $vector, b: $vector, c: $vector, _inverted: [bool; 4]) -> $vector =
                $logic::<0xd2>(a, b, c);
        }
    };
}

words! {
    /// A word in the low half of a 128-bit vector.
    LowWord
}

impl U64s for LowWord {
    const LANES_U64: usize = 1;
    #[inline(always)]
    fn load_u64(self, src: &[u64]) -> __m128i {
        self.splat_u64(src[0])
    }
    #[inline(always)]
    fn store_u64(self, v: __m128i, dst: &mut [u64]) {
        // SAFETY: `self` proves AVX-512.
        dst[0] = unsafe { _mm_cvtsi128_si64(v) }.cast_unsigned();
    }
    intrinsics! { fn splat_u64(x: u64) -> __m128i = _mm_cvtsi64_si128(x.cast_signed()); }
    logic!(__m128i, _mm_xor_si128, _mm_ternarylogic_epi64, _mm_rolv_epi64, _mm_set1_epi64x);
}

words! {
    /// Two words in a 128-bit vector.
    WordPair
}

impl U64s for WordPair {
    const LANES_U64: usize = 2;
    memory!(load_u64, store_u64, u64, 2, __m128i, _mm_loadu_si128, _mm_storeu_si128);
    intrinsics! { fn splat_u64(x: u64) -> __m128i = _mm_set1_epi64x(x.cast_signed()); }
    logic!(__m128i, _mm_xor_si128, _mm_ternarylogic_epi64, _mm_rolv_epi64, _mm_set1_epi64x);
}

words! {
    /// Four words in a 256-bit vector.
    FourWords
}

impl U64s for FourWords {
    const LANES_U64: usize = 4;
    memory!(load_u64, store_u64, u64, 4, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);
    intrinsics! { fn splat_u64(x: u64) -> __m256i = _mm256_set1_epi64x(x.cast_signed()); }
    logic!(__m256i, _mm256_xor_si256, _mm256_ternarylogic_epi64, _mm256_rolv_epi64, _mm256_set1_epi64x);
}
