//! Lanes for residues modulo a prime below `2^31`: the integers in FN-DSA key generation, and the
//! polynomials in ML-DSA.

use crate::simd::{Sealed, ct};

/// An operation on a row (a whole array of numbers) modulo `p = 8380417`, the prime of ML-DSA. `x`
/// is a number in the row. The roots are the twiddle factors of `engine/primes/prime.rs`, in
/// Montgomery form and in the transform's order.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "only processors with rows read it")]
pub enum ShortRow<'r> {
    /// Transforms the row. Range: signed values above `-p` and below `2p`; the results are positive
    /// and below `18p`. The length is 64, 128 or 256.
    Forward {
        /// The table of roots.
        roots: &'r [u32],
        /// The index of the root for the first layer: 1 for a whole polynomial.
        first: usize,
    },
    /// Transforms a whole polynomial back, and multiplies it by `256 scale / 2^32`. Range: values
    /// below `2p`; the results are below `p`.
    Backward {
        /// The table of roots.
        roots: &'r [u32],
        /// The factor, below `p`.
        scale: u32,
    },
    /// Computes `x y / 2^32`, for the value `y` with the same index in the given row. Range:
    /// `x y < 2^32 p`; the results are below `2p`.
    Times(&'r [u32]),
    /// Computes `x + y z / 2^32`, for the values `y` and `z` with the same index in the two given
    /// rows. Range: `x` is below `2p`, and `y z < 2^32 p`; the results are below `2p`.
    AddTimes(&'r [u32], &'r [u32]),
    /// Computes sums of products `y z / 2^32`. The two given rows consist of parts with the length
    /// of this row. For each part, `y` and `z` are the values with the same index as the sum.
    /// Range: the sum of the products `y z` is below `2^32 p`; the results are below `2p`. The
    /// length is 256, and there are 4, 5 or 7 parts.
    SumTimes(&'r [u32], &'r [u32]),
    /// Splits residues (FIPS 204, algorithm 36): writes the high part to the top 8 bits, and the
    /// negated low part to the other 24 bits. The length is 256.
    Decompose {
        /// `gamma2` in FIPS 204, which is half of the rounding step.
        gamma2: u32,
    },
    /// Unpacks a polynomial with the coefficients `largest - field`, and writes its residue modulo
    /// `X^128 - root`. The results are signed, above `-p` and below `2p`. The length is 128.
    FoldHalf {
        /// The 256 packed fields. If a field has `b` bits, they have `32 b` bytes.
        fields: &'r [u8],
        /// The coefficient for a field that is zero. It is below `2^20`.
        largest: u32,
        /// The value of `X^128`, in Montgomery form.
        root: u32,
    },
    /// Unpacks a polynomial with the coefficients `largest - field`, and writes its residue modulo
    /// `X^64 - root`. The results are signed, above `-p` and below `2p`. The length is 64.
    FoldSignedQuarter {
        /// The 256 packed fields. If a field has `b` bits, they have `32 b` bytes.
        fields: &'r [u8],
        /// The coefficient for a field that is zero. It is below `2^20`.
        largest: u32,
        /// The value of `X^64`, in Montgomery form.
        root: u32,
    },
    /// Unpacks a polynomial with 10-bit coefficients, and writes `2^13` times its residue modulo
    /// `X^64 - root`. The results are signed, above `-p` and below `2p`. The length is 64.
    FoldQuarter {
        /// The 256 packed fields, which have 320 bytes.
        fields: &'r [u8],
        /// The value of `X^64`, in Montgomery form.
        root: u32,
    },
    /// Adds a part of the product of `src`, a row of signed bytes, and a polynomial with
    /// coefficients 0, 1 and -1. For each place (index) `k` of a coefficient 1, adds to `x[i]`
    /// the element `src[first + i - k]`. For each place of a coefficient -1, subtracts this
    /// element. Range: the sum of the elements for `x[i]` fits in a signed byte. The length is 32.
    /// The places must be public.
    AddBytes {
        /// The row of signed bytes.
        src: &'r [u8],
        /// The index in `src` of the element for place 0 and `x[0]`. Range: at least 255, because
        /// place `k` reads from index `first - k` on, and `k` is below 256. After the first `first`
        /// elements, `src` must contain at least as many elements as this row.
        first: usize,
        /// The places, which are below 256: first the places of coefficients 1, then the places of
        /// coefficients -1.
        places: &'r [u8],
        /// The number of coefficients 1.
        positive: usize,
    },
    /// Works like [`ShortRow::AddBytes`], for a row of signed halfwords. The length is 16.
    AddHalfwords {
        /// The row of signed halfwords.
        src: &'r [u16],
        /// The index in `src` of the element for place 0 and `x[0]`. Range: at least 255, because
        /// place `k` reads from index `first - k` on, and `k` is below 256. After the first `first`
        /// elements, `src` must contain at least as many elements as this row.
        first: usize,
        /// The places, which are below 256: first the places of coefficients 1, then the places of
        /// coefficients -1.
        places: &'r [u8],
        /// The number of coefficients 1.
        positive: usize,
    },
}

/// The result of `U32s::add_sampled` or `U32s::keep_sampled`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampledCount {
    /// The number of candidates that were read.
    pub candidates: usize,
    /// The number of products that were added, or of residues that were written.
    pub products: usize,
}

/// Computes [`U32s::times_long_u32`] for a single lane. The 64-bit ratio, `2^32 ratio + rest`,
/// exceeds `2^64 w / p` by less than 1, so its product with `a` exceeds `2^64 a w / p` by less than
/// `2^32`. `fraction` consists of the lower 64 bits of this product. `high` exceeds `2^32` times
/// the exact fraction of `a w / p` by less than 2, so `high p` exceeds `2^32` times the remainder
/// by less than `2 p`.
#[inline(always)]
pub(in crate::simd) const fn times_long(a: u32, rest: u32, ratio: u32, p: u32) -> u32 {
    let fraction = (a as u64).wrapping_mul((ratio as u64) << 32 | rest as u64);
    let high = (fraction >> 32) + 1;
    ((high * p as u64) >> 32) as u32
}

/// Operations on vectors with 32-bit residues. `p` is the modulus in all lanes, odd and less than
/// `2^31`.
pub trait U32s: Sealed + Copy {
    /// The lane count for a `U32` vector, a power of two up to 16.
    const LANES_U32: usize;
    /// A vector with unsigned 32-bit integers.
    type U32: Copy;

    /// Loads the first `LANES_U32` values from `src`.
    fn load_u32(self, src: &[u32]) -> Self::U32;
    /// Stores the lanes at the start of `dst`.
    fn store_u32(self, v: Self::U32, dst: &mut [u32]);
    /// Returns `x` in all lanes.
    fn splat_u32(self, x: u32) -> Self::U32;
    /// Returns `a` or `a - p`, in `[0, p)`. Range: `a < 2p`.
    fn below_u32(self, a: Self::U32, p: Self::U32) -> Self::U32;
    /// Returns `a + b mod p`. Range: `a, b < p`.
    fn add_mod_u32(self, a: Self::U32, b: Self::U32, p: Self::U32) -> Self::U32;
    /// Returns `a - b mod p`. Range: `a, b < p`.
    fn sub_mod_u32(self, a: Self::U32, b: Self::U32, p: Self::U32) -> Self::U32;
    /// Returns `a + b mod 2^32`.
    fn add_u32(self, a: Self::U32, b: Self::U32) -> Self::U32;
    /// Returns `a - b mod 2^32`.
    fn sub_u32(self, a: Self::U32, b: Self::U32) -> Self::U32;
    /// Returns a number in `[0, 2p)` that is congruent to `a b / 2^32` modulo p; `p0i` is
    /// `-1/p mod 2^32`. Range: `a b < 2^32 p`.
    fn product_u32(self, a: Self::U32, b: Self::U32, p: Self::U32, p0i: Self::U32) -> Self::U32;
    /// Returns `a b / 2^32 mod p`, in `[0, p)`; `p0i` is `-1/p mod 2^32`. Range: `a b < 2^32 p`.
    #[inline(always)]
    fn montgomery_u32(self, a: Self::U32, b: Self::U32, p: Self::U32, p0i: Self::U32) -> Self::U32 {
        self.below_u32(self.product_u32(a, b, p, p0i), p)
    }
    /// Returns a number in `[0, 2p)` that is congruent to `a w` modulo p; `ratio` is `2^32 w / p`,
    /// rounded down. Range: `w < p`.
    fn times_u32(self, a: Self::U32, w: Self::U32, ratio: Self::U32, p: Self::U32) -> Self::U32;
    /// Computes [`U32s::times_u32`] for each vector in `a`, with the factor and the ratio at the
    /// same index. Each step of a product has to wait for the step before it. So a level with
    /// vectors computes one step for all products before the next step.
    #[inline(always)]
    fn times_each_u32<const G: usize>(
        self,
        mut a: [Self::U32; G],
        w: [Self::U32; G],
        ratios: [Self::U32; G],
        p: Self::U32,
    ) -> [Self::U32; G] {
        for i in 0..G {
            a[i] = self.times_u32(a[i], w[i], ratios[i], p);
        }
        a
    }
    /// True if [`U32s::times_long_u32`] takes less time than [`U32s::times_u32`]. This is only true
    /// for levels (instruction sets) with one lane.
    const HAS_LONG_RATIOS: bool = false;
    /// Returns `a w mod p`, in `[0, p)`. `ratio` and `rest` are the high half and the low half of
    /// `2^64 w / p`, rounded up. Range: `w < p`.
    #[inline(always)]
    fn times_long_u32(self, a: Self::U32, rest: Self::U32, ratio: Self::U32, p: Self::U32) -> Self::U32 {
        let mut rows = [[0; 16]; 4];
        for (v, row) in [a, rest, ratio, p].into_iter().zip(&mut rows) {
            self.store_u32(v, row);
        }
        let [a, rests, ratios, primes] = &mut rows;
        for i in 0..Self::LANES_U32 {
            a[i] = times_long(a[i], rests[i], ratios[i], primes[i]);
        }
        self.load_u32(a)
    }
    /// Sums of products, with 64 bits in each lane.
    type Products: Copy;
    /// Returns the empty sums.
    fn no_products(self) -> Self::Products;
    /// Adds `a b`. The sums must fit in 64 bits.
    fn add_product(self, sum: Self::Products, a: Self::U32, b: Self::U32) -> Self::Products;
    /// Returns a number in `[0, 2p)` that is congruent to `sum / 2^32` modulo p; `p0i` is
    /// `-1/p mod 2^32`. Range: `sum < 2^32 p`.
    fn sum_of_products(self, sum: Self::Products, p: Self::U32, p0i: Self::U32) -> Self::U32;
    /// True if a single-lane level (instruction set) supports [`U32s::short_row`], which then
    /// replaces the engine's loops.
    const HAS_SHORT_ROWS: bool = false;
    /// Applies the operation to the complete row. [`U32s::HAS_SHORT_ROWS`] must be true, and the
    /// row's length must be even.
    #[inline(always)]
    fn short_row(self, _a: &mut [u32], _row: ShortRow<'_>) {}
    /// Reads up to `count` 3-byte candidates as [`U32s::keep_below_u23`] does, with the limit `p`
    /// of [`ShortRow`]. Multiplies each residue `x` by the next value `y` in `v`, and adds `x y /
    /// 2^32` to the next 3-byte number in `sums`. Ends after the last value in `v`. The time
    /// depends on the candidates, so they must be public. Range:
    ///
    /// - [`U32s::HAS_SHORT_ROWS`] is true.
    /// - `src` has a byte after the candidates.
    /// - `v` and `sums` have the same number of values.
    /// - `x y` is below `2^32 p`.
    /// - The sums are below `2p`, before and after the call.
    #[inline(always)]
    fn add_sampled(self, _src: &[u8], _count: usize, _v: &[u32], _sums: &mut [u8]) -> SampledCount {
        SampledCount::default()
    }
    /// Reads up to `count` 3-byte candidates like [`U32s::add_sampled`], and writes the residues to
    /// `out`. Ends after the last value in `out`. The ranges are as for `add_sampled`.
    #[inline(always)]
    fn keep_sampled(self, _src: &[u8], _count: usize, _out: &mut [u32]) -> SampledCount {
        SampledCount::default()
    }
    /// Reads `LANES_U32` 3-byte numbers, with the lowest byte first, and clears bit 23 in each.
    /// Writes the numbers that are less than `limit` to the start of `dst`, and returns how many
    /// there are. All lanes must fit in `dst`. The data after the written numbers is unspecified.
    /// The time depends on the values, so they must be public.
    #[inline(always)]
    fn keep_below_u23(self, src: &[u8], limit: u32, dst: &mut [u32]) -> usize {
        let dst = &mut dst[..Self::LANES_U32];
        let mut kept_count = 0;
        for [low, middle, high] in src.as_chunks::<3>().0[..Self::LANES_U32].iter().copied() {
            let x = u32::from_le_bytes([low, middle, high & 0x7f, 0]);
            dst[kept_count % Self::LANES_U32] = x;
            kept_count += usize::from(x < limit);
        }
        kept_count
    }
    /// Returns a word in which bit `i` is 1 if lane `i` is less than `limit`. The other bits are 0.
    /// Range: the lanes and `limit` are below `2^31`.
    #[inline(always)]
    fn lanes_below_u32(self, v: Self::U32, limit: u32) -> u32 {
        let mut lanes = [0; 16];
        self.store_u32(v, &mut lanes);
        let mut below = 0;
        for (i, x) in lanes[..Self::LANES_U32].iter().enumerate() {
            below |= (x.wrapping_sub(limit) >> 31) << i;
        }
        below
    }
    /// Writes the lanes of `v` whose bits are 1 in `chosen` to the start of `dst`, in their order,
    /// and returns how many there are. All lanes must fit in `dst`. The data after the written
    /// lanes is unspecified. The time depends on `chosen`, so it must be public. The lanes can be
    /// secret. Range: `chosen` is below `2^LANES_U32`.
    #[inline(always)]
    fn keep_lanes_u32(self, v: Self::U32, chosen: u32, dst: &mut [u32]) -> usize {
        let mut lanes = [0; 16];
        self.store_u32(v, &mut lanes);
        let dst = &mut dst[..Self::LANES_U32];
        let mut kept_count = 0;
        for (i, x) in lanes[..Self::LANES_U32].iter().enumerate() {
            dst[kept_count % Self::LANES_U32] = *x;
            kept_count += (chosen >> i & 1) as usize;
        }
        kept_count
    }
    /// Reads `BITS`-bit fields, with the lowest bits first: converts `BITS k` bytes to `8 k`
    /// values. Range: `BITS` is from 1 to 25.
    #[inline(always)]
    fn unpack_u32<const BITS: usize>(self, src: &[u8], out: &mut [u32]) {
        unpack_without_vectors::<BITS>(src, out);
    }
    /// Writes the lowest `BITS` bits of each field; the inverse of [`U32s::unpack_u32`]. Range:
    /// `BITS` is at most 25, and the number of fields is a multiple of 8.
    #[inline(always)]
    fn pack_u32<const BITS: usize>(self, fields: &[u32], out: &mut [u8]) {
        pack_without_vectors::<BITS>(fields, out);
    }
    /// Divides the lanes of `a`, followed by the lanes of `b`, into blocks of `D` lanes. The first
    /// result contains the blocks at even positions, and the second result contains the blocks at
    /// odd positions. Range: `D < LANES_U32`. With a single lane, the result is `a` and `b`.
    fn unzip_u32<const D: usize>(self, a: Self::U32, b: Self::U32) -> (Self::U32, Self::U32);
    /// Computes the inverse of [`U32s::unzip_u32`].
    fn zip_u32<const D: usize>(self, even: Self::U32, odd: Self::U32) -> (Self::U32, Self::U32);
    /// Computes [`U32s::zip_u32`] for blocks of `D` lanes, and then [`U32s::unzip_u32`] for blocks
    /// of `D / 2` lanes. Range: `D` is 2, 4 or 8.
    #[inline(always)]
    fn halve_blocks_u32<const D: usize>(self, even: Self::U32, odd: Self::U32) -> (Self::U32, Self::U32) {
        let (a, b) = self.zip_u32::<D>(even, odd);
        match D {
            2 => self.unzip_u32::<1>(a, b),
            4 => self.unzip_u32::<2>(a, b),
            _ => self.unzip_u32::<4>(a, b),
        }
    }
    /// Computes [`U32s::zip_u32`] for blocks of `D` lanes. If blocks of `2 D` lanes are shorter
    /// than a vector, then computes [`U32s::unzip_u32`] for such blocks. Range: `D` is 1, 2, 4 or
    /// 8.
    #[inline(always)]
    fn double_blocks_u32<const D: usize>(self, even: Self::U32, odd: Self::U32) -> (Self::U32, Self::U32) {
        let (a, b) = self.zip_u32::<D>(even, odd);
        match D {
            _ if 2 * D >= Self::LANES_U32 => (a, b),
            1 => self.unzip_u32::<2>(a, b),
            2 => self.unzip_u32::<4>(a, b),
            _ => self.unzip_u32::<8>(a, b),
        }
    }
    /// Returns the first `LANES_U32 / D` values from `src`, with each value repeated `D` times.
    /// `src` must contain `LANES_U32` values.
    fn repeat_u32<const D: usize>(self, src: &[u32]) -> Self::U32;
    /// Returns the lanes that [`U32s::repeat_u32`] returns, in reverse order. `src` must contain
    /// `LANES_U32` values.
    fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> Self::U32;
}

/// Implements [`U32s::unpack_u32`] for levels without faster code.
#[inline(always)]
pub(in crate::simd) fn unpack_without_vectors<const BITS: usize>(src: &[u8], out: &mut [u32]) {
    for (src, out) in src.as_chunks::<BITS>().0.iter().zip(out.as_chunks_mut::<8>().0) {
        // The compiler inlines the closure for each field, so positions and shifts are constants.
        *out = core::array::from_fn(|i| {
            // A field is read from four bytes of its group, `src`. The last fields use the group's
            // last four bytes, so that no read is outside the group.
            let at = (i * BITS / 8).min(BITS.saturating_sub(4));
            let shift = i * BITS - 8 * at;
            let x = if BITS < 4 {
                u32::from_le_bytes(core::array::from_fn(|j| if j < BITS { src[j] } else { 0 }))
            } else {
                u32::from_le_bytes([src[at], src[at + 1], src[at + 2], src[at + 3]])
            };
            (x >> shift) & ((1 << BITS) - 1)
        });
    }
}

/// Implements [`U32s::pack_u32`] for levels without faster code.
#[inline(always)]
pub(in crate::simd) fn pack_without_vectors<const BITS: usize>(fields: &[u32], out: &mut [u8]) {
    for (fields, out) in fields.as_chunks::<8>().0.iter().zip(out.chunks_exact_mut(BITS)) {
        let (words, rest) = out.as_chunks_mut::<4>();
        let mut words = words.iter_mut();
        // `pending_bits` contains up to 31 bits until their word is complete.
        let mut pending_bits = 0u64;
        let mut bit_count = 0;
        for field in fields {
            pending_bits |= u64::from(field & ((1 << BITS) - 1)) << bit_count;
            bit_count += BITS;
            if bit_count >= 32 {
                if let Some(word) = words.next() {
                    *word = (pending_bits as u32).to_le_bytes();
                }
                pending_bits >>= 32;
                bit_count -= 32;
            }
        }
        // The remaining bits fill complete bytes, because eight fields have `BITS` bytes.
        for (out, byte) in rest.iter_mut().zip(pending_bits.to_le_bytes()) {
            *out = byte;
        }
    }
}

/// Returns `x` or `x - p`, in `[0, p)`. Range: `x < 2p`, `p < 2^31`.
#[inline(always)]
pub fn below(x: u32, p: u32) -> u32 {
    let d = x.wrapping_sub(p);
    d.wrapping_add(p & ct::mask_negative(d.cast_signed()))
}

/// Returns `a - b mod p`. Range: `a, b < p`.
#[inline(always)]
pub fn sub_mod(a: u32, b: u32, p: u32) -> u32 {
    let d = a.wrapping_sub(b);
    d.wrapping_add(p & ct::mask_negative(d.cast_signed()))
}

/// Returns a number in `[0, 2p)` that is congruent to `z / 2^32` modulo p; `p0i` is
/// `-1/p mod 2^32`. Range: `z < 2^32 p`.
#[inline(always)]
pub fn reduced(z: u64, p: u32, p0i: u32) -> u32 {
    let w = (z as u32).wrapping_mul(p0i);
    (z.wrapping_add(u64::from(w) * u64::from(p)) >> 32) as u32
}

/// Returns `a b / 2^32 mod p`, in `[0, p)`, with the same `p0i` as [`reduced`]. Range:
/// `a b < 2^32 p`.
#[inline(always)]
pub fn montgomery(a: u32, b: u32, p: u32, p0i: u32) -> u32 {
    below(reduced(u64::from(a) * u64::from(b), p, p0i), p)
}

/// Implements [`U32s`] for a single lane.
macro_rules! one_lane_u32 {
    () => {
        $crate::simd::lanes::one_lane_u32!(without rows);
        #[cfg(fndsa_armv7e_m)]
        const HAS_SHORT_ROWS: bool = true;
        #[cfg(fndsa_armv7e_m)]
        #[inline(always)]
        fn short_row(self, a: &mut [u32], row: $crate::simd::ShortRow<'_>) {
            $crate::simd::armv7e_m::short::row(a, row);
        }
        #[cfg(fndsa_armv7e_m)]
        #[inline(always)]
        fn add_sampled(self, src: &[u8], count: usize, v: &[u32], sums: &mut [u8]) -> $crate::simd::SampledCount {
            $crate::simd::armv7e_m::sampled::add(src, count, v, sums)
        }
        #[cfg(fndsa_armv7e_m)]
        #[inline(always)]
        fn keep_sampled(self, src: &[u8], count: usize, out: &mut [u32]) -> $crate::simd::SampledCount {
            $crate::simd::armv7e_m::sampled::keep(src, count, out)
        }
    };
    (without rows) => {
        const LANES_U32: usize = 1;
        type U32 = u32;
        #[inline(always)]
        fn load_u32(self, src: &[u32]) -> u32 {
            src[0]
        }
        #[inline(always)]
        fn store_u32(self, v: u32, dst: &mut [u32]) {
            dst[0] = v;
        }
        #[inline(always)]
        fn splat_u32(self, x: u32) -> u32 {
            x
        }
        #[inline(always)]
        fn below_u32(self, a: u32, p: u32) -> u32 {
            crate::simd::below(a, p)
        }
        #[inline(always)]
        fn add_mod_u32(self, a: u32, b: u32, p: u32) -> u32 {
            crate::simd::below(a.wrapping_add(b), p)
        }
        #[inline(always)]
        fn sub_mod_u32(self, a: u32, b: u32, p: u32) -> u32 {
            crate::simd::sub_mod(a, b, p)
        }
        #[inline(always)]
        fn add_u32(self, a: u32, b: u32) -> u32 {
            a.wrapping_add(b)
        }
        #[inline(always)]
        fn sub_u32(self, a: u32, b: u32) -> u32 {
            a.wrapping_sub(b)
        }
        #[inline(always)]
        fn product_u32(self, a: u32, b: u32, p: u32, p0i: u32) -> u32 {
            crate::simd::reduced(u64::from(a) * u64::from(b), p, p0i)
        }
        #[inline(always)]
        fn times_u32(self, a: u32, w: u32, ratio: u32, p: u32) -> u32 {
            let quotient = (u64::from(a) * u64::from(ratio)) >> 32;
            a.wrapping_mul(w).wrapping_sub((quotient as u32).wrapping_mul(p))
        }
        const HAS_LONG_RATIOS: bool = cfg!(target_pointer_width = "64");
        #[inline(always)]
        fn times_long_u32(self, a: u32, rest: u32, ratio: u32, p: u32) -> u32 {
            crate::simd::lanes::times_long(a, rest, ratio, p)
        }
        type Products = u64;
        #[inline(always)]
        fn no_products(self) -> u64 {
            0
        }
        #[inline(always)]
        fn add_product(self, sum: u64, a: u32, b: u32) -> u64 {
            sum.wrapping_add(u64::from(a) * u64::from(b))
        }
        #[inline(always)]
        fn sum_of_products(self, sum: u64, p: u32, p0i: u32) -> u32 {
            crate::simd::reduced(sum, p, p0i)
        }
        #[inline(always)]
        fn unzip_u32<const D: usize>(self, a: u32, b: u32) -> (u32, u32) {
            (a, b)
        }
        #[inline(always)]
        fn zip_u32<const D: usize>(self, even: u32, odd: u32) -> (u32, u32) {
            (even, odd)
        }
        #[inline(always)]
        fn repeat_u32<const D: usize>(self, src: &[u32]) -> u32 {
            src[0]
        }
        #[inline(always)]
        fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> u32 {
            src[0]
        }
    };
}
pub(in crate::simd) use one_lane_u32;
