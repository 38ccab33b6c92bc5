//! Measures how much stack an operation needs, how many instructions it takes, and whether it wiped
//! the stack.

use super::{counter_value, fail};
use core::arch::asm;
use fndsa::testing::emulated::permutations;

/// Returns the address of the lowest stack byte in use.
#[inline(always)]
fn stack_pointer() -> usize {
    let address: usize;
    // SAFETY: the instruction only reads a register.
    #[cfg(target_arch = "arm")]
    unsafe {
        asm!("mov {}, sp", out(reg) address, options(nomem, nostack));
    }
    // SAFETY: the instruction only reads a register.
    #[cfg(target_arch = "riscv32")]
    unsafe {
        asm!("mv {}, sp", out(reg) address, options(nomem, nostack));
    }
    address
}

unsafe extern "C" {
    /// The end of the zero-initialized memory, from the linker script.
    static __bss_end: u8;
}

/// The value that fills unused stack.
const PAINT: u32 = 0xdead_beef;
/// The maximum stack depth to measure, in bytes. Crate `fn-dsa` needs 243 KB to sign at degree
/// 1024.
const MAX_STACK_DEPTH: usize = 1 << 19;

/// Returns the lowest address of the unused stack below the calling function, and the number of
/// words from there to the stack pointer. This function is inlined, so that the stack pointer is
/// the caller's.
#[inline(always)]
fn stack_words_below() -> (*mut u32, usize) {
    let top = stack_pointer() & !3;
    let low = (&raw const __bss_end as usize).max(top.saturating_sub(MAX_STACK_DEPTH));
    (low as *mut u32, (top - low) / 4)
}

/// An operation's costs.
#[derive(Clone, Copy, Debug)]
pub struct OperationCost {
    /// The stack depth that the operation used, in bytes.
    pub stack: usize,
    /// The difference of the board's counter: instructions in an emulator, and cycles on hardware.
    pub counter_steps: u64,
    /// The Keccak permutation count.
    pub permutations: u32,
    /// The size of all nonzero words in the deepest [`CHECKED_BYTES`] bytes of the used stack. An
    /// operation wipes its stack with a function whose own frame remains. So this size is at most
    /// [`WIPER_FRAME_BYTES`] if the operation wiped its stack.
    pub nonzero_bytes: usize,
}

/// How many bytes of the stack, from the deepest used address, are checked for zeros.
const CHECKED_BYTES: usize = 256;
/// The stack frame size of the function that writes the zeros, in bytes.
const WIPER_FRAME_BYTES: usize = 32;

impl OperationCost {
    /// Fails if the operation did not wipe the deepest stack area that it used. Do not call this
    /// function for an operation without secrets, which does not wipe its stack.
    pub fn check_wiped(&self, what: &str) {
        if self.nonzero_bytes > WIPER_FRAME_BYTES {
            crate::say!("{what}: {} bytes of the deepest stack area are not zero", self.nonzero_bytes);
            fail("the operation did not wipe the deepest part of its stack");
        }
    }
}

/// Runs an operation and measures it. The call uses a pointer, because the compiler would otherwise
/// merge the operation's frame with the caller's frame.
#[inline(never)]
pub fn measure(operation: &mut dyn FnMut()) -> OperationCost {
    // The number of words directly below the stack pointer that the following loop does not fill.
    // The loop's own code may use these words.
    const MARGIN: usize = 16;
    let (low, count) = stack_words_below();
    for i in 0..count - MARGIN {
        // SAFETY: the memory between the static variables and the stack pointer is not in use.
        unsafe { low.add(i).write_volatile(PAINT) };
    }
    let permutations_before = permutations();
    let counter_before = counter_value();
    operation();
    let counter_steps = counter_value() - counter_before;
    let permutations = permutations() - permutations_before;
    // SAFETY: the memory between the static variables and the stack pointer is not in use, and
    // reading it changes nothing.
    let unused_words = (0..count).take_while(|i| unsafe { low.add(*i).read_volatile() } == PAINT).count();
    let deepest = unused_words..count.min(unused_words + CHECKED_BYTES / 4);
    // SAFETY: as for `unused_words`, because the same memory is read.
    let nonzero_words = deepest.filter(|i| unsafe { low.add(*i).read_volatile() } != 0).count();
    OperationCost { stack: 4 * (count - unused_words), counter_steps, permutations, nonzero_bytes: 4 * nonzero_words }
}

/// Returns whether the stack below the caller contains eight consecutive bytes of a secret, at an
/// address that is a multiple of 4. Does not search the 64 words directly below the stack pointer,
/// because the search itself uses them.
#[inline(never)]
pub fn stack_has(secret: &[u8]) -> bool {
    let (low, count) = stack_words_below();
    // SAFETY: the memory between the static variables and the stack pointer is not in use. The
    // search may write to this memory when it calls functions, but it writes no part of the secret.
    let word = |i: usize| unsafe { low.add(i).read_volatile() };
    (0..count.saturating_sub(64)).any(|i| {
        let two_words = u64::from(word(i + 1)) << 32 | u64::from(word(i));
        // Ignore zeros, and two equal words, such as `PAINT`, because they occur in all unused
        // stack.
        two_words != 0 && word(i) != word(i + 1) && secret.windows(8).any(|window| window == two_words.to_le_bytes())
    })
}
