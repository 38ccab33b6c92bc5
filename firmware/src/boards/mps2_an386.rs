//! ARM's MPS2 board with a Cortex-M4 (AN386), in QEMU.
//!
//! ```text
//! machine: m4 m4-portable
//! name: Cortex-M4 (mps2-an386)
//! target: thumbv7em-none-eabihf
//! features: armv7e-m
//! images: measure digests vectors_sign functional rows arithmetic
//! counts: instructions
//! gcc: -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16
//! flash: 0x00000000 4M
//! ram: 0x20000000 4M
//! run: qemu-system-arm -M mps2-an386 -cpu cortex-m4 -serial none -semihosting-config enable=on,target=native -nographic -monitor none -icount shift=0 -kernel IMAGE
//! ```

use crate::board::cortex_m::{mps_timer_ticks, start_mps_timer};

pub use crate::board::cortex_m::{semihosting_exit as exit, semihosting_write as write_byte};

/// The first timer, which runs at 25 MHz. QEMU executes an instruction in a nanosecond.
const TIMER: *mut u32 = 0x4000_0000 as *mut u32;
/// The number of instructions for a tick.
const TICK: u64 = 40;

/// Returns immediately, because this board needs no preparation.
pub fn prepare() {}

/// Starts the counter.
pub fn start_counter() {
    // SAFETY: the board has this timer.
    unsafe { start_mps_timer(TIMER) };
}

/// Returns how many instructions have run, up to 170,000,000,000.
pub fn count() -> u64 {
    // SAFETY: the board has this timer.
    TICK * unsafe { mps_timer_ticks(TIMER) }
}
