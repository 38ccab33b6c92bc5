//! Roots of unity for the transforms over real numbers, computed by the compiler.
//!
//! The binary64 transform (`fft`) and the fixed-point transform (`ntru::fixed`) store values in
//! bit-reversed order. In this order, a merge combines the two halves of an array, and a split
//! reverses the merge. A merge computes `2^(l-1)` complex values from two halves. From the value
//! `x` at place `p` in the first half, and the value `y` at place `p` in the second half, it
//! computes `x + w y` and `x - w y`, where `p < 2^(l-2)` and `w` is the root
//! `w_l(p) = exp(i pi (4p + 1) / 2^l)`. Therefore, a single table in this order is enough for the
//! transforms, splits and merges at all degrees. Entry `2^(l-2) + p` is `w_l(p)`; entry 0 is not
//! used.
//!
//! In the published tables, entry `k` is `exp(i pi rev10(k) / 1024)`, where `rev10` reverses 10
//! bits. The entries `2^j` to `2^(j+1) - 1` form a block. From each block with at least two
//! entries, the tables here contain the first half, in a different order.
//!
//! In [`ROOTS`], each real and imaginary part is the correctly rounded binary64 value. If the table
//! used libm's sine with a rounded angle, 711 of 1022 values would not be correctly rounded. The
//! cosines are computed with the power series in fixed point with 127 fraction bits, and the error
//! is below `2^-110`.

use crate::simd::{SHORT_REGISTERS, SMALL};

/// The number of entries: the entries for `w_2 .. w_10`, and an unused entry.
pub const LEN: usize = 512;

/// Roots as binary64 bits, with separate tables for the real and the imaginary parts.
pub struct ComplexRoots {
    /// Cosines.
    pub re: [u64; LEN],
    /// Sines.
    pub im: [u64; LEN],
}

/// Roots rounded to multiples of `2^-32`, and multiplied by `2^32`. The tables for the real and the
/// imaginary parts are separate, because some programs link only the table for the real parts.
pub struct FixedRoots {
    /// Cosines.
    pub re: &'static [i64; LEN],
    /// Sines.
    pub im: &'static [i64; LEN],
}

/// The table for binary64.
pub static ROOTS: ComplexRoots = {
    let mut t = ComplexRoots { re: [0; LEN], im: [0; LEN] };
    let mut k = 1;
    while k < LEN {
        let j = angle(k);
        t.re[k] = to_binary64(cosine(j));
        t.im[k] = to_binary64(sine(j));
        k += 1;
    }
    t
};

/// The tables for 32.32 fixed point.
pub const FIXED_ROOTS: FixedRoots = {
    static COSINES: [i64; LEN] = fixed_roots(ComplexPart::Real);
    static SINES: [i64; LEN] = fixed_roots(ComplexPart::Imaginary);
    FixedRoots { re: &COSINES, im: &SINES }
};

/// True if [`sine_of`] computes the 32.32 fixed-point sines from the cosines. In this case, the
/// program does not contain the sine table.
pub const HAS_NO_SINES: bool = SMALL && SHORT_REGISTERS;

/// Returns the imaginary part for root `i` in a layer, which consists of all roots `w_l(p)` for the
/// same `l`. `re` contains the layer's real parts.
///
/// The angles are `pi (4i + 1) / (4 len)`, and `sin x = cos(x - pi/2) = -cos(x + pi/2)`. So the
/// sine is, except for its sign, the cosine of the entry that is half a layer away.
#[inline(always)]
pub fn sine_of(re: &[i64], i: usize) -> i64 {
    let half = re.len() / 2;
    let x = re[i ^ half];
    if i < half { -x } else { x }
}

/// The real or the imaginary part of complex numbers.
#[derive(Clone, Copy)]
enum ComplexPart {
    Real,
    Imaginary,
}

/// Computes a table for [`FixedRoots`].
const fn fixed_roots(part: ComplexPart) -> [i64; LEN] {
    let mut t = [0; LEN];
    let mut k = 1;
    while k < LEN {
        let j = angle(k);
        t[k] = to_fixed(match part {
            ComplexPart::Real => cosine(j),
            ComplexPart::Imaginary => sine(j),
        });
        k += 1;
    }
    t
}

/// Returns the angle for entry `k`, in units of `pi / 1024`.
const fn angle(k: usize) -> usize {
    let level = k.ilog2() + 2;
    let p = k - (1 << (level - 2));
    (4 * p + 1) << (10 - level)
}

/// A number with a magnitude below 1: the sign, and the magnitude times `2^127`.
#[derive(Clone, Copy)]
struct Fraction {
    minus: bool,
    magnitude: u128,
}

/// `floor(pi 2^125)`; the digits of pi in base 16 are 3.243F6A88 85A308D3 13198A2E 03707344 A4...
const PI_2_125: u128 = 0x6487_ED51_10B4_611A_6263_3145_C06E_0E68;

/// Returns the high half of a 256-bit product: `floor(a b / 2^128)`.
const fn mul_high(a: u128, b: u128) -> u128 {
    let mask = u64::MAX as u128;
    let [a1, a0] = [a >> 64, a & mask];
    let [b1, b0] = [b >> 64, b & mask];
    let m1 = a1 * b0;
    let m2 = a0 * b1;
    let low = ((a0 * b0) >> 64) + (m1 & mask) + (m2 & mask);
    a1 * b1 + (m1 >> 64) + (m2 >> 64) + (low >> 64)
}

/// Returns the sine (`first = 1`) or the cosine (`first = 0`) of `j pi / 1024`, times `2^127`.
/// Range: `0 < j <= 256`.
const fn series(j: usize, first: u128) -> u128 {
    // x is in [0, 1), with 127 fraction bits.
    let x = (PI_2_125 >> 8) * j as u128;
    let square = mul_high(x, x) << 1;
    let one = 1u128 << 127;
    let mut term = if first == 1 { x } else { one };
    let mut sum = term;
    let mut k = first;
    let mut add = false;
    while term != 0 {
        term = (mul_high(term, square) << 1) / ((k + 1) * (k + 2));
        sum = if add { sum + term } else { sum - term };
        add = !add;
        k += 2;
    }
    sum
}

/// Returns `cos(j pi / 1024)`. Range: `0 < j < 1024`, `j != 512`.
const fn cosine(j: usize) -> Fraction {
    let minus = j > 512;
    let j = if minus { 1024 - j } else { j };
    let magnitude = if j <= 256 { series(j, 0) } else { series(512 - j, 1) };
    Fraction { minus, magnitude }
}

/// Returns `sin(j pi / 1024)`. Range: `0 < j < 1024`, `j != 512`.
const fn sine(j: usize) -> Fraction {
    cosine(j.abs_diff(512)).abs()
}

impl Fraction {
    /// Returns the magnitude, with a positive sign.
    const fn abs(self) -> Self {
        Self { minus: false, magnitude: self.magnitude }
    }
}

/// Rounds to the nearest binary64 number and returns the bits. There are no ties.
const fn to_binary64(x: Fraction) -> u64 {
    let top_bit = 127 - x.magnitude.leading_zeros();
    let shift = top_bit - 52;
    let high_bits = (x.magnitude >> shift) as u64;
    let round_up = (x.magnitude >> (shift - 1)) as u64 & 1;
    let exponent = (1023 + top_bit - 127) as u64;
    ((x.minus as u64) << 63) | (((exponent - 1) << 52) + high_bits + round_up)
}

/// Rounds to the nearest multiple of `2^-32`, and returns the multiple. There are no ties.
const fn to_fixed(x: Fraction) -> i64 {
    // The first shift leaves 33 fraction bits. Adding 1 before the second shift rounds to nearest.
    let magnitude = ((x.magnitude >> 94) + 1) as i64 >> 1;
    if x.minus { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// Returns entry `k` in the published order: `exp(i pi rev10(k) / 1024)`.
    fn published(k: usize) -> (i64, i64) {
        match k {
            0 => (1 << 32, 0),
            1 => (0, 1 << 32),
            _ => {
                let rev = ((k as u32).reverse_bits() >> 22) as usize;
                (to_fixed(cosine(rev)), to_fixed(sine(rev)))
            }
        }
    }

    #[test]
    fn the_table_contains_the_first_half_of_each_published_block() {
        for level in 2..=10u32 {
            let m = 1usize << (level - 1);
            for i in 0..m / 2 {
                // `i` has `level - 2` bits. The separate shift by 1 keeps the other shift below 64.
                let p = (i as u64).reverse_bits() >> 1 >> (63 - (level - 2));
                let e = m / 2 + p as usize;
                assert_eq!((FIXED_ROOTS.re[e], FIXED_ROOTS.im[e]), published(m + i));
            }
        }
    }

    /// The digest comes from the table in the specification (section 2.1).
    #[test]
    fn fixed_point_roots_equal_the_published_roots() {
        let mut h = Sha256::new();
        for k in 0..1024 {
            let (re, im) = published(k);
            h.update(re.to_le_bytes());
            h.update(im.to_le_bytes());
        }
        let hex: String = h.finalize().iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(hex, "e0746da83816f05bd5a3bbe0867bba11ee2bab9cd781780ce4d205d6c51b03d9");
    }

    #[test]
    fn sines_are_cosines_of_the_same_layer() {
        for layer in 0..9 {
            let len = 1 << layer;
            for i in 0..len {
                assert_eq!(sine_of(&FIXED_ROOTS.re[len..2 * len], i), FIXED_ROOTS.im[len + i], "{len} {i}");
            }
        }
    }

    #[test]
    fn binary64_roots_are_within_one_rounding_of_libm() {
        for k in 1..LEN {
            let x = std::f64::consts::PI * angle(k) as f64 / 1024.0;
            assert!((f64::from_bits(ROOTS.re[k]) - x.cos()).abs() < 4e-16, "{k}");
            assert!((f64::from_bits(ROOTS.im[k]) - x.sin()).abs() < 4e-16, "{k}");
        }
    }
}
