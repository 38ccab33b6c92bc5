//! Supports programs on a board: start, output, exit, a counter and a stack depth measurement.
//!
//! - `cortex_m`: start code for a Cortex-M, semihosting, and the processor's counters
//! - `riscv32`: the start code and the instruction counter of a RISC-V processor
//! - `stack`: measures an operation's stack depth and instruction count, and checks that it wiped
//!   its stack
//! - `ticks`: extends a short hardware counter
//! - `sections.x`: the linker script; the build script adds the board's memory
//!
//! The functions for a board are in [`crate::boards`].

#[cfg(target_arch = "arm")]
pub mod cortex_m;
#[cfg(target_arch = "riscv32")]
pub mod riscv32;
mod stack;
pub mod ticks;

use core::fmt::{self, Write};
use fndsa::no_alloc::Level;

pub use stack::{OperationCost, measure, stack_has};

// `build/main.rs` writes this file: `use crate::boards::NAME as selected;`, and `LEVEL_NAME`, the
// level in the board's file.
include!(concat!(env!("OUT_DIR"), "/selected.rs"));

/// Prepares the board. The start code calls this function before the image.
#[unsafe(no_mangle)]
extern "C" fn prepare_board() {
    selected::prepare();
}

/// Reports a processor exception, and ends the image with a failure.
#[unsafe(no_mangle)]
#[allow(clippy::missing_panics_doc)]
extern "C" fn unexpected() -> ! {
    crate::say!("FAILED: an exception of the processor");
    exit(false)
}

/// The board's output.
#[derive(Clone, Copy, Debug)]
pub struct BoardOutput;

impl Write for BoardOutput {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(selected::write_byte);
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

/// Ends the image.
pub fn exit(success: bool) -> ! {
    selected::exit(success)
}

/// Returns the level of the images: the level in the board's file, or the default level. If the
/// build does not have the level, ends the image.
pub fn level() -> Level {
    match LEVEL_NAME {
        None => Level::detect(),
        Some(name) => Level::from_name(name).unwrap_or_else(|| fail("the build does not have the board's level")),
    }
}

/// Starts the counter.
pub fn start_counter() {
    selected::start_counter();
}

/// Returns the count since the counter's start. Hardware counts cycles. An emulator counts
/// instructions; for some boards, it counts them in steps of several instructions.
pub fn counter_value() -> u64 {
    selected::count()
}

/// Reports a failure, and ends the image.
pub fn fail(what: &str) -> ! {
    crate::say!("FAILED: {what}");
    exit(false)
}

/// Defines a panic handler that ends the image without a message. Images that measure code size
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

/// Defines a panic handler that prints the panic message and ends the image.
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
