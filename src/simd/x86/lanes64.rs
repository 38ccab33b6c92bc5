//! Keccak's vectors of 64-bit lanes.

use super::super::lanes64::one_word;
use super::super::{Bits64, Lanes64, Sealed, Word};
use super::{Avx2, Avx512, Sse2, intrinsics};
use core::arch::x86_64::*;

/// One word, and BMI's `andn`.
#[derive(Clone, Copy, Debug)]
pub struct Bmi(());

impl Sealed for Bmi {}

impl Bits64 for Bmi {
    const INVERTS: bool = false;
    one_word!();
    #[inline(always)]
    fn chi(self, a: u64, b: u64, c: u64, _: [bool; 4]) -> u64 {
        a ^ (!b & c)
    }
}

/// The loads and stores of vectors of 64-bit lanes.
macro_rules! memory64 {
    ($lanes:expr, $vector:ty, $loadu:ident, $storeu:ident) => {
        const LANES: usize = $lanes;
        type V = $vector;
        super::memory!(load, store, u64, $lanes, $vector, $loadu, $storeu);
    };
}

/// AVX-512's logic on 128-bit vectors.
macro_rules! logic128 {
    () => {
        intrinsics! {
            fn xor(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
            fn xor3(a: __m128i, b: __m128i, c: __m128i) -> __m128i = _mm_ternarylogic_epi64::<0x96>(a, b, c);
            fn rotate(a: __m128i, by: u32) -> __m128i = _mm_rolv_epi64(a, _mm_set1_epi64x(i64::from(by)));
            fn chi(a: __m128i, b: __m128i, c: __m128i, _inverted: [bool; 4]) -> __m128i =
                _mm_ternarylogic_epi64::<0xd2>(a, b, c);
        }
    };
}

/// One lane in the low half of a 128-bit vector, with AVX-512's three-operand logic and rotations.
#[derive(Clone, Copy, Debug)]
pub struct Low(());

impl Sealed for Low {}

impl Bits64 for Low {
    const LANES: usize = 1;
    const HAS_XOR3: bool = true;
    const INVERTS: bool = false;
    type V = __m128i;
    #[inline(always)]
    fn load(self, src: &[u64]) -> __m128i {
        self.splat(src[0])
    }
    #[inline(always)]
    fn store(self, v: __m128i, dst: &mut [u64]) {
        // SAFETY: `self` proves AVX-512.
        dst[0] = unsafe { _mm_cvtsi128_si64(v) }.cast_unsigned();
    }
    intrinsics! { fn splat(x: u64) -> __m128i = _mm_cvtsi64_si128(x.cast_signed()); }
    logic128!();
}

/// Both lanes of it.
#[derive(Clone, Copy, Debug)]
pub struct Both(());

impl Sealed for Both {}

impl Bits64 for Both {
    const HAS_XOR3: bool = true;
    const INVERTS: bool = false;
    memory64!(2, __m128i, _mm_loadu_si128, _mm_storeu_si128);
    intrinsics! { fn splat(x: u64) -> __m128i = _mm_set1_epi64x(x.cast_signed()); }
    logic128!();
}

impl Bits64 for Sse2 {
    const HAS_XOR3: bool = false;
    const INVERTS: bool = false;
    memory64!(2, __m128i, _mm_loadu_si128, _mm_storeu_si128);
    intrinsics! {
        fn splat(x: u64) -> __m128i = _mm_set1_epi64x(x.cast_signed());
        fn xor(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
        fn xor3(a: __m128i, b: __m128i, c: __m128i) -> __m128i = _mm_xor_si128(_mm_xor_si128(a, b), c);
        fn rotate(a: __m128i, by: u32) -> __m128i = _mm_or_si128(
            _mm_sll_epi64(a, _mm_cvtsi32_si128(by.cast_signed())),
            _mm_srl_epi64(a, _mm_cvtsi32_si128(64 - by.cast_signed())),
        );
        fn chi(a: __m128i, b: __m128i, c: __m128i, _inverted: [bool; 4]) -> __m128i =
            _mm_xor_si128(a, _mm_andnot_si128(b, c));
    }
}

impl Bits64 for Avx2 {
    const HAS_XOR3: bool = false;
    const INVERTS: bool = false;
    memory64!(4, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);
    intrinsics! {
        fn splat(x: u64) -> __m256i = _mm256_set1_epi64x(x.cast_signed());
        fn xor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i = _mm256_xor_si256(_mm256_xor_si256(a, b), c);
        fn rotate(a: __m256i, by: u32) -> __m256i = _mm256_or_si256(
            _mm256_sll_epi64(a, _mm_cvtsi32_si128(by.cast_signed())),
            _mm256_srl_epi64(a, _mm_cvtsi32_si128(64 - by.cast_signed())),
        );
        fn chi(a: __m256i, b: __m256i, c: __m256i, _inverted: [bool; 4]) -> __m256i =
            _mm256_xor_si256(a, _mm256_andnot_si256(b, c));
    }
}

impl Bits64 for Avx512 {
    const HAS_XOR3: bool = true;
    const INVERTS: bool = false;
    memory64!(8, __m512i, _mm512_loadu_si512, _mm512_storeu_si512);
    intrinsics! {
        fn splat(x: u64) -> __m512i = _mm512_set1_epi64(x.cast_signed());
        fn xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<0x96>(a, b, c);
        fn rotate(a: __m512i, by: u32) -> __m512i = _mm512_rolv_epi64(a, _mm512_set1_epi64(i64::from(by)));
        fn chi(a: __m512i, b: __m512i, c: __m512i, _inverted: [bool; 4]) -> __m512i =
            _mm512_ternarylogic_epi64::<0xd2>(a, b, c);
    }
}

/// The levels and their vectors.
macro_rules! lanes64 {
    ($($level:ty: $one:ty = $one_proof:expr, $two:ty = $two_proof:expr, $many:ty = $many_proof:expr;)+) => {$(
        impl Lanes64 for $level {
            type One = $one;
            type Two = $two;
            type Many = $many;
            #[inline(always)]
            fn one(self) -> $one {
                $one_proof
            }
            #[inline(always)]
            fn two(self) -> $two {
                $two_proof
            }
            #[inline(always)]
            fn many(self) -> $many {
                $many_proof(self)
            }
        }
    )+};
}
lanes64! {
    Sse2: Word = Word, Word = Word, Sse2 = core::convert::identity;
    Avx2: Bmi = Bmi(()), Bmi = Bmi(()), Avx2 = core::convert::identity;
    Avx512: Low = Low(()), Both = Both(()), Avx512 = core::convert::identity;
}
