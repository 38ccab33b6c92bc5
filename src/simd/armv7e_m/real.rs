//! Binary64 arithmetic in assembly, for [`SoftF64`](crate::simd::SoftF64). This code computes a sum
//! in a quarter of the time that compiled code needs. Sums and products take half of the time for
//! an FN-DSA signature.
//!
//! If a result is zero or a normal number, it has the bits that compiled code for `SoftF64`
//! returns. A nonzero exact result can be smaller in magnitude than all normal numbers. In this
//! case, this assembly returns an undefined number, and compiled code returns zero. Signing never
//! computes such a result: the magnitudes of all nonzero numbers are between `2^-476` and `2^80`
//! (ePrint 2024/321).
//!
//! There are no conditional branches, and memory is only accessed to save registers.
//!
//! A number is stored in two registers. The comments name the lower half first: in r0:r1, r0 is the
//! lower half.

use core::arch::{asm, naked_asm};

/// Computes the sum of the numbers in r0:r1 and r2:r3. The sum is in r0:r1. Changes r2 to r10 and
/// r12. The two parameters are instructions:
///
/// - `$implicit` reads the larger exponent from r7, and sets r0 to the larger number's implicit
///   bit: 0 if this number counts as zero, and otherwise 1.
/// - `$exponent` can change the sum's exponent in r7.
macro_rules! sum_lines {
    ($implicit:expr, $exponent:expr) => {
        lines!(
            // Create a mask that is set if |a| < |b|. `uadd8` converts the mask to four flags, by
            // which `sel` selects each byte. The number with the larger magnitude moves to r4:r5,
            // and the other number to r2:r3. If both magnitudes are equal, the sum does not depend
            // on the order.
            "lsl r4, r1, #1",
            "subs r6, r0, r2",
            "sbcs r4, r4, r3, lsl #1",
            "sbc r4, r4, r4",
            "uadd8 r4, r4, r4",
            "sel r5, r3, r1",
            "sel r3, r1, r3",
            "sel r4, r2, r0",
            "sel r2, r0, r2",
            // r6: bit 31 is set if the signs differ. r7: the larger exponent. r1: the difference
            // between the exponents, at most 63. r12: the sign.
            "eor r6, r5, r3",
            "ubfx r7, r5, #20, #11",
            "ubfx r1, r3, #20, #11",
            "sub r1, r7, r1",
            "usat r1, #6, r1",
            "mov r12, r5",
            // The smaller number also gets the implicit bit, even if it is zero. If it is zero, the
            // distance is so large that this bit is far below the sum's last bit, and rounding
            // removes the bit.
            $implicit,
            // The larger significand is at bits 62 to 10 of r4:r5, and the smaller significand at
            // bits 63 to 11 of r2:r3.
            "bfi r5, r0, #20, #12",
            "lsl r5, r5, #10",
            "orr r5, r5, r4, lsr #22",
            "lsl r4, r4, #10",
            "bfi r3, r0, #20, #12",
            "lsl r3, r3, #11",
            "orr r3, r3, r2, lsr #21",
            "lsl r2, r2, #11",
            // Multiply the smaller significand by 2^(63 - distance), which keeps all bits. The
            // factor is in r0:r8. A shift by 32 or more bits returns 0; a negative distance also
            // shifts by more than 32 bits. r10:r0: the shifted significand. r9: the bits below it.
            "mov r0, #0x80000000",
            "lsr r8, r0, r1",
            "sub r1, r1, #32",
            "lsr r0, r0, r1",
            "umull r1, r9, r2, r0",
            "umull r10, r0, r3, r0",
            "umaal r9, r10, r2, r8",
            "umaal r10, r0, r3, r8",
            "orr r9, r9, r1",
            // If a bit below the significand is set, set the lowest bit of the significand.
            "rsbs r9, r9, #0",
            "sbc r9, r9, r9",
            "orr r10, r10, r9, lsr #31",
            // Add the smaller significand to r4:r5. If the signs differ, add its complement and 1
            // instead.
            "asr r3, r6, #31",
            "eor r10, r10, r3",
            "eor r0, r0, r3",
            "adds r6, r6, r6",
            "adcs r4, r4, r10",
            "adc r5, r5, r0",
            shift_to_top!("r4", "r5", "r7"),
            $exponent,
            // r1: all ones if the sum is not zero. A zero gets the exponent 0, and is negative only
            // if both numbers are negative zeros.
            "asr r1, r5, #31",
            "and r7, r7, r1",
            "orn r1, r1, r3",
            "and r12, r12, r1",
            "and r12, r12, #0x80000000",
            // Round to bit 11. The number in bits 10 to 0 is rounded up if it is above one half of
            // bit 11, or if it is exactly one half and bit 11 is set. The first shift moves bit 11
            // to the carry. The subtraction then sets the carry if the number must be rounded up.
            "lsls r0, r4, #21",
            "sbcs r0, r0, #0x80000000",
            "lsr r0, r4, #11",
            "orr r0, r0, r5, lsl #21",
            "lsr r1, r5, #11",
            "adcs r0, r0, #0",
            // The implicit bit adds 1 to the exponent, and the carry can also add 1.
            "adc r1, r1, r7, lsl #20",
            "orr r1, r1, r12",
        )
    };
}

/// Shifts the highest set bit of `$low:$high` to bit 63, and subtracts the distance from the
/// exponent in `$exponent`. Changes r0 and r1.
macro_rules! shift_to_top {
    ($low:literal, $high:literal, $exponent:literal) => {
        lines!(
            // Shift by the leading zeros of the upper word, at most 32. If the upper word is zero,
            // this moves the lower word to the upper word.
            concat!("clz r0, ", $high),
            concat!("lsl ", $high, ", ", $high, ", r0"),
            "rsb r1, r0, #32",
            concat!("lsr r1, ", $low, ", r1"),
            concat!("orr ", $high, ", ", $high, ", r1"),
            concat!("lsl ", $low, ", ", $low, ", r0"),
            concat!("sub ", $exponent, ", ", $exponent, ", r0"),
            // If the upper word still has leading zeros, the lower word is zero.
            concat!("clz r0, ", $high),
            concat!("lsl ", $high, ", ", $high, ", r0"),
            concat!("sub ", $exponent, ", ", $exponent, ", r0"),
        )
    };
}

/// Returns `a + b`.
#[unsafe(naked)]
pub extern "C" fn sum(a: u64, b: u64) -> u64 {
    naked_asm!(cpu_directive!(), "push {{r4-r10, lr}}", sum_lines!("usat r0, #1, r7", ""), "pop {{r4-r10, pc}}",)
}

/// Replaces the number in r0:r1 by its sum with the number in r2:r3. If the sum is not zero, also
/// subtracts r11 from the sum's exponent field. A number with an exponent field below 64 must have
/// a fraction of zero, and counts as zero. Changes r2 to r10 and r12.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn sum_in_registers() {
    naked_asm!(cpu_directive!(), sum_lines!("usat r0, #1, r7, asr #6", "sub r7, r7, r11"), "bx lr",)
}

/// Returns `a + b` and `a - b`.
#[inline(always)]
pub fn sum_and_difference(a: u64, b: u64) -> (u64, u64) {
    let (mut a_low, mut a_high, mut b_low, mut b_high) = (a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32);
    // SAFETY: `sum_and_difference_asm` only changes these registers, and the stack below the stack
    // pointer.
    unsafe {
        asm!(
            "bl {sum_and_difference_asm}",
            sum_and_difference_asm = sym sum_and_difference_asm,
            inout("r0") a_low,
            inout("r1") a_high,
            inout("r2") b_low,
            inout("r3") b_high,
            out("r12") _,
            out("lr") _,
            options(pure, nomem),
        );
    }
    (u64::from(a_high) << 32 | u64::from(a_low), u64::from(b_high) << 32 | u64::from(b_low))
}

/// Computes [`sum_and_difference_in_registers`], and only changes r0 to r3 and r12.
#[unsafe(naked)]
unsafe extern "C" fn sum_and_difference_asm() {
    naked_asm!(
        cpu_directive!(),
        "push {{r4-r11, lr}}",
        "mov r12, #0",
        "bl {sum_and_difference_in_registers}",
        "pop {{r4-r11, pc}}",
        sum_and_difference_in_registers = sym sum_and_difference_in_registers,
    )
}

/// Replaces `a` in r0:r1 and `b` in r2:r3 by `a + b` and `a - b`, both divided by `2^r12`. Except
/// for the signs, one of these results is the sum of both magnitudes, and the other is their
/// difference. Two steps are computed once for both results: the numbers are ordered by magnitude,
/// and the smaller significand is shifted. The sum of the magnitudes does not need a search for its
/// highest set bit. Changes r4 to r12.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn sum_and_difference_in_registers() {
    naked_asm!(
        cpu_directive!(),
        // r4: a mask that is set if |a| < |b|. The number with the larger magnitude moves to r6:r5,
        // and the other number to r2:r3.
        "lsl r4, r1, #1",
        "subs r6, r0, r2",
        "sbcs r4, r4, r3, lsl #1",
        "sbc r4, r4, r4",
        "uadd8 r5, r4, r4",
        "sel r5, r3, r1",
        "sel r3, r1, r3",
        "sel r6, r2, r0",
        "sel r2, r0, r2",
        // Bit 31 of r1, r4 and r7 contains a sign; the other bits are not used.
        // - r1: a's sign, which is the sign of the sum of magnitudes.
        // - r4: the sign of the difference of magnitudes: a's sign, inverted if |a| < |b|.
        // - r7: set if a and b have different signs.
        "eor r4, r4, r1",
        "eor r7, r5, r3",
        // r8: the larger exponent. r9: the difference between the exponents. r0: the implicit bit.
        // The significands and the lost bits are computed as in the function `sum`.
        "ubfx r8, r5, #20, #11",
        "ubfx r9, r3, #20, #11",
        "sub r9, r8, r9",
        "usat r9, #6, r9",
        "usat r0, #1, r8",
        "sub r8, r8, r12",
        "bfi r5, r0, #20, #12",
        "lsl r5, r5, #10",
        "orr r5, r5, r6, lsr #22",
        "lsl r6, r6, #10",
        "bfi r3, r0, #20, #12",
        "lsl r3, r3, #11",
        "orr r3, r3, r2, lsr #21",
        "lsl r2, r2, #11",
        "mov r0, #0x80000000",
        "lsr r10, r0, r9",
        "sub r9, r9, #32",
        "lsr r0, r0, r9",
        "umull r9, r11, r2, r0",
        "umull r12, r0, r3, r0",
        "umaal r11, r12, r2, r10",
        "umaal r12, r0, r3, r10",
        "orr r11, r11, r9",
        "rsbs r11, r11, #0",
        "sbc r11, r11, r11",
        "orr r12, r12, r11, lsr #31",
        // The sum of magnitudes is in r10:r11, and their difference in r6:r5.
        "adds r10, r6, r12",
        "adc r11, r5, r0",
        "subs r6, r6, r12",
        "sbc r5, r5, r0",
        // The sum's highest set bit is bit 63 or 62. If it is bit 62, the mask r0 is set and the
        // sum is doubled. r9: the exponent, which is 0 if the sum is 0. The sum is rounded to
        // r10:r11 as in `sum`.
        "mvn r0, r11, asr #31",
        "add r9, r8, r0",
        "and r2, r10, r0",
        "and r3, r11, r0",
        "adds r10, r10, r2",
        "adc r11, r11, r3",
        "and r9, r9, r11, asr #31",
        "lsls r0, r10, #21",
        "sbcs r0, r0, #0x80000000",
        "lsr r10, r10, #11",
        "orr r10, r10, r11, lsl #21",
        "lsr r11, r11, #11",
        "adcs r10, r10, #0",
        "adc r11, r11, r9, lsl #20",
        "and r1, r1, #0x80000000",
        "orr r11, r11, r1",
        // Shift the highest set bit of the difference to bit 63, make a difference of zero
        // positive, and round to r6:r5.
        shift_to_top!("r6", "r5", "r8"),
        "and r8, r8, r5, asr #31",
        "and r4, r4, r5, asr #31",
        "and r4, r4, #0x80000000",
        "lsls r0, r6, #21",
        "sbcs r0, r0, #0x80000000",
        "lsr r6, r6, #11",
        "orr r6, r6, r5, lsl #21",
        "lsr r5, r5, #11",
        "adcs r6, r6, #0",
        "adc r5, r5, r8, lsl #20",
        "orr r5, r5, r4",
        // If the signs differ, a + b is the difference of magnitudes, and a - b is their sum.
        "asr r7, r7, #31",
        "uadd8 r7, r7, r7",
        "sel r0, r6, r10",
        "sel r1, r5, r11",
        "sel r2, r10, r6",
        "sel r3, r11, r5",
        "bx lr",
    )
}

/// Computes the product of the numbers in r0:r1 and r2:r3. The product is in r0:r1. Changes r2 to
/// r8 and r12.
macro_rules! product_lines {
    () => {
        lines!(
            // r12: bit 31 is the product's sign. r4: the sum of the exponents. r6: 0 if an
            // exponent is 0, which means that a factor is zero.
            "eor r12, r1, r3",
            "ubfx r4, r1, #20, #11",
            "ubfx r5, r3, #20, #11",
            "mul r6, r4, r5",
            "add r4, r4, r5",
            // The significand of a is at bits 63 to 11 of r0:r1, and the significand of b at bits
            // 52 to 0 of r2:r3.
            "lsl r1, r1, #11",
            "orr r1, r1, #0x80000000",
            "orr r1, r1, r0, lsr #21",
            "lsl r0, r0, #11",
            "bfc r3, #20, #12",
            "orr r3, r3, #0x100000",
            // The product is at least 2^115 and less than 2^117. r2, r8, r7 and r5: the four words
            // of the product, the highest word first.
            "umull r5, r7, r0, r2",
            "umull r8, r2, r1, r2",
            "umaal r7, r8, r0, r3",
            "umaal r8, r2, r1, r3",
            // For rounding, it only matters whether r5 contains a set bit, not which bit is set.
            // The lowest 11 bits of r5 are zero, so the other bits are combined with r7.
            "orr r7, r7, r5, lsr #11",
            // r5: 1 or 2, the factor that makes the product at least 2^116. r2:r3: the product's
            // significand. r7: the bits below the significand. r4: the exponent minus 1, because
            // the implicit bit adds 1.
            "lsr r5, r2, #20",
            "add r4, r4, r5",
            "sub r4, r4, #1024",
            "rsb r5, r5, #2",
            "mul r3, r2, r5",
            "umull r7, r2, r7, r5",
            "umlal r2, r3, r8, r5",
            // Round as in the function `sum`. Here, one half of the last bit is bit 31 of r7.
            "lsrs r0, r2, #1",
            "sbcs r7, r7, #0x80000000",
            "adcs r0, r2, #0",
            "adc r1, r3, r4, lsl #20",
            // If a factor is zero, the product is zero.
            "cmp r6, #1",
            "sbc r6, r6, r6",
            "bic r0, r0, r6",
            "bic r1, r1, r6",
            "and r12, r12, #0x80000000",
            "orr r1, r1, r12",
        )
    };
}

/// Returns `a b`.
#[unsafe(naked)]
pub extern "C" fn product(a: u64, b: u64) -> u64 {
    naked_asm!(cpu_directive!(), "push {{r4-r8, lr}}", product_lines!(), "pop {{r4-r8, pc}}",)
}

/// Replaces the number in r0:r1 by its product with the number in r2:r3. Changes r2 to r8 and r12.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn product_in_registers() {
    naked_asm!(cpu_directive!(), product_lines!(), "bx lr",)
}

/// Converts `x` to a binary64 number, exactly.
#[unsafe(naked)]
pub extern "C" fn from_i32(x: i32) -> u64 {
    naked_asm!(
        cpu_directive!(),
        // r2: |x|, shifted until its highest set bit is bit 31. r3: the number of leading zeros.
        "eor r1, r0, r0, asr #31",
        "sub r2, r1, r0, asr #31",
        "clz r3, r2",
        "lsl r2, r2, r3",
        // r1: the exponent minus 1, because the highest set bit of r2 adds 1 to it; 0 for a zero.
        "movw r1, #1053",
        "sub r1, r1, r3",
        "and r1, r1, r2, asr #31",
        "and r0, r0, #0x80000000",
        "orr r0, r0, r1, lsl #20",
        "add r1, r0, r2, lsr #11",
        "lsl r0, r2, #21",
        "bx lr",
    )
}
