//! Rejection sampling modulo q = 8380417: a candidate (a number with 23 bits) is a residue if it is
//! below q. With little memory, `add` immediately multiplies each sampled residue by a factor, and
//! adds the product to a sum. So the residues need no memory. A sum has three bytes, to save
//! memory. With more memory, `keep` stores the residues.
//!
//! The candidates for the residues are public, so branches can depend on them. The factors in `v`
//! and the sums may be secret.

use crate::simd::SampledCount;
use core::arch::naked_asm;

/// Computes [`U32s::add_sampled`](crate::simd::U32s::add_sampled).
#[inline(always)]
pub fn add(src: &[u8], count: usize, v: &[u32], sums: &mut [u8]) -> SampledCount {
    if count == 0 || v.is_empty() {
        return SampledCount::default();
    }
    assert!(src.len() / 3 >= count && src.len() > 3 * count && sums.len() / 3 >= v.len());
    let first = src.as_ptr();
    let ends = v.as_ptr_range();
    // SAFETY: the feature `armv7e-m` guarantees the instructions; the code reads the last candidate
    // as a word with four bytes, and `src` has a byte after this candidate. There are at least as
    // many sums as factors.
    let packed = unsafe { add_products(first, first.add(3 * count), ends.start, sums.as_mut_ptr(), ends.end) };
    SampledCount {
        candidates: (packed as u32 as usize - first.addr()) / 3,
        products: ((packed >> 32) as usize - ends.start.addr()) / 4,
    }
}

/// Computes [`U32s::keep_sampled`](crate::simd::U32s::keep_sampled).
#[inline(always)]
pub fn keep(src: &[u8], count: usize, out: &mut [u32]) -> SampledCount {
    if count == 0 || out.is_empty() {
        return SampledCount::default();
    }
    assert!(src.len() / 3 >= count && src.len() > 3 * count);
    let first = src.as_ptr();
    let ends = out.as_mut_ptr_range();
    // SAFETY: the feature `armv7e-m` guarantees the instructions; the code reads the last candidate
    // as a word with four bytes, and `src` has a byte after this candidate. The code writes at most
    // as many residues as `out` has values.
    let packed = unsafe { keep_residues(first, first.add(3 * count), ends.start, ends.end) };
    SampledCount {
        candidates: (packed as u32 as usize - first.addr()) / 3,
        products: ((packed >> 32) as usize - ends.start.addr()) / 4,
    }
}

/// Loads the next candidate from address r0, and writes the candidate to address r2 if it is below
/// q.
macro_rules! keep_candidate {
    () => {
        lines!("ldr r4, [r0], #3", "ubfx r4, r4, #0, #23", "cmp r4, r11", "it lo", "strlo r4, [r2], #4",)
    };
}

row! {
    /// Writes the residues among the candidates. Returns two addresses: the address after the last
    /// processed candidate (in the low half), and the address after the last residue.
    fn keep_residues(candidates: *const u8, candidates_end: *const u8, out: *mut u32, out_end: *mut u32) -> u64;
    // The inner loops do not compare r2 with the end of `out`, because they read at most as many
    // candidates as `out` has space for residues.
    "1:",
    "sub r8, r3, r2",
    "sub r8, r8, r8, lsr #2",
    "add r8, r8, r0",
    "cmp r8, r1",
    "it hi",
    "movhi r8, r1",
    "sub r9, r8, #12",
    "b 3f",
    // Read four candidates.
    "2:",
    keep_candidate!(),
    keep_candidate!(),
    keep_candidate!(),
    keep_candidate!(),
    "3:",
    "cmp r0, r9",
    "bls 2b",
    "b 5f",
    "4:",
    keep_candidate!(),
    "5:",
    "cmp r0, r8",
    "bne 4b",
    "cmp r2, r3",
    "beq 6f",
    "cmp r0, r1",
    "bne 1b",
    "6:",
    "mov r1, r2",
}

row! {
    /// Multiplies the residues among the candidates by `v`, and adds the products to `sums`.
    /// Returns two addresses: the address after the last processed candidate (in the low half), and
    /// the address after the last used factor.
    fn add_products(
        candidates: *const u8,
        candidates_end: *const u8,
        v: *const u32,
        sums: *mut u8,
        v_end: *const u32,
    ) -> u64;
    "ldr r9, [sp, #36]",
    "lsl r10, r11, #1",
    // The inner loop does not compare r2 with the end of v, because it reads at most as many
    // candidates as there are values left in v.
    "1:",
    "sub r8, r9, r2",
    "sub r8, r8, r8, lsr #2",
    "add r8, r8, r0",
    "cmp r8, r1",
    "it hi",
    "movhi r8, r1",
    "2:",
    "ldr r4, [r0], #3",
    "ubfx r4, r4, #0, #23",
    "cmp r4, r11",
    "bhs 3f",
    "ldr r5, [r2], #4",
    "ldrh r6, [r3]",
    "ldrb r7, [r3, #2]",
    product!("r4", "r5"),
    "orr r6, r6, r7, lsl #16",
    sum_below!("r6", "r5"),
    "strh r6, [r3], #2",
    "lsr r6, r6, #16",
    "strb r6, [r3], #1",
    "3:",
    "cmp r0, r8",
    "bne 2b",
    "cmp r2, r9",
    "beq 4f",
    "cmp r0, r1",
    "bne 1b",
    "4:",
    "mov r1, r2",
}
