//! The floating-point environment: how the CPU rounds, and whether it replaces subnormal numbers by zero.
//!
//! With another environment than the default one every signature would be wrong, and wrong signatures of one nonce give
//! the key away. A caller may have changed it for itself (a game, a spreadsheet, a library loaded with `-ffast-math`),
//! so every operation sets the default, and gives the caller's environment back.

/// Runs `f` in the default environment: to nearest, ties to even, subnormal numbers as they are, no traps.
#[inline(always)]
pub fn with_default<R>(f: impl FnOnce() -> R) -> R {
    // Miri interprets no assembly, and always has the default environment.
    if cfg!(miri) {
        return f();
    }
    let found = register::read();
    // Writing takes longer than looking.
    if found & register::CONTROL == register::DEFAULT {
        return f();
    }
    register::write(found & !register::CONTROL | register::DEFAULT);
    let result = f();
    register::write(found);
    result
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"))]
mod register {
    use core::arch::asm;

    /// The control bits of MXCSR: all but the six flags of what happened so far.
    pub const CONTROL: u32 = 0xffff_ffc0;
    /// The default: to nearest, and all exceptions masked.
    pub const DEFAULT: u32 = 0x1f80;

    pub fn read() -> u32 {
        let mut x = 0u32;
        // SAFETY: stores the register into `x`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut x, options(nostack, preserves_flags)) };
        x
    }

    pub fn write(x: u32) {
        // SAFETY: `x` is the register as it was read, or with the default that compiled code relies on. No floats are
        // computed between the calls but by `f`, which is a call of its own.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const x, options(nostack, preserves_flags)) };
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod register {
    use core::arch::asm;

    /// The control bits of FPCR: rounding, flush to zero, default NaN, traps.
    pub const CONTROL: u64 = 0x07ff_9f07;
    pub const DEFAULT: u64 = 0;

    pub fn read() -> u64 {
        let x;
        // SAFETY: reads the register.
        unsafe { asm!("mrs {}, fpcr", out(reg) x, options(nostack, preserves_flags)) };
        x
    }

    pub fn write(x: u64) {
        // SAFETY: `x` is the register as it was read, or with the default that compiled code relies on; see x86.
        unsafe { asm!("msr fpcr, {}", in(reg) x, options(nostack, preserves_flags)) };
    }
}

#[cfg(all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx"))))]
mod register {
    use core::arch::asm;

    /// The bits of the rounding mode; this register has no others.
    pub const CONTROL: u64 = 7;
    pub const DEFAULT: u64 = 0;

    pub fn read() -> u64 {
        let x;
        // SAFETY: reads the register.
        unsafe { asm!("frrm {}", out(reg) x, options(nostack)) };
        x
    }

    pub fn write(x: u64) {
        // SAFETY: `x` is the register as it was read, or with the default that compiled code relies on; see x86.
        unsafe { asm!("fsrm {}", in(reg) x, options(nostack)) };
    }
}

/// Nothing: there is no such register, or stable Rust has no instruction that reads it.
#[cfg(not(any(
    all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "riscv64", not(any(target_os = "none", target_os = "nuttx")))
)))]
mod register {
    /// One bit, which is never set.
    pub const CONTROL: u32 = 1;
    pub const DEFAULT: u32 = 0;

    pub fn read() -> u32 {
        0
    }

    pub fn write(_: u32) {}
}
