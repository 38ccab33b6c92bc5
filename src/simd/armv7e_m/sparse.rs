//! Products with a sparse polynomial, the challenge of ML-DSA, in assembly. The nonzero
//! coefficients are 1 and -1. For each nonzero coefficient, the code adds a part of a row to the
//! sums, or subtracts this part from the sums. A word contains four signed bytes or two signed
//! halfwords, and eight registers contain the sums.
//!
//! The row's elements may be secret. The places (indices) of the nonzero coefficients are
//! public, so addresses can depend on these places.

use core::arch::naked_asm;

/// Computes [`ShortRow::AddBytes`](crate::simd::ShortRow::AddBytes).
#[inline(always)]
pub fn add_bytes(a: &mut [u32], src: &[u8], first: usize, places: &[u8], positive: usize) {
    assert!(a.len() == 32 && first >= 255 && src.len() >= first + a.len() && positive <= places.len());
    let range = places.as_ptr_range();
    // SAFETY: the feature `armv7e-m` guarantees the instructions. All parts are in the row `src`:
    // because places are below 256, the parts begin at most 255 elements before index `first`.
    unsafe { add_bytes_at(a.as_mut_ptr(), src.as_ptr().add(first), range.start, range.start.add(positive), range.end) }
}

/// Computes [`ShortRow::AddHalfwords`](crate::simd::ShortRow::AddHalfwords).
#[inline(always)]
pub fn add_halfwords(a: &mut [u32], src: &[u16], first: usize, places: &[u8], positive: usize) {
    assert!(a.len() == 16 && first >= 255 && src.len() >= first + a.len() && positive <= places.len());
    let range = places.as_ptr_range();
    // SAFETY: the feature `armv7e-m` guarantees the instructions. All parts are in the row, as in
    // `add_bytes`.
    unsafe {
        add_halfwords_at(a.as_mut_ptr(), src.as_ptr().add(first), range.start, range.start.add(positive), range.end)
    }
}

/// Adds a word to the sum in the register `$sum`, or subtracts the word, depending on the
/// instruction `$operation`. The word is at byte offset `$at` in the row's part at address r12.
/// Changes lr.
macro_rules! add_word {
    ($operation:literal, $at:literal, $sum:literal) => {
        concat!("ldr lr, [r12, #", $at, "]\n", $operation, " ", $sum, ", ", $sum, ", lr\n")
    };
}

/// Adds or subtracts the parts for the places from address r2 to r3. `$shift` is the binary
/// logarithm of an element's length in bytes. The label `$label` is the start of the loop.
macro_rules! add_parts {
    ($label:literal, $operation:literal, $shift:literal) => {
        concat!(
            $label,
            ":\n",
            "ldrb r12, [r2], #1\n",
            "sub r12, r1, r12, lsl #",
            $shift,
            "\n",
            add_word!($operation, 0, "r4"),
            add_word!($operation, 4, "r5"),
            add_word!($operation, 8, "r6"),
            add_word!($operation, 12, "r7"),
            add_word!($operation, 16, "r8"),
            add_word!($operation, 20, "r9"),
            add_word!($operation, 24, "r10"),
            add_word!($operation, 28, "r11"),
            "cmp r2, r3\n",
            "bne ",
            $label,
            "b",
        )
    };
}

/// Adds the four signed bytes in a register to the next four words at address r0, and advances r0.
/// Changes r1, r2, r3 and r12.
macro_rules! widen_bytes {
    ($sum:literal) => {
        concat!(
            "ldm r0, {{r1, r2, r3, r12}}\n",
            "sxtab r1, r1, ",
            $sum,
            "\n",
            "sxtab r2, r2, ",
            $sum,
            ", ror #8\n",
            "sxtab r3, r3, ",
            $sum,
            ", ror #16\n",
            "sxtab r12, r12, ",
            $sum,
            ", ror #24\n",
            "stm r0!, {{r1, r2, r3, r12}}",
        )
    };
}

/// Adds the two signed halfwords in a register to the next two words at address r0, and advances
/// r0. Changes r1 and r2.
macro_rules! widen_halfwords {
    ($sum:literal) => {
        concat!(
            "ldrd r1, r2, [r0]\n",
            "sxtah r1, r1, ",
            $sum,
            "\n",
            "sxtah r2, r2, ",
            $sum,
            ", ror #16\n",
            "strd r1, r2, [r0], #8",
        )
    };
}

/// Defines a function that adds parts of a row to `a`. The part for place 0 is at the address
/// `src`. The addresses from `places` to `negative` contain the places of coefficients 1. The
/// addresses from `negative` to `end` contain the places of coefficients -1. Each of the two lists
/// can be empty.
macro_rules! sparse {
    ($(#[$doc:meta])* $name:ident, $element:ty, $add:literal, $subtract:literal, $shift:literal, $widen:ident) => {
        $(#[$doc])*
        #[unsafe(naked)]
        unsafe extern "C" fn $name(
            a: *mut u32,
            src: *const $element,
            places: *const u8,
            negative: *const u8,
            end: *const u8,
        ) {
            naked_asm!(
                cpu_directive!(),
                "push {{r4-r11, lr}}",
                "mov r4, #0",
                "mov r5, #0",
                "mov r6, #0",
                "mov r7, #0",
                "mov r8, #0",
                "mov r9, #0",
                "mov r10, #0",
                "mov r11, #0",
                "cmp r2, r3",
                "beq 3f",
                add_parts!("2", $add, $shift),
                "3:",
                "ldr r3, [sp, #36]",
                "cmp r2, r3",
                "beq 5f",
                add_parts!("4", $subtract, $shift),
                "5:",
                $widen!("r4"),
                $widen!("r5"),
                $widen!("r6"),
                $widen!("r7"),
                $widen!("r8"),
                $widen!("r9"),
                $widen!("r10"),
                $widen!("r11"),
                "pop {{r4-r11, pc}}",
            )
        }
    };
}

sparse! {
    /// Adds parts with 32 signed bytes.
    add_bytes_at, u8, "uadd8", "usub8", 0, widen_bytes
}

sparse! {
    /// Adds parts with 16 signed halfwords.
    add_halfwords_at, u16, "uadd16", "usub16", 1, widen_halfwords
}
