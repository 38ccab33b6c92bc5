//! The constants of Keccak-f\[1600\], and a permutation in place (FIPS 202, section 3).
//!
//! This permutation does not need a second state. In addition to the state, the permutation needs
//! only 40 bytes for the step theta, and memory for a lane (a 64-bit word) that moves to its next
//! position. Machines with little memory use this permutation. The compiler also uses it to compute
//! constants, because code in constants cannot be generic over a level (an instruction set). The
//! permutation in `shake` works on vectors and keeps the state in registers.
//!
//! All data may be secret. The time does not depend on the data.

use crate::simd::{KECCAK_IN_REGISTERS, keccak_constant};

/// The number of rounds in a permutation.
pub const ROUNDS: usize = 24;

/// The round constants, from the degree-8 LFSR in FIPS 202, section 3.2.5.
pub static ROUND_CONSTANTS: [u64; ROUNDS] = CONSTANTS;

/// The [`ROUND_CONSTANTS`], for code that the compiler evaluates.
const CONSTANTS: [u64; ROUNDS] = {
    let mut table = [0u64; ROUNDS];
    let mut lfsr = 1u8;
    let mut round = 0;
    while round < ROUNDS {
        let mut j = 0;
        while j < 7 {
            if lfsr & 1 == 1 {
                table[round] |= 1 << ((1 << j) - 1);
            }
            let carry = lfsr >> 7;
            lfsr = (lfsr << 1) ^ (carry * 0x71);
            j += 1;
        }
        round += 1;
    }
    table
};

/// The [`ROUND_CONSTANTS`] in the form for the level's assembly ([`U64s::keccak_rounds`]).
///
/// [`U64s::keccak_rounds`]: crate::simd::U64s::keccak_rounds
static ASSEMBLY_CONSTANTS: [u64; ROUNDS] = {
    let mut table = CONSTANTS;
    let mut round = 0;
    while round < ROUNDS {
        table[round] = keccak_constant(table[round]);
        round += 1;
    }
    table
};

/// Returns the table of round constants for permuting a single state: the table for assembly if
/// this build has assembly that keeps the state in registers, and otherwise [`ROUND_CONSTANTS`].
pub const fn constants_in_use() -> &'static [u64; ROUNDS] {
    if KECCAK_IN_REGISTERS { &ASSEMBLY_CONSTANTS } else { &ROUND_CONSTANTS }
}

/// The lanes in the order in which rho and pi move them. The lane in entry `t` moves to the
/// position of the lane in entry `t + 1`. The moves form a cycle of 24 lanes, so the last entry
/// repeats the first. Lane `(x, y)` in FIPS 202 has the number `x + 5y`. Lane 0 does not move.
const PI_LANES: [usize; 25] = {
    let mut lanes = [0; 25];
    let mut x = 1;
    let mut y = 0;
    let mut t = 0;
    while t < 25 {
        lanes[t] = x + 5 * y;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    lanes
};

/// Returns the rotation of the lane in entry `t` of [`PI_LANES`] when it moves.
const fn rotation(t: usize) -> u32 {
    ((t + 1) * (t + 2) / 2 % 64) as u32
}

/// Entry `to` is `(from, rotation)`: lane `from` moves to position `to`, and is rotated by
/// `rotation` bits (rho and pi, FIPS 202, sections 3.2.2 and 3.2.3).
pub const MOVES: [(usize, u32); 25] = {
    let mut table = [(0, 0); 25];
    let mut t = 0;
    while t < 24 {
        table[PI_LANES[t + 1]] = (PI_LANES[t], rotation(t));
        t += 1;
    }
    table
};

/// The number of rounds that were computed since the start, modulo `2^32`. Only builds for
/// microcontrollers count rounds, because the tables with measurements on microcontrollers contain
/// the number of rounds.
#[cfg(all(feature = "testing", target_os = "none"))]
pub static ROUNDS_COMPUTED: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);

/// Adds to `ROUNDS_COMPUTED`, if the build has this counter.
#[cfg_attr(not(all(feature = "testing", target_os = "none")), expect(unused_variables, reason = "nothing is counted"))]
#[inline(always)]
pub fn count_rounds(count: usize) {
    #[cfg(all(feature = "testing", target_os = "none"))]
    {
        use core::sync::atomic::Ordering::Relaxed;
        // A load and a store are enough, because microcontrollers have a single thread. Small
        // microcontrollers have no atomic operations except for these two.
        ROUNDS_COMPUTED.store(ROUNDS_COMPUTED.load(Relaxed).wrapping_add(count as u32), Relaxed);
    }
}

/// Computes the rounds with the given constants, in place.
pub const fn compute_rounds(a: &mut [u64; 25], mut constants: &[u64]) {
    while let [constant, rest @ ..] = constants {
        constants = rest;
        let mut c = [0; 5];
        macro_rules! columns {
            ($($x:literal)*) => {$(
                c[$x] = a[$x] ^ a[$x + 5] ^ a[$x + 10] ^ a[$x + 15] ^ a[$x + 20];
            )*};
        }
        columns!(0 1 2 3 4);
        // Theta adds `d[x]` to each lane in column `x`.
        let d = [
            c[4] ^ c[1].rotate_left(1),
            c[0] ^ c[2].rotate_left(1),
            c[1] ^ c[3].rotate_left(1),
            c[2] ^ c[4].rotate_left(1),
            c[3] ^ c[0].rotate_left(1),
        ];
        a[0] ^= d[0];
        // Rho and pi: each step writes a lane to its next position, and keeps the lane that was
        // there.
        let mut carried_lane = a[PI_LANES[0]];
        macro_rules! moves {
            ($($t:literal)*) => {$({
                const FROM: usize = PI_LANES[$t];
                const TO: usize = PI_LANES[$t + 1];
                const ROTATION: u32 = rotation($t);
                let next = a[TO];
                a[TO] = (carried_lane ^ d[FROM % 5]).rotate_left(ROTATION);
                carried_lane = next;
            })*};
        }
        moves!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);
        // `carried_lane` now contains lane `PI_LANES[0]`, which the first step has already moved.
        let _moved = carried_lane;
        // Chi, in each row.
        let (mut rows, _) = a.as_chunks_mut::<5>();
        while let [row, rest @ ..] = rows {
            let [b0, b1, b2, b3, b4] = *row;
            *row = [b0 ^ (!b1 & b2), b1 ^ (!b2 & b3), b2 ^ (!b3 & b4), b3 ^ (!b4 & b0), b4 ^ (!b0 & b1)];
            rows = rest;
        }
        // Iota.
        a[0] ^= *constant;
    }
}

/// Permutes a state. This function can be used in constants.
pub const fn permute(a: &mut [u64; 25]) {
    compute_rounds(a, &CONSTANTS);
}
