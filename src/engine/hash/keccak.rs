//! The constants of Keccak-f\[1600\], and the permutation in place (FIPS 202, section 3).
//!
//! In place a state needs no second one: 40 bytes for theta, and one lane on its way to the next. It is what machines with little
//! memory compute, and what the compiler computes for constants, where nothing can be generic over a level. `shake` has the
//! permutation over vectors, which keeps a state in registers.
//!
//! Everything that passes through may be secret; time depends on nothing.

/// The rounds of a permutation.
pub const ROUNDS: usize = 24;

/// Round constants, from the degree-8 LFSR of FIPS 202, section 3.2.5.
pub static ROUND_CONSTANTS: [u64; ROUNDS] = CONSTANTS;

/// [`ROUND_CONSTANTS`] as the compiler computes with them.
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

/// The lanes in the order in which rho and pi move them: each comes to the place of the next, the last to that of the first. Lane
/// `(x, y)` of FIPS 202 has number `x + 5y`; lane 0 stays.
const WAY: [usize; 25] = {
    let mut way = [0; 25];
    let mut x = 1;
    let mut y = 0;
    let mut t = 0;
    while t < 25 {
        way[t] = x + 5 * y;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    way
};

/// Returns how far the lane is turned that comes to place `t + 1` of [`WAY`].
const fn turn(t: usize) -> u32 {
    ((t + 1) * (t + 2) / 2 % 64) as u32
}

/// Entry `to` is `(from, turn)`: the lane that comes there, and how far it is turned (rho and pi, FIPS 202, 3.2.2 and
/// 3.2.3).
pub const MOVES: [(usize, u32); 25] = {
    let mut table = [(0, 0); 25];
    let mut t = 0;
    while t < 24 {
        table[WAY[t + 1]] = (WAY[t], turn(t));
        t += 1;
    }
    table
};

/// The rounds that were computed since the start, modulo `2^32`: counted for the tables of small machines, which run on one
/// thread, and nowhere else.
#[cfg(all(feature = "testing", target_os = "none"))]
pub static ROUNDS_COMPUTED: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);

/// Adds to `ROUNDS_COMPUTED`, where that is.
#[cfg_attr(not(all(feature = "testing", target_os = "none")), expect(unused_variables, reason = "nothing is counted"))]
#[inline(always)]
pub fn count_rounds(count: usize) {
    #[cfg(all(feature = "testing", target_os = "none"))]
    {
        use core::sync::atomic::Ordering::Relaxed;
        // Small machines have no other atomic operation than these.
        ROUNDS_COMPUTED.store(ROUNDS_COMPUTED.load(Relaxed).wrapping_add(count as u32), Relaxed);
    }
}

/// Computes the rounds with these constants, in place.
pub const fn permute_with(a: &mut [u64; 25], mut constants: &[u64]) {
    while let [constant, rest @ ..] = constants {
        constants = rest;
        let mut c = [0; 5];
        macro_rules! columns {
            ($($x:literal)*) => {$(
                c[$x] = a[$x] ^ a[$x + 5] ^ a[$x + 10] ^ a[$x + 15] ^ a[$x + 20];
            )*};
        }
        columns!(0 1 2 3 4);
        // What theta adds to each lane of a column.
        let d = [
            c[4] ^ c[1].rotate_left(1),
            c[0] ^ c[2].rotate_left(1),
            c[1] ^ c[3].rotate_left(1),
            c[2] ^ c[4].rotate_left(1),
            c[3] ^ c[0].rotate_left(1),
        ];
        a[0] ^= d[0];
        let mut moving = a[WAY[0]];
        macro_rules! moves {
            ($($t:literal)*) => {$({
                const FROM: usize = WAY[$t];
                const TO: usize = WAY[$t + 1];
                const TURN: u32 = turn($t);
                let next = a[TO];
                a[TO] = (moving ^ d[FROM % 5]).rotate_left(TURN);
                moving = next;
            })*};
        }
        moves!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);
        // The lane that was taken first has moved long since.
        let _moved = moving;
        let (mut rows, _) = a.as_chunks_mut::<5>();
        while let [row, rest @ ..] = rows {
            let [b0, b1, b2, b3, b4] = *row;
            *row = [b0 ^ (!b1 & b2), b1 ^ (!b2 & b3), b2 ^ (!b3 & b4), b3 ^ (!b4 & b0), b4 ^ (!b0 & b1)];
            rows = rest;
        }
        a[0] ^= *constant;
    }
}

/// Permutes a state, in a constant.
pub const fn permute(a: &mut [u64; 25]) {
    permute_with(a, &CONSTANTS);
}
