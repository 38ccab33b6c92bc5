//! binary64 with integer instructions only, for machines whose floating-point unit is absent, not
//! IEEE-754 strict, or not constant-time.
//!
//! Each operation rounds once, to nearest with ties to even, as IEEE-754 asks. Only zeros and
//! normal numbers are represented: a result below `2^-1022` becomes a zero, one above the range is
//! out of contract, and with the feature `armv7e-m` one below it, too. No branch and no index depends on a value; shift distances do, and go through [`super::ct`].
//!
//! A significand `m` on its way to rounding has 53 bits, a guard, a round and a sticky bit:
//! `2^55 <= m < 2^56`, the value being `m / 2^55 * 2^(e - 1023)`.
//!
//! The four arithmetic operations are calls, never inlined: inlined they swell the engine to
//! 92 kB.

#[cfg(all(feature = "armv7e-m", target_arch = "arm", target_os = "none"))]
use super::armv7e_m;
use super::ct::{self, mask_nonzero, shl_u64, shr_u64};
use super::real::{ROUND_MAGIC, round_from_bits};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A binary64 held as its bit pattern. Zero or normal.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct SoftF64(u64);

const SIGN: u64 = 1 << 63;
const FRACTION: u64 = (1 << 52) - 1;

/// `2 m` and 0 if `m` is below `2^55`, else `m` and 1. Range: `m` in `[2^54, 2^56)`, or 0.
#[cfg(not(all(feature = "armv7e-m", target_arch = "arm", target_os = "none")))]
#[inline(always)]
fn doubled_below_55(m: u64) -> (u64, i32) {
    let carry = ct::barrier_u64(m >> 55);
    // All ones where there is no carry.
    (m.wrapping_add(m & carry.wrapping_sub(1)), carry as i32)
}

/// `2^84 / b` by Newton's rule on 32 bits, never too large, with a relative error of at most `2^-29.2`.
/// Range: `b` in `[2^52, 2^53)`.
#[inline(always)]
fn reciprocal(b: u64) -> u64 {
    // x times 2^-32 is above 1/2 and at most 1, y times 2^-31 is its reciprocal: first `48/17 - 32/17 x`, 1/17 away from it.
    const START: u64 = (48 << 31) / 17;
    const SLOPE: u64 = (32 << 31) / 17;
    let x = (b >> 21) + 1;
    let mut y = START - ((x * SLOPE) >> 32);
    for _ in 0..3 {
        // y (2 - x y)
        let two_less = x.wrapping_mul(y).wrapping_neg() >> 32;
        y = two_less.wrapping_mul(y) >> 31;
    }
    y
}

/// `x`, the upper 32 bits of `m`, and `2^47 / sqrt(x)` by Newton's rule, with a relative error of at most `2^-30`.
/// Range: `m` in `[2^52, 2^54)`.
#[inline(always)]
fn inverse_root(m: u64) -> (u64, u64) {
    // x times 2^-32 is in [1/4, 1), y times 2^-31 is the reciprocal of its root: first a polynomial of degree 2, which is
    // 1/41 of it away at most.
    const ONE: f64 = (1u64 << 31) as f64;
    const START: [u64; 3] = [(2.670_835 * ONE) as u64, (3.285_357 * ONE) as u64, (1.638_568 * ONE) as u64];
    let x = m >> 22;
    let mut y = START[0] - ((x * (START[1] - ((x * START[2]) >> 32))) >> 32);
    for _ in 0..3 {
        // y (3 - x y^2) / 2
        let square = y.wrapping_mul(y) >> 32;
        let three_less = (3u64 << 62).wrapping_sub(x.wrapping_mul(square)) >> 32;
        y = three_less.wrapping_mul(y) >> 31;
    }
    (x, y)
}

impl SoftF64 {
    /// Positive zero.
    pub const ZERO: Self = Self(0);

    /// The number with this bit pattern of a binary64. Range: zero or normal.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bit pattern.
    #[inline(always)]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// Sign (0 or 1), biased exponent, significand in `[2^52, 2^53)` or 0.
    #[inline(always)]
    fn parts(self) -> (u64, i32, u64) {
        let e = (self.0 >> 52) & 0x7ff;
        let implicit = mask_nonzero(e) & (1 << 52);
        (self.0 >> 63, e as i32, (self.0 & FRACTION & mask_nonzero(e)) | implicit)
    }

    /// Rounds `q / 2^53 * 2^(e - 1023)`, negative where `s` is 1, if it is in no middle between two numbers, and gives a zero
    /// where the exponent field `of` is 0. Range: `q` in `[2^53, 2^54)`, rounded down from what it stands for.
    #[inline(always)]
    fn pack_no_tie(s: u64, e: i32, q: u64, of: u64) -> Self {
        // The implicit bit adds one to the exponent field, and so may a carry.
        let magnitude = ((e as u64).wrapping_sub(1) << 52).wrapping_add((q + 1) >> 1);
        let in_range = !ct::mask_of_top((e as i64 - 1).cast_unsigned()) & mask_nonzero(of);
        Self((s << 63) | (magnitude & in_range))
    }

    /// No quotient is in the middle between two numbers: it would have 54 digits behind the last zero, and the dividend as
    /// many.
    #[inline(never)]
    fn quotient(self, other: Self) -> Self {
        let field = |x: u64| (x >> 52) & 0x7ff;
        let significand = |x: u64| (x & FRACTION) | (1 << 52);
        let (ma, mb) = (significand(self.0), significand(other.0));
        // Doubled below the divisor, so that the quotient is in [1, 2).
        let less = ct::barrier_u64(ct::less_u64(ma, mb));
        let ma = ma + (ma & less.wrapping_neg());
        // Digit by digit: `ma 2^53 = q mb + rest`. The reciprocal is not too large, nor are the digits: the first is too small by
        // less than 1.3, the second by less than 1.4.
        let reciprocal = reciprocal(mb);
        let high = (ma >> 21).wrapping_mul(reciprocal) >> 37;
        let rest = (ma << 26).wrapping_sub(high.wrapping_mul(mb));
        let low = (rest >> 22).wrapping_mul(reciprocal) >> 35;
        let rest = (rest << 27).wrapping_sub(low.wrapping_mul(mb));
        let q = (high << 27).wrapping_add(low).wrapping_add(1).wrapping_sub(ct::less_u64(rest, mb));
        let e = field(self.0) as i32 - field(other.0) as i32 + 1023 - less as i32;
        Self::pack_no_tie((self.0 ^ other.0) >> 63, e, q, field(self.0))
    }

    /// The square root. Range: `self >= 0`.
    ///
    /// No root is in the middle between two numbers: its square would have more digits than a number has.
    #[inline(never)]
    pub fn sqrt(self) -> Self {
        let field = self.0 >> 52;
        let exponent = field as i32 - 1023;
        let odd = exponent & 1;
        let m = (self.0 & FRACTION) | (1 << 52);
        // In [2^52, 2^54): the root of `m 2^54` has 54 bits.
        let m = m + (m & ct::barrier_u64(u64::from(odd.cast_unsigned())).wrapping_neg());
        // Digit by digit: `m 2^54 = root^2 + rest`, the first digit within 0.9 of the exact one, the second less than 2 too
        // small.
        let (x, inverse) = inverse_root(m);
        let high = (x.wrapping_mul(inverse) + (1 << 34)) >> 35;
        let rest = (m << 2).wrapping_sub(high.wrapping_mul(high)).cast_signed();
        // One less than may be needed in four times the digit, so that what is still left is not negative.
        let low = (((rest.wrapping_mul(inverse.cast_signed())) >> 32) - 1) >> 2;
        let root = (high << 26).wrapping_add_signed(low);
        let rest = (m << 54).wrapping_sub(root.wrapping_mul(root));
        let root = root.wrapping_add(1).wrapping_sub(ct::less_u64(rest, 2 * root + 1));
        Self::pack_no_tie(0, (exponent - odd) / 2 + 1023, root, field)
    }

    /// The integer part of `|self|`, and 1 if a fraction is left, else 0. Range: `|self| < 2^63`.
    #[inline(always)]
    fn split_magnitude(self) -> (u64, u64) {
        let (_, e, m) = self.parts();
        let top = m << 11;
        let right = (1086 - e).cast_unsigned();
        let inside = !mask_nonzero(u64::from(right >> 6));
        let whole = shr_u64(top, right & 63) & inside;
        let lost = top ^ shl_u64(whole, right & 63);
        (whole, mask_nonzero(lost) & 1)
    }

    /// The integer part of `self`, towards zero. Range: `|self| < 2^63`.
    #[inline(never)]
    pub fn trunc_i64(self) -> i64 {
        let (whole, _) = self.split_magnitude();
        let minus = (self.0 >> 63).wrapping_neg();
        (whole ^ minus).wrapping_sub(minus).cast_signed()
    }

    /// The largest integer that is not above `self`. Range: `|self| < 2^31`.
    #[inline(never)]
    pub fn floor_i32(self) -> i32 {
        let (whole, fraction) = self.split_magnitude();
        let minus = (self.0 >> 63).wrapping_neg();
        let away = whole + (fraction & minus);
        (away ^ minus).wrapping_sub(minus) as u32 as i32
    }

    /// The integer nearest to `self`, ties to even. Range: `|self| < 2^51`.
    #[inline(always)]
    pub fn round_i64(self) -> i64 {
        round_from_bits((self + Self(ROUND_MAGIC)).0)
    }

    /// `self * 2^k`. Range: the result is normal.
    #[inline(always)]
    pub fn scale_up(self, k: u32) -> Self {
        Self(self.0.wrapping_add(((k as u64) << 52) & mask_nonzero(self.0 << 1)))
    }

    /// `self / 2`. Range: the result is normal.
    #[inline(always)]
    pub fn half(self) -> Self {
        Self(self.0.wrapping_sub((1 << 52) & mask_nonzero(self.0 << 1)))
    }
}

// What most of a signature is made of. With the feature `armv7e-m` it is assembly.
#[cfg(not(all(feature = "armv7e-m", target_arch = "arm", target_os = "none")))]
impl SoftF64 {
    /// Rounds `m / 2^55 * 2^(e - 1023)`, negative where `s` is 1. Range: `m` in `[2^55, 2^56)`, or 0 for a zero.
    #[inline(always)]
    fn pack(s: u64, e: i32, m: u64) -> Self {
        let low = m & 7;
        let lsb = (m >> 3) & 1;
        // Up when the low three bits are above a half, or at a half and the result would be odd.
        let up = (low + 3 + lsb) >> 3;
        // The implicit bit of `m` adds one to the exponent field, and so may a carry.
        let magnitude = ((e as u64).wrapping_sub(1) << 52).wrapping_add(m >> 3).wrapping_add(up);
        let in_range = !mask_nonzero(((e - 1) >> 31) as u64) & mask_nonzero(m);
        Self((s << 63) | (magnitude & in_range))
    }

    #[inline(never)]
    fn sum(self, other: Self) -> Self {
        // `big` has the larger magnitude; on a tie either, and then `+x - x` is `+0`.
        let smaller = ct::mask_of_top((self.0 & !SIGN).wrapping_sub(other.0 & !SIGN));
        let swap = (self.0 ^ other.0) & smaller;
        let big = Self(self.0 ^ swap);
        let small = Self(other.0 ^ swap);
        let (sb, eb, mb) = big.parts();
        let (ss, es, ms) = small.parts();
        // Bit 63 stays free for the carry: significands at bits 62..10.
        let mb = mb << 10;
        let ms = ms << 10;
        let distance = (eb - es).cast_unsigned();
        let near = !mask_nonzero(u64::from(distance >> 6));
        let shifted = shr_u64(ms, distance & 63) & near;
        let lost = ms ^ shl_u64(shifted, distance & 63);
        let ms = shifted | (mask_nonzero(lost) & 1);
        // Subtract when the signs differ: add the two's complement.
        let minus = (sb ^ ss).wrapping_neg();
        let m = mb.wrapping_add((ms ^ minus).wrapping_sub(minus));
        let (m, up) = ct::normalize(m);
        let m = (m >> 8) | (mask_nonzero(m & 0xff) & 1);
        // Both zero: the sum is -0 only of two -0. A cancellation gives +0.
        let s = sb & (mask_nonzero(m) | !minus) & 1;
        Self::pack(s, eb + 1 - up.cast_signed(), m)
    }

    #[inline(never)]
    fn product(self, other: Self) -> Self {
        let (sa, ea, ma) = self.parts();
        let (sb, eb, mb) = other.parts();
        let p = u128::from(ma) * u128::from(mb);
        // In [2^54, 2^56), or 0.
        let m = (p >> 50) as u64 | (mask_nonzero(p as u64 & ((1 << 50) - 1)) & 1);
        let (m, carry) = doubled_below_55(m);
        Self::pack(sa ^ sb, ea + eb - 1023 + carry, m)
    }

    /// The number `x`, exactly.
    pub fn from_i32(x: i32) -> Self {
        let s = u64::from(x.cast_unsigned() >> 31);
        let (m, up) = ct::normalize(u64::from(x.unsigned_abs()));
        Self::pack(s, 1023 + 63 - up.cast_signed(), m >> 8)
    }
}

#[cfg(all(feature = "armv7e-m", target_arch = "arm", target_os = "none"))]
impl SoftF64 {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        Self(armv7e_m::sum(self.0, other.0))
    }

    #[inline(always)]
    fn product(self, other: Self) -> Self {
        Self(armv7e_m::product(self.0, other.0))
    }

    /// The number `x`, exactly.
    #[inline(always)]
    pub fn from_i32(x: i32) -> Self {
        Self(armv7e_m::from_i32(x))
    }
}

/// `a / b`, rounded, with integers: in a time that does not depend on the values. Range: that of [`SoftF64`], and `b` is not
/// zero.
#[cfg(target_arch = "riscv64")]
#[inline(always)]
pub(super) fn quotient(a: f64, b: f64) -> f64 {
    f64::from_bits((SoftF64(a.to_bits()) / SoftF64(b.to_bits())).0)
}

/// The square root of `x`, rounded, with integers: in a time that does not depend on the value. Range: `x >= 0`, and that of
/// [`SoftF64`].
#[cfg(any(target_arch = "riscv64", not(feature = "std")))]
#[inline(always)]
pub(super) fn root(x: f64) -> f64 {
    f64::from_bits(SoftF64(x.to_bits()).sqrt().0)
}

impl PartialEq for SoftF64 {
    /// Zeros of both signs are equal.
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

    /// A small generator (xorshift64*), so that a failure can be repeated.
    struct Xorshift(u64);
    impl Xorshift {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
        }
        /// A binary64 with an exponent in `2^-spread ..= 2^spread`, often with few significant
        /// bits, so that ties and cancellations happen.
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
    fn arithmetic_is_the_hardware_s_bit_for_bit() {
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
        // Quotients and roots next to a number that is representable, or in the middle between two.
        for _ in 0..200_000 {
            let (a, b) = (r.real(3), r.real(3));
            let near = (a * b).to_bits().wrapping_add(r.next() % 3).wrapping_sub(1);
            check(f64::from_bits(near), b);
            let square = (a * a).to_bits().wrapping_add(r.next() % 3).wrapping_sub(1);
            check(f64::from_bits(square), a);
        }
    }

    #[test]
    fn conversions_are_the_hardware_s() {
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
            assert_eq!(super::super::Real::floor_i32(x), x.floor() as i32, "floor {x:e}");
            let x = r.real(48);
            assert_eq!(SoftF64(x.to_bits()).round_i64(), x.round_ties_even() as i64, "round {x:e}");
            assert_eq!(super::super::Real::round_i64(x), x.round_ties_even() as i64, "round {x:e}");
            let x = r.real(60).abs().min(1.0 - f64::EPSILON);
            let want = (x * 2f64.powi(63)) as u64;
            assert_eq!(super::super::Real::scale63_u64(SoftF64(x.to_bits())), want);
            assert_eq!(super::super::Real::scale63_u64(x), want);
        }
    }
}
