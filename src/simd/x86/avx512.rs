//! AVX-512 with F, BW, DQ, VL, VBMI and VBMI2 (Ice Lake, Zen 4 and later): 512-bit vectors.

use super::super::{Sealed, Simd};
use super::{Avx2, detect, intrinsics, memory, total};
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

/// For 14-bit fields in little-endian and big-endian order: the byte of 56 that each byte of eight 7-byte groups comes
/// from, and the bit of its group that each byte of the result begins with.
static FIELDS14: [([u8; 64], [u8; 64]); 2] = {
    let mut tables = [([0; 64], [0; 64]); 2];
    let mut i = 0;
    while i < 64 {
        let (group, byte) = (i / 8 * 7, i % 8);
        let used = if byte < 7 { byte } else { 6 };
        tables[0].0[i] = (group + used) as u8;
        tables[1].0[i] = (group + 6 - used) as u8;
        let (field, half) = (byte / 2, byte % 2);
        tables[0].1[i] = (14 * field + 8 * half) as u8;
        tables[1].1[i] = (42 - 14 * field + 8 * half) as u8;
        i += 1;
    }
    tables
};

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
        fn mulhi_i16(a: __m512i, b: __m512i) -> __m512i = _mm512_mulhi_epi16(a, b);
        fn thirds_i16(a: __m512i) -> __m512i = _mm512_mulhrs_epi16(a, _mm512_set1_epi16(3));
        fn max_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epu16(a, b);
        fn and_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        fn or_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        fn xor_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        fn shl_u16(a: __m512i, by: u32) -> __m512i = _mm512_sll_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn shr_u16(a: __m512i, by: u32) -> __m512i = _mm512_srl_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn no_squares() -> (__m512i, __m512i) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        // A step is below 2^31, so no sum passes 2^31 unseen.
        fn add_squares(sum: (__m512i, __m512i), v: __m512i) -> (__m512i, __m512i) = {
            let next = _mm512_add_epi32(sum.0, _mm512_madd_epi16(v, v));
            (next, _mm512_or_si512(sum.1, next))
        };
    }
    type Squares = (__m512i, __m512i);
    total!(16, __m512i, _mm512_storeu_si512);
    #[inline(always)]
    fn keep_below_u16(self, v: __m512i, limit: u16, dst: &mut [u16]) -> usize {
        // SAFETY: `self` proves AVX-512. (To memory, the compressing store is ten times slower.)
        let (kept, count) = unsafe {
            let mask = _mm512_cmplt_epu16_mask(v, self.splat_u16(limit));
            (_mm512_maskz_compress_epi16(mask, v), mask.count_ones())
        };
        self.store_u16(kept, dst);
        count as usize
    }
    #[inline(always)]
    fn unpack14(self, big: bool, src: &[u8], out: &mut [u16]) {
        let tables = if big { &FIELDS14[1] } else { &FIELDS14[0] };
        // SAFETY: `self` proves AVX-512; the tables have 64 bytes each, of `src` 56 are read at a time.
        unsafe {
            let bytes = _mm512_loadu_si512(tables.0.as_ptr().cast());
            let shifts = _mm512_loadu_si512(tables.1.as_ptr().cast());
            for (src, out) in src.chunks_exact(56).zip(out.chunks_exact_mut(32)) {
                let x = _mm512_maskz_loadu_epi8((1 << 56) - 1, src.as_ptr().cast());
                let x = _mm512_multishift_epi64_epi8(shifts, _mm512_permutexvar_epi8(bytes, x));
                self.store_u16(_mm512_and_si512(x, _mm512_set1_epi16(0x3fff)), out);
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
