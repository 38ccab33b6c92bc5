//! Fills memory with zeros, in assembly. `ct::wipe` calls this code to erase secrets.

use core::arch::naked_asm;

/// Fills `bytes` with zeros.
#[inline(never)]
pub fn clear(bytes: &mut [u8]) {
    // SAFETY: any bytes are a valid array of words.
    let (head, blocks, tail) = unsafe { bytes.align_to_mut::<[u32; 8]>() };
    head.fill(0);
    tail.fill(0);
    if !blocks.is_empty() {
        let range = blocks.as_mut_ptr_range();
        // SAFETY: the memory belongs to `blocks`, which has at least one block.
        unsafe { clear_blocks(range.start, range.end) }
    }
}

/// Writes zeros from address `start` to `end`. The length must be a multiple of 32 bytes, and not
/// zero.
#[unsafe(naked)]
unsafe extern "C" fn clear_blocks(start: *mut [u32; 8], end: *mut [u32; 8]) {
    naked_asm!(
        cpu_directive!(),
        "movs r2, #0",
        "movs r3, #0",
        "2:",
        "strd r2, r3, [r0], #8",
        "strd r2, r3, [r0], #8",
        "strd r2, r3, [r0], #8",
        "strd r2, r3, [r0], #8",
        "cmp r0, r1",
        "bne 2b",
        "bx lr",
    )
}
