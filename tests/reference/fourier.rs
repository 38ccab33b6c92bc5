//! Complex numbers and the transform (specification 2.6, items 1 and 4).
//!
//! binary64 rounds, so the order of operations is part of the scheme: two programs that round
//! differently make different signatures. Every `+`, `-` and `*` below is one rounded operation.

use super::tables::TABLES;
use std::ops::{Add, Mul, Sub};

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

    /// The square of the absolute value.
    pub fn norm(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    pub fn scale(self, by: f64) -> Self {
        Self { re: self.re * by, im: self.im * by }
    }
}

/// A polynomial as its n/2 values at the roots of `X^n + 1` in the upper half plane (the others
/// are their conjugates).
pub type Values = Vec<Complex>;

/// `FFT(a)`. Modulo `X^(n/2) = i`, the polynomial is n/2 complex coefficients; every further step
/// splits `X^2m = s^2` into `X^m = s` and `X^m = -s`.
pub fn fft(a: &[f64]) -> Values {
    let (re, im) = a.split_at(a.len() / 2);
    let layer = re.iter().zip(im).map(|(re, im)| Complex { re: *re, im: *im }).collect();
    split_layers(layer, 2)
}

fn split_layers(a: Values, k: usize) -> Values {
    if a.len() == 1 {
        return a;
    }
    let (x, y) = a.split_at(a.len() / 2);
    let s = TABLES.gm[k];
    let plus = x.iter().zip(y).map(|(x, y)| *x + s * *y).collect();
    let minus = x.iter().zip(y).map(|(x, y)| *x - s * *y).collect();
    [split_layers(plus, 2 * k), split_layers(minus, 2 * k + 1)].concat()
}

/// The polynomial with these values. Only ever rounded to integers, so its order is free.
pub fn inverse_fft(values: &[Complex]) -> Vec<f64> {
    let layer = join_layers(values, 2);
    layer.iter().map(|z| z.re).chain(layer.iter().map(|z| z.im)).collect()
}

fn join_layers(values: &[Complex], k: usize) -> Values {
    if values.len() == 1 {
        return values.to_vec();
    }
    let (plus, minus) = values.split_at(values.len() / 2);
    let (plus, minus) = (join_layers(plus, 2 * k), join_layers(minus, 2 * k + 1));
    let s = TABLES.gm[k].conj();
    let x = plus.iter().zip(&minus).map(|(p, m)| (*p + *m).scale(0.5));
    let y = plus.iter().zip(&minus).map(|(p, m)| ((*p - *m) * s).scale(0.5));
    x.chain(y).collect()
}

/// The root that belongs to pair `i` when `m` complex values are split into halves.
fn pair_root(m: usize, i: usize) -> Complex {
    TABLES.gm[m + i]
}

/// `f(X) = f0(X^2) + X f1(X^2)`: the values of f0 and f1 from those of f.
pub fn split(f: &[Complex]) -> (Values, Values) {
    let pairs = f.chunks(2).enumerate();
    pairs
        .map(|(i, pair)| {
            let (a, b, s) = (pair[0], pair[1], pair_root(f.len(), i));
            ((a + b).scale(0.5), ((a - b) * s.conj()).scale(0.5))
        })
        .unzip()
}

/// [`split`] for an f whose values are real, as those of `d d*` are. `f0` is real too.
pub fn split_self(f: &[f64]) -> (Vec<f64>, Values) {
    let pairs = f.chunks(2).enumerate();
    pairs
        .map(|(i, pair)| {
            let (a, b, s) = (pair[0], pair[1], pair_root(f.len(), i));
            ((a + b) * 0.5, s.conj().scale((a - b) * 0.5))
        })
        .unzip()
}

/// The values of f from those of f0 and f1.
pub fn merge(f0: &[Complex], f1: &[Complex]) -> Values {
    let m = 2 * f0.len();
    let pairs = f0.iter().zip(f1).enumerate();
    pairs
        .flat_map(|(i, (a, b))| {
            let b = pair_root(m, i) * *b;
            [*a + b, *a - b]
        })
        .collect()
}
