//! Checks the ranges in the head of [`super`] on each level (instruction set). The tests apply each
//! operation to all numbers that this operation can receive, and record the largest results. From
//! these results, the tests compute the range after each layer. `FNDSA_LONG=1` tests all roots and
//! all factors. Without this setting, the tests use every 16th root and factor.

mod ranges;

use super::*;
use crate::engine::falcon::modq::{add, centered, from_i32, mul, sub};
use crate::engine::falcon::params::MAX_LOGN;
use crate::simd::WithSimd;
use crate::simd::check::laws::{on_every_level, runs_long_tests};

/// Returns every 16-bit number.
fn all_numbers() -> impl Iterator<Item = u16> {
    0..=u16::MAX
}

/// Applies `op` to vectors of the numbers, and passes each number and its result to `check_result`.
/// If the last vector is incomplete, copies of the last number fill it.
fn for_each_number<S: Simd>(
    isa: S,
    numbers: impl Iterator<Item = u16>,
    op: impl Fn(S::U16) -> S::U16,
    mut check_result: impl FnMut(u16, u16),
) {
    let mut numbers = numbers.peekable();
    let (mut arguments, mut results) = ([0; 32], [0; 32]);
    while let Some(mut last) = numbers.peek().copied() {
        let vector = &mut arguments[..S::LANES_U16];
        for x in &mut *vector {
            last = numbers.next().unwrap_or(last);
            *x = last;
        }
        isa.store_u16(op(isa.load_u16(vector)), &mut results);
        vector.iter().zip(&results).for_each(|(x, y)| check_result(*x, *y));
    }
}

/// Returns the magnitude of a signed number.
fn magnitude(x: u16) -> u16 {
    x.cast_signed().unsigned_abs()
}

/// A table with an entry for each magnitude of an argument: the largest magnitude of the
/// operation's results.
struct LargestResults(Vec<u16>);

impl LargestResults {
    /// Returns a table of zeros.
    fn new() -> Self {
        Self(vec![0; 1 << 15 | 1])
    }

    /// Includes the result for the argument `x`.
    fn include(&mut self, x: u16, result: u16) {
        let largest = &mut self.0[usize::from(magnitude(x))];
        *largest = magnitude(result).max(*largest);
    }

    /// Returns the largest magnitude of a result if all arguments have magnitudes up to `bound`. As
    /// a signed number, `bound` must fit in 16 bits.
    fn largest_result(&self, bound: u16) -> u16 {
        assert!(bound <= i16::MAX.cast_unsigned(), "{bound} is no signed number of 16 bits");
        self.0[..=usize::from(bound)].iter().copied().fold(0, u16::max)
    }
}

/// Returns `thousandths / 1000` times q, rounded down.
fn q_times(thousandths: u32) -> u16 {
    (Q * thousandths / 1000) as u16
}

/// Returns the distance between tested factors.
fn factor_step() -> usize {
    if runs_long_tests() { 1 } else { 16 }
}

/// A test that applies the operations in a butterfly to all 16-bit numbers, with all tested roots.
#[derive(Clone, Copy)]
struct EveryRoot;

impl WithSimd for EveryRoot {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let q = i32::from(Q16);
        let mut reduced = LargestResults::new();
        for_each_number(
            isa,
            all_numbers(),
            |x| reduce(isa, x),
            |x, r| {
                let (x_signed, r_signed) = (i32::from(x.cast_signed()), i32::from(r.cast_signed()));
                // The transforms never pass a number above 2.22 q to `reduce`.
                if magnitude(x) <= q_times(2220) {
                    assert_eq!((x_signed - r_signed) % q, 0, "{x_signed} is reduced to {r_signed} on {}", S::NAME);
                    reduced.include(x, r);
                }
            },
        );
        for_each_number(
            isa,
            all_numbers().filter(|x| magnitude(*x) < Q16),
            |x| canonical(isa, x),
            |x, r| {
                assert_eq!(i32::from(r), i32::from(x.cast_signed()).rem_euclid(q), "{}", S::NAME);
            },
        );

        let mut product = LargestResults::new();
        let mut roots: Vec<u16> = [FORWARD, BACKWARD].iter().flat_map(|roots| roots.table.z).collect();
        roots.sort_unstable();
        roots.dedup();
        assert_eq!(roots.len(), 2047, "powers of a 2048th root of 1, from -1023 to 1023");
        // The factors by which the inverse transform multiplies its results at the end.
        let last_factors = (0..=MAX_LOGN)
            .flat_map(|logn| [InverseScale::One, InverseScale::R].map(|scale| inverse_of_n(1 << logn, scale)));
        let last_factors: Vec<u16> = last_factors.map(|factor| twiddle(factor).z).collect();
        // The step between the tested roots may skip the smallest and the largest roots, so the
        // test adds these roots.
        let edges = roots.iter().copied().filter(|z| magnitude(*z) > Q16 / 2 - 40);
        for z in roots.iter().copied().step_by(factor_step()).chain(edges).chain(last_factors) {
            let zq = z.wrapping_mul(Q_INV);
            let lanes = RootLanes::new(isa, isa.splat_u16(z), isa.splat_u16(zq));
            let z = i32::from(z.cast_signed());
            for_each_number(
                isa,
                all_numbers(),
                |y| times(isa, y, &lanes),
                |y, t| {
                    let y_signed = i32::from(y.cast_signed());
                    // The low 16 bits of the difference are zero. Its high half is therefore
                    // congruent to y z / 2^16 modulo q.
                    let difference = y_signed * z - i32::from(y.wrapping_mul(zq).cast_signed()) * q;
                    assert!(difference & 0xffff == 0 && difference >> 16 == i32::from(t.cast_signed()), "{}", S::NAME);
                    if z.unsigned_abs() <= Q / 2 {
                        product.include(y, t);
                    }
                },
            );
        }

        // Forward transform: the bounds in the first table of the head.
        let one_layer = reduced.largest_result(2 * Q16) + product.largest_result(2 * Q16);
        assert!(one_layer <= q_times(1360), "one layer: {one_layer}");
        let two_layers = one_layer + product.largest_result(one_layer);
        assert!(two_layers <= q_times(1980), "two layers: {two_layers}");
        assert!(reduced.largest_result(2 * Q16) < Q16, "`canonical` needs a magnitude below q");
        // Inverse transform: the bounds in the second table of the head.
        assert!(
            reduced.largest_result(2 * Q16) <= q_times(700) && product.largest_result(2 * Q16) <= q_times(700),
            "one inverse layer: a result is above 0.7 q"
        );
        let sum = 2 * q_times(700);
        let (first_bound, second_bound) = (reduced.largest_result(sum) + sum, 2 * product.largest_result(sum));
        for bound in [first_bound, second_bound] {
            assert!(bound <= q_times(2220), "a sum that is reduced: {bound}");
            assert!(
                reduced.largest_result(bound) <= q_times(700) && product.largest_result(bound) <= q_times(700),
                "two inverse layers: a result is above 0.7 q"
            );
        }
        println!("{}: forward {one_layer} and {two_layers}, backward {first_bound} and {second_bound}", S::NAME);
    }
}

#[test]
fn no_layer_exceeds_its_range() {
    on_every_level(EveryRoot);
}

/// A test that multiplies all 16-bit numbers in range by the tested residues.
#[derive(Clone, Copy)]
struct EveryProduct;

impl WithSimd for EveryProduct {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        let residues = || 0..Q16;
        let q = i32::from(Q16);
        for h in residues().step_by(factor_step()).chain([Q16 / 2, Q16 / 2 + 1, Q16 - 1]) {
            let factor = isa.splat_u16(h);
            // Module `product` multiplies signed numbers by residues.
            let z = RootLanes::new(isa, factor, isa.mullo_u16(factor, isa.splat_u16(Q_INV)));
            let hq = h.wrapping_mul(Q_INV);
            for_each_number(
                isa,
                all_numbers().filter(|x| magnitude(*x) <= 2 * Q16),
                |x| times(isa, x, &z),
                |x, t| {
                    let t = i32::from(t.cast_signed());
                    let multiple = i32::from(x.wrapping_mul(hq).cast_signed()) * q;
                    let difference = i32::from(x.cast_signed()) * i32::from(h) - multiple;
                    assert!(difference & 0xffff == 0 && difference >> 16 == t && t.abs() <= q, "{}", S::NAME);
                },
            );
            let h = i32::from(h);
            for_each_number(
                isa,
                residues(),
                |x| mul(isa, x, factor),
                |x, t| {
                    assert!(t < Q16 && (i32::from(t) << 16) % q == i32::from(x) * h % q, "{}", S::NAME);
                },
            );
            for_each_number(
                isa,
                residues(),
                |x| add(isa, x, factor),
                |x, t| {
                    assert_eq!(i32::from(t), (i32::from(x) + h) % q, "{}", S::NAME);
                },
            );
            for_each_number(
                isa,
                residues(),
                |x| sub(isa, x, factor),
                |x, t| {
                    assert_eq!(i32::from(t), (i32::from(x) - h).rem_euclid(q), "{}", S::NAME);
                },
            );
        }
    }
}

#[test]
fn all_products_sums_and_differences_of_residues_are_correct() {
    on_every_level(EveryProduct);
}

#[test]
fn every_small_integer_has_its_residue() {
    for x in (1 - (1 << 24)..1 << 24).step_by(if runs_long_tests() { 1 } else { 7 }) {
        assert_eq!(i32::from(from_i32(x)), x.rem_euclid(i32::from(Q16)));
    }
    for x in 0..Q16 {
        let c = centered(x);
        assert!(c.unsigned_abs() <= Q / 2 && c.rem_euclid(i32::from(Q16)) == i32::from(x));
    }
}
