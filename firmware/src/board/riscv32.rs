//! The start code and the instruction counter of a 32-bit RISC-V processor.

use core::arch::{asm, global_asm};

global_asm!(
    ".section .vectors, \"ax\", @progbits",
    ".global reset",
    "reset:",
    "la sp, __stack",
    "la t0, unexpected",
    "csrw mtvec, t0",
    "la t0, __data",
    "la t1, __data_end",
    "la t2, __data_in_flash",
    "1: bgeu t0, t1, 2f",
    "lw t3, 0(t2)",
    "sw t3, 0(t0)",
    "addi t0, t0, 4",
    "addi t2, t2, 4",
    "j 1b",
    "2: la t0, __bss",
    "la t1, __bss_end",
    "3: bgeu t0, t1, 4f",
    "sw zero, 0(t0)",
    "addi t0, t0, 4",
    "j 3b",
    "4: call prepare_board",
    "call start",
);

/// Returns the instruction count since the processor's start.
pub fn retired_instructions() -> u64 {
    loop {
        let (high, low, high_again): (u32, u32, u32);
        // SAFETY: these instructions only read a counter. The upper half is read before and after
        // the lower half.
        unsafe {
            asm!(
                "csrr {0}, minstreth",
                "csrr {1}, minstret",
                "csrr {2}, minstreth",
                out(reg) high,
                out(reg) low,
                out(reg) high_again,
            );
        }
        if high == high_again {
            return u64::from(high) << 32 | u64::from(low);
        }
    }
}
