//! Detects the vector extension of this CPU.

/// Returns true if the CPU supports version 1.0 of the extension V, and if this process may use it.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn has_vectors() -> bool {
    use core::sync::atomic::{AtomicU8, Ordering};
    /// The result plus 1, or 0 until it is known.
    static CACHED_RESULT: AtomicU8 = AtomicU8::new(0);

    let cached = CACHED_RESULT.load(Ordering::Relaxed);
    if cached != 0 {
        return cached == 2;
    }
    let is_supported = kernel_has_vectors() && is_version_1();
    CACHED_RESULT.store(1 + u8::from(is_supported), Ordering::Relaxed);
    is_supported
}

/// Returns false, because the extension V is only detected on Linux.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn has_vectors() -> bool {
    false
}

/// Returns true if the kernel reports vectors, and has not disabled them for this process.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn kernel_has_vectors() -> bool {
    use crate::simd::machine::auxv::{call, hwcap};

    /// The bit for extension V. Bit 0 is for extension A, and V is 21 letters after A.
    const HWCAP: usize = 1 << 21;
    /// The number of the system call `prctl`.
    const PRCTL: usize = 167;
    const PR_RISCV_V_GET_CONTROL: usize = 70;
    /// The mask for the current state in the result of `PR_RISCV_V_GET_CONTROL`.
    const CURRENT: usize = 3;
    /// The value of the current state if vectors are disabled.
    const OFF: usize = 1;

    if hwcap().is_none_or(|bits| bits & HWCAP == 0) {
        return false;
    }
    // SAFETY: the kernel uses only the number of the call and the first argument, and does not
    // access memory.
    let control = unsafe { call(PRCTL, [PR_RISCV_V_GET_CONTROL, 0, 0, 0, 0]) };
    // A kernel that does not support this call cannot disable vectors.
    control.is_none_or(|control| control & CURRENT != OFF)
}

/// Returns true if the extension V has version 1.0. This must be checked, because some vendors'
/// kernels also set the bit for extension V on processors with version 0.7. This version encodes a
/// vector configuration differently.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_version_1() -> bool {
    use core::arch::asm;
    /// The encoding of a configuration that version 0.7 does not support: 64-bit elements, one
    /// register, tail agnostic, mask agnostic.
    const E64_M1_TA_MA: usize = 0xd8;
    let vtype: usize;
    // SAFETY: the kernel has enabled vectors. The code changes `vl` and `vtype`. The compiler
    // allows this, because the options do not include `preserves_flags`.
    unsafe {
        asm!(
            ".option push",
            ".option arch, +v",
            "vsetvli {0}, zero, e64, m1, ta, ma",
            "csrr {0}, vtype",
            ".option pop",
            out(reg) vtype,
            options(nomem, nostack),
        );
    }
    vtype == E64_M1_TA_MA
}
