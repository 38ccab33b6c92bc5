//! Replacements for instructions that MemorySanitizer does not support, only for tests/ct. `avx512`
//! and `words` import these functions instead of the intrinsics with these names.

use core::arch::x86_64::{
    __m128i, __m256i, __m512, __m512i, _mm_andnot_si128, _mm_xor_si128, _mm256_andnot_si256, _mm256_xor_si256,
    _mm512_andnot_si512, _mm512_xor_si512,
};

/// The truth table for `a ^ b ^ c`. The engine uses only one other truth table, for `a ^ (!b & c)`.
const XOR3: i32 = 0x96;

/// Computes `a ^ b ^ c` or `a ^ (!b & c)` in each bit of 128-bit vectors.
#[inline(always)]
pub unsafe fn _mm_ternarylogic_epi64<const TABLE: i32>(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    // SAFETY: the caller guarantees AVX-512.
    unsafe { _mm_xor_si128(a, if TABLE == XOR3 { _mm_xor_si128(b, c) } else { _mm_andnot_si128(b, c) }) }
}

/// Computes `a ^ b ^ c` or `a ^ (!b & c)` in each bit of 256-bit vectors.
#[inline(always)]
pub unsafe fn _mm256_ternarylogic_epi64<const TABLE: i32>(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    // SAFETY: the caller guarantees AVX-512.
    unsafe { _mm256_xor_si256(a, if TABLE == XOR3 { _mm256_xor_si256(b, c) } else { _mm256_andnot_si256(b, c) }) }
}

/// Computes `a ^ b ^ c` or `a ^ (!b & c)` in each bit of 512-bit vectors.
#[inline(always)]
pub unsafe fn _mm512_ternarylogic_epi64<const TABLE: i32>(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    // SAFETY: the caller guarantees AVX-512.
    unsafe { _mm512_xor_si512(a, if TABLE == XOR3 { _mm512_xor_si512(b, c) } else { _mm512_andnot_si512(b, c) }) }
}

/// Returns a mask in which bit `i` is 1 if `a <= b` in lane `i`. `RELATION` is ignored, because the
/// engine uses only this relation.
#[inline(always)]
pub unsafe fn _mm512_cmp_ps_mask<const RELATION: i32>(a: __m512, b: __m512) -> u16 {
    // SAFETY: each vector consists of sixteen floats.
    let (a, b): ([f32; 16], [f32; 16]) = unsafe { (core::mem::transmute(a), core::mem::transmute(b)) };
    (0..16).fold(0, |mask, i| mask | u16::from(a[i] <= b[i]) << i)
}

/// Selects, for each byte whose bit in `mask` is 1, the byte at position `index` in `low` followed
/// by `high`. All other bytes of the result are zero. The code compares each index with all
/// positions, so that MemorySanitizer treats the selected byte as undefined if the index is
/// undefined.
#[inline(always)]
pub unsafe fn _mm512_maskz_permutex2var_epi8(mask: u64, low: __m512i, index: __m512i, high: __m512i) -> __m512i {
    // SAFETY: each vector consists of 64 bytes.
    let [low, index, high]: [[u8; 64]; 3] = unsafe { core::mem::transmute([low, index, high]) };
    let mut selected = [0; 64];
    for (i, selected) in selected.iter_mut().enumerate() {
        if mask >> i & 1 == 1 {
            let position = index[i] & 127;
            for (j, value) in low.iter().chain(&high).enumerate() {
                *selected |= value & u8::from(usize::from(position) == j).wrapping_neg();
            }
        }
    }
    // SAFETY: a vector also consists of 64 bytes.
    unsafe { core::mem::transmute(selected) }
}

/// Moves the lanes of `v` with a 1 bit in `mask` to the first lanes, in ascending order. The other
/// lanes of the result are 0.
#[inline(always)]
pub unsafe fn _mm512_maskz_compress_epi32(mask: u16, v: __m512i) -> __m512i {
    // SAFETY: a vector consists of sixteen 32-bit lanes.
    let lanes: [u32; 16] = unsafe { core::mem::transmute(v) };
    let mut kept = [0; 16];
    let mut count = 0;
    for (i, x) in lanes.into_iter().enumerate() {
        if mask >> i & 1 == 1 {
            kept[count] = x;
            count += 1;
        }
    }
    // SAFETY: a vector also consists of sixteen 32-bit lanes.
    unsafe { core::mem::transmute(kept) }
}
