//! How deep the stack goes, for `fndsa bench`.

use core::hint::black_box;

/// What the stack is painted with: neither zeros, which wiping leaves, nor likely in data.
const PAINT: u8 = 0xa5;

/// Bytes of stack that are looked at: a thread that asks needs twice as much.
pub const PAINTED: usize = 256 * 1024;

/// Runs `f` and returns how many bytes of the stack below the caller it has used, at most [`PAINTED`].
pub fn stack_depth(f: impl FnOnce()) -> usize {
    /// Runs `f` in a frame of its own, which begins where that of `paint` began.
    #[inline(never)]
    fn frame(f: impl FnOnce()) {
        f();
    }
    let lowest = paint();
    frame(f);
    PAINTED - untouched(lowest)
}

/// Paints the stack below the caller. Returns the lowest address of the paint.
#[inline(never)]
fn paint() -> usize {
    let mut room = [PAINT; PAINTED];
    black_box(&mut room).as_ptr().expose_provenance()
}

/// Returns how many bytes from `lowest` on have their paint.
#[inline(never)]
fn untouched(lowest: usize) -> usize {
    // SAFETY: the bytes are of this thread's own stack, which `paint` has made to reach down to `lowest` and written; they are read by
    // volatile loads, so whatever has been left there is what is seen. The highest of them may be in this function's own frame: any
    // byte is good.
    let byte = |i: usize| unsafe { core::ptr::with_exposed_provenance::<u8>(lowest + i).read_volatile() };
    (0..PAINTED).find(|i| byte(*i) != PAINT).unwrap_or(PAINTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Touches at least `BYTES` of the stack.
    #[inline(never)]
    fn touch<const BYTES: usize>() {
        let mut room = [1u8; BYTES];
        black_box(&mut room);
    }

    #[test]
    fn what_a_function_touches_is_seen() {
        let measure = || {
            let little = stack_depth(touch::<64>);
            let much = stack_depth(touch::<50_000>);
            let all = stack_depth(touch::<{ PAINTED + 5000 }>);
            assert!(little < 2000, "{little}");
            assert!((50_000..52_000).contains(&much), "{much}");
            assert_eq!(all, PAINTED);
            assert_eq!(stack_depth(touch::<64>), little, "paint is renewed");
        };
        std::thread::Builder::new().stack_size(8 * PAINTED).spawn(measure).unwrap().join().unwrap();
    }
}
