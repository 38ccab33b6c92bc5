//! A level (an instruction set) with a single lane that computes incorrectly on demand, to test the
//! fault checks.
//!
//! The level counts its operations on real numbers, and its frames (the functions in which a
//! level's instructions are enabled). A [`FaultPlan`] specifies the operations and frames that
//! fail. All other operations compute the results that the level `scalar` computes.

use crate::simd::lanes::{one_lane_f64, one_lane_i64, one_lane_level, one_lane_rows, one_lane_u16, one_lane_u32};
use crate::simd::{Emulated, F64s, Frame, I64s, PlainData, Real, RealRows, RowValue, Sealed, Simd, U16s, U32s};
use core::ops::{Add, Mul, Neg, Sub};
use std::cell::{Cell, RefCell};

/// The change that a fault makes to an operation on real numbers.
#[derive(Clone, Copy, Debug)]
pub enum FaultEffect {
    /// In the operation's result, the given bits are inverted.
    Flip(u64),
    /// The operation returns zero.
    Zero,
    /// The operation is skipped, and the result is its first operand.
    Skip,
}

/// The operations and frames that fail. Both are numbered from the last call to [`plan`].
#[derive(Clone, Debug)]
pub struct FaultPlan {
    /// The effect of each fault.
    pub effect: FaultEffect,
    /// The failing operations: each number is the index of the first operation in a sequence of
    /// `len` failing operations.
    pub operations: Vec<u64>,
    /// The number of failing operations in each sequence.
    pub len: u64,
    /// The indices of the frames that fail. With [`FaultEffect::Zero`], all operations in a failing
    /// frame return zero. With another effect, a failing frame that returns `()` is skipped. A
    /// failing frame that returns a result is not skipped, and computes the correct result.
    pub frames: Vec<u64>,
}

thread_local! {
    /// The operations and frames that fail in this thread.
    static PLAN: RefCell<FaultPlan> = const { RefCell::new(FaultPlan { effect: FaultEffect::Zero, operations: vec![], len: 0, frames: vec![] }) };
    /// The number of operations since the last call to [`plan`].
    static OPERATIONS: Cell<u64> = const { Cell::new(0) };
    /// The number of frames since the last call to [`plan`].
    static FRAMES: Cell<u64> = const { Cell::new(0) };
    /// The number of failing frames that contain the current operation.
    static FAILING_FRAMES: Cell<u32> = const { Cell::new(0) };
}

/// Sets the faults for this thread. Returns how many operations and how many frames have run since
/// the last call.
pub fn plan(plan: FaultPlan) -> (u64, u64) {
    PLAN.set(plan);
    FAILING_FRAMES.set(0);
    (OPERATIONS.replace(0), FRAMES.replace(0))
}

/// A binary64 number that counts its operations.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct FaultyF64(f64);

/// Counts an operation, and returns its result: `correct`, unless the plan contains a fault for
/// this operation. `first` is the first operand.
fn result(first: FaultyF64, correct: f64) -> FaultyF64 {
    let number = OPERATIONS.replace(OPERATIONS.get() + 1);
    let goes_wrong = FAILING_FRAMES.get() > 0
        || PLAN.with_borrow(|plan| plan.operations.iter().any(|start| (*start..start + plan.len).contains(&number)));
    if !goes_wrong {
        return FaultyF64(correct);
    }
    match PLAN.with_borrow(|plan| plan.effect) {
        FaultEffect::Flip(bits) => FaultyF64(f64::from_bits(correct.to_bits() ^ bits)),
        FaultEffect::Zero => FaultyF64(0.0),
        FaultEffect::Skip => first,
    }
}

impl Add for FaultyF64 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        result(self, self.0 + other.0)
    }
}

impl Sub for FaultyF64 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        result(self, self.0 - other.0)
    }
}

impl Mul for FaultyF64 {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        result(self, self.0 * other.0)
    }
}

impl Neg for FaultyF64 {
    type Output = Self;
    fn neg(self) -> Self {
        result(self, -self.0)
    }
}

// SAFETY: the memory is a binary64 number, which is `PlainData`.
unsafe impl PlainData for FaultyF64 {}

impl RowValue for FaultyF64 {
    const ZERO: Self = Self(0.0);
}

impl Real for FaultyF64 {
    const IN_HARDWARE: bool = true;
    fn from_bits(bits: u64) -> Self {
        Self(f64::from_bits(bits))
    }
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }
    fn from_i32(x: i32) -> Self {
        Self(x.into())
    }
    fn trunc_i64(self) -> i64 {
        self.0.trunc_i64()
    }
    fn floor_i32(self) -> i32 {
        self.0.floor_i32()
    }
    fn round_i64(self) -> i64 {
        self.0.round_i64()
    }
    fn scale63_u64(self) -> u64 {
        self.0.scale63_u64()
    }
    fn divided_by(self, divisor: Self) -> Self {
        result(self, self.0 / divisor.0)
    }
    fn sqrt(self) -> Self {
        result(self, self.0.sqrt())
    }
    fn half(self) -> Self {
        result(self, self.0 / 2.0)
    }
}

/// The level that computes incorrectly according to the [`FaultPlan`] of the thread.
#[derive(Clone, Copy, Debug)]
pub struct FaultyLevel;

impl Sealed for FaultyLevel {}

impl Frame for FaultyLevel {
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        let number = FRAMES.replace(FRAMES.get() + 1);
        let (goes_wrong, effect) = PLAN.with_borrow(|plan| (plan.frames.contains(&number), plan.effect));
        match effect {
            _ if !goes_wrong => f(),
            FaultEffect::Zero => {
                FAILING_FRAMES.set(FAILING_FRAMES.get() + 1);
                let result = f();
                FAILING_FRAMES.set(FAILING_FRAMES.get().saturating_sub(1));
                result
            }
            _ if size_of::<R>() == 0 => {
                // SAFETY: the result has no bytes. The only type without bytes that frames return
                // is `()`.
                unsafe { core::mem::zeroed() }
            }
            _ => f(),
        }
    }
}

impl Simd for FaultyLevel {
    const NAME: &'static str = "faulty";
    one_lane_level!(Emulated, Emulated);
}

impl U16s for FaultyLevel {
    one_lane_u16!();
}

impl U32s for FaultyLevel {
    one_lane_u32!();
}

impl I64s for FaultyLevel {
    one_lane_i64!();
}

impl RealRows for FaultyLevel {
    one_lane_rows!(FaultyF64);
}

impl F64s for FaultyLevel {
    one_lane_f64!();
}
