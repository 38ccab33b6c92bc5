//! Rows (arrays of numbers) for eight signatures that are computed together. A value in a row
//! consists of eight numbers, one for each signature.
//!
//! With these rows, eight signatures by the same key are computed with the same operations, in the
//! same order, as a single signature. Each operation processes eight numbers instead of a single
//! number, and rounds each result as for a single signature. So each signature has the same bits as
//! if it were computed alone. The key's data is read only once for the eight signatures.

use super::{EightVectors, Frame, Real, RealRows, RowValue, Sealed, Simd};
use core::ops::{Add, Mul, Sub};

/// Eight numbers, one for each signature. On processors that may have vectors, this type is aligned
/// to [`SCRATCH_ALIGN`](super::SCRATCH_ALIGN).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "arm64ec",
        target_arch = "riscv64",
        target_feature = "sse2",
        target_feature = "simd128",
    ),
    repr(C, align(64))
)]
pub struct EightReals<R>(pub [R; 8]);

/// Implements an operator for [`EightReals`]: it applies the operator to each of the eight numbers.
macro_rules! operator {
    ($($trait:ident, $name:ident, $operator:tt;)+) => {$(
        impl<R: RowValue> $trait for EightReals<R> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                let mut out = self;
                for (a, b) in out.0.iter_mut().zip(other.0) {
                    *a = *a $operator b;
                }
                out
            }
        }
    )+};
}
operator! {
    Add, add, +;
    Sub, sub, -;
    Mul, mul, *;
}

impl<R: RowValue> RowValue for EightReals<R> {
    const ZERO: Self = {
        assert!(size_of::<Self>() == 8 * size_of::<R>());
        Self([R::ZERO; 8])
    };
}

/// The [`RealRows`] operations for eight signatures. An operation processes the eight numbers in a
/// value with the operations of `S`, an instruction set level.
#[derive(Clone, Copy, Debug)]
pub struct EightRows<S>(pub S);

impl<S: Simd> EightRows<S> {
    /// Applies `f` to each vector in `a` and the vector at the same position in `b`.
    #[inline(always)]
    fn pairwise(a: S::EightF64, b: S::EightF64, f: impl Fn(S::F64, S::F64) -> S::F64) -> S::EightF64 {
        let mut out = a;
        for (out, b) in out.as_mut_slice().iter_mut().zip(b.as_slice()) {
            *out = f(*out, *b);
        }
        out
    }
}

impl<S: Simd> Sealed for EightRows<S> {}

impl<S: Simd> Frame for EightRows<S> {
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        Frame::enter(self.0, f)
    }
}

impl<S: Simd> RealRows for EightRows<S> {
    const LANES_F64: usize = 1;
    type Real = EightReals<S::Real>;
    type Key = S::Real;
    type F64 = S::EightF64;
    type Short = Self;

    #[inline(always)]
    fn short(self) -> Self {
        self
    }
    #[inline(always)]
    fn load_f64(self, src: &[EightReals<S::Real>]) -> S::EightF64 {
        let numbers = &src[0].0;
        let mut out = S::EightF64::all(self.0.load_f64(numbers));
        for (i, v) in out.as_mut_slice().iter_mut().enumerate() {
            *v = self.0.load_f64(&numbers[S::LANES_F64 * i..]);
        }
        out
    }
    #[inline(always)]
    fn load_key(self, src: &[S::Real]) -> S::EightF64 {
        self.splat_f64(src[0])
    }
    #[inline(always)]
    fn load_bits(self, src: &[u64]) -> S::EightF64 {
        self.splat_f64(S::Real::from_bits(src[0]))
    }
    #[inline(always)]
    fn store_f64(self, v: S::EightF64, dst: &mut [EightReals<S::Real>]) {
        for (i, v) in v.as_slice().iter().enumerate() {
            self.0.store_f64(*v, &mut dst[0].0[S::LANES_F64 * i..]);
        }
    }
    #[inline(always)]
    fn splat_f64(self, x: S::Real) -> S::EightF64 {
        S::EightF64::all(self.0.splat_f64(x))
    }
    #[inline(always)]
    fn real(self, x: S::Real) -> EightReals<S::Real> {
        EightReals([x; 8])
    }
    #[inline(always)]
    fn add_f64(self, a: S::EightF64, b: S::EightF64) -> S::EightF64 {
        Self::pairwise(
            a,
            b,
            #[inline(always)]
            |a, b| self.0.add_f64(a, b),
        )
    }
    #[inline(always)]
    fn sub_f64(self, a: S::EightF64, b: S::EightF64) -> S::EightF64 {
        Self::pairwise(
            a,
            b,
            #[inline(always)]
            |a, b| self.0.sub_f64(a, b),
        )
    }
    #[inline(always)]
    fn mul_f64(self, a: S::EightF64, b: S::EightF64) -> S::EightF64 {
        Self::pairwise(
            a,
            b,
            #[inline(always)]
            |a, b| self.0.mul_f64(a, b),
        )
    }
    #[inline(always)]
    fn neg_f64(self, a: S::EightF64) -> S::EightF64 {
        Self::pairwise(
            a,
            a,
            #[inline(always)]
            |a, _| self.0.neg_f64(a),
        )
    }
    #[inline(always)]
    fn half_f64(self, a: S::EightF64) -> S::EightF64 {
        Self::pairwise(
            a,
            a,
            #[inline(always)]
            |a, _| self.0.half_f64(a),
        )
    }
    #[inline(always)]
    fn interleave_f64<const D: usize>(self, a: S::EightF64, b: S::EightF64) -> (S::EightF64, S::EightF64) {
        (a, b)
    }
}
