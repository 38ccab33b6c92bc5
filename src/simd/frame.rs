//! Frames: functions that enable a level's instructions.

use super::Sealed;
use core::hint::black_box;

/// An instruction set that can be enabled for a function.
pub trait Frame: Sealed + Copy + Send + Sync {
    /// Runs `f` in a frame, which is a function that enables the level's instructions. Kernels call
    /// this function with `frame!`.
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// Computes `work` in a frame: `frame!(isa, { work })`. The frame enables the level's instructions
/// ([`Frame::enter`]).
///
/// The macro makes the work a closure, which borrows its variables. A `return` or `?` in the work
/// ends only the work, not the function that contains `frame!`. The closure must be inlined into
/// the frame. Otherwise, the compiler could compile it as a function without the level's
/// instructions.
macro_rules! frame {
    ($isa:expr, $work:expr $(,)?) => {
        $crate::simd::Frame::enter(
            $isa,
            #[inline(always)]
            || $work,
        )
    };
}
pub(crate) use frame;

/// Runs the work in a level's frame, and in a separate stack frame. If all levels shared a stack
/// frame, this frame would need memory for the variables of each level.
#[inline(never)]
pub fn in_frame<S: Frame, R>(isa: S, work: impl FnOnce(S) -> R) -> R {
    frame!(isa, work(isa))
}

/// A variable at the start of a cache line.
#[repr(align(64))]
struct LineStart(#[expect(dead_code, reason = "only the address matters")] u8);

/// Aligns the stack frame of the function that contains this call, if vectors of the type `V` are
/// longer than 16 bytes. A kernel with more vectors than registers should call this function. The
/// compiler stores the remaining vectors on the stack, and does not align them by itself. An access
/// to a vector that crosses a cache line takes longer: without this call, the permutation of Keccak
/// takes up to 1.5 times as long.
#[inline(always)]
pub fn align_stack_for<V>() {
    if align_of::<V>() > 16 {
        // The compiler must keep this variable, and so it aligns the stack frame.
        black_box(&mut LineStart(0));
    }
}
