//! Integer computations of the Gaussian sampler in FN-DSA, in assembly.

use core::arch::naked_asm;

/// Computes [`count_larger`](crate::simd::constant_time_u64::count_larger). `v0`, `v1` and `v2` are
/// the words of v, the lowest word first.
#[unsafe(naked)]
pub extern "C" fn count_larger(v0: u32, v1: u32, v2: u32, table: &[u128; 18]) -> u32 {
    naked_asm!(
        cpu_directive!(),
        "push {{r4-r8, lr}}",
        // r8 counts the entries that are not larger than v. For such an entry, the subtraction sets
        // the carry.
        "mov r8, #0",
        ".rept 18",
        "ldm r3!, {{r4-r7}}",
        "subs r4, r0, r4",
        "sbcs r5, r1, r5",
        "sbcs r6, r2, r6",
        "adc r8, r8, #0",
        ".endr",
        "rsb r0, r8, #18",
        "pop {{r4-r8, pc}}",
    )
}

/// Computes [`horner_of_high_products`](crate::simd::constant_time_u64::horner_of_high_products).
#[unsafe(naked)]
pub extern "C" fn horner_of_high_products(x: u64, scale: u64, coefficients: &[u64; 13]) -> u64 {
    naked_asm!(
        cpu_directive!(),
        "push {{r4-r9, lr}}",
        "ldr r12, [sp, #28]",
        // r4:r5: the value.
        "ldm r12!, {{r4, r5}}",
        ".rept 12",
        // r9:r8: the upper half of the product with x.
        "umull r6, r7, r4, r0",
        "umull r8, r9, r5, r0",
        "umaal r7, r8, r4, r1",
        "umaal r8, r9, r5, r1",
        "ldm r12!, {{r4, r5}}",
        "subs r4, r4, r8",
        "sbc r5, r5, r9",
        ".endr",
        "umull r6, r7, r4, r2",
        "umull r0, r1, r5, r2",
        "umaal r7, r0, r4, r3",
        "umaal r0, r1, r5, r3",
        "pop {{r4-r9, pc}}",
    )
}
