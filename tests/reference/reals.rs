//! Real numbers with 256 fraction bits. `tables` computes the tables of FN-DSA with them, and the
//! tests in `src/engine/falcon/sampler/tests` compute probabilities with them.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use std::ops::{Add, Div, Mul, Neg, Sub};

const FRACTION_BITS: u32 = 256;

/// A real number: the integer in the field, divided by `2^256`. Products and square roots are
/// rounded down, and quotients are rounded towards zero. In the tables of FN-DSA, the errors are
/// below `2^-170`, before the numbers are rounded to integers or to binary64.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Real(BigInt);

impl From<i64> for Real {
    fn from(x: i64) -> Self {
        Self(BigInt::from(x) << FRACTION_BITS)
    }
}

impl Add for Real {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self(self.0 + o.0)
    }
}

impl Sub for Real {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self(self.0 - o.0)
    }
}

impl Neg for Real {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul for Real {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self((self.0 * o.0) >> FRACTION_BITS)
    }
}

impl Div for Real {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        Self((self.0 << FRACTION_BITS) / o.0)
    }
}

impl std::iter::Sum for Real {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(0.into(), Add::add)
    }
}

impl Real {
    pub fn from_integer(x: BigInt) -> Self {
        Self(x << FRACTION_BITS)
    }

    /// Returns `a / b`.
    pub fn ratio(a: i64, b: i64) -> Self {
        Self::from(a) / Self::from(b)
    }

    /// Returns `2^k`.
    pub fn power_of_two(k: u32) -> Self {
        Self(BigInt::from(1) << (k + FRACTION_BITS))
    }

    pub fn squared(&self) -> Self {
        self.clone() * self.clone()
    }

    pub fn sqrt(&self) -> Self {
        Self((self.0.clone() << FRACTION_BITS).sqrt())
    }

    pub fn floor(&self) -> BigInt {
        self.0.clone() >> FRACTION_BITS
    }

    /// Rounds to the nearest integer. A number in the middle of two integers is rounded up.
    pub fn round(&self) -> BigInt {
        (self.clone() + Self::ratio(1, 2)).floor()
    }

    /// Converts a binary64 number exactly. It must be zero, or its magnitude must be at least
    /// `2^-200`.
    pub fn from_f64(x: f64) -> Self {
        if x == 0.0 {
            return Self::from(0);
        }
        let bits = x.abs().to_bits();
        let (field, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
        assert!((1023 - 200..2047).contains(&field), "{x:e} is too small or no number");
        let magnitude = BigInt::from(fraction | 1 << 52) << (field - 1075 + i64::from(FRACTION_BITS));
        Self(if x < 0.0 { -magnitude } else { magnitude })
    }

    pub fn abs(&self) -> Self {
        Self(self.0.abs())
    }

    /// Computes `self^k`.
    pub fn power(&self, k: u32) -> Self {
        let square = if k > 1 { self.squared().power(k / 2) } else { Self::from(1) };
        if k % 2 == 1 { square * self.clone() } else { square }
    }

    /// Rounds to the nearest binary64.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().expect("finite") * 2f64.powi(-(FRACTION_BITS as i32))
    }

    /// Computes `e^x` by its series.
    pub fn exp(&self) -> Self {
        if self.0.is_negative() {
            return Self::from(1) / (-self.clone()).exp();
        }
        self.series(|k| k)
    }

    /// Computes the sum of `x^i / (step(1) step(2) .. step(i))` for all i. The sum ends before the
    /// first term with a magnitude of at most `2^-256`.
    fn series(&self, step: impl Fn(i64) -> i64) -> Self {
        let (mut total, mut term, mut k) = (Self::from(0), Self::from(1), 0);
        while term.0.magnitude().bits() > 1 {
            total = total + term.clone();
            k += 1;
            term = term * self.clone() / Self::from(step(k));
        }
        total
    }

    /// Computes the natural logarithm by Newton's method. It starts from the binary64 logarithm
    /// with 40 fraction bits, and each step doubles the number of correct bits.
    pub fn ln(&self) -> Self {
        let start = self.to_f64().ln();
        let mut y = Self(BigInt::from((start * 2f64.powi(40)) as i64) << (FRACTION_BITS - 40));
        for _ in 0..4 {
            y = y.clone() + self.clone() * (-y).exp() - Self::from(1);
        }
        y
    }

    /// Computes the cosine: `sum (-x^2)^k / (2k)!`.
    pub fn cos(&self) -> Self {
        (-self.squared()).series(|k| (2 * k - 1) * (2 * k))
    }

    /// Computes the sine: `x sum (-x^2)^k / (2k + 1)!`.
    pub fn sin(&self) -> Self {
        self.clone() * (-self.squared()).series(|k| (2 * k) * (2 * k + 1))
    }

    /// Computes pi by Machin's formula: `pi = 16 atan(1/5) - 4 atan(1/239)`.
    pub fn pi() -> Self {
        Self::from(16) * Self::atan_of_inverse(5) - Self::from(4) * Self::atan_of_inverse(239)
    }

    /// Computes `atan(1/m) = sum (-1)^k / ((2k + 1) m^(2k+1))`.
    fn atan_of_inverse(m: i64) -> Self {
        let (mut total, mut power, mut k) = (Self::from(0), Self::ratio(1, m), 0);
        while power.0.magnitude().bits() > 1 {
            total = total + power.clone() / Self::from(2 * k + 1);
            power = -(power / Self::from(m * m));
            k += 1;
        }
        total
    }
}
