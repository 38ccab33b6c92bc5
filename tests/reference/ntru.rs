//! A solver for the NTRU equation `f G - g F = q` (specification 2.4.4).
//!
//! The specification's reference solver and the engine have bounds for intermediate values, and
//! give up on a candidate that exceeds these bounds (2.4.5). This solver has no such bounds. If
//! both kinds of solver finish, they return the same solution, because the last reduction makes it
//! unique.

use super::Q;
use super::fourier::{Complex, FourierValues, fft, inverse_fft};
use super::ring::{difference, product};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, One, ToPrimitive, Zero};

type Poly = Vec<BigInt>;

/// Returns the reduced solution `(F, G)`. Returns `None` if the resultants of f and g with `X^n +
/// 1` have a common divisor, because this method then finds no solution. Also returns `None` if
/// [`reduce`] fails.
pub fn ntru_solve(f: &[i64], g: &[i64]) -> Option<(Vec<i64>, Vec<i64>)> {
    let big = |a: &[i64]| a.iter().map(|x| BigInt::from(*x)).collect::<Poly>();
    let small = |a: Poly| a.iter().map(ToPrimitive::to_i64).collect::<Option<Vec<i64>>>();
    let (capital_f, capital_g) = solve(&big(f), &big(g))?;
    Some((small(capital_f)?, small(capital_g)?))
}

/// Solves the equation. If the degree is above 1, this function calls itself for the field norms
/// (polynomials with half the degree), and lifts their solution.
fn solve(f: &Poly, g: &Poly) -> Option<(Poly, Poly)> {
    if let ([f], [g]) = (&f[..], &g[..]) {
        // The extended GCD gives f x + g y = 1, so f (q x) - g (-q y) = q.
        let bezout = f.extended_gcd(g);
        return bezout.gcd.is_one().then(|| (vec![-bezout.y * Q], vec![bezout.x * Q]));
    }
    let (capital_f, capital_g) = solve(&field_norm(f), &field_norm(g))?;
    // (F', G') is the solution for the field norms f' and g', so f'(X^2) G'(X^2) - g'(X^2) F'(X^2)
    // = q. Replace f'(X^2) by f(X) f(-X), and g'(X^2) by g(X) g(-X): f(X) (f(-X) G'(X^2)) - g(X)
    // (g(-X) F'(X^2)) = q. The two products in parentheses are a solution G and F for f and g.
    let capital_f = product(&lift(&capital_f), &conjugate(g));
    let capital_g = product(&lift(&capital_g), &conjugate(f));
    reduce(f, g, capital_f, capital_g)
}

/// Computes f's field norm N, where `N(X^2) = f(X) f(-X)`. Let e and o be the polynomials with the
/// even and the odd coefficients, so `f(X) = e(X^2) + X o(X^2)`. Then `N(X) = e(X)^2 - X o(X)^2`,
/// in the ring with half the degree.
pub fn field_norm(f: &Poly) -> Poly {
    let part = |first| f.iter().skip(first).step_by(2).cloned().collect::<Poly>();
    let (e, o) = (part(0), part(1));
    let mut o2 = product(&o, &o);
    o2.rotate_right(1);
    o2[0] = -o2[0].clone();
    difference(&product(&e, &e), &o2)
}

/// Returns `a(X^2)`.
fn lift(a: &Poly) -> Poly {
    a.iter().flat_map(|x| [x.clone(), BigInt::zero()]).collect()
}

/// Returns `a(-X)`.
fn conjugate(a: &Poly) -> Poly {
    a.iter().enumerate().map(|(i, x)| if i % 2 == 0 { x.clone() } else { -x }).collect()
}

/// The maximum number of bits of the quotient k that a step of [`reduce`] finds.
const STEP_BITS: u64 = 30;

/// Subtracts `k (f, g)` from `(F, G)`, where k is `(F f* + G g*) / (f f* + g g*)`, rounded (Babai's
/// method). Each step computes an approximate k from the top 53 bits of the operands, and subtracts
/// `k (f, g)` without rounding. The steps repeat until k is 0. Returns `None` if k is 0 although
/// `(F, G)` is still more than [`STEP_BITS`] bits longer than `(f, g)`, or after 10,000 steps.
fn reduce(f: &Poly, g: &Poly, mut capital_f: Poly, mut capital_g: Poly) -> Option<(Poly, Poly)> {
    let size = top_bit(f, g);
    let (fv, gv) = (top_values(f, size), top_values(g, size));
    for _ in 0..10_000 {
        let capital_size = top_bit(&capital_f, &capital_g).max(size);
        let (cfv, cgv) = (top_values(&capital_f, capital_size), top_values(&capital_g, capital_size));
        let excess = capital_size - size;
        let step = excess.min(STEP_BITS);
        let scale = 2f64.powi(step as i32);
        let quotient = |i: usize| {
            let numerator = cfv[i] * fv[i].conj() + cgv[i] * gv[i].conj();
            numerator.scale(scale / (fv[i].norm() + gv[i].norm()))
        };
        let quotient: Vec<Complex> = (0..fv.len()).map(quotient).collect();
        let round = |x: f64| BigInt::from_f64((x + 0.5).floor()).expect("finite") << (excess - step);
        let k: Poly = inverse_fft(&quotient).into_iter().map(round).collect();
        if k.iter().all(Zero::is_zero) {
            return (excess == step).then_some((capital_f, capital_g));
        }
        capital_f = difference(&capital_f, &product(&k, f));
        capital_g = difference(&capital_g, &product(&k, g));
    }
    None
}

/// Returns the bit length of the largest coefficient in `a` and `b`, but at least 53.
fn top_bit(a: &Poly, b: &Poly) -> u64 {
    a.iter().chain(b).map(BigInt::bits).max().unwrap_or(0).max(53)
}

/// Computes the transform of the coefficients, which are first divided by `2^(size - 53)` and
/// rounded down.
fn top_values(a: &Poly, size: u64) -> FourierValues {
    let top: Vec<f64> = a.iter().map(|x| (x >> (size - 53)).to_f64().expect("53 bits")).collect();
    fft(&top)
}
