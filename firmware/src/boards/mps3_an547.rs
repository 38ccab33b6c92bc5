//! ARM's MPS3 board with a Cortex-M55 (AN547) in the secure state, in QEMU.
//!
//! ```text
//! machine: m55
//! name: Cortex-M55 (mps3-an547)
//! target: thumbv8m.main-none-eabihf
//! features: armv7e-m
//! images: measure digests vectors_sign functional rows arithmetic
//! counts: instructions
//! gcc: -mcpu=cortex-m55 -mthumb -mfloat-abi=hard
//! flash: 0x10000000 512K
//! ram: 0x30000000 512K
//! run: qemu-system-arm -M mps3-an547 -cpu cortex-m55 -serial none -semihosting-config enable=on,target=native -nographic -monitor none -icount shift=0 -kernel IMAGE
//! ```

use crate::board::cortex_m::systick_ticks;

pub use crate::board::cortex_m::{
    semihosting_exit as exit, semihosting_write as write_byte, start_systick as start_counter,
};

/// Returns immediately, because this board needs no preparation.
pub fn prepare() {}

/// Returns about how many instructions have run. An operation can have up to
/// 500,000,000 instructions. The processor's clock is 32 MHz, and QEMU executes an instruction in a
/// nanosecond.
pub fn count() -> u64 {
    systick_ticks() * 125 / 4
}
