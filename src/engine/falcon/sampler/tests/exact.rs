//! Computes `sampler_z` with integers of any length, without machine words and floating-point
//! instructions. This code computes every operation in the specification exactly, and then rounds
//! once, as binary64 does. It shares no code with the engine, and uses the engine's tables only in
//! [`ExactSampler::of_the_engine`].

use super::reference::tables::{EXP_COEFFICIENTS, TABLES};
use crate::engine::falcon::sampler::{CONSTANTS, EXP, TAIL};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::ops::{Add, Mul, Sub};

/// A number `mantissa 2^exponent`. Sums, differences and products are exact.
#[derive(Clone, Debug)]
pub struct Dyadic {
    mantissa: BigInt,
    exponent: i64,
}

impl Dyadic {
    /// Returns the value of a binary64 number.
    pub fn from_f64(x: f64) -> Self {
        let bits = x.to_bits();
        let (field, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
        assert!(field != 0x7ff, "not a number");
        let (mantissa, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
        let sign = if bits >> 63 == 1 { Sign::Minus } else { Sign::Plus };
        Self { mantissa: BigInt::from_biguint(sign, mantissa.into()), exponent }
    }

    /// Converts an integer.
    pub fn integer(x: impl Into<BigInt>) -> Self {
        Self { mantissa: x.into(), exponent: 0 }
    }

    /// Returns `self 2^k`, exactly.
    pub fn shifted(mut self, k: i64) -> Self {
        self.exponent += k;
        self
    }

    /// Rounds to the nearest number with 53 significant bits, with ties to even, as binary64 does.
    /// The numbers in these tests are far from the limits of the binary64 range.
    pub fn rounded(self) -> Self {
        let magnitude = self.mantissa.magnitude();
        let Some(excess_bits) = magnitude.bits().checked_sub(53).filter(|excess_bits| *excess_bits > 0) else {
            return self;
        };
        let quotient = magnitude >> excess_bits;
        let lost = magnitude - (&quotient << excess_bits);
        let half = BigUint::one() << (excess_bits - 1);
        let up = lost > half || (lost == half && quotient.bit(0));
        let mantissa = BigInt::from_biguint(self.mantissa.sign(), quotient + u32::from(up));
        Self { mantissa, exponent: self.exponent + excess_bits as i64 }
    }

    /// Returns the largest integer that is not larger than the number.
    pub fn floor(&self) -> BigInt {
        if self.exponent >= 0 { &self.mantissa << self.exponent } else { &self.mantissa >> -self.exponent }
    }

    /// Returns the integer part. The number must not be negative.
    pub fn trunc(&self) -> BigUint {
        assert!(!self.mantissa.is_negative(), "negative");
        self.floor().magnitude().clone()
    }
}

impl Add for Dyadic {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let exponent = self.exponent.min(o.exponent);
        Self {
            mantissa: (self.mantissa << (self.exponent - exponent)) + (o.mantissa << (o.exponent - exponent)),
            exponent,
        }
    }
}

impl Sub for Dyadic {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + Self { mantissa: -o.mantissa, exponent: o.exponent }
    }
}

impl Mul for Dyadic {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self { mantissa: self.mantissa * o.mantissa, exponent: self.exponent + o.exponent }
    }
}

/// All values that are computed from a leaf's `1/sigma'`.
#[derive(Clone)]
pub struct ExactLeaf {
    /// `1/(2 sigma'^2)`.
    dss: Dyadic,
    /// `2 floor(2^63 ccs)` with `ccs = sigma_min / sigma'`.
    pub scale: BigUint,
}

impl ExactLeaf {
    pub fn new(inv_sigma: f64, sigma_min: f64) -> Self {
        let inv_sigma = Dyadic::from_f64(inv_sigma);
        let dss = (inv_sigma.clone() * inv_sigma.clone()).rounded().shifted(-1);
        let ccs = (inv_sigma * Dyadic::from_f64(sigma_min)).rounded();
        Self { dss, scale: ccs.shifted(63).trunc() << 1 }
    }
}

/// A centre: its floor, and its fraction as binary64.
#[derive(Clone)]
pub struct ExactCentre {
    pub floor: i64,
    fraction: Dyadic,
}

impl ExactCentre {
    pub fn new(centre: f64) -> Self {
        let centre = Dyadic::from_f64(centre);
        let floor = centre.floor();
        let fraction = (centre - Dyadic::integer(floor.clone())).rounded();
        Self { floor: floor.to_i64().expect("a small centre"), fraction }
    }
}

/// A sampler with given tables.
pub struct ExactSampler {
    tail: Vec<u128>,
    exp: [u64; 13],
    ln_2: f64,
    inv_ln_2: f64,
    inv_2_sigma0_squared: f64,
}

impl ExactSampler {
    /// Returns a sampler with the specification's tables, computed from their formulas.
    pub fn of_the_specification() -> Self {
        Self {
            tail: TABLES.rcdt.clone(),
            exp: EXP_COEFFICIENTS,
            ln_2: TABLES.ln2,
            inv_ln_2: TABLES.inv_ln2,
            inv_2_sigma0_squared: TABLES.inv_2sqrsigma0,
        }
    }

    /// Returns a sampler with the engine's tables.
    pub fn of_the_engine() -> Self {
        Self {
            tail: TAIL.to_vec(),
            exp: EXP,
            ln_2: f64::from_bits(CONSTANTS.ln_2),
            inv_ln_2: f64::from_bits(CONSTANTS.inv_ln_2),
            inv_2_sigma0_squared: f64::from_bits(CONSTANTS.inv_2_sigma0_squared),
        }
    }

    /// Returns the base sample for 79 random bits v: the number of table entries that are larger
    /// than v.
    pub fn base_sample(&self, v: u128) -> u32 {
        self.tail.iter().map(|entry| u32::from(v < *entry)).sum()
    }

    /// Returns the weight of each base sample: how many of the `2^79` values of v give this sample.
    pub fn base_weights(&self) -> Vec<u128> {
        let tail = [&[1 << 79], self.tail.as_slice(), &[0]].concat();
        tail.windows(2).map(|pair| pair[0] - pair[1]).collect()
    }

    /// Returns the candidate for base sample `z0` and bit `b`, and the number x. The sampler
    /// accepts the candidate with probability `ccs exp(-x)`.
    pub fn candidate(&self, centre: &ExactCentre, leaf: &ExactLeaf, z0: u32, b: u32) -> (i64, Dyadic) {
        let (z0, b) = (i64::from(z0), i64::from(b));
        let z = b + (2 * b - 1) * z0;
        let d = (Dyadic::integer(z) - centre.fraction.clone()).rounded();
        let square = (d.clone() * d).rounded();
        let base = (Dyadic::integer(z0 * z0) * Dyadic::from_f64(self.inv_2_sigma0_squared)).rounded();
        (z, ((square * leaf.dss.clone()).rounded() - base).rounded())
    }

    /// Returns `floor(x / ln 2)`, rounded as in the specification.
    pub fn halvings(&self, x: &Dyadic) -> u64 {
        (x.clone() * Dyadic::from_f64(self.inv_ln_2)).rounded().trunc().to_u64().expect("small")
    }

    /// Returns the threshold for 64 random bits: `ber_exp` accepts numbers that are smaller.
    pub fn threshold(&self, x: &Dyadic, scale: &BigUint) -> u64 {
        let k = self.halvings(x);
        let multiple = (Dyadic::integer(k) * Dyadic::from_f64(self.ln_2)).rounded();
        let r = (x.clone() - multiple).rounded().shifted(63).trunc() << 1u32;
        assert!(r.bits() <= 64, "r is less than 1");
        let r = BigInt::from(r);
        let [first, rest @ ..] = self.exp.map(BigInt::from);
        let y = rest.into_iter().fold(first, |y, c| c - ((&r * y) >> 64u32));
        let y = (BigInt::from(scale.clone()) * y) >> 64u32;
        assert!(y.is_positive());
        (((y << 1u32) - 1u32) >> k.min(63)).to_u64().expect("64 bits")
    }

    /// Draws a sample from the bytes of `next`. Returns `None` if `limit` candidates were rejected.
    pub fn sampler_z(
        &self,
        centre: &ExactCentre,
        leaf: &ExactLeaf,
        limit: u32,
        next: &mut impl FnMut() -> u8,
    ) -> Option<i64> {
        for _ in 0..limit {
            let mut number = BigUint::zero();
            for i in 0..10 {
                number |= BigUint::from(next()) << (8 * i);
            }
            let number = number.to_u128().expect("80 bits");
            let (z, x) = self.candidate(centre, leaf, self.base_sample(number >> 1), (number & 1) as u32);
            let bytes = self.threshold(&x, &leaf.scale).to_be_bytes();
            let is_accepted = bytes.iter().find_map(|byte| {
                let random = next();
                (random != *byte).then_some(random < *byte)
            });
            if is_accepted == Some(true) {
                return Some(centre.floor + z);
            }
        }
        None
    }
}
