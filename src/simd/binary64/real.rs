//! One binary64 number, in hardware or in integers.

use super::rounding::{ROUND_MAGIC, round_from_bits};
#[cfg(not(feature = "std"))]
use super::soft;
use crate::simd::{Plain, SoftF64};
use core::ops::{Add, Mul, Neg, Sub};

/// What stands in a row: one binary64 number, or one of each of several rows. Each operator rounds once.
pub trait Number: Plain + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Positive zero.
    const ZERO: Self;
}

impl Number for f64 {
    const ZERO: Self = 0.0;
}

impl Number for SoftF64 {
    const ZERO: Self = Self::ZERO;
}

/// One binary64 number as the specification uses it: normal or zero, rounded to nearest with ties
/// to even, each operator one rounding. `2^-476 < |x| < 2^80` holds for every value the scheme
/// meets (ePrint 2024/321), so subnormals, infinities and NaN are out of range.
pub trait Real: Number + PartialEq + Neg<Output = Self> {
    /// Whether the floating-point unit of the processor computes the operations: a hint about speed alone.
    const IN_HARDWARE: bool;
    /// The number with this bit pattern of a binary64.
    fn from_bits(bits: u64) -> Self;
    /// The bit pattern.
    fn to_bits(self) -> u64;
    /// The number `x`, exactly.
    fn from_i32(x: i32) -> Self;
    /// The integer part of `self`, towards zero. Range: `|self| < 2^63`.
    fn trunc_i64(self) -> i64;
    /// The largest integer that is not above `self`. Range: `|self| < 2^31`.
    fn floor_i32(self) -> i32;
    /// The integer nearest to `self`, ties to even. Range: `|self| < 2^51`.
    fn round_i64(self) -> i64;
    /// The integer part of `self * 2^63`. Range: `0 <= self < 1`.
    fn scale63_u64(self) -> u64;
    /// `self / divisor`, rounded. Range: `divisor` is not zero. The engine asks the level, which knows whether the time may
    /// depend on the values: [`F64s::quotient`](crate::simd::F64s::quotient).
    fn divided_by(self, divisor: Self) -> Self;
    /// The square root, rounded. Range: `self >= 0`. The engine asks [`F64s::root`](crate::simd::F64s::root).
    fn sqrt(self) -> Self;
    /// `self / 2`, exact.
    fn half(self) -> Self;
}

/// `2^63` as a binary64.
const TWO63: f64 = 9_223_372_036_854_775_808.0;

/// The integer part of `x`, towards zero. Range: `|x| < 2^63`. What a fault has put out of range becomes some integer.
///
/// A plain `as` saturates. That is what one instruction does on AArch64, RISC-V and WebAssembly; elsewhere it is a
/// branch on the value. On x86-64 one instruction gives `i64::MIN` for what is out of range, and on all other targets
/// the integer part is taken with integer instructions.
#[inline(always)]
fn truncated(x: f64) -> i64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(fndsa_msan)))]
    {
        use core::arch::x86_64::{_mm_cvttsd_si64, _mm_set_sd};
        // SAFETY: SSE2 is part of the target.
        unsafe { _mm_cvttsd_si64(_mm_set_sd(x)) }
    }
    // The instruction saturates, but for NaN not as a cast does, which would take four instructions more.
    #[cfg(all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))))]
    {
        // Miri interprets no assembly.
        if cfg!(miri) {
            return x as i64;
        }
        let integer: i64;
        // SAFETY: every such target has binary64; see the row of `Scalar` in `level`.
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
        all(target_arch = "riscv64", any(target_os = "none", target_os = "nuttx")),
        target_arch = "wasm32",
    ))]
    {
        x as i64
    }
    // MemorySanitizer does not follow values through the instruction of x86-64.
    #[cfg(any(
        fndsa_msan,
        not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64", target_arch = "wasm32")),
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
        // A comparison as a number, no branch: 1 where truncation went up.
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
        // `core` has no square root. The integer one gives the same bits.
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
    fn what_is_out_of_range_becomes_some_integer() {
        for x in [2e300, -2e300, 9_223_372_036_854_775_808.0, -9.3e18, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let found = truncated(x);
            if cfg!(all(target_arch = "x86_64", not(fndsa_msan))) {
                assert_eq!(found, i64::MIN, "{x}");
            }
            // The way of targets that have no instruction for it is taken on all of them.
            SoftF64::from_bits(x.to_bits()).trunc_i64();
        }
        for x in [0.0, -0.0, 0.99, -0.99, 1.5, -7.999, 9_007_199_254_740_991.0, -9_223_372_036_854_775_808.0] {
            assert_eq!(truncated(x), x as i64, "{x}");
            assert_eq!(SoftF64::from_bits(x.to_bits()).trunc_i64(), x as i64, "{x}");
        }
    }
}
