//! Lanes of unsigned integers of 16 bits: the ring modulo q, and the fields of keys.

use crate::simd::Sealed;

/// The order of fields in bytes, of bits in fields, and of bytes in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first field stands in the lowest bits of the first byte.
    Little,
    /// The first field stands in the highest bits of the first byte.
    Big,
}

/// Roots for layers of the transform modulo q, forward or back.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "only processors with rows read it, and each a part")]
pub struct RingRoots<'r> {
    /// Roots, signed and in Montgomery form: of a layer of `k` blocks those from number `k` on.
    pub z: &'r [u16],
    /// Each root divided by q, modulo `2^16`.
    pub zq: &'r [u16],
    /// The roots of the transform forward, also for the way back, as [`word_root`] makes them of those in Montgomery form.
    pub words: &'r [u32],
    /// The modulus.
    pub q: u16,
    /// Whether the layers are those of the transform back, the shortest distance first.
    pub back: bool,
}

/// Returns `-z 2^16 mod q`, signed, divided by q modulo `2^32`: a root of Montgomery form, signed or in `[0, q)`, for products of which the
/// upper half of a word is taken (Plantard's multiplication). Range: q is odd and below `2^15`.
pub const fn word_root(z: u16, q: u16) -> u32 {
    let q = q as u32;
    let z = z.cast_signed() as u32;
    // In [0, q), then negative.
    let z = z.wrapping_add((z >> 31) * q);
    let z = ((q - z) << 16) % q;
    let z = if z > q / 2 { z.wrapping_sub(q) } else { z };
    // 1/q modulo 2^32, by Newton's iteration.
    let mut inverse = q;
    let mut i = 0;
    while i < 5 {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(q.wrapping_mul(inverse)));
        i += 1;
    }
    z.wrapping_mul(inverse)
}

/// What is done to each number `x` of a row, modulo q.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "only processors with rows read it, and each a part")]
pub enum RingRow<'r> {
    /// `x` in `[0, q)`. Range: `|x| <= 2.22 q`, signed.
    Canonical,
    /// `x z / 2^16` in `[0, q)`, with `z` and `z / q mod 2^16`. Range: `x` signed, `|z| <= q/2`.
    Scaled([u16; 2]),
    /// `x y / 2^16` in `[0, q)` with the number `y` of another row, in `[0, q)`.
    Times(&'r [u16]),
    /// `x y / 2^16` as in [`RingRow::Times`], but signed and at most q. Range: `|x| <= 2 q`, signed.
    TimesSigned(&'r [u16]),
    /// `2^16 / x` in `[0, q)`, zero for zero. Range: `x` in `[0, q)`.
    Inverses {
        /// `2^32 mod q`.
        square_of_r: u16,
    },
}

/// Operations on vectors of 16-bit integers, unsigned where nothing else is said. Sums and products wrap.
pub trait U16s: Sealed + Copy {
    /// Lanes of a `U16` vector, a power of two up to 32.
    const LANES_U16: usize;
    /// Whether the level has one lane, but the compiler has vectors for long loops over 16-bit lanes.
    const LOOPS_ARE_VECTORS: bool = false;
    /// A vector of 16-bit unsigned integers.
    type U16: Copy;

    /// The first `LANES_U16` values of `src`.
    fn load_u16(self, src: &[u16]) -> Self::U16;
    /// Writes the lanes to the front of `dst`.
    fn store_u16(self, v: Self::U16, dst: &mut [u16]);
    /// `x` in every lane.
    fn splat_u16(self, x: u16) -> Self::U16;
    /// `a + b mod 2^16`.
    fn add_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// `a - b mod 2^16`.
    fn sub_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// The smaller of the two, unsigned.
    fn min_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// The larger of the two, unsigned.
    fn max_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// The low half of the product.
    fn mullo_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// The high half of the unsigned product.
    fn mulhi_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// The high half of the signed product.
    fn mulhi_i16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// [`U16s::mulhi_i16`] with a `b` that a whole loop has. `zero` is 0, best if the compiler cannot know it.
    #[inline(always)]
    fn mulhi_same_i16(self, a: Self::U16, b: Self::U16, _zero: Self::U16) -> Self::U16 {
        self.mulhi_i16(a, b)
    }
    /// The high half of `a z - m q`, signed, whose low half is zero. Range: the magnitudes of `z` and `q` are below
    /// `2^14`. `zero` as for [`U16s::mulhi_same_i16`].
    #[inline(always)]
    fn montgomery_i16(self, a: Self::U16, z: Self::U16, m: Self::U16, q: Self::U16, zero: Self::U16) -> Self::U16 {
        self.sub_u16(self.mulhi_same_i16(a, z, zero), self.mulhi_i16(m, q))
    }
    /// `3 a / 2^15`, signed, to the nearest integer, halves up.
    fn thirds_i16(self, a: Self::U16) -> Self::U16;
    /// `a` where it is not negative, else `a + q`. Range: signed, `-q <= a < q`, `q < 2^15`.
    #[inline(always)]
    fn wrap_u16(self, a: Self::U16, q: Self::U16) -> Self::U16 {
        self.min_u16(a, self.add_u16(a, q))
    }
    /// Returns `v`; debug builds assert that the magnitude of each lane, signed, is at most `bound`. So does the level
    /// [`ranges`](crate::simd) of the tests, for all that a lane may be.
    #[inline(always)]
    fn within_u16(self, v: Self::U16, bound: u16) -> Self::U16 {
        if cfg!(debug_assertions) {
            let mut lanes = [0; 32];
            self.store_u16(v, &mut lanes);
            debug_assert!(lanes.iter().all(|x| x.cast_signed().unsigned_abs() <= bound));
        }
        v
    }
    /// `a & b`.
    fn and_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// `a | b`.
    fn or_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// `a ^ b`.
    fn xor_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// `a 2^by mod 2^16`. Range: `by < 16`, known when it is compiled.
    fn shl_u16(self, a: Self::U16, by: u32) -> Self::U16;
    /// `a / 2^by`, unsigned, rounded down. Range: `by < 16`, known when it is compiled.
    fn shr_u16(self, a: Self::U16, by: u32) -> Self::U16;
    /// Cuts both into blocks of `D` lanes, and returns `a0 b0 a2 b2 ..` and `a1 b1 a3 b3 ..`; a second call undoes it.
    /// Range: `D < LANES_U16`. One lane has no blocks: `a` and `b` come back.
    fn interleave_u16<const D: usize>(self, a: Self::U16, b: Self::U16) -> (Self::U16, Self::U16);
    /// Writes the lanes below `limit` to the front of `dst`, and returns their number. Range: `dst` has room for all
    /// lanes; what stands behind those that were kept is of no use. For public values only.
    fn keep_below_u16(self, v: Self::U16, limit: u16, dst: &mut [u16]) -> usize;

    /// A sum of squares, which may know only that it is `2^31` or more.
    type Squares: Copy;
    /// The empty sum.
    fn no_squares(self) -> Self::Squares;
    /// Adds the square of each lane. Range: lanes below `2^15`, at most `2^16` of them in all.
    fn add_squares(self, sum: Self::Squares, v: Self::U16) -> Self::Squares;
    /// The sum if it is below `2^31`, and some number of `2^31` or more if it is not.
    fn total(self, sum: Self::Squares) -> u64;

    /// Whether a level of one lane has whole rows: then [`U16s::ring_layers`] is called.
    const HAS_RING_ROWS: bool = false;
    /// `DISTANCES` layers of the transform modulo q, from `distance` on down, or back up to it. Range: as `modq::ntt` tells
    /// for so many layers; what goes in backward, but for three layers, comes from layers of the level itself. Three layers are
    /// those of the distances 4, 2 and 1; of two, the shorter distance is at least 8.
    #[inline(always)]
    fn ring_layers<const DISTANCES: usize>(self, _a: &mut [u16], _distance: usize, _roots: &RingRoots<'_>) {}
    /// Does the whole row, if the level has such rows and this one is not too short for them; if not, nothing is done.
    /// `q` comes with `1/q mod 2^16`.
    #[inline(always)]
    fn ring_row(self, _a: &mut [u16], _row: RingRow<'_>, _q: [u16; 2]) -> bool {
        false
    }

    /// Reads fields of 14 bits: `7 k` bytes become `4 k` values below `2^14`. Range: `4 k` is a multiple of
    /// `LANES_U16`.
    #[inline(always)]
    fn unpack14(self, order: Order, src: &[u8], out: &mut [u16]) {
        unpack14_without_vectors(order, src, out);
    }
}

/// [`U16s::unpack14`] for levels that have nothing better.
#[inline(always)]
fn unpack14_without_vectors(order: Order, src: &[u8], out: &mut [u16]) {
    for (b, v) in src.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        *v = four_fields(order, b);
    }
}

/// Returns the four fields of seven bytes, each below `2^14`.
#[inline(always)]
pub const fn four_fields(order: Order, b: &[u8; 7]) -> [u16; 4] {
    // The first and the last 32 of 56 bits.
    let first = [b[0], b[1], b[2], b[3]];
    let last = [b[3], b[4], b[5], b[6]];
    // Two fields each, the first of the two in the low half.
    let (x, y) = match order {
        Order::Big => {
            let x = u32::from_be_bytes(first);
            let y = u32::from_be_bytes(last);
            (x >> 18 | (x >> 4) << 16, (y >> 14 & 0x3fff) | y << 16)
        }
        Order::Little => {
            let x = u32::from_le_bytes(first);
            let y = u32::from_le_bytes(last);
            (x & 0x3fff | (x >> 14) << 16, y >> 4 & 0x3fff | (y >> 18) << 16)
        }
    };
    let x = x & 0x3fff_3fff;
    let y = y & 0x3fff_3fff;
    [x as u16, (x >> 16) as u16, y as u16, (y >> 16) as u16]
}

/// The operations of [`U16s`] on one lane.
macro_rules! one_lane_u16 {
    () => {
        const LANES_U16: usize = 1;
        const LOOPS_ARE_VECTORS: bool = cfg!(target_feature = "sse2");
        type U16 = u16;
        #[inline(always)]
        fn load_u16(self, src: &[u16]) -> u16 {
            src[0]
        }
        #[inline(always)]
        fn store_u16(self, v: u16, dst: &mut [u16]) {
            dst[0] = v;
        }
        #[inline(always)]
        fn splat_u16(self, x: u16) -> u16 {
            x
        }
        #[inline(always)]
        fn add_u16(self, a: u16, b: u16) -> u16 {
            a.wrapping_add(b)
        }
        #[inline(always)]
        fn sub_u16(self, a: u16, b: u16) -> u16 {
            a.wrapping_sub(b)
        }
        #[inline(always)]
        fn min_u16(self, a: u16, b: u16) -> u16 {
            crate::simd::ct::min_u16(a, b)
        }
        #[inline(always)]
        fn max_u16(self, a: u16, b: u16) -> u16 {
            crate::simd::ct::max_u16(a, b)
        }
        #[inline(always)]
        fn mullo_u16(self, a: u16, b: u16) -> u16 {
            a.wrapping_mul(b)
        }
        #[inline(always)]
        fn mulhi_u16(self, a: u16, b: u16) -> u16 {
            ((u32::from(a) * u32::from(b)) >> 16) as u16
        }
        #[inline(always)]
        fn mulhi_i16(self, a: u16, b: u16) -> u16 {
            ((i32::from(a.cast_signed()) * i32::from(b.cast_signed())) >> 16) as u16
        }
        #[inline(always)]
        fn mulhi_same_i16(self, a: u16, b: u16, zero: u16) -> u16 {
            // A loop becomes one of 16-bit products (`pmulhw`) only if both factors seem to change.
            self.mulhi_i16(a, if Self::LOOPS_ARE_VECTORS { b | a & zero } else { b })
        }
        #[inline(always)]
        fn montgomery_i16(self, a: u16, z: u16, m: u16, q: u16, zero: u16) -> u16 {
            if Self::LOOPS_ARE_VECTORS {
                return self.sub_u16(self.mulhi_same_i16(a, z, zero), self.mulhi_i16(m, q));
            }
            // The low half of the difference is zero, so both high halves can be taken at once.
            let product = i32::from(a.cast_signed()) * i32::from(z.cast_signed());
            let multiple = i32::from(m.cast_signed()) * i32::from(q.cast_signed());
            ((product - multiple) >> 16) as u16
        }
        #[inline(always)]
        fn thirds_i16(self, a: u16) -> u16 {
            let a = i32::from(a.cast_signed());
            if Self::LOOPS_ARE_VECTORS {
                // No step is wider than 16 bits.
                ((((a * 12) >> 16) as i16).wrapping_add(1) >> 1).cast_unsigned()
            } else {
                ((a * 3 + 0x4000) >> 15) as u16
            }
        }
        #[inline(always)]
        fn wrap_u16(self, a: u16, q: u16) -> u16 {
            if Self::LOOPS_ARE_VECTORS {
                return self.min_u16(a, self.add_u16(a, q));
            }
            // Without an instruction for the minimum, the sign is a shorter way.
            a.wrapping_add(q & crate::simd::ct::mask_negative((u32::from(a) << 16).cast_signed()) as u16)
        }
        #[inline(always)]
        fn and_u16(self, a: u16, b: u16) -> u16 {
            a & b
        }
        #[inline(always)]
        fn or_u16(self, a: u16, b: u16) -> u16 {
            a | b
        }
        #[inline(always)]
        fn xor_u16(self, a: u16, b: u16) -> u16 {
            a ^ b
        }
        #[inline(always)]
        fn shl_u16(self, a: u16, by: u32) -> u16 {
            a << by
        }
        #[inline(always)]
        fn shr_u16(self, a: u16, by: u32) -> u16 {
            a >> by
        }
        #[inline(always)]
        fn interleave_u16<const D: usize>(self, a: u16, b: u16) -> (u16, u16) {
            (a, b)
        }
        #[inline(always)]
        fn keep_below_u16(self, v: u16, limit: u16, dst: &mut [u16]) -> usize {
            dst[0] = v;
            usize::from(v < limit)
        }
        // The sum of the low halves of the squares, and that of the high halves, 32 bits each.
        type Squares = (u32, u32);
        #[inline(always)]
        fn no_squares(self) -> (u32, u32) {
            (0, 0)
        }
        #[inline(always)]
        fn add_squares(self, (low, high): (u32, u32), v: u16) -> (u32, u32) {
            (low + u32::from(self.mullo_u16(v, v)), high + u32::from(self.mulhi_u16(v, v)))
        }
        #[inline(always)]
        fn total(self, (low, high): (u32, u32)) -> u64 {
            (u64::from(high) << 16) + u64::from(low)
        }
    };
}
pub(in crate::simd) use one_lane_u16;
