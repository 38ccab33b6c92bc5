//! Tests the distribution of `sampler_z`, which samples integers from a Gaussian distribution. A
//! chi-square test checks 32 pairs of a centre and a standard deviation.
//!
//! The normal run uses 200,000 samples per pair, and `FNDSA_LONG=1` uses ten million.

mod common;

use common::library::levels;
use common::{long, parallel};
use fndsa::algorithm::Degree;
use fndsa::no_alloc::Level;
use fndsa::testing::sampler_z;
use std::collections::BTreeMap;

const CENTRES: [f64; 8] = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, -3.3, 117.49];
/// Deviations between 1.2778, which is `sigma_min` at degree 512, and 1.8205. The signer uses
/// deviations in this range.
const SIGMAS: [f64; 4] = [1.2785, 1.4, 1.6, 1.82];

type Histogram = BTreeMap<i32, u64>;

/// Samples `count` numbers, and counts how often each number occurs.
fn histogram(level: Level, seed: &[u8], centre: f64, sigma: f64, count: usize) -> Histogram {
    let mut h = Histogram::new();
    let mut samples = vec![0; 100_000];
    for block in 0..count.div_ceil(samples.len()) {
        let seed = [seed, &(block as u64).to_le_bytes()].concat();
        let samples = &mut samples[..(count - block * 100_000).min(100_000)];
        sampler_z(level, Degree::N512, &seed, centre, 1.0 / sigma, samples);
        for z in samples {
            *h.entry(*z).or_default() += 1;
        }
    }
    h
}

/// Returns `Q(a, x)`, the regularized upper incomplete gamma function. `2a` must be a positive
/// integer. Uses the series for small x, and the continued fraction (Lentz) for large x.
fn gamma_q(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let factor = (-x + a * x.ln() - ln_gamma_of_half(a)).exp();
    if x < a + 1.0 {
        let (mut sum, mut term, mut k) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            k += 1.0;
            term *= x / k;
            sum += term;
        }
        return 1.0 - factor * sum;
    }
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut h = d;
    for i in 1..10_000 {
        let an = -f64::from(i) * (f64::from(i) - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        h *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    factor * h
}

/// Returns `ln Gamma(a)`. `2a` must be a positive integer. Reduces the argument to `Gamma(1) = 1`
/// or `Gamma(1/2) = sqrt(pi)`.
fn ln_gamma_of_half(mut a: f64) -> f64 {
    let mut total = 0.0;
    while a > 1.0 {
        a -= 1.0;
        total += a.ln();
    }
    if a == 1.0 { total } else { total + std::f64::consts::PI.sqrt().ln() }
}

/// Returns the p-value of the chi-square test: the probability that samples of the discrete
/// Gaussian differ from the expected counts at least as much as this histogram. Joins adjacent
/// numbers into classes, so that at least ten samples are expected in each class.
fn p_value(histogram: &Histogram, centre: f64, sigma: f64) -> f64 {
    let (lo, hi) = (centre.floor() as i32 - 14, centre.ceil() as i32 + 14);
    let weight = |z: i32| (-(f64::from(z) - centre).powi(2) / (2.0 * sigma * sigma)).exp();
    let total: f64 = (lo..=hi).map(weight).sum();
    let count: u64 = histogram.values().sum();
    assert!(histogram.keys().all(|z| (lo..=hi).contains(z)), "a sample 14 away from the centre");
    let mut classes: Vec<(f64, f64)> = Vec::new();
    let (mut expected, mut found) = (0.0, 0.0);
    for z in lo..=hi {
        expected += count as f64 * weight(z) / total;
        found += *histogram.get(&z).unwrap_or(&0) as f64;
        if expected >= 10.0 {
            classes.push((expected, found));
            (expected, found) = (0.0, 0.0);
        }
    }
    let last = classes.last_mut().expect("enough samples");
    *last = (last.0 + expected, last.1 + found);
    let chi_square: f64 = classes.iter().map(|(e, f)| (f - e).powi(2) / e).sum();
    gamma_q((classes.len() - 1) as f64 / 2.0, chi_square / 2.0)
}

/// Returns the pairs of a centre and a standard deviation.
fn centre_and_sigma_pairs() -> Vec<(f64, f64)> {
    CENTRES.iter().flat_map(|mu| SIGMAS.map(|sigma| (*mu, sigma))).collect()
}

#[test]
fn the_statistical_test_gives_known_values() {
    // Published values of chi-square: degrees of freedom, value, and the probability of a larger
    // value.
    for (freedom, x, p) in [
        (1.0, 3.841458821, 0.05),
        (2.0, 9.210340372, 0.01),
        (5.0, 11.07049769, 0.05),
        (5.0, 20.51500565, 0.001),
        (10.0, 18.30703805, 0.05),
        (10.0, 3.940299136, 0.95),
    ] {
        let found = gamma_q(freedom / 2.0, x / 2.0);
        assert!((found / p - 1.0).abs() < 1e-7, "{freedom} {x}: {found} is not {p}");
    }
}

#[test]
fn samples_have_the_discrete_gaussian_distribution() {
    let count = if long() { 10_000_000 } else { 200_000 };
    let level = Level::detect();
    let pairs = centre_and_sigma_pairs();
    let p_values = parallel(pairs.len(), |i| {
        let (centre, sigma) = pairs[i];
        p_value(&histogram(level, format!("pair {i}").as_bytes(), centre, sigma, count), centre, sigma)
    });
    let least_p = p_values.iter().copied().fold(1.0, f64::min);
    let low_count = p_values.iter().filter(|p| **p < 0.01).count();
    println!(
        "{count} samples for each of {} pairs on {level}: least p {least_p:.3e}, {low_count} below 0.01",
        pairs.len()
    );
    assert!(least_p > 1e-4 && low_count <= 3, "{p_values:?}");
}

#[test]
fn a_slightly_wrong_distribution_is_detected() {
    let level = Level::detect();
    let pairs = centre_and_sigma_pairs();
    parallel(pairs.len(), |i| {
        let (centre, sigma) = pairs[i];
        let h = histogram(level, format!("pair {i}").as_bytes(), centre, sigma, 200_000);
        for (what, centre, sigma) in
            [("sigma 2 % larger", centre, sigma * 1.02), ("centre moved by 0.05", centre + 0.05, sigma)]
        {
            let p = p_value(&h, centre, sigma);
            assert!(p < 1e-6, "{centre} {sigma}, {what}: p {p:.3e}");
        }
    });
}

#[test]
fn every_level_samples_the_same_numbers() {
    let levels = levels();
    let pairs = centre_and_sigma_pairs();
    parallel(pairs.len(), |i| {
        let (centre, sigma) = pairs[i];
        for degree in Degree::all().filter(|d| d.logn() <= 9) {
            let sample = |level| {
                let mut out = vec![0; 2000];
                sampler_z(level, degree, &[i as u8], centre, 1.0 / sigma, &mut out);
                out
            };
            let expected = sample(levels[0]);
            assert!(levels.iter().all(|level| sample(*level) == expected), "{centre} {sigma}");
        }
    });
}

/// Checks that all levels accept and reject the same candidates. Some levels decide most candidates
/// with less precision, which could be wrong for special centres. So the centres are close to an
/// integer, close to the middle between two integers, far from zero, or have any fraction. The
/// deviations include both ends of the signer's range. `emulated` is slow and decides fewer
/// candidates.
#[test]
fn all_levels_decide_candidates_in_the_same_way() {
    let count = if long() { 2_000_000 } else { 20_000 };
    let mut centres = vec![0.0, -0.0, 1e-300, -1e-300, 1.0 - f64::EPSILON, f64::EPSILON - 1.0, 0.5, -0.5, 1e6 + 0.25];
    centres.extend([-1e6 - 1e-9, 123_456_789.75, -0.000_001, 0.499_999_999, 0.500_000_001]);
    centres.extend((0..26).map(|i| f64::from(i) * std::f64::consts::E - 30.0));
    // Two deviations are next to the ends of the signer's range: `sigma_min` at degree 512 is
    // 1.27783, and the upper end is 1.8205.
    let inv_sigmas = [1.0 / 1.8204, 1.0 / 1.5, 1.0 / 1.2779];
    let scalar = Level::from_name("scalar").unwrap_or(Level::EMULATED);
    parallel(centres.len(), |i| {
        let centre = centres[i];
        let mut expected = vec![0; count];
        let mut found = vec![0; count];
        for (j, inv_sigma) in inv_sigmas.into_iter().enumerate() {
            let seed = [i as u8, j as u8];
            sampler_z(scalar, Degree::N512, &seed, centre, inv_sigma, &mut expected);
            for level in levels().into_iter().filter(|level| *level != scalar) {
                let count = if level == Level::EMULATED { count / 20 } else { count };
                sampler_z(level, Degree::N512, &seed, centre, inv_sigma, &mut found[..count]);
                let first_difference = expected[..count].iter().zip(&found).position(|(a, b)| a != b);
                assert_eq!(first_difference, None, "{level}, centre {centre:e}, 1/sigma' {inv_sigma}");
            }
        }
    });
}
