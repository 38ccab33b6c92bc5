//! The norm of the orthogonalized vector (specification 2.4.3): the rule in fixed point, and a sum in binary64 that
//! decides all but a few cases.
//!
//! f and g are secret, the answer is public.

use super::fft::{self, is_short};
use super::ntru::fixed;
use super::params::Q;
use crate::simd::ct::{barrier_u64, declassify};
use crate::simd::{Number, Real, Scratch, Simd, frame, mul_fixed};

/// The bytes of work memory of [`ortho_norm_is_small`] for each coefficient.
pub const ORTHO_WORK: usize = 20;

/// Returns whether the orthogonalized vector is short enough: the squared norm of `(q f*, q g*) / (f f* + g g*)` is
/// below `bound`, by the rule of specification 2.4.3. The answer is public. Range: `|f|^2 + |g|^2` is below its bound.
/// Work memory: 20n bytes.
///
/// Where binary64 is fast, a sum in it decides all candidates but those next to the bound.
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

/// Returns the sum of `1 / (|f|^2 + |g|^2)` over the `n/2` values of the transform.
#[inline(never)]
fn inverse_norms<S: Simd>(isa: S, logn: u32, f: &[i8], g: &[i8], mut work: Scratch<'_>) -> S::Real {
    if is_short::<S>(f.len() / 2) {
        return inverse_norms(isa.half(), logn, f, g, work);
    }
    frame!(isa, {
        let mut rows = [f, g].map(|poly| work.take::<S::Real>(poly.len()));
        for (row, poly) in rows.iter_mut().zip([f, g]) {
            fft::fft(isa, logn, poly, row, i32::from);
        }
        let half = f.len() / 2;
        let [(fre, fim), (gre, gim)] = rows.map(|row| row.split_at(half));
        let one = isa.splat_f64(S::Real::from_i32(1));
        let mut sum = isa.splat_f64(S::Real::ZERO);
        fft::each_vector::<S>(
            half,
            #[inline(always)]
            |i| {
                let f = fft::squared(isa, fft::load(isa, fre, fim, i));
                let g = fft::squared(isa, fft::load(isa, gre, gim, i));
                sum = isa.add_f64(sum, isa.div_f64(one, isa.add_f64(f, g)));
            },
        );
        let lanes = work.take::<S::Real>(S::LANES_F64);
        isa.store_f64(sum, lanes);
        lanes.iter().fold(S::Real::ZERO, |a, &b| a + b)
    })
}

/// Decides the rule of specification 2.4.3 from the sum of `1 / (|f|^2 + |g|^2)` in binary64. `None` next to the bound,
/// and where 32.32 numbers may wrap. The answer is public.
///
/// The squared norm is `2 q^2 / n` times the sum. The rule's quotients are off by `2^-33` at most, so its products
/// by `q |f| 2^-33`; beside values of `q |f| / (|f|^2 + |g|^2)` that changes the squared norm by up to
/// `4 q^2 2^-33 < 0.1`. All other roundings are smaller by far: one unit on either side of the bound is safe.
/// Below `2^17` in all, one value is below `2^13`.
pub fn ortho_norm_decided<R: Real>(inverse_norms: R, n: usize, bound: u64) -> Option<bool> {
    const FAR: i32 = 1 << 17;
    // n is a power of two, and so is 2/n.
    let two_nths = R::from_bits(u64::from(1023 + 1 - n.ilog2()) << 52);
    let norm = inverse_norms * (R::from_i32((Q * Q).cast_signed()) * two_nths);
    let is_below =
        |limit: i32| declassify("orthogonal norm", barrier_u64((norm - R::from_i32(limit)).to_bits()) >> 63) == 1;
    let bound = (bound >> 32) as i32;
    if is_below(bound - 1) {
        Some(true)
    } else if is_below(bound + 2) || !is_below(FAR) {
        None
    } else {
        Some(false)
    }
}

/// Decides by the rule itself, in 32.32 fixed point.
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
        let hn = 1usize << (logn - 1);
        let inverse = work.take::<i64>(hn);
        let (fr, fi) = work.take::<i64>(2 * hn).split_at_mut(hn);
        let (gr, gi) = work.take::<i64>(2 * hn).split_at_mut(hn);
        for (poly, re, im) in [(f, &mut *fr, &mut *fi), (g, &mut *gr, &mut *gi)] {
            for j in 0..hn {
                let p = fixed::place(j, logn - 1);
                re[p] = i64::from(poly[j]) << 32;
                im[p] = i64::from(poly[j + hn]) << 32;
            }
            fixed::fft(isa, re, im);
        }
        let mut sum = 0i64;
        frame!(isa, {
            for i in 0..hn {
                inverse[i] = fixed::norm(fr[i], fi[i]).wrapping_add(fixed::norm(gr[i], gi[i]));
            }
        });
        fixed::reciprocal_into(isa, inverse);
        for (re, im) in [(fr, fi), (gr, gi)] {
            for ((re, im), inverse) in re.iter_mut().zip(&mut *im).zip(&*inverse) {
                // An exact product: q is an integer.
                *re = mul_fixed(re.wrapping_mul(i64::from(Q)), *inverse);
                *im = mul_fixed(im.wrapping_neg().wrapping_mul(i64::from(Q)), *inverse);
            }
            fixed::ifft(isa, re, im);
            for (re, im) in re.iter().zip(&*im) {
                sum = sum.wrapping_add(fixed::norm(*re, *im));
            }
        }
        // As in the specification, the sum is a signed number.
        let below = (sum as i128 - i128::from(bound)) >> 127;
        declassify("orthogonal norm", barrier_u64(below as u64)) != 0
    })
}

#[cfg(test)]
mod tests {
    use super::super::keygen::{Gauss, norm_is_small};
    use super::super::params::ORTHO_NORM_BOUND;
    use super::*;
    use crate::simd::laws::on_every_level;
    use crate::simd::{SCRATCH_ALIGN, WithSimd};

    /// The decision in binary64 is that of the rule, at bounds near the norm and far from it.
    #[derive(Clone, Copy)]
    struct Decisions;

    impl WithSimd for Decisions {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            for logn in [2u32, 3, 6, 9, 10] {
                let n = 1usize << logn;
                let (mut f, mut g) = (vec![0; n], vec![0; n]);
                let mut memory = vec![0u8; 20 * n + SCRATCH_ALIGN];
                let skip = memory.as_ptr().align_offset(SCRATCH_ALIGN);
                let mut decided = [0; 3];
                for seed in 0..12 {
                    let mut gauss = Gauss::new(isa, logn, &[seed; 32]);
                    gauss.sample(&mut f);
                    gauss.sample(&mut g);
                    if !norm_is_small(&f, &g) {
                        continue;
                    }
                    let mut work = Scratch::new(&mut memory[skip..skip + 20 * n]);
                    let sum = inverse_norms(isa, logn, &f, &g, work.fork());
                    let q = f64::from(Q);
                    let norm = f64::from_bits(sum.to_bits()) * q * q * 2.0 / n as f64;
                    for offset in [-900.0, -5.0, -3.1, -2.0, -1.1, -0.5, 0.0, 0.5, 1.1, 2.0, 3.1, 5.0, 900.0] {
                        let bound = ((norm + offset) * 4_294_967_296.0) as u64;
                        if bound >> 32 > 1 << 17 {
                            continue;
                        }
                        let found = ortho_norm_decided(sum, n, bound);
                        decided[found.map_or(2, usize::from)] += 1;
                        let exact = exact_ortho_norm_is_small(isa, logn, &f, &g, bound, work.fork());
                        assert!(found.is_none_or(|x| x == exact), "{} {logn} {norm} {offset}", S::NAME);
                        assert_eq!(ortho_norm_is_small(isa, logn, &f, &g, bound, work.fork()), exact);
                    }
                }
                assert!(decided.iter().all(|&x| x > 0), "{} {logn}: {decided:?}", S::NAME);
            }
        }
    }

    /// f and g of one coefficient of 64 each, whose norm has 13 binary digits behind the point: the rule has it
    /// exactly.
    #[test]
    fn the_bound_itself_is_not_below() {
        #[derive(Clone, Copy)]
        struct Exact;
        impl WithSimd for Exact {
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
        on_every_level(Exact);
    }

    #[test]
    fn the_norm_test_is_the_rule() {
        on_every_level(Decisions);
        assert_eq!(ortho_norm_decided(1.0f64, 512, ORTHO_NORM_BOUND), None, "32.32 numbers may wrap");
        // One unit on either side of 16788.784 is the rule's.
        let q = f64::from(Q);
        let decided = [(16786.9, Some(true)), (16787.1, None), (16789.9, None), (16790.1, Some(false))];
        for (norm, expected) in decided {
            assert_eq!(ortho_norm_decided(norm / (q * q / 256.0), 512, ORTHO_NORM_BOUND), expected, "{norm}");
        }
    }
}
