//! Runs the kernels modulo q with ranges instead of numbers (`simd/check/ranges`), for the lanes of
//! all levels. With any input, all sums fit in 16 bits, all operations stay in range, and all
//! results are in the range that the function documents.

use super::super::*;
use super::q_times;
use crate::engine::falcon::modq::{
    ROOT, RingProduct, add_into, difference, invert_into, invert_together, mul_into, pow, to_montgomery,
};
use crate::engine::falcon::params::MAX_LOGN;
use crate::simd::WithSimd;
use crate::simd::check::laws::on_every_level;
use crate::simd::check::ranges::{IntegerSpan, OneLane, most_within, on_all_lanes, row_u16, span_u16, start_u16};

const RESIDUES: IntegerSpan = IntegerSpan { low: 0, high: Q as i128 - 1 };

/// Returns the span of all integers with a magnitude up to `largest`.
fn signed(largest: u16) -> IntegerSpan {
    IntegerSpan::new(-i32::from(largest), largest)
}

/// Registers the values of the tables that kernels load from. If a kernel negates a forward root,
/// the result is a backward root, which is also registered.
fn start() {
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

/// Passes a row of unknown numbers to a kernel, and returns the span of the results.
fn of_row(n: usize, span: IntegerSpan, kernel: impl FnOnce(&mut [u16])) -> IntegerSpan {
    start();
    let mut row = row_u16(n, span);
    kernel(&mut row);
    span_u16(&row)
}

#[track_caller]
fn assert_residues<S: Simd>(what: &str, n: usize, found: IntegerSpan) {
    let inside = RESIDUES.low <= found.low && found.high <= RESIDUES.high;
    assert!(inside, "{what} of degree {n} on {}: {found}", S::NAME);
}

/// A level for tests that do not depend on the number of lanes.
const ISA: OneLane = OneLane::NEW;

/// Returns two unknown numbers with a magnitude up to `largest`.
fn pair(largest: u16) -> [<OneLane as U16s>::U16; 2] {
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

/// Returns four magnitudes, the largest with any roots: for the first and for the second half of
/// the results after one layer (inputs up to `one`), then for both halves after two layers (inputs
/// up to `two`).
fn layers<L: TransformLayers>(one: u16, two: u16) -> [u16; 4] {
    let mut most = [0; 4];
    let mut see = |at: usize, lanes: &[<OneLane as U16s>::U16]| most[at] = magnitude_of(lanes).max(most[at]);
    for k in 1..1 << MAX_LOGN {
        start();
        let mut x = pair(one);
        L::one(ISA, &mut x, &RootLanes::splat(ISA, L::ROOTS, k));
        see(0, &x[..1]);
        see(1, &x[1..]);
        if 2 * k < 1 << MAX_LOGN {
            let [[a, b], [c, d]] = [pair(two), pair(two)];
            let mut x = [a, b, c, d];
            L::two(ISA, &mut x, &[k, 2 * k, 2 * k + 1].map(|k| RootLanes::splat(ISA, L::ROOTS, k)));
            see(2, &x[..2]);
            see(3, &x[2..]);
        }
    }
    most
}

/// Tests the table in the head with the layers of the program.
#[test]
fn the_ranges_of_layers_match_the_table() {
    let forward = layers::<ForwardLayers>(2 * Q16, 2 * Q16);
    let backward = layers::<BackwardLayers>(Q16, q_times(700));
    for (which, most) in [("forward", forward), ("backward", backward)] {
        println!("{which}, in q: {:.3?}", most.map(|x| f64::from(x) / f64::from(Q)));
    }
    let told = |thousandths: [u32; 4]| thousandths.map(q_times);
    let inside = |found: [u16; 4], told: [u16; 4]| found.iter().zip(told).all(|(found, told)| *found <= told);
    assert!(inside(forward, told([1360, 1360, 1980, 1980])), "{forward:?}");
    assert!(inside(backward, told([667, 690, 667, 694])), "{backward:?}");
}

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
            // A larger range than the residues that callers pass.
            assert_residues::<S>("a transform", n, of_row(n, signed(2 * Q16), |a| ntt(isa, logn, a)));
            for scale in [InverseScale::One, InverseScale::R] {
                assert_residues::<S>("a transform back", n, of_row(n, signed(Q16), |a| intt(isa, logn, a, scale)));
                let found = of_row(n, signed(Q16), |a| {
                    let h = row_u16(n, RESIDUES);
                    RingProduct::start(isa, a);
                    let at = span_u16(a);
                    assert!(at.high.max(-at.low) <= i128::from(2 * Q16), "{at}");
                    a.chunks_mut(64).zip(h.chunks(64)).for_each(|(a, h)| RingProduct::multiply_block(isa, a, h));
                    RingProduct::finish(isa, a, scale);
                });
                assert_residues::<S>("a product in blocks", n, found);
            }
            let found = of_row(n, signed(Q16), |a| {
                let mut h = row_u16(n, RESIDUES);
                RingProduct::prepare(isa, &mut h);
                assert_residues::<S>("a prepared polynomial", n, span_u16(&h));
                RingProduct::with_prepared(isa, a, &h);
            });
            assert_residues::<S>("a product", n, found);
        }
    }
}

#[test]
fn transforms_and_products_stay_in_their_ranges() {
    on_all_lanes(TransformRanges);
    for (bound, most) in most_within() {
        let [bound, most] = [bound.into(), most].map(|x| x as f64 / f64::from(Q));
        println!("asserted: {bound:.3} q, found: {most:.3} q");
    }
}

#[derive(Clone, Copy)]
struct ResidueRowRanges;

impl WithSimd for ResidueRowRanges {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        for logn in 1..=MAX_LOGN {
            let n = 1 << logn;
            assert_residues::<S>("Montgomery form", n, of_row(n, RESIDUES, |a| to_montgomery(isa, a)));
            assert_residues::<S>("a product", n, of_row(n, RESIDUES, |a| mul_into(isa, a, &row_u16(n, RESIDUES))));
            assert_residues::<S>("a sum", n, of_row(n, RESIDUES, |a| add_into(isa, a, &row_u16(n, RESIDUES))));
            assert_residues::<S>("inverses", n, of_row(n, RESIDUES, |a| invert_into(isa, a)));
            // Only squares and their sum are checked, because the largest value is a handle here.
            of_row(n, RESIDUES, |a| {
                let most = n as u64 * u64::from(Q / 2).pow(2);
                assert!(difference(isa, &row_u16(n, RESIDUES), a).norm <= most, "squares on {}", S::NAME);
            });
        }
        let found = of_row(2 * S::LANES_U16, RESIDUES, |a| invert_together(isa, a));
        assert_residues::<S>("inverses together", 2 * S::LANES_U16, found);
    }
}

#[test]
fn rows_of_residues_stay_residues() {
    on_all_lanes(ResidueRowRanges);
}

#[derive(Clone, Copy)]
struct EachUnit;

impl WithSimd for EachUnit {
    type Output = ();
    fn with<S: Simd>(self, isa: S) {
        for logn in 1..=MAX_LOGN {
            let n = 1usize << logn;
            let reversed = |k: usize| (k as u32).reverse_bits() >> (u32::BITS - logn);
            let places: Vec<u32> = (0..n).map(|k| pow(ROOT, (1024 >> logn) * (2 * reversed(k) + 1))).collect();
            let mut values = vec![1; n];
            for i in 0..n {
                let unit: Vec<u16> = (0..n).map(|j| u16::from(i == j)).collect();
                let mut a = unit.clone();
                ntt(isa, logn, &mut a);
                assert!(a.iter().zip(&values).all(|(x, y)| u32::from(*x) == *y), "X^{i} of {n} on {}", S::NAME);
                intt(isa, logn, &mut a, InverseScale::One);
                assert!(a == unit, "X^{i} of {n} on {}, back", S::NAME);
                values.iter_mut().zip(&places).for_each(|(x, place)| *x = *x * place % Q);
            }
        }
    }
}

/// Checks the transform of each power of X. The tests of ranges show that each operation in a
/// transform is linear modulo q. The transform is therefore also linear. If it is right for each
/// power of X, it is right for all polynomials.
#[test]
fn the_transform_of_each_power_is_correct() {
    on_every_level(EachUnit);
}

/// Kernels with numbers outside their range, and layers without the reductions that keep numbers in
/// range.
mod refused {
    use super::*;
    #[test]
    #[should_panic(expected = "does not fit in 16 bits")]
    fn a_butterfly_without_its_reduction_is_detected() {
        start();
        let [x, y] = pair(2 * Q16);
        for k in 1..1 << MAX_LOGN {
            forward_butterfly(ISA, x, y, &RootLanes::splat(ISA, FORWARD, k));
        }
    }

    #[test]
    #[should_panic(expected = "does not fit in 16 bits")]
    fn a_missing_reduction_between_two_sums_is_detected() {
        start();
        let [[a, b], [c, d]] = [pair(q_times(700)), pair(q_times(700))];
        let z = RootLanes::splat(ISA, BACKWARD, 3);
        let (sum, _) = inverse_butterfly(ISA, a, b, &z);
        let (other, _) = inverse_butterfly(ISA, c, d, &z);
        inverse_butterfly(ISA, sum, other, &z);
    }

    #[test]
    #[should_panic(expected = "is not within 24578")]
    fn the_transform_of_a_value_above_two_q_is_detected() {
        of_row(64, signed(2 * Q16 + 1), |a| ntt(ISA, 6, a));
    }

    #[test]
    #[should_panic(expected = "is not within 12289")]
    fn the_inverse_transform_of_a_value_above_q_is_detected() {
        of_row(64, signed(Q16 + 1), |a| intt(ISA, 6, a, InverseScale::One));
    }

    #[test]
    #[should_panic(expected = "is wrapped by 12289")]
    fn a_sum_with_a_value_that_is_not_a_residue_is_detected() {
        of_row(64, IntegerSpan::new(0, Q16 + 1), |a| add_into(ISA, a, &row_u16(64, RESIDUES)));
    }

    #[test]
    #[should_panic(expected = "is wrapped by 12289")]
    fn a_missing_reduction_after_a_transform_is_detected() {
        start();
        let [x, _] = pair(2 * Q16);
        canonical(ISA, x);
    }
}
