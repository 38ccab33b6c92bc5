//! Rows of complex numbers in assembly, for the Fourier transform and the tree in FN-DSA. The
//! numbers are binary64 numbers, as in [`real`](super::real), and each operation is rounded as in
//! the engine's loops, which these functions replace.
//!
//! Between two operations, numbers stay in registers or on the stack. The functions for rows are
//! loops over pairs or over numbers. Before a loop, its addresses and its counter are copied to the
//! stack, because the operations change all registers.

use super::real::{product_in_registers, sum_and_difference_in_registers, sum_in_registers};
use crate::simd::SoftF64;
use core::arch::naked_asm;

/// The addresses of a row's real parts and of its imaginary parts.
type ComplexAddress = [*mut SoftF64; 2];

/// The rows and the root table for [`merge_pairs`] and [`split_pairs`].
#[derive(Clone, Copy)]
struct PairRows {
    /// The first input row.
    x: ComplexAddress,
    /// The second input row.
    y: ComplexAddress,
    /// The first output row. It can be the same memory as `x`.
    u: ComplexAddress,
    /// The second output row. It can be the same memory as `y`.
    v: ComplexAddress,
    /// The roots.
    roots: [*const u64; 2],
    /// The number of pairs. Range: not 0.
    count: usize,
}

/// The direction of [`two_layers`]: the transform merges, and its inverse splits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LayerDirection {
    /// Merges pairs.
    Forward,
    /// Splits pairs, without the factor 1/2.
    Inverse,
}

/// Computes `(u, v) = (x + w y, x - w y)` for all pairs, where `w` is the root.
///
/// # Safety
/// The rows and the root table must have `count` numbers.
unsafe fn merge_pairs(rows: PairRows) {
    let PairRows { x, y, u, v, roots, count } = rows;
    let [root_re, root_im] = roots.map(<*const u64>::cast_mut);
    let arguments: [*mut SoftF64; 10] =
        [y[0], y[1], root_re.cast(), root_im.cast(), x[0], u[0], v[0], x[1], u[1], v[1]];
    // SAFETY: the caller guarantees that the rows and the root table have `count` numbers.
    unsafe { merge_pairs_asm(&arguments, count) }
}

/// Computes `(u, v) = ((x + y) / 2^k, (x - y) conj(w) / 2^k)` for all pairs. `w` is the root, and
/// `k` is `halvings`.
///
/// # Safety
/// The rows and the root table must have `count` numbers.
unsafe fn split_pairs(rows: PairRows, halvings: usize) {
    let PairRows { x, y, u, v, roots, count } = rows;
    let [root_re, root_im] = roots.map(<*const u64>::cast_mut);
    let arguments: [*mut SoftF64; 10] =
        [x[0], y[0], u[0], x[1], y[1], u[1], root_re.cast(), root_im.cast(), v[0], v[1]];
    // SAFETY: the caller guarantees that the rows and the root table have `count` numbers.
    unsafe { split_pairs_asm(&arguments, count, halvings) }
}

/// Computes two layers for [`RealRows::merge_two_rows`](crate::simd::RealRows::merge_two_rows) or
/// [`RealRows::split_two_rows`](crate::simd::RealRows::split_two_rows).
#[inline(never)]
pub fn two_layers(direction: LayerDirection, quarter: usize, values: [&mut [SoftF64]; 2], roots: [&[u64]; 2]) {
    let [re, im] = values;
    assert!(quarter > 0 && im.len() == re.len() && re.len().is_multiple_of(4 * quarter));
    assert!(roots[0].len() >= 4 * quarter && roots[1].len() >= 4 * quarter);
    let halves = match direction {
        LayerDirection::Forward => [quarter, 2 * quarter],
        LayerDirection::Inverse => [2 * quarter, quarter],
    };
    for half in halves {
        for (re, im) in re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half)) {
            let (x_re, y_re) = re.split_at_mut(half);
            let (x_im, y_im) = im.split_at_mut(half);
            let x = [x_re.as_mut_ptr(), x_im.as_mut_ptr()];
            let y = [y_re.as_mut_ptr(), y_im.as_mut_ptr()];
            let roots = [roots[0][half..].as_ptr(), roots[1][half..].as_ptr()];
            let rows = PairRows { x, y, u: x, v: y, roots, count: half };
            // SAFETY: the rows have `half` numbers, and the table has at least `2 half` numbers.
            unsafe {
                match direction {
                    LayerDirection::Forward => merge_pairs(rows),
                    LayerDirection::Inverse => split_pairs(rows, 0),
                }
            }
        }
    }
}

/// Returns the addresses of the two halves of a row with `4 quarter` values. A half contains
/// complex numbers: first all real parts, then all imaginary parts.
fn polynomial_halves(row: *mut SoftF64, quarter: usize) -> [ComplexAddress; 2] {
    // The four addresses are in the row, so they do not wrap.
    let part = |at: usize| row.wrapping_add(at * quarter);
    [[part(0), part(1)], [part(2), part(3)]]
}

/// Returns the addresses of the lower and the upper half of the complex numbers in a row with
/// `4 quarter` values. The row contains first all real parts, then all imaginary parts.
fn value_halves(row: *mut SoftF64, quarter: usize) -> [ComplexAddress; 2] {
    let [[low_re, high_re], [low_im, high_im]] = polynomial_halves(row, quarter);
    [[low_re, low_im], [high_re, high_im]]
}

/// Checks that two rows have `4 quarter` values and that the root table has `quarter` values.
fn check_lengths(quarter: usize, [row, other]: [&[SoftF64]; 2], [re, im]: [&[u64]; 2]) {
    assert!(quarter > 0 && row.len() == 4 * quarter && other.len() == row.len());
    assert!(re.len() >= quarter && im.len() >= quarter);
}

/// Computes [`RealRows::split_row`](crate::simd::RealRows::split_row).
#[inline(never)]
pub fn split_row(t: &[SoftF64], f: &mut [SoftF64], roots: [&[u64]; 2]) {
    let quarter = t.len() / 4;
    check_lengths(quarter, [t, f], roots);
    let [x, y] = value_halves(t.as_ptr().cast_mut(), quarter);
    let [u, v] = polynomial_halves(f.as_mut_ptr(), quarter);
    let roots = [roots[0].as_ptr(), roots[1].as_ptr()];
    // SAFETY: the lengths were checked, and the function does not write to `x` and `y`.
    unsafe { split_pairs(PairRows { x, y, u, v, roots, count: quarter }, 1) }
}

/// Computes [`RealRows::merge_row`](crate::simd::RealRows::merge_row).
#[inline(never)]
pub fn merge_row(f: &[SoftF64], t: &mut [SoftF64], roots: [&[u64]; 2]) {
    let quarter = t.len() / 4;
    check_lengths(quarter, [f, t], roots);
    let [x, y] = polynomial_halves(f.as_ptr().cast_mut(), quarter);
    let [u, v] = value_halves(t.as_mut_ptr(), quarter);
    let roots = [roots[0].as_ptr(), roots[1].as_ptr()];
    // SAFETY: the lengths were checked, and the function does not write to `x` and `y`.
    unsafe { merge_pairs(PairRows { x, y, u, v, roots, count: quarter }) }
}

/// Computes [`RealRows::left_targets_row`](crate::simd::RealRows::left_targets_row): merges `w` in
/// place, computes the targets, and splits them in place.
#[inline(never)]
pub fn left_targets(w: &mut [SoftF64], l10: &[SoftF64], t0: &[SoftF64], t1: &mut [SoftF64], roots: [&[u64]; 2]) {
    let quarter = w.len() / 4;
    check_lengths(quarter, [w, t1], roots);
    check_lengths(quarter, [l10, t0], roots);
    let halves @ [x, y] = polynomial_halves(w.as_mut_ptr(), quarter);
    let roots = [roots[0].as_ptr(), roots[1].as_ptr()];
    let rows = PairRows { x, y, u: x, v: y, roots, count: quarter };
    let [l10, t0] = [l10, t0].map(|row| value_halves(row.as_ptr().cast_mut(), quarter));
    let t1 = value_halves(t1.as_mut_ptr(), quarter);
    // SAFETY: the lengths were checked, and `targets_asm` does not write to `l10` and `t0`.
    unsafe {
        merge_pairs(rows);
        for half in 0..2 {
            let [w_re, w_im] = halves[half];
            let [t1_re, t1_im] = t1[half];
            let [l10_re, l10_im] = l10[half];
            let [t0_re, t0_im] = t0[half];
            targets_asm(&[w_re, t1_re, w_im, t1_im, l10_re, l10_im, t0_re, t0_im], quarter);
        }
        split_pairs(rows, 1);
    }
}

/// Unpacks the number in r0:r1. Then r0:r1 contains its significand at bits 63 to 11, or 0 if the
/// number is zero. r10 contains the sign at bit 11, and the exponent field minus 992 below bit 11.
/// Changes r9.
macro_rules! unpack {
    () => {
        lines!(
            "ubfx r9, r1, #20, #11",
            "usat r9, #1, r9",
            "lsr r10, r1, #20",
            "sub r10, r10, #992",
            "bfi r1, r9, #20, #12",
            "lsl r1, r1, #11",
            "orr r1, r1, r0, lsr #21",
            "lsl r0, r0, #11",
        )
    };
}

/// Multiplies the number that is [unpacked](unpack!) in r0:r1 and r10 by a root with the
/// significand in `$low:$high`. `$top` is r8, rotated if necessary so that its lowest 12 bits
/// contain the root's sign and exponent field. The result is in r2:r3. Changes r9, r11, r12 and lr.
///
/// The computation is the same as in `real::product`, but the exponent field of the result is too
/// large by 32. The exponent field of a root is between 992 and 1023. So if the number is zero, the
/// result has a fraction of zero and an exponent field from 0 to 63. So [`sum_in_registers`] adds
/// the result as a zero. Signs and exponents are added in the same word.
macro_rules! times_unpacked_root {
    ($low:literal, $high:literal, $top:literal) => {
        lines!(
            concat!("umull r2, r3, r0, ", $low),
            concat!("umull r9, r11, r1, ", $low),
            concat!("umaal r3, r9, r0, ", $high),
            concat!("umaal r9, r11, r1, ", $high),
            "orr r3, r3, r2, lsr #11",
            concat!("uxtah r12, r10, ", $top),
            "lsr r2, r11, #20",
            "add r12, r12, r2",
            "rsb r2, r2, #2",
            "mul r11, r11, r2",
            "umull r3, lr, r3, r2",
            "umlal lr, r11, r9, r2",
            "lsrs r2, lr, #1",
            "sbcs r3, r3, #0x80000000",
            "adcs r2, lr, #0",
            "adc r3, r11, r12, lsl #20",
        )
    };
}

/// Multiplies a complex number by a root. The number's real part is in r0:r1, and its imaginary
/// part is in r2:r3. The root's real part is in r4:r5, and its imaginary part is in r6:r7. A root's
/// parts are not zero, and their magnitudes are between `2^-31` and 1. The product is in r0:r1 and
/// r2:r3. Changes r4 to r12.
#[unsafe(naked)]
unsafe extern "C" fn times_root() {
    naked_asm!(
        cpu_directive!(),
        // Let x be the real part, y the imaginary part, and w the root. Keep y on the stack.
        "push {{r2, r3, lr}}",
        // r4:r5 and r6:r7: the root's significands, at bits 52 to 0. The lower half of r8
        // contains the real part's sign and exponent. The upper half contains the
        // imaginary part's sign and exponent.
        "lsr r8, r5, #20",
        "lsr r9, r7, #20",
        "pkhbt r8, r8, r9, lsl #16",
        "bfc r5, #20, #12",
        "orr r5, r5, #0x100000",
        "bfc r7, #20, #12",
        "orr r7, r7, #0x100000",
        unpack!(),
        times_unpacked_root!("r4", "r5", "r8"),
        "push {{r2, r3}}",
        times_unpacked_root!("r6", "r7", "r8, ror #16"),
        "push {{r2, r3}}",
        "ldrd r0, r1, [sp, #16]",
        unpack!(),
        times_unpacked_root!("r6", "r7", "r8, ror #16"),
        "strd r2, r3, [sp, #16]",
        times_unpacked_root!("r4", "r5", "r8"),
        // The products are in this order on the stack: `x im(w)`, `x re(w)`, `y im(w)`. The product
        // `y re(w)` is in r2:r3. The exponent fields of all products are too large by 32, so the
        // sums subtract r11, which is 32, from their exponent fields.
        "pop {{r0, r1}}",
        "mov r11, #32",
        "bl {sum_in_registers}",
        "ldrd r2, r3, [sp, #8]",
        "strd r0, r1, [sp, #8]",
        "pop {{r0, r1}}",
        "eor r3, r3, #0x80000000",
        "bl {sum_in_registers}",
        "pop {{r2, r3, pc}}",
        sum_in_registers = sym sum_in_registers,
    )
}

/// Computes [`merge_pairs`]. `rows` contains these addresses of real parts (re) and imaginary parts
/// (im), in this order, with the roots w: `y.re`, `y.im`, `w.re`, `w.im`, `x.re`, `u.re`, `v.re`,
/// `x.im`, `u.im`, `v.im`.
#[unsafe(naked)]
unsafe extern "C" fn merge_pairs_asm(rows: &[*mut SoftF64; 10], count: usize) {
    naked_asm!(
        cpu_directive!(),
        "push {{r4-r11, lr}}",
        "mov r11, r1",
        "ldm r0, {{r1-r10}}",
        "push {{r1-r11}}",
        "2:",
        "ldm sp, {{r8, r9, r10, r12}}",
        "ldm r8!, {{r0, r1}}",
        "ldm r9!, {{r2, r3}}",
        "ldm r10!, {{r4, r5}}",
        "ldm r12!, {{r6, r7}}",
        "stm sp, {{r8, r9, r10, r12}}",
        "bl {times_root}",
        // Merge the real parts.
        "push {{r2, r3}}",
        "mov r2, r0",
        "mov r3, r1",
        "ldr r4, [sp, #24]",
        "ldrd r0, r1, [r4]",
        "mov r12, #0",
        "bl {sum_and_difference}",
        "add r12, sp, #24",
        "ldm r12, {{r8, r9, r10}}",
        "add r8, r8, #8",
        "stm r9!, {{r0, r1}}",
        "stm r10!, {{r2, r3}}",
        "stm r12, {{r8, r9, r10}}",
        // Merge the imaginary parts.
        "pop {{r2, r3}}",
        "ldr r4, [sp, #28]",
        "ldrd r0, r1, [r4]",
        "mov r12, #0",
        "bl {sum_and_difference}",
        "add r12, sp, #28",
        "ldm r12, {{r8, r9, r10, r11}}",
        "add r8, r8, #8",
        "stm r9!, {{r0, r1}}",
        "stm r10!, {{r2, r3}}",
        "subs r11, r11, #1",
        "stm r12, {{r8, r9, r10, r11}}",
        "bne 2b",
        "add sp, sp, #44",
        "pop {{r4-r11, pc}}",
        times_root = sym times_root,
        sum_and_difference = sym sum_and_difference_in_registers,
    )
}

/// Computes [`split_pairs`]. `rows` contains these addresses of real parts (re) and imaginary parts
/// (im), in this order, with the roots w: `x.re`, `y.re`, `u.re`, `x.im`, `y.im`, `u.im`, `w.re`,
/// `w.im`, `v.re`, `v.im`.
#[unsafe(naked)]
unsafe extern "C" fn split_pairs_asm(rows: &[*mut SoftF64; 10], count: usize, halvings: usize) {
    naked_asm!(
        cpu_directive!(),
        "push {{r2, r4-r11, lr}}",
        "mov r11, r1",
        "ldm r0, {{r1-r10}}",
        "push {{r1-r11}}",
        "2:",
        "ldm sp, {{r8, r9}}",
        "ldm r8!, {{r0, r1}}",
        "ldm r9!, {{r2, r3}}",
        "stm sp, {{r8, r9}}",
        "ldr r12, [sp, #44]",
        "bl {sum_and_difference}",
        "ldr r8, [sp, #8]",
        "stm r8!, {{r0, r1}}",
        "str r8, [sp, #8]",
        // Keep the real part of the difference on the stack.
        "push {{r2, r3}}",
        "add r12, sp, #20",
        "ldm r12, {{r8, r9}}",
        "ldm r8!, {{r0, r1}}",
        "ldm r9!, {{r2, r3}}",
        "stm r12, {{r8, r9}}",
        "ldr r12, [sp, #52]",
        "bl {sum_and_difference}",
        "add r12, sp, #28",
        "ldm r12, {{r8, r9, r10}}",
        "stm r8!, {{r0, r1}}",
        "ldm r9!, {{r4, r5}}",
        "ldm r10!, {{r6, r7}}",
        "stm r12, {{r8, r9, r10}}",
        "pop {{r0, r1}}",
        "eor r7, r7, #0x80000000",
        "bl {times_root}",
        "add r12, sp, #32",
        "ldm r12, {{r8, r9, r11}}",
        "stm r8!, {{r0, r1}}",
        "stm r9!, {{r2, r3}}",
        "subs r11, r11, #1",
        "stm r12, {{r8, r9, r11}}",
        "bne 2b",
        "add sp, sp, #44",
        "pop {{r2, r4-r11, pc}}",
        times_root = sym times_root,
        sum_and_difference = sym sum_and_difference_in_registers,
    )
}

/// Computes `t0 + (t1 - z) l10` for each number z in w, writes z to t1, and writes the result to w.
/// `rows` contains the addresses of the rows' real parts (re) and imaginary parts (im), in this
/// order: `w.re`, `t1.re`, `w.im`, `t1.im`, `l10.re`, `l10.im`, `t0.re`, `t0.im`.
#[unsafe(naked)]
unsafe extern "C" fn targets_asm(rows: &[*mut SoftF64; 8], count: usize) {
    naked_asm!(
        cpu_directive!(),
        "push {{r1, r4-r11, lr}}",
        "ldm r0, {{r1-r8}}",
        "push {{r1-r8}}",
        // `sum_in_registers` subtracts r11 from the sum's exponent field. With 0, the sum is not
        // divided.
        "mov r11, #0",
        "2:",
        // Compute `t1 - z`. Push its real part, and then its imaginary part.
        "ldm sp, {{r8, r9}}",
        "ldm r8, {{r2, r3}}",
        "ldm r9, {{r0, r1}}",
        "stm r9!, {{r2, r3}}",
        "str r9, [sp, #4]",
        "eor r3, r3, #0x80000000",
        "bl {sum}",
        "push {{r0, r1}}",
        "ldrd r8, r9, [sp, #16]",
        "ldm r8, {{r2, r3}}",
        "ldm r9, {{r0, r1}}",
        "stm r9!, {{r2, r3}}",
        "str r9, [sp, #20]",
        "eor r3, r3, #0x80000000",
        "bl {sum}",
        "push {{r0, r1}}",
        // Below the difference, the stack contains l10, the imaginary part above the real part.
        "ldrd r8, r9, [sp, #32]",
        "ldm r8!, {{r0, r1}}",
        "ldm r9!, {{r2, r3}}",
        "strd r8, r9, [sp, #32]",
        "push {{r0-r3}}",
        // The real part.
        "ldrd r2, r3, [sp, #24]",
        "bl {product}",
        "push {{r0, r1}}",
        "add r12, sp, #16",
        "ldm r12, {{r0-r3}}",
        "bl {product}",
        "eor r1, r1, #0x80000000",
        "pop {{r2, r3}}",
        "bl {sum}",
        "ldr r8, [sp, #56]",
        "ldm r8!, {{r2, r3}}",
        "str r8, [sp, #56]",
        "bl {sum}",
        "ldr r8, [sp, #32]",
        "stm r8!, {{r0, r1}}",
        "str r8, [sp, #32]",
        // The imaginary part.
        "ldrd r0, r1, [sp, #8]",
        "ldrd r2, r3, [sp, #24]",
        "bl {product}",
        "mov r9, r0",
        "mov r10, r1",
        "ldm sp!, {{r0, r1}}",
        "ldrd r2, r3, [sp, #8]",
        "add sp, sp, #24",
        "bl {product}",
        "mov r2, r9",
        "mov r3, r10",
        "bl {sum}",
        "ldr r8, [sp, #28]",
        "ldm r8!, {{r2, r3}}",
        "str r8, [sp, #28]",
        "bl {sum}",
        "ldr r8, [sp, #8]",
        "stm r8!, {{r0, r1}}",
        "str r8, [sp, #8]",
        "ldr r8, [sp, #32]",
        "subs r8, r8, #1",
        "str r8, [sp, #32]",
        "bne 2b",
        "add sp, sp, #32",
        "pop {{r1, r4-r11, pc}}",
        sum = sym sum_in_registers,
        product = sym product_in_registers,
    )
}
