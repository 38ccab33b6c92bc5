//! Arithmetic modulo a prime below `2^31`, and the prime of ML-DSA.
//!
//! Products are Montgomery products, with `R = 2^32`.
//!
//! | value | range |
//! |---|---|
//! | residues | `[0, p)` |
//! | twiddle factors | `[0, p)`, times `R` |
//!
//! Residues are secret. The time depends only on lengths.

use crate::simd::ct::mask_negative;
use crate::simd::{below, montgomery, sub_mod};

/// A prime modulus and the constants for it, with `R = 2^32`.
pub struct Prime {
    /// The prime.
    pub p: u32,
    /// `-1/p mod R`.
    pub p0i: u32,
    /// 1 in Montgomery form, `R mod p`.
    pub one: u32,
    /// `R^2 mod p`. A Montgomery product with this constant converts a residue to Montgomery form.
    pub r2: u32,
    /// The twiddle factors (powers of a root) for all degrees up to the length of this table: see
    /// [`twiddles`].
    pub twiddles: &'static [u32],
}

/// Returns `a b mod p`. This function is for constants.
pub const fn mul_mod(a: u32, b: u32, p: u32) -> u32 {
    (a as u64 * b as u64 % p as u64) as u32
}

/// Returns `b^e mod p`. This function is for constants.
pub const fn pow_mod(mut b: u32, mut e: u32, p: u32) -> u32 {
    let mut r = 1;
    while e != 0 {
        if e & 1 == 1 {
            r = mul_mod(r, b, p);
        }
        b = mul_mod(b, b, p);
        e >>= 1;
    }
    r
}

/// Returns `-1/p mod 2^32`.
const fn minus_inverse(p: u32) -> u32 {
    let mut inverse = 1u32;
    let mut i = 0;
    while i < 5 {
        inverse = inverse.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(inverse)));
        i += 1;
    }
    inverse.wrapping_neg()
}

/// Computes [`Prime::twiddles`] for degrees up to N. Entry `k` is `root^rev(k)` times `R` (`2^32`),
/// where `rev` reverses the low `log2(order) - 1` bits in `k`. `order`, the order of the root, must
/// be a power of two and at least `2 N`.
pub const fn twiddles<const N: usize>(p: u32, root: u32, order: u32) -> [u32; N] {
    let mut table = [((1u64 << 32) % p as u64) as u32; N];
    let mut m = 1;
    let mut e = order / 4;
    while m < N {
        let w = pow_mod(root, e, p);
        let mut i = 0;
        while i < m {
            table[m + i] = mul_mod(table[i], w, p);
            i += 1;
        }
        m *= 2;
        e /= 2;
    }
    table
}

impl Prime {
    /// Computes the constants for an odd prime `p` below `2^31`. `twiddles` must be a result of the
    /// function [`twiddles`] for this prime.
    pub const fn new(p: u32, twiddles: &'static [u32]) -> Self {
        let one = ((1u64 << 32) % p as u64) as u32;
        Self { p, p0i: minus_inverse(p), one, r2: mul_mod(one, one, p), twiddles }
    }

    /// Returns `a b / R mod p`, in `[0, p)`. Requires `a b < 2^32 p`.
    #[inline(always)]
    pub fn mul(&self, a: u32, b: u32) -> u32 {
        montgomery(a, b, self.p, self.p0i)
    }

    /// Returns `x mod p`: `x` or `x - p`. Requires `x < 2p`.
    #[inline(always)]
    pub fn below(&self, x: u32) -> u32 {
        below(x, self.p)
    }

    /// Returns `a + b mod p`.
    #[inline(always)]
    pub fn add(&self, a: u32, b: u32) -> u32 {
        self.below(a.wrapping_add(b))
    }

    /// Returns `a - b mod p`.
    #[inline(always)]
    pub fn sub(&self, a: u32, b: u32) -> u32 {
        sub_mod(a, b, self.p)
    }

    /// Returns `x mod p`. Requires `|x| < p`.
    #[inline(always)]
    pub fn residue_of_small(&self, x: i32) -> u32 {
        (x as u32).wrapping_add(self.p & mask_negative(x))
    }

    /// Returns the number in `[-p/2, p/2]` that is congruent to `x` modulo p. Requires `x < p`.
    #[inline(always)]
    pub fn centered(&self, x: u32) -> i32 {
        let over_mask = mask_negative((self.p >> 1).wrapping_sub(x) as i32);
        x.wrapping_sub(self.p & over_mask) as i32
    }

    /// Asserts that all constants satisfy the equations that define them.
    #[cfg(test)]
    pub fn check(&self) {
        let p = u64::from(self.p);
        let r = (1u64 << 32) % p;
        assert_eq!(self.p.wrapping_mul(self.p0i), u32::MAX);
        assert_eq!(u64::from(self.one), r);
        assert_eq!(u64::from(self.r2), r * r % p);
        assert_eq!(u64::from(self.twiddles[0]), r);
        assert_eq!(u64::from(self.mul(self.twiddles[1], self.twiddles[1])), p - r, "a root of -1");
        for k in 1..self.twiddles.len() / 2 {
            let (w, v) = (self.twiddles[2 * k], self.twiddles[2 * k + 1]);
            assert_eq!(self.mul(w, w), self.twiddles[k]);
            assert_eq!(v, self.mul(w, self.twiddles[1]));
        }
        assert_eq!(self.centered(self.p - 3), -3);
        assert_eq!(u64::from(self.centered(self.p / 2).cast_unsigned()), p / 2);
    }
}

/// The degree for polynomials in ML-DSA.
const ML_DSA_DEGREE: usize = 256;
/// The modulus in ML-DSA, `2^23 - 2^13 + 1` (FIPS 204, section 2.3).
const ML_DSA_Q: u32 = 8_380_417;
static ML_DSA_TWIDDLES: [u32; ML_DSA_DEGREE] = twiddles(ML_DSA_Q, 1753, 2 * ML_DSA_DEGREE as u32);

/// The modulus in ML-DSA. The transform's root must be 1753, as in the standard, because the
/// standard samples the polynomials in the matrix A as transforms. With any other root, the samples
/// would be the transforms of other polynomials. The twiddle factors are the zetas in FIPS 204,
/// appendix B, in the appendix's order, times `R`.
pub static ML_DSA: Prime = Prime::new(ML_DSA_Q, &ML_DSA_TWIDDLES);

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// Compares the zetas with FIPS 204, appendix B: the first and the last zetas, and the digest
    /// of all zetas as little-endian 32-bit words.
    #[test]
    fn zetas_equal_those_of_the_standard() {
        ML_DSA.check();
        let zetas: Vec<u32> = ML_DSA.twiddles.iter().map(|w| ML_DSA.mul(*w, 1)).collect();
        assert_eq!(zetas[..4], [1, 4_808_194, 3_765_607, 3_761_513]);
        assert_eq!(zetas[255], 7_648_983);
        let bytes: Vec<u8> = zetas.iter().flat_map(|w| w.to_le_bytes()).collect();
        let digest: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(digest, "efcdc8f0bdd56cabeb4ef5f280189d94c2ea3b424a3fecce71e145b1ed20f9ee");
    }
}
