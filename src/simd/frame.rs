//! Frames: where the instructions of a level are switched on.

use super::Sealed;

/// An instruction set that can be switched on.
pub trait Frame: Sealed + Copy + Send + Sync {
    /// Runs `f` in a frame where the instructions are on. Kernels call it by `frame!`.
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// `frame!(isa, { work })` computes `work` in a frame of the level: with its instructions on ([`Frame::enter`]).
///
/// The work is a closure that borrows what it names; a `return` or `?` in it ends the work alone. The closure is
/// inlined into the frame by its attribute, for otherwise it may become a function without the level's instructions.
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

/// Runs the work in the frame of one level, and in a stack frame of its own: one frame for all levels would have room
/// for the variables of each.
#[inline(never)]
pub fn in_frame<S: Frame, R>(isa: S, work: impl FnOnce(S) -> R) -> R {
    frame!(isa, work(isa))
}
