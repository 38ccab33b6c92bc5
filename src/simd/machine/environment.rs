//! The floating-point environment: the rounding mode, and whether the CPU replaces subnormal
//! numbers by zero.
//!
//! In an environment other than the default, all signatures would be wrong, and several wrong
//! signatures with the same nonce reveal the key. A caller may have changed the environment for its
//! own purposes (a game, a spreadsheet, a library that is loaded with `-ffast-math`). So all
//! operations set the default environment, and then restore the caller's environment.

/// Runs `f` in the default environment: round to nearest, ties to even, keep subnormal numbers, no
/// traps.
#[inline(always)]
pub fn with_default<R>(f: impl FnOnce() -> R) -> R {
    // Miri does not support assembly, and always uses the default environment.
    if cfg!(miri) {
        return f();
    }
    let saved = register::read();
    // A write is slower than a read, so skip a write that would not change anything.
    if saved & register::CONTROL_MASK == register::DEFAULT_CONTROL {
        return f();
    }
    register::write(saved & !register::CONTROL_MASK | register::DEFAULT_CONTROL);
    let result = f();
    register::write(saved);
    result
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"))]
mod register {
    use core::arch::asm;

    /// The control bits of MXCSR: all bits except the six exception flags.
    pub const CONTROL_MASK: u32 = 0xffff_ffc0;
    /// The default: round to nearest, and mask all exceptions.
    pub const DEFAULT_CONTROL: u32 = 0x1f80;

    pub fn read() -> u32 {
        let mut x = 0u32;
        // SAFETY: the instruction stores the register in `x`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut x, options(nostack, preserves_flags)) };
        x
    }

    pub fn write(x: u32) {
        // SAFETY: `with_default` writes the default control bits, which compiled code requires, and
        // runs its closure. After that, it restores the value that was read. Between the two
        // writes, only `f` computes with floats. `f` is compiled as a separate call.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const x, options(nostack, preserves_flags)) };
    }
}

#[cfg(all(any(target_arch = "aarch64", target_arch = "arm64ec"), target_feature = "neon"))]
mod register {
    use core::arch::asm;

    /// The control bits of FPCR: rounding, flush to zero, default NaN, traps.
    pub const CONTROL_MASK: u64 = 0x07ff_9f07;
    /// The default: round to nearest, keep subnormal numbers, no traps.
    pub const DEFAULT_CONTROL: u64 = 0;

    pub fn read() -> u64 {
        let x;
        // SAFETY: the instruction only reads the register.
        unsafe { asm!("mrs {}, fpcr", out(reg) x, options(nostack, preserves_flags)) };
        x
    }

    pub fn write(x: u64) {
        // SAFETY: `with_default` writes the default control bits, which compiled code requires, and
        // runs its closure. After that, it restores the value that was read.
        unsafe { asm!("msr fpcr, {}", in(reg) x, options(nostack, preserves_flags)) };
    }
}

#[cfg(all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))))]
mod register {
    use core::arch::asm;

    /// The rounding mode's bits. The register does not have other control bits.
    pub const CONTROL_MASK: u64 = 7;
    /// The default: round to nearest, ties to even.
    pub const DEFAULT_CONTROL: u64 = 0;

    pub fn read() -> u64 {
        let x;
        // SAFETY: the instruction only reads the register.
        unsafe { asm!("frrm {}", out(reg) x, options(nostack)) };
        x
    }

    pub fn write(x: u64) {
        // SAFETY: `with_default` writes the default control bits, which compiled code requires, and
        // runs its closure. After that, it restores the value that was read.
        unsafe { asm!("fsrm {}", in(reg) x, options(nostack)) };
    }
}

#[cfg(all(
    target_arch = "arm",
    target_abi = "eabihf",
    any(fndsa_fp64, not(any(target_os = "none", target_os = "nuttx")))
))]
mod register {
    use core::arch::asm;

    /// The control bits of FPSCR: rounding, flush to zero, default NaN, traps. The mask does not
    /// contain the bits for short vectors, because the calling convention requires that they are 0.
    pub const CONTROL_MASK: u32 = 0x07c0_9f00;
    /// The default: round to nearest, keep subnormal numbers, no traps.
    pub const DEFAULT_CONTROL: u32 = 0;

    pub fn read() -> u32 {
        let x;
        // SAFETY: the instruction only reads the register. The target's calling convention uses the
        // registers of the floating-point unit, so the unit is enabled.
        unsafe { asm!("vmrs {}, fpscr", out(reg) x, options(nostack, preserves_flags)) };
        x
    }

    pub fn write(x: u32) {
        // SAFETY: `with_default` writes the default control bits, which compiled code requires, and
        // runs its closure. After that, it restores the value that was read.
        unsafe { asm!("vmsr fpscr, {}", in(reg) x, options(nostack)) };
    }
}

/// A placeholder for targets without a control register for floats, and for targets where stable
/// Rust cannot read this register.
#[cfg(not(any(
    all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"),
    all(any(target_arch = "aarch64", target_arch = "arm64ec"), target_feature = "neon"),
    all(
        target_arch = "arm",
        target_abi = "eabihf",
        any(fndsa_fp64, not(any(target_os = "none", target_os = "nuttx")))
    ),
    all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx")))
)))]
mod register {
    /// A bit that `read` never sets, so that `with_default` never calls `write`.
    pub const CONTROL_MASK: u32 = 1;
    /// The value that `read` returns.
    pub const DEFAULT_CONTROL: u32 = 0;

    pub fn read() -> u32 {
        0
    }

    pub fn write(_: u32) {}
}
