//! NEON: 128-bit vectors. This level does not use the fused multiply-add, because the results would
//! differ from the results on other levels.

use crate::simd::lanes::{one_lane_i64, one_lane_u64, one_number};
use crate::simd::vectors::{intrinsics, keep_below, load, long_level_array, memory, total, with_const};
use crate::simd::{BitOrder, F32s, F64s, Frame, I64s, RealRows, Scalar, Sealed, Simd, U16s, U32s, U64s};
use core::arch::aarch64::*;

/// The proof that this CPU supports NEON with binary64. It contains `K`, the proof for the
/// instructions that compute Keccak.
#[derive(Clone, Copy, Debug)]
pub struct WithNeon<K>(pub(super) K);

/// The level that uses only NEON.
pub type Neon = WithNeon<NeonKeccak>;

/// The instructions that a CPU with NEON uses for Keccak.
pub trait KeccakSet: Copy + Send + Sync {
    /// The name of the level.
    const LEVEL: &'static str;
    /// The lanes for a single Keccak state, [`Simd::OneState`].
    type One: U64s;
    /// The lanes for two Keccak states, [`Simd::TwoStates`].
    type Two: U64s;
    /// The lanes for more Keccak states, [`Simd::FourStates`] and [`Simd::ManyStates`].
    type Many: U64s;
    fn one(self) -> Self::One;
    fn two(self) -> Self::Two;
    fn many(self) -> Self::Many;
    /// Runs `f` with the instructions enabled.
    fn with_instructions<R>(self, f: impl FnOnce() -> R) -> R;
}

impl Neon {
    /// Returns the proof. All AArch64 targets of Rust that have binary64 also have NEON.
    pub const fn detect() -> Option<Self> {
        Some(Self(NeonKeccak(())))
    }
}

impl<K> Sealed for WithNeon<K> {}

impl<K: KeccakSet> Frame for WithNeon<K> {
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        self.0.with_instructions(f)
    }
}

impl<K: KeccakSet> Simd for WithNeon<K> {
    const NAME: &'static str = K::LEVEL;
    type Half = Scalar;
    type OneState = K::One;
    type TwoStates = K::Two;
    type FourStates = K::Many;
    type ManyStates = K::Many;
    type F32s = Self;
    type Integers = Self;
    type Keygen = Self;

    #[inline(always)]
    fn half(self) -> Scalar {
        Scalar::IMPLIED
    }
    #[inline(always)]
    fn one_state(self) -> K::One {
        self.0.one()
    }
    #[inline(always)]
    fn two_states(self) -> K::Two {
        self.0.two()
    }
    #[inline(always)]
    fn four_states(self) -> K::Many {
        self.0.many()
    }
    #[inline(always)]
    fn many_states(self) -> K::Many {
        self.0.many()
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

/// Tables that align eight 14-bit fields. A field's bits are in three bytes. The first two bytes
/// form a 16-bit number, and so do the last two bytes. If the order is little-endian, the first
/// number is shifted down and the second number up. If it is big-endian, the first number is
/// shifted up and the second number down.
struct FieldMoves {
    /// For each field, the positions of the two bytes that are shifted down. A position is an index
    /// in the 14 bytes that contain all eight fields.
    down_bytes: [u8; 16],
    /// The positions of the bytes that are shifted up.
    up_bytes: [u8; 16],
    /// Shift distances. A positive number shifts up, and a negative number shifts down.
    down_distances: [i16; 8],
    up_distances: [i16; 8],
}

/// The tables for little-endian and big-endian order.
static FIELDS14: [FieldMoves; 2] = {
    const EMPTY: FieldMoves =
        FieldMoves { down_bytes: [0; 16], up_bytes: [0; 16], down_distances: [0; 8], up_distances: [0; 8] };
    let mut tables = [EMPTY; 2];
    let mut i = 0;
    while i < 8 {
        // `shift` is the number of bits in the first byte that belong to other fields: 8, 6, 4 or
        // 2. If it is 8, the first byte has no bit of the field. For field 0, this byte does not
        // exist, so its position is 0x80, for which the table lookup returns zero.
        let shift = 8 - 2 * (i % 4) as i16;
        let first_byte = (14 * i as i16 - shift) / 8;
        let [a, b, c] =
            if i == 0 { [0x80, 0, 1] } else { [first_byte as u8, first_byte as u8 + 1, first_byte as u8 + 2] };
        let [little, big] = &mut tables;
        (little.down_bytes[2 * i], little.down_bytes[2 * i + 1]) = (a, b);
        (little.up_bytes[2 * i], little.up_bytes[2 * i + 1]) = (b, c);
        (little.down_distances[i], little.up_distances[i]) = (-shift, 8 - shift);
        (big.up_bytes[2 * i], big.up_bytes[2 * i + 1]) = (b, a);
        (big.down_bytes[2 * i], big.down_bytes[2 * i + 1]) = (c, b);
        (big.down_distances[i], big.up_distances[i]) = (shift - 10, shift - 2);
        i += 1;
    }
    tables
};

impl<K: KeccakSet> U16s for WithNeon<K> {
    const LANES_U16: usize = 8;
    type U16 = uint16x8_t;
    type Squares = (uint32x4_t, uint32x4_t);
    memory!(load_u16, store_u16, u16, 8, uint16x8_t, vld1q_u16, vst1q_u16);
    intrinsics! {
        fn splat_u16(x: u16) -> uint16x8_t = vdupq_n_u16(x);
        fn add_u16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = vaddq_u16(a, b);
        fn sub_u16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = vsubq_u16(a, b);
        fn min_u16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = vminq_u16(a, b);
        fn max_u16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = vmaxq_u16(a, b);
        fn mullo_u16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = vmulq_u16(a, b);
        fn mulhi_u16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = {
            let low = vmull_u16(vget_low_u16(a), vget_low_u16(b));
            vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(vmull_high_u16(a, b)))
        };
        fn mulhi_i16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = {
            let a = vreinterpretq_s16_u16(a);
            let b = vreinterpretq_s16_u16(b);
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            vuzp2q_u16(vreinterpretq_u16_s32(low), vreinterpretq_u16_s32(vmull_high_s16(a, b)))
        };
        // The instruction `vqdmulh` returns the high half of a doubled product. The low halves of
        // both products are equal, so the difference of the results is even, and `vhsubq` halves it
        // exactly.
        fn montgomery_i16(a: uint16x8_t, z: uint16x8_t, m: uint16x8_t, q: uint16x8_t, _zero: uint16x8_t) -> uint16x8_t = {
            let product = vqdmulhq_s16(vreinterpretq_s16_u16(a), vreinterpretq_s16_u16(z));
            let multiple = vqdmulhq_s16(vreinterpretq_s16_u16(m), vreinterpretq_s16_u16(q));
            vreinterpretq_u16_s16(vhsubq_s16(product, multiple))
        };
        fn thirds_i16(a: uint16x8_t) -> uint16x8_t = vreinterpretq_u16_s16(vqrdmulhq_n_s16(vreinterpretq_s16_u16(a), 3));
        fn and_u16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = vandq_u16(a, b);
        fn or_u16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = vorrq_u16(a, b);
        fn xor_u16(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t = veorq_u16(a, b);
        fn shl_u16(a: uint16x8_t, by: u32) -> uint16x8_t = vshlq_u16(a, vdupq_n_s16(by as i16));
        fn shr_u16(a: uint16x8_t, by: u32) -> uint16x8_t = vshlq_u16(a, vdupq_n_s16(-(by as i16)));
        fn no_squares() -> (uint32x4_t, uint32x4_t) = (vdupq_n_u32(0), vdupq_n_u32(0));
        // Each addend is less than 2^31. So the first sum that reaches 2^31 has bit 31 set.
        fn add_squares(sum: (uint32x4_t, uint32x4_t), v: uint16x8_t) -> (uint32x4_t, uint32x4_t) = {
            let next = vmlal_u16(sum.0, vget_low_u16(v), vget_low_u16(v));
            let next = vmlal_high_u16(next, v, v);
            (next, vorrq_u32(sum.1, next))
        };
    }
    #[inline(always)]
    fn interleave_u16<const D: usize>(self, a: uint16x8_t, b: uint16x8_t) -> (uint16x8_t, uint16x8_t) {
        // SAFETY: `self` proves NEON.
        unsafe {
            match D {
                1 => (vtrn1q_u16(a, b), vtrn2q_u16(a, b)),
                2 => {
                    let a = vreinterpretq_u32_u16(a);
                    let b = vreinterpretq_u32_u16(b);
                    (vreinterpretq_u16_u32(vtrn1q_u32(a, b)), vreinterpretq_u16_u32(vtrn2q_u32(a, b)))
                }
                _ => {
                    let a = vreinterpretq_u64_u16(a);
                    let b = vreinterpretq_u64_u16(b);
                    (vreinterpretq_u16_u64(vtrn1q_u64(a, b)), vreinterpretq_u16_u64(vtrn2q_u64(a, b)))
                }
            }
        }
    }
    total!(4, uint32x4_t, vst1q_u32);
    #[inline(always)]
    fn unpack14(self, order: BitOrder, src: &[u8], out: &mut [u16]) {
        let table = match order {
            BitOrder::Little => &FIELDS14[0],
            BitOrder::Big => &FIELDS14[1],
        };
        // SAFETY: `self` proves NEON; a table row is as long as a vector.
        let (down_bytes, up_bytes, down_distances, up_distances) = unsafe {
            let down_distances = vld1q_s16(table.down_distances.as_ptr());
            let up_distances = vld1q_s16(table.up_distances.as_ptr());
            (vld1q_u8(table.down_bytes.as_ptr()), vld1q_u8(table.up_bytes.as_ptr()), down_distances, up_distances)
        };
        // Returns eight fields from a vector's first 14 bytes.
        macro_rules! eight {
            ($bytes:expr) => {{
                let bytes = $bytes;
                let x = vshlq_u16(vreinterpretq_u16_u8(vqtbl1q_u8(bytes, down_bytes)), down_distances);
                let y = vshlq_u16(vreinterpretq_u16_u8(vqtbl1q_u8(bytes, up_bytes)), up_distances);
                vandq_u16(vorrq_u16(x, y), vdupq_n_u16(0x3fff))
            }};
        }
        for (src, out) in src.chunks_exact(28).zip(out.chunks_exact_mut(16)) {
            let upper_bytes = &src[12..];
            // SAFETY: `self` proves NEON; both loads stay in 28 bytes.
            let (lower_fields, upper_fields) = unsafe {
                let upper_bytes = vld1q_u8(upper_bytes.as_ptr());
                (eight!(vld1q_u8(src.as_ptr())), eight!(vextq_u8::<2>(upper_bytes, upper_bytes)))
            };
            self.store_u16(lower_fields, out);
            self.store_u16(upper_fields, &mut out[8..]);
        }
        // Unpack the last eight fields, which do not fill a pair of vectors. Only the test
        // algorithm with degree 8 has such fields.
        let pair_count = src.len() / 28;
        for (src, out) in src[28 * pair_count..].chunks_exact(14).zip(out[16 * pair_count..].chunks_exact_mut(8)) {
            let mut bytes = [0; 16];
            bytes[..14].copy_from_slice(src);
            // SAFETY: `self` proves NEON; the array is as long as a vector.
            let fields = unsafe { eight!(vld1q_u8(bytes.as_ptr())) };
            self.store_u16(fields, out);
        }
    }
    #[inline(always)]
    fn keep_below_u16(self, v: uint16x8_t, limit: u16, dst: &mut [u16]) -> usize {
        let mut lanes = [0; 8];
        self.store_u16(v, &mut lanes);
        keep_below(lanes, limit, dst)
    }
}

/// Returns two vectors: the lower halves of `$a` and `$b`, and the upper halves of `$a` and `$b`.
macro_rules! halves {
    ($a:expr, $b:expr) => {{
        let a = vreinterpretq_u64_u32($a);
        let b = vreinterpretq_u64_u32($b);
        (vreinterpretq_u32_u64(vzip1q_u64(a, b)), vreinterpretq_u32_u64(vzip2q_u64(a, b)))
    }};
}

impl<K: KeccakSet> U32s for WithNeon<K> {
    const LANES_U32: usize = 4;
    type U32 = uint32x4_t;
    type Products = (uint64x2_t, uint64x2_t);
    memory!(load_u32, store_u32, u32, 4, uint32x4_t, vld1q_u32, vst1q_u32);
    intrinsics! {
        fn splat_u32(x: u32) -> uint32x4_t = vdupq_n_u32(x);
        fn below_u32(a: uint32x4_t, p: uint32x4_t) -> uint32x4_t = vminq_u32(a, vsubq_u32(a, p));
        fn add_mod_u32(a: uint32x4_t, b: uint32x4_t, p: uint32x4_t) -> uint32x4_t = {
            let sum = vaddq_u32(a, b);
            vminq_u32(sum, vsubq_u32(sum, p))
        };
        fn sub_mod_u32(a: uint32x4_t, b: uint32x4_t, p: uint32x4_t) -> uint32x4_t = {
            let difference = vsubq_u32(a, b);
            vminq_u32(difference, vaddq_u32(difference, p))
        };
        fn add_u32(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t = vaddq_u32(a, b);
        fn sub_u32(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t = vsubq_u32(a, b);
        fn product_u32(a: uint32x4_t, b: uint32x4_t, p: uint32x4_t, p0i: uint32x4_t) -> uint32x4_t = {
            let w = vmulq_u32(vmulq_u32(a, b), p0i);
            let x = vmlal_u32(vmull_u32(vget_low_u32(a), vget_low_u32(b)), vget_low_u32(w), vget_low_u32(p));
            let y = vmlal_high_u32(vmull_high_u32(a, b), w, p);
            vuzp2q_u32(vreinterpretq_u32_u64(x), vreinterpretq_u32_u64(y))
        };
        fn times_u32(a: uint32x4_t, w: uint32x4_t, ratio: uint32x4_t, p: uint32x4_t) -> uint32x4_t = {
            let x = vmull_u32(vget_low_u32(a), vget_low_u32(ratio));
            let y = vmull_high_u32(a, ratio);
            let quotient = vuzp2q_u32(vreinterpretq_u32_u64(x), vreinterpretq_u32_u64(y));
            vmlsq_u32(vmulq_u32(a, w), quotient, p)
        };
        fn no_products() -> (uint64x2_t, uint64x2_t) = (vdupq_n_u64(0), vdupq_n_u64(0));
        fn add_product(sum: (uint64x2_t, uint64x2_t), a: uint32x4_t, b: uint32x4_t) -> (uint64x2_t, uint64x2_t) =
            (vmlal_u32(sum.0, vget_low_u32(a), vget_low_u32(b)), vmlal_high_u32(sum.1, a, b));
        fn sum_of_products(sum: (uint64x2_t, uint64x2_t), p: uint32x4_t, p0i: uint32x4_t) -> uint32x4_t = {
            let w = vmulq_u32(vuzp1q_u32(vreinterpretq_u32_u64(sum.0), vreinterpretq_u32_u64(sum.1)), p0i);
            let x = vmlal_u32(sum.0, vget_low_u32(w), vget_low_u32(p));
            let y = vmlal_high_u32(sum.1, w, p);
            vuzp2q_u32(vreinterpretq_u32_u64(x), vreinterpretq_u32_u64(y))
        };
        fn unzip_u32<const D: usize>(a: uint32x4_t, b: uint32x4_t) -> (uint32x4_t, uint32x4_t) = match D {
            1 => (vuzp1q_u32(a, b), vuzp2q_u32(a, b)),
            _ => halves!(a, b),
        };
        fn zip_u32<const D: usize>(even: uint32x4_t, odd: uint32x4_t) -> (uint32x4_t, uint32x4_t) = match D {
            1 => (vzip1q_u32(even, odd), vzip2q_u32(even, odd)),
            _ => halves!(even, odd),
        };
    }
    #[inline(always)]
    fn repeat_u32<const D: usize>(self, src: &[u32]) -> uint32x4_t {
        let v = self.load_u32(src);
        // SAFETY: `self` proves NEON.
        unsafe { if D == 1 { v } else { vzip1q_u32(v, v) } }
    }
    #[inline(always)]
    fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> uint32x4_t {
        let v = self.load_u32(src);
        // SAFETY: `self` proves NEON.
        unsafe {
            let v = if D == 1 { vrev64q_u32(v) } else { vzip1q_u32(v, v) };
            vextq_u32::<2>(v, v)
        }
    }
}

/// Keccak with NEON only: a single state in 64-bit registers, or many states in two lanes.
#[derive(Clone, Copy, Debug)]
pub struct NeonKeccak(());

/// A word in a 64-bit register. These registers have `bic`, which computes `c & !b`, and an `eor`
/// that rotates an operand.
#[derive(Clone, Copy, Debug)]
pub struct Bic(());

impl KeccakSet for NeonKeccak {
    const LEVEL: &'static str = "neon";
    type One = Bic;
    type Two = Bic;
    type Many = Self;
    #[inline(always)]
    fn one(self) -> Bic {
        Bic(())
    }
    #[inline(always)]
    fn two(self) -> Bic {
        Bic(())
    }
    #[inline(always)]
    fn many(self) -> Self {
        self
    }
    #[inline(always)]
    fn with_instructions<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

impl Sealed for Bic {}

impl U64s for Bic {
    const STORES_INVERTED_WORDS: bool = false;
    one_lane_u64!();
    #[inline(always)]
    fn chi_u64(self, a: u64, b: u64, c: u64, _: [bool; 4]) -> u64 {
        a ^ (!b & c)
    }
}

impl Sealed for NeonKeccak {}

impl U64s for NeonKeccak {
    const LANES_U64: usize = 2;
    const STORES_INVERTED_WORDS: bool = false;
    type U64 = uint64x2_t;
    memory!(load_u64, store_u64, u64, 2, uint64x2_t, vld1q_u64, vst1q_u64);
    intrinsics! {
        fn splat_u64(x: u64) -> uint64x2_t = vdupq_n_u64(x);
        fn xor_u64(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t = veorq_u64(a, b);
        fn xor3_u64(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t = veorq_u64(veorq_u64(a, b), c);
        fn rotate_u64(a: uint64x2_t, by: u32) -> uint64x2_t =
            with_const!(by, N => vsriq_n_u64::<{ 64 - N }>(vshlq_n_u64::<N>(a), a), a);
        fn chi_u64(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t, _inverted: [bool; 4]) -> uint64x2_t =
            veorq_u64(a, vbicq_u64(c, b));
    }
}

// These operations use a single lane, which computes a 128-bit product with only `mul` and `smulh`.
// Two lanes would be slower.
impl<K: KeccakSet> I64s for WithNeon<K> {
    one_lane_i64!();
}

impl<K: KeccakSet> F32s for WithNeon<K> {
    const LANES_F32: usize = 4;
    const HAS_LOOKUP: bool = true;
    type I32 = int32x4_t;
    type F32 = float32x4_t;
    type UpToEight = Self;
    long_level_array!();

    #[inline(always)]
    fn up_to_eight(self) -> Self {
        self
    }
    memory!(load_f32, store_f32, f32, 4, float32x4_t, vld1q_f32, vst1q_f32);

    #[inline(always)]
    fn words_every_11_bytes(self, src: &[u8]) -> [int32x4_t; 3] {
        let src = &src[..49];
        // SAFETY: `self` proves NEON; the last row ends at 3 * 11 + 16 = 49.
        unsafe {
            // A row contains the 16 bytes for a lane. The results are the first three columns.
            macro_rules! row {
                ($at:expr) => {
                    vreinterpretq_s32_u8(vld1q_u8(src.as_ptr().add($at)))
                };
            }
            let [a, b, c, d] = [row!(0), row!(11), row!(22), row!(33)];
            let ab = vreinterpretq_s64_s32(vzip1q_s32(a, b));
            let cd = vreinterpretq_s64_s32(vzip1q_s32(c, d));
            let third_words =
                vzip1q_s64(vreinterpretq_s64_s32(vzip2q_s32(a, b)), vreinterpretq_s64_s32(vzip2q_s32(c, d)));
            let first = vreinterpretq_s32_s64(vzip1q_s64(ab, cd));
            let second = vreinterpretq_s32_s64(vzip2q_s64(ab, cd));
            [first, second, vreinterpretq_s32_s64(third_words)]
        }
    }
    #[inline(always)]
    fn lookup_i32(self, table: &[i32; 16], index: int32x4_t) -> int32x4_t {
        // SAFETY: `self` proves NEON; `table` contains 64 bytes.
        unsafe {
            let table: *const u8 = table.as_ptr().cast();
            let rows = uint8x16x4_t(
                vld1q_u8(table),
                vld1q_u8(table.add(16)),
                vld1q_u8(table.add(32)),
                vld1q_u8(table.add(48)),
            );
            // For each lane, the positions of its four bytes in `table`.
            let bytes = vmlaq_s32(vdupq_n_s32(0x0302_0100), index, vdupq_n_s32(0x0404_0404));
            vreinterpretq_s32_u8(vqtbl4q_u8(rows, vreinterpretq_u8_s32(bytes)))
        }
    }
    #[inline(always)]
    fn lookup_u8(self, table: &[u8; 128], index: int32x4_t) -> int32x4_t {
        // SAFETY: `self` proves NEON; `table` contains more than 80 bytes.
        unsafe {
            let table = table.as_ptr();
            let rows = uint8x16x4_t(
                vld1q_u8(table),
                vld1q_u8(table.add(16)),
                vld1q_u8(table.add(32)),
                vld1q_u8(table.add(48)),
            );
            // The upper three bytes of each lane are 0xff, which is outside all rows of the table.
            // The first lookup sets these bytes to zero, and the second lookup does not change
            // them.
            let byte_index = vreinterpretq_u8_s32(vorrq_s32(index, vdupq_n_s32(!0xff)));
            let values = vqtbl4q_u8(rows, byte_index);
            let values = vqtbx1q_u8(values, vld1q_u8(table.add(64)), vsubq_u8(byte_index, vdupq_n_u8(64)));
            vreinterpretq_s32_u8(values)
        }
    }
    intrinsics! {
        fn floor(x: f64) -> f64 = vget_lane_f64::<0>(vrndm_f64(vdup_n_f64(x)));
        fn splat_i32(x: i32) -> int32x4_t = vdupq_n_s32(x);
        fn add_i32(a: int32x4_t, b: int32x4_t) -> int32x4_t = vaddq_s32(a, b);
        fn sub_i32(a: int32x4_t, b: int32x4_t) -> int32x4_t = vsubq_s32(a, b);
        fn and_i32(a: int32x4_t, b: int32x4_t) -> int32x4_t = vandq_s32(a, b);
        fn or_i32(a: int32x4_t, b: int32x4_t) -> int32x4_t = vorrq_s32(a, b);
        fn xor_i32(a: int32x4_t, b: int32x4_t) -> int32x4_t = veorq_s32(a, b);
        fn shl_i32<const N: u32>(a: int32x4_t) -> int32x4_t = vshlq_s32(a, vdupq_n_s32(N as i32));
        fn shr_i32<const N: u32>(a: int32x4_t) -> int32x4_t =
            vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a), vdupq_n_s32(-(N as i32))));
        fn less_i32(a: int32x4_t, b: int32x4_t) -> int32x4_t = vreinterpretq_s32_u32(vcltq_s32(a, b));
        fn count_less_i32(n: int32x4_t, a: int32x4_t, b: int32x4_t) -> int32x4_t =
            vsubq_s32(n, vreinterpretq_s32_u32(vcltq_s32(a, b)));
        fn to_f32(a: int32x4_t) -> float32x4_t = vcvtq_f32_s32(a);
        fn cast_f32(a: int32x4_t) -> float32x4_t = vreinterpretq_f32_s32(a);
        fn cast_i32(a: float32x4_t) -> int32x4_t = vreinterpretq_s32_f32(a);
        fn splat_f32(x: f32) -> float32x4_t = vdupq_n_f32(x);
        fn add_f32(a: float32x4_t, b: float32x4_t) -> float32x4_t = vaddq_f32(a, b);
        fn sub_f32(a: float32x4_t, b: float32x4_t) -> float32x4_t = vsubq_f32(a, b);
        fn mul_f32(a: float32x4_t, b: float32x4_t) -> float32x4_t = vmulq_f32(a, b);
        // The estimate is correct to 8 bits, and a step of Newton's method doubles the number of
        // correct bits.
        fn reciprocal_f32(a: float32x4_t) -> float32x4_t = {
            let x = vrecpeq_f32(a);
            vmulq_f32(x, vrecpsq_f32(a, x))
        };
        fn le_f32(a: float32x4_t, b: float32x4_t) -> u32 = {
            const BITS: [u32; 4] = [1, 2, 4, 8];
            vaddvq_u32(vandq_u32(vcleq_f32(a, b), vld1q_u32(BITS.as_ptr())))
        };
    }
}

impl<K: KeccakSet> RealRows for WithNeon<K> {
    one_number!();
    const LANES_F64: usize = 2;
    type Real = f64;
    type F64 = float64x2_t;
    memory!(load_f64, store_f64, f64, 2, float64x2_t, vld1q_f64, vst1q_f64);
    load!(load_bits, u64, 2, float64x2_t, vld1q_f64);
    intrinsics! {
        fn splat_f64(x: f64) -> float64x2_t = vdupq_n_f64(x);
        fn add_f64(a: float64x2_t, b: float64x2_t) -> float64x2_t = vaddq_f64(a, b);
        fn sub_f64(a: float64x2_t, b: float64x2_t) -> float64x2_t = vsubq_f64(a, b);
        fn mul_f64(a: float64x2_t, b: float64x2_t) -> float64x2_t = vmulq_f64(a, b);
        fn neg_f64(a: float64x2_t) -> float64x2_t = vnegq_f64(a);
        fn half_f64(a: float64x2_t) -> float64x2_t = vmulq_f64(a, vdupq_n_f64(0.5));
        fn interleave_f64<const D: usize>(a: float64x2_t, b: float64x2_t) -> (float64x2_t, float64x2_t) =
            (vtrn1q_f64(a, b), vtrn2q_f64(a, b));
    }
}

impl<K: KeccakSet> F64s for WithNeon<K> {
    type EightF64 = [float64x2_t; 4];
    intrinsics! {
        fn div_f64(a: float64x2_t, b: float64x2_t) -> float64x2_t = vdivq_f64(a, b);
    }
}
