//! Measures how much security the sampler's rounding costs. The measure is the distance between the
//! distribution of the engine's sampler and the ideal distribution, in exact arithmetic.
//!
//! The measure is the Renyi divergence of order 513, as for Falcon (ePrint 2019/1411). If an attack
//! on an ideal sampler succeeds with probability `p`, it succeeds on the engine's sampler with
//! probability at most `(p R^N)^(512/513)`. R is the divergence for a call, and N is the number of
//! calls. `log2 R^N` is the loss in bits.
//!
//! An outcome in this measure is all data that a call reveals: its sample and its candidate count.

use super::exact::{Dyadic, ExactCentre, ExactLeaf, ExactSampler};
use super::reference::reals::Real as Digits;
use super::reference::tables::{self, gaussian};
use crate::engine::falcon::sampler::*;
use num_bigint::BigInt;

/// The order of the Renyi divergence.
const ORDER: u32 = 513;
/// The largest loss of security, in bits, that 2^64 signatures may cause.
const LOSS: f64 = 0.25;

/// Returns `log2 R^N` for `N = 2^calls`, where `power` is `R^512`.
fn loss(power: Digits, calls: u32) -> f64 {
    (power.ln() / Digits::from(2).ln() / Digits::from(i64::from(ORDER) - 1) * Digits::power_of_two(calls)).to_f64()
}

/// Returns `p (p/q)^512`, which an outcome with the real probability p and the ideal probability q
/// adds to `R^512`.
fn term(p: Digits, q: Digits) -> Digits {
    p.clone() * (p / q).power(ORDER - 1)
}

/// Returns the probabilities of a half Gaussian, without the tail that is negligible at 256 bits.
fn half_gaussian() -> Vec<Digits> {
    let weights = gaussian(&tables::sigma0());
    let total: Digits = weights.iter().cloned().sum();
    weights.into_iter().map(|weight| weight / total.clone()).collect()
}

#[test]
fn the_base_sampler_is_near_the_half_gaussian() {
    let ideal = half_gaussian();
    let unit = Digits::power_of_two(79);
    for (i, entry) in TAIL.iter().enumerate() {
        let tail_sum: Digits = ideal[i + 1..].iter().cloned().sum();
        assert_eq!((tail_sum * unit.clone()).round(), BigInt::from(*entry), "entry {i}");
    }
    let weights = ExactSampler::of_the_engine().base_weights();
    let mut power = Digits::from(0);
    let mut largest: f64 = 0.0;
    for (z, (weight, q)) in weights.iter().zip(&ideal).enumerate() {
        let p = Digits::from_integer(BigInt::from(*weight)) / unit.clone();
        if z < 12 {
            largest = largest.max((p.clone() / q.clone() - Digits::from(1)).to_f64().abs());
        }
        power = power + term(p, q.clone());
    }
    println!("relative error of a probability, z < 12: at most {largest:.2e}");
    assert!(largest < 1e-16);
    for (degree, calls) in [(512, 74), (1024, 75)] {
        let loss = loss(power.clone(), calls);
        println!("degree {degree}: 2^{calls} base samples lose {loss:.4} bits");
        assert!(loss < LOSS);
    }
}

#[test]
fn the_polynomial_is_near_exp() {
    let ln_2 = Digits::from(2).ln();
    let unit = Digits::power_of_two(63);
    let (mut largest, mut largest_computed): (f64, f64) = (0.0, 0.0);
    let steps = 2500;
    for i in 0..=steps {
        let x = ln_2.clone() * Digits::ratio(i, steps);
        let r = u64::try_from((x * Digits::power_of_two(64)).floor()).unwrap();
        let x = Digits::from_integer(r.into()) / Digits::power_of_two(64);
        let ideal = (-x.clone()).exp();
        let [first, rest @ ..] = EXP.map(|c| Digits::from_integer(c.into()) / unit.clone());
        let polynomial = rest.into_iter().fold(first, |y, c| c - x.clone() * y);
        largest = largest.max((polynomial - ideal.clone()).to_f64().abs());
        // `exp_neg` returns 2^62 exp(-x), and rounds down at most 13 times.
        let computed = Digits::from_integer(exp_neg(r, 1 << 63).into()) / Digits::power_of_two(62);
        largest_computed = largest_computed.max((computed - ideal).to_f64().abs());
    }
    println!("exp(-x) at {steps} points: off by 2^{:.2}, computed by 2^{:.2}", largest.log2(), largest_computed.log2());
    assert!(largest < 2f64.powi(-51) && largest_computed < 2f64.powi(-51));
}

/// Returns two numbers for a sampler call:
///
/// - `R^512`
/// - the probability that the call accepts a candidate with `k > 63`, where `k = floor(x / ln 2)`.
///   For such a candidate, the engine uses `k = 63` instead.
///
/// `total` is the sum of the half Gaussian's weights, and `leaf` is `1/sigma'` and `sigma_min`.
fn call(sampler: &ExactSampler, weights: &[Digits], total: &Digits, fraction: f64, leaf: [f64; 2]) -> (Digits, f64) {
    let [inv_sigma, sigma_min] = leaf;
    let (centre, leaf) = (ExactCentre::new(fraction), ExactLeaf::new(inv_sigma, sigma_min));
    // The ideal sampler uses the engine's value of ccs, the factor in the probability `ccs exp(-x)`
    // that a candidate is accepted.
    let ccs = Digits::from_integer(leaf.scale.clone().into()) / Digits::power_of_two(64);
    let dss = Digits::from_f64(inv_sigma).squared() / Digits::from(2);
    let half = Digits::ratio(1, 2);
    let (mut power, mut p_yes, mut q_yes, mut saturated) = (Digits::from(0), Digits::from(0), Digits::from(0), 0.0);
    for z0 in 0..26u32 {
        for b in 0..2 {
            let (z, x): (i64, Dyadic) = sampler.candidate(&centre, &leaf, z0, b);
            let distance = Digits::from(z) - Digits::from_f64(fraction);
            let q = half.clone() * ccs.clone() * (-(distance.squared() * dss.clone())).exp() / total.clone();
            q_yes = q_yes + q.clone();
            let Some(weight) = weights.get(z0 as usize) else { continue };
            let acceptance = Digits::from_integer(sampler.threshold(&x, &leaf.scale).into()) / Digits::power_of_two(64);
            let p = half.clone() * weight.clone() * acceptance;
            p_yes = p_yes + p.clone();
            if sampler.halvings(&x) > 63 {
                saturated += p.to_f64();
            } else {
                power = power + term(p, q);
            }
        }
    }
    let rejected = term(Digits::from(1) - p_yes.clone(), Digits::from(1) - q_yes);
    // The divisor `1 - rejected` results from the geometric series over all numbers of rejected
    // candidates.
    (power / (Digits::from(1) - rejected), saturated / p_yes.to_f64())
}

/// Measures the combined loss from four sources: the table, the polynomial, every rounding before
/// the threshold, and the low bits of the threshold, which a shift removes. The centres and
/// deviations cover their whole range.
#[test]
fn two_to_the_64_signatures_lose_less_than_a_quarter_of_a_bit() {
    let sampler = ExactSampler::of_the_engine();
    let unit = Digits::power_of_two(79);
    let weights: Vec<Digits> =
        sampler.base_weights().into_iter().map(|w| Digits::from_integer(BigInt::from(w)) / unit.clone()).collect();
    let total: Digits = gaussian(&tables::sigma0()).into_iter().sum();
    let fractions = [0.0, 2f64.powi(-40), 0.1, 0.25, 0.5, 0.7, 0.9, 1f64.next_down()];
    for (logn, calls) in [(9, 74), (10, 75)] {
        let sigma_min = f64::from_bits(SIGMA_MIN[logn]);
        let mut worst: (f64, f64) = (-1.0, 0.0);
        for i in 0..=6 {
            let sigma = sigma_min * (1.0 + 2f64.powi(-40)) * (1.8205 / sigma_min).powf(f64::from(i) / 6.02);
            for fraction in fractions {
                let (power, saturated) = call(&sampler, &weights, &total, fraction, [1.0 / sigma, sigma_min]);
                let loss = loss(power, calls);
                worst = (worst.0.max(loss), worst.1.max(saturated));
            }
        }
        let saturated = worst.1.log2() + f64::from(calls);
        println!("degree {}: 2^64 signatures lose {:.4} bits; k > 63 in one with 2^{saturated:.1}", 1 << logn, worst.0);
        assert!(worst.0 < LOSS && saturated < -30.0);
    }
}
