//! AVX2: 256-bit vectors, and BMI for single lanes. Algorithms such as the NTT are in `engine`.

use super::bmi::Bmi;
use super::fields::{FieldsU32, pack_u32, unpack_u32};
use super::intrinsics::*;
use super::{SET_BIT_POSITIONS, Sse2, bytes16, columns, detect};
use crate::simd::lanes::one_number;
use crate::simd::vectors::{intrinsics, keep_below, load, long_level_array, memory, total};
use crate::simd::{BitOrder, F32s, F64s, Frame, I64s, RealRows, Sealed, Simd, U16s, U32s, U64s};

/// The proof that this CPU supports AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Returns the proof if this CPU supports the instructions.
    pub fn detect() -> Option<Self> {
        detect::has_avx2().then_some(Self(()))
    }

    /// Returns the proof. The caller must have the proof for an instruction set that includes AVX2.
    pub(super) const fn implied() -> Self {
        Self(())
    }
}

impl Sealed for Avx2 {}

/// Tables to align 14-bit fields. A field's bits are in three bytes: the first two form a number,
/// as do the last two. In little-endian order, multiplications shift the first number to the right
/// and the second to the left. In big-endian order, they shift the opposite way.
struct Field14Moves {
    /// The positions of the bytes to shift to the right. Each half of a vector contains 14 bytes
    /// for eight fields, and two unused bytes, which come before the 14 bytes in the upper half.
    down_bytes: [u8; 32],
    /// The positions of the bytes to shift to the left.
    up_bytes: [u8; 32],
    /// For each field, the factor that shifts to the right (in the high half of the product).
    down_factors: [u16; 16],
    /// For each field, the factor that shifts to the left (in the low half of the product).
    up_factors: [u16; 16],
}

/// The tables for the little-endian order and for the big-endian order.
static FIELDS14: [Field14Moves; 2] = {
    const EMPTY: Field14Moves =
        Field14Moves { down_bytes: [0; 32], up_bytes: [0; 32], down_factors: [0; 16], up_factors: [0; 16] };
    let mut tables = [EMPTY; 2];
    let mut i = 0;
    while i < 16 {
        // `shift` bits of the first byte belong to other fields: 8, 6, 4 or 2 bits. For field 0, no
        // first byte exists, so its position is 0x80, for which the shuffle returns zero.
        let shift = 8 - 2 * (i % 4);
        let first_byte = (14 * (i % 8) as i32 - shift as i32) / 8 + i as i32 / 8 * 2;
        let a = if first_byte < 0 { 0x80 } else { first_byte as u8 };
        let b = (first_byte + 1) as u8;
        let c = (first_byte + 2) as u8;
        let [little, big] = &mut tables;
        little.down_bytes[2 * i] = a;
        little.down_bytes[2 * i + 1] = b;
        little.up_bytes[2 * i] = b;
        little.up_bytes[2 * i + 1] = c;
        little.down_factors[i] = 1 << (16 - shift);
        little.up_factors[i] = 1 << (8 - shift);
        big.up_bytes[2 * i] = b;
        big.up_bytes[2 * i + 1] = a;
        big.down_bytes[2 * i] = c;
        big.down_bytes[2 * i + 1] = b;
        big.down_factors[i] = 1 << (6 + shift);
        big.up_factors[i] = 1 << (shift - 2);
        i += 1;
    }
    tables
};

impl Frame for Avx2 {
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn frame<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: `self` proves these instruction sets.
        unsafe { frame(f) }
    }
}

impl Simd for Avx2 {
    const NAME: &'static str = "avx2";
    type Half = Sse2;
    type OneState = Bmi;
    type TwoStates = Bmi;
    type FourStates = Self;
    type ManyStates = Self;
    type F32s = Self;
    type Integers = Self;
    type Keygen = Self;

    #[inline(always)]
    fn half(self) -> Sse2 {
        Sse2::implied()
    }
    #[inline(always)]
    fn one_state(self) -> Bmi {
        Bmi::implied()
    }
    #[inline(always)]
    fn two_states(self) -> Bmi {
        Bmi::implied()
    }
    #[inline(always)]
    fn four_states(self) -> Self {
        self
    }
    #[inline(always)]
    fn many_states(self) -> Self {
        self
    }
    #[inline(always)]
    fn f32s(self) -> Option<Self> {
        Some(self)
    }
    #[inline(always)]
    fn integers(self) -> Self {
        self
    }
    #[inline(always)]
    fn keygen(self) -> Self {
        self
    }
}

impl U16s for Avx2 {
    const LANES_U16: usize = 16;
    type U16 = __m256i;
    type Squares = (__m256i, __m256i);
    memory!(load_u16, store_u16, u16, 16, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);
    intrinsics! {
        fn splat_u16(x: u16) -> __m256i = _mm256_set1_epi16(x.cast_signed());
        fn add_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi16(a, b);
        fn sub_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi16(a, b);
        fn min_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epu16(a, b);
        fn max_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epu16(a, b);
        fn mullo_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_mullo_epi16(a, b);
        fn mulhi_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_mulhi_epu16(a, b);
        fn mulhi_i16(a: __m256i, b: __m256i) -> __m256i = _mm256_mulhi_epi16(a, b);
        fn thirds_i16(a: __m256i) -> __m256i = _mm256_mulhrs_epi16(a, _mm256_set1_epi16(3));
        fn and_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        fn or_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        fn xor_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        fn shl_u16(a: __m256i, by: u32) -> __m256i = _mm256_sll_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn shr_u16(a: __m256i, by: u32) -> __m256i = _mm256_srl_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn no_squares() -> (__m256i, __m256i) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        // Each addend is less than 2^31. So the first sum that reaches 2^31 has bit 31 set.
        fn add_squares(sum: (__m256i, __m256i), v: __m256i) -> (__m256i, __m256i) = {
            let next = _mm256_add_epi32(sum.0, _mm256_madd_epi16(v, v));
            (next, _mm256_or_si256(sum.1, next))
        };
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
    total!(8, __m256i, _mm256_storeu_si256);
    #[inline(always)]
    fn unpack14(self, order: BitOrder, src: &[u8], out: &mut [u16]) {
        let table = match order {
            BitOrder::Little => &FIELDS14[0],
            BitOrder::Big => &FIELDS14[1],
        };
        let down_factors = self.load_u16(&table.down_factors);
        let up_factors = self.load_u16(&table.up_factors);
        for (src, out) in src.chunks_exact(28).zip(out.chunks_exact_mut(16)) {
            // SAFETY: `self` proves AVX2; the tables have 32 bytes, and both loads from `src` stay
            // in its 28 bytes.
            let (down_bytes, up_bytes) = unsafe {
                let low = _mm_loadu_si128(src.as_ptr().cast());
                let high = _mm_loadu_si128(src[12..].as_ptr().cast());
                let bytes = _mm256_set_m128i(high, low);
                let down_bytes = _mm256_loadu_si256(table.down_bytes.as_ptr().cast());
                let up_bytes = _mm256_loadu_si256(table.up_bytes.as_ptr().cast());
                (_mm256_shuffle_epi8(bytes, down_bytes), _mm256_shuffle_epi8(bytes, up_bytes))
            };
            let x = self.or_u16(self.mulhi_u16(down_bytes, down_factors), self.mullo_u16(up_bytes, up_factors));
            self.store_u16(self.and_u16(x, self.splat_u16(0x3fff)), out);
        }
    }
    #[inline(always)]
    fn keep_below_u16(self, v: __m256i, limit: u16, dst: &mut [u16]) -> usize {
        let mut lanes = [0; 16];
        self.store_u16(v, &mut lanes);
        keep_below(lanes, limit, dst)
    }
}

impl Avx2 {
    intrinsics! { fn and_u32(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b); }
    /// Loads eight 3-byte numbers from the start of `src`, and clears bit 23 of the numbers.
    #[inline(always)]
    fn load_u23(self, src: &[u8]) -> __m256i {
        // SAFETY: `self` proves AVX2.
        let fields = unsafe { const { FieldsU32::new(24, 8) }.read(&src[..24]) };
        self.and_u32(fields, self.splat_u32(0x7f_ffff))
    }
}

/// Shuffles all odd 32-bit lanes to the even lanes before them, because Zen 4 can shuffle three
/// vectors in a cycle, but shift only two. Callers ignore the odd lanes of the result.
///
/// # Safety
/// This CPU must support AVX2.
#[inline(always)]
unsafe fn odd_lanes(v: __m256i) -> __m256i {
    // SAFETY: the caller guarantees AVX2.
    unsafe { _mm256_shuffle_epi32::<0xf5>(v) }
}

/// As `vpmuludq` multiplies only even 32-bit lanes, this code moves the odd lanes to even lanes to
/// multiply them as well, and combines the high words of the products.
impl U32s for Avx2 {
    const LANES_U32: usize = 8;
    type U32 = __m256i;
    type Products = (__m256i, __m256i);
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
        fn add_u32(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        fn sub_u32(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi32(a, b);
        fn product_u32(a: __m256i, b: __m256i, p: __m256i, p0i: __m256i) -> __m256i = {
            let x = _mm256_mul_epu32(a, b);
            let y = _mm256_mul_epu32(odd_lanes(a), odd_lanes(b));
            let x = _mm256_add_epi64(x, _mm256_mul_epu32(_mm256_mul_epu32(x, p0i), p));
            let y = _mm256_add_epi64(y, _mm256_mul_epu32(_mm256_mul_epu32(y, p0i), p));
            _mm256_blend_epi32::<0xaa>(odd_lanes(x), y)
        };
        fn times_u32(a: __m256i, w: __m256i, ratio: __m256i, p: __m256i) -> __m256i = {
            let x = _mm256_mul_epu32(a, ratio);
            let y = _mm256_mul_epu32(odd_lanes(a), odd_lanes(ratio));
            let quotient = _mm256_blend_epi32::<0xaa>(odd_lanes(x), y);
            _mm256_sub_epi32(_mm256_mullo_epi32(a, w), _mm256_mullo_epi32(quotient, p))
        };
        fn lanes_below_u32(v: __m256i, limit: u32) -> u32 = {
            let below = _mm256_cmpgt_epi32(_mm256_set1_epi32(limit.cast_signed()), v);
            _mm256_movemask_ps(_mm256_castsi256_ps(below)).cast_unsigned()
        };
        fn no_products() -> (__m256i, __m256i) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        fn add_product(sum: (__m256i, __m256i), a: __m256i, b: __m256i) -> (__m256i, __m256i) = {
            let x = _mm256_mul_epu32(a, b);
            let y = _mm256_mul_epu32(odd_lanes(a), odd_lanes(b));
            (_mm256_add_epi64(sum.0, x), _mm256_add_epi64(sum.1, y))
        };
        fn sum_of_products(sum: (__m256i, __m256i), p: __m256i, p0i: __m256i) -> __m256i = {
            let x = _mm256_add_epi64(sum.0, _mm256_mul_epu32(_mm256_mul_epu32(sum.0, p0i), p));
            let y = _mm256_add_epi64(sum.1, _mm256_mul_epu32(_mm256_mul_epu32(sum.1, p0i), p));
            _mm256_blend_epi32::<0xaa>(odd_lanes(x), y)
        };
        fn unzip_u32<const D: usize>(a: __m256i, b: __m256i) -> (__m256i, __m256i) = match D {
            1 => {
                let x = _mm256_castsi256_ps(a);
                let y = _mm256_castsi256_ps(b);
                let even = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(x, y));
                let odd = _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(x, y));
                (_mm256_permute4x64_epi64::<0xd8>(even), _mm256_permute4x64_epi64::<0xd8>(odd))
            }
            2 => {
                let even = _mm256_unpacklo_epi64(a, b);
                let odd = _mm256_unpackhi_epi64(a, b);
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
    fn times_each_u32<const G: usize>(
        self,
        mut a: [__m256i; G],
        w: [__m256i; G],
        ratios: [__m256i; G],
        p: __m256i,
    ) -> [__m256i; G] {
        let mut products = [[p; G]; 2];
        // SAFETY: `self` proves AVX2.
        unsafe {
            for i in 0..G {
                products[0][i] = _mm256_mul_epu32(a[i], ratios[i]);
                products[1][i] = _mm256_mul_epu32(odd_lanes(a[i]), odd_lanes(ratios[i]));
            }
            for i in 0..G {
                a[i] = _mm256_mullo_epi32(a[i], w[i]);
            }
            for i in 0..G {
                products[0][i] = _mm256_blend_epi32::<0xaa>(odd_lanes(products[0][i]), products[1][i]);
            }
            for i in 0..G {
                products[0][i] = _mm256_mullo_epi32(products[0][i], p);
            }
            for i in 0..G {
                a[i] = _mm256_sub_epi32(a[i], products[0][i]);
            }
        }
        a
    }
    #[inline(always)]
    fn halve_blocks_u32<const D: usize>(self, even: __m256i, odd: __m256i) -> (__m256i, __m256i) {
        match D {
            2 => self.interleave_u16::<2>(even, odd),
            4 => self.interleave_u16::<4>(even, odd),
            _ => self.interleave_u16::<8>(even, odd),
        }
    }
    #[inline(always)]
    fn double_blocks_u32<const D: usize>(self, even: __m256i, odd: __m256i) -> (__m256i, __m256i) {
        match D {
            1 => self.interleave_u16::<2>(even, odd),
            2 => self.interleave_u16::<4>(even, odd),
            _ => self.interleave_u16::<8>(even, odd),
        }
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
    #[inline(always)]
    fn unpack_u32<const BITS: usize>(self, src: &[u8], out: &mut [u32]) {
        // SAFETY: `self` proves AVX2.
        unsafe { unpack_u32::<BITS>(src, out) };
    }
    #[inline(always)]
    fn pack_u32<const BITS: usize>(self, fields: &[u32], out: &mut [u8]) {
        // SAFETY: `self` proves AVX2.
        unsafe { pack_u32::<BITS>(fields, out) };
    }
    #[inline(always)]
    fn keep_lanes_u32(self, v: __m256i, chosen: u32, dst: &mut [u32]) -> usize {
        let positions = &SET_BIT_POSITIONS[usize::from(chosen as u8)];
        // SAFETY: `self` proves AVX2, and `positions` has 8 bytes.
        let kept_lanes = unsafe {
            let lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(core::ptr::from_ref(positions).cast()));
            _mm256_permutevar8x32_epi32(v, lanes)
        };
        self.store_u32(kept_lanes, dst);
        chosen.count_ones() as usize
    }
    #[inline(always)]
    fn keep_below_u23(self, src: &[u8], limit: u32, dst: &mut [u32]) -> usize {
        let v = self.load_u23(src);
        self.keep_lanes_u32(v, self.lanes_below_u32(v, limit.min(1 << 23)), dst)
    }
}

impl U64s for Avx2 {
    const LANES_U64: usize = 4;
    const STORES_INVERTED_WORDS: bool = false;
    type U64 = __m256i;
    memory!(load_u64, store_u64, u64, 4, __m256i, _mm256_loadu_si256, _mm256_storeu_si256);
    intrinsics! {
        fn splat_u64(x: u64) -> __m256i = _mm256_set1_epi64x(x.cast_signed());
        fn xor_u64(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        fn xor3_u64(a: __m256i, b: __m256i, c: __m256i) -> __m256i = _mm256_xor_si256(_mm256_xor_si256(a, b), c);
        fn rotate_u64(a: __m256i, by: u32) -> __m256i = match by {
            // Shift by an addition: Zen 4 adds four vectors in a cycle, but shifts only two.
            1 => _mm256_or_si256(_mm256_add_epi64(a, a), _mm256_srli_epi64::<63>(a)),
            8 => {
                let bytes = _mm_set_epi64x(0x0e0d_0c0b_0a09_080f, 0x0605_0403_0201_0007);
                _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(bytes))
            }
            56 => {
                let bytes = _mm_set_epi64x(0x080f_0e0d_0c0b_0a09, 0x0007_0605_0403_0201);
                _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(bytes))
            }
            _ => _mm256_or_si256(
                _mm256_sll_epi64(a, _mm_cvtsi32_si128(by.cast_signed())),
                _mm256_srl_epi64(a, _mm_cvtsi32_si128(64 - by.cast_signed())),
            ),
        };
        fn chi_u64(a: __m256i, b: __m256i, c: __m256i, _inverted: [bool; 4]) -> __m256i =
            _mm256_xor_si256(a, _mm256_andnot_si256(b, c));
    }
}

/// Implements [`I64s`] with 256-bit vectors, for `avx2` and `avx512`. The code adds four unsigned
/// products of 32-bit halves. A negative factor is too large by `2^64` in these products, so the
/// code subtracts the other factor from `high`.
macro_rules! i64s_256 {
    () => {
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
                let ah = _mm256_srli_epi64::<32>(a);
                let bh = _mm256_srli_epi64::<32>(b);
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
                    let even = _mm256_unpacklo_epi64(a, b);
                    let odd = _mm256_unpackhi_epi64(a, b);
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
    };
}
pub(super) use i64s_256;

impl I64s for Avx2 {
    i64s_256!();
}

impl F32s for Avx2 {
    const LANES_F32: usize = 8;
    const HAS_LOOKUP: bool = true;
    type I32 = __m256i;
    type F32 = __m256;
    type UpToEight = Self;
    long_level_array!();

    #[inline(always)]
    fn up_to_eight(self) -> Self {
        self
    }
    memory!(load_f32, store_f32, f32, 8, __m256, _mm256_loadu_ps, _mm256_storeu_ps);

    #[inline(always)]
    fn words_every_11_bytes(self, src: &[u8]) -> [__m256i; 3] {
        let src = &src[..93];
        // SAFETY: the last row ends at byte 7 * 11 + 16 = 93, the length of `src`; `self` proves
        // AVX2.
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
    fn lookup_i32(self, table: &[i32; 16], index: __m256i) -> __m256i {
        // SAFETY: both halves of `table` contain 8 values; `self` proves AVX2.
        unsafe {
            let low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(table.as_ptr().cast()), index);
            let high = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(table.as_ptr().add(8).cast()), index);
            // Move bit 3 of the index to the sign bit, which selects between `low` and `high`.
            let choice = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(index));
            _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), choice))
        }
    }
    #[inline(always)]
    fn lookup_u8(self, table: &[u8; 128], index: __m256i) -> __m256i {
        let (rows, _) = table[..80].as_chunks::<16>();
        // SAFETY: each row contains 16 bytes; `self` proves AVX2.
        unsafe {
            // If the highest bit of an index byte is set, the shuffle returns zero. The saturated
            // sum with 0x70 sets this bit if the index is not below 16. The three upper index bytes
            // in a lane are 0xff, so their results are zero for all five rows.
            let mut byte_index = _mm256_or_si256(index, _mm256_set1_epi32(!0xff));
            let mut values = _mm256_setzero_si256();
            for row in rows {
                let row = _mm256_broadcastsi128_si256(_mm_loadu_si128(row.as_ptr().cast()));
                let row_index = _mm256_adds_epu8(byte_index, _mm256_set1_epi8(0x70));
                values = _mm256_or_si256(values, _mm256_shuffle_epi8(row, row_index));
                byte_index = _mm256_sub_epi8(byte_index, _mm256_set1_epi8(16));
            }
            values
        }
    }
    intrinsics! {
        fn floor(x: f64) -> f64 = _mm_cvtsd_f64(_mm_floor_sd(_mm_setzero_pd(), _mm_set_sd(x)));
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

impl RealRows for Avx2 {
    one_number!();
    const LANES_F64: usize = 4;
    type Real = f64;
    type F64 = __m256d;
    memory!(load_f64, store_f64, f64, 4, __m256d, _mm256_loadu_pd, _mm256_storeu_pd);
    load!(load_bits, u64, 4, __m256d, _mm256_loadu_pd);
    intrinsics! {
        fn splat_f64(x: f64) -> __m256d = _mm256_set1_pd(x);
        fn add_f64(a: __m256d, b: __m256d) -> __m256d = _mm256_add_pd(a, b);
        fn sub_f64(a: __m256d, b: __m256d) -> __m256d = _mm256_sub_pd(a, b);
        fn mul_f64(a: __m256d, b: __m256d) -> __m256d = _mm256_mul_pd(a, b);
        fn neg_f64(a: __m256d) -> __m256d = _mm256_xor_pd(a, _mm256_set1_pd(-0.0));
        fn half_f64(a: __m256d) -> __m256d = _mm256_mul_pd(a, _mm256_set1_pd(0.5));
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
}

impl F64s for Avx2 {
    type EightF64 = [__m256d; 2];
    intrinsics! {
        fn div_f64(a: __m256d, b: __m256d) -> __m256d = _mm256_div_pd(a, b);
    }
}
