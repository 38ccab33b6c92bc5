//! The moduli for integers in key generation: primes just below `2^31`.
//!
//! The moduli are the largest primes below `2^31` that are 1 modulo 2048. So modulo each of these
//! primes, there is a primitive 2048th root of 1. At large degrees, integers with several words are
//! computed modulo some primes (`rns`). At small degrees, the integers are long, but schoolbook
//! products with 62-bit limbs are faster there (`limbs`). So a short table of primes is enough.
//!
//! Residues are secret. The time depends only on lengths.

use crate::engine::primes::prime::{Prime, mul_mod, pow_mod, twiddles};
use crate::simd::ct::mask_negative;

/// The number of primes.
pub const COUNT: usize = 11;
/// The order of the roots of 1: twice the largest degree.
const ORDER: u32 = 2048;

/// A prime, and the constants to convert integers to residues and back. `R = 2^32`.
pub struct Modulus {
    /// The prime p.
    pub prime: Prime,
    /// `2^31 R mod p`.
    pub two31: u32,
    /// `2^62 R mod p`.
    pub two62: u32,
    /// `2^61 mod p`.
    pub two61: u32,
    /// `R / p_j mod p` for each prime p_j before p in the table.
    pub inverses: [u32; COUNT],
}

/// Returns whether `p` is prime, by Miller's test to the bases 2, 3, 5 and 7. For numbers below
/// `3.2e9`, this test is a proof.
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

/// Computes [`Prime::twiddles`] for `p`.
const fn twiddles_of<const N: usize>(p: u32) -> [u32; N] {
    // `x` is the smallest quadratic non-residue. So `x^((p - 1) / ORDER)` has the order ORDER, as
    // the transform's root must have.
    let mut x = 2;
    while pow_mod(x, (p - 1) / 2, p) == 1 {
        x += 1;
    }
    twiddles(p, pow_mod(x, (p - 1) / ORDER, p), ORDER)
}

impl Modulus {
    /// Returns the modulus for the prime with this index in [`PRIMES`].
    const fn new(index: usize, twiddles: &'static [u32]) -> Self {
        let p = PRIMES[index];
        let prime = Prime::new(p, twiddles);
        let mut inverses = [0; COUNT];
        let mut i = 0;
        while i < index {
            inverses[i] = mul_mod(pow_mod(PRIMES[i] % p, p - 2, p), prime.one, p);
            i += 1;
        }
        Self {
            two31: mul_mod(pow_mod(2, 31, p), prime.one, p),
            two62: mul_mod(pow_mod(2, 62, p), prime.one, p),
            two61: pow_mod(2, 61, p),
            inverses,
            prime,
        }
    }

    /// Returns `x mod p` for any `x`.
    #[inline(always)]
    pub fn residue(&self, x: i32) -> u32 {
        // If x is negative, `x + p` is in `[p - 2^31, p)`.
        let minus = self.prime.p & mask_negative(x);
        let x = (x as u32).wrapping_add(minus);
        // So `x` may still be negative, but is at least `p - 2^31`. Adding p again leads to a sum
        // that is not negative.
        self.prime.below(x.wrapping_add(self.prime.p & mask_negative(x as i32)))
    }

    /// Returns `R^2 / x mod p`. If `x` is in Montgomery form, the returned number is the inverse in
    /// Montgomery form. Returns zero for zero.
    #[inline(always)]
    pub fn invert<const N: usize>(&self, x: [u32; N]) -> [u32; N] {
        let mut r = x;
        // The exponent is p - 2. The start value x accounts for the exponent's top bit, which has
        // weight 2^30. The loop tests each remaining bit as the sign bit. Testing the sign sets all
        // processor flags. The x86 instruction `bt` would keep the zero flag from an earlier
        // instruction, which may have processed secrets. The branch would then seem to depend on
        // secrets.
        let mut exponent = (self.prime.p - 2) << 2;
        for _ in 0..30 {
            r = r.map(|r| self.prime.mul(r, r));
            if exponent.cast_signed() < 0 {
                r = core::array::from_fn(|i| self.prime.mul(r[i], x[i]));
            }
            exponent <<= 1;
        }
        r
    }
}

/// The number of words in the longest product for [`product_limits`].
const MAX_WORDS: usize = 308;

/// Entry `k` is `2^62 (P/2) / 2^(31 k)`, where P is the product of the `k` largest primes below
/// `2^31` that are 1 modulo 2048. The reference represents an integer with `k` words by its
/// residues modulo these primes. Therefore, the integer's magnitude must be below `P/2`.
#[allow(long_running_const_eval)]
const HALF_PRODUCTS: [u64; MAX_WORDS + 1] = {
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

/// Returns, for each number in `words`, the largest magnitude that an integer with this number of
/// words can have in the reference, times `2^(62 - 31 words)`.
pub const fn product_limits<const N: usize>(words: [usize; N]) -> [u64; N] {
    let mut limits = [0; N];
    let mut i = 0;
    while i < N {
        limits[i] = HALF_PRODUCTS[words[i]];
        i += 1;
    }
    limits
}

/// The primes, with the largest first.
pub const PRIMES: [u32; COUNT] = {
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

/// Twiddle factors for the first prime. This table is separate, because a program that loads keys
/// but does not make keys needs no other table.
static FIRST_TWIDDLES: [u32; DEGREES[0]] = twiddles_of(PRIMES[0]);

/// The first prime, which is also the prime in `MODULI[0]`.
pub static FIRST: Prime = Prime::new(PRIMES[0], &FIRST_TWIDDLES);

/// The largest degree at which each prime is used. Integers are shorter at larger degrees, so these
/// degrees use fewer primes.
const DEGREES: [usize; COUNT] = [1024, 512, 256, 128, 128, 128, 64, 64, 64, 64, 64];

/// Returns whether the primes can represent integers with `words` words, and have tables for the
/// transforms at degree `n`.
pub const fn has_moduli_for(n: usize, words: usize) -> bool {
    words <= COUNT && n <= DEGREES[words - 1]
}

/// The moduli with their constants and twiddle factors, with the largest first.
pub static MODULI: [Modulus; COUNT] = {
    // Makes the modulus with index `$index`, and the table with its twiddle factors.
    macro_rules! modulus {
        ($index:literal) => {{
            static TWIDDLES: [u32; DEGREES[$index]] = twiddles_of(PRIMES[$index]);
            Modulus::new($index, &TWIDDLES)
        }};
    }
    [
        Modulus::new(0, &FIRST_TWIDDLES),
        modulus!(1),
        modulus!(2),
        modulus!(3),
        modulus!(4),
        modulus!(5),
        modulus!(6),
        modulus!(7),
        modulus!(8),
        modulus!(9),
        modulus!(10),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::primes::tests::{PowerTransforms, ResidueRanges};
    use crate::engine::primes::transform::tests::NegacyclicProducts;
    use crate::simd::check::laws::on_every_level;
    use crate::simd::check::ranges::on_all_lanes;

    #[test]
    fn moduli_and_their_constants_are_correct() {
        let mut primes = Vec::new();
        let mut p = 2_147_473_409u64;
        while primes.len() < COUNT {
            if (3..50_000).step_by(2).all(|d| !p.is_multiple_of(d)) {
                primes.push(p);
            }
            p -= 2048;
        }
        for (i, (modulus, &p)) in MODULI.iter().zip(&primes).enumerate() {
            let prime = &modulus.prime;
            assert_eq!(u64::from(prime.p), p);
            let r = (1u64 << 32) % p;
            prime.check();
            assert_eq!(u64::from(modulus.two31), (1 << 31) * r % p);
            assert_eq!(u64::from(modulus.two62), (1 << 62) % p * r % p);
            assert_eq!(u64::from(modulus.two61), (1 << 61) % p);
            for j in 0..i {
                assert_eq!(prime.mul(modulus.inverses[j], MODULI[j].prime.p % prime.p), 1);
            }
            for x in [0, 1, -1, i32::MAX, i32::MIN, 12289, -prime.p.cast_signed(), prime.p.cast_signed()] {
                assert_eq!(i64::from(modulus.residue(x)), i64::from(x).rem_euclid(p as i64));
            }
            let x = prime.mul(12345, prime.r2);
            assert_eq!(prime.mul(prime.mul(modulus.invert([x])[0], 1), 12345), prime.mul(1, 1));
            assert_eq!(modulus.invert([0]), [0]);
        }
    }

    #[test]
    fn products_of_transforms_are_negacyclic_products() {
        MODULI.iter().for_each(|modulus| on_every_level(NegacyclicProducts(&modulus.prime)));
    }

    #[test]
    fn transforms_keep_the_ranges_of_residues() {
        MODULI.iter().for_each(|modulus| on_all_lanes(ResidueRanges(&modulus.prime)));
    }

    #[test]
    fn the_transform_of_each_power_is_correct() {
        MODULI.iter().for_each(|modulus| on_every_level(PowerTransforms(&modulus.prime)));
    }
}
