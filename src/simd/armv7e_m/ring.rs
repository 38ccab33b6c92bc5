//! Transform layers and products for rows modulo q = 12289, in assembly. A word contains two 16-bit
//! numbers.
//!
//! A product with a root takes two instructions per number, and an instruction that joins the two
//! products in a word (Plantard's multiplication by a constant, ePrint 2022/956). Let
//! `z' = -z 2^32 mod q`, signed, and let the table contain `r = z' / q mod 2^32`. Let `y`
//! be any signed 16-bit number, and `P = y r mod 2^32`, signed. Then `(P / 2^16 + 2) q / 2^16`,
//! with both divisions rounded down, is congruent to `y z` modulo q, and is between `-q/2` and
//! `q/2`. Proof:
//!
//! - Because `r q = z' mod 2^32`, `P q - y z'` is a multiple `k 2^32`. Modulo q, `-y z'` is
//!   `y z 2^32`, so `k` is congruent to `y z`.
//! - From `|P| <= 2^31` and `|y z'| <= 2^14 q` follows `|k| <= q/2 + q/2^18`, and `q/2^18` is
//!   less than 1/2. Because q is odd, the integer `k` then satisfies `|k| < q/2`.
//! - Without the last rounding, the computed number is `k + f / 2^32` with
//!   `f = y z' + (2^17 - P mod 2^16) q`. From `|y z'| <= 2^14 q` follows `0 < f < 2^32`, so the
//!   last rounding returns `k`.
//!
//! Because `y` can be any 16-bit number, a sum does not have to be reduced before it is multiplied.
//! The magnitudes of inputs and outputs, in units of q, are at most:
//!
//! | forward, `(x + z y, x - z y)` | in | out |
//! |---|---|---|
//! | one layer, `x` reduced to at most 1 by an addition | 2 | 1.5 |
//! | two layers, `x` reduced to 1 in the same way | 2 | 1 + 0.5 + 0.5; before a product 2 + 0.5 |
//! | three layers, `x` fully reduced | 2 | 0.5 + 1.5 |
//!
//! | backward, `(x + y, z (x - y))` | in | out |
//! |---|---|---|
//! | one layer, two layers: at most `4 * 0.5 = 2`, then reduced | 0.5 | 0.5 |
//! | three layers: sums of the first layer reduced, then as two layers | 1 | 0.5 |
//!
//! If two or three forward layers are computed together, the second layer multiplies some numbers
//! by a root. The code does not reduce such a number `x` before the first layer. A product with a
//! root is at most `q/2` in magnitude for any 16-bit number.
//!
//! Both transforms use the table of roots for the forward transform. The backward transform reads
//! this table from the end. In this order, the table contains the negated inverse roots, so the
//! backward transform uses `y - x` instead of `x - y`.
//!
//! Rows are read and written as words, and a row's address is only a multiple of 2. So the
//! processor must not trap if a word's address is not a multiple of 4 (`CCR.UNALIGN_TRP` must
//! be 0). Compiled code also needs this setting.

use crate::simd::{RingRoots, RingRow, word_root};
use core::arch::naked_asm;

/// The modulus.
const Q: u16 = 12289;
/// `1/q mod 2^16`.
const Q_INV: u16 = 53249;
const _: () = assert!(Q.wrapping_mul(Q_INV) == 1);
/// The word for the root 1, which is `2^16 mod q` in Montgomery form. A product with this root is a
/// reduction.
const ONE: u32 = word_root((65536 % Q as u32) as u16, Q);

/// Computes one, two or three layers, for [`U16s::ring_layers`](crate::simd::U16s::ring_layers).
#[inline(always)]
pub fn layers<const DISTANCES: usize>(a: &mut [u16], distance: usize, roots: &RingRoots<'_>) {
    let blocks = a.len() / (2 * distance);
    // If there are two layers, the shorter distance is half of `distance`. If there are three
    // layers, the distances are 4, 2 and 1.
    let shortest = if DISTANCES == 2 { distance / 2 } else { distance };
    // A block needs one root for the longest distance, two roots for half of this distance, and so
    // on.
    assert!(blocks > 0 && a.len() == 2 * distance * blocks && shortest.is_multiple_of(2));
    assert!(roots.q == Q && roots.words.len() >= blocks << DISTANCES);
    let row = a.as_mut_ptr();
    let words = roots.words.as_ptr();
    // SAFETY: the feature `armv7e-m` guarantees the instructions; the row contains `blocks` blocks
    // with complete words, and the table contains their roots.
    unsafe {
        match (DISTANCES, roots.is_inverse) {
            (1, false) => forward_one(row, 2 * distance, words, blocks),
            (1, true) => backward_one(row, 2 * distance, words, blocks),
            (2, false) => forward_two(row, distance, words, blocks),
            (2, true) => backward_two(row, distance, words, blocks),
            (_, false) => forward_three(row, blocks, words),
            (_, true) => backward_three(row, blocks, words),
        }
    }
}

/// Processes a complete row for [`U16s::ring_row`](crate::simd::U16s::ring_row), and returns true.
/// This assembly does not compute inverses, and does not support an odd length or an empty row. In
/// these cases, returns false and does not change `a`, and compiled code processes the row.
#[inline(always)]
pub fn row(a: &mut [u16], row: RingRow<'_>, q: [u16; 2]) -> bool {
    debug_assert_eq!(q, [Q, Q_INV]);
    let words = a.len() / 2;
    if words == 0 || !a.len().is_multiple_of(2) {
        return false;
    }
    let at = a.as_mut_ptr();
    // SAFETY: the feature `armv7e-m` guarantees the instructions; the rows contain at least `words`
    // words, and `words` is not 0.
    unsafe {
        match row {
            RingRow::Canonical => scale(at, words, ONE),
            RingRow::Scaled([z, _]) => scale(at, words, word_root(z, Q)),
            RingRow::Times(b) => multiply(at, words, b[..2 * words].as_ptr()),
            RingRow::TimesSigned(b) => multiply_signed(at, words, b[..2 * words].as_ptr()),
            RingRow::Inverses { .. } => return false,
        }
    }
    true
}

/// Multiplies both numbers in register `y` by the root in register `z`, and stores the products in
/// register `t`. Changes r12 and lr. `y` can be lr.
macro_rules! times {
    ($t:literal, $y:literal, $z:literal) => {
        lines!(
            concat!("smulwb r12, ", $z, ", ", $y),
            concat!("smulwt lr, ", $z, ", ", $y),
            "smlabb r12, r12, r6, r7",
            "smlabb lr, lr, r6, r7",
            concat!("pkhtb ", $t, ", lr, r12, asr #16"),
        )
    };
}

/// Reduces both numbers in register `x` to the range from `-q/2` to `q/2`. The code multiplies by
/// the root 1, which must be on top of the stack. Changes r12 and lr.
macro_rules! reduce {
    ($x:literal) => {
        lines!("ldr lr, [sp]", times!($x, $x, "lr"))
    };
}

/// Reduces both numbers in register `x` from `|x| <= 2 q` to `|x| <= q`. Changes r12. If a number
/// is at least q, `ssub16` sets its flags, so that `sel` selects the difference. If a number is at
/// least -q, `sadd16` sets its flags, so that `sel` keeps the number.
macro_rules! reduce_once {
    ($x:literal) => {
        lines!(
            concat!("ssub16 r12, ", $x, ", r6"),
            concat!("sel ", $x, ", r12, ", $x),
            concat!("sadd16 r12, ", $x, ", r6"),
            concat!("sel ", $x, ", ", $x, ", r12"),
        )
    };
}

/// Reduces both numbers in register `x` from `-q < x < q` to `[0, q)`. If a number is negative, its
/// sum with q produces a carry, which sets the flags for `sel`. Changes r12.
macro_rules! canonical {
    ($x:literal) => {
        lines!(concat!("uadd16 r12, ", $x, ", r6"), concat!("sel ", $x, ", r12, ", $x))
    };
}

/// Computes `(x, y) = (x + z y, x - z y)` for the two numbers in each of the registers `x` and `y`.
macro_rules! forward_butterfly {
    ($x:literal, $y:literal, $z:literal) => {
        lines!(
            times!("r12", $y, $z),
            concat!("usub16 ", $y, ", ", $x, ", r12"),
            concat!("uadd16 ", $x, ", ", $x, ", r12"),
        )
    };
}

/// Computes `(x, y) = (x + y, z (y - x))` for the two numbers in each of the registers `x` and `y`.
macro_rules! inverse_butterfly {
    ($x:literal, $y:literal, $z:literal) => {
        lines!(concat!("usub16 lr, ", $y, ", ", $x), concat!("uadd16 ", $x, ", ", $x, ", ", $y), times!($y, "lr", $z),)
    };
}

/// Computes `(x, y) = (x + z y, x - z y)`, where `x` is the lower number in register `w`, and `y`
/// is the upper number.
macro_rules! forward_butterfly_in_word {
    ($w:literal, $z:literal) => {
        lines!(
            concat!("smulwt r12, ", $z, ", ", $w),
            "smlabb r12, r12, r6, r7",
            "pkhtb r12, r12, r12, asr #16",
            concat!("pkhbt lr, ", $w, ", ", $w, ", lsl #16"),
            concat!("usax ", $w, ", lr, r12"),
        )
    };
}

/// Computes `(x, y) = (x + y, z (y - x))`, where `x` is the lower number in register `w`, and `y`
/// is the upper number. The sum is reduced with the root 1 in r3.
macro_rules! inverse_butterfly_in_word {
    ($w:literal, $z:literal) => {
        lines!(
            concat!("usax r12, ", $w, ", ", $w),
            concat!("smulwt lr, ", $z, ", r12"),
            "smulwb r12, r3, r12",
            "smlabb lr, lr, r6, r7",
            "smlabb r12, r12, r6, r7",
            concat!("pkhtb ", $w, ", lr, r12, asr #16"),
        )
    };
}

/// Defines an assembly function. When the given lines start, q is in both halves of r6, `2 q` is in
/// r7, and the root 1 is in r4.
macro_rules! row {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $t:ty),* $(,)?); $($line:expr),+ $(,)?) => {
        $(#[$doc])*
        #[unsafe(naked)]
        unsafe extern "C" fn $name($($arg: $t),*) {
            naked_asm!(
                cpu_directive!(),
                "push {{r4-r11, lr}}",
                "movw r6, #{q}",
                "add r7, r6, r6",
                "orr r6, r6, r6, lsl #16",
                "movw r4, #{low}",
                "movt r4, #{high}",
                $($line,)+
                "pop {{r4-r11, pc}}",
                q = const Q,
                low = const ONE & 0xffff,
                high = const ONE >> 16,
            )
        }
    };
}

/// Defines a function for a single layer on `blocks` blocks. A block has two halves with `bytes`
/// bytes each. `$first` sets r2 to the address of the first root. For each block, a root is loaded
/// to r3, and `$step` is added to r2. The given lines compute on r8, a word of the first half, and
/// on r9, a word of the second half.
macro_rules! one_layer {
    ($(#[$doc:meta])* $name:ident: $first:expr, $step:literal; $($line:expr),+ $(,)?) => {
        row! {
            $(#[$doc])*
            fn $name(a: *mut u16, bytes: usize, roots: *const u32, blocks: usize);
            // r5: the number of remaining blocks. The root 1 is on top of the stack, for `reduce!`.
            "push {{r4, lr}}",
            "mov r5, r3",
            $first,
            "2:",
            concat!("ldr r3, [r2], #", $step),
            "add r4, r0, r1",
            "3:",
            "ldr r8, [r0]",
            "ldr r9, [r0, r1]",
            $($line,)+
            "str r9, [r0, r1]",
            "str r8, [r0], #4",
            "cmp r0, r4",
            "bne 3b",
            "add r0, r0, r1",
            "subs r5, r5, #1",
            "bne 2b",
            "pop {{r4, lr}}",
        }
    };
}

one_layer! {
    /// Computes a forward layer.
    forward_one: "add r2, r2, r3, lsl #2", "4";
    reduce_once!("r8"),
    forward_butterfly!("r8", "r9", "r3"),
}

one_layer! {
    /// Computes a backward layer.
    backward_one: lines!("add r2, r2, r3, lsl #3", "sub r2, r2, #4"), "-4";
    inverse_butterfly!("r8", "r9", "r3"),
    reduce!("r8"),
}

/// Defines a function for two layers on `blocks` blocks. A block has four quarters with `bytes`
/// bytes each. At the start, r5 is the number of blocks. The parameters are instructions:
///
/// - `$first` sets r2 to the address of the first root for the longer distance, and r3 to the
///   address of the first two roots for the shorter distance.
/// - `$roots` runs for each block. It loads the root for the longer distance from address r8 to r3,
///   loads the two roots for the shorter distance from address r9 to r4 and r5, and advances both
///   addresses.
/// - `$line` computes on r8 to r11, which contain a word of each quarter.
macro_rules! two_layers {
    ($(#[$doc:meta])* $name:ident: $first:expr, $roots:expr; $($line:expr),+ $(,)?) => {
        row! {
            $(#[$doc])*
            fn $name(a: *mut u16, bytes: usize, roots: *const u32, blocks: usize);
            "mov r5, r3",
            $first,
            // The stack contains, from its top: the root 1 for `reduce!`, the root addresses for
            // the longer and the shorter distance, and the number of remaining blocks.
            "push {{r2-r5}}",
            "ldr r4, [sp, #8]",
            "strd r4, r2, [sp]",
            "strd r3, r5, [sp, #8]",
            "2:",
            "ldrd r8, r9, [sp, #4]",
            $roots,
            "strd r8, r9, [sp, #4]",
            "add r2, r0, r1",
            "3:",
            "add lr, r0, r1",
            "ldr r8, [r0]",
            "ldr r9, [r0, r1]",
            "ldr r10, [r0, r1, lsl #1]",
            "ldr r11, [lr, r1, lsl #1]",
            $($line,)+
            "add lr, r0, r1",
            "str r11, [lr, r1, lsl #1]",
            "str r10, [r0, r1, lsl #1]",
            "str r9, [r0, r1]",
            "str r8, [r0], #4",
            "cmp r0, r2",
            "bne 3b",
            "add r0, r0, r1",
            "add r0, r0, r1, lsl #1",
            "ldr r2, [sp, #12]",
            "subs r2, r2, #1",
            "str r2, [sp, #12]",
            "bne 2b",
            "add sp, sp, #16",
        }
    };
}

two_layers! {
    /// Computes two forward layers. Before the first layer, only r8 is reduced, because the second
    /// layer multiplies r9 by a root.
    forward_two: lines!("add r2, r2, r5, lsl #2", "add r3, r2, r5, lsl #2"),
        lines!("ldr r3, [r8], #4", "ldrd r4, r5, [r9], #8");
    reduce_once!("r8"),
    forward_butterfly!("r8", "r10", "r3"),
    forward_butterfly!("r9", "r11", "r3"),
    forward_butterfly!("r8", "r9", "r4"),
    forward_butterfly!("r10", "r11", "r5"),
}

two_layers! {
    /// Computes two backward layers.
    backward_two: lines!("add r3, r2, r5, lsl #4", "sub r3, r3, #8", "add r2, r2, r5, lsl #3", "sub r2, r2, #4"),
        lines!("ldr r3, [r8], #-4", "ldrd r5, r4, [r9], #-8");
    inverse_butterfly!("r8", "r9", "r4"),
    inverse_butterfly!("r10", "r11", "r5"),
    inverse_butterfly!("r8", "r10", "r3"),
    inverse_butterfly!("r9", "r11", "r3"),
    reduce!("r8"),
    reduce!("r9"),
}

row! {
    /// Computes three forward layers on `blocks` blocks with eight numbers.
    fn forward_three(a: *mut u16, blocks: usize, roots: *const u32);
    "push {{r4, lr}}",
    // r1: the index of the current root for the longest distance. r3: the index after the last root
    // for this distance.
    "lsl r3, r1, #1",
    "2:",
    "ldr r8, [r0]",
    "ldr r9, [r0, #4]",
    "ldr r10, [r0, #8]",
    "ldr r11, [r0, #12]",
    reduce!("r8"),
    "ldr r4, [r2, r1, lsl #2]",
    forward_butterfly!("r8", "r10", "r4"),
    forward_butterfly!("r9", "r11", "r4"),
    "add r5, r2, r1, lsl #3",
    "ldrd r4, r5, [r5]",
    forward_butterfly!("r8", "r9", "r4"),
    forward_butterfly!("r10", "r11", "r5"),
    "add r5, r2, r1, lsl #4",
    "ldr r4, [r5]",
    forward_butterfly_in_word!("r8", "r4"),
    "ldr r4, [r5, #4]",
    forward_butterfly_in_word!("r9", "r4"),
    "ldr r4, [r5, #8]",
    forward_butterfly_in_word!("r10", "r4"),
    "ldr r4, [r5, #12]",
    forward_butterfly_in_word!("r11", "r4"),
    "str r9, [r0, #4]",
    "str r10, [r0, #8]",
    "str r11, [r0, #12]",
    "str r8, [r0], #16",
    "add r1, r1, #1",
    "cmp r1, r3",
    "bne 2b",
    "pop {{r4, lr}}",
}

row! {
    /// Computes three backward layers on `blocks` blocks with eight numbers.
    fn backward_three(a: *mut u16, blocks: usize, roots: *const u32);
    "push {{r1, r4}}",
    "mov r3, r4",
    // r1: the index of the current root for the longest distance, from the last root to the first
    // root.
    "lsl r1, r1, #1",
    "2:",
    "sub r1, r1, #1",
    "ldr r8, [r0]",
    "ldr r9, [r0, #4]",
    "ldr r10, [r0, #8]",
    "ldr r11, [r0, #12]",
    "add r5, r2, r1, lsl #4",
    "ldr r4, [r5, #12]",
    inverse_butterfly_in_word!("r8", "r4"),
    "ldr r4, [r5, #8]",
    inverse_butterfly_in_word!("r9", "r4"),
    "ldr r4, [r5, #4]",
    inverse_butterfly_in_word!("r10", "r4"),
    "ldr r4, [r5]",
    inverse_butterfly_in_word!("r11", "r4"),
    "add r5, r2, r1, lsl #3",
    "ldrd r5, r4, [r5]",
    inverse_butterfly!("r8", "r9", "r4"),
    inverse_butterfly!("r10", "r11", "r5"),
    "ldr r4, [r2, r1, lsl #2]",
    inverse_butterfly!("r8", "r10", "r4"),
    inverse_butterfly!("r9", "r11", "r4"),
    times!("r8", "r8", "r3"),
    times!("r9", "r9", "r3"),
    "str r9, [r0, #4]",
    "str r10, [r0, #8]",
    "str r11, [r0, #12]",
    "str r8, [r0], #16",
    "ldr r5, [sp]",
    "cmp r1, r5",
    "bne 2b",
    "add sp, sp, #8",
}

row! {
    /// Multiplies the numbers in `words` words by a root. The results are in `[0, q)`.
    fn scale(a: *mut u16, words: usize, root: u32);
    "2:",
    "ldr r8, [r0]",
    times!("r8", "r8", "r2"),
    canonical!("r8"),
    "str r8, [r0], #4",
    "subs r1, r1, #1",
    "bne 2b",
}

/// Defines a function for the Montgomery products `x y / 2^16` of the numbers in `words` words. The
/// given lines then process the two products in r8. The lower half of r4 is `-q`, which `smlabb`
/// uses, and the upper half is `1/q mod 2^16`, which `smulbt` uses.
macro_rules! products {
    ($(#[$doc:meta])* $name:ident; $($line:expr),* $(,)?) => {
        row! {
            $(#[$doc])*
            fn $name(a: *mut u16, words: usize, b: *const u16);
            "movw r4, #53249",
            "uxth r5, r6",
            "rsb r5, r5, #0",
            "pkhbt r4, r5, r4, lsl #16",
            "2:",
            "ldr r8, [r0]",
            "ldr r9, [r2], #4",
            "smulbb r12, r8, r9",
            "smultt lr, r8, r9",
            "smulbt r10, r12, r4",
            "smulbt r11, lr, r4",
            "smlabb r12, r10, r4, r12",
            "smlabb lr, r11, r4, lr",
            "pkhtb r8, lr, r12, asr #16",
            $($line,)*
            "str r8, [r0], #4",
            "subs r1, r1, #1",
            "bne 2b",
        }
    };
}

products! {
    /// Computes products in `[0, q)`.
    multiply;
    canonical!("r8"),
}

products! {
    /// Computes products between `-q` and `q`, without the last reduction.
    multiply_signed;
}
