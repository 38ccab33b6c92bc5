//! AVX2: 256-bit vectors, and BMI for what stays scalar.

use super::super::{Sealed, Simd};
use super::{Sse2, detect, intrinsics, keep_below, memory, total};
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

/// How to bring fields of 14 bits into place. The bits of a field stand in three bytes: the first two and the last two
/// are taken as numbers, and by products one goes down and one up.
struct Fields14 {
    /// Places of the bytes of the number that goes down, in the 14 bytes of eight fields; in the upper half of a
    /// vector they stand behind two others.
    down: [u8; 32],
    /// The same of the number that goes up.
    up: [u8; 32],
    /// The high half of a product with this goes down.
    by_down: [u16; 16],
    /// The low half of a product with this goes up.
    by_up: [u16; 16],
}

/// In little-endian and in big-endian order.
static FIELDS14: [Fields14; 2] = {
    const EMPTY: Fields14 = Fields14 { down: [0; 32], up: [0; 32], by_down: [0; 16], by_up: [0; 16] };
    let mut tables = [EMPTY; 2];
    let mut i = 0;
    while i < 16 {
        // 8, 6, 4 or 2 bits of the first byte belong to the fields before. Field 0 begins behind a byte that there
        // is not: 0x80 reads as zero.
        let shift = 8 - 2 * (i % 4);
        let first = (14 * (i % 8) as i32 - shift as i32) / 8 + i as i32 / 8 * 2;
        let (a, b, c) = (if first < 0 { 0x80 } else { first as u8 }, (first + 1) as u8, (first + 2) as u8);
        let [little, big] = &mut tables;
        (little.down[2 * i], little.down[2 * i + 1]) = (a, b);
        (little.up[2 * i], little.up[2 * i + 1]) = (b, c);
        (little.by_down[i], little.by_up[i]) = (1 << (16 - shift), 1 << (8 - shift));
        (big.up[2 * i], big.up[2 * i + 1]) = (b, a);
        (big.down[2 * i], big.down[2 * i + 1]) = (c, b);
        (big.by_down[i], big.by_up[i]) = (1 << (6 + shift), 1 << (shift - 2));
        i += 1;
    }
    tables
};

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
        fn mulhi_i16(a: __m256i, b: __m256i) -> __m256i = _mm256_mulhi_epi16(a, b);
        fn thirds_i16(a: __m256i) -> __m256i = _mm256_mulhrs_epi16(a, _mm256_set1_epi16(3));
        fn max_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epu16(a, b);
        fn and_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        fn or_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        fn xor_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        fn shl_u16(a: __m256i, by: u32) -> __m256i = _mm256_sll_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn shr_u16(a: __m256i, by: u32) -> __m256i = _mm256_srl_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn no_squares() -> (__m256i, __m256i) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        // A step is below 2^31, so no sum passes 2^31 unseen.
        fn add_squares(sum: (__m256i, __m256i), v: __m256i) -> (__m256i, __m256i) = {
            let next = _mm256_add_epi32(sum.0, _mm256_madd_epi16(v, v));
            (next, _mm256_or_si256(sum.1, next))
        };
    }
    type Squares = (__m256i, __m256i);
    total!(8, __m256i, _mm256_storeu_si256);
    #[inline(always)]
    fn unpack14(self, big: bool, src: &[u8], out: &mut [u16]) {
        let table = if big { &FIELDS14[1] } else { &FIELDS14[0] };
        let (by_down, by_up) = (self.load_u16(&table.by_down), self.load_u16(&table.by_up));
        for (src, out) in src.chunks_exact(28).zip(out.chunks_exact_mut(16)) {
            // SAFETY: `self` proves AVX2; the rows of the table have 32 bytes, and both loads stay in 28.
            let (down, up) = unsafe {
                let (low, high) = (_mm_loadu_si128(src.as_ptr().cast()), _mm_loadu_si128(src[12..].as_ptr().cast()));
                let bytes = _mm256_set_m128i(high, low);
                let (down, up) = (_mm256_loadu_si256(table.down.as_ptr().cast()), table.up.as_ptr().cast());
                (_mm256_shuffle_epi8(bytes, down), _mm256_shuffle_epi8(bytes, _mm256_loadu_si256(up)))
            };
            let x = self.or_u16(self.mulhi_u16(down, by_down), self.mullo_u16(up, by_up));
            self.store_u16(self.and_u16(x, self.splat_u16(0x3fff)), out);
        }
    }
    #[inline(always)]
    fn keep_below_u16(self, v: __m256i, limit: u16, dst: &mut [u16]) -> usize {
        let mut lanes = [0; 16];
        self.store_u16(v, &mut lanes);
        keep_below(lanes, limit, dst)
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
