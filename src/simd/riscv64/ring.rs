//! Operations on rows modulo q in assembly: NTT layers, products, and inverses for 16-bit numbers.
//!
//! The functions follow the C calling convention, which requires them to preserve the callee-saved
//! registers, but not the fixed-point rounding mode `vxrm`. The steps are equal to the steps of
//! `engine::falcon::modq`, so the ranges in the tables of that module are also valid here. Branches
//! depend only on lengths. The functions do not use divisions, permutations or masks, because these
//! instructions could take more time for some values on some processors.
//!
//! An NTT layer divides a row into blocks, to combine pairs of values at a fixed distance. Every
//! block has a root `z`, which is signed and in Montgomery form. `zq` is `z / q mod 2^16`.

use core::arch::naked_asm;

/// Defines an assembly function for the extension V.
macro_rules! vector_function {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $t:ty),* $(,)?); $($line:expr),+ $(,)?) => {
        $(#[$doc])*
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name($($arg: $t),*) {
            naked_asm!(".option push", ".option arch, +v", $($line),+, "ret", ".option pop")
        }
    };
}
pub(super) use vector_function;

/// Joins assembly lines.
macro_rules! lines {
    ($($line:expr),+ $(,)?) => { concat!($($line, "\n"),+) };
}
pub(super) use lines;

/// Builds an assembly line from three operands and an instruction name, which can be given
/// as two parts.
macro_rules! op {
    ($op:literal $($kind:literal)?: $a:literal, $b:literal, $c:literal) => {
        concat!($op, $($kind,)? " ", $a, ", ", $b, ", ", $c)
    };
}
pub(super) use op;

/// Computes `t = y z / 2^16 mod q`, signed, as `times` in `engine::falcon::modq::ntt` does. `z` and
/// `zq` are vectors if `$v` is `vv`, or scalar registers if `$v` is `vx`; q is in `$q`. The
/// register `t` must be different from `y` and `u`.
macro_rules! times {
    ($v:literal, $t:literal, $y:literal, $z:literal, $zq:literal, $q:literal, $u:literal) => {
        lines!(
            op!("vmul." $v: $u, $y, $zq),
            op!("vmulh." $v: $t, $y, $z),
            op!("vmulh.vx": $u, $u, $q),
            op!("vsub.vv": $t, $t, $u),
        )
    };
}

/// Computes `x = x mod q`, signed, as `x - round(3 x / 2^15) q`, with 3 in `$three`.
macro_rules! reduce {
    ($x:literal, $three:literal, $q:literal, $u:literal) => {
        lines!(
            op!("vsmul.vx": $u, $x, $three),
            op!("vnmsac.vx": $x, $q, $u),
        )
    };
}

/// Computes `(x, y) = (x + y z, x - y z)`.
macro_rules! forward_butterfly {
    ($v:literal, $x:literal, $y:literal, $z:literal, $zq:literal, $q:literal, $t:literal, $u:literal) => {
        lines!(
            times!($v, $t, $y, $z, $zq, $q, $u),
            op!("vsub.vv": $y, $x, $t),
            op!("vadd.vv": $x, $x, $t),
        )
    };
}

/// Computes `(x, y) = (x + y, (x - y) z)`.
macro_rules! inverse_butterfly {
    ($v:literal, $x:literal, $y:literal, $z:literal, $zq:literal, $q:literal, $t:literal, $u:literal) => {
        lines!(
            op!("vsub.vv": $t, $x, $y),
            op!("vadd.vv": $x, $x, $y),
            times!($v, $y, $t, $z, $zq, $q, $u),
        )
    };
}

/// Adds q to the negative numbers in `x`. Range: `|x| < q`.
macro_rules! canonical {
    ($x:literal, $q:literal, $u:literal) => {
        lines!(
            op!("vadd.vx": $u, $x, $q),
            op!("vminu.vv": $x, $x, $u),
        )
    };
}

/// Computes `t = a b / 2^16 mod q` in `[0, q)`, with `q^-1 mod 2^16` in `$qi`. `t` must be
/// different from `a`, `b` and `u`.
macro_rules! product {
    ($t:literal, $a:literal, $b:literal, $q:literal, $qi:literal, $u:literal) => {
        lines!(
            op!("vmul.vx": $u, $b, $qi),
            op!("vmul.vv": $u, $u, $a),
            op!("vmulhu.vv": $t, $a, $b),
            op!("vmulhu.vx": $u, $u, $q),
            op!("vsub.vv": $t, $t, $u),
            op!("vadd.vx": $u, $t, $q),
            op!("vminu.vv": $t, $t, $u),
        )
    };
}

/// Defines a function to compute two layers on `blocks` blocks, where a quarter of a block has
/// `quarter` values. The given lines compute on `v0`, `v4`, `v8` and `v12`, which contain values
/// from the first to the fourth quarter, and may use `v16` and `v20`. q is in `a5`, and 3 is in
/// `t2`. The roots are in these registers:
///
/// - for the longer distance: z in `a6`, zq in `a7`
/// - for the shorter distance, first root: z in `t3`, zq in `t4`
/// - for the shorter distance, second root: z in `t5`, zq in `t6`
macro_rules! two_layers {
    ($(#[$doc:meta])* $name:ident: $($line:expr),+ $(,)?) => {
        vector_function! {
            $(#[$doc])*
            fn $name(a: *mut u16, quarter: usize, z: *const u16, zq: *const u16, blocks: usize, q: u64);
            "addi sp, sp, -16",
            "sd   s0, 0(sp)",
            "sd   s1, 8(sp)",
            "csrwi vxrm, 0", // round to nearest, halves up
            "li   t2, 3",
            "slli s0, a4, 1",
            "add  s1, a3, s0", // roots of the longer distance, from index `blocks`
            "add  s0, a2, s0",
            "slli t0, a4, 2",
            "add  a2, a2, t0", // roots of the shorter distance, from index `2 blocks`
            "add  a3, a3, t0",
            "2:",
            "lh   a6, 0(s0)",
            "lh   a7, 0(s1)",
            "lh   t3, 0(a2)",
            "lh   t4, 0(a3)",
            "lh   t5, 2(a2)",
            "lh   t6, 2(a3)",
            "addi s0, s0, 2",
            "addi s1, s1, 2",
            "addi a2, a2, 4",
            "addi a3, a3, 4",
            "addi sp, sp, -32",
            "sd   a2, 0(sp)",
            "sd   a3, 8(sp)",
            "sd   a4, 16(sp)",
            "mv   a4, a1", // remaining values of a quarter
            "3:",
            "vsetvli t0, a4, e16, m4, ta, ma",
            "slli t1, a1, 1",
            "add  a2, a0, t1",
            "add  a3, a2, t1",
            "add  t1, a3, t1",
            "vle16.v v0, (a0)",
            "vle16.v v4, (a2)",
            "vle16.v v8, (a3)",
            "vle16.v v12, (t1)",
            $($line,)+
            "vse16.v v0, (a0)",
            "vse16.v v4, (a2)",
            "vse16.v v8, (a3)",
            "vse16.v v12, (t1)",
            "slli a2, t0, 1",
            "add  a0, a0, a2",
            "sub  a4, a4, t0",
            "bnez a4, 3b",
            "slli a2, a1, 1", // skip the other three quarters
            "add  a0, a0, a2",
            "slli a2, a2, 1",
            "add  a0, a0, a2",
            "ld   a2, 0(sp)",
            "ld   a3, 8(sp)",
            "ld   a4, 16(sp)",
            "addi sp, sp, 32",
            "addi a4, a4, -1",
            "bnez a4, 2b",
            "ld   s0, 0(sp)",
            "ld   s1, 8(sp)",
            "addi sp, sp, 16",
        }
    };
}

two_layers! {
    /// Computes two forward layers, with the distances `2 * quarter` and `quarter`. Range: `|x| <=
    /// 2 q` before and after.
    forward_two:
    reduce!("v0", "t2", "a5", "v16"),
    forward_butterfly!("vx", "v0", "v8", "a6", "a7", "a5", "v20", "v16"),
    reduce!("v4", "t2", "a5", "v16"),
    forward_butterfly!("vx", "v4", "v12", "a6", "a7", "a5", "v20", "v16"),
    forward_butterfly!("vx", "v0", "v4", "t3", "t4", "a5", "v20", "v16"),
    forward_butterfly!("vx", "v8", "v12", "t5", "t6", "a5", "v20", "v16"),
}

two_layers! {
    /// Computes the inverse of [`forward_two`], times 4. Range: `|x| <= 0.7 q` before and after.
    backward_two:
    inverse_butterfly!("vx", "v0", "v4", "t3", "t4", "a5", "v20", "v16"),
    inverse_butterfly!("vx", "v8", "v12", "t5", "t6", "a5", "v20", "v16"),
    reduce!("v0", "t2", "a5", "v16"),
    inverse_butterfly!("vx", "v0", "v8", "a6", "a7", "a5", "v20", "v16"),
    inverse_butterfly!("vx", "v4", "v12", "a6", "a7", "a5", "v20", "v16"),
    reduce!("v0", "t2", "a5", "v16"),
    reduce!("v4", "t2", "a5", "v16"),
}

/// Defines a function to compute a single layer on `blocks` blocks, where a half of a block has
/// `half` values. The given lines compute on `v0` and `v4`, which contain values from the two
/// halves, and may use `v16` and `v20`. The root is in `a6` (z) and `a7` (zq). q is in `a5`, and 3
/// is in `t2`.
macro_rules! one_layer {
    ($(#[$doc:meta])* $name:ident: $($line:expr),+ $(,)?) => {
        vector_function! {
            $(#[$doc])*
            fn $name(a: *mut u16, half: usize, z: *const u16, zq: *const u16, blocks: usize, q: u64);
            "csrwi vxrm, 0", // round to nearest, halves up
            "li   t2, 3",
            "slli t0, a4, 1", // roots from index `blocks`
            "add  a2, a2, t0",
            "add  a3, a3, t0",
            "slli t5, a1, 1",
            "2:",
            "lh   a6, 0(a2)",
            "lh   a7, 0(a3)",
            "addi a2, a2, 2",
            "addi a3, a3, 2",
            "mv   t4, a1", // remaining values of a half
            "3:",
            "vsetvli t0, t4, e16, m4, ta, ma",
            "add  t1, a0, t5",
            "vle16.v v0, (a0)",
            "vle16.v v4, (t1)",
            $($line,)+
            "vse16.v v0, (a0)",
            "vse16.v v4, (t1)",
            "slli t1, t0, 1",
            "add  a0, a0, t1",
            "sub  t4, t4, t0",
            "bnez t4, 3b",
            "add  a0, a0, t5", // skip the other half
            "addi a4, a4, -1",
            "bnez a4, 2b",
        }
    };
}

one_layer! {
    /// Computes a forward layer with the distance `half`. Range: `|x| <= 2 q` before, `1.36 q`
    /// after.
    forward_one:
    reduce!("v0", "t2", "a5", "v16"),
    forward_butterfly!("vx", "v0", "v4", "a6", "a7", "a5", "v20", "v16"),
}

one_layer! {
    /// Computes the inverse of [`forward_one`], times 2. Range: `|x| <= q` before, `0.7 q` after.
    backward_one:
    inverse_butterfly!("vx", "v0", "v4", "a6", "a7", "a5", "v20", "v16"),
    reduce!("v0", "t2", "a5", "v16"),
}

/// Defines a function to compute the three layers with the distances 4, 2 and 1 on `blocks` blocks
/// of eight values. Each lane processes a block. The given lines compute on `v0` to `v7`, which
/// contain the first to the eighth value of a block, and may use `v22` and `v23`. q is in `a4`, and
/// 3 is in `t2`. The roots are in these registers:
///
/// - for distance 4: z in `v8`, zq in `v9`
/// - for distance 2: z in `v10` and `v11`, zq in `v12` and `v13`
/// - for distance 1: z in `v14` to `v17`, zq in `v18` to `v21`
macro_rules! three_layers {
    ($(#[$doc:meta])* $name:ident: $($line:expr),+ $(,)?) => {
        vector_function! {
            $(#[$doc])*
            fn $name(a: *mut u16, blocks: usize, z: *const u16, zq: *const u16, q: u64);
            "csrwi vxrm, 0", // round to nearest, halves up
            "li   t2, 3",
            "slli t0, a1, 1", // roots from index `blocks`, `2 blocks` and `4 blocks`
            "add  a5, a2, t0",
            "add  a6, a3, t0",
            "add  t3, a5, t0",
            "add  t4, a6, t0",
            "slli t0, a1, 2",
            "add  t5, t3, t0",
            "add  t6, t4, t0",
            "2:",
            "vsetvli t0, a1, e16, m1, ta, ma",
            "vlseg8e16.v v0, (a0)",
            "vle16.v v8, (a5)",
            "vle16.v v9, (a6)",
            "vlseg2e16.v v10, (t3)",
            "vlseg2e16.v v12, (t4)",
            "vlseg4e16.v v14, (t5)",
            "vlseg4e16.v v18, (t6)",
            $($line,)+
            "vsseg8e16.v v0, (a0)",
            "slli t1, t0, 1",
            "add  a5, a5, t1",
            "add  a6, a6, t1",
            "slli t1, t0, 2",
            "add  t3, t3, t1",
            "add  t4, t4, t1",
            "slli t1, t0, 3",
            "add  t5, t5, t1",
            "add  t6, t6, t1",
            "slli t1, t0, 4",
            "add  a0, a0, t1",
            "sub  a1, a1, t0",
            "bnez a1, 2b",
        }
    };
}

three_layers! {
    /// Computes the last three forward layers. Range: `|x| <= 2 q` before, `1.36 q` after.
    forward_three:
    reduce!("v0", "t2", "a4", "v22"),
    forward_butterfly!("vv", "v0", "v4", "v8", "v9", "a4", "v23", "v22"),
    reduce!("v1", "t2", "a4", "v22"),
    forward_butterfly!("vv", "v1", "v5", "v8", "v9", "a4", "v23", "v22"),
    reduce!("v2", "t2", "a4", "v22"),
    forward_butterfly!("vv", "v2", "v6", "v8", "v9", "a4", "v23", "v22"),
    reduce!("v3", "t2", "a4", "v22"),
    forward_butterfly!("vv", "v3", "v7", "v8", "v9", "a4", "v23", "v22"),
    forward_butterfly!("vv", "v0", "v2", "v10", "v12", "a4", "v23", "v22"),
    forward_butterfly!("vv", "v1", "v3", "v10", "v12", "a4", "v23", "v22"),
    forward_butterfly!("vv", "v4", "v6", "v11", "v13", "a4", "v23", "v22"),
    forward_butterfly!("vv", "v5", "v7", "v11", "v13", "a4", "v23", "v22"),
    reduce!("v0", "t2", "a4", "v22"),
    forward_butterfly!("vv", "v0", "v1", "v14", "v18", "a4", "v23", "v22"),
    reduce!("v2", "t2", "a4", "v22"),
    forward_butterfly!("vv", "v2", "v3", "v15", "v19", "a4", "v23", "v22"),
    reduce!("v4", "t2", "a4", "v22"),
    forward_butterfly!("vv", "v4", "v5", "v16", "v20", "a4", "v23", "v22"),
    reduce!("v6", "t2", "a4", "v22"),
    forward_butterfly!("vv", "v6", "v7", "v17", "v21", "a4", "v23", "v22"),
}

three_layers! {
    /// Computes the inverse of [`forward_three`], times 8. Range: `|x| <= q` before, `0.7 q` after.
    backward_three:
    inverse_butterfly!("vv", "v0", "v1", "v14", "v18", "a4", "v23", "v22"),
    reduce!("v0", "t2", "a4", "v22"),
    inverse_butterfly!("vv", "v2", "v3", "v15", "v19", "a4", "v23", "v22"),
    reduce!("v2", "t2", "a4", "v22"),
    inverse_butterfly!("vv", "v4", "v5", "v16", "v20", "a4", "v23", "v22"),
    reduce!("v4", "t2", "a4", "v22"),
    inverse_butterfly!("vv", "v6", "v7", "v17", "v21", "a4", "v23", "v22"),
    reduce!("v6", "t2", "a4", "v22"),
    inverse_butterfly!("vv", "v0", "v2", "v10", "v12", "a4", "v23", "v22"),
    inverse_butterfly!("vv", "v1", "v3", "v10", "v12", "a4", "v23", "v22"),
    inverse_butterfly!("vv", "v4", "v6", "v11", "v13", "a4", "v23", "v22"),
    inverse_butterfly!("vv", "v5", "v7", "v11", "v13", "a4", "v23", "v22"),
    reduce!("v0", "t2", "a4", "v22"),
    inverse_butterfly!("vv", "v0", "v4", "v8", "v9", "a4", "v23", "v22"),
    reduce!("v0", "t2", "a4", "v22"),
    reduce!("v1", "t2", "a4", "v22"),
    inverse_butterfly!("vv", "v1", "v5", "v8", "v9", "a4", "v23", "v22"),
    reduce!("v1", "t2", "a4", "v22"),
    inverse_butterfly!("vv", "v2", "v6", "v8", "v9", "a4", "v23", "v22"),
    reduce!("v2", "t2", "a4", "v22"),
    inverse_butterfly!("vv", "v3", "v7", "v8", "v9", "a4", "v23", "v22"),
    reduce!("v3", "t2", "a4", "v22"),
}

vector_function! {
    /// Computes `x = x mod q` in `[0, q)`. Range: `|x| <= 2.22 q`.
    fn canonical(a: *mut u16, len: usize, q: u64);
    "csrwi vxrm, 0",
    "li   t2, 3",
    "2:",
    "vsetvli t0, a1, e16, m8, ta, ma",
    "vle16.v v0, (a0)",
    reduce!("v0", "t2", "a2", "v8"),
    canonical!("v0", "a2", "v8"),
    "vse16.v v0, (a0)",
    "slli t1, t0, 1",
    "add  a0, a0, t1",
    "sub  a1, a1, t0",
    "bnez a1, 2b",
}

vector_function! {
    /// Computes `x = x z / 2^16 mod q` in `[0, q)`, with `zq = z / q mod 2^16`. `x` can be any
    /// signed 16-bit number, and `|z| <= q/2`.
    fn scale(a: *mut u16, len: usize, z: i64, zq: i64, q: u64);
    "2:",
    "vsetvli t0, a1, e16, m8, ta, ma",
    "vle16.v v0, (a0)",
    times!("vx", "v8", "v0", "a2", "a3", "a4", "v16"),
    canonical!("v8", "a4", "v16"),
    "vse16.v v8, (a0)",
    "slli t1, t0, 1",
    "add  a0, a0, t1",
    "sub  a1, a1, t0",
    "bnez a1, 2b",
}

vector_function! {
    /// Computes `a = a b / 2^16 mod q` in `[0, q)`, with `qi = 1/q mod 2^16`. Range: `a < 2^16`,
    /// `b` in `[0, q)`.
    fn multiply(a: *mut u16, b: *const u16, len: usize, q: u64, qi: u64);
    "2:",
    "vsetvli t0, a2, e16, m8, ta, ma",
    "vle16.v v0, (a0)",
    "vle16.v v8, (a1)",
    product!("v16", "v0", "v8", "a3", "a4", "v24"),
    "vse16.v v16, (a0)",
    "slli t1, t0, 1",
    "add  a0, a0, t1",
    "add  a1, a1, t1",
    "sub  a2, a2, t0",
    "bnez a2, 2b",
}

vector_function! {
    /// Computes `a = a b / 2^16 mod q`, signed. The results have `|a| <= q`. `qi` is
    /// `1/q mod 2^16`. Range: `|a| <= 2 q`, `b` in `[0, q)`.
    fn multiply_signed(a: *mut u16, b: *const u16, len: usize, q: u64, qi: u64);
    "2:",
    "vsetvli t0, a2, e16, m8, ta, ma",
    "vle16.v v0, (a0)",
    "vle16.v v8, (a1)",
    "vmul.vx v16, v8, a4",
    "vmul.vv v16, v16, v0",
    "vmulh.vv v24, v0, v8",
    "vmulh.vx v16, v16, a3",
    "vsub.vv v24, v24, v16",
    "vse16.v v24, (a0)",
    "slli t1, t0, 1",
    "add  a0, a0, t1",
    "add  a1, a1, t1",
    "sub  a2, a2, t0",
    "bnez a2, 2b",
}

vector_function! {
    /// Computes `a = 2^16 / a mod q`, or zero if `a` is zero, in the same way as `inverse` in
    /// `engine::falcon::modq`. `r` is `2^32 mod q`, and `qi` is `1/q mod 2^16`. Range: `a` in
    /// `[0, q)`.
    fn invert(a: *mut u16, len: usize, r: u64, q: u64, qi: u64);
    "2:",
    "vsetvli t0, a1, e16, m4, ta, ma",
    "vle16.v v0, (a0)",
    "vmv.v.x v4, a2",
    product!("v8", "v0", "v4", "a3", "a4", "v28"),  // v8: x
    product!("v0", "v8", "v8", "a3", "a4", "v28"),
    product!("v4", "v0", "v8", "a3", "a4", "v28"),  // v4: x^3
    product!("v0", "v4", "v4", "a3", "a4", "v28"),
    product!("v12", "v0", "v0", "a3", "a4", "v28"),
    product!("v16", "v12", "v4", "a3", "a4", "v28"), // v16: x^15
    product!("v0", "v16", "v16", "a3", "a4", "v28"),
    product!("v4", "v0", "v0", "a3", "a4", "v28"),
    product!("v0", "v4", "v4", "a3", "a4", "v28"),
    product!("v4", "v0", "v0", "a3", "a4", "v28"),
    product!("v12", "v4", "v16", "a3", "a4", "v28"), // v12: x^255
    product!("v0", "v12", "v12", "a3", "a4", "v28"),
    product!("v4", "v0", "v0", "a3", "a4", "v28"),
    product!("v0", "v4", "v4", "a3", "a4", "v28"),
    product!("v4", "v0", "v0", "a3", "a4", "v28"),
    product!("v12", "v4", "v16", "a3", "a4", "v28"), // v12: x^4095
    product!("v0", "v12", "v8", "a3", "a4", "v28"),
    product!("v4", "v0", "v0", "a3", "a4", "v28"),
    product!("v0", "v4", "v12", "a3", "a4", "v28"),
    "vse16.v v0, (a0)",
    "slli t1, t0, 1",
    "add  a0, a0, t1",
    "sub  a1, a1, t0",
    "bnez a1, 2b",
}
