//! Lanes for unsigned 16-bit integers: the ring modulo `q = 12289` in FN-DSA, and the fields in
//! keys.

use crate::simd::Sealed;

/// The order of fields in bytes, of bits in fields, and of bytes in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitOrder {
    /// The first field is in the lowest bits of the first byte.
    Little,
    /// The first field is in the highest bits of the first byte.
    Big,
}

/// The roots for transform layers modulo q, forward or backward.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "only processors with rows read it, and each a part")]
pub struct RingRoots<'r> {
    /// The roots, signed and in Montgomery form. A transform consists of layers. The roots for a
    /// layer that divides the row into `k` blocks start at index `k`.
    pub z: &'r [u16],
    /// The values `root / q mod 2^16` for the roots in `z`.
    pub zq: &'r [u16],
    /// The roots for the forward transform, converted from Montgomery form by [`word_root`]. The
    /// backward transform also uses these roots.
    pub words: &'r [u32],
    /// The modulus.
    pub q: u16,
    /// True for the backward transform. Its first layer combines the values with the shortest
    /// distance.
    pub is_inverse: bool,
}

/// Converts a root `z` from Montgomery form, signed or in `[0, q)`, to the form for Plantard's
/// multiplication. This multiplication uses the upper half of a 32-bit product. Returns `-z 2^16
/// mod q`, signed, divided by q modulo `2^32`. Range: q is odd and less than `2^15`.
pub const fn word_root(z: u16, q: u16) -> u32 {
    let q = q as u32;
    let z = z.cast_signed() as u32;
    // Reduce `z` to [0, q), and then compute `-z 2^16 mod q`.
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

/// An operation modulo q on each number `x` in a row (a whole array of numbers).
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "only processors with rows read it, and each a part")]
pub enum RingRow<'r> {
    /// Reduces `x` to `[0, q)`. Range: `|x| <= 2.22 q`, signed.
    Canonical,
    /// Computes `x z / 2^16` modulo q, in `[0, q)`. The two values are `z`, and `z / q` modulo
    /// `2^16`. Range: `x` signed, `|z| <= q/2`.
    Scaled([u16; 2]),
    /// Computes `x y / 2^16` modulo q, in `[0, q)`. `y` is the number with the same index in the
    /// given row. Range: `y` in `[0, q)`.
    Times(&'r [u16]),
    /// Computes `x y / 2^16` as [`RingRow::Times`] does, but the result is signed, with a magnitude
    /// up to q. Range: `|x| <= 2 q`, signed.
    TimesSigned(&'r [u16]),
    /// Computes `2^16 / x` modulo q, in `[0, q)`, or zero if `x` is zero. Range: `x` in `[0, q)`.
    Inverses {
        /// `2^32 mod q`.
        square_of_r: u16,
    },
}

/// Operations on vectors with 16-bit integers, which are unsigned unless stated otherwise. Sums and
/// products wrap.
pub trait U16s: Sealed + Copy {
    /// The lane count for a `U16` vector, a power of two up to 32.
    const LANES_U16: usize;
    /// True if the operations of the level (the instruction set) have a single lane, but the
    /// compiler translates long loops over 16-bit numbers to vector instructions.
    const LOOPS_ARE_VECTORS: bool = false;
    /// A vector with unsigned 16-bit integers.
    type U16: Copy;

    /// Loads the first `LANES_U16` values from `src`.
    fn load_u16(self, src: &[u16]) -> Self::U16;
    /// Stores the lanes at the start of `dst`.
    fn store_u16(self, v: Self::U16, dst: &mut [u16]);
    /// Returns `x` in all lanes.
    fn splat_u16(self, x: u16) -> Self::U16;
    /// Returns `a + b mod 2^16`.
    fn add_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Returns `a - b mod 2^16`.
    fn sub_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Returns the minima of the unsigned lanes.
    fn min_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Returns the maxima of the unsigned lanes.
    fn max_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Returns the product's low half.
    fn mullo_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Returns the unsigned product's high half.
    fn mulhi_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Returns the signed product's high half.
    fn mulhi_i16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Computes [`U16s::mulhi_i16`], for a loop in which `b` does not change. If the compiler knows
    /// that `b` does not change, it does not use 16-bit vector products. To hide this from the
    /// compiler, an implementation can combine `b` with `zero`. `zero` must be 0, but the compiler
    /// must not know its value.
    #[inline(always)]
    fn mulhi_same_i16(self, a: Self::U16, b: Self::U16, _zero: Self::U16) -> Self::U16 {
        self.mulhi_i16(a, b)
    }
    /// Returns the high half of `a z - m q`, signed. The low half of this difference must be zero.
    /// Range: `|z| < 2^14` and `|q| < 2^14`. For `zero`, see [`U16s::mulhi_same_i16`].
    #[inline(always)]
    fn montgomery_i16(self, a: Self::U16, z: Self::U16, m: Self::U16, q: Self::U16, zero: Self::U16) -> Self::U16 {
        self.sub_u16(self.mulhi_same_i16(a, z, zero), self.mulhi_i16(m, q))
    }
    /// Returns `3 a / 2^15`, signed, rounded to the nearest integer. Halves are rounded up.
    fn thirds_i16(self, a: Self::U16) -> Self::U16;
    /// Returns `a` if it is not negative, otherwise `a + q`. Range: signed, `-q <= a < q`,
    /// `q < 2^15`.
    #[inline(always)]
    fn wrap_u16(self, a: Self::U16, q: Self::U16) -> Self::U16 {
        self.min_u16(a, self.add_u16(a, q))
    }
    /// Returns `v`. Debug builds assert that the signed magnitudes of the lanes do not exceed
    /// `bound`. The test level [`ranges`](crate::simd) asserts this for any value that a lane can
    /// have.
    #[inline(always)]
    fn within_u16(self, v: Self::U16, bound: u16) -> Self::U16 {
        if cfg!(debug_assertions) {
            let mut lanes = [0; 32];
            self.store_u16(v, &mut lanes);
            debug_assert!(lanes.iter().all(|x| x.cast_signed().unsigned_abs() <= bound));
        }
        v
    }
    /// Returns `a & b`.
    fn and_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Returns `a | b`.
    fn or_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Returns `a ^ b`.
    fn xor_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Returns `a 2^by mod 2^16`. Range: `by < 16`, known at compile time.
    fn shl_u16(self, a: Self::U16, by: u32) -> Self::U16;
    /// Returns `a / 2^by`, unsigned, rounded down. Range: `by < 16`, known at compile time.
    fn shr_u16(self, a: Self::U16, by: u32) -> Self::U16;
    /// Divides `a` and `b` into blocks of `D` lanes, and returns `a0 b0 a2 b2 ..` and
    /// `a1 b1 a3 b3 ..`. A second call with these two vectors restores `a` and `b`. Range:
    /// `D < LANES_U16`. With a single lane, the result is `a` and `b`.
    fn interleave_u16<const D: usize>(self, a: Self::U16, b: Self::U16) -> (Self::U16, Self::U16);
    /// Writes the lanes that are less than `limit` to the start of `dst`, and returns their number.
    /// `dst` must have space for all lanes, and contains unspecified data after the written lanes.
    /// As the time depends on the values, they must be public.
    fn keep_below_u16(self, v: Self::U16, limit: u16, dst: &mut [u16]) -> usize;

    /// The type of a sum of squares. The sum is exact if it is less than `2^31`.
    type Squares: Copy;
    /// Returns the empty sum.
    fn no_squares(self) -> Self::Squares;
    /// Adds the squares of the lanes in `v`. Range: all lanes are less than `2^15`, and the sum has
    /// up to `2^16` squares in total.
    fn add_squares(self, sum: Self::Squares, v: Self::U16) -> Self::Squares;
    /// Returns the sum of all squares if it is less than `2^31`, otherwise any number from `2^31`
    /// on.
    fn total(self, sum: Self::Squares) -> u64;

    /// True if a single-lane level supports the operations on complete rows, [`U16s::ring_layers`]
    /// and [`U16s::ring_row`]. The engine only calls `ring_layers` if this constant is true.
    const HAS_RING_ROWS: bool = false;
    /// Computes `DISTANCES` transform layers modulo q. A layer combines pairs of values that have a
    /// fixed distance. Forward layers start at `distance` and halve the distance from layer to
    /// layer, and backward layers double it and end at `distance`. Range: the tables in `modq::ntt`
    /// list the bound on the input for a given number of layers. The input for one or two backward
    /// layers must be an output of this function on the same level (instruction set). Three layers
    /// have the distances 4, 2 and 1. For two layers, the shorter distance is 8 or more.
    #[inline(always)]
    fn ring_layers<const DISTANCES: usize>(self, _a: &mut [u16], _distance: usize, _roots: &RingRoots<'_>) {}
    /// Applies the operation to the complete row and returns true. If the level does not support
    /// the operation for a row of this length, returns false without changing the row. The array
    /// `q` contains the modulus and its inverse `1/q mod 2^16`.
    #[inline(always)]
    fn ring_row(self, _a: &mut [u16], _row: RingRow<'_>, _q: [u16; 2]) -> bool {
        false
    }

    /// Reads 14-bit fields: converts `7 k` bytes to `4 k` values. Range: `4 k` is a multiple of
    /// `LANES_U16`.
    #[inline(always)]
    fn unpack14(self, order: BitOrder, src: &[u8], out: &mut [u16]) {
        unpack14_without_vectors(order, src, out);
    }
}

/// Implements [`U16s::unpack14`] for levels without faster code.
#[inline(always)]
fn unpack14_without_vectors(order: BitOrder, src: &[u8], out: &mut [u16]) {
    for (b, v) in src.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        *v = four_14_bit_fields(order, b);
    }
}

/// Returns the four 14-bit fields in seven bytes.
#[inline(always)]
pub const fn four_14_bit_fields(order: BitOrder, b: &[u8; 7]) -> [u16; 4] {
    // `first` contains the first 32 bits, and `last` contains the last 32 bits.
    let first = [b[0], b[1], b[2], b[3]];
    let last = [b[3], b[4], b[5], b[6]];
    // A word contains two fields, the first of them in the low half.
    let (x, y) = match order {
        BitOrder::Big => {
            let x = u32::from_be_bytes(first);
            let y = u32::from_be_bytes(last);
            (x >> 18 | (x >> 4) << 16, (y >> 14 & 0x3fff) | y << 16)
        }
        BitOrder::Little => {
            let x = u32::from_le_bytes(first);
            let y = u32::from_le_bytes(last);
            (x & 0x3fff | (x >> 14) << 16, y >> 4 & 0x3fff | (y >> 18) << 16)
        }
    };
    let x = x & 0x3fff_3fff;
    let y = y & 0x3fff_3fff;
    [x as u16, (x >> 16) as u16, y as u16, (y >> 16) as u16]
}

/// Implements [`U16s`] for a single lane.
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
            // The compiler uses 16-bit vector products (`pmulhw`) in a loop only if both factors
            // seem to change.
            self.mulhi_i16(a, if Self::LOOPS_ARE_VECTORS { b | a & zero } else { b })
        }
        #[inline(always)]
        fn montgomery_i16(self, a: u16, z: u16, m: u16, q: u16, zero: u16) -> u16 {
            if Self::LOOPS_ARE_VECTORS {
                return self.sub_u16(self.mulhi_same_i16(a, z, zero), self.mulhi_i16(m, q));
            }
            // As the low half of the difference is zero, both high halves can be computed together.
            let product = i32::from(a.cast_signed()) * i32::from(z.cast_signed());
            let multiple = i32::from(m.cast_signed()) * i32::from(q.cast_signed());
            ((product - multiple) >> 16) as u16
        }
        #[inline(always)]
        fn thirds_i16(self, a: u16) -> u16 {
            let a = i32::from(a.cast_signed());
            if Self::LOOPS_ARE_VECTORS {
                // Compute the result of the formula below with intermediate results that fit in 16
                // bits.
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
            // On processors without a minimum instruction, a mask from the sign is faster.
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
        // Two 32-bit sums: one over the low halves of all squares, and one over the high halves.
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
