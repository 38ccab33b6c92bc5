//! Transforms and products for rows modulo q = 8380417, in assembly. A word contains one number.
//! Other files in this folder use the macros `row!`, `times!`, `product!` and `sum_below!`.
//!
//! A product with a root takes three instructions (Montgomery multiplication with signed numbers).
//! For any signed 32-bit `y` and a root `w` in `[0, q)`, in Montgomery form, the product is
//! `(y w + t q) / 2^32` with `t = -y w / q mod 2^32`, signed. Its magnitude is at most
//! `|y| q / 2^32 + q / 2`. This is at most q, and at most `0.6 q` if `|y|` is at most `50 q`. The
//! values, in units of q, are in these ranges:
//!
//! | forward, `(x + w y, x - w y)` | range |
//! |---|---|
//! | input | `(-1, 2)` |
//! | after n layers | `(-1 - 0.6 n, 2 + 0.6 n)` |
//! | output after at most 8 layers, after the addition of `8 q` | `(2.2, 14.8)` |
//!
//! | backward, `(x + y, w (y - x))` | range |
//! |---|---|
//! | input, after the subtraction of q | `[-1, 1)` |
//! | after n layers | `[-2^n, 2^n]`; `2^8 q` is below `2^31` |
//! | output, after a product with a constant | `(-1, 1)`, then reduced to `[0, 1)` |
//!
//! Both transforms use the table of roots for the forward transform. The backward transform reads
//! this table from the end. In this order, the table contains the negated inverse roots, so the
//! backward transform uses `y - x` instead of `x - y`.

use super::DEGREE;
use super::{fold, rounding, sparse};
use crate::simd::ShortRow;
use core::arch::naked_asm;

/// Applies an operation to a row, for [`U32s::short_row`](crate::simd::U32s::short_row).
#[inline(always)]
pub fn row(a: &mut [u32], row: ShortRow<'_>) {
    match row {
        ShortRow::Forward { roots, first } => forward(a, roots, first),
        ShortRow::Backward { roots, scale } => backward(a, roots, scale),
        ShortRow::Times(b) => {
            assert!(!a.is_empty() && a.len().is_multiple_of(2) && b.len() >= a.len());
            // SAFETY: the feature `armv7e-m` guarantees the instructions; both rows have at least
            // `a.len()` numbers.
            unsafe { multiply(a.as_mut_ptr(), b.as_ptr(), a.len()) }
        }
        ShortRow::AddTimes(b, c) => {
            assert!(!a.is_empty() && a.len().is_multiple_of(2) && b.len() >= a.len() && c.len() >= a.len());
            // SAFETY: the feature `armv7e-m` guarantees the instructions; all three rows have at
            // least `a.len()` numbers.
            unsafe { multiply_add(a.as_mut_ptr(), b.as_ptr(), c.as_ptr(), a.len()) }
        }
        ShortRow::SumTimes(b, c) => {
            assert!(a.len() == DEGREE && b.len() == c.len() && b.len().is_multiple_of(DEGREE));
            let range = a.as_mut_ptr_range();
            // SAFETY: the feature `armv7e-m` guarantees the instructions; both rows have as many
            // parts as the function reads.
            unsafe {
                match b.len() / DEGREE {
                    4 => sum_of_4_products(range.start, b.as_ptr(), c.as_ptr(), range.end),
                    5 => sum_of_5_products(range.start, b.as_ptr(), c.as_ptr(), range.end),
                    7 => sum_of_7_products(range.start, b.as_ptr(), c.as_ptr(), range.end),
                    _ => unreachable!("no matrix has this number of columns"),
                }
            }
        }
        ShortRow::Decompose { gamma2 } => rounding::decompose(a, gamma2),
        ShortRow::AddBytes { src, first, places, positive } => sparse::add_bytes(a, src, first, places, positive),
        ShortRow::AddHalfwords { src, first, places, positive } => {
            sparse::add_halfwords(a, src, first, places, positive);
        }
        ShortRow::FoldHalf { fields, largest, root } => fold::half(a, fields, largest, root),
        ShortRow::FoldSignedQuarter { fields, largest, root } => fold::signed_quarter(a, fields, largest, root),
        ShortRow::FoldQuarter { fields, root } => fold::quarter(a, fields, root),
    }
}

/// Transforms `a` forward, with two layers at a time. If the number of layers is odd, the last
/// layer is computed alone. [`ShortRow::Forward`] describes the ranges.
#[inline(never)]
fn forward(a: &mut [u32], roots: &[u32], first: usize) {
    let len = a.len();
    assert!(matches!(len, 64 | 128 | 256) && first > 0 && roots.len() >= (first + 1) * len / 2);
    let range = a.as_mut_ptr_range();
    // A layer with `k` blocks uses the `k` roots that start at index `first * k`.
    let mut blocks = 1;
    let mut quarter = len / 4;
    // SAFETY: the feature `armv7e-m` guarantees the instructions; the row has `blocks` blocks, and
    // the table has the roots of both layers.
    unsafe {
        while quarter > 1 {
            let roots = roots.as_ptr().add(first * blocks);
            forward_two(range.start, 4 * quarter, roots, roots.add(first * blocks), range.end);
            blocks *= 4;
            quarter /= 4;
        }
        let roots = roots.as_ptr().add(first * blocks);
        if quarter == 1 {
            forward_last_two(range.start, roots.add(first * blocks), roots, range.end);
        } else {
            forward_last(range.start, roots, range.end);
        }
    }
}

/// Transforms `a` backward, with two layers at a time. [`ShortRow::Backward`] describes the ranges.
#[inline(never)]
fn backward(a: &mut [u32], roots: &[u32], scale: u32) {
    assert!(a.len() == DEGREE && roots.len() >= DEGREE);
    let range = a.as_mut_ptr_range();
    // SAFETY: the feature `armv7e-m` guarantees the instructions. For `blocks` blocks, the layer
    // with the longer distance uses the roots before index `2 blocks`, in descending order. The
    // layer with the shorter distance uses the roots before `4 blocks`.
    unsafe {
        let mut blocks = DEGREE / 4;
        backward_first_two(
            range.start,
            roots.as_ptr().add(4 * blocks - 2),
            roots.as_ptr().add(2 * blocks - 1),
            range.end,
        );
        while blocks > 4 {
            blocks /= 4;
            let longer = roots.as_ptr().add(2 * blocks - 1);
            let shorter = roots.as_ptr().add(4 * blocks - 2);
            backward_two(range.start, DEGREE / blocks, longer, shorter, range.end);
        }
        backward_last_two(range.start, roots.as_ptr(), scale, range.start.add(DEGREE / 4));
    }
}

/// Replaces register `y` by its product with the root in register `w`. Changes r3 and lr.
macro_rules! times {
    ($y:literal, $w:literal) => {
        lines!(
            concat!("smull r3, ", $y, ", ", $y, ", ", $w),
            "mul lr, r3, r12",
            concat!("smlal r3, ", $y, ", lr, r11"),
        )
    };
}

/// Computes `(x, y) = (x + w y, x - w y)`.
macro_rules! forward_butterfly {
    ($x:literal, $y:literal, $w:literal) => {
        lines!(
            times!($y, $w),
            concat!("add ", $x, ", ", $x, ", ", $y),
            concat!("sub ", $y, ", ", $x, ", ", $y, ", lsl #1"),
        )
    };
}

/// Computes `(x, y) = (x + y, w (y - x))`.
macro_rules! inverse_butterfly {
    ($x:literal, $y:literal, $w:literal) => {
        lines!(
            concat!("sub ", $y, ", ", $y, ", ", $x),
            concat!("add ", $x, ", ", $y, ", ", $x, ", lsl #1"),
            times!($y, $w),
        )
    };
}

/// Applies an instruction to r4, r5, r6 and r7. The register is the first and the second operand,
/// and `$operand` is the third.
macro_rules! for_each_of_four {
    ($instruction:literal, $operand:literal) => {
        lines!(
            concat!($instruction, " r4, r4, ", $operand),
            concat!($instruction, " r5, r5, ", $operand),
            concat!($instruction, " r6, r6, ", $operand),
            concat!($instruction, " r7, r7, ", $operand),
        )
    };
}

/// Defines an assembly function. When the given lines start, q is in r11, and `-1/q mod 2^32` is in
/// r12. The lines can change all registers except for the stack pointer.
macro_rules! row {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $t:ty),* $(,)?) $(-> $out:ty)?; $($line:expr),+ $(,)?) => {
        $(#[$doc])*
        #[unsafe(naked)]
        unsafe extern "C" fn $name($($arg: $t),*) $(-> $out)? {
            naked_asm!(
                cpu_directive!(),
                "push {{r4-r11, lr}}",
                "movw r11, #{q_low}",
                "movt r11, #{q_high}",
                "movw r12, #{inverse_low}",
                "movt r12, #{inverse_high}",
                $($line,)+
                "pop {{r4-r11, pc}}",
                q_low = const $crate::simd::armv7e_m::Q & 0xffff,
                q_high = const $crate::simd::armv7e_m::Q >> 16,
                inverse_low = const $crate::simd::armv7e_m::Q_INV & 0xffff,
                inverse_high = const $crate::simd::armv7e_m::Q_INV >> 16,
            )
        }
    };
}

/// Defines a function for two layers. A block has four quarters with `bytes` bytes each. `longer`
/// is the address of the first root for the longer distance, and `shorter` is the address of the
/// first two roots for the shorter distance. The parameters are instructions:
///
/// - `$roots` runs for each block. It loads the root for the longer distance from address r2 to r8,
///   and the two roots for the shorter distance from address r3 to r9 and r10. It also advances
///   both addresses.
/// - `$line` computes on r4 to r7, which contain a number of each quarter.
macro_rules! two_layers {
    ($(#[$doc:meta])* $name:ident: $roots:expr; $($line:expr),+ $(,)?) => {
        row! {
            $(#[$doc])*
            fn $name(a: *mut u32, bytes: usize, longer: *const u32, shorter: *const u32, end: *const u32);
            // The stack contains, from its top: the root addresses from r2 and r3, the end of the
            // current quarter, a word that is not used, the nine saved registers, and the argument
            // `end`.
            "push {{r2-r5}}",
            "2:",
            "ldrd r2, r3, [sp]",
            $roots,
            "strd r2, r3, [sp]",
            "add r2, r0, r1",
            "str r2, [sp, #8]",
            "add r2, r2, r1",
            "3:",
            "ldr r4, [r0]",
            "ldr r5, [r0, r1]",
            "ldr r6, [r2]",
            "ldr r7, [r2, r1]",
            $($line,)+
            "str r5, [r0, r1]",
            "str r4, [r0], #4",
            "str r7, [r2, r1]",
            "str r6, [r2], #4",
            "ldr r3, [sp, #8]",
            "cmp r0, r3",
            "bne 3b",
            "add r0, r2, r1",
            "ldr r3, [sp, #52]",
            "cmp r0, r3",
            "bne 2b",
            "add sp, sp, #16",
        }
    };
}

two_layers! {
    /// Computes two forward layers.
    forward_two: lines!("ldr r8, [r2], #4", "ldrd r9, r10, [r3], #8");
    forward_butterfly!("r4", "r6", "r8"),
    forward_butterfly!("r5", "r7", "r8"),
    forward_butterfly!("r4", "r5", "r9"),
    forward_butterfly!("r6", "r7", "r10"),
}

two_layers! {
    /// Computes two backward layers.
    backward_two: lines!("ldr r8, [r2], #-4", "ldrd r10, r9, [r3], #-8");
    inverse_butterfly!("r4", "r5", "r9"),
    inverse_butterfly!("r6", "r7", "r10"),
    inverse_butterfly!("r4", "r6", "r8"),
    inverse_butterfly!("r5", "r7", "r8"),
}

row! {
    /// Computes the last two forward layers, and adds `8 q`, which makes the results positive. The
    /// distances are 2 and 1.
    fn forward_last_two(a: *mut u32, shorter: *const u32, longer: *const u32, end: *const u32);
    "push {{r3, r4}}",
    "2:",
    "ldr r8, [r2], #4",
    "ldrd r9, r10, [r1], #8",
    "ldm r0, {{r4-r7}}",
    forward_butterfly!("r4", "r6", "r8"),
    forward_butterfly!("r5", "r7", "r8"),
    forward_butterfly!("r4", "r5", "r9"),
    forward_butterfly!("r6", "r7", "r10"),
    for_each_of_four!("add", "r11, lsl #3"),
    "stm r0!, {{r4-r7}}",
    "ldr r3, [sp]",
    "cmp r0, r3",
    "bne 2b",
    "add sp, sp, #8",
}

row! {
    /// Computes the last forward layer, and adds `8 q`, which makes the results positive. The
    /// distance is 1.
    fn forward_last(a: *mut u32, roots: *const u32, end: *const u32);
    "2:",
    "ldrd r8, r9, [r1], #8",
    "ldm r0, {{r4-r7}}",
    forward_butterfly!("r4", "r5", "r8"),
    forward_butterfly!("r6", "r7", "r9"),
    for_each_of_four!("add", "r11, lsl #3"),
    "stm r0!, {{r4-r7}}",
    "cmp r0, r2",
    "bne 2b",
}

row! {
    /// Subtracts q from all numbers, and computes the first two backward layers. The distances are
    /// 1 and 2.
    fn backward_first_two(a: *mut u32, shorter: *const u32, longer: *const u32, end: *const u32);
    "push {{r3, r4}}",
    "2:",
    "ldr r8, [r2], #-4",
    "ldrd r10, r9, [r1], #-8",
    "ldm r0, {{r4-r7}}",
    for_each_of_four!("sub", "r11"),
    inverse_butterfly!("r4", "r5", "r9"),
    inverse_butterfly!("r6", "r7", "r10"),
    inverse_butterfly!("r4", "r6", "r8"),
    inverse_butterfly!("r5", "r7", "r8"),
    "stm r0!, {{r4-r7}}",
    "ldr r3, [sp]",
    "cmp r0, r3",
    "bne 2b",
    "add sp, sp, #8",
}

/// Reduces `x` from `-q < x < q` to `[0, q)`. Changes r3.
macro_rules! canonical {
    ($x:literal) => {
        lines!(concat!("and r3, r11, ", $x, ", asr #31"), concat!("add ", $x, ", ", $x, ", r3"))
    };
}

row! {
    /// Computes the last two backward layers, and multiplies all numbers by `scale`, which is in
    /// Montgomery form. The distances are 64 and 128, and `end` is the address after the first 64
    /// numbers. The results are in `[0, q)`.
    fn backward_last_two(a: *mut u32, roots: *const u32, scale: u32, end: *const u32);
    "ldr r8, [r1, #4]",
    "ldrd r10, r9, [r1, #8]",
    "mov r1, r3",
    // In the last layer, multiply the differences by `root * scale`, so that they need only one
    // product.
    times!("r8", "r2"),
    "2:",
    "ldr r4, [r0]",
    "ldr r5, [r0, #256]",
    "ldr r6, [r0, #512]",
    "ldr r7, [r0, #768]",
    inverse_butterfly!("r4", "r5", "r9"),
    inverse_butterfly!("r6", "r7", "r10"),
    inverse_butterfly!("r4", "r6", "r8"),
    inverse_butterfly!("r5", "r7", "r8"),
    times!("r4", "r2"),
    times!("r5", "r2"),
    canonical!("r4"),
    canonical!("r5"),
    canonical!("r6"),
    canonical!("r7"),
    "str r5, [r0, #256]",
    "str r6, [r0, #512]",
    "str r7, [r0, #768]",
    "str r4, [r0], #4",
    "cmp r0, r1",
    "bne 2b",
}

/// Sets `y` to the Montgomery product `x y / 2^32` of unsigned numbers. Before the division, the
/// code adds a multiple of q to the product, so that the low word is zero. Changes `x` and lr.
macro_rules! product {
    ($x:literal, $y:literal) => {
        lines!(
            concat!("umull ", $x, ", ", $y, ", ", $x, ", ", $y),
            concat!("mul lr, ", $x, ", r12"),
            concat!("umlal ", $x, ", ", $y, ", lr, r11"),
        )
    };
}

row! {
    /// Computes the products `a b / 2^32`. The results are below `2q`.
    fn multiply(a: *mut u32, b: *const u32, count: usize);
    "2:",
    "ldrd r6, r7, [r1], #8",
    "ldrd r8, r9, [r0]",
    product!("r6", "r8"),
    product!("r7", "r9"),
    "strd r8, r9, [r0], #8",
    "subs r2, r2, #2",
    "bne 2b",
}

/// Adds `z` to `x`, and subtracts `2q` if the sum is at least `2q`. r10 contains `2q`. Changes lr.
macro_rules! sum_below {
    ($x:literal, $z:literal) => {
        lines!(
            concat!("add ", $x, ", ", $x, ", ", $z),
            concat!("sub ", $x, ", ", $x, ", r10"),
            concat!("and lr, r10, ", $x, ", asr #31"),
            concat!("add ", $x, ", ", $x, ", lr"),
        )
    };
}

row! {
    /// Adds the products `a b / 2^32` to `sum`. Range: the numbers in `sum` are below `2q`, before
    /// and after the call.
    fn multiply_add(sum: *mut u32, a: *const u32, b: *const u32, count: usize);
    "lsl r10, r11, #1",
    "2:",
    "ldrd r6, r7, [r1], #8",
    "ldrd r8, r9, [r2], #8",
    "ldrd r4, r5, [r0]",
    product!("r6", "r8"),
    product!("r7", "r9"),
    sum_below!("r4", "r8"),
    sum_below!("r5", "r9"),
    "strd r4, r5, [r0], #8",
    "subs r3, r3, #2",
    "bne 2b",
}

/// Multiplies the next four numbers in a part of the first row by the numbers in this part of the
/// second row, and adds the products to the four sums in r4 to r11. If `$operation` is `umull`, the
/// products replace the sums. r1 and r2 are the addresses in the two rows, and advance by `8 +
/// $step` bytes. Changes r0, r3, r12 and lr.
macro_rules! add_four_products {
    ($operation:literal, $step:literal) => {
        lines!(
            "ldrd r0, r3, [r1], #8",
            "ldrd r12, lr, [r2], #8",
            concat!($operation, " r4, r5, r0, r12"),
            concat!($operation, " r6, r7, r3, lr"),
            concat!("ldrd r0, r3, [r1], #", $step),
            concat!("ldrd r12, lr, [r2], #", $step),
            concat!($operation, " r8, r9, r0, r12"),
            concat!($operation, " r10, r11, r3, lr"),
        )
    };
}

/// Divides a sum by `2^32` modulo q: adds a multiple of q, so that the low word is zero. The result
/// is the high word. r0 contains q, and r3 contains `-1/q mod 2^32`. Changes r12.
macro_rules! divide_sum {
    ($low:literal, $high:literal) => {
        lines!(concat!("mul r12, ", $low, ", r3"), concat!("umlal ", $low, ", ", $high, ", r12, r0"))
    };
}

/// Defines a function for sums of products. `$back` is the length in bytes of all parts except the
/// last part. The given lines process these parts. The function then processes the last part, and
/// moves both addresses back by `$back`.
macro_rules! sum_of_products {
    ($(#[$doc:meta])* $name:ident, $back:literal; $($line:expr),+ $(,)?) => {
        row! {
            $(#[$doc])*
            fn $name(sums: *mut u32, a: *const u32, b: *const u32, end: *const u32);
            // The stack contains the address of the next sum, the end, q, and `-1/q mod 2^32`.
            "push {{r0, r3, r11, r12}}",
            "2:",
            $($line,)+
            add_four_products!("umlal", "8"),
            concat!("sub r1, r1, #", $back),
            concat!("sub r2, r2, #", $back),
            "ldrd r0, r3, [sp, #8]",
            divide_sum!("r4", "r5"),
            divide_sum!("r6", "r7"),
            divide_sum!("r8", "r9"),
            divide_sum!("r10", "r11"),
            "ldrd r0, r3, [sp]",
            "stm r0!, {{r5, r7, r9, r11}}",
            "str r0, [sp]",
            "cmp r0, r3",
            "bne 2b",
            "add sp, sp, #16",
        }
    };
}

sum_of_products! {
    /// Computes sums of four products.
    sum_of_4_products, "3072";
    add_four_products!("umull", "1016"),
    add_four_products!("umlal", "1016"),
    add_four_products!("umlal", "1016"),
}

sum_of_products! {
    /// Computes sums of five products.
    sum_of_5_products, "4096";
    add_four_products!("umull", "1016"),
    add_four_products!("umlal", "1016"),
    add_four_products!("umlal", "1016"),
    add_four_products!("umlal", "1016"),
}

sum_of_products! {
    /// Computes sums of seven products.
    sum_of_7_products, "6144";
    add_four_products!("umull", "1016"),
    add_four_products!("umlal", "1016"),
    add_four_products!("umlal", "1016"),
    add_four_products!("umlal", "1016"),
    add_four_products!("umlal", "1016"),
    add_four_products!("umlal", "1016"),
}
