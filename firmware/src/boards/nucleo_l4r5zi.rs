//! ST's NUCLEO-L4R5ZI: a Cortex-M4 with 640 KB of RAM. No image has run on this board yet.
//!
//! After a reset, the processor runs at 4 MHz, and flash memory has no wait states.
//!
//! ```text
//! machine: nucleo-l4r5zi
//! name: Cortex-M4 (NUCLEO-L4R5ZI)
//! target: thumbv7em-none-eabihf
//! features: armv7e-m
//! images: measure digests vectors_sign functional rows arithmetic
//! counts: cycles
//! gcc: -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16
//! flash: 0x08000000 2M
//! ram: 0x20000000 640K
//! run: probe-rs run --chip STM32L4R5ZITx IMAGE
//! ```

pub use crate::board::cortex_m::{
    dwt_cycles as count, semihosting_exit as exit, semihosting_write as write_byte, start_dwt as start_counter,
};

/// Returns immediately, because this board needs no preparation.
pub fn prepare() {}
