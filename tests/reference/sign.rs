//! Signing (specification 2.5 and 2.6). Tests call `sign` for a signature, or `attempt` for the
//! intermediate values of an attempt. `tests/negatives/craft.rs` calls `ff_sampling`.

use super::codec::{SigningKey, compress, encode_fg, signature_len};
use super::fourier::{Complex, FourierValues, fft, inverse_fft, merge, split, split_self};
use super::hash::{ShakeStream, h, hash_to_point};
use super::ring::{difference, product, sum};
use super::sampler::Sampler;
use super::tables::TABLES;
use super::verify::is_short;

/// A successful attempt with its intermediate values.
pub struct Attempt {
    pub counter: u8,
    pub nonce: [u8; 40],
    pub c: Vec<i64>,
    pub s1: Vec<i64>,
    pub s2: Vec<i64>,
    pub sampler_calls: u32,
    pub sampler_candidates: u32,
    pub signature: Vec<u8>,
}

/// Signs `mu` with 40 random bytes. Returns `None` after 27 failed attempts.
pub fn sign(key: &SigningKey, mu: &[u8; 64], random: &[u8; 40]) -> Option<Vec<u8>> {
    (0..27).find_map(|counter| attempt(key, mu, random, counter)).map(|a| a.signature)
}

/// Makes an attempt to sign: samples a nonce, hashes the nonce and `mu` to a point, finds a lattice
/// point near this point, and checks whether the difference is short. Returns `None` if the
/// difference is too long, or if s2 does not fit into a signature.
pub fn attempt(key: &SigningKey, mu: &[u8; 64], random: &[u8; 40], counter: u8) -> Option<Attempt> {
    let n = key.f.len();
    let logn = n.ilog2();
    let hsk: [u8; 40] = h(&[&encode_fg(key)]);
    let seed: [u8; 40] = h(&[&hsk, mu, random]);
    let mut stream = ShakeStream::new(&[&seed, &[counter]]);
    let nonce = stream.bytes();
    let c = hash_to_point(n, &nonce, mu);
    let mut sampler = Sampler::new(logn, stream);

    let basis = Basis::new(key);
    let (t0, t1) = basis.target(&c);
    let (z0, z1) = ff_sampling(t0, t1, basis.gram(), &mut sampler, TABLES.inv_sigma[logn as usize]);
    let (z0, z1) = (integers(&z0), integers(&z1));

    // (s1, s2) = (c, 0) - (z0, z1) [[g, -f], [G, -F]]
    let s1 = difference(&c, &sum(&product(&z0, &key.g), &product(&z1, &key.capital_g)));
    let s2 = sum(&product(&z0, &key.f), &product(&z1, &key.capital_f));
    is_short(&s1, &s2).ok()?;
    let body = compress(&s2, signature_len(logn) - 41)?;
    let signature = [&[0x30 + logn as u8][..], &nonce, &body].concat();
    let (sampler_calls, sampler_candidates) = (sampler.calls, sampler.candidates);
    Some(Attempt { counter, nonce, c, s1, s2, sampler_calls, sampler_candidates, signature })
}

/// The basis B, which is the matrix `[[b00, b01], [b10, b11]] = [[g, -f], [G, -F]]`.
pub struct Basis {
    pub b00: FourierValues,
    pub b01: FourierValues,
    pub b10: FourierValues,
    pub b11: FourierValues,
}

/// The matrix `B B*` for a basis B. The diagonal is real, and `g10` is the conjugate of `g01`.
pub struct GramMatrix {
    pub g00: Vec<f64>,
    pub g01: FourierValues,
    pub g11: Vec<f64>,
}

impl Basis {
    /// Computes the transforms of the private polynomials.
    pub fn new(key: &SigningKey) -> Self {
        let plus = |a: &[i64]| fft(&a.iter().map(|x| *x as f64).collect::<Vec<_>>());
        let minus = |a: &[i64]| plus(a).into_iter().map(|z| Complex { re: -z.re, im: -z.im }).collect();
        Self { b00: plus(&key.g), b01: minus(&key.f), b10: plus(&key.capital_g), b11: minus(&key.capital_f) }
    }

    /// Computes `B B*`.
    pub fn gram(&self) -> GramMatrix {
        let norms = |a: &FourierValues, b: &FourierValues| a.iter().zip(b).map(|(a, b)| a.norm() + b.norm()).collect();
        let cross = |i: usize| self.b00[i] * self.b10[i].conj() + self.b01[i] * self.b11[i].conj();
        GramMatrix {
            g00: norms(&self.b00, &self.b01),
            g01: (0..self.b00.len()).map(cross).collect(),
            g11: norms(&self.b10, &self.b11),
        }
    }

    /// Computes `(t0, t1) = (c, 0) B^-1`: the coordinates of the point (c, 0) in the basis B. The
    /// determinant of B is q.
    pub fn target(&self, c: &[i64]) -> (FourierValues, FourierValues) {
        let c = fft(&c.iter().map(|x| *x as f64).collect::<Vec<_>>());
        let times = |b: &FourierValues, by: f64| c.iter().zip(b).map(|(c, b)| (*c * *b).scale(by)).collect();
        (times(&self.b11, TABLES.inv_q), times(&self.b01, -TABLES.inv_q))
    }
}

/// Samples an integer vector `z = (z0, z1)` near `t = (t0, t1)`, so that the distribution of the
/// signature does not depend on the basis. Samples the second coordinate first. The centre of the
/// first coordinate depends on the second coordinate. Each coordinate is sampled by the same method
/// in a ring with half the degree.
pub fn ff_sampling(
    t0: FourierValues,
    t1: FourierValues,
    gram: GramMatrix,
    sampler: &mut Sampler,
    inv_sigma: f64,
) -> (FourierValues, FourierValues) {
    let GramMatrix { g00, g01, g11 } = gram;
    let (l10, d11) = ldl(&g00, &g01, &g11);
    let z1 = sample_coordinate(&t1, &d11, sampler, inv_sigma);
    let moved = |i: usize| t0[i] + (t1[i] - z1[i]) * l10[i];
    let t0: FourierValues = (0..t0.len()).map(moved).collect();
    let z0 = sample_coordinate(&t0, &g00, sampler, inv_sigma);
    (z0, z1)
}

/// Samples a single coordinate with centre `t`. `d` is the entry for this coordinate in the
/// diagonal matrix D of [`ldl`], and has real values.
fn sample_coordinate(t: &[Complex], d: &[f64], sampler: &mut Sampler, inv_sigma: f64) -> FourierValues {
    if let [t] = t {
        let leaf = d[0].sqrt() * inv_sigma;
        let re = sampler.sampler_z(t.re, leaf) as f64;
        let im = sampler.sampler_z(t.im, leaf) as f64;
        return vec![Complex { re, im }];
    }
    let (t0, t1) = split(t);
    let (d0, d1) = split_self(d);
    let (z0, z1) = ff_sampling(t0, t1, GramMatrix { g00: d0.clone(), g01: d1, g11: d0 }, sampler, inv_sigma);
    merge(&z0, &z1)
}

/// Computes `G = L D L*` with `L = [[1, 0], [l10, 1]]` and `D = [[g00, 0], [0, d11]]`. Returns l10
/// and d11.
fn ldl(g00: &[f64], g01: &[Complex], g11: &[f64]) -> (FourierValues, Vec<f64>) {
    let row = |i: usize| {
        let inv = 1.0 / g00[i];
        let mu = g01[i].scale(inv);
        (mu.conj(), g11[i] - (mu.re * g01[i].re + mu.im * g01[i].im))
    };
    (0..g00.len()).map(row).unzip()
}

/// Returns the polynomial with these values. Its coefficients are rounded to integers.
fn integers(values: &[Complex]) -> Vec<i64> {
    inverse_fft(values).into_iter().map(|x| x.round() as i64).collect()
}
