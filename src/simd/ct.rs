//! Small tools against a helpful compiler: values that it cannot reason about, and memory that is really wiped.
//!
//! With rustc 1.95 the source `mask & (a ^ b)` becomes a branch on the secret as soon as the
//! compiler proves that the mask has two values; [`barrier_u32`] and [`barrier_u64`] stop that
//! proof at no measured cost.
//!
//! What 64-bit processors do in one instruction is a branch, or a call of a function that branches, on smaller ones: a
//! comparison of 64 bits, and the smaller of two numbers where there is no conditional move, are here; shifts and the place
//! of the highest bit are in [`words`](super::words). Each has a form for such processors that the tests compare with the
//! plain one.

macro_rules! barrier {
    ($name:ident, $t:ty) => {
        /// `x`, as a value the compiler knows nothing about.
        #[inline(always)]
        // What is formatted is a comment.
        #[allow(asm_sub_register)]
        pub fn $name(x: $t) -> $t {
            // MemorySanitizer does not follow values through assembly.
            #[cfg(fndsa_msan)]
            return x;
            #[cfg(all(not(any(fndsa_msan, miri)), any(
                target_arch = "x86_64",
                target_arch = "x86",
                target_arch = "aarch64",
                target_arch = "arm",
                target_arch = "riscv64",
                target_arch = "riscv32",
            )))]
            {
                let mut x = x;
                // SAFETY: no instruction at all; the register is declared as read and written.
                unsafe {
                    core::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
                }
                x
            }
            // Other processors have no stable `asm!`, and Miri interprets no assembly.
            #[cfg(any(miri, not(any(
                target_arch = "x86_64",
                target_arch = "x86",
                target_arch = "aarch64",
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

/// `x`, as a value the compiler knows nothing about.
#[cfg(not(target_pointer_width = "64"))]
#[inline(always)]
pub fn barrier_u64(x: u64) -> u64 {
    u64::from(barrier_u32(x as u32)) | u64::from(barrier_u32((x >> 32) as u32)) << 32
}

/// Whether the compiler has an instruction that chooses one of two values, a vector's minimum or a conditional move,
/// and takes it: so does the machine code that tests/ct examines. Elsewhere it branches when it can prove that a mask
/// has two values.
pub const SELECTS: bool =
    cfg!(any(target_feature = "sse2", target_arch = "x86_64", target_arch = "aarch64", target_family = "wasm"));

/// All ones when `x` is negative, else zero. A mask stays one: loops that use it become vectors where there are some,
/// and no branch elsewhere.
#[inline(always)]
pub fn mask_negative(x: i32) -> u32 {
    if SELECTS {
        (x >> 31).cast_unsigned()
    } else {
        // The number itself is hidden too: its sign would become a comparison, which is a branch where no instruction
        // gives the outcome as a number.
        barrier_u32((barrier_u32(x.cast_unsigned()).cast_signed() >> 31).cast_unsigned())
    }
}

/// 1 when `a < b`, else 0.
#[inline(always)]
pub fn less_u64(a: u64, b: u64) -> u64 {
    #[cfg(target_pointer_width = "64")]
    return u64::from(a < b);
    #[cfg(not(target_pointer_width = "64"))]
    borrow(a, b)
}

/// The borrow of `a - b` from bit 64: 1 when `a < b`, else 0.
#[inline(always)]
#[cfg(any(test, not(target_pointer_width = "64")))]
fn borrow(a: u64, b: u64) -> u64 {
    // Both are hidden, or what the compiler knows of their range makes this a comparison again, which is a branch on RISC-V.
    let (a, b) = (barrier_u64(a), barrier_u64(b));
    ((!a & b) | ((!a | b) & a.wrapping_sub(b))) >> 63
}

/// The smaller of the two.
#[inline(always)]
pub fn min_u16(a: u16, b: u16) -> u16 {
    if SELECTS { a.min(b) } else { masked_min(a, b) }
}

/// The larger of the two.
#[inline(always)]
pub fn max_u16(a: u16, b: u16) -> u16 {
    if SELECTS { a.max(b) } else { masked_max(a, b) }
}

/// The smaller of the two, by a mask.
#[inline(always)]
fn masked_min(a: u16, b: u16) -> u16 {
    let less = barrier_u32(u32::from(a).wrapping_sub(u32::from(b)) >> 16) as u16;
    b ^ ((a ^ b) & less)
}

/// The larger of the two: the one that is not the smaller.
#[inline(always)]
fn masked_max(a: u16, b: u16) -> u16 {
    a ^ b ^ masked_min(a, b)
}

/// `x` as a reference of which the compiler does not know where it leads: a table is then read from its memory, and not
/// made a part of the code, where nobody would see that it is damaged.
#[inline(always)]
// What is formatted is a comment: no memory is accessed.
#[allow(clippy::pointers_in_nomem_asm_block)]
pub fn hidden<T>(x: &'static T) -> &'static T {
    #[cfg(all(not(any(fndsa_msan, miri)), any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm")))]
    {
        let mut place = core::ptr::from_ref(x);
        // SAFETY: no instruction at all: the pointer comes out as it went in.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) place, options(pure, nomem, nostack, preserves_flags));
            &*place
        }
    }
    #[cfg(not(all(
        not(any(fndsa_msan, miri)),
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm")
    )))]
    core::hint::black_box(x)
}

/// All ones when `x != 0`, else zero.
#[inline(always)]
pub fn mask_nonzero(x: u64) -> u64 {
    mask_of_top(x | x.wrapping_neg())
}

/// All ones when the top bit of `x` is set, as it is in a negative difference; else zero.
#[inline(always)]
pub fn mask_of_top(x: u64) -> u64 {
    // The number itself is hidden, too, as in `mask_negative`.
    let x = if SELECTS { x } else { barrier_u64(x) };
    barrier_u64(x >> 63).wrapping_neg()
}

/// A secret that is told from here on: a branch or an index may depend on it. `_why` is its line in
/// docs/constant-time.md, which argues that it may be told; tests/house.rs compares the lists, and tests/ct finds what
/// is told elsewhere.
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

/// Tells the secrets of a row from here on, as [`declassify`] tells one.
#[inline(always)]
pub fn declassify_row<T: Copy>(_why: &str, _row: &mut [T]) {
    #[cfg(fndsa_memcheck)]
    super::check::memcheck::unpoison(_row);
}

/// Fills `memory` with zeros, and makes sure that they are written although nobody reads them.
pub fn wipe<T: super::Plain>(memory: &mut [T]) {
    // Bulk stores; a volatile write per byte, as `zeroize` does, takes 8 % of a signature's time.
    super::recast::<T, u8>(memory).fill(0);
    // The compiler must assume that this reads what the pointer leads to.
    core::hint::black_box(memory.as_ptr());
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
}

/// Memory that is wiped when it goes out of use, by a panic too.
pub struct Wiped<'a, T: super::Plain = u8>(pub &'a mut [T]);

impl<T: super::Plain> Wiped<'_, T> {
    /// Leaves the memory as it is.
    pub fn keep(self) {
        core::mem::forget(self);
    }
}

impl<T: super::Plain> Drop for Wiped<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        wipe(self.0);
    }
}

/// Bytes of the stack that an unwinding panic may use: where it begins, it saves the registers of the operation.
const UNWOUND: usize = 32 * 1024;

/// A guard of the stack below its owner: it calls the function that wipes the stack.
struct Stack(fn());

impl Drop for Stack {
    #[inline(always)]
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Runs `f` with `work`, then wipes `work` and the stack below the caller, where `f` worked. `wipe_stack_of_f` is the
/// [`wipe_stack`] of the depth that `f` needs; `tests/memory.rs` measures that no operation goes deeper than it wipes.
/// When `f` panics both are wiped, too, and more of the stack, for the panic goes deeper.
#[inline(always)]
pub fn wiping<R>(work: &mut [u8], wipe_stack_of_f: fn(), f: impl FnOnce(&mut [u8]) -> R) -> R {
    /// Runs `f` in a stack frame of its own, which begins where that of the wipe will begin.
    #[inline(never)]
    fn frame<R>(work: &mut [u8], f: impl FnOnce(&mut [u8]) -> R) -> R {
        f(work)
    }
    let work = Wiped(work);
    let mut stack = Stack(wipe_stack::<UNWOUND>);
    let r = frame(work.0, f);
    stack.0 = wipe_stack_of_f;
    r
}

/// Clears `DEPTH` bytes of the stack below the caller.
#[inline(never)]
pub fn wipe_stack<const DEPTH: usize>() {
    let mut area = core::mem::MaybeUninit::<[u8; DEPTH]>::uninit();
    // SAFETY: any bytes, uninitialized ones too, may be overwritten through a pointer to
    // `MaybeUninit`; zeroing makes the array initialized.
    let area = unsafe {
        area.as_mut_ptr().write_bytes(0, 1);
        area.assume_init_mut()
    };
    wipe(area);
}

#[cfg(test)]
mod tests {
    use super::super::words::tests::numbers;
    use super::*;
    use std::collections::BTreeSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Bytes of stack that are looked at.
    const LOOKED_AT: usize = 96 * 1024;

    /// What `f`, which catches its panics, leaves below its caller on the stack of a thread of its own.
    fn left_on_stack(f: impl FnOnce() + Send) -> Vec<u8> {
        /// Copies what lies below its caller; nothing of it is in use.
        #[inline(never)]
        fn copy(out: &mut [u8]) {
            let here = 0u8;
            let top = core::hint::black_box(&raw const here) as usize - 256;
            for (i, out) in out.iter_mut().enumerate() {
                // SAFETY: the thread's stack is 4 MiB, all of it initialized, and nothing below this frame is in use.
                *out = unsafe { ((top - LOOKED_AT + i) as *const u8).read_volatile() };
            }
        }
        let mut stack = vec![0; LOOKED_AT];
        let run = || {
            f();
            copy(&mut stack);
        };
        std::thread::scope(|s| {
            std::thread::Builder::new()
                .name("panics".into())
                .stack_size(4 << 20)
                .spawn_scoped(s, run)
                .expect("a thread")
                .join()
                .expect("caught");
        });
        stack
    }

    /// The number of windows of 16 bytes of `secret`, each with six different bytes or more, that `place` has.
    fn windows_of(secret: &[u8], place: &[u8]) -> usize {
        let is_plain = |window: &[u8]| window.iter().collect::<BTreeSet<_>>().len() < 6;
        let secret: BTreeSet<&[u8]> = secret.windows(16).filter(|window| !is_plain(window)).collect();
        place.windows(16).filter(|window| secret.contains(window)).count()
    }

    #[test]
    fn a_panic_wipes_memory_and_stack() {
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
                let done = catch_unwind(AssertUnwindSafe(|| {
                    wiping(&mut work, wipe_stack::<4096>, |work| {
                        secrets(work, 37);
                        assert!(!panics, "in the middle");
                    });
                }));
                assert_eq!(done.is_err(), panics);
            });
            assert!(work.iter().all(|x| *x == 0), "memory, panics: {panics}");
            assert_eq!(windows_of(&expected, &stack), 0, "stack, panics: {panics}");
        }
        let mut work = [0; 2000];
        let stack = left_on_stack(|| secrets(&mut work, 37));
        assert!(windows_of(&expected, &stack) > 1000, "nothing is found where nothing is wiped");
    }

    #[test]
    fn comparisons_are_the_plain_ones() {
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
        let place = run();
        // SAFETY: this thread's stack, below the frames in use: mapped, of plain bytes, and written to by nobody else.
        let left = (0..LEN).filter(|i| unsafe { place.add(*i).read_volatile() } == 0xa5).count();
        assert_eq!(left, 0);
    }
}
