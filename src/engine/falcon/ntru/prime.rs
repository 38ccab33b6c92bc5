//! Arithmetic modulo primes just below `2^31`.
//!
//! The primes are the largest below `2^31` that are 1 modulo 2048, so each has a primitive 2048th root of 1. Products
//! are Montgomery's with `R = 2^32`. Integers of several words are handled modulo a few of these primes at large
//! degrees (`rns`); at small degrees schoolbook products of 62-bit limbs are faster (`limbs`), which is why so few
//! primes do.
//!
//! | value | range |
//! |---|---|
//! | residues, everywhere | `[0, p)` |
//! | twiddle factors | `[0, p)`, times `R` |
//!
//! Residues are secret; time depends on lengths alone.

use crate::simd::ct::mask_negative;
use crate::simd::{below, montgomery, sub_mod};

/// The number of primes.
pub const COUNT: usize = 11;
/// The number of primes that serve all degrees; the others serve degrees up to [`SHORT_DEGREE`].
const FULL: usize = 6;
const SHORT_DEGREE: usize = 64;

/// A modulus and the constants that go with it; `R = 2^32`.
pub struct Prime {
    /// The prime.
    pub p: u32,
    /// `-1/p mod R`.
    pub p0i: u32,
    /// 1 in Montgomery form, `R mod p`.
    pub one: u32,
    /// `R^2 mod p`: multiplication by it puts a residue into Montgomery form.
    pub r2: u32,
    /// Entry `k` is `root^rev10(k)` times `R`, for a primitive 2048th root of 1: the twiddle factors of all
    /// degrees up to the length.
    pub twiddles: &'static [u32],
    /// `2^31 R mod p`.
    pub two31: u32,
    /// `2^62 R mod p`.
    pub two62: u32,
    /// `2^61 mod p`.
    pub two61: u32,
    /// `R / p_j mod p` for the primes before this one.
    pub inverses: [u32; COUNT],
}

const fn mul_mod(a: u32, b: u32, p: u32) -> u32 {
    (a as u64 * b as u64 % p as u64) as u32
}

const fn pow_mod(mut b: u32, mut e: u32, p: u32) -> u32 {
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

/// Returns whether `p` is a prime, by Miller's test to the bases 2, 3, 5 and 7, which is a proof below `3.2e9`.
const fn is_prime(p: u32) -> bool {
    let odd = (p - 1) >> (p - 1).trailing_zeros();
    let bases = [2, 3, 5, 7];
    let mut i = 0;
    while i < bases.len() {
        let mut x = pow_mod(bases[i], odd, p);
        let mut e = odd;
        while e != (p - 1) / 2 && x != 1 && x != p - 1 {
            x = mul_mod(x, x, p);
            e *= 2;
        }
        if x != p - 1 && (e != odd || x != 1) {
            return false;
        }
        i += 1;
    }
    true
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

/// Computes the table [`Prime::twiddles`].
const fn twiddles<const N: usize>(p: u32) -> [u32; N] {
    let r = ((1u64 << 32) % p as u64) as u32;
    // The smallest quadratic non-residue makes the root.
    let mut x = 2;
    while pow_mod(x, (p - 1) / 2, p) == 1 {
        x += 1;
    }
    let root = pow_mod(x, (p - 1) / 2048, p);
    let mut table = [r; N];
    let mut m = 1;
    let mut e = 9;
    while m < N {
        let w = pow_mod(root, 1 << e, p);
        let mut i = 0;
        while i < m {
            table[m + i] = mul_mod(table[i], w, p);
            i += 1;
        }
        m *= 2;
        e -= 1;
    }
    table
}

impl Prime {
    const fn new(before: &[u32; COUNT], index: usize, twiddles: &'static [u32]) -> Self {
        let p = before[index];
        let r = ((1u64 << 32) % p as u64) as u32;
        let mut inverses = [0; COUNT];
        let mut i = 0;
        while i < index {
            inverses[i] = mul_mod(pow_mod(before[i] % p, p - 2, p), r, p);
            i += 1;
        }
        Self {
            p,
            p0i: minus_inverse(p),
            one: r,
            r2: mul_mod(r, r, p),
            twiddles,
            two31: mul_mod(pow_mod(2, 31, p), r, p),
            two62: mul_mod(pow_mod(2, 62, p), r, p),
            two61: pow_mod(2, 61, p),
            inverses,
        }
    }

    /// Returns `a b / R mod p`, in `[0, p)`. Range: `a b < 2^32 p`.
    #[inline(always)]
    pub fn mul(&self, a: u32, b: u32) -> u32 {
        montgomery(a, b, self.p, self.p0i)
    }

    /// Returns `x mod p`: `x` or `x - p`. Range: `x < 2p`.
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

    /// Returns `x mod p`. Range: `|x| < p`.
    #[inline(always)]
    pub fn residue_of_small(&self, x: i32) -> u32 {
        (x as u32).wrapping_add(self.p & mask_negative(x))
    }

    /// Returns `x mod p` for any `x`.
    #[inline(always)]
    pub fn residue(&self, x: i32) -> u32 {
        // For a negative x, `x + p` is in `[p - 2^31, p)`.
        let minus = self.p & mask_negative(x);
        let x = (x as u32).wrapping_add(minus);
        // It may still be negative, by at most `2^31 - p`.
        self.below(x.wrapping_add(self.p & mask_negative(x as i32)))
    }

    /// Returns the representative of `x` in `[-p/2, p/2]`.
    #[inline(always)]
    pub fn centered(&self, x: u32) -> i32 {
        let over = mask_negative((self.p >> 1).wrapping_sub(x) as i32);
        x.wrapping_sub(self.p & over) as i32
    }

    /// Returns `R^2 / x mod p`, the inverse in Montgomery form of `x` in Montgomery form. Zero gives zero.
    #[inline(always)]
    pub fn invert<const N: usize>(&self, x: [u32; N]) -> [u32; N] {
        let mut r = x;
        // The exponent is p - 2. Its top bit, of weight 2^30, is x itself; the next one stands where the sign is, which
        // is tested by an instruction that takes nothing over from secret ones before it, as `bt` does by the flag of
        // zero.
        let mut exponent = (self.p - 2) << 2;
        for _ in 0..30 {
            r = r.map(|r| self.mul(r, r));
            if exponent.cast_signed() < 0 {
                r = core::array::from_fn(|i| self.mul(r[i], x[i]));
            }
            exponent <<= 1;
        }
        r
    }
}

/// The words of the longest product of [`product_limit`].
const MAX_WORDS: usize = 308;

/// Entry `k`: half the product of the `k` largest primes below `2^31` that are 1 modulo 2048, as a
/// fraction of `2^(31 k)` and scaled by `2^62`. The reference's integers of `k` words are what
/// residues modulo these primes can tell apart.
#[allow(long_running_const_eval)]
static HALF_PRODUCTS: [u64; MAX_WORDS + 1] = {
    let mut t = [1 << 61; MAX_WORDS + 1];
    let mut candidate = (1u32 << 31) - 2047;
    let mut k = 1;
    while k <= MAX_WORDS {
        if is_prime(candidate) {
            t[k] = ((t[k - 1] as u128 * candidate as u128) >> 31) as u64;
            k += 1;
        }
        candidate -= 2048;
    }
    t
};

/// Returns the largest magnitude of an integer of `words` words in the reference, times `2^(62 - 31 words)`.
pub fn product_limit(words: usize) -> u64 {
    HALF_PRODUCTS[words]
}

/// The moduli, largest first.
const MODULI: [u32; COUNT] = {
    let mut p = [0; COUNT];
    let mut candidate = (1u32 << 31) - 2047;
    let mut i = 0;
    while i < COUNT {
        if is_prime(candidate) {
            p[i] = candidate;
            i += 1;
        }
        candidate -= 2048;
    }
    p
};

/// Twiddle factors of all degrees.
static TWIDDLES: [[u32; 1024]; FULL] = {
    let mut tables = [[0; 1024]; FULL];
    let mut i = 0;
    while i < FULL {
        tables[i] = twiddles(MODULI[i]);
        i += 1;
    }
    tables
};

/// Twiddle factors of degrees up to [`SHORT_DEGREE`].
static SHORT_TWIDDLES: [[u32; SHORT_DEGREE]; COUNT - FULL] = {
    let mut tables = [[0; SHORT_DEGREE]; COUNT - FULL];
    let mut i = FULL;
    while i < COUNT {
        tables[i - FULL] = twiddles(MODULI[i]);
        i += 1;
    }
    tables
};

/// The moduli and their constants, largest first.
pub static PRIMES: [Prime; COUNT] = [
    Prime::new(&MODULI, 0, &TWIDDLES[0]),
    Prime::new(&MODULI, 1, &TWIDDLES[1]),
    Prime::new(&MODULI, 2, &TWIDDLES[2]),
    Prime::new(&MODULI, 3, &TWIDDLES[3]),
    Prime::new(&MODULI, 4, &TWIDDLES[4]),
    Prime::new(&MODULI, 5, &TWIDDLES[5]),
    Prime::new(&MODULI, 6, &SHORT_TWIDDLES[0]),
    Prime::new(&MODULI, 7, &SHORT_TWIDDLES[1]),
    Prime::new(&MODULI, 8, &SHORT_TWIDDLES[2]),
    Prime::new(&MODULI, 9, &SHORT_TWIDDLES[3]),
    Prime::new(&MODULI, 10, &SHORT_TWIDDLES[4]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moduli_and_their_constants() {
        let mut found = Vec::new();
        let mut p = 2_147_473_409u64;
        while found.len() < COUNT {
            if (3..50_000).step_by(2).all(|d| !p.is_multiple_of(d)) {
                found.push(p);
            }
            p -= 2048;
        }
        for (i, (prime, &p)) in PRIMES.iter().zip(&found).enumerate() {
            assert_eq!(u64::from(prime.p), p);
            let r = (1u64 << 32) % p;
            assert_eq!(prime.p.wrapping_mul(prime.p0i), u32::MAX);
            assert_eq!(u64::from(prime.r2), r * r % p);
            assert_eq!(u64::from(prime.two31), (1 << 31) * r % p);
            assert_eq!(u64::from(prime.two62), (1 << 62) % p * r % p);
            assert_eq!(u64::from(prime.two61), (1 << 61) % p);
            assert_eq!(u64::from(prime.twiddles[0]), r);
            assert_eq!(u64::from(prime.mul(prime.twiddles[1], prime.twiddles[1])), p - r, "a root of -1");
            for k in 1..prime.twiddles.len() / 2 {
                let (w, v) = (prime.twiddles[2 * k], prime.twiddles[2 * k + 1]);
                assert_eq!(prime.mul(w, w), prime.twiddles[k]);
                assert_eq!(v, prime.mul(w, prime.twiddles[1]));
            }
            for j in 0..i {
                assert_eq!(prime.mul(prime.inverses[j], PRIMES[j].p % prime.p), 1);
            }
            for x in [0, 1, -1, i32::MAX, i32::MIN, 12289, -prime.p.cast_signed(), prime.p.cast_signed()] {
                assert_eq!(i64::from(prime.residue(x)), i64::from(x).rem_euclid(p as i64));
            }
            assert_eq!(prime.centered(prime.p - 3), -3);
            assert_eq!(prime.centered(prime.p / 2), (p / 2) as i32);
            let x = prime.mul(12345, prime.r2);
            assert_eq!(prime.mul(prime.mul(prime.invert([x])[0], 1), 12345), prime.mul(1, 1));
            assert_eq!(prime.invert([0]), [0]);
        }
    }
}
