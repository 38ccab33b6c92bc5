//! Residues of packed polynomials modulo q = 8380417 and modulo `X^128 - root` or `X^64 - root`, in
//! assembly. A packed polynomial has 256 fields, one for each coefficient. The code unpacks a field
//! when it uses the field. The fields may be secret. `short` calls the public functions.

use super::{DEGREE, Q, Q_INV};
use core::arch::naked_asm;

/// Computes [`ShortRow::FoldHalf`](crate::simd::ShortRow::FoldHalf).
#[inline(never)]
pub fn half(a: &mut [u32], fields: &[u8], largest: u32, root: u32) {
    let bits = fields.len() / (DEGREE / 8);
    assert!(a.len() == DEGREE / 2 && fields.len().is_multiple_of(DEGREE / 8));
    // A coefficient is `largest` minus its field. `upper` is the residue if all fields are zero.
    // The functions subtract the fields' residue from `upper`.
    let upper = next_residue(largest, largest, root);
    let a = a.as_mut_ptr();
    let fields = fields.as_ptr();
    let minus_root = root.wrapping_neg();
    // SAFETY: the feature `armv7e-m` guarantees the instructions; the row has 128 numbers, and
    // there are 256 fields with this width.
    unsafe {
        match bits {
            3 => fold_3(a, fields, minus_root, upper),
            4 => fold_4(a, fields, minus_root, upper),
            18 => fold_18(a, fields, minus_root, upper),
            20 => fold_20(a, fields, minus_root, upper),
            _ => unreachable!("no packed polynomial has this width"),
        }
    }
}

/// Computes [`ShortRow::FoldSignedQuarter`](crate::simd::ShortRow::FoldSignedQuarter).
#[inline(never)]
pub fn signed_quarter(a: &mut [u32], fields: &[u8], largest: u32, root: u32) {
    let bits = fields.len() / (DEGREE / 8);
    assert!(a.len() == DEGREE / 4 && fields.len().is_multiple_of(DEGREE / 8));
    // `upper` is the residue if all fields are zero, as in `half`.
    let mut upper = largest;
    for _ in 0..3 {
        upper = next_residue(upper, largest, root);
    }
    let a = a.as_mut_ptr();
    let fields = fields.as_ptr();
    // SAFETY: the feature `armv7e-m` guarantees the instructions; the row has 64 numbers, and there
    // are 256 fields with this width.
    unsafe {
        match bits {
            3 => fold_quarter_3(a, fields, root, upper),
            4 => fold_quarter_4(a, fields, root, upper),
            18 => fold_quarter_18(a, fields, root, upper),
            20 => fold_quarter_20(a, fields, root, upper),
            _ => unreachable!("no packed polynomial has this width"),
        }
    }
}

/// Computes a step of Horner's rule: `x root + next` modulo q. `root` is in Montgomery form. Range:
/// `x`, `root` and the result are below q, and `next` is below `2^20`.
#[inline(always)]
fn next_residue(x: u32, next: u32, root: u32) -> u32 {
    let product = u64::from(x) * u64::from(root);
    let t = (product as u32).wrapping_mul(Q_INV);
    let sum = next + ((product + u64::from(t) * u64::from(Q)) >> 32) as u32;
    let sum = sum - if sum >= Q { Q } else { 0 };
    sum - if sum >= Q { Q } else { 0 }
}

/// Computes [`ShortRow::FoldQuarter`](crate::simd::ShortRow::FoldQuarter).
#[inline(always)]
pub fn quarter(a: &mut [u32], fields: &[u8], root: u32) {
    assert!(a.len() == DEGREE / 4 && fields.len() == DEGREE / 8 * 10);
    // SAFETY: the feature `armv7e-m` guarantees the instructions; the code above has checked the
    // lengths of the row and the fields.
    unsafe { fold_10(a.as_mut_ptr(), fields.as_ptr(), root) }
}

/// Writes the next coefficient of a residue modulo `X^128 - root`: `upper - x - root y`. `upper` is
/// in r9, the fields x and y are in r4 and r5, and the negated root is in r2. Changes r3, r4, r5
/// and lr.
macro_rules! fold_fields {
    () => {
        lines!(times!("r5", "r2"), "sub r4, r9, r4", "add r4, r4, r5", "str r4, [r0], #4")
    };
}

/// Defines a function that writes the residue of a packed polynomial modulo `X^128 - root`. Each
/// result is `upper - x - root y`: `upper` is the result if all fields are zero, and x and y are
/// the fields of two coefficients whose indices differ by 128. The given lines process the fields
/// in `bytes` bytes at address r1.
macro_rules! fold {
    ($(#[$doc:meta])* $name:ident, $bytes:literal; $($line:expr),+ $(,)?) => {
        row! {
            $(#[$doc])*
            fn $name(a: *mut u32, fields: *const u8, minus_root: u32, upper: u32);
            "mov r9, r3",
            "add r10, r0, #512",
            "2:",
            $($line,)+
            concat!("add r1, r1, #", $bytes),
            "cmp r0, r10",
            "bne 2b",
        }
    };
}

/// Processes the fields of two coefficients. Each field is a part of a word. `$low` and `$high` are
/// the byte offsets of the two words, and `$shift` is the first bit of the field in a word.
macro_rules! fold_words {
    ($low:literal, $high:literal, $shift:literal, $bits:literal) => {
        lines!(
            concat!("ldr r4, [r1, #", $low, "]"),
            concat!("ldr r5, [r1, #", $high, "]"),
            concat!("ubfx r4, r4, #", $shift, ", #", $bits),
            concat!("ubfx r5, r5, #", $shift, ", #", $bits),
            fold_fields!(),
        )
    };
}

/// Processes the fields of two coefficients. The fields are parts of the words in r6 and r7.
macro_rules! fold_parts {
    ($shift:literal, $bits:literal) => {
        lines!(
            concat!("ubfx r4, r6, #", $shift, ", #", $bits),
            concat!("ubfx r5, r7, #", $shift, ", #", $bits),
            fold_fields!(),
        )
    };
}

fold! {
    /// Processes fields with 18 bits. Four fields form a group with 9 bytes. The word for the last
    /// field begins a byte before this field, so that the word ends with the group.
    fold_18, 9;
    fold_words!(0, 288, 0, 18),
    fold_words!(2, 290, 2, 18),
    fold_words!(4, 292, 4, 18),
    fold_words!(5, 293, 14, 18),
}

fold! {
    /// Processes fields with 20 bits. Two fields form a group with 5 bytes. As in `fold_18`, the
    /// word for the last field begins a byte before this field.
    fold_20, 5;
    fold_words!(0, 320, 0, 20),
    fold_words!(1, 321, 12, 20),
}

fold! {
    /// Processes fields with 3 bits.
    fold_3, 3;
    "ldrh r6, [r1]",
    "ldrb r4, [r1, #2]",
    "ldrh r7, [r1, #48]",
    "ldrb r5, [r1, #50]",
    "orr r6, r6, r4, lsl #16",
    "orr r7, r7, r5, lsl #16",
    fold_parts!(0, 3),
    fold_parts!(3, 3),
    fold_parts!(6, 3),
    fold_parts!(9, 3),
    fold_parts!(12, 3),
    fold_parts!(15, 3),
    fold_parts!(18, 3),
    fold_parts!(21, 3),
}

fold! {
    /// Processes fields with 4 bits.
    fold_4, 4;
    "ldr r6, [r1]",
    "ldr r7, [r1, #64]",
    fold_parts!(0, 4),
    fold_parts!(4, 4),
    fold_parts!(8, 4),
    fold_parts!(12, 4),
    fold_parts!(16, 4),
    fold_parts!(20, 4),
    fold_parts!(24, 4),
    fold_parts!(28, 4),
}

/// Multiplies r4 by the root in r2, and then adds a field to r4 (a step of Horner's rule). The
/// field is a part of the value that the instruction `$load` loads from byte offset `$at` in a
/// quarter of the fields. Changes r3, r5 and lr.
macro_rules! next_field {
    ($load:literal, $quarter:literal, $bytes:literal, $at:literal, $shift:literal, $bits:literal) => {
        lines!(
            times!("r4", "r2"),
            concat!($load, " r5, [r1, #", $quarter, "*", $bytes, "+", $at, "]"),
            concat!("ubfx r5, r5, #", $shift, ", #", $bits),
            "add r4, r4, r5",
        )
    };
}

/// Computes the next coefficient of a residue modulo `X^64 - root` by Horner's rule, and writes it.
macro_rules! quarter_fields {
    ($load:literal, $bytes:literal, $at:literal, $shift:literal, $bits:literal) => {
        lines!(
            concat!($load, " r4, [r1, #3*", $bytes, "+", $at, "]"),
            concat!("ubfx r4, r4, #", $shift, ", #", $bits),
            next_field!($load, "2", $bytes, $at, $shift, $bits),
            next_field!($load, "1", $bytes, $at, $shift, $bits),
            next_field!($load, "0", $bytes, $at, $shift, $bits),
            "sub r4, r9, r4",
            "str r4, [r0], #4",
        )
    };
}

/// Defines a function that writes the residue of a packed polynomial modulo `X^64 - root`. Each
/// result is `upper - x`: `upper` is the residue if all fields are zero, and x is the fields'
/// residue, above `-0.7 q` and below `0.7 q`. The fields for 64 coefficients have `quarter` bytes.
/// The given lines process the fields in the first `bytes` bytes of each quarter, at address r1.
macro_rules! fold_quarter {
    (
        $(#[$doc:meta])*
        $name:ident, $bits:literal, $quarter:literal, $bytes:literal;
        $($load:literal $at:literal $shift:literal),+ $(,)?
    ) => {
        row! {
            $(#[$doc])*
            fn $name(a: *mut u32, fields: *const u8, root: u32, upper: u32);
            "mov r9, r3",
            "add r10, r0, #256",
            "2:",
            $(quarter_fields!($load, $quarter, $at, $shift, $bits),)+
            concat!("add r1, r1, #", $bytes),
            "cmp r0, r10",
            "bne 2b",
        }
    };
}

fold_quarter! {
    /// Processes fields with 3 bits.
    fold_quarter_3, 3, "24", 3;
    "ldrh" "0" 0, "ldrh" "0" 3, "ldrh" "0" 6, "ldrh" "0" 9, "ldrh" "0" 12, "ldrh" "1" 7, "ldrh" "1" 10, "ldrh" "1" 13,
}

fold_quarter! {
    /// Processes fields with 4 bits.
    fold_quarter_4, 4, "32", 1;
    "ldrb" "0" 0, "ldrb" "0" 4,
}

fold_quarter! {
    /// Processes fields with 18 bits. As in `fold_18`, the word for the last field in a group
    /// begins a byte before this field.
    fold_quarter_18, 18, "144", 9;
    "ldr" "0" 0, "ldr" "2" 2, "ldr" "4" 4, "ldr" "5" 14,
}

fold_quarter! {
    /// Processes fields with 20 bits.
    fold_quarter_20, 20, "160", 5;
    "ldr" "0" 0, "ldr" "1" 12,
}

/// Adds a field with 10 bits, times `2^13`, to r4. The field starts at bit `$shift` of the halfword
/// at byte offset `$at`. Changes r5.
macro_rules! add_10 {
    ($at:literal, $shift:literal) => {
        lines!(
            concat!("ldrh r5, [r1, #", $at, "]"),
            concat!("ubfx r5, r5, #", $shift, ", #10"),
            "add r4, r4, r5, lsl #13",
        )
    };
}

/// Computes the next coefficient of a residue modulo `X^64 - root` by Horner's rule, and writes it,
/// for fields with 10 bits.
macro_rules! fold_10_fields {
    ($first:literal, $second:literal, $third:literal, $fourth:literal, $shift:literal) => {
        lines!(
            concat!("ldrh r4, [r1, #", $fourth, "]"),
            concat!("ubfx r4, r4, #", $shift, ", #10"),
            "lsl r4, r4, #13",
            times!("r4", "r2"),
            add_10!($third, $shift),
            times!("r4", "r2"),
            add_10!($second, $shift),
            times!("r4", "r2"),
            add_10!($first, $shift),
            "str r4, [r0], #4",
        )
    };
}

row! {
    /// Writes `2^13` times the residue modulo `X^64 - root` of a packed polynomial. Each sum in
    /// Horner's rule is at most 1.6 q.
    fn fold_10(a: *mut u32, fields: *const u8, root: u32);
    "add r10, r0, #256",
    "2:",
    fold_10_fields!(0, 80, 160, 240, 0),
    fold_10_fields!(1, 81, 161, 241, 2),
    fold_10_fields!(2, 82, 162, 242, 4),
    fold_10_fields!(3, 83, 163, 243, 6),
    "add r1, r1, #5",
    "cmp r0, r10",
    "bne 2b",
}
