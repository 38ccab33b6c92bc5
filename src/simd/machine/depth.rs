//! Measures the stack depth, for `fndsa bench`.

use core::hint::black_box;

/// The byte with which [`paint`] fills the stack. It must not be zero, because bytes that `f` wipes
/// with zeros must count as changed. It should be rare in data.
const PAINT: u8 = 0xa5;

/// The number of stack bytes that are checked. The calling thread needs a stack of twice this size.
pub const PAINTED: usize = 256 * 1024;

/// Runs `f` and returns the number of bytes that `f` has used below the caller's stack frame, at
/// most [`PAINTED`].
pub fn stack_depth(f: impl FnOnce()) -> usize {
    /// Runs `f` in a separate stack frame. This frame starts at the same address as the frame of
    /// `paint`, because the same function calls both.
    #[inline(never)]
    fn frame(f: impl FnOnce()) {
        f();
    }
    let lowest = paint();
    frame(f);
    PAINTED - unchanged_bytes(lowest)
}

/// Fills the stack below the caller, and returns the lowest address of this area.
#[inline(never)]
fn paint() -> usize {
    let mut painted_memory = [PAINT; PAINTED];
    black_box(&mut painted_memory).as_ptr().expose_provenance()
}

/// Counts the bytes from `lowest` to the first byte that was changed.
#[inline(never)]
fn unchanged_bytes(lowest: usize) -> usize {
    // SAFETY: the bytes belong to this thread's stack. `paint` has extended the stack to
    // `lowest` and has written all bytes. Volatile loads return their current content. The highest
    // bytes may be in the stack frame of this function. They can also be read, because `paint` has
    // initialized them, and any byte is a valid `u8`.
    let byte = |i: usize| unsafe { core::ptr::with_exposed_provenance::<u8>(lowest + i).read_volatile() };
    (0..PAINTED).find(|i| byte(*i) != PAINT).unwrap_or(PAINTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses at least `BYTES` bytes of the stack.
    #[inline(never)]
    fn touch<const BYTES: usize>() {
        let mut array = [1u8; BYTES];
        black_box(&mut array);
    }

    #[test]
    fn the_stack_depth_of_a_function_is_measured() {
        let measure = || {
            let shallow = stack_depth(touch::<64>);
            let deep = stack_depth(touch::<50_000>);
            let too_deep = stack_depth(touch::<{ PAINTED + 5000 }>);
            assert!(shallow < 2000, "{shallow}");
            assert!((50_000..52_000).contains(&deep), "{deep}");
            assert_eq!(too_deep, PAINTED);
            assert_eq!(stack_depth(touch::<64>), shallow, "each measurement fills the stack again");
        };
        std::thread::Builder::new().stack_size(8 * PAINTED).spawn(measure).unwrap().join().unwrap();
    }
}
