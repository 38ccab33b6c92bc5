//! Keccak with the base instructions of 64-bit RISC-V, which do not include rotations or `andn`.
//!
//! Compiled code, which stores some of the 25 words in memory, needs 6,655 instructions for a
//! permutation. This code keeps the words in 25 of the 28 registers that a function can use, so
//! that it needs only 5,159 instructions. Six words are stored inverted between the rounds, as
//! described in `engine::hash::vector_round`. Branches depend only on the number of rounds.

use core::arch::naked_asm;

/// Expands to a register name. The arguments 0 to 24 are the state words. `A`, `B` and `C` are
/// registers for intermediate values.
macro_rules! lane {
    (0) => {
        "a0"
    };
    (1) => {
        "a1"
    };
    (2) => {
        "a2"
    };
    (3) => {
        "a3"
    };
    (4) => {
        "a4"
    };
    (5) => {
        "a5"
    };
    (6) => {
        "a6"
    };
    (7) => {
        "a7"
    };
    (8) => {
        "s0"
    };
    (9) => {
        "s1"
    };
    (10) => {
        "s2"
    };
    (11) => {
        "s3"
    };
    (12) => {
        "s4"
    };
    (13) => {
        "s5"
    };
    (14) => {
        "s6"
    };
    (15) => {
        "s7"
    };
    (16) => {
        "s8"
    };
    (17) => {
        "s9"
    };
    (18) => {
        "s10"
    };
    (19) => {
        "s11"
    };
    (20) => {
        "t2"
    };
    (21) => {
        "t3"
    };
    (22) => {
        "t4"
    };
    (23) => {
        "t5"
    };
    (24) => {
        "t6"
    };
    (A) => {
        "t0"
    };
    (B) => {
        "t1"
    };
    (C) => {
        "ra"
    };
}

/// Builds an instruction with three registers, or with two registers and a number.
macro_rules! op {
    ($op:literal $to:tt, $a:tt, $b:tt) => {
        concat!($op, " ", lane!($to), ", ", lane!($a), ", ", lane!($b))
    };
    ($op:literal $to:tt, $a:tt by $n:literal) => {
        concat!($op, " ", lane!($to), ", ", lane!($a), ", ", $n)
    };
}

/// Sets `to` to the parity of the column with the words `a` to `e`.
macro_rules! parity {
    ($to:tt: $a:tt $b:tt $c:tt $d:tt $e:tt) => {
        concat!(
            op!("xor" $to, $a, $b), "\n",
            op!("xor" $to, $to, $c), "\n",
            op!("xor" $to, $to, $d), "\n",
            op!("xor" $to, $to, $e),
        )
    };
}

/// Computes theta for a column, the words `a` to `e`: adds the parity `before`, and the parity
/// `next` rotated by one bit, to each word. Changes `before`, `next` and C.
macro_rules! theta {
    ($before:tt $next:tt: $a:tt $b:tt $c:tt $d:tt $e:tt) => {
        concat!(
            op!("slli" C, $next by 1), "\n",
            op!("srli" $next, $next by 63), "\n",
            op!("xor" $before, $before, C), "\n",
            op!("xor" $before, $before, $next), "\n",
            op!("xor" $a, $a, $before), "\n",
            op!("xor" $b, $b, $before), "\n",
            op!("xor" $c, $c, $before), "\n",
            op!("xor" $d, $d, $before), "\n",
            op!("xor" $e, $e, $before),
        )
    };
}

/// Sets word `to` to word `from`, rotated to the left by the first number. The second number is 64
/// minus the first number.
macro_rules! rotate_word {
    ($to:tt $from:tt $left:literal $right:literal) => {
        concat!(
            op!("slli" A, $from by $left), "\n",
            op!("srli" $to, $from by $right), "\n",
            op!("or" $to, $to, A),
        )
    };
}

/// Computes chi for a row. The given lines compute words 0, 1 and 2 of the row, in this order.
/// Before these lines, the instructions `$for3` and `$for4` (`and` or `or`) compute the values that
/// will be added to words 3 and 4. They must come first, because they read words 0 and 1, which the
/// given lines overwrite.
macro_rules! chi {
    ($b0:tt $b1:tt $b2:tt $b3:tt $b4:tt: $for3:literal $for4:literal; $($line:expr),+) => {
        concat!(
            op!($for3 A, $b4, $b0), "\n",
            op!($for4 B, $b0, $b1), "\n",
            $($line, "\n",)+
            op!("xor" $b3, $b3, A), "\n",
            op!("xor" $b4, $b4, B),
        )
    };
}

/// Computes `x = x ^ (b op c)`.
macro_rules! xor_combined {
    ($op:literal $x:tt, $b:tt, $c:tt) => {
        concat!(op!($op C, $b, $c), "\n", op!("xor" $x, $x, C))
    };
}

/// Computes `x = x ^ (!b | c)`.
macro_rules! xor_or_not {
    ($x:tt, $b:tt, $c:tt) => {
        concat!(op!("xori" C, $b by "-1"), "\n", op!("or" C, C, $c), "\n", op!("xor" $x, $x, C))
    };
}

/// Computes Keccak rounds on a state of 25 words: a round for each constant from `constants` to
/// `end`, which should be the address after the last constant. There must be at least one constant.
#[unsafe(naked)]
pub unsafe extern "C" fn rounds(state: *mut u64, constants: *const u64, end: *const u64) {
    naked_asm!(
        "addi sp, sp, -160",
        "sd   ra, 56(sp)",
        "sd   s0, 64(sp)",
        "sd   s1, 72(sp)",
        "sd   s2, 80(sp)",
        "sd   s3, 88(sp)",
        "sd   s4, 96(sp)",
        "sd   s5, 104(sp)",
        "sd   s6, 112(sp)",
        "sd   s7, 120(sp)",
        "sd   s8, 128(sp)",
        "sd   s9, 136(sp)",
        "sd   s10, 144(sp)",
        "sd   s11, 152(sp)",
        "sd   a1, 32(sp)",
        "sd   a2, 40(sp)",
        "sd   a0, 48(sp)",
        "ld   s0, 64(a0)",
        "ld   s1, 72(a0)",
        "ld   s2, 80(a0)",
        "ld   s3, 88(a0)",
        "ld   s4, 96(a0)",
        "ld   s5, 104(a0)",
        "ld   s6, 112(a0)",
        "ld   s7, 120(a0)",
        "ld   s8, 128(a0)",
        "ld   s9, 136(a0)",
        "ld   s10, 144(a0)",
        "ld   s11, 152(a0)",
        "ld   t2, 160(a0)",
        "ld   t3, 168(a0)",
        "ld   t4, 176(a0)",
        "ld   t5, 184(a0)",
        "ld   t6, 192(a0)",
        "ld   a1, 8(a0)",
        "ld   a2, 16(a0)",
        "ld   a3, 24(a0)",
        "ld   a4, 32(a0)",
        "ld   a5, 40(a0)",
        "ld   a6, 48(a0)",
        "ld   a7, 56(a0)",
        "ld   a0, 0(a0)",
        op!("xori" 1, 1 by "-1"),
        op!("xori" 2, 2 by "-1"),
        op!("xori" 8, 8 by "-1"),
        op!("xori" 12, 12 by "-1"),
        op!("xori" 17, 17 by "-1"),
        op!("xori" 20, 20 by "-1"),
        "2:",
        // The parities for columns 0 to 4 are stored in memory until they are needed.
        parity!(A: 1 6 11 16 21),
        "sd   t0, 8(sp)",
        parity!(A: 0 5 10 15 20),
        "sd   t0, 0(sp)",
        parity!(B: 2 7 12 17 22),
        "sd   t1, 16(sp)",
        theta!(A B: 1 6 11 16 21),
        parity!(B: 3 8 13 18 23),
        "sd   t1, 24(sp)",
        "ld   t0, 8(sp)",
        theta!(A B: 2 7 12 17 22),
        parity!(B: 4 9 14 19 24),
        "ld   t0, 16(sp)",
        "sd   t1, 16(sp)",
        theta!(A B: 3 8 13 18 23),
        "ld   t0, 16(sp)",
        "ld   t1, 8(sp)",
        theta!(A B: 0 5 10 15 20),
        "ld   t0, 24(sp)",
        "ld   t1, 0(sp)",
        theta!(A B: 4 9 14 19 24),
        // Rho and pi move 24 words in a cycle. Each line rotates a word, and moves it to the
        // position of the word in the previous line.
        "mv   ra, a1",
        rotate_word!(1 6 44 20),
        rotate_word!(6 9 20 44),
        rotate_word!(9 22 61 3),
        rotate_word!(22 14 39 25),
        rotate_word!(14 20 18 46),
        rotate_word!(20 2 62 2),
        rotate_word!(2 12 43 21),
        rotate_word!(12 13 25 39),
        rotate_word!(13 19 8 56),
        rotate_word!(19 23 56 8),
        rotate_word!(23 15 41 23),
        rotate_word!(15 4 27 37),
        rotate_word!(4 24 14 50),
        rotate_word!(24 21 2 62),
        rotate_word!(21 8 55 9),
        rotate_word!(8 16 45 19),
        rotate_word!(16 5 36 28),
        rotate_word!(5 3 28 36),
        rotate_word!(3 18 21 43),
        rotate_word!(18 17 15 49),
        rotate_word!(17 11 10 54),
        rotate_word!(11 7 6 58),
        rotate_word!(7 10 3 61),
        rotate_word!(10 C 1 63),
        // Chi, row by row.
        chi!(0 1 2 3 4: "or" "and"; xor_combined!("or" 0, 1, 2), xor_or_not!(1, 2, 3), xor_combined!("and" 2, 3, 4)),
        chi!(5 6 7 8 9: "or" "and"; xor_combined!("or" 5, 6, 7), xor_combined!("and" 6, 7, 8), xor_or_not!(7, 9, 8)),
        chi!(10 11 12 13 14: "or" "and";
            xor_combined!("or" 10, 11, 12), xor_combined!("and" 11, 12, 13), op!("xori" 13, 13 by "-1"), xor_combined!("and" 12, 13, 14)),
        chi!(15 16 17 18 19: "and" "or";
            xor_combined!("and" 15, 16, 17), xor_combined!("or" 16, 17, 18), op!("xori" 18, 18 by "-1"), xor_combined!("or" 17, 18, 19)),
        chi!(20 21 22 23 24: "or" "and";
            op!("xori" 21, 21 by "-1"), xor_combined!("and" 20, 21, 22), xor_combined!("or" 21, 22, 23), xor_combined!("and" 22, 23, 24)),
        // Iota.
        "ld   t0, 32(sp)",
        "ld   t1, 0(t0)",
        "addi t0, t0, 8",
        "sd   t0, 32(sp)",
        "xor  a0, a0, t1",
        "ld   t1, 40(sp)",
        "bne  t0, t1, 2b",
        op!("xori" 1, 1 by "-1"),
        op!("xori" 2, 2 by "-1"),
        op!("xori" 8, 8 by "-1"),
        op!("xori" 12, 12 by "-1"),
        op!("xori" 17, 17 by "-1"),
        op!("xori" 20, 20 by "-1"),
        "ld   t0, 48(sp)",
        "sd   a0, 0(t0)",
        "sd   a1, 8(t0)",
        "sd   a2, 16(t0)",
        "sd   a3, 24(t0)",
        "sd   a4, 32(t0)",
        "sd   a5, 40(t0)",
        "sd   a6, 48(t0)",
        "sd   a7, 56(t0)",
        "sd   s0, 64(t0)",
        "sd   s1, 72(t0)",
        "sd   s2, 80(t0)",
        "sd   s3, 88(t0)",
        "sd   s4, 96(t0)",
        "sd   s5, 104(t0)",
        "sd   s6, 112(t0)",
        "sd   s7, 120(t0)",
        "sd   s8, 128(t0)",
        "sd   s9, 136(t0)",
        "sd   s10, 144(t0)",
        "sd   s11, 152(t0)",
        "sd   t2, 160(t0)",
        "sd   t3, 168(t0)",
        "sd   t4, 176(t0)",
        "sd   t5, 184(t0)",
        "sd   t6, 192(t0)",
        "ld   ra, 56(sp)",
        "ld   s0, 64(sp)",
        "ld   s1, 72(sp)",
        "ld   s2, 80(sp)",
        "ld   s3, 88(sp)",
        "ld   s4, 96(sp)",
        "ld   s5, 104(sp)",
        "ld   s6, 112(sp)",
        "ld   s7, 120(sp)",
        "ld   s8, 128(sp)",
        "ld   s9, 136(sp)",
        "ld   s10, 144(sp)",
        "ld   s11, 152(sp)",
        "addi sp, sp, 160",
        "ret",
    )
}
