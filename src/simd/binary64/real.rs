//! Traits for binary64 numbers, which are computed by the hardware or with integer instructions.

use super::rounding::{ROUND_MAGIC, round_from_bits};
#[cfg(not(feature = "std"))]
use super::soft;
use crate::simd::{PlainData, SoftF64};
use core::ops::{Add, Mul, Neg, Sub};

/// A value in a row: a binary64 number, or a group of numbers from several rows. Operators round
/// once.
pub trait RowValue: PlainData + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Positive zero.
    const ZERO: Self;
}

impl RowValue for f64 {
    const ZERO: Self = 0.0;
}

impl RowValue for SoftF64 {
    const ZERO: Self = Self::ZERO;
}

/// A binary64 number as in the specification: normal or zero. The operators round once, to nearest
/// with ties to even. As all nonzero values in the scheme satisfy `2^-476 < |x| < 2^80` (ePrint
/// 2024/321), subnormal numbers, infinities and NaN do not occur.
pub trait Real: RowValue + PartialEq + Neg<Output = Self> {
    /// True if the processor's floating-point unit computes the operations. This is only a hint
    /// about the speed.
    const IN_HARDWARE: bool;
    /// Returns the number with this binary64 bit pattern.
    fn from_bits(bits: u64) -> Self;
    /// Returns the bit pattern.
    fn to_bits(self) -> u64;
    /// Converts `x` to a number, exactly.
    fn from_i32(x: i32) -> Self;
    /// Rounds `self` towards zero, and returns the integer. Range: `|self| < 2^63`.
    fn trunc_i64(self) -> i64;
    /// Returns the largest integer that is not above `self`. Range: `|self| < 2^31`.
    fn floor_i32(self) -> i32;
    /// Returns the integer that is nearest to `self`, with ties to even. Range: `|self| < 2^51`.
    fn round_i64(self) -> i64;
    /// Returns the integer part of `self * 2^63`. Range: `0 <= self < 1`.
    fn scale63_u64(self) -> u64;
    /// Returns `self / divisor`, rounded. `divisor` must not be zero. The engine should call
    /// [`F64s::quotient`](crate::simd::F64s::quotient) instead, which uses integer instructions
    /// unless the processor is known to divide in the same time for all values.
    fn divided_by(self, divisor: Self) -> Self;
    /// Returns the square root, rounded. Range: `self >= 0`. The engine should call
    /// [`F64s::root`](crate::simd::F64s::root) instead, for the same reason.
    fn sqrt(self) -> Self;
    /// Returns `self / 2`, exactly.
    fn half(self) -> Self;
}

/// `2^63` as a binary64 number.
const TWO63: f64 = 9_223_372_036_854_775_808.0;

/// Rounds `x` towards zero, and returns the integer. Range: `|x| < 2^63`. If a fault moves `x`
/// outside this range, the result can be any integer.
///
/// A cast with `as` saturates, which is a branch on the value on some processors. To avoid this
/// branch, the code depends on the processor:
///
/// - AArch64 and WebAssembly: the cast, which is a single instruction
/// - RISC-V: an instruction that saturates like the cast, but differs from the cast for NaN; the
///   cast on targets without an operating system
/// - x86-64: an instruction that returns `i64::MIN` if the value is outside the range
/// - all other processors: integer instructions
#[inline(always)]
fn truncated(x: f64) -> i64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(fndsa_msan)))]
    {
        use core::arch::x86_64::{_mm_cvttsd_si64, _mm_set_sd};
        // SAFETY: the target includes SSE2.
        unsafe { _mm_cvttsd_si64(_mm_set_sd(x)) }
    }
    // This instruction differs from a cast only for NaN. A cast would need four more instructions.
    #[cfg(all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))))]
    {
        // Miri does not support assembly.
        if cfg!(miri) {
            return x as i64;
        }
        let integer: i64;
        // SAFETY: all these targets have binary64; see the row for `Scalar` in `level`.
        unsafe {
            core::arch::asm!(
                "fcvt.l.d {0}, {1}, rtz",
                out(reg) integer,
                in(freg) x,
                options(pure, nomem, nostack),
            );
        }
        integer
    }
    #[cfg(any(
        target_arch = "aarch64",
        target_arch = "arm64ec",
        all(target_arch = "riscv64", any(target_os = "none", target_os = "nuttx")),
        target_arch = "wasm32",
    ))]
    {
        x as i64
    }
    // MemorySanitizer does not track values in the x86-64 instruction.
    #[cfg(any(
        fndsa_msan,
        not(any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "arm64ec",
            target_arch = "riscv64",
            target_arch = "wasm32",
        )),
        all(target_arch = "x86_64", not(target_feature = "sse2")),
    ))]
    {
        SoftF64::from_bits(x.to_bits()).trunc_i64()
    }
}

impl Real for f64 {
    const IN_HARDWARE: bool = true;
    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn to_bits(self) -> u64 {
        f64::to_bits(self)
    }
    #[inline(always)]
    fn from_i32(x: i32) -> Self {
        f64::from(x)
    }
    #[inline(always)]
    fn trunc_i64(self) -> i64 {
        debug_assert!(self > -TWO63 && self < TWO63);
        truncated(self)
    }
    #[inline(always)]
    fn floor_i32(self) -> i32 {
        debug_assert!(self > -2_147_483_648.0 && self < 2_147_483_647.0);
        let t = truncated(self) as i32;
        // Subtract 1 from negative numbers that `truncated` has rounded up. The comparison compiles
        // to 1 or 0, without a branch.
        t - i32::from(self < f64::from(t))
    }
    #[inline(always)]
    fn round_i64(self) -> i64 {
        debug_assert!(self.abs() < 2_251_799_813_685_248.0);
        round_from_bits((self + f64::from_bits(ROUND_MAGIC)).to_bits())
    }
    #[inline(always)]
    fn scale63_u64(self) -> u64 {
        (self * TWO63).trunc_i64().cast_unsigned()
    }
    #[inline(always)]
    fn divided_by(self, divisor: Self) -> Self {
        self / divisor
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        #[cfg(feature = "std")]
        return f64::sqrt(self);
        // `core` cannot compute square roots. The version with integers returns the same bits.
        #[cfg(not(feature = "std"))]
        return soft::root(self);
    }
    #[inline(always)]
    fn half(self) -> Self {
        self * 0.5
    }
}

impl Real for SoftF64 {
    const IN_HARDWARE: bool = false;
    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        SoftF64::from_bits(bits)
    }
    #[inline(always)]
    fn to_bits(self) -> u64 {
        SoftF64::to_bits(self)
    }
    #[inline(always)]
    fn from_i32(x: i32) -> Self {
        SoftF64::from_i32(x)
    }
    #[inline(always)]
    fn trunc_i64(self) -> i64 {
        SoftF64::trunc_i64(self)
    }
    #[inline(always)]
    fn floor_i32(self) -> i32 {
        SoftF64::floor_i32(self)
    }
    #[inline(always)]
    fn round_i64(self) -> i64 {
        SoftF64::round_i64(self)
    }
    #[inline(always)]
    fn scale63_u64(self) -> u64 {
        self.scale_up(63).trunc_i64().cast_unsigned()
    }
    #[inline(always)]
    fn divided_by(self, divisor: Self) -> Self {
        self / divisor
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        SoftF64::sqrt(self)
    }
    #[inline(always)]
    fn half(self) -> Self {
        SoftF64::half(self)
    }
}

#[cfg(test)]
mod tests {
    use super::truncated;
    use crate::simd::SoftF64;

    #[test]
    fn values_out_of_range_convert_without_a_panic() {
        for x in [2e300, -2e300, 9_223_372_036_854_775_808.0, -9.3e18, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let integer = truncated(x);
            if cfg!(all(target_arch = "x86_64", not(fndsa_msan))) {
                assert_eq!(integer, i64::MIN, "{x}");
            }
            // Test the version with integers on all targets. The conversion must not panic.
            SoftF64::from_bits(x.to_bits()).trunc_i64();
        }
        for x in [0.0, -0.0, 0.99, -0.99, 1.5, -7.999, 9_007_199_254_740_991.0, -9_223_372_036_854_775_808.0] {
            assert_eq!(truncated(x), x as i64, "{x}");
            assert_eq!(SoftF64::from_bits(x.to_bits()).trunc_i64(), x as i64, "{x}");
        }
    }
}
