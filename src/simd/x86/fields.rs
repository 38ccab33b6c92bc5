//! Bit fields in 256-bit vectors, for `avx2`.

use super::bytes16;
use super::intrinsics::*;
use crate::simd::lanes::pack_without_vectors;

/// A table to align eight packed fields with up to 25 bits. The first 16 packed bytes contain the
/// first four fields. The 16 bytes from byte [`FieldsU32::upper_half_start`] on contain the last
/// four fields.
pub struct FieldsU32 {
    /// The index of the first byte that is loaded to the upper half of the vector.
    upper_half_start: usize,
    /// For each byte in the vector, the position of the packed byte that is copied there. The
    /// position counts from the start of the 16 bytes for this half of the vector.
    bytes: [u8; 32],
    /// For each field, the distance of the shift that then moves the field to bit 0.
    shifts: [u32; 8],
}

impl FieldsU32 {
    /// Returns the table for fields with `bits` bits. The 16 bytes from byte `upper_half_start` on
    /// must contain all bits of the last four fields.
    pub const fn new(bits: usize, upper_half_start: usize) -> Self {
        let mut table = Self { upper_half_start, bytes: [0; 32], shifts: [0; 8] };
        let mut i = 0;
        while i < 32 {
            let field = i / 4;
            let first = field * bits / 8 - if field < 4 { 0 } else { upper_half_start };
            table.bytes[i] = (first + i % 4) as u8;
            table.shifts[field] = (field * bits % 8) as u32;
            i += 1;
        }
        table
    }

    /// Reads eight fields from the start of `src`, each into one lane. In the result, the bits
    /// above a field belong to other fields and must be cleared by the caller. `src` must contain
    /// at least `upper_half_start + 16` bytes.
    ///
    /// # Safety
    /// This CPU must support AVX2.
    #[inline(always)]
    pub unsafe fn read(&self, src: &[u8]) -> __m256i {
        let src = &src[..self.upper_half_start + 16];
        // SAFETY: the caller guarantees AVX2; both parts of the slice contain 16 bytes, and the
        // tables contain 32 bytes.
        unsafe {
            let bytes = _mm256_set_m128i(bytes16(src, self.upper_half_start), bytes16(src, 0));
            let words = _mm256_shuffle_epi8(bytes, _mm256_loadu_si256(self.bytes.as_ptr().cast()));
            _mm256_srlv_epi32(words, _mm256_loadu_si256(self.shifts.as_ptr().cast()))
        }
    }
}

/// Implements `unpack_u32` for `avx2`. If a load would read beyond the end of `src`, the fields are
/// copied to a longer array first.
///
/// # Safety
/// This CPU must support AVX2.
#[inline(always)]
pub unsafe fn unpack_u32<const BITS: usize>(src: &[u8], out: &mut [u32]) {
    let table = &const { FieldsU32::new(BITS, BITS / 2) };
    for (i, out) in out.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let remaining_bytes = &src[BITS * i..];
        // SAFETY: the caller guarantees AVX2; `out` has 32 bytes.
        unsafe {
            // `read` loads the last four fields with the 16 bytes from byte `upper_half_start` on.
            let fields = if remaining_bytes.len() >= table.upper_half_start + 16 {
                table.read(remaining_bytes)
            } else {
                let mut end = [0; 32];
                end[..BITS].copy_from_slice(&remaining_bytes[..BITS]);
                table.read(&end)
            };
            let fields = _mm256_and_si256(fields, _mm256_set1_epi32((1 << BITS) - 1));
            _mm256_storeu_si256(out.as_mut_ptr().cast(), fields);
        }
    }
}

/// Implements `pack_u32` for `avx2`. With more than 16 bits, four fields would not fit in a 64-bit
/// word, so such fields are packed without vectors.
///
/// # Safety
/// This CPU must support AVX2.
#[inline(always)]
pub unsafe fn pack_u32<const BITS: usize>(fields: &[u32], out: &mut [u8]) {
    if BITS > 16 {
        return pack_without_vectors::<BITS>(fields, out);
    }
    for (fields, out) in fields.as_chunks::<8>().0.iter().zip(out.chunks_exact_mut(BITS)) {
        // SAFETY: the caller guarantees AVX2.
        let [low, high] = unsafe { join_fields::<BITS>(fields) };
        let bytes = (u128::from(low) | u128::from(high) << (4 * BITS)).to_le_bytes();
        out.copy_from_slice(&bytes[..BITS]);
    }
}

/// Joins the lowest `BITS` bits of the first four fields in the first word, and of the last four
/// fields in the second word. Range: `BITS` is at most 16.
///
/// # Safety
/// This CPU must support AVX2.
#[inline(always)]
unsafe fn join_fields<const BITS: usize>(fields: &[u32; 8]) -> [u64; 2] {
    let unused_bits = 32 - BITS as i32;
    let mut words = [0; 4];
    // SAFETY: the caller guarantees AVX2; `fields` and `words` have 32 bytes.
    unsafe {
        let unused = _mm_cvtsi32_si128(unused_bits);
        // Shift to the left to remove the bits above the fields. Then move the second field in a
        // 64-bit lane next to the first field, and finally move the pair to bit 0.
        let v = _mm256_sll_epi32(_mm256_loadu_si256(fields.as_ptr().cast()), unused);
        let v = _mm256_srlv_epi32(v, _mm256_setr_epi32(0, unused_bits, 0, unused_bits, 0, unused_bits, 0, unused_bits));
        let pairs = _mm256_srl_epi64(v, unused);
        // Move the second pair in a 128-bit lane to the bits after the first pair.
        let distance = 2 * BITS as i64;
        let pairs = _mm256_sllv_epi64(pairs, _mm256_setr_epi64x(0, distance, 0, distance));
        _mm256_storeu_si256(words.as_mut_ptr().cast(), _mm256_or_si256(pairs, _mm256_srli_si256::<8>(pairs)));
    }
    [words[0], words[2]]
}
