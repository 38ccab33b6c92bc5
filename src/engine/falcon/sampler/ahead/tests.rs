//! Tests for candidates that are computed ahead: their values, their bounds, and the margin.

use super::super::base_sampler;
use super::*;
use crate::simd::{Level, Simd, WithSimd, frame};

/// Compares the candidates and their binary32 bounds on every level (instruction set) with exact
/// arithmetic. The random bytes for the base sampler are table entries, and numbers that differ
/// from an entry a little in a limb (a part with 24 or 31 bits). Each entry is combined with both
/// values for the bit b, and with every first byte for the comparison.
#[test]
fn candidates_equal_the_exact_candidates_and_are_within_their_bounds() {
    struct CandidateBoundsTest<'b>(&'b [[u8; STRIDE]]);
    impl WithSimd for CandidateBoundsTest<'_> {
        type Output = ();
        fn with<S: Simd>(self, isa: S) {
            let Some(lanes) = isa.f32s() else { return };
            let width = <S::F32s as F32s>::LANES_F32;
            for chunk in self.0.chunks_exact(width) {
                let mut bytes = chunk.concat();
                bytes.extend([0xff; 5]);
                let (mut z, mut accept, mut reject) = (vec![0.0; width], vec![0.0; width], vec![0.0; width]);
                frame!(isa, candidates(lanes, &bytes, &mut z, &mut accept, &mut reject));
                for (i, candidate) in chunk.iter().enumerate() {
                    let (z0, b) = base_sampler(*candidate.first_chunk().unwrap());
                    assert_eq!(z[i], (b + (2 * b - 1) * z0) as f32, "{} {candidate:?}", S::NAME);
                    let (z0, w) = (f64::from(z0), f64::from(candidate[10]));
                    let c = z0 * z0 * f64::from_bits(CONSTANTS.inv_2_sigma0_squared);
                    let (low, high) = (c + (256.0 / (w + 1.0)).ln(), c + (256.0 / w).ln());
                    let (accept, reject, min_margin) = (f64::from(accept[i]), f64::from(reject[i]), 6.5e-5);
                    assert!(accept < low - min_margin && accept > low - 2e-4, "{} {candidate:?}", S::NAME);
                    assert!((w == 0.0 && reject > 1e8) || reject > high + min_margin, "{} {candidate:?}", S::NAME);
                    assert!(w == 0.0 || reject < high + 2e-4 + 0.1 / (w * w), "{} {candidate:?}", S::NAME);
                }
            }
        }
    }
    let mut all = vec![];
    // The number of bits changes at powers of two, and at numbers that binary32 rounds up to a
    // power of two.
    let powers = (0..79).map(|i| 1u128 << i);
    for t in super::TAIL.into_iter().chain(powers) {
        for offset in [0, 1, t >> 25, t >> 22, t >> 20, 1 << 24, 1 << 48] {
            for v in [t + offset, t.saturating_sub(offset), (t + offset) & !0xff_ffff, (t | 0xff_ffff) - offset.min(t)]
            {
                for b in 0..2 {
                    let mut candidate = [0; STRIDE];
                    candidate.copy_from_slice(&((v << 1 | b) & ((1 << 80) - 1)).to_le_bytes()[..STRIDE]);
                    candidate[10] = all.len() as u8;
                    all.push(candidate);
                }
            }
        }
    }
    for i in 0..20_000u64 {
        let x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let v = u128::from(x ^ x >> 31) << 32 | u128::from(x >> 7);
        let mut candidate = [i as u8; STRIDE];
        candidate[..10].copy_from_slice(&v.to_le_bytes()[..10]);
        all.push(candidate);
    }
    Level::available().for_each(|level| level.run(CandidateBoundsTest(&all)));
}

/// Measures all errors that [`MARGIN`] covers, for values below 64.
#[test]
fn the_margin_is_twice_the_sum_of_its_errors() {
    struct LogarithmAccuracy;
    impl WithSimd for LogarithmAccuracy {
        type Output = f64;
        fn with<S: Simd>(self, isa: S) -> f64 {
            let Some(lanes) = isa.f32s() else { return 0.0 };
            let mut values = vec![0.0; <S::F32s as F32s>::LANES_F32];
            let mut largest: f64 = 0.0;
            for x in 1..=256 {
                frame!(isa, lanes.store_f32(ln_small(lanes, lanes.splat_i32(x)), &mut values));
                largest = largest.max((f64::from(values[0]) - f64::from(x).ln()).abs());
            }
            largest
        }
    }
    let logarithm = Level::available().map(|level| level.run(LogarithmAccuracy)).fold(0.0, f64::max);
    let constant = (0..300).map(|i| 0.69 + 0.32 * f64::from(i) / 299.0).map(|ccs| {
        let [leaf] = LeafConstants::from_leaves([0.25], [ccs]);
        (f64::from(leaf.ln_ccs) - ccs.ln()).abs()
    });
    let constant = constant.fold(0.0, f64::max);
    let sigma = f64::from_bits(CONSTANTS.inv_2_sigma0_squared);
    let c = (0..19u16).map(f32::from).map(|z0| {
        let z0_squared = z0 * z0;
        (f64::from(z0_squared * sigma as f32) - f64::from(z0_squared) * sigma).abs()
    });
    let c = c.fold(0.0, f64::max);
    let ulp = |bits: i32| 2f64.powi(-bits);
    let left = 64.0 * (2.0 * ulp(23) + 3.0 * ulp(24));
    let sums = 3.0 * ulp(24) * 64.0;
    println!("left {left:.2e}, c {c:.2e}, ln of a byte {logarithm:.2e}, ln ccs {constant:.2e}, sums {sums:.2e}");
    assert!(left < 2.7e-5 && c < 0.6e-5 && logarithm < 1.0e-5 && constant < 0.1e-5 && sums < 1.2e-5);
    assert!(2.0 * (left + c + logarithm + constant + sums) < f64::from(MARGIN));
}

/// Chooses centres for which candidates are near one of their bounds, and checks the outcomes. If
/// binary32 decides the outcome, the centre's distance from the bound must be at least the margin
/// minus the errors. If the exact computation must decide, this distance must be at most the margin
/// plus the errors.
#[test]
fn filter_decisions_keep_their_margin() {
    /// The sum of the errors in the table in the head of `ahead.rs`.
    const ERRORS: f64 = 5.6e-5;
    struct JudgeMarginTest;
    impl WithSimd for JudgeMarginTest {
        /// The number of candidates near each bound, on both sides.
        type Output = [u32; 4];
        fn with<S: Simd>(self, isa: S) -> [u32; 4] {
            let Some(lanes) = isa.f32s() else { return [u32::MAX; 4] };
            let (mut near_counts, mut seed) = ([0; 4], 0u64);
            let mut random = || {
                seed += 1;
                let x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                x ^ x >> 31
            };
            let unit = |random: u64| random as f64 * 2f64.powi(-64);
            for _ in 0..1000 {
                let mut bytes = [0u8; BYTES];
                bytes.fill_with(|| random() as u8);
                let mut ahead = PrecomputedCandidates::new();
                frame!(isa, ahead.refill(lanes, &bytes));
                for group in 0..CANDIDATES_PER_STEP / JUDGED {
                    let inv_sigma = 1.0 / (1.28 + 0.54 * unit(random()));
                    let (dss, ccs) =
                        (inv_sigma * inv_sigma / 2.0, inv_sigma * f64::from_bits(super::super::SIGMA_MIN[9]));
                    let [leaf] = LeafConstants::from_leaves([dss], [ccs]);
                    // The value and both bounds for each candidate.
                    let exact: Vec<[f64; 3]> = (0..JUDGED)
                        .map(|i| {
                            let candidate = &bytes[(group * JUDGED + i) * STRIDE..][..STRIDE];
                            let (z0, b) = base_sampler(*candidate.first_chunk().unwrap());
                            let (z, w) = (f64::from(b + (2 * b - 1) * z0), f64::from(candidate[10]));
                            let c = f64::from(z0 * z0) * f64::from_bits(CONSTANTS.inv_2_sigma0_squared) + ccs.ln();
                            [z, c + (256.0 / (w + 1.0)).ln(), c + (256.0 / w).ln()]
                        })
                        .collect();
                    for [z, low, high] in &exact {
                        let offset = (unit(random()) - 0.5) * 6e-4;
                        let bound = if random() % 2 == 0 { *low } else { *high };
                        let distance = ((bound + offset).max(0.0) / dss).sqrt();
                        let r = if *z > 0.5 { z - distance } else { z + distance };
                        if !(0.0..1.0).contains(&r) {
                            continue;
                        }
                        let [outcomes] = frame!(isa, ahead.judge(lanes, [r], leaf));
                        for (i, [z, low, high]) in exact.iter().enumerate() {
                            let x = (z - r) * (z - r) * dss;
                            let (margin, errors) = (f64::from(MARGIN), ERRORS * (x / 64.0).max(1.0));
                            let what =
                                format!("{}: z {z}, r {r:e}, 1/sigma' {inv_sigma:e}, bounds {low} {high}", S::NAME);
                            if outcomes.accepted >> i & 1 == 1 {
                                assert!(x < low - margin + errors, "accepted, {what}");
                            } else {
                                assert!(x > low - margin - errors, "not accepted, {what}");
                            }
                            if outcomes.not_rejected >> i & 1 == 0 {
                                assert!(x > high + margin - errors, "rejected, {what}");
                            }
                            let near_low = (x - low).abs() < 2.0 * margin;
                            let near_high = (x - high).abs() < 2.0 * margin;
                            near_counts[0] += u32::from(near_low && outcomes.accepted >> i & 1 == 1);
                            near_counts[1] += u32::from(near_low && outcomes.accepted >> i & 1 == 0);
                            near_counts[2] += u32::from(near_high && outcomes.not_rejected >> i & 1 == 0);
                            near_counts[3] += u32::from(near_high && outcomes.not_rejected >> i & 1 == 1);
                        }
                    }
                    ahead.advance(JUDGED);
                }
            }
            near_counts
        }
    }
    for level in Level::available() {
        let near_counts = level.run(JudgeMarginTest);
        println!("{level}: {near_counts:?}");
        assert!(
            near_counts.iter().all(|count| *count > 200),
            "{level}: too few candidates near a bound: {near_counts:?}"
        );
    }
}
