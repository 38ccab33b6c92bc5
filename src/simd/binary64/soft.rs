//! Binary64 arithmetic that uses only integer instructions. It is for machines without a
//! floating-point unit, or with a unit that does not round as in IEEE-754, or does not take the
//! same time for all values.
//!
//! An operation rounds once, to nearest with ties to even, as in IEEE-754. Only zeros and normal
//! numbers can be represented. A result with a magnitude smaller than `2^-1022` becomes a zero. For
//! a sum, this zero can have either sign. With the feature `armv7e-m`, such a result is not
//! allowed. An overflow is never allowed. To be constant-time, the code does not branch on values
//! or use them as indices. It uses [`crate::simd::constant_time_u64`] for shifts by a distance that
//! depends on a value.
//!
//! Before rounding, a significand `m` fills 64 bits with `2^63 <= m < 2^64`, and represents the
//! value `m / 2^63 * 2^(e - 1023)`. If a set bit below the lowest bit was lost, the lowest bit is
//! also set. The code for sums and products is generic over a representation of 64 bits as a single
//! word or as two words ([`ConstantTimeU64`]). The tests compare the results of both
//! representations with the hardware.
//!
//! The four arithmetic operations are never inlined, because inlining would increase the engine's
//! code to 92 kB.

use super::rounding::{ROUND_MAGIC, round_from_bits};
#[cfg(fndsa_armv7e_m)]
use crate::simd::armv7e_m;
use crate::simd::constant_time_u64::{ConstantTimeU64, Native, is_nonzero_bit};
use crate::simd::ct;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A binary64 number, represented by its bit pattern. It must be zero or normal.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct SoftF64(u64);

/// The sign bit.
const SIGN: u64 = 1 << 63;
/// A mask for the fraction, which does not include the implicit bit.
const FRACTION: u64 = (1 << 52) - 1;

/// Computes a lower bound for `2^84 / b` by Newton's method on 32 bits, with a relative error up to
/// `2^-29.2`. Range: `b` in `[2^52, 2^53)`.
#[inline(always)]
fn reciprocal(b: u64) -> u64 {
    // Let `X = x / 2^32`, which is more than 1/2 and at most 1. `y / 2^31` approximates `1 / X`.
    // The first approximation is `48/17 - 32/17 X`, with a relative error up to 1/17.
    const FIRST_APPROXIMATION: u64 = (48 << 31) / 17;
    const SLOPE: u64 = (32 << 31) / 17;
    let x = (b >> 21) + 1;
    let mut y = FIRST_APPROXIMATION - ((x * SLOPE) >> 32);
    for _ in 0..3 {
        // Y (2 - X Y) with `Y = y / 2^31`.
        let two_less = x.wrapping_mul(y).wrapping_neg() >> 32;
        y = two_less.wrapping_mul(y) >> 31;
    }
    y
}

/// Computes `x = m / 2^22`, rounded down, and an approximation of `2^47 / sqrt(x)` by Newton's
/// method, with a relative error up to `2^-30`. Range: `m` in `[2^52, 2^54)`.
#[inline(always)]
fn inverse_root(m: u64) -> (u64, u64) {
    // Let `X = x / 2^32`, which is in [1/4, 1). `y / 2^31` approximates `1 / sqrt(X)`. The first
    // approximation is a polynomial in X of degree 2, with a relative error up to 1/41.
    const ONE: f64 = (1u64 << 31) as f64;
    const APPROXIMATION: [u64; 3] = [(2.670_835 * ONE) as u64, (3.285_357 * ONE) as u64, (1.638_568 * ONE) as u64];
    let x = m >> 22;
    let mut y = APPROXIMATION[0] - ((x * (APPROXIMATION[1] - ((x * APPROXIMATION[2]) >> 32))) >> 32);
    for _ in 0..3 {
        // Y (3 - X Y^2) / 2 with `Y = y / 2^31`.
        let square = y.wrapping_mul(y) >> 32;
        let three_less = (3u64 << 62).wrapping_sub(x.wrapping_mul(square)) >> 32;
        y = three_less.wrapping_mul(y) >> 31;
    }
    (x, y)
}

impl SoftF64 {
    /// Positive zero.
    pub const ZERO: Self = Self(0);

    /// Returns the number with this binary64 bit pattern. Range: zero or normal.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the bit pattern.
    #[inline(always)]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// Returns the biased exponent, or 0 for a zero.
    #[inline(always)]
    fn exponent_field(self) -> u32 {
        ((self.0 >> 32) as u32) << 1 >> 21
    }

    /// Rounds `q / 2^53 * 2^(e - 1023)`, with the sign of `s`. Returns a zero if `e` is less than
    /// 1, or if `operand_field`, the operand's exponent field, is 0. `e` can be negative, in two's
    /// complement. Range: `q` in `[2^53, 2^54)`, rounded down from the exact value, which must not
    /// be halfway between two numbers.
    #[inline(always)]
    fn pack_no_tie(s: u64, e: u32, q: u64, operand_field: u32) -> Self {
        // The implicit bit adds 1 to the exponent field, and a carry can also add 1.
        let field_minus_1 = e.wrapping_sub(1);
        let magnitude = (u64::from(field_minus_1) << 52).wrapping_add((q + 1) >> 1);
        let in_range = Native::mask_of_top(!(u64::from(field_minus_1 | operand_field.wrapping_sub(1)) << 32));
        Self((s & SIGN) | Native::keep(magnitude, in_range))
    }

    /// Divides two numbers. A quotient is never halfway between two numbers. Such a quotient would
    /// have exactly 54 significant bits, so its product with the divisor would have at least 54
    /// bits. But this product is the dividend, which has at most 53 bits.
    #[inline(never)]
    fn quotient(self, other: Self) -> Self {
        let significand = |x: u64| (x & FRACTION) | (1 << 52);
        let (ma, mb) = (significand(self.0), significand(other.0));
        // Double the dividend if it is smaller than the divisor, to get a quotient in [1, 2).
        let is_less = Native::mask_of_top(ma.wrapping_sub(mb));
        let ma = ma + Native::keep(ma, is_less);
        // Compute `q` as two digits, `high` and `low`, where `ma 2^53 = q mb + remainder`. As the
        // reciprocal is a lower bound, the digits are lower bounds too. The first digit's error is
        // less than 1.3, and the second digit's error is less than 1.4.
        let reciprocal = reciprocal(mb);
        let high = (ma >> 21).wrapping_mul(reciprocal) >> 37;
        let remainder = (ma << 26).wrapping_sub(high.wrapping_mul(mb));
        let low = (remainder >> 22).wrapping_mul(reciprocal) >> 35;
        let remainder = (remainder << 27).wrapping_sub(low.wrapping_mul(mb));
        let q = (high << 27).wrapping_add(low) + Native::keep(1, !Native::mask_of_top(remainder.wrapping_sub(mb)));
        let e = (self.exponent_field() + 1023).wrapping_sub(other.exponent_field() + Native::keep(1, is_less) as u32);
        Self::pack_no_tie(self.0 ^ other.0, e, q, self.exponent_field())
    }

    /// Returns the square root. Range: `self >= 0`.
    ///
    /// A root is never halfway between two numbers. Such a root would have exactly 54 significant
    /// bits, so its square would have at least 107 bits. But the square is `self`, which has at
    /// most 53 bits.
    #[inline(never)]
    pub fn sqrt(self) -> Self {
        let exponent = self.exponent_field().cast_signed() - 1023;
        let odd = exponent & 1;
        let m = (self.0 & FRACTION) | (1 << 52);
        // `m` is in [2^52, 2^54), so the root of `m 2^54` has 54 bits.
        let m = m + (m & ct::barrier_u64(u64::from(odd.cast_unsigned())).wrapping_neg());
        // Compute `root` as two digits, `high` and `low`, where `m 2^54 = root^2 + remainder`. The
        // error of the first digit is 0.9 or less in either direction. The second digit is a lower
        // bound with an error of less than 2.
        let (x, inverse) = inverse_root(m);
        let high = (x.wrapping_mul(inverse) + (1 << 34)) >> 35;
        let remainder = (m << 2).wrapping_sub(high.wrapping_mul(high)).cast_signed();
        // Subtract 1 from four times the digit, so that the final remainder cannot be negative.
        let low = (((remainder.wrapping_mul(inverse.cast_signed())) >> 32) - 1) >> 2;
        let root = (high << 26).wrapping_add_signed(low);
        let remainder = (m << 54).wrapping_sub(root.wrapping_mul(root));
        let root = root + Native::keep(1, !Native::mask_of_top(remainder.wrapping_sub(2 * root + 1)));
        Self::pack_no_tie(0, ((exponent - odd) / 2 + 1023).cast_unsigned(), root, self.exponent_field())
    }

    /// Rounds `self` towards zero, and returns the integer. Range: `|self| < 2^63`. If the number
    /// is outside this range, the result can be any integer.
    #[inline(never)]
    pub fn trunc_i64(self) -> i64 {
        let exponent_field = self.exponent_field();
        // For magnitudes smaller than 1, leave out the implicit bit: the distance is then at least
        // 64, so `shr_and_lost` requires that bit 63 is 0.
        let first = (exponent_field + 1025) >> 11;
        let significand = self.0 << 12 >> 1 | u64::from(first) << 63;
        let (integer, _) = Native::shr_and_lost(significand, 1086u32.wrapping_sub(exponent_field));
        let minus = Native::mask_of_top(self.0);
        Native::flip(integer, minus).wrapping_add(Native::keep(1, minus)).cast_signed()
    }

    /// Returns the largest integer that is not above `self`. Range: `|self| < 2^31`.
    #[inline(never)]
    pub fn floor_i32(self) -> i32 {
        let exponent_field = self.exponent_field();
        let significand = (self.0 & FRACTION) << 10 | u64::from(is_nonzero_bit(exponent_field)) << 62;
        let (integer, lost_bits) = Native::shr_and_lost(significand, 1085u32.wrapping_sub(exponent_field));
        // For a negative number, round the magnitude up if the number is not an integer, and then
        // negate the magnitude (complement plus 1).
        let minus = ct::mask_negative(((self.0 >> 32) as u32).cast_signed());
        let magnitude = (integer as u32).wrapping_add(lost_bits & minus);
        (magnitude ^ minus).wrapping_sub(minus).cast_signed()
    }

    /// Returns the integer that is nearest to `self`, with ties to even. Range: `|self| < 2^51`.
    #[inline(always)]
    pub fn round_i64(self) -> i64 {
        round_from_bits((self + Self(ROUND_MAGIC)).0)
    }

    /// Returns `self * 2^k`. The result must be normal.
    #[inline(always)]
    pub fn scale_up(self, k: u32) -> Self {
        Self(self.0.wrapping_add(u64::from(k & is_nonzero_bit(self.exponent_field()).wrapping_neg()) << 52))
    }

    /// Returns `self / 2`. The result must be normal.
    #[inline(always)]
    pub fn half(self) -> Self {
        Self(self.0.wrapping_sub(u64::from(is_nonzero_bit(self.exponent_field())) << 52))
    }
}

// Signing spends more time in these operations than in any other code, so they are written in
// assembly for the feature `armv7e-m`.
#[cfg(not(fndsa_armv7e_m))]
impl SoftF64 {
    /// Rounds `m / 2^63 * 2^(e - 1023)`. `e` is a signed number in two's complement. Returns zero
    /// and a zero mask if `e < 1`, if the top bit of `zero` is set, or if `m` is 0. Range: `m` in
    /// `[2^63, 2^64)`, or 0.
    #[inline(always)]
    fn pack<W: ConstantTimeU64>(e: u32, m: u64, zero: u32) -> (u64, W::Mask) {
        let low = m as u32;
        // Round up if the low 11 bits are more than one half, or if they are one half and bit 11 is
        // set, to make the result even.
        let round_up = ((low & 0x7ff) + 0x3ff + (low >> 11 & 1)) >> 11;
        // `m`'s top bit adds 1 to the exponent field, and a carry can also add 1.
        let field_minus_1 = e.wrapping_sub(1);
        let magnitude = (u64::from(field_minus_1) << 52).wrapping_add(m >> 11).wrapping_add(u64::from(round_up));
        let in_range = W::mask_of_top(m & !(u64::from(field_minus_1 | zero) << 32));
        (W::keep(magnitude, in_range), in_range)
    }

    /// Computes the sum with the word size of `W`.
    #[inline(always)]
    fn sum_in<W: ConstantTimeU64>(self, other: Self) -> Self {
        // `big` is the number with the larger magnitude. For equal magnitudes, any order is
        // correct, and `+x - x` is `+0`.
        let smaller = W::mask_of_top((self.0 & !SIGN).wrapping_sub(other.0 & !SIGN));
        let swap = W::keep(self.0 ^ other.0, smaller);
        let big = Self(self.0 ^ swap);
        let small = Self(other.0 ^ swap);
        // The significands are at bits 62 to 10, and bit 63 is for the carry. If `big` is zero,
        // `small` is zero as well. In this case, the implicit bit in `mb` has no effect, because
        // the exponent is less than 1 and `pack` returns a zero. The barrier hides the implicit bit
        // from the compiler, which would otherwise add 64-bit constants.
        let mb = (big.0 & FRACTION) << 10 | u64::from(ct::barrier_u32(1 << 30)) << 32;
        let ms = (small.0 & FRACTION) << 10 | u64::from(is_nonzero_bit(small.exponent_field())) << 62;
        let (ms, lost_bits) = W::shr_and_lost(ms, big.exponent_field().wrapping_sub(small.exponent_field()));
        // If the signs differ, subtract `ms`: add its complement and 1. To add the 1, set bit 0 of
        // `mb`, which was 0 before.
        let minus = W::mask_of_top(big.0 ^ small.0);
        let m = (mb | W::keep(1, minus)).wrapping_add(W::flip(ms | u64::from(lost_bits), minus));
        let (m, shift) = W::normalize(m);
        let (magnitude, in_range) = Self::pack::<W>((big.exponent_field() + 1).wrapping_sub(shift), m, 0);
        // The sum of two zeros is -0 only for two negative zeros. The sum of a nonzero number and
        // its negative is +0.
        Self(magnitude | W::keep(big.0 & SIGN, in_range | !minus))
    }

    #[inline(never)]
    fn sum(self, other: Self) -> Self {
        self.sum_in::<Native>(other)
    }

    /// Computes the product with the word size of `W`.
    #[inline(always)]
    fn product_in<W: ConstantTimeU64>(self, other: Self) -> Self {
        let (ea, eb) = (self.exponent_field(), other.exponent_field());
        // The significands are at bits 63 to 11, so that the product is 2^126 or more.
        let significand = |x: Self| x.0 << 11 | SIGN;
        let (m, lost_bits) = W::product_and_lost(significand(self), significand(other));
        let m = m | u64::from(lost_bits);
        let carry = W::mask_of_top(m);
        let m = m.wrapping_add(W::keep(m, !carry));
        let e = (ea + eb).wrapping_sub(1023).wrapping_add(W::keep(1, carry) as u32);
        // A factor is zero if its exponent field is zero.
        let (magnitude, _) = Self::pack::<W>(e, m, ea.wrapping_sub(1) | eb.wrapping_sub(1));
        Self(magnitude | (self.0 ^ other.0) & SIGN)
    }

    #[inline(never)]
    fn product(self, other: Self) -> Self {
        self.product_in::<Native>(other)
    }

    /// Converts `x` to a number, exactly.
    pub fn from_i32(x: i32) -> Self {
        let (m, shift) = crate::simd::constant_time_u64::normalize_u32(x.unsigned_abs());
        // `m`'s top bit adds 1 to the exponent field.
        let e = (1023 + 30 - shift) & ct::mask_negative(m.cast_signed());
        let high = (x.cast_unsigned() & 1 << 31) + (e << 20) + (m >> 11);
        Self(u64::from(high) << 32 | u64::from(m << 21))
    }
}

#[cfg(fndsa_armv7e_m)]
impl SoftF64 {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        Self(armv7e_m::real::sum(self.0, other.0))
    }

    /// Returns `self + other` and `self - other`.
    #[inline(always)]
    pub fn sum_and_difference(self, other: Self) -> (Self, Self) {
        let (sum, difference) = armv7e_m::real::sum_and_difference(self.0, other.0);
        (Self(sum), Self(difference))
    }

    #[inline(always)]
    fn product(self, other: Self) -> Self {
        Self(armv7e_m::real::product(self.0, other.0))
    }

    /// Converts `x` to a number, exactly.
    #[inline(always)]
    pub fn from_i32(x: i32) -> Self {
        Self(armv7e_m::real::from_i32(x))
    }
}

/// Returns `a / b`, rounded and computed with integers, in constant time. Range: as for
/// [`SoftF64`], and `b` is not zero.
#[cfg(target_arch = "riscv64")]
#[inline(always)]
pub(in crate::simd) fn quotient(a: f64, b: f64) -> f64 {
    f64::from_bits((SoftF64(a.to_bits()) / SoftF64(b.to_bits())).0)
}

/// Returns the square root, rounded and computed with integers, in constant time. Range: as for
/// [`SoftF64`], and `x >= 0`.
#[cfg(any(target_arch = "riscv64", not(feature = "std")))]
#[inline(always)]
pub(in crate::simd) fn root(x: f64) -> f64 {
    f64::from_bits(SoftF64(x.to_bits()).sqrt().0)
}

impl PartialEq for SoftF64 {
    /// Compares two values. Positive and negative zeros are equal.
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || (self.0 | other.0) << 1 == 0
    }
}

impl Add for SoftF64 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.sum(other)
    }
}

impl Sub for SoftF64 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.sum(-other)
    }
}

impl Mul for SoftF64 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.product(other)
    }
}

impl Div for SoftF64 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.quotient(other)
    }
}

impl Neg for SoftF64 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0 ^ SIGN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of pseudorandom numbers (xorshift64*). The seeds are fixed, so any run
    /// uses the same numbers.
    struct Xorshift(u64);
    impl Xorshift {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
        }
        /// Returns a binary64 number with an exponent in `-spread ..= spread`. Many of the numbers
        /// have only a small number of significant bits, to make ties and cancellations frequent.
        fn real(&mut self, spread: u64) -> f64 {
            let r = self.next();
            let keep = self.next() % 53;
            let fraction = (r & FRACTION) >> keep << keep;
            let e = 1023 - spread + self.next() % (2 * spread + 1);
            f64::from_bits((r & SIGN) | (e << 52) | fraction)
        }
    }

    fn same(hard: f64, soft: SoftF64, what: &str, a: f64, b: f64) {
        assert_eq!(hard.to_bits(), soft.0, "{what} of {a:e} and {b:e}: {hard:e}");
    }

    #[test]
    fn arithmetic_equals_the_hardware_bit_for_bit() {
        let mut r = Xorshift(0x1234_5678_9abc_def1);
        let edges = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.0f64.powi(52), 2.0f64.powi(53) - 1.0, 1.0 + f64::EPSILON];
        let check = |a: f64, b: f64| {
            let x = SoftF64(a.to_bits());
            let y = SoftF64(b.to_bits());
            same(a + b, x + y, "sum", a, b);
            same(a - b, x - y, "difference", a, b);
            same(a * b, x * y, "product", a, b);
            if b != 0.0 {
                same(a / b, x / y, "quotient", a, b);
            }
            same(a.abs().sqrt(), SoftF64(a.abs().to_bits()).sqrt(), "root", a, b);
            same(-a, -x, "negation", a, b);
            same(a * 0.5, x.half(), "half", a, b);
        };
        for a in edges {
            for b in edges {
                check(a, b);
            }
        }
        for spread in [0, 1, 3, 30, 60, 120, 400] {
            for _ in 0..60_000 {
                check(r.real(spread), r.real(spread));
            }
        }
        // Test quotients and roots that are close to a representable number, or to the middle of
        // two such numbers.
        for _ in 0..200_000 {
            let (a, b) = (r.real(3), r.real(3));
            let near = (a * b).to_bits().wrapping_add(r.next() % 3).wrapping_sub(1);
            check(f64::from_bits(near), b);
            let square = (a * a).to_bits().wrapping_add(r.next() % 3).wrapping_sub(1);
            check(f64::from_bits(square), a);
        }
    }

    /// Compares sums, differences and products of two numbers with the hardware, in both orders and
    /// with all [`ConstantTimeU64`] implementations. The result must be a zero if the result of the
    /// hardware is subnormal.
    fn compare_words(a: f64, b: f64) {
        use crate::simd::constant_time_u64::{HalfWords, OneWord};
        let expect = |hard: f64, soft: SoftF64, what: &str, a: f64, b: f64| {
            if hard.is_subnormal() {
                assert_eq!(soft.0 & !SIGN, 0, "{what} of {a:e} and {b:e}: too small");
            } else {
                same(hard, soft, what, a, b);
            }
        };
        for (a, b) in [(a, b), (b, a)] {
            let (x, y) = (SoftF64(a.to_bits()), SoftF64(b.to_bits()));
            expect(a + b, x.sum_in::<OneWord>(y), "sum", a, b);
            expect(a + b, x.sum_in::<HalfWords>(y), "sum in halves", a, b);
            expect(a - b, x.sum_in::<OneWord>(-y), "difference", a, b);
            expect(a - b, x.sum_in::<HalfWords>(-y), "difference in halves", a, b);
            expect(a * b, x.product_in::<OneWord>(y), "product", a, b);
            expect(a * b, x.product_in::<HalfWords>(y), "product in halves", a, b);
        }
    }

    #[test]
    fn sums_and_products_equal_the_hardware_for_both_word_sizes() {
        let largest = 9_007_199_254_740_991.0;
        let edges =
            [0.0, 1.0, 0.5, 1.5, 3.0, largest, 1.0 + f64::EPSILON, 1.0 - f64::EPSILON / 2.0, 2.0 - f64::EPSILON];
        for (a, b) in edges.iter().flat_map(|a| edges.iter().map(move |b| (*a, *b))) {
            for distance in 0..120 {
                let power = 2f64.powi(distance);
                for b in [b * power, b / power, -b * power, -b / power] {
                    compare_words(a, b);
                    compare_words(-a, b);
                }
            }
        }
        // Test numbers at the limits of the range.
        for (a, b) in [(f64::MAX, 1.0), (f64::MAX, -f64::MAX), (f64::MAX / 2.0, f64::MAX / 2.0), (f64::MAX, 0.0)] {
            same(a + b, SoftF64(a.to_bits()) + SoftF64(b.to_bits()), "sum", a, b);
        }
        for factor in [0.0, 1.0, 1.5, 2.0, -3.0, 0.5, 2f64.powi(-60), 2f64.powi(-1000)] {
            compare_words(f64::MIN_POSITIVE, factor);
            compare_words(f64::MIN_POSITIVE, f64::MIN_POSITIVE * (1.0 + factor.abs()));
        }
        let mut r = Xorshift(0x0fed_cba9_8765_4321);
        for spread in [0, 1, 3, 30, 60, 120, 230, 400] {
            for _ in 0..20_000 {
                let (a, b) = (r.real(spread), r.real(spread));
                // Test `a` with itself, its neighbours, a number that differs in a single bit, `b`,
                // and zeros with both signs.
                let bits = a.to_bits();
                let near = [bits, bits + 1, bits.wrapping_sub(1), bits ^ 1 << (r.next() % 52)].map(f64::from_bits);
                for b in near.into_iter().chain([b, 0.0, -0.0]) {
                    compare_words(a, b);
                }
            }
        }
    }

    #[test]
    fn conversions_equal_the_hardware() {
        let mut r = Xorshift(99);
        for x in [0, 1, -1, i32::MAX, i32::MIN, 12289, -6144] {
            assert_eq!(SoftF64::from_i32(x).0, f64::from(x).to_bits());
        }
        for _ in 0..200_000 {
            let i = r.next() as i32 >> (r.next() % 32);
            assert_eq!(SoftF64::from_i32(i).0, f64::from(i).to_bits());
            let x = r.real(61);
            assert_eq!(SoftF64(x.to_bits()).trunc_i64(), x as i64, "trunc {x:e}");
            let x = r.real(29);
            assert_eq!(SoftF64(x.to_bits()).floor_i32(), x.floor() as i32, "floor {x:e}");
            assert_eq!(crate::simd::Real::floor_i32(x), x.floor() as i32, "floor {x:e}");
            let x = r.real(48);
            assert_eq!(SoftF64(x.to_bits()).round_i64(), x.round_ties_even() as i64, "round {x:e}");
            assert_eq!(crate::simd::Real::round_i64(x), x.round_ties_even() as i64, "round {x:e}");
            let x = r.real(60).abs().min(1.0 - f64::EPSILON);
            let expected = (x * 2f64.powi(63)) as u64;
            assert_eq!(crate::simd::Real::scale63_u64(SoftF64(x.to_bits())), expected);
            assert_eq!(crate::simd::Real::scale63_u64(x), expected);
        }
    }
}
