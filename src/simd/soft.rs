//! binary64 with integer instructions only, for machines whose floating-point unit is absent, not
//! IEEE-754 strict, or not constant-time.
//!
//! Each operation rounds once, to nearest with ties to even, as IEEE-754 asks. Only zeros and
//! normal numbers are represented: a result below `2^-1022` becomes a zero, one above the range is
//! out of contract. No branch and no index depends on a value; shift distances do, and go through [`super::ct`].
//!
//! A significand `m` on its way to rounding has 53 bits, a guard, a round and a sticky bit:
//! `2^55 <= m < 2^56`, the value being `m / 2^55 * 2^(e - 1023)`.
//!
//! The four arithmetic operations are calls, never inlined: inlined they swell the engine to
//! 92 kB.

use super::ct::{self, mask_nonzero, normalize, shl_u64, shr_u64};
use super::real::{ROUND_MAGIC, round_from_bits};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A binary64 held as its bit pattern. Zero or normal.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct SoftF64(u64);

const SIGN: u64 = 1 << 63;
const FRACTION: u64 = (1 << 52) - 1;

/// `2 m` and 0 if `m` is below `2^55`, else `m` and 1. Range: `m` in `[2^54, 2^56)`, or 0.
#[inline(always)]
fn doubled_below_55(m: u64) -> (u64, i32) {
    let carry = ct::barrier_u64(m >> 55);
    // All ones where there is no carry.
    (m + (m & carry.wrapping_sub(1)), carry as i32)
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
        let (m, up) = normalize(m);
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

    #[inline(never)]
    fn quotient(self, other: Self) -> Self {
        let (sa, ea, ma) = self.parts();
        let (sb, eb, mb) = other.parts();
        let mut rest = ma;
        let mut m = 0u64;
        for _ in 0..56 {
            let fits = !ct::mask_of_top(rest.wrapping_sub(mb));
            m = (m << 1) | (fits & 1);
            rest = rest.wrapping_sub(mb & fits) << 1;
        }
        // floor(ma / mb * 2^55), in [2^54, 2^56), or 0.
        m |= mask_nonzero(rest) & 1;
        let m = m & mask_nonzero(ma);
        let (m, carry) = doubled_below_55(m);
        Self::pack(sa ^ sb, ea - eb + 1022 + carry, m)
    }

    /// The square root. Range: `self >= 0`.
    #[inline(never)]
    pub fn sqrt(self) -> Self {
        let (_, e, m) = self.parts();
        let exponent = e - 1023;
        let odd = exponent & 1;
        // In [2^110, 2^112): its root has 56 bits.
        let mut feed = u128::from(m + (m & ct::barrier_u64(u64::from(odd.cast_unsigned())).wrapping_neg())) << 58;
        let mut rest = 0u64;
        let mut root = 0u64;
        for _ in 0..56 {
            rest = (rest << 2) | (feed >> 110) as u64;
            feed = (feed << 2) & ((1 << 112) - 1);
            let trial = (root << 2) | 1;
            let fits = !ct::mask_of_top(rest.wrapping_sub(trial));
            rest = rest.wrapping_sub(trial & fits);
            root = (root << 1) | (fits & 1);
        }
        root |= mask_nonzero(rest) & 1;
        Self::pack(0, (exponent - odd) / 2 + 1023, root & mask_nonzero(m))
    }

    /// The number `x`, exactly.
    pub fn from_i32(x: i32) -> Self {
        let s = u64::from(x.cast_unsigned() >> 31);
        let (m, up) = normalize(u64::from(x.unsigned_abs()));
        Self::pack(s, 1023 + 63 - up.cast_signed(), m >> 8)
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
