//! The BBC micro:bit: a Cortex-M0 with 16 KB of RAM, in QEMU.
//!
//! ```text
//! machine: m0
//! name: Cortex-M0 (BBC micro:bit)
//! target: thumbv6m-none-eabi
//! features: none
//! images: none
//! counts: instructions
//! gcc: none
//! flash: 0x00000000 256K
//! ram: 0x20000000 16K
//! run: qemu-system-arm -M microbit -serial none -semihosting-config enable=on,target=native -nographic -monitor none -icount shift=0 -kernel IMAGE
//! ```

use crate::board::cortex_m::systick_ticks;

pub use crate::board::cortex_m::{
    semihosting_exit as exit, semihosting_write as write_byte, start_systick as start_counter,
};

/// Returns immediately, because this board needs no preparation.
pub fn prepare() {}

/// Returns about how many instructions have run. An operation can have up to
/// 1,000,000,000 instructions. The processor's clock is 16 MHz, and QEMU executes an instruction in
/// a nanosecond.
pub fn count() -> u64 {
    systick_ticks() * 125 / 2
}
