//! Value barriers, declassification and wiping. The barriers prevent compiler optimizations that
//! would leak a secret.
//!
//! With rustc 1.95, the source text `mask & (a ^ b)` becomes a branch on a secret mask if the
//! compiler can prove that the mask has only two possible values. [`barrier_u32`] and
//! [`barrier_u64`] prevent this proof, without a measurable cost.
//!
//! Some operations are a single instruction on 64-bit processors, but a branch, or a function call
//! with a branch, on smaller processors. This file contains branch-free versions of 64-bit
//! comparisons, and of the minimum and the maximum for processors without a conditional move.
//! [`constant_time_u64`](super::constant_time_u64) contains shifts and the search for the highest
//! bit. The tests compare the versions for smaller processors with the plain operations.

/// Defines a value barrier for an integer type.
macro_rules! barrier {
    ($name:ident, $t:ty) => {
        /// Returns `x` as a value that is unknown to the compiler.
        #[inline(always)]
        // The assembly is only a comment, so `x` can be narrower than the register.
        #[allow(asm_sub_register)]
        pub fn $name(x: $t) -> $t {
            // MemorySanitizer does not track values in assembly.
            #[cfg(fndsa_msan)]
            return x;
            #[cfg(all(not(any(fndsa_msan, miri)), any(
                target_arch = "x86_64",
                target_arch = "x86",
                target_arch = "aarch64",
                target_arch = "arm64ec",
                target_arch = "arm",
                target_arch = "riscv64",
                target_arch = "riscv32",
            )))]
            {
                let mut x = x;
                // SAFETY: there is no instruction, and the register is declared as read and
                // written.
                unsafe {
                    core::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
                }
                x
            }
            // Other processors do not have a stable `asm!`, and Miri does not support assembly.
            #[cfg(any(miri, not(any(
                target_arch = "x86_64",
                target_arch = "x86",
                target_arch = "aarch64",
                target_arch = "arm64ec",
                target_arch = "arm",
                target_arch = "riscv64",
                target_arch = "riscv32",
            ))))]
            {
                core::hint::black_box(x)
            }
        }
    };
}
barrier!(barrier_u32, u32);
#[cfg(target_pointer_width = "64")]
barrier!(barrier_u64, u64);

/// Returns `x` as a value that is unknown to the compiler.
#[cfg(not(target_pointer_width = "64"))]
#[inline(always)]
pub fn barrier_u64(x: u64) -> u64 {
    u64::from(barrier_u32(x as u32)) | u64::from(barrier_u32((x >> 32) as u32)) << 32
}

/// True if the processor can select between two values with a vector minimum or a conditional move,
/// and the compiler uses this instruction in the functions below. tests/ct checks that the machine
/// code of these functions has no branch. On other processors, the compiler uses a branch if it can
/// prove that a mask has only two values.
pub const HAS_BRANCH_FREE_SELECT: bool = cfg!(any(
    target_feature = "sse2",
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "arm64ec",
    target_family = "wasm"
));

/// Returns all ones if `x` is negative, otherwise zero. The compiler does not replace the mask by a
/// branch. It can still vectorize loops that use the mask.
#[inline(always)]
pub fn mask_negative(x: i32) -> u32 {
    if HAS_BRANCH_FREE_SELECT {
        (x >> 31).cast_unsigned()
    } else {
        // The first barrier hides `x` from the compiler. Otherwise, the compiler would replace the
        // shift by a comparison, which is a branch on processors that cannot store the result of a
        // comparison in a register.
        barrier_u32((barrier_u32(x.cast_unsigned()).cast_signed() >> 31).cast_unsigned())
    }
}

/// Returns 1 if `a < b`, otherwise 0.
#[inline(always)]
pub fn less_u64(a: u64, b: u64) -> u64 {
    #[cfg(target_pointer_width = "64")]
    return u64::from(a < b);
    #[cfg(not(target_pointer_width = "64"))]
    borrow(a, b)
}

/// Returns the borrow of `a - b` from bit 64: 1 if `a < b`, otherwise 0.
#[inline(always)]
#[cfg(any(test, not(target_pointer_width = "64")))]
fn borrow(a: u64, b: u64) -> u64 {
    // Both numbers must be hidden from the compiler. Otherwise, if the compiler knows their ranges,
    // it can replace the expression by a comparison, which is a branch on RISC-V.
    let (a, b) = (barrier_u64(a), barrier_u64(b));
    ((!a & b) | ((!a | b) & a.wrapping_sub(b))) >> 63
}

/// Returns the smaller number.
#[inline(always)]
pub fn min_u16(a: u16, b: u16) -> u16 {
    if HAS_BRANCH_FREE_SELECT { a.min(b) } else { masked_min(a, b) }
}

/// Returns the larger number.
#[inline(always)]
pub fn max_u16(a: u16, b: u16) -> u16 {
    if HAS_BRANCH_FREE_SELECT { a.max(b) } else { masked_max(a, b) }
}

/// Returns the smaller number, selected by a mask instead of a minimum instruction.
#[inline(always)]
fn masked_min(a: u16, b: u16) -> u16 {
    let is_less = barrier_u32(u32::from(a).wrapping_sub(u32::from(b)) >> 16) as u16;
    b ^ ((a ^ b) & is_less)
}

/// Returns the larger number, which is `a ^ b` without the smaller number (`a ^ b ^ a` is `b`).
#[inline(always)]
fn masked_max(a: u16, b: u16) -> u16 {
    a ^ b ^ masked_min(a, b)
}

/// Returns `x` as a reference to a location that is unknown to the compiler. The program then reads
/// the table `x` from memory. Otherwise, the compiler could copy the table's values into the code,
/// and the table's checksum would not detect damage to these copies.
#[inline(always)]
// The assembly is only a comment, so it does not access memory.
#[allow(clippy::pointers_in_nomem_asm_block)]
pub fn hidden<T>(x: &'static T) -> &'static T {
    #[cfg(all(
        not(any(fndsa_msan, miri)),
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm64ec", target_arch = "arm")
    ))]
    {
        let mut pointer = core::ptr::from_ref(x);
        // SAFETY: there is no instruction, so the pointer does not change.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) pointer, options(pure, nomem, nostack, preserves_flags));
            &*pointer
        }
    }
    #[cfg(not(all(
        not(any(fndsa_msan, miri)),
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm64ec", target_arch = "arm")
    )))]
    core::hint::black_box(x)
}

/// Returns all ones if `x != 0`, otherwise zero.
#[inline(always)]
pub fn mask_nonzero(x: u64) -> u64 {
    mask_of_top(x | x.wrapping_neg())
}

/// Returns all ones if `x`'s top bit is set, otherwise zero. If `x` is a difference, its top bit is
/// the sign.
#[inline(always)]
pub fn mask_of_top(x: u64) -> u64 {
    // If `HAS_BRANCH_FREE_SELECT` is false, a barrier must also hide `x` from the compiler, for the
    // reason given in `mask_negative`.
    let x = if HAS_BRANCH_FREE_SELECT { x } else { barrier_u64(x) };
    barrier_u64(x >> 63).wrapping_neg()
}

/// Declassifies a secret: from this point on, a branch or an index can depend on it. `_why` is the
/// name of an entry in the table of docs/constant-time.md, and this entry contains the reason.
/// tests/house.rs checks that the code and the table contain the same names. tests/ct finds code
/// that reveals a secret without this function.
#[inline(always)]
pub fn declassify<T: Copy>(_why: &str, x: T) -> T {
    #[cfg(fndsa_memcheck)]
    let x = {
        let mut x = x;
        super::check::memcheck::unpoison(&mut x);
        x
    };
    x
}

/// Declassifies the secrets in a row, as [`declassify`] does.
#[inline(always)]
pub fn declassify_row<T: Copy>(_why: &str, _row: &mut [T]) {
    #[cfg(fndsa_memcheck)]
    super::check::memcheck::unpoison(_row);
}

/// Fills `memory` with zeros, even if the memory is not read again.
pub fn wipe<T: super::PlainData>(memory: &mut [T]) {
    #[cfg(fndsa_armv7e_m)]
    super::armv7e_m::memory::clear(super::recast(&mut *memory));
    #[cfg(not(fndsa_armv7e_m))]
    // `fill` uses bulk stores. Volatile stores of single bytes, as in `zeroize`, would take 8 % of
    // a signature's time.
    super::recast::<T, u8>(memory).fill(0);
    keep_zeros(memory);
}

/// Makes the compiler keep the last writes to `memory`.
#[inline(always)]
fn keep_zeros<T>(memory: &mut [T]) {
    // The compiler must assume that `black_box` reads the memory.
    core::hint::black_box(memory.as_ptr());
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
}

/// Memory that is wiped when this value is dropped, also after a panic.
pub struct WipedMemory<'a, T: super::PlainData = u8>(pub &'a mut [T]);

impl<T: super::PlainData> WipedMemory<'_, T> {
    /// Does not wipe the memory when this value is dropped.
    pub fn keep(self) {
        core::mem::forget(self);
    }
}

impl<T: super::PlainData> Drop for WipedMemory<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        wipe(self.0);
    }
}

/// The number of stack bytes that an unwinding panic can use. These bytes must be wiped, because a
/// panic saves the operation's registers, which can contain secrets, on the stack.
const PANIC_STACK_BYTES: usize = 32 * 1024;

/// A guard that calls a function on drop. The function wipes the stack below the stack frame that
/// contains the guard.
struct StackGuard(fn());

impl Drop for StackGuard {
    #[inline(always)]
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Runs `f` with `work`, and then wipes `work` and the stack that `f` has used below the caller.
/// `wipe_stack_of_f` is [`wipe_stack`] with the depth that `f` needs. `tests/memory.rs` checks that
/// no operation uses more stack than is wiped. If `f` panics, `work` and a larger part of the stack
/// are wiped, because a panic uses more stack.
#[inline(always)]
pub fn wiping<R>(work: &mut [u8], wipe_stack_of_f: fn(), f: impl FnOnce(&mut [u8]) -> R) -> R {
    /// Runs `f` in a separate stack frame. [`wipe_stack`] is called from the same function, so the
    /// frame of `wipe_stack` starts at the same address and covers the stack that `f` used.
    #[inline(never)]
    fn frame<R>(work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R {
        f(work)
    }
    let work = WipedMemory(work);
    let mut stack = StackGuard(wipe_stack::<PANIC_STACK_BYTES>);
    let result = frame(work.0, f);
    stack.0 = wipe_stack_of_f;
    result
}

/// Wipes `DEPTH` stack bytes below the caller's stack frame.
#[inline(never)]
pub fn wipe_stack<const DEPTH: usize>() {
    let mut area = core::mem::MaybeUninit::<[u8; DEPTH]>::uninit();
    // SAFETY: any bytes, including uninitialized bytes, can be overwritten through a pointer to
    // `MaybeUninit`; zeroing makes the array initialized.
    let area = unsafe {
        area.as_mut_ptr().write_bytes(0, 1);
        area.assume_init_mut()
    };
    keep_zeros(area);
}

#[cfg(test)]
mod tests {
    use super::super::constant_time_u64::tests::numbers;
    use super::*;
    use std::collections::BTreeSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// The number of stack bytes in which the tests look for secrets.
    const CHECKED_STACK_BYTES: usize = 96 * 1024;

    /// Runs `f` in a new thread, and returns the bytes that `f` has left on the thread's stack. `f`
    /// must catch its panics.
    fn left_on_stack(f: impl FnOnce() + Send) -> Vec<u8> {
        /// Copies the unused stack below the caller's stack frame.
        #[inline(never)]
        fn copy(out: &mut [u8]) {
            let local = 0u8;
            // The 256 bytes below `local` can belong to this function's stack frame.
            let top = core::hint::black_box(&raw const local) as usize - 256;
            for (i, out) in out.iter_mut().enumerate() {
                // SAFETY: the thread's stack is 4 MiB, and completely initialized, and the part
                // below this stack frame is not in use.
                *out = unsafe { ((top - CHECKED_STACK_BYTES + i) as *const u8).read_volatile() };
            }
        }
        let mut stack = vec![0; CHECKED_STACK_BYTES];
        let run = || {
            f();
            copy(&mut stack);
        };
        std::thread::scope(|s| {
            std::thread::Builder::new()
                .name("panics".into())
                .stack_size(4 << 20)
                .spawn_scoped(s, run)
                .expect("the thread starts")
                .join()
                .expect("the thread does not panic");
        });
        stack
    }

    /// Counts the 16-byte windows in `memory` that are also in `secret`. Windows with less than six
    /// different bytes are not counted, because they can be in memory by chance.
    fn count_leaked_windows(secret: &[u8], memory: &[u8]) -> usize {
        let has_few_values = |window: &[u8]| window.iter().collect::<BTreeSet<_>>().len() < 6;
        let secret: BTreeSet<&[u8]> = secret.windows(16).filter(|window| !has_few_values(window)).collect();
        memory.windows(16).filter(|window| secret.contains(window)).count()
    }

    #[test]
    fn a_panic_wipes_memory_and_stack() {
        /// Writes bytes that depend on `seed` to the stack and to `work`.
        #[inline(never)]
        fn secrets(work: &mut [u8], seed: u8) {
            let mut deep = [0u8; 2000];
            for (i, x) in deep.iter_mut().enumerate() {
                *x = (i as u8).wrapping_mul(seed);
            }
            work.copy_from_slice(core::hint::black_box(&deep));
        }
        let mut expected = [0; 2000];
        secrets(&mut expected, 37);
        for panics in [false, true] {
            let mut work = [0; 2000];
            let stack = left_on_stack(|| {
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    wiping(&mut work, wipe_stack::<4096>, |work| {
                        secrets(work, 37);
                        assert!(!panics, "a panic while secrets are in memory");
                    });
                }));
                assert_eq!(outcome.is_err(), panics);
            });
            assert!(work.iter().all(|x| *x == 0), "the work memory is not wiped, panics: {panics}");
            assert_eq!(count_leaked_windows(&expected, &stack), 0, "the stack is not wiped, panics: {panics}");
        }
        let mut work = [0; 2000];
        let stack = left_on_stack(|| secrets(&mut work, 37));
        assert!(count_leaked_windows(&expected, &stack) > 1000, "without a wipe, the secret must be on the stack");
    }

    #[test]
    fn comparisons_equal_the_ordinary_operators() {
        for a in numbers() {
            assert_eq!(mask_nonzero(a), if a == 0 { 0 } else { u64::MAX });
            assert_eq!(mask_of_top(a), if a >> 63 == 0 { 0 } else { u64::MAX });
            assert_eq!(mask_negative(a as i32), if (a as i32) < 0 { u32::MAX } else { 0 });
            for b in numbers() {
                assert_eq!((less_u64(a, b), borrow(a, b)), (u64::from(a < b), u64::from(a < b)), "{a:x}, {b:x}");
                let c = a as u16;
                let d = b as u16;
                assert_eq!((min_u16(c, d), max_u16(c, d)), (c.min(d), c.max(d)), "{c:x}, {d:x}");
                assert_eq!((masked_min(c, d), masked_max(c, d)), (c.min(d), c.max(d)), "{c:x}, {d:x}");
            }
        }
    }

    #[test]
    fn the_stack_below_is_cleared() {
        const LEN: usize = 1024;
        /// Fills an array on the stack, and returns its address.
        #[inline(never)]
        fn fill() -> *const u8 {
            let mut array = [0u8; LEN];
            core::hint::black_box(&mut array).fill(0xa5);
            core::hint::black_box(&array).as_ptr()
        }
        #[inline(never)]
        fn run() -> *const u8 {
            wiping(&mut [], wipe_stack::<{ 8 * LEN }>, |_| fill())
        }
        let pointer = run();
        // SAFETY: the bytes are in this thread's stack, below the stack frames in use. They are
        // mapped and initialized, and no other thread writes to them.
        let unwiped_count = (0..LEN).filter(|i| unsafe { pointer.add(*i).read_volatile() } == 0xa5).count();
        assert_eq!(unwiped_count, 0);
    }
}
