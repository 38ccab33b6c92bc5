//! Complex numbers and the transform (specification 2.6, items 1 and 4).
//!
//! Every `+`, `-` and `*` of binary64 numbers rounds its result. Two programs that round
//! differently make different signatures, so the order of these operations is part of the scheme.

use super::tables::TABLES;
use std::ops::{Add, Mul, Sub};

/// A complex number with binary64 parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Add for Complex {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { re: self.re + o.re, im: self.im + o.im }
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self { re: self.re - o.re, im: self.im - o.im }
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

impl Complex {
    pub fn conj(self) -> Self {
        Self { re: self.re, im: -self.im }
    }

    /// Returns the squared absolute value.
    pub fn norm(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    pub fn scale(self, by: f64) -> Self {
        Self { re: self.re * by, im: self.im * by }
    }
}

/// A polynomial, represented by its n/2 values at the roots of `X^n + 1` in the upper half plane.
/// The values at the other roots are the conjugates.
pub type FourierValues = Vec<Complex>;

/// Computes `FFT(a)`. The first step reduces the polynomial modulo `X^(n/2) - i`, which gives n/2
/// complex coefficients. Each further step reduces a polynomial modulo `X^(2m) - s^2` to two
/// polynomials: modulo `X^m - s` and modulo `X^m + s`.
pub fn fft(a: &[f64]) -> FourierValues {
    let (re, im) = a.split_at(a.len() / 2);
    let layer = re.iter().zip(im).map(|(re, im)| Complex { re: *re, im: *im }).collect();
    split_recursively(layer, 2)
}

/// Computes the values of a polynomial modulo `X^(2m) - s^2` at the roots for this modulus, where
/// `s = GM[node]`.
fn split_recursively(a: FourierValues, node: usize) -> FourierValues {
    if a.len() == 1 {
        return a;
    }
    let (x, y) = a.split_at(a.len() / 2);
    let s = TABLES.gm[node];
    let plus = x.iter().zip(y).map(|(x, y)| *x + s * *y).collect();
    let minus = x.iter().zip(y).map(|(x, y)| *x - s * *y).collect();
    [split_recursively(plus, 2 * node), split_recursively(minus, 2 * node + 1)].concat()
}

/// Returns the polynomial with these values. Here, the order of operations is not part of the
/// scheme. The callers round the result to integers, or compare its norm with a bound
/// (`keygen::ortho_square_norm`), so they do not need exact bits.
pub fn inverse_fft(values: &[Complex]) -> Vec<f64> {
    let layer = join_recursively(values, 2);
    layer.iter().map(|z| z.re).chain(layer.iter().map(|z| z.im)).collect()
}

/// Computes the inverse of [`split_recursively`].
fn join_recursively(values: &[Complex], node: usize) -> FourierValues {
    if values.len() == 1 {
        return values.to_vec();
    }
    let (plus, minus) = values.split_at(values.len() / 2);
    let (plus, minus) = (join_recursively(plus, 2 * node), join_recursively(minus, 2 * node + 1));
    let s = TABLES.gm[node].conj();
    let x = plus.iter().zip(&minus).map(|(p, m)| (*p + *m).scale(0.5));
    let y = plus.iter().zip(&minus).map(|(p, m)| ((*p - *m) * s).scale(0.5));
    x.chain(y).collect()
}

/// Returns the root that [`split`] and [`merge`] use for pair `i` in a list of `m` values.
fn pair_root(m: usize, i: usize) -> Complex {
    TABLES.gm[m + i]
}

/// Splits `f(X) = f0(X^2) + X f1(X^2)`: computes the values for f0 and f1 from the values for f.
pub fn split(f: &[Complex]) -> (FourierValues, FourierValues) {
    let pairs = f.chunks(2).enumerate();
    pairs
        .map(|(i, pair)| {
            let (a, b, s) = (pair[0], pair[1], pair_root(f.len(), i));
            ((a + b).scale(0.5), ((a - b) * s.conj()).scale(0.5))
        })
        .unzip()
}

/// Computes [`split`] for an f with real values, for example `d d*`. Then `f0` also has real
/// values.
pub fn split_self(f: &[f64]) -> (Vec<f64>, FourierValues) {
    let pairs = f.chunks(2).enumerate();
    pairs
        .map(|(i, pair)| {
            let (a, b, s) = (pair[0], pair[1], pair_root(f.len(), i));
            ((a + b) * 0.5, s.conj().scale((a - b) * 0.5))
        })
        .unzip()
}

/// Undoes [`split`]: computes the values for f from the values for f0 and f1.
pub fn merge(f0: &[Complex], f1: &[Complex]) -> FourierValues {
    let m = 2 * f0.len();
    let pairs = f0.iter().zip(f1).enumerate();
    pairs
        .flat_map(|(i, (a, b))| {
            let b = pair_root(m, i) * *b;
            [*a + b, *a - b]
        })
        .collect()
}
