//! Start code for a Cortex-M, semihosting, and the processor's counters.

use super::ticks::TickCounter;
use core::arch::{asm, global_asm};

global_asm!(
    ".section .vectors, \"a\", %progbits",
    ".word __stack",
    ".word reset",
    // The non-maskable interrupt and the hard fault run `unexpected`. Any other exception becomes a
    // hard fault, so the other vectors are 0.
    ".word unexpected",
    ".word unexpected",
    ".fill 44, 4, 0",
    ".section .text.reset, \"ax\", %progbits",
    ".global reset",
    ".type reset, %function",
    ".thumb_func",
    "reset:",
    ".if {HAS_FPU}",
    // Enable access to the floating-point unit, with the bits 0x00F00000 of the register CPACR,
    // because compiled code uses its registers, also without floating-point arithmetic.
    "ldr r0, =0xE000ED88",
    "ldr r1, [r0]",
    "ldr r2, =0x00F00000",
    "orrs r1, r2",
    "str r1, [r0]",
    "dsb",
    "isb",
    ".endif",
    "ldr r0, =__data",
    "ldr r1, =__data_end",
    "ldr r2, =__data_in_flash",
    "1: cmp r0, r1",
    "bhs 2f",
    "ldr r3, [r2]",
    "str r3, [r0]",
    "adds r0, #4",
    "adds r2, #4",
    "b 1b",
    "2: ldr r0, =__bss",
    "ldr r1, =__bss_end",
    "movs r2, #0",
    "3: cmp r0, r1",
    "bhs 4f",
    "str r2, [r0]",
    "adds r0, #4",
    "b 3b",
    "4: bl prepare_board",
    "bl start",
    ".ltorg",
    HAS_FPU = const if cfg!(target_abi = "eabihf") { 1 } else { 0 },
);

/// Calls operation `operation` of ARM's semihosting. QEMU and debuggers support it. Without a
/// debugger, the processor stops with a fault.
fn semihosting(operation: usize, argument: usize) {
    // SAFETY: if the argument is an address, the debugger only reads memory there. It changes only
    // r0.
    unsafe { asm!("bkpt 0xab", inout("r0") operation => _, in("r1") argument, options(nostack)) };
}

/// Writes a byte to the debugger's output.
pub fn semihosting_write(byte: u8) {
    // Operation 3 writes a character.
    semihosting(3, &raw const byte as usize);
}

/// Ends the emulation or the debugger's session.
pub fn semihosting_exit(success: bool) -> ! {
    // Operation 0x18 ends the program. The reason is ADP_Stopped_ApplicationExit for success, and
    // ADP_Stopped_RunTimeErrorUnknown for a failure.
    semihosting(0x18, if success { 0x20026 } else { 0x20023 });
    loop {
        core::hint::spin_loop();
    }
}

/// The control, reload and value registers of the timer SysTick, which has 24 bits.
const SYSTICK: *mut u32 = 0xE000_E010 as *mut u32;
static SYSTICK_COUNT: TickCounter = TickCounter::new(24);

/// Starts SysTick with the processor's clock.
pub fn start_systick() {
    // SAFETY: the processor has these registers. The value 5 in the control register starts the
    // timer with the processor's clock.
    unsafe {
        SYSTICK.add(1).write_volatile(0xff_ffff);
        SYSTICK.add(2).write_volatile(0);
        SYSTICK.write_volatile(5);
    }
}

/// Returns SysTick's ticks since its start. Call this function at least every 2^24 ticks.
pub fn systick_ticks() -> u64 {
    // SAFETY: the processor has this register.
    SYSTICK_COUNT.extend(0xff_ffff - unsafe { SYSTICK.add(2).read_volatile() })
}

/// The Debug Exception and Monitor Control Register.
const DEMCR: *mut u32 = 0xE000_EDFC as *mut u32;
/// The control register and the cycle counter in the unit DWT (Data Watchpoint and Trace).
const DWT: *mut u32 = 0xE000_1000 as *mut u32;
static DWT_COUNT: TickCounter = TickCounter::new(32);

/// Starts the cycle counter of a Cortex-M3, M4, M7, M33 or M55. A Cortex-M0 has no such counter.
pub fn start_dwt() {
    // SAFETY: the processor has these registers. The bit TRCENA of DEMCR enables the unit, and the
    // bit CYCCNTENA of its control register starts the counter.
    unsafe {
        DEMCR.write_volatile(DEMCR.read_volatile() | 1 << 24);
        DWT.add(1).write_volatile(0);
        DWT.write_volatile(DWT.read_volatile() | 1);
    }
}

/// Returns the cycles since the start. Call this function at least every 2^32 cycles.
pub fn dwt_cycles() -> u64 {
    // SAFETY: the processor has this register.
    DWT_COUNT.extend(unsafe { DWT.add(1).read_volatile() })
}

/// Starts a timer on ARM's MPS boards. Its registers begin at `timer`: control, value, reload.
///
/// # Safety
///
/// The board must have an MPS timer at the address `timer`.
pub unsafe fn start_mps_timer(timer: *mut u32) {
    // SAFETY: the caller guarantees that the timer's registers exist. The value 1 in the control
    // register starts the timer.
    unsafe {
        timer.add(2).write_volatile(u32::MAX);
        timer.add(1).write_volatile(u32::MAX);
        timer.write_volatile(1);
    }
}

/// Returns an MPS timer's ticks since its start, modulo 2^32.
///
/// # Safety
///
/// The board must have an MPS timer at the address `timer`.
pub unsafe fn mps_timer_ticks(timer: *mut u32) -> u64 {
    // SAFETY: the caller guarantees that the timer's register exists.
    u64::from(u32::MAX - unsafe { timer.add(1).read_volatile() })
}
