//! Key generation (specification 2.4): samples f and g, checks their norms, and solves the NTRU
//! equation. Tests call `keygen`, and `codec` checks a decoded private key with the norms.

use super::Q;
use super::codec::{SigningKey, encode_signing_key, encode_verifying_key};
use super::fourier::{Complex, fft, inverse_fft};
use super::hash::ShakeStream;
use super::ntru::ntru_solve;
use super::ring::{infinity_norm, ntt, square_norm};
use super::tables::TABLES;

/// The exclusive bound on `|f|^2 + |g|^2`. This norm must be below `(1.17 sqrt(q))^2 = 16822.4...`.
/// The norm is an integer, so it must be below 16823.
pub const FG_NORM_BOUND: i64 = 16823;

/// Returns the bound on [`ortho_square_norm`]: `(0.999 * 1.17)^2 q`, rounded to a number with 32
/// fraction bits.
pub fn ortho_norm_bound() -> f64 {
    72_107_278_641_426.0 / 2f64.powi(32)
}

/// Generates an encoded key pair of degree `2^logn`: (private, public).
pub fn keygen(logn: u32, seed: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let mut stream = ShakeStream::new(&[seed]);
    loop {
        if let Some(key) = candidate(logn, &mut stream) {
            let public = encode_verifying_key(&key.f, &key.g);
            return (encode_signing_key(&key, &public), public);
        }
    }
}

/// Samples the next candidate for a key from the stream. Returns `None` if a check rejects the
/// candidate.
fn candidate(logn: u32, stream: &mut ShakeStream) -> Option<SigningKey> {
    let f = sample(logn, stream);
    if ntt(&f).contains(&0) {
        return None; // The specification rejects f before it samples g.
    }
    let g = sample(logn, stream);
    if square_norm(&f) + square_norm(&g) >= FG_NORM_BOUND || ortho_square_norm(&f, &g) >= ortho_norm_bound() {
        return None;
    }
    let (capital_f, capital_g) = ntru_solve(&f, &g)?;
    if infinity_norm(&capital_f) > 127 || infinity_norm(&capital_g) > 127 {
        return None;
    }
    let key = SigningKey { f, g, capital_f, capital_g };
    assert!(key.solves_ntru_equation());
    Some(key)
}

/// Samples f or g: small Gaussian coefficients with an odd sum. A coefficient with a magnitude
/// above 127 is sampled again. The last coefficient is also sampled again if the sum of all
/// coefficients is even.
pub fn sample(logn: u32, stream: &mut ShakeStream) -> Vec<i64> {
    let n = 1 << logn;
    let mut f: Vec<i64> = Vec::new();
    while f.len() < n {
        let x = coefficient(logn, stream);
        let last = f.len() == n - 1;
        let parity = (f.iter().sum::<i64>() + x).rem_euclid(2);
        if x.abs() <= 127 && (!last || parity == 1) {
            f.push(x);
        }
    }
    f
}

/// Samples a coefficient: the sum of `512 / n` samples from the distribution for degree 512. For
/// degree 1024, it is a single sample from a separate distribution.
fn coefficient(logn: u32, stream: &mut ShakeStream) -> i64 {
    let (table, sample_count) = if logn == 10 { (&TABLES.kg1024, 1) } else { (&TABLES.kg512, 1 << (9 - logn)) };
    let mut draw = || {
        let u = stream.u16();
        let a = table.iter().filter(|entry| u >> 1 < **entry).count() as i64;
        if u % 2 == 1 { -a } else { a }
    };
    (0..sample_count).map(|_| draw()).sum()
}

/// Computes `|q f* / (f f* + g g*)|^2 + |q g* / (f f* + g g*)|^2`, the square norm of the second
/// Gram-Schmidt vector.
pub fn ortho_square_norm(f: &[i64], g: &[i64]) -> f64 {
    let values = |a: &[i64]| fft(&a.iter().map(|x| *x as f64).collect::<Vec<_>>());
    let (f, g) = (values(f), values(g));
    let part = |a: &[Complex]| -> f64 {
        let value = |i: usize| a[i].conj().scale(Q as f64 / (f[i].norm() + g[i].norm()));
        inverse_fft(&(0..f.len()).map(value).collect::<Vec<_>>()).iter().map(|x| x * x).sum()
    };
    part(&f) + part(&g)
}
