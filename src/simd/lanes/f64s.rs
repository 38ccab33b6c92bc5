//! Lanes for binary64 numbers, for the Fourier transform and the tree in FN-DSA.

use crate::simd::{Frame, Real, RowValue};

/// An array of vectors that together contain eight numbers.
#[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "only batches work on eight rows"))]
pub trait EightVectors<V>: Copy + Send + Sync + 'static {
    /// Returns an array in which each vector is `v`.
    fn all(v: V) -> Self;
    /// Returns the vectors.
    fn as_slice(&self) -> &[V];
    /// Returns the vectors as a mutable slice.
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

/// Operations on vectors with values from a row (an array of values). A value is a binary64 number.
/// With [`EightRows`](crate::simd::EightRows), a value consists of eight numbers, one from each of
/// eight rows. A result is rounded once, to nearest with ties to even.
///
/// A value that belongs to a key, or is a constant, is always a single number, with the type
/// [`RealRows::Key`].
pub trait RealRows: Frame {
    /// The lane count for an `F64` vector, a power of two up to 8.
    const LANES_F64: usize;
    /// A row value in memory: a number, or eight numbers with
    /// [`EightRows`](crate::simd::EightRows).
    type Real: RowValue;
    /// A number that belongs to a key, or a constant.
    type Key: Real;
    /// A vector of `Real`.
    type F64: Copy;
    /// This type with half-length vectors, or this type itself if its vectors have a single lane.
    /// The engine uses this type for rows that are shorter than a vector.
    type Short: RealRows<Real = Self::Real, Key = Self::Key>;

    /// Returns the proof that the CPU supports [`RealRows::Short`].
    fn short(self) -> Self::Short;
    /// Loads the first `LANES_F64` values from `src`.
    fn load_f64(self, src: &[Self::Real]) -> Self::F64;
    /// Loads the first `LANES_F64` values from `src`. With `EightRows`, each value is used for all
    /// eight rows.
    fn load_key(self, src: &[Self::Key]) -> Self::F64;
    /// Loads the first `LANES_F64` values from a table with binary64 bit patterns. With
    /// `EightRows`, each value is used for all eight rows.
    fn load_bits(self, src: &[u64]) -> Self::F64;
    /// Stores the lanes at the start of `dst`.
    fn store_f64(self, v: Self::F64, dst: &mut [Self::Real]);
    /// Returns `x` in all lanes.
    fn splat_f64(self, x: Self::Key) -> Self::F64;
    /// Returns `x` as a value in memory. With `EightRows`, the value contains `x` for all eight
    /// rows.
    fn real(self, x: Self::Key) -> Self::Real;
    /// Returns `a + b`, rounded.
    fn add_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// Returns `a - b`, rounded.
    fn sub_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// Returns `(a + b, a - b)`, rounded. If additions need many instructions, the sum and the
    /// difference can share some instructions.
    #[inline(always)]
    fn add_sub_f64(self, a: Self::F64, b: Self::F64) -> (Self::F64, Self::F64) {
        (self.add_f64(a, b), self.sub_f64(a, b))
    }
    /// Returns `a * b`, rounded.
    fn mul_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// Returns `-a`.
    fn neg_f64(self, a: Self::F64) -> Self::F64;
    /// Returns `a / 2`, exact in [`Real`]'s range.
    fn half_f64(self, a: Self::F64) -> Self::F64;
    /// Interleaves blocks of `D` lanes as [`U16s::interleave_u16`](super::U16s::interleave_u16).
    /// Range: `D < LANES_F64`.
    fn interleave_f64<const D: usize>(self, a: Self::F64, b: Self::F64) -> (Self::F64, Self::F64);

    // Operations on complete rows, for the single-lane levels (instruction sets) that support such
    // operations. An operation returns true if it has processed the row. Otherwise, it returns
    // false and does not change the row, and the engine uses loops. A row contains complex numbers:
    // first all real parts, then all imaginary parts (see `engine::falcon::fft` and
    // `engine::falcon::tree`). The root tables also contain all real parts first, as binary64 bit
    // patterns. The magnitudes of both parts of a root are between 2^-31 and 1.

    /// Computes two transform layers: merges blocks of `quarter` values, then blocks of `2 quarter`
    /// values.
    #[inline(always)]
    fn merge_two_rows(self, _quarter: usize, _values: [&mut [Self::Real]; 2], _roots: [&[u64]; 2]) -> bool {
        false
    }
    /// Computes the inverse of [`RealRows::merge_two_rows`], without the factors 1/2.
    #[inline(always)]
    fn split_two_rows(self, _quarter: usize, _values: [&mut [Self::Real]; 2], _roots: [&[u64]; 2]) -> bool {
        false
    }
    /// Splits the polynomial `t` into its two half-length polynomials, which become the two halves
    /// of `f`.
    #[inline(always)]
    fn split_row(self, _t: &[Self::Real], _f: &mut [Self::Real], _roots: [&[u64]; 2]) -> bool {
        false
    }
    /// Merges the two half-length polynomials in `f` into `t`; the inverse of
    /// [`RealRows::split_row`].
    #[inline(always)]
    fn merge_row(self, _f: &[Self::Real], _t: &mut [Self::Real], _roots: [&[u64]; 2]) -> bool {
        false
    }
    /// Computes the targets for the left child of a tree node, as `left_targets_into` in
    /// `engine::falcon::tree` does. Changes `w` and `t1`; only reads `l10` and `t0`.
    #[inline(always)]
    fn left_targets_row(
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

/// Additional operations for levels where each row value is a single binary64 number.
pub trait F64s: RealRows<Real: Real, Key = <Self as RealRows>::Real> {
    /// The vectors for eight numbers, one from each of eight rows.
    type EightF64: EightVectors<Self::F64>;

    /// Returns `a / b`, rounded. The conditions of [`F64s::quotient`] apply to each lane.
    fn div_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// Returns `a / b` for single numbers, rounded. The level divides with integer instructions,
    /// unless the processor is known to divide in the same time for all values. `b` must not be
    /// zero.
    #[inline(always)]
    fn quotient(self, a: Self::Real, b: Self::Real) -> Self::Real {
        a.divided_by(b)
    }
    /// Computes the square root, rounded. The level uses integer instructions, unless the processor
    /// is known to need the same time for all values. Range: `x >= 0`.
    #[inline(always)]
    fn root(self, x: Self::Real) -> Self::Real {
        x.sqrt()
    }
}

/// Defines the items of [`RealRows`] that are the same for all levels on which a value is a single
/// number.
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

/// Implements [`RealRows`] for a single lane, with the operations on the type `$real`, which
/// becomes [`RealRows::Real`].
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

/// Implements [`F64s`] for a single lane.
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
