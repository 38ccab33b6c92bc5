//! Tests the level that computes with ranges, by comparison with a level that computes with
//! numbers. The number from the second level must be in the span from the first level. If an
//! operation has a single unknown operand, the span must be exact.

use super::*;
use crate::simd::Emulated;
use crate::simd::check::laws::{TestNumbers, on_every_level};

const ISA: AbstractLevel<1, 1, SINGLE_LANE> = AbstractLevel;

/// Returns the bits of a random integer in `span`.
fn random_bits(numbers: &mut TestNumbers, span: IntegerSpan) -> u16 {
    (span.low + i128::from(numbers.next()) % (span.high - span.low + 1)) as u16
}

/// Returns a random span of integers from `smallest` to `largest`.
fn random_span(numbers: &mut TestNumbers, smallest: i128, largest: i128) -> IntegerSpan {
    let mut next = || smallest + i128::from(numbers.next()) % (largest - smallest + 1);
    let [x, y] = [next(), next()];
    IntegerSpan { low: x.min(y), high: x.max(y) }
}

/// Returns the integer with these bits: a signed number if `span` contains negative integers,
/// otherwise an unsigned number.
fn integer(bits: u16, span: IntegerSpan) -> i128 {
    if span.low < 0 { bits.cast_signed().into() } else { bits.into() }
}

type LaneOperation<S> = fn(S, <S as U16s>::U16, <S as U16s>::U16) -> <S as U16s>::U16;

/// Checks an operation for operands from `smallest` to `largest`: the results on a level with
/// numbers must be in the span that this level returns.
fn check_span(
    smallest: i128,
    largest: i128,
    ranges: LaneOperation<AbstractLevel<1, 1, SINGLE_LANE>>,
    numbers: LaneOperation<Emulated>,
) {
    let mut random = TestNumbers::new(&[0, 1, 0x7fff, 0x8000]);
    for _ in 0..300 {
        let spans = [(); 2].map(|()| random_span(&mut random, smallest, largest));
        start_u16(&[]);
        let [a, b] = spans.map(|span| row_u16(1, span));
        let mut out = [0];
        ISA.store_u16(ranges(ISA, ISA.load_u16(&a), ISA.load_u16(&b)), &mut out);
        let span = span_u16(&out);
        for _ in 0..300 {
            let [x, y] = spans.map(|span| random_bits(&mut random, span));
            let found = integer(numbers(Emulated, x, y), span);
            assert!(span.low <= found && found <= span.high, "{found} is not in {span}, for operands in {spans:?}");
        }
    }
}

#[test]
fn results_of_two_unknowns_are_in_the_range() {
    let (smallest, largest) = (i16::MIN.into(), i16::MAX.into());
    check_span(smallest / 2, largest / 2, U16s::add_u16, U16s::add_u16);
    check_span(smallest / 2, largest / 2, U16s::sub_u16, U16s::sub_u16);
    check_span(smallest, largest, U16s::mulhi_i16, U16s::mulhi_i16);
    check_span(smallest, largest, U16s::and_u16, U16s::and_u16);
    check_span(smallest, largest, U16s::or_u16, U16s::or_u16);
    check_span(-180, 180, U16s::mullo_u16, U16s::mullo_u16);
    for (ranges, numbers) in [
        (
            U16s::mulhi_u16 as LaneOperation<AbstractLevel<1, 1, SINGLE_LANE>>,
            U16s::mulhi_u16 as LaneOperation<Emulated>,
        ),
        (U16s::min_u16, U16s::min_u16),
        (U16s::max_u16, U16s::max_u16),
        (U16s::mullo_u16, U16s::mullo_u16),
        (U16s::xor_u16, U16s::xor_u16),
    ] {
        check_span(0, 0xffff, ranges, numbers);
    }
}

/// The span of an operation with a single unknown operand must be exact.
#[test]
fn ranges_of_one_unknown_are_exact() {
    fn work<S: U16s>(isa: S, x: S::U16) -> [S::U16; 4] {
        let q = isa.splat_u16(12289);
        let reduced = isa.sub_u16(x, isa.mullo_u16(isa.thirds_i16(x), q));
        let wrapped = isa.wrap_u16(reduced, q);
        let last = isa.shr_u16(isa.mulhi_u16(wrapped, isa.splat_u16(0xf123)), 3);
        let mixed = isa.xor_u16(isa.or_u16(last, isa.splat_u16(0x400)), isa.and_u16(wrapped, isa.splat_u16(0x7f)));
        [reduced, wrapped, isa.min_u16(last, isa.shl_u16(wrapped, 1)), isa.max_u16(mixed, isa.splat_u16(9))]
    }
    let mut random = TestNumbers::new(&[]);
    for _ in 0..50 {
        let span = random_span(&mut random, (-0x7fff).into(), 0x7fff);
        start_u16(&[]);
        let row = row_u16(1, span);
        let results = work(ISA, ISA.load_u16(&row)).map(|v| {
            let mut out = [0];
            ISA.store_u16(v, &mut out);
            span_u16(&out)
        });
        let numbers = || (span.low..=span.high).map(|x| work(Emulated, x as u16));
        for (i, found) in results.into_iter().enumerate() {
            let all = || numbers().map(|results| integer(results[i], found));
            assert_eq!(
                found,
                IntegerSpan { low: all().min().unwrap(), high: all().max().unwrap() },
                "the span of result {i} for an operand in {span}"
            );
        }
    }
}

/// Checks operations modulo a prime.
#[test]
fn residues_are_in_the_range() {
    let mut random = TestNumbers::new(&[]);
    for round in 0..3000 {
        let p: u32 = [2_147_473_409, 8_380_417, 12_289][round % 3];
        let p0i = (0..5).fold(p, |y, _| y.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(y)))).wrapping_neg();
        let w = (random.next() % u64::from(p)) as u32;
        let ratio = ((u64::from(w) << 32) / u64::from(p)) as u32;
        let span = random_span(&mut random, 0, (p - 1).into());
        let wide = random_span(&mut random, 0, u32::MAX.into());
        start_u32(&[]);
        let [a, b] = [span, wide].map(|span| ISA.load_u32(&row_u32(1, span)));
        let constants = [p, p0i, w, ratio].map(|x| ISA.splat_u32(x));
        fn work<S: U32s>(isa: S, a: S::U32, b: S::U32, [p, p0i, w, ratio]: [S::U32; 4]) -> [S::U32; 6] {
            [
                isa.below_u32(isa.add_u32(a, a), p),
                isa.add_mod_u32(a, a, p),
                isa.sub_mod_u32(a, a, p),
                isa.product_u32(a, b, p, p0i),
                isa.times_u32(b, w, ratio, p),
                isa.sub_u32(p, a),
            ]
        }
        let spans = work(ISA, a, b, constants).map(|[result]| result.span());
        for _ in 0..20 {
            let [a, b] =
                [span, wide].map(|span| (span.low + i128::from(random.next()) % (span.high - span.low + 1)) as u32);
            for (found, span) in work(Emulated, a, b, [p, p0i, w, ratio]).into_iter().zip(spans) {
                assert!(span.contains(IntegerSpan::new(found, found)), "{found} is not in {span}, modulo {p}");
            }
        }
    }
}

/// Operations that move blocks of lanes must move them as on a level with numbers.
#[test]
fn lanes_move_to_their_positions() {
    const WIDE: AbstractLevel<8, 4, VECTORS> = AbstractLevel;
    let all: Vec<u16> = (0..16).collect();
    start_u16(&[&all]);
    let [a, b] = [0, 8].map(|at| WIDE.load_u16(&all[at..]));
    let stored = |v| {
        let mut out = [0; 8];
        WIDE.store_u16(v, &mut out);
        out.map(|x| span_u16(&[x]).low)
    };
    let (x, y) = WIDE.interleave_u16::<2>(a, b);
    assert_eq!(stored(x), [0, 1, 8, 9, 4, 5, 12, 13]);
    assert_eq!(stored(y), [2, 3, 10, 11, 6, 7, 14, 15]);

    let all: Vec<u32> = (0..8).collect();
    start_u32(&[&all]);
    let [a, b] = [0, 4].map(|at| WIDE.load_u32(&all[at..]));
    let numbers = |v: [Interval; 4]| v.map(|interval| interval.span().low);
    let (even, odd) = WIDE.unzip_u32::<1>(a, b);
    assert_eq!((numbers(even), numbers(odd)), ([0, 2, 4, 6], [1, 3, 5, 7]));
    let (even, odd) = WIDE.unzip_u32::<2>(a, b);
    assert_eq!((numbers(even), numbers(odd)), ([0, 1, 4, 5], [2, 3, 6, 7]));
    let (x, y) = WIDE.zip_u32::<2>(even, odd);
    assert_eq!((numbers(x), numbers(y)), ([0, 1, 2, 3], [4, 5, 6, 7]));
    assert_eq!(numbers(WIDE.repeat_u32::<2>(&all)), [0, 0, 1, 1]);
    assert_eq!(numbers(WIDE.repeat_back_u32::<2>(&all)), [1, 1, 0, 0]);
}

/// Returns an unknown signed 16-bit number in the given range.
fn signed(low: i16, high: i16) -> [LaneInteger; 1] {
    ISA.load_u16(&row_u16(1, IntegerSpan::new(low, high)))
}

#[test]
#[should_panic(expected = "[-2, 32769] does not fit in 16 bits")]
fn a_sum_that_wraps_is_rejected() {
    start_u16(&[]);
    ISA.add_u16(signed(-1, i16::MAX), signed(-1, 2));
}

#[test]
#[should_panic(expected = "[20000, 40000] is read as Signed")]
fn an_unsigned_number_is_not_read_as_signed() {
    start_u16(&[]);
    let x = signed(10_000, 20_000);
    ISA.thirds_i16(ISA.add_u16(x, x));
}

#[test]
#[should_panic(expected = "[-12289, 12289] is wrapped by 12289")]
fn wrapping_the_number_q_is_rejected() {
    start_u16(&[]);
    ISA.wrap_u16(signed(-12289, 12289), ISA.splat_u16(12289));
}

#[test]
#[should_panic(expected = "the low half is not zero")]
fn a_root_with_the_quotient_of_another_root_is_rejected() {
    start_u16(&[]);
    let x = signed(-5, 5);
    // 53249 is 1/q modulo 2^16, for q = 12289.
    let m = ISA.mullo_u16(x, ISA.splat_u16(17u16.wrapping_mul(53249)));
    ISA.montgomery_i16(x, ISA.splat_u16(18), m, ISA.splat_u16(12289), ISA.splat_u16(0));
}

#[test]
#[should_panic(expected = "12345 is neither in a constant table nor a handle")]
fn a_number_without_a_known_range_is_rejected() {
    start_u16(&[&[12344]]);
    ISA.load_u16(&[12345]);
}

/// Returns an unknown 32-bit number below `limit`.
fn below(limit: u64) -> [Interval; 1] {
    ISA.load_u32(&row_u32(1, IntegerSpan::new(0, limit - 1)))
}

#[test]
#[should_panic(expected = "is not below 2 times 8380417")]
fn twice_the_prime_does_not_reduce_to_a_residue() {
    start_u32(&[]);
    ISA.below_u32(below(2 * 8_380_417 + 1), ISA.splat_u32(8_380_417));
}

#[test]
#[should_panic(expected = "[-1, 5] does not fit in 32 bits")]
fn a_difference_that_wraps_is_rejected() {
    start_u32(&[]);
    ISA.sub_u32(ISA.splat_u32(5), below(7));
}

/// Checks that a test level has the lane counts of each real level.
#[derive(Clone, Copy)]
struct KnownLanes;

impl WithSimd for KnownLanes {
    type Output = ();
    fn with<S: Simd>(self, _: S) {
        let lanes = (S::LANES_U16, S::LANES_U32);
        assert!(LANES.contains(&lanes), "no test level has the lane counts {lanes:?} of {}", S::NAME);
    }
}

#[test]
fn the_lanes_of_every_level_have_ranges() {
    on_every_level(KnownLanes);
    on_all_lanes(KnownLanes);
}
