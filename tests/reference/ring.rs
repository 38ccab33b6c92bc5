//! Arithmetic with polynomials modulo `X^n + 1` (so `X^n = -1`): over the integers, and modulo q.
//! All other modules of the reference that compute with polynomials call this module.

use super::Q;
use num_bigint::BigInt;
use std::ops::{Add, Mul, Sub};

/// A number type for polynomial coefficients.
pub trait Number: Clone + Default + Add<Output = Self> + Sub<Output = Self> {
    fn times(&self, other: &Self) -> Self;
}

impl Number for i64 {
    fn times(&self, other: &Self) -> Self {
        self * other
    }
}

impl Number for BigInt {
    fn times(&self, other: &Self) -> Self {
        self.mul(other)
    }
}

/// Computes `a b` with the schoolbook method.
pub fn product<T: Number>(a: &[T], b: &[T]) -> Vec<T> {
    let n = a.len();
    let mut out = vec![T::default(); n];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let slot = &mut out[(i + j) % n];
            let old = std::mem::take(slot);
            *slot = if i + j < n { old + x.times(y) } else { old - x.times(y) };
        }
    }
    out
}

pub fn sum<T: Number>(a: &[T], b: &[T]) -> Vec<T> {
    a.iter().zip(b).map(|(x, y)| x.clone() + y.clone()).collect()
}

pub fn difference<T: Number>(a: &[T], b: &[T]) -> Vec<T> {
    a.iter().zip(b).map(|(x, y)| x.clone() - y.clone()).collect()
}

/// Computes `|a|^2`.
pub fn square_norm(a: &[i64]) -> i64 {
    a.iter().map(|x| x * x).sum()
}

pub fn infinity_norm(a: &[i64]) -> i64 {
    a.iter().map(|x| x.abs()).max().unwrap_or(0)
}

/// Reduces `x` modulo q to `[0, q)`.
pub fn mod_q(x: i64) -> i64 {
    x.rem_euclid(Q)
}

/// Reduces `x` modulo q to `[-6144, 6144]`.
pub fn centred(x: i64) -> i64 {
    (x + Q / 2).rem_euclid(Q) - Q / 2
}

/// Computes `base^exponent` modulo q. `base` is in `[0, q)`. Because `x^(q-1) = 1` if x is not
/// zero, `power(x, q - 2)` is `1 / x`.
pub fn power(base: i64, exponent: i64) -> i64 {
    (0..63).rev().fold(1, |acc, bit| {
        let squared = acc * acc % Q;
        if exponent >> bit & 1 == 1 { squared * base % Q } else { squared }
    })
}

pub fn inverse(x: i64) -> i64 {
    power(x, Q - 2)
}

/// Reverses the order of the low `bits` bits of `k`.
pub fn bit_reversed(k: usize, bits: u32) -> usize {
    (0..bits).fold(0, |r, i| r << 1 | k >> i & 1)
}

/// Returns the points at which the NTT evaluates a polynomial with n coefficients, in the order of
/// the public key. They are the roots of `X^n + 1` modulo q, and the first root is `7^(1024/n)`.
fn points(n: usize) -> Vec<i64> {
    let root = power(7, 1024 / n as i64);
    (0..n).map(|k| power(root, 2 * bit_reversed(k, n.ilog2()) as i64 + 1)).collect()
}

/// Computes `NTT(a)`: the values of `a` at the points, with Horner's rule.
pub fn ntt(a: &[i64]) -> Vec<i64> {
    points(a.len()).into_iter().map(|x| a.iter().rev().fold(0, |y, c| mod_q(y * x + c))).collect()
}

/// Returns the polynomial that has these values at the points of the NTT. The values and the
/// coefficients are in `[0, q)`.
pub fn inverse_ntt(values: &[i64]) -> Vec<i64> {
    // a_j = (1/n) sum_k a(x_k) x_k^-j, because sum_k x_k^(i-j) is n if i = j, and otherwise 0.
    let n = values.len();
    let root_inverses: Vec<i64> = points(n).into_iter().map(inverse).collect();
    let mut terms: Vec<i64> = values.iter().map(|v| v * inverse(n as i64) % Q).collect();
    let mut a = Vec::with_capacity(n);
    for _ in 0..n {
        a.push(terms.iter().sum::<i64>() % Q);
        terms = terms.iter().zip(&root_inverses).map(|(t, x)| t * x % Q).collect();
    }
    a
}

/// Computes the NTT of `a / b` modulo q. Returns `None` if the NTT of b contains a zero.
pub fn ntt_quotient(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
    let (a, b) = (ntt(a), ntt(b));
    if b.contains(&0) {
        return None;
    }
    Some(a.iter().zip(&b).map(|(x, y)| x * inverse(*y) % Q).collect())
}
