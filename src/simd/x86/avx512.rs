//! AVX-512 with F, BW, DQ, VL, VBMI and VBMI2 (Ice Lake, Zen 4 and later): 512-bit vectors.

use super::blocks::BlockShuffle;
#[cfg(fndsa_msan)]
use super::sanitized::{
    _mm512_cmp_ps_mask, _mm512_maskz_compress_epi32, _mm512_maskz_permutex2var_epi8, _mm512_ternarylogic_epi64,
};
use super::words::{FourWords, LowWord, WordPair};
use super::{Avx2, avx2::i64s_256, bytes16, columns, detect};
use crate::simd::lanes::one_number;
use crate::simd::vectors::{intrinsics, load, long_level_array, memory, total};
use crate::simd::{BitOrder, F32s, F64s, Frame, I64s, RealRows, Sealed, Simd, U16s, U32s, U64s};
use core::arch::x86_64::*;

/// The proof that this CPU supports AVX-512 F, BW, DQ, VL, VBMI and VBMI2, and also [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// Returns the proof if this CPU supports the instructions.
    pub fn detect() -> Option<Self> {
        detect::has_avx512().then_some(Self(()))
    }
}

impl Sealed for Avx512 {}

/// Tables for 14-bit fields, in little-endian and in big-endian order. The input consists of eight
/// groups of four fields in seven bytes. For each byte of a vector, the first array contains the
/// position of the input byte that is copied there, so that each 64-bit lane contains a group. The
/// second array contains, for each result byte, the position of its first bit in the lane.
static FIELDS14: [([u8; 64], [u8; 64]); 2] = {
    let mut tables = [([0; 64], [0; 64]); 2];
    let mut i = 0;
    while i < 64 {
        let group = i / 8 * 7;
        let byte = i % 8;
        let byte_in_field = if byte < 7 { byte } else { 6 };
        tables[0].0[i] = (group + byte_in_field) as u8;
        tables[1].0[i] = (group + 6 - byte_in_field) as u8;
        let (field, half) = (byte / 2, byte % 2);
        tables[0].1[i] = (14 * field + 8 * half) as u8;
        tables[1].1[i] = (42 - 14 * field + 8 * half) as u8;
        i += 1;
    }
    tables
};

impl Frame for Avx512 {
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn frame<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: `self` proves these instruction sets.
        unsafe { frame(f) }
    }
}

impl Simd for Avx512 {
    const NAME: &'static str = "avx512";
    type Half = Avx2;
    type OneState = LowWord;
    type TwoStates = WordPair;
    type FourStates = FourWords;
    type ManyStates = Self;
    type F32s = Self;
    type Integers = Self;
    type Keygen = Avx2;

    #[inline(always)]
    fn splits_vectors(self) -> bool {
        detect::splits_512_bit_vectors()
    }
    #[inline(always)]
    fn half(self) -> Avx2 {
        Avx2::implied()
    }
    #[inline(always)]
    fn one_state(self) -> LowWord {
        LowWord::implied()
    }
    #[inline(always)]
    fn two_states(self) -> WordPair {
        WordPair::implied()
    }
    #[inline(always)]
    fn four_states(self) -> FourWords {
        FourWords::implied()
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
    fn keygen(self) -> Avx2 {
        self.half()
    }
}

impl U16s for Avx512 {
    const LANES_U16: usize = 32;
    type U16 = __m512i;
    type Squares = (__m512i, __m512i);
    memory!(load_u16, store_u16, u16, 32, __m512i, _mm512_loadu_si512, _mm512_storeu_si512);
    intrinsics! {
        fn splat_u16(x: u16) -> __m512i = _mm512_set1_epi16(x.cast_signed());
        fn add_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi16(a, b);
        fn sub_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi16(a, b);
        fn min_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epu16(a, b);
        fn max_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epu16(a, b);
        fn mullo_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi16(a, b);
        fn mulhi_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_mulhi_epu16(a, b);
        fn mulhi_i16(a: __m512i, b: __m512i) -> __m512i = _mm512_mulhi_epi16(a, b);
        fn thirds_i16(a: __m512i) -> __m512i = _mm512_mulhrs_epi16(a, _mm512_set1_epi16(3));
        fn and_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        fn or_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        fn xor_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        fn shl_u16(a: __m512i, by: u32) -> __m512i = _mm512_sll_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn shr_u16(a: __m512i, by: u32) -> __m512i = _mm512_srl_epi16(a, _mm_cvtsi32_si128(by.cast_signed()));
        fn no_squares() -> (__m512i, __m512i) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        // Each addend is less than 2^31. So the first sum that reaches 2^31 has bit 31 set.
        fn add_squares(sum: (__m512i, __m512i), v: __m512i) -> (__m512i, __m512i) = {
            let next = _mm512_add_epi32(sum.0, _mm512_madd_epi16(v, v));
            (next, _mm512_or_si512(sum.1, next))
        };
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
    total!(16, __m512i, _mm512_storeu_si512);
    #[inline(always)]
    fn keep_below_u16(self, v: __m512i, limit: u16, dst: &mut [u16]) -> usize {
        // An instruction that compresses and stores would be ten times slower. The code does not
        // use the `compress` instruction that fills the remaining lanes with zeros, because this
        // instruction returns 0 in the emulator Bochs 2.7 if all lanes are kept. SAFETY: `self`
        // proves AVX-512.
        let (kept_lanes, count) = unsafe {
            let mask = _mm512_cmplt_epu16_mask(v, self.splat_u16(limit));
            (_mm512_mask_compress_epi16(v, mask, v), mask.count_ones())
        };
        self.store_u16(kept_lanes, dst);
        count as usize
    }
    #[inline(always)]
    fn unpack14(self, order: BitOrder, src: &[u8], out: &mut [u16]) {
        let tables = match order {
            BitOrder::Little => &FIELDS14[0],
            BitOrder::Big => &FIELDS14[1],
        };
        // SAFETY: `self` proves AVX-512; a table has 64 bytes, and 56 bytes are read from `src`.
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
}

/// Tables to read and write sixteen fields with `BITS` bits. Fields with up to 25 bits can be read,
/// and fields with 4 to 20 bits can be written. Two adjacent fields are written as a pair.
struct SixteenFields<const BITS: usize>;

impl<const BITS: usize> SixteenFields<BITS> {
    /// The number of bytes for sixteen fields.
    const LEN: usize = 2 * BITS;
    /// A mask with a set bit for each of the `LEN` bytes.
    const MASK: u64 = (1 << Self::LEN) - 1;
    /// For each byte of the 16 lanes, the position of the packed byte that is copied there.
    const BYTES: [u8; 64] = {
        let mut bytes = [0; 64];
        let mut i = 0;
        while i < 64 {
            bytes[i] = (i / 4 * BITS / 8 + i % 4) as u8;
            i += 1;
        }
        bytes
    };
    /// For each lane, the distance of the shift that then moves the field to bit 0.
    const SHIFTS: [u32; 16] = {
        let mut shifts = [0; 16];
        let mut i = 0;
        while i < 16 {
            shifts[i] = (i * BITS % 8) as u32;
            i += 1;
        }
        shifts
    };
    /// For each pair, the shift to the bit position at which the pair starts in a packed byte.
    const PAIR_SHIFTS: [u64; 8] = {
        let mut shifts = [0; 8];
        let mut i = 0;
        while i < 8 {
            shifts[i] = (2 * BITS * i % 8) as u64;
            i += 1;
        }
        shifts
    };
    /// An entry for the even pairs, and an entry for the odd pairs. The array in an entry contains,
    /// for each packed byte, its position in the shifted pairs. The mask selects the packed bytes
    /// with bits from these pairs.
    const PAIRS: [([u8; 64], u64); 2] = [Self::pairs(0), Self::pairs(1)];

    /// Returns the entry in [`Self::PAIRS`] for the pairs `first`, `first + 2`, and so on.
    const fn pairs(first: usize) -> ([u8; 64], u64) {
        let mut bytes = [0; 64];
        let mut mask = 0;
        let mut pair = first;
        while pair < 8 {
            let first_byte = 2 * BITS * pair / 8;
            let mut i = 0;
            while 8 * (first_byte + i) < 2 * BITS * (pair + 1) {
                bytes[first_byte + i] = (8 * pair + i) as u8;
                mask |= 1 << (first_byte + i);
                i += 1;
            }
            pair += 2;
        }
        (bytes, mask)
    }
}

/// Loads a vector from a constant table.
macro_rules! lanes {
    ($table:expr) => {
        _mm512_loadu_si512(const { &$table }.as_ptr().cast())
    };
}

/// Shuffles all odd 32-bit lanes to the even lanes before them, because Zen 4 can shuffle more
/// vectors in a cycle than it can shift. Callers ignore the odd lanes of the result.
///
/// # Safety
/// This CPU must support AVX-512F.
#[inline(always)]
unsafe fn odd_lanes(v: __m512i) -> __m512i {
    // SAFETY: the caller guarantees AVX-512F.
    unsafe { _mm512_shuffle_epi32::<0xf5>(v) }
}

impl U32s for Avx512 {
    const LANES_U32: usize = 16;
    type U32 = __m512i;
    type Products = (__m512i, __m512i);
    memory!(load_u32, store_u32, u32, 16, __m512i, _mm512_loadu_si512, _mm512_storeu_si512);
    intrinsics! {
        fn splat_u32(x: u32) -> __m512i = _mm512_set1_epi32(x.cast_signed());
        fn below_u32(a: __m512i, p: __m512i) -> __m512i = _mm512_min_epu32(a, _mm512_sub_epi32(a, p));
        fn add_mod_u32(a: __m512i, b: __m512i, p: __m512i) -> __m512i = {
            let s = _mm512_add_epi32(a, b);
            _mm512_min_epu32(s, _mm512_sub_epi32(s, p))
        };
        fn sub_mod_u32(a: __m512i, b: __m512i, p: __m512i) -> __m512i = {
            let d = _mm512_sub_epi32(a, b);
            _mm512_min_epu32(d, _mm512_add_epi32(d, p))
        };
        fn add_u32(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        fn sub_u32(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        fn product_u32(a: __m512i, b: __m512i, p: __m512i, p0i: __m512i) -> __m512i = {
            let x = _mm512_mul_epu32(a, b);
            let y = _mm512_mul_epu32(odd_lanes(a), odd_lanes(b));
            let x = _mm512_add_epi64(x, _mm512_mul_epu32(_mm512_mul_epu32(x, p0i), p));
            let y = _mm512_add_epi64(y, _mm512_mul_epu32(_mm512_mul_epu32(y, p0i), p));
            _mm512_mask_blend_epi32(0xaaaa, odd_lanes(x), y)
        };
        fn times_u32(a: __m512i, w: __m512i, ratio: __m512i, p: __m512i) -> __m512i = {
            let x = _mm512_mul_epu32(a, ratio);
            let y = _mm512_mul_epu32(odd_lanes(a), odd_lanes(ratio));
            let quotient = _mm512_mask_blend_epi32(0xaaaa, odd_lanes(x), y);
            _mm512_sub_epi32(_mm512_mullo_epi32(a, w), _mm512_mullo_epi32(quotient, p))
        };
        fn lanes_below_u32(v: __m512i, limit: u32) -> u32 =
            u32::from(_mm512_cmplt_epu32_mask(v, _mm512_set1_epi32(limit.cast_signed())));
        fn no_products() -> (__m512i, __m512i) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        fn add_product(sum: (__m512i, __m512i), a: __m512i, b: __m512i) -> (__m512i, __m512i) = {
            let x = _mm512_mul_epu32(a, b);
            let y = _mm512_mul_epu32(odd_lanes(a), odd_lanes(b));
            (_mm512_add_epi64(sum.0, x), _mm512_add_epi64(sum.1, y))
        };
        fn sum_of_products(sum: (__m512i, __m512i), p: __m512i, p0i: __m512i) -> __m512i = {
            let x = _mm512_add_epi64(sum.0, _mm512_mul_epu32(_mm512_mul_epu32(sum.0, p0i), p));
            let y = _mm512_add_epi64(sum.1, _mm512_mul_epu32(_mm512_mul_epu32(sum.1, p0i), p));
            _mm512_mask_blend_epi32(0xaaaa, odd_lanes(x), y)
        };
        fn unzip_u32<const D: usize>(a: __m512i, b: __m512i) -> (__m512i, __m512i) = (
            _mm512_permutex2var_epi32(a, lanes!(BlockShuffle::<D>::EVEN), b),
            _mm512_permutex2var_epi32(a, lanes!(BlockShuffle::<D>::ODD), b),
        );
        fn zip_u32<const D: usize>(even: __m512i, odd: __m512i) -> (__m512i, __m512i) = (
            _mm512_permutex2var_epi32(even, lanes!(BlockShuffle::<D>::LOW), odd),
            _mm512_permutex2var_epi32(even, lanes!(BlockShuffle::<D>::HIGH), odd),
        );
        fn halve_blocks_u32<const D: usize>(even: __m512i, odd: __m512i) -> (__m512i, __m512i) = (
            _mm512_permutex2var_epi32(even, lanes!(BlockShuffle::<D>::HALVED[0]), odd),
            _mm512_permutex2var_epi32(even, lanes!(BlockShuffle::<D>::HALVED[1]), odd),
        );
        fn double_blocks_u32<const D: usize>(even: __m512i, odd: __m512i) -> (__m512i, __m512i) = (
            _mm512_permutex2var_epi32(even, lanes!(BlockShuffle::<D>::DOUBLED[0]), odd),
            _mm512_permutex2var_epi32(even, lanes!(BlockShuffle::<D>::DOUBLED[1]), odd),
        );
    }
    #[inline(always)]
    fn times_each_u32<const G: usize>(
        self,
        mut a: [__m512i; G],
        w: [__m512i; G],
        ratios: [__m512i; G],
        p: __m512i,
    ) -> [__m512i; G] {
        let mut products = [[p; G]; 2];
        // SAFETY: `self` proves AVX-512.
        unsafe {
            for i in 0..G {
                products[0][i] = _mm512_mul_epu32(a[i], ratios[i]);
                products[1][i] = _mm512_mul_epu32(odd_lanes(a[i]), odd_lanes(ratios[i]));
            }
            for i in 0..G {
                a[i] = _mm512_mullo_epi32(a[i], w[i]);
            }
            for i in 0..G {
                products[0][i] = _mm512_mask_blend_epi32(0xaaaa, odd_lanes(products[0][i]), products[1][i]);
            }
            for i in 0..G {
                products[0][i] = _mm512_mullo_epi32(products[0][i], p);
            }
            for i in 0..G {
                a[i] = _mm512_sub_epi32(a[i], products[0][i]);
            }
        }
        a
    }
    #[inline(always)]
    fn repeat_u32<const D: usize>(self, src: &[u32]) -> __m512i {
        let v = self.load_u32(src);
        // SAFETY: `self` proves AVX-512; the table contains 16 lanes.
        unsafe { _mm512_permutexvar_epi32(lanes!(BlockShuffle::<D>::REPEATED), v) }
    }
    #[inline(always)]
    fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> __m512i {
        let v = self.load_u32(src);
        // SAFETY: `self` proves AVX-512; the table contains 16 lanes.
        unsafe { _mm512_permutexvar_epi32(lanes!(BlockShuffle::<D>::REPEATED_BACK), v) }
    }
    #[inline(always)]
    fn keep_below_u23(self, src: &[u8], limit: u32, dst: &mut [u32]) -> usize {
        let v = self.fields_u32::<24>(&src[..48], 0x7f_ffff);
        self.keep_lanes_u32(v, self.lanes_below_u32(v, limit), dst)
    }
    #[inline(always)]
    fn keep_lanes_u32(self, v: __m512i, chosen: u32, dst: &mut [u32]) -> usize {
        // SAFETY: `self` proves AVX-512.
        let kept_lanes = unsafe { _mm512_maskz_compress_epi32(chosen as u16, v) };
        self.store_u32(kept_lanes, dst);
        chosen.count_ones() as usize
    }
    #[inline(always)]
    fn unpack_u32<const BITS: usize>(self, src: &[u8], out: &mut [u32]) {
        let (sixteens, rest) = out.as_chunks_mut::<16>();
        let (bytes, last_bytes) = src.split_at(SixteenFields::<BITS>::LEN * sixteens.len());
        for (src, out) in bytes.chunks_exact(SixteenFields::<BITS>::LEN).zip(sixteens) {
            self.store_u32(self.fields_u32::<BITS>(src, (1 << BITS) - 1), out);
        }
        self.half().unpack_u32::<BITS>(last_bytes, rest);
    }
    #[inline(always)]
    fn pack_u32<const BITS: usize>(self, fields: &[u32], out: &mut [u8]) {
        // With at least 4 bits in a field, a byte has bits from at most two pairs. The widest
        // fields that ML-DSA packs have 20 bits.
        if BITS < 4 || BITS > 20 {
            return self.half().pack_u32::<BITS>(fields, out);
        }
        let (sixteens, rest) = fields.as_chunks::<16>();
        let (bytes, last_bytes) = out.split_at_mut(SixteenFields::<BITS>::LEN * sixteens.len());
        for (fields, out) in sixteens.iter().zip(bytes.chunks_exact_mut(SixteenFields::<BITS>::LEN)) {
            self.store_fields_u32::<BITS>(self.load_u32(fields), out);
        }
        self.half().pack_u32::<BITS>(rest, last_bytes);
    }
}

impl Avx512 {
    /// Reads sixteen fields with up to 25 bits from the start of `src`, and applies `mask` to the
    /// lanes. The mask must clear the bits above a field, because they belong to other fields.
    #[inline(always)]
    fn fields_u32<const BITS: usize>(self, src: &[u8], mask: u32) -> __m512i {
        let src = &src[..SixteenFields::<BITS>::LEN];
        // SAFETY: `self` proves AVX-512; the load stays in `src`, and the tables have 64 bytes.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8(SixteenFields::<BITS>::MASK, src.as_ptr().cast());
            let words = _mm512_permutexvar_epi8(lanes!(SixteenFields::<BITS>::BYTES), bytes);
            let fields = _mm512_srlv_epi32(words, lanes!(SixteenFields::<BITS>::SHIFTS));
            _mm512_and_si512(fields, self.splat_u32(mask))
        }
    }

    /// Writes the lowest `BITS` bits (4 to 20) from sixteen lanes to the start of `out`.
    #[inline(always)]
    fn store_fields_u32<const BITS: usize>(self, fields: __m512i, out: &mut [u8]) {
        let out = &mut out[..SixteenFields::<BITS>::LEN];
        // SAFETY: `self` proves AVX-512; the store stays in `out`, and the tables have 64 bytes.
        unsafe {
            let fields = _mm512_and_si512(fields, self.splat_u32((1 << BITS) - 1));
            let odd = _mm512_sll_epi64(_mm512_srli_epi64::<32>(fields), _mm_cvtsi32_si128(BITS as i32));
            let pairs = _mm512_mask_or_epi32(odd, 0x5555, odd, fields);
            let pairs = _mm512_sllv_epi64(pairs, lanes!(SixteenFields::<BITS>::PAIR_SHIFTS));
            let [(even_bytes, even_mask), (odd_bytes, odd_mask)] = const { &SixteenFields::<BITS>::PAIRS };
            let even = _mm512_maskz_permutexvar_epi8(*even_mask, _mm512_loadu_si512(even_bytes.as_ptr().cast()), pairs);
            let odd = _mm512_maskz_permutexvar_epi8(*odd_mask, _mm512_loadu_si512(odd_bytes.as_ptr().cast()), pairs);
            let bytes = _mm512_or_si512(even, odd);
            _mm512_mask_storeu_epi8(out.as_mut_ptr().cast(), SixteenFields::<BITS>::MASK, bytes);
        }
    }
}

impl U64s for Avx512 {
    const LANES_U64: usize = 8;
    const STORES_INVERTED_WORDS: bool = false;
    type U64 = __m512i;
    memory!(load_u64, store_u64, u64, 8, __m512i, _mm512_loadu_si512, _mm512_storeu_si512);
    intrinsics! {
        fn splat_u64(x: u64) -> __m512i = _mm512_set1_epi64(x.cast_signed());
        fn xor_u64(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        fn xor3_u64(a: __m512i, b: __m512i, c: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<0x96>(a, b, c);
        fn rotate_u64(a: __m512i, by: u32) -> __m512i = _mm512_rolv_epi64(a, _mm512_set1_epi64(i64::from(by)));
        fn chi_u64(a: __m512i, b: __m512i, c: __m512i, _inverted: [bool; 4]) -> __m512i =
            _mm512_ternarylogic_epi64::<0xd2>(a, b, c);
    }
}

impl I64s for Avx512 {
    i64s_256!();
}

impl F32s for Avx512 {
    const LANES_F32: usize = 16;
    const HAS_LOOKUP: bool = true;
    type I32 = __m512i;
    type F32 = __m512;
    type UpToEight = Avx2;
    long_level_array!();

    #[inline(always)]
    fn up_to_eight(self) -> Avx2 {
        self.half()
    }
    memory!(load_f32, store_f32, f32, 16, __m512, _mm512_loadu_ps, _mm512_storeu_ps);

    #[inline(always)]
    fn words_every_11_bytes(self, src: &[u8]) -> [__m512i; 3] {
        let src = &src[..181];
        // SAFETY: the last row ends at byte 15 * 11 + 16 = 181, the length of `src`; `self` proves
        // AVX-512.
        unsafe {
            macro_rules! row {
                ($at:expr) => {{
                    let low = _mm512_castsi128_si512(bytes16(src, $at));
                    let low = _mm512_inserti32x4::<1>(low, bytes16(src, $at + 44));
                    let low = _mm512_inserti32x4::<2>(low, bytes16(src, $at + 88));
                    _mm512_inserti32x4::<3>(low, bytes16(src, $at + 132))
                }};
            }
            // A row contains the 16 bytes for a lane. The first three columns are the words.
            let rows = [row!(0), row!(11), row!(22), row!(33)];
            columns!(rows, _mm512_unpacklo_epi32, _mm512_unpackhi_epi32, _mm512_unpacklo_epi64, _mm512_unpackhi_epi64)
        }
    }
    #[inline(always)]
    fn lookup_i32(self, table: &[i32; 16], index: __m512i) -> __m512i {
        // SAFETY: `table` contains 16 values; `self` proves AVX-512.
        unsafe { _mm512_permutexvar_epi32(index, _mm512_loadu_si512(table.as_ptr().cast())) }
    }
    #[inline(always)]
    fn lookup_u8(self, table: &[u8; 128], index: __m512i) -> __m512i {
        // SAFETY: `self` proves VBMI; `table` has 128 bytes. The mask keeps the lowest byte in each
        // lane.
        unsafe {
            let low = _mm512_loadu_si512(table.as_ptr().cast());
            let high = _mm512_loadu_si512(table.as_ptr().add(64).cast());
            _mm512_maskz_permutex2var_epi8(0x1111_1111_1111_1111, low, index, high)
        }
    }
    intrinsics! {
        fn floor(x: f64) -> f64 = _mm_cvtsd_f64(_mm_floor_sd(_mm_setzero_pd(), _mm_set_sd(x)));
        fn splat_i32(x: i32) -> __m512i = _mm512_set1_epi32(x);
        fn add_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        fn sub_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        fn and_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        fn or_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        fn xor_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        fn shl_i32<const N: u32>(a: __m512i) -> __m512i = _mm512_slli_epi32::<N>(a);
        fn shr_i32<const N: u32>(a: __m512i) -> __m512i = _mm512_srli_epi32::<N>(a);
        fn less_i32(a: __m512i, b: __m512i) -> __m512i = _mm512_movm_epi32(_mm512_cmplt_epi32_mask(a, b));
        fn count_less_i32(n: __m512i, a: __m512i, b: __m512i) -> __m512i =
            _mm512_mask_add_epi32(n, _mm512_cmplt_epi32_mask(a, b), n, _mm512_set1_epi32(1));
        fn to_f32(a: __m512i) -> __m512 = _mm512_cvtepi32_ps(a);
        fn cast_f32(a: __m512i) -> __m512 = _mm512_castsi512_ps(a);
        fn cast_i32(a: __m512) -> __m512i = _mm512_castps_si512(a);
        fn splat_f32(x: f32) -> __m512 = _mm512_set1_ps(x);
        fn add_f32(a: __m512, b: __m512) -> __m512 = _mm512_add_ps(a, b);
        fn sub_f32(a: __m512, b: __m512) -> __m512 = _mm512_sub_ps(a, b);
        fn mul_f32(a: __m512, b: __m512) -> __m512 = _mm512_mul_ps(a, b);
        fn reciprocal_f32(a: __m512) -> __m512 = _mm512_rcp14_ps(a);
        fn le_f32(a: __m512, b: __m512) -> u32 = u32::from(_mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b));
    }
}

impl RealRows for Avx512 {
    one_number!();
    const LANES_F64: usize = 8;
    type Real = f64;
    type F64 = __m512d;
    memory!(load_f64, store_f64, f64, 8, __m512d, _mm512_loadu_pd, _mm512_storeu_pd);
    load!(load_bits, u64, 8, __m512d, _mm512_loadu_pd);
    intrinsics! {
        fn splat_f64(x: f64) -> __m512d = _mm512_set1_pd(x);
        fn add_f64(a: __m512d, b: __m512d) -> __m512d = _mm512_add_pd(a, b);
        fn sub_f64(a: __m512d, b: __m512d) -> __m512d = _mm512_sub_pd(a, b);
        fn mul_f64(a: __m512d, b: __m512d) -> __m512d = _mm512_mul_pd(a, b);
        fn neg_f64(a: __m512d) -> __m512d = _mm512_xor_pd(a, _mm512_set1_pd(-0.0));
        fn half_f64(a: __m512d) -> __m512d = _mm512_mul_pd(a, _mm512_set1_pd(0.5));
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
}

impl F64s for Avx512 {
    type EightF64 = [__m512d; 1];
    intrinsics! {
        fn div_f64(a: __m512d, b: __m512d) -> __m512d = _mm512_div_pd(a, b);
    }
}
