//! QEMU's RISC-V machine. All memory is RAM, also the memory that is named `flash` below.
//!
//! ```text
//! machine: rv32
//! name: RV32IMC (virt)
//! target: riscv32imc-unknown-none-elf
//! features: none
//! images: measure digests vectors_sign functional rows arithmetic
//! counts: instructions
//! gcc: none
//! flash: 0x80000000 8M
//! ram: 0x80800000 8M
//! run: qemu-system-riscv32 -M virt -bios none -serial stdio -nographic -monitor none -icount shift=0 -kernel IMAGE
//! ```

pub use crate::board::riscv32::retired_instructions as count;

/// Returns immediately, because this board needs no preparation.
pub fn prepare() {}

/// Writes a byte to the serial port.
pub fn write_byte(byte: u8) {
    // SAFETY: this is the address of the machine's serial port.
    unsafe { (0x1000_0000 as *mut u8).write_volatile(byte) };
}

/// Ends the emulation.
pub fn exit(success: bool) -> ! {
    // SAFETY: this is the address of the machine's test device. It ends the emulation when 0x5555
    // is written (success), or 0x3333 with the exit code 1 in the upper half (failure).
    unsafe { (0x10_0000 as *mut u32).write_volatile(if success { 0x5555 } else { 0x1_3333 }) };
    loop {
        core::hint::spin_loop();
    }
}

/// Returns at once, because the counter runs as soon as the processor starts.
pub fn start_counter() {}
