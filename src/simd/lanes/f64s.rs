//! Lanes of binary64 numbers: the Fourier transform, and the tree.

use crate::simd::{Real, Sealed};

/// Operations on vectors of binary64 numbers. Each rounds once, to nearest with ties to even.
pub trait F64s: Sealed + Copy {
    /// Lanes of an `F64` vector, a power of two up to 8.
    const LANES_F64: usize;
    /// One binary64 number as it stands in memory.
    type Real: Real;
    /// A vector of `Real`.
    type F64: Copy;

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
    /// `a / b`, rounded, as [`F64s::quotient`].
    fn div_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `-a`.
    fn neg_f64(self, a: Self::F64) -> Self::F64;
    /// `a / 2`, exact in the range of [`Real`].
    fn half_f64(self, a: Self::F64) -> Self::F64;
    /// Interleaves blocks of `D` lanes as [`U16s::interleave_u16`](super::U16s::interleave_u16) does.
    /// Range: `D < LANES_F64`.
    fn interleave_f64<const D: usize>(self, a: Self::F64, b: Self::F64) -> (Self::F64, Self::F64);

    /// `a / b` of single numbers, rounded. On a level whose processor is not known to divide in the same time for all
    /// values, with integers. Range: `b` is not zero.
    #[inline(always)]
    fn quotient(self, a: Self::Real, b: Self::Real) -> Self::Real {
        a.divided_by(b)
    }
    /// The square root of a single number, rounded, as [`F64s::quotient`] in its time. Range: `x >= 0`.
    #[inline(always)]
    fn root(self, x: Self::Real) -> Self::Real {
        x.sqrt()
    }

    // Whole rows, for levels of one lane that have them. Each returns whether it was done; if not, nothing was. Rows are
    // those of `engine::falcon::fft` and `tree`, complex numbers as real and imaginary parts, and so are tables of roots,
    // as bits.

    /// Two layers of the transform: blocks of `quarter` values are merged, then blocks of `2 quarter`.
    #[inline(always)]
    fn merge_two_rows(self, _quarter: usize, _values: [&mut [Self::Real]; 2], _roots: [&[u64]; 2]) -> bool {
        false
    }
    /// Undoes [`F64s::merge_two_rows`], without the factors 1/2.
    #[inline(always)]
    fn part_two_rows(self, _quarter: usize, _values: [&mut [Self::Real]; 2], _roots: [&[u64]; 2]) -> bool {
        false
    }
    /// Splits `t` into the two halves of `f`.
    #[inline(always)]
    fn split_row(self, _t: &[Self::Real], _f: &mut [Self::Real], _roots: [&[u64]; 2]) -> bool {
        false
    }
    /// Merges the two halves of `f` into `t`.
    #[inline(always)]
    fn merge_row(self, _f: &[Self::Real], _t: &mut [Self::Real], _roots: [&[u64]; 2]) -> bool {
        false
    }
    /// Goes from the right child to the left one: `w` and `t1` are changed, `l10` and `t0` are read.
    #[inline(always)]
    fn turn_row(
        self,
        _w: &mut [Self::Real],
        _l10_t0: [&[Self::Real]; 2],
        _t1: &mut [Self::Real],
        _roots: [&[u64]; 2],
    ) -> bool {
        false
    }
}

/// The operations of [`F64s`] on one lane, from those of its `Real`, `$real`.
macro_rules! one_lane_f64 {
    ($real:ty) => {
        const LANES_F64: usize = 1;
        type Real = $real;
        type F64 = $real;
        #[inline(always)]
        fn load_f64(self, src: &[$real]) -> $real {
            src[0]
        }
        #[inline(always)]
        fn load_bits(self, src: &[u64]) -> $real {
            <$real as crate::simd::Real>::from_bits(src[0])
        }
        #[inline(always)]
        fn store_f64(self, v: $real, dst: &mut [$real]) {
            dst[0] = v;
        }
        #[inline(always)]
        fn splat_f64(self, x: $real) -> $real {
            x
        }
        #[inline(always)]
        fn add_f64(self, a: $real, b: $real) -> $real {
            a + b
        }
        #[inline(always)]
        fn sub_f64(self, a: $real, b: $real) -> $real {
            a - b
        }
        #[inline(always)]
        fn mul_f64(self, a: $real, b: $real) -> $real {
            a * b
        }
        #[inline(always)]
        fn div_f64(self, a: $real, b: $real) -> $real {
            self.quotient(a, b)
        }
        #[inline(always)]
        fn neg_f64(self, a: $real) -> $real {
            -a
        }
        #[inline(always)]
        fn half_f64(self, a: $real) -> $real {
            crate::simd::Real::half(a)
        }
        #[inline(always)]
        fn interleave_f64<const D: usize>(self, a: $real, b: $real) -> ($real, $real) {
            (a, b)
        }
    };
}
pub(in crate::simd) use one_lane_f64;
