//! Operations on rows of binary64 numbers in assembly: layers of the Fourier transform, and
//! operations for the tree that FN-DSA uses to sample signatures.
//!
//! The functions follow the C calling convention, which requires them to preserve the callee-saved
//! registers. They use the rounding mode of the caller, which must be the default. To round once
//! per operation, they do not use fused multiply-adds. The steps are equal to the steps of
//! `engine::falcon::fft` and `engine::falcon::tree`, and in the same order. Branches depend only on
//! lengths, and the functions do not use divisions or square roots.

use super::ring::{lines, op, vector_function};
use core::arch::naked_asm;

/// Computes the complex product `t = a b`. An operand is a vector of real parts, followed by a
/// vector of imaginary parts. Overwrites the register `u`.
macro_rules! mul {
    ($tre:literal $tim:literal, $are:literal $aim:literal, $bre:literal $bim:literal, $u:literal) => {
        lines!(
            op!("vfmul.vv": $tre, $are, $bre),
            op!("vfmul.vv": $u, $aim, $bim),
            op!("vfsub.vv": $tre, $tre, $u),
            op!("vfmul.vv": $tim, $are, $bim),
            op!("vfmul.vv": $u, $aim, $bre),
            op!("vfadd.vv": $tim, $tim, $u),
        )
    };
}

/// Computes `t = a conj(b)`, where `conj(b)` is the complex conjugate. The operands are as for
/// `mul`.
macro_rules! mul_adj {
    ($tre:literal $tim:literal, $are:literal $aim:literal, $bre:literal $bim:literal, $u:literal) => {
        lines!(
            op!("vfmul.vv": $tre, $are, $bre),
            op!("vfmul.vv": $u, $aim, $bim),
            op!("vfadd.vv": $tre, $tre, $u),
            op!("vfmul.vv": $tim, $aim, $bre),
            op!("vfmul.vv": $u, $are, $bim),
            op!("vfsub.vv": $tim, $tim, $u),
        )
    };
}

/// Computes `(a, b) = (a + w b, a - w b)`. Overwrites `v20`, `v22` and `v24`.
macro_rules! merge_pair {
    ($are:literal $aim:literal, $bre:literal $bim:literal, $wre:literal $wim:literal) => {
        lines!(
            mul!("v20" "v22", $bre $bim, $wre $wim, "v24"),
            op!("vfsub.vv": $bre, $are, "v20"),
            op!("vfsub.vv": $bim, $aim, "v22"),
            op!("vfadd.vv": $are, $are, "v20"),
            op!("vfadd.vv": $aim, $aim, "v22"),
        )
    };
}

/// Computes `(a, b) = (a + b, (a - b) conj(w))`. Overwrites `v20`, `v22` and `v24`.
macro_rules! split_pair {
    ($are:literal $aim:literal, $bre:literal $bim:literal, $wre:literal $wim:literal) => {
        lines!(
            op!("vfsub.vv": "v20", $are, $bre),
            op!("vfsub.vv": "v22", $aim, $bim),
            op!("vfadd.vv": $are, $are, $bre),
            op!("vfadd.vv": $aim, $aim, $bim),
            mul_adj!($bre $bim, "v20" "v22", $wre $wim, "v24"),
        )
    };
}

/// Defines a function to compute two layers on `blocks` blocks, where a quarter of a block has
/// `quarter` values. The given lines compute on a pair of vectors for each quarter, with real and
/// imaginary parts: `v0 v2`, `v4 v6`, `v8 v10` and `v12 v14`. The addresses of the roots' real
/// parts and imaginary parts are in these registers:
///
/// - for the shorter distance: `t4` and `t5`
/// - for the longer distance, first roots: `t1` and `t2`
/// - for the longer distance, second roots: `t1 + t6` and `t2 + t6`
macro_rules! two_layers {
    ($(#[$doc:meta])* $name:ident: $($line:expr),+ $(,)?) => {
        vector_function! {
            $(#[$doc])*
            fn $name(re: *mut f64, im: *mut f64, quarter: usize, rre: *const u64, rim: *const u64, blocks: usize);
            "slli t6, a2, 3",
            "2:",
            "mv   a6, a2", // remaining values of a quarter
            "add  t4, a3, t6", // roots of the shorter distance, from index `quarter`
            "add  t5, a4, t6",
            "3:",
            "vsetvli t0, a6, e64, m2, ta, ma",
            "slli t3, t0, 3",
            "add  t1, a0, t6",
            "add  t2, a1, t6",
            "vle64.v v0, (a0)",
            "vle64.v v2, (a1)",
            "vle64.v v4, (t1)",
            "vle64.v v6, (t2)",
            "add  t1, t1, t6",
            "add  t2, t2, t6",
            "vle64.v v8, (t1)",
            "vle64.v v10, (t2)",
            "add  t1, t1, t6",
            "add  t2, t2, t6",
            "vle64.v v12, (t1)",
            "vle64.v v14, (t2)",
            "add  t1, t4, t6", // roots of the longer distance, from index `2 quarter` and `3 quarter`
            "add  t2, t5, t6",
            $($line,)+
            "vse64.v v0, (a0)",
            "vse64.v v2, (a1)",
            "add  t1, a0, t6",
            "add  t2, a1, t6",
            "vse64.v v4, (t1)",
            "vse64.v v6, (t2)",
            "add  t1, t1, t6",
            "add  t2, t2, t6",
            "vse64.v v8, (t1)",
            "vse64.v v10, (t2)",
            "add  t1, t1, t6",
            "add  t2, t2, t6",
            "vse64.v v12, (t1)",
            "vse64.v v14, (t2)",
            "add  a0, a0, t3",
            "add  a1, a1, t3",
            "add  t4, t4, t3",
            "add  t5, t5, t3",
            "sub  a6, a6, t0",
            "bnez a6, 3b",
            "slli t1, t6, 1", // skip the other three quarters
            "add  t1, t1, t6",
            "add  a0, a0, t1",
            "add  a1, a1, t1",
            "addi a5, a5, -1",
            "bnez a5, 2b",
        }
    };
}

two_layers! {
    /// Merges pairs of blocks with `quarter` values, and then pairs of blocks with `2 * quarter`
    /// values.
    merge_two:
    "vle64.v v16, (t4)",
    "vle64.v v18, (t5)",
    merge_pair!("v0" "v2", "v4" "v6", "v16" "v18"),
    merge_pair!("v8" "v10", "v12" "v14", "v16" "v18"),
    "vle64.v v16, (t1)",
    "vle64.v v18, (t2)",
    merge_pair!("v0" "v2", "v8" "v10", "v16" "v18"),
    "add  t1, t1, t6",
    "add  t2, t2, t6",
    "vle64.v v16, (t1)",
    "vle64.v v18, (t2)",
    merge_pair!("v4" "v6", "v12" "v14", "v16" "v18"),
}

two_layers! {
    /// Computes the inverse of [`merge_two`] without the two factors 1/2, which makes the results
    /// four times as large.
    split_two:
    "vle64.v v16, (t1)",
    "vle64.v v18, (t2)",
    split_pair!("v0" "v2", "v8" "v10", "v16" "v18"),
    "add  t1, t1, t6",
    "add  t2, t2, t6",
    "vle64.v v16, (t1)",
    "vle64.v v18, (t2)",
    split_pair!("v4" "v6", "v12" "v14", "v16" "v18"),
    "vle64.v v16, (t4)",
    "vle64.v v18, (t5)",
    split_pair!("v0" "v2", "v4" "v6", "v16" "v18"),
    split_pair!("v8" "v10", "v12" "v14", "v16" "v18"),
}

/// Defines a function to compute two layers on `blocks` blocks. A block consists of four adjacent
/// values, and each lane processes a block. The real parts of the four values are in `v0`, `v2`,
/// `v4` and `v6`, and the imaginary parts are in `v8`, `v10`, `v12` and `v14`. `fa0` to `fa5`
/// contain the roots with the indices 1, 2 and 3. The real part of a root precedes the imaginary
/// part. To use a root, the given lines copy it to all lanes of `v16` and `v18`.
macro_rules! four_adjacent {
    ($(#[$doc:meta])* $name:ident: $($line:expr),+ $(,)?) => {
        vector_function! {
            $(#[$doc])*
            fn $name(re: *mut f64, im: *mut f64, rre: *const u64, rim: *const u64, blocks: usize);
            "fld  fa0, 8(a2)",
            "fld  fa1, 8(a3)",
            "fld  fa2, 16(a2)",
            "fld  fa3, 16(a3)",
            "fld  fa4, 24(a2)",
            "fld  fa5, 24(a3)",
            "2:",
            "vsetvli t0, a4, e64, m2, ta, ma",
            "vlseg4e64.v v0, (a0)",
            "vlseg4e64.v v8, (a1)",
            $($line,)+
            "vsseg4e64.v v0, (a0)",
            "vsseg4e64.v v8, (a1)",
            "slli t1, t0, 5",
            "add  a0, a0, t1",
            "add  a1, a1, t1",
            "sub  a4, a4, t0",
            "bnez a4, 2b",
        }
    };
}

four_adjacent! {
    /// Merges pairs of values, and then pairs of blocks with two values.
    merge_adjacent:
    "vfmv.v.f v16, fa0",
    "vfmv.v.f v18, fa1",
    merge_pair!("v0" "v8", "v2" "v10", "v16" "v18"),
    merge_pair!("v4" "v12", "v6" "v14", "v16" "v18"),
    "vfmv.v.f v16, fa2",
    "vfmv.v.f v18, fa3",
    merge_pair!("v0" "v8", "v4" "v12", "v16" "v18"),
    "vfmv.v.f v16, fa4",
    "vfmv.v.f v18, fa5",
    merge_pair!("v2" "v10", "v6" "v14", "v16" "v18"),
}

four_adjacent! {
    /// Computes the inverse of [`merge_adjacent`] without the two factors 1/2, which makes the
    /// results four times as large.
    split_adjacent:
    "vfmv.v.f v16, fa2",
    "vfmv.v.f v18, fa3",
    split_pair!("v0" "v8", "v4" "v12", "v16" "v18"),
    "vfmv.v.f v16, fa4",
    "vfmv.v.f v18, fa5",
    split_pair!("v2" "v10", "v6" "v14", "v16" "v18"),
    "vfmv.v.f v16, fa0",
    "vfmv.v.f v18, fa1",
    split_pair!("v0" "v8", "v2" "v10", "v16" "v18"),
    split_pair!("v4" "v12", "v6" "v14", "v16" "v18"),
}

/// Defines a function to split or merge rows of `quarter` values:
///
/// - `t` contains four rows: two rows of real parts, followed by two rows of imaginary parts.
/// - `f` contains four rows: the real parts and the imaginary parts of a polynomial, followed by
///   the real parts and the imaginary parts of a second polynomial.
///
/// When the given lines start, `v16` and `v18` contain the roots from `rre` and `rim`. The
/// registers `t1`, `t2` and `t3` contain the addresses of the rows 2, 3 and 4 in `t`. The registers
/// `t4`, `t5` and `t6` contain the addresses of these rows in `f`.
macro_rules! halves {
    ($(#[$doc:meta])* $name:ident($t:ty, $f:ty): $($line:expr),+ $(,)?) => {
        vector_function! {
            $(#[$doc])*
            fn $name(t: $t, f: $f, quarter: usize, rre: *const u64, rim: *const u64);
            "slli a5, a2, 3",
            "2:",
            "vsetvli t0, a2, e64, m2, ta, ma",
            "add  t1, a0, a5",
            "add  t2, t1, a5",
            "add  t3, t2, a5",
            "add  t4, a1, a5",
            "add  t5, t4, a5",
            "add  t6, t5, a5",
            "vle64.v v16, (a3)",
            "vle64.v v18, (a4)",
            $($line,)+
            "slli t1, t0, 3",
            "add  a0, a0, t1",
            "add  a1, a1, t1",
            "add  a3, a3, t1",
            "add  a4, a4, t1",
            "sub  a2, a2, t0",
            "bnez a2, 2b",
        }
    };
}

halves! {
    /// Splits `t` into the two polynomials in `f`.
    split(*const f64, *mut f64):
    "li   a6, 1022", // the bits of 1/2
    "slli a6, a6, 52",
    "fmv.d.x fa0, a6",
    "vle64.v v0, (a0)",
    "vle64.v v4, (t1)",
    "vle64.v v2, (t2)",
    "vle64.v v6, (t3)",
    split_pair!("v0" "v2", "v4" "v6", "v16" "v18"),
    "vfmul.vf v0, v0, fa0",
    "vfmul.vf v2, v2, fa0",
    "vfmul.vf v4, v4, fa0",
    "vfmul.vf v6, v6, fa0",
    "vse64.v v0, (a1)",
    "vse64.v v2, (t4)",
    "vse64.v v4, (t5)",
    "vse64.v v6, (t6)",
}

halves! {
    /// Merges the two polynomials in `f` into `t`.
    merge(*mut f64, *const f64):
    "vle64.v v0, (a1)",
    "vle64.v v2, (t4)",
    "vle64.v v4, (t5)",
    "vle64.v v6, (t6)",
    merge_pair!("v0" "v2", "v4" "v6", "v16" "v18"),
    "vse64.v v0, (a0)",
    "vse64.v v4, (t1)",
    "vse64.v v2, (t2)",
    "vse64.v v6, (t3)",
}

/// Processes a half of the rows z, t0, t1 and l: sets z to `t0 + (t1 - z) l`, and t1 to the
/// previous value of z. z is in the registers `$re` and `$im`. The rows t0, t1 and l are in memory.
/// For each of these three rows, two registers contain the addresses of the real parts and of the
/// imaginary parts:
///
/// - `t1` and `t2` for the row t1
/// - `t3` and `t4` for the row l
/// - `t5` and `t6` for the row t0
macro_rules! left_target {
    ($re:literal $im:literal) => {
        concat!(
            "vle64.v v8, (t1)\n",
            "vle64.v v10, (t2)\n",
            "vle64.v v12, (t3)\n",
            "vle64.v v14, (t4)\n",
            "vfsub.vv v8, v8, ", $re, "\n",
            "vfsub.vv v10, v10, ", $im, "\n",
            "vse64.v ", $re, ", (t1)\n",
            "vse64.v ", $im, ", (t2)\n",
            mul!("v20" "v22", "v8" "v10", "v12" "v14", "v24"), "\n",
            "vle64.v v8, (t5)\n",
            "vle64.v v10, (t6)\n",
            "vfadd.vv ", $re, ", v8, v20\n",
            "vfadd.vv ", $im, ", v10, v22",
        )
    };
}

vector_function! {
    /// Computes the targets for the left child, as `left_targets_into` in `engine::falcon::tree`
    /// does. The rows `w`, `l10`, `t0` and `t1` have `4 * quarter` values. `w` is stored like `f`
    /// in [`merge`], and the other rows like `t`.
    fn left_targets(
        w: *mut f64,
        l10: *const f64,
        t0: *const f64,
        t1: *mut f64,
        quarter: usize,
        rre: *const u64,
        rim: *const u64,
    );
    "slli a7, a4, 3",
    "li   t0, 1022", // the bits of 1/2
    "slli t0, t0, 52",
    "fmv.d.x fa0, t0",
    "2:",
    "vsetvli t0, a4, e64, m2, ta, ma",
    "vle64.v v16, (a5)",
    "vle64.v v18, (a6)",
    "add  t1, a0, a7",
    "add  t2, t1, a7",
    "add  t3, t2, a7",
    "vle64.v v0, (a0)",
    "vle64.v v2, (t1)",
    "vle64.v v4, (t2)",
    "vle64.v v6, (t3)",
    merge_pair!("v0" "v2", "v4" "v6", "v16" "v18"),
    "slli t4, a7, 1",
    "mv   t1, a3",
    "add  t2, a3, t4",
    "mv   t3, a1",
    "mv   t5, a2",
    "add  t6, a2, t4",
    "add  t4, a1, t4",
    left_target!("v0" "v2"),
    "add  t1, t1, a7",
    "add  t2, t2, a7",
    "add  t3, t3, a7",
    "add  t4, t4, a7",
    "add  t5, t5, a7",
    "add  t6, t6, a7",
    left_target!("v4" "v6"),
    split_pair!("v0" "v2", "v4" "v6", "v16" "v18"),
    "vfmul.vf v0, v0, fa0",
    "vfmul.vf v2, v2, fa0",
    "vfmul.vf v4, v4, fa0",
    "vfmul.vf v6, v6, fa0",
    "add  t1, a0, a7",
    "add  t2, t1, a7",
    "add  t3, t2, a7",
    "vse64.v v0, (a0)",
    "vse64.v v2, (t1)",
    "vse64.v v4, (t2)",
    "vse64.v v6, (t3)",
    "slli t1, t0, 3",
    "add  a0, a0, t1",
    "add  a1, a1, t1",
    "add  a2, a2, t1",
    "add  a3, a3, t1",
    "add  a5, a5, t1",
    "add  a6, a6, t1",
    "sub  a4, a4, t0",
    "bnez a4, 2b",
}
