//! Runs the kernels (inner loops) modulo q with ranges instead of numbers (`simd/check/ranges`),
//! with as many lanes as each level (instruction set) has. These tests prove for any input that all
//! sums fit in 16 bits, that all operations get arguments in their ranges, and that all results are
//! in the ranges that the functions document.

use super::super::*;
use super::q_times;
use crate::engine::falcon::modq::{
    ROOT, RingProduct, add_into, difference, invert_into, invert_together, mul_into, pow, to_montgomery,
};
use crate::engine::falcon::params::MAX_LOGN;
use crate::simd::WithSimd;
use crate::simd::check::laws::on_every_level;
use crate::simd::check::ranges::{IntegerSpan, OneLane, most_within, on_all_lanes, row_u16, span_u16, start_u16};

/// The range for residues modulo q.
const RESIDUES: IntegerSpan = IntegerSpan { low: 0, high: Q as i128 - 1 };

/// Returns the span of all integers with a magnitude up to `largest`.
fn signed(largest: u16) -> IntegerSpan {
    IntegerSpan::new(-i32::from(largest), largest)
}

/// Registers all values in the tables that kernels load. The tests identify each range by a number,
/// its handle, and a handle must differ from all registered values. If a kernel negates a forward
/// root, the result is a backward root, which is also registered.
fn register_tables() {
    let tables = [
        FORWARD,
        FORWARD_2,
        FORWARD_4,
        FORWARD_8,
        FORWARD_16,
        BACKWARD,
        BACKWARD_2,
        BACKWARD_4,
        BACKWARD_8,
        BACKWARD_16,
    ];
    let rows: Vec<&[u16]> = tables.iter().flat_map(|roots| [&roots.table.z[..], &roots.table.zq[..]]).collect();
    start_u16(&rows);
}

/// Passes a row of numbers in a span to a kernel, and returns the span of the results.
fn span_after(n: usize, span: IntegerSpan, kernel: impl FnOnce(&mut [u16])) -> IntegerSpan {
    register_tables();
    let mut row = row_u16(n, span);
    kernel(&mut row);
    span_u16(&row)
}

#[track_caller]
fn assert_residues<S: Simd>(what: &str, n: usize, span: IntegerSpan) {
    let is_residue = RESIDUES.low <= span.low && span.high <= RESIDUES.high;
    assert!(is_residue, "{what} of degree {n} on {}: {span}", S::NAME);
}

/// A level for tests that do not depend on the number of lanes.
const ISA: OneLane = OneLane::NEW;

/// Returns two numbers for which only the range is known: their magnitude is at most `largest`.
fn unknown_pair(largest: u16) -> [<OneLane as U16s>::U16; 2] {
    [(); 2].map(|()| ISA.load_u16(&row_u16(1, signed(largest))))
}

/// Returns the largest magnitude in some lanes.
fn magnitude_of(lanes: &[<OneLane as U16s>::U16]) -> u16 {
    let spans = lanes.iter().map(|v| {
        let mut out = [0];
        ISA.store_u16(*v, &mut out);
        let span = span_u16(&out);
        span.high.max(-span.low)
    });
    spans.max().unwrap() as u16
}

/// Returns four magnitudes. Each is the largest magnitude of a result for any root. The first two
/// numbers are for the two halves of the results after one layer, with inputs up to `bound1`. The
/// last two numbers are for the halves after two layers, with inputs up to `bound2`.
fn layer_magnitudes<L: TransformLayers>(bound1: u16, bound2: u16) -> [u16; 4] {
    let mut magnitudes = [0; 4];
    let mut include =
        |index: usize, lanes: &[<OneLane as U16s>::U16]| magnitudes[index] = magnitude_of(lanes).max(magnitudes[index]);
    for k in 1..1 << MAX_LOGN {
        register_tables();
        let mut x = unknown_pair(bound1);
        L::one(ISA, &mut x, &RootLanes::splat(ISA, L::ROOTS, k));
        include(0, &x[..1]);
        include(1, &x[1..]);
        if 2 * k < 1 << MAX_LOGN {
            let [[a, b], [c, d]] = [unknown_pair(bound2), unknown_pair(bound2)];
            let mut x = [a, b, c, d];
            L::two(ISA, &mut x, &[k, 2 * k, 2 * k + 1].map(|k| RootLanes::splat(ISA, L::ROOTS, k)));
            include(2, &x[..2]);
            include(3, &x[2..]);
        }
    }
    magnitudes
}

/// Tests the table in the head of ntt.rs with the functions that the transforms call.
#[test]
fn the_ranges_of_layers_match_the_table() {
    let forward = layer_magnitudes::<ForwardLayers>(2 * Q16, 2 * Q16);
    let backward = layer_magnitudes::<BackwardLayers>(Q16, q_times(700));
    for (direction, magnitudes) in [("forward", forward), ("backward", backward)] {
        println!("{direction}, in q: {:.3?}", magnitudes.map(|x| f64::from(x) / f64::from(Q)));
    }
    let in_q = |thousandths: [u32; 4]| thousandths.map(q_times);
    let all_below =
        |values: [u16; 4], bounds: [u16; 4]| values.iter().zip(bounds).all(|(value, bound)| *value <= bound);
    assert!(all_below(forward, in_q([1360, 1360, 1980, 1980])), "{forward:?}");
    assert!(all_below(backward, in_q([667, 690, 667, 694])), "{backward:?}");
}

/// A test that runs transforms and products on ranges at each degree.
#[derive(Clone, Copy)]
struct TransformRanges;

impl WithSimd for TransformRanges {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        for logn in 1..=MAX_LOGN {
            let n = 1 << logn;
            if has_rows::<S>(n) {
                continue;
            }
            // Callers pass residues. The range in this test is larger.
            assert_residues::<S>("a transform", n, span_after(n, signed(2 * Q16), |a| ntt(isa, logn, a)));
            for scale in [InverseScale::One, InverseScale::R] {
                assert_residues::<S>(
                    "an inverse transform",
                    n,
                    span_after(n, signed(Q16), |a| intt(isa, logn, a, scale)),
                );
                let span = span_after(n, signed(Q16), |a| {
                    let h = row_u16(n, RESIDUES);
                    RingProduct::start(isa, a);
                    let prepared_span = span_u16(a);
                    assert!(prepared_span.high.max(-prepared_span.low) <= i128::from(2 * Q16), "{prepared_span}");
                    a.chunks_mut(64).zip(h.chunks(64)).for_each(|(a, h)| RingProduct::multiply_block(isa, a, h));
                    RingProduct::finish(isa, a, scale);
                });
                assert_residues::<S>("a product in blocks", n, span);
            }
            let span = span_after(n, signed(Q16), |a| {
                let mut h = row_u16(n, RESIDUES);
                RingProduct::prepare(isa, &mut h);
                assert_residues::<S>("a prepared polynomial", n, span_u16(&h));
                RingProduct::with_prepared(isa, a, &h);
            });
            assert_residues::<S>("a product", n, span);
        }
    }
}

#[test]
fn transforms_and_products_stay_in_their_ranges() {
    on_all_lanes(TransformRanges);
    for (bound, largest) in most_within() {
        let [bound, largest] = [bound.into(), largest].map(|x| x as f64 / f64::from(Q));
        println!("asserted bound: {bound:.3} q, largest value: {largest:.3} q");
    }
}

/// A test that runs, on ranges, the functions that process rows.
#[derive(Clone, Copy)]
struct ResidueRowRanges;

impl WithSimd for ResidueRowRanges {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        for logn in 1..=MAX_LOGN {
            let n = 1 << logn;
            assert_residues::<S>("Montgomery form", n, span_after(n, RESIDUES, |a| to_montgomery(isa, a)));
            assert_residues::<S>("a product", n, span_after(n, RESIDUES, |a| mul_into(isa, a, &row_u16(n, RESIDUES))));
            assert_residues::<S>("a sum", n, span_after(n, RESIDUES, |a| add_into(isa, a, &row_u16(n, RESIDUES))));
            assert_residues::<S>("inverses", n, span_after(n, RESIDUES, |a| invert_into(isa, a)));
            // Only the squares and their sum are checked. On this level, the maximum is not a
            // number, but a handle that identifies a range.
            span_after(n, RESIDUES, |a| {
                let max_norm = n as u64 * u64::from(Q / 2).pow(2);
                assert!(difference(isa, &row_u16(n, RESIDUES), a).norm <= max_norm, "squares on {}", S::NAME);
            });
        }
        let span = span_after(2 * S::LANES_U16, RESIDUES, |a| invert_together(isa, a));
        assert_residues::<S>("inverses together", 2 * S::LANES_U16, span);
    }
}

#[test]
fn rows_of_residues_stay_residues() {
    on_all_lanes(ResidueRowRanges);
}

/// A test that transforms all powers X^i at each degree.
#[derive(Clone, Copy)]
struct EachUnit;

impl WithSimd for EachUnit {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        for logn in 1..=MAX_LOGN {
            let n = 1usize << logn;
            let reversed = |k: usize| (k as u32).reverse_bits() >> (u32::BITS - logn);
            let roots: Vec<u32> = (0..n).map(|k| pow(ROOT, (1024 >> logn) * (2 * reversed(k) + 1))).collect();
            let mut values = vec![1; n];
            for i in 0..n {
                let unit: Vec<u16> = (0..n).map(|j| u16::from(i == j)).collect();
                let mut a = unit.clone();
                ntt(isa, logn, &mut a);
                assert!(a.iter().zip(&values).all(|(x, y)| u32::from(*x) == *y), "X^{i} of {n} on {}", S::NAME);
                intt(isa, logn, &mut a, InverseScale::One);
                assert!(a == unit, "X^{i} of {n} on {}, inverse transform", S::NAME);
                values.iter_mut().zip(&roots).for_each(|(x, root)| *x = *x * root % Q);
            }
        }
    }
}

/// Checks the transform of each power of X. The tests of ranges prove that no operation in a
/// transform overflows. Therefore, each operation is linear modulo q, and the transform is also
/// linear. If a linear transform is right for each power of X, it is right for all polynomials.
#[test]
fn the_transform_of_each_power_is_correct() {
    on_every_level(EachUnit);
}

/// Checks that the tests in this file detect numbers outside a kernel's range, and missing
/// reductions.
mod out_of_range {
    use super::*;
    #[test]
    #[should_panic(expected = "does not fit in 16 bits")]
    fn a_butterfly_without_its_reduction_is_detected() {
        register_tables();
        let [x, y] = unknown_pair(2 * Q16);
        for k in 1..1 << MAX_LOGN {
            forward_butterfly(ISA, x, y, &RootLanes::splat(ISA, FORWARD, k));
        }
    }

    #[test]
    #[should_panic(expected = "does not fit in 16 bits")]
    fn a_missing_reduction_between_two_sums_is_detected() {
        register_tables();
        let [[a, b], [c, d]] = [unknown_pair(q_times(700)), unknown_pair(q_times(700))];
        let z = RootLanes::splat(ISA, BACKWARD, 3);
        let (sum, _) = inverse_butterfly(ISA, a, b, &z);
        let (other, _) = inverse_butterfly(ISA, c, d, &z);
        inverse_butterfly(ISA, sum, other, &z);
    }

    #[test]
    #[should_panic(expected = "is not within 24578")]
    fn the_transform_of_a_value_above_two_q_is_detected() {
        span_after(64, signed(2 * Q16 + 1), |a| ntt(ISA, 6, a));
    }

    #[test]
    #[should_panic(expected = "is not within 12289")]
    fn the_inverse_transform_of_a_value_above_q_is_detected() {
        span_after(64, signed(Q16 + 1), |a| intt(ISA, 6, a, InverseScale::One));
    }

    #[test]
    #[should_panic(expected = "is wrapped by 12289")]
    fn a_sum_with_a_value_that_is_not_a_residue_is_detected() {
        span_after(64, IntegerSpan::new(0, Q16 + 1), |a| add_into(ISA, a, &row_u16(64, RESIDUES)));
    }

    #[test]
    #[should_panic(expected = "is wrapped by 12289")]
    fn a_missing_reduction_after_a_transform_is_detected() {
        register_tables();
        let [x, _] = unknown_pair(2 * Q16);
        canonical(ISA, x);
    }
}
