//! Lanes of 32 bits: intervals of unsigned integers.
//!
//! No sum or difference may wrap. The operations modulo p check the range that `U32s` tells, and that the constants
//! that go with p are those of p: `-1/p mod 2^32`, and the ratio of a factor, which is looked at together with that factor.

use super::IntegerSpan;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The handles of a test.
#[derive(Default)]
struct Handles {
    /// What stands in tables.
    named: BTreeSet<u32>,
    by_interval: BTreeMap<Interval, u32>,
    intervals: BTreeMap<u32, Interval>,
}

thread_local! {
    static HANDLES: RefCell<Handles> = RefCell::default();
}

/// Begins anew with the tables of constants that kernels will load from.
pub fn start_u32(tables: &[&[u32]]) {
    let named = tables.iter().flat_map(|table| table.iter().copied()).collect();
    HANDLES.set(Handles { named, ..Handles::default() });
}

/// Returns a row of `len` unknown numbers of this span.
pub fn row_u32(len: usize, span: IntegerSpan) -> Vec<u32> {
    let [low, high] = [span.low, span.high].map(|x| x.try_into().unwrap());
    assert!(low <= high, "no number in {span}");
    vec![Interval { low, high }.store(); len]
}

/// Returns the span of all numbers of a row.
pub fn span_u32(row: &[u32]) -> IntegerSpan {
    row.iter().map(|x| Interval::load(*x).span()).reduce(IntegerSpan::join).unwrap()
}

/// All numbers from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    /// One number.
    pub const fn constant(x: u32) -> Self {
        Self { low: x, high: x }
    }

    /// What a handle, or a number of a table, stands for.
    pub fn load(x: u32) -> Self {
        HANDLES.with_borrow(|handles| {
            if handles.named.contains(&x) {
                return Self::constant(x);
            }
            *handles.intervals.get(&x).unwrap_or_else(|| panic!("{x} is in no table, and no handle"))
        })
    }

    /// Returns the handle.
    pub fn store(self) -> u32 {
        HANDLES.with_borrow_mut(|handles| {
            if let Some(handle) = handles.by_interval.get(&self) {
                return *handle;
            }
            let last = handles.intervals.first_key_value().map_or(u32::MAX, |(handle, _)| *handle);
            let handle = (0..last).rev().find(|x| !handles.named.contains(x)).unwrap();
            handles.by_interval.insert(self, handle);
            handles.intervals.insert(handle, self);
            handle
        })
    }

    /// The span of the numbers.
    pub fn span(self) -> IntegerSpan {
        IntegerSpan::new(self.low, self.high)
    }

    /// The number that the interval is.
    fn only(self) -> u32 {
        assert!(self.low == self.high, "{} is no constant", self.span());
        self.low
    }

    fn from_span(span: IntegerSpan) -> Self {
        let of = |x: i128| u32::try_from(x).unwrap_or_else(|_| panic!("{span} does not fit in 32 bits"));
        Self { low: of(span.low), high: of(span.high) }
    }

    /// The interval with all residues modulo p.
    fn residues(p: u32) -> Self {
        Self { low: 0, high: p - 1 }
    }

    fn assert_residue(self, p: u32) {
        assert!(self.high < p, "{} is not below {p}", self.span());
    }

    pub fn below(self, p: Self) -> Self {
        let p = p.only();
        assert!(p < 1 << 31 && self.high < 2 * p, "{} is not below 2 times {p}", self.span());
        match (self.high < p, self.low < p) {
            (true, _) => self,
            (false, true) => Self::residues(p),
            (false, false) => Self { low: self.low - p, high: self.high - p },
        }
    }

    pub fn add_mod(self, other: Self, p: Self) -> Self {
        self.assert_residue(p.only());
        other.assert_residue(p.only());
        self.add(other).below(p)
    }

    pub fn sub_mod(self, other: Self, p: Self) -> Self {
        self.assert_residue(p.only());
        other.assert_residue(p.only());
        Self::residues(p.only())
    }

    pub fn add(self, other: Self) -> Self {
        Self::from_span(self.span().plus(other.span()))
    }

    pub fn sub(self, other: Self) -> Self {
        Self::from_span(self.span().minus(other.span()))
    }

    /// `a w - t p` with `t = a ratio / 2^32` rounded down. What ratio lacks of `2^32 w / p` is `rest / p`, and so this is
    /// `a rest / 2^32` and less than p, by what was rounded off.
    pub fn times(self, w: Self, ratio: Self, p: Self) -> Self {
        let [w, ratio, p] = [w, ratio, p].map(|x| u128::from(x.only()));
        assert!(w < p, "the factor {w} is not below {p}");
        assert!(ratio == (w << 32) / p, "{ratio} is not the ratio of {w} and {p}");
        let rest = (w << 32) % p;
        let high = (u128::from(self.high) * rest + p * u128::from(u32::MAX)) >> 32;
        assert!(high < 2 * p, "a product is not below 2 times {p}");
        Self { low: 0, high: high as u32 }
    }
}

/// A sum of products.
#[derive(Clone, Copy, Debug)]
pub struct ProductSum {
    low: u64,
    high: u64,
}

impl ProductSum {
    /// The empty sum.
    pub const NONE: Self = Self { low: 0, high: 0 };

    /// The sum and `a b`.
    pub fn plus(self, a: Interval, b: Interval) -> Self {
        let low = self.low + u64::from(a.low) * u64::from(b.low);
        let high = self.high.checked_add(u64::from(a.high) * u64::from(b.high));
        Self { low, high: high.expect("a sum of products passes 2^64") }
    }

    /// `(sum + w p) / 2^32`, for some w below `2^32`.
    pub fn reduced(self, p: Interval, p0i: Interval) -> Interval {
        let p = p.only();
        assert!(p.wrapping_mul(p0i.only()) == u32::MAX, "another modulus than {p}");
        assert!(self.high < u64::from(p) << 32, "a product of {} is not below 2^32 times {p}", self.high);
        let high = (u128::from(self.high) + u128::from(u32::MAX) * u128::from(p)) >> 32;
        Interval { low: (self.low >> 32) as u32, high: high as u32 }
    }
}
