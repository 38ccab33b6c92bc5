//! What an emulated machine needs: a start, output, an end, a counter of instructions, and the depth of the stack.

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};
use fndsa::testing::emulated::permutations;

#[cfg(target_arch = "arm")]
global_asm!(
    ".section .vectors, \"a\", %progbits",
    ".word __stack",
    ".word reset",
    // Of the other vectors none is taken: an exception ends in `unexpected`, through the hard fault.
    ".word unexpected",
    ".word unexpected",
    ".fill 44, 4, 0",
    ".section .text.reset, \"ax\", %progbits",
    ".global reset",
    ".type reset, %function",
    ".thumb_func",
    "reset:",
    ".if {HAS_FPU}",
    // Access to the floating-point unit, whose registers compiled code uses for more than arithmetic.
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

/// A fault of the processor.
#[unsafe(no_mangle)]
#[allow(clippy::missing_panics_doc)]
extern "C" fn unexpected() -> ! {
    crate::say!("FAILED: an exception of the processor");
    exit(false)
}

#[cfg(target_arch = "arm")]
fn semihosting(call: usize, argument: usize) {
    // SAFETY: the debugger reads what the argument says, and changes r0 alone.
    unsafe { asm!("bkpt 0xab", inout("r0") call => _, in("r1") argument, options(nostack)) };
}

/// The output of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Out;

impl Write for Out {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            #[cfg(target_arch = "arm")]
            semihosting(3, &raw const byte as usize);
            #[cfg(target_arch = "riscv32")]
            // SAFETY: the serial port of the machine.
            unsafe {
                (0x1000_0000 as *mut u8).write_volatile(byte);
            }
        }
        Ok(())
    }
}

/// Writes a line.
#[macro_export]
macro_rules! say {
    ($($argument:tt)*) => {{
        use core::fmt::Write;
        let _there_is_no_other_output = writeln!($crate::board::Out, $($argument)*);
    }};
}

/// Ends the emulation.
pub fn exit(success: bool) -> ! {
    #[cfg(target_arch = "arm")]
    semihosting(0x18, if success { 0x20026 } else { 0x20023 });
    #[cfg(target_arch = "riscv32")]
    // SAFETY: the test device of the machine.
    unsafe {
        (0x10_0000 as *mut u32).write_volatile(if success { 0x5555 } else { 0x1_3333 });
    }
    loop {
        core::hint::spin_loop();
    }
}

/// Says what failed, and ends the emulation.
pub fn fail(what: &str) -> ! {
    crate::say!("FAILED: {what}");
    exit(false)
}

/// Defines that a panic ends the emulation without a word, for images whose size is measured.
#[macro_export]
macro_rules! panic_ends {
    () => {
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
            $crate::board::exit(false)
        }
    };
}

/// Defines what the images do when they panic.
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

/// The counter of the board: under `-icount shift=0` an instruction takes a nanosecond, and the timer ticks every 40.
#[cfg(all(target_arch = "arm", not(microbit)))]
mod counter {
    /// Control, value and reload of the first timer.
    const TIMER: *mut u32 = 0x4000_0000 as *mut u32;

    /// Starts it.
    pub fn start_counter() {
        // SAFETY: registers of the board.
        unsafe {
            TIMER.add(2).write_volatile(u32::MAX);
            TIMER.add(1).write_volatile(u32::MAX);
            TIMER.write_volatile(1);
        }
    }

    /// Ticks since then, modulo 2^32.
    fn ticks() -> u32 {
        // SAFETY: a register of the board.
        u32::MAX - unsafe { TIMER.add(1).read_volatile() }
    }

    /// Instructions since then, up to 170,000,000,000.
    pub fn instructions() -> u64 {
        40 * u64::from(ticks())
    }
}

/// The processor's own timer of 24 bits, by which 62.5 instructions are a tick on the micro:bit.
#[cfg(microbit)]
mod counter {
    /// Control, reload and value of SysTick.
    const SYSTICK: *mut u32 = 0xE000_E010 as *mut u32;

    /// Starts it.
    pub fn start_counter() {
        // SAFETY: registers of the processor.
        unsafe {
            SYSTICK.add(1).write_volatile(0xff_ffff);
            SYSTICK.add(2).write_volatile(0);
            SYSTICK.write_volatile(5);
        }
    }

    /// Instructions since then, about, up to 1,000,000,000.
    pub fn instructions() -> u64 {
        // SAFETY: a register of the processor.
        u64::from(0xff_ffff - unsafe { SYSTICK.add(2).read_volatile() }) * 125 / 2
    }
}

#[cfg(target_arch = "riscv32")]
mod counter {
    /// The processor counts from its start on.
    pub fn start_counter() {}

    /// Instructions since the start.
    pub fn instructions() -> u64 {
        loop {
            let (high, low, again): (u32, u32, u32);
            // SAFETY: reads a counter, the upper half before and after the lower one.
            unsafe {
                core::arch::asm!(
                    "csrr {0}, minstreth",
                    "csrr {1}, minstret",
                    "csrr {2}, minstreth",
                    out(reg) high,
                    out(reg) low,
                    out(reg) again,
                );
            }
            if high == again {
                return u64::from(high) << 32 | u64::from(low);
            }
        }
    }
}

pub use counter::{instructions, start_counter};

/// Returns the address of the lowest byte of the stack that is in use.
#[inline(always)]
fn stack_pointer() -> usize {
    let at: usize;
    // SAFETY: reads a register.
    #[cfg(target_arch = "arm")]
    unsafe {
        asm!("mov {}, sp", out(reg) at, options(nomem, nostack));
    }
    // SAFETY: reads a register.
    #[cfg(target_arch = "riscv32")]
    unsafe {
        asm!("mv {}, sp", out(reg) at, options(nomem, nostack));
    }
    at
}

unsafe extern "C" {
    /// Of the linker script.
    static __bss_end: u8;
}

/// What unused stack is filled with.
const PAINT: u32 = 0xdead_beef;
/// The deepest stack that is measured: crate `fn-dsa` takes 357 KB to sign at degree 1024.
const DEEPEST: usize = 1 << 19;

/// Returns the words below the stack of the caller of the caller, from the lowest one on.
#[inline(always)]
fn words_below() -> (*mut u32, usize) {
    let top = stack_pointer() & !3;
    let low = (&raw const __bss_end as usize).max(top.saturating_sub(DEEPEST));
    (low as *mut u32, (top - low) / 4)
}

/// What an operation took.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Bytes of stack below the call.
    pub stack: usize,
    /// Instructions.
    pub instructions: u64,
    /// Permutations of Keccak.
    pub permutations: u32,
    /// Bytes that are not zero among the deepest [`LOOKED_AT`] of the stack. What wiped it last, at least as deep as it was used, leaves
    /// few there: [`OF_WIPING`].
    pub left: usize,
}

/// The deepest bytes of the stack in which zeros are counted.
const LOOKED_AT: usize = 256;
/// Bytes of the frames of the function that writes the zeros.
const OF_WIPING: usize = 32;

impl Taken {
    /// Fails if the operation, which wipes what it leaves on the stack, has used more of that than it wipes.
    pub fn check_wiped(&self, what: &str) {
        if self.left > OF_WIPING {
            crate::say!("{what}: {} bytes are left where the stack was deepest", self.left);
            fail("the stack is deeper than what is wiped of it");
        }
    }
}

/// Runs an operation and measures it. It is called through a pointer, so that nothing of its frame is in the caller's.
#[inline(never)]
pub fn measure(operation: &mut dyn FnMut()) -> Taken {
    // The frame of the loop that paints.
    const MARGIN: usize = 16;
    let (low, count) = words_below();
    for i in 0..count - MARGIN {
        // SAFETY: between the variables and the stack pointer nothing is in use.
        unsafe { low.add(i).write_volatile(PAINT) };
    }
    let hashed = permutations();
    let before = instructions();
    operation();
    let instructions = instructions() - before;
    let permutations = permutations() - hashed;
    // SAFETY: as above.
    let untouched = (0..count).take_while(|i| unsafe { low.add(*i).read_volatile() } == PAINT).count();
    let deepest = untouched..count.min(untouched + LOOKED_AT / 4);
    // SAFETY: as above.
    let left = deepest.filter(|i| unsafe { low.add(*i).read_volatile() } != 0).count();
    Taken { stack: 4 * (count - untouched), instructions, permutations, left: 4 * left }
}

/// Returns whether eight bytes of a secret that are together lie in the stack below the caller.
#[inline(never)]
pub fn stack_has(secret: &[u8]) -> bool {
    let (low, count) = words_below();
    // SAFETY: between the variables and the stack pointer nothing is in use, and what the search itself leaves there are
    // words of no secret.
    let word = |i: usize| unsafe { low.add(i).read_volatile() };
    (0..count.saturating_sub(64)).any(|i| {
        let found = u64::from(word(i + 1)) << 32 | u64::from(word(i));
        // Paint and zeros are everywhere.
        found != 0 && word(i) != word(i + 1) && secret.windows(8).any(|window| window == found.to_le_bytes())
    })
}
