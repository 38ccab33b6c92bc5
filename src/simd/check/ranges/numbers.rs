//! 16-bit lanes as integers. An integer is a function of an *unknown*, which is a number for which
//! only the range is known.
//!
//! Kernels (inner loops) interpret the bits in some lanes as signed and the bits in other lanes as
//! unsigned. Here, a lane is the integer that the kernel means. The bits in the lane are this
//! integer modulo `2^16`. Sums, differences and low halves of products are exact integers of any
//! size: modulo `2^16`, they are always correct. If an operation reads the bits as a signed number,
//! it rejects an integer that is not a signed 16-bit number. If it reads the bits as an unsigned
//! number, it rejects an integer that is not an unsigned 16-bit number. So a sum can be out of
//! range as long as no operation reads it as a number. For example, `3 q` can be above `2^15` in
//! `x - 3 q`. An operation can always read two kinds of lanes: constants, which are stored as bits
//! in tables, and low halves of products, which are bits by definition.
//!
//! The result of an operation on an unknown and constants is a function of this unknown. This makes
//! the span precise: for example, the span of `x - round(3 x / 2^15) q` is shorter than the span of
//! x. A function is a table over all integers that 16 bits can represent. The table is only
//! computed if the function's span is needed. An operation on two unknowns creates a new unknown,
//! and the span of this unknown contains all results.

use super::IntegerSpan;
use core::array::from_fn;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The smallest integer that 16 bits can represent. An unknown is at least this integer.
const MIN_INTEGER: i64 = -0x8000;
/// The largest integer that 16 bits can represent. An unknown is at most this integer.
const MAX_INTEGER: i64 = 0xffff;
/// The offset for integers that no operation can read as a 16-bit number, even after an addition.
/// An integer that is too large is stored as this offset plus the integer's low half.
const TOO_LARGE: i64 = 1 << 40;
/// The number of table values in a block. A table also contains the smallest and the largest value
/// in each block.
const BLOCK: usize = 256;

/// An interpretation of 16 bits as a signed or unsigned number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BitReading {
    Signed,
    Unsigned,
}

impl BitReading {
    /// Returns the span of all numbers in this reading.
    fn range(self) -> IntegerSpan {
        match self {
            Self::Signed => IntegerSpan::new(i16::MIN, i16::MAX),
            Self::Unsigned => IntegerSpan::new(u16::MIN, u16::MAX),
        }
    }

    /// Returns the number that `x` modulo `2^16` represents in this reading.
    fn interpret(self, x: i64) -> i64 {
        match self {
            Self::Signed => (x as i16).into(),
            Self::Unsigned => (x as u16).into(),
        }
    }
}

/// The operation that computes a [`LaneFunction`] from up to two functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FunctionRule {
    /// The unknown itself.
    Unknown,
    Constant(i64),
    Add,
    Sub,
    LowHalf,
    HighHalf,
    Thirds,
    Wrap,
    Min,
    Max,
    And,
    Or,
    Xor,
    Quotient,
}

impl FunctionRule {
    /// Returns the function's value for these operands. If the operation reads an operand as a
    /// number, the operand's range was already checked.
    fn apply(self, a: i64, b: i64) -> i64 {
        let unsigned =
            |op: fn(i64, i64) -> i64| op(BitReading::Unsigned.interpret(a), BitReading::Unsigned.interpret(b));
        let sum = |bits: u16, sum: i64| {
            if a.max(b) < TOO_LARGE && sum.abs() < TOO_LARGE { sum } else { TOO_LARGE + i64::from(bits) }
        };
        match self {
            Self::Unknown => a,
            Self::Constant(c) => c,
            Self::Add => sum((a as u16).wrapping_add(b as u16), a + b),
            Self::Sub => sum((a as u16).wrapping_sub(b as u16), a - b),
            Self::LowHalf if a.abs().max(b.abs()) < 1 << 20 => a * b,
            Self::LowHalf => TOO_LARGE + i64::from((a as u16).wrapping_mul(b as u16)),
            Self::HighHalf => unsigned(|a, b| (a * b) >> 16),
            Self::Thirds => (3 * BitReading::Signed.interpret(a) + 0x4000) >> 15,
            Self::Wrap if a < 0 => a + b,
            Self::Wrap => a,
            Self::Min => unsigned(i64::min),
            Self::Max => unsigned(i64::max),
            Self::And => unsigned(|a, b| a & b),
            Self::Or => unsigned(|a, b| a | b),
            Self::Xor => unsigned(|a, b| a ^ b),
            Self::Quotient => unsigned(|a, b| a / b),
        }
    }
}

/// A function's values for all values of the unknown, and the smallest and the largest value in
/// each block of [`BLOCK`] values.
struct FunctionValues {
    values: Vec<i64>,
    blocks: Vec<(i64, i64)>,
}

/// A function of an unknown.
struct LaneFunction {
    rule: FunctionRule,
    /// The indices of the functions that `rule` combines.
    operands: [u32; 2],
    /// The table with the values of this function. `None` until the table is needed.
    table: Option<FunctionValues>,
}

/// A number for which only the span is known.
struct UnknownNumber {
    span: IntegerSpan,
    /// The factors, if the number is the low half of a product.
    factors: Option<[LaneInteger; 2]>,
}

/// A lane. Its integer is a function of an unknown, and the fields are the indices of the unknown
/// and the function in the [`Arena`]. Constants use the unknown 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneInteger {
    unknown: u32,
    function: u32,
}

/// All unknowns and functions in a thread.
#[derive(Default)]
pub struct Arena {
    functions: Vec<LaneFunction>,
    /// For a rule and its operands, the index in `functions`.
    function_ids: BTreeMap<(FunctionRule, [u32; 2]), u32>,
    unknowns: Vec<UnknownNumber>,
    /// For each 16-bit number, true if the number is in a constant table.
    in_table: Vec<bool>,
    /// The lane for each handle. A handle is the number that represents a lane in a row.
    handles: BTreeMap<u16, LaneInteger>,
    /// For each bound that a kernel has asserted with `within_u16`, the largest magnitude that was
    /// found.
    largest_magnitudes: BTreeMap<u16, i128>,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

/// Starts a new test. Kernels will load constants from `tables`.
pub fn start_u16(tables: &[&[u16]]) {
    ARENA.with_borrow_mut(|arena| {
        arena.in_table = vec![false; 1 << 16];
        for x in tables.iter().copied().flatten() {
            arena.in_table[usize::from(*x)] = true;
        }
        arena.handles.clear();
        arena.unknowns.clear();
        let _constants = arena.unknown(IntegerSpan::new(0, 0));
    });
}

/// Returns a row with `len` unknowns in this span.
pub fn row_u16(len: usize, span: IntegerSpan) -> Vec<u16> {
    ARENA.with_borrow_mut(|arena| {
        let mut next = || {
            let unknown = arena.unknown(span);
            arena.store(unknown)
        };
        (0..len).map(|_| next()).collect()
    })
}

/// Returns the span of all integers in a row.
pub fn span_u16(row: &[u16]) -> IntegerSpan {
    ARENA.with_borrow_mut(|arena| {
        let mut next = |x| {
            let integer = arena.load(x);
            arena.span(integer)
        };
        row.iter().map(|x| next(*x)).reduce(IntegerSpan::join).unwrap()
    })
}

/// Returns the largest magnitude that was found in this thread for each bound in
/// [`U16s::within_u16`](crate::simd::U16s::within_u16).
pub fn most_within() -> BTreeMap<u16, i128> {
    ARENA.with_borrow(|arena| arena.largest_magnitudes.clone())
}

/// Applies an operation to each lane.
pub fn on_each<const N: usize, T: Copy, R>(v: [T; N], mut op: impl FnMut(&mut Arena, T) -> R) -> [R; N] {
    ARENA.with_borrow_mut(|arena| v.map(|x| op(arena, x)))
}

/// Applies an operation to the lanes in two vectors.
pub fn on_both<const N: usize>(
    a: [LaneInteger; N],
    b: [LaneInteger; N],
    op: impl Fn(&mut Arena, LaneInteger, LaneInteger) -> LaneInteger,
) -> [LaneInteger; N] {
    on_each(from_fn(|i| (a[i], b[i])), |arena, (a, b)| op(arena, a, b))
}

impl Arena {
    /// Creates a new unknown.
    fn unknown(&mut self, span: IntegerSpan) -> LaneInteger {
        let fits_range =
            [BitReading::Signed, BitReading::Unsigned].iter().any(|reading| reading.range().contains(span));
        assert!(fits_range && span.low <= span.high, "{span} does not fit in 16 bits");
        self.unknowns.push(UnknownNumber { span, factors: None });
        LaneInteger { unknown: self.unknowns.len() as u32 - 1, function: self.function(FunctionRule::Unknown, [0; 2]) }
    }

    /// Returns a function's index. If the function is new, adds it to the arena.
    fn function(&mut self, rule: FunctionRule, operands: [u32; 2]) -> u32 {
        let next = self.functions.len() as u32;
        let index = *self.function_ids.entry((rule, operands)).or_insert(next);
        if index == next {
            self.functions.push(LaneFunction { rule, operands, table: None });
        }
        index
    }

    /// Computes a function's table, and the tables for its operands.
    fn tabulate(&mut self, function: u32) {
        let LaneFunction { rule, operands, ref table } = self.functions[function as usize];
        if table.is_some() || matches!(rule, FunctionRule::Unknown | FunctionRule::Constant(_)) {
            return;
        }
        operands.into_iter().for_each(|operand| self.tabulate(operand));
        let [a, b] = operands.map(|operand| &self.functions[operand as usize]);
        let values: Vec<i64> = (MIN_INTEGER..=MAX_INTEGER).map(|x| rule.apply(a.value(x), b.value(x))).collect();
        let extremes = |block: &[i64]| (*block.iter().min().unwrap(), *block.iter().max().unwrap());
        let blocks = values.chunks(BLOCK).map(extremes).collect();
        self.functions[function as usize].table = Some(FunctionValues { values, blocks });
    }

    /// Returns a lane's span.
    fn span(&mut self, x: LaneInteger) -> IntegerSpan {
        let unknown = self.unknowns[x.unknown as usize].span;
        match self.functions[x.function as usize].rule {
            FunctionRule::Unknown => return unknown,
            FunctionRule::Constant(c) => return IntegerSpan::new(c, c),
            _ => self.tabulate(x.function),
        }
        let table = self.functions[x.function as usize].table.as_ref().unwrap();
        let [first, last] = [unknown.low, unknown.high].map(|value| (value - i128::from(MIN_INTEGER)) as usize);
        let mut span = IntegerSpan::new(table.values[first], table.values[first]);
        let mut at = first;
        while at <= last {
            let (low, high) = if at.is_multiple_of(BLOCK) && at + BLOCK <= last + 1 {
                at += BLOCK;
                table.blocks[at / BLOCK - 1]
            } else {
                at += 1;
                (table.values[at - 1], table.values[at - 1])
            };
            span = span.join(IntegerSpan::new(low, high));
        }
        span
    }

    /// Returns the span of the numbers that an operation can read from a lane. Panics if the lane
    /// can be outside this reading's range, unless the lane is a constant or a low half.
    fn read(&mut self, x: LaneInteger, reading: BitReading) -> IntegerSpan {
        let span = self.span(x);
        if reading.range().contains(span) {
            return span;
        }
        if let Some(c) = self.constant_of(x) {
            return IntegerSpan::new(reading.interpret(c), reading.interpret(c));
        }
        let is_low_half = self.functions[x.function as usize].rule == FunctionRule::LowHalf;
        assert!(is_low_half, "{span} is read as {reading:?}");
        reading.range()
    }

    /// Returns the span of a lane's bits when they are read as an unsigned number.
    fn bits(&mut self, x: LaneInteger) -> IntegerSpan {
        let span = self.span(x);
        if BitReading::Signed.range().contains(span) && span.low < 0 {
            return if span.high < 0 {
                span.plus(IntegerSpan::new(1 << 16, 1 << 16))
            } else {
                BitReading::Unsigned.range()
            };
        }
        self.read(x, BitReading::Unsigned)
    }

    /// Returns the integer if the lane is a constant.
    fn constant_of(&self, x: LaneInteger) -> Option<i64> {
        match self.functions[x.function as usize].rule {
            FunctionRule::Constant(c) => Some(c),
            _ => None,
        }
    }

    /// Returns a constant lane's value. Panics if the lane is not a constant.
    fn constant_value(&self, x: LaneInteger) -> i64 {
        self.constant_of(x).expect("the lane is a constant")
    }

    /// Applies `rule` to two lanes if the result depends on at most one unknown: both lanes are
    /// functions of the same unknown, or at least one lane is a constant. Otherwise, returns
    /// `None`.
    fn function_of_both(&mut self, rule: FunctionRule, a: LaneInteger, b: LaneInteger) -> Option<LaneInteger> {
        if let (Some(a), Some(b)) = (self.constant_of(a), self.constant_of(b)) {
            return Some(self.constant_integer(rule.apply(a, b)));
        }
        let unknown = match (self.constant_of(a), self.constant_of(b)) {
            (Some(_), _) => b.unknown,
            (_, Some(_)) => a.unknown,
            _ if a.unknown == b.unknown => a.unknown,
            _ => return None,
        };
        Some(LaneInteger { unknown, function: self.function(rule, [a.function, b.function]) })
    }

    /// Returns a lane that contains the constant `c`.
    fn constant_integer(&mut self, c: i64) -> LaneInteger {
        LaneInteger { unknown: 0, function: self.function(FunctionRule::Constant(c), [0; 2]) }
    }

    /// Returns the constant with these bits, interpreted as a signed number.
    pub fn constant(&mut self, x: u16) -> LaneInteger {
        self.constant_integer(x.cast_signed().into())
    }

    /// Returns the lane that `x` identifies, if `x` is a handle. If `x` is a number in a constant
    /// table, returns this constant.
    pub fn load(&mut self, x: u16) -> LaneInteger {
        if self.in_table[usize::from(x)] {
            return self.constant(x);
        }
        *self.handles.get(&x).unwrap_or_else(|| panic!("{x} is neither in a constant table nor a handle"))
    }

    /// Returns a new handle for the lane.
    pub fn store(&mut self, x: LaneInteger) -> u16 {
        let next = self.handles.last_key_value().map_or(0, |(last, _)| last + 1);
        let handle = (next..=u16::MAX)
            .find(|number| !self.in_table[usize::from(*number)])
            .expect("there are too many lanes for 16-bit handles");
        self.handles.insert(handle, x);
        handle
    }

    pub fn add(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        self.function_of_both(FunctionRule::Add, a, b).unwrap_or_else(|| {
            let span = self.span(a).plus(self.span(b));
            self.unknown(span)
        })
    }

    pub fn sub(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        self.function_of_both(FunctionRule::Sub, a, b).unwrap_or_else(|| {
            let span = self.span(a).minus(self.span(b));
            self.unknown(span)
        })
    }

    /// Returns the low half of `a b`. If the product depends on two unknowns, stores its factors,
    /// because [`Self::montgomery`] needs them.
    pub fn low_half(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        if let Some(product) = self.function_of_both(FunctionRule::LowHalf, a, b) {
            return product;
        }
        let span = self.span(a).times(self.span(b));
        let fits_range = BitReading::Signed.range().contains(span);
        let product = self.unknown(if fits_range { span } else { BitReading::Unsigned.range() });
        self.unknowns[product.unknown as usize].factors = Some([a, b]);
        product
    }

    pub fn high_half(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        let product = self.read(a, BitReading::Unsigned).times(self.read(b, BitReading::Unsigned));
        let span = IntegerSpan { low: product.low >> 16, high: product.high >> 16 };
        self.function_of_both(FunctionRule::HighHalf, a, b).unwrap_or_else(|| self.unknown(span))
    }

    pub fn high_half_signed(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        let product = self.read(a, BitReading::Signed).times(self.read(b, BitReading::Signed));
        self.unknown(IntegerSpan { low: product.low >> 16, high: product.high >> 16 })
    }

    pub fn min(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        let [x, y] = [a, b].map(|operand| self.read(operand, BitReading::Unsigned));
        let span = IntegerSpan { low: x.low.min(y.low), high: x.high.min(y.high) };
        self.function_of_both(FunctionRule::Min, a, b).unwrap_or_else(|| self.unknown(span))
    }

    pub fn max(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        let [x, y] = [a, b].map(|operand| self.read(operand, BitReading::Unsigned));
        let span = IntegerSpan { low: x.low.max(y.low), high: x.high.max(y.high) };
        self.function_of_both(FunctionRule::Max, a, b).unwrap_or_else(|| self.unknown(span))
    }

    /// Returns `a` or `a + q`, in `[0, q)`.
    pub fn wrap(&mut self, a: LaneInteger, q: LaneInteger) -> LaneInteger {
        let bound = self.constant_value(q);
        let span = self.read(a, BitReading::Signed);
        assert!(IntegerSpan::new(-bound, bound - 1).contains(span), "{span} is wrapped by {bound}");
        self.function_of_both(FunctionRule::Wrap, a, q).expect("q is a constant")
    }

    pub fn and(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        let [x, y] = [a, b].map(|operand| self.bits(operand));
        self.function_of_both(FunctionRule::And, a, b)
            .unwrap_or_else(|| self.unknown(IntegerSpan::new(0, x.high.min(y.high))))
    }

    pub fn or(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        self.any_bits(FunctionRule::Or, a, b)
    }

    pub fn xor(&mut self, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        self.any_bits(FunctionRule::Xor, a, b)
    }

    /// Applies a bitwise operation. If the result depends on two unknowns, it can be any 16-bit
    /// number.
    fn any_bits(&mut self, rule: FunctionRule, a: LaneInteger, b: LaneInteger) -> LaneInteger {
        for operand in [a, b] {
            self.bits(operand);
        }
        self.function_of_both(rule, a, b).unwrap_or_else(|| self.unknown(BitReading::Unsigned.range()))
    }

    /// Returns `a / divisor`, rounded down.
    pub fn quotient(&mut self, a: LaneInteger, divisor: i64) -> LaneInteger {
        self.read(a, BitReading::Unsigned);
        let divisor = self.constant_integer(divisor);
        self.function_of_both(FunctionRule::Quotient, a, divisor).expect("the divisor is a constant")
    }

    pub fn thirds(&mut self, a: LaneInteger) -> LaneInteger {
        self.read(a, BitReading::Signed);
        self.function_of_both(FunctionRule::Thirds, a, a).expect("both operands are the same lane")
    }

    /// Returns `(a z - m q) / 2^16`. Panics unless m's factors prove that the difference's low half
    /// is zero.
    pub fn montgomery(&mut self, [a, z, m, q, zero]: [LaneInteger; 5]) -> LaneInteger {
        let q = self.constant_value(q);
        assert!(self.constant_value(zero) as u16 == 0, "`zero` is not 0");
        assert!(self.is_quotient(m, a, z, q as u16), "the low half is not zero");
        let factor = self.read(z, BitReading::Signed);
        assert!(
            IntegerSpan::new(1 - (1 << 14), (1 << 14) - 1).contains(factor.join(IntegerSpan::new(q, q))),
            "the factors {factor} and {q} are not below 2^14 in magnitude"
        );
        let product = self.read(a, BitReading::Signed).times(factor);
        let span = product.minus(BitReading::Signed.range().times(IntegerSpan::new(q, q)));
        // The dividend is a multiple of 2^16. So the smallest quotient is rounded up, and the
        // largest quotient is rounded down.
        self.unknown(IntegerSpan { low: -(-span.low >> 16), high: span.high >> 16 })
    }

    /// Returns true if m's factors prove that `m q` and `a z` have the same low half. This is
    /// proved if m is a product `a w`, and `w q` has the same low half as z. The function can only
    /// prove this second condition if w and z are constants, or if w is the product of z and a
    /// constant.
    fn is_quotient(&self, m: LaneInteger, a: LaneInteger, z: LaneInteger, q: u16) -> bool {
        let other_factor = |product: LaneInteger, factor: LaneInteger| {
            let [x, y] = self.factors(product)?;
            if x == factor { Some(y) } else { (y == factor).then_some(x) }
        };
        let Some(w) = other_factor(m, a) else { return false };
        if let (Some(w), Some(z)) = (self.constant_of(w), self.constant_of(z)) {
            return (w as u16).wrapping_mul(q) == z as u16;
        }
        let inverse = other_factor(w, z).and_then(|factor| self.constant_of(factor));
        inverse.is_some_and(|factor| (factor as u16).wrapping_mul(q) == 1)
    }

    /// Returns both factors if the lane is the low half of a product.
    fn factors(&self, x: LaneInteger) -> Option<[LaneInteger; 2]> {
        let LaneFunction { rule, operands, .. } = self.functions[x.function as usize];
        match rule {
            FunctionRule::LowHalf => Some(operands.map(|function| {
                let is_constant = matches!(self.functions[function as usize].rule, FunctionRule::Constant(_));
                LaneInteger { unknown: if is_constant { 0 } else { x.unknown }, function }
            })),
            FunctionRule::Unknown => self.unknowns[x.unknown as usize].factors,
            _ => None,
        }
    }

    /// Returns the lane if its signed magnitude is at most `bound`, and panics otherwise.
    pub fn within(&mut self, x: LaneInteger, bound: u16) -> LaneInteger {
        let span = self.read(x, BitReading::Signed);
        let magnitude = span.high.max(-span.low);
        assert!(magnitude <= bound.into(), "{span} is not within {bound}");
        let largest = self.largest_magnitudes.entry(bound).or_default();
        *largest = magnitude.max(*largest);
        x
    }

    /// Returns the largest square that the lane can have.
    pub fn square(&mut self, x: LaneInteger) -> u64 {
        let span = self.read(x, BitReading::Unsigned);
        assert!(span.high < 1 << 15, "{span} is not below 2^15, so its square is not exact");
        (span.high * span.high) as u64
    }
}

impl LaneFunction {
    /// Returns the function's value if the unknown is `x`.
    fn value(&self, x: i64) -> i64 {
        match self.rule {
            FunctionRule::Unknown => x,
            FunctionRule::Constant(c) => c,
            _ => self.table.as_ref().unwrap().values[(x - MIN_INTEGER) as usize],
        }
    }
}
