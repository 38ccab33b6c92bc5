//! The boards on which the images run, with a file for each board. A file begins with
//! properties, which `build/main.rs` and `firmware/run` read, and has five functions: `prepare`,
//! `write_byte`, `exit`, `start_counter` and `count`. The page `docs/boards.md` explains them.
//!
//! - `microbit`: Cortex-M0, in QEMU
//! - `mps2_an386`: Cortex-M4, in QEMU
//! - `mps2_an500`: Cortex-M7 with binary64 in hardware, in QEMU
//! - `mps2_an505`: Cortex-M33, in QEMU
//! - `mps3_an547`: Cortex-M55, in QEMU
//! - `nucleo_l4r5zi`: Cortex-M4, hardware
//! - `riscv_virt`: RV32IMC, in QEMU
//! - `stm32f4_discovery`: Cortex-M4, hardware

#[cfg(target_arch = "arm")]
pub mod microbit;
#[cfg(target_arch = "arm")]
pub mod mps2_an386;
#[cfg(target_arch = "arm")]
pub mod mps2_an500;
#[cfg(target_arch = "arm")]
pub mod mps2_an505;
#[cfg(target_arch = "arm")]
pub mod mps3_an547;
#[cfg(target_arch = "arm")]
pub mod nucleo_l4r5zi;
#[cfg(target_arch = "riscv32")]
pub mod riscv_virt;
#[cfg(target_arch = "arm")]
pub mod stm32f4_discovery;
