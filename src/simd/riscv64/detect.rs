//! Whether this CPU has the vector extension.

/// Whether the CPU has the extension V, version 1.0, and this process may use it.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn has_vectors() -> bool {
    use core::sync::atomic::{AtomicU8, Ordering};
    /// The answer, plus one; zero before it is known.
    static FOUND: AtomicU8 = AtomicU8::new(0);

    let known = FOUND.load(Ordering::Relaxed);
    if known != 0 {
        return known == 2;
    }
    let has = kernel_has_vectors() && is_version_1();
    FOUND.store(1 + u8::from(has), Ordering::Relaxed);
    has
}

/// Whether the CPU has the extension V. Only Linux is asked.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn has_vectors() -> bool {
    false
}

/// Whether the kernel says that there are vectors, and did not switch them off for this process.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn kernel_has_vectors() -> bool {
    use crate::simd::machine::auxv::{call, hwcap};

    /// The bit of the letter V, the 21st behind A.
    const HWCAP: usize = 1 << 21;
    const PRCTL: usize = 167;
    const PR_RISCV_V_GET_CONTROL: usize = 70;
    /// The bits of what holds now, and their value where vectors are off.
    const CURRENT: usize = 3;
    const OFF: usize = 1;

    if hwcap().is_none_or(|bits| bits & HWCAP == 0) {
        return false;
    }
    // SAFETY: the call has no other arguments, and writes nothing.
    let control = unsafe { call(PRCTL, [PR_RISCV_V_GET_CONTROL, 0, 0, 0, 0]) };
    // A kernel that does not know the question does not switch them off.
    control.is_none_or(|control| control & CURRENT != OFF)
}

/// Whether the vectors are those of version 1.0. Kernels of vendors set the same bit for version 0.7, whose
/// configurations have other bits.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_version_1() -> bool {
    use core::arch::asm;
    /// Elements of 64 bits, a register, tail and mask agnostic; version 0.7 has no such configuration.
    const E64_M1_TA_MA: usize = 0xd8;
    let vtype: usize;
    // SAFETY: there are vectors, and no value of this function is in one.
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
