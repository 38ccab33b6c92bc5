//! ARM's MPS2 board with a Cortex-M7 (AN500), in QEMU.
//!
//! ```text
//! machine: m7
//! name: Cortex-M7 (mps2-an500), level scalar-fdiv
//! target: thumbv7em-none-eabihf
//! features: armv7e-m
//! rustflags: -C target-cpu=cortex-m7 --cfg fndsa_fp64
//! level: scalar-fdiv
//! images: measure digests vectors_sign functional rows arithmetic
//! counts: instructions
//! gcc: -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16
//! flash: 0x00000000 4M
//! ram: 0x20000000 4M
//! run: qemu-system-arm -M mps2-an500 -cpu cortex-m7 -serial none -semihosting-config enable=on,target=native -nographic -monitor none -icount shift=0 -kernel IMAGE
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
