//! The tables of the scheme, computed from the formulas that define them (specification 2.1). Only
//! `EXP_COEFFICIENTS` is copied.

use super::Q;
use super::fourier::Complex;
use super::reals::Real;
use super::ring::bit_reversed;
use num_traits::ToPrimitive;
use std::sync::LazyLock;

/// The tables and constants. An array of 11 numbers has an entry for each degree `2^logn`, with the
/// index logn. The entries 0 and 1 are not used.
pub struct Tables {
    /// `1 / sigma`, where sigma is the standard deviation of coefficients in a signature.
    pub inv_sigma: [f64; 11],
    /// The smallest standard deviation that the sampler receives (see [`sigma_min`]).
    pub sigma_min: [f64; 11],
    /// `floor(2n (1.1 sigma)^2)`: the largest `|s1|^2 + |s2|^2` that a signature may have.
    pub norm_bound: [i64; 11],
    /// `RCDT[i]`: the probability that the base sampler's value exceeds i, in units of `2^-79`.
    pub rcdt: Vec<u128>,
    /// `KG[j]`: the probability that a sample exceeds j in absolute value, in units of `2^-15`. At
    /// degree 1024, a coefficient of f or g is a sample from `kg1024`. At degree n below 1024, a
    /// coefficient is the sum of `512 / n` samples from `kg512`.
    pub kg512: Vec<u16>,
    pub kg1024: Vec<u16>,
    /// `GM[k] = exp(i pi rev10(k) / 1024)`.
    pub gm: Vec<Complex>,
    pub inv_q: f64,
    pub ln2: f64,
    pub inv_ln2: f64,
    /// `1 / (2 sigma_0^2)`, where `sigma_0 = 1.8205` is the base sampler's deviation.
    pub inv_2sqrsigma0: f64,
}

/// The polynomial for `exp(-x)` on `[0, ln 2)` (FACCT, ePrint 2018/1234), scaled by `2^63`.
/// Formulas compute all tables except this one.
pub const EXP_COEFFICIENTS: [u64; 13] = [
    0x00000004741183A3,
    0x00000036548CFC06,
    0x0000024FDCBF140A,
    0x0000171D939DE045,
    0x0000D00CF58F6F84,
    0x000680681CF796E3,
    0x002D82D8305B0FEA,
    0x011111110E066FD0,
    0x0555555555070F00,
    0x155555555581FF00,
    0x400000000002B400,
    0x7FFFFFFFFFFF4800,
    0x8000000000000000,
];

pub static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let pi = Real::pi();
    let ln2 = Real::from(2).ln();
    let sigma_min: Vec<Real> = (0..=10).map(|logn| sigma_min(1 << logn, &pi)).collect();
    let sigma: Vec<Real> = sigma_min.iter().map(sigma).collect();
    let by_logn = |f: &dyn Fn(usize) -> f64| std::array::from_fn(f);
    Tables {
        inv_sigma: by_logn(&|logn| (Real::from(1) / sigma[logn].clone()).to_f64()),
        sigma_min: by_logn(&|logn| sigma_min[logn].to_f64()),
        norm_bound: std::array::from_fn(|logn| {
            let coefficient_square = (Real::ratio(11, 10) * sigma[logn].clone()).squared();
            (Real::from(2 << logn) * coefficient_square).floor().to_i64().expect("a number with 64 bits")
        }),
        rcdt: rcdt(),
        kg512: kg(512),
        kg1024: kg(1024),
        gm: (0..1024).map(|k| root(k, &pi)).collect(),
        inv_q: Real::ratio(1, Q).to_f64(),
        ln2: ln2.to_f64(),
        inv_ln2: (Real::from(1) / ln2).to_f64(),
        inv_2sqrsigma0: (Real::from(1) / (Real::from(2) * sigma0().squared())).to_f64(),
    }
});

/// Computes the smoothing parameter of `Z^2n`: `sqrt(ln(4n (1 + 1/eps)) / pi) / sqrt(2 pi)` with
/// `eps = 1 / sqrt(max(2, n/4) 2^64)`.
pub fn sigma_min(n: i64, pi: &Real) -> Real {
    let one_over_eps = (Real::from((n / 4).max(2)) * Real::power_of_two(64)).sqrt();
    let ln = (Real::from(4 * n) * (Real::from(1) + one_over_eps)).ln();
    (ln / pi.clone()).sqrt() / (Real::from(2) * pi.clone()).sqrt()
}

/// Computes the standard deviation of a signature's coefficients: `1.17 sqrt(q) sigma_min`.
pub fn sigma(sigma_min: &Real) -> Real {
    sigma_min.clone() * Real::ratio(117, 100) * Real::from(Q).sqrt()
}

/// Returns the base sampler's standard deviation.
pub fn sigma0() -> Real {
    Real::ratio(18205, 10000)
}

/// Computes `exp(-z^2 / (2 sigma^2))` for z = 0, 1, .. 199. If sigma is below 10, the result for a
/// larger z is zero at this precision.
pub fn gaussian(sigma: &Real) -> Vec<Real> {
    (0..200).map(|z| (-(Real::from(z * z) / (Real::from(2) * sigma.squared()))).exp()).collect()
}

/// Computes the base sampler's table: `RCDT[i] = round(2^79 Pr[z > i])`. The probability of each
/// integer `z >= 0` is proportional to `exp(-z^2 / (2 sigma_0^2))`.
fn rcdt() -> Vec<u128> {
    let rho = gaussian(&sigma0());
    let total: Real = rho.iter().cloned().sum();
    let tail = |i: usize| rho[i + 1..].iter().cloned().sum::<Real>();
    let entry = |i| (Real::power_of_two(79) * tail(i) / total.clone()).round().to_u128();
    (0..18).map(|i| entry(i).expect("79 bits")).collect()
}

/// Computes `KG[j] = round(2^15 Pr[|X| > j])` until it is 0, where X is a Gaussian over the
/// integers with deviation `1.17 sqrt(q / 2n)`.
fn kg(n: i64) -> Vec<u16> {
    let rho = gaussian(&(Real::ratio(117, 100) * Real::ratio(Q, 2 * n).sqrt()));
    let tail = |i: usize| Real::from(2) * rho[i + 1..].iter().cloned().sum::<Real>();
    let total = rho[0].clone() + tail(0);
    let entry = |j| (Real::power_of_two(15) * tail(j) / total.clone()).round().to_u16().expect("15 bits");
    (0..).map(entry).take_while(|x| *x > 0).collect()
}

/// Computes `GM[k]`, a power of `exp(i pi / 1024)`.
fn root(k: usize, pi: &Real) -> Complex {
    let angle = pi.clone() * Real::ratio(bit_reversed(k, 10) as i64, 1024);
    Complex { re: angle.cos().to_f64(), im: angle.sin().to_f64() }
}
