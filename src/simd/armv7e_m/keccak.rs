//! The Keccak rounds in assembly, in place (FIPS 202, section 3).
//!
//! Compiled code stores two states on the stack, and needs 15,700 instructions for a permutation.
//! This code needs 9,100 instructions and 52 stack bytes. Ten registers contain the values that
//! theta adds to the columns, three registers contain the current lane and an intermediate value,
//! and one register contains the state's address. Rho and pi move 24 lanes in a cycle. This code
//! follows the cycle backward: it overwrites a position just after it has moved the lane from this
//! position.
//!
//! A rotation takes four instructions with shifts. With products, it takes three: the product of a
//! word and `2^n` contains the bits that stay in the word, and the bits that move to the other
//! word. Products need two more registers. The cycle starts at lane 6, so that the first 12 lanes
//! include all lanes in column 4. After these lanes, the registers for the value of column 4 are
//! free.
//!
//! If a lane's even and odd bits were in separate words, a rotation would need one instruction per
//! word. But it takes 1,800 instructions to convert 25 lanes to this form and back, which is more
//! than the form saves.

use core::arch::naked_asm;

/// Returns the register for the lower half (`low!`) or the upper half (`high!`) of one of five
/// 64-bit values: the parities of the columns, the values that theta adds, or the lanes of a row.
macro_rules! low {
    (0) => {
        "r4"
    };
    (1) => {
        "r6"
    };
    (2) => {
        "r8"
    };
    (3) => {
        "r10"
    };
    (4) => {
        "r12"
    };
}
macro_rules! high {
    (0) => {
        "r5"
    };
    (1) => {
        "r7"
    };
    (2) => {
        "r9"
    };
    (3) => {
        "r11"
    };
    (4) => {
        "lr"
    };
}

/// Loads the three words below r0, and adds them to the column parities in the given registers.
/// Moves r0 to the first of these words. Changes r1, r2 and r3.
macro_rules! xor_words {
    ($first:literal, $second:literal, $third:literal) => {
        concat!(
            "ldmdb r0!, {{r1, r2, r3}}\n",
            "eor ",
            $first,
            ", ",
            $first,
            ", r1\n",
            "eor ",
            $second,
            ", ",
            $second,
            ", r2\n",
            "eor ",
            $third,
            ", ",
            $third,
            ", r3",
        )
    };
}

/// Adds a lane in the registers `$low` and `$high`, rotated by one bit, to the value for column
/// `$x`.
macro_rules! xor_rotated_lane {
    ($low:expr, $high:expr; to $x:tt) => {
        concat!(
            "eor ",
            low!($x),
            ", ",
            low!($x),
            ", ",
            $low,
            ", lsl #1\n",
            "eor ",
            low!($x),
            ", ",
            low!($x),
            ", ",
            $high,
            ", lsr #31\n",
            "eor ",
            high!($x),
            ", ",
            high!($x),
            ", ",
            $high,
            ", lsl #1\n",
            "eor ",
            high!($x),
            ", ",
            high!($x),
            ", ",
            $low,
            ", lsr #31",
        )
    };
}

/// Adds theta's value for a column to the lane in r1 and r2, rotates the lane to the left by `by`
/// bits, and writes it to position `to`. Changes r3. `d` is the number by which `low!` and `high!`
/// return the value's registers.
macro_rules! rotate_and_move {
    (to $to:literal: d $d:tt, by $n:literal) => {
        rotate_and_move!($to, $d, "r1", "r2", $n)
    };
    (to $to:literal: d $d:tt, by 32 and $n:literal) => {
        rotate_and_move!($to, $d, "r2", "r1", $n)
    };
    ($to:literal, $d:tt, $low:literal, $high:literal, $n:literal) => {
        concat!(
            "eor r1, r1, ",
            low!($d),
            "\n",
            "eor r2, r2, ",
            high!($d),
            "\n",
            "lsl r3, ",
            $low,
            ", #",
            $n,
            "\n",
            "orr r3, r3, ",
            $high,
            ", lsr #32-",
            $n,
            "\n",
            "lsl ",
            $high,
            ", ",
            $high,
            ", #",
            $n,
            "\n",
            "orr ",
            $high,
            ", ",
            $high,
            ", ",
            $low,
            ", lsr #32-",
            $n,
            "\n",
            "strd r3, ",
            $high,
            ", [r0, #8*",
            $to,
            "]",
        )
    };
}

/// Works like `rotate_and_move!`, but rotates by products. Also changes r10 and r11.
macro_rules! multiply_and_move {
    (to $to:literal: d $d:tt, by $n:literal) => {
        multiply_and_move!($to, $d, "r1", "r2", $n)
    };
    (to $to:literal: d $d:tt, by 32 and $n:literal) => {
        multiply_and_move!($to, $d, "r2", "r1", $n)
    };
    ($to:literal, $d:tt, $low:literal, $high:literal, $n:literal) => {
        concat!(
            "eor r1, r1, ",
            low!($d),
            "\n",
            "eor r2, r2, ",
            high!($d),
            "\n",
            "mov r3, #1 << ",
            $n,
            "\n",
            "umull r10, r11, ",
            $low,
            ", r3\n",
            "umlal r11, r10, ",
            $high,
            ", r3\n",
            "strd r10, r11, [r0, #8*",
            $to,
            "]",
        )
    };
}

/// Loads lane `$from` to r1 and r2.
macro_rules! lane {
    ($from:literal) => {
        concat!("ldrd r1, r2, [r0, #8*", $from, "]")
    };
}

/// Computes chi for the words in a row, either all lower halves or all upper halves. Changes r1, r2
/// and r3.
macro_rules! chi {
    ($half:ident) => {
        concat!(
            "bic r1, ", $half!(0), ", ", $half!(4), "\n",
            "bic r2, ", $half!(1), ", ", $half!(0), "\n",
            chi!($half: 0 1 2),
            chi!($half: 1 2 3),
            chi!($half: 2 3 4),
            "eor ", $half!(3), ", ", $half!(3), ", r1\n",
            "eor ", $half!(4), ", ", $half!(4), ", r2",
        )
    };
    ($half:ident: $a:tt $b:tt $c:tt) => {
        concat!(
            "bic r3, ", $half!($c), ", ", $half!($b), "\n",
            "eor ", $half!($a), ", ", $half!($a), ", r3\n",
        )
    };
}

/// Computes Keccak rounds on a state with 25 lanes: a round for each constant from `constants` to
/// `end`. The caller must ensure that there is at least one constant, and that `end` is the address
/// after the last constant.
#[unsafe(naked)]
pub unsafe extern "C" fn rounds(state: *mut u64, constants: *const u64, end: *const u64) {
    naked_asm!(
        cpu_directive!(),
        "sub r2, r2, #8",
        "push {{r1, r2, r4-r11, lr}}",
        // Reserve 8 bytes for a lane, below the saved pointers to the next and to the last
        // constant.
        "sub sp, sp, #8",
        "add r0, r0, #160",
        "ldm r0, {{r4-r12, lr}}",
        "2:",
        // Compute the column parities. The registers contain the last row, and r0 is its address.
        xor_words!("r11", "r12", "lr"),
        xor_words!("r8", "r9", "r10"),
        xor_words!("r5", "r6", "r7"),
        xor_words!("r12", "lr", "r4"),
        xor_words!("r9", "r10", "r11"),
        xor_words!("r6", "r7", "r8"),
        xor_words!("lr", "r4", "r5"),
        xor_words!("r10", "r11", "r12"),
        xor_words!("r7", "r8", "r9"),
        xor_words!("r4", "r5", "r6"),
        xor_words!("r11", "r12", "lr"),
        xor_words!("r8", "r9", "r10"),
        xor_words!("r5", "r6", "r7"),
        "ldr r1, [r0, #-4]!",
        "eor r4, r4, r1",
        // Compute the values that theta adds. The value for column 0 is computed in the registers
        // for column 4. Then the values for columns 2, 4, 1 and 3 are computed in the registers for
        // columns 1, 3, 0 and 2, in this order.
        "mov r1, r12",
        "mov r2, lr",
        xor_rotated_lane!(low!(1), high!(1); to 4),
        xor_rotated_lane!(low!(3), high!(3); to 1),
        xor_rotated_lane!(low!(0), high!(0); to 3),
        xor_rotated_lane!(low!(2), high!(2); to 0),
        xor_rotated_lane!("r1", "r2"; to 2),
        // Theta, rho and pi. Lane 0 keeps its position. Lane 6 is saved on the stack, because its
        // position is overwritten first.
        lane!(0),
        "eor r1, r1, r12",
        "eor r2, r2, lr",
        "strd r1, r2, [r0]",
        lane!(6),
        "strd r1, r2, [sp]",
        lane!(9),
        rotate_and_move!(to 6: d 3, by 20),
        lane!(22),
        rotate_and_move!(to 9: d 1, by 32 and 29),
        lane!(14),
        rotate_and_move!(to 22: d 3, by 32 and 7),
        lane!(20),
        rotate_and_move!(to 14: d 4, by 18),
        lane!(2),
        rotate_and_move!(to 20: d 1, by 32 and 30),
        lane!(12),
        rotate_and_move!(to 2: d 1, by 32 and 11),
        lane!(13),
        rotate_and_move!(to 12: d 2, by 25),
        lane!(19),
        rotate_and_move!(to 13: d 3, by 8),
        lane!(23),
        rotate_and_move!(to 19: d 2, by 32 and 24),
        lane!(15),
        rotate_and_move!(to 23: d 4, by 32 and 9),
        lane!(4),
        rotate_and_move!(to 15: d 3, by 27),
        lane!(24),
        rotate_and_move!(to 4: d 3, by 14),
        // The values for column 4 are not needed any more.
        lane!(21),
        multiply_and_move!(to 24: d 0, by 2),
        lane!(8),
        multiply_and_move!(to 21: d 2, by 32 and 23),
        lane!(16),
        multiply_and_move!(to 8: d 0, by 32 and 13),
        lane!(5),
        multiply_and_move!(to 16: d 4, by 32 and 4),
        lane!(3),
        multiply_and_move!(to 5: d 2, by 28),
        lane!(18),
        multiply_and_move!(to 3: d 2, by 21),
        lane!(17),
        multiply_and_move!(to 18: d 1, by 15),
        lane!(11),
        multiply_and_move!(to 17: d 0, by 10),
        lane!(7),
        multiply_and_move!(to 11: d 1, by 6),
        lane!(10),
        multiply_and_move!(to 7: d 4, by 3),
        lane!(1),
        multiply_and_move!(to 10: d 0, by 1),
        "ldrd r1, r2, [sp]",
        multiply_and_move!(to 1: d 0, by 32 and 12),
        // Chi, row by row, and iota in the first row.
        "ldm r0, {{r4-r12, lr}}",
        chi!(low),
        chi!(high),
        // The flags of this comparison are used at the end of the round.
        "ldrd r1, r2, [sp, #8]",
        "cmp r1, r2",
        "ldrd r2, r3, [r1], #8",
        "str r1, [sp, #8]",
        "eor r4, r4, r2",
        "eor r5, r5, r3",
        "stm r0!, {{r4-r12, lr}}",
        "ldm r0, {{r4-r12, lr}}",
        chi!(low),
        chi!(high),
        "stm r0!, {{r4-r12, lr}}",
        "ldm r0, {{r4-r12, lr}}",
        chi!(low),
        chi!(high),
        "stm r0!, {{r4-r12, lr}}",
        "ldm r0, {{r4-r12, lr}}",
        chi!(low),
        chi!(high),
        "stm r0!, {{r4-r12, lr}}",
        "ldm r0, {{r4-r12, lr}}",
        chi!(low),
        chi!(high),
        "stm r0, {{r4-r12, lr}}",
        "bne 2b",
        "add sp, sp, #16",
        "pop {{r4-r11, pc}}",
    )
}
