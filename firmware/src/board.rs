//! Supports programs on an emulated machine: start, output, exit, an instruction counter, and a
//! stack depth measurement.

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};
use fndsa::testing::emulated::permutations;

#[cfg(target_arch = "arm")]
global_asm!(
    ".section .vectors, \"a\", %progbits",
    ".word __stack",
    ".word reset",
    // The other vectors are not used: any exception becomes a hard fault, which runs `unexpected`.
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
    "4: bl start",
    ".ltorg",
    HAS_FPU = const if cfg!(target_abi = "eabihf") { 1 } else { 0 },
);

#[cfg(target_arch = "riscv32")]
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
    "4: call start",
);

/// Ends the emulation with a failure after a processor exception.
#[unsafe(no_mangle)]
#[allow(clippy::missing_panics_doc)]
extern "C" fn unexpected() -> ! {
    crate::say!("FAILED: an exception of the processor");
    exit(false)
}

#[cfg(target_arch = "arm")]
/// Calls operation `operation` of ARM's semihosting, which QEMU supports.
fn semihosting(operation: usize, argument: usize) {
    // SAFETY: the debugger reads the argument's memory, and only changes r0.
    unsafe { asm!("bkpt 0xab", inout("r0") operation => _, in("r1") argument, options(nostack)) };
}

/// The machine's output.
#[derive(Clone, Copy, Debug)]
pub struct BoardOutput;

impl Write for BoardOutput {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            // Operation 3 writes a character.
            #[cfg(target_arch = "arm")]
            semihosting(3, &raw const byte as usize);
            #[cfg(target_arch = "riscv32")]
            // SAFETY: this is the address of the machine's serial port.
            unsafe {
                (0x1000_0000 as *mut u8).write_volatile(byte);
            }
        }
        Ok(())
    }
}

/// Writes a line to the output.
#[macro_export]
macro_rules! say {
    ($($argument:tt)*) => {{
        use core::fmt::Write;
        let _there_is_no_other_output = writeln!($crate::board::BoardOutput, $($argument)*);
    }};
}

/// Ends the emulation.
pub fn exit(success: bool) -> ! {
    // Operation 0x18 ends the emulation. The reason is ADP_Stopped_ApplicationExit for success, and
    // ADP_Stopped_RunTimeErrorUnknown for a failure.
    #[cfg(target_arch = "arm")]
    semihosting(0x18, if success { 0x20026 } else { 0x20023 });
    #[cfg(target_arch = "riscv32")]
    // SAFETY: this is the address of the machine's test device. It ends the emulation when 0x5555
    // is written (success), or 0x3333 with the exit code 1 in the upper half (failure).
    unsafe {
        (0x10_0000 as *mut u32).write_volatile(if success { 0x5555 } else { 0x1_3333 });
    }
    loop {
        core::hint::spin_loop();
    }
}

/// Reports a failure, and ends the emulation.
pub fn fail(what: &str) -> ! {
    crate::say!("FAILED: {what}");
    exit(false)
}

/// Defines a panic handler that ends the emulation without a message. Images that measure code size
/// use this macro.
#[macro_export]
macro_rules! panic_ends {
    () => {
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
            $crate::board::exit(false)
        }
    };
}

/// Defines a panic handler that calls a function that does not exist. An image with this handler
/// only links if no code can panic.
#[macro_export]
macro_rules! panic_does_not_link {
    () => {
        unsafe extern "C" {
            /// Does not exist. If the image calls the panic handler, the linker fails and prints
            /// this name.
            fn something_in_the_boot_loader_panics() -> !;
        }

        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
            // SAFETY: an image with this call is not linked.
            unsafe { something_in_the_boot_loader_panics() }
        }
    };
}

/// Defines a panic handler that prints the panic message and ends the emulation.
#[macro_export]
macro_rules! panic_fails {
    () => {
        #[panic_handler]
        fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
            $crate::say!("{info}");
            $crate::board::exit(false)
        }
    };
}

/// The board's timer as an instruction counter. With `-icount shift=0`, an instruction takes a
/// nanosecond, and the timer ticks every 40 nanoseconds, or every 50 nanoseconds on the board with
/// a Cortex-M33.
#[cfg(all(target_arch = "arm", not(microbit)))]
mod counter {
    /// The first timer's control, value and reload registers.
    const TIMER: *mut u32 = if cfg!(an505) { 0x5000_0000 as *mut u32 } else { 0x4000_0000 as *mut u32 };
    /// The number of instructions for a tick.
    const TICK: u64 = if cfg!(an505) { 50 } else { 40 };

    /// Starts the counter.
    pub fn start_counter() {
        // SAFETY: the board has these registers. The value 1 in the control register starts the
        // timer.
        unsafe {
            TIMER.add(2).write_volatile(u32::MAX);
            TIMER.add(1).write_volatile(u32::MAX);
            TIMER.write_volatile(1);
        }
    }

    /// Returns the ticks since the start, modulo 2^32.
    fn ticks() -> u32 {
        // SAFETY: the board has this register.
        u32::MAX - unsafe { TIMER.add(1).read_volatile() }
    }

    /// Returns the instruction count since the start, up to 170,000,000,000.
    pub fn instructions() -> u64 {
        TICK * u64::from(ticks())
    }
}

/// The processor's 24-bit timer. On the micro:bit, a tick is 62.5 instructions.
#[cfg(microbit)]
mod counter {
    /// SysTick's control, reload and value registers.
    const SYSTICK: *mut u32 = 0xE000_E010 as *mut u32;

    /// Starts the counter.
    pub fn start_counter() {
        // SAFETY: the processor has these registers. The value 5 in the control register starts the
        // timer with the processor's clock.
        unsafe {
            SYSTICK.add(1).write_volatile(0xff_ffff);
            SYSTICK.add(2).write_volatile(0);
            SYSTICK.write_volatile(5);
        }
    }

    /// Returns the approximate instruction count since the start, up to 1,000,000,000.
    pub fn instructions() -> u64 {
        // SAFETY: the processor has this register.
        u64::from(0xff_ffff - unsafe { SYSTICK.add(2).read_volatile() }) * 125 / 2
    }
}

#[cfg(target_arch = "riscv32")]
mod counter {
    /// Does nothing, because the counter runs as soon as the processor starts.
    pub fn start_counter() {}

    /// Returns the instruction count since the processor's start.
    pub fn instructions() -> u64 {
        loop {
            let (high, low, high_again): (u32, u32, u32);
            // SAFETY: this only reads a counter. The upper half is read before and after the lower
            // half.
            unsafe {
                core::arch::asm!(
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
}

pub use counter::{instructions, start_counter};

/// Returns the address of the lowest stack byte in use.
#[inline(always)]
fn stack_pointer() -> usize {
    let address: usize;
    // SAFETY: this only reads a register.
    #[cfg(target_arch = "arm")]
    unsafe {
        asm!("mov {}, sp", out(reg) address, options(nomem, nostack));
    }
    // SAFETY: this only reads a register.
    #[cfg(target_arch = "riscv32")]
    unsafe {
        asm!("mv {}, sp", out(reg) address, options(nomem, nostack));
    }
    address
}

unsafe extern "C" {
    /// The end of the zero-initialized memory, from the linker script.
    static __bss_end: u8;
}

/// The value that fills unused stack.
const PAINT: u32 = 0xdead_beef;
/// The maximum stack depth to measure, in bytes. Crate `fn-dsa` needs 357 KB to sign at degree
/// 1024.
const MAX_STACK_DEPTH: usize = 1 << 19;

/// Returns the stack words below the calling function, from the lowest address. This function is
/// inlined into its caller.
#[inline(always)]
fn stack_words_below() -> (*mut u32, usize) {
    let top = stack_pointer() & !3;
    let low = (&raw const __bss_end as usize).max(top.saturating_sub(MAX_STACK_DEPTH));
    (low as *mut u32, (top - low) / 4)
}

/// An operation's costs.
#[derive(Clone, Copy, Debug)]
pub struct OperationCost {
    /// The stack that was used below the call, in bytes.
    pub stack: usize,
    /// The instruction count.
    pub instructions: u64,
    /// The Keccak permutation count.
    pub permutations: u32,
    /// The size of all nonzero words in the deepest [`CHECKED_BYTES`] bytes of the used stack. This
    /// is at most [`WIPER_FRAME_BYTES`] if the operation wiped all the stack that it used: only the
    /// frame of the wiping function remains.
    pub nonzero_bytes: usize,
}

/// How many bytes of the stack, from the deepest used address, are checked for zeros.
const CHECKED_BYTES: usize = 256;
/// The stack frame size of the function that writes the zeros, in bytes.
const WIPER_FRAME_BYTES: usize = 32;

impl OperationCost {
    /// Fails if the operation did not wipe the deepest stack area that it used. Do not call this
    /// for an operation without secrets, which does not wipe its stack.
    pub fn check_wiped(&self, what: &str) {
        if self.nonzero_bytes > WIPER_FRAME_BYTES {
            crate::say!("{what}: {} bytes of the deepest stack area are not zero", self.nonzero_bytes);
            fail("the operation did not wipe the deepest part of its stack");
        }
    }
}

/// Runs an operation and measures it. The call uses a pointer, because the compiler would otherwise
/// merge the operation's frame with the caller's frame.
#[inline(never)]
pub fn measure(operation: &mut dyn FnMut()) -> OperationCost {
    // The frame size for the loop that fills the stack, in words.
    const MARGIN: usize = 16;
    let (low, count) = stack_words_below();
    for i in 0..count - MARGIN {
        // SAFETY: the memory between the variables and the stack pointer is not in use.
        unsafe { low.add(i).write_volatile(PAINT) };
    }
    let permutations_before = permutations();
    let instructions_before = instructions();
    operation();
    let instructions = instructions() - instructions_before;
    let permutations = permutations() - permutations_before;
    // SAFETY: the memory between the static variables and the stack pointer is not in use, and
    // reading it changes nothing.
    let unused_words = (0..count).take_while(|i| unsafe { low.add(*i).read_volatile() } == PAINT).count();
    let deepest = unused_words..count.min(unused_words + CHECKED_BYTES / 4);
    // SAFETY: as for `unused_words`, because the same memory is read.
    let nonzero_words = deepest.filter(|i| unsafe { low.add(*i).read_volatile() } != 0).count();
    OperationCost { stack: 4 * (count - unused_words), instructions, permutations, nonzero_bytes: 4 * nonzero_words }
}

/// Returns whether the stack below the caller contains eight consecutive bytes of a secret.
#[inline(never)]
pub fn stack_has(secret: &[u8]) -> bool {
    let (low, count) = stack_words_below();
    // SAFETY: the memory between the static variables and the stack pointer is not in use. The
    // calls below may write words there, but no words of the secret.
    let word = |i: usize| unsafe { low.add(i).read_volatile() };
    (0..count.saturating_sub(64)).any(|i| {
        let two_words = u64::from(word(i + 1)) << 32 | u64::from(word(i));
        // Ignore zeros, and two equal words, such as `PAINT`, because they occur in all unused
        // stack.
        two_words != 0 && word(i) != word(i + 1) && secret.windows(8).any(|window| window == two_words.to_le_bytes())
    })
}
