//! The only place that knows instruction sets, and the only one with `unsafe`.
//!
//! [`Simd`] is the vocabulary; `scalar` and `emulated` are two dialects of it, and a vector
//! instruction set is one more file like them. A value of a type that implements `Simd` is a
//! *proof* that this CPU runs that dialect. Kernels live in `engine`, once, generic over `S: Simd`:
//! each is `#[inline(always)]` or opens a frame with `frame!` in its first line.
//!
//! | room | what |
//! |---|---|
//! | `real` | one binary64 number, [`Real`], and its rounding rules |
//! | `fixed` | [`Fixed`], the lanes of fixed-point numbers |
//! | `residues` | [`Residues`], the lanes modulo 31-bit primes |
//! | `soft` | binary64 on integers alone, [`SoftF64`] |
//! | `scalar`, `emulated` | levels of one lane |
//! | `lanes64` | vectors of 64-bit lanes, for Keccak |
//! | `fields` | fields of 14 bits without vectors |
//! | `x86` | `sse2`, `avx2`, `avx512` |
//! | `frame` | `frame!`, which switches the instructions of a level on |
//! | `level` | [`Level`]: which levels this CPU has, and the choice |
//! | `lanes32` | 32-bit lanes, [`Lanes32`] |
//! | `scratch` | typed slices out of the caller's work memory |
//! | `ct` | value barriers, what is told, wiping |
//! | `memcheck` | the requests of tests/ct to valgrind |
//! | `environment` | how the CPU rounds |
//! | `cycles` | the CPU's counter of time |
//! | `descriptors` | which standard descriptors a program was started with |

/// The 16-bit operations of a level with one lane.
macro_rules! one_lane_u16 {
    () => {
        const LOOPS_ARE_VECTORS: bool = cfg!(target_feature = "sse2");
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
        fn mullo_u16(self, a: u16, b: u16) -> u16 {
            a.wrapping_mul(b)
        }
        #[inline(always)]
        fn mulhi_u16(self, a: u16, b: u16) -> u16 {
            ((u32::from(a) * u32::from(b)) >> 16) as u16
        }
        #[inline(always)]
        fn interleave_u16<const D: usize>(self, a: u16, b: u16) -> (u16, u16) {
            (a, b)
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
        fn thirds_i16(self, a: u16) -> u16 {
            let a = i32::from(a.cast_signed());
            if Self::LOOPS_ARE_VECTORS {
                // 16 bits wide all the way.
                ((((a * 12) >> 16) as i16).wrapping_add(1) >> 1).cast_unsigned()
            } else {
                ((a * 3 + 0x4000) >> 15) as u16
            }
        }
        #[inline(always)]
        fn max_u16(self, a: u16, b: u16) -> u16 {
            crate::simd::ct::max_u16(a, b)
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
        fn keep_below_u16(self, v: u16, limit: u16, dst: &mut [u16]) -> usize {
            dst[0] = v;
            usize::from(v < limit)
        }
        // The low halves of the squares and the high halves: sums of 32 bits.
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
use one_lane_u16;

/// The binary64 operations of a level with one lane, from those of its `Real`.
macro_rules! one_lane_f64 {
    () => {
        #[inline(always)]
        fn load_f64(self, src: &[Self::Real]) -> Self::F64 {
            src[0]
        }
        #[inline(always)]
        fn load_bits(self, src: &[u64]) -> Self::F64 {
            <Self::Real as crate::simd::Real>::from_bits(src[0])
        }
        #[inline(always)]
        fn store_f64(self, v: Self::F64, dst: &mut [Self::Real]) {
            dst[0] = v;
        }
        #[inline(always)]
        fn splat_f64(self, x: Self::Real) -> Self::F64 {
            x
        }
        #[inline(always)]
        fn add_f64(self, a: Self::F64, b: Self::F64) -> Self::F64 {
            a + b
        }
        #[inline(always)]
        fn sub_f64(self, a: Self::F64, b: Self::F64) -> Self::F64 {
            a - b
        }
        #[inline(always)]
        fn mul_f64(self, a: Self::F64, b: Self::F64) -> Self::F64 {
            a * b
        }
        #[inline(always)]
        fn div_f64(self, a: Self::F64, b: Self::F64) -> Self::F64 {
            crate::simd::Real::divided_by(a, b)
        }
        #[inline(always)]
        fn neg_f64(self, a: Self::F64) -> Self::F64 {
            -a
        }
        #[inline(always)]
        fn half_f64(self, a: Self::F64) -> Self::F64 {
            crate::simd::Real::half(a)
        }
        #[inline(always)]
        fn interleave_f64<const D: usize>(self, a: Self::F64, b: Self::F64) -> (Self::F64, Self::F64) {
            (a, b)
        }
    };
}
use one_lane_f64;

pub mod ct;
#[cfg(feature = "bench")]
mod cycles;
#[cfg(all(feature = "cli", unix))]
pub mod descriptors;
mod emulated;
mod environment;
mod fields;
mod fixed;
mod frame;
mod lanes32;
mod lanes64;
#[cfg(test)]
pub mod laws;
mod level;
#[cfg(fndsa_memcheck)]
pub mod memcheck;
mod real;
mod residues;
mod scalar;
mod scratch;
mod soft;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(feature = "bench")]
pub use cycles::cycles;
pub use emulated::Emulated;
pub use environment::with_default;
pub use fixed::{Fixed, mul_fixed};
pub(crate) use frame::frame;
pub use frame::in_frame;
pub use lanes32::{Lanes32, NoLanes};
pub use lanes64::{Bits64, Lanes64, Word};
#[cfg(test)]
pub use level::WithSimd;
pub(crate) use level::on_level;
pub use level::{Level, Proof};
pub use real::Real;
pub use residues::{Residues, below, montgomery, sub_mod};
pub use scalar::Scalar;
#[cfg(feature = "alloc")]
pub use scratch::{Line, view};
pub use scratch::{Plain, SCRATCH_ALIGN, Scratch, recast};
pub use soft::SoftF64;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, Sse2};

mod sealed {
    /// Keeps `Simd` implementations in this crate.
    pub trait Sealed {}
}
use sealed::Sealed;

/// One instruction set.
///
/// Every operation is exact: integers wrap, floats round once (IEEE-754 binary64, ties to even),
/// so every level gives the same bits. There is deliberately no fused multiply-add.
pub trait Simd: Sealed + Copy + Send + Sync + Lanes64 + Residues + Fixed {
    /// The name users give to `--backend`.
    const NAME: &'static str;
    /// Lanes of a `U16` vector, a power of two.
    const LANES_U16: usize;
    /// Lanes of an `F64` vector, a power of two.
    const LANES_F64: usize;
    /// One lane, but the compiler has vectors for long loops over 16-bit lanes.
    const LOOPS_ARE_VECTORS: bool = false;
    /// A vector of 16-bit unsigned integers.
    type U16: Copy;
    /// One binary64 number as it stands in memory.
    type Real: Real;
    /// A vector of `Real`.
    type F64: Copy;

    /// The same instruction set with vectors half as long, or itself with one lane: rows shorter than a
    /// vector are its work.
    type Half: Simd<Real = Self::Real>;

    /// Its vectors of 32-bit lanes.
    type Lanes32: Lanes32;

    /// The proof for [`Simd::Lanes32`], where there are some.
    fn lanes32(self) -> Option<Self::Lanes32>;

    /// The proof for [`Simd::Half`].
    fn half(self) -> Self::Half;

    /// Runs `f` in a frame where the level's instructions are switched on.
    fn enter<R>(self, f: impl FnOnce() -> R) -> R;

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
    /// Low half of the product.
    fn mullo_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// High half of the unsigned product.
    fn mulhi_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// Cuts both into blocks of `D` lanes, `D < LANES_U16` (one lane has none: `a` and `b` come back):
    /// `a0 b0 a2 b2 ..` and `a1 b1 a3 b3 ..`. Doing it twice undoes it.
    fn interleave_u16<const D: usize>(self, a: Self::U16, b: Self::U16) -> (Self::U16, Self::U16);
    /// High half of the signed product.
    fn mulhi_i16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// [`Simd::mulhi_i16`] with a `b` that a whole loop has. `zero` is 0, best if the compiler cannot know it.
    #[inline(always)]
    fn mulhi_same_i16(self, a: Self::U16, b: Self::U16, _zero: Self::U16) -> Self::U16 {
        self.mulhi_i16(a, b)
    }
    /// `3 a / 2^15`, signed, to the nearest integer, halves up.
    fn thirds_i16(self, a: Self::U16) -> Self::U16;
    /// The larger of the two, unsigned.
    fn max_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// `a & b`.
    fn and_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// `a | b`.
    fn or_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// `a ^ b`.
    fn xor_u16(self, a: Self::U16, b: Self::U16) -> Self::U16;
    /// `a 2^by mod 2^16`. Range: `by < 16`, known when it is compiled.
    fn shl_u16(self, a: Self::U16, by: u32) -> Self::U16;
    /// `a / 2^by`, unsigned, rounded down. Range: as for [`Simd::shl_u16`].
    fn shr_u16(self, a: Self::U16, by: u32) -> Self::U16;
    /// Writes the lanes below `limit` to the front of `dst`, which has room for all, and counts them. The rest of
    /// that room is of no use afterwards. Public values only.
    fn keep_below_u16(self, v: Self::U16, limit: u16, dst: &mut [u16]) -> usize;
    /// A sum of squares, or that it is 2^31 or more.
    type Squares: Copy;
    /// The empty sum.
    fn no_squares(self) -> Self::Squares;
    /// Adds the square of each lane. Range: lanes below 2^15, at most 2^16 of them in all.
    fn add_squares(self, sum: Self::Squares, v: Self::U16) -> Self::Squares;
    /// The sum, if it is below 2^31; else as much or more.
    fn total(self, sum: Self::Squares) -> u64;
    /// Fields of 14 bits, in little-endian or big-endian order: `7 k` bytes to `4 k` values. Range: `LANES_U16`
    /// divides the number of values, four does.
    #[inline(always)]
    fn unpack14(self, big: bool, src: &[u8], out: &mut [u16]) {
        fields::unpack14(big, src, out);
    }

    /// The first `LANES_F64` values of `src`.
    fn load_f64(self, src: &[Self::Real]) -> Self::F64;
    /// The first `LANES_F64` values of a table of binary64 bit patterns.
    fn load_bits(self, src: &[u64]) -> Self::F64;
    /// Writes the lanes to the front of `dst`.
    fn store_f64(self, v: Self::F64, dst: &mut [Self::Real]);
    /// `x` in every lane.
    fn splat_f64(self, x: Self::Real) -> Self::F64;
    /// `a + b`, rounded.
    fn add_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `a - b`, rounded.
    fn sub_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `a * b`, rounded.
    fn mul_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `a / b`, rounded.
    fn div_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `-a`.
    fn neg_f64(self, a: Self::F64) -> Self::F64;
    /// `a / 2`, exact in the range of the scheme.
    fn half_f64(self, a: Self::F64) -> Self::F64;
    /// As [`Simd::interleave_u16`].
    fn interleave_f64<const D: usize>(self, a: Self::F64, b: Self::F64) -> (Self::F64, Self::F64);
}
