//! Checks the orthogonalized vector's norm, in key generation and when a private key is imported
//! (specification 2.4.3). A sum in binary64 decides nearly all cases. In the remaining cases, the
//! standard's rule decides, which computes the norm in fixed point.
//!
//! Key generation calls [`ortho_norm_is_small`]. If binary64 is fast, the import of a private key
//! computes the binary64 sum together with its other checks, and calls [`ortho_norm_decided`]. If
//! this function does not decide, or if binary64 is not fast, the import calls
//! [`exact_ortho_norm_is_small`].
//!
//! f and g are secret, and the result is public.

use super::complex::{for_each_vector, is_short, load, squared};
use super::fft::fft;
use super::ntru::fixed;
use super::params::Q;
use crate::simd::ct::{barrier_u64, declassify};
use crate::simd::{Real, RowValue, Scratch, Simd, frame, mul_fixed};

/// The work memory for [`ortho_norm_is_small`] in bytes per coefficient. The transforms of f and g
/// in binary64 need 16 bytes. The vector with the lanes' sums needs at most 2 bytes from degree 32
/// on, and can need 4 bytes at smaller degrees. At these smaller degrees, the solver needs more
/// than 20 bytes per coefficient, so key generation has enough memory.
pub const ORTHO_WORK: usize = 18;
/// The work memory, in bytes per coefficient, with which [`exact_ortho_norm_is_small`] transforms f
/// only once: a row for f, a row for g, and the quotients.
const TWO_ROWS: usize = 20;

/// Returns whether the orthogonalized vector, `(q f*, q g*) / (f f* + g g*)`, is short enough. Its
/// squared norm must be below `bound`, by the rule in specification 2.4.3. The result is public.
/// Range: `|f|^2 + |g|^2` is below [`FG_NORM_BOUND`](super::params::FG_NORM_BOUND). Work memory:
/// 18n bytes. With 20n bytes, the rule is computed faster.
///
/// If binary64 is fast, a binary64 sum decides all candidates except those near the bound.
#[inline(never)]
pub fn ortho_norm_is_small<S: Simd>(isa: S, logn: u32, f: &[i8], g: &[i8], bound: u64, mut work: Scratch<'_>) -> bool {
    frame!(isa, {
        if S::Real::IN_HARDWARE {
            let sum = inverse_norms(isa, logn, f, g, work.fork());
            if let Some(small) = ortho_norm_decided(sum, f.len(), bound) {
                return small;
            }
        }
        exact_ortho_norm_is_small(isa, logn, f, g, bound, work)
    })
}

/// Returns the sum of `1 / (|f|^2 + |g|^2)` over the transform's `n/2` values.
#[inline(never)]
fn inverse_norms<S: Simd>(isa: S, logn: u32, f: &[i8], g: &[i8], mut work: Scratch<'_>) -> S::Real {
    if is_short::<S>(f.len() / 2) {
        return inverse_norms(isa.half(), logn, f, g, work);
    }
    frame!(isa, {
        let mut rows = [f, g].map(|poly| work.take::<S::Real>(poly.len()));
        for (row, poly) in rows.iter_mut().zip([f, g]) {
            fft(isa, logn, poly, row, i32::from);
        }
        let half = f.len() / 2;
        let [(fre, fim), (gre, gim)] = rows.map(|row| row.split_at(half));
        let one = isa.splat_f64(S::Real::from_i32(1));
        let mut sum = isa.splat_f64(S::Real::ZERO);
        for_each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let f = squared(isa, load(isa, fre, fim, i));
                let g = squared(isa, load(isa, gre, gim, i));
                sum = isa.add_f64(sum, isa.div_f64(one, isa.add_f64(f, g)));
            },
        );
        let lanes = work.take::<S::Real>(S::LANES_F64);
        isa.store_f64(sum, lanes);
        lanes.iter().fold(S::Real::ZERO, |a, &b| a + b)
    })
}

/// Decides whether the norm is below `bound` by the rule in specification 2.4.3, from
/// `inverse_norms`, the binary64 sum of all `1 / (|f|^2 + |g|^2)`. Returns `None` if the norm is
/// near the bound, or if 32.32 numbers could wrap. The result is public.
///
/// The squared norm is `2 q^2 / n` times the sum. The rule multiplies `q f*` and `q g*` by the
/// rounded quotient `1 / (|f|^2 + |g|^2)`. The error of the quotient is at most `2^-33`. A product
/// has the value `q |f| / (|f|^2 + |g|^2)`, and its error is at most `q |f| 2^-33`. These errors
/// change the squared norm by at most `4 q^2 2^-33 < 0.1`. All other rounding errors are much
/// smaller, so the decision is correct if the squared norm differs from the bound by at least 1. If
/// the squared norm is below `2^17`, the value of each product is below `2^13`, and does not wrap.
pub fn ortho_norm_decided<R: Real>(inverse_norms: R, n: usize, bound: u64) -> Option<bool> {
    /// From this squared norm on, 32.32 numbers could wrap.
    const MAX_NORM: i32 = 1 << 17;
    // 2/n is a power of two. The exponent field is 1023, as in 1.0, plus log2(2/n).
    let two_nths = R::from_bits(u64::from(1023 + 1 - n.ilog2()) << 52);
    let norm = inverse_norms * (R::from_i32((Q * Q).cast_signed()) * two_nths);
    let is_below =
        |limit: i32| declassify("orthogonal norm", barrier_u64((norm - R::from_i32(limit)).to_bits()) >> 63) == 1;
    let bound = (bound >> 32) as i32;
    if is_below(bound - 1) {
        Some(true)
    } else if is_below(bound + 2) || !is_below(MAX_NORM) {
        None
    } else {
        Some(false)
    }
}

/// Returns the same result as [`ortho_norm_is_small`], but always uses the rule in specification
/// 2.4.3, in 32.32 fixed point. Work memory: 12n bytes. With 20n bytes, this function is faster.
#[inline(never)]
pub fn exact_ortho_norm_is_small<S: Simd>(
    isa: S,
    logn: u32,
    f: &[i8],
    g: &[i8],
    bound: u64,
    mut work: Scratch<'_>,
) -> bool {
    frame!(isa, {
        let n = f.len();
        // If there is no space for two rows, f is transformed twice.
        let has_two_rows = work.len() >= TWO_ROWS * n;
        let inverse = work.take::<i64>(n / 2);
        inverse.fill(0);
        let row = work.take::<i64>(n);
        add_norms(isa, logn, f, row, inverse);
        let g_row = if has_two_rows { work.take(n) } else { &mut *row };
        add_norms(isa, logn, g, g_row, inverse);
        fixed::reciprocal_into(isa, inverse);
        let mut sum = orthogonal_norm(isa, g_row, inverse);
        if !has_two_rows {
            transform(isa, logn, f, row);
        }
        sum = sum.wrapping_add(orthogonal_norm(isa, row, inverse));
        // As in the specification, the sum wraps, and is a signed number.
        let below_mask = (sum as i128 - i128::from(bound)) >> 127;
        declassify("orthogonal norm", barrier_u64(below_mask as u64)) != 0
    })
}

/// Writes the transform of `poly`: first the real parts, then the imaginary parts.
#[inline(never)]
fn transform<S: Simd>(isa: S, logn: u32, poly: &[i8], row: &mut [i64]) {
    frame!(isa, {
        let (re, im) = row.split_at_mut(poly.len() / 2);
        let (first, second) = poly.split_at(re.len());
        for (j, (x, y)) in first.iter().zip(second).enumerate() {
            let p = fixed::place(j, logn - 1);
            re[p] = i64::from(*x) << 32;
            im[p] = i64::from(*y) << 32;
        }
        fixed::fft(isa, re, im);
    });
}

/// Writes the transform of `poly`, and adds the squared norms of the values to `norms`.
#[inline(always)]
fn add_norms<S: Simd>(isa: S, logn: u32, poly: &[i8], row: &mut [i64], norms: &mut [i64]) {
    transform(isa, logn, poly, row);
    let (re, im) = row.split_at(norms.len());
    for ((norm, re), im) in norms.iter_mut().zip(re).zip(im) {
        *norm = norm.wrapping_add(fixed::norm(*re, *im));
    }
}

/// Returns the squared norm of the polynomial `q f* inverse`. `row` contains the transformed f, and
/// is overwritten.
#[inline(never)]
fn orthogonal_norm<S: Simd>(isa: S, row: &mut [i64], inverse: &[i64]) -> i64 {
    frame!(isa, {
        let (re, im) = row.split_at_mut(inverse.len());
        for ((re, im), inverse) in re.iter_mut().zip(&mut *im).zip(inverse) {
            // The product with q is exact, because q is an integer. Only `mul_fixed` rounds.
            *re = mul_fixed(re.wrapping_mul(i64::from(Q)), *inverse);
            *im = mul_fixed(im.wrapping_neg().wrapping_mul(i64::from(Q)), *inverse);
        }
        fixed::ifft(isa, re, im);
        re.iter().zip(&*im).fold(0, |sum: i64, (re, im)| sum.wrapping_add(fixed::norm(*re, *im)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::keygen::{GaussianStream, norm_is_small};
    use super::super::params::ORTHO_NORM_BOUND;
    use super::*;
    use crate::simd::check::laws::on_every_level;
    use crate::simd::{SCRATCH_ALIGN, WithSimd};

    /// A check that the binary64 sum and the standard's rule lead to the same decision. The bounds
    /// are near the norm, or far from the norm.
    #[derive(Clone, Copy)]
    struct NormDecisions;

    impl WithSimd for NormDecisions {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for logn in [2u32, 3, 6, 9, 10] {
                let n = 1usize << logn;
                let (mut f, mut g) = (vec![0; n], vec![0; n]);
                let mut memory = vec![0u8; 20 * n + SCRATCH_ALIGN];
                let skip = memory.as_ptr().align_offset(SCRATCH_ALIGN);
                let mut decided = [0; 3];
                for seed in 0..12 {
                    let mut gauss = GaussianStream::new(isa, logn, &[seed; 32]);
                    gauss.sample(&mut f);
                    gauss.sample(&mut g);
                    if !norm_is_small(&f, &g) {
                        continue;
                    }
                    let sum = inverse_norms(isa, logn, &f, &g, Scratch::new(&mut memory[skip..skip + 20 * n]));
                    let q = f64::from(Q);
                    let norm = f64::from_bits(sum.to_bits()) * q * q * 2.0 / n as f64;
                    for offset in [-900.0, -5.0, -3.1, -2.0, -1.1, -0.5, 0.0, 0.5, 1.1, 2.0, 3.1, 5.0, 900.0] {
                        let bound = ((norm + offset) * 4_294_967_296.0) as u64;
                        if bound >> 32 > 1 << 17 {
                            continue;
                        }
                        let decision = ortho_norm_decided(sum, n, bound);
                        decided[decision.map_or(2, usize::from)] += 1;
                        let mut work = Scratch::new(&mut memory[skip..skip + 20 * n]);
                        let exact = exact_ortho_norm_is_small(isa, logn, &f, &g, bound, work.fork());
                        assert!(decision.is_none_or(|x| x == exact), "{} {logn} {norm} {offset}", S::NAME);
                        assert_eq!(ortho_norm_is_small(isa, logn, &f, &g, bound, work), exact);
                        let least_work = Scratch::new(&mut memory[skip..skip + 12 * n]);
                        assert_eq!(exact_ortho_norm_is_small(isa, logn, &f, &g, bound, least_work), exact);
                    }
                }
                assert!(decided.iter().all(|&x| x > 0), "{} {logn}: {decided:?}", S::NAME);
            }
        }
    }

    /// Uses f and g with a single coefficient, 64. The squared norm is `q^2 / 2^13`, so the rule
    /// computes it exactly in 32.32 fixed point.
    #[test]
    fn a_norm_equal_to_the_bound_is_not_below_the_bound() {
        #[derive(Clone, Copy)]
        struct ExactNormBound;
        impl WithSimd for ExactNormBound {
            type Output = ();
            fn with<S: Simd>(self, isa: S) {
                let (logn, n) = (9, 512);
                let mut one = vec![0; n];
                one[0] = 64;
                let mut memory = vec![0u8; 20 * n + SCRATCH_ALIGN];
                let skip = memory.as_ptr().align_offset(SCRATCH_ALIGN);
                let norm = u64::from(Q * Q) << (32 - 13);
                for (bound, below) in [(norm - 1, false), (norm, false), (norm + 1, true)] {
                    let work = Scratch::new(&mut memory[skip..]);
                    assert_eq!(exact_ortho_norm_is_small(isa, logn, &one, &one, bound, work), below, "{}", S::NAME);
                }
            }
        }
        on_every_level(ExactNormBound);
    }

    #[test]
    fn the_norm_test_implements_the_rule() {
        on_every_level(NormDecisions);
        assert_eq!(ortho_norm_decided(1.0f64, 512, ORTHO_NORM_BOUND), None, "32.32 numbers may wrap");
        // If the norm is from 16787 to 16790, only the rule decides.
        let q = f64::from(Q);
        let decided = [(16786.9, Some(true)), (16787.1, None), (16789.9, None), (16790.1, Some(false))];
        for (norm, expected) in decided {
            assert_eq!(ortho_norm_decided(norm / (q * q / 256.0), 512, ORTHO_NORM_BOUND), expected, "{norm}");
        }
    }
}
