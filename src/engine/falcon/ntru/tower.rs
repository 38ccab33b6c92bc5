//! Goes up and down the tower of rings: relative norms of f and g, and the lift of F.
//!
//! At depth `d` the ring is `Z[X]/(X^(n/2^d) + 1)`. Down: `f_(d+1)(X^2) = f_d(X) f_d(-X)`. Up:
//! `F_d = F_(d+1)(X^2) g_d(-X)`. Both are exact; the lengths of a [`Ring`] hold all values that occur.
//!
//! At large degrees ([`in_rns`]) products go through NTTs modulo a few primes; below, schoolbook products of 62-bit
//! limbs win by far, because at the deep levels the numbers are long and the degrees small. (These products are a tenth
//! of key generation at degree 1024, by `perf record` on avx2. At depth 9 a coefficient takes 5,400 products of limbs;
//! modulo 308 primes it would take more than 100,000 products of 31 bits, most of them to get there and back, so
//! neither a product tree nor primes in lanes can pay.)
//!
//! Polynomials are secret; degrees and depths are not.

use super::limbs::limbs;
use super::moduli::{COUNT, MODULI, Modulus, product_limits, serve};
use super::products::{Terms, Weight};
use super::rns::{Rebuild, residues_into};
use crate::engine::falcon::params::MAX_LOGN;
use crate::engine::primes::transform::{fold_into, intt, ntt, unfold_into};
use crate::simd::{Simd, frame, recast};

/// The 31-bit words of a coefficient of f and g at each depth, and of reduced F.
const SMALL: [usize; 11] = [1, 1, 2, 3, 4, 8, 14, 27, 53, 104, 207];
/// The 31-bit words of a coefficient of F at each depth, before it is reduced.
const LARGE: [usize; 10] = [1, 2, 3, 6, 11, 21, 40, 78, 155, 308];
/// What integers of those lengths may be: [`product_limits`].
static SMALL_LIMITS: [u64; 11] = product_limits(SMALL);
static LARGE_LIMITS: [u64; 10] = product_limits(LARGE);
/// The smallest degree at which products go through NTTs.
const RNS_DEGREE: usize = 32;

/// Returns whether products of degree `n` and `words` words go through NTTs.
pub const fn in_rns(n: usize, words: usize) -> bool {
    n >= RNS_DEGREE && words <= COUNT
}

/// The moduli serve what goes through NTTs: a norm, a lift, a product of f and k.
const _: () = {
    let top = Ring { logn: MAX_LOGN, depth: 0 };
    assert!(serve(top.degree(), top.below().small_words()));
    let mut depth = 1;
    while depth < MAX_LOGN {
        let ring = Ring { logn: MAX_LOGN, depth };
        let n = ring.degree();
        let lengths = [ring.below().small_words(), ring.large_words(), ring.product_words()];
        let mut i = 0;
        while i < lengths.len() {
            assert!(!in_rns(n, lengths[i]) || serve(n, lengths[i]));
            i += 1;
        }
        depth += 1;
    }
};

/// A ring of the tower in key generation of degree `2^logn`: polynomials modulo `X^n + 1` with `n = 2^(logn - depth)`.
#[derive(Clone, Copy)]
pub struct Ring {
    /// The logarithm of the degree at depth 0.
    pub logn: u32,
    /// The depth, up to `logn`: there the ring is that of the integers.
    pub depth: u32,
}

impl Ring {
    /// Returns the logarithm of the degree.
    pub const fn log_degree(self) -> u32 {
        self.logn - self.depth
    }

    /// Returns the degree, n.
    pub const fn degree(self) -> usize {
        1 << (self.logn - self.depth)
    }

    /// Returns the ring of half the degree, one depth further down.
    pub const fn below(self) -> Self {
        Self { logn: self.logn, depth: self.depth + 1 }
    }

    /// Returns the 31-bit words of a coefficient of f, of g, and of reduced F.
    pub const fn small_words(self) -> usize {
        SMALL[self.depth as usize]
    }

    /// Returns the 31-bit words of a coefficient of F before it is reduced. Range: above the integers.
    pub const fn large_words(self) -> usize {
        LARGE[self.depth as usize]
    }

    /// Returns the 31-bit words of a coefficient of a product of f and a polynomial of 32-bit integers.
    pub const fn product_words(self) -> usize {
        self.small_words() + 1
    }

    /// Returns the largest magnitude of a coefficient of f and of g: [`product_limits`].
    pub fn small_limit(self) -> u64 {
        SMALL_LIMITS[self.depth as usize]
    }

    /// Returns the largest magnitude of a coefficient of F before it is reduced. Range: above the integers.
    pub fn large_limit(self) -> u64 {
        LARGE_LIMITS[self.depth as usize]
    }

    /// Returns the limbs of f (or g, or reduced F).
    pub const fn small_len(self) -> usize {
        limbs(self.small_words()) * self.degree()
    }

    /// Returns the limbs of F before it is reduced. Range: above the integers.
    pub const fn large_len(self) -> usize {
        limbs(self.large_words()) * self.degree()
    }
}

/// Returns the limbs of memory of [`first_norm`], its result included.
pub const fn first_norm_len(ring: Ring) -> usize {
    let n = ring.degree();
    let words = ring.below().small_words();
    if in_rns(n, words) {
        // A transform, over which the result goes, and planes of half the degree.
        n / 2 + (words * n / 2).div_ceil(2)
    } else {
        n + ring.below().small_len()
    }
}

/// Writes `f_1` to the front of `mem`; `poly` is `f_0`, and `ring` that of depth 0.
#[inline(never)]
pub fn first_norm<S: Simd>(isa: S, ring: Ring, poly: &[i8], mem: &mut [i64]) {
    frame!(isa, {
        let n = ring.degree();
        let words = ring.below().small_words();
        if in_rns(n, words) {
            let (front, work) = mem.split_at_mut(n / 2);
            let values = &mut recast::<_, u32>(front)[..n];
            let planes = &mut recast::<_, u32>(work)[..words * n / 2];
            for (modulus, plane) in MODULI.iter().zip(planes.chunks_exact_mut(n / 2)) {
                for (x, f) in values.iter_mut().zip(poly) {
                    *x = modulus.prime.residue_of_small(i32::from(*f));
                }
                fold_plane(isa, modulus, values, plane);
            }
            rebuild(isa, planes, words, front);
        } else {
            for (x, f) in mem.iter_mut().zip(poly) {
                *x = i64::from(*f);
            }
            norm_in_place(isa, ring, mem);
        }
    });
}

/// Computes a plane of the norm from the residues of a polynomial, which become their transform.
#[inline(always)]
fn fold_plane<S: Simd>(isa: S, modulus: &Modulus, values: &mut [u32], plane: &mut [u32]) {
    let prime = &modulus.prime;
    ntt(isa, prime, values);
    fold_into(isa, prime, values, plane);
    intt(isa, prime, plane);
}

/// Writes the integers whose residues modulo the first `words` primes are in `planes`, which become digits.
#[inline(always)]
fn rebuild<S: Simd>(isa: S, planes: &mut [u32], words: usize, out: &mut [i64]) {
    let rebuild = Rebuild::new(words);
    rebuild.digits(isa, planes);
    rebuild.integers_into(planes, out);
}

/// Returns the limbs of work memory of [`norm_in_place`], from `ring` to the one below.
pub const fn norm_work_len(ring: Ring) -> usize {
    let n = ring.degree();
    let words = ring.below().small_words();
    if in_rns(n, words) {
        // A transform, and planes of half the degree.
        n / 2 + (words * n / 2).div_ceil(2)
    } else {
        ring.below().small_len()
    }
}

/// Replaces `f_d`, of `ring`, at the front of `mem` by `f_(d+1)`, of the ring below.
#[inline(never)]
pub fn norm_in_place<S: Simd>(isa: S, ring: Ring, mem: &mut [i64]) {
    frame!(isa, {
        let n = ring.degree();
        let from = limbs(ring.small_words());
        let words = ring.below().small_words();
        let to = limbs(words);
        let (poly, work) = mem.split_at_mut(n * from);
        if in_rns(n, words) {
            let (values, work) = recast(work).split_at_mut(n);
            let planes = &mut work[..words * n / 2];
            for (modulus, plane) in MODULI.iter().zip(planes.chunks_exact_mut(n / 2)) {
                residues_into(isa, modulus, poly, from, values);
                fold_plane(isa, modulus, values, plane);
            }
            rebuild(isa, planes, words, poly);
        } else {
            let h = n / 2;
            let out = &mut work[..h * to];
            for (k, out) in out.chunks_exact_mut(to).enumerate() {
                // `e(X)^2 - X o(X)^2` with even and odd coefficients e and o, modulo `X^h + 1`. The places i and j of a
                // pair add up to `sum`, and i is not above j.
                let mut terms = Terms::new();
                let mut pairs = |sum: usize, odd: usize, once: Weight, twice: Weight| {
                    for i in sum.saturating_sub(h - 1)..=sum / 2 {
                        let j = sum - i;
                        terms.push((2 * i + odd) * from, (2 * j + odd) * from, if i == j { once } else { twice });
                    }
                };
                pairs(k, 0, Weight::Plus, Weight::PlusTwice);
                pairs(k + h, 0, Weight::Minus, Weight::MinusTwice);
                if k > 0 {
                    pairs(k - 1, 1, Weight::Minus, Weight::MinusTwice);
                }
                pairs(k + h - 1, 1, Weight::Plus, Weight::PlusTwice);
                terms.sum_into(poly, from, poly, from, out);
            }
            poly[..h * to].copy_from_slice(out);
        }
    });
}

/// Returns the limbs of work memory of [`lift`] to `ring`.
pub const fn lift_work_len(ring: Ring) -> usize {
    let n = ring.degree();
    if in_rns(n, ring.large_words()) {
        // Two transforms, one of them of half the degree, and the planes.
        n / 2 + n / 4 + (ring.large_words() * n).div_ceil(2)
    } else {
        0
    }
}

/// Computes `big = upper(X^2) g(-X)` in `ring`: `upper` is reduced F of the ring below, `g` is `g_d`, and `big` is F
/// before it is reduced.
#[inline(never)]
pub fn lift<S: Simd>(isa: S, ring: Ring, upper: &[i64], g: &[i64], big: &mut [i64], work: &mut [i64]) {
    frame!(isa, {
        let n = ring.degree();
        let words = ring.large_words();
        let wide = limbs(words);
        let from = limbs(ring.small_words());
        let from_upper = limbs(ring.below().small_words());
        if in_rns(n, words) {
            let (g_values, work) = recast(work).split_at_mut(n);
            let (upper_values, work) = work.split_at_mut(n / 2);
            let planes = &mut work[..words * n];
            for (modulus, plane) in MODULI.iter().zip(planes.chunks_exact_mut(n)) {
                let prime = &modulus.prime;
                residues_into(isa, modulus, g, from, g_values);
                ntt(isa, prime, g_values);
                residues_into(isa, modulus, upper, from_upper, upper_values);
                ntt(isa, prime, upper_values);
                unfold_into(isa, prime, upper_values, g_values, prime.r2, plane);
                intt(isa, prime, plane);
            }
            rebuild(isa, planes, words, big);
        } else {
            for (k, out) in big.chunks_exact_mut(wide).enumerate() {
                let mut terms = Terms::new();
                for j in 0..n / 2 {
                    let wraps = 2 * j > k;
                    let m = if wraps { n + k - 2 * j } else { k - 2 * j };
                    let minus = wraps != (k % 2 == 1);
                    terms.push(j * from_upper, m * from, if minus { Weight::Minus } else { Weight::Plus });
                }
                terms.sum_into(upper, from_upper, g, from, out);
            }
        }
    });
}
