//! Lanes of binary64 numbers: the Fourier transform, and the tree.

use crate::simd::{Frame, Number, Real};

/// As many vectors as hold eight numbers.
#[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "only batches work on eight rows"))]
pub trait EightVectors<V>: Copy + Send + Sync + 'static {
    /// `v` everywhere.
    fn all(v: V) -> Self;
    /// The vectors.
    fn as_slice(&self) -> &[V];
    /// The vectors, to be changed.
    fn as_mut_slice(&mut self) -> &mut [V];
}

impl<V: Copy + Send + Sync + 'static, const N: usize> EightVectors<V> for [V; N] {
    #[inline(always)]
    fn all(v: V) -> Self {
        [v; N]
    }
    #[inline(always)]
    fn as_slice(&self) -> &[V] {
        self
    }
    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [V] {
        self
    }
}

/// Operations on vectors of the values of rows: one binary64 number each, or with [`EightRows`](crate::simd::EightRows) one
/// number of each of eight rows. Each rounds once, to nearest with ties to even.
///
/// What belongs to a key, or is a constant, is one number in any case, a [`RealRows::Key`].
pub trait RealRows: Frame {
    /// Lanes of an `F64` vector, a power of two up to 8.
    const LANES_F64: usize;
    /// One value as it stands in memory.
    type Real: Number;
    /// One number of a key, or a constant.
    type Key: Real;
    /// A vector of `Real`.
    type F64: Copy;
    /// These rows with vectors half as long, or as they are if they have one lane: what is shorter than a vector is their
    /// work.
    type Short: RealRows<Real = Self::Real, Key = Self::Key>;

    /// The proof for [`RealRows::Short`].
    fn short(self) -> Self::Short;
    /// The first `LANES_F64` values of `src`.
    fn load_f64(self, src: &[Self::Real]) -> Self::F64;
    /// The first `LANES_F64` values of `src`, each of them for all rows.
    fn load_key(self, src: &[Self::Key]) -> Self::F64;
    /// The first `LANES_F64` values of a table of binary64 bit patterns, each of them for all rows.
    fn load_bits(self, src: &[u64]) -> Self::F64;
    /// Writes the lanes to the front of `dst`.
    fn store_f64(self, v: Self::F64, dst: &mut [Self::Real]);
    /// `x` in every lane.
    fn splat_f64(self, x: Self::Key) -> Self::F64;
    /// `x` for all rows, as it stands in memory.
    fn real(self, x: Self::Key) -> Self::Real;
    /// `a + b`, rounded.
    fn add_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `a - b`, rounded.
    fn sub_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `(a + b, a - b)`, rounded. Where a sum is many instructions, both may have some in common.
    #[inline(always)]
    fn add_sub_f64(self, a: Self::F64, b: Self::F64) -> (Self::F64, Self::F64) {
        (self.add_f64(a, b), self.sub_f64(a, b))
    }
    /// `a * b`, rounded.
    fn mul_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `-a`.
    fn neg_f64(self, a: Self::F64) -> Self::F64;
    /// `a / 2`, exact in the range of [`Real`].
    fn half_f64(self, a: Self::F64) -> Self::F64;
    /// Interleaves blocks of `D` lanes as [`U16s::interleave_u16`](super::U16s::interleave_u16) does.
    /// Range: `D < LANES_F64`.
    fn interleave_f64<const D: usize>(self, a: Self::F64, b: Self::F64) -> (Self::F64, Self::F64);

    // Whole rows, for levels of one lane that have them. Each returns whether it was done; if not, nothing was. Rows are
    // those of `engine::falcon::fft` and `tree`, complex numbers as real and imaginary parts, and so are tables of roots,
    // as bits.

    /// Two layers of the transform: blocks of `quarter` values are merged, then blocks of `2 quarter`.
    #[inline(always)]
    fn merge_two_rows(self, _quarter: usize, _values: [&mut [Self::Real]; 2], _roots: [&[u64]; 2]) -> bool {
        false
    }
    /// Undoes [`RealRows::merge_two_rows`], without the factors 1/2.
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
        _l10: &[Self::Key],
        _t0: &[Self::Real],
        _t1: &mut [Self::Real],
        _roots: [&[u64]; 2],
    ) -> bool {
        false
    }
}

/// What the levels compute on binary64 numbers beside [`RealRows`]: a value is one number, also in a key.
pub trait F64s: RealRows<Real: Real, Key = <Self as RealRows>::Real> {
    /// The vectors of one number of each of eight rows.
    type EightF64: EightVectors<Self::F64>;

    /// `a / b`, rounded, as [`F64s::quotient`].
    fn div_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
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
}

/// What [`RealRows`] has beside the operations where a value is one number, in a level.
macro_rules! one_number {
    () => {
        type Key = Self::Real;
        type Short = <Self as crate::simd::Simd>::Half;
        #[inline(always)]
        fn short(self) -> Self::Short {
            crate::simd::Simd::half(self)
        }
        #[inline(always)]
        fn load_key(self, src: &[Self::Real]) -> Self::F64 {
            self.load_f64(src)
        }
        #[inline(always)]
        fn real(self, x: Self::Real) -> Self::Real {
            x
        }
    };
}
pub(in crate::simd) use one_number;

/// The operations of [`RealRows`] on one lane, from those of its `Real`, `$real`.
macro_rules! one_lane_rows {
    ($real:ty) => {
        crate::simd::lanes::one_number!();
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
pub(in crate::simd) use one_lane_rows;

/// The operations of [`F64s`] on one lane.
macro_rules! one_lane_f64 {
    () => {
        type EightF64 = [Self::Real; 8];
        #[inline(always)]
        fn div_f64(self, a: Self::Real, b: Self::Real) -> Self::Real {
            self.quotient(a, b)
        }
    };
}
pub(in crate::simd) use one_lane_f64;
