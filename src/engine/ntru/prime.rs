//! Arithmetic and the NTT modulo primes just below `2^31`.
//!
//! The primes are the largest below `2^31` that are 1 modulo 2048, so each has a primitive 2048th
//! root of 1. Products are Montgomery's with `R = 2^32`. Integers of several words are handled
//! modulo a few of these primes at large degrees (`rns`); at small degrees schoolbook products of
//! 62-bit limbs are faster (`limbs`), which is why six primes do.
//!
//! | value | range |
//! |---|---|
//! | residues, everywhere | `[0, p)` |
//! | twiddle factors | `[0, p)`, times `R` |
//!
//! Order of the transform: as in `modq`, entry `k` is the value at `root^((1024/n)(2 rev(k) + 1))`.
//! So entries `2k` and `2k + 1` belong to a root and its negative, and entries `k` and `n - 1 - k`
//! to a root and its inverse.
//!
//! Residues are secret; time depends on lengths alone.

use crate::simd::Simd;

/// How many primes there are.
pub const COUNT: usize = 6;

/// A modulus and what goes with it; `R = 2^32`.
pub struct Prime {
    /// The prime.
    pub p: u32,
    /// `-1/p mod R`.
    p0i: u32,
    /// `R^2 mod p`: multiplication by it puts a residue into Montgomery form.
    pub r2: u32,
    /// `root^(2^i)` times `R`, for a primitive 2048th root of 1.
    powers: [u32; 11],
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

/// Miller's test to the bases 2, 3, 5 and 7, which is a proof below `3.2e9`.
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

impl Prime {
    const fn new(p: u32, before: &[u32; COUNT], index: usize) -> Self {
        let mut inverse = 1u32;
        let mut i = 0;
        while i < 5 {
            inverse = inverse.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(inverse)));
            i += 1;
        }
        let r = (1u64 << 32) % p as u64;
        let r = r as u32;
        // The smallest quadratic non-residue makes the root.
        let mut x = 2;
        while pow_mod(x, (p - 1) / 2, p) == 1 {
            x += 1;
        }
        let mut powers = [0; 11];
        let mut power = mul_mod(pow_mod(x, (p - 1) / 2048, p), r, p);
        let un_r = pow_mod(r, p - 2, p);
        let mut i = 0;
        while i < 11 {
            powers[i] = power;
            power = mul_mod(mul_mod(power, power, p), un_r, p);
            i += 1;
        }
        let mut inverses = [0; COUNT];
        let mut i = 0;
        while i < index {
            inverses[i] = mul_mod(pow_mod(before[i] % p, p - 2, p), r, p);
            i += 1;
        }
        Self {
            p,
            p0i: inverse.wrapping_neg(),
            r2: mul_mod(r, r, p),
            powers,
            two31: mul_mod(pow_mod(2, 31, p), r, p),
            two62: mul_mod(pow_mod(2, 62, p), r, p),
            two61: pow_mod(2, 61, p),
            inverses,
        }
    }

    /// `a b / R mod p`. Range: `a b < 2^32 p`; then the result is in `[0, p)`.
    #[inline(always)]
    pub fn mul(&self, a: u32, b: u32) -> u32 {
        let z = u64::from(a) * u64::from(b);
        let w = (z as u32).wrapping_mul(self.p0i);
        self.below((z.wrapping_add(u64::from(w) * u64::from(self.p)) >> 32) as u32)
    }

    /// `x` or `x - p`. Range: `x < 2p`.
    #[inline(always)]
    pub fn below(&self, x: u32) -> u32 {
        let d = x.wrapping_sub(self.p);
        d.wrapping_add(self.p & ((d as i32) >> 31) as u32)
    }

    /// `a + b mod p`.
    #[inline(always)]
    pub fn add(&self, a: u32, b: u32) -> u32 {
        self.below(a.wrapping_add(b))
    }

    /// `a - b mod p`.
    #[inline(always)]
    pub fn sub(&self, a: u32, b: u32) -> u32 {
        let d = a.wrapping_sub(b);
        d.wrapping_add(self.p & ((d as i32) >> 31) as u32)
    }

    /// `x mod p`. Range: `|x| < p`.
    #[inline(always)]
    pub fn residue_of_small(&self, x: i32) -> u32 {
        (x as u32).wrapping_add(self.p & (x >> 31) as u32)
    }

    /// `x mod p` for any `x`.
    #[inline(always)]
    pub fn residue(&self, x: i32) -> u32 {
        // x + p is in [p - 2^31, p + 2^31), so one more p and it is below 2^32 and positive.
        let minus = self.p & (x >> 31) as u32;
        let x = (x as u32).wrapping_add(minus);
        // -2^31 + p is still negative, by 2^31 - p.
        self.below(x.wrapping_add(self.p & ((x as i32) >> 31) as u32))
    }

    /// The representative of `x` in `[-p/2, p/2]`.
    #[inline(always)]
    pub fn centered(&self, x: u32) -> i32 {
        let over = ((self.p >> 1).wrapping_sub(x) as i32 >> 31) as u32;
        x.wrapping_sub(self.p & over) as i32
    }

    /// `R^2 / x mod p`: the inverse in Montgomery form of `x` in Montgomery form. Zero gives zero.
    #[inline(always)]
    pub fn invert<const N: usize>(&self, x: [u32; N]) -> [u32; N] {
        let e = self.p - 2;
        let mut r = x;
        // The top bit of e is bit 30.
        for bit in (0..30).rev() {
            r = r.map(|r| self.mul(r, r));
            if e >> bit & 1 == 1 {
                r = core::array::from_fn(|i| self.mul(r[i], x[i]));
            }
        }
        r
    }
}

/// Words of the longest product of [`product_limit`].
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

/// The largest magnitude of an integer of `words` words in the reference, times `2^(62 - 31 words)`.
pub fn product_limit(words: usize) -> u64 {
    HALF_PRODUCTS[words]
}

/// The moduli, largest first.
pub static PRIMES: [Prime; COUNT] = {
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
    [
        Prime::new(p[0], &p, 0),
        Prime::new(p[1], &p, 1),
        Prime::new(p[2], &p, 2),
        Prime::new(p[3], &p, 3),
        Prime::new(p[4], &p, 4),
        Prime::new(p[5], &p, 5),
    ]
};

/// Fills `table` with the twiddle factors of all degrees up to its length: entry `k` is
/// `root^rev10(k)`.
#[inline(never)]
pub fn twiddles_into<S: Simd>(isa: S, prime: &Prime, table: &mut [u32]) {
    isa.enter(
        #[inline(always)]
        || {
            table[0] = prime.mul(1, prime.r2);
            let mut m = 1;
            let mut e = 9;
            while m < table.len() {
                let (done, next) = table.split_at_mut(m);
                let w = prime.powers[e];
                for (x, y) in done.iter().zip(next) {
                    *y = prime.mul(*x, w);
                }
                m *= 2;
                e = e.saturating_sub(1);
            }
        },
    );
}

/// Natural order to the order of the module's head, in place. `table` is from [`twiddles_into`] and
/// at least as long as `a`.
#[inline(never)]
pub fn ntt<S: Simd>(isa: S, prime: &Prime, table: &[u32], a: &mut [u32]) {
    isa.enter(
        #[inline(always)]
        || {
            let mut blocks = 1;
            while blocks < a.len() {
                let half = a.len() / blocks / 2;
                for (block, &w) in a.chunks_exact_mut(2 * half).zip(&table[blocks..]) {
                    let (x, y) = block.split_at_mut(half);
                    for (x, y) in x.iter_mut().zip(y) {
                        let z = prime.mul(*y, w);
                        *y = prime.sub(*x, z);
                        *x = prime.add(*x, z);
                    }
                }
                blocks *= 2;
            }
        },
    );
}

/// The inverse of [`ntt`], in place.
#[inline(never)]
pub fn intt<S: Simd>(isa: S, prime: &Prime, table: &[u32], a: &mut [u32]) {
    isa.enter(
        #[inline(always)]
        || {
            let mut blocks = a.len() / 2;
            while blocks > 0 {
                let half = a.len() / blocks / 2;
                // The inverse of entry m + i is minus entry 2m - 1 - i.
                for (block, &w) in a.chunks_exact_mut(2 * half).zip(table[blocks..2 * blocks].iter().rev()) {
                    let (x, y) = block.split_at_mut(half);
                    for (x, y) in x.iter_mut().zip(y) {
                        let d = prime.sub(*y, *x);
                        *x = prime.add(*x, *y);
                        *y = prime.mul(d, w);
                    }
                }
                blocks /= 2;
            }
            // R/n: n divides p - 1, and -(p - 1)/n is its inverse.
            let n_inv = prime.p - (prime.p - 1) / a.len() as u32;
            let scale = prime.mul(n_inv, prime.r2);
            for x in a {
                *x = prime.mul(*x, scale);
            }
        },
    );
}

/// `a[i] = a[i] b[i]`.
#[inline(never)]
pub fn mul_into<S: Simd>(isa: S, prime: &Prime, a: &mut [u32], b: &[u32]) {
    isa.enter(
        #[inline(always)]
        || {
            for (x, y) in a.iter_mut().zip(b) {
                *x = prime.mul(prime.mul(*x, *y), prime.r2);
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Emulated;

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
            assert_eq!(u64::from(prime.powers[10]), p - r, "the root has order 2048");
            for w in prime.powers.windows(2) {
                assert_eq!(prime.mul(w[0], w[0]), w[1]);
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

    #[test]
    fn product_of_transforms_is_the_negacyclic_product() {
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed
        };
        for prime in &PRIMES {
            let p = i128::from(prime.p);
            let mut table = vec![0; 1024];
            twiddles_into(Emulated, prime, &mut table);
            for logn in 1..=10 {
                let n = 1usize << logn;
                let a: Vec<u32> = (0..n).map(|_| next() % prime.p).collect();
                let b: Vec<u32> = (0..n).map(|_| next() % prime.p).collect();
                let (mut x, mut y) = (a.clone(), b.clone());
                ntt(Emulated, prime, &table, &mut x);
                let mut back = x.clone();
                intt(Emulated, prime, &table, &mut back);
                assert_eq!(back, a);
                ntt(Emulated, prime, &table, &mut y);
                mul_into(Emulated, prime, &mut x, &y);
                intt(Emulated, prime, &table, &mut x);
                for k in [0, 1, n / 2, n - 1] {
                    let mut want = 0i128;
                    for i in 0..n {
                        let j = (n + k - i) % n;
                        let sign = if i + j < n { 1 } else { -1 };
                        want += sign * i128::from(a[i]) * i128::from(b[j]);
                    }
                    assert_eq!(i128::from(x[k]), want.rem_euclid(p));
                }
            }
        }
    }
}
