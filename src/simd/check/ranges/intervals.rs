//! 32-bit lanes as intervals of unsigned integers.
//!
//! Sums and differences must not wrap. The operations modulo p check the range that is documented
//! in `U32s`. They also check the constants that belong to p: `-1/p mod 2^32`, and `2^32 w / p` for
//! a factor w.

use super::IntegerSpan;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The handles in a test. A handle is a number in a row, and identifies an interval.
#[derive(Default)]
struct HandleTable {
    /// The numbers in constant tables. A handle must be different from these numbers.
    constants: BTreeSet<u32>,
    by_interval: BTreeMap<Interval, u32>,
    intervals: BTreeMap<u32, Interval>,
}

thread_local! {
    static HANDLES: RefCell<HandleTable> = RefCell::default();
}

/// Starts a new test. Kernels (inner loops) will load constants from `tables`.
pub fn start_u32(tables: &[&[u32]]) {
    let constants = tables.iter().flat_map(|table| table.iter().copied()).collect();
    HANDLES.set(HandleTable { constants, ..HandleTable::default() });
}

/// Returns a row with `len` unknown numbers in this span.
pub fn row_u32(len: usize, span: IntegerSpan) -> Vec<u32> {
    let [low, high] = [span.low, span.high].map(|x| x.try_into().unwrap());
    assert!(low <= high, "no number in {span}");
    vec![Interval { low, high }.store(); len]
}

/// Returns the span of all numbers in a row.
pub fn span_u32(row: &[u32]) -> IntegerSpan {
    row.iter().map(|x| Interval::load(*x).span()).reduce(IntegerSpan::join).unwrap()
}

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    /// Returns the interval that contains a single number.
    pub const fn constant(x: u32) -> Self {
        Self { low: x, high: x }
    }

    /// Returns the interval that the handle `x` identifies (see [`super`]). If `x` is a number in a
    /// constant table, returns the interval that contains only `x`.
    pub fn load(x: u32) -> Self {
        HANDLES.with_borrow(|handles| {
            if handles.constants.contains(&x) {
                return Self::constant(x);
            }
            *handles.intervals.get(&x).unwrap_or_else(|| panic!("{x} is neither in a constant table nor a handle"))
        })
    }

    /// Returns a handle for the interval, which a kernel can store in a row.
    pub fn store(self) -> u32 {
        HANDLES.with_borrow_mut(|handles| {
            if let Some(handle) = handles.by_interval.get(&self) {
                return *handle;
            }
            let last = handles.intervals.first_key_value().map_or(u32::MAX, |(handle, _)| *handle);
            let handle = (0..last).rev().find(|x| !handles.constants.contains(x)).unwrap();
            handles.by_interval.insert(self, handle);
            handles.intervals.insert(handle, self);
            handle
        })
    }

    /// Returns the interval as a span.
    pub fn span(self) -> IntegerSpan {
        IntegerSpan::new(self.low, self.high)
    }

    /// Returns the number if the interval contains a single number, and panics otherwise.
    fn single_number(self) -> u32 {
        assert!(self.low == self.high, "{} is not a single number", self.span());
        self.low
    }

    /// Converts a span. Panics if it does not fit in 32 bits, because the operation would wrap.
    fn from_span(span: IntegerSpan) -> Self {
        let to_u32 = |x: i128| u32::try_from(x).unwrap_or_else(|_| panic!("{span} does not fit in 32 bits"));
        Self { low: to_u32(span.low), high: to_u32(span.high) }
    }

    /// Returns the interval with all residues modulo p.
    fn residues(p: u32) -> Self {
        Self { low: 0, high: p - 1 }
    }

    /// Panics unless all numbers in the interval are below `p`.
    fn assert_residue(self, p: u32) {
        assert!(self.high < p, "{} is not below {p}", self.span());
    }

    /// Computes [`U32s::below_u32`](crate::simd::U32s::below_u32). Panics unless all numbers in the
    /// interval are below `2p`.
    pub fn below(self, p: Self) -> Self {
        let p = p.single_number();
        assert!(p < 1 << 31 && self.high < 2 * p, "{} is not below 2 times {p}", self.span());
        match (self.high < p, self.low < p) {
            (true, _) => self,
            (false, true) => Self::residues(p),
            (false, false) => Self { low: self.low - p, high: self.high - p },
        }
    }

    pub fn add_mod(self, other: Self, p: Self) -> Self {
        self.assert_residue(p.single_number());
        other.assert_residue(p.single_number());
        self.add(other).below(p)
    }

    pub fn sub_mod(self, other: Self, p: Self) -> Self {
        self.assert_residue(p.single_number());
        other.assert_residue(p.single_number());
        Self::residues(p.single_number())
    }

    pub fn add(self, other: Self) -> Self {
        Self::from_span(self.span().plus(other.span()))
    }

    pub fn sub(self, other: Self) -> Self {
        Self::from_span(self.span().minus(other.span()))
    }

    /// Computes `a w - t p` with `t = a ratio / 2^32`, rounded down, where a is `self`. The upper
    /// end follows from two bounds: `2^32 w / p` exceeds `ratio` by `remainder / p`, so the result
    /// would be `a remainder / 2^32` if t were not rounded. The rounding adds less than p.
    pub fn times(self, w: Self, ratio: Self, p: Self) -> Self {
        let [w, ratio, p] = [w, ratio, p].map(|x| u128::from(x.single_number()));
        assert!(w < p, "the factor {w} is not below {p}");
        assert!(ratio == (w << 32) / p, "{ratio} is not the ratio of {w} and {p}");
        let remainder = (w << 32) % p;
        let high = (u128::from(self.high) * remainder + p * u128::from(u32::MAX)) >> 32;
        assert!(high < 2 * p, "the result can reach 2 times {p}");
        Self { low: 0, high: high as u32 }
    }
}

/// A sum of products, as an interval.
#[derive(Clone, Copy, Debug)]
pub struct ProductSum {
    low: u64,
    high: u64,
}

impl ProductSum {
    /// The empty sum.
    pub const NONE: Self = Self { low: 0, high: 0 };

    /// Returns the sum plus `a b`.
    pub fn plus(self, a: Interval, b: Interval) -> Self {
        let low = self.low + u64::from(a.low) * u64::from(b.low);
        let high = self.high.checked_add(u64::from(a.high) * u64::from(b.high));
        Self { low, high: high.expect("a sum of products can reach 2^64") }
    }

    /// Returns the interval of `(sum + w p) / 2^32` for all w below `2^32`.
    pub fn reduced(self, p: Interval, p0i: Interval) -> Interval {
        let p = p.single_number();
        assert!(p.wrapping_mul(p0i.single_number()) == u32::MAX, "the inverse is not -1/{p} modulo 2^32");
        assert!(self.high < u64::from(p) << 32, "the sum of products {} is not below 2^32 times {p}", self.high);
        let high = (u128::from(self.high) + u128::from(u32::MAX) * u128::from(p)) >> 32;
        Interval { low: (self.low >> 32) as u32, high: high as u32 }
    }
}
