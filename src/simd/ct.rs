//! Small tools against a helpful compiler: values it cannot reason about, and memory that is really
//! wiped.
//!
//! With rustc 1.95 the source `mask & (a ^ b)` becomes a branch on the secret as soon as the
//! compiler proves that the mask has two values; [`barrier_u32`] and [`barrier_u64`] stop that
//! proof at no measured cost.

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
            #[cfg(all(not(fndsa_msan), any(
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
            // No stable `asm!` there.
            #[cfg(not(any(
                target_arch = "x86_64",
                target_arch = "x86",
                target_arch = "aarch64",
                target_arch = "arm",
                target_arch = "riscv64",
                target_arch = "riscv32",
            )))]
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

/// `x`, of which the compiler does not know what it leads to: a table is then read from its memory, and not made a part
/// of the code, where nobody would see that it is damaged.
#[inline(always)]
// What is formatted is a comment: no memory is accessed.
#[allow(clippy::pointers_in_nomem_asm_block)]
pub fn hidden<T>(x: &'static T) -> &'static T {
    #[cfg(all(not(fndsa_msan), any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm")))]
    {
        let mut place = core::ptr::from_ref(x);
        // SAFETY: no instruction at all: the pointer comes out as it went in.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) place, options(pure, nomem, nostack, preserves_flags));
            &*place
        }
    }
    #[cfg(not(all(not(fndsa_msan), any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm"))))]
    core::hint::black_box(x)
}

/// All ones when `x != 0`, else zero.
#[inline(always)]
pub fn mask_nonzero(x: u64) -> u64 {
    barrier_u64((x | x.wrapping_neg()) >> 63).wrapping_neg()
}

/// A secret that is told from here on: a branch or an index may depend on it. `_why` is its line in
/// docs/constant-time.md, which argues that it may be told; tests/house.rs compares the lists, and tests/ct finds what
/// is told elsewhere.
#[inline(always)]
pub fn declassify<T: Copy>(_why: &str, x: T) -> T {
    #[cfg(fndsa_memcheck)]
    let x = {
        let mut x = x;
        super::memcheck::unpoison(&mut x);
        x
    };
    x
}

/// [`declassify`] of a row.
#[inline(always)]
pub fn declassify_row<T: Copy>(_why: &str, _row: &mut [T]) {
    #[cfg(fndsa_memcheck)]
    super::memcheck::unpoison(_row);
}

/// Fills `memory` with zeros, and makes sure that they are written although nobody reads them.
pub fn wipe<T: super::Plain>(memory: &mut [T]) {
    // Bulk stores; a volatile write per byte, as `zeroize` does, takes 8 % of a signature's time.
    super::recast::<T, u8>(memory).fill(0);
    // The compiler must assume that this reads what the pointer leads to.
    core::hint::black_box(memory.as_ptr());
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
}

/// Runs `f`, then clears `DEPTH` bytes of the stack below the caller, where `f` worked.
/// `tests/memory.rs` measures that no operation goes deeper than it wipes.
#[inline(always)]
pub fn with_wiped_stack<const DEPTH: usize, R>(f: impl FnOnce() -> R) -> R {
    /// A frame of its own for `f`, so that the wipe covers the same memory.
    #[inline(never)]
    fn frame<R>(f: impl FnOnce() -> R) -> R {
        f()
    }
    let r = frame(f);
    wipe_stack::<DEPTH>();
    r
}

#[inline(never)]
fn wipe_stack<const DEPTH: usize>() {
    let mut area = core::mem::MaybeUninit::<[u8; DEPTH]>::uninit();
    // SAFETY: any bytes, uninitialized ones too, may be overwritten through a pointer to
    // `MaybeUninit`; zeroing makes the array initialized.
    let area = unsafe {
        area.as_mut_ptr().write_bytes(0, 1);
        area.assume_init_mut()
    };
    wipe(area);
}
