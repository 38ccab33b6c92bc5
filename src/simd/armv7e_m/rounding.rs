//! The high and low parts of residues modulo q = 8380417 (FIPS 204, algorithm 36, Decompose), in
//! assembly. The residues may be secret.

use super::{DEGREE, Q};
use core::arch::naked_asm;

/// Computes [`ShortRow::Decompose`](crate::simd::ShortRow::Decompose).
#[inline(never)]
pub fn decompose(a: &mut [u32], gamma2: u32) {
    assert!(a.len() == DEGREE);
    let range = a.as_mut_ptr_range();
    // SAFETY: the feature `armv7e-m` guarantees the instructions; the row has 256 numbers.
    unsafe {
        match (Q - 1) / gamma2 {
            88 => decompose_44(range.start, range.end, 2 * gamma2),
            32 => decompose_16(range.start, range.end, 2 * gamma2),
            _ => unreachable!("no parameter set has this gamma2"),
        }
    }
}

/// Splits the residue x in the register `$x`: moves the negated low part to the lowest 24 bits, and
/// the high part to the top 8 bits. These registers contain constants: `2 gamma2` in r2, q in r11,
/// `q / 2` in r12. The instructions `$high` replace the number `(x + 127) / 128` in lr by the high
/// part, and can change r3. Changes r3 and lr.
macro_rules! decompose_value {
    ($x:literal, $high:expr) => {
        lines!(
            concat!("add lr, ", $x, ", #127"),
            "lsr lr, lr, #7",
            $high,
            concat!("mls ", $x, ", lr, r2, ", $x),
            // If the low part is above q / 2, subtract q. Then negate the low part.
            concat!("sub r3, r12, ", $x),
            "and r3, r11, r3, asr #31",
            concat!("sub ", $x, ", r3, ", $x),
            concat!("bfi ", $x, ", lr, #24, #8"),
        )
    };
}

/// Defines a function that decomposes the residues from address `a` to `end`. `step` is `2 gamma2`.
/// The given lines load two constants for `$high` to r9 and r10.
macro_rules! decompose {
    ($(#[$doc:meta])* $name:ident, $high:expr; $($line:expr),+ $(,)?) => {
        row! {
            $(#[$doc])*
            fn $name(a: *mut u32, end: *mut u32, step: u32);
            "lsr r12, r11, #1",
            $($line,)+
            "2:",
            "ldm r0, {{r4-r7}}",
            decompose_value!("r4", $high),
            decompose_value!("r5", $high),
            decompose_value!("r6", $high),
            decompose_value!("r7", $high),
            "stm r0!, {{r4-r7}}",
            "cmp r0, r1",
            "bne 2b",
        }
    };
}

decompose! {
    /// Computes high parts below 44: `(11275 y + 2^23) / 2^24` for the number y in lr, rounded
    /// down, or 0 if this quotient is 44.
    decompose_44, lines!("mla lr, lr, r9, r10", "lsr lr, lr, #24", "rsb r3, lr, #43", "bic lr, lr, r3, asr #31");
    "movw r9, #11275",
    "mov r10, #1 << 23",
}

decompose! {
    /// Computes high parts below 16: `(1025 y + 2^21) / 2^22` for the number y in lr, rounded down,
    /// modulo 16.
    decompose_16, lines!("mla lr, lr, r9, r10", "ubfx lr, lr, #22, #4");
    "movw r9, #1025",
    "mov r10, #1 << 21",
}
