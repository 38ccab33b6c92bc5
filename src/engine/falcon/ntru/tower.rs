//! Computes relative norms of f and g for the ring at the next depth, and lifts F from the next
//! depth.
//!
//! At depth `d`, the ring is `Z[X]/(X^(n/2^d) + 1)`. The norm is `f_(d+1)(X^2) = f_d(X) f_d(-X)`.
//! The lift is `F_d = F_(d+1)(X^2) g_d(-X)`. Each depth has a fixed number of words for a
//! coefficient, as in the reference. If a value exceeds the limits in [`Ring`], the caller drops f
//! and g.
//!
//! At large degrees ([`in_rns`]), products use NTTs modulo some primes. At smaller degrees,
//! schoolbook products with 62-bit limbs are much faster, because the numbers are long and the
//! degree is small. For keys of degree 1024, the schoolbook products take a tenth of the time for
//! key generation, measured with `perf record` on avx2. At depth 9, a coefficient needs 5,400 limb
//! products. With residues modulo 308 primes, a coefficient would need more than 100,000 products
//! of 31-bit numbers, mainly to convert integers to residues and back.
//!
//! Polynomials are secret. Degrees and depths are public.

use super::limbs::limbs;
use super::moduli::{COUNT, MODULI, Modulus, has_moduli_for, product_limits};
use super::products::{ProductTerms, TermWeight};
use super::rns::{ResidueConverter, residues_into};
use crate::engine::falcon::params::MAX_LOGN;
use crate::engine::primes::transform::{fold_into, intt, ntt, unfold_into};
use crate::simd::{Simd, frame, recast};

/// The number of 31-bit words per coefficient in f, g and the reduced F at each depth.
const SMALL: [usize; 11] = [1, 1, 2, 3, 4, 8, 14, 27, 53, 104, 207];
/// The number of 31-bit words per coefficient in F at each depth, before the reduction.
const LARGE: [usize; 10] = [1, 2, 3, 6, 11, 21, 40, 78, 155, 308];
/// The limits for integers with the lengths in [`SMALL`], from [`product_limits`].
static SMALL_LIMITS: [u64; 11] = product_limits(SMALL);
/// The limits for integers with the lengths in [`LARGE`], from [`product_limits`].
static LARGE_LIMITS: [u64; 10] = product_limits(LARGE);
/// The smallest degree at which products use NTTs.
const RNS_DEGREE: usize = 32;

/// Returns whether a product with degree `n` and `words` words per coefficient is computed with
/// NTTs.
pub const fn in_rns(n: usize, words: usize) -> bool {
    n >= RNS_DEGREE && words <= COUNT
}

/// There must be enough moduli for all NTTs. A norm, a lift, and the product of f and the quotient
/// k in `reduce` use NTTs. At depth 0, only the norm uses this module.
const _: () = {
    let top = Ring { logn: MAX_LOGN, depth: 0 };
    assert!(has_moduli_for(top.degree(), top.below().small_words()));
    let mut depth = 1;
    while depth < MAX_LOGN {
        let ring = Ring { logn: MAX_LOGN, depth };
        let n = ring.degree();
        let lengths = [ring.below().small_words(), ring.large_words(), ring.product_words()];
        let mut i = 0;
        while i < lengths.len() {
            assert!(!in_rns(n, lengths[i]) || has_moduli_for(n, lengths[i]));
            i += 1;
        }
        depth += 1;
    }
};

/// A ring in the tower, if keys have degree `2^logn`: polynomials modulo `X^n + 1` with
/// `n = 2^(logn - depth)`.
#[derive(Clone, Copy)]
pub struct Ring {
    /// The logarithm of the degree at depth 0.
    pub logn: u32,
    /// The depth, at most `logn`. In the last ring, at depth `logn`, the polynomials are integers.
    pub depth: u32,
}

impl Ring {
    /// Returns the degree's binary logarithm.
    pub const fn log_degree(self) -> u32 {
        self.logn - self.depth
    }

    /// Returns the degree, n.
    pub const fn degree(self) -> usize {
        1 << (self.logn - self.depth)
    }

    /// Returns the ring at the next depth, with half the degree.
    pub const fn below(self) -> Self {
        Self { logn: self.logn, depth: self.depth + 1 }
    }

    /// Returns how many 31-bit words a coefficient has in f, g or reduced F.
    pub const fn small_words(self) -> usize {
        SMALL[self.depth as usize]
    }

    /// Returns how many 31-bit words a coefficient has in F before the reduction. The ring must not
    /// be the last ring in the tower.
    pub const fn large_words(self) -> usize {
        LARGE[self.depth as usize]
    }

    /// Returns how many 31-bit words a coefficient has in f times a polynomial with 32-bit
    /// integers.
    pub const fn product_words(self) -> usize {
        self.small_words() + 1
    }

    /// Returns the scaled limit for f, g and reduced F from [`product_limits`]. The reference
    /// cannot represent larger magnitudes.
    pub fn small_limit(self) -> u64 {
        SMALL_LIMITS[self.depth as usize]
    }

    /// Returns the limit for F before the reduction, like [`Self::small_limit`]. The ring must not
    /// be the last ring in the tower.
    pub fn large_limit(self) -> u64 {
        LARGE_LIMITS[self.depth as usize]
    }

    /// Returns the limb count for f (or g, or reduced F).
    pub const fn small_len(self) -> usize {
        limbs(self.small_words()) * self.degree()
    }

    /// Returns the limb count for F before the reduction. The ring must not be the last ring in the
    /// tower.
    pub const fn large_len(self) -> usize {
        limbs(self.large_words()) * self.degree()
    }
}

/// Returns how much memory [`first_norm`] needs, in limbs. The memory includes the result.
pub const fn first_norm_len(ring: Ring) -> usize {
    let n = ring.degree();
    let words = ring.below().small_words();
    if in_rns(n, words) {
        // The transform of f, which the norm later overwrites, and for each prime a plane: the
        // norm's residues, at half the degree.
        n / 2 + (words * n / 2).div_ceil(2)
    } else {
        n + ring.below().small_len()
    }
}

/// Computes `f_1` from `poly`, which is `f_0`, and writes it to the front of `mem`. The depth of
/// `ring` must be 0.
#[inline(never)]
pub fn first_norm<S: Simd>(isa: S, ring: Ring, poly: &[i8], mem: &mut [i64]) {
    frame!(isa, {
        let n = ring.degree();
        let words = ring.below().small_words();
        if in_rns(n, words) {
            let (values_memory, work) = mem.split_at_mut(n / 2);
            let values = &mut recast::<_, u32>(values_memory)[..n];
            let planes = &mut recast::<_, u32>(work)[..words * n / 2];
            for (modulus, plane) in MODULI.iter().zip(planes.chunks_exact_mut(n / 2)) {
                for (x, f) in values.iter_mut().zip(poly) {
                    *x = modulus.prime.residue_of_small(i32::from(*f));
                }
                fold_plane(isa, modulus, values, plane);
            }
            rebuild(isa, planes, words, values_memory);
        } else {
            for (x, f) in mem.iter_mut().zip(poly) {
                *x = i64::from(*f);
            }
            norm_in_place(isa, ring, mem);
        }
    });
}

/// Computes a plane, which contains the norm's residues modulo one prime, from the polynomial's
/// residues modulo this prime. The transform overwrites the polynomial's residues.
#[inline(always)]
fn fold_plane<S: Simd>(isa: S, modulus: &Modulus, values: &mut [u32], plane: &mut [u32]) {
    let prime = &modulus.prime;
    ntt(isa, prime, values);
    fold_into(isa, prime, values, plane);
    intt(isa, prime, plane);
}

/// Converts the residues in `planes`, modulo the first `words` primes, to integers. The digits from
/// which the integers are computed overwrite `planes`.
#[inline(always)]
fn rebuild<S: Simd>(isa: S, planes: &mut [u32], words: usize, out: &mut [i64]) {
    let rebuild = ResidueConverter::new(words);
    rebuild.digits(isa, planes);
    rebuild.integers_into(planes, out);
}

/// Returns how much work memory [`norm_in_place`] from `ring` to the next ring needs, in limbs. The
/// memory for the polynomial is not included.
pub const fn norm_work_len(ring: Ring) -> usize {
    let n = ring.degree();
    let words = ring.below().small_words();
    if in_rns(n, words) {
        // The transform of f, and the norm's planes (residues modulo each prime), with half the
        // degree.
        n / 2 + (words * n / 2).div_ceil(2)
    } else {
        ring.below().small_len()
    }
}

/// Replaces `f_d` in `ring`, at the front of `mem`, by `f_(d+1)` in the next ring.
#[inline(never)]
pub fn norm_in_place<S: Simd>(isa: S, ring: Ring, mem: &mut [i64]) {
    frame!(isa, {
        let n = ring.degree();
        let small_limbs = limbs(ring.small_words());
        let words = ring.below().small_words();
        let norm_limbs = limbs(words);
        let (poly, work) = mem.split_at_mut(n * small_limbs);
        if in_rns(n, words) {
            let (values, work) = recast(work).split_at_mut(n);
            let planes = &mut work[..words * n / 2];
            for (modulus, plane) in MODULI.iter().zip(planes.chunks_exact_mut(n / 2)) {
                residues_into(isa, modulus, poly, small_limbs, values);
                fold_plane(isa, modulus, values, plane);
            }
            rebuild(isa, planes, words, poly);
        } else {
            let h = n / 2;
            let out = &mut work[..h * norm_limbs];
            for (k, out) in out.chunks_exact_mut(norm_limbs).enumerate() {
                // `e(X)^2 - X o(X)^2` modulo `X^h + 1`, where e has the even coefficients and o has
                // the odd coefficients. For a pair, the indices i and j add up to `sum`, and i is
                // at most j.
                let mut terms = ProductTerms::new();
                let mut push_pairs = |sum: usize, odd: usize, single_weight: TermWeight, double_weight: TermWeight| {
                    for i in sum.saturating_sub(h - 1)..=sum / 2 {
                        let j = sum - i;
                        terms.push(
                            (2 * i + odd) * small_limbs,
                            (2 * j + odd) * small_limbs,
                            if i == j { single_weight } else { double_weight },
                        );
                    }
                };
                push_pairs(k, 0, TermWeight::Plus, TermWeight::PlusTwice);
                push_pairs(k + h, 0, TermWeight::Minus, TermWeight::MinusTwice);
                if k > 0 {
                    push_pairs(k - 1, 1, TermWeight::Minus, TermWeight::MinusTwice);
                }
                push_pairs(k + h - 1, 1, TermWeight::Plus, TermWeight::PlusTwice);
                terms.sum_into(poly, small_limbs, poly, small_limbs, out);
            }
            poly[..h * norm_limbs].copy_from_slice(out);
        }
    });
}

/// Returns how much work memory [`lift`] to `ring` needs, in limbs.
pub const fn lift_work_len(ring: Ring) -> usize {
    let n = ring.degree();
    if in_rns(n, ring.large_words()) {
        // The transform of g, the transform of the reduced F with half the degree, and the result's
        // planes.
        n / 2 + n / 4 + (ring.large_words() * n).div_ceil(2)
    } else {
        0
    }
}

/// Computes `big = reduced(X^2) g(-X)` in `ring`. `reduced` is reduced F in the next ring, `g` is
/// `g_d`, and `big` is F before the reduction.
#[inline(never)]
pub fn lift<S: Simd>(isa: S, ring: Ring, reduced: &[i64], g: &[i64], big: &mut [i64], work: &mut [i64]) {
    frame!(isa, {
        let n = ring.degree();
        let words = ring.large_words();
        let large_limbs = limbs(words);
        let small_limbs = limbs(ring.small_words());
        let reduced_limbs = limbs(ring.below().small_words());
        if in_rns(n, words) {
            let (g_values, work) = recast(work).split_at_mut(n);
            let (reduced_values, work) = work.split_at_mut(n / 2);
            let planes = &mut work[..words * n];
            for (modulus, plane) in MODULI.iter().zip(planes.chunks_exact_mut(n)) {
                let prime = &modulus.prime;
                residues_into(isa, modulus, g, small_limbs, g_values);
                ntt(isa, prime, g_values);
                residues_into(isa, modulus, reduced, reduced_limbs, reduced_values);
                ntt(isa, prime, reduced_values);
                unfold_into(isa, prime, reduced_values, g_values, prime.r2, plane);
                intt(isa, prime, plane);
            }
            rebuild(isa, planes, words, big);
        } else {
            for (k, out) in big.chunks_exact_mut(large_limbs).enumerate() {
                let mut terms = ProductTerms::new();
                for j in 0..n / 2 {
                    let wraps = 2 * j > k;
                    let m = if wraps { n + k - 2 * j } else { k - 2 * j };
                    let minus = wraps != (k % 2 == 1);
                    terms.push(
                        j * reduced_limbs,
                        m * small_limbs,
                        if minus { TermWeight::Minus } else { TermWeight::Plus },
                    );
                }
                terms.sum_into(reduced, reduced_limbs, g, small_limbs, out);
            }
        }
    });
}
