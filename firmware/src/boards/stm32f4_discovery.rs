//! ST's STM32F4DISCOVERY: a Cortex-M4 with 128 KB of RAM. No image has run on this board yet.
//!
//! After a reset, the processor runs at 16 MHz, and flash memory has no wait states. The 64 KB of
//! core-coupled memory are not used. QEMU's machine `netduinoplus2` has the same memory and runs
//! the images, but its cycle counter is always 0.
//!
//! ```text
//! machine: stm32f4
//! name: Cortex-M4 (STM32F4DISCOVERY)
//! target: thumbv7em-none-eabihf
//! features: armv7e-m
//! images: measure digests vectors_sign rows arithmetic
//! counts: cycles
//! gcc: -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16
//! flash: 0x08000000 1M
//! ram: 0x20000000 128K
//! run: probe-rs run --chip STM32F407VGTx IMAGE
//! ```

pub use crate::board::cortex_m::{
    dwt_cycles as count, semihosting_exit as exit, semihosting_write as write_byte, start_dwt as start_counter,
};

/// Returns immediately, because this board needs no preparation.
pub fn prepare() {}
