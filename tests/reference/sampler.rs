//! Samples integers from a Gaussian distribution around a centre (specification 2.6, item 6).
//! `sign` calls [`Sampler::sampler_z`] for each coordinate of a lattice vector.

use super::hash::ShakeStream;
use super::tables::{EXP_COEFFICIENTS, TABLES};

/// The sampler for a signing attempt.
pub struct Sampler {
    /// The source for all random bytes.
    pub stream: ShakeStream,
    /// The smallest deviation for which the sampler is called, at the key's degree.
    pub sigma_min: f64,
    /// The number of calls to [`Sampler::sampler_z`].
    pub calls: u32,
    /// The number of candidates that these calls sampled.
    pub candidates: u32,
}

impl Sampler {
    pub fn new(logn: u32, stream: ShakeStream) -> Self {
        Self { stream, sigma_min: TABLES.sigma_min[logn as usize], calls: 0, candidates: 0 }
    }

    /// Samples an integer with centre `mu` and deviation `1 / inv_sigma`.
    ///
    /// The base sampler returns an integer `z0 >= 0` from a half Gaussian with deviation 1.8205,
    /// and a random bit. If the bit is 0, the candidate is `floor(mu) - z0`. If the bit is 1, the
    /// candidate is `floor(mu) + 1 + z0`. The sampler accepts a candidate with probability
    /// `ccs exp(-x)`, where `exp(-x)` is the desired distribution divided by the distribution of
    /// the candidates, and `x >= 0`.
    pub fn sampler_z(&mut self, mu: f64, inv_sigma: f64) -> i64 {
        self.calls += 1;
        let s = mu.floor();
        let r = mu - s;
        let dss = (inv_sigma * inv_sigma) * 0.5;
        let ccs = inv_sigma * self.sigma_min;
        loop {
            self.candidates += 1;
            let (z0, b) = self.base_sampler();
            let z = b + (2 * b - 1) * z0;
            let distance = z as f64 - r;
            let x = (distance * distance) * dss;
            let x = x - (z0 * z0) as f64 * TABLES.inv_2sqrsigma0;
            if self.ber_exp(x, ccs) {
                return s as i64 + z;
            }
        }
    }

    /// Samples a nonnegative integer from a half Gaussian with deviation 1.8205, and a random bit.
    fn base_sampler(&mut self) -> (i64, i64) {
        let lo = u128::from(self.stream.u64());
        let hi = u128::from(self.stream.u16());
        let v = lo | hi << 64;
        let z0 = TABLES.rcdt.iter().filter(|entry| v >> 1 < **entry).count();
        (z0 as i64, (v & 1) as i64)
    }

    /// Returns true with probability `ccs exp(-x)`. Computes the threshold `2^64 ccs exp(-x)`, and
    /// returns whether a random 64-bit number is below the threshold. Compares the two numbers byte
    /// by byte, until two bytes differ.
    fn ber_exp(&mut self, x: f64, ccs: f64) -> bool {
        let k = (x * TABLES.inv_ln2).trunc();
        let r = x - k * TABLES.ln2;
        let y = exp_scaled(r, ccs);
        let w = (y.wrapping_mul(2).wrapping_sub(1)) >> (k as u32).min(63);
        for byte in w.to_be_bytes() {
            let [random] = self.stream.bytes();
            if random != byte {
                return random < byte;
            }
        }
        false
    }
}

/// Computes `2^63 ccs exp(-r)` in integers.
fn exp_scaled(r: f64, ccs: f64) -> u64 {
    let fraction = |x: f64| 2 * u128::from((x * 2f64.powi(63)) as u64);
    let times = |fraction: u128, y: u64| ((fraction * u128::from(y)) >> 64) as u64;
    let [first, rest @ ..] = EXP_COEFFICIENTS;
    let y = rest.into_iter().fold(first, |y, c| c.wrapping_sub(times(fraction(r), y)));
    times(fraction(ccs), y)
}
