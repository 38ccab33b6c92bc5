//! The Keccak rounds in assembly, in place (FIPS 202, section 3).
//!
//! Compiled code stores two states on the stack, and needs 15,700 instructions for a permutation.
//! This code needs 7,400 instructions for SHAKE256, 7,600 for SHAKE128, and 52 stack bytes. Ten
//! registers contain the values that theta adds to the columns. Three registers contain the current
//! lane and an intermediate value. One register contains the state's address. Rho and pi move 24
//! lanes in a cycle. This code follows the cycle backward: it overwrites a position just after it
//! has moved the lane from this position.
//!
//! A word contains the even bits or the odd bits of a lane. To rotate the lane, it is enough to
//! rotate both words, and to swap them if the distance is odd. The rounds need no instruction that
//! only rotates a word. Instead, the state contains rotated words, and a word's distance depends
//! only on its position ([`ROTATIONS`]). The second operand of an `eor` or a `bic` can be rotated
//! at no cost, so the code rotates this operand until it matches the first operand.
//!
//! Rho would change the distances in each round, but chi can undo this. Chi computes `a ^ (!b &
//! c)`. The code can store this value with the rotation of `a` or with the rotation of `c`. It uses
//! the rotation of `c` for lane 3, where `c` is lane 0, and the rotation of `a` for all other
//! lanes. So the distances are the same after each round: lane 0 does not move, and all other lanes
//! move through 24 positions in a cycle. At position 3, chi gives them lane 0's rotation.
//!
//! The lanes that a sponge reads are converted to this form before the first round, and back after
//! the last round. To convert a lane, the code moves each of the 64 bits: the six bits of the new
//! index are the six bits of the old index, in a different order. An exchange swaps two index bits,
//! and five exchanges convert a lane. An exchange takes four instructions if one of the two index
//! bits selects the word. The lanes that the sponge does not read always keep the form of the
//! rounds.

use core::arch::naked_asm;

/// The distances by which words are stored rotated to the left. Word `2i` contains the even bits of
/// lane `i`, and word `2i + 1` contains the odd bits. Entries 56 and 57 are the distances for the
/// words of lane 3 between pi and chi. The even bits of lane 0 are also rotated, because this
/// rotation saves instructions for most lanes in `enter_lane!`.
const ROTATIONS: [u32; 58] = {
    let mut table = [0; 58];
    let mut even = 31;
    let mut odd = 0;
    (table[0], table[1]) = (even, odd);
    let mut lane = 3;
    let mut moved = 0;
    while moved < 24 {
        (table[2 * lane], table[2 * lane + 1]) = (even, odd);
        let by = rho(lane) / 2;
        (even, odd) =
            if rho(lane).is_multiple_of(2) { (even + 32 - by, odd + 32 - by) } else { (odd + 31 - by, even + 32 - by) };
        (even, odd) = (even % 32, odd % 32);
        lane = lane / 5 + 5 * ((2 * (lane % 5) + 3 * (lane / 5)) % 5);
        moved += 1;
    }
    (table[56], table[57]) = (even, odd);
    table
};

/// Returns the distance by which rho rotates a lane to the left. Range: `lane` is not 0.
const fn rho(lane: usize) -> u32 {
    let mut x = 1;
    let mut y = 0;
    let mut t = 0;
    while x + 5 * y != lane {
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    (t + 1) * (t + 2) / 2 % 64
}

/// Returns a round constant in the form for [`rounds`]: the even bits in the lower half, and the
/// odd bits in the upper half, each rotated by the distance for lane 0's word.
pub const fn stored_constant(constant: u64) -> u64 {
    let mut words = [0u32; 2];
    let mut rest = constant;
    let mut i = 0;
    while i < 64 {
        words[i % 2] = (words[i % 2] >> 1) | ((rest as u32 & 1) << 31);
        rest >>= 1;
        i += 1;
    }
    words[0].rotate_left(ROTATIONS[0]) as u64 | (words[1].rotate_left(ROTATIONS[1]) as u64) << 32
}

/// Returns the last argument of [`rounds`] for constants that end before the address `end`: the
/// address of the last constant, or one less for long blocks, which have more than 17 words.
#[inline(always)]
pub fn last_constant(end: *const u64, block_words: usize) -> *const u64 {
    end.wrapping_byte_sub(8 + usize::from(block_words > 17))
}

/// Joins literals.
macro_rules! text {
    ($($part:literal)*) => { concat!($($part),*) };
}

/// Returns the register for a word of a row, or for a word of the column parities. Word `2i`
/// contains the even bits of lane `i` in the row, or of the parity of column `i`. Word `2i + 1`
/// contains the odd bits.
macro_rules! word {
    (0) => {
        "r4"
    };
    (1) => {
        "r5"
    };
    (2) => {
        "r6"
    };
    (3) => {
        "r7"
    };
    (4) => {
        "r8"
    };
    (5) => {
        "r9"
    };
    (6) => {
        "r10"
    };
    (7) => {
        "r11"
    };
    (8) => {
        "r12"
    };
    (9) => {
        "lr"
    };
}

/// Writes an instruction with the operands `$a` and `$b`. Words are stored rotated, so the
/// instruction rotates `$b` until `$b` is rotated by the same distance as `$a`. The argument `[row
/// word]` after an operand selects the operand's distance, an entry of [`ROTATIONS`]. `$extra` is
/// added to the entry for `$b`.
macro_rules! aligned {
    ($operation:literal $to:expr, $a:expr, [$row_a:literal $word_a:tt], $b:expr, [$row_b:literal $word_b:tt] $($extra:literal)?) => {
        concat!(
            $operation, " ", $to, ", ", $a, ", ", $b,
            ", ror #({r", $row_b, $word_b, "}", $($extra,)? "-{r", $row_a, $word_a, "})&31\n",
        )
    };
}

/// Loads the three words before address r0, and adds these words to the column parities. The
/// parities are rotated like the words of row 4. Sets r0 to the address of the first of the three
/// words. Changes r1, r2 and r3.
macro_rules! xor_words {
    ($row_a:literal $a:tt, $row_b:literal $b:tt, $row_c:literal $c:tt) => {
        concat!(
            "ldmdb r0!, {{r1, r2, r3}}\n",
            aligned!("eor" word!($a), word!($a), [4 $a], "r1", [$row_a $a]),
            aligned!("eor" word!($b), word!($b), [4 $b], "r2", [$row_b $b]),
            aligned!("eor" word!($c), word!($c), [4 $c], "r3", [$row_c $c]),
        )
    };
}

/// Adds a first column's parity, rotated by one bit, to a second column's parity. The arguments
/// before and after `to` are the words of the two parities. Writes the sums to the registers
/// `$sum_even` and `$sum_odd`, which are the second parity's registers by default. The sums' words
/// are stored rotated by the same distances as the second parity's words.
macro_rules! add_rotated {
    ($even:tt $odd:tt to $to_even:tt $to_odd:tt, in $sum_even:expr, $sum_odd:expr) => {
        concat!(
            aligned!("eor" $sum_even, word!($to_even), [4 $to_even], word!($odd), [4 $odd] "-1"),
            aligned!("eor" $sum_odd, word!($to_odd), [4 $to_odd], word!($even), [4 $even]),
        )
    };
    ($even:tt $odd:tt to $to_even:tt $to_odd:tt) => {
        add_rotated!($even $odd to $to_even $to_odd, in word!($to_even), word!($to_odd))
    };
}

/// Adds theta's value for a column to a lane. `$lane` has the form `[row even odd]`: it selects the
/// entries of [`ROTATIONS`] for the lane's two words.
macro_rules! add_theta {
    (column 0, $lane:tt in $even:literal $odd:literal) => {
        add_theta!("r1" 8, "r2" 9, $lane, $even, $odd)
    };
    (column 1, $lane:tt in $even:literal $odd:literal) => {
        add_theta!("r4" 0, "r5" 1, $lane, $even, $odd)
    };
    (column 2, $lane:tt in $even:literal $odd:literal) => {
        add_theta!("r6" 2, "r7" 3, $lane, $even, $odd)
    };
    (column 3, $lane:tt in $even:literal $odd:literal) => {
        add_theta!("r8" 4, "r9" 5, $lane, $even, $odd)
    };
    (column 4, $lane:tt in $even:literal $odd:literal) => {
        add_theta!("r10" 6, "r11" 7, $lane, $even, $odd)
    };
    ($add_even:literal $a:tt, $add_odd:literal $b:tt, [$row:literal $i:tt $j:tt], $even:literal, $odd:literal) => {
        concat!(
            aligned!("eor" $even, $even, [$row $i], $add_even, [4 $a]),
            aligned!("eor" $odd, $odd, [$row $j], $add_odd, [4 $b]),
        )
    };
}

/// Adds theta's value for a column to the lane at `$from`, and writes the lane to position `to`.
/// Rho exchanges the words if it rotates by an odd distance. Changes r12 and lr.
macro_rules! move_lane {
    (from $from:literal $lane:tt, column $x:tt, even, to $to:literal) => {
        concat!(
            text!("ldrd r12, lr, [" $from "]\n"),
            add_theta!(column $x, $lane in "r12" "lr"),
            text!("strd r12, lr, [r0, #8*" $to "]"),
        )
    };
    (from $from:literal $lane:tt, column $x:tt, odd, to $to:literal) => {
        concat!(
            text!("ldrd r12, lr, [" $from "]\n"),
            add_theta!(column $x, $lane in "r12" "lr"),
            text!("strd lr, r12, [r0, #8*" $to "]"),
        )
    };
}

/// Computes chi for the words in a row, either all even or all odd. Each argument `[row word]`
/// selects a word's entry of [`ROTATIONS`]. The result for lane 3 is rotated by lane 0's distance
/// if `$lane_3` is `moved`, and by lane 3's distance if it is `kept`. Changes r1, r2 and r3.
macro_rules! chi {
    ([$p:literal $a:tt] [$q:literal $b:tt] [$r:literal $c:tt] [$s:literal $d:tt] [$t:literal $e:tt] $lane_3:ident) => {
        concat!(
            aligned!("bic" "r1", word!($a), [$p $a], word!($e), [$t $e]),
            aligned!("bic" "r2", word!($b), [$q $b], word!($a), [$p $a]),
            chi!([$p $a] [$q $b] [$r $c]),
            chi!([$q $b] [$r $c] [$s $d]),
            chi!([$r $c] [$s $d] [$t $e]),
            chi!($lane_3 [$s $d] [$p $a]),
            aligned!("eor" word!($e), word!($e), [$t $e], "r2", [$q $b]),
        )
    };
    ([$p:literal $a:tt] [$q:literal $b:tt] [$r:literal $c:tt]) => {
        concat!(
            aligned!("bic" "r3", word!($c), [$r $c], word!($b), [$q $b]),
            aligned!("eor" word!($a), word!($a), [$p $a], "r3", [$r $c]),
        )
    };
    (kept [$s:literal $d:tt] [$p:literal $a:tt]) => {
        aligned!("eor" word!($d), word!($d), [$s $d], "r1", [$p $a])
    };
    (moved [$s:literal $d:tt] [$p:literal $a:tt]) => {
        aligned!("eor" word!($d), "r1", [$p $a], word!($d), [$s $d])
    };
}

/// Computes chi for a row of words at address r0, and moves r0 to the next row.
macro_rules! chi_row {
    ($row:literal) => {
        concat!(
            "ldm r0, {{r4-r12, lr}}\n",
            chi!([$row 0] [$row 2] [$row 4] [$row 6] [$row 8] kept),
            chi!([$row 1] [$row 3] [$row 5] [$row 7] [$row 9] kept),
            "stm r0!, {{r4-r12, lr}}",
        )
    };
}

/// Exchanges half of the bits in `$even` with half of the bits in `$odd`. `$by` is a power of two.
/// A bit in `$even` moves to `$odd` if `$by` is set in the bit's index. A bit in `$odd` moves to
/// `$even` if `$by` is not set in the bit's index: `$mask` selects these bits. Writes the new even
/// word to `$to`. Changes r3.
macro_rules! exchange {
    ($to:literal from $even:literal, $odd:literal by $by:literal, $mask:literal) => {
        text!(
            "eor r3, " $odd ", " $even ", lsr #" $by "\n"
            "and r3, r3, #" $mask "\n"
            "eor " $odd ", " $odd ", r3\n"
            "eor " $to ", " $even ", r3, lsl #" $by "\n"
        )
    };
}

/// Computes the first four of the five exchanges that convert a lane to even and odd bits. Changes
/// r3 and r12.
macro_rules! split_lane {
    ($even:literal $odd:literal) => {
        concat!(
            text!("pkhbt r12, " $even ", " $odd ", lsl #16\n"),
            text!("pkhtb " $odd ", " $odd ", " $even ", asr #16\n"),
            exchange!($even from "r12", $odd by 8, 0x00ff00ff),
            exchange!($even from $even, $odd by 4, 0x0f0f0f0f),
            exchange!($even from $even, $odd by 2, 0x33333333),
        )
    };
}

/// Computes the last of the five exchanges for a lane, and rotates the two words by their distances
/// in [`ROTATIONS`]. The mask in register `$mask` is 0x55555555, rotated by the distance for the
/// odd bits. `equal` is for a lane with two equal distances. Changes r3.
macro_rules! enter_lane {
    ($even:literal $odd:literal, [$row:literal $i:tt $j:tt], $mask:literal) => {
        concat!(
            enter_lane!(odd $even $odd, [$row $j], $mask),
            // The even bits of this lane are rotated by one less than the odd bits.
            text!("eor " $even ", r3, " $even ", ror #(1-{r" $row $j "})&31\n"),
        )
    };
    (equal $even:literal $odd:literal, [$row:literal $i:tt $j:tt], $mask:literal) => {
        concat!(
            enter_lane!(odd $even $odd, [$row $j], $mask),
            text!("ror " $even ", " $even ", #(-{r" $row $i "})&31\n"),
            text!("eor " $even ", " $even ", r3, ror #31\n"),
        )
    };
    (odd $even:literal $odd:literal, [$row:literal $j:tt], $mask:literal) => {
        concat!(
            text!("eor r3, " $odd ", " $even ", lsr #1\n"),
            text!("and r3, " $mask ", r3, ror #(-{r" $row $j "})&31\n"),
            text!("eor " $odd ", r3, " $odd ", ror #(-{r" $row $j "})&31\n"),
        )
    };
}

/// Computes the first of the five exchanges that convert a lane back. Rotates the odd bits to their
/// places. The even bits stay rotated to the right by one bit. r1 contains 0x55555555. Changes r3.
macro_rules! leave_lane {
    ($even:literal $odd:literal, [$row:literal $i:tt $j:tt]) => {
        text!(
            "eor r3, " $odd ", " $even ", ror #({r" $row $i "}+1-{r" $row $j "})&31\n"
            "and r3, r1, r3, ror #{r" $row $j "}\n"
            "eor " $odd ", r3, " $odd ", ror #{r" $row $j "}\n"
            "eor " $even ", r3, " $even ", ror #({r" $row $i "}+1)&31\n"
        )
    };
}

/// Computes the last four of the five exchanges that convert a lane back, after `leave_lane!`. r2
/// contains 0xcccccccc. Changes r3 and r12.
macro_rules! join_lane {
    ($even:literal $odd:literal) => {
        concat!(
            text!("eor r3, " $odd ", " $even ", ror #1\n"),
            "and r3, r2, r3, ror #30\n",
            text!("eor " $odd ", " $odd ", r3, lsr #2\n"),
            text!("eor " $even ", r3, " $even ", ror #31\n"),
            exchange!($even from $even, $odd by 4, 0x0f0f0f0f),
            exchange!("r12" from $even, $odd by 8, 0x00ff00ff),
            text!("pkhbt " $even ", r12, " $odd ", lsl #16\n"),
            text!("pkhtb " $odd ", " $odd ", r12, asr #16\n"),
        )
    };
}

/// Computes Keccak rounds on a state with 25 lanes: a round for each constant from `constants` on.
/// `last` is a result of [`last_constant`]. There must be at least one constant, and the constants
/// are in the form of [`stored_constant`]. Before and after the call, the lanes from number 17 on
/// (for long blocks, from number 21 on) are in the form of the rounds: even and odd bits are
/// separate, and their words are rotated. All lanes before them are in their usual form. A lane
/// that contains 0 is the same in both forms.
#[unsafe(naked)]
pub unsafe extern "C" fn rounds(state: *mut u64, constants: *const u64, last: *const u64) {
    naked_asm!(
        cpu_directive!(),
        // Reserve 8 bytes for a lane, below the saved pointers to the next and to the last
        // constant.
        "push {{r1, r2, r4-r11, lr}}",
        "sub sp, sp, #8",
        // Convert lane 0, and then four lanes at a time.
        "mov r1, #0x55555555",
        "mov r2, #0xaaaaaaaa",
        "ldrd r10, r11, [r0]",
        "bl 5f",
        enter_lane!("r10" "r11", [0 0 1], "r1"),
        "strd r10, r11, [r0], #8",
        "ldm r0, {{r4-r11}}",
        "bl 4f",
        enter_lane!("r4" "r5", [0 2 3], "r1"),
        enter_lane!("r6" "r7", [0 4 5], "r1"),
        enter_lane!("r8" "r9", [0 6 7], "r1"),
        enter_lane!("r10" "r11", [0 8 9], "r1"),
        "stm r0!, {{r4-r11}}",
        "ldm r0, {{r4-r11}}",
        "bl 4f",
        enter_lane!("r4" "r5", [1 0 1], "r1"),
        enter_lane!("r6" "r7", [1 2 3], "r1"),
        enter_lane!("r8" "r9", [1 4 5], "r1"),
        enter_lane!(equal "r10" "r11", [1 6 7], "r2"),
        "stm r0!, {{r4-r11}}",
        "ldm r0, {{r4-r11}}",
        "bl 4f",
        enter_lane!("r4" "r5", [1 8 9], "r1"),
        enter_lane!(equal "r6" "r7", [2 0 1], "r2"),
        enter_lane!("r8" "r9", [2 2 3], "r2"),
        enter_lane!(equal "r10" "r11", [2 4 5], "r2"),
        "stm r0!, {{r4-r11}}",
        "ldm r0, {{r4-r11}}",
        "bl 4f",
        enter_lane!("r4" "r5", [2 6 7], "r1"),
        enter_lane!("r6" "r7", [2 8 9], "r1"),
        enter_lane!(equal "r8" "r9", [3 0 1], "r1"),
        enter_lane!("r10" "r11", [3 2 3], "r1"),
        "stm r0!, {{r4-r11}}",
        "ldr r3, [sp, #12]",
        "lsls r3, r3, #31",
        "beq 1f",
        "ldm r0, {{r4-r11}}",
        "bl 4f",
        enter_lane!("r4" "r5", [3 4 5], "r1"),
        enter_lane!(equal "r6" "r7", [3 6 7], "r1"),
        enter_lane!("r8" "r9", [3 8 9], "r1"),
        enter_lane!("r10" "r11", [4 0 1], "r2"),
        "stm r0!, {{r4-r11}}",
        "sub r0, r0, #32",
        "1:",
        "add r0, r0, #24",
        "ldm r0, {{r4-r12, lr}}",
        "2:",
        // Compute the column parities. The registers contain row 4, and r0 is its address.
        xor_words!(3 7, 3 8, 3 9),
        xor_words!(3 4, 3 5, 3 6),
        xor_words!(3 1, 3 2, 3 3),
        xor_words!(2 8, 2 9, 3 0),
        xor_words!(2 5, 2 6, 2 7),
        xor_words!(2 2, 2 3, 2 4),
        xor_words!(1 9, 2 0, 2 1),
        xor_words!(1 6, 1 7, 1 8),
        xor_words!(1 3, 1 4, 1 5),
        xor_words!(1 0, 1 1, 1 2),
        xor_words!(0 7, 0 8, 0 9),
        xor_words!(0 4, 0 5, 0 6),
        xor_words!(0 1, 0 2, 0 3),
        "ldr r1, [r0, #-4]!",
        aligned!("eor" "r4", "r4", [4 0], "r1", [0 0]),
        // Compute the values that theta adds, for columns 0, 2, 4, 1 and 3. The value for column 0
        // is in r1 and r2. The values for columns 2, 4, 1 and 3 overwrite the parities of columns
        // 1, 3, 0 and 2.
        add_rotated!(2 3 to 8 9, in "r1", "r2"),
        add_rotated!(6 7 to 2 3),
        add_rotated!(0 1 to 6 7),
        add_rotated!(4 5 to 0 1),
        add_rotated!(8 9 to 4 5),
        // Theta, rho and pi. Lane 6 is saved on the stack, because its position is overwritten
        // first. Lane 0 keeps its position.
        "ldrd r12, lr, [r0, #8*6]",
        "strd r12, lr, [sp]",
        move_lane!(from "r0, #8*9" [1 8 9], column 4, even, to 6),
        move_lane!(from "r0, #8*22" [4 4 5], column 2, odd, to 9),
        move_lane!(from "r0, #8*14" [2 8 9], column 4, odd, to 22),
        move_lane!(from "r0, #8*20" [4 0 1], column 0, even, to 14),
        move_lane!(from "r0, #8*2" [0 4 5], column 2, even, to 20),
        move_lane!(from "r0, #8*12" [2 4 5], column 2, odd, to 2),
        move_lane!(from "r0, #8*13" [2 6 7], column 3, odd, to 12),
        move_lane!(from "r0, #8*19" [3 8 9], column 4, even, to 13),
        move_lane!(from "r0, #8*23" [4 6 7], column 3, even, to 19),
        move_lane!(from "r0, #8*15" [3 0 1], column 0, odd, to 23),
        move_lane!(from "r0, #8*4" [0 8 9], column 4, odd, to 15),
        move_lane!(from "r0, #8*24" [4 8 9], column 4, even, to 4),
        move_lane!(from "r0, #8*21" [4 2 3], column 1, even, to 24),
        move_lane!(from "r0, #8*8" [1 6 7], column 3, odd, to 21),
        move_lane!(from "r0, #8*16" [3 2 3], column 1, odd, to 8),
        move_lane!(from "r0, #8*5" [1 0 1], column 0, even, to 16),
        move_lane!(from "r0, #8*3" [0 6 7], column 3, even, to 5),
        move_lane!(from "r0, #8*18" [3 6 7], column 3, odd, to 3),
        move_lane!(from "r0, #8*17" [3 4 5], column 2, odd, to 18),
        move_lane!(from "r0, #8*11" [2 2 3], column 1, even, to 17),
        move_lane!(from "r0, #8*7" [1 4 5], column 2, even, to 11),
        move_lane!(from "r0, #8*10" [2 0 1], column 0, odd, to 7),
        move_lane!(from "r0, #8*1" [0 2 3], column 1, odd, to 10),
        move_lane!(from "sp" [1 2 3], column 1, even, to 1),
        // Chi, row by row, and the rest of theta and iota in row 0.
        "ldm r0, {{r4-r12, lr}}",
        add_theta!(column 0, [0 0 1] in "r4" "r5"),
        chi!([0 0] [0 2] [0 4] [5 6] [0 8] moved),
        chi!([0 1] [0 3] [0 5] [5 7] [0 9] moved),
        // This comparison's flags are used at the end of the round.
        "ldrd r1, r2, [sp, #8]",
        "cmp r1, r2",
        "ldrd r2, r3, [r1], #8",
        "str r1, [sp, #8]",
        "eor r4, r4, r2",
        "eor r5, r5, r3",
        "stm r0!, {{r4-r12, lr}}",
        chi_row!(1),
        chi_row!(2),
        chi_row!(3),
        "ldm r0, {{r4-r12, lr}}",
        chi!([4 0] [4 2] [4 4] [4 6] [4 8] kept),
        chi!([4 1] [4 3] [4 5] [4 7] [4 9] kept),
        "stm r0, {{r4-r12, lr}}",
        "blo 2b",
        // Convert the lanes back.
        "sub r0, r0, #160",
        "mov r1, #0x55555555",
        "mov r2, #0xcccccccc",
        "ldrd r10, r11, [r0]",
        leave_lane!("r10" "r11", [0 0 1]),
        "bl 7f",
        "strd r10, r11, [r0], #8",
        "ldm r0, {{r4-r11}}",
        leave_lane!("r4" "r5", [0 2 3]),
        leave_lane!("r6" "r7", [0 4 5]),
        leave_lane!("r8" "r9", [0 6 7]),
        leave_lane!("r10" "r11", [0 8 9]),
        "bl 6f",
        "stm r0!, {{r4-r11}}",
        "ldm r0, {{r4-r11}}",
        leave_lane!("r4" "r5", [1 0 1]),
        leave_lane!("r6" "r7", [1 2 3]),
        leave_lane!("r8" "r9", [1 4 5]),
        leave_lane!("r10" "r11", [1 6 7]),
        "bl 6f",
        "stm r0!, {{r4-r11}}",
        "ldm r0, {{r4-r11}}",
        leave_lane!("r4" "r5", [1 8 9]),
        leave_lane!("r6" "r7", [2 0 1]),
        leave_lane!("r8" "r9", [2 2 3]),
        leave_lane!("r10" "r11", [2 4 5]),
        "bl 6f",
        "stm r0!, {{r4-r11}}",
        "ldm r0, {{r4-r11}}",
        leave_lane!("r4" "r5", [2 6 7]),
        leave_lane!("r6" "r7", [2 8 9]),
        leave_lane!("r8" "r9", [3 0 1]),
        leave_lane!("r10" "r11", [3 2 3]),
        "bl 6f",
        "stm r0!, {{r4-r11}}",
        "ldr r3, [sp, #12]",
        "lsls r3, r3, #31",
        "beq 3f",
        "ldm r0, {{r4-r11}}",
        leave_lane!("r4" "r5", [3 4 5]),
        leave_lane!("r6" "r7", [3 6 7]),
        leave_lane!("r8" "r9", [3 8 9]),
        leave_lane!("r10" "r11", [4 0 1]),
        "bl 6f",
        "stm r0!, {{r4-r11}}",
        "3:",
        "add sp, sp, #16",
        "pop {{r4-r11, pc}}",
        // Convert four lanes to even and odd bits, except the last exchange.
        "4:",
        split_lane!("r4" "r5"),
        split_lane!("r6" "r7"),
        split_lane!("r8" "r9"),
        "5:",
        split_lane!("r10" "r11"),
        "bx lr",
        // Convert four lanes back, after the first exchange.
        "6:",
        join_lane!("r4" "r5"),
        join_lane!("r6" "r7"),
        join_lane!("r8" "r9"),
        "7:",
        join_lane!("r10" "r11"),
        "bx lr",
        r00 = const ROTATIONS[0],
        r01 = const ROTATIONS[1],
        r02 = const ROTATIONS[2],
        r03 = const ROTATIONS[3],
        r04 = const ROTATIONS[4],
        r05 = const ROTATIONS[5],
        r06 = const ROTATIONS[6],
        r07 = const ROTATIONS[7],
        r08 = const ROTATIONS[8],
        r09 = const ROTATIONS[9],
        r10 = const ROTATIONS[10],
        r11 = const ROTATIONS[11],
        r12 = const ROTATIONS[12],
        r13 = const ROTATIONS[13],
        r14 = const ROTATIONS[14],
        r15 = const ROTATIONS[15],
        r16 = const ROTATIONS[16],
        r17 = const ROTATIONS[17],
        r18 = const ROTATIONS[18],
        r19 = const ROTATIONS[19],
        r20 = const ROTATIONS[20],
        r21 = const ROTATIONS[21],
        r22 = const ROTATIONS[22],
        r23 = const ROTATIONS[23],
        r24 = const ROTATIONS[24],
        r25 = const ROTATIONS[25],
        r26 = const ROTATIONS[26],
        r27 = const ROTATIONS[27],
        r28 = const ROTATIONS[28],
        r29 = const ROTATIONS[29],
        r30 = const ROTATIONS[30],
        r31 = const ROTATIONS[31],
        r32 = const ROTATIONS[32],
        r33 = const ROTATIONS[33],
        r34 = const ROTATIONS[34],
        r35 = const ROTATIONS[35],
        r36 = const ROTATIONS[36],
        r37 = const ROTATIONS[37],
        r38 = const ROTATIONS[38],
        r39 = const ROTATIONS[39],
        r40 = const ROTATIONS[40],
        r41 = const ROTATIONS[41],
        r42 = const ROTATIONS[42],
        r43 = const ROTATIONS[43],
        r44 = const ROTATIONS[44],
        r45 = const ROTATIONS[45],
        r46 = const ROTATIONS[46],
        r47 = const ROTATIONS[47],
        r48 = const ROTATIONS[48],
        r49 = const ROTATIONS[49],
        r56 = const ROTATIONS[56],
        r57 = const ROTATIONS[57],
    )
}
