//! Rounding and hints for a single coefficient (FIPS 204, algorithms 35 to 40). The coefficients
//! may be secret, so the code has no division, no branch and no index that depends on them. The
//! modulus and gamma2 are public.
//!
//! | value | range |
//! |---|---|
//! | residue | `[0, q)` |
//! | r1 from Power2Round | `[0, 1023]` |
//! | r0 from Power2Round | `(-4096, 4096]` |
//! | r1 from Decompose | `[0, m)`, m = 44 or 16 |
//! | r0 from Decompose | `[-gamma2, gamma2]` |

use super::params::{D, GAMMA2_44, Q};
use crate::simd::ct::mask_negative;

/// Returns `x mod q`. Requires `x < 2^31 - 2^22`.
#[inline(always)]
pub fn reduce(x: i32) -> u32 {
    // The quotient is `x / 2^23`, rounded to the nearest integer, and at most 2^8 in magnitude.
    // Because q is 2^23 - (2^13 - 1), the new `x` is at most `2^22 + 2^8 (2^13 - 1)` in magnitude,
    // which is below q.
    let x = x - ((x + (1 << 22)) >> 23) * Q.cast_signed();
    x.cast_unsigned().wrapping_add(Q & mask_negative(x))
}

/// Returns the number in `[-(q - 1)/2, (q - 1)/2]` that is congruent to a residue.
#[inline(always)]
pub fn centered(x: u32) -> i32 {
    debug_assert!(x < Q);
    let over_mask = mask_negative((Q / 2).wrapping_sub(x).cast_signed());
    x.wrapping_sub(Q & over_mask).cast_signed()
}

/// Returns the magnitude of `x`.
#[inline(always)]
pub fn magnitude(x: i32) -> u32 {
    let negative = mask_negative(x);
    (x.cast_unsigned() ^ negative).wrapping_sub(negative)
}

/// Returns the larger number. The numbers must be public, because the compiler can compute the
/// maximum with a branch.
#[inline(always)]
pub fn larger_vartime(a: u32, b: u32) -> u32 {
    a.max(b)
}

/// A check that detects any coefficient whose magnitude reaches a bound. The coefficients may be
/// secret. The check collects sign bits from subtractions. It does not compute a maximum, because
/// the compiler would replace a maximum by a branch.
#[derive(Clone, Copy)]
pub struct BoundCheck {
    /// The largest magnitude below the bound.
    max_magnitude: i32,
    borrow_bits: u32,
}

impl BoundCheck {
    /// Returns a check for this bound. The check does not include a coefficient yet.
    #[inline(always)]
    pub const fn of(bound: u32) -> Self {
        Self { max_magnitude: bound.cast_signed() - 1, borrow_bits: 0 }
    }

    /// Includes a coefficient in the check. `|x|` and the bound must be below `2^30`.
    #[inline(always)]
    pub fn include(&mut self, x: i32) {
        self.borrow_bits |= (self.max_magnitude.wrapping_sub(x) | self.max_magnitude.wrapping_add(x)).cast_unsigned();
    }

    /// Returns 1 if a coefficient was at least the bound in magnitude, or else 0.
    #[inline(always)]
    pub const fn bit(&self) -> u32 {
        self.borrow_bits >> 31
    }
}

/// Returns `(r1, r0)` with `r = r1 2^13 + r0` (algorithm 35).
#[inline(always)]
pub fn power2round(r: u32) -> (u32, i32) {
    let r1 = (r + (1 << (D - 1)) - 1) >> D;
    (r1, r.wrapping_sub(r1 << D).cast_signed())
}

/// Returns the high part of a residue (algorithm 37, HighBits).
#[inline(always)]
pub fn high(gamma2: u32, r: u32) -> u32 {
    debug_assert!(r < Q);
    let t = (r + 127) >> 7;
    if gamma2 == GAMMA2_44 {
        let r1 = (11275 * t + (1 << 23)) >> 24;
        // If `r1` is 44, the high part is 0.
        r1 & !mask_negative((43u32.wrapping_sub(r1)).cast_signed())
    } else {
        ((1025 * t + (1 << 21)) >> 22) & 15
    }
}

/// Returns `(r1, r0)` for a residue, with `r = r1 2 gamma2 + r0 mod q` (algorithm 36, Decompose).
#[inline(always)]
pub fn decompose(gamma2: u32, r: u32) -> (u32, i32) {
    let r1 = high(gamma2, r);
    let r0 = r.wrapping_sub(2 * gamma2 * r1).cast_signed();
    let over_mask = mask_negative((Q / 2).cast_signed() - r0);
    (r1, r0.wrapping_sub((Q & over_mask).cast_signed()))
}

/// Returns the bit that MakeHint (algorithm 39) returns for `a = r0 + (c t0)`. Here, r0 is the low
/// part of `w - c s2`, and w1 is the high part of w. r0 must have passed its bound check, so that
/// w1 is also the high part of `w - c s2`.
#[inline(always)]
pub fn make_hint(gamma2: u32, w1: u32, a: i32) -> u32 {
    let gamma2 = gamma2.cast_signed();
    // `nonzero` is 0 if w1 is 0, and otherwise 1. If w1 is 0, then the hint for `a = -gamma2` is 0.
    let nonzero = (w1.wrapping_neg() >> 31).cast_signed();
    ((gamma2 - a) | (a + gamma2 - nonzero)).cast_unsigned() >> 31
}

/// Applies a hint, which is 0 or 1, to a residue (algorithm 40, UseHint).
#[inline(always)]
pub fn use_hint(gamma2: u32, hint: u32, r: u32) -> u32 {
    let (r1, r0) = decompose(gamma2, r);
    // The high part moves up if r0 is positive. It moves down if r0 is negative or 0.
    let up = mask_negative(-r0) & 2;
    let moved_high = r1.wrapping_add(hint.wrapping_neg() & up.wrapping_sub(1));
    let max_high = (Q - 1) / (2 * gamma2) - 1;
    // High parts wrap around: the value after the largest high part is 0, and the value before 0 is
    // the largest high part.
    let moved_high =
        moved_high & !mask_negative(max_high.wrapping_sub(moved_high).cast_signed() & !moved_high.cast_signed());
    moved_high ^ ((moved_high ^ max_high) & mask_negative(moved_high.cast_signed()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::mldsa::params::GAMMA2_65;
    use crate::simd::check::laws::runs_long_tests;
    use sha3::{
        Shake128,
        digest::{ExtendableOutput, Update, XofReader},
    };
    use std::fmt::Write;

    /// Compares all residues with the digest from the CCTV project (`ML-DSA/README.md`, "field and
    /// rounding").
    #[test]
    fn every_residue_rounds_as_published() {
        let mut hash = Shake128::default();
        let mut text = String::new();
        for r in 0..Q {
            let signed = centered(r);
            let (r1, r0) = power2round(r);
            writeln!(text, "{signed}\n{}\n{r1}\n{}", magnitude(signed), reduce(r0)).unwrap();
            for gamma2 in [GAMMA2_44, GAMMA2_65] {
                let (r1, r0) = decompose(gamma2, r);
                assert_eq!(use_hint(gamma2, 0, r), r1);
                writeln!(text, "{r1}\n{}\n{r0}\n{}", use_hint(gamma2, 1, r), magnitude(r0)).unwrap();
            }
            if r % 1024 == 0 || r == Q - 1 {
                hash.update(text.as_bytes());
                text.clear();
            }
        }
        let mut digest = [0; 32];
        hash.finalize_xof().read(&mut digest);
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "f930663417278156ab05d940294a77210a809c924d8ab63ec72f4526247602c7");
    }

    /// With `FNDSA_LONG=1`, this test tries all values.
    #[test]
    fn sums_are_reduced_to_residues() {
        let step = if runs_long_tests() { 1 } else { 9973 };
        for x in (i32::MIN..i32::MAX - (1 << 22)).step_by(step).chain([i32::MIN, -1, 0, 1, i32::MAX - (1 << 22)]) {
            assert_eq!(i64::from(reduce(x)), i64::from(x).rem_euclid(i64::from(Q)), "{x}");
        }
    }

    #[test]
    fn one_coefficient_at_the_bound_is_detected() {
        for bound in [1, 2, 95_154, GAMMA2_65, 524_168] {
            for x in [0, 1, 2, 95_153, 95_154, 95_155, 524_167, 524_168, 1 << 29] {
                for x in [x, -x] {
                    let mut check = BoundCheck::of(bound);
                    check.include(x);
                    check.include(0);
                    assert_eq!(check.bit(), u32::from(magnitude(x) >= bound), "{x} {bound}");
                }
            }
        }
    }

    /// Compares hints with the definition in algorithm 39, for each high part, and for `a` near
    /// gamma2, `-gamma2` and r0.
    #[test]
    fn hints_mark_changed_high_parts() {
        let modulo = |x: i64| x.rem_euclid(i64::from(Q)) as u32;
        for gamma2 in [GAMMA2_44, GAMMA2_65] {
            let mut ones = 0;
            for w1 in 0..(Q - 1) / (2 * gamma2) {
                for r0 in [-40i32, -3, 0, 2, 50].into_iter().chain([-95_000, 95_000]) {
                    let middle = i64::from(2 * gamma2 * w1);
                    let r = modulo(middle + i64::from(r0));
                    if decompose(gamma2, r) != (w1, r0) {
                        continue;
                    }
                    let g = gamma2.cast_signed();
                    for a in (-3..=3).flat_map(|d| [d - g, d + g, d + r0]) {
                        let product = i64::from(a) - i64::from(r0);
                        let expected = u32::from(high(gamma2, r) != high(gamma2, modulo(i64::from(r) + product)));
                        assert_eq!(make_hint(gamma2, w1, a), expected, "{w1} {r0} {a}");
                        ones += expected;
                    }
                }
            }
            assert!(ones > 100);
        }
    }
}
