//! Frames: functions that enable a level's instructions.

use super::Sealed;

/// An instruction set that can be enabled.
pub trait Frame: Sealed + Copy + Send + Sync {
    /// Runs `f` in a frame that enables the instructions. Kernels call this function with `frame!`.
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// Computes `work` in a frame, for `frame!(isa, { work })`. The frame enables the level's
/// instructions ([`Frame::enter`]).
///
/// The work is a closure that borrows its variables. A `return` or `?` in the work ends only the
/// work, not the function that contains `frame!`. The closure must be inlined into the frame.
/// Otherwise, the compiler could compile it as a function without the level's instructions.
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

/// Runs the work in a level's frame, and in a separate stack frame. One stack frame for all levels
/// would need memory for the variables of each level.
#[inline(never)]
pub fn in_frame<S: Frame, R>(isa: S, work: impl FnOnce(S) -> R) -> R {
    frame!(isa, work(isa))
}
