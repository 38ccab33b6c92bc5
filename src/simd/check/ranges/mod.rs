//! A test level (instruction set) that computes with ranges instead of numbers, to check the
//! kernels for all inputs. Kernels are the inner loops of the algorithms.
//!
//! The kernels are the same as in the program, because they are generic over [`Simd`]. The input is
//! a row (an array) whose numbers are unknown: only their range is given. An operation panics if
//! its operands can be outside its documented range. Otherwise, it returns the range of all
//! possible results. If a kernel runs to its end, then all its operations stay in their ranges for
//! any input, and its output ranges are proved.
//!
//! - `numbers`: integers in 16-bit lanes, each as a function of an unknown number
//! - `intervals`: intervals in 32-bit lanes
//!
//! Lanes with 64 bits contain plain numbers, as on the levels with a single lane.
//!
//! **Handles.** Kernels load vectors from rows with `u16` or `u32` values, and store vectors to
//! these rows. On this level, a row contains *handles*, which are numbers that identify lanes. A
//! load looks up the lane for a handle. Kernels also load their constant tables with this
//! operation, so a handle must be different from all numbers in these tables. A test must pass
//! these tables to [`start_u16`] or [`start_u32`]. A load panics if its operand is neither in a
//! table nor a handle. Handles can only be used for loads: if a kernel computes on `u16` or `u32`
//! values without the level's operations, the result is meaningless. The tests omit such parts of
//! kernels, and a comment in the test says so.
//!
//! **Limits.** This level does not check that real levels compute the documented operations, which
//! is checked by `laws`. It also does not check the residues of products, which are checked by the
//! tests for `modq` and `primes`. Some levels process complete rows in assembly
//! ([`U16s::HAS_RING_ROWS`]). On such a level, only polynomials with a degree below 64 use the
//! layers that are checked here.

mod intervals;
mod numbers;

use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_rows};
use crate::simd::{F64s, Frame, I64s, NoLanes, RealRows, RingRoots, ScalarWord, Sealed, Simd, U16s, U32s, WithSimd};
use core::array::from_fn;
use core::fmt;
use intervals::{Interval, ProductSum};
use numbers::{LaneInteger, on_both, on_each};

pub use intervals::{row_u32, span_u32, start_u32};
pub use numbers::{most_within, row_u16, span_u16, start_u16};

/// All integers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IntegerSpan {
    /// The smallest integer.
    pub low: i128,
    /// The largest integer.
    pub high: i128,
}

impl IntegerSpan {
    /// Returns the span from `low` to `high`.
    pub fn new(low: impl Into<i128>, high: impl Into<i128>) -> Self {
        Self { low: low.into(), high: high.into() }
    }

    /// Returns true if the span contains all integers in `other`.
    fn contains(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Returns the shortest span that contains both spans.
    fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn plus(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }

    fn minus(self, other: Self) -> Self {
        Self { low: self.low - other.high, high: self.high - other.low }
    }

    fn times(self, other: Self) -> Self {
        let [a, b] = [self.low, self.high].map(|x| {
            let [y, z] = [x * other.low, x * other.high];
            Self { low: y.min(z), high: y.max(z) }
        });
        a.join(b)
    }
}

impl fmt::Display for IntegerSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.low, self.high)
    }
}

/// A single lane, as on a processor without vectors.
const SINGLE_LANE: u8 = 0;
/// A single lane on a processor for which the compiler vectorizes loops.
const VECTORIZED_LOOPS: u8 = 1;
/// A single lane with small code.
const SMALL_CODE: u8 = 2;
/// A single lane, with assembly for complete rows. This assembly is not checked. Shorter
/// polynomials still use loops.
const ROWS: u8 = 3;
/// A level with vectors.
const VECTORS: u8 = 4;

/// A test level with the same 16-bit and 32-bit lane counts as a real level. `FORM` selects the
/// other properties of the real level that affect the control flow in kernels.
#[derive(Clone, Copy, Debug)]
pub struct AbstractLevel<const U16: usize, const U32: usize, const FORM: u8>;

/// The level with a single lane.
pub type OneLane = AbstractLevel<1, 1, SINGLE_LANE>;

impl OneLane {
    /// The only value of this type.
    pub const NEW: Self = Self;
}

/// The 16-bit and 32-bit lane counts that levels can have.
const LANES: [(usize, usize); 4] = [(1, 1), (8, 4), (16, 8), (32, 16)];

/// Runs `work` on all test levels.
pub fn on_all_lanes<W: WithSimd<Output = ()> + Copy>(work: W) {
    work.with(AbstractLevel::<1, 1, SINGLE_LANE>);
    work.with(AbstractLevel::<1, 1, VECTORIZED_LOOPS>);
    work.with(AbstractLevel::<1, 1, SMALL_CODE>);
    work.with(AbstractLevel::<1, 1, ROWS>);
    work.with(AbstractLevel::<8, 4, VECTORS>);
    work.with(AbstractLevel::<16, 8, VECTORS>);
    work.with(AbstractLevel::<32, 16, VECTORS>);
}

/// Defines the test levels, and [`Simd::Half`] for each of them.
macro_rules! halves {
    ($($name:literal = [$n:literal, $m:literal, $form:ident] -> [$half:literal, $half32:literal, $of_half:ident];)+) => {$(
        impl Simd for AbstractLevel<$n, $m, $form> {
            const NAME: &'static str = $name;
            const COMPACT: bool = $form == SMALL_CODE;
            type Half = AbstractLevel<$half, $half32, $of_half>;
            type OneState = ScalarWord;
            type TwoStates = ScalarWord;
            type FourStates = ScalarWord;
            type ManyStates = ScalarWord;
            type F32s = NoLanes;
            type Integers = Self;
            type Keygen = Self;
            #[inline(always)]
            fn half(self) -> Self::Half {
                AbstractLevel
            }
            #[inline(always)]
            fn one_state(self) -> ScalarWord {
                ScalarWord
            }
            #[inline(always)]
            fn two_states(self) -> ScalarWord {
                ScalarWord
            }
            #[inline(always)]
            fn four_states(self) -> ScalarWord {
                ScalarWord
            }
            #[inline(always)]
            fn many_states(self) -> ScalarWord {
                ScalarWord
            }
            #[inline(always)]
            fn f32s(self) -> Option<NoLanes> {
                None
            }
            #[inline(always)]
            fn integers(self) -> Self {
                self
            }
            #[inline(always)]
            fn keygen(self) -> Self {
                self
            }
        }

        impl RealRows for AbstractLevel<$n, $m, $form> {
            one_lane_rows!(f64);
        }

        impl F64s for AbstractLevel<$n, $m, $form> {
            one_lane_f64!();
        }
    )+};
}
halves! {
    "ranges of one lane" = [1, 1, SINGLE_LANE] -> [1, 1, SINGLE_LANE];
    "ranges in vectorized loops" = [1, 1, VECTORIZED_LOOPS] -> [1, 1, VECTORIZED_LOOPS];
    "ranges in small code" = [1, 1, SMALL_CODE] -> [1, 1, SMALL_CODE];
    "ranges with assembly rows" = [1, 1, ROWS] -> [1, 1, ROWS];
    "ranges of 8 lanes" = [8, 4, VECTORS] -> [1, 1, VECTORIZED_LOOPS];
    "ranges of 16 lanes" = [16, 8, VECTORS] -> [8, 4, VECTORS];
    "ranges of 32 lanes" = [32, 16, VECTORS] -> [16, 8, VECTORS];
}

impl<const U16: usize, const U32: usize, const FORM: u8> Sealed for AbstractLevel<U16, U32, FORM> {}

impl<const U16: usize, const U32: usize, const FORM: u8> Frame for AbstractLevel<U16, U32, FORM> {}

impl<const U16: usize, const U32: usize, const FORM: u8> I64s for AbstractLevel<U16, U32, FORM> {
    one_lane_i64!();
}

/// Defines operations on two vectors. An operation applies a function to each pair of lanes.
macro_rules! lane_by_lane {
    ($($name:ident = $function:ident;)+) => {$(
        #[inline(always)]
        fn $name(self, a: Self::U16, b: Self::U16) -> Self::U16 {
            on_both(a, b, numbers::Arena::$function)
        }
    )+};
}

impl<const U16: usize, const U32: usize, const FORM: u8> U16s for AbstractLevel<U16, U32, FORM> {
    const LANES_U16: usize = U16;
    const LOOPS_ARE_VECTORS: bool = FORM == VECTORIZED_LOOPS;
    type U16 = [LaneInteger; U16];

    #[inline(always)]
    fn load_u16(self, src: &[u16]) -> Self::U16 {
        let src: &[u16; U16] = src.first_chunk().unwrap();
        on_each(*src, numbers::Arena::load)
    }
    #[inline(always)]
    fn store_u16(self, v: Self::U16, dst: &mut [u16]) {
        dst[..U16].copy_from_slice(&on_each(v, numbers::Arena::store));
    }
    #[inline(always)]
    fn splat_u16(self, x: u16) -> Self::U16 {
        on_each([x; U16], numbers::Arena::constant)
    }
    lane_by_lane! {
        add_u16 = add;
        sub_u16 = sub;
        min_u16 = min;
        max_u16 = max;
        mullo_u16 = low_half;
        mulhi_u16 = high_half;
        mulhi_i16 = high_half_signed;
        wrap_u16 = wrap;
        and_u16 = and;
        or_u16 = or;
        xor_u16 = xor;
    }
    #[inline(always)]
    fn montgomery_i16(self, a: Self::U16, z: Self::U16, m: Self::U16, q: Self::U16, zero: Self::U16) -> Self::U16 {
        on_each(from_fn::<_, U16, _>(|i| [a[i], z[i], m[i], q[i], zero[i]]), numbers::Arena::montgomery)
    }
    #[inline(always)]
    fn thirds_i16(self, a: Self::U16) -> Self::U16 {
        on_each(a, numbers::Arena::thirds)
    }
    #[inline(always)]
    fn shl_u16(self, a: Self::U16, by: u32) -> Self::U16 {
        self.mullo_u16(a, self.splat_u16(2u16.pow(by)))
    }
    #[inline(always)]
    fn shr_u16(self, a: Self::U16, by: u32) -> Self::U16 {
        on_each(a, |arena, a| arena.quotient(a, 2i64.pow(by)))
    }
    #[inline(always)]
    fn interleave_u16<const D: usize>(self, a: Self::U16, b: Self::U16) -> (Self::U16, Self::U16) {
        if U16 == 1 {
            return (a, b);
        }
        assert!(D < U16, "blocks of {D} lanes in vectors of {U16} lanes");
        let is_even = |i: usize| (i / D).is_multiple_of(2);
        (from_fn(|i| if is_even(i) { a[i] } else { b[i - D] }), from_fn(|i| if is_even(i) { a[i + D] } else { b[i] }))
    }
    #[inline(always)]
    fn keep_below_u16(self, _: Self::U16, limit: u16, _: &mut [u16]) -> usize {
        panic!("the number of lanes below {limit} is unknown, because only their ranges are known")
    }
    #[inline(always)]
    fn within_u16(self, v: Self::U16, bound: u16) -> Self::U16 {
        on_each(v, |arena, v| arena.within(v, bound))
    }

    const HAS_RING_ROWS: bool = FORM == ROWS;
    #[inline(always)]
    fn ring_layers<const DISTANCES: usize>(self, _: &mut [u16], distance: usize, _: &RingRoots<'_>) {
        panic!("this level cannot compute layers in assembly, here with the distance {distance}")
    }

    // The number of squares, and the largest possible sum.
    type Squares = (u64, u64);
    #[inline(always)]
    fn no_squares(self) -> (u64, u64) {
        (0, 0)
    }
    #[inline(always)]
    fn add_squares(self, (count, sum): (u64, u64), v: Self::U16) -> (u64, u64) {
        let count = count + U16 as u64;
        assert!(count <= 1 << 16, "{count} squares are more than 2^16");
        (count, on_each(v, numbers::Arena::square).into_iter().fold(sum, |sum, x| sum + x))
    }
    #[inline(always)]
    fn total(self, (_, sum): (u64, u64)) -> u64 {
        sum
    }
}

impl<const U16: usize, const U32: usize, const FORM: u8> U32s for AbstractLevel<U16, U32, FORM> {
    const LANES_U32: usize = U32;
    type U32 = [Interval; U32];

    #[inline(always)]
    fn load_u32(self, src: &[u32]) -> Self::U32 {
        from_fn(|i| Interval::load(src[i]))
    }
    #[inline(always)]
    fn store_u32(self, v: Self::U32, dst: &mut [u32]) {
        dst[..U32].copy_from_slice(&v.map(Interval::store));
    }
    #[inline(always)]
    fn splat_u32(self, x: u32) -> Self::U32 {
        [Interval::constant(x); U32]
    }
    #[inline(always)]
    fn below_u32(self, a: Self::U32, p: Self::U32) -> Self::U32 {
        from_fn(|i| a[i].below(p[i]))
    }
    #[inline(always)]
    fn add_mod_u32(self, a: Self::U32, b: Self::U32, p: Self::U32) -> Self::U32 {
        from_fn(|i| a[i].add_mod(b[i], p[i]))
    }
    #[inline(always)]
    fn sub_mod_u32(self, a: Self::U32, b: Self::U32, p: Self::U32) -> Self::U32 {
        from_fn(|i| a[i].sub_mod(b[i], p[i]))
    }
    #[inline(always)]
    fn add_u32(self, a: Self::U32, b: Self::U32) -> Self::U32 {
        from_fn(|i| a[i].add(b[i]))
    }
    #[inline(always)]
    fn sub_u32(self, a: Self::U32, b: Self::U32) -> Self::U32 {
        from_fn(|i| a[i].sub(b[i]))
    }
    #[inline(always)]
    fn product_u32(self, a: Self::U32, b: Self::U32, p: Self::U32, p0i: Self::U32) -> Self::U32 {
        self.sum_of_products(self.add_product(self.no_products(), a, b), p, p0i)
    }
    #[inline(always)]
    fn times_u32(self, a: Self::U32, w: Self::U32, ratio: Self::U32, p: Self::U32) -> Self::U32 {
        from_fn(|i| a[i].times(w[i], ratio[i], p[i]))
    }
    type Products = [ProductSum; U32];
    #[inline(always)]
    fn no_products(self) -> Self::Products {
        [ProductSum::NONE; U32]
    }
    #[inline(always)]
    fn add_product(self, sum: Self::Products, a: Self::U32, b: Self::U32) -> Self::Products {
        from_fn(|i| sum[i].plus(a[i], b[i]))
    }
    #[inline(always)]
    fn sum_of_products(self, sum: Self::Products, p: Self::U32, p0i: Self::U32) -> Self::U32 {
        from_fn(|i| sum[i].reduced(p[i], p0i[i]))
    }
    #[inline(always)]
    fn unzip_u32<const D: usize>(self, a: Self::U32, b: Self::U32) -> (Self::U32, Self::U32) {
        if U32 == 1 {
            return (a, b);
        }
        assert!(D < U32, "blocks of {D} lanes in vectors of {U32} lanes");
        let lane = |at: usize| if at < U32 { a[at] } else { b[at - U32] };
        let block_start = |i: usize| 2 * D * (i / D) + i % D;
        (from_fn(|i| lane(block_start(i))), from_fn(|i| lane(block_start(i) + D)))
    }
    #[inline(always)]
    fn zip_u32<const D: usize>(self, even: Self::U32, odd: Self::U32) -> (Self::U32, Self::U32) {
        if U32 == 1 {
            return (even, odd);
        }
        assert!(D < U32, "blocks of {D} lanes in vectors of {U32} lanes");
        let block = |at: usize| if (at / D).is_multiple_of(2) { even } else { odd };
        let lane = |at: usize| block(at)[at / (2 * D) * D + at % D];
        (from_fn(lane), from_fn(|i| lane(U32 + i)))
    }
    #[inline(always)]
    fn repeat_u32<const D: usize>(self, src: &[u32]) -> Self::U32 {
        let v = self.load_u32(src);
        from_fn(|i| v[i / D])
    }
    #[inline(always)]
    fn repeat_back_u32<const D: usize>(self, src: &[u32]) -> Self::U32 {
        let v = self.load_u32(src);
        from_fn(|i| v[(U32 - 1 - i) / D])
    }
}

mod tests;
